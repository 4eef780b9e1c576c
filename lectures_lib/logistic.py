"""Logistic regression: the sigmoid, the likelihood and its derivatives, training, inference.

The model says that the log-odds of class 1 are linear, log p / (1 - p) = w0 + w.x, that is
p(1 | x) = sigmoid(w0 + w.x). In the functions below `w` holds the bias first, w = (w0, w1, .., wd),
and `X` is (N, d) without a column of ones; they add it, which is what x_ (underlined x) means in
the formulas. Labels are 0 and 1 (`y`) or -1 and +1 (`s` = 2y - 1).

Training is Newton's method or gradient descent, in `LogisticRegression.fit`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.centring import blocks
from lectures_lib._core.coordinates import plain_coordinates, safe_coordinates
from lectures_lib._core.gram import gram, solve
from lectures_lib._core.inference import MaximumLikelihood, SearchEnd
from lectures_lib._core.linear import augmented, with_ones
from lectures_lib._core.validation import (
    Array,
    Codes,
    as_float,
    as_generator,
    check_choice,
    check_integer,
    check_matrix,
    check_signs,
    check_vector,
)

__all__ = [
    "LogisticRegression",
    "cross_entropy_loss",
    "fisher_information",
    "gradient",
    "hessian",
    "log_likelihood",
    "log_likelihood_signed",
    "log_sigmoid",
    "logit",
    "newton_step",
    "polynomial_features",
    "predict_probability",
    "sigmoid",
    "squared_error",
    "step_size",
]


SOLVERS = ("newton", "gd")
ROUNDING = 1e-14  # the loss is not known better than that


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
    z_ = as_float(z, "z")
    return np.minimum(z_, 0.0) - np.log1p(np.exp(-np.abs(z_)))  # the exponential is at most 1


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


def gradient(X: ArrayLike, y: ArrayLike, w: ArrayLike) -> Array:
    """Gradient of the mean loss J, X_'(p - y) / N.

    >>> gradient([[0], [1], [2]], [0, 1, 1], [0, 0]).round(4)
    array([-0.1667, -0.5   ])
    """
    ones, w_ = augmented(X, w)
    N = len(ones)
    return _gradient(ones, _signs(_labels(y, N)), ones @ w_, np.full(N, 1 / N))


def fisher_information(X: ArrayLike, w: ArrayLike) -> Array:
    """X_' D X_ with D = diag(p (1 - p)); its inverse is the covariance of the estimate.

    >>> fisher_information([[0], [1], [2]], [0, 0])
    array([[0.75, 0.75],
           [0.75, 1.25]])
    """
    ones, w_ = augmented(X, w)
    return _hessian(ones, ones @ w_, np.ones(len(ones)))


def hessian(X: ArrayLike, w: ArrayLike) -> Array:
    """Hessian of the mean loss J, X_' D X_ / N; the labels do not occur in it.

    >>> hessian([[0], [1], [2]], [0, 0]).round(4)
    array([[0.25  , 0.25  ],
           [0.25  , 0.4167]])
    """
    return fisher_information(X, w) / len(np.asarray(X))


def _signs(y: Array | Codes) -> Array:
    """s = 2y - 1, labels -1 and +1 from 0 and 1."""
    return np.where(y == 1, 1.0, -1.0)


def _loss(s: Array, z: Array, share: Array) -> float:
    """J at the scores z: the mean of -log sigmoid(s z), each example with its share."""
    return -sum(float(share[some] @ log_sigmoid(s[some] * z[some])) for some in blocks(z))


def _gradient(A: Array, s: Array, z: Array, share: Array) -> Array:
    """A'(p - y), each example with its share, for the rows A, the scores z and s = 2y - 1."""
    g = np.zeros(A.shape[1])
    for some in blocks(A):
        # p - y is -s times the probability of the other label, which keeps its digits near 0
        g -= (share[some] * s[some] * sigmoid(-s[some] * z[some])) @ A[some]
    return g


def _hessian(A: Array, z: Array, share: Array) -> Array:
    """A'DA with D = p (1 - p), each example with its share."""
    H = np.zeros((A.shape[1], A.shape[1]))
    for some in blocks(A):
        e = np.exp(-np.abs(z[some]))  # p (1 - p) is e / (1 + e)², for z as for -z
        H += gram(A[some], share[some] * e / (1 + e) ** 2)
    return H


def step_size(X: ArrayLike) -> float:
    """1 / L with L = largest eigenvalue of X_'X_ / (4 N): descent on J is then monotone.

    >>> step_size([[1], [-1]])
    4.0
    """
    ones = with_ones(check_matrix(X))
    return float(4 * len(ones) / np.linalg.eigvalsh(ones.T @ ones)[-1])


def newton_step(X: ArrayLike, y: ArrayLike, w: ArrayLike) -> Array:
    """w - H^-1 gradient; the factor 1 / N stands in both or in neither.

    >>> newton_step([[0], [1], [2], [3]], [0, 1, 0, 1], [0, 0]).round(4)
    array([-1.2,  0.8])
    """
    return np.asarray(as_float(w, "w") - np.linalg.solve(hessian(X, w), gradient(X, y, w)))


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
class LogisticRegression(MaximumLikelihood):
    """Two classes with p(classes_[1] | x) = sigmoid(w0 + w.x), by maximum likelihood.

    Parameters have scikit-learn's names where they mean the same. Other than there, the default
    is no penalty (C = inf), `solver` is one of two and `tol` is small; the bias is always there
    and never penalised.

    C                    inverse strength of the penalty: minimises C times the sum of the losses
                         plus |w|² / 2; inf is no penalty
    solver               "newton": Newton's method, with steps that are halved until the loss falls
                         "gd": gradient descent with the step 1 / L, L the largest curvature
    tol, max_iter        gd ends when no entry of the mean gradient g is above tol, newton when
                         sqrt(g'H^-1 g) is not, which knows no units; or after max_iter steps
    early_stopping       gd only: keep a tenth of the examples aside, end when their loss has not
                         fallen for five steps, return the best weights met
    rng                  seed or Generator: which tenth

    After `fit`: coef_ (1, d), intercept_ (1,), classes_, converged_, n_iter_, deviance_ = -2
    log-likelihood, null_deviance_ (bias only). Newton without a penalty also gives covariance_
    (inverse Fisher information), standard_errors_, z_values_ (all with the bias first) and
    wald_intervals(level). identified_ says which coefficients the data determine.

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

    solver: str = "newton"
    early_stopping: bool = False
    rng: int | np.random.Generator = 0

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the weights that make the labels `y` most likely; returns the model."""
        newton = check_choice(self.solver, "solver", SOLVERS) == "newton"
        X_, y_, n = self._examples(X, y, sample_weight)  # n: how often each one counts
        n, watched = self._kept_apart(y_, n)
        s, share = _signs(y_), n / n.sum()  # 1/N each, if nobody gave weights
        # Other coordinates change no Newton step, only its rounding; descent feels them.
        if newton:
            place = safe_coordinates(X_, share, penalised=self._penalised)
        else:
            place = plain_coordinates(X_)
        A = place.rows  # rows (1, x), for Newton with x in standard deviations from its mean
        watch = None if watched is None else _Watch.over(A, s, watched, self.tol)
        # Divided by C N, C times the sum of the losses + |w|²/2 is J, the mean loss + the ridge.
        ridge = place.ridge(1 / (self.C * n.sum()))  # of the penalty; the bias has 0

        def J(w: Array, z: Array) -> float:
            return _loss(s, z, share) + float(ridge @ w**2) / 2

        w, H, slope, fell = np.zeros(A.shape[1]), None, np.inf, True
        here = J(w, A @ w)
        # p (1 - p) <= 1/4, so J bends nowhere more than L.
        L = 0.0 if newton else float(np.linalg.eigvalsh(gram(A, share / 4) + np.diag(ridge))[-1])
        for n_iter in range(self.max_iter + 1):  # the last only looks whether it has arrived
            z, last = A @ w, slope
            g = _gradient(A, s, z, share) + ridge * w  # points uphill on J
            if newton:
                # H = A'DA, the shares in D, plus the ridge: the paraboloid that has the slope and
                # the curvature of J at w has one lowest point, w - step. At first every tenth of
                # many examples tells the curvature, unless that step takes a score far away, as
                # where a feature is rare.
                rough = slope > 0.01 and n_iter < 5 and len(A) > 500 * len(w)
                for every in (10, 1) if rough else (1,):
                    H = _hessian(A[::every], z[::every], every * share[::every]) + np.diag(ridge)
                    step = solve(H, g)
                    if rough and np.abs(A @ step).max() < 8:
                        break
                slope = max(float(g @ step), 0.0) ** 0.5  # the Newton decrement: no units
            else:
                step = g / L  # so this step never climbs, but for rounding
                slope = float(np.abs(g).max())
            converged = slope <= self.tol or (watch is not None and watch.stops(w))
            stuck = not fell and slope >= last  # rounding lets neither J nor the slope fall
            if converged or stuck or n_iter == self.max_iter:
                break
            # Scores are linear in w, so that one product A @ step serves every halving.
            t, dz, slack = 1.0, A @ step, ROUNDING * max(1.0, here)
            while (there := J(w - t * step, z - t * dz)) > here + slack and t > 1e-8:
                t /= 2  # far from the minimum a step may climb: halve it until it does not
            w, fell, here = w - t * step, there < here, there
        if newton and converged:
            w = w - step  # the last one, which is known already
        elif watch is not None:
            w = watch.best
        loss = _loss(s, A @ w, share)
        end = SearchEnd(place, y_, n, w[None], loss, g, H, converged, n_iter)
        self._keep(end, np.eye(1), may_be_separated=watch is None)
        return self

    def _kept_apart(self, y: Codes, n: Array) -> tuple[Array, Array | None]:
        """The weights to learn with and, for early stopping, those of a tenth that is watched."""
        if not self.early_stopping:
            return n, None
        if self.solver == "newton":
            raise ValueError(
                "early_stopping: found True with solver 'newton', which is at the optimum after a "
                "few steps; expected solver 'gd'."
            )
        rng, watched = as_generator(self.rng), np.zeros_like(n)
        for k in np.unique(y):
            members = rng.permutation(np.flatnonzero(y == k))
            aside = members[: min(len(members) - 1, int(np.ceil(0.1 * len(members))))]
            watched[aside] = n[aside]
        return n - watched, watched

    def predict_proba(self, X: ArrayLike) -> Array:
        """Probabilities (N, 2) of classes_[0] and classes_[1]."""
        z = self.decision_function(X)
        return np.column_stack([sigmoid(-z), sigmoid(z)])

    def predict_log_proba(self, X: ArrayLike) -> Array:
        """Logarithms of the probabilities, finite also where these round to 0."""
        z = self.decision_function(X)
        return np.column_stack([log_sigmoid(-z), log_sigmoid(z)])


@dataclass
class _Watch:
    """Looks at the loss of examples kept aside, and remembers the weights where it was lowest."""

    rows: Array
    s: Array
    share: Array
    tol: float  # a new lowest loss is lower by more than this
    lowest: float = np.inf
    best: Array = field(default_factory=lambda: np.zeros(0))
    since: int = 0

    @classmethod
    def over(cls, A: Array, s: Array, n: Array, tol: float) -> Self:
        """A watch over the rows of A with a weight."""
        some = n > 0
        return cls(A[some], s[some], n[some] / n.sum(), tol)

    def stops(self, w: Array) -> bool:
        """Take note of the loss at w; True when there was no lower one for five steps."""
        loss = _loss(self.s, self.rows @ w, self.share)
        if loss < self.lowest - self.tol:
            self.lowest, self.best, self.since = loss, w, 0
        else:
            self.since += 1
        return self.since >= 5
