"""Pictures of an answer beside what was expected, for the checks of exercises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from lectures_lib.figures.marks import Curve, Line, Points, Segments, Text
from lectures_lib.figures.plane import (
    CLASS_NAMES,
    binary_labels,
    mistakes,
    normal_arrow,
    square_axes,
)
from lectures_lib.figures.scene import Array, Axis, Floats, Mark, Panel, Scene, numbers
from lectures_lib.figures.words import count, equation, number

ROLES = ("path2", "boundary")  # the answer dashed and in a colour, what was expected plain
NAMES = ("yours", "expected")


def two_lines(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    yours: npt.ArrayLike,
    expected: npt.ArrayLike,
    classes: Sequence[str] = CLASS_NAMES,
    names: Sequence[str] = NAMES,
    separate: bool = True,
    tie: str = "update",
) -> Scene | None:
    """Points with the line of an answer and the expected one; None beyond the plane.

    Weights start with the bias. With one feature the scores are drawn, which are lines over it.
    Mistakes are counted, by the tie rule, unless the lines are not there to separate the points.
    """
    points, labels = np.asarray(X, dtype=float), binary_labels(y)
    if points.ndim != 2 or points.shape[1] > 2 or not len(points):
        return None
    weights = [numbers(w, name, ndim=1) for w, name in zip((yours, expected), NAMES, strict=True)]
    counted = [_mistakes(points, labels, w, tie) if separate else "" for w in weights]
    triples = zip(names, weights, counted, strict=True)
    told = [f"{name}: {equation(w[1:], float(w[0]))}{wrong}" for name, w, wrong in triples]
    lines = list(zip(weights, ROLES, names, strict=True))[::-1]  # the answer's on top
    draw = _scores if points.shape[1] == 1 else _plane
    return Scene((draw(points, labels, lines, tuple(classes)),), f"{'; '.join(told)}.")


def _mistakes(points: Floats, labels: Array, w: Floats, tie: str) -> str:
    wrong = int(mistakes(points, labels, w[1:], float(w[0]), tie).sum())
    return f", {count(wrong, 'mistake')}"


Lines = list[tuple[Floats, str, str]]  # weights, role and name of each


def _plane(points: Floats, labels: Array, lines: Lines, classes: tuple[str, ...]) -> Panel:
    x, y = square_axes(points, pad=0.25)
    drawn: list[Mark] = []
    for w, role, name in lines:
        if w[1:].any():
            drawn.append(Line(w[1:], float(w[0]), role=role, label=name))
            drawn.append(normal_arrow(w[1:], float(w[0]), x, y, 0.13, role))
    return Panel((*drawn, Points(points, labels, classes, size=6)), x, y, equal=True)


def _scores(points: Floats, labels: Array, lines: Lines, classes: tuple[str, ...]) -> Panel:
    x = Axis.around(points, "x₁", pad=0.2)
    ends = np.array([x.lo, x.hi])
    curves = [Curve(ends, w[0] + w[1] * ends, role, name) for w, role, name in lines]
    at_zero = np.column_stack([points[:, 0], np.zeros(len(points))])
    level = Segments([[x.lo, 0.0]], [[x.hi, 0.0]])
    y = Axis.around([curve.y for curve in curves], "score", zero=True)
    return Panel((level, *curves, Points(at_zero, labels, classes, size=6)), x, y)


def distances(
    X: npt.ArrayLike,
    w: npt.ArrayLike,
    yours: tuple[float, float],
    expected: tuple[float, float],
) -> Scene | None:
    """Points, the plane w0 + w·x = 0 as a line, and two answers (row, signed distance from it)."""
    points, weights = np.asarray(X, dtype=float), numbers(w, "w", ndim=1)
    if points.shape[1:] != (2,):
        return None
    unit = weights[1:] / np.linalg.norm(weights[1:])
    marks: list[Mark] = [Line(weights[1:], float(weights[0]), label="g = 0")]
    told, reached = [], [points]
    for name, role, (row, r) in zip(NAMES, ("path2", "weights"), (yours, expected), strict=True):
        told.append(f"{name}: row {number(row)} at the distance {number(r)}")
        if 0 <= row < len(points):
            foot = points[int(row)] - r * unit
            marks.append(Segments([points[int(row)]], [foot], role=role, label=name))
            reached.append(foot[None])
    x, y = square_axes(*reached, pad=0.2)
    marks.append(Points(points, look="dot", size=5))
    rows = tuple(str(k) for k in range(len(points)))
    marks.append(Text(points, rows, shift=(10.0, 8.0)))
    return Scene((Panel(tuple(marks), x, y, equal=True),), f"{'; '.join(told)}.")


def values_beside_curves(
    x: npt.ArrayLike,
    yours: Mapping[str, npt.ArrayLike],
    expected: Mapping[str, npt.ArrayLike],
    grid: npt.ArrayLike,
    curves: Mapping[str, npt.ArrayLike],
    label: str,
) -> Scene:
    """For each name one panel: the expected curve, and the values of an answer at the places x."""
    at, places = numbers(x, "x", ndim=1), numbers(grid, "grid", ndim=1)
    panels, told = [], []
    for name, values in yours.items():
        given, wanted = numbers(values, name, ndim=1), numbers(expected[name], name, ndim=1)
        off = ~np.isclose(given, wanted)
        told.append(f"{name} is off at {count(int(off.sum()), 'place')} of {len(at)}")
        marks = (
            Curve(places, curves[name], label="expected"),
            Segments(np.c_[at, given][off], np.c_[at, wanted][off]),
            Points(np.c_[at, given], look="dot", size=5, labels=("yours",)),
        )
        y = Axis.around([*given, *np.ravel(curves[name])], pad=0.15)
        panels.append(Panel(marks, Axis(label, float(places[0]), float(places[-1])), y, title=name))
    return Scene(tuple(panels), f"Your values beside the curves: {'; '.join(told)}.", columns=2)
