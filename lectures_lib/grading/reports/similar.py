"""Answers that are alike, by their fingerprints: a hint to look, never a verdict."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

COMMON = 0.1  # shared by more of the class than this, it is the usual way to write it


def alike(prints: Iterable[tuple[str, str]], students: int) -> list[tuple[str, ...]]:
    """Groups of students with one fingerprint: pairs of student and fingerprint come in."""
    groups: dict[str, list[str]] = defaultdict(list)
    for student, found in prints:
        if found:
            groups[found].append(student)
    most = max(3, COMMON * students)
    return sorted(tuple(sorted(group)) for group in groups.values() if 2 <= len(group) <= most)
