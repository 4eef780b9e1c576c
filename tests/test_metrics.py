"""Metrics against scikit-learn, brute force over pairs and thresholds, and exact fractions."""

from __future__ import annotations

from fractions import Fraction
from inspect import signature
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics as sk
from sklearn.calibration import calibration_curve

from lectures_lib import metrics as m

quick = settings(deadline=None, max_examples=30)


def agrees(name: str, *data: Any, theirs: Any = None, **options: Any) -> None:
    """Our function of this name says what scikit-learn's says (of options of its own)."""
    ours = getattr(m, name)(*data, **options)
    expected = getattr(sk, name)(*data, **options, **(theirs or {}))
    pairs = zip(ours, expected, strict=True) if isinstance(expected, tuple) else [(ours, expected)]
    for a, b in pairs:
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


def labels_and_scores(n: int, seed: int, ties: int = 5) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    y[:2] = [0, 1]
    return y, np.round(ties * (rng.random(n) + 0.4 * y)) / ties


CONVERT = {
    "codes": lambda a: a,
    "negative": lambda a: a - 2,
    "uint8": lambda a: a.astype(np.uint8),
    "far apart": lambda a: a * 10**12,
    "floats": lambda a: a.astype(float),
    "strings": lambda a: np.array(["d", "b", "a", "c"])[a],
    "objects": lambda a: np.array(["d", "b", "a", "c"], dtype=object)[a],
    "list": lambda a: a.tolist(),
}


def label_pairs(kind: str, seed: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, 60)
    p = np.where(rng.random(60) < 0.6, y, rng.integers(0, 4, 60))
    return CONVERT[kind](y), CONVERT[kind](p)


@pytest.mark.parametrize("name", [name for name in m.__all__ if hasattr(sk, name)])
def test_a_name_of_scikit_learn_takes_its_arguments(name: str) -> None:
    ours, theirs = (dict(signature(getattr(home, name)).parameters) for home in (m, sk))
    assert set(ours) <= set(theirs)
    _, _, *options = ours
    assert options == [option for option in theirs if option in options]
    assert all(ours[option].kind == theirs[option].kind for option in ours)


# --- confusion matrix ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CONVERT)
@pytest.mark.parametrize("normalize", [None, "true", "pred", "all"])
def test_the_confusion_matrix_agrees_with_scikit_learn(kind: str, normalize: Any) -> None:
    agrees("confusion_matrix", *label_pairs(kind, 3), normalize=normalize)
    agrees("confusion_matrix", [0, 0], [0, 5], normalize=normalize)  # only predicted


@pytest.mark.parametrize("labels", [[2, 0], [0, 1, 2, 3], [3, 7, 1]])
def test_labels_choose_rows_and_their_order_and_zero_weights_keep_their_class(labels: Any) -> None:
    y, p = label_pairs("codes", 6)
    agrees("confusion_matrix", y, p, labels=labels)
    w = np.random.default_rng(0).random(len(y)) * (y != 3)
    agrees("confusion_matrix", y, p, sample_weight=w)


def test_fifty_classes_and_booleans_are_counted_too() -> None:
    y, p = np.random.default_rng(0).integers(0, 50, (2, 3000))
    agrees("confusion_matrix", y, p)
    agrees("confusion_matrix", y > 25, p > 25)


# --- rates -----------------------------------------------------------------------------------

counts = st.tuples(*[st.integers(0, 30)] * 4)


@quick
@given(counts)
def test_the_rates_are_those_of_exact_fractions(cells: tuple[int, int, int, int]) -> None:
    tp, fn, fp, tn = cells
    assume(tp + fn > 0 and fp + tn > 0 and tp > 0)
    c = m.BinaryCounts(tp, fn, fp, tn)
    exact = {
        "accuracy": Fraction(tp + tn, sum(cells)),
        "error": Fraction(fp + fn, sum(cells)),
        "recall": Fraction(tp, tp + fn),
        "fnr": Fraction(fn, tp + fn),
        "specificity": Fraction(tn, tn + fp),
        "fpr": Fraction(fp, tn + fp),
        "precision": Fraction(tp, tp + fp),
    }
    for name, value in exact.items():
        assert getattr(c, name) == pytest.approx(float(value), abs=1e-15)
    P, R = exact["precision"], exact["recall"]
    for weight in (Fraction(1, 4), Fraction(1), Fraction(4)):
        F = (weight + 1) * R * P / (R + weight * P)
        assert c.f_m(float(weight)) == pytest.approx(float(F), rel=1e-13)
        assert c.f_beta(float(weight) ** 0.5) == pytest.approx(float(F), rel=1e-13)
    assert (c.n_positive, c.n_negative, c.n) == (tp + fn, tn + fp, sum(cells))
    assert c.balanced_accuracy == pytest.approx(float((R + exact["specificity"]) / 2))


SCORES = [
    ("precision_score", {}),
    ("f1_score", {}),
    ("fbeta_score", {"beta": 2.0}),
    ("fbeta_score", {"beta": 0.0}),
]


@pytest.mark.parametrize(("name", "options"), SCORES)
@pytest.mark.parametrize("average", ["macro", "micro", "weighted", None])
@pytest.mark.parametrize("labels", [None, [0, 2]])
def test_averaged_scores_agree_with_scikit_learn(
    name: str, options: Any, average: Any, labels: Any
) -> None:
    y, p = label_pairs("codes", 11)
    for w in (None, np.random.default_rng(1).random(len(y))):
        agrees(name, y, p, average=average, labels=labels, sample_weight=w, **options)


@pytest.mark.parametrize(("name", "options"), SCORES)
@settings(deadline=None, max_examples=15)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_binary_scores_agree_with_scikit_learn_also_where_they_are_0_of_0(
    name: str, options: Any, pairs: list[tuple[bool, bool]]
) -> None:
    y, p = (np.array(column, dtype=int) for column in zip(*pairs, strict=True))
    agrees(name, y, p, theirs={"zero_division": 0.0}, **options)
    agrees(name, y, p, zero_division=1.0, **options)


def test_the_positive_class_is_the_second_or_the_one_named() -> None:
    y = np.array(["no", "yes", "yes", "yes"])
    p = np.array(["no", "yes", "no", "yes"])
    assert m.precision_score(p, y) == sk.precision_score(p, y, pos_label="yes") == 2 / 3
    assert m.precision_score(p, y, pos_label="no") == 1
    assert m.precision_score([-1, -1], [-1, -1]) == 0
    assert m.precision_score([0, 1, 2], [0, 1, 1], pos_label=2) == 0
    assert m.binary_counts([-1, -1], [-1, -1]).tn == 2
    assert np.isnan(m.binary_counts([0, 1], [0, 0]).precision)


def test_balanced_accuracy_agrees_with_scikit_learn() -> None:
    y, p = label_pairs("strings", 2)
    for weight in (None, np.random.default_rng(1).random(len(y))):
        agrees("balanced_accuracy_score", y, p, sample_weight=weight)


# --- ROC -------------------------------------------------------------------------------------


@quick
@given(st.integers(2, 40), st.integers(0, 10**6), st.integers(1, 8), st.booleans(), st.booleans())
def test_both_curves_and_their_areas_agree_with_scikit_learn(
    n: int, seed: int, ties: int, weighted: bool, drop: bool
) -> None:
    y, s = labels_and_scores(n, seed, ties)
    w = np.random.default_rng(seed).integers(1, 5, n) / 2 if weighted else None
    agrees("roc_curve", y, s, sample_weight=w, drop_intermediate=drop)
    agrees("roc_auc_score", y, s, sample_weight=w)
    agrees("precision_recall_curve", y, s, sample_weight=w)
    agrees("average_precision_score", y, s, sample_weight=w)


@quick
@given(st.integers(2, 40), st.integers(0, 10**6), st.integers(1, 8))
def test_each_point_of_the_roc_is_that_of_the_thresholded_predictions(
    n: int, seed: int, ties: int
) -> None:
    y, s = labels_and_scores(n, seed, ties)
    for x, z, t in zip(*m.roc_curve(y, s, drop_intermediate=False), strict=True):
        one = m.binary_counts(y, (s >= t).astype(int))
        assert (x, z) == (one.fpr, one.recall)


@quick
@given(st.integers(2, 30), st.integers(0, 10**6), st.integers(1, 8))
def test_auc_equals_the_probability_of_a_right_order(n: int, seed: int, ties: int) -> None:
    y, s = labels_and_scores(n, seed, ties)
    won = [Fraction(int(a > b)) + Fraction(int(a == b), 2) for a in s[y == 1] for b in s[y == 0]]
    exact = float(sum(won) / len(won))
    assert m.roc_auc_score(y, s) == pytest.approx(exact, abs=1e-15)
    fpr, tpr, _ = m.roc_curve(y, s)
    assert m.auc(fpr, tpr) == pytest.approx(exact, abs=1e-12)


def test_two_gaussian_scores_have_the_binormal_roc_and_area() -> None:
    grid = np.concatenate([[0.0], np.geomspace(1e-9, 1, 20_001)])
    for delta in (0.0, 1.5):
        curve = m.binormal_roc(grid, delta)
        np.testing.assert_allclose(curve, stats.norm.sf(stats.norm.isf(grid) - delta), atol=1e-12)
        assert m.auc(grid, curve) == pytest.approx(float(m.binormal_auc(delta)), abs=1e-5)


def test_large_tied_and_extreme_scores_are_ranked_exactly() -> None:
    assert m.roc_auc_score([0, 1, 0, 1], [-1000, 1000, -1000.5, 1000]) == 1
    assert m.roc_auc_score([0, 1], [1e308, 1e308]) == 0.5
    assert m.roc_auc_score([0, 1, 1], np.array([0.1, 0.1, 0.3], np.float32)) == 0.75
    y, s = labels_and_scores(200, 3)
    for labels in (y.astype(bool), np.array(["a", "b"])[y]):
        assert m.roc_auc_score(labels, (5 * s).astype(int)) == m.roc_auc_score(y, s)


def test_one_vs_rest_areas_agree_with_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 200)
    P = rng.dirichlet([1, 1, 1], 200) + 0.3 * np.eye(3)[y]
    P /= P.sum(axis=1, keepdims=True)
    for average in ("macro", "weighted", "micro"):
        agrees("roc_auc_score", y, P, average=average, theirs={"multi_class": "ovr"})
    ovr: Any = {"average": "weighted", "theirs": {"multi_class": "ovr"}}
    agrees("roc_auc_score", y, P, sample_weight=rng.random(200), **ovr)
    each = m.roc_auc_score(y, P, average=None)
    curves = m.one_vs_rest_roc(np.array(["u", "v", "w"])[y], P)
    assert list(curves) == ["u", "v", "w"]
    for k, curve in enumerate(curves.values()):
        assert m.auc(curve.fpr, curve.tpr) == pytest.approx(each[k], abs=1e-12)
        np.testing.assert_allclose(curve.tpr, sk.roc_curve(y == k, P[:, k])[1], atol=1e-12)


@quick
@given(st.integers(2, 30), st.integers(0, 10**6), st.integers(1, 8))
def test_the_convex_hull_lies_on_or_above_every_point_and_is_concave(
    n: int, seed: int, ties: int
) -> None:
    fpr, tpr, _ = m.roc_curve(*labels_and_scores(n, seed, ties))
    x, y = m.roc_convex_hull(fpr, tpr)
    steep = np.concatenate([[0.0], np.diff(x)]) == 0
    inner_x, inner_y = x[~steep], y[~steep]
    assert (x[0], y[0]) == (0, 0)
    assert (x[-1], y[-1]) == (1, 1)
    first_x, first_y = (0.0, y[x == 0].max())
    above = np.interp(fpr, np.append(first_x, inner_x), np.append(first_y, inner_y))
    assert (tpr <= above + 1e-12).all()
    slopes = np.diff(np.append(first_y, inner_y)) / np.diff(np.append(first_x, inner_x))
    assert (np.diff(slopes) < 1e-12).all()


# --- costs -----------------------------------------------------------------------------------


@quick
@given(
    st.integers(2, 30),
    st.integers(0, 10**6),
    st.tuples(*[st.integers(0, 2)] * 2, *[st.integers(3, 9)] * 2),
    st.floats(0.01, 0.99),
)
def test_the_best_threshold_is_the_cheapest_of_all_and_a_tangent_point_of_the_roc(
    n: int, seed: int, cells: tuple[int, int, int, int], prevalence: float
) -> None:
    y, s = labels_and_scores(n, seed)
    C = np.array([[cells[0], cells[2]], [cells[3], cells[1]]])
    found = m.best_threshold(y, s, C, prevalence)

    def cost(threshold: float) -> float:
        decided = (s >= threshold).astype(int)
        mean_cost = [C[k, decided[y == k]].mean() for k in range(2)]
        return (1 - prevalence) * mean_cost[0] + prevalence * mean_cost[1]

    candidates = [np.inf, *np.unique(s)]
    assert found.cost == pytest.approx(min(map(cost, candidates)), abs=1e-12)
    assert cost(found.threshold) == pytest.approx(found.cost, abs=1e-12)
    slope = m.iso_cost_slope(C, prevalence)
    fpr, tpr, _ = m.roc_curve(y, s)
    assert (tpr - slope * fpr <= found.tpr - slope * found.fpr + 1e-9).all()
    hull_x, hull_y = m.roc_convex_hull(fpr, tpr)
    assert np.abs(hull_y - slope * hull_x - (found.tpr - slope * found.fpr)).min() < 1e-9


def test_the_cost_of_the_best_threshold_is_the_mean_cost_of_the_examples() -> None:
    y, s = labels_and_scores(100, 4)
    C = np.array([[0.0, 2.0], [5.0, 1.0]])
    found = m.best_threshold(y, s, C)
    costs = [C[y, (s >= t).astype(int)].mean() for t in (*np.unique(s), np.inf)]
    assert found.cost == pytest.approx(min(costs), abs=1e-12)
    assert found.cost == pytest.approx(C[y, (s >= found.threshold).astype(int)].mean(), abs=1e-12)


# --- calibration -----------------------------------------------------------------------------


@pytest.mark.parametrize("n_bins", [1, 5, 10])
def test_the_calibration_bins_are_those_of_scikit_learns_curve(n_bins: int) -> None:
    rng = np.random.default_rng(0)
    p = np.round(rng.random(300), 2)
    y = (rng.random(300) < p**2).astype(int)
    ours = m.calibration_bins(y, p, n_bins=n_bins)
    for a, b in zip(ours[:2], calibration_curve(y, p, n_bins=n_bins), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)
    assert ours.size.sum() == 300
    assert ours.size @ ours.prob_true == pytest.approx(y.sum())


@quick
@given(st.integers(1, 20), st.integers(0, 10**6), st.booleans())
def test_brier_score_and_log_loss_agree_with_scikit_learn(
    n: int, seed: int, weighted: bool
) -> None:
    rng = np.random.default_rng(seed)
    y, p = rng.integers(0, 2, n), rng.uniform(0.01, 0.99, n)
    w = rng.random(n) + 0.1 if weighted else None
    agrees("brier_score_loss", y, p, sample_weight=w, theirs={"pos_label": 1})
    for P in (p, np.column_stack([1 - p, p])):
        agrees("log_loss", y, P, sample_weight=w, theirs={"labels": [0, 1]})
    agrees("log_loss", y, p, sample_weight=w, normalize=False, theirs={"labels": [0, 1]})


def test_brier_score_and_log_loss_of_many_classes_agree_with_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    y, P = rng.integers(0, 4, 50), rng.dirichlet(np.ones(4), 50)
    for name in ("log_loss", "brier_score_loss"):
        agrees(name, np.array(["d", "b", "a", "c"])[y], P)
    agrees("log_loss", y[y < 3], P[y < 3], labels=[0, 1, 2, 3])


def test_a_probability_of_zero_for_what_happened_costs_infinity() -> None:
    assert m.log_loss([0, 1], [0.2, 0.0]) == np.inf
    assert m.log_loss([0, 1], [0.0, 1.0]) == 0
    assert m.log_loss([0, 1], [0.0, 0.0], sample_weight=[1, 0]) == 0
    assert m.log_loss([1, 1], [0.5, 0.5]) == pytest.approx(np.log(2))
    assert m.log_loss([-1], [0.5]) == pytest.approx(np.log(2))


# --- bad input -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: m.confusion_matrix([0, 1], [0]), "found 2 and 1"),
        (lambda: m.confusion_matrix([], []), "found 0 labels"),
        (lambda: m.confusion_matrix([0, 1], ["a", "b"]), "both numbers or both strings"),
        (lambda: m.confusion_matrix([0.5, 1], [0, 1]), "continuous"),
        (lambda: m.confusion_matrix([0, 1], [0, 1], labels=[5]), "none of them occurs"),
        (lambda: m.confusion_matrix([0, 1], [0, 1], labels=[1, 1]), "distinct labels"),
        (lambda: m.confusion_matrix([0, 1], [0, 1], normalize="rows"), "normalize: found 'rows'"),
        (lambda: m.confusion_matrix([0, 1], [0, 1], sample_weight=[1, -1]), "sample_weight"),
        (lambda: m.confusion_matrix(np.arange(6000) * 9, np.arange(6000)), "distinct labels"),
        (lambda: m.roc_auc_score([1, 1], [0.1, 0.2]), "found 2 positive and 0 negative"),
        (lambda: m.roc_auc_score([0, 1], [0.1, np.nan]), "y_score: found NaN"),
        (lambda: m.roc_auc_score([0, 1, 2], [0.1, 0.2, 0.3]), "pos_label: needed"),
        (lambda: m.roc_auc_score([0, 1, 2], np.eye(4)[:3]), "y_score: found shape"),
        (lambda: m.roc_auc_score([0, 1], [0.1]), "y_score: found 1 entries, expected 2"),
        (lambda: m.roc_auc_score([0, 1], [0, 1], sample_weight=[1, 0]), "no weight"),
        (lambda: m.roc_curve([0, 1], [0, 1], sample_weight=[1, 0]), "one class has no weight"),
        (lambda: m.roc_auc_score([0, 1], [0, 1], multi_class="ovo"), "multi_class"),
        (lambda: m.auc([0, 1, 0.5], [0, 1, 1]), "x: expected at least two values"),
        (lambda: m.fbeta_score([0, 1], [0, 1], beta=-1), "beta: found -1"),
        (lambda: m.f1_score([0, 1], [0, 1], average="mean"), "average: found 'mean'"),
        (lambda: m.brier_score_loss([0, 1], [0.5, 1.5]), "y_proba: found values"),
        (lambda: m.log_loss([0, 1], [[0.5, 0.6], [0.5, 0.5]]), "do not sum to 1"),
        (lambda: m.log_loss([3, 3], [0.5, 0.5]), "`labels` names classes"),
        (lambda: m.calibration_bins([0, 1], [0.5, 0.5], n_bins=0), "n_bins: found 0"),
        (lambda: m.best_threshold([0, 1], [0, 1], np.eye(3)), "costs: found 3"),
        (lambda: m.expected_cost(0, 1, [[0, 1], [1, 0]], 1.5), "prevalence: found 1.5"),
        (lambda: m.iso_cost_slope([[1, 0], [0, 1]], 0.5), "no more than a right one"),
        (lambda: m.binormal_roc(1.5, 1), "p: found a number outside"),
        (lambda: m.roc_convex_hull([0.5], [1.5]), "outside"),
        (lambda: m.precision_score([0, 1, 2], [0, 1, 1]), "pos_label: needed"),
        (lambda: m.precision_score([0, 1, 2], [0, 1, 1], pos_label=7), "pos_label: found 7"),
        (lambda: m.wilson_interval(5, 4), "k: found 5, expected at most n = 4"),
        (lambda: m.wilson_interval(1, 4, 1.0), "level: found 1"),
        (lambda: m.delong([0, 1, 0, 1]), "y_scores: found none"),
        (lambda: m.delong([0, 1, 1], [0.1, 0.2, 0.3]), "expected two of each"),
        (lambda: m.hanley_mcneil(1.2, 3, 4), "area"),
    ],
)
def test_bad_input_is_named(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("seed", range(0, 20, 4))
def test_kappa_and_matthews_agree_with_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    K = int(rng.integers(2, 6))
    y, p = rng.integers(0, K, 60), rng.integers(0, K, 60)
    p[: 20 + seed] = y[: 20 + seed]
    w = rng.uniform(0, 2, 60)
    for weights in (None, w):
        for name in ("cohen_kappa_score", "matthews_corrcoef"):
            agrees(name, y, p, sample_weight=weights)
    assert m.matthews_corrcoef(y, y[0] + 0 * y) == 0
    assert np.isnan(m.cohen_kappa_score([1, 1], [1, 1]))


# --- how far a number can be trusted -------------------------------------------------------------


@pytest.mark.parametrize(("k", "n"), [(0, 12), (3, 836), (7, 7), (250, 400)])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.99])
def test_the_interval_of_a_share_agrees_with_scipy(k: int, n: int, level: float) -> None:
    theirs = stats.binomtest(k, n).proportion_ci(level, method="wilson")
    assert m.wilson_interval(k, n, level) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_hanley_and_mcneil_s_own_example() -> None:
    """51 abnormal and 58 normal images, area 0.893: the paper of 1982 states an error of 0.032."""
    assert m.hanley_mcneil(0.893, 51, 58) == pytest.approx(0.032, abs=6e-4)


def test_hanley_mcneil_is_the_spread_for_exponential_scores() -> None:
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], [40, 25])
    draws = rng.exponential(np.where(y, 4.0, 1.0), size=(4000, 65))
    areas = (draws[:, y == 1, None] > draws[:, None, y == 0]).mean(axis=(1, 2))
    assert np.mean(areas) == pytest.approx(0.8, abs=0.005)  # 4 / (4 + 1)
    assert np.std(areas) == pytest.approx(m.hanley_mcneil(0.8, 25, 40), rel=0.05)


def test_delong_from_all_pairs() -> None:
    """The definition of 1988, pair by pair, on scores with ties."""
    rng = np.random.default_rng(6)
    y = rng.permutation(np.repeat([0, 1], [9, 7]))
    scores = rng.integers(0, 6, (2, 16)).astype(float)
    found = m.delong(y, *scores)
    won = np.array([np.sign(s[y == 1][:, None] - s[y == 0]) / 2 + 0.5 for s in scores])
    assert found.areas == pytest.approx(won.mean(axis=(1, 2)))
    S10, S01 = np.cov(won.mean(axis=2)), np.cov(won.mean(axis=1))
    np.testing.assert_allclose(found.covariance, S10 / 7 + S01 / 9)
