"""What is only true of this chapter: What it means to learn a classifier."""

from itertools import pairwise

import numpy as np
import pytest

from lectures_lib.chapters.learning_from_examples import live, pictures
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.registry import find
from lectures_lib.datasets import load_breast_cancer
from lectures_lib.figures import Curve, Points, Region, Segments
from lectures_lib.learning import (
    CutClassifier,
    NearestNeighbour,
    error_sources,
    wave_posterior,
)
from tests.checks.answers import SOLVED, answers_in
from tests.exercise_tests import ExerciseTests

DATA = load_breast_cancer()
X, Y = DATA.X[:200, :2], DATA.y[:200]


def test_the_regions_of_cuts_are_stripes_and_no_stripe_is_lost() -> None:
    model = CutClassifier(25).fit(X, Y)
    scene = pictures.classifiers_scene(X, Y, {"cuts": model}, ("radius", "texture"))
    regions = scene.marks(Region)
    assert sum(len(region.polygons) for region in regions) == len(model.cuts_) + 1
    for k, region in enumerate(regions):
        for box in region.polygons:
            assert model.predict([[box[:, 0].mean(), 0]])[0] == k
    wrong = int(np.sum(model.predict(X) != Y))
    assert f"cuts: {wrong} mistakes" in scene.describe()


def test_the_memoriser_has_no_mistake_in_its_picture() -> None:
    models = {"memoriser": NearestNeighbour().fit(X, Y)}
    scene = pictures.classifiers_scene(X, Y, models, ("radius", "texture"))
    assert "memoriser: no mistakes" in scene.describe()


@pytest.mark.parametrize(("n", "degree", "steps"), [(20, 5, 1), (80, 3, 64), (320, 9, 1024)])
def test_bars_stand_where_the_measured_risks_are(n, degree, steps) -> None:
    result = error_sources(n, degree, steps)
    scene = pictures.sources_scene(n, degree, steps)
    bars = scene.panels[2]
    plain, hatched = [m for m in bars.marks if isinstance(m, Region)]
    tops = [box[:, 1].max() for box in (plain.polygons[0], plain.polygons[1])]
    assert tops == pytest.approx([result.best, result.returned.mean()])
    ends = [(box[0, 1], box[2, 1]) for box in hatched.polygons]
    levels = [result.best, result.in_class, result.on_sample.mean(), result.returned.mean()]
    np.testing.assert_allclose(ends, list(pairwise(levels)), atol=1e-12)
    assert bars.y == pictures.sources_scene(80, 1, 1).panels[2].y  # the axes stand still


def test_hatched_strips_differ_from_the_best_function_and_the_others_do_not() -> None:
    strips = pictures.sources_scene(80, 3, 64).panels[1]
    seen = 0.0
    for mark in strips.marks:
        if isinstance(mark, Region):
            for box in mark.polygons:
                x = np.linspace(box[0, 0], box[1, 0], 9)[1:-1]
                best = (wave_posterior(x) > 0.5).astype(int)
                assert (np.mean(best == mark.index) < 0.5) == mark.hatch
                seen += box[1, 0] - box[0, 0]
    assert seen == pytest.approx(4)


def test_the_crossing_of_the_densities_is_where_they_are_equal() -> None:
    scene = pictures.two_ways_scene(X[:, 0], Y, 15.0, "radius")
    benign, malignant = [m for m in scene.panels[0].marks if isinstance(m, Curve)]
    crossing = float(scene.describe().split("they cross at ")[1].split(".", 2)[0])
    i = int(np.searchsorted(benign.x, crossing))
    assert benign.y[i - 12] > malignant.y[i - 12]
    assert benign.y[i + 12] < malignant.y[i + 12]


def test_each_fold_is_judged_once() -> None:
    scene = pictures.folds_scene(4)
    fitted, held, closed = scene.marks(Region)
    assert (len(fitted.polygons), len(held.polygons), len(closed.polygons)) == (12, 4, 1)
    middles = sorted(box[:, 0].mean() for box in held.polygons)
    np.testing.assert_allclose(middles, [0.5, 1.5, 2.5, 3.5])


def test_the_band_is_one_standard_error_wide() -> None:
    folds = np.array([[0.1, 0.2], [0.2, 0.2], [0.3, 0.2]])
    scene = pictures.degree_scene([1, 3], [0.1, 0.05], folds)
    band = scene.marks(Region)[0].polygons[0]
    assert band[:, 1].max() - 0.2 == pytest.approx(0.1 / np.sqrt(3))
    assert "least at degree 1" in scene.describe()


def test_spread_and_promises_show_every_split() -> None:
    values = np.random.default_rng(0).random((2, 12))
    scene = pictures.spread_scene({"a": values[0], "b": values[1]}, {"a": 0.0, "b": 0.5}, "share")
    assert len(scene.marks(Points)[0].xy) == 24
    promised = pictures.promises_scene(values[0], values[1])
    pairs = promised.marks(Segments)[0]
    assert len(pairs.start) == 12
    more = int(np.sum(values[1] > values[0]))
    assert f"in {more} of them the fresh error is larger" in promised.describe()


@pytest.mark.slow
def test_the_live_picture_is_sent_ahead_and_starts_with_the_still_one() -> None:
    widget = live.error_sources()
    assert widget.mode == "ahead", widget.why
    start = error_sources(80, 3, 64)
    assert widget.scene == pictures.sources_scene(80, 3, 64, start)
    widget.n, widget.degree, widget.iterations = 20, 5, 1024
    assert widget.scene == pictures.sources_scene(20, 5, 1024, start)
    ghosts = widget.scene.panels[2].marks[-1]
    tops = start.best + np.cumsum(start.gaps)
    assert ghosts.start[:, 1] == pytest.approx(tops)


def test_every_stop_of_the_sliders_can_be_drawn() -> None:
    for n in (20, 1280):
        for degree in (1, 9):
            for steps in (1, 1024):
                scene = pictures.sources_scene(n, degree, steps)
                assert f"{n} examples" in scene.describe()


# --- exercises -------------------------------------------------------------------------------


def test_the_fewest_mistakes_earn_their_points_beside_a_cut_on_a_case() -> None:
    exercise = find("learning_from_examples.best_cut")
    (right,) = answers_in(SOLVED[exercise.id], exercise)
    on_a_case = lambda x, y: (x[x <= right(x, y)[0]].max(), *right(x, y)[1:])  # noqa: E731
    assert evaluate(exercise, (on_a_case,)).points == 2


class TestExercises(ExerciseTests):
    slug = "learning_from_examples"
    right_answers = {
        "learning_from_examples.fails": [
            (list(range(10)), [0, 1] * 5),
            (np.array([5.0, 5.5, -3, -3.2, 9, 9.1, 20, 20.3]), np.array([1, 0, 0, 1, 1, 0, 0, 1])),
        ],
    }
    wrong_data = {
        "learning_from_examples.fails": {
            "Blocks of one class": (np.arange(8.0), [0, 0, 0, 0, 1, 1, 1, 1]),
            "Some are right": ([0, 0.1, 1, 1.1, 2, 2.1, 3, 3.1, 4], [0, 1, 0, 1, 0, 1, 0, 1, 1]),
            "The same place twice": ([0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 0, 1, 0, 1, 0, 1]),
            "Labels −1 and 1": (np.arange(8.0), [-1, 1, -1, 1, -1, 1, -1, 1]),
        }
    }
    WRONG = "wrong = np.sum(np.where(x > place, label, 1 - label) != y)"
    MORE = "more = sum(comb(n, i) for i in range(j + 1, n + 1)) / 2**n"
    still_right = {
        (WRONG, "Gt -> GtE"): "no case lies on a place half-way between two values",
        ("distances = ((X - X[i]) ** 2).sum(axis=1)", "sum -> mean"): "the order is the same",
        (MORE, "1 -> 2"): "in n + 1: comb(n, n + 1) is 0 (j + 2 is caught)",
        ("for j in range(n):", "the range ends one too late"): "nobody has more than n mistakes",
        (MORE, "the range ends one too late"): "comb(n, n + 1) is 0",
    }
