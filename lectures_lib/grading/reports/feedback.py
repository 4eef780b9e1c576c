"""What goes back to a student: a page and a notebook, with their answers and the verdicts."""

from __future__ import annotations

import json
from typing import Any

from lectures_lib.grading.reports.html import code, page, plural, safe, table
from lectures_lib.grading.reports.marks import Mark, Row

WORDS = {
    "right": "Right",
    "wrong": "Wrong",
    "not_attempted": "Not attempted",
    "error": "Error",
    "timeout": "Stopped: it took too long",
    "memory": "Stopped: it took too much memory",
    "crashed": "It brought Python down",
    "forbidden": "It needs something that grading does not allow",
    "unreadable": "The file cannot be read",
    "undecided": "Not decided by the machine; your teacher will look at it",
}


def student_page(row: Row) -> str:
    """The page of one notebook of one student."""
    lines = [
        [safe(m.title), safe(WORDS[m.status]), f"{m.points:g} of {m.out_of:g}"]
        for m in row.exercises
    ]
    late = f"<p>{_late(row)}</p>" if row.days_late else ""
    return page(
        f"{row.assignment}: {row.student}",
        f"<p><strong>{row.points:g} of {row.out_of:g} points.</strong></p>{late}",
        table(["exercise", "verdict", "points"], lines, numbers=(2,)),
        *(_exercise(mark) for mark in row.exercises if mark.status != "not_attempted"),
        _notes(row),
        f"<p>{_shut_in(row)}</p>",
    )


def _late(row: Row) -> str:
    return f"It came {plural(row.days_late, 'day')} late: {row.share:.0%} of the points count."


def _exercise(mark: Mark) -> str:
    kind = mark.status if mark.status in ("right", "wrong") else "error"
    first, _, rest = mark.text.partition("\n")
    told = rest if mark.title in first else mark.text  # the verdict and the points stand above it
    changed = f'<p class="note">Points changed by hand. {safe(mark.comment)}</p>'
    return (
        f'<section class="verdict {kind}"><h2>{safe(mark.title)}</h2>'
        f"<p>{safe(WORDS[mark.status])}: {mark.points:g} of {mark.out_of:g} points.</p>"
        f"{changed if mark.changed else ''}"
        f"{code(told) if told else ''}"
        f"<details><summary>Your answer</summary>{code(mark.answer, 20_000)}</details></section>"
    )


def _notes(row: Row) -> str:
    if not row.notes:
        return ""
    items = "".join(f"<li>{safe(note)}</li>" for note in row.notes)
    return f"<h2>About the notebook</h2><ul>{items}</ul>"


def _shut_in(row: Row) -> str:
    if row.sandbox in ((), ("none",)) or ("rlimits" in row.sandbox and len(row.sandbox) == 1):
        return "Graded without a sandbox." if row.sandbox else "Nothing was run."
    return f"Run in a sandbox: {safe(', '.join(row.sandbox))}."


def feedback_notebook(row: Row) -> str:
    """The answers with the verdict below each, as a notebook that runs nothing by itself."""
    head = f"# {row.assignment}: {row.points:g} of {row.out_of:g} points"
    cells = [_cell("feedback", "markdown", head + (f"\n\n{_late(row)}" if row.days_late else ""))]
    for mark in row.exercises:
        name = mark.id.replace(".", "-").replace("_", "-")
        title = f"## {mark.title}: {mark.points:g} of {mark.out_of:g}, {WORDS[mark.status]}"
        told = f"\n\n{mark.comment}" if mark.comment else ""
        cells.append(_cell(f"{name}-verdict", "markdown", title + told))
        if mark.answer:
            cells.append(_cell(f"{name}-answer", "code", mark.answer, mark.text))
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=True) + "\n"


def _cell(name: str, kind: str, source: str, output: str = "") -> dict[str, Any]:
    cell: dict[str, Any] = {"cell_type": kind, "id": name[:64], "metadata": {}, "source": source}
    if kind == "code":
        told = [{"output_type": "stream", "name": "stdout", "text": output}] if output else []
        cell |= {"execution_count": None, "outputs": told}
    return cell
