"""Least squares as a classifier: regress class indicators on the features, take the largest.

With a column of ones in front of X and an indicator matrix Y (N, K),

    B = argmin ||Y - X B||² = (XᵀX)⁻¹ Xᵀ Y,        f(x) = Bᵀ(1, x),        class = argmax_k f_k(x)

Every column of B is a regression of its own, and the K fitted values add up to 1. They are no
probabilities: they leave [0, 1], and a class in the middle can be masked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

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
BLOCK = 2**17  # entries of X that are centred at a time


@dataclass(eq=False, repr=False)
class LeastSquaresClassifier(LinearClassifier):
    """Least squares on class indicators.

    targets: "indicator" for one column per class; "fisher" for two classes with the targets N/N1
        for the positive class and -N/N0 for the other, whose solution has Fisher's direction.

    For two classes g = f_1 - f_0, which is the regression on s = ±1. The solution is the same for
    shifted and scaled features. If it is not unique (equal columns, more features than examples)
    it is the one with the smallest coefficients of the features measured in standard deviations.

    Attributes: coef_ (K, d) and intercept_ (K,), or (1, d) and (1,) for two classes; classes_.
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
    """Coefficients (q, d) and intercepts (q,) of the regressions of the q columns of `T` on `X`."""
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

    In these units the normal equations read R B = S with the correlation matrix R. They square
    the condition of the problem, so they are used only where R is far from singular.
    """
    roots = None if weights is None else np.sqrt(weights)
    with np.errstate(over="ignore", invalid="ignore"):  # _spread looks at the result
        centre, t_mean, C, S = _moments(X, targets, roots)
    spread = _spread(X, centre, C, weights)
    varies = spread > 0
    B = np.zeros_like(S)
    if varies.any():
        D = spread[varies]
        values, Q = np.linalg.eigh(C[np.ix_(varies, varies)] / np.outer(D, D))
        if values[-1] < WORST_CONDITION * values[0]:
            B_unit = Q @ ((Q.T @ (S[varies] / D[:, None])) / values[:, None])
        else:
            Z, T = (X[:, varies] - centre[varies]) / D, targets(slice(None)) - t_mean
            if roots is not None:
                Z, T = Z * roots[:, None], T * roots[:, None]
            B_unit = np.linalg.lstsq(Z, T, rcond=None)[0]
        B[varies] = B_unit / D[:, None]
    return B.T, t_mean - centre @ B


def _moments(
    X: Array, targets: Callable[[slice], Array], roots: Array | None
) -> tuple[Array, Array, Array, Array]:
    """Means of features and targets, covariance C of the features, S of features and targets.

    Two passes: the first mean is rounded, and what is left of it after centring is taken out.
    """
    N, d = X.shape
    total = float(N) if roots is None else float(roots @ roots)
    centre = X.mean(axis=0) if roots is None else (roots**2) @ X / total
    q = targets(slice(0, 1)).shape[1]
    C, S, rest, t_mean = np.zeros((d, d)), np.zeros((d, q)), np.zeros(d), np.zeros(q)
    step = max(1, BLOCK // d)
    for start in range(0, N, step):
        rows = slice(start, start + step)
        Z, T = X[rows] - centre, targets(rows)
        root = np.ones(len(Z)) if roots is None else roots[rows]
        if roots is not None:
            Z, T = Z * root[:, None], T * root[:, None]
        C += Z.T @ Z
        S += Z.T @ T
        rest += root @ Z
        t_mean += root @ T
    t_mean /= total
    rest /= total
    return (
        centre + rest,
        t_mean,
        C / total - np.outer(rest, rest),
        S / total - np.outer(rest, t_mean),
    )


def _spread(X: Array, centre: Array, C: Array, weights: Array | None) -> Array:
    """Standard deviation of every feature, exactly 0 for the constant ones."""
    if not np.isfinite(C).all():
        raise ValueError(
            f"X: entries up to {np.abs(X).max():.3g} overflow when squared, expected numbers "
            "below 1e150. Scale the features."
        )
    spread = np.sqrt(np.maximum(np.diag(C), 0.0))
    for j in np.flatnonzero(spread <= 8 * np.finfo(float).eps * np.abs(centre)):
        column = X[:, j] if weights is None else X[weights > 0, j]
        if column.max() == column.min():
            spread[j] = 0.0
        elif spread[j] == 0:
            raise ValueError(
                f"X: column {j} varies by {column.max() - column.min():.3g}, too little to be "
                "squared. Scale the features."
            )
    return spread
