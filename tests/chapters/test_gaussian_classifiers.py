"""What is only true of this chapter: Gaussian classifiers: LDA, QDA, naive Bayes."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as SklearnLDA

from lectures_lib.chapters.gaussian_classifiers import live, pictures
from lectures_lib.datasets import load_vowel
from lectures_lib.figures.marks import Curve, Points, Text, Track
from lectures_lib.figures.plane import ellipse
from lectures_lib.gaussian import RegularizedDiscriminantAnalysis
from tests.chapters import defined
from tests.exercise_tests import ExerciseTests


def test_each_pair_of_ellipses_makes_the_curve_that_its_title_names() -> None:
    scene = pictures.conics_scene()
    kinds = [panel.title.split(": ")[1] for panel in scene.panels]
    assert kinds == ["line", "ellipse", "hyperbola", "parabola"]


@pytest.mark.parametrize("pair", pictures.CONICS.values(), ids=pictures.CONICS.keys())
def test_both_classes_are_equally_dense_on_the_drawn_boundary(pair) -> None:
    means, covariances = pair
    panel, _ = pictures.conic_panel(means, covariances)
    (border,) = [m for m in panel.marks if isinstance(m, Curve) and m.role == "boundary"]
    xy = np.column_stack([border.x, border.y])
    xy = xy[np.isfinite(xy).all(axis=1)]
    logs = [multivariate_normal(m, S).logpdf(xy) for m, S in zip(means, covariances, strict=True)]
    assert len(xy) > 20
    assert np.abs(logs[0] - logs[1]).max() < 1e-3


def test_the_rings_lie_at_one_and_two_deviations() -> None:
    S = np.array([[1.2, 0.5], [0.5, 0.8]])
    for size in (1.0, 2.0):
        away = ellipse([1, -1], S, size) - [1, -1]
        assert np.allclose(np.einsum("ij,jk,ik->i", away, np.linalg.inv(S), away), size**2)


def test_the_curves_of_two_methods_are_their_mean_errors() -> None:
    runs = {"LDA": [[0.3, 0.2], [0.1, 0.2]], "QDA": [[0.6, 0.1], [0.4, 0.1]]}
    curves = pictures.learning_scene((40, 300), runs).marks(Curve)
    assert [curve.y.tolist() for curve in curves] == [[0.2, 0.2], [0.5, 0.1]]


def test_every_split_is_a_dot_and_the_lines_are_means() -> None:
    splits = {"a": [[0.4, 0.1], [0.6, 0.3]], "b": [[0.5, 0.5], [0.5, 0.7]]}
    scene = pictures.splits_scene(splits, ("LDA", "QDA"))
    assert [dots.xy[:, 1].tolist() for dots in scene.marks(Points)] == [
        [0.4, 0.6], [0.1, 0.3], [0.5, 0.5], [0.5, 0.7],
    ]  # fmt: skip
    assert np.allclose([line.y[0] for line in scene.marks(Curve)], [0.5, 0.2, 0.5, 0.6])
    assert [text.words[0] for text in scene.marks(Text)] == ["a", "b"]


def test_one_shared_covariance_makes_a_line_of_any_ellipses() -> None:
    widget = live.ellipses()
    assert "the kind: ellipse" in widget.scene.describe()
    widget.shared = True
    assert "the kind: line" in widget.scene.describe()


def test_the_shared_covariance_is_pooled_with_the_priors() -> None:
    means, covariances = pictures.CONICS["wide and narrow"]
    pooled = 0.2 * np.array(covariances[0]) + 0.8 * np.array(covariances[1])
    told = pictures.conic_scene(means, covariances, prior=0.8, shared=True)
    given = pictures.conic_scene(means, [pooled, pooled], prior=0.8)
    # the first two curves are the ellipses under the hand
    rings = [[m.x for m in scene.marks(Curve)[2:]] for scene in (told, given)]
    assert all(np.allclose(a, b, equal_nan=True) for a, b in zip(*rings, strict=True))


def test_the_two_shapes_of_the_opening_picture_are_scikit_learn_s() -> None:
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(40, 2)) @ [[1.0, 0.4], [0.0, 0.7]], np.repeat([0, 1], [25, 15])
    scene = pictures.clouds_scene(X, y, ("a", "b"))
    theirs = SklearnLDA(solver="lsqr").fit(X, y)
    shared = theirs.covariance_ * 40 / 38  # theirs divides by N
    rings = [curve for panel in scene.panels for curve in panel.marks if isinstance(curve, Curve)]
    for ring, k, S in zip(
        rings, (0, 1, 0, 1), [shared, shared, np.cov(X[:25].T), np.cov(X[25:].T)], strict=True
    ):
        away = np.column_stack([ring.x, ring.y]) - theirs.means_[k]
        assert np.allclose(np.einsum("ij,jk,ik->i", away, np.linalg.inv(S), away), 4)


@pytest.mark.slow
def test_growing_samples_let_the_methods_change_places() -> None:
    assert live.samples().mode == "ahead"
    found = []
    for n in (4, 8, 16, 256):
        words = pictures.samples_scene(n).describe().split()
        found.append([float(words[words.index(name) + 1].strip(",")) for name in ("LDA", "QDA")])
    assert found == [[0.159, 0.222], [0.139, 0.145], [0.127, 0.119], [0.117, 0.105]]


def test_the_least_error_of_the_samples_is_met_by_simulation() -> None:
    rng = np.random.default_rng(0)
    wrong = []
    for k, (m, S) in enumerate(zip(*pictures.SAMPLED, strict=True)):
        X = rng.multivariate_normal(m, S, 100_000)
        logs = [multivariate_normal(a, B).logpdf(X) for a, B in zip(*pictures.SAMPLED, strict=True)]
        wrong.append(np.mean((logs[1] > logs[0]) != k))
    told = pictures.samples_scene(4).describe()
    assert abs(np.mean(wrong) - float(told.split("at best ")[1].rstrip("."))) < 0.003


def test_the_thin_ellipses_stay_under_the_hand_when_the_shape_is_shared() -> None:
    means, covariances = pictures.CONICS["wide and narrow"]
    scenes = [pictures.conic_scene(means, covariances, shared=shared) for shared in (False, True)]
    thin = [[mark for mark in scene.marks(Curve) if mark.role == "wire"] for scene in scenes]
    assert [len(mark.x) for mark in thin[0]] == [0, 0]
    for mark, mean, S in zip(thin[1], means, covariances, strict=True):
        assert np.allclose(np.column_stack([mark.x, mark.y]), ellipse(mean, S))


def test_the_cut_of_lda_lies_in_the_middle_of_the_means() -> None:
    scene = pictures.one_cut_scene([0, 0, 0, 0], [1, 1, 1, 37])
    assert scene.describe() == "LDA cuts at 5 and misses 3 of 8."
    X, y = np.array([[0.0]] * 4 + [[1.0]] * 3 + [[37.0]]), np.repeat([0, 1], 4)
    assert np.sum(SklearnLDA().fit(X, y).predict(X) != y) == 3


# --- whose own shape? ----------------------------------------------------------------------------

RULES = {
    "LDA": [(0, 0)],
    "QDA": [(1, 0)],
    "any α": [(0, 0), (0.5, 0), (1, 0)],
    "LDA, any γ": [(0, 0), (0, 0.5)],
    "QDA, any γ": [(1, 0), (1, 0.5)],
    "any α, any γ": [(a, g) for a in (0, 0.5, 1) for g in (0, 0.5)],
}


def notebook_code(**changes) -> SimpleNamespace:
    """The functions with which the notebook compares rules on the vowels, on a small grid."""
    data = load_vowel()
    scope = {"vowels": SimpleNamespace(X=data.X, y=data.y, groups=data.groups), "RULES": RULES}
    scope["vowels"].__dict__.update(changes)
    for first in ("fit", "pulled", "errors", "chosen", "halves"):
        scope |= defined("gaussian_classifiers", first, **scope)
    return SimpleNamespace(**scope)


def test_own_shapes_beat_one_shape_when_both_are_pulled_and_lose_when_neither_is() -> None:
    code = notebook_code()
    found = code.comparison(code.halves(code.vowels.groups, 10, seed=5))
    mean = {rule: float(np.mean(errors)) for rule, errors in found.items()}
    assert mean["QDA"] > mean["LDA"]
    assert mean["any α"] < mean["LDA"] - 0.01
    assert abs(mean["any α"] - mean["LDA, any γ"]) < 0.03  # α alone decides nothing
    assert mean["QDA, any γ"] < mean["LDA, any γ"] - 0.05
    assert np.sum(found["QDA, any γ"] < found["LDA, any γ"]) >= 9


def test_it_is_the_shape_and_not_only_the_size_that_is_worth_estimating() -> None:
    code = notebook_code()
    round_, half = np.transpose(
        [
            code.errors(part, ~part, [(1, 1), (1, 0.5)])
            for part in code.halves(code.vowels.groups, 10, seed=5)
        ]
    )
    assert np.mean(half) < np.mean(round_) - 0.05
    assert np.sum(half < round_) >= 9


@pytest.mark.slow
@pytest.mark.parametrize("seed", [6, 7])
def test_the_answer_does_not_hang_on_the_units_of_the_features(seed: int) -> None:
    """Only the pull towards round clouds knows units: once more with equal variances."""
    data = load_vowel()
    widths = np.sqrt(np.mean([data.X[data.y == k].var(axis=0) for k in range(11)], axis=0))
    code = notebook_code(X=data.X / widths)
    found = code.comparison(code.halves(data.groups, 20, seed=seed))
    assert np.mean(found["QDA, any γ"]) < np.mean(found["LDA, any γ"]) - 0.05


def test_the_pull_is_chosen_without_a_look_outside_the_part() -> None:
    data = load_vowel()
    part = data.groups < 8
    scrambled = np.where(part, data.y, np.random.default_rng(0).integers(0, 11, len(data.y)))
    assert notebook_code().chosen(part) == notebook_code(y=scrambled).chosen(part)


def test_no_speaker_is_on_both_sides_of_a_split() -> None:
    code = notebook_code()
    for part in code.halves(code.vowels.groups, 5):
        inside, outside = (set(code.vowels.groups[rows]) for rows in (part, ~part))
        assert (len(inside), len(outside)) == (8, 7)
        assert not inside & outside


@pytest.mark.parametrize("pull", [(0, 0), (1, 0), (0.3, 0), (0.7, 0.4)])
def test_the_notebook_s_shapes_and_answers_are_the_library_s(pull) -> None:
    code = notebook_code()
    X, y = code.vowels.X, code.vowels.y
    priors, means, own = code.fit(X, y, shared=False)
    shapes = code.pulled(own, code.fit(X, y, shared=True)[2], *pull)
    library = RegularizedDiscriminantAnalysis(pull[0], shrinkage=pull[1]).fit(X, y)
    assert np.allclose(shapes, library.covariance_)
    joint = code.discriminants(X, priors, means, shapes) - 5 * np.log(2 * np.pi)
    assert np.allclose(joint, library.predict_joint_log_proba(X))


def small_way() -> pictures.Pulls:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(30, 2)), np.repeat([0, 1], 15)
    errors = rng.uniform(0.4, 0.5, (4, 2, 3))
    shapes = np.array([[[np.eye(2) * (1 + i + j)] * 2 for j in range(3)] for i in range(2)])
    alphas, gammas = np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.5])
    return pictures.Pulls(X, y, ("a", "b"), alphas, gammas, shapes, errors)


def test_the_mark_lies_on_the_curve_of_its_gamma_and_is_held_there() -> None:
    way = small_way()
    scene = pictures.pulls_scene(way, 0.5, 0.5)
    mean = way.errors.mean(axis=0)[1]
    (mark,) = [points for points in scene.marks(Points) if points.look == "focus"]
    assert np.allclose(mark.xy, [[0.5, mean[1]]])
    (track,) = scene.marks(Track)
    assert track.handle == "alpha"
    assert np.allclose(track.xy[:, 1], mean)
    ahead = int(np.sum(way.errors[:, 1, 1] < way.errors[:, 0, 0]))
    assert scene.describe() == (
        f"α = 0.5, γ = 0.50: mean error {mean[1]:.3f}, spread "
        f"{way.errors[:, 1, 1].std():.3f}, ahead of LDA in {ahead} of 4 splits; for this γ it is "
        f"smallest at α = {way.alphas[mean.argmin()]:.1f}, {mean.min():.3f}."
    )


def test_the_bold_ellipses_have_the_pulled_shapes_and_the_thin_ones_their_own() -> None:
    way = small_way()
    rings = [m for m in pictures.pulls_scene(way, 1.0, 0.5).panels[0].marks if isinstance(m, Curve)]
    assert [ring.role for ring in rings] == ["wire", "class0", "wire", "class1"]
    for k in (0, 1):
        own = way.X[way.y == k]
        for ring, S in zip(
            rings[2 * k : 2 * k + 2], (np.cov(own.T), way.shapes[1, 2, k]), strict=True
        ):
            away = np.column_stack([ring.x, ring.y]) - own.mean(axis=0)
            assert np.allclose(np.einsum("ij,jk,ik->i", away, np.linalg.inv(S), away), 4)


def test_all_pulls_are_sent_ahead() -> None:
    widget = live.pulls(small_way())
    assert widget.mode == "ahead"
    widget.alpha, widget.gamma = 0.0, 0.5
    assert widget.scene.describe().startswith("α = 0.0, γ = 0.50")


# --- exercises: right answers written in other ways ----------------------------------------------


def coefficients_by_a_loop(means, S, priors):
    rows = [np.linalg.solve(S, m) for m in means]
    pairs = zip(rows, means, priors, strict=True)
    return rows, [np.log(p) - 0.5 * float(np.dot(row, m)) for row, m, p in pairs]


def coefficients_by_eigenvectors(means, S, priors):
    d, U = np.linalg.eigh(S)
    W = means @ (U / d) @ U.T
    return W, np.log(priors) - 0.5 * np.diag(W @ means.T)


def posterior_by_counting(X, y, x):
    joint = {0: 1.0, 1: 1.0}
    for k in joint:
        own = [row for row, label in zip(X, y, strict=True) if label == k]
        joint[k] *= len(own) / len(y)
        for j, value in enumerate(x):
            joint[k] *= (sum(row[j] == value for row in own) + 1) / (len(own) + 2)
    return joint[1] / sum(joint.values())


def posterior_by_log_odds(X, y, x):
    p = [(X[y == k].sum(0) + 1) / (np.sum(y == k) + 2) for k in (0, 1)]
    odds = np.log(np.mean(y) / (1 - np.mean(y))) + np.log((1 - p[1]) / (1 - p[0])).sum()
    odds += (x * np.log(p[1] * (1 - p[0]) / (p[0] * (1 - p[1])))).sum()
    return 1 / (1 + np.exp(-odds))


class TestExercises(ExerciseTests):
    slug = "gaussian_classifiers"
    right_answers = {
        "gaussian_classifiers.coefficients": [
            (coefficients_by_a_loop,),
            (coefficients_by_eigenvectors,),
        ],
        "gaussian_classifiers.table": [(posterior_by_counting,), (posterior_by_log_odds,)],
        "gaussian_classifiers.missed": [
            (np.array([0.0, 0.5, 1.0]), (2, 3, 400)),
            ([-90, 0, 0, 0], [1, 1, 1, 1]),
        ],
        "gaussian_classifiers.conics": [
            ([[2, 0], [0, 8]], [[4, 1], [1, 1]], [[1, 0], [0, 9]]),
            (np.eye(2) / 4, [[0.5, -0.5], [-0.5, 6]], [[1.0, 0.0], [0.0, 0.5]]),
        ],
    }
    JOINT = "log_joint[k] = np.log(N_k / len(y)) + np.log(np.where(x == 1, q, 1 - q)).sum()"
    still_right = {
        ("log_joint = np.zeros(2)", "2 -> 3"): "a third entry is never read",
        (JOINT, "Div -> Mult"): "both classes get the same constant",
    }
    wrong_data = {
        "gaussian_classifiers.missed": {
            "They overlap": ([0, 1, 5], [2, 6, 7]),
            "The groups are exchanged": ([5, 6, 7], [0, 1, 2]),
            "Unequal numbers": ([0, 0, 0], [1, 1, 1, 50]),
            "The middle of the means lies in the gap": ([0, 1, 2], [5, 6, 12]),
        },
        "gaussian_classifiers.conics": {
            "No covariance": ([[0.5, 0], [0, 0.5]], [[1, 3], [3, 1]], [[1, 0], [0, 1]]),
            "The same shape": ([[1, 0], [0, 4]], [[3, 0.5], [0.5, 1]], [[1, 0], [0, 1]]),
            "Parallel lines": ([[0.5, 0], [0, 0.5]], [[3, 0.5], [0.5, 1]], [[2, 0], [0, 4]]),
            "Crosswise, not tilted": ([[0.5, 0], [0, 0.5]], [[3, 0], [0, 1]], [[1, 0], [0, 1]]),
            "Ellipse and hyperbola exchanged": (
                [[3, 0.5], [0.5, 1]],
                [[0.5, 0.1], [0.1, 0.5]],
                [[1, 0], [0, 1]],
            ),
        },
    }
