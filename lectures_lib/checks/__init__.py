"""The exercises answer back: `check` judges an answer, `hint` opens one hint at a time."""

from __future__ import annotations

import os

from lectures_lib.checks.exercise import Exercise
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.registry import find
from lectures_lib.checks.student import overview, progress, session
from lectures_lib.checks.telling.clickable import with_options
from lectures_lib.checks.telling.hints import Hints
from lectures_lib.checks.telling.outcomes import CaseOutcome, Outcome, PartOutcome, as_text

__all__ = ["check", "hint"]


def check(identity: str, *answers: object) -> Outcome:
    """The verdict on an answer: not attempted, error, wrong or right, with its points.

    `check("perceptron.fit", perceptron_fit)` calls the function on the exercise's cases; an
    answer that is no function is given as it is. Nothing an answer does stops the notebook.
    """
    exercise = find(identity)
    outcome = _judged(exercise, answers)
    if os.environ.get("NBGRADER_EXECUTION") == "validate" and outcome.points < outcome.out_of:
        # nbgrader's "Validate" only reports cells that raise.
        raise AssertionError(as_text(outcome))
    return with_options(outcome, answers, lambda chosen: _chosen(exercise, chosen))


def _judged(exercise: Exercise, answers: tuple[object, ...]) -> Outcome:
    """The verdict, remembered in the student's folder."""
    failed = session.did_not_run(exercise.names) if exercise.points else {}
    if failed:  # a try stands in one cell with its check, which runs only after it
        return _not_run(exercise, failed)
    outcome = evaluate(exercise, answers)
    outcome = outcome.with_note(progress.record(outcome))
    work = progress.folder() if outcome.status == "right" and exercise.points else None
    return outcome.with_next_steps(overview.next_steps(work, exercise)) if work else outcome


def _chosen(exercise: Exercise, answers: tuple[object, ...]) -> Outcome:
    """The verdict on an answer that was clicked, whatever happened to its cell before."""
    session.forget(exercise.names)
    return _judged(exercise, answers)


def _not_run(exercise: Exercise, failed: dict[str, str]) -> Outcome:
    """There is no new answer: an older one that still has the name is not judged in its place."""
    parts = []
    for name, error in failed.items():
        told = (
            f"The cell that defines `{name}` ended with {error.rstrip('.')}. "
            "There is no new answer to judge: mend that cell, run it, then this one."
        )
        parts.append(
            PartOutcome(name, (CaseOutcome("its cell did not run", "error", complaint=told),))
        )
    return Outcome(exercise, tuple(parts))


def hint(identity: str) -> Hints:
    """The hints of an exercise that are open: each call opens one more of the three."""
    exercise = find(identity)
    opened, note = progress.open_hint(exercise)
    return Hints(exercise, opened, note)


session.keep_names({"check": check, "hint": hint})
session.watch_cells()
