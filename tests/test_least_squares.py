"""Least squares on class indicators."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from lectures_lib._core.validation import Array
from lectures_lib.datasets import load_vowel
from lectures_lib.least_squares import LeastSquaresClassifier

SEEDS = st.integers(0, 10_000)
quick = settings(deadline=None, max_examples=15)


def clouds(seed: int, K: int = 3, n: int = 80, d: int = 3) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    y = np.r_[np.arange(K), rng.integers(0, K, size=n - K)]
    return rng.normal(size=(n, d)) + 2 * rng.normal(size=(K, d))[y], y


def by_lstsq(X: Array, T: Array, weights: Array | None = None) -> tuple[Array, Array]:
    """Coefficients and intercepts by numpy's lstsq with a column of ones."""
    A, root = np.c_[np.ones(len(X)), X], np.sqrt(1.0 if weights is None else weights)
    B = np.linalg.lstsq(A * np.c_[root], T * np.c_[root], rcond=None)[0]
    return B[1:].T, B[0]


def test_a_small_case_agrees_with_fractions() -> None:
    # x = 0, 1, 2, 5 with s = -1, -1, 1, 1: slope Sxs/Sxx with exact sums
    x, s = [Fraction(v) for v in (0, 1, 2, 5)], [-1, -1, 1, 1]
    mean = sum(x) / 4
    slope = sum((a - mean) * b for a, b in zip(x, s, strict=True)) / sum((a - mean) ** 2 for a in x)
    model = LeastSquaresClassifier().fit([[0], [1], [2], [5]], s)
    assert model.coef_.shape == (1, 1)
    assert model.intercept_.shape == (1,)
    assert model.coef_[0, 0] == pytest.approx(float(slope))
    assert model.intercept_[0] == pytest.approx(float(-slope * mean))


@given(SEEDS, st.integers(3, 6), st.booleans())
@quick
def test_many_classes_agree_with_lstsq_on_indicators(seed: int, K: int, weighted: bool) -> None:
    X, y = clouds(seed, K)
    weights = np.random.default_rng(seed).uniform(0, 3, size=len(y)) if weighted else None
    model = LeastSquaresClassifier().fit(X, y, sample_weight=weights)
    coef, intercept = by_lstsq(X, np.eye(K)[y], weights)
    np.testing.assert_allclose(model.coef_, coef, atol=1e-10)
    np.testing.assert_allclose(model.intercept_, intercept, atol=1e-10)
    np.testing.assert_allclose(model.decision_function(X).sum(axis=1), 1, atol=1e-10)


@given(SEEDS)
@quick
def test_two_classes_use_the_difference_of_the_two_indicator_fits(seed: int) -> None:
    X, y = clouds(seed, 2)
    model = LeastSquaresClassifier().fit(X, y)
    coef, intercept = by_lstsq(X, np.eye(2)[y])
    np.testing.assert_allclose(model.coef_[0], coef[1] - coef[0], atol=1e-10)
    f = X @ coef.T + intercept
    assert (model.predict(X) == f.argmax(axis=1)).all()


@pytest.mark.parametrize("a", [1.0, 7.5])
def test_three_symmetric_groups_give_the_middle_class_a_constant_fit_of_one_third(a: float) -> None:
    X = np.array([-a, 0, a]).repeat(4)[:, None]
    y = np.array([0, 1, 2]).repeat(4)
    model = LeastSquaresClassifier().fit(X, y)
    np.testing.assert_allclose(model.coef_[:, 0], [-1 / (2 * a), 0, 1 / (2 * a)], atol=1e-12)
    np.testing.assert_allclose(model.intercept_, 1 / 3)
    grid = np.linspace(-3 * a, 3 * a, 100)[:, None]
    assert 1 not in model.predict(grid)  # masked
    cured = LeastSquaresClassifier().fit(np.c_[X, X**2], y)
    assert (cured.predict(np.c_[X, X**2]) == y).all()


@given(SEEDS)
@quick
def test_with_equal_class_sizes_two_classes_share_the_boundary_of_lda(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 30)
    X = rng.normal(size=(60, 3)) + np.outer(y, [1.0, 2, 0])
    ours = LeastSquaresClassifier().fit(X, y)
    lda = LinearDiscriminantAnalysis(solver="lsqr").fit(X, y)
    scale = ours.coef_[0, 1] / lda.coef_[0, 1]
    np.testing.assert_allclose(ours.coef_, scale * lda.coef_, rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(ours.intercept_, scale * lda.intercept_, rtol=1e-7, atol=1e-9)


def test_the_vowel_error_rates_are_those_of_the_published_table() -> None:
    vowel = load_vowel()
    X, y, train, test = vowel.X, vowel.y, vowel.train, vowel.test
    model = LeastSquaresClassifier().fit(X[train], y[train])
    assert 1 - model.score(X[train], y[train]) == pytest.approx(0.48, abs=0.01)
    assert 1 - model.score(X[test], y[test]) == pytest.approx(0.67, abs=0.01)


# --- hard cases ---------------------------------------------------------------------------------


def test_ill_conditioned_columns_are_solved_as_well_as_by_an_orthogonal_method() -> None:
    rng = np.random.default_rng(0)
    X, y = clouds(4, 3, n=300)
    X = np.c_[X, X[:, 0] + 1e-6 * rng.normal(size=300)]
    model = LeastSquaresClassifier().fit(X, y)
    coef, intercept = by_lstsq(X, np.eye(3)[y])
    np.testing.assert_allclose(model.coef_, coef, rtol=1e-6)
    fitted = X @ coef.T + intercept
    np.testing.assert_allclose(model.decision_function(X), fitted, atol=1e-8)


def test_equal_columns_share_the_coefficient_and_keep_the_fit() -> None:
    X, y = clouds(5, 3)
    once = LeastSquaresClassifier().fit(X, y)
    twice = LeastSquaresClassifier().fit(np.c_[X, 10 * X[:, :1]], y)
    np.testing.assert_allclose(
        twice.decision_function(np.c_[X, 10 * X[:, :1]]), once.decision_function(X), atol=1e-10
    )
    np.testing.assert_allclose(twice.coef_[:, 0], 10 * twice.coef_[:, 3], rtol=1e-8)


@pytest.mark.parametrize("value", [0.0, 1.1, 1e8 + 0.1, -1e16])
def test_a_constant_feature_gets_no_weight(value: float) -> None:
    X, y = clouds(6, 3, n=301)
    with_it = np.c_[np.full(len(X), value), X]
    model = LeastSquaresClassifier().fit(with_it, y)
    assert (model.coef_[:, 0] == 0).all()
    np.testing.assert_allclose(model.coef_[:, 1:], LeastSquaresClassifier().fit(X, y).coef_)
    alone = LeastSquaresClassifier().fit(with_it[:, :1], y)
    assert (alone.predict(with_it[:, :1]) == np.bincount(y).argmax()).all()


def test_a_feature_is_constant_if_it_is_so_where_the_weights_are_positive() -> None:
    X, y = clouds(6, 3)
    weights = np.ones(len(y))
    weights[5] = 0
    with_it = np.c_[np.where(weights > 0, 0.1, 7.0), X]
    model = LeastSquaresClassifier().fit(with_it, y, sample_weight=weights)
    assert (model.coef_[:, 0] == 0).all()


def test_a_column_that_varies_in_its_last_bits_is_not_taken_for_constant() -> None:
    X = np.array([[1e16], [1e16], [1e16 + 2], [1e16 + 2]])
    model = LeastSquaresClassifier().fit(X, [0, 0, 1, 1])
    assert (model.predict(X) == [0, 0, 1, 1]).all()


def test_numbers_too_large_to_square_are_refused_and_tiny_ones_fitted() -> None:
    X, y = clouds(10, 2)
    with pytest.raises(ValueError, match=r"X: .*e\+\d+ overflow"):
        LeastSquaresClassifier().fit(X * 1e200, y)
    tiny, usual = LeastSquaresClassifier().fit(X * 1e-200, y), LeastSquaresClassifier().fit(X, y)
    np.testing.assert_allclose(tiny.coef_ * 1e-200, usual.coef_, rtol=1e-9)


@pytest.mark.parametrize("shift", [1e4, 1e6, 1e8])
def test_a_feature_and_its_shifted_copy_say_no_more_than_the_feature(shift: float) -> None:
    """In exact arithmetic the copy is redundant; its rounding must not pass for information."""
    rng = np.random.default_rng(0)
    for _ in range(8):
        c = rng.normal(20, 5, 100)
        y = (c + rng.normal(0, 3, 100) > 20).astype(int)
        both, copy = np.c_[c, c + shift], shift - (c + shift)
        alone = LeastSquaresClassifier().fit(c[:, None], y)
        model = LeastSquaresClassifier().fit(both, y)
        apart = model.decision_function(both) - alone.decision_function(c[:, None])
        assert np.abs(apart).max() < 1e-9 + 10 * np.abs(copy + c).max()
        assert np.abs(model.coef_).max() < 1


@pytest.mark.parametrize("shift", [0, 1e4, 1e8])
def test_wide_data_get_the_shortest_solution_wherever_they_lie(shift: float) -> None:
    rng = np.random.default_rng(1)
    for _ in range(8):
        N, d = int(rng.integers(5, 30)), int(rng.integers(30, 80))
        X = rng.normal(size=(N, d)) * 10.0 ** rng.uniform(-2, 2, d) + shift
        y = np.r_[0, 1, rng.integers(0, 2, N - 2)]
        exact = X - X[0]  # no rounding: the numbers are neighbours, or near 0
        unit = exact.std(axis=0)
        Z, s = (exact - exact.mean(axis=0)) / unit, 2 * y - 1
        shortest = np.linalg.pinv(Z, rcond=1e-10) @ (s - s.mean())
        found = LeastSquaresClassifier().fit(X, y).coef_[0] * unit
        assert np.linalg.norm(found - shortest) < 1e-9 * np.linalg.norm(shortest)
