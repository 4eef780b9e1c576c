"""Intervals that surely contain the number they stand for.

Ends are mpmath's raw numbers. Sums, products, quotients and roots are rounded outwards by mpmath
itself; exp, log and the normal distribution function are computed with more digits and widened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import mpmath
from mpmath import libmp

from linecheck.language.terms import decimal

Raw = Any  # mpmath's (sign, mantissa, exponent, bits)

_DOWN, _UP, _NEAREST = "f", "c", "n"
_EXTRA = 30  # bits beyond the wanted precision, before widening by one unit of that precision
_TOO_LARGE = libmp.from_int(10**14)
_TINY = (0, 1, -(10**14), 1)  # larger than exp(-10**14)
_FAR = libmp.from_int(200)  # beyond it Phi is closer to 0 or 1 than 2**-28000
_BEYOND = (0, 1, -28_000, 1)


class CannotTellError(ArithmeticError):
    """The precision does not suffice, or a number is beyond the limits."""


class Interval:
    """All numbers from `low` to `high`."""

    __slots__ = ("high", "low")

    def __init__(self, low: Raw, high: Raw) -> None:
        self.low = low
        self.high = high

    def sign(self) -> int | None:
        """-1, 0 or 1, or None when the interval does not decide."""
        if libmp.mpf_sign(self.low) > 0:
            return 1
        if libmp.mpf_sign(self.high) < 0:
            return -1
        if self.low == self.high == libmp.fzero:
            return 0
        return None

    @property
    def not_negative(self) -> bool:
        """Whether no number of the interval is below 0."""
        return bool(libmp.mpf_sign(self.low) >= 0)

    def __repr__(self) -> str:
        return f"[{libmp.to_str(self.low, 20)}, {libmp.to_str(self.high, 20)}]"


Number = Fraction | Interval
UNIT = Interval(libmp.fzero, libmp.fone)  # the indicator of a condition that is open
SIGNS = Interval(libmp.fnone, libmp.fone)  # the sign of a number that is open


def enclose(value: Number, precision: int) -> Interval:
    """The number as an interval."""
    if isinstance(value, Interval):
        return value
    top, bottom = value.numerator, value.denominator
    if bottom == 1 and top.bit_length() <= precision:
        exact = libmp.from_int(top)
        return Interval(exact, exact)
    return Interval(
        libmp.from_rational(top, bottom, precision, _DOWN),
        libmp.from_rational(top, bottom, precision, _UP),
    )


def add(a: Number, b: Number, precision: int) -> Number:
    """a + b."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return _kept_small(a + b, precision)
    left, right = enclose(a, precision), enclose(b, precision)
    return Interval(
        libmp.mpf_add(left.low, right.low, precision, _DOWN),
        libmp.mpf_add(left.high, right.high, precision, _UP),
    )


def mul(a: Number, b: Number, precision: int) -> Number:
    """a * b."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return _kept_small(a * b, precision)
    if a == 0 or b == 0:
        return Fraction(0)
    left, right = enclose(a, precision), enclose(b, precision)
    low, high = libmp.mpi_mul((left.low, left.high), (right.low, right.high), precision)
    return Interval(low, high)


def inverse(a: Number, precision: int) -> Number:
    """1 / a."""
    if isinstance(a, Fraction):
        if a == 0:
            raise CannotTellError("division by 0")
        return 1 / a
    if a.sign() in (None, 0):
        raise CannotTellError("division by an interval that contains 0")
    one = libmp.fone
    return Interval(
        libmp.mpf_div(one, a.high, precision, _DOWN), libmp.mpf_div(one, a.low, precision, _UP)
    )


def power(a: Number, exponent: int, precision: int) -> Number:
    """a ** exponent for a whole number."""
    if exponent < 0:
        return inverse(power(a, -exponent, precision), precision)
    if exponent == 0:
        return Fraction(1)
    if isinstance(a, Fraction):
        bits = max(a.numerator.bit_length(), a.denominator.bit_length())
        if bits * exponent <= 12_000 or a in (0, 1, -1):
            return a**exponent
    base = enclose(a, precision)
    work = precision + 20 + 2 * exponent.bit_length()
    if exponent % 2 == 0:
        base = _absolute(base)
    return _rising(lambda x: libmp.mpf_pow_int(x, exponent, work, _NEAREST), base, precision)


def sqrt(a: Number, precision: int) -> Number:
    """The root of a number known to be >= 0 (an end below 0 is rounding)."""
    inside = enclose(a, precision)
    if libmp.mpf_sign(inside.high) < 0:
        raise CannotTellError("root of a negative number")
    low = inside.low if libmp.mpf_sign(inside.low) > 0 else libmp.fzero
    return Interval(
        libmp.mpf_sqrt(low, precision, _DOWN), libmp.mpf_sqrt(inside.high, precision, _UP)
    )


def exp(a: Number, precision: int) -> Number:
    """e ** a."""
    if a == 0:
        return Fraction(1)
    inside = enclose(a, precision)
    if libmp.mpf_gt(inside.high, _TOO_LARGE):
        raise CannotTellError("exp of a very large number")
    if libmp.mpf_lt(inside.high, libmp.mpf_neg(_TOO_LARGE)):
        return Interval(libmp.fzero, _TINY)
    if libmp.mpf_lt(inside.low, libmp.mpf_neg(_TOO_LARGE)):
        inside = Interval(libmp.fninf, inside.high)
    return _rising(lambda x: libmp.mpf_exp(x, precision + _EXTRA, _NEAREST), inside, precision)


def log(a: Number, precision: int) -> Number:
    """Natural logarithm of a number that must be seen to be positive."""
    if a == 1:
        return Fraction(0)
    inside = enclose(a, precision)
    if libmp.mpf_sign(inside.low) <= 0:
        raise CannotTellError("log of an interval that reaches 0")
    return _rising(lambda x: libmp.mpf_log(x, precision + _EXTRA, _NEAREST), inside, precision)


def absolute(a: Number) -> Number:
    """|a|."""
    return abs(a) if isinstance(a, Fraction) else _absolute(a)


def _absolute(a: Interval) -> Interval:
    if a.not_negative:
        return a
    below = libmp.mpf_neg(a.low)
    if libmp.mpf_sign(a.high) <= 0:
        return Interval(libmp.mpf_neg(a.high), below)
    return Interval(libmp.fzero, _end([below, a.high], True))


def most(numbers: list[Number], largest: bool, precision: int) -> Number:
    """max or min."""
    exact = [number for number in numbers if isinstance(number, Fraction)]
    if len(exact) == len(numbers):
        return max(exact) if largest else min(exact)
    ends = [enclose(number, precision) for number in numbers]
    low, high = [end.low for end in ends], [end.high for end in ends]
    return Interval(_end(low, largest), _end(high, largest))


def normal(a: Number, precision: int) -> Number:
    """Phi(a), the normal distribution function."""
    if a == 0:
        return Fraction(1, 2)
    inside = enclose(a, precision)
    if libmp.mpf_lt(inside.high, libmp.mpf_neg(_FAR)):
        return Interval(libmp.fzero, _BEYOND)
    if libmp.mpf_gt(inside.low, _FAR):
        return Interval(libmp.mpf_sub(libmp.fone, _BEYOND, precision, _DOWN), libmp.fone)
    if libmp.mpf_gt(inside.high, _FAR) or libmp.mpf_lt(inside.low, libmp.mpf_neg(_FAR)):
        raise CannotTellError("Phi of an interval that is too wide")
    return _rising(lambda x: _normal(x, precision), inside, precision)


def _normal(value: Raw, precision: int) -> Raw:
    work = precision + 2 * _EXTRA
    root = libmp.mpf_sqrt(libmp.from_int(2), work + 30, _NEAREST)
    scaled = libmp.mpf_neg(libmp.mpf_div(value, root, work + 30, _NEAREST))
    return libmp.mpf_shift(libmp.mpf_erfc(scaled, work, _NEAREST), -1)


def normal_inverse(a: Number, precision: int) -> Number:
    """Phi_inv(a): a guess, checked from both sides with `normal`."""
    if a == Fraction(1, 2):
        return Fraction(0)
    inside = enclose(a, precision)
    if libmp.mpf_sign(inside.low) <= 0 or not libmp.mpf_lt(inside.high, libmp.fone):
        raise CannotTellError("Phi_inv outside (0, 1)")
    low = _guess(inside.low, precision)
    high = _guess(inside.high, precision)
    found = Interval(_nudged(low, precision, -1), _nudged(high, precision, 1))
    at_low, at_high = (normal(Interval(x, x), precision + 40) for x in (found.low, found.high))
    assert isinstance(at_low, Interval)
    assert isinstance(at_high, Interval)
    if libmp.mpf_gt(at_low.high, inside.low) or libmp.mpf_lt(at_high.low, inside.high):
        raise CannotTellError("Phi_inv not found")
    return found


def _guess(value: Raw, precision: int) -> Raw:
    with mpmath.mp.workprec(precision + 80):
        p = mpmath.mp.make_mpf(value)
        x = mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1)
        for _ in range(3):  # Newton steps repair what 2 p - 1 lost near 0
            density = mpmath.exp(-(x**2) / 2) / mpmath.sqrt(2 * mpmath.pi)
            x = x - (mpmath.erfc(-x / mpmath.sqrt(2)) / 2 - p) / density
        return x._mpf_


def _nudged(value: Raw, precision: int, direction: int) -> Raw:
    step = libmp.mpf_shift(libmp.fone, -(precision - 8))
    size = libmp.mpf_mul(libmp.mpf_add(libmp.mpf_abs(value), libmp.fone), step)
    return libmp.mpf_add(value, size if direction > 0 else libmp.mpf_neg(size), precision + 20)


def pi(precision: int) -> Interval:
    """The number pi."""
    return Interval(libmp.mpf_pi(precision, _DOWN), libmp.mpf_pi(precision, _UP))


def compare(a: Number, b: Number) -> int | None:
    """-1, 0 or 1 as a is less than, equal to or greater than b; None when they overlap."""
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return (a > b) - (a < b)
    bits = 64 + max(_bits(a), _bits(b))
    left, right = enclose(a, bits), enclose(b, bits)
    if libmp.mpf_lt(left.high, right.low):
        return -1
    return 1 if libmp.mpf_gt(left.low, right.high) else None


def _bits(a: Number) -> int:
    return 0 if isinstance(a, Fraction) else max(a.low[3], a.high[3])


def middle(a: Number) -> Fraction:
    """The middle of an interval; 0 when it is so small or so large that nothing follows from it."""
    if isinstance(a, Fraction):
        return a
    total = libmp.mpf_shift(libmp.mpf_add(a.low, a.high, 200, _NEAREST), -1)
    if abs(total[2]) > 20_000:
        return Fraction(0)
    top, bottom = libmp.to_rational(total)
    return Fraction(int(top), int(bottom))


def show(a: Number) -> str:
    """The number for a reader: a fraction, or 12 significant digits."""
    if isinstance(a, Fraction):
        text = str(a)
        if len(text) <= 45:
            return text
        exact = decimal(a, 39)
        exact = exact if len(exact.lstrip("-")) <= 46 else ""
        return _power_of_ten(a) or exact or str(libmp.to_str(enclose(a, 80).low, 12))
    middle = libmp.mpf_shift(libmp.mpf_add(a.low, a.high, 120, _NEAREST), -1)
    if a.sign() is None and libmp.mpf_lt(libmp.mpf_sub(a.high, a.low), (0, 1, -80, 1)):
        return "0"
    return str(libmp.to_str(middle, 12))


def _power_of_ten(a: Fraction) -> str:
    for value, sign in ((a, ""), (1 / a, "-")):
        text = str(abs(value.numerator))
        if value.denominator == 1 and text.strip("0") == "1":
            return f"{'-' if a < 0 else ''}1e{sign}{len(text) - 1}"
    return ""


def _kept_small(value: Fraction, precision: int) -> Number:
    """Exact while it is short; an interval when the fraction gets out of hand."""
    if value.denominator.bit_length() + value.numerator.bit_length() > 24_000:
        return enclose(value, precision)
    return value


def _rising(function: Callable[[Raw], Raw], inside: Interval, precision: int) -> Interval:
    """A function that grows, of an interval: what it is at the ends, moved outwards."""
    low, high = function(inside.low), function(inside.high)
    return Interval(_widened(low, precision, _DOWN), _widened(high, precision, _UP))


def _widened(value: Raw, precision: int, direction: str) -> Raw:
    """The number moved outwards by one unit of `precision`."""
    if value == libmp.fzero:
        return value
    step = libmp.mpf_shift(libmp.mpf_abs(value), -precision)
    if direction == _DOWN:
        step = libmp.mpf_neg(step)
    return libmp.mpf_add(value, step, precision + 4, direction)


def _end(values: Iterable[Raw], largest: bool) -> Raw:
    """The largest or the smallest of mpmath's numbers."""
    best, *others = values
    for value in others:
        if libmp.mpf_gt(value, best) if largest else libmp.mpf_lt(value, best):
            best = value
    return best
