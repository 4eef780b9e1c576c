"""What every exercise has: identity, title, minutes, parts, hints; and the slips of its parts.

The guide for authors stands in `lectures_lib.checks.author`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from lectures_lib.chapters import chapter
from lectures_lib.checks.running.in_thread import Reply
from lectures_lib.checks.running.plain_data import Plain
from lectures_lib.checks.telling.outcomes import CaseOutcome, PartOutcome, Verdict
from lectures_lib.checks.writing.edits import Way

# Makes calls under the time limit; a grader makes them in another process.
Runner: TypeAlias = Callable[[Callable[..., Any], Sequence[tuple[Plain, ...]]], Sequence[Reply]]


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
        return f"chapter {chapter(self.slug).number:02d}, “{self.heading}”"


@dataclass(frozen=True)
class Slip:
    """A wrong answer that is often given, with the message for whoever gives it.

    Each of its `ways` is edits that are made together on the reference (on a way-point, in a
    derivation), or a function. Data are recognised by `recognise`, which sees what was read.
    """

    name: str
    message: str
    ways: tuple[Way, ...] = ()
    recognise: Callable[..., bool] | None = None
    erratum: str = ""  # where the lecture notes make the same slip
    section: str = ""  # a heading, otherwise the exercise's own


class Part:
    """One answer of an exercise, or several that belong together, and how they are judged.

    It has a field `name`, the student's function or variable, or a field `names`.
    """

    slips: tuple[Slip, ...] = ()

    @cached_property
    def name(self) -> str:
        return ", ".join(self.names)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    @property
    def credits(self) -> tuple[tuple[str, float], ...]:
        """What is judged by itself, by name, with its points."""
        raise NotImplementedError

    @cached_property
    def points(self) -> float:
        return float(sum(points for _, points in self.credits))

    def judge(self, answers: tuple[object, ...], run: Runner) -> PartOutcome:
        """The verdict; nothing of the student's is called except through `run`."""
        raise NotImplementedError

    def every(self, verdict: Verdict, complaint: str = "", **shown: Any) -> PartOutcome:
        cases = (
            CaseOutcome(name, verdict, points, complaint=complaint, **shown)
            for name, points in self.credits
        )
        return PartOutcome(self.name, tuple(cases))


@dataclass(frozen=True)
class Exercise:
    """One exercise. `id` is its identity for ever; `version` grows when its task changes.

    Without points it is a try: a question or a small piece of code inside a chapter.
    """

    id: str
    title: str
    minutes: int
    section: str  # the heading in the chapter that it belongs to
    parts: tuple[Part, ...]
    hints: tuple[str, ...]  # three; a question has none
    remark: str = ""  # shown with the right answer: what to take away
    question: str = ""  # of a try that asks one
    example: str = ""  # how an answer to the question is typed
    another: str = ""  # a right answer as code, for `solution`: another way, or a construction
    version: int = 1

    @property
    def slug(self) -> str:
        return self.id.partition(".")[0]

    @property
    def points(self) -> float:
        return float(sum(part.points for part in self.parts))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for part in self.parts for name in part.names)

    @property
    def hint_names(self) -> tuple[str, ...]:
        last = "a line of code" if "`" in "".join(self.hints[2:]) else "the last step"
        return ("the idea", "the formula", last)[: len(self.hints)]

    @property
    def slips(self) -> tuple[Slip, ...]:
        return tuple(slip for part in self.parts for slip in part.slips)

    def place(self, slip: Slip | None = None) -> Section:
        """Where to read about the exercise, or about one of its slips."""
        return Section(self.slug, (slip and slip.section) or self.section)
