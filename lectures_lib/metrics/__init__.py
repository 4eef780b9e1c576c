"""How good is a classifier? Confusion matrix, rates, F measures, ROC, costs, calibration.

    M[true, predicted]                                   confusion_matrix
    TP FN / FP TN and every rate of two classes          binary_counts
    precision, F_beta, averages                          *_score functions, below
    ROC, AUC, precision-recall                           roc_curve, roc_auc_score, ...
    cheapest threshold                                   best_threshold, iso_cost_slope, ...
    do probabilities mean what they say                  calibration_bins, log_loss, ...
    how far can a number be trusted                      wilson_interval, delong, hanley_mcneil

Functions that scikit-learn has too carry its names and argument order. Differences: the positive
class is the second of two, whatever its label; 0 / 0 counts as `zero_division` = 0 without a
warning; a probability of 0 for what happened has infinite log loss.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.validation import check_labels
from lectures_lib.metrics._calibration import (
    CalibrationBins,
    brier_score_loss,
    calibration_bins,
    log_loss,
)
from lectures_lib.metrics._counts import (
    BinaryCounts,
    binary_counts,
    class_counts,
    confusion_matrix,
    confusion_table,
    positive_label,
)
from lectures_lib.metrics._ranking import (
    PrecisionRecallCurve,
    RocCurve,
    auc,
    average_precision_score,
    binormal_auc,
    binormal_roc,
    one_vs_rest_roc,
    precision_recall_curve,
    roc_auc_score,
    roc_convex_hull,
    roc_curve,
)
from lectures_lib.metrics._threshold_costs import (
    BestThreshold,
    best_threshold,
    expected_cost,
    iso_cost_slope,
)
from lectures_lib.metrics._uncertainty import (
    DeLong,
    delong,
    hanley_mcneil,
    wilson_interval,
)

__all__ = [
    "BestThreshold",
    "BinaryCounts",
    "CalibrationBins",
    "DeLong",
    "PrecisionRecallCurve",
    "RocCurve",
    "auc",
    "average_precision_score",
    "balanced_accuracy_score",
    "best_threshold",
    "binary_counts",
    "binormal_auc",
    "binormal_roc",
    "brier_score_loss",
    "calibration_bins",
    "cohen_kappa_score",
    "confusion_matrix",
    "delong",
    "expected_cost",
    "f1_score",
    "fbeta_score",
    "hanley_mcneil",
    "iso_cost_slope",
    "log_loss",
    "matthews_corrcoef",
    "one_vs_rest_roc",
    "precision_recall_curve",
    "precision_score",
    "roc_auc_score",
    "roc_convex_hull",
    "roc_curve",
    "wilson_interval",
]

Average = Literal["binary", "macro", "micro", "weighted"]


def balanced_accuracy_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Mean recall of the classes in `y_true`: accuracy as if all classes were equally frequent.

    >>> balanced_accuracy_score([0, 0, 0, 1], [0, 0, 0, 0])
    0.5
    """
    M, _ = confusion_table(y_true, y_pred, sample_weight)
    counts = class_counts(M)
    return float(counts.recall[counts.n_positive > 0].mean())


def matthews_corrcoef(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Correlation of truth and prediction, from -1 to 1; 0 if either is constant.

    For two classes (TP TN - FP FN) / sqrt of the product of the four sums of the table.

    >>> round(matthews_corrcoef([0, 0, 1, 1], [0, 1, 1, 1]), 4)
    0.5774
    """
    M, _ = confusion_table(y_true, y_pred, sample_weight)
    table = M.astype(np.float64) / M.sum()
    true, predicted = table.sum(axis=1), table.sum(axis=0)
    if 1 in ((M.sum(axis=1) > 0).sum(), (M.sum(axis=0) > 0).sum()):
        return 0.0
    together = float(np.trace(table) - true @ predicted)
    spread = float((1 - true @ true) * (1 - predicted @ predicted))
    return float(together / spread**0.5)


def cohen_kappa_score(
    y1: ArrayLike, y2: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """(p_o - p_e) / (1 - p_e): agreement p_o beyond the p_e that the two frequencies give alone.

    NaN if only one label occurs, where both are 1.

    >>> cohen_kappa_score([0, 0, 1, 1], [0, 1, 1, 1])
    0.5
    """
    M, _ = confusion_table(y1, y2, sample_weight)
    table = M.astype(np.float64) / M.sum()
    by_chance = float(table.sum(axis=1) @ table.sum(axis=0))
    if len(table) == 1:
        return float("nan")
    return (float(np.trace(table)) - by_chance) / (1 - by_chance)


def precision_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float = 0.0,
) -> Any:
    """TP / (TP + FP), the right share of the positive decisions. Averages: see `fbeta_score`.

    >>> round(precision_score([0, 0, 1, 1], [0, 1, 1, 1]), 4)
    0.6667
    """
    options = (labels, pos_label, average, sample_weight, zero_division)
    return _averaged(lambda c: c.precision, y_true, y_pred, *options)


def fbeta_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    beta: float,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float = 0.0,
) -> Any:
    """(1 + beta^2) R P / (R + beta^2 P): recall counts beta times as much as precision.

    The notes write F_m with m = beta^2: their m = 4 is F_2 here.

    average   "binary": the positive class against the other one
              None: one value per class, each in turn against all others
              "macro": their mean; every class counts the same
              "weighted": their mean, weighted by the number of true examples
              "micro": from the counts of all classes added up; every example counts the same
    labels    the classes to average over, all by default

    >>> round(fbeta_score([0, 0, 1, 1], [0, 1, 1, 1], beta=2), 4)
    0.9091
    """
    options = (labels, pos_label, average, sample_weight, zero_division)
    return _averaged(lambda c: c.f_beta(beta), y_true, y_pred, *options)


def f1_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    average: Average | None = "binary",
    sample_weight: ArrayLike | None = None,
    zero_division: float = 0.0,
) -> Any:
    """2 R P / (R + P) = 2 TP / (2 TP + FP + FN): near 1 only if both are.

    >>> round(f1_score([0, 0, 1, 1], [0, 1, 1, 1]), 4)
    0.8
    """
    options = (labels, pos_label, average, sample_weight, zero_division)
    return _averaged(lambda c: c.f_beta(1.0), y_true, y_pred, *options)


def _averaged(
    rate: Callable[[BinaryCounts], Any],
    y_true: ArrayLike,
    y_pred: ArrayLike,
    labels: ArrayLike | None,
    pos_label: Any,
    average: Average | None,
    sample_weight: ArrayLike | None,
    zero_division: float,
) -> Any:
    """The rate of the positive class, or of every class and then averaged."""
    if average not in {"binary", "macro", "micro", "weighted", None}:
        raise ValueError(
            f"average: found {average!r}, expected 'binary', 'macro', 'micro', 'weighted' or None."
        )
    M, classes = confusion_table(y_true, y_pred, sample_weight)
    if average == "binary":
        labels = [positive_label(classes, pos_label)]
    counts = _of_classes(M, classes, labels)
    if average == "micro":
        counts = BinaryCounts(*(np.sum(c) for c in (counts.tp, counts.fn, counts.fp, counts.tn)))
    if average in {"binary", "micro"}:
        return float(_defined(rate(counts), zero_division).item())
    rates = _defined(rate(counts), zero_division)
    if average is None:
        return rates
    weights = None if average == "macro" else counts.n_positive
    if weights is not None and weights.sum() == 0:
        return float(zero_division)
    return float(np.average(rates, weights=weights))


def _of_classes(M: Any, classes: Any, labels: ArrayLike | None) -> BinaryCounts:
    """The counts of the wanted classes, each against all others; a class may not occur at all."""
    wanted = classes.tolist() if labels is None else check_labels(labels, "labels").tolist()
    position = {label: k for k, label in enumerate(classes.tolist())}
    rows = [position.get(label, len(classes)) for label in wanted]
    counts = class_counts(np.pad(M, (0, 1)))  # the last row stands for what does not occur
    return BinaryCounts(*(c[rows] for c in (counts.tp, counts.fn, counts.fp, counts.tn)))


def _defined(rates: Any, zero_division: float) -> Any:
    """The rates, with `zero_division` in place of 0 / 0."""
    return np.where(np.isnan(rates), zero_division, rates)
