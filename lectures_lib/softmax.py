"""Softmax regression: logistic regression for K classes.

Every class k has a score z_k = w_k0 + w_k.x, and p(k | x) = e^z_k / sum of e^z_j. In the functions
below `W` is (K, d + 1), one row for each class, the bias first; `X` is (N, d) without a column of
ones; `y` holds codes 0..K-1. Adding the same row to every row of W changes no probability. So W
is only determined when one class keeps the row 0 (the reference class) or when the rows are
required to add up to 0 (the symmetric form).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.likelihood.model import MaximumLikelihood
from lectures_lib._core.linear import with_ones
from lectures_lib._core.validation import Array, Codes, as_float, check_matrix

__all__ = [
    "SoftmaxRegression",
    "cross_entropy_loss",
    "fisher_information",
    "gradient",
    "hessian",
    "log_likelihood",
    "log_odds_to_probabilities",
    "log_softmax",
    "log_sum_exp",
    "predict_probability",
    "score_vector",
    "softmax",
    "step_size",
    "symmetric",
    "to_reference",
]


def log_sum_exp(Z: ArrayLike, axis: int = -1) -> Any:
    """log of the sum of e^z along `axis`; the largest z is taken out, so nothing overflows.

    >>> round(float(log_sum_exp([1000, 1000])), 4)
    1000.6931
    """
    Z_ = as_float(Z, "Z")
    top = Z_.max(axis=axis, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.squeeze(top, axis) + np.log(np.exp(Z_ - top).sum(axis=axis))


def softmax(Z: ArrayLike, axis: int = -1) -> Array:
    """e^z_k / sum of e^z_j along `axis`: positive numbers that add up to 1.

    >>> softmax([0, 1, 2]).round(4)
    array([0.09  , 0.2447, 0.6652])
    """
    return np.asarray(np.exp(log_softmax(Z, axis)))


def log_softmax(Z: ArrayLike, axis: int = -1) -> Array:
    """z_k - log sum of e^z_j, the logarithm of the softmax, finite where that rounds to 0.

    >>> log_softmax([0, 1000])
    array([-1000.,     0.])
    """
    Z_ = as_float(Z, "Z")
    Z_ = Z_ - Z_.max(axis=axis, keepdims=True)
    return np.asarray(Z_ - np.expand_dims(log_sum_exp(Z_, axis), axis))


def log_odds_to_probabilities(f: ArrayLike) -> Array:
    """Probabilities (N, K) from K - 1 log-odds against the last class: its score is 0.

    >>> log_odds_to_probabilities([[0, 0]]).round(4)
    array([[0.3333, 0.3333, 0.3333]])
    """
    f_ = check_matrix(f, "f")
    return softmax(np.column_stack([f_, np.zeros(len(f_))]))


def symmetric(W: ArrayLike) -> Array:
    """The same model with rows that add up to 0.

    >>> symmetric([[0, 2], [0, 0]])
    array([[ 0.,  1.],
           [ 0., -1.]])
    """
    W_ = check_matrix(W, "W")
    return np.asarray(W_ - W_.mean(axis=0))


def to_reference(W: ArrayLike, k: int = -1) -> Array:
    """The same model with row 0 for class k, by default the last one.

    >>> to_reference([[0, 2], [0, 1]])
    array([[0., 1.],
           [0., 0.]])
    """
    W_ = check_matrix(W, "W")
    return np.asarray(W_ - W_[k])


def predict_probability(X: ArrayLike, W: ArrayLike) -> Array:
    """p(k | x) of every row and class, (N, K).

    >>> predict_probability([[0], [1]], [[0, 0], [0, 1]]).round(4)
    array([[0.5   , 0.5   ],
           [0.2689, 0.7311]])
    """
    ones, W_ = _augmented(X, W)
    return softmax(ones @ W_.T)


def log_likelihood(X: ArrayLike, y: ArrayLike, W: ArrayLike) -> float:
    """Sum over the examples of log p(y_i | x_i).

    >>> round(log_likelihood([[0], [1]], [0, 2], np.zeros((3, 2))), 4)
    -2.1972
    """
    ones, W_ = _augmented(X, W)
    log_p = log_softmax(ones @ W_.T)
    return float(log_p[np.arange(len(ones)), _codes(y, W_, len(ones))].sum())


def cross_entropy_loss(X: ArrayLike, y: ArrayLike, W: ArrayLike) -> float:
    """J = - log-likelihood / N, the mean loss that training lowers.

    >>> round(cross_entropy_loss([[0], [1]], [0, 2], np.zeros((3, 2))), 4)
    1.0986
    """
    return -log_likelihood(X, y, W) / len(np.asarray(X))


def score_vector(X: ArrayLike, y: ArrayLike, W: ArrayLike) -> Array:
    """Gradient of the log-likelihood, (Y - P)'X_ with Y one-hot, (K, d + 1).

    >>> score_vector([[0], [1]], [0, 1], np.zeros((2, 2)))
    array([[ 0. , -0.5],
           [ 0. ,  0.5]])
    """
    ones, W_ = _augmented(X, W)
    Y = np.eye(len(W_))[_codes(y, W_, len(ones))]
    return np.asarray((Y - softmax(ones @ W_.T)).T @ ones)


def gradient(X: ArrayLike, y: ArrayLike, W: ArrayLike) -> Array:
    """Gradient of the mean loss J, (P - Y)'X_ / N, (K, d + 1).

    >>> gradient([[0], [1], [3]], [0, 1, 1], np.zeros((2, 2))).round(4)
    array([[ 0.1667,  0.6667],
           [-0.1667, -0.6667]])
    """
    return -score_vector(X, y, W) / len(np.asarray(X))


def fisher_information(X: ArrayLike, W: ArrayLike) -> Array:
    """Sum of (diag(p) - pp') (x) x_x_', for the rows of W one after the other.

    It is singular, because one row too many is counted. Leave out the rows and columns of the
    reference class, then its inverse is the covariance of the estimates.

    >>> fisher_information([[0], [1]], np.zeros((3, 2))).shape
    (6, 6)
    """
    ones, W_ = _augmented(X, W)
    P = softmax(ones @ W_.T)
    K, width = W_.shape
    blocks = np.empty((K, width, K, width))
    for j in range(K):
        for k in range(K):
            weight = P[:, j] * ((j == k) - P[:, k])
            blocks[j, :, k, :] = ones.T @ (weight[:, None] * ones)
    return blocks.reshape(K * width, K * width)


def hessian(X: ArrayLike, W: ArrayLike) -> Array:
    """Hessian of the mean loss J, the Fisher information divided by N.

    >>> hessian([[0], [1]], np.zeros((2, 2))).shape
    (4, 4)
    """
    return fisher_information(X, W) / len(np.asarray(X))


def step_size(X: ArrayLike) -> float:
    """1 / L with L = largest eigenvalue of X_'X_ / (2 N): descent on J is then monotone.

    >>> step_size([[1], [-1]])
    2.0
    """
    X_ = check_matrix(X)
    ones = with_ones(X_)
    return float(2 * len(ones) / np.linalg.eigvalsh(ones.T @ ones)[-1])


def _augmented(X: ArrayLike, W: ArrayLike) -> tuple[Array, Array]:
    """The rows (1, x) and the weights, checked."""
    X_ = check_matrix(X)
    W_ = check_matrix(W, "W")
    if W_.shape[1] != X_.shape[1] + 1 or len(W_) < 2:
        raise ValueError(
            f"W: found shape {W_.shape}, expected a row for each class and {X_.shape[1] + 1} "
            f"columns, the bias first and then one for each of the {X_.shape[1]} features."
        )
    return with_ones(X_), W_


def _codes(y: ArrayLike, W: Array, length: int) -> Codes:
    """Codes 0..K-1 of the labels."""
    codes = np.asarray(y)
    if codes.shape != (length,):
        raise ValueError(f"y: found shape {codes.shape}, expected ({length},).")
    if not np.isin(codes, np.arange(len(W))).all():
        raise ValueError(f"y: found labels outside 0..{len(W) - 1}, expected one row of W each.")
    return codes.astype(np.intp)


@dataclass(eq=False, repr=False)
class SoftmaxRegression(MaximumLikelihood):
    """K classes with p(k | x) proportional to e^(w_k0 + w_k.x), by maximum likelihood.

    Parameters are those of `LogisticRegression`, and:

    reference   None: the rows of coef_ and intercept_ add up to 0, as in scikit-learn.
                A label: this class has the row 0, and the others are log-odds against it.
                Both forms give the same probabilities.

    The penalty is |W|² / 2 in the symmetric form, whatever is shown; for two classes it is half
    of what `LogisticRegression` has, which has one row instead of two opposite ones. The
    curvature of K scores is at most 1/2, so gradient descent takes 1 / L with
    L = largest eigenvalue of X_'X_ / (2 N), and it moves all K rows.

    After `fit`: coef_ (K, d) and intercept_ (K,), also for two classes, and what
    `LogisticRegression` has. standard_errors_, z_values_ and p_values_ are (K, d + 1), bias
    first; the reference class has standard errors 0, because its row is 0 by choice.
    separating_direction_ (K, d + 1): along it no example's own score falls behind another one.

    >>> X, y = [[0], [1], [2], [3], [4], [5]], ["a", "b", "a", "b", "c", "b"]
    >>> model = SoftmaxRegression(C=1).fit(X, y)
    >>> model.classes_, model.predict_proba(X).sum(axis=1).round(6)
    (array(['a', 'b', 'c'], dtype='<U1'), array([1., 1., 1., 1., 1., 1.]))
    """

    reference: Any = None

    def _class_metric(self, K: int) -> Array:
        return np.eye(K - 1) - 1 / K if self.solver == "newton" else np.eye(K)

    def _gauge(self, W: Array) -> Array:
        if self.reference is None:
            return np.asarray(W - W.mean(axis=0))
        position = np.flatnonzero(self.classes_ == self.reference)
        if len(position) != 1:
            raise ValueError(
                f"reference: found {self.reference!r}, expected None or one of the labels "
                f"{', '.join(map(repr, self.classes_.tolist()))}."
            )
        return np.asarray(W - W[position[0]])

    def _scores(self, X: ArrayLike) -> Array:
        """Scores (N, K) of every class."""
        return super().decision_function(X)

    def decision_function(self, X: ArrayLike) -> Array:
        """Scores (N, K); for two classes their difference (N,), positive for classes_[1]."""
        Z = self._scores(X)
        return Z if Z.shape[1] > 2 else Z[:, 1] - Z[:, 0]

    def predict_proba(self, X: ArrayLike) -> Array:
        """Probabilities (N, K) of the classes."""
        return softmax(self._scores(X))

    def predict_log_proba(self, X: ArrayLike) -> Array:
        """Logarithms of the probabilities, finite also where these round to 0."""
        return log_softmax(self._scores(X))
