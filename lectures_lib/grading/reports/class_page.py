"""The page of the class: points, what was misunderstood, and what has to be looked at."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from lectures_lib.grading.reports.handed_back import WORDS
from lectures_lib.grading.reports.html import code, page, plural, safe, table
from lectures_lib.grading.reports.policy import Place
from lectures_lib.grading.reports.rows import Mark, Row, assignments, file_name
from lectures_lib.grading.reports.similar import alike

TROUBLE = (
    "timeout",
    "memory",
    "crashed",
    "forbidden",
    "undecided",
)  # a note says what is unreadable


def class_page(rows: Sequence[Row], moved: set[Place], *, names: bool) -> str:
    """The page; without names students are numbers, in the order of the list of pages."""
    shown = {s: s if names else f"student {k}" for k, s in enumerate(_students(rows), 1)}
    blocks = [_sandbox(rows)]
    for assignment in assignments(rows):
        own = [row for row in rows if row.assignment == assignment]
        blocks += [f"<h2>{safe(assignment)}</h2>", _overview(own), _exercises(own)]
        blocks += [_slips(own), _trouble(own, shown, moved), _similar(own, shown)]
    blocks.append(_students_list(rows, shown))
    return page("The class", *blocks)


def _students(rows: Sequence[Row]) -> list[str]:
    return sorted({row.student for row in rows})


def _sandbox(rows: Sequence[Row]) -> str:
    open_ = [row for row in rows if row.sandbox == ("rlimits",)]
    if open_:
        told = f"{plural(len(open_), 'notebook was', 'notebooks were')} run without a sandbox."
        return f'<p class="note"><strong>{told}</strong></p>'
    layers = next((row.sandbox for row in rows if len(row.sandbox) > 1), ())
    return f"<p>Students' code was shut in by: {safe(', '.join(layers) or 'nothing was run')}.</p>"


def _overview(rows: Sequence[Row]) -> str:
    points = sorted(row.points for row in rows)
    middle = (
        points[len(points) // 2] if len(points) % 2 else sum(points[len(points) // 2 - 1 :][:2]) / 2
    )
    most = max(row.out_of for row in rows)
    return (
        f"<p>{plural(len(rows), 'notebook')}; from {points[0]:g} to {points[-1]:g} of {most:g} "
        f"points, half of the class has {middle:g} or more.</p>"
    )


def _by_exercise(rows: Sequence[Row]) -> dict[str, list[tuple[Row, Mark]]]:
    found: dict[str, list[tuple[Row, Mark]]] = defaultdict(list)
    for row in rows:
        for mark in row.exercises:
            found[mark.id].append((row, mark))
    return found


def _exercises(rows: Sequence[Row]) -> str:
    lines = []
    for marks in _by_exercise(rows).values():
        first = marks[0][1]
        share = sum(m.points for _, m in marks) / max(1e-9, sum(m.out_of for _, m in marks))
        counts = Counter(m.status for _, m in marks)
        told = ", ".join(f"{n} {s.replace('_', ' ')}" for s, n in counts.most_common())
        width = round(6 * min(1.0, max(0.0, share)), 2)
        bar = f'<span class="track"><span class="bar" style="width:{width}rem"></span></span>'
        lines.append([safe(first.title), f"{share:.0%}{bar}", safe(told)])
    return table(["exercise", "points", "verdicts"], lines, numbers=(1,))


def _slips(rows: Sequence[Row]) -> str:
    found: dict[tuple[str, str, str], list[Mark]] = defaultdict(list)
    for row in rows:
        for mark in row.exercises:
            for name, message in mark.slips:
                found[mark.title, name, message].append(mark)
    if not found:
        return "<h3>What was misunderstood</h3><p>No known slip was made.</p>"
    lines = []
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    for (title, name, message), marks in ordered:
        example = min((mark.answer for mark in marks), key=len)
        inner = f"<summary>{safe(name)}</summary>{safe(message)}{code(example, 1_500)}"
        lines.append([str(len(marks)), f"<details>{inner}</details><small>{safe(title)}</small>"])
    return "<h3>What was misunderstood</h3>" + table(
        ["students", "slip, with an example, and exercise"], lines, numbers=(0,)
    )


def _trouble(rows: Sequence[Row], shown: dict[str, str], moved: set[Place]) -> str:
    lines = []
    for row in rows:
        notes = list(row.notes)
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
            lines.append([_link(row, shown[row.student]), f"<ul>{items}</ul>"])
    if not lines:
        return ""
    count = plural(len(lines), "notebook")
    inner = f"<summary>{count}</summary>{table(['student', 'what'], lines)}"
    return f"<h3>To be looked at</h3><details open>{inner}</details>"


def _similar(rows: Sequence[Row], shown: dict[str, str]) -> str:
    lines = []
    for marks in _by_exercise(rows).values():
        prints = [(row.student, mark.fingerprint) for row, mark in marks if mark.points]
        for group in alike(prints, len(rows)):
            lines.append([safe(marks[0][1].title), safe(", ".join(shown[s] for s in group))])
    if not lines:
        return ""
    told = (
        "The same statements after names, texts and layout were taken out. A hint, no verdict: "
        "there may be one usual way to write it."
    )
    return f"<h3>Answers that are alike</h3><p>{told}</p>" + table(["exercise", "students"], lines)


def _students_list(rows: Sequence[Row], shown: dict[str, str]) -> str:
    columns = 3 if any(row.days_late for row in rows) else 2
    lines = []
    for row in sorted(rows, key=lambda row: (row.student, row.assignment)):
        late = f"{row.days_late}" if row.days_late else ""
        page_of = _link(row, f"{shown[row.student]}, {row.assignment}")
        lines.append([page_of, f"{row.points:g} of {row.out_of:g}", late][:columns])
    head = ["page", "points", "days late"][:columns]
    return "<h2>All notebooks</h2>" + table(head, lines, numbers=(1, 2))


def _link(row: Row, text: str) -> str:
    """A link to the page of a notebook."""
    place = f"feedback/{file_name(row.student)}/{file_name(row.assignment)}.html"
    return f'<a href="{safe(place)}">{safe(text)}</a>'
