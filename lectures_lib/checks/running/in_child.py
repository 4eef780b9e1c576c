"""Calls a student's function in a process of its own, where that is safe: a fork, on Linux.

Whatever it does there (a call that holds the interpreter, a recursion that ends Python, all memory,
an alarm, builtins deleted) ends with that process; the notebook goes on and says what happened. The
child sends one reply after the other through a pipe. Its limit counts the time of its processor,
so that a busy machine stops no right answer; what only waits is killed when as much time has
passed. A watch in the child, which needs no interpreter, writes down the line it was at.

Elsewhere the thread of `watchdog` is used. Windows cannot fork; on macOS its libraries do not
survive a fork.
"""

from __future__ import annotations

import builtins
import contextlib
import faulthandler
import os
import re
import select
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from lectures_lib.checks.running.guards import guards
from lectures_lib.checks.running.in_thread import (
    NOT_CALLED,
    PATIENCE,
    SECONDS,
    Reply,
    call_in_thread,
    is_students,
    line_of,
    one_reply,
)
from lectures_lib.checks.running.plain_data import Plain
from lectures_lib.checks.running.wire import WireError, pack, reply_as_data, reply_from_data, unpack
from linecheck.process import ended, forked, limit, processor_time

MEMORY = 2**30  # bytes that a function may ask for on top of what the notebook uses
GRACE = 0.3  # for the watch to write down the line
IDLE = 0.02  # of the time that passes: who gets less of the processor is waiting
HEADER = struct.Struct("<q")
FRAME = re.compile(r'^  File "(.+)", line (\d+) in (.+)$', re.MULTILINE)
ESCAPE = re.compile(r"\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\U([0-9a-f]{8})")


def can_fork() -> bool:
    """Whether a child can be made here, and is allowed."""
    return sys.platform == "linux" and os.environ.get("LECTURES_CHECKS") != "thread"


def call_all(
    function: Callable[..., Any], calls: Sequence[tuple[Plain, ...]], seconds: float = SECONDS
) -> list[Reply]:
    """One reply per call; once the time is up, the calls that are left are not made."""
    if can_fork():
        with contextlib.suppress(OSError):  # no process, no pipe to be had
            return _call_in_child(function, calls, seconds)
    return call_in_thread(function, calls, seconds)


def _call_in_child(
    function: Callable[..., Any], calls: Sequence[tuple[Plain, ...]], seconds: float
) -> list[Reply]:
    replies_out, replies_in = os.pipe()
    watch_out, watch_in = os.pipe()
    child = forked(lambda: _be_the_child(function, calls, seconds, replies_in, watch_in))
    os.close(replies_in)
    os.close(watch_in)
    begin = time.monotonic()
    try:
        replies, last, in_time = _read(
            replies_out, len(calls), seconds, lambda: processor_time(child) or 0.0
        )
        code = ended(child, kill=not in_time)
        seen = _all_of(watch_out)
    except BaseException:
        ended(child, kill=True)
        raise
    finally:
        os.close(replies_out)
        os.close(watch_out)
    if len(replies) < len(calls):
        if in_time and code != -signal.SIGPROF:
            replies.append(_ended(code))
        else:
            slow = bool(replies) and time.monotonic() - last < (time.monotonic() - begin) / 2
            kind: Any = "slow" if slow else "stopped"
            replies.append(Reply(kind, None, f"{seconds:g}", _last_line(seen)))
    return (replies + [NOT_CALLED] * len(calls))[: len(calls)]


def _read(
    pipe: int, wanted: int, seconds: float, busy: Callable[[], float]
) -> tuple[list[Reply], float, bool]:
    """The replies, when the last one came, and whether the child ended before the time was up."""
    replies: list[Reply] = []
    begin = last = time.monotonic()
    end = begin + seconds + GRACE
    content = b""
    while len(replies) < wanted:
        now = time.monotonic()
        if now > end:
            waits = busy() < IDLE * (now - begin)
            if waits or now > begin + PATIENCE * seconds + GRACE:
                break
            end = now + seconds / 10
        ready, _, _ = select.select([pipe], [], [], min(max(end - now, 0.01), 0.5))
        if not ready:
            continue
        piece = os.read(pipe, 1 << 16)
        if not piece:
            return replies, last, True
        content += piece
        while len(content) >= (size := _size(content)):
            replies.append(_reply_in(content[HEADER.size : size]))
            content, last = content[size:], now
    return replies, last, False


def _size(content: bytes) -> int:
    """The bytes of the message that begins here, as far as that can be told."""
    known = len(content) >= HEADER.size
    return HEADER.size + (max(HEADER.unpack_from(content)[0], 0) if known else 0)


def _reply_in(piece: bytes) -> Reply:
    try:
        return reply_from_data(unpack(piece))
    except WireError as error:  # the function found the pipe and wrote into it
        return Reply("raised", None, f"what it sent cannot be read ({error})")


def _be_the_child(
    function: Callable[..., Any],
    calls: Sequence[tuple[Plain, ...]],
    seconds: float,
    replies_in: int,
    watch_in: int,
) -> None:

    def send(reply: Reply) -> None:
        content = pack(reply_as_data(reply))
        content = HEADER.pack(len(content)) + content
        while content:
            content = content[os.write(replies_in, content) :]

    try:
        _alone(seconds, watch_in)
        with guards(threading.get_ident()) as collected:
            kept = dict(vars(builtins))

            def called(*arguments: Any) -> Any:
                try:
                    return function(*arguments)
                finally:  # `del builtins.len` ends with the call that did it
                    vars(builtins).update(kept)

            for arguments in calls:
                send(one_reply(called, arguments, collected))
    except BaseException as error:  # what broke the watch itself
        with contextlib.suppress(BaseException):
            send(Reply("raised", None, f"{type(error).__name__}: {error}"[:300]))


def _alone(seconds: float, watch_in: int) -> None:
    """Cut what joins the child to the notebook, and set its limits."""
    os.setpgid(0, 0)  # a signal for the notebook is none for the child, and its own children end
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    with contextlib.suppress(ValueError, OSError):  # a sandbox can hide /proc; it has limits
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            used = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        limit({"AS": used + MEMORY})
    limit({"CORE": 0, "CPU": int(seconds) + 2})  # should the notebook die first
    faulthandler.dump_traceback_later(seconds, file=watch_in)  # where it waits
    faulthandler.register(signal.SIGPROF, file=watch_in, chain=True)  # where it works, and ends
    signal.setitimer(signal.ITIMER_PROF, seconds)


def _all_of(pipe: int) -> str:
    os.set_blocking(pipe, False)
    pieces = []
    with contextlib.suppress(BlockingIOError):
        while piece := os.read(pipe, 1 << 16):
            pieces.append(piece)
    return b"".join(pieces).decode("utf-8", "replace")


def _last_line(seen: str) -> tuple[str, ...]:
    """The student's line in the innermost frame that the watch saw."""
    for written, number, function in FRAME.findall(seen):
        filename = _unescaped(written)
        if is_students(filename):
            return (line_of(filename, int(number), _unescaped(function)),)
    return ()


def _unescaped(text: str) -> str:
    """What the watch meant: it writes `ó` as `\\xf3`, and no file has that name."""
    return ESCAPE.sub(lambda found: chr(int(found[1] or found[2] or found[3], 16)), text)


def _ended(code: int) -> Reply:
    """What to say of a child that ended before its time."""
    if code >= 0:
        return Reply("exit", None, "os._exit() or the like")
    if code == -signal.SIGALRM:
        return Reply("crashed", None, "by an alarm that it has set itself")
    if code == -signal.SIGKILL:
        return Reply("crashed", None, "by the system, which does so when memory runs out")
    name = signal.Signals(-code).name
    return Reply("crashed", None, f"by {name}, as a recursion without end can do")
