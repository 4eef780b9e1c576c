"""Least squares as a classifier: regress class indicators on the features, take the largest.

With a column of ones in front of X and an indicator matrix Y (N, K),

    B = argmin ||Y - X B||² = (XᵀX)⁻¹ Xᵀ Y,        f(x) = Bᵀ(1, x),        class = argmax_k f_k(x)

Every column of B is a regression of its own, and the K fitted values add up to 1. They are no
probabilities: they leave [0, 1], and a class in the middle can be masked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.centring import (
    LARGEST,
    block_rows,
    columns_of,
    rank_tolerance,
    refuse_overflow,
)
from lectures_lib._core.estimator import (
    Array,
    Codes,
    LinearClassifier,
    check_choice,
    check_matrix,
    check_sample_weight,
    check_weights,
    check_X_y,
)

TARGETS = ("indicator", "fisher")
WORST_CONDITION = 1e7  # of the correlation matrix; beyond it, no normal equations


@dataclass(eq=False, repr=False)
class LeastSquaresClassifier(LinearClassifier):
    """Least squares on class indicators.

    targets: "indicator" for one column per class; "fisher" for two classes with the targets N/N1
        for the positive class and -N/N0 for the other, whose solution has Fisher's direction.

    For two classes g = f_1 - f_0, which is the regression on s = ±1. The solution is the same for
    shifted and scaled features. If it is not unique (equal columns, more features than examples)
    it is the one with the smallest coefficients of the features measured in standard deviations.

    Attributes: coef_ (K, d) and intercept_ (K,), or (1, d) and (1,) for two classes; classes_.

    >>> model = LeastSquaresClassifier().fit([[0], [1], [4], [5]], [0, 0, 1, 1])
    >>> model.coef_.round(4), model.predict([[2], [3]])
    (array([[0.4706]]), array([0, 1]))
    """

    targets: str = "indicator"

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Regress the targets of the classes on the features."""
        check_choice(self.targets, "targets", TARGETS)
        X, codes = check_X_y(self, X, y)
        weights = None if sample_weight is None else check_sample_weight(sample_weight, codes)
        table = self._target_table(codes, weights)
        self.coef_, self.intercept_ = _solve(X, lambda rows: table[codes[rows]], weights)
        return self

    def _target_table(self, codes: Codes, weights: Array | None) -> Array:
        """Row k: the target of class k."""
        K = len(self.classes_)
        if self.targets == "fisher":
            if K > 2:
                raise ValueError(f"targets: 'fisher' found {K} classes in y, expected 2.")
            counts = np.bincount(codes, weights)
            return np.array([[-counts.sum() / counts[0]], [counts.sum() / counts[1]]])
        return np.array([[-1.0], [1.0]]) if K == 2 else np.eye(K)


def least_squares(
    X: ArrayLike, T: ArrayLike, sample_weight: ArrayLike | None = None
) -> tuple[Array, Array]:
    """Coefficients (q, d) and intercepts (q,) of the regressions of the q columns of `T` on `X`.

    >>> coef, intercept = least_squares([[0], [1], [2]], [[1], [3], [5]])
    >>> coef.round(6), intercept.round(6)
    (array([[2.]]), array([1.]))
    """
    X = check_matrix(X)
    targets = check_matrix(T, "T")
    if len(targets) != len(X):
        raise ValueError(f"T: found {len(targets)} rows, expected {len(X)} as in X.")
    weights = None if sample_weight is None else check_weights(sample_weight, len(X))
    return _solve(X, lambda rows: targets[rows], weights)


def _solve(
    X: Array, targets: Callable[[slice], Array], weights: Array | None
) -> tuple[Array, Array]:
    """Coefficients and intercepts, from centred features in units of their standard deviation.

    In these units the normal equations read R B = S with the correlation matrix R; with more
    features than examples their dual form reads Z Z' A = T, B = Z'A. Both square the condition of
    the problem, so they are used only where the matrix is far from singular, and orthogonal
    reductions elsewhere. What rounding alone can make of a direction does not count as one.
    """
    share = None if weights is None else weights / weights.sum()
    mean, spread = columns_of(X, share)
    if not (spread < LARGEST).all():
        refuse_overflow(X)
    varies = spread > 0
    data = _Standardised(X, targets, mean, np.where(varies, spread, np.inf), share)
    if len(X) > X.shape[1]:
        B, bias = _tall(data, rank_tolerance(len(X), mean, spread))
    else:
        B, bias = _wide(data, rank_tolerance(len(X), mean, spread))
    B /= data.spread[:, None]
    return B.T, bias - mean @ B


@dataclass
class _Standardised:
    """(x - mean) / spread and targets in blocks, times the roots of the shares."""

    X: Array
    targets: Callable[[slice], Array]
    mean: Array
    spread: Array  # infinite for a constant feature, which becomes 0
    share: Array | None

    def block(self, rows: slice) -> tuple[Array, Array, Array]:
        """Rows of the data and of the targets, and the roots of their shares."""
        Z = self.X[rows] - self.mean
        Z /= self.spread
        T = self.targets(rows)
        root = np.full(len(Z), len(self.X) ** -0.5)
        if self.share is not None:
            root = np.sqrt(self.share[rows])
        Z *= root[:, None]
        return Z, T * root[:, None], root

    def blocks(self, step: int) -> Iterator[tuple[Array, Array, Array]]:
        """All rows, `step` at a time."""
        for start in range(0, len(self.X), step):
            yield self.block(slice(start, start + step))


def _tall(data: _Standardised, tolerance: float) -> tuple[Array, Array]:
    """Coefficients and the fit at the mean, from R B = S or from a reduction to triangles."""
    d = data.X.shape[1]
    R: Array | None = None
    for Z, T, root in data.blocks(block_rows(d)):
        if R is None:
            R, S = np.zeros((d, d)), np.zeros((d, T.shape[1]))
            rest, t_mean = np.zeros(d), np.zeros(T.shape[1])
        R += Z.T @ Z
        S += Z.T @ T
        rest += root @ Z
        t_mean += root @ T
    assert R is not None
    # The mean is rounded; what is left of it after centring is taken out here.
    R -= np.outer(rest, rest)
    S -= np.outer(rest, t_mean)
    used = np.isfinite(data.spread)
    values, Q = np.linalg.eigh(R[np.ix_(used, used)])
    B = np.zeros_like(S)
    if used.any() and values[-1] < WORST_CONDITION * values[0]:
        B[used] = Q @ ((Q.T @ S[used]) / values[:, None])
    elif used.any():
        triangle = np.zeros((0, d + S.shape[1]))
        for Z, T, root in data.blocks(max(4 * d, block_rows(d))):
            rows = np.hstack([Z - root[:, None] * rest, T - root[:, None] * t_mean])
            triangle = np.asarray(np.linalg.qr(np.vstack([triangle, rows]), mode="r"))
        B = _shortest(triangle[:, :d], triangle[:, d:], tolerance)
    return B, t_mean - rest @ B


def _wide(data: _Standardised, tolerance: float) -> tuple[Array, Array]:
    """The same with at least as many features as examples: the shortest exact solution."""
    Z, T, root = data.block(slice(None))
    root = root / np.linalg.norm(root)
    Z -= np.outer(root, root @ Z)
    t_mean = root @ T
    T = T - np.outer(root, t_mean)
    # Centring leaves no variance along the roots. A 1 there makes the matrix regular.
    K = Z @ Z.T
    level = float(np.trace(K)) / len(K) or 1.0
    values, Q = np.linalg.eigh(K + level * np.outer(root, root))
    if values[-1] < WORST_CONDITION * values[0]:
        return Z.T @ (Q @ ((Q.T @ T) / values[:, None])), t_mean
    basis, triangle = np.linalg.qr(Z.T)
    return basis @ _shortest(triangle.T, T, tolerance), t_mean


def _shortest(A: Array, T: Array, tolerance: float) -> Array:
    """The shortest least squares solution of A B = T."""
    U, sizes, V = np.linalg.svd(A, full_matrices=False)
    kept = sizes > tolerance * max(float(sizes.max()), 1.0)
    B: Array = V[kept].T @ ((U[:, kept].T @ T) / sizes[kept, None])
    return B
