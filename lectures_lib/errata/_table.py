"""The ledger as a table: Markdown in a notebook, plain text in a terminal, JSON for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from lectures_lib.errata._entry import SEVERITIES, Erratum, Result, _labelled


@dataclass(frozen=True)
class Note:
    """One of the five lecture notes: who wrote it and when, as far as it says so.

    >>> print(NOTES[1])
    001: Classificazione discriminativa (IN550). Vincenzo Bonifaci. Date not stated.
    """

    id: str
    title: str
    author: str
    date: str

    def __str__(self) -> str:
        return f"{self.id}: {self.title}. {self.author}. {self.date}."


NOTES = (
    Note(
        "000",
        "Clasificadores Discriminativos Básicos (INF-398)",
        "Ricardo Ñanculef, UTFSM",
        "Second semester of 2021",
    ),
    Note("001", "Classificazione discriminativa (IN550)", "Vincenzo Bonifaci", "Date not stated"),
    Note(
        "002",
        "Unidad 4, Clasificación Supervisada",
        "Author not identified (course repository clasificacion_imagenes_enes)",
        "23 March 2021",
    ),
    Note("003", "Modelos de clasificación lineales", "Martín Onetto", "Date not stated"),
    Note("004", "Classificação Linear", "Author not identified", "Date not stated"),
)
SCHEMA_VERSION = 1


@dataclass(frozen=True, repr=False)
class ErrataTable:
    """Some entries of the ledger, in its order; shows itself as a list that a page can wrap.

    >>> table = errata("fisher")
    >>> [entry.id for entry in table][:2]
    ['E4-05', 'E4-06']
    """

    entries: tuple[Erratum, ...]

    def __iter__(self) -> Iterator[Erratum]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return self.text()

    def _repr_markdown_(self) -> str:
        return self._markdown_table()

    def text(self, check: Callable[[str], Result] | None = None) -> str:
        """Plain text, one paragraph for each entry; with `check` also how each check ended."""
        if not self.entries:
            return "No errata here."
        return "\n\n".join(_paragraph(entry, check) for entry in self.entries)

    def markdown(self, check: Callable[[str], Result] | None = None) -> str:
        """A Markdown document: the notes with their authors, then the table."""
        counts = ", ".join(f"{self._count(name)} {name}" for name in SEVERITIES)
        meanings = "".join(f"- **{name}**: {meaning}\n" for name, meaning in SEVERITIES.items())
        notes = "".join(f"- {note}\n" for note in NOTES)
        head = f"# Errata of five lecture notes\n\n{len(self)} entries: {counts}.\n"
        table = self._markdown_table()
        evidence = "" if check is None else f"\n\n## Checks\n\n{self._evidence(check)}"
        return f"{head}\n## The notes\n\n{notes}\n## Severity\n\n{meanings}\n{table}{evidence}\n"

    def record(self, check: Callable[[str], Result] | None = None) -> dict[str, Any]:
        """The entries as plain data, in the shape that `schema.json` describes."""
        return {
            "title": "Errata of five lecture notes",
            "version": SCHEMA_VERSION,
            "severities": dict(SEVERITIES),
            "notes": [asdict(note) for note in NOTES],
            "errata": [_record(entry, check) for entry in self.entries],
        }

    def json(self, check: Callable[[str], Result] | None = None) -> str:
        """The record as JSON text."""
        return json.dumps(self.record(check), ensure_ascii=False, indent=2) + "\n"

    def _count(self, severity: str) -> int:
        return sum(entry.severity == severity for entry in self.entries)

    def _markdown_table(self) -> str:
        if not self.entries:
            return "No errata here."
        return "\n\n".join(entry._repr_markdown_() for entry in self.entries)

    def _evidence(self, check: Callable[[str], Result]) -> str:
        lines = [
            f"- **{entry.id}** {'passed' if (found := check(entry.id)).passed else 'FAILED'}. "
            f"{_escaped(found.evidence)}"
            for entry in self.entries
            if not entry.text_only
        ]
        return "\n".join(lines)


def _escaped(text: str) -> str:
    """The text with the signs escaped that Markdown would take for emphasis, code or HTML."""
    return re.sub(r"([*_`<|\\])", r"\\\1", text)


def _paragraph(entry: Erratum, check: Callable[[str], Result] | None) -> str:
    if check is None or entry.text_only:
        return repr(entry)
    found = check(entry.id)
    ended = f"{'passed' if found.passed else 'FAILED'}. {found.evidence}"
    return "\n".join([repr(entry), *_labelled("check", ended)])


def _record(entry: Erratum, check: Callable[[str], Result] | None) -> dict[str, Any]:
    record = asdict(entry) | {"items": list(entry.items)}
    if check is not None:
        record["check"] = None if entry.text_only else _check_record(check(entry.id))
    return record


def _check_record(found: Result) -> dict[str, Any]:
    return {
        "printed_fails": found.printed_fails,
        "corrected_holds": found.corrected_holds,
        "evidence": found.evidence,
    }
