"""What a real-valued score is worth, whatever the threshold: ROC, AUC, precision and recall.

An example counts as predicted positive when its score is at least the threshold.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.normal import normal_cdf, normal_quantile
from lectures_lib._core.validation import (
    Array,
    as_float,
    check_labels,
    check_matrix,
    check_number,
    check_vector,
    check_weights,
    encode_labels,
)
from lectures_lib.metrics._counts import BinaryCounts, binary_truth


class RocCurve(NamedTuple):
    """FPR and TPR at each threshold, thresholds descending; the first one is infinite.

    >>> roc_curve([0, 1, 1], [0.2, 0.5, 0.9]).tpr
    array([0. , 0.5, 1. , 1. ])
    """

    fpr: Array
    tpr: Array
    thresholds: Array


class PrecisionRecallCurve(NamedTuple):
    """Precision and recall at each threshold, thresholds ascending, then (1, 0).

    >>> precision_recall_curve([0, 1, 1], [0.2, 0.5, 0.9]).recall
    array([1. , 1. , 0.5, 0. ])
    """

    precision: Array
    recall: Array
    thresholds: Array


def _at_least(scores: Array, weights: Array | None, thresholds: Array) -> Any:
    """How many of the scores (or how much weight) lie at or above each threshold."""
    if weights is None:
        return len(scores) - np.searchsorted(np.sort(scores), thresholds, side="left")
    order = np.argsort(scores)
    from_here_on = np.append(np.cumsum(weights[order][::-1])[::-1], 0.0)
    return from_here_on[np.searchsorted(scores[order], thresholds, side="left")]


def counts_at_thresholds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> tuple[Array, BinaryCounts]:
    """Every distinct score as threshold, descending after +inf, and the four counts at each.

    TP(t) is the number of positives with a score of at least t, FP(t) that of negatives. Equal
    scores share a threshold, so ties need no rule of their own.

    >>> thresholds, counts = counts_at_thresholds([0, 1, 1], [0.2, 0.5, 0.9])
    >>> thresholds, counts.tp
    (array([inf, 0.9, 0.5, 0.2]), array([0, 1, 2, 2]))
    """
    positive = binary_truth(y_true, pos_label)
    score = check_vector(y_score, "y_score", length=len(positive))
    w = None if sample_weight is None else check_weights(sample_weight, len(score))
    distinct = np.unique(score if w is None else score[w > 0])
    thresholds = np.append(np.inf, distinct[::-1])
    tp = _at_least(score[positive], None if w is None else w[positive], thresholds)
    fp = _at_least(score[~positive], None if w is None else w[~positive], thresholds)
    if tp[-1] == 0 or fp[-1] == 0:
        raise ValueError("sample_weight: one class has no weight, expected weight on both.")
    return thresholds, BinaryCounts(tp=tp, fn=tp[-1] - tp, fp=fp, tn=fp[-1] - fp)


def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = True,
) -> RocCurve:
    """(FPR, TPR) for every threshold, from (0, 0) to (1, 1), and the thresholds.

    `drop_intermediate` leaves out points inside straight stretches (after the first score); the
    curve is the same.

    >>> fpr, tpr, thresholds = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr, tpr
    (array([0. , 0. , 0.5, 0.5, 1. ]), array([0. , 0.5, 0.5, 1. , 1. ]))
    """
    thresholds, counts = counts_at_thresholds(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
    )
    keep = np.ones(len(thresholds), dtype=bool)
    if drop_intermediate:
        keep[2:-1] = (np.diff(counts.fp[1:], 2) != 0) | (np.diff(counts.tp[1:], 2) != 0)
    return RocCurve(counts.fpr[keep], counts.recall[keep], thresholds[keep])


def auc(x: ArrayLike, y: ArrayLike) -> float:
    """Area under a curve by the trapezoid rule; x must not turn back.

    >>> auc([0, 0.5, 1], [0, 0.8, 1])
    0.65
    """
    xs = check_vector(x, "x")
    ys = check_vector(y, "y", length=len(xs))
    steps = np.diff(xs)
    if len(xs) < 2 or not ((steps >= 0).all() or (steps <= 0).all()):
        raise ValueError("x: expected at least two values, all ascending or all descending.")
    return float(abs(np.sum(steps * (ys[1:] + ys[:-1]) / 2)))


def _rank_auc(positive: Any, score: Array, weights: Array | None) -> float:
    """P(s+ > s-) + P(s+ = s-) / 2 over all pairs of a positive and a negative example.

    Twice the number of pairs won is, for each positive, the negatives below it plus those not
    above it. Without weights the count is exact, in integers.
    """
    if weights is None:
        winners, losers = np.sort(score[positive]), np.sort(score[~positive])
        first = np.flatnonzero(np.append(True, winners[1:] != winners[:-1]))
        repeats = np.diff(np.append(first, len(winners)))
        below = np.searchsorted(losers, winners[first], side="left")
        not_above = np.searchsorted(losers, winners[first], side="right")
        twice_won = int(repeats @ (below + not_above))
        return twice_won / (2 * len(winners) * len(losers))
    w_pos, w_neg = weights[positive], weights[~positive]
    if w_pos.sum() == 0 or w_neg.sum() == 0:
        raise ValueError("sample_weight: one class has no weight, expected weight on both.")
    order = np.argsort(score[~positive])
    losers, mass = score[~positive][order], np.append(0.0, np.cumsum(w_neg[order]))
    below = mass[np.searchsorted(losers, score[positive], side="left")]
    not_above = mass[np.searchsorted(losers, score[positive], side="right")]
    return float(w_pos @ (below + not_above) / (2 * w_pos.sum() * mass[-1]))


def roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: Literal["macro", "weighted", "micro"] | None = "macro",
    sample_weight: ArrayLike | None = None,
    multi_class: Literal["ovr"] = "ovr",
) -> Any:
    """Area under the ROC curve, as the share of pairs that the score puts in the right order.

    Two classes: P(s+ > s-) + P(s+ = s-) / 2, which is the trapezoid area of `roc_curve`.
    More classes: `y_score` is (N, K), each column against the rest; their mean (macro), their
    mean weighted by the class sizes (weighted), one area per class (None), or one area of all
    N K scores together (micro), which needs columns on one scale. Columns may be any scores;
    scikit-learn asks for probabilities and for `multi_class="ovr"`.

    >>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    if multi_class != "ovr":
        raise ValueError(f"multi_class: found {multi_class!r}, expected 'ovr'.")
    scores = as_float(y_score, "y_score")
    if scores.ndim == 2 and scores.shape[1] == 2:
        scores = scores[:, 1]
    if scores.ndim < 2:
        positive = binary_truth(y_true)
        scores = check_vector(scores, "y_score", length=len(positive))
        w = None if sample_weight is None else check_weights(sample_weight, len(scores))
        return _rank_auc(positive, scores, w)
    codes = _class_codes(y_true, scores)
    w = None if sample_weight is None else check_weights(sample_weight, len(codes))
    if average == "micro":
        own = codes[:, None] == np.arange(scores.shape[1])
        repeated = None if w is None else np.repeat(w, scores.shape[1])
        return _rank_auc(own.ravel(), scores.ravel(), repeated)
    areas = np.array([_rank_auc(codes == k, scores[:, k], w) for k in range(scores.shape[1])])
    if average is None:
        return areas
    if average == "macro":
        return float(areas.mean())
    if average == "weighted":
        return float(np.average(areas, weights=np.bincount(codes, weights=w)))
    raise ValueError(f"average: found {average!r}, expected 'macro', 'weighted', 'micro' or None.")


def _class_codes(y_true: ArrayLike, scores: Array) -> Any:
    """The codes 0..K-1 of the labels, one class per column of `scores`."""
    matrix = check_matrix(scores, "y_score")
    classes, codes = encode_labels(check_labels(y_true, "y_true"))
    if len(codes) != len(matrix) or len(classes) != matrix.shape[1]:
        raise ValueError(
            f"y_score: found shape {matrix.shape}, expected {(len(codes), len(classes))}: one "
            f"column for each of the classes {classes.tolist()[:5]}."
        )
    return codes


def one_vs_rest_roc(y_true: ArrayLike, y_score: ArrayLike) -> dict[Any, RocCurve]:
    """The ROC curve of each class against the rest; column k of `y_score` scores class k.

    >>> scores = [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.2, 0.3, 0.5]]
    >>> list(one_vs_rest_roc(["a", "b", "c"], scores))
    ['a', 'b', 'c']
    """
    scores = check_matrix(y_score, "y_score")
    codes = _class_codes(y_true, scores)
    classes = np.unique(check_labels(y_true, "y_true")).tolist()
    return {label: roc_curve(codes == k, scores[:, k]) for k, label in enumerate(classes)}


def precision_recall_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> PrecisionRecallCurve:
    """Precision and recall for every threshold, ascending; the last point is (1, 0).

    >>> precision_recall_curve([0, 1, 1], [0.2, 0.5, 0.9]).precision.round(3)
    array([0.667, 1.   , 1.   , 1.   ])
    """
    thresholds, counts = counts_at_thresholds(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
    )
    return PrecisionRecallCurve(
        np.append(counts.precision[:0:-1], 1.0),
        np.append(counts.recall[:0:-1], 0.0),
        thresholds[:0:-1],
    )


def average_precision_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Sum over thresholds of precision times the gain in recall: area under the step curve.

    >>> round(average_precision_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 4)
    0.8333
    """
    precision, recall, _ = precision_recall_curve(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
    )
    return float(np.sum(-np.diff(recall) * precision[:-1]))


def roc_convex_hull(fpr: ArrayLike, tpr: ArrayLike) -> tuple[Array, Array]:
    """The corners of the smallest concave curve above the points, from (0, 0) to (1, 1).

    Points below it are never the cheapest, whatever costs and prevalence are.

    >>> fpr, tpr = roc_convex_hull([0.1, 0.5, 0.6], [0.6, 0.5, 0.9])
    >>> fpr, tpr
    (array([0. , 0.1, 0.6, 1. ]), array([0. , 0.6, 0.9, 1. ]))
    """
    x = check_vector(fpr, "fpr")
    points = np.column_stack([x, check_vector(tpr, "tpr", length=len(x))])
    if points.min() < 0 or points.max() > 1:
        raise ValueError("fpr, tpr: found a rate outside [0, 1].")
    points = np.vstack([points, [(0.0, 0.0), (1.0, 1.0)]])
    hull: list[Array] = []
    for p in points[np.lexsort((points[:, 1], points[:, 0]))]:
        while len(hull) >= 2 and _turns_left(hull[-2], hull[-1], p):
            hull.pop()
        hull.append(p)
    corners = np.array(hull)
    return corners[:, 0], corners[:, 1]


def _turns_left(a: Array, b: Array, c: Array) -> bool:
    """Whether a -> b -> c goes straight on or turns left, so that b is no corner from above."""
    return bool((b[0] - a[0]) * (c[1] - a[1]) >= (b[1] - a[1]) * (c[0] - a[0]))


def binormal_roc(fpr: ArrayLike, delta: float) -> Any:
    """TPR = Phi(delta + Phi^-1(FPR)): scores N(0, 1) and N(delta, 1) of the two classes.

    >>> binormal_roc([0.1, 0.5], delta=1).round(3)
    array([0.389, 0.841])
    """
    return normal_cdf(check_number(delta, "delta") + normal_quantile(fpr))


def binormal_auc(delta: ArrayLike) -> Any:
    """AUC = Phi(delta / sqrt 2) for scores N(0, 1) and N(delta, 1) of the two classes.

    >>> round(float(binormal_auc(1)), 4)
    0.7602
    """
    return normal_cdf(as_float(delta, "delta") / np.sqrt(2))
