"""Support vector machines: optimality, certificates, and the identities of the maximum margin."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog
from sklearn.svm import SVC

from lectures_lib._core.estimator import ConvergenceWarning
from lectures_lib.datasets import load_breast_cancer, load_iris, make_separable
from lectures_lib.margin import (
    HardMarginSVM,
    InseparableError,
    SoftMarginSVM,
    bias_from_support,
    kkt_residuals,
    margin,
    slab_width,
    slacks,
    soft_margin_objective,
)

from .sklearn_checks import run_check_estimator

Array = NDArray[Any]
seeds = st.integers(0, 10_000)
few = settings(deadline=None, max_examples=15)


def overlapping(n: int, d: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Two classes that no hyperplane separates, with both labels present."""
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    return rng.normal(size=(n, d)) + y[:, None], y


def signs(y: Array) -> Array:
    return 2.0 * y - 1.0


def margins(X: Array, s: Array, w: Array) -> Array:
    """s_i g(x_i), the bias first in w."""
    return s * (X @ w[1:] + w[0])


def dual_objective(X: Array, s: Array, alpha: Array) -> float:
    """sum alpha_i - 1/2 ||sum alpha_i s_i x_i||^2."""
    v = (alpha * s) @ X
    return float(alpha.sum() - v @ v / 2)


# The two-point problem and other cases that can be solved by hand


def test_two_points_on_a_line_have_the_solution_that_the_kkt_conditions_give() -> None:
    # x = 1 (-) and x = 3 (+): stationarity w = 3a - 1a, balance a = a, and w + w0 = -1,
    # 3w + w0 = 1 give w = 1, w0 = -2, a = 1/2, in fractions:
    w, w0, a = Fraction(1), Fraction(-2), Fraction(1, 2)
    assert (w * 1 + w0, w * 3 + w0, a * 3 - a * 1) == (-1, 1, w)
    model = HardMarginSVM().fit([[1], [3]], [0, 1])
    assert model.coef_[0, 0] == pytest.approx(float(w), rel=1e-14)
    assert model.intercept_[0] == pytest.approx(float(w0), rel=1e-14)
    assert model.alpha_ == pytest.approx([float(a)] * 2, rel=1e-14)
    assert model.margin_ == pytest.approx(1.0, rel=1e-14)
    assert model.support_.tolist() == [0, 1]


@pytest.mark.parametrize("labels", [[0, 0, 1, 1], [1, 1, 0, 0]])
@pytest.mark.parametrize("machine", [HardMarginSVM(), SoftMarginSVM(C=10.0)], ids=repr)
def test_a_weight_or_bias_that_is_zero_is_not_the_rest_of_a_rounding(
    machine: Any, labels: list[int]
) -> None:
    for shift in (0.0, -1.0, 0.3):  # mirrored about the second feature's mean, and about 0
        X = [[-2, shift], [-2, shift + 2], [2, shift], [2, shift + 2]]
        model = machine.fit(X, labels)
        zeros = np.r_[model.coef_[0, 1], model.intercept_]
        assert (zeros == 0).all()
        assert not np.signbit(zeros).any()  # -0.0 prints as -0.


def hull_distance_in_the_plane(P: Array, Q: Array) -> float:
    """Smallest distance of a point of one set from a segment of the other, both ways."""

    def to_segment(p: Array, a: Array, b: Array) -> float:
        length = (b - a) @ (b - a)
        t = 0.0 if length == 0 else min(1.0, max(0.0, (p - a) @ (b - a) / length))
        return float(np.linalg.norm(p - a - t * (b - a)))

    return min(
        to_segment(p, a, b)
        for points, others in ((P, Q), (Q, P))
        for p in points
        for a, b in itertools.combinations_with_replacement(others, 2)
    )


@few
@given(seeds)
def test_the_margin_is_half_the_distance_of_the_convex_hulls(seed: int) -> None:
    rng = np.random.default_rng(seed)
    P, Q = rng.normal(size=(6, 2)), rng.normal(size=(7, 2)) + np.array([6.0, 0.0])
    X, s = np.vstack([P, Q]), np.repeat([-1.0, 1.0], [6, 7])
    try:
        model = HardMarginSVM().fit(X, s)
    except InseparableError:
        return
    assert 2 * model.margin_ == pytest.approx(hull_distance_in_the_plane(P, Q), rel=1e-9)
    # The multipliers, divided by half their sum, are the weights of the nearest points.
    weights = model.alpha_ / model.alpha_[s > 0].sum()
    assert weights[s < 0].sum() == pytest.approx(1.0)
    p, q = weights[s > 0] @ Q, weights[s < 0] @ P
    assert np.linalg.norm(p - q) == pytest.approx(2 * model.margin_, rel=1e-9)


# Optimality


@few
@given(seeds, st.sampled_from([1e-4, 1e-2, 1.0, 100.0, 1e5]), st.integers(1, 5))
def test_the_duality_gap_proves_the_soft_margin_optimal(seed: int, C: float, d: int) -> None:
    X, y = overlapping(60, d, np.random.default_rng(seed))
    model = SoftMarginSVM(C=C).fit(X, y)
    s, w, w0 = signs(y), model.coef_[0], model.intercept_[0]
    primal, dual = soft_margin_objective(X, s, np.r_[w0, w], C), dual_objective(X, s, model.alpha_)
    assert model.alpha_.min() >= 0
    assert model.alpha_.max() <= C
    assert abs(model.alpha_ @ s) <= 1e-9 * C * 60
    assert primal - dual <= 1e-8 * primal
    assert model.objective_ == pytest.approx(primal)
    assert model.duality_gap_ == pytest.approx(primal - dual, abs=1e-9 * primal)
    assert model.converged_


def test_the_hard_margin_is_libsvms_for_a_very_large_c() -> None:
    data = load_iris()
    X, y = data.X[:100], data.y[:100]
    ours = HardMarginSVM().fit(X, y)
    theirs = SVC(kernel="linear", C=1e8, tol=1e-8).fit(X, y)
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-6)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-6)
    assert ours.support_.tolist() == sorted(theirs.support_.tolist())
    assert ours.dual_coef_[0] == pytest.approx(
        theirs.dual_coef_[0][np.argsort(theirs.support_)], abs=1e-6
    )


def test_support_vectors_lie_on_the_margin_and_the_others_beyond() -> None:
    data = make_separable(200, 4, 0.1, 5)
    model = HardMarginSVM().fit(data.X, data.y)
    products = margins(data.X, signs(data.y), np.r_[model.intercept_[0], model.coef_[0]])
    on = np.zeros(200, dtype=bool)
    on[model.support_] = True
    assert products[on] == pytest.approx(1.0, abs=1e-10)
    assert products[~on].min() > 1.0
    assert (model.support_vectors_ == data.X[on]).all()
    assert 2 <= on.sum() <= 5


@pytest.mark.parametrize("C", [1e-2, 1.0, 1e2, 1e6])
def test_multipliers_tell_the_side_of_the_margin_and_are_exactly_at_their_bounds(C: float) -> None:
    X, y = overlapping(150, 3, np.random.default_rng(6))
    model = SoftMarginSVM(C=C).fit(X, y)
    free = (model.alpha_ > 0) & (model.alpha_ < C)
    assert 1 <= free.sum() <= 4  # all others are at a bound exactly, not nearly
    products = signs(y) * model.decision_function(X)
    assert products[free] == pytest.approx(1.0, abs=1e-11)
    assert products[model.alpha_ == 0].min(initial=2) >= 1 - 1e-9
    assert products[model.alpha_ == C].max() <= 1 + 1e-9
    assert abs(model.duality_gap_) <= 1e-12 * model.objective_
    data = make_separable(150, 3, 0.1, 6)
    hard = HardMarginSVM().fit(data.X, data.y)
    assert (hard.alpha_ > 0).sum() == len(hard.support_) <= 4
    assert abs(hard.duality_gap_) <= 1e-12 * hard.objective_


def test_w_and_w0_come_back_from_the_multipliers() -> None:
    X, y = overlapping(100, 3, np.random.default_rng(0))
    s = signs(y)
    model = SoftMarginSVM(C=2.0).fit(X, y)
    assert (model.alpha_ * s) @ X == pytest.approx(model.coef_[0], abs=1e-9)
    bias = bias_from_support(X, s, model.alpha_, 2.0)
    assert bias == pytest.approx(model.intercept_[0], abs=1e-9)


def test_the_c_of_note_001_is_twice_ours() -> None:
    X, y = overlapping(30, 2, np.random.default_rng(4))
    w, w0 = np.array([0.4, -1.3]), 0.6
    printed = w @ w + 2 * 0.7 * np.maximum(0, 1 - signs(y) * (X @ w + w0)).sum()
    ours = soft_margin_objective(X, signs(y), np.r_[w0, w], 0.7)
    assert printed == pytest.approx(2 * ours, rel=1e-12)


# Certificates


def is_separable(X: Array, s: Array) -> bool:
    """Linear programming: is there a (w, w0) with s_i (w·x_i + w0) >= 1 for all i?"""
    A = -s[:, None] * np.column_stack([np.ones(len(s)), X])
    found = linprog(np.zeros(A.shape[1]), A, -np.ones(len(s)), bounds=(None, None))
    return bool(found.status == 0)


@settings(deadline=None, max_examples=30)
@given(seeds, st.integers(4, 14), st.integers(1, 4), st.booleans())
def test_there_is_either_a_hyperplane_or_a_common_point(
    seed: int, n: int, d: int, on_a_grid: bool
) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (n, d)).astype(float) if on_a_grid else rng.normal(size=(n, d))
    y = np.arange(n) < rng.integers(1, n)
    s = signs(y)
    if is_separable(X, s):
        model = HardMarginSVM().fit(X, y)
        assert (model.predict(X) == y).all()
        assert margin(X, s, np.r_[model.intercept_[0], model.coef_[0]]) > 0
        return
    with pytest.raises(InseparableError) as caught:
        HardMarginSVM().fit(X, y)
    weights, point = caught.value.weights, caught.value.point
    assert weights.min() >= 0
    for side in (-1, 1):
        assert weights[s == side].sum() == pytest.approx(1.0, abs=1e-12)
        assert weights[s == side] @ X[s == side] == pytest.approx(point, abs=1e-8)
    assert caught.value.residual <= 1e-8


def test_the_certificate_of_xor_is_the_point_in_the_middle() -> None:
    with pytest.raises(InseparableError) as caught:
        HardMarginSVM().fit([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1])
    assert caught.value.weights == pytest.approx([0.5] * 4, abs=1e-12)
    assert caught.value.point == pytest.approx([0.5, 0.5], abs=1e-12)
    assert caught.value.residual <= 1e-15


@pytest.mark.parametrize("shift", [0.0, 1e8])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_the_certificate_survives_shift_and_scale(shift: float, scale: float) -> None:
    X = scale * np.random.default_rng(0).normal(size=(60, 3)) + (shift if scale >= 1 else 0.0)
    y = np.arange(60) % 2
    with pytest.raises(InseparableError) as caught:
        HardMarginSVM().fit(X, y)
    weights = caught.value.weights
    difference = weights[y == 1] @ X[y == 1] - weights[y == 0] @ X[y == 0]
    assert np.abs(difference).max() <= 1e-9 * scale + 1e-15 * shift * 10


def test_a_plane_that_is_not_the_best_one_is_admitted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lectures_lib.margin._quadratic.ROUNDS", 1)
    data = make_separable(60, 3, 0.01, 1)
    with pytest.raises(RuntimeError, match="neither a separating hyperplane nor"):
        HardMarginSVM().fit(data.X, data.y)
    X, y = overlapping(60, 3, np.random.default_rng(0))
    with pytest.warns(ConvergenceWarning, match="SoftMarginSVM: after 1 .*duality gap"):
        model = SoftMarginSVM().fit(X, y)
    assert not model.converged_
    assert np.isfinite(model.decision_function(X)).all()
    monkeypatch.setattr("lectures_lib.margin._quadratic.ROUNDS", 5)
    data = make_separable(200, 5, 0.5, 0)
    with pytest.warns(ConvergenceWarning, match="HardMarginSVM: after 5"):
        hard = HardMarginSVM().fit(data.X, data.y)
    assert not hard.converged_
    assert (hard.predict(data.X) == data.y).all()


# The plain functions


@few
@given(seeds)
def test_slab_and_margin_are_distances(seed: int) -> None:
    rng = np.random.default_rng(seed)
    w, w0, X = rng.normal(size=3), rng.normal(), rng.normal(size=(8, 3))
    on_minus, on_plus = ((c - w0) * w / (w @ w) for c in (-1, 1))  # nearest to the origin
    assert w @ on_plus + w0 == pytest.approx(1.0)
    assert np.linalg.norm(on_plus - on_minus) == pytest.approx(slab_width([0, *w]))
    s = np.where(X @ w + w0 > 0, 1.0, -1.0)
    feet = X - np.outer((X @ w + w0) / (w @ w), w)
    assert feet @ w + w0 == pytest.approx(0.0, abs=1e-9)
    assert margin(X, s, np.r_[w0, w]) == pytest.approx(np.linalg.norm(X - feet, axis=1).min())
    assert margin(X, s, np.r_[7 * w0, 7 * w]) == pytest.approx(margin(X, s, np.r_[w0, w]))
    v = np.r_[w0, w] / margins(X, s, np.r_[w0, w]).min()  # the same plane, smallest product 1
    assert margin(X, s, v) == pytest.approx(slab_width(v) / 2)


@few
@given(seeds)
def test_the_hinge_is_the_smallest_slack_and_bounds_the_errors(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, s = rng.normal(size=(12, 2)), rng.choice([-1.0, 1.0], 12)
    w, w0 = rng.normal(size=2), rng.normal()
    products, xi = margins(X, s, np.r_[w0, w]), slacks(X, s, np.r_[w0, w])
    assert (products >= 1 - xi - 1e-12).all()
    assert (xi >= 0).all()
    assert ((xi == 0) | (np.abs(products - 1 + xi) < 1e-12)).all()  # any less would violate one
    assert xi.mean() >= (products <= 0).mean()


@few
@given(seeds)
def test_the_bias_beats_every_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y, C = rng.normal(size=(9, 1)), rng.integers(0, 2, 9), rng.uniform(0.1, 2, 9)
    y[:2] = 0, 1
    model = SoftMarginSVM().fit(X, y, sample_weight=C)
    for other in np.linspace(-6, 6, 241):
        plane = np.r_[other, model.coef_[0]]
        assert model.objective_ <= soft_margin_objective(X, signs(y), plane, C) + 1e-12


def test_among_equally_good_biases_the_middle_one_is_taken() -> None:
    # Equal points, as many of each class: w = 0, and every bias in -1..1 is best.
    model = SoftMarginSVM().fit(np.full((4, 1), 3.0), [0, 0, 1, 1])
    assert model.coef_[0, 0] == model.intercept_[0] == 0.0


def test_kkt_residuals_vanish_at_the_solution_and_nowhere_else() -> None:
    X, s, a = np.array([[1.0], [3.0]]), np.array([-1.0, 1.0]), np.array([0.5, 0.5])
    assert set(kkt_residuals(X, s, [-2.0, 1.0], a).values()) == {0.0}
    assert kkt_residuals(X, s, [-1.0, 1.0], a)["primal"] > 0
    assert kkt_residuals(X, s, [-4.0, 2.0], a)["stationarity"] > 0
    assert kkt_residuals(X, s, [-2.0, 1.0], [0.5, 0.6])["balance"] > 0
    assert kkt_residuals(X, s, [-2.0, 1.0], [-0.5, 0.5])["dual"] == 0.5
    assert kkt_residuals(X, s, [-6.0, 3.0], [1.5, 1.5])["complementarity"] > 0
    # A soft margin with C = 1/4: w = 1/2, every bias with both slacks equal to 1/2.
    soft = kkt_residuals(X, s, [-1.0, 0.5], [0.25, 0.25], 0.25)
    assert set(soft.values()) == {0.0}
    assert kkt_residuals(X, s, [-1.0, 0.5], [0.25, 0.25], 1.0)["complementarity"] > 0


# Hard cases


@pytest.mark.parametrize(
    ("shift", "scale"), [(1e8, 1.0), (-1e8, 1e6), (0.0, 1e6), (0.0, 1e-6), (1e8, 1e3)]
)
def test_margins_are_equivariant_under_shift_and_scale(shift: float, scale: float) -> None:
    data = make_separable(100, 3, 0.3, 2)
    X = data.X * scale + shift
    plain, moved = HardMarginSVM().fit(data.X, data.y), HardMarginSVM().fit(X, data.y)
    rounding = max(1e-9, 1e-14 * abs(shift) / scale)
    assert moved.margin_ == pytest.approx(plain.margin_ * scale, rel=10 * rounding)
    assert moved.support_.tolist() == plain.support_.tolist()
    assert moved.decision_function(X) == pytest.approx(
        plain.decision_function(data.X), rel=1e-5, abs=100 * rounding
    )
    soft = SoftMarginSVM(C=0.7).fit(data.X, data.y)
    soft_moved = SoftMarginSVM(C=0.7 / scale**2).fit(X, data.y)  # the same problem in other units
    assert soft_moved.decision_function(X) == pytest.approx(
        soft.decision_function(data.X), rel=1e-5, abs=100 * rounding
    )


@pytest.mark.parametrize("C", [1e-12, 1e-6, 1e6, 1e12])
@pytest.mark.parametrize("separable", [True, False])
def test_an_extreme_c_is_solved_all_the_same(C: float, separable: bool) -> None:
    data = make_separable(60, 3, 0.2, 1)
    y = data.y.copy()
    if not separable:
        y[:9] = 1 - y[:9]
    model = SoftMarginSVM(C=C).fit(data.X, y)
    assert model.duality_gap_ <= 1e-6 * model.objective_
    assert np.isfinite(model.coef_).all()


def test_features_in_their_raw_units_are_separated() -> None:
    data = load_breast_cancer()  # features from 0.001 to 4000, separable by a hair
    model = HardMarginSVM().fit(data.X, data.y)
    assert (signs(data.y) * model.decision_function(data.X)).min() >= 1 - 1e-6
    assert model.duality_gap_ <= 1e-8 * model.objective_
    bound = dual_objective(data.X - model.centre_, signs(data.y), model.alpha_)
    assert 1 / (2 * bound) ** 0.5 >= model.margin_ * (1 - 1e-8)  # no margin is larger than this


def test_a_constant_feature_gets_no_weight_and_identical_examples_leave_only_the_bias() -> None:
    X, y = overlapping(50, 2, np.random.default_rng(0))
    model = SoftMarginSVM().fit(np.column_stack([X, np.full(50, 3.7)]), y)
    assert model.coef_[0, 2] == 0.0
    model = SoftMarginSVM().fit(np.full((5, 2), 4.0), [0, 0, 0, 1, 1])
    assert model.coef_.tolist() == [[0.0, 0.0]]
    assert model.predict([[4.0, 4.0]])[0] == 0
    assert model.objective_ == pytest.approx(4.0)  # two slacks of 2
    with pytest.raises(InseparableError):
        HardMarginSVM().fit(np.full((5, 2), 4.0), [0, 0, 0, 1, 1])


@pytest.mark.parametrize("apart", [0.0, 0.5])
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e3])
def test_more_features_than_examples_are_solved_as_libsvm_solves_them(
    C: float, apart: float
) -> None:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 40)
    X = rng.normal(size=(40, 90)) + apart * y[:, None] + 3
    theirs = SVC(kernel="linear", C=C, tol=1e-10).fit(X, y)
    soft = SoftMarginSVM(C=C).fit(X, y)
    assert soft.coef_ == pytest.approx(theirs.coef_, abs=1e-6)
    assert abs(soft.duality_gap_) <= 1e-9 * soft.objective_
    residuals = kkt_residuals(X, signs(y), np.r_[soft.intercept_, soft.coef_[0]], soft.alpha_, C)
    assert max(residuals.values()) < 1e-9 * max(C, 1)
    if C == 1e3:  # no multiplier reaches it
        hard = HardMarginSVM().fit(X, y)
        assert hard.coef_ == pytest.approx(theirs.coef_, abs=1e-6)
        assert (signs(y) * hard.decision_function(X)).min() == pytest.approx(1.0)


def test_example_weights_count_examples() -> None:
    X, y = overlapping(40, 2, np.random.default_rng(0))
    counts = np.random.default_rng(1).integers(0, 4, 40)
    counts[:2] = 1
    weighted = SoftMarginSVM(C=0.3).fit(X, y, sample_weight=counts)
    repeated = SoftMarginSVM(C=0.3).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert weighted.coef_ == pytest.approx(repeated.coef_, abs=1e-9)
    assert weighted.intercept_ == pytest.approx(repeated.intercept_, abs=1e-9)
    assert (weighted.alpha_[counts == 0] == 0).all()
    assert (weighted.alpha_ <= 0.3 * counts + 1e-12).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: SoftMarginSVM(C=0).fit([[0], [1]], [0, 1]), "C: found 0"),
        (lambda: SoftMarginSVM(C=float("nan")).fit([[0], [1]], [0, 1]), "C: found nan"),
        (lambda: HardMarginSVM().fit([[0], [1]], [1, 1]), "one class"),
        (lambda: HardMarginSVM().fit(np.eye(50), range(50)), "50 classes"),
        (lambda: margin([[1.0]], [1], [1.0, 0.0]), "w: found a zero"),
        (lambda: margin([[1.0]], [2], [1.0, 1.0]), "s: found 2"),
        (lambda: margin([[1.0]], [1], [1.0, 1.0, 2.0]), "w: found shape .3,., expected 2"),
        (lambda: soft_margin_objective([[1.0]], [1], [0.0, 1.0], -1), "C: found -1"),
        (lambda: soft_margin_objective([[1.0]], [1], [0.0, 1.0], [1, 2]), "C: found shape"),
        (lambda: bias_from_support([[1.0]], [1], [0.0]), "alpha: found no multiplier"),
        (lambda: SoftMarginSVM().fit([[0], [1]], [0, 1], [1, -1]), "sample_weight: found -1"),
        (lambda: HardMarginSVM().fit([[-1e160], [2e160]], [0, 1]), r"X: entries up to 2e\+160"),
        (lambda: SoftMarginSVM().fit([[-1e160], [2e160]], [0, 1]), r"X: entries up to 2e\+160"),
    ],
)
def test_messages_name_the_argument(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


# scikit-learn's conventions


def test_the_soft_margin_passes_scikit_learns_checks() -> None:
    run_check_estimator(SoftMarginSVM())


def test_the_hard_margin_passes_scikit_learns_checks_on_separable_data() -> None:
    names = (
        "check_fit_score_takes_y check_n_features_in_after_fitting check_estimators_dtypes "
        "check_dtype_object check_estimators_nan_inf check_classifier_data_not_an_array "
        "check_classifiers_train check_supervised_y_2d check_fit_idempotent "
        "check_fit_check_is_fitted check_n_features_in"
    )
    reason = "its data are not separable, and then a hard margin does not exist"
    run_check_estimator(HardMarginSVM(), dict.fromkeys(names.split(), reason))


def test_inseparable_data_with_a_feature_that_all_but_repeats_another_have_their_proof() -> None:
    proofs = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        x, y = rng.normal(size=8), rng.integers(0, 2, 8)
        y[:2] = 0, 1
        X = np.c_[x, 3 * x + 7e5, x]
        apart = x[y == 0].max() < x[y == 1].min() or x[y == 1].max() < x[y == 0].min()
        try:
            HardMarginSVM().fit(X, y)
        except InseparableError as error:
            for k in (0, 1):
                mean = error.weights[y == k] @ X[y == k] / error.weights[y == k].sum()
                np.testing.assert_allclose(mean, error.point, atol=1e-6)
            proofs += 1
        else:
            assert apart
    assert proofs > 50
