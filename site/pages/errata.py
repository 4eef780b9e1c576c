"""The ledger: every mistake found in the notes, with its printed and its corrected form."""

from __future__ import annotations

from collections import Counter

from builder.markdown import entry, filter_box, phone_width, place_link

from lectures_lib.errata import LEDGER, NOTES, SEVERITIES, Erratum, checks

ACROSS = "Across the notes"


def pages() -> dict[str, str]:
    """The one page of this module."""
    return {"reference/errata.md": "\n".join([_head(), *_notes()])}


def _head() -> str:
    counted = Counter(found.severity for found in LEDGER)
    kinds = "\n".join(
        f"- **{name}**, {counted[name]} times: {meaning}" for name, meaning in SEVERITIES.items()
    )
    return f"""\
# Errata of the lecture notes

The course follows five lecture notes, and {len(LEDGER)} places in them are corrected here. An entry
shows what is printed, what is right, and why. For {len(checks())} of them a program tells the two
apart: the printed form fails and the corrected form holds. The tests of the course run these
programs, and so does `check_erratum("{LEDGER[1].id}")`. The others are slips of naming or layout,
where there is nothing to compute.

{kinds}

{filter_box(".entry", "Find an erratum by a word, a note, an equation or a chapter")}
"""


def _notes() -> list[str]:
    titles = {note.id: f"Note {note.id}: {note.title}" for note in NOTES} | {"across": ACROSS}
    return [
        text
        for note, title in titles.items()
        for text in (f"## {title}\n", *(_entry(e) for e in LEDGER if e.note == note))
    ]


def _entry(erratum: Erratum) -> str:
    text = (
        f"**{erratum.id}**, {erratum.severity}: {erratum.where}\n\n"
        f"- The notes say: {erratum.printed}\n"
        f"- Right is: {erratum.corrected}\n"
        f"- Why: {erratum.why}\n"
        f"- Here: {place_link(erratum.id, erratum.chapter)}"
    )
    return entry(phone_width(text), name=erratum.id.lower())
