"""The data on which answers are tried."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Rng

LINE = (np.array([[-1.0], [1.0]]), np.array([-1, 1]))
THREE = (np.array([[-3.0], [1.0], [4.0]]), np.array([-1, 1, 1]))
PLANE = (np.array([[2.0, 1.0], [3.0, -1.0], [-1.0, 2.0], [-2.0, -2.0]]), np.array([1, 1, -1, -1]))
SLANTED = np.array([-0.25, 2.0, 0.5])


def separated(rng: Rng) -> tuple[Any, ...]:
    """Data and a w* of any length that separates them."""
    n, d = int(rng.integers(4, 9)), int(rng.integers(3, 6))
    X, w = rng.normal(size=(n, d)) * rng.uniform(0.3, 3), rng.normal(size=d + 1)
    return X, np.where(w[0] + X @ w[1:] > 0, 1, -1), w * rng.uniform(0.2, 5)


def maybe_separated(rng: Rng) -> tuple[Any, ...]:
    X, s, w = separated(rng)
    if rng.random() < 0.3:
        s[rng.integers(len(s))] *= -1
    return X, s, w


# A true run on (2, 2), (2, −2), −(−2, 2), −(−2, −2): all of length 3, all with margin 2 to AXIS.
TRUE_RUN = np.array([[1.0, 2.0, 2.0], [0.0, 4.0, 0.0]])
AXIS = np.array([0.0, 1.0, 0.0])
CLAIM = np.array(
    [[1.0, 2.0, 2.0], [2.0, 4.0, 0.0], [1.0, 5.0, 2.0], [2.0, 8.0, 5.0], [3.0, 9.0, 3.0]]
)


def claim(rng: Rng) -> tuple[Any, ...]:
    """Weights that grow about as fast as the two inequalities allow, backwards now and then."""
    n, d = int(rng.integers(3, 9)), int(rng.integers(4, 7))
    w_star = rng.normal(size=d)
    w_star /= np.linalg.norm(w_star)
    gamma, R, eta = rng.uniform(0.3, 1.2), rng.uniform(1.3, 3), rng.choice([0.3, 0.7, 1.4, 2.2])
    noise = rng.choice([0.2, 0.5]) * R * rng.normal(size=(n, d))
    steps = rng.uniform(-0.5, 2.5, n)[:, None] * gamma * w_star + noise
    W = eta * np.cumsum(steps, axis=0) * (-1 if rng.random() < 0.2 else 1)
    return W, w_star, float(gamma), float(R), float(eta)


def gram(X: Array) -> Array:
    """Scalar products of the augmented examples."""
    A = np.column_stack([np.ones(len(X)), X])
    return np.asarray(A @ A.T)


FOUR = gram(np.array([[2.0, -2.0], [0.0, 0.0], [3.0, 3.0], [1.0, -2.0]]))
SQUARE = gram(np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]))
FAR = gram(np.array([[5.0], [6.0], [8.0], [9.0]]))


def gram_of_some(rng: Rng) -> tuple[Any, ...]:
    """A Gram matrix of whole numbers or of any; mixed classes half of the time."""
    n, d = int(rng.integers(4, 9)), int(rng.integers(3, 6))
    X = rng.integers(-3, 4, (n, d)).astype(float) if rng.random() < 0.5 else rng.normal(size=(n, d))
    s = np.where(X @ rng.normal(size=d) > rng.normal(), 1, -1)
    if rng.random() < 0.5:
        s = rng.choice([-1, 1], n)
    return gram(X), s, int(rng.choice([2, 3, 7, 60]))


def start(rng: Rng) -> tuple[Any, ...]:
    """Separated data and a start in any direction, not too near w*."""
    X, s, w = separated(rng)
    while np.min(s * (w[0] + X @ w[1:])) < 0.05 * np.linalg.norm(w):
        X, s, w = separated(rng)
    return X, s, w, rng.normal(size=len(w)) * rng.uniform(0.5, 4), float(rng.uniform(0.2, 1.7))
