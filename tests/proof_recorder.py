"""The lines of the course as plain steps, written down instead of judged, to look at and mutate."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from typing import Any, Self

import pytest

from lectures_lib.commands.derivations import derivations
from linecheck import Derivation, Verdict, verdict
from linecheck.derivation.typed import type_lines, typed_lines
from linecheck.judge.verdicts import Status
from linecheck.process import Process
from linecheck.second_judge.opinion import Answer, Opinion


@dataclass(frozen=True)
class Step:
    """One step of a derivation, as the arguments of `verdict`."""

    lhs: str
    rhs: str
    symbols: Mapping[str, str]
    relation: str = "=="
    given: tuple[str, ...] = ()
    derivative: str | None = None
    where: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def with_rhs(self, rhs: str) -> Self:
        """The same step with another right side."""
        return replace(self, rhs=rhs)

    def verdict(self) -> Verdict:
        """What the checker says."""
        return verdict(**{one.name: getattr(self, one.name) for one in fields(Step)})

    def __str__(self) -> str:
        by = f"d/d{self.derivative}: " if self.derivative else ""
        given = f"  if {'; '.join(self.given)}" if self.given else ""
        return f"{by}{self.lhs} {self.relation} {self.rhs}{given}"


def as_python(condition: str) -> str:
    """`a = b` as `a == b`."""
    return re.sub(r"(?<![<>=!:])=(?!=)", "==", condition)


def opinion_on(step: Step) -> Opinion:
    """What SymPy says of a step, as a derivation that claims it shows it."""
    derivation = Derivation("", symbols=step.symbols, where=step.where, sizes=step.sizes)
    derivation.claim(
        step.lhs,
        step.rhs,
        relation=step.relation,
        given=step.given,
        derivative=step.derivative,
    )
    (said,) = derivation.opinions
    return said or Opinion(Answer.OPEN, "it cannot be read")


@cache
def recorded(slug: str) -> tuple[Step, ...]:
    """What the derivations of a chapter ask of the judge, without the lines that start a chain."""
    asked: list[Step] = []
    believed = asdict(Verdict(Status.PROVED))

    def write_down(process: object, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        step = Step(**{one.name: question[one.name] for one in fields(Step)})
        sides = {"lhs": as_python(step.lhs), "rhs": as_python(step.rhs)}
        asked.append(replace(step, **sides, given=tuple(map(as_python, step.given))))
        return believed

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Process, "ask", write_down)
        derivations(slug)
    return tuple(step for step in asked if step.lhs != step.rhs or step.derivative)


def typed(text: str, title: str = "", **settings: Any) -> Derivation:
    """A derivation typed line by line, with its settings beside it."""
    derivation = Derivation(title, **settings)
    type_lines(derivation, typed_lines(enumerate(text.splitlines(), start=1)))
    return derivation


def seen(derivation: Derivation) -> str:
    """What a reader of the page sees before the mouse rests on a word."""
    return re.sub(r"</?abbr[^>]*>", "", derivation._repr_markdown_())
