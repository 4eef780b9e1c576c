"""The licences of code, text and data, and the authors of the lecture notes."""

from __future__ import annotations

import re
from pathlib import Path

from builder.markdown import UP, escaped

from lectures_lib.errata import NOTES

ROOT = Path(__file__).resolve().parents[2]


def pages() -> dict[str, str]:
    """Three pages: licences, data, and the notes."""
    return {
        "about/licences.md": _licences((ROOT / "LICENSE").read_text(encoding="utf-8")),
        "about/data.md": (ROOT / "lectures_lib/datasets/SOURCES.md").read_text(encoding="utf-8"),
        "about/notes.md": _notes(),
    }


def _licences(text: str) -> str:
    """The file LICENSE: its parts stand between lines of dashes, each with its title first."""
    head, *parts = re.split(r"\n-{20,}\n", text)
    sections = [f"# Licences\n\n{_paragraphs(head)}"]
    for part in parts:
        title, _, body = part.strip().partition("\n")
        sections.append(f"## {title}\n\n{_paragraphs(body)}")
    sections.append(
        "## Data and notes\n\n"
        "Every data set has its own authors and terms: [the data sets](data.md). The course "
        "follows lecture notes of others, which it cites and does not contain: "
        "[the notes](notes.md)."
    )
    return "\n\n".join(sections) + "\n"


def _paragraphs(text: str) -> str:
    """Paragraphs whose lines the page breaks; numbered points and addresses stay what they are."""
    joined = [" ".join(block.split()) for block in re.split(r"\n\s*\n", text.strip())]
    points = [re.sub(r" (?=\d\. [A-Z])", "\n", paragraph) for paragraph in joined]
    return re.sub(r"(https://\S+)", r"<\1>", "\n\n".join(map(escaped, points)))


def _notes() -> str:
    listed = "\n\n".join(
        f"## Note {note.id}\n\n*{note.title}*. {note.author}. {note.date}." for note in NOTES
    )
    return f"""\
# The lecture notes

The course follows the outline of {len(NOTES)} lecture notes by other people. They are cited by
author and title, single formulas are quoted, and they are not part of the course. Text, pictures
and code are our own. [Where the notes slip]({UP}reference/errata.md) and
[where the course treats each of their items]({UP}reference/concordance.md) have pages of their own.

{listed}
"""
