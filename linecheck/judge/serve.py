"""What runs in the child process: `python -m linecheck.judge.serve`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from linecheck.judge.engine import decide
from linecheck.judge.worker import to_request
from linecheck.process import Message, serve


def answer(question: Message, progress: Callable[[Message], None]) -> Message:
    """The verdict on one request."""
    return asdict(decide(to_request(question), lambda verdict: progress(asdict(verdict))))


if __name__ == "__main__":
    serve(answer)
