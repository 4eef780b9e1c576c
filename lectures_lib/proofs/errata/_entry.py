"""What one line of the ledger holds, and how its check works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

SEVERITIES = {
    "wrong": "the printed formula, sign, name or statement is false",
    "inconsistent": "it contradicts another place of the notes",
    "misleading": "true in part, or the reader will draw a false conclusion",
    "typo": "a slip that the context repairs",
}
ACROSS = "across"  # the `note` of an entry that concerns several notes


@dataclass(frozen=True)
class Erratum:
    """One mistake in the lecture notes. `printed`, `corrected`, `why` are Markdown with $…$."""

    id: str
    note: str
    place: str
    severity: str
    chapter: str
    printed: str
    corrected: str
    why: str
    items: tuple[str, ...] = ()  # ids of the concordance that it concerns
    text_only: bool = False  # a slip of naming or layout: nothing to compute


@dataclass(frozen=True)
class Finding:
    """What a judge found about one form: whether it holds, and the numbers that show it."""

    holds: bool
    evidence: str


Form = TypeVar("Form")


@dataclass(frozen=True)
class Check(Generic[Form]):
    """The printed and the corrected form, and one judge that is asked about both of them.

    A form is whatever the judge understands: a formula as text, a function, a number, a rule.
    Because the same judge must refuse the first and accept the second, it cannot be a judge that
    always says yes, or always no.
    """

    printed: Form
    corrected: Form
    judge: Callable[[Form], Finding]

    def swapped(self) -> Check[Form]:
        """The same check with its two forms exchanged; a sound check then fails on both sides."""
        return Check(self.corrected, self.printed, self.judge)

    def run(self) -> Result:
        """Ask the judge about both forms."""
        printed, corrected = self.judge(self.printed), self.judge(self.corrected)
        return Result(
            not printed.holds,
            corrected.holds,
            f"Printed: {printed.evidence} Corrected: {corrected.evidence}",
        )


@dataclass(frozen=True)
class Result:
    """How a check ended, with a sentence of evidence for each of the two forms."""

    printed_fails: bool
    corrected_holds: bool
    evidence: str = field(repr=False)

    @property
    def passed(self) -> bool:
        """Whether the printed form fails and the corrected one holds."""
        return self.printed_fails and self.corrected_holds
