"""What many chapters draw in the plane, as data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib.figures import Arrow, Axis, Curve, HalfPlane, Line, Points, Region
from lectures_lib.figures.plane import (
    binary_labels,
    boundary_scene,
    class_regions,
    regions_scene,
    square_axes,
)

X = np.array([[-2.0, 0.0], [-1.0, -1.0], [1.0, 0.5], [2.0, 1.0], [0.5, -0.5]])
Y = np.array([0, 0, 1, 1, 0])


@given(
    st.lists(st.tuples(*[st.integers(-4, 4)] * 2, st.integers(0, 1)), min_size=1, max_size=12),
    st.tuples(*[st.integers(-3, 3)] * 3),
)
@settings(max_examples=40)
def test_the_circled_points_are_the_mistakes(
    examples: list[tuple[int, int, int]], weights: tuple[int, int, int]
) -> None:
    w0, *w = weights
    scene = boundary_scene([e[:2] for e in examples], [e[2] for e in examples], w, w0)
    rings = next(m for m in scene.marks(Points) if m.look == "ring")
    wrong = [[a, b] for a, b, y in examples if (2 * y - 1) * (w[0] * a + w[1] * b + w0) <= 0]
    assert rings.xy.tolist() == wrong
    assert scene.readouts == (("mistakes", f"{len(wrong)} of {len(examples)}"),)


def test_a_point_on_the_line_is_a_mistake_or_of_class_one_as_the_tie_rule_says() -> None:
    where, labels = [[0, 1], [0, 2], [1, 0]], [0, 1, 1]
    strict = boundary_scene(where, labels, [1, 0], 0)
    lenient = boundary_scene(where, labels, [1, 0], 0, tie="positive")
    assert strict.readouts[0][1] == "2 of 3"
    assert lenient.readouts[0][1] == "1 of 3"


def test_the_boundary_its_sides_and_its_normal_belong_together() -> None:
    scene = boundary_scene(X, Y, [3.0, 4.0], -2.0)
    low, high = scene.marks(HalfPlane)
    assert (low.index, high.index) == (0, 1)
    assert np.array_equal(low.w, -high.w)
    (arrow,) = scene.marks(Arrow)
    assert arrow.start[0] @ [3.0, 4.0] - 2.0 == pytest.approx(0)  # it stands on the line
    panel, step = scene.panels[0], arrow.end[0] - arrow.start[0]
    aside = arrow.start[0] - [(axis.lo + axis.hi) / 2 for axis in (panel.x, panel.y)]
    assert aside @ [4.0, -3.0] == pytest.approx(0)  # as near to the middle as it can
    assert step / np.linalg.norm(step) == pytest.approx([0.6, 0.8])
    assert "boundary 3 x₁ + 4 x₂ = 2" in scene.describe()


def test_weights_come_with_the_bias_first_or_beside_it() -> None:
    assert boundary_scene(X, Y, [-2, 3, 4]) == boundary_scene(X, Y, [3, 4], -2)


def test_without_weights_there_is_no_line_and_no_side() -> None:
    scene = boundary_scene(X, Y, [0, 0], 0)
    assert not scene.marks(Line) + scene.marks(HalfPlane) + scene.marks(Arrow)
    assert "none (w = 0)" in scene.describe()


def test_axes_of_the_plane_are_square_and_hold_all_points() -> None:
    x, y = square_axes(X)
    assert x.hi - x.lo == pytest.approx(y.hi - y.lo)
    assert x.lo < X[:, 0].min()
    assert y.hi > X[:, 1].max()
    far, _ = square_axes(1e8 + X)
    assert far.hi - far.lo == pytest.approx(x.hi - x.lo)
    one, _ = square_axes([[3.0, 3.0]])
    assert one.lo < 3 < one.hi


@pytest.mark.parametrize(
    ("labels", "expected"),
    [([0, 1], [0, 1]), ([-1, 1], [0, 1]), ([1, 1], [1, 1]), (["b", "a"], [1, 0]), ([5, 3], [1, 0])],
)
def test_any_two_labels_become_zero_and_one(labels: list[Any], expected: list[int]) -> None:
    assert binary_labels(labels).tolist() == expected


# --- regions -------------------------------------------------------------------------------------

CORNERS = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]])
SIGNS = np.array([-1, -1, 1, 1])


def above_the_diagonal(points: Any) -> Any:
    return np.where(points[:, 1] > points[:, 0], 1, -1)


def area(rings: tuple[Any, ...]) -> float:
    """The area inside polygons (holes run the other way round)."""
    total = 0.0
    for ring in rings:
        x, y = ring.T
        total += float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2
    return abs(total)


def test_the_border_lies_where_the_classifier_changes_its_mind() -> None:
    scene = regions_scene(CORNERS, SIGNS, above_the_diagonal)
    (border,) = scene.marks(Curve)
    seen = np.isfinite(border.x)
    assert np.abs(border.x - border.y)[seen].max() < 1e-5
    assert scene.marks(Points)[0].classes.tolist() == [0, 0, 1, 1]


def test_a_round_region_has_a_round_border_and_its_area() -> None:
    axis = Axis("", -2, 2)
    regions, borders, shares = class_regions(
        lambda p: (np.hypot(*p.T) < 1.3).astype(int), [0, 1], axis, axis
    )
    seen = borders[np.isfinite(borders[:, 0])]
    assert np.abs(np.hypot(*seen.T) - 1.3).max() < 1e-5
    assert area(regions[1]) == pytest.approx(np.pi * 1.3**2, rel=2e-3)
    assert area(regions[0]) == pytest.approx(16 - np.pi * 1.3**2, rel=2e-3)  # with its hole
    assert shares.tolist() == pytest.approx([1 - np.pi * 1.69 / 16, np.pi * 1.69 / 16], abs=0.02)


def test_three_classes_share_the_panel() -> None:
    def predict(points: Any) -> Any:
        return (np.arctan2(points[:, 1], points[:, 0]) // (2 * np.pi / 3) + 2).astype(int) % 3

    axis = Axis("", -1, 1)
    regions, _, shares = class_regions(predict, [0, 1, 2], axis, axis)
    assert sum(map(area, regions)) == pytest.approx(4, rel=1e-3)
    assert shares.sum() == pytest.approx(1)


def test_a_finer_grid_finds_a_needle_in_one_piece() -> None:
    axis = Axis("", -1, 1)
    regions, _, _ = class_regions(
        lambda p: (np.abs(p[:, 1] - 0.3 * p[:, 0]) < 0.01).astype(int), [0, 1], axis, axis, grid=325
    )
    assert len(regions[1]) == 1
    assert area(regions[1]) == pytest.approx(2 * 0.02, rel=1e-2)


def test_a_class_that_is_nowhere_has_no_region() -> None:
    scene = regions_scene(CORNERS, SIGNS, lambda points: np.full(len(points), 1))
    (region,) = scene.marks(Region)
    assert region.index == 1
    assert "0% of the picture is class -1, 100% of the picture is class 1" in scene.describe()


def test_the_sentence_counts_mistakes_and_areas() -> None:
    told = regions_scene(CORNERS, SIGNS, above_the_diagonal).describe()
    assert told.startswith("4 points in 2 classes, 1 mistake;")


def seven(points: Any) -> Any:
    return np.full(len(points), 7)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: boundary_scene(X, Y, [3, 4]), r"w: expected 3 .*without w0.* found 2"),
        (lambda: boundary_scene(X, Y, [1, 3, 4], 2), r"w: expected 2 .*with w0.* found 3"),
        (lambda: boundary_scene(X[:3], [2, 3, 4], [1, 0], 0), "y: expected two .* found 3"),
        (lambda: boundary_scene(X, [0, 1], [1, 0], 0), "y: expected 5 labels"),
        (lambda: regions_scene(CORNERS, SIGNS, seven), "7"),
    ],
)
def test_bad_arguments_are_named(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
