"""The pictures of training: a ravine with three paths, Newton's parabola, minibatches."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
from contourpy import contour_generator

from lectures_lib.chapters.logistic_training.runs import (
    Pair,
    Run,
    descent,
    newton,
    stochastic,
    women,
)
from lectures_lib.figures import (
    Arrow,
    Axis,
    Curve,
    Line,
    Mark,
    Panel,
    Points,
    Scene,
    Segments,
    Text,
)
from lectures_lib.figures.marks import joined
from lectures_lib.figures.plane import curve_through, square_axes
from lectures_lib.figures.scene import Floats, numbers
from lectures_lib.figures.words import number, power_of_ten
from lectures_lib.logistic import cross_entropy_loss, newton_step, sigmoid

LEVELS = (0.003, 0.01, 0.03, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)  # loss above the minimum
WEIGHTS = (Axis("w₀", -3, 8), Axis("w₁", -5, 4))
BUDGET = 40.0  # evaluations of the gradient
QUIETER = 4  # the steps of stochastic descent are this many times shorter
LOWEST = 1e-8  # the end of the axis of gaps
REACHED = 1e-4  # a gap that counts as arrived
SPAN, HEIGHT = (-12.0, 8.0), (-2.6, 6.0)  # axes of the parabolas
ROLES = {"gradient descent": "path1", "stochastic": "path2", "Newton": "weights"}


# --- the ravine ----------------------------------------------------------------------------------


@cache
def contours(standardised: bool) -> Floats:
    """The lines on which the loss is one of LEVELS above its minimum, NaN between them."""
    sample = women(standardised)
    x, y = WEIGHTS
    u, v = np.linspace(x.lo, x.hi, 111), np.linspace(y.lo, y.hi, 91)
    grid = np.stack(np.meshgrid(u, v), axis=-1)
    made = contour_generator(u, v, sample.loss(grid) - sample.lowest)
    return joined([np.asarray(line) for level in LEVELS for line in made.lines(level)])


def ravine_scene(
    standardised: bool = False,
    start: Pair = (0.0, 0.0),
    factor: float = 1.0,
    size: int = 8,
    halving: bool = False,
    handle: str = "",
) -> Scene:
    """Contours of the loss over two weights, three paths from one start, and what they cost.

    `factor` is the step of descent in units of 1 / L.
    """
    sample = women(standardised)
    eta = factor / sample.steepest
    runs = {
        "gradient descent": descent(sample, start, eta, BUDGET),
        "stochastic": stochastic(sample, start, eta / QUIETER, size, BUDGET).thinned(0.25),
        "Newton": newton(sample, start, BUDGET, halving),
    }
    marks: list[Mark] = [curve_through(contours(standardised), "wire", "equal loss")]
    for name in ("stochastic", "gradient descent", "Newton"):
        path = np.clip(runs[name].path, -100, 100)  # a drawing cannot hold what ran away farther
        marks.append(curve_through(path, ROLES[name], name))
        if name != "stochastic":
            marks.append(Points(path[1:], look="dot", size=2.5))
    marks.append(Points([sample.best], look="ring", size=9, labels=("minimum",)))
    marks.append(Points([start], look="focus", size=9, labels=("start",), handle=handle))
    title = "standardised feature" if standardised else "feature as it is"
    plane = Panel(tuple(marks), *WEIGHTS, title, equal=True)
    told = "; ".join(f"{name} {_fate(run)}" for name, run in runs.items())
    step = f"a step of {number(factor)}/L"
    warning = ", longer than 2/L" if factor > 2 else ""
    place = f"({number(start[0])}, {number(start[1])})"
    sentence = f"Loss of two weights, {title}, from {place} with {step}{warning}: {told}."
    readouts = tuple((name, _fate(run)) for name, run in runs.items())
    return Scene((plane, _costs(runs)), sentence, readouts, columns=2, shared_legend=True)


def _fate(run: Run) -> str:
    arrived = run.arrival(REACHED)
    if arrived <= 0.9 * BUDGET:
        return f"arrives after {number(float(np.ceil(arrived)))}"
    if run.lost:
        return "runs away"
    late = run.gap[run.cost > 0.75 * BUDGET]
    return f"is {number(float(np.median(late)), 4)} above the minimum in the end"


def _costs(runs: Mapping[str, Run]) -> Panel:
    marks: list[Mark] = []
    for name, run in runs.items():
        height = np.log10(np.clip(run.gap, LOWEST / 10, 1e2))
        marks.append(Curve(run.cost, height, ROLES[name], name))
    level = float(np.log10(REACHED))
    marks.append(Line([0, 1], -level, "guide"))
    arrived = Text([BUDGET, level], ("arrived",), "end", size=11, colour="muted", shift=(0, 4))
    powers = tuple((float(k), power_of_ten(k)) for k in range(-8, 1, 2))
    axes = (
        Axis("cost, in gradients over the sample", 0, BUDGET),
        Axis("loss above the minimum", np.log10(LOWEST), 1.2, powers),
    )
    return Panel((*marks, arrived), *axes, "what it cost", height=0.82)


# --- parabolas -----------------------------------------------------------------------------------


def parabola_scene(start: float) -> Scene:
    """The loss along one weight, and two parabolas that touch it at `start`: Newton's, with the
    curvature that is there, and the one with the largest curvature anywhere."""
    sample = women(True)
    grid = np.linspace(*SPAN, 201)
    level = float(sample.best[0])

    def loss(w1: Floats) -> Floats:
        return sample.loss(np.stack(np.broadcast_arrays(level, w1), axis=-1))

    here = np.array([level, start])
    value, slope = float(sample.loss(here)), float(sample.gradient(here)[1])
    top = float(np.mean(sample.x**2)) / 4  # no curvature along this weight is larger
    marks: list[Mark] = [  # what is held keeps its number: the marks below come and go
        Curve(grid, loss(grid), "boundary", "loss J"),
        Points([[start, value]], look="focus", size=9, labels=("here",)),
    ]
    told = []
    for name, bend, role in (
        ("Newton's parabola", float(sample.hessian(here)[1, 1]), "old"),
        ("upper parabola", top, "path1"),
    ):
        model = value + slope * (grid - start) + bend / 2 * (grid - start) ** 2
        after, bottom = start - slope / bend, value - slope**2 / (2 * bend)
        there = float(loss(np.array(after)))
        marks.append(Curve(grid, np.where(model < 8, model, np.nan), role, name))
        if SPAN[0] <= after <= SPAN[1] and bottom > HEIGHT[0]:
            marks.append(Segments([[after, bottom]], [[after, there]], "guide"))
            marks.append(Points([[after, bottom]], look="dot", size=3))
            marks.append(Points([[after, there]], look="dot", labels=("the next places",)))
        else:
            left, place = after < start, number(after, 1)
            words = f"← Newton: {place}" if left else f"Newton: {place} →"
            x = SPAN[0] + 0.2 if left else SPAN[1] - 0.2
            marks.append(Text([x, 3.4], (words,), "start" if left else "end"))
        told.append(
            f"{name} is lowest at {number(after)}, where the loss is {number(there)}, "
            f"{'lower' if there < value else 'higher'} than before"
        )
    axes = Axis("w₁, standardised", *SPAN), Axis("loss", *HEIGHT)
    panel = Panel(tuple(marks), *axes, height=0.55)
    sentence = f"At w₁ = {number(start)} the loss is {number(value)}; {'; '.join(told)}."
    return Scene((panel,), sentence)


def along_scene(
    X: npt.ArrayLike, y: npt.ArrayLike, w: npt.ArrayLike, places: Mapping[str, npt.ArrayLike]
) -> Scene | None:
    """The loss on the way from w along Newton's direction, and two named places on that way.

    None for a place that is not between the two ends.
    """
    start = numbers(w, "w", ndim=1)
    way = newton_step(X, y, start) - start
    t = np.linspace(0, 1, 81)
    loss = np.array([cross_entropy_loss(X, y, start + v * way) for v in t])
    marks: list[Mark] = [Curve(t, loss), Points([[0.0, loss[0]]], look="focus", labels=("start",))]
    told = []
    for (name, place), look in zip(places.items(), ("dot", "ring"), strict=True):
        there = numbers(place, name, ndim=1)
        if there.shape != start.shape:
            return None
        length = float((there - start) @ way / (way @ way))
        aside = np.linalg.norm(there - start - length * way) / np.linalg.norm(way)
        if aside > 1e-6 or not 0 <= length <= 1:
            return None
        height = cross_entropy_loss(X, y, start + length * way)
        marks.append(Points([[length, height]], look=look, size=7, labels=(name,)))
        told.append(f"{name} {number(length, 4)} of the way, loss {number(height)}")
    span = Axis("share of the whole Newton step", -0.05, 1.05)
    panel = Panel(tuple(marks), span, Axis.around(loss, "loss"), height=0.5)
    sentence = f"The loss along Newton's direction, {number(float(loss[0]))} at the start: "
    return Scene((panel,), f"{sentence}{'; '.join(told)}.")


def twins_scene(X: npt.ArrayLike, condition: float) -> Scene | None:
    """Two columns against each other, and the condition number of the Hessian at w = 0."""
    columns = numbers(X, "X", ndim=2)
    if columns.shape[1] != 2 or not len(columns):
        return None
    x, y = square_axes(columns)
    sentence = f"{len(columns)} rows; the condition number is {condition:.3g}."
    return Scene((Panel((Points(columns, look="dot"),), x, y, equal=True),), sentence)


# --- minibatches ---------------------------------------------------------------------------------


def batches_scene(x: npt.ArrayLike, y: npt.ArrayLike, w: Pair, sizes: Sequence[int]) -> Scene:
    """The gradients of all minibatches of each size, around the gradient of the sample."""
    xs, labels = numbers(x, "x", ndim=1), np.asarray(y)
    missed = np.asarray(sigmoid(w[0] + w[1] * xs)) - labels
    each = np.column_stack([missed, missed * xs])
    full = each.mean(axis=0)
    axes = (
        Axis.around(each[:, 0], "∂J/∂w₀", pad=0.15),
        Axis.around(each[:, 1], "∂J/∂w₁", pad=0.15),
    )
    panels, told = [], []
    for size in sizes:
        cloud = np.array(
            [each[list(rows)].mean(axis=0) for rows in itertools.combinations(range(len(xs)), size)]
        )
        error = float(np.sqrt(np.mean(np.sum((cloud - full) ** 2, axis=1))))
        marks = (
            Points(cloud, look="dot", size=3.5, labels=("one minibatch",)),
            Points([cloud.mean(axis=0)], look="focus", size=10, labels=("mean of them all",)),
            Arrow([[0, 0]], [full], "weights", "gradient of the sample"),
        )
        panels.append(Panel(marks, *axes, f"{len(cloud)} minibatches of {size}", height=0.9))
        told.append(f"{len(cloud)} of {size}, off by {number(error)}")
    sentence = (
        f"All minibatches of {len(xs)} examples: {'; '.join(told)} (root of the mean squared "
        "distance); the mean of each cloud is the gradient of the sample."
    )
    return Scene(tuple(panels), sentence, shared_legend=True)
