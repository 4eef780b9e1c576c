"""What runs in the child process: `python -m lectures_lib.proofs.judge.serve`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from lectures_lib.proofs.judge.engine import decide
from lectures_lib.proofs.judge.process import Message, serve
from lectures_lib.proofs.judge.worker import to_request


def answer(question: Message, progress: Callable[[Message], None]) -> Message:
    """The verdict on one request."""
    return asdict(decide(to_request(question), lambda verdict: progress(asdict(verdict))))


if __name__ == "__main__":
    serve(answer)
