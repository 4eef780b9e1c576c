"""Two Gaussian classes: boundaries, Bayes error and risks, exact up to rounding."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.costs import cost_matrix, cost_threshold
from lectures_lib._core.lesson import lesson
from lectures_lib._core.normal import normal_cdf
from lectures_lib._core.validation import (
    Array,
    as_float,
    check_covariance,
    check_number,
    check_vector,
)
from lectures_lib.decision._divergences import probabilities


def _two_gaussians(
    means: ArrayLike, sds: ArrayLike, priors: ArrayLike, costs: ArrayLike | None
) -> tuple[Array, Array, Array, Array]:
    """Means, standard deviations, priors and costs (0-1 for None) of two classes on a line."""
    m = check_vector(means, "means", length=2)
    sd = check_vector(np.broadcast_to(as_float(sds, "sds"), 2), "sds", length=2)
    if not (sd > 0).all():
        raise ValueError(f"sds: found {sd.min():g}, expected standard deviations above 0.")
    p = probabilities(check_vector(priors, "priors", length=2), "priors")
    C = cost_matrix(1 - np.eye(2) if costs is None else costs, 2)
    cost_threshold(C)
    return m, sd, p, C


def boundaries_two_gaussians(
    means: ArrayLike, sds: ArrayLike, priors: ArrayLike, costs: ArrayLike | None = None
) -> Array:
    """The points of the line where the Bayes decision changes: 0, 1 or 2 of them, ascending.

    Class k has density N(means[k], sds[k]^2); `sds` may be one number for both. With equal
    widths and 0-1 costs the only boundary is
    (m1 + m0) / 2 - sd^2 / (m1 - m0) log(P(1) / P(0)).

    >>> boundaries_two_gaussians([0, 2], [1, 1], [0.5, 0.5])
    array([1.])
    >>> boundaries_two_gaussians([0, 2], [1, 2], [0.5, 0.5]).round(3)
    array([-2.571,  1.238])
    """
    m, sd, p, C = _two_gaussians(means, sds, priors, costs)
    gain_1, gain_0 = p[1] * (C[1, 0] - C[1, 1]), p[0] * (C[0, 1] - C[0, 0])
    if gain_1 <= 0 or gain_0 <= 0:  # one decision is never worse: no boundary
        return np.empty(0)
    # log of gain_1 f_1 / (gain_0 f_0) = a t^2 + b t + c, in units t of class 0
    shift, ratio = (m[1] - m[0]) / sd[0], sd[1] / sd[0]
    a = (1 - 1 / ratio**2) / 2
    b = shift / ratio**2
    c = np.log(gain_1 / gain_0) - np.log(ratio) - (shift / ratio) ** 2 / 2
    with np.errstate(over="ignore"):  # classes that differ by almost nothing: a root at infinity
        if a == 0:
            roots = [] if b == 0 else [-c / b]
        else:
            discriminant = b * b - 4 * a * c
            if discriminant <= 0:  # no root, or a double one that the sign does not change at
                return np.empty(0)
            q = -(b + np.copysign(np.sqrt(discriminant), b)) / 2  # no difference of equal numbers
            roots = [q / a, c / q]
        edges = m[0] + sd[0] * np.sort(np.array(roots, dtype=np.float64))
    return np.asarray(edges[np.isfinite(edges)])


def _mass(low: Array, high: Array, mean: float, sd: float) -> Array:
    """P(low < X < high) for X ~ N(mean, sd^2), taken from the nearer tail."""
    u, v = (low - mean) / sd, (high - mean) / sd
    right = u > 0
    return np.asarray(
        np.where(right, normal_cdf(-u) - normal_cdf(-v), normal_cdf(v) - normal_cdf(u))
    )


def bayes_error_two_gaussians(means: ArrayLike, sds: ArrayLike, priors: ArrayLike) -> float:
    """The smallest error probability for two Gaussian classes on a line, exact up to rounding.

    In each interval between the boundaries one class is the likelier one; the masses of both
    there come from the normal distribution function. Equal widths and equal priors:
    Phi(-Delta / 2) with Delta = |m1 - m0| / sd.

    >>> round(bayes_error_two_gaussians([0, 2], [1, 1], [0.5, 0.5]), 4)
    0.1587
    """
    m, sd, p, _ = _two_gaussians(means, sds, priors, None)
    edges = np.concatenate([[-np.inf], boundaries_two_gaussians(m, sd, p), [np.inf]])
    masses = np.array([p[k] * _mass(edges[:-1], edges[1:], m[k], sd[k]) for k in range(2)])
    return float(masses.min(axis=0).sum())


def risk_of_threshold(
    threshold: float,
    means: ArrayLike,
    sds: ArrayLike,
    priors: ArrayLike,
    costs: ArrayLike | None = None,
) -> float:
    """Expected cost of "predict 1 above the threshold" for two Gaussian classes on a line.

    >>> round(risk_of_threshold(1, [0, 2], [1, 1], [0.5, 0.5]), 4)
    0.1587
    """
    m, sd, p, C = _two_gaussians(means, sds, priors, costs)
    z = (check_number(threshold, "threshold") - m) / sd
    below, above = normal_cdf(z), normal_cdf(-z)
    return float(p @ (C[:, 0] * below + C[:, 1] * above))


def mahalanobis_distance(mean_0: ArrayLike, mean_1: ArrayLike, covariance: ArrayLike) -> float:
    """Delta = sqrt((mu_1 - mu_0)^T Sigma^-1 (mu_1 - mu_0)).

    >>> mahalanobis_distance([0, 0], [3, 4], 25 * np.eye(2))
    1.0
    """
    S = check_covariance(covariance)
    a = check_vector(mean_0, "mean_0", length=len(S))
    b = check_vector(mean_1, "mean_1", length=len(S))
    try:
        root = np.linalg.cholesky(S)
    except np.linalg.LinAlgError as error:
        raise ValueError(
            "covariance: found a singular or indefinite matrix, expected a positive definite one. "
            f"See {lesson('gaussian_classifiers')}."
        ) from error
    return float(np.linalg.norm(np.linalg.solve(root, b - a)))
