"""Many samples at once from a known model with one feature: estimates, and who has none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lectures_lib.figures.scene import Array, Floats
from lectures_lib.logistic import fisher_information, sigmoid

STEPS = 40  # of Newton's method; nobody who has a maximum needs as many


@dataclass(frozen=True, eq=False)
class Estimates:
    """Maximum-likelihood estimates of many samples; those of samples without a maximum are left
    out and counted in `separated`."""

    truth: Floats  # (w0, w1)
    w: Floats  # (R, 2)
    errors: Floats  # (R, 2) standard errors, each from its own sample
    information: Floats  # (2, 2) at the truth
    separated: int

    def inside(self, level: float = 0.95) -> Array:
        """Which estimates lie in the promised ellipse: (w - truth)' I (w - truth) <= chi²."""
        away = self.w - self.truth
        return np.asarray(np.einsum("ri,ij,rj->r", away, self.information, away) <= radius2(level))

    def covered(self, z: float = 1.96) -> Array:
        """(R, 2): whether the interval w ± z standard errors holds the truth."""
        return np.asarray(np.abs(self.w - self.truth) <= z * self.errors)


def radius2(level: float) -> float:
    """Squared radius that holds this share of a two-dimensional standard Gaussian."""
    return float(-2 * np.log(1 - level))


def draw(truth: tuple[float, float], n: int, samples: int, rng: int = 0) -> Estimates:
    """`samples` fits, each of n fresh labels on the same n values of a standard normal feature."""
    generator = np.random.default_rng(rng)
    x = generator.normal(size=n)
    w = np.array(truth)
    chance = sigmoid(w[0] + w[1] * x)
    labels = (generator.random((samples, n)) < chance).astype(float)
    kept = labels[~separated(x, labels)]
    found, errors = maximise(x, kept)
    information = fisher_information(x[:, None], w)
    return Estimates(w, found, errors, information, samples - len(kept))


def separated(x: Floats, labels: Floats) -> Array:
    """Rows of labels that a threshold on x gets right, ties at the threshold included."""
    one, infinity = labels == 1, np.inf
    low1, high1 = (np.where(one, x, s * infinity) for s in (1, -1))
    low0, high0 = (np.where(one, s * infinity, x) for s in (1, -1))
    rising = high0.max(axis=1) <= low1.min(axis=1)
    falling = high1.max(axis=1) <= low0.min(axis=1)
    return np.asarray(rising | falling)


def maximise(x: Floats, labels: Floats) -> tuple[Floats, Floats]:
    """Estimates (R, 2) and standard errors for rows of labels on one feature, all together.

    By Newton's method with steps kept below 2, so that none runs away.
    """
    w = np.zeros((len(labels), 2))
    for _ in range(STEPS):
        p = np.asarray(sigmoid(w[:, :1] + w[:, 1:] * x))
        a, b, c = _sums(x, p)
        slope0, slope1 = (labels - p).sum(axis=1), (labels - p) @ x
        det = a * c - b * b
        step = np.column_stack([c * slope0 - b * slope1, a * slope1 - b * slope0]) / det[:, None]
        w = w + step / np.maximum(1, np.abs(step).max(axis=1, keepdims=True) / 2)
    p = np.asarray(sigmoid(w[:, :1] + w[:, 1:] * x))
    a, b, c = _sums(x, p)
    return w, np.sqrt(np.column_stack([c, a]) / (a * c - b * b)[:, None])


def _sums(x: Floats, p: Floats) -> tuple[Floats, Floats, Floats]:
    """The three numbers of the information matrix of every row."""
    D = p * (1 - p)
    return D.sum(axis=1), D @ x, D @ x**2
