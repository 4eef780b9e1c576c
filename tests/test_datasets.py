"""The shipped data against published facts, the synthetic samples against what they promise."""

from __future__ import annotations

from fractions import Fraction
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
import sklearn.datasets
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib import datasets
from lectures_lib.datasets import DataSet

LOADERS = [getattr(datasets, name) for name in datasets.__all__ if name.startswith("load_")]


@pytest.fixture(scope="module", params=LOADERS, ids=lambda loader: loader.__name__)
def shipped(request: pytest.FixtureRequest) -> DataSet:
    return request.param()


def test_every_shipped_file_has_a_loader_and_a_paragraph_on_its_source() -> None:
    folder = files("lectures_lib.datasets")
    sources = (folder / "SOURCES.md").read_text(encoding="utf-8")
    names = sorted(f.name for f in (folder / "files").iterdir())
    assert len(names) == len(LOADERS) == 8
    for name in names:
        assert f"### {name}, `load_" in sources
    for loader in LOADERS:
        assert f"`{loader.__name__}()`" in sources


def test_the_record_and_the_sources_file_name_the_same_dois(shipped: DataSet) -> None:
    sources = (files("lectures_lib.datasets") / "SOURCES.md").read_text(encoding="utf-8")
    if "doi:" in shipped.source:
        assert "https://doi.org/" + shipped.source.split("doi:")[1] in sources
        assert "CC BY 4.0" in shipped.licence
        assert "https://creativecommons.org/licenses/by/4.0/" in shipped.licence
    else:
        assert shipped.name in {"titanic", "olinda"}


def test_every_record_is_consistent(shipped: DataSet) -> None:
    n, d = shipped.X.shape
    assert shipped.X.dtype == np.float64
    assert shipped.y.dtype == np.int64
    assert shipped.y.shape == (n,)
    assert len(shipped.feature_names) == len(set(shipped.feature_names)) == d
    present = np.unique(shipped.y)
    if shipped.class_names:
        assert list(present) == list(range(len(shipped.class_names)))
    else:
        assert list(present) == [-1]
    assert not np.isinf(shipped.X).any()
    for words in (f"{shipped.name}: {n} examples", shipped.source, shipped.licence):
        assert words in repr(shipped)


def test_loading_twice_gives_independent_copies() -> None:
    datasets.load_iris().X[:] = 0
    assert datasets.load_iris().X.min() > 0


@pytest.mark.parametrize("name", ["iris", "digits", "breast_cancer"])
def test_three_tables_are_scikit_learns_with_malignant_as_the_positive_class(name: str) -> None:
    ours = getattr(datasets, f"load_{name}")()
    theirs = getattr(sklearn.datasets, f"load_{name}")()
    np.testing.assert_array_equal(ours.X, theirs.data)
    cancer = name == "breast_cancer"
    np.testing.assert_array_equal(ours.y, 1 - theirs.target if cancer else theirs.target)
    if cancer:
        assert [n.replace("_", " ") for n in ours.feature_names] == list(theirs.feature_names)
    if name == "digits":
        np.testing.assert_array_equal(ours.images, theirs.images)


def test_spambase_has_the_statistics_of_its_documentation() -> None:
    spam = datasets.load_spambase()
    assert list(np.bincount(spam.y)) == [2788, 1813]
    runs = spam.X[:, -3:]
    assert list(runs.min(axis=0)) == [1, 1, 1]
    assert list(runs.max(axis=0)) == [1102.5, 9989, 15841]
    assert runs.mean(axis=0) == pytest.approx([5.1915, 52.173, 283.29], rel=1e-4)
    assert spam.X[:, :-3].min() == 0
    assert spam.X[:, :-3].max() <= 100


def test_titanic_has_the_published_totals_and_its_missing_ages() -> None:
    titanic = datasets.load_titanic()
    female, age, passenger_class = titanic.X.T
    assert list(np.bincount(passenger_class.astype(int))) == [0, 323, 277, 709]
    assert female.sum() == 466
    assert titanic.y.sum() == 500
    assert titanic.missing.sum() == np.isnan(age).sum() == 263
    assert np.nanmean(age) == pytest.approx(29.8811, abs=1e-4)
    known = titanic.complete()
    assert len(known.X) == 1046
    assert not known.missing.any()
    np.testing.assert_array_equal(known.y, titanic.y[~np.isnan(age)])


def test_vowel_has_each_speaker_saying_each_word_six_times() -> None:
    vowel = datasets.load_vowel()
    counts = np.zeros((15, 11), dtype=int)
    np.add.at(counts, (vowel.groups, vowel.y), 1)
    assert (counts == 6).all()
    assert (vowel.train.sum(), vowel.test.sum()) == (528, 462)
    assert set(vowel.groups[vowel.train]) == set(range(8))
    assert set(vowel.groups[vowel.test]) == set(range(8, 15))


def test_statlog_landsat_has_the_published_counts_per_class_and_split() -> None:
    soil = datasets.load_statlog_landsat()
    assert list(np.bincount(soil.y[soil.train])) == [1072, 479, 961, 415, 470, 1038]
    assert list(np.bincount(soil.y[soil.test])) == [461, 224, 397, 211, 237, 470]
    assert soil.feature_names[16:20] == tuple(
        f"middle_centre_{band}" for band in ("green", "red", "infrared1", "infrared2")
    )
    # Neighbouring pixels are alike: a wrong order of the columns would show here.
    same_band = np.corrcoef(soil.X[:, 16], soil.X[:, 20])[0, 1]
    other_band = np.corrcoef(soil.X[:, 16], soil.X[:, 18])[0, 1]
    assert same_band > 0.9 > abs(other_band)


def test_olinda_is_the_same_scene_as_cube_and_as_table() -> None:
    olinda = datasets.load_olinda()
    assert olinda.cube.shape == (352, 349, 6)
    assert olinda.cube.dtype == np.uint8
    np.testing.assert_array_equal(olinda.X[5 * 349 + 7], olinda.cube[5, 7])
    # Water is dark in the near infrared, vegetation bright: the bands are in the stated order.
    blue, _, red, near_infrared, _, _ = olinda.X.T
    water = near_infrared < 20
    assert water.mean() > 0.1
    assert (blue[water] > near_infrared[water]).mean() > 0.99
    greenest = np.argsort(near_infrared - red)[-1000:]
    assert (near_infrared[greenest] > 2 * red[greenest]).all()


def test_what_a_set_does_not_have_is_refused_in_words() -> None:
    for name, lacks in (("iris", "train"), ("iris", "images"), ("olinda", "labels")):
        with pytest.raises(AttributeError, match=f"'{name}'"):
            getattr(getattr(datasets, f"load_{name}")(), lacks)


def test_only_selects_classes_and_codes_them_in_the_order_given() -> None:
    iris = datasets.load_iris()
    pair = iris.only("virginica", "setosa")
    assert pair.class_names == ("virginica", "setosa")
    np.testing.assert_array_equal(pair.labels, iris.labels[iris.y != 1])
    with pytest.raises(ValueError, match="class_names: found"):
        iris.only("setosa", "tulip")
    vowel = datasets.load_vowel()
    assert vowel.rows(vowel.test).test.all()
    np.testing.assert_array_equal(vowel.rows(vowel.test).groups, vowel.groups[vowel.test])


# --- synthetic samples -----------------------------------------------------------------------


def test_gaussian_classes_have_the_moments_that_were_asked_for() -> None:
    means = np.array([[0.0, 1.0], [5.0, -2.0]])
    covariances = np.array([[[2.0, 1.2], [1.2, 1.0]], [[0.5, 0.0], [0.0, 3.0]]])
    sample = datasets.make_gaussian_classes(means, covariances, [0.3, 0.7], 60_000, 0)
    assert sample.y.mean() == pytest.approx(0.7, abs=0.01)
    for k in range(2):
        X = sample.X[sample.y == k]
        assert X.mean(axis=0) == pytest.approx(means[k], abs=0.05)
        assert np.cov(X.T) == pytest.approx(covariances[k], abs=0.08)


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 4), st.integers(0, 4), st.sampled_from([1e-6, 1.0, 1e6]), st.integers(0, 999))
def test_the_square_root_of_a_covariance_multiplies_back(
    d: int, rank: int, unit: float, seed: int
) -> None:
    """The same draws with covariance I and S differ by the factor A with A A' = S, of any rank."""
    M = np.random.default_rng(seed).standard_normal((d, rank))
    units = np.r_[unit, np.ones(d - 1)]
    S = (M @ M.T) * np.outer(units, units)
    Z, X = (datasets.make_gaussian_classes([[0] * d], C, None, 40, 0).X for C in (np.eye(d), S))
    A = np.linalg.lstsq(Z, X / units)[0].T
    np.testing.assert_allclose(A @ A.T, M @ M.T, atol=1e-9)
    np.testing.assert_allclose(np.triu(A, 1), 0, atol=1e-12)


@settings(deadline=None, max_examples=25)
@given(
    n=st.integers(2, 30),
    d=st.integers(1, 6),
    margin=st.sampled_from([1e-9, 1e-3, 0.05, 1.0, 30.0]),
    spread=st.sampled_from([1e-3, 1.0, 1e6]),
    seed=st.integers(0, 2**32),
)
def test_the_stated_margin_holds_in_exact_arithmetic(
    n: int, d: int, margin: float, spread: float, seed: int
) -> None:
    sample = datasets.make_separable(n, d, margin, seed, spread=spread)
    w = [Fraction(float(v)) for v in sample.w_star]
    w0 = Fraction(sample.w0_star)
    squared_length = sum(v * v for v in w)
    assert float(squared_length) == pytest.approx(1, abs=1e-14)
    nearest = [Fraction(10**20)] * 2
    for x, y in zip(sample.X, sample.y.tolist(), strict=True):
        g = sum(a * Fraction(float(b)) for a, b in zip(w, x, strict=True)) + w0
        nearest[y] = min(nearest[y], (2 * y - 1) * g)
    assert min(nearest) ** 2 >= Fraction(margin) ** 2 * squared_length
    assert min(nearest) > 0
    just = pytest.approx(margin, abs=1e-7 * max(spread, margin))
    assert [float(g) for g in nearest] == [just, just]
    assert abs(np.subtract(*np.bincount(sample.y))) <= 1


def test_avocados_are_two_prices_classes_whose_ratio_at_1_40_is_near_the_worked_example() -> None:
    sample = datasets.make_avocados(50_000, 0)
    assert sample.feature_names == ("price",)
    assert sample.class_names == ("ordinary", "organic")
    assert sample.y.mean() == pytest.approx(0.4, abs=0.01)
    near = np.abs(sample.X[:, 0] - 1.4) < 0.02
    share = sample.y[near].mean()
    likelihood_ratio = share / (1 - share) * 0.6 / 0.4
    assert likelihood_ratio == pytest.approx(np.exp(0.64), rel=0.1)


def test_outliers_lie_on_the_side_that_their_kind_says() -> None:
    for wrong in (False, True):
        sample = datasets.make_outliers(100, 10, 0, wrong=wrong)
        assert sample.outlier.sum() == 10
        assert sample.outlier[-10:].all()
        assert (sample.y[sample.outlier] == 1).all()
        far = sample.X[sample.outlier, 0]
        assert (far < -15).all() if wrong else (far > 15).all()
        assert np.abs(sample.X[~sample.outlier]).max() < 10


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: datasets.make_gaussian_classes([[0.0], [1.0]], [[1.0]], None, 20, rng),
        lambda rng: datasets.make_separable(20, 3, 0.1, rng),
        lambda rng: datasets.make_avocados(20, rng),
        lambda rng: datasets.make_outliers(20, 3, rng),
    ],
)
def test_a_seed_and_its_generator_draw_the_same_sample(draw: Any) -> None:
    np.testing.assert_array_equal(draw(7).X, draw(np.random.default_rng(7)).X)
    assert not np.array_equal(draw(7).X, draw(8).X)
    with pytest.raises(TypeError, match="rng: found None"):
        draw(None)
    assert "synthetic" in repr(draw(7))


def gaussian(covariance: Any, priors: Any = None, n: int = 5) -> DataSet:
    return datasets.make_gaussian_classes([[0, 0]], covariance, priors, n, 0)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: datasets.make_separable(1, 2, 0.1, 0), "n: found 1"),
        (lambda: datasets.make_separable(10, 2, 0.0, 0), "margin: found 0.0"),
        (lambda: datasets.make_outliers(10, -1, 0), "n_outliers: found -1"),
        (lambda: gaussian([[1, 0, 0], [0, 1, 0]]), "covariances"),
        (lambda: gaussian(np.eye(2), priors=[0.5]), "priors"),
        (lambda: gaussian(np.eye(2), n=0), "n: found 0"),
        (lambda: gaussian([[1, 2], [0, 1]]), "asymmetric"),
        (lambda: gaussian([[1, 2], [2, 1]]), "negative variance"),
        (lambda: gaussian([[0, 1], [1, 5]]), "negative variance"),
        (lambda: gaussian([[-1.0, 0], [0, 1]]), "negative variance"),
        (lambda: gaussian([[np.nan, 0], [0, 1]]), "covariances?: found NaN"),
    ],
)
def test_impossible_requests_name_the_argument(draw: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw()
