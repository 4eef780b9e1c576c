"""Softmax regression without a penalty, side by side with scikit-learn."""

from __future__ import annotations

from benchmarks._likelihood import against_scikit_learn, growth, share_of_memory
from benchmarks._table import Row
from lectures_lib.softmax import SoftmaxRegression

ROWS = [
    Row(
        "softmax, 5 classes, no penalty, 100,000 x 50",
        lambda: against_scikit_learn(SoftmaxRegression(), 50, 5),
        1.5,
    ),
    Row(
        "softmax, 5 classes, growth from 10,000 to 1,000,000 x 50",
        lambda: growth(SoftmaxRegression().fit, 50, 5),
    ),
    Row(
        "softmax, 5 classes, extra memory, 1,000,000 x 50",
        lambda: share_of_memory(SoftmaxRegression().fit, 50, 5),
    ),
]
