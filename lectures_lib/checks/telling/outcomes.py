"""What a check found: one of not attempted, error, wrong, right; as data, as text, as a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

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
class Option:
    """What is said about one option of a question."""

    letter: str
    text: str
    right: bool
    why: str

    @property
    def name(self) -> str:
        """The letter and the text; a number stands for itself."""
        return f"{self.letter}, {self.text}" if self.text else self.letter

    @property
    def sign(self) -> str:
        """For the eye only."""
        return "✓" if self.right else "✗"

    @property
    def word(self) -> str:
        """For everybody."""
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
    options: tuple[Option, ...] = ()  # of a question: those that were chosen, in the end all

    @property
    def points(self) -> float:
        """All points of a right case, none otherwise."""
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
        """Points earned."""
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
    notes: tuple[str, ...] = field(default=())  # about the machine, not about the answer
    next_steps: str = ""  # after a right answer: where the reader stands, and what comes next

    @property
    def cases(self) -> tuple[CaseOutcome, ...]:
        """The cases of all parts."""
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
        """Points earned, part by part."""
        return float(sum(part.points for part in self.parts))

    @property
    def out_of(self) -> float:
        """Points that can be earned."""
        return self.exercise.points

    @property
    def slips(self) -> tuple[Slip, ...]:
        """The slips that explain what came out."""
        return tuple(part.slip for part in self.parts if part.slip is not None)

    def with_note(self, note: str) -> Outcome:
        """The same outcome with one more note, if there is one."""
        return replace(self, notes=(*self.notes, note)) if note else self

    def with_next_steps(self, words: str) -> Outcome:
        """The same outcome, saying where to go on."""
        return replace(self, next_steps=words)

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
    """The exercise and the points."""
    if not outcome.out_of:
        return outcome.exercise.title
    title = outcome.exercise.title.rstrip(".")
    comma = "" if title.endswith("?") else ","
    return f"{title}{comma} {number(outcome.points)} of {number(outcome.out_of)} points."


def facts(case: CaseOutcome) -> list[tuple[str, str]]:
    """What was given, what came out, what was expected, as far as there is something to say."""
    rows = (("given", case.given), ("came out", case.came_out), ("expected", case.expected))
    return [(label, text) for label, text in rows if text]


def standing(part: PartOutcome) -> str:
    """One sentence on a part without a failure."""
    if all(case.verdict == "right" for case in part.cases):
        return f"`{part.name}` is right."
    return f"`{part.name}` is not attempted yet."


def slip_text(slip: Slip) -> str:
    """The slip's message, and the erratum where the notes make the same slip."""
    also = f" The errata of the lecture notes have it too: {slip.erratum}." if slip.erratum else ""
    return f"{slip.message}{also}"


def complaint(case: CaseOutcome, slip: Slip | None) -> str:
    """What is wrong with a case, in words, as far as its numbers and its slip do not say it."""
    return f"{'' if slip else case.differs} {case.complaint}".strip()


def other_cases(part: PartOutcome) -> str:
    """One sentence on the cases of a part, or nothing when there is only one."""
    if part.summary or len(part.cases) < 2:
        return part.summary
    right = sum(case.verdict == "right" for case in part.cases)
    return f"{right} of {len(part.cases)} cases {'is' if right == 1 else 'are'} right."


def choices_of(exercise: Exercise) -> list[tuple[str, str]]:
    """The letters and texts from which a question lets one choose."""
    parts = exercise.parts if exercise.question else ()
    return [(c.letter, c.text) for part in parts for c in getattr(part, "choices", ())]


def not_attempted(outcome: Outcome) -> str:
    """What to do when nothing has been done yet."""
    if outcome.exercise.example:
        return f"Your answer goes into this cell, as in `{outcome.exercise.example}`; run it again."
    names = " and ".join(f"`{name}`" for name in outcome.exercise.names)
    if not outcome.out_of:
        return f"Write {names} in place of the dots, and run this cell again."
    return f"Write {names} in the cell above, run that cell, then this one."


def hint_line(outcome: Outcome) -> str:
    """How to ask for a hint."""
    return f'hint("{outcome.exercise.id}") opens a hint.'


def notes_of(outcome: Outcome) -> list[str]:
    """What was adapted in the answers, then what concerns the machine; each once."""
    adapted = [note for part in outcome.parts if part.slip is None for note in part.notes]
    return list(dict.fromkeys([*adapted, *outcome.notes]))


def as_text(outcome: Outcome) -> str:
    """The outcome in plain text."""
    lines = [f"{verdict_word(outcome)}: {headline(outcome)}"]
    if outcome.exercise.question and outcome.status != "right":
        lines.append(plain(outcome.exercise.question))
        lines += [plain(f"  {letter}, {text}") for letter, text in choices_of(outcome.exercise)]
    if outcome.status == "not attempted":
        lines.append(not_attempted(outcome))
    elif outcome.status == "right":
        lines += [line for part in outcome.parts for line in _option_lines(part.cases)]
        remark = plain(outcome.exercise.remark)
        lines += [words for words in (remark, outcome.next_steps) if words]
    else:
        for part in outcome.parts:
            lines += _part_text(part, outcome)
    if outcome.exercise.hints and outcome.status != "right":
        lines.append(hint_line(outcome))
    lines += [f"Note: {note}" for note in notes_of(outcome)]
    return "\n".join(lines)


def _option_lines(cases: Sequence[CaseOutcome]) -> list[str]:
    told = (f"  {o.name}: {o.word}. {o.why}" for case in cases for o in case.options)
    return [plain(line) for line in told]


def _part_text(part: PartOutcome, outcome: Outcome) -> list[str]:
    case = part.first_failure
    if case is None:
        return [standing(part)]
    lines = [f"`{part.name}`, {case.name}:"]
    lines += [f"  {label:9} {text}" for label, text in facts(case)]
    wrong = complaint(case, part.slip)
    lines += [f"  {wrong}"] if wrong else []
    lines += _option_lines([case])
    lines += [f"    {line}" for line in case.lines]
    lines += [f"  It printed: {case.printed}"] if case.printed else []
    lines += [f"  Picture: {case.picture.describe()}"] if case.picture else []
    if part.slip is not None and not case.options:
        section = outcome.exercise.place(part.slip)
        lines.append(plain(f"  {part.slip.name}: {slip_text(part.slip)}"))
        lines.append(f"  See {section.words}.")
    lines += [f"  {other_cases(part)}"] if other_cases(part) else []
    return lines


def outcome_page(outcome: Outcome, hints: bool = False) -> str:
    """The outcome as HTML, with a button for each hint where the learner reads it."""
    look = _LOOKS[outcome.status]
    blocks = [html.head(look, verdict_word(outcome), headline(outcome))]
    if outcome.exercise.question and outcome.status != "right":
        blocks += [html.paragraph(outcome.exercise.question), _still(outcome.exercise)]
    if outcome.status == "not attempted":
        blocks.append(html.paragraph(not_attempted(outcome)))
    elif outcome.status == "right":
        blocks += [html.choices(case.options) for case in outcome.cases]
        blocks += [html.paragraph(outcome.exercise.remark), html.paragraph(outcome.next_steps)]
    else:
        blocks += [_part_page(part, outcome) for part in outcome.parts]
    blocks += [html.paragraph(f"Note: {note}") for note in notes_of(outcome)]
    if hints and outcome.exercise.hints and outcome.status != "right":
        steps = zip(outcome.exercise.hint_names, outcome.exercise.hints, strict=True)
        named = [(f"Hint {k} of 3: {step}", hint) for k, (step, hint) in enumerate(steps, 1)]
        blocks.append(html.disclosures(named))
    return html.frame(look.colour, blocks, f"Check of {outcome.exercise.title}")


def _still(exercise: Exercise) -> str:
    """The choices, or the picture, of a question: hidden where they can be clicked."""
    draws = [getattr(part, "picture", None) for part in exercise.parts]
    pictures = "".join(html.picture(draw()) for draw in draws if draw)
    return html.still(choices_of(exercise), pictures)


def _part_page(part: PartOutcome, outcome: Outcome) -> str:
    case = part.first_failure
    if case is None:
        return html.paragraph(standing(part))
    blocks = [
        html.paragraph(f"`{part.name}`, {case.name}:"),
        html.table(facts(case)),
        html.paragraph(complaint(case, part.slip)),
        html.choices(case.options),
        html.code(case.lines),
        html.paragraph(f"It printed: {case.printed}" if case.printed else ""),
        html.picture(case.picture),
    ]
    if part.slip is not None and not case.options:
        section = outcome.exercise.place(part.slip)
        message = html.marked(slip_text(part.slip))
        link = html.section_link(section.link, section.words)
        name = html.marked(part.slip.name)
        blocks.append(html.wrap(f"<strong>{name}:</strong> {message} See {link}."))
    blocks.append(html.paragraph(other_cases(part)))
    return "".join(blocks)
