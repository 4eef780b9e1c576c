"""The pictures of LDA against logistic regression: learning curves, efficiency, far examples."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from lectures_lib._core.normal import normal_cdf
from lectures_lib.datasets import make_outliers
from lectures_lib.figures import Axis, Curve, Line, Panel, Points, Scene, Segments
from lectures_lib.figures.marks import between
from lectures_lib.figures.scene import Floats, Mark, numbers
from lectures_lib.figures.words import number
from lectures_lib.gaussian import LinearDiscriminantAnalysis, efron_efficiency
from lectures_lib.logistic import LogisticRegression, sigmoid

METHODS = ("LDA", "logistic regression")
ROLES = ("path1", "path2")
TINTS = (2, 6)  # the tints of the two roles
FARTHEST = 5.0  # the largest distance of the means that is drawn
CLEAN = make_outliers(40, 0, rng=3)
PLACE = (1.5, 0.0)  # the mean of class 1, from which the arrow to the far examples starts
TURNS = np.linspace(0, 2 * np.pi, 33)
AROUND = 0.9 * np.array([np.cos(TURNS), np.sin(TURNS)])  # a circle around the far examples
PLANE = (Axis("x₁", -12, 12), Axis("x₂", -10.5, 10.5))


def learning_scene(sizes: npt.ArrayLike, panels: Mapping[str, npt.ArrayLike]) -> Scene:
    """Mean errors (2, runs, sizes) of both methods over the sample size, one panel for each name.

    The bands reach one standard error to each side.
    """
    at = numbers(sizes, "sizes", ndim=1)
    x = np.log2(at / at[0])
    ticks = tuple((float(u), f"{n:g}") for u, n in zip(x, at, strict=True))
    found = {title: numbers(given, "errors", ndim=3) for title, given in panels.items()}
    means = np.concatenate([errors.mean(axis=1).ravel() for errors in found.values()])
    height = Axis("error", 0.6 * float(means.min()), 1.12 * float(means.max()))
    drawn: list[Panel] = []
    told: list[str] = []
    for title, errors in found.items():
        mean = errors.mean(axis=1)
        spread = errors.std(axis=1, ddof=1) / math.sqrt(errors.shape[1])
        bands = [
            between(x, m - s, m + s, tint) for m, s, tint in zip(mean, spread, TINTS, strict=True)
        ]
        curves = [
            Curve(x, m, role, name) for m, role, name in zip(mean, ROLES, METHODS, strict=True)
        ]
        axes = Axis("labelled examples", -0.15, float(x[-1]) + 0.15, ticks), height
        drawn.append(Panel((*bands, *curves), *axes, title, height=0.75))
        ends = [f"{METHODS[m]} {mean[m, 0]:.2f} and {mean[m, -1]:.2f}" for m in (0, 1)]
        name = f"{title}: " if title else ""
        told.append(f"{name}with {at[0]:g} and {at[-1]:g} examples {', '.join(ends)}")
    return Scene(tuple(drawn), f"Error, {'; '.join(told)}.", columns=min(2, len(drawn)))


def efficiency_scene(distance: float) -> Scene:
    """Two Gaussian classes so far apart, where the label is in doubt, and Efron's curve."""
    u = np.linspace(-5.5, 5.5, 221)
    height = np.exp(-(u**2) / 2) / math.sqrt(2 * math.pi)
    lower, upper = (
        np.interp(u, u + shift, height, left=0, right=0) for shift in (-distance / 2, distance / 2)
    )
    p = np.asarray(sigmoid(distance * u))
    teaches = (lower + upper) / 2 * 4 * p * (1 - p)
    left: tuple[Mark, ...] = (
        between(u, 0.0, teaches, None, "what teaches the slope"),
        Curve(u, teaches, "wire"),
        Curve(u, lower / 2, "class0", "class 0"),
        Curve(u, upper / 2, "class1", "class 1"),
    )
    across = Axis("along the line of the means", -5.5, 5.5)
    densities = Panel(left, across, Axis("density", 0, 0.42), height=0.75)
    grid = np.linspace(0, FARTHEST, 51)
    efficiency = efron_efficiency(distance)
    right: tuple[Mark, ...] = (
        Curve(grid, [efron_efficiency(D) for D in grid], "weights", "one example is worth"),
        Segments([[distance, 0], [0, efficiency]], [[distance, 1.08], [distance, efficiency]]),
        Points([[distance, efficiency]], look="focus", size=7),
    )
    curve = Panel(
        right,
        Axis("distance Δ of the means", 0, FARTHEST),
        Axis("efficiency", 0, 1.08),
        height=0.75,
    )
    more = 1 / efficiency - 1
    error = float(normal_cdf(-distance / 2))
    sentence = (
        f"Means {distance:.1f} standard deviations apart: an example is worth {efficiency:.3f} to "
        f"logistic regression, which needs {more:.0%} more of them. The best possible error is "
        f"{error:.3f}."
    )
    told = (("extra examples", f"{more:.0%}"), ("best possible error", f"{error:.3f}"))
    return Scene((densities, curve), sentence, told, columns=2)


def clean_error(w0: float, w: Floats) -> float:
    """The error of a linear rule on the two classes without their far examples, exactly."""
    size = float(np.linalg.norm(w))
    means = (w0 - 1.5 * w[0]) / size, (w0 + 1.5 * w[0]) / size
    return float((normal_cdf(means[0]) + normal_cdf(-means[1])) / 2)


@cache
def _before() -> tuple[Line, ...]:
    """Both boundaries without the far examples."""
    lda = LinearDiscriminantAnalysis().fit(CLEAN.X, CLEAN.y)
    logistic = LogisticRegression().fit(CLEAN.X, CLEAN.y)
    fits = (lda.coef_, lda.intercept_), (logistic.coef_, logistic.intercept_)
    return tuple(
        Line(w[0], float(w0[0]), "old", f"{name} before")
        for name, (w, w0) in zip(METHODS, fits, strict=True)
    )


def far_scene(place: Sequence[float], many: int = 4) -> Scene:
    """Both boundaries when `many` further examples of class 1 lie at a place of the plane."""
    spread = 0.35 * np.array([[1, 0], [-1, 0], [0, 1], [0, -1], [0, 0]])[:many]
    far = np.asarray(place, dtype=float) + spread
    X, y = np.concatenate([CLEAN.X, far]), np.concatenate([CLEAN.y, np.ones(len(far), dtype=int)])
    marks: list[Mark] = [
        Points(X, y, ("class 0", "class 1"), size=4),
        Curve(place[0] + AROUND[0], place[1] + AROUND[1], "outline", "far examples"),
        *_before(),
    ]
    told = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where the far examples make the classes separable
        lda, logistic = LinearDiscriminantAnalysis().fit(X, y), LogisticRegression().fit(X, y)
    fits: tuple[LinearDiscriminantAnalysis | LogisticRegression, ...] = (lda, logistic)
    for name, role, model in zip(METHODS, ROLES, fits, strict=True):
        w, w0 = model.coef_[0], float(model.intercept_[0])
        marks.append(Line(w, w0, role, name))
        told.append((name, f"{clean_error(w0, w):.3f}"))
    at = ", ".join(number(part, 1) for part in place)
    errors = ", ".join(f"{name} {value}" for name, value in told)
    sentence = (
        f"{len(far)} far examples of class 1 at ({at}). Error on clean data: {errors}; the best "
        f"possible is {clean_error(0.0, np.array([1.0, 0.0])):.3f}."
    )
    readouts = tuple((f"error of {name}", value) for name, value in told)
    return Scene((Panel(tuple(marks), *PLANE, equal=True),), sentence, readouts)
