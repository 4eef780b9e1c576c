"""Checks of note 000: the printed form fails, the corrected form holds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from lectures_lib.errata._entry import Check, Finding
from lectures_lib.errata._judges import (
    Array,
    Claim,
    by_verdict,
    newton_logistic,
    one_answer,
    sigmoid,
    with_ones,
)

# ------------------------------------------------------------------------- decision theory

P0 = Fraction(21, 47)  # P(ordinary | x = 1.4) = 0.6·0.35 / (0.6·0.35 + 0.4·0.65)
COSTS = {1: 2 * P0, 0: 1 * (1 - P0)}  # expected cost of predicting 1 and 0


def _three_digits(numbers: tuple[str, str]) -> Finding:
    """Both numbers are the exact ones rounded to three digits."""
    exact = [P0, COSTS[1]]
    holds = all(
        abs(Fraction(Decimal(number)) - value) <= Fraction(1, 2000)
        for number, value in zip(numbers, exact, strict=True)
    )
    off = [
        f"{number} against {value} = {float(value):.5f}"
        for number, value in zip(numbers, exact, strict=True)
    ]
    return Finding(holds, f"{' and '.join(off)}.")


def _one_minimiser(criterion: Callable[[float, int], float]) -> Finding:
    """The criterion has the same minimiser in theta whatever x is."""
    grid = np.linspace(0.01, 0.99, 99)
    best = [float(grid[np.argmin([criterion(theta, x) for theta in grid])]) for x in (0, 1)]
    return Finding(
        best[0] == best[1], f"the minimiser is {best[0]:.2f} at x = 0 and {best[1]:.2f} at x = 1."
    )


def _kl(theta: float, x: int) -> float:
    """KL between p(1|x) = 0.2 or 0.8 and a model q(1|x) = theta that does not look at x."""
    p = (0.2, 0.8)[x]
    return p * math.log(p / theta) + (1 - p) * math.log((1 - p) / (1 - theta))


def _mean_kl(theta: float, x: int) -> float:
    return (_kl(theta, 0) + _kl(theta, 1)) / 2


def _names_the_cheapest_class(rule: Callable[[], Fraction | int]) -> Finding:
    decision = rule()
    holds = decision in COSTS and COSTS[int(decision)] == min(COSTS.values())
    return Finding(holds, f"the rule returns {decision}; the classes are 0 and 1, 0 is cheaper.")


# ----------------------------------------------------------------------------- perceptron


@dataclass(frozen=True)
class IntegerUpdate:
    """One update of a run: the example, and the weights before and after it."""

    x: tuple[int, ...]  # augmented: (1, ...)
    s: int
    before: tuple[Fraction, ...]
    after: tuple[Fraction, ...]


RUN_DATA: tuple[tuple[tuple[int, ...], int], ...] = (
    ((1, 2, 1), 1),
    ((1, -1, 1), -1),
    ((1, 1, 3), 1),
    ((1, -2, -1), -1),
    ((1, 1, -2), -1),
)


def _dot(a: tuple[Any, ...], b: tuple[Any, ...]) -> Fraction:
    return sum((Fraction(u) * v for u, v in zip(a, b, strict=True)), Fraction(0))


def _run(eta: int) -> tuple[tuple[Fraction, ...], list[IntegerUpdate]]:
    """Perceptron in exact arithmetic from w = 0; returns the weights and the updates."""
    w: tuple[Fraction, ...] = (Fraction(0),) * 3
    updates: list[IntegerUpdate] = []
    clean = False
    while not clean:
        clean = True
        for x, s in RUN_DATA:
            if s * _dot(w, x) <= 0:
                after = tuple(a + eta * s * b for a, b in zip(w, x, strict=True))
                updates.append(IntegerUpdate(x, s, w, after))
                w, clean = after, False
    return w, updates


def _same_for_every_eta(learned: Callable[[Fraction], Fraction | int]) -> Finding:
    """What is learned does not depend on the learning rate."""
    runs = [_run(eta)[0] for eta in (1, 7)]
    values = [[learned(_dot(w, x)) for x, _ in RUN_DATA] for w in runs]
    told = [", ".join(str(value) for value in row) for row in values]
    return Finding(values[0] == values[1], f"η = 1 gives ({told[0]}), η = 7 gives ({told[1]}).")


def _sign(value: Fraction) -> int:
    return (value > 0) - (value < 0)


def _at_every_update(holds: Callable[[IntegerUpdate, IntegerUpdate], bool]) -> Finding:
    """The relation between an update and the one before it holds along the run."""
    updates = _run(1)[1]
    pairs = list(pairwise(updates))
    failures = [place for place, pair in enumerate(pairs, 2) if not holds(*pair)]
    told = f"fails at update {failures[0]}" if failures else "holds at all updates"
    return Finding(not failures, f"{told} of a run with {len(updates)} updates.")


def _printed_gain(previous: IntegerUpdate, update: IntegerUpdate) -> bool:
    now = update.s * _dot(update.before, update.x)
    return now > previous.s * _dot(previous.before, previous.x)


def _exact_gain(_: IntegerUpdate, update: IntegerUpdate) -> bool:
    before, after = (update.s * _dot(w, update.x) for w in (update.before, update.after))
    return after == before + _dot(update.x, update.x)


CosineBound = Callable[[float, int, float, float], bool]  # cosine, updates, gamma, R


def _cosine_claim(bound: str) -> Claim:
    """What the quotient of the two bounds of the proof simplifies to."""
    return Claim("t*eta*gamma/sqrt(t*eta**2*R**2)", bound, {"t eta gamma R": "positive"})


def _bounds_the_cosine(form: tuple[Claim, CosineBound]) -> Finding:
    """The formula, and a run that stops far from a separator that has all examples right.

    x = (1, 0) and (-1, 0) with the labels 1 and -1; w* = (1/100, 1), not normalised, separates.
    """
    claim, holds = form
    formula = by_verdict([claim])
    separator, weights, updates = np.array([0.01, 1.0]), np.zeros(2), 0
    for x, s in 2 * [(np.array([1.0, 0.0]), 1), (np.array([-1.0, 0.0]), -1)]:
        if s * (weights @ x) <= 0:
            weights, updates = weights + s * x, updates + 1
    length = float(np.linalg.norm(separator))
    cosine = float(weights @ separator / np.linalg.norm(weights)) / length
    run = holds(cosine, updates, 0.01 / length, 1.0)
    return Finding(
        formula.holds and run,
        f"{formula.evidence[:-1]}; a run that stops after {updates} update has the cosine "
        f"{cosine:.2f} to a separator.",
    )


# --------------------------------------------------------------------------- many classes

SCORES = (-0.1, -1.0, -5.0)


def _reject_rule() -> int:
    """K - 1 classifiers; the last class when none of them says yes."""
    positive = [k for k, score in enumerate(SCORES[:-1], 1) if score > 0]
    return positive[0] if positive else len(SCORES)


def _largest_output() -> int:
    return 1 + int(np.argmax(SCORES))


# --------------------------------------------------------------------- logistic likelihood


def _predicts_the_sum(predicted: Callable[[int, float, float], float]) -> Finding:
    """Sum of KL over n one-hot labels, simulated, against n, E KL and E H."""
    rng, n = np.random.default_rng(0), 200_000
    x = rng.integers(0, 2, n)
    p, q = np.array([0.2, 0.7])[x], np.array([0.4, 0.5])[x]
    y = rng.random(n) < p
    total = -np.log(np.where(y, q, 1 - q)).sum()
    kl = float(np.mean(p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))))
    entropy = float(np.mean(-p * np.log(p) - (1 - p) * np.log(1 - p)))
    value = predicted(n, kl, entropy)
    return Finding(
        abs(total / value - 1) < 0.02,
        f"the simulated sum over {n} labels is {total:.0f}, the formula gives {value:.2f}.",
    )


# ------------------------------------------------------------------------ logistic training


def _climbs_to_the_optimum(step: Callable[[Array], float]) -> Finding:
    """Gradient ascent with the summed gradient and this step rises steadily to the maximum."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal(1000)
    y = (rng.random(1000) < sigmoid(1.0 + 2.0 * x)).astype(float)
    X, w = with_ones(x), np.zeros(2)
    eta, values = step(X), []
    for _ in range(300):
        w = w + eta * (X.T @ (y - sigmoid(X @ w)))
        values.append(float(y @ (X @ w) - np.logaddexp(0, X @ w).sum()))
    falls = sum(after < before - 1e-9 for before, after in pairwise(values))
    slope = float(np.linalg.norm(X.T @ (y - sigmoid(X @ w))))
    return Finding(
        falls == 0 and slope < 1e-3,
        f"η = {eta:.4f}: the likelihood falls in {falls} of 299 steps, gradient at the end "
        f"{slope:.3f}.",
    )


def _lipschitz_step(X: Array) -> float:
    return float(4 / np.linalg.eigvalsh(X.T @ X)[-1])


def _predicts_the_growth(cost: Callable[[int, int], int]) -> Finding:
    """The formula foretells how the counted multiplications grow when p doubles."""
    n, p = 10_000, 10
    counted = _multiplications(n, 2 * p) / _multiplications(n, p)
    told = cost(n, 2 * p) / cost(n, p)
    return Finding(
        abs(told / counted - 1) < 0.1,
        f"n = {n}, p = {p} to {2 * p}: counted × {counted:.2f}, the formula says × {told:.2f}.",
    )


def _multiplications(n: int, p: int) -> int:
    """Products that X'DX (entry by entry) and the elimination that solves the system need."""
    forming = sum(n + n for _ in range(p) for _ in range(p))
    elimination = sum((p - pivot) * (p - pivot + 1) for pivot in range(1, p + 1))
    return forming + elimination


@cache  # both forms are judged by the same simulation
def _four_thousand_fits() -> tuple[Array, Array, Array]:
    """Design matrix, true probabilities, and the covariance of 4000 fits with new labels."""
    rng = np.random.default_rng(2)
    X = with_ones(rng.standard_normal(300))
    p = sigmoid(X @ np.array([0.3, 0.8]))
    labels = (rng.random((4000, 300)) < p).astype(float)
    fits = newton_logistic(np.broadcast_to(X, (4000, *X.shape)), labels, steps=7)
    return X, p, np.cov(fits.T)


def _agrees_with_monte_carlo(covariance: Callable[[Array, Array], Array]) -> Finding:
    """The formula gives the covariance of 4000 fits on the same X."""
    X, p, measured = _four_thousand_fits()
    try:
        told = covariance(X, np.diag(p * (1 - p)))
    except np.linalg.LinAlgError:
        return Finding(False, "X has 300 rows and 2 columns, and no inverse.")
    off = float(np.abs(told / measured - 1).max())
    return Finding(off < 0.15, f"largest relative difference to 4000 fits {off:.2f}.")


# --------------------------------------------------------------------------------- softmax

P_ONE = {-1: Fraction(9, 10), 0: Fraction(2, 10), 1: Fraction(9, 10)}


def _has_the_bayes_error(rule: Callable[[int], int]) -> Finding:
    errors = [1 - p if rule(x) == 1 else p for x, p in P_ONE.items()]
    bayes = [min(p, 1 - p) for p in P_ONE.values()]
    return Finding(
        sum(errors) == sum(bayes),
        f"error {float(sum(errors)) / 3:.3f}, Bayes error {float(sum(bayes)) / 3:.3f}.",
    )


def _logistic_plug_in(x: int) -> int:
    """The best logistic model here has slope 0 (symmetry) and q(1|x) = mean of p = 2/3."""
    return 1


CHECKS: dict[str, Check[Any]] = {
    "E0-02": Check(("0.446", "0.892"), ("0.447", "0.894"), _three_digits),
    "E0-03": Check(_kl, _mean_kl, _one_minimiser),
    "E0-04": Check(
        lambda: min(COSTS.values()),
        lambda: min(COSTS, key=COSTS.__getitem__),
        _names_the_cheapest_class,
    ),
    "E0-07": Check(lambda score: score, _sign, _same_for_every_eta),
    "E0-09": Check(_printed_gain, _exact_gain, _at_every_update),
    "E0-13": Check(
        (_cosine_claim("gamma/(R*sqrt(t))"), lambda cosine, t, gamma, R: cosine > 0.9),
        (
            _cosine_claim("sqrt(t)*gamma/R"),
            lambda cosine, t, gamma, R: cosine >= t**0.5 * gamma / R,
        ),
        _bounds_the_cosine,
    ),
    "E0-14": Check(
        {"K-1 with reject": _reject_rule, "K with the largest output": _largest_output},
        {"K with the largest output": _largest_output},
        one_answer,
    ),
    "E0-17": Check(lambda n, kl, h: kl, lambda n, kl, h: n * (kl + h), _predicts_the_sum),
    "E0-20": Check(lambda X: 0.5, _lipschitz_step, _climbs_to_the_optimum),
    "E0-22": Check(lambda n, p: n * p**3, lambda n, p: n * p**2 + p**3, _predicts_the_growth),
    "E0-23": Check(
        lambda X, D: X.T @ D @ np.linalg.inv(X),
        lambda X, D: np.linalg.inv(X.T @ D @ X),
        _agrees_with_monte_carlo,
    ),
    "E0-25": Check(
        _logistic_plug_in, lambda x: int(P_ONE[x] > Fraction(1, 2)), _has_the_bayes_error
    ),
}
