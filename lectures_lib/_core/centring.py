"""Means, spreads, and what rounding leaves of a rank: one answer for every topic.

A number of size m is known to EPS m, however small it becomes when a mean is taken off. So data
with mean m and standard deviation D are known to EPS m / D in units of D, and a direction in
which they vary less than that is not there. `rank_tolerance` says so for a matrix of singular
values; everybody who has to call a feature redundant asks it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lectures_lib._core.validation import Array

EPS = float(np.finfo(np.float64).eps)
LARGEST = 1e150  # a sum of squares of such numbers is still finite
BLOCK_NUMBERS = 2**16  # in a block of rows: half a megabyte
LEAST_ROWS = 512  # in a block, because each one costs a few calls
FIRST_ROWS = 500


def blocks(A: Array) -> Iterator[slice]:
    """Slices of the rows of A, so few at a time that what is made of them stays in the cache.

    No second array of the size of the data is made: memory that was never touched costs more time
    than arithmetic.
    """
    step = max(LEAST_ROWS, min(BLOCK_NUMBERS * len(A) // A.size, len(A) // 16))
    return (slice(start, start + step) for start in range(0, len(A), step))


def columns_of(X: Array, share: Array | None = None) -> tuple[Array, Array]:
    """Mean and standard deviation of each column, exactly 0 for a constant one, in one safe pass.

    `share` holds weights that add up to 1; an example of weight 0 is not there. Differences to an
    example near the mean are added up, so that a large mean costs no digits.
    """
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        origin = X[0] + (X[:FIRST_ROWS] - X[0]).mean(axis=0)
        offset, squares = _sums(X, origin, share)
        spread = np.sqrt(np.maximum(squares - offset**2, 0.0))
        mean = origin + offset
        doubtful = ~(spread > 8 * EPS * np.abs(mean)) | ~np.isfinite(squares)
    used = slice(None) if share is None else share > 0
    for j in np.flatnonzero(doubtful):
        mean[j], spread[j] = _carefully(X[used, j], None if share is None else share[used])
    return mean, spread


def _sums(X: Array, origin: Array, share: Array | None) -> tuple[Array, Array]:
    """Mean of x - origin, and of its square."""
    offset, squares = np.zeros(len(origin)), np.zeros(len(origin))
    for rows in blocks(X):
        Z = X[rows] - origin
        w = np.full(len(Z), 1 / len(X)) if share is None else share[rows]
        offset += w @ Z
        squares += w @ (Z * Z)
    return offset, squares


def _carefully(x: Array, share: Array | None) -> tuple[float, float]:
    """Mean and spread of one column that is constant, nearly so, tiny or huge."""
    if x.max() == x.min():
        return float(x[0]), 0.0
    exponent = int(np.frexp(np.abs(x).max())[1])
    scaled = np.ldexp(x, -exponent)  # exact, and no square overflows
    origin = float(scaled[0])
    difference = scaled - origin
    offset = float(np.average(difference, weights=share))
    difference -= offset
    largest = float(np.abs(difference).max())
    square = float(np.average((difference / largest) ** 2, weights=share))
    mean, spread = origin + offset, largest * square**0.5
    return float(np.ldexp(mean, exponent)), float(np.ldexp(spread, exponent))


def rank_tolerance(N: int, mean: Array, spread: Array) -> float:
    """The share of the largest singular value of the standardised data that rounding can make."""
    varies = spread > 0
    far = float(np.max(np.abs(mean[varies]) / spread[varies], initial=0.0))
    return EPS * max(N, len(mean), 10 * far)


def refuse_overflow(X: Array) -> None:
    """Raise because sums of squares of `X` are not finite."""
    raise ValueError(
        f"X: entries up to {np.abs(X).max():.3g} overflow when squared, expected numbers "
        f"below {LARGEST:g}. Scale the features."
    )
