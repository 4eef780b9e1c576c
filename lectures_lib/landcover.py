"""Classifying a satellite image: training areas and the class map.

A scene is a cube (rows, columns, bands). A pixel is an example, its bands are the features, so
every classifier of the course can label a scene:

    X, y, _ = training_table(cube, {"water": [Rectangle(0, 0, 20, 20)], "town": [...]})
    labels = class_map(model.fit(X, y), cube)

Row 0 is the northern edge, as in an array; rectangles include their first row and column and
exclude their last, like slices.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.validation import (
    Array,
    Codes,
    check_labels,
    check_matrix,
    encode_labels,
)

__all__ = [
    "Rectangle",
    "TrainingTable",
    "band_pair_separability",
    "class_map",
    "load_areas",
    "majority_filter",
    "save_areas",
    "training_mask",
    "training_table",
]


class Rectangle(NamedTuple):
    """Pixels with row <= i < row_end and column <= j < column_end.

    >>> training_mask(Rectangle(0, 0, 1, 2), (2, 3))
    array([[ True,  True, False],
           [False, False, False]])
    """

    row: int
    column: int
    row_end: int
    column_end: int


class TrainingTable(NamedTuple):
    """The pixels of the training areas: features, class of each, and its (row, column).

    >>> cube = np.arange(12).reshape(2, 3, 2)
    >>> training_table(cube, {"sea": Rectangle(0, 0, 1, 2)}).y
    array(['sea', 'sea'], dtype='<U3')
    """

    X: Array
    y: NDArray[np.str_]
    positions: Codes


Area = Rectangle | ArrayLike
BLOCK = 100_000  # pixels that a model predicts at once


def _check_cube(cube: ArrayLike) -> NDArray[Any]:
    """The cube as it is (small integers stay small), if it has three dimensions."""
    pixels = np.asarray(cube)
    if pixels.ndim != 3 or 0 in pixels.shape:
        raise ValueError(
            f"cube: found shape {pixels.shape}, expected (rows, columns, bands), none of them 0."
        )
    if pixels.dtype.kind not in "iufb":
        raise ValueError(f"cube: found dtype {pixels.dtype}, expected real numbers.")
    return pixels


# --- training areas ------------------------------------------------------------------------------


def training_mask(areas: Area | Iterable[Area], shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Mask (rows, columns) of one or more areas: rectangles, or masks of the whole image.

    >>> int(training_mask([Rectangle(0, 0, 2, 2), Rectangle(1, 1, 3, 3)], (3, 3)).sum())
    7
    """
    mask = np.zeros(shape, dtype=bool)
    for area in _listed(areas):
        if _is_rectangle(area):
            rectangle = _check_rectangle(area, shape)
            mask[rectangle.row : rectangle.row_end, rectangle.column : rectangle.column_end] = True
        else:
            drawn = np.asarray(area)
            if drawn.shape != shape or drawn.dtype != bool:
                raise ValueError(
                    f"area: found shape {drawn.shape} and dtype {drawn.dtype}, expected a "
                    f"Rectangle (row, column, row_end, column_end) or a boolean mask {shape}."
                )
            mask |= drawn
    return mask


def _is_rectangle(area: Any) -> bool:
    """Four whole numbers, as a Rectangle, a tuple or a list."""
    return (
        isinstance(area, (tuple, list))
        and len(area) == 4
        and all(isinstance(edge, (int, np.integer)) for edge in area)
    )


def _listed(areas: Any) -> list[Any]:
    """One area or several, as a list."""
    is_mask = isinstance(areas, np.ndarray) and areas.dtype == bool
    return [areas] if is_mask or _is_rectangle(areas) else list(areas)


def _check_rectangle(area: Any, shape: tuple[int, int]) -> Rectangle:
    """The rectangle, if it is not empty and lies inside the image."""
    found = Rectangle(*(int(edge) for edge in area))
    rows, columns = shape
    inside_rows = 0 <= found.row < found.row_end <= rows
    inside_columns = 0 <= found.column < found.column_end <= columns
    if not (inside_rows and inside_columns):
        raise ValueError(
            f"area: found {found}, expected 0 <= row < row_end <= {rows} and "
            f"0 <= column < column_end <= {columns}."
        )
    return found


def training_table(cube: ArrayLike, areas: Mapping[str, Area | Iterable[Area]]) -> TrainingTable:
    """The pixels of the areas of each class, as features and labels for `fit`.

    A pixel that two classes claim is an error: one of the areas was drawn wrongly.

    >>> cube = np.arange(12).reshape(2, 3, 2)
    >>> training_table(cube, {"sea": Rectangle(0, 0, 1, 2), "land": Rectangle(1, 2, 2, 3)}).X
    array([[ 0.,  1.],
           [ 2.,  3.],
           [10., 11.]])
    """
    pixels = _check_cube(cube)
    shape = pixels.shape[:2]
    if not areas:
        raise ValueError("areas: found none, expected at least one class with an area.")
    owner = np.full(shape, -1)
    names = list(areas)
    for k, name in enumerate(names):
        mask = training_mask(areas[name], shape)
        if not mask.any():
            raise ValueError(f"areas: the area of class {name!r} is empty, expected pixels.")
        taken = mask & (owner >= 0)
        if taken.any():
            row, column = np.argwhere(taken)[0]
            raise ValueError(
                f"areas: classes {names[owner[row, column]]!r} and {name!r} both claim the "
                f"pixel in row {row}, column {column}."
            )
        owner[mask] = k
    positions = np.argwhere(owner >= 0)
    chosen = owner >= 0
    return TrainingTable(
        pixels[chosen].astype(np.float64), np.array(names)[owner[chosen]], positions.astype(np.intp)
    )


def save_areas(path: str | Path, areas: Mapping[str, Area | Iterable[Area]]) -> None:
    """Write rectangles to a small JSON file: {"water": [[row, column, row_end, column_end]]}.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save_areas(f"{folder}/areas.json", {"sea": [Rectangle(0, 0, 1, 2)]})
    ...     print(open(f"{folder}/areas.json").read().split())
    ['{', '"sea":', '[', '[', '0,', '0,', '1,', '2', ']', ']', '}']
    """
    plain = {}
    for name, found in areas.items():
        rectangles = _listed(found)
        if not all(_is_rectangle(area) for area in rectangles):
            raise ValueError(f"areas: found a mask for {name!r}, expected rectangles only.")
        plain[name] = [[int(edge) for edge in area] for area in rectangles]
    Path(path).write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")


def load_areas(path: str | Path) -> dict[str, list[Rectangle]]:
    """The rectangles per class that `save_areas` wrote.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     save_areas(f"{folder}/areas.json", {"sea": Rectangle(0, 0, 1, 2)})
    ...     load_areas(f"{folder}/areas.json")["sea"]
    [Rectangle(row=0, column=0, row_end=1, column_end=2)]
    """
    try:
        stored = json.loads(Path(path).read_text(encoding="utf-8"))
        return {name: [Rectangle(*map(int, edges)) for edges in stored[name]] for name in stored}
    except (TypeError, ValueError) as error:
        raise ValueError(
            f'{path}: expected {{"class": [[row, column, row_end, column_end], ...]}}, but {error}.'
        ) from error


def band_pair_separability(X: ArrayLike, y: ArrayLike) -> Array:
    """(bands, bands) table: how well each pair of bands alone separates the classes.

    Entry (a, b) is trace(S_w^-1 S_B) with the scatter matrices of the two bands, the diagonal
    the ratio S_B / S_w of one band. Infinite where the pair has no spread inside the classes
    but differs between them.

    >>> X, y = [[0, 5], [1, 6], [4, 5], [5, 7]], [0, 0, 1, 1]
    >>> band_pair_separability(X, y).round(2)
    array([[1.60e+01, 1.37e+02],
           [1.37e+02, 1.00e-01]])
    """
    X_ = check_matrix(X)
    _, codes = encode_labels(check_labels(y))
    if len(codes) != len(X_):
        raise ValueError(f"y: found {len(codes)} labels, expected {len(X_)} as in X.")
    sizes = np.bincount(codes)
    centred = X_ - X_.mean(axis=0)
    means = np.zeros((len(sizes), X_.shape[1]))
    np.add.at(means, codes, centred)
    means /= sizes[:, None]
    within = (centred - means[codes]).T @ (centred - means[codes])
    between = (means * sizes[:, None]).T @ means
    d = X_.shape[1]
    table = np.empty((d, d))
    for a in range(d):
        for b in range(a, d):
            bands = np.unique([a, b])
            S_w, S_B = within[np.ix_(bands, bands)], between[np.ix_(bands, bands)]
            table[a, b] = table[b, a] = _trace_ratio(S_w, S_B)
    return table


def _trace_ratio(S_w: Array, S_B: Array) -> float:
    """trace(S_w^-1 S_B), infinite (or 0, without any difference) where S_w has no inverse."""
    size = np.sqrt(np.diag(S_w))
    if (size == 0).any() or np.linalg.cond(S_w / np.outer(size, size)) > 1e12:
        return float("inf") if np.trace(S_B) > 0 else 0.0
    return float(np.trace(np.linalg.solve(S_w, S_B)))


# --- maps ----------------------------------------------------------------------------------------


def class_map(model: Any, cube: ArrayLike) -> NDArray[Any]:
    """The label that a fitted model gives to every pixel, (rows, columns).

    The pixels are predicted in blocks, so that a large scene needs little extra memory.

    >>> from lectures_lib.learning import NearestNeighbour
    >>> model = NearestNeighbour().fit([[0], [9]], ["sea", "land"])
    >>> class_map(model, [[[1], [8]], [[2], [3]]])
    array([['sea', 'land'],
           ['sea', 'sea']], dtype='<U4')
    """
    pixels = _check_cube(cube)
    flat = pixels.reshape(-1, pixels.shape[2])
    parts = [
        np.asarray(model.predict(flat[start : start + BLOCK].astype(np.float64)))
        for start in range(0, len(flat), BLOCK)
    ]
    return np.concatenate(parts).reshape(pixels.shape[:2])


def majority_filter(labels: ArrayLike) -> NDArray[Any]:
    """The map with every pixel replaced by the most frequent class in its 3 x 3 window.

    Windows are cut off at the edge of the map. On a tie the pixel keeps its own class if that is
    among the most frequent ones, otherwise it gets the first of them (in sorted order).

    >>> majority_filter([[1, 1, 1], [1, 0, 1], [1, 1, 1]])
    array([[1, 1, 1],
           [1, 1, 1],
           [1, 1, 1]])
    """
    image = np.asarray(labels)
    if image.ndim != 2 or image.size == 0:
        raise ValueError(f"labels: found shape {image.shape}, expected a map (rows, columns).")
    classes, codes = encode_labels(check_labels(image.ravel(), "labels"))
    codes = codes.reshape(image.shape)
    rows, columns = image.shape
    framed = np.pad(codes, 1, constant_values=-1)  # beyond the edge there is no class
    window = np.array([framed[i : i + rows, j : j + columns] for i in range(3) for j in range(3)])
    counts = np.array([np.count_nonzero(window == k, axis=0) for k in range(len(classes))])
    own = np.take_along_axis(counts, codes[None], axis=0)[0]
    winner = np.where(own == counts.max(axis=0), codes, counts.argmax(axis=0))
    return np.asarray(classes[winner])
