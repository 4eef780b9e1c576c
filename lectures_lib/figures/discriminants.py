"""Figures of discriminant functions: the regions into which a classifier cuts the plane."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from lectures_lib.discriminants import decision_regions, from_one_hot, one_hot
from lectures_lib.figures.marks import Points, Raster
from lectures_lib.figures.perceptron import square_axes
from lectures_lib.figures.scene import Array, Panel, Scene, numbers
from lectures_lib.figures.words import count

CELLS = 120  # the grid of the regions, in each direction


def regions_scene(
    X: npt.ArrayLike,
    y: npt.ArrayLike,
    predict: Callable[[Array], npt.ArrayLike],
    *,
    title: str = "",
    pad: float = 0.35,
) -> Scene:
    """The points of the classes `y`, and behind them the class that `predict` says everywhere."""
    points = numbers(X, "X", ndim=2)
    labels = np.asarray(y)
    classes = np.unique(labels)
    x_axis, y_axis = square_axes(points, pad=pad)
    x1 = _middles(x_axis.lo, x_axis.hi)
    x2 = _middles(y_axis.lo, y_axis.hi)
    regions = _codes(decision_regions(predict, x1, x2).ravel(), classes).reshape(CELLS, CELLS)
    wrong = int(np.sum(np.asarray(predict(points)) != labels))
    names = tuple(f"class {label}" for label in classes)
    marks = (
        Raster(regions, (x_axis.lo, x_axis.hi), (y_axis.lo, y_axis.hi), "classes"),
        Points(points, _codes(labels, classes), names, size=7),
    )
    shares = ", ".join(
        f"{np.mean(regions == code):.0%} of the picture is {name}"
        for code, name in enumerate(names)
    )
    sentence = (
        f"{count(len(points), 'point')} in {count(len(classes), 'class', 'classes')}, "
        f"{count(wrong, 'mistake')}; {shares}."
    )
    return Scene((Panel(marks, x_axis, y_axis, title, equal=True),), sentence)


def _middles(low: float, high: float) -> Array:
    """The middles of the cells between two ends."""
    step = (high - low) / CELLS
    middles: Array = low + step * (np.arange(CELLS) + 0.5)
    return middles


def _codes(labels: npt.ArrayLike, classes: npt.ArrayLike) -> Array:
    """Labels as 0, 1, ... in the order of the classes; an unknown label is an error in words."""
    codes: Array = from_one_hot(one_hot(labels, classes))
    return codes
