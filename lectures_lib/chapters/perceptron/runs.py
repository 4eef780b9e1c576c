"""Perceptron runs, one loop over examples: what answers that are data are judged by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import hypot
from operator import mul
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
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


MOST_UPDATES = 1_000
MOST_EXAMPLES = 50
MOST_NUMBERS = 2_500  # entries of X


def unusable(X: Array, s: Array) -> str:
    """What makes a data set no two-class sample of a manageable size, or nothing."""
    if len(X) != len(s):
        return f"There are {len(X)} rows and {len(s)} signs."
    if len(X) > MOST_EXAMPLES:
        return f"There are {len(X)} examples; at most {MOST_EXAMPLES} are allowed."
    if X.size > MOST_NUMBERS:
        return f"X has {X.size:,} entries; at most {MOST_NUMBERS:,} are allowed."
    if np.abs(X).max(initial=0) > 1e6:
        return "A coordinate is larger than 1,000,000."
    if len(np.unique(s)) < 2:
        return "All examples belong to one class."
    return ""


class Run(NamedTuple):
    """A run: its updates, whether it stopped by itself, the smallest s·g then."""

    updates: int
    stopped: bool
    smallest_margin: float


ROUNDING = (
    1e-10  # of the lengths of example and weights: a score as small as that may be meant as 0
)


def possible_runs(X: Array, s: Array, tie: str) -> list[Run]:
    """The run as floats make it, and as it is where scores that only rounding makes are 0.

    0.1 may stand for the binary number next to it or for 1/10, and points may have been rotated:
    data are right when they do in either way what is asked for.
    """
    rows = tuple(map(tuple, augmented(X).tolist()))
    return [_run(rows, tuple(s.tolist()), tie, slack) for slack in (0.0, ROUNDING)]


@lru_cache(maxsize=16)  # every property of an answer, and every slip, asks for the same runs
def _run(rows: tuple[Any, ...], signs: tuple[float, ...], tie: str, slack: float) -> Run:
    w, norm, count, since = (0.0,) * len(rows[0]), 0.0, 0, 0

    def margin(row: tuple[float, ...], sign: float) -> float:
        g = _dot(w, row)
        return sign * g if abs(g) > slack * norm * hypot(*row) else 0.0

    while since < len(rows) and count < MOST_UPDATES:
        for row, sign in zip(rows, signs, strict=True):
            if is_mistake(margin(row, sign), sign, tie):
                w = tuple(a + sign * b for a, b in zip(w, row, strict=True))
                norm, count, since = hypot(*w), count + 1, 0
            else:
                since += 1
            if since == len(rows) or count == MOST_UPDATES:
                break
    margins = [margin(row, sign) for row, sign in zip(rows, signs, strict=True)]
    return Run(count, since == len(rows), min(margins))


def separable_in_the_plane(X: Array, s: Array) -> bool:
    """Whether some line has the two classes strictly on its two sides, in exact arithmetic.

    If one does, one at right angles to the shortest way between the two convex hulls does. That
    way joins two corners, or a corner and a side: its direction is a difference between examples
    of both classes, or normal to a difference within a class. Only these have to be tried.
    """
    exact = [tuple(map(Fraction, row)) for row in X.tolist()]
    positive, negative = (
        [row for row, sign in zip(exact, s, strict=True) if sign == side] for side in (1, -1)
    )
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


def _dot(a: tuple[Any, ...], b: tuple[Any, ...]) -> Any:
    return sum(map(mul, a, b))
