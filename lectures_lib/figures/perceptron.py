"""Figures of the perceptron: boundaries, updates and runs in the plane.

Weights are augmented where they come as one array: the row (w0, w1, w2, ...), bias first. A path
holds one such row for each state, the start included, so T updates make T + 1 rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from lectures_lib.figures._perceptron_curves import (
    bounds_scene,
    cosine_scene,
    loss_scene,
    posterior_scene,
    trace_panels,
    trace_scene,
)
from lectures_lib.figures._perceptron_drawings import (
    digits_scene,
    neuron_scene,
    retina_scene,
    weights_image_scene,
)
from lectures_lib.figures.marks import Arrow, HalfPlane, Line, Points, Segments, Text
from lectures_lib.figures.scene import Array, Axis, Floats, Mark, Panel, Scene, numbers, positions
from lectures_lib.figures.words import count, equation, number

__all__ = [
    "boundary_scene",
    "bounds_scene",
    "cosine_scene",
    "digits_scene",
    "loss_scene",
    "neuron_scene",
    "posterior_scene",
    "retina_scene",
    "run_scene",
    "separable_examples_scene",
    "trace_panels",
    "trace_scene",
    "update_scene",
    "weights_image_scene",
]

CLASS_LABELS = ("class 0", "class 1")


def binary_labels(y: npt.ArrayLike) -> Array:
    """Labels as 0 and 1: from 0/1, from -1/+1, or from any two values in sorted order."""
    labels = np.asarray(y)
    found = np.unique(labels)
    if np.isin(found, (0, 1)).all():
        return np.asarray(labels, dtype=int)
    if np.isin(found, (-1, 1)).all():
        return np.asarray((labels + 1) // 2, dtype=int)
    if len(found) != 2:
        raise ValueError(f"y: expected two classes, found {len(found)}: {found[:5]}")
    return np.asarray(labels == found[1], dtype=int)


def _data(X: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Array]:
    points = positions(X, "X")
    labels = binary_labels(y)
    if labels.shape != (len(points),):
        raise ValueError(f"y: expected {len(points)} labels, found shape {labels.shape}")
    return points, labels


def square_axes(*clouds: npt.ArrayLike, pad: float = 0.1) -> tuple[Axis, Axis]:
    """Axes x1 and x2 of the same length that show all points."""
    xy = np.concatenate([np.asarray(c, dtype=float).reshape(-1, 2) for c in clouds])
    if not len(xy):
        xy = np.array([[-1.0, -1.0], [1.0, 1.0]])
    low, high = xy.min(axis=0), xy.max(axis=0)
    half = (0.5 + pad) * (float((high - low).max()) or 2.0)
    middle = (low + high) / 2
    x, y = (
        Axis(f"x{s}", float(m - half), float(m + half)) for s, m in zip("₁₂", middle, strict=True)
    )
    return x, y


def mistakes(X: Floats, y: Array, w: Floats, w0: float, tie: str = "update") -> Array:
    """Which examples count as mistakes: s (w·x + w0) <= 0 with s = 2y - 1.

    With `tie` "positive" an example on the line is read as class 1, as sign(0) = +1 says.
    """
    g, s = X @ w + w0, 2 * y - 1
    wrong: Array = s * g <= 0 if tie == "update" else (g >= 0) != (s > 0)
    return wrong


def normal_arrow(w: Floats, w0: float, x: Axis, y: Axis) -> list[Mark]:
    """The direction of w, drawn from the boundary's point nearest to the middle of the panel."""
    size = float(np.linalg.norm(w))
    middle = np.array([(x.lo + x.hi) / 2, (y.lo + y.hi) / 2])
    foot = middle - (w @ middle + w0) / size**2 * w
    tip = foot + 0.2 * (x.hi - x.lo) * w / size
    return [Arrow(foot, tip, label="direction of w")]


def boundary_scene(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    w: npt.ArrayLike,
    w0: float,
    *,
    title: str = "",
    labels: Sequence[str] = CLASS_LABELS,
    old: tuple[npt.ArrayLike, float] | None = None,
    current: int | None = None,
    axes: tuple[Axis, Axis] | None = None,
    handle: str = "",
    tie: str = "update",
) -> Scene:
    """Points, the line w·x + w0 = 0 with its normal, both half-planes, mistakes circled.

    `old` adds an earlier line (w, w0), dashed; `current` marks the example in hand; `axes` fixes
    what is shown; `handle` names the widget control that moves the points; `tie` is the rule for
    points on the line ("update" or "positive", as in `Perceptron`).
    """
    points, classes = _data(X, y)
    weights = numbers(w, "w", ndim=1)
    x_axis, y_axis = axes or square_axes(points)
    wrong = mistakes(points, classes, weights, w0, tie)
    marks: list[Mark] = []
    if weights.any():
        marks += [HalfPlane(-weights, -w0, 0), HalfPlane(weights, w0, 1)]
        marks.append(Line(weights, w0, label="boundary"))
    marks.append(Points(points, classes, tuple(labels), handle=handle))
    marks.append(Points(points[wrong], look="ring", size=9, labels=("mistake",)))
    if weights.any():
        marks += normal_arrow(weights, w0, x_axis, y_axis)
    if current is not None and len(points):
        marks.append(Points(points[[current]], look="focus", size=12, labels=("current example",)))
    if old is not None and np.any(old[0]):
        marks.append(Line(numbers(old[0], "old", ndim=1), old[1], "old", "line before"))
    panel = Panel(tuple(marks), x_axis, y_axis, title, equal=True)
    errors = int(wrong.sum())
    sentence = (
        f"{count(len(points), 'point')} in two classes, boundary {equation(weights, w0)}, "
        f"{count(errors, 'mistake')}."
    )
    return Scene((panel,), sentence, (("mistakes", f"{errors} of {len(points)}"),))


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
    others, classes = _data(np.empty((0, 2)) if X is None else X, () if y is None else y)
    label = np.array([(s + 1) // 2])
    before, after = float(s * (weights @ example + w0)), float(s * (new @ example + new0))

    axes = square_axes(others, np.array([example, -0.3 * example, origin]), pad=0.2)
    lines: list[Mark] = [HalfPlane(new, new0, 1), HalfPlane(-new, -new0, 0)] if new.any() else []
    if weights.any():
        lines.append(Line(weights, w0, "old", "line before"))
    if new.any():
        lines.append(Line(new, new0, label="line after"))
    lines += [
        Points(others, classes, CLASS_LABELS if len(others) else ()),
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
    return ("", CLASS_LABELS[1]) if s == 1 else (CLASS_LABELS[0], "")


def run_scene(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    path: npt.ArrayLike,
    updates: npt.ArrayLike | None = None,
    *,
    steps: Sequence[int] | None = None,
) -> Scene:
    """States of a run side by side: the boundary after each number of updates in `steps`.

    `path` holds the augmented weights of all states, `updates` the index of the example that
    caused each update. Without `steps`, up to six states spread over the run.
    """
    points, classes = _data(X, y)
    states = numbers(path, "path", ndim=2)
    caused = None if updates is None else np.asarray(updates, dtype=int)
    last = len(states) - 1
    if steps is None:
        steps = sorted(set(np.rint(np.linspace(0, last, min(6, last + 1))).astype(int).tolist()))
    axes = square_axes(points)
    panels, errors = [], []
    for t in steps:
        if not 0 <= t <= last:
            raise ValueError(f"steps: expected 0 to {last}, found {t}")
        w0, w = float(states[t, 0]), states[t, 1:]
        old = (states[t - 1, 1:], float(states[t - 1, 0])) if t > 0 else None
        current = int(caused[t - 1]) if caused is not None and t > 0 else None
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
        marks.append(Points(X, np.array(y), CLASS_LABELS, size=6.5))
        panels.append(Panel(tuple(marks), x_axis, y_axis, title, equal=True))
    sentence = (
        "Four small data sets in the plane: a line separates the classes in the first three; "
        "no line separates the fourth, the exclusive or."
    )
    return Scene(tuple(panels), sentence, columns=2, shared_legend=True)
