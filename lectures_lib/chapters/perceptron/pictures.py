"""Figures of the perceptron: the machine, losses, updates and runs in the plane, and of weights.

Weights are augmented where they come as one array: the row (w0, w1, w2, ...), bias first. A path
holds one such row for each state, the start included, so T updates make T + 1 rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from lectures_lib.figures.images import digits_scene as digits_scene
from lectures_lib.figures.images import weights_image_scene as weights_image_scene
from lectures_lib.figures.marks import (
    Arrow,
    Bars,
    Curve,
    HalfPlane,
    Line,
    Points,
    Raster,
    Region,
    Segments,
    Text,
)
from lectures_lib.figures.plane import (
    CLASS_NAMES,
    box,
    labelled_points,
    mistakes,
    sides,
    square_axes,
)
from lectures_lib.figures.plane import boundary_scene as boundary_scene
from lectures_lib.figures.scene import Axis, Floats, Mark, Panel, Scene, numbers, positions
from lectures_lib.figures.words import count, equation, number

RETINA = 20  # Rosenblatt's retina: 20 x 20 photocells
SLOPES = (0.0, -0.25, -0.5, -0.75, -1.0)
LOSSES: Mapping[str, Callable[[Floats], Floats]] = {
    "0-1": lambda m: (m <= 0).astype(float),
    "perceptron": lambda m: np.maximum(-m, 0),
    "hinge": lambda m: np.maximum(1 - m, 0),
    "logistic": lambda m: np.logaddexp(0, -m),
}
"""Losses as functions of the signed score m = s g(x); m = 0 counts as a mistake."""


# --- the machine ---------------------------------------------------------------------------------


def _letter() -> Floats:
    """A 20 x 20 image of the letter A."""
    rows, columns = np.mgrid[0:RETINA, 0:RETINA]
    depth = rows - 2.0
    legs = np.abs(np.abs(columns - 9.5) - depth * 0.45) <= 1.1
    bar = (np.abs(rows - 12) <= 1) & (np.abs(columns - 9.5) < depth * 0.45)
    inside = (rows >= 2) & (rows <= 17)
    return np.asarray((legs | bar) & inside, dtype=float)


def _circle(centre: Floats, radius: float) -> Floats:
    angle = np.linspace(0, 2 * np.pi, 41)
    around = np.column_stack([np.cos(angle), np.sin(angle)])
    return np.asarray(centre + radius * around, dtype=float)


def _right(distance: float) -> Floats:
    return np.array([distance, 0.0])


def retina_scene() -> Scene:
    """Rosenblatt's machine: a retina, association units on random wires, one trained output."""
    lit = _letter()
    cells = np.random.default_rng(7).integers(1, RETINA - 1, size=(6, 4, 2)) + 0.5
    units = np.c_[np.full(6, 32.0), np.linspace(1.5, 18.5, 6)]
    output = np.array([46.0, 10.0])
    marks: list[Mark] = [
        Raster(lit, (0, RETINA), (RETINA, 0), "grey"),
        Region((box(0, RETINA, 0, RETINA),), None, outline=True, fill=False),
        Segments(cells.reshape(-1, 2), np.repeat(units - _right(1.2), 4, axis=0), "wire"),
        Points(cells.reshape(-1, 2), np.full(24, 9), size=3),
        Arrow(units + _right(1.2), np.tile(output - _right(1.8), (6, 1)), "weights"),
        Region(tuple(_circle(unit, 1.2) for unit in units), None, outline=True),
        Region((_circle(output, 1.8),), 2, outline=True),
        Arrow(output + _right(1.8), output + _right(6), "boundary"),
        Text([[10, 22], [32, 22], [46, 22]], ("retina, 20×20", "association units", "output")),
        Text([[25, -1.5], [39, -1.5]], ("fixed wires", "trained weights"), colour="muted"),
        Text(output + _right(6.4), ("±1",), anchor="start"),
    ]
    panel = Panel(tuple(marks), Axis("", -1, 56), Axis("", -3, 24), equal=True, frame=False)
    sentence = (
        f"Rosenblatt's perceptron: a retina of 20 by 20 photocells with "
        f"{count(int(lit.sum()), 'cell')} lit, fixed random wires to six association "
        "units, and one output unit whose incoming weights are trained."
    )
    return Scene((panel,), sentence)


def neuron_scene(output: str = "sign") -> Scene:
    """The neuron: inputs 1, x1, x2, x3, their weights, the sum g, and the output of g."""
    inputs = np.c_[np.ones(4), np.linspace(9, 1, 4)]
    total, result = np.array([8.0, 5.0]), np.array([13.0, 5.0])
    unit = total - inputs
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    marks: tuple[Mark, ...] = (
        Arrow(inputs + 0.8 * unit, total - 1.2 * unit, "weights"),
        Arrow(total + _right(1.2), result - _right(1.2), "boundary"),
        Arrow(result + _right(1.2), result + _right(3.6), "boundary"),
        Region(tuple(_circle(p, 0.75) for p in inputs), 9, outline=True),
        Region((_circle(total, 1.2),), None, outline=True),
        Region((_circle(result, 1.2),), 2, outline=True),
        Text(inputs, ("1", "x₁", "x₂", "x₃"), size=14),
        Text(inputs + 0.42 * (total - inputs), ("w₀", "w₁", "w₂", "w₃"), size=13, shift=(0, 11)),
        Text([total, result], ("Σ", output), size=15),
        Text((total + result) / 2, ("g(x)",), shift=(0, 12)),
        Text(result + _right(3.8), ("h(x)",), anchor="start"),
    )
    panel = Panel(marks, Axis("", 0, 19), Axis("", -0.2, 10.2), equal=True, frame=False)
    sentence = (
        "A neuron: the inputs 1 and x1 to x3 are multiplied by the weights w0 to w3 and added to "
        f"g(x); the output is h(x) = {output}(g(x))."
    )
    return Scene((panel,), sentence)


# --- losses, updates and runs ---------------------------------------------------------------------


def posterior_scene() -> Scene:
    """Posteriors of two classes with the log-odds 2x - 1, and where the decision changes."""
    xs, cut = np.linspace(-3, 4, 141), 0.5
    p1 = 1 / (1 + np.exp(1 - 2 * xs))
    marks: tuple[Mark, ...] = (
        Curve(xs, 1 - p1, "class0", "P(class 0 | x)"),
        Curve(xs, p1, "class1", "P(class 1 | x)"),
        Segments([[cut, 0]], [[cut, 0.5]], "guide"),
        Points([[cut, 0.5]], look="dot", size=5, labels=("decision changes here",)),
    )
    panel = Panel(marks, Axis.around(xs, "x", 0), Axis("posterior probability", -0.02, 1.02))
    sentence = (
        f"Posterior probabilities of two classes over x; they cross at x = {number(cut)}, and only "
        "that point is needed for the decision."
    )
    return Scene((panel,), sentence)


def loss_scene(at: float | None = None) -> Scene:
    """Losses over m = s g(x): 0-1, perceptron, hinge, logistic. `at` marks one m."""
    m, where = np.linspace(-2.5, 2.5, 201), at or 0.0
    values = {name: float(loss(np.array(where))) for name, loss in LOSSES.items()}
    marks: list[Mark] = [
        Curve([-2.5, 0, np.nan, 0, 2.5], [1, 1, np.nan, 0, 0], "boundary", "0-1 loss"),
        Points([[0.0, 0.0]], look="ring", size=3.5),  # not at the jump
        Points([[0.0, 1.0]], look="dot", size=4),  # but here
    ]
    for k, name in enumerate(list(LOSSES)[1:], start=1):
        marks.append(Curve(m, LOSSES[name](m), f"path{k}", f"{name} loss"))
    if at is not None:
        marks.append(Segments([[where, -0.1]], [[where, 3.5]], "guide"))
        marks.append(Points([[where, value] for value in values.values()], look="dot"))
    panel = Panel(tuple(marks), Axis("signed score m = s g", -2.5, 2.5), Axis("loss", -0.1, 3.5))
    readouts = tuple((name, number(value)) for name, value in values.items())
    listed = ", ".join(f"{name} {text}" for name, text in readouts)
    sentence = f"Losses as functions of the signed score m; at m = {number(where)}: {listed}."
    return Scene((panel,), sentence, () if at is None else readouts)


def update_scene(
    w: npt.ArrayLike,
    w0: float,
    x: npt.ArrayLike,
    s: int,
    X: npt.ArrayLike,
    y: npt.ArrayLike,
) -> Scene:
    """One update w' = w + s x, w0' = w0 + s: the lines on the left, the vectors right.

    `s` is the sign -1 or +1 of the example x, which is one of X.
    """
    weights, example, origin = numbers(w, "w", ndim=1), numbers(x, "x", ndim=1), np.zeros(2)
    new, new0 = weights + s * example, w0 + s
    others, classes = labelled_points(X, y)
    before, after = float(s * (weights @ example + w0)), float(s * (new @ example + new0))

    axes = square_axes(others, np.array([example, -0.3 * example, origin]), pad=0.2)
    lines = (
        *sides(new, new0, "line after"),
        Line(weights, w0, "old", "line before"),
        Points(others, classes, CLASS_NAMES),
        Points(example[None], look="focus", size=12, labels=("current example",)),
    )
    corners = np.array([origin, weights, new, s * example])
    components = square_axes(corners, pad=0.25, names=("first component", "second component"))
    vectors = (
        Segments([weights, s * example], [new, new]),
        Arrow(origin, weights, "old", "w before"),
        Arrow(origin, s * example, "example", "η s x"),
        Arrow(origin, new, "weights", "w after"),
    )
    title = "The vectors: w after = w before + η s x"
    panels = (
        Panel(lines, *axes, "The examples and the line", equal=True),
        Panel(vectors, *components, title, equal=True),
    )
    sentence = (
        f"One update on the example ({number(example[0])}, {number(example[1])}) with s = {s:+d}: "
        f"boundary {equation(weights, w0)} becomes {equation(new, new0)}; "
        f"s·g of this example goes from {number(before)} to {number(after)}."
    ).replace("= -1", "= −1")
    readouts = (
        ("s·g before", number(before)),
        ("s·g after", number(after)),
        ("gain η(‖x‖² + 1)", number(float(example @ example + 1))),
    )
    return Scene(panels, sentence, readouts)


def run_scene(
    X: npt.ArrayLike, y: npt.ArrayLike, path: npt.ArrayLike, updates: npt.ArrayLike
) -> Scene:
    """Up to six states of a run side by side: the boundary after so many updates.

    `path` holds the augmented weights of all states, `updates` the index of the example that
    caused each update.
    """
    points, classes = labelled_points(X, y)
    states = numbers(path, "path", ndim=2)
    caused = np.asarray(updates, dtype=int)
    last = len(states) - 1
    steps = np.unique(np.rint(np.linspace(0, last, min(6, last + 1))).astype(int)).tolist()
    axes = square_axes(points, pad=0.3)
    panels, errors = [], []
    for t in steps:
        w0, w = float(states[t, 0]), states[t, 1:]
        old = (states[t - 1, 1:], float(states[t - 1, 0])) if t > 0 else None
        current = int(caused[t - 1]) if t > 0 else None
        scene = boundary_scene(points, classes, w, w0, old=old, current=current, axes=axes)
        panels.append(replace(scene.panels[0], title=f"after {count(t, 'update')}"))
        errors.append(int(mistakes(points, classes, w, w0).sum()))
    listed = ", ".join(f"{e} after {t}" for t, e in zip(steps, errors, strict=True))
    sentence = (
        f"A perceptron run of {count(last, 'update')} on {count(len(points), 'point')}; "
        f"mistakes by number of updates: {listed}."
    )
    return Scene(tuple(panels), sentence, columns=3, shared_legend=True)


def separable_examples_scene() -> Scene:
    """Four small data sets: three that a line separates, and one (XOR) that no line separates."""
    grid = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
    near = np.array(
        [[-1.6, 0.2], [-0.9, -0.9], [-0.2, -1.5], [-1.2, -1.6], [0.9, 1.4], [1.6, 0.4], [0.4, 1.7]]
    )
    slim = np.array(
        [[-1.5, -1.2], [-0.5, -0.2], [0.5, 0.7], [1.4, 1.6], [-1.0, -1.3], [0.2, -0.1], [1.5, 1.1]]
    )
    axes = Axis("x₁", -2.2, 2.2), Axis("x₂", -2.2, 2.2)
    panels = []
    for title, X, y, (w0, *w) in (
        ("wide gap", near, [0, 0, 0, 0, 1, 1, 1], (0, 1, 1)),
        ("narrow gap", slim, [0, 0, 0, 0, 1, 1, 1], (0, 1, -1)),
        ("logical AND", grid, [0, 0, 0, 1], (-1, 1, 1)),
        ("exclusive or (XOR)", grid, [0, 1, 1, 0], (0, 0, 0)),
    ):
        line: list[Mark] = [Text([0, 0], ("no line separates",), colour="muted")]
        if any(w):
            line = sides(np.array(w, dtype=float), w0, "a separating line")
        marks = (*line, Points(X, y, CLASS_NAMES, size=6.5))
        panels.append(Panel(marks, *axes, title, equal=True))
    sentence = (
        "Four small data sets in the plane: a line separates the classes in the first three; "
        "no line separates the fourth, the exclusive or."
    )
    return Scene(tuple(panels), sentence, columns=2, shared_legend=True)


# --- weights --------------------------------------------------------------------------------------


def subgradient_scene() -> Scene:
    """The perceptron loss and lines through its kink that stay below it."""
    m = np.array([-2.0, 0.0, 2.0])
    marks = (
        *(Curve(m, slope * m, "path3", "supporting lines") for slope in SLOPES),
        Curve(m, np.maximum(-m, 0), "path1", "perceptron loss"),
        Points([[0.0, 0.0]], look="dot"),
    )
    panel = Panel(marks, Axis("signed score m", -2, 2), Axis("loss", -2.1, 2.1), height=0.6)
    listed = ", ".join(number(slope) for slope in SLOPES)
    sentence = (
        "The perceptron loss and lines through its kink at m = 0 that lie nowhere above it; "
        f"their slopes here are {listed}."
    )
    return Scene((panel,), sentence)


def weight_space_scene(x: npt.ArrayLike, y: npt.ArrayLike, path: npt.ArrayLike) -> Scene:
    """The plane of the weights (w₀, w₁) for one feature: each example cuts it in two.

    `path` holds the weights of a run, bias first. The tints of the halves where one example is
    right add up: they are darkest where all are.
    """
    feature = numbers(x, "x", ndim=1)
    states = positions(path, "path")
    s = 2 * np.asarray(y, dtype=int) - 1
    normal = np.column_stack([np.ones(len(feature)), feature])
    half = 1.15 * float(np.abs(states).max())
    axes = Axis("w₀", -half, half), Axis("w₁", -half, half)

    along = normal[:, ::-1] * [1, -1]
    ends = 0.75 * half * along / np.abs(along).max(axis=1, keepdims=True)
    beside = ends + 0.05 * half * normal / np.linalg.norm(normal, axis=1, keepdims=True)
    marks = (
        *(HalfPlane(z, 0.0, 2) for z in s[:, None] * normal),
        *(Line(z, 0.0, "margin") for z in normal),
        Text(beside, tuple(f"x = {number(x)}" for x in feature), anchor="start"),
        Arrow(states[:-1], states[1:], "weights", "updates"),
        Points(states[[0, -1]], look="dot", size=4),
        Text(states[[-1]], ("end",), shift=(0, -12)),
    )
    w0, w1 = states[-1]
    sentence = (
        f"The plane of the weights for {count(len(feature), 'example')} of one feature: one line "
        f"for each, a wedge where all are right, and a run of {count(len(states) - 1, 'update')} "
        f"from (0, 0) to ({number(w0)}, {number(w1)}) in it."
    )
    return Scene((Panel(marks, *axes, equal=True),), sentence)


def fan_scene(X: npt.ArrayLike, y: npt.ArrayLike, weights: npt.ArrayLike) -> Scene:
    """Final lines of many runs over the same points; `weights` has one row a run, bias first."""
    points, classes = labelled_points(X, y)
    rows = numbers(weights, "weights", ndim=2)
    axes = square_axes(points, pad=0.25)
    marks = (
        *(Line(row[1:], float(row[0]), "path3", "final lines") for row in rows),
        Points(points, classes, CLASS_NAMES, size=7),
    )
    steep = np.sort(np.rad2deg(np.arctan2(rows[:, 2], rows[:, 1])))
    sentence = (
        f"{count(len(rows), 'line')} that separate the same {count(len(points), 'point')}; the "
        f"direction of w₁, w₂ runs from {steep[0]:.0f} to {steep[-1]:.0f} degrees."
    )
    return Scene((Panel(marks, *axes, equal=True),), sentence)


def cost_scene(updates: Mapping[str, float], bounds: Mapping[str, float] | None = None) -> Scene:
    """Numbers of updates as bars on a logarithmic scale, each with its bound when there is one."""
    limits = bounds or {}
    top = int(np.ceil(np.log10(max(*updates.values(), *limits.values()))))
    marks: list[Mark] = []
    parts = []
    for row, (name, value) in zip(range(len(updates), 0, -1), updates.items(), strict=True):
        marks.append(Bars([0], [np.log10(value)], [row + 0.25], 9, base=row - 0.25))
        told, part = f"{name}: {value:,.0f}", f"{name} {value:,.0f}"
        if name in limits:
            at = [[np.log10(limits[name]), row]]
            marks.append(Points(at, look="ring", size=5, labels=("bound",)))
            told += f", at most {limits[name]:,.0f}"
            part += f" (at most {limits[name]:,.0f})"
        marks.append(Text([0.0, row + 0.25], (told,), "start", shift=(4, 9)))
        parts.append(part)
    ticks = tuple((float(k), f"{10**k:,}") for k in range(top + 1))
    panel = Panel(
        tuple(marks),
        Axis("updates (logarithmic)", 0.0, top + 0.35, ticks),
        Axis("", 0.5, len(updates) + 0.9, ()),
        height=0.12 + 0.13 * len(updates),
    )
    return Scene((panel,), f"Updates: {'; '.join(parts)}.")
