"""Weighted sums of squares block by block, and a Hessian that may be nearly singular."""

from __future__ import annotations

import numpy as np

from lectures_lib._core.centring import blocks
from lectures_lib._core.validation import Array

ADDITIONS = (0.0, *10.0 ** np.arange(-14, 1))  # to the diagonal of a matrix whose diagonal is 1


def gram(A: Array, weight: Array) -> Array:
    """A' diag(weight) A for weights that are not negative."""
    total = np.zeros((A.shape[1], A.shape[1]))
    for part in blocks(A):
        scaled = A[part] * np.sqrt(weight[part, None])
        total += scaled.T @ scaled  # one matrix twice: BLAS computes one triangle only
    return total


def solve(H: Array, g: Array) -> Array:
    """The step with H step = g: a third of the work of an inverse."""
    L, scale = _root(H)
    return np.asarray(np.linalg.solve(L.T, np.linalg.solve(L, g / scale)) / scale)


def inverse_of(H: Array) -> Array:
    """The inverse of H."""
    L, scale = _root(H)
    half = np.linalg.inv(L) / scale
    return np.asarray(half.T @ half)


def _root(H: Array) -> tuple[Array, Array]:
    """L and s with sLL's = H, or H with a small addition that makes it positive definite.

    Far out in a direction that separates, every probability is 0 or 1, and H is 0 up to rounding.
    """
    diagonal = np.diag(H)
    scale = np.sqrt(np.maximum(diagonal, max(1e-30 * diagonal.max(), 1e-200)))
    unitless = H / scale / scale[:, None]  # so that the addition has a meaning
    for addition in ADDITIONS:
        try:
            return np.linalg.cholesky(unitless + addition * np.eye(len(H))), scale
        except np.linalg.LinAlgError:
            continue
    raise FloatingPointError("the Hessian of the likelihood holds numbers that are not finite")
