"""Counts, means and scatters of the classes, in one pass over the data.

The scatter of a class is the sum of (x - mean)(x - mean)'. With any origin o near the class it is
sum (x - o)(x - o)' - n (mean - o)(mean - o)', so the mean need not be known before. The mean of
the first examples of the class will do, or 0 if it is not far away: whatever the data, the last
term is at most about 20 n / FIRST_ROWS times the scatter, so that few digits cancel. The data are
read in chunks that stay in the processor's cache.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lectures_lib._core.centring import BLOCK_NUMBERS, FIRST_ROWS, refuse_overflow
from lectures_lib._core.validation import Array, Codes

NEAR = 3  # standard deviations


@dataclass(frozen=True)
class ClassMoments:
    """What the examples add up to, class by class."""

    counts: Array  # (K,) sums of weights
    means: Array  # (K, d)
    centre: Array  # (d,) mean of the class means, weighted by the priors
    centred_means: Array  # (K, d) means - centre, without the rounding of a large shift
    scatters: Array  # (K, d, d), or the diagonals (K, d)
    priors: Array  # (K,) as given, or the shares of the classes

    @property
    def spread(self) -> Array:
        """(d,) standard deviation of each feature over all classes together."""
        N = self.counts.sum()
        squares = self.scatters
        if squares.ndim == 3:
            squares = np.diagonal(squares, axis1=1, axis2=2)
        gaps = self.centred_means - self.counts @ self.centred_means / N
        spread: Array = np.sqrt(np.maximum(squares.sum(axis=0) + self.counts @ gaps**2, 0.0) / N)
        return spread


def class_moments(
    X: Array,
    codes: Codes,
    K: int,
    weights: Array | None = None,
    priors: Array | None = None,
    *,
    diagonal: bool = False,
) -> ClassMoments:
    """The moments of the K classes. Weights are positive, and no class is empty."""
    N, d = X.shape
    buffer = np.empty(min(N, max(1, BLOCK_NUMBERS // d)) * d)
    counts, origins, offsets = np.empty(K), np.empty((K, d)), np.empty((K, d))
    scatters = np.empty((K, d) if diagonal else (K, d, d))
    for k, chosen in enumerate(members(codes, K)):
        w = None if weights is None else weights[chosen]
        origins[k] = _near(X, chosen[:FIRST_ROWS])
        with np.errstate(over="ignore", invalid="ignore"):  # looked at below
            counts[k], offsets[k], scatters[k] = _around(origins[k], X, chosen, w, buffer, diagonal)
    if not np.isfinite(scatters).all():
        refuse_overflow(X)
    means = origins + offsets
    pi = counts / counts.sum() if priors is None else priors
    centre = means[0] + pi @ (means - means[0])  # exact for a constant feature
    # Two differences of neighbours: a shift of 1e8 costs no digits.
    centred_means = (origins - centre) + offsets
    return ClassMoments(counts, means, centre, centred_means, scatters, pi)


def _near(X: Array, first: Codes) -> Array:
    """An origin near the class: 0 if that is near enough, else the mean of its first rows."""
    differences = X[first] - X[first[0]]  # a feature that is constant in the class becomes 0
    origin: Array = X[first[0]] + differences.mean(axis=0)
    near_enough = (np.abs(origin) <= NEAR * differences.std(axis=0)).all()
    return np.zeros(X.shape[1]) if near_enough else origin


def _around(
    origin: Array, X: Array, chosen: Codes, weights: Array | None, buffer: Array, diagonal: bool
) -> tuple[float, Array, Array]:
    """Count, mean - origin, and scatter of the chosen rows of X."""
    total, squares = np.zeros_like(origin), np.zeros_like(origin)
    if not diagonal:
        squares = np.zeros((len(origin), len(origin)))
    w = np.ones(len(chosen)) if weights is None else weights
    step = len(buffer) // len(origin)
    for start in range(0, len(chosen), step):
        part = slice(start, start + step)
        Z = _rows(X, chosen[part], buffer)
        if origin.any():
            Z -= origin
        total += w[part] @ Z
        if weights is not None:
            Z *= np.sqrt(w[part])[:, None]
        squares += np.einsum("ij,ij->j", Z, Z) if diagonal else Z.T @ Z
    count = float(w.sum())
    offset = total / count
    squares -= count * (offset**2 if diagonal else np.outer(offset, offset))
    return count, offset, squares


def _rows(X: Array, chosen: Codes, buffer: Array) -> Array:
    """The chosen rows, copied into the buffer in the order of memory that X has.

    np.take copies the whole of X first when X is not contiguous. A DataFrame hands over an array
    whose columns are contiguous; transposed, its rows are.
    """
    n, d = len(chosen), X.shape[1]
    if X.flags.f_contiguous and not X.flags.c_contiguous:
        Z = buffer[: n * d].reshape(d, n)
        np.take(X.T, chosen, axis=1, out=Z, mode="clip")  # "clip" writes to Z directly
        return Z.T
    Z = buffer[: n * d].reshape(n, d)
    if X.flags.c_contiguous:
        np.take(X, chosen, axis=0, out=Z, mode="clip")
    else:
        Z[...] = X[chosen]
    return Z


def members(codes: Codes, K: int) -> list[Codes]:
    """The positions of the examples of each class."""
    return [np.flatnonzero(codes == k) for k in range(K)]
