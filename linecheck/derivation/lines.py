"""Lines of a derivation, and what is reported about them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from linecheck.expand.request import Request, names_of
from linecheck.judge.verdicts import Verdict


class Note(StrEnum):
    """What credit has to say about a line.

    >>> d = Derivation("A square", a="real", b="real")
    >>> _ = d.line("(a + b)**2").line("(b + a)**2")
    >>> str(d.report().lines[1].note)
    'says the same as before'
    """

    NONE = ""
    SAME = "says the same as before"
    LEAP = "a single leap to the goal: the steps between are what is asked for"
    GOAL = "reaches the goal"
    WAYPOINT = "reaches"


@dataclass(frozen=True)
class LineReport:
    """What became of one line.

    >>> d = Derivation("A square", a="real", b="real")
    >>> _ = d.line("(a + b)**2").line("a**2 + b**2")
    >>> str(d.report().lines[1].verdict.status)
    'REFUTED'
    """

    number: int
    text: str  # as typed
    because: str
    verdict: Verdict | None  # None for the line a chain starts with
    credit: bool  # verified, and it says something new
    note: Note = Note.NONE
    waypoint: str = ""  # the one that the line reaches


@dataclass(frozen=True)
class Report:
    """What became of a whole derivation; `score` runs from 0 to 1.

    >>> d = Derivation("A square", a="real", b="real")
    >>> _ = d.line("(a + b)**2").line("a**2 + b**2")
    >>> d.report().complete
    False
    """

    lines: tuple[LineReport, ...]
    missing: tuple[str, ...]  # required way-points (the goal is the last) that no line reached
    goal_reached: bool
    score: float
    complete: bool  # every line holds, every way-point and the goal are reached

    def __str__(self) -> str:
        told = []
        for line in self.lines:
            status = str(line.verdict) if line.verdict else "start"
            note = f" ({f'{line.note} {line.waypoint}'.strip()})" if line.note else ""
            told.append(f"{line.number:3}  {line.text}  {status}{note}")
        told += [f"missing: {text}" for text in self.missing]
        return "\n".join([*told, f"score {self.score:.2f}"])


def split_outside(text: str, pattern: str) -> list[str]:
    """The text cut where the pattern stands outside all brackets; the cut-out is kept between."""
    pieces: list[str] = []
    depth = at = 0
    for found in re.finditer(rf"[(\[{{}})\]]|{pattern}", text):
        if found[0] in "([{":
            depth += 1
        elif found[0] in ")]}":
            depth -= 1
        elif depth == 0:
            pieces += [text[at : found.start()].strip(), found[0]]
            at = found.end()
    return [*pieces, text[at:].strip()]


@dataclass(frozen=True)
class KeptLine:
    """One line as it is kept."""

    text: str  # with its relation, for plain text
    formula: str  # LaTeX
    because: str
    verdict: Verdict | None
    expression: str = ""  # what the next line is compared with
    before: str = ""  # what it was compared with ("" at a start, or for a claim)
    changed: bool = False  # differentiated, substituted: another function than the line before
    asked: tuple[Request, ...] = ()  # what was judged


@dataclass
class Settings:
    """What holds for every line."""

    symbols: dict[str, str]
    given: list[str]
    where: dict[str, str]
    sizes: dict[str, Sequence[int]]
    goal: str | None
    waypoints: list[str] = field(default_factory=list)

    @property
    def names(self) -> frozenset[str]:
        """The declared names."""
        return names_of(self.symbols, self.where)
