"""A judge in a process of its own: it is asked with the settings and one task at a time.

The secret stands among the settings, and so in no list of processes.
"""

from __future__ import annotations

import atexit
import json
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lectures_lib.checks.kinds.expression import Expression
from lectures_lib.checks.registry import find
from lectures_lib.grading.intake.assembly import Assembled, Canonical, Piece, canonical
from lectures_lib.grading.intake.reading import SOURCE
from lectures_lib.grading.judging.judge import Judge
from lectures_lib.grading.judging.session import ALL_SECONDS
from lectures_lib.grading.walls.client import Workers
from linecheck.process import serve


@dataclass(frozen=True)
class Settings:
    """How to grade; the same for all submissions of a batch."""

    course: str
    stems: list[str]
    rung: str
    secret: str  # hexadecimal
    seconds: float  # for each part of an exercise; twice as many for each cell
    submission_seconds: float = ALL_SECONDS
    submission_characters: int = SOURCE

    def as_text(self) -> str:
        """All of them, for another process."""
        return json.dumps(asdict(self))


@cache
def _judge(settings: str) -> tuple[Judge, dict[str, Canonical]]:
    """A judge with its fork server, and the notebooks that were handed out."""
    told = Settings(**json.loads(settings))
    folder = Path(told.course) / "exercises"
    wanted = {stem: canonical(folder / f"{stem}.ipynb") for stem in told.stems}
    workers = Workers(told.rung, _modules(wanted), int(2 * told.submission_seconds) + 60)
    atexit.register(workers.close)
    secret = bytes.fromhex(told.secret)
    return Judge(workers, secret, told.seconds, told.submission_seconds), wanted


def graded(settings: str, task: dict[str, Any]) -> dict[str, Any]:
    """The result of one task, as data."""
    judge, wanted = _judge(settings)
    pieces = tuple(Piece(*piece) for piece in task["pieces"])
    assembled = Assembled(pieces, frozenset(task["untouched"]), tuple(task["notes"]))
    return asdict(judge.grade_assembled(assembled, wanted[task["stem"]]))


def _modules(wanted: dict[str, Canonical]) -> list[str]:
    """What workers should find loaded: NumPy, and SymPy where an exercise asks for it."""
    places = [place for found in wanted.values() for place in found.places]
    symbolic = any(
        isinstance(part, Expression) for place in places for part in find(place.exercise).parts
    )
    return ["numpy", "numpy.linalg", *(["sympy"] if symbolic else [])]


if __name__ == "__main__":
    serve(lambda question, _: graded(question["settings"], question["task"]))
