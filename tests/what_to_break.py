"""The sentences of a notebook that say what to break in the cell above, and what comes out.

    Write `-` for `+` in line 3: it fails at `w = 0, y = 1`.
    Write `real` for `positive` in the names: line 2 has no value at `x = -1`, line 3 still holds.
    Write `2*w` for each `w` in line 1 and `=` for `<=` in line 4: line 4 is not decided.
    Write `-` for `+` in the cell: it prints `differ: at w = 0: 1 against 0`.

Lines are counted as the table counts them, "the names" stand between the title and the first empty
line. What is replaced occurs once in its place, unless "each" is said; reasons are left alone.
"""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from typing import NamedTuple

from linecheck import derive
from linecheck.derivation.text import read
from linecheck.judge.verdicts import Status, Verdict

_EDIT = re.compile(r"`([^`]+)` for (each )?`([^`]+)` in (line \d+|the names|the cell)")
_ANSWER = re.compile(
    r"(it|line \d+) (fails at|has no value at|still holds|cannot be read|is not decided|prints)"
    r"(?: `([^`]*)`)?"
)
_SENTENCE = re.compile(r"\b[Ww]rite (?=`)((?:`[^`]*`|[^`:])*): ((?:`[^`]*`|[^`.])*)(?:\.|$)")
_STATUS = {
    "fails at": Status.REFUTED,
    "has no value at": Status.DOMAIN,
    "cannot be read": Status.INVALID,
    "is not decided": Status.UNDECIDED,
}


class Edit(NamedTuple):
    """What is typed instead of what, and where."""

    new: str
    every: bool
    old: str
    place: str


class Answer(NamedTuple):
    """What the sentence says about a line ("it": the edited one), or about the cell."""

    line: str
    what: str
    told: str  # the point, or what is printed


class Break(NamedTuple):
    """One sentence."""

    edits: tuple[Edit, ...]
    answers: tuple[Answer, ...]


def sentences(prose: str) -> Iterator[Break]:
    """What a text cell says."""
    for edited, answered in _SENTENCE.findall(" ".join(prose.split())):
        edits = tuple(Edit(new, bool(each), *rest) for new, each, *rest in _EDIT.findall(edited))
        answers = tuple(Answer(*found) for found in _ANSWER.findall(answered))
        assert edits, f"no edit can be read in: Write {edited}"
        assert answers, f"no answer can be read in: {answered}"
        yield Break(edits, answers)


def edited(text: str, edits: tuple[Edit, ...]) -> str:
    """The text of a derivation with what the sentence says typed into it."""
    rows = text.split("\n")
    judged = [line.number for line in read(text).lines if not line.settles]
    for edit in edits:
        if edit.place == "the names":
            title = next(k for k, row in enumerate(rows) if row.strip())
            end = next(k for k, row in enumerate(rows) if k > title and not row.strip())
            _replace(rows, range(title + 1, end), edit)
        else:
            number = judged[int(edit.place.removeprefix("line ")) - 1] - 1
            _replace(rows, range(number, number + 1), edit)
    return "\n".join(rows)


def _replace(rows: list[str], where: range, edit: Edit) -> None:
    counts = {k: rows[k].partition("#")[0].count(edit.old) for k in where}
    total = sum(counts.values())
    assert total == 1 or (edit.every and total > 1), f"{edit.old} stands there {total} times"
    for k in where:
        line, sign, because = rows[k].partition("#")
        rows[k] = line.replace(edit.old, edit.new) + sign + because


def untrue(text: str, said: Break) -> list[str]:
    """What the sentence says and the judge does not, when it is done to a derivation."""
    verdicts = derive(edited(text, said.edits)).verdicts
    wrong = []
    for answer in said.answers:
        place = said.edits[-1].place if answer.line == "it" else answer.line
        found = verdicts[int(place.removeprefix("line ")) - 1]
        if found is None or not _agrees(found, answer):
            wrong.append(f"{place} {answer.what} {answer.told}: found {found}")
    return wrong


def _agrees(found: Verdict, answer: Answer) -> bool:
    if answer.what == "still holds":
        return found.holds
    point = str(found.witness).partition(": ")[0].removeprefix("at ") if found.witness else ""
    return found.status is _STATUS.get(answer.what) and point == answer.told


def not_printed(before: list[str], cell: str, said: Break) -> list[str]:
    """What the sentence says and the changed cell does not print, after the cells before it."""
    rows = cell.split("\n")
    for edit in said.edits:
        assert edit.place == "the cell", edit
        _replace(rows, range(len(rows)), edit)
    names: dict[str, object] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        for source in before:
            exec(source, names)
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec("\n".join(rows), names)
    assert all(answer.what == "prints" for answer in said.answers), said
    printed = told.getvalue()
    return [f"{one.told} not in {printed}" for one in said.answers if one.told not in printed]
