"""Write exercises/ from solutions/, and into solutions/ what the chapters' exercises.py say."""

from __future__ import annotations

import argparse
from pathlib import Path

from lectures_lib.chapters import CHAPTERS
from lectures_lib.checks.registry import exercises_of
from lectures_lib.grading.handing_out.build_exercises import as_text, pairs, texts_of
from lectures_lib.grading.handing_out.solutions import AuthoringError, empty
from lectures_lib.workspace.files import write_whole
from lectures_lib.workspace.place import find_repository
from lectures_lib.workspace.steps import each


def configure(parser: argparse.ArgumentParser) -> None:
    """Whether to write or only to compare."""
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if exercises/ is not up to date"
    )


def run(arguments: argparse.Namespace) -> int:
    """Build every exercise notebook, or compare with what is there."""
    try:
        course = find_repository()
        if not arguments.check:
            _begin(course)
        built = []
        for solved, exercise in each("Building:", pairs(course)):
            texts = texts_of(solved)
            built += list(zip((solved, exercise), texts, strict=True))
    except AuthoringError as error:
        print(f"lectures build-exercises: {error}")
        return 1
    old = [path for path, text in built if not path.is_file() or path.read_bytes() != text.encode()]
    names = {path for path, _ in built}
    left_over = [path for path in (course / "exercises").glob("*.ipynb") if path not in names]
    for path in left_over:
        print(f"{path.name} has no solution: delete it or write solutions/{path.name}")
    if arguments.check:
        for path in old:
            print(f"{path.parent.name}/{path.name} is not what `lectures build-exercises` makes")
        return int(bool(old or left_over))
    for path, text in built:
        if path in old:
            write_whole(path, text)
    print(f"{len(built) // 2} exercise notebooks, {len(old)} files written")
    return int(bool(left_over))


def _begin(course: Path) -> None:
    """An empty solved notebook for every chapter that has exercises and none yet."""
    for chapter in CHAPTERS:
        path = course / "solutions" / f"{chapter.stem}.ipynb"
        if exercises_of(chapter.slug) and not path.exists():
            write_whole(path, as_text(empty()))
