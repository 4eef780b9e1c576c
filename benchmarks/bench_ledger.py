"""The ledger of errata and the derivations of all chapters, verified on one core."""

from __future__ import annotations

import time

from benchmarks._table import Measured, Row
from lectures_lib.chapters import CHAPTERS, derivations
from lectures_lib.errata import LEDGER, check_erratum
from lectures_lib.proofs import Status

LIMIT = 60.0  # seconds, for both together


def _ledger() -> tuple[float, str]:
    start = time.perf_counter()
    names = [entry.id for entry in LEDGER if not entry.text_only]
    failed = [name for name in names if not check_erratum(name).passed]
    if failed:
        raise AssertionError(f"errata whose check fails: {failed}")
    return time.perf_counter() - start, f"{len(names)} errata, each printed form refuted"


def _chapters() -> tuple[float, str]:
    start = time.perf_counter()
    verdicts = [
        line.verdict
        for chapter in CHAPTERS[1:]
        for derivation in derivations(chapter.slug)
        for line in derivation.report().lines
        if line.verdict is not None
    ]
    wrong = [str(found) for found in verdicts if not found.holds]
    if wrong:
        raise AssertionError(f"lines that do not hold: {wrong}")
    proved = sum(found.status is Status.PROVED for found in verdicts)
    return time.perf_counter() - start, f"{len(verdicts)} lines, {proved} of them proved"


def _both() -> list[Measured]:
    """First start included: SymPy is loaded and the worker started in this time."""
    ledger, first = _ledger()
    chapters, second = _chapters()
    return [
        Measured(ledger, LIMIT, note=first),
        Measured(chapters, LIMIT, note=second),
        Measured(ledger + chapters, LIMIT, note="both together"),
    ]


ROWS: list[Row] = [Row("the whole ledger, all derivations, one core", _both)]
