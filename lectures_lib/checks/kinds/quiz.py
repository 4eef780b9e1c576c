"""A question with choices: each wrong choice has its own explanation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lectures_lib.checks.exercise import Runner, Slip
from lectures_lib.checks.judging.readings import show
from lectures_lib.checks.kinds.function import handed_over, trouble, untouched
from lectures_lib.checks.running.plain_data import Plain
from lectures_lib.checks.telling.outcomes import CaseOutcome, Option, PartOutcome, Verdict


@dataclass(frozen=True)
class Choice:
    """One choice: its letter, its text, whether it is right, and why (or why not)."""

    letter: str
    text: str
    right: bool
    why: str


@dataclass(frozen=True)
class Quiz:
    """A question; the answer is the letter of the right choice, or the letters if several are."""

    name: str
    choices: tuple[Choice, ...]
    points: float = 1.0
    slips: tuple[Slip, ...] = ()  # a distractor explains itself

    @property
    def letters(self) -> str:
        """The letters of the right choices."""
        return "".join(choice.letter for choice in self.choices if choice.right)

    @property
    def names(self) -> tuple[str, ...]:
        """One variable."""
        return (self.name,)

    def judge(self, answers: tuple[object, ...], run: Runner) -> PartOutcome:
        """Right if exactly the right letters were given; else why a given one is not."""
        reply = handed_over(answers[0], run)
        if reply.status != "returned":
            return self._one("error", trouble(reply), "")
        if untouched(reply.value):
            return self._one("not attempted", "", "")
        came = f"{self.name} = {show(reply.value)}"
        letters = self._letters(reply.value)
        if letters is None:
            known = ", ".join(f'"{choice.letter}"' for choice in self.choices)
            several = "" if len(self.letters) == 1 else ", several together in one text"
            return self._one("wrong", f"Expected one of {known}{several}.", came)
        chosen = [choice for choice in self.choices if choice.letter in letters]
        right = [choice for choice in self.choices if choice.right]
        if chosen == right:
            case = CaseOutcome("the choice", "right", self.points, options=_told(self.choices))
            return PartOutcome(self.name, (case,))
        distractors = [choice for choice in chosen if not choice.right]
        if distractors:
            first = distractors[0]
            slip = Slip(f"“{first.text}”", first.why)
            return self._one("wrong", "", came, slip, _told([first]))  # the others stay open
        missing = len(right) - len(chosen)
        hold = "holds" if missing == 1 else "hold"
        told = f"Right so far; {missing} more of the choices {hold}."
        return self._one("wrong", told, came, options=_told(chosen))

    def _letters(self, value: Plain) -> set[str] | None:
        """The letters in "b", "B)", "b, d", "bd" or ["b", "d"]; None if it is no choice."""
        entries = value if isinstance(value, tuple) else (value,)
        texts = [entry for entry in entries if isinstance(entry, str)]
        known = {choice.letter for choice in self.choices}
        between = "|".join({"and", "und", "y", "e"} - known)  # "e" can be a choice
        letters = set(re.sub(rf"\b({between})\b|[\W_]", "", " ".join(texts).lower()))
        complete = len(texts) == len(entries)
        return letters if complete and letters and letters <= known else None

    def _one(
        self,
        verdict: Verdict,
        complaint: str,
        came: str,
        slip: Slip | None = None,
        options: tuple[Option, ...] = (),
    ) -> PartOutcome:
        case = CaseOutcome(
            "the choice", verdict, self.points, came_out=came, complaint=complaint, options=options
        )
        return PartOutcome(self.name, (case,), slip)


def _told(choices: Iterable[Choice]) -> tuple[Option, ...]:
    """What is said about these choices."""
    return tuple(Option(c.letter, c.text, c.right, c.why) for c in choices)
