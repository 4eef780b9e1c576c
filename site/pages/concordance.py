"""Where the course treats what the notes contain: "equation (31) of note 004" -> a section."""

from __future__ import annotations

from itertools import groupby

from builder.markdown import entry, escaped, filter_box, place_link

from lectures_lib.concordance import KINDS, Item, table
from lectures_lib.errata import NOTES


def pages() -> dict[str, str]:
    """The one page of this module."""
    return {"reference/concordance.md": "\n".join([_head(), *_notes()])}


def _head() -> str:
    numbered = sum(key.isdigit() for item in table() for key in item.equations)
    return f"""\
# From the notes to the course

The five lecture notes contain {len(table())} definitions, formulas, figures, claims and questions,
with {numbered} numbered equations. Each of them is treated in one section of the course. To find
equation (31) of note 004, type `004 31`. In a terminal, `lectures where 004 31` says the same.

{filter_box(".entry", "Find an equation by its note and number, or a section by a word")}
"""


def _notes() -> list[str]:
    titles = {note.id: note.title for note in NOTES}
    texts = []
    for note, items in groupby(table(), key=lambda item: item.note):
        texts.append(f"## Note {note}: {titles[note]}\n")
        for section, inside in groupby(items, key=lambda item: item.section):
            texts.append(f"### {escaped(section)} (note {note})\n")
            texts += [entry(_line(item), name=item.id.lower()) for item in inside]
    return texts


def _line(item: Item) -> str:
    equations = ", ".join(f"({key})" if key.isdigit() else key for key in item.equations)
    where = f"note {item.note}, {equations}" if equations else f"note {item.note}"
    return f"**{item.id}**, {KINDS[item.kind]}, {where}: {place_link(item.id, item.chapter)}"
