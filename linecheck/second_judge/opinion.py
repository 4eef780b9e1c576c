"""What the second judge can say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


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
        if self.answer is Answer.CONFIRMED:
            return f"✓ SymPy{f' ({self.why})' if self.why else ''}"
        return f"✗ SymPy: {self.why}" if self.answer is Answer.CONTRADICTED else self.why


def worst(opinions: Iterable[Opinion]) -> Opinion:
    """The opinion on several steps in one line."""
    return max(opinions, key=lambda one: list(Answer).index(one.answer))
