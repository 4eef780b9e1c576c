"""An answer that is a derivation, typed line by line: judged by its ideas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from lectures_lib.checks.exercise import Runner, Slip
from lectures_lib.checks.judging.ideas import Reading
from lectures_lib.checks.kinds.given import Given
from lectures_lib.checks.running.named_calls import Ask
from lectures_lib.checks.running.plain_data import Plain
from lectures_lib.checks.student.progress import progress_folder
from lectures_lib.checks.telling.outcomes import CaseOutcome, PartOutcome, Verdict
from lectures_lib.checks.writing.edits import EditError, edited_texts
from linecheck import Derivation
from linecheck import Verdict as Judgement
from linecheck.derivation.lines import split_outside
from linecheck.derivation.remembered import verdict_on
from linecheck.expand.request import names_of
from linecheck.judge.ask import to_request
from linecheck.judge.failures import FAILED, keep_failures_in
from linecheck.judge.verdicts import Status
from linecheck.language.relations import one_relation, split, without_words
from linecheck.language.terms import LineError

MOST_LINES = 12
RELATION = re.compile(r"==|<=|>=|!=|[≤⩽≥⩾≠=<>]")
GOAL = "every line holds, up to the goal"

JUDGE_FAILED = FAILED  # what is told of a line on which the judge itself failed
keep_failures_in(progress_folder)

TOO_STRICT = Slip("The relation", "The two sides can be equal, so `<` says too much; `<=` holds.")
NOT_EQUAL = Slip("The relation", "The two sides are not always equal; `<=` holds.")


@dataclass(frozen=True)
class Step:
    """A line of our own derivation, and the idea that it shows, or the goal.

    `shown` says by what the idea is recognised, as `lectures_lib.checks.judging.ideas` reads it;
    without it, by this line. A goal is recognised by its line as well.
    """

    name: str
    expression: str
    points: float = 1.0  # 0 for a line that only stands between
    shown: tuple[str, ...] = ()

    @property
    def ways(self) -> tuple[str, ...]:
        return self.shown or (f"is {self.expression}",)


@dataclass(frozen=True)
class Line:
    """One line of an answer, with what was found out about it."""

    number: int
    text: str
    relation: str
    expression: str
    judged: Judgement
    proved: bool = False  # from the start up to here
    equal: bool = False  # and by `=` alone
    again: bool = False  # the line before once more
    open: bool = False  # neither proved nor false

    @property
    def unread(self) -> bool:
        return self.judged.status is Status.INVALID

    @property
    def false(self) -> bool:
        """Whether it was shown not to hold."""
        return not self.open and self.judged.status in (Status.REFUTED, Status.DOMAIN)

    @property
    def told(self) -> str:
        note = " (says the same as before)" if self.again else ""
        return f"{self.number}. {self.text}   {str(self.judged).splitlines()[0]}{note}"


@dataclass(frozen=True)
class Proof(Given):
    """A derivation from `start` through ideas, the steps, to the goal, the last of them.

    An idea earns its points in a proved line that shows it, whatever the order; the goal its own
    when the whole chain is proved, with the relation that is asked, and shows an idea before.
    The chain may use `=`, `<=`, `<` only, so that its ends are related as well. The hypotheses are
    the exercise's: a line that would add one is refused.
    """

    name: str = field()
    start: str
    steps: tuple[Step, ...]
    symbols: Mapping[str, str]
    given: tuple[str, ...] = ()
    sizes: Mapping[str, Sequence[int]] = field(default_factory=dict)
    asked: str = "="  # how the goal is related to the start
    slips: tuple[Slip, ...] = ()

    @property
    def credits(self) -> tuple[tuple[str, float], ...]:
        ideas = ((idea.name, idea.points) for idea in self.ideas)
        return ((GOAL, self.goal.points), *ideas)

    @property
    def ideas(self) -> tuple[Step, ...]:
        return tuple(step for step in self.steps[:-1] if step.points)

    @property
    def goal(self) -> Step:
        return self.steps[-1]

    @cached_property
    def reading(self) -> Reading:
        """How lines are compared."""
        return Reading(self.symbols, self.start)

    def judge(self, answers: tuple[object, ...], run: Runner) -> PartOutcome:
        """A derivation of `linecheck` is as good as its text."""
        (answer,) = answers
        # By name: where the judge was imported afresh, its classes are others.
        if type(answer).__name__ != Derivation.__name__ or not hasattr(answer, "lines"):
            return super().judge(answers, run)
        (reply,) = run(Ask("lines", answer), [()])
        return self.judge_reply(reply)

    def judged(self, *values: Plain) -> PartOutcome:
        """The verdict on every idea; the verdicts on the lines stand with the first failure."""
        (text,) = values
        if not isinstance(text, str):
            return self.every("wrong", "Write the derivation as one text, a line for each step.")
        if not text.strip():
            return self.every("not attempted")
        typed, problem = self._read(text)
        if problem:
            return replace(self.every("wrong", problem), word="Incomplete")
        return self._outcome(list(self.lines_of(typed)))

    # the lines

    def _read(self, text: str) -> tuple[list[str], str]:
        """The lines, without the start if it was written once more; or what is wrong with them."""
        lines = [line.partition("#")[0].strip() for line in text.splitlines()]
        lines = [line for line in lines if line]
        if not lines:
            return [], "There is no line yet, only reasons."
        first = RELATION.search(lines[0])
        begins = lines[0][: first.start()] if first else lines[0]
        if _bare(begins) == _bare(self.start):  # `start = …` is as good as `= …`
            lines = [lines[0][first.start() :], *lines[1:]] if first else lines[1:]
        if not lines:
            return [], "There is no line yet, only the start."
        if len(lines) > MOST_LINES:
            return [], f"There are {len(lines)} lines; at most {MOST_LINES} are read."
        return lines, ""

    def lines_of(self, typed: Sequence[str]) -> Iterator[Line]:
        """Each line, judged from the last one that could be read."""
        before = sure = self.start  # `sure`: the last line that is proved from the start
        equal = linked = True
        skipped = 0
        for number, text in enumerate(typed, 1):
            try:
                relation, expression = self._taken_apart(text)
                judged = self._asked(before, relation, expression, explain=True)
            except LineError as problem:
                relation, expression = "", ""
                judged = Judgement(Status.INVALID, problem.message)
            if judged.status is Status.INVALID:
                skipped = number
                yield Line(number, text, relation, expression, judged)
                continue
            holds = judged.status is Status.PROVED and judged.holds
            open_ = not holds and judged.status not in (Status.REFUTED, Status.DOMAIN)
            if skipped and judged.status is Status.REFUTED:
                told = f"line {skipped} could not be read, and without it this one does not follow"
                open_, judged = True, Judgement(Status.UNDECIDED, told)
            equal = equal and relation == "=="
            proved = holds and (linked or self.holds(sure, "==" if equal else "<=", expression))
            again = self.reading.same(before, expression)
            yield Line(number, text, relation, expression, judged, proved, equal, again, open_)
            linked, before, skipped = proved, expression, 0
            sure = expression if proved else sure

    def _taken_apart(self, line: str) -> tuple[str, str]:
        """The relation and what follows it; LineError if the line may not stand in this chain."""
        without_words(line, names_of(self.symbols, {}))
        sides, relations = split(line)
        if ":" in line or line.startswith("given") or len(split_outside(line, r"\bif\b")) > 1:
            raise LineError("only relations and expressions stand here; the hypotheses are given")
        if not relations or sides[0]:
            raise LineError("a line begins with its relation, `=` or `<=`")
        if len(relations) > 1:
            raise one_relation(relations)
        if relations[0] not in ("==", "<=", "<"):
            raise LineError("a chain of `=` and `<=` only, so that both ends compare")
        return relations[0], sides[1]

    # what they earn

    def _outcome(self, lines: list[Line]) -> PartOutcome:
        shown = self._shown(lines)
        goal = next((line for line in lines if line.proved and self._is_goal(line)), None)
        false, unread, open_ = (
            next((line for line in lines if getattr(line, kind)), None)
            for kind in ("false", "unread", "open")
        )
        reached = goal is not None and (goal.equal or self.asked != "=") and bool(shown)
        found: Verdict = "wrong"
        if false:
            name, word, complaint = f"line {false.number}", "is false", _told_false(false)
        elif unread:
            name, word = f"line {unread.number}", "cannot be read"
            complaint = f"{unread.judged.reason.splitlines()[0].rstrip('.')}."
        elif open_ and not (reached and len(shown) == len(self.ideas)):
            found, name, word, complaint = "not decided", f"line {open_.number}", "", _open(open_)
        else:
            name = "line 1 is proved" if len(lines) == 1 else f"lines 1 to {len(lines)} are proved"
            word, complaint = "", self._missing(lines, shown, goal)
        told = tuple(line.told for line in lines)
        whole = reached and not false and not unread
        earned = [(step, points, step in shown) for step, points in self.credits]
        earned[0] = (GOAL, self.goal.points, whole)
        cases = tuple(
            CaseOutcome(step, "right", points)
            if has
            else CaseOutcome(name, found, points, complaint=complaint, lines=told)
            for step, points, has in earned
        )
        if all(has for *_, has in earned):
            return PartOutcome(self.name, cases)
        word = f"{name} {word}".capitalize() if word else "Incomplete"
        return PartOutcome(self.name, cases, self._slip(lines), word=word, summary=_list(shown))

    def _is_goal(self, line: Line) -> bool:
        ways = (f"is {self.goal.expression}", *self.goal.shown)
        return any(self.reading.shows(line.expression, way, True, True) for way in ways)

    def _shown(self, lines: Sequence[Line]) -> dict[str, int]:
        """The ideas that are shown, each with the number of the line that shows it first."""
        found: dict[str, int] = {}
        broken = False
        for line in lines:
            broken = broken or line.false
            if not line.proved or self.reading.same(line.expression, self.start):
                continue
            later, goal = bool(found) and not broken, self._is_goal(line)
            new = [
                idea.name
                for idea in self.ideas
                if idea.name not in found and self._shows(line, idea, later, goal)
            ]
            found |= dict.fromkeys(new, line.number)
        return found

    def _shows(self, line: Line, idea: Step, later: bool, goal: bool) -> bool:
        ways = [way for way in idea.ways if not goal or "later" in way.split("; ")]
        shown = [way for way in ways if self.reading.shows(line.expression, way, line.equal, later)]
        if shown and (line.equal or "bound" not in shown[0] or self._below_goal(line)):
            return True
        return (
            not line.equal  # a true `<=` may stand where `=` holds as well
            and any(self.reading.shows(line.expression, way, True, later) for way in ways)
            and self.holds(self.start, "==", line.expression)
        )

    def _below_goal(self, line: Line) -> bool:
        """Whether a step with `<=` leads from the line to the goal."""
        return self.holds(line.expression, "<=", self.goal.expression)

    # what is told

    def _missing(self, lines: list[Line], shown: dict[str, int], goal: Line | None) -> str:
        """What an answer without a false line lacks."""
        missing: dict[str, list[str]] = {}  # by where it is missing
        places = [0, *(shown.get(idea.name, 0) for idea in self.ideas)]
        for k, idea in enumerate(self.ideas):
            if idea.name in shown:
                continue
            ends = [place for place in places[k + 2 :] if place] + ([goal.number] if goal else [])
            begin = max(place for place in places[: k + 1] if not ends or place < min(ends))
            first = f"line {begin}" if begin else "the start"
            gap = f"From {first} to line {min(ends)} this is not shown" if ends else "To be shown"
            missing.setdefault(gap, []).append(idea.name)
        told = [f"{gap}: {'; '.join(names)}." for gap, names in missing.items()]
        weaker = next((line for line in lines if line.relation != "=="), None)
        if goal is None:
            told.append("The goal is not reached yet.")
            if self.asked != "=" and not self._below_goal(lines[-1]):
                told.append(f"Is line {lines[-1].number} not larger than the goal already?")
        elif self.asked == "=" and not goal.equal and weaker:
            told.append(
                f"Line {weaker.number} has `{weaker.relation}`. That holds, but the task asks for "
                "`=` from the start to the goal."
            )
        return " ".join(told)

    # slips

    def _slip(self, lines: Sequence[Line]) -> Slip | None:
        """The slip in the first false line that has a known one.

        After a false line the relation of the next one says nothing: it is compared with that line.
        """
        before, stumbled = self.start, False
        for line in lines:
            if line.false:
                slip = self._slip_in(before, line.relation, line.expression)
                if slip and not (stumbled and slip in (NOT_EQUAL, TOO_STRICT)):
                    return slip
                stumbled = True
            before = before if line.unread else line.expression
        return None

    def _slip_in(self, before: str, relation: str, expression: str) -> Slip | None:
        """The slip in one wrong line.

        A term that is missing in the first line was forgotten; further down it may have been
        dropped on purpose, and only the relation is wrong.
        """
        weaker = relation != "<=" and self.holds(before, "<=", expression)
        if weaker and relation == "<":
            return TOO_STRICT
        if weaker and _bare(before) != _bare(self.start):
            return NOT_EQUAL
        made = [(slip, line) for slip in self.slips for _, line in self.wrong_steps(slip)]
        as_typed = (slip for slip, line in made if self.reading.same(expression, line))
        equal = (slip for slip, line in made if self.holds(expression, "==", line))
        return next(as_typed, None) or next(equal, NOT_EQUAL if weaker else None)

    def wrong_steps(self, slip: Slip) -> Iterator[tuple[int, str]]:
        """The lines that a slip makes of ours, each with the step in whose place it would stand."""
        for way in slip.ways:
            assert not callable(way)
            for place, step in enumerate(self.steps):
                try:
                    for line in edited_texts(step.expression, way):
                        yield place, line
                except EditError:
                    continue

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(step.expression for step in self.steps)

    def chain(self, lines: Sequence[str]) -> str:
        """Lines as a text: each equal to the one before, or at least as large where that is so."""
        first, *others = lines
        return "\n".join([f"= {first}", *(f"{self.asked} {line}" for line in others)])

    def holds(self, a: str, relation: str, b: str) -> bool:
        """Whether it is proved under the hypotheses of the exercise."""
        return self._asked(a, relation, b).status is Status.PROVED

    def _asked(self, a: str, relation: str, b: str, explain: bool = False) -> Judgement:
        asked = to_request(a, b, self.symbols, relation, self.given, None, None, self.sizes)
        return verdict_on(replace(asked, explain=explain))


def _told_false(line: Line) -> str:
    witness = line.judged.witness
    if witness is None:
        return _sentence(line.judged.reason or "it does not hold")
    place = ", ".join(f"{name} = {value}" for name, value in witness.point)
    values = f"the left side is {witness.left} and the right side {witness.right}"
    told = f"at {place} {values}" if place else values
    undefined = line.judged.status is Status.DOMAIN
    return " ".join(map(_sentence, (told, line.judged.reason) if undefined else (told,)))


def _open(line: Line) -> str:
    if line.judged.status is Status.INTERNAL:
        return _sentence(line.judged.reason)
    return (
        f"We could not decide line {line.number}; it does not count against you. Write one step "
        "between it and the line before, and run the check again."
    )


def _list(shown: Mapping[str, int]) -> str:
    told = ", ".join(f"{name} (line {number})" for name, number in shown.items())
    return f"Shown: {told}." if told else "No idea is shown yet."


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."


def _bare(text: str) -> str:
    return re.sub(r"\s", "", text)
