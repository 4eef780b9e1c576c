"""Logistic regression: the sigmoid, the likelihood and its derivatives, training, inference.

The model says that the log-odds of class 1 are linear, log p / (1 - p) = w0 + w.x, that is
p(1 | x) = sigmoid(w0 + w.x). In the functions below `w` holds the bias first, w = (w0, w1, .., wd),
and `X` is (N, d) without a column of ones; they add it, which is what x_ (underlined x) means in
the formulas. Labels are 0 and 1 (`y`) or -1 and +1 (`s` = 2y - 1).

Training comes in three kinds: gradient descent, stochastic gradient descent, Newton's method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.estimator import Transformer, check_X, forget, remember_columns
from lectures_lib._core.likelihood.model import MaximumLikelihood
from lectures_lib._core.linear import augmented, with_ones
from lectures_lib._core.validation import (
    Array,
    Labels,
    as_float,
    check_integer,
    check_matrix,
    check_signs,
    check_vector,
)

__all__ = [
    "LogisticRegression",
    "PolynomialFeatures",
    "cross_entropy_loss",
    "fisher_information",
    "gradient",
    "hessian",
    "irls_step",
    "log_likelihood",
    "log_likelihood_signed",
    "log_sigmoid",
    "logistic_loss",
    "logit",
    "minibatch_gradient",
    "newton_step",
    "polynomial_features",
    "predict_probability",
    "score_vector",
    "sigmoid",
    "squared_error",
    "step_size",
    "to_labels",
    "to_signs",
]


def sigmoid(z: ArrayLike) -> Any:
    """1 / (1 + e^-z), the probability whose log-odds are z; no overflow for any z.

    >>> sigmoid([-1000, 0, 1]).round(4)
    array([0.    , 0.5   , 0.7311])
    """
    z_ = as_float(z, "z")
    e = np.exp(-np.abs(z_))  # at most 1
    return np.where(z_ >= 0, 1.0, e)[()] / (1 + e)


def log_sigmoid(z: ArrayLike) -> Any:
    """log sigmoid(z) = -log(1 + e^-z), right also where sigmoid(z) rounds to 0 or 1.

    >>> log_sigmoid([-1000, 0]).tolist()[0]
    -1000.0
    """
    return -np.logaddexp(0.0, -as_float(z, "z"))


def logit(p: ArrayLike) -> Any:
    """Log-odds log p / (1 - p), the inverse of the sigmoid; minus and plus infinity at 0 and 1.

    >>> logit([0.25, 0.5, 0.75]).round(4)
    array([-1.0986,  0.    ,  1.0986])
    """
    p_ = as_float(p, "p")
    if not ((p_ >= 0) & (p_ <= 1)).all():
        raise ValueError("p: found a number outside [0, 1], expected probabilities.")
    with np.errstate(divide="ignore"):
        return np.log(p_) - np.log1p(-p_)


def logistic_loss(m: ArrayLike) -> Any:
    """log(1 + e^-m), the loss of an example whose margin is m = s g(x).

    >>> logistic_loss([-1000, 0]).round(4)
    array([1.000e+03, 6.931e-01])
    """
    return np.logaddexp(0.0, -as_float(m, "m"))


def to_signs(y: ArrayLike) -> Array:
    """Labels -1 and +1 from labels 0 and 1: s = 2y - 1.

    >>> to_signs([0, 1])
    array([-1.,  1.])
    """
    return 2 * _labels(y, None) - 1


def to_labels(s: ArrayLike) -> Array:
    """Labels 0 and 1 from labels -1 and +1: y = (s + 1) / 2.

    >>> to_labels([-1, 1])
    array([0., 1.])
    """
    return (check_signs(s, np.size(s)) + 1) / 2


def predict_probability(X: ArrayLike, w: ArrayLike) -> Array:
    """p(1 | x) = sigmoid(w0 + w.x) of every row.

    >>> predict_probability([[0], [1], [2]], [-1, 1]).round(4)
    array([0.2689, 0.5   , 0.7311])
    """
    ones, w_ = augmented(X, w)
    return np.asarray(sigmoid(ones @ w_))


def log_likelihood(X: ArrayLike, y: ArrayLike, w: ArrayLike) -> float:
    """Sum over the examples of y z - log(1 + e^z) with z = w0 + w.x, for labels 0 and 1.

    >>> round(log_likelihood([[0], [1], [2]], [0, 1, 1], [-1, 1]), 4)
    -1.3197
    """
    ones, w_ = augmented(X, w)
    z = ones @ w_
    return float(np.sum(_labels(y, len(z)) * z - np.logaddexp(0.0, z)))


def log_likelihood_signed(X: ArrayLike, s: ArrayLike, w: ArrayLike) -> float:
    """Sum over the examples of -log(1 + e^(-s z)): the same number, for labels -1 and +1.

    >>> round(log_likelihood_signed([[0], [1], [2]], [-1, 1, 1], [-1, 1]), 4)
    -1.3197
    """
    ones, w_ = augmented(X, w)
    z = ones @ w_
    return float(np.sum(log_sigmoid(check_signs(s, len(z)) * z)))


def cross_entropy_loss(X: ArrayLike, y: ArrayLike, w: ArrayLike) -> float:
    """J = - log-likelihood / N, the mean loss that training lowers.

    >>> X, y = [[0], [1], [2]], [0, 1, 1]
    >>> round(cross_entropy_loss(X, y, [0, 0]), 4)
    0.6931
    """
    return -log_likelihood(X, y, w) / len(np.asarray(X))


def squared_error(X: ArrayLike, y: ArrayLike, w: ArrayLike) -> float:
    """Mean of (y - sigmoid(z))^2, which is not convex in w and can have several minima.

    >>> squared_error([[0], [1]], [0, 1], [0, 0])
    0.25
    """
    p = predict_probability(X, w)
    return float(np.mean((_labels(y, len(p)) - p) ** 2))


def score_vector(X: ArrayLike, y: ArrayLike, w: ArrayLike) -> Array:
    """Gradient of the log-likelihood, X_'(y - p): 0 at the maximum.

    >>> score_vector([[0], [1], [2]], [0, 1, 1], [0, 0])
    array([0.5, 1.5])
    """
    ones, w_ = augmented(X, w)
    return np.asarray(ones.T @ (_labels(y, len(ones)) - sigmoid(ones @ w_)))


def gradient(X: ArrayLike, y: ArrayLike, w: ArrayLike) -> Array:
    """Gradient of the mean loss J, X_'(p - y) / N.

    >>> gradient([[0], [1], [2]], [0, 1, 1], [0, 0]).round(4)
    array([-0.1667, -0.5   ])
    """
    return -score_vector(X, y, w) / len(np.asarray(X))


def fisher_information(X: ArrayLike, w: ArrayLike) -> Array:
    """X_' D X_ with D = diag(p (1 - p)); its inverse is the covariance of the estimate.

    >>> fisher_information([[0], [1], [2]], [0, 0])
    array([[0.75, 0.75],
           [0.75, 1.25]])
    """
    ones, w_ = augmented(X, w)
    z = ones @ w_
    D = sigmoid(z) * sigmoid(-z)
    return np.asarray(ones.T @ (D[:, None] * ones))


def hessian(X: ArrayLike, w: ArrayLike) -> Array:
    """Hessian of the mean loss J, X_' D X_ / N; the labels do not occur in it.

    >>> hessian([[0], [1], [2]], [0, 0]).round(4)
    array([[0.25  , 0.25  ],
           [0.25  , 0.4167]])
    """
    return fisher_information(X, w) / len(np.asarray(X))


def step_size(X: ArrayLike) -> float:
    """1 / L with L = largest eigenvalue of X_'X_ / (4 N): descent on J is then monotone.

    >>> step_size([[1], [-1]])
    4.0
    """
    ones = with_ones(check_matrix(X))
    return float(4 * len(ones) / np.linalg.eigvalsh(ones.T @ ones)[-1])


def minibatch_gradient(X: ArrayLike, y: ArrayLike, w: ArrayLike, rows: Sequence[int]) -> Array:
    """Gradient of the mean loss of some rows; its mean over all choices is the gradient of J.

    >>> minibatch_gradient([[0], [1], [2]], [0, 1, 1], [0, 0], rows=[1, 2])
    array([-0.5 , -0.75])
    """
    return gradient(np.asarray(X)[np.asarray(rows)], np.asarray(y)[np.asarray(rows)], w)


def newton_step(X: ArrayLike, y: ArrayLike, w: ArrayLike) -> Array:
    """w - H^-1 gradient; the factor 1 / N stands in both or in neither.

    >>> newton_step([[0], [1], [2], [3]], [0, 1, 0, 1], [0, 0]).round(4)
    array([-1.2,  0.8])
    """
    return np.asarray(as_float(w, "w") - np.linalg.solve(hessian(X, w), gradient(X, y, w)))


def irls_step(X: ArrayLike, y: ArrayLike, w: ArrayLike) -> Array:
    """The same step as weighted least squares: the response is z + (y - p) / D, the weights D.

    >>> X, y = [[0], [1], [2]], [0, 1, 0]
    >>> np.allclose(irls_step(X, y, [0, 0]), newton_step(X, y, [0, 0]))
    True
    """
    ones, w_ = augmented(X, w)
    z = ones @ w_
    D = sigmoid(z) * sigmoid(-z)
    working = z + (_labels(y, len(z)) - sigmoid(z)) / D
    root = np.sqrt(D)
    return np.asarray(np.linalg.lstsq(root[:, None] * ones, root * working, rcond=None)[0])


def polynomial_features(X: ArrayLike, degree: int) -> Array:
    """All products of at most `degree` features, without the constant: x1, x2, x1², x1 x2, x2².

    >>> polynomial_features([[2, 3]], degree=2)
    array([[2., 3., 4., 6., 9.]])
    """
    X_ = check_matrix(X)
    return np.column_stack([X_[:, list(term)].prod(axis=1) for term in _terms(X_.shape[1], degree)])


def _terms(d: int, degree: int) -> list[tuple[int, ...]]:
    """The features of each product, in the order of the columns."""
    check_integer(degree, "degree", at_least=1)
    return [
        term for n in range(1, degree + 1) for term in combinations_with_replacement(range(d), n)
    ]


def _labels(y: ArrayLike, length: int | None) -> Array:
    """Labels 0 and 1 as floats."""
    y_ = check_vector(y, "y", length=length)
    strange = y_[(y_ != 0) & (y_ != 1)]
    if len(strange):
        raise ValueError(f"y: found {strange[0]:g}, expected the labels 0 and 1.")
    return y_


@dataclass(eq=False, repr=False)
class PolynomialFeatures(Transformer):
    """`polynomial_features` as a transformer for pipelines. No constant: models have a bias.

    >>> PolynomialFeatures(degree=2).fit_transform([[2, 3]])
    array([[2., 3., 4., 6., 9.]])
    """

    degree: int = 2

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Note the number of features; returns the transformer."""
        X_ = check_matrix(X)
        forget(self)
        remember_columns(self, X, X_.shape[1])
        self.n_output_features_ = len(_terms(X_.shape[1], self.degree))
        return self

    def transform(self, X: ArrayLike) -> Array:
        """The products of the features of every row."""
        return polynomial_features(check_X(self, X), self.degree)

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> Labels:
        """x0, x1, x0^2, x0 x1, ..., in the order of the columns."""
        names = self._names_in(input_features)
        told = []
        for term in _terms(len(names), self.degree):
            powers = {j: term.count(j) for j in term}
            told.append(" ".join(names[j] + (f"^{n}" if n > 1 else "") for j, n in powers.items()))
        return np.array(told, dtype=object)


@dataclass(eq=False, repr=False)
class LogisticRegression(MaximumLikelihood):
    """Two classes with p(classes_[1] | x) = sigmoid(w0 + w.x), by maximum likelihood.

    Parameters have scikit-learn's names where they mean the same. Other than there, the default
    is no penalty (C = inf), `solver` is one of three and `tol` is small; the bias is always
    there and never penalised.

    C                    inverse strength of the penalty: minimises C times the sum of the losses
                         plus |w|² / 2; inf is no penalty
    class_weight         a factor for the examples of each class: "balanced" for N / (K N_k), so
                         that all classes weigh the same, or a dictionary by label
    solver               "newton": Newton's method with step control (also known as IRLS)
                         "gd": gradient descent, w <- w - eta0 gradient of the mean objective
                         "sgd": the same with the gradient of `batch_size` examples at a time
    tol, max_iter        newton and gd end when no entry of the mean gradient is above tol (newton
                         measures the features in standard deviations, so that units do not
                         matter), sgd when the loss fell by less than tol for `n_iter_no_change`
                         epochs; or after max_iter iterations, for sgd epochs
    eta0                 length of the step; None is 1 / L for gd, with L the largest possible
                         curvature, and for sgd the same for the steepest single example
    learning_rate        sgd: "constant" or "invscaling", eta0 / t**power_t at step t
    early_stopping       gd and sgd: keep the share `validation_fraction` of the examples aside,
                         end when their loss has stopped falling, return the best weights met
    record               keep the path: path_ (steps, d + 1), bias first, and losses_ (steps,)
    rng                  seed or Generator for sgd and early_stopping

    Newton's method uses the whole sample at every step when there are few examples or when
    `record` is on. With many it starts from the maximum of a fifth of them and needs one Hessian.

    After `fit`: coef_ (1, d), intercept_ (1,), classes_, converged_, n_iter_, log_likelihood_,
    deviance_ = -2 log-likelihood, null_deviance_ (bias only). Newton without a penalty also gives
    covariance_ (inverse Fisher information), standard_errors_, z_values_, p_values_ (all with the
    bias first) and wald_intervals(level). identified_ says which coefficients the data determine.

    When a linear function separates the classes, the likelihood has no maximum. Then a
    ConvergenceWarning says so, converged_ is False, and separating_direction_ is the proof: its
    scores w0 + w.x are nowhere negative for classes_[1], nowhere positive for classes_[0], and
    not all 0. The coefficients are those of the last step, finite.

    >>> X, y = [[0], [1], [2], [3], [4], [5]], [0, 0, 1, 0, 1, 1]
    >>> model = LogisticRegression().fit(X, y)
    >>> model.predict_proba([[2.5]]).round(3), model.converged_
    (array([[0.5, 0.5]]), True)
    """

    _binary_only: ClassVar[bool] = True

    def _class_metric(self, K: int) -> Array:
        return np.ones((1, 1))

    def _gauge(self, W: Array) -> Array:
        return W[..., 1:, :]

    def _without_class_axis(self, W: Array) -> Array:
        return W[..., 0, :]

    def predict_proba(self, X: ArrayLike) -> Array:
        """Probabilities (N, 2) of classes_[0] and classes_[1]."""
        z = self.decision_function(X)
        return np.column_stack([sigmoid(-z), sigmoid(z)])

    def predict_log_proba(self, X: ArrayLike) -> Array:
        """Logarithms of the probabilities, finite also where these round to 0."""
        z = self.decision_function(X)
        return np.column_stack([log_sigmoid(-z), log_sigmoid(z)])
