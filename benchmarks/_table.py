"""The rows of the benchmark table and how they are timed and printed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Measured:
    """What one row found. `other` is a peer's figure, or a limit when `peer` is empty."""

    ours: float
    other: float
    unit: str = "s"
    peer: str = ""
    note: str = ""  # agreement of the results, generator, versions


@dataclass(frozen=True)
class Row:
    """One line of the table: what is measured, and the ratio other / ours that it must reach."""

    what: str
    run: Callable[[], Measured | Iterable[Measured]]
    target: float = 1.0  # ours must be at least `target` times smaller than the other figure


def best_of(times: int, work: Callable[[], object]) -> float:
    """Shortest wall-clock time of `times` runs, in seconds."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def side_by_side(
    times: int, ours: Callable[[], object], other: Callable[[], object]
) -> tuple[float, float]:
    """Shortest times of two pieces of work, taken in turns so that both meet the same machine."""
    best_ours = best_other = float("inf")
    for _ in range(times):
        best_ours = min(best_ours, best_of(1, ours))
        best_other = min(best_other, best_of(1, other))
    return best_ours, best_other


HEADER = f"{'what':58} {'ours':>11} {'peer or limit':>34} {'ratio':>8} {'target':>7}  verdict"


def print_row(row: Row, command: str) -> bool:
    """Run one row, print its lines, and say whether every line reached its target.

    A row that cannot be measured here says why, and the table goes on.
    """
    reached = True
    try:
        results = row.run()
        for found in [results] if isinstance(results, Measured) else results:
            reached &= _print_line(row, found)
    except Exception as error:  # whatever it was, the rows below it have a right to their turn
        print(f"{row.what:58} not measured: {error}", flush=True)
        reached = False
    print(f"{'':58} command: {command}", flush=True)
    return reached


def _print_line(row: Row, found: Measured) -> bool:
    ratio = found.other / found.ours if found.ours else float("inf")
    good = ratio >= row.target
    other = f"{found.other:.4g} {found.unit} ({found.peer or 'limit'})"
    print(
        f"{row.what:58} {found.ours:9.4g} {found.unit:1} {other:>34} {ratio:8.2f}"
        f" {row.target:7.2f}  {'reached' if good else 'MISSED'}  {found.note}",
        flush=True,
    )
    return good
