"""A derivation as one text: a title, what the names are, and the lines.

    The gradient of the log-likelihood of one example
    w x: real    y: label01

    y*log(sigma(w*x)) + (1 - y)*log(1 - sigma(w*x))   # label y, score w*x
    = y*w*x - log(1 + exp(w*x))                       # properties of log and sigma
    d/dw: (y - sigma(w*x))*x                          # chain rule

The first line is the title. Up to the first empty line follow declarations, several of them on a
line with two spaces or a semicolon between them, and if need be

    let z = dot(w, x)              an abbreviation
    given: x > 0                   a hypothesis
    sizes: N = 1, 2, 3; d = 1, 2   where symbolic sizes are checked

Then come the lines; `help(linecheck)` says how they are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from linecheck.derivation.chain import Derivation
from linecheck.derivation.typed import GIVEN, LET, MOST_LINES, TypedLine, type_lines, typed_lines
from linecheck.language.domains import declare
from linecheck.language.terms import LineError

_DECLARATION = re.compile(r"([^\W\d]\w*(?:[\s,]+[^\W\d]\w*)*)\s*:(?!=)\s*(.*)", re.S)
_SIZES = re.compile(r"sizes\s*:\s*(.*)", re.S)
_SIZE = re.compile(r"([^\W\d]\w*)\s*=\s*([1-9]\d*(?:\s*,\s*[1-9]\d*)*)")


class TextError(ValueError):
    """What cannot be read in the text of a derivation, with the number of the line."""

    def __init__(self, number: int, problem: str) -> None:
        super().__init__(f"line {number}: {problem}")
        self.number = number


@dataclass
class Text:
    """The parts of a derivation that was written as one text."""

    title: str
    symbols: dict[str, str] = field(default_factory=dict)
    given: list[str] = field(default_factory=list)
    where: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    lines: list[TypedLine] = field(default_factory=list)

    def judged(self) -> Derivation:
        """The derivation, every line judged."""
        derivation = Derivation(
            self.title, symbols=self.symbols, given=self.given, where=self.where, sizes=self.sizes
        )
        type_lines(derivation, self.lines)
        return derivation


def derive(text: str) -> Derivation:
    """A derivation written as one text, every line judged; a `TextError` names a wrong line.

    The first line is the title, then come declarations, then an empty line, then the lines.

    >>> d = derive('''
    ... A square
    ... a b: real
    ...
    ... (a + b)**2
    ... = a**2 + 2*a*b + b**2   # expand
    ... ''')
    >>> [str(found.status) for found in d.verdicts if found]
    ['PROVED']
    """
    return read(text).judged()


def read(text: str) -> Text:
    """The parts of the text; raises TextError for what is no title, declaration or line.

    Whether a line of the derivation can be read is said by its verdict.
    """
    if not isinstance(text, str):
        raise TypeError(f"a derivation is a text, found {type(text).__name__}")
    rows = list(enumerate(text.splitlines(), start=1))
    full = [(number, row.strip()) for number, row in rows if row.partition("#")[0].strip()]
    if not full:
        raise TextError(1, "expected the title of a derivation, found an empty text")
    number, title = full[0]
    found = Text(title.partition("#")[0].strip())
    declared = _DECLARATION.fullmatch(found.title)
    if declared and _problem(declared[1], declared[2]) == "":
        raise TextError(number, f"expected a title before the declarations, found {title!r}")
    end = next((n for n, row in rows[number:] if not row.strip()), len(rows) + 1)
    for at, row in rows[number : end - 1]:
        _declare(found, at, row.partition("#")[0].strip())
    found.lines = list(typed_lines(rows[end:]))
    if not found.lines:
        raise TextError(
            len(rows), "expected a line of the derivation after an empty line, found the end"
        )
    if len(found.lines) > MOST_LINES:
        last = found.lines[MOST_LINES].number
        raise TextError(last, f"at most {MOST_LINES} lines are read, found {len(found.lines)}")
    return found


def _declare(found: Text, number: int, row: str) -> None:
    """One row between the title and the first empty line."""
    let, given, sizes = LET.fullmatch(row), GIVEN.fullmatch(row), _SIZES.fullmatch(row)
    if let:
        _add(found.where, let[1], let[2].strip(), number)
    elif given:
        found.given.append(given[1].strip())
    elif sizes:
        for name, values in _sizes(number, sizes[1]):
            _add(found.sizes, name, values, number)
    else:
        for part in filter(None, (one.strip() for one in re.split(r"\s{2,}|\t|;", row))):
            declared = _DECLARATION.fullmatch(part)
            if declared is None:
                raise TextError(
                    number,
                    "expected a declaration such as `w: vector d`, or an empty line before the"
                    f" first line of the derivation; found {part!r}",
                )
            if problem := _problem(declared[1], declared[2]):
                raise TextError(number, problem)
            for name in re.split(r"[\s,]+", declared[1]):
                _add(found.symbols, name, declared[2], number)


def _problem(names: str, domain: str) -> str:
    """What is wrong with a declaration, in words; empty when it can be read."""
    if ":" in domain:
        return f"two declarations stand two spaces or a semicolon apart, found {domain!r}"
    if names == "index":
        return "" if domain in ("0", "1") else f"index is 0 or 1, found {domain!r}"
    try:
        declare({names: domain})
    except LineError as problem:
        return problem.message
    return ""


def _sizes(number: int, text: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    for part in text.split(";"):
        found = _SIZE.fullmatch(part.strip())
        if found is None:
            raise TextError(
                number, f"expected sizes such as `sizes: N = 1, 2, 3`, found {part.strip()!r}"
            )
        yield found[1], tuple(map(int, found[2].split(",")))


def _add(names: dict[str, Any], name: str, value: object, number: int) -> None:
    if name in names:
        raise TextError(number, f"{name} is declared twice")
    names[name] = value
