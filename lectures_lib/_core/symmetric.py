"""Covariance matrices as arguments."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.validation import Array, check_matrix


def check_covariance(covariance: ArrayLike, name: str = "covariance") -> Array:
    """A symmetric matrix without negative variances.

    Symmetry is judged entry by entry against sqrt(S_ii S_jj), so units do not matter.
    """
    S = check_matrix(covariance, name)
    if S.shape[0] != S.shape[1]:
        raise ValueError(f"{name}: found shape {S.shape}, expected a square matrix.")
    variances = np.diag(S)
    if (variances < 0).any():
        raise ValueError(f"{name}: found a negative variance, expected v^T S v >= 0.")
    widths = np.sqrt(variances)
    if (np.abs(S - S.T) > 1e-9 * np.outer(widths, widths)).any():
        raise ValueError(f"{name}: found an asymmetric matrix, expected S = S^T.")
    return S
