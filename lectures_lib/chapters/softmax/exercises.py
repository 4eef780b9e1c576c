"""The exercises of this chapter: temperature, a Hessian, the gradient twice, classes on a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from lectures_lib.softmax import softmax

if TYPE_CHECKING:
    from lectures_lib.figures import Scene


# Twice the weights ---------------------------------------------------------------------------

TWICE = exercise(
    """
    softmax.twice: Twice the weights: the flaw [3 minutes] [All classes alike: the softmax]
        Take one example that the model gets right, and one that it gets wrong.
        p_j/p_k = e^(z_j − z_k). What becomes of the probability of the label, if its score is the
            largest, and if it is not?
        `from lectures_lib.softmax import softmax`, then try `softmax(np.array([2.0, 1.0, 0.0]))`
            and the same with every score doubled.
    Remark
        Doubling the weights is the temperature ½: the model gets surer without deciding anything
        differently. Weights that grow in proportion during training do the same.
    """,
    Prediction(
        ("flaw", "flaw_reason"),
        choices("""
    a. Every score is doubled, and so is every difference of two scores.
        The scores are linear in the weights, biases included.
    b. The largest score of an example stays the largest, so no decision changes.
        The order of the scores stays.
    c. The largest probability of an example does not become smaller.
        Its lead over each other class doubles.
    d. So the label of every example gets more probability, or as much as before. [right]
        The line before is about the largest probability, this one about that of the label.
    e. Were that so, the loss would fall, or stay where it is.
        It is the mean of −log of these probabilities, so this follows.
            """),
        choices("""
    a. All probabilities stay: only the differences of the scores matter.
        The differences double. Only a number that is *added* leaves them alone.
    b. Where the model is wrong, another class gains, and the label loses. [right]
        There the score of the label is not the largest, and it falls further behind.
    c. e to twice the score is twice e to the score, and the 2 cancels.
        It is the square of e to the score.
    d. Large scores grow by more than small ones, so some decisions change.
        They do grow by more, and so the largest one stays in front.
            """),
        points=2.0,
    ),
    version=2,
)


# Logarithms at a temperature -----------------------------------------------------------------


def log_probabilities(Z: Array, T: float) -> Any:
    scaled = Z / T
    top = scaled.max(axis=1, keepdims=True)
    total = np.exp(scaled - top).sum(axis=1, keepdims=True)
    return scaled - top - np.log(total)


def _scores(rng: Rng) -> tuple[Any, ...]:
    """Scores, now and then huge, and a temperature that is not 1."""
    n, k = rng.integers(2, 6), rng.integers(3, 6)
    size = rng.choice([1.0, 4.0, 900.0], p=[0.5, 0.3, 0.2])
    return size * rng.normal(size=(n, k)), float(np.exp(rng.uniform(-1.5, 1.5)))


def _naive(Z: Array, T: float) -> Any:
    with np.errstate(all="ignore"):
        E = np.exp(Z / T)
        return np.log(E / E.sum(axis=1, keepdims=True))


def _one_top(Z: Array, T: float) -> Any:
    with np.errstate(all="ignore"):
        scaled = (Z - Z.max()) / T
        return scaled - np.log(np.exp(scaled).sum(axis=1, keepdims=True))


def _stable_then_log(Z: Array, T: float) -> Any:
    with np.errstate(divide="ignore"):
        return np.log(softmax(Z / T))


def _clipped(Z: Array, T: float) -> Any:
    return np.log(np.clip(softmax(Z / T), 1e-12, 1.0))


LOG_PROBABILITIES = exercise(
    """
    softmax.log_probabilities: Logarithms of probabilities, at a temperature [8 minutes] [The same
            thing in code]
        Take the logarithm of the formula for p_k, and simplify. Is there a division left?
        log p_k = z_k/T − log Σ e^(z_j/T). The sum overflows for large scores: take the largest
            z_j/T out of it first.
        `top = (Z / T).max(axis=1, keepdims=True)`; then log Σ e^(z/T) is `top` plus the logarithm
            of a sum that cannot overflow.
    Remark
        The logarithm stays finite where the probability itself rounds to 0, so the loss of a badly
        wrong example is still a number.
    """,
    Function(
        log_probabilities,
        (Result("log_p", ("N", "K"), points=4),),
        (
            Case("one row at T = 1", ([[2.0, 1.0, 0.0]], 1.0)),
            Case("the same row at T = 2", ([[2.0, 1.0, 0.0]], 2.0)),
            Case("two rows", ([[0.5, -1.0, 2.0], [3.0, 3.0, -4.0]], 0.5)),
            Case("a row with a score of 1000", ([[1000.0, 999.0, 0.0], [0.0, 1.0, 2.0]], 1.0)),
            Case("scores of −1000", ([[-1000.0, -1001.0, -1003.0]], 1.0)),
        ),
        _scores,
        slips("""
    The temperature is missing
        Z / T -> Z
        All scores are divided by T before anything else.
    Multiplied by the temperature
        Z / T -> Z * T
        A high temperature makes the probabilities more equal: z/T.
    The probabilities
        return scaled - top - np.log(total) -> return np.exp(scaled - top) / total
        These are the probabilities. The task asks for their logarithms.
    The result is divided by the temperature
        scaled = Z / T -> scaled = Z ; return scaled - top - np.log(total) -> return (scaled - top -
            np.log(total)) / T
        T divides the scores. The logarithm of the sum is not linear in them.
    The largest score is not given back
        scaled - top - np.log(total) -> scaled - np.log(total)
        What was taken out of the sum must be taken from the score as well.
    The sum runs over the examples
        .sum(axis=1, keepdims=True) -> .sum(axis=0, keepdims=True)
        Each row is one example: the sum runs along the row, axis 1.
    Overflow
        by _naive
        e^1000 is larger than any float. Subtract the largest score of each row first.
    The largest score of all examples
        by _one_top
        Each row needs its own largest score. Next to a 1000 all its exponentials round to 0.
    The logarithm of 0
        by _stable_then_log
        The softmax does not overflow, but a probability that rounds to 0 has no logarithm. Simplify
        first, and no probability is needed.
    Cut off near 0
        by _clipped
        Clipped at 10⁻¹², log p is never below −28. The logarithm needs no probability.
            """),
        valid=lambda Z, T: T > 0 and Z.ndim == 2 and Z.shape[1] > 0,
    ),
    another="""
def log_probabilities(Z, T):
    return Z / T - np.logaddexp.reduce(Z / T, axis=1, keepdims=True)
""",
)


# The Hessian, in SymPy -----------------------------------------------------------------------


def curvature(w1: float, w2: float, x: float) -> Any:
    e1, e2 = np.exp(w1 * x), np.exp(w2 * x)
    total = e1 + e2 + 1
    p1, p2 = e1 / total, e2 / total
    mixed = -p1 * p2
    return x**2 * np.array([[p1 * (1 - p1), mixed], [mixed, p2 * (1 - p2)]])


def determinant(w1: float, w2: float, x: float) -> Any:
    e1, e2 = np.exp(w1 * x), np.exp(w2 * x)
    total = e1 + e2 + 1
    return x**4 * e1 * e2 / total**3


def _weights(rng: Rng) -> tuple[Any, ...]:
    return float(rng.normal()), float(rng.normal()), float(rng.normal() * 1.5)


PLACES = (
    Case("weights 0", (0.0, 0.0, 1.5)),
    Case("weights 1 and −1", (1.0, -1.0, 2.0)),
    Case("a negative feature", (0.5, 2.0, -1.0)),
    Case("x = 0", (1.0, 2.0, 0.0)),
)

CURVATURE = exercise(
    """
    softmax.curvature: What the reference class is good for, in SymPy [14 minutes] [The gradient:
            prediction minus target]
        Which part of the loss of one example has any curvature in w1 and w2? SymPy's `hessian`
            takes an expression and a list of symbols.
        The logarithm of the sum of the three e^z, where z stands for the scores of the task; the
            rest is linear. A matrix of SymPy has the method `det()`.
        `w1, w2, x = sp.symbols('w1 w2 x', real=True)`; `sp.hessian(f, (w1, w2))`; the determinant
            becomes readable with `sp.factor(sp.simplify(...))`.
    Remark
        The determinant is x⁴·p₁·p₂·p₃: positive wherever x is not 0. With a row for each class it
        would be 0 everywhere, because all scores can move together.
    """,
    Expression(
        curvature,
        PLACES,
        _weights,
        axes=("2", "2"),
        points=3,
        slips=slips("""
    The inner derivative is missing
        x**2 * np.array -> np.array
        z = w·x: each derivative with respect to a weight brings a factor x.
    The inner derivative only once
        x**2 * np.array -> x * np.array
        Two derivatives with respect to weights bring x².
    The sign outside the diagonal
        mixed = -p1 * p2 -> mixed = p1 * p2
        When one class gains, another one loses: the derivative of p₁ with respect to z₂ is −p₁p₂.
    The classes as if on their own
        mixed = -p1 * p2 -> mixed = 0 * p1
        p1, p2 = e1 / total, e2 / total -> p1, p2 = e1 / (1 + e1), e2 / (1 + e2) ; mixed = -p1 * p2
            -> mixed = 0 * p1
        p₁ depends on w₂ too, through the common denominator.
    The reference class is missing
        e1 + e2 + 1 -> e1 + e2
        The third class has the score 0, and e^0 = 1 stands in the sum.
    The wrong sign
        return x**2 -> return -(x**2)
        This is the Hessian of the log-likelihood; the loss is minus that.
            """),
    ),
    Expression(
        determinant,
        PLACES,
        _weights,
        points=2,
        slips=slips("""
    x² instead of x⁴
        x**4 -> x**2
        A factor x² in a 2 × 2 matrix comes out of the determinant twice.
    The factor x is missing
        x**4 * e1 -> e1
        This is the determinant for the scores. Each of the four entries has a factor x².
    No class with the score 0
        x**4 * e1 -> 0 * e1
        Without the reference class one direction is flat, and the determinant is 0.
    The diagonal only
        e1 * e2 / total**3 -> e1 * e2 * (total - e1) * (total - e2) / total**4
        The determinant is the product of the diagonal minus the product of the other two entries.
    The trace
        x**4 * e1 * e2 / total**3 -> x**2 * (e1 * (total - e1) + e2 * (total - e2)) / total**2
        This is the sum of the diagonal. The task asks for the determinant.
            """),
    ),
)


# The gradient, the short way -----------------------------------------------------------------

SHORT_WAY = exercise(
    """
    softmax.short_way: The gradient, the short way [10 minutes] [The gradient: prediction minus
            target]
        Do not differentiate yet. What is the logarithm of a quotient? And which of the two parts is
            the same for every k?
        The logarithm of the common denominator is multiplied by y1 + y2 + y3 = 1. Then
            differentiate: the first part has z1 in one term only, the second by the chain rule.
        Lines may keep `diff(..., z[1])` around what is still to be differentiated: `=
            diff(log(sum(exp(z[j]), j, 1, 3)) - …, z[1])`. What is taken away there?
    Remark
        The proof divides by no probability and needs no slope of the softmax. It holds for every
        label whose shares add up to 1, certain or not.
    """,
    Proof(
        "short_way",
        "diff(-sum(y[k]*log(exp(z[k])/sum(exp(z[j]), j, 1, 3)), k, 1, 3), z[1])",
        steps("""
    the logarithm of the quotient taken apart [1 point]
        diff(log(sum(exp(z[j]), j, 1, 3)) - sum(y[k]*z[k], k, 1, 3), z[1])
        with log(sum(exp(z[j]), j, 1, 3)); without log(exp(z[k])/sum(exp(z[j]), j, 1, 3))
        with logsumexp; without log(exp(z[k])/sum(exp(z[j]), j, 1, 3))
        with log(exp(z[1]) + exp(z[2]) + exp(z[3])); without log(exp(z[k])/sum(exp(z[j]), j, 1, 3))
    the derivative taken [2 points]
        exp(z[1])/sum(exp(z[j]), j, 1, 3) - y[1]
        later; without diff
    the goal: prediction minus target [2 points]
        softmax(z)[1] - y[1]
        """),
        symbols={"z": "vector 3", "y": "simplex 3"},
        slips=slips("""
    The sign of the score
        - sum(y[k]*z[k], k, 1, 3) -> + sum(y[k]*z[k], k, 1, 3)
        The loss has a minus in front: −y·z stands there, and the slope is p − y.
    Target minus prediction [E4-22]
        softmax(z)[1] - y[1] -> y[1] - softmax(z)[1]
        exp(z[1])/sum(exp(z[j]), j, 1, 3) - y[1] -> y[1] - exp(z[1])/sum(exp(z[j]), j, 1, 3)
        That is the slope of the log-likelihood. The slope of the loss is prediction minus target.
    The inner derivative is lost
        exp(z[1])/sum(exp(z[j]), j, 1, 3) -> 1/sum(exp(z[j]), j, 1, 3)
        The derivative of log u is u′/u: e^z₁ stands above.
    A factor in front of the logarithm
        log(sum(exp(z[j]), j, 1, 3)) -> y[1]*log(sum(exp(z[j]), j, 1, 3))
        exp(z[1])/sum(exp(z[j]), j, 1, 3) -> y[1]*exp(z[1])/sum(exp(z[j]), j, 1, 3)
        log(sum(exp(z[j]), j, 1, 3)) -> 3*log(sum(exp(z[j]), j, 1, 3))
        The logarithm of the denominator occurs once for each k, with the weights y₁, y₂ and y₃.
        Together they are 1.
            """),
    ),
)


# A gradient with everything ------------------------------------------------------------------


def reference_gradient(X: Array, Y: Array, W: Array, strength: float) -> Any:
    Z = np.column_stack([W[:, 0] + X @ W[:, 1:].T, np.zeros(len(X))])
    E = np.exp(Z - Z.max(axis=1, keepdims=True))
    errors = (E / E.sum(axis=1, keepdims=True) - Y)[:, :-1]
    bias = errors.mean(axis=0)
    slopes = errors.T @ X / len(X) + strength * W[:, 1:]
    return np.column_stack([bias, slopes])


def _problem(rng: Rng) -> tuple[Any, ...]:
    n, d, k = int(rng.integers(5, 9)), int(rng.integers(3, 5)), int(rng.integers(3, 5))
    Y = rng.dirichlet(np.ones(k), n)
    W = rng.normal(size=(k - 1, d + 1)) * rng.choice([1.0, 400.0], p=[0.85, 0.15])
    return rng.normal(size=(n, d)), Y, W, float(rng.uniform(0.1, 2.0))


REFERENCE_GRADIENT = exercise(
    """
    softmax.reference_gradient: A gradient with uncertain labels, a penalty and a reference class
            [15 minutes] [The same thing in code]
        Start from the chapter's `gradient`. Which column of scores is missing when W has a row
            less? Nothing in p − y asks the labels to be 0 or 1.
        Append a column of zeros to the scores, take the softmax of all K, and keep the first K − 1
            columns of p − y. The slope of λ/2·w² is λ·w, and the bias is left out of it.
        `np.column_stack([A, np.zeros(len(A))])` appends a column of zeros to A; the penalty is
            added to the columns 1, 2, … of the result only.
    Remark
        The rows of all classes cannot move together unnoticed: the reference class has no row.
    """,
    Function(
        reference_gradient,
        (Result("gradient", ("K - 1", "d + 1"), points=5),),
        (
            Case("one example, no penalty", ([[2.0]], [[1.0, 0.0, 0.0]], np.zeros((2, 2)), 0.0)),
            Case("an uncertain label", ([[2.0]], [[0.5, 0.25, 0.25]], np.zeros((2, 2)), 0.0)),
            Case(
                "two examples and a penalty",
                (
                    [[1.0, -1.0], [0.0, 2.0]],
                    [[0.0, 0.0, 1.0], [0.2, 0.8, 0.0]],
                    [[0.5, 1.0, -1.0], [2.0, 0.0, 1.0]],
                    0.5,
                ),
            ),
            Case(
                "scores of 1000", ([[1.0]], [[0.0, 1.0, 0.0]], [[0.0, 1000.0], [0.0, 999.0]], 0.1)
            ),
        ),
        _problem,
        slips("""
    The sign [E4-22]
        errors = (E / E.sum(axis=1, keepdims=True) - Y)[:, :-1] -> errors = (Y - E / E.sum(axis=1,
            keepdims=True))[:, :-1]
        The slope of the loss is prediction minus target.
    Sums instead of means [E4-21]
        errors.mean(axis=0) -> errors.sum(axis=0) ; / len(X) + strength -> + strength
        The loss is a mean over the examples: divide by N.
    The bias is penalised
        bias = errors.mean(axis=0) -> bias = errors.mean(axis=0) + strength * W[:, 0]
        λ/2·‖w‖² leaves out the biases: the first column gets no penalty.
    The penalty is missing
        + strength * W[:, 1:] ->
        Each weight w, but no bias, adds λ·w to its slope.
    The penalty is divided by N
        strength * W[:, 1:] -> strength * W[:, 1:] / len(X)
        Only the loss is a mean; the penalty is added to it as it stands.
    The penalty twice
        strength * W[:, 1:] -> 2 * strength * W[:, 1:]
        The derivative of λ/2·w² is λ·w.
    The reference class is forgotten
        Z = np.column_stack([W[:, 0] + X @ W[:, 1:].T, np.zeros(len(X))]) -> Z = W[:, 0] + X @ W[:,
            1:].T ; - Y)[:, :-1] -> - Y[:, :-1])
        The last class has the score 0, and its e^0 = 1 belongs in the sum.
    The reference class comes first
        [W[:, 0] + X @ W[:, 1:].T, np.zeros(len(X))] -> [np.zeros(len(X)), W[:, 0] + X @ W[:, 1:].T]
        [W[:, 0] + X @ W[:, 1:].T, np.zeros(len(X))] -> [np.zeros(len(X)), W[:, 0] + X @ W[:, 1:].T]
            ; - Y)[:, :-1] -> - Y)[:, 1:]
        The reference is the last class: its zeros are the last column of the scores, as its labels
        are the last column of Y.
    The labels are rounded
        - Y)[:, :-1] -> - np.rint(Y))[:, :-1]
        Y is used as it is. A share of 0.8 is not a 1.
            """),
        valid=lambda X, Y, W, strength: (
            len(X) == len(Y) > 0
            and W.shape == (Y.shape[1] - 1, X.shape[1] + 1)
            and len(W) > 0
            and bool(np.allclose(Y.sum(axis=1), 1) and (Y >= 0).all() and strength >= 0)
        ),
    ),
)


# Three classes on a line ---------------------------------------------------------------------

LINE = np.linspace(-10, 10, 401)
BORDERS = (-1.0, 2.0)


def _drawn(W_line: Array) -> Scene:
    from lectures_lib.chapters.softmax.pictures import line_scene

    return line_scene(W_line, BORDERS)


def _winners(W_line: Array, x: Array) -> Any:
    return (W_line[:, 0] + x[:, None] * W_line[:, 1]).argmax(axis=1)


def _wanted(x: Array) -> Any:
    return np.searchsorted(BORDERS, x)


def _away() -> Any:
    """Places on both sides of the borders, near and far, but not on them."""
    near = np.add.outer(BORDERS, (-0.001, 0.001)).ravel()
    return np.append(LINE[np.min(np.abs(LINE[:, None] - BORDERS), axis=1) > 0.001], near)


def _middle(W_line: Array) -> float:
    return float(softmax(W_line[:, 0])[1])


def _regions(W_line: Array) -> str:
    x = _away()
    wrong = np.flatnonzero(_winners(W_line, x) != _wanted(x))
    if not len(wrong):
        return ""
    at = x[wrong[np.abs(x[wrong]).argmin()]]
    found, expected = _winners(W_line, np.array([at]))[0], _wanted(np.array([at]))[0]
    return f"At x = {at:.4g} class {found} has the largest score; expected class {expected}."


def _sure(W_line: Array) -> str:
    p = _middle(W_line)
    return "" if p >= 0.9 else f"At x = 0 class 1 has probability {p:.3f}; expected 0.9 or more."


def _balanced(W_line: Array) -> str:
    total = W_line.sum(axis=0)
    if np.abs(total).max() <= 1e-9 * max(1.0, np.abs(W_line).max()):
        return ""
    return f"The rows add up to {np.round(total, 4).tolist()}; expected zeros."


def _right_regions(W_line: Array) -> bool:
    return not _regions(W_line)


def _only_unsure(W_line: Array) -> bool:
    return _right_regions(W_line) and bool(_sure(W_line))


def _only_unbalanced(W_line: Array) -> bool:
    return _right_regions(W_line) and not _sure(W_line) and bool(_balanced(W_line))


def _mirrored(W_line: Array) -> bool:
    x = _away()
    return bool(np.array_equal(_winners(W_line, x), 2 - _wanted(x)))


def _one_is_missing(W_line: Array) -> bool:
    return len(np.unique(_winners(W_line, LINE))) < 3 and not _slopes_first(W_line)


def _slopes_first(W_line: Array) -> bool:
    return not _right_regions(W_line) and _right_regions(W_line[:, ::-1])


def _other_borders(W_line: Array) -> bool:
    """Classes 0, 1, 2 from left to right, with other borders."""
    found = _winners(W_line, LINE)
    in_order = bool((np.diff(found) >= 0).all() and set(found.tolist()) == {0, 1, 2})
    return in_order and not _right_regions(W_line) and not _slopes_first(W_line)


ON_A_LINE = exercise(
    """
    softmax.on_a_line: Three classes on a line [10 minutes] [What goes wrong]
        Draw the three scores over x: straight lines. Which class wins at x, and where do two lines
            cross? What may you subtract from all three without changing anything?
        Let class 1 have the score 0 for the time being. Then class 0 needs a score that falls and
            is 0 at x = −1, class 2 one that rises and is 0 at x = 2. Steeper lines make the model
            surer.
        The line −a·(x + 1) has the row (−a, −a). When the three rows stand, subtract their mean
            from each: `W - W.mean(axis=0)`.
    Remark
        Scores of three classes on a line are three straight lines, and the winner is the upper one:
        a class in the middle needs no slope of its own to win there.
    """,
    Values(
        ("W_line",),
        (
            Property("class 0 up to −1, class 1 up to 2, then class 2", 2.0, _regions),
            Property("class 1 has 90 % or more at x = 0", 2.0, _sure),
            Property("the rows add up to 0", 1.0, _balanced),
        ),
        (Result("W_line", ("3", "2")),),
        slips("""
    The slope comes first
        when _slopes_first
        The bias is the first number of a row, the slope the second.
    From right to left
        when _mirrored
        Class 2 wins at the left and class 0 at the right: exchange their rows.
    A class wins nowhere from −10 to 10
        when _one_is_missing
        Each class needs an interval in which its line is the upper one. The middle one must lie
        above the place where the two outer ones cross.
    Borders at other places
        when _other_borders
        The order is right. The scores of two neighbours must be equal at x = −1 and at x = 2.
    Not sure enough
        when _only_unsure
        The borders are right. Multiplying all rows by the same positive number keeps them and
        changes how sure the model is.
    The rows do not add up to 0
        when _only_unbalanced
        Take the mean row away from each row; no probability changes.
            """),
        picture=_drawn,
    ),
    another="""
W_line = np.array([[-3, -3], [0, 0], [-4, 2]])  # -3 (x + 1), 0, 2 (x - 2)
W_line = W_line - W_line.mean(axis=0)
""",
)

EXERCISES = (TWICE, LOG_PROBABILITIES, CURVATURE, SHORT_WAY, REFERENCE_GRADIENT, ON_A_LINE)
