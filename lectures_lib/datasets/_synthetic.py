"""Samples drawn on purpose: each shows one thing, and says what is guaranteed.

Every function takes an explicit `rng` (a `numpy.random.Generator`, or an integer seed), so a
figure is the same on every machine. Gaussian points are `mean + z @ A.T` with `A @ A.T` equal to
the covariance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.validation import (
    Array,
    as_float,
    as_generator,
    check_covariance,
    check_integer,
    check_matrix,
    check_number,
    check_vector,
)
from lectures_lib.datasets._record import DataSet

Seed = np.random.Generator | int

# The avocados of decision theory: prices of ordinary (0) and organic (1) ones.
# At price 1.4 the densities stand in the ratio exp(0.64) = 1.90, near the 0.65 / 0.35 = 1.86
# of the worked example.
AVOCADO_MEANS = (1.1, 1.5)
AVOCADO_SD = 0.25
AVOCADO_PRIORS = (0.6, 0.4)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SeparableSet(DataSet):
    """A `DataSet` with a line (plane, ...) that separates it: s_i (w_star.x_i + w0_star) >= margin.

    `w_star` has length 1 up to rounding. The smallest value over each class exceeds `margin` by
    rounding only.

    >>> data = make_separable(20, 2, margin=0.5, rng=0)
    >>> s = 2 * data.y - 1
    >>> bool((s * (data.X @ data.w_star + data.w0_star)).min() >= 0.5 - 1e-12)
    True
    """

    w_star: Array
    w0_star: float
    margin: float


def _record(
    name: str, X: Array, y: NDArray[Any], class_names: Sequence[str], **extras: NDArray[Any]
) -> DataSet:
    """A `DataSet` of synthetic examples with columns x1, x2, ..."""
    return DataSet(
        name=name,
        X=X,
        y=y.astype(np.int64),
        feature_names=tuple(f"x{j + 1}" for j in range(X.shape[1])),
        class_names=tuple(class_names),
        source="synthetic, lectures_lib.datasets",
        licence="CC0, no rights reserved",
        extras=extras,
    )


def square_root_of(covariance: ArrayLike) -> Array:
    """Lower triangular A with A A^T = covariance, for any positive semidefinite matrix.

    Cholesky column by column. A zero pivot means that this direction adds nothing new: its column
    of A stays zero, so that a singular covariance (all points on a line) can be sampled too.
    """
    S = check_covariance(covariance)
    variance = np.diag(S)
    A = np.zeros_like(S)
    for j in range(len(S)):
        rest = S[j:, j] - A[j:, :j] @ A[j, :j]  # what the columns before do not explain
        if rest[0] > 1e-12 * variance[j]:
            A[j:, j] = rest / np.sqrt(rest[0])
        elif rest[0] < -1e-9 * variance[j] or (rest**2 > 1e-9 * variance[j] * variance[j:]).any():
            raise ValueError("covariance: found a negative variance, expected v^T S v >= 0.")
    return A


def make_gaussian_classes(
    means: ArrayLike,
    covariances: ArrayLike,
    priors: ArrayLike | None,
    n: int,
    rng: Seed,
) -> DataSet:
    """`n` examples of K Gaussian classes: y ~ priors, x | y = k ~ N(means[k], covariances[k]).

    means        (K, d)
    covariances  (K, d, d), or one (d, d) matrix shared by all classes
    priors       (K,) probabilities, or None for equal ones

    >>> data = make_gaussian_classes([[0, 0], [3, 0]], np.eye(2), [0.5, 0.5], 100, rng=0)
    >>> data.X.shape, np.unique(data.y).tolist()
    ((100, 2), [0, 1])
    """
    rng, n = as_generator(rng), check_integer(n, "n", at_least=1)
    centres = check_matrix(means, "means")
    K, d = centres.shape
    given = as_float(covariances, "covariances")
    if given.shape not in {(d, d), (K, d, d)}:
        raise ValueError(
            f"covariances: found shape {given.shape}, expected {(d, d)} or {(K, d, d)}."
        )
    roots = [square_root_of(S) for S in np.broadcast_to(given, (K, d, d))]
    p = np.full(K, 1 / K) if priors is None else check_vector(priors, "priors", length=K)
    if not (p >= 0).all() or abs(p.sum() - 1) > 1e-9:
        raise ValueError(f"priors: found {priors!r}, expected {K} probabilities that sum to 1.")
    y = rng.choice(K, size=n, p=p / p.sum())
    z = rng.standard_normal((n, d))
    X = np.empty((n, d))
    for k in range(K):
        X[y == k] = centres[k] + z[y == k] @ roots[k].T
    return _record("gaussian classes", X, y, [f"class {k}" for k in range(K)])


def make_separable(n: int, d: int, margin: float, rng: Seed, spread: float = 1.0) -> SeparableSet:
    """`n` points in `d` dimensions that a random hyperplane separates with the stated margin.

    With `w_star`, `w0_star` of the result and s = 2y - 1, each s_i (w_star.x_i + w0_star) /
    |w_star| is at least `margin` in exact arithmetic, not only up to rounding. Gaussian points
    of width `spread` lie along the plane; each class is pushed away from it so that its nearest
    point keeps the margin. The classes have n // 2 and n - n // 2 points.

    >>> data = make_separable(20, 2, margin=0.5, rng=0)
    >>> np.bincount(data.y).tolist()
    [10, 10]
    """
    rng = as_generator(rng)
    n, d = check_integer(n, "n", at_least=2), check_integer(d, "d", at_least=1)
    margin, spread = (
        check_number(margin, "margin", above=0),
        check_number(spread, "spread", above=0),
    )
    w = rng.standard_normal(d)
    w /= np.sqrt(w @ w)
    w0 = float(rng.uniform(-spread, spread))
    s = rng.permutation(np.where(np.arange(n) < n // 2, -1, 1))
    along = spread * rng.standard_normal((n, d))
    along -= np.outer(along @ w, w)
    distance = spread * np.abs(rng.standard_normal(n))
    for side in (-1, 1):
        distance[s == side] -= distance[s == side].min()
    # Rounding moves a score by no more than this, so exact margins stay above the stated one.
    size = np.abs(along).sum(axis=1).max() + distance.max() + margin + abs(w0)
    slack = 16 * d * np.finfo(np.float64).eps * size
    X = along + np.outer(s * (distance + margin + slack) - w0, w)
    plain = _record("separable", X, (s + 1) // 2, ("negative", "positive"))
    return SeparableSet(**vars(plain), w_star=w, w0_star=w0, margin=margin)


def make_avocados(n: int, rng: Seed) -> DataSet:
    """Prices of `n` avocados, ordinary (0) or organic (1): two Gaussians of equal width.

    >>> fruit = make_avocados(1000, rng=0)
    >>> [round(float(fruit.X[fruit.y == k].mean()), 1) for k in (0, 1)]
    [1.1, 1.5]
    """
    means = np.reshape(AVOCADO_MEANS, (2, 1))
    sample = make_gaussian_classes(means, [[AVOCADO_SD**2]], AVOCADO_PRIORS, n, rng)
    plain = _record("avocados", sample.X, sample.y, ("ordinary", "organic"))
    return DataSet(**{**vars(plain), "feature_names": ("price",)})


def make_outliers(n_per_class: int, n_outliers: int, rng: Seed, wrong: bool = False) -> DataSet:
    """Two Gaussian classes at x1 = -1.5 and 1.5, and outliers of class 1 far away.

    Correct outliers lie near x1 = 20, on their own side of the boundary; wrong ones
    (`wrong=True`) near x1 = -20, deep in the other class. They come last; `outlier` is their mask.

    >>> data = make_outliers(20, 3, rng=0)
    >>> int(data.outlier.sum()), bool(data.X[data.outlier, 0].min() > 10)
    (3, True)
    """
    rng = as_generator(rng)
    n_per_class = check_integer(n_per_class, "n_per_class", at_least=1)
    n_outliers = check_integer(n_outliers, "n_outliers", at_least=0)
    y = np.repeat([0, 1, 1], [n_per_class, n_per_class, n_outliers])
    outlier = np.arange(len(y)) >= 2 * n_per_class
    X = rng.standard_normal((len(y), 2))
    X[~outlier, 0] += np.where(y[~outlier] == 1, 1.5, -1.5)
    X[outlier, 0] += -20.0 if wrong else 20.0
    kind = "wrong" if wrong else "correct"
    return _record(f"{kind} outliers", X, y, ("class 0", "class 1"), outlier=outlier)
