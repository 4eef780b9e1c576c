"""Enclosures of numbers without variables: exp, log, pi, roots, Phi, each between two integers.

An integer n stands for n/ONE. Lower ends are rounded down, upper ends up.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from statistics import NormalDist

from linecheck.kernel.facts import ANY, NEG, POS, Table
from linecheck.kernel.polynomials import Exponent, Poly

Bounds = tuple[int, int]
ONE = 10**110
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
    except (ValueError, ZeroDivisionError, OverflowError):
        return ANY
    return POS if low > 0 else NEG if high < 0 else ANY


def enclosed(table: Table, a: Poly) -> Bounds:
    """Two integers between which the value lies."""
    low = high = 0
    for monomial, coefficient in a.items():
        part = _number(Fraction(coefficient))
        for index, exponent in monomial:
            part = _times(part, _power(_atom(table, index), exponent))
        low, high = low + part[0], high + part[1]
    return low, high


def _atom(table: Table, index: int) -> Bounds:
    atom = table.atoms[index]
    if atom.kind == "pi":
        return PI
    if atom.kind == "prime" and isinstance(atom.data, int):
        return _number(Fraction(atom.data))
    if atom.kind not in ("exp", "log", "root", "abs", "Phi", "Phi_inv") or atom.args[0][1]:
        raise ValueError("not a number that is enclosed")
    low, high = enclosed(table, dict(atom.args[0][0]))
    if atom.kind == "Phi_inv":
        return _inverse(low)[0], _inverse(high)[1]
    if atom.kind == "Phi":
        return _normal(low)[0], _normal(high)[1]
    if atom.kind == "exp":
        return _exp(low)[0], _exp(high)[1]
    if low <= 0:
        raise ValueError("the sign is not known")
    if atom.kind == "log":
        return _log(low)[0], _log(high)[1]
    return (
        (low, high) if atom.kind == "abs" else _power((low, high), Fraction(1, int(str(atom.data))))
    )


def _number(value: Fraction) -> Bounds:
    scaled = value.numerator * ONE
    return scaled // value.denominator, -(-scaled // value.denominator)


def _times(a: Bounds, b: Bounds) -> Bounds:
    ends = [x * y for x in a for y in b]
    return min(ends) // ONE, -(-max(ends) // ONE)


def _over(a: Bounds, k: int) -> Bounds:
    return a[0] // k, -(-a[1] // k)


def _sum(a: Bounds, b: Bounds) -> Bounds:
    return a[0] + b[0], a[1] + b[1]


def _wider(a: Bounds, by: Bounds) -> Bounds:
    slack = max(abs(by[0]), abs(by[1]))
    return a[0] - slack, a[1] + slack


def _power(a: Bounds, exponent: Exponent) -> Bounds:
    power = Fraction(exponent)
    if power.denominator == 1 and 0 < power <= MOST:
        result = a
        for _ in range(int(power) - 1):
            result = _times(result, a)
        return result
    if a[0] <= 0:
        raise ValueError("the sign is not known")
    logs = _times(_number(power), (_log(a[0])[0], _log(a[1])[1]))
    return _exp(logs[0])[0], _exp(logs[1])[1]


@lru_cache(maxsize=1024)
def _exp(x: int) -> Bounds:
    """exp(x/2**k) from its series for |x/2**k| <= 1/2, squared k times."""
    if x < -MOST * ONE:
        return 0, _exp(-MOST * ONE)[1]
    if x > MOST * ONE:
        raise ValueError("too large")
    small, halvings = (x, x), 0
    while max(abs(small[0]), abs(small[1])) > ONE // 2:
        small, halvings = _over(small, 2), halvings + 1
    found = term = (ONE, ONE)
    for k in range(1, 72):
        term = _over(_times(term, small), k)
        found = _sum(found, term)
    found = _wider(found, term)  # the rest of the series is smaller than its last term
    for _ in range(halvings):
        found = _times(found, found)
    return found


@lru_cache(maxsize=1024)
def _log(x: int) -> Bounds:
    """log x = k log 2 + 2 artanh((m - 1)/(m + 1)) with m in [2/3, 4/3]."""
    if x == ONE:
        return 0, 0
    m, shifts = Fraction(x, ONE), 0
    while m > Fraction(4, 3):
        m, shifts = m / 2, shifts + 1
    while m < Fraction(2, 3):
        m, shifts = m * 2, shifts - 1
    own, two = _artanh((m - 1) / (m + 1)), _artanh(Fraction(1, 3))
    ends = (2 * shifts * two[0], 2 * shifts * two[1])
    return 2 * own[0] + min(ends), 2 * own[1] + max(ends)


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
    series = term = (x, x)
    for k in range(3, 1503, 2):
        term = _over(_times(term, square), k)
        series = _sum(series, term)
        if 2 * square[1] < k * ONE and term[1] <= 2:
            break
    slack = 2 * term[1] + 2  # each further term is less than half of the last
    density = _times(weight, _power((2 * PI[0], 2 * PI[1]), Fraction(-1, 2)))
    low, high = _times(density, (series[0], series[1] + slack))
    return ONE // 2 + low, ONE // 2 + high


def _inverse(p: int) -> Bounds:
    """About where Phi, which grows, is p: a guess is checked on both sides."""
    normal, share = NormalDist(), Fraction(p, ONE)
    guess = Fraction(normal.inv_cdf(float(share)))
    for _ in range(2):  # Newton's steps
        missing = Fraction(_normal(_number(guess)[0])[0] - p, ONE)
        guess -= missing / Fraction(normal.pdf(float(guess)))
        guess = Fraction(_number(guess)[0], ONE)
    middle = _number(guess)[0]
    low, high = middle - ONE // 10**42, middle + ONE // 10**42
    if not _normal(low)[1] < p < _normal(high)[0]:
        raise ValueError("too large")
    return low, high


@lru_cache(maxsize=1024)
def _artanh(x: Fraction) -> Bounds:
    """sum of x**k/k over odd k, for |x| <= 1/3; the rest is smaller than the last term."""
    total = raised = _number(x)
    square = _times(raised, raised)
    for k in range(3, 241, 2):
        raised = _times(raised, square)
        total = _sum(total, _over(raised, k))
    return _wider(total, raised)
