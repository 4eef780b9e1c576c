"""What is only true of this chapter: Decision theory: Bayes, costs, and the best one can do."""

import numpy as np
import pytest

from lectures_lib.chapters.decision_theory import live, pictures
from lectures_lib.datasets import load_breast_cancer
from lectures_lib.decision import boundaries_two_gaussians, risk_of_threshold
from lectures_lib.figures import Curve, Points, Region
from tests.chapters import area
from tests.exercise_tests import ExerciseTests

data = load_breast_cancer()
radius, labels = data.X[:, 0], data.y


@pytest.mark.parametrize("ratio", [1, 3, 10])
def test_the_cost_of_every_cut_is_counted(ratio) -> None:
    cuts, costs = pictures.total_costs(radius, labels, ratio)
    for i in (0, 17, 200, len(cuts) - 1):
        alarms = np.sum((radius > cuts[i]) & (labels == 0))
        missed = np.sum((radius <= cuts[i]) & (labels == 1))
        assert costs[i] == alarms + ratio * missed


def test_the_opening_marks_the_cheapest_cuts() -> None:
    scene = pictures.opening_scene(radius, labels, "mean radius")
    assert "at 1 : 1 the best cut is 15.045, 51 missed" in scene.describe()
    assert "at 10 : 1 the best cut is 12.330, 6 missed" in scene.describe()
    for dot, curve in zip(scene.marks(Points), scene.marks(Curve), strict=True):
        assert dot.xy[0, 1] == curve.y.min()


def test_filled_areas_are_joint_probabilities() -> None:
    scene = pictures.square_scene(0.3, 0.1, 0.6)
    filled = [m for m in scene.marks(Region) if m.index is not None]
    assert [area(m) for m in filled[:2]] == pytest.approx([0.07, 0.18])
    posterior = [area(m) for m in filled[2:]]
    assert np.array(posterior) / sum(posterior) == pytest.approx([0.28, 0.72])
    assert "the share 0.280 is ordinary, 0.720 is organic" in scene.describe()


@pytest.mark.parametrize("cut", [0.9, 1.3, 1.7])
def test_the_hatched_areas_are_the_two_errors(cut) -> None:
    scene = pictures.cut_scene(cut, 0.3)
    hatched = [m for m in scene.marks(Region) if m.hatch]
    told = dict(scene.readouts)
    errors = [float(told["ordinary called organic"]), float(told["organic called ordinary"])]
    assert [area(m) for m in hatched] == pytest.approx(errors, abs=1.2e-3)
    assert sum(errors) == pytest.approx(float(told["risk"]), abs=1.1e-3)


@pytest.mark.parametrize("costs", [(1.0, 1.0), (1.0, 5.0), (3.0, 1.0)])
def test_the_ring_is_the_lowest_point_of_the_risk_curve(costs) -> None:
    scene = pictures.cut_scene(1.2, 0.4, costs=costs)
    ring, dot = scene.marks(Points)
    risk = scene.panels[1].marks[0]
    assert ring.xy[0, 1] <= risk.y.min() + 1e-12
    assert ring.xy[0, 1] == pytest.approx(risk.y.min(), abs=1e-3)
    C = [[0, costs[0]], [costs[1], 0]]
    expected = risk_of_threshold(1.2, pictures.AVOCADO_MEANS, 0.25, (0.6, 0.4), C)
    assert dot.xy[0].tolist() == pytest.approx([1.2, expected])


def test_each_rule_cuts_where_it_says() -> None:
    def cut(rule, **changed):
        given = {"prior": 0.3, "mean_0": 1.0, "mean_1": 1.6, "sd": 0.3, "c01": 1.0, "c10": 4.0}
        scene = pictures.rule_scene(rule, **given | changed)
        return scene.marks(Points)[1].xy[0, 0]

    risk, most_probable, likelihood, prior = pictures.RULES
    best = boundaries_two_gaussians((1.0, 1.6), 0.3, (0.7, 0.3), [[0, 1], [4, 0]])[0]
    assert cut(risk) == pytest.approx(best)
    assert cut(most_probable) == pytest.approx(1.3 + 0.09 / 0.6 * np.log(0.7 / 0.3))
    assert cut(likelihood) == pytest.approx(1.3)
    assert cut(prior) == pictures.PRICES[1]
    given = {"prior": 0.3, "mean_0": 1.0, "mean_1": 1.6, "sd": 0.3, "c01": 1.0, "c10": 4.0}
    marked = pictures.rule_scene(prior, **given).marks(Points)[2:]  # the rules not chosen
    rules = risk, most_probable, likelihood
    assert [dot.xy[0, 0] for dot in marked] == pytest.approx([cut(rule) for rule in rules])
    assert cut(prior, prior=0.8) == pictures.PRICES[0]
    assert cut(risk, c10=1.0) == pytest.approx(cut(most_probable))
    assert cut(likelihood, prior=0.9, c01=9.0) == pytest.approx(1.3)


@pytest.mark.parametrize(
    ("c01", "c10", "reject"), [(2, 1, 0.3), (1, 1, 0.2), (2, 1, 0.7), (1, 1, 0.5)]
)
def test_the_third_answer_pays_in_the_grey_zone_only(c01, c10, reject) -> None:
    scene = pictures.reject_scene(c01, c10, reject)
    cheapest = scene.marks(Curve)[3]
    pays = (reject < c10 * cheapest.x - 1e-9) & (reject < c01 * (1 - cheapest.x) - 1e-9)
    grey = scene.marks(Region)[0]
    assert bool(grey.polygons) == bool(pays.any())
    if grey.polygons:
        low, high = grey.polygons[0][:, 0].min(), grey.polygons[0][:, 0].max()
        inside = (cheapest.x > low + 1e-9) & (cheapest.x < high - 1e-9)
        np.testing.assert_array_equal(inside, pays)
    np.testing.assert_allclose(cheapest.y[pays], reject)


def test_the_cost_of_the_wrong_prior_is_read_off_the_other_curve() -> None:
    means = [radius[labels == k].mean() for k in (0, 1)]
    sds = [radius[labels == k].std(ddof=1) for k in (0, 1)]
    scene = pictures.prevalence_scene(means, sds, 0.3726, 0.01, 10)
    in_sample, in_screening, wrong = scene.marks(Points)
    assert wrong.xy[0, 0] == in_sample.xy[0, 0]
    screening = scene.marks(Curve)[1]
    assert wrong.xy[0, 1] == pytest.approx(
        np.interp(wrong.xy[0, 0], screening.x, screening.y), abs=0.1
    )
    assert in_screening.xy[0, 1] <= screening.y.min() + 1e-9
    assert "it costs 428 per 1,000; the cheapest cut there, 16.5, costs 45" in scene.describe()


def test_all_classifiers_are_in_the_histogram() -> None:
    risks = np.random.default_rng(0).random(100)
    scene = pictures.all_classifiers_scene(risks, float(risks.min()))
    (bars,) = scene.marks(Region)
    assert sum(box[:, 1].max() for box in bars.polygons) == 100


@pytest.mark.slow
def test_the_live_pictures_start_with_the_still_ones() -> None:
    cut = live.cut()
    assert cut.mode == "ahead", cut.why
    assert cut.scene == pictures.cut_scene(1.1, 0.4)
    third = live.third_answer()
    assert third.mode == "ahead", third.why
    assert third.scene == pictures.reject_scene(2, 1, 0.3)


def test_the_rules_can_be_drawn_at_all_ends_of_the_sliders() -> None:
    widget = live.rules()
    for rule in pictures.RULES:
        for prior in (0.05, 0.95):
            for sd in (0.1, 0.5):
                for c10 in (1, 10):
                    widget.rule, widget.prior, widget.sd, widget.c10 = rule, prior, sd, c10
                    assert f"P(organic) = {prior:.2f}" in widget.scene.describe()


# --- exercises -------------------------------------------------------------------------------


class TestExercises(ExerciseTests):
    slug = "decision_theory"
    right_answers = {
        "decision_theory.three_rules": [
            ([0.6, 0.3, 0.1], [0.1, 0.5, 0.9]),
            (np.array([0.2, 0.5, 0.3]), np.array([0.99, 0.1, 0.9])),
        ],
    }
    wrong_data = {
        "decision_theory.three_rules": {
            "The priors do not sum to 1": ([0.6, 0.3, 0.3], [0.1, 0.5, 0.9]),
            "Equal priors": ([1 / 3, 1 / 3, 1 / 3], [0.1, 0.5, 0.9]),
            "MAP and ML agree": ([0.5, 0.3, 0.2], [0.1, 0.2, 0.9]),
            "MAP follows the prior": ([0.8, 0.1, 0.1], [0.5, 0.6, 0.9]),
        }
    }
