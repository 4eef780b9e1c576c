"""The judge's side of the fork server: one worker at a time, each for one run of a submission."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Sequence
from contextlib import suppress

from lectures_lib.grading.walls.messages import Link
from lectures_lib.grading.walls.sandbox import CPU_SECONDS, library
from lectures_lib.grading.walls.server import STATUS
from linecheck.process import let_end, started

START_SECONDS = 120.0  # a first import on a busy machine


class ServerError(RuntimeError):
    """The fork server does not do its part: an error of the grader, never of a student."""


class Workers:
    """A fork server that was started once, and its present worker."""

    def __init__(
        self, rung: str, modules: Sequence[str] = (), cpu_seconds: int = CPU_SECONDS
    ) -> None:
        self.rung = rung
        self.control, theirs = socket.socketpair()
        self.control.settimeout(START_SECONDS)
        self.process = started(
            *("-s", "-B", "-m", "lectures_lib.grading.walls.server"),
            *(str(theirs.fileno()), rung, str(cpu_seconds), *modules),
            environment=_environment(),
            pass_fds=(theirs.fileno(),),
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        theirs.close()
        if self._said(1) != b"R":
            raise ServerError(self._reason())

    def _said(self, length: int) -> bytes:
        try:
            return self.control.recv(length)
        except OSError as error:
            raise ServerError(f"the fork server does not answer: {error}") from None

    def _reason(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
            assert self.process.stderr is not None
            lines = self.process.stderr.read().decode("utf-8", "replace").strip().splitlines()
            return f"the fork server did not start: {lines[-1] if lines else 'no reason given'}"
        return "the fork server did not start"

    def start(self) -> Link:
        """A line to a fresh worker."""
        ours, theirs = socket.socketpair()
        try:
            socket.send_fds(self.control, [b"F"], [theirs.fileno()])
        except OSError as error:
            raise ServerError(f"the fork server is gone: {error}") from None
        finally:
            theirs.close()
        if self._said(1) != b".":
            raise ServerError("the fork server could not start a worker")
        return Link(ours)

    def end(self) -> int:
        """End the worker; the signal that had ended it before, 77 for memory, or 0."""
        try:
            self.control.sendall(b"K")
        except OSError as error:
            raise ServerError(f"the fork server is gone: {error}") from None
        answer = self._said(STATUS.size)
        if len(answer) < STATUS.size:
            raise ServerError("the fork server is gone")
        return int(STATUS.unpack(answer)[0])

    def close(self) -> None:
        """Hang up; the server ends, and everything in it."""
        self.control.close()
        let_end(self.process, 5)


def _environment() -> dict[str, str]:
    """Nothing of the teacher's: a student's code can read all of it."""
    kept = {"PYTHONPATH": str(library().parent), "LANG": "C.UTF-8", "PATH": os.defpath}
    return {**kept, "PYTHONBREAKPOINT": "0", "PYTHONUTF8": "1", "MPLBACKEND": "Agg"}
