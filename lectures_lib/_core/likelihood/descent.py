"""Gradient descent and stochastic gradient descent for the mean cross-entropy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from lectures_lib._core.likelihood.newton import SearchEnd, Trail
from lectures_lib._core.likelihood.terms import Likelihood, Rows, Value
from lectures_lib._core.validation import Array, Codes


@dataclass
class Watch:
    """Says when a loss has stopped falling, and remembers where it was lowest."""

    patience: int  # checks in a row without a new lowest loss
    tol: float  # a new lowest loss is lower by more than this
    lowest: float = np.inf
    theta: Array | None = None
    since: int = 0

    def stops(self, loss: float, theta: Array) -> bool:
        """Take note of a loss; True when there was no lower one for `patience` checks."""
        if loss < self.lowest - self.tol:
            self.lowest, self.theta, self.since = loss, theta, 0
        else:
            self.since += 1
        return self.since >= self.patience


def hessian_bound(f: Likelihood) -> Array:
    """B (r + 1, r + 1) with B - H positive semidefinite, H the Hessian for the rows of one class.

    The Hessian of one example is (diag(p) - pp') (x) xx'. The largest eigenvalue of the first
    factor is at most 1/4 for one score, where it is p(1 - p), and at most 1/2 for several.
    """
    width = f.rows.width + 1
    gram = np.zeros((width, width))
    for part, Z in f.blocks():
        ones = np.column_stack([np.ones(len(Z)), Z])
        gram += ones.T @ (f.share[part, None] * ones)
    return bend(f) * gram + np.diag(f.ridges())


def steepest(f: Likelihood) -> float:
    """L: a step of length 1 / L along the gradient never raises the mean loss."""
    return float(np.linalg.eigvalsh(hessian_bound(f))[-1])


def steepest_single(f: Likelihood) -> float:
    """The same for the longest single example, which is what a stochastic step may meet."""
    return bend(f) * f.longest(np.ones(f.rows.width + 1)) + f.ridge


def bend(f: Likelihood) -> float:
    """Bound of the curvature of one example's loss in its scores."""
    return 0.25 if f.shape[0] == 1 else 0.5


def gradient_descent(
    f: Likelihood,
    eta: float,
    tol: float,
    max_iter: int,
    held_out: Likelihood | None,
    watch: Watch,
    record: Trail,
) -> SearchEnd:
    """theta <- theta - eta gradient, until no entry of the gradient is above `tol`.

    With held-out examples, until their loss has stopped falling; their best theta is returned.
    """
    theta = np.zeros(f.shape)
    here = f.at(theta)
    record.add(theta, here.loss)
    done, n_iter = False, 0
    while not done and n_iter < max_iter:
        done = _flat(here, tol)
        if held_out is not None:
            done = done or watch.stops(held_out.at(theta).loss, theta)
        if done:
            break
        with np.errstate(over="ignore", invalid="ignore"):  # too long steps are found out below
            after = theta - eta * here.gradient
            there = f.at(after)
        if not np.isfinite(there.loss):
            break
        theta, here = after, there
        n_iter += 1
        record.add(theta, here.loss)
    if held_out is not None and watch.theta is not None:
        theta = watch.theta
    return SearchEnd(theta, f.at(theta).loss, done or _flat(here, tol), n_iter)


def _flat(here: Value, tol: float) -> bool:
    return float(np.abs(here.gradient).max()) <= tol


def stochastic_gradient(
    f: Likelihood,
    eta: Callable[[int], float],
    batch_size: int,
    max_iter: int,
    held_out: Likelihood | None,
    watch: Watch,
    record: Trail,
    rng: np.random.Generator,
) -> SearchEnd:
    """The same with the gradient of a few examples at a time, in a new random order every epoch.

    Ends when the loss (of the held-out examples, or else of the training examples) has stopped
    falling from epoch to epoch; the best epoch's theta is returned. `eta(t)` is the length of step
    t = 1, 2, ...
    """
    theta = np.zeros(f.shape)
    judge = f if held_out is None else held_out
    N, t = len(f.codes), 0
    record.add(theta, f.at(theta).loss)
    done, n_iter = watch.stops(judge.at(theta).loss, theta), 0
    while not done and n_iter < max_iter:
        order = rng.permutation(N)
        for start in range(0, N, batch_size):
            t += 1
            with np.errstate(over="ignore", invalid="ignore"):
                theta = theta - eta(t) * batch(f, order[start : start + batch_size], theta)
        if not np.isfinite(theta).all():
            break
        n_iter += 1
        loss = f.at(theta).loss
        record.add(theta, loss)
        done = watch.stops(loss if judge is f else judge.at(theta).loss, theta)
    assert watch.theta is not None
    return SearchEnd(watch.theta, f.at(watch.theta).loss, done, n_iter)


def batch(f: Likelihood, chosen: Codes, theta: Array) -> Array:
    """Estimate of the gradient from the chosen examples; right on average over all choices."""
    part = replace(
        f,
        rows=Rows(f.rows.X[chosen]),
        codes=f.codes[chosen],
        share=f.share[chosen] * (len(f.codes) / len(chosen)),
    )
    return part.at(theta).gradient
