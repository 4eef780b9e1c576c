"""List the derivations of a chapter, or of all, as its notebook holds them.

lectures derivations              all chapters
lectures derivations softmax      one of them

Before each claim stands its cell. After it: the number of its lines, how many of them SymPy
confirmed, the sizes where the proof covers only some, and "open" if a reader can change its lines.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from lectures_lib.chapters import CHAPTERS, chapter
from lectures_lib.workspace.place import NotFound, find_course
from linecheck import Derivation, derive
from linecheck.derivation.notebook import Placed, derivations_in


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `lectures derivations`."""
    parser.add_argument("chapter", nargs="?", help="slug of a chapter, as in `softmax`")


def run(arguments: argparse.Namespace) -> int:
    """Print the table; 2 when there is no such chapter, or no course."""
    try:
        for slug in [chapter(arguments.chapter).slug] if arguments.chapter else SLUGS:
            for row in rows(slug):
                print(row)
    except (NotFound, ValueError) as problem:
        print(f"lectures derivations: {problem}")
        return 2
    return 0


SLUGS = [one.slug for one in CHAPTERS[1:]]  # 00 shows a line that fails


def texts(slug: str, course: Path | None = None) -> tuple[Placed, ...]:
    """The derivations of a chapter as they stand in its notebook."""
    path = (course or find_course()) / "notebooks" / f"{chapter(slug).stem}.ipynb"
    return tuple(derivations_in(path)) if path.is_file() else ()


def derivations(slug: str, course: Path | None = None) -> tuple[Derivation, ...]:
    """The derivations of a chapter, every line judged."""
    return tuple(derive(placed.text) for placed in texts(slug, course))


def rows(slug: str, course: Path | None = None) -> Iterator[str]:
    """A line for each derivation of a chapter."""
    for placed in texts(slug, course):
        lines, confirmed = placed.counted()
        told = [f"{lines} lines, SymPy {confirmed}", *placed.sizes, *["open"] * placed.is_open]
        place = f"{chapter(slug).number:02d}[{placed.cell:2}]"
        yield f"{place}  {placed.title:56}  {', '.join(told)}"
