"""Gaussian classifiers and naive Bayes: estimates, discriminants, and what goes wrong."""

from __future__ import annotations

import tracemalloc
import warnings
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import multivariate_normal
from sklearn import naive_bayes as theirs_nb
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as TheirLDA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as TheirQDA
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lectures_lib.datasets import load_digits, load_iris, load_statlog_landsat, load_vowel
from lectures_lib.fisher import FisherDiscriminant
from lectures_lib.gaussian import (
    CategoricalNB,
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    SingularCovarianceError,
    SingularCovarianceWarning,
    boundary_quadric,
    conic_type,
    efron_efficiency,
    linear_discriminants,
    linear_log_ratio,
    log_gaussian,
    parameter_count,
    quadratic_discriminants,
)

from .sklearn_checks import run_check_estimator

Array = NDArray[Any]
seeds = st.integers(0, 10_000)
few = settings(deadline=None, max_examples=15)
MODELS = [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis, GaussianNB]


def random_covariance(d: int, rng: np.random.Generator) -> Array:
    A = rng.normal(size=(d, d))
    return A @ A.T + 0.3 * np.eye(d)


def classes(
    seed: int, K: int = 3, d: int = 3, each: int = 30, same: bool = False
) -> tuple[Array, Array]:
    """Examples of K Gaussian classes of somewhat different sizes."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(K), each + np.arange(K))
    roots = np.array([np.linalg.cholesky(random_covariance(d, rng)) for _ in range(K)])
    if same:
        roots[:] = roots[0]
    z = rng.normal(size=(len(y), d))
    X = rng.normal(size=(K, d))[y] * 2 + np.einsum("nij,nj->ni", roots[y], z)
    order = rng.permutation(len(y))
    return X[order], y[order]


def log_softmax(scores: Array) -> Array:
    return (
        scores
        - np.log(np.exp(scores - scores.max(1, keepdims=True)).sum(1, keepdims=True))
        - (scores.max(1, keepdims=True))
    )


# Published figures


@pytest.mark.parametrize(
    ("model", "train", "test"),
    [(LinearDiscriminantAnalysis(), 0.32, 0.56), (QuadraticDiscriminantAnalysis(), 0.01, 0.53)],
)
def test_the_vowel_errors_are_those_of_the_elements_of_statistical_learning(
    model: Any, train: float, test: float
) -> None:
    data = load_vowel()
    model.fit(data.X[data.train], data.y[data.train])
    assert 1 - model.score(data.X[data.train], data.y[data.train]) == pytest.approx(train, abs=0.01)
    assert 1 - model.score(data.X[data.test], data.y[data.test]) == pytest.approx(test, abs=0.01)


@pytest.mark.parametrize(
    ("model", "train", "test"),
    [(LinearDiscriminantAnalysis(), 0.149, 0.171), (QuadraticDiscriminantAnalysis(), 0.106, 0.155)],
)
def test_the_landsat_errors_are_those_of_statlog(model: Any, train: float, test: float) -> None:
    data = load_statlog_landsat()
    model.fit(data.X[data.train], data.y[data.train])
    assert 1 - model.score(data.X[data.train], data.y[data.train]) == pytest.approx(
        train, abs=0.005
    )
    assert 1 - model.score(data.X[data.test], data.y[data.test]) == pytest.approx(test, abs=0.005)


# Estimates


def test_estimates_in_fractions() -> None:
    X = [[0, 1], [2, 1], [1, 4], [5, 3], [7, 6], [6, 9], [6, 2]]
    y = ["a", "a", "a", "b", "b", "b", "b"]
    rows = {k: [X[i] for i in range(7) if y[i] == k] for k in "ab"}
    means = {k: [Fraction(sum(x[j] for x in r), len(r)) for j in (0, 1)] for k, r in rows.items()}
    scatter = {
        k: [
            [sum((x[i] - means[k][i]) * (x[j] - means[k][j]) for x in r) for j in (0, 1)]
            for i in (0, 1)
        ]
        for k, r in rows.items()
    }
    pooled = [[(scatter["a"][i][j] + scatter["b"][i][j]) / 5 for j in (0, 1)] for i in (0, 1)]
    model = LinearDiscriminantAnalysis().fit(X, y)
    assert model.priors_ == pytest.approx([3 / 7, 4 / 7], rel=1e-15)
    assert model.means_ == pytest.approx(np.array([means["a"], means["b"]], dtype=float))
    assert model.covariance_ == pytest.approx(np.array(pooled, dtype=float), rel=1e-14)
    # w = S^-1 (mu_b - mu_a) and w0 by Cramer's rule, still in fractions.
    (p, q), (_, r) = pooled
    det = p * r - q * q
    u, v = (means["b"][j] - means["a"][j] for j in (0, 1))
    w = [(r * u - q * v) / det, (p * v - q * u) / det]
    middle = sum(w[j] * (means["a"][j] + means["b"][j]) / 2 for j in (0, 1))
    assert model.coef_[0] == pytest.approx([float(part) for part in w], rel=1e-12)
    assert model.intercept_[0] == pytest.approx(np.log(4 / 3) - float(middle), rel=1e-12)
    own = QuadraticDiscriminantAnalysis().fit(X, y)
    for k, divisor in (("a", 2), ("b", 3)):
        expected = np.array(scatter[k], dtype=float) / divisor
        assert own.covariance_["ab".index(k)] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("convention", ["unbiased", "mle"])
def test_the_two_conventions_divide_by_what_their_names_say(convention: str) -> None:
    X, y = classes(0)
    counts = np.bincount(y)
    scatters = np.array([np.cov(X[y == k].T, bias=True) * counts[k] for k in range(3)])
    lost = 1 if convention == "unbiased" else 0
    lda = LinearDiscriminantAnalysis(covariance=convention).fit(X, y)
    qda = QuadraticDiscriminantAnalysis(covariance=convention).fit(X, y)
    assert lda.covariance_ == pytest.approx(scatters.sum(0) / (len(y) - 3 * lost))
    assert qda.covariance_ == pytest.approx(scatters / (counts - lost)[:, None, None])
    nb = GaussianNB(covariance=convention).fit(X, y)
    assert nb.var_ == pytest.approx(np.array([X[y == k].var(0, ddof=lost) for k in range(3)]))
    shared = GaussianNB(covariance=convention, shared=True).fit(X, y)
    assert shared.var_[1] == pytest.approx(np.diag(lda.covariance_))


def test_dividing_by_n_minus_one_is_right_on_average_over_all_samples() -> None:
    values, n = [Fraction(0), Fraction(1), Fraction(5)], 3
    mean = sum(values) / 3
    variance = sum((v - mean) ** 2 for v in values) / 3
    total, count = Fraction(0), 0
    for sample in product(values, repeat=n):  # every sample of size 3 with replacement
        m = sum(sample) / n
        total, count = total + sum((v - m) ** 2 for v in sample), count + 1
    assert total / count == (n - 1) * variance


@pytest.mark.parametrize("model", MODELS)
def test_the_mle_has_the_largest_likelihood(model: Any) -> None:
    X, y = classes(1, K=2, d=2, each=12)
    fitted = model(covariance="mle").fit(X, y)

    def likelihood(m: Any) -> float:
        return float(m.predict_joint_log_proba(X)[np.arange(len(y)), y].sum())

    best = likelihood(fitted)
    for change in (
        {"covariance": "unbiased"},
        {"covariance": "mle", "priors": [0.45, 0.55]},
        {"covariance": "mle", "priors": [0.55, 0.45]},
    ):
        assert likelihood(model(**change).fit(X, y)) < best
    rng = np.random.default_rng(0)
    for _ in range(20):  # estimates from slightly different data, judged on these
        shifted = model(covariance="mle").fit(X + 0.1 * rng.normal(size=X.shape), y)
        assert likelihood(shifted) < best


def test_the_printed_class_mean_would_always_predict_the_majority() -> None:
    X, y = classes(2, K=2, d=2, each=40)
    X[y == 1] += 6.0
    model = LinearDiscriminantAnalysis().fit(X, y)
    grand = np.tile(X.mean(axis=0), (2, 1))
    delta = linear_discriminants(X, grand, model.covariance_, model.priors_)
    assert (delta.argmax(axis=1) == 1).all()  # class 1 has 41 of 81 examples
    assert model.score(X, y) > 0.95


def test_the_printed_qda_divisor_gives_a_kth_of_the_covariance() -> None:
    X, y = classes(3, K=4, d=2, each=2000)
    qda = QuadraticDiscriminantAnalysis().fit(X, y)
    counts = np.bincount(y)
    printed = qda.covariance_ * ((counts - 1) / (len(y) - 4))[:, None, None]
    assert printed == pytest.approx(qda.covariance_ / 4, rel=0.01)


# Discriminants


@few
@given(seeds)
def test_densities_are_scipys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 5))
    S, mean, X = random_covariance(d, rng), rng.normal(size=d), rng.normal(size=(6, d)) * 3
    expected = multivariate_normal(mean, S).logpdf(X)
    assert log_gaussian(X, mean, S) == pytest.approx(expected, rel=1e-10)


@few
@given(seeds)
def test_differences_of_delta_are_log_ratios_of_prior_times_density(seed: int) -> None:
    rng = np.random.default_rng(seed)
    means, S = rng.normal(size=(3, 2)), random_covariance(2, rng)
    priors = rng.dirichlet(np.ones(3)) * 0.97 + 0.01
    X = rng.normal(size=(7, 2)) * 3
    joint = np.column_stack([log_gaussian(X, m, S) for m in means]) + np.log(priors)
    delta = linear_discriminants(X, means, S, priors)
    alpha0, alpha = linear_log_ratio(means[0], means[2], S, priors[0], priors[2])
    assert delta[:, 0] - delta[:, 2] == pytest.approx(joint[:, 0] - joint[:, 2], abs=1e-9)
    assert alpha0 + X @ alpha == pytest.approx(joint[:, 0] - joint[:, 2], abs=1e-9)
    # The formula as printed, with an inverse:
    printed = (
        np.log(priors) - 0.5 * np.diag(means @ np.linalg.inv(S) @ means.T)
    ) + X @ np.linalg.inv(S) @ means.T
    assert delta == pytest.approx(printed, abs=1e-9)
    quadratic = quadratic_discriminants(X, means, [S, S, S], priors)
    assert quadratic[:, 1] - quadratic[:, 0] == pytest.approx(delta[:, 1] - delta[:, 0], abs=1e-9)


@few
@given(seeds, st.integers(2, 4))
def test_the_models_compute_the_discriminants_of_their_estimates(seed: int, K: int) -> None:
    X, y = classes(seed, K=K)
    new = np.random.default_rng(seed).normal(size=(9, 3)) * 3
    lda = LinearDiscriminantAnalysis().fit(X, y)
    delta = linear_discriminants(new, lda.means_, lda.covariance_, lda.priors_)
    assert lda.predict_log_proba(new) == pytest.approx(log_softmax(delta), abs=1e-8)
    qda = QuadraticDiscriminantAnalysis().fit(X, y)
    delta = quadratic_discriminants(new, qda.means_, qda.covariance_, qda.priors_)
    assert qda.predict_log_proba(new) == pytest.approx(log_softmax(delta), abs=1e-8)
    for model in (lda, qda, GaussianNB().fit(X, y)):
        joint = model.predict_joint_log_proba(new)
        assert model.predict_proba(new) == pytest.approx(np.exp(log_softmax(joint)), abs=1e-10)
        assert model.predict_proba(new).sum(axis=1) == pytest.approx(1.0)
        assert (model.predict(new) == joint.argmax(axis=1)).all()
        scores = model.decision_function(new)
        if K == 2:
            assert scores == pytest.approx(joint[:, 1] - joint[:, 0], abs=1e-8)
        else:
            assert log_softmax(scores) == pytest.approx(log_softmax(joint), abs=1e-8)


def test_joint_densities_integrate_to_one() -> None:
    X, y = classes(4, K=2, d=2)
    axis = np.linspace(-25, 25, 251)
    grid = np.array(list(product(axis, axis)))
    for model in MODELS:
        density = np.exp(model().fit(X, y).predict_joint_log_proba(grid)).sum()
        assert density * (axis[1] - axis[0]) ** 2 == pytest.approx(1.0, abs=1e-3)


def test_the_posterior_of_two_classes_is_a_sigmoid_and_of_more_a_softmax() -> None:
    X, y = classes(5, K=2)
    model = LinearDiscriminantAnalysis().fit(X, y)
    odds = X @ model.coef_[0] + model.intercept_[0]
    assert model.predict_proba(X)[:, 1] == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-12)
    X, y = classes(5, K=4)
    model = LinearDiscriminantAnalysis().fit(X, y)
    scores = X @ model.coef_.T + model.intercept_
    assert model.predict_log_proba(X) == pytest.approx(log_softmax(scores), abs=1e-9)


@few
@given(seeds)
def test_an_affine_change_of_coordinates_changes_no_posterior(seed: int) -> None:
    X, y = classes(seed, d=3)
    rng = np.random.default_rng(seed)
    M, shift = random_covariance(3, rng), 50 * rng.normal(size=3)
    for model in (LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis):
        plain = model().fit(X, y).predict_log_proba(X)
        moved = model().fit(X @ M + shift, y).predict_log_proba(X @ M + shift)
        assert moved == pytest.approx(plain, rel=1e-7, abs=1e-7)


def test_given_priors_move_the_boundary_and_nothing_else() -> None:
    X, y = classes(6, K=2)
    data = LinearDiscriminantAnalysis().fit(X, y)
    given_priors = LinearDiscriminantAnalysis(priors=[0.9, 0.1]).fit(X, y)
    assert given_priors.coef_ == pytest.approx(data.coef_)
    shift = np.log(0.1 / 0.9) - np.log(data.priors_[1] / data.priors_[0])
    assert given_priors.intercept_ - data.intercept_ == pytest.approx(shift)
    assert (given_priors.predict(X) == 1).sum() < (data.predict(X) == 1).sum()


# scikit-learn as a peer


@pytest.mark.parametrize("name", ["iris", "vowel", "digits"])
def test_lda_agrees_with_scikit_learn(name: str) -> None:
    data = {"iris": load_iris, "vowel": load_vowel, "digits": load_digits}[name]()
    X, y = data.X, data.y
    if name == "digits":
        X = X + np.random.default_rng(0).normal(size=X.shape)  # no constant pixels
    priors = np.full(len(data.class_names), 1 / len(data.class_names))
    for given_priors in (None, priors):
        ours = LinearDiscriminantAnalysis(covariance="mle", priors=given_priors).fit(X, y)
        theirs = TheirLDA(solver="svd", priors=given_priors, tol=1e-12).fit(X, y)
        assert ours.means_ == pytest.approx(theirs.means_, rel=1e-12)
        assert ours.xbar_ == pytest.approx(theirs.xbar_, abs=1e-10)
        assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-8)
        assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-8)
        assert ours.predict_log_proba(X) == pytest.approx(theirs.predict_log_proba(X), abs=1e-8)
        if given_priors is None:  # otherwise "lsqr" weights the class covariances by them
            other = TheirLDA(solver="lsqr").fit(X, y)
            assert ours.predict_log_proba(X) == pytest.approx(other.predict_log_proba(X), abs=1e-8)
    X, y = X[y < 2], y[y < 2]
    ours, theirs = LinearDiscriminantAnalysis(covariance="mle").fit(X, y), TheirLDA().fit(X, y)
    assert ours.coef_.shape == theirs.coef_.shape
    assert ours.decision_function(X) == pytest.approx(theirs.decision_function(X), abs=1e-7)


def test_shrinkage_agrees_with_scikit_learn_and_its_formula() -> None:
    X, y = classes(7, same=True)
    ours = LinearDiscriminantAnalysis(covariance="mle", shrinkage=0.3).fit(X, y)
    theirs = TheirLDA(solver="lsqr", shrinkage=0.3).fit(X, y)
    assert ours.predict_log_proba(X) == pytest.approx(theirs.predict_log_proba(X), abs=1e-8)
    S = np.cov(X[y == 1].T)
    expected = 0.7 * S + 0.3 * np.trace(S) / 3 * np.eye(3)
    qda = QuadraticDiscriminantAnalysis(shrinkage=0.3).fit(X, y)
    assert qda.covariance_[1] == pytest.approx(expected)
    # All the way: round clusters of the same size, that is the nearest mean.
    nearest = LinearDiscriminantAnalysis(shrinkage=1.0, priors=[1 / 3] * 3).fit(X, y)
    distances = ((X[:, None] - nearest.means_) ** 2).sum(axis=2)
    assert (nearest.predict(X) == distances.argmin(axis=1)).all()


@pytest.mark.parametrize("name", ["iris", "vowel"])
def test_qda_and_naive_bayes_agree_with_scikit_learn(name: str) -> None:
    data = {"iris": load_iris, "vowel": load_vowel}[name]()
    X, y = data.X, data.y
    K = len(data.class_names)
    for priors in (None, np.full(K, 1 / K)):
        pairs: list[tuple[Any, Any]] = [
            (
                QuadraticDiscriminantAnalysis(covariance="mle", priors=priors),
                TheirQDA(priors=priors),
            ),
            (
                GaussianNB(covariance="mle", priors=priors),
                theirs_nb.GaussianNB(priors=priors, var_smoothing=0),
            ),
        ]
        for ours, theirs in pairs:
            found, expected = (m.fit(X, y).predict_log_proba(X) for m in (ours, theirs))
            assert found == pytest.approx(expected, rel=1e-8, abs=1e-8)
    smooth = GaussianNB(covariance="mle", var_smoothing=1e-3).fit(X, y)
    theirs = theirs_nb.GaussianNB(var_smoothing=1e-3).fit(X, y)
    assert smooth.var_ == pytest.approx(theirs.var_, rel=1e-10)
    assert smooth.theta_ == pytest.approx(theirs.theta_, rel=1e-10)
    assert smooth.epsilon_ == pytest.approx(theirs.epsilon_, rel=1e-10)


# Naive Bayes


@few
@given(seeds)
def test_naive_bayes_with_shared_variances_is_lda_with_a_diagonal_covariance(seed: int) -> None:
    X, y = classes(seed)
    naive = GaussianNB(shared=True).fit(X, y)
    diagonal = np.diag(np.diag(LinearDiscriminantAnalysis().fit(X, y).covariance_))
    delta = linear_discriminants(X, naive.theta_, diagonal, naive.class_prior_)
    assert naive.predict_log_proba(X) == pytest.approx(log_softmax(delta), abs=1e-8)


def test_gaussian_naive_bayes_multiplies_one_dimensional_densities() -> None:
    X, y = classes(8, d=2)
    model = GaussianNB().fit(X, y)
    for k in range(3):
        expected = np.log(model.class_prior_[k]) + sum(
            log_gaussian(X[:, [j]], model.theta_[k, [j]], np.diag(model.var_[k, [j]]))
            for j in range(2)
        )
        assert model.predict_joint_log_proba(X)[:, k] == pytest.approx(expected)


WEATHER = [[0, 0], [0, 1], [1, 0], [2, 1], [2, 1], [1, 1], [2, 0], [0, 1]]  # sky, wind
PLAY = ["no", "no", "yes", "yes", "yes", "yes", "no", "yes"]


@pytest.mark.parametrize("alpha", [Fraction(1), Fraction(1, 2), Fraction(0)])
def test_a_small_table_in_fractions(alpha: Fraction) -> None:
    model = CategoricalNB(alpha=float(alpha)).fit(WEATHER, PLAY)
    sizes, N = (3, 2), 8
    for x in product(range(3), range(2)):
        joint = []
        for label in ("no", "yes"):
            rows = [r for r, p in zip(WEATHER, PLAY, strict=True) if p == label]
            term = Fraction(len(rows), N)
            for j, v in enumerate(x):
                count = sum(r[j] == v for r in rows)
                term *= (count + alpha) / (len(rows) + alpha * sizes[j])
            joint.append(term)
        expected = [float(term / sum(joint)) for term in joint]
        assert model.predict_proba([x])[0] == pytest.approx(expected, rel=1e-12, abs=1e-15)
        assert np.exp(model.predict_joint_log_proba([x])[0]) == pytest.approx(
            [float(term) for term in joint]
        )


def test_categories_agree_with_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    X, y, w = rng.integers(0, 4, (200, 5)), rng.integers(0, 3, 200), rng.uniform(0.1, 2, 200)
    pairs: list[dict[str, Any]] = [
        {},
        {"alpha": 0.1, "fit_prior": False},
        {"class_prior": [0.2, 0.3, 0.5], "min_categories": 6},
        {"min_categories": [4, 5, 6, 7, 8]},
    ]
    for parameters in pairs:
        ours = CategoricalNB(**parameters).fit(X, y, sample_weight=w)
        theirs = theirs_nb.CategoricalNB(**parameters).fit(X, y, sample_weight=w)
        assert ours.predict_log_proba(X) == pytest.approx(theirs.predict_log_proba(X), abs=1e-10)
        assert ours.n_categories_.tolist() == theirs.n_categories_.tolist()
        for mine, other in zip(ours.feature_log_prob_, theirs.feature_log_prob_, strict=True):
            assert mine == pytest.approx(other, abs=1e-12)
        assert ours.category_count_[2] == pytest.approx(theirs.category_count_[2])
        assert ours.class_log_prior_ == pytest.approx(theirs.class_log_prior_)


def test_what_was_never_seen_is_impossible_without_smoothing_and_said_so() -> None:
    X, y = [[0, 0], [0, 1], [1, 1], [1, 1]], [0, 0, 1, 1]
    strict = CategoricalNB(alpha=0).fit(X, y)
    assert strict.predict_proba([[1, 1]]).tolist() == [[0.0, 1.0]]
    with pytest.raises(ValueError, match=r"row 0 has probability 0 in every class.*chapter \d\d"):
        strict.predict([[1, 0]])
    with pytest.raises(ValueError, match="category 2 in column 1, expected 0 to 1"):
        strict.predict([[1, 2]])
    with pytest.raises(ValueError, match=r"X has 0\.5 at row 0"):
        CategoricalNB().fit([[0.5], [1.0]], [0, 1])


# Sampling


@pytest.mark.parametrize("model", MODELS)
def test_samples_look_like_the_fitted_model(model: Any) -> None:
    X, y = classes(9, K=3, d=2, each=200)
    fitted = model(priors=[0.2, 0.3, 0.5]).fit(X, y + 5)
    drawn, labels = fitted.sample(60_000, rng=1)
    assert drawn.shape == (60_000, 2)
    assert np.bincount(labels - 5) / 60_000 == pytest.approx([0.2, 0.3, 0.5], abs=0.01)
    for k in range(3):
        own = drawn[labels == k + 5]
        covariance = (
            np.diag(fitted.var_[k])
            if model is GaussianNB
            else fitted.covariance_
            if model is LinearDiscriminantAnalysis
            else fitted.covariance_[k]
        )
        mean = fitted.theta_[k] if model is GaussianNB else fitted.means_[k]
        error = 5 * np.sqrt(np.diag(covariance) / len(own))  # five standard errors
        assert (np.abs(own.mean(axis=0) - mean) < error).all()
        assert np.cov(own.T) == pytest.approx(covariance, abs=0.06 * np.trace(covariance))
    again, _ = fitted.sample(60_000, rng=1)
    assert (again == drawn).all()


def test_samples_are_the_mean_plus_z_times_a_transposed() -> None:
    X, y = classes(10, K=2, d=2)
    model = LinearDiscriminantAnalysis().fit(X, y)
    drawn, labels = model.sample(5, np.random.default_rng(3))
    rng = np.random.default_rng(3)
    rng.choice(2, size=5, p=model.priors_)
    z = rng.standard_normal((5, 2))
    expected = model.means_[labels] + z @ np.linalg.cholesky(model.covariance_).T
    assert drawn == pytest.approx(expected)


def test_categories_are_drawn_from_their_tables() -> None:
    model = CategoricalNB().fit(WEATHER, PLAY)
    drawn, labels = model.sample(40_000, 0)
    for j, n in enumerate((3, 2)):
        for k, label in enumerate(("no", "yes")):
            shares = np.bincount(drawn[labels == label, j].astype(int), minlength=n)
            expected = np.exp(model.feature_log_prob_[j][k])
            assert shares / shares.sum() == pytest.approx(expected, abs=0.02)


# Counts, conics, efficiency


@pytest.mark.parametrize(("K", "d"), [(2, 1), (3, 2), (4, 5)])
def test_parameters_are_counted_one_by_one(K: int, d: int) -> None:
    means, priors = K * d, K - 1
    entries = len([(i, j) for i in range(d) for j in range(i, d)])  # of a symmetric matrix
    assert parameter_count(K, d, "shared") == means + priors + entries
    assert parameter_count(K, d, "own") == means + priors + K * entries
    assert parameter_count(K, d, "diagonal") == means + priors + K * d
    assert parameter_count(K, d, "shared diagonal") == means + priors + d


@few
@given(seeds)
def test_the_boundary_quadric_is_the_difference_of_the_discriminants(seed: int) -> None:
    rng = np.random.default_rng(seed)
    means = rng.normal(size=(2, 3))
    covariances = np.array([random_covariance(3, rng) for _ in range(2)])
    priors = [0.3, 0.7]
    A, b, c = boundary_quadric(means, covariances, priors)
    X = rng.normal(size=(10, 3)) * 2
    delta = quadratic_discriminants(X, means, covariances, priors)
    value = np.einsum("ni,ij,nj->n", X, A, X) + X @ b + c
    assert value == pytest.approx(delta[:, 0] - delta[:, 1], abs=1e-8)


@pytest.mark.parametrize(
    ("A", "b", "c", "kind"),
    [
        ([[1, 0], [0, 1]], [0, 0], -4, "ellipse"),
        ([[1, 0], [0, 4]], [-2, 8], 1, "ellipse"),
        ([[-1, 0], [0, -1]], [0, 0], 4, "ellipse"),
        ([[1, 0], [0, 1]], [0, 0], 4, "empty"),
        ([[1, 0], [0, 1]], [-2, 0], 1, "point"),
        ([[1, 0], [0, -1]], [0, 0], 1, "hyperbola"),
        ([[0, 0.5], [0.5, 0]], [0, 0], 1, "hyperbola"),
        ([[1, 0], [0, -1]], [0, 0], 0, "two crossing lines"),
        ([[1, 0], [0, 0]], [0, 1], 0, "parabola"),
        ([[1, 1], [1, 1]], [1, -1], 3, "parabola"),
        ([[1, 1], [1, 1]], [1, 1], -3, "two parallel lines"),
        ([[1, 0], [0, 0]], [0, 0], 0, "line"),
        ([[1, 0], [0, 0]], [0, 0], 1, "empty"),
        ([[0, 0], [0, 0]], [1, 2], 3, "line"),
        ([[0, 0], [0, 0]], [0, 0], 0, "plane"),
        ([[0, 0], [0, 0]], [0, 0], 1, "empty"),
    ],
)
@pytest.mark.parametrize("factor", [1.0, -3.0, 1e-7, 1e9])
def test_conics_have_their_names_in_every_unit(
    A: Any, b: Any, c: float, kind: str, factor: float
) -> None:
    assert conic_type(factor * np.array(A), factor * np.array(b), factor * c) == kind
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])  # x = turn u is the same curve, turned
    turned = turn.T @ np.array(A) @ turn
    assert conic_type(factor * turned, factor * (turn.T @ np.array(b)), factor * c) == kind


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        (np.eye(2), np.eye(2), "line"),
        (np.eye(2), 4 * np.eye(2), "ellipse"),
        (np.diag([1.0, 4.0]), np.diag([4.0, 1.0]), "hyperbola"),
        (np.diag([1.0, 2.0]), np.diag([1.0, 5.0]), "parabola"),
    ],
)
def test_the_boundary_of_two_gaussians_is_a_conic(first: Array, second: Array, kind: str) -> None:
    assert conic_type(*boundary_quadric([[0, 0], [2, 1]], [first, second])) == kind


def test_efrons_efficiency_is_the_published_curve_and_an_integral() -> None:
    published = [0.995, 0.968, 0.899, 0.786, 0.641, 0.486, 0.343]
    distances = [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]
    assert [efron_efficiency(D) for D in distances] == pytest.approx(published, abs=5e-4)
    assert efron_efficiency(0.0) == pytest.approx(1.0)
    rng = np.random.default_rng(0)
    x = rng.standard_normal(400_000) + np.where(rng.random(400_000) < 0.5, 1.0, -1.0)
    p = 1 / (1 + np.exp(-2 * x))  # distance 2
    assert efron_efficiency(2.0) == pytest.approx(8 * (p * (1 - p)).mean(), abs=4e-3)


# Hard cases


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("shift", "scale"), [(1e8, 1.0), (-1e8, 1e6), (0.0, 1e6), (0.0, 1e-6), (1e8, 1e3)]
)
def test_posteriors_do_not_feel_shift_and_scale(model: Any, shift: float, scale: float) -> None:
    X, y = classes(11)
    moved = X * scale + shift
    plain = model().fit(X, y).predict_log_proba(X)
    rounding = max(1e-9, 1e-14 * abs(shift) / scale)  # of the data themselves
    assert model().fit(moved, y).predict_log_proba(moved) == pytest.approx(
        plain, rel=1e3 * rounding, abs=1e3 * rounding
    )


@pytest.mark.parametrize("model", MODELS)
def test_features_of_very_different_scale_do_no_harm(model: Any) -> None:
    X, y = classes(12)
    scales = np.array([1e-6, 1.0, 1e6])
    plain, scaled = model().fit(X, y), model().fit(X * scales, y)
    assert scaled.predict_log_proba(X * scales) == pytest.approx(
        plain.predict_log_proba(X), abs=1e-8
    )


@pytest.mark.parametrize("model", [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis])
def test_a_repeated_or_constant_column_is_left_out_with_a_warning(model: Any) -> None:
    X, y = classes(13)
    plain = model().fit(X, y)
    cases = [
        (np.column_stack([X, X[:, 1]]), "columns 1, 3 of X are linearly dependent"),
        (np.column_stack([X, X[:, 0] + X[:, 2] + 1]), "columns 0, 2, 3 of X are linearly"),
        (np.column_stack([X, np.full(len(y), 0.1)]), "column 3 of X is constant"),
        (np.column_stack([X, np.full(len(y), 1e8)]), "column 3 of X is constant"),
    ]
    for wide, cause in cases:
        with pytest.warns(SingularCovarianceWarning, match=rf"{cause}.*chapter \d\d"):
            fitted = model().fit(wide, y)
        assert fitted.predict_log_proba(wide) == pytest.approx(
            plain.predict_log_proba(X), rel=1e-6, abs=1e-6
        )
        drawn, _ = fitted.sample(50, 0)
        assert np.isfinite(drawn).all()


def test_naive_bayes_leaves_a_constant_column_out() -> None:
    X, y = classes(13)
    with pytest.warns(SingularCovarianceWarning, match=r"column 3 of X is constant.*chapter \d\d"):
        model = GaussianNB().fit(np.column_stack([X, np.full(len(y), 0.1)]), y)
    wide = np.column_stack([X, np.zeros(len(y))])
    plain = GaussianNB().fit(X, y)
    assert model.predict_log_proba(wide) == pytest.approx(plain.predict_log_proba(X))


def test_a_singular_covariance_is_refused_where_it_matters() -> None:
    rng = np.random.default_rng(0)
    X, y = classes(14)
    wide, few_y = rng.normal(size=(10, 20)), np.arange(10) % 2
    cases: list[tuple[Any, Array, Array, str]] = [
        (
            LinearDiscriminantAnalysis(),
            wide,
            few_y,
            "8 degrees of freedom.*20 features.*chapter 13",
        ),
        (
            LinearDiscriminantAnalysis(),
            np.column_stack([X, y]),
            y,
            "column 3 of X is constant within the classes.*chapter 13",
        ),
        (LinearDiscriminantAnalysis(), np.eye(3), np.arange(3), "3 examples .* 3 classes"),
        (
            QuadraticDiscriminantAnalysis(),
            np.vstack([X, [[0, 0, 0]]]),
            np.append(y, 3),
            r"class 3 has 1 example.*chapter 13",
        ),
        (
            QuadraticDiscriminantAnalysis(),
            np.vstack([X, rng.normal(size=(3, 3))]),
            np.append(y, [3, 3, 3]),
            "class 3 is singular: 2 degrees of freedom.*3 features.*chapter 13",
        ),
        (
            QuadraticDiscriminantAnalysis(),
            np.where((y == 1)[:, None] & (np.arange(3) == 2), 0.5, X),
            y,
            "class 1 is singular: column 2 of X is constant.*chapter 13",
        ),
        (
            GaussianNB(),
            np.where((y == 1)[:, None] & (np.arange(3) == 2), 0.5, X),
            y,
            "column 2 has no spread in class 1.*chapter 13",
        ),
        (
            GaussianNB(),
            np.vstack([X, [[0, 0, 0]]]),
            np.append(y, 3),
            r"no spread in class 3 \(1 example",
        ),
    ]
    for model, data, labels, message in cases:
        with pytest.raises(SingularCovarianceError, match=message):
            model.fit(data, labels)
        if np.bincount(labels).min() == 1 and not isinstance(model, GaussianNB):
            continue  # nothing to shrink
        cure = {"var_smoothing": 1e-6} if isinstance(model, GaussianNB) else {"shrinkage": 0.1}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            cured = model.set_params(**cure).fit(data, labels)
        assert np.isfinite(cured.predict_proba(data)).all()


def test_one_example_in_a_class_is_enough_for_a_shared_covariance() -> None:
    X, y = classes(15, K=2)
    X, y = np.vstack([X, [[9.0, 9.0, 9.0]]]), np.append(y, 2)
    model = LinearDiscriminantAnalysis().fit(X, y)
    assert model.predict([[9.0, 9.0, 9.0]])[0] == 2
    assert GaussianNB(shared=True).fit(X, y).predict([[9.0, 9.0, 9.0]])[0] == 2


@pytest.mark.parametrize("model", MODELS)
def test_fifty_classes(model: Any) -> None:
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(50), 12)
    X = rng.normal(size=(600, 4)) + 30 * rng.normal(size=(50, 4))[y]
    fitted = model().fit(X, y)
    assert fitted.score(X, y) > 0.95
    assert fitted.predict_proba(X).shape == (600, 50)


@pytest.mark.parametrize("model", MODELS)
def test_scores_of_a_thousand_do_not_overflow(model: Any) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 2)) + 60.0 * y[:, None]
    fitted = model().fit(X, y)
    assert np.abs(fitted.decision_function(X)).min() > 1000
    probabilities = fitted.predict_proba(X)
    assert probabilities[np.arange(60), y].tolist() == [1.0] * 60
    assert np.isfinite(fitted.predict_log_proba(X)).all()


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("form", ["int", "float32", "Fortran", "read-only", "list", "strided"])
def test_every_form_of_the_same_numbers_gives_the_same_model(model: Any, form: str) -> None:
    rng = np.random.default_rng(0)
    whole, y = rng.integers(-20, 20, (60, 3)), np.arange(60) % 3
    read_only = whole.astype(float)
    read_only.flags.writeable = False
    X: Any = {
        "int": whole,
        "float32": whole.astype(np.float32),
        "Fortran": np.asfortranarray(whole.astype(float)),
        "read-only": read_only,
        "list": whole.tolist(),
        "strided": np.repeat(whole.astype(float), 2, axis=0)[::2],
    }[form]
    before = np.array(X)
    reference = model().fit(whole.astype(float), y).predict_log_proba(whole)
    assert model().fit(X, y).predict_log_proba(X) == pytest.approx(reference, rel=1e-12)
    assert (before == np.array(X)).all()


@pytest.mark.parametrize("model", MODELS)
def test_example_weights_count_examples(model: Any) -> None:
    X, y = classes(16)
    counts = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = model().fit(X, y, sample_weight=counts)
    repeated = model().fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert weighted.predict_log_proba(X) == pytest.approx(
        repeated.predict_log_proba(X), rel=1e-9, abs=1e-9
    )
    without = model().fit(X, y, sample_weight=np.where(y == 0, 0.0, 1.0))
    assert without.classes_.tolist() == [1, 2]


@pytest.mark.parametrize("model", [QuadraticDiscriminantAnalysis, GaussianNB])
def test_an_outlier_in_the_first_row_spoils_no_other_class(model: Any) -> None:
    X, y = classes(17, K=2)
    first = np.flatnonzero(y == 0)[0]
    order = np.append(first, np.delete(np.arange(len(y)), first))
    X, y = X[order], y[order]
    X[0, 0] = 1e12
    fitted = model().fit(X, y)
    own = X[y == 1]
    mean = fitted.theta_[1] if model is GaussianNB else fitted.means_[1]
    assert mean == pytest.approx(own.mean(axis=0), rel=1e-12)
    joint = log_gaussian(own, own.mean(axis=0), np.cov(own.T))
    if model is GaussianNB:
        joint = log_gaussian(own, own.mean(axis=0), np.diag(own.var(axis=0, ddof=1)))
    expected = joint + np.log((y == 1).mean())
    assert fitted.predict_joint_log_proba(own)[:, 1] == pytest.approx(expected, rel=1e-10)


def test_qda_does_not_blame_a_class_that_is_in_order() -> None:
    X, y = classes(17, K=2)
    X[np.flatnonzero(y == 0)[0]] = 1e12  # one outlier makes all features of class 0 one
    with pytest.raises(SingularCovarianceError, match="class 0 is singular: columns 0, 1, 2 of X"):
        QuadraticDiscriminantAnalysis().fit(X, y)


def test_the_order_and_number_of_chunks_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    y = np.sort(rng.integers(0, 3, 30_000))
    X = rng.normal(size=(30_000, 8)) + np.linspace(0, 100, 30_000)[:, None]  # drifting
    model = LinearDiscriminantAnalysis(covariance="mle").fit(X, y)
    exact = sum((y == k).sum() * np.cov(X[y == k].T, bias=True) for k in range(3)) / 30_000
    assert model.covariance_ == pytest.approx(exact, rel=1e-11)
    order = rng.permutation(30_000)
    shuffled = LinearDiscriminantAnalysis(covariance="mle").fit(X[order], y[order])
    assert shuffled.covariance_ == pytest.approx(model.covariance_, rel=1e-11)


@pytest.mark.parametrize("model", MODELS)
def test_fitting_needs_little_memory_beside_the_data(model: Any) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40_000, 40)), rng.integers(0, 4, 40_000)
    tracemalloc.start()
    model().fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 0.5 * X.nbytes


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda X, y: LinearDiscriminantAnalysis(priors=[0.5, 0.6, 0.1]).fit(X, y),
            "priors: found",
        ),
        (lambda X, y: LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(X, y), "priors: found 2"),
        (lambda X, y: LinearDiscriminantAnalysis(priors=[1.0, 0, 0]).fit(X, y), "positive"),
        (lambda X, y: LinearDiscriminantAnalysis(covariance="ml").fit(X, y), "covariance: found"),
        (lambda X, y: QuadraticDiscriminantAnalysis(shrinkage=2).fit(X, y), "shrinkage: found 2"),
        (lambda X, y: GaussianNB(var_smoothing=-1).fit(X, y), "var_smoothing: found -1"),
        (lambda X, y: CategoricalNB(alpha=-1).fit(np.abs(y)[:, None], y), "alpha: found -1"),
        (
            lambda X, y: CategoricalNB(min_categories=[1, 2]).fit(y[:, None], y),
            r"min_categories: found \[1, 2\]",
        ),
        (lambda X, y: log_gaussian(X, [0, 0], np.eye(3)), "mean: found 2 entries, expected 3"),
        (lambda X, y: log_gaussian(X, [0, 0, 0], np.eye(2)), r"covariance: found shape \(2, 2\)"),
        (lambda X, y: log_gaussian(X, [0, 0, 0], np.triu(np.ones((3, 3)))), "asymmetric"),
        (lambda X, y: log_gaussian(X, [0, 0, 0], np.ones((3, 3))), "singular.*chapter 13"),
        (lambda X, y: log_gaussian(X, [0, 0, 0], np.diag([1.0, 1, -1])), "negative variance"),
        (lambda X, y: quadratic_discriminants(X, X[:2], np.eye(3), [0.5, 0.5]), "covariances: "),
        (
            lambda X, y: linear_discriminants(X, [[0, 0]], np.eye(3), [1.0]),
            "means: found 2 columns",
        ),
        (lambda X, y: parameter_count(2, 3, "common"), "covariance: found 'common'"),
        (lambda X, y: conic_type(np.eye(3), [0, 0, 0], 1), r"A: found shape \(3, 3\)"),
        (lambda X, y: boundary_quadric([[0, 0]], np.eye(2)), r"means: found shape \(1, 2\)"),
        (lambda X, y: boundary_quadric(X[:2], [np.eye(3)] * 3), "covariances: found shape"),
        (lambda X, y: boundary_quadric(X[:2], [np.eye(3), -np.eye(3)]), "determinant"),
        (lambda X, y: boundary_quadric(X[:2], [np.eye(3)] * 2, [1, 0]), "priors: found 0"),
        (lambda X, y: efron_efficiency(-1), "distance: found -1"),
        (lambda X, y: LinearDiscriminantAnalysis().fit(X, y).sample(0, 0), "n: found 0"),
    ],
)
def test_messages_name_the_argument(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(*classes(0))


# scikit-learn's conventions


WEIGHT_CHECKS = (
    "check_sample_weights_shape",
    "check_sample_weights_not_overwritten",
    "check_sample_weight_equivalence_on_dense_data",
)


@pytest.mark.parametrize(
    ("model", "expected", "reason"),
    [
        (LinearDiscriminantAnalysis(shrinkage=0.1), (), ""),
        (
            QuadraticDiscriminantAnalysis(shrinkage=0.1),
            ("check_sample_weight_equivalence_on_dense_data",),
            "one of its classes is one example, repeated: there is nothing to shrink",
        ),
        (GaussianNB(var_smoothing=1e-9), (), ""),
        (
            LinearDiscriminantAnalysis(),
            WEIGHT_CHECKS,
            "its data have a singular covariance, so the Gaussian density does not exist",
        ),
        (
            QuadraticDiscriminantAnalysis(),
            WEIGHT_CHECKS,
            "its data have a singular covariance, so the Gaussian density does not exist",
        ),
        (GaussianNB(), WEIGHT_CHECKS, "its data are constant in a class: there is no density"),
        (
            CategoricalNB(),
            ("check_sample_weight_equivalence_on_dense_data", "check_decision_proba_consistency"),
            "it passes fractions to a model of categories",
        ),
    ],
)
def test_the_models_pass_scikit_learns_checks(
    model: Any, expected: tuple[str, ...], reason: str
) -> None:
    run_check_estimator(model, dict.fromkeys(expected, reason))


def test_the_models_work_inside_scikit_learn() -> None:
    data = load_iris()
    search = GridSearchCV(
        make_pipeline(StandardScaler(), QuadraticDiscriminantAnalysis()),
        {"quadraticdiscriminantanalysis__shrinkage": [0.0, 0.5]},
        cv=3,
    ).fit(data.X, data.y)
    assert search.best_score_ > 0.95
    assert cross_val_score(LinearDiscriminantAnalysis(), data.X, data.y, cv=3).mean() > 0.95
    copy = clone(LinearDiscriminantAnalysis(shrinkage=0.2))
    assert copy.shrinkage == 0.2


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "model",
    [
        LinearDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(),
        GaussianNB(),
        FisherDiscriminant(),
    ],
)
def test_the_order_of_memory_changes_nothing(model: Any, weighted: bool) -> None:
    """A DataFrame hands over columns; a slice of an array is neither rows nor columns."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 60_000)
    X = rng.standard_normal((60_000, 4)) + rng.standard_normal((3, 4))[y]
    w = rng.uniform(0.5, 2, 60_000) if weighted else None
    expected = model.fit(X, y, w).decision_function(X[:50])
    wider = np.zeros((60_000, 8))
    wider[:, ::2] = X
    for other in (np.asfortranarray(X), wider[:, ::2], X[::-1][::-1]):
        found = model.fit(other, y, w).decision_function(X[:50])
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-11)
