"""The perceptron in its primal and dual form."""

from __future__ import annotations

from fractions import Fraction
from itertools import repeat
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
    Z: Array,
    s: Array,
    eta: float = 1.0,
    tie: str = "update",
    orders: Any = None,
    start: Any = 0.0,
) -> tuple[Array, list[int], list[int]]:
    """The algorithm as the notes print it, on rows (1, x) or x: weights, updates, mistakes."""
    w = np.zeros(Z.shape[1]) + start
    updates: list[int] = []
    mistakes: list[int] = []
    for order in repeat(range(len(Z))) if orders is None else orders:
        before = len(updates)
        for i in order:
            g = Z[i] @ w
            if s[i] * g <= 0 if tie == "update" else s[i] != (1 if g >= 0 else -1):
                w = w + eta * s[i] * Z[i]
                updates.append(int(i))
        mistakes.append(len(updates) - before)
        if orders is None and not mistakes[-1]:
            break
    return w, updates, mistakes


def with_ones(X: Array) -> Array:
    return np.c_[np.ones(len(X)), X]


@pytest.mark.parametrize(
    "model",
    [
        Perceptron(max_iter=50),
        Perceptron(max_iter=50, tie="positive", shuffle=True, eta0=0.3),
        KernelPerceptron(max_iter=50),
        KernelPerceptron(max_iter=50, kernel="poly"),
    ],
    ids=repr,
)
def test_scikit_learn_accepts_the_model(model: Any) -> None:
    # A mistake with step 2 is not two mistakes with step 1: after the first there may be none.
    weighted = {"check_sample_weight_equivalence_on_dense_data": "steps are not visits"}
    assert run_check_estimator(model, weighted if isinstance(model, Perceptron) else {}) > 50


@given(
    SEEDS,
    st.sampled_from([1.0, 0.5, 4.0]),
    st.sampled_from(["update", "positive"]),
    st.tuples(*[st.booleans()] * 4),
)
@settings(deadline=None, max_examples=50)
def test_the_blocks_find_the_same_mistakes_as_a_plain_loop_in_any_order(
    seed: int, eta: float, tie: str, flags: tuple[bool, ...]
) -> None:
    intercept, started, shuffle, revisit = flags
    X, s, w = separable(seed, whole=True)
    Z = with_ones(X)
    if not intercept:
        X, s = X + 0.5, np.sign((X + 0.5) @ w[1:])
        Z = X
    assume(set(s) == {-1, 1})
    start = np.arange(Z.shape[1]) * 8.0 - 16 if started else np.zeros(Z.shape[1])
    for array in (X, start):
        array.setflags(write=False)
    rules: Any = {"eta0": eta, "tie": tie, "fit_intercept": intercept, "w_start": start}
    rules |= {"shuffle": shuffle, "revisit": revisit, "rng": seed}
    model = Perceptron(**rules, record=True).fit(X, s)
    orders = model.orders_ if shuffle or revisit else None
    w, updates, mistakes = loop_perceptron(Z, s, eta, tie, orders, start)
    assert model.updates_.tolist() == updates
    assert model.mistakes_.tolist() == mistakes
    assert model.n_iter_ == len(mistakes)
    assert mistakes[-1] == 0
    assert model.converged_
    assert model.score(X, s) == 1
    assert (np.r_[model.intercept_, model.coef_[0]][not intercept :] == w).all()
    assert intercept or model.intercept_ == 0
    steps = eta * s[updates, None] * Z[updates]
    path = np.array(model.path_)[:, not intercept :]
    np.testing.assert_allclose(path, np.cumsum([start, *steps], axis=0), atol=1e-12)
    if orders is not None:
        short = [order for order in orders if len(order) < len(X)]
        assert bool(short) == (revisit and bool(updates))
        assert all(set(order) <= set(updates) for order in short)
        assert sorted(orders[-1]) == list(range(len(X)))
    assert Perceptron(**rules).fit(X, s).updates_.tolist() == updates


def test_long_runs_with_blocks_of_every_length_follow_the_plain_loop() -> None:
    rng = np.random.default_rng(5)
    X = np.round(rng.normal(size=(9000, 3)) * 8)
    g = X @ [3, -2, 1] + 1
    X, s = X[np.abs(g) > 4], np.sign(g[np.abs(g) > 4])
    model = Perceptron().fit(X, s)
    assert model.updates_.tolist() == loop_perceptron(with_ones(X), s)[1]
    assert len(X) > 3 * 2048  # so the clean pass at the end uses the longest blocks
    assert model.n_iter_ > 2


def test_revisiting_mistakes_comes_back_to_the_others_on_inseparable_data() -> None:
    X, y = np.repeat(XOR, 2, axis=0), np.repeat(XOR_LABELS, 2)
    model = Perceptron(revisit=True, record=True, max_iter=350)
    with pytest.warns(ConvergenceWarning):
        model.fit(X, y)
    full = [n for n, order in enumerate(model.orders_) if len(order) == len(X)]
    assert len(full) > 2
    assert max(np.diff(full)) <= 101


def test_the_tie_rules_of_the_two_notes_end_with_margin_zero_and_above() -> None:
    X, y = np.array([[-1.0], [1.0]]), np.array([-1, 1])
    of_000 = Perceptron(tie="positive").fit(X, y)
    of_001 = Perceptron(tie="update").fit(X, y)
    assert margins(X, y, np.r_[of_000.intercept_[0], of_000.coef_[0]]).min() == 0
    assert margins(X, y, np.r_[of_001.intercept_[0], of_001.coef_[0]]).min() > 0
    assert of_000.score(X, y) == of_001.score(X, y) == 1  # sign(0) = +1 also in predict


@pytest.mark.parametrize("tie", ["update", "positive"])
@pytest.mark.parametrize("revisit", [False, True])
def test_xor_hits_the_cap_and_the_warning_says_why(tie: str, revisit: bool) -> None:
    model = Perceptron(max_iter=50, tie=tie, revisit=revisit)
    with pytest.warns(ConvergenceWarning, match="max_iter=50"):
        model.fit(XOR, XOR_LABELS)
    assert not model.converged_
    assert model.n_iter_ == 50
    assert (model.mistakes_ > 0).all() or revisit
    assert model.mistakes_.sum() == len(model.updates_)


def test_a_quadratic_kernel_solves_xor() -> None:
    model = KernelPerceptron(kernel="poly", degree=2).fit(XOR, XOR_LABELS)
    assert model.converged_
    assert model.score(XOR, XOR_LABELS) == 1
    with pytest.warns(ConvergenceWarning, match="max_iter=20"):
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
    with pytest.raises(ValueError, match=r"kernel: found .*\(4, 4\)"):
        KernelPerceptron(kernel=lambda A, B: A @ A.T).fit(XOR, XOR_LABELS)
    with pytest.raises(ValueError, match="kernel: found 'rbf'"):
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


def test_the_perceptron_agrees_with_scikit_learn_on_the_same_order() -> None:
    from sklearn.linear_model import Perceptron as Peer

    X, s, _ = separable(8, margin=0.05, whole=True)
    ours = Perceptron().fit(X, s)
    theirs = Peer(max_iter=ours.n_iter_, tol=None, shuffle=False).fit(X, s)
    np.testing.assert_array_equal(ours.coef_, theirs.coef_)
    np.testing.assert_array_equal(ours.intercept_, theirs.intercept_)


# --- loss ---------------------------------------------------------------------------------------


def test_the_loss_is_the_mistaken_margin_and_zero_at_zero_weights() -> None:
    s = 2 * XOR_LABELS - 1
    assert perceptron_loss(XOR, s, [0, 0, 0]) == 0  # zero risk on XOR: not the 0-1 risk
    m = np.linspace(-2, 2, 21)
    of_margin = [perceptron_loss([[one]], [1], [1]) for one in m]
    np.testing.assert_allclose(of_margin, np.where(m < 0, -m, 0))
    assert (perceptron_subgradient(XOR, s, [0, 0, 0], at_kink=0) == 0).all()


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


# --- the bound ----------------------------------------------------------------------------------


@given(
    SEEDS,
    st.sampled_from(["update", "positive"]),
    st.floats(0, 30),
    st.sampled_from([0.1, 1.0, 5.0]),
)
@quick
def test_no_run_makes_more_updates_than_the_bound(
    seed: int, tie: str, length: float, eta: float
) -> None:
    X, s, w = separable(seed)
    assume(len(set(s)) == 2)
    start = np.random.default_rng(seed).normal(size=len(w)) * length
    bound = novikoff_bound(X, s, w, start=start, eta=eta)
    rules: Any = {"eta0": eta, "tie": tie, "w_start": start, "max_iter": 100_000}
    assert len(Perceptron(**rules).fit(X, s).updates_) <= bound + 1e-9
    assert bound == pytest.approx(novikoff_bound(X, s, 7 * w, start=start, eta=eta), rel=1e-9)
    assert bound == pytest.approx(novikoff_bound(with_ones(X), s, w, start=start, eta=eta))


def test_the_bound_from_another_start_solves_the_printed_inequality() -> None:
    X, s, w = separable(12)
    start, eta = np.linspace(-1, 2, len(w)), 0.7
    t = novikoff_bound(X, s, w, start=start, eta=eta)
    m = s * (w[0] + X @ w[1:])
    left = w @ start + t * eta * m.min()
    right = start @ start + t * eta**2 * (1 + (X**2).sum(axis=1)).max()
    assert left == pytest.approx(np.sqrt(right))


def test_weights_that_do_not_separate_have_no_bound() -> None:
    with pytest.raises(ValueError, match=r"w_star: .*at example 0"):
        novikoff_bound([[1.0], [2.0]], [-1, 1], [0.0, 1.0])
    with pytest.raises(ValueError, match="w_star: "):
        novikoff_bound([[1.0], [2.0]], [-1, 1], [0.0, 0.0])
    with pytest.raises(ValueError, match=r"X: entries up to 1e\+200"):
        novikoff_bound([[-1.0], [1e200]], [-1, 1], [0.0, 1.0])
    with pytest.raises(ValueError, match="margin 0 at example 1"):  # 4·(3 - 2 - 1) is 0
        novikoff_bound([[-4.0, 0.0], [3.0, -2.0]], [-1, 1], [-4.0, 4.0, 4.0])
    with pytest.raises(ValueError, match=r"w_star: found shape .3,., expected 2"):
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
        with pytest.raises(ValueError, match=r"w_star: .* found margin 0"):
            novikoff_bound(X, s, w)
    else:
        gamma2 = min(abs(g) for g in exact) ** 2 / sum(Fraction(v) ** 2 for v in w)
        R2 = 1 + max(sum(Fraction(v) ** 2 for v in x) for x in X.tolist())
        assert novikoff_bound(X, s, w) == pytest.approx(float(R2 / gamma2))


# --- hard and bad input -------------------------------------------------------------------------


@pytest.mark.parametrize("model", [Perceptron(), KernelPerceptron(kernel="poly")], ids=repr)
def test_bad_data_and_parameters_are_refused_by_name(model: Any) -> None:
    y = [0, 0, 1, 1]
    for X, labels, message in [
        (np.zeros((4, 1)), [0, 1, 2, 0], "Only binary classification"),
        (np.array([[1e300, 1], [-1e300, 2], [2e300, -1], [-3e300, 0]]), y, r"X: .*overflow"),
    ]:
        with pytest.raises(ValueError, match=message):
            model.fit(X, labels)
    good = [[0.0], [1], [2], [3]]
    for change, kind, message in [
        ({"eta0": 0}, ValueError, "eta0: found 0, expected .*above 0"),
        ({"eta0": "fast"}, TypeError, "eta0: found 'fast'"),
        ({"tie": "none"}, ValueError, "tie: found 'none'"),
        ({"max_iter": 0}, ValueError, "max_iter: found 0"),
        ({"rng": None}, TypeError, "rng: found None"),
    ]:
        with pytest.raises(kind, match=message):
            type(model)(**change).fit(good, y)
    with pytest.raises(ValueError, match="w_start: found 3 entries, expected 2"):
        Perceptron(w_start=[1, 2, 3]).fit(good, y)
    with pytest.raises(ValueError, match="coef0: found -1"):
        KernelPerceptron(coef0=-1).fit(good, y)


def test_a_second_fit_forgets_the_first() -> None:
    X, s, _ = separable(16)
    model = Perceptron(shuffle=True, record=True).fit(X, s)
    model.set_params(shuffle=False, record=False).fit(X, s)
    assert not hasattr(model, "orders_")
    assert not hasattr(model, "path_")
