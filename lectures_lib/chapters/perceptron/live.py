"""The perceptron step by step, on points that the reader moves."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from lectures_lib._core.estimator import ConvergenceWarning
from lectures_lib.chapters.perceptron.pictures import trace_panels
from lectures_lib.datasets import make_gaussian_classes
from lectures_lib.figures.plane import boundary_scene, mistakes, square_axes
from lectures_lib.figures.scene import Array, Floats, Scene
from lectures_lib.figures.words import count, number
from lectures_lib.perceptron import Perceptron
from lectures_lib.widgets.controls import Cloud, choice, points, steps, toggle
from lectures_lib.widgets.widget import Live, live

SHOWN = 300  # states at most in the curves of a run: longer runs are thinned


@dataclass(frozen=True)
class Visits:
    """A run of the perceptron, one visited example at a time."""

    path: Floats  # augmented weights after 0, 1, 2, ... updates
    order: Array  # example of each visit
    updates: Array  # number of the visit (from 1) that caused each update
    errors: Floats  # mistakes in each state of the path
    losses: Floats  # mean perceptron loss in each state
    passes: int
    converged: bool


@lru_cache(maxsize=16)
def run_visits(cloud: Cloud, shuffle: bool, tie: str, max_passes: int) -> Visits:
    """The perceptron's run on a cloud, cut into visits."""
    model = Perceptron(shuffle=shuffle, tie=tie, max_iter=max_passes, record=True, rng=0)
    with warnings.catch_warnings():  # the widget says itself that the run did not end
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(cloud.X, cloud.y)
    N = len(cloud)
    orders = model.orders_ if shuffle else [np.arange(N)] * model.n_iter_
    caused = np.split(model.updates_, np.cumsum(model.mistakes_)[:-1])
    visits = [
        N * number_of_pass + 1 + np.flatnonzero(np.isin(order, examples))
        for number_of_pass, (order, examples) in enumerate(zip(orders, caused, strict=True))
    ]
    states = [mistakes(cloud.X, cloud.y, w[1:], float(w[0]), tie).sum() for w in model.path_]
    margins = (2 * cloud.y - 1)[:, None] * (model.path_[:, 0] + cloud.X @ model.path_[:, 1:].T)
    return Visits(
        path=model.path_,
        order=np.concatenate(orders),
        updates=np.concatenate(visits).astype(int),
        errors=np.array(states, dtype=float),
        losses=np.maximum(-margins, 0).mean(axis=0),
        passes=model.n_iter_,
        converged=model.converged_,
    )


def playground_scene(
    cloud: Cloud, step: int, shuffle: bool, tie: str, *, max_passes: int = 20, axes: Any = None
) -> Scene:
    """The state of the perceptron after `step` visited examples, with the curves so far."""
    run = run_visits(cloud, shuffle, tie, max_passes)
    t = int(np.searchsorted(run.updates, step, side="right"))  # updates in the visits so far
    w0, w = float(run.path[t, 0]), run.path[t, 1:]
    changed = t > 0 and run.updates[t - 1] == step
    before = run.path[t - 1] if changed else None
    plane = boundary_scene(
        cloud.X,
        cloud.y,
        w,
        w0,
        old=None if before is None else (before[1:], float(before[0])),
        current=int(run.order[step - 1]) if step else None,
        axes=axes,
        handle="points",
        tie=tie,
    )
    thin = np.unique(np.rint(np.linspace(0, t, min(t + 1, SHOWN))).astype(int))
    curves = trace_panels(run.errors[thin], run.losses[thin], x=thin)
    N = len(cloud)
    visited = "nothing visited yet"
    if step:
        verdict = "a mistake, the line has moved" if changed else "right, nothing changes"
        place = f"pass {(step - 1) // N + 1}, example {run.order[step - 1] + 1}"
        visited = f"{place}: {verdict}"
    wrong = int(run.errors[t])
    end = _how_it_ends(run, step)
    sentence = (
        f"After {count(step, 'visit')} and {count(t, 'update')}: {plane.describe()[:-1]} "
        f"({visited}){end}."
    )
    weights = ", ".join(number(v) for v in (w0, *w))
    readouts = (
        ("last visit", visited),
        ("updates", str(t)),
        ("mistakes", f"{wrong} of {N}"),
        ("(w₀, w₁, w₂)", f"({weights})"),
    )
    right = (replace(panel, height=0.42, below=i > 0) for i, panel in enumerate(curves))
    return Scene((*plane.panels, *right), sentence, readouts, columns=2)


def _how_it_ends(run: Visits, step: int) -> str:
    if step < len(run.order):
        return ""
    if run.converged:
        return "; a whole pass without a mistake: the algorithm stops"
    return f"; stopped after {run.passes} passes, no line found"


def perceptron_playground(
    X: npt.ArrayLike | None = None,
    y: npt.ArrayLike | None = None,
    *,
    classes: Sequence[str] = ("class 0", "class 1"),
    max_passes: int = 20,
) -> Live:
    """The perceptron on points that the reader drags, adds and removes, one example at a time."""
    if X is None or y is None:
        sample = make_gaussian_classes([[-1, -0.8], [1.2, 0.9]], np.eye(2) * 0.6, None, 16, rng=5)
        X, y = sample.X, sample.y
    labels = np.unique(np.asarray(y), return_inverse=True)[1]
    where = np.asarray(X, dtype=float)
    axes = square_axes(where, pad=0.3)
    start = points(where, labels, classes=classes, label="examples")

    def scene(points: Cloud, step: int, shuffle: bool, tie: str) -> Scene:
        return playground_scene(points, step, shuffle, tie, max_passes=max_passes, axes=axes)

    def plan(points: Cloud, shuffle: bool, tie: str) -> tuple[int, list[int]]:
        run = run_visits(points, shuffle, tie, max_passes)
        return len(run.order), run.updates.tolist()

    return live(
        scene,
        points=start,
        step=steps(plan, label="visited examples", jump="Next update"),
        shuffle=toggle(False, label="visit the examples in a new random order in every pass"),
        tie=choice(
            {"is a mistake (s·g ≤ 0)": "update", "is class 1 (sign(0) = +1)": "positive"},
            label="a point on the line",
        ),
    )
