"""List the derivations of a chapter, or of all: title, cell, lines, sizes, what SymPy said.

lectures derivations              all chapters
lectures derivations softmax      one of them
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from lectures_lib.chapters import CHAPTERS, chapter
from lectures_lib.workspace.place import NotFound, find_course
from linecheck import Derivation, derive
from linecheck.derivation.notebook import Placed, derivations_in
from linecheck.second_judge.opinion import Answer


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `lectures derivations`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("chapter", nargs="?", help="slug of a chapter, as in `softmax`")


def run(arguments: argparse.Namespace) -> int:
    """Print the table; 2 when there is no such chapter, or no course."""
    try:
        slugs = [chapter(arguments.chapter).slug] if arguments.chapter else [*_slugs()]
        for slug in slugs:
            for row in rows(slug):
                print(row)
    except (NotFound, ValueError) as problem:
        print(f"lectures derivations: {problem}")
        return 2
    return 0


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
        derivation = derive(placed.text)
        verdicts = [verdict for verdict in derivation.verdicts if verdict]
        sizes = sorted({verdict.sizes for verdict in verdicts if verdict.sizes})
        said = Counter(opinion.answer for opinion in derivation.opinions if opinion)
        told = f"{len(verdicts)} lines, SymPy {said[Answer.CONFIRMED]}"
        yield (
            f"{chapter(slug).number:02d}[{placed.cell:2}]  {derivation.title:56}  {told}"
            + (f", {'; '.join(sizes)}" if sizes else "")
        )


def _slugs() -> Iterator[str]:
    return (one.slug for one in CHAPTERS)
