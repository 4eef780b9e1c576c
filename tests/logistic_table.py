"""Every derivation line of the logistic chapters: our verdict, SymPy's, and the sizes of both.

.venv/bin/python -m tests.logistic_table              the table, and a summary for each chapter
.venv/bin/python -m tests.logistic_table --summary    the summary alone
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lectures_lib.chapters import chapter, derivations
from lectures_lib.proofs import Derivation

LOGISTIC = ("logistic_model", "likelihood", "logistic_training", "logistic_inference", "softmax")


class Row(NamedTuple):
    """One judged line."""

    slug: str
    title: str  # of the derivation
    number: int
    line: str
    ours: str  # the status: PROVED, AGREES, ...
    our_sizes: str
    sympy: str  # confirmed, contradicted, or why it is open
    its_sizes: str


def rows(slugs: Iterable[str] = LOGISTIC) -> Iterator[Row]:
    """The judged lines of some chapters; a line that starts a chain has no verdict."""
    for slug in slugs:
        for derivation in derivations(slug):
            yield from _rows_of(slug, derivation)


def _rows_of(slug: str, derivation: Derivation) -> Iterator[Row]:
    for line, opinion in zip(derivation.report().lines, derivation.opinions, strict=True):
        if line.verdict is None:
            continue
        confirmed = opinion is not None and opinion.answer == "confirmed"
        said = "not asked" if opinion is None else opinion.why or str(opinion.answer)
        yield Row(
            slug,
            derivation.title,
            line.number,
            line.text,
            str(line.verdict.status),
            line.verdict.sizes,
            "confirmed" if confirmed else said,
            opinion.why if confirmed and opinion is not None else "",
        )


def summary(table: Iterable[Row]) -> list[str]:
    """How many lines of each chapter have which verdict and which opinion."""
    counts: dict[str, Counter[str]] = {}
    for row in table:
        counts.setdefault(row.slug, Counter()).update(
            ["lines", row.ours, f"SymPy: {row.sympy}", *(["for sizes"] * bool(row.our_sizes))]
        )
    counts["all"] = sum(counts.values(), Counter())
    return [
        f"{slug:20}" + ", ".join(f"{kind} {n}" for kind, n in sorted(found.items()))
        for slug, found in counts.items()
    ]


def told(row: Row) -> str:
    """A row of the table as text."""
    number = chapter(row.slug).number
    ours = f"{row.ours} {row.our_sizes}".strip()
    theirs = f"SymPy: {row.sympy} {row.its_sizes}".strip()
    return (
        f"{number:02d}  {row.title[:34]:34} {row.number:2}  {row.line:.60}  |  {ours}  |  {theirs}"
    )


if __name__ == "__main__":
    found = list(rows())
    if "--summary" not in sys.argv:
        print("\n".join(map(told, found)))
    print("\n".join(summary(found)))
