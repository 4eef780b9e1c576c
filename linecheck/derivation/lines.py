"""Lines of a derivation, and what holds for all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from linecheck.expand.request import Request, names_of
from linecheck.judge.verdicts import Verdict


def split_outside(text: str, pattern: str) -> list[str]:
    """The text cut where the pattern stands outside all brackets; the cut-out is kept between."""
    pieces: list[str] = []
    depth = at = 0
    for found in re.finditer(rf"[(\[{{}})\]]|{pattern}", text):
        if found[0] in "([{":
            depth += 1
        elif found[0] in ")]}":
            depth -= 1
        elif depth == 0:
            pieces += [text[at : found.start()].strip(), found[0]]
            at = found.end()
    return [*pieces, text[at:].strip()]


@dataclass(frozen=True)
class Line:
    """One line with what was found out about it.

    >>> d = Derivation("A square", a="real", b="real")
    >>> _ = d.line("(a + b)**2").line("a**2 + b**2")
    >>> str(d.lines[1].verdict.status)
    'REFUTED'
    """

    text: str  # as typed, with its relation
    formula: str  # LaTeX
    because: str
    verdict: Verdict | None  # None for the line a chain starts with
    asked: tuple[Request, ...] = ()  # what was judged


@dataclass
class Settings:
    """What holds for every line."""

    symbols: dict[str, str]
    given: list[str]
    where: dict[str, str]
    sizes: dict[str, Sequence[int]]

    @property
    def names(self) -> frozenset[str]:
        """The declared names."""
        return names_of(self.symbols, self.where)
