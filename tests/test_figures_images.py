"""Digits and weight vectors as images, as data."""

import numpy as np
import pytest

from lectures_lib.figures import Raster, Text
from lectures_lib.figures.images import digits_scene, weights_image_scene


def test_digits_carry_their_labels() -> None:
    scene = digits_scene(np.ones((3, 8, 8)), [3, 8, 3])
    (captions,) = scene.marks(Text)
    assert captions.words == ("3", "8", "3")
    assert len(scene.marks(Raster)) == 3


def test_the_image_of_the_weights_says_where_the_largest_stands() -> None:
    w = np.zeros(64)
    w[8 * 2 + 5], w[8 * 6 + 1] = 3.0, -6.0
    scene = weights_image_scene(w)
    assert "largest is 3 in row 3, column 6" in scene.describe()
    assert "smallest is −6 in row 7, column 2" in scene.describe()
    image = scene.marks(Raster)[0]
    assert image.values[2, 5] == 0.5
    assert image.values[6, 1] == -1


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="images: expected one image"):
        digits_scene(np.zeros((2, 8, 8)), [1])
    with pytest.raises(ValueError, match="w: expected 64 weights, found 3"):
        weights_image_scene([1, 2, 3])
