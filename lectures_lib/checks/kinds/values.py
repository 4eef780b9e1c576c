"""An answer that is no function: numbers or data that the student worked out or built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lectures_lib.checks.exercise import Slip
from lectures_lib.checks.judging.readings import Result, Unreadable
from lectures_lib.checks.kinds.function import drawn
from lectures_lib.checks.kinds.given import Given
from lectures_lib.checks.running.plain_data import Plain
from lectures_lib.checks.telling.outcomes import CaseOutcome, PartOutcome

if TYPE_CHECKING:
    from lectures_lib.figures import Scene


@dataclass(frozen=True)
class Property:
    """Something that must hold of the answer: `holds(*values)` returns a complaint or ""."""

    name: str
    points: float
    holds: Callable[..., str]
    expected: str = ""


@dataclass(frozen=True)
class Values(Given):
    """Values to give: how each is read (None: as it is), and the properties they must have."""

    names: tuple[str, ...] = field()
    cases: tuple[Property, ...]
    reads: tuple[Result | None, ...]
    slips: tuple[Slip, ...] = ()
    picture: Callable[..., Scene | None] | None = None  # draws the values, as they were read

    @property
    def credits(self) -> tuple[tuple[str, float], ...]:
        return tuple((case.name, case.points) for case in self.cases)

    def judged(self, *values: Plain) -> PartOutcome:
        shown = self.shown(values)
        notes: list[str] = []
        try:
            read = [
                self._read(result, value, notes)
                for result, value in zip(self.reads, values, strict=True)
            ]
        except Unreadable as error:
            return self.every("wrong", str(error), came_out=shown)
        complaints = [case.holds(*read) for case in self.cases]
        right = not any(complaints)
        scene = drawn(self.picture, *read) if self.picture and not right else None
        cases = tuple(
            CaseOutcome(
                case.name, "wrong", case.points, "", shown, case.expected, complaint, picture=scene
            )
            if complaint
            else CaseOutcome(case.name, "right", case.points)
            for case, complaint in zip(self.cases, complaints, strict=True)
        )
        known = (slip for slip in self.slips if slip.recognise and slip.recognise(*read))
        slip = None if right else next(known, None)
        return PartOutcome(self.name, cases, slip, tuple(dict.fromkeys(notes)))

    def _read(self, result: Result | None, value: Plain, notes: list[str]) -> Any:
        if result is None:
            return value
        reading = result.read(value)
        notes += reading.notes
        return reading.value
