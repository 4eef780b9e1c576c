"""A question with choices: each wrong choice has its own explanation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from lectures_lib.checks.exercise import Slip
from lectures_lib.checks.kinds.given import Given
from lectures_lib.checks.running.plain_data import Plain
from lectures_lib.checks.telling.outcomes import Option, PartOutcome


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

    name: str = field()
    choices: tuple[Choice, ...]
    points: float = 1.0

    @property
    def credits(self) -> tuple[tuple[str, float], ...]:
        return (("the choice", self.points),)

    @property
    def letters(self) -> str:
        return "".join(choice.letter for choice in self.choices if choice.right)

    def judged(self, *values: Plain) -> PartOutcome:
        """Right if exactly the right letters were given; else why a given one is not."""
        letters = self._letters(values[0])
        came_out = self.shown(values)
        if letters is None:
            known = ", ".join(f'"{choice.letter}"' for choice in self.choices)
            several = "" if len(self.letters) == 1 else ", several together in one text"
            return self.every("wrong", f"Expected one of {known}{several}.", came_out=came_out)
        chosen = [choice for choice in self.choices if choice.letter in letters]
        right = [choice for choice in self.choices if choice.right]
        if chosen == right:
            return self.every("right", options=_told(self.choices))
        distractors = [choice for choice in chosen if not choice.right]
        if distractors:
            first = distractors[0]  # the others stay open
            told = self.every("wrong", came_out=came_out, options=_told([first]))
            return replace(told, slip=Slip(f"“{first.text}”", first.why))
        missing = len(right) - len(chosen)
        belong = "letter belongs" if missing == 1 else "letters belong"
        words = f"Right so far; {missing} more {belong} to the answer."
        return self.every("wrong", words, came_out=came_out, options=_told(chosen))

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
    return tuple(Option(c.letter, c.text, c.right, c.why) for c in choices)
