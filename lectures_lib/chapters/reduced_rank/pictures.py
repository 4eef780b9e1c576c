"""The pictures of many classes: errors over the axes, the plane of the words, a cloud in space."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

from lectures_lib.figures import Arrow, Axis, Panel, Points, Region, Scene, Segments, Text
from lectures_lib.figures.plane import banded_curves, box, class_regions, curve_through
from lectures_lib.figures.scene import Array, Floats, Mark, numbers
from lectures_lib.figures.words import count, number
from lectures_lib.fisher import generalised_eigenvectors, scatter_matrices
from lectures_lib.widgets import TurnAt

WORDS = ("heed", "hid", "head", "had", "hud", "hard", "hod", "hoard", "hood", "who’d", "heard")
STAGES = ("as measured", "centred", "sphered", "projected")
FIRST_VIEW = TurnAt(15.0, 30.0)
REACH = 4.8  # the panel of the cloud shows -REACH to REACH
INK = 10  # the eleventh word has no colour of its own: its points are drawn in ink


# --- curves over the number of axes --------------------------------------------------------------


def dimension_scene(errors: Mapping[str, npt.ArrayLike]) -> Scene:
    """The error of each curve over the number of axes, with a band where it is a mean of rows."""
    rings, told = [], []
    for name, given in errors.items():
        mean = np.atleast_2d(given).mean(axis=0)
        low = int(mean.argmin())
        rings.append([low + 1, mean[low]])
        told.append(f"{name} {mean[low]:.2f} with {count(low + 1, 'axis', 'axes')}")
    at = np.arange(1, len(mean) + 1)
    ring = Points(rings, look="ring", size=8, labels=("smallest",))
    across = Axis("axes", 0.5, len(mean) + 0.5, tuple((float(k), str(k)) for k in at))
    height = Axis("share of wrong answers", 0, 0.85)
    panel = Panel((*banded_curves(at, errors), ring), across, height, height=0.6)
    return Scene((panel,), f"Wrong answers over the number of axes, smallest: {', '.join(told)}.")


# --- planes --------------------------------------------------------------------------------------


def words_scene(z: npt.ArrayLike, y: npt.ArrayLike) -> Scene:
    """Examples in two sphered coordinates; the regions of the nearest mean, each with its name."""
    points, codes = numbers(z, "z", ndim=2), np.asarray(y)
    classes = np.unique(codes)
    means = np.array([points[codes == k].mean(axis=0) for k in classes])

    def nearest(x: Array) -> Array:
        return np.asarray(classes[((x[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)])

    low, high = np.quantile(points, [0.003, 0.997], axis=0)
    middle, half = (low + high) / 2, 0.53 * float((high - low).max())
    x, y_axis = (
        Axis(f"axis {i + 1}", float(m - half), float(m + half)) for i, m in enumerate(middle)
    )
    _, borders, _ = class_regions(nearest, classes, x, y_axis)
    coloured = codes < INK
    marks: list[Mark] = [
        Points(points[coloured], codes[coloured], size=2.6),
        Points(points[~coloured], look="dot", size=2.2),
        curve_through(borders, "outline"),
        Points(means, look="ring", size=5),
        Text(means, WORDS, size=14, shift=(0.0, 14.0)),
    ]
    wrong = int((nearest(points) != codes).sum())
    sentence = (
        f"{count(len(points), 'example')} of {len(classes)} classes in two coordinates; the "
        f"nearest mean is wrong for {wrong / len(points):.0%}."
    )
    return Scene((Panel(tuple(marks), x, y_axis, equal=True),), sentence)


def planes_scene(planes: Mapping[str, npt.ArrayLike], y: npt.ArrayLike) -> Scene:
    """The same examples in several planes, with the name of each class at its mean."""
    codes = np.asarray(y)
    axes = Axis("first axis", -3, 3), Axis("second axis", -3, 3)
    panels = []
    for title, given in planes.items():
        z = numbers(given, "planes", ndim=2)
        z = z / z.std()
        means = np.array([z[codes == k].mean(axis=0) for k in np.unique(codes)])
        names = Text(means, tuple(map(str, np.unique(codes))), size=17)
        dots = Points(z[::2], codes[::2], size=2.2)  # of all, the heaps would be solid
        panels.append(Panel((dots, names), *axes, title, equal=True))
    sentence = f"Every second of {len(codes)} examples in two planes: {' and '.join(planes)}."
    return Scene(tuple(panels), sentence, columns=2)


def voice_scene(known: npt.ArrayLike, heard: npt.ArrayLike, pair: tuple[int, int]) -> Scene:
    """Two axes: where the words of the known voices lie, and arrows to those of a new voice."""
    at = [axis - 1 for axis in pair]
    old, new = (numbers(given, "means", ndim=2)[:, at] for given in (known, heard))
    step = 0.5 * (new - old) / np.linalg.norm(new - old, axis=1, keepdims=True)
    # each name stands behind its arrow, at the end where the names are farther from each other
    beyond = old - step if closest(old) > closest(new) else new + step
    x, y = Axis(f"axis {pair[0]}", -7.8, 5.8), Axis(f"axis {pair[1]}", -5.0, 6.4)
    lost = np.linalg.norm(new[:, None] - old, axis=2).argmin(axis=1) != np.arange(len(old))
    marks = (
        Segments([[-9, 0], [0, -9]], [[9, 0], [0, 9]], "guide"),
        Arrow(old, new, "wire", "from the known voices to the new one"),
        Points(old, look="dot", size=3),
        Points(new[lost], look="ring", size=7, labels=("nearer to another word",)),
        Text(beyond, WORDS, size=11),
    )
    rows = [np.corrcoef(old[:, i], new[:, i])[0, 1] for i in range(2)]
    sentence = (
        f"Eleven words of seven known voices and of a new one along the axes {pair[0]} and "
        f"{pair[1]}: correlation {number(rows[0])} and {number(rows[1])}; nearer to another "
        f"word: {lost.sum()}."
    )
    told = [(f"correlation along axis {k}", number(row)) for k, row in zip(pair, rows, strict=True)]
    told.append(("nearest to their own word", f"{(~lost).sum()} of {len(old)}"))
    return Scene((Panel(marks, x, y, equal=True),), sentence, tuple(told))


def closest(z: Floats) -> float:
    """The distance of the two rows that are nearest to each other."""
    far = np.linalg.norm(z[:, None] - z, axis=2)
    return float(far[np.triu_indices(len(z), 1)].min())


# --- a cloud in space ----------------------------------------------------------------------------


@cache
def cloud() -> tuple[Floats, Array]:
    """Three classes in space, long in one direction, so that their differences hide behind it."""
    means = np.array([[1.5, 0.0, 0.5], [-0.8, 1.2, 0.5], [-0.7, -1.2, -1.0]])
    turned, _ = np.linalg.qr(np.array([[1.0, 0.4, -0.3], [-0.8, 1.0, 0.2], [0.7, 0.3, 1.0]]))
    y = np.repeat([0, 1, 2], 16)
    z = np.random.default_rng(4).standard_normal((len(y), 3)) * [2.4, 0.6, 0.4]
    X: Floats = means[y] + z @ turned.T + [1.0, -0.5, 0.9]
    return X, y


def staged(X: Floats, y: Array, stage: str) -> tuple[Floats, Floats]:
    """(points, corners of the plane of the class means) after a stage of the way."""
    S = scatter_matrices(X, y)
    means = S.means
    if stage != STAGES[0]:
        X, means = X - S.mean, means - S.mean
    if stage in STAGES[2:]:
        sizes, axes = np.linalg.eigh(S.within / (len(X) - len(means)))
        T = (axes / np.sqrt(sizes)) @ axes.T  # turned back, so that the cloud is only squeezed
        X, means = X @ T, means @ T
    _, _, axes = np.linalg.svd(means - means.mean(axis=0))
    plane = axes[:2].T
    if stage == STAGES[3]:
        X = X @ plane @ plane.T
    half = 1.25 * np.abs((means - means.mean(axis=0)) @ plane).max(axis=0)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return X, means.mean(axis=0) + square * half @ plane.T


def criterion_of_view(X: Floats, y: Array, view: TurnAt) -> tuple[float, int]:
    """(trace criterion, mistakes of the best rule for the view) of what is seen in a view."""
    seen = X @ view.directions
    S = scatter_matrices(seen, y)
    sizes, axes = np.linalg.eigh(S.within)
    kept = sizes > 1e-9 * sizes[-1]  # a projected cloud that is seen from its edge is a line
    T = axes[:, kept] / np.sqrt(sizes[kept])
    z, means = seen @ T, S.means @ T
    far = ((z[:, None] - means) ** 2).sum(axis=2)
    return float(np.trace(T.T @ S.between @ T)), int((far.argmin(axis=1) != y).sum())


def cloud_panel(X: Floats, y: Array, corners: Floats, view: TurnAt, title: str) -> Panel:
    """The cloud, seen from somewhere: its points, its means, their plane, the three axes."""
    means = np.array([X[y == k].mean(axis=0) for k in range(3)])
    seen = view.directions
    arms = np.eye(3) * 0.8 * REACH @ seen
    marks: tuple[Mark, ...] = (
        Region((corners @ seen,), None, outline=True),
        Segments(-arms, arms, "guide"),
        Text(arms, ("1", "2", "3"), colour="muted"),
        Points(X @ seen, y, ("class 0", "class 1", "class 2"), size=4),
        Points(means @ seen, look="focus", size=9, labels=("class mean",)),
    )
    across, up = (Axis("", -REACH, REACH, ()) for _ in range(2))
    return Panel(marks, across, up, title, equal=True, frame=False)


@cache
def stages() -> dict[str, tuple[Floats, Floats]]:
    """The cloud and the plane of its means after each stage of the way."""
    return {stage: staged(*cloud(), stage) for stage in STAGES}


def stages_scene() -> Scene:
    """All four stages of the way, seen from the same side."""
    _, y = cloud()
    panels = [cloud_panel(Z, y, plane, FIRST_VIEW, s) for s, (Z, plane) in stages().items()]
    mistakes = {s: criterion_of_view(Z, y, FIRST_VIEW)[1] for s, (Z, _) in stages().items()}
    told = ", ".join(f"{stage} {wrong}" for stage, wrong in mistakes.items())
    sentence = f"Three classes in space, seen from one side. Mistakes in this view: {told}."
    return Scene(tuple(panels), sentence, columns=2, shared_legend=True)


@cache
def best_criterion() -> float:
    """The largest criterion that a view of the cloud can have."""
    S = scatter_matrices(*cloud())
    return float(generalised_eigenvectors(S.between, S.within)[0][:2].sum())


def space_scene(view: TurnAt, stage: str) -> Scene:
    """The cloud at a stage, with the criterion of the view as a bar below it."""
    (X, corners), y = stages()[stage], cloud()[1]
    J, mistakes = criterion_of_view(X, y, view)
    share = J / best_criterion()
    bar = Region((box(0, share, 0.15, 0.85),), None, outline=True)
    ticks = tuple((k / 4, f"{k * 25} %") for k in range(5))
    gauge = Panel(
        (bar, Segments([[1, 0]], [[1, 1]], "weights")),
        Axis("criterion of this view, of the best one", 0, 1.08, ticks),
        Axis("", 0, 1, ()),
        height=0.12,
        below=True,
    )
    sentence = (
        f"The cloud {stage}, turned {view.turn:.0f}° and tilted {number(view.tilt, 0)}°: this "
        f"view has {share:.0%} of the best criterion; {mistakes} of {len(X)} lie nearer to the "
        "mean of another class."
    )
    panels = (cloud_panel(X, y, corners, view, stage), gauge)
    shown = ("criterion", f"{share:.0%} of the best"), ("mistakes", f"{mistakes} of {len(X)}")
    return Scene(panels, sentence, shown)
