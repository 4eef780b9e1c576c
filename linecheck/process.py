"""Processes: started, limited and ended here, with Python's own library alone.

`Process` is a child that answers questions, so that it can be stopped when one takes too long. The
parent starts `python -m MODULE` once and keeps it. Both sides speak JSON, one message per line.
What is on its way when the time is up is lost with the process; the next question starts a new one.
Time is that of the child's processor: an answer must not depend on what else is running.

`forked`, `limit`, `ended` and `end_tree` are for those who fork a child that runs foreign code;
`started` and `let_end` for those who speak with a program in their own way.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import math
import os
import queue
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

START_SECONDS = 180.0  # SymPy takes long to load on a busy machine
PATIENCE = 5  # so many times longer on the clock, when many processes share the processor
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
Message = dict[str, Any]


# --- a child that is forked, on Linux and macOS ---------------------------------------------------


def forked(work: Callable[[], object]) -> int:
    """A child that does the work and then ends: with 0, or with 1 if something was raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside other threads
        child = os.fork()
    if child:
        return child
    leave = os._exit
    try:
        work()
        leave(0)
    finally:
        leave(1)


def limit(most: Mapping[str, int]) -> None:
    """Limits of this process by their names: {"CPU": 2, "CORE": 0}; what the system refuses is
    left as it is."""
    import resource  # not on Windows

    for name, value in most.items():
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))


def processor_time(process: int) -> float | None:
    """Seconds that the processor has given to a process; None where nobody can tell."""
    if sys.platform == "linux":
        words = _stat(process)
        ticks = int(words[11]) + int(words[12]) if words else 0  # it may have ended
        return ticks / os.sysconf("SC_CLK_TCK")
    try:
        import psutil  # comes with JupyterLab
    except ImportError:
        return None
    try:
        times = psutil.Process(process).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def ended(child: int, *, kill: bool) -> int:
    """How a child has ended, or ends now with its group: its code, or minus the signal."""
    if kill:
        for end in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                end(child, signal.SIGKILL)
    try:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except ChildProcessError:  # somebody else has waited for it
        return 0


def end_tree(process: int) -> None:
    """Kill a process, its session and all that descends from it, repeatedly."""
    for _ in range(5):
        found = _tree(process)
        for one in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(one, signal.SIGKILL)
        if found <= {process}:
            break
        time.sleep(0.01)


def _tree(process: int) -> set[int]:
    """A process, its session, and the children of these; on macOS the process alone is found."""
    found = {process}
    if not os.path.isdir("/proc"):  # noqa: PTH112
        return found
    names = os.listdir("/proc")  # noqa: PTH208 -- called often, and only names are wanted
    seen = [(int(name), words) for name in names if name.isdigit() and (words := _stat(name))]
    table = [(one, int(words[1]), int(words[3])) for one, words in seen]
    while True:
        more = {one for one, parent, session in table if parent in found or session == process}
        if more <= found:
            return found
        found |= more


def _stat(process: int | str) -> list[bytes]:
    """What Linux tells of a process behind its name, which may be any bytes."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:  # noqa: PTH123
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []


# --- a program beside us --------------------------------------------------------------------------


def started(*words: str, environment: Mapping[str, str], **streams: Any) -> subprocess.Popen[Any]:
    """This Python with these words behind it, and one thread for linear algebra."""
    command = [sys.executable, *words]
    return subprocess.Popen(command, env={**environment, **ONE_THREAD}, **streams)


def let_end(process: subprocess.Popen[Any], seconds: float | None) -> None:
    """Wait until a program has ended by itself, or kill it after so long; close its pipes."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()


# --- a child that answers questions ---------------------------------------------------------------


class NoAnswerError(Exception):
    """Why there is no final answer; `best` is the last provisional one."""

    def __init__(self, reason: str, best: Message | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.best = best


class EndedError(NoAnswerError):
    """The child came down while it was at work."""


class Process:
    """The child process as the parent sees it; what goes wrong in a loud one is printed."""

    def __init__(self, module: str, *, loud: bool = False) -> None:
        self.module = module
        self.errors = None if loud else subprocess.DEVNULL
        self.lock = threading.Lock()
        self.process: subprocess.Popen[str] | None = None
        self.owner = 0
        self.messages: queue.Queue[Message | None] = queue.Queue()
        self.count = 0
        atexit.register(self.stop)

    def ask(self, question: Message, seconds: float = math.inf) -> Message | None:
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
                message = self.messages.get(timeout=min(max(left, 0.0), 60.0))
            except queue.Empty:
                if left > 0:  # on the clock; the child may have worked less
                    continue
                self.stop()
                raise NoAnswerError("the time is up", best) from None
            if message is None:
                process = self.process  # another thread may have closed it
                code = process.returncode if process else 0
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
        process = self.process  # another thread may close it
        seconds = processor_time(process.pid) if process else 0.0
        return time.monotonic() if seconds is None else seconds

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
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": self.errors}
        try:
            self.process = started(
                "-m", self.module, environment=environment, text=True, encoding="utf-8", **pipes
            )
        except OSError:
            return False
        self.owner = os.getpid()
        self.messages = queue.Queue()
        reader = threading.Thread(target=_listen, args=(self.process, self.messages), daemon=True)
        reader.start()
        with contextlib.suppress(queue.Empty):
            if self.messages.get(timeout=START_SECONDS) is not None:
                return True
        self.stop()
        return False

    def close(self) -> None:
        """Hang up, and wait until the process has ended by itself."""
        process = self.process
        if process is not None and process.stdin is not None and self.owner == os.getpid():
            with contextlib.suppress(OSError):
                process.stdin.close()
            process.wait()
        self.stop()

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        process, self.process = self.process, None
        if process is None or self.owner != os.getpid():
            return
        with contextlib.suppress(OSError):
            process.kill()
        let_end(process, 5)


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
