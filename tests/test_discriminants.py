"""Geometry of a linear discriminant, and labels as vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib.discriminants import foot, from_one_hot, one_hot, signed_distance

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


@given(SEEDS)
@quick
def test_the_foot_is_on_the_plane_and_no_point_of_the_plane_is_nearer(seed: int) -> None:
    w, w0, X = random_plane(seed)
    feet = foot(X, np.r_[w0, w])
    np.testing.assert_allclose(feet @ w + w0, 0, atol=1e-12 * (1 + abs(w0) + 30))
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
    assert (np.sign(r) == np.sign(X @ w + w0)).all()


@pytest.mark.parametrize("c", [1e-200, 1e200])
def test_weights_of_any_size_give_the_distance(c: float) -> None:
    assert signed_distance([[6, 8]], [-10 * c, 3 * c, 4 * c])[0] == pytest.approx(8)
    assert foot([[0, 0]], [-10 * c, 3 * c, 4 * c])[0] == pytest.approx([1.2, 1.6])


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
