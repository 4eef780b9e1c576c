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


class Given:
    """A question whose answer is one variable with plain data."""

    what = "the answer"
    name: str
    points: float

    @property
    def names(self) -> tuple[str, ...]:
        """One variable."""
        return (self.name,)

    def judge(self, answers: tuple[object, ...], run: Runner) -> PartOutcome:
        """The verdict on the data, once they are read."""
        reply = handed_over(answers[0], run)
        if reply.status != "returned":
            return self._one("error", trouble(reply))
        if untouched(reply.value):
            return self._one("not attempted")
        return self.judged(reply.value)

    def judged(self, value: Plain) -> PartOutcome:
        """The verdict on an answer that was given."""
        raise NotImplementedError

    def _one(
        self,
        verdict: Verdict,
        complaint: str = "",
        came: Plain = ...,
        slip: Slip | None = None,
        options: tuple[Option, ...] = (),
    ) -> PartOutcome:
        shown = "" if came is ... else f"{self.name} = {show(came)}"
        case = CaseOutcome(
            self.what, verdict, self.points, came_out=shown, complaint=complaint, options=options
        )
        return PartOutcome(self.name, (case,), slip)


@dataclass(frozen=True)
class Choice:
    """One choice: its letter, its text, whether it is right, and why (or why not)."""

    letter: str
    text: str
    right: bool
    why: str


@dataclass(frozen=True)
class Quiz(Given):
    """A question; the answer is the letter of the right choice, or the letters if several are."""

    what = "the choice"
    name: str
    choices: tuple[Choice, ...]
    points: float = 1.0
    slips: tuple[Slip, ...] = ()  # a distractor explains itself

    @property
    def letters(self) -> str:
        """The letters of the right choices."""
        return "".join(choice.letter for choice in self.choices if choice.right)

    def judged(self, value: Plain) -> PartOutcome:
        """Right if exactly the right letters were given; else why a given one is not."""
        letters = self._letters(value)
        if letters is None:
            known = ", ".join(f'"{choice.letter}"' for choice in self.choices)
            several = "" if len(self.letters) == 1 else ", several together in one text"
            return self._one("wrong", f"Expected one of {known}{several}.", value)
        chosen = [choice for choice in self.choices if choice.letter in letters]
        right = [choice for choice in self.choices if choice.right]
        if chosen == right:
            return self._one("right", options=_told(self.choices))
        distractors = [choice for choice in chosen if not choice.right]
        if distractors:
            first = distractors[0]
            slip = Slip(f"“{first.text}”", first.why)
            return self._one("wrong", "", value, slip, _told([first]))  # the others stay open
        missing = len(right) - len(chosen)
        hold = "holds" if missing == 1 else "hold"
        told = f"Right so far; {missing} more of the choices {hold}."
        return self._one("wrong", told, value, options=_told(chosen))

    def _letters(self, value: Plain) -> set[str] | None:
        """The letters in "b", "B)", "b, d", "bd" or ["b", "d"]; None if it is no choice."""
        entries = value if isinstance(value, tuple) else (value,)
        texts = [entry for entry in entries if isinstance(entry, str)]
        known = {choice.letter for choice in self.choices}
        between = "|".join({"and", "und", "y", "e"} - known)  # "e" can be a choice
        letters = set(re.sub(rf"\b({between})\b|[\W_]", "", " ".join(texts).lower()))
        complete = len(texts) == len(entries)
        return letters if complete and letters and letters <= known else None


def _told(choices: Iterable[Choice]) -> tuple[Option, ...]:
    """What is said about these choices."""
    return tuple(Option(c.letter, c.text, c.right, c.why) for c in choices)
