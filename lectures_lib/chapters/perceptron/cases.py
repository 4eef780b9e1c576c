"""The data on which answers are tried, and what a subgradient must fulfil."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Rng

# Whole numbers: every order of summation gives the same weights, bit for bit.
LINE = (np.array([[-1.0], [1.0]]), np.array([-1, 1]))
PLANE = (np.array([[2.0, -2.0], [0.0, 0.0], [3.0, 3.0], [1.0, -2.0]]), np.array([1, -1, 1, -1]))
XOR = (np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]), np.array([-1, 1, 1, -1]))
FAR = (np.array([[5.0], [6.0], [8.0], [9.0]]), np.array([-1, -1, 1, 1]))


def run(rng: Rng) -> tuple[Any, ...]:
    """Data and settings of a run: mixed classes half of the time, then only the cap ends it."""
    n, d = int(rng.integers(4, 9)), int(rng.integers(3, 6))
    X = rng.integers(-3, 4, (n, d)).astype(float) if rng.random() < 0.5 else rng.normal(size=(n, d))
    s = np.where(X @ rng.normal(size=d) + rng.normal() > 0, 1, -1)
    if rng.random() < 0.5:
        s = rng.choice([-1, 1], n)
    eta, tie = float(rng.choice([0.5, 1.0, 1.5])), str(rng.choice(["update", "positive"]))
    return X, s, eta, tie, int(rng.choice([2, 3, 7, 60]))


def is_subgradient(arguments: tuple[Any, ...], values: tuple[Array, ...], tolerance: float) -> str:
    """A complaint unless v = −(1/N)·[Σ s·x over m < 0, plus Σ t·s·x over m = 0] with 0 ≤ t ≤ 1.

    The examples with m = 0 are linearly independent in every case, so t is unique.
    """
    (X, s, w), (v,) = arguments, values
    Z = s[:, None] * np.column_stack([np.ones(len(X)), X])
    m = Z @ w
    rest = v + (m < 0) @ Z / len(s)
    directions = -Z[m == 0].T / len(s)
    t = np.linalg.lstsq(directions, rest, rcond=None)[0]
    slack = 10 * tolerance * (1 + np.abs(Z).max())
    if np.allclose(directions @ t, rest, atol=slack) and np.all(
        np.abs(t - 0.5) < 0.5 + slack * len(s)
    ):
        return ""
    return "`subgradient` is no subgradient of the mean loss."


def independent_ties(X: Array, s: Array, w: Array) -> bool:
    """Whether the examples on the kink are linearly independent."""
    A = np.column_stack([np.ones(len(X)), X])
    ties = A[A @ w == 0]
    return len(ties) == 0 or int(np.linalg.matrix_rank(ties)) == len(ties)


def weights(rng: Rng) -> tuple[Any, ...]:
    """Examples and weights; now and then one example on the kink, or all of them."""
    d, edge = int(rng.integers(3, 6)), rng.random()
    n = int(rng.integers(2, d + 1 if edge < 0.2 else 3 * d))
    X, s, w = rng.normal(size=(n, d)), rng.choice([-1, 1], n), rng.normal(size=d + 1)
    if edge < 0.2:
        w = np.zeros(d + 1)
    elif edge < 0.5:
        w[0], X[0] = 0.0, 0.0
    return X, s, w


W = np.array([-1.0, 2.0, 0.0])
FOUR = (np.array([[2.0, 1.0], [0.0, 3.0], [0.75, -1.0], [-1.0, 2.0]]), np.array([-1, 1, 1, -1]))
KINK = (np.array([[0.5, 4.0], [2.0, 0.0], [1.0, 1.0]]), np.array([1, -1, 1]))
APART = (np.array([[2.0], [-1.0]]), np.array([1, -1]))


def margins(rng: Rng) -> tuple[Any, ...]:
    """Margins of all sizes, with the kinks and the far ends among them now and then."""
    m = rng.normal(size=int(rng.integers(3, 8))) * rng.choice([0.5, 2.0, 8.0])
    if rng.random() < 0.5:
        m[0] = rng.choice([0.0, 1.0, -1000.0, 1000.0])
    return (rng.permutation(m),)
