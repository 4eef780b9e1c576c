"""Processes that are started, limited and ended: by what they leave behind."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict

import pytest

from linecheck.expand.request import Request
from linecheck.process import Process, end_tree, ended, forked, limit, processor_time

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs fork and /proc")


def fails() -> None:
    raise RuntimeError


def rests() -> None:
    time.sleep(60)


def opens_many() -> None:
    limit({"NOFILE": 8, "CORE": 0})
    for _ in range(16):
        os.open(os.devnull, os.O_RDONLY)


@linux
@pytest.mark.parametrize(
    ("work", "kill", "code"),
    [
        (lambda: None, False, 0),
        (fails, False, 1),
        (lambda: os._exit(7), False, 7),
        (lambda: os.kill(os.getpid(), signal.SIGTERM), False, -signal.SIGTERM),
        (rests, True, -signal.SIGKILL),
        (opens_many, False, 1),
    ],
    ids=["well", "raises", "leaves", "signal", "killed", "limited"],
)
def test_a_forked_child_tells_how_it_ended(
    work: Callable[[], object], kill: bool, code: int
) -> None:
    assert ended(forked(work), kill=kill) == code


@linux
def test_only_the_time_that_a_process_works_counts() -> None:
    def works() -> None:
        while time.process_time() < 0.2:
            pass
        rests()

    child, idle = forked(works), forked(rests)
    until = time.monotonic() + 60
    while (processor_time(child) or 0.0) < 0.15 and time.monotonic() < until:
        time.sleep(0.02)
    assert (processor_time(child) or 0.0) >= 0.15
    assert (processor_time(idle) or 0.0) < 0.1
    assert ended(child, kill=True) == ended(idle, kill=True) == -signal.SIGKILL
    assert processor_time(child) == 0.0


@linux
def test_what_a_process_has_started_ends_with_it_in_a_session_of_its_own_and_under_any_name() -> (
    None
):
    out, into = os.pipe()

    def starts_another() -> None:
        def hides() -> None:
            os.setsid()
            with open("/proc/self/comm", "wb") as file:  # noqa: PTH123
                file.write(b"\xff) 1 1")
            os.write(into, b"!")
            rests()

        forked(hides)
        rests()

    child = forked(starts_another)
    os.close(into)
    assert os.read(out, 1) == b"!"
    end_tree(child)
    assert ended(child, kill=False) == -signal.SIGKILL
    assert os.read(out, 1) == b""  # the last one that could write is gone
    os.close(out)


def test_a_process_that_was_closed_has_ended_by_itself_and_starts_again_when_asked() -> None:
    judge = Process("linecheck.judge.serve")
    question = asdict(Request("1 + 1", "2"))
    for _ in range(2):
        answer = judge.ask(question)
        assert answer is not None
        assert answer["status"] == "PROVED"
        process = judge.process
        assert process is not None
        judge.close()
        assert process.returncode == 0
    assert judge.process is None
