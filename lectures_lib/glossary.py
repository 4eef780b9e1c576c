"""The words of the subject in English, Spanish, Italian and Portuguese.

    from lectures_lib.glossary import glossary
    glossary("margin")      # one entry; a word of any of the four languages finds it
    glossary("varian")      # everything with a word that begins so, else that contains the letters
    glossary()              # all entries

The table `glossary.csv` is in alphabetical order. Each entry has its symbol, where there is one,
and the chapter (a slug) that explains it. The words of the other languages are those of the five
lecture notes where these use them.
"""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

from lectures_lib.chapters import chapter
from lectures_lib.errata.plain import plain

LANGUAGES = ("Spanish", "Italian", "Portuguese")


@dataclass(frozen=True, repr=False)
class Entry:
    """One term: `symbol` is LaTeX, `definition` Markdown with formulas; synonyms are tuples.

    >>> (entry,) = glossary("margin")
    >>> entry.spanish, entry.italian, entry.portuguese
    (('margen',), ('margine',), ('margem',))
    """

    term: str
    also: tuple[str, ...]
    symbol: str
    spanish: tuple[str, ...]
    italian: tuple[str, ...]
    portuguese: tuple[str, ...]
    chapter: str
    definition: str

    @property
    def names(self) -> tuple[str, ...]:
        """Every name of the term, in all four languages."""
        return (self.term, *self.also, *self.spanish, *self.italian, *self.portuguese)

    @property
    def translations(self) -> tuple[tuple[str, str], ...]:
        """The language and its words, as in `("Spanish", "umbral")`."""
        words = (self.spanish, self.italian, self.portuguese)
        return tuple((name, ", ".join(w)) for name, w in zip(LANGUAGES, words, strict=True))

    def __repr__(self) -> str:
        return "\n".join(
            (
                f"{self._head(self.term, plain(f'${self.symbol}$'))}: {plain(self.definition)}",
                f"    {'; '.join(f'{name}: {words}' for name, words in self.translations)}",
                f"    chapter {chapter(self.chapter).number:02d}, {chapter(self.chapter).title}",
            )
        )

    def _repr_markdown_(self) -> str:
        found = chapter(self.chapter)
        translated = "; ".join(f"{name}: *{words}*" for name, words in self.translations)
        return (
            f"{self._head(f'**{self.term}**', f'${self.symbol}$')}: {self.definition} "
            f"{translated}. [Chapter {found.number:02d}]({found.stem}.ipynb)"
        )

    def _head(self, term: str, symbol: str) -> str:
        also = f" (also {', '.join(self.also)})" if self.also else ""
        return f"{term}{f', {symbol}' if self.symbol else ''}{also}"


@dataclass(frozen=True, repr=False)
class Glossary:
    """Some entries, in alphabetical order; shows itself as a list.

    >>> [entry.term for entry in glossary("umbral")]
    ['threshold']
    """

    entries: tuple[Entry, ...]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return "\n\n".join(repr(entry) for entry in self)

    def _repr_markdown_(self) -> str:
        return "\n".join(f"- {entry._repr_markdown_()}" for entry in self)


@cache
def table() -> tuple[Entry, ...]:
    """All entries, in alphabetical order.

    >>> table()[0].term
    'accuracy'
    """
    text = files("lectures_lib").joinpath("glossary.csv").read_text(encoding="utf-8")
    return tuple(
        Entry(
            term=row["term"],
            also=_synonyms(row["also"]),
            symbol=row["symbol"],
            spanish=_synonyms(row["spanish"]),
            italian=_synonyms(row["italian"]),
            portuguese=_synonyms(row["portuguese"]),
            chapter=row["chapter"],
            definition=row["definition"],
        )
        for row in csv.DictReader(text.splitlines())
    )


def _synonyms(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(";")) if cell else ()


def glossary(word: str = "") -> Glossary:
    """The entries with this name, else with a word that begins so, else that contain it; or all.

    Capitals, accents and hyphens do not count: `verossimilhanca` finds the likelihood.

    >>> print(glossary("soglia").entries[0].definition)
    The answer is class 1 where the score or the probability is at least this value.
    """
    wanted = _bare(word)
    names = [(_bare(name), name, entry) for entry in table() for name in entry.names]
    ways = (str.__eq__, lambda bare, part: f" {part}" in f" {bare}", str.__contains__)
    found: tuple[Entry, ...] = ()
    for like in ways:
        hits = {entry.term for bare, _, entry in names if like(bare, wanted)}
        found = found or tuple(entry for entry in table() if entry.term in hits)
    if not found:
        near: dict[str, str] = {}  # the nearest name of each entry
        for close in get_close_matches(wanted, [bare for bare, *_ in names], n=9, cutoff=0.7):
            name, entry = next((name, entry) for bare, name, entry in names if bare == close)
            near.setdefault(entry.term, name)
        told = f" Did you mean {' or '.join([*near.values()][:3])}?" if near else ""
        raise ValueError(f"The glossary has no word like {word!r}.{told}")
    return Glossary(found)


def _bare(text: str) -> str:
    """Small letters without accents, spaces for hyphens."""
    apart = unicodedata.normalize("NFD", text.strip().casefold().replace("-", " "))
    return "".join(letter for letter in apart if not unicodedata.combining(letter))
