"""The perceptron step by step, on points that the reader moves."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import lru_cache

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
from lectures_lib.widgets import Cloud, Live, choice, live, points, position, steps, toggle

SHOWN = 120  # states at most in the curve of a run: longer runs are thinned
MAX_PASSES = 20
NOTHING = np.empty((0, 2))


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
def run_visits(cloud: Cloud, shuffle: bool, tie: str) -> Visits:
    """The perceptron's run on a cloud, cut into visits."""
    model = Perceptron(shuffle=shuffle, tie=tie, max_iter=MAX_PASSES, record=True, rng=0)
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


@dataclass(frozen=True)
class State:
    """Where a run stands after some visits."""

    run: Visits
    step: int

    @property
    def updates(self) -> int:
        return int(np.searchsorted(self.run.updates, self.step, side="right"))

    @property
    def weights(self) -> Floats:
        found: Floats = self.run.path[self.updates]
        return found

    @property
    def before(self) -> Floats | None:
        """The weights before the last visit, if it changed them."""
        t = self.updates
        return self.run.path[t - 1] if t and self.run.updates[t - 1] == self.step else None

    @property
    def next_mistake(self) -> int | None:
        """The example that causes the next update."""
        later = self.run.updates[self.updates :]
        return int(self.run.order[later[0] - 1]) if len(later) else None

    @property
    def ending(self) -> str:
        if self.step < len(self.run.order):
            return ""
        if self.run.converged:
            return "a whole pass without a mistake: the algorithm stops"
        return f"stopped after {self.run.passes} passes, no line found"


def playground_scene(
    cloud: Cloud,
    step: int,
    shuffle: bool,
    tie: str,
    guess: int,
    axes: tuple[Axis, Axis],
) -> Scene:
    """The perceptron after `step` visited examples: the line, the vector w, the mistakes so far."""
    missing = [k for k in (0, 1) if k not in cloud.y]
    if missing:
        return _waiting(cloud, missing, axes)
    state = State(run_visits(cloud, shuffle, tie), step)
    w0, w = float(state.weights[0]), state.weights[1:]
    wrong = mistakes(cloud.X, cloud.y, w, w0, tie)
    turn = _turn(state)
    readouts = (
        ("last visit", _visit(state, len(cloud))),
        ("the arrow w", turn + _judged(turn, guess)),
        ("updates", str(state.updates)),
        ("mistakes", f"{int(wrong.sum())} of {len(cloud)}"),
        ("(w₀, w₁, w₂)", f"({', '.join(number(v) for v in state.weights)})"),
    )
    sentence = (
        f"After {count(step, 'visit')} and {count(state.updates, 'update')}: "
        f"{count(len(cloud), 'point')} in two classes, boundary {equation(w, w0)}, "
        f"{count(int(wrong.sum()), 'mistake')} ({readouts[0][1]})"
    )
    sentence += f"; {state.ending}." if state.ending else "."
    plane = Panel(_plane(cloud, state, wrong, axes), *axes, equal=True)
    return Scene((plane, _vectors(cloud, state), _curve(state)), sentence, readouts, columns=2)


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


def _visit(state: State, N: int) -> str:
    if not state.step:
        return "nothing visited yet"
    place = f"pass {(state.step - 1) // N + 1}, example {state.run.order[state.step - 1] + 1}"
    moved = state.before is not None
    return f"{place}: {'a mistake, the line has moved' if moved else 'right, nothing changes'}"


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


def _plane(cloud: Cloud, state: State, wrong: Array, axes: tuple[Axis, Axis]) -> tuple[Mark, ...]:
    """Points, line and half-planes; the marks keep their order, so that they can glide."""
    w0, w = float(state.weights[0]), state.weights[1:]
    old = np.zeros(3) if state.before is None else state.before
    s = 2 * cloud.y - 1
    in_hand = cloud.X[[state.run.order[state.step - 1]]] if state.step else NOTHING
    coming = NOTHING if state.next_mistake is None else cloud.X[[state.next_mistake]]
    corner = [[axes[0].lo, axes[1].hi]] if state.ending else NOTHING
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
        Text(corner, (state.ending,) * len(corner), "start", shift=(8, -14)),
    )


def _vectors(cloud: Cloud, state: State) -> Panel:
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

    def scene(points: Cloud, step: int, shuffle: bool, tie: str, guess: int) -> Scene:
        return playground_scene(points, step, shuffle, tie, guess, axes)

    def plan(points: Cloud, shuffle: bool, tie: str, guess: int) -> tuple[int, list[int]]:
        if len(np.unique(points.y)) < 2:
            return 0, []
        run = run_visits(points, shuffle, tie)
        return len(run.order), run.updates.tolist()

    second = int(run_visits(start.cloud, False, "update").updates[1])
    return live(
        scene,
        points=start,
        step=steps(plan, label="visited examples", jump="Next update", value=second),
        guess=choice(
            {"I do not guess": 0, "to the left": 1, "to the right": -1},
            label="the next update will turn w",
        ),
        shuffle=toggle(False, label="visit the examples in a new random order in every pass"),
        tie=choice(
            {"is a mistake (s·g ≤ 0)": "update", "is class 1 (sign(0) = +1)": "positive"},
            label="a point on the line",
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
    """The losses at a line at m, each name with its value beside its curve, in its colour."""
    scene = loss_scene(at=m)
    panel = scene.panels[0]
    roles = {c.label.removesuffix(" loss"): c.role for c in scene.marks(Curve)}
    left = m > 1.2
    lowest, words = -np.inf, []
    for name, text in sorted(scene.readouts, key=lambda pair: float(pair[1])):
        lowest = max(float(text), lowest + 0.2)
        colour, side = line_style(roles[name]).colour, "end" if left else "start"
        shift = (-9.0 if left else 9.0, 8.0)  # above the curve, not on it
        words.append(Text([[m, lowest]], (f"{name}: {text}",), side, colour=colour, shift=shift))
    named = [replace(mark, label="") if isinstance(mark, Curve) else mark for mark in panel.marks]
    return replace(scene, panels=(replace(panel, marks=(*named, *words)),), readouts=())
