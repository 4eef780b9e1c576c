"""From a submission to its result: what the notebook's own check says, held against fresh cases.

The judge never runs a line of the student's. It hands plain data to a worker, looks at the plain
data that come back, and gives points only for an explicit pass. Besides the cases of the notebook
it draws others, from the exercise's generator and the teacher's secret; nobody is shown those.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lectures_lib.checks.exercise import Exercise
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.judging.written import without_library
from lectures_lib.checks.kinds.derivation import JUDGE_FAILED
from lectures_lib.checks.kinds.expression import Expression
from lectures_lib.checks.kinds.function import Case, Function
from lectures_lib.checks.registry import find
from lectures_lib.checks.running.in_thread import Reply
from lectures_lib.checks.running.named_calls import Ask
from lectures_lib.checks.running.plain_data import same
from lectures_lib.checks.telling.outcomes import CaseOutcome, Outcome, PartOutcome, as_text
from lectures_lib.grading.intake.assembly import Assembled, Canonical, Place, assemble
from lectures_lib.grading.intake.reading import ReadNotebook
from lectures_lib.grading.judging.behaviour import Deed, deeds, error_in, smallest
from lectures_lib.grading.judging.session import (
    ALL_SECONDS,
    Name,
    PieceEnd,
    Remote,
    Session,
    stand_in,
)
from lectures_lib.grading.walls.client import Workers

FRESH, REPEATED = 6, 2
SECONDS = 5.0
LONGEST_TEXT = 4_000
UNSEEN = "cases that nobody has seen"
ONLY_THE_KNOWN = (
    "It is right in the cases of the notebook, and not in others that are drawn in the same way. "
    "Does it depend on something that only those cases share?"
)
Seen = list[tuple[Callable[..., Any], Sequence[Reply]]]


@dataclass(frozen=True)
class ExerciseResult:
    """The verdict on one exercise, as data."""

    id: str
    status: str
    points: float
    out_of: float
    text: str = ""  # what the student is told
    slips: tuple[tuple[str, str], ...] = ()  # name and message
    flags: tuple[str, ...] = ()  # for the teacher: to be looked at
    fingerprint: str = ""
    deeds: tuple[Deed, ...] = ()  # what it does on each case, where no slip explains it
    case: dict[str, str] = field(default_factory=dict)  # the smallest that is wrong there
    by_library: str = ""  # what it calls where it was to be written
    borrowed: float = 0.0  # the points of that, for a policy that gives them


@dataclass(frozen=True)
class Result:
    """The result of one notebook."""

    assignment: str
    exercises: tuple[ExerciseResult, ...]
    notes: tuple[str, ...]
    sandbox: tuple[str, ...]  # what the student's code was shut in by

    @property
    def points(self) -> float:
        """Points of all exercises."""
        return float(sum(exercise.points for exercise in self.exercises))


@dataclass
class Judge:
    """Grades notebooks one after the other with the workers of one fork server."""

    workers: Workers
    secret: bytes
    seconds: float = SECONDS
    submission_seconds: float = ALL_SECONDS

    def grade(self, read: ReadNotebook, wanted: Canonical) -> Result:
        """The result of one submission."""
        return self.grade_assembled(assemble(read, wanted), wanted)

    def grade_assembled(self, assembled: Assembled, wanted: Canonical) -> Result:
        """The result of the pieces of a submission."""
        session = Session(self.workers, assembled.pieces, self.seconds, self.submission_seconds)
        touched = [place for place in wanted.places if place.exercise not in assembled.untouched]
        try:
            found = {place.exercise: _untouched(place) for place in wanted.places}
            if touched:
                found |= self._touched(session, assembled, touched)
        finally:
            session.end()
        return Result(wanted.stem, tuple(found.values()), assembled.notes, session.layers)

    def _touched(
        self, session: Session, assembled: Assembled, places: Sequence[Place]
    ) -> dict[str, ExerciseResult]:
        """First everything of the notebook, then the fresh cases, of which nothing is told."""
        session.run()
        ends = _ends(session, assembled)
        exercises = [find(place.exercise) for place in places]
        names = [(e.id, name) for e in exercises for name in e.names if not ends[e.id].broke]
        described = session.describe(names) if names else {}
        judged = [
            _Judged(e, ends[e.id], session, described, self.seconds, self._seed(e), session.limit)
            for e in exercises
        ]
        for one in judged:
            one.judge()
        for one in judged:
            one.judge_fresh()
        return {one.exercise.id: one.result() for one in judged}

    def _seed(self, exercise: Exercise) -> tuple[int, ...]:
        """Numbers that only who has the secret can know."""
        identity = f"{exercise.id} {exercise.version}".encode()
        digest = hmac.new(self.secret, identity, hashlib.sha256).digest()
        return tuple(int.from_bytes(digest[k : k + 4], "big") for k in range(0, 16, 4))


def _untouched(place: Place) -> ExerciseResult:
    return ExerciseResult(place.exercise, "not_attempted", 0.0, find(place.exercise).points)


def _ends(session: Session, assembled: Assembled) -> dict[str, PieceEnd]:
    """How the answer of each exercise ended, or the own cells before it where one of them broke."""
    found: dict[str, PieceEnd] = {}
    before, magic = "", False
    for number, piece in enumerate(assembled.pieces):
        end = session.ends.get(number, PieceEnd())
        magic = magic or end.magic
        if not piece.exercise:
            before = _BROKE.get(end.broke, end.raised) or before
            continue
        found[piece.exercise] = replace(end, raised=end.raised or before, magic=magic)
        before, magic = "", False
    return found


_drawn: dict[tuple[str, tuple[int, ...]], tuple[Case, ...]] = {}


def _fresh_cases(function: Function, seed: tuple[int, ...]) -> tuple[Case, ...]:
    """Random cases of this seed, drawn once for all; the first of them once more at the end."""
    key = (function.name, seed)
    if key not in _drawn:
        _drawn[key] = replace(function, seed=seed, draws=FRESH).random_cases
    return (*_drawn[key], *_drawn[key][:REPEATED])


@dataclass
class _Judged:
    """One exercise of one submission on its way to a result."""

    exercise: Exercise
    end: PieceEnd
    session: Session
    described: dict[Name, dict[str, Any]]
    seconds: float
    seed: tuple[int, ...]
    limit: str
    outcome: Outcome | None = None
    seen: Seen = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)

    def _kind_of(self, name: str) -> str:
        return str(self.described.get((self.exercise.id, name), {}).get("kind", "missing"))

    def _answers(self) -> tuple[object, ...] | None:
        """What the check is called with; None where something is missing or cannot be described."""
        if self.end.broke or {"missing", "broken"} & set(map(self._kind_of, self.exercise.names)):
            return None
        found: list[object] = []
        for part in self.exercise.parts:
            called, asked = isinstance(part, Function | Expression), isinstance(part, Expression)
            for name in ((self.exercise.id, name) for name in part.names):
                found.append(stand_in(name, self.described[name], called=called, asked=asked))
        return tuple(found)

    def judge(self) -> None:
        """What the check in the notebook says, with the calls made in the worker."""
        answers = self._answers()
        if answers is None:
            return
        call = self.session.caller(self.seen)

        def noted(*arguments: Any) -> Sequence[Reply]:
            replies = call(*arguments)
            if self.session.broken:
                self.broken.append(self.session.broken)
                self.limit = self.session.limit
            return replies

        for _ in range(2):  # on a busy machine the time can be up
            self.outcome = evaluate(self.exercise, answers, self.seconds, noted)
            if self.outcome.status != "not decided":
                break

    def judge_fresh(self) -> None:
        """Take back what does not hold in fresh cases too."""
        if self.outcome is None:
            return
        parts = [
            self._held(part, outcome)
            for part, outcome in zip(self.exercise.parts, self.outcome.parts, strict=True)
        ]
        self.outcome = replace(self.outcome, parts=tuple(parts))

    def _held(self, part: Any, outcome: PartOutcome) -> PartOutcome:
        function = part.function if isinstance(part, Expression) else part
        known = self._known(part)
        worth = outcome.points or outcome.borrowed
        if not isinstance(function, Function) or not worth or known is None:
            return outcome
        asked, replies = known
        if not (isinstance(asked, Ask) or outcome.by or function.library):
            asked = without_library(asked, self.exercise.slug, function)
        cases = _fresh_cases(function, self.seed)
        call = self.session.caller([])
        found = call(asked, [case.arguments for case in cases], 2 * self.seconds)
        pairs = zip(found, found[FRESH:], strict=False)
        if any(a.status == b.status and not same(a.value, b.value) for a, b in pairs):
            self.flags.append("flaky: it gives different answers to the same question")
        unseen = function.right_on(cases, found)
        if all(unseen):
            return outcome
        public = function.right_on((*function.cases, *function.random_cases), replies)
        both = [a and b for a, b in zip(public, unseen, strict=True)]
        if both == list(public):
            return outcome
        if outcome.by:
            return replace(outcome, borrowed=0.0)
        self.flags.append("only the known cases: right in the notebook's, wrong in fresh ones")
        told = CaseOutcome(UNSEEN, "wrong", complaint=ONLY_THE_KNOWN)
        return replace(
            outcome, cases=(*outcome.cases, told), earned=function.worth(both), slip=None
        )

    def _known(self, part: Any) -> tuple[Callable[..., Any], Sequence[Reply]] | None:
        """The replies to the cases of the notebook, which are the first that a part asks for.

        Of an expression it asks before what it is.
        """
        for asked, replies in self.seen:
            answer = asked.answer if isinstance(asked, Ask) else asked
            if isinstance(asked, Ask) and asked.name != "value at":
                continue
            if isinstance(answer, Remote) and answer.name[1] == part.names[0]:
                return asked, replies[1:] if isinstance(asked, Ask) else replies
        return None

    def result(self) -> ExerciseResult:
        """The result as data."""
        status, text = self._status(), self._text()
        slips = self.outcome.slips if self.outcome else ()
        borrowing = [part for part in self.outcome.parts if part.by] if self.outcome else []
        if self.end.magic:
            self.flags.append("lines for IPython or the shell were left out")
        self.flags += self._failures()
        if status == "timeout":
            limit = self.end.limit or self.limit
            text += f"\nIt was {limit}."
            self.flags.append(limit)
        return ExerciseResult(
            self.exercise.id, status, self.outcome.points if self.outcome else 0.0,
            self.exercise.points, cleaned(text), tuple((slip.name, slip.message) for slip in slips),
            tuple(dict.fromkeys(self.flags)), self.end.fingerprint, *self._unexplained(status),
            ", ".join(dict.fromkeys(part.by for part in borrowing)),
            sum(part.borrowed for part in borrowing),
        )  # fmt: skip

    def _unexplained(self, status: str) -> tuple[tuple[Deed, ...], dict[str, str]]:
        """What it does where it is wrong and no slip says why, and the smallest such case."""
        if status in ("right", "not_attempted", "undecided"):
            return (), {}
        if self.outcome is None:
            raised = f"raises {error_in(self.end.raised)}" if self.end.raised else status
            return (raised,), {"name": "its cell", "came_out": raised}
        found: list[Deed] = []
        cases: list[CaseOutcome] = []
        for part, outcome in zip(self.exercise.parts, self.outcome.parts, strict=True):
            if outcome.first_failure is None or outcome.slip is not None or outcome.by:
                continue
            known = self._known(part)
            told = (f"{c.name}: {c.verdict}, {c.came_out[:60]}" for c in outcome.cases)
            found += deeds(known[1]) if known else told
            cases += outcome.cases
        return tuple(found), smallest(cases)

    def _status(self) -> str:
        if self.end.broke:
            return self.end.broke
        if self.outcome is None:
            return self._status_without_outcome()
        found = self.outcome.status
        if found == "error":
            return self._kind_of_error()
        if found != "right" and self._failures():
            return "undecided"
        return {"not attempted": "not_attempted", "not decided": "undecided"}.get(found, found)

    def _failures(self) -> list[str]:
        """The lines of a derivation on which the judge itself failed, and where they are kept."""
        parts = self.outcome.parts if self.outcome else ()
        lines = (line for part in parts for case in part.cases for line in case.lines)
        return list(dict.fromkeys(line for line in lines if JUDGE_FAILED in line))

    def _status_without_outcome(self) -> str:
        for name in self.exercise.names:
            if self._kind_of(name) == "broken":
                return _status_of(self.described[self.exercise.id, name]["reply"])
        if self.end.magic:
            return "forbidden"
        return _status_of(Reply("raised", None, self.end.raised))

    def _kind_of_error(self) -> str:
        if self.broken:
            return self.broken[0]
        replies = [reply for _, all_ in self.seen for reply in all_]
        failed = [r for r in replies if r.status not in ("returned", "not called")]
        return _status_of(failed[0]) if failed else "error"

    def _text(self) -> str:
        if self.end.broke:
            return _BROKE[self.end.broke]
        if self.outcome is not None:
            ended = (f"Its cell ended with {self.end.raised}.",) if self.end.raised else ()
            return as_text(replace(self.outcome, notes=(*self.outcome.notes, *ended)))
        if self.end.raised:
            return "\n".join([f"The cell ended with {self.end.raised}", *self.end.lines])
        missing = [f"`{n}`" for n in self.exercise.names if self._kind_of(n) == "missing"]
        if missing:
            return f"Not defined: {', '.join(missing)}."
        return _BROKE.get(self._status(), "What the cell defines cannot be read.")


_BROKE = {
    "timeout": "The cell did not come to an end and was stopped.",
    "memory": "The cell took more memory than there is.",
    "crashed": "The cell brought Python down.",
}


def _status_of(reply: Reply) -> str:
    """The status of an answer whose call gave nothing."""
    if reply.status in ("stopped", "slow", "stubborn", "given up"):
        return "timeout"
    if reply.status == "crashed":
        return "memory" if "memory" in reply.message else "crashed"
    if reply.status == "exit":
        return "crashed"
    name = reply.message.partition(":")[0].removeprefix("_Array")
    if reply.status == "input" or name in ("PermissionError", "BlockingIOError"):
        return "forbidden"
    return "memory" if name in ("MemoryError", "ArrayMemoryError") else "error"


def cleaned(text: str, longest: int = LONGEST_TEXT) -> str:
    """A text without what a terminal or a browser would obey, cut to a length."""
    kept = "".join(c if c.isprintable() or c in "\n\t" else "�" for c in text[: longest + 1])
    return kept if len(kept) <= longest else kept[:longest] + " …"
