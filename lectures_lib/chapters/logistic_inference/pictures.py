"""The pictures of inference: a cloud and its ellipse, separation, outliers, degrees."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt

from lectures_lib.chapters.logistic_inference.resamples import Estimates, radius2
from lectures_lib.datasets import DataSet
from lectures_lib.figures import Axis, Curve, Line, Mark, Panel, Points, Scene, Segments, Text
from lectures_lib.figures.plane import (
    CLASS_NAMES,
    curve_through,
    ellipse,
    regions_scene,
    square_axes,
)
from lectures_lib.figures.scene import Floats, numbers
from lectures_lib.figures.words import count, number
from lectures_lib.least_squares import LeastSquaresClassifier
from lectures_lib.logistic import LogisticRegression, gradient, sigmoid

SHOWN = 1000  # estimates that a cloud draws
GAPS = np.unique(np.round([*np.arange(0, 6.01, 0.1), 3.65, 3.68, 3.69], 2))
TOP = 12.0  # the end of the axis of weights
LOW = np.array([-1.7, -1.2, -0.9, -0.6, -0.4, -0.2, -0.1, 0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.2, 2.0])


# --- the cloud and its ellipse -------------------------------------------------------------------


def cloud_scene(estimates: Estimates, n: int) -> Scene:
    """Estimates from many samples, the truth, the promised ellipse; beside it weights that run."""
    inside = estimates.inside()
    promised = ellipse(estimates.truth, np.linalg.inv(estimates.information), radius2(0.95) ** 0.5)
    marks = (
        Points(estimates.w[:SHOWN], look="dot", size=1.8, labels=("estimate of one sample",)),
        curve_through(promised, "weights", "95 % ellipse"),
        Points([estimates.truth], look="focus", size=9, labels=("truth",)),
    )
    axes = (Axis.around(estimates.w[:, 0], "w₀"), Axis.around(estimates.w[:, 1], "w₁"))
    cloud = Panel(marks, *axes, f"{len(estimates.w)} samples of {n}", height=0.9)
    running, told = _running()
    sentence = (
        f"{len(estimates.w)} estimates from samples of {n}: {inside.mean():.1%} lie in the ellipse "
        f"that was promised 95 %. {told}"
    )
    readouts = (("in the ellipse", f"{inside.mean():.1%}"),)
    return Scene((cloud, running), sentence, readouts, columns=2, shared_legend=True)


def _running() -> tuple[Panel, str]:
    """The weight of gradient descent on two samples that differ in one label."""
    x = np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])[:, None]
    rounds = np.unique(np.geomspace(1, 30_000, 60).astype(int))
    marks: list[Mark] = []
    ends = []
    for name, y, role in (
        ("separable", [0, 0, 0, 1, 1, 1], "path2"),
        ("one label exchanged", [0, 0, 1, 0, 1, 1], "path1"),
    ):
        w, seen = np.zeros(2), []
        for step in range(1, rounds[-1] + 1):
            w = w - gradient(x, y, w)
            if step in rounds:
                seen.append(w[1])
        marks.append(Curve(np.log10(rounds), seen, role, name))
        ends.append(f"{name}, {number(float(seen[-1]))}")
    ticks = tuple((float(k), t) for k, t in enumerate(("1", "10", "100", "1,000", "10,000")))
    panel = Panel(
        tuple(marks),
        Axis("steps of gradient descent", 0, float(np.log10(rounds[-1])), ticks),
        Axis("w₁", 0, 10),
        "six examples",
        height=0.9,
    )
    return panel, f"The weight after 30,000 steps of descent: {'; '.join(ends)}."


# --- separation ----------------------------------------------------------------------------------


def two_groups(gap: float) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Fifteen values of class 0, and the same, moved to the right, of class 1."""
    return np.r_[LOW, LOW + gap], np.repeat([0, 1], len(LOW))


def _fit(x: Floats, y: npt.ArrayLike, ridge: float = 0.0) -> LogisticRegression | None:
    """The fit to one feature; None where the likelihood has no maximum."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression(C=1 / ridge if ridge else np.inf).fit(x[:, None], y)
    return model if model.converged_ else None


@cache
def fitted(gap: float, ridge: float) -> tuple[float, float, float, float] | None:
    """w0, w1, the standard error of w1 (NaN with a ridge), sqrt of the likelihood ratio."""
    model = _fit(*two_groups(gap), ridge)
    if model is None:
        return None
    error = float("nan") if ridge else float(model.standard_errors_[1])
    ratio = max(model.null_deviance_ - model.deviance_, 0.0)
    return float(model.intercept_[0]), float(model.coef_[0, 0]), error, float(np.sqrt(ratio))


def _fit_panel(
    x: Floats, y: npt.NDArray[np.int64], across: Axis, w: tuple[float, float] | None, title: str
) -> Panel:
    """The values with their labels, and the curve with these weights."""
    marks: list[Mark] = [Points(np.column_stack([x, y]), y, CLASS_NAMES)]
    if w is not None:
        grid = np.linspace(across.lo, across.hi, 161)
        marks.append(Curve(grid, sigmoid(w[0] + w[1] * grid), "boundary", "p(1|x)"))
    return Panel(tuple(marks), across, Axis("probability", -0.12, 1.12), title, height=0.42)


def separation_scene(gap: float, ridge: float = 0.0) -> Scene:
    """Two groups so far apart, the fitted curve, and what happens to w1, its error, its z."""
    here = fitted(gap, ridge)
    fit = _fit_panel(*two_groups(gap), Axis("x", -3, 9), here and here[:2], "the fit")
    if here is None:
        cut = (LOW.max() + LOW.min() + gap) / 2
        step = Curve([-3, cut, cut, 9], [0, 0, 1, 1], "old", "the limit, a step")
        fit = replace(fit, marks=(*fit.marks, step))
    free, fits = _series(0.0)
    z = fits[:, 1] / fits[:, 2]
    weights = [
        Curve(free, np.minimum(fits[:, 1], 2 * TOP), "boundary", "w₁"),
        Curve(free, np.minimum(fits[:, 2], 2 * TOP), "path2", "standard error"),
    ]
    if ridge:
        gaps, held = _series(ridge)
        weights.append(Curve(gaps, held[:, 1], "path1", "w₁ with the ridge"))
    tests = [
        Curve(free, z, "path2", "z = w₁/s.e."),
        Curve(free, fits[:, 3], "path4", "√LR"),
        Segments([[0, 1.96]], [[6, 1.96]], "guide"),
        Text([5.9, 1.96], ("1.96",), "end", size=11, colour="muted", shift=(0, 8)),
    ]
    weight = here[1] if here is not None and here[1] < TOP else None
    test = float(np.interp(gap, free, z)) if gap <= free[-1] else None
    panels = (
        fit,
        _over_gaps("weight and error", Axis("weight", 0, TOP), weights, gap, weight),
        _over_gaps("two tests of w₁ = 0", Axis("z", 0, 8), tests, gap, test),
    )
    sentence = f"Groups {number(gap, 1)} apart: {_told(here, ridge)}"
    readouts = (
        ("w₁", "none, it runs to ∞" if here is None else number(here[1])),
        ("standard error", "none" if here is None or ridge else number(here[2])),
        ("z", "none" if here is None or ridge else number(here[1] / here[2])),
    )
    return Scene(panels, sentence, readouts, columns=2)


def fit_scene(x: npt.ArrayLike, y: npt.ArrayLike) -> Scene:
    """Values of one feature with their labels, and the curve of maximum likelihood."""
    xs, labels = numbers(x, "x", ndim=1), np.asarray(y, dtype=int)
    model = _fit(xs, labels)
    w, told = None, "the likelihood has no maximum"
    if model is not None:
        w = float(model.intercept_[0]), float(model.coef_[0, 0])
        z, ratio = float(model.z_values_[1]), model.null_deviance_ - model.deviance_
        told = f"z = {number(z)}, likelihood ratio {number(ratio)}"
    panel = _fit_panel(xs, labels, Axis.around(xs, "x"), w, "")
    return Scene((panel,), f"{len(xs)} examples: {told}.")


def _told(here: tuple[float, float, float, float] | None, ridge: float) -> str:
    if here is None:
        return "a threshold separates the classes, and the likelihood has no maximum."
    if ridge:
        return f"w₁ = {number(here[1])} with a ridge of {number(ridge)}."
    return (
        f"w₁ = {number(here[1])}, standard error {number(here[2])}, z = "
        f"{number(here[1] / here[2])}, √LR = {number(here[3])}."
    )


def _series(ridge: float) -> tuple[Floats, Floats]:
    """The gaps that have a maximum, and the fits there, one per row."""
    found = [(gap, fit) for gap in GAPS if (fit := fitted(float(gap), ridge)) is not None]
    return np.array([gap for gap, _ in found]), np.array([fit for _, fit in found])


def _over_gaps(
    title: str, y: Axis, curves: Sequence[Mark], gap: float, height: float | None
) -> Panel:
    """Curves over the gap, a ring on one of them, and where the maximum disappears."""
    end = float(LOW.max() - LOW.min())
    ring = np.empty((0, 2)) if height is None else [[gap, height]]
    marks = (
        Points(ring, look="focus", size=8),  # held: first whatever follows
        *curves,
        Segments([[end, 0]], [[end, 100]], "old"),
        Text([end, 0.4], ("separable",), "start", size=11, colour="muted", shift=(4, 0)),
    )
    return Panel(marks, Axis("gap", 0, 6), y, title, height=0.62)


# --- outliers ------------------------------------------------------------------------------------


def outliers_scene(samples: Mapping[str, DataSet]) -> Scene:
    """The boundaries of logistic regression and of least squares, with different far points."""
    panels, told = [], []
    axes = (Axis("x₁", -23, 23), Axis("x₂", -7, 7))
    for name, data in samples.items():
        model = LogisticRegression().fit(data.X, data.y)
        squares = LeastSquaresClassifier().fit(data.X, data.y)
        clean = ~data.outlier
        marks: list[Mark] = []
        shares = []
        for machine, role, label in (
            (model, "boundary", "logistic regression"),
            (squares, "old", "least squares"),
        ):
            marks.append(Line(machine.coef_[0], float(machine.intercept_[0]), role, label))
            shares.append(f"{np.mean(machine.predict(data.X[clean]) == data.y[clean]):.0%}")
        marks.append(Points(data.X, data.y, CLASS_NAMES, size=3.5))
        panels.append(Panel(tuple(marks), *axes, name, height=0.62))
        slope = number(float(model.coef_[0, 0]))
        told.append(f"{name}: slope {slope}, right {shares[0]}, least squares {shares[1]}")
    sentence = f"Right among the points that are no outliers. {'; '.join(told)}."
    return Scene(tuple(panels), sentence, shared_legend=True)


# --- degrees -------------------------------------------------------------------------------------


def degrees_scene(X: npt.ArrayLike, y: npt.ArrayLike, models: Mapping[int, object]) -> Scene:
    """The regions of models with polynomial features of growing degree, {degree: model}."""
    panels, told = [], []
    axes = square_axes(X, pad=0.05)
    for degree, model in models.items():
        one = regions_scene(X, y, model.predict, axes=axes)  # type: ignore[attr-defined]
        panel = one.panels[0]
        marks = tuple(replace(m, size=4.0) if isinstance(m, Points) else m for m in panel.marks)
        panels.append(Panel(marks, panel.x, panel.y, f"degree {degree}", equal=True))
        wrong = int(np.sum(model.predict(X) != np.asarray(y)))  # type: ignore[attr-defined]
        told.append(f"degree {degree}, {count(wrong, 'mistake')}")
    sentence = f"{len(np.asarray(y))} examples on which the models were trained: {'; '.join(told)}."
    return Scene(tuple(panels), sentence, shared_legend=True)
