"""Write what README and the notebooks repeat from the table of chapters: titles, lists, links.

A block stands between `<!-- chapters -->` and `<!-- end of chapters -->`; the rest of a page is
never touched. A chapter's notebook gets its number, title and minutes.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

from lectures_lib.chapters import CHAPTERS, Chapter, Overview
from lectures_lib.checks.registry import exercises_of
from lectures_lib.workspace.files import write_whole
from lectures_lib.workspace.place import find_repository

BEGIN, END = "<!-- chapters -->", "<!-- end of chapters -->"
START = CHAPTERS[0]


class NoBlock(ValueError):
    """A page has lost the place of its block; the message says which lines to put back."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Whether to write or only to compare."""
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if a page is not up to date"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write every page that is not up to date, or name it."""
    try:
        course = find_repository()
        old = {path: text for path, text in pages(course) if path.read_text("utf-8") != text}
    except NoBlock as error:
        print(f"lectures build-pages: {error}")
        return 1
    for path, text in old.items():
        if not arguments.check:
            write_whole(path, text)
        state = "is not up to date" if arguments.check else "written"
        print(f"{path.relative_to(course).as_posix()} {state}")
    if not old:
        print("Every page is up to date.")
    return int(arguments.check and bool(old))


def pages(course: Path) -> Iterator[tuple[Path, str]]:
    """Every page that repeats something from the table, with the text that it must have."""
    overview = Overview(course / "notebooks")
    ready = [c for c in CHAPTERS if overview.ready(c)]
    readme = course / "README.md"
    yield readme, with_block(readme.read_text("utf-8"), readme_table(ready), readme.name)
    for c in ready:
        path = course / "notebooks" / f"{c.stem}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        if c is START:
            _fill_start(notebook, overview, ready[1:])
        else:
            notebook.cells[0].source = title_of(c, notebook.cells[0].source)
        yield path, nbformat.writes(notebook, version=4).rstrip("\n") + "\n"


def with_block(text: str, block: str, name: str) -> str:
    """The text with its block replaced."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise NoBlock(f"{name}: expected the lines {BEGIN} and {END} around the list of chapters.")
    return f"{before}{begin}\n{block}\n{end}{after}"


def title_of(c: Chapter, source: str) -> str:
    """The first cell of a chapter with the number, title and minutes of the table."""
    time = f"**Time:** {c.minutes} minutes, and {c.exercise_minutes} for the exercises."
    source = re.sub(r"\A# .*", lambda _: f"# {c.number}. {c.title}", source)
    return re.sub(r"\*\*Time:\*\* [^.]*\.", time, source)


def readme_table(ready: list[Chapter]) -> str:
    """The chapters that can be read, as the table of the README."""
    lines = ["| chapter | notebook | minutes | exercises |", "|---|---|---|---|"]
    for c in ready:
        exercises = exercises_of(c.slug)
        link = f"[{len(exercises)}](exercises/{c.stem}.ipynb)" if exercises else ""
        time = f"{c.minutes} + {c.exercise_minutes}" if exercises else f"{c.minutes}"
        lines.append(
            f"| {c.number:02d} | [{c.title}](notebooks/{c.stem}.ipynb) | {time} | {link} |"
        )
    if len(ready) < len(CHAPTERS):
        lines.append(f"\nThe other chapters follow in the order that `{START.stem}` lists.")
    return "\n".join(lines)


def where_to_begin(ready: list[Chapter]) -> str:
    """Which chapters can be read, and the first of them, as a paragraph of `00_start_here`."""
    if not ready:
        return "The chapters follow."
    links = [f"[{c.number:02d}, {c.title}]({c.stem}.ipynb)" for c in ready]
    if len(ready) == len(CHAPTERS) - 1:
        return f"Begin with {links[0]}."
    return f"Ready so far: {'; '.join(links)}. Begin with the first of them."


def _fill_start(notebook: Any, overview: Overview, ready: list[Chapter]) -> None:
    """The overview and the paragraph on where to begin."""
    for cell in notebook.cells:
        if cell.source == "Overview()":
            (output,) = cell.outputs
            output.data = {
                "text/markdown": overview._repr_markdown_(),
                "text/plain": repr(overview),
            }
        elif BEGIN in cell.source:
            cell.source = with_block(cell.source, where_to_begin(ready), START.stem)
