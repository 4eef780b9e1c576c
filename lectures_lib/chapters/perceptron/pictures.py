"""Figures of the perceptron: losses, updates and runs in the plane.

Weights are augmented where they come as one array: the row (w0, w1, w2, ...), bias first. A path
holds one such row for each state, the start included, so T updates make T + 1 rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from lectures_lib.chapters.perceptron._drawings import neuron_scene as neuron_scene
from lectures_lib.chapters.perceptron._drawings import retina_scene as retina_scene
from lectures_lib.chapters.perceptron._weights import cost_scene as cost_scene
from lectures_lib.chapters.perceptron._weights import distinct_lines as distinct_lines
from lectures_lib.chapters.perceptron._weights import fan_scene as fan_scene
from lectures_lib.chapters.perceptron._weights import subgradient_scene as subgradient_scene
from lectures_lib.chapters.perceptron._weights import weight_space_scene as weight_space_scene
from lectures_lib.figures.images import digits_scene as digits_scene
from lectures_lib.figures.images import weights_image_scene as weights_image_scene
from lectures_lib.figures.marks import Arrow, Curve, HalfPlane, Line, Points, Segments, Text
from lectures_lib.figures.plane import CLASS_NAMES, labelled_points, mistakes, square_axes
from lectures_lib.figures.plane import boundary_scene as boundary_scene
from lectures_lib.figures.scene import Axis, Floats, Mark, Panel, Scene, numbers
from lectures_lib.figures.words import count, equation, number

LOSSES: Mapping[str, Callable[[Floats], Floats]] = {
    "0-1": lambda m: (m <= 0).astype(float),
    "perceptron": lambda m: np.maximum(-m, 0),
    "hinge": lambda m: np.maximum(1 - m, 0),
    "logistic": lambda m: np.logaddexp(0, -m),
}
"""Losses as functions of the signed score m = s g(x); m = 0 counts as a mistake."""


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
    m, names = np.linspace(-2.5, 2.5, 201), tuple(LOSSES)
    marks: list[Mark] = []
    where = 0.0 if at is None else float(at)
    values = [float(LOSSES[name](np.array([where]))[0]) for name in names]
    for name in names:
        role = {"0-1": "boundary"}.get(name, f"path{list(LOSSES).index(name)}")
        if name == "0-1":  # two pieces: the step is a jump, not a slope
            low, high = m[m <= 0], m[m > 0]
            xs = np.concatenate([low, [0.0, np.nan, 0.0], high])
            ys = np.concatenate([np.ones(len(low) + 1), [np.nan], np.zeros(len(high) + 1)])
            marks.append(Curve(xs, ys, role, "0-1 loss"))
            marks.append(Points([[0.0, 0.0]], look="ring", size=3.5))  # not at the jump
            marks.append(Points([[0.0, 1.0]], look="dot", size=4))  # but here
        else:
            marks.append(Curve(m, LOSSES[name](m), role, f"{name} loss"))
    if at is not None:
        marks.append(Segments([[where, -0.1]], [[where, 3.5]], "guide"))
        marks.append(Points(np.c_[np.full(len(values), where), values], look="dot"))
    panel = Panel(tuple(marks), Axis.around(m, "signed score m = s g", 0), Axis("loss", -0.1, 3.5))
    listed = ", ".join(f"{n} {number(v)}" for n, v in zip(names, values, strict=True))
    sentence = f"Losses as functions of the signed score m; at m = {number(where)}: {listed}."
    readouts = (
        () if at is None else tuple((n, number(v)) for n, v in zip(names, values, strict=True))
    )
    return Scene((panel,), sentence, readouts)


def update_scene(
    w: npt.ArrayLike,
    w0: float,
    x: npt.ArrayLike,
    s: int,
    *,
    eta: float = 1.0,
    X: npt.ArrayLike | None = None,
    y: npt.ArrayLike | None = None,
) -> Scene:
    """One update w' = w + eta s x, w0' = w0 + eta s: the lines on the left, the vectors right.

    `s` is the sign -1 or +1 of the example x; X and y add the other examples.
    """
    weights, example, origin = numbers(w, "w", ndim=1), numbers(x, "x", ndim=1), np.zeros(2)
    if s not in (-1, 1):
        raise ValueError(f"s: expected -1 or +1, found {s}")
    new, new0 = weights + eta * s * example, w0 + eta * s
    others, classes = labelled_points(np.empty((0, 2)) if X is None else X, () if y is None else y)
    label = np.array([(s + 1) // 2])
    before, after = float(s * (weights @ example + w0)), float(s * (new @ example + new0))

    axes = square_axes(others, np.array([example, -0.3 * example, origin]), pad=0.2)
    lines: list[Mark] = [HalfPlane(new, new0, 1), HalfPlane(-new, -new0, 0)] if new.any() else []
    if weights.any():
        lines.append(Line(weights, w0, "old", "line before"))
    if new.any():
        lines.append(Line(new, new0, label="line after"))
    lines += [
        Points(others, classes, CLASS_NAMES if len(others) else ()),
        Points(example[None], label, ("", "") if len(others) else _label_of(s)),
        Points(example[None], look="focus", size=12, labels=("current example",)),
    ]
    spread = square_axes(np.array([origin, weights, new, eta * s * example]), pad=0.25)
    vectors: list[Mark] = [
        Segments([weights, eta * s * example], [new, new]),
        Arrow(origin, weights, "old", "w before"),
        Arrow(origin, eta * s * example, "example", "η s x"),
        Arrow(origin, new, "weights", "w after"),
    ]
    scenes = (
        Panel(tuple(lines), *axes, "The examples and the line", equal=True),
        Panel(
            tuple(vectors),
            Axis("first component", spread[0].lo, spread[0].hi),
            Axis("second component", spread[1].lo, spread[1].hi),
            "The vectors: w after = w before + η s x",
            equal=True,
        ),
    )
    sentence = (
        f"One update on the example ({number(example[0])}, {number(example[1])}) with s = {s:+d}: "
        f"boundary {equation(weights, w0)} becomes {equation(new, new0)}; "
        f"s·g of this example goes from {number(before)} to {number(after)}."
    ).replace("= -1", "= −1")
    gain = ("gain η(‖x‖² + 1)", number(float(eta * (example @ example + 1))))
    return Scene(
        scenes, sentence, (("s·g before", number(before)), ("s·g after", number(after)), gain)
    )


def _label_of(s: int) -> tuple[str, str]:
    return ("", CLASS_NAMES[1]) if s == 1 else (CLASS_NAMES[0], "")


def run_scene(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    path: npt.ArrayLike,
    updates: npt.ArrayLike,
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
    axes = square_axes(points)
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
    sets: list[tuple[str, Floats, list[int], tuple[list[float], float] | None]] = [
        ("wide margin", near, [0, 0, 0, 0, 1, 1, 1], ([1.0, 1.0], 0.0)),
        ("narrow margin", slim, [0, 0, 0, 0, 1, 1, 1], ([1.0, -1.0], 0.0)),
        ("logical AND", grid, [0, 0, 0, 1], ([1.0, 1.0], -1.0)),
        ("exclusive or (XOR)", grid, [0, 1, 1, 0], None),
    ]
    x_axis, y_axis = (Axis(f"x{s}", -2.2, 2.2) for s in "₁₂")
    panels = []
    for title, X, y, line in sets:
        marks: list[Mark] = []
        if line is not None:
            w, w0 = np.array(line[0]), line[1]
            marks = [
                HalfPlane(-w, -w0, 0),
                HalfPlane(w, w0, 1),
                Line(w, w0, label="a separating line"),
            ]
        else:
            marks.append(Text([0, 0], ("no line separates",), colour="muted"))
        marks.append(Points(X, np.array(y), CLASS_NAMES, size=6.5))
        panels.append(Panel(tuple(marks), x_axis, y_axis, title, equal=True))
    sentence = (
        "Four small data sets in the plane: a line separates the classes in the first three; "
        "no line separates the fourth, the exclusive or."
    )
    return Scene(tuple(panels), sentence, columns=2, shared_legend=True)
