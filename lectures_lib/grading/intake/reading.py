"""Reads a notebook that a stranger sent, without running or trusting anything in it.

Size, depth and number of cells are limited before anything is parsed. What remains of a notebook is
its cells: id, type and source, as texts. Outputs, metadata and everything else are left behind.
"""

from __future__ import annotations

import json
import os
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

BYTES = 20_000_000
DEPTH = 60
CELLS = 2_000
SOURCE = 200_000  # characters in all cells together
LONGEST_LINE = 20_000
LONGEST_NUMBER = 400  # digits
# One that nobody closes goes to the end: every byte is looked at once, whatever stands there.
STRINGS = re.compile(rb'"(?:[^"\\]++|\\.?)*+(?:"|\Z)', re.DOTALL)
SURROGATES = re.compile("[\ud800-\udfff]")


class UnreadableError(Exception):
    """There is no notebook in the file; the message says what was found instead."""


@dataclass(frozen=True)
class ReadCell:
    """One cell of a submission: what it claims to be, and its text."""

    id: str
    grade_id: str  # nbgrader's name for it
    kind: str
    source: str
    version: int = 0  # that of the exercise, where the cell states one


@dataclass(frozen=True)
class ReadNotebook:
    """The cells of a submission, in its own order, and what was odd about it."""

    cells: tuple[ReadCell, ...]
    notes: tuple[str, ...] = field(default=())


def read_submission(path: Path) -> ReadNotebook:
    """The cells in a file."""
    return read_bytes(file_content(path))


def file_content(path: Path) -> bytes:
    """The bytes of an ordinary file; no link is followed and nothing is waited for."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        number = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise UnreadableError(f"the file cannot be opened ({error.strerror})") from None
    found = os.fstat(number)
    if not stat.S_ISREG(found.st_mode) or found.st_size > BYTES:
        os.close(number)
        ordinary = stat.S_ISREG(found.st_mode)
        raise UnreadableError(_too_large(found.st_size) if ordinary else "it is not a plain file")
    with os.fdopen(number, "rb") as file:
        content = file.read(BYTES + 1)
    if len(content) > BYTES:  # it grew
        raise UnreadableError(_too_large(len(content)))
    return content


def _too_large(size: int) -> str:
    return f"it has {size / 1e6:,.0f} MB; at most {BYTES / 1e6:.0f} MB are read"


def read_bytes(content: bytes, characters: int = SOURCE) -> ReadNotebook:
    """The cells in the bytes of a notebook; together they hold so many characters at most."""
    content = content.removeprefix(b"\xef\xbb\xbf")
    _check_shape(content)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableError("it is not in UTF-8, as notebooks are") from None
    try:
        notebook = json.loads(text, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"it is not JSON: {str(error)[:80]}") from None
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        if isinstance(notebook, dict) and "worksheets" in notebook:
            raise UnreadableError("it is a notebook of format 3; expected format 4")
        raise UnreadableError("it is not a notebook: it has no list of cells")
    return _cells_of(notebook["cells"], characters)


def _check_shape(content: bytes) -> None:
    """Refuse what is too deep or has too many cells, by a look at the bytes."""
    if not content.strip():
        raise UnreadableError("it is empty")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableError("it is in UTF-16; notebooks are in UTF-8")
    if content.count(b'"cell_type"') > CELLS:
        raise UnreadableError(f"it has more than {CELLS:,} cells")
    signs = np.frombuffer(STRINGS.sub(b"", content), dtype=np.uint8)
    opened = np.isin(signs, list(b"[{")).astype(np.int8)
    closed = np.isin(signs, list(b"]}")).astype(np.int8)
    if np.cumsum(opened - closed, dtype=np.int32).max(initial=0) > DEPTH:
        raise UnreadableError(f"it is nested more than {DEPTH} deep")


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        raise ValueError(f"a number with {len(digits):,} digits")
    return int(digits)


def _cells_of(entries: list[Any], characters: int) -> ReadNotebook:
    if len(entries) > CELLS:
        raise UnreadableError(f"it has {len(entries):,} cells; at most {CELLS:,} are read")
    notes: list[str] = []
    cells = []
    room = characters
    for entry in entries:
        cell = _cell_of(entry)
        if cell is None:
            notes.append("something among the cells is not a cell and is left out")
            continue
        if SURROGATES.search(cell.source):
            raise UnreadableError("a cell holds halves of characters, which no editor writes")
        room -= len(cell.source)
        if room < 0:
            more = f"`--submission-characters {2 * characters}` reads more"
            raise UnreadableError(f"its cells hold more than {characters:,} characters: {more}")
        if any(len(line) > LONGEST_LINE for line in cell.source.split("\n")):
            raise UnreadableError(f"it has a line of more than {LONGEST_LINE:,} characters")
        cells.append(cell)
    return ReadNotebook(tuple(cells), tuple(dict.fromkeys(notes)))


def _cell_of(entry: Any) -> ReadCell | None:
    if not isinstance(entry, dict):
        return None
    source = entry.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        return None
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    kind = entry.get("cell_type")
    metadata = _inner(entry, "metadata")
    version = _inner(metadata, "lectures").get("version")
    return ReadCell(
        _name(entry.get("id")),
        _name(_inner(metadata, "nbgrader").get("grade_id")),
        kind if kind in ("code", "markdown", "raw") else "raw",
        source,
        version if type(version) is int and 0 < version < 10_000 else 0,
    )


def _inner(owner: dict[str, Any], key: str) -> dict[str, Any]:
    found = owner.get(key)
    return found if isinstance(found, dict) else {}


def _name(value: Any) -> str:
    return value[:200] if isinstance(value, str) else ""
