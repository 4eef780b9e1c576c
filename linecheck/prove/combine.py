"""Is a polynomial a sum of known nonnegative ones, with nonnegative factors? Exact answers only."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from linecheck.kernel.polynomials import Monomial, Poly, Work
from linecheck.search.floats import as_float

FloatArray = npt.NDArray[np.float64]


def combination(
    target: Poly, bricks: Sequence[Poly], free: int, work: Work
) -> list[Fraction] | None:
    """Factors c with sum c_j brick_j == target and c_j >= 0; the last `free` bricks may have any.

    Nonnegative least squares in floating point says which bricks take part; the factors are then
    found, and checked, in fractions.
    """
    rows: dict[Monomial, int] = {}
    for polynomial in (target, *bricks):
        for monomial in polynomial:
            rows.setdefault(monomial, len(rows))
    signed = list(bricks) + [
        {monomial: -c for monomial, c in brick.items()} for brick in bricks[len(bricks) - free :]
    ]
    matrix = np.zeros((len(rows), len(signed)))
    for j, brick in enumerate(signed):
        for monomial, coefficient in brick.items():
            matrix[rows[monomial], j] = as_float(coefficient)
    right = np.zeros(len(rows))
    for monomial, coefficient in target.items():
        right[rows[monomial]] = as_float(coefficient)
    if not np.all(np.isfinite(matrix)) or not np.all(np.isfinite(right)):
        return None
    scale = np.linalg.norm(matrix, axis=0)
    scale[scale == 0] = 1.0
    solution = nonnegative_least_squares(matrix / scale, right, work)
    rest = float(np.linalg.norm((matrix / scale) @ solution - right))
    if rest > 1e-7 * (1.0 + float(np.linalg.norm(right))):
        return None
    active = [j for j in range(len(signed)) if solution[j] > 1e-10]
    found = _solve_exactly([signed[j] for j in active], target, work)
    if found is None or any(factor < 0 for factor in found):
        return None
    factors = [Fraction(0)] * len(bricks)
    for j, factor in zip(active, found, strict=True):
        if j < len(bricks):
            factors[j] += factor
        else:
            factors[j - free] -= factor
    return factors


def nonnegative_least_squares(matrix: FloatArray, right: FloatArray, work: Work) -> FloatArray:
    """argmin |A x - b| over x >= 0, by active sets (Lawson and Hanson)."""
    columns = matrix.shape[1]
    gram, moments = matrix.T @ matrix, matrix.T @ right
    gram += np.eye(columns) * (1e-13 * float(np.trace(gram)) / max(columns, 1))  # keeps it regular
    x = np.zeros(columns)
    passive = np.zeros(columns, dtype=bool)
    tolerance = 1e-10 * max(1.0, float(np.abs(moments).max(initial=0.0)))
    for _ in range(3 * columns + 10):
        gradient = moments - gram @ x
        gradient[passive] = -np.inf
        best = int(np.argmax(gradient)) if columns else -1
        if best < 0 or gradient[best] <= tolerance:
            break
        passive[best] = True
        for _ in range(columns + 1):
            work.spend(0)  # the time that is left
            trial = np.zeros(columns)
            trial[passive] = np.linalg.solve(gram[np.ix_(passive, passive)], moments[passive])
            if trial[passive].min() > 0:
                x = trial
                break
            falling = passive & (trial <= 0)
            ratios = x[falling] / (x[falling] - trial[falling] + 1e-300)
            x = x + float(ratios.min()) * (trial - x)
            passive &= x > 1e-13
            x[~passive] = 0.0
            if not passive.any():
                break
    return x


def _solve_exactly(bricks: list[Poly], target: Poly, work: Work) -> list[Fraction] | None:
    """Factors with sum c_j brick_j == target, by elimination in fractions."""
    monomials = list(dict.fromkeys(m for one in (target, *bricks) for m in one))
    rows = [
        [Fraction(brick.get(monomial, 0)) for brick in bricks] + [Fraction(target.get(monomial, 0))]
        for monomial in monomials
    ]
    width = len(bricks)
    pivots: list[int] = []
    at = 0
    for column in range(width):
        pivot = next((r for r in range(at, len(rows)) if rows[r][column] != 0), None)
        if pivot is None:
            continue
        rows[at], rows[pivot] = rows[pivot], rows[at]
        lead = rows[at][column]
        rows[at] = [entry / lead for entry in rows[at]]
        for r in range(len(rows)):
            work.spend(0)
            if r != at and rows[r][column] != 0:
                factor = rows[r][column]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[at], strict=True)]
        pivots.append(column)
        at += 1
    if any(row[-1] != 0 for row in rows[at:]):
        return None
    factors = [Fraction(0)] * width
    for r, column in enumerate(pivots):
        factors[column] = rows[r][-1]
    return factors
