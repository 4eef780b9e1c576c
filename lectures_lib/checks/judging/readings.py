"""Reads what came back the way a teacher would: the numbers count, their clothes do not.

A list, a tuple, a float32 or a column vector is read as the array that is meant, and a note says
so. What cannot be read that way is refused with a sentence that says what was found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lectures_lib.checks.running.plain_data import Odd, Plain

Kind = Literal["number", "count", "flag", "sign"]
DIGITS = 1e-7  # relative tolerance of a float64; generous to another order of summation
NAN = "0/0, ∞ − ∞, and the root or logarithm of a negative number give it."
DIGITS_OF = {"float32": 1e-4, "float16": 5e-3}


class Unreadable(Exception):
    """What came back is no answer of the expected form; the message says why."""


@dataclass(frozen=True)
class Reading:
    """The numbers that came back, what was adapted to get them, and how closely they must fit."""

    value: NDArray[Any]
    notes: tuple[str, ...] = ()
    tolerance: float = DIGITS


@dataclass(frozen=True)
class Result:
    """One thing that has to come back: its name, its axes (`("N", "d")`), its kind, its points."""

    name: str
    axes: tuple[str, ...] = ()
    kind: Kind = "number"
    infinite: bool = False  # whether infinity can be a right answer
    absolute: float = 0.0  # a difference that never counts, where the task says how exact
    points: float = 1.0  # for a function's result; values have properties with points instead

    def read(self, value: Plain, shape: tuple[int, ...] | None = None) -> Reading:
        """The numbers in `value`, brought to `shape` (or to the number of axes) if harmless."""
        if shape is None and self.axes and all(axis.isdigit() for axis in self.axes):
            shape = tuple(int(axis) for axis in self.axes)
        array, notes = self._array(value), list[str]()
        tolerance = DIGITS_OF.get(str(array.dtype), DIGITS)
        if str(array.dtype) in DIGITS_OF:
            digits = round(-np.log10(tolerance))
            notes.append(f"`{self.name}` is {array.dtype}; it is compared to {digits} digits.")
        array = self._finite(self._real(array, notes))
        array = self._of_kind(array, notes)
        array = self._shaped(array, shape, notes)
        return Reading(array, tuple(notes), tolerance)

    def read_loosely(self, value: Plain) -> NDArray[Any] | None:
        """The bare numbers, whatever their shape and values, or None: to compare wrong answers."""
        try:
            return self._real(self._array(value), [])
        except Unreadable:
            return None

    def agrees(self, got: Reading, expected: NDArray[Any]) -> bool:
        """Whether the numbers are the expected ones, within the tolerance of their type."""
        if self.kind != "number":
            return bool(np.array_equal(got.value, expected))
        wanted = np.asarray(expected, dtype=float)
        return close(got.value, wanted, got.tolerance, self.absolute)

    def _array(self, value: Plain) -> NDArray[Any]:
        name = f"`{self.name}`"
        if value is Ellipsis:
            raise Unreadable(f"{name} is still `...`.")
        if value is None or isinstance(value, Odd):
            what = value.what if isinstance(value, Odd) else "None"
            raise Unreadable(f"{name} is {what}. Expected {self.wanted()}.")
        if isinstance(value, str | dict):
            kind = "text" if isinstance(value, str) else "a dictionary"
            raise Unreadable(f"{name} is {kind}; expected {self.wanted()}.")
        try:
            array = np.array(_nested(value))
        except ValueError:
            message = f"{name} has rows of different lengths; expected {self.wanted()}."
            raise Unreadable(message) from None
        if array.dtype.kind not in "biufc":
            raise Unreadable(f"{name} does not hold numbers only; expected {self.wanted()}.")
        return array

    def _real(self, array: NDArray[Any], notes: list[str]) -> NDArray[Any]:
        if array.dtype.kind == "c":
            if np.any(array.imag != 0):
                raise Unreadable(f"`{self.name}` is complex; expected {self.wanted()}.")
            notes.append(f"`{self.name}` is complex with imaginary part 0; the real part counts.")
            array = array.real
        return array.astype(float) if array.dtype.kind == "f" else array

    def _finite(self, array: NDArray[Any]) -> NDArray[Any]:
        if array.dtype.kind == "f":
            said = f"`{self.name}` {'contains' if array.ndim else 'is'}"
            if np.any(np.isnan(array)):
                raise Unreadable(f"{said} NaN (not a number){_where(array)}. {NAN}")
            if not self.infinite and np.any(np.isinf(array)):
                raise Unreadable(f"{said} infinity{_where(array)}.")
        return array

    def _of_kind(self, array: NDArray[Any], notes: list[str]) -> NDArray[Any]:
        is_bool = array.dtype.kind == "b"
        if self.kind == "flag":
            if not is_bool:
                if not np.isin(array, (0, 1)).all():
                    raise Unreadable(f"`{self.name}` holds values other than True and False.")
                notes.append(f"`{self.name}` holds 0 and 1; they are read as False and True.")
            return array.astype(bool)
        if is_bool:
            notes.append(f"`{self.name}` holds True and False; they are read as 1 and 0.")
            array = array.astype(int)
        if self.kind == "sign" and not np.isin(array, (-1, 1)).all():
            raise Unreadable(
                f"`{self.name}` must hold −1 and +1 only; found {_some(np.unique(array))}."
            )
        if self.kind in ("count", "sign"):
            whole = np.round(array)
            if np.any(np.abs(array - whole) > 1e-6):
                worst = array.ravel()[np.argmax(np.abs(array - whole))]
                raise Unreadable(f"`{self.name}` must be whole; found {worst:.10g}.")
            if np.any(array != whole):
                notes.append(f"`{self.name}` is whole up to rounding; it is read as whole.")
            return whole.astype(int)
        return array.astype(float)

    def _shaped(
        self, array: NDArray[Any], shape: tuple[int, ...] | None, notes: list[str]
    ) -> NDArray[Any]:
        if array.ndim == len(self.axes) and shape in (None, array.shape) and self._fits(array):
            return array
        found = (
            f"`{self.name}` has shape {array.shape}"
            if array.ndim
            else f"`{self.name}` is one number"
        )
        goal = _same_entries(array, len(self.axes), shape)
        if goal is None or not self._fits(np.empty(goal)):
            transposed = shape is not None and array.T.shape == shape
            tip = " It is transposed." if transposed else ""
            if self.kind == "count" and not self.axes and array.ndim == 1:
                tip = f" Did you mean `len({self.name})`?"
            raise Unreadable(f"{found}; expected {self.wanted(shape)}.{tip}")
        notes.append(f"{found}; it is read as {_form(goal)}.")
        return array.reshape(goal)

    def _fits(self, array: NDArray[Any]) -> bool:
        """Whether the axes that are numbers, as the "5" of ("n", "5"), have these lengths."""
        sizes = zip(self.axes, array.shape, strict=False)
        return all(int(axis) == size for axis, size in sizes if axis.isdigit())

    def wanted(self, shape: tuple[int, ...] | None = None) -> str:
        """In words, what is expected."""
        kind = {
            "number": "number",
            "count": "whole number",
            "flag": "True or False",
            "sign": "−1 or +1",
        }
        if not self.axes:
            return kind[self.kind] if self.kind in ("flag", "sign") else f"one {kind[self.kind]}"
        letters = f"({', '.join(self.axes)}{',' if len(self.axes) == 1 else ''})"
        known = all(axis.isdigit() for axis in self.axes)
        numbers = f" = {shape}" if shape is not None and not known else ""
        return f"an array of shape {letters}{numbers}"


def close(
    a: NDArray[Any], b: NDArray[Any], tolerance: float = DIGITS, absolute: float = 0.0
) -> bool:
    """Whether both arrays have one shape and the same numbers, NaN to NaN, infinity to infinity."""
    if a.shape != b.shape:
        return False
    finite = np.abs(b[np.isfinite(b)]) if b.size else np.zeros(1)
    scale = max(1.0, float(finite.max(initial=0.0)))
    slack = max(tolerance * 1e-2 * scale, absolute)
    return bool(np.allclose(a, b, rtol=tolerance, atol=slack, equal_nan=True))


def show(value: Plain) -> str:
    """A value as a student reads it: short, rounded to six digits, without −0."""
    if isinstance(value, tuple):
        array = _rectangular(value)
        if array is not None:
            return show(array)
        inner = ", ".join(show(entry) for entry in value[:8])
        return f"({inner}{', …' if len(value) > 8 else ''})"
    if isinstance(value, Odd):
        return value.what
    if isinstance(value, str):
        return repr(value[:60])
    if isinstance(value, float):
        return f"{value + 0.0:.6g}"
    if not isinstance(value, np.ndarray):
        return "..." if value is Ellipsis else repr(value)
    if value.dtype.kind == "f":
        value = value + 0.0
    if value.ndim == 0:
        return show(value.item())
    whole = value.dtype.kind == "f" and np.isfinite(value).all() and np.all(value == np.rint(value))
    if whole and np.abs(value).max(initial=0) < 1e6:
        value = value.astype(int)
    text = np.array2string(
        value, separator=", ", threshold=24, edgeitems=3, max_line_width=10_000,
        formatter={"float_kind": lambda number: f"{number:.6g}"},
    )  # fmt: skip
    return " ".join(text.split()).replace("[ ", "[")


def _rectangular(value: tuple[Plain, ...]) -> NDArray[Any] | None:
    """The array in a tuple of numbers or of equally long rows, or None."""
    try:
        array = np.array(_nested(value))
    except ValueError:
        return None
    return array if array.dtype.kind in "biufc" and array.size else None


def _nested(value: Plain) -> Any:
    if isinstance(value, tuple):
        return [_nested(entry) for entry in value]
    if value is None or value is Ellipsis or isinstance(value, Odd | dict | str):
        return "no number"
    return value


def _same_entries(
    array: NDArray[Any], axes: int, shape: tuple[int, ...] | None
) -> tuple[int, ...] | None:
    """The shape to read `array` in, if it differs from it by axes of length one only."""
    squeezed = tuple(length for length in array.shape if length != 1)
    if shape is not None:
        wanted = tuple(length for length in shape if length != 1)
        return shape if squeezed == wanted else None
    if axes == 2 and array.ndim == 1:
        return (array.size, 1)
    if len(squeezed) > axes:
        return None
    return squeezed if len(squeezed) == axes else squeezed + (1,) * (axes - len(squeezed))


def _form(shape: tuple[int, ...]) -> str:
    entries = "1 entry" if shape == (1,) else f"{sum(shape)} entries"
    names = {0: "a number", 1: f"a vector with {entries}"}
    return names.get(len(shape), f"shape {shape}")


def _where(array: NDArray[Any]) -> str:
    if array.ndim == 0:
        return ""
    place = np.argwhere(~np.isfinite(array))[0].tolist()
    return f" at position {place}"


def _some(values: NDArray[Any]) -> str:
    shown = ", ".join(f"{value:g}" for value in values[:4])
    return shown + (", …" if values.size > 4 else "")
