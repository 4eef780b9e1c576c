"""An answer that is a function: called with plain data, judged by the plain data it returns.

It is called on the teaching cases, in the order in which they teach, and on random ones. Points
are given for a result that is right in all of them: an answer that happens to fit the teaching
cases earns nothing. Where only random cases fail, the smallest that can be found is shown.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from lectures_lib.checks.exercise import Part, Runner, Slip
from lectures_lib.checks.judging.readings import Reading, Result, Unreadable, close, show
from lectures_lib.checks.judging.relations import Pair, other_order, relation
from lectures_lib.checks.judging.smaller_cases import size, smallest
from lectures_lib.checks.kinds.given import cut, trouble, untouched
from lectures_lib.checks.running.in_child import call_all
from lectures_lib.checks.running.in_thread import Reply, Status, does_not_accept
from lectures_lib.checks.running.plain_data import Odd, Plain, plain
from lectures_lib.checks.telling.outcomes import CaseOutcome, PartOutcome, Verdict
from lectures_lib.checks.writing.edits import versions, wrong_versions

if TYPE_CHECKING:
    from lectures_lib.figures import Scene

PAIR_SECONDS = 0.3  # in which pairs of slips are tried
SMALLEST = "a random case, made as small as it could be"

Arguments = tuple[Plain, ...]
Loose = tuple[NDArray[Any], ...]
Values: TypeAlias = tuple[NDArray[Any], ...]


@dataclass(frozen=True)
class Case:
    """Arguments for one call, from which something is learnt; an author may write arrays as lists.

    The reference says what is right.
    """

    name: str
    arguments: tuple[Any, ...]

    def __post_init__(self) -> None:
        arrays = (np.array(v) if isinstance(v, list) else v for v in self.arguments)
        object.__setattr__(self, "arguments", tuple(arrays))


@dataclass(frozen=True)
class Function(Part):
    """A function to write. The reference gives it its name, its parameters and what is right.

    `draw(rng)` makes the arguments of one random case. `valid(*arguments)` holds what the task
    promises about them: a case is made smaller only within it. Where more than one answer is
    right, `accepts(arguments, values, tolerance)` returns a complaint, or one for each result, and
    `expected` says in words what is accepted. `picture(arguments, came_out, expected)` draws a
    case that is wrong, or returns None where it has no picture. Every slip is tried on the
    reference and on each of its `forms`: edits that leave it right, or leave it as it often is
    before it is finished. It is to be written: see `judging/written.py`.
    """

    reference: Callable[..., Any]
    results: tuple[Result, ...]
    cases: tuple[Case, ...]
    draw: Callable[[np.random.Generator], tuple[Any, ...]]
    slips: tuple[Slip, ...] = ()
    forms: tuple[str, ...] = ()
    valid: Callable[..., bool] | None = None
    accepts: Callable[[Arguments, Values, float], str | tuple[str, ...]] | None = None
    expected: str = ""
    draws: int = 12
    seed: tuple[int, ...] = ()  # a grader's own, for random cases that nobody has seen
    picture: Callable[[Arguments, Values, Values], Scene | None] | None = None
    library: bool = False  # whether the task lets one call the library for it
    elsewhere: tuple[str, ...] = ()  # topics of other chapters in which its counterpart stands

    @cached_property
    def name(self) -> str:
        return self.reference.__name__

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return tuple(inspect.signature(self.reference).parameters)

    @property
    def credits(self) -> tuple[tuple[str, float], ...]:
        """The cases; the points stand at the results."""
        return tuple((case.name, 0.0) for case in self.cases)

    @cached_property
    def points(self) -> float:
        return float(sum(result.points for result in self.results))

    @cached_property
    def random_cases(self) -> tuple[Case, ...]:
        """The random cases, the same in every session, the small ones first."""
        seed = (crc32(self.name.encode()), *self.seed)
        drawn = [self.draw(np.random.default_rng([*seed, k])) for k in range(self.draws)]
        drawn.sort(key=size)
        return tuple(
            Case(f"random case {k}", tuple(plain(value) for value in arguments))
            for k, arguments in enumerate(drawn, 1)
        )

    def judge(self, answers: tuple[object, ...], run: Runner) -> PartOutcome:
        """The verdict on every case; a slip only where something is wrong."""
        (answer,) = answers
        if answer is Ellipsis:
            return self.every("not attempted")
        if not callable(answer) or isinstance(answer, type):
            return self.every("wrong", self._no_function(answer))
        refused = does_not_accept(answer, self.parameters)
        if refused:
            return self.every("error", refused)
        return self.judge_replies(answer, run(answer, self.calls), run)

    @property
    def calls(self) -> list[Arguments]:
        """What it is called with, case by case."""
        return [case.arguments for case in (*self.cases, *self.random_cases)]

    def judge_replies(
        self, answer: Callable[..., Any], replies: Sequence[Reply], run: Runner
    ) -> PartOutcome:
        cases = (*self.cases, *self.random_cases)
        judged = [self._judge(case, reply) for case, reply in zip(cases, replies, strict=True)]
        teaching, drawn = judged[: len(self.cases)], judged[len(self.cases) :]
        shown = [one.outcome for one in teaching]
        first = next((k for k, one in enumerate(shown) if one.verdict != "right"), None)
        if first is None:
            shown.append(self._random_outcome(answer, drawn, run))
        else:
            shown[first] = self._drawn(judged[first])
        wrong = any(one.outcome.verdict == "wrong" for one in judged)
        slip = self._slip(cases, replies) if wrong else None
        first = next((k for k, one in enumerate(shown) if one.verdict == "wrong"), None)
        if slip is None and first is not None and self.accepts is None:
            told = f"{shown[first].differs} {self._relation(cases, replies)}"
            shown[first] = replace(shown[first], differs=told.strip())
        notes = [note for one in judged for note in one.notes]
        return PartOutcome(
            self.name,
            tuple(shown),
            slip,
            tuple(dict.fromkeys(notes)),
            earned=self.worth(self._right(judged)),
            summary=_summary(teaching, drawn),
        )

    def _relation(self, cases: Sequence[Case], replies: Sequence[Reply]) -> str:
        compared = []
        for case, reply in zip(cases, replies, strict=True):
            student = self._loose(reply.value) if reply.status == "returned" else None
            if student is None:
                return ""
            expected = [np.squeeze(part).astype(float) for part in self._expected(case)]
            lengths = self._lengths(case)
            pairs = zip(student, expected, strict=True)
            compared.append([Pair(got, wanted, lengths) for got, wanted in pairs])
        names = [result.name for result in self.results]
        each = (
            relation(name, [case[place] for case in compared]) for place, name in enumerate(names)
        )
        return other_order(names, compared) or " ".join(filter(None, each))

    def _lengths(self, case: Case) -> dict[str, int]:
        pairs = zip(self.parameters, case.arguments, strict=True)
        shapes = {name: value.shape for name, value in pairs if isinstance(value, np.ndarray)}
        tables = {name: shape for name, shape in shapes.items() if len(shape) > 1}
        rows = {f"rows of `{name}`": shape[0] for name, shape in tables.items()}
        entries = {f"entries of `{n}`": shape[0] for n, shape in shapes.items() if len(shape) == 1}
        return rows | entries | {f"columns of `{n}`": shape[1] for n, shape in tables.items()}

    def right_on(self, cases: Sequence[Case], replies: Sequence[Reply]) -> tuple[bool, ...]:
        """For each result whether it is right in all of these cases."""
        return self._right(
            [self._judge(case, reply) for case, reply in zip(cases, replies, strict=True)]
        )

    def worth(self, right: Sequence[bool]) -> float:
        pairs = zip(self.results, right, strict=True)
        return float(sum(result.points for result, is_right in pairs if is_right))

    def _right(self, judged: Sequence[_Judged]) -> tuple[bool, ...]:
        return tuple(all(one.right[k] for one in judged) for k in range(len(self.results)))

    def _random_outcome(
        self, answer: Callable[..., Any], drawn: Sequence[_Judged], run: Runner
    ) -> CaseOutcome:
        """The random cases in one: all right, or the smallest that is not."""
        failing = next((one for one in drawn if one.outcome.verdict != "right"), None)
        if failing is None:
            return CaseOutcome("the random cases", "right")
        if failing.status not in ("returned", "raised"):
            return failing.outcome  # it would only take its time again
        verdict = failing.outcome.verdict

        def fails(cases: Sequence[Arguments]) -> list[bool]:
            replies = run(answer, cases)
            pairs = zip(cases, replies, strict=True)
            found = [self._judge(Case("", arguments), reply) for arguments, reply in pairs]
            return [one.outcome.verdict == verdict for one in found]

        arguments = smallest(failing.case.arguments, fails, self._is_valid)
        (reply,) = run(answer, [arguments])
        found = self._judge(Case(SMALLEST, arguments), reply)
        return self._drawn(found) if found.outcome.verdict == verdict else failing.outcome

    def _is_valid(self, arguments: Arguments) -> bool:
        try:
            with np.errstate(all="ignore"):
                if any(isinstance(value, np.ndarray) and not value.size for value in arguments):
                    return False
                copies = [plain(value) for value in arguments]
                if self.valid is not None and not self.valid(*copies):
                    return False
                return not any(np.isnan(part).any() for part in self._expected(Case("", arguments)))
        except Exception:  # a case that is no case any more
            return False

    def _no_function(self, answer: object) -> str:
        kind = answer if isinstance(answer, type) else type(answer)
        tip = "without parentheses after its name"
        if isinstance(answer, str):
            tip = "without quotation marks"
        elif answer is None:
            tip = "which a cell above defines"
        return f"`{self.name}` is of type {kind.__name__}; expected the function itself, {tip}."

    def _judge(self, case: Case, reply: Reply) -> _Judged:
        outcome = CaseOutcome(case.name, "right", lines=reply.lines, printed=cut(reply))
        none = (False,) * len(self.results)
        if reply.status != "returned":
            verdict: Verdict = "not run" if reply.status == "not called" else "error"
            told = replace(
                outcome, verdict=verdict, given=self._given(case), complaint=trouble(reply)
            )
            return _Judged(case, told, none, status=reply.status)
        if untouched(reply.value):
            return _Judged(case, replace(outcome, verdict="not attempted"), none)
        notes: list[str] = []
        differs, right, values = self._compared(case, reply.value, notes)
        warned = [f"Python warned: {message}." for message in reply.warnings]
        complaint = ""
        if reply.changed:
            names = " and ".join(f"`{self.parameters[place]}`" for place in reply.changed)
            complaint = f"It changed its argument {names} in place: work on a copy."
            right = none
        if not differs and not complaint:
            return _Judged(case, outcome, right, (*notes, *warned))
        told = replace(
            outcome,
            verdict="wrong",
            given=self._given(case),
            came_out=self._shown(reply.value),
            expected=self.expected or self._shown(plain(self._reference(case))),
            complaint=" ".join([complaint, *warned]).strip(),
            differs=differs,
        )
        return _Judged(case, told, right, tuple(notes), values=values)

    def _drawn(self, one: _Judged) -> CaseOutcome:
        """With its picture, where all results can be read."""
        if self.picture is None or len(one.values) < len(self.results):
            return one.outcome
        arguments = tuple(plain(argument) for argument in one.case.arguments)
        scene = drawn(self.picture, arguments, one.values, self._expected(one.case))
        return replace(one.outcome, picture=scene)

    def _given(self, case: Case) -> str:
        pairs = zip(self.parameters, case.arguments, strict=True)
        return ", ".join(f"{name} = {show(value)}" for name, value in pairs)

    def _reference(self, case: Case) -> Any:
        return self.reference(*[plain(argument) for argument in case.arguments])

    def _expected(self, case: Case) -> tuple[NDArray[Any], ...]:
        value = self._reference(case)
        parts = value if len(self.results) > 1 else (value,)
        return tuple(np.asarray(part) for part in parts)

    def _compared(
        self, case: Case, value: Plain, notes: list[str]
    ) -> tuple[str, tuple[bool, ...], Values]:
        """What is wrong with the results, which of them are right, and those that can be read."""
        none = (False,) * len(self.results)
        try:
            parts = self._complete(value)
        except Unreadable as error:
            return str(error), none, ()
        expected = self._expected(case)
        readings: list[Reading | None] = []
        unreadable = ""
        for result, part, wanted in zip(self.results, parts, expected, strict=True):
            try:
                readings.append(result.read(part, wanted.shape))
            except Unreadable as error:
                unreadable = unreadable or str(error)
                readings.append(None)
        read = [reading for reading in readings if reading]
        notes += [note for reading in read for note in reading.notes]
        values = tuple(reading.value for reading in read)
        if self.accepts is not None:
            slack = max((reading.tolerance for reading in read), default=0.0)
            told = unreadable or self.accepts(case.arguments, values, slack)
            each = (told,) * len(self.results) if isinstance(told, str) else told
            return next(filter(None, each), ""), tuple(not one for one in each), values
        right = tuple(
            reading is not None and result.agrees(reading, wanted)
            for result, reading, wanted in zip(self.results, readings, expected, strict=True)
        )
        if unreadable or all(right):
            return unreadable, right, values
        every = zip(self.results, readings, expected, right, strict=True)
        wrong = [(result.name, reading, wanted) for result, reading, wanted, ok in every if not ok]
        verb = "is" if len(wrong) == 1 else "are"
        told = f"{' and '.join(f'`{name}`' for name, *_ in wrong)} {verb} not as expected."
        where = (_where(name, one.value, wanted) for name, one, wanted in wrong if one)
        return f"{told} {next(filter(None, where), '')}".strip(), right, values

    def _complete(self, value: Plain) -> tuple[Plain, ...]:
        if value is None:
            raise Unreadable(f"`{self.name}` returned None: is a `return` missing?")
        parts = self._parts(value)
        if parts is None:
            alike = len({bool(result.axes) for result in self.results}) == 1
            names = ", ".join(
                result.name if alike or not result.axes else f"{result.name} (an array)"
                for result in self.results
            )
            arrays = ", each an array" if all(result.axes for result in self.results) else ""
            raise Unreadable(
                f"`{self.name}` must return {len(self.results)} things: {names}{arrays}; "
                f"it returned {_kind(value)}."
            )
        return parts

    def _parts(self, value: Plain) -> tuple[Plain, ...] | None:
        """The results, one by one; an array is as many only where all of them are alike."""
        if len(self.results) == 1:
            return (value,)
        axes = {len(result.axes) for result in self.results}
        if isinstance(value, np.ndarray):
            alike = value.ndim and axes == {value.ndim - 1} and len(value) == len(self.results)
            return tuple(value) if alike else None
        if not isinstance(value, tuple) or len(value) != len(self.results):
            return None
        only_numbers = all(isinstance(entry, int | float | complex) for entry in value)
        return None if only_numbers and axes != {0} else value

    def _shown(self, value: Plain) -> str:
        parts = self._parts(value)
        if parts is None:
            return show(value)
        pairs = zip(self.results, parts, strict=True)
        return ", ".join(f"{result.name} = {show(part)}" for result, part in pairs)

    def wrong_versions(self, slip: Slip) -> Iterator[Callable[..., Any]]:
        """Every wrong function a slip stands for: its ways, on the reference and on its forms."""
        for form in ("", *self.forms):
            for way in slip.ways:
                yield from wrong_versions(self.reference, way, form)

    def _slip(self, cases: Sequence[Case], replies: Sequence[Reply]) -> Slip | None:
        """The first slip whose results are the student's at every case.

        If there is none, the first that fits wherever the student's numbers are finite and its
        calls came back; but only where the right answer does not fit there as well.
        """
        student = [
            self._loose(reply.value) if reply.status == "returned" else None for reply in replies
        ]
        wrong = [(slip, made) for slip in self.slips for made in self.wrong_versions(slip)]
        if all(results is not None for results in student):
            for slip, made in wrong:
                if self._explains(made, cases, student, partly=False):
                    return slip
        enough = sum(results is not None for results in student) >= 3
        if enough and not self._explains(self.reference, cases, student, partly=True):
            for slip, made in wrong:
                if self._explains(made, cases, student, partly=True):
                    return slip
        return self._pair(cases, student) if all(one is not None for one in student) else None

    def _pair(self, cases: Sequence[Case], student: Sequence[Loose | None]) -> Slip | None:
        """Two slips made together, where exactly one pair explains every case.

        What two edits make of the reference may never end: it is tried as a student's function is.
        """
        ways = [(k, way) for k, slip in enumerate(self.slips) for way in slip.ways]
        edits = [(k, way) for k, way in ways if not callable(way)]

        def explaining() -> tuple[tuple[int, int], ...]:
            pairs = ((a, b, (*one, *two)) for (a, one), (b, two) in combinations(edits, 2) if a < b)
            found = {
                (a, b)
                for a, b, both in pairs
                for made in versions(self.reference, both)
                if self._explains(made, cases, student, partly=False)
            }
            return tuple(found)

        (reply,) = call_all(explaining, [()], PAIR_SECONDS)
        if (
            reply.status != "returned"
            or not isinstance(reply.value, tuple)
            or len(reply.value) != 1
        ):
            return None
        one, two = (self.slips[int(k)] for k in reply.value[0])  # type: ignore[union-attr,arg-type]
        return Slip(f"{one.name}; {two.name}", f"{one.message} {two.message}")

    def _explains(
        self,
        wrong: Callable[..., Any],
        cases: Sequence[Case],
        student: Sequence[Loose | None],
        partly: bool,
    ) -> bool:
        compared = 0
        for case, results in zip(cases, student, strict=True):
            if results is None:
                continue
            try:
                with np.errstate(all="ignore"), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    slipped = self._loose(plain(wrong(*[plain(v) for v in case.arguments])))
            except Exception:  # the slip cannot be made on this case
                return False
            if slipped is None:
                return False
            for a, b in zip(results, slipped, strict=True):
                if partly and a.shape == b.shape:
                    a, b = a[np.isfinite(a)], b[np.isfinite(a)]
                if not close(a, b, 1e-4):
                    return False
                compared += a.size
        return compared > 3

    def _loose(self, value: Plain) -> Loose | None:
        parts = self._parts(value)
        if parts is None:
            return None
        read = [result.read_loosely(part) for result, part in zip(self.results, parts, strict=True)]
        if any(array is None for array in read):
            return None
        return tuple(np.squeeze(array).astype(float) for array in read if array is not None)


@dataclass(frozen=True)
class _Judged:
    """One case with its verdict, result by result."""

    case: Case
    outcome: CaseOutcome
    right: tuple[bool, ...]
    notes: tuple[str, ...] = ()
    status: Status = "returned"
    values: Values = ()  # those results of a wrong answer that can be read


def _where(name: str, got: NDArray[Any], wanted: NDArray[Any]) -> str:
    """How far from right a result is that looks right, or which entry of an array is wrong."""
    if show(got) == show(wanted):
        distance = float(np.max(np.abs(got - wanted)))
        return f"The two look alike when rounded; they differ by up to {distance:.2g}."
    wrong = ~np.isclose(got, wanted, 1e-6, 1e-9, equal_nan=True)
    if not 0 < wrong.sum() < wrong.size:
        return ""
    place = tuple(np.argwhere(wrong)[0].tolist())
    entry = f"`{name}[{', '.join(map(str, place))}]`"
    right = f"{wrong.size - wrong.sum()} of {wrong.size} entries are right"
    return f"{entry} is {show(got[place].item())}, not {show(wanted[place].item())}; {right}."


def _summary(teaching: Sequence[_Judged], drawn: Sequence[_Judged]) -> str:
    right, right_drawn = (
        sum(one.outcome.verdict == "right" for one in group) for group in (teaching, drawn)
    )
    every = right + right_drawn == len(teaching) + len(drawn)
    rule = "" if every else "; a result has its points when it is right in all"
    return (
        f"{right} of {len(teaching)} cases and {right_drawn} of {len(drawn)} random ones are right"
        f"{rule}."
    )


def drawn(picture: Callable[..., Scene | None], *values: Any) -> Scene | None:
    """The picture of an answer. Where it cannot be drawn, the answer is judged without it."""
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return picture(*values)
    except Exception:  # an answer can be wrong in any way, huge or without a boundary say
        return None


def _kind(value: Plain) -> str:
    if isinstance(value, tuple):
        numbers = all(isinstance(entry, int | float | complex) for entry in value)
        return f"{len(value)} {'numbers' if numbers else 'things'}"
    if isinstance(value, np.ndarray):
        return f"one array of shape {value.shape}"
    return value.what if isinstance(value, Odd) else f"one {type(value).__name__}"
