"""The exercises of this chapter: distances, labels as vectors, least squares and where it fails."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import (
    Array,
    Case,
    Choice,
    Exercise,
    Function,
    Prediction,
    Proof,
    Property,
    Result,
    Rng,
    Slip,
    Step,
    Values,
)
from lectures_lib.least_squares import LeastSquaresClassifier
from lectures_lib.margin import HardMarginSVM, InseparableError

GEOMETRY, VECTORS = "One line, one arrow, one distance", "Labels as vectors"
CODE, WRONG_WAYS = "The same thing in code", "What goes wrong"


# Distances -----------------------------------------------------------------------------------


def nearest_to_plane(X: Array, w: Array) -> Any:
    r = (w[0] + X @ w[1:]) / np.linalg.norm(w[1:])
    i = np.argmin(np.abs(r))
    return i, r[i]


def _nearest_picture(given: Any, came_out: Any, expected: Any) -> Any:
    """The points, the line, and how far the two answers reach from it."""
    from lectures_lib.figures.answers import distances

    X, w = given
    (i, r), (right_i, right_r) = came_out, expected
    return distances(X, w, (float(i), float(r)), (float(right_i), float(right_r)))


def _plane_and_points(rng: Rng) -> tuple[Any, ...]:
    n, d = int(rng.integers(4, 9)), int(rng.integers(3, 6))
    return rng.normal(size=(n, d)), 2 * rng.normal(size=d + 1)


NEAREST = Exercise(
    id="linear_discriminants.nearest",
    title="The point that lies nearest to the plane",
    minutes=7,
    section=GEOMETRY,
    hints=(
        "A score is no distance yet: it doubles when w and w0 are doubled, and the plane stays.",
        "Signed distance: r(x) = (w0 + w·x)/‖w‖, where ‖w‖ leaves out the bias. Nearest means the "
        "smallest |r|.",
        "With `r` in hand, `i = np.argmin(np.abs(r))`, and `r[i]` still carries its sign.",
    ),
    remark="A negative distance is no mistake: its sign tells the side.",
    parts=(
        Function(
            nearest_to_plane,
            (Result("i", kind="count", points=1), Result("r", points=2)),
            (
                Case("one feature", (np.array([[3.0], [1.5], [-2.0]]), np.array([-2.0, 2.0]))),
                Case(
                    "a plane that leans, w = (3, 4)",
                    (np.array([[0.0, 0.0], [1.0, 1.0], [-2.0, 1.0]]), np.array([-5.0, 3.0, 4.0])),
                ),
                Case(
                    "the nearest lies on the negative side",
                    (np.array([[4.0, 0.0], [-1.0, 0.5]]), np.array([0.5, 1.0, -1.0])),
                ),
            ),
            _plane_and_points,
            (
                Slip(
                    "The score is not divided",
                    "g(x) is no distance: divide it by ‖w‖.",
                    "(w[0] + X @ w[1:]) / np.linalg.norm(w[1:]) -> w[0] + X @ w[1:]",
                ),
                Slip(
                    "The bias counts in the length",
                    "‖w‖ leaves out the bias: `np.linalg.norm(w[1:])`.",
                    "norm(w[1:]) -> norm(w)",
                ),
                Slip(
                    "The square of the length",
                    "Divide by ‖w‖, not by ‖w‖²; the square belongs to the foot of the point.",
                    "/ np.linalg.norm(w[1:]) -> / (w[1:] @ w[1:])",
                ),
                Slip(
                    "The bias is not added",
                    "The score is w0 + w·x.",
                    "(w[0] + X -> (X",
                    also=("(w[0] + X -> (-w[0] + X",),
                ),
                Slip(
                    "The smallest instead of the nearest",
                    "The smallest r lies farthest on the negative side. Nearest is the smallest "
                    "|r|.",
                    "np.abs(r) -> r",
                ),
                Slip(
                    "The farthest",
                    "i is the row with the largest distance. Nearest is the smallest |r|.",
                    "np.argmin -> np.argmax",
                ),
                Slip(
                    "Counted from 1",
                    "Rows are counted from 0, as NumPy does.",
                    "return i, r[i] -> return i + 1, r[i]",
                ),
                Slip(
                    "The bias is not divided",
                    "The whole score is divided by ‖w‖, the bias included.",
                    "(w[0] + X @ w[1:]) / np -> w[0] + X @ w[1:] / np",
                ),
                Slip(
                    "The sign is lost",
                    "The distance is asked for with its sign: return `r[i]`, not |r[i]|.",
                    "return i, r[i] -> return i, abs(r[i])",
                    erratum="E4-02",
                ),
                Slip(
                    "The other sign",
                    "r is positive on the side that w points to, where g > 0.",
                    "return i, r[i] -> return i, -r[i]",
                    erratum="E4-02",
                ),
                Slip(
                    "The bias stands last",
                    "w[0] is the bias.",
                    "(w[0] + X @ w[1:]) / np.linalg.norm(w[1:]) -> "
                    "(w[-1] + X @ w[:-1]) / np.linalg.norm(w[:-1])",
                ),
            ),
            picture=_nearest_picture,
        ),
    ),
)


def line_through(a: Array, b: Array, p: Array) -> Any:
    along = b - a
    w = np.array([-along[1], along[0]]) / np.linalg.norm(along)
    if w @ (p - a) < 0:
        w = -w
    return np.array([-w @ a, *w])


def _line_picture(given: Any, came_out: Any, expected: Any) -> Any:
    """The three points, p as the one of class 1, with both lines."""
    from lectures_lib.figures.answers import two_lines

    points, names = np.array(given), ("a and b", "p")
    return two_lines(points, [0, 0, 1], came_out[0], expected[0], names, separate=False)


def _three_points(rng: Rng) -> tuple[Any, ...]:
    return tuple(2 * rng.normal(size=2) for _ in range(3))


LINE = Exercise(
    id="linear_discriminants.line_through",
    title="The line through two points, with a side",
    minutes=9,
    section=GEOMETRY,
    hints=(
        "w stands upright on the line. Which vectors are orthogonal to b − a?",
        "With b − a = (u, v) take (−v, u), divided by its length. Then w0 = −w·a, because "
        "g(a) = 0. If g(p) is negative, turn all signs.",
        "`w = np.array([-v, u]) / np.hypot(u, v)`",
    ),
    remark="Two points leave the side open; a third one decides. In d dimensions it takes d points "
    "and one more.",
    parts=(
        Function(
            line_through,
            (Result("w", ("3",), points=4),),
            (
                Case("upright", (np.array([1.0, 0.0]), np.array([1.0, 2.0]), np.array([3.0, 1.0]))),
                Case(
                    "the same line, the other side",
                    (np.array([1.0, 0.0]), np.array([1.0, 2.0]), np.array([-3.0, 1.0])),
                ),
                Case("a slope", (np.array([0.0, 2.0]), np.array([4.0, -1.0]), np.zeros(2))),
            ),
            _three_points,
            (
                Slip(
                    "The side is not looked at",
                    "g(p) has to be positive. Where it is negative, all three signs turn.",
                    "w @ (p - a) < 0 -> False",
                ),
                Slip(
                    "The wrong side",
                    "p is on the negative side: the signs turn exactly where g(p) < 0.",
                    "w @ (p - a) < 0 -> w @ (p - a) > 0",
                ),
                Slip(
                    "The bias did not turn",
                    "(w1, w2) was turned and w0 was not: turn all three signs.",
                    "-w @ a -> -(np.array([-along[1], along[0]]) @ a) / np.linalg.norm(along)",
                ),
                Slip(
                    "The bias is not divided",
                    "w0 = −w·a, with the w that has length 1.",
                    "-w @ a -> -w @ a * np.linalg.norm(along)",
                ),
                Slip(
                    "The bias counts in the length",
                    "‖(w1, w2)‖ is 1; the bias does not count in the length.",
                    "return np.array([-w @ a, *w]) -> "
                    "return np.array([-w @ a, *w]) / np.hypot(1, w @ a)",
                ),
                Slip(
                    "Swapped without a sign",
                    "(v, u) is not orthogonal to (u, v); (−v, u) is.",
                    "[-along[1], along[0]] -> [along[1], along[0]]",
                ),
                Slip(
                    "The bias has the other sign",
                    "g(a) = w·a + w0 = 0 gives w0 = −w·a.",
                    "[-w @ a, *w] -> [w @ a, *w]",
                    also=(("(p - a) < 0 -> (p + a) < 0", "[-w @ a, *w] -> [w @ a, *w]"),),
                    erratum="E4-02",
                ),
                Slip(
                    "The bias is missing",
                    "The line goes through a: w·a + w0 = 0 gives w0 = −w·a.",
                    "[-w @ a, *w] -> [0, *w]",
                    also=(("(p - a) < 0 -> p < 0", "[-w @ a, *w] -> [0, *w]"),),
                ),
                Slip(
                    "Along the line",
                    "w points along the line; it has to stand upright on it: w·(b − a) = 0.",
                    "[-along[1], along[0]] -> [along[0], along[1]]",
                ),
                Slip(
                    "The length is not 1",
                    "The task asks for ‖(w1, w2)‖ = 1: divide, the bias included.",
                    "/ np.linalg.norm(along) -> ",
                ),
                Slip(
                    "The bias stands last",
                    "In this course the bias comes first: (w0, w1, w2).",
                    "[-w @ a, *w] -> [*w, -w @ a]",
                ),
            ),
            picture=_line_picture,
            valid=lambda a, b, p: bool(
                np.linalg.norm(b - a) > 0.1 and abs(np.linalg.det(np.array([b - a, p - a]))) > 0.1
            ),
        ),
    ),
)

SHIFT = Exercise(
    id="linear_discriminants.shift",
    title="A step along the normal",
    minutes=9,
    section=GEOMETRY,
    hints=(
        "Multiply out the dot product, then look for w·w.",
        "dot(w, x + t*w/norm(w)) = dot(w, x) + t*dot(w, w)/norm(w), and dot(w, w) = norm(w)**2.",
        "A first line: `(dot(w, x) + t*dot(w, w)/norm(w) + w0)/norm(w)`",
    ),
    remark="So the signed distance is a coordinate: it counts steps along w, whatever the length "
    "of w.",
    parts=(
        Proof(
            "shift_proof",
            "(dot(w, x + t*w/norm(w)) + w0)/norm(w)",
            (
                Step(
                    "multiply out",
                    "(dot(w, x) + t*dot(w, w)/norm(w) + w0)/norm(w)",
                    without=r"x \+ t",
                ),
                Step(
                    "the norm",
                    "(dot(w, x) + t*norm(w) + w0)/norm(w)",
                    without=r"dot\(w, w\)|x \+ t",
                ),
                Step("the goal", "(dot(w, x) + w0)/norm(w) + t", without=r"t\*"),
            ),
            {"w x": "vector 3", "w0 t": "real"},
            given=("norm(w) > 0",),
            slips=(
                Slip(
                    "w·w is not ‖w‖",
                    "w·w is ‖w‖²; one factor ‖w‖ cancels, the other stays.",
                    "t*norm(w) -> t",
                ),
                Slip(
                    "The step is lost",
                    "The step t w/‖w‖ has a product with w too.",
                    " + t*dot(w, w)/norm(w) -> ",
                ),
                Slip(
                    "The sign of the step", "The step is added: t enters with a plus.", "+ t -> - t"
                ),
                Slip("The bias is lost", "w0 is part of the score.", "+ w0)/norm(w) -> )/norm(w)"),
            ),
        ),
    ),
)


# Least squares -------------------------------------------------------------------------------


def weighted_outputs(X: Array, y: Array, K: int, v: Array) -> Any:
    A = np.column_stack([np.ones(len(X)), X])
    root = np.sqrt(v)[:, None]
    return np.linalg.lstsq(root * A, root * np.eye(K)[y], rcond=None)[0]


def _weighted(rng: Rng) -> tuple[Any, ...]:
    d, K = int(rng.integers(3, 5)), int(rng.integers(2, 5))
    n = d + K + int(rng.integers(4, 9))
    y = rng.permutation(np.arange(n) % K)
    return rng.normal(size=(n, d)) + y[:, None], y, K, rng.uniform(0.2, 3, n)


WEIGHTED = Exercise(
    id="linear_discriminants.weighted",
    title="Least squares with weights",
    minutes=12,
    section=CODE,
    hints=(
        "A weight of 2 has to do what the example twice in the data would do.",
        "Σ vᵢ‖yᵢ − Bᵀ(1, xᵢ)‖² is the plain sum of squares of √vᵢ yᵢ and √vᵢ (1, xᵢ).",
        "`root = np.sqrt(v)[:, None]`, and then `lstsq(root * A, root * Y)`; the ones are "
        "weighted too.",
    ),
    remark="Weights make a rare class count as much as a frequent one, or an old example less than "
    "a new one.",
    parts=(
        Function(
            weighted_outputs,
            (Result("B", ("d+1", "K"), points=5),),
            (
                Case(
                    "all weights 1",
                    (np.array([[0.0], [1.0], [3.0]]), np.array([0, 1, 1]), 2, np.ones(3)),
                ),
                Case(
                    "one example counts four times",
                    (
                        np.array([[0.0], [1.0], [3.0], [4.0]]),
                        np.array([0, 1, 0, 1]),
                        2,
                        np.array([1.0, 4.0, 1.0, 1.0]),
                    ),
                ),
                Case(
                    "three classes in the plane",
                    (
                        np.array([[0.0, 0], [2, 0], [0, 2], [1, 1], [3, 1]]),
                        np.array([0, 1, 2, 0, 1]),
                        3,
                        np.array([1.0, 2.0, 0.5, 1.0, 1.0]),
                    ),
                ),
            ),
            _weighted,
            (
                Slip(
                    "The weight instead of its root",
                    "The errors are squared after they were multiplied: use √v.",
                    "np.sqrt(v) -> v",
                ),
                Slip(
                    "The weights are not used",
                    "All examples count alike here. Each squared error has to count vᵢ times.",
                    "np.sqrt(v) -> np.sqrt(0 * v + 1)",
                ),
                Slip(
                    "Only the features are weighted",
                    "The targets count too: √v on both, or v in both products, XᵀVX B = XᵀVY.",
                    "root * np.eye(K)[y] -> np.eye(K)[y]",
                    also=("root * np.eye(K)[y] -> np.eye(K)[y] / root",),
                ),
                Slip(
                    "Only the targets are weighted",
                    "The features and the ones count too: √v on both, or v in both products, "
                    "XᵀVX B = XᵀVY.",
                    "lstsq(root * A -> lstsq(A",
                    also=(("lstsq(root * A -> lstsq(A", "root * np.eye -> root**2 * np.eye"),),
                ),
                Slip(
                    "The ones are not weighted",
                    "The column of ones belongs to A: it is multiplied by √v too.",
                    "lstsq(root * A -> lstsq(np.column_stack([np.ones(len(X)), root * X])",
                ),
                Slip(
                    "The ones are missing",
                    "Put a column of ones in front of X; its row of B is the bias.",
                    "np.column_stack([np.ones(len(X)), X]) -> X",
                ),
                Slip(
                    "The bias stands last",
                    "The ones come first, so the first row of B is the bias.",
                    "np.ones(len(X)), X] -> X, np.ones(len(X))]",
                ),
                Slip(
                    "The weights are turned round",
                    "A large weight has to count more, not less: multiply by √v.",
                    "np.sqrt(v) -> 1 / np.sqrt(v)",
                ),
                Slip(
                    "Whole weights",
                    "A weight is any positive number: 0.5 and 2.7 cannot be had by repeating rows.",
                    "np.sqrt(v) -> np.sqrt(np.maximum(1, v.astype(int)))",
                    also=("np.sqrt(v) -> np.sqrt(np.round(v))",),
                ),
                Slip(
                    "Targets −1 and 1",
                    "The one-hot vector of a label holds 0 and 1.",
                    "np.eye(K)[y] -> (2 * np.eye(K)[y] - 1)",
                ),
                Slip(
                    "Transposed",
                    "B has a column for each class: (d+1, K).",
                    "rcond=None)[0] -> rcond=None)[0].T",
                ),
            ),
            valid=lambda X, y, K, v: bool(
                np.all(v > 0)
                and set(y) == set(range(K))
                and np.linalg.matrix_rank(np.column_stack([np.ones(len(X)), X])) > X.shape[1]
            ),
        ),
    ),
)

MASKED = Exercise(
    id="linear_discriminants.masked",
    title="Who is masked?",
    minutes=5,
    section=WRONG_WAYS,
    hints=(
        "Fit the indicator of one class in your head: where is it 1, where is it 0?",
        "A plane over the square follows a target that is 1 on one side and 0 on the other. What "
        "can it do when the ones lie in the middle?",
        "By symmetry the plane for class E has slope 0 in every direction. Compare its height with "
        "the four others, which add up with it to 1.",
    ),
    remark="A flat output 1/5 and four others whose sum is 4/5: the largest of these four is never "
    "below 1/5.",
    parts=(
        Prediction(
            ("masked", "because"),
            (
                Choice(
                    "a",
                    "no class",
                    False,
                    "Look at the plane that is fitted to the indicator of E.",
                ),
                Choice(
                    "b",
                    "class A",
                    False,
                    "A lies on the outside: its plane rises towards its corner.",
                ),
                Choice(
                    "c",
                    "class E",
                    True,
                    "The plane of E is flat, and one of the others is as high.",
                ),
                Choice("d", "A, B, C and D", False, "Each of them is highest in its own corner."),
            ),
            (
                Choice("a", "E has fewer neighbours", False, "All classes have 20 examples each."),
                Choice(
                    "b",
                    "the plane of E has slope 0 and height 1/5, and the four others add up to "
                    "4/5 everywhere",
                    True,
                    "So the largest of the four is at least 1/5.",
                ),
                Choice("c", "the outputs of E are negative", False, "They are 1/5 everywhere."),
                Choice(
                    "d",
                    "no line separates E from the others",
                    False,
                    "True, and yet linear discriminants exist that give E a region: LDA finds "
                    "them.",
                ),
            ),
            points=3.0,
        ),
    ),
)


# A line exists, and least squares misses it -----------------------------------------------------


def _trouble(X: Array, y: Array) -> str:
    """What keeps the data from being a case at all."""
    if X.shape[1:] != (2,):
        return "each point has two numbers, [x1, x2]."
    if len(X) != len(y) or len(X) > 12:
        return f"found {len(X)} points and {len(y)} labels; expected as many, 12 at most."
    if set(np.unique(y)) != {0, 1}:
        return "both classes, 0 and 1, are needed."
    return ""


def _separable(X: Array, y: Array) -> bool:
    try:
        HardMarginSVM().fit(X, y)
    except InseparableError:
        return False
    return True


def _a_line_separates(X: Array, y: Array) -> str:
    return _trouble(X, y) or ("" if _separable(X, y) else "no line separates these classes.")


def _mistakes(X: Array, y: Array) -> int:
    return int(np.sum(LeastSquaresClassifier().fit(X, y).predict(X) != y))


def _least_squares_errs(X: Array, y: Array) -> str:
    if _trouble(X, y):
        return _trouble(X, y)
    return "" if _mistakes(X, y) else "least squares gets all of them right."


def _pulled_picture(X: Array, y: Array) -> Any:
    """The data and the boundary of least squares."""
    from lectures_lib.figures.plane import boundary_scene

    if _trouble(X, y):
        return None
    model = LeastSquaresClassifier().fit(X, y)
    w = np.r_[model.intercept_, model.coef_[0]]
    return boundary_scene(X, y, w, title="the boundary of least squares")


PULLED = Exercise(
    id="linear_discriminants.pulled",
    title="A line exists, and least squares misses it",
    minutes=10,
    section=WRONG_WAYS,
    hints=(
        "Start with two classes that a line separates well. Then add points that are far on their "
        "own side.",
        "One feature is enough: the fitted line has to come down to 1 at the far points, and so it "
        "crosses 0 too late for the near ones.",
        "Class 0 at −1 and −2, class 1 at 1 and 2, and one more point of class 1. How far out must "
        "it be?",
    ),
    remark="The perceptron and the widest street separate these data. Least squares answers "
    "another "
    "question.",
    parts=(
        Values(
            ("X_pulled", "y_pulled"),
            (
                Property(
                    "a line separates the classes",
                    1.0,
                    _a_line_separates,
                    "data that some line separates",
                ),
                Property(
                    "least squares makes a mistake",
                    3.0,
                    _least_squares_errs,
                    "at least one point on the wrong side of the least-squares boundary",
                ),
            ),
            (Result("X_pulled", ("N", "2")), Result("y_pulled", ("N",), "count")),
            (
                Slip(
                    "No line separates",
                    "These classes cannot be separated, so it is no wonder that least squares "
                    "errs.",
                    recognise=lambda X, y: not _trouble(X, y) and not _separable(X, y),
                ),
                Slip(
                    "Least squares does well",
                    "No mistake here. Move one correct point farther out, away from the boundary.",
                    recognise=lambda X, y: (
                        not _trouble(X, y) and _separable(X, y) and not _mistakes(X, y)
                    ),
                ),
                Slip(
                    "One class only",
                    "Both classes are needed, with the labels 0 and 1.",
                    recognise=lambda X, y: len(np.unique(y)) == 1,
                ),
                Slip(
                    "Signs instead of labels",
                    "The labels are 0 and 1 here, not −1 and +1.",
                    recognise=lambda X, y: set(np.unique(y)) == {-1, 1},
                ),
                Slip(
                    "Too many points",
                    "Twelve points at most: fewer far ones, but farther out.",
                    recognise=lambda X, y: len(X) == len(y) > 12,
                ),
            ),
            picture=_pulled_picture,
        ),
    ),
)

EXERCISES = (NEAREST, LINE, SHIFT, WEIGHTED, MASKED, PULLED)
