"""The pictures of LDA against logistic regression: learning curves, efficiency, far examples."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

from lectures_lib.datasets import make_outliers
from lectures_lib.decision import normal_cdf, normal_pdf
from lectures_lib.figures import Axis, Curve, Line, Panel, Points, Scene, Segments
from lectures_lib.figures.marks import between
from lectures_lib.figures.plane import CLASS_NAMES, banded_curves, curve_through, ellipse
from lectures_lib.figures.scene import Array, Floats, Mark, numbers
from lectures_lib.figures.words import number
from lectures_lib.gaussian import LinearDiscriminantAnalysis, efron_efficiency
from lectures_lib.logistic import LogisticRegression, sigmoid

METHODS = ("LDA", "logistic regression")
ROLES = ("path1", "path2")
FARTHEST = 5.0  # the largest distance of the means that is drawn
CLEAN = make_outliers(40, 0, rng=3)
PLACE = (1.5, 0.0)  # the mean of class 1, from which the arrow to the far examples starts
PLANE = (Axis("x₁", -12, 12), Axis("x₂", -10.5, 10.5))


def learning_scene(sizes: npt.ArrayLike, panels: Mapping[str, npt.ArrayLike]) -> Scene:
    """Mean errors (2, runs, sizes) of both methods over the sample size, one panel for each name.

    The bands reach one standard error to each side.
    """
    at = numbers(sizes, "sizes", ndim=1)
    x = np.log2(at / at[0])
    ticks = tuple((float(u), f"{n:g}") for u, n in zip(x, at, strict=True))
    across = Axis("labelled examples", -0.15, float(x[-1]) + 0.15, ticks)
    means = np.array([np.asarray(errors).mean(axis=1) for errors in panels.values()])
    height = Axis("error", 0.6 * float(means.min()), 1.12 * float(means.max()))
    drawn, told = [], []
    for (title, errors), mean in zip(panels.items(), means, strict=True):
        curves = banded_curves(x, dict(zip(METHODS, np.asarray(errors), strict=True)))
        drawn.append(Panel(curves, across, height, title, height=0.75))
        ends = [f"{METHODS[m]} {mean[m, 0]:.2f} and {mean[m, -1]:.2f}" for m in (0, 1)]
        name = f"{title}: " if title else ""
        told.append(f"{name}with {at[0]:g} and {at[-1]:g} examples {', '.join(ends)}")
    return Scene(tuple(drawn), f"Error, {'; '.join(told)}.", columns=min(2, len(drawn)))


def efficiency_scene(distance: float) -> Scene:
    """Two Gaussian classes so far apart, where the label is in doubt, and Efron's curve."""
    u = np.linspace(-5.5, 5.5, 221)
    lower, upper = normal_pdf(u + distance / 2), normal_pdf(u - distance / 2)
    p = np.asarray(sigmoid(distance * u))
    teaches = (lower + upper) / 2 * 4 * p * (1 - p)
    left: tuple[Mark, ...] = (
        between(u, 0.0, teaches, None, "what teaches the slope"),
        Curve(u, teaches, "wire"),
        Curve(u, lower / 2, "class0", "class 0"),
        Curve(u, upper / 2, "class1", "class 1"),
    )
    across = Axis("along the line of the means", -5.5, 5.5)
    grid = np.linspace(0, FARTHEST, 51)
    efficiency, distances = efron_efficiency(distance), Axis("distance Δ of the means", 0, FARTHEST)
    right: tuple[Mark, ...] = (
        Curve(grid, [efron_efficiency(D) for D in grid], "weights", "one example is worth"),
        Segments([[distance, 0], [0, efficiency]], [[distance, 1.08], [distance, efficiency]]),
        Points([[distance, efficiency]], look="focus", size=7),
    )
    panels = (
        Panel(left, across, Axis("density", 0, 0.42), height=0.75),
        Panel(right, distances, Axis("efficiency", 0, 1.08), height=0.75),
    )
    more = 1 / efficiency - 1
    error = float(normal_cdf(-distance / 2))
    sentence = (
        f"Means {distance:.1f} standard deviations apart: an example is worth {efficiency:.3f} to "
        f"logistic regression, which needs {more:.0%} more of them. The best possible error is "
        f"{error:.3f}."
    )
    told = (("extra examples", f"{more:.0%}"), ("best possible error", f"{error:.3f}"))
    return Scene(panels, sentence, told, columns=2)


def clean_error(w0: float, w: Floats) -> float:
    """The error of a linear rule on the two classes without their far examples, exactly."""
    size = float(np.linalg.norm(w))
    means = (w0 - 1.5 * w[0]) / size, (w0 + 1.5 * w[0]) / size
    return float((normal_cdf(means[0]) + normal_cdf(-means[1])) / 2)


def _boundaries(X: Floats, y: Array) -> list[tuple[str, Floats, float]]:
    """The name of each method with its w and w0."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where the far examples make the classes separable
        lda, logistic = LinearDiscriminantAnalysis().fit(X, y), LogisticRegression().fit(X, y)
    rows = (lda.coef_[0], lda.intercept_[0]), (logistic.coef_[0], logistic.intercept_[0])
    return [(name, w, float(w0)) for name, (w, w0) in zip(METHODS, rows, strict=True)]


@cache
def _before() -> list[tuple[str, Floats, float]]:
    """Both boundaries without the far examples."""
    return _boundaries(CLEAN.X, CLEAN.y)


def far_scene(place: tuple[float, float]) -> Scene:
    """Both boundaries when four further examples of class 1 lie around a place of the plane."""
    far = np.asarray(place) + 0.35 * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    X, y = np.concatenate([CLEAN.X, far]), np.concatenate([CLEAN.y, [1] * 4])
    found = _boundaries(X, y)
    marks = (
        Points(X, y, CLASS_NAMES, size=4),
        curve_through(ellipse(place, np.eye(2), 0.9), "outline", "far examples"),
        *(Line(w, w0, "old", "both before") for _, w, w0 in _before()),
        *(Line(w, w0, role, name) for role, (name, w, w0) in zip(ROLES, found, strict=True)),
    )
    told = [(name, f"{clean_error(w0, w):.3f}") for name, w, w0 in found]
    was = [f"{clean_error(w0, w):.3f}" for _, w, w0 in _before()]
    at = ", ".join(number(part, 1) for part in place)
    errors = ", ".join(f"{name} {value}" for name, value in told)
    sentence = (
        f"4 far examples of class 1 at ({at}). Error on clean data: {errors}; the best "
        f"possible is {clean_error(0.0, np.array([1.0, 0.0])):.3f}."
    )
    readouts = tuple(
        (f"error of {name}", f"{now}, was {before}")
        for (name, now), before in zip(told, was, strict=True)
    )
    return Scene((Panel(marks, *PLANE, equal=True),), sentence, readouts)
