"""Questions and verdicts as plain data, and the process that answers."""

from __future__ import annotations

from dataclasses import asdict

from linecheck.expand.request import Request
from linecheck.judge.verdicts import Status, Verdict, Witness
from linecheck.process import EndedError, Message, NoAnswerError, Process

PROCESS = Process("linecheck.judge.serve")


def ask_process(request: Request, seconds: float) -> Verdict | None:
    """The verdict, the best one so far when the time is up, or None without a process."""
    try:
        answer = PROCESS.ask(asdict(request), seconds)
    except EndedError as ended:
        return Verdict(Status.INTERNAL, ended.reason)
    except NoAnswerError as missing:
        if missing.best is None:
            return Verdict(Status.UNDECIDED, missing.reason)
        answer = missing.best
    return None if answer is None else from_message(answer)


def to_request(message: Message) -> Request:
    """A question from plain data."""
    sizes = {name: tuple(values) for name, values in message["sizes"].items()}
    return Request(**{**message, "given": tuple(message["given"]), "sizes": sizes})


def from_message(message: Message) -> Verdict:
    """A verdict from plain data."""
    witness = message["witness"]
    if witness is not None:
        point = tuple((str(name), str(value)) for name, value in witness["point"])
        witness = Witness(point, witness["left"], witness["right"])
    return Verdict(**{**message, "status": Status(message["status"]), "witness": witness})
