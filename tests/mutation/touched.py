"""Which functions of the library each test calls: recorded once, read by `tests.mutation.run`.

    TOUCHED=folder PYTHONPATH=tests/mutation python -m pytest -p touched ...

Needs Python 3.12 or newer: an event is switched off once it was seen, so that recording costs
nothing. `sitecustomize.py` beside this file starts it in kernels and in other children too.
"""

from __future__ import annotations

import atexit
import os
import sys
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

SEEN: set[tuple[str, str, int]] = set()  # test, file, line of the function
ROOT = f"{Path(__file__).resolve().parents[2]}/"
PACKAGES = ("lectures_lib/", "linecheck/")
FOLDER = os.environ.get("TOUCHED", "")


def start() -> None:
    """Note every function of the library that this process and its forks call."""
    monitoring = sys.monitoring
    monitoring.use_tool_id(monitoring.COVERAGE_ID, "touched")
    monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.PY_START, called)
    monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.PY_START)
    atexit.register(write)
    os.register_at_fork(after_in_child=SEEN.clear)
    leave = os._exit

    def write_and_leave(code: int) -> None:
        write()
        leave(code)

    os._exit = write_and_leave  # type: ignore[assignment]  # how a forked child ends


def called(code: CodeType, _offset: int) -> object:
    """A function was entered: note it, and hear of it again in the next test only."""
    file = code.co_filename.removeprefix(ROOT)
    if file.startswith(PACKAGES):
        test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
        SEEN.add((test, file, code.co_firstlineno))
    return sys.monitoring.DISABLE


def write() -> None:
    """Store what this process has seen; one that may not write, as in a sandbox, keeps silent."""
    try:
        with (Path(FOLDER) / f"{os.getpid()}.txt").open("a", encoding="utf-8") as out:
            out.writelines(f"{test}\t{file}\t{line}\n" for test, file, line in SEEN)
    except OSError:
        pass
    SEEN.clear()


def pytest_runtest_logstart() -> None:
    sys.monitoring.restart_events()


def pytest_runtest_logfinish() -> None:
    write()  # a worker that is slow to end is killed


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """How long each test took and how it ended, beside what it called."""
    if report.when == "call" and "PYTEST_XDIST_WORKER" in os.environ:
        with (Path(FOLDER) / f"{os.getpid()}.times").open("a", encoding="utf-8") as out:
            out.write(f"{report.nodeid}\t{report.duration:.3f}\t{report.outcome}\n")
