"""The exercises of chapter 04: the convergence theorem, and the dual form."""

from __future__ import annotations

from lectures_lib.checks._convergence_bounds import (
    BOUND,
    CLAIMED_TRACE,
    NONZERO_START,
    RATE_QUIZ,
    UPPER_BOUND,
)
from lectures_lib.checks._convergence_runs import DUAL, TIGHT_DATA

EXERCISES = (UPPER_BOUND, BOUND, CLAIMED_TRACE, DUAL, TIGHT_DATA, NONZERO_START, RATE_QUIZ)
