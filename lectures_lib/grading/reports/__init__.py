"""What a teacher gets: tables for other systems, and pages: one to show, one to keep, and one for
each student."""

from __future__ import annotations

from pathlib import Path

from lectures_lib.grading.batches.store import Store
from lectures_lib.grading.reports.class_page import class_page
from lectures_lib.grading.reports.feedback import feedback_notebook, student_page
from lectures_lib.grading.reports.marks import Row, file_name, rows
from lectures_lib.grading.reports.policy import Change, Place, Policy, moved_since
from lectures_lib.grading.reports.tables import write_tables
from lectures_lib.grading.reports.teacher_page import teacher_page
from lectures_lib.workspace.files import write_whole


def write_reports(
    store: Store,
    policy: Policy,
    changes: dict[Place, Change],
    *,
    keep: str = "newest",
    names: bool = False,
) -> Path:
    """Write everything into the folder of the results; the page of the class."""
    found = rows(store, policy, changes, keep)
    own = {
        (row.student, row.assignment, e.id): e.automatic
        for row in found
        for e in row.exercises
        if (row.student, row.assignment, e.id) in changes
    }
    moved = moved_since(store.folder, own)
    store.write_sqlite(keep)
    write_tables(store.folder, found, moved)
    _write_students(store.folder, found)
    page = store.folder / "class.html"
    write_whole(page, class_page(found, names=names))
    write_whole(store.folder / "teacher.html", teacher_page(found, moved))
    return page


def _write_students(folder: Path, found: list[Row]) -> None:
    """Pages and notebooks to hand back, written again only where something changed."""
    for row in found:
        name = f"{file_name(row.student)}/{file_name(row.assignment)}"
        for path, text in (
            (folder / "feedback" / f"{name}.html", student_page(row)),
            (folder / "feedback" / f"{name}.ipynb", feedback_notebook(row)),
        ):
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_whole(path, text)
