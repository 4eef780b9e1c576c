"""Logistic regression against finite differences, enumeration, scikit-learn and statsmodels."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Callable
from decimal import Decimal, getcontext

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from sklearn import linear_model

from lectures_lib import logistic as lg
from lectures_lib._core.estimator import ConvergenceWarning
from lectures_lib.datasets import load_breast_cancer, load_spambase
from lectures_lib.logistic import LogisticRegression

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
    s = [2 * y - 1]
    assert lg.log_likelihood(X, [y], w) == pytest.approx(lg.log_likelihood_signed(X, s, w))


def test_the_likelihood_is_the_product_of_the_probabilities_of_the_labels() -> None:
    X, y = sample(12)
    w = np.array([0.3, -1, 0.5, 0.2])
    p = 1 / (1 + np.exp(-(w[0] + X @ w[1:])))
    product = math.prod(p[i] if y[i] else 1 - p[i] for i in range(12))
    assert lg.log_likelihood(X, y, w) == pytest.approx(math.log(product), rel=1e-12)
    assert lg.cross_entropy_loss(X, y, w) == pytest.approx(-math.log(product) / 12, rel=1e-12)
    np.testing.assert_allclose(lg.predict_probability(X, w), p, rtol=1e-13)
    assert lg.squared_error(X, y, w) == pytest.approx(np.mean((p - y) ** 2))


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
        g = -6 * lg.gradient(X, y, w)
        total += np.prod(np.where(y == 1, p, 1 - p)) * np.outer(g, g)
    np.testing.assert_allclose(lg.fisher_information(X, w), total, rtol=1e-11)


def test_a_newton_step_is_a_weighted_least_squares_fit() -> None:
    X, y = sample(60)
    w = np.array([0.1, -0.4, 0.2, 0.2])
    p = lg.predict_probability(X, w)
    D, response = p * (1 - p), with_ones(X) @ w + (y - p) / (p * (1 - p))
    root = np.sqrt(D)[:, None]
    fit = np.linalg.lstsq(root * with_ones(X), root[:, 0] * response, rcond=None)[0]
    np.testing.assert_allclose(lg.newton_step(X, y, w), fit, rtol=1e-10)


def test_steps_of_1_over_L_never_raise_the_loss_and_much_longer_ones_do() -> None:
    X, y = sample(1000)

    def losses(eta: float) -> np.ndarray:
        w, met = np.zeros(4), []
        for _ in range(60):
            met.append(lg.cross_entropy_loss(X, y, w))
            w = w - eta * lg.gradient(X, y, w)
        return np.array(met)

    assert (np.diff(losses(lg.step_size(X))) < 0).all()
    assert (np.diff(losses(20 * lg.step_size(X))) > 0).any()
    largest = np.linalg.eigvalsh(with_ones(X).T @ with_ones(X) / 4000)[-1]
    assert lg.step_size(X) == pytest.approx(1 / largest)


# ----------------------------------------------------------------------------- the estimate


@pytest.mark.parametrize("tol", [1e-8, 1e-12])
def test_it_agrees_with_statsmodels_in_everything_it_says_about_the_estimate(tol: float) -> None:
    X, y = sample(400, 5)
    model = LogisticRegression(tol=tol).fit(X, y)
    other = sm.Logit(y, with_ones(X)).fit(disp=0, tol=1e-14)
    for found, expected, rtol in (
        (all_of(model), other.params, 1e-8),
        (model.standard_errors_, other.bse, 1e-8),
        (model.covariance_, other.cov_params(), 1e-6),
        (model.z_values_, other.tvalues, 1e-8),
        (model.wald_intervals(0.9), other.conf_int(0.1), 1e-8),
        (model.deviance_, -2 * other.llf, 1e-12),
        (model.null_deviance_, -2 * other.llnull, 1e-10),
    ):
        np.testing.assert_allclose(found, expected, rtol=rtol)


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


def stopped(steps: int, X: np.ndarray, y: np.ndarray, **options: object) -> LogisticRegression:
    """The model after some steps, without the warning that it has not arrived."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return LogisticRegression(max_iter=steps, **options).fit(X, y)


def test_early_stopping_ends_before_the_optimum_and_keeps_the_best_weights() -> None:
    rng = np.random.default_rng(5)
    X = rng.standard_normal((80, 30))
    y = (X[:, 0] + rng.standard_normal(80) > 0).astype(int)
    options = {"solver": "gd", "early_stopping": True, "rng": 0}
    model = LogisticRegression(**options).fit(X, y)
    assert model.converged_
    assert model.n_iter_ < 200
    best = model.n_iter_ - 5  # patience: five later points were no better
    for steps, same in ((best - 1, False), (best, True), (best + 4, True)):
        assert np.array_equal(all_of(stopped(steps, X, y, **options)), all_of(model)) == same
    far = LogisticRegression(C=1e4).fit(X, y)
    assert np.linalg.norm(model.coef_) < np.linalg.norm(far.coef_) / 2


def test_newton_squares_its_error_and_its_steps_are_those_of_the_function() -> None:
    X, y = sample(200)
    end = all_of(LogisticRegression(tol=1e-13).fit(X, y))
    path = [all_of(stopped(steps, X, y)) for steps in (1, 2, 3)]
    errors = [np.linalg.norm(w - end) for w in path]
    assert errors[2] < errors[1] ** 2 < errors[0] ** 4
    w = np.zeros(4)
    for found in path:
        w = lg.newton_step(X, y, w)
        np.testing.assert_allclose(found, w, rtol=1e-10)


def test_newton_steps_that_climb_are_halved_until_the_loss_falls() -> None:
    """Three places with many examples each, on which whole steps run away."""
    places, n0, n1 = np.array([[5.1], [62.1], [-142.8]]), [2073, 6, 160], [0, 6, 1]
    X, y, n = np.vstack([places, places]), np.repeat([0, 1], 3), np.array([*n0, *n1])
    rows, labels = X.repeat(n, axis=0), y.repeat(n)
    w, losses = np.zeros(2), []
    for _ in range(7):
        w = lg.newton_step(rows, labels, w)
        losses.append(lg.cross_entropy_loss(rows, labels, w))
    assert losses[-1] > 0.5 > 0.03 > min(losses)
    model = LogisticRegression().fit(X, y, sample_weight=n)
    assert model.converged_
    assert np.abs(lg.gradient(rows, labels, all_of(model))).max() < 1e-12


def test_descent_takes_steps_of_1_over_L_along_the_gradient() -> None:
    X, y = sample(50)
    eta = lg.step_size(X)
    w = np.zeros(4)
    for steps in (1, 2, 3):
        w = w - eta * lg.gradient(X, y, w)
        with pytest.warns(ConvergenceWarning, match="Standardise"):
            model = LogisticRegression(solver="gd", max_iter=steps).fit(X, y)
        np.testing.assert_allclose(all_of(model), w, rtol=1e-12)


def test_penalised_descent_meets_newton() -> None:
    X, y = sample(100)
    newton = LogisticRegression(C=0.3).fit(X, y)
    descent = LogisticRegression(C=0.3, solver="gd", tol=1e-7, max_iter=50_000).fit(X, y)
    assert descent.converged_
    assert newton.n_iter_ < 10 < descent.n_iter_
    np.testing.assert_allclose(all_of(descent), all_of(newton), atol=1e-4)


@pytest.mark.slow
def test_estimates_scatter_as_their_errors_say_and_intervals_cover_95_times_in_100() -> None:
    truth = np.array([-0.3, 0.8, -0.5])
    rng = np.random.default_rng(7)
    X = rng.standard_normal((400, 2))
    found, covered, repeats = [], np.zeros(3), 1000
    for _ in range(repeats):
        y = (rng.random(400) < lg.predict_probability(X, truth)).astype(int)
        model = LogisticRegression().fit(X, y)
        low, high = model.wald_intervals().T
        found.append(all_of(model))
        covered += (low <= truth) & (truth <= high)
    standard_error = math.sqrt(0.95 * 0.05 / repeats)
    assert (np.abs(covered / repeats - 0.95) < 3.5 * standard_error).all()
    variances = np.diag(np.linalg.inv(lg.fisher_information(X, truth)))
    np.testing.assert_allclose(np.var(found, axis=0), variances, rtol=0.15)
    assert (np.abs(np.mean(found, axis=0) - truth) < 0.2 * np.sqrt(variances)).all()


# ---------------------------------------------------------------------------- separable data


def test_two_points_have_no_stationary_point() -> None:
    X, y = np.array([[-1.0], [1.0]]), np.array([0, 1])
    with pytest.warns(ConvergenceWarning, match="completely separated"):
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
        LogisticRegression(solver="gd", max_iter=30).fit(X, y)
    path = [all_of(stopped(steps, X, y, solver="gd")) for steps in (30, 300, 3000)]
    norms, losses = zip(
        *((np.linalg.norm(w), lg.cross_entropy_loss(X, y, w)) for w in path), strict=True
    )
    assert norms[0] < norms[1] - 0.5 < norms[2] - 1
    assert losses[0] > losses[1] > losses[2]
    tight = LogisticRegression(C=1.0, solver="gd", tol=1e-4, max_iter=3000).fit(X, y)
    assert tight.converged_
    assert np.linalg.norm(tight.coef_) < norms[0] * 2


def test_a_second_fit_forgets_the_first_one() -> None:
    model = LogisticRegression()
    with pytest.warns(ConvergenceWarning):
        model.fit([[-1.0], [1.0]], [0, 1])
    model.fit(*sample(50))
    assert model.converged_
    assert "separating_direction_" not in vars(model)


def test_real_data_the_breast_cancer_features_separate_and_spam_does_not() -> None:
    cancer, spam = load_breast_cancer(), load_spambase()
    with pytest.warns(ConvergenceWarning, match="completely separated"):
        model = LogisticRegression().fit(cancer.X, cancer.y)
    assert is_separating(model.separating_direction_, cancer.X, cancer.y)
    fitted = LogisticRegression().fit(spam.X, spam.y)
    assert fitted.converged_
    slope = lg.gradient(spam.X, spam.y, all_of(fitted))[1:]
    assert np.abs(slope / spam.X.std(axis=0)).max() < 1e-10


# -------------------------------------------------------------------------------- hard cases


def test_duplicated_columns_share_the_coefficient_and_have_no_standard_error() -> None:
    X, y = sample(200)
    plain = LogisticRegression().fit(X, y)
    doubled = LogisticRegression().fit(np.column_stack([X, X[:, 1]]), y)
    assert doubled.converged_
    np.testing.assert_allclose(doubled.coef_[0, [1, 3]], plain.coef_[0, 1] / 2, rtol=1e-8)
    assert doubled.identified_.tolist() == [True, True, False, True, False]
    with pytest.warns(UserWarning, match="feature 1, feature 3"):
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


def test_descent_far_from_the_origin_says_that_it_has_not_arrived_with_finite_weights() -> None:
    X, y = sample(100)
    with pytest.warns(ConvergenceWarning, match="Standardise"):
        model = LogisticRegression(solver="gd", max_iter=50).fit(X + 1e8, y)
    assert np.isfinite(all_of(model)).all()
    assert not model.converged_


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"C": 0}, "C: found 0"),
        ({"C": -np.inf}, "C: found -inf"),
        ({"C": "1"}, "C: found '1'"),
        ({"solver": "lbfgs"}, "solver: found 'lbfgs'.*'newton', 'gd'"),
        ({"tol": 0}, "tol"),
        ({"max_iter": 0}, "max_iter"),
        ({"early_stopping": True}, "early_stopping: .*'newton'"),
        ({"rng": None, "solver": "gd", "early_stopping": True}, "rng: found None"),
    ],
)
def test_wrong_settings_are_named(options: dict, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        LogisticRegression(**options).fit(*sample(20))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X, y: lg.log_likelihood(X, y, [1, 2]), "w: found shape"),
        (lambda X, y: lg.gradient(X, y + 1, np.zeros(4)), "y: found 2, expected .*0 and 1"),
        (lambda X, y: lg.log_likelihood_signed(X, y, np.zeros(4)), "s: found 0"),
        (lambda X, y: lg.logit(1.5), "p: found"),
        (lambda X, y: lg.polynomial_features(X, 0), "degree"),
        (lambda X, y: LogisticRegression().fit(np.eye(3), [0, 1, 2]), "binary"),
    ],
)
def test_wrong_arguments_of_the_functions_are_named(call: Callable, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(*sample(10))


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


@pytest.mark.parametrize("positives", ["many", "too few", "every tenth", "a rare feature"])
def test_many_examples_end_where_newtons_method_does(positives: str) -> None:
    """Against Newton's method in five lines."""
    X, y = sample(30_000, 4)
    weights = np.random.default_rng(0).integers(0, 3, 30_000) + 0.0
    if positives == "too few":
        y, weights = np.isin(np.arange(30_000), [3, 77, 1234, 9999]), np.ones(30_000)
    if positives == "every tenth":  # the tenth that is looked at first holds one class only
        y, weights = np.arange(30_000) % 10 == 0, np.ones(30_000)
        X[y] *= 0.1
    if positives == "a rare feature":  # three examples have it
        X[:, 3], y, weights = np.arange(30_000) % 10_000 == 17, X[:, 0] > 0.3, np.ones(30_000)
        y = np.where(np.arange(30_000) % 3 == 0, ~y, y)
    order = np.argsort(y, kind="stable")  # sorted by class, as files often are
    if positives in ("many", "too few"):
        X, y, weights = X[order], y[order], weights[order]
    A, w = with_ones(X), np.zeros(5)
    for _ in range(30):
        p = 1 / (1 + np.exp(-(A @ w)))
        information = A.T @ ((weights * p * (1 - p))[:, None] * A)
        w = w + np.linalg.solve(information, A.T @ (weights * (y - p)))
    model = LogisticRegression().fit(X, y, weights)
    assert model.converged_
    assert model.n_iter_ < 20
    np.testing.assert_allclose(all_of(model), w, rtol=1e-8)
    errors = np.sqrt(np.diag(np.linalg.inv(information)))
    np.testing.assert_allclose(model.standard_errors_, errors, rtol=1e-7)


def test_separation_is_found_among_many_examples() -> None:
    X, _ = sample(25_000, 2)
    y = (X[:, 0] > X[:, 1]).astype(int)
    with pytest.warns(ConvergenceWarning, match="completely separated"):
        model = LogisticRegression().fit(X, y)
    assert is_separating(model.separating_direction_, X, y)


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
