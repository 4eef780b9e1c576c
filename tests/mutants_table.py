"""Every exercise with its mutants: how many were made, killed by its check, and explained.

.venv/bin/python -m tests.mutants_table              all chapters, one row for every exercise
.venv/bin/python -m tests.mutants_table perceptron   these chapters

The tests hold the rows of functions; those of derivations and expressions take longer.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from lectures_lib.chapters import CHAPTERS
from lectures_lib.checks.registry import exercises_of
from tests.exercise_tests import ExerciseTests, Mutants, judged_mutants


def suites() -> dict[str, type[ExerciseTests]]:
    """The tests of the exercises of each chapter, by slug."""
    found = {}
    for path in sorted((Path(__file__).parent / "chapters").glob("test_*.py")):
        suite = getattr(import_module(f"tests.chapters.{path.stem}"), "TestExercises", None)
        if suite is not None:
            found[suite.slug] = suite
    return found


def table(slugs: list[str]) -> Iterator[str]:
    """The lines of the table; what survived without an explanation stands in its last column."""
    yield "| exercise | made | killed | explained | survived |"
    yield "|---|---|---|---|---|"
    every = suites()
    total = Mutants(0, 0, [])
    for slug in slugs:
        for exercise in exercises_of(slug):
            found = judged_mutants(exercise, every[slug].still_right)
            missed = "; ".join(f"`{line}`: {what}" for line, what in found.missed)
            if found.made:
                yield _row(exercise.id, found, missed)
            total = Mutants(*(a + b for a, b in zip(total, found, strict=True)))
    yield _row("all", total, str(len(total.missed)))


def _row(name: str, found: Mutants, missed: str) -> str:
    return f"| {name} | {found.made} | {found.killed} | {found.explained} | {missed} |"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for row in table(sys.argv[1:] or [one.slug for one in CHAPTERS if exercises_of(one.slug)]):
        print(row, flush=True)
