"""The race of the methods: many steps and many orders of the examples, walked side by side.

A race is fair when each method walks at its own best step, found for all in the same way: all
steps are tried with a few orders of the examples, and the best is walked again with others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from lectures_lib.figures.scene import Array, Floats
from lectures_lib.logistic import cross_entropy_loss, gradient, step_size

TRIALS = tuple(range(100, 105))  # seeds of the orders with which a step is chosen
SEEDS = tuple(range(20))  # and of those with which it is walked again


@dataclass(frozen=True, eq=False)
class Task:
    """Features, labels 0 and 1, weights (bias first) at which the loss is lowest, and the steps
    that every method may try, in units of 1 / L."""

    X: Array
    y: Array
    best: Floats
    steps: Floats

    @cached_property
    def ones(self) -> Floats:
        return np.column_stack([np.ones(len(self.X)), self.X])

    @cached_property
    def lowest(self) -> float:
        return cross_entropy_loss(self.X, self.y, self.best)

    @cached_property
    def unit(self) -> float:
        """1 / L, the step that needs no search."""
        return step_size(self.X)

    def gap(self, w: Floats) -> Floats:
        """Loss above the lowest one; the last axis but one of w holds the weights."""
        z = self.ones @ w
        return np.asarray((np.logaddexp(0, z) - self.y[:, None] * z).mean(axis=-2) - self.lowest)


def gaps(
    task: Task,
    steps: npt.ArrayLike,
    marks: Sequence[int],
    seeds: Sequence[int] = (0,),
    batch: int | None = None,
    momentum: bool = False,
) -> Floats:
    """The gaps after so many passes: (marks, seeds, steps), from weights 0; steps in units of 1/L.

    Gradient descent, with Nesterov's momentum or without; or minibatches of `batch` examples in a
    new order in every pass, with step t divided by the root of t.
    """
    rngs = [np.random.default_rng(seed) for seed in (seeds if batch else seeds[:1])]
    N, etas = len(task.y), np.asarray(steps) * task.unit
    found, t = [], 0
    w = v = np.zeros((len(rngs), task.ones.shape[1], len(etas)))
    for made in range(1, marks[-1] + 1):
        orders = np.array([rng.permutation(N) for rng in rngs]) if batch else np.arange(N)[None]
        for some in np.split(orders, range(batch or N, N, batch or N), axis=1):
            t += 1
            # few examples at a time: a copy of all in their new order would leave the cache
            part: Floats = np.take(task.ones, some, axis=0) if batch else task.ones
            p = 0.5 + 0.5 * np.tanh(part @ v / 2)  # the sigmoid
            slope = part.swapaxes(-1, -2) @ (p - task.y[some][..., None]) / some.shape[1]
            before, w = w, v - etas / (np.sqrt(t) if batch else 1) * slope
            v = w + (t - 1) / (t + 2) * (w - before) if momentum else w
        if made in marks:
            found.append(task.gap(w))
    return np.array(found)


def at_its_best(
    task: Task,
    marks: Sequence[int],
    seeds: Sequence[int] = SEEDS,
    batch: int | None = None,
    momentum: bool = False,
) -> tuple[Floats, Floats]:
    """For each mark the step with the lowest mean gap in the trials, and the gaps (marks, seeds)
    to which it leads with other orders."""
    tried = np.mean(gaps(task, task.steps, marks, TRIALS, batch, momentum), axis=1)
    best = task.steps[tried.argmin(axis=1)]
    lengths, which = np.unique(best, return_inverse=True)
    walked = gaps(task, lengths, marks, seeds, batch, momentum)
    return best, np.array([walked[k, :, step] for k, step in enumerate(which)])


def lbfgs(task: Task, evaluations: int) -> Floats:
    """The lowest gap so far after each evaluation of the loss with its gradient, by SciPy."""
    from scipy.optimize import minimize

    seen: list[float] = []

    def loss_and_slope(w: Floats) -> tuple[float, Floats]:
        seen.append(cross_entropy_loss(task.X, task.y, w) - task.lowest)
        return seen[-1] + task.lowest, gradient(task.X, task.y, w)

    limits = {"maxfun": evaluations, "maxiter": evaluations, "gtol": 1e-12, "ftol": 0}
    start = np.zeros(task.X.shape[1] + 1)
    minimize(loss_and_slope, start, jac=True, method="L-BFGS-B", options=limits)
    return np.minimum.accumulate(seen)


__all__ = ["SEEDS", "TRIALS", "Task", "at_its_best", "gaps", "lbfgs"]
