"""How long `check` takes to answer, for every exercise: once right, once with its first slip."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from benchmarks._table import Measured, Row, best_of
from lectures_lib.checks.evaluate import evaluate
from lectures_lib.checks.exercise import Exercise
from lectures_lib.checks.functions import Function
from lectures_lib.checks.proof import Proof
from lectures_lib.checks.quiz import Quiz
from lectures_lib.checks.registry import all_exercises
from lectures_lib.checks.values import Values

LIMIT = 0.3  # seconds; an answer that comes later no longer feels immediate
DATA: dict[str, tuple[object, ...]] = {
    "perceptron.trace": (
        [(0, 1, 2, -2), (1, 0, 2, -2), (2, 1, 5, 1), (3, 0, 4, 3), (1, -1, 4, 3)],
    ),
    "perceptron.zero_margin": ([[1, 0], [2, 0], [-1, 0], [-2, 0]], [-1, -1, 1, 1]),
    "perceptron_convergence.tight_data": (
        [[3.0 * (i == j) for j in range(12)] for i in range(12)],
        [-1, 1] * 6,
        [0, *[-1, 1] * 6],
    ),
}
SLIPPED: dict[str, tuple[object, ...]] = {
    "perceptron.trace": ([(0, 0, 2, -2), (1, 0, 2, -2), (2, 0, 5, 1), ..., ...],),
    "perceptron.zero_margin": ([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]),
    "perceptron_convergence.tight_data": ([[5], [6], [8], [9]], [-1, -1, 1, 1], [-7, 1]),
}


def right(exercise: Exercise) -> tuple[object, ...]:
    """Answers that get all points."""
    if isinstance(exercise.parts[0], Values):
        return DATA[exercise.id]
    answers: list[object] = []
    for part in exercise.parts:
        if isinstance(part, Function):
            answers.append(part.reference)
        elif isinstance(part, Quiz):
            answers.append(part.letters)
        elif isinstance(part, Proof):
            answers.append(part.chain(part.lines))
    return tuple(answers)


def slipped(exercise: Exercise) -> tuple[object, ...]:
    """Answers with a slip, so that the check has to look for it."""
    first = exercise.parts[0]
    if isinstance(first, Values):
        return SLIPPED[exercise.id]
    if isinstance(first, Quiz):
        return (next(choice.letter for choice in first.choices if not choice.right),)
    assert isinstance(first, Function | Proof)
    slip = first.slips[-1]
    if isinstance(first, Function):
        wrong = next(iter(first.wrong_versions(slip)))
        return (lambda *arguments: wrong(*arguments), *right(exercise)[1:])
    place, line = next(first.wrong_steps(slip))
    return (first.chain([*first.lines[:place], line, *first.lines[place + 1 :]]),)


def _measure(exercise: Exercise) -> Measured:
    good, bad = right(exercise), slipped(exercise)
    if evaluate(exercise, good).status != "right":
        raise AssertionError(f"{exercise.id}: the right answer is not right")
    if not evaluate(exercise, bad).slips:
        raise AssertionError(f"{exercise.id}: the slip is not named")
    times = [best_of(5, partial(evaluate, exercise, answers)) for answers in (good, bad)]
    note = f"{exercise.id}: right {times[0] * 1000:.1f} ms, slip named {times[1] * 1000:.1f} ms"
    return Measured(max(times), LIMIT, note=note)


def answer_times() -> Iterator[Measured]:
    """One line for every exercise."""
    for exercise in all_exercises():
        yield _measure(exercise)


ROWS = [Row("check answers, warm", answer_times)]
