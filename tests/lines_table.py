"""Every line of the course's derivations: our verdict, SymPy's, and the sizes of both.

.venv/bin/python -m tests.lines_table                      every line of every chapter
.venv/bin/python -m tests.lines_table --summary            how many of which kind, by chapter
.venv/bin/python -m tests.lines_table softmax likelihood   of these chapters only
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from typing import NamedTuple

from lectures_lib.chapters import CHAPTERS, chapter
from lectures_lib.commands.derivations import derivations
from linecheck import Derivation
from linecheck.second_judge.opinion import Answer, Opinion

SLUGS = tuple(one.slug for one in CHAPTERS[1:])
LOGISTIC = ("logistic_model", "likelihood", "logistic_training", "logistic_inference", "softmax")


class Row(NamedTuple):
    """One judged line."""

    slug: str
    title: str  # of the derivation
    number: int
    line: str
    ours: str  # the status: PROVED, AGREES, ...
    our_sizes: str
    sympy: Answer
    why: str  # of a confirmation: its sizes


def rows(slugs: Iterable[str] = SLUGS) -> Iterator[Row]:
    """The judged lines of some chapters."""
    for slug in slugs:
        for derivation in derivations(slug):
            yield from rows_of(slug, derivation)


def rows_of(slug: str, derivation: Derivation) -> Iterator[Row]:
    """The judged lines of a derivation; one that starts a chain has no verdict."""
    judged = zip(derivation.lines, derivation.opinions, strict=True)
    for number, (line, opinion) in enumerate(judged, start=1):
        if line.verdict is not None:
            said = opinion or Opinion(Answer.OPEN, "not asked")  # an INVALID line
            ours = (str(line.verdict.status), line.verdict.sizes)
            yield Row(slug, derivation.title, number, line.text, *ours, *astuple(said))


class Counted(NamedTuple):
    """How many lines there are of which kind."""

    lines: int
    proved: int
    named_sizes: int
    confirmed: int
    open: int
    contradicted: int
    why_open: str

    def __str__(self) -> str:
        return (
            f"{self.lines} lines, {self.proved} proved ({self.named_sizes} at named sizes);"
            f" {self.confirmed} confirmed; open: {self.why_open or 'none'}"
        )


def counted(found: Sequence[Row]) -> Counted:
    """The lines by kind."""
    proved = [row for row in found if row.ours == "PROVED"]
    answers = Counter(row.sympy for row in found)
    why = Counter(row.why for row in found if row.sympy is Answer.OPEN)
    return Counted(
        len(found),
        len(proved),
        sum(bool(row.our_sizes) for row in proved),
        answers[Answer.CONFIRMED],
        answers[Answer.OPEN],
        answers[Answer.CONTRADICTED],
        ", ".join(f"{reason} ({count})" for reason, count in why.most_common()),
    )


def by_chapter(table: Sequence[Row]) -> dict[str, Counted]:
    """The same for each chapter, and for all of them."""
    chapters = {row.slug: counted([one for one in table if one.slug == row.slug]) for row in table}
    return {**chapters, "all": counted(table)}


def summary(table: Sequence[Row]) -> list[str]:
    """The counts of each chapter as a table in Markdown."""
    head = ("chapter", *(name.replace("_", " ") for name in Counted._fields))
    lines = [head, ("---", *["---:"] * (len(head) - 2), "---")]
    lines += [(slug, *map(str, found)) for slug, found in by_chapter(table).items()]
    return [f"| {' | '.join(line)} |" for line in lines]


def told(row: Row) -> str:
    """A row of the table as text."""
    number = chapter(row.slug).number
    ours = f"{row.ours} {row.our_sizes}".strip()
    theirs = f"SymPy: {row.sympy} {row.why}".strip()
    return (
        f"{number:02d}  {row.title[:34]:34} {row.number:2}  {row.line:.60}  |  {ours}  |  {theirs}"
    )


if __name__ == "__main__":
    found = list(rows([name for name in sys.argv[1:] if name != "--summary"] or SLUGS))
    if "--summary" not in sys.argv:
        print("\n".join(map(told, found)))
    print("\n".join(summary(found)))
