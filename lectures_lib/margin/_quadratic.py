"""The quadratic programme behind both margins, by a primal-dual interior point method.

    minimise  1/2 ||w||^2 - c sum_i alpha_i       w = sum_i alpha_i s_i x_i
    subject to  0 <= alpha <= upper  and as many sums over the examples as there are in f

It hides here because the chapter derives the conditions of the optimum and a solver that moves two
multipliers at a time; this one meets the same conditions, exactly and with any C, in some twenty
steps whose work is one Gram matrix of size d (the form is N x N, but its rank is d).

Rows of P are an example as the sums see it, then its features, and v = (b, w) has the multipliers
b of the sums in front. The conditions are, with z, t >= 0 the multipliers of both bounds,

    s (P v) - c = z - t,   P'(s alpha) = (f, w),   alpha z = 0,   (upper - alpha) t = 0.

The method replaces both products by mu > 0, takes Newton's step, and lets mu go to 0 (Mehrotra).
w is a variable of its own: for large bounds the sum is a small difference of large terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lectures_lib._core.centring import EPS, block_rows
from lectures_lib._core.validation import Array

ROUNDS = 200
LONGEST_STEP = 0.995  # of the way to the nearest bound
PROMISING = 1e-4  # the error below which the active bounds may be known
PATIENCE = 10  # rounds without a better point, once it is promising
LARGEST_POLISH = 400  # free examples: the linear system of the last step is dense
SMALLEST = 1e-300


class Solved(NamedTuple):
    """The multipliers, w, and after how many rounds."""

    alpha: Array
    w: Array
    n_iter: int


def largest_dual(X: Array, s: Array, costs: Array) -> Solved:
    """The largest sum alpha_i - 1/2 ||sum alpha_i s_i x_i||^2: 0 <= alpha <= costs, balanced."""
    inside = _in_their_span(X)
    unit = 2.0 ** np.round(np.log2(costs.max()) / 2)
    inside *= unit  # exact, and undone below; in these units alpha is about in 0..1
    upper = costs / unit**2
    problem = _Programme(np.ones((len(s), 1)), inside, s, np.zeros(1), 1.0, upper, 0.0)
    alpha, w, n_iter = problem.solve(upper / 2, np.zeros(inside.shape[1]), 1e-10)
    inside /= unit
    return Solved(unit**2 * alpha, unit * _outside(X, inside, w), n_iter)


def shortest_sum(X: Array, s: Array) -> Solved:
    """The shortest w = sum alpha_i s_i x_i where alpha >= 0 adds up to 1 in each class."""
    inside = _in_their_span(X)
    front = np.column_stack([np.ones(len(s)), s])  # balanced, and 2 in all
    alpha = np.where(s > 0, 1 / (s > 0).sum(), 1 / (s < 0).sum())
    upper = np.full(len(s), 2.0)  # never reached
    problem = _Programme(front, inside, s, np.array([0.0, 2.0]), 0.0, upper, 1e-26)
    alpha, w, n_iter = problem.solve(alpha, (s * alpha) @ inside, 1e-12)
    return Solved(alpha, _outside(X, inside, w), n_iter)


def _in_their_span(X: Array) -> Array:
    """Examples with the same inner products and no more features than examples."""
    return X if X.shape[1] <= len(X) else np.asarray(np.linalg.qr(X.T, mode="r")).T


def _outside(X: Array, inside: Array, w: Array) -> Array:
    """The same weights for all features: X = RQ, and w = Q'w' is X'a with R'a = w'."""
    if inside is X:
        return w
    return np.asarray(X.T @ np.linalg.lstsq(inside.T, w, rcond=1e-13)[0])


@dataclass
class _Point:
    """An alpha strictly inside its bounds, with the multipliers; also a step of all of them."""

    alpha: Array
    room: Array  # upper - alpha
    z: Array
    t: Array
    v: Array

    def move(self, step: _Point, length: float) -> None:
        """Go so far along the step, which is used up."""
        for name, change in vars(step).items():
            change *= length
            vars(self)[name] += change

    def longest(self, step: _Point) -> float:
        """The largest step length, at most 1, at which nothing becomes negative."""
        pairs = [*zip(vars(self).values(), vars(step).values(), strict=True)][:4]
        return 1.0 / max(1.0, *(float((-dx / x).max()) for x, dx in pairs))

    def gap(self) -> float:
        """Primal minus dual objective: the products that are 0 at the solution, added up."""
        return float(self.alpha @ self.z + self.room @ self.t)


@dataclass
class _Programme:
    front: Array  # (N, m)
    X: Array  # (N, d)
    s: Array  # (N,)
    f: Array  # (m,)
    c: float
    upper: Array  # (N,)
    floor: float  # an objective below this counts as 0

    def solve(self, alpha: Array, w: Array, tol: float) -> Solved:
        """Exact up to rounding as soon as the active bounds are known, else to `tol`.

        Newton's matrix is ill-conditioned near the end, so progress stops somewhere; the best
        point is returned.
        """
        m = len(self.f)
        v = np.concatenate([np.zeros(m), w])
        slope = self._products(v) - self.c
        z = np.maximum(slope, 0) + max(1e-3, float(np.abs(slope).mean()))
        point = _Point(alpha, self.upper - alpha, z, z - slope, v)
        rank, best = self._rank(point), Solved(alpha.copy(), w, 0)
        for n_iter in range(1, ROUNDS + 1):
            if not rank[0] and (rank[1] <= tol or n_iter > best.n_iter + PATIENCE):
                break
            with np.errstate(all="ignore"):  # overflow ends the progress, and is seen there
                step = self._newton(point)
            if step is None:
                break
            point.move(step, min(1.0, LONGEST_STEP * point.longest(step)))
            del step
            candidates = [(self._rank(point), point)]
            if not candidates[0][0][0] and (polished := self._polished(point)) is not None:
                candidates.append((self._rank(polished), polished))
            for found, candidate in candidates:
                if found < rank:
                    rank = found
                    best = Solved(candidate.alpha.copy(), candidate.v[m:].copy(), n_iter)
        return best

    def _products(self, v: Array) -> Array:
        """s (P v)."""
        m = len(self.f)
        products: Array = self.front @ v[:m] + self.X @ v[m:]
        products *= self.s
        return products

    def _sums(self, signed: Array) -> Array:
        """P' times one number for each example."""
        sums: Array = np.concatenate([signed @ self.front, signed @ self.X])
        return sums

    def _missing(self, alpha: Array, v: Array) -> Array:
        """P'(s alpha) - (f, w)."""
        missing: Array = self._sums(self.s * alpha) - np.concatenate([self.f, v[len(self.f) :]])
        return missing

    def _size(self, v: Array) -> float:
        """Size of the terms of s (P v) - c, and so of the multipliers."""
        return max(float(np.abs(self.X @ v[len(self.f) :]).max()), self.c, SMALLEST)

    def _rank(self, point: _Point) -> tuple[bool, float]:
        """Small for a good point: its error once that is small, until then its gap.

        The error is the gap relative to the objective, or the largest miss of an equation
        relative to its terms. Where the objective goes to 0 it never becomes small.
        """
        w = point.v[len(self.f) :]
        objective = float(w @ w / 2 - self.c * point.alpha.sum())
        terms = np.zeros(len(point.v))
        for rows in self._blocks():
            block = self._rows(rows)
            terms += point.alpha[rows] @ np.abs(block, out=block)
        missing = self._missing(point.alpha, point.v)
        slope = self._products(point.v) - self.c - point.z + point.t
        error = max(
            point.gap() / max(abs(objective), self.floor, SMALLEST),
            float(np.abs(slope).max()) / self._size(point.v),
            float(np.abs(missing / np.maximum(terms, EPS * terms.max() + SMALLEST)).max()),
        )
        return (False, error) if error < PROMISING else (True, point.gap())

    def _rows(self, rows: slice | NDArray[np.bool_]) -> Array:
        return np.hstack([self.front[rows], self.X[rows]])

    def _blocks(self) -> list[slice]:
        step = max(1, block_rows(self.X.shape[1]) // 4)
        return [slice(i, i + step) for i in range(0, len(self.X), step)]

    def _newton(self, p: _Point) -> _Point | None:
        """The corrected direction; None where rounding ends the progress."""
        D = 1 / (p.z / p.alpha + p.t / p.room)
        H = np.diag(np.r_[np.zeros(len(self.f)), np.ones(self.X.shape[1])])
        for rows in self._blocks():  # the only work of order N d^2
            block = self._rows(rows)
            block *= np.sqrt(D[rows])[:, None]
            H += block.T @ block
        slope = self._products(p.v) - self.c - p.z + p.t
        missing = self._missing(p.alpha, p.v)

        def direction(to_z: Array, to_t: Array) -> _Point:
            """The step that changes alpha z and room t by these amounts, to first order."""
            pull = to_z / p.alpha - to_t / p.room - slope
            dv = np.asarray(np.linalg.solve(H, self._sums(self.s * D * pull) + missing))
            d_alpha = D * (pull - self._products(dv))
            dz, dt = (to_z - p.z * d_alpha) / p.alpha, (to_t + p.t * d_alpha) / p.room
            return _Point(d_alpha, -d_alpha, dz, dt, dv)

        gap, to_z, to_t = p.gap(), -p.alpha * p.z, -p.room * p.t
        try:
            ahead = direction(to_z, to_t)  # straight to mu = 0
            length = p.longest(ahead)
            after = (p.alpha + length * ahead.alpha) @ (p.z + length * ahead.z)
            after += (p.room + length * ahead.room) @ (p.t + length * ahead.t)
            mu = gap / (2 * len(self.s)) * (after / gap) ** 3
            to_z += mu - ahead.alpha * ahead.z
            to_t += mu - ahead.room * ahead.t
            del ahead
            step = direction(to_z, to_t)
        except np.linalg.LinAlgError:
            return None
        return step if np.isfinite(step.alpha).all() and np.isfinite(step.v).all() else None

    def _polished(self, p: _Point) -> _Point | None:
        """The solution of the linear equations that hold if the active bounds are those of `p`.

        An example is at a bound when its multiplier, relative to the size of such terms, exceeds
        its relative distance. None if a sign shows that the guess is wrong.
        """
        size, m, k = self._size(p.v), len(self.f), len(p.v)
        below = p.alpha / p.alpha.max() < p.z / size
        above = p.room / p.room.max() < p.t / size
        free = ~(below | above)
        n = int(free.sum())
        if not 0 < n <= LARGEST_POLISH:
            return None
        alpha = np.where(above, self.upper, np.where(below, 0.0, p.alpha))
        # Unknown: the changes of b, of r w, and of r^2 alpha on the free examples, where r is the
        # size of the features. In these units all entries of the matrix are of the size of 1.
        r = float(np.abs(self.X[free]).max()) or 1.0
        unit = np.r_[np.ones(m), np.full(k - m, r)]
        rows = self.s[free, None] * self._rows(free) / unit
        matrix = np.zeros((k + n, k + n))
        matrix[:k, :k] = np.diag(np.r_[np.zeros(m), np.ones(k - m)])
        matrix[:k, k:], matrix[k:, :k] = -rows.T, rows
        missing = r**2 * self._missing(alpha, p.v) / unit
        right = np.concatenate([missing, (self.c - self._products(p.v))[free]])
        change = np.linalg.lstsq(matrix, right, rcond=1e-13)[0]
        alpha[free] += change[k:] / r**2
        v = p.v + change[:k] / unit
        slope = self._products(v) - self.c
        slope[free & (np.abs(slope) <= 1e-10 * size)] = 0.0
        room = self.upper - alpha
        if min(alpha.min(), room.min()) < 0:
            return None
        return _Point(alpha, room, np.maximum(slope, 0), np.maximum(-slope, 0), v)
