"""The exercises of this chapter: one pass, a penalty, a cut point, a bound, halved steps, twins."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import (
    Array,
    Case,
    Expression,
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


def _sample(rng: Rng, n: int, d: int) -> tuple[Any, Any]:
    """Features of unequal size and labels of which both occur."""
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    return rng.normal(0.4, rng.uniform(0.4, 1.5, d), (n, d)), y


# A tenth of the learning rate ----------------------------------------------------------------

SMALLER_RATE = exercise(
    """
    logistic_training.smaller_rate: A tenth of the learning rate: the flaw [4 minutes] [What goes
            wrong]
        Take the lines one by one. In which of them does the learning rate play a part?
        A short step of the rate η lowers the loss by about η‖∇J‖². When does each run stop?
        The rule stops where the slope is about `np.sqrt(1e-6 / rate)`. Try a rate, and its tenth.
    Remark
        So the run with the larger rate stops nearer to the minimum. The limit on the fall of the
        loss hides a learning rate. A limit on the slope does not.
    """,
    Prediction(
        ("flaw", "flaw_reason"),
        choices("""
    a. With a rate below 1/L each step of both runs lowers the loss.
        It does: that is the theorem of the chapter.
    b. The loss is convex, so a place without a slope is a minimum.
        Every local minimum of a convex function is a global one.
    c. A short step of the rate η lowers the loss by about η‖∇J‖².
        The step is η‖∇J‖ long, and the loss falls by about ‖∇J‖ per unit of length.
    d. Both runs stop when this fall is below the limit, so at about the same place. [right]
        The fall depends on the rate too, so the same fall is not the same place.
    e. At the same place the loss is the same, so the second run only needs more steps.
        This line only draws a conclusion. From what does it follow?
            """),
        choices("""
    a. At a tenth of the rate the fall drops below the limit while the slope is still larger.
            [right]
        The slope at the stop is larger by a factor of about √10.
    b. Smaller steps follow the curve of the valley more exactly, and end lower in it.
        They do follow it more exactly. The rule stops by the fall of the loss, not by the path.
    c. The two runs can end in different minima.
        The loss is convex: where there is one minimum, there is no second, higher one.
    d. Larger steps jump over the flat part of the valley.
        Both rates are below 1/L: nothing is jumped over.
            """),
        points=2.0,
    ),
    version=2,
)


# One pass ------------------------------------------------------------------------------------


def epoch(X: Array, y: Array, w: Array, eta: float, B: int, order: Array) -> Any:
    w = np.array(w, dtype=float)
    for first in range(0, len(order), B):
        rows = order[first : first + B]
        ones = np.column_stack([np.ones(len(rows)), X[rows]])
        miss = 1 / (1 + np.exp(-(ones @ w))) - y[rows]
        w = w - eta * ones.T @ miss / len(rows)
    return w


def _pass(rng: Rng) -> tuple[Any, ...]:
    n, d = int(rng.integers(5, 10)), int(rng.integers(3, 5))
    X, y = _sample(rng, n, d)
    size = int(rng.integers(2, 5))
    return X, y, rng.normal(size=d + 1), float(rng.uniform(0.2, 1.5)), size, rng.permutation(n)


def _all_at_the_old_place(X: Array, y: Array, w: Array, eta: float, B: int, order: Array) -> Any:
    after = np.array(w, dtype=float)
    for first in range(0, len(order), B):
        rows = order[first : first + B]
        ones = np.column_stack([np.ones(len(rows)), X[rows]])
        after -= eta * ones.T @ (1 / (1 + np.exp(-(ones @ w))) - y[rows]) / len(rows)
    return after


def _one_pass(X: Array, y: Array, w: Array, eta: float, B: int, order: Array) -> bool:
    return bool(
        X.ndim == 2
        and len(X) == len(y) == len(order)
        and len(w) == X.shape[1] + 1
        and B >= 1
        and np.array_equal(np.sort(order), np.arange(len(X)))
    )


EPOCH = exercise(
    """
    logistic_training.epoch: One pass of stochastic descent [9 minutes] [A few examples at a time]
        Cut the order into pieces of B. At which weights is the gradient of the second computed?
        For the rows of one piece: w ← w − η·X̲ᵀ(p − y)/n, with p at the present w and n the number
            of rows in this piece.
        `for first in range(0, len(order), B): rows = order[first : first + B]`; the last piece
            comes out shorter by itself.
    Remark
        Each example in a short last batch has more weight than the others. Over many passes with
        new orders this evens out.
    """,
    Function(
        epoch,
        (Result("w_after", ("d+1",), points=4),),
        (
            Case(
                "two examples, one at a time", ([[1.0], [-1.0]], [1, 0], [0.0, 0.0], 1.0, 1, [0, 1])
            ),
            Case(
                "three examples in pieces of two",
                ([[1.0], [-2.0], [4.0]], [1, 0, 1], [0.5, -1.0], 0.5, 2, [2, 0, 1]),
            ),
            Case(
                "a piece larger than the sample",
                (
                    [[1.0, 0.5], [-2.0, 3.0], [4.0, -1.0]],
                    [1, 1, 0],
                    [0.5, -1.0, 0.25],
                    2.0,
                    5,
                    [1, 2, 0],
                ),
            ),
        ),
        _pass,
        slips("""
    Uphill [E0-19]
        w = w - eta -> w = w + eta
        (p − y) is the gradient of the loss: subtract it.
    The sum instead of the mean [E0-20]
        / len(rows) ->
        The gradient of a minibatch is a mean over its rows.
    Divided by B, or by N
        miss / len(rows) -> miss / B || miss / len(order)
        The last piece can be shorter than B; divide by the number of its rows.
    The gradient of a sum
        miss / len(rows) -> miss * len(order) / len(rows) || miss * len(order) / B
        N/n times the sum over the piece belongs to the summed loss. The loss here is a mean.
    The step shrinks
        w = w - eta * ones.T -> w = w - eta / np.sqrt(first // B + 1) * ones.T
        w = w - eta * ones.T -> w = w - eta / (first // B + 1) * ones.T
        In this pass η stays the same from piece to piece.
    The last piece is dropped
        range(0, len(order), B) -> range(0, len(order) - B + 1, B)
        Every example counts once in a pass, also when N is not a multiple of B.
    The order is not used
        rows = order[first : first + B] -> rows = np.arange(len(order))[first : first + B]
        The pieces are cut from `order`, not from 0, 1, 2, …
    All gradients at the old weights
        by _all_at_the_old_place
        Each piece starts from the weights that the piece before it left.
    The bias stays [E2-08]
        return w -> return np.concatenate([[w0], w[1:]]) ; w = np.array(w, dtype=float) -> w =
            np.array(w, dtype=float); w0 = w[0]
        The bias has the feature 1 and moves like every other weight.
            """),
        valid=_one_pass,
    ),
)


# With a penalty ------------------------------------------------------------------------------


def penalised(X: Array, y: Array, w: Array, lam: float) -> Any:
    ones = np.column_stack([np.ones(len(X)), X])
    p = 1 / (1 + np.exp(-(ones @ w)))
    keep = np.ones(len(w))
    keep[0] = 0
    slope = ones.T @ (p - y) / len(X) + lam * keep * w
    bend = ones.T @ ((p * (1 - p))[:, None] * ones) / len(X) + lam * np.diag(keep)
    return slope, bend


def _penalty(rng: Rng) -> tuple[Any, ...]:
    n, d = int(rng.integers(5, 9)), int(rng.integers(3, 5))
    X, y = _sample(rng, n, d)
    return X, y, rng.normal(size=d + 1), float(rng.uniform(0.1, 2.0))


def _fits(X: Array, y: Array, w: Array, lam: float) -> bool:
    return bool(X.ndim == 2 and len(X) == len(y) and len(w) == X.shape[1] + 1 and lam > 0)


PENALISED = exercise(
    """
    logistic_training.penalised: Gradient and Hessian with a penalty [9 minutes] [Curvature: the
            Hessian]
        Two terms are added, and so are their derivatives. On which weights does the second term
            depend?
        ∂/∂wⱼ of (λ/2)·wⱼ² is λ·wⱼ, and its second derivative is λ, for j = 1 to d only.
        `keep = np.ones(len(w)); keep[0] = 0` marks the weights of the penalty, and `np.diag(keep)`
            is a matrix. Which of the two goes where, and with w or without?
    Remark
        The penalty adds λ to the curvature along every feature: a flat valley gets steeper, and
        with separable data the loss gets a minimum.
    """,
    Function(
        penalised,
        (Result("slope", ("d+1",), points=3), Result("bend", ("d+1", "d+1"), points=2)),
        (
            Case("two examples, w = 0", ([[1.0], [3.0]], [0, 1], [0.0, 0.0], 0.5)),
            Case("a large bias", ([[1.0], [-1.0]], [0, 1], [2.0, 1.0], 0.25)),
            Case(
                "two features",
                ([[1.0, 0.0], [3.0, 2.0], [-1.0, 0.5]], [0, 1, 1], [0.5, -1.0, 0.25], 1.5),
            ),
        ),
        _penalty,
        slips("""
    The bias is penalised
        keep[0] = 0 -> pass
        + lam * keep * w -> + lam * w
        The sum of the penalty begins at j = 1.
    A factor 2
        + lam * keep * w -> + 2 * lam * keep * w
        + lam * keep * w -> + 2 * lam * keep * w ; + lam * np.diag -> + 2 * lam * np.diag
        + lam * keep * w -> + lam / 2 * keep * w
        + lam * keep * w -> + lam / 2 * keep * w ; + lam * np.diag -> + lam / 2 * np.diag
        + lam * np.diag -> + lam / 2 * np.diag
        The penalty is λ/2 times the squares: its slope is λ w, its curvature λ.
    The penalty is divided by N
        / len(X) + lam * keep * w -> / len(X) + lam * keep * w / len(X) ; / len(X) + lam *
            np.diag(keep) -> / len(X) + lam * np.diag(keep) / len(X)
        Only the losses are a mean; λ stands as it is.
    The Hessian without the penalty
        + lam * np.diag(keep) ->
        λ wⱼ has the derivative λ: it belongs on the diagonal, except for the bias.
    The Hessian of least squares [E0-21]
        (p * (1 - p))[:, None] * ones -> ones
        Each example is weighted by p(1 − p).
    The gradient of the log-likelihood [E0-19]
        (p - y) -> (y - p)
        The loss has the opposite sign: p − y.
    Sums instead of means [E4-19]
        (p - y) / len(X) -> (p - y) ; * ones) / len(X) -> * ones)
        * ones) / len(X) -> * ones)
        The loss of this course is a mean over the examples.
            """),
        valid=_fits,
    ),
)


# The same curve with a cut point -------------------------------------------------------------


def cut_slopes(w: float, c: float, x: float, y: float) -> Any:
    p = 1 / (1 + np.exp(-w * (x - c)))
    return np.array([(p - y) * (x - c), -(p - y) * w])


def cut_bends(w: float, c: float, x: float, y: float) -> Any:
    p = 1 / (1 + np.exp(-w * (x - c)))
    mixed = -(p - y) - p * (1 - p) * w * (x - c)
    return np.array([[p * (1 - p) * (x - c) ** 2, mixed], [mixed, p * (1 - p) * w**2]])


def _place(rng: Rng) -> tuple[Any, ...]:
    w, c, x = rng.normal(size=3) * [1.0, 1.5, 2.0]
    return float(w), float(c), float(x), float(rng.choice([0, 1]))


CUT_POINT = exercise(
    """
    logistic_training.cut_point: The same curve with a cut point, in SymPy [13 minutes] [The
            gradient]
        Write the loss of one example with the score z = w(x − c) and let SymPy differentiate.
        With J = log(1 + e^z) − y·z: the slopes are sp.diff(J, w) and sp.diff(J, c), the bends the
            derivatives of the slopes.
        `sp.hessian(J, (w, c))` is a matrix; for the slopes, `sp.Matrix([sp.diff(J, w), sp.diff(J,
            c)])`.
    Remark
        The determinant of the bends is negative in places, for instance at w = 0 with any label:
        there the loss bends down in one direction. The same curve, described by (w, c) and not by
        (w₀, w₁), has a loss that is not convex.
    """,
    Expression(
        cut_slopes,
        (
            Case("w = 0", (0.0, 1.0, 3.0, 1.0)),
            Case("right of the cut, label 0", (0.5, 1.0, 3.0, 0.0)),
            Case("at the cut", (2.0, 1.0, 1.0, 1.0)),
        ),
        _place,
        axes=("2",),
        points=3,
        slips=slips("""
    The sign of the second slope
        -(p - y) * w]) -> (p - y) * w])
        The score falls when c grows: its derivative with respect to c is −w.
    Uphill [E0-19]
        return np.array([(p - y) * (x - c), -(p - y) * w]) -> return np.array([-(p - y) * (x - c),
            (p - y) * w])
        These are the slopes of the log-likelihood; the loss has the other sign.
    The inner derivative in w
        [(p - y) * (x - c), -> [(p - y) * x, || [(p - y),
        The derivative of the score with respect to w is x − c.
    The inner derivative in c
        -(p - y) * w]) -> -(p - y)])
        The derivative of the score with respect to c is −w, not −1.
            """),
    ),
    Expression(
        cut_bends,
        (
            Case("w = 0", (0.0, 1.0, 3.0, 1.0)),
            Case("right of the cut, label 0", (0.5, 1.0, 3.0, 0.0)),
            Case("at the cut", (2.0, 1.0, 1.0, 1.0)),
        ),
        _place,
        axes=("2", "2"),
        points=3,
        slips=slips("""
    One term of the product rule
        mixed = -(p - y) - p -> mixed = -p
        mixed = -(p - y) - p * (1 - p) * w * (x - c) -> mixed = -(p - y)
        The slope (p − y)(x − c) has c in both factors.
    Only the diagonal
        mixed = -(p - y) - p * (1 - p) * w * (x - c) -> mixed = 0 * p
        The mixed derivatives are not 0: w and c meet in one score.
    The sign of the mixed derivative
        mixed = -(p - y) - p * -> mixed = (p - y) + p *
        The derivative of the score with respect to c is −w.
    The bends in w₀ and w₁
        return np.array([[p * (1 - p) * (x - c) ** 2, mixed], [mixed, p * (1 - p) * w**2]]) ->
            return p * (1 - p) * np.array([[1, x], [x, x**2]]) || return p * (1 - p) *
            np.array([[x**2, x], [x, 1]])
        This is the Hessian in w₀ and w₁. Differentiate with respect to w and c.
    Uphill
        return np.array([[p -> return -np.array([[p
        These are the bends of the log-likelihood; the loss has the other sign.
            """),
    ),
)


# How large a curvature can be ----------------------------------------------------------------

BOUND = exercise(
    """
    logistic_training.bound: No curvature is larger than a quarter [10 minutes] [Curvature: the
            Hessian]
        p(1 − p) is largest at p = 1/2. Write it as its largest value minus a square.
        p(1 − p) = 1/4 − (p − 1/2)². Leave the square out. What remains is a squared length.
        The second line is `<= sum(dot(X[i], v)**2/4, i, 1, N)`, and its sum is the squared length
            of `X @ v`, over 4.
    Remark
        So no curvature of the summed loss is above λ_max(XᵀX)/4, and 1/L with this L is a safe
        step, whatever the labels and the weights.
    """,
    Proof(
        "bound",
        "sum(p[i]*(1 - p[i])*dot(X[i], v)**2, i, 1, N)",
        steps("""
    p(1 - p) compared with its largest value [2 points]
        sum((1/4 - (p[i] - 1/2)**2)*dot(X[i], v)**2, i, 1, N)
        with (p[i] - 1/2)**2; without p[i]*(1 - p[i])
        with (p - 1/2)**2; without p*(1 - p)
        with (1 - 2*p[i])**2; without p[i]*(1 - p[i])
        with (1 - 2*p)**2; without p*(1 - p)
        is sum(dot(X[i], v)**2/4, i, 1, N)
        is 1/4*sum(dot(X[i], v)**2, i, 1, N)
        is sum((X @ v)**2)/4
    what is subtracted is left out
        sum(dot(X[i], v)**2/4, i, 1, N)
    the goal: the sum is a product [2 points]
        dot(X @ v, X @ v)/4
        is norm(X @ v)**2/4
        """),
        symbols={"X": "matrix N d", "v": "vector d", "p": "vector N of probability"},
        sizes={"N": (1, 2, 3), "d": (1, 2)},
        asked="<=",
        slips=slips("""
    The sign of the square
        (1/4 - (p[i] -> (1/4 + (p[i]
        p(1 − p) is at most 1/4: the square is subtracted.
    The middle
        (p[i] - 1/2) -> (p[i] - 1/4)
        p(1 − p) is largest at p = 1/2.
    The largest value
        (1/4 - (p[i] -> (1/2 - (p[i]
        At p = 1/2 the product is 1/4.
    The examples are lost
        dot(X @ v, X @ v)/4 -> dot(v, v)/4
        The entries of X v are the products of v with the rows of X: their squares add up to the
        squared length of X v.
            """),
    ),
)


# Newton with halved steps --------------------------------------------------------------------


def halved_newton(X: Array, y: Array, w: Array) -> Any:
    ones = np.column_stack([np.ones(len(X)), X])

    def loss(v: Array) -> Any:
        z = ones @ v
        return np.mean(np.logaddexp(0, z) - y * z)

    p = 1 / (1 + np.exp(-(ones @ w)))
    H = ones.T @ ((p * (1 - p))[:, None] * ones) / len(X)
    way = np.linalg.solve(H, ones.T @ (p - y) / len(X))
    length, halvings = 1.0, 0
    while loss(w - length * way) > loss(w):
        length = length / 2
        halvings = halvings + 1
    return w - length * way, halvings


def _far(rng: Rng) -> tuple[Any, ...]:
    n, d = int(rng.integers(9, 15)), 3
    X, y = _sample(rng, n, d)
    return X, y, rng.normal(size=d + 1) * rng.choice([0.1, 1.5, 2.0])


def _overflowing(X: Array, y: Array, w: Array) -> Any:
    """The same with the loss by probabilities, which is no number for large scores."""
    ones = np.column_stack([np.ones(len(X)), X])

    def loss(v: Array) -> Any:
        with np.errstate(all="ignore"):
            p = 1 / (1 + np.exp(-(ones @ v)))
            return -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))

    whole = w - _direction(ones, y, w)
    length, halvings = 1.0, 0
    while loss(w + length * (whole - w)) > loss(w):
        length, halvings = length / 2, halvings + 1
    return w + length * (whole - w), halvings


def _direction(ones: Array, y: Array, w: Array) -> Any:
    """Newton's direction at w."""
    p = 1 / (1 + np.exp(-(ones @ w)))
    return np.linalg.solve(ones.T @ ((p * (1 - p))[:, None] * ones), ones.T @ (p - y))


def _solvable(X: Array, y: Array, w: Array) -> bool:
    if not (X.ndim == 2 and len(X) == len(y) and len(w) == X.shape[1] + 1):
        return False
    ones = np.column_stack([np.ones(len(X)), X])
    p = 1 / (1 + np.exp(-(ones @ w)))
    return bool(np.linalg.cond(ones.T @ ((p * (1 - p))[:, None] * ones)) < 1e6)


NEAR = (np.array([[-2.0], [-1.0], [1.0], [2.0]]), np.array([0, 1, 0, 1]), np.array([0.0, 0.0]))
FAR_OFF = (np.array([[-2.0], [-1.0], [1.0], [3.0]]), NEAR[1], np.array([0.0, 3.0]))
FURTHER = (FAR_OFF[0], NEAR[1], np.array([2.0, 3.0]))
JUST_LOWER = (np.array([[-3.0], [-1.0], [0.0], [2.0]]), NEAR[1], np.array([1.0, 2.0]))
ONE_ZERO = (np.array([[0.0], [0.0], [1.0], [-1.0]]), np.array([0, 1, 1, 1]), np.array([-1.5, 0.5]))
AT_THE_MINIMUM = (
    np.array([[-1.0], [-1.0], [1.0], [1.0]]),
    np.array([0, 1, 0, 1]),
    np.array([0.0, 0.0]),
)


def _on_the_way(arguments: tuple[Any, ...], yours: tuple[Any, ...], right: tuple[Any, ...]) -> Any:
    """The loss along Newton's direction, with both places."""
    from lectures_lib.chapters.logistic_training.pictures import along_scene

    X, y, w = arguments
    return along_scene(X, y, w, {"yours": yours[0], "expected": right[0]})


HALVED = exercise(
    """
    logistic_training.halved_newton: A Newton step that never climbs [12 minutes] [Newton: the
            curvature chooses the step]
        First the whole step, as in the chapter. Which two losses have to be compared, and what is
            halved when the comparison fails?
        w_new = w − t·H⁻¹∇J with t = 1, 1/2, 1/4, …, the first with J(w_new) ≤ J(w). The direction
            H⁻¹∇J is computed once.
        A function of the weights, `np.mean(np.logaddexp(0, z) - y * z)` with the scores z, is
            called before every halving: which two of its values does the `while` compare?
    Remark
        The loss bends up in every direction v, vᵀHv > 0. So Newton's direction goes downhill, and
        some short step along it lowers the loss: the loop ends.
    """,
    Function(
        halved_newton,
        (Result("w_new", ("d+1",), points=3), Result("halvings", kind="count", points=2)),
        (
            Case("the whole step is good", NEAR),
            Case("from further away", FAR_OFF),
            Case("with a bias", FURTHER),
            Case("one zero among ones", ONE_ZERO),
            Case("half the step ends just below the start", JUST_LOWER),
            Case("at the minimum already", AT_THE_MINIMUM),
        ),
        _far,
        slips(r"""
    Never halved
        > loss(w): -> > np.inf:
        Far from the minimum the whole step can end higher than it began.
    Halved once at most
        while loss(w - length * way) > loss(w): -> while halvings < 1 and loss(w - length * way) >
            loss(w):
        Halve again until the loss is not higher: `while`, not `if`.
    One halving too many
        halvings = halvings + 1\n    return w - length * way, halvings -> halvings = halvings +
            1\n    return w - length * way, halvings + 1
        return w - length * way, halvings -> return w - length / 2 * way, halvings + 1
        Stop at the first length at which the loss is not higher. `halvings` is 0 for a whole step.
    1/N in the gradient only [E4-19]
        * ones) / len(X) -> * ones)
        1/N stands in the gradient and in the Hessian, or in neither.
    A loss that is not a number
        by _overflowing
        Far away p rounds to 0 or 1, and log 0 spoils the comparison. Take the loss from the score:
        log(1 + e^z) − y·z with `np.logaddexp(0, z)`.
    A gradient step
        np.linalg.solve(H, ones.T @ (p - y) / len(X)) -> ones.T @ (p - y) / len(X)
        Newton's direction is the solution of H·v = ∇J.
    The weights p(1 − p) are missing [E0-21]
        (p * (1 - p))[:, None] * ones -> ones
        The Hessian of this loss is XᵀDX/N with D = p(1 − p).
    Uphill [E0-19]
        ones.T @ (p - y) -> ones.T @ (y - p)
        H⁻¹∇J points up the loss: the step is subtracted, w − t·H⁻¹∇J.
            """),
        valid=_solvable,
        picture=_on_the_way,
    ),
)


# Standardised, and a ravine all the same -----------------------------------------------------


def condition(X: Array) -> float:
    """Condition number of the Hessian at w = 0; infinite where it is singular."""
    ones = np.column_stack([np.ones(len(X)), X])
    bends = np.linalg.eigvalsh(ones.T @ ones / (4 * len(X)))
    return float(bends[-1] / bends[0]) if bends[0] > 2e-15 * bends[-1] else float("inf")


def _two_features(X: Array) -> str:
    if X.ndim != 2 or X.shape[1] != 2 or not 4 <= len(X) <= 30:
        return f"Found the shape {X.shape}; expected 4 to 30 rows and 2 columns."
    return ""


def _standardised(X: Array) -> str:
    if problem := _two_features(X):
        return problem
    centre, spread = np.abs(X.mean(axis=0)).max(), np.abs(X.std(axis=0) - 1).max()
    if centre > 1e-6:
        return f"A column has the mean {X.mean(axis=0)[np.abs(X.mean(axis=0)).argmax()]:.3g}."
    if spread > 1e-6:
        worst = X.std(axis=0)[np.abs(X.std(axis=0) - 1).argmax()]
        return f"A column has the standard deviation {worst:.7g}."
    return ""


def _steep(X: Array) -> str:
    if _two_features(X):
        return "First give 4 to 30 rows and 2 columns."
    found = condition(X)
    if np.isinf(found):
        return "Up to rounding, the Hessian at w = 0 is singular: one curvature is 0."
    return "" if found >= 1000 else f"The condition number is {found:.3g}; expected 1000 or more."


def _readable(X: Array) -> bool:
    return not _two_features(X)


def _is_raw(X: Array) -> bool:
    return bool(
        _readable(X)
        and _standardised(X)
        and 1000 <= condition(X) < np.inf
        and not _is_sample_deviation(X)
        and not _is_nearly_standardised(X)
    )


def _is_nearly_standardised(X: Array) -> bool:
    return bool(np.abs(X.mean(axis=0)).max() < 0.01 and np.abs(X.std(axis=0) - 1).max() < 0.01)


def _is_twin(X: Array) -> bool:
    return _readable(X) and np.isinf(condition(X))


def _is_tame(X: Array) -> bool:
    return _readable(X) and not _standardised(X) and condition(X) < 1000


def _is_sample_deviation(X: Array) -> bool:
    return bool(
        _readable(X)
        and not _is_twin(X)
        and np.allclose(X.mean(axis=0), 0, atol=1e-6)
        and np.allclose(X.std(axis=0, ddof=1), 1, atol=1e-6)
    )


def _columns(X: Array) -> Any:
    """The two columns against each other."""
    from lectures_lib.chapters.logistic_training.pictures import twins_scene

    return None if _two_features(X) else twins_scene(X, condition(X))


TWINS = exercise(
    """
    logistic_training.twins: Standardised, and a ravine all the same [8 minutes] [Downhill in steps]
        Standardising repairs single columns. What can be wrong with two columns together?
        For standardised columns with the correlation r the Hessian has the eigenvalues (1 + r)/4
            and (1 − r)/4, besides 1/4 for the bias.
        `(X - X.mean(axis=0)) / X.std(axis=0)` standardises both columns; `np.corrcoef(X.T)[0, 1]`
            is r. How near to 1 must it be?
    Remark
        The condition number is about 2/(1 − |r|) here. Replacing the two columns by their sum and
        their difference, each standardised, makes it about 1.
    """,
    Values(
        ("X_twins",),
        (
            Property("both columns are standardised", 1.0, _standardised),
            Property("the condition number is 1000 or more", 3.0, _steep),
        ),
        (Result("X_twins", ("N", "2")),),
        slips(
            """
    Not standardised
        when _is_raw
        The condition number is large, but a column has another mean than 0 or another standard
        deviation than 1. How large is it once both are standardised?
    A singular Hessian
        when _is_twin
        A column is constant, or each is an exact linear function of the other. Change one value.
    Standardised and harmless
        when _is_tame
        Both columns are standardised, but their correlation is not near enough to 1 or −1.
    Divided by N − 1
        when _is_sample_deviation
        The standard deviation of the task divides by N: `X.std(axis=0)`.
    Rounded after standardising
        when rounded_after
        Rounding, or noise that is added, changes mean and deviation a little: standardise last.
                """,
            rounded_after=lambda X: bool(
                _readable(X) and _standardised(X) and _is_nearly_standardised(X)
            ),
        ),
        picture=_columns,
    ),
    another="""
first = np.arange(12.0)
X_twins = np.column_stack([first, first + 0.1 * (first % 2)])
X_twins = (X_twins - X_twins.mean(axis=0)) / X_twins.std(axis=0)
""",
)

EXERCISES = (SMALLER_RATE, EPOCH, PENALISED, CUT_POINT, BOUND, HALVED, TWINS)
