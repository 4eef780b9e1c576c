"""The survey of Olinda: training areas, the methods of the course, and held-out rectangles."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from lectures_lib._core.estimator import ConvergenceWarning
from lectures_lib.chapters.land_cover.areas import CLASSES, OURS, PIXEL, Areas
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

__all__ = [
    "CLASSES",
    "METHODS",
    "OURS",
    "PIXEL",
    "Areas",
    "coded",
    "dealt",
    "fitted",
    "halves",
    "held_out",
    "pure_areas",
    "thinned",
    "to_areas",
    "to_corners",
]

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
