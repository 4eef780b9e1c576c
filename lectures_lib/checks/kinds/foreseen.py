"""A question whose answer is a number, or a place in a picture; each foreseen answer has words."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from lectures_lib.checks.judging.readings import show
from lectures_lib.checks.kinds.given import Given
from lectures_lib.checks.running.plain_data import Plain
from lectures_lib.checks.telling.outcomes import Option, PartOutcome

if TYPE_CHECKING:
    from lectures_lib.figures import Scene

ROUNDING = 1e-9  # of a number that was worked out instead of typed


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
            return self.every("wrong", f"Expected {kind}.", came_out=self.shown(values))
        said = next(one for one in self.foreseen if one.holds(found))
        told = (Option(show(value), "", said.right, said.why),)
        return self.every("right" if said.right else "wrong", options=told)


def _numbers(value: Plain) -> tuple[float, ...]:
    """The numbers in 3, (1, 2), [1, 2] or an array; none where something else is among them."""
    listed = value.ravel().tolist() if isinstance(value, np.ndarray) else value
    entries = listed if isinstance(listed, tuple | list) else (listed,)
    real = [e for e in entries if isinstance(e, int | float) and not isinstance(e, bool)]
    return tuple(map(float, real)) if len(real) == len(entries) else ()
