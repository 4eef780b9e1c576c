"""The exercises of chapter 05: the convergence theorem, and the dual form."""

from __future__ import annotations

from lectures_lib.chapters.perceptron_convergence._bounds import (
    BOUND,
    CLAIMED_TRACE,
    NONZERO_START,
    RATE_QUIZ,
    UPPER_BOUND,
)
from lectures_lib.chapters.perceptron_convergence._runs import DUAL, TIGHT_DATA

EXERCISES = (UPPER_BOUND, BOUND, CLAIMED_TRACE, DUAL, TIGHT_DATA, NONZERO_START, RATE_QUIZ)
