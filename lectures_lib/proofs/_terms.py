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


def names_in(term: Term) -> set[str]:
    """The free names of a term (indices that it binds are left out)."""
    if term.op == "name":
        return {term.name}
    found: set[str] = set()
    if term.op == "bind" and len(term.args) > 1:
        kind, index = split_bind(term)
        body, first, last, *condition = term.args
        inner = names_in(body).union(*(names_in(part) for part in condition))
        found = (inner - {index}) | names_in(first) | names_in(last)
        return found
    if term.op == "bind":
        kind, index = split_bind(term)
        return names_in(term.args[0]) | {index}
    for part in term.args:
        found |= names_in(part)
    return found


def replace(term: Term, values: dict[str, Term], bound: frozenset[str] = frozenset()) -> Term:
    """The term with free names replaced, all at once; an index that would catch a name is renamed."""
    if term.op == "name":
        return term if term.name in bound else values.get(term.name, term)
    if not term.args:
        return term
    if term.op == "bind" and len(term.args) > 1:
        kind, index = split_bind(term)
        caught = any(index in names_in(new) for old, new in values.items() if old != index)
        if caught:
            fresh = index + "_"
            taken = names_in(term).union(*(names_in(new) for new in values.values()))
            while fresh in taken:
                fresh += "_"
            renamed = {index: name(fresh)}
            body, first, last, *condition = term.args
            parts = [replace(body, renamed), first, last, *(replace(c, renamed) for c in condition)]
            term = Term(term.op, tuple(parts), f"{kind}:{fresh}", term.value, term.column)
            index = fresh
        body, first, last, *condition = term.args
        inner = bound | {index}
        parts = [
            replace(body, values, inner),
            replace(first, values, bound),
            replace(last, values, bound),
            *(replace(c, values, inner) for c in condition),
        ]
        return Term(term.op, tuple(parts), term.name, term.value, term.column)
    parts = [replace(part, values, bound) for part in term.args]
    return Term(term.op, tuple(parts), term.name, term.value, term.column)
