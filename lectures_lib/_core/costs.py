"""Cost matrices C[true, action] and the threshold that two decisions have."""

from __future__ import annotations

from numpy.typing import ArrayLike

from lectures_lib._core.validation import Array, check_matrix


def cost_matrix(costs: ArrayLike, n_classes: int) -> Array:
    """The cost matrix C[true, action], one row per class."""
    C = check_matrix(costs, "costs")
    if len(C) != n_classes:
        raise ValueError(
            f"costs: found {len(C)} rows, expected {n_classes}, one per true class "
            "(C[true, action]; transposed tables give other decisions)."
        )
    return C


def cost_threshold(costs: ArrayLike) -> float:
    """p* such that predicting 1 is the cheaper of two decisions exactly when P(1 | x) > p*.

    Equal risks, C01 (1 - p) + C11 p = C00 (1 - p) + C10 p, give
    p* = (C01 - C00) / (C01 - C00 + C10 - C11); with zero diagonal C01 / (C01 + C10).
    Outside [0, 1] it means that one decision is always the cheaper one.

    >>> round(cost_threshold([[0, 2], [1, 0]]), 4)
    0.6667
    """
    C = check_matrix(costs, "costs")
    if C.shape != (2, 2):
        raise ValueError(f"costs: found shape {C.shape}, expected (2, 2), C[true, predicted].")
    false_positive, false_negative = C[0, 1] - C[0, 0], C[1, 0] - C[1, 1]
    if not false_positive + false_negative > 0:
        raise ValueError(
            "costs: a wrong decision costs no more than a right one "
            f"(C01 - C00 = {false_positive:g}, C10 - C11 = {false_negative:g}), expected a "
            "positive sum: only then does predicting 1 pay for large P(1 | x)."
        )
    return float(false_positive / (false_positive + false_negative))
