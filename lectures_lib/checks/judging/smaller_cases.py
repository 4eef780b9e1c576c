"""The smallest case on which an answer still fails: fewer examples, then simpler numbers.

Nothing has to be declared. An example is dropped along every axis of one length at once; a feature
together with its weight, where the weights start with a bias and are one longer. What this breaks
(a reference that raises, a hypothesis that no longer holds) is no candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lectures_lib.checks.running.in_thread import stopwatch
from lectures_lib.checks.running.plain_data import Plain

Arguments = tuple[Plain, ...]
MOST_ROUNDS = 25
MOST_CANDIDATES = 60
SECONDS = 1.0
AXES: dict[str, Callable[[int, int], bool]] = {  # by the number of an axis, and of how many
    "every": lambda axis, axes: True,
    "rows": lambda axis, axes: axis == 0,
    "columns": lambda axis, axes: axis == 1,
    "vectors": lambda axis, axes: axes == 1,
}


def size(arguments: Arguments) -> int:
    return sum(value.size if isinstance(value, np.ndarray) else 1 for value in arguments)


def smallest(
    arguments: Arguments,
    fails: Callable[[Sequence[Arguments]], Sequence[bool]],
    valid: Callable[[Arguments], bool],
) -> Arguments:
    """A case that still fails while none of its smaller neighbours does, as far as time allows."""
    spent = stopwatch()
    for _ in range(MOST_ROUNDS):
        smaller = [case for case in candidates(arguments) if valid(case)][:MOST_CANDIDATES]
        if not smaller or spent() > SECONDS:
            break
        failing = [case for case, fail in zip(smaller, fails(smaller), strict=True) if fail]
        if not failing:
            break
        arguments = failing[0]
    return arguments


def candidates(arguments: Arguments) -> Iterator[Arguments]:
    """Smaller neighbours of a case: fewer entries first, then simpler numbers."""
    whole = size(arguments)
    yield from (case for case in _with_fewer_entries(arguments) if size(case) < whole)
    yield from _with_simpler_numbers(arguments)


def _with_fewer_entries(arguments: Arguments) -> Iterator[Arguments]:
    arrays = [value for value in arguments if isinstance(value, np.ndarray)]
    lengths = sorted({n for value in arrays for n in value.shape}, reverse=True)
    for length in lengths:
        if length > 3:
            yield _without(arguments, length, range(length // 2, length), "every")
            yield _without(arguments, length, range(length // 2), "every")
    for length in lengths:
        for index in range(length - 1, -1, -1) if length > 1 else ():
            yield _without(arguments, length, [index], "every")
            yield _without(arguments, length, [index], "rows")
            columns = _without(arguments, length, [index], "columns")
            yield _without(columns, length + 1, [index + 1], "vectors")
            yield _without(columns, length, [index], "vectors")


def _with_simpler_numbers(arguments: Arguments) -> Iterator[Arguments]:
    for simpler in (WHOLE, TENTHS):
        yield from _if_changed(arguments, tuple(simpler(value) for value in arguments))
    for place, value in enumerate(arguments):
        for simpler in (WHOLE, NEARER, TENTHS):
            changed = (*arguments[:place], simpler(value), *arguments[place + 1 :])
            yield from _if_changed(arguments, changed)


def _without(arguments: Arguments, length: int, indices: Sequence[int], which: str) -> Arguments:
    """The arguments without these indices along the chosen axes of this length."""

    def left(value: Plain) -> Plain:
        if isinstance(value, np.ndarray):
            for axis, found in enumerate(value.shape):
                if found == length and AXES[which](axis, value.ndim):
                    value = np.delete(value, list(indices), axis=axis)
        return value

    return tuple(map(left, arguments))


def _is_float(value: Plain) -> bool:
    return isinstance(value, float) or (isinstance(value, np.ndarray) and value.dtype.kind == "f")


def _simpler(change: Callable[[NDArray[Any]], NDArray[Any]]) -> Callable[[Plain], Plain]:
    """The change, made on floats alone; a number stays a number."""

    def changed(value: Plain) -> Plain:
        if not _is_float(value):
            return value
        array = change(np.asarray(value)) + 0.0
        return array if isinstance(value, np.ndarray) else float(array)

    return changed


WHOLE, TENTHS = _simpler(np.rint), _simpler(lambda numbers: np.round(numbers, 1))
NEARER = _simpler(lambda numbers: np.trunc(numbers / 2))


def _if_changed(before: Arguments, after: Arguments) -> Iterator[Arguments]:
    pairs = zip(before, after, strict=True)
    if any(not np.array_equal(np.asarray(a), np.asarray(b)) for a, b in pairs if _is_float(a)):
        yield after
