"""The perceptron step by step, on points that the reader moves."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from lectures_lib._core.estimator import ConvergenceWarning
from lectures_lib.chapters.perceptron.pictures import loss_scene
from lectures_lib.datasets import make_gaussian_classes
from lectures_lib.figures.marks import Arrow, Curve, HalfPlane, Line, Points, Text, Track
from lectures_lib.figures.palette import line_style
from lectures_lib.figures.plane import CLASS_NAMES, mistakes, square_axes
from lectures_lib.figures.scene import Array, Axis, Floats, Mark, Panel, Scene
from lectures_lib.figures.words import count, equation, number
from lectures_lib.perceptron import Perceptron
from lectures_lib.widgets import Cloud, Live, choice, live, points, position, steps

SHOWN = 120  # states at most in the curve of a run: longer runs are thinned
MAX_PASSES = 20
NOTHING = np.empty((0, 2))


@dataclass(frozen=True)
class Visits:
    """A run of the perceptron, one visited example at a time, in the order of the examples."""

    path: Floats  # augmented weights after 0, 1, 2, ... updates
    updates: Array  # number of the visit (from 1) that caused each update
    errors: Array  # mistakes in each state of the path
    passes: int
    converged: bool


@lru_cache(maxsize=16)
def run_visits(cloud: Cloud) -> Visits:
    """The perceptron's run on a cloud, cut into visits."""
    model = Perceptron(max_iter=MAX_PASSES, record=True)
    with warnings.catch_warnings():  # the widget says itself that the run did not end
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(cloud.X, cloud.y)
    earlier = len(cloud) * np.repeat(np.arange(model.n_iter_), model.mistakes_)
    errors = [mistakes(cloud.X, cloud.y, w[1:], float(w[0])).sum() for w in model.path_]
    return Visits(
        model.path_,
        earlier + model.updates_ + 1,
        np.array(errors),
        model.n_iter_,
        model.converged_,
    )


class State(NamedTuple):
    """Where a run stands after some visits."""

    cloud: Cloud
    run: Visits
    step: int
    updates: int  # so far
    weights: Floats  # bias first
    before: Floats | None  # the weights before the last visit, if it changed them

    def visited(self, number_of_visit: int) -> int:
        """The example of a visit."""
        return (number_of_visit - 1) % len(self.cloud)


def _state(cloud: Cloud, step: int) -> State:
    run = run_visits(cloud)
    t = int(np.searchsorted(run.updates, step, side="right"))
    moved = t > 0 and run.updates[t - 1] == step
    return State(cloud, run, step, t, run.path[t], run.path[t - 1] if moved else None)


def _ending(state: State) -> str:
    run = state.run
    if state.step < run.passes * len(state.cloud):
        return ""
    if run.converged:
        return "a whole pass without a mistake: the algorithm stops"
    return f"stopped after {run.passes} passes, no line found"


def playground_scene(cloud: Cloud, step: int, guess: int, axes: tuple[Axis, Axis]) -> Scene:
    """The perceptron after `step` visited examples: the line, the vector w, the mistakes so far."""
    missing = [k for k in (0, 1) if k not in cloud.y]
    if missing:
        return _waiting(cloud, missing, axes)
    state = _state(cloud, step)
    wrong = int(state.run.errors[state.updates])
    turn, visit = _turn(state), _visit(state)
    readouts = (
        ("last visit", visit),
        ("its s·g", _own_score(state)),
        ("the arrow w", turn + _judged(turn, guess)),
        ("updates", str(state.updates)),
        ("mistakes", f"{wrong} of {len(cloud)}{_since(state)}"),
    )
    sentence = (
        f"After {count(step, 'visit')} and {count(state.updates, 'update')}: "
        f"{count(len(cloud), 'point')} in two classes, "
        f"boundary {equation(state.weights[1:], float(state.weights[0]))}, "
        f"{count(wrong, 'mistake')} ({visit})"
    )
    ending = _ending(state)
    sentence += f"; {ending}." if ending else "."
    plane = Panel(_plane(state, axes), *axes, equal=True)
    return Scene((plane, _vectors(state), _curve(state)), sentence, readouts, columns=2)


def _waiting(cloud: Cloud, missing: list[int], axes: tuple[Axis, Axis]) -> Scene:
    """What stands in the frame while a class is missing."""
    wanted = " and ".join(f"a point of class {k}" for k in missing)
    sentence = f"Two classes are needed: add {wanted}."
    middle = [(axis.lo + axis.hi) / 2 for axis in axes]
    marks = (
        Points(cloud.X, cloud.y, CLASS_NAMES, handle="points"),
        Text(middle, (sentence,), colour="muted"),
    )
    vectors = Panel((), Axis("w₁", -1, 1), Axis("w₂", -1, 1), height=0.62)
    curve = Panel((), Axis("updates"), Axis("mistakes"), height=0.42, below=True)
    return Scene((Panel(marks, *axes, equal=True), vectors, curve), sentence, columns=2)


def _visit(state: State) -> str:
    if not state.step:
        return "nothing visited yet"
    passes, place = divmod(state.step - 1, len(state.cloud))
    moved = "right, nothing changes" if state.before is None else "a mistake, the line has moved"
    return f"pass {passes + 1}, example {place + 1}: {moved}"


def _own_score(state: State) -> str:
    """The signed score of the example in hand, and what an update made of it."""
    if not state.step:
        return "–"
    i = state.visited(state.step)
    x, s = np.append(1.0, state.cloud.X[i]), 2 * state.cloud.y[i] - 1
    now = number(float(s * (state.weights @ x)))
    return now if state.before is None else f"{number(float(s * (state.before @ x)))} → {now}"


def _since(state: State) -> str:
    """How the last update changed the number of mistakes."""
    if state.before is None:
        return ""
    fewer = int(-np.diff(state.run.errors)[state.updates - 1])
    return f", {abs(fewer)} {'fewer' if fewer > 0 else 'more'}" if fewer else ", as many as before"


def _turn(state: State) -> str:
    """How the last visit turned the vector w."""
    if state.before is None:
        return "stays" if state.step else "is 0"
    old, new = state.before[1:], state.weights[1:]
    if not (old.any() and new.any()):
        return "appears" if new.any() else "vanishes"
    cross = float(old[0] * new[1] - old[1] * new[0])
    angle = abs(np.degrees(np.arctan2(cross, float(old @ new))))
    return f"turned {angle:.0f}° to the {'left' if cross > 0 else 'right'}" if angle else "keeps on"


def _judged(turn: str, guess: int) -> str:
    if not guess or not turn.startswith("turned"):
        return ""
    as_said = turn.endswith("left" if guess > 0 else "right")
    return ", as you said" if as_said else f", you said {'left' if guess > 0 else 'right'}"


def _plane(state: State, axes: tuple[Axis, Axis]) -> tuple[Mark, ...]:
    """Points, line and half-planes; the marks keep their order, so that they can glide."""
    cloud, w0, w = state.cloud, float(state.weights[0]), state.weights[1:]
    old = np.zeros(3) if state.before is None else state.before
    s, wrong = 2 * cloud.y - 1, mistakes(cloud.X, cloud.y, w, w0)
    later = state.run.updates[state.updates :]
    in_hand = cloud.X[[state.visited(state.step)]] if state.step else NOTHING
    coming = cloud.X[[state.visited(int(later[0]))]] if len(later) else NOTHING
    ending = _ending(state)
    corner = [[axes[0].lo, axes[1].hi]] if ending else NOTHING
    decided = state.weights.any()  # w = 0 gives no side to any class
    return (
        HalfPlane(-w, -w0 if decided else -1.0, 0),
        HalfPlane(w, w0 if decided else -1.0, 1),
        Line(old[1:], float(old[0]), "old"),
        Line(w, w0),
        Points(
            cloud.X, cloud.y, CLASS_NAMES, handle="points", notes=s * (cloud.X @ w + w0), note="s·g"
        ),
        Points(cloud.X[wrong], look="ring", size=9, labels=("mistake",)),
        Points(in_hand, look="focus", size=12, labels=("example in hand",)),
        Text(coming, ("next mistake",) * len(coming), shift=(0, 17), size=11),
        Text(corner, (ending,) * len(corner), "start", shift=(8, -14)),
    )


def _vectors(state: State) -> Panel:
    """The vector w, and where the last update came from, head to tail: w before, then η s x."""
    w = state.weights[1:]
    start, step = (NOTHING, NOTHING) if state.before is None else (np.zeros((1, 2)), w[None])
    old = NOTHING if state.before is None else state.before[None, 1:]
    reach = 1.15 * float(np.abs(state.run.path[:, 1:]).max() or 1.0)
    x, y = (Axis(f"w{k}", -reach, reach) for k in "₁₂")
    marks = (
        Arrow(start, old, "old", "w before"),
        Arrow(old, step, "example", "η s x, added"),
        Arrow([0, 0], w, "weights", "w"),
    )
    return Panel(marks, x, y, height=0.62)


def _curve(state: State) -> Panel:
    """Mistakes after each update: the whole run as a guide to be scrubbed, and the way so far."""
    run, t = state.run, state.updates
    last = len(run.errors) - 1
    thin = np.unique(np.rint(np.linspace(0, last, min(last + 1, SHOWN))).astype(int))
    seen = np.append(thin[thin < t], t)
    places = np.column_stack([thin, run.errors[thin]])
    marks = (
        Curve(thin, run.errors[thin], "guide"),
        Curve(seen, run.errors[seen]),
        Points([[t, run.errors[t]]], look="dot"),
        Track(places, "step", np.append(0, run.updates)[thin]),
    )
    x = Axis("updates", 0.0, float(max(last, 1)), whole=True)
    y = Axis("mistakes", 0.0, 1.1 * float(run.errors.max() or 1.0), whole=True)
    return Panel(marks, x, y, height=0.42, below=True)


def perceptron_playground() -> Live:
    """The perceptron on points that the reader drags, adds and removes, update by update."""
    means = [[-0.4, -0.9], [0.9, 0.5]]
    sample = make_gaussian_classes(means, np.eye(2) * 0.5, None, 16, rng=43)
    axes = square_axes(sample.X, pad=0.3)
    start = points(sample.X, sample.y, label="examples", presets=_presets(axes))

    def scene(points: Cloud, step: int, guess: int) -> Scene:
        return playground_scene(points, step, guess, axes)

    def plan(points: Cloud, guess: int) -> tuple[int, list[int]]:
        if len(np.unique(points.y)) < 2:
            return 0, []
        run = run_visits(points)
        return run.passes * len(points), run.updates.tolist()

    second = int(run_visits(start.cloud).updates[1])
    return live(
        scene,
        points=start,
        step=steps(plan, label="visited examples", jump="Next update", value=second),
        guess=choice(
            {"I do not guess": 0, "to the left": 1, "to the right": -1},
            label="the next update will turn w",
        ),
    )


def _presets(axes: tuple[Axis, Axis]) -> dict[str, tuple[Floats, Array]]:
    """Data worth trying, placed in the middle of the axes and a quarter of them wide."""
    middle = np.array([(axis.lo + axis.hi) / 2 for axis in axes])
    size = (axes[0].hi - axes[0].lo) / 4
    corners = np.array([[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]])
    rows = np.linspace(-1.2, 1.2, 5)
    narrow = np.r_[np.c_[rows, rows - 0.15], np.c_[rows, rows + 0.15]]
    apart = np.r_[np.c_[rows / 2 - 1, rows], np.c_[rows / 2 + 1, rows]]
    half = np.repeat([0, 1], 5)
    data = {
        "XOR: no line": (corners, np.array([0, 0, 1, 1])),
        "a narrow gap": (narrow, half),
        "a wide gap": (apart, half),
        "one outlier": (np.r_[apart, [[1.3, 0.1]]], np.append(half, 0)),
    }
    return {name: (middle + size * where, label) for name, (where, label) in data.items()}


def loss_widget() -> Live:
    """The losses of a score m that is dragged along its axis, each with its value beside it."""
    m = position(-2.5, 2.5, 0.05, value=-1.25, label="signed score m").on("Points 2", "Segments 0")
    return live(_losses_at, m=m)


def _losses_at(m: float) -> Scene:
    """The losses at a line at m, their values in a corner where no curve runs."""
    scene = loss_scene(at=m)
    (panel,) = scene.panels
    named = zip(scene.marks(Curve), scene.readouts, strict=True)
    table = [
        Text([[2.4, 3.2 - 0.3 * row]], (f"{name}: {value}",), "end", colour=colour)
        for row, (colour, (name, value)) in enumerate(
            (line_style(curve.role).colour, told) for curve, told in named
        )
    ]
    plain = [replace(mark, label="") if isinstance(mark, Curve) else mark for mark in panel.marks]
    below = [name for name, value in scene.readouts if float(value) < (m <= 0)]
    return replace(
        scene,
        panels=(replace(panel, marks=(*plain, *table)),),
        readouts=(("below the 0-1 loss here", ", ".join(below) or "none"),),
    )
