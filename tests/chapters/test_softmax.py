"""What is only true of the chapter on softmax regression."""

from math import exp, log

import numpy as np
import pytest
import sympy
from sklearn.linear_model import LogisticRegression as Sklearn

from lectures_lib.chapters.softmax import exercises, live, pictures
from lectures_lib.checks.running.in_child import call_all
from lectures_lib.datasets import load_digits, load_iris
from lectures_lib.figures import Bars, Curve, Points, Region
from lectures_lib.softmax import SoftmaxRegression, softmax
from tests.exercise_tests import ExerciseTests

IRIS = load_iris()


def by_hand(scores) -> list[float]:
    total = sum(exp(v) for v in scores)
    return [exp(v) / total for v in scores]


@pytest.mark.parametrize("place", [(0.0, 0.0), (1.5, 0.5), (-2.0, 1.0)])
@pytest.mark.parametrize("temperature", [0.5, 1.0, 3.0])
def test_the_point_in_the_triangle_has_the_probabilities_of_the_place(place, temperature) -> None:
    scene = pictures.simplex_scene(place, temperature)
    left, right = (p.xy[0] for p in scene.marks(Points) if p.look == "focus")
    np.testing.assert_array_equal(left, place)
    corners = scene.panels[1].marks[5].x[:3], scene.panels[1].marks[5].y[:3]
    # The barycentric coordinates of the point are its probabilities.
    p = np.linalg.solve(np.vstack([*corners, np.ones(3)]), [*right, 1.0])
    x, y = place
    scores = [x * np.cos(t) + y * np.sin(t) for t in np.deg2rad([210, 330, 90])]
    assert sum(scores) == pytest.approx(0)
    assert p == pytest.approx(by_hand([v / temperature for v in scores]))


def test_the_scores_at_a_place_are_those_that_led_to_it_with_sum_zero() -> None:
    z = np.array([0.3, -1.2, 2.0])
    place = 2 / 3 * z @ pictures.DIRECTIONS
    np.testing.assert_allclose(pictures.scores_at(place), z - z.mean())


def test_lines_of_equal_difference_run_straight_to_a_corner() -> None:
    (images,) = pictures.simplex_scene((1, 1)).panels[1].marks[3:4]
    assert isinstance(images, Curve)
    pieces = np.split(np.c_[images.x, images.y], np.flatnonzero(np.isnan(images.x)))
    for number, piece in enumerate(pieces[:-1]):
        line = piece[~np.isnan(piece[:, 0])]
        third = pictures.DIRECTIONS[(2, 0, 1)[number // 4]]  # the class that is not compared
        far = line - third
        angles = np.cross(np.c_[far, np.zeros(len(far))], [*far[len(far) // 2], 0])[:, 2]
        assert np.abs(angles).max() < 1e-12


def test_the_least_sure_pictures_come_with_their_bars() -> None:
    P = np.array([[0.9, 0.1, 0.0], [0.4, 0.35, 0.25], [0.2, 0.5, 0.3]])
    scene = pictures.least_sure_scene(np.ones((3, 8, 8)), P, [0, 2, 1], most=2)
    assert scene.describe() == "The 2 least sure: a 2 read as 0 with 0.40; a 1 read as 1 with 0.50."
    heights = [bar.height[0] for bar in scene.marks(Bars)]
    assert heights == [*P[1], *P[2]]


def test_the_constant_moves_the_scores_and_nothing_else() -> None:
    z = np.array([1.0, 0.0, 3.0, -2.0])
    plain, moved = (pictures.scores_scene(np.eye(8), z, 2.0, shift) for shift in (0.0, 6.0))
    of_scores, of_chances = (
        [np.array([b.height[0] for b in scene.panels[k].marks]) for scene in (plain, moved)]
        for k in (1, 2)
    )
    np.testing.assert_allclose(of_scores[1] - of_scores[0], 6)
    np.testing.assert_allclose(of_chances[0], of_chances[1])
    assert of_chances[0] == pytest.approx(by_hand(z / 2))


@pytest.mark.parametrize("level", [0.6, 0.9])
def test_unsure_places_are_hatched(level) -> None:
    petals = IRIS.X[:, 2:]
    model = SoftmaxRegression(C=10.0).fit(petals, IRIS.y)
    scene = pictures.sure_scene(petals, IRIS.y, model, pictures.petal_axes(), level=level)
    theirs = Sklearn(C=10.0, tol=1e-10, max_iter=5000).fit(petals, IRIS.y)
    for region in scene.marks(Region):
        for ring in region.polygons:
            largest = theirs.predict_proba(ring).max(axis=1)
            if region.hatch:
                assert np.median(largest) <= level + 1e-3
            else:
                assert np.median(largest) >= level - 1e-3
    (border,) = [mark for mark in scene.marks(Curve) if mark.label == "border"]
    on = np.column_stack([border.x, border.y])[~np.isnan(border.x)]
    second, first = np.sort(theirs.predict_proba(on), axis=1)[:, -2:].T
    assert np.median(first - second) < 1e-3


def test_three_classes_on_a_line_are_drawn_with_their_winners() -> None:
    scene = pictures.line_scene(BALANCED, (-1, 2))
    assert scene.describe().endswith("that of class 0, then class 1, then class 2.")
    chances = [mark for mark in scene.panels[1].marks if isinstance(mark, Curve)][:3]
    at = int(np.abs(chances[0].x).argmin())
    assert [c.y[at] for c in chances] == pytest.approx(by_hand(BALANCED[:, 0]))


def test_the_reliability_diagram_counts() -> None:
    confidence = np.repeat([0.25, 0.55, 0.95], 20)
    right = np.concatenate([[1] * 5 + [0] * 15, [1] * 18 + [0] * 2, [1] * 10 + [0] * 10])
    scene = pictures.reliability_scene({"made up": (confidence, right)})
    (dots,) = scene.marks(Points)
    np.testing.assert_allclose(dots.xy, [[0.25, 0.25], [0.55, 0.9], [0.95, 0.5]])
    (bars,) = scene.marks(Bars)
    assert bars.height[[2, 5, 9]] == pytest.approx([1 / 3] * 3)
    few = pictures.reliability_scene({"nine": (confidence[:9], right[:9])})
    assert not len(few.marks(Points)[0].xy), "bins with fewer than ten examples are left out"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_too_modest_first_and_too_sure_at_the_end_on_other_splits(seed) -> None:
    digits = load_digits()
    X, y = digits.X / 16, digits.y
    order = np.random.default_rng(10 + seed).permutation(len(y))
    learn, tune = order[:300], order[300:1000]
    Y, W = np.eye(10)[y], np.zeros((10, 65))
    ones = np.c_[np.ones(len(X)), X]
    for _ in range(30):
        W -= 2 * (softmax(ones[learn] @ W.T) - Y[learn]).T @ ones[learn] / 300
    early = softmax(ones[tune] @ W.T)
    late = SoftmaxRegression(C=1e4).fit(X[learn], y[learn]).predict_proba(X[tune])
    gaps = [P.max(axis=1).mean() - np.mean(P.argmax(axis=1) == y[tune]) for P in (early, late)]
    assert gaps[0] < -0.1
    assert gaps[1] > 0.01


@pytest.mark.slow
def test_the_simplex_and_the_digits_are_sent_ahead() -> None:
    assert live.simplex().mode == "ahead", live.simplex().why
    digit = live.digit(np.ones((2, 8, 8)), np.arange(20.0).reshape(2, 10), ["a", "b"])
    assert digit.mode == "ahead", digit.why
    digit.shift = 4
    assert digit.scene == pictures.scores_scene(np.ones((8, 8)), np.arange(10.0), 1.0, 4.0)


def test_what_the_text_says_of_the_six_digits() -> None:
    digits = load_digits()
    X, y = digits.X / 16, digits.y
    learn, tune, _ = np.split(np.random.default_rng(0).permutation(len(y)), [300, 1000])
    model = SoftmaxRegression(C=10.0).fit(X[learn], y[learn])
    Z, P = model.decision_function(X[tune]), model.predict_proba(X[tune])
    doubtful = int(P.max(axis=1).argmin())
    assert (y[tune][doubtful], P[doubtful].argmax()) == (5, 1)
    cold = by_hand(4 * Z[doubtful])
    assert max(cold) == pytest.approx(0.61, abs=0.005)
    mistakes = P.argmax(axis=1) != y[tune]
    worst = int(np.where(mistakes, P.max(axis=1), 0).argmax())
    assert (y[tune][worst], P[worst].argmax()) == (8, 1)
    assert P[worst].max() == pytest.approx(0.97, abs=0.005)
    shown = [0, worst, *np.argsort(P.max(axis=1))[[0, 3, 5, 60]]]
    assert max(max(by_hand(Z[i] / 8)) for i in shown) < 0.21


def test_dragged_centres_are_fitted_anew() -> None:
    widget = live.three_centres()
    first = widget.scene.describe()
    widget.centres = (np.array([[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]]), [0, 1, 2])
    assert widget.scene.describe() != first
    assert "no " not in widget.scene.describe()
    cold, hot = [], []
    for temperature, found in ((0.25, cold), (4.0, hot)):
        widget.temperature = temperature
        found.append(dict(widget.scene.readouts)["surer than 90%"])
    assert int(cold[0].split("%")[0]) > int(hot[0].split("%")[0])


# The exercises ------------------------------------------------------------------------------


def logs_by_loops(Z, T):
    rows = []
    for row in Z:
        top = max(row)
        total = log(sum(exp((v - top) / T) for v in row))
        rows.append([(v - top) / T - total for v in row])
    return np.array(rows)


def logs_by_logaddexp(Z, T):
    return Z / T - np.logaddexp.reduce(Z / T, axis=1)[:, None]


W1, W2, X1 = sympy.symbols("w1 w2 x", real=True)
P1 = sympy.exp(W1 * X1) / (sympy.exp(W1 * X1) + sympy.exp(W2 * X1) + 1)
P2 = sympy.exp(W2 * X1) / (sympy.exp(W1 * X1) + sympy.exp(W2 * X1) + 1)
BY_NAMES = sympy.Matrix([[P1 - P1**2, -P1 * P2], [-P1 * P2, P2 - P2**2]]) * X1**2


def full_loss():
    """With a label, and the determinant written out."""
    a, b, x = sympy.symbols("w1 w2 x")
    loss = sympy.log(sympy.exp(a * x) + sympy.exp(b * x) + 1) - a * x
    H = [[sympy.diff(loss, u, v) for v in (a, b)] for u in (a, b)]
    return H, H[0][0] * H[1][1] - H[0][1] * H[1][0]


def gradient_by_loops(X, Y, W, strength):
    found = np.zeros(W.shape)
    for x, y in zip(X, Y, strict=True):
        z = np.array([*(w[0] + w[1:] @ x for w in W), 0.0])
        p = np.exp(z - np.logaddexp.reduce(z))
        found += np.outer(p[:-1] - y[:-1], [1, *x])
    found /= len(X)
    found[:, 1:] += strength * W[:, 1:]
    return found


def gradient_with_all_rows(X, Y, W, strength):
    ones = np.c_[np.ones(len(X)), X]
    full = np.vstack([W, np.zeros(W.shape[1])])
    kept = np.array([0.0] + [1.0] * X.shape[1])
    z = ones @ full.T
    p = np.exp(z - z.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    return ((p - Y).T @ ones / len(X))[:-1] + strength * W * kept


STEEP = np.array([[-4.0, -4.0], [0.0, 0.0], [-8.0, 4.0]])
BALANCED = np.array([[-3.0, -3.0], [0.0, 0.0], [-4.0, 2.0]])


def test_a_border_that_is_nearly_right_and_a_wrong_shape_are_named() -> None:
    (part,) = exercises.ON_A_LINE.parts
    rows = np.array([[-5.1, -5.0], [0.0, 0.0], [-10.0, 5.0]])  # classes 0 and 1 meet at x = -1.02
    outcome = part.judge((rows - rows.mean(axis=0),), call_all)
    assert outcome.slip is not None
    assert outcome.slip.name == "Borders at other places"
    outcome = part.judge((BALANCED.T,), call_all)
    assert outcome.points == 0
    assert "expected an array of shape (3, 2)" in repr(outcome)
    assert outcome.slip is None


class TestExercises(ExerciseTests):
    slug = "softmax"
    right_answers = {
        "softmax.log_probabilities": [(logs_by_loops,), (logs_by_logaddexp,)],
        "softmax.curvature": [
            (BY_NAMES, X1**4 * P1 * P2 * (1 - P1 - P2)),
            full_loss(),
        ],
        "softmax.reference_gradient": [(gradient_by_loops,), (gradient_with_all_rows,)],
        "softmax.on_a_line": [
            (5 * (BALANCED - BALANCED.mean(axis=0)),),
            (STEEP - STEEP.mean(axis=0),),
        ],
    }
    wrong_data = {
        "softmax.on_a_line": {
            "The slope comes first": ((BALANCED - BALANCED.mean(axis=0))[:, ::-1],),
            "From right to left": ((BALANCED - BALANCED.mean(axis=0))[::-1],),
            "A class wins nowhere from −10 to 10": ([[0.0, -1.0], [-9.0, 0.0], [9.0, 1.0]],),
            "Borders at other places": ([[-2.0, -2.0], [2.0, 0.0], [0.0, 2.0]],),
            "Not sure enough": ((BALANCED - BALANCED.mean(axis=0)) / 6,),
            "The rows do not add up to 0": (BALANCED,),
        },
    }
