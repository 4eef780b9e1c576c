"""From an exercise and the student's answers to the outcome."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from lectures_lib.checks.exercise import Exercise, Runner
from lectures_lib.checks.judging.written import written
from lectures_lib.checks.running.in_child import call_all
from lectures_lib.checks.running.in_thread import PATIENCE, SECONDS, Reply, stopwatch
from lectures_lib.checks.running.plain_data import Plain
from lectures_lib.checks.telling.outcomes import Outcome

# How calls are made. The default makes them here; a grader makes them in another process.
Caller: TypeAlias = Callable[
    [Callable[..., Any], Sequence[tuple[Plain, ...]], float], Sequence[Reply]
]


def evaluate(
    exercise: Exercise,
    answers: tuple[object, ...],
    seconds: float = SECONDS,
    caller: Caller = call_all,
) -> Outcome:
    """The outcome of one exercise; `seconds` is the limit for each of its parts."""
    wanted = len(exercise.names)
    if len(answers) != wanted:
        call = ", ".join([f'"{exercise.id}"', *exercise.names])
        raise TypeError(
            f"check got {len(answers)} answers for {exercise.id}, expected {wanted}: check({call})"
        )
    outcomes = []
    for part in exercise.parts:
        own, answers = answers[: len(part.names)], answers[len(part.names) :]
        outcome = part.judge(own, _runner(caller, seconds))
        more = _runner(caller, PATIENCE * seconds)  # watched, the same calls take longer
        outcomes.append(written(exercise, part, own[0], outcome, more))
    return Outcome(exercise, tuple(outcomes))


def _runner(caller: Caller, seconds: float) -> Runner:
    """Makes calls; together they take no longer than the limit, and a little for the last."""
    spent = stopwatch()

    def run(function: Callable[..., Any], calls: Sequence[tuple[Plain, ...]]) -> Sequence[Reply]:
        left = max(0.1, seconds - spent())
        return caller(function, calls, min(seconds, left) if left < 0.9 * seconds else seconds)

    return run
