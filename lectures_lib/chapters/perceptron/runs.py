"""Perceptron runs, one loop over examples: what answers that are data are judged by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from operator import mul
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
WholeRow: TypeAlias = tuple[int, ...]
Step: TypeAlias = Callable[[Array, float], Array]  # (augmented example, its sign) -> direction


class Update(NamedTuple):
    """One update: which row caused it, the weights before and after."""

    row: int
    before: Array
    after: Array


def augmented(X: Array) -> Array:
    """X with the column of ones first."""
    return np.column_stack([np.ones(len(X)), X])


def is_mistake(margin: Any, sign: float, tie: str) -> bool:
    """Whether s·g counts as a mistake: a score of 0 always, or only for a negative example."""
    if tie == "update":
        return bool(margin <= 0)
    return bool(margin < 0) or (margin == 0 and sign < 0)


def toward(example: Array, sign: float) -> Array:
    """The direction of an update: s·x."""
    return sign * example


def updates(
    A: Array,
    s: Array,
    eta: float = 1.0,
    tie: str = "update",
    max_passes: int = 100,
    step: Step = toward,
    restart: bool = False,
) -> Iterator[Update]:
    """The updates of a run over the rows of A in their order, until a pass has none."""
    w = np.zeros(A.shape[1])
    for _ in range(max_passes):
        clean = True
        for row, (example, sign) in enumerate(zip(A, s, strict=True)):
            if is_mistake(sign * (w @ example), sign, tie):
                after = w + eta * step(example, sign)
                yield Update(row, w, after)
                w, clean = after, False
                if restart:
                    break
        if clean:
            return


class ExactRun(NamedTuple):
    """A run in whole numbers: its updates, whether it stopped by itself, the smallest s·g then."""

    updates: int
    stopped: bool
    smallest_margin: int  # its sign and its being zero are exact; its scale is arbitrary


def exact_run(X: Array, s: Array, tie: str, most_updates: int) -> ExactRun:
    """The run from zero in exact arithmetic: the data are scaled to whole numbers first."""
    rows, signs = in_whole_numbers(X), tuple(int(sign) for sign in s)
    return _whole_number_run(rows, signs, tie, most_updates)


def in_whole_numbers(X: Array) -> tuple[WholeRow, ...]:
    """The rows (1, x), all multiplied by the smallest power of two that makes them whole."""
    fractions = [[Fraction(1), *(Fraction(float(x)) for x in row)] for row in X]
    common = max(entry.denominator for row in fractions for entry in row)  # a power of two
    return tuple(tuple(int(entry * common) for entry in row) for row in fractions)


def separable_in_the_plane(X: Array, s: Array) -> bool:
    """Whether some line has the two classes strictly on its two sides, in exact arithmetic.

    If one does, one at right angles to the shortest way between the two convex hulls does. That
    way joins two corners, or a corner and a side: its direction is a difference between examples
    of both classes, or normal to a difference within a class. Only these have to be tried.
    """
    rows = [row[1:] for row in in_whole_numbers(X)]
    positive = [row for row, sign in zip(rows, s, strict=True) if sign > 0]
    negative = [row for row, sign in zip(rows, s, strict=True) if sign < 0]
    across = [(a - c, b - d) for a, b in positive for c, d in negative]
    within = [
        (b - d, c - a)
        for members in (positive, negative)
        for (a, b), (c, d) in permutations(members, 2)
    ]
    return any(
        min(_dot(normal, row) for row in positive) > max(_dot(normal, row) for row in negative)
        for normal in across + within
    )


@lru_cache(maxsize=16)  # every property of an answer, and every slip, asks for the same run
def _whole_number_run(
    A: tuple[WholeRow, ...], signs: tuple[int, ...], tie: str, most_updates: int
) -> ExactRun:
    w, count, since = (0,) * len(A[0]), 0, 0
    while since < len(A) and count < most_updates:
        for row, sign in zip(A, signs, strict=True):
            if is_mistake(sign * _dot(w, row), sign, tie):
                w = tuple(a + sign * b for a, b in zip(w, row, strict=True))
                count, since = count + 1, 0
            else:
                since += 1
            if since == len(A) or count == most_updates:
                break
    margins = [sign * _dot(w, row) for row, sign in zip(A, signs, strict=True)]
    return ExactRun(count, since == len(A), min(margins))


def _dot(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    return sum(map(mul, a, b))
