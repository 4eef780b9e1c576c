"""A primal-dual interior point method for quadratic programmes with a matrix of low rank.

    minimise  1/2 ||A'alpha||^2 - c'alpha   subject to   E'alpha = f  and  0 <= alpha <= upper

A is (N, d), E is (N, m), and d + m is much smaller than N. The matrix A A' of the quadratic form
is N x N, but its rank is d; by the Woodbury identity every Newton step needs one weighted Gram
matrix of size d + m only. Both support vector machines of the course have this form.

With b the multipliers of E'alpha = f, z those of alpha >= 0 and t those of alpha <= upper, the
solution is where all of z, t, alpha and upper - alpha are at least 0 and

    w = A'alpha,   A w + E b - c = z - t,   E'alpha = f,   alpha z = 0,   (upper - alpha) t = 0.

w is a variable of its own: for large bounds A'alpha is a small difference of large terms.
The method replaces both products by mu > 0, takes a Newton step, and lets mu go to 0. Each
iteration solves twice with one matrix (Mehrotra): the first step aims at mu = 0 and tells how
small mu may become; the second corrects for the products of the first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lectures_lib._core.validation import Array

LONGEST_STEP = 0.995  # of the way to the nearest bound
PROMISING = 1e-4  # the error below which the active bounds may be known
PATIENCE = 10  # iterations without a better point, once it is promising
LARGEST_POLISH = 400  # free examples: the linear system of the last step is dense
SMALLEST = 1e-300


@dataclass
class Programme:
    """The data of the programme. `upper` is an array, or None when there is no upper bound."""

    A: Array  # (N, d)
    c: Array  # (N,)
    E: Array  # (N, m)
    f: Array  # (m,)
    upper: Array | None
    floor: float = 0.0  # an objective below this counts as 0

    def __post_init__(self) -> None:
        self.B = np.hstack([self.A, self.E])

    def slope(self, w: Array, b: Array) -> Array:
        """A w + E b - c: where alpha is strictly between its bounds, this is 0."""
        value: Array = self.B @ np.concatenate([w, b]) - self.c
        return value


@dataclass
class Bound:
    """One side of the box: how far alpha is from it, and its multiplier. Both stay positive."""

    sign: int  # +1: alpha >= 0, -1: alpha <= upper
    distance: Array
    multiplier: Array

    def products(self) -> Array:
        """Zero at the solution."""
        return self.distance * self.multiplier


@dataclass
class Point:
    """An alpha, w, the multipliers b, and the bounds; also the change of all of them in a step."""

    alpha: Array
    w: Array
    b: Array
    bounds: list[Bound]


@dataclass
class Solution:
    """An answer and how good it is.

    gap       primal minus dual objective
    residual  largest miss of the equations, relative to the size of their terms
    error     the larger one of the gap, relative to the objective, and the residual
    """

    alpha: Array
    w: Array
    b: Array
    objective: float
    gap: float
    residual: float
    error: float
    n_iter: int


def solve(problem: Programme, tol: float = 1e-10, max_iter: int = 100) -> Solution:
    """The solution: exact up to rounding as soon as the active bounds are known, else to `tol`.

    Newton's matrix is ill-conditioned near the end, so progress stops somewhere. The best point
    is returned, and `error` tells how good it is.
    """
    point = _start(problem)
    best = _measure(problem, point, 0)
    for n_iter in range(1, max_iter + 1):
        with np.errstate(all="ignore"):  # overflow ends the progress, and is seen there
            step = _newton_step(problem, point)
        stuck = best.error < PROMISING and n_iter > best.n_iter + PATIENCE
        if step is None or stuck or best.error <= tol:
            break
        point = _moved(point, step, min(1.0, LONGEST_STEP * _longest(point, step)))
        candidates = [best, _measure(problem, point, n_iter)]
        if candidates[1].error < PROMISING:
            polished = _polished(problem, point)
            candidates += [_measure(problem, polished, n_iter)] if polished else []
        best = min(candidates, key=_rank)
    return best


def _rank(found: Solution) -> tuple[bool, float]:
    """What is small for a good point: its error, once that is small; until then its gap.

    Where the objective itself goes to 0, no error relative to it ever becomes small.
    """
    promising = found.error < PROMISING
    return not promising, found.error if promising else found.gap


def _start(problem: Programme) -> Point:
    """A point inside all bounds; the equations need not hold yet.

    With upper bounds w starts at 0: A'alpha would be far too long, and takes half again as many
    steps. Without them A'alpha, from mean to mean, often separates at once.
    """
    n, m = problem.E.shape
    b = np.zeros(m)
    if problem.upper is None:
        alpha = np.full(n, float(np.abs(problem.f).sum()) / n)
        w = problem.A.T @ alpha
    else:
        alpha, w = problem.upper / 2, np.zeros(problem.A.shape[1])
    slope = problem.slope(w, b)
    z = np.maximum(slope, 0) + max(1e-3, float(np.abs(slope).mean()))
    bounds = [Bound(1, alpha.copy(), z)]
    if problem.upper is not None:
        bounds.append(Bound(-1, problem.upper - alpha, z - slope))
    return Point(alpha, w, b, bounds)


def _residuals(problem: Programme, point: Point) -> tuple[Array, Array]:
    """By how much A w + E b - c = z - t is missed, and (w, E'alpha) = (A'alpha, f)."""
    slope = problem.slope(point.w, point.b)
    for bound in point.bounds:
        slope -= bound.sign * bound.multiplier
    sums = problem.B.T @ point.alpha
    d = len(point.w)
    return slope, np.concatenate([point.w - sums[:d], sums[d:] - problem.f])


def _newton_step(problem: Programme, point: Point) -> Point | None:
    """The corrected direction; None where rounding ends the progress."""
    bounds = point.bounds
    weight = 1 / sum(bound.multiplier / bound.distance for bound in bounds)
    scaled = np.sqrt(weight)[:, None] * problem.B
    d = problem.A.shape[1]
    matrix = scaled.T @ scaled  # the only work of order N (d + m)^2
    matrix[np.arange(d), np.arange(d)] += 1.0
    r_slope, r_sums = _residuals(problem, point)
    r_sums[:d] *= -1

    def direction(targets: list[Array]) -> Point:
        """The step that changes the products of each bound by its target, to first order."""
        pull = -r_slope
        for bound, target in zip(bounds, targets, strict=True):
            pull = pull + bound.sign * target / bound.distance
        right = problem.B.T @ (weight * pull) + r_sums
        solved = np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)
        d_alpha = weight * (pull - problem.B @ solved)
        steps = [
            Bound(
                bound.sign,
                bound.sign * d_alpha,
                (target - bound.sign * bound.multiplier * d_alpha) / bound.distance,
            )
            for bound, target in zip(bounds, targets, strict=True)
        ]
        return Point(d_alpha, solved[:d], solved[d:], steps)

    mu = _mean_product(point)
    try:
        ahead = direction([-bound.products() for bound in bounds])
        mu_ahead = _mean_product(_moved(point, ahead, _longest(point, ahead)))
        centre = mu * (mu_ahead / mu) ** 3
        step = direction(
            [
                centre - bound.products() - change.products()
                for bound, change in zip(bounds, ahead.bounds, strict=True)
            ]
        )
    except np.linalg.LinAlgError:
        return None
    finite = np.isfinite(step.alpha).all() and np.isfinite(step.w).all()
    return step if finite and np.isfinite(step.b).all() else None


def _mean_product(point: Point) -> float:
    """mu: the mean of all products that are 0 at the solution."""
    return float(np.mean([bound.products().mean() for bound in point.bounds]))


def _longest(point: Point, step: Point) -> float:
    """The largest step length, at most 1, at which no distance and no multiplier is negative."""
    fastest = 1.0
    for bound, change in zip(point.bounds, step.bounds, strict=True):
        fastest = max(fastest, float((-change.distance / bound.distance).max()))
        fastest = max(fastest, float((-change.multiplier / bound.multiplier).max()))
    return 1.0 / fastest


def _moved(point: Point, step: Point, length: float) -> Point:
    bounds = [
        Bound(
            bound.sign,
            bound.distance + length * change.distance,
            bound.multiplier + length * change.multiplier,
        )
        for bound, change in zip(point.bounds, step.bounds, strict=True)
    ]
    return Point(
        point.alpha + length * step.alpha,
        point.w + length * step.w,
        point.b + length * step.b,
        bounds,
    )


def _size(problem: Programme, w: Array) -> float:
    """Size of the terms of A w + E b - c, and so of the multipliers."""
    return max(float(np.abs(problem.A @ w).max()), float(np.abs(problem.c).max()), SMALLEST)


def _measure(problem: Programme, point: Point, n_iter: int) -> Solution:
    """The point's objective, gap and residual."""
    w = point.w
    objective = float(w @ w / 2 - problem.c @ point.alpha)
    gap = float(sum(bound.products().sum() for bound in point.bounds))
    r_slope, r_sums = _residuals(problem, point)
    terms = np.abs(problem.B).T @ np.abs(point.alpha)
    residual = max(
        float(np.abs(r_slope).max()) / _size(problem, w),
        float(np.abs(r_sums / np.maximum(terms, SMALLEST)).max()),
    )
    error = max(gap / max(abs(objective), problem.floor, SMALLEST), residual)
    return Solution(point.alpha, w, point.b, objective, gap, residual, error, n_iter)


def _polished(problem: Programme, point: Point) -> Point | None:
    """The solution of the linear equations that hold if the active bounds are those of `point`.

    An example is at a bound when its multiplier, relative to the size of such terms, exceeds its
    relative distance. On the others A w + E b = c. None if a sign shows that the guess is wrong.
    """
    size = _size(problem, point.w)
    active = [
        bound.distance / bound.distance.max() < bound.multiplier / size for bound in point.bounds
    ]
    alpha = np.where(active[0], 0.0, point.alpha)
    if problem.upper is not None:
        alpha = np.where(active[1], problem.upper, alpha)
    free = ~np.any(active, axis=0)
    d, m, n_free = problem.A.shape[1], problem.E.shape[1], int(free.sum())
    if not 0 < n_free <= LARGEST_POLISH:
        return None
    # Unknown: the changes of r w, of b, and of r^2 alpha on the free examples, where r is the
    # size of A. In these units all entries of the matrix are of the size of 1.
    r = float(np.abs(problem.A[free]).max()) or 1.0
    rows = np.hstack([problem.A[free] / r, problem.E[free]])
    matrix = np.zeros((d + m + n_free, d + m + n_free))
    matrix[:d, :d] = np.eye(d)
    matrix[: d + m, d + m :] = -rows.T
    matrix[d + m :, : d + m] = rows
    sums = problem.B.T @ alpha
    missing = [r * (sums[:d] - point.w), r**2 * (sums[d:] - problem.f)]
    missing.append(-problem.slope(point.w, point.b)[free])
    change = np.linalg.lstsq(matrix, np.concatenate(missing), rcond=1e-13)[0]
    w, b = point.w + change[:d] / r, point.b + change[d : d + m]
    alpha[free] += change[d + m :] / r**2

    slope = problem.slope(w, b)
    slope[free & (np.abs(slope) <= 1e-10 * size)] = 0.0
    bounds = [Bound(1, alpha, np.maximum(slope, 0))]
    if problem.upper is not None:
        bounds.append(Bound(-1, problem.upper - alpha, np.maximum(-slope, 0)))
    if min(bound.distance.min() for bound in bounds) < 0:
        return None
    return Point(alpha, w, b, bounds)
