"""Algebra that only search needs: square roots, and polynomials in one variable."""

from __future__ import annotations

from fractions import Fraction

from linecheck.expand.graph import exact_root
from linecheck.kernel import polynomials as poly
from linecheck.kernel.polynomials import Exponent, Monomial, Poly, Work

Coefficients = list[Fraction]  # by growing power


def square_root(a: Poly) -> Poly | None:
    """The polynomial whose square is a, if there is one."""
    if not a:
        return {}
    indices = poly.atoms_in(a)

    def dense(monomial: Monomial) -> list[Exponent]:
        exponents = dict(monomial)
        return [exponents.get(index, 0) for index in indices]

    top = max(a, key=dense)
    half = poly.power_of_monomial(top, Fraction(1, 2))
    lead = exact_root(Fraction(a[top]))
    if lead is None or any(isinstance(e, Fraction) for _, e in half):
        return None
    root: Poly = {half: poly.short(lead)}
    rest = poly.add(a, {top: a[top]}, -1)
    under = poly.power_of_monomial(half, -1)
    while rest:
        highest = max(rest, key=dense)
        monomial = poly.times_monomials(highest, under)
        if any(e < 0 for _, e in monomial) or len(root) > 60 or monomial in root:
            return None
        root[monomial] = poly.short(Fraction(rest[highest]) / (2 * lead))
        rest = poly.add(a, poly.multiply(root, root, Work(10_000)), -1)
    return root


def trimmed(p: Coefficients) -> Coefficients:
    """Without leading zeros."""
    while p and p[-1] == 0:
        p = p[:-1]
    return p


def derivative(p: Coefficients) -> Coefficients:
    """p'."""
    return [k * p[k] for k in range(1, len(p))]


def divided(a: Coefficients, b: Coefficients) -> tuple[Coefficients, Coefficients]:
    """Quotient and remainder."""
    rest = trimmed(list(a))
    quotient = [Fraction(0)] * max(0, len(rest) - len(b) + 1)
    while len(rest) >= len(b):
        factor = rest[-1] / b[-1]
        shift = len(rest) - len(b)
        quotient[shift] = factor
        rest = trimmed(
            [r - factor * b[k - shift] if k >= shift else r for k, r in enumerate(rest)][:-1]
        )
    return quotient, rest


def common_factor(a: Coefficients, b: Coefficients) -> Coefficients:
    """Greatest common divisor, with leading coefficient 1."""
    a, b = trimmed(a), trimmed(b)
    while b:
        a, b = b, divided(a, b)[1]
    return [coefficient / a[-1] for coefficient in a] if a else a
