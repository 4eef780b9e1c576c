"""Write the folder, notebook, solutions and test of a chapter: `lectures new-chapter SLUG`.

The chapter needs a row in the table, `lectures_lib/chapters/__init__.py`. What is there already
stays as it is; only what is missing is written. Then every test is green, and you write.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Iterator
from pathlib import Path

from lectures_lib.chapters import Chapter, chapter
from lectures_lib.commands import _skeleton
from lectures_lib.commands.build_pages import pages
from lectures_lib.commands.execute import execute
from lectures_lib.grading.handing_out.build_exercises import texts_of
from lectures_lib.workspace.files import write_whole
from lectures_lib.workspace.normal_form import normalise, write
from lectures_lib.workspace.place import NotFound, find_repository


def configure(parser: argparse.ArgumentParser) -> None:
    """Which chapter."""
    parser.add_argument("slug", help="the chapter's slug, as in the table")


def run(arguments: argparse.Namespace) -> int:
    """Write what is missing and say what was written."""
    try:
        course, found = find_repository(), chapter(arguments.slug)
    except (NotFound, ValueError) as error:
        print(f"lectures new-chapter: {error}")
        print("A new chapter starts with its row in lectures_lib/chapters/__init__.py.")
        return 2
    written = 0
    for path in start(course, found):
        print(f"{path.relative_to(course).as_posix()} written")
        written += 1
    for path, text in pages(course):  # the lists of chapters have one row more
        if path.read_text("utf-8") != text:
            write_whole(path, text)
            print(f"{path.relative_to(course).as_posix()} written")
            written += 1
    print(f"{written} files written." if written else "Everything is there already.")
    return 0


def start(course: Path, c: Chapter) -> Iterator[Path]:
    """Write every part of the chapter that is not there yet."""
    own = course / "lectures_lib" / "chapters" / c.slug
    texts = {own / name: text for name, text in _skeleton.modules(c).items()}
    texts[course / "tests" / "chapters" / f"test_{c.slug}.py"] = _skeleton.tests(c)
    for path, text in texts.items():
        if not path.exists():
            write_whole(path, text)
            yield path
    importlib.invalidate_caches()
    for folder, make in (("notebooks", _skeleton.notebook), ("solutions", _skeleton.solution)):
        path = course / folder / f"{c.stem}.ipynb"
        if not path.exists():
            write(normalise(make(c)), path)
            execute(path)
            yield path
    exercise = course / "exercises" / f"{c.stem}.ipynb"
    if not exercise.exists():
        write_whole(exercise, texts_of(course / "solutions" / exercise.name)[1])
        yield exercise
