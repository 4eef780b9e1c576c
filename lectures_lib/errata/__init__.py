"""The ledger: every mistake found in the five lecture notes, refuted and corrected.

    from lectures_lib.errata import errata
    errata("logistic_model")          # a chapter's entries as a table; errata() for all
    erratum("E0-07")                  # one entry
    check_erratum("E0-07")            # run its check: the printed form fails, the corrected holds

Entries stand in `ledger.txt`, with what the judge of derivation lines is asked about them. Checks
that need code stand in `checks_000.py` and so on; they are imported when the first check runs, so
that the table costs nothing.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from lectures_lib.errata._entry import ACROSS, SEVERITIES, Check, Erratum, Finding, Result
from lectures_lib.errata._ledger import paragraphs
from lectures_lib.errata._table import NOTES, ErrataTable, Note

__all__ = [
    "LEDGER",
    "NOTES",
    "SEVERITIES",
    "Check",
    "ErrataTable",
    "Erratum",
    "Finding",
    "Note",
    "Result",
    "check_erratum",
    "checks",
    "errata",
    "erratum",
]

LEDGER: tuple[Erratum, ...] = tuple(paragraph.entry for paragraph in paragraphs())
PARTS = ("000", "001", "002", "003", "004", ACROSS)


def erratum(name: str) -> Erratum:
    """The entry with this id, as in `E0-07`.

    >>> erratum("E1-09").severity
    'typo'
    """
    for entry in LEDGER:
        if entry.id == name.upper():
            return entry
    raise ValueError(
        f"There is no erratum {name!r}. The ids run from E0-01 (note 000) to E4-28 (note 004) "
        "and from EX-01 to EX-04 (across the notes)."
    )


def errata(chapter: str | None = None, note: str | None = None) -> ErrataTable:
    """The entries of a chapter (its slug), of a note (`000`), or all, as a readable table.

    >>> len(errata()), errata(note="002").entries[0].id
    (109, 'E2-01')
    """
    wanted = None if chapter is None else _slug(chapter)
    if note is not None and note not in {entry.note for entry in LEDGER}:
        known = ", ".join(sorted({entry.note for entry in LEDGER}))
        raise ValueError(f"There is no note {note!r}. The notes are: {known}.")
    return ErrataTable(
        tuple(
            entry
            for entry in LEDGER
            if wanted in (None, entry.chapter) and note in (None, entry.note)
        )
    )


def _slug(chapter: str) -> str:
    from lectures_lib.chapters import chapter as find

    return find(chapter).slug


@cache
def checks() -> dict[str, Check[Any]]:
    """The check of every entry that has something to compute, by id.

    >>> "E0-02" in checks()
    True
    """
    from lectures_lib.errata._judges import asked

    found: dict[str, Check[Any]] = {
        paragraph.entry.id: asked(paragraph.asked) for paragraph in paragraphs() if paragraph.asked
    }
    for part in PARTS:
        found |= import_module(f"{__name__}.checks_{part}").CHECKS
    return found


def check_erratum(name: str) -> Result:
    """Run the check of one entry: its printed form must fail and its corrected form must hold.

    >>> found = check_erratum("E0-02")
    >>> found.printed_fails, found.corrected_holds
    (True, True)
    """
    entry = erratum(name)
    if entry.text_only:
        raise ValueError(f"{entry.id} is a slip of naming or layout; there is nothing to compute.")
    return checks()[entry.id].run()
