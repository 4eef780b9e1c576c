"""The process that does the work, so that it can be stopped when a line takes too long.

The parent starts `python -m lectures_lib.proofs._worker` once and keeps it. Both sides speak JSON,
one message per line. What is on its way when the time is up is lost with the process; the best
verdict so far is the answer, and the next question starts a new process.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lectures_lib.proofs._request import Request
from lectures_lib.proofs._verdict import Status, Verdict, Witness

START_SECONDS = 20.0
Message = dict[str, Any]


def to_message(verdict: Verdict) -> Message:
    """A verdict as plain data."""
    return asdict(verdict)


def from_message(message: Message) -> Verdict:
    """The verdict back from plain data."""
    witness = message["witness"]
    if witness is not None:
        point = tuple((str(name), str(value)) for name, value in witness["point"])
        witness = Witness(point, witness["left"], witness["right"])
    return Verdict(
        Status(message["status"]),
        message["reason"],
        witness,
        message["slip"],
        message["points"],
    )


class Worker:
    """The child process as the parent sees it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[str] | None = None
        self.owner = 0
        self.messages: queue.Queue[Message | None] = queue.Queue()
        self.count = 0

    def ask(self, request: Request, seconds: float) -> Verdict | None:
        """The verdict, the best one so far when the time is up, or None without a process."""
        begin = time.monotonic()
        with self.lock:
            if not self.running() and not self.start():
                return None
            # a slow start must not leave the question without any time
            deadline = max(begin + seconds, time.monotonic() + seconds / 2)
            self.count += 1
            try:
                assert self.process is not None
                assert self.process.stdin is not None
                self.process.stdin.write(json.dumps([self.count, asdict(request)]) + "\n")
                self.process.stdin.flush()
            except OSError:
                self.stop()
                return None
            return self.wait(deadline)

    def wait(self, deadline: float) -> Verdict:
        best = Verdict(Status.UNDECIDED, "the time is up")
        while True:
            left = deadline - time.monotonic()
            try:
                message = self.messages.get(timeout=max(left, 0.0))
            except queue.Empty:
                self.stop()
                return best
            if message is None:
                self.stop()
                return Verdict(Status.UNDECIDED, "the line is beyond the limits")
            if message["id"] != self.count:
                continue
            best = from_message(message["verdict"])
            if message["final"]:
                return best

    def running(self) -> bool:
        if self.owner != os.getpid():
            self.process = None  # after a fork the pipes belong to the parent
        return self.process is not None and self.process.poll() is None

    def start(self) -> bool:
        """Start the process and wait until it is ready."""
        self.stop()
        root = str(Path(__file__).resolve().parents[2])
        path = os.pathsep.join(part for part in (root, os.environ.get("PYTHONPATH", "")) if part)
        # the order of sets must not depend on the day: verdicts are compared by tests
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
        for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            environment[threads] = "1"
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "lectures_lib.proofs._worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                env=environment,
            )
        except OSError:
            return False
        self.owner = os.getpid()
        self.messages = queue.Queue()
        reader = threading.Thread(target=_listen, args=(self.process, self.messages), daemon=True)
        reader.start()
        try:
            ready = self.messages.get(timeout=START_SECONDS)
        except queue.Empty:
            ready = None
        if ready is None:
            self.stop()
            return False
        return True

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        process, self.process = self.process, None
        if process is None or self.owner != os.getpid():
            return
        with contextlib.suppress(OSError):
            process.kill()
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            process.wait(timeout=5)
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def _listen(process: subprocess.Popen[str], messages: queue.Queue[Message | None]) -> None:
    """Put what the process says on the queue; None when it has ended."""
    with contextlib.suppress(OSError, ValueError):
        assert process.stdout is not None
        for line in process.stdout:
            messages.put(json.loads(line))
    messages.put(None)


WORKER = Worker()
atexit.register(WORKER.stop)


def main() -> None:
    """Answer questions until the parent closes the pipe."""
    from lectures_lib.proofs._engine import decide

    out = sys.stdout
    sys.stdout = sys.stderr  # nothing but messages goes down the pipe

    def say(message: Message) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    say({"id": 0, "final": True})
    for line in sys.stdin:
        number, fields = json.loads(line)
        fields["given"] = tuple(fields["given"])
        fields["sizes"] = {name: tuple(values) for name, values in fields["sizes"].items()}

        def progress(verdict: Verdict, number: int = number) -> None:
            say({"id": number, "final": False, "verdict": to_message(verdict)})

        found = decide(Request(**fields), progress)
        say({"id": number, "final": True, "verdict": to_message(found)})


if __name__ == "__main__":
    main()
