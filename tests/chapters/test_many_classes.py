"""What is only true of this chapter: From two classes to many."""

import itertools
from itertools import combinations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.multiclass import OneVsOneClassifier as SklearnPairs
from sklearn.svm import LinearSVC

from lectures_lib.chapters.many_classes import live, pictures
from lectures_lib.datasets import make_gaussian_classes
from lectures_lib.figures.marks import Curve, Line, Points, Region, Text
from lectures_lib.least_squares import LeastSquaresClassifier
from lectures_lib.multiclass import OneVsOneClassifier
from tests.chapters import defined
from tests.exercise_tests import ExerciseTests

THREE = make_gaussian_classes([[0, 2.4], [-2.1, -1.2], [2.1, -1.2]], np.eye(2) / 2, None, 90, rng=2)
WORDS = ("100001", "110010", "001011", "011110", "000100")
FIVE = np.array([[int(bit) for bit in word] for word in WORDS])


def test_the_drawn_lines_are_regressions_on_signs() -> None:
    scene = pictures.lines_scene(THREE.X, THREE.y, "one-vs-rest")
    for k, line in enumerate(scene.marks(Line)):
        theirs = LinearRegression().fit(THREE.X, np.where(THREE.y == k, 1.0, -1.0))
        np.testing.assert_allclose(line.w, theirs.coef_, atol=1e-9)
        assert line.w0 == pytest.approx(theirs.intercept_)


def test_hatched_places_are_claimed_by_none_or_by_several() -> None:
    scene = pictures.votes_scene(THREE.X, THREE.y, ["one-vs-rest"])
    lines = pictures.lines_scene(THREE.X, THREE.y, "one-vs-rest").marks(Line)
    for region in scene.marks(Region):
        for ring in region.polygons:
            centre = ring[:-1].mean(axis=0)
            inside = ring[:-1] * 0.02 + centre * 0.98  # near the middle of a convex piece
            claims = sum((inside @ line.w + line.w0 > 0).astype(int) for line in lines)
            assert np.all((claims != 1) == region.hatch)


@pytest.mark.parametrize("flipped", range(6))
def test_one_flipped_bit_is_decoded_rightly(flipped) -> None:
    word = FIVE[0].copy()
    word[flipped] ^= 1
    scene = pictures.code_scene(FIVE, word)
    assert "nearest to class 0" in scene.describe()
    (rings,) = [p for p in scene.marks(Points) if p.look == "ring"]
    assert len(rings.xy) == 1
    told = [words for text in scene.marks(Text) for words in text.words]
    assert told.count("1 bit away") == 1


def test_a_factor_moves_the_largest_score_and_distances_do_not_care() -> None:
    shares = [pictures.scale_scene(THREE.X, THREE.y, f).describe() for f in (1, 5)]
    assert shares[0].split(";")[1] != shares[1].split(";")[1]


def test_the_curve_of_the_codes_runs_through_their_means() -> None:
    names = ["code 4", "one-vs-rest", "code 4", "code 8"]
    scene = pictures.cost_scene([4, 3, 4, 8], [0.2, 0.05, 0.3, 0.1], names)
    (curve,) = scene.marks(Curve)
    np.testing.assert_allclose(curve.x, [2, 3])
    np.testing.assert_allclose(curve.y, [0.25, 0.1])
    assert "one-vs-rest has the least, 0.05" in scene.describe()


def test_live_pictures_are_sent_ahead_and_start_with_something_to_see() -> None:
    assert live.flipped_bits(FIVE).mode == "ahead"
    assert live.units(THREE).mode == "ahead"
    claims = live.claims()
    assert "one-vs-rest leaves" in claims.scene.describe()
    for panel in claims.scene.panels:  # the browser leaves out a point whose class has no look
        (held,) = [mark for mark in panel.marks if isinstance(mark, Points) and mark.handle]
        assert len(held.shape(panel).style["groups"]) == 3


def test_the_notebook_s_one_vs_one_votes_as_scikit_learn_does() -> None:
    scope = {"LeastSquaresClassifier": LeastSquaresClassifier, "combinations": combinations}
    found = defined("many_classes", "pair_problem", **scope)
    votes = found["one_vs_one"](THREE.X, THREE.y, THREE.X, 3)
    assert np.all(votes.sum(axis=1) == 3)
    ours = OneVsOneClassifier(LeastSquaresClassifier()).fit(THREE.X, THREE.y)
    assert np.array_equal(votes, ours.votes(THREE.X))
    theirs = SklearnPairs(LinearSVC()).fit(THREE.X, THREE.y)
    assert np.mean(votes.argmax(axis=1) == theirs.predict(THREE.X)) > 0.95


# --- exercises: right answers written in other ways ----------------------------------------------


def claims_by_a_loop(G):
    found = []
    for row in G:
        yes = [k for k, score in enumerate(row) if score > 0]
        found.append(yes[0] if len(yes) == 1 else -1)
    return found


def claims_by_products(G):
    yes = (G > 0).astype(int)
    return np.where(yes.sum(1) == 1, yes @ np.arange(G.shape[1]), -1)


def ovo_with_dictionaries(G, K):
    answers = []
    for row in G:
        votes = dict.fromkeys(range(K), 0)
        for score, (i, j) in zip(row, itertools.combinations(range(K), 2), strict=True):
            votes[j if score > 0 else i] += 1
        answers.append(max(votes, key=lambda k: (votes[k], -k)))
    return answers


def ovo_by_matrices(G, K):
    i, j = np.triu_indices(K, 1)
    yes = (G > 0).astype(float)
    votes = yes @ np.eye(K)[j] + (1 - yes) @ np.eye(K)[i]
    return np.argmax(votes, axis=1)


def decode_by_a_loop(words, code):
    answers = []
    for word in words:
        distance = [sum(a != b for a, b in zip(word, row, strict=True)) for row in code]
        best = min(distance)
        answers.append(distance.index(best) if distance.count(best) == 1 else -1)
    return answers


def decode_by_signs(words, code):
    agreement = (2 * words - 1) @ (2 * code - 1).T
    ordered = np.sort(agreement, axis=1)
    return np.where(ordered[:, -1] > ordered[:, -2], agreement.argmax(axis=1), -1)


SEVEN = ["0000000", "1110000", "1001100", "0111100", "0101010", "1011010", "1100110"]
TRIPLED = [[int(b) for b in f"{k:03b}" for _ in range(3)] for k in range(7)]


class TestExercises(ExerciseTests):
    slug = "many_classes"
    right_answers = {
        "many_classes.claims": [(claims_by_a_loop,), (claims_by_products,)],
        "many_classes.ovo": [(ovo_with_dictionaries,), (ovo_by_matrices,)],
        "many_classes.decode": [(decode_by_a_loop,), (decode_by_signs,)],
        "many_classes.places": [([2, -2], [0.5, 0]), (np.array([-4.0, -3.0]), (0.9, -0.9))],
        "many_classes.code": [
            (np.array([list(map(int, f"{c:06b}")) for c in (0, 7, 25, 30, 42, 45, 52)]),),
            ([list(map(int, f"{c:06b}")) for c in (63, 56, 38, 33, 21, 18, 12)],),
        ],
    }
    PAIRS = "pairs = [(i, j) for i in range(K) for j in range(i + 1, K)]"
    still_right = {
        (PAIRS, "the range ends one too early"): "the last class has no j after it",
        (PAIRS, "the range ends one too late"): "no j follows a class that does not exist",
        (
            "distance = (words[:, None, :] != code[None, :, :]).sum(axis=2)",
            "sum -> mean",
        ): "all distances divided by the same number of bits",
    }
    wrong_data = {
        "many_classes.places": {
            "The two are exchanged": ([0, 0], [3, -3]),
            "On a line": ([1, -2], [0, 0]),
            "One class owns it": ([2, 0], [0, 0]),
            "Somebody owns the other": ([3, -3], [2, 0]),
        },
        "many_classes.code": {
            "One bit per class": (np.eye(7, dtype=int),),
            "Binary numbers": ([[int(b) for b in f"{k:03b}"] for k in range(7)],),
            "Nine bits": (TRIPLED,),
            "Signs instead of bits": ([[2 * int(b) - 1 for b in word] for word in SEVEN],),
        },
    }
