"""The exercises answer back: `check` judges an answer, `hint` opens one hint at a time.

`solution` shows how it is done, to who has tried.
"""

from __future__ import annotations

import os
from dataclasses import replace

from lectures_lib.checks.exercise import Exercise
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.registry import find
from lectures_lib.checks.student import overview, progress, session
from lectures_lib.checks.telling.clickable import with_options
from lectures_lib.checks.telling.hints import Hints
from lectures_lib.checks.telling.outcomes import CaseOutcome, Outcome, PartOutcome, as_text
from lectures_lib.checks.telling.solutions import Solution, solved, switched_off

__all__ = ["check", "hint", "solution"]


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
    note = progress.record(outcome)
    work = progress.folder() if outcome.status == "right" and exercise.points else None
    steps = overview.next_steps(work, exercise) if work else ""
    return replace(outcome, notes=(note,) if note else (), next_steps=steps)


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


_warned: set[str] = set()  # exercises of which it was said that asking is remembered


def solution(identity: str) -> Solution:
    """The solution beside your answer: after *right*, or after the third hint and one attempt."""
    exercise = find(identity)
    work = progress.folder()
    if switched_off() or os.environ.get("NBGRADER_EXECUTION"):
        return Solution(exercise, "Solutions are not shown in this class.")
    if work is None:
        return Solution(exercise, "Solutions are shown in your own copy of the course alone.")
    try:
        found = progress.read(work, exercise)
    except progress.Damaged:
        return Solution(exercise, "Its progress file is damaged. Check an answer first.")
    right = found.best >= exercise.points if exercise.points else found.status == "right"
    if not right and not (found.attempts and found.hints == len(exercise.hints)):
        when = "after a right answer, or after the third hint and one attempt"
        return Solution(exercise, f"The solution is shown {when}.")
    if not (found.solution or identity in _warned):
        _warned.add(identity)
        again = f'`solution("{identity}")` once more shows it.'
        return Solution(exercise, f"That you ask is remembered in your progress. {again}")
    shell = session.notebook()
    shown = solved(exercise, shell.user_ns if shell else {})
    note = progress.ask_solution(exercise, work)
    return replace(shown, told=f"{shown.told} {note}".strip())


session.keep_names({"check": check, "hint": hint, "solution": solution})
session.watch_cells()
