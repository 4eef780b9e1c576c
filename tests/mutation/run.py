"""Judge drawn faults by the tests that call the function they are in; stop at the first red.

    python -m tests.mutation.run FOLDER --seed 1 --count 60 [--tests default|all]

FOLDER is what `tests.mutation.touched` has recorded. Faults are put into a copy of the library,
never into this one. The tests of the browser are left out. The rows go into `table.txt`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.mutation.drawn import Fault, drawn

ROOT = Path(__file__).resolve().parents[2]
BATCHES = (25, 250, 100_000)  # the quickest first: most faults fall at once
# What runs in a process of its own, which serves many tests: all tests of its room are asked.
ROOMS = {
    "linecheck/": ("tests/test_linecheck", "tests/test_proof", "tests/test_errata"),
    "lectures_lib/grading/": ("tests/grading/",),
}
LONGEST = 60  # seconds; a test that takes longer is no test of one fault
PATIENCE = 900  # seconds for a batch; a fault that makes the library hang is noticed too


def rows(folder: Path, pattern: str) -> Iterator[list[str]]:
    """The whole lines of three fields; a process that was killed leaves a torn one."""
    for path in folder.glob(pattern):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            if len(fields := line.split("\t")) == 3 and all(fields):
                yield fields


class Recorded:
    """What the tests call, and how long they take."""

    def __init__(self, folder: Path) -> None:
        self.tests: dict[tuple[str, int], set[str]] = defaultdict(set)
        self.seconds: dict[str, float] = defaultdict(float)
        self.red = set()
        for test, seconds, outcome in rows(folder, "*.times"):
            self.seconds[test] += float(seconds)
            self.red |= {test} if outcome == "failed" else set()
        for test, file, number in rows(folder, "*.txt"):
            if test in self.seconds:
                self.tests[file, int(number)].add(test)

    def of(self, fault: Fault) -> list[str]:
        """The tests that call the function of a fault, the quickest first; notebooks whole."""
        room = next((own for name, own in ROOMS.items() if fault.file.startswith(name)), ())
        found = {test for test in self.seconds if room and test.startswith(room)}
        found |= self.tests.get((fault.file, fault.function), set())
        found = {test for test in found if self.seconds[test] < LONGEST} - self.red
        plain = sorted((t for t in found if ".ipynb" not in t), key=self.seconds.__getitem__)
        notebooks = sorted({t.partition("::")[0] for t in found if ".ipynb" in t})
        return [*plain, *notebooks]


def first_red(copy: Path, tests: list[str]) -> str:
    """The first test that fails in a copy of the course, or nothing."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    environment.pop("TOUCHED", None)
    done = 0
    for size in BATCHES:
        batch = tests[done : done + size]
        done += len(batch)
        if not batch:
            break
        listed = copy / "batch.txt"
        listed.write_text("\n".join(batch), encoding="utf-8")
        options = ["-x", "-q", "-p", "no:cacheprovider", "--nbval", "--nbval-current-env"]
        command = [sys.executable, "-m", "pytest", *options, f"@{listed}"]
        try:
            made = subprocess.run(
                command, cwd=copy, env=environment, capture_output=True, text=True, timeout=PATIENCE
            )
        except subprocess.TimeoutExpired:
            return "no answer in time"
        if made.returncode:
            lines = [row for row in made.stdout.splitlines() if row.startswith(("FAILED", "ERROR"))]
            return lines[0].split(" - ")[0] if lines else made.stdout.strip()[-200:] or "no start"
    return ""


def judged(fault: Fault, recorded: Recorded, spare: list[Path]) -> str:
    """A row of the table: the fault, and what caught it."""
    copy = spare.pop()
    path = copy / fault.file
    text = path.read_text(encoding="utf-8")
    try:
        path.write_text(fault.applied(text), encoding="utf-8")
        tests = recorded.of(fault)
        caught = first_red(copy, tests)
    finally:
        path.write_text(text, encoding="utf-8")
        spare.append(copy)
    end = caught or f"SURVIVED {len(tests)} tests"
    row = f"{fault.told(text)}  |  {end}"
    print(row, flush=True)
    return row


def main() -> None:
    """Draw, judge, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--skip", type=int, default=0, help="faults that were judged before")
    parser.add_argument("--library", type=Path, default=ROOT, help="where the faults are drawn")
    options = parser.parse_args()
    faults = drawn(options.library, options.count, options.seed)[options.skip :]
    recorded = Recorded(options.folder)
    with tempfile.TemporaryDirectory() as scratch:
        spare = []
        for number in range(2):
            copy = Path(scratch) / str(number)
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".venv", "_build"))
            spare.append(copy)
        with ThreadPoolExecutor(2) as pool:
            rows = list(pool.map(lambda fault: judged(fault, recorded, spare), faults))
    survived = sum("SURVIVED" in row for row in rows)
    print(f"\n{len(rows)} faults, {len(rows) - survived} caught, {survived} survived")


if __name__ == "__main__":
    main()
