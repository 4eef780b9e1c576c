"""Points for other systems: CSV, Moodle, Canvas, Gradescope, and JUnit's XML."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.etree import ElementTree

from lectures_lib.grading.reports.marks import Row, by_assignment, file_name
from lectures_lib.grading.reports.policy import Place
from lectures_lib.workspace.files import write_whole


def write_tables(folder: Path, rows: Sequence[Row], moved: set[Place]) -> None:
    """All tables, into the folder."""
    write_whole(folder / "points.csv", points_table(rows, moved))
    write_whole(folder / "canvas.csv", canvas_table(rows))
    for assignment, own in by_assignment(rows).items():
        write_whole(folder / "moodle" / f"{file_name(assignment)}.csv", moodle_table(own))
        write_whole(folder / "junit" / f"{file_name(assignment)}.xml", junit(assignment, own))
    for row in rows:
        name = f"{file_name(row.student)}-{file_name(row.assignment)}.json"
        write_whole(folder / "gradescope" / name, gradescope(row))


def _csv(lines: Iterable[Sequence[object]]) -> str:
    """CSV in which no cell is a formula for a spreadsheet."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for line in lines:
        writer.writerow([_cell(entry) for entry in line])
    return stream.getvalue()


def _cell(entry: object) -> str:
    if isinstance(entry, float | int):
        return f"{entry:g}"
    text = str(entry).replace("\r", " ").replace("\n", " ")
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t")) else text


def points_table(rows: Sequence[Row], moved: set[Place]) -> str:
    """One line for every exercise of every student."""
    head = (
        "student", "assignment", "exercise", "status", "points", "out_of", "automatic_points",
        "days_late", "share", "slips", "flags", "comment",
    )  # fmt: skip
    lines: list[Sequence[object]] = [head]
    for row in rows:
        for mark in row.exercises:
            flags = [*mark.flags]
            if (row.student, row.assignment, mark.id) in moved:
                flags.append("changed by hand before it was graded anew")
            lines.append(
                (
                    row.student, row.assignment, mark.id, mark.status, row.counted(mark),
                    mark.out_of, mark.automatic, row.days_late, row.share,
                    "; ".join(name for name, _ in mark.slips), "; ".join(flags), mark.comment,
                )
            )  # fmt: skip
    return _csv(lines)


def moodle_table(rows: Sequence[Row]) -> str:
    """The grading worksheet that Moodle imports, for one assignment."""
    head = ("Identifier", "Full name", "Maximum grade", "Grade", "Feedback comments")
    lines: list[Sequence[object]] = [head]
    for row in rows:
        identifier = f"Participant {row.moodle}" if row.moodle else row.student
        lines.append((identifier, row.student, row.out_of, row.points, comment(row)))
    return _csv(lines)


def canvas_table(rows: Sequence[Row]) -> str:
    """The gradebook that Canvas imports: a column for each assignment."""
    most = {a: max(row.out_of for row in own) for a, own in by_assignment(rows).items()}
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        found.setdefault(row.student, {})[row.assignment] = row.points
    lines: list[Sequence[object]] = [("Student", "ID", "SIS Login ID", "Section", *most)]
    lines.append(("    Points Possible", "", "", "", *most.values()))
    for student, points in found.items():
        lines.append((student, "", student, "", *(points.get(a, "") for a in most)))
    return _csv(lines)


def gradescope(row: Row) -> str:
    """Gradescope's results.json of one student."""
    tests = [
        {
            "name": mark.title, "number": mark.id, "score": mark.points, "max_score": mark.out_of,
            "status": "passed" if mark.points == mark.out_of else "failed",
            "output": mark.text, "output_format": "text", "visibility": "visible",
        }
        for mark in row.exercises
    ]  # fmt: skip
    content = {"score": row.points, "output": comment(row), "visibility": "visible", "tests": tests}
    return json.dumps(content, indent=1) + "\n"


def junit(assignment: str, rows: Sequence[Row]) -> str:
    """JUnit's XML: a suite for each student, a case for each exercise."""
    root = ElementTree.Element("testsuites", name=assignment)
    for row in rows:
        failed = sum(mark.points < mark.out_of for mark in row.exercises)
        suite = ElementTree.SubElement(
            root, "testsuite", name=_xml(row.student),
            tests=str(len(row.exercises)), failures=str(failed),
        )  # fmt: skip
        for mark in row.exercises:
            case = ElementTree.SubElement(suite, "testcase", name=mark.id, classname=assignment)
            if mark.status == "not_attempted":
                ElementTree.SubElement(case, "skipped")
            elif mark.points < mark.out_of:
                told = f"{mark.points:g} of {mark.out_of:g} points"
                failure = ElementTree.SubElement(case, "failure", type=mark.status, message=told)
                failure.text = _xml(mark.text)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _xml(text: str) -> str:
    """A text without what XML cannot hold."""
    return "".join(c for c in text if c in "\n\t" or (c >= " " and c not in "\ufffe\uffff"))


def comment(row: Row) -> str:
    """One line for a gradebook: what is missing, and how late it came."""
    parts = [
        f"{mark.title}: {mark.points:g} of {mark.out_of:g}"
        + (f" ({mark.slips[0][0]})" if mark.slips else "")
        for mark in row.exercises
        if mark.points < mark.out_of
    ]
    if row.days_late:
        parts.append(f"{row.days_late} days late: {row.share:.0%} count")
    return "; ".join(parts)
