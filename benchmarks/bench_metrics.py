"""Metrics on a million examples, side by side with scikit-learn."""

from __future__ import annotations

import numpy as np
import sklearn
from sklearn import metrics as peer

from benchmarks._table import Measured, Row, side_by_side
from lectures_lib import metrics

N = 1_000_000


def _area() -> Measured:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, N)
    score = np.round(rng.standard_normal(N) + y, 3)
    found, expected = metrics.roc_auc_score(y, score), peer.roc_auc_score(y, score)
    if abs(found - expected) > 1e-12:
        raise AssertionError(f"AUC: ours {found!r}, scikit-learn {expected!r}")
    ours, other = side_by_side(
        5, lambda: metrics.roc_auc_score(y, score), lambda: peer.roc_auc_score(y, score)
    )
    return Measured(
        ours,
        other,
        peer=f"scikit-learn {sklearn.__version__}",
        note=f"difference {abs(found - expected):.0e}; default_rng(0), N(y, 1), 3 digits",
    )


def _confusion() -> Measured:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 10, N)
    predicted = np.where(rng.random(N) < 0.8, y, rng.integers(0, 10, N))
    found, expected = metrics.confusion_matrix(y, predicted), peer.confusion_matrix(y, predicted)
    if not np.array_equal(found, expected):
        raise AssertionError("confusion matrix: ours and scikit-learn's differ")
    ours, other = side_by_side(
        5,
        lambda: metrics.confusion_matrix(y, predicted),
        lambda: peer.confusion_matrix(y, predicted),
    )
    return Measured(
        ours,
        other,
        peer=f"scikit-learn {sklearn.__version__}",
        note="equal tables; default_rng(0), 10 classes, int64, 82 % right",
    )


ROWS = [
    Row("AUC, 1,000,000 scores rounded to 3 digits", _area, target=3.0),
    Row("confusion matrix, 1,000,000 labels", _confusion, target=10.0),
]
