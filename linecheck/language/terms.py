"""Terms exactly as they were typed: nothing is simplified or evaluated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction


class LineError(ValueError):
    """A line that is not in the language; `column` (from 0) says where, if it is known."""

    def __init__(self, message: str, column: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.column = column

    def pointing_at(self, line: str) -> str:
        """The message, with the line and a caret under the place."""
        if self.column is None:
            return self.message
        before = max(0, self.column - 60)
        shown = "".join(c if c.isprintable() else "?" for c in line[before : before + 120])
        return f"{self.message}\n    {shown}\n    {' ' * (self.column - before)}^"


class TooBigError(LineError):
    """The line needs more work than is allowed."""


@dataclass(frozen=True, slots=True)
class Term:
    """One node. `op` names it, `name` and `value` hold what is not a term.

    number  value               name    name
    + - * / ** @                two terms
    neg                         one term
    call    name, arguments     index   base, then the indices
    list    entries             compare relations in `name` ("<" or "< <="), the terms
    and or not                  conditions
    bind    name is "sum:i": body, first, last [, condition]; or body alone (declared range)
    pairs   key, value, key, value ... ({0: 1 - p, 1: p})
    """

    op: str
    args: tuple[Term, ...] = ()
    name: str = ""
    value: Fraction = Fraction(0)
    column: int = field(default=0, compare=False)

    def error(self, message: str) -> LineError:
        """An error that points at this term."""
        return LineError(message, self.column)

    def walk(self) -> Iterator[Term]:
        """This term and everything below it."""
        waiting = [self]
        while waiting:
            term = waiting.pop()
            yield term
            waiting.extend(term.args)


def number(value: int | Fraction, column: int = 0) -> Term:
    """The term of a number."""
    return Term("number", value=Fraction(value), column=column)


def name(text: str, column: int = 0) -> Term:
    """The term of a name."""
    return Term("name", name=text, column=column)


def split_bind(term: Term) -> tuple[str, str]:
    """("sum", "i") of a binding term."""
    kind, _, index = term.name.partition(":")
    return kind, index


def bound_in(term: Term, k: int) -> str:
    """The index that a sum binds in its k-th part: in its body and its condition."""
    binds = term.op == "bind" and len(term.args) > 1 and k not in (1, 2)
    return split_bind(term)[1] if binds else ""


def names_in(term: Term) -> set[str]:
    """The free names of a term (indices that it binds are left out)."""
    if term.op == "name":
        return {term.name}
    found = {split_bind(term)[1]} if term.op == "bind" and len(term.args) == 1 else set()
    for k, part in enumerate(term.args):
        found |= names_in(part) - {bound_in(term, k)}
    return found


def replace(term: Term, values: dict[str, Term], bound: frozenset[str] = frozenset()) -> Term:
    """The term with free names replaced, all at once.

    An index of a sum that would catch a name of a replacement is renamed.
    """
    if term.op == "name":
        return term if term.name in bound else values.get(term.name, term)
    if not term.args:
        return term
    index, args = bound_in(term, 0), list(term.args)
    here = term.name
    if index and any(index in names_in(new) for old, new in values.items() if old != index):
        fresh = index + "_"
        taken = names_in(term).union(*(names_in(new) for new in values.values()))
        while fresh in taken:
            fresh += "_"
        for k in range(len(args)):
            args[k] = replace(args[k], {index: name(fresh)}) if bound_in(term, k) else args[k]
        here, index = f"{split_bind(term)[0]}:{fresh}", fresh
    parts = [
        replace(part, values, bound | {index} if bound_in(term, k) else bound)
        for k, part in enumerate(args)
    ]
    return Term(term.op, tuple(parts), here, term.value, term.column)


_TIGHTNESS = {"+": 1, "-": 1, "neg": 2, "*": 3, "/": 3, "@": 3, "**": 5}


def text_of(term: Term) -> str:
    """A term as a line again."""
    op, args = term.op, term.args
    if op == "number":
        whole = term.value.denominator == 1
        return (not whole and decimal(term.value, 30)) or str(term.value)
    if op == "name":
        return term.name
    if op == "neg":
        return f"-{_bracketed(args[0], 3)}"
    if op in _TIGHTNESS:
        tight = _TIGHTNESS[op]
        left, right = _bracketed(args[0], tight + (op == "**")), _bracketed(args[1], tight + 1)
        return f"{left} {op} {right}" if tight == 1 or op == "@" else f"{left}{op}{right}"
    if op == "call":
        return f"{term.name}({', '.join(map(text_of, args))})"
    if op == "index":
        return f"{_bracketed(args[0], 6)}[{', '.join(map(text_of, args[1:]))}]"
    if op == "list":
        return f"[{', '.join(map(text_of, args))}]"
    if op == "compare":
        links = zip(term.name.split(), args[1:], strict=True)
        return text_of(args[0]) + "".join(f" {sign} {text_of(part)}" for sign, part in links)
    if op in ("and", "or"):
        return f" {op} ".join(map(text_of, args))
    if op == "not":
        return f"not {text_of(args[0])}"
    if op == "bind":
        kind, index = split_bind(term)
        rest = "".join(f", {text_of(part)}" for part in args[1:])
        return f"{kind}({text_of(args[0])}, {index}{rest})"
    pairs = zip(args[::2], args[1::2], strict=True)
    return "{" + ", ".join(f"{text_of(a)}: {text_of(b)}" for a, b in pairs) + "}"


def decimal(value: Fraction, most: int) -> str:
    """The number as a decimal with at most so many places; empty where there is none."""
    for places in range(1, most + 1):
        scaled = value * 10**places
        if scaled.denominator == 1:
            digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
            return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"
    return ""


def _bracketed(term: Term, least: int) -> str:
    text = text_of(term)
    tight = _TIGHTNESS.get(term.op, 9)
    if term.op in ("compare", "and", "or", "not"):
        tight = 0
    if term.op == "number" and (term.value < 0 or "/" in text):
        tight = 2
    return text if tight >= least else f"({text})"
