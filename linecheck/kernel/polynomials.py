"""Sums of monomials over atoms, with rational coefficients.

A monomial is a sorted tuple of (atom, exponent). Exponents are positive whole numbers; only atoms
that are positive wherever they stand (exp, primes, pi) have any rational exponent.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from fractions import Fraction

from linecheck.language.terms import TooBigError

Exponent = int | Fraction
Coefficient = int | Fraction
Monomial = tuple[tuple[int, Exponent], ...]
Poly = dict[Monomial, Coefficient]
Key = tuple[tuple[Monomial, Coefficient], ...]

MOST_TERMS = 6_000
ONE: Poly = {(): 1}


class Work:
    """Counts multiplications of monomials, so that the effort is the same on every machine."""

    def __init__(self, most: int, deadline: float = float("inf")) -> None:
        self.left, self.calls = most, 0
        self.deadline = deadline  # of time.process_time(): for slow machines

    def spend(self, amount: int) -> None:
        """Raises when the allowance is used up."""
        self.left -= amount
        self.calls += 1
        late = self.calls % 64 == 0 and time.process_time() > self.deadline
        if self.left < 0 or late:
            raise TooBigError("the algebra is too long")


def short(value: Coefficient) -> Coefficient:
    """A whole fraction as an integer."""
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    return value


def constant(value: Coefficient) -> Poly:
    return {(): short(value)} if value else {}


def single(atom: int, exponent: Exponent = 1) -> Poly:
    """The polynomial of one atom."""
    return {((atom, exponent),): 1}


def key_of(a: Poly) -> Key:
    """A hashable form."""
    return tuple(sorted(a.items()))


def atoms_in(*polys: Iterable[Monomial]) -> list[int]:
    """The atoms that occur."""
    return sorted({atom for one in polys for monomial in one for atom, _ in monomial})


def times_monomials(a: Monomial, b: Monomial) -> Monomial:
    if not a or not b:
        return a or b
    exponents = dict(a)
    for atom, exponent in b:
        total = short(exponents.get(atom, 0) + exponent)
        if total:
            exponents[atom] = total
        else:
            del exponents[atom]
    return tuple(sorted(exponents.items()))


def power_of_monomial(a: Monomial, exponent: Exponent) -> Monomial:
    return tuple((atom, short(one * exponent)) for atom, one in a) if exponent else ()


def add(a: Poly, b: Poly, factor: Coefficient = 1) -> Poly:
    """a + factor * b."""
    total = dict(a)
    for monomial, coefficient in b.items():
        value = total.get(monomial, 0) + coefficient * factor
        if value:
            total[monomial] = short(value)
        else:
            total.pop(monomial, None)
    return total


def scale(a: Poly, factor: Coefficient) -> Poly:
    return {m: short(c * factor) for m, c in a.items()} if factor else {}


def shift(a: Poly, monomial: Monomial) -> Poly:
    """monomial * a."""
    return {times_monomials(one, monomial): c for one, c in a.items()} if monomial else a


def collected(terms: Iterable[tuple[Monomial, Coefficient]]) -> Poly:
    """The sum of terms, of which some may be alike."""
    total: Poly = {}
    for monomial, coefficient in terms:
        total[monomial] = total.get(monomial, 0) + coefficient
    return {monomial: short(value) for monomial, value in total.items() if value}


def multiply(a: Poly, b: Poly, work: Work) -> Poly:
    """a * b, without any relation between atoms."""
    if a == ONE or b == ONE:
        return b if a == ONE else a
    work.spend(len(a) * len(b))
    found = collected(
        (times_monomials(one, other), left * right)
        for one, left in a.items()
        for other, right in b.items()
    )
    if len(found) > MOST_TERMS:
        raise TooBigError("the algebra is too long")
    return found


def by_powers(a: Poly, atom: int) -> dict[Exponent, Poly]:
    """The coefficients of the powers of one atom: polynomials in the others."""
    found: dict[Exponent, Poly] = {}
    for monomial, coefficient in a.items():
        rest = tuple(part for part in monomial if part[0] != atom)
        found.setdefault(dict(monomial).get(atom, 0), {})[rest] = coefficient
    return found


def content(a: Poly) -> Monomial:
    """The largest monomial that divides every term."""
    smallest: dict[int, Exponent] | None = None
    for monomial in a:
        here = dict(monomial)
        if smallest is None:
            smallest = here
            continue
        for atom in {*smallest, *here}:
            smallest[atom] = min(smallest.get(atom, 0), here.get(atom, 0))
    return tuple(sorted((atom, e) for atom, e in (smallest or {}).items() if e))


def primitive(a: Poly) -> tuple[Coefficient, Poly]:
    """c and b with a == c * b, where the coefficient of the last monomial of b is 1."""
    lead = a[max(a)]
    return lead, (a if lead == 1 else scale(a, 1 / Fraction(lead)))
