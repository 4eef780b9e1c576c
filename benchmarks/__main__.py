"""Print the benchmark table: `python -m benchmarks [TOPIC ...]`, one module bench_TOPIC a topic."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys

import benchmarks
from benchmarks._table import HEADER, Row, print_row


def topics() -> list[str]:
    """Names of the topics that have a benchmark module."""
    names = (module.name for module in pkgutil.iter_modules(benchmarks.__path__))
    return sorted(name.removeprefix("bench_") for name in names if name.startswith("bench_"))


def main(arguments: list[str]) -> int:
    """Print the rows of the topics named, or of all; 1 when a row missed its target."""
    known = topics()
    wanted = arguments or known
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        print(f"No benchmark named {', '.join(unknown)}. There are: {', '.join(known)}.")
        return 2
    threads = os.environ.get("OMP_NUM_THREADS", "all")
    print(f"Python {sys.version.split()[0]}, threads: {threads}, best of five unless stated")
    print(HEADER)
    missed = 0
    for topic in wanted:
        rows: list[Row] = importlib.import_module(f"benchmarks.bench_{topic}").ROWS
        for row in rows:
            missed += not print_row(row, f"course.py bench {topic}")
    print(f"\n{missed} rows missed their target" if missed else "\nevery row reached its target")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
