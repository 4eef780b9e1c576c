"""What is only true of this chapter: The maximum margin: support vector machines."""

import numpy as np
import pytest
import sympy as sp
from sklearn.svm import SVC

from lectures_lib.chapters.maximum_margin import live, pictures
from lectures_lib.datasets import load_iris, make_gaussian_classes
from lectures_lib.figures.marks import Line, Points, Region, Segments, Text
from lectures_lib.margin import HardMarginSVM, InseparableError
from tests.chapters import defined
from tests.exercise_tests import ExerciseTests

SAMPLE = make_gaussian_classes([[-1.1, -0.8], [1.1, 0.8]], np.eye(2) * 0.6, None, 26, rng=6)


def street(X, y, C):
    return pictures.street_scene(X, y, C, live.AXES, "examples")


def rings(scene) -> np.ndarray:
    return np.concatenate([p.xy for p in scene.marks(Points) if p.look == "ring"])


@pytest.mark.parametrize("C", [0.1, 1.0, 30.0])
def test_the_drawn_street_is_that_of_libsvm(C: float) -> None:
    theirs = SVC(kernel="linear", C=C, tol=1e-9).fit(SAMPLE.X, SAMPLE.y)
    scene = street(SAMPLE.X, SAMPLE.y, C)
    boundary, near, far = scene.marks(Line)
    assert np.allclose(boundary.w, theirs.coef_[0], atol=1e-4)
    assert np.isclose(near.w0 - far.w0, -2)
    drawn = {tuple(p) for p in rings(scene)}
    assert drawn == {tuple(p) for p in theirs.support_vectors_}


def test_a_slack_ends_on_the_kerb_of_its_class() -> None:
    scene = street(SAMPLE.X, SAMPLE.y, 1.0)
    boundary = scene.marks(Line)[0]
    (slack,) = [m for m in scene.panels[0].marks if isinstance(m, Segments)]
    heights = slack.end @ boundary.w + boundary.w0
    assert len(heights) > 2
    assert np.allclose(np.abs(heights), 1)


def test_penalty_and_slacks_make_the_smallest_objective_found_by_libsvm() -> None:
    C = 2.0
    theirs = SVC(kernel="linear", C=C, tol=1e-9).fit(SAMPLE.X, SAMPLE.y)
    g = theirs.decision_function(SAMPLE.X)
    hinge = np.maximum(0, 1 - (2 * SAMPLE.y - 1) * g).sum()
    smallest = float(theirs.coef_[0] @ theirs.coef_[0]) / 2 + C * hinge
    scene = street(SAMPLE.X, SAMPLE.y, C)
    columns = [region.polygons[0][:, 1].max() for region in scene.panels[1].marks
               if isinstance(region, Region)]  # fmt: skip
    assert np.isclose(np.expm1(columns) @ [1, C], smallest, rtol=1e-4)


def test_one_class_gets_a_sentence_and_no_error() -> None:
    scene = street([[0, 0], [1, 1]], [1, 1], 1.0)
    assert scene.describe() == "A street needs two classes: add a point of the missing one."


def test_every_line_of_the_fan_separates_and_none_is_wider() -> None:
    iris = load_iris().only("setosa", "versicolor")
    X, s = iris.X[:, [2, 3]], 2 * iris.y - 1
    fan = np.array([[-2.9, 1.0, 0.5], [-2.6, 1.0, 0.3]])
    scene = pictures.fan_scene(X, iris.y, fan, iris.class_names, live.PETALS)
    *thin, widest, _, _ = scene.marks(Line)
    gaps = [np.min(s * (X @ line.w + line.w0)) / np.linalg.norm(line.w) for line in thin]
    best = np.min(s * (X @ widest.w + widest.w0)) / np.linalg.norm(widest.w)
    assert min(gaps) > 0
    assert max(gaps) < best


def test_the_live_street_follows_points_and_constant() -> None:
    widget = live.street()
    assert "no points inside it" in widget.scene.describe()
    before = widget.scene.marks(Line)[0].w
    widget.C = 0.01
    after = widget.scene.marks(Line)[0].w
    assert np.linalg.norm(after) < np.linalg.norm(before)


def test_the_data_called_overlap_do_and_their_columns_stay_in_the_picture() -> None:
    mixed = live.overlap()
    with pytest.raises(InseparableError):
        HardMarginSVM().fit(mixed.X, mixed.y)
    near = [[0, 0], [0.05, 0]]
    for scene, beyond in (
        (street(mixed.X, mixed.y, live.HARDEST), False),
        (street(near, [0, 1], live.HARDEST), True),
    ):
        halves = scene.panels[1]
        columns = [m.polygons[0][:, 1].max() for m in halves.marks if isinstance(m, Region)]
        assert max(columns) < halves.y.hi
        names = [name for m in halves.marks if isinstance(m, Text) for name in m.words]
        assert any("↑" in name for name in names) == beyond


def test_the_line_turns_with_the_unit() -> None:
    widget = live.units()
    angles = []
    for factor in (0.1, 1.0, 10.0):
        widget.factor = factor
        w = widget.scene.marks(Line)[0].w
        angles.append(np.degrees(np.arctan2(w[1], w[0])))
    assert np.all(np.diff(angles) > 20)


def test_the_solver_of_the_notebook_meets_libsvm() -> None:
    s = 2 * SAMPLE.y - 1
    w, alpha = defined("maximum_margin", "svm")["svm"](SAMPLE.X, s, C=1.5)
    theirs = SVC(kernel="linear", C=1.5, tol=1e-9).fit(SAMPLE.X, s)
    assert np.allclose(w, np.r_[theirs.intercept_, theirs.coef_[0]], atol=1e-4)
    assert np.isclose(alpha @ s, 0)


# --- exercises: right answers written in other ways ----------------------------------------------


def audit_by_loops(X, s, w, alpha):
    products = [s[i] * (w[0] + sum(w[1:] * X[i])) for i in range(len(s))]
    v = sum(alpha[i] * s[i] * X[i] for i in range(len(s)))
    primal = sum(w[1:] ** 2) / 2
    return min(products), sum(alpha * s), primal - sum(alpha) + sum(v**2) / 2


def audit_with_the_gram_matrix(X, s, w, alpha):
    A = np.insert(X, 0, 1, axis=1)
    b = alpha * s
    dual = alpha.sum() - b @ (X @ X.T) @ b / 2
    return np.array([np.min(s * (A @ w)), b.sum(), np.linalg.norm(w[1:]) ** 2 / 2 - dual])


def bias_by_a_loop(X, s, alpha, C):
    w = sum(alpha[i] * s[i] * X[i] for i in range(len(s)))
    found = [s[i] - w @ X[i] for i in range(len(s)) if 1e-9 * C < alpha[i] < (1 - 1e-9) * C]
    return sum(found) / len(found)


def bias_from_the_gram_matrix(X, s, alpha, C):
    free = np.flatnonzero((alpha / C > 1e-9) & (alpha / C < 1 - 1e-9))
    scores = (X @ X.T) @ (alpha * s)
    return np.average((s - scores)[free])


def descend_with_augmented_examples(X, s, C, eta, steps):
    A = np.insert(X, 0, 1, axis=1)
    w, seen = np.zeros(A.shape[1]), []
    for t in range(steps):
        m = s * (A @ w)
        seen.append(0.5 * np.sum(w[1:] ** 2) + C * np.sum(np.clip(1 - m, 0, None)))
        slope = np.r_[0, w[1:]] - C * (s[m < 1] @ A[m < 1])
        w = w - eta / (t + 1) * slope
    return w, min(seen)


def descend_example_by_example(X, s, C, eta, steps):
    w, best = [0.0] * (len(X[0]) + 1), float("inf")
    for t in range(1, steps + 1):
        slope = [0.0, *w[1:]]
        J = sum(v * v for v in w[1:]) / 2
        for x, sign in zip(X, s, strict=True):
            m = sign * (w[0] + sum(a * b for a, b in zip(w[1:], x, strict=True)))
            J += C * max(0, 1 - m)
            if m < 1:
                slope = [v - C * sign * z for v, z in zip(slope, [1, *x], strict=True)]
        best = min(best, J)
        w = [v - eta / t * g for v, g in zip(w, slope, strict=True)]
    return w, best


A, B = sp.symbols("a b")


class TestExercises(ExerciseTests):
    slug = "maximum_margin"
    right_answers = {
        "maximum_margin.audit": [(audit_by_loops,), (audit_with_the_gram_matrix,)],
        "maximum_margin.bias": [(bias_by_a_loop,), (bias_from_the_gram_matrix,)],
        "maximum_margin.dual": [
            (2 * A + 2 * B - (3 * A + 5 * B) ** 2 / 2,),
            (sp.expand(2 * (A + B) - sp.Rational(1, 2) * (3 * A + 5 * B) ** 2),),
        ],
        "maximum_margin.descend": [
            (descend_with_augmented_examples,),
            (descend_example_by_example,),
        ],
        "maximum_margin.narrow": [
            ([[2, 0], [-0.55, 1], [4, 1], [-7, -1]], [1, -1, 1, -1]),
            (np.array([[0, 2.0], [0, -0.6], [1, 5], [-1, -4]]), np.array([1, -1, 1, -1])),
        ],
    }
    FREE = "free = (alpha > 1e-9 * C) & (alpha < (1 - 1e-9) * C)"
    still_right = {
        ("w = -(a + b) * 1 + a * 4 + b * 6", "the left operand alone"): "the factor is 1",
        (FREE, "Gt -> GtE"): "no multiplier is exactly a thousand-millionth of C",
        (FREE, "Lt -> LtE"): "nor exactly as much below C",
        (FREE, "the left operand alone"): "another small slack (those that lose one are caught)",
    }
    wrong_data = {
        "maximum_margin.narrow": {
            "No line separates": ([[0, 0], [1, 1], [0, 1], [1, 0]], [-1, -1, 1, 1]),
            "The perceptron does too well": ([[1, 0], [2, 0], [-1, 0], [-2, 0]], [1, 1, -1, -1]),
            "One class only": ([[1, 0], [2, 0], [3, 0], [4, 1]], [1, 1, 1, 1]),
            "Too few or too many": ([[1, 0], [-1, 0]], [1, -1]),
        }
    }
