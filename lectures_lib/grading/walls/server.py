"""The fork server: loads what workers need once, shuts itself in, and forks a worker for each job.

It is started by `client` with the words DESCRIPTOR RUNG CPU_SECONDS MODULE…, and speaks with it
over the socket of that number: `F` with a socket starts a worker on it, `K` ends the worker and
tells how it ended. When the judge hangs up, everything ends.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import socket
import struct
import sys

from lectures_lib.grading.walls import linux, sandbox
from lectures_lib.grading.walls.messages import Link
from lectures_lib.grading.walls.worker import prepare, work
from linecheck.process import end_tree, ended, forked

STATUS = struct.Struct(">i")


def main(words: list[str]) -> None:
    """Load, shut in, serve."""
    control = socket.socket(fileno=int(words[0]))
    rung, sandbox.cpu_seconds = words[1], int(words[2])
    for module in words[3:]:
        importlib.import_module(module)
    prepare()
    gc.collect()
    gc.freeze()  # a collection in a worker must not copy what all of them share
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    if rung == "namespaces":
        sandbox.enter_namespaces()
    control.sendall(b"R")
    _serve(control, rung)


def _serve(control: socket.socket, rung: str) -> None:
    own = os.open("/proc/self/ns/pid", os.O_RDONLY) if rung == "namespaces" else -1
    worker = 0
    while True:
        command, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if command == b"F":
            worker = _start(descriptors[0], rung, own)
            control.sendall(b".")
        elif command == b"K":
            control.sendall(STATUS.pack(_end(worker, rung)))
        else:
            _end(worker, rung)
            os._exit(0)


def _start(descriptor: int, rung: str, own: int) -> int:
    """Fork a worker that speaks over the socket of this number; its process."""
    if rung == "namespaces":
        linux.setns(own, linux.NEWPID)
        linux.unshare(linux.NEWPID)
    child = forked(lambda: _in_worker(descriptor, rung))
    os.close(descriptor)
    return child


def _in_worker(descriptor: int, rung: str) -> None:
    line = os.dup2(descriptor, 3)
    os.closerange(4, 64)
    link = Link(socket.socket(fileno=line))
    if rung == "namespaces":
        sandbox.first_process(lambda: _work(link, rung))
    os.setsid()
    _work(link, rung)


def _work(link: Link, rung: str) -> None:
    with contextlib.suppress(BaseException):
        work(link, rung)


def _end(worker: int, rung: str) -> int:
    """End a worker and everything that it has started; how it had ended by itself, or 0."""
    if not worker:
        return 0
    with contextlib.suppress(ChildProcessError):
        before, status = os.waitpid(worker, os.WNOHANG)
        if before:
            return os.waitstatus_to_exitcode(status)
    if rung != "namespaces":
        end_tree(worker)
    ended(worker, kill=True)
    return 0


if __name__ == "__main__":
    main(sys.argv[1:])
