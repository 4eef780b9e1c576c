"""What one line of the ledger holds, and how its check works."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from lectures_lib.errata.plain import plain
from linecheck.language.latex import wrapped

SEVERITIES = {
    "wrong": "the printed formula, sign, name or statement is false",
    "inconsistent": "it contradicts another place of the notes",
    "misleading": "true in part, or the reader will draw a false conclusion",
    "typo": "a slip that the context repairs",
}
WIDTH = 96  # of a line of plain text
ACROSS = "across"  # the `note` of an entry that concerns several notes


@dataclass(frozen=True, repr=False)
class Erratum:
    """One mistake in the lecture notes. `printed`, `corrected`, `why` are Markdown with formulas.

    >>> erratum("E4-02").where
    'note 004, 2.1'
    """

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

    @property
    def where(self) -> str:
        """Note and place, as in `note 004, (31)`."""
        return self.place if self.note == ACROSS else f"note {self.note}, {self.place}"

    def __repr__(self) -> str:
        lines = (
            f"{self.id}  {self.severity}: {plain(self.where)}",
            *_labelled("printed", plain(self.printed)),
            *_labelled("right", plain(self.corrected)),
            *_labelled("why", plain(self.why)),
        )
        return "\n".join(lines)

    def _repr_markdown_(self) -> str:
        text = (
            f"**{self.id}** ({self.severity}; {self.where})\n\n"
            f"- The notes say: {self.printed}\n- Right is: {self.corrected}\n- Why: {self.why}"
        )
        return re.sub(r"\$([^$]+)\$", lambda found: wrapped(found[1]), text)


def _labelled(label: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=f"       {label + ':':9}",
        subsequent_indent=" " * 16,
        break_long_words=False,
    )


@dataclass(frozen=True)
class Finding:
    """What a judge found about one form: whether it holds, and the numbers that show it.

    >>> Finding(False, "0 is not 1").holds
    False
    """

    holds: bool
    evidence: str


Form = TypeVar("Form")


@dataclass(frozen=True)
class Check(Generic[Form]):
    """The printed and the corrected form, and one judge that is asked about both of them.

    A form is whatever the judge understands: a formula as text, a function, a number, a rule.
    Because the same judge must refuse the first and accept the second, it cannot be a judge that
    always says yes, or always no.

    >>> def judge(value):
    ...     return Finding(value == 4, f"2 + 2 is 4, the form says {value}")
    >>> Check(printed=5, corrected=4, judge=judge).run().passed
    True
    """

    printed: Form
    corrected: Form
    judge: Callable[[Form], Finding]

    def run(self) -> Result:
        """Ask the judge about both forms."""
        return Result(self.judge(self.printed), self.judge(self.corrected))


@dataclass(frozen=True, repr=False)
class Result:
    """How a check ended: what the judge found about each of the two forms.

    >>> check_erratum("E0-02").passed
    True
    """

    printed: Finding
    corrected: Finding

    @property
    def printed_fails(self) -> bool:
        """Whether the judge refused the printed form."""
        return not self.printed.holds

    @property
    def corrected_holds(self) -> bool:
        """Whether the judge accepted the corrected form."""
        return bool(self.corrected.holds)  # a comparison of NumPy numbers gives NumPy's own bool

    @property
    def passed(self) -> bool:
        """Whether the printed form fails and the corrected one holds."""
        return self.printed_fails and self.corrected_holds

    @property
    def evidence(self) -> str:
        """Both findings in one line."""
        return f"Printed: {self.printed.evidence} Corrected: {self.corrected.evidence}"

    def __repr__(self) -> str:
        words = {True: "holds", False: "fails"}
        return (
            f"The printed form {words[not self.printed_fails]}: {self.printed.evidence}\n"
            f"The corrected form {words[self.corrected_holds]}: {self.corrected.evidence}"
        )
