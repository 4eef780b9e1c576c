"""All progress at a glance: what `lectures progress` prints and what its figure draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lectures_lib.chapters import CHAPTERS, Chapter
from lectures_lib.checks.exercise import Exercise
from lectures_lib.checks.registry import exercises_of, tries_of
from lectures_lib.checks.student.progress import Damaged, Progress, read
from lectures_lib.checks.telling.outcomes import number
from lectures_lib.workspace.place import find_work


@dataclass(frozen=True)
class Standing:
    """One exercise and what is remembered of it; None if its file is damaged."""

    exercise: Exercise
    progress: Progress | None

    @property
    def best(self) -> float:
        """The most points reached; those of an older version of the exercise stay."""
        return min(self.progress.best, self.points) if self.progress is not None else 0.0

    @property
    def points(self) -> float:
        """Points that can be reached."""
        return self.exercise.points

    @property
    def words(self) -> str:
        """The state in words."""
        found = self.progress
        if found is None:
            return "its file is damaged; the next check sets it aside and starts again"
        if found.attempts and found.version != self.exercise.version:
            return f"has changed since; your {number(self.best)} points stay"
        hints = f", {found.hints} of 3 hints open" if found.hints else ""
        if not found.attempts:
            return f"not attempted{hints}"
        state = "right" if self.best == self.points else f"last check {found.status}"
        return f"{state}, {found.attempts} checks{hints}".replace(" 1 checks", " 1 check")


@dataclass(frozen=True)
class ChapterStanding:
    """The exercises of one chapter."""

    chapter: Chapter
    exercises: tuple[Standing, ...]
    tries: tuple[Standing, ...] = ()  # the questions and small pieces of code inside the chapter

    @property
    def tried(self) -> int:
        """How many of the tries were answered at least once."""
        return sum(bool(s.progress and s.progress.attempts) for s in self.tries)

    @property
    def best(self) -> float:
        """Points reached."""
        return sum(standing.best for standing in self.exercises)

    @property
    def points(self) -> float:
        """Points that can be reached."""
        return sum(standing.points for standing in self.exercises)


def overview(work: Path | None) -> tuple[ChapterStanding, ...]:
    """The chapters that have exercises; without a folder nothing is attempted."""

    def standings(exercises: Sequence[Exercise]) -> tuple[Standing, ...]:
        return tuple(Standing(e, _progress(work, e)) for e in exercises)

    return tuple(
        ChapterStanding(c, standings(exercises_of(c.slug)), standings(tries_of(c.slug)))
        for c in CHAPTERS
        if exercises_of(c.slug)
    )


def _progress(work: Path | None, exercise: Exercise) -> Progress | None:
    fresh = Progress(exercise.id, exercise.version, exercise.points)
    try:
        return fresh if work is None else read(work, exercise)
    except (Damaged, OSError):
        return None


def table(chapters: Sequence[ChapterStanding]) -> str:
    """The overview as plain text."""
    lines = []
    for found in chapters:
        said = f"{number(found.best)} of {number(found.points)} points"
        if found.tries:
            said += f", tried {found.tried} of {len(found.tries)} inside the chapter"
        lines.append(f"{found.chapter.number:02d} {found.chapter.title}: {said}")
        for standing in found.exercises:
            share = f"{number(standing.best)}/{number(standing.points)}"
            lines.append(f"   {standing.exercise.id:40} {share:>7}  {standing.words}")
    return "\n".join(lines) or "There are no exercises yet."


def next_steps(work: Path, exercise: Exercise) -> str:
    """After a right answer: the points of the chapter so far, and the next exercise by name."""
    whole = next(c for c in overview(work) if c.chapter.slug == exercise.slug)
    points = f"{number(whole.best)} of {number(whole.points)} points"
    here = f"chapter {whole.chapter.number:02d}"
    place = [standing.exercise.id for standing in whole.exercises].index(exercise.id)
    numbered = list(enumerate(whole.exercises, 1))
    open_ = [(k, s) for k, s in numbered[place + 1 :] + numbered[:place] if s.best < s.points]
    if not open_:
        return f"All exercises of {here} are right: {points}."
    number_, standing = open_[0]
    return f"So far {points} in {here}. Next: exercise {number_}, {standing.exercise.title}"


def progress_rows(work: Path | None = None) -> list[tuple[str, float, float]]:
    """(chapter, points reached, points that can be reached): what the figure of progress draws.

    Without an argument, of the student's folder around the current one; outside it, all zero.
    """
    found = overview(work or find_work())
    return [(f"{c.chapter.number:02d} {c.chapter.slug}", c.best, c.points) for c in found]
