"""Exact fractions in words."""

from __future__ import annotations

from fractions import Fraction


def decimal(value: Fraction) -> str:
    """Four significant digits; exact fractions are rounded once, so the text is reproducible."""
    try:
        return f"{float(value):.4g}"
    except OverflowError:
        return f"about 10^{len(str(abs(value.numerator // value.denominator))) - 1}"
