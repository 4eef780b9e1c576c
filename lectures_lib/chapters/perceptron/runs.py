"""Perceptron runs, one loop over examples: what answers that are data are judged by."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import lcm
from operator import mul
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lectures_lib.perceptron import Perceptron

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


MOST_UPDATES = 1_000
MOST_EXAMPLES = 50
MOST_NUMBERS = 2_500  # entries of X: the run is made in exact arithmetic


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


class ExactRun(NamedTuple):
    """A run: its updates, whether it stopped by itself, the smallest s·g then."""

    updates: int
    stopped: bool
    smallest_margin: float  # its sign and its being zero count; its scale is arbitrary


def possible_runs(X: Array, s: Array, tie: str) -> Iterator[ExactRun]:
    """The run in every arithmetic in which the data can be meant.

    0.1 may stand for the binary number next to it or for 1/10, and the course's own perceptron
    rounds: data built with one of them are right when they do there what is asked for.
    """
    exact = _fractions(X, Fraction)
    yield _run_of(exact, s, tie)
    meant = _fractions(X, _meant)
    if meant != exact:
        yield _run_of(meant, s, tie)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it has not converged is told by its result
        model = Perceptron(tie=tie, max_iter=MOST_UPDATES).fit(X, s)
    margins = s * (X @ np.ravel(model.coef_) + model.intercept_)
    yield ExactRun(len(model.updates_), bool(model.converged_), float(margins.min()))
    if tie == "update":
        yield _run_with_slack(X, s)


def _run_with_slack(X: Array, s: Array) -> ExactRun:
    """A run in which a score as small as rounding makes it counts as 0: of rotated data, say."""
    A = augmented(X)
    w, count, lengths = np.zeros(A.shape[1]), 0, np.linalg.norm(A, axis=1)
    for _ in range(MOST_UPDATES):
        before = count
        for row, example in enumerate(A):
            if s[row] * (example @ w) <= 1e-10 * lengths[row] * np.linalg.norm(w):
                w, count = w + s[row] * example, count + 1
        if count == before or count > MOST_UPDATES:
            break
    margins = s * (A @ w)
    return ExactRun(count, count == before, float(margins.min()))


def _meant(x: float) -> Fraction:
    """The simple fraction whose nearest binary number x is, if there is one."""
    simple = Fraction(x).limit_denominator(1000)
    return simple if float(simple) == x else Fraction(x)


def _fractions(X: Array, read: Callable[[float], Fraction]) -> list[list[Fraction]]:
    return [[Fraction(1), *(read(float(x)) for x in row)] for row in X]


def _run_of(rows: list[list[Fraction]], s: Array, tie: str) -> ExactRun:
    signs = tuple(int(sign) for sign in s)
    return _whole_number_run(_whole(rows), signs, tie, MOST_UPDATES)


def _whole(rows: list[list[Fraction]]) -> tuple[WholeRow, ...]:
    common = lcm(*(entry.denominator for row in rows for entry in row))
    return tuple(tuple(int(entry * common) for entry in row) for row in rows)


def separable_in_the_plane(X: Array, s: Array) -> bool:
    """Whether some line has the two classes strictly on its two sides, in exact arithmetic.

    If one does, one at right angles to the shortest way between the two convex hulls does. That
    way joins two corners, or a corner and a side: its direction is a difference between examples
    of both classes, or normal to a difference within a class. Only these have to be tried.
    """
    rows = [row[1:] for row in _whole(_fractions(X, Fraction))]
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
