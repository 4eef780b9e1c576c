"""The soft margin when there are no more examples than features: guess who is bound, and solve.

    minimise  1/2 alpha'Q alpha - sum alpha   subject to   s'alpha = 0  and  0 <= alpha <= upper

with Q = s s' * X X' (N, N). If it were known which alpha are 0 and which are at their upper bound,
the others, the free ones, would follow from linear equations: there (Q alpha + b s - 1) = 0. So
guess, solve, and guess again from what came out: an alpha below 0 goes to 0, one above its bound
to the bound, and one that its slope pulls inside becomes free. A guess that repeats itself is the
solution; that takes a handful of rounds, or fails, and then the interior point method is there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lectures_lib._core.validation import Array

Guess = NDArray[np.bool_]

ROUNDS = 40
EXACT = 1e-9  # duality gap, relative to the objective: a larger one is left to the other method


def solve(X: Array, s: Array, upper: Array) -> tuple[Array, Array, int] | None:
    """(w, alpha, rounds), or None where the guesses do not settle or rounding spoils them."""
    A = s[:, None] * X
    Q = A @ A.T
    scale = float(np.trace(Q)) / len(s)
    if scale == 0:
        return None
    below = np.zeros(len(s), dtype=np.bool_)
    above = below.copy()
    for n_iter in range(1, ROUNDS + 1):
        found = _with_bounds(Q, s, np.where(above, upper, 0.0), ~(below | above))
        if found is None:
            return None
        alpha, slope, b = found
        pulled = alpha - slope / scale
        now_below, now_above = pulled < 0, pulled > upper
        if (now_below == below).all() and (now_above == above).all():
            return _checked(A, s, upper, alpha, b, n_iter)
        below, above = now_below, now_above
    return None


def _checked(
    A: Array, s: Array, upper: Array, alpha: Array, b: float, n_iter: int
) -> tuple[Array, Array, int] | None:
    """The answer, if the primal objective at w, b and the dual one at alpha agree."""
    alpha = np.clip(alpha, 0.0, upper)
    w = A.T @ alpha
    primal = float(w @ w / 2 + upper @ np.maximum(0.0, 1.0 - A @ w - b * s))
    dual = float(alpha.sum() - w @ w / 2)
    balanced = abs(float(s @ alpha)) <= EXACT * float(alpha.sum())
    return (w, alpha, n_iter) if balanced and primal - dual <= EXACT * primal else None


def _with_bounds(
    Q: Array, s: Array, bound: Array, free: Guess
) -> tuple[Array, Array, float] | None:
    """(alpha, its slope Q alpha + b s - 1, b) when all but the free ones keep their bound."""
    if not free.any():
        return None
    # On the free ones s'alpha is known, so that s s' can be added: Q alone is singular if centred.
    size = float(np.trace(Q)) / len(s)
    t = s[free]
    matrix = Q[np.ix_(free, free)]
    matrix += size * np.outer(t, t)
    balance = -float(s @ bound)
    right = 1.0 - (Q @ bound)[free] + size * balance * t
    try:
        u, v = np.linalg.solve(matrix, np.column_stack([right, t])).T
    except np.linalg.LinAlgError:
        return None
    b = float((t @ u - balance) / (t @ v))
    alpha = bound.copy()
    alpha[free] = u - b * v
    slope = Q @ alpha + b * s - 1.0
    slope[free] = 0.0
    finite = bool(np.isfinite(slope).all())
    return (alpha, slope, b) if finite else None
