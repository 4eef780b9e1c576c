"""Decision theory: from probabilities to decisions, and what the decisions cost.

    P(c_k | x) = p(x | c_k) P(c_k) / p(x)                    Bayes' rule
    f*(x) = argmax_k P(c_k | x)                              Bayes rule (MAP), smallest error
    C_j(x) = sum_k P(c_k | x) C[k, j],  argmin_j C_j(x)      smallest risk

Tables have one row per example x and one column per class. Costs are `C[true, action]`; actions
are usually the classes, but there may be more (rejecting) or fewer of them. A decision is the
column number; among equal ones the first column wins.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.costs import cost_matrix, cost_threshold, zero_one_costs
from lectures_lib._core.normal import normal_cdf, normal_pdf, normal_quantile
from lectures_lib._core.validation import (
    Array,
    Codes,
    as_float,
    as_generator,
    check_integer,
    check_matrix,
    check_number,
    check_vector,
    sum_tolerance,
)
from lectures_lib.decision._divergences import (
    cross_entropy,
    entropy,
    js_divergence,
    kl_divergence,
    probabilities,
)
from lectures_lib.decision._two_gaussians import (
    bayes_error_equal_covariance,
    bayes_error_two_gaussians,
    bayes_risk_two_gaussians,
    boundaries_two_gaussians,
    mahalanobis_distance,
    risk_of_threshold,
)

__all__ = [
    "Estimate",
    "bayes_error",
    "bayes_error_equal_covariance",
    "bayes_error_two_gaussians",
    "bayes_risk",
    "bayes_risk_two_gaussians",
    "boundaries_two_gaussians",
    "conditional_risk",
    "cost_threshold",
    "cross_entropy",
    "entropy",
    "error_probability",
    "expected_risk",
    "joint_table",
    "js_divergence",
    "kl_divergence",
    "mahalanobis_distance",
    "map_decision",
    "minimum_risk_decision",
    "ml_decision",
    "monte_carlo_error",
    "normal_cdf",
    "normal_pdf",
    "normal_quantile",
    "posterior",
    "posterior_from_logs",
    "risk_of_threshold",
    "with_reject",
    "zero_one_costs",
]


def _joint(joint: ArrayLike) -> Array:
    """A table p(x, c_k): entries >= 0 that sum to 1 over the whole table."""
    table = check_matrix(joint, "joint")
    if table.min() < 0 or abs(table.sum() - 1) > sum_tolerance(joint):
        raise ValueError(
            f"joint: found a sum of {table.sum():.6g} and a smallest entry of {table.min():.6g}, "
            "expected probabilities p(x, c_k) that sum to 1 over the whole table."
        )
    return table


def _likelihoods(likelihoods: ArrayLike) -> Array:
    """p(x | c_k): finite numbers >= 0, one column per class."""
    table = as_float(likelihoods, "likelihoods")
    if table.ndim == 0 or not (table >= 0).all() or np.isinf(table).any():
        strange = table[~((table >= 0) & np.isfinite(table))].ravel()[:1].tolist()
        raise ValueError(
            f"likelihoods: found {strange or 'one number'}, expected finite numbers >= 0, one "
            "column per class."
        )
    return table


def _priors(priors: ArrayLike, n_classes: int) -> Array:
    """P(c_k): probabilities, one per class."""
    check_vector(priors, "priors", length=n_classes)
    return probabilities(priors, "priors")


def _decisions(decisions: ArrayLike, n: int, n_actions: int) -> Codes:
    """`decisions` as `n` column numbers below `n_actions`."""
    codes = np.asarray(decisions)
    if codes.shape != (n,) or codes.dtype.kind not in "iub":
        raise ValueError(
            f"decisions: found shape {codes.shape} and dtype {codes.dtype}, expected {n} integers."
        )
    if n and (codes.min() < 0 or codes.max() >= n_actions):
        raise ValueError(
            f"decisions: found {codes.min()}..{codes.max()}, expected 0..{n_actions - 1}."
        )
    return codes.astype(np.intp)


# --- from priors and likelihoods to posteriors ---------------------------------------------------


def joint_table(priors: ArrayLike, likelihoods: ArrayLike) -> Array:
    """Table p(x, c_k) = p(x | c_k) P(c_k) of a discrete x: rows x, columns classes.

    The columns of `likelihoods` are the distributions p(. | c_k), so each of them sums to 1.

    >>> joint_table([0.6, 0.4], [[0.35, 0.65], [0.65, 0.35]])
    array([[0.21, 0.26],
           [0.39, 0.14]])
    """
    conditional = check_matrix(likelihoods, "likelihoods")
    probabilities(conditional.T, "likelihoods (each column)")
    return conditional * _priors(priors, conditional.shape[1])


def posterior(priors: ArrayLike, likelihoods: ArrayLike) -> Array:
    """P(c_k | x) = p(x | c_k) P(c_k) / sum_j p(x | c_j) P(c_j), along the last axis.

    `likelihoods` has shape (K,) for one x or (N, K); they may be densities above 1. Where every
    product is 0 the posterior is undefined, which is an error (see `posterior_from_logs`).

    >>> posterior([0.6, 0.4], [0.35, 0.65]).round(3)
    array([0.447, 0.553])
    """
    likelihood = _likelihoods(likelihoods)
    joint = likelihood * _priors(priors, likelihood.shape[-1])
    evidence = joint.sum(axis=-1, keepdims=True)
    if not (evidence > 0).all():
        raise ValueError(
            "likelihoods: found an x with probability 0 under every class, where the posterior "
            "is 0 / 0. If densities underflowed, use posterior_from_logs."
        )
    ratio: Array = joint / evidence
    return ratio


def posterior_from_logs(priors: ArrayLike, log_likelihoods: ArrayLike) -> Array:
    """The posterior from log p(x | c_k), safe where the densities themselves underflow to 0.

    >>> posterior_from_logs([0.5, 0.5], [-1000, -1001]).round(3)
    array([0.731, 0.269])
    """
    logs = as_float(log_likelihoods, "log_likelihoods")
    if logs.ndim == 0 or np.isnan(logs).any() or (logs == np.inf).any():
        raise ValueError("log_likelihoods: expected numbers < inf, one column per class.")
    with np.errstate(divide="ignore"):
        log_joint = logs + np.log(_priors(priors, logs.shape[-1]))
    largest = log_joint.max(axis=-1, keepdims=True)
    if (largest == -np.inf).any():
        raise ValueError("log_likelihoods: found an x with probability 0 under every class.")
    joint = np.exp(log_joint - largest)
    ratio: Array = joint / joint.sum(axis=-1, keepdims=True)
    return ratio


# --- decisions and their error -------------------------------------------------------------------


def map_decision(priors: ArrayLike, likelihoods: ArrayLike) -> Codes:
    """argmax_k p(x | c_k) P(c_k): the most probable class given x (the Bayes rule).

    >>> map_decision([0.7, 0.3], [[0.35, 0.65], [0.65, 0.35]])
    array([0, 0])
    """
    likelihood = _likelihoods(likelihoods)
    return np.asarray((likelihood * _priors(priors, likelihood.shape[-1])).argmax(axis=-1))


def ml_decision(likelihoods: ArrayLike) -> Codes:
    """argmax_k p(x | c_k): the class under which x is most probable; equal priors make it MAP.

    >>> ml_decision([[0.35, 0.65], [0.65, 0.35]])
    array([1, 0])
    """
    return np.asarray(_likelihoods(likelihoods).argmax(axis=-1))


def error_probability(joint: ArrayLike, decisions: ArrayLike) -> float:
    """P(y != f(x)) = sum_x sum_{k != f(x)} p(x, c_k) of the decisions f(x), one per row.

    >>> joint = joint_table([0.6, 0.4], [[0.35, 0.65], [0.65, 0.35]])
    >>> round(error_probability(joint, [1, 0]), 3)
    0.35
    """
    table = _joint(joint)
    chosen = _decisions(decisions, *table.shape)
    missed = table.copy()
    missed[np.arange(len(table)), chosen] = 0
    return float(missed.sum())


def bayes_error(joint: ArrayLike) -> float:
    """The smallest error probability of any classifier: sum_x [p(x) - max_k p(x, c_k)].

    >>> joint = joint_table([0.6, 0.4], [[0.35, 0.65], [0.65, 0.35]])
    >>> round(bayes_error(joint), 3)
    0.35
    """
    table = _joint(joint)
    return error_probability(table, table.argmax(axis=1))


# --- decisions and their cost --------------------------------------------------------------------


def with_reject(costs: ArrayLike, reject_cost: float) -> Array:
    """The costs with one more action in the last column, reject, which costs the same always.

    >>> with_reject([[0, 1], [1, 0]], 0.2)
    array([[0. , 1. , 0.2],
           [1. , 0. , 0.2]])
    """
    C = check_matrix(costs, "costs")
    return np.column_stack([C, np.full(len(C), check_number(reject_cost, "reject_cost"))])


def conditional_risk(posteriors: ArrayLike, costs: ArrayLike) -> Array:
    """C_j(x) = sum_k P(c_k | x) C[k, j]: expected cost of each action j, for each x.

    >>> conditional_risk([[0.45, 0.55]], [[0, 2], [1, 0]])
    array([[0.55, 0.9 ]])
    """
    p = probabilities(posteriors, "posteriors")
    return np.asarray(p @ cost_matrix(costs, p.shape[-1]))


def minimum_risk_decision(posteriors: ArrayLike, costs: ArrayLike) -> Codes:
    """argmin_j of the conditional risk: the cheapest action for each x.

    >>> minimum_risk_decision([[0.45, 0.55]], [[0, 2], [1, 0]])
    array([0])
    """
    return np.asarray(conditional_risk(posteriors, costs).argmin(axis=-1))


def expected_risk(joint: ArrayLike, decisions: ArrayLike, costs: ArrayLike) -> float:
    """Total risk R = sum_x sum_k p(x, c_k) C[k, a(x)] of the actions a(x), one per row.

    >>> joint = joint_table([0.6, 0.4], [[0.35, 0.65], [0.65, 0.35]])
    >>> round(expected_risk(joint, [0, 0], [[0, 2], [1, 0]]), 3)
    0.4
    """
    table = _joint(joint)
    C = cost_matrix(costs, table.shape[1])
    chosen = _decisions(decisions, len(table), C.shape[1])
    return float((table * C[:, chosen].T).sum())


def bayes_risk(joint: ArrayLike, costs: ArrayLike) -> float:
    """The smallest total risk of any rule: sum_x min_j sum_k p(x, c_k) C[k, j].

    >>> joint = joint_table([0.6, 0.4], [[0.35, 0.65], [0.65, 0.35]])
    >>> round(bayes_risk(joint, [[0, 2], [1, 0]]), 3)
    0.4
    """
    table = _joint(joint)
    return float((table @ cost_matrix(costs, table.shape[1])).min(axis=1).sum())


# --- by simulation -------------------------------------------------------------------------------


class Estimate(NamedTuple):
    """A Monte Carlo estimate and its standard error.

    >>> Estimate(value=0.25, standard_error=0.01)
    Estimate(value=0.25, standard_error=0.01)
    """

    value: float
    standard_error: float


def monte_carlo_error(
    draw: Callable[[int, np.random.Generator], tuple[ArrayLike, ArrayLike]],
    decide: Callable[[Any], ArrayLike],
    n: int,
    rng: int | np.random.Generator,
) -> Estimate:
    """Share of `n` fresh examples (X, y) = draw(n, rng) with decide(X) != y, and its error.

    The standard error is sqrt(p (1 - p) / n): the estimate is off by more than three of them
    about once in 400 runs.

    >>> def draw(n, rng):
    ...     y = rng.integers(0, 2, n)
    ...     return 2 * y + rng.standard_normal(n), y
    >>> found = monte_carlo_error(draw, lambda x: x > 1, 10_000, rng=0)
    >>> round(found.value, 2), round(found.standard_error, 4)
    (0.16, 0.0037)
    """
    size = check_integer(n, "n", at_least=1)
    X, y = draw(size, as_generator(rng))
    truth, decided = np.asarray(y), np.asarray(decide(X))
    if truth.shape != (size,) or decided.shape != (size,):
        raise ValueError(
            f"draw, decide: found shapes {truth.shape} and {decided.shape}, expected {(size,)}."
        )
    p = float(np.mean(decided != truth))
    return Estimate(p, float(np.sqrt(p * (1 - p) / size)))
