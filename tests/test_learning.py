"""The memoriser, cuts on a line, and the three sources of error, each against another way."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib.learning import (
    CutClassifier,
    NearestNeighbour,
    apply_cuts,
    draw_wave,
    error_sources,
    risk_of_cuts,
    wave_posterior,
)
from lectures_lib.learning._cuts import fewest_mistakes
from lectures_lib.learning._sources import best_cuts

from .sklearn_checks import run_check_estimator

ALL_GAPS = [0.155, 0.142, 0.070, 0.066, 0.0]


ONE_FEATURE = {"check_classifiers_train": "it wants 83 % right, on data that need two features"}


def test_the_memoriser_follows_the_conventions_of_scikit_learn() -> None:
    assert run_check_estimator(NearestNeighbour()) > 45


@pytest.mark.parametrize("max_cuts", [1, 3])
def test_cuts_follow_the_conventions_of_scikit_learn(max_cuts) -> None:
    assert run_check_estimator(CutClassifier(max_cuts), ONE_FEATURE) > 45


@pytest.mark.parametrize(
    ("kind", "scale", "shift"),
    [
        ("plain", 1.0, 0.0),
        ("plain", 1e-150, 0.0),
        ("plain", 1e140, 0.0),
        ("plain", 1.0, 1e8),
        ("whole numbers", 1.0, 0.0),  # many ties
        ("all equal", 1.0, 3.0),
        ("far example", 1.0, 0.0),
        ("far question", 1.0, 0.0),
        ("odd units", 1e4, 0.0),
    ],
)
def test_the_quick_search_finds_the_distances_of_the_slow_one(kind, scale, shift) -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        d, K = rng.integers(1, 9), rng.integers(2, 5)
        X, new = rng.standard_normal((K * rng.integers(1, 30), d)), rng.standard_normal((20, d))
        if kind == "whole numbers":
            X, new = np.round(2 * X), np.round(2 * new)
        X = 0 * X if kind == "all equal" else X
        X[0] *= 1e10 if kind == "far example" else 1
        new[0] *= 1e60 if kind == "far question" else 1
        units = 10.0 ** rng.uniform(-9, 9, d) if kind == "odd units" else np.ones(d)
        X, new = scale * units * X + shift, scale * units * new + shift
        y = np.arange(len(X)) % K
        differences = new[:, None] - X
        slow = np.sqrt(np.einsum("ijk,ijk->ij", differences, differences))
        least = np.array([slow[:, y == k].min(axis=1) for k in range(K)]).T
        found = NearestNeighbour().fit(X, y).decision_function(new)
        np.testing.assert_array_equal(found, least[:, 0] - least[:, 1] if K == 2 else -least)


def _by_brute_force(costs, k: int) -> float:
    """The least cost over all places of at most k changes."""
    M = len(costs)
    best = np.inf
    for changes in range(k + 1):
        for places in combinations(range(1, M), changes):
            for first in (0, 1):
                labels = (first + np.searchsorted(places, np.arange(M), side="right")) % 2
                best = min(best, costs[np.arange(M), labels].sum())
    return best


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.integers(-3, 5), st.integers(-3, 5)), min_size=1, max_size=8),
    st.integers(0, 5),
)
def test_no_labels_with_so_few_changes_are_cheaper(costs, k) -> None:
    table = np.array(costs, dtype=float)
    labels = fewest_mistakes(table, k)
    np.testing.assert_array_equal(fewest_mistakes([table, -table, table], k)[2], labels)
    assert np.count_nonzero(labels[1:] != labels[:-1]) <= k
    assert table[np.arange(len(table)), labels].sum() == _by_brute_force(table, k)


def test_equal_values_are_never_separated_and_weights_count() -> None:
    X, y = np.array([[1.0], [1.0], [1.0], [2.0]]), np.array([0, 1, 1, 0])
    model = CutClassifier().fit(X, y)
    assert (model.cuts_.tolist(), model.first_) == ([1.5], 1)
    heavy = CutClassifier(max_cuts=0).fit(X, y, sample_weight=[1, 0.2, 0.2, 1])
    assert heavy.predict([[0.0]])[0] == 0
    twice = CutClassifier(2).fit(np.repeat(X, 2, axis=0), np.repeat(y, 2))
    once = CutClassifier(2).fit(X, y, sample_weight=[2, 2, 2, 2])
    np.testing.assert_array_equal(twice.cuts_, once.cuts_)


def test_a_polynomial_with_these_roots_has_these_signs() -> None:
    rng = np.random.default_rng(3)
    for k in range(6):
        roots, x = rng.random(k), rng.random(500)
        sign = (-1) ** k * np.prod(x[:, None] - roots, axis=1) > 0
        np.testing.assert_array_equal(apply_cuts(roots, 1, x), sign)


def test_errors_name_what_was_found() -> None:
    with pytest.raises(ValueError, match=r"costs: found .*\(3,\)"):
        fewest_mistakes([1, 2, 3], 1)
    with pytest.raises(ValueError, match="feature: found 2"):
        CutClassifier(feature=2).fit([[1, 2], [3, 4]], [0, 1])
    with pytest.raises(ValueError, match=r"x: found .* 1\.5"):
        wave_posterior([0.5, 1.5])


# --- the experiment --------------------------------------------------------------------------


def test_the_best_risk_is_the_mean_of_the_smaller_posterior() -> None:
    x = (np.arange(200_000) + 0.5) / 200_000
    p = wave_posterior(x)
    assert risk_of_cuts(*best_cuts(5)) == pytest.approx(np.minimum(p, 1 - p).mean(), abs=1e-6)
    assert best_cuts(7) is best_cuts(7)
    np.testing.assert_allclose(wave_posterior(best_cuts(9)[0]), 0.5, atol=1e-12)


def test_the_risk_of_cuts_is_the_share_of_wrong_labels_on_fresh_examples() -> None:
    x, y = draw_wave(400_000, 1)
    for cuts, first in (([0.2, 0.5], 0), ([], 1), ([0.7], 1), ([0.1, 0.4, 0.9], 0)):
        share = np.mean(apply_cuts(cuts, first, x) != y)
        assert risk_of_cuts(cuts, first) == pytest.approx(share, abs=0.003)


def test_no_few_cuts_are_better_than_the_best_of_their_class() -> None:
    rng = np.random.default_rng(0)
    for k in range(5):
        best = risk_of_cuts(*best_cuts(k))
        tried = [risk_of_cuts(rng.random(k), first) for _ in range(400) for first in (0, 1)]
        assert best <= min(tried) + 1e-9
        assert best - risk_of_cuts(*best_cuts(5)) == pytest.approx([0.243, *ALL_GAPS][k], abs=6e-4)


def test_the_four_functions_are_in_order_where_theory_says_so() -> None:
    for n, degree in ((20, 3), (80, 5), (160, 9)):
        result = error_sources(n, degree, 60, repeats=50)
        assert result.best <= result.in_class + 1e-12
        assert (result.on_sample >= result.in_class - 1e-6).all()
        parts = result.best + sum(result.gaps)
        assert parts == pytest.approx(result.returned.mean())


def test_a_longer_search_comes_nearer_to_the_fewest_mistakes_and_never_below() -> None:
    errors = np.zeros((4, 10))
    for seed in range(10):
        for row, steps in enumerate((1, 16, 256, 1024)):
            result = error_sources(60, 3, steps, repeats=1, rng=seed)
            x, y = result.sample
            errors[row, seed] = np.mean(apply_cuts(*result.functions[3], x) != y)
            assert errors[row, seed] >= result.training_error[0] - 1e-12
            errors[row, seed] -= result.training_error[0]
    means = errors.mean(axis=1).tolist()
    assert means == sorted(means, reverse=True)
    assert means[-1] < 0.005


def test_the_functions_of_the_first_sample_have_the_stated_risks() -> None:
    result = error_sources(40, 5, 16, repeats=3)
    (x, y), functions = result.sample, result.functions
    risks = (result.best, result.in_class, result.on_sample[0], result.returned[0])
    assert [risk_of_cuts(*f) for f in functions] == pytest.approx(risks)
    assert np.mean(apply_cuts(*functions[2], x) != y) == pytest.approx(result.training_error[0])
    model = CutClassifier(5).fit(x[:, None], y)
    assert 1 - model.score(x[:, None], y) == pytest.approx(result.training_error[0])


def test_each_slider_moves_mostly_its_own_bar() -> None:
    def change(low, high):
        return np.abs(np.subtract(error_sources(*high).gaps, error_sources(*low).gaps))

    degree = change((160, 1, 1024), (160, 5, 1024))
    size = change((20, 5, 1024), (1280, 5, 1024))
    steps = change((160, 5, 1), (160, 5, 1024))
    assert [int(c.argmax()) for c in (degree, size, steps)] == [0, 1, 2]
    for c in (degree, size, steps):
        assert c.max() > 5 * np.sort(c)[1]
