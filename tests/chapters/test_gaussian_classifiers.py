"""What is only true of this chapter: Gaussian classifiers: LDA, QDA, naive Bayes."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as SklearnLDA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as SklearnQDA

from lectures_lib.chapters.gaussian_classifiers import live, pictures
from lectures_lib.datasets import load_statlog_landsat, load_vowel
from lectures_lib.figures.marks import Curve, Points, Raster, Text
from lectures_lib.gaussian import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from tests.exercise_tests import ExerciseTests


def test_the_published_errors_of_the_vowels_are_met() -> None:
    vowels = load_vowel()
    train, test = vowels.rows(vowels.train), vowels.rows(vowels.test)
    found = []
    for model in (LinearDiscriminantAnalysis(), QuadraticDiscriminantAnalysis()):
        model.fit(train.X, train.y)
        found.append([round(1 - model.score(part.X, part.y), 2) for part in (train, test)])
    assert found == [[0.32, 0.56], [0.01, 0.53]]


def test_the_published_errors_of_the_satellite_pixels_are_met() -> None:
    pixels = load_statlog_landsat()
    train, test = pixels.rows(pixels.train), pixels.rows(pixels.test)
    model = LinearDiscriminantAnalysis().fit(train.X, train.y)
    assert [round(1 - model.score(part.X, part.y), 3) for part in (train, test)] == [0.149, 0.171]


def test_shuffled_utterances_praise_qda_and_shuffled_speakers_do_not() -> None:
    # with scikit-learn's models, so that only the data decide
    vowels = load_vowel()
    rng = np.random.default_rng(5)
    gap = {}
    for name, unit in {"utterances": np.arange(990), "speakers": vowels.groups}.items():
        found = []
        for _ in range(30):
            part = np.isin(unit, rng.permutation(np.unique(unit))[: len(np.unique(unit)) * 8 // 15])
            models = [SklearnLDA(), SklearnQDA()]
            found.append(
                [
                    1
                    - m.fit(vowels.X[part], vowels.y[part]).score(vowels.X[~part], vowels.y[~part])
                    for m in models
                ]
            )
        lda, qda = np.mean(found, axis=0)
        gap[name] = qda - lda
    assert gap["utterances"] < -0.2
    assert gap["speakers"] > 0


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
        away = pictures.ellipse_of([1, -1], S, size) - [1, -1]
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


def test_the_gallery_holds_the_grey_values_that_it_was_given() -> None:
    image = np.arange(64.0).reshape(1, 64) / 4
    (raster,) = pictures.gallery_scene({"one": image}).marks(Raster)
    assert np.allclose(raster.values[1:-1, 1:-1], image.reshape(8, 8) / 16)


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
    rings = [[m.x for m in scene.marks(Curve)] for scene in (told, given)]
    assert all(np.allclose(a, b, equal_nan=True) for a, b in zip(*rings, strict=True))


class TestExercises(ExerciseTests):
    slug = "gaussian_classifiers"
    right_answers = {}
