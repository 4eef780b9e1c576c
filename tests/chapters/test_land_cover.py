"""What is only true of this chapter: the survey of Olinda, and the closing page."""

from functools import cache

import numpy as np
import pytest
from scipy import ndimage
from sklearn import metrics as sk
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as SklearnLDA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as SklearnQDA
from sklearn.linear_model import LogisticRegression as SklearnLogistic
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from lectures_lib.chapters import CHAPTERS, is_draft
from lectures_lib.chapters.land_cover import closing, live, pictures, survey
from lectures_lib.chapters.land_cover.survey import CLASSES, METHODS, OURS
from lectures_lib.datasets import load_olinda, load_statlog_landsat
from lectures_lib.figures import Curve, Image, Points, Region, Segments, Text
from lectures_lib.landcover import Rectangle
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


def test_flattery_and_areas_hold_what_they_are_given() -> None:
    scene = pictures.flattery_scene({"a": (0.1, 0.3), "b": (0.2, 0.25)})
    assert "a is flattered most: 0.1" in scene.describe()
    rings, dots = scene.marks(Points)
    assert rings.xy[:, 0].tolist() == [0.2, 0.1]
    assert dots.xy[:, 0].tolist() == [0.25, 0.3]
    row = {name: (10.0 * k, 9.0 * k, 12.0 * k) for k, name in enumerate(CLASSES, start=1)}
    scene = pictures.areas_scene({name: 8.0 * k for k, name in enumerate(CLASSES, start=1)}, row)
    (bars,), (dots,) = scene.marks(Segments), scene.marks(Points)
    assert bars.start[:, 0].tolist() == [1, 2, 3, 4]
    assert bars.end[:, 0].tolist() == [4, 8, 12, 16]
    assert dots.xy[:, 0].tolist() == [2, 4, 6, 8]
    assert "water 2 (1 to 4)" in scene.describe()


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


def test_the_notebook_s_correction_undoes_the_calls() -> None:
    corrected = defined("land_cover", "corrected")["corrected"]
    rng = np.random.default_rng(2)
    for _ in range(20):
        M = rng.integers(0, 20, (4, 4)) + 60 * np.eye(4, dtype=int)
        p = rng.dirichlet(np.ones(4))
        q = p @ (M / M.sum(axis=1, keepdims=True))
        np.testing.assert_allclose(corrected(M, q), p, atol=1e-9)


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
        assert panels["perceptron"].marks[-2].words == ("",)


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


def spectra_by_masks(cube, codes, K):
    return [
        cube[codes == k].mean(axis=0) if np.any(codes == k) else np.zeros(cube.shape[2])
        for k in range(K)
    ]


def spectra_by_one_hot(cube, codes, K):
    member = np.eye(K)[codes.ravel()]
    sums = member.T @ cube.reshape(codes.size, -1)
    return sums / np.maximum(member.sum(axis=0), 1)[:, None]


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


def labels_of(model, cost=True, sign=1):
    land = load_statlog_landsat()
    C = 1.0 - np.eye(6)
    C[5, :5] = 6
    scale = StandardScaler().fit(land.X[land.train])
    model.fit(scale.transform(land.X[land.train]), land.y[land.train])
    P = model.predict_proba(scale.transform(land.X[land.test]))
    return (sign * P @ (C if cost else C.T)).argmin(axis=1)


@cache
def _cheap_labels(C: float) -> np.ndarray:
    return labels_of(SklearnLogistic(C=C, max_iter=2000))


class TestExercises(ExerciseTests):
    slug = "land_cover"
    right_answers = {
        "land_cover.spectra": [(spectra_by_masks,), (spectra_by_one_hot,)],
        "land_cover.majority": [(majority_by_convolution,), (majority_by_lists,)],
        "land_cover.folds": [(folds_by_dictionary,), (folds_by_ranks,)],
        "land_cover.draw": [
            (np.array(DRAWN)[::-1],),
            ([[0, 262, 321, 288, 340], [1, 205, 272, 215, 285], *DRAWN[1:]],),
        ],
        "land_cover.share": [
            ("= p*(r - f)/(r - f)\n= p",),
            ("= (p*r + f - p*f - f)/(r - f)\n= (r*p - f*p)/(r - f)\n= p",),
        ],
        "land_cover.costs": [(_cheap_labels(1.0),), (_cheap_labels(0.1).tolist(),)],
    }
    ANY = "NumPy takes any negative length for the one that is left over"
    still_right = {
        ("table, flat = cube.reshape(-1, cube.shape[2]), codes.reshape(-1)", "1 -> 2"): ANY,
        ("votes = np.bincount(window.reshape(-1), minlength=K)", "1 -> 2"): ANY,
    }
    wrong_data = {
        "land_cover.costs": {
            "The costs transposed": (labels_of(SklearnLDA(), cost=False),),
            "Everything is wet": (np.full(2000, 5),),
            "All pixels instead of the test part": (load_statlog_landsat().y,),
            "The dearest label": (labels_of(SklearnLDA(), sign=-1),),
            "Other numbers for the classes": (np.array([1, 2, 3, 4, 5, 7])[_cheap_labels(1.0)],),
        },
        "land_cover.draw": {
            "Classes counted from 1": ([[row[0] + 1, *row[1:]] for row in DRAWN],),
            "Width and height instead of ends": (
                [[k, r, c, r2 - r, c2 - c] for k, r, c, r2, c2 in DRAWN if r > r2 - r],
            ),
            "Wood and town exchanged": ([[{1: 2, 2: 1}.get(k, k), *rest] for k, *rest in DRAWN],),
            "Ours again": ([[CLASSES.index(name), *r] for name in CLASSES for r in OURS[name]],),
        },
    }
