"""What is only true of this chapter: Linear discriminants and least squares."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as SklearnLDA

from lectures_lib.chapters.linear_discriminants import live, pictures
from lectures_lib.datasets import load_vowel
from lectures_lib.figures.marks import Curve, Line, Points
from lectures_lib.least_squares import LeastSquaresClassifier
from tests.exercise_tests import ExerciseTests


def test_the_drawn_distance_is_the_distance_to_the_drawn_line() -> None:
    scene = pictures.geometry_scene(w=(3, -4), w0=5, p=(1.5, 2))
    (line,) = scene.marks(Line)
    (point,) = [mark for mark in scene.marks(Points) if mark.look == "class"]
    # from two points of the line and the area of a triangle, without its normal
    a, b = np.array([0.0, 1.25]), np.array([4.0, 4.25])
    assert all(abs(line.w @ end + line.w0) < 1e-12 for end in (a, b))
    (px, py), (bx, by) = point.xy[0] - a, b - a
    distance = abs(bx * py - by * px) / np.hypot(bx, by)
    assert f"{distance:.2f}" in scene.describe().split("signed distance ")[1]


@pytest.mark.parametrize("distance", [1.0, 2.0, 5.0])
def test_the_middle_fit_is_flat_and_never_on_top(distance: float) -> None:
    scene = pictures.masking_scene(distance)
    left, middle, right = scene.panels[0].marks[:3]
    assert np.allclose(middle.y, 1 / 3)
    assert np.all(np.maximum(left.y, right.y) >= middle.y - 1e-12)
    bent = [mark for mark in scene.panels[1].marks if isinstance(mark, Curve)]
    centre = len(bent[0].x) // 2
    assert max(bent, key=lambda curve: curve.y[centre]) is bent[1]


def test_four_words_have_no_region_under_least_squares_and_all_have_one_under_lda() -> None:
    vowels = load_vowel()
    train = vowels.rows(vowels.train)
    X = train.X[:, :2]
    rules = {
        "least squares": LeastSquaresClassifier().fit(X, train.y).predict,
        "LDA": SklearnLDA().fit(X, train.y).predict,
    }
    told = pictures.word_map_scene(X, train.y, vowels.class_names, rules).describe()
    assert "least squares never answers had, hOd, hUd, hed; LDA answers every word" in told


def test_the_farther_the_block_the_more_least_squares_turns_and_the_other_line_stays() -> None:
    base, block = live.pull_data()
    turned, steady = [], []
    for far in (3.0, 5.0, 7.0):
        scene = pictures.pull_scene(base.X, base.y, block, (far, -far))
        dashed, solid = scene.marks(Line)
        turned.append(np.degrees(np.arctan2(solid.w[1], solid.w[0])))
        steady.append(np.degrees(np.arctan2(dashed.w[1], dashed.w[0])))
    assert np.all(np.diff(turned) > 2)
    assert np.ptp(steady) < 0.5


def test_the_live_pictures_start_with_what_the_text_says() -> None:
    assert (
        "least squares makes 6 mistakes on the other 60" in live.far_and_correct().scene.describe()
    )
    assert "least squares makes 20 mistakes and LDA" in live.three_centres().scene.describe()


def test_the_line_follows_the_hand() -> None:
    widget = live.signed_distances()
    before = widget.scene.describe()
    widget.length = 4
    after = widget.scene.describe()
    assert before != after
    assert before.split("signed distance ")[1][:4] == after.split("signed distance ")[1][:4]


def test_the_point_in_the_hand_changes_its_class_with_its_side() -> None:
    widget = live.signed_distances()
    classes = []
    for x in (2.0, -2.0):
        widget.p = ([[x, 0.0]], [0])
        (point,) = [mark for mark in widget.scene.marks(Points) if mark.look == "class"]
        classes.append(int(point.classes[0]))
    assert classes == [1, 0]


# --- exercises: right answers written in other ways ----------------------------------------------


def nearest_by_a_loop(X, w):
    length = sum(v * v for v in w[1:]) ** 0.5
    best = None
    for i, row in enumerate(X):
        r = (w[0] + sum(a * b for a, b in zip(w[1:], row, strict=True))) / length
        if best is None or abs(r) < abs(best[1]):
            best = (i, r)
    return best


def nearest_by_sorting(X, w):
    unit = np.asarray(w) / np.sqrt(np.sum(np.asarray(w)[1:] ** 2))
    A = np.insert(X, 0, 1, axis=1)
    r = A @ unit
    first = np.argsort(abs(r), kind="stable")[0]
    return [int(first), float(r[first])]


def line_by_cross_product(a, b, p):
    w = np.cross([1, *a], [1, *b])
    w = w / np.hypot(w[1], w[2])
    return w * np.sign(w @ [1, *p])


def line_by_null_space(a, b, p):
    _, _, V = np.linalg.svd(np.array([[1, *a], [1, *b]], dtype=float))
    w = V[-1] / np.linalg.norm(V[-1][1:])
    return w if w @ [1, *p] > 0 else -w


def weighted_by_normal_equations(X, y, K, v):
    A = np.insert(X, 0, 1, axis=1)
    Y = (y[:, None] == np.arange(K)).astype(float)
    return np.linalg.solve(A.T @ np.diag(v) @ A, A.T @ np.diag(v) @ Y)


def weighted_column_by_column(X, y, K, v):
    A = np.column_stack((np.ones(len(y)), X)) * np.sqrt(v).reshape(-1, 1)
    columns = [np.linalg.pinv(A) @ (np.sqrt(v) * (y == k)) for k in range(K)]
    return np.array(columns).T.tolist()


FAR = [[-2, 0], [-1, 0], [1, 0], [2, 0], [30, 0]]


class TestExercises(ExerciseTests):
    slug = "linear_discriminants"
    right_answers = {
        "linear_discriminants.nearest": [(nearest_by_a_loop,), (nearest_by_sorting,)],
        "linear_discriminants.line_through": [(line_by_cross_product,), (line_by_null_space,)],
        "linear_discriminants.weighted": [
            (weighted_by_normal_equations,),
            (weighted_column_by_column,),
        ],
        "linear_discriminants.pulled": [
            (np.array([[0.0, 1], [0, 2], [0, -1], [0, -50]]), np.array([1, 1, 0, 0])),
            ([[-3, 1], [-1, 0], [1, 1], [2, 0], [40, 5], [41, 4]], [0, 0, 1, 1, 1, 1]),
        ],
    }
    still_right = {
        ("if normal @ (p - a) < 0:", "Lt -> LtE"): "p never lies on the line",
    }
    wrong_data = {
        "linear_discriminants.pulled": {
            "No line separates": ([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1]),
            "Least squares does well": ([[-1, 0], [-2, 0], [1, 0], [2, 0]], [0, 0, 1, 1]),
            "One class only": ([[-1, 0], [2, 0]], [1, 1]),
            "Signs instead of labels": (FAR, [-1, -1, 1, 1, 1]),
            "Too many points": (FAR + [[3 + k, 0] for k in range(8)], [0, 0] + [1] * 11),
        }
    }
