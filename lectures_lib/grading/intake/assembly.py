"""Puts a student's answers onto the notebook that was handed out: nothing else of theirs counts.

Answer cells are known by their id; where an editor lost it, by nbgrader's grade id or by the names
they define. Each takes its place in the order of the course. Code cells that the student
added before an answer run before it. Deleted, doubled, re-ordered, re-typed or edited cells and
forged metadata change nothing else; each becomes a note.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from lectures_lib.grading.intake.reading import ReadCell, ReadNotebook

# Within a line, and nothing is tried twice: every character is looked at once.
NAMES = re.compile(
    r"^(?:def|class) (\w++)|^(\w++(?:[ \t]*+,[ \t]*+\w++)*+)[ \t]*+=[^=]", re.MULTILINE
)


@dataclass(frozen=True)
class Place:
    """An exercise in the canonical notebook: its answer cell and the version of its task."""

    exercise: str
    answer: str  # the id of the answer cell
    stub: str
    version: int


@dataclass(frozen=True)
class Canonical:
    """The notebook that was handed out, as far as grading needs it."""

    stem: str
    sources: dict[str, tuple[str, str]]  # id -> type and source, in order
    places: tuple[Place, ...]

    @cached_property
    def answers(self) -> dict[str, Place]:
        """The exercises by the ids of their answer cells."""
        return {place.answer: place for place in self.places}


@dataclass(frozen=True)
class Piece:
    """A piece of code to run: an answer, or what stands before it."""

    name: str  # for messages: `perceptron.fit`, or "your cell 3"
    exercise: str  # whose answer it is, or ""
    source: str
    given: str = ""  # the stub that the answer grew from


@dataclass(frozen=True)
class Assembled:
    """What is run for one submission, in order, and what there is to say about the notebook."""

    pieces: tuple[Piece, ...]
    untouched: frozenset[str]  # exercises whose stub stands there unchanged
    notes: tuple[str, ...] = field(default=())

    def answer(self, exercise: str) -> str:
        """The source of one answer."""
        return next(piece.source for piece in self.pieces if piece.exercise == exercise)


def canonical(path: Path) -> Canonical:
    """The canonical notebook in a file of the course."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    sources = {cell["id"]: (cell["cell_type"], "".join(cell["source"])) for cell in cells}
    places = []
    for answer, check in pairwise(cells):
        ours = check["metadata"].get("lectures", {})
        if "check" in ours and answer["metadata"].get("nbgrader", {}).get("solution"):
            stub = sources[answer["id"]][1]
            places.append(Place(ours["check"], answer["id"], stub, ours["version"]))
    return Canonical(path.stem, sources, tuple(places))


def assemble(read: ReadNotebook, wanted: Canonical) -> Assembled:
    """The pieces to run for a submission, in the order of the canonical notebook."""
    named = _named(read.cells, wanted)
    notes = [*read.notes, *_structure_notes(named, wanted)]
    answers = _answers(named, wanted, notes)
    before = _own_cells(named, wanted)
    pieces = [Piece("the first cell", "", s) for s in _setup(wanted)]
    untouched = set()
    for place in wanted.places:
        for number, source in enumerate(before[place.answer], 1):
            pieces.append(Piece(f"your own cell {number} before {place.exercise}", "", source))
        source = answers.get(place.answer, place.stub)
        if _bare(source) in ("", _bare(place.stub)):
            source = place.stub
            untouched.add(place.exercise)
        pieces.append(Piece(place.exercise, place.exercise, source, place.stub))
    return Assembled(tuple(pieces), frozenset(untouched), tuple(dict.fromkeys(notes)))


def _bare(source: str) -> str:
    return "\n".join(line.rstrip() for line in source.strip().splitlines())


def _setup(wanted: Canonical) -> list[str]:
    """The code cells of the course that come before the first answer."""
    found = []
    for name, (kind, source) in wanted.sources.items():
        if name in wanted.answers:
            break
        if kind == "code":
            found.append(source)
    return found


Named = list[tuple[str, ReadCell]]  # the canonical id of a cell, or "" for the student's own


def _named(cells: Sequence[ReadCell], wanted: Canonical) -> Named:
    """Every cell of a submission with the canonical cell that it is, if it is one."""
    ids = {cell.id for cell in cells} | {cell.grade_id for cell in cells}
    lost = [place for place in wanted.places if place.answer not in ids]
    named: Named = []
    for cell in cells:
        name = next((n for n in (cell.id, cell.grade_id) if n in wanted.sources), "")
        if not name and cell.kind == "code":
            found = next((p for p in lost if _defines(cell.source, p.stub)), None)
            if found is not None:
                lost.remove(found)
                name = found.answer
        named.append((name, cell))
    return named


def _defines(source: str, stub: str) -> bool:
    names = _names(stub)
    return bool(names) and names <= _names(source)


def _names(source: str) -> set[str]:
    found: set[str] = set()
    for one, several in NAMES.findall(source):
        found |= {one} if one else {name.strip() for name in several.split(",")}
    return found


def _answers(named: Named, wanted: Canonical, notes: list[str]) -> dict[str, str]:
    """The source of each answer by id; of doubled cells the last that was written in counts."""
    found: dict[str, list[ReadCell]] = {}
    for name, cell in named:
        if name in wanted.answers:
            found.setdefault(name, []).append(cell)
    chosen = {}
    for name, cells in found.items():
        place = wanted.answers[name]
        written = [c for c in cells if _bare(c.source) not in ("", _bare(place.stub))]
        chosen[name] = (written or cells)[-1].source
        if len(cells) > 1:
            notes.append(
                f"the answer to {place.exercise} stands there {len(cells)} times; "
                "the last one that was written in counts"
            )
        if any(cell.kind != "code" for cell in cells):
            notes.append(f"the answer to {place.exercise} was not a code cell; it is read as one")
    return chosen


def _structure_notes(named: Named, wanted: Canonical) -> Iterable[str]:
    """What was done to the cells that are not the student's."""
    present = [name for name, _ in named if name]
    order = list(wanted.sources)
    for place in wanted.places:
        if place.answer not in present:
            yield f"the answer cell of {place.exercise} is missing"
    known = list(dict.fromkeys(present))
    if known != sorted(known, key=order.index):
        yield "the cells stand in another order; they are run in the order of the course"
    for name, cell in named:
        if name and name not in wanted.answers:
            kind, source = wanted.sources[name]
            if kind == "code" and (cell.kind != kind or _bare(cell.source) != _bare(source)):
                yield f"the cell {name} was changed; the one of the course is used"
    versions = {f"{place.answer.removesuffix('-answer')}-check": place for place in wanted.places}
    for name, cell in named:
        if name in versions and cell.version and cell.version != versions[name].version:
            yield (
                f"{versions[name].exercise} says that it is version {cell.version}; "
                f"it is graded as version {versions[name].version}"
            )


def _own_cells(named: Named, wanted: Canonical) -> dict[str, list[str]]:
    """For each answer the student's own code cells that stand between it and the one before."""
    before: dict[str, list[str]] = {place.answer: [] for place in wanted.places}
    waiting: list[str] = []
    for name, cell in named:
        if name in before:
            before[name] += waiting
            waiting = []
        elif not name and cell.kind == "code" and cell.source.strip():
            waiting.append(cell.source)
    return before
