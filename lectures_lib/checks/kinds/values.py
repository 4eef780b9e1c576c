"""An answer that is no function: numbers or data that the student worked out or built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lectures_lib.checks.exercise import Runner, Slip
from lectures_lib.checks.judging.readings import Result, Unreadable, show
from lectures_lib.checks.kinds.function import cut, drawn, handed_over, trouble, untouched
from lectures_lib.checks.running.in_thread import Reply
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
class Values:
    """Values to give: how each is read (None: as it is), and the properties they must have."""

    names: tuple[str, ...]
    cases: tuple[Property, ...]
    reads: tuple[Result | None, ...]
    slips: tuple[Slip, ...] = ()
    picture: Callable[..., Scene | None] | None = None  # draws the values, as they were read

    @property
    def name(self) -> str:
        """The names of the values."""
        return ", ".join(self.names)

    @property
    def points(self) -> float:
        """Points of all properties together."""
        return float(sum(case.points for case in self.cases))

    def judge(self, answers: tuple[object, ...], run: Runner) -> PartOutcome:
        """The verdict on every property; the values are read under the same watch as a call."""
        reply = handed_over(answers, run)
        if reply.status != "returned":
            return self._all("error", trouble(reply), reply)
        assert isinstance(reply.value, tuple)
        if untouched(reply.value):
            return self._all("not attempted", "", reply)
        notes: list[str] = []
        try:
            values = [
                self._read(read, value, notes)
                for read, value in zip(self.reads, reply.value, strict=True)
            ]
        except Unreadable as error:
            return self._all("wrong", str(error), reply)
        cases = tuple(self._judge(case, values, reply) for case in self.cases)
        right = all(case.verdict == "right" for case in cases)
        if self.picture is not None and not right:
            scene = drawn(self.picture, *values)
            cases = tuple(replace(c, picture=scene) if c.verdict == "wrong" else c for c in cases)
        slip = None if right else self._slip(values)
        return PartOutcome(self.name, cases, slip, tuple(dict.fromkeys(notes)))

    def _read(self, read: Result | None, value: Plain, notes: list[str]) -> Any:
        if read is None:
            return value
        reading = read.read(value)
        notes += reading.notes
        return reading.value

    def _judge(self, case: Property, values: list[Any], reply: Reply) -> CaseOutcome:
        complaint = case.holds(*values)
        if not complaint:
            return CaseOutcome(case.name, "right", case.points)
        return CaseOutcome(
            case.name, "wrong", case.points, "", self._shown(reply), case.expected, complaint
        )

    def _all(self, verdict: Any, complaint: str, reply: Reply) -> PartOutcome:
        came = self._shown(reply) if verdict == "wrong" else ""
        cases = (
            CaseOutcome(
                case.name, verdict, case.points, "", came, "", complaint, reply.lines, cut(reply)
            )
            for case in self.cases
        )
        return PartOutcome(self.name, tuple(cases))

    def _shown(self, reply: Reply) -> str:
        assert isinstance(reply.value, tuple)
        pairs = zip(self.names, reply.value, strict=True)
        return ", ".join(f"{name} = {show(value)}" for name, value in pairs)

    def _slip(self, values: list[Any]) -> Slip | None:
        known = (slip for slip in self.slips if slip.recognise and slip.recognise(*values))
        return next(known, None)
