"""Data and weights as arguments: `X` (N, d) without a ones column, `w` with the bias first."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.validation import Array, as_float, check_matrix, check_vector


def check_weights_of(X: Array, w: ArrayLike, name: str = "w", *, optional: bool = False) -> Array:
    """`w` as d + 1 entries, the bias first; with `optional` also d of them, without a bias."""
    weights = as_float(w, name)
    d = X.shape[1]
    if weights.shape != (d + 1,) and not (optional and weights.shape == (d,)):
        raise ValueError(
            f"{name}: found shape {weights.shape}, expected {d + 1} entries, the bias first and "
            f"then one for each of the {d} features{', or no bias' if optional else ''}."
        )
    return check_vector(weights, name)


def with_ones(X: Array) -> Array:
    """The rows (1, x)."""
    return np.column_stack([np.ones(len(X)), X])


def augmented(X: ArrayLike, w: ArrayLike) -> tuple[Array, Array]:
    """The rows (1, x) and the weights, checked."""
    matrix = check_matrix(X)
    return with_ones(matrix), check_weights_of(matrix, w)
