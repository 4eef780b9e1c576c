"""The exercises of this chapter: distances, labels as vectors, least squares and where it fails."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import (
    Array,
    Case,
    Function,
    Prediction,
    Proof,
    Property,
    Result,
    Rng,
    Values,
    choices,
    exercise,
    slips,
    steps,
)
from lectures_lib.least_squares import LeastSquaresClassifier
from lectures_lib.margin import HardMarginSVM, InseparableError

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


NEAREST = exercise(
    """
    linear_discriminants.nearest: The point that lies nearest to the plane [7 minutes] [One line,
            one arrow, one distance]
        A score is no distance yet: it doubles when w and w0 are doubled, and the plane stays.
        Signed distance: r(x) = (w0 + w·x)/‖w‖, where ‖w‖ leaves out the bias. Which |r| is
            smallest?
        With `r` in hand, `i = np.argmin(np.abs(r))`, and `r[i]` still carries its sign.
    Remark
        A negative distance is no mistake: its sign tells the side.
    """,
    Function(
        nearest_to_plane,
        (Result("i", kind="count", points=1), Result("r", points=2)),
        (
            Case("one feature", ([[3.0], [1.5], [-2.0]], [-2.0, 2.0])),
            Case(
                "a plane that leans, w = (3, 4)",
                ([[0.0, 0.0], [1.0, 1.0], [-2.0, 1.0]], [-5.0, 3.0, 4.0]),
            ),
            Case(
                "the nearest lies on the negative side",
                ([[4.0, 0.0], [-1.0, 0.5]], [0.5, 1.0, -1.0]),
            ),
        ),
        _plane_and_points,
        slips("""
    The score is not divided
        (w[0] + X @ w[1:]) / np.linalg.norm(w[1:]) -> w[0] + X @ w[1:]
        g(x) is no distance: divide it by ‖w‖.
    The bias counts in the length
        norm(w[1:]) -> norm(w)
        ‖w‖ leaves out the bias: `np.linalg.norm(w[1:])`.
    The square of the length
        / np.linalg.norm(w[1:]) -> / (w[1:] @ w[1:])
        Divide by ‖w‖, not by ‖w‖²; the square belongs to the foot of the point.
    The bias is not added
        (w[0] + X -> (X || (-w[0] + X
        The score is w0 + w·x.
    The smallest instead of the nearest
        np.abs(r) -> r
        The smallest r lies farthest on the negative side. The nearest has the smallest |r|.
    The farthest
        np.argmin -> np.argmax
        This row has the largest distance. The nearest has the smallest |r|.
    Counted from 1
        return i, r[i] -> return i + 1, r[i]
        Rows are counted from 0, as NumPy does.
    The bias is not divided
        (w[0] + X @ w[1:]) / np -> w[0] + X @ w[1:] / np
        The whole score is divided by ‖w‖, the bias included.
    The sign is lost [E4-02]
        return i, r[i] -> return i, abs(r[i])
        The task asks for the signed distance: return `r[i]`, not |r[i]|.
    The other sign [E4-02]
        return i, r[i] -> return i, -r[i]
        r is positive on the side that w points to, where g > 0.
    The bias stands last
        (w[0] + X @ w[1:]) / np.linalg.norm(w[1:]) -> (w[-1] + X @ w[:-1]) / np.linalg.norm(w[:-1])
        w[0] is the bias.
            """),
        picture=_nearest_picture,
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


LINE = exercise(
    """
    linear_discriminants.line_through: The line through two points, with a side [9 minutes] [One
            line, one arrow, one distance]
        w is perpendicular to the line. Which vectors are orthogonal to b − a?
        With b − a = (u, v) take (−v, u), divided by its length. Then w0 = −w·a, because g(a) = 0.
            If g(p) is negative, change all three signs.
        `w = np.array([-v, u]) / np.hypot(u, v)`
    Remark
        Two points leave the side open, and a third decides. In d dimensions it takes d + 1 points.
    """,
    Function(
        line_through,
        (Result("w", ("3",), points=4),),
        (
            Case("upright", ([1.0, 0.0], [1.0, 2.0], [3.0, 1.0])),
            Case("the same line, the other side", ([1.0, 0.0], [1.0, 2.0], [-3.0, 1.0])),
            Case("a slope", ([0.0, 2.0], [4.0, -1.0], np.zeros(2))),
        ),
        _three_points,
        slips("""
    The side is not looked at
        w @ (p - a) < 0 -> False
        g(p) has to be positive. Where it is negative, change all three signs.
    The wrong side
        w @ (p - a) < 0 -> w @ (p - a) > 0
        p is on the negative side: change the signs where g(p) < 0, and only there.
    The bias did not turn
        -w @ a -> -(np.array([-along[1], along[0]]) @ a) / np.linalg.norm(along)
        (w1, w2) changed signs and w0 did not: change all three.
    The bias is not divided
        -w @ a -> -w @ a * np.linalg.norm(along)
        w0 = −w·a, with the w that has length 1.
    The bias counts in the length
        return np.array([-w @ a, *w]) -> return np.array([-w @ a, *w]) / np.hypot(1, w @ a)
        ‖(w1, w2)‖ is 1; the bias does not count in the length.
    Swapped without a sign
        [-along[1], along[0]] -> [along[1], along[0]]
        With b − a = (u, v): (−v, u) is orthogonal to it, and (v, u) is not, unless u or v is 0.
    The bias has the other sign [E4-02]
        [-w @ a, *w] -> [w @ a, *w]
        (p - a) < 0 -> (p + a) < 0 ; [-w @ a, *w] -> [w @ a, *w]
        g(a) = w·a + w0 = 0 gives w0 = −w·a.
    The bias is missing
        [-w @ a, *w] -> [0, *w]
        (p - a) < 0 -> p < 0 ; [-w @ a, *w] -> [0, *w]
        The line goes through a: w·a + w0 = 0 gives w0 = −w·a.
    Along the line
        [-along[1], along[0]] -> [along[0], along[1]]
        w points along the line; it has to be perpendicular to it: w·(b − a) = 0.
    The length is not 1
        / np.linalg.norm(along) ->
        The task asks for ‖(w1, w2)‖ = 1: divide all three numbers by that length.
    The bias stands last
        [-w @ a, *w] -> [*w, -w @ a]
        In this course the bias comes first: (w0, w1, w2).
            """),
        picture=_line_picture,
        valid=lambda a, b, p: bool(
            np.linalg.norm(b - a) > 0.1 and abs(np.linalg.det(np.array([b - a, p - a]))) > 0.1
        ),
    ),
)

SHIFT = exercise(
    """
    linear_discriminants.shift: A step along the normal [9 minutes] [One line, one arrow, one
            distance]
        Multiply out the dot product, then look for w·w.
        dot(w, x + t*w/norm(w)) = dot(w, x) + t*dot(w, w)/norm(w), and dot(w, w) = norm(w)**2.
        A first line: `(dot(w, x) + t*dot(w, w)/norm(w) + w0)/norm(w)`
    Remark
        So the signed distance is a coordinate: it counts steps along w, whatever the length of w.
    """,
    Proof(
        "shift_proof",
        "(dot(w, x + t*w/norm(w)) + w0)/norm(w)",
        steps("""
    the dot product multiplied out [1 point]
        (dot(w, x) + t*dot(w, w)/norm(w) + w0)/norm(w)
        without x + t*w/norm(w); with dot(w, w)
        without x + t*w/norm(w); with dot(w, t*w/norm(w))
        with t*norm(w)
        with t*norm(w)**2
    w·w is the square of the norm [1 point]
        (dot(w, x) + t*norm(w) + w0)/norm(w)
        with t*norm(w)
        with t*norm(w)**2
        with t*dot(w, w)/norm(w)**2
    the goal [2 points]
        (dot(w, x) + w0)/norm(w) + t
        """),
        {"w x": "vector 3", "w0 t": "real"},
        given=("norm(w) > 0",),
        slips=slips("""
    w·w is not ‖w‖
        t*norm(w) -> t
        w·w is ‖w‖²; one factor ‖w‖ cancels, the other stays.
    The step is lost
        + t*dot(w, w)/norm(w) ->
        The step t w/‖w‖ has a product with w too.
    The sign of the step
        + t -> - t
        The step is added: t enters with a plus.
    The bias is lost
        + w0)/norm(w) -> )/norm(w)
        w0 is part of the score.
            """),
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


WEIGHTED = exercise(
    """
    linear_discriminants.weighted: Least squares with weights [12 minutes] [The same thing in code]
        A weight of 2 has to do what a second copy of the example would do.
        Σ vᵢ‖yᵢ − Bᵀ(1, xᵢ)‖² is the plain sum of squares of √vᵢ yᵢ and √vᵢ (1, xᵢ).
        `root = np.sqrt(v)[:, None]`, then `lstsq(root * A, root * Y)`. The ones are weighted too.
    Remark
        Weights can make a rare class count like a frequent one, or an old example less than a new
        one.
    """,
    Function(
        weighted_outputs,
        (Result("B", ("d+1", "K"), points=5),),
        (
            Case("all weights 1", ([[0.0], [1.0], [3.0]], [0, 1, 1], 2, np.ones(3))),
            Case(
                "one example counts four times",
                ([[0.0], [1.0], [3.0], [4.0]], [0, 1, 0, 1], 2, [1.0, 4.0, 1.0, 1.0]),
            ),
            Case(
                "three classes in the plane",
                (
                    [[0.0, 0], [2, 0], [0, 2], [1, 1], [3, 1]],
                    [0, 1, 2, 0, 1],
                    3,
                    [1.0, 2.0, 0.5, 1.0, 1.0],
                ),
            ),
        ),
        _weighted,
        slips("""
    The weight instead of its root
        np.sqrt(v) -> v
        The errors are squared after the multiplication: use √v.
    The weights are not used
        np.sqrt(v) -> np.sqrt(0 * v + 1)
        All examples count alike here. Each squared error has to count vᵢ times.
    Only the features are weighted
        root * np.eye(K)[y] -> np.eye(K)[y] || np.eye(K)[y] / root
        Weight the targets too: √v on A and Y, or v in both `(A.T * v) @ A` and `(A.T * v) @ Y`.
    Only the targets are weighted
        lstsq(root * A -> lstsq(A
        lstsq(root * A -> lstsq(A ; root * np.eye -> root**2 * np.eye
        Weight features and ones too: √v on A and Y, or v in both `(A.T * v) @ A` and `(A.T * v) @
        Y`.
    The ones are not weighted
        lstsq(root * A -> lstsq(np.column_stack([np.ones(len(X)), root * X])
        The column of ones belongs to A: it is multiplied by √v too.
    The ones are missing
        np.column_stack([np.ones(len(X)), X]) -> X
        Put a column of ones in front of X; its row of B is the bias.
    The bias stands last
        np.ones(len(X)), X] -> X, np.ones(len(X))]
        The ones come first, so the first row of B is the bias.
    The weights are turned round
        np.sqrt(v) -> 1 / np.sqrt(v)
        A large weight has to count more, not less: multiply by √v.
    Whole weights
        np.sqrt(v) -> np.sqrt(np.maximum(1, v.astype(int))) || np.sqrt(np.round(v))
        A weight is any positive number: 0.5 and 2.7 cannot be had by repeating rows.
    Targets −1 and 1
        np.eye(K)[y] -> (2 * np.eye(K)[y] - 1)
        The one-hot vector of a label holds 0 and 1.
    Transposed
        rcond=None)[0] -> rcond=None)[0].T
        B has a column for each class: (d+1, K).
            """),
        valid=lambda X, y, K, v: bool(
            np.all(v > 0)
            and set(y) == set(range(K))
            and np.linalg.matrix_rank(np.column_stack([np.ones(len(X)), X])) > X.shape[1]
        ),
    ),
    another="""
def weighted_outputs(X, y, K, v):
    A = np.column_stack([np.ones(len(X)), X])
    return np.linalg.solve((A.T * v) @ A, (A.T * v) @ np.eye(K)[y])
""",
)

MASKED = exercise(
    """
    linear_discriminants.masked: Five classes: an argument with two flaws [5 minutes] [What goes
            wrong]
        Fit the indicator of E in your head: where is it 1, where is it 0? What can a plane make of
            that?
        By symmetry its slope is 0 in every direction, and its height is the mean of the target. How
            many borders may a region have?
        Draw the four lines on which E and one of the others are equally near. What do they enclose?
    Remark
        Neither the straight border nor the number of examples is at fault. The target is: 1 in the
        middle and 0 all round.
    """,
    Prediction(
        ("flawed", "because"),
        choices("""
    a. The plane that is fitted to the indicator of E is flat: 1/5 everywhere.
        The ones lie in the middle of the zeros, and one example in five is a 1.
    b. The five outputs add up to 1, so E is nowhere the answer, or by a tie only.
        The four others add up to 4/5, so the largest of them is at least 1/5.
    c. So straight borders cannot give E a region: no line has E on one side and the rest on the
            other. [right]
        There is no such line. But is a region bounded by one line?
    d. With ten times as many examples of every class, E would get its region. [right]
        The planes would be known more exactly. Would they be other planes?
    e. With x₁² and x₂² as two more features, the output of E can be high in the middle and low at
            the corners.
        The output can bend then, as that of the middle group did with x².
    f. Fitting the five outputs one by one, and not together, would change none of them.
        The columns of B are fitted as if the others did not exist.
            """),
        choices("""
    a. a region is where one discriminant is the highest, and several lines together can bound it
            [right]
        LDA gives E a cell with a border towards each of the four.
    b. outputs below 0 have to be set to 0 first
        Then they would no longer add up to 1, and E would have its 1/5 as before.
    c. where the classes lie and how large their shares are settles these planes [right]
        Both stay, so E stays flat at a height of 1/5.
    d. the five regressions compete for the same coefficients
        Each has a column of its own.
    e. the plane of E leans towards the corner that lies nearest
        The four corners are equally far from it.
            """),
        points=3.0,
    ),
    version=2,
)


# A line exists, and least squares misses it -----------------------------------------------------


def _trouble(X: Array, y: Array) -> str:
    """What keeps the data from being a case at all."""
    if X.shape[1:] != (2,):
        return "each point has two numbers, [x1, x2]."
    if len(X) != len(y) or len(X) > 12:
        return f"found {len(X)} points and {len(y)} labels; expected equally many, 12 at most."
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


PULLED = exercise(
    """
    linear_discriminants.pulled: A line exists, and least squares misses it [10 minutes] [What goes
            wrong]
        Start with two classes that a line separates well. Then add points far out on their own
            side.
        One feature is enough: the fitted line should be near 1 at the far points too, so it rises
            slowly and crosses ½ too late for the near ones.
        Class 0 at −1 and −2, class 1 at 1 and 2, and one more point of class 1. How far out must it
            be?
    Remark
        The perceptron separates these data. Least squares answers another question.
    """,
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
        slips(
            """
    No line separates
        when no_line
        These classes cannot be separated, so it is no wonder that least squares errs.
    Least squares does well
        when least_squares
        No mistake here. Move one correct point farther out, away from the boundary.
    One class only
        when class_only
        Both classes are needed, with the labels 0 and 1.
    Signs instead of labels
        when signs_instead
        The labels are 0 and 1 here, not −1 and +1.
    Too many points
        when too_many
        Twelve points at most: fewer far ones, but farther out.
                """,
            no_line=lambda X, y: not _trouble(X, y) and not _separable(X, y),
            least_squares=lambda X, y: (
                not _trouble(X, y) and _separable(X, y) and not _mistakes(X, y)
            ),
            class_only=lambda X, y: len(np.unique(y)) == 1,
            signs_instead=lambda X, y: set(np.unique(y)) == {-1, 1},
            too_many=lambda X, y: len(X) == len(y) > 12,
        ),
        picture=_pulled_picture,
    ),
    another="X_pulled, y_pulled = [[-2, 0], [-1, 0], [1, 0], [2, 0], [30, 0]], [0, 0, 1, 1, 1]",
)

EXERCISES = (NEAREST, LINE, SHIFT, WEIGHTED, MASKED, PULLED)
