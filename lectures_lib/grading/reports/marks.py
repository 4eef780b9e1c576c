"""The results with what the teacher decided: caps, changes by hand, late days."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from lectures_lib.checks.registry import find
from lectures_lib.grading.batches.store import Record, Store
from lectures_lib.grading.judging.judge import ExerciseResult
from lectures_lib.grading.reports.policy import Change, Place, Policy


@dataclass(frozen=True)
class Mark(ExerciseResult):
    """One exercise of one student; its points are before late days, unless given by hand."""

    automatic: float = 0.0  # what the checks give
    answer: str = ""
    comment: str = ""  # of the teacher, where the points were changed by hand
    changed: bool = False

    @property
    def title(self) -> str:
        """The title of the exercise."""
        return find(self.id).title


@dataclass(frozen=True)
class Row:
    """One notebook of one student."""

    student: str
    assignment: str
    exercises: tuple[Mark, ...]
    notes: tuple[str, ...]
    sandbox: tuple[str, ...]
    days_late: int
    share: float
    moodle: str = ""
    others: tuple[str, ...] = ()  # students whose names it carries

    @property
    def points(self) -> float:
        """The points that count."""
        return round(sum(self.counted(mark) for mark in self.exercises), 4)

    def counted(self, mark: Mark) -> float:
        """What an exercise counts after late days; points given by hand stand as they are."""
        return mark.points if mark.changed else self.share * mark.points

    @property
    def out_of(self) -> float:
        """The points that can be earned."""
        return sum(mark.out_of for mark in self.exercises)


def rows(
    store: Store, policy: Policy, changes: dict[Place, Change], keep: str = "newest"
) -> list[Row]:
    """Every graded notebook that counts, by student and assignment."""
    return [_row(*pair, policy, changes) for pair in store.graded(keep)]


def _row(submission: Record, result: Record, policy: Policy, changes: dict[Place, Change]) -> Row:
    student, assignment = submission["student"], submission["assignment"]
    marks = []
    for exercise in (by_policy(one, policy) for one in result["exercises"]):
        name, points = exercise["id"], exercise["points"]
        change = changes.get((student, assignment, name))
        capped = Change(min(points, policy.caps.get(name, exercise["out_of"])), "")
        counted = {**asdict(change or capped), "changed": change is not None}
        answer = result["answers"].get(name, "")[:20_000]
        deeds = (d if isinstance(d, str) else tuple(d) for d in exercise.get("deeds", ()))
        kept = {"slips": tuple(map(tuple, exercise["slips"])), "deeds": tuple(deeds)}
        marks.append(Mark(**exercise | kept | counted, automatic=points, answer=answer))
    days = policy.days_late(assignment, submission["when"])
    return Row(
        student, assignment, tuple(marks), tuple(result["notes"]), tuple(result["sandbox"]),
        days, policy.share(days), submission["moodle"], tuple(submission.get("others", ())),
    )  # fmt: skip


def by_policy(exercise: Record, policy: Policy) -> Record:
    """The same where nothing was called that was to be written; else what the policy says."""
    by = exercise.get("by_library", "")
    if not by:
        return exercise
    made = {**exercise, "flags": [*exercise["flags"], f"it calls {by}, where the task says write"]}
    if policy.library == "forbid":
        return made
    points = exercise["points"] + exercise["borrowed"]
    text = f"{points:g} of {exercise['out_of']:g} points, by calling `{by}`."
    made |= {"points": points, "text": text}
    made["status"] = "right" if points == exercise["out_of"] else exercise["status"]
    return made | {"flags": exercise["flags"]} if policy.library == "allow" else made


def by_assignment(found: Sequence[Row]) -> dict[str, list[Row]]:
    """The notebooks of each assignment, in the order of its names."""
    names = sorted({row.assignment for row in found})
    return {name: [row for row in found if row.assignment == name] for name in names}


def by_exercise(found: Sequence[Row]) -> dict[str, list[tuple[Row, Mark]]]:
    """The answers to each exercise, with whose they are."""
    marks: dict[str, list[tuple[Row, Mark]]] = {}
    for row in found:
        for mark in row.exercises:
            marks.setdefault(mark.id, []).append((row, mark))
    return marks


def file_name(name: str) -> str:
    """A name that every file system takes, another one for every other name."""
    clean = re.sub(r"[^\w\-]", "_", name, flags=re.ASCII)[:60].strip("_")
    if clean and clean == name:
        return clean
    return f"{clean or 'student'}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
