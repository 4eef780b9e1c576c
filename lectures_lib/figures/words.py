"""Numbers and plurals as they stand in sentences, axis labels and read-outs."""

from __future__ import annotations

from collections.abc import Iterable

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float, digits: int = 2) -> str:
    """The value rounded to `digits` places, with a real minus sign and never as minus zero.

    A whole number has no places: 99, not 99.00.
    """
    text = f"{value:.0f}" if abs(value - round(value, 0)) < 1e-9 else f"{value:.{digits}f}"
    if not any(c in "123456789" for c in text):
        text = text.lstrip("-")
    return text.replace("-", "−").replace("inf", "∞")


def count(n: int, noun: str, plural: str = "") -> str:
    """The number with its noun: "no errors", "1 error", "3 errors"."""
    return f"{n or 'no'} {noun if n == 1 else plural or noun + 's'}"


def equation(w: Iterable[float], w0: float) -> str:
    """The boundary w·x + w0 = 0 as "0.80 x₁ + 0.60 x₂ = 0.10"."""
    weights = list(w)
    if not any(weights):
        return "none (w = 0)"
    left = ""
    for j, weight in enumerate(weights, start=1):
        term = f"{number(abs(weight))} x{subscript(j)}"
        sign = "−" if number(weight).startswith("−") else "+"
        left += f" {sign} {term}" if left else ("−" if sign == "−" else "") + term
    return f"{left} = {number(-w0)}"


def subscript(n: int) -> str:
    """The digits of n as subscripts: 12 gives "₁₂"."""
    return str(n).translate(SUBSCRIPTS)


def power_of_ten(exponent: int) -> str:
    """10 with the exponent as superscript: -4 gives "10⁻⁴"."""
    return f"10{str(exponent).translate(SUPERSCRIPTS)}"
