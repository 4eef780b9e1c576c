"""What is only true of this chapter: Fisher's discriminant."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as SklearnLDA

from lectures_lib.chapters.fisher import live, pictures
from lectures_lib.datasets import load_iris
from lectures_lib.figures.marks import Bars, Curve, Points, Segments
from tests.chapters import defined
from tests.exercise_tests import ExerciseTests

CLOUDS = pictures.sheared_clouds()


def two_irises():
    iris = load_iris()
    return iris.X[iris.y > 0], iris.y[iris.y > 0] - 1


def test_the_named_angles_are_those_of_scikit_learn() -> None:
    named = pictures.named_angles()
    lda = SklearnLDA().fit(CLOUDS.X, CLOUDS.y).coef_[0]
    pca = PCA().fit(CLOUDS.X).components_[0]
    gap = np.subtract(*(CLOUDS.X[CLOUDS.y == k].mean(axis=0) for k in (1, 0)))
    for name, w in {"Fisher": lda, "PCA": pca, "means": gap}.items():
        angle = np.degrees(np.arctan2(w[1], w[0]))
        assert abs((angle - named[name] + 90) % 180 - 90) < 1e-6


@pytest.mark.parametrize("angle", [0, 35, 145, 290])
def test_J_of_an_angle_comes_from_the_projections_themselves(angle) -> None:
    z = CLOUDS.X @ pictures.unit_at(angle)
    one, zero = z[CLOUDS.y == 1], z[CLOUDS.y == 0]
    J = (one.mean() - zero.mean()) ** 2 / (len(one) * one.var() + len(zero) * zero.var())
    told = dict(pictures.turning_scene(angle).readouts)
    assert told["J(w)"] == f"{J:.4f}"
    cut = (one.mean() + zero.mean()) / 2
    side = np.sign(one.mean() - zero.mean())
    wrong = np.sum(side * (one - cut) <= 0) + np.sum(side * (zero - cut) > 0)
    assert told["wrong"] == f"{wrong} of 120"


def test_the_largest_J_is_at_the_named_angle_and_zero_at_right_angles_to_the_means() -> None:
    J, named = pictures.J_by_degree(), pictures.named_angles()
    assert abs((J.argmax() - named["Fisher"] + 90) % 180 - 90) < 1
    assert J[round(named["means"]) + 90] < 1e-4


def test_the_scene_puts_the_point_on_the_curve_and_every_example_in_a_bar() -> None:
    scene = pictures.turning_scene(60)
    (dot,) = [p for p in scene.marks(Points) if p.look == "dot"]
    assert dot.xy[0, 1] == pytest.approx(pictures.J_by_degree()[60])
    assert sum(bars.height.sum() for bars in scene.marks(Bars)) == 120


def test_projections_and_mistakes_of_two_directions() -> None:
    X, y = [[0, 0], [0, 4], [1, 0], [1, 4]], [0, 0, 1, 1]
    scene = pictures.directions_scene(X, y, {"across": [2, 0], "slanted": [1, 1]})
    assert "across 0, slanted 2" in scene.describe()
    assert [bars.height.sum() for bars in scene.marks(Bars)] == [2, 2, 2, 2]


def test_a_strip_tells_the_mistakes_of_the_best_cut() -> None:
    X, y = two_irises()
    told = pictures.strips_scene({"w": X[:, 3], "l": X[:, 0]}, y, ("a", "b")).describe()
    best = []
    for z in (X[:, 3], X[:, 0]):
        cuts = np.concatenate([[-np.inf], np.unique(z)])
        best.append(min(int(np.sum((z > t) != y)) for t in cuts))
    assert f"w {best[0]}, l {best[1]}" in told


def test_the_four_rules_have_the_errors_of_the_ledger() -> None:
    found = {name: pictures.error_of_cut(t, 0.9) for name, t in pictures.rules(0.9).items()}
    assert {name: round(e, 3) for name, e in found.items()} == {
        "midpoint": 0.159, "grand mean": 0.382, "swapped": 0.074, "Bayes": 0.070,
    }  # fmt: skip


@pytest.mark.parametrize(("t", "p1"), [(0.3, 0.9), (-1.2, 0.5), (2.0, 0.2)])
def test_the_error_of_a_cut_is_scipy_s(t, p1) -> None:
    theirs = p1 * norm.cdf(t, loc=1) + (1 - p1) * norm.sf(t, loc=-1)
    assert pictures.error_of_cut(t, p1) == pytest.approx(theirs)
    best = min(p1 * norm.cdf(u, loc=1) + (1 - p1) * norm.sf(u, loc=-1) for u in pictures.STEPS)
    told = dict(pictures.thresholds_scene(t, p1).readouts)
    assert told == {"errors of the cut": f"{theirs:.3f}", "the fewest": f"{best:.3f}"}


def test_the_cut_stands_in_the_drawing_where_the_hand_is() -> None:
    scene = pictures.thresholds_scene(-0.7, 0.6)
    assert any(
        np.allclose(mark.start[0, 0], -0.7) for mark in scene.panels[0].marks
        if isinstance(mark, Segments)
    )  # fmt: skip
    curve = next(mark for mark in scene.panels[1].marks if isinstance(mark, Curve))
    assert curve.y[0] == pytest.approx(0.4, abs=0.01)  # everything called class 1


def test_the_picture_of_two_marks_holds_the_answer_and_the_crossings() -> None:
    scene = pictures.marks_scene([0, 0], [1, 2], [0.5, 0.5], [-1, 1], [-1.36, 1.36])
    expected, yours = scene.marks(Segments)
    assert yours.start[:, 0].tolist() == [-1, 1]
    assert expected.start[:, 0].tolist() == [-1.36, 1.36]
    curves = [curve for curve in scene.marks(Curve) if curve.role.startswith("class")]
    heights = [np.interp(1.36, curve.x, curve.y) for curve in curves]
    assert heights[0] == pytest.approx(heights[1], rel=0.01)


@pytest.mark.slow
def test_both_live_pictures_are_sent_ahead() -> None:
    assert live.turn().mode == "ahead"
    assert live.cuts().mode == "ahead"


def test_the_notebook_s_direction_is_scikit_learn_s() -> None:
    X, y = two_irises()
    w, theirs = defined("fisher", "fisher")["fisher"](X, y), SklearnLDA().fit(X, y).scalings_[:, 0]
    assert abs(w @ theirs) / np.linalg.norm(w) / np.linalg.norm(theirs) == pytest.approx(1)


# --- exercises: right answers written in other ways ----------------------------------------------


def apart_by_variances(z, y):
    one, zero = z[np.asarray(y) == 1], z[np.asarray(y) == 0]
    inside = one.var() * len(one) + zero.var() * len(zero)
    return float(one.mean() - zero.mean()) ** 2 / inside


def apart_by_a_loop(z, y):
    total, means = 0.0, {}
    for k in (0, 1):
        own = [float(v) for v, label in zip(z, y, strict=True) if label == k]
        means[k] = sum(own) / len(own)
        total += sum((v - means[k]) ** 2 for v in own)
    return (means[1] - means[0]) ** 2 / total


def marks_by_the_formula(m, s, p):
    u, v = s[0] ** 2, s[1] ** 2
    a, b = v - u, 2 * (m[1] * u - m[0] * v)
    c = m[0] ** 2 * v - m[1] ** 2 * u + 2 * u * v * np.log(p[1] * s[0] / (p[0] * s[1]))
    root = (b * b - 4 * a * c) ** 0.5
    return sorted([(-b + root) / (2 * a), (-b - root) / (2 * a)])


def marks_from_the_middle(m, s, p):
    poly = [
        np.poly1d([-1 / (2 * s[k] ** 2), m[k] / s[k] ** 2, -(m[k] ** 2) / (2 * s[k] ** 2)])
        + np.log(p[k])
        - np.log(s[k])
        for k in (0, 1)
    ]
    return np.sort(np.real((poly[0] - poly[1]).roots))


def fit_by_normal_equations(X, y):
    N, N1 = len(y), np.sum(y)
    targets = np.array([N / N1 if label else -N / (N - N1) for label in y])
    A = np.column_stack([np.ones(N), X])
    solution = np.linalg.solve(A.T @ A, A.T @ targets)
    return solution[0], solution[1:]


def fit_by_the_pseudoinverse(X, y):
    N, N1 = len(y), np.sum(y)
    A = np.column_stack([X, np.ones(N)])
    solution = np.linalg.pinv(A) @ (N * (y / N1 - (1 - y) / (N - N1)))
    return solution[-1], solution[:-1]


CIGARS = ([[-10, -10], [0, 0], [10, 10], [0.5, -0.5]], [[-8, -10], [2, 0], [12, 10], [2.5, -0.5]])


class TestExercises(ExerciseTests):
    slug = "fisher"
    right_answers = {
        "fisher.apart": [(apart_by_variances,), (apart_by_a_loop,)],
        "fisher.marks": [(marks_by_the_formula,), (marks_from_the_middle,)],
        "fisher.targets": [(fit_by_normal_equations,), (fit_by_the_pseudoinverse,)],
        "fisher.misled": [
            CIGARS,
            (
                np.array([[0.0, 0.0], [10.0, 20.0], [20.0, 40.1]]),
                np.array([[3.0, 0.0], [13.0, 20.1], [23.0, 40.0], [13.0, 20.0]]),
            ),
        ],
    }
    LOG_JOINT = "np.array([-0.5, m[k], -0.5 * m[k] ** 2]) / s[k] ** 2 + [0, 0, np.log(p[k] / s[k])]"
    SPECIAL = "targets = N / N1 * y - N / (N - N1) * (1 - y)"
    still_right = {
        (LOG_JOINT, "0 -> 1"): "the same is added for both classes",
        (SPECIAL, "1 -> 2"): "a constant on all targets goes into the intercept",
        (SPECIAL, "1 -> 0"): "a constant on all targets goes into the intercept",
    }
    wrong_data = {
        "fisher.misled": {
            "The means agree": ([[0, 0], [1, 0], [0, 1]], [[0, 0], [1, 0], [0, 1]]),
            "No width in some direction": ([[0, 0], [1, 1], [2, 2]], [[3, 0], [4, 1], [5, 2]]),
            "Both directions agree": (
                [[0, 0], [1, 1], [-1, 1], [1, -1], [-1, -1]],
                [[5, 0], [6, 1], [4, 1], [6, -1], [4, -1]],
            ),
            "Not long enough": (
                [[-1, -1], [0, 0], [1, 1], [0.9, -0.9], [-0.9, 0.9]],
                [[3, -1], [4, 0], [5, 1], [4.9, -0.9], [3.1, 0.9]],
            ),
        },
    }
