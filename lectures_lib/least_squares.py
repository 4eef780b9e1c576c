"""Least squares as a classifier: regress class indicators on the features, take the largest.

With a column of ones in front of X and an indicator matrix Y (N, K),

    B = argmin ||Y - X B||² = (XᵀX)⁻¹ Xᵀ Y,        f(x) = Bᵀ(1, x),        class = argmax_k f_k(x)

Every column of B is a regression of its own, and the K fitted values add up to 1. They are no
probabilities: they leave [0, 1], and a class in the middle can be masked.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.centring import LARGEST, columns_of, rank_tolerance, refuse_overflow
from lectures_lib._core.estimator import LinearClassifier, check_sample_weight, check_X_y

WORST_CONDITION = 1e7  # of the correlation matrix; beyond it, no normal equations


@dataclass(eq=False, repr=False)
class LeastSquaresClassifier(LinearClassifier):
    """Least squares on class indicators.

    For two classes g = f_1 - f_0, which is the regression on s = ±1. The solution is the same for
    shifted and scaled features. If it is not unique (equal columns, more features than examples)
    it is the one with the smallest coefficients of the features measured in standard deviations.

    Attributes: coef_ (K, d) and intercept_ (K,), or (1, d) and (1,) for two classes; classes_.

    >>> model = LeastSquaresClassifier().fit([[0], [1], [4], [5]], [0, 0, 1, 1])
    >>> model.coef_.round(4), model.predict([[2], [3]])
    (array([[0.4706]]), array([0, 1]))
    """

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Regress the indicators of the classes on the features."""
        X, codes = check_X_y(self, X, y)
        share = check_sample_weight(sample_weight, codes)
        share = share / share.sum()  # of each example in the sum of the squares
        K = len(self.classes_)
        Y = np.array([[-1.0], [1.0]])[codes] if K == 2 else np.eye(K)[codes]

        # Features in standard deviations from their means: neither shift nor unit matters, and
        # the best intercept is the mean of Y, because the mean of Z is 0.
        mean, spread = columns_of(X, None if sample_weight is None else share)
        if not (spread < LARGEST).all():
            refuse_overflow(X)
        varies = spread > 0
        Z = X - mean
        Z /= np.where(varies, spread, np.inf)  # a constant feature becomes 0
        rest = share @ Z  # what rounding left of the mean
        Z -= rest
        Y_mean = share @ Y
        root = np.sqrt(share)[:, None]  # a square is multiplied by the share
        Z *= root
        Y -= Y_mean
        Y *= root

        # ||Y - Z B||² has the slope -2 Zᵀ(Y - Z B): it is 0 where B = (ZᵀZ)⁻¹ ZᵀY, and R = ZᵀZ
        # holds the correlations. These normal equations square the condition of the problem, so
        # they are for well-conditioned ones, R = Q diag(values) Qᵀ with values not too far apart.
        # Where features are redundant, or as many as the examples or more, many B are best.
        B = np.zeros((X.shape[1], Y.shape[1]))  # without the row of the intercepts
        R = (Z.T @ Z)[np.ix_(varies, varies)] if len(X) > X.shape[1] else np.zeros((0, 0))
        values, Q = np.linalg.eigh(R)
        if len(values) and values[-1] < WORST_CONDITION * values[0]:
            B[varies] = Q @ ((Q.T @ (Z.T @ Y)[varies]) / values[:, None])
        elif varies.any():  # the shortest of them; what rounding alone can make is no direction
            B = np.linalg.lstsq(Z, Y, rcond=rank_tolerance(len(X), mean, spread))[0]
        B[varies] /= spread[varies, None]
        self.coef_, self.intercept_ = B.T, Y_mean - (mean + rest * spread) @ B
        return self
