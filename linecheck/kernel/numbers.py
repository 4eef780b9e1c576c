"""Numbers without variables lie between two integers, where n stands for n/ONE: exp and Phi are
computed; what search says of log, Phi_inv and roots is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from math import isqrt

from linecheck.kernel.facts import Table, require
from linecheck.kernel.polynomials import Exponent, Poly

Bounds = tuple[int, int]
Given = Mapping[tuple[int, Exponent], Bounds]  # of a power; of log and Phi_inv themselves
ONE = 10**110
PI_DIGITS = (
    "3"
    "14159265358979323846264338327950288419716939937510"
    "58209749445923078164062862089986280348253421170679"
    "8214808651"
)
PI = (int(PI_DIGITS), int(PI_DIGITS) + 1)
MOST = 100  # largest exponent


def enclosed(table: Table, a: Poly, given: Given) -> Bounds:
    """Two integers between which the value lies."""
    low = high = 0
    for monomial, coefficient in a.items():
        part = _number(Fraction(coefficient))
        for index, exponent in monomial:
            part = _times(part, _power(table, index, exponent, given))
        low, high = low + part[0], high + part[1]
    return low, high


def _power(table: Table, index: int, exponent: Exponent, given: Given) -> Bounds:
    """An atom with its exponent."""
    atom = table.atoms[index]
    require(not any(below for _, below in atom.args), "an argument without a divisor")
    inside = enclosed(table, dict(atom.args[0][0]), given) if atom.args else PI
    if atom.kind == "exp":
        low, high = _times(inside, _number(Fraction(exponent)))
        return _exp(low)[0], _exp(high)[1]
    inverse = atom.kind in ("log", "Phi_inv")
    found = given.get((index, 1 if inverse else exponent), (0, 0))
    require(all(isinstance(end, int) for end in found), "ends that are not rounded")
    if atom.kind in ("prime", "pi", "root"):
        base = _number(Fraction(atom.data)) if atom.kind == "prime" else inside
        degree = atom.data if atom.kind == "root" else 1
        require(_is_power(base, Fraction(exponent) / degree, found), "the power lies there")
        return found
    if atom.kind == "Phi":
        found = _normal(inside[0])[0], _normal(inside[1])[1]
    else:
        require(inverse, "a number that is enclosed")
        first, last = map(_exp if atom.kind == "log" else _normal, found)
        require(first[1] <= inside[0] and inside[1] <= last[0], "the inverse lies there")
    return reduce(_times, [found] * int(exponent))


def _is_power(base: Bounds, exponent: Fraction, found: Bounds) -> bool:
    """Whether the power of a positive number lies between two positive ones."""
    power, degree = exponent.as_integer_ratio()
    if min(*base, *found) <= 0 or max(abs(power), degree) > MOST:
        return False
    low, high = sorted(Fraction(end, ONE) ** power for end in base)
    return Fraction(found[0], ONE) ** degree <= low and high <= Fraction(found[1], ONE) ** degree


def _number(value: Fraction) -> Bounds:
    scaled = value.numerator * ONE
    return scaled // value.denominator, -(-scaled // value.denominator)


def _times(a: Bounds, b: Bounds) -> Bounds:
    ends = [x * y for x in a for y in b]
    return min(ends) // ONE, -(-max(ends) // ONE)


def _over(a: Bounds, k: int) -> Bounds:
    return a[0] // k, -(-a[1] // k)


def _exp(x: int) -> Bounds:
    """exp(x/2**k) from its series for |x/2**k| <= 1/2, squared k times."""
    require(x <= MOST * ONE, "an exponential that is not too large")
    if x < -MOST * ONE:
        return 0, _exp(-MOST * ONE)[1]
    small, halvings = (x, x), 0
    while max(map(abs, small)) > ONE // 2:
        small, halvings = _over(small, 2), halvings + 1
    low = high = ONE
    term = (ONE, ONE)
    for k in range(1, 72):
        term = _over(_times(term, small), k)
        low, high = low + term[0], high + term[1]
    rest = max(map(abs, term))  # the rest of the series is smaller than its last term
    found = (low - rest, high + rest)
    for _ in range(halvings):
        found = _times(found, found)
    return found


def _normal(x: int) -> Bounds:
    """Phi(x) = 1/2 + exp(-x**2/2)/sqrt(2 pi) (x + x**3/3 + x**5/(3*5) + ...) for x >= 0."""
    if x < 0:
        low, high = _normal(-x)
        return ONE - high, ONE - low
    square = _times((x, x), (x, x))
    weight = (_exp(-square[1] // 2)[0], _exp(-(square[0] // 2))[1])  # exp(-x**2/2)
    if x > 14 * ONE:  # what is missing from 1 is less than that
        return ONE - weight[1], ONE
    low, high = x, x
    term = (x, x)
    for k in range(3, 1503, 2):
        term = _over(_times(term, square), k)
        low, high = low + term[0], high + term[1]
        if 2 * square[1] < k * ONE and term[1] <= 2:
            break
    high += 2 * term[1] + 2  # each further term is less than half of the last
    root = isqrt(2 * PI[0] * ONE)  # of 2 pi; by less than 2 too small
    return ONE // 2 + weight[0] * low // (root + 2), ONE // 2 - (-weight[1] * high // root)
