"""Figures of regions, as data."""

import numpy as np
import pytest

from lectures_lib.figures import show
from lectures_lib.figures.discriminants import CELLS, regions_scene

X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
Y = np.array([-1, -1, 1, 1])


def above_the_diagonal(points):
    return np.where(points[:, 1] > points[:, 0], 1, -1)


def test_the_regions_are_what_the_classifier_says_at_their_middles() -> None:
    scene = regions_scene(X, Y, above_the_diagonal)
    raster, points = scene.panels[0].marks
    (low, high), (bottom, top) = raster.x, raster.y
    for row, column in [(3, 100), (100, 3), (60, 10), (10, 60)]:
        middle = [
            low + (high - low) * (column + 0.5) / CELLS,
            bottom + (top - bottom) * (row + 0.5) / CELLS,
        ]
        assert raster.values[row, column] == (middle[1] > middle[0])
    assert points.classes.tolist() == [0, 0, 1, 1]


def test_the_sentence_counts_mistakes_and_areas() -> None:
    scene = regions_scene(X, Y, above_the_diagonal)
    assert scene.describe().startswith("4 points in 2 classes, 1 mistake;")
    assert "50% of the picture is class 1" in scene.describe()
    assert show(scene).png.startswith(b"\x89PNG")


def test_a_label_that_no_point_has_is_refused() -> None:
    with pytest.raises(ValueError, match="7"):
        regions_scene(X, Y, lambda points: np.full(len(points), 7))
