"""The convergence proof in numbers: right bounds, usual slips, and data that nearly reach them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from lectures_lib.chapters.perceptron._data import MOST_UPDATES, unusable
from lectures_lib.chapters.perceptron._runs import Array, ExactRun, augmented, exact_run


def radius_and_margin(X: Array, s: Array, w_star: Array) -> tuple[float, float]:
    """R² = max ‖(1, x)‖² and γ = min s·(w*·(1, x))/‖w*‖."""
    A = augmented(X)
    squared = (A**2).sum(axis=1).max()
    margin = (s * (A @ w_star)).min() / np.linalg.norm(w_star)
    return float(squared), float(margin)


def novikoff(
    X: Array,
    s: Array,
    w_star: Array,
    *,
    ones_in_radius: bool = True,
    length_from: int | None = 0,
    worst: Callable[[Array], float] = np.min,
    power: float = 2.0,
    separating_only: bool = True,
) -> float:
    """R²/γ², or infinity when w* does not separate; each keyword makes one usual slip.

    `length_from` is the first entry of w* that its length counts; None divides by no length.
    """
    A = augmented(X)
    margins = s * (A @ w_star)
    if separating_only and margins.min() <= 0:
        return np.inf
    radius = np.linalg.norm(A if ones_in_radius else X, axis=1).max()
    length = 1.0 if length_from is None else np.linalg.norm(w_star[length_from:])
    return float((radius * length) ** 2 / np.abs(worst(margins)) ** power / length ** (2 - power))


def bounds_hold(
    W: Array,
    w_star: Array,
    gamma: float,
    R: float,
    eta: float,
    *,
    first: int = 1,
    strict: bool = False,
    norm_power: float = 2.0,
    eta_power: float = 2.0,
    R_power: float = 2.0,
) -> tuple[Array, Array]:
    """w*·w(t) ≥ t·η·γ and ‖w(t)‖² ≤ t·η²·R²; each keyword makes one usual slip."""
    t = np.arange(first, first + len(W))
    lower, upper = t * eta * gamma, t * eta**eta_power * R**R_power
    progress, length = W @ w_star, ((W**2).sum(axis=1)) ** (norm_power / 2)
    if strict:
        return progress > lower, length < upper
    return progress >= lower, length <= upper


def dual(
    G: Array,
    s: Array,
    max_passes: int,
    *,
    own_sign: bool = True,
    other_signs: bool = True,
    counts: bool = True,
    strict: bool = False,
) -> Array:
    """How often each example causes an update, from G alone; each keyword makes one slip."""
    alpha = np.zeros(len(s))
    for _ in range(max_passes):
        clean = True
        for i in range(len(s)):
            score = G[i] @ (alpha * s if other_signs else alpha)
            margin = s[i] * score if own_sign else score
            if margin < 0 or (margin == 0 and not strict):
                alpha[i] = alpha[i] + 1 if counts else 1
                clean = False
        if clean:
            break
    return alpha


def dual_in_batches(G: Array, s: Array, max_passes: int) -> Array:
    """The slip: the scores of a pass are computed once, at its beginning."""
    alpha = np.zeros(len(s))
    for _ in range(max_passes):
        rows = s * (G @ (alpha * s)) <= 0
        if not rows.any():
            break
        alpha = alpha + rows
    return alpha


def bound_from(X: Array, s: Array, w_star: Array, w_init: Array, eta: float) -> float:
    """The largest t with (a + tηγ)² ≤ b + tη²R², where a = w*·w(0)/‖w*‖ and b = ‖w(0)‖²."""
    return from_parts(larger_root)(X, s, w_star, w_init, eta)


def bound_from_unnormalised(X: Array, s: Array, w_star: Array, w_init: Array, eta: float) -> float:
    """The slip: γ and a as they come from a w* of any length."""
    squared, margin = radius_and_margin(X, s, w_star)
    length = float(np.linalg.norm(w_star))
    return larger_root(
        float(w_star @ w_init), float(w_init @ w_init), margin * length, squared, eta
    )


def bound_from_long_start(X: Array, s: Array, w_star: Array, w_init: Array, eta: float) -> float:
    """The slip: γ is divided by ‖w*‖, and a is not."""
    squared, margin = radius_and_margin(X, s, w_star)
    return larger_root(float(w_star @ w_init), float(w_init @ w_init), margin, squared, eta)


def bound_from_any_direction(X: Array, s: Array, w_star: Array, w_init: Array, eta: float) -> float:
    """The slip: R²/γ² + 2n/(ηγ), which holds for every start of length n."""
    squared, margin = radius_and_margin(X, s, w_star)
    return float(squared / margin**2 + 2 * np.linalg.norm(w_init) / (eta * margin))


def larger_root(a: float, b: float, margin: float, squared: float, eta: float) -> float:
    """The larger solution t of (a + tηγ)² = b + tη²R²."""
    return _root(a, b, margin, squared, eta, 1.0)


def smaller_root(a: float, b: float, margin: float, squared: float, eta: float) -> float:
    """The smaller solution of the same equation."""
    return _root(a, b, margin, squared, eta, -1.0)


def _root(a: float, b: float, margin: float, squared: float, eta: float, sign: float) -> float:
    half = eta**2 * squared - 2 * a * eta * margin
    root = np.sqrt(max(half**2 + 4 * (eta * margin) ** 2 * (b - a**2), 0.0))
    return float((half + sign * root) / (2 * (eta * margin) ** 2))


def from_parts(
    bound: Callable[[float, float, float, float, float], float],
) -> Callable[..., float]:
    """The function of the data that hands (a, b, γ, R², η) to `bound`."""

    def computed(X: Array, s: Array, w_star: Array, w_init: Array, eta: float) -> float:
        squared, margin = radius_and_margin(X, s, w_star)
        a = float(w_star @ w_init / np.linalg.norm(w_star))
        return bound(a, float(w_init @ w_init), margin, squared, eta)

    return computed


FEWEST_UPDATES = 10


def separates(X: Array, s: Array, w: Array) -> str:
    """A complaint unless w separates a usable data set."""
    problem = unusable(X, s)
    if problem:
        return problem
    if len(w) != X.shape[1] + 1:
        wanted = X.shape[1] + 1
        return f"`w_tight` has {len(w)} entries; expected {wanted}: the bias, one per feature."
    if not np.any(w):
        return "`w_tight` is 0."
    margins = s * (augmented(X) @ w)
    worst = int(np.argmin(margins))
    if margins[worst] <= 0:
        return f"`w_tight` does not separate: row {worst} has the margin {margins[worst]:.6g}."
    return ""


def _run(X: Array, s: Array) -> ExactRun:
    return exact_run(X, s, "update", MOST_UPDATES)


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


def ratio(X: Array, s: Array, w: Array) -> float:
    """Updates made, over the bound with this w."""
    return _run(X, s).updates / novikoff(X, s, w)


def nearly_tight(X: Array, s: Array, w: Array) -> str:
    """A complaint unless the updates reach half the bound."""
    problem = many_updates(X, s, w)
    if problem:
        return problem
    reached = ratio(X, s, w)
    if reached < 0.5 - 1e-9:
        bound = novikoff(X, s, w)
        return (
            f"{_run(X, s).updates} updates are {reached:.2f} of the bound {bound:.6g}; "
            "expected at least half."
        )
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


def fails(first: Callable[..., str], then: Callable[..., str]) -> Callable[..., bool]:
    """Recognises data for which `first` holds and `then` does not."""

    def recognise(*values: Any) -> bool:
        return not first(*values) and bool(then(*values))

    return recognise
