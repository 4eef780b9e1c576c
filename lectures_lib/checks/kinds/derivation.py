"""An answer that is a derivation, typed line by line: credit for every step that is verified."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lectures_lib.checks.exercise import Runner, Slip
from lectures_lib.checks.kinds.function import handed_over, trouble, untouched
from lectures_lib.checks.running.in_thread import Reply
from lectures_lib.checks.running.named_calls import Ask
from lectures_lib.checks.student.progress import progress_folder
from lectures_lib.checks.telling.outcomes import CaseOutcome, PartOutcome, Verdict
from lectures_lib.checks.writing.edits import EditError, edited_texts
from linecheck import Derivation, verdict
from linecheck import Verdict as Judgement
from linecheck.derivation.chain import UNREAD
from linecheck.derivation.lines import LineReport, Note, Report, split_outside
from linecheck.expand.request import names_of
from linecheck.judge.failures import FAILED, keep_failures_in
from linecheck.language.relations import one_relation, split, without_words
from linecheck.language.terms import LineError

MOST_LINES = 12
RELATION = re.compile(r"==|<=|>=|!=|[≤≥≠=<>]")

JUDGE_FAILED = FAILED  # what is told of a line on which the judge itself failed
keep_failures_in(progress_folder)

NOT_COMPARED = (
    "Your lines could not be compared with this step, most often for lack of time. It is not "
    "called wrong, and earns nothing yet: run the check once more."
)
TOO_STRICT = Slip("The relation", "The two sides can be equal, so `<` is too much; `<=` holds.")
NOT_EQUAL = Slip("The relation", "The two sides are not always equal; `<=` holds.")


@dataclass(frozen=True)
class Step:
    """A way-point that some line must reach: what it does, in words, and the expression.

    An equal line is as good, unless `without` occurs in it: `dot(a + b, a + b)` expands nothing.
    """

    name: str
    expression: str
    points: float = 1.0
    without: str = ""  # a regular expression


@dataclass(frozen=True)
class Proof:
    """A derivation from `start` through the steps, the last of which is the goal.

    The chain may use the relations `=`, `<=`, `<` only, so that its ends are related as well. The
    hypotheses are the exercise's: a line that would add one is refused.
    """

    name: str
    start: str
    steps: tuple[Step, ...]
    symbols: Mapping[str, str]
    given: tuple[str, ...] = ()
    sizes: Mapping[str, Sequence[int]] = field(default_factory=dict)
    clean_points: float = 1.0  # for a derivation without a wrong line that reaches its goal
    slips: tuple[Slip, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """One text."""
        return (self.name,)

    @property
    def points(self) -> float:
        """Points of all steps, and of a clean derivation."""
        return float(sum(step.points for step in self.steps) + self.clean_points)

    def judge(self, answers: tuple[object, ...], run: Runner) -> PartOutcome:
        """The verdict on every step; the verdicts on the lines stand with the first failure."""

        (answer,) = answers
        # By name: where the judge was imported afresh, its classes are others.
        if type(answer).__name__ != Derivation.__name__ or not hasattr(answer, "report"):
            return self._verdict_on(handed_over(answer, run))
        (reply,) = run(Ask("lines", answer), [()])
        return self._verdict_on(reply)

    def _verdict_on(self, reply: Reply) -> PartOutcome:
        if reply.status != "returned":
            return self._all("error", trouble(reply))
        text = reply.value
        if untouched(text) or (isinstance(text, str) and not text.strip()):
            return self._all("not attempted", "")
        if not isinstance(text, str):
            return self._all("wrong", "Write the derivation as one text, a line for each step.")
        lines, problem = self._read(text)
        if problem:
            return self._all("wrong", problem)
        report = self.report(lines)
        told = tuple(f"{k.number - 1}. {k.text.strip()}   {_verdict(k)}" for k in report.lines)
        steps = (self._step(step, report, told) for step in self.steps)
        cases = (self._clean(report, told), *steps)
        right = all(case.verdict == "right" for case in cases)
        return PartOutcome(self.name, cases, None if right else self._slip(report))

    def report(self, lines: Sequence[str]) -> Report:
        """The verdicts on the lines of a chain that begins at `start`."""
        *waypoints, goal = (step.expression for step in self.steps)
        return Derivation.from_text(
            "\n".join(lines),
            self.name,
            symbols=self.symbols,
            given=list(self.given),
            sizes=self.sizes,
            start=self.start,
            goal=goal,
            waypoints=waypoints,
            refused=self._refused,
        ).report()

    def _read(self, text: str) -> tuple[list[str], str]:
        """The lines, without the start if it was written once more; or what is wrong with them."""
        lines = [line.strip() for line in text.splitlines()]
        lines = [line for line in lines if line.partition("#")[0].strip()]
        if not lines:
            return [], "There is no line yet, only reasons."
        if _bare(lines[0].partition("#")[0]) == _bare(self.start):
            lines = lines[1:]
        first = RELATION.search(lines[0]) if lines else None
        if first and _bare(lines[0][: first.start()]) == _bare(self.start):
            lines[0] = lines[0][first.start() :]  # `start = …` is as good as `= …`
        if len(lines) > MOST_LINES:
            return [], f"There are {len(lines)} lines; at most {MOST_LINES} are read."
        return lines, ""

    def _refused(self, line: str) -> str:
        """Why a line may not stand in this chain, or ""."""
        names = names_of(self.symbols, {})
        try:
            without_words(line, names)
            sides, relations = split(line)
        except LineError as problem:
            return problem.message
        if ":" in line or line.startswith("given") or len(split_outside(line, r"\bif\b")) > 1:
            return "only relations and expressions stand here; the hypotheses are given"
        if not relations or sides[0]:
            return "a line begins with its relation, `=` or `<=`"
        if len(relations) > 1:
            return one_relation(relations).message
        if relations[0] not in ("==", "<=", "<"):
            return "a chain of `=` and `<=` only, so that both ends compare"
        return ""

    def _clean(self, report: Report, told: tuple[str, ...]) -> CaseOutcome:
        name = "every line holds, up to the goal"
        wrong, open_ = _wrong(report), _undecided(report)
        if wrong:
            complaint = _told_wrong(wrong[0])
        elif open_:
            return CaseOutcome(
                name, "not decided", self.clean_points, complaint=_told_open(open_[0]), lines=told
            )
        elif report.goal_reached:
            return CaseOutcome(name, "right", self.clean_points)
        elif any(line.note is Note.LEAP for line in report.lines):
            complaint = "The goal is reached in one leap; write the steps."
        elif self._unsure(self.steps[-1], report):
            return CaseOutcome(
                name, "not decided", self.clean_points, complaint=NOT_COMPARED, lines=told
            )
        else:
            complaint = "The goal is not reached yet."
        return CaseOutcome(name, "wrong", self.clean_points, complaint=complaint, lines=told)

    def _step(self, step: Step, report: Report, told: tuple[str, ...]) -> CaseOutcome:
        """A step is made by a line that equals it; in a proved chain one line may make two."""
        lines = [line for line in report.lines if line.credit]
        proved = [line for line in lines if line.verdict and line.verdict.status == "PROVED"]
        reached = (not step.without and step.expression not in report.missing) or any(
            self._does(step, line) for line in proved
        )
        whole = report.goal_reached and not _wrong(report) and not _undecided(report)
        if reached or (whole and len(lines) > 1 and not step.without):
            return CaseOutcome(step.name, "right", step.points)
        open_ = _undecided(report)
        if open_:
            return CaseOutcome(
                step.name, "not decided", step.points, complaint=_told_open(open_[0]), lines=told
            )
        if self._unsure(step, report):
            return CaseOutcome(
                step.name, "not decided", step.points, complaint=NOT_COMPARED, lines=told
            )
        complaint = "No verified line does this step by itself."
        return CaseOutcome(step.name, "wrong", step.points, complaint=complaint, lines=told)

    def _does(self, step: Step, line: LineReport) -> bool:
        found = self._compared(step, line)
        return found is not None and found.holds

    def _unsure(self, step: Step, report: Report) -> bool:
        """Whether a verified line could not be compared with the step: on a busy machine."""
        lines = [line for line in report.lines if line.credit]
        return any(
            found is not None and found.status in ("UNDECIDED", "INTERNAL")
            for found in (self._compared(step, line) for line in lines)
        )

    def _compared(self, step: Step, line: LineReport) -> Judgement | None:
        """The verdict on a line that may do the step; none where it holds what it must not."""
        _, expression = _parts(line)
        if step.without and re.search(step.without, expression):
            return None
        return self._asked(expression, "==", step.expression)

    def _all(self, found: Verdict, complaint: str) -> PartOutcome:
        names = [("every line holds, up to the goal", self.clean_points)]
        names += [(step.name, step.points) for step in self.steps]
        cases = (CaseOutcome(name, found, points, complaint=complaint) for name, points in names)
        return PartOutcome(self.name, tuple(cases))

    def _slip(self, report: Report) -> Slip | None:
        """The slip in the first wrong line that has a known one.

        After a wrong line the relation of the next one says nothing: it is compared with that line.
        """
        before, stumbled = self.start, False
        for line in report.lines[1:]:
            relation, expression = _parts(line)
            if line.verdict and line.verdict.status == "REFUTED":
                slip = self._slip_in(before, relation, expression)
                if slip and not (stumbled and slip in (NOT_EQUAL, TOO_STRICT)):
                    return slip
                stumbled = True
            if line.verdict and line.verdict.status != "INVALID":
                before = expression
        return None

    def _slip_in(self, before: str, relation: str, expression: str) -> Slip | None:
        """The slip in one wrong line.

        A term that is missing in the first line was forgotten; further down it may have been
        dropped on purpose, and only the relation is wrong.
        """
        weaker = relation != "<=" and self._holds(before, "<=", expression)
        if weaker and relation == "<":
            return TOO_STRICT
        if weaker and _bare(before) != _bare(self.start):
            return NOT_EQUAL
        for slip in self.slips:
            if any(self._holds(expression, "==", line) for line in self.wrong_lines(slip)):
                return slip
        return NOT_EQUAL if weaker else None

    def wrong_lines(self, slip: Slip) -> tuple[str, ...]:
        """The wrong lines a slip stands for: way-points after its edits."""
        return tuple(line for _, line in self.wrong_steps(slip))

    def wrong_steps(self, slip: Slip) -> Iterator[tuple[int, str]]:
        """The wrong lines of a slip, each with the step in whose place it would stand."""
        for way in slip.ways:
            edits = (way,) if isinstance(way, str) else way
            assert isinstance(edits, tuple)
            for place, step in enumerate(self.steps):
                try:
                    for line in edited_texts(step.expression, edits):
                        yield place, line
                except EditError:
                    continue

    @property
    def lines(self) -> tuple[str, ...]:
        """The way-points as lines of a derivation."""
        return tuple(step.expression for step in self.steps)

    @staticmethod
    def chain(lines: Sequence[str]) -> str:
        """Lines as a text: the first equal to the start, each other at least as large."""
        return "\n".join([f"= {lines[0]}", *(f"<= {line}" for line in lines[1:])])

    def _holds(self, a: str, relation: str, b: str) -> bool:
        return self._asked(a, relation, b).holds

    def _asked(self, a: str, relation: str, b: str) -> Judgement:
        return verdict(a, b, self.symbols, relation, self.given, sizes=self.sizes, explain=False)


def _wrong(report: Report) -> list[LineReport]:
    """The lines that do not hold."""
    open_ = _undecided(report)
    judged = [line for line in report.lines if line.verdict and not line.verdict.holds]
    return [line for line in judged if line not in open_]


def _undecided(report: Report) -> list[LineReport]:
    """The lines of which it is not known, also because the judge itself failed."""
    open_ = ("UNDECIDED", "INTERNAL")
    found = [line for line in report.lines if line.verdict and line.verdict.status in open_]
    return [line for line in found if line.verdict and line.verdict.reason != UNREAD]


def _told_wrong(line: LineReport) -> str:
    where = f"Line {line.number - 1}"
    if line.verdict and line.verdict.status == "INVALID":
        return f"{where}: {line.verdict.reason.splitlines()[0]}."
    return f"{where} does not hold."


def _told_open(line: LineReport) -> str:
    if line.verdict and line.verdict.status == "INTERNAL":
        return f"Line {line.number - 1}: {line.verdict.reason}."
    return (
        f"It is not known whether line {line.number - 1} holds: it was neither proved nor refuted. "
        "It earns nothing, and it is not called wrong. Smaller steps may decide it."
    )


def _parts(line: LineReport) -> tuple[str, str]:
    """The relation in front of a line and what follows it, as typed."""
    found = RELATION.match(line.text)
    relation = found[0].replace("≤", "<=") if found else "="
    return relation, line.text[found.end() if found else 0 :].strip()


def _bare(text: str) -> str:
    return re.sub(r"\s", "", text)


def _verdict(line: LineReport) -> str:
    note = f" ({line.note})" if line.note in (Note.SAME, Note.LEAP) else ""
    return f"{str(line.verdict).splitlines()[0]}{note}" if line.verdict else "the start"
