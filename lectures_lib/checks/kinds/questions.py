"""Questions: with choices, with a reason for the choice, for a number or a place in a picture.

Each answer that is foreseen has its own words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from lectures_lib.checks.exercise import Part, Runner, Slip
from lectures_lib.checks.judging.readings import show
from lectures_lib.checks.kinds.given import Given
from lectures_lib.checks.running.plain_data import Plain
from lectures_lib.checks.telling.outcomes import Choice, PartOutcome

if TYPE_CHECKING:
    from lectures_lib.figures import Scene

ROUNDING = 1e-9  # of a number that was worked out instead of typed


@dataclass(frozen=True)
class Quiz(Given):
    """A question; the answer is the letter of the right choice, or the letters if several are."""

    name: str = field()
    choices: tuple[Choice, ...]
    points: float = 1.0

    @property
    def credits(self) -> tuple[tuple[str, float], ...]:
        return (("the choice", self.points),)

    @property
    def letters(self) -> str:
        return "".join(choice.letter for choice in self.choices if choice.right)

    def judged(self, *values: Plain) -> PartOutcome:
        """Right if exactly the right letters were given; else why a given one is not."""
        letters = self._letters(values[0])
        came_out = self.shown(values)
        if letters is None:
            known = ", ".join(f'"{choice.letter}"' for choice in self.choices)
            several = "" if len(self.letters) == 1 else ", several together in one text"
            return self.every("wrong", f"Expected one of {known}{several}.", came_out=came_out)
        chosen = tuple(choice for choice in self.choices if choice.letter in letters)
        right = tuple(choice for choice in self.choices if choice.right)
        if chosen == right:
            return self.every("right", options=self.choices)
        distractors = [choice for choice in chosen if not choice.right]
        if distractors:
            first = distractors[0]  # the others stay open
            told = self.every("wrong", came_out=came_out, options=(first,))
            return replace(told, slip=Slip(f"“{first.text}”", first.why))
        missing = len(right) - len(chosen)
        belong = "letter belongs" if missing == 1 else "letters belong"
        words = f"Right so far; {missing} more {belong} to the answer."
        return self.every("wrong", words, came_out=came_out, options=chosen)

    def _letters(self, value: Plain) -> set[str] | None:
        """The letters in "b", "B)", "b, d", "bd" or ["b", "d"]; None if it is no choice."""
        entries = value if isinstance(value, tuple) else (value,)
        texts = [entry for entry in entries if isinstance(entry, str)]
        known = {choice.letter for choice in self.choices}
        between = "|".join({"and", "und", "y", "e"} - known)  # "e" can be a choice
        letters = set(re.sub(rf"\b({between})\b|[\W_]", "", " ".join(texts).lower()))
        complete = len(texts) == len(entries)
        return letters if complete and letters and letters <= known else None


@dataclass(frozen=True)
class Prediction(Part):
    """Two variables: the letter of an outcome, and the letter of the reason for it.

    Half of the points are for the outcome, the other half for the reason; a reason earns nothing
    beside a wrong outcome, and is not judged there: the picture is looked at first.
    """

    names: tuple[str, ...] = field()
    outcomes: tuple[Choice, ...]
    reasons: tuple[Choice, ...]
    points: float = 2.0

    @property
    def questions(self) -> tuple[Quiz, Quiz]:
        half = self.points / 2
        return Quiz(self.names[0], self.outcomes, half), Quiz(self.names[1], self.reasons, half)

    def judge(self, answers: tuple[object, ...], run: Runner) -> PartOutcome:
        what, why = (
            question.judge((answer,), run)
            for question, answer in zip(self.questions, answers, strict=True)
        )
        outcome = replace(what.cases[0], name="the outcome")
        reason = replace(why.cases[0], name="the reason")
        told = ""
        if outcome.verdict != "right" and reason.verdict != "not attempted":
            told = "The reason is judged when the outcome is right."
            reason = replace(reason, verdict="not run", options=(), complaint=told)
            why = replace(why, slip=None)
        return PartOutcome(self.name, (outcome, reason), what.slip or why.slip, summary=told)


@dataclass(frozen=True)
class Foreseen:
    """Answers that get the same words: numbers around a middle; without one, all that are left."""

    middle: tuple[float, ...]
    reach: float
    right: bool
    why: str

    def holds(self, answer: tuple[float, ...]) -> bool:
        if not self.middle:
            return True
        size = max(map(abs, self.middle))
        return math.dist(self.middle, answer) <= self.reach + ROUNDING * (1 + size)


@dataclass(frozen=True)
class Number(Given):
    """A number, or with a picture a place in it, `(x, y)`; the first that holds is said."""

    name: str = field()
    foreseen: tuple[Foreseen, ...]
    length: int = 1  # 2 for a place
    picture: Callable[[], Scene] | None = None  # in which a place is clicked
    points: float = 0.0

    @property
    def credits(self) -> tuple[tuple[str, float], ...]:
        return (("the answer", self.points),)

    def judged(self, *values: Plain) -> PartOutcome:
        """Right where a right answer was foreseen; else why this one is not."""
        (value,) = values
        found = _numbers(value)
        if len(found) != self.length:
            kind = "two numbers, `(x, y)`" if self.length == 2 else "a number"
            bare = ", without quotation marks" if isinstance(value, str) else ""
            return self.every("wrong", f"Expected {kind}{bare}.", came_out=self.shown(values))
        said = next(one for one in self.foreseen if one.holds(found))
        told = (Choice(show(value), "", said.right, said.why),)
        return self.every("right" if said.right else "wrong", options=told)


def _numbers(value: Plain) -> tuple[float, ...]:
    """The numbers in 3, (1, 2), [1, 2] or an array; none where something else is among them."""
    listed = value.ravel().tolist() if isinstance(value, np.ndarray) else value
    entries = listed if isinstance(listed, tuple | list) else (listed,)
    real = [e for e in entries if isinstance(e, int | float) and not isinstance(e, bool)]
    finite = tuple(float(e) for e in real if math.isfinite(e))
    return finite if len(finite) == len(entries) else ()
