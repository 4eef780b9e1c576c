"""Data shapes that nobody tries: every estimator beside scikit-learn, and answers that are refused.

Six data sets are drawn for an estimator in the fast tier, 26 in the default one, 300 in all.
"""

from __future__ import annotations

import inspect
import operator
import tracemalloc
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from sklearn import discriminant_analysis, linear_model, naive_bayes, preprocessing, svm
from sklearn import multiclass as sk_multiclass

from lectures_lib import decision, metrics, multiclass, selection
from lectures_lib._core.covariance import SingularCovarianceError
from lectures_lib._core.estimator import NotFittedError
from lectures_lib.fisher import FisherDiscriminant
from lectures_lib.gaussian import (
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from lectures_lib.learning import CutClassifier, NearestNeighbour
from lectures_lib.least_squares import LeastSquaresClassifier
from lectures_lib.logistic import LogisticRegression, polynomial_features
from lectures_lib.margin import HardMarginSVM, InseparableError, SoftMarginSVM
from lectures_lib.perceptron import KernelPerceptron, Perceptron
from lectures_lib.softmax import SoftmaxRegression
from tests.odd_shapes import FAR, FINEST, KINDS, Odd, draw, standardised

SEEDS = [
    pytest.param(range(6), id="some"),
    pytest.param(range(6, 26), id="more", marks=pytest.mark.slow),
    pytest.param(range(26, 300), id="many", marks=pytest.mark.deep),
]
COMMON = (2, 3, 7)


def fit(model: Any, X: Any, y: Any, weights: Any = None) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y) if weights is None else model.fit(X, y, sample_weight=weights)


def on_odd_shapes(classes: tuple[int, ...] = (2, 3, 7, 20), largest: int = 600) -> Callable:
    """Makes a check of one data set a test of many; another parameter `classes` goes first."""

    def repeated(check: Callable) -> Callable:
        names = [*inspect.signature(check).parameters][1:]

        def test(seeds: range, **given: Any) -> None:
            for seed in seeds:
                try:
                    check(draw(seed, given.get("classes", classes), largest=largest), **given)
                except BaseException as error:
                    error.add_note(f"seed {seed}")
                    raise

        parameters = [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY) for n in names]
        seeds = inspect.Parameter("seeds", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        test.__signature__ = inspect.Signature([seeds, *parameters])  # type: ignore[attr-defined]
        test.__doc__ = check.__doc__
        return pytest.mark.parametrize("seeds", SEEDS)(test)

    return repeated


@pytest.mark.slow
@pytest.mark.parametrize("classes", [(2, 3, 7, 20), COMMON, (2,)])
def test_the_draws_hold_every_shape(classes: tuple[int, ...]) -> None:
    seen = Counter(kind for seed in range(50) for kind in draw(seed, classes, largest=150).kinds)
    missing = {"many classes"} if classes == (2,) else set()
    assert {kind for kind in KINDS if not seen[kind]} == missing


# --------------------------------------------------------------- densities and least squares


def varies_within(inside: np.ndarray, codes: np.ndarray, freedom: int) -> bool:
    """Whether the examples vary around the means of their classes along every direction."""
    if freedom < inside.shape[1]:
        return False
    means = np.array([inside[codes == k].mean(axis=0) for k in range(codes.max() + 1)])
    sizes = np.linalg.svd(inside - means[codes], compute_uv=False)
    return bool(sizes[-1] > 1e-9 * sizes[0])


def compare(model: Any, peer: Any, data: Odd, plain: np.ndarray, atol: float = 1e-6) -> None:
    """The same probabilities for the data as they are given and for the plain ones of the peer."""
    found = fit(model, data.X, data.y).predict_proba(data.X)
    expected = fit(peer, plain, data.y).predict_proba(plain)
    np.testing.assert_allclose(found, expected, atol=atol)


@on_odd_shapes()
def test_linear_discriminants_on_odd_shapes(data: Odd) -> None:
    """No density where the means differ along a direction in which no class varies."""
    ours, inside = LinearDiscriminantAnalysis(covariance="mle"), data.inside
    if not varies_within(inside, data.codes, len(inside) - data.codes.max() - 1):
        with pytest.raises(SingularCovarianceError):
            fit(ours, data.X, data.y)
        return
    peer = discriminant_analysis.LinearDiscriminantAnalysis(solver="lsqr")
    compare(ours, peer, data, inside)


@on_odd_shapes()
def test_quadratic_discriminants_on_odd_shapes(data: Odd) -> None:
    """A class that does not vary in every direction of the data has no density."""
    ours, inside = QuadraticDiscriminantAnalysis(covariance="mle"), data.inside
    own = [inside[data.codes == k] for k in range(data.codes.max() + 1)]
    if not all(varies_within(x, np.zeros(len(x), dtype=int), len(x) - 1) for x in own):
        with pytest.raises(SingularCovarianceError):
            fit(ours, data.X, data.y)
        return
    peer = discriminant_analysis.QuadraticDiscriminantAnalysis(solver="svd", tol=1e-12)
    compare(ours, peer, data, inside)


@on_odd_shapes()
def test_naive_bayes_on_odd_shapes(data: Odd) -> None:
    """A constant feature says nothing; one that is constant in a single class has no density."""
    plain = data.plain[:, data.plain.std(axis=0) > 0]
    own = [plain[data.codes == k] for k in range(data.codes.max() + 1)]
    if any((x == x[0]).all(axis=0).any() for x in own):
        with pytest.raises(SingularCovarianceError):
            fit(GaussianNB(covariance="mle"), data.X, data.y)
        return
    compare(GaussianNB(covariance="mle"), naive_bayes.GaussianNB(var_smoothing=0), data, plain)


@on_odd_shapes()
def test_fisher_s_directions_on_odd_shapes(data: Odd) -> None:
    """The eigenvalues against those of within^-1 between, which no shift or scale changes."""
    inside, K = data.inside, data.codes.max() + 1
    if not varies_within(inside, data.codes, len(inside) - K):
        with pytest.raises(SingularCovarianceError):
            fit(FisherDiscriminant(), data.X, data.y)
        return
    means = np.array([inside[data.codes == k].mean(axis=0) for k in range(K)])
    shares = np.bincount(data.codes) / len(inside)
    off, rest = means - inside.mean(axis=0), inside - means[data.codes]
    within = rest.T @ rest / (len(inside) - K)
    ratios = np.linalg.eigvals(np.linalg.solve(within, (off.T * shares) @ off)).real
    found = fit(FisherDiscriminant(), data.X, data.y).eigenvalues_
    expected = np.sort(ratios)[::-1][: len(found)]
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


@on_odd_shapes()
def test_least_squares_on_odd_shapes(data: Odd) -> None:
    """Against NumPy's least squares on standardised features, of the smallest norm there."""
    Y = np.eye(data.codes.max() + 1)[data.codes]
    Z = standardised(data.plain)
    peer = Z @ np.linalg.lstsq(Z, Y - Y.mean(axis=0), rcond=1e-9)[0] + Y.mean(axis=0)
    peer = peer if Y.shape[1] > 2 else peer[:, 1] - peer[:, 0]
    found = fit(LeastSquaresClassifier(), data.X, data.y)
    size = np.abs(np.asarray(data.X, dtype=float)).max(axis=0)
    rounding = 1e-14 * float(size @ np.abs(found.coef_).max(axis=0))
    np.testing.assert_allclose(found.decision_function(data.X), peer, atol=1e-9 + rounding)


# --------------------------------------------------------------- likelihoods


def separable(X: np.ndarray, codes: np.ndarray) -> bool:
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


def separates(V: np.ndarray, X: np.ndarray, codes: np.ndarray) -> bool:
    """No example's own class is beaten, up to rounding, and somewhere it wins."""
    V = np.vstack([np.zeros_like(V), V]) if V.ndim == 1 else V
    Z = np.c_[np.ones(len(X)), X] @ V.T
    margins = Z[np.arange(len(X)), codes][:, None] - Z
    return bool(margins.min() >= -1e-10 * np.abs(margins).max() and margins.max() > 0.5)


LIKELIHOODS = pytest.mark.parametrize(
    ("model", "classes"),
    [
        pytest.param(LogisticRegression(), (2,), id="logistic"),
        pytest.param(SoftmaxRegression(), (2, 3, 4), id="softmax"),
    ],
)


@LIKELIHOODS
@on_odd_shapes(largest=150)
def test_likelihoods_on_odd_shapes(data: Odd, model: Any, classes: tuple[int, ...]) -> None:
    """Separation is said exactly where there is one; elsewhere the maximum is scikit-learn's."""
    inside = data.inside
    separated = separable(inside, data.codes)
    assert hasattr(fit(model, data.X, data.y), "separating_direction_") == separated
    assert model.converged_ == (not separated)
    if not separated:
        peer = linear_model.LogisticRegression(
            C=np.inf, solver="newton-cholesky", tol=1e-10, max_iter=1000
        )
        compare(model, peer, data, inside, atol=1e-5)


@LIKELIHOODS
@pytest.mark.slow
@given(seed=st.integers(0, 10**6))
@example(seed=584)  # on some processors the search ends where every probability is 0 or 1
@settings(max_examples=60)
def test_separation_among_small_whole_numbers_is_proved_by_a_direction(
    model: Any, classes: tuple[int, ...], seed: int
) -> None:
    """Ties, equal rows and collinear columns are frequent here: half of it is quasi-separated."""
    rng = np.random.default_rng(seed)
    n, d, m = int(rng.integers(6, 30)), int(rng.integers(1, 4)), int(rng.choice([1, 2, 9]))
    X = rng.integers(-m, m + 1, (n, d)).astype(float)
    lean = rng.choice([0, 1, 5]) * X @ rng.standard_normal((d, 3))
    y = (lean + rng.gumbel(size=lean.shape)).argmax(axis=1)
    y[:3] = 0, 1, 2
    y = np.minimum(y, max(classes) - 1)
    separated = hasattr(fit(model, X, y), "separating_direction_")
    assert separated == separable(X, y)
    assert model.converged_ == (not separated)
    if separated:
        assert separates(model.separating_direction_, X, y)


@pytest.mark.parametrize(
    ("make", "classes"), [(LogisticRegression, (2,)), (SoftmaxRegression, COMMON)]
)
@on_odd_shapes()
def test_penalised_likelihoods_on_odd_shapes(
    data: Odd, make: Any, classes: tuple[int, ...]
) -> None:
    """In other units the same C is another one; two classes of softmax share one penalty."""
    C = 10.0 ** np.random.default_rng(data.seed).integers(-3, 4)
    ours = make(C=C / data.unit**2)
    halved = make is SoftmaxRegression and data.codes.max() == 1
    peer = linear_model.LogisticRegression(
        C=2 * C if halved else C, solver="newton-cholesky", tol=1e-10, max_iter=1000
    )
    compare(ours, peer, data, data.plain - data.plain.mean(axis=0), atol=1e-5)
    assert ours.converged_


# --------------------------------------------------------------- margins and mistakes


@on_odd_shapes((2,), largest=150)
def test_hard_margins_on_odd_shapes(data: Odd) -> None:
    """A plane exactly where a linear programme has one, and none with a larger margin."""
    s = data.signs
    A = s[:, None] * np.c_[np.ones(len(s)), standardised(data.plain)]
    free = [(None, None)] * A.shape[1]
    if linprog(np.zeros(A.shape[1]), A_ub=-A, b_ub=-np.ones(len(s)), bounds=free).status != 0:
        with pytest.raises(InseparableError):
            HardMarginSVM().fit(data.X, data.y)
        return
    model = fit(HardMarginSVM(), data.X, data.y)
    assert (s * model.decision_function(data.X)).min() > 1 - 1e-6
    peer = fit(svm.SVC(kernel="linear", C=1e9, tol=1e-6), data.plain, s)
    theirs = (s * peer.decision_function(data.plain)).min() / np.linalg.norm(peer.coef_)
    assert model.margin_ / data.unit >= theirs * (1 - 1e-6)


@on_odd_shapes((2,))
def test_soft_margins_on_odd_shapes(data: Odd) -> None:
    """In other units the same C is another one; the objective is counted in plain units."""
    model = fit(SoftMarginSVM(C=0.5 / data.unit**2), data.X, data.y)
    assert model.converged_
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
    assert ours <= theirs * (1 + 1e-6)


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


@on_odd_shapes((2,), largest=150)
def test_the_perceptron_on_odd_shapes(data: Odd) -> None:
    """All numbers are multiples of 2^-30: multiplied by 2^30 they are whole."""
    given = np.c_[np.ones(len(data.y)), np.asarray(data.X, dtype=float)] * 2.0**30
    rows = [[int(value) for value in row] for row in given.tolist()]
    passes = 3 if len(rows) > 1000 else 10
    made = exact_mistakes(rows, data.signs.astype(int).tolist(), passes)
    model = fit(Perceptron(max_iter=passes), data.X, data.y)
    np.testing.assert_array_equal(model.updates_, made)


@on_odd_shapes((2,), largest=40)
def test_the_kernel_perceptron_on_odd_shapes(data: Odd) -> None:
    """The polynomial kernel against the same loop on its own features, 1, x_j and x_j x_k."""
    whole = np.round(data.plain[:200, :12]).astype(int)
    codes = data.codes[:200]
    if len(set(codes)) < 2:
        codes = np.arange(len(whole)) % 2
    one = np.c_[np.ones(len(whole), dtype=int), whole]
    rows = [np.outer(row, row).ravel().tolist() for row in one]
    made = exact_mistakes(rows, (2 * codes - 1).tolist(), 5)
    model = fit(KernelPerceptron(kernel="poly", degree=2, max_iter=5), whole, codes)
    np.testing.assert_array_equal(model.alpha_, np.bincount(made, minlength=len(whole)))


# --------------------------------------------------------------- many classes, neighbours, features


@pytest.mark.parametrize("name", ["OneVsRestClassifier", "OneVsOneClassifier"])
@on_odd_shapes()
def test_reductions_on_odd_shapes(data: Odd, name: str) -> None:
    """The same binary model inside: only the way from two classes to many is compared."""
    ours, theirs = (
        getattr(module, name)(LeastSquaresClassifier()) for module in (multiclass, sk_multiclass)
    )
    found = fit(ours, data.X, data.y).predict(data.X)
    X = np.asarray(data.X, dtype=float)
    peer = fit(theirs, X, data.y)
    scores = np.sort(np.c_[peer.decision_function(X)], axis=1)
    clear = np.abs(scores[:, 0]) > 1e-7
    if scores.shape[1] > 1:
        clear = scores[:, -1] - scores[:, -2] > 1e-7
    np.testing.assert_array_equal(found[clear], peer.predict(X)[clear])


def most_alike(word: list[int], words: list[list[int]]) -> int:
    """Which of the words differs in the fewest bits, the first of several."""
    return min(
        range(len(words)), key=lambda k: sum(a != b for a, b in zip(word, words[k], strict=True))
    )


@on_odd_shapes(COMMON)
def test_output_codes_on_odd_shapes(data: Odd) -> None:
    """Each bit is fitted by itself; the word with the fewest differing bits is found by a loop."""
    model = multiclass.OutputCodeClassifier(LeastSquaresClassifier(), rng=data.seed)
    found = fit(model, data.X, data.y)
    bits = [
        fit(LeastSquaresClassifier(), data.X, column[data.codes]).predict(data.X)
        for column in found.code_book_.T
    ]
    words = found.code_book_.tolist()
    nearest = [most_alike(word, words) for word in np.array(bits).T.tolist()]
    np.testing.assert_array_equal(found.predict(data.X), np.unique(data.y)[nearest])


@on_odd_shapes(largest=150)
def test_neighbours_and_cuts_on_odd_shapes(data: Odd) -> None:
    """By looking at every distance, and at every cut."""
    plain, codes = data.plain[:300], data.codes[:300]
    if len(set(codes)) < 2:
        return
    given = (plain * data.unit).astype(np.float32 if data.seed % 2 else float)
    fresh = given[::-1] + given[:1] / 2
    found = fit(NearestNeighbour(), given, codes).predict(fresh)
    distances = ((fresh[:, None].astype(float) - given.astype(float)) ** 2).sum(axis=2)
    near = distances <= distances.min(axis=1, keepdims=True) * (1 + 1e-9)
    assert (near & (found[:, None] == codes)).any(axis=1).all()
    sides = codes > 0
    cut = fit(CutClassifier(), given[:, :1], sides.astype(int))
    x = given[:, 0].astype(float)
    wrong = (x > np.r_[-np.inf, np.unique(x)][:, None]) != sides
    fewest = np.minimum(wrong.sum(axis=1), (~wrong).sum(axis=1)).min()
    assert (cut.predict(given[:, :1]) != sides).sum() == fewest


@on_odd_shapes()
def test_features_on_odd_shapes(data: Odd) -> None:
    scaler = fit(selection.Standardizer(), data.X, None)
    # mean_ is one number, which is rounded: far from 0 that much is lost.
    rounding = float((np.spacing(np.abs(scaler.mean_)) / scaler.scale_).max())
    np.testing.assert_allclose(
        scaler.transform(data.X), standardised(data.plain), atol=1e-9 + rounding
    )
    few = data.plain[:, :5]
    theirs = preprocessing.PolynomialFeatures(degree=3, include_bias=False)
    np.testing.assert_allclose(
        polynomial_features(few, degree=3), theirs.fit_transform(few), rtol=1e-12
    )


# --------------------------------------------------------------- what no model may notice

EVERY_MODEL = pytest.mark.parametrize(
    ("model", "K"),
    [
        (LinearDiscriminantAnalysis(), 3),
        (QuadraticDiscriminantAnalysis(), 3),
        (RegularizedDiscriminantAnalysis(), 3),
        (GaussianNB(), 3),
        (GaussianNB(shared=True), 2),
        (FisherDiscriminant(), 3),
        (FisherDiscriminant(threshold="swapped"), 2),
        (LeastSquaresClassifier(), 3),
        (LeastSquaresClassifier(), 2),
        (LogisticRegression(), 2),
        (SoftmaxRegression(), 3),
    ],
    ids=lambda value: str(value),
)


def overlapping(K: int, N: int = 240, d: int = 3) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Overlapping classes of different sizes, and weights; all numbers are multiples of FINEST."""
    rng = np.random.default_rng(K)
    y = np.minimum(rng.integers(0, K + 1, N), K - 1)  # the last class is twice as large
    means = 2 / d**0.5 * rng.standard_normal((K, d))
    X = rng.standard_normal((N, d)) @ (np.eye(d) + 0.3) + means[y]
    return np.round(X / FINEST) * FINEST, y, rng.integers(1, 8, N) / 4


def scores_of(model: Any, X: Any) -> np.ndarray:
    """Scores of the classes, less what they have in common."""
    scores = model.decision_function(X)
    return scores if scores.ndim == 1 else scores - scores.mean(axis=1, keepdims=True)


def read_only(X: np.ndarray) -> np.ndarray:
    copy = X.copy()
    copy.setflags(write=False)
    return copy


LAYOUTS: dict[str, Callable] = {
    "Fortran order": np.asfortranarray,
    "every other row": lambda X: np.repeat(X, 2, axis=0)[::2],
    "every other column": lambda X: np.repeat(X, 2, axis=1)[:, ::2],
    "backwards": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
}
TYPES: dict[str, Callable] = {
    "int": lambda X: X.astype(int),
    "float32": lambda X: X.astype(np.float32),
    "read-only": read_only,
    "list": lambda X: X.tolist(),
    "objects": lambda X: X.astype(object),
}


@EVERY_MODEL
def test_the_form_of_the_numbers_changes_nothing_and_is_not_changed(model: Any, K: int) -> None:
    X, y, _ = overlapping(K)
    X = np.round(X * 8)
    expected = fit(model, X, y).decision_function(X)
    for name, form in (LAYOUTS | TYPES).items():
        given = form(X)
        found = fit(model, given, y).decision_function(given)
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-12, err_msg=name)
        assert (np.array(given) == X).all(), name


@pytest.mark.slow
@EVERY_MODEL
def test_many_rows_in_any_order_of_memory_are_few_rows_of_large_weight(model: Any, K: int) -> None:
    """A DataFrame hands over columns; a slice of an array is neither rows nor columns."""
    few, codes, weights = overlapping(K, 500, 16)
    X, y = np.tile(few, (60, 1)), np.tile(codes, 60)
    for few_weights, w in ((np.ones(500), None), (weights, np.tile(weights, 60))):
        expected = fit(model, few, codes, 60 * few_weights).decision_function(few)
        for name, form in LAYOUTS.items():
            found = fit(model, form(X), y, w).decision_function(few)
            np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-8, err_msg=name)


@EVERY_MODEL
@pytest.mark.parametrize(
    ("shift", "scale"),
    [
        (FAR, 1.0),
        (-FAR, 2.0**20),
        (FAR, 2.0**-20),
        (0.0, 2.0**20),
        (0.0, 2.0**-20),
        (0.0, 2.0 ** np.array([-20, 0, 20])),
    ],
    ids=["far", "far and large", "far and small", "large", "small", "unlike columns"],
)
def test_no_decision_feels_shift_and_scale(model: Any, K: int, shift: Any, scale: Any) -> None:
    X, y, w = overlapping(K)
    moved = (X + shift) * scale

    def what_is_said(data: np.ndarray, unit: Any) -> dict[str, Any]:
        fitted = fit(model, data, y, w)
        said = {"scores": scores_of(fitted, data), "n_iter_": getattr(fitted, "n_iter_", 0)}
        if hasattr(fitted, "coef_"):
            said["coef_"] = fitted.coef_ * unit
        if hasattr(fitted, "standard_errors_"):
            said["standard_errors_"] = fitted.standard_errors_[..., 1:] * unit
        if hasattr(fitted, "transform"):
            said["transform"] = fitted.transform(data)
        return said

    expected = what_is_said(X, 1.0)
    for name, found in what_is_said(moved, scale).items():
        np.testing.assert_allclose(found, expected[name], rtol=1e-6, atol=1e-6, err_msg=name)


@EVERY_MODEL
def test_weights_are_numbers_of_examples(model: Any, K: int) -> None:
    X, y, _ = overlapping(K)
    counts = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = fit(model, X, y, counts).decision_function(X)
    errors = getattr(model, "standard_errors_", 0.0)
    repeated = fit(model, X.repeat(counts, axis=0), y.repeat(counts))
    np.testing.assert_allclose(repeated.decision_function(X), weighted, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(getattr(model, "standard_errors_", 0.0), errors, rtol=1e-7)
    if K > 2 and not isinstance(model, LeastSquaresClassifier):
        assert fit(model, X, y, np.where(y == 0, 0.0, 1.0)).classes_.tolist() == [1, 2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        *(LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis, GaussianNB),
        RegularizedDiscriminantAnalysis,
        *(FisherDiscriminant, LogisticRegression, SoftmaxRegression),
    ],
)
def test_fitting_needs_little_memory_beside_the_data(make: Any) -> None:
    """The likelihoods standardise a copy of the features."""
    copies = 1 if make in (LogisticRegression, SoftmaxRegression) else 0
    X, y, _ = overlapping(2, 40_000, 30)
    for data in (X, X + FAR):
        tracemalloc.start()
        fit(make(), data, y)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < (copies + 0.75) * X.nbytes


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
        RegularizedDiscriminantAnalysis(),
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
    with pytest.raises(ValueError, match="strings"):
        model.score(X2, Y2)
    frame = pd.DataFrame(X2, columns=["a", "b"])
    model = LeastSquaresClassifier().fit(frame, Y2)
    assert model.feature_names_in_.tolist() == ["a", "b"]
    with pytest.raises(ValueError, match="order"):
        model.predict(frame[["b", "a"]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: decision.posterior([0.5, 0.5], [np.nan, 1]), "likelihoods: found .nan"),
        (lambda: multiclass.hamming_distances([[2, 0]], [[0, 1]]), "words: found 2"),
        (lambda: metrics.log_loss([0, 1], [0.2, 1.3]), "y_proba: found .*1.3"),
        (lambda: LeastSquaresClassifier().fit([[10**400], [1]], [0, 1]), "X: found .*too large"),
        (lambda: LeastSquaresClassifier().fit([[pd.NA], [1]], [0, 1]), "X: .*missing"),
        (lambda: LeastSquaresClassifier().fit([[0.0], [1]], [pd.NA, 1]), "y: found a missing"),
        (lambda: fit(QuadraticDiscriminantAnalysis(), np.ones((4, 2)), Y2), "X: .*constant"),
        (lambda: fit(LinearDiscriminantAnalysis(), X2 * 1e160, Y2), "X: .*overflow"),
        (lambda: LogisticRegression(solver="lbfgs").fit(X2, Y2), "solver: found 'lbfgs'"),
    ],
)
def test_what_was_silent_or_unclear_names_its_argument(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_what_crashed_has_an_answer() -> None:
    least = SoftMarginSVM(C=5e-324).fit(X2, Y2)
    assert np.isfinite(least.decision_function(X2)).all()
    p = np.array([0.1, 0.2, 0.7], dtype=np.float32)
    assert decision.entropy(p) == pytest.approx(decision.entropy([0.1, 0.2, 0.7]), rel=1e-6)
    sums = np.array([0.13, 0.29, 0.58], dtype=np.float32)
    assert float(sums.astype(float).sum()) != 1
    assert decision.posterior(sums, [1.0, 1.0, 1.0])[0] == pytest.approx(0.13)
    assert decision.bayes_error(sums[None]) == pytest.approx(0.42)
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
    assert selection.Standardizer().fit(frame).get_feature_names_out().tolist() == ["a", "b"]
    fisher = FisherDiscriminant().fit(frame, [0, 1, 1, 1])
    assert fisher.get_feature_names_out().tolist() == ["fisherdiscriminant0"]
