"""Figures of the convergence theorem: a run between its two bounds, and the angle to w*."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lectures_lib.chapters.perceptron.pictures import cost_scene as cost_scene
from lectures_lib.figures.marks import Arrow, Curve, HalfPlane, Line, Points, Region, Segments, Text
from lectures_lib.figures.plane import CLASS_NAMES, sides, square_axes
from lectures_lib.figures.plane import boundary_scene as boundary_scene
from lectures_lib.figures.plane import regions_scene as regions_scene
from lectures_lib.figures.scene import Axis, Floats, Mark, Panel, Scene, numbers
from lectures_lib.figures.words import count, number


def bounds_scene(path: npt.ArrayLike, w_star: npt.ArrayLike, gamma: float, R: float) -> Scene:
    """w*·w_t and |w_t| between the bounds t gamma and sqrt(t) R (η = 1), which cross at R²/gamma².

    `path` starts at zero; `w_star` is normalised here, so `gamma` must be the margin of the
    normalised separator. Left: the run. Right: up to the crossing.
    """
    states, star = numbers(path, "path", ndim=2), numbers(w_star, "w_star", ndim=1)
    t, norm = np.arange(len(states)), np.linalg.norm(states, axis=1)
    projection = states @ (star / np.linalg.norm(star))
    last, limit = len(t) - 1, (R / gamma) ** 2
    panels = []
    for title, end in (
        ("The run", max(last, 1) * 1.05),
        ("Until the bounds cross", max(limit * 1.12, last * 1.05)),
    ):
        grid = np.linspace(0, 1, 121) ** 2 * end
        marks: list[Mark] = [
            Curve(grid, np.sqrt(grid) * R, "path1", "upper bound √t η R"),
            Curve(t, norm, "boundary", "‖wₜ‖"),
            Curve(t, projection, "weights", "w*·wₜ"),
            Curve(grid, grid * gamma, "path2", "lower bound t η γ"),
        ]
        top = max(float(np.sqrt(end) * R), float(end * gamma))
        if end >= limit:
            crossing = [[limit, limit * gamma]]
            marks.append(Segments([[limit, 0]], crossing, "guide"))
            marks.append(Points(crossing, look="dot", labels=("crossing at R²/γ²",)))
        x, y = Axis("updates t", 0, end, whole=True), Axis("", 0, top * 1.05)
        panels.append(Panel(tuple(marks), x, y, title))
    sentence = (
        f"{count(last, 'update')} against a bound of R²/γ² = {number(limit, 1)} "
        f"(R = {number(R)}, γ = {number(gamma, 3)}): at the end w*·w is "
        f"{number(projection[-1])}, at least {number(last * gamma)}, and ‖w‖ is "
        f"{number(norm[-1])}, at most {number(float(np.sqrt(last)) * R)}."
    )
    readouts = (("updates", str(last)), ("bound R²/γ²", number(limit, 1)))
    return Scene(tuple(panels), sentence, readouts, shared_legend=True)


def angle_scene() -> Scene:
    """Why the weights grow slowly: squares over w, the step and their sum, at two angles."""
    w, step = np.array([3.0, 1.0]), np.array([-0.9, 1.9])
    right = np.array([-1.0, 3.0]) * float(np.linalg.norm(step) / np.sqrt(10))
    panels = tuple(
        _triangle_panel(w, added, title)
        for added, title in ((step, "an obtuse angle"), (right, "a right angle"))
    )
    squares = [float(v @ v) for v in (w, step, w + step)]
    sentence = (
        f"An update at an obtuse angle: the squared norms are {number(squares[0])} before, "
        f"{number(squares[1])} of the step and {number(squares[2])} after, less than their sum "
        f"{number(squares[0] + squares[1])}; at a right angle it would be the sum."
    )
    return Scene(panels, sentence, columns=2)


def _triangle_panel(w: Floats, step: Floats, title: str) -> Panel:
    """The weights, a step and the weights after it, each with its square on the outside."""
    corners = np.array([np.zeros(2), w, w + step])
    marks: list[Mark] = []
    for a, b, third in zip(corners, corners[[1, 2, 0]], corners[[2, 0, 1]], strict=True):
        out = np.array([b[1] - a[1], a[0] - b[0]])
        out = out if out @ (third - a) < 0 else -out
        square = np.array([a, b, b + out, a + out])
        marks.append(Region((square,), None, outline=True, fill=False))
        marks.append(Text([square.mean(axis=0)], (number(float(out @ out)),)))
    if abs(w @ step) < 1e-9:
        u, v = -0.45 * w / np.linalg.norm(w), 0.45 * step / np.linalg.norm(step)
        corner = corners[1] + [u, u + v, v]
        marks.append(Curve(corner[:, 0], corner[:, 1]))
    marks += [
        Arrow(corners[0], corners[1], "old", "w before"),
        Arrow(corners[1], corners[2], "example", "η s x"),
        Arrow(corners[0], corners[2], "weights", "w after"),
    ]
    axes = Axis("", -3.4, 5.2), Axis("", -3.2, 5.6)
    return Panel(tuple(marks), *axes, title, equal=True, frame=False)


def mirrored_scene(x: npt.ArrayLike, y: npt.ArrayLike, w: npt.ArrayLike) -> Scene:
    """Augmented examples (1, x) of one feature, and s (1, x): all of them on one side of a line."""
    feature, weights = numbers(x, "x", ndim=1), numbers(w, "w", ndim=1)
    labels = np.asarray(y, dtype=int)
    rows = np.column_stack([np.ones(len(feature)), feature])
    mirrored = (2 * labels - 1)[:, None] * rows
    axes = square_axes(rows, mirrored, -rows, pad=0.15, names=("1", "x"))
    panels = []
    for title, shown in (("examples (1, x)", rows), ("mirrored: s (1, x)", mirrored)):
        marks = (
            HalfPlane(weights, 0.0, 2),
            Line(weights, 0.0, label="w*·z = 0"),
            Points(shown, labels, CLASS_NAMES, size=6.5),
            Points([[0.0, 0.0]], look="dot", size=3),
        )
        panels.append(Panel(marks, *axes, title, equal=True))
    right = int(((mirrored @ weights) > 0).sum())
    sentence = (
        f"{count(len(feature), 'augmented example')} of one feature, and the same mirrored by "
        f"their labels: after that {right} of {len(feature)} lie on one side of a line through 0."
    )
    return Scene(tuple(panels), sentence)


def lifted_scene() -> Scene:
    """The exclusive or in two of the features that the kernel adds: a line separates it."""
    corners = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
    labels = np.array([0, 0, 1, 1])
    lifted = np.column_stack([corners.sum(axis=1), 2 * corners.prod(axis=1)])
    marks = (
        *sides(np.array([1.0, -1.0]), -0.5, "x₁ + x₂ − 2x₁x₂ = ½"),
        Points(lifted, labels, CLASS_NAMES, size=7),
    )
    across, up = Axis("x₁ + x₂", -0.5, 2.5), Axis("2 x₁ x₂", -0.5, 2.5)
    sentence = (
        "The exclusive or in the coordinates x₁ + x₂ and 2 x₁ x₂: class 0 at (0, 0) and (2, 2), "
        "both points of class 1 at (1, 0); the line x₁ + x₂ − 2 x₁ x₂ = 1/2 separates them."
    )
    return Scene((Panel(marks, across, up, equal=True),), sentence)
