"""What an author writes about an exercise: its cases, its hints and the slips worth a message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lectures_lib.chapters import chapter
from lectures_lib.checks.outcomes import PartOutcome
from lectures_lib.checks.plain import Plain
from lectures_lib.checks.watchdog import Reply


@dataclass(frozen=True)
class Section:
    """A place in a chapter's notebook, by its heading."""

    slug: str
    heading: str

    @property
    def link(self) -> str:
        """Address as seen from a notebook in `exercises/`."""
        return f"../notebooks/{chapter(self.slug).stem}.ipynb#{self.heading.replace(' ', '-')}"

    @property
    def words(self) -> str:
        """Chapter and heading in words."""
        return f"chapter {chapter(self.slug).number:02d}, “{self.heading}”"


@dataclass(frozen=True)
class Slip:
    """A wrong answer that is often given, with the message for whoever gives it.

    `wrong` is the function with the slip in it; in a derivation it returns the wrong line, as text.
    Data are recognised by `recognise`, which sees what was read from the answer.
    """

    name: str
    message: str
    wrong: Callable[..., Any] | None = None
    recognise: Callable[..., bool] | None = None
    erratum: str = ""  # where the lecture notes make the same slip
    section: Section | None = None  # otherwise the exercise's own


class Part(Protocol):
    """One answer of an exercise: what is called with it, and how the replies are judged."""

    @property
    def name(self) -> str:
        """The name of the student's function or variable."""

    @property
    def points(self) -> float:
        """Points of all cases together."""

    @property
    def answers(self) -> int:
        """How many of the answers given to `check` belong to this part."""

    def prepare(self, answers: tuple[object, ...]) -> Callable[..., object] | PartOutcome:
        """What is to be called, or an outcome at once when there is nothing to call."""

    def calls(self) -> Sequence[tuple[Plain, ...]]:
        """The arguments of every call."""

    def judge(self, replies: Sequence[Reply]) -> PartOutcome:
        """The verdict on the replies, from their data alone."""


@dataclass(frozen=True)
class Exercise:
    """One exercise. `id` is its identity for ever; `version` grows when its task changes."""

    id: str
    title: str
    parts: tuple[Part, ...]
    hints: tuple[str, str, str]  # the idea, the formula, a line of code
    section: Section
    minutes: int
    version: int = 1
    remark: str = ""  # shown with the right answer: what to take away

    @property
    def slug(self) -> str:
        """The chapter it belongs to."""
        return self.id.partition(".")[0]

    @property
    def points(self) -> float:
        """Points of all parts together."""
        return float(sum(part.points for part in self.parts))

    @property
    def names(self) -> tuple[str, ...]:
        """What `check` is called with, after the id."""
        return tuple(part.name for part in self.parts)
