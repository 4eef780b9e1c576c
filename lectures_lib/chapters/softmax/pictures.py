"""The pictures of softmax regression: ten bars, the simplex, sure places, reliability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from lectures_lib.figures import (
    Arrow,
    Axis,
    Bars,
    Curve,
    Line,
    Panel,
    Points,
    Region,
    Scene,
    Segments,
    Text,
)
from lectures_lib.figures.marks import Raster, joined
from lectures_lib.figures.plane import class_regions, curve_through, ellipse
from lectures_lib.figures.scene import Floats, Mark, numbers
from lectures_lib.figures.words import number
from lectures_lib.metrics import calibration_bins
from lectures_lib.softmax import SoftmaxRegression, softmax

NAMES = ("class 0", "class 1", "class 2")

# --- digits and their ten bars --------------------------------------------------------------------


def digit_panel(image: npt.ArrayLike, title: str) -> Panel:
    """A small picture in the middle of a wide panel."""
    pixels = numbers(image, "image", ndim=2)
    rows, columns = pixels.shape
    ink = Raster(pixels / (pixels.max() or 1.0), (0, columns), (rows, 0), "grey")
    half = columns / 2
    across = Axis("", half - 1.1 * columns, half + 1.1 * columns)
    return Panel((ink,), across, Axis("", -0.2, rows + 0.2), title, equal=True, frame=False)


def class_bars(
    values: npt.ArrayLike, axis: Axis, *, height: float = 0.5, below: bool = True
) -> Panel:
    """One bar for each class 0, 1, ..., in the colour of its class."""
    given = numbers(values, "values", ndim=1)
    marks = tuple(Bars([k - 0.38], [k + 0.38], [value], k % 10) for k, value in enumerate(given))
    ticks = tuple((float(k), str(k)) for k in range(len(given)))
    across = Axis("class", -0.6, len(given) - 0.4, ticks)
    return Panel(marks, across, axis, height=height, below=below)


def least_sure_scene(
    images: npt.ArrayLike, probabilities: npt.ArrayLike, labels: Sequence[int], most: int = 6
) -> Scene:
    """The pictures whose largest probability is smallest, each over its bars."""
    P = numbers(probabilities, "probabilities", ndim=2)
    order = np.argsort(P.max(axis=1), kind="stable")[:most]
    panels, told = [], []
    for i in order:
        says = int(P[i].argmax())
        panels.append(digit_panel(np.asarray(images)[i], f"a {labels[i]}, read as {says}"))
        panels.append(class_bars(P[i], Axis("probability", 0, 0.6), height=0.55))
        told.append(f"a {labels[i]} read as {says} with {number(P[i].max())}")
    return Scene(tuple(panels), f"The {len(order)} least sure: {'; '.join(told)}.", columns=3)


def scores_scene(
    image: npt.ArrayLike, scores: npt.ArrayLike, temperature: float, shift: float
) -> Scene:
    """A picture, its scores moved by `shift`, and the probabilities at a temperature."""
    z = numbers(scores, "scores", ndim=1) + shift
    p = softmax(z / temperature)
    order = np.argsort(-p, kind="stable")[:2]
    first, second = (f"{k} with {number(p[k], 3)}" for k in order)
    panels = (
        digit_panel(image, "the picture"),
        class_bars(z, Axis("score", -25, 25), height=0.5, below=False),
        class_bars(p, Axis("probability", 0, 1), height=0.5),
    )
    sentence = (
        f"Scores from {number(z.min(), 1)} to {number(z.max(), 1)}, temperature "
        f"{number(temperature)}: the most probable class is {first}, the next {second}."
    )
    readouts = (("most probable", first), ("next", second))
    return Scene(panels, sentence, readouts, columns=2)


# --- the simplex ----------------------------------------------------------------------------------

DIRECTIONS = np.array([[np.cos(t), np.sin(t)] for t in np.deg2rad([210.0, 330.0, 90.0])])
"""Three directions in the plane that add up to 0: along the k-th, the score of class k grows."""
REACH = 3.5


def scores_at(place: npt.ArrayLike) -> Floats:
    """Scores with sum 0 of places in the plane: how far they lie in each direction."""
    return np.asarray(np.asarray(place, dtype=float) @ DIRECTIONS.T)


def in_triangle(p: npt.ArrayLike) -> Floats:
    """The place of three probabilities: the corners' mean with these weights."""
    return np.asarray(np.asarray(p, dtype=float) @ DIRECTIONS)


def _pulled(points: Floats, temperature: float) -> Floats:
    """Places of the plane in the triangle."""
    return in_triangle(softmax(scores_at(points) / temperature))


def _families() -> list[Floats]:
    """Lines of the plane on which one difference of two scores is −3, −1.5, 1.5 or 3."""
    lines = []
    t = np.linspace(-2.2 * REACH, 2.2 * REACH, 61)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        normal = DIRECTIONS[i] - DIRECTIONS[j]
        along = np.array([normal[1], -normal[0]]) / np.linalg.norm(normal)
        for difference in (-3.0, -1.5, 1.5, 3.0):
            lines.append(difference * normal / (normal @ normal) + t[:, None] * along)
    return lines


FAMILIES = _families()
CIRCLE = ellipse([0, 0], np.eye(2), 1.5)


def simplex_scene(place: npt.ArrayLike, temperature: float = 1.0) -> Scene:
    """A place in the plane of scores, and where the softmax puts it in the triangle."""
    at = numbers(place, "place", ndim=1)
    z = scores_at(at)
    p = softmax(z / temperature)
    far = 3 * REACH
    # A kite for each class, from 0 to its own direction; the edges between are opposite to the
    # third direction, and half as long in the triangle.
    one, after, before = DIRECTIONS, DIRECTIONS[[1, 2, 0]], DIRECTIONS[[2, 0, 1]]
    kites = np.stack([0 * one, -after, one, -before], axis=1)
    thirds = np.stack([0 * one, -after / 2, one, -before / 2], axis=1)
    axis = Axis("", -REACH, REACH, ())
    left: tuple[Mark, ...] = (
        *(Region((far * corners,), k) for k, corners in enumerate(kites)),
        curve_through(joined(FAMILIES), "guide"),
        curve_through(CIRCLE, "path1", "a circle, and what becomes of it"),
        Text(0.9 * REACH * DIRECTIONS, tuple(f"z{'₀₁₂'[k]} grows" for k in range(3))),
        Arrow([0, 0], at),
        Points([at], look="focus", size=9, labels=("the example",)),
    )
    here, edge = in_triangle(p), np.concatenate([DIRECTIONS, DIRECTIONS[:1]])
    right: tuple[Mark, ...] = (
        *(Region((corners,), k) for k, corners in enumerate(thirds)),
        curve_through(joined([_pulled(line, temperature) for line in FAMILIES]), "guide"),
        curve_through(_pulled(CIRCLE, temperature), "path1"),
        curve_through(edge),
        Text(1.12 * DIRECTIONS, tuple(f"p{'₀₁₂'[k]} = {number(p[k])}" for k in range(3))),
        Points([here], look="focus", size=9),
    )
    panels = (
        Panel(left, axis, axis, "scores", equal=True),
        Panel(right, Axis("", -1.3, 1.3), Axis("", -0.9, 1.3), "probabilities", equal=True,
              frame=False),
    )  # fmt: skip
    scores = ", ".join(number(v, 1) for v in z)
    shares = ", ".join(number(v) for v in p)
    sentence = f"Scores ({scores}) at temperature {number(temperature)}: probabilities ({shares})."
    readouts = (("scores, with sum 0", scores), ("probabilities", shares))
    return Scene(panels, sentence, readouts, columns=2, shared_legend=True)


# --- sure and unsure places of the plane ----------------------------------------------------------

UNSURE = 3  # the code of the places where no class reaches the level


def sure_scene(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    model: SoftmaxRegression,
    axes: tuple[Axis, Axis],
    *,
    level: float = 0.9,
    temperature: float = 1.0,
    names: Sequence[str] = NAMES,
    centres: npt.ArrayLike | None = None,
) -> Scene:
    """Where one of three classes has at least `level`; where none has, the plane is hatched."""
    points, labels = numbers(X, "X", ndim=2), np.asarray(y)

    def sure(places: Floats) -> Floats:
        p = softmax(model.decision_function(places) / temperature)
        return np.asarray(np.where(p.max(axis=1) >= level, p.argmax(axis=1), UNSURE))

    def winner(places: Floats) -> Floats:
        return np.asarray(model.decision_function(places).argmax(axis=1))

    regions, edges, shares = class_regions(sure, range(UNSURE + 1), *axes)
    borders = class_regions(winner, range(UNSURE), *axes)[1]
    wrong = int(np.sum(model.predict(points) != labels))
    marks: list[Mark] = [
        Region(rings, None if k == UNSURE else k, hatch=k == UNSURE)
        for k, rings in enumerate(regions)
    ]
    marks.append(curve_through(edges, "wire"))
    marks.append(curve_through(borders, "boundary", "border"))
    marks.append(Points(points, labels, tuple(names)))
    if centres is not None:
        # A look with classes, as in the hand: the browser draws no other point of class 1 or 2.
        held = np.arange(len(np.asarray(centres)))
        marks.append(Points(centres, held, look="hollow", size=14, handle="centres"))
    sentence = (
        f"{len(points)} points in three classes, {wrong} on the wrong side; some class has "
        f"{level:.0%} or more in {1 - shares[UNSURE]:.0%} of the picture, none in "
        f"{shares[UNSURE]:.0%}."
    )
    told = ((f"surer than {level:.0%}", f"{1 - shares[UNSURE]:.0%} of the picture"),)
    return Scene((Panel(tuple(marks), *axes, equal=True),), sentence, told)


def line_scene(W: npt.ArrayLike, borders: Sequence[float]) -> Scene:
    """Scores and probabilities of three classes over one feature, for rows (bias, slope) of W."""
    weights = numbers(W, "W", ndim=2)
    x = np.linspace(-5, 6, 111)
    scores = weights[:, 0] + x[:, None] * weights[:, 1]
    p = softmax(scores)
    inside = np.abs(scores[(x >= -2) & (x <= 3)]).max() + 1.0
    across, chance = Axis("x", -5, 6), Axis("probability", -0.02, 1.02)
    panels = []
    for axis, values in ((Axis("score", -inside, inside), scores), (chance, p)):
        marks = (
            *(Curve(x, v, f"class{k}", NAMES[k]) for k, v in enumerate(values.T)),
            *(Line([1, 0], -border, "guide") for border in borders),
        )
        panels.append(Panel(marks, across, axis, height=0.6))
    winners = scores.argmax(axis=1)
    runs = [NAMES[k] for k, before in zip(winners, [-1, *winners], strict=False) if k != before]
    sentence = f"From left to right the largest score is that of {', then '.join(runs)}."
    return Scene(tuple(panels), sentence, shared_legend=True)


def petal_axes() -> tuple[Axis, Axis]:
    """Length and width of iris petals in centimetres."""
    return Axis("petal length", 0, 8), Axis("petal width", -0.5, 3.5)


# --- reliability ----------------------------------------------------------------------------------


def reliability_scene(models: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]]) -> Scene:
    """For each name (confidence, right): the share that is right over what was said."""
    panels: list[Panel] = []
    told = []
    fifths = tuple((k / 5, f"{k / 5:g}") for k in range(6))
    across, plain = Axis("largest probability", 0, 1, fifths), Axis("", 0, 1, fifths)
    halves = tuple((k / 2, f"{k / 2:g}") for k in range(3))
    edges = np.linspace(0, 1, 11)
    for name, (confidence, right) in models.items():
        said, ok = numbers(confidence, "confidence", ndim=1), np.asarray(right, dtype=int)
        curve = calibration_bins(ok, said, n_bins=10, pos_label=1)
        enough = curve.size >= 10
        x, share, n = curve.prob_pred[enough], curve.prob_true[enough], curve.size[enough]
        spread = np.sqrt(share * (1 - share) / n)
        marks: tuple[Mark, ...] = (
            Segments([[0, 0]], [[1, 1]], "guide", "what is said is what happens"),
            Segments(np.c_[x, share - spread], np.c_[x, share + spread], "margin",
                     "one standard error"),
            Points(np.c_[x, share], look="dot", size=5, labels=("share that is right",)),
        )  # fmt: skip
        panels.append(Panel(marks, plain, Axis("share right", 0, 1, fifths), name, equal=True))
        count = np.histogram(said, edges)[0] / len(said)
        bars = Bars(edges[:-1] + 0.01, edges[1:] - 0.01, count, 5)
        panels.append(Panel((bars,), across, Axis("of all", 0, 1, halves), height=0.2, below=True))
        told.append(f"{name}: says {number(said.mean())}, is right in {number(ok.mean())}")
    return Scene(tuple(panels), f"{'; '.join(told)}.", columns=3, shared_legend=True)
