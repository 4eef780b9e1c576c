"""What other versions of the packages change in the stored outputs, as a table.

A plugin for nbval, loaded by `course.py notebooks --newest` and `--oldest`. The environment has no
development set, so it imports pytest alone.
"""

import importlib.metadata
import re
from itertools import zip_longest

import pytest

WIDTH = 100


@pytest.hookimpl(tryfirst=True)
def pytest_assertrepr_compare(left, right):
    """The first line of an output that is another one now."""
    if not (isinstance(left, str) and isinstance(right, str)):
        return None
    lines = zip_longest(left.splitlines(), right.splitlines(), fillvalue="(nothing)")
    was, now = next((pair for pair in lines if pair[0] != pair[1]), (left, right))
    start = next((k for k, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), 0)
    start = max(0, start - WIDTH // 3)
    return [f"was: {was[start : start + WIDTH]}", f"is:  {now[start : start + WIDTH]}"]


def found(report):
    """What changed in a cell: the outputs that differ, or the error that stopped it."""
    text = re.sub(r"\x1b\[[\d;]*m", "", str(report.longrepr))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    changed = [line for line in lines if line.startswith(("was: ", "is: ", "mismatch "))]
    errors = [line for line in lines if re.match(r"\w+(Error|Exception|Warning)\b", line)]
    return changed or errors[-1:] or lines[1:2]


def pytest_terminal_summary(terminalreporter):
    """A row for each cell that is red, and the versions that made it so."""
    versions = ("numpy", "matplotlib", "sympy", "scikit-learn", "ipywidgets", "anywidget")
    told = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in versions)
    terminalreporter.write_line(f"\nWith {told}:")
    failed = terminalreporter.stats.get("failed", []) + terminalreporter.stats.get("error", [])
    for report in sorted(failed, key=lambda report: report.nodeid):
        terminalreporter.write_line(f"\n{report.nodeid}")
        for line in found(report):
            terminalreporter.write_line(f"    {line}")
    cells = len(terminalreporter.stats.get("passed", []))
    count = f"{len(failed)} cells differ" if failed else "no cell differs"
    terminalreporter.write_line(f"\n{count}, {cells} are as stored.")
