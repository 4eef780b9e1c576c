"""Brings a new version of a notebook to a student's copy, cell by cell.

Three notebooks meet: the one that was handed out, the student's, and the new one. A cell that the
student left alone becomes the new one; a cell that the student changed stays; where both changed,
both are kept and a note says so. Cells are known by their id.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

Cell = Any


@dataclass
class Merged:
    """The student's new notebook, and what has to be said about it."""

    notebook: NotebookNode
    messages: list[str] = field(default_factory=list)


def merge(old: NotebookNode, mine: NotebookNode, new: NotebookNode) -> Merged:
    """`new` with everything kept that `mine` changed since `old`; no argument is changed."""
    old, mine, new = (_with_ids(notebook) for notebook in (old, mine, new))
    before, after = _by_id(old.cells), _by_id(new.cells)
    current = _recognised(mine.cells, old.cells)
    taken = {*before, *after, *current}
    merged = Merged(deepcopy(new))
    kept: list[Cell] = []
    for cell in merged.notebook.cells:
        kept += _merged_cell(before.get(cell.id), current.get(cell.id), cell, merged, taken)
    merged.notebook.cells = kept
    _tell_of_changed_exercises(before, current, after, merged, taken)
    _add_own_cells(before, current, after, merged)
    return merged


def same(a: Cell, b: Cell) -> bool:
    """Whether two cells have the same type and source; outputs and metadata do not count."""
    return bool(a.cell_type == b.cell_type and a.source.rstrip() == b.source.rstrip())


def _by_id(cells: Iterable[Cell]) -> dict[str, Cell]:
    return {cell.id: cell for cell in cells}


def _grade_id(cell: Cell) -> str:
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def _with_ids(notebook: NotebookNode) -> NotebookNode:
    """A notebook in which every cell has an id of its own; other editors write none."""
    found = deepcopy(notebook)
    seen: set[str] = set()
    for cell in found.cells:
        cell["id"] = _free(str(cell.get("id") or "own"), seen)
    found["nbformat_minor"] = max(5, int(found.get("nbformat_minor", 5)))
    return found


def _recognised(mine: list[Cell], old: list[Cell]) -> dict[str, Cell]:
    """The student's cells by id; ids that an editor has lost are found again.

    First by the grade id in the metadata, then by an unchanged text, then by the names that an
    answer defines.
    """
    ids = {cell.id for cell in mine}
    lost = [cell for cell in old if cell.id not in ids]
    found: dict[str, Cell] = {}
    known = {cell.id for cell in old}
    for cell in mine:
        name = cell.id
        if name not in known:
            match = next((o for o in lost if _is_the_same_cell(o, cell)), None)
            if match is not None:
                lost.remove(match)
                name = match.id
        found[name] = cell
    return found


def _is_the_same_cell(old: Cell, mine: Cell) -> bool:
    """Whether a cell without its id is this one."""
    if _grade_id(old) and _grade_id(old) == _grade_id(mine):
        return True
    if same(old, mine):
        return True
    names = _defined(old)
    answer = bool(old.metadata.get("nbgrader", {}).get("solution"))
    return answer and mine.cell_type == "code" and bool(names) and names <= _defined(mine)


def _defined(cell: Cell) -> set[str]:
    """The functions and variables that a cell defines at its left margin."""
    functions = re.findall(r"^def (\w+)", cell.source, flags=re.MULTILINE)
    targets = re.findall(r"^(\w+(?:\s*,\s*\w+)*)\s*=[^=]", cell.source, flags=re.MULTILINE)
    return {*functions, *(name.strip() for names in targets for name in names.split(","))}


def _merged_cell(
    old: Cell | None, mine: Cell | None, new: Cell, merged: Merged, taken: set[str]
) -> list[Cell]:
    """The cells that take the place of `new`."""
    if mine is None:
        deleted_on_purpose = old is not None and same(old, new) and not _grade_id(new)
        return [] if deleted_on_purpose else [new]
    if same(mine, new):
        if new.cell_type == "code" and mine.cell_type == "code" and mine.outputs:
            new.outputs, new.execution_count = mine.outputs, mine.execution_count
        return [new]
    if old is not None and same(mine, old):
        return [new]
    answer = bool(new.metadata.get("nbgrader", {}).get("solution"))
    if answer or (old is not None and same(old, new)):
        kept = deepcopy(mine)
        kept.id, kept.metadata = new.id, new.metadata
        return [kept]
    merged.messages.append("a cell that you had changed has a new version; yours stands below it")
    text = f"Your text of the cell above, kept:\n\n{_quoted(mine)}"
    note = _note(f"kept-{new.id}", text, taken)
    if mine.get("attachments"):
        note.attachments = deepcopy(mine.attachments)  # a pasted image
    return [new, note]


def _tell_of_changed_exercises(
    before: dict[str, Cell],
    current: dict[str, Cell],
    after: dict[str, Cell],
    merged: Merged,
    taken: set[str],
) -> None:
    """A note before every answer whose exercise has changed since it was written."""
    cells: list[Cell] = []
    for cell in merged.notebook.cells:
        name = _grade_id(cell)
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.id in before:
            touched = cell.id in current and not same(cell, after[cell.id])
            if touched and _exercise_changed(name, before, after):
                title = name.removesuffix("-answer")
                merged.messages.append(f"the exercise {title} has changed; your answer is kept")
                text = _change_text(before, after, cell.id)
                if not any(own.source == text for own in current.values()):
                    cells.append(_note(f"changed-{cell.id}", text, taken))
        cells.append(cell)
    merged.notebook.cells = cells


def _exercise_changed(answer: str, before: dict[str, Cell], after: dict[str, Cell]) -> bool:
    stem = answer.removesuffix("-answer")
    olds = {_grade_id(c): c for c in before.values() if _grade_id(c).startswith(f"{stem}-")}
    news = {_grade_id(c): c for c in after.values() if _grade_id(c).startswith(f"{stem}-")}
    if olds.keys() != news.keys():
        return True
    return any(
        not same(olds[name], news[name]) or _version(olds[name]) != _version(news[name])
        for name in olds
    )


def _version(cell: Cell) -> Any:
    return cell.metadata.get("lectures", {}).get("version")


def _change_text(before: dict[str, Cell], after: dict[str, Cell], name: str) -> str:
    text = (
        "**This exercise changed after you answered it.** Your answer below is as you left it: "
        "read the task again and run the check."
    )
    if same(before[name], after[name]):
        return text
    return f"{text} The answer now starts from:\n\n{_quoted(after[name])}"


def _add_own_cells(
    before: dict[str, Cell], current: dict[str, Cell], after: dict[str, Cell], merged: Merged
) -> None:
    """Put the student's own cells behind the cell they stood behind."""
    place, anchor = {cell.id: cell for cell in merged.notebook.cells}, ""
    behind: dict[str, list[Cell]] = {}
    for name, cell in current.items():
        if name in after:
            anchor = name
        elif name not in place:
            removed = name in before
            if removed and same(before[name], cell):
                continue
            if removed:
                merged.messages.append("an exercise is no longer part of the course; yours is kept")
            behind.setdefault(anchor, []).append(cell)
    cells = behind.pop("", [])
    for cell in merged.notebook.cells:
        cells.append(cell)
        cells += behind.pop(cell.id, [])
    merged.notebook.cells = cells + [cell for rest in behind.values() for cell in rest]


def _note(name: str, text: str, taken: set[str]) -> Cell:
    """A note under a name that no cell has: earlier notes, and what was written there, stay."""
    cell = new_markdown_cell(text)
    cell.id = _free(name, taken)
    return cell


def _free(name: str, taken: set[str]) -> str:
    """The name, or the first with a number behind it that is free; it is taken from now on."""
    count, free = 1, name[:60]
    while free in taken:
        count += 1
        free = f"{name[:60]}-{count}"
    taken.add(free)
    return free


def _quoted(cell: Cell) -> str:
    if cell.cell_type != "code":
        return str(cell.source)
    return f"```python\n{cell.source}\n```"
