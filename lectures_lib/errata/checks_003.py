"""Checks of note 003: the printed form fails, the corrected form holds."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from lectures_lib.errata._entry import Check, Finding
from lectures_lib.errata._judges import (
    Array,
    newton_logistic,
    sigmoid,
)

# ------------------------------------------------------------------------------ estimators


def _gaussian_classes(seed: int = 0) -> tuple[Array, Array]:
    """120 examples around (0, 0) and 80 around (4, 1)."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], [120, 80])
    X = rng.standard_normal((200, 2)) + np.array([[0.0, 0.0], [4.0, 1.0]])[y]
    return X, y


def _lda_scores(X: Array, means: Array, covariance: Array, priors: Array) -> Array:
    directions = np.linalg.solve(covariance, means.T)
    scores: Array = X @ directions - 0.5 * np.sum(means.T * directions, axis=0) + np.log(priors)
    return scores


def _within_covariance(X: Array, y: Array) -> Array:
    centred = X - np.array([X[y == k].mean(axis=0) for k in (0, 1)])[y]
    covariance: Array = centred.T @ centred / (len(X) - 2)
    return covariance


def _classifies(mean: Callable[[Array, Array, int], Array]) -> Finding:
    """LDA with these class means must separate two well separated classes."""
    X, y = _gaussian_classes()
    means = np.array([mean(X, y, k) for k in (0, 1)])
    scores = _lda_scores(X, means, _within_covariance(X, y), np.array([0.6, 0.4]))
    accuracy = float(np.mean(scores.argmax(axis=1) == y))
    return Finding(accuracy > 0.95, f"accuracy {accuracy:.2f}; the larger class has 0.60.")


def _is_unbiased(divisor: Callable[[int, int, int], int]) -> Finding:
    """Expected estimate of a class variance 1: all samples of N_k = 3 coin flips, K = 4 classes."""
    size, classes = 3, 4
    sums = [
        sum((Fraction(x) - Fraction(sum(sample), size)) ** 2 for x in sample)
        for sample in product((-1, 1), repeat=size)
    ]
    expected = sum(sums, Fraction(0)) / len(sums) / divisor(size * classes, size, classes)
    return Finding(expected == 1, f"the expected estimate of the variance 1 is {expected}.")


# --------------------------------------------------------------------------------- sphering


def _spheres_the_rows(transform: Callable[[Array, Array, Array], Array]) -> Finding:
    """The within-class covariance of the transformed rows is the identity."""
    X, y = _gaussian_classes()
    values, U = np.linalg.eigh(_within_covariance(X, y))
    try:
        sphered = transform(X, U, values)
    except ValueError:
        return Finding(False, "a 2 × 2 matrix times X with its 200 rows: the shapes do not fit.")
    off = float(np.abs(_within_covariance(sphered, y) - np.eye(2)).max())
    return Finding(off < 1e-9, f"largest difference to I {off:.9f}.")


def _decides_as_lda(centroids: Callable[[Array, Array], Array]) -> Finding:
    """Nearest centroid of the sphered points, with priors, decides as the discriminants do."""
    rng = np.random.default_rng(3)
    means, covariance = np.array([[0.0, 0.0], [2.0, 1.0]]), np.array([[3.0, 1.0], [1.0, 0.5]])
    priors = np.array([0.7, 0.3])
    X = 2 * rng.standard_normal((2000, 2)) + means.mean(axis=0)
    values, U = np.linalg.eigh(covariance)
    sphere = U / np.sqrt(values)
    distances = ((X @ sphere)[:, None, :] - centroids(means, sphere)) ** 2
    nearest = (-0.5 * distances.sum(axis=2) + np.log(priors)).argmax(axis=1)
    right = _lda_scores(X, means, covariance, priors).argmax(axis=1)
    other = float(np.mean(nearest != right))
    return Finding(other == 0, f"{100 * other:.0f} % of 2000 points are decided otherwise.")


def _follows_the_densities(penalty: Callable[[float], float]) -> Finding:
    """Classes N(0, 1) and N(0, 9) with equal priors: the score must pick the larger density."""
    points = (0.5, 1.0, 2.0, 4.0)
    variances = (1.0, 9.0)
    density = [
        max((0, 1), key=lambda k: math.exp(-(x**2) / (2 * variances[k])) / variances[k] ** 0.5)
        for x in points
    ]
    told = [
        max((0, 1), key=lambda k: -(x**2) / (2 * variances[k]) + penalty(variances[k]))
        for x in points
    ]
    return Finding(told == density, f"at x = 0.5, 1, 2, 4 it says {told}, the densities {density}.")


def _covariance_is_one(covariance: Callable[[dict[int, tuple[int, ...]]], Fraction]) -> Finding:
    """Two classes around -2 and 2 whose covariance within the classes is 1."""
    value = covariance({0: (-3, -1), 1: (1, 3)})
    return Finding(value == 1, f"it is {value}.")


def _total_covariance(classes: dict[int, tuple[int, ...]]) -> Fraction:
    points = [x for members in classes.values() for x in members]
    mean = Fraction(sum(points), len(points))
    return sum(((x - mean) ** 2 for x in points), Fraction(0)) / len(points)


def _covariance_within(classes: dict[int, tuple[int, ...]]) -> Fraction:
    squares = [
        (x - Fraction(sum(members), len(members))) ** 2
        for members in classes.values()
        for x in members
    ]
    return sum(squares, Fraction(0)) / len(squares)


# ----------------------------------------------------------------------------- reduced rank


def _bounds_the_dimension(allowed: Callable[[int, int], bool]) -> Finding:
    """The dimension that three centroids in general position span."""
    centroids = np.array([[0, 0, 0, 0], [1, 2, 0, 1], [3, 1, 1, 0]])
    rank = int(np.linalg.matrix_rank(centroids - centroids.mean(axis=0)))
    return Finding(allowed(rank, 3), f"K = 3 centroids span {rank} dimensions, K - 1 = 2.")


def _separates_best(direction: Callable[[Array, Array], Array]) -> Finding:
    """The direction reaches the largest ratio a'Ba / a'Wa; p = 6 features, K = 3 classes."""
    rng = np.random.default_rng(4)
    root = rng.standard_normal((6, 6))
    W = root @ root.T + np.eye(6)
    centroids = rng.standard_normal((3, 6))
    B = np.cov(centroids.T, bias=True)
    values, V = np.linalg.eigh(W)
    inverse_root = V / np.sqrt(values)
    top, vectors = np.linalg.eigh(inverse_root.T @ B @ inverse_root)
    a = direction(vectors[:, -1], inverse_root)
    ratio = float((a @ B @ a) / (a @ W @ a))
    positive = int((top > 1e-12).sum())
    return Finding(
        math.isclose(ratio, top[-1]),
        f"ratio {ratio:.4f}, largest eigenvalue {top[-1]:.4f} ({positive} of 6 are positive).",
    )


# --------------------------------------------------------------------------- LDA or logistic


def _is_a_density(total: Callable[[Callable[[Array], Array]], float]) -> Finding:
    """The mixture of N(0, 1) and N(3, 1), added up the way the name says, gives 1."""

    def marginal(x: Array) -> Array:
        parts = [
            prior * np.exp(-((x - mean) ** 2) / 2) / math.sqrt(2 * math.pi)
            for prior, mean in ((0.6, 0.0), (0.4, 3.0))
        ]
        return np.asarray(sum(parts))

    value = total(marginal)
    return Finding(abs(value - 1) < 1e-9, f"the total is {value:.3f}.")


def _over_classes(marginal: Callable[[Array], Array]) -> float:
    return float(sum(marginal(np.array([0.5]))[0] for _ in range(2)))


def _over_x(marginal: Callable[[Array], Array]) -> float:
    x = np.linspace(-12, 15, 2701)
    return float(marginal(x).sum() * (x[1] - x[0]))


def _foretells_the_cost(extra: Callable[[float], float]) -> Finding:
    """Extra data in % that logistic regression needs, against a simulation at two distances."""
    told = {delta: extra(delta) for delta in (1.0, 3.0)}
    measured = {delta: _simulated_extra(delta) for delta in told}
    holds = all(abs(told[delta] / 100 - measured[delta] / 100) < 0.15 for delta in told)
    words = [f"Δ = {d:.0f}: {told[d]:.0f} % (simulated {measured[d]:.0f} %)" for d in told]
    return Finding(holds, f"{', '.join(words)}.")


@cache  # both forms are judged by the same simulation
def _simulated_extra(delta: float, runs: int = 1000, size: int = 1000) -> float:
    """Variance of the coefficient across the classes' axis, logistic over LDA, minus 1, in %.

    Two classes N(±Δ/2 e1, I). The coefficient of the second feature is 0 in truth; its variance
    says how far the boundary turns.
    """
    rng = np.random.default_rng(5)
    y = np.tile(np.arange(size) % 2, (runs, 1))
    X = rng.standard_normal((runs, size, 2))
    X[..., 0] += delta * (y - 0.5)
    ones = np.concatenate([np.ones((runs, size, 1)), X], axis=2)
    logistic = newton_logistic(ones, y.astype(float), steps=9)[:, 2]
    first, second = X[:, 0::2], X[:, 1::2]  # the examples of class 0 and of class 1
    means = [part.mean(axis=1, keepdims=True) for part in (first, second)]
    centred = np.concatenate([first - means[0], second - means[1]], axis=1)
    pooled = np.swapaxes(centred, 1, 2) @ centred / (size - 2)
    lda = np.linalg.solve(pooled, np.swapaxes(means[1] - means[0], 1, 2))[:, 1, 0]
    return float(100 * (logistic.var() / lda.var() - 1))


def _efron(delta: float) -> float:
    """100 (1/ARE - 1) with ARE = (4 + Δ²) E[p(1-p)], the mean over the mixture."""
    x = np.linspace(-delta / 2 - 9, delta / 2 + 9, 4001)
    density = (np.exp(-((x - delta / 2) ** 2) / 2) + np.exp(-((x + delta / 2) ** 2) / 2)) / 2
    p = sigmoid(delta * x)
    mean = float((density * p * (1 - p)).sum() * (x[1] - x[0]) / math.sqrt(2 * math.pi))
    return 100 * (1 / ((4 + delta**2) * mean) - 1)


CHECKS: dict[str, Check[Any]] = {
    "E3-05": Check(
        lambda X, y, k: X.mean(axis=0), lambda X, y, k: X[y == k].mean(axis=0), _classifies
    ),
    "E3-07": Check(lambda N, Nk, K: N - K, lambda N, Nk, K: Nk - 1, _is_unbiased),
    "E3-08": Check(
        lambda X, U, values: np.diag(values**-0.5) @ U.T @ X,
        lambda X, U, values: X @ U @ np.diag(values**-0.5),
        _spheres_the_rows,
    ),
    "E3-09": Check(
        lambda means, sphere: means, lambda means, sphere: means @ sphere, _decides_as_lda
    ),
    "E3-10": Check(
        lambda variance: 0.0, lambda variance: -0.5 * math.log(variance), _follows_the_densities
    ),
    "E3-11": Check(
        lambda rank, K: rank < K - 1, lambda rank, K: rank <= K - 1, _bounds_the_dimension
    ),
    "E3-14": Check(
        lambda v, inverse_root: v, lambda v, inverse_root: inverse_root @ v, _separates_best
    ),
    "E3-21": Check(_over_classes, _over_x, _is_a_density),
    "E3-22": Check(lambda delta: 30.0, _efron, _foretells_the_cost),
    "E3-25": Check(_total_covariance, _covariance_within, _covariance_is_one),
}
