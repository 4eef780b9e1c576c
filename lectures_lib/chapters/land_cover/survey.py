"""The survey of Olinda: training areas, the methods of the course, and held-out rectangles."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from lectures_lib._core.estimator import ConvergenceWarning
from lectures_lib.chapters.land_cover.areas import CLASSES, PIXEL, Areas
from lectures_lib.figures.scene import Array, Floats
from lectures_lib.gaussian import (
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from lectures_lib.landcover import Rectangle, training_table
from lectures_lib.learning import NearestNeighbour
from lectures_lib.least_squares import LeastSquaresClassifier
from lectures_lib.margin import SoftMarginSVM
from lectures_lib.metrics import confusion_matrix
from lectures_lib.multiclass import OneVsOneClassifier, OneVsRestClassifier
from lectures_lib.perceptron import Perceptron
from lectures_lib.selection import Standardized
from lectures_lib.softmax import SoftmaxRegression
from lectures_lib.widgets import Cloud, rectangles

MOST = 250  # pixels of a class that a method is trained on in the live picture

METHODS: dict[str, Callable[[], Any]] = {
    "LDA": LinearDiscriminantAnalysis,
    "QDA": QuadraticDiscriminantAnalysis,
    "naive Bayes": GaussianNB,
    "softmax regression": lambda: Standardized(SoftmaxRegression(C=1.0)),
    "least squares": LeastSquaresClassifier,
    "SVM, one-vs-rest": lambda: Standardized(OneVsRestClassifier(SoftMarginSVM(C=1.0))),
    "perceptron, one-vs-one": lambda: Standardized(OneVsOneClassifier(Perceptron(max_iter=20))),
    "nearest neighbour": lambda: Standardized(NearestNeighbour()),
}


def to_corners(areas: Areas, rows: int) -> tuple[Floats, Array]:
    """Rectangles of pixels as two corners in km east and north of the south-western corner."""
    corners, labels = [], []
    for name, some in areas.items():
        for r in some:
            corners.append([[r.column, rows - r.row_end], [r.column_end, rows - r.row]])
            labels.append(CLASSES.index(name))
    return np.reshape(corners, (-1, 2, 2)) * PIXEL / 1000, np.array(labels, dtype=int)


def to_areas(cloud: Cloud, shape: tuple[int, int]) -> dict[str, list[Rectangle]]:
    """What was drawn, as rectangles of whole pixels, at least one, inside the scene."""
    rows, columns = shape
    boxes, labels = rectangles(cloud)
    areas: dict[str, list[Rectangle]] = {}
    for ((left, south), (right, north)), k in zip(boxes * 1000 / PIXEL, labels, strict=True):
        row = int(np.clip(round(rows - north), 0, rows - 1))
        column = int(np.clip(round(left), 0, columns - 1))
        row_end = int(np.clip(round(rows - south), row + 1, rows))
        column_end = int(np.clip(round(right), column + 1, columns))
        areas.setdefault(CLASSES[k], []).append(Rectangle(row, column, row_end, column_end))
    return areas


def thinned(X: Floats, y: Array, most: int = MOST) -> tuple[Floats, Array]:
    """At most so many examples of each class, spread evenly over those there are, and mixed.

    In the order of the rows of the scene a perceptron would see one class after the other.
    """
    keep = [
        own[np.unique(np.linspace(0, len(own) - 1, min(most, len(own))).astype(int))]
        for own in (np.flatnonzero(y == label) for label in np.unique(y))
    ]
    rows = np.random.default_rng(0).permutation(np.concatenate(keep))
    return X[rows], y[rows]


def fitted(make: Callable[[], Any], X: Floats, y: Array) -> Any:
    """The method, trained on at most MOST examples of each class.

    A perceptron on classes that no plane separates is stopped, and need not say so at each move.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return make().fit(*thinned(X, y))


def coded(cube: npt.ArrayLike, areas: Areas) -> tuple[Floats, Array]:
    """The pixels of the areas, and the numbers of their classes in CLASSES."""
    table = training_table(cube, {name: some for name, some in areas.items() if some})
    codes = np.array([CLASSES.index(name) for name in areas if areas[name]])
    names = np.array([name for name in areas if areas[name]])
    order = np.argsort(names)
    return table.X, codes[order][np.searchsorted(names[order], table.y)]


def halves(areas: Areas) -> tuple[dict[str, list[Rectangle]], dict[str, list[Rectangle]]]:
    """The first, third, ... rectangle of each class, and the others."""
    first = {name: list(some[::2]) for name, some in areas.items() if some}
    other = {name: list(some[1::2]) for name, some in areas.items() if len(some) > 1}
    return first, other


def dealt(areas: Areas, rng: np.random.Generator) -> dict[str, list[Rectangle]]:
    """The areas of each class in a random order, so that other ones share a half."""
    return {name: [some[i] for i in rng.permutation(len(some))] for name, some in areas.items()}


def pure_areas(
    truth: npt.ArrayLike, rng: np.random.Generator, number: int = 4
) -> dict[str, list[Rectangle]]:
    """Random rectangles, so many for each class, in which a known map holds this class alone.

    As in our own survey those of the last class are small, since it lies in small places.
    """
    codes = np.asarray(truth)
    areas: dict[str, list[Rectangle]] = {name: [] for name in CLASSES}
    for k, name in enumerate(CLASSES):
        places = np.argwhere(codes == k)
        while len(areas[name]) < number:
            row, column = places[rng.integers(len(places))].tolist()
            height, width = rng.integers(4, 16 if k < len(CLASSES) - 1 else 8, 2).tolist()
            block = codes[row : row + height, column : column + width]
            if block.shape == (height, width) and (block == k).all():
                areas[name].append(Rectangle(row, column, row + height, column + width))
    return areas


def held_out(cube: npt.ArrayLike, areas: Areas, make: Callable[[], Any]) -> Array | None:
    """Confusion matrix of areas that did not train: each half is judged by the other one.

    Rows and columns follow CLASSES. None while a class that was drawn has a single area.
    """
    first, other = halves(areas)
    if set(first) != set(other) or len(first) < 2:
        return None
    M = np.zeros((len(CLASSES), len(CLASSES)), dtype=int)
    for train, test in ((first, other), (other, first)):
        X, y = coded(cube, test)
        said = fitted(make, *coded(cube, train)).predict(X)
        M += np.asarray(confusion_matrix(y, said, labels=np.arange(len(CLASSES))))
    return M


def two_ways(
    cube: npt.ArrayLike, areas: Areas, make: Callable[[], Any], rng: np.random.Generator
) -> tuple[float, float]:
    """Error of a random half of the pixels, and of areas held out as a whole, dealt out anew."""
    X, y = coded(cube, areas)
    train, test = np.split(rng.permutation(len(y)), 2)
    pixels = np.mean(fitted(make, X[train], y[train]).predict(X[test]) != y[test])
    M = held_out(cube, dealt(areas, rng), make)
    assert M is not None
    return float(pixels), float(1 - np.trace(M) / M.sum())


def nearest_in_colour(
    cube: npt.ArrayLike, areas: Areas, rng: np.random.Generator
) -> dict[str, float]:
    """Where the most similar training pixels lie, for a random half of all pixels as the test.

    The last three are errors: of the nearest neighbour, without those around the test pixel, and
    without those of its area.
    """
    X, y = coded(cube, areas)
    spot = training_table(cube, {name: some for name, some in areas.items() if some}).positions
    owner = np.zeros(np.shape(cube)[:2], dtype=int)
    for n, r in enumerate(r for some in areas.values() for r in some):
        owner[r.row : r.row_end, r.column : r.column_end] = n
    area = owner[tuple(spot.T)]
    half, test = np.split(rng.permutation(len(y)), 2)
    train = thinned(half[:, None].astype(float), y[half])[0][:, 0].astype(int)
    Z = (X - X[train].mean(axis=0)) / X[train].std(axis=0)
    distance = ((Z[test][:, None] - Z[train]) ** 2).sum(axis=2)
    away = np.abs(spot[test][:, None] - spot[train])
    step, same = away.max(axis=2), area[train] == area[test][:, None]
    rows, nearest = np.arange(len(test)), distance.argmin(axis=1)

    def error(forbidden: Array) -> float:
        found = np.where(forbidden, np.inf, distance).argmin(axis=1)
        return float(np.mean(y[train][found] != y[test]))

    return {
        "a neighbour has trained": float(np.mean(away.sum(axis=2).min(axis=1) == 1)),
        "a neighbour has trained, with diagonals": float(np.mean(step.min(axis=1) == 1)),
        "the most similar one is a neighbour": float(np.mean(step[rows, nearest] == 1)),
        "the most similar one lies in the same area": float(same[rows, nearest].mean()),
        "any one lies in the same area": float(same.mean()),
        "error": error(step < 0),
        "error without two pixels around": error(step <= 2),
        "error without the area": error(same),
    }


def on_border(codes: npt.ArrayLike) -> Array:
    """The pixels of a map that have another class above, below, left or right."""
    own = np.asarray(codes)
    around = np.pad(own, 1, mode="edge")
    sides = (around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:])
    return np.asarray(np.any([side != own for side in sides], axis=0))
