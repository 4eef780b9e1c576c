"""How far a number from a test set can be trusted: intervals of a share, the error of an AUC."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.normal import normal_quantile
from lectures_lib._core.validation import Array, check_integer, check_number, check_vector
from lectures_lib.metrics._counts import binary_truth


class DeLong(NamedTuple):
    """The AUC of each score on the same examples, and the covariance of these estimates.

    >>> delong([0, 1, 0, 1], [0.1, 0.4, 0.3, 0.8]).areas
    array([1.])
    """

    areas: Array
    covariance: Array


def wilson_interval(k: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The shares p that k of n does not contradict: (k/n - p)^2 <= z^2 p (1 - p) / n.

    z is the normal quantile of the level. Other than k/n ± z sqrt(k/n (1 - k/n) / n) it stays in
    [0, 1] and does not shrink to a point at k = 0.

    >>> [round(end, 3) for end in wilson_interval(0, 12)]
    [0.0, 0.242]
    """
    total = check_integer(n, "n", at_least=1)
    found = check_integer(k, "k", at_least=0)
    if found > total:
        raise ValueError(f"k: found {found}, expected at most n = {total}.")
    if not 0 < check_number(level, "level") < 1:
        raise ValueError(f"level: found {level:g}, expected a number between 0 and 1.")
    z2 = float(normal_quantile((1 + level) / 2)) ** 2
    share = found / total
    middle = (share + z2 / (2 * total)) / (1 + z2 / total)
    half = np.sqrt(z2 * (share * (1 - share) + z2 / (4 * total)) / total) / (1 + z2 / total)
    low = 0.0 if found == 0 else float(middle - half)
    high = 1.0 if found == total else float(middle + half)
    return low, high


def hanley_mcneil(area: float, n_positive: int, n_negative: int) -> float:
    """Standard error of an AUC from the area and the two class sizes alone (1982).

    The sampling variance of the share of pairs won is

        [A (1 - A) + (n+ - 1) (Q1 - A^2) + (n- - 1) (Q2 - A^2)] / (n+ n-),

    with Q1 = A / (2 - A) and Q2 = 2 A^2 / (1 + A), which is so for exponential scores.

    >>> round(hanley_mcneil(0.893, 51, 58), 2)
    0.03
    """
    A = check_number(area, "area", at_least=0, at_most=1)
    n = check_integer(n_positive, "n_positive", at_least=1)
    m = check_integer(n_negative, "n_negative", at_least=1)
    Q1, Q2 = A / (2 - A), 2 * A**2 / (1 + A)
    variance = (A * (1 - A) + (n - 1) * (Q1 - A**2) + (m - 1) * (Q2 - A**2)) / (n * m)
    return float(np.sqrt(max(variance, 0.0)))


def delong(y_true: ArrayLike, *y_scores: ArrayLike) -> DeLong:
    """AUCs of one or more scores of the same examples, with their covariance (DeLong et al. 1988).

    Each positive wins against a share of the negatives; the mean of these shares is the AUC. So
    is the mean, over the negatives, of the share of positives that beat it. The spread of the two
    kinds of shares gives the variance: S10 / n+ + S01 / n-. No shape of the scores is assumed.

    >>> found = delong([0, 1, 0, 1], [0.1, 0.4, 0.3, 0.8], [0.2, 0.1, 0.3, 0.8])
    >>> found.areas, found.covariance.round(3)
    (array([1. , 0.5]), array([[0.  , 0.  ],
           [0.  , 0.25]]))
    """
    if not y_scores:
        raise ValueError("y_scores: found none, expected at least one array of scores.")
    positive = binary_truth(y_true)
    scores = [check_vector(score, "y_score", length=len(positive)) for score in y_scores]
    shares = [_shares_won(positive, score) for score in scores]
    of_positives = np.array([won for won, _ in shares])
    of_negatives = np.array([won for _, won in shares])
    n, m = of_positives.shape[1], of_negatives.shape[1]
    if n < 2 or m < 2:
        raise ValueError(f"y_true: found {n} positive and {m} negative, expected two of each.")
    covariance = np.cov(of_positives) / n + np.cov(of_negatives) / m
    return DeLong(of_positives.mean(axis=1), np.atleast_2d(covariance))


def _shares_won(positive: NDArray[np.bool_], score: Array) -> tuple[Array, Array]:
    """For each positive the share of negatives below it, for each negative that of positives
    above it; equal scores count one half."""
    winners, losers = score[positive], score[~positive]
    up, down = np.sort(winners), np.sort(losers)
    below = np.searchsorted(down, winners, "left") + np.searchsorted(down, winners, "right")
    not_above = np.searchsorted(up, losers, "left") + np.searchsorted(up, losers, "right")
    return below / (2 * len(down)), 1 - not_above / (2 * len(up))
