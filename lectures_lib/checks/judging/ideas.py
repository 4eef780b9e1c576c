"""By what an idea of a derivation is recognised in a line, however the line is typed.

Each way to recognise it has conditions, with `; ` between them:

    is E          the line is E
    with E        E stands in the line: a sum, a product within a larger one, a function's name
    without E     E does not stand in it; of `E and F` neither does
    bound         the line may be larger than the start; otherwise it must be equal to it
    later         only after another idea; then the goal itself may show this one

Lines are compared as `linecheck` compares them: order, names of functions and empty wrappers do
not count, and factors in front of E do not either. The indices of the start's sums may stand in E.
What is added to a line and taken away again does not stand in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from linecheck.language.forms import compared_form
from linecheck.language.parser import parse
from linecheck.language.terms import LineError, split_bind

Form = tuple[Any, ...]
Symbols = tuple[tuple[str, str], ...]
ONE: Form = ((Fraction(1), (), ()),)
WORD = re.compile(r"[a-z]{2,}")


class Reading:
    """The lines of one derivation as they are compared, and what stands in them."""

    def __init__(self, symbols: Mapping[str, str], start: str) -> None:
        self.symbols = tuple(symbols.items())
        self.indices = _indices(start)

    def same(self, a: str, b: str) -> bool:
        """Whether two lines are one as they are compared."""
        form = _form(a, self.symbols)
        return form is not None and form == _form(b, self.symbols)

    def shows(self, line: str, way: str, equal: bool, later: bool) -> bool:
        conditions = way.split("; ")
        if "later" in conditions and not later:
            return False
        exact = any(one.startswith("is ") for one in conditions)
        if not (equal or exact or "bound" in conditions):
            return False
        return all(self._holds(line, *one.partition(" ")[::2]) for one in conditions)

    def _holds(self, line: str, word: str, part: str) -> bool:
        if word == "is":
            return self.same(line, part)
        form = _form(line, self.symbols)
        if word in ("with", "without") and form is not None:
            left = _cleared(form) if word == "with" else form
            stand = (self._in(one, form) and self._in(one, left) for one in part.split(" and "))
            return all(found == (word == "with") for found in stand)
        return word in ("bound", "later")

    def _in(self, part: str, form: Form) -> bool:
        if WORD.fullmatch(part):
            return part in set(_words(form))
        wanted = _parts(part, self.symbols, self.indices)
        return any(_within(one, node) for node in _sums(form) for one in wanted)


def _indices(start: str) -> tuple[str, ...]:
    binds = (term for term in parse(start).walk() if term.op == "bind")
    return tuple(dict.fromkeys(split_bind(term)[1] for term in binds))


@lru_cache(2000)
def _form(line: str, symbols: Symbols) -> Form | None:
    try:
        return compared_form(line, dict(symbols))
    except LineError:
        return None


@lru_cache(2000)
def _parts(part: str, symbols: Symbols, indices: tuple[str, ...]) -> tuple[Form, ...]:
    """What stands for a part outside of the sums of a line, in them, and in sums within these."""
    found = []
    for depth in range(len(indices) + 1):
        text = part
        for index in reversed(indices[:depth]):
            text = f"sum({text}, {index}, 1, 2)"
        form = _form(text, symbols)
        for _ in range(depth):
            form = form[0][1][0][0][-1] if form else None  # the body of a sum
        found += [form] if form else []
    return tuple(dict.fromkeys(found))


@lru_cache(2000)
def _cleared(form: Form) -> Form:
    """A sum without the terms that add up to nothing."""
    left: dict[tuple[Form, Form], Fraction] = {}
    for times, factors, arrays in form:
        alone = not arrays and len(factors) == 1 and factors[0][1] == ONE
        inside = factors[0][0] if alone and _is_sum(factors[0][0]) else ((1, factors, arrays),)
        for part, *rest in inside:
            left[tuple(rest)] = left.get(tuple(rest), Fraction(0)) + times * part
    return tuple((times, *rest) for rest, times in left.items() if times)


def _is_sum(node: Form) -> bool:
    return bool(node) and isinstance(node[0], tuple) and isinstance((*node[0], 0)[0], Fraction)


def _sums(node: Form) -> Iterator[Form]:
    """All sums in a form, itself among them; a single term is a sum as well."""
    if _is_sum(node):
        yield node
    for inner in node:
        if isinstance(inner, tuple):
            yield from _sums(inner)


def _words(node: Form) -> Iterator[str]:
    for inner in node:
        if isinstance(inner, str):
            yield inner
        elif isinstance(inner, tuple):
            yield from _words(inner)


def _within(part: Form, node: Form) -> bool:
    """Whether a product stands in a term of a sum, or a sum is that one, up to a factor."""
    if len(part) > 1:
        return _scaled(part) == _scaled(node)
    _, factors, arrays = part[0]
    return any(
        all(one in inside for one in factors) and all(one in products for one in arrays)
        for _, inside, products in node
    )


def _scaled(form: Form) -> Form:
    return tuple((times / form[0][0], *rest) for times, *rest in form)
