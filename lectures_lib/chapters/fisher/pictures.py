"""The pictures of Fisher's discriminant: rulers, projections, the turning direction, thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from lectures_lib.datasets import DataSet, make_gaussian_classes
from lectures_lib.decision import normal_cdf, normal_pdf
from lectures_lib.figures import Axis, Curve, Panel, Points, Scene, Segments, Text, histogram
from lectures_lib.figures.marks import Track, between
from lectures_lib.figures.plane import CLASS_NAMES, curve_through, labelled_points, square_axes
from lectures_lib.figures.scene import Array, Floats, Mark, numbers
from lectures_lib.figures.words import number
from lectures_lib.fisher import (
    fisher_direction,
    fisher_J,
    mean_direction,
    principal_direction,
    scatter_matrices,
    threshold,
)

REACH = 5.5  # the plane of the sheared clouds
PLANE = (Axis("x₁", -REACH, REACH), Axis("x₂", -REACH, REACH))
FAR = 7.5  # the axis of the projections: longer than any of them
BINS = np.linspace(-FAR, FAR, 46)
TURN = 5  # degrees between two angles of the live picture
ANGLES = np.arange(0, 360, TURN)
ROLES = ("path1", "path2", "path3", "path4")


@cache
def sheared_clouds() -> DataSet:
    """Two long parallel clouds, side by side along neither of their axes; 60 points each."""
    S = [[2.2, 1.9], [1.9, 2.2]]
    return make_gaussian_classes([[-1.5, -0.4], [1.5, 0.4]], [S, S], None, 120, rng=4)


# --- rulers --------------------------------------------------------------------------------------


def strips_scene(
    rulers: Mapping[str, npt.ArrayLike], y: npt.ArrayLike, names: Sequence[str]
) -> Scene:
    """One strip of dots for each ruler, in its standard deviations; the best cut and its errors."""
    labels = np.asarray(y)
    marks: list[Mark] = []
    told = []
    rng = np.random.default_rng(0)  # jitter across the strip: equal readings stay visible
    for row, (name, given) in enumerate(reversed(list(rulers.items()))):
        z = numbers(given, "rulers", ndim=1)
        z = (z - z.mean()) / z.std()
        height = row + rng.uniform(-0.3, 0.12, len(z))
        marks.append(Points(np.column_stack([z, height]), labels, size=4))
        cut = threshold(z, labels, "fewest errors")
        wrong = _wrong(z, labels, cut)
        marks.append(Segments([[cut, row - 0.36]], [[cut, row + 0.2]], "boundary"))
        marks.append(Text([[-3.0, row + 0.32]], (f"{name}: {wrong} wrong",), "start"))
        told.append(f"{name} {wrong}")
    x = Axis("standard deviations from the mean", -3.1, 3.1)
    y_axis = Axis("", -0.6, len(rulers) - 0.4, ())
    title = f"circles: {names[0]}, triangles: {names[1]}"
    panel = Panel(tuple(marks), x, y_axis, title, height=0.22 * len(rulers))
    counted = ", ".join(reversed(told))
    return Scene((panel,), f"Mistakes of the best cut among {len(labels)} flowers: {counted}.")


# --- projections ---------------------------------------------------------------------------------


def axis_through(centre: Floats, w: Floats, reach: float) -> Floats:
    """Two ends of the axis through `centre` along w."""
    unit = w / np.linalg.norm(w)
    return np.asarray(np.array([centre - reach * unit, centre + reach * unit]))


def directions_scene(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    directions: Mapping[str, npt.ArrayLike],
    axes: tuple[Axis, Axis] | None = None,
) -> Scene:
    """The points with an axis for each direction; beside them the projections on each."""
    points, labels = labelled_points(X, y)
    x_axis, y_axis = axes or square_axes(points)
    centre = points.mean(axis=0)
    reach = 0.45 * (x_axis.hi - x_axis.lo)
    marks: list[Mark] = [Points(points, labels, CLASS_NAMES, size=4)]
    below: list[Panel] = []
    told = []
    units = {name: np.asarray(w) / np.linalg.norm(w) for name, w in directions.items()}
    spread = 1.1 * max(float(np.abs((points - centre) @ w).max()) for w in units.values())
    edges = np.linspace(-spread, spread, 37)
    for role, (name, w) in zip(ROLES, units.items(), strict=False):
        marks.append(curve_through(axis_through(centre, w, reach), role, name))
        z = (points - centre) @ w
        cut = threshold(z, labels)
        wrong = _wrong(z, labels, cut)
        bars = [histogram(z[labels == k], edges, k) for k in (0, 1)]
        top = max(float(np.max(bar.height)) for bar in bars)
        line = Segments([[cut, 0]], [[cut, 1.1 * top]], "boundary")
        axes = Axis("", -spread, spread), Axis("count", 0, 1.15 * top, whole=True)
        title = f"{name}: {wrong} of {len(z)} wrong"
        below.append(Panel((*bars, line), *axes, title, height=0.42, below=bool(below)))
        told.append(f"{name} {wrong}")
    plane = Panel(tuple(marks), x_axis, y_axis, equal=True)
    sentence = (
        f"{len(points)} points; mistakes of the midpoint on each direction: {', '.join(told)}."
    )
    return Scene((plane, *below), sentence, columns=2)


def _wrong(z: Floats, y: Array, cut: float) -> int:
    """Mistakes of the cut, with class 1 on the side of its mean."""
    up = z[y == 1].mean() >= z[y == 0].mean()
    return int(np.sum(((z > cut) == up) != (y == 1)))


# --- the turning direction -----------------------------------------------------------------------


@cache
def named_angles() -> dict[str, float]:
    """The angles of three directions of the sheared clouds."""
    data = sheared_clouds()
    directions = {
        "Fisher": fisher_direction(data.X, data.y),
        "means": mean_direction(data.X, data.y),
        "PCA": principal_direction(data.X),
    }
    return {n: float(np.degrees(np.arctan2(w[1], w[0])) % 360) for n, w in directions.items()}


@cache
def J_by_degree() -> Floats:
    """J(w) of the sheared clouds at every degree, 0 to 360."""
    data = sheared_clouds()
    scatters = notes_scatters(data.X, data.y)
    return np.array([fisher_J(unit_at(float(angle)), *scatters) for angle in range(361)])


def notes_scatters(X: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    """S_B of note 004, the outer product of the mean difference, and S_w."""
    scatter = scatter_matrices(X, y)
    gap = scatter.means[1] - scatter.means[0]
    return np.outer(gap, gap), scatter.within


def unit_at(degrees: float) -> Floats:
    """The unit vector at this angle."""
    return np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])


def turning_scene(angle: float) -> Scene:
    """The clouds with the direction w, the projections on it, and where J(w) is on its curve."""
    data = sheared_clouds()
    w = unit_at(angle)
    centre = data.X.mean(axis=0)
    z = (data.X - centre) @ w
    means = [data.X[data.y == k].mean(axis=0) for k in (0, 1)]
    feet = np.array([centre + ((mean - centre) @ w) * w for mean in means])
    cut = float(z[data.y == 0].mean() + z[data.y == 1].mean()) / 2
    wrong = _wrong(z, data.y, cut)
    ends = axis_through(centre, w, 1.4 * REACH)
    across = axis_through(centre + cut * w, np.array([-w[1], w[0]]), 2 * REACH)
    plane = Panel(
        (
            Points(data.X, data.y, size=3.5),
            curve_through(ends, "weights"),
            curve_through(across, "boundary"),
            Segments(means, feet, "guide"),
            Points(feet, [0, 1], look="hollow", size=6),
            Text([centre + 0.72 * REACH * w], ("w",), size=14, shift=(0, 7)),
        ),
        *PLANE,
        "the direction w, and the cut across it",
        equal=True,
    )
    projected = Panel(
        (
            *(histogram(z[data.y == k], BINS, k, CLASS_NAMES[k]) for k in (0, 1)),
            Segments([[cut, 0]], [[cut, 22]], "boundary"),
        ),
        Axis("projection on w", -FAR, FAR),
        Axis("count", 0, 22, whole=True),
        f"{wrong} of {len(z)} on the wrong side",
        height=0.42,
    )
    J = fisher_J(w, *notes_scatters(data.X, data.y))
    sentence = (
        f"w at {angle:g}°: J = {J:.4f}, {wrong} of {len(z)} points on the wrong side; "
        f"the largest J is {J_by_degree().max():.4f} at {named_angles()['Fisher']:.0f}°."
    )
    readouts = (("J(w)", f"{J:.4f}"), ("wrong", f"{wrong} of {len(z)}"))
    return Scene((plane, projected, _curve_of_J(angle, J)), sentence, readouts, columns=2)


def _curve_of_J(angle: float, J: float) -> Panel:
    J_everywhere = J_by_degree()
    largest = float(J_everywhere.max())
    marks: list[Mark] = [Curve(np.arange(361), J_everywhere, "outline")]
    heights = (1.06, 0.82, 0.58)  # as shares of the largest J, so that the names do not meet
    for role, share, (name, at) in zip(ROLES, heights, named_angles().items(), strict=False):
        for place in (at, (at + 180) % 360):
            tip = [place, share * largest]
            marks.append(Segments([[place, 0]], [tip], role))
            anchor, aside = ("end", -4) if place > 300 else ("start", 4)
            marks.append(Text([tip], (name,), anchor, size=11, shift=(aside, 2)))
    marks.append(Points([[angle, J]], look="dot", size=6))
    marks.append(Track(np.column_stack([ANGLES, J_everywhere[ANGLES]]), "w"))
    ticks = tuple((float(a), f"{a}°") for a in (0, 90, 180, 270, 360))
    axes = Axis("angle of w", 0, 360, ticks), Axis("J(w)", 0, 1.3 * largest)
    return Panel(tuple(marks), *axes, height=0.42, below=True)


# --- thresholds ----------------------------------------------------------------------------------

LINE = Axis("projection z", -4.0, 4.0)
STEPS = np.linspace(-4, 4, 81)


def rules(p1: float) -> dict[str, float]:
    """Thresholds for classes N(-1, 1) and N(1, 1): midpoint, grand mean, swapped, Bayes."""
    p0 = 1 - p1
    bayes = -0.5 * float(np.log(p1 / p0))
    return {"midpoint": 0.0, "grand mean": p1 - p0, "swapped": p0 - p1, "Bayes": bayes}


def error_of_cut(t: float | Floats, p1: float) -> Any:
    """The share of wrong answers when class 1, N(1, 1), is answered above t, class 0 below."""
    return p1 * normal_cdf(t - 1) + (1 - p1) * normal_cdf(-t - 1)


def weighted(z: Floats, p1: float) -> tuple[Floats, Floats]:
    """Prior times density of the two classes."""
    return (1 - p1) * normal_pdf(z + 1), p1 * normal_pdf(z - 1)


def thresholds_scene(cut: float, prior: float) -> Scene:
    """Two classes on the ruler, weighted by their priors; the cut, and its error beneath."""
    marks: list[Mark] = []
    for k, side in ((0, np.maximum(STEPS, cut)), (1, np.minimum(STEPS, cut))):
        marks.append(between(side, 0, weighted(side, prior)[k], k, hatch=True))
    for k, height in enumerate(weighted(STEPS, prior)):
        marks.append(Curve(STEPS, height, f"class{k}", CLASS_NAMES[k]))
    marks.append(Segments([[cut, 0]], [[cut, 0.4]], "boundary"))
    error = error_of_cut(cut, prior)
    upper = Panel(tuple(marks), LINE, Axis("prior × density", 0, 0.4), "", height=0.42)
    curve = error_of_cut(STEPS, prior)
    found = rules(prior)
    best = float(curve.min())
    lower: list[Mark] = [Curve(STEPS, curve, "outline")]
    out, back = ("start", "end") if prior >= 0.5 else ("end", "start")  # seen from the middle
    places = ((1.1, "middle"), (0.98, out), (0.74, back), (0.62, back))  # no guide meets a name
    for role, (name, t), (top, anchor) in zip(ROLES, found.items(), places, strict=True):
        height = error_of_cut(t, prior)
        lower.append(Segments([[t, 0]], [[t, height]], role))
        lower.append(Points([[t, height]], look="dot", size=3.5))
        lower.append(Text([[t, top]], (name,), anchor, size=11))
        lower.append(Segments([[t, height]], [[t, top - 0.02]], "guide"))
    lower.append(Points([[cut, error]], look="focus", size=8))
    lower.append(Track(np.column_stack([STEPS, curve]), "cut"))
    shares = Axis("share of errors", 0, 1.2, tuple((k / 5, f"{k / 5:.1f}") for k in range(6)))
    beneath = Panel(tuple(lower), LINE, shares, "", height=0.6, below=True)
    rates = ", ".join(f"{name} {error_of_cut(t, prior):.3f}" for name, t in found.items())
    sentence = (
        f"Class 1 has prior {prior:g}; the cut at {number(cut, 1)} errs on "
        f"{error:.3f}, the best one on {best:.3f}; {rates}."
    )
    readouts = (("errors of the cut", f"{error:.3f}"), ("the fewest", f"{best:.3f}"))
    return Scene((upper, beneath), sentence, readouts)


def marks_scene(
    m: npt.ArrayLike, s: npt.ArrayLike, p: npt.ArrayLike, yours: npt.ArrayLike, right: npt.ArrayLike
) -> Scene:
    """Prior times density of two classes; the marks of an answer, and where the curves cross."""
    means, sds, priors = (numbers(value, "m, s, p", ndim=1) for value in (m, s, p))
    there = numbers(right, "right", ndim=1)
    given = np.atleast_1d(np.asarray(yours, dtype=float))
    reach = 1.2 * float(np.abs(np.concatenate([there, means + 3 * sds, means - 3 * sds])).max())
    z = np.linspace(-reach, reach, 241)
    heights = [priors[k] * normal_pdf((z - means[k]) / sds[k]) / sds[k] for k in (0, 1)]
    top = 1.15 * float(max(height.max() for height in heights))
    drawn: list[Mark] = [Curve(z, heights[k], f"class{k}", CLASS_NAMES[k]) for k in (0, 1)]
    for places, role, name in ((there, "boundary", "expected"), (given, "path2", "yours")):
        low, high = [[t, 0] for t in places], [[t, top] for t in places]
        drawn.append(Segments(low, high, role, name))
    panel = Panel(
        tuple(drawn), Axis("z", -reach, reach), Axis("prior × density", 0, top), height=0.5
    )
    told = [", ".join(f"{t:.3g}" for t in places) for places in (given, there)]
    return Scene((panel,), f"Marks: yours {told[0]}; expected {told[1]}.")
