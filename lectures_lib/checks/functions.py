"""An answer that is a function: called with plain data, judged by the plain data it returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lectures_lib.checks.exercise import Slip
from lectures_lib.checks.outcomes import CaseOutcome, PartOutcome
from lectures_lib.checks.plain import Odd, Plain, plain
from lectures_lib.checks.results import Reading, Result, Unreadable, close, show
from lectures_lib.checks.watchdog import Reply, does_not_accept

ADVICE = {
    "RecursionError": "The function calls itself without end.",
    "NameError": "Is everything it uses defined in a cell that you have run?",
    "UnboundLocalError": "A name is read before it gets a value.",
    "NotImplementedError": "This exercise is not attempted until the `raise` is gone.",
    "MemoryError": "It asks for more memory than there is: look at the shapes.",
}


@dataclass(frozen=True)
class Case:
    """Arguments for one call. What must come back is computed by the reference.

    Where more than one answer is right, `accepts(arguments, values)` returns a complaint or an
    empty text, and `expected` says in words what is accepted.
    """

    name: str
    arguments: tuple[Plain, ...]
    points: float = 1.0
    accepts: Callable[[tuple[Any, ...], tuple[NDArray[Any], ...]], str] | None = None
    expected: str = ""


@dataclass(frozen=True)
class Function:
    """A function to write: name, parameters, results, cases, reference and known slips."""

    name: str
    parameters: tuple[str, ...]
    results: tuple[Result, ...]
    cases: tuple[Case, ...]
    reference: Callable[..., Any]
    slips: tuple[Slip, ...] = ()
    answers: int = 1

    @property
    def points(self) -> float:
        """Points of all cases together."""
        return float(sum(case.points for case in self.cases))

    def calls(self) -> Sequence[tuple[Plain, ...]]:
        """The arguments of every case."""
        return [case.arguments for case in self.cases]

    def prepare(self, answers: tuple[object, ...]) -> Callable[..., object] | PartOutcome:
        """The function itself; or an outcome when the answer is none."""
        (answer,) = answers
        if answer is Ellipsis:
            return self._all("not attempted", "")
        if not callable(answer) or isinstance(answer, type):
            kind = answer if isinstance(answer, type) else type(answer)
            return self._all(
                "wrong",
                f"`{self.name}` is of type {kind.__name__}; expected the function itself, "
                "without parentheses after its name.",
            )
        refused = does_not_accept(answer, self.parameters)
        return self._all("error", refused) if refused else answer

    def judge(self, replies: Sequence[Reply]) -> PartOutcome:
        """The verdict on every reply; a slip only where something is wrong."""
        notes: list[str] = []
        pairs = zip(self.cases, replies, strict=True)
        outcomes = tuple(self._judge(case, reply, notes) for case, reply in pairs)
        wrong = any(outcome.verdict == "wrong" for outcome in outcomes)
        slip = self._slip(replies) if wrong else None
        return PartOutcome(self.name, outcomes, slip, tuple(dict.fromkeys(notes)))

    def _all(self, verdict: Any, complaint: str) -> PartOutcome:
        cases = (
            CaseOutcome(case.name, verdict, case.points, complaint=complaint) for case in self.cases
        )
        return PartOutcome(self.name, tuple(cases))

    def _judge(self, case: Case, reply: Reply, notes: list[str]) -> CaseOutcome:
        outcome = CaseOutcome(
            case.name,
            "right",
            case.points,
            self._given(case),
            lines=reply.lines,
            printed=cut(reply),
        )
        if reply.status == "not called":
            return replace(outcome, verdict="not run", complaint="Not run: the time was up.")
        if reply.status != "returned":
            return replace(outcome, verdict="error", complaint=trouble(reply))
        if untouched(reply.value):
            return replace(outcome, verdict="not attempted")
        differs, complaint = self._complaints(case, reply, notes)
        warned = [f"Python warned: {message}." for message in reply.warnings]
        if not differs and not complaint:
            notes += warned
            return outcome
        return replace(
            outcome,
            verdict="wrong",
            came_out=self._shown(reply.value),
            expected=case.expected or self._shown(plain(self._reference(case))),
            complaint=" ".join([complaint, *warned]).strip(),
            differs=differs,
        )

    def _given(self, case: Case) -> str:
        pairs = zip(self.parameters, case.arguments, strict=True)
        return ", ".join(f"{name} = {show(value)}" for name, value in pairs)

    def _complaints(self, case: Case, reply: Reply, notes: list[str]) -> tuple[str, str]:
        """What is wrong with the results, and with the way they came; nothing if right."""
        expected = self._expected(case)
        differs = complaint = ""
        try:
            differs = self._compare(case, self._read(reply.value, expected, notes), expected)
        except Unreadable as error:
            differs = str(error)
        if reply.changed:
            names = " and ".join(f"`{self.parameters[place]}`" for place in reply.changed)
            complaint = f"It changed its argument {names} in place: work on a copy."
        return differs, complaint

    def _reference(self, case: Case) -> Any:
        return self.reference(*[plain(argument) for argument in case.arguments])

    def _expected(self, case: Case) -> tuple[NDArray[Any], ...]:
        value = self._reference(case)
        parts = value if len(self.results) > 1 else (value,)
        return tuple(np.asarray(part) for part in parts)

    def _read(
        self, value: Plain, expected: tuple[NDArray[Any], ...], notes: list[str]
    ) -> list[Reading]:
        if value is None:
            raise Unreadable(f"`{self.name}` returned None: is a `return` missing?")
        parts = self._parts(value)
        if parts is None:
            names = ", ".join(result.name for result in self.results)
            raise Unreadable(
                f"`{self.name}` must return {len(self.results)} things: {names}; "
                f"it returned {_kind(value)}."
            )
        readings = [
            result.read(part, wanted.shape)
            for result, part, wanted in zip(self.results, parts, expected, strict=True)
        ]
        notes += [note for reading in readings for note in reading.notes]
        return readings

    def _parts(self, value: Plain) -> tuple[Plain, ...] | None:
        if len(self.results) == 1:
            return (value,)
        if isinstance(value, np.ndarray) and value.ndim and len(value) == len(self.results):
            return tuple(value)
        return value if isinstance(value, tuple) and len(value) == len(self.results) else None

    def _compare(
        self, case: Case, values: list[Reading], expected: tuple[NDArray[Any], ...]
    ) -> str:
        if case.accepts is not None:
            return case.accepts(case.arguments, tuple(reading.value for reading in values))
        agreed = [
            result.agrees(reading, wanted)
            for result, reading, wanted in zip(self.results, values, expected, strict=True)
        ]
        if all(agreed):
            return ""
        names = [
            f"`{result.name}`"
            for result, right in zip(self.results, agreed, strict=True)
            if not right
        ]
        verb = "is" if len(names) == 1 else "are"
        return f"{' and '.join(names)} {verb} not as expected."

    def _shown(self, value: Plain) -> str:
        parts = self._parts(value)
        if parts is None:
            return show(value)
        pairs = zip(self.results, parts, strict=True)
        return ", ".join(f"{result.name} = {show(part)}" for result, part in pairs)

    def _slip(self, replies: Sequence[Reply]) -> Slip | None:
        """The first slip whose results are the student's at every case."""
        student = [
            self._loose(reply.value) if reply.status == "returned" else None for reply in replies
        ]
        if any(results is None for results in student):
            return None
        for slip in self.slips:
            if slip.wrong is not None and self._explains(slip.wrong, student):
                return slip
        return None

    def _explains(
        self, wrong: Callable[..., Any], student: Sequence[tuple[NDArray[Any], ...] | None]
    ) -> bool:
        for case, results in zip(self.cases, student, strict=True):
            with np.errstate(all="ignore"):
                slipped = self._loose(plain(wrong(*[plain(value) for value in case.arguments])))
            if slipped is None or results is None:
                return False
            if not all(close(a, b, 1e-4) for a, b in zip(results, slipped, strict=True)):
                return False
        return True

    def _loose(self, value: Plain) -> tuple[NDArray[Any], ...] | None:
        parts = self._parts(value)
        if parts is None:
            return None
        read = [result.read_loosely(part) for result, part in zip(self.results, parts, strict=True)]
        if any(array is None for array in read):
            return None
        return tuple(np.squeeze(array).astype(float) for array in read if array is not None)


def untouched(value: Plain) -> bool:
    """Whether a value still is the `...` of the stub, throughout."""
    if isinstance(value, tuple) and value:
        return all(untouched(entry) for entry in value)
    return value is Ellipsis


def trouble(reply: Reply) -> str:
    """In words, why a call gave no value."""
    if reply.status == "input":
        return "It waits for somebody to type. Take everything it needs from its arguments."
    if reply.status == "exit":
        return f"It calls {reply.message}, which ends Python. Leave a function with `return`."
    if reply.status == "stopped":
        return (
            f"It did not come to an end and was stopped after {reply.message} seconds. "
            "Is there a loop whose condition never becomes false?"
        )
    if reply.status == "stubborn":
        return (
            f"It was still running after {reply.message} seconds and cannot be stopped, because it "
            "catches every exception. Restart the kernel, and write `except ValueError:` or the "
            "like instead of a bare `except:`."
        )
    if reply.status == "given up":
        return (
            f"After {reply.message} seconds it was still inside a single call into compiled code, "
            "which can only be stopped when it returns. It goes on in the background; restart the "
            "kernel if the computer stays busy."
        )
    name = reply.message.partition(":")[0]
    return f"{reply.message}. {ADVICE[name]}" if name in ADVICE else reply.message


def cut(reply: Reply, length: int = 200) -> str:
    """What a call printed, or its beginning and how much it was."""
    if reply.printed_length <= length:
        return reply.printed.strip().replace("\n", " ⏎ ")
    start = reply.printed[:length].strip().replace("\n", " ⏎ ")
    return f"{start} … ({reply.printed_length:,} characters in all)"


def _kind(value: Plain) -> str:
    if isinstance(value, tuple):
        return f"{len(value)}"
    if isinstance(value, np.ndarray):
        return f"one array of shape {value.shape}"
    return value.what if isinstance(value, Odd) else f"one {type(value).__name__}"
