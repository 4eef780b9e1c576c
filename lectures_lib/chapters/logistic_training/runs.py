"""Three ways down, written for a sample with two weights, and what each of them has cost.

The cost is counted in evaluations of the gradient over the whole sample. A step on B of N examples
costs B / N. A Hessian needs (d + 1) / 2 times the multiplications of a gradient, which is 1 for
two weights; a loss needs half of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from lectures_lib.datasets import load_titanic
from lectures_lib.figures.scene import Array, Floats
from lectures_lib.logistic import LogisticRegression, sigmoid

FAR = 1e3  # a path that is further away than this has left for good
Pair = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Run:
    """Where a method was, what it had cost by then, and how far the loss was above its minimum."""

    path: Floats
    cost: Floats
    gap: Floats

    @property
    def lost(self) -> bool:
        """Whether it ended further from the minimum than it began, or beyond all bounds."""
        return bool(self.gap[-1] > self.gap[0] or np.abs(self.path[-1]).max() > FAR)

    def arrival(self, gap: float) -> float:
        """What it had cost when the gap was `gap` or less for good, or infinity."""
        above = np.flatnonzero(self.gap > gap)
        after = int(above[-1]) + 1 if len(above) else 0
        return float(self.cost[after]) if after < len(self.cost) else float("inf")

    def thinned(self, every: float) -> Run:
        """The same run, seen once in so many gradients; its path is then light enough to draw."""
        seen = np.unique(np.searchsorted(self.cost, np.arange(0, self.cost[-1], every) - 1e-9))
        return Run(self.path[seen], self.cost[seen], self.gap[seen])


class Sample:
    """One feature with few different values, so that sums over examples are sums over these."""

    def __init__(self, x: Array, y: Array) -> None:
        values, self.codes = np.unique(x, return_inverse=True)
        sizes = np.bincount(self.codes)
        self.x, self.y = x, y
        self.ones = np.column_stack([np.ones(len(values)), values])
        self.share = sizes / len(x)
        self.rates = np.bincount(self.codes, weights=y) / sizes  # of label 1 at each value
        model = LogisticRegression().fit(x[:, None], y)
        self.best = np.r_[model.intercept_, model.coef_[0]]
        self.lowest = float(self.loss(self.best))

    def loss(self, w: Floats) -> Floats:
        """Mean loss at each row of w (..., 2)."""
        z = w @ self.ones.T
        return np.asarray((np.logaddexp(0.0, z) - self.rates * z) @ self.share)

    def gradient(self, w: Floats) -> Floats:
        return np.asarray(self.ones.T @ (self.share * (sigmoid(self.ones @ w) - self.rates)))

    def hessian(self, w: Floats) -> Floats:
        z = self.ones @ w
        D = self.share * sigmoid(z) * sigmoid(-z)
        return np.asarray(self.ones.T @ (D[:, None] * self.ones))

    @property
    def steepest(self) -> float:
        """L, the largest curvature that the loss can have anywhere."""
        return float(np.linalg.eigvalsh(self.ones.T @ (self.share[:, None] * self.ones))[-1]) / 4


@cache
def women(standardised: bool) -> Sample:
    """The women of the Titanic: their class 1 to 3, or in standard deviations; who survived."""
    titanic = load_titanic()
    group = titanic.X[:, 0] == 1
    x, y = titanic.X[group, 2], titanic.y[group]
    return Sample((x - x.mean()) / x.std() if standardised else x, y)


def _run(
    sample: Sample, start: Pair, budget: float, step: Callable[[Floats], tuple[Floats, float]]
) -> Run:
    """Steps (the next place, its price) until the budget is spent or the weights have left."""
    path, cost = [np.array(start, dtype=float)], [0.0]
    while cost[-1] < budget - 1e-9 and np.abs(path[-1]).max() < FAR:
        after, price = step(path[-1])
        path.append(after)
        cost.append(cost[-1] + price)
    return _recorded(sample, path, cost)


def _recorded(sample: Sample, path: list[Floats], cost: list[float]) -> Run:
    places = np.array(path)
    return Run(places, np.array(cost), np.maximum(sample.loss(places) - sample.lowest, 0.0))


def descent(sample: Sample, start: Pair, eta: float, budget: float) -> Run:
    """Gradient descent with a step of the length eta."""
    return _run(sample, start, budget, lambda w: (w - eta * sample.gradient(w), 1.0))


def stochastic(
    sample: Sample, start: Pair, eta: float, size: int, budget: float, seed: int = 0
) -> Run:
    """The same with the gradient of `size` examples at a time, in a new order in every pass."""
    values = sample.ones[:, 1].tolist()
    batches, cost = _batches(sample, size, math.ceil(budget - 1e-9), seed)
    w0, w1 = map(float, start)
    path = [(w0, w1)]
    for length, counted in batches:  # plain numbers: a hand waits for thousands of steps
        slope0 = slope1 = 0.0
        for x, (n, ones) in zip(values, counted, strict=True):
            missed = n / (1 + math.exp(-max(min(w0 + w1 * x, 500.0), -500.0))) - ones
            slope0, slope1 = slope0 + missed, slope1 + missed * x
        w0, w1 = w0 - eta * slope0 / length, w1 - eta * slope1 / length
        path.append((w0, w1))
    return _recorded(sample, list(np.array(path)), cost)


Batch = tuple[int, list[list[float]]]


@cache
def _batches(sample: Sample, size: int, passes: int, seed: int) -> tuple[list[Batch], list[float]]:
    """For each minibatch its length and, per value of the feature, [examples, labels 1]; the cost
    before each step and after the last."""
    rng = np.random.default_rng(seed)
    N, K = len(sample.y), len(sample.ones)
    batches: list[Batch] = []
    for _ in range(passes):
        order = rng.permutation(N)
        cells = np.arange(N) // size * K + sample.codes[order]
        many = math.ceil(N / size)
        counts = np.bincount(cells, minlength=many * K)
        hits = np.bincount(cells, weights=sample.y[order], minlength=many * K)
        table = np.stack([counts, hits], axis=-1).reshape(many, K, 2)
        batches += [(int(rows[:, 0].sum()), rows.tolist()) for rows in table]
    lengths = np.array([length for length, _ in batches])
    return batches, [0.0, *(np.cumsum(lengths) / N).tolist()]


def newton(sample: Sample, start: Pair, budget: float, halving: bool = False) -> Run:
    """Newton's method. With `halving` a step that would raise the loss is made half as long."""

    def step(w: Floats) -> tuple[Floats, float]:
        H = sample.hessian(w)
        if np.linalg.cond(H) > 1e14:
            return np.full(2, 2 * FAR), budget
        way = np.linalg.solve(H, sample.gradient(w))
        price = 1.0 + 1.0
        if not halving:
            return w - way, price
        here, t = float(sample.loss(w)), 1.0
        for _ in range(60):
            price += 0.5
            if float(sample.loss(w - t * way)) <= here:
                return w - t * way, price
            t /= 2
        return w, price

    return _run(sample, start, budget, step)
