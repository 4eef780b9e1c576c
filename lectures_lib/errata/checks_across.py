"""Checks of what concerns several notes: the printed form fails, the corrected form holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from lectures_lib.errata._entry import Check, Finding
from lectures_lib.errata._judges import Array, one_answer

WEIGHTS = np.array([[0.5, 1.0, 0.0], [0.3, -1.0, 1.0], [0.2, 0.0, -1.0]])  # rows (w0, w)


def _ignores_the_scale(outputs: Callable[[Array, Array], Array]) -> Finding:
    """Multiplying one discriminant by 10 keeps its half-plane, so no decision may change."""
    axis = np.linspace(-3, 3, 41)
    X = np.array([[1.0, first, second] for first in axis for second in axis])
    scaled = WEIGHTS * np.array([[10.0], [1.0], [1.0]])
    before, after = (outputs(X, W).argmax(axis=1) for W in (WEIGHTS, scaled))
    share = float(np.mean(before != after))
    return Finding(share == 0, f"{share:.0%} of the decisions change.")


def _raw(X: Array, W: Array) -> Array:
    return np.asarray(X @ W.T)


def _distances(X: Array, W: Array) -> Array:
    return np.asarray(X @ W.T / np.linalg.norm(W[:, 1:], axis=1))


COSTS = ((0, 5), (1, 0))
P = (Fraction(7, 10), Fraction(3, 10))


def _rows_are_the_truth() -> int:
    return min((0, 1), key=lambda j: sum(COSTS[k][j] * P[k] for k in (0, 1)))


def _rows_are_the_prediction() -> int:
    return min((0, 1), key=lambda i: sum(COSTS[i][k] * P[k] for k in (0, 1)))


def _separates_strictly(update: Callable[[int, int], bool]) -> Finding:
    """The rule's perceptron on x = -1 (-) and x = 1 (+) ends with positive margins."""
    points = (((1, -1), -1), ((1, 1), 1))
    w, clean = (0, 0), False
    while not clean:
        clean = True
        for x, s in points:
            if update(s, w[0] * x[0] + w[1] * x[1]):
                w, clean = (w[0] + s * x[0], w[1] + s * x[1]), False
    margins = [s * (w[0] * x[0] + w[1] * x[1]) for x, s in points]
    return Finding(min(margins) > 0, f"it stops with the margins {margins[0]} and {margins[1]}.")


CHECKS: dict[str, Check[Any]] = {
    "EX-01": Check(_raw, _distances, _ignores_the_scale),
    "EX-02": Check(
        {"rows as truth": _rows_are_the_truth, "rows as action": _rows_are_the_prediction},
        {"rows as truth": _rows_are_the_truth},
        one_answer,
    ),
    "EX-03": Check(
        lambda s, score: s * (1 if score >= 0 else -1) < 0,
        lambda s, score: s * score <= 0,
        _separates_strictly,
    ),
}
