"""Derivations typed as text, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from linecheck.derivation.lines import split_outside

if TYPE_CHECKING:
    from linecheck.derivation.chain import Derivation

MOST_LINES = 60
_DIFFERENTIATE = re.compile(r"\s*d(2?)\s*/\s*(d[^:]+?)\s*:(?!=)\s*(.*)", re.S)
_SUBSTITUTE = re.compile(r"\s*([^\W\d]\w*\s*:=.+?)\s*:(?!=)\s*(.*)", re.S)
_AT = re.compile(r"\s*at\s+([^\W\d]\w*\s*=(?!=).+?)\s*:(?!=)\s*(.*)", re.S)
_EXPECT = re.compile(r"\s*E\s+over\s+(\w+)\s*\{([^{}]*)\}\s*:\s*(.*)", re.S)
LET = re.compile(r"\s*let\s+([^\W\d]\w*)\s*:?=\s*(.+)", re.S)
GIVEN = re.compile(r"\s*given\s*:?\s+(.+)", re.S)


class TypedLine(NamedTuple):
    """One line as it was typed."""

    number: int
    text: str
    because: str
    after_empty: bool  # so it starts a new chain

    @property
    def settles(self) -> bool:
        """Whether it says what holds from here on, and is no line to be judged."""
        return bool(LET.fullmatch(self.text) or GIVEN.fullmatch(self.text))


def typed_lines(rows: Iterable[tuple[int, str]]) -> Iterator[TypedLine]:
    """The lines among numbered rows. A row that holds a remark alone is the reason of the line
    above it, if that has none."""
    after_empty = False
    last: TypedLine | None = None
    for number, row in rows:
        text, _, because = (part.strip() for part in row.partition("#"))
        if text:
            if last:
                yield last
            last, after_empty = TypedLine(number, text, because, after_empty), False
        elif not because:
            after_empty = last is not None
        elif last and not last.because and not after_empty:
            last = last._replace(because=because)
    if last:
        yield last


def type_lines(derivation: Derivation, lines: Iterable[TypedLine]) -> None:
    """Feed typed lines into a derivation."""
    for line in lines:
        if line.after_empty:
            derivation.new_chain()
        type_line(derivation, line.text, line.because)


def type_line(derivation: Derivation, line: str, because: str) -> None:
    """One typed line."""
    if let := LET.fullmatch(line):
        derivation.let(**{let[1]: let[2]})
        return
    if given := GIVEN.fullmatch(line):
        derivation.given(given[1])
        return
    if derivative := _DIFFERENTIATE.fullmatch(line):
        twice, written, expression = derivative.groups()
        names = [part for part in re.split(r"\s*\bd(?=[^\W\d])|\s+", written) if part]
        if twice and len(names) == 1:  # d2/dw2
            names = [re.sub(r"(\*\*|\^)?2$", "", names[0])] * 2
        derivation.differentiate(",".join(names), expression, because, typed=line)
        return
    for pattern, sign in ((_AT, "="), (_SUBSTITUTE, ":=")):
        if substitution := pattern.fullmatch(line):
            values = _pairs(substitution[1], rf",(?=\s*[^\W\d]\w*\s*{sign}(?!=))", sign)
            derivation.substitute(values, substitution[2], because, typed=line)
            return
    if expectation := _EXPECT.fullmatch(line):
        chances = _pairs(expectation[2], ",", ":")
        derivation.expect(expectation[1], chances, expectation[3], because, typed=line)
        return
    _type_statement(derivation, line, because)


def _pairs(text: str, between: str, inside: str) -> dict[str, str]:
    """`x := 1, y := 2` or `0: 1 - p, 1: p` as a dictionary."""
    parts = (part.partition(inside) for part in split_outside(text, between)[::2])
    return {left.strip(): right.strip() for left, _, right in parts}


def _type_statement(derivation: Derivation, line: str, because: str) -> None:
    """The next line of a chain, or what stands for itself; with the hypotheses behind `if`."""
    body, *supposed = split_outside(line, r"\bif\b")
    given = [supposed[1]] if len(supposed) == 2 else []
    if given and re.search(r"\belse\b", given[0]):  # a condition as in Python: the parser says so
        body, given = line, []
    left, *others = split_outside(body, r"\biff\b|\bimplies\b")
    if len(others) == 2:
        derivation.claim(left, others[1], because, relation=others[0], given=given)
    else:
        derivation.line(body, because, given=given)
