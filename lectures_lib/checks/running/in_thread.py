"""Calls a student's function: with copies of the arguments, under a time limit, in a thread.

This is the way where a process cannot be forked (see `child`, the better way). When the time is
up, an exception is raised inside the thread, which works on every system but only between two steps
of Python. A single call into compiled code cannot be stopped from outside: a thread that releases
the interpreter is left alone, and the reply says so; one that holds it stops the notebook as well.
"""

from __future__ import annotations

import ctypes
import functools
import inspect
import linecache
import os
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from traceback import StackSummary, walk_tb
from types import FrameType, TracebackType
from typing import Any, Literal

from lectures_lib.checks.running.guards import Collected, EndsProcess, ReadsInput, guards
from lectures_lib.checks.running.plain_data import Plain, plain, same

SECONDS = 5.0  # for all cases of one function together
PATIENCE = 4  # how many times longer a limit may take while others have the processor
GRACE = 1.0  # from the exception to the end of the thread, before it is given up
STACK_BYTES = 32 * 2**20  # threads have small stacks on some systems; deep recursion must not crash
SHOWN_LINES = 4

Status = Literal[
    "returned", "raised", "input", "exit", "stopped", "slow", "crashed", "stubborn", "given up",
    "not called",
]  # fmt: skip


class TimeIsUp(BaseException):
    """Raised inside the student's function when its time is over, again and again until it ends.

    It is made in that thread, at the place where the function was. If it comes a second time, the
    first was caught there, by a bare `except:` say. Then one more is raised some lines later, and
    each time a line later than before: sooner or later a line outside the `try` is struck.
    """

    def __init__(self) -> None:
        super().__init__()
        worker = threading.current_thread()
        if isinstance(worker, _Worker):
            worker.arrived += 1
            if worker.arrived > 1:
                _raise_after(worker.arrived - 1, sys._getframe(1))


class _Later(TimeIsUp):
    def __init__(self) -> None:
        BaseException.__init__(self)


def _raise_after(lines: int, frame: FrameType | None) -> None:
    """In this thread, raise at the given number of lines after the present one."""
    left = lines

    def tracer(*_: object) -> Any:
        nonlocal left
        left -= 1
        if left <= 0:
            raise _Later
        return tracer

    while frame is not None:
        frame.f_trace = tracer
        frame = frame.f_back
    sys.settrace(tracer)


@dataclass(frozen=True)
class Reply:
    """What one call gave, as plain data."""

    status: Status
    value: Plain = None
    message: str = ""  # the exception with its text
    lines: tuple[str, ...] = ()  # the student's own lines of the traceback
    changed: tuple[int, ...] = ()  # positions of the arguments that were changed in place
    printed: str = ""
    printed_length: int = 0
    warnings: tuple[str, ...] = ()


NOT_CALLED = Reply("not called")


def stopwatch() -> Callable[[], float]:
    """How long something has taken since now: processor time, so that a busy machine changes no
    answer; and for what only waits, its share of the time that passes."""

    def now() -> tuple[float, float]:
        times = os.times()
        own, children = times.user + times.system, times.children_user + times.children_system
        return own + children, time.monotonic()

    busy, passed = now()
    return lambda: max(now()[0] - busy, (now()[1] - passed) / PATIENCE)


def call_in_thread(
    function: Callable[..., Any], calls: Sequence[tuple[Plain, ...]], seconds: float = SECONDS
) -> list[Reply]:
    """One reply per call; once the time is up, the calls that are left are not made."""
    worker = _Worker(function, calls, f"{seconds:g}")
    with _stack_size(STACK_BYTES):
        worker.start()
    assert worker.ident is not None
    try:
        with guards(worker.ident) as worker.collected:
            worker.go.set()
            if not _wait(worker.done, seconds):
                worker.stop()
    except KeyboardInterrupt:
        worker.stop()
        raise
    return worker.all_replies()


class _Worker(threading.Thread):
    def __init__(
        self, function: Callable[..., Any], calls: Sequence[tuple[Plain, ...]], limit: str
    ) -> None:
        super().__init__(daemon=True, name="student")
        self.limit = limit  # in seconds, for the message
        self.function, self.calls = function, calls
        self.replies: list[Reply] = []
        self.collected = Collected()
        self.go, self.done = threading.Event(), threading.Event()
        self.arrived = 0  # how many exceptions have reached the function
        self.abandoned = False

    def run(self) -> None:
        try:
            self.go.wait()
            for arguments in self.calls:
                self.replies.append(one_reply(self.function, arguments, self.collected))
        except TimeIsUp as time_is_up:
            sys.settrace(None)
            lines = own_lines(time_is_up.__traceback__)[-1:]
            self.replies.append(Reply("stopped", None, self.limit, lines))
        finally:
            self.done.set()

    def stop(self) -> None:
        """Raise TimeIsUp in the thread until it ends, or give it up after a while."""
        for _ in range(20):
            if self.done.is_set():
                return
            ident = ctypes.c_ulong(self.ident or 0)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(TimeIsUp))
            if _wait(self.done, GRACE / 20):
                return
        self.abandoned = True

    def all_replies(self) -> list[Reply]:
        replies = list(self.replies)
        if self.abandoned:
            status: Status = "stubborn" if self.arrived else "given up"
            replies.append(Reply(status, None, self.limit))
        return (replies + [NOT_CALLED] * len(self.calls))[: len(self.calls)]


def _wait(event: threading.Event, seconds: float) -> bool:
    """Wait in short steps, so that a keyboard interrupt comes through on every system."""
    step = 0.05
    for _ in range(max(1, round(seconds / step))):
        if event.wait(step):
            return True
    return event.is_set()


@contextmanager
def _stack_size(size: int) -> Iterator[None]:
    try:
        before = threading.stack_size(size)
    except ValueError:  # the system allows no such size: keep its own
        yield
        return
    try:
        yield
    finally:
        threading.stack_size(before)


def one_reply(
    function: Callable[..., Any], arguments: tuple[Plain, ...], collected: Collected
) -> Reply:
    """One call with copies of the arguments, and everything that is to be said about it."""
    given = [plain(argument) for argument in arguments]
    try:
        result = _call(function, given)
    except TimeIsUp:
        raise
    except BaseException as error:  # whatever a student's function raises is an answer
        result = failed(error)
    pairs = enumerate(zip(arguments, given, strict=True))
    changed = tuple(place for place, (before, after) in pairs if not same(before, after))
    printed, length, warned = collected.take()
    return replace(result, changed=changed, printed=printed, printed_length=length, warnings=warned)


def _call(function: Callable[..., Any], given: list[Plain]) -> Reply:
    value = function(*given)
    try:
        return Reply("returned", plain(value))
    except Exception as error:
        kind = type(value).__name__
        trouble = failed(error)
        message = f"what it returned (type {kind}) cannot be read: {trouble.message}"
        return Reply("raised", None, message, trouble.lines)


def failed(error: BaseException) -> Reply:
    lines = own_lines(error.__traceback__)
    if isinstance(error, ReadsInput):
        return Reply("input", lines=lines)
    if isinstance(error, EndsProcess):
        return Reply("exit", None, str(error), lines)
    if isinstance(error, SystemExit):
        return Reply("exit", None, "sys.exit() or exit()", lines)
    try:
        text = str(error)
    except Exception:
        text = "(its message cannot be read)"
    first = text.strip().splitlines()[0][:300] if text.strip() else ""
    return Reply("raised", None, type(error).__name__ + (f": {first}" if first else ""), lines)


@functools.cache
def _foreign_folders() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    ours = str(Path(__file__).resolve().parents[2])
    return (ours, paths["stdlib"], paths["platstdlib"], paths["purelib"], paths["platlib"])


def own_lines(trace: TracebackType | None) -> tuple[str, ...]:
    """The lines of a traceback that the student wrote: `line 3, in f: return w + x`."""
    frames = [
        frame for frame in StackSummary.extract(walk_tb(trace)) if is_students(frame.filename)
    ]
    texts = [line_of(frame.filename, frame.lineno or 0, frame.name) for frame in frames]
    if len(texts) <= SHOWN_LINES:
        return tuple(texts)
    hidden = len(texts) - SHOWN_LINES
    return (*texts[:2], f"… {hidden} more lines …", *texts[-2:])


def is_students(filename: str) -> bool:
    """Whether a file is neither ours nor Python's nor of an installed package."""
    # Cells have file names like /tmp/ipykernel_1/2.py, and compiled text has names like <string>.
    return not filename.startswith((*_foreign_folders(), "<frozen", "<__array_function__"))


def line_of(filename: str, number: int, function: str) -> str:
    """One line of a traceback, with its code where that can be read."""
    code = linecache.getline(filename, number).strip()
    return f"line {number}, in {function}" + (f": {code}" if code else "")


def does_not_accept(function: Callable[..., Any], parameters: Sequence[str]) -> str:
    """What is wrong with the function's parameters, or an empty text."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ""
    try:
        signature.bind(*parameters)
    except TypeError as error:
        return f"It takes the parameters {signature}; expected ({', '.join(parameters)}): {error}."
    return ""
