"""Entropy, and how far apart two distributions are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.validation import Array, as_float, sum_tolerance


def probabilities(p: ArrayLike, name: str) -> Array:
    """`p` with entries >= 0 that sum to 1 along the last axis."""
    table = as_float(p, name)
    if table.ndim == 0 or table.shape[-1] == 0:
        raise ValueError(f"{name}: found shape {table.shape}, expected one entry per class.")
    if not (table >= 0).all():
        raise ValueError(f"{name}: found a negative entry or NaN, expected probabilities.")
    sums = table.sum(axis=-1)
    if np.abs(sums - 1).max(initial=0.0) > sum_tolerance(p):
        found = float(np.ravel(sums)[np.abs(np.ravel(sums) - 1).argmax()])
        raise ValueError(f"{name}: found a sum of {found:.12g}, expected probabilities with sum 1.")
    return table


def _log_or_zero(p: Array) -> Array:
    """log p, and 0 where p is 0: there it is multiplied by 0."""
    return np.log(np.where(p > 0, p, 1.0))


def entropy(p: ArrayLike) -> Any:
    """H(p) = -sum_k p_k log p_k, in nats, along the last axis; 0 log 0 = 0.

    >>> round(float(entropy([0.5, 0.5])), 4)
    0.6931
    """
    p = probabilities(p, "p")
    return (0.0 - (p * _log_or_zero(p)).sum(axis=-1))[()]


def kl_divergence(p: ArrayLike, q: ArrayLike) -> Any:
    """KL(p || q) = sum_k p_k log(p_k / q_k), in nats; infinite where q_k = 0 < p_k.

    >>> round(float(kl_divergence([0.5, 0.5], [0.9, 0.1])), 4)
    0.5108
    """
    p, q = _pair(p, q)
    impossible = ((q == 0) & (p > 0)).any(axis=-1)
    total = (p * (_log_or_zero(p) - _log_or_zero(q))).sum(axis=-1)
    return np.where(impossible, np.inf, np.maximum(total, 0.0))[()]  # rounding below 0


def _pair(p: ArrayLike, q: ArrayLike) -> tuple[Array, Array]:
    first, second = probabilities(p, "p"), probabilities(q, "q")
    if first.shape[-1] != second.shape[-1]:
        raise ValueError(
            f"p and q: found {first.shape[-1]} and {second.shape[-1]} entries, expected as many."
        )
    return first, second
