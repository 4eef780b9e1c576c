"""Splits, cross-validation and standardising against scikit-learn and by counting."""

from __future__ import annotations

import warnings
from inspect import signature
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import model_selection as sk
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lectures_lib import selection as sel
from lectures_lib.datasets import load_iris
from lectures_lib.gaussian import GaussianNB, LinearDiscriminantAnalysis
from lectures_lib.margin import SoftMarginSVM
from lectures_lib.perceptron import KernelPerceptron, Perceptron
from tests.sklearn_checks import run_check_estimator

quick = settings(deadline=None, max_examples=25)
labels_lists = st.lists(st.sampled_from("abc"), min_size=4, max_size=40).filter(
    lambda y: min(y.count(c) for c in set(y)) >= 2
)


@pytest.mark.parametrize("name", sorted(set(sel.__all__) & set(sk.__all__)))
def test_what_has_scikit_learns_name_has_its_arguments_in_its_order(name: str) -> None:
    ours, theirs = ([*signature(getattr(home, name)).parameters] for home in (sel, sk))
    assert [a for a in theirs if a in ours] == [a for a in ours if a != "rng"]  # not random_state


# --- splits ----------------------------------------------------------------------------------


@quick
@given(st.integers(2, 60), st.floats(0.05, 0.9), st.integers(0, 10**6))
def test_a_split_uses_every_example_once_and_keeps_rows_together(
    n: int, test_size: float, seed: int
) -> None:
    X, y = np.arange(2 * n).reshape(n, 2), np.arange(n)
    expected = int(np.ceil(n * test_size - 1e-9))
    if expected >= n:
        return
    X_train, X_test, y_train, y_test = sel.train_test_split(X, y, test_size=test_size, rng=seed)
    np.testing.assert_array_equal(y_test, sel.train_test_split(y, test_size=test_size, rng=seed)[1])
    assert len(y_test) == expected
    assert sorted([*y_train, *y_test]) == list(range(n))
    np.testing.assert_array_equal(X_train[:, 0], 2 * y_train)
    np.testing.assert_array_equal(X_test[:, 0], 2 * y_test)


@quick
@given(labels_lists, st.integers(1, 39), st.integers(0, 10**6))
def test_a_stratified_split_gives_each_class_its_share_up_to_one(
    y: list[str], n_test: int, seed: int
) -> None:
    n_test = min(n_test, len(y) - 1)
    train, test = sel.train_test_split(y, test_size=n_test, rng=seed, stratify=y)
    assert len(test) == n_test
    for label in set(y):
        share = y.count(label) * n_test / len(y)
        found = list(test).count(label)
        assert abs(found - share) < 1
        assert found + list(train).count(label) == y.count(label)


@pytest.mark.parametrize(("share", "strata"), [(0.3, None), (0.5, [0] * 6 + [1] * 4)])
def test_splits_choose_every_example_equally_often(share: float, strata: Any) -> None:
    rng, y = np.random.default_rng(0), np.arange(10)
    options: Any = {"test_size": share, "rng": rng, "stratify": strata}
    draws = [sel.train_test_split(y, **options)[1] for _ in range(1000)]
    frequency = np.bincount(np.concatenate(draws), minlength=10) / 1000
    np.testing.assert_allclose(frequency, share, atol=0.07)


@quick
@given(st.integers(2, 50), st.integers(2, 10))
def test_folds_in_order_are_scikit_learns(n: int, n_splits: int) -> None:
    if n_splits > n:
        return
    ours = sel.k_fold(n, n_splits)
    for (train, test), (sk_train, sk_test) in zip(
        ours, sk.KFold(n_splits).split(np.zeros(n)), strict=True
    ):
        np.testing.assert_array_equal(train, sk_train)
        np.testing.assert_array_equal(test, sk_test)


@quick
@given(labels_lists, st.integers(2, 4))
def test_stratified_folds_in_order_are_scikit_learns(y: list[str], n_splits: int) -> None:
    if max(y.count(c) for c in set(y)) < n_splits:
        return
    theirs = sk.StratifiedKFold(n_splits)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a class with fewer examples than folds
        pairs = list(theirs.split(np.zeros(len(y)), y))
    for (train, test), (sk_train, sk_test) in zip(
        sel.k_fold(len(y), n_splits, stratify=y), pairs, strict=True
    ):
        np.testing.assert_array_equal(train, sk_train)
        np.testing.assert_array_equal(test, sk_test)


@quick
@given(labels_lists, st.integers(2, 4), st.integers(0, 10**6))
def test_shuffled_stratified_folds_are_balanced_and_cover_everything(
    y: list[str], n_splits: int, seed: int
) -> None:
    folds = sel.k_fold(len(y), n_splits, rng=seed, stratify=y)
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(len(y)))
    sizes = [len(test) for _, test in folds]
    assert max(sizes) - min(sizes) <= 1
    for label in set(y):
        per_fold = [list(np.array(y)[test]).count(label) for _, test in folds]
        assert max(per_fold) - min(per_fold) <= 1
    for train, test in folds:
        assert sorted([*train, *test]) == list(range(len(y)))


# --- cross-validation ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "model", [LinearDiscriminantAnalysis(), LogisticRegression(max_iter=500)], ids=repr
)
def test_cross_validation_agrees_with_scikit_learn_for_models_of_both_libraries(model: Any) -> None:
    iris = load_iris()
    for cv in (5, 3):
        ours, theirs = (home.cross_val_score(model, iris.X, iris.y, cv=cv) for home in (sel, sk))
        np.testing.assert_allclose(ours, theirs, atol=1e-12)
    folds = sel.k_fold(150, 5, rng=0, stratify=iris.y)
    ours, theirs = (home.cross_val_score(model, iris.X, iris.y, cv=folds) for home in (sel, sk))
    np.testing.assert_allclose(ours, theirs, atol=1e-12)
    assert not [name for name in vars(model) if name.endswith("_")]  # copies were fitted


def test_standardising_inside_the_folds_is_what_a_pipeline_does() -> None:
    iris = load_iris()
    inner = LogisticRegression(C=0.1, max_iter=500)
    np.testing.assert_allclose(
        sel.cross_val_score(sel.Standardized(inner), iris.X, iris.y),
        sk.cross_val_score(make_pipeline(StandardScaler(), inner), iris.X, iris.y),
    )


# --- standardising ---------------------------------------------------------------------------


@quick
@given(st.integers(1, 20), st.integers(1, 4), st.integers(0, 10**6))
def test_the_standardizer_agrees_with_scikit_learn(n: int, d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (n, d)) * 1.5
    w = rng.integers(0, 3, n) + (np.arange(n) == 0)
    for weights in (None, w):
        ours = sel.Standardizer().fit(X, sample_weight=weights)
        expected = StandardScaler().fit(X, sample_weight=weights).transform(X)
        np.testing.assert_allclose(ours.transform(X), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("scale", "shift", "rtol"), [(1e150, 0, 1e-9), (1e-150, 0, 1e-9), (1, 1e8, 1e-6)]
)
def test_standardised_data_depend_neither_on_the_unit_nor_on_the_origin(
    scale: float, shift: float, rtol: float
) -> None:
    moved = np.random.default_rng(0).standard_normal((50, 3)) * scale + shift
    found = sel.Standardizer().fit_transform(moved)
    back = (moved - shift) / scale  # exact: what the numbers near 1e8 still hold
    plain = (back - back.mean(axis=0)) / back.std(axis=0)
    np.testing.assert_allclose(found, plain, rtol=rtol, atol=rtol)


@pytest.mark.parametrize("value", [0.0, 0.1, 1e8 + 0.1, -1e-300, 1e300])
def test_a_constant_feature_becomes_zero_and_not_noise(value: float) -> None:
    X = np.column_stack([np.full(7, value), np.arange(7.0)])
    Z = sel.Standardizer().fit_transform(X)
    assert (Z[:, 0] == 0).all()
    assert Z[:, 1].std() == pytest.approx(1)


def test_new_data_are_measured_by_the_old_mean_and_width() -> None:
    scaler = sel.Standardizer().fit([[0.0], [2.0]])
    assert scaler.transform([[4.0]])[0, 0] == 3.0


def test_scikit_learn_accepts_the_standardizer() -> None:
    run_check_estimator(sel.Standardizer())


@pytest.mark.parametrize(
    "inner",
    [SoftMarginSVM(), GaussianNB(var_smoothing=1e-9)],
    ids=repr,
)
def test_scikit_learn_accepts_standardized_models(inner: Any) -> None:
    run_check_estimator(sel.Standardized(inner))


def test_a_standardized_model_has_exactly_the_methods_of_its_inner_model() -> None:
    assert not hasattr(sel.Standardized(Perceptron()), "predict_proba")
    assert hasattr(sel.Standardized(Perceptron()), "decision_function")
    assert hasattr(sel.Standardized(GaussianNB()), "predict_proba")
    pair = load_iris().only("setosa", "virginica")
    model = sel.Standardized(GaussianNB()).fit(pair.X, pair.y)
    assert model.predict_proba(pair.X).shape == (100, 2)
    with pytest.raises(ValueError, match="KernelPerceptron"):
        sel.Standardized(KernelPerceptron()).fit(pair.X, pair.y, sample_weight=np.ones(100))
    with pytest.raises(TypeError, match="Perceptron"):
        sel.Standardized(Perceptron).fit(pair.X, pair.y)


# --- bad input -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sel.train_test_split(rng=0), "arrays: found none"),
        (lambda: sel.train_test_split([1, 2], [1], rng=0), r"found lengths \[2, 1\]"),
        (lambda: sel.train_test_split([1], rng=0), "at least 2"),
        (lambda: sel.train_test_split([1, 2], test_size=2, rng=0), "test_size: found 2"),
        (lambda: sel.train_test_split([1, 2], test_size=0.0, rng=0), "test_size: found 0.0"),
        (lambda: sel.train_test_split([1, 2, 3], rng=0, stratify=[0, 0, 1]), "one example only"),
        (lambda: sel.train_test_split([1, 2, 3], rng=0, stratify=[0, 0]), "stratify: found 2"),
        (lambda: sel.k_fold(3, 4), "n_splits: found 4"),
        (lambda: sel.k_fold(3, 1), "n_splits: found 1"),
        (lambda: sel.cross_val_score(GaussianNB(), [[0]], [0], cv=[]), "cv: found no folds"),
        (lambda: sel.Standardizer().fit([[np.nan]]), "X: found NaN"),
        (lambda: sel.Standardizer().fit([[1.0]]).transform([[1.0, 2.0]]), "X has 2 features"),
        (lambda: sel.Standardizer().fit([[1.0]], sample_weight=[-1]), "sample_weight"),
    ],
)
def test_bad_input_is_named(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
