"""What is only true of this chapter: Metrics: confusion matrix, precision, recall, F, ROC."""

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.calibration import calibration_curve as sk_calibration

from lectures_lib.chapters.metrics import live, pictures
from lectures_lib.figures import Bars, Curve, Line, Points, Region, Segments, Text
from tests.chapters import area, defined
from tests.exercise_tests import ExerciseTests

RNG = np.random.default_rng(3)
Y = RNG.permutation(np.repeat([0, 1], [260, 140]))
S = np.round(RNG.normal(size=400) + 2.2 * Y - 1, 2)


def told(scene) -> dict[str, float]:
    return {name: float(value.replace("−", "-")) for name, value in scene.readouts}


@pytest.mark.parametrize("cut", [-2.0, 0.25, 1.5, 7.0])
def test_the_readouts_are_scikit_learn_s(cut) -> None:
    scene = pictures.threshold_scene(Y, S, cut, 0.35)
    says = told(scene)
    called = np.greater_equal(S, cut)
    TN, FP, FN, TP = 1000 * sk.confusion_matrix(Y, called).ravel() / len(Y)
    assert says["TP of 1,000, spam caught"] == pytest.approx(TP, abs=0.06)
    assert says["FN of 1,000, spam missed"] == pytest.approx(FN, abs=0.06)
    assert says["FP of 1,000, good mail lost"] == pytest.approx(FP, abs=0.06)
    assert says["TN of 1,000, good mail kept"] == pytest.approx(TN, abs=0.06)
    assert says["accuracy"] == pytest.approx(sk.accuracy_score(Y, called), abs=6e-4)
    assert says["recall"] == pytest.approx(sk.recall_score(Y, called), abs=6e-4)
    precision = sk.precision_score(Y, called, zero_division=1)
    assert says["precision"] == pytest.approx(precision, abs=6e-4)


def test_the_dots_lie_on_their_curves_and_the_roc_ignores_prevalence() -> None:
    common, rare = (pictures.threshold_scene(Y, S, 0.5, p) for p in (0.35, 0.01))
    for scene in (common, rare):
        for panel in scene.panels[1:]:
            (dot,) = [m for m in panel.marks if isinstance(m, Points)]
            curve = [m for m in panel.marks if isinstance(m, Curve)][1]
            order = np.argsort(curve.x, kind="stable")
            height = np.interp(dot.xy[0, 0], curve.x[order], curve.y[order])
            assert dot.xy[0, 1] == pytest.approx(height, abs=0.03)
    assert common.panels[1] == rare.panels[1]
    assert told(rare)["precision"] < 0.2 < told(common)["precision"]


def test_precision_at_another_prevalence_is_that_of_weighted_examples() -> None:
    weights = np.where(Y == 1, 0.05 / 0.35, 0.95 / 0.65)
    expected = sk.precision_score(Y, S >= 0.5, sample_weight=weights)
    assert told(pictures.threshold_scene(Y, S, 0.5, 0.05))["precision"] == pytest.approx(
        expected, abs=6e-4
    )


@pytest.mark.parametrize("cut", [-1.0, 0.5])
def test_hatched_are_the_mistakes(cut) -> None:
    scene = pictures.threshold_scene(Y, S, cut, 0.35)
    good, spam = (m for m in scene.marks(Bars))
    assert good.height.sum() + spam.height.sum() == pytest.approx(1000)
    lost, missed = scene.marks(Region)
    for region, name in (
        (lost, "FP of 1,000, good mail lost"),
        (missed, "FN of 1,000, spam missed"),
    ):
        assert area(region) / pictures.STEP == pytest.approx(told(scene)[name], abs=0.06)


@pytest.mark.parametrize(("price", "prevalence"), [(1.0, 0.35), (5.0, 0.35), (20.0, 0.1)])
def test_the_cheapest_line_touches_the_curve_from_above(price, prevalence) -> None:
    scene = pictures.cost_scene(Y, S, 0.0, price, prevalence)
    cheapest = next(line for line in scene.marks(Line) if line.role == "old")
    curve = scene.panels[1].marks[0]
    height = cheapest.w[1] * curve.y + cheapest.w[0] * curve.x + cheapest.w0
    ring = scene.panels[1].marks[3].xy[0]
    assert cheapest.w @ ring + cheapest.w0 == pytest.approx(0, abs=1e-12)
    inner = curve.x < curve.x.max()
    assert height[inner].max() <= 1e-9
    assert -cheapest.w[0] / cheapest.w[1] == pytest.approx(price * (1 - prevalence) / prevalence)


def test_the_cost_of_a_threshold_is_counted() -> None:
    scene = pictures.cost_scene(Y, S, 0.5, 5.0, 0.35)
    lost, missed = np.sum((S >= 0.5) & (Y == 0)), np.sum((S < 0.5) & (Y == 1))
    says = dict(scene.readouts)
    assert says["this threshold"] == f"cost {(5 * lost + missed) / Y.sum():.3f}"
    dot = scene.panels[0].marks[-1]
    assert dot.xy[0].tolist() == pytest.approx([0.5, (5 * lost + missed) / Y.sum()])


def test_the_roc_plane_holds_what_it_is_given() -> None:
    fpr, tpr, _ = sk.roc_curve(Y, S)
    scene = pictures.roc_scene({"A": (fpr, tpr)}, {"never": (0, 0), "always": (1, 1)}, area=True)
    (under,) = scene.marks(Region)
    assert area(under) == pytest.approx(sk.roc_auc_score(Y, S))
    assert {words for text in scene.marks(Text) for words in text.words} == {"never", "always"}
    assert f"A reaches recall {np.interp(0.1, fpr, tpr):.3f}" in scene.describe()


def test_the_band_holds_95_of_100() -> None:
    f = np.linspace(0, 0.1, 11)
    curves = np.outer(np.arange(201) / 200, np.ones(11))
    scene = pictures.band_scene(f, curves, 0.5 + 0 * f)
    assert "0.5 here, and 0.03 to 0.97" in scene.describe().replace("0.50", "0.5")


def test_the_reliability_diagram_has_scikit_learn_s_points() -> None:
    p = 1 / (1 + np.exp(-S))
    scene = pictures.calibration_scene(Y, {"logistic": p})
    share, said = sk_calibration(Y, p, n_bins=10)
    (dots,) = scene.marks(Points)
    np.testing.assert_allclose(dots.xy, np.c_[said, share])
    (bars,) = scene.marks(Segments)
    assert np.all((bars.start[:, 1] <= share) & (share <= bars.end[:, 1]))
    outside = np.sum((said < bars.start[:, 1]) | (said > bars.end[:, 1]))
    assert f"logistic: {outside} of {len(said)} intervals miss" in scene.describe()


def test_the_most_frequent_mistake_is_outlined() -> None:
    scene = pictures.confusion_scene([[9, 1, 0], [4, 5, 0], [0, 2, 7]], ("a", "b", "c"))
    assert "7 mistakes; the most frequent, 4: b called a" in scene.describe()
    (box,) = scene.marks(Region)
    assert box.polygons[0].mean(axis=0).tolist() == [0.5, 1.5]
    with pytest.raises(ValueError, match="M: found shape"):
        pictures.confusion_scene([[1, 2], [3, 4]], ("a",))


def test_long_names_of_classes_stand_once_with_their_numbers() -> None:
    names = [f"a rather long name {letter}" for letter in "pqr"]
    rows, columns = pictures.confusion_scene(np.eye(3), names).marks(Text)[1:3]
    assert rows.words == (
        "0 a rather long name p",
        "1 a rather long name q",
        "2 a rather long name r",
    )
    assert columns.words == ("0", "1", "2")


@pytest.mark.slow
def test_live_pictures_are_sent_ahead_and_start_with_the_still_ones() -> None:
    heaps = live.threshold(Y, S)
    assert heaps.mode == "ahead", heaps.why
    assert heaps.scene == pictures.threshold_scene(Y, S, 0.0, np.mean(Y))
    tangent = live.costs(Y, S)
    assert tangent.mode == "ahead", tangent.why
    assert tangent.scene == pictures.cost_scene(Y, S, -1.0, 5.0, np.mean(Y))
    heaps.cut = 2.75
    assert heaps.scene.describe().startswith("Threshold 2.75, ")


def test_the_notebook_s_roc_is_scikit_learn_s() -> None:
    ours = defined("metrics", "roc")["roc"](Y, S)
    theirs = sk.roc_curve(Y, S, drop_intermediate=False)
    np.testing.assert_allclose(ours, theirs[:2])


# --- exercises: right answers written in other ways ----------------------------------------------


def strictest_by_counting(y, s, lost):
    negatives = np.sort(s[y == 0])[::-1]
    barred = negatives[lost] if lost < len(negatives) else -np.inf
    allowed = s[(s > barred) & (y == 1)]
    if not len(allowed):
        return np.inf, 0
    return allowed.min(), len(allowed) / np.sum(y == 1)


def strictest_by_sorting(y, s, lost):
    cuts = [np.inf, *sorted(set(s.tolist()), reverse=True)]
    found = [sum((s >= t) & (y == 1)) for t in cuts if sum((s >= t) & (y == 0)) <= lost]
    best = max(found)
    return cuts[found.index(best)], best / sum(y == 1)


def cheapest_by_a_loop(y, s, price, prevalence):
    best = (prevalence, -np.inf)
    for t in set(s.tolist()):
        lost = np.mean(s[y == 0] >= t) * (1 - prevalence)
        missed = np.mean(s[y == 1] < t) * prevalence
        best = min(best, (price * lost + missed, -t))
    return -best[1], best[0]


def cheapest_by_weights(y, s, price, prevalence):
    w = np.where(y == 1, prevalence / np.sum(y == 1), price * (1 - prevalence) / np.sum(y == 0))
    cuts = np.r_[np.inf, np.unique(s)[::-1]]
    costs = [(w * ((s >= t) != (y == 1))).sum() for t in cuts]
    return cuts[int(np.argmin(costs))], min(costs)


def averages_by_harmonic_means(M, beta):
    values, K = [], len(M)
    for k in range(K):
        if M[k, k] == 0:
            values.append(0.0)
            continue
        R, P = M[k, k] / M[k].sum(), M[k, k] / M[:, k].sum()
        values.append((1 + beta**2) * P * R / (beta**2 * P + R))
    return sum(values) / K, np.trace(M) / M.sum()


def averages_by_loops(M, beta):
    tp, fn, fp = [], [], []
    for k in range(len(M)):
        tp.append(M[k, k])
        fn.append(sum(M[k]) - M[k, k])
        fp.append(sum(M[:, k]) - M[k, k])
    weight = 1 / (1 + beta**2)
    each = [t / (t + (1 - weight) * n + weight * p) for t, n, p in zip(tp, fn, fp, strict=True)]
    micro = sum(tp) / (sum(tp) + (1 - weight) * sum(fn) + weight * sum(fp))
    return np.mean(each), micro


class TestExercises(ExerciseTests):
    slug = "metrics"
    right_answers = {
        "metrics.strictest": [(strictest_by_counting,), (strictest_by_sorting,)],
        "metrics.cheapest": [(cheapest_by_a_loop,), (cheapest_by_weights,)],
        "metrics.area_or_cost": [
            ([0, 0, 0, 0, 9, 1, 2, 3, 4, 5], [3, 2.5, 0, -1, -2, 7, 6, 5, 1, -1.5]),
            (
                np.array([0, 1, 2, 3, 20, 11, 12, 13, 14, 15.0]),
                np.array([0, 1, 2, 3, 19, 0.5, 1.5, 2.5, 20, 21]),
            ),
        ],
        "metrics.averages": [(averages_by_harmonic_means,), (averages_by_loops,)],
    }
    still_right = {
        (
            "cuts = np.append(np.inf, np.unique(s)[::-1])",
            "minus dropped",
        ): "the order matters for equal costs only, and no case has any",
    }
    wrong_data = {
        "metrics.area_or_cost": {
            "The two are exchanged": (
                [8, 6, 4, 2, 1, 10, 9, 7, 5, 3],
                [1, 2, 3, 4, 10, 5, 6, 7, 8, 9],
            ),
            "One is better in both": (
                [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
                [1, 2, 3, 4, 10, 5, 6, 7, 8, 9],
            ),
            "Equal costs": ([1, 2, 3, 4, 10, 5, 6, 7, 8, 9], [1, 2, 3, 5, 10, 4, 6, 7, 8, 9]),
            "No better than chance": (
                [1, 2, 3, 4, 10, 5, 6, 7, 8, 9],
                [4, 5, 6, 7, 8, 10, 9, 1, 2, 3],
            ),
        },
    }
