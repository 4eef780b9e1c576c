"""Is one line the other one again, up to order, brackets and signs?"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from linecheck.language.parser import parse
from linecheck.language.terms import LineError, Term, number

Form = tuple[Any, ...]
ZERO = number(0)
_IN_ANY_ORDER = ("and", "or", "dot", "max", "min")


def same_form(a: str, b: str, known: frozenset[str] = frozenset()) -> bool:
    """Whether two lines differ only in the order of terms and factors, in brackets and spaces."""
    try:
        return form(parse(a, known)) == form(parse(b, known))
    except LineError:
        return a.split() == b.split()


def length(line: str, known: frozenset[str] = frozenset()) -> int:
    """Number of nodes of a line (0 if it cannot be read)."""
    try:
        return sum(1 for _ in parse(line, known).walk())
    except LineError:
        return 0


def form(term: Term) -> Form:
    """A line as a sorted sum of products, (factors, number) each; nothing is multiplied out."""
    terms: dict[Form, Fraction] = {}
    for sign, part in _terms(term, 1):
        constant, factors = _product(part, 1)
        one_sum = abs(constant) == 1 and len(factors) == 1 and factors[0][0] == "sum"
        inner = factors[0][1:-1] if one_sum else ((tuple(sorted(factors, key=repr)), 1),)
        for key, times in inner:
            terms[key] = terms.get(key, Fraction(0)) + sign * constant * times
    return tuple(sorted(((key, times) for key, times in terms.items() if times), key=repr))


def _terms(term: Term, sign: int) -> Iterator[tuple[int, Term]]:
    if term.op in ("+", "-"):
        yield from _terms(term.args[0], sign)
        yield from _terms(term.args[1], sign if term.op == "+" else -sign)
    elif term.op == "neg":
        yield from _terms(term.args[0], -sign)
    elif term != ZERO:
        yield sign, term


def _product(term: Term, power: int) -> tuple[Fraction, list[Form]]:
    """The number in a product, and its other factors with their powers, 1 or -1."""
    if term.op in ("*", "/"):
        left, first = _product(term.args[0], power)
        right, second = _product(term.args[1], power if term.op == "*" else -power)
        return left * right, first + second
    if term.op == "neg":
        constant, factors = _product(term.args[0], power)
        return -constant, factors
    if term.op == "number" and term.value:  # 0*f is as undefined as f
        return term.value**power, []
    if term.op in ("+", "-"):
        return Fraction(1), [("sum", *form(term), power)]
    parts = [form(part) for part in term.args]
    if (term.name if term.op == "call" else term.op) in _IN_ANY_ORDER:
        parts.sort(key=repr)
    return Fraction(1), [(term.op, term.name, term.value, *parts, power)]
