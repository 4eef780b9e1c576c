"""Reductions to binary problems against scikit-learn, brute force over bits, and the notes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Self

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import multiclass as sk
from sklearn.linear_model import LogisticRegression, RidgeClassifier

from lectures_lib import multiclass as mc
from lectures_lib._core.estimator import LinearClassifier, check_X_y
from lectures_lib._core.validation import Array
from lectures_lib.datasets import load_iris, make_gaussian_classes
from lectures_lib.gaussian import GaussianNB
from lectures_lib.margin import SoftMarginSVM
from lectures_lib.perceptron import KernelPerceptron, Perceptron
from tests.sklearn_checks import run_check_estimator

quick = settings(deadline=None, max_examples=40)


@dataclass(eq=False, repr=False)
class MeanDifference(LinearClassifier):
    """A tiny binary model: w = difference of the class means, boundary half way."""

    def fit(self, X: Any, y: Any) -> Self:
        X_, codes = check_X_y(self, X, y)
        low, high = X_[codes == 0].mean(axis=0), X_[codes == 1].mean(axis=0)
        self.coef_: Array = (high - low)[None]
        self.intercept_: Array = np.array([-(high - low) @ (high + low) / 2])
        return self


def three_classes() -> Any:
    means = [[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]]
    return make_gaussian_classes(means, np.eye(2), None, 300, 0)


def plane() -> np.ndarray:
    ticks = np.linspace(-6, 9, 61)
    return np.array(list(product(ticks, ticks)))


# --- one against the rest --------------------------------------------------------------------


def test_one_vs_rest_and_one_vs_one_agree_with_scikit_learn() -> None:
    iris = load_iris()
    X, y = iris.X[:, :2], iris.labels
    for base in (RidgeClassifier(), LogisticRegression(max_iter=500)):
        for kind in ("OneVsRestClassifier", "OneVsOneClassifier"):
            ours, theirs = (getattr(home, kind)(base).fit(X, y) for home in (mc, sk))
            np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
            np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X))


def test_two_classes_are_one_binary_problem() -> None:
    pair = load_iris().only("versicolor", "virginica")
    direct = SoftMarginSVM().fit(pair.X, pair.y)
    for model in (
        mc.OneVsRestClassifier(SoftMarginSVM()),
        mc.OneVsOneClassifier(SoftMarginSVM()),
        mc.OneVsRestClassifier(SoftMarginSVM(), rule="reject"),
    ):
        model.fit(pair.X, pair.y)
        assert len(model.estimators_) == 1
        g = direct.decision_function(pair.X)
        np.testing.assert_allclose(model.decision_function(pair.X), g)
        np.testing.assert_array_equal(model.votes(pair.X), np.column_stack([g <= 0, g > 0]))
    coded = mc.OutputCodeClassifier(SoftMarginSVM()).fit(pair.X, pair.y)
    np.testing.assert_array_equal(coded.predict(pair.X), direct.predict(pair.X))


def test_k_minus_one_with_reject_and_k_with_argmax_are_different_classifiers() -> None:
    scores = [[-0.1, -1.0, -5.0]]
    assert mc.ovr_decide(scores, "reject") == 2
    assert mc.ovr_decide(scores, "argmax") == 0
    # Two votes among the first two: the larger score, not the reject class.
    assert mc.ovr_decide([[2.0, 3.0, 9.0]], "reject") == 1
    assert mc.ovr_decide([[0.0, -1.0, 5.0]], "reject") == 2  # 0 is no vote


def test_the_reject_rule_gives_what_nobody_claims_to_the_last_class() -> None:
    sample = three_classes()
    model = mc.OneVsRestClassifier(LogisticRegression(), rule="reject").fit(sample.X, sample.y)
    X = plane()
    g = np.column_stack([m.decision_function(X) for m in model.estimators_])
    expected = [2 if (row <= 0).all() else int(row.argmax()) for row in g]
    np.testing.assert_array_equal(model.predict(X), expected)
    votes = model.votes(X)
    np.testing.assert_array_equal(votes[:, 2], (g <= 0).all(axis=1))
    np.testing.assert_array_equal(model.ambiguous(X), (g > 0).sum(axis=1) == 2)
    full = mc.OneVsRestClassifier(LogisticRegression()).fit(sample.X, sample.y)
    claims = full.votes(X).sum(axis=1)
    assert set(claims) == {0, 1, 2}
    np.testing.assert_array_equal(full.ambiguous(X), claims != 1)


def test_rescaling_one_score_keeps_its_own_boundary_and_changes_the_argmax() -> None:
    sample, X = three_classes(), plane()
    model = mc.OneVsRestClassifier(LogisticRegression()).fit(sample.X, sample.y)
    scaled = mc.OneVsRestClassifier(LogisticRegression()).fit(sample.X, sample.y)
    scaled.estimators_[0].coef_ = 100 * scaled.estimators_[0].coef_
    scaled.estimators_[0].intercept_ = 100 * scaled.estimators_[0].intercept_
    np.testing.assert_array_equal(model.votes(X), scaled.votes(X))
    assert (model.predict(X) != scaled.predict(X)).mean() > 0.02
    model.scores = scaled.scores = "distance"
    np.testing.assert_array_equal(model.predict(X), scaled.predict(X))
    g = model.decision_function(X)[:, 0]
    w, w0 = model.estimators_[0].coef_[0], model.estimators_[0].intercept_[0]
    np.testing.assert_allclose(g, (X @ w + w0) / np.linalg.norm(w))


def test_probabilities_are_signed_scores_too() -> None:
    sample, X = three_classes(), plane()
    model = mc.OneVsRestClassifier(GaussianNB(), scores="predict_proba").fit(sample.X, sample.y)
    p = np.column_stack([m.predict_proba(X)[:, 1] for m in model.estimators_])
    np.testing.assert_allclose(model.decision_function(X), p - 0.5)
    np.testing.assert_array_equal(model.votes(X), p > 0.5)


# --- one against one -------------------------------------------------------------------------


@dataclass
class Given:
    """A fitted binary model whose scores are given."""

    scores: Array

    def decision_function(self, X: Any) -> Array:
        return self.scores


@quick
@given(st.integers(3, 6), st.integers(0, 10**6))
def test_one_vs_one_counts_the_votes_of_every_pair(k: int, seed: int) -> None:
    pairs = list(combinations(range(k), 2))
    assert mc.class_pairs(k) == pairs
    g = np.round(np.random.default_rng(seed).standard_normal((8, len(pairs))), 1)
    model = mc.OneVsOneClassifier(MeanDifference()).fit(np.eye(k), range(k))
    model.estimators_ = [Given(column) for column in g.T]
    votes, decided = model.votes(np.zeros((8, k))), model.predict(np.zeros((8, k)))
    for row in range(8):
        won = [0] * k
        total = [0.0] * k
        for (i, j), score in zip(pairs, g[row], strict=True):
            won[j if score > 0 else i] += 1
            total[j] += score
            total[i] -= score
        assert list(votes[row]) == won
        most = [c for c in range(k) if won[c] == max(won)]
        assert decided[row] in most
        assert total[decided[row]] >= max(total[c] for c in most) - 1e-12


def test_the_ambiguous_region_of_one_vs_one_is_where_most_votes_are_shared() -> None:
    sample = three_classes()
    model = mc.OneVsOneClassifier(MeanDifference()).fit(sample.X, sample.y)
    model.estimators_[0].intercept_ -= 8.0  # the three lines no longer meet in a point
    votes = model.votes(X := plane())
    assert (votes.sum(axis=1) == 3).all()
    ambiguous = (votes == 1).all(axis=1)
    assert ambiguous.any()
    np.testing.assert_array_equal(model.ambiguous(X), ambiguous)


# --- codes -----------------------------------------------------------------------------------


def coded(k: int, size: float, seed: int) -> Any:
    """A fitted classifier with a random code for k classes that are far apart."""
    return mc.OutputCodeClassifier(MeanDifference(), code_size=size, rng=seed).fit(
        40 * np.eye(k), range(k)
    )


@quick
@given(st.integers(2, 5), st.sampled_from([1.0, 1.5, 2.0]), st.integers(0, 10**6))
def test_a_code_corrects_half_its_distance_and_no_more(k: int, size: float, seed: int) -> None:
    code = coded(k, size, seed).code_book_
    assert code.shape == (k, round(size * k))
    assert not (code == code[0]).all(axis=0).any()  # such a bit would be no problem
    d = min(int(np.sum(code[i] != code[j])) for i, j in combinations(range(k), 2))
    assert mc.minimum_distance(code) == d > 0
    t = (d - 1) // 2
    for word in range(k):
        for flips in combinations(range(code.shape[1]), t):
            received = code[word].copy()
            received[list(flips)] ^= 1
            assert mc.hamming_distances(received[None], code).argmin() == word
    # One more wrong bit can make another word at least as near.
    i, j = min(combinations(range(k), 2), key=lambda p: int(np.sum(code[p[0]] != code[p[1]])))
    received = code[i].copy()
    received[np.flatnonzero(code[i] != code[j])[: t + 1]] ^= 1
    distances = mc.hamming_distances(received[None], code)[0]
    assert distances[j] <= distances[i]


def test_a_short_code_repeats_no_cut_and_many_classes_have_one_too() -> None:
    for seed in range(5):
        cuts = coded(4, 1.75, seed).code_book_.T  # as many bits as there are cuts of four classes
        assert len({frozenset((tuple(c), tuple(1 - c))) for c in cuts}) == 7
    big = coded(26, 1.5, 1).code_book_
    assert big.shape == (26, 39)
    assert mc.minimum_distance(big) >= 9
    with pytest.raises(ValueError, match="code_size: found 5 bits for 30 classes"):
        coded(30, 0.1, 0)


def test_output_codes_decode_what_their_bits_say() -> None:
    iris = load_iris()
    model = mc.OutputCodeClassifier(SoftMarginSVM()).fit(iris.X, iris.labels)
    g = np.column_stack([m.decision_function(iris.X) for m in model.estimators_])
    np.testing.assert_array_equal(model.predict_bits(iris.X), g > 0)
    for row, label in zip(g, model.predict(iris.X), strict=True):
        cost = [sum((row > 0) != word) for word in model.code_book_]
        assert label == model.classes_[int(np.argmin(cost))]
    # Of two words equally near the first is taken.
    model.code_book_ = np.array([[0, 1, 1], [1, 0, 1], [0, 0, 1]])[:, [0, 1, 2]]
    model.estimators_ = [Given(np.array([score])) for score in (-1.0, -1.0, 1.0)]
    assert model.predict(iris.X[:1])[0] == model.classes_[2]
    model.code_book_ = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    assert model.predict(iris.X[:1])[0] == model.classes_[0]


# --- hard cases and conventions --------------------------------------------------------------

ALL = [
    mc.OneVsRestClassifier(SoftMarginSVM()),
    mc.OneVsRestClassifier(SoftMarginSVM(), rule="reject"),
    mc.OneVsRestClassifier(GaussianNB(var_smoothing=1e-9)),
    mc.OneVsOneClassifier(SoftMarginSVM()),
    mc.OutputCodeClassifier(SoftMarginSVM()),
]


@pytest.mark.slow
@pytest.mark.parametrize("model", ALL, ids=repr)
def test_scikit_learn_accepts_every_reduction(model: Any) -> None:
    run_check_estimator(model)


@pytest.mark.parametrize(
    ("model", "problems"),
    [
        (mc.OneVsRestClassifier(MeanDifference()), 50),
        (mc.OneVsRestClassifier(MeanDifference(), rule="reject"), 49),
        (mc.OneVsOneClassifier(MeanDifference()), 1225),
        (mc.OutputCodeClassifier(MeanDifference(), code_size=1.2), 60),
    ],
    ids=repr,
)
def test_fifty_classes_one_example_in_a_class_more_features_than_examples(
    model: Any, problems: int
) -> None:
    centres = 40 * np.eye(60)[:50]
    rng = np.random.default_rng(0)
    y = np.concatenate([np.arange(50), rng.integers(0, 49, 8)])  # class 49 has one example, N = 58
    X = centres[y] + rng.standard_normal((58, 60))
    assert (model.fit(X, y).predict(X) == y).mean() > 0.9
    assert len(model.estimators_) == problems


def test_weights_reach_the_binary_problems() -> None:
    iris = load_iris()
    w = np.random.default_rng(0).integers(0, 3, 150) + 1
    for kind in (mc.OneVsRestClassifier, mc.OneVsOneClassifier):
        weighted = kind(SoftMarginSVM()).fit(iris.X, iris.y, sample_weight=w)
        repeated = kind(SoftMarginSVM()).fit(np.repeat(iris.X, w, axis=0), np.repeat(iris.y, w))
        np.testing.assert_allclose(
            weighted.decision_function(iris.X), repeated.decision_function(iris.X), atol=1e-4
        )
    with pytest.raises(ValueError, match="KernelPerceptron"):
        mc.OneVsOneClassifier(KernelPerceptron()).fit(iris.X, iris.y, sample_weight=w)
    only_two = (iris.y < 2).astype(float)
    with pytest.raises(ValueError, match="only one class"):
        mc.OneVsRestClassifier(SoftMarginSVM()).fit(iris.X, iris.y, sample_weight=only_two)


@dataclass(eq=False, repr=False)
class Silent(LinearClassifier):
    """A model whose scores are all zero."""

    def fit(self, X: Any, y: Any) -> Self:
        X_, _ = check_X_y(self, X, y)
        self.coef_: Array = np.zeros((1, X_.shape[1]))
        self.intercept_: Array = np.zeros(1)
        return self


def test_a_score_of_exactly_zero_is_no_vote_and_no_tie_with_the_reject_class() -> None:
    iris = load_iris()
    model = mc.OneVsRestClassifier(Silent(), rule="reject").fit(iris.X, iris.y)
    assert set(model.predict(iris.X)) == {2}
    assert not model.ambiguous(iris.X).any()


IRIS = load_iris()


def on_iris(model: Any) -> Any:
    return model.fit(IRIS.X, IRIS.y)


def silent(**options: Any) -> Any:
    return on_iris(mc.OneVsRestClassifier(Silent(), **options))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: on_iris(mc.OneVsRestClassifier(Perceptron(), rule="vote")),
            "rule: found",
        ),
        (lambda: on_iris(mc.OutputCodeClassifier(Perceptron(), code_size=0)), "code_size: found 0"),
        (lambda: silent(scores="distance").predict(IRIS.X), "w = 0"),
        (lambda: silent(scores="predict_proba").predict(IRIS.X), "Silent has no predict_proba"),
        (lambda: silent(scores="rank").predict(IRIS.X), "scores: found 'rank'"),
        (lambda: mc.hamming_distances([[1]], [[1, 0]]), "as many bits"),
        (lambda: mc.minimum_distance([[1, 0]]), "expected at least two"),
    ],
)
def test_bad_input_is_named(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
