"""Sums of monomials with exact coefficients, and quotients of them.

A monomial is a tuple of (generator, exponent); exponents may be negative (the generator is then
known not to be 0 wherever the line is defined) or fractions (the generator is known to be >= 0).
What a generator is, is the business of `normal_form`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from fractions import Fraction

from linecheck.expand.graph import exact_root
from linecheck.language.terms import TooBigError

Exponent = int | Fraction
Coefficient = int | Fraction
Monomial = tuple[tuple[int, Exponent], ...]
Polynomial = dict[Monomial, Coefficient]
Key = tuple[tuple[Monomial, Coefficient], ...]

MOST_TERMS = 6_000


def size_of(monomial: Monomial) -> float:
    """Sum of the sizes of the exponents."""
    return sum(abs(float(exponent)) for _, exponent in monomial)


def constant(value: Coefficient) -> Polynomial:
    """The polynomial of a number."""
    if isinstance(value, Fraction) and value.denominator == 1:
        value = int(value)
    return {(): value} if value else {}


def generator(index: int, exponent: Exponent = 1) -> Polynomial:
    """The polynomial of one generator."""
    return {((index, exponent),): 1}


def key_of(polynomial: Polynomial) -> Key:
    """A hashable form."""
    return tuple(sorted(polynomial.items()))


def indices_in(*polynomials: Iterable[Monomial]) -> list[int]:
    """The generators that occur."""
    return sorted({i for one in polynomials for monomial in one for i, _ in monomial})


def by_powers(a: Polynomial, index: int) -> dict[Exponent, Polynomial]:
    """The coefficients of the powers of one generator: polynomials in the others."""
    found: dict[Exponent, Polynomial] = {}
    for monomial, coefficient in a.items():
        rest = tuple(part for part in monomial if part[0] != index)
        found.setdefault(dict(monomial).get(index, 0), {})[rest] = coefficient
    return found


def parallel(a: Polynomial, b: Polynomial) -> bool:
    """Whether a is a constant times b."""
    if a.keys() != b.keys():
        return False
    monomial = next(iter(a))
    ratio = Fraction(a[monomial]) / Fraction(b[monomial])
    return all(a[m] == ratio * b[m] for m in a)


def times_monomials(a: Monomial, b: Monomial) -> Monomial:
    """Product of two monomials."""
    if not a:
        return b
    if not b:
        return a
    exponents = dict(a)
    for index, exponent in b:
        total = exponents.get(index, 0) + exponent
        if total:
            exponents[index] = total
        else:
            exponents.pop(index, None)
    return tuple(sorted(exponents.items()))


def power_monomial(a: Monomial, exponent: Exponent) -> Monomial:
    """Power of a monomial."""
    if not exponent:
        return ()
    return tuple((index, _plain(one * exponent)) for index, one in a)


def _plain(exponent: Exponent) -> Exponent:
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        return int(exponent)
    return exponent


def add(a: Polynomial, b: Polynomial, factor: Coefficient = 1) -> Polynomial:
    """a + factor * b."""
    total = dict(a)
    for monomial, coefficient in b.items():
        value = total.get(monomial, 0) + coefficient * factor
        if value:
            total[monomial] = value
        else:
            total.pop(monomial, None)
    return total


def scale(a: Polynomial, factor: Coefficient) -> Polynomial:
    """factor * a."""
    return {monomial: coefficient * factor for monomial, coefficient in a.items()} if factor else {}


def shift(a: Polynomial, monomial: Monomial) -> Polynomial:
    """monomial * a."""
    if not monomial:
        return a
    return {times_monomials(one, monomial): coefficient for one, coefficient in a.items()}


class Work:
    """Counts multiplications of monomials, so that the effort is the same on every machine."""

    def __init__(self, most: int, deadline: float = math.inf) -> None:
        self.left = most
        self.deadline = deadline  # of time.process_time(): for slow machines

    def spend(self, amount: int) -> None:
        """Raises when the allowance is used up."""
        self.left -= amount
        if self.left < 0 or time.process_time() > self.deadline:
            raise TooBigError("the algebra is too long")


def multiply(a: Polynomial, b: Polynomial, work: Work) -> Polynomial:
    """a * b, without any relation between generators."""
    if len(a) > len(b):
        a, b = b, a
    work.spend(len(a) * len(b))
    if len(a) == 1:
        ((monomial, coefficient),) = a.items()
        moved = shift(b, monomial)
        return moved if coefficient == 1 else scale(moved, coefficient)
    total: Polynomial = {}
    for one, left in a.items():
        for other, right in b.items():
            monomial = times_monomials(one, other)
            value = total.get(monomial, 0) + left * right
            if value:
                total[monomial] = value
            else:
                del total[monomial]
        if len(total) > MOST_TERMS:
            raise TooBigError("the algebra is too long")
    return total


def content(a: Polynomial, free: Iterable[int]) -> Monomial:
    """The largest monomial in the generators `free` that divides every term (also negative)."""
    allowed = set(free)
    smallest: dict[int, Exponent] = {}
    first = True
    for monomial in a:
        exponents = {index: e for index, e in monomial if index in allowed}
        if first:
            smallest, first = exponents, False
            continue
        for index in list(smallest):
            smallest[index] = min(smallest[index], exponents.get(index, 0))
        for index, exponent in exponents.items():
            if index not in smallest and exponent < 0:
                smallest[index] = exponent
    return tuple(sorted((index, e) for index, e in smallest.items() if e))


def leading(a: Polynomial) -> tuple[Monomial, Coefficient]:
    """The term that comes last when monomials are sorted: any fixed choice would do."""
    monomial = max(a)
    return monomial, a[monomial]


def divide_exactly(a: Polynomial, b: Polynomial, work: Work) -> Polynomial | None:
    """a / b when it is a polynomial (ordinary exponents), else None."""
    indices = indices_in(a, b)
    place = {index: k for k, index in enumerate(indices)}

    def dense(monomial: Monomial) -> tuple[Exponent, ...]:
        vector: list[Exponent] = [0] * len(indices)
        for index, exponent in monomial:
            vector[place[index]] = exponent
        return tuple(vector)

    rest = {dense(monomial): coefficient for monomial, coefficient in a.items()}
    divisor = {dense(monomial): coefficient for monomial, coefficient in b.items()}
    lead = max(divisor)
    lead_coefficient = Fraction(divisor[lead])
    quotient: Polynomial = {}
    while rest:
        work.spend(len(divisor) + 1)
        top = max(rest)
        step = tuple(x - y for x, y in zip(top, lead, strict=True))
        if any(e < 0 for e in step) or len(quotient) > MOST_TERMS:
            return None
        factor = rest[top] / lead_coefficient
        monomial = tuple((indices[k], e) for k, e in enumerate(step) if e)
        quotient[monomial] = _short(factor)
        for other, coefficient in divisor.items():
            target = tuple(x + y for x, y in zip(step, other, strict=True))
            value = rest.get(target, 0) - factor * coefficient
            if value:
                rest[target] = _short(value)
            else:
                rest.pop(target, None)
    return quotient


def _short(value: Coefficient) -> Coefficient:
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value)
    return value


def square_root(a: Polynomial, work: Work) -> Polynomial | None:
    """The polynomial whose square is a (ordinary exponents), if there is one."""
    if not a:
        return {}
    indices = indices_in(a)

    def dense(monomial: Monomial) -> tuple[Exponent, ...]:
        exponents = dict(monomial)
        return tuple(exponents.get(index, 0) for index in indices)

    def sparse(vector: Iterable[Exponent]) -> Monomial:
        return tuple((indices[k], e) for k, e in enumerate(vector) if e)

    top = max(a, key=dense)
    half = power_monomial(top, Fraction(1, 2))
    root_of_lead = exact_root(Fraction(a[top]))
    if root_of_lead is None or any(isinstance(e, Fraction) for _, e in half):
        return None
    root: Polynomial = {half: _short(root_of_lead)}
    rest = add(a, {top: a[top]}, -1)
    while rest:
        monomial = max(rest, key=dense)
        step = tuple(x - y for x, y in zip(dense(monomial), dense(half), strict=True))
        if any(e < 0 for e in step) or len(root) > 60:
            return None
        term = {sparse(step): _short(Fraction(rest[monomial]) / (2 * root_of_lead))}
        if next(iter(term)) in root:
            return None
        rest = add(rest, multiply(root, scale(term, 2), work), -1)
        rest = add(rest, multiply(term, term, work), -1)
        root.update(term)
    return root
