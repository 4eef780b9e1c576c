"""Exercises, slips and choices as blocks of text: what an author writes daily reads as prose.

`lectures_lib.checks.author` names a short one to copy. Its block begins with the identity and the
title, in brackets the minutes and the heading of the chapter that it belongs to; then come the
three hints, one a line: the idea, the formula, a line of code. The remark is shown with the right
answer. `another=` is a right answer as code, for `solution`: a construction, or another way.

    slips('''
    Weighted by N_k [E2-04] [From data to numbers]
        (counts - 1) -> counts ; (counts.sum() - len(counts)) -> counts.sum()
        counts - 1 -> counts
        The covariances were divided by N_k − 1, so that is what multiplies back.
    They overlap
        when overlap
        Every number of `low` must lie below every number of `high`.
    ''', overlap=lambda low, high: low.max() >= high.min())

A name stands at the margin, behind it in brackets the erratum and the section it belongs to. Below
it, indented by four, first the ways to this slip, one a line: edits of the reference (made together
where ` ; ` stands between them; `old -> new || other` are two ways), or `by NAME` for a function
that makes the mistake, or `when NAME` for one that recognises it in data; then the message. A line
indented by eight goes on with the one before it. `\\n` in an edit is a line's end.

    choices('''
    a. those of LDA only
        LDA turns its one covariance with the data.
    b. those of naive Bayes only [right]
        LDA and QDA give the same answers as before.
    ''')

    steps('''
    the square completed [2 points]
        2/(q - p)**2 - (a*(q - p) - 2/(q - p))**2/2
        with (a - 2/(q - p)**2)**2
    the goal [2 points]
        2/(q - p)**2
    ''')

A derivation has ideas, the goal last: below each its line in our own derivation, then the ways by
which it is recognised, if not by that line; `lectures_lib.checks.judging.ideas` has their words.
Without points a line only stands between.

A question inside a chapter is its text, and below it the answers that are foreseen, each with the
words for whoever gives it: choices as above; or numbers, `0.4` or `0.3 to 0.5`; or places in the
picture of the question, `(1, 2) within 0.5`. The right ones are marked, and `otherwise` stands for
all that are left. The `tries.py` of `perceptron` has numbers and choices, of `start_here` a place.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from lectures_lib.checks.exercise import Exercise, Part, Slip
from lectures_lib.checks.kinds.derivation import Step
from lectures_lib.checks.kinds.function import Function
from lectures_lib.checks.kinds.questions import Foreseen, Number, Quiz
from lectures_lib.checks.telling.outcomes import Choice
from lectures_lib.checks.writing.edits import Way

if TYPE_CHECKING:
    from lectures_lib.figures import Scene

HEAD = re.compile(r"(?P<name>.*?)(?P<marks>(?: \[[^][]+\])*)")
ERRATUM = re.compile(r"E[0-9X]-\d\d")
FUNCTION = re.compile(r"(by|when) ([A-Za-z_][\w.]*)")
HEADED = re.compile(r"([a-z_]+\.\w+): ([^][]+)(?: \[(\d+) minutes?\])? \[([^][]+)\]")
CHOICE = re.compile(r"([a-z])\. (.+)")
NUMBER = re.compile(r"(-?[\d.]+)(?: to (-?[\d.]+))?")
PLACE = re.compile(r"\((-?[\d.]+), (-?[\d.]+)\) within ([\d.]+)")
ANSWER = "guess"  # the name that every question gives its answer
POINTS = re.compile(r"(\d+(?:\.\d+)?) points?")
CONDITIONS = re.compile(r"(?:(?:is|with|without) .+|bound|later)(?:; (?:.+))*")
INDENT = 4


class BlockError(ValueError):
    """A block that cannot be read; the message names file, line and what was expected."""


class Entry(NamedTuple):
    """A name with its marks, and the lines below it, each whole again."""

    number: int
    name: str
    marks: tuple[str, ...]
    lines: tuple[str, ...]


def exercise(text: str, *parts: Part, version: int = 1, another: str = "") -> Exercise:
    """An exercise; its parts are what `check` is called with."""
    first, rest, head = _begun(text, timed=True)
    if len(first.lines) != 3:
        raise _error(text, first, f"expected three hints below it, found {len(first.lines)}")
    if rest and (len(rest) > 1 or rest[0].name != "Remark" or not rest[0].lines):
        raise _error(text, rest[0], "expected `Remark` with its text, and nothing else")
    remark = " ".join(rest[0].lines) if rest else ""
    return Exercise(*head, parts, first.lines, remark, version=version, another=another)


def question(text: str, picture: Callable[[], Scene] | None = None) -> Exercise:
    """A question inside a chapter, without points; `picture()` draws where a place is clicked."""
    first, rest, head = _begun(text, timed=False)
    if not first.lines:
        raise _error(text, first, "expected below it the question")
    part: Part
    if rest and CHOICE.fullmatch(rest[0].name):
        part, example = Quiz(ANSWER, _choices(text, rest), points=0.0), f'{ANSWER} = "a"'
    else:
        part = _foreseen(text, rest, picture)
        example = f"{ANSWER} = {'0.5' if picture is None else '(0.5, 1)'}"
    asked = " ".join(first.lines)
    return Exercise(*head, (part,), (), "", asked, example)


def small(text: str, function: Function) -> Exercise:
    """A small piece of code to write inside a chapter, without points."""
    first, rest, head = _begun(text, timed=False)
    if len(first.lines) != 3 or rest:
        raise _error(text, first, "expected below it three hints, and nothing else")
    free = replace(function, results=tuple(replace(r, points=0.0) for r in function.results))
    return Exercise(*head, (free,), first.lines)


def _foreseen(text: str, entries: list[Entry], picture: Callable[[], Scene] | None) -> Number:
    length = 1 if picture is None else 2
    found = []
    for entry in entries:
        if not set(entry.marks) <= {"right"} or not entry.lines:
            raise _error(text, entry, "expected [right] or no brackets, and words below it")
        number, place = NUMBER.fullmatch(entry.name), PLACE.fullmatch(entry.name)
        middle: tuple[float, ...] = ()
        reach = 0.0
        if number and length == 1:
            low, high = float(number[1]), float(number[2] or number[1])
            middle, reach = ((low + high) / 2,), (high - low) / 2
        elif place and length == 2:
            middle, reach = (float(place[1]), float(place[2])), float(place[3])
        elif entry.name != "otherwise" or entry is not entries[-1]:
            expected = "a number, `0.3 to 0.5`" if length == 1 else "`(1, 2) within 0.5`"
            raise _error(text, entry, f"expected {expected}, or `otherwise` at the end")
        found.append(Foreseen(middle, reach, bool(entry.marks), " ".join(entry.lines)))
    if not found or found[-1].middle or not any(one.right for one in found):
        raise BlockError(f"{_file(text)[0]}: expected an answer marked [right], and `otherwise`.")
    return Number(ANSWER, tuple(found), length, picture)


def slips(text: str, **functions: Callable[..., Any]) -> tuple[Slip, ...]:
    """The slips of a block; its lines `by` and `when` name functions of the file, or of these."""
    known = {**_author().f_globals, **functions}
    unused = set(functions)
    found = []
    for entry in _entries(text):
        ways: list[Way] = []
        recognise = None
        message: list[str] = []
        for line in entry.lines:
            call = FUNCTION.fullmatch(line)
            if message or not (call or _is_edit(line)):
                message.append(line)
                continue
            if not call:
                ways += _ways(line.replace(r"\n", "\n"))
                continue
            word, name = call.groups()
            unused.discard(name)
            place, _, last = name.rpartition(".")
            found_here = getattr(known.get(place), last, None) if place else known.get(name)
            if not callable(found_here):
                raise _error(text, entry, f"neither the file nor the call has a function {name!r}")
            if word == "by":
                ways.append(found_here)
            else:
                recognise = found_here
        if not message or not (ways or recognise):
            raise _error(text, entry, "expected its ways, `old -> new`, and below them a message")
        if any(_is_edit(line) or FUNCTION.fullmatch(line) for line in message):
            raise _error(text, entry, "an edit stands below the message; ways come first")
        errata = [mark for mark in entry.marks if ERRATUM.fullmatch(mark)]
        sections = [mark for mark in entry.marks if not ERRATUM.fullmatch(mark)]
        if len(errata) > 1 or len(sections) > 1:
            raise _error(text, entry, "expected one erratum and one section at most")
        marks = ("".join(errata), "".join(sections))
        found.append(Slip(entry.name, " ".join(message), tuple(ways), recognise, *marks))
    if unused:
        raise BlockError(f"{_file(text)[0]}: no line names the functions {sorted(unused)}.")
    return tuple(found)


def steps(text: str) -> tuple[Step, ...]:
    found = []
    for entry in _entries(text):
        points = POINTS.fullmatch(entry.marks[0]) if entry.marks else None
        if len(entry.marks) > 1 or bool(entry.marks) != bool(points) or not entry.lines:
            raise _error(text, entry, "expected `name [2 points]` and below it a line")
        line, *ways = entry.lines
        for way in ways:
            if not CONDITIONS.fullmatch(way):
                raise _error(text, entry, f"expected `with`, `without`, `is`, … in {way!r}")
        found.append(Step(entry.name, line, float(points[1]) if points else 0.0, tuple(ways)))
    return tuple(found)


def choices(text: str) -> tuple[Choice, ...]:
    """The choices of a block, in alphabetical order of their letters."""
    return _choices(text, list(_entries(text)))


def _choices(text: str, entries: list[Entry]) -> tuple[Choice, ...]:
    found: list[Choice] = []
    for entry in entries:
        head = CHOICE.fullmatch(entry.name)
        letter = chr(ord("a") + len(found))
        if not head or head[1] != letter:
            raise _error(text, entry, f"expected `{letter}. ` and the text of the choice")
        if not set(entry.marks) <= {"right"}:
            raise _error(text, entry, "expected [right], or no brackets")
        if not entry.lines:
            raise _error(text, entry, "expected an explanation below it")
        found.append(Choice(letter, head[2], bool(entry.marks), " ".join(entry.lines)))
    if not any(choice.right for choice in found):
        raise BlockError(f"{_file(text)[0]}: no choice is marked [right].")
    return tuple(found)


def _ways(line: str) -> list[Way]:
    """Edits made together are one way; several texts in one place are several."""
    if " ; " in line:
        return [tuple(line.split(" ; "))]
    old, arrow, new = line.partition(" ->")
    return [(f"{old}{arrow}{one}",) for one in new.split(" ||")]


def _is_edit(line: str) -> bool:
    return " -> " in line or line.endswith(" ->")


def _entries(text: str) -> Iterator[Entry]:
    """The entries of a block. The block's own margin is that of its first line."""
    number, head, lines = 0, "", list[str]()
    margin = None
    for k, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line:
            continue
        indent = len(raw) - len(raw.lstrip(" "))
        margin = indent if margin is None else margin
        depth, odd = divmod(indent - margin, INDENT)
        if odd or not 0 <= depth <= (2 if head else 0):
            place = Entry(k, line, (), ())
            raise _error(text, place, f"indented by {indent}; expected {margin}, or 4 or 8 more")
        if depth == 0:
            if head:
                yield _entry(number, head, lines)
            number, head, lines = k, line, []
        elif depth == 1:
            lines.append(line)
        elif lines:
            lines[-1] += f" {line}"
        else:
            head += f" {line}"
    if head:
        yield _entry(number, head, lines)


def _begun(text: str, timed: bool) -> tuple[Entry, list[Entry], tuple[str, str, int, str]]:
    """The first entry of a block, the others, and identity, title, minutes, section of the first.

    What stands inside a chapter has no minutes of its own.
    """
    first, *rest = tuple(_entries(text)) or (Entry(1, "", (), ()),)
    found = HEADED.fullmatch(first.name + "".join(f" [{mark}]" for mark in first.marks))
    if not found or bool(found[3]) != timed:
        minutes = " [6 minutes]" if timed else ""
        raise _error(text, first, f"expected `identity: title{minutes} [heading of the chapter]`")
    return first, rest, (found[1], found[2], int(found[3] or 0), found[4])


def _entry(number: int, head: str, lines: list[str]) -> Entry:
    found = HEAD.fullmatch(head)
    assert found is not None
    marks = tuple(re.findall(r"\[([^][]+)\]", found["marks"]))
    return Entry(number, found["name"], marks, tuple(lines))


def _author() -> FrameType:
    """The file that holds the block, as it is run."""
    frame = sys._getframe()
    while frame.f_code.co_filename == __file__ and frame.f_back is not None:
        frame = frame.f_back
    return frame


def _file(text: str) -> tuple[str, int]:
    """Where the block stands: the file that is read, and the number of the block's first line."""
    path = Path(_author().f_code.co_filename)
    source = path.read_text(encoding="utf-8") if path.is_file() else ""
    before, found, _ = source.partition(text or "nothing to find")
    return path.name, before.count("\n") if found else 0


def _error(text: str, entry: Entry, expected: str) -> BlockError:
    name, first = _file(text)
    return BlockError(f"{name}, line {first + entry.number}, {entry.name!r}: {expected}.")
