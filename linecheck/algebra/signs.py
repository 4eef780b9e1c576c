"""Signs of quotients from the signs of their factors; where one is open, cases are asked for."""

from __future__ import annotations

from fractions import Fraction

from linecheck.algebra.polynomials import Exponent, Polynomial
from linecheck.algebra.ratios import ZERO, Algebra, Ratio, SplitError


class Signs:
    """|a|, the sign of a, max and min."""

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra

    def absolute(self, a: Ratio) -> Ratio:
        """|a|."""
        algebra = self.algebra
        if not a.top:
            return ZERO
        sign, parts = algebra.signed_parts(a)
        for part, power in parts:
            if isinstance(power, Fraction) or power % 2 == 0:
                continue
            known = algebra.sign(part)
            if known is None:
                two_valued = algebra.two_valued(part)
                if two_valued is not None:
                    return algebra.by_values(two_valued, a, self.absolute)
                raise SplitError(part, "closed")
            if known == 0:
                return ZERO
            if known < 0:
                sign = -sign
        return a if sign > 0 else algebra.negative(a)

    def closed_sign(self, a: Ratio) -> int:
        """1 if a >= 0, -1 if a <= 0."""
        algebra = self.algebra
        if not a.top:
            return 1
        whole = algebra.sign(a.top) if not a.below else None
        if whole is not None:
            return 1 if whole >= 0 else -1
        sign, parts = algebra.signed_parts(a)
        for part, power in parts:
            if isinstance(power, Fraction) or power % 2 == 0:
                continue
            known = algebra.sign(part)
            if known is None:
                raise SplitError(part, "closed")
            if known < 0:
                sign = -sign
        return sign

    def strict_sign(self, a: Ratio) -> int:
        """-1, 0 or 1."""
        algebra = self.algebra
        if not a.top:
            return 0
        sign, parts = algebra.signed_parts(a)
        for part, power in parts:
            known = algebra.sign(part)
            if known == 0:
                return 0
            if known is None or abs(known) == 1:
                if power > 0:
                    raise SplitError(part, "three")
                known = known or self.nonzero_sign(part, power)
            if known < 0 and not isinstance(power, Fraction) and power % 2 != 0:
                sign = -sign
        return sign

    @staticmethod
    def nonzero_sign(part: Polynomial, power: Exponent) -> int:
        if not isinstance(power, Fraction) and power % 2 == 0:
            return 1
        raise SplitError(part, "positive")

    def is_positive(self, a: Ratio) -> bool:
        """Whether a > 0; asks for cases when that is open."""
        algebra = self.algebra
        if not a.top:
            return False
        whole = algebra.sign(a.top) if not a.below else None
        if whole is not None and whole != 1:
            return whole == 2
        if whole is None and not a.below:
            raise SplitError(a.top, "positive")
        sign, parts = algebra.signed_parts(a)
        weak: list[tuple[Polynomial, str]] = []  # known to be >= 0 or <= 0 only
        open_parts: list[tuple[Polynomial, bool]] = []
        for part, power in parts:
            known = algebra.sign(part)
            if known == 0:
                return False
            odd = not isinstance(power, Fraction) and power % 2 != 0
            if known is None:
                if odd or power > 0:
                    open_parts.append((part, odd))
                continue
            if known < 0 and odd:
                sign = -sign
            if abs(known) == 1 and power > 0:
                weak.append((part, "positive" if known > 0 else "negative"))
        if len(open_parts) == 1 and open_parts[0][1] and not weak:
            raise SplitError(open_parts[0][0], "positive" if sign > 0 else "negative")
        if open_parts:
            raise SplitError(open_parts[0][0], "three")
        if weak and sign > 0:
            raise SplitError(*weak[0])
        return sign > 0

    def most(self, args: list[Ratio], largest: bool) -> Ratio:
        best = args[0]
        for arg in args[1:]:
            ahead = self.closed_sign(self.algebra.subtract(arg, best))
            if (ahead > 0) == largest:
                best = arg
        return best
