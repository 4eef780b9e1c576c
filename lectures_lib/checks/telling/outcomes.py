"""What a check found: one of not attempted, error, wrong, right; as data, as text, as a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Literal, TypeAlias

from lectures_lib.checks.telling import html
from lectures_lib.checks.telling.formulas import plain

if TYPE_CHECKING:
    from lectures_lib.checks.exercise import Exercise, Slip
    from lectures_lib.figures import Scene

Verdict = Literal["right", "wrong", "error", "not attempted", "not run", "not decided"]

# White words stand out on each colour (>= 4.5:1), each colour on a page of either theme (>= 3:1).
_LOOKS: dict[Verdict, html.Look] = {
    "right": html.Look("✓", "#1a7f53", "12px"),
    "wrong": html.Look("✗", "#b9511a", "2px"),
    "error": html.Look("!", "#c8365c", "2px 12px 2px 12px"),
    "not attempted": html.Look("○", "#6a6f77", "12px 2px 2px 12px"),
    "not run": html.Look("○", "#6a6f77", "12px 2px 2px 12px"),
    "not decided": html.Look("?", "#6a6f77", "2px 12px 12px 2px"),
}


@dataclass(frozen=True)
class Choice:
    """One choice of a question, or an answer to it: is it right, and why (or why not)."""

    letter: str
    text: str
    right: bool
    why: str

    @property
    def name(self) -> str:
        return f"{self.letter}, {self.text.rstrip('.')}" if self.text else self.letter

    @property
    def sign(self) -> str:
        return "✓" if self.right else "✗"

    @property
    def word(self) -> str:
        return "right" if self.right else "not the answer"


@dataclass(frozen=True)
class CaseOutcome:
    """The verdict on one case, with everything that is shown of it."""

    name: str
    verdict: Verdict
    out_of: float = 0.0  # where cases have points of their own
    given: str = ""
    came_out: str = ""
    expected: str = ""
    complaint: str = ""  # one or two sentences
    lines: tuple[str, ...] = ()  # the student's own lines of the traceback
    printed: str = ""
    differs: str = ""  # what is wrong with the results; a named slip says it better
    picture: Scene | None = None  # the answer beside what was expected
    options: tuple[Choice, ...] = ()  # of a question: those that were chosen, in the end all

    @property
    def points(self) -> float:
        return self.out_of if self.verdict == "right" else 0.0


@dataclass(frozen=True)
class PartOutcome:
    """The cases of one answer, the slip that explains them if one does, and what was adapted.

    What was adapted explains nothing once a slip does: it is only told without one. `earned` are
    the points where they are not those of the cases.
    """

    name: str
    cases: tuple[CaseOutcome, ...]
    slip: Slip | None = None
    notes: tuple[str, ...] = ()
    earned: float | None = None
    summary: str = ""  # how many cases are right, where that is said
    word: str = ""  # the verdict, where it says more than "wrong"
    by: str = ""  # what was called where it should have been written
    borrowed: float = 0.0  # the points of that

    @property
    def points(self) -> float:
        own = sum(case.points for case in self.cases)
        return float(own if self.earned is None else self.earned)

    @property
    def first_failure(self) -> CaseOutcome | None:
        """The case to look at first."""
        failed = [case for case in self.cases if case.verdict not in ("right", "not attempted")]
        return failed[0] if failed else None


@dataclass(frozen=True)
class Outcome:
    """The answer of `check`. Its text is the same on every machine."""

    exercise: Exercise
    parts: tuple[PartOutcome, ...]
    notes: tuple[str, ...] = ()  # about the machine, not about the answer
    next_steps: str = ""  # after a right answer: where the reader stands, and what comes next

    @property
    def cases(self) -> tuple[CaseOutcome, ...]:
        return tuple(case for part in self.parts for case in part.cases)

    @property
    def status(self) -> Verdict:
        """The verdict on the whole; the first failure decides between error and wrong."""
        verdicts = [case.verdict for case in self.cases]
        if all(verdict == "right" for verdict in verdicts):
            return "right"
        if all(verdict == "not attempted" for verdict in verdicts):
            return "not attempted"
        failures = [part.first_failure for part in self.parts if part.first_failure]
        if failures and all(verdict != "wrong" for verdict in verdicts):
            return failures[0].verdict if failures[0].verdict == "not decided" else "error"
        return "error" if failures and failures[0].verdict == "error" else "wrong"

    @property
    def points(self) -> float:
        return float(sum(part.points for part in self.parts))

    @property
    def out_of(self) -> float:
        return self.exercise.points

    @property
    def slips(self) -> tuple[Slip, ...]:
        return tuple(part.slip for part in self.parts if part.slip is not None)

    def __repr__(self) -> str:
        return as_text(self)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": as_text(self), "text/html": outcome_page(self, hints=True)}


def number(points: float) -> str:
    """Points as they are written: 4, 2.5."""
    return f"{points:g}"


def verdict_word(outcome: Outcome) -> str:
    """The verdict; a part that is missing is no mistake."""
    if outcome.status == "not attempted" and not outcome.out_of:
        return "Say first" if outcome.exercise.question else "Write it"
    failed = [part for part in outcome.parts if part.first_failure]
    if outcome.status != "wrong":
        return outcome.status.capitalize()
    return (failed[0].word or "Wrong") if failed else "Right so far"


def headline(outcome: Outcome) -> str:
    if not outcome.out_of:
        return outcome.exercise.title
    title = outcome.exercise.title.rstrip(".")
    comma = "" if title.endswith("?") else ","
    return f"{title}{comma} {number(outcome.points)} of {number(outcome.out_of)} points."


def other_cases(part: PartOutcome) -> str:
    """One sentence on the cases of a part, or nothing when there is only one."""
    if part.summary or len(part.cases) < 2:
        return part.summary
    right = sum(case.verdict == "right" for case in part.cases)
    return f"{right} of {len(part.cases)} cases {'is' if right == 1 else 'are'} right."


def not_attempted(outcome: Outcome) -> str:
    """What to do when nothing has been done yet."""
    if outcome.exercise.example:
        return f"Your answer goes into this cell, as in `{outcome.exercise.example}`; run it again."
    names = " and ".join(f"`{name}`" for name in outcome.exercise.names)
    if not outcome.out_of:
        return f"Write {names} in place of the dots, and run this cell again."
    return f"Write {names} in the cell above, run that cell, then this one."


def notes_of(outcome: Outcome) -> list[str]:
    """What was adapted in the answers, then what concerns the machine; each once."""
    adapted = [note for part in outcome.parts if part.slip is None for note in part.notes]
    return list(dict.fromkeys([*adapted, *outcome.notes]))


Block: TypeAlias = tuple[list[str], str]  # the same in lines of text and as HTML


def as_text(outcome: Outcome) -> str:
    return "\n".join(line for lines, _ in _blocks(outcome) for line in lines)


def outcome_page(outcome: Outcome, hints: bool = False) -> str:
    """The outcome as HTML, with a button for each hint where the learner reads it."""
    blocks = [page for _, page in _blocks(outcome)]
    if hints and outcome.status != "right":
        steps = zip(outcome.exercise.hint_names, outcome.exercise.hints, strict=True)
        named = [(f"Hint {k} of 3: {step}", hint) for k, (step, hint) in enumerate(steps, 1)]
        blocks.append(html.disclosures(named))
    colour = _LOOKS[outcome.status].colour
    return html.frame(colour, blocks, f"Check of {outcome.exercise.title}")


def _blocks(outcome: Outcome) -> Iterator[Block]:
    exercise, status = outcome.exercise, outcome.status
    word, headed = verdict_word(outcome), headline(outcome)
    yield [f"{word}: {headed}"], html.head(_LOOKS[status], word, headed)
    if exercise.question and status != "right":
        yield _words(plain(exercise.question), exercise.question)
        yield _still(exercise)
    if status == "not attempted":
        yield _words(not_attempted(outcome))
    elif status == "right":
        for case in outcome.cases:
            yield _options(case)
        yield _words(plain(exercise.remark), exercise.remark)
        yield _words(outcome.next_steps)
    else:
        for part in outcome.parts:
            yield from _part_blocks(part, outcome)
    if exercise.hints and status != "right":
        yield [f'hint("{exercise.id}") opens a hint.'], ""  # a page has buttons
    for note in notes_of(outcome):
        yield _words(f"Note: {note}")


def _words(text: str, page: str = "", indent: str = "") -> Block:
    return ([f"{indent}{text}"] if text else []), html.paragraph(page or text)


def _options(case: CaseOutcome) -> Block:
    told = [plain(f"  {o.name}: {o.word}. {o.why}") for o in case.options]
    return told, html.choices(case.options)


def _still(exercise: Exercise) -> Block:
    """The choices, or the picture, of a question: hidden where they can be clicked."""
    listed = [choice for part in exercise.parts for choice in getattr(part, "choices", ())]
    draws = [getattr(part, "picture", None) for part in exercise.parts]
    pictures = "".join(html.picture(draw()) for draw in draws if draw)
    texts = [plain(f"  {choice.letter}, {choice.text}") for choice in listed]
    return texts, html.still([(choice.letter, choice.text) for choice in listed], pictures)


def _part_blocks(part: PartOutcome, outcome: Outcome) -> Iterator[Block]:
    case = part.first_failure
    if case is None:
        right = all(case.verdict == "right" for case in part.cases)
        yield _words(f"`{part.name}` is {'right' if right else 'not attempted yet'}.")
        return
    yield _words(f"`{part.name}`, {case.name}:")
    rows = (("given", case.given), ("came out", case.came_out), ("expected", case.expected))
    known = [(label, text) for label, text in rows if text]
    yield [f"  {label:9} {text}" for label, text in known], html.table(known)
    yield _words(f"{'' if part.slip else case.differs} {case.complaint}".strip(), indent="  ")
    yield _options(case)
    yield [f"    {line}" for line in case.lines], html.code(case.lines)
    yield _words(f"It printed: {case.printed}" if case.printed else "", indent="  ")
    if case.picture:
        yield [f"  Picture: {case.picture.describe()}"], html.picture(case.picture)
    if part.slip is not None and not case.options:
        name, message = part.slip.name, part.slip.message
        if part.slip.erratum:
            message += f" The errata of the lecture notes have it too: {part.slip.erratum}."
        section = outcome.exercise.place(part.slip)
        link = f'<a href="{escape(section.link)}">{escape(section.words)}</a>'
        told = f"<strong>{html.marked(name)}:</strong> {html.marked(message)} See {link}."
        yield [plain(f"  {name}: {message}"), f"  See {section.words}."], html.wrap(told)
    yield _words(other_cases(part), indent="  ")
