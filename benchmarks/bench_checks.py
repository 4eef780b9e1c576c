"""How long `check` takes to answer, for every exercise: once right, once with a known mistake.

The right answer is the one that stands in the solutions; the wrong one is the last slip of the
first answer that has any, or a wrong choice. So every step of a judgement is in the time: the
calls in a child process, the random cases, the smallest one that fails, the search for a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from importlib import import_module
from statistics import median

from benchmarks._table import Measured, Row, best_of
from lectures_lib.checks.exercise import Exercise
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.kinds.derivation import Proof
from lectures_lib.checks.kinds.expression import Expression
from lectures_lib.checks.kinds.function import Function
from lectures_lib.checks.kinds.questions import Prediction, Quiz
from lectures_lib.checks.kinds.values import Values
from lectures_lib.checks.registry import all_exercises
from lectures_lib.checks.writing.edits import wrong_versions
from tests.checks.answers import SOLVED, answers_in

MEDIAN, LONGEST = 0.05, 0.3  # seconds; an answer that comes later no longer feels immediate
OF_DERIVATIONS = 0.5


def right(exercise: Exercise) -> tuple[object, ...]:
    """Answers that get all points."""
    return tuple(answers_in(SOLVED[exercise.id], exercise))


def mistaken(exercise: Exercise) -> tuple[object, ...]:
    """Answers with a mistake, so that the check has to look for its name."""
    answers = list(right(exercise))
    place = 0
    for part in exercise.parts:
        end = place + len(part.names)
        if isinstance(part, Quiz | Prediction):
            question = part if isinstance(part, Quiz) else part.questions[0]
            answers[place] = next(one.letter for one in question.choices if not one.right)
            return tuple(answers)
        if part.slips:
            answers[place:end] = _slipped(exercise, part)
            return tuple(answers)
        place = end
    raise AssertionError(f"{exercise.id}: no slip and no wrong choice")


def _slipped(exercise: Exercise, part: object) -> tuple[object, ...]:
    if isinstance(part, Values):
        return tuple(_wrong_data(exercise)[part.slips[-1].name])
    if isinstance(part, Function):
        (wrong, *_) = wrong_versions(part.reference, part.slips[-1].ways[0])
        return (lambda *arguments: wrong(*arguments),)
    if isinstance(part, Proof):
        place, line = next(part.wrong_steps(part.slips[-1]))
        return (part.chain([*part.lines[:place], line, *part.lines[place + 1 :]]),)
    assert isinstance(part, Expression)
    return (0,)


def _wrong_data(exercise: Exercise) -> dict[str, tuple[object, ...]]:
    """The data that the chapter's tests keep for every slip of a construction."""
    for name in (f"test_{exercise.slug}", f"test_{exercise.slug}_exercises"):
        try:
            tests = import_module(f"tests.chapters.{name}")
        except ModuleNotFoundError:
            continue
        found = getattr(tests, "TestExercises", None)
        if found is not None and exercise.id in found.wrong_data:
            return dict(found.wrong_data[exercise.id])
    raise AssertionError(f"{exercise.id}: its tests list no wrong data")


def _measure(exercise: Exercise) -> tuple[bool, float, float]:
    """Whether it has a derivation, seconds for the right answer, seconds for the mistaken one."""
    good, bad = right(exercise), mistaken(exercise)
    if evaluate(exercise, good).status != "right":
        raise AssertionError(f"{exercise.id}: the right answer is not right")
    if evaluate(exercise, bad).status == "right":
        raise AssertionError(f"{exercise.id}: the mistake goes unnoticed")
    times = [best_of(3, partial(evaluate, exercise, answers)) for answers in (good, bad)]
    return any(isinstance(part, Proof) for part in exercise.parts), times[0], times[1]


def answer_times() -> Iterator[Measured]:
    """One line for every exercise, then the medians."""
    found = []
    for exercise in all_exercises():
        derivation, good, bad = _measure(exercise)
        found.append((derivation, good, bad))
        note = f"{exercise.id}: right {good * 1000:.1f} ms, mistaken {bad * 1000:.1f} ms"
        yield Measured(max(good, bad), OF_DERIVATIONS if derivation else LONGEST, note=note)
    others = [time for derivation, *times in found if not derivation for time in times]
    yield Measured(median(others), MEDIAN, note=f"median of {len(others)} answers")
    proofs = [time for derivation, *times in found if derivation for time in times]
    yield Measured(median(proofs), OF_DERIVATIONS, note=f"median of {len(proofs)} derivations")


ROWS = [Row("check answers, warm", answer_times)]
