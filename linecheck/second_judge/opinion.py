"""What the second judge can say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

INEQUALITY = "an inequality"
KINK = "a kink"
CONDITIONS = "conditions"
TOO_LONG = "too long"
_MEANINGS = {
    INEQUALITY: "SymPy was asked for the sign of the difference of both sides, and gave none",
    KINK: "the difference holds a function with a kink or a jump, as |x| or max, and SymPy did not"
    " bring it to 0",
    CONDITIONS: "SymPy is not asked whether two conditions hold at the same points",
    TOO_LONG: "SymPy gave no answer within its two seconds",
}


class Answer(StrEnum):
    """The three things that the second judge can say."""

    CONFIRMED = "confirmed"
    OPEN = "open"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True)
class Opinion:
    """An answer, and why; it neither refutes a step nor earns points."""

    answer: Answer
    why: str = ""  # of a confirmation: the sizes it was given for

    def __str__(self) -> str:
        behind = f" ({self.why})" if self.why else ""
        if self.answer is Answer.CONFIRMED:
            return f"✓ SymPy{behind}"
        if self.answer is Answer.CONTRADICTED:
            return f"✗ SymPy: {self.why}"
        asked = "was not asked" if self.why == CONDITIONS else "could not decide"
        return f"SymPy {asked}{behind}"

    @property
    def meaning(self) -> str:
        """The same in a sentence, for whoever does not know the sign."""
        if self.answer is Answer.CONFIRMED:
            sizes = f" at {self.why}; it was asked at no other sizes" if self.why else ""
            return f"SymPy, a computer algebra system, finds the line true{sizes}"
        if self.answer is Answer.CONTRADICTED:
            return f"SymPy, a computer algebra system, finds the line false: {self.why}"
        if not self.why:
            return "SymPy neither brought the difference to 0 nor found a point where it is not 0"
        return _MEANINGS.get(self.why, f"SymPy gave no answer: {self.why}")


def worst(opinions: Iterable[Opinion]) -> Opinion:
    """The opinion on several steps in one line."""
    return max(opinions, key=lambda one: list(Answer).index(one.answer))
