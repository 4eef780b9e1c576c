"""Counts, means and scatters of the classes, in one pass over the data.

The scatter of a class is the sum of (x - mean)(x - mean)'. With any origin o near the class it is
sum (x - o)(x - o)' - n (mean - o)(mean - o)', so the mean need not be known before. The origin is
the mean of the first examples of the class: whatever the data, this loses no more digits than the
number n / FIRST_ROWS has. The data are read in chunks that stay in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lectures_lib._validation import Array, Codes

CHUNK_NUMBERS = 100_000  # entries of X in one chunk: 0.8 MB
FIRST_ROWS = 500


@dataclass(frozen=True)
class Moments:
    """What the examples of one class add up to. `mean` counts from X[0], where a shift is gone."""

    count: float
    mean: Array  # (d,)
    scatter: Array  # (d, d), or its diagonal (d,)


def class_moments(
    X: Array, codes: Codes, K: int, weights: Array | None = None, *, diagonal: bool = False
) -> Iterator[Moments]:
    """The moments of class 0, 1, ..., K - 1. Weights are positive, and no class is empty."""
    N, d = X.shape
    buffer = np.empty((min(N, _rows_in_chunk(d)), d))
    for chosen in members(codes, K):
        own = np.ones(len(chosen)) if weights is None else weights[chosen]
        yield _moments(X, chosen, own, buffer, weights is not None, diagonal)


def _moments(
    X: Array, chosen: Codes, weights: Array, buffer: Array, weighted: bool, diagonal: bool
) -> Moments:
    """Moments of the chosen rows of X."""
    # X[0] first: a feature that is constant becomes exactly 0 then.
    typical = (X[chosen[:FIRST_ROWS]] - X[0]).mean(axis=0)
    origin = X[0] + typical
    d = X.shape[1]
    total, squares = np.zeros(d), np.zeros(d if diagonal else (d, d))
    for start in range(0, len(chosen), len(buffer)):
        part = slice(start, start + len(buffer))
        Z = buffer[: len(chosen[part])]
        np.take(X, chosen[part], axis=0, out=Z, mode="clip")  # "clip" writes to Z directly
        Z -= origin
        total += weights[part] @ Z
        if weighted:
            Z *= np.sqrt(weights[part])[:, None]
        squares += np.einsum("ij,ij->j", Z, Z) if diagonal else Z.T @ Z
    count = float(weights.sum())
    mean = total / count
    scatter = squares - count * (mean**2 if diagonal else np.outer(mean, mean))
    return Moments(count, (origin - X[0]) + mean, scatter)


def members(codes: Codes, K: int) -> list[Codes]:
    """The positions of the examples of each class."""
    short = codes.astype(np.int16) if K < 2**15 else codes  # int16 is sorted by counting
    order = np.argsort(short, kind="stable")
    return np.split(order, np.cumsum(np.bincount(codes, minlength=K))[:-1])


def row_blocks(X: Array) -> Iterator[slice]:
    """Slices that cover the rows of X, each of about CHUNK_NUMBERS entries."""
    rows = _rows_in_chunk(X.shape[1])
    for start in range(0, len(X), rows):
        yield slice(start, start + rows)


def _rows_in_chunk(d: int) -> int:
    return max(1, CHUNK_NUMBERS // d)
