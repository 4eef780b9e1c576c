"""The perceptron in its primal and dual form."""

from __future__ import annotations

from fractions import Fraction
from itertools import repeat
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lectures_lib._core.estimator import ConvergenceWarning
from lectures_lib._core.validation import Array
from lectures_lib.perceptron import (
    KernelPerceptron,
    Perceptron,
    novikoff_bound,
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
    Z: Array, s: Array, eta: float = 1.0, tie: str = "update", orders: Any = None
) -> tuple[Array, list[int], list[int]]:
    """The algorithm as the notes print it, on rows (1, x): weights, updates, mistakes."""
    w = np.zeros(Z.shape[1])
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
    assert run_check_estimator(model) > 50


@given(
    SEEDS, st.sampled_from([1.0, 0.5, 4.0]), st.sampled_from(["update", "positive"]), st.booleans()
)
@settings(deadline=None, max_examples=50)
def test_the_blocks_find_the_same_mistakes_as_a_plain_loop_in_any_order(
    seed: int, eta: float, tie: str, shuffle: bool
) -> None:
    X, s, _ = separable(seed, whole=True)
    assume(set(s) == {-1, 1})
    X.setflags(write=False)
    Z = with_ones(X)
    rules: Any = {"eta0": eta, "tie": tie, "shuffle": shuffle, "rng": seed}
    model = Perceptron(**rules, record=True).fit(X, s)
    orders = model.orders_ if shuffle else None
    w, updates, mistakes = loop_perceptron(Z, s, eta, tie, orders)
    assert model.updates_.tolist() == updates
    assert model.mistakes_.tolist() == mistakes
    assert model.n_iter_ == len(mistakes)
    assert mistakes[-1] == 0
    assert model.converged_
    assert model.score(X, s) == 1
    assert (np.r_[model.intercept_, model.coef_[0]] == w).all()
    steps = eta * s[updates, None] * Z[updates]
    path = np.cumsum([np.zeros(Z.shape[1]), *steps], axis=0)
    np.testing.assert_allclose(model.path_, path, atol=1e-12)
    if orders is not None:
        assert all(sorted(order) == list(range(len(X))) for order in orders)
        assert len(orders) == model.n_iter_
    again = Perceptron(**rules).fit(X, s)
    assert again.updates_.tolist() == updates
    assert not hasattr(again, "orders_")


def test_long_runs_with_blocks_of_every_length_follow_the_plain_loop() -> None:
    rng = np.random.default_rng(5)
    X = np.round(rng.normal(size=(9000, 3)) * 8)
    g = X @ [3, -2, 1] + 1
    X, s = X[np.abs(g) > 4], np.sign(g[np.abs(g) > 4])
    model = Perceptron().fit(X, s)
    assert model.updates_.tolist() == loop_perceptron(with_ones(X), s)[1]
    assert len(X) > 7000  # so the clean pass at the end uses the longest blocks
    assert model.n_iter_ > 2


def test_the_tie_rules_of_the_two_notes_end_with_margin_zero_and_above() -> None:
    X, y = np.array([[-1.0], [1.0]]), np.array([-1, 1])
    of_000 = Perceptron(tie="positive").fit(X, y)
    of_001 = Perceptron(tie="update").fit(X, y)
    assert (y * of_000.decision_function(X)).min() == 0
    assert (y * of_001.decision_function(X)).min() > 0
    assert of_000.score(X, y) == of_001.score(X, y) == 1  # sign(0) = +1 also in predict


@pytest.mark.parametrize("tie", ["update", "positive"])
def test_xor_hits_the_cap_and_the_warning_says_why(tie: str) -> None:
    model = Perceptron(max_iter=50, tie=tie)
    with pytest.warns(ConvergenceWarning, match="max_iter=50"):
        model.fit(XOR, XOR_LABELS)
    assert not model.converged_
    assert model.n_iter_ == 50
    assert (model.mistakes_ > 0).all()
    assert model.mistakes_.sum() == len(model.updates_)


def test_a_quadratic_kernel_solves_xor() -> None:
    model = KernelPerceptron(kernel="poly", degree=2).fit(XOR, XOR_LABELS)
    assert model.converged_
    assert model.score(XOR, XOR_LABELS) == 1
    with pytest.warns(ConvergenceWarning, match="max_iter=20"):
        KernelPerceptron(max_iter=20).fit(XOR, XOR_LABELS)


@given(SEEDS)
@quick
def test_the_dual_form_makes_the_run_of_the_primal_form(seed: int) -> None:
    X, s, _ = separable(seed, whole=True)
    assume(len(set(s)) == 2)
    primal, dual = Perceptron().fit(X, s), KernelPerceptron().fit(X, s)
    assert dual.n_iter_ == primal.n_iter_
    assert dual.converged_
    assert (dual.alpha_ == np.bincount(primal.updates_, minlength=len(X))).all()
    assert (dual.dual_coef_[0] == (dual.alpha_ * s)[dual.support_]).all()
    assert (dual.support_vectors_ == X[dual.alpha_ > 0]).all()
    assert ((dual.alpha_ * s) @ X == primal.coef_[0]).all()
    assert (dual.decision_function(X) == primal.decision_function(X)).all()


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


# --- the bound ----------------------------------------------------------------------------------


@given(SEEDS, st.sampled_from(["update", "positive"]), st.sampled_from([0.1, 1.0, 5.0]))
@quick
def test_no_run_makes_more_updates_than_the_bound(seed: int, tie: str, eta: float) -> None:
    X, s, w = separable(seed)
    assume(len(set(s)) == 2)
    bound = novikoff_bound(X, s, w)
    rules: Any = {"eta0": eta, "tie": tie, "max_iter": 100_000}
    assert len(Perceptron(**rules).fit(X, s).updates_) <= bound + 1e-9
    assert bound == pytest.approx(novikoff_bound(X, s, 7 * w), rel=1e-9)
    assert bound == pytest.approx(novikoff_bound(with_ones(X), s, w))


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
def test_bad_data_are_refused_by_name(model: Any) -> None:
    y = [0, 0, 1, 1]
    for X, labels, message in [
        (np.zeros((4, 1)), [0, 1, 2, 0], "Only binary classification"),
        (np.array([[1e300, 1], [-1e300, 2], [2e300, -1], [-3e300, 0]]), y, r"X: .*overflow"),
    ]:
        with pytest.raises(ValueError, match=message):
            model.fit(X, labels)
    with pytest.raises(ValueError, match="max_iter: found 0"):
        type(model)(max_iter=0).fit([[0.0], [1], [2], [3]], y)


@pytest.mark.parametrize(
    ("model", "kind", "message"),
    [
        (Perceptron(eta0=0), ValueError, "eta0: found 0, expected .*above 0"),
        (Perceptron(eta0="fast"), TypeError, "eta0: found 'fast'"),  # type: ignore[arg-type]
        (Perceptron(tie="none"), ValueError, "tie: found 'none'"),
        (Perceptron(rng=None), TypeError, "rng: found None"),  # type: ignore[arg-type]
        (KernelPerceptron(kernel="rbf"), ValueError, "kernel: found 'rbf'"),
        (KernelPerceptron(degree=0), ValueError, "degree: found 0"),
    ],
    ids=repr,
)
def test_bad_parameters_are_refused_by_name(model: Any, kind: Any, message: str) -> None:
    with pytest.raises(kind, match=message):
        model.fit([[0.0], [1], [2], [3]], [0, 0, 1, 1])


def test_a_second_fit_forgets_the_first() -> None:
    X, s, _ = separable(16)
    model = Perceptron(shuffle=True, record=True).fit(X, s)
    model.set_params(shuffle=False, record=False).fit(X, s)
    assert not hasattr(model, "orders_")
    assert not hasattr(model, "path_")
