"""The pictures of the logistic model: the sigmoid, the passengers on it, three scales."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lectures_lib.figures.marks import Arrow, Curve, HalfPlane, Line, Points, Segments, Text
from lectures_lib.figures.scene import Axis, Floats, Mark, Panel, Scene, numbers
from lectures_lib.figures.words import number
from lectures_lib.logistic import log_sigmoid, logit, sigmoid

LABELS = ("died", "survived")
SCALES = ("probability", "odds", "log-odds")
AGES, RADII = Axis("age in years", 0, 80), Axis("mean radius of the nuclei", 6, 29)
LEAST_GAP = 0.07  # of the farthest share of the biopsies from a curve of `radius_scene`
QUARTERS = tuple((k / 4, f"{k / 4:g}") for k in range(5))


def shares(x: npt.ArrayLike, y: npt.ArrayLike, groups: int) -> Floats:
    """Rows (mean of x, share of label 1), in groups of equal size from small x to large."""
    values, labels = numbers(x, "x", ndim=1), np.asarray(y)
    parts = np.array_split(np.argsort(values, kind="stable"), groups)
    return np.array([[values[part].mean(), labels[part].mean()] for part in parts])


def _spread(n: int, low: float, high: float) -> Floats:
    """n heights between two ends, scattered the same way each time, so that marks do not hide."""
    return np.asarray(low + (high - low) * ((np.arange(n) * 0.6180339887) % 1))


def _labelled(
    x: Floats, y: npt.ArrayLike, across: Axis, size: float, words: tuple[str, str] = LABELS
) -> list[Mark]:
    """A mark for each example at x: above the picture label 1, below it label 0."""
    labels = np.asarray(y)
    marks: list[Mark] = [
        Text([across.hi, 0.02], words[:1], "end", 11, "muted", (-4, -2)),
        Text([across.lo, 0.98], words[1:], "start", 11, "muted", (4, -2)),
    ]
    for label, low, high in ((0, -0.16, -0.04), (1, 1.04, 1.16)):
        chosen = x[labels == label]
        height = _spread(len(chosen), low, high)
        marks.append(Points(np.c_[chosen, height], np.full(len(chosen), label), size=size))
    return marks


# --- one feature, three scales -------------------------------------------------------------------


def age_scene(age: npt.ArrayLike, y: npt.ArrayLike) -> Scene:
    """Labels over age, and the counted shares."""
    ages = numbers(age, "age", ndim=1)
    counted = shares(ages, y, 5)
    marks = _labelled(ages, y, AGES, 3.0)
    marks.append(Points(counted, look="dot", size=4, labels=("counted share, five equal groups",)))
    listed = ", ".join(f"{number(share)} at {number(mean, 0)}" for mean, share in counted)
    sentence = f"{len(ages)} passengers over age; share of survivors {listed} years."
    up = Axis("probability of survival", -0.2, 1.2, QUARTERS)
    return Scene((Panel(tuple(marks), AGES, up, height=0.62),), sentence)


def radius_scene(
    radius: npt.ArrayLike,
    y: npt.ArrayLike,
    half: float,
    w: float,
    scale: str,
) -> Scene:
    """Biopsies over their radius, counted shares, and the model that says 50 % at `half` and adds
    w to the log-odds for each unit. One biopsy is marked on the curve, of radius 17."""
    radii = numbers(radius, "radius", ndim=1)
    counted = shares(radii, y, 12)
    limits = {"probability": (-0.2, 1.2), "odds": (-0.5, 12.0), "log-odds": (-6.0, 6.0)}[scale]

    def on_scale(p: Floats) -> Floats:
        """Probabilities on this scale, NaN where it does not reach."""
        with np.errstate(divide="ignore"):
            values = {"probability": p, "odds": p / (1 - p), "log-odds": logit(p)}[scale]
        return np.where((values >= limits[0]) & (values <= limits[1]), values, np.nan)

    dots = np.c_[counted[:, 0], on_scale(counted[:, 1])]
    dots = dots[np.isfinite(dots[:, 1])]
    knob = 11.0  # the hand's place on the curve: its middle one, away from the other marks
    grid = np.r_[np.linspace(RADII.lo, knob, 40, endpoint=False), np.linspace(knob, RADII.hi, 41)]
    level = {"probability": 0.5, "odds": 1.0, "log-odds": 0.0}[scale]
    marks: list[Mark] = [  # what is held comes first: its number is the same on every scale
        Curve(grid, on_scale(sigmoid(w * (grid - half))), "boundary", "model"),
        Points([[half, level]], look="dot", size=6),
        Segments([[RADII.lo, level]], [[RADII.hi, level]], "guide"),
        Text([half, level], ("50 %",), "end", colour="muted", shift=(-20, 10)),
        Points(dots, look="dot", size=4, labels=("counted share, equal groups",)),
    ]
    if scale == "probability":
        marks += _labelled(radii, y, RADII, 2.0, ("benign", "malignant"))
    at = 17.0
    z = w * (at - half)
    p, odds = float(sigmoid(z)), float(np.exp(z))
    here = on_scale(np.array([p]))
    if np.isfinite(here[0]):
        marks.append(Points([[at, here[0]]], look="focus", size=8, labels=("radius 17",)))
    said = sigmoid(w * (counted[:, 0] - half))
    far = int(np.abs(counted[:, 1] - said).argmax())
    gap = float(abs(counted[far, 1] - said[far]))
    x, ends = counted[far, 0], on_scale(np.array([counted[far, 1], said[far]]))
    if np.isfinite(ends).all():
        marks.append(Segments([[x, ends[0]]], [[x, ends[1]]], "mistake", "the farthest"))
    sentence = (
        f"{len(radii)} biopsies over the radius of their nuclei; 50 % at {number(half)}, "
        f"w = {number(w)}: at radius 17 the log-odds are {number(z)}, the odds {number(odds)}, "
        f"the probability {number(p)}. The counted shares are up to {number(gap)} off the curve."
    )
    readouts = (
        ("log-odds", number(z)),
        ("odds", number(odds)),
        ("probability", number(p)),
        ("odds, one unit more", f"times {number(float(np.exp(w)))}"),
        ("farthest share", f"{number(gap)} off, the least is {number(LEAST_GAP)}"),
    )
    up = Axis(f"{scale} of malignancy", *limits, QUARTERS if scale == "probability" else None)
    return Scene((Panel(tuple(marks), RADII, up, height=0.62),), sentence, readouts)


# --- the curve ------------------------------------------------------------------------------------


def candidates_scene() -> Scene:
    """What to make of a score z: itself, its sigmoid, the logarithm of its sigmoid."""
    z = np.linspace(-5, 5, 101)
    band = Segments([[-5, 0], [-5, 1]], [[5, 0], [5, 1]], "guide")
    curves = (
        ("line z", z, Axis("", -5.3, 5.3)),
        ("a curve shaped like an S", sigmoid(z), Axis("", -0.15, 1.15)),
        ("its logarithm", log_sigmoid(z), Axis("", -5.3, 5.3)),
    )
    panels = [
        Panel((band, Curve(z, values)), Axis("score z", -5, 5), up, title)
        for title, values, up in curves
    ]
    sentence = (
        "Three functions of the score z from −5 to 5: the line z runs from −5 to 5, the sigmoid "
        f"from {number(sigmoid(-5.0), 3)} to {number(sigmoid(5.0), 3)}, the log-sigmoid from "
        f"{number(log_sigmoid(-5.0))} to {number(log_sigmoid(5.0))}; guides at 0 and 1."
    )
    return Scene(tuple(panels), sentence)


def sigmoid_scene() -> Scene:
    """The sigmoid with its tangent at 0 and the pair of values at -2 and 2."""
    z = np.linspace(-6, 6, 121)
    pair = np.array([-2.0, 2.0])
    heights = sigmoid(pair)
    marks = (
        Segments([[-6, 0], [-6, 1]], [[6, 0], [6, 1]], "guide"),
        Segments([[-2, 0], [2, 1]], np.c_[pair, heights], "weights"),
        Curve(pair, 0.5 + pair / 4, "margin", "tangent at 0, slope 1/4"),
        Curve(z, sigmoid(z), "boundary", "σ(z)"),
        Points([[0, 0.5], *np.c_[pair, heights]], look="dot"),
        Text([-2, heights[0]], (f"σ(−2) = {number(heights[0])}",), "end", shift=(-10, 6)),
        Text([2, heights[1]], (f"σ(2) = {number(heights[1])}",), "start", shift=(10, -10)),
    )
    panel = Panel(marks, Axis("score z", -6, 6), Axis("", -0.08, 1.12), height=0.5)
    sentence = (
        f"The sigmoid: σ(0) = 0.50 with slope 1/4 there; σ(−2) = {number(heights[0], 3)} is as far "
        f"above 0 as σ(2) = {number(heights[1], 3)} is below 1."
    )
    return Scene((panel,), sentence)


# --- every passenger ------------------------------------------------------------------------------


def passengers_scene(z: npt.ArrayLike, y: npt.ArrayLike) -> Scene:
    """The sigmoid over the linear score, every passenger above or below it, the share of
    survivors in groups of equal size, and the scales of odds and probability underneath."""
    scores, labels = numbers(z, "z", ndim=1), np.asarray(y)
    across = Axis("linear score = log-odds", -4.6, 5.2)
    grid = np.linspace(across.lo, across.hi, 121)
    share = shares(scores, labels, 10)
    marks: list[Mark] = [
        *_labelled(scores, labels, across, 2.2),
        Segments([[across.lo, 0.5], [0, 0]], [[across.hi, 0.5], [0, 1]], "guide"),
        Curve(grid, sigmoid(grid), "boundary", "σ(z), the model"),
        Points(share, look="dot", size=4.5, labels=("counted share, 10 equal groups",)),
    ]
    up = Axis("probability of survival", -0.55, 1.2, QUARTERS)
    panel = Panel((*marks, *_rulers(across)), across, up, height=0.62)
    gap = float(np.abs(share[:, 1] - sigmoid(share[:, 0])).max())
    sentence = (
        f"{len(scores)} passengers on the sigmoid over their scores, {number(scores.min())} to "
        f"{number(scores.max())}; in 10 groups of equal size the share of survivors differs "
        f"from the curve by at most {number(gap)}. Underneath, the same axis as odds and as "
        "probability."
    )
    return Scene((panel,), sentence)


def _rulers(across: Axis) -> list[Mark]:
    """Under the passengers: the odds and the probability that belong to each log-odds."""
    z = np.arange(-2.0, 5.0)
    odds = tuple(number(float(np.exp(k)), 2 if k < 0 else 1) for k in z)
    chance = tuple(number(float(sigmoid(k))) for k in z)
    marks: list[Mark] = []
    for height, words, name in ((-0.24, odds, "odds"), (-0.40, chance, "probability")):
        level = np.full(len(z), height)
        marks.append(Segments([[across.lo, height]], [[across.hi, height]], "wire"))
        marks.append(Segments(np.c_[z, level + 0.02], np.c_[z, level - 0.02], "wire"))
        marks.append(Text(np.c_[z, level], words, shift=(0, -11), size=11))
        marks.append(Text([across.lo, height], (name,), "start", 11, "muted", (4, -11)))
    return marks


def steps_scene(step: float, starts: Sequence[float]) -> Scene:
    """The same step in log-odds from several probabilities, on three scales of one quantity."""
    ends = [float(sigmoid(logit(p) + step)) for p in starts]
    top, bottom, left, right = 1.0, 0.0, -5.0, 5.0
    wires = np.arange(-4.5, 4.6, 0.5)
    upper = np.c_[wires, np.full(len(wires), top)]
    lower = np.c_[left + (right - left) * sigmoid(wires), np.full(len(wires), bottom)]
    marks: list[Mark] = [
        Segments(upper, lower, "guide"),
        Segments([[left, top], [left, bottom]], [[right, top], [right, bottom]], "outline"),
        *_scale_words(top, bottom),
    ]
    for p, q in zip(starts, ends, strict=True):
        a, b = left + (right - left) * np.array([p, q])
        marks.append(Arrow([[float(logit(p)), top]], [[float(logit(q)), top]], "weights"))
        marks.append(Arrow([[a, bottom]], [[b, bottom]], "weights"))
        marks.append(Text([(a + b) / 2, bottom], (f"+{number(q - p)}",), shift=(0, 10), size=11))
    panel = Panel(tuple(marks), Axis("", -7.7, 5.3), Axis("", -0.3, 1.45), height=0.4, frame=False)
    told = "; ".join(f"from {number(p)} to {number(q)}" for p, q in zip(starts, ends, strict=True))
    sentence = (
        f"A step of {number(step)} in log-odds, odds times {number(float(np.exp(step)))}: the "
        f"probability goes {told}. Equal arrows on the scale of log-odds, unequal ones on that "
        "of probability."
    )
    return Scene((panel,), sentence)


def _scale_words(top: float, bottom: float) -> list[Mark]:
    """Numbers at the scales, and their names."""
    z = np.arange(-4, 5, 2).astype(float)
    p = np.array([0, 0.25, 0.5, 0.75, 1])
    at_top = np.c_[z, np.full(len(z), top)]
    at_bottom = np.c_[-5 + 10 * p, np.full(len(p), bottom)]
    return [
        Text(at_top, tuple(f"{float(np.exp(k)):.2g}" for k in z), shift=(0, 32), size=11),
        Text(at_top, tuple(number(k, 0) for k in z), shift=(0, 15), size=11),
        Text(at_bottom, tuple(f"{v:g}" for v in p), shift=(0, -16), size=11),
        Text([-7.6, top], ("odds",), "start", 11, "muted", (0, 32)),
        Text([-7.6, top], ("log-odds",), "start", 11, "muted", (0, 15)),
        Text([-7.6, bottom], ("probability",), "start", 11, "muted", (0, -16)),
    ]


# --- the boundary ---------------------------------------------------------------------------------


def boundary_scene(
    age: npt.ArrayLike, other: npt.ArrayLike, y: npt.ArrayLike, w: npt.ArrayLike, label: str
) -> Scene:
    """Passengers by age and class, the boundary, and the lines of probability 0.2 and 0.8."""
    points = np.c_[numbers(age, "age", ndim=1), numbers(other, "other", ndim=1)]
    weights = numbers(w, "w", ndim=1)  # (w0, weight of age, weight of class)
    right = np.mean((points @ weights[1:] + weights[0] > 0) == np.asarray(y))
    jitter = _spread(len(points), -0.3, 0.3)
    marks: list[Mark] = [HalfPlane(weights[1:], float(weights[0]), 1)]
    for p, role in ((0.2, "guide"), (0.5, "boundary"), (0.8, "guide")):
        name = f"p = {p}" + (", the boundary" if p == 0.5 else "")
        marks.append(Line(weights[1:], float(weights[0] - logit(p)), role, name))
    points[:, 1] += jitter
    marks.append(Points(points, y, LABELS, size=2.5))
    ticks = ((1.0, "1st"), (2.0, "2nd"), (3.0, "3rd"))
    panel = Panel(tuple(marks), AGES, Axis("class", 0.4, 3.6, ticks), label)
    sentence = (
        f"{label}: {len(points)} passengers by age and class with parallel lines of probability "
        f"0.2, 0.5 and 0.8; the side of the boundary is right for {right:.0%}."
    )
    return Scene((panel,), sentence)


def side_by_side(*scenes: Scene) -> Scene:
    """Several scenes as the columns of one figure, with one legend."""
    panels = tuple(panel for scene in scenes for panel in scene.panels)
    return Scene(panels, " ".join(s.sentence for s in scenes), shared_legend=True)
