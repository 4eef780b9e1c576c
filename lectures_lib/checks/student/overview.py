"""All progress: on one screen, exercise by exercise, and as the figure of it draws."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lectures_lib.chapters import CHAPTERS, Chapter
from lectures_lib.checks.exercise import Exercise
from lectures_lib.checks.registry import exercises_of, tries_of
from lectures_lib.checks.student.progress import Damaged, Progress, fresh, read
from lectures_lib.checks.telling.outcomes import number

DAMAGED = "damaged"  # the status where a file cannot be read


@dataclass(frozen=True)
class Standing:
    """One exercise and what is remembered of it."""

    exercise: Exercise
    progress: Progress

    @property
    def best(self) -> float:
        """The most points reached; those of an older version of the exercise stay."""
        return min(self.progress.best, self.points)

    @property
    def points(self) -> float:
        return self.exercise.points

    @property
    def is_open(self) -> bool:
        return self.best < self.points

    @property
    def words(self) -> str:
        found = self.progress
        if found.status == DAMAGED:
            return "its file is damaged; the next check sets it aside and starts again"
        if found.attempts and found.version != self.exercise.version:
            return f"its task has changed; your {number(self.best)} points stay"
        hints = f", {found.hints} of 3 hints open" if found.hints else ""
        hints += ", solution seen" if found.solution else ""
        if not found.attempts:
            return f"not attempted{hints}"
        state = "right" if self.best == self.points else f"last check {found.status}"
        return f"{state}, {found.attempts} checks{hints}".replace(" 1 checks", " 1 check")


@dataclass(frozen=True)
class ChapterStanding:
    chapter: Chapter
    exercises: tuple[Standing, ...]
    tries: tuple[Standing, ...] = ()  # the questions and small pieces of code inside the chapter

    @property
    def tried(self) -> int:
        """How many of the tries were answered at least once."""
        return sum(bool(s.progress.attempts) for s in self.tries)

    @property
    def best(self) -> float:
        """Points reached."""
        return sum(standing.best for standing in self.exercises)

    @property
    def points(self) -> float:
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


def _progress(work: Path | None, exercise: Exercise) -> Progress:
    try:
        return read(work, exercise) if work else fresh(exercise)
    except (Damaged, OSError):
        return replace(fresh(exercise), status=DAMAGED)


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


BAR = 10


def glance(work: Path | None, width: int = 80, titles: bool = False) -> str:
    """One screen: a line for each chapter with what is open, the total, and what comes next."""
    chapters = overview(work)
    names = [_title(c.chapter) if titles else c.chapter.slug for c in chapters]
    longest = max(map(len, [*names, "in all"]))
    lines = [
        _line(f"{c.chapter.number:02d} {name:{longest}}", c.best, c.points, _open(c), width)
        for c, name in zip(chapters, names, strict=True)
    ]
    every = [(c, k, s) for c in chapters for k, s in enumerate(c.exercises, 1)]
    right = sum(not s.is_open for _, _, s in every)
    tried, tries = sum(c.tried for c in chapters), sum(len(c.tries) for c in chapters)
    said = f"{right} of {len(every)} right" + (f", {tried} of {tries} tried" if tries else "")
    best, points = sum(c.best for c in chapters), sum(c.points for c in chapters)
    lines.append(_line(f"   {'in all':{longest}}", best, points, said, width))
    last = max(range(len(every)), key=lambda k: every[k][2].progress.changed)
    found = _open_after(every, last if every[last][2].progress.changed else -1)
    found.sort(key=lambda one: one[0] is not every[last][0])  # first what is left of its chapter
    if found:
        c, number_, standing = found[0]
        told = (
            f"next: exercise {number_} of chapter {c.chapter.number:02d}, {standing.exercise.title}"
        )
        lines.append(textwrap.shorten(told, width, placeholder=" …"))
    return "\n".join(lines)


def _title(chapter: Chapter) -> str:
    return textwrap.shorten(chapter.title.partition(":")[0], 40, placeholder=" …")


def _line(name: str, best: float, points: float, said: str, width: int) -> str:
    full = int(BAR * best / points)
    share = f"{number(best)}/{number(points)}"
    line = f"{name} {'█' * full}{'░' * (BAR - full)} {share:>8} "
    return line + textwrap.shorten(said, max(width - len(line), 12), placeholder=" …")


def _open(found: ChapterStanding) -> str:
    """What is open in a chapter, by the names of its exercises without that of the chapter."""
    names = [s.exercise.id.partition(".")[2] for s in found.exercises if s.is_open]
    return f"{len(names)} open: {', '.join(names)}" if names else "all right"


Placed = tuple[ChapterStanding, int, Standing]  # the chapter, the exercise's number in it


def _open_after(every: Sequence[Placed], place: int) -> list[Placed]:
    """What is open behind a place, then what is open before it."""
    return [one for one in (*every[place + 1 :], *every[: max(place, 0)]) if one[2].is_open]


def next_steps(work: Path, exercise: Exercise) -> str:
    """After a right answer: the points of the chapter so far, and the next exercise by name."""
    whole = next(c for c in overview(work) if c.chapter.slug == exercise.slug)
    points = f"{number(whole.best)} of {number(whole.points)} points"
    here = f"chapter {whole.chapter.number:02d}"
    place = [standing.exercise.id for standing in whole.exercises].index(exercise.id)
    found = _open_after([(whole, k, s) for k, s in enumerate(whole.exercises, 1)], place)
    if not found:
        return f"All exercises of {here} are right: {points}."
    _, number_, standing = found[0]
    return f"So far {points} in {here}. Next: exercise {number_}, {standing.exercise.title}"
