"""Where the course treats what the five lecture notes contain.

The table `concordance.csv` names all 444 items of the notes: definitions, formulas, figures,
claims, questions. Each belongs to one chapter. A notebook says in the metadata of its cells what
it treats: `"lectures": {"items": ["A038"], "errata": ["E0-07"]}`.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from lectures_lib.chapters import CHAPTERS, Chapter, chapter

KINDS = {
    "DEF": "a definition",
    "THM": "a theorem",
    "EQ": "a formula",
    "ALG": "an algorithm",
    "WEX": "a worked example",
    "FIG": "a figure",
    "CLM": "a claim",
    "QST": "a question",
    "EXR": "an exercise",
    "RMK": "a remark",
    "REF": "a list of references",
}
NOTES = ("000", "001", "002", "003", "004")


@dataclass(frozen=True)
class Item:
    """One thing that a note contains, and the chapter (a slug) that treats it."""

    id: str
    note: str
    section: str
    equations: tuple[str, ...]  # numbers printed in the note: ("22", "23", "24") or ("Alg. 1",)
    kind: str
    chapter: str


@dataclass(frozen=True)
class Place:
    """One place in a notebook: the file and the nearest heading above the cell."""

    notebook: Path
    heading: str

    def __str__(self) -> str:
        return f"{self.notebook.name}, section “{self.heading}”"


class NotFoundInNotes(ValueError):
    """The notes hold no such item, erratum or equation; the message says what there is."""


@cache
def table() -> tuple[Item, ...]:
    """All items of the five notes, in the order of the notes."""
    text = files("lectures_lib").joinpath("concordance.csv").read_text(encoding="utf-8")
    return tuple(
        Item(
            row["id"],
            row["note"],
            row["section"],
            tuple(row["equation"].split(";")) if row["equation"] else (),
            row["kind"],
            row["chapter"],
        )
        for row in csv.DictReader(text.splitlines())
    )


def items(slug: str) -> tuple[Item, ...]:
    """The items that one chapter treats."""
    wanted = chapter(slug).slug
    return tuple(item for item in table() if item.chapter == wanted)


def item(name: str) -> Item:
    """The item with this id, as in `A043`."""
    for candidate in table():
        if candidate.id == name.upper():
            return candidate
    found = [candidate.id for candidate in table() if candidate.id[0] == name[:1].upper()]
    known = f"{found[0]} to {found[-1]}" if found else "A001 to A112, B…, C…, D… and E…"
    raise NotFoundInNotes(f"There is no item {name!r}. There are {known}.")


def equation(note: str, number: str) -> Item:
    """The item that holds a numbered equation (or algorithm) of a note: `equation("004", "31")`."""
    numbered = {key: found for found in _of_note(note) for key in found.equations}
    wanted = number.strip().strip("()")
    if re.fullmatch(r"(?i)alg\w*\.?\s*\d+", wanted):
        wanted = "Alg. " + re.sub(r"\D", "", wanted)
    if wanted not in numbered:
        raise NotFoundInNotes(
            f"Note {note} has no equation ({wanted}). {_what_is_numbered(note, list(numbered))}"
        )
    return numbered[wanted]


def _of_note(note: str) -> list[Item]:
    if note not in NOTES:
        raise NotFoundInNotes(f"There is no note {note!r}. The notes are {', '.join(NOTES)}.")
    return [found for found in table() if found.note == note]


def _what_is_numbered(note: str, keys: list[str]) -> str:
    if not keys:
        first, *_, last = _of_note(note)
        return f"This note numbers no equation; ask for an item, {first.id} to {last.id}."
    numbers = [int(key) for key in keys if key.isdigit()]
    algorithms = [key for key in keys if not key.isdigit()]
    return " and ".join([f"There are ({min(numbers)}) to ({max(numbers)})", *algorithms]) + "."


def find_notebooks(start: Path | None = None) -> Path | None:
    """The folder that holds the notebooks, seen from `start` (by default the current folder)."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        for candidate in (folder / "notebooks", folder / "work" / "notebooks", folder):
            if _holds_lessons(candidate):
                return candidate
    return None


def _holds_lessons(folder: Path) -> bool:
    """Whether notebooks of the course are there; exercises and solutions have the same names."""
    if folder.name in ("exercises", "solutions"):
        return False
    return any((folder / f"{known.stem}.ipynb").is_file() for known in CHAPTERS)


def treated(notebook: Path) -> dict[str, Place]:
    """What a notebook treats: id of an item or erratum -> the first place that names it."""
    places: dict[str, Place] = {}
    heading = notebook.stem
    for cell in _cells(notebook):
        if cell.get("cell_type") == "markdown":
            own = _headings("".join(cell.get("source", "")))
            here = own[0] if own else heading  # a cell that opens a section belongs to it
            heading = own[-1] if own else heading
        else:
            here = heading
        for name in _names(cell):
            places.setdefault(name, Place(notebook, here))
    return places


def _cells(notebook: Path) -> list[dict[str, Any]]:
    try:
        found = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    except (json.JSONDecodeError, KeyError, TypeError) as problem:
        raise ValueError(f"{notebook} is no notebook that can be read: {problem!r}") from problem
    cells: list[dict[str, Any]] = found
    return cells


def _headings(markdown: str) -> list[str]:
    outside_code = re.sub(r"```.*?(```|\Z)", "", markdown, flags=re.DOTALL)
    return [
        line.strip("#").strip()
        for line in outside_code.splitlines()
        if re.match(r"#{1,6} +\S", line)
    ]


def _names(cell: dict[str, Any]) -> Iterator[str]:
    ours = cell.get("metadata", {}).get("lectures", {})
    yield from ours.get("items", [])
    yield from ours.get("errata", [])


def expected(slug: str) -> tuple[str, ...]:
    """Ids of all items and errata that a chapter has to treat."""
    from lectures_lib.errata import LEDGER

    wanted = chapter(slug).slug
    errata = tuple(entry.id for entry in LEDGER if entry.chapter == wanted)
    return tuple(found.id for found in items(wanted)) + errata


def missing(slug: str, folder: Path | None = None) -> list[str]:
    """Ids of a chapter that no cell of its notebook treats; all of them without the notebook."""
    notebook = _notebook_of(chapter(slug), folder if folder is not None else find_notebooks())
    there = treated(notebook) if notebook is not None else {}
    return [name for name in expected(slug) if name not in there]


def _notebook_of(found: Chapter, folder: Path | None) -> Path | None:
    path = folder / f"{found.stem}.ipynb" if folder is not None else None
    return path if path is not None and path.is_file() else None


def where(words: list[str], folder: Path | None = None) -> str:
    """One or two sentences: which notebook and section treats an item, erratum or equation."""
    name, slug, what = _resolve(words)
    known = chapter(slug)
    folder = folder if folder is not None else find_notebooks()
    if folder is None:
        return (
            f"{what}\nChapter {known.stem} treats it. No notebooks were found in this folder, in a"
            " folder above it, or in work/, so the section cannot be named."
        )
    notebook = _notebook_of(known, folder)
    place = treated(notebook).get(name) if notebook is not None else None
    if place is None:
        return f"{what}\nChapter {known.stem} ({known.title}) will treat it; no cell does yet."
    return f"{what}\n{place}"


def _resolve(words: list[str]) -> tuple[str, str, str]:
    """The id, the chapter's slug and a sentence that says what was asked for."""
    if len(words) == 1 and re.fullmatch(r"(?i)[EX][\dX]-\d+", words[0]):
        from lectures_lib.errata import erratum

        try:
            found = erratum(words[0])
        except ValueError as problem:
            raise NotFoundInNotes(str(problem)) from problem
        note = "across the notes" if found.note == "across" else f"of note {found.note}"
        return found.id, found.chapter, f"{found.id} is an erratum {note}: {found.place}."
    if len(words) == 1:
        held = item(words[0])
        what = f"{held.id} is {KINDS[held.kind]}"
    elif len(words) > 1:
        number = " ".join(words[1:])
        held = equation(words[0], number)
        label = number if number.lower().startswith("alg") else f"Equation ({number.strip('()')})"
        what = f"{label} is item {held.id}, {KINDS[held.kind]}"
    else:
        raise NotFoundInNotes("Name an item (A043), an erratum (E0-07), or a note and an equation.")
    return held.id, held.chapter, f"{what} of note {held.note}, section “{held.section}”."
