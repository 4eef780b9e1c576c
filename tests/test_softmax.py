"""Softmax regression against finite differences, statsmodels, scikit-learn, published tables."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable
from decimal import Decimal, getcontext

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn import linear_model

from lectures_lib import logistic
from lectures_lib import softmax as sf
from lectures_lib._core.estimator import ConvergenceWarning
from lectures_lib.datasets import load_iris, load_statlog_landsat, load_vowel
from lectures_lib.softmax import SoftmaxRegression

vectors = arrays(np.float64, st.integers(2, 6), elements=st.floats(-900, 900))


def sample(n: int = 300, d: int = 3, K: int = 4, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Overlapping classes with linear log-odds; every class occurs."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) @ (np.eye(d) + 0.5)
    Z = X @ rng.standard_normal((d, K)) * 0.5 + np.linspace(0, 0.5, K)
    y = (Z + rng.gumbel(size=Z.shape)).argmax(axis=1)
    y[:K] = np.arange(K)
    return X, y


def with_ones(X: np.ndarray) -> np.ndarray:
    return np.column_stack([np.ones(len(X)), X])


def all_of(model: SoftmaxRegression) -> np.ndarray:
    return np.column_stack([model.intercept_, model.coef_])


def margins(V: np.ndarray, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Score of the own class minus the score of every class, (N, K)."""
    Z = with_ones(X) @ V.T
    return Z[np.arange(len(y)), y][:, None] - Z


def is_separating(V: np.ndarray, X: np.ndarray, y: np.ndarray) -> bool:
    m = margins(V, X, np.searchsorted(np.unique(y), y))
    return bool(m.min() >= -1e-10 * np.abs(m).max() and m.max() > 0.5)


W0 = np.array([[0.1, 0.4, -0.2, 0.3], [0.2, -0.5, 0.1, 0.0], [0.0, 0.3, 0.7, -0.4]])


# -------------------------------------------------------------------------------- functions


@settings(max_examples=50)
@given(vectors, st.floats(-1000, 1000))
def test_softmax_adds_up_to_one_and_ignores_a_common_shift(z: np.ndarray, c: float) -> None:
    p = sf.softmax(z)
    assert p.sum() == pytest.approx(1, abs=1e-12)
    assert (p >= 0).all()
    np.testing.assert_allclose(sf.softmax(z + c), p, atol=1e-9)


@given(st.floats(-900, 900), st.floats(-900, 900))
def test_two_classes_are_a_sigmoid_of_the_difference(a: float, b: float) -> None:
    assert sf.softmax([a, b])[0] == pytest.approx(logistic.sigmoid(a - b), abs=1e-12)
    assert sf.log_softmax([a, b])[1] == pytest.approx(logistic.log_sigmoid(b - a), rel=1e-12)


@pytest.mark.parametrize("z", [[0, 0, 0], [1000, -1000, 999], [-1000, -1001, -999.5], [700, 1, 2]])
def test_softmax_and_its_logarithm_are_right_to_the_last_digits(z: list[float]) -> None:
    getcontext().prec = 1000
    powers = [Decimal(v).exp() for v in z]
    total = sum(powers)
    for k, power in enumerate(powers):
        assert sf.softmax(z)[k] == pytest.approx(float(power / total), rel=1e-12, abs=5e-324)
        assert sf.log_softmax(z)[k] == pytest.approx(float((power / total).ln()), rel=1e-14)


def test_the_axis_can_be_chosen_and_impossible_classes_are_allowed() -> None:
    Z = np.array([[0.0, -np.inf], [1.0, 2.0]])
    assert sf.softmax(Z)[0].tolist() == [1, 0]
    np.testing.assert_allclose(sf.softmax(Z.T, axis=0), sf.softmax(Z).T)


def test_the_likelihood_is_the_product_of_the_probabilities_of_the_labels() -> None:
    X, y = sample(10, K=3)
    powers = np.exp(with_ones(X) @ W0.T)
    P = powers / powers.sum(axis=1, keepdims=True)
    product = math.prod(P[i, y[i]] for i in range(10))
    assert sf.log_likelihood(X, y, W0) == pytest.approx(math.log(product), rel=1e-12)
    assert sf.cross_entropy_loss(X, y, W0) == pytest.approx(-math.log(product) / 10, rel=1e-12)


def test_two_classes_have_the_likelihood_of_logistic_regression() -> None:
    X, y = sample(20, K=2)
    w = np.array([0.2, -0.1, 0.5, 0.3])
    W = np.vstack([np.zeros(4), w])
    assert sf.log_likelihood(X, y, W) == pytest.approx(logistic.log_likelihood(X, y, w))
    np.testing.assert_allclose(sf.gradient(X, y, W)[1], logistic.gradient(X, y, w), atol=1e-14)
    np.testing.assert_allclose(sf.hessian(X, W)[4:, 4:], logistic.hessian(X, w), atol=1e-14)


def test_gradient_and_hessian_are_derivatives() -> None:
    X, y = sample(30, K=3)
    h = 1e-5
    for j, e in enumerate(np.eye(12)):
        step = h * e.reshape(3, 4)
        slope = (
            sf.cross_entropy_loss(X, y, W0 + step) - sf.cross_entropy_loss(X, y, W0 - step)
        ) / (2 * h)
        assert sf.gradient(X, y, W0).ravel()[j] == pytest.approx(slope, abs=1e-9)
        bend = (sf.gradient(X, y, W0 + step) - sf.gradient(X, y, W0 - step)).ravel() / (2 * h)
        np.testing.assert_allclose(sf.hessian(X, W0)[j], bend, atol=1e-8)


def test_the_hessian_is_semidefinite_and_blind_to_a_common_row() -> None:
    X, _ = sample(30, K=3)
    H = sf.hessian(X, W0)
    assert np.linalg.eigvalsh(H).min() > -1e-15
    common = np.tile(np.eye(4), 3)
    np.testing.assert_allclose(H @ common.T, 0, atol=1e-15)
    assert np.linalg.matrix_rank(H, tol=1e-10) == 8


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X, y: sf.gradient(X, y, W0[:, :3]), r"W: found shape \(3, 3\), expected .* 4"),
        (lambda X, y: sf.log_likelihood(X, y + 1, W0), r"y: found labels outside 0\.\.2"),
        (lambda X, y: sf.log_likelihood(X, y[:3], W0), "y: found shape"),
        (lambda X, y: SoftmaxRegression(reference=5).fit(X, y), "reference: found 5.*0, 1, 2"),
    ],
)
def test_wrong_arguments_are_named(call: Callable, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(*sample(10, K=3))


# ----------------------------------------------------------------------------- the estimate


def test_it_agrees_with_statsmodels_on_estimates_and_standard_errors() -> None:
    X, y = sample(400)
    other = sm.MNLogit(y, with_ones(X)).fit(disp=0, tol=1e-14)
    model = SoftmaxRegression(reference=0, tol=1e-12).fit(X, y)
    np.testing.assert_allclose(all_of(model)[1:], other.params.T, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(model.standard_errors_[1:], other.bse.T, rtol=1e-8)
    np.testing.assert_allclose(model.covariance_[4:, 4:], other.cov_params(), atol=1e-9)
    assert not all_of(model)[0].any()
    assert not model.standard_errors_[0].any()
    np.testing.assert_allclose(model.wald_intervals()[1:], other.conf_int(), rtol=1e-7)
    assert model.deviance_ == pytest.approx(-2 * other.llf, rel=1e-12)
    assert model.null_deviance_ == pytest.approx(-2 * other.llnull, rel=1e-9)


def test_the_reference_changes_the_rows_and_nothing_else() -> None:
    X, y = sample(300)
    y = np.array(["c0", "c1", "c2", "c3"])[y]
    models = {k: SoftmaxRegression(reference=k).fit(X, y) for k in ("c0", None, "c2")}
    first, symmetric, third = (all_of(model) for model in models.values())
    np.testing.assert_allclose(symmetric, first - first.mean(axis=0), atol=1e-12)
    np.testing.assert_allclose(third, first - first[2], atol=1e-12)
    assert not first[0].any()
    for model in models.values():
        np.testing.assert_allclose(model.predict_proba(X), models[None].predict_proba(X))
        np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))
    # a difference of two rows has one standard error, however the rows are shown
    c = np.zeros(16)
    c[5], c[13] = 1, -1
    variances = [c @ model.covariance_ @ c for model in models.values()]
    np.testing.assert_allclose(variances, variances[0], rtol=1e-9)


def test_two_classes_give_the_estimate_of_logistic_regression() -> None:
    X, y = sample(200, K=2)
    binary = logistic.LogisticRegression().fit(X, y)
    model = SoftmaxRegression(reference=0).fit(X, y)
    np.testing.assert_allclose(all_of(model)[1], np.append(binary.intercept_, binary.coef_))
    np.testing.assert_allclose(model.standard_errors_[1], binary.standard_errors_)
    np.testing.assert_allclose(model.decision_function(X), binary.decision_function(X))
    tight = SoftmaxRegression(C=2.0, tol=1e-12).fit(X, y)
    half = logistic.LogisticRegression(C=4.0, tol=1e-12).fit(X, y)
    np.testing.assert_allclose(tight.coef_[1] - tight.coef_[0], half.coef_[0], rtol=1e-9)


@pytest.mark.parametrize("C", [1e-2, 1.0])
@pytest.mark.parametrize("reference", [None, 1])
def test_the_penalty_agrees_with_scikit_learn(C: float, reference: int | None) -> None:
    X, y = sample(200)
    weights = np.random.default_rng(2).uniform(0.5, 2, 200)
    other = linear_model.LogisticRegression(C=C, solver="newton-cholesky", tol=1e-13, max_iter=1000)
    other.fit(X, y, sample_weight=weights)
    ours = SoftmaxRegression(C=C, tol=1e-13, reference=reference).fit(X, y, weights)
    np.testing.assert_allclose(ours.predict_proba(X), other.predict_proba(X), atol=1e-9)
    if reference is None:
        np.testing.assert_allclose(ours.coef_, other.coef_, atol=1e-8)
    assert ours.score(X, y) == other.score(X, y)


def test_a_class_without_weight_is_not_learned() -> None:
    X, y = sample(100)
    model = SoftmaxRegression().fit(X, y, sample_weight=(y != 2).astype(float))
    assert model.classes_.tolist() == [0, 1, 3]
    assert model.predict_proba(X).shape == (100, 3)


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_every_class_is_expected_as_often_as_it_was_observed(seed: int) -> None:
    X, y = sample(60, 2, 3, seed)
    model = SoftmaxRegression(C=1.0).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=0), np.bincount(y), atol=1e-6)


# --------------------------------------------------------------------------- published tables


@pytest.mark.parametrize(
    ("load", "errors", "digit"),
    [
        pytest.param(load_vowel, (0.22, 0.51), 0.01, id="vowel"),
        pytest.param(
            load_statlog_landsat, (0.119, 0.163), 0.005, id="landsat", marks=pytest.mark.slow
        ),
    ],
)
def test_the_error_rates_are_the_published_ones(
    load: Callable, errors: tuple[float, float], digit: float
) -> None:
    data = load()
    model = SoftmaxRegression().fit(data.X[data.train], data.y[data.train])
    assert model.converged_
    for part, error in zip((data.train, data.test), errors, strict=True):
        assert 1 - model.score(data.X[part], data.y[part]) == pytest.approx(error, abs=digit)


# ---------------------------------------------------------------------------- separable data


def test_three_separable_classes_have_no_maximum() -> None:
    X = np.array([[-2.0, 0], [-2, 1], [-3, 0], [2, 0], [2, 1], [3, 0], [0, 4], [1, 4], [0, 5]])
    y = np.repeat([0, 1, 2], 3)
    with pytest.warns(ConvergenceWarning, match="completely separated"):
        model = SoftmaxRegression().fit(X, y)
    assert not model.converged_
    assert is_separating(model.separating_direction_, X, y)
    assert np.isfinite(all_of(model)).all()
    assert SoftmaxRegression(C=1.0).fit(X, y).converged_


def test_one_class_apart_from_two_overlapping_ones_is_quasi_separation() -> None:
    data = load_iris()
    with pytest.warns(ConvergenceWarning, match="quasi-completely separated"):
        model = SoftmaxRegression().fit(data.X, data.y)
    V = model.separating_direction_
    assert is_separating(V, data.X, data.y)
    m = margins(V, data.X, data.y)
    others = data.y != 0
    np.testing.assert_allclose(m[np.ix_(others, [1, 2])], 0, atol=1e-9)
    assert (m[~others][:, 1:] > 0).all()
    pair = logistic.LogisticRegression().fit(data.X[others], data.y[others])
    ours = model.predict_proba(data.X[others])[:, 2]
    np.testing.assert_allclose(ours, pair.predict_proba(data.X[others])[:, 1], atol=1e-5)


def whole_separation(X: np.ndarray, y: np.ndarray) -> np.ndarray | None:
    """Which pairs of an example and another class can be won, in whole numbers; None for none.

    The directions that lose no pair are a cone. Its edges are orthogonal to as many rows as there
    are dimensions less one, so all of them are among the cofactors of such rows.
    """
    K, A = y.max() + 1, with_ones(X).astype(int)
    rows = []
    for example, label in zip(A, y, strict=True):
        for k in set(range(K)) - {label}:
            row = np.zeros((K, A.shape[1]), dtype=int)
            row[label], row[k] = example, -example
            rows.append(row[1:].ravel())  # the first class keeps the row 0
    R = np.array(rows)
    p = R.shape[1]
    assert np.linalg.matrix_rank(R) == p  # else the cone has no edges
    inside = np.zeros(len(R), dtype=int)
    for chosen in itertools.combinations(np.unique(R, axis=0), p - 1):
        minors = [np.linalg.det(np.delete(np.array(chosen), j, axis=1)) for j in range(p)]
        edge = np.rint(minors).astype(int) * (-1) ** np.arange(p)
        for v in (edge, -edge):
            if v.any() and (R @ v >= 0).all():
                inside += R @ v
    return inside > 0 if inside.any() else None


@pytest.mark.parametrize(("d", "K"), [(1, 2), (2, 2), (1, 3)])
def test_what_separates_is_right_in_whole_numbers(d: int, K: int) -> None:
    """Which margins are above 0, and which are exactly 0, on data full of ties."""
    seen = set()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X = rng.integers(-2, 3, (int(rng.integers(5, 9)), d))
        y = np.minimum(rng.integers(0, K + 1, len(X)), K - 1)
        if rng.random() < 0.7:
            y = np.clip(X[:, 0] + rng.integers(0, 2, len(X)), 0, K - 1)
        if len(set(y)) < K or np.linalg.matrix_rank(with_ones(X)) <= d:
            continue
        won = whole_separation(X, y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = SoftmaxRegression().fit(X, y)
        assert model.converged_ == (won is None), seed
        seen.add("none" if won is None else "all" if won.all() else "some")
        if won is not None:
            m = margins(model.separating_direction_, X, y)
            others = y[:, None] != np.arange(K)
            assert (m[others] > -1e-12).all(), seed
            np.testing.assert_array_equal(m[others] > 1e-9, won, err_msg=str(seed))
    assert seen == {"none", "some", "all"}


# -------------------------------------------------------------------------------- hard cases


def test_fifty_classes() -> None:
    X, y = sample(2500, 3, 50)
    model = SoftmaxRegression().fit(X, y)
    assert model.converged_
    assert model.coef_.shape == (50, 3)
    assert np.abs(sf.gradient(X, y, all_of(model))).max() < 1e-10
    assert np.isfinite(model.standard_errors_).all()


def test_one_example_in_a_class() -> None:
    X, y = sample(60, 1, 3)
    X = np.append(X, [[0.1]], axis=0)
    y = np.append(y, 3)
    model = SoftmaxRegression(reference=0, tol=1e-12).fit(X, y)
    other = sm.MNLogit(y, with_ones(X)).fit(disp=0, tol=1e-14, maxiter=100)
    np.testing.assert_allclose(all_of(model)[1:], other.params.T, rtol=1e-7)
    np.testing.assert_allclose(model.standard_errors_[1:], other.bse.T, rtol=1e-7)


def test_redundant_features_share_and_have_no_standard_errors() -> None:
    X, y = sample(200)
    plain = SoftmaxRegression(reference=0).fit(X, y)
    wide = np.column_stack([X, X[:, 0], np.full(200, 5.0)])
    model = SoftmaxRegression(reference=0).fit(wide, y)
    np.testing.assert_allclose(model.coef_[:, [0, 3]], plain.coef_[:, [0, 0]] / 2, atol=1e-8)
    assert not model.coef_[:, 4].any()
    with pytest.warns(UserWarning, match=r"bias, feature 0, feature 3, feature 4"):
        errors = model.standard_errors_
    np.testing.assert_allclose(errors[:, 2:4], plain.standard_errors_[:, 2:4], atol=1e-8)


def test_more_features_than_examples() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((18, 40)), np.arange(18) % 3
    with pytest.warns(ConvergenceWarning, match="completely separated"):
        model = SoftmaxRegression().fit(X, y)
    assert is_separating(model.separating_direction_, X, y)
    tight = SoftmaxRegression(C=1.0, tol=1e-12).fit(X, y)
    other = linear_model.LogisticRegression(C=1.0, tol=1e-12, max_iter=10_000).fit(X, y)
    np.testing.assert_allclose(tight.coef_, other.coef_, atol=1e-6)
