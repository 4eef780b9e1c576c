"""Coordinates in which a likelihood is safe to maximise, whatever the units of the features.

The maximum likelihood does not depend on shifts and scales of the features, nor on which basis
of their span is used; the arithmetic does. Three cases, cheapest first:

    features as they are       no mean is large against its spread, no feature nearly redundant
    centred                    a mean above ten standard deviations would cost digits
    centred, in a new basis    redundant features: duplicates, constants, more features than
                               examples. The basis spans what the data determine, orthonormal in
                               the metric of the data; the coefficients found are the shortest
                               ones in units of the standard deviations.

With a penalty every coefficient is determined, and only the first two occur. New coordinates are
computed once: they are read in every pass, and a product with the basis costs as much as many.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lectures_lib._core.centring import (
    EPS,
    LARGEST,
    columns_of,
    rank_tolerance,
    refuse_overflow,
)
from lectures_lib._core.likelihood.terms import Rows
from lectures_lib._core.validation import Array

FAR = 10.0  # a mean this many standard deviations from 0 is taken off first
REDUNDANT = 1e-7  # smallest eigenvalue of a correlation matrix that needs no new basis
SAMPLE = 4_000  # examples that are enough to see redundancy


class Coordinates(NamedTuple):
    """Where to work: the rows, the unit of each coordinate (bias first), what is determined."""

    rows: Rows
    units: Array  # (r + 1,)
    identified: NDArray[np.bool_]  # (d + 1,), bias first


def plain_coordinates(X: Array) -> Coordinates:
    """The features as they are, whatever they look like: what gradient descent sees."""
    d = X.shape[1]
    return Coordinates(Rows(X), np.ones(d + 1), np.ones(d + 1, dtype=np.bool_))


def safe_coordinates(X: Array, share: Array, *, penalised: bool) -> Coordinates:
    """Coordinates for Newton's method. The shares of the examples add up to 1."""
    N, d = X.shape
    mean, spread = columns_of(X, share)
    if not (spread < LARGEST).all():
        refuse_overflow(X)
    centre = mean if (np.abs(mean) > FAR * spread).any() else None
    spread[spread <= 4 * EPS * np.abs(mean)] = 0.0  # constant up to rounding
    units = np.concatenate([[1.0], np.where(spread > 0, spread, 1.0)])
    if not penalised and (d >= N or _redundant(Rows(X, centre), share, spread)):
        return _new_basis(X, share, mean, spread)
    return Coordinates(Rows(X, centre), units, np.ones(d + 1, dtype=np.bool_))


def _redundant(rows: Rows, share: Array, spread: Array) -> bool:
    """Whether some feature is nearly a combination of the others, judged on some examples."""
    stride = max(1, len(share) // max(SAMPLE, 10 * rows.width))
    share = share[::stride] / share[::stride].sum()
    if (spread == 0).any():
        return True
    scatter = np.zeros((rows.width, rows.width))
    mean = np.zeros(rows.width)
    for part, Z in rows.every(stride).blocks(extra=rows.width):
        Z = Z / spread
        mean += share[part] @ Z
        scatter += Z.T @ (share[part, None] * Z)
    smallest = np.linalg.eigvalsh(scatter - np.outer(mean, mean))[0]
    return bool(smallest < REDUNDANT)


def _new_basis(X: Array, share: Array, mean: Array, spread: Array) -> Coordinates:
    """A basis of what the data determine, from the singular values of the standardised data."""
    N, d = X.shape
    scale = np.where(spread > 0, spread, np.inf)  # a constant feature becomes 0
    R = np.zeros((0, d))
    step = max(4 * d, SAMPLE)  # few large pieces: each costs a factorisation of R as well
    for start in range(0, N, step):
        part = slice(start, start + step)
        Z = np.sqrt(share[part])[:, None] * ((X[part] - mean) / scale)
        R = np.asarray(np.linalg.qr(np.vstack([R, Z]), mode="r"))
    _, sizes, directions = np.linalg.svd(R, full_matrices=False)
    kept = sizes > rank_tolerance(N, mean, spread) * max(sizes[0], 1.0)
    directions = directions[kept]
    basis = (directions / scale).T / sizes[kept]
    # A coefficient is determined when its functional lies in the span of the directions. The
    # bias is theta_0 - mean . w; a constant feature hides in it, unless its value is 0.
    own = 1 - np.einsum("ij,ij->j", directions, directions)
    pull = mean / np.where(spread > 0, spread, 1.0)
    rest = np.linalg.norm(pull - directions.T @ (directions @ pull))
    bias = rest <= 1e-8 * max(1.0, float(np.linalg.norm(pull)))
    identified = np.concatenate([[bias], own < 1e-8])
    made = np.empty((N, len(basis.T)))
    for start in range(0, N, step):
        made[start : start + step] = (X[start : start + step] - mean) @ basis
    return Coordinates(Rows(made, back=(mean, basis)), np.ones(len(basis.T) + 1), identified)
