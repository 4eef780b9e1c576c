"""The pictures of the maximum margin: a fan of separators, the street, its kerbs, what holds it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lectures_lib.figures.marks import Curve, HalfPlane, Line, Points, Region, Segments, Text
from lectures_lib.figures.plane import (
    CLASS_NAMES,
    bias_and_weights,
    box,
    labelled_points,
    square_axes,
)
from lectures_lib.figures.scene import Axis, Floats, Mark, Panel, Scene, numbers
from lectures_lib.figures.words import count, equation, number
from lectures_lib.margin import HardMarginSVM, SoftMarginSVM, slab_width, slacks

Axes = tuple[Axis, Axis]
Names = tuple[str, ...]
HIGHEST = 200  # a column that would be higher ends here
RINGS = 4  # sizes of ring that stand for multipliers


def fan_scene(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    lines: npt.ArrayLike,
    names: Names,
    features: Names,
) -> Scene:
    """Separating lines of the same points, rows (w0, w1, w2), and the widest street among all."""
    points, classes = labelled_points(X, y)
    fan = numbers(lines, "lines", ndim=2)
    model = HardMarginSVM().fit(points, classes)
    w, w0 = model.coef_[0], float(model.intercept_[0])
    width = number(slab_width(np.r_[w0, w]))
    marks = (
        *(Line(row[1:], float(row[0]), "wire") for row in fan),
        *_street(w, w0, "the widest street", f"its kerbs, 2/‖w‖ = {width} apart"),
        Points(points, classes, names),
        Points(points[model.support_], look="ring", size=9, labels=("support vector",)),
    )
    panel = Panel(marks, *square_axes(points, pad=0.06, names=features), equal=True)
    sentence = (
        f"{len(fan)} lines that separate {count(len(points), 'point')}, and the one in the middle "
        f"of the widest street, {width} wide, held by "
        f"{count(len(model.support_), 'support vector')}."
    )
    return Scene((panel,), sentence)


def _street(w: Floats, w0: float, boundary: str, kerbs: str) -> tuple[Line, Line, Line]:
    return Line(w, w0, label=boundary), Line(w, w0 - 1, "margin", kerbs), Line(w, w0 + 1, "margin")


def mistakes_scene(counts: npt.ArrayLike, machine: int, total: int) -> Scene:
    """How many runs made how many mistakes, as stacked dots, and where one machine stands."""
    found = np.sort(np.asarray(counts, dtype=int))
    height = np.concatenate([np.arange(1, n + 1) for n in np.bincount(found) if n])
    dots = np.column_stack([found, height]).astype(float)
    top = float(height.max())
    marks = (
        Points(dots, look="dot", size=3.2, labels=("one order of the examples",)),
        Segments([[machine, 0]], [[machine, top]], "weights", "widest street"),
    )
    panel = Panel(
        marks,
        Axis("mistakes on unseen pictures", -0.5, found.max() + 1.5, whole=True),
        Axis("runs", 0, 1.08 * top, whole=True),
        height=0.45,
    )
    sentence = (
        f"{len(found)} perceptrons make {found.min()} to {found.max()} mistakes on {total} unseen "
        f"pictures, half of them {int(np.median(found))} at most; the widest street {machine}."
    )
    return Scene((panel,), sentence)


# --- the street ----------------------------------------------------------------------------------


def street_scene(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    C: float,
    axes: Axes,
    handle: str,
    first: Sequence[Line] = (),
) -> Scene:
    """The soft-margin street of the points, rings as large as the multipliers, the slacks.

    The second panel shows what C trades: penalty and slacks. `first` are earlier lines.
    """
    points, classes = labelled_points(X, y)
    if len(np.unique(classes)) < 2:
        return _asks_for_two_classes(points, classes, axes, handle)
    s = 2 * classes - 1
    model = SoftMarginSVM(C=C).fit(points, classes)
    w, w0 = model.coef_[0], float(model.intercept_[0])
    weights = np.r_[w0, w]
    xi = slacks(points, s, weights)
    marks: list[Mark] = []
    if w.any():
        marks += [
            HalfPlane(w, w0 - 1, 1),
            HalfPlane(-w, -w0 - 1, 0),
            *_street(w, w0, "boundary", "kerbs g = ±1"),
            _slack_segments(points, s, xi, w),
        ]
    marks += [
        Points(points, classes, CLASS_NAMES, handle=handle),
        *_rings(points, model.alpha_),
        *first,
    ]
    half, slack = float(w @ w) / 2, float(xi.sum())
    support = int((model.alpha_ > 1e-7 * model.alpha_.max(initial=1.0)).sum())
    width = number(slab_width(weights))
    street = "without end" if width == "∞" else f"{width} wide"
    sentence = (
        f"A street {street} between {count(len(points), 'point')}, held by "
        f"{count(support, 'support vector')}; {count(int((xi > 1e-6).sum()), 'point')} inside it "
        f"or beyond, slacks {number(slack)} in all."
    )
    readouts = (
        ("width 2/‖w‖", width),
        ("½‖w‖²", number(half)),
        ("Σξ", number(slack)),
        ("C Σξ", number(C * slack)),
        ("held by", f"{support} of {len(points)} points"),
    )
    panels = (Panel(tuple(marks), *axes, equal=True), _halves(half, slack))
    return Scene(panels, sentence, readouts, columns=2)


def _asks_for_two_classes(points: Floats, classes: Floats, axes: Axes, handle: str) -> Scene:
    shown = (
        Points(points, classes, CLASS_NAMES, handle=handle),
        Text([[a.lo / 2 + a.hi / 2 for a in axes]], ("Two classes are needed.",)),
    )
    sentence = "A street needs two classes: add a point of the missing one."
    return Scene((Panel(shown, *axes, equal=True),), sentence)


def _slack_segments(points: Floats, s: Floats, xi: Floats, w: Floats) -> Segments:
    """From each point with a slack to the kerb of its class: ξ / ‖w‖ along w."""
    late = xi > 1e-6
    way = (s * xi)[late, None] * w / float(w @ w)
    return Segments(points[late], points[late] + way, "example", "slack")


def _rings(points: Floats, alpha: Floats) -> list[Points]:
    """A ring round each support vector; the area of the ring grows with its multiplier."""
    largest = float(alpha.max(initial=0.0))
    if largest == 0:
        return []
    level = np.ceil(RINGS * alpha / largest - 1e-9).astype(int)
    level[alpha <= 1e-7 * largest] = 0
    return [
        Points(
            points[level == k],
            look="ring",
            size=7.0 + 7.0 * float(np.sqrt(k / RINGS)),
            labels=("multiplier α",) if k == RINGS else (),
        )
        for k in range(1, RINGS + 1)
    ]


def _halves(half: float, slack: float) -> Panel:
    """What C trades, as two columns on an axis that stands still."""
    tops = (half, slack)
    marks: list[Mark] = []
    for at, top, name, hatch in zip((1, 2), tops, ("½‖w‖²", "Σξ"), (False, True), strict=True):
        left, right, level = at - 0.3, at + 0.3, min(_squeezed(top), _squeezed(HIGHEST))
        marks.append(Region((box(left, right, 0.0, level),), None, hatch=hatch, outline=True))
        beyond = " ↑" if top > HIGHEST else ""
        marks.append(Text([[at, level]], (f"{name} = {number(top)}{beyond}",), shift=(0, 6)))
    ticks = tuple((_squeezed(v), str(v)) for v in (0, 1, 3, 10, 30, 100))
    y = Axis("penalty, and sum of the slacks", 0, _squeezed(300), ticks)
    return Panel(tuple(marks), Axis("", 0.4, 2.6, ()), y, "What C trades", height=1.0)


def _squeezed(value: float) -> float:
    return float(np.log1p(value))


def hinge_scene() -> Scene:
    """The cheapest slack as a function of the product s·g: the hinge."""
    marks = (
        Curve([-2, 1, 3], [3, 0, 0], label="max(0, 1 − s·g)"),
        Curve([-2, 0, np.nan, 0, 3], [1, 1, np.nan, 0, 0], "old", "0-1 loss"),
        Points([[0.0, 1.0]], look="dot", size=4),
        Points([[0.4, 0.6]], look="focus", size=9),
    )
    panel = Panel(marks, Axis("s·g(x)", -2, 3), Axis("slack ξ", -0.1, 3.1), height=0.5)
    return Scene((panel,), "The hinge over the product s·g: at 0.40 the slack is 0.60.")


def units_scene(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    scales: Sequence[tuple[float, str]],
    names: Names,
    features: Names,
) -> Scene:
    """The widest street found in several units of the second feature, drawn in the first ones."""
    points, classes = labelled_points(X, y)
    axes = square_axes(points, pad=0.08, names=features)
    panels, told = [], []
    for factor, name in scales:
        model = HardMarginSVM().fit(points * [1, factor], classes)
        w0, w = bias_and_weights(np.r_[model.intercept_, model.coef_[0] * [1, factor]])
        marks = (
            *_street(w, w0, "boundary", "kerbs"),
            Points(points, classes, names),
            Points(points[model.support_], look="ring", size=9, labels=("support vector",)),
        )
        panels.append(Panel(marks, *axes, name, equal=True))
        length = float(np.linalg.norm(w))
        told.append(f"{name}: {equation(w / length, w0 / length)}")
    sentence = f"The widest street of the same points, {'; '.join(told)}."
    return Scene(tuple(panels), sentence, columns=3, shared_legend=len(panels) > 1)
