"""Whether predicted probabilities mean what they say: reliability, Brier score, log loss."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.validation import (
    Array,
    as_float,
    check_integer,
    check_labels,
    check_matrix,
    check_vector,
    check_weights,
    encode_labels,
)
from lectures_lib.metrics._counts import positive_label


class CalibrationBins(NamedTuple):
    """For each bin that is not empty: share of positives, mean probability, examples.

    >>> calibration_bins([0, 1, 1, 1], [0.1, 0.3, 0.8, 0.9], n_bins=2).size
    array([2, 2])
    """

    prob_true: Array
    prob_pred: Array
    size: NDArray[np.intp]


def _binary(y_true: ArrayLike, y_proba: ArrayLike, pos_label: Any) -> tuple[Array, Array]:
    """Positives as 0 / 1 and probabilities in [0, 1]; one class alone is allowed."""
    labels = check_labels(y_true, "y_true")
    if len(labels) == 0:
        raise ValueError("y_true: found 0 labels, expected at least one.")
    classes, _ = encode_labels(labels)
    positive = np.asarray(labels == positive_label(classes, pos_label), dtype=np.float64)
    p = check_vector(y_proba, "y_proba", length=len(positive))
    if p.min() < 0 or p.max() > 1:
        raise ValueError(
            f"y_proba: found values from {p.min():g} to {p.max():g}, expected probabilities."
        )
    return positive, p


def calibration_bins(
    y_true: ArrayLike, y_proba: ArrayLike, *, pos_label: Any = None, n_bins: int = 5
) -> CalibrationBins:
    """How often the positive class occurs among examples with about the same probability.

    Bins of equal width. A calibrated classifier lies on the diagonal: among the examples with p
    near 0.7, seven in ten are positive. scikit-learn's `calibration_curve` returns the first two.

    >>> calibration_bins([0, 1, 1, 1], [0.1, 0.3, 0.8, 0.9], n_bins=2).prob_true
    array([0.5, 1. ])
    """
    positive, p = _binary(y_true, y_proba, pos_label)
    n_bins = check_integer(n_bins, "n_bins", at_least=1)
    edges = np.linspace(0, 1, n_bins + 1)
    bins = np.searchsorted(edges[1:-1], p)
    count = np.bincount(bins, minlength=n_bins)
    filled = count > 0
    mean_p = np.bincount(bins, weights=p, minlength=n_bins)[filled] / count[filled]
    share = np.bincount(bins, weights=positive, minlength=n_bins)[filled] / count[filled]
    return CalibrationBins(share, mean_p, count[filled])


def brier_score_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    pos_label: Any = None,
) -> float:
    """Mean squared difference between probability and truth: mean of (p_i - y_i)^2.

    With `y_proba` of shape (N, K) and K > 2, the mean of sum_k (p_ik - [y_i = k])^2.

    >>> round(brier_score_loss([0, 1], [0.2, 0.7]), 4)
    0.065
    """
    scores = as_float(y_proba, "y_proba")
    if scores.ndim == 2 and scores.shape[1] > 2:
        p, codes = _rows(y_true, scores, None)
        squared = ((p - np.eye(p.shape[1])[codes]) ** 2).sum(axis=1)
    else:
        positive, probability = _binary(
            y_true, scores[:, -1] if scores.ndim == 2 else scores, pos_label
        )
        squared = (probability - positive) ** 2
    return float(np.average(squared, weights=check_weights(sample_weight, len(squared))))


def log_loss(
    y_true: ArrayLike,
    y_proba: ArrayLike,
    *,
    normalize: bool = True,
    sample_weight: ArrayLike | None = None,
    labels: ArrayLike | None = None,
) -> float:
    """Cross-entropy: the mean of -log of the probability given to the true class.

    `y_proba` is (N,) with the probability of the positive class, or (N, K) with one column per
    class in sorted order. A probability of 0 for what happened costs infinity (scikit-learn
    replaces 0 by a small number, which hides it). `normalize=False` gives the sum.

    >>> round(log_loss([0, 1], [0.2, 0.7]), 4)
    0.2899
    """
    scores = as_float(y_proba, "y_proba")
    if scores.ndim < 2:
        scores = check_vector(scores, "y_proba")
        if scores.min() < 0 or scores.max() > 1:
            raise ValueError(
                f"y_proba: found values from {scores.min():g} to {scores.max():g}, expected "
                "probabilities between 0 and 1."
            )
        scores = np.column_stack([1 - scores, scores])
    p, codes = _rows(y_true, scores, labels)
    given = p[np.arange(len(p)), codes]
    weights = check_weights(sample_weight, len(p))
    with np.errstate(divide="ignore"):
        losses = np.where(weights > 0, -np.log(given), 0.0)
    total = float(losses @ weights) + 0.0  # +0.0 turns -0.0 into 0.0
    return total / float(weights.sum()) if normalize else total


def _rows(
    y_true: ArrayLike, scores: Array, labels: ArrayLike | None
) -> tuple[Array, NDArray[np.intp]]:
    """Probabilities per class, rows summing to 1, and the column of each true class."""
    p = check_matrix(scores, "y_proba")
    misses = np.abs(p.sum(axis=1) - 1)
    if p.min() < 0 or misses.max() > 1e-5:
        row = int(misses.argmax()) if misses.max() > 1e-5 else int(p.min(axis=1).argmin())
        raise ValueError(
            f"y_proba: found {p[row].tolist()[:6]} in row {row}, expected probabilities, "
            "but they do not sum to 1."
        )
    y = check_labels(y_true, "y_true")
    classes, _ = encode_labels(y if labels is None else check_labels(labels, "labels"))
    if labels is None and len(classes) == 1 and p.shape[1] == 2 and classes.dtype.kind in "biuf":
        other = {0: 1, 1: 0, -1: 1}.get(classes[0].item())  # only 0s, only 1s: the other is known
        classes = classes if other is None else np.array(sorted({other, classes[0].item()}))
    if len(classes) != p.shape[1] or len(y) != len(p) or not np.isin(y, classes).all():
        raise ValueError(
            f"y_proba: found shape {p.shape}, expected {(len(y), len(classes))}, one column for "
            f"each of the classes {classes.tolist()[:5]}; `labels` names classes that y_true lacks."
        )
    return p, np.searchsorted(classes, y)
