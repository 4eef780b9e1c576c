"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

DOUBLED = question("""
    linear_discriminants.doubled: Twice the weights [One line, one arrow, one distance]
        w and w₀ are both doubled. What happens to the score g(p) of a point, to its signed
            distance, and to the boundary?
    a. all three change
        The boundary is where g = 0, and 2g is 0 at the same places.
    b. g(p) doubles; distance and boundary stay [right]
        The distance is g divided by the length of w, and both are doubled.
    c. g(p) and the distance double; the boundary stays
        The point and the line have not moved, so their distance has not either.
    d. nothing changes
        g is the sum of w·p and w₀, and both terms are doubled.
    """)

MASKED = question("""
    linear_discriminants.middle_group: The group in the middle [What goes wrong]
        Three groups of 12 stand at −2, 0 and 2 on a line. Three regressions on x are fitted to
            their indicators, and the largest output wins. How many of the middle group get the
            right answer?
    0 [right]
        The best line for the targets 0, 1, 0 is flat, at 1/3, and one of the outer two lies above
            it everywhere.
    12
        It would take a bump in the middle, and a straight line has none.
    otherwise
        Think of the straight line that comes nearest to the targets 0, 1, 0, and of the other two.
    """)


def fit_least_squares(X: Array, y: Array, K: int) -> Any:
    A = np.column_stack([np.ones(len(X)), X])
    Y = np.eye(K)[y]
    return np.linalg.lstsq(A, Y, rcond=None)[0]


def _draw(rng: Rng) -> tuple[Any, ...]:
    d, K = int(rng.integers(2, 4)), int(rng.integers(2, 5))
    N = 3 * d + 2 * K
    return rng.normal(size=(N, d)), rng.permutation(np.arange(N) % K), K


FITTED = small(
    r"""
    linear_discriminants.fit_least_squares: One regression for each class [The same thing in code]
        B has one column for each class, fitted to the indicator of this class. A column of ones in
            front of X makes room for the constants.
        $\hat B=\arg\min_B\|Y-XB\|^2$: `np.linalg.lstsq(A, Y, rcond=None)[0]` for a matrix A and
            targets Y.
        `A = np.column_stack([np.ones(len(X)), X])` and `Y = np.eye(K)[y]`.
    """,
    Function(
        fit_least_squares,
        (Result("B", ("d+1", "K")),),
        (
            Case("three points on a line", ([[-1.0], [0.0], [1.0]], [0, 1, 2], 3)),
            Case("two classes", ([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1], 2)),
        ),
        _draw,
        slips("""
            No constant
                np.column_stack([np.ones(len(X)), X]) -> np.column_stack([0 * X[:, :1], X])
                Without a column of ones every output is 0 at x = 0.
            The ones behind the features
                [np.ones(len(X)), X] -> [X, np.ones(len(X))]
                In this course the constant comes first: the ones stand in front.
            Targets −1 and 1
                np.eye(K)[y] -> 2 * np.eye(K)[y] - 1
                The targets are 1 for the class and 0 for the others.
            One row for each class
                rcond=None)[0] -> rcond=None)[0].T
                B has one column for each class: the outputs are (1, x) times B.
        """),
        valid=lambda X, y, K: bool(
            np.linalg.matrix_rank(np.column_stack([np.ones(len(X)), X])) == 1 + X.shape[1]
        ),
    ),
)

TRIES = (DOUBLED, FITTED, MASKED)
