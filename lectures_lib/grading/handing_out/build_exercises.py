"""Exercises from solutions: each solution becomes a place to write, and nothing of it stays.

`build` is a pure function of a notebook. In the solved notebook an exercise is three cells: the
task, the answer with `### BEGIN SOLUTION` and `### END SOLUTION` around what the student has to
write, and the call of `check`. Cells with `"solution_only": true` under the metadata key
`lectures` are for readers of the solution and are left out.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import nbformat

from lectures_lib.grading.handing_out.solutions import AuthoringError, filled
from lectures_lib.workspace.normal_form import normalise

BEGIN, END = "BEGIN SOLUTION", "END SOLUTION"
STUB = "# YOUR CODE HERE"  # nbgrader gets the same stub by its configuration
LONGEST_RUN = 11  # tokens of a solution in a row that may appear in the exercise by chance


def build(solved: Any) -> Any:
    """The exercise notebook of a solved notebook, in normal form; the argument is not changed."""
    exercise = without_readers_part(solved)
    for cell in exercise.cells:
        cell.source = stubbed(cell.source, f"cell {cell.get('id')}", is_answer(cell))
    exercise = normalise(exercise)
    survivors = leaks(solved, exercise)
    if survivors:
        raise AuthoringError(f"part of a solution survives in the exercise: {survivors[0]!r}")
    return exercise


def without_readers_part(solved: Any) -> Any:
    """A copy without outputs, and without the cells that are for readers of the solution."""
    notebook = deepcopy(solved)
    notebook.cells = [cell for cell in notebook.cells if not ours(cell).get("solution_only")]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def ours(cell: Any) -> dict[str, Any]:
    """Our own metadata of a cell: check id, version, number of hints."""
    found: dict[str, Any] = cell.metadata.get("lectures", {})
    return found


def is_answer(cell: Any) -> bool:
    """Whether the student writes into this cell."""
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def stubbed(source: str, where: str, answer: bool) -> str:
    """The source with every solution region replaced by the stub, at its indentation."""
    lines: list[str] = []
    inside = False
    regions = 0
    for line in source.split("\n"):
        if BEGIN in line:
            if inside or not answer:
                rule = "a second BEGIN before the END" if inside else "no solution cell of nbgrader"
                raise AuthoringError(f"{where}: {BEGIN}, but {rule}")
            inside, regions = True, regions + 1
            lines.append(line[: len(line) - len(line.lstrip())] + STUB)
        elif END in line:
            if not inside:
                raise AuthoringError(f"{where}: {END} without {BEGIN}")
            inside = False
        elif not inside:
            lines.append(line)
    if inside or (answer and not regions and STUB not in source):
        raise AuthoringError(f"{where}: " + (f"no {END}" if inside else f"no {BEGIN}"))
    return "\n".join(lines)


def leaks(solved: Any, exercise: Any) -> list[str]:
    """Runs of more than `LONGEST_RUN` tokens of a solution that the exercise still contains."""
    length = LONGEST_RUN + 1
    secret = {run for text in solutions(solved) for run in _runs(tokens(text), length)}
    found = []
    for text in texts(exercise):
        found += [" ".join(run) for run in _runs(tokens(text), length) if run in secret]
    return found


def solutions(solved: Any) -> Iterator[str]:
    """The text of every solution region and of every cell that is left out."""
    for cell in solved.cells:
        if ours(cell).get("solution_only"):
            yield cell.source
        yield from re.findall(rf"{BEGIN}\n(.*?)\n[^\n]*{END}", cell.source, flags=re.DOTALL)


def tokens(text: str) -> list[str]:
    """Words, numbers and single signs; spaces and line breaks do not count."""
    return re.findall(r"\w+|[^\w\s]", text)


def _runs(words: list[str], length: int) -> Iterator[tuple[str, ...]]:
    for start in range(len(words) - length + 1):
        yield tuple(words[start : start + length])


def texts(value: Any) -> Iterator[str]:
    """Every text in a notebook: sources, outputs, metadata, names, and what is in attachments."""
    if isinstance(value, str):
        yield value
        yield from _decoded(value)
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield str(key)
            yield from texts(entry)
    elif isinstance(value, list):
        yield " ".join(entry for entry in value if isinstance(entry, str))
        for entry in value:
            yield from texts(entry)


def _decoded(text: str) -> Iterator[str]:
    if len(text) >= 32 and re.fullmatch(r"[A-Za-z0-9+/=\s]+", text):
        try:
            yield base64.b64decode(text, validate=False).decode("latin-1")
        except binascii.Error:
            return


def solved_notebook(path: Path) -> Any:
    """The solved notebook of a file, with what is generated in it, once it passes every rule.

    Exercises and the export for nbgrader both begin here.
    """
    slug = path.stem.partition("_")[2]
    notebook = filled(nbformat.read(path, as_version=4), slug)
    build(notebook)
    return notebook


def texts_of(path: Path) -> tuple[str, str]:
    """What has to stand in the solved notebook's file and in that of its exercises."""
    notebook = solved_notebook(path)
    return as_text(notebook), as_text(build(notebook))


def as_text(notebook: Any) -> str:
    """A notebook as it stands in its file."""
    text: str = nbformat.writes(notebook, version=4)
    return text.rstrip("\n") + "\n"


def pairs(course: Path) -> list[tuple[Path, Path]]:
    """Every solved notebook with the place of its exercise."""
    found = sorted((course / "solutions").glob("*.ipynb"))
    return [(path, course / "exercises" / path.name) for path in found]
