"""Which version counts, where a student has handed in more than one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Any

KEEP = ("newest", "best")
Version = tuple[dict[str, Any], dict[str, Any]]  # file, time and key; the result


def counted(versions: Sequence[Version], keep: str) -> tuple[Version, str]:
    """The version that counts and, where there are several, all of them and the reason in words.

    The newest can be told only where a time that no student can set is known for all.
    """
    found = list({version["key"]: (version, result) for version, result in versions}.values())
    if len(found) == 1:
        return found[0], ""
    timed = all(version["when"] for version, _ in found)
    worked = [one for one in found if any(map(_is_done, one[1]["exercises"]))] or found
    newest = keep == "newest" and timed
    chosen = max(worked, key=_when if newest else _points)
    listed = ", ".join(f"{_name(one)} ({_points(one):g} points)" for one in found)
    why = "the newest counts" if newest else "the best counts"
    if keep == "newest" and not timed:
        why += ", because no time that can be trusted says which is the newest"
    return chosen, f"{len(found)} versions were handed in: {listed}; {why}: {_name(chosen)}"


def _is_done(exercise: dict[str, Any]) -> bool:
    return exercise["status"] not in ("not_attempted", "unreadable")


def _points(one: Version) -> float:
    return float(sum(exercise["points"] for exercise in one[1]["exercises"]))


def _when(one: Version) -> tuple[str, float]:
    return one[0]["when"], _points(one)


def _name(one: Version) -> str:
    return PurePosixPath(one[0]["file"].replace("!", "/")).name
