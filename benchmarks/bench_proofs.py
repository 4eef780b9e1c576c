"""How long a verdict takes, over the published truth table and for hostile lines."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from statistics import median

from benchmarks._table import Measured, Row
from linecheck import verdict
from tests.test_linecheck_hostile import HOSTILE, SYMBOLS
from tests.truth_table import Step, steps

MEDIAN, P95, LONGEST = 10.0, 200.0, 2000.0  # milliseconds


@cache
def table() -> tuple[tuple[float, ...], str]:
    """Milliseconds of every step of the table, shortest first, and the shares of verdicts."""
    rows = list(steps())
    verdict("0", "0")  # the process is started before the clock
    times: list[float] = []
    wrong = proved = undecided = 0
    for step in rows:
        milliseconds, status = timed(step)
        times.append(milliseconds)
        proved += step.true and status == "PROVED"
        undecided += status == "UNDECIDED"
        against = status in ("REFUTED", "DOMAIN", "INVALID")
        wrong += against if step.true else status in ("PROVED", "AGREES")
    if wrong:
        raise AssertionError(f"{wrong} steps of the truth table got the wrong verdict")
    true = sum(step.true for step in rows)
    note = (
        f"{true} true steps, {proved / true:.1%} PROVED; {len(rows) - true} false steps;"
        f" none wrong; {undecided / len(rows):.1%} UNDECIDED"
    )
    return tuple(sorted(times)), note


def timed(step: Step) -> tuple[float, str]:
    """Milliseconds and status of one step."""
    begin = time.perf_counter()
    found = step.verdict()
    return 1000 * (time.perf_counter() - begin), str(found.status)


def over_the_table() -> Iterator[Measured]:
    """Median, 95th percentile and maximum."""
    times, note = table()
    yield Measured(median(times), MEDIAN, "ms", note=f"median of {len(times)}; {note}")
    yield Measured(times[int(0.95 * len(times))], P95, "ms", note="95th percentile")
    yield Measured(times[-1], LONGEST, "ms", note="maximum")


def hostile() -> Measured:
    """The slowest of the hostile lines."""
    slowest, which = 0.0, ""
    for name, line in HOSTILE.items():
        begin = time.perf_counter()
        if verdict(line, "0", SYMBOLS).holds:
            raise AssertionError(f"the hostile line {name!r} was believed")
        milliseconds = 1000 * (time.perf_counter() - begin)
        if milliseconds > slowest:
            slowest, which = milliseconds, name
    return Measured(slowest, LONGEST, "ms", note=f"slowest of {len(HOSTILE)}: {which}")


ROWS = [
    Row("verdict on a step of the truth table", over_the_table),
    Row("verdict on a hostile line", hostile),
]
