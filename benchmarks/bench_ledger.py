"""The ledger of errata and the derivations of all chapters, verified on one core.

First by the engine alone, then once more with SymPy as the second judge; then, chapter by chapter,
how many lines are proved for every size, how many at named sizes, and what SymPy says of them.
"""

from __future__ import annotations

import time
from collections import Counter
from functools import cache

from benchmarks._table import Measured, Row
from lectures_lib.chapters import CHAPTERS
from lectures_lib.commands.derivations import derivations
from lectures_lib.errata import LEDGER, check_erratum
from linecheck import Derivation
from linecheck.judge.verdicts import Status
from tests import lines_table

LIMIT = 60.0  # seconds, for both together
WITH_SYMPY = 120.0


@cache
def _derived() -> tuple[float, dict[str, tuple[Derivation, ...]]]:
    """Seconds, and the derivations of every chapter."""
    start = time.perf_counter()
    made = {chapter.slug: tuple(derivations(chapter.slug)) for chapter in CHAPTERS[1:]}
    return time.perf_counter() - start, made


@cache
def _opinions() -> tuple[float, tuple[lines_table.Row, ...]]:
    """Seconds, and every line with SymPy's opinion of it."""
    start = time.perf_counter()
    found = [
        row
        for slug, made in _derived()[1].items()
        for derivation in made
        for row in lines_table.rows_of(slug, derivation)
    ]
    return time.perf_counter() - start, tuple(found)


def _ledger() -> tuple[float, str]:
    start = time.perf_counter()
    names = [entry.id for entry in LEDGER if not entry.text_only]
    failed = [name for name in names if not check_erratum(name).passed]
    if failed:
        raise AssertionError(f"errata whose check fails: {failed}")
    return time.perf_counter() - start, f"{len(names)} errata, each printed form refuted"


def _chapters() -> tuple[float, str]:
    seconds, made = _derived()
    verdicts = [
        line.verdict
        for chapter in made.values()
        for derivation in chapter
        for line in derivation.lines
        if line.verdict is not None
    ]
    wrong = [str(found) for found in verdicts if found.status not in (Status.PROVED, Status.AGREES)]
    if wrong:
        raise AssertionError(f"lines that do not hold: {wrong}")
    proved = sum(found.status is Status.PROVED for found in verdicts)
    return seconds, f"{len(verdicts)} lines, {proved} of them proved"


def _both() -> list[Measured]:
    """First start included: the worker is started in this time."""
    ledger, first = _ledger()
    chapters, second = _chapters()
    asked, rows = _opinions()
    total = Counter(row.sympy for row in rows)
    sympy = ", ".join(f"{count} {answer}" for answer, count in total.most_common())
    return [
        Measured(ledger, LIMIT, note=first),
        Measured(chapters, LIMIT, note=second),
        Measured(ledger + chapters, LIMIT, note="both together"),
        Measured(ledger + chapters + asked, WITH_SYMPY, note=f"and SymPy: {sympy}"),
    ]


def by_chapter() -> list[Measured]:
    """Lines of a chapter that SymPy did not confirm, beside all of them; and why not."""
    told = lines_table.by_chapter(_opinions()[1])
    if any(counted.contradicted for counted in told.values()):
        raise AssertionError("SymPy contradicts a line")
    return [
        Measured(counted.open, counted.lines, "lines", note=f"{slug}: {counted}")
        for slug, counted in told.items()
    ]


ROWS: list[Row] = [
    Row("the whole ledger, all derivations, one core", _both),
    Row("lines that SymPy leaves open", by_chapter),
]
