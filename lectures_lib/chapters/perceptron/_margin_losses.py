"""Losses of a margin and a subgradient of the perceptron loss: right ones and the usual slips."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lectures_lib.chapters.perceptron._runs import Array, augmented

Chosen = Callable[[Array], Array]  # margins -> which rows


def margins(X: Array, s: Array, w: Array) -> Array:
    """s·(w0 + w·x), row by row."""
    return np.asarray(s * (augmented(X) @ w))


def loss(X: Array, s: Array, w: Array) -> Any:
    """(1/N)·Σ max(−m, 0)."""
    return np.maximum(-margins(X, s, w), 0).mean()


def mean_over(chosen: Chosen, factor: float = -1.0, labels: bool = True) -> Callable[..., Array]:
    """The function (X, s, w) -> factor·(1/N)·Σ s·(1, x) over the rows with `chosen` margins."""

    def mean(X: Array, s: Array, w: Array) -> Array:
        rows = (s if labels else 1.0) * chosen(margins(X, s, w))
        return np.asarray(factor * rows @ augmented(X) / len(s))

    return mean


def mean_of(chosen: Chosen, empty: float) -> Callable[..., Array]:
    """The slip: −s·(1, x) averaged over the chosen rows only; `empty` where there are none."""

    def mean(X: Array, s: Array, w: Array) -> Array:
        rows = chosen(margins(X, s, w))
        if not rows.any():
            return np.full(len(w), empty)
        return np.asarray(-s[rows] @ augmented(X)[rows] / rows.sum())

    return mean


def mean_loss_of(chosen: Chosen, empty: float) -> Callable[..., float]:
    """The slip: −m averaged over the chosen rows only; `empty` where there are none."""

    def mean(X: Array, s: Array, w: Array) -> float:
        m = margins(X, s, w)
        rows = chosen(m)
        return float(-m[rows].mean()) if rows.any() else empty

    return mean


def mistakes(m: Array) -> Array:
    """m ≤ 0: a zero margin counts."""
    return m <= 0


def strict_mistakes(m: Array) -> Array:
    """m < 0: at a zero margin the example contributes nothing, which is a subgradient too."""
    return m < 0


subgradient = mean_over(mistakes)


def is_subgradient(arguments: tuple[Any, ...], values: tuple[Array, ...]) -> str:
    """A complaint unless v = −(1/N)·[Σ s·x over m < 0, plus Σ t·s·x over m = 0] with 0 ≤ t ≤ 1.

    The examples with m = 0 are linearly independent in every case, so t is unique.
    """
    (X, s, w), (v,) = arguments, values
    at_kink = margins(X, s, w) == 0
    rest = v - mean_over(strict_mistakes)(X, s, w)
    directions = -(s[:, None] * augmented(X))[at_kink].T / len(s)
    t = np.linalg.lstsq(directions, rest, rcond=None)[0]
    reached = np.allclose(directions @ t, rest, atol=1e-6)
    if reached and np.all((t > -1e-6) & (t < 1 + 1e-6)):
        return ""
    return "`subgradient` is no subgradient of the mean loss."


def losses_at(m: Array) -> tuple[Array, Array, Array, Array]:
    """0-1, perceptron, hinge and logistic loss of the margins."""
    return (
        np.where(m <= 0, 1.0, 0.0),
        np.maximum(-m, 0.0),
        np.maximum(1 - m, 0.0),
        np.logaddexp(0, -m),
    )


def replaced(place: int, slipped: Callable[[Array], Array]) -> Callable[[Array], Any]:
    """`losses_at` with one of the four losses replaced."""

    def losses(m: Array) -> Any:
        right = list(losses_at(m))
        right[place] = slipped(m)
        return tuple(right)

    return losses
