"""Pictures of the chapter in which the weights are the point: slopes, weight space, many runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from lectures_lib.figures.marks import Arrow, Bars, Curve, Line, Points, Region, Text
from lectures_lib.figures.plane import CLASS_NAMES, class_regions, labelled_points, square_axes
from lectures_lib.figures.scene import Array, Axis, Mark, Panel, Scene, numbers, positions
from lectures_lib.figures.words import count, number, subscript

SLOPES = (0.0, -0.25, -0.5, -0.75, -1.0)


def subgradient_scene() -> Scene:
    """The perceptron loss and lines through its kink that stay below it."""
    m = np.array([-2.0, 0.0, 2.0])
    fan: list[Mark] = [Curve(m, slope * m, "path3", "supporting lines") for slope in SLOPES]
    marks = (
        *fan,
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

    `path` holds the weights of a run, bias first; the region is where all examples are right.
    """
    feature = numbers(x, "x", ndim=1)
    states = positions(path, "path")
    s = 2 * np.asarray(y, dtype=int) - 1
    signed = s[:, None] * np.column_stack([np.ones(len(feature)), feature])
    half = 1.15 * float(np.abs(states).max())
    axes = Axis("w₀", -half, half), Axis("w₁", -half, half)

    def right(weights: Array) -> Array:
        """Whether weights put every example on its side."""
        found: Array = ((weights @ signed.T) > 0).all(axis=1).astype(int)
        return found

    regions, _, _ = class_regions(right, (0, 1), *axes)
    order = np.argsort(feature)
    lines: list[Mark] = [
        Line([1.0, float(feature[i])], 0.0, "margin", f"x = {number(feature[i])}") for i in order
    ]
    marks = (
        *([Region(regions[1], 2)] if regions[1] else []),
        *lines,
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
    lines: list[Mark] = [Line(row[1:], float(row[0]), "path3", "final lines") for row in rows]
    marks = (*lines, Points(points, classes, CLASS_NAMES, size=7))
    steep = np.sort(np.rad2deg(np.arctan2(rows[:, 2], rows[:, 1])))
    sentence = (
        f"{count(len(rows), 'line')} that separate the same {count(len(points), 'point')}; the "
        f"direction of w{subscript(1)}, w{subscript(2)} runs from {steep[0]:.0f} to "
        f"{steep[-1]:.0f} degrees."
    )
    return Scene((Panel(marks, *axes, equal=True),), sentence)


def cost_scene(
    updates: Mapping[str, float], bounds: Mapping[str, float] | None = None, note: str = "updates"
) -> Scene:
    """Numbers of updates as bars on a logarithmic scale, each with its bound when there is one."""
    names = list(updates)
    limits = dict(bounds or {})
    if not names or min([*updates.values(), *limits.values()]) < 1:
        raise ValueError("updates: expected at least one number, and none below 1")
    top = int(np.ceil(np.log10(max([*updates.values(), *limits.values()]))))
    marks: list[Mark] = []
    for row, name in zip(range(len(names), 0, -1), names, strict=True):
        long = float(np.log10(updates[name]))
        marks.append(Bars([0.0], [long], [row + 0.25], 9, note, base=row - 0.25))
        told = f"{updates[name]:,.0f}"
        if name in limits:
            at = float(np.log10(limits[name]))
            marks.append(Points([[at, row]], look="ring", size=5, labels=("bound",)))
            told += f", at most {limits[name]:,.0f}"
        marks.append(Text([0.0, row + 0.25], (f"{name}: {told}",), "start", shift=(4, 9)))
    ticks = tuple((float(k), f"{10**k:,}") for k in range(top + 1))
    panel = Panel(
        tuple(marks),
        Axis(f"{note} (logarithmic)", 0.0, top + 0.35, ticks),
        Axis("", 0.5, len(names) + 0.9, ()),
        height=0.12 + 0.13 * len(names),
    )
    return Scene((panel,), _listed(updates, limits, note))


def _listed(updates: Mapping[str, float], limits: Mapping[str, float], note: str) -> str:
    parts = [
        f"{name} {value:,.0f}" + (f" (at most {limits[name]:,.0f})" if name in limits else "")
        for name, value in updates.items()
    ]
    return f"{note[0].upper()}{note[1:]}: " + "; ".join(parts) + "."


def distinct_lines(weights: Sequence[npt.ArrayLike]) -> Array:
    """Weights of unit length, each line once, in the order of their first appearance."""
    unit = [np.asarray(w, dtype=float) / np.linalg.norm(w) for w in weights]
    first: dict[tuple[float, ...], Array] = {}
    for w in unit:
        first.setdefault(tuple(np.round(w, 9)), w)
    return np.array(list(first.values()))
