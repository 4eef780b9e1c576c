"""Is there a direction in which the likelihood grows for ever? Then it has no maximum.

A direction v, a row of weights for each class, separates the data when no margin (score of the
true class) - (score of another class) is negative and some are positive. A margin is a.v with one
row a for each pair of an example and another class. The search stands on a fact of geometry: of
all sums of the rows with factors of 1 or more, let r be the shortest. If r = 0, then the factors
prove that nothing separates, as the sum of factor times margin is r.v = 0 for every v. If not, no
a.r is negative (else more of that row would make r shorter), and as the sum of factor times a.r
is r.r > 0, some are positive: r separates. It is found as non-negative least squares are, row by
row (Lawson and Hanson, 1974), and looked at once more: a margin below 0 by more than the rounding
of the scores it is a difference of refutes it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lectures_lib._core.centring import EPS
from lectures_lib._core.validation import Array, Codes

CERTAIN = 1e-10  # of the size of the terms: a margin that is not further from 0 may be 0
TINY = 1e-300
NOTHING = 1e-13  # of the size of the terms: rounding of a sum
REGULAR = 1e-12  # smallest eigenvalue of a Hessian, of its largest, that rounding does not touch
SAFELY = 0.25  # instead of 1 in the proof that a maximum exists: room for rounding


def maximum_exists(A: Array, g: Array, inverse: Array, K: int) -> bool:
    """Whether the gradient g is so small that it proves that a maximum exists; `inverse` of H.

    Suppose a direction v separates, and write p for the probability of the other class of a
    margin m. Then -v.g is the sum of p m, and v'Hv <= sum of p m^2 <= max m (-v.g). With
    v'Hv = 1 this reads 1 <= max m sqrt(g'H^-1 g), and max m is at most the longest row in the
    metric H^-1. When that product is below 1, nothing separates.
    """
    sizes = np.linalg.eigvalsh(inverse)
    if not sizes[0] > REGULAR * sizes[-1]:
        return False  # it may be the inverse of another matrix
    longest = (1 if K == 2 else 2) * float(np.einsum("ij,ij->i", A, A).max()) * float(sizes[-1])
    rounding = 4 * EPS * np.sqrt(longest)  # each p is known up to EPS, so g may hide as much
    fall = max(float(g.ravel() @ inverse @ g.ravel()), 0.0)
    return bool((np.sqrt(fall) + rounding) ** 2 * longest < SAFELY)


def margins(A: Array, y: Codes, V: Array) -> Array:
    """Score of the true class less that of every class, (N, K); infinite for itself."""
    Z = A @ V.T
    M = Z[np.arange(len(y)), y][:, None] - Z
    M[np.arange(len(y)), y] = np.inf
    return np.asarray(M)


def separating_direction(A: Array, y: Codes, K: int) -> Array | None:
    """Weights (K, width) along which the likelihood grows for ever, or None.

    As many margins as can be are above 0: those that are 0 along the direction found are asked
    for another one, and as much of it is added as the margins above 0 bear.
    """
    left = y[:, None] != np.arange(K)  # the pairs whose margin is 0 so far
    V = np.zeros((K, A.shape[1]))
    while left.any():
        r = _shortest_sum(A, y, left)
        r /= max(float(np.abs(r).max()), TINY)
        M = margins(A, y, r)
        known = CERTAIN * np.sqrt(np.einsum("ij,ij->i", A, A))[:, None]
        if (known < -M)[left].any() or not (known < M)[left].any():
            break
        won = ~left & np.isfinite(M)
        fall = float(np.max(-M[won] / margins(A, y, V)[won], initial=0.5))
        V += r / (2 * fall)
        left &= known >= M
    return V if V.any() else None


def _shortest_sum(A: Array, y: Codes, left: NDArray[np.bool_]) -> Array:
    """The shortest sum of the rows of the pairs in `left`, with factors of 1 or more."""
    K, width = left.shape[1], A.shape[1]
    E = -left.astype(np.float64)
    E[np.arange(len(y)), y] = left.sum(axis=1)
    start = r = (E.T @ A).ravel()  # every factor 1
    rows, more = np.zeros((0, K * width)), np.zeros(0)  # what is added to factors above 1
    for _ in range(3 * K * width):
        V = r.reshape(K, width)
        M = np.where(left, margins(A, y, V), np.inf)
        i, k = np.unravel_index(M.argmin(), M.shape)
        if M[i, k] >= -NOTHING * float(np.linalg.norm(A[i]) * np.linalg.norm(V)):
            break
        row = np.zeros((K, width))
        row[y[i]], row[k] = A[i], -A[i]
        rows, more = np.vstack([rows, row.ravel()]), np.append(more, 0.0)
        while True:
            best = np.linalg.lstsq(rows.T, -start, rcond=None)[0]
            if (best > 0).all():
                break
            low = best <= 0  # go as far as all stay at 0 or above, and leave those at 0 out
            more += (best - more) * np.min(more[low] / np.maximum(more - best, TINY)[low])
            kept = ~low | (more > EPS * more.max())
            rows, more = rows[kept], more[kept]
        more, r = best, start + best @ rows
    r -= np.linalg.lstsq(rows.T, r, rcond=None)[0] @ rows  # the digits that the sum has lost
    return np.asarray(r.reshape(K, width))
