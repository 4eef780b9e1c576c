"""What a check asks of an answer besides calling it: by name, so that a grader can ask elsewhere.

In the notebook an `Ask` is called like any function, under the watch. A grader, whose answers live
in another process, sends the name and the arguments there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from math import isfinite
from typing import Any

import numpy as np

from lectures_lib.checks.running.without import without


@dataclass(frozen=True)
class Ask:
    """A question to one answer; the arguments of the call follow those that stand here."""

    name: str  # one of ASKS
    answer: object
    arguments: tuple[Any, ...] = ()

    def __call__(self, *more: Any) -> Any:
        return ASKS[self.name](self.answer, *self.arguments, *more)


def _lines(answer: Any) -> tuple[str]:
    return ("\n".join(line.text for line in answer.lines),)


def described(answer: object) -> tuple[str, ...]:
    """What it is if it is nothing of SymPy's, else nothing; then the names of its symbols."""
    import sympy

    if isinstance(answer, int | float):
        return ("",)
    answer = _in_sympy(answer)
    if not isinstance(answer, sympy.Expr | sympy.MatrixBase):
        if isinstance(answer, sympy.Equality):
            return ("an equation; give its right-hand side",)
        if isinstance(answer, str):
            return ("a text; build the expression from SymPy's symbols, without quotation marks",)
        return (f"of type {type(answer).__name__}; expected an expression of SymPy",)
    return ("", *sorted(str(symbol) for symbol in answer.free_symbols))


def _in_sympy(answer: Any) -> Any:
    """Lists and arrays, NumPy's or SymPy's (`derive_by_array` makes them), as matrices; a
    polynomial as the expression that it is."""
    import sympy

    if isinstance(answer, sympy.Poly):
        return answer.as_expr()
    listed = answer.tolist() if isinstance(answer, sympy.NDimArray | np.ndarray) else answer
    return sympy.ImmutableMatrix(listed) if isinstance(listed, list | tuple) else answer


DIGITS = 30
MOST_DIGITS = 500  # while it is computed: of 1 − tanh(300) the first 260 are lost


def value_at(answer: Any, names: tuple[str, ...], *values: Any) -> Any:
    """The value of an expression, or the values of a matrix, where the symbols have these values.

    Infinity where it is infinite, NaN where it is undefined or not real. Without values, what the
    answer is.
    """
    import sympy

    if not values:
        return described(answer)
    matrix = sympy.sympify(_in_sympy(answer))
    if isinstance(matrix, sympy.MatrixBase):
        matrix = matrix.as_immutable()
    quick = _quickly(matrix, names, values)
    if quick is not None:
        return quick
    given = dict(zip(names, values, strict=True))
    at = {symbol: _exactly(given[str(symbol)]) for symbol in matrix.free_symbols}

    def number(expression: Any) -> float:
        found = expression.doit().subs(at).evalf(DIGITS, maxn=MOST_DIGITS)
        if not found.is_number or found.has(sympy.zoo, sympy.nan):
            return float("nan")
        real, imaginary = found.as_real_imag()
        if abs(imaginary) > 1e-20 * (1 + abs(real)):
            return float("nan")
        return float(real)

    if isinstance(matrix, sympy.MatrixBase):
        return np.array([number(entry) for entry in matrix]).reshape(_without_column(matrix.shape))
    return number(matrix)


def _exactly(value: Any) -> Any:
    """A number as the fraction that it is: what is equal cancels, and zero is zero."""
    import sympy

    return sympy.Rational(value) if np.isfinite(float(value)) else sympy.Float(value)


def _quickly(expression: Any, names: tuple[str, ...], values: tuple[Any, ...]) -> Any:
    """The same by mpmath, some thirty times as fast, where two precisions give the same numbers;
    else None: there it is undefined, not real, or loses digits without end."""
    import mpmath

    def rounded(digits: int) -> list[complex]:
        with mpmath.workdps(digits):
            found = _compiled(expression, names)(*map(mpmath.mpf, values))
            entries = found if isinstance(found, mpmath.matrix) else [found]
            return [complex(entry) for entry in entries]

    for digits in (2 * DIGITS, MOST_DIGITS):
        try:
            pairs = list(zip(rounded(digits), rounded(2 * digits), strict=True))
        except Exception:  # a division by 0, or by what is 0 in so few digits, ...
            continue
        real = all(isfinite(b.real) and b.imag == 0 for _, b in pairs)
        if real and all(abs(a - b) <= 1e-15 * abs(b) for a, b in pairs):
            break
    else:
        return None
    numbers = np.array([b.real for _, b in pairs])
    shape = getattr(expression, "shape", ())
    return numbers.reshape(_without_column(shape)) if shape else float(numbers[0])


def _without_column(shape: tuple[int, int]) -> tuple[int, ...]:
    """SymPy has no vectors: a list of two is a column to it."""
    return shape if shape[1] > 1 else shape[:1]


@lru_cache(maxsize=4)
def _compiled(expression: Any, names: tuple[str, ...]) -> Callable[..., Any]:
    """A function of numbers; it is printed, so symbols of one name are one, whatever is assumed."""
    import sympy

    made: Callable[..., Any] = sympy.lambdify(names, expression.doit(), "mpmath", cse=True)
    return made


@cache
def warm() -> None:
    """Read in what SymPy needs for numbers, which every child would otherwise do anew."""
    import sympy

    symbol = sympy.Symbol("x")
    value_at(sympy.Matrix([sympy.exp(symbol)]), ("x",), 1.0)


ASKS: dict[str, Callable[..., Any]] = {
    "value": lambda answer: answer,
    "lines": _lines,
    "value at": value_at,
    "without": without,
}
