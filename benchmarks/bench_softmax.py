"""Softmax regression side by side with scikit-learn."""

from __future__ import annotations

from benchmarks._likelihood import large, small
from benchmarks._table import Row
from lectures_lib.softmax import SoftmaxRegression

ROWS = [
    Row(
        "softmax, 5 classes, 100,000 x 50, overlapping",
        lambda: large(SoftmaxRegression(), "lbfgs", 1e-8, 5),
        1.5,
    ),
    Row("softmax, 3 classes, 500 x 2", lambda: small(SoftmaxRegression(), 3)),
]
