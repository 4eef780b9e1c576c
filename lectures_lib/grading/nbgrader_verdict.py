"""What the hidden part of a check cell calls when nbgrader grades.

nbgrader reads the points from the plain text of the last value, and shows its HTML as feedback: so
the verdict and the points come from one and the same run of the check.
"""

from __future__ import annotations

from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.registry import find
from lectures_lib.checks.telling.outcomes import Outcome, number, outcome_page


class Graded:
    """An outcome whose plain text is its points."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    def __repr__(self) -> str:
        return number(self.outcome.points)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": outcome_page(self.outcome)}


def judge(identity: str, *answers: object) -> Graded:
    """The verdict on an answer, for nbgrader."""
    return Graded(evaluate(find(identity), answers))
