"""From ROC points to costs: which threshold is the cheapest, and how costs vary with prevalence.

Costs are `C[true, predicted]`; prevalence is the probability of the positive class where the
classifier will be used, which need not be its share in the test data.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.costs import cost_matrix, cost_threshold
from lectures_lib._core.validation import Array, as_float, check_number, check_vector, check_weights
from lectures_lib.metrics._counts import binary_truth
from lectures_lib.metrics._ranking import RocCurve, roc_curve


class BestThreshold(NamedTuple):
    """The cheapest threshold, its expected cost per example, and its point of the ROC curve.

    >>> found = best_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [[0, 1], [1, 0]])
    >>> found.threshold, found.cost
    (0.8, 0.25)
    """

    threshold: float
    cost: float
    fpr: float
    tpr: float


def expected_cost(fpr: ArrayLike, tpr: ArrayLike, costs: ArrayLike, prevalence: float) -> Any:
    """Cost per example at a point of the ROC plane.

    (1 - pi) [C00 (1 - FPR) + C01 FPR] + pi [C10 (1 - TPR) + C11 TPR]

    >>> round(float(expected_cost(0.1, 0.8, [[0, 1], [5, 0]], prevalence=0.2)), 4)
    0.28
    """
    C = cost_matrix(costs, 2)
    pi = check_number(prevalence, "prevalence", at_least=0, at_most=1)
    x, y = as_float(fpr, "fpr"), as_float(tpr, "tpr")
    negatives = C[0, 0] * (1 - x) + C[0, 1] * x
    positives = C[1, 0] * (1 - y) + C[1, 1] * y
    return ((1 - pi) * negatives + pi * positives)[()]


def iso_cost_slope(costs: ArrayLike, prevalence: float) -> float:
    """Slope dTPR / dFPR of the lines of equal cost in the ROC plane.

    (1 - pi) (C01 - C00) / (pi (C10 - C11)). The cheapest point of a ROC curve is where such a
    line touches it from above.

    >>> round(iso_cost_slope([[0, 1], [5, 0]], prevalence=0.2), 4)
    0.8
    """
    C = cost_matrix(costs, 2)
    cost_threshold(C)  # being wrong must cost more than being right
    pi = check_number(prevalence, "prevalence", at_least=0, at_most=1)
    gain = pi * (C[1, 0] - C[1, 1])
    loss = (1 - pi) * (C[0, 1] - C[0, 0])
    return float(loss / gain) if gain > 0 else float("inf")


def best_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    costs: ArrayLike,
    prevalence: float | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> BestThreshold:
    """The threshold with the smallest expected cost (the largest one, if several are equal).

    Predict positive when the score is at least the threshold; +inf means never. `prevalence`
    None takes the share of positives in `y_true`.

    >>> best_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [[0, 5], [1, 0]]).threshold
    0.8
    """
    curve, cost = _costs_along(y_true, y_score, costs, prevalence, pos_label, sample_weight)
    i = int(np.argmin(cost))
    return BestThreshold(
        float(curve.thresholds[i]), float(cost[i]), float(curve.fpr[i]), float(curve.tpr[i])
    )


def cost_by_threshold(
    y_true: ArrayLike,
    y_score: ArrayLike,
    costs: ArrayLike,
    prevalence: float | None = None,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[Array, Array]:
    """All thresholds, descending after +inf, and the expected cost per example at each.

    >>> thresholds, costs = cost_by_threshold([0, 1, 1], [0.2, 0.5, 0.9], [[0, 1], [1, 0]])
    >>> thresholds, costs.round(3)
    (array([inf, 0.9, 0.5, 0.2]), array([0.667, 0.333, 0.   , 0.333]))
    """
    curve, cost = _costs_along(y_true, y_score, costs, prevalence, pos_label, sample_weight)
    return curve.thresholds, cost


def _costs_along(
    y_true: ArrayLike,
    y_score: ArrayLike,
    costs: ArrayLike,
    prevalence: float | None,
    pos_label: Any,
    sample_weight: ArrayLike | None,
) -> tuple[RocCurve, Array]:
    positive = binary_truth(y_true, pos_label)
    curve = roc_curve(positive, y_score, sample_weight=sample_weight, drop_intermediate=False)
    if prevalence is None:
        weights = check_weights(sample_weight, len(positive))
        prevalence = float(np.sum(weights, where=positive) / weights.sum())
    return curve, expected_cost(curve.fpr, curve.tpr, costs, prevalence)


def cost_curve(fpr: ArrayLike, tpr: ArrayLike, probability_cost: ArrayLike) -> Array:
    """The cost curve: the smallest normalised expected cost over the given ROC points.

    A point is the line (1 - q) FPR + q (1 - TPR) over the probability cost
    q = pi C10 / (pi C10 + (1 - pi) C01), which joins prevalence and costs in one number (for
    costs with zero diagonal); 1 is the cost of being wrong always. The curve is the lower
    envelope of all lines. Never and always predicting positive, (0, 0) and (1, 1), are included.

    >>> cost_curve([0.1], [0.8], [0, 0.5, 1]).round(3)
    array([0.  , 0.15, 0.  ])
    """
    x = check_vector(fpr, "fpr")
    y = check_vector(tpr, "tpr", length=len(x))
    q = as_float(probability_cost, "probability_cost")
    if not ((q >= 0) & (q <= 1)).all():
        raise ValueError("probability_cost: found a number outside [0, 1].")
    lowest = np.minimum(q, 1 - q)
    for false_alarms, hits in zip(x, y, strict=True):
        lowest = np.minimum(lowest, (1 - q) * false_alarms + q * (1 - hits))
    return lowest
