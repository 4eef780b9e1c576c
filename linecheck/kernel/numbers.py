"""Enclosures of numbers without variables: exp, log, pi, roots, in fractions."""

from __future__ import annotations

from fractions import Fraction
from statistics import NormalDist

from linecheck.kernel.facts import ANY, NEG, POS, Table
from linecheck.kernel.polynomials import Exponent, Poly

Bounds = tuple[Fraction, Fraction]
DIGITS = 10**50
PI = (
    Fraction(31415926535897932384626433832795028841971, 10**40),
    Fraction(31415926535897932384626433832795028841972, 10**40),
)
MOST = 40  # largest exponent


def sign_of_number(table: Table, a: Poly) -> int:
    """The sign of a polynomial in atoms that are numbers, if intervals show it."""
    try:
        low, high = enclosed(table, a)
    except (ValueError, ZeroDivisionError, OverflowError):
        return ANY
    return POS if low > 0 else NEG if high < 0 else ANY


def enclosed(table: Table, a: Poly) -> Bounds:
    low = high = Fraction(0)
    for monomial, coefficient in a.items():
        part = (Fraction(coefficient), Fraction(coefficient))
        for index, exponent in monomial:
            part = _times(part, _power(_atom(table, index), exponent))
        low, high = low + part[0], high + part[1]
    return _rounded(low, high)


def _atom(table: Table, index: int) -> Bounds:
    atom = table.atoms[index]
    if atom.kind == "pi":
        return PI
    if atom.kind == "prime" and isinstance(atom.data, int):
        return Fraction(atom.data), Fraction(atom.data)
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


def _times(a: Bounds, b: Bounds) -> Bounds:
    ends = [x * y for x in a for y in b]
    return _rounded(min(ends), max(ends))


def _rounded(low: Fraction, high: Fraction) -> Bounds:
    """Outwards, so that fractions stay short."""
    return Fraction(low * DIGITS // 1, DIGITS), Fraction(-(-high * DIGITS // 1), DIGITS)


def _power(a: Bounds, exponent: Exponent) -> Bounds:
    power = Fraction(exponent)
    if power.denominator == 1 and 0 < power <= MOST:
        result = a
        for _ in range(int(power) - 1):
            result = _times(result, a)
        return result
    if a[0] <= 0:
        raise ValueError("the sign is not known")
    logs = _times((power, power), (_log(a[0])[0], _log(a[1])[1]))
    return _exp(logs[0])[0], _exp(logs[1])[1]


def _exp(x: Fraction) -> Bounds:
    """exp(x/2**k) from its series for |x/2**k| <= 1/2, squared k times."""
    if abs(x) > MOST:
        raise ValueError("too large")
    halvings = 0
    while abs(x) > Fraction(1, 2):
        x, halvings = x / 2, halvings + 1
    total = term = Fraction(1)
    for k in range(1, 48):
        term = term * x / k
        total += term
    slack = abs(term)  # the rest of the series is smaller than its last term
    found = _rounded(total - slack, total + slack)
    for _ in range(halvings):
        found = _times(found, found)
    return found


def _log(x: Fraction) -> Bounds:
    """log x = k log 2 + 2 artanh((m - 1)/(m + 1)) with m in [2/3, 4/3]."""
    if x == 1:
        return Fraction(0), Fraction(0)
    shifts = 0
    while x > Fraction(4, 3):
        x, shifts = x / 2, shifts + 1
    while x < Fraction(2, 3):
        x, shifts = x * 2, shifts - 1
    low, high = _artanh((x - 1) / (x + 1))
    two = _artanh(Fraction(1, 3))
    more = _times((Fraction(shifts), Fraction(shifts)), two)
    return _rounded(2 * (low + more[0]), 2 * (high + more[1]))


def _normal(x: Fraction) -> Bounds:
    """Phi(x) = 1/2 + exp(-x**2/2)/sqrt(2 pi) (x + x**3/3 + x**5/(3*5) + ...) for x >= 0."""
    if x < 0:
        low, high = _normal(-x)
        return 1 - high, 1 - low
    if x > 6:
        raise ValueError("too large")
    series = term = (x, x)
    for k in range(3, 303, 2):
        term = _times(term, (x * x / k, x * x / k))
        series = series[0] + term[0], series[1] + term[1]
        if 2 * x * x < k and term[1] * DIGITS <= 2:
            break
    slack = 2 * term[1] + Fraction(2, DIGITS)  # each further term is less than half of the last
    two_pi = _times((Fraction(2), Fraction(2)), PI)
    density = _times(_exp(-x * x / 2), _power(two_pi, Fraction(-1, 2)))
    low, high = _times(density, (series[0], series[1] + slack))
    half = Fraction(1, 2)
    return half + low, half + high


def _inverse(p: Fraction) -> Bounds:
    """About where Phi, which grows, is p: a guess is checked on both sides."""
    normal = NormalDist()
    guess = Fraction(normal.inv_cdf(float(p)))
    guess -= (_normal(guess)[0] - p) / Fraction(normal.pdf(float(guess)))  # Newton's step
    low, high = guess - Fraction(1, 10**26), guess + Fraction(1, 10**26)
    if not _normal(low)[1] < p < _normal(high)[0]:
        raise ValueError("too large")
    return low, high


def _artanh(x: Fraction) -> Bounds:
    """sum of x**k/k over odd k, for |x| <= 1/3; the rest is smaller than the last term."""
    total, raised = Fraction(0), x
    for k in range(1, 121, 2):
        total += raised / k
        raised *= x * x
    slack = abs(raised)
    return _rounded(total - slack, total + slack)
