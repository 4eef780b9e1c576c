"""The page of the class, to be shown to it: what is right, and what was misunderstood.

Nothing on it says who: no name, number, file or link, and samples of code are made anonymous. Who
is who stands on the page of the teacher.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from lectures_lib.grading.reports.anonymous import anonymous, vocabulary
from lectures_lib.grading.reports.clusters import Cluster, Marks, clusters, shortest
from lectures_lib.grading.reports.feedback import WORDS
from lectures_lib.grading.reports.html import code, page, plural, safe, table
from lectures_lib.grading.reports.marks import Mark, Row, by_assignment, by_exercise

LONGEST_SAMPLE = 1_500
COUNTED = ("right", "a named slip", "wrong in another way", "not attempted", "not judged")


def class_page(rows: Sequence[Row], *, names: bool) -> str:
    """The page; with names each mistake says whose it is."""
    blocks = [_sandbox(rows)]
    for assignment, own in by_assignment(rows).items():
        blocks += [f"<h2>{safe(assignment)}</h2>", _overview(own), _exercises(own)]
        for marks in by_exercise(own).values():
            blocks.append(_misunderstood(marks, names))
    return page("The class", *blocks)


def _sandbox(rows: Sequence[Row]) -> str:
    open_ = [row for row in rows if row.sandbox == ("rlimits",)]
    if open_:
        told = f"{plural(len(open_), 'notebook was', 'notebooks were')} run without a sandbox."
        return f'<p class="note"><strong>{told}</strong></p>'
    layers = next((row.sandbox for row in rows if len(row.sandbox) > 1), ())
    shut_in = f"Students' code ran in a sandbox: {safe(', '.join(layers))}."
    return f"<p>{shut_in if layers else 'No code was run.'}</p>"


def _overview(rows: Sequence[Row]) -> str:
    points = sorted(row.points for row in rows)
    middle = (points[(len(points) - 1) // 2] + points[len(points) // 2]) / 2
    most = max(row.out_of for row in rows)
    return (
        f"<p>{plural(len(rows), 'notebook')}; from {points[0]:g} to {points[-1]:g} of {most:g} "
        f"points, half of the class has {middle:g} or more.</p>"
    )


def _counted(mark: Mark) -> str:
    """In which column of the table an answer is counted."""
    if mark.status in ("right", "not_attempted"):
        return mark.status.replace("_", " ")
    if mark.slips:
        return "a named slip"
    return "wrong in another way" if mark.deeds else "not judged"


def _exercises(rows: Sequence[Row]) -> str:
    lines = []
    for marks in by_exercise(rows).values():
        share = sum(m.points for _, m in marks) / max(1e-9, sum(m.out_of for _, m in marks))
        counts = Counter(_counted(m) for _, m in marks)
        width = round(6 * min(1.0, max(0.0, share)), 2)
        bar = f'<span class="track"><span class="bar" style="width:{width}rem"></span></span>'
        numbers = [str(counts[name] or "") for name in COUNTED]
        lines.append([safe(marks[0][1].title), f"{share:.0%}{bar}", *numbers])
    return table(["exercise", "points", *COUNTED], lines, numbers=range(1, 2 + len(COUNTED)))


def _misunderstood(marks: Marks, names: bool) -> str:
    """The slips and the clusters of one exercise."""
    slips: dict[tuple[str, str], list[tuple[Row, Mark]]] = defaultdict(list)
    for row, mark in marks:
        for slip in mark.slips:
            slips[slip].append((row, mark))
    ordered = sorted(slips.items(), key=lambda item: (-len(item[1]), item[0]))
    lines = [_line(found, safe(name), safe(told), names) for (name, told), found in ordered]
    unnamed = clusters(marks)
    several = [cluster for cluster in unnamed if len(cluster.members) > 1]
    lines += [_line(c.members, f"No name yet: {headline(c)}", facts(c), names) for c in several]
    alone = len(unnamed) - len(several)
    if alone:
        told = "in a way of its own" if alone == 1 else "each in a way of its own"
        lines.append([str(alone), f"<small>wrong {told}</small>"])
    if not lines:
        return ""
    head = ["students", "what they do (open it for a case and a sample)"]
    return f"<h3>{safe(marks[0][1].title)}</h3>" + table(head, lines, numbers=(0,))


def _line(found: Marks, head: str, told: str, names: bool) -> list[str]:
    """How many, what, and the shortest answer."""
    inner = f"<summary>{head}</summary>{told}{sample(shortest(found))}"
    who = f"<small>{safe(', '.join(row.student for row, _ in found))}</small>" if names else ""
    return [str(len(found)), f"<details>{inner}</details>{who}"]


def sample(mark: Mark) -> str:
    """An answer without its writer."""
    return code(anonymous(mark.answer, vocabulary(mark.id)), LONGEST_SAMPLE)


def headline(cluster: Cluster) -> str:
    """What comes out of a cluster's smallest case, in a few words."""
    case, deeds = shown_case(cluster), cluster.members[0][1].deeds
    words = [deed for deed in deeds if isinstance(deed, str)]
    return safe(case.get("told") or case.get("came_out") or "".join(words[:1]) or "wrong", 160)


def facts(cluster: Cluster) -> str:
    """The smallest case that is wrong."""
    case = shown_case(cluster)
    rows = (("case", "name"), ("given", "given"), ("came out", "came_out"), ("expected",) * 2)
    lines = [f"{label:9} {case[key]}" for label, key in rows if case.get(key)]
    return code("\n".join(lines)) if lines else ""


def shown_case(cluster: Cluster) -> dict[str, str]:
    """The smallest case, in which what is the student's is numbers, or made anonymous.

    What the check says about it stands there only where no other word came out.
    """
    case, mark = dict(cluster.case), cluster.members[0][1]
    if mark.status not in ("wrong", "error"):
        return case | {"came_out": WORDS[mark.status], "told": ""}
    authored = " ".join(case.get(key, "") for key in ("name", "given", "expected"))
    words = vocabulary(mark.id) | set(authored.replace("=", " ").split())
    came_out = case.get("came_out", "")
    case["came_out"] = anonymous(came_out, words)
    if case["came_out"] != came_out:
        case["told"] = ""
    return case
