"""The exercises answer back: `check` judges an answer, `hint` opens one hint at a time."""

from __future__ import annotations

import os

from lectures_lib.checks import progress
from lectures_lib.checks.evaluate import evaluate
from lectures_lib.checks.hints import Hints
from lectures_lib.checks.outcomes import Outcome, as_text
from lectures_lib.checks.registry import find
from lectures_lib.checks.session import keep_names

__all__ = ["check", "hint"]


def check(identity: str, *answers: object) -> Outcome:
    """The verdict on an answer: not attempted, error, wrong or right, with its points.

    `check("perceptron.fit", perceptron_fit)` calls the function on the exercise's cases; an
    answer that is no function is given as it is. Nothing an answer does stops the notebook.
    """
    outcome = evaluate(find(identity), answers)
    outcome = outcome.with_note(progress.record(outcome))
    if os.environ.get("NBGRADER_EXECUTION") == "validate" and outcome.points < outcome.out_of:
        # nbgrader's "Validate" only reports cells that raise.
        raise AssertionError(as_text(outcome))
    return outcome


def hint(identity: str) -> Hints:
    """The hints of an exercise that are open: each call opens one more of the three."""
    exercise = find(identity)
    opened, note = progress.open_hint(exercise)
    return Hints(exercise, opened, note)


keep_names({"check": check, "hint": hint})
