"""Is there a direction in which the likelihood grows for ever? Then it has no maximum.

A direction v, a row of weights for each class, separates the data when no margin (score of the
true class less that of another) is negative and some are positive. A margin is a.v, with one row
a for each pair of an example and another class. Of all sums of the rows with factors of 1 or more
let r be the shortest. If r = 0, nothing separates: the sum of factor times margin is r.v = 0. If
not, no a.r is negative, else more of that row made r shorter, and some are positive, as the sum of
factor times a.r is r.r > 0: r separates. It is found row by row, as non-negative least squares
are (Lawson and Hanson, 1974), and every margin of it is looked at once more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lectures_lib._core.centring import EPS
from lectures_lib._core.validation import Array, Codes

CERTAIN = 1e-10  # of the size of its terms: a margin that is not further from 0 counts as 0


def maximum_exists(A: Array, g: Array, inverse: Array, K: int) -> bool:
    """Whether the gradient g is so small that it proves that a maximum exists; `inverse` of H.

    Let v separate, and p be the probability of the other class of a margin m. Then -v.g is the
    sum of p m, and v'Hv <= sum of p m^2 <= max m (-v.g). With v'Hv = 1 that is
    1 <= max m sqrt(g'H^-1 g); max m is at most the longest row in the metric H^-1.
    """
    sizes, slope = np.linalg.eigvalsh(inverse), g.ravel()
    longest = (1 if K == 2 else 2) * np.einsum("ij,ij->i", A, A).max() * sizes[-1]
    hidden = 4 * EPS * np.sqrt(longest)  # of g, as each p is known up to EPS
    fall = np.sqrt(np.maximum(slope @ inverse @ slope, 0.0)) + hidden
    regular = sizes[0] > 1e-12 * sizes[-1]  # else it may be the inverse of another matrix
    return bool(regular and fall**2 * longest < 0.25)  # instead of 1, to be safe


def margins(A: Array, y: Codes, V: Array) -> Array:
    """Score of the true class less that of every class, (N, K); infinite for itself."""
    M: Array = A @ V.T
    own = np.arange(len(y)), y
    np.subtract(M[own][:, None], M, out=M)
    M[own] = np.inf
    return M


def separating_direction(A: Array, y: Codes, K: int) -> Array | None:
    """Weights (K, width) with as many margins above 0 as can be and none below, or None.

    Margins still 0 get another direction; as much of it is added as those above 0 bear.
    """
    left = y[:, None] != np.arange(K)  # the pairs whose margin is 0 so far
    V = np.zeros((K, A.shape[1]))
    while left.any():
        r = _shortest_sum(A, y, left)
        r /= np.abs(r).max() or 1.0
        M = margins(A, y, r)
        known = CERTAIN * np.sqrt(np.einsum("ij,ij->i", A, A))[:, None]
        if (known < -M)[left].any() or not (known < M)[left].any():
            break
        won = ~left & np.isfinite(M)
        V += r / (2 * np.max(-M[won] / margins(A, y, V)[won], initial=0.5))
        left &= known >= M
    return V if V.any() else None


def _shortest_sum(A: Array, y: Codes, left: NDArray[np.bool_]) -> Array:
    """The shortest sum of the rows of the pairs in `left`, with factors of 1 or more."""
    K, width = left.shape[1], A.shape[1]
    E = -left.astype(np.float64)
    E[np.arange(len(y)), y] = left.sum(axis=1)
    start = r = (E.T @ A).ravel()  # every factor 1
    rows, more = np.zeros((0, K * width)), np.zeros(0)  # those with a factor of 1 + more
    for _ in range(3 * K * width):
        M = np.where(left, margins(A, y, r.reshape(K, width)), np.inf)
        i, k = np.unravel_index(M.argmin(), M.shape)
        if M[i, k] >= -CERTAIN / 1000 * np.linalg.norm(A[i]) * np.linalg.norm(r):
            break
        row = np.outer(np.eye(K)[y[i]] - np.eye(K)[k], A[i]).ravel()
        rows, more = np.vstack([rows, row]), np.append(more, 0.0)
        while True:
            best = np.linalg.lstsq(rows.T, -start, rcond=None)[0]
            if (best > 0).all():
                break
            low = best <= 0  # go as far as all stay at 0 or above, and leave those at 0 out
            more += (best - more) * np.min(more[low] / np.maximum(more - best, 1e-300)[low])
            kept = ~low | (more > EPS * more.max())
            rows, more = rows[kept], more[kept]
        more, r = best, start + best @ rows
    r -= np.linalg.lstsq(rows.T, r, rcond=None)[0] @ rows  # the digits that the sum has lost
    return r.reshape(K, width)
