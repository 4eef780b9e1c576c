"""Is one line the other one again, up to order, brackets and signs?"""

from __future__ import annotations

from fractions import Fraction

from lectures_lib.proofs.language.parser import parse
from lectures_lib.proofs.language.terms import LineError, Term

Form = tuple[object, ...]
ZERO: Form = ("number", Fraction(0))


def same_form(a: str, b: str) -> bool:
    """Whether two lines differ only in the order of terms and factors, in brackets and spaces."""
    try:
        return form(parse(a)) == form(parse(b))
    except LineError:
        return a.split() == b.split()


def length(line: str) -> int:
    """Number of nodes of a line (0 if it cannot be read)."""
    try:
        return sum(1 for _ in parse(line).walk())
    except LineError:
        return 0


def form(term: Term) -> Form:
    """A line with its sums and products sorted; nothing is expanded or evaluated."""
    if term.op in ("+", "-", "neg"):
        terms: dict[Form, Fraction] = {}
        _collect_terms(term, Fraction(1), terms)
        kept = sorted(((one, c) for one, c in terms.items() if c), key=repr)
        if len(kept) > 1:
            return ("sum", *kept)
        return _multiple(*kept[0]) if kept else ZERO
    if term.op in ("*", "/"):
        factors: list[tuple[Form, int]] = []
        constant = _collect_factors(term, 1, factors)
        return _product(constant, factors)
    if term.op == "number":
        return ("number", term.value)
    if term.op == "name":
        return ("name", term.name)
    parts = [form(part) for part in term.args]
    if term.op in ("and", "or") or (term.op == "call" and term.name in ("dot", "max", "min")):
        parts.sort(key=repr)
    return (term.op, term.name, *parts)


def _multiple(one: Form, factor: Fraction) -> Form:
    """factor * one, as a product would give it."""
    if factor == 1:
        return one
    if one[0] == "number" or factor == 0:
        unit = one[1] if one[0] == "number" else 0
        assert isinstance(unit, int | Fraction)
        return ("number", Fraction(unit) * factor)
    if one[0] == "product":
        constant = one[1]
        assert isinstance(constant, Fraction)
        return _product(constant * factor, list(one[2:]))  # type: ignore[arg-type]
    return ("product", factor, (one, 1))


def _product(constant: Fraction, factors: list[tuple[Form, int]]) -> Form:
    factors = sorted(factors, key=repr)
    if constant == 1 and len(factors) == 1 and factors[0][1] == 1:
        return factors[0][0]
    if not factors:
        return ("number", constant)
    return ("product", constant, *factors)


def _collect_terms(term: Term, sign: Fraction, terms: dict[Form, Fraction]) -> None:
    if term.op in ("+", "-"):
        _collect_terms(term.args[0], sign, terms)
        _collect_terms(term.args[1], sign if term.op == "+" else -sign, terms)
    elif term.op == "neg":
        _collect_terms(term.args[0], -sign, terms)
    else:
        one = form(term)
        if one[0] == "product":
            constant = one[1]
            assert isinstance(constant, Fraction)
            rest = _product(Fraction(1), list(one[2:]))  # type: ignore[arg-type]
            terms[rest] = terms.get(rest, Fraction(0)) + sign * constant
        elif one[0] == "number":
            value = one[1]
            assert isinstance(value, Fraction)
            unit: Form = ("number", Fraction(1))
            terms[unit] = terms.get(unit, Fraction(0)) + sign * value
        else:
            terms[one] = terms.get(one, Fraction(0)) + sign


def _collect_factors(term: Term, power: int, factors: list[tuple[Form, int]]) -> Fraction:
    """Appends the factors; returns the numeric one."""
    if term.op in ("*", "/"):
        left = _collect_factors(term.args[0], power, factors)
        return left * _collect_factors(term.args[1], power if term.op == "*" else -power, factors)
    if term.op == "neg":
        return -_collect_factors(term.args[0], power, factors)
    if term.op == "number" and (term.value or power > 0):
        return term.value**power
    factors.append((form(term), power))
    return Fraction(1)
