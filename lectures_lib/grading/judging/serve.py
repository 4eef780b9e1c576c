"""A judge in a process of its own: it is asked with the settings and one task at a time.

The secret stands among the settings, and so in no list of processes.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lectures_lib.checks.kinds.expression import Expression
from lectures_lib.checks.registry import find
from lectures_lib.grading.intake.assembly import Assembled, Canonical, Piece, canonical
from lectures_lib.grading.intake.reading import SOURCE
from lectures_lib.grading.judging.judge import Judge
from lectures_lib.grading.judging.session import ALL_SECONDS
from lectures_lib.grading.walls.client import Workers
from linecheck.process import Message, serve


@dataclass(frozen=True)
class Settings:
    """How to grade; the same for all submissions of a batch."""

    course: str
    stems: tuple[str, ...]
    rung: str
    secret: str  # hexadecimal
    seconds: float  # for each part of an exercise; twice as many for each cell
    submission_seconds: float = ALL_SECONDS
    submission_characters: int = SOURCE


class Grader:
    """A judge with its fork server, ready for tasks."""

    def __init__(self, settings: Settings) -> None:
        folder = Path(settings.course) / "exercises"
        self.wanted = {stem: canonical(folder / f"{stem}.ipynb") for stem in settings.stems}
        cpu_seconds = int(2 * settings.submission_seconds) + 60
        self.workers = Workers(settings.rung, _modules(self.wanted), cpu_seconds)
        secret = bytes.fromhex(settings.secret)
        self.judge = Judge(self.workers, secret, settings.seconds, settings.submission_seconds)

    def answer(self, task: dict[str, Any]) -> dict[str, Any]:
        """The result of one task, as data."""
        assembled = Assembled(
            tuple(Piece(*piece) for piece in task["pieces"]),
            frozenset(task["untouched"]),
            tuple(task["notes"]),
        )
        return asdict(self.judge.grade_assembled(assembled, self.wanted[task["stem"]]))

    def close(self) -> None:
        """End the fork server."""
        self.workers.close()


def _modules(wanted: dict[str, Canonical]) -> list[str]:
    """What workers should find loaded: NumPy, and SymPy where an exercise asks for it."""
    places = [place for found in wanted.values() for place in found.places]
    symbolic = any(
        isinstance(part, Expression) for place in places for part in find(place.exercise).parts
    )
    return ["numpy", "numpy.linalg", *(["sympy"] if symbolic else [])]


def main() -> None:
    """Answer task after task."""
    graders: list[Grader] = []

    def answer(question: Message, _: object) -> Message:
        if not graders:
            settings = question["settings"]
            graders.append(Grader(Settings(**settings | {"stems": tuple(settings["stems"])})))
        return graders[0].answer(question["task"])

    try:
        serve(answer)
    finally:
        for grader in graders:
            grader.close()


if __name__ == "__main__":
    main()
