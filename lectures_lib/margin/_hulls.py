"""The convex hulls of two classes: their nearest points, or a point that both share.

The hull of a class holds the weighted means of its examples, with weights that are not negative
and sum to 1. The data are separable exactly if the two hulls do not meet.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lectures_lib._core.centring import LARGEST, refuse_overflow
from lectures_lib._core.validation import Array
from lectures_lib.margin import _interior_point as interior_point

# Directions in which weighted data differ by less than this share hold little but rounding.
NEGLIGIBLE = 1e-10


def centred(X: Array) -> tuple[Array, Array, float]:
    """X minus its mean, the mean, and the root mean square distance from it (1 if that is 0)."""
    centre: Array = X[0] + (X - X[0]).mean(axis=0)  # exact for a constant feature
    difference = X - centre
    largest = float(np.abs(difference).max())
    if largest == 0:
        return difference, centre, 1.0
    if largest > LARGEST:
        refuse_overflow(X)
    share = float(((difference / largest) ** 2).sum(axis=1).mean())  # cannot overflow
    return difference, centre, largest * share**0.5


def in_their_span(X: Array) -> tuple[Array, Array | None]:
    """(X Q, Q) with an orthonormal basis of the space that the examples span, if it is smaller
    than theirs; else (X, None).

    The machines know the examples by their inner products only, and these do not change. A
    vector w' of the small space is w = Q w' in the large one.
    """
    if X.shape[1] <= len(X):
        return X, None
    Q, R = np.linalg.qr(X.T)
    return R.T, Q


def nearest_weights(
    X: Array, s: Array, tol: float = 1e-12, max_iter: int = 200
) -> interior_point.Solution:
    """min 1/2 ||sum_i alpha_i s_i x_i||^2, where alpha >= 0 sums to 1 in each class.

    `X` is centred and has spread 1. The sum is w = p - q, the difference of the nearest points.
    """
    member = np.column_stack([s > 0, s < 0]).astype(np.float64)
    inside, basis = in_their_span(X)
    problem = interior_point.Programme(
        s[:, None] * inside, np.zeros(len(s)), member, np.ones(2), upper=None, floor=1e-26
    )
    found = interior_point.solve(problem, tol, max_iter)
    return found if basis is None else replace(found, w=basis @ found.w)


def coinciding_weights(X: Array, s: Array, weights: Array) -> Array:
    """The weights, changed as little as possible so that the weighted means of both classes agree.

    The change of each weight is measured relative to the weight, so that none becomes negative.
    """
    B = np.column_stack([X * s[:, None], s > 0, s < 0])
    target = np.concatenate([np.zeros(X.shape[1]), [1.0, 1.0]])
    tried = [_one_in_each_class(weights, s)]
    for _ in range(3):
        root = np.sqrt(weights)
        change = np.linalg.lstsq((root[:, None] * B).T, target - B.T @ weights, NEGLIGIBLE)[0]
        weights = np.maximum(weights + root * change, 0.0)
        tried.append(_one_in_each_class(weights, s))
    # Where a feature nearly repeats another one, rounding can make a change worse than none.
    return min(tried, key=lambda weights: float(np.linalg.norm(X.T @ (weights * s))))


def _one_in_each_class(weights: Array, s: Array) -> Array:
    scaled: Array = weights / np.where(s > 0, weights[s > 0].sum(), weights[s < 0].sum())
    return scaled
