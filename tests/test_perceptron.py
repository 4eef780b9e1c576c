"""The perceptron in its primal and dual form."""

from __future__ import annotations

import warnings
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lectures_lib._core.estimator import Array, ConvergenceWarning
from lectures_lib.perceptron import (
    KernelPerceptron,
    Perceptron,
    margins,
    novikoff_bound,
    perceptron_loss,
    perceptron_subgradient,
)

from .sklearn_checks import run_check_estimator

XOR = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
XOR_LABELS = np.array([0, 1, 1, 0])
SEEDS = st.integers(0, 10_000)
quick = settings(deadline=None, max_examples=25)


def separable(seed: int, margin: float = 0.1, whole: bool = False) -> tuple[Array, Array, Array]:
    """Points, signs and a separating (w0*, w*) of length 1; whole numbers make sums exact."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 5))
    w = rng.normal(size=d + 1)
    w /= np.linalg.norm(w)
    X = rng.normal(size=(60, d)) * 2
    if whole:
        X = np.round(X * 4)
    g = w[0] + X @ w[1:]
    X, g = X[np.abs(g) > margin], g[np.abs(g) > margin]
    return X, np.sign(g), w


def loop_perceptron(
    X: Array,
    s: Array,
    eta: float = 1.0,
    tie: str = "update",
    passes: int = 10_000,
    orders: Any = None,
    start: Array | None = None,
) -> tuple[Array, list[int], int]:
    """The algorithm as the notes print it: (w0, w), updates, passes."""
    w = np.zeros(X.shape[1] + 1) if start is None else start.astype(float)
    updates: list[int] = []
    for n in range(1, passes + 1):
        clean = True
        for i in range(len(X)) if orders is None else orders[n - 1]:
            g = w[0] + X[i] @ w[1:]
            wrong = s[i] * g <= 0 if tie == "update" else s[i] != (1 if g >= 0 else -1)
            if wrong:
                w = w + eta * s[i] * np.r_[1, X[i]]
                updates.append(int(i))
                clean = False
        if clean:
            return w, updates, n
    return w, updates, passes


@pytest.mark.parametrize(
    "model",
    [
        Perceptron(max_iter=50),
        Perceptron(max_iter=50, tie="positive", shuffle=True, eta0=0.3),
        KernelPerceptron(max_iter=50),
        KernelPerceptron(max_iter=50, kernel="poly"),
        pytest.param(Perceptron(), marks=pytest.mark.slow),
        pytest.param(KernelPerceptron(), marks=pytest.mark.slow),
    ],
    ids=repr,
)
def test_scikit_learn_accepts_the_model(model: Any) -> None:
    # A mistake with step 2 is not two mistakes with step 1: after the first there may be none.
    weighted = {"check_sample_weight_equivalence_on_dense_data": "steps are not visits"}
    assert run_check_estimator(model, weighted if isinstance(model, Perceptron) else {}) > 50


@given(SEEDS, st.sampled_from([1.0, 0.5, 4.0]), st.sampled_from(["update", "positive"]))
@quick
def test_the_blocks_find_the_same_mistakes_as_a_plain_loop(seed: int, eta: float, tie: str) -> None:
    X, s, _ = separable(seed, whole=True)
    assume(len(set(s)) == 2)
    model = Perceptron(eta0=eta, tie=tie).fit(X, s)
    w, updates, passes = loop_perceptron(X, s, eta, tie)
    assert model.updates_.tolist() == updates
    assert model.n_iter_ == passes
    assert model.converged_
    assert (np.r_[model.intercept_, model.coef_[0]] == w).all()


def test_long_runs_with_blocks_of_every_length_follow_the_plain_loop() -> None:
    rng = np.random.default_rng(5)
    X = np.round(rng.normal(size=(9000, 3)) * 8)
    g = X @ [3, -2, 1] + 1
    X, s = X[np.abs(g) > 4], np.sign(g[np.abs(g) > 4])
    model = Perceptron().fit(X, s)
    assert model.updates_.tolist() == loop_perceptron(X, s)[1]
    assert len(X) > 3 * 2048  # so the clean pass at the end uses the longest blocks
    assert model.n_iter_ > 2


@given(SEEDS)
@quick
def test_shuffled_passes_follow_the_recorded_orders(seed: int) -> None:
    X, s, _ = separable(seed, whole=True)
    assume(len(set(s)) == 2)
    model = Perceptron(shuffle=True, rng=seed, record=True).fit(X, s)
    assert all(sorted(order.tolist()) == list(range(len(X))) for order in model.orders_)
    w, updates, passes = loop_perceptron(X, s, orders=model.orders_)
    assert model.updates_.tolist() == updates
    assert model.n_iter_ == passes == len(model.orders_)
    assert (model.coef_[0] == w[1:]).all()


@given(SEEDS, st.booleans())
@quick
def test_revisiting_mistakes_is_the_same_algorithm_in_another_order(
    seed: int, shuffle: bool
) -> None:
    X, s, _ = separable(seed, whole=True)
    assume(len(set(s)) == 2)
    model = Perceptron(revisit=True, shuffle=shuffle, rng=seed, record=True).fit(X, s)
    w, updates = np.zeros(X.shape[1] + 1), []
    for order, mistakes in zip(model.orders_, model.mistakes_, strict=True):
        if len(order) < len(X):  # only examples that were mistakes before
            assert set(order) <= set(updates)
        before = len(updates)
        for i in order:
            if s[i] * (w[0] + X[i] @ w[1:]) <= 0:
                w += s[i] * np.r_[1, X[i]]
                updates.append(int(i))
        assert len(updates) - before == mistakes
    assert model.updates_.tolist() == updates
    assert (model.coef_[0] == w[1:]).all()
    assert model.converged_
    assert model.score(X, s) == 1
    assert len(model.orders_[-1]) == len(X)
    assert model.mistakes_[-1] == 0
    assert any(len(order) < len(X) for order in model.orders_)


def test_revisiting_mistakes_comes_back_to_the_others_on_inseparable_data() -> None:
    X, y = np.repeat(XOR, 2, axis=0), np.repeat(XOR_LABELS, 2)
    model = Perceptron(revisit=True, record=True, max_iter=350)
    with pytest.warns(ConvergenceWarning):
        model.fit(X, y)
    full = [n for n, order in enumerate(model.orders_) if len(order) == len(X)]
    assert len(full) > 2
    assert max(np.diff(full)) <= 101


def test_the_result_depends_on_the_order_of_the_examples() -> None:
    X, s, _ = separable(1)
    given_order = Perceptron().fit(X, s)
    shuffled = Perceptron(shuffle=True, rng=3).fit(X, s)
    assert given_order.score(X, s) == shuffled.score(X, s) == 1
    assert not np.allclose(given_order.coef_, shuffled.coef_)
    again = Perceptron(shuffle=True, rng=3).fit(X, s)
    assert (again.coef_ == shuffled.coef_).all()


@given(SEEDS, st.sampled_from(["update", "positive"]))
@quick
def test_eta_only_scales_a_run_from_zero(seed: int, tie: str) -> None:
    X, s, _ = separable(seed)
    assume(len(set(s)) == 2)
    one = Perceptron(eta0=1, tie=tie).fit(X, s)
    seven = Perceptron(eta0=7, tie=tie).fit(X, s)
    assert one.updates_.tolist() == seven.updates_.tolist()
    np.testing.assert_allclose(seven.coef_, 7 * one.coef_, rtol=1e-15)
    np.testing.assert_allclose(seven.intercept_, 7 * one.intercept_, rtol=1e-15)


def test_eta_matters_from_another_start() -> None:
    X, s, _ = separable(4)
    start = np.full(X.shape[1] + 1, 20.0)
    small, large = (Perceptron(eta0=eta, w_start=start).fit(X, s) for eta in (0.5, 32.0))
    assert small.updates_.tolist() != large.updates_.tolist()
    for model, eta in ((small, 0.5), (large, 32.0)):
        w, updates, _ = loop_perceptron(X, s, eta, start=start)
        assert model.updates_.tolist() == updates
        np.testing.assert_allclose(np.r_[model.intercept_, model.coef_[0]], w)


def test_the_tie_rules_of_the_two_notes_end_with_margin_zero_and_above() -> None:
    X, y = np.array([[-1.0], [1.0]]), np.array([-1, 1])
    of_000 = Perceptron(tie="positive").fit(X, y)
    of_001 = Perceptron(tie="update").fit(X, y)
    assert margins(X, y, np.r_[of_000.intercept_[0], of_000.coef_[0]]).min() == 0
    assert margins(X, y, np.r_[of_001.intercept_[0], of_001.coef_[0]]).min() > 0
    assert of_000.score(X, y) == of_001.score(X, y) == 1  # sign(0) = +1 also in predict


@given(SEEDS, st.sampled_from([1.0, 0.25]))
@quick
def test_the_margin_of_the_used_example_grows_by_eta_times_its_squared_length(
    seed: int, eta: float
) -> None:
    X, s, _ = separable(seed, whole=True)
    assume(len(set(s)) == 2)
    model = Perceptron(eta0=eta, record=True).fit(X, s)
    assert len(model.path_) == len(model.updates_) + 1
    assert (model.path_[-1] == np.r_[model.intercept_, model.coef_[0]]).all()
    for i, (before, after) in zip(model.updates_, pairwise(model.path_), strict=True):
        x = np.r_[1, X[i]]
        assert s[i] * (after @ x) == s[i] * (before @ x) + eta * (x @ x)


def test_an_update_may_raise_the_number_of_errors_and_scores_of_others_may_fall() -> None:
    X, s, _ = separable(3)
    model = Perceptron(record=True).fit(X, s)
    ones = np.c_[np.ones(len(X)), X]
    errors = [(s * (ones @ w) <= 0).sum() for w in model.path_]
    assert max(np.diff(errors)) > 0
    at = zip(
        model.updates_[:-1], model.updates_[1:], model.path_[1:], model.path_[2:], strict=False
    )
    assert any(s[j] * (after @ ones[j]) <= s[i] * (before @ ones[i]) for i, j, before, after in at)


@pytest.mark.parametrize("tie", ["update", "positive"])
@pytest.mark.parametrize("revisit", [False, True])
def test_xor_hits_the_cap_and_the_warning_says_why(tie: str, revisit: bool) -> None:
    model = Perceptron(max_iter=50, tie=tie, revisit=revisit)
    with pytest.warns(ConvergenceWarning, match=r"max_iter=50 .*no hyperplane .*R²/gamma².*05"):
        model.fit(XOR, XOR_LABELS)
    assert not model.converged_
    assert model.n_iter_ == 50
    assert (model.mistakes_ > 0).all() or revisit
    assert model.mistakes_.sum() == len(model.updates_)


def test_a_quadratic_kernel_solves_xor() -> None:
    model = KernelPerceptron(kernel="poly", degree=2).fit(XOR, XOR_LABELS)
    assert model.converged_
    assert model.score(XOR, XOR_LABELS) == 1
    with pytest.warns(ConvergenceWarning, match="no surface of this kernel"):
        KernelPerceptron(max_iter=20).fit(XOR, XOR_LABELS)


def test_the_quadratic_kernel_is_the_perceptron_on_quadratic_features() -> None:
    X = separable(7, whole=True)[0][:, :1]
    y = (X[:, 0] ** 2 > 20).astype(int)
    dual = KernelPerceptron(kernel="poly", degree=2, coef0=1.0).fit(X, y)
    # (1 + xx')² is the product of these features, the first of them constant
    features = np.c_[np.sqrt(2) * X[:, 0], X[:, 0] ** 2]
    primal = Perceptron().fit(features, y)
    assert dual.converged_
    assert dual.updates_.tolist() == primal.updates_.tolist()
    np.testing.assert_allclose(dual.decision_function(X), primal.decision_function(features))


@given(
    SEEDS,
    st.sampled_from([1.0, 2.0]),
    st.sampled_from(["update", "positive"]),
    st.booleans(),
    st.booleans(),
)
@quick
def test_the_dual_form_makes_the_run_of_the_primal_form(
    seed: int, eta: float, tie: str, shuffle: bool, revisit: bool
) -> None:
    X, s, _ = separable(seed, whole=True)
    assume(len(set(s)) == 2)
    rules: dict[str, Any] = {"eta0": eta, "tie": tie, "shuffle": shuffle, "revisit": revisit}
    rules["rng"] = seed
    primal = Perceptron(**rules).fit(X, s)
    dual = KernelPerceptron(**rules).fit(X, s)
    assert dual.updates_.tolist() == primal.updates_.tolist()
    assert dual.n_iter_ == primal.n_iter_
    assert dual.alpha_.sum() == len(primal.updates_)
    assert (dual.alpha_ == np.bincount(primal.updates_, minlength=len(X))).all()
    assert (eta * (dual.alpha_ * s) @ X == primal.coef_[0]).all()
    assert (dual.coef_ == primal.coef_).all()
    assert (dual.intercept_ == primal.intercept_).all()
    assert (dual.decision_function(X) == primal.decision_function(X)).all()


def test_the_constant_of_the_linear_kernel_is_the_weight_of_the_bias() -> None:
    X, s, _ = separable(6)
    for coef0 in (0.25, 4.0):
        model = KernelPerceptron(coef0=coef0, max_iter=100_000).fit(X, s)
        weights = model.alpha_ * s
        by_hand = ((X @ X.T + coef0) * weights).sum(axis=1)
        np.testing.assert_allclose(model.decision_function(X), by_hand)
        np.testing.assert_allclose(X @ model.coef_[0] + model.intercept_, by_hand)


def test_a_kernel_may_be_a_function_and_is_checked() -> None:
    def gaussian(A: Array, B: Array) -> Array:
        return np.exp(-((A[:, None] - B) ** 2).sum(axis=2))

    model = KernelPerceptron(kernel=gaussian).fit(XOR, XOR_LABELS)
    assert model.score(XOR, XOR_LABELS) == 1
    assert not hasattr(model, "coef_")
    with pytest.raises(ValueError, match=r"kernel: found values of shape \(4, 4\), expected"):
        KernelPerceptron(kernel=lambda A, B: A @ A.T).fit(XOR, XOR_LABELS)
    with pytest.raises(ValueError, match="kernel: found 'rbf', expected one of 'linear', 'poly'"):
        KernelPerceptron(kernel="rbf").fit(XOR, XOR_LABELS)


def test_scores_of_many_rows_are_those_of_each_row() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = (X[:, 0] > X[:, 1]) * 1
    model = KernelPerceptron(kernel="poly", degree=3, max_iter=200).fit(X, y)
    many = np.repeat(X, 1000, axis=0)
    assert len(many) * len(model.support_) > 2**22  # more than one block of rows
    np.testing.assert_allclose(
        model.decision_function(many), np.repeat(model.decision_function(X), 1000), rtol=1e-9
    )


def test_without_an_intercept_the_line_passes_through_the_origin() -> None:
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(50, 2)) * 5) + 0.5
    g = X @ [1.0, 3.0]
    X, s = X[g != 0], np.sign(g[g != 0])
    model = Perceptron(fit_intercept=False, w_start=[1.0, -1.0]).fit(X, s)
    assert model.intercept_ == 0
    assert model.score(X, s) == 1
    w = np.array([1.0, -1.0])
    updates: list[int] = []
    while (s * (X @ w) <= 0).any():
        for i in range(len(X)):
            if s[i] * (X[i] @ w) <= 0:
                w += s[i] * X[i]
                updates.append(i)
    assert model.updates_.tolist() == updates
    assert (model.coef_[0] == w).all()


def test_a_start_that_separates_needs_no_update() -> None:
    X, s, w = separable(2)
    model = Perceptron(w_start=w).fit(X, s)
    assert len(model.updates_) == 0
    assert model.n_iter_ == 1
    np.testing.assert_array_equal(np.r_[model.intercept_, model.coef_[0]], w)


def test_the_perceptron_agrees_with_scikit_learn_on_the_same_order() -> None:
    from sklearn.linear_model import Perceptron as Peer

    X, s, _ = separable(8, margin=0.05, whole=True)
    ours = Perceptron().fit(X, s)
    theirs = Peer(max_iter=ours.n_iter_, tol=None, shuffle=False).fit(X, s)
    np.testing.assert_array_equal(ours.coef_, theirs.coef_)
    np.testing.assert_array_equal(ours.intercept_, theirs.intercept_)
    assert ours.coef_.shape == theirs.coef_.shape
    assert ours.intercept_.shape == theirs.intercept_.shape


# --- loss ---------------------------------------------------------------------------------------


def test_the_loss_is_zero_at_zero_weights_and_below_the_0_1_loss_there() -> None:
    s = 2 * XOR_LABELS - 1
    assert perceptron_loss(XOR, s, [0, 0, 0]) == 0  # zero risk on XOR: not the 0-1 risk
    m = np.linspace(-2, 2, 81)
    zero_one = (m <= 0) * 1.0
    of_margin = np.array([perceptron_loss([[one]], [1], [1]) for one in m])
    np.testing.assert_allclose(of_margin, np.where(m < 0, -m, 0))
    assert (of_margin < zero_one).any()
    assert (np.maximum(1 - m, 0) >= zero_one).all()  # the hinge is an upper bound


@given(SEEDS)
@quick
def test_the_subgradient_agrees_with_finite_differences_away_from_kinks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, s = rng.normal(size=(20, 3)), rng.choice([-1, 1], size=20)
    w = rng.normal(size=4)
    h = 1e-7
    assume(np.abs(margins(X, s, w)).min() > 1e-5)
    numeric = [
        (perceptron_loss(X, s, w + h * e) - perceptron_loss(X, s, w - h * e)) / (2 * h)
        for e in np.eye(4)
    ]
    np.testing.assert_allclose(perceptron_subgradient(X, s, w), numeric, atol=1e-6)


@given(SEEDS, st.floats(0, 1))
@quick
def test_every_share_at_the_kink_gives_a_subgradient(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    X, s = rng.integers(-3, 4, size=(12, 2)), rng.choice([-1, 1], size=12)
    w, v = rng.integers(-1, 2, size=3).astype(float), rng.normal(size=3)
    slope = perceptron_subgradient(X, s, w, at_kink=share)
    tangent = perceptron_loss(X, s, w) + slope @ (v - w)
    assert perceptron_loss(X, s, v) >= tangent - 1e-12


def test_a_step_along_the_subgradient_of_one_example_is_the_update() -> None:
    x, w, eta = np.array([2.0, -1.0]), np.array([0.5, 1.0, 3.0]), 0.25
    after = w - eta * perceptron_subgradient([x], [1], w)
    assert (after == w + eta * np.array([1, 2, -1])).all()
    zero = perceptron_subgradient([x], [1], [0, 0, 0], at_kink=0)
    assert (zero == 0).all()  # the choice that would freeze the algorithm at w = 0


# --- the bound ----------------------------------------------------------------------------------


@given(SEEDS, st.sampled_from(["update", "positive"]), st.floats(0.01, 100))
@quick
def test_no_run_makes_more_updates_than_the_bound(seed: int, tie: str, scale: float) -> None:
    X, s, w = separable(seed)
    assume(len(set(s)) == 2)
    bound = novikoff_bound(X, s, scale * w)
    model = Perceptron(tie=tie, shuffle=True, rng=seed).fit(X, s)
    assert len(model.updates_) <= bound * (1 + 1e-12)
    assert bound == pytest.approx(novikoff_bound(X, s, w), rel=1e-9)  # any length


@given(SEEDS, st.floats(0.1, 30), st.sampled_from([0.1, 1.0, 5.0]))
@quick
def test_no_run_from_another_start_makes_more_updates_than_its_bound(
    seed: int, length: float, eta: float
) -> None:
    X, s, w = separable(seed)
    assume(len(set(s)) == 2)
    start = np.random.default_rng(seed).normal(size=len(w)) * length
    model = Perceptron(eta0=eta, w_start=start, max_iter=100_000).fit(X, s)
    assert len(model.updates_) <= novikoff_bound(X, s, w, start=start, eta=eta) + 1e-9


def test_the_bound_from_a_zero_start_is_the_usual_one() -> None:
    X, s, w = separable(11)
    usual = novikoff_bound(X, s, w)
    R2 = (1 + (X**2).sum(axis=1)).max()
    gamma = min(si * (w[0] + x @ w[1:]) for x, si in zip(X, s, strict=True))
    assert usual == pytest.approx(R2 / gamma**2)
    for eta in (0.1, 3.0):
        same = novikoff_bound(X, s, w, start=np.zeros(len(w)), eta=eta)
        assert same == pytest.approx(usual)


def test_the_bound_from_another_start_solves_the_printed_inequality() -> None:
    X, s, w = separable(12)
    start, eta = np.linspace(-1, 2, len(w)), 0.7
    t = novikoff_bound(X, s, w, start=start, eta=eta)
    m = s * (w[0] + X @ w[1:])
    left = w @ start + t * eta * m.min()
    right = start @ start + t * eta**2 * (1 + (X**2).sum(axis=1)).max()
    assert left == pytest.approx(np.sqrt(right))


def test_an_unnormalised_gamma_promises_too_little() -> None:
    X, s = np.array([[-1.0], [1.0]]), np.array([-1, 1])
    w0, w = 0.0, 2.0  # separates, with margins 2 and length 2
    naive = (1 + X[:, 0] ** 2).max() / min(s * (w * X[:, 0] + w0)) ** 2
    updates = len(Perceptron().fit(X, s).updates_)
    assert updates > naive  # the caution C-02
    assert updates <= novikoff_bound(X, s, [w0, w])


def test_a_bias_free_bound_takes_the_data_as_they_are() -> None:
    X, s, w = separable(13)
    ones_first = np.c_[np.ones(len(X)), X]
    assert novikoff_bound(ones_first, s, w) == pytest.approx(novikoff_bound(X, s, w))


def test_weights_that_do_not_separate_have_no_bound() -> None:
    with pytest.raises(ValueError, match=r"w_star: does not separate .*at example 0, expected"):
        novikoff_bound([[1.0], [2.0]], [-1, 1], [0.0, 1.0])
    with pytest.raises(ValueError, match="w_star: does not separate"):
        novikoff_bound([[1.0], [2.0]], [-1, 1], [0.0, 0.0])
    with pytest.raises(ValueError, match=r"X: entries up to 1e\+200 overflow when squared"):
        novikoff_bound([[-1.0], [1e200]], [-1, 1], [0.0, 1.0])
    with pytest.raises(ValueError, match="found margin 0 at example 1"):  # 4·(3 - 2 - 1) is 0
        novikoff_bound([[-4.0, 0.0], [3.0, -2.0]], [-1, 1], [-4.0, 4.0, 4.0])
    with pytest.raises(ValueError, match=r"w_star: found shape .3,., expected 2 entries"):
        novikoff_bound([[1.0], [2.0]], [-1, 1], [0.0, 1.0, 1.0])


@given(SEEDS, st.sampled_from([1, 10]))
@quick
def test_whether_a_bound_exists_is_decided_as_exact_fractions_decide(seed: int, by: int) -> None:
    rng = np.random.default_rng(seed)
    X, w = rng.integers(-5, 6, (4, 2)) / by, rng.integers(-4, 5, 3) / by
    exact = [
        Fraction(w[0]) + sum(Fraction(a) * Fraction(b) for a, b in zip(w[1:], x, strict=True))
        for x in X.tolist()
    ]
    s = [1 if g >= 0 else -1 for g in exact]
    assume(len(set(s)) == 2)
    if min(abs(g) for g in exact) == 0:
        with pytest.raises(ValueError, match=r"w_star: does not separate .* found margin 0 at"):
            novikoff_bound(X, s, w)
    else:
        gamma2 = min(abs(g) for g in exact) ** 2 / sum(Fraction(v) ** 2 for v in w)
        R2 = 1 + max(sum(Fraction(v) ** 2 for v in x) for x in X.tolist())
        assert novikoff_bound(X, s, w) == pytest.approx(float(R2 / gamma2))


# --- hard and bad input -------------------------------------------------------------------------


@pytest.mark.parametrize("model", [Perceptron(), KernelPerceptron()], ids=repr)
def test_strings_booleans_and_small_types_give_the_same_run(model: Any) -> None:
    X, s, _ = separable(14, whole=True)
    expected = model.fit(X, s).updates_.tolist()
    for labels in (np.where(s > 0, "yes", "no"), s > 0, s.astype(np.int8)):
        for data in (X, X.astype(np.int8), X.astype(np.float32), np.asfortranarray(X)):
            assert model.fit(data, labels).updates_.tolist() == expected
            assert (model.predict(data) == labels).all()


@pytest.mark.parametrize("model", [Perceptron(), KernelPerceptron()], ids=repr)
def test_bad_data_and_parameters_are_refused_by_name(model: Any) -> None:
    y = [0, 0, 1, 1]
    for X, labels, message in [
        ([[0.0], [1], [2], [np.nan]], y, "X: found NaN at row 3"),
        (np.zeros((4, 1)), [1, 1, 1, 1], "y: found one class only"),
        (np.zeros((4, 1)), [0, 1, 2, 0], "Only binary classification is supported"),
        (np.zeros((3, 1)), y, "found 3 examples and 4 labels"),
        (np.zeros((4, 0)), y, r"X: found 0 feature\(s\)"),
    ]:
        with pytest.raises(ValueError, match=message):
            model.fit(X, labels)
    good = [[0.0], [1], [2], [3]]
    for change, kind, message in [
        ({"eta0": 0}, ValueError, "eta0: found 0, expected a finite number above 0"),
        ({"eta0": "fast"}, TypeError, "eta0: found 'fast'"),
        ({"tie": "none"}, ValueError, "tie: found 'none', expected one of 'update', 'positive'"),
        ({"max_iter": 0}, ValueError, "max_iter: found 0"),
        ({"rng": None}, TypeError, "rng: found None"),
    ]:
        with pytest.raises(kind, match=message):
            type(model)(**change).fit(good, y)
    with pytest.raises(ValueError, match=r"w_start: found 3 entries, expected 2"):
        Perceptron(w_start=[1, 2, 3]).fit(good, y)
    with pytest.raises(ValueError, match="coef0: found -1"):
        KernelPerceptron(coef0=-1).fit(good, y)


@pytest.mark.parametrize("model", [Perceptron(), KernelPerceptron(kernel="poly")], ids=repr)
def test_numbers_too_large_to_square_are_refused_and_not_taken_for_success(model: Any) -> None:
    X = np.array([[1e300, 1], [-1e300, 2], [2e300, -1], [-3e300, 0]])
    with pytest.raises(ValueError, match=r"overflow.*[Ss]cale the features"):
        model.fit(X, [0, 1, 1, 0])


@pytest.mark.parametrize("change", [lambda X: X + 1e8, lambda X: X * 1e6, lambda X: X * 1e-6])
def test_shifted_and_scaled_data_end_finite_and_honest(change: Any) -> None:
    X, s, _ = separable(15)
    moved = change(X)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = Perceptron(max_iter=300).fit(moved, s)
    assert np.isfinite(model.coef_).all()
    assert model.converged_ == (model.mistakes_[-1] == 0) == (not caught)
    if model.converged_:
        assert model.score(moved, s) == 1


def test_a_second_fit_forgets_the_first() -> None:
    X, s, _ = separable(16)
    model = Perceptron(shuffle=True, record=True).fit(X, s)
    model.set_params(shuffle=False, record=False).fit(X, s)
    assert not hasattr(model, "orders_")
    assert not hasattr(model, "path_")


def test_data_are_not_changed() -> None:
    X, s, _ = separable(17)
    before = X.copy()
    X.setflags(write=False)
    Perceptron(eta0=0.1, w_start=np.ones(X.shape[1] + 1)).fit(X, s)
    KernelPerceptron().fit(X, s)
    np.testing.assert_array_equal(X, before)
