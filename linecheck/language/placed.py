"""A line while it is rewritten: every character remembers the place where it was typed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from linecheck.language.terms import LineError


@dataclass(frozen=True)
class Placed:
    """A text, and for each of its characters the place in the typed line from which it comes."""

    text: str
    places: tuple[int, ...]
    typed: str

    @classmethod
    def of(cls, line: str) -> Placed:
        """A line as it was typed."""
        return cls(line, tuple(range(len(line))), line)

    def at(self, begin: int) -> int:
        """Where the character at `begin` was typed."""
        return self.places[begin] if begin < len(self.places) else len(self.typed)

    def source(self, begin: int, end: int) -> str:
        """What was typed for a part of the text."""
        return self.typed[self.at(begin) : self.places[end - 1] + 1] if begin < end else ""

    def error(self, message: str, begin: int | None = None) -> LineError:
        """An error that points into the typed line."""
        return LineError(message, None if begin is None else self.at(begin))

    def sub(self, pattern: str, new: str) -> Placed:
        r"""`re.sub`; what \1 brings along keeps its place."""
        made, end = Made(self), 0
        for found in re.finditer(pattern, self.text):
            made.copy(end, found.start())
            for part in re.split(r"(\\\d)", new):
                if part[:1] == "\\":
                    made.copy(*found.span(int(part[1])))
                else:
                    made.put(part, found.start(), found.end())
            end = found.end()
        made.copy(end, len(self.text))
        return made.placed() if end else self

    def translated(self, table: Mapping[int, str]) -> Placed:
        """`str.translate`."""
        made = Made(self)
        for k, character in enumerate(self.text):
            made.put(table.get(ord(character), character), k, k + 1)
        return made.placed()


class Made:
    """A new text that is put together from pieces of an old one."""

    def __init__(self, old: Placed) -> None:
        self.old = old
        self.text: list[str] = []
        self.places: list[int] = []

    def copy(self, begin: int, end: int) -> None:
        """A part of the old text."""
        self.text.append(self.old.text[begin:end])
        self.places += self.old.places[begin:end]

    def put(self, new: str, begin: int, end: int | None = None) -> None:
        """A new text in the place of the part from `begin`; its last character stands for `end`."""
        if not new:
            return
        self.text.append(new)
        last = self.old.at(begin) if end is None or end <= begin else self.old.places[end - 1]
        self.places += [self.old.at(begin)] * (len(new) - 1) + [last]

    def placed(self) -> Placed:
        """The new text."""
        return Placed("".join(self.text), tuple(self.places), self.old.typed)
