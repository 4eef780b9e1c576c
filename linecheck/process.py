"""A child process that does the work, so that it can be stopped when a line takes too long.

The parent starts `python -m MODULE` once and keeps it. Both sides speak JSON, one message per line.
What is on its way when the time is up is lost with the process; the next question starts a new one.
Time is that of the child's processor: a verdict must not depend on what else is running.
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
from collections.abc import Callable
from pathlib import Path
from typing import Any

START_SECONDS = 180.0  # SymPy takes long to load on a busy machine
PATIENCE = 5  # so many times longer on the clock, when many processes share the processor
Message = dict[str, Any]


class NoAnswerError(Exception):
    """Why there is no final answer; `best` is the last provisional one."""

    def __init__(self, reason: str, best: Message | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.best = best


class EndedError(NoAnswerError):
    """The child came down while it was at work."""


class Process:
    """The child process as the parent sees it."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.lock = threading.Lock()
        self.process: subprocess.Popen[str] | None = None
        self.owner = 0
        self.messages: queue.Queue[Message | None] = queue.Queue()
        self.count = 0
        atexit.register(self.stop)

    def ask(self, question: Message, seconds: float) -> Message | None:
        """The final answer, or None without a process; raises NoAnswerError."""
        with self.lock:
            if not self.running() and not self.start():
                return None
            budget = self.worked() + seconds  # a slow start does not cost the question
            latest = time.monotonic() + PATIENCE * seconds
            self.count += 1
            try:
                assert self.process is not None
                assert self.process.stdin is not None
                self.process.stdin.write(json.dumps([self.count, question]) + "\n")
                self.process.stdin.flush()
            except OSError:
                self.stop()
                return None
            return self.wait(budget, latest)

    def wait(self, budget: float, latest: float) -> Message:
        """The final answer, until the child has worked so long, or the clock says so."""
        best: Message | None = None
        while True:
            left = min(budget - self.worked(), latest - time.monotonic())
            try:
                message = self.messages.get(timeout=max(left, 0.0))
            except queue.Empty:
                if left > 0:  # on the clock; the child may have worked less
                    continue
                self.stop()
                raise NoAnswerError("the time is up", best) from None
            if message is None:
                assert self.process is not None
                code = self.process.returncode
                self.stop()
                if code == -9:  # by the system, most often for lack of memory
                    raise NoAnswerError("the line is beyond the limits", best)
                raise EndedError(f"the process of the judge ended with {code}")
            if message["id"] != self.count:
                continue
            best = message["answer"]
            if message["final"]:
                assert best is not None
                return best

    def worked(self) -> float:
        """Seconds that the child has had the processor; on the clock where nobody can tell."""
        assert self.process is not None
        try:
            import psutil  # comes with JupyterLab
        except ImportError:
            return time.monotonic()
        try:
            times = psutil.Process(self.process.pid).cpu_times()
        except psutil.Error:
            return 0.0  # it has ended, and a message says so
        return float(times.user + times.system)

    def running(self) -> bool:
        if self.owner != os.getpid():
            self.process = None  # after a fork the pipes belong to the parent
        return self.process is not None and self.process.poll() is None

    def start(self) -> bool:
        """Start the process and wait until it is ready."""
        self.stop()
        root = str(Path(__file__).resolve().parents[1])
        path = os.pathsep.join(part for part in (root, os.environ.get("PYTHONPATH", "")) if part)
        # the order of sets must not depend on the day: verdicts are compared by tests
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
        for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            environment[threads] = "1"
        try:
            self.process = subprocess.Popen(
                [sys.executable, "-m", self.module],
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
    process.wait()  # as a zombie it would keep a kernel that shuts down waiting for 2.5 s
    messages.put(None)


def serve(answer: Callable[[Message, Callable[[Message], None]], Message]) -> None:
    """The child's side: answer questions until the parent closes the pipe."""
    out = sys.stdout
    sys.stdout = sys.stderr  # nothing but messages goes down the pipe

    def say(number: int, final: bool, content: Message) -> None:
        out.write(json.dumps({"id": number, "final": final, "answer": content}) + "\n")
        out.flush()

    say(0, True, {})
    for line in sys.stdin:
        number, question = json.loads(line)

        def progress(content: Message, number: int = number) -> None:
            say(number, False, content)

        say(number, True, answer(question, progress))
