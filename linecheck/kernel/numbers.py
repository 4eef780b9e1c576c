"""Enclosures of numbers without variables: exp, log, pi, roots, Phi, each between two integers.

An integer n stands for n/ONE. Lower ends are rounded down, upper ends up. What a growing function
is inverted to is guessed, and checked on both sides.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import isqrt

from linecheck.kernel.facts import ANY, NEG, POS, Guess, Table
from linecheck.kernel.polynomials import Exponent, Poly

Bounds = tuple[int, int]
ONE = 10**110
SLACK = ONE // 10**95  # a guess may be off by that
PI_DIGITS = (
    "3"
    "14159265358979323846264338327950288419716939937510"
    "58209749445923078164062862089986280348253421170679"
    "8214808651"
)
PI = (int(PI_DIGITS), int(PI_DIGITS) + 1)
MOST = 100  # largest exponent


def sign_of_number(table: Table, a: Poly) -> int:
    """The sign of a polynomial in atoms that are numbers, if intervals show it."""
    try:
        low, high = enclosed(table, a)
    except (ValueError, ArithmeticError):
        return ANY
    return POS if low > 0 else NEG if high < 0 else ANY


def enclosed(table: Table, a: Poly) -> Bounds:
    """Two integers between which the value lies."""
    low = high = 0
    for monomial, coefficient in a.items():
        part = _number(Fraction(coefficient))
        for index, exponent in monomial:
            part = _times(part, _power(_atom(table, index), exponent, table.guess))
        low, high = low + part[0], high + part[1]
    return low, high


def _atom(table: Table, index: int) -> Bounds:
    atom = table.atoms[index]
    if atom.kind == "pi":
        return PI
    if isinstance(atom.data, int) and atom.kind == "prime":
        return _number(Fraction(atom.data))
    if atom.kind not in ("exp", "log", "root", "abs", "Phi", "Phi_inv") or atom.args[0][1]:
        raise ValueError("not a number that is enclosed")
    ends = enclosed(table, dict(atom.args[0][0]))
    if atom.kind in GROWING:
        return _grows(GROWING[atom.kind], ends)
    if atom.kind == "Phi_inv":
        return _grows(lambda y: _inverse("Phi", y, table.guess), ends)
    if ends[0] <= 0:
        raise ValueError("the sign is not known")
    if atom.kind == "log":
        return _log(ends, table.guess)
    if isinstance(atom.data, int):
        return _power(ends, Fraction(1, atom.data), table.guess)
    return ends


def _grows(function: Callable[[int], Bounds], ends: Bounds) -> Bounds:
    """A function that grows, of all numbers between two."""
    return function(ends[0])[0], function(ends[1])[1]


def _number(value: Fraction) -> Bounds:
    scaled = value.numerator * ONE
    return scaled // value.denominator, -(-scaled // value.denominator)


def _times(a: Bounds, b: Bounds) -> Bounds:
    ends = [x * y for x in a for y in b]
    return min(ends) // ONE, -(-max(ends) // ONE)


def _over(a: Bounds, k: int) -> Bounds:
    return a[0] // k, -(-a[1] // k)


def _power(a: Bounds, exponent: Exponent, guess: Guess) -> Bounds:
    power = Fraction(exponent)
    if power.denominator == 1 and 0 < power <= MOST:
        result = a
        for _ in range(int(power) - 1):
            result = _times(result, a)
        return result
    return _grows(_exp, _times(_number(power), _log(a, guess)))


@lru_cache(maxsize=1024)
def _exp(x: int) -> Bounds:
    """exp(x/2**k) from its series for |x/2**k| <= 1/2, squared k times."""
    if x < -MOST * ONE:
        return 0, _exp(-MOST * ONE)[1]
    if x > MOST * ONE:
        raise ValueError("too large")
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


def _inverse(kind: str, y: int, guess: Guess) -> Bounds:
    """About where a function that grows is y."""
    x = int(guess.inverse(kind, Fraction(y, ONE)) * ONE)
    if not GROWING[kind](x - SLACK)[1] <= y <= GROWING[kind](x + SLACK)[0]:
        raise ValueError("the guess is not good enough")
    return x - SLACK, x + SLACK


def _log(ends: Bounds, guess: Guess) -> Bounds:
    """log of all numbers between two; of 1/x where x is small, so that digits do not lack."""
    if ends[0] <= 0:
        raise ValueError("the sign is not known")
    if ends[1] < ONE:
        low, high = _log((ONE * ONE // ends[1], -(-ONE * ONE // ends[0])), guess)
        return -high, -low
    return _grows(lambda y: _inverse("exp", y, guess), ends)


@lru_cache(maxsize=1024)
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


GROWING = {"exp": _exp, "Phi": _normal}
