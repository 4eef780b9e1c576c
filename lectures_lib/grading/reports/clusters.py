"""Answers that belong together: wrong ones that do the same, and those with one fingerprint."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lectures_lib.grading.reports.marks import Mark, Row

CLOSE = 1e-4  # beside the length of what came out; the slips are compared as closely
COMMON = 0.1  # shared by more of the class than this, it is the usual way to write it
Marks = Sequence[tuple[Row, Mark]]


@dataclass(frozen=True)
class Cluster:
    """Answers to one exercise that do the same."""

    members: tuple[tuple[Row, Mark], ...]

    @property
    def case(self) -> dict[str, str]:
        """The smallest case that is wrong, of all that were shown."""
        cases = [mark.case for _, mark in self.members if mark.case]
        return min(cases, key=lambda case: len(case.get("given", "")), default={})

    @property
    def shortest(self) -> Mark:
        """The shortest of the answers."""
        return shortest(self.members)


def shortest(marks: Marks) -> Mark:
    """The shortest of some answers, to be shown for all of them."""
    return min((mark for _, mark in marks), key=lambda mark: (len(mark.answer), mark.answer))


def clusters(marks: Marks) -> list[Cluster]:
    """The wrong answers to one exercise that no slip explains, those that do the same on every case
    together; the largest cluster first."""
    groups: dict[tuple[object, ...], list[list[tuple[Row, Mark]]]] = defaultdict(list)
    for row, mark in marks:
        if not mark.deeds:
            continue
        key = (mark.status, *(d if isinstance(d, str) else d[:2] for d in mark.deeds))
        for group in groups[key]:
            if _agree(group[0][1], mark):
                group.append((row, mark))
                break
        else:
            groups[key].append([(row, mark)])
    found = [Cluster(tuple(group)) for same in groups.values() for group in same]
    return sorted(found, key=lambda cluster: (-len(cluster.members), cluster.shortest.answer))


def _agree(one: Mark, other: Mark) -> bool:
    return all(
        isinstance(a, str) or isinstance(b, str) or _close(a, b)
        for a, b in zip(one.deeds, other.deeds, strict=True)
    )


def _close(one: Sequence[float], other: Sequence[float]) -> bool:
    limit = CLOSE * max(one[2], other[2], 1e-12)
    return all(a == b or abs(a - b) <= limit for a, b in zip(one[2:], other[2:], strict=True))


def alike(prints: Iterable[tuple[str, str]], students: int) -> list[tuple[str, ...]]:
    """Groups of students with one fingerprint, a hint to look: pairs of the two come in."""
    groups: dict[str, list[str]] = defaultdict(list)
    for student, found in prints:
        if found:
            groups[found].append(student)
    most = max(3, COMMON * students)
    return sorted(tuple(sorted(group)) for group in groups.values() if 2 <= len(group) <= most)
