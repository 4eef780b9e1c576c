"""Land cover: shapes, areas and filters by counting, and the two real scenes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib import landcover as lc
from lectures_lib.datasets import load_iris, load_olinda
from lectures_lib.gaussian import QuadraticDiscriminantAnalysis
from lectures_lib.landcover import Rectangle

quick = settings(deadline=None, max_examples=20)


# --- training areas --------------------------------------------------------------------------


def test_a_rectangle_includes_its_first_and_excludes_its_last_row_and_column() -> None:
    mask = lc.training_mask(Rectangle(1, 2, 3, 4), (4, 5))
    assert [tuple(p) for p in np.argwhere(mask)] == [(1, 2), (1, 3), (2, 2), (2, 3)]
    np.testing.assert_array_equal(lc.training_mask((1, 2, 3, 4), (4, 5)), mask)
    np.testing.assert_array_equal(lc.training_mask([mask], (4, 5)), mask)
    np.testing.assert_array_equal(lc.training_mask(mask, (4, 5)), mask)
    overlapping = lc.training_mask([(0, 0, 2, 2), (1, 1, 3, 3), mask], (4, 5))
    assert overlapping.sum() == 4 + 4 - 1 + 2


def test_the_training_table_holds_each_pixel_with_its_class_and_place() -> None:
    cube = np.random.default_rng(0).integers(0, 255, (6, 7, 3))
    X, y, positions = lc.training_table(
        cube, {"water": (0, 0, 2, 2), "town": [(3, 3, 4, 6), (5, 0, 6, 1)]}
    )
    assert Counter(y.tolist()) == {"water": 4, "town": 4}
    for x, label, (row, column) in zip(X, y, positions, strict=True):
        assert list(x) == list(cube[row, column])
        assert label == ("water" if row < 2 and column < 2 else "town")


def test_areas_come_back_from_their_file(tmp_path: Path) -> None:
    areas = {
        "mar": [Rectangle(0, 1, 2, 3)],
        "área construída": [Rectangle(4, 4, 6, 6), Rectangle(0, 7, 1, 9)],
    }
    file = tmp_path / "áreas.json"
    lc.save_areas(file, areas)
    assert lc.load_areas(file) == areas
    lc.save_areas(file, {"a": (1, 2, 3, 4)})
    assert lc.load_areas(file) == {"a": [Rectangle(1, 2, 3, 4)]}
    file.write_text('{"a": [[1, 2]]}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"áreas\.json: "):
        lc.load_areas(file)
    with pytest.raises(ValueError, match="'a'"):
        lc.save_areas(file, {"a": np.ones((2, 2), dtype=bool)})


def test_the_separability_of_band_pairs_is_the_trace_criterion() -> None:
    iris = load_iris()
    table = lc.band_pair_separability(iris.X, iris.y)
    for a in range(4):
        for b in range(4):
            bands = sorted({a, b})
            within = np.zeros((len(bands), len(bands)))
            between = np.zeros_like(within)
            grand = iris.X[:, bands].mean(axis=0)
            for k in range(3):
                own = iris.X[iris.y == k][:, bands]
                within += np.cov(own.T, ddof=0).reshape(within.shape) * len(own)
                shift = own.mean(axis=0) - grand
                between += len(own) * np.outer(shift, shift)
            assert table[a, b] == pytest.approx(np.trace(np.linalg.inv(within) @ between))
    scaled = lc.band_pair_separability(iris.X * [1e6, 1e-6, 1, 1] + 100, iris.labels)
    np.testing.assert_allclose(scaled, table, rtol=1e-6)


def test_bands_without_spread_inside_the_classes_separate_them_fully_or_not_at_all() -> None:
    X = np.array([[0.0, 1.0], [0.0, 1.0], [5.0, 1.0], [5.0, 1.0]])
    table = lc.band_pair_separability(X, [0, 0, 1, 1])
    assert table[0, 0] == table[0, 1] == np.inf
    assert table[1, 1] == 0


# --- maps ------------------------------------------------------------------------------------


class Darkness:
    """Calls a pixel dark when its first band is below 100."""

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.where(X[:, 0] < 100, "dark", "bright")


@pytest.mark.parametrize("shape", [(5, 6), (400, 251)])
def test_the_class_map_has_the_label_of_every_pixel_in_one_block_and_in_two(shape: Any) -> None:
    cube = np.random.default_rng(0).integers(0, 255, (*shape, 2))
    labels = lc.class_map(Darkness(), cube)
    np.testing.assert_array_equal(labels == "dark", cube[:, :, 0] < 100)


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 10**6))
def test_the_majority_filter_counts_every_window(rows: int, columns: int, seed: int) -> None:
    labels = np.random.default_rng(seed).choice(["a", "b", "c", "d"], (rows, columns))
    filtered = lc.majority_filter(labels)
    for i in range(rows):
        for j in range(columns):
            window = labels[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2]
            counts = Counter(window.ravel().tolist())
            most = sorted(c for c in counts if counts[c] == max(counts.values()))
            assert filtered[i, j] == (labels[i, j] if labels[i, j] in most else most[0])


# --- the two scenes --------------------------------------------------------------------------

OLINDA = {
    "sea": [Rectangle(200, 310, 230, 345), Rectangle(300, 270, 340, 300)],
    "vegetation": [Rectangle(5, 5, 40, 45), Rectangle(100, 130, 130, 180)],
    "town": [Rectangle(70, 260, 100, 300), Rectangle(300, 60, 340, 130)],
}


def test_a_few_rectangles_map_the_scene_of_olinda() -> None:
    cube = load_olinda().cube
    X, y, _ = lc.training_table(cube, OLINDA)
    model = QuadraticDiscriminantAnalysis().fit(X, y)
    labels = lc.class_map(model, cube)
    assert model.score(X, y) > 0.93
    near_infrared, red = cube[:, :, 3].astype(int), cube[:, :, 2].astype(int)
    dark = near_infrared < 20  # water takes in the near infrared, plants throw it back
    assert (labels[dark] == "sea").mean() > 0.95
    green = near_infrared > 2 * red
    assert (labels[green] == "vegetation").mean() > 0.9
    assert (labels[:, :200] == "sea").mean() < 0.02
    smooth = lc.majority_filter(labels)
    changes = (labels[:, 1:] != labels[:, :-1]).mean()
    assert (smooth[:, 1:] != smooth[:, :-1]).mean() < 0.7 * changes


def table_of(areas: Any) -> Any:
    return lc.training_table(np.zeros((4, 4, 1)), areas)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lc.training_table(np.zeros((3, 4)), {}), "cube: found shape"),
        (lambda: lc.training_table(np.full((1, 1, 1), "x"), {}), "cube: found dtype"),
        (lambda: lc.training_mask((0, 0, 9, 9), (4, 4)), "area: found Rectangle"),
        (lambda: lc.training_mask((2, 0, 2, 3), (4, 4)), "row < row_end"),
        (lambda: lc.training_mask([np.ones((2, 2), dtype=bool)], (4, 4)), "boolean mask"),
        (lambda: table_of({}), "areas: found none"),
        (lambda: table_of({"a": (0, 0, 2, 2), "b": (1, 1, 3, 3)}), "'a' and 'b' .*row 1, column 1"),
        (lambda: table_of({"a": np.zeros((4, 4), dtype=bool)}), "class 'a' is empty"),
        (lambda: lc.majority_filter([0, 1]), "labels: found shape"),
        (lambda: lc.band_pair_separability([[0.0]], [0, 1]), "y: found 2 labels"),
    ],
)
def test_bad_input_is_named(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
