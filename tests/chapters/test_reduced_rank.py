"""What is only true of this chapter: Many-class Fisher and reduced-rank LDA."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline

from lectures_lib.chapters.reduced_rank import live, pictures
from lectures_lib.datasets import load_vowel
from lectures_lib.figures.marks import Arrow, Curve, Points, Region
from lectures_lib.fisher import scatter_matrices
from lectures_lib.widgets import TurnAt
from tests.chapters import defined
from tests.exercise_tests import ExerciseTests

VOWELS = load_vowel()
TRAIN, TEST = VOWELS.rows(VOWELS.train), VOWELS.rows(VOWELS.test)
CLOUD, of_class = pictures.cloud()
VIEWS = [TurnAt(turn, tilt) for turn in (0, 75, 200) for tilt in (-45, 0, 30)]


FOUND = {
    **defined("reduced_rank", "axes_by_sphering", scatter_matrices=scatter_matrices),
    "nearest_mean": defined("reduced_rank", "nearest_mean")["nearest_mean"],
}


def test_the_axes_of_the_notebook_are_those_of_scikit_learn() -> None:
    J, axes = FOUND["axes_by_sphering"](TRAIN.X, TRAIN.y)
    theirs = LinearDiscriminantAnalysis(n_components=10).fit(TRAIN.X, TRAIN.y)
    ours = (TRAIN.X - theirs.xbar_) @ axes
    for mine, other in zip(ours.T, theirs.transform(TRAIN.X).T, strict=True):
        assert abs(np.corrcoef(mine, other)[0, 1]) == pytest.approx(1, abs=1e-6)
    np.testing.assert_allclose(J / J.sum(), theirs.explained_variance_ratio_, atol=1e-10)


@pytest.mark.parametrize("k", [1, 2, 6, 10])
def test_the_pipeline_that_the_text_recommends_is_reduced_rank_lda(k: int) -> None:
    """`predict` of scikit-learn's LDA ignores n_components; a second one behind it does not."""
    _, axes = FOUND["axes_by_sphering"](TRAIN.X, TRAIN.y)
    ours = FOUND["nearest_mean"](TRAIN.X, TRAIN.y, TEST.X, axes[:, :k])
    first = LinearDiscriminantAnalysis(n_components=k)
    piped = make_pipeline(first, LinearDiscriminantAnalysis()).fit(TRAIN.X, TRAIN.y)
    assert np.array_equal(ours, piped.predict(TEST.X))
    full = LinearDiscriminantAnalysis().fit(TRAIN.X, TRAIN.y).predict(TEST.X)
    assert np.array_equal(first.fit(TRAIN.X, TRAIN.y).predict(TEST.X), full)


@pytest.mark.parametrize("view", VIEWS, ids=str)
@pytest.mark.parametrize("stage", pictures.STAGES)
def test_the_criterion_of_a_view_is_the_sum_of_the_eigenvalues_of_what_is_seen(
    view: TurnAt, stage: str
) -> None:
    Z, _ = pictures.staged(CLOUD, of_class, stage)
    J, mistakes = pictures.criterion_of_view(Z, of_class, view)
    seen = Z @ view.directions
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(seen, of_class)
    within = sum(np.cov(seen[of_class == k].T) * 15 for k in range(3))
    between = np.cov(seen.T) * 47 - within
    values = np.linalg.eigvals(np.linalg.solve(within, between)).real
    assert pytest.approx(values.sum(), rel=1e-8) == J
    assert mistakes == int((theirs.predict(seen) != of_class).sum())


def test_sphering_makes_round_classes_and_projecting_keeps_every_decision() -> None:
    Z, corners = pictures.staged(CLOUD, of_class, "sphered")
    centred = np.concatenate([Z[of_class == k] - Z[of_class == k].mean(axis=0) for k in range(3)])
    np.testing.assert_allclose(centred.T @ centred / (48 - 3), np.eye(3), atol=1e-10)
    flat, _ = pictures.staged(CLOUD, of_class, "projected")
    assert np.linalg.matrix_rank(flat - flat[0], tol=1e-8) == 2
    by_all, by_plane = (NearestCentroid().fit(part, of_class).predict(part) for part in (Z, flat))
    assert np.array_equal(by_all, by_plane)
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    means = [Z[of_class == k].mean(axis=0) for k in range(3)]
    np.testing.assert_allclose([normal @ (m - corners[0]) for m in means], 0, atol=1e-9)


@pytest.mark.slow
def test_the_bar_of_the_live_cloud_is_full_face_on_and_from_every_side_of_the_projection() -> None:
    widget = live.space()
    assert widget.mode == "ahead", widget.why
    assert "17% of the best" in widget.scene.describe()
    widget.stage, widget.view = 2, (330, -30)
    assert "100% of the best" in widget.scene.describe()
    widget.stage = 0
    assert "92% of the best" in widget.scene.describe()
    for view in VIEWS:
        widget.stage, widget.view = 3, (view.turn, view.tilt)
        assert "100% of the best" in widget.scene.describe()
        (bar,) = (m for m in widget.scene.panels[1].marks if isinstance(m, Region))
        assert bar.polygons[0][:, 0].max() == pytest.approx(1, abs=1e-6)


def test_as_measured_the_best_side_is_end_on_and_narrow() -> None:
    scenes = pictures.space_scene
    assert "100% of the best" in scenes(TurnAt(314, -25), "as measured").describe()
    assert "88% of the best" in scenes(TurnAt(314, -20), "as measured").describe()
    assert "99% of the best" in scenes(TurnAt(314, -20), "sphered").describe()
    long = np.linalg.eigh(sum(np.cov(CLOUD[of_class == k].T) for k in range(3)))[1][:, -1]
    towards_the_reader = np.cross(*TurnAt(314, -25).directions.T)
    assert abs(long @ towards_the_reader) > np.cos(np.radians(5))


def test_a_cloud_seen_from_its_edge_is_a_line_and_no_error() -> None:
    Z, corners = pictures.staged(CLOUD, of_class, "projected")
    normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
    across = np.degrees(np.arctan2(normal[1], normal[0]))  # looks along a line of the plane
    J, _ = pictures.criterion_of_view(Z, of_class, TurnAt(float(-across) % 360, 0.0))
    assert np.isfinite(J)


def test_the_words_stand_at_the_class_means_of_their_plane() -> None:
    z = LinearDiscriminantAnalysis(n_components=2).fit_transform(TRAIN.X, TRAIN.y)
    scene = pictures.words_scene(z, TRAIN.y)
    (means,) = (p.xy for p in scene.marks(Points) if p.look == "ring")
    np.testing.assert_allclose(means, NearestCentroid().fit(z, TRAIN.y).centroids_)
    assert sum(len(p.xy) for p in scene.marks(Points) if p.look != "ring") == 528
    assert "wrong for 35%" in scene.describe()


def test_a_curve_that_is_a_mean_has_a_band_and_its_ring_at_the_smallest_value() -> None:
    rows = np.array([[0.5, 0.1, 0.4], [0.7, 0.3, 0.2]])
    scene = pictures.dimension_scene({"a mean": rows, "one run": [0.6, 0.5, 0.4]})
    assert len(scene.marks(Region)) == 1
    first, second = scene.marks(Curve)
    np.testing.assert_allclose(first.y, [0.6, 0.2, 0.3])
    (ring,) = scene.marks(Points)
    np.testing.assert_allclose(ring.xy, [[2, 0.2], [3, 0.4]])
    assert second.y[2] == 0.4


def test_the_arrows_of_a_voice_lead_from_the_other_voices_to_its_own_words() -> None:
    widget = live.voices()
    assert widget.mode == "ahead", widget.why
    widget.voice, widget.axes = 8, (3, 4)
    (arrows,) = widget.scene.marks(Arrow)
    known = TRAIN.groups != 7
    model = LinearDiscriminantAnalysis(n_components=4).fit(TRAIN.X[known], TRAIN.y[known])
    z = model.transform(TRAIN.X)[:, 2:]
    for rows, drawn in ((known, arrows.start), (~known, arrows.end)):
        theirs = np.array([z[rows & (TRAIN.y == k)].mean(axis=0) for k in range(11)])
        theirs *= np.sqrt((462 - 11) / 462)  # scikit-learn divides the scatter by N
        np.testing.assert_allclose(np.abs(drawn), np.abs(theirs), atol=1e-6)


# --- exercises: right answers written in other ways ----------------------------------------------


def scatters_by_loops(X, y):
    d = len(X[0])
    within, between = [[0.0] * d for _ in range(d)], [[0.0] * d for _ in range(d)]
    mu = [sum(column) / len(X) for column in zip(*X, strict=True)]
    for x, label in zip(X, y, strict=True):
        own = [row for row, k in zip(X, y, strict=True) if k == label]
        centre = [sum(column) / len(own) for column in zip(*own, strict=True)]
        for i in range(d):
            for j in range(d):
                within[i][j] += (x[i] - centre[i]) * (x[j] - centre[j])
                between[i][j] += (centre[i] - mu[i]) * (centre[j] - mu[j])
    return within, between


def scatters_by_difference(X, y):
    total = np.cov(X.T, bias=True).reshape(X.shape[1], -1) * len(X)
    within = sum(
        np.cov(X[y == k].T, bias=True).reshape(X.shape[1], -1) * np.sum(y == k) for k in set(y)
    )
    return within, total - within


def distances_by_the_inverse(X, y, X_new):
    K = len(set(y))
    means = [X[y == k].mean(axis=0) for k in range(K)]
    S = sum((X[y == k] - means[k]).T @ (X[y == k] - means[k]) for k in range(K)) / (len(X) - K)
    P = np.linalg.inv(S)
    return [[(x - m) @ P @ (x - m) for m in means] for x in X_new]


def distances_by_cholesky(X, y, X_new):
    means = np.array([X[y == k].mean(axis=0) for k in np.unique(y)])
    R = X - means[y]
    L = np.linalg.cholesky(R.T @ R / (len(X) - len(means)))
    flat = (X_new[:, None] - means).reshape(-1, X.shape[1])
    return np.sum(np.linalg.solve(L, flat.T) ** 2, axis=0).reshape(len(X_new), -1)


STRIP = np.array([[-9, 0.2], [-3, -0.2], [3, -0.2], [9, 0.2]])
TURN = np.array([[0.6, 0.8], [-0.8, 0.6]])
ROUND = np.array([[0, 0], [1, 0.2], [0.2, 1], [1, 1]])
LABELS = np.repeat([0, 1, 2], 4)


def strips(base, step):
    return np.concatenate([base + np.multiply(step, k) for k in range(3)])


MIXED = "= sum((x[j] - mean(x))**2 + 2*(x[j] - mean(x))*(mean(x) - c) + (mean(x) - c)**2, j, 1, m)"
CHANGED = ("the left operand alone", "the right operand alone", "Add -> Sub", "Sub -> Add")


class TestExercises(ExerciseTests):
    slug = "reduced_rank"
    still_right = dict.fromkeys(
        [(MIXED, what) for what in (*CHANGED, "2 -> 3", "2 -> 1")], "the mixed terms sum to 0"
    )
    right_answers = {
        "reduced_rank.scatters": [(scatters_by_loops,), (scatters_by_difference,)],
        "reduced_rank.distances": [(distances_by_the_inverse,), (distances_by_cholesky,)],
        "reduced_rank.rescue": [
            (strips(STRIP, (5, 1.5)), LABELS),
            (strips(STRIP, (5, 1.5)) @ TURN + 100, LABELS[::-1]),
        ],
    }
    wrong_data = {
        "reduced_rank.rescue": {
            "Not misleading yet": (strips(ROUND, (9, 3)), LABELS),
            "Sphering is not enough": (strips(ROUND, (0.1, 0.1)), LABELS),
            "No width": (strips(STRIP * [1, 0], (5, 1.5)), LABELS),
            "Not three classes of 9 to 40 points": (strips(STRIP, (5, 1.5)), LABELS // 2),
        }
    }
