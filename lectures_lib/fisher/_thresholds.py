"""Where to cut a projection w'x of two classes: five rules for the threshold."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.lesson import lesson
from lectures_lib._core.validation import (
    Array,
    Codes,
    check_choice,
    check_labels,
    check_priors,
    check_vector,
    encode_labels,
)

FORMULAS = ("midpoint", "bayes", "grand mean", "swapped")


def threshold(
    z: ArrayLike, y: ArrayLike, method: str = "midpoint", priors: ArrayLike | None = None
) -> float:
    """The value t at which the projections `z` are cut; class 1 is where its mean lies.

    With means m0, m1, priors p0, p1 and common variance s^2 = scatter / (N - 2):

    midpoint       (m0 + m1) / 2
    bayes          (m0 + m1) / 2 - s^2 / (m1 - m0) log(p1 / p0), best for Gaussians
    grand mean     p0 m0 + p1 m1, which moves the wrong way: nearer to the larger class
    swapped        p1 m0 + p0 m1, a rule of thumb that moves the right way
    fewest errors  the cut with the smallest share of errors on z itself

    >>> threshold([0, 2, 6, 8], [0, 0, 1, 1])
    4.0
    """
    values = check_vector(z, "z")
    labels = check_labels(y)
    check_choice(method, "method", (*FORMULAS, "fewest errors"))
    if len(labels) != len(values):
        raise ValueError(f"y: found {len(labels)} labels, expected {len(values)} as in z.")
    classes, codes = encode_labels(labels)
    if len(classes) != 2:
        raise ValueError(f"y: found {len(classes)} classes, expected 2 ({lesson('fisher')}).")
    counts = np.bincount(codes)
    p = counts / len(codes) if priors is None else check_priors(priors, 2)
    means = np.bincount(codes, values) / counts
    if means[0] == means[1]:
        raise ValueError(
            f"z: both classes have the same mean, expected different ones ({lesson('fisher')})"
        )
    if method == "fewest errors":
        sign = 1.0 if means[1] > means[0] else -1.0
        return sign * fewest_errors(sign * values, codes, (p / counts)[codes])
    variance = 0.0
    if method == "bayes":
        if len(values) <= 2:
            raise ValueError("z: found 2 values, expected more to estimate a variance from.")
        variance = float(((values - means[codes]) ** 2).sum()) / (len(values) - 2)
    return cut(means, p, variance, method)


def cut(means: Array, p: Array, variance: float, method: str) -> float:
    """The threshold by one of the four formulas."""
    m0, m1 = float(means[0]), float(means[1])
    if method == "midpoint":
        return (m0 + m1) / 2
    if method == "bayes":
        return (m0 + m1) / 2 - variance / (m1 - m0) * float(np.log(p[1] / p[0]))
    shares = p if method == "grand mean" else p[::-1]
    return float(shares[0]) * m0 + float(shares[1]) * m1


def fewest_errors(z: Array, codes: Codes, weights: Array) -> float:
    """The cut t for which "class 1 if z > t" has errors of the smallest total weight.

    All cuts between two neighbours are equal, so one in the middle of each gap is tried, and one
    on either side of all. Of equally good ones the nearest to the midpoint of the means is taken.
    """
    order = np.argsort(z, kind="stable")
    sorted_z, sorted_codes = z[order], codes[order]
    w = weights[order]
    missed = np.concatenate([[0.0], np.cumsum(w * sorted_codes)])  # class 1, not above the cut
    false = np.concatenate([[0.0], np.cumsum(w * (1 - sorted_codes))])
    errors = missed + false[-1] - false
    step = (sorted_z[-1] - sorted_z[0]) / len(z)
    ends = np.concatenate([[sorted_z[0] - step], sorted_z, [sorted_z[-1] + step]])
    cuts = (ends[:-1] + ends[1:]) / 2
    possible = np.concatenate([[True], sorted_z[1:] > sorted_z[:-1], [True]])
    best = errors <= errors[possible].min() + 1e-12 * w.sum()
    candidates = cuts[possible & best]
    midpoint = (z[codes == 0].mean() + z[codes == 1].mean()) / 2
    return float(candidates[np.abs(candidates - midpoint).argmin()])
