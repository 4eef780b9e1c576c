"""Checks of note 002: the printed form fails, the corrected form holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from lectures_lib.errata._entry import Check, Finding
from lectures_lib.errata._judges import (
    Array,
    newton_logistic,
    sigmoid,
    with_ones,
)
from lectures_lib.errata.checks_001 import _has_a_minimiser

# ------------------------------------------------------------------------------ likelihood

PROBABILITIES = (Fraction(9, 10), Fraction(3, 10), Fraction(2, 10))
Likelihood = Callable[[Sequence[Fraction], Sequence[int]], Fraction]


def _totals_one(likelihood: Likelihood) -> Finding:
    """The likelihoods of all labellings of three examples add up to 1."""
    total = sum(
        (likelihood(PROBABILITIES, labels) for labels in product((0, 1), repeat=3)), Fraction(0)
    )
    return Finding(total == 1, f"the likelihoods of all 8 labellings add up to {total}.")


def _product(factors: Sequence[Fraction]) -> Fraction:
    result = Fraction(1)
    for factor in factors:
        result *= factor
    return result


def _one_label_for_all(p: Sequence[Fraction], y: Sequence[int]) -> Fraction:
    return _product([q ** y[0] * (1 - q) ** (1 - y[0]) for q in p])


def _own_labels(p: Sequence[Fraction], y: Sequence[int]) -> Fraction:
    return _product([q**label * (1 - q) ** (1 - label) for q, label in zip(p, y, strict=True)])


def _without_labels(p: Sequence[Fraction], y: Sequence[int]) -> Fraction:
    return _product(p)


def _is_the_factor(meaning: Callable[[Fraction, int], Fraction]) -> Finding:
    """What the Bernoulli factor p^y (1-p)^(1-y) is worth for p = 3/10 and label 1."""
    factor, value = Fraction(3, 10), meaning(Fraction(3, 10), 1)
    return Finding(value == factor, f"for p = 3/10 and y = 1 it is {value}, the factor {factor}.")


def _is_decided_rightly(p: Fraction, y: int) -> Fraction:
    return Fraction(int((p > Fraction(1, 2)) == (y == 1)))


def _probability_of_label(p: Fraction, y: int) -> Fraction:
    return p if y == 1 else 1 - p


SEVEN_X = np.array([-1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 20.0])
SEVEN_Y = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0])
Goal = Callable[[Array, Array], float]  # (probabilities, labels) -> what is to be maximised


def _accuracy(p: Array, y: Array) -> float:
    return float(np.mean((p > 0.5) == (y == 1)))


def _log_likelihood(p: Array, y: Array) -> float:
    return float(np.log(np.where(y == 1, p, 1 - p)).sum())


def _maximum_likelihood_is_best(goal: Goal) -> Finding:
    """No threshold between the seven points beats the maximum-likelihood fit in this goal."""
    X = with_ones(SEVEN_X)
    best = sigmoid(X @ newton_logistic(X, SEVEN_Y, steps=20))
    rivals = [sigmoid(SEVEN_X - threshold) for threshold in np.arange(-1.5, 5)]
    rival = max(goal(p, SEVEN_Y) for p in rivals)
    value = goal(best, SEVEN_Y)
    return Finding(value >= rival, f"maximum likelihood {value:.3f}, best threshold {rival:.3f}.")


# -------------------------------------------------------------------------------- gradient

ROWS = ((1, 2), (1, -1), (1, 3))
LABELS = (1, 0, 0)
Accumulate = Callable[[Fraction, Fraction], Fraction]


def _gradient_at_zero(accumulate: Accumulate) -> Finding:
    """The pseudo-code's gradient at theta = 0 (every prediction 1/2) against X'(y - 1/2)."""
    gradient = [Fraction(0), Fraction(0)]
    for row, y in zip(ROWS, LABELS, strict=True):
        for j in (0, 1):
            gradient[j] = accumulate(gradient[j], (y - Fraction(1, 2)) * row[j])
    right = [
        sum(
            ((y - Fraction(1, 2)) * row[j] for row, y in zip(ROWS, LABELS, strict=True)), Fraction()
        )
        for j in (0, 1)
    ]
    told = [f"({', '.join(str(entry) for entry in vector)})" for vector in (gradient, right)]
    return Finding(gradient == right, f"the code gives {told[0]}, the gradient is {told[1]}.")


def _finds_the_boundary(design: Callable[[Array], Array]) -> Finding:
    """Classes around 2 and 4: the fitted boundary must classify nearly all examples."""
    rng = np.random.default_rng(0)
    y = np.repeat([0.0, 1.0], 100)
    x = 2 + 2 * y + 0.5 * rng.standard_normal(200)
    X = design(x)
    accuracy = _accuracy(sigmoid(X @ newton_logistic(X, y)), y)
    return Finding(accuracy > 0.95, f"accuracy {accuracy:.2f} on 200 examples.")


CHECKS: dict[str, Check[Any]] = {
    "E2-01": Check(((-1, -1), (1, 1)), ((-1, -1), (1, 1), (2, -1)), _has_a_minimiser),
    "E2-07": Check(
        lambda so_far, term: term, lambda so_far, term: so_far + term, _gradient_at_zero
    ),
    "E2-08": Check(lambda x: x[:, None], with_ones, _finds_the_boundary),
    "E2-10": Check(_accuracy, _log_likelihood, _maximum_likelihood_is_best),
    "E2-11": Check(_is_decided_rightly, _probability_of_label, _is_the_factor),
    "E2-12": Check(_one_label_for_all, _own_labels, _totals_one),
    "E2-13": Check(_without_labels, _own_labels, _totals_one),
}
