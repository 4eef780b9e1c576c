"""The page of the teacher: who is who, what has to be looked at, slips without a name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lectures_lib.checks.kinds.function import Function
from lectures_lib.checks.registry import find
from lectures_lib.checks.running.plain_data import plain
from lectures_lib.grading.reports.anonymous import anonymous, vocabulary
from lectures_lib.grading.reports.class_page import facts, headline
from lectures_lib.grading.reports.clusters import Cluster, alike, clusters
from lectures_lib.grading.reports.feedback import WORDS
from lectures_lib.grading.reports.html import code, page, plural, safe, section, table
from lectures_lib.grading.reports.marks import Row, by_assignment, by_exercise, file_name
from lectures_lib.grading.reports.policy import Place

TROUBLE = ("timeout", "memory", "crashed", "forbidden", "undecided")  # a note says what else


def teacher_page(rows: Sequence[Row], moved: set[Place]) -> str:
    """The page, with names and links."""
    shown = "the page to show to the class is <a href='class.html'>The class</a>"
    blocks = [f"<p>This page has names. Without them, {shown}.</p>"]
    for assignment, own in by_assignment(rows).items():
        blocks += [f"<h2>{safe(assignment)}</h2>", _trouble(own, moved), _similar(own)]
        blocks.append(_unnamed(own))
    return page("For the teacher", *blocks, _students_list(rows))


def _trouble(rows: Sequence[Row], moved: set[Place]) -> str:
    lines = []
    for row in rows:
        notes = [*row.notes, *(f"it carries the name of {other}" for other in row.others)]
        for mark in row.exercises:
            told = [WORDS[mark.status]] if mark.status in TROUBLE else []
            told += mark.flags
            if (row.student, row.assignment, mark.id) in moved:
                told.append(
                    f"changed by hand to {mark.points:g}; graded anew since, to {mark.automatic:g}"
                )
            notes += [f"{mark.title}: {one}" for one in told]
        if notes:
            items = "".join(f"<li>{safe(note)}</li>" for note in dict.fromkeys(notes))
            lines.append([_link(row, row.student), f"<ul>{items}</ul>"])
    if not lines:
        return ""
    inner = f"<summary>{plural(len(lines), 'notebook')}</summary>"
    return (
        "<h3>To be looked at</h3>"
        f"<details open>{inner}{table(['student', 'what'], lines)}</details>"
    )


def _similar(rows: Sequence[Row]) -> str:
    lines = []
    for marks in by_exercise(rows).values():
        prints = [(row.student, mark.fingerprint) for row, mark in marks if mark.points]
        for group in alike(prints, len(rows)):
            lines.append([safe(marks[0][1].title), safe(", ".join(group))])
    told = (
        "<p>The same statements, once names, texts and layout are taken out. This is a hint, not a "
        "verdict: there may be one usual way to write it.</p>"
    )
    return section("Answers that are alike", ["exercise", "students"], lines, told)


def _unnamed(rows: Sequence[Row]) -> str:
    """Every cluster with its members, and what makes a named slip of it."""
    lines = []
    for marks in by_exercise(rows).values():
        for cluster in clusters(marks):
            who = ", ".join(_link(row, row.student) for row, _ in cluster.members)
            paste = slip_block(cluster)
            block = f"<details><summary>Give it a name</summary>{code(paste)}</details>"
            told = f"{headline(cluster)}{facts(cluster)}{block if paste else ''}"
            lines.append([safe(marks[0][1].title), told, who])
    head = ["exercise", "what they do", "students"]
    return section("Wrong, and no slip says why", head, lines)


def slip_block(cluster: Cluster) -> str:
    """What to paste into the exercises of the chapter, where the answer is one function that
    returns as many numbers as it should."""
    mark = cluster.shortest
    exercise = find(mark.id)
    (part, *others) = exercise.parts
    if others or not isinstance(part, Function) or isinstance(mark.deeds[0], str):
        return ""
    case = part.cases[0]
    right = part.reference(*[plain(argument) for argument in case.arguments])
    wanted = sum(np.size(result) for result in (right if len(part.results) > 1 else (right,)))
    if mark.deeds[0][0] != wanted:
        return ""
    new = f"{part.name}_unnamed"
    answer = anonymous(mark.answer, vocabulary(mark.id)).replace(f"{part.name}(", f"{new}(")
    return (
        f"# lectures_lib/chapters/{exercise.slug}/exercises.py, above {mark.id}:\n{answer}\n\n"
        f'# and in its slips("""…""", {new}={new}):\n'
        f"A name for it\n    by {new}\n    What they do, and what to do instead.\n"
    )


def _students_list(rows: Sequence[Row]) -> str:
    columns = 3 if any(row.days_late for row in rows) else 2
    lines = []
    for row in sorted(rows, key=lambda row: (row.student, row.assignment)):
        late = f"{row.days_late}" if row.days_late else ""
        page_of = _link(row, f"{row.student}, {row.assignment}")
        lines.append([page_of, f"{row.points:g} of {row.out_of:g}", late][:columns])
    head = ["page", "points", "days late"][:columns]
    return "<h2>All notebooks</h2>" + table(head, lines, numbers=(1, 2))


def _link(row: Row, text: str) -> str:
    """A link to the page of a notebook."""
    place = f"feedback/{file_name(row.student)}/{file_name(row.assignment)}.html"
    return f'<a href="{safe(place)}">{safe(text)}</a>'
