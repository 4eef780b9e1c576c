"""Progress: one small JSON file per exercise in the student's folder; nothing leaves the machine.

Outside a student's folder (a grader, a test, the course itself) nothing is written, and opened
hints are remembered as long as the kernel lives.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from json import JSONDecodeError
from pathlib import Path

from lectures_lib.checks.exercise import Exercise
from lectures_lib.checks.telling.outcomes import Outcome
from lectures_lib.workspace.files import locked, set_aside, write_whole
from lectures_lib.workspace.place import find_work


@dataclass(frozen=True)
class Progress:
    """What is remembered of one exercise.

    `best` are the most points ever reached, under an older version of its check too.
    """

    check: str
    version: int
    out_of: float
    status: str = "not attempted"
    points: float = 0.0
    best: float = 0.0
    attempts: int = 0
    hints: int = 0
    solution: bool = False  # whether it was asked for
    changed: str = ""  # time of the last change, UTC


class Damaged(Exception):
    """A progress file that cannot be read."""


NO_FOLDER = (
    "The folder of this notebook is not there any more, so your progress is not saved. Save the "
    "notebook in another place."
)


def _start() -> Path | None:
    try:
        return find_work()
    except OSError:
        return None


_started_in = _start()  # a notebook that changes its folder still belongs to this one
_opened_here: dict[str, int] = {}  # hints opened in this kernel, by exercise


def path_of(work: Path, identity: str) -> Path:
    return work / "progress" / f"{identity}.json"


def fresh(exercise: Exercise) -> Progress:
    """What is remembered of an exercise that nobody has touched."""
    return Progress(exercise.id, exercise.version, exercise.points)


def read(work: Path, exercise: Exercise) -> Progress:
    """What is remembered of an exercise."""
    path = path_of(work, exercise.id)
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(stored, dict):
            raise Damaged(path.name)
        start = fresh(exercise)
        known = {name: stored[name] for name in asdict(start) if name in stored}
        progress = replace(start, **known)
        numbers = (progress.points, progress.best, progress.attempts, progress.hints)
        if not all(isinstance(n, int | float) and 0 <= n < 1e9 for n in numbers):
            raise Damaged(path.name)
        return replace(progress, version=int(progress.version), out_of=exercise.points)
    except FileNotFoundError:
        return fresh(exercise)
    except (JSONDecodeError, UnicodeDecodeError, TypeError, ValueError, ArithmeticError) as error:
        raise Damaged(path.name) from error


def record(outcome: Outcome) -> str:
    """Remember an outcome; returns what to tell the student, usually nothing."""
    try:
        work = _writable_work()
    except FileNotFoundError:
        return NO_FOLDER
    if work is None or outcome.status == "not attempted":
        return ""
    return _change(
        work,
        outcome.exercise,
        lambda before: replace(
            before,
            version=outcome.exercise.version,
            status=outcome.status,
            points=outcome.points,
            best=min(max(outcome.points, before.best), outcome.exercise.points),
            attempts=before.attempts + 1,
        ),
    )


def open_hint(exercise: Exercise) -> tuple[int, str]:
    """Open one more hint: how many are open now, and what to tell the student."""
    work = folder()
    before = _opened_here.get(exercise.id, 0)
    if work is not None:
        with suppress(Damaged, OSError):  # _change below says what happened
            before = max(before, read(work, exercise).hints)
    opened = min(before + 1, len(exercise.hints))
    _opened_here[exercise.id] = opened
    if work is None:
        return opened, ""
    note = _change(work, exercise, lambda found: replace(found, hints=max(found.hints, opened)))
    return opened, note


def ask_solution(exercise: Exercise, work: Path) -> str:
    """Remember that the solution was asked for; returns what to tell, usually nothing."""
    return _change(work, exercise, lambda found: replace(found, solution=True))


def folder() -> Path | None:
    """The student's folder in which progress is remembered, or None."""
    with suppress(FileNotFoundError):
        return _writable_work()
    return None


def progress_folder() -> Path | None:
    work = folder()
    return work / "progress" if work else None


def _writable_work() -> Path | None:
    """The student's folder; FileNotFoundError if the current one was deleted."""
    if os.environ.get("NBGRADER_EXECUTION"):
        return None
    started = _started_in if _started_in is not None and _started_in.is_dir() else None
    return find_work() or started


def _change(work: Path, exercise: Exercise, change: Callable[[Progress], Progress]) -> str:
    """Read, change and write a record while no other notebook does; returns a note."""
    path = path_of(work, exercise.id)
    note = ""
    try:
        with locked(path):
            try:
                before = read(work, exercise)
            except Damaged:
                aside = set_aside(path)
                note = (
                    f"The progress file {path.name} was damaged. It is kept as {aside.name}, and "
                    "the count for this exercise starts again."
                )
                before = fresh(exercise)
            after = replace(change(before), changed=datetime.now(UTC).isoformat(timespec="seconds"))
            write_whole(path, json.dumps(asdict(after), indent=1) + "\n")
    except OSError as error:
        reason = error.strerror or str(error)
        return (
            f"Your progress could not be saved ({reason}). Your answer is in the notebook: "
            "save it, make room, and run this cell again."
        )
    return note
