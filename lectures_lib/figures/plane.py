"""What many chapters draw in the plane: points of classes, a line, the regions of a classifier."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import numpy.typing as npt
from contourpy import contour_generator

from lectures_lib.discriminants import from_one_hot, one_hot
from lectures_lib.figures.marks import (
    Arrow,
    Bars,
    Curve,
    HalfPlane,
    Line,
    Points,
    Region,
    between,
)
from lectures_lib.figures.scene import Array, Axis, Floats, Mark, Panel, Scene, numbers, positions
from lectures_lib.figures.words import count, equation

Pair = tuple[str, str]
CLASS_NAMES = ("class 0", "class 1")
TINTS = (2, 6, 4, 9)  # the classes that have the colours of the curves "path1" to "path4"
GRID = 81  # predictions in each direction that look for the borders of regions


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


def labelled_points(X: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Array]:
    """Points in the plane as (N, 2) floats and their two classes as 0 and 1."""
    points = positions(X, "X")
    labels = binary_labels(y)
    if labels.shape != (len(points),):
        raise ValueError(f"y: expected {len(points)} labels, found shape {labels.shape}")
    return points, labels


def square_axes(
    *clouds: npt.ArrayLike, pad: float = 0.1, names: Sequence[str] = ("x₁", "x₂")
) -> tuple[Axis, Axis]:
    """Two axes of the same length that show all points."""
    xy = np.concatenate([np.asarray(c, dtype=float).reshape(-1, 2) for c in clouds])
    if not len(xy):
        xy = np.array([[-1.0, -1.0], [1.0, 1.0]])
    low, high = xy.min(axis=0), xy.max(axis=0)
    half = (0.5 + pad) * (float((high - low).max()) or 2.0)
    middle = (low + high) / 2
    x, y = (Axis(s, float(m - half), float(m + half)) for s, m in zip(names, middle, strict=True))
    return x, y


def box(left: float, right: float, low: float, high: float) -> Floats:
    """The corners of a rectangle."""
    return np.array([[left, low], [right, low], [right, high], [left, high]])


def ellipse(mean: npt.ArrayLike, covariance: npt.ArrayLike, size: float = 1.0) -> Floats:
    """The points at Mahalanobis distance `size` from the mean, once around."""
    spread, axes = np.linalg.eigh(np.asarray(covariance, dtype=float))
    turn = np.linspace(0, 2 * np.pi, 73)
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    around: Floats = np.asarray(mean) + size * (circle * np.sqrt(spread)) @ axes.T
    return around


def curve_through(xy: Floats, role: str = "boundary", label: str = "") -> Curve:
    """A polyline through the rows of `xy`."""
    return Curve(xy[:, 0], xy[:, 1], role, label)


def banded_curves(
    x: npt.ArrayLike, errors: Mapping[str, npt.ArrayLike], deviation: bool = False
) -> tuple[Mark, ...]:
    """For each name the mean of its rows over x: a curve, and behind all curves a band of one
    standard error to each side, or of one deviation, where there are several rows."""
    bands, curves = [], []
    for k, (name, rows) in enumerate(errors.items()):
        runs = np.atleast_2d(np.asarray(rows, dtype=float))
        mean = runs.mean(axis=0)
        if len(runs) > 1:
            reach = runs.std(axis=0, ddof=not deviation) / (1 if deviation else len(runs) ** 0.5)
            bands.append(between(x, mean - reach, mean + reach, TINTS[k]))
        curves.append(Curve(x, mean, f"path{k + 1}", name))
    return (*bands, *curves)


def heaps(
    edges: Floats, heights: Sequence[Floats], cut: float, names: Pair, wrong: Pair
) -> list[Mark]:
    """The histograms of two classes with a cut; what is on the wrong side of it is hatched."""
    called = edges[:-1] >= cut - 1e-9
    marks: list[Mark] = [Bars(edges[:-1], edges[1:], heights[k], k, names[k]) for k in (0, 1)]
    for k, there in enumerate((called, ~called)):  # one polygon, with as many corners at each cut
        top = np.r_[0.0, np.repeat(heights[k] * there, 2), 0.0]
        corners = np.column_stack([np.repeat(edges, 2), top])
        marks.append(Region((corners,), k, wrong[k], hatch=True))
    return [*marks, Line([1, 0], -cut)]


def mistakes(X: Floats, y: Array, w: Floats, w0: float, tie: str = "update") -> Array:
    """Which examples count as mistakes: s (w·x + w0) <= 0 with s = 2y - 1.

    With `tie` "positive" an example on the line is read as class 1, as sign(0) = +1 says.
    """
    g, s = X @ w + w0, 2 * y - 1
    wrong: Array = s * g <= 0 if tie == "update" else (g >= 0) != (s > 0)
    return wrong


def bias_and_weights(w: npt.ArrayLike, w0: float | None = None) -> tuple[float, Floats]:
    """w0 and (w1, w2), from the three weights with the bias first or from two and `w0`."""
    weights = numbers(w, "w", ndim=1)
    expected = 3 if w0 is None else 2
    if weights.shape != (expected,):
        given = "without w0" if w0 is None else "with w0"
        raise ValueError(f"w: expected {expected} numbers ({given}), found {len(weights)}")
    return (float(weights[0]), weights[1:]) if w0 is None else (float(w0), weights)


def sides(w: Floats, w0: float, label: str) -> list[Mark]:
    """Both half-planes of w·x + w0 = 0 in the tints of their classes, and the line between."""
    return [HalfPlane(-w, -w0, 0), HalfPlane(w, w0, 1), Line(w, w0, label=label)]


def normal_arrow(
    w: Floats, w0: float, x: Axis, y: Axis, length: float, role: str = "weights", label: str = ""
) -> Arrow:
    """The direction of w, drawn from the boundary's point nearest to the middle of the panel.

    `length` is a share of the panel's width.
    """
    size = float(np.linalg.norm(w))
    middle = np.array([x.lo + x.hi, y.lo + y.hi]) / 2
    foot = middle - (w @ middle + w0) / size**2 * w
    return Arrow(foot, foot + length * (x.hi - x.lo) * w / size, role, label)


def boundary_scene(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    w: npt.ArrayLike,
    w0: float | None = None,
    *,
    title: str = "",
    old: tuple[npt.ArrayLike, float] | None = None,
    current: int | None = None,
    axes: tuple[Axis, Axis] | None = None,
    tie: str = "update",
) -> Scene:
    """Points, the line w·x + w0 = 0 with its normal, both half-planes, mistakes circled.

    `w` holds all three weights, bias first, or the two of the plane when `w0` is given. `old`
    adds an earlier line (w, w0), dashed; `current` marks the example in hand; `axes` fixes what
    is shown; `tie` is the rule for points on the line ("update" or "positive", as in
    `Perceptron`).
    """
    points, classes = labelled_points(X, y)
    w0, weights = bias_and_weights(w, w0)
    x_axis, y_axis = axes or square_axes(points)
    wrong = mistakes(points, classes, weights, w0, tie)
    marks: list[Mark] = []
    if weights.any():
        marks += sides(weights, w0, "boundary")
    marks.append(Points(points, classes, CLASS_NAMES))
    marks.append(Points(points[wrong], look="ring", size=9, labels=("mistake",)))
    if weights.any():
        marks.append(normal_arrow(weights, w0, x_axis, y_axis, 0.2, label="direction of w"))
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


def regions_scene(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    predict: Callable[[Array], npt.ArrayLike],
    *,
    title: str = "",
    pad: float = 0.35,
    axes: tuple[Axis, Axis] | None = None,
) -> Scene:
    """The points of the classes `y`, and behind them the class that `predict` says everywhere."""
    points = numbers(X, "X", ndim=2)
    labels = np.asarray(y)
    classes = np.unique(labels)
    names = tuple(f"class {label}" for label in classes)
    x_axis, y_axis = axes or square_axes(points, pad=pad)
    regions, borders, shares = class_regions(predict, classes, x_axis, y_axis)
    codes = _codes(labels, classes)
    wrong = int(np.sum(_codes(predict(points), classes) != codes))
    marks = (
        *(Region(rings, k) for k, rings in enumerate(regions) if rings),
        Curve(borders[:, 0], borders[:, 1]),
        Points(points, codes, names, size=7),
    )
    areas = ", ".join(
        f"{share:.0%} of the picture is {name}" for share, name in zip(shares, names, strict=True)
    )
    sentence = (
        f"{count(len(points), 'point')} in {count(len(classes), 'class', 'classes')}, "
        f"{count(wrong, 'mistake')}; {areas}."
    )
    return Scene((Panel(marks, x_axis, y_axis, title, equal=True),), sentence)


def class_regions(
    predict: Callable[[Array], npt.ArrayLike],
    classes: npt.ArrayLike,
    x: Axis,
    y: Axis,
    grid: int = GRID,
) -> tuple[list[tuple[Floats, ...]], Floats, Floats]:
    """The parts of a panel that a classifier gives to each class, with borders as they are.

    Three things: for each class its polygons, all borders as one polyline with NaN between its
    pieces, and the share of the panel of each class. Predictions on a grid say between which
    neighbours a border runs; halving the way between them 14 times says where.
    """
    u, v = np.linspace(x.lo, x.hi, grid), np.linspace(y.lo, y.hi, grid)
    corners = np.stack(np.meshgrid(u, v), axis=-1)
    codes = _codes(predict(corners.reshape(-1, 2)), classes).reshape(grid, grid)
    regions: list[tuple[Floats, ...]] = []
    borders = [np.empty((0, 2))]
    for k in range(np.size(classes)):
        inside = codes == k
        member = partial(_is_in_class, predict, classes, k)
        contours = contour_generator(z=inside.astype(float), fill_type="OuterOffset")
        rings = [
            _onto_the_border(points[a:b], corners, inside, member)
            for points, ends in zip(*contours.filled(0.5, 2.0), strict=True)
            for a, b in itertools.pairwise(ends)
        ]
        regions.append(tuple(rings))
        if k:  # every border has a class other than the first on one side
            for line in map(np.asarray, contours.lines(0.5)):
                borders += [
                    _onto_the_border(line, corners, inside, member),
                    np.full((1, 2), np.nan),
                ]
    shares = np.bincount(codes.ravel(), minlength=len(regions)) / codes.size
    return regions, np.concatenate(borders), shares


def _is_in_class(
    predict: Callable[[Array], npt.ArrayLike], classes: npt.ArrayLike, k: int, points: Floats
) -> Array:
    """Which points the classifier gives to class k."""
    found: Array = _codes(predict(points), classes) == k
    return found


def _onto_the_border(
    contour: Floats, corners: Floats, inside: Array, member: Callable[[Floats], Array]
) -> Floats:
    """Vertices of a contour, in steps of the grid, moved to where membership changes.

    A vertex halfway between two neighbours of the grid lies on a border; one that sits on the
    grid is a corner of the panel's edge and stays.
    """
    low, high = np.floor(contour + 0.25).astype(int), np.ceil(contour - 0.25).astype(int)
    start, end = corners[low[:, 1], low[:, 0]], corners[high[:, 1], high[:, 0]]
    at_start = inside[low[:, 1], low[:, 0]]
    near, far = np.zeros(len(contour)), np.ones(len(contour))
    for _ in range(14):
        middle = (near + far) / 2
        like_start = member(start + middle[:, None] * (end - start)) == at_start
        near, far = np.where(like_start, middle, near), np.where(like_start, far, middle)
    moved: Floats = start + ((near + far) / 2)[:, None] * (end - start)
    return moved


def _codes(labels: npt.ArrayLike, classes: npt.ArrayLike) -> Array:
    """Labels as 0, 1, ... in the order of the classes; an unknown label is an error in words."""
    codes: Array = from_one_hot(one_hot(labels, classes))
    return codes
