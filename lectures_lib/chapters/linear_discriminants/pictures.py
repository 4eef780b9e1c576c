"""The pictures of linear discriminants: regions, distances, masking, far points that pull."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from lectures_lib._core.lesson import lesson
from lectures_lib.figures.marks import Arrow, Curve, Line, Points, Region, Segments, Text
from lectures_lib.figures.plane import CLASS_NAMES, GRID, box, class_regions, square_axes
from lectures_lib.figures.plane import regions_scene as regions_scene
from lectures_lib.figures.scene import Array, Axis, Floats, Mark, Panel, Scene, numbers
from lectures_lib.figures.words import count, equation, number, subscript
from lectures_lib.gaussian import LinearDiscriminantAnalysis
from lectures_lib.least_squares import LeastSquaresClassifier
from lectures_lib.logistic import LogisticRegression

Predict = Callable[[Array], npt.ArrayLike]
NARROW = 4 * GRID + 1  # predictions in each direction that find a region like a needle


def answers_scene(words: Sequence[str], said: npt.ArrayLike, answered: npt.ArrayLike) -> Scene:
    """How often each word was said and how often it was the answer, word by word."""
    spoken, given = numbers(said, "said", ndim=1), numbers(answered, "answered", ndim=1)
    at = np.arange(len(words), dtype=float)
    marks = (
        Segments(np.column_stack([at, 0 * at]), np.column_stack([at, given]), "weights"),
        Points(np.column_stack([at, given]), look="dot", size=6, labels=("answered",)),
        Curve([-0.5, len(words) - 0.5], [spoken[0], spoken[0]], "margin", "said"),
    )
    x = Axis("word", -0.6, len(words) - 0.4, tuple(zip(at.tolist(), words, strict=True)))
    most, least = int(given.argmax()), int(given.argmin())
    sentence = (
        f"Each of {len(words)} words was said {int(spoken[0])} times; {words[most]} was answered "
        f"{int(given[most])} times, {words[least]} {count(int(given[least]), 'time')}."
    )
    panel = Panel(marks, x, Axis("utterances", 0, 1.1 * float(given.max())), height=0.4)
    return Scene((panel,), sentence)


# --- discriminants and their regions -------------------------------------------------------------


def discriminants_scene(slopes: Sequence[float], biases: Sequence[float]) -> Scene:
    """Linear discriminants of one feature; the highest one decides, and gives the regions."""
    x = np.linspace(-3, 3, 241)
    heights = np.array(biases)[:, None] + np.array(slopes)[:, None] * x
    winner = heights.argmax(axis=0)
    low, high = float(heights.min()), float(heights.max())
    floor = low - 0.18 * (high - low)
    marks: list[Mark] = []
    for k, height in enumerate(heights):
        marks.append(Curve(x, height, f"class{k}", f"g{subscript(k)}(x)"))
        marks.append(Curve(x, np.where(winner == k, floor, np.nan), f"class{k}"))
    changes = np.flatnonzero(np.diff(winner))
    pairs = [(int(winner[i]), int(winner[i + 1])) for i in changes]
    ties = [(biases[k] - biases[j]) / (slopes[j] - slopes[k]) for j, k in pairs]
    tops = [float(np.interp(t, x, heights.max(axis=0))) for t in ties]
    marks.append(Segments([[t, floor] for t in ties], np.column_stack([ties, tops]), "guide"))
    y = Axis("g", floor - 0.1 * (high - low), high)
    panel = Panel(tuple(marks), Axis("x", -3, 3), y, height=0.5)
    edges = " and ".join(number(t) for t in ties)
    sentence = (
        f"{count(len(slopes), 'linear discriminant')} over x; the highest one decides, and the "
        f"decision changes at x = {edges}."
    )
    return Scene((panel,), sentence)


def two_rules_scene(X: npt.ArrayLike, y: npt.ArrayLike, rules: dict[str, Predict]) -> Scene:
    """The same points under several rules, side by side: name -> function that predicts."""
    axes = square_axes(X, pad=0.15)
    scenes = [regions_scene(X, y, rule, title=name, axes=axes) for name, rule in rules.items()]
    told = " ".join(f"{name}: {s.describe()}" for name, s in zip(rules, scenes, strict=True))
    panels = tuple(s.panels[0] for s in scenes)
    return Scene(panels, told, columns=2, shared_legend=True)


# --- the geometry of one discriminant ------------------------------------------------------------


def geometry_scene(w: npt.ArrayLike, w0: float, p: npt.ArrayLike, *, handle: str = "") -> Scene:
    """The line w·x + w0 = 0, its normal, and the signed distances of a point and of the origin."""
    weights, point = numbers(w, "w", ndim=1), numbers(p, "p", ndim=1)
    axes = (Axis("x₁", -3.5, 4.5), Axis("x₂", -3.5, 4.5))
    size, g = float(np.linalg.norm(weights)), float(weights @ point + w0)
    unit, r, r_origin = weights / size, g / size, w0 / size
    foot, nearest = point - r * unit, -r_origin * unit
    right = 1 if unit[1] >= 0 else -1  # where text runs away from the dropped line
    beside = (5 + 7 * right * float(unit[1]), -4 - 12 * right * float(unit[0]))
    drawn: list[Mark] = [
        Line(weights, w0, label="g(x) = 0"),
        Segments([[0, 0]], [nearest], "guide"),
        Segments([point], [foot], "example"),
        Arrow([nearest], [nearest + unit], "weights", "w/‖w‖"),
        Points([[0.0, 0.0], foot], look="dot", size=4),
        Points(point[None], [int(r > 0)], CLASS_NAMES, size=7),
        Text([(point + foot) / 2], (f"r = {number(r)}",), shift=beside, anchor="start"),
        Text([[0, 0]], ("origin",), shift=(0, -16), colour="muted"),
    ]
    if handle:
        drawn.append(Points(point[None], look="focus", size=14, handle=handle))
    side = "the positive side" if r > 0 else "the negative side" if r < 0 else "the line itself"
    sentence = (
        f"The line {equation(weights, w0)}: the point ({number(point[0])}, {number(point[1])}) "
        f"has g = {number(g)} and signed distance {number(r)}, on "
        f"{side}; the signed distance of the origin is {number(r_origin)}."
    )
    readouts = (
        ("g(x)", number(g)),
        ("r = g(x)/‖w‖", number(r)),
        ("origin: w₀/‖w‖", number(r_origin)),
    )
    return Scene((Panel(tuple(drawn), *axes, equal=True),), sentence, readouts)


def plane_in_space_scene() -> Scene:
    """A plane in three dimensions, a point above it and the foot of its perpendicular."""
    weights, w0, point = np.array([1.0, 0.6, 2.0]), -2.4, np.array([1.1, 0.9, 2.1])
    unit = weights / float(np.linalg.norm(weights))
    r = float((weights @ point + w0) / np.linalg.norm(weights))
    ends = box(-1.0, 2.4, -1.0, 2.4)
    plane = _seen(np.column_stack([ends, -(w0 + ends @ weights[:2]) / weights[2]]))
    origin, *tips = _seen(np.vstack([np.zeros(3), np.diag([2.4, 2.4, 2.2])]))
    x, foot, tip = _seen(np.array([point, point - r * unit, point + (1 - r) * unit]))
    marks: tuple[Mark, ...] = (
        Region((plane,), 2, "the plane g(x) = 0", outline=True),
        Arrow(np.tile(origin, (3, 1)), tips, "old"),
        Text(tips, ("x₁", "x₂", "x₃"), shift=(0, 9), colour="muted"),
        Segments([x], [foot], "example"),
        Arrow([foot], [tip], "weights", "w/‖w‖"),
        Points([x, foot], look="dot", size=5),
        Text([x], (f"x, at distance r = {number(r)}",), "start", shift=(8, 6)),
    )
    panel = Panel(marks, Axis("", -2.0, 4.2), Axis("", -0.9, 2.57), height=0.56, frame=False)
    sentence = f"A plane in space and a point at the signed distance {number(r)} from it, along w."
    return Scene((panel,), sentence)


def _seen(points: Floats) -> Floats:
    """Points in space as they are seen from the front, a little from the right and from above."""
    turn, tilt = np.deg2rad(-28), np.deg2rad(22)
    x = points[:, 0] * np.cos(turn) - points[:, 1] * np.sin(turn)
    depth = points[:, 0] * np.sin(turn) + points[:, 1] * np.cos(turn)
    flat: Floats = np.column_stack([x, points[:, 2] * np.cos(tilt) + depth * np.sin(tilt)])
    return flat


# --- least squares on labels ---------------------------------------------------------------------


def masking_scene(distance: float = 2.0) -> Scene:
    """Three groups on a line: the three fits, linear and with the square of x as a feature."""
    n, ladder = 12, 0.35 * np.linspace(-1, 1, 12)
    x = np.concatenate([ladder - distance, ladder, ladder + distance])
    y = np.repeat([0, 1, 2], n)
    grid = np.linspace(-1.6 * distance, 1.6 * distance, 161)
    panels, wins = [], []
    for title, degree in (("features x", 1), ("features x and x²", 2)):
        A = np.vander(x, degree + 1)
        fits = np.linalg.lstsq(A, np.eye(3)[y], rcond=None)[0]  # of the three indicators
        outputs = np.vander(grid, degree + 1) @ fits
        marks: list[Mark] = [
            Curve(grid, outputs[:, k], f"class{k}", f"fit of group {k}") for k in range(3)
        ]
        marks.append(Points(np.column_stack([x, np.full(len(x), -0.42)]), y, size=4.5))
        axes = Axis("x", grid[0], grid[-1]), Axis("f(x)", -0.55, 1.25)
        panels.append(Panel(tuple(marks), *axes, title))
        wins.append(int(((A @ fits).argmax(axis=1)[y == 1] == 1).sum()))
    sentence = (
        f"Three groups on a line. With x alone the fit of the middle group is flat and "
        f"{count(wins[0], 'example')} of its {n} get the right answer; with x² as well {wins[1]}."
    )
    return Scene(tuple(panels), sentence, columns=2, shared_legend=True)


def _line(
    model: LeastSquaresClassifier | LogisticRegression, X: Floats, y: Array
) -> tuple[Floats, float]:
    """(w, w0) of a fitted model of two classes."""
    model.fit(X, y)
    return model.coef_[0], float(model.intercept_[0])


PULL_AXES = (Axis("x₁", -4.5, 9.5), Axis("x₂", -9.5, 4.5))


def pull_scene(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    block: npt.ArrayLike,
    centre: npt.ArrayLike,
    handle: str = "",
) -> Scene:
    """Two classes, and a block of correct points of class 1 moved to `centre`: two boundaries."""
    points, labels = numbers(X, "X", ndim=2), np.asarray(y)
    place = numbers(centre, "centre", ndim=1)
    far = numbers(block, "block", ndim=2) + place
    everything, classes = np.vstack([points, far]), np.append(labels, np.ones(len(far), dtype=int))
    w, w0 = _line(LeastSquaresClassifier(), everything, classes)
    v, v0 = _line(LogisticRegression(), everything, classes)
    wrong = (points @ w + w0 > 0) != (labels == 1)
    steady = int(((points @ v + v0 > 0) != (labels == 1)).sum())
    marks = (
        Line(v, v0, "old", f"the rule of {lesson('logistic_model')}"),
        Line(w, w0, label="least squares"),
        Points(points, labels, CLASS_NAMES),
        Points(far, np.ones(len(far), dtype=int)),
        Points(points[wrong], look="ring", size=9, labels=("mistake of least squares",)),
        Points(place[None], look="focus", size=14, handle=handle),
    )
    where, mistakes = ", ".join(map(number, place)), count(int(wrong.sum()), "mistake")
    turned = float(np.degrees(np.arctan2(v[0] * w[1] - v[1] * w[0], v @ w)))
    sentence = (
        f"With a block of {len(far)} points of class 1 at ({where}), least squares makes "
        f"{mistakes} on the other {len(points)}; the dashed line makes {steady}."
    )
    readouts = (
        ("least squares", mistakes),
        ("dashed line", count(steady, "mistake")),
        ("turned away from it", f"{abs(turned):.0f}°"),
    )
    return Scene((Panel(marks, *PULL_AXES, equal=True),), sentence, readouts)


def centres_scene(
    X: npt.ArrayLike, y: npt.ArrayLike, axes: tuple[Axis, Axis], centres: npt.ArrayLike
) -> Scene:
    """Three classes under least squares and under linear discriminant analysis, side by side."""
    hands = Points(centres, look="focus", size=14, handle="centres")
    rules = (("least squares", LeastSquaresClassifier()), ("LDA", LinearDiscriminantAnalysis()))
    panels, told = [], []
    for name, model in rules:
        scene = regions_scene(X, y, model.fit(X, y).predict, axes=axes)
        mistakes = count(int((model.predict(X) != np.asarray(y)).sum()), "mistake")
        marks = (*scene.panels[0].marks, hands)
        panels.append(replace(scene.panels[0], marks=marks, title=f"{name}: {mistakes}"))
        told.append(f"{name} makes {mistakes}")
    sentence = f"{count(len(np.asarray(y)), 'point')} in three classes: {' and '.join(told)}."
    return Scene(tuple(panels), sentence, columns=2, shared_legend=True)


def word_map_scene(
    X: npt.ArrayLike, y: npt.ArrayLike, words: Sequence[str], rules: dict[str, Predict]
) -> Scene:
    """The regions that each rule gives to the words; in brackets, a word that is never answered."""
    points, codes = numbers(X, "X", ndim=2), np.asarray(y)
    centres = np.array([points[codes == k].mean(axis=0) for k in range(len(words))])
    x_axis, y_axis = square_axes(centres, pad=0.35)
    panels, told = [], []
    for name, predict in rules.items():
        answered = np.bincount(np.asarray(predict(points)), minlength=len(words))
        _, borders, _ = class_regions(predict, range(len(words)), x_axis, y_axis, NARROW)
        shown = [word if n else f"({word})" for word, n in zip(words, answered, strict=True)]
        marks = (
            Points(points, look="dot", size=1.5),
            Curve(borders[:, 0], borders[:, 1]),
            Text(centres, tuple(shown), size=13),
        )
        panels.append(Panel(marks, x_axis, y_axis, name, equal=True))
        missing = [word for word, n in zip(words, answered, strict=True) if not n]
        never = f"never answers {', '.join(missing)}" if missing else "answers every word"
        told.append(f"{name} {never}")
    sentence = f"{len(words)} words in the plane of the first two features: {'; '.join(told)}."
    return Scene(tuple(panels), sentence, columns=2)
