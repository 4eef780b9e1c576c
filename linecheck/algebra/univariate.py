"""Exact questions about polynomials in one variable: does p keep its sign on an interval?"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

Coefficients = list[Fraction]  # by growing power

LARGEST_DEGREE = 24


def trimmed(p: Coefficients) -> Coefficients:
    """Without leading zeros."""
    while p and p[-1] == 0:
        p = p[:-1]
    return p


def value(p: Coefficients, x: Fraction) -> Fraction:
    """p(x)."""
    total = Fraction(0)
    for coefficient in reversed(p):
        total = total * x + coefficient
    return total


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


def sturm_chain(p: Coefficients) -> list[Coefficients]:
    """p, p' and the negated remainders."""
    chain = [trimmed(p), trimmed(derivative(p))]
    while chain[-1]:
        rest = divided(chain[-2], chain[-1])[1]
        chain.append([-coefficient for coefficient in rest])
    return chain[:-1]


def _changes(signs: list[int]) -> int:
    kept = [sign for sign in signs if sign]
    return sum(a != b for a, b in pairwise(kept))


def _sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)


def roots_between(p: Coefficients, lower: Fraction | None, upper: Fraction | None) -> int:
    """Number of different real roots in (lower, upper]; None is infinity."""
    chain = sturm_chain(p)

    def changes(at: Fraction | None, positive: bool) -> int:
        if at is not None:
            return _changes([_sign(value(q, at)) for q in chain])
        return _changes(
            [_sign(q[-1]) * (1 if positive or len(q) % 2 == 1 else -1) for q in chain if q]
        )

    return changes(lower, False) - changes(upper, True)


def keeps_sign(
    p: Coefficients,
    lower: Fraction | None,
    upper: Fraction | None,
    lower_open: bool = True,
    upper_open: bool = True,
) -> int | None:
    """2 if p > 0 on the whole interval, 1 if p >= 0, -1, -2 likewise, 0 if p is 0, else None."""
    p = trimmed(p)
    if not p:
        return 0
    if len(p) == 1:
        return 2 * _sign(p[0])
    if len(p) - 1 > LARGEST_DEGREE:
        return None
    at_ends = [
        end is not None and not is_open and value(p, end) == 0
        for end, is_open in ((lower, lower_open), (upper, upper_open))
    ]
    inside = [end for end in (lower, upper) if end is not None]
    square_free = divided(p, common_factor(p, derivative(p)))[0]
    # take the ends out, so that only roots inside are counted
    for end in inside:
        while len(square_free) > 1 and value(square_free, end) == 0:
            square_free = divided(square_free, [-end, Fraction(1)])[0]
    roots = roots_between(square_free, lower, upper) if len(square_free) > 1 else 0
    probe = _probe(p, lower, upper)
    if probe is None:
        return None
    sign = _sign(value(p, probe))
    if roots == 0:
        return sign if any(at_ends) else 2 * sign
    odd = _odd_part(p)
    for end in inside:
        while len(odd) > 1 and value(odd, end) == 0:
            odd = divided(odd, [-end, Fraction(1)])[0]
    if len(odd) > 1 and roots_between(odd, lower, upper) > 0:
        return None
    return sign


def _probe(p: Coefficients, lower: Fraction | None, upper: Fraction | None) -> Fraction | None:
    """A point inside the interval that is no root."""
    for k in range(1, 60):
        part = Fraction(k, 61)
        if lower is not None and upper is not None:
            x = lower + (upper - lower) * part
        elif lower is not None:
            x = lower + Fraction(k, 7)
        elif upper is not None:
            x = upper - Fraction(k, 7)
        else:
            x = Fraction(k - 30, 7)
        if value(p, x) != 0:
            return x
    return None


def _odd_part(p: Coefficients) -> Coefficients:
    """Product of the factors that occur an odd number of times (square-free decomposition)."""
    result = [Fraction(1)]
    a = common_factor(p, derivative(p))
    b = divided(p, a)[0]
    multiplicity = 1
    while len(b) > 1:
        c = common_factor(a, b)
        factor = divided(b, c)[0]
        if multiplicity % 2 == 1:
            result = _product(result, factor)
        b = c
        a = divided(a, c)[0] if len(c) > 1 else a
        multiplicity += 1
    return result


def _product(a: Coefficients, b: Coefficients) -> Coefficients:
    total = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            total[i + j] += x * y
    return total
