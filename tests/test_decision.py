"""Decision theory against brute force, exact fractions, SciPy and numeric integration."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from lectures_lib import decision as dt
from lectures_lib._core.normal import normal_quantile

quick = settings(deadline=None, max_examples=25)


@st.composite
def joint_tables(draw: st.DrawFn, max_x: int = 4, max_k: int = 3) -> np.ndarray:
    n, k = draw(st.integers(1, max_x)), draw(st.integers(2, max_k))
    counts = np.array(draw(st.lists(st.integers(0, 9), min_size=n * k, max_size=n * k)), float)
    assume(counts.sum() > 0)
    return counts.reshape(n, k) / counts.sum()


@st.composite
def distributions(draw: st.DrawFn, size: int = 4) -> np.ndarray:
    counts = np.array(draw(st.lists(st.integers(0, 9), min_size=size, max_size=size)), float)
    assume(counts.sum() > 0)
    return counts / counts.sum()


# --- the normal distribution -----------------------------------------------------------------


def test_the_normal_distribution_agrees_with_scipy_in_both_tails() -> None:
    z = np.linspace(-37, 37, 2001)
    np.testing.assert_allclose(dt.normal_cdf(z), special.ndtr(z), rtol=1e-12)
    np.testing.assert_allclose(dt.normal_pdf(z), stats.norm.pdf(z), rtol=1e-12)
    p = np.concatenate([10.0 ** -np.arange(1, 300, 7), np.linspace(0.001, 0.999, 101)])
    np.testing.assert_allclose(normal_quantile(p), special.ndtri(p), rtol=1e-11, atol=1e-15)


def test_the_normal_distribution_at_the_ends_and_for_plain_numbers() -> None:
    assert float(dt.normal_cdf(0)) == 0.5
    assert list(dt.normal_cdf([-np.inf, np.inf])) == [0, 1]
    assert list(dt.normal_pdf([-np.inf, np.inf, 1e200])) == [0, 0, 0]
    assert list(normal_quantile([0, 0.5, 1])) == [-np.inf, 0, np.inf]


# --- the avocado of the notes ----------------------------------------------------------------

PRIORS = [0.6, 0.4]  # ordinary 0, organic 1
LIKELIHOODS = [0.35, 0.65]  # of x = 1.4 under each


def test_avocado_by_prior_likelihood_posterior_and_costs() -> None:
    joint = [Fraction(6, 10) * Fraction(35, 100), Fraction(4, 10) * Fraction(65, 100)]
    found = dt.posterior(PRIORS, LIKELIHOODS)
    assert found == pytest.approx([float(p / sum(joint)) for p in joint], abs=1e-15)
    C = [[0, 2], [1, 0]]  # the risks are 26/47 and 42/47
    assert dt.minimum_risk_decision(found, C) == 0
    assert dt.cost_threshold(C) == pytest.approx(float(Fraction(2, 3)), abs=1e-15)


# --- discrete tables against brute force ------------------------------------------------------


@quick
@given(joint_tables(), st.integers(1, 4), st.integers(0, 10**6))
def test_the_chosen_actions_have_the_smallest_risk_of_all_rules(
    joint: np.ndarray, n_actions: int, seed: int
) -> None:
    n, k = joint.shape
    seen = joint[joint.sum(axis=1) > 0]
    posteriors = seen / seen.sum(axis=1, keepdims=True)
    for C in (
        np.random.default_rng(seed).integers(-5, 9, size=(k, n_actions)),
        1 - np.eye(k),
    ):
        least = min(
            sum(joint[x, y] * C[y, a[x]] for x in range(n) for y in range(k))
            for a in product(range(C.shape[1]), repeat=n)
        )
        chosen = dt.minimum_risk_decision(posteriors, C)
        risk = sum(seen[x] @ C[:, a] for x, a in enumerate(chosen))
        assert risk == pytest.approx(least, abs=1e-12)
    assert dt.bayes_error(joint) == pytest.approx(least, abs=1e-12)


@quick
@given(distributions(3), st.integers(0, 10**6))
def test_posteriors_agree_with_exact_fractions(prior: np.ndarray, seed: int) -> None:
    counts = np.random.default_rng(seed).integers(1, 9, size=(5, 3))
    assume((counts * prior).sum(axis=1).min() > 0)
    found = dt.posterior(prior, counts)
    for row, likelihood in zip(found, counts.tolist(), strict=True):
        joint = [Fraction(float(p)) * c for p, c in zip(prior, likelihood, strict=True)]
        assert row == pytest.approx([float(j / sum(joint)) for j in joint], abs=1e-14)


def test_ties_go_to_the_first_column() -> None:
    assert dt.minimum_risk_decision([0.5, 0.5], 1 - np.eye(2)) == 0


# --- costs -----------------------------------------------------------------------------------


@quick
@given(st.lists(st.integers(-5, 9), min_size=4, max_size=4), st.floats(0, 1))
def test_the_cost_threshold_separates_the_two_decisions(cells: list[int], p: float) -> None:
    C = np.array(cells, float).reshape(2, 2)
    assume(C[0, 1] - C[0, 0] + C[1, 0] - C[1, 1] > 0)
    threshold = dt.cost_threshold(C)
    assume(abs(p - threshold) > 1e-9)
    assert dt.minimum_risk_decision([1 - p, p], C) == (1 if p > threshold else 0)


@quick
@given(distributions(3), st.floats(0, 1))
def test_rejecting_pays_exactly_when_no_posterior_reaches_one_minus_its_cost(
    p: np.ndarray, cost: float
) -> None:
    assume(abs(p.max() - (1 - cost)) > 1e-9)
    C = np.column_stack([1 - np.eye(3), np.full(3, cost)])  # one more action
    expected = 3 if p.max() < 1 - cost else p.argmax()
    assert dt.minimum_risk_decision(p, C) == expected


# --- two Gaussians ---------------------------------------------------------------------------

two_classes = {
    "m": st.tuples(*[st.integers(-30, 30).map(lambda i: i / 10)] * 2),
    "sd": st.tuples(st.floats(0.2, 3), st.floats(0.2, 3)),
    "p": st.floats(0.02, 0.98),
}


def integrated_risk(m: Any, sd: Any, p1: float, C: Any) -> float:
    """The integral of the cheaper action's cost over a fine grid of the line."""
    x = np.linspace(-40, 40, 20_001)
    f = np.array([stats.norm.pdf(x, m[k], sd[k]) * (1 - p1, p1)[k] for k in range(2)])
    return float(integrate.simpson((f.T @ np.asarray(C, float)).min(axis=1), x=x))


@settings(deadline=None, max_examples=15)
@given(**two_classes)
def test_the_bayes_error_of_two_gaussians_is_the_integral_of_the_smaller_density(
    m: Any, sd: Any, p: float
) -> None:
    found = dt.bayes_error_two_gaussians(m, sd, [1 - p, p])
    assert found == pytest.approx(integrated_risk(m, sd, p, [[0, 1], [1, 0]]), abs=1e-5)


@quick
@given(**two_classes)
def test_at_a_boundary_both_joint_densities_are_equal_and_their_order_changes(
    m: Any, sd: Any, p: float
) -> None:
    edges = dt.boundaries_two_gaussians(m, sd, [1 - p, p])
    assert (np.diff(edges) >= 0).all()

    def advantage(x: np.ndarray) -> np.ndarray:
        logs = [stats.norm.logpdf(x, m[k], sd[k]) for k in range(2)]
        return np.log(p / (1 - p)) + logs[1] - logs[0]

    size = 1 + np.abs(stats.norm.logpdf(edges, m[1], sd[1]))
    assert (np.abs(advantage(edges)) < 1e-7 * size).all()
    # Nowhere else: the sign on a grid changes exactly at the edges that lie inside it.
    x = np.linspace(-50, 50, 4999) + 1e-4 * np.sqrt(2)
    inside = (edges > -50) & (edges < 50)
    if len(edges) == 2 and edges[1] - edges[0] < 0.1:
        return
    changes = np.flatnonzero(np.diff(np.sign(advantage(x))) != 0)
    assert len(changes) == inside.sum()


def test_equal_priors_and_widths_give_phi_of_minus_half_delta() -> None:
    for delta in (0.0, 0.5, 4.0, 20.0, 70.0):
        found = dt.bayes_error_two_gaussians([0, delta], 1, [0.5, 0.5])
        assert found == pytest.approx(special.ndtr(-delta / 2), rel=1e-10)


def test_equal_classes_leave_the_smaller_prior_as_error() -> None:
    assert dt.bayes_error_two_gaussians([1, 1], 2, [0.3, 0.7]) == pytest.approx(0.3)
    assert len(dt.boundaries_two_gaussians([1, 1], 2, [0.3, 0.7])) == 0
    assert dt.bayes_error_two_gaussians([0, 5], 1, [0, 1]) == 0
    assert len(dt.boundaries_two_gaussians([0, 1e-310], 1, [0.4, 0.6])) == 0  # at infinity
    assert dt.bayes_error_two_gaussians([0, 1e-310], 1, [0.4, 0.6]) == pytest.approx(0.4)


def test_a_narrow_class_inside_a_wide_one_has_two_boundaries() -> None:
    edges = dt.boundaries_two_gaussians([0, 0], [3, 1], [0.5, 0.5])
    assert len(edges) == 2
    assert edges[0] == pytest.approx(-edges[1])
    # a rare wide class inside a narrow one: never chosen near the centre, still chosen far out
    assert len(dt.boundaries_two_gaussians([0, 0], [1, 3], [0.999, 0.001])) == 2
    # a rare narrow class inside a wide one: chosen nowhere
    assert len(dt.boundaries_two_gaussians([0, 0], [3, 1], [0.9, 0.1])) == 0


@settings(deadline=None, max_examples=20)
@given(**two_classes, shift=st.sampled_from([-1e8, 1e8]), scale=st.sampled_from([1e-6, 1e6]))
def test_the_bayes_error_does_not_depend_on_origin_or_unit(
    m: Any, sd: Any, p: float, shift: float, scale: float
) -> None:
    plain = dt.bayes_error_two_gaussians(m, sd, [1 - p, p])
    scaled = dt.bayes_error_two_gaussians(np.multiply(m, scale), np.multiply(sd, scale), [1 - p, p])
    shifted = dt.bayes_error_two_gaussians(np.add(m, shift), sd, [1 - p, p])
    assert scaled == pytest.approx(plain, abs=1e-9)
    assert shifted == pytest.approx(plain, abs=1e-6)


def test_no_threshold_beats_the_boundary_and_the_risk_at_it_is_the_bayes_risk() -> None:
    case = ([1.1, 1.5], 0.25, [0.6, 0.4], [[0, 2], [1, 0]])
    (best,) = dt.boundaries_two_gaussians(*case)
    risk = dt.risk_of_threshold(best, *case)
    assert risk == pytest.approx(integrated_risk(case[0], [0.25] * 2, 0.4, case[3]), abs=1e-5)
    for step in (-0.3, -0.01, 0.01, 0.3):
        assert dt.risk_of_threshold(best + step, *case) > risk


@quick
@given(st.integers(1, 5), st.integers(0, 10**6))
def test_the_mahalanobis_distance_is_that_along_fishers_direction(d: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((d, d)) + 2 * np.eye(d)
    S, m = A @ A.T, rng.standard_normal((2, d))
    assume(np.linalg.cond(S) < 1e6)
    w = np.linalg.inv(S) @ (m[1] - m[0])
    delta = dt.mahalanobis_distance(m[0], m[1], S)
    assert delta**2 == pytest.approx((m[1] - m[0]) @ w, rel=1e-8)


# --- divergences -----------------------------------------------------------------------------


@quick
@given(distributions(), distributions())
def test_divergences_agree_with_scipy(p: np.ndarray, q: np.ndarray) -> None:
    H, KL = dt.entropy, dt.kl_divergence
    assert H([p, [1, 0, 0, 0]]) == pytest.approx([stats.entropy(p), 0], abs=1e-12)
    assert not np.signbit(H([p, [1, 0, 0, 0]])).any()
    assert float(KL(p, q)) == pytest.approx(stats.entropy(p, q), abs=1e-12)
    assert np.isfinite(KL(p, q)) == (q[p > 0] > 0).all()


# --- bad input -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: dt.posterior([0.5, 0.6], [1, 1]), "priors: found a sum of 1.1"),
        (lambda: dt.posterior([0.5, 0.5], [1, 1, 1]), "priors: found 2 .*expected 3"),
        (lambda: dt.posterior([0.5, 0.5], [1, -1]), "likelihoods"),
        (lambda: dt.posterior([0.5, 0.5], [1, np.nan]), "likelihoods"),
        (lambda: dt.posterior([1.5, -0.5], [1, 1]), "priors: found a negative entry"),
        (lambda: dt.bayes_error([[0.5, 0.6]]), "joint: found a sum of 1.1"),
        (lambda: dt.minimum_risk_decision([0.5, 0.5], [[0, 1]]), "costs: found 1 rows, expected 2"),
        (lambda: dt.bayes_error_two_gaussians([0, 1], [1, 0], [0.5, 0.5]), "sds: found 0"),
        (lambda: dt.bayes_error_two_gaussians([0, 1, 2], 1, [0.5, 0.5]), "means: found 3"),
        (lambda: dt.mahalanobis_distance([0, 0], [1, 1], [[1, 1], [1, 1]]), "singular"),
        (lambda: dt.mahalanobis_distance([0], [1, 1], np.eye(2)), "mean_0: found 1"),
        (lambda: dt.mahalanobis_distance([0, 0], [1, 1], [[1, 2], [0, 1]]), "asymmetric"),
        (lambda: dt.entropy([0.5, 0.4]), "p: found a sum of 0.9"),
        (lambda: dt.kl_divergence([0.5, 0.5], [1.0]), "p and q: found 2 and 1"),
        (lambda: dt.risk_of_threshold(np.nan, [0, 1], 1, [0.5, 0.5]), "threshold"),
        (lambda: dt.entropy([]), "one entry per class"),
        (lambda: dt.posterior([0.5, 0.5], [0.0, 0.0]), "probability 0 under every class"),
        (lambda: normal_quantile(1.5), "outside"),
        (lambda: dt.cost_threshold([[1, 0], [0, 1]]), "no more than a right one"),
        (lambda: dt.cost_threshold(np.zeros((3, 3))), r"expected \(2, 2\)"),
    ],
)
def test_bad_input_is_named(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
