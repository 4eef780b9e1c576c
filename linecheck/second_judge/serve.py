"""What runs in the child process: `python -m linecheck.second_judge.serve`."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict

from linecheck.expand.request import read
from linecheck.judge.worker import to_request
from linecheck.language.terms import LineError
from linecheck.process import Message, serve
from linecheck.second_judge.confirm import opinion
from linecheck.second_judge.opinion import Answer, Opinion


class Alarm:
    """Ends the process when one question has taken too much of the processor's time."""

    def __init__(self) -> None:
        self.until = float("inf")
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self) -> None:
        while time.process_time() < self.until:
            time.sleep(0.05)
        os._exit(3)


ALARM = Alarm()


def answer(question: Message, progress: Callable[[Message], None]) -> Message:
    """SymPy's opinion on one request."""
    ALARM.until = time.process_time() + question.pop("seconds")
    try:
        return asdict(opinion(read(to_request(question))))
    except LineError as problem:
        return asdict(Opinion(Answer.OPEN, problem.message))
    except Exception:  # SymPy raises many kinds, none of which may end a derivation
        return asdict(Opinion(Answer.OPEN, "it stopped with an error"))
    finally:
        ALARM.until = float("inf")


if __name__ == "__main__":
    sys.setrecursionlimit(5000)
    serve(answer)
