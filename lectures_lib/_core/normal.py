"""The normal distribution without SciPy: density, distribution function and its inverse."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.validation import as_float

_erfc = np.frompyfunc(math.erfc, 1, 1)
_inverse = np.frompyfunc(NormalDist().inv_cdf, 1, 1)


def normal_pdf(z: ArrayLike) -> Any:
    """Standard normal density exp(-z^2 / 2) / sqrt(2 pi).

    >>> round(float(normal_pdf(0)), 4)
    0.3989
    """
    squared = np.square(np.minimum(np.abs(as_float(z, "z")), 1e3))  # beyond 40 it is 0 anyway
    return np.exp(-squared / 2)[()] / math.sqrt(2 * math.pi)


def normal_cdf(z: ArrayLike) -> Any:
    """Phi(z) = P(Z <= z) for a standard normal Z; accurate in both tails (erfc, no 1 - Phi).

    >>> normal_cdf([-1.96, 0, 1.96]).round(3)
    array([0.025, 0.5  , 0.975])
    """
    halves = -as_float(z, "z") / math.sqrt(2)
    return 0.5 * np.asarray(_erfc(halves), dtype=np.float64)[()]


def normal_quantile(p: ArrayLike) -> Any:
    """The z with Phi(z) = p; -inf at 0 and +inf at 1.

    >>> round(float(normal_quantile(0.975)), 2)
    1.96
    """
    share = as_float(p, "p")
    if not ((share >= 0) & (share <= 1)).all():
        raise ValueError("p: found a number outside [0, 1], expected probabilities.")
    inside = (share > 0) & (share < 1)
    quantiles = np.asarray(_inverse(np.where(inside, share, 0.5)), dtype=np.float64)
    return np.where(inside, quantiles, np.where(share > 0, np.inf, -np.inf))[()]
