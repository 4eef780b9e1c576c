"""A prediction with a reason: what will happen, and why; the reason counts with the outcome."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lectures_lib.checks.exercise import Runner, Slip
from lectures_lib.checks.kinds.quiz import Choice, Quiz
from lectures_lib.checks.telling.outcomes import PartOutcome


@dataclass(frozen=True)
class Prediction:
    """Two variables: the letter of an outcome, and the letter of the reason for it.

    Half of the points are for the outcome, the other half for the reason; a reason earns nothing
    beside a wrong outcome, and is not judged there: the picture is looked at first.
    """

    names: tuple[str, str]
    outcomes: tuple[Choice, ...]
    reasons: tuple[Choice, ...]
    points: float = 2.0
    slips: tuple[Slip, ...] = ()  # every choice explains itself

    @property
    def questions(self) -> tuple[Quiz, Quiz]:
        """What happens, and why."""
        half = self.points / 2
        return Quiz(self.names[0], self.outcomes, half), Quiz(self.names[1], self.reasons, half)

    def judge(self, answers: tuple[object, ...], run: Runner) -> PartOutcome:
        """The verdict on the outcome, then on the reason."""
        what, why = (
            question.judge((answer,), run)
            for question, answer in zip(self.questions, answers, strict=True)
        )
        (outcome,), (reason,) = what.cases, why.cases
        outcome, reason = replace(outcome, name="the outcome"), replace(reason, name="the reason")
        if outcome.verdict != "right" and reason.verdict != "not attempted":
            reason = replace(
                reason,
                verdict="not run",
                options=(),
                complaint="The reason is judged when the outcome is right.",
            )
            why = replace(why, slip=None, notes=())
        return PartOutcome(
            ", ".join(self.names),
            (outcome, reason),
            what.slip or why.slip,
            what.notes + why.notes,
            summary=reason.complaint if reason.verdict == "not run" else "",
        )
