"""Quadratic forms: completing squares, with polynomials as coefficients."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from linecheck.algebra import polynomials as poly
from linecheck.algebra.polynomials import Monomial, Polynomial
from linecheck.algebra.ratios import ZERO, Algebra, Ratio

LARGEST_FORM = 9


def groups(algebra: Algebra, indices: list[int]) -> list[list[int]]:
    """Variables that are entries of one vector or matrix, largest group first."""
    found: dict[str, list[int]] = {}
    for index in indices:
        made = algebra.generators[index]
        if made.kind == "var" and not made.relation:
            name = str(made.key).partition("[")[0].partition("~")[0]
            found.setdefault(name, []).append(index)
    return sorted(found.values(), key=lambda group: -len(group))


def form_matrix(polynomial: Polynomial, group: list[int]) -> list[list[Polynomial]] | None:
    """The symmetric matrix of a form of degree 2 in the group; its entries are polynomials."""
    size = len(group)
    place = {index: k for k, index in enumerate(group)}
    matrix: list[list[Polynomial]] = [[{} for _ in range(size)] for _ in range(size)]
    for monomial, coefficient in polynomial.items():
        inside: list[int] = []
        rest: list[tuple[int, int | Fraction]] = []
        for index, exponent in monomial:
            if index not in place:
                rest.append((index, exponent))
            elif exponent in (1, 2):
                inside += [place[index]] * int(exponent)
            else:
                return None
        if len(inside) != 2:
            return None
        i, j = inside
        outside: Monomial = tuple(rest)
        half = Fraction(coefficient) / 2
        for a, b in ((i, j), (j, i)):
            matrix[a][b] = poly.add(matrix[a][b], {outside: half})
    return matrix


def pivots(
    algebra: Algebra, matrix: list[list[Polynomial]], sign: Callable[[Ratio], int | None]
) -> list[int] | None:
    """Signs (2: > 0, 1: >= 0, 0) of the pivots when none is negative, else None."""
    size = len(matrix)
    rows = [[Ratio(entry) for entry in row] for row in matrix]
    found: list[int] = []
    for k in range(size):
        pivot = rows[k][k]
        if not pivot.top:
            if any(rows[k][j].top for j in range(k, size)):
                return None
            found.append(0)
            continue
        seen = sign(pivot)
        if seen is None or seen <= 0:
            return None
        found.append(seen)
        over = algebra.inverse(pivot)
        for i in range(k + 1, size):
            if not rows[i][k].top:
                continue
            factor = algebra.multiply(rows[i][k], over)
            for j in range(i, size):
                change = algebra.multiply(factor, rows[k][j])
                rows[i][j] = algebra.subtract(rows[i][j], change) if change.top else rows[i][j]
                rows[j][i] = rows[i][j]
        for i in range(k + 1, size):
            rows[i][k] = ZERO
    return found
