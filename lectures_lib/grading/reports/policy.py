"""What a teacher decides beside the checks: late days, caps, and points changed by hand.

`policy.toml`, everything optional:

    library = "forbid"     # what calls the library where the task says write: no points;
                           # "flag": points, and a flag; "allow": points
    [late]
    per_day = 0.1          # of the points earned, for each day begun
    most_days = 5          # after that nothing counts
    grace_minutes = 15
    [deadlines]
    04_perceptron = 2026-11-20T23:59:00+01:00
    [caps]
    "perceptron.losses_quiz" = 1

`manual.csv` has the columns student, assignment, exercise, points, comment. Its points always win.
"""

from __future__ import annotations

import csv
import json
import math
import tomllib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lectures_lib.workspace.files import write_whole

LIBRARY = ("forbid", "flag", "allow")
COLUMNS = ("student", "assignment", "exercise", "points", "comment")


class PolicyError(ValueError):
    """A policy or a list of changes that cannot be read; the message names the place."""


@dataclass(frozen=True)
class Policy:
    """Late days and caps."""

    deadlines: dict[str, datetime] = field(default_factory=dict)
    per_day: float = 0.0
    most_days: int | None = None
    grace_minutes: float = 0.0
    caps: dict[str, float] = field(default_factory=dict)
    library: str = "forbid"

    def days_late(self, assignment: str, when: str) -> int:
        """Days begun after the deadline; 0 where no time or no deadline is known."""
        deadline = self.deadlines.get(assignment)
        if deadline is None or not when:
            return 0
        late = (_aware(datetime.fromisoformat(when)) - deadline).total_seconds()
        return max(0, math.ceil((late - 60 * self.grace_minutes) / 86_400))

    def share(self, days: int) -> float:
        """The part of the points that counts after so many days."""
        if self.most_days is not None and days > self.most_days:
            return 0.0
        return max(0.0, 1.0 - self.per_day * days)


def read_policy(path: Path | None) -> Policy:
    """The policy in a file; none without one."""
    if path is None:
        return Policy()
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
        late = found.pop("late", {})
        made = Policy(
            {name: _aware(time) for name, time in found.pop("deadlines", {}).items()},
            float(late.pop("per_day", 0.0)), late.pop("most_days", None),
            float(late.pop("grace_minutes", 0.0)),
            {name: float(points) for name, points in found.pop("caps", {}).items()},
            library := found.pop("library", LIBRARY[0]),
        )  # fmt: skip
        if library not in LIBRARY:
            raise ValueError(f"library: found {library!r}, expected one of {', '.join(LIBRARY)}")
        if found or late:
            raise ValueError(f"unknown entries {', '.join([*found, *late])}")
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise PolicyError(f"{path}: {error}") from None
    return made


def _aware(time: datetime) -> datetime:
    """A time without a zone is read as UTC."""
    return time if time.tzinfo else time.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Change:
    """Points that a teacher has given by hand."""

    points: float
    comment: str


Place = tuple[str, str, str]  # student, assignment, exercise


def read_changes(path: Path | None) -> dict[Place, Change]:
    """The changes in a CSV file; none without one."""
    if path is None or not path.exists():
        return {}
    found = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), 2):
            try:
                place = (row["student"], row["assignment"], row["exercise"])
                found[place] = Change(float(row["points"]), row.get("comment") or "")
            except (KeyError, TypeError, ValueError):
                expected = ", ".join(COLUMNS)
                raise PolicyError(f"{path}, line {number}: expected {expected}") from None
    return found


def moved_since(folder: Path, places: dict[Place, float]) -> set[Place]:
    """The changed places whose own points are others than when the change was first met.

    `places` holds the points that the checks give there; they are remembered in the folder.
    """
    path = folder / "manual_seen.json"
    known: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    moved = set()
    for place, points in places.items():
        if known.setdefault("\t".join(place), points) != points:
            moved.add(place)
    if places:
        write_whole(path, json.dumps(known, indent=1, sort_keys=True) + "\n")
    return moved
