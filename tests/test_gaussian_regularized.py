"""Regularised discriminant analysis: between LDA and QDA, against formulas written out here."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import log_softmax
from scipy.stats import multivariate_normal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as TheirLDA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as TheirQDA

from lectures_lib.datasets import load_vowel
from lectures_lib.gaussian import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
    SingularCovarianceError,
    SingularCovarianceWarning,
)

Array = NDArray[Any]
RDA = RegularizedDiscriminantAnalysis
few = settings(deadline=None, max_examples=15)


def some(seed: int, K: int = 3, d: int = 3, each: int = 15) -> tuple[Array, Array]:
    """Examples of K Gaussian classes of different shapes and sizes, in random order."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(K), each + 3 * np.arange(K)))
    X = np.einsum("nij,nj->ni", rng.normal(size=(K, d, d))[y], rng.normal(size=(len(y), d)))
    return X + rng.normal(size=(K, d))[y] * 2, y


def written_out(
    X: Array, y: Array, new: Array, alpha: float, *, mle: bool = False, shrinkage: float = 0.0
) -> Array:
    """log pi_k N(x; mu_k, alpha S_k + (1 - alpha) S), with SciPy's density."""
    groups = [X[y == k] for k in np.unique(y)]
    own = [np.cov(group.T, bias=mle) for group in groups]
    scatter = sum((group - group.mean(0)).T @ (group - group.mean(0)) for group in groups)
    shared = scatter / (len(y) - (0 if mle else len(groups)))
    mixed = [alpha * S + (1 - alpha) * shared for S in own]
    round_ = np.eye(X.shape[1]) / X.shape[1]
    mixed = [(1 - shrinkage) * S + shrinkage * np.trace(S) * round_ for S in mixed]
    pairs = zip(groups, mixed, strict=True)
    return np.column_stack(
        [
            np.log(len(group) / len(y)) + multivariate_normal(group.mean(0), S).logpdf(new)
            for group, S in pairs
        ]
    )


@few
@given(st.integers(0, 10_000), st.floats(0, 1), st.booleans(), st.sampled_from([0.0, 0.2, 1.0]))
def test_joint_densities_are_those_of_the_formula(
    seed: int, alpha: float, mle: bool, shrinkage: float
) -> None:
    X, y = some(seed)
    new = np.random.default_rng(seed).normal(size=(8, 3)) * 2
    model = RDA(alpha, covariance="mle" if mle else "unbiased", shrinkage=shrinkage).fit(X, y)
    expected = written_out(X, y, new, alpha, mle=mle, shrinkage=shrinkage)
    np.testing.assert_allclose(model.predict_joint_log_proba(new), expected, rtol=1e-8, atol=1e-8)
    posterior = log_softmax(expected, axis=1)
    np.testing.assert_allclose(model.predict_log_proba(new), posterior, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("priors", [None, [0.2, 0.3, 0.5]])
def test_the_two_ends_are_lda_and_qda(priors: Any) -> None:
    X, y = some(3)
    for alpha, ours, theirs in (
        (0, LinearDiscriminantAnalysis, TheirLDA(priors=priors)),
        (1, QuadraticDiscriminantAnalysis, TheirQDA(priors=priors)),
    ):
        end = RDA(alpha, priors, "mle").fit(X, y)
        for same in (ours(priors, "mle").fit(X, y), theirs.fit(X, y)):
            np.testing.assert_allclose(
                end.predict_log_proba(X), same.predict_log_proba(X), rtol=1e-8, atol=1e-8
            )
        for shrinkage in (0.0, 0.3):
            joint = ours(priors, shrinkage=shrinkage).fit(X, y).predict_joint_log_proba(X)
            found = RDA(alpha, priors, shrinkage=shrinkage).fit(X, y).predict_joint_log_proba(X)
            np.testing.assert_allclose(found, joint, rtol=1e-9, atol=1e-9)


def test_the_covariances_lie_on_the_way_from_the_shared_to_the_own_ones() -> None:
    X, y = some(5)
    shared, own = (RDA(alpha).fit(X, y).covariance_ for alpha in (0.0, 1.0))
    assert np.ptp(shared, axis=0).max() == 0
    np.testing.assert_allclose(RDA(0.25).fit(X, y).covariance_, 0.75 * shared + 0.25 * own)


def test_the_best_mixture_for_the_official_vowels_is_the_published_one() -> None:
    """The Elements of Statistical Learning, figure 4.7: best around 0.9, close to QDA."""
    data = load_vowel()
    train, test = data.rows(data.train), data.rows(data.test)
    alphas = np.linspace(0, 1, 21)
    errors = [1 - RDA(a).fit(train.X, train.y).score(test.X, test.y) for a in alphas]
    assert (errors[0], errors[-1]) == pytest.approx((0.556, 0.528), abs=0.001)
    assert 0.8 <= alphas[int(np.argmin(errors))] <= 0.95
    assert min(errors) == pytest.approx(0.45, abs=0.01)


@few
@given(st.integers(0, 10_000))
def test_no_mixture_of_features_and_no_shift_changes_an_answer(seed: int) -> None:
    X, y = some(seed)
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0] * np.array([1e-6, 1.0, 1e6])
    plain = RDA(0.4).fit(X, y).predict_log_proba(X)
    moved = X @ turn
    found = RDA(0.4).fit(moved, y).predict_log_proba(moved)
    np.testing.assert_allclose(found, plain, rtol=1e-6, atol=1e-6)
    far = RDA(0.4).fit(X + 1e8, y).predict_log_proba(X + 1e8)
    np.testing.assert_allclose(far, plain, rtol=1e-4, atol=1e-4)


def test_two_classes_have_one_score_the_log_odds() -> None:
    X, y = some(9, K=2)
    model = RDA(0.5).fit(X, np.array(["no", "yes"])[y])
    odds = written_out(X, y, X, 0.5) @ [-1, 1]
    np.testing.assert_allclose(model.decision_function(X), odds, rtol=1e-8, atol=1e-8)
    assert set(model.predict(X)) == {"no", "yes"}


# Hard cases


def flat_in_class_1() -> tuple[Array, Array]:
    X, y = some(14)
    return np.where((y == 1)[:, None] & (np.arange(3) == 2), 0.5, X), y


def test_a_class_that_is_flat_by_itself_gets_its_width_from_the_others() -> None:
    X, y = flat_in_class_1()
    with pytest.raises(SingularCovarianceError, match=r"class 1 .*singular"):
        RDA(1.0).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(RDA(0.9).fit(X, y).predict_log_proba(X)).all()


def test_one_example_has_no_shape_and_needs_none_when_all_are_shared() -> None:
    X, y = some(15)
    X, y = np.vstack([X, [[0.1, 0.2, 0.3]]]), np.append(y, 3)
    with pytest.raises(SingularCovarianceError, match="class 3 has 1 example"):
        RDA(0.1).fit(X, y)
    found = RDA(0.0).fit(X, y).predict_log_proba(X)
    plain = LinearDiscriminantAnalysis().fit(X, y).predict_log_proba(X)
    np.testing.assert_allclose(found, plain, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (RDA(-0.1), "alpha: found -0.1"),
        (RDA(1.5), "alpha: found 1.5"),
        (RDA(shrinkage=2), "shrinkage: found 2"),
        (RDA(covariance="ml"), "covariance: found 'ml'"),
        (RDA(priors=[0.5, 0.5]), "priors: found 2"),
    ],
)
def test_messages_name_the_argument(model: RDA, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model.fit(*some(0))
    with pytest.raises(SingularCovarianceError, match=r"3 examples .* in 3 classes"):
        RDA(0.0).fit(np.eye(3), [0, 1, 2])


@pytest.mark.parametrize("seed", [24, 46, 67, 78, 98, 104])
def test_it_answers_wherever_lda_does(seed: int) -> None:
    """Repeated and constant columns, far away and in mixed units: at the edge of a rank the classes
    seem to lack different numbers of directions, and yet all lack what the shared one lacks."""
    rng = np.random.default_rng(seed)
    X, y = some(seed, K=4, d=3, each=8)
    X = np.column_stack([X, X @ rng.normal(size=(3, 2)), np.full(len(X), 0.1)])
    X = X * 10.0 ** rng.integers(-6, 7, X.shape[1])
    X = X + 1e4 * np.abs(X).max()
    with pytest.warns(SingularCovarianceWarning):
        LinearDiscriminantAnalysis().fit(X, y)
    with pytest.warns(SingularCovarianceWarning):
        RDA(alpha=0.3).fit(X, y)
