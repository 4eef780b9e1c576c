"""Decision theory: from probabilities to decisions, and what the decisions cost.

    P(c_k | x) = p(x | c_k) P(c_k) / p(x)                    Bayes' rule
    f*(x) = argmax_k P(c_k | x)                              Bayes rule (MAP), smallest error
    C_j(x) = sum_k P(c_k | x) C[k, j],  argmin_j C_j(x)      smallest risk

Tables have one row per example x and one column per class. Costs are `C[true, action]`; actions
are usually the classes, but there may be more (rejecting) or fewer of them. A decision is the
column number; among equal ones the first column wins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.costs import cost_matrix, cost_threshold
from lectures_lib._core.normal import normal_cdf, normal_pdf
from lectures_lib._core.validation import (
    Array,
    Codes,
    as_float,
    check_matrix,
    check_vector,
    sum_tolerance,
)
from lectures_lib.decision._divergences import entropy, kl_divergence, probabilities
from lectures_lib.decision._two_gaussians import (
    bayes_error_two_gaussians,
    boundaries_two_gaussians,
    mahalanobis_distance,
    risk_of_threshold,
)

__all__ = [
    "bayes_error",
    "bayes_error_two_gaussians",
    "boundaries_two_gaussians",
    "cost_threshold",
    "entropy",
    "kl_divergence",
    "mahalanobis_distance",
    "minimum_risk_decision",
    "normal_cdf",
    "normal_pdf",
    "posterior",
    "risk_of_threshold",
]


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


def posterior(priors: ArrayLike, likelihoods: ArrayLike) -> Array:
    """P(c_k | x) = p(x | c_k) P(c_k) / sum_j p(x | c_j) P(c_j), along the last axis.

    `likelihoods` has shape (K,) for one x or (N, K); they may be densities above 1. Where every
    product is 0 the posterior is undefined, which is an error.

    >>> posterior([0.6, 0.4], [0.35, 0.65]).round(3)
    array([0.447, 0.553])
    """
    likelihood = _likelihoods(likelihoods)
    joint = likelihood * _priors(priors, likelihood.shape[-1])
    evidence = joint.sum(axis=-1, keepdims=True)
    if not (evidence > 0).all():
        raise ValueError(
            "likelihoods: found an x with probability 0 under every class, where the posterior "
            "is 0 / 0. If densities underflowed, compare their logarithms."
        )
    ratio: Array = joint / evidence
    return ratio


def bayes_error(joint: ArrayLike) -> float:
    """The smallest error probability of any classifier: sum_x [p(x) - max_k p(x, c_k)].

    `joint` is the table p(x, c_k) of a discrete x: rows x, columns classes.

    >>> round(bayes_error([[0.21, 0.26], [0.39, 0.14]]), 3)
    0.35
    """
    table = check_matrix(joint, "joint")
    if table.min() < 0 or abs(table.sum() - 1) > sum_tolerance(joint):
        raise ValueError(
            f"joint: found a sum of {table.sum():.6g} and a smallest entry of {table.min():.6g}, "
            "expected probabilities p(x, c_k) that sum to 1 over the whole table."
        )
    return float((table.sum(axis=1) - table.max(axis=1)).sum())


def minimum_risk_decision(posteriors: ArrayLike, costs: ArrayLike) -> Codes:
    """argmin_j of the risk C_j(x) = sum_k P(c_k | x) C[k, j]: the cheapest action for each x.

    >>> minimum_risk_decision([[0.45, 0.55]], [[0, 2], [1, 0]])
    array([0])
    """
    p = probabilities(posteriors, "posteriors")
    return np.asarray((p @ cost_matrix(costs, p.shape[-1])).argmin(axis=-1))
