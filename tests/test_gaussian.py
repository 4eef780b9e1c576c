"""Gaussian classifiers and naive Bayes: estimates, discriminants, and what goes wrong."""

from __future__ import annotations

import warnings
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import log_softmax
from scipy.stats import multivariate_normal
from sklearn import naive_bayes as theirs_nb
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as TheirLDA

from lectures_lib.datasets import load_iris, load_statlog_landsat, load_vowel
from lectures_lib.gaussian import (
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
    SingularCovarianceError,
    SingularCovarianceWarning,
    boundary_quadric,
    conic_type,
    efron_efficiency,
    linear_discriminants,
    log_gaussian,
    parameter_count,
)

Array = NDArray[Any]
seeds = st.integers(0, 10_000)
few = settings(deadline=None, max_examples=15)
MODELS = [LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis, GaussianNB]
FOUR = [*MODELS, RegularizedDiscriminantAnalysis]
WIDE = np.random.default_rng(0).normal(size=(10, 20))


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


def moments_of(fitted: Any, k: int) -> tuple[Array, Array]:
    """Mean and covariance of class k."""
    if isinstance(fitted, GaussianNB):
        return fitted.theta_[k], np.diag(fitted.var_[k])
    S = fitted.covariance_
    return fitted.means_[k], S if S.ndim == 2 else S[k]


# Published figures


@pytest.mark.parametrize(
    ("load", "model", "errors", "digit"),
    [
        (load_vowel, LinearDiscriminantAnalysis(), (0.32, 0.56), 0.01),
        (load_vowel, QuadraticDiscriminantAnalysis(), (0.01, 0.53), 0.01),
        (load_statlog_landsat, LinearDiscriminantAnalysis(), (0.149, 0.171), 0.005),
        (load_statlog_landsat, QuadraticDiscriminantAnalysis(), (0.106, 0.155), 0.005),
    ],
)
def test_the_errors_are_those_of_the_elements_of_statistical_learning_and_statlog(
    load: Any, model: Any, errors: tuple[float, float], digit: float
) -> None:
    data = load()
    model.fit(data.X[data.train], data.y[data.train])
    for part, error in zip((data.train, data.test), errors, strict=True):
        assert 1 - model.score(data.X[part], data.y[part]) == pytest.approx(error, abs=digit)


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


@pytest.mark.parametrize("model", MODELS)
def test_the_mle_has_the_largest_likelihood(model: Any) -> None:
    X, y = classes(1, K=2, d=2, each=12)
    rng = np.random.default_rng(0)
    shifted = [X + 0.1 * rng.normal(size=X.shape) for _ in range(5)]  # other estimates
    fits = [model(covariance="mle").fit(data, y) for data in (X, *shifted)]
    fits += [
        model(covariance="unbiased").fit(X, y),
        model(covariance="mle", priors=[0.45, 0.55]).fit(X, y),
    ]
    best, *others = (m.predict_joint_log_proba(X)[np.arange(len(y)), y].sum() for m in fits)
    assert max(others) < best


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
    assert delta[:, 0] - delta[:, 2] == pytest.approx(joint[:, 0] - joint[:, 2], abs=1e-9)
    # The formula as printed, with an inverse:
    printed = (
        np.log(priors) - 0.5 * np.diag(means @ np.linalg.inv(S) @ means.T)
    ) + X @ np.linalg.inv(S) @ means.T
    assert delta == pytest.approx(printed, abs=1e-9)


@few
@given(seeds, st.integers(2, 4))
def test_the_models_compute_the_discriminants_of_their_estimates(seed: int, K: int) -> None:
    X, y = classes(seed, K=K)
    new = np.random.default_rng(seed).normal(size=(9, 3)) * 3
    lda = LinearDiscriminantAnalysis().fit(X, y)
    delta = linear_discriminants(new, lda.means_, lda.covariance_, lda.priors_)
    assert lda.predict_log_proba(new) == pytest.approx(log_softmax(delta, axis=1), abs=1e-8)
    qda = QuadraticDiscriminantAnalysis().fit(X, y)
    shapes = zip(qda.means_, qda.covariance_, strict=True)
    delta = np.column_stack([multivariate_normal(m, S).logpdf(new) for m, S in shapes])
    delta += np.log(qda.priors_)
    assert qda.predict_log_proba(new) == pytest.approx(log_softmax(delta, axis=1), abs=1e-8)
    for model in (lda, qda, GaussianNB().fit(X, y)):
        joint = model.predict_joint_log_proba(new)
        assert model.predict_proba(new) == pytest.approx(
            np.exp(log_softmax(joint, axis=1)), abs=1e-10
        )
        assert model.predict_proba(new).sum(axis=1) == pytest.approx(1.0)
        assert (model.predict(new) == joint.argmax(axis=1)).all()
        scores = model.decision_function(new)
        if K == 2:
            assert scores == pytest.approx(joint[:, 1] - joint[:, 0], abs=1e-8)
        else:
            assert log_softmax(scores, axis=1) == pytest.approx(
                log_softmax(joint, axis=1), abs=1e-8
            )


# scikit-learn as a peer


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


# Naive Bayes


@pytest.mark.parametrize("load", [load_iris, load_vowel])
def test_naive_bayes_agrees_with_scikit_learn_on_priors_and_smoothing(load: Any) -> None:
    X, y = load().X, load().y
    K = y.max() + 1
    for priors, smoothing in ((np.arange(1, K + 1) / (K * (K + 1) / 2), 0), (None, 1e-3)):
        ours = GaussianNB(covariance="mle", priors=priors, var_smoothing=smoothing).fit(X, y)
        theirs = theirs_nb.GaussianNB(priors=priors, var_smoothing=smoothing).fit(X, y)
        expected = theirs.predict_log_proba(X)
        assert ours.predict_log_proba(X) == pytest.approx(expected, rel=1e-8, abs=1e-8)
        assert ours.epsilon_ == pytest.approx(theirs.epsilon_, rel=1e-10)


@few
@given(seeds)
def test_naive_bayes_with_shared_variances_is_lda_with_a_diagonal_covariance(seed: int) -> None:
    X, y = classes(seed)
    naive = GaussianNB(shared=True).fit(X, y)
    diagonal = np.diag(np.diag(LinearDiscriminantAnalysis().fit(X, y).covariance_))
    delta = linear_discriminants(X, naive.theta_, diagonal, naive.class_prior_)
    assert naive.predict_log_proba(X) == pytest.approx(log_softmax(delta, axis=1), abs=1e-8)


# Sampling


@pytest.mark.parametrize("model", FOUR)
def test_samples_look_like_the_fitted_model(model: Any) -> None:
    X, y = classes(9, K=3, d=2, each=200)
    fitted = model(priors=[0.2, 0.3, 0.5]).fit(X, y + 5)
    drawn, labels = fitted.sample(60_000, rng=1)
    assert drawn.shape == (60_000, 2)
    assert np.bincount(labels - 5) / 60_000 == pytest.approx([0.2, 0.3, 0.5], abs=0.01)
    for k in range(3):
        own = drawn[labels == k + 5]
        mean, covariance = moments_of(fitted, k)
        error = 5 * np.sqrt(np.diag(covariance) / len(own))  # five standard errors
        assert (np.abs(own.mean(axis=0) - mean) < error).all()
        assert np.cov(own.T) == pytest.approx(covariance, abs=0.06 * np.trace(covariance))
    again, _ = fitted.sample(60_000, rng=1)
    assert (again == drawn).all()


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
    shapes = zip(means, covariances, priors, strict=True)
    delta = np.column_stack([multivariate_normal(m, S).logpdf(X) + np.log(p) for m, S, p in shapes])
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


def test_efrons_efficiency_is_the_published_curve() -> None:
    published = [1.0, 0.995, 0.968, 0.899, 0.786, 0.641, 0.486, 0.343]
    distances = [0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0]
    assert [efron_efficiency(D) for D in distances] == pytest.approx(published, abs=5e-4)


# Hard cases


CONSTANT = [
    (lambda X: np.full(len(X), 0.1), "column 3 of X is constant"),
    (lambda X: np.full(len(X), 1e8), "column 3 of X is constant"),
]
REPEATED = [
    (lambda X: X[:, 1], "columns 1, 3 of X"),
    (lambda X: X[:, 0] + X[:, 2] + 1, "columns 0, 2, 3 of X"),
]


@pytest.mark.parametrize(
    ("model", "column", "cause"),
    [
        *((model, *case) for model in FOUR for case in CONSTANT),
        *((model, *case) for model in FOUR if model is not GaussianNB for case in REPEATED),
    ],
)
def test_a_repeated_or_constant_column_is_left_out_with_a_warning(
    model: Any, column: Any, cause: str
) -> None:
    X, y = classes(13)
    wide = np.column_stack([X, column(X)])
    with pytest.warns(SingularCovarianceWarning, match=cause):
        fitted = model().fit(wide, y)
    plain = model().fit(X, y).predict_log_proba(X)
    assert fitted.predict_log_proba(wide) == pytest.approx(plain, rel=1e-6, abs=1e-6)
    drawn, _ = fitted.sample(50, 0)
    assert np.isfinite(drawn).all()


def with_class_3(rows: Array) -> tuple[Array, Array]:
    X, y = classes(14)
    return np.vstack([X, rows]), np.append(y, [3] * len(rows))


def flat_in_class_1() -> tuple[Array, Array]:
    X, y = classes(14)
    return np.where((y == 1)[:, None] & (np.arange(3) == 2), 0.5, X), y


@pytest.mark.parametrize(
    ("model", "data", "message"),
    [
        (LinearDiscriminantAnalysis, (WIDE, np.arange(10) % 2), "8 degrees .*20 features"),
        (LinearDiscriminantAnalysis, (np.eye(3), np.arange(3)), "3 examples .* 3 classes"),
        (
            LinearDiscriminantAnalysis,
            (np.column_stack([*classes(14)]), classes(14)[1]),
            "column 3 of X .*constant",
        ),
        (QuadraticDiscriminantAnalysis, with_class_3(WIDE[:1, :3]), "class 3 .*1 example"),
        (QuadraticDiscriminantAnalysis, with_class_3(WIDE[:3, :3]), "class 3 .*2 .*3 features"),
        (QuadraticDiscriminantAnalysis, flat_in_class_1(), "class 1 .*column 2 of X"),
        (GaussianNB, flat_in_class_1(), "column 2 .*class 1"),
        (GaussianNB, with_class_3(WIDE[:1, :3]), "class 3 .*1 example"),
    ],
)
def test_a_singular_covariance_is_refused_where_it_matters_and_smoothing_cures_it(
    model: Any, data: tuple[Array, Array], message: str
) -> None:
    with pytest.raises(SingularCovarianceError, match=message):
        model().fit(*data)
    if np.bincount(data[1]).min() == 1 and model is not GaussianNB:
        return  # nothing to shrink
    cure = {"var_smoothing": 1e-6} if model is GaussianNB else {"shrinkage": 0.1}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cured = model(**cure).fit(*data)
    assert np.isfinite(cured.predict_proba(data[0])).all()


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


@pytest.mark.parametrize(
    "model",
    [QuadraticDiscriminantAnalysis, GaussianNB, partial(RegularizedDiscriminantAnalysis, 1.0)],
)
def test_an_outlier_in_the_first_row_spoils_no_other_class(model: Any) -> None:
    X, y = classes(17, K=2)
    order = np.argsort(y, kind="stable")
    X, y = X[order], y[order]
    X[0, 0] = 1e12
    fitted = model().fit(X, y)
    own = X[y == 1]
    mean, covariance = own.mean(axis=0), np.cov(own.T)
    if model is GaussianNB:
        covariance = np.diag(np.diag(covariance))
    assert moments_of(fitted, 1)[0] == pytest.approx(mean, rel=1e-12)
    expected = log_gaussian(own, mean, covariance) + np.log((y == 1).mean())
    assert fitted.predict_joint_log_proba(own)[:, 1] == pytest.approx(expected, rel=1e-10)
    X[0] = 1e12  # makes all features of class 0 one
    if model is QuadraticDiscriminantAnalysis:
        with pytest.raises(SingularCovarianceError, match=r"class 0 .*columns 0, 1, 2 of X"):
            model().fit(X, y)


def test_the_order_and_number_of_chunks_does_not_matter() -> None:
    rng = np.random.default_rng(0)
    y = np.sort(rng.integers(0, 2, 50_000))
    X = rng.normal(size=(50_000, 8)) + np.linspace(0, 100, 50_000)[:, None]  # drifting
    exact = sum((y == k).sum() * np.cov(X[y == k].T, bias=True) for k in (0, 1)) / 50_000
    for order in (np.arange(50_000), rng.permutation(50_000)):
        model = LinearDiscriminantAnalysis(covariance="mle").fit(X[order], y[order])
        assert model.covariance_ == pytest.approx(exact, rel=1e-11)


def lda(**parameters: Any) -> Any:
    return lambda X, y: LinearDiscriminantAnalysis(**parameters).fit(X, y)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lda(priors=[0.5, 0.6, 0.1]), "priors: found .*sum 1.2"),
        (lda(priors=[0.5, 0.5]), "priors: found 2"),
        (lda(priors=[1.0, 0, 0]), "priors: .*positive"),
        (lda(covariance="ml"), "covariance: found 'ml'"),
        (lambda X, y: QuadraticDiscriminantAnalysis(shrinkage=2).fit(X, y), "shrinkage: found 2"),
        (lambda X, y: GaussianNB(var_smoothing=-1).fit(X, y), "var_smoothing: found -1"),
        (lambda X, y: log_gaussian(X, [0, 0], np.eye(3)), "mean: found 2 .*expected 3"),
        (lambda X, y: log_gaussian(X, [0] * 3, np.eye(2)), r"covariance: found .*\(2, 2\)"),
        (lambda X, y: log_gaussian(X, [0] * 3, np.triu(np.ones((3, 3)))), "asymmetric"),
        (lambda X, y: log_gaussian(X, [0] * 3, np.ones((3, 3))), "singular"),
        (lambda X, y: log_gaussian(X, [0] * 3, np.diag([1.0, 1, -1])), "negative"),
        (lambda X, y: linear_discriminants(X, [[0, 0]], np.eye(3), [1.0]), "means: found 2"),
        (lambda X, y: parameter_count(2, 3, "common"), "covariance: found 'common'"),
        (lambda X, y: conic_type(np.eye(3), [0, 0, 0], 1), r"A: found .*\(3, 3\)"),
        (lambda X, y: boundary_quadric([[0, 0]], np.eye(2)), r"means: found .*\(1, 2\)"),
        (lambda X, y: boundary_quadric(X[:2], [np.eye(3)] * 3), "covariances: found"),
        (lambda X, y: boundary_quadric(X[:2], [np.eye(3), -np.eye(3)]), "determinant"),
        (lambda X, y: boundary_quadric(X[:2], [np.eye(3)] * 2, [1, 0]), "priors: found 0"),
        (lambda X, y: efron_efficiency(-1), "distance: found -1"),
        (lambda X, y: LinearDiscriminantAnalysis().fit(X, y).sample(0, 0), "n: found 0"),
    ],
)
def test_messages_name_the_argument(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(*classes(0))
