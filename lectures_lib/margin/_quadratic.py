"""The quadratic programme behind both margins, by an interior point method.

    minimise  1/2 ||w||^2 - c sum_i alpha_i   with  0 <= alpha <= upper  and  R'alpha = (f, w)

Row i of R is example i as the sums with given values f see it, and then s_i x_i. With v = (b, w),
where b are the multipliers of these sums, and z, t >= 0 those of both bounds, the optimum has
R v - c = z - t, alpha z = 0 and (upper - alpha) t = 0: the conditions that the chapter derives. Its
own solver moves two multipliers at a time. This one hides here: it asks both products to be mu,
takes Newton's step, whose work is one Gram matrix of size d, and lets mu go to 0. Once it
shows who is at a bound, linear equations give the rest without an error.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lectures_lib._core.centring import blocks
from lectures_lib._core.validation import Array

ROUNDS = 200
TOLERANCE = 1e-12
PATIENCE = 10  # rounds without a better point
PROMISING = 1e-4  # the error below which the bounds may show
LARGEST_EXACT = 400  # examples between the bounds: their linear equations are dense
NOTHING = 1e-26  # an objective below this counts as 0, where 0 is a possible answer

Solved = tuple[Array, Array, int]  # alpha, w, and after how many rounds
Error = tuple[bool, float]  # whether it is far from the end, and by how much it misses
Found = tuple[Error, Array, Array, int]  # how good it is, alpha, v, and after how many rounds
Point = tuple[Array, Array, Array, Array]  # alpha and upper - alpha, then their multipliers z and t


def largest_dual(X: Array, s: Array, costs: Array) -> Solved:
    """The largest sum alpha_i - 1/2 ||sum alpha_i s_i x_i||^2: 0 <= alpha <= costs, balanced."""
    return _Programme(X, s, np.array([0.0]), 1.0, costs).solve(costs / 2)


def shortest_sum(X: Array, s: Array) -> Solved:
    """The shortest w = sum alpha_i s_i x_i where alpha >= 0 adds up to 1 in each class."""
    balanced_and_2_in_all, never_reached = np.array([0.0, 2.0]), np.full(len(s), 2.0)
    start = np.where(s > 0, 1 / (s > 0).sum(), 1 / (s < 0).sum())
    return _Programme(X, s, balanced_and_2_in_all, 0.0, never_reached).solve(start)


def _gap(alpha: Array, room: Array, z: Array, t: Array) -> float:
    """Primal minus dual objective: the products that are 0 at the solution, added up."""
    return float(alpha @ z + room @ t)


class _Programme:
    """The problem, for features of the size of 1, and v, which moves to the solution."""

    def __init__(self, X: Array, s: Array, f: Array, c: float, upper: Array) -> None:
        self.s, self.c, self.upper, self.m = s, c, upper, len(f)
        self.wide = X if X.shape[1] > len(X) else None
        # Of more features than examples only the inner products matter: X = LQ with a square L.
        self.X = X if self.wide is None else np.asarray(np.linalg.qr(X.T, mode="r")).T
        d = self.X.shape[1]
        self.f, self.Q = np.r_[f, np.zeros(d)], np.diag(np.r_[0 * f, np.ones(d)])  # v'Qv = w'w

    @np.errstate(all="ignore")  # overflow ends the progress, and is seen there
    def solve(self, alpha: Array) -> Solved:
        """The best point met: exact, or as good as rounding allows."""
        # The soft margin starts in the middle of its bounds: so large a sum is no w.
        self.v = self.Q @ self._missing(alpha, self.f) * (self.c == 0)
        t = self.c - self._products(self.v)
        z = np.maximum(-t, 0) + max(1e-3, float(np.abs(t).mean()))
        t += z
        point = alpha, self.upper - alpha, z, t
        best: Found = (True, np.inf), alpha.copy(), self.v, 0
        share = 0.1
        for n_iter in range(1, ROUNDS + 1):
            length = self._move(point, share * _gap(*point) / (2 * len(alpha)))
            if length == 0:
                break
            share = min(max((1 - length) ** 2, 1e-3), 0.5)  # mu falls fast when the way is free
            found = self._error(alpha, self.v, _gap(*point))
            if found < best[0]:
                best = found, alpha.copy(), self.v, n_iter
            if not found[0]:
                best = min((best, *self._exact(*point, n_iter)), key=lambda b: b[0])
            far, error = best[0]
            if not far and (error <= TOLERANCE or n_iter > best[3] + PATIENCE):
                break
        _, alpha, v, n_iter = best
        w = v[self.m :]
        if self.wide is not None:  # the w of all features is Q'w = X'a with L'a = w
            w = self.wide.T @ np.linalg.lstsq(self.X.T, w, rcond=1e-13)[0]
        return alpha, w, n_iter

    def _rows(self, rows: slice | Array) -> Array:
        """Some rows of R: s_i, 1 if the sum of alpha is given too, and s_i x_i."""
        s = self.s[rows, None]
        return np.hstack([*(s, np.ones_like(s))[: self.m], s * self.X[rows]])

    def _products(self, v: Array, rows: slice = slice(None)) -> Array:
        """Some entries of R v."""
        return np.asarray(self.s[rows] * (self.X[rows] @ v[self.m :] + v[0]) + v[1 : self.m].sum())

    def _missing(self, alpha: Array, v: Array) -> Array:
        """R'alpha - (f, w)."""
        sums = -self.f - self.Q @ v
        for rows in blocks(self.X):
            signed = alpha[rows] * self.s[rows]
            sums += np.r_[(signed.sum(), alpha[rows].sum())[: self.m], signed @ self.X[rows]]
        return np.asarray(sums)

    def _error(self, alpha: Array, v: Array, gap: float) -> Error:
        """The gap relative to the objective, or the largest miss of a sum relative to its terms.

        Until that is small, the gap alone: where the objective goes to 0 it never becomes small.
        """
        objective = abs(float(v @ self.Q @ v) / 2 - self.c * float(alpha.sum()))
        missing = float(np.abs(self._missing(alpha, v)).max() / alpha.sum())
        error = max(gap / max(objective, 0.0 if self.c else NOTHING), missing)
        return (False, error) if error < PROMISING else (True, gap)

    def _move(self, point: Point, mu: float) -> float:
        """Newton's step, as far as the bounds allow: its length, 0 where rounding forbids it."""
        H, right = self.Q.copy(), self._missing(point[0], self.v)
        for rows in blocks(self.X):
            a, r, z, t = (x[rows] for x in point)
            R = self._rows(rows)
            right += self._step(point, rows, mu, 0 * self.v)[0] @ R
            R /= np.sqrt(z / a + t / r)[:, None]
            H += R.T @ R
        try:
            dv = np.asarray(np.linalg.solve(H, right), dtype=np.float64)
        except np.linalg.LinAlgError:
            return 0.0
        if not np.isfinite(dv).all():
            return 0.0
        fastest = 1.0
        for rows in blocks(self.X):
            step = zip(point, self._step(point, rows, mu, dv), strict=True)
            fastest = max(fastest, *(float((-dx / x[rows]).max()) / 0.99 for x, dx in step))
        for rows in blocks(self.X):
            for x, dx in zip(point, self._step(point, rows, mu, dv), strict=True):
                x[rows] += dx / fastest
        self.v = self.v + dv / fastest
        return 1 / fastest

    def _step(self, point: Point, rows: slice, mu: float, dv: Array) -> Point:
        """What changes in a block when v does."""
        a, r, z, t = (x[rows] for x in point)
        slope = self._products(self.v, rows) - self.c
        da = (mu / a - mu / r - slope - self._products(dv, rows)) / (z / a + t / r)
        return da, -da, (mu - z * da) / a - z, (mu + t * da) / r - t

    def _exact(self, alpha: Array, room: Array, z: Array, t: Array, n_iter: int) -> Iterator[Found]:
        """The solution of the linear equations that hold if the active bounds are those of now.

        An example is at a bound when its multiplier, relative to the size of such terms, exceeds
        its relative distance. Nothing if a sign shows that the guess is wrong.
        """
        size = max(float(np.abs(self.X @ self.v[self.m :]).max()), self.c) or 1.0
        below, above = alpha / alpha.max() < z / size, room / room.max() < t / size
        free = ~(below | above)
        if not 0 < np.count_nonzero(free) <= LARGEST_EXACT:
            return
        alpha = np.where(below, 0.0, alpha)
        np.copyto(alpha, self.upper, where=above)
        # Q dv = missing + R'da and R (v + dv) = c; with R = U S V these are 2 (d + m) equations at
        # most, for dv and e = S U'da.
        R = self._rows(free)
        U, S, V = np.linalg.svd(R, full_matrices=False)
        U, S, V = (kept := 1e-13 * S[0] < S) * U, np.where(kept, S, np.inf), kept[:, None] * V
        equations = np.block([[self.Q, -V.T], [V, np.zeros((len(S), len(S)))]])
        right = np.r_[self._missing(alpha, self.v), (self.c - R @ self.v) @ U / S]
        dv, e = np.split(np.linalg.lstsq(equations, right, rcond=1e-13)[0], [len(self.v)])
        alpha[free] += U @ (e / S)
        gap = off = 0.0
        for rows in blocks(self.X):
            slope = self._products(self.v + dv, rows) - self.c
            off = max(off, float(np.abs(slope[free[rows]]).max(initial=0.0)))
            slope[free[rows]] = 0.0
            gap += float(np.where(slope > 0, alpha[rows], alpha[rows] - self.upper[rows]) @ slope)
        if off <= 1e-10 * size and alpha.min() >= 0 and (alpha <= self.upper).all():
            yield self._error(alpha, self.v + dv, gap), alpha, self.v + dv, n_iter
