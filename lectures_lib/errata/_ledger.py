"""Reads `ledger.txt`; its first lines say how an entry is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lectures_lib.errata._entry import ACROSS, SEVERITIES, Erratum

LEDGER_FILE = Path(__file__).with_name("ledger.txt")
HEAD = re.compile(
    r"(?P<id>E(?P<note>[0-4X])-\d\d) (?P<severity>\w+)(?P<text_only> \(text only\))?, "
    r"(?P<chapter>\w+)(?:, (?P<items>[A-E]\d{3}(?: [A-E]\d{3})*))?: (?P<place>.+)"
)
FIELD = re.compile(r"  (\w+): (.+)")
TEXTS = ["printed", "right", "why"]
CLAIMS = {"for", "given", "where", "false", "true"}


class LedgerError(ValueError):
    """A line that cannot be read; the message names it and what was expected."""


class Paragraph(NamedTuple):
    """An entry, and what the judge of derivation lines is asked about it: (label, text)."""

    entry: Erratum
    asked: tuple[tuple[str, str], ...]


@cache
def paragraphs() -> tuple[Paragraph, ...]:
    """The ledger as it stands in the file."""
    return tuple(read(LEDGER_FILE.read_text(encoding="utf-8")))


def read(text: str) -> Iterator[Paragraph]:
    """The entries of a text in the layout of the ledger."""
    block: list[tuple[int, str]] = []
    for number, line in [*enumerate(text.splitlines(), 1), (0, "")]:
        if line.startswith("#"):
            continue
        if line.startswith("    ") and block:
            first, start = block[-1]
            block[-1] = (first, f"{start} {line.strip()}")
        elif line:
            block.append((number, line))
        elif block:
            yield _paragraph(block)
            block = []


def _paragraph(block: list[tuple[int, str]]) -> Paragraph:
    (number, first), *rest = block
    head = HEAD.fullmatch(first)
    if head is None or head["severity"] not in SEVERITIES:
        kinds = ", ".join(SEVERITIES)
        raise _error(number, f"`E0-01 KIND, CHAPTER, ITEMS: PLACE`, a kind of {kinds}", first)
    fields: list[tuple[str, str]] = []
    for place, line in rest:
        found = FIELD.fullmatch(line)
        labels = TEXTS[len(fields) :][:1] or sorted(CLAIMS)
        if found is None or found[1] not in labels:
            raise _error(place, f"`  {' or '.join(labels)}: …`", line)
        fields.append((found[1], found[2]))
    told = {label for label, _ in fields}
    if not told.issuperset(TEXTS) or ("false" in told) != ("true" in told):
        needs = f"{', '.join(TEXTS)}, and `true` where there is `false`, below {head['id']}"
        raise _error(number, needs, ", ".join(told))
    entry = Erratum(
        id=head["id"],
        note=ACROSS if head["note"] == "X" else f"00{head['note']}",
        place=head["place"],
        severity=head["severity"],
        chapter=head["chapter"],
        printed=fields[0][1],
        corrected=fields[1][1],
        why=fields[2][1],
        items=tuple((head["items"] or "").split()),
        text_only=head["text_only"] is not None,
    )
    return Paragraph(entry, tuple(fields[3:]))


def _error(number: int, expected: str, found: str) -> LedgerError:
    return LedgerError(f"{LEDGER_FILE.name}, line {number}: expected {expected}; found {found!r}.")
