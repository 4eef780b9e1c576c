"""Perceptron runs in whole numbers: the arithmetic behind the certificate.

A float64 is a whole number times a power of two. So data, weights and margins of a run are whole
numbers times units that are kept aside, and Python computes with whole numbers exactly.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from fractions import Fraction
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.validation import Array, check_signs

ROUNDING = 2.0**-53  # relative error of one float64 operation


class SignedRows:
    """The signed examples z_i = s_i x_i as whole numbers: entry = whole number × 2**exponent."""

    def __init__(self, X: Array, s: ArrayLike, bias: bool) -> None:
        self.signs = check_signs(s, len(X))
        self.float = np.column_stack([np.ones(len(X)), X] if bias else [X]) * self.signs[:, None]
        self.N, self.d = self.float.shape
        mantissa, exponent = np.frexp(self.float)
        whole = (mantissa * 2.0**53).astype(np.int64)
        zeros = np.frexp((whole & -whole).astype(np.float64))[1] - 1  # trailing zero bits
        zeros[whole == 0] = 0
        self._whole = whole >> zeros
        shift = exponent.astype(np.int64) - 53 + zeros
        self.exponent = int(shift[whole != 0].min()) if whole.any() else 0
        self._shift = np.where(whole == 0, 0, shift - self.exponent)
        self.unit = Fraction(2) ** self.exponent

    def exact(self, i: int) -> list[int]:
        """z_i in units of 2**exponent."""
        pairs = zip(self._whole[i].tolist(), self._shift[i].tolist(), strict=True)
        return [whole << shift for whole, shift in pairs]

    def scores(self, rows: NDArray[np.intp], weights: Sequence[int]) -> tuple[Array, Array]:
        """z_i·weights for some rows in float64, and a bound on the error of each.

        Both are divided by a power of two that brings the largest weight near 1. The bound covers
        rounding the weights, the d products, the sums in any order and its own, with a reserve.
        """
        bits = max((abs(v).bit_length() for v in weights), default=0)
        w = np.array([v / (1 << bits) for v in weights])
        z = self.float[rows]
        with np.errstate(all="ignore"):  # what overflows is decided exactly
            error = (np.abs(z) @ (np.abs(w) + 1e-300)) * (2 * self.d + 8) * ROUNDING + 1e-290
            return z @ w, error

    def smallest_margin(self, star: Sequence[Fraction]) -> tuple[Fraction, int]:
        """min_i s_i w*·x_i exactly, and the first example where it is reached."""
        whole, unit = common_denominator(star)
        rough, error = self.scores(np.arange(self.N), whole)
        candidates = ~(rough - error > np.min(rough + error))
        margins = {int(i): dot(self.exact(int(i)), whole) for i in np.flatnonzero(candidates)}
        at = min(margins, key=lambda i: (margins[i], i))
        return margins[at] * unit * self.unit, at

    def largest_norm2(self) -> Fraction:
        """R² = max ||x_i||² exactly."""
        with np.errstate(all="ignore"):
            rough = (self.float**2).sum(axis=1)
        candidates = np.flatnonzero(~(rough < rough.max() * (1 - 1e-9)))
        largest = max(dot(z, z) for z in (self.exact(int(i)) for i in candidates))
        return largest * self.unit**2


class Replay:
    """The weights W(t) of the run as whole numbers: W = whole numbers × unit."""

    def __init__(
        self,
        rows: SignedRows,
        star: Sequence[Fraction],
        eta: Fraction,
        start: Sequence[Fraction],
        tie: str,
    ) -> None:
        self.rows, self.tie = rows, tie
        self.star, self.star_unit = common_denominator(star)
        (*weights, self.step), self.unit = common_denominator([*start, eta * rows.unit])
        self.weights: list[int] = weights
        self.eta = approximate(eta)
        self.rounding = ROUNDING * np.abs(self._float_weights())  # of float64 weights by now

    @property
    def a(self) -> Fraction:
        """w*·W."""
        return dot(self.star, self.weights) * self.star_unit * self.unit

    @property
    def b(self) -> Fraction:
        """||W||²."""
        return dot(self.weights, self.weights) * self.unit**2

    def margin(self, i: int) -> Fraction:
        """s_i W·x_i."""
        return dot(self.rows.exact(i), self.weights) * self.unit * self.rows.unit

    def is_wrong(self, i: int) -> bool:
        """Whether the rule updates on example i."""
        margin = dot(self.rows.exact(i), self.weights)
        counts_at_zero = self.tie == "update" or self.rows.signs[i] < 0
        return margin < 0 or (margin == 0 and counts_at_zero)

    def wrong_among(self, examples: NDArray[np.intp]) -> NDArray[np.intp]:
        """Those of the examples on which the rule updates, found exactly.

        Float64 decides where its error bound allows it; whole numbers decide the rest.
        """
        scores, error = self.rows.scores(examples, self.weights)
        wrong = scores < -error
        for k in np.flatnonzero(~(np.abs(scores) > error)):
            wrong[k] = self.is_wrong(int(examples[k]))
        return examples[wrong]

    def update(self, i: int) -> None:
        """W ← W + eta s_i x_i."""
        z = self.rows.exact(i)
        self.weights = [w + self.step * x for w, x in zip(self.weights, z, strict=True)]
        steps = 2 * self.eta * np.abs(self.rows.float[i])  # the product, and s x + ... once more
        self.rounding += ROUNDING * (np.abs(self._float_weights()) + steps)

    def rounding_explains(self, i: int) -> bool:
        """Whether a float64 run can be expected to have the sign of this margin wrong."""
        z = np.abs(self.rows.float[i])
        sums = (self.rows.d + 2) * ROUNDING * np.abs(self._float_weights())
        return approximate(abs(self.margin(i))) <= 2 * float(z @ (self.rounding + sums))

    def _float_weights(self) -> Array:
        return np.array([approximate(w * self.unit) for w in self.weights])


def dot(u: Sequence[int], v: Sequence[int]) -> int:
    """u·v of whole numbers."""
    return sum(map(operator.mul, u, v))


def approximate(value: Fraction) -> float:
    """The nearest float64, infinity where there is none."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def common_denominator(values: Sequence[Fraction]) -> tuple[list[int], Fraction]:
    """Whole numbers and the unit 1/D in which they are the given fractions."""
    D = math.lcm(*(value.denominator for value in values))
    return [value.numerator * (D // value.denominator) for value in values], Fraction(1, D)


def as_fraction(value: object, name: str) -> Fraction:
    """The exact value of an integer, a float or a fraction."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, Integral) and not isinstance(value, bool):
        return Fraction(int(value))
    if not isinstance(value, Real) or isinstance(value, bool) or not math.isfinite(value):
        raise ValueError(f"{name}: found {value!r}, expected a finite number.")
    return Fraction(float(value))


def as_fractions(values: Sequence[object], length: int, name: str) -> list[Fraction]:
    """Exact values of a vector that must have `length` entries."""
    if len(values) != length:
        raise ValueError(
            f"{name}: found {len(values)} entries (the bias counted), expected {length}."
        )
    return [as_fraction(value, name) for value in values]


def as_indices(values: ArrayLike, N: int, name: str) -> NDArray[np.intp]:
    """`values` as indices of examples."""
    array = np.asarray(values)
    if array.size == 0:
        array = array.astype(np.intp)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ValueError(
            f"{name}: found dtype {array.dtype} and shape {array.shape}, expected whole numbers."
        )
    if array.size and (array.min() < 0 or array.max() >= N):
        outside = array[(array < 0) | (array >= N)][0]
        raise ValueError(f"{name}: found example {outside}, expected 0 to {N - 1}.")
    return array.astype(np.intp)
