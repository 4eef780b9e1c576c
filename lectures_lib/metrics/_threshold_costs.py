"""From ROC points to costs: which threshold is the cheapest.

Costs are `C[true, predicted]`; prevalence is the probability of the positive class where the
classifier will be used, which need not be its share in the test data.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.costs import cost_matrix, cost_threshold
from lectures_lib._core.validation import as_float, check_number
from lectures_lib.metrics._counts import binary_truth
from lectures_lib.metrics._ranking import roc_curve


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
    y_true: ArrayLike, y_score: ArrayLike, costs: ArrayLike, prevalence: float | None = None
) -> BestThreshold:
    """The threshold with the smallest expected cost (the largest one, if several are equal).

    Predict positive when the score is at least the threshold; +inf means never. `prevalence`
    None takes the share of positives in `y_true`.

    >>> best_threshold([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [[0, 5], [1, 0]]).threshold
    0.8
    """
    positive = binary_truth(y_true)
    fpr, tpr, thresholds = roc_curve(positive, y_score, drop_intermediate=False)
    share = float(positive.mean()) if prevalence is None else prevalence
    cost = expected_cost(fpr, tpr, costs, share)
    i = int(np.argmin(cost))
    return BestThreshold(float(thresholds[i]), float(cost[i]), float(fpr[i]), float(tpr[i]))
