"""Geometry of a linear discriminant, labels as vectors, decision regions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib.discriminants import (
    argmax_class,
    decision_regions,
    discriminant,
    foot,
    from_one_hot,
    hyperplane_through,
    one_hot,
    signed_distance,
)

SEEDS = st.integers(0, 10_000)
quick = settings(deadline=None, max_examples=30)


def random_plane(seed: int) -> tuple[np.ndarray, float, np.ndarray]:
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 5))
    return rng.normal(size=d) * 3, float(rng.normal()), rng.normal(size=(12, d)) * 4


def test_the_distance_of_a_3_4_5_triangle_is_exact() -> None:
    # 3 x1 + 4 x2 = 10 passes 2 from the origin, which lies on the negative side
    assert signed_distance([[0, 0], [6, 8], [2, 1]], [-10, 3, 4]).tolist() == [-2, 8, 0]
    assert foot([[0, 0]], [-10, 3, 4])[0] == pytest.approx([1.2, 1.6])
    assert discriminant([[0, 0], [6, 8]], [-10, 3, 4]).tolist() == [-10, 40]


@given(SEEDS)
@quick
def test_the_foot_is_on_the_plane_and_no_point_of_the_plane_is_nearer(seed: int) -> None:
    w, w0, X = random_plane(seed)
    feet = foot(X, np.r_[w0, w])
    np.testing.assert_allclose(discriminant(feet, np.r_[w0, w]), 0, atol=1e-12 * (1 + abs(w0) + 30))
    r = signed_distance(X, np.r_[w0, w])
    np.testing.assert_allclose(np.linalg.norm(X - feet, axis=1), np.abs(r), atol=1e-12)
    rng = np.random.default_rng(seed)
    others = foot(feet + rng.normal(size=X.shape), np.r_[w0, w])
    assert (np.linalg.norm(X - others, axis=1) >= np.abs(r) - 1e-12).all()


@given(SEEDS, st.floats(1e-3, 1e3))
@quick
def test_a_positive_factor_changes_nothing_and_minus_one_the_sign(seed: int, c: float) -> None:
    w, w0, X = random_plane(seed)
    r = signed_distance(X, np.r_[w0, w])
    np.testing.assert_allclose(signed_distance(X, np.r_[c * w0, c * w]), r, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(signed_distance(X, np.r_[-w0, -w]), -r, rtol=1e-12)
    assert (np.sign(r) == np.sign(discriminant(X, np.r_[w0, w]))).all()


@pytest.mark.parametrize("c", [1e-200, 1e200])
def test_weights_of_any_size_give_the_distance(c: float) -> None:
    assert signed_distance([[6, 8]], [-10 * c, 3 * c, 4 * c])[0] == pytest.approx(8)
    assert foot([[0, 0]], [-10 * c, 3 * c, 4 * c])[0] == pytest.approx([1.2, 1.6])


@given(SEEDS)
@quick
def test_the_plane_through_points_contains_them_and_has_the_stated_side(seed: int) -> None:
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 6))
    points, side = rng.normal(size=(d, d)) * 5, rng.normal(size=d) * 5
    w0, *w = plane = hyperplane_through(points, side)
    assert np.linalg.norm(w) == pytest.approx(1)
    np.testing.assert_allclose(points @ w + w0, 0, atol=1e-9)
    assert side @ w + w0 > 0
    mirrored = 2 * foot([side], plane)[0] - side
    np.testing.assert_allclose(hyperplane_through(points, mirrored), -plane, atol=1e-9)


def test_a_line_through_two_points_is_the_one_computed_by_hand() -> None:
    # through (0, 1) and (1, 0): x1 + x2 = 1, the origin on the negative side
    plane = hyperplane_through([[0, 1], [1, 0]], [1, 1])
    assert plane * np.sqrt(2) == pytest.approx([-1, 1, 1])
    plane = hyperplane_through([[2.5]], [0.0])  # in one dimension a plane is a point
    assert plane.tolist() == [2.5, -1]


def test_a_plane_far_from_the_origin_still_passes_through_its_points() -> None:
    points = np.array([[1e8, 1e8 + 1], [1e8 + 2, 1e8]])
    w0, *w = hyperplane_through(points, points[0] + [5, 5])
    exact = [Fraction(1), Fraction(2)]  # direction (2, -1), so w is along (1, 2)
    assert w[1] / w[0] == pytest.approx(float(exact[1] / exact[0]))
    np.testing.assert_allclose(points @ w + w0, 0, atol=1e-7)


@pytest.mark.parametrize(
    ("points", "positive", "message"),
    [
        ([[0, 0], [0, 0]], [1, 1], "points: found 2 points .*more than one plane"),
        ([[0, 0, 0], [1, 1, 1], [2, 2, 2]], [1, 0, 0], "points: found 3 points .*more than one"),
        ([[0, 1], [1, 0]], [0.5, 0.5], "positive: found a point on the plane"),
        ([[0, 1]], [0, 0], "points: found 1 points of dimension 2, expected 2"),
        ([[0, 1], [1, 0]], [1], "positive: found 1 entries, expected 2"),
    ],
)
def test_points_that_fix_no_plane_are_refused(points: Any, positive: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        hyperplane_through(points, positive)


@pytest.mark.parametrize(
    "y", [[2, 0, 2, 1], ["b", "a", "b", "c"], [True, False, True, True], [1.0, -1.0, 1.0, 3.0]]
)
def test_labels_survive_the_way_to_indicators_and_back(y: list[Any]) -> None:
    Y = one_hot(y)
    assert Y.shape == (4, len(set(y)))
    assert (Y.sum(axis=1) == 1).all()
    assert from_one_hot(Y, sorted(set(y))).tolist() == y
    for i, row in enumerate(Y):
        assert sorted(set(y))[int(np.flatnonzero(row)[0])] == y[i]


def test_the_order_of_the_classes_can_be_given_and_a_class_may_be_absent() -> None:
    Y = one_hot(["b", "c"], classes=["c", "a", "b"])
    assert Y.tolist() == [[0, 0, 1], [1, 0, 0]]
    assert from_one_hot(Y, ["c", "a", "b"]).tolist() == ["b", "c"]
    assert from_one_hot(Y).tolist() == [2, 0]
    with pytest.raises(ValueError, match=r"y: found the label .*d.*, expected one of"):
        one_hot(["d"], classes=["a", "b"])
    with pytest.raises(ValueError, match=r"classes: found .* expected no label twice"):
        one_hot(["a"], classes=["a", "a"])


@pytest.mark.parametrize("row", [[0, 0, 0], [1, 1, 0], [0.5, 0.5, 0], [2, 0, -1]])
def test_rows_that_are_no_indicators_are_refused(row: list[float]) -> None:
    with pytest.raises(ValueError, match=r"Y: found .* in row 1, expected a single 1"):
        from_one_hot([[1, 0, 0], row])
    with pytest.raises(ValueError, match="classes: found 2, expected 3 as in Y"):
        from_one_hot(np.eye(3), [0, 1])


def test_the_largest_discriminant_wins_and_ties_follow_the_stated_rule() -> None:
    G = [[1, 2, 0], [3, 3, 1], [5, 5, 5], [0, 4, 4]]
    assert argmax_class(G).tolist() == [1, 0, 0, 1]
    assert argmax_class(G, "last").tolist() == [1, 1, 2, 2]
    assert argmax_class(G, "reject").tolist() == [1, -1, -1, -1]
    assert argmax_class(G).tolist() == np.argmax(G, axis=1).tolist()
    with pytest.raises(ValueError, match="ties: found 'random', expected one of"):
        argmax_class(G, "random")


@given(SEEDS)
@quick
def test_two_discriminants_decide_as_the_sign_of_their_difference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    G = rng.integers(-2, 3, size=(40, 2)).astype(float)
    assert (argmax_class(G, "last") == (G[:, 1] - G[:, 0] >= 0)).all()
    assert (argmax_class(G, "first") == (G[:, 1] - G[:, 0] > 0)).all()


def test_regions_tile_the_grid_with_rows_along_x2() -> None:
    x1, x2 = np.array([0.0, 1, 2]), np.array([10.0, 20])
    labels = decision_regions(lambda P: np.where(P[:, 1] > 15, "high", "low"), x1, x2)
    assert labels.tolist() == [["low"] * 3, ["high"] * 3]
    codes = decision_regions(lambda P: P[:, 0] * 100 + P[:, 1], x1, x2)
    for i, j in np.ndindex(2, 3):
        assert codes[i, j] == x1[j] * 100 + x2[i]
    with pytest.raises(ValueError, match=r"predict: found labels of shape \(\), expected \(6,\)"):
        decision_regions(lambda P: 1, x1, x2)


@pytest.mark.parametrize(
    ("X", "w", "message"),
    [
        ([[1, 2]], [1, 0, 0], "w: found the zero vector, expected a direction"),
        ([[1, 2]], [1, 1], "w: found shape .2,., expected 3 entries, the bias first"),
        ([[1, 2]], [1, 1, np.nan], "w: found NaN at position 2"),
        ([[1, 2]], [np.inf, 1, 1], "w: found inf .* at position 0"),
        ([1, 2], [1, 1, 1], "X: found an array with 1 dim"),
    ],
)
def test_bad_planes_are_refused_by_name(X: Any, w: Any, message: str) -> None:
    for function in (signed_distance, foot):
        with pytest.raises(ValueError, match=message):
            function(X, w)
