"""What a check asks of an answer besides calling it: by name, so that a grader can ask elsewhere.

In the notebook an `Ask` is called like any function, under the watch. A grader, whose answers live
in another process, sends the name and the arguments there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Ask:
    """A question to one answer; the arguments of the call follow those that stand here."""

    name: str  # one of ASKS
    answer: object
    arguments: tuple[Any, ...] = ()

    def __call__(self, *more: Any) -> Any:
        return ASKS[self.name](self.answer, *self.arguments, *more)


def _itself(answer: object) -> object:
    return answer


def _lines(answer: Any) -> str:
    """The lines of a derivation."""
    return "\n".join(line.text for line in answer.report().lines)


def described(answer: object) -> tuple[str, ...]:
    """What it is if it is nothing of SymPy's, else nothing; then the names of its symbols."""
    import sympy

    if isinstance(answer, int | float):
        return ("",)
    if isinstance(answer, list | tuple):
        answer = sympy.Matrix(answer)
    if not isinstance(answer, sympy.Expr | sympy.MatrixBase):
        if isinstance(answer, sympy.Equality):
            return ("an equation; give its right-hand side",)
        if isinstance(answer, str):
            return ("a text; build the expression from SymPy's symbols, without quotation marks",)
        return (f"of type {type(answer).__name__}; expected an expression of SymPy",)
    return ("", *sorted(str(symbol) for symbol in answer.free_symbols))


DIGITS = 30


def value_at(answer: Any, names: tuple[str, ...], *values: Any) -> Any:
    """The value of an expression, or the values of a matrix, where the symbols have these values.

    Infinity where it is infinite, NaN where it is undefined or not real.
    """
    import sympy

    given = dict(zip(names, values, strict=True))
    matrix = sympy.Matrix(answer) if isinstance(answer, list | tuple) else sympy.sympify(answer)
    at = {symbol: sympy.Float(given[str(symbol)], DIGITS) for symbol in matrix.free_symbols}

    def number(expression: Any) -> float:
        found = expression.doit().evalf(DIGITS, subs=at)
        if not found.is_number or found.has(sympy.zoo, sympy.nan):
            return float("nan")
        real, imaginary = found.as_real_imag()
        if abs(imaginary) > 1e-20 * (1 + abs(real)):
            return float("nan")
        return float(real)

    if isinstance(matrix, sympy.MatrixBase):
        return np.array([number(entry) for entry in matrix]).reshape(matrix.shape)
    return number(matrix)


ASKS: dict[str, Callable[..., Any]] = {
    "value": _itself,
    "lines": _lines,
    "symbols": described,
    "value at": value_at,
}
