"""Softmax regression: logistic regression for K classes.

Every class k has a score z_k = w_k0 + w_k.x, and p(k | x) = e^z_k / sum of e^z_j. In the functions
below `W` is (K, d + 1), one row for each class, the bias first; `X` is (N, d) without a column of
ones; `y` holds codes 0..K-1. Adding the same row to every row of W changes no probability. So W
is only determined when one class keeps the row 0 (the reference class) or when the rows are
required to add up to 0 (the symmetric form).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.centring import blocks
from lectures_lib._core.coordinates import safe_coordinates
from lectures_lib._core.gram import gram, solve
from lectures_lib._core.inference import MaximumLikelihood, SearchEnd
from lectures_lib._core.linear import with_ones
from lectures_lib._core.validation import Array, Codes, as_float, check_matrix

__all__ = [
    "SoftmaxRegression",
    "cross_entropy_loss",
    "gradient",
    "hessian",
    "log_likelihood",
    "log_softmax",
    "softmax",
]

ROUNDING = 1e-14  # the loss is not known better than that


def softmax(Z: ArrayLike, axis: int = -1) -> Array:
    """e^z_k / sum of e^z_j along `axis`: positive numbers that add up to 1.

    >>> softmax([0, 1, 2]).round(4)
    array([0.09  , 0.2447, 0.6652])
    """
    E = np.exp(_below_the_largest(Z, axis))
    return np.asarray(E / E.sum(axis=axis, keepdims=True))


def log_softmax(Z: ArrayLike, axis: int = -1) -> Array:
    """z_k - log sum of e^z_j, the logarithm of the softmax, finite where that rounds to 0.

    >>> log_softmax([0, 1000])
    array([-1000.,     0.])
    """
    below = _below_the_largest(Z, axis)
    return np.asarray(below - np.log(np.exp(below).sum(axis=axis, keepdims=True)))


def _below_the_largest(Z: ArrayLike, axis: int) -> Array:
    """The scores less the largest one: the same probabilities, and no exponential overflows."""
    Z_ = as_float(Z, "Z")
    return np.asarray(Z_ - Z_.max(axis=axis, keepdims=True))


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


def gradient(X: ArrayLike, y: ArrayLike, W: ArrayLike) -> Array:
    """Gradient of the mean loss J, (P - Y)'X_ / N with Y one-hot, (K, d + 1).

    >>> gradient([[0], [1], [3]], [0, 1, 1], np.zeros((2, 2))).round(4)
    array([[ 0.1667,  0.6667],
           [-0.1667, -0.6667]])
    """
    ones, W_ = _augmented(X, W)
    N = len(ones)
    return _gradient(ones, _codes(y, W_, N), softmax(ones @ W_.T), np.full(N, 1 / N))


def hessian(X: ArrayLike, W: ArrayLike) -> Array:
    """Hessian of the mean loss J, the mean of (diag(p) - pp') (x) x_x_', for W row after row.

    It is singular: a row added to every row of W changes nothing.

    >>> hessian([[0], [1]], np.zeros((2, 2))).shape
    (4, 4)
    """
    ones, W_ = _augmented(X, W)
    return _hessian(ones, softmax(ones @ W_.T), np.full(len(ones), 1 / len(ones)))


def _loss(y: Codes, Z: Array, share: Array) -> float:
    """J at the scores Z: the mean of -log p of the true class, each example with its share."""
    return -float(share @ log_softmax(Z)[np.arange(len(y)), y])


def _gradient(A: Array, y: Codes, P: Array, share: Array) -> Array:
    """(P - Y)'A, each example with its share, for the rows A and the probabilities P."""
    miss, own = P * share[:, None], (np.arange(len(y)), y)
    miss[own] = 0.0
    miss[own] = -miss.sum(axis=1)  # p - 1 is minus the other probabilities, with all digits
    return np.asarray(miss.T @ A)


def _hessian(A: Array, P: Array, share: Array) -> Array:
    """The mean of (diag(p) - pp') (x) aa', one weighted Gram matrix for each pair of classes."""
    K, width = P.shape[1], A.shape[1]
    H, p = np.zeros((K, width, K, width)), np.ascontiguousarray(P.T)
    for j, k in combinations(range(K), 2):
        H[j, :, k] = H[k, :, j] = -gram(A, share * p[j] * p[k])
    for k in range(K):
        H[k, :, k] = -H[k].sum(axis=1)  # p (1 - p) is p times the others: the rows add up to 0
    return H.reshape(K * width, K * width)


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

    C, tol and max_iter are those of `LogisticRegression`; Newton's method is the only solver.

    reference   None: the rows of coef_ and intercept_ add up to 0, as in scikit-learn.
                A label: this class has the row 0, and the others are log-odds against it.
                Both forms give the same probabilities.

    The penalty is |W|² / 2 in the symmetric form, whatever is shown; for two classes it is half
    of what `LogisticRegression` has, which has one row instead of two opposite ones.

    After `fit`: coef_ (K, d) and intercept_ (K,), also for two classes, and what
    `LogisticRegression` has. standard_errors_ and z_values_ are (K, d + 1), bias first; the
    reference class has standard errors 0, because its row is 0 by choice.
    separating_direction_ (K, d + 1): along it no example's own score falls behind another one.

    >>> X, y = [[0], [1], [2], [3], [4], [5]], ["a", "b", "a", "b", "c", "b"]
    >>> model = SoftmaxRegression(C=1).fit(X, y)
    >>> model.classes_, model.predict_proba(X).sum(axis=1).round(6)
    (array(['a', 'b', 'c'], dtype='<U1'), array([1., 1., 1., 1., 1., 1.]))
    """

    reference: Any = None

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the weights that make the labels `y` most likely; returns the model."""
        X_, y_, n = self._examples(X, y, sample_weight)  # n: how often each one counts
        shown = self._shown()  # refuses a wrong reference at once
        share = n / n.sum()  # 1/N each, if nobody gave weights
        # Other coordinates change no Newton step, only its rounding.
        place = safe_coordinates(X_, share, penalised=self._penalised)
        A = place.rows  # rows (1, x), with x in standard deviations from its mean
        K, width = len(self.classes_), A.shape[1]
        # Divided by C N, C times the sum of the losses + |w|²/2 is J, the mean loss + the ridge.
        ridge = place.ridge(1 / (self.C * n.sum()))  # of the penalty; the biases have 0
        centred = np.eye(K) - 1 / K  # the penalty knows W in its symmetric form

        def loss(W: Array) -> float:
            return sum(_loss(y_[some], A[some] @ W.T, share[some]) for some in blocks(A))

        def J(W: Array) -> float:
            return loss(W) + float(np.sum(ridge * (centred @ W) ** 2)) / 2

        W, slope, fell = np.zeros((K, width)), np.inf, True  # a row for each class
        here = J(W)
        for n_iter in range(self.max_iter + 1):  # the last only looks whether it has arrived
            last = slope
            G = ridge * (centred @ W)  # of the penalty; the examples follow, block by block
            H = np.asarray(np.kron(centred, np.diag(ridge)), dtype=np.float64)
            for some in blocks(A):
                P = softmax(A[some] @ W.T)
                G += _gradient(A[some], y_[some], P, share[some])  # points uphill on J
                H += _hessian(A[some], P, share[some])
            # J is flat along a row added to every class, so the first class keeps the row 0 (in
            # the chapter the last one: any will do). Without its rows and columns H is positive
            # definite: the paraboloid of J at W has one lowest point, W - step.
            H = H[width:, width:]
            step = np.zeros((K, width))
            step[1:] = solve(H, G[1:].ravel()).reshape(K - 1, width)
            slope = max(float(np.sum(G * step)), 0.0) ** 0.5  # the Newton decrement: no units
            converged = slope <= self.tol
            stuck = not fell and slope >= last  # rounding lets neither J nor the slope fall
            if converged or stuck or n_iter == self.max_iter:
                break
            t, slack = 1.0, ROUNDING * max(1.0, here)
            while (there := J(W - t * step)) > here + slack and t > 1e-8:
                t /= 2  # far from the minimum a step may climb: halve it until it does not
            W, fell, here = W - t * step, there < here, there
        if converged:
            W = W - step  # the last one, which is known already
        end = SearchEnd(place, y_, n, W[1:], loss(W), G[1:], H, converged, n_iter)
        self._keep(end, shown)
        return self

    def _shown(self) -> Array:
        """(K, K - 1): the rows to show from those searched, without the first, which is 0."""
        K = len(self.classes_)
        if self.reference is None:
            return (np.eye(K) - 1 / K)[:, 1:]
        position = np.flatnonzero(self.classes_ == self.reference)
        if len(position) != 1:
            raise ValueError(
                f"reference: found {self.reference!r}, expected None or one of the labels "
                f"{', '.join(map(repr, self.classes_.tolist()))}."
            )
        return np.asarray((np.eye(K) - np.eye(K)[position[0]])[:, 1:])

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
