"""Hints, one at a time: the idea, the formula, a line of code."""

from __future__ import annotations

from dataclasses import dataclass

from lectures_lib.checks.exercise import Exercise
from lectures_lib.checks.telling.formulas import plain
from lectures_lib.checks.telling.html import frame, paragraph


@dataclass(frozen=True)
class Hints:
    """The hints of an exercise that are open so far."""

    exercise: Exercise
    opened: int
    note: str = ""

    @property
    def lines(self) -> list[str]:
        names = self.exercise.hint_names
        steps = zip(names, self.exercise.hints, strict=True)
        lines = [f"Hint {k} of 3, {step}: {hint}" for k, (step, hint) in enumerate(steps, 1)]
        lines = lines[: self.opened] if names else ["A question has no hints: try an answer."]
        if self.opened < len(names):
            lines.append(f'hint("{self.exercise.id}") once more opens {names[self.opened]}.')
        return [*lines, f"Note: {self.note}"] if self.note else lines

    def __repr__(self) -> str:
        return plain("\n".join(self.lines))

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        blocks = [paragraph(line) for line in self.lines]
        page = frame("#3b74c9", blocks, f"Hints for {self.exercise.title}")
        return {"text/plain": repr(self), "text/html": page}
