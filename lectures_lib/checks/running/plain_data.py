"""Plain data: what a check hands to a student's function and what it looks at afterwards.

Nothing but numbers, strings, arrays, tuples and dictionaries leaves the call of a student's
function. So a check behaves the same whether the function runs here or in another process, and
an object with methods of its own cannot answer for itself.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import EllipsisType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

LARGEST_ARRAY = 1_000_000  # entries; a broadcast gone wrong can have 10**12 without using memory
DEEPEST_NESTING = 6
MOST_DRAWN = 100  # lines and scatters
LONGEST_NUMBER = 1_000  # bits; a longer one is no float any more


@dataclass(frozen=True)
class Odd:
    """Something that is no plain data, described in words."""

    what: str


Plain: TypeAlias = (
    "bool | int | float | complex | str | NDArray[Any] | tuple[Plain, ...] | dict[str, Plain] "
    "| Odd | EllipsisType | None"
)


def is_harmless(value: Any, depth: int = 0) -> bool:
    """Whether a value is of Python's and NumPy's own types throughout, so that reading it runs
    nobody's code and takes no time worth a watch."""
    if type(value) in (str, int, float, bool, complex, type(None), EllipsisType):
        return True
    if type(value) is np.ndarray:
        return value.dtype.kind in "biufcUS"
    if type(value) in (list, tuple) and depth < DEEPEST_NESTING and len(value) <= 1_000:
        return all(is_harmless(entry, depth + 1) for entry in value)
    return False


def plain(value: Any, depth: int = 0) -> Plain:
    """The plain data in `value`: a copy that shares no memory and no methods with it."""
    if value is None or value is Ellipsis:
        return None if value is None else Ellipsis
    if isinstance(value, np.ndarray | np.generic):
        return _plain_array(value)
    if isinstance(value, bool):
        return bool(value)
    if isinstance(value, int):
        bits = int.bit_length(value)
        if bits > LONGEST_NUMBER:
            return Odd(f"a whole number with about {round(bits * 0.30103):,} digits")
        return int.__int__(value)
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, complex):
        return complex(value)
    if isinstance(value, str):
        return str.__str__(value)[:10_000]
    return _plain_container(value, depth)


def _plain_array(value: Any) -> Plain:
    if value.size > LARGEST_ARRAY:
        return Odd(f"an array of shape {value.shape}, too large to be looked at")
    array = np.array(value, copy=True, subok=False)
    if array.dtype.kind in "biufc":
        return array.item() if array.ndim == 0 and isinstance(value, np.generic) else array
    if array.dtype.kind in "US":
        short = array.ndim == 1 and array.size <= 26  # the letters of a question, say
        if short:
            return tuple(str(entry) for entry in array.tolist())
        return str(array) if array.ndim == 0 else Odd("an array of strings")
    try:
        return np.array([float(entry) for entry in array.ravel()]).reshape(array.shape)
    except (TypeError, ValueError):
        kinds = sorted({type(entry).__name__ for entry in array.ravel().tolist()})
        return Odd(f"an array of objects ({', '.join(kinds[:3])}), not of numbers")


def _plain_container(value: Any, depth: int) -> Plain:
    if depth >= DEEPEST_NESTING:
        return Odd("lists nested too deeply")
    if isinstance(value, list | tuple | range | set | frozenset):
        entries = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
        if len(entries) > LARGEST_ARRAY:
            return Odd(f"a list with {len(entries)} entries, too long to be looked at")
        return tuple(plain(entry, depth + 1) for entry in entries)
    if isinstance(value, Mapping):
        return {str(key): plain(entry, depth + 1) for key, entry in value.items()}
    if issubclass(type(value), _kind("matplotlib.axes", "Axes")):
        return _plain_drawing(value)
    for read in ("__array__", "__float__"):
        if hasattr(value, read) and not isinstance(value, type):
            return _plain_array(np.array(value) if read == "__array__" else np.array(float(value)))
    return Odd(_describe(value))


def _kind(module: str, name: str) -> Any:
    """A class of Matplotlib, once somebody has loaded it; else one that nothing is of."""
    return getattr(sys.modules.get(module), name, type(None))


def _plain_drawing(axes: Any) -> Plain:
    """The points of each line on an Axes, then those of each scatter, in the units of its axes.

    A single one stands alone. The figure is closed, so that none is left of those that a check asks
    for.
    """
    scattered = _kind("matplotlib.collections", "PathCollection")
    several = _kind("matplotlib.collections", "LineCollection")  # of hlines, say
    read = [(line.get_xydata(), line.get_transform()) for line in axes.lines]
    for marks in axes.collections:
        if isinstance(marks, several):
            read += [(line, marks.get_transform()) for line in marks.get_segments()]
        if isinstance(marks, scattered):
            read.append((marks.get_offsets(), marks.get_offset_transform()))
    if len(read) > MOST_DRAWN:
        return Odd(f"a drawing of {len(read)} lines and scatters, too many to be looked at")
    drawn = [
        _plain_array(np.ma.filled((unit - axes.transData).transform(points), np.nan))
        for points, unit in read
    ]
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close(axes.get_figure(root=True))
    return drawn[0] if len(drawn) == 1 else tuple(drawn) or Odd("a drawing with nothing on it")


def _describe(value: Any) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if hasattr(value, "__next__"):
        return f"a {type(value).__name__}; list(...) makes its values"
    if callable(value):
        return f"the function {getattr(value, '__name__', '?')}; a call needs parentheses"
    return f"an object of type {type(value).__name__}"


def same(a: Plain, b: Plain) -> bool:
    """Whether two pieces of plain data are equal, NaN to NaN, type to type."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        if a.shape != b.shape or a.dtype != b.dtype:
            return False
        return bool(np.array_equal(a, b, equal_nan=a.dtype.kind in "fc"))
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, float | complex) and isinstance(b, float | complex):
        return type(a) is type(b) and bool(np.array_equal(a, b, equal_nan=True))
    return type(a) is type(b) and bool(a == b)
