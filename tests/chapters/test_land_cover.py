"""What is only true of this chapter: the survey of Olinda, and the closing page."""

from functools import cache

import numpy as np
import pytest
from scipy import ndimage, stats
from scipy.spatial import distance
from sklearn import metrics as sk
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as SklearnLDA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as SklearnQDA
from sklearn.linear_model import LogisticRegression as SklearnLogistic
from sklearn.model_selection import GroupKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from lectures_lib import landcover
from lectures_lib.chapters import CHAPTERS, is_draft
from lectures_lib.chapters.land_cover import closing, live, pictures, survey, windows
from lectures_lib.chapters.land_cover.areas import CLASSES, OURS
from lectures_lib.chapters.land_cover.survey import METHODS
from lectures_lib.datasets import load_olinda, load_statlog_landsat
from lectures_lib.figures import Curve, Image, Points, Region, Segments, Text
from lectures_lib.landcover import Rectangle
from lectures_lib.logistic import sigmoid
from lectures_lib.widgets import Cloud
from tests.chapters import defined
from tests.conftest import ROOT
from tests.exercise_tests import ExerciseTests

CUBE = load_olinda().cube
SMALL = CUBE[100:180, 230:330]


@pytest.mark.parametrize("shape", [CUBE.shape[:2], (60, 80)])
def test_rectangles_survive_the_way_to_kilometres_and_back(shape) -> None:
    rng = np.random.default_rng(0)
    areas: dict[str, list[Rectangle]] = {name: [] for name in CLASSES}
    for name in CLASSES * 5:
        row, column = (int(rng.integers(0, size - 1)) for size in shape)
        end, column_end = (
            int(rng.integers(row + 1, shape[0])),
            int(rng.integers(column + 1, shape[1])),
        )
        areas[name].append(Rectangle(row, column, end, column_end))
    corners, labels = survey.to_corners(areas, shape[0])
    flipped = corners[:, ::-1].copy()  # drawn from the other corner
    for some in (corners, flipped):
        assert survey.to_areas(Cloud(some.reshape(-1, 2), np.repeat(labels, 2)), shape) == areas


def test_an_area_that_leaves_the_scene_or_is_a_line_keeps_a_pixel() -> None:
    cloud = Cloud([[-3.0, -3.0], [0.0, 0.0], [99.0, 99.0], [99.0, 99.0]], [0, 0, 1, 1])
    found = survey.to_areas(cloud, (60, 80))
    assert found == {"water": [Rectangle(59, 0, 60, 1)], "built-up": [Rectangle(0, 79, 1, 80)]}


def test_held_out_is_two_fold_cross_validation_by_areas() -> None:
    """scikit-learn's LDA and its folds by group, one class at a time."""
    owner, half = np.full(CUBE.shape[:2], -1), np.zeros(CUBE.shape[:2], dtype=int)
    for k, name in enumerate(CLASSES):
        for n, r in enumerate(OURS[name]):
            owner[r.row : r.row_end, r.column : r.column_end] = k
            half[r.row : r.row_end, r.column : r.column_end] = n % 2
    X, y, area = CUBE[owner >= 0].astype(float), owner[owner >= 0], half[owner >= 0]
    expected = np.zeros((4, 4), dtype=int)
    for train, test in GroupKFold(2).split(X, y, area):
        few = survey.thinned(X[train], y[train])
        theirs = SklearnLDA().fit(*few)
        expected += sk.confusion_matrix(y[test], theirs.predict(X[test]), labels=range(4))
    found = survey.held_out(CUBE, OURS, METHODS["LDA"])
    np.testing.assert_array_equal(found, expected)


def test_nothing_is_held_out_while_a_class_has_a_single_area() -> None:
    single = OURS | {"bare": OURS["bare"][:1]}
    assert survey.held_out(CUBE, single, METHODS["LDA"]) is None
    told = pictures.survey_scene(CUBE, pictures.ours(CUBE, single)).describe()
    assert told.endswith("; for an error, draw a second area of bare.")


def test_thinning_keeps_every_class_and_no_row_twice() -> None:
    X, y = np.arange(700.0)[:, None], np.repeat([0, 1, 2], [600, 90, 10])
    few_X, few_y = survey.thinned(X, y)
    assert np.bincount(few_y).tolist() == [survey.MOST, 90, 10]
    assert len(np.unique(few_X)) == len(few_X)
    assert np.array_equal(few_y, y[few_X[:, 0].astype(int)])


@pytest.mark.parametrize("method", METHODS)
def test_the_table_counts_the_map(method) -> None:
    scene = pictures.survey_scene(CUBE, pictures.ours(CUBE, OURS), method)
    picture = scene.panels[2].marks[0].values
    (hectares,) = [
        text.words[1:] for text in scene.panels[3].marks[-2:-1] if isinstance(text, Text)
    ]
    for k, said in enumerate(hectares):
        pixels = np.all(picture == pictures.MAP_COLOURS[k], axis=2).sum()
        assert float(said.replace(",", "")) == pytest.approx(pixels * 28.5**2 / 1e4, abs=0.51)


def test_the_scene_stands_with_its_north_at_the_top_and_areas_lie_on_it() -> None:
    scene = pictures.survey_scene(
        CUBE,
        pictures.ours(
            CUBE, {"water": [Rectangle(0, 0, 10, 349)], "bare": [Rectangle(340, 0, 352, 9)]}
        ),
    )
    image = scene.panels[0].marks[0]
    assert isinstance(image, Image)
    assert image.y[0] > image.y[1] == 0
    water = scene.panels[0].marks[2]  # after the image and the halo of all areas
    assert isinstance(water, Region)
    ring = water.polygons[0]
    assert ring[:, 1].max() == pytest.approx(352 * 0.0285)
    assert ring[:, 1].min() == pytest.approx(342 * 0.0285)


def test_drawn_areas_stand_on_the_scene() -> None:
    scene = pictures.drawn_scene(CUBE, {"bare": [Rectangle(0, 0, 176, 349)]})
    assert scene.describe() == "Areas on the scene: 1 of bare."
    (ring,) = next(m for m in scene.marks(Region) if m.index == 3).polygons
    assert ring[:, 1].min() == pytest.approx(176 * 0.0285)


def test_without_areas_the_scene_says_what_is_missing() -> None:
    nothing = Cloud(np.empty((0, 2)), [])
    scene = pictures.survey_scene(SMALL, nothing)
    assert scene.describe() == "Draw areas of two classes at least."


def test_the_live_scene_starts_with_our_areas_and_takes_any_method() -> None:
    widget = live.survey(CUBE)
    assert survey.to_areas(widget.areas, CUBE.shape[:2]) == OURS
    before = widget.scene.describe()
    widget.method = "QDA"
    assert before.startswith("LDA")
    assert widget.scene.describe().startswith("QDA")
    widget.areas = Cloud(np.empty((0, 2)), [])
    assert "Draw areas" in widget.scene.describe()


def test_the_corrected_areas_stand_beside_what_the_map_counts() -> None:
    row = {name: (10.0 * k, 9.0 * k, 12.0 * k) for k, name in enumerate(CLASSES, start=1)}
    scene = pictures.areas_scene({name: 8.0 * k for k, name in enumerate(CLASSES, start=1)}, row)
    (bars,), (dots,) = scene.marks(Segments), scene.marks(Points)
    assert bars.start[:, 0].tolist() == [1, 2, 3, 4]
    assert bars.end[:, 0].tolist() == [4, 8, 12, 16]
    assert dots.xy[:, 0].tolist() == [2, 4, 6, 8]
    assert "water 2 (1 to 4)" in scene.describe()


def test_a_mosaic_has_every_window_in_its_place() -> None:
    image = np.arange(6 * 8 * 4).reshape(6, 8, 4)
    at = np.array([(i, j) for i in range(4) for j in range(6) if (i, j) != (0, 0)])
    W = np.stack([image[i : i + 3, j : j + 3] for i, j in at])
    photo, kind = pictures.mosaic_scene(W, at, at[:, 1] > 2, 3).marks(Image)
    assert np.all(photo.values[0, 0] == pictures.GAP)  # seen by the window that is missing only
    assert np.all(np.diff(photo.values[2].mean(axis=1)) >= 0)
    assert (kind.values[1:5, 1:7, 0] == 0.2).sum() == np.sum(at[:, 1] > 2)


def test_statlog_s_published_errors_and_scikit_learn_s_agree() -> None:
    """Michie, Spiegelhalter and Taylor (1994): 0.171, 0.155, 0.163 on the official test part."""
    land = load_statlog_landsat()
    scale = StandardScaler().fit(land.X[land.train])
    published = {"LDA": 0.171, "QDA": 0.155, "softmax regression": 0.163}
    theirs = {
        "LDA": SklearnLDA(),
        "QDA": SklearnQDA(),
        "softmax regression": SklearnLogistic(C=1.0, max_iter=2000),
    }
    for name, error in published.items():
        ours = METHODS[name]().fit(land.X[land.train], land.y[land.train])
        said = ours.predict(land.X[land.test])
        other = theirs[name].fit(scale.transform(land.X[land.train]), land.y[land.train])
        assert np.mean(said != land.y[land.test]) == pytest.approx(error, abs=0.005)
        assert np.mean(said != other.predict(scale.transform(land.X[land.test]))) < 0.01


# --- the notebook's functions --------------------------------------------------------------------

LAND = load_statlog_landsat()
W = LAND.X.reshape(-1, 3, 3, 4)


def notebook(first: str, **scope):
    """The functions of a cell, with what the cells before it have put in place."""
    known = {"survey": survey, "landcover": landcover, "CLASSES": CLASSES, "side": 28.5}
    return defined("land_cover", first, **known, **scope)


@cache
def areas_to_hectares():
    judge = notebook("judge")["judge"]
    corrected = notebook("corrected")["corrected"]
    return notebook("hectares", judge=judge, corrected=corrected, cube=CUBE)["hectares"]


def test_the_notebook_s_correction_undoes_the_calls() -> None:
    corrected = notebook("corrected")["corrected"]
    rng = np.random.default_rng(2)
    for _ in range(20):
        M = rng.integers(0, 20, (4, 4)) + 60 * np.eye(4, dtype=int)
        p = rng.dirichlet(np.ones(4))
        q = p @ (M / M.sum(axis=1, keepdims=True))
        np.testing.assert_allclose(corrected(M, q), p, atol=1e-9)


def test_four_areas_redrawn_are_sure_too_soon_and_student_s_table_is_not() -> None:
    coverage = notebook("coverage")["coverage"]
    for n, reach in ((4, 3.18), (20, 2.09)):
        assert stats.t.ppf(0.975, n - 1) == pytest.approx(reach, abs=0.005)
    redrawn, table = coverage(4, 3.18, surveys=1500, seed=1)
    exact = 2 * stats.t.cdf(1.96 * np.sqrt(3 / 4), 3) - 1  # the spread of redrawn means is known
    assert redrawn == pytest.approx(exact, abs=0.04)
    assert redrawn < 0.85 < 0.93 < table < 0.97


def test_leaving_out_one_area_gives_the_error_of_the_shares() -> None:
    """The delta method, by finite differences of the shares in the rates of each area."""
    areas = {name: some[:4] for name, some in OURS.items()}
    found, codes, M = areas_to_hectares()(areas, METHODS["LDA"])
    truth, counts = notebook("judge")["judge"](CUBE, areas, METHODS["LDA"])
    corrected = notebook("corrected")["corrected"]
    q = np.bincount(codes.ravel(), minlength=4) / codes.size
    weight = np.ones(len(counts))

    def shares(weight):
        return corrected(np.array([weight[truth == k] @ counts[truth == k] for k in range(4)]), q)

    slopes = []
    for a in range(len(counts)):
        more, less = weight.copy(), weight.copy()
        more[a], less[a] = 1 + 1e-5, 1 - 1e-5
        slopes.append((shares(more) - shares(less)) / 2e-5)
    error = np.sqrt(4 / 3 * np.square(slopes).sum(axis=0))
    reach = (found[:, 3] - found[:, 1]) / (codes.size * 28.5**2 / 1e4) / 3.18
    np.testing.assert_allclose(reach, error, rtol=0.5)
    assert np.trace(M) == counts[np.arange(len(truth)), truth].sum()


def test_twins_are_neighbours_and_windows_find_their_places() -> None:
    with_twin = notebook("with_twin", parts=windows.parts)["with_twin"]
    rng = np.random.default_rng(4)
    image = rng.integers(0, 200, (9, 12, 4))
    at = np.array([(i, j) for i in range(7) for j in range(10)])
    at = at[rng.permutation(len(at))[:-6]]
    W = np.stack([image[i : i + 3, j : j + 3] for i, j in at]).astype(float)
    test = rng.random(len(at)) < 0.3
    away = at[test][:, None] - at[~test]
    four = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    found = with_twin(W[test], W[~test], four)
    np.testing.assert_array_equal(found, (abs(away).sum(axis=2) == 1).any(axis=1))
    known, place, contradictions = windows.places(W)
    assert contradictions == 0
    assert len(known) == len(at)
    np.testing.assert_array_equal(place, at - at.min(axis=0))


@cache
def assembled():
    """The windows of StatLog that have a place, and their places."""
    known, at, contradictions = windows.places(W)
    assert (len(known), contradictions) == (6434, 0)
    return known, at


def test_almost_every_test_window_of_statlog_has_a_twin_and_no_other_does() -> None:
    with_twin = notebook("with_twin", parts=windows.parts)["with_twin"]
    four = [(0, 1), (0, -1), (1, 0), (-1, 0)]
    test, train = W[LAND.test], W[LAND.train]
    assert with_twin(test, train, four).mean() == 0.9695
    assert not with_twin(test[:, ::-1, ::-1], train, four).any()


class Spy:
    """A model that remembers the places that it saw, given as its features."""

    def __init__(self, seen):
        self.seen = seen

    def fit(self, X, y):
        self.seen.append(X)
        return self

    def predict(self, X):
        away = distance.cdist(X, self.seen[-1], "chebyshev")
        assert away.min() == 3  # not one pixel of 3 by 3 in common, and no window too many lost
        return np.zeros(len(X), dtype=int)


def test_blocks_share_no_pixel_with_what_trains_and_every_window_is_judged() -> None:
    whole_blocks = notebook("whole_blocks")["whole_blocks"]
    _, at = assembled()
    seen = []
    P, block = whole_blocks(lambda: Spy(seen), at, np.zeros(len(at)), at, seed=3)
    assert len(seen) == 4
    assert np.all(P.sum(axis=1) == 1)
    assert len(np.unique(block)) == 20


def test_other_deals_of_the_blocks_give_other_orders() -> None:
    whole_blocks = notebook("whole_blocks")["whole_blocks"]
    known, at = assembled()
    X, y = LAND.X[known], LAND.y[known]

    def error(make, seed):
        return np.mean(whole_blocks(make, X, y, at, seed)[0].argmax(axis=1) != y)

    ahead = [error(lambda: KNeighborsClassifier(1), s) - error(SklearnLDA, s) for s in (0, 1)]
    assert ahead[0] > 0 > ahead[1]


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.deep)])
def test_the_lead_of_the_nearest_neighbour_is_gone_on_whole_blocks(seed) -> None:
    """The conclusion of the chapter: officially far ahead of LDA, on blocks within the noise."""
    whole_blocks = notebook("whole_blocks")["whole_blocks"]
    known, at = assembled()
    X, y = LAND.X[known], LAND.y[known]
    official, blocks = {}, {}
    for name, make in {"LDA": SklearnLDA, "nearest": lambda: KNeighborsClassifier(1)}.items():
        model = make().fit(LAND.X[LAND.train], LAND.y[LAND.train])
        official[name] = 1 - model.score(LAND.X[LAND.test], LAND.y[LAND.test])
        blocks[name] = np.mean(whole_blocks(make, X, y, at, seed)[0].argmax(axis=1) != y)
    assert official["nearest"] < official["LDA"] - 0.06
    assert abs(blocks["nearest"] - blocks["LDA"]) < 0.03
    assert blocks["nearest"] > official["nearest"] + 0.06


def test_missing_neighbours_cost_and_fewer_examples_do_not() -> None:
    known, at = assembled()
    some = np.sort(np.random.default_rng(0).permutation(len(known))[:3000])
    X, y, test, at = LAND.X[known][some], LAND.y[known][some], LAND.test[known][some], at[some]
    rng = np.random.default_rng(0)
    error = {g: windows.without_neighbours(g, X, y, at, test, rng) for g in (0, 2, 15)}
    far = distance.cdist(X[test], X[~test]) + np.where(
        distance.cdist(at[test], at[~test], "chebyshev") <= 2, np.inf, 0
    )
    assert error[2][0] == np.mean(y[~test][far.argmin(axis=1)] != y[test])
    assert error[0][0] == error[0][1]
    assert error[2][0] > error[0][0] + 0.01
    assert error[15][0] > error[2][0] + 0.03
    assert all(by_lot < error[0][0] + 0.02 for _, by_lot in error.values())


def test_whole_areas_err_more_than_random_pixels_and_stiff_borders_least() -> None:
    two_ways = survey.two_ways

    def means(name):
        draws = [
            two_ways(CUBE, OURS, METHODS[name], np.random.default_rng(s)) for s in (20, 21, 22)
        ]
        return np.mean(draws, axis=0)

    pixels, areas = means("nearest neighbour")
    stiff_pixels, stiff_areas = means("LDA")
    assert areas > 1.4 * pixels
    assert stiff_areas / stiff_pixels < areas / pixels


def test_what_is_most_similar_lies_in_the_same_area_and_seldom_beside() -> None:
    found = survey.nearest_in_colour(CUBE, OURS, np.random.default_rng(1))
    beside, same = (
        found["the most similar one is a neighbour"],
        found["any one lies in the same area"],
    )
    assert beside < 0.1 < found["a neighbour has trained"] < 0.5
    assert found["the most similar one lies in the same area"] > 5 * same
    assert found["error"] <= found["error without two pixels around"]
    assert found["error without the area"] > 1.5 * found["error without two pixels around"]


def test_the_border_of_a_map_is_where_a_neighbour_differs() -> None:
    codes = np.random.default_rng(0).integers(0, 2, (6, 7))
    for (i, j), on in np.ndenumerate(survey.on_border(codes)):
        beside = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
        inside = [codes[a, b] for a, b in beside if 0 <= a < 6 and 0 <= b < 7]
        assert on == any(other != codes[i, j] for other in inside)


def test_a_lot_in_every_mapped_class_is_the_stratified_estimator() -> None:
    """Olofsson and others (2014), equations 9 and 10, in loops."""
    by_lot = notebook("by_lot")["by_lot"]
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 4, (30, 40))
    truth = np.where(rng.random(codes.shape) < 0.2, rng.integers(0, 4, codes.shape), codes)
    p, reach = by_lot(codes, truth, 25, np.random.default_rng(8))
    same = np.random.default_rng(8)
    lots = {j: same.choice(truth[codes == j], 25) for j in range(4)}
    for k in range(4):
        expected, variance = 0.0, 0.0
        for j, lot in lots.items():
            share = sum(one == k for one in lot) / 25
            expected += np.mean(codes == j) * share
            variance += np.mean(codes == j) ** 2 * share * (1 - share) / 24
        assert p[k] == pytest.approx(expected)
        assert reach[k] == pytest.approx(1.96 * np.sqrt(variance))


@pytest.mark.parametrize(
    ("name", "surveys"),
    [
        ("QDA", 12),
        *(pytest.param(name, 60, marks=pytest.mark.deep) for name in list(METHODS)[:4]),
    ],
)
def test_pure_areas_promise_what_places_by_lot_keep(name, surveys) -> None:
    """Whichever map is the truth: the judge is too kind, the correction no better than counting."""
    model = survey.fitted(METHODS[name], *survey.coded(CUBE, OURS))
    truth = landcover.majority_filter(landcover.class_map(model, CUBE))
    made_up = notebook("by_lot", hectares=areas_to_hectares())["made_up"]
    make = METHODS["LDA" if name == "softmax regression" else "softmax regression"]
    held = made_up(truth, make, surveys, np.random.default_rng(1))
    on_map, judged = held[8:10]
    counted, corrected, lot = held[10:]
    assert on_map > 1.4 * judged
    assert lot < 0.75 * min(counted, corrected)
    assert corrected > 0.7 * counted
    assert held[5] >= 0.85  # the town, by lot
    assert held[:4].mean() < 0.9


def test_the_ascent_of_the_notes_finds_the_maximum_where_there_is_one() -> None:
    ascent = notebook("ascent", sigmoid=sigmoid)["ascent"]
    rng = np.random.default_rng(0)
    Z = np.c_[np.ones(200), rng.normal(size=(200, 2))]
    t = (rng.random(200) < sigmoid(Z @ [0.3, 1.0, -2.0])).astype(float)
    theirs = SklearnLogistic(C=np.inf, tol=1e-10).fit(Z[:, 1:], t)
    found = ascent(Z, t, 0.01, 3000)
    np.testing.assert_allclose(found, np.r_[theirs.intercept_, theirs.coef_[0]], atol=1e-4)


def test_pure_areas_are_pure_and_dealt_areas_the_same_ones() -> None:
    truth = landcover.majority_filter(np.arange(60 * 80).reshape(60, 80) // 1200)
    rng = np.random.default_rng(0)
    for k, some in enumerate(survey.pure_areas(truth, rng).values()):
        assert len(some) == 4
        for r in some:
            assert np.all(truth[r.row : r.row_end, r.column : r.column_end] == k)
    again = survey.dealt(OURS, rng)
    assert {name: sorted(some) for name, some in again.items()} == {
        name: sorted(some) for name, some in OURS.items()
    }
    assert again != OURS


# --- the closing page ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(closing.point_sets()))
def test_every_method_draws_every_set_of_points(name) -> None:
    X, y = closing.point_sets()[name]
    scene = closing.methods_scene(Cloud(X, y))
    assert [panel.title for panel in scene.panels] == ["your points", *closing.METHODS]
    for panel in scene.panels[1:]:
        assert (
            any(len(mark.x) for mark in panel.marks if isinstance(mark, Curve))
            or len(np.unique(closing.METHODS[panel.title]().fit(X, y).predict(X))) == 1
        )
    kinds = {tuple(type(mark).__name__ for mark in panel.marks) for panel in scene.panels[1:]}
    assert len(kinds) == 1  # marks keep their order, so that they move instead of jumping


def test_the_counted_mistakes_are_those_of_the_methods() -> None:
    X, y = closing.point_sets()["XOR"]
    told = closing.methods_scene(Cloud(X, y)).describe()
    for name in ("LDA", "QDA"):
        wrong = int(np.sum(closing.METHODS[name]().fit(X, y).predict(X) != y))
        assert f"{name} {wrong}" in told
    assert "QDA 0" in told


def test_far_points_change_the_pictures_that_the_text_names() -> None:
    X, y = closing.point_sets()["two far points"]
    near = X.copy()
    near[-2:] = [[1.4, 0.8], [1.6, 0.2]]  # beside the rest of their class
    line = np.linspace(-4, 4, 41)
    grid = np.array([[a, b] for a in line for b in line])

    def changed(name: str) -> float:
        calls = [closing.METHODS[name]().fit(Z, y).predict(grid) for Z in (near, X)]
        return float(np.mean(calls[0] != calls[1]))

    share = {name: changed(name) for name in closing.METHODS}
    for name in ("soft-margin SVM", "perceptron", "softmax regression", "nearest neighbour"):
        assert share[name] < 0.01, name
    for name in ("least squares", "LDA", "QDA", "naive Bayes"):
        assert share[name] > 0.1, name
    assert max(share, key=lambda name: share[name]) == "kernel perceptron"


def test_too_few_points_get_words() -> None:
    for cloud in (Cloud([[0.0, 0.0]], [0]), Cloud(np.empty((0, 2)), [])):
        scene = closing.methods_scene(cloud)
        assert "too few points" in scene.describe()
        assert {text.words[0] for text in scene.marks(Text)} == {"needs two classes"}
    assert closing.methods_scene(Cloud([[0.0, 0.0]], [0])).describe().startswith("1 point;")
    for X, y, reason in (
        ([[0, 0], [1, 1]], [0, 1], "too few points in a class"),
        ([[0, 0], [1, 1], [2, 0], [3, 1]], [0, 0, 1, 1], "singular covariance"),
    ):
        panels = dict(
            zip(closing.METHODS, closing.methods_scene(Cloud(X, y)).panels[1:], strict=True)
        )
        assert [panels["QDA"].marks[-2].words, panels["LDA"].marks[-2].words] == [(reason,)] * 2
        assert panels["perceptron"].marks[-2].words[0].endswith("mistakes")


def test_the_table_names_every_chapter_that_teaches_a_method_and_real_names() -> None:
    import sklearn.discriminant_analysis
    import sklearn.linear_model
    import sklearn.naive_bayes
    import sklearn.neighbors
    import sklearn.svm

    slugs = {method.slug for method in closing.TABLE}
    assert slugs <= {c.slug for c in CHAPTERS}
    taught = {"linear_discriminants", "perceptron", "maximum_margin", "many_classes", "softmax"}
    assert slugs >= taught | {"logistic_training", "gaussian_classifiers", "fisher", "reduced_rank"}
    modules = [
        getattr(sklearn, m)
        for m in ("discriminant_analysis", "linear_model", "naive_bayes", "neighbors", "svm")
    ]
    for method in closing.TABLE:
        name = method.sklearn.strip("`").split("`")[0].split("(")[0]
        if name[:1].isupper():
            assert any(hasattr(module, name) for module in modules), name
    assert closing.MethodTable()._repr_markdown_().count("\n") == len(closing.TABLE) + 1


def test_the_formula_sheet_is_written_and_has_all_chapters(tmp_path) -> None:
    path = closing.save_formula_sheet(tmp_path)
    text = path.read_text(encoding="utf-8")
    stems = {c.stem: f"{c.number:02d}" for c in CHAPTERS[1:]}
    notebooks = {stem: ROOT / "notebooks" / f"{stem}.ipynb" for stem in stems}
    numbers = {stems[stem] for stem, path in notebooks.items() if not is_draft(path)}
    heads = " ".join(part.split("</h2>")[0] for part in text.split("<h2>")[1:])
    spans = {"(08 to 11)": "08 09 10 11"}
    for span, listed in spans.items():
        heads = heads.replace(span, listed)
    without = {number for number in numbers if number not in heads}
    assert not without, f"formula_sheet.html has no heading with the number of {without}"
    assert "http" not in text


# --- exercises: right answers written in other ways ----------------------------------------------


def majority_by_convolution(codes, K):
    votes = np.stack(
        [
            ndimage.convolve((codes == k).astype(int), np.ones((3, 3), int), mode="constant")
            for k in range(K)
        ]
    )
    own = np.take_along_axis(votes, codes[None], axis=0)[0]
    return np.where(own == votes.max(axis=0), codes, votes.argmax(axis=0))


def majority_by_lists(codes, K):
    rows, columns = codes.shape
    new = [[0] * columns for _ in range(rows)]
    for i in range(rows):
        for j in range(columns):
            seen = [
                int(codes[a, b])
                for a in range(i - 1, i + 2)
                for b in range(j - 1, j + 2)
                if 0 <= a < rows and 0 <= b < columns
            ]
            own = int(codes[i, j])
            new[i][j] = max(range(K), key=lambda k, s=seen, o=own: (s.count(k), k == o, -k))
    return new


def folds_by_dictionary(area, y, folds):
    of_area, turn = {}, {}
    for a in sorted(set(area.tolist())):
        label = y[list(area).index(a)]
        of_area[a] = turn.get(label, 0) % folds
        turn[label] = turn.get(label, 0) + 1
    return [of_area[a] for a in area.tolist()]


def folds_by_ranks(area, y, folds):
    fold = np.empty(len(area), int)
    for label in set(y.tolist()):
        own = y == label
        fold[own] = np.unique(area[own], return_inverse=True)[1] % folds
    return fold


DRAWN = [
    [0, 260, 320, 290, 345], [0, 315, 230, 335, 250], [1, 180, 275, 200, 290],
    [1, 310, 140, 335, 160], [2, 60, 15, 72, 30], [2, 20, 65, 30, 72],
    [3, 106, 246, 114, 249], [3, 68, 204, 72, 209],
]  # fmt: skip


def labels_by(model):
    def cheapest(X, y, X_new, C):
        P = model.fit(X, y).predict_proba(X_new)
        return [min(range(len(C)), key=lambda j, p=p: sum(p * C[:, j])) for p in P]

    return cheapest


def by_bells(X, y, X_new, C):
    """A bell for each class, by hand, and an einsum in place of the product."""
    scores = []
    for k in range(len(C)):
        own = X[y == k]
        S = np.cov(own.T)
        off = X_new - own.mean(axis=0)
        far = np.einsum("ij,ij->i", off, np.linalg.solve(S, off.T).T)
        scores.append(np.exp(-far / 2) / np.sqrt(np.linalg.det(S)) * len(own))
    return np.einsum("kn,kj->nj", scores, C).argmin(axis=1)


class TestExercises(ExerciseTests):
    slug = "land_cover"
    right_answers = {
        "land_cover.majority": [(majority_by_convolution,), (majority_by_lists,)],
        "land_cover.folds": [(folds_by_dictionary,), (folds_by_ranks,)],
        "land_cover.draw": [
            (np.array(DRAWN)[::-1],),
            ([[0, 262, 321, 288, 340], [1, 205, 272, 215, 285], *DRAWN[1:]],),
        ],
        "land_cover.costs": [
            (labels_by(make_pipeline(StandardScaler(), SklearnLogistic())),),
            (labels_by(SklearnQDA()),),
            (by_bells,),
        ],
    }
    ANY = "NumPy takes any negative length for the one that is left over"
    still_right = {
        ("table, flat = cube.reshape(-1, cube.shape[2]), codes.reshape(-1)", "1 -> 2"): ANY,
        ("votes = np.bincount(window.reshape(-1), minlength=K)", "1 -> 2"): ANY,
    }
    wrong_data = {
        "land_cover.draw": {
            "Classes counted from 1": ([[row[0] + 1, *row[1:]] for row in DRAWN],),
            "The ends are not behind the beginnings": (
                [[k, r, c, r2 - r, c2 - c] for k, r, c, r2, c2 in DRAWN if r > r2 - r],
            ),
            "Class 1 looks like vegetation": (
                [[{1: 2, 2: 1}.get(k, k), *rest] for k, *rest in DRAWN],
            ),
            "Ours again": ([[CLASSES.index(name), *r] for name in CLASSES for r in OURS[name]],),
        },
    }


def test_four_copies_of_each_pixel_fool_a_random_split_only() -> None:
    """The key of `land_cover.smaller`, with all pixels; and what its remark says of 250 a class."""
    X, y = survey.coded(CUBE, OURS)
    half = np.zeros(CUBE.shape[:2], dtype=int)
    for some in OURS.values():
        for n, r in enumerate(some):
            half[r.row : r.row_end, r.column : r.column_end] = n % 2
    half = half[tuple(landcover.training_table(CUBE, OURS).positions.T)]

    def error(train, test, X, y, most):
        scale = StandardScaler().fit(X[train])
        few_X, few_y = survey.thinned(scale.transform(X[train]), y[train], most)
        model = KNeighborsClassifier(1).fit(few_X, few_y)
        return np.mean(model.predict(scale.transform(X[test])) != y[test])

    def errors(copies, most=10**6):
        many_X, many_y, side = (np.repeat(a, copies, axis=0) for a in (X, y, half))
        i, j = np.split(np.random.default_rng(5).permutation(len(many_y)), 2)
        whole = error(side == 0, side == 1, many_X, many_y, most)
        return error(i, j, many_X, many_y, most), whole

    before, after = errors(1), errors(4)
    assert before[0] > 0.02
    assert after[0] < 0.006
    assert after[1] == pytest.approx(before[1])
    assert errors(4, most=250)[0] > 0.7 * errors(1, most=250)[0]
