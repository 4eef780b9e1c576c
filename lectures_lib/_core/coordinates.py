"""Coordinates in which a likelihood is safe to maximise, whatever the units of the features.

The maximum does not depend on shifts and scales of the features, nor on which basis of their span
is used; the arithmetic does. So features are centred and measured in standard deviations. Where
some of them are redundant (duplicates, constants, more features than examples), a basis of what
the data do determine takes their place; the weights found are then the shortest ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lectures_lib._core.centring import EPS, LARGEST, columns_of, rank_tolerance, refuse_overflow
from lectures_lib._core.gram import gram
from lectures_lib._core.linear import with_ones
from lectures_lib._core.validation import Array

REDUNDANT = 1e-7  # smallest eigenvalue of a correlation matrix that needs no new basis
SAMPLE = 4_000  # examples that are enough to see redundancy


class Coordinates(NamedTuple):
    """Rows (1, z) with z = B'(x - mean), and what the data determine of (w0, w)."""

    rows: Array  # (N, r + 1)
    mean: Array  # (d,)
    basis: Array  # B (d, r)
    identified: NDArray[np.bool_]  # (d + 1,), bias first

    def to_features(self, w: Array) -> Array:
        """Weights (..., d + 1) of the features as given, from weights (..., r + 1) of the rows."""
        slopes = w[..., 1:] @ self.basis.T
        return np.concatenate([w[..., :1] - (slopes @ self.mean)[..., None], slopes], axis=-1)

    def ridge(self, strength: float) -> Array:
        """The penalty strength |w|^2 / 2 on the features' weights, as a factor for each of ours."""
        return strength * np.append(0.0, np.einsum("ij,ij->j", self.basis, self.basis))


def plain_coordinates(X: Array) -> Coordinates:
    """The features as they are, whatever they look like: what gradient descent sees."""
    d = X.shape[1]
    return Coordinates(with_ones(X), np.zeros(d), np.eye(d), np.ones(d + 1, dtype=np.bool_))


def safe_coordinates(X: Array, share: Array, *, penalised: bool) -> Coordinates:
    """Coordinates for Newton's method. The shares of the examples add up to 1."""
    N, d = X.shape
    if d < N:
        place = standardised(with_ones(X), share)
        if penalised or not _redundant(place.rows, share):
            return place
        del place
    return _new_basis(X, share, penalised=penalised)


def standardised(rows: Array, share: Array) -> Coordinates:
    """Each feature centred and divided by its standard deviation, in the rows (1, x) themselves."""
    X = rows[:, 1:]
    mean, spread = _mean_and_spread(X, share)
    scale = np.where(spread > 0, spread, 1.0)
    X -= mean
    X /= scale
    X[:, spread == 0] = 0.0
    return Coordinates(rows, mean, np.diag(1 / scale), np.ones(len(mean) + 1, dtype=np.bool_))


def _mean_and_spread(X: Array, share: Array) -> tuple[Array, Array]:
    """Mean and standard deviation of each feature; 0 for one that is constant up to rounding."""
    mean, spread = columns_of(X, share)
    if not (spread < LARGEST).all():
        refuse_overflow(X)
    spread[spread <= 4 * EPS * np.abs(mean)] = 0.0
    return mean, spread


def _redundant(rows: Array, share: Array) -> bool:
    """Whether some feature is nearly a combination of the others, judged on some examples."""
    some = slice(None, None, max(1, len(rows) // max(SAMPLE, 10 * rows.shape[1])))
    return bool(
        np.linalg.eigvalsh(gram(rows[some], share[some] / share[some].sum()))[0] < REDUNDANT
    )


def _new_basis(X: Array, share: Array, *, penalised: bool) -> Coordinates:
    """A basis of what the data determine, in which they vary equally in every direction.

    It stands on the axes of the standardised data; with a penalty, which knows no standard
    deviations and is the same in every direction, on those of the data in their own units.
    """
    N, d = X.shape
    mean, spread = _mean_and_spread(X, share)
    scale = np.where(spread > 0, 1.0 if penalised else spread, np.inf)  # a constant becomes 0
    parts = [slice(start, start + max(4 * d, SAMPLE)) for start in range(0, N, max(4 * d, SAMPLE))]
    R = np.zeros((0, d))
    for part in parts:
        Z = np.sqrt(share[part, None]) * ((X[part] - mean) / scale)
        R = np.asarray(np.linalg.qr(np.vstack([R, Z]), mode="r"))
    _, sizes, axes = np.linalg.svd(R, full_matrices=False)
    kept = sizes > rank_tolerance(N, mean, spread) * sizes[0]
    axes = axes[kept]
    basis = (axes / scale).T / sizes[kept]
    rows = np.ones((N, 1 + len(axes)))
    for part in parts:
        rows[part, 1:] = (X[part] - mean) @ basis
    if penalised:
        return Coordinates(rows, mean, basis, np.ones(d + 1, dtype=np.bool_))
    # A coefficient is determined when its functional lies in the span of the axes. The bias is
    # theta_0 - mean . w; a constant feature hides in it, unless its value is 0.
    own = 1 - np.einsum("ij,ij->j", axes, axes)
    pull = mean / np.where(spread > 0, spread, 1.0)
    rest = float(np.linalg.norm(pull - axes.T @ (axes @ pull)))
    bias = rest <= 1e-8 * max(1.0, float(np.linalg.norm(pull)))
    return Coordinates(rows, mean, basis, np.append(bias, own < 1e-8))
