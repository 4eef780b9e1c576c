"""Data shapes that nobody tries: every estimator beside scikit-learn, and answers that are refused.

The slow part draws 300 data sets an estimator; the fast part the first of them.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog
from sklearn import discriminant_analysis, linear_model, naive_bayes, preprocessing, svm

from lectures_lib import decision, metrics, multiclass, selection
from lectures_lib._core.covariance import SingularCovarianceError
from lectures_lib._core.estimator import ConvergenceWarning, NotFittedError
from lectures_lib.fisher import FisherDiscriminant
from lectures_lib.gaussian import (
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from lectures_lib.least_squares import LeastSquaresClassifier
from lectures_lib.logistic import LogisticRegression, PolynomialFeatures
from lectures_lib.margin import HardMarginSVM, InseparableError, SoftMarginSVM, best_bias
from lectures_lib.perceptron import Perceptron
from lectures_lib.softmax import SoftmaxRegression

MANY = [pytest.param(range(6), id="some"), pytest.param(range(300), marks=pytest.mark.slow)]


def draw(seed: int, K: int, *, redundant: bool) -> tuple[Any, Any, np.ndarray, np.ndarray]:
    """A data set of a random shape as it is given, and the same as plain numbers near 0."""
    rng = np.random.default_rng(seed)
    d = int(rng.choice([1, 2, 5, 12]))
    N = int(rng.choice([40, 150, 600])) + 4 * K
    codes = np.r_[np.repeat(np.arange(K), 4), rng.integers(0, K, N - 4 * K)]
    if rng.random() < 0.3:
        codes[4 * K :] = rng.choice(K, N - 4 * K, p=np.r_[1 - 0.01 * (K - 1), [0.01] * (K - 1)])
    plain = rng.standard_normal((N, d)) + rng.standard_normal((K, d))[codes]
    if redundant and d > 2:
        plain[:, -1] = plain[:, 0] * 2
        plain[:, -2] = 1.0
    # Powers of two and whole shifts, so that the two versions are the same data.
    plain = np.round(plain * 2**10) / 2**10
    scale = 2.0 ** rng.choice([-20, 0, 20])
    given = plain * scale + (rng.choice([0, 2**26]) if scale == 1 else 0)
    kinds = (
        np.asarray,
        np.asfortranarray,
        lambda A: pd.DataFrame(A, columns=[f"c{j}" for j in range(A.shape[1])]),
        lambda A: np.ascontiguousarray(A[::-1])[::-1],
    )
    labels = np.array([f"class {k}" for k in range(K)]) if rng.random() < 0.5 else np.arange(K) * 7
    return kinds[rng.integers(len(kinds))](given), labels[codes], plain, labels[codes]


def fit(model: Any, X: Any, y: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


PAIRS = {
    "LDA": (
        LinearDiscriminantAnalysis(covariance="mle"),
        discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr"),
    ),
    "QDA": (
        QuadraticDiscriminantAnalysis(covariance="mle"),
        discriminant_analysis.QuadraticDiscriminantAnalysis(solver="svd"),
    ),
    "NB": (GaussianNB(covariance="mle"), naive_bayes.GaussianNB(var_smoothing=0)),
    "softmax": (
        SoftmaxRegression(C=1e3),
        linear_model.LogisticRegression(C=1e3, solver="newton-cholesky", tol=1e-10),
    ),
}


@pytest.mark.parametrize("seeds", MANY)
@pytest.mark.parametrize("name", ["LDA", "NB"])
def test_gaussian_posteriors_on_odd_shapes(name: str, seeds: range) -> None:
    """Both are equivariant: shifts and scales change no posterior."""
    ours, theirs = PAIRS[name]
    for seed in seeds:
        K = int(np.random.default_rng(seed).choice([2, 3, 7, 20]))
        X, y, plain, _ = draw(seed, K, redundant=False)
        found = fit(ours, X, y).predict_proba(X)
        np.testing.assert_allclose(
            found, fit(theirs, plain, y).predict_proba(plain), atol=1e-6, err_msg=f"seed {seed}"
        )


@pytest.mark.parametrize("seeds", MANY)
def test_quadratic_posteriors_on_odd_shapes(seeds: range) -> None:
    """A class with no more examples than features has no density, and is named."""
    for seed in seeds:
        K = int(np.random.default_rng(seed).choice([2, 3, 7, 20]))
        X, y, plain, _ = draw(seed, K, redundant=False)
        ours, theirs = PAIRS["QDA"]
        if np.unique(y, return_counts=True)[1].min() <= plain.shape[1]:
            with pytest.raises(SingularCovarianceError, match="degrees of freedom"):
                fit(ours, X, y)
            continue
        found = fit(ours, X, y).predict_proba(X)
        peer = fit(theirs, plain, y).predict_proba(plain)
        np.testing.assert_allclose(found, peer, atol=1e-6, err_msg=f"seed {seed}")


@pytest.mark.parametrize("seeds", MANY)
def test_least_squares_scores_on_odd_shapes(seeds: range) -> None:
    for seed in seeds:
        K = int(np.random.default_rng(seed).choice([2, 3, 7, 20]))
        X, y, plain, _ = draw(seed, K, redundant=True)
        Y = (y[:, None] == np.unique(y)).astype(float)
        Z = preprocessing.StandardScaler().fit_transform(plain)
        peer = Z @ np.linalg.lstsq(Z, Y - Y.mean(axis=0), rcond=1e-8)[0] + Y.mean(axis=0)
        peer = peer if K > 2 else peer[:, 1] - peer[:, 0]
        found = fit(LeastSquaresClassifier(), X, y)
        values = np.asarray(X, dtype=float)
        size = np.abs(values).max(axis=0) @ np.abs(found.coef_).max(axis=0)
        np.testing.assert_allclose(
            found.decision_function(X), peer, atol=1e-9 + 1e-14 * size, err_msg=f"seed {seed}"
        )


@pytest.mark.parametrize("seeds", MANY)
def test_penalised_likelihood_on_odd_shapes(seeds: range) -> None:
    for seed in seeds:
        K = int(np.random.default_rng(seed).choice([2, 3, 7]))
        _, y, plain, _ = draw(seed, K, redundant=True)
        ours, theirs = PAIRS["softmax"]
        found = fit(ours, plain, y)
        assert found.converged_, seed
        peer = fit(theirs, plain, y).predict_proba(plain)
        if K > 2:  # for two classes scikit-learn's penalty is that of one row
            np.testing.assert_allclose(
                found.predict_proba(plain), peer, atol=1e-5, err_msg=f"seed {seed}"
            )


@pytest.mark.parametrize("seeds", MANY)
def test_soft_margins_on_odd_shapes(seeds: range) -> None:
    for seed in seeds:
        _, y, plain, _ = draw(seed, 2, redundant=True)
        if len(y) > 200:
            continue
        model = fit(SoftMarginSVM(C=0.5), plain, y)
        peer = fit(svm.SVC(kernel="linear", C=0.5, tol=1e-6), plain, y)
        s = np.where(y == model.classes_[1], 1, -1)
        slacks = np.maximum(0, 1 - s * peer.decision_function(plain)).sum()
        theirs = float((peer.coef_**2).sum()) / 2 + 0.5 * slacks
        assert model.objective_ <= theirs * (1 + 1e-6), seed
        assert model.converged_, seed


def test_what_two_classes_look_like_is_varied() -> None:
    """The draws below hold each kind of data that they are meant to hold."""
    seen = {kind for seed in range(60) for kind in kinds_of(*two_classes(seed))}
    assert seen == {"wide", "one feature", "rare class", "separable", "overlapping", "float32"}


def two_classes(seed: int) -> tuple[Any, np.ndarray]:
    """Two classes, -1 and 1: tall or wide, balanced or not, apart, nearly so, or overlapping."""
    rng = np.random.default_rng(seed)
    d, N = int(rng.choice([1, 2, 5, 30])), int(rng.choice([12, 40, 150]))
    s = np.where(rng.random(N) < rng.choice([0.5, 0.05]), 1, -1)
    s[:4] = 1, -1, 1, -1
    X = rng.standard_normal((N, d)) + rng.choice([0.0, 1.0, 6.0]) * s[:, None] / np.sqrt(d)
    X = np.round(X * 2**10) / 2**10
    if rng.random() < 0.2:
        X[:, -1] = X[:, 0]
    if rng.random() < 0.2:
        X = np.r_[X, X[: N // 2]]
        s = np.r_[s, s[: N // 2]]
    return (X.astype(np.float32) if rng.random() < 0.3 else np.asfortranarray(X)), s


def kinds_of(X: Any, s: np.ndarray) -> set[str]:
    N, d = X.shape
    rare = min((s == 1).mean(), (s == -1).mean()) < 0.1
    kinds = {"wide": d > N, "one feature": d == 1, "rare class": rare, "float32": X.itemsize == 4}
    found = separation(X, s)
    kinds |= {"separable": found == "complete", "overlapping": found == "none"}
    return {kind for kind, true in kinds.items() if true}


def separation(X: Any, s: np.ndarray) -> str:
    """By two linear programmes: is there a plane with all s g >= 1, or with all s g >= 0?"""
    A = s[:, None] * np.c_[np.ones(len(s)), X.astype(float)]
    free = [(None, None)] * A.shape[1]
    if linprog(np.zeros(A.shape[1]), A_ub=-A, b_ub=-np.ones(len(s)), bounds=free).status == 0:
        return "complete"
    boxed = linprog(-A.sum(axis=0), A_ub=-A, b_ub=np.zeros(len(s)), bounds=[(-1, 1)] * A.shape[1])
    return "quasi" if -boxed.fun > 1e-7 else "none"


@pytest.mark.parametrize("seeds", MANY)
def test_hard_margins_on_odd_shapes(seeds: range) -> None:
    """A plane exactly where the linear programme has one, and none with a larger margin."""
    for seed in seeds:
        X, s = two_classes(seed)
        if separation(X, s) != "complete":
            with pytest.raises(InseparableError):
                HardMarginSVM().fit(X, s)
            continue
        model = fit(HardMarginSVM(), X, s)
        assert (s * model.decision_function(X)).min() > 1 - 1e-6, seed
        peer = fit(svm.SVC(kernel="linear", C=1e9, tol=1e-6), X.astype(float), s)
        theirs = (s * peer.decision_function(X.astype(float))).min() / np.linalg.norm(peer.coef_)
        assert model.margin_ >= theirs * (1 - 1e-6), seed


@pytest.mark.parametrize("seeds", MANY)
def test_the_likelihood_of_two_classes_on_odd_shapes(seeds: range) -> None:
    """Separation is said exactly where there is one; elsewhere the maximum is scikit-learn's."""
    for seed in seeds:
        X, s = two_classes(seed)
        model = fit(LogisticRegression(), X, s)
        assert hasattr(model, "separating_direction_") == (separation(X, s) != "none"), seed
        if not hasattr(model, "separating_direction_"):
            peer = linear_model.LogisticRegression(
                C=np.inf, solver="newton-cholesky", tol=1e-10, max_iter=1000
            )
            theirs = fit(peer, X.astype(float), s).predict_proba(X.astype(float))
            np.testing.assert_allclose(
                model.predict_proba(X), theirs, atol=1e-5, err_msg=f"seed {seed}"
            )


@pytest.mark.parametrize("seeds", MANY)
def test_the_penalised_likelihood_of_two_classes_on_odd_shapes(seeds: range) -> None:
    for seed in seeds:
        X, s = two_classes(seed)
        C = 10.0 ** np.random.default_rng(seed).integers(-3, 3)
        found = fit(LogisticRegression(C=C), X, s)
        peer = linear_model.LogisticRegression(C=C, solver="newton-cholesky", tol=1e-10)
        theirs = fit(peer, X.astype(float), s).predict_proba(X.astype(float))
        np.testing.assert_allclose(
            found.predict_proba(X), theirs, atol=1e-5, err_msg=f"seed {seed}"
        )


@pytest.mark.parametrize("seeds", MANY)
def test_the_perceptron_on_odd_shapes(seeds: range) -> None:
    """Against the loop of the notes, in the order given, with at most 30 passes."""
    for seed in seeds:
        X, s = two_classes(seed)
        A = np.c_[np.ones(len(s)), X.astype(float)]
        w, made = np.zeros(A.shape[1]), []
        for _ in range(30):
            before = len(made)
            for i in range(len(s)):
                if s[i] * (A[i] @ w) <= 0:
                    w = w + s[i] * A[i]
                    made.append(i)
            if len(made) == before:
                break
        model = fit(Perceptron(max_iter=30), X, s)
        np.testing.assert_array_equal(model.updates_, made, err_msg=f"seed {seed}")
        np.testing.assert_array_equal(np.r_[model.intercept_, model.coef_[0]], w)


@pytest.mark.parametrize("seeds", MANY)
def test_fisher_s_directions_on_odd_shapes(seeds: range) -> None:
    """The eigenvalues against those of pinv(within) between, which no shift or scale changes."""
    for seed in seeds:
        K = int(np.random.default_rng(seed).choice([2, 3, 7]))
        X, y, plain, _ = draw(seed, K, redundant=False)
        codes = np.unique(y, return_inverse=True)[1]
        means = np.array([plain[codes == k].mean(axis=0) for k in range(K)])
        shares = np.bincount(codes) / len(codes)
        off = means - plain.mean(axis=0)
        within = (plain - means[codes]).T @ (plain - means[codes]) / (len(codes) - K)
        ratios = np.linalg.eigvals(np.linalg.pinv(within) @ (off.T * shares) @ off).real
        found = fit(FisherDiscriminant(), X, y).eigenvalues_
        expected = np.sort(ratios)[::-1][: len(found)]
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7, err_msg=f"seed {seed}")


# ------------------------------------------------------------------ near separation


@pytest.mark.parametrize("overlap", [1e-2, 1e-4, 1e-5, 1e-6])
def test_one_overlapping_pair_among_many_has_the_right_standard_errors(overlap: float) -> None:
    """Against Newton's method in long double on the two coefficients."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(30_000)
    y = (x > 0).astype(int)
    x += np.where(np.abs(x) < 0.05, np.sign(x) * 0.05, 0)
    x[np.flatnonzero(y == 1)[0]], x[np.flatnonzero(y == 0)[0]] = -overlap / 2, overlap / 2
    model = LogisticRegression().fit(x[:, None], y)
    assert model.converged_
    A = np.c_[np.ones(len(x)), x].astype(np.longdouble)
    w = np.r_[model.intercept_[0], model.coef_[0]].astype(np.longdouble)
    for _ in range(60):
        p = 1 / (1 + np.exp(-(A @ w)))
        g, H = A.T @ (y - p), (A * (p * (1 - p))[:, None]).T @ A
        det = H[0, 0] * H[1, 1] - H[0, 1] ** 2
        w += np.array([H[1, 1] * g[0] - H[0, 1] * g[1], H[0, 0] * g[1] - H[0, 1] * g[0]]) / det
    errors = np.sqrt(np.array([H[1, 1], H[0, 0]]) / det).astype(float)
    np.testing.assert_allclose(model.standard_errors_, errors, rtol=1e-4)


# ------------------------------------------------------------------ what must not be silent

X2, Y2 = np.array([[0.0, 1], [1, 0], [2, 3], [3, 2]]), np.array([0, 0, 1, 1])


def test_a_refit_that_fails_leaves_no_half_of_a_model() -> None:
    for model in (HardMarginSVM(), LinearDiscriminantAnalysis(), LeastSquaresClassifier()):
        fit(model, np.c_[X2[:, :1], [0.0, 1, 0, 2]], Y2)
        with pytest.raises(ValueError, match="y"):
            model.fit(X2, [7, 7, 7, 7])
        with pytest.raises(NotFittedError):
            model.predict(X2)


@pytest.mark.parametrize(
    "model",
    [
        LinearDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(),
        GaussianNB(),
        FisherDiscriminant(),
        HardMarginSVM(),
        multiclass.OneVsRestClassifier(LinearDiscriminantAnalysis()),
        multiclass.OneVsOneClassifier(LinearDiscriminantAnalysis()),
        multiclass.OutputCodeClassifier(LinearDiscriminantAnalysis()),
        selection.Standardized(LinearDiscriminantAnalysis()),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_refit_that_fails_late_does_not_answer_with_old_weights(model: Any) -> None:
    """No class varies along either axis, and no line separates: what is wrong shows at the end."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 2)) + 9 * (np.arange(40) % 2)[:, None]
    assert set(fit(model, X, np.arange(40) % 2).predict(X)) == {0, 1}
    corners = np.repeat([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], 3, axis=0)
    labels = np.repeat(["a", "a", "b", "b"], 3)
    if not isinstance(model, HardMarginSVM):
        corners = np.repeat([[0.0, 0.0], [1.0, 2.0]], 6, axis=0)
        labels = np.repeat(["a", "b"], 6)
    with pytest.raises(ValueError, match="X"):
        fit(model, corners, labels)
    with pytest.raises(NotFittedError):
        model.predict(X)


def test_labels_of_another_kind_and_columns_in_another_order_are_refused() -> None:
    model = LeastSquaresClassifier().fit(X2, Y2.astype(str))
    with pytest.raises(ValueError, match="numbers and strings are never equal"):
        model.score(X2, Y2)
    frame = pd.DataFrame(X2, columns=["a", "b"])
    model = LeastSquaresClassifier().fit(frame, Y2)
    assert model.feature_names_in_.tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="another order"):
        model.predict(frame[["b", "a"]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: decision.map_decision([0.5, 0.5], [np.nan, 1]), "likelihoods: found .nan"),
        (lambda: decision.ml_decision([[np.nan, 1]]), "likelihoods: found .nan"),
        (lambda: multiclass.decode([[0.9, 0.9, 0.1]], [[0, 1, 1], [1, 0, 0]]), "words: found 0.9"),
        (lambda: multiclass.hamming_distances([[2, 0]], [[0, 1]]), "words: found 2"),
        (lambda: metrics.log_loss([0, 1], [0.2, 1.3]), "y_pred: found values from 0.2 to 1.3"),
        (lambda: LeastSquaresClassifier().fit([[10**400], [1]], [0, 1]), "X: found a whole number"),
        (lambda: LeastSquaresClassifier().fit([[pd.NA], [1]], [0, 1]), "X: .*missing"),
        (lambda: LeastSquaresClassifier().fit([[0.0], [1]], [pd.NA, 1]), "y: found a missing"),
        (
            lambda: fit(QuadraticDiscriminantAnalysis(), np.ones((4, 2)), Y2),
            "X: .*constant",
        ),
        (lambda: fit(LinearDiscriminantAnalysis(), X2 * 1e160, Y2), "X: entries up to .*overflow"),
        (lambda: LogisticRegression(solver="lbfgs").fit(X2, Y2), "solver: found 'lbfgs'"),
        (lambda: selection.cross_val_score(GaussianNB(), X2, Y2, cv=2, scoring="auc"), "scoring"),
    ],
)
def test_what_was_silent_or_unclear_names_its_argument(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_what_crashed_has_an_answer() -> None:
    assert np.isfinite(best_bias(np.array([1.0, -1.0]), np.array([1.0, -1.0]), np.full(2, 5e-324)))
    p = np.array([0.1, 0.2, 0.7], dtype=np.float32)
    assert decision.entropy(p) == pytest.approx(decision.entropy([0.1, 0.2, 0.7]), rel=1e-6)
    sums = np.array([0.13, 0.29, 0.58], dtype=np.float32)
    assert float(sums.astype(float).sum()) != 1
    assert decision.map_decision(sums, [1.0, 1.0, 1.0]) == 2
    assert decision.posterior(sums, [1.0, 1.0, 1.0])[0] == pytest.approx(0.13)
    assert decision.joint_table(sums, np.full((2, 3), 0.5)).sum() == pytest.approx(1)
    assert metrics.brier_score_loss([0, 1], [[0.2], [0.7]]) == pytest.approx((0.04 + 0.09) / 2)
    labels = np.array([2**63, 2**63 + 1, 2**63, 2**63 + 1], dtype=np.uint64)
    assert LeastSquaresClassifier().fit(X2, labels).classes_.tolist() == [2**63, 2**63 + 1]


# ---------------------------------------------------------------- what a scikit-learn user expects


def test_parameters_of_other_libraries_are_pointed_to_their_names_here() -> None:
    for name, here in (("random_state", "rng"), ("penalty", "C:")):
        with pytest.raises(TypeError, match=here):
            LogisticRegression(**{name: 0})
    for make in (LeastSquaresClassifier, HardMarginSVM, LinearDiscriminantAnalysis):
        for name in ("random_state", "penalty", "solver"):
            with pytest.raises(TypeError, match="Leave it out"):
                make(**{name: 0})


def test_names_of_columns_come_out_of_transformers() -> None:
    frame = pd.DataFrame(X2, columns=["a", "b"])
    poly, theirs = PolynomialFeatures(), preprocessing.PolynomialFeatures(include_bias=False)
    names = poly.fit(frame).get_feature_names_out()
    assert names.tolist() == theirs.fit(frame).get_feature_names_out().tolist()
    assert selection.Standardizer().fit(frame).get_feature_names_out().tolist() == ["a", "b"]
    fisher = FisherDiscriminant().fit(frame, [0, 1, 1, 1])
    assert fisher.get_feature_names_out().tolist() == ["fisherdiscriminant0"]


def test_class_weights_are_weights_of_the_examples() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((200, 2)), (rng.random(200) < 0.1).astype(int)
    X[y == 1] += 1
    weights = len(y) / (2 * np.bincount(y))
    for make in (LogisticRegression, SoftMarginSVM, Perceptron):
        options = {"max_iter": 20} if make is Perceptron else {}
        balanced = fit(make(class_weight="balanced", **options), X, y)
        table = fit(make(class_weight={0: weights[0], 1: weights[1]}, **options), X, y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            by_hand = make(**options).fit(X, y, sample_weight=weights[y])
        for other in (table, by_hand):
            np.testing.assert_allclose(balanced.coef_, other.coef_, rtol=1e-7)
    peer = linear_model.LogisticRegression(C=np.inf, class_weight="balanced", tol=1e-10).fit(X, y)
    ours = LogisticRegression(class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(ours.coef_, peer.coef_, rtol=1e-4)


@pytest.mark.parametrize("name", ["roc_auc", "f1", "neg_log_loss", "balanced_accuracy"])
def test_a_name_of_scikit_learn_scores_as_there(name: str) -> None:
    from sklearn.metrics import get_scorer

    rng = np.random.default_rng(0)
    X = rng.standard_normal((90, 2))
    y = (X[:, 0] + rng.standard_normal(90) > 0).astype(int)
    folds = selection.k_fold(90, 3, stratify=y)
    found = selection.cross_val_score(LogisticRegression(), X, y, cv=folds, scoring=name)
    expected = [
        get_scorer(name)(LogisticRegression().fit(X[train], y[train]), X[test], y[test])
        for train, test in folds
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-9)
