"""Data shapes that nobody tries: every estimator beside scikit-learn, and answers that are refused.

The slow part draws 300 data sets an estimator; the fast part the first of them.
"""

from __future__ import annotations

import operator
import warnings
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog
from sklearn import discriminant_analysis, linear_model, naive_bayes, preprocessing, svm
from sklearn import multiclass as sk_multiclass

from lectures_lib import decision, metrics, multiclass, selection
from lectures_lib._core.covariance import SingularCovarianceError
from lectures_lib._core.estimator import ConvergenceWarning, NotFittedError
from lectures_lib.fisher import FisherDiscriminant
from lectures_lib.gaussian import (
    CategoricalNB,
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from lectures_lib.learning import CutClassifier, NearestNeighbour
from lectures_lib.least_squares import LeastSquaresClassifier
from lectures_lib.logistic import LogisticRegression, PolynomialFeatures
from lectures_lib.margin import HardMarginSVM, InseparableError, SoftMarginSVM, best_bias
from lectures_lib.perceptron import KernelPerceptron, Perceptron
from lectures_lib.softmax import SoftmaxRegression
from tests.odd_shapes import KINDS, draw, standardised

MANY = [pytest.param(range(6), id="some"), pytest.param(range(300), marks=pytest.mark.slow)]
COMMON = (2, 3, 7)


def fit(model: Any, X: Any, y: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


@pytest.mark.slow
@pytest.mark.parametrize("classes", [(2, 3, 7, 20), COMMON, (2,)])
def test_the_draws_hold_every_shape_many_times(classes: tuple[int, ...]) -> None:
    seen = Counter(kind for seed in range(300) for kind in draw(seed, classes, largest=150).kinds)
    missing = {"many classes"} if classes == (2,) else set()
    assert {kind: seen[kind] for kind in KINDS if seen[kind] < 10} == dict.fromkeys(missing, 0)


# --------------------------------------------------------------- densities and least squares


def varies_within(inside: np.ndarray, codes: np.ndarray, freedom: int) -> bool:
    """Whether the examples vary around the means of their classes along every direction."""
    if freedom < inside.shape[1]:
        return False
    means = np.array([inside[codes == k].mean(axis=0) for k in range(codes.max() + 1)])
    sizes = np.linalg.svd(inside - means[codes], compute_uv=False)
    return bool(sizes[-1] > 1e-9 * sizes[0])


@pytest.mark.parametrize("seeds", MANY)
def test_linear_discriminants_on_odd_shapes(seeds: range) -> None:
    """No density where the means differ along a direction in which no class varies."""
    theirs = discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr")
    for seed in seeds:
        data = draw(seed)
        inside = data.inside
        if not varies_within(inside, data.codes, len(inside) - data.codes.max() - 1):
            with pytest.raises(SingularCovarianceError):
                fit(LinearDiscriminantAnalysis(covariance="mle"), data.X, data.y)
            continue
        found = fit(LinearDiscriminantAnalysis(covariance="mle"), data.X, data.y)
        peer = fit(theirs, inside, data.y).predict_proba(inside)
        np.testing.assert_allclose(
            found.predict_proba(data.X), peer, atol=1e-6, err_msg=f"seed {seed}"
        )


@pytest.mark.parametrize("seeds", MANY)
def test_quadratic_discriminants_on_odd_shapes(seeds: range) -> None:
    """A class that does not vary in every direction of the data has no density."""
    theirs = discriminant_analysis.QuadraticDiscriminantAnalysis(solver="svd", tol=1e-12)
    for seed in seeds:
        data = draw(seed)
        inside = data.inside
        own = [inside[data.codes == k] for k in range(data.codes.max() + 1)]
        if not all(varies_within(x, np.zeros(len(x), dtype=int), len(x) - 1) for x in own):
            with pytest.raises(SingularCovarianceError):
                fit(QuadraticDiscriminantAnalysis(covariance="mle"), data.X, data.y)
            continue
        found = fit(QuadraticDiscriminantAnalysis(covariance="mle"), data.X, data.y)
        peer = fit(theirs, inside, data.y).predict_proba(inside)
        np.testing.assert_allclose(
            found.predict_proba(data.X), peer, atol=1e-6, err_msg=f"seed {seed}"
        )


@pytest.mark.parametrize("seeds", MANY)
def test_naive_bayes_on_odd_shapes(seeds: range) -> None:
    """A constant feature says nothing; one that is constant in a single class has no density."""
    for seed in seeds:
        data = draw(seed)
        plain = data.plain[:, data.plain.std(axis=0) > 0]
        own = [plain[data.codes == k] for k in range(data.codes.max() + 1)]
        if any((x == x[0]).all(axis=0).any() for x in own):
            with pytest.raises(SingularCovarianceError, match="no spread in class"):
                fit(GaussianNB(covariance="mle"), data.X, data.y)
            continue
        found = fit(GaussianNB(covariance="mle"), data.X, data.y).predict_proba(data.X)
        peer = fit(naive_bayes.GaussianNB(var_smoothing=0), plain, data.y).predict_proba(plain)
        np.testing.assert_allclose(found, peer, atol=1e-6, err_msg=f"seed {seed}")


@pytest.mark.parametrize("seeds", MANY)
def test_categories_on_odd_shapes(seeds: range) -> None:
    for seed in seeds:
        data = draw(seed)
        values = np.abs(np.round(data.plain)).astype(int)
        given = values.astype(np.float32) if seed % 2 else np.asfortranarray(values)
        theirs = naive_bayes.CategoricalNB(alpha=0.5)
        np.testing.assert_allclose(
            fit(CategoricalNB(alpha=0.5), given, data.y).predict_proba(given),
            fit(theirs, values, data.y).predict_proba(values),
            atol=1e-9,
            err_msg=f"seed {seed}",
        )


@pytest.mark.parametrize("seeds", MANY)
def test_fisher_s_directions_on_odd_shapes(seeds: range) -> None:
    """The eigenvalues against those of within^-1 between, which no shift or scale changes."""
    for seed in seeds:
        data = draw(seed)
        inside, K = data.inside, data.codes.max() + 1
        if not varies_within(inside, data.codes, len(inside) - K):
            with pytest.raises(SingularCovarianceError):
                fit(FisherDiscriminant(), data.X, data.y)
            continue
        means = np.array([inside[data.codes == k].mean(axis=0) for k in range(K)])
        shares = np.bincount(data.codes) / len(inside)
        off, rest = means - inside.mean(axis=0), inside - means[data.codes]
        within = rest.T @ rest / (len(inside) - K)
        ratios = np.linalg.eigvals(np.linalg.solve(within, (off.T * shares) @ off)).real
        found = fit(FisherDiscriminant(), data.X, data.y).eigenvalues_
        expected = np.sort(ratios)[::-1][: len(found)]
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7, err_msg=f"seed {seed}")


@pytest.mark.parametrize("seeds", MANY)
def test_least_squares_on_odd_shapes(seeds: range) -> None:
    """Against NumPy's least squares on standardised features, of the smallest norm there."""
    for seed in seeds:
        data = draw(seed)
        Y = np.eye(data.codes.max() + 1)[data.codes]
        Z = standardised(data.plain)
        peer = Z @ np.linalg.lstsq(Z, Y - Y.mean(axis=0), rcond=1e-9)[0] + Y.mean(axis=0)
        peer = peer if Y.shape[1] > 2 else peer[:, 1] - peer[:, 0]
        found = fit(LeastSquaresClassifier(), data.X, data.y)
        size = np.abs(np.asarray(data.X, dtype=float)).max(axis=0)
        rounding = 1e-14 * float(size @ np.abs(found.coef_).max(axis=0))
        np.testing.assert_allclose(
            found.decision_function(data.X), peer, atol=1e-9 + rounding, err_msg=f"seed {seed}"
        )


# --------------------------------------------------------------- likelihoods


def separation(X: np.ndarray, codes: np.ndarray) -> bool:
    """Is there a score for each class so that no example's own one is beaten, and not all tie?"""
    K, A = codes.max() + 1, np.c_[np.ones(len(X)), X]
    differences = []
    for k in range(K):
        for other in set(range(K)) - {k}:
            rows = np.zeros((int((codes == k).sum()), K, A.shape[1]))
            rows[:, k], rows[:, other] = A[codes == k], -A[codes == k]
            differences.append(rows.reshape(len(rows), -1))
    D = np.vstack(differences)
    best = linprog(-D.sum(axis=0), A_ub=-D, b_ub=np.zeros(len(D)), bounds=[(-1, 1)] * D.shape[1])
    return bool(-best.fun > 1e-6)


@pytest.mark.parametrize("seeds", MANY)
@pytest.mark.parametrize(
    ("model", "classes"), [(LogisticRegression(), (2,)), (SoftmaxRegression(), (2, 3, 4))]
)
def test_likelihoods_on_odd_shapes(model: Any, classes: tuple[int, ...], seeds: range) -> None:
    """Separation is said exactly where there is one; elsewhere the maximum is scikit-learn's."""
    peer = linear_model.LogisticRegression(
        C=np.inf, solver="newton-cholesky", tol=1e-10, max_iter=1000
    )
    for seed in seeds:
        data = draw(seed, classes, largest=150)
        inside = data.inside
        found = fit(model, data.X, data.y)
        separated = separation(inside, data.codes)
        assert hasattr(found, "separating_direction_") == separated, seed
        if not separated:
            assert found.converged_, seed
            theirs = fit(peer, inside, data.y).predict_proba(inside)
            np.testing.assert_allclose(
                found.predict_proba(data.X), theirs, atol=1e-5, err_msg=f"seed {seed}"
            )


@pytest.mark.parametrize("seeds", MANY)
@pytest.mark.parametrize(
    ("make", "classes"), [(LogisticRegression, (2,)), (SoftmaxRegression, COMMON)]
)
def test_penalised_likelihoods_on_odd_shapes(
    make: Any, classes: tuple[int, ...], seeds: range
) -> None:
    """In other units the same C is another one; two classes of softmax share one penalty."""
    for seed in seeds:
        data = draw(seed, classes)
        C = 10.0 ** np.random.default_rng(seed).integers(-3, 4)
        found = fit(make(C=C / data.unit**2), data.X, data.y)
        assert found.converged_, seed
        halved = make is SoftmaxRegression and data.codes.max() == 1
        peer = linear_model.LogisticRegression(
            C=2 * C if halved else C, solver="newton-cholesky", tol=1e-10, max_iter=1000
        )
        theirs = fit(peer, data.plain - data.plain.mean(axis=0), data.y).predict_proba(
            data.plain - data.plain.mean(axis=0)
        )
        np.testing.assert_allclose(
            found.predict_proba(data.X), theirs, atol=1e-5, err_msg=f"seed {seed}"
        )


# --------------------------------------------------------------- margins and mistakes


@pytest.mark.parametrize("seeds", MANY)
def test_hard_margins_on_odd_shapes(seeds: range) -> None:
    """A plane exactly where a linear programme has one, and none with a larger margin."""
    for seed in seeds:
        data = draw(seed, (2,), largest=150)
        s = data.signs
        A = s[:, None] * np.c_[np.ones(len(s)), standardised(data.plain)]
        free = [(None, None)] * A.shape[1]
        if linprog(np.zeros(A.shape[1]), A_ub=-A, b_ub=-np.ones(len(s)), bounds=free).status != 0:
            with pytest.raises(InseparableError):
                HardMarginSVM().fit(data.X, data.y)
            continue
        model = fit(HardMarginSVM(), data.X, data.y)
        assert (s * model.decision_function(data.X)).min() > 1 - 1e-6, seed
        peer = fit(svm.SVC(kernel="linear", C=1e9, tol=1e-6), data.plain, s)
        theirs = (s * peer.decision_function(data.plain)).min() / np.linalg.norm(peer.coef_)
        assert model.margin_ / data.unit >= theirs * (1 - 1e-6), seed


@pytest.mark.parametrize("seeds", MANY)
def test_soft_margins_on_odd_shapes(seeds: range) -> None:
    """In other units the same C is another one; the objective is counted in plain units."""
    for seed in seeds:
        data = draw(seed, (2,))
        model = fit(SoftMarginSVM(C=0.5 / data.unit**2), data.X, data.y)
        assert model.converged_, seed
        # libsvm can go on for hours on collinear columns; wherever it stops, ours is no worse.
        libsvm = svm.SVC(kernel="linear", C=0.5, tol=1e-6, max_iter=50_000)
        peer = fit(libsvm, data.plain, data.y)
        ours, theirs = (
            float((w**2).sum()) / 2 + 0.5 * np.maximum(0, 1 - data.signs * scores).sum()
            for w, scores in (
                (model.coef_ * data.unit, model.decision_function(data.X)),
                (peer.coef_, peer.decision_function(data.plain)),
            )
        )
        assert ours <= theirs * (1 + 1e-6), seed


def exact_mistakes(rows: list[list[int]], signs: list[int], passes: int) -> list[int]:
    """The loop of the notes on whole numbers, which are never rounded."""
    w, made = [0] * len(rows[0]), []
    for _ in range(passes):
        before = len(made)
        for i, (row, s) in enumerate(zip(rows, signs, strict=True)):
            if s * sum(map(operator.mul, row, w)) <= 0:
                w = [a + s * b for a, b in zip(w, row, strict=True)]
                made.append(i)
        if len(made) == before:
            break
    return made


@pytest.mark.parametrize("seeds", MANY)
def test_the_perceptron_on_odd_shapes(seeds: range) -> None:
    """All numbers are multiples of 2^-30: multiplied by 2^30 they are whole."""
    for seed in seeds:
        data = draw(seed, (2,), largest=150)
        given = np.c_[np.ones(len(data.y)), np.asarray(data.X, dtype=float)] * 2.0**30
        rows = [[int(value) for value in row] for row in given.tolist()]
        passes = 3 if len(rows) > 1000 else 10
        made = exact_mistakes(rows, data.signs.astype(int).tolist(), passes)
        model = fit(Perceptron(max_iter=passes), data.X, data.y)
        np.testing.assert_array_equal(model.updates_, made, err_msg=f"seed {seed}")


@pytest.mark.parametrize("seeds", MANY)
def test_the_kernel_perceptron_on_odd_shapes(seeds: range) -> None:
    """The polynomial kernel against the same loop on its own features, 1, x_j and x_j x_k."""
    for seed in seeds:
        data = draw(seed, (2,), largest=40)
        whole = np.round(data.plain[:200, :12]).astype(int)
        codes = data.codes[:200]
        if len(set(codes)) < 2:
            codes = np.arange(len(whole)) % 2
        one = np.c_[np.ones(len(whole), dtype=int), whole]
        rows = [np.outer(row, row).ravel().tolist() for row in one]
        made = exact_mistakes(rows, (2 * codes - 1).tolist(), 5)
        model = fit(KernelPerceptron(kernel="poly", degree=2, max_iter=5), whole, codes)
        np.testing.assert_array_equal(model.updates_, made, err_msg=f"seed {seed}")


# --------------------------------------------------------------- many classes, neighbours, features


@pytest.mark.parametrize("seeds", MANY)
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (multiclass.OneVsRestClassifier, sk_multiclass.OneVsRestClassifier),
        (multiclass.OneVsOneClassifier, sk_multiclass.OneVsOneClassifier),
    ],
)
def test_reductions_on_odd_shapes(ours: Any, theirs: Any, seeds: range) -> None:
    """The same binary model inside: only the way from two classes to many is compared."""
    for seed in seeds:
        data = draw(seed)
        found = fit(ours(LeastSquaresClassifier()), data.X, data.y).predict(data.X)
        X = np.asarray(data.X, dtype=float)
        peer = fit(theirs(LeastSquaresClassifier()), X, data.y)
        scores = np.sort(np.c_[peer.decision_function(X)], axis=1)
        clear = np.abs(scores[:, 0]) > 1e-7
        if scores.shape[1] > 1:
            clear = scores[:, -1] - scores[:, -2] > 1e-7
        np.testing.assert_array_equal(found[clear], peer.predict(X)[clear], err_msg=f"seed {seed}")


def most_alike(word: list[int], words: list[list[int]]) -> int:
    """Which of the words differs in the fewest bits, the first of several."""
    return min(
        range(len(words)), key=lambda k: sum(a != b for a, b in zip(word, words[k], strict=True))
    )


@pytest.mark.parametrize("seeds", MANY)
def test_output_codes_on_odd_shapes(seeds: range) -> None:
    """Each bit is fitted by itself; the word with the fewest differing bits is found by a loop."""
    for seed in seeds:
        data = draw(seed, (2, 3, 7))
        model = multiclass.OutputCodeClassifier(LeastSquaresClassifier(), rng=seed)
        found = fit(model, data.X, data.y)
        bits = []
        for column in found.code_book_.T:
            bits.append(fit(LeastSquaresClassifier(), data.X, column[data.codes]).predict(data.X))
        words = found.code_book_.tolist()
        nearest = [most_alike(word, words) for word in np.array(bits).T.tolist()]
        labels = np.unique(data.y)
        np.testing.assert_array_equal(
            found.predict(data.X), labels[nearest], err_msg=f"seed {seed}"
        )


@pytest.mark.parametrize("seeds", MANY)
def test_neighbours_and_cuts_on_odd_shapes(seeds: range) -> None:
    """By looking at every distance, and at every cut."""
    for seed in seeds:
        data = draw(seed, largest=150)
        plain, codes = data.plain[:300], data.codes[:300]
        if len(set(codes)) < 2:
            continue
        given = (plain * data.unit).astype(np.float32 if seed % 2 else float)
        fresh = given[::-1] + given[:1] / 2
        found = fit(NearestNeighbour(), given, codes).predict(fresh)
        distances = ((fresh[:, None].astype(float) - given.astype(float)) ** 2).sum(axis=2)
        for i, row in enumerate(distances):
            assert found[i] in codes[row <= row.min() * (1 + 1e-9)], (seed, i)
        sides = (codes > 0).astype(int)
        cut = fit(CutClassifier(), given[:, :1], sides)
        x = given[:, 0].astype(float)
        places = np.r_[-np.inf, np.unique(x)]
        fewest = min(min((mistakes := (x > t) != sides).sum(), (~mistakes).sum()) for t in places)
        assert (cut.predict(given[:, :1]) != sides).sum() == fewest, seed


@pytest.mark.parametrize("seeds", MANY)
def test_features_on_odd_shapes(seeds: range) -> None:
    for seed in seeds:
        data = draw(seed)
        scaler = fit(selection.Standardizer(), data.X, None)
        # mean_ is one number, which is rounded: far from 0 that much is lost.
        rounding = float((np.spacing(np.abs(scaler.mean_)) / scaler.scale_).max())
        np.testing.assert_allclose(
            scaler.transform(data.X),
            standardised(data.plain),
            atol=1e-9 + rounding,
            err_msg=f"seed {seed}",
        )
        few = data.plain[:, :5]
        theirs = preprocessing.PolynomialFeatures(degree=3, include_bias=False)
        np.testing.assert_allclose(
            PolynomialFeatures(degree=3).fit_transform(few), theirs.fit_transform(few), rtol=1e-12
        )


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
