"""Data that nearly reach the bound: what answers to the construction are judged by."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.chapters.perceptron.runs import (
    MOST_UPDATES,
    Array,
    Run,
    augmented,
    possible_runs,
    unusable,
)
from lectures_lib.perceptron import Perceptron


def novikoff(X: Array, s: Array, w_star: Array) -> float:
    """R²/γ² for a w* that separates."""
    A = augmented(X)
    gamma = (s * (A @ w_star)).min() / np.linalg.norm(w_star)
    return float((A**2).sum(axis=1).max() / gamma**2)


def separates_and_starts(X: Array, s: Array, w_star: Array, w_init: Array, eta: float) -> bool:
    """What the task promises: w* separates, and η is positive."""
    return bool(eta > 0 and np.min(s * (augmented(X) @ w_star)) > 0)


def between_bounds(X: Array, s: Array, w: Array) -> Any:
    """The norm of the weights along the run, between the two bounds that w gives."""
    from lectures_lib.chapters.perceptron_convergence.pictures import bounds_scene

    if many_updates(X, s, w):
        return None
    A, unit = augmented(X), w / np.linalg.norm(w)
    R = np.linalg.norm(A, axis=1).max()
    return bounds_scene(Perceptron(record=True).fit(X, s).path_, unit, min(s * (A @ unit)), R)


FEWEST_UPDATES = 10


def separates(X: Array, s: Array, w: Array) -> str:
    """A complaint unless w separates a usable data set."""
    problem = unusable(X, s)
    if problem:
        return problem
    if len(w) != X.shape[1] + 1:
        wanted = X.shape[1] + 1
        return f"`w_tight` has {len(w)} entries; expected {wanted}: the bias and one per feature."
    if not np.any(w):
        return "`w_tight` is 0."
    margins = s * (augmented(X) @ w)
    worst = int(np.argmin(margins))
    if margins[worst] <= 0:
        return f"`w_tight` does not separate: row {worst} has s·g = {margins[worst]:.6g}."
    return ""


def _run(X: Array, s: Array) -> Run:
    """The run with the most updates of those that can be meant."""
    return max(possible_runs(X, s, "update"), key=lambda run: (run.stopped, run.updates))


def many_updates(X: Array, s: Array, w: Array) -> str:
    """A complaint unless the run stops after ten updates or more."""
    problem = separates(X, s, w)
    if problem:
        return problem
    run = _run(X, s)
    if not run.stopped:
        return f"The run has not stopped after {MOST_UPDATES:,} updates; stay below."
    if run.updates < FEWEST_UPDATES:
        return f"The run makes {run.updates} updates; expected at least {FEWEST_UPDATES}."
    return ""


def too_few_updates(X: Array, s: Array, w: Array) -> bool:
    """Recognises data on which the run stops after a handful of updates."""
    if separates(X, s, w):
        return False
    run = _run(X, s)
    return run.stopped and run.updates < FEWEST_UPDATES


def too_slow(X: Array, s: Array, w: Array) -> bool:
    """Recognises separated data on which the run does not stop in time."""
    return not separates(X, s, w) and not _run(X, s).stopped


def nearly_tight(X: Array, s: Array, w: Array) -> str:
    """A complaint unless the updates reach half the bound."""
    problem = many_updates(X, s, w)
    if problem:
        return problem
    updates, half = _run(X, s).updates, novikoff(X, s, w) / 2
    if updates < half * (1 - 2e-9):
        return f"The run makes {updates} updates; half the bound is {half:.6g}."
    return ""


def turned_round(X: Array, s: Array, w: Array) -> bool:
    """Recognises a w whose opposite separates, and better than w with its last entry in front."""
    if not not_separating(X, s, w) or separates(X, s, -w):
        return False
    Z = s[:, None] * augmented(X)
    return bool((Z @ -w).min() >= (Z @ np.roll(w, 1)).min())


def bias_last(X: Array, s: Array, w: Array) -> bool:
    """Recognises a w whose last entry is the bias."""
    return bool(separates(X, s, w)) and not separates(X, s, np.roll(w, 1))


def not_separating(X: Array, s: Array, w: Array) -> bool:
    """Recognises usable data with a w of the right length that does not separate them."""
    usable = not unusable(X, s) and len(w) == X.shape[1] + 1
    return usable and bool(separates(X, s, w))


def far_from_tight(X: Array, s: Array, w: Array) -> bool:
    """Recognises data on which enough updates are made, but the bound is much larger."""
    return not many_updates(X, s, w) and bool(nearly_tight(X, s, w))
