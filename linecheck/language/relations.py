"""A typed line, taken apart where its relations stand, and words that are no part of it."""

from __future__ import annotations

import re
from typing import NamedTuple

from linecheck.language.parser import as_read, is_function
from linecheck.language.terms import LineError

_RELATION = re.compile(r"<=>|=<|=>|==|<=|>=|!=|[≤⩽≥⩾≠＝=<>]")
_WRITTEN = {"=": "==", "＝": "==", "≤": "<=", "⩽": "<=", "≥": ">=", "⩾": ">=", "≠": "!="}
_REFUSED = {
    "=<": "`=<` is written `<=`",
    "=>": "`=>` could be `>=` or a conclusion: write `>=`, or a line of its own",
    "<=>": "two conditions are compared by `equivalent`, not by `<=>` in a line",
}
_NUMBERED = re.compile(r"\s*(\d+[.)])\s*(?=[=<>≤⩽≥⩾≠!])")
_INSIDE = re.compile(  # what looks like a relation and is none: <x, y>, and the i = 1 of a sum
    r"(?<![\w)\]}|'ᵀ²])\s*<[^<>=]+?,[^<>=]+?>|[Σ∑]_?\s*\w+\s*=|\bsum_\w+\s*="
)
_WORD = re.compile(r"(?<=\s)[A-Za-z]{2,}\b(?!\s*[(\[_])")
_OF_THE_LANGUAGE = {"and", "or", "not", "if", "else", "for", "in", "is", "pi", "inf"}


class Sides(NamedTuple):
    """What stands between the relations of a line, as typed, and these as `==` or `<=`.

    The first side is empty where the line begins with its relation.
    """

    sides: list[str]
    relations: list[str]


def split(line: str) -> Sides:
    """A line at its relations outside all brackets; LineError for `=<`, `=>` and a number."""
    if numbered := _NUMBERED.match(line):
        rest = line[numbered.end() :].strip()
        raise LineError(f"leave out the number {numbered[1]}: write `{rest}`", numbered.start(1))
    hidden = _INSIDE.sub(lambda found: "." * len(found[0]), line)
    sides: list[str] = []
    relations: list[str] = []
    depth = begin = at = 0
    while at < len(line):
        depth += (hidden[at] in "([{⟨") - (hidden[at] in ")]}⟩")
        found = _RELATION.match(hidden, at) if depth == 0 else None
        if found is None:
            at += 1
            continue
        if found[0] in _REFUSED:
            raise LineError(_REFUSED[found[0]], at)
        sides.append(line[begin:at].strip())
        relations.append(_WRITTEN.get(found[0], found[0]))
        at = begin = found.end()
    return Sides([*sides, line[begin:].strip()], relations)


def one_relation(relations: list[str]) -> LineError:
    """Why a line with several relations is refused after a relation in front."""
    signs = " and ".join(f"`{'=' if sign == '==' else sign}`" for sign in relations)
    return LineError(f"{signs} stand in one line: write a line for each relation")


def without_words(line: str, known: frozenset[str]) -> None:
    """LineError where words stand behind the formula: a reason whose # is missing."""
    for found in _WORD.finditer(line):
        word, before = found[0], line[: found.start()].rstrip()
        names = word in known or word in _OF_THE_LANGUAGE or is_function(word)
        if names or all(letter in known for letter in word) or not before:
            continue
        if before[-1] in "+-−*/^·@=<>≤≥≠(,[{" or before.count("(") > before.count(")"):
            continue
        raise LineError(
            f"{word} is not declared. If the reason begins here, put a # before it: "
            f"`{before}  # {line[found.start() :].strip()}`",
            found.start(),
        )


def reading_of(line: str, known: frozenset[str]) -> Sides:
    """The same of the line as it is read: `p in (0, 1)` says 0 < p < 1."""
    return split(as_read(line, known))
