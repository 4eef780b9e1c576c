"""One submission in a worker: its pieces are run, then its answers are asked for what they give.

Whatever happens there comes back as data. A piece that does not end is left out and the rest is run
again in a fresh worker, so that one exercise cannot take the others with it.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lectures_lib.checks.running.in_thread import NOT_CALLED, PATIENCE, Reply
from lectures_lib.checks.running.named_calls import Ask
from lectures_lib.checks.running.plain_data import Odd, Plain
from lectures_lib.checks.running.wire import WireError, reply_from_data
from lectures_lib.grading.intake.assembly import Piece
from lectures_lib.grading.walls.client import ServerError, Workers
from lectures_lib.grading.walls.messages import Ended, Late, Link
from lectures_lib.grading.walls.sandbox import OUT_OF_MEMORY

START_SECONDS = 30.0
ALL_SECONDS = 120.0  # for one submission, whatever is in it
DESCRIBE_SECONDS = 2.0
GRACE = 2.0  # beyond the time that the worker keeps by itself
KILLED = 9


@dataclass(frozen=True)
class PieceEnd:
    """How a piece of code ended: nothing raised, something raised, or its worker with it."""

    raised: str = ""
    lines: tuple[str, ...] = ()
    magic: bool = False
    fingerprint: str = ""
    broke: str = ""  # "timeout", "memory" or "crashed": it was left out
    limit: str = ""  # of time, in words


Name = tuple[str, str]  # of an answer: its exercise, and what it is called there


class Remote:
    """Stands for an answer that lives in the worker."""

    def __init__(self, name: Name, parameters: Plain = None) -> None:
        self.name = name
        signature = _signature(parameters)
        if signature is not None:
            self.__signature__ = signature

    def __call__(self, *_: object, **__: object) -> None:
        raise TypeError("it is called in the worker only")


class Derivation(Remote):
    """An answer made with the course's proofs; the check knows it by the name of its class."""

    lines = None


class _Default:
    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _signature(parameters: Any) -> inspect.Signature | None:
    """The signature that was described; None if that was nothing sensible."""
    if not isinstance(parameters, tuple) or len(parameters) > 50:
        return None
    found = []
    try:
        for entry in parameters:
            name, kind, default = entry
            given = {"default": _Default(str(default)[:40])} if default else {}
            found.append(inspect.Parameter(str(name)[:60], inspect._ParameterKind(kind), **given))
        return inspect.Signature(found)
    except (TypeError, ValueError):
        return None


class Session:
    """The worker of one submission, started again when it breaks."""

    def __init__(
        self,
        workers: Workers,
        pieces: Sequence[Piece],
        seconds: float,
        all_seconds: float = ALL_SECONDS,
    ) -> None:
        self.workers, self.pieces = workers, pieces
        self.seconds = 2 * seconds  # for each piece
        self.all_seconds = all_seconds
        self.until = time.monotonic() + all_seconds
        self.layers: tuple[str, ...] = ()
        self.ends: dict[int, PieceEnd] = {}
        self.link: Link | None = None
        self.broken = ""  # how the worker ended in the last question, if it did
        self.limit = self._limit("a part", seconds)  # the last one that was met, in words

    def _limit(self, what: str, seconds: float) -> str:
        more = f"`--seconds {2 * self.seconds:g}` allows more"
        return f"stopped after {seconds:g} s, the limit for {what}: {more}"

    def _all(self) -> str:
        more = f"`--submission-seconds {2.5 * self.all_seconds:g}` allows more"
        return f"stopped after {self.all_seconds:g} s, the limit for a whole notebook: {more}"

    # --- running the pieces ---

    def run(self) -> None:
        """Run all pieces that can be run; afterwards questions can be asked."""
        while True:
            left_out = {n for n, end in self.ends.items() if end.broke}
            numbers = [n for n in range(len(self.pieces)) if n not in left_out]
            broke = self._run(numbers)
            if broke is None:
                return
            number, how = broke
            over = time.monotonic() > self.until
            limit = self._all() if over else self._limit("a cell", self.seconds)
            self.ends[number] = PieceEnd(broke=how, limit=limit)
            if time.monotonic() > self.until:
                for rest in numbers:
                    self.ends.setdefault(rest, PieceEnd(broke="timeout", limit=self._all()))
                return

    def _run(self, numbers: Sequence[int]) -> tuple[int, str] | None:
        """The number of the piece that broke the worker, and how; None if all were run."""
        self.link = self.workers.start()
        pieces = [self.pieces[n] for n in numbers]
        at = numbers[0]
        try:
            self.link.send(tuple((piece.name, piece.source, piece.given) for piece in pieces))
            layers = self._received(START_SECONDS)
            if not isinstance(layers, tuple):
                raise ServerError("the worker does not say how it is shut in")
            self.layers = tuple(str(layer) for layer in layers)
        except (Ended, Late, WireError):
            self.end()
            raise ServerError("a worker could not be shut in, or died before any code") from None
        try:
            for at in numbers:
                left = self.until - time.monotonic()
                if left <= 0:
                    raise Late
                self.ends[at] = _piece_end(self._received(min(self.seconds, left)))
        except (Ended, Late, WireError) as error:
            return at, self._how(error)
        return None

    def _received(self, seconds: float) -> Plain:
        assert self.link is not None
        return self.link.receive(seconds)

    def _how(self, error: Exception) -> str:
        """End the broken worker, and say what broke it."""
        code = self.end()
        if isinstance(error, Late):
            return "timeout"
        return "memory" if code in (OUT_OF_MEMORY, KILLED, -KILLED) else "crashed"

    def end(self) -> int:
        """End the worker; how it had ended by itself, or 0."""
        if self.link is None:
            return 0
        self.link.close()
        self.link = None
        return self.workers.end()

    # --- questions ---

    def describe(self, names: Sequence[Name]) -> dict[Name, dict[str, Any]]:
        """What each name stands for; a name that cannot be described is described alone."""
        (reply,) = self.ask(
            {"ask": "describe", "names": tuple(names)},
            [()],
            DESCRIBE_SECONDS * (len(names) > 1) + 1,
        )
        value = reply.value
        if reply.status == "returned" and isinstance(value, tuple) and len(value) == len(names):
            return {n: _description(v) for n, v in zip(names, value, strict=True)}
        if len(names) == 1:
            return {names[0]: {"kind": "broken", "reply": reply}}
        found: dict[Name, dict[str, Any]] = {}
        for name in names:
            found |= self.describe([name])
        return found

    def caller(
        self, seen: list[tuple[Callable[..., Any], Sequence[Reply]]]
    ) -> Callable[..., Sequence[Reply]]:
        """Makes the calls of a check in the worker; `seen` collects what came back."""

        def call(
            function: Callable[..., Any], calls: Sequence[tuple[Plain, ...]], seconds: float
        ) -> Sequence[Reply]:
            if isinstance(function, Remote):
                question: dict[str, Plain] = {"ask": "call", "name": function.name}
            elif isinstance(function, Ask) and isinstance(function.answer, Remote):
                question = {
                    "ask": function.name,
                    "name": function.answer.name,
                    "arguments": function.arguments,
                }
            elif isinstance(function, Ask):
                return [Reply("returned", function.answer)]  # type: ignore[arg-type]
            else:
                raise ServerError(f"a check wants to call {function!r} here")
            replies = self.ask(question, calls, seconds)
            seen.append((function, replies))
            return replies

        return call

    def ask(
        self, question: dict[str, Plain], calls: Sequence[tuple[Plain, ...]], seconds: float
    ) -> list[Reply]:
        """One reply per call; where the worker breaks, the first says so and a new one is made."""
        self.broken = ""
        if time.monotonic() > self.until:
            self.broken, self.limit = "timeout", self._all()
            return _padded([Reply("stopped", None, f"{self.all_seconds:g}")], len(calls))
        if self.link is None:
            self.run()
        if self.link is None:
            return _padded([Reply("crashed", None, "with every attempt to run it")], len(calls))
        try:
            self.link.send({**question, "calls": tuple(calls), "seconds": float(seconds)})
            return _padded(_replies(self._received(PATIENCE * seconds + GRACE)), len(calls))
        except (Ended, Late, WireError) as error:
            self.broken = self._how(error)
            words = {
                "timeout": Reply("stopped", None, f"{seconds:g}"),
                "memory": Reply("crashed", None, "by the system: memory ran out"),
                "crashed": Reply("crashed", None, "together with everything around it"),
            }
            return _padded([words[self.broken]], len(calls))


def _padded(replies: list[Reply], length: int) -> list[Reply]:
    return (replies + [NOT_CALLED] * length)[:length]


def _replies(data: Plain) -> list[Reply]:
    if not isinstance(data, tuple):
        raise WireError("no list of replies")
    return [reply_from_data(reply) for reply in data[:1_000]]


def _piece_end(data: Plain) -> PieceEnd:
    match data:
        case {
            "raised": str(raised),
            "lines": tuple(lines),
            "magic": bool(magic),
            "fingerprint": str(fingerprint),
        }:
            shown = tuple(str(line)[:400] for line in lines[:8])
            return PieceEnd(raised[:400], shown, magic, fingerprint[:40])
    raise WireError("a piece ended in no known way")


def _description(data: Plain) -> dict[str, Any]:
    match data:
        case {"kind": str(kind), "type": str(type_name), "parameters": parameters, "value": value}:
            return {"kind": kind, "type": type_name, "parameters": parameters, "value": value}
    return {"kind": "broken", "reply": Reply("raised", None, "it cannot be described")}


def stand_in(name: Name, found: dict[str, Any], *, called: bool, asked: bool = False) -> object:
    """What the judge looks at in the place of an answer: data, or something that is asked."""
    kind, value = found["kind"], found.get("value")
    if kind == "derivation":
        return Derivation(name)
    if asked and value is not ...:
        return Remote(name)
    if kind == "value" and not (called and isinstance(value, Odd)):
        return value
    if kind == "function" or not called:
        return Remote(name, found.get("parameters"))
    shown = "".join(letter for letter in str(found.get("type", "")) if letter.isidentifier())
    made = type(shown or "object", (), {})
    return made if kind == "class" else made()
