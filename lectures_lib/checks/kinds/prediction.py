"""A prediction with a reason: what will happen, and why; the reason counts with the outcome."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from lectures_lib.checks.exercise import Part, Runner
from lectures_lib.checks.kinds.quiz import Choice, Quiz
from lectures_lib.checks.telling.outcomes import PartOutcome


@dataclass(frozen=True)
class Prediction(Part):
    """Two variables: the letter of an outcome, and the letter of the reason for it.

    Half of the points are for the outcome, the other half for the reason; a reason earns nothing
    beside a wrong outcome, and is not judged there: the picture is looked at first.
    """

    names: tuple[str, ...] = field()
    outcomes: tuple[Choice, ...]
    reasons: tuple[Choice, ...]
    points: float = 2.0

    @property
    def questions(self) -> tuple[Quiz, Quiz]:
        half = self.points / 2
        return Quiz(self.names[0], self.outcomes, half), Quiz(self.names[1], self.reasons, half)

    def judge(self, answers: tuple[object, ...], run: Runner) -> PartOutcome:
        what, why = (
            question.judge((answer,), run)
            for question, answer in zip(self.questions, answers, strict=True)
        )
        outcome = replace(what.cases[0], name="the outcome")
        reason = replace(why.cases[0], name="the reason")
        told = ""
        if outcome.verdict != "right" and reason.verdict != "not attempted":
            told = "The reason is judged when the outcome is right."
            reason = replace(reason, verdict="not run", options=(), complaint=told)
            why = replace(why, slip=None)
        return PartOutcome(self.name, (outcome, reason), what.slip or why.slip, summary=told)
