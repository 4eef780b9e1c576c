"""Logistic regression against finite differences, enumeration, scikit-learn and statsmodels."""

from __future__ import annotations

import itertools
import math
import tracemalloc
import warnings
from collections.abc import Callable
from decimal import Decimal, getcontext

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn import linear_model, preprocessing
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from lectures_lib import logistic as lg
from lectures_lib._core.estimator import ConvergenceWarning
from lectures_lib.datasets import load_breast_cancer, load_spambase, load_titanic
from lectures_lib.logistic import LogisticRegression

from .sklearn_checks import UNPENALISED, run_check_estimator

scores = st.floats(-800, 800)


def sample(n: int = 300, d: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Correlated features whose log-odds are linear; the classes overlap."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) @ (np.eye(d) + 0.5) + np.arange(d)
    z = 0.4 + (X - X.mean(axis=0)) @ np.linspace(-0.6, 0.8, d)
    return X, (rng.random(n) < 1 / (1 + np.exp(-z))).astype(int)


def with_ones(X: np.ndarray) -> np.ndarray:
    return np.column_stack([np.ones(len(X)), X])


def all_of(model: LogisticRegression) -> np.ndarray:
    return np.append(model.intercept_, model.coef_)


def difference_quotients(f: Callable, w: np.ndarray, h: float = 1e-5) -> np.ndarray:
    return np.array([(f(w + h * e) - f(w - h * e)) / (2 * h) for e in np.eye(len(w))])


def is_separating(v: np.ndarray, X: np.ndarray, y: np.ndarray) -> bool:
    """Nowhere on the wrong side, up to rounding, and somewhere strictly on the right one."""
    g = np.where(y == np.max(y), 1, -1) * (with_ones(np.asarray(X, dtype=float)) @ v)
    return bool(g.min() >= -1e-10 * np.abs(g).max() and g.max() > 0.5)


# ------------------------------------------------------------------- sigmoid and likelihood


@given(scores)
def test_sigmoid_and_its_mirror_image_add_up_to_one(z: float) -> None:
    assert lg.sigmoid(z) + lg.sigmoid(-z) == pytest.approx(1, abs=1e-15)
    assert 0 <= lg.sigmoid(z) <= 1


@given(st.floats(-30, 30))
def test_logit_is_the_inverse_of_the_sigmoid(z: float) -> None:
    assert lg.logit(lg.sigmoid(z)) == pytest.approx(z, abs=1e-15 * math.exp(abs(z)) * 4 + 1e-12)


@pytest.mark.parametrize("z", [-1000, -745.5, -40, -1, 0, 0.5, 37, 300, 1000])
def test_sigmoid_and_its_logarithm_are_right_to_the_last_digits(z: float) -> None:
    getcontext().prec = 500
    exact = 1 / (1 + (-Decimal(z)).exp())
    assert float(lg.sigmoid(z)) == pytest.approx(float(exact), rel=1e-14, abs=5e-324)
    assert float(lg.log_sigmoid(z)) == pytest.approx(float(exact.ln()), rel=1e-14)


def test_functions_of_a_number_return_a_number_and_keep_the_shape_of_an_array() -> None:
    assert np.ndim(lg.sigmoid(0)) == np.ndim(lg.log_sigmoid(0)) == np.ndim(lg.logit(0.5)) == 0
    assert lg.sigmoid([[0, 1], [2, 3]]).shape == (2, 2)
    assert lg.logit([0, 1]).tolist() == [-np.inf, np.inf]


@given(scores, st.sampled_from([0, 1]))
def test_both_label_codings_give_the_same_loss(z: float, y: int) -> None:
    w, X = [z, 0.0], [[1.0]]
    s = lg.to_signs([y])
    assert lg.log_likelihood(X, [y], w) == pytest.approx(lg.log_likelihood_signed(X, s, w))
    assert lg.logistic_loss(s[0] * z) == pytest.approx(-lg.log_likelihood_signed(X, s, w))
    assert lg.to_labels(s).tolist() == [y]


def test_the_likelihood_is_the_product_of_the_probabilities_of_the_labels() -> None:
    X, y = sample(12)
    w = np.array([0.3, -1, 0.5, 0.2])
    p = 1 / (1 + np.exp(-(w[0] + X @ w[1:])))
    product = math.prod(p[i] if y[i] else 1 - p[i] for i in range(12))
    assert lg.log_likelihood(X, y, w) == pytest.approx(math.log(product), rel=1e-12)
    assert lg.cross_entropy_loss(X, y, w) == pytest.approx(-math.log(product) / 12, rel=1e-12)
    np.testing.assert_allclose(lg.predict_probability(X, w), p, rtol=1e-13)


def test_the_product_underflows_where_its_logarithm_does_not() -> None:
    X, y = sample(2000)
    assert np.prod(np.where(y == 1, 0.5, 0.5)) == 0
    assert lg.log_likelihood(X, y, np.zeros(4)) == pytest.approx(-2000 * math.log(2))


@given(st.integers(1, 19), st.floats(-5, 5))
def test_divergence_and_log_likelihood_of_one_probability_add_up_to_a_constant(
    m: int, z: float
) -> None:
    y, X = np.repeat([1, 0], [m, 20 - m]), np.zeros((20, 1))
    observed, model = m / 20, 1 / (1 + math.exp(-z))
    divergence = observed * math.log(observed / model)
    divergence += (1 - observed) * math.log((1 - observed) / (1 - model))
    entropy = -observed * math.log(observed) - (1 - observed) * math.log(1 - observed)
    total = 20 * divergence + lg.log_likelihood(X, y, [z, 0])
    assert total == pytest.approx(-20 * entropy, abs=1e-9)
    assert lg.log_likelihood(X, y, [lg.logit(observed), 0]) == pytest.approx(-20 * entropy)


def test_the_mean_loss_tends_to_the_mean_divergence_plus_the_mean_entropy() -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, 200_000)
    truth, model = np.array([0.2, 0.5, 0.9]), np.asarray(lg.sigmoid([-0.5, 0.3, 1.1]))
    y = (rng.random(200_000) < truth[x]).astype(int)
    divergence = truth * np.log(truth / model) + (1 - truth) * np.log((1 - truth) / (1 - model))
    entropy = -truth * np.log(truth) - (1 - truth) * np.log(1 - truth)
    loss = lg.cross_entropy_loss(x[:, None], y, [-0.5, 0.8])
    assert loss == pytest.approx((divergence + entropy).mean(), abs=0.005)


def test_scores_of_a_thousand_are_harmless() -> None:
    X, y = np.array([[-1000.0], [1000.0], [1000.0]]), [0, 1, 0]
    assert lg.log_likelihood(X, y, [0, 1]) == -1000
    assert lg.gradient(X, y, [0, 1]) == pytest.approx([1 / 3, 1000 / 3])
    assert np.array_equal(lg.hessian(X, [0, 1]), np.zeros((2, 2)))


# ------------------------------------------------------------------------------ derivatives


def test_the_gradient_is_the_derivative_of_the_mean_loss() -> None:
    X, y = sample(40)
    w = np.array([0.1, -0.4, 0.7, 0.2])
    slopes = difference_quotients(lambda v: lg.cross_entropy_loss(X, y, v), w)
    np.testing.assert_allclose(lg.gradient(X, y, w), slopes, atol=1e-9)
    np.testing.assert_allclose(lg.score_vector(X, y, w), -40 * slopes, atol=1e-7)


def test_the_slips_in_the_gradient_are_no_derivatives() -> None:
    X, y = sample(40)
    w = np.array([0.1, -0.4, 0.7, 0.2])
    errors = y - lg.predict_probability(X, w)
    other_index = errors.sum() * with_ones(X)[0]  # x_j of one example for all
    last_example_only = errors[-1] * with_ones(X)[-1]  # "=" instead of "+="
    for slip in (other_index, last_example_only, -lg.score_vector(X, y, w)):
        assert np.abs(lg.score_vector(X, y, w) - slip).max() > 0.1


def test_the_hessian_is_the_derivative_of_the_gradient_and_knows_no_labels() -> None:
    X, y = sample(40)
    w = np.array([0.1, -0.4, 0.7, 0.2])
    H = lg.hessian(X, w)
    for labels in (y, 1 - y):
        slopes = difference_quotients(lambda v, t=labels: lg.gradient(X, t, v), w)
        np.testing.assert_allclose(H, slopes, atol=1e-8)
    assert np.linalg.eigvalsh(H).min() > 0


def test_the_fisher_information_is_the_mean_square_of_the_score_over_all_labels() -> None:
    X = sample(6, 2)[0]
    w = np.array([0.1, -0.4, 0.7])
    p = lg.predict_probability(X, w)
    total = np.zeros((3, 3))
    for labels in itertools.product([0, 1], repeat=6):
        y = np.array(labels)
        g = lg.score_vector(X, y, w)
        total += np.prod(np.where(y == 1, p, 1 - p)) * np.outer(g, g)
    np.testing.assert_allclose(lg.fisher_information(X, w), total, rtol=1e-11)


def test_a_newton_step_is_a_weighted_least_squares_fit() -> None:
    X, y = sample(60)
    w = np.array([0.1, -0.4, 0.2, 0.2])
    np.testing.assert_allclose(lg.newton_step(X, y, w), lg.irls_step(X, y, w), rtol=1e-10)


@pytest.mark.parametrize("choices", [itertools.combinations, itertools.product])
def test_minibatch_gradients_are_right_on_average_over_all_choices(choices: Callable) -> None:
    X, y = sample(7, 2)
    w = np.array([0.1, -0.4, 0.2])
    rows = range(7)
    batches = choices(rows, 3) if choices is itertools.combinations else choices(rows, repeat=3)
    estimates = [lg.minibatch_gradient(X, y, w, batch) for batch in batches]
    assert len(estimates) in (35, 343)
    np.testing.assert_allclose(np.mean(estimates, axis=0), lg.gradient(X, y, w), atol=1e-14)


def test_steps_of_1_over_L_never_raise_the_loss_and_summed_gradients_need_shorter_ones() -> None:
    X, y = sample(1000)

    def losses(eta: float, steps: int = 60) -> np.ndarray:
        w, met = np.zeros(4), []
        for _ in range(steps):
            met.append(lg.cross_entropy_loss(X, y, w))
            w = w - eta * lg.gradient(X, y, w)
        return np.array(met)

    assert (np.diff(losses(lg.step_size(X))) < 0).all()
    summed = losses(0.5 * 1000)  # eta = 0.5 on the sum over the examples
    assert (np.diff(summed[20:]) > 0).any()
    assert summed[20:].min() > losses(lg.step_size(X))[-1]


def test_newton_without_the_factor_of_the_mean_crawls() -> None:
    X, y = sample(100)
    right = slow = np.zeros(4)
    for _ in range(8):
        right = lg.newton_step(X, y, right)
        slow = slow - np.linalg.solve(lg.fisher_information(X, slow), lg.gradient(X, y, slow))
    assert np.linalg.norm(lg.gradient(X, y, right)) < 1e-12
    assert np.linalg.norm(lg.gradient(X, y, slow)) > 1e-2


def test_the_squared_error_of_a_sigmoid_has_several_minima_and_the_cross_entropy_one() -> None:
    X = np.array([[-12.8], [0.6], [0.6], [12.9], [-0.8], [16.9]])
    y = np.array([1, 1, 0, 0, 1, 1])
    grid = np.linspace(-3, 3, 901)
    error = np.array([lg.squared_error(X, y, [0, w]) for w in grid])
    loss = np.array([lg.cross_entropy_loss(X, y, [0, w]) for w in grid])

    def minima(f: np.ndarray) -> int:
        return int(((f[1:-1] < f[:-2]) & (f[1:-1] < f[2:])).sum())

    assert minima(error) == 2
    assert minima(loss) == 1


# ----------------------------------------------------------------------------- the estimate


def test_it_agrees_with_statsmodels_in_everything_it_says_about_the_estimate() -> None:
    X, y = sample(400, 5)
    model = LogisticRegression(tol=1e-12).fit(X, y)
    other = sm.Logit(y, with_ones(X)).fit(disp=0, tol=1e-14)
    np.testing.assert_allclose(all_of(model), other.params, rtol=1e-8)
    np.testing.assert_allclose(model.standard_errors_, other.bse, rtol=1e-8)
    np.testing.assert_allclose(model.covariance_, other.cov_params(), rtol=1e-7, atol=1e-12)
    np.testing.assert_allclose(model.z_values_, other.tvalues, rtol=1e-8)
    np.testing.assert_allclose(model.p_values_, other.pvalues, rtol=1e-6)
    np.testing.assert_allclose(model.wald_intervals(0.9), other.conf_int(0.1), rtol=1e-8)
    assert model.log_likelihood_ == pytest.approx(other.llf, rel=1e-12)
    assert model.deviance_ == pytest.approx(-2 * other.llf, rel=1e-12)
    assert model.null_deviance_ == pytest.approx(-2 * other.llnull, rel=1e-10)


def test_default_settings_reach_eight_digits() -> None:
    X, y = sample(400, 5)
    other = sm.Logit(y, with_ones(X)).fit(disp=0, tol=1e-14)
    model = LogisticRegression().fit(X, y)
    np.testing.assert_allclose(all_of(model), other.params, rtol=1e-8)
    np.testing.assert_allclose(model.standard_errors_, other.bse, rtol=1e-8)


def test_weights_agree_with_statsmodels_and_with_repeated_examples() -> None:
    X, y = sample(120)
    counts = np.random.default_rng(1).integers(0, 4, 120)
    model = LogisticRegression(tol=1e-12).fit(X, y, sample_weight=counts)
    glm = sm.GLM(y, with_ones(X), sm.families.Binomial(), freq_weights=counts).fit(tol=1e-14)
    repeated = LogisticRegression(tol=1e-12).fit(np.repeat(X, counts, 0), np.repeat(y, counts))
    for errors, estimate in (
        (glm.bse, glm.params),
        (repeated.standard_errors_, all_of(repeated)),
    ):
        np.testing.assert_allclose(all_of(model), estimate, rtol=1e-8)
        np.testing.assert_allclose(model.standard_errors_, errors, rtol=1e-8)


@pytest.mark.parametrize("C", [1e-3, 1.0, 100.0])
def test_the_penalty_agrees_with_scikit_learn(C: float) -> None:
    X, y = sample(200, 4)
    weights = np.random.default_rng(2).uniform(0.5, 2, 200)
    other = linear_model.LogisticRegression(C=C, solver="newton-cholesky", tol=1e-12)
    other.fit(X, y, sample_weight=weights)
    ours = LogisticRegression(C=C, tol=1e-12).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(all_of(ours), all_of(other), rtol=1e-8)
    np.testing.assert_allclose(ours.predict_proba(X), other.predict_proba(X), rtol=1e-8)
    np.testing.assert_allclose(ours.predict_log_proba(X), other.predict_log_proba(X), rtol=1e-7)
    assert ours.score(X, y) == other.score(X, y)


@given(st.integers(0, 10**6))
def test_the_expected_number_of_positives_is_the_observed_one(seed: int) -> None:
    X, y = sample(60, 2, seed)
    model = LogisticRegression(C=0.5).fit(X, y)  # also with a penalty: the bias is free
    assert model.predict_proba(X)[:, 1].sum() == pytest.approx(y.sum(), abs=1e-6)


def test_gradient_descent_and_newton_meet_at_the_same_point() -> None:
    X, y = sample(200)
    for C in (np.inf, 0.3):
        newton = LogisticRegression(C=C).fit(X, y)
        descent = LogisticRegression(C=C, solver="gd", tol=1e-8, max_iter=20_000).fit(X, y)
        np.testing.assert_allclose(all_of(descent), all_of(newton), atol=1e-5)
        assert descent.converged_
        assert newton.n_iter_ < 10 < descent.n_iter_


def test_stochastic_descent_comes_near_and_repeats_itself_for_a_seed() -> None:
    X, y = sample(400)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    settings = {"solver": "sgd", "learning_rate": "invscaling", "eta0": 1.0, "max_iter": 60}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        first = LogisticRegression(**settings, rng=3).fit(X, y)
        again = LogisticRegression(**settings, rng=3).fit(X, y)
        other = LogisticRegression(**settings, rng=np.random.default_rng(4)).fit(X, y)
    newton = LogisticRegression().fit(X, y)
    assert np.array_equal(first.coef_, again.coef_)
    assert not np.array_equal(first.coef_, other.coef_)
    np.testing.assert_allclose(all_of(first), all_of(newton), atol=0.15)
    assert first.log_likelihood_ > newton.log_likelihood_ - 0.5


def test_a_constant_step_keeps_the_stochastic_path_moving() -> None:
    X, y = sample(300)
    with pytest.warns(ConvergenceWarning, match="lower eta0"):
        model = LogisticRegression(
            solver="sgd", eta0=0.5, max_iter=30, n_iter_no_change=1000, record=True
        ).fit(X, y)
    moves = np.linalg.norm(np.diff(model.path_, axis=0), axis=1)
    assert moves[-5:].min() > 1e-3
    assert not model.converged_


def test_early_stopping_ends_before_the_optimum_and_keeps_the_best_weights() -> None:
    rng = np.random.default_rng(5)
    X = rng.standard_normal((80, 30))
    y = (X[:, 0] + rng.standard_normal(80) > 0).astype(int)
    settings = {"solver": "gd", "early_stopping": True, "validation_fraction": 0.3}
    stopped = LogisticRegression(**settings, record=True).fit(X, y)
    assert stopped.converged_
    assert stopped.n_iter_ < 200
    ended = np.append(stopped.intercept_, stopped.coef_)
    where = np.flatnonzero((stopped.path_ == ended).all(axis=1))
    assert where == stopped.n_iter_ - 5  # patience: five later points were no better
    far = LogisticRegression(C=1e4).fit(X, y)
    assert np.linalg.norm(stopped.coef_) < np.linalg.norm(far.coef_) / 2


def test_the_recorded_path_of_newton_squares_its_error() -> None:
    X, y = sample(200)
    model = LogisticRegression(record=True).fit(X, y)
    errors = np.linalg.norm(model.path_ - all_of(LogisticRegression(tol=1e-13).fit(X, y)), axis=1)
    assert model.path_.shape == (model.n_iter_ + 1, 4)
    assert np.array_equal(model.path_[0], np.zeros(4))
    assert np.array_equal(model.path_[-1], all_of(model))
    assert (np.diff(model.losses_) <= 0).all()
    assert model.losses_[0] == pytest.approx(math.log(2))
    assert errors[3] < errors[2] ** 2
    assert errors[2] < errors[1] ** 2


def test_the_recorded_path_of_descent_holds_every_step() -> None:
    X, y = sample(50)
    eta = lg.step_size(X)
    with pytest.warns(ConvergenceWarning, match="Standardise"):
        model = LogisticRegression(solver="gd", max_iter=3, record=True).fit(X, y)
    w = np.zeros(4)
    for step in range(3):
        np.testing.assert_allclose(model.path_[step], w, rtol=1e-12)
        w = w - eta * lg.gradient(X, y, w)
    np.testing.assert_allclose(model.path_[3], w, rtol=1e-12)
    assert model.losses_[3] == pytest.approx(lg.cross_entropy_loss(X, y, w))


def test_the_best_likelihood_is_not_the_best_accuracy() -> None:
    X, y = np.array([[-1.0], [0], [1], [2], [3], [4], [20]]), np.array([0, 0, 0, 1, 1, 1, 0])
    model = LogisticRegression().fit(X, y)
    rival = np.array([-1.5, 1.0])  # threshold 1.5
    assert model.score(X, y) == pytest.approx(4 / 7)
    assert np.mean((lg.predict_probability(X, rival) > 0.5) == y) == pytest.approx(6 / 7)
    assert model.log_likelihood_ > lg.log_likelihood(X, y, rival)


def test_far_outliers_matter_only_on_the_wrong_side() -> None:
    rng = np.random.default_rng(8)
    y = np.repeat([0, 1], 100)
    x = 3 * y - 1.5 + rng.standard_normal(200)

    def threshold_and_slope(places: float, label: int) -> tuple[float, float]:
        both = np.append(x, np.full(10, places)), np.append(y, np.full(10, label))
        model = LogisticRegression().fit(both[0][:, None], both[1])
        return -model.intercept_[0] / model.coef_[0, 0], model.coef_[0, 0]

    plain = LogisticRegression().fit(x[:, None], y)
    threshold, slope = -plain.intercept_[0] / plain.coef_[0, 0], plain.coef_[0, 0]
    assert abs(threshold_and_slope(20.0, 1)[0] - threshold) < 0.1
    assert threshold_and_slope(20.0, 0)[1] < slope / 4


def test_the_bias_matters_away_from_the_origin() -> None:
    rng = np.random.default_rng(1)
    x = 3 + rng.standard_normal(200)
    y = (x + rng.standard_normal(200) > 3).astype(int)
    free = LogisticRegression().fit(x[:, None], y)
    grid = np.linspace(-5, 5, 2001)
    through_origin = max(lg.log_likelihood(x[:, None], y, [0, w]) for w in grid)
    assert free.log_likelihood_ > through_origin + 10


def test_polynomial_features_agree_with_scikit_learn_and_bend_the_boundary() -> None:
    X, _ = sample(30)
    for degree in (1, 2, 4):
        other = preprocessing.PolynomialFeatures(degree, include_bias=False).fit_transform(X)
        np.testing.assert_allclose(lg.polynomial_features(X, degree), other, rtol=1e-12)
        transformer = lg.PolynomialFeatures(degree).fit(X)
        assert transformer.n_output_features_ == other.shape[1]
        assert np.array_equal(transformer.transform(X), lg.polynomial_features(X, degree))
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((300, 2))
    y = ((Z**2).sum(axis=1) + 0.5 * rng.standard_normal(300) > 1.4).astype(int)
    bent = make_pipeline(lg.PolynomialFeatures(2), LogisticRegression()).fit(Z, y)
    assert bent.score(Z, y) > 0.85 > 0.75 > LogisticRegression().fit(Z, y).score(Z, y)


def test_higher_degrees_fit_the_training_data_better_and_new_data_worse() -> None:
    rng = np.random.default_rng(3)

    def draw(n: int) -> tuple[np.ndarray, np.ndarray]:
        x = rng.uniform(-1, 1, n)
        return x[:, None], (rng.random(n) < 1 / (1 + np.exp(-3 * x))).astype(int)

    (X, y), (X_new, y_new) = draw(80), draw(5000)
    training, new = [], []
    for degree in (1, 4, 9):
        powers = lg.PolynomialFeatures(degree)
        model = LogisticRegression().fit(powers.fit_transform(X), y)
        p = model.predict_log_proba(powers.transform(X_new))
        training.append(model.deviance_ / 80)
        new.append(-2 * p[np.arange(5000), y_new].mean())
    assert training[0] > training[1] > training[2]
    assert new[0] < new[1] < new[2]


@pytest.mark.slow
def test_estimates_are_consistent_and_their_covariance_is_the_inverse_information() -> None:
    truth = np.array([-0.3, 0.8, -0.5])
    rng = np.random.default_rng(0)

    def estimates(n: int, repeats: int) -> tuple[np.ndarray, np.ndarray]:
        X = np.random.default_rng(1).standard_normal((n, 2))
        found = []
        for _ in range(repeats):
            y = (rng.random(n) < lg.predict_probability(X, truth)).astype(int)
            found.append(all_of(LogisticRegression().fit(X, y)))
        return np.array(found), np.linalg.inv(lg.fisher_information(X, truth))

    few, expected_few = estimates(400, 1500)
    many, expected_many = estimates(1600, 1500)
    for found, expected in ((few, expected_few), (many, expected_many)):
        np.testing.assert_allclose(np.diag(np.cov(found.T)), np.diag(expected), rtol=0.15)
    ratio = np.diag(np.cov(few.T)) / np.diag(np.cov(many.T))
    np.testing.assert_allclose(ratio, 4, rtol=0.2)
    assert np.linalg.norm(many.mean(axis=0) - truth) < 0.02


@pytest.mark.slow
def test_95_percent_wald_intervals_cover_the_truth_95_times_in_100() -> None:
    truth = np.array([-0.3, 0.8, -0.5])
    rng = np.random.default_rng(7)
    X = rng.standard_normal((300, 2))
    covered = np.zeros(3)
    for _ in range(2000):
        y = (rng.random(300) < lg.predict_probability(X, truth)).astype(int)
        low, high = LogisticRegression().fit(X, y).wald_intervals().T
        covered += (low <= truth) & (truth <= high)
    standard_error = math.sqrt(0.95 * 0.05 / 2000)
    assert (np.abs(covered / 2000 - 0.95) < 3.5 * standard_error).all()


# ---------------------------------------------------------------------------- separable data


def test_two_points_have_no_stationary_point() -> None:
    X, y = np.array([[-1.0], [1.0]]), np.array([0, 1])
    for w0, w1 in itertools.product(np.linspace(-20, 20, 21), repeat=2):
        assert lg.gradient(X, y, [w0, w1])[1] < 0
    with pytest.warns(ConvergenceWarning, match=r"completely separated.*chapter \d\d"):
        model = LogisticRegression().fit(X, y)
    assert not model.converged_
    assert is_separating(model.separating_direction_, X, y)
    assert np.isfinite(all_of(model)).all()
    assert model.score(X, y) == 1
    with pytest.raises(AttributeError, match="no maximum"):
        _ = model.standard_errors_


def test_the_norm_grows_without_end_on_separable_data_and_a_penalty_stops_it() -> None:
    rng = np.random.default_rng(0)
    X = np.vstack([rng.standard_normal((20, 2)) - 3, rng.standard_normal((20, 2)) + 3])
    y = np.repeat([0, 1], 20)
    with pytest.warns(ConvergenceWarning, match="completely separated"):
        model = LogisticRegression(solver="gd", max_iter=3000, record=True).fit(X, y)
    norms = np.linalg.norm(model.path_[[30, 300, 3000]], axis=1)
    assert norms[0] < norms[1] - 0.5 < norms[2] - 1
    assert (np.diff(model.losses_) < 0).all()
    tight = LogisticRegression(C=1.0, solver="gd", tol=1e-4, max_iter=3000).fit(X, y)
    assert tight.converged_
    assert np.linalg.norm(tight.coef_) < norms[0] * 2


QUASI = {
    "touching": ([[1.0], [2], [2], [3]], [0, 0, 1, 1]),
    "three at the border": ([[1.0, 0], [2, 0], [2, 1], [2, 2], [3, 0]], [0, 0, 1, 0, 1]),
    "indicator of one class": (
        [[0.0, 0], [1, 0], [2, 0], [0, 0], [1, 0], [5, 1]],
        [0, 1, 0, 1, 0, 1],
    ),
    "two storeys": (
        [[0.0, 0, 0], [0, 0, 1], [0, 0, 2], [0, 1, 0], [1, 5, 0], [0, 0, 1], [0, -1, 3]],
        [0, 1, 0, 1, 1, 0, 0],
    ),
}


@pytest.mark.parametrize("name", QUASI)
def test_quasi_complete_separation_is_proved_by_a_direction(name: str) -> None:
    X, y = (np.array(part) for part in QUASI[name])
    for scale, shift in ((1, 0), (1e6, 0), (1e-6, 0), (1, 1000)):
        with pytest.warns(ConvergenceWarning, match="quasi-completely separated"):
            model = LogisticRegression().fit(X * scale + shift, y)
        assert is_separating(model.separating_direction_, X * scale + shift, y)
        assert np.isfinite(model.predict_log_proba(X * scale + shift)).all()
        assert not model.converged_


def separable_by_linear_programming(X: np.ndarray, y: np.ndarray) -> bool:
    """Whether some v has s (1, x) v >= 0 for all examples and not 0 for all."""
    rows = (2 * y - 1)[:, None] * with_ones(X)
    best = linprog(-rows.sum(axis=0), -rows, np.zeros(len(rows)), bounds=[(-1, 1)] * len(rows.T))
    return bool(-best.fun > 1e-7)


@given(st.integers(0, 10**6))
def test_separation_is_found_exactly_where_linear_programming_finds_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, d, m = int(rng.integers(4, 25)), int(rng.integers(1, 5)), int(rng.choice([1, 2, 9]))
    X = rng.integers(-m, m + 1, (n, d)).astype(float)
    lean = rng.choice([0, 1, 5]) * X @ rng.standard_normal(d)
    y = (lean + rng.logistic(size=n) > 0).astype(int)
    y[:2] = 0, 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LogisticRegression().fit(X, y)
    separated = hasattr(model, "separating_direction_")
    assert separated == separable_by_linear_programming(X, y)
    assert model.converged_ == (not separated)
    if separated:
        assert is_separating(model.separating_direction_, X, y)


def test_a_second_fit_forgets_the_first_one() -> None:
    model = LogisticRegression(record=True)
    with pytest.warns(ConvergenceWarning):
        model.fit([[-1.0], [1.0]], [0, 1])
    model.set_params(record=False).fit(*sample(50))
    assert model.converged_
    assert not {"separating_direction_", "path_", "losses_"} & set(vars(model))


def test_more_features_than_examples_are_always_separable() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((15, 40)), np.arange(15) % 2
    with pytest.warns(ConvergenceWarning, match="completely separated"):
        model = LogisticRegression().fit(X, y)
    assert is_separating(model.separating_direction_, X, y)
    tight = LogisticRegression(C=0.7, tol=1e-12).fit(X, y)
    other = linear_model.LogisticRegression(C=0.7, solver="newton-cholesky", tol=1e-12).fit(X, y)
    np.testing.assert_allclose(all_of(tight), all_of(other), rtol=1e-8, atol=1e-12)


def test_real_data_the_breast_cancer_features_separate_and_spam_does_not() -> None:
    cancer, spam = load_breast_cancer(), load_spambase()
    with pytest.warns(ConvergenceWarning, match="completely separated"):
        model = LogisticRegression().fit(cancer.X, cancer.y)
    assert is_separating(model.separating_direction_, cancer.X, cancer.y)
    fitted = LogisticRegression().fit(spam.X, spam.y)
    assert fitted.converged_
    w = all_of(fitted)
    steepness = lg.gradient(spam.X, spam.y, w)[1:] * 1.0
    assert np.abs(steepness / spam.X.std(axis=0)).max() < 1e-10


def test_titanic_passengers_give_the_estimate_of_statsmodels() -> None:
    data = load_titanic()
    kept = ~np.isnan(data.X).any(axis=1)
    X, y = data.X[kept], data.y[kept]
    other = sm.Logit(y, with_ones(X)).fit(disp=0, tol=1e-14)
    model = LogisticRegression(tol=1e-12).fit(X, y)
    np.testing.assert_allclose(all_of(model), other.params, rtol=1e-8)
    np.testing.assert_allclose(model.standard_errors_, other.bse, rtol=1e-8)


# -------------------------------------------------------------------------------- hard cases


@pytest.mark.parametrize(("shift", "scale"), [(1e8, 1), (-1e8, 1), (0, 1e6), (0, 1e-6)])
def test_the_fit_does_not_depend_on_shift_and_scale(shift: float, scale: float) -> None:
    X, y = sample(300)
    plain = LogisticRegression().fit(X, y)
    moved = LogisticRegression().fit(X * scale + shift, y)
    assert moved.converged_
    assert moved.n_iter_ == plain.n_iter_
    np.testing.assert_allclose(moved.coef_ * scale, plain.coef_, rtol=2e-7)
    np.testing.assert_allclose(
        moved.standard_errors_[1:] * scale, plain.standard_errors_[1:], rtol=2e-7
    )
    np.testing.assert_allclose(
        moved.predict_proba(X * scale + shift), plain.predict_proba(X), atol=1e-6
    )


@given(st.integers(0, 10**6))
def test_the_fit_follows_every_affine_map_of_the_features(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = sample(80, 3, seed)
    A = rng.standard_normal((3, 3)) + 2 * np.eye(3)
    plain = LogisticRegression(C=np.inf).fit(X, y)
    mapped = LogisticRegression(C=np.inf).fit(X @ A + 5, y)
    np.testing.assert_allclose(mapped.predict_proba(X @ A + 5), plain.predict_proba(X), atol=1e-8)


def test_duplicated_columns_share_the_coefficient_and_have_no_standard_error() -> None:
    X, y = sample(200)
    plain = LogisticRegression().fit(X, y)
    doubled = LogisticRegression().fit(np.column_stack([X, X[:, 1]]), y)
    assert doubled.converged_
    np.testing.assert_allclose(doubled.coef_[0, [1, 3]], plain.coef_[0, 1] / 2, rtol=1e-8)
    assert doubled.identified_.tolist() == [True, True, False, True, False]
    with pytest.warns(UserWarning, match="feature 1, feature 3.*singular"):
        errors = doubled.standard_errors_
    assert np.isnan(errors).tolist() == [False, False, True, False, True]
    np.testing.assert_allclose(errors[[0, 1, 3]], plain.standard_errors_[[0, 1, 3]], rtol=1e-8)


def test_a_constant_feature_gets_the_coefficient_0() -> None:
    X, y = sample(200)
    plain = LogisticRegression().fit(X, y)
    for value in (0.0, 7.0, 1e8 + 0.1):
        model = LogisticRegression().fit(np.column_stack([X, np.full(200, value)]), y)
        assert model.coef_[0, 3] == 0
        np.testing.assert_allclose(model.coef_[0, :3], plain.coef_[0], rtol=1e-8)
        with pytest.warns(UserWarning, match="feature 3"):
            errors = model.standard_errors_
        np.testing.assert_allclose(errors[1:4], plain.standard_errors_[1:], rtol=1e-8)


def test_constant_features_alone_leave_the_share_of_the_positives() -> None:
    model = LogisticRegression().fit(np.full((5, 2), 3.0), [0, 1, 1, 0, 1])
    assert model.predict_proba([[3.0, 3.0]])[0, 1] == pytest.approx(3 / 5)
    assert model.converged_
    assert not model.identified_.any()


def test_nearly_redundant_features_are_still_fitted() -> None:
    X, y = sample(300, 2)
    noise = np.random.default_rng(0).standard_normal(300)
    Z = np.column_stack([X, X[:, 0] + 1e-5 * noise])
    model = LogisticRegression().fit(Z, y)
    same = LogisticRegression().fit(np.column_stack([X, noise]), y)
    assert model.identified_.all()
    np.testing.assert_allclose(model.coef_[0, 2], same.coef_[0, 2] * 1e5, rtol=1e-4)
    np.testing.assert_allclose(
        model.predict_proba(Z)[:, 1],
        same.predict_proba(np.column_stack([X, noise]))[:, 1],
        atol=1e-6,
    )


def test_the_form_of_the_arrays_makes_no_difference() -> None:
    X, y = sample(100)
    X = np.round(X * 8)
    expected = all_of(LogisticRegression().fit(X, y))
    frozen = X.copy()
    frozen.setflags(write=False)
    forms = [
        X.astype(np.float32),
        X.astype(int),
        np.asfortranarray(X),
        frozen,
        X.tolist(),
        np.repeat(X, 2, axis=0)[::2],
        X[:, ::-1][:, ::-1],
    ]
    for form in forms:
        np.testing.assert_allclose(all_of(LogisticRegression().fit(form, y)), expected, rtol=1e-12)
    assert np.array_equal(frozen, X)
    words = np.where(y == 1, "yes", "no")
    named = LogisticRegression().fit(X, words)
    assert named.classes_.tolist() == ["no", "yes"]
    assert set(named.predict(X)) == {"no", "yes"}


def test_one_example_in_a_class() -> None:
    x = np.append(np.linspace(-2, 2, 41), 0.3)[:, None]
    y = np.append(np.zeros(41, dtype=int), 1)
    model = LogisticRegression().fit(x, y)
    other = sm.Logit(y, with_ones(x)).fit(disp=0, tol=1e-14)
    np.testing.assert_allclose(all_of(model), other.params, rtol=1e-8)
    assert model.predict_proba(x)[:, 1].sum() == pytest.approx(1)


def test_far_scores_of_an_overlapping_sample_stay_finite() -> None:
    x = np.append(np.linspace(-1, 1, 50), [-4000.0, 4000.0])[:, None]
    y = (np.append(np.linspace(-1, 1, 50), [-1, 1]) > 0).astype(int)
    y[[20, 30, 33]] = 1, 0, 0  # three that are out of order
    model = LogisticRegression().fit(x, y)
    assert model.converged_
    assert np.abs(model.decision_function(x)).max() > 1000
    assert np.isfinite(model.predict_log_proba(x)).all()
    with np.errstate(over="ignore"):
        other = sm.Logit(y, with_ones(x)).fit(disp=0, tol=1e-14)
    np.testing.assert_allclose(all_of(model), other.params, rtol=1e-8)
    np.testing.assert_allclose(model.standard_errors_, other.bse, rtol=1e-7)


def test_gradient_descent_far_from_the_origin_says_that_it_has_not_arrived() -> None:
    X, y = sample(100)
    with pytest.warns(ConvergenceWarning, match="Standardise the features"):
        model = LogisticRegression(solver="gd", max_iter=50).fit(X + 1e8, y)
    assert np.isfinite(all_of(model)).all()
    assert not model.converged_


def test_steps_that_are_too_long_end_with_finite_weights_and_a_warning() -> None:
    X, y = sample(100)
    with pytest.warns(ConvergenceWarning):
        model = LogisticRegression(C=0.01, solver="gd", eta0=1e6, max_iter=500).fit(X, y)
    assert np.isfinite(all_of(model)).all()


def test_a_third_class_is_refused() -> None:
    with pytest.raises(ValueError, match="Only binary"):
        LogisticRegression().fit(np.eye(3), [0, 1, 2])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"C": 0}, "C: found 0"),
        ({"C": -np.inf}, "C: found -inf"),
        ({"C": "1"}, "C: found '1'"),
        ({"solver": "lbfgs"}, "solver: found 'lbfgs', expected one of 'newton', 'gd', 'sgd'"),
        ({"tol": 0}, "tol"),
        ({"max_iter": 0}, "max_iter"),
        ({"eta0": -1.0}, "eta0"),
        ({"learning_rate": "fast"}, "learning_rate"),
        ({"batch_size": 0}, "batch_size"),
        ({"early_stopping": True}, "early_stopping: found True with solver 'newton'"),
        ({"rng": None, "solver": "sgd"}, "rng: found None"),
    ],
)
def test_wrong_settings_are_named(settings: dict, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        LogisticRegression(**settings).fit(*sample(20))


def test_wrong_arguments_of_the_functions_are_named() -> None:
    X, y = sample(10)
    with pytest.raises(ValueError, match=r"w: found shape .*the bias first"):
        lg.log_likelihood(X, y, [1, 2])
    with pytest.raises(ValueError, match="y: found 2, expected the labels 0 and 1"):
        lg.gradient(X, y + 1, np.zeros(4))
    with pytest.raises(ValueError, match="s: found 0"):
        lg.log_likelihood_signed(X, y, np.zeros(4))
    with pytest.raises(ValueError, match="p: found a number outside"):
        lg.logit(1.5)
    with pytest.raises(ValueError, match="degree"):
        lg.polynomial_features(X, 0)


def test_standard_errors_are_refused_where_they_would_mislead() -> None:
    X, y = sample(60)
    for model, reason in (
        (LogisticRegression(C=1.0), "penalty"),
        (LogisticRegression(solver="gd", tol=1e-2), "Newton"),
    ):
        with pytest.raises(AttributeError, match=reason):
            _ = model.fit(X, y).standard_errors_
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        unfinished = LogisticRegression(max_iter=1).fit(X, y)
    with pytest.raises(AttributeError, match="not converged"):
        _ = unfinished.covariance_


# --------------------------------------------------------------------------- many examples


def test_starting_from_samples_ends_where_plain_newton_ends() -> None:
    X, y = sample(30_000, 4)
    order = np.argsort(y, kind="stable")  # sorted by class, as files often are
    weights = np.random.default_rng(0).integers(0, 3, 30_000)
    plain = LogisticRegression(record=True).fit(X[order], y[order], weights[order])
    quick = LogisticRegression().fit(X[order], y[order], weights[order])
    np.testing.assert_allclose(all_of(quick), all_of(plain), rtol=1e-10)
    np.testing.assert_allclose(quick.standard_errors_, plain.standard_errors_, rtol=1e-8)
    assert quick.log_likelihood_ == pytest.approx(plain.log_likelihood_, rel=1e-13)


def test_a_class_too_rare_for_the_samples_does_no_harm() -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((25_000, 2))
    y = np.zeros(25_000, dtype=int)
    y[[3, 77, 1234, 9999]] = 1
    model = LogisticRegression().fit(X, y)
    plain = LogisticRegression(record=True).fit(X, y)
    assert model.converged_
    np.testing.assert_allclose(all_of(model), all_of(plain), rtol=1e-9)


def test_separation_is_found_among_many_examples() -> None:
    X, _ = sample(25_000, 2)
    y = (X[:, 0] > X[:, 1]).astype(int)
    with pytest.warns(ConvergenceWarning, match="completely separated"):
        model = LogisticRegression().fit(X, y)
    assert is_separating(model.separating_direction_, X, y)


def test_fitting_needs_little_memory_beside_the_data() -> None:
    X, y = sample(40_000, 30)
    for data in (X, X + 1e8):
        tracemalloc.start()
        LogisticRegression().fit(data, y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 0.75 * X.nbytes


# ------------------------------------------------------------------------------ scikit-learn


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(),
        LogisticRegression(C=1.0),
        LogisticRegression(solver="gd", tol=1e-3),
        LogisticRegression(solver="sgd"),
        lg.PolynomialFeatures(),
    ],
    ids=repr,
)
def test_the_models_pass_check_estimator(model: object) -> None:
    free = isinstance(model, LogisticRegression) and np.inf == model.C
    assert run_check_estimator(model, UNPENALISED[model.solver] if free else None) > 30


def test_scikit_learn_can_clone_search_and_pipe() -> None:
    X, y = sample(120)
    pipe = make_pipeline(preprocessing.StandardScaler(), LogisticRegression(C=1.0))
    search = GridSearchCV(pipe, {"logisticregression__C": [0.01, 1.0]}).fit(X, y)
    assert search.best_score_ > 0.6
    assert cross_val_score(LogisticRegression(), X, y, scoring="neg_log_loss").mean() > -0.7
    copy = clone(LogisticRegression(C=3.0, solver="sgd", rng=np.random.default_rng(1)))
    assert copy.C == 3.0
    assert copy.solver == "sgd"


def test_more_than_a_thousand_penalised_features_one_of_them_tiny() -> None:
    """The penalty is the whole curvature along the tiny feature; a guess without it goes astray."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 400)
    X = rng.standard_normal((400, 1100)) + 0.1 * rng.standard_normal((2, 1100))[y]
    X[:, 0] *= 1e-6
    model = LogisticRegression(C=1.0).fit(X, y)
    assert model.converged_
    peer = linear_model.LogisticRegression(C=1.0, tol=1e-10, max_iter=5000).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(X), atol=1e-6)
