"""The pictures of many classes: who claims what, code words, and what each scheme costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from lectures_lib.figures import Axis, Curve, Line, Panel, Points, Region, Scene, Text
from lectures_lib.figures.images import digits_scene as digits_scene
from lectures_lib.figures.plane import (
    box,
    class_regions,
    curve_through,
    regions_scene,
    square_axes,
)
from lectures_lib.figures.scene import Array, Floats, Mark, numbers
from lectures_lib.figures.words import count, number
from lectures_lib.least_squares import LeastSquaresClassifier
from lectures_lib.multiclass import (
    OneVsOneClassifier,
    OneVsRestClassifier,
    hamming_distances,
    minimum_distance,
)

Axes = tuple[Axis, Axis]
NAMES = ("class 0", "class 1", "class 2")
AMBIGUOUS = 3  # the code of the places where votes do not decide


def _machine(scheme: str) -> OneVsRestClassifier | OneVsOneClassifier:
    """One-vs-rest or one-vs-one around least squares."""
    if scheme == "one-vs-rest":
        return OneVsRestClassifier(LeastSquaresClassifier())
    return OneVsOneClassifier(LeastSquaresClassifier())


def lines_scene(X: npt.ArrayLike, y: npt.ArrayLike, scheme: str) -> Scene:
    """The lines of all binary machines of a scheme over the points of three classes."""
    points, labels = numbers(X, "X", ndim=2), np.asarray(y)
    axes = square_axes(points, pad=0.25)
    model = _machine(scheme).fit(points, labels)
    pairs, roles = [f"{k} or the rest" for k in range(3)], ("class0", "class1", "class2")
    if scheme == "one-vs-one":
        pairs = ["0 or 1", "0 or 2", "1 or 2"]
        roles = ("path2", "path3", "path4")  # path1 has the colour of class 2
    lines = tuple(
        Line(machine.coef_[0], float(machine.intercept_[0]), role, name)
        for machine, role, name in zip(model.estimators_, roles, pairs, strict=True)
    )
    panel = Panel((*lines, Points(points, labels, NAMES)), *axes, scheme, equal=True)
    sentence = f"{scheme}: the lines of {len(lines)} machines over {len(points)} points."
    return Scene((panel,), sentence)


def votes_scene(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    schemes: Sequence[str] = ("one-vs-rest", "one-vs-one"),
    *,
    axes: Axes | None = None,
    centres: npt.ArrayLike | None = None,
) -> Scene:
    """The places where exactly one class wins the votes; where none or several do is hatched."""
    points, labels = numbers(X, "X", ndim=2), np.asarray(y)
    shown = axes or square_axes(points, pad=0.25)
    panels, told = [], []
    for scheme in schemes:
        model = _machine(scheme).fit(points, labels)
        decide = _votes(model)
        regions, borders, shares = class_regions(decide, range(AMBIGUOUS + 1), *shown)
        marks: list[Mark] = [
            Region(rings, None if k == AMBIGUOUS else k, hatch=k == AMBIGUOUS)
            for k, rings in enumerate(regions)
            if rings
        ]
        marks += [Curve(borders[:, 0], borders[:, 1]), Points(points, labels, NAMES)]
        if centres is not None:
            # A look with classes, as in the hand: the browser draws no other point of class 1 or 2.
            held = np.arange(len(np.asarray(centres)))
            marks.append(Points(centres, held, look="hollow", size=14, handle="centres"))
        share = shares[AMBIGUOUS]
        amount = "less than 1%" if 0 < share < 0.005 else f"{share:.0%}"
        panels.append(Panel(tuple(marks), *shown, f"{scheme}: {amount} undecided", equal=True))
        told.append(f"{scheme} leaves {amount} of the picture undecided")
    return Scene(tuple(panels), f"{'; '.join(told)}.", columns=2, shared_legend=True)


def _votes(model: OneVsRestClassifier | OneVsOneClassifier) -> Callable[[Array], Array]:
    """The class of each place, or AMBIGUOUS."""

    def decide(places: Array) -> Array:
        return np.where(model.ambiguous(places), AMBIGUOUS, model.predict(places))

    return decide


def scale_scene(X: npt.ArrayLike, y: npt.ArrayLike, factor: float) -> Scene:
    """Regions of the largest score, with the score of class 0 multiplied by `factor`."""
    points, labels = numbers(X, "X", ndim=2), np.asarray(y)
    model = OneVsRestClassifier(LeastSquaresClassifier()).fit(points, labels)
    units = np.array([factor, 1.0, 1.0])

    def predict(places: Array) -> Array:
        return np.asarray((model.decision_function(places) * units).argmax(axis=1))

    title = f"scores of class 0 times {factor:.3g}"
    scene = regions_scene(points, labels, predict, title=title, pad=0.25)
    (panel,) = scene.panels
    _, began, _ = class_regions(model.predict, [0, 1, 2], panel.x, panel.y)
    ghost = curve_through(began, "guide", "where it began")
    return Scene(
        (replace(panel, marks=(*panel.marks, ghost)),), f"With the {title}: {scene.describe()}"
    )


# --- codes ----------------------------------------------------------------------------------------


def code_scene(code: npt.ArrayLike, received: Sequence[int]) -> Scene:
    """A code as a table of fields, the received word on top, and each word's distance from it."""
    words, word = np.asarray(code, dtype=int), np.asarray(received, dtype=int)
    K, M = words.shape
    labels = [f"class {k}" for k in range(K)]
    distance = hamming_distances(word[None], words)[0]
    nearest = np.flatnonzero(distance == distance.min())
    rows = np.vstack([word, words])
    heights = [K + 0.6, *range(K - 1, -1, -1)]
    ones, zeros = (
        tuple(_field(int(bit), heights[row]) for row, bit in np.argwhere(rows == value))
        for value in (1, 0)
    )
    first = nearest[0]
    wrong = [(b + 0.5, heights[first + 1] + 0.45) for b in np.flatnonzero(words[first] != word)]
    texts = ["received", *labels]
    told = ["", *(f"{n} {'bit' if n == 1 else 'bits'} away" for n in distance)]
    middle = [base + 0.3 for base in heights]
    marks: tuple[Mark, ...] = (
        Region(ones, None, "1", outline=True, hatch=True),
        Region(zeros, None, "0", outline=True, fill=False),
        Text([[-0.2, m] for m in middle], tuple(texts), anchor="end"),
        Text([[M + 0.2, m] for m in middle], tuple(told), anchor="start"),
        Points(np.reshape(wrong, (-1, 2)), look="ring", size=12),
        *(Region((_field(bit, heights[0]),), fill=False) for bit in range(M)),  # for the hand
    )
    panel = Panel(
        marks, Axis("", -2.2, M + 2.6, ()), Axis("", -0.3, K + 1.8, ()), height=0.6, frame=False
    )
    answer = labels[first] if len(nearest) == 1 else "no single class"
    sentence = (
        f"{K} words of {M} bits, at least {minimum_distance(words)} bits apart; the received word "
        f"{''.join(map(str, word))} is nearest to {answer}."
    )
    readouts = (("decoded", answer), ("distance", str(int(distance.min()))))
    return Scene((panel,), sentence, readouts)


def _field(bit: int, base: float) -> Floats:
    """The square of one bit."""
    return box(bit + 0.06, bit + 0.94, base, base + 0.9)


def cost_scene(machines: npt.ArrayLike, errors: npt.ArrayLike, names: Sequence[str]) -> Scene:
    """Test error over the number of binary machines; the curve joins the means of equal codes."""
    n, e = numbers(machines, "machines", ndim=1), numbers(errors, "errors", ndim=1)
    at = np.log2(n)
    ticks = tuple((float(np.log2(k)), str(k)) for k in (4, 8, 16, 32, 64))
    codes = np.array(["code" in name for name in names])
    draws = np.column_stack([at[codes], e[codes]])
    path = np.array([draws[draws[:, 0] == a].mean(axis=0) for a in np.unique(draws[:, 0])])
    plain = np.column_stack([at[~codes], e[~codes]])
    words = tuple(name for name, is_code in zip(names, codes, strict=True) if not is_code)
    marks = (
        Curve(path[:, 0], path[:, 1], "path1", "output codes, mean"),
        Points(draws, look="dot", size=4),
        Points(plain, look="focus", size=8),
        Text(plain, words, shift=(-14, 0), anchor="end"),
    )
    best = int(e.argmin())
    sentence = (
        f"Test error over the number of machines: {names[best]} has the least, "
        f"{number(float(e[best]), 3)} with {count(int(n[best]), 'machine')}."
    )
    x = Axis("binary machines", 1.8, 6.6, ticks)
    return Scene((Panel(marks, x, Axis("test error", 0, 0.4), height=0.5),), sentence)
