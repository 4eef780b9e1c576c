"""The exercises of this chapter: the algorithm, its loss, its ties."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.chapters.perceptron import cases, runs
from lectures_lib.chapters.perceptron import traces as data
from lectures_lib.checks.author import (
    Array,
    Case,
    Function,
    Prediction,
    Property,
    Result,
    Values,
    choices,
    exercise,
    slips,
)

# The algorithm -------------------------------------------------------------------------------


def perceptron_fit(X: Array, s: Array, eta: float, tie: str, max_passes: int) -> Any:
    A = np.column_stack([np.ones(len(X)), X])
    w, updates = np.zeros(A.shape[1]), 0
    for _ in range(max_passes):
        before = updates
        for i in range(len(s)):
            g = A[i] @ w
            if s[i] * g < 0 or (g == 0 and (tie == "update" or s[i] < 0)):
                w = w + eta * s[i] * A[i]
                updates += 1
        if updates == before:
            break
    return w, updates


def _fit_picture(given: Any, came_out: Any, expected: Any) -> Any:
    """The two final lines, of the answer and of the reference."""
    from lectures_lib.figures.answers import two_lines

    X, s, _, tie, _ = given
    return two_lines(X, s, came_out[0], expected[0], tie=tie)


FIT = exercise(
    r"""
    perceptron.fit: The perceptron, with both tie rules and a cap on the passes [15 minutes] [The
            same thing in code]
        Go through the examples again and again. Only a mistake changes w, and it does so at once:
            the next example already meets the new w. A pass without a mistake is the end.
        Score $g=w^T(1,x)$, signed $s\,g$. With `tie="update"` the update happens when $s\,g\le 0$.
            With `tie="positive"` a score of 0 is called +1: the update happens when $s\,g<0$, and
            also when $g=0$ and $s=-1$. The update is $w\leftarrow w+\eta\,s\,(1,x)$.
        Inside both loops: `if s[i] * g < 0 or (g == 0 and (tie == "update" or s[i] < 0)):` and
            below it `w = w + eta * s[i] * A[i]`, where `A` is X with a column of ones in front.
    Remark
        From w = 0 the learning rate η only scales w. The classifier is the same for every η > 0, so
        the length of w says nothing about probabilities.
    """,
    Function(
        perceptron_fit,
        (Result("w", ("d+1",), points=4), Result("updates", kind="count", points=2)),
        (
            Case("two examples on a line", (*cases.LINE, 1.0, "update", 10)),
            Case("the same, a score of 0 counts as +1", (*cases.LINE, 1.0, "positive", 10)),
            Case("four examples in the plane", (*cases.PLANE, 1.0, "update", 100)),
            Case("learning rate 0.5", (*cases.PLANE, 0.5, "update", 100)),
            Case("XOR, stopped after 5 passes", (*cases.XOR, 1.0, "update", 5)),
            Case("classes far from the origin", (*cases.FAR, 1.0, "positive", 200)),
        ),
        cases.run,
        slips(r"""
    A strict inequality [The rule]
        or (g == 0 and (tie == "update" or s[i] < 0)): -> :
        tie == "update" or s[i] < 0 -> tie != "update" and s[i] < 0
        With s·g < 0 alone the run never leaves w = 0, where every score is 0: under `tie="update"`
        a score of 0 has to cause an update, under `tie="positive"` that of a negative example.
    A negative example with score 0 [The rule]
        tie == "update" or s[i] < 0 -> tie == "update"
        With `tie="positive"` the condition s·g < 0 is not enough: sign(0) = +1 is the wrong answer
        for a negative example, so its score 0 is a mistake.
    One tie rule for both [EX-03] [What goes wrong]
        (tie == "update" or s[i] < 0) -> True
        With `tie="positive"` a score of 0 is the answer +1: no mistake for a positive example.
    The bias is missing
        np.column_stack([np.ones(len(X)), X]) -> X
        w has no entry for the bias. Put a column of ones in front of X: the score is w0 + w·x.
    The bias never moves
        eta * s[i] * A[i] -> eta * s[i] * A[i] * (np.arange(len(w)) > 0)
        The ones in front of X belong to the update too: w[0] changes by η·s.
    Labels 0 and 1 in the update
        eta * s[i] * A[i] -> eta * (s[i] > 0) * A[i]
        With 0 for the negative class its mistakes move nothing. The update needs s = −1 and s = +1.
    The wrong direction
        w + eta -> w - eta
        The update subtracts η·s·x; it has to add it, so that the signed score s·g grows.
    The sign is missing
        eta * s[i] * A[i] -> eta * A[i]
        The update adds η·x for every mistake; it has to add η·s·x.
    A whole pass at once
        before = updates -> before, start = updates, w ; A[i] @ w -> A[i] @ start
        All scores of a pass are computed with the weights from its beginning. The perceptron uses
        every update at once, for the very next example.
    One pass only
        range(max_passes) -> range(1)
        The run ends after the first pass. It has to go on until a pass has no mistake, at most
        `max_passes` times.
    It stops one mistake too early
        updates == before -> updates <= before + 1
        A pass with one mistake is not clean: the run ends after a pass with none.
    The cap is not used
        range(max_passes) -> range(1000) || range(100)
        The run ends after `max_passes` passes, clean or not, whatever that number is.
    The cap counts updates
        updates == before -> updates == before or updates >= max_passes
        for i in -> for i in [] if updates >= max_passes else ; range(max -> range(1000 + max
        if s[i] * g -> if updates < max_passes and (s[i] * g ; < 0)): -> < 0))):
        `max_passes` limits the passes over the data, not the updates.
    The learning rate is not used
        w + eta * s -> w + s
        The step is η·s·x, not s·x.
    The bias stands last
        np.ones(len(X)), X -> X, np.ones(len(X))
        In this course the ones column comes first, so w[0] is the bias.
    Back to the first example
        updates += 1 -> updates += 1; break
        After an update the cycle goes on with the next example; it does not start again at row 0.
    Passes are counted
        before = updates -> before, start = updates, w ; updates += 1 -> pass ; if updates ==
            before: -> updates += w is not start\n        if w is start:
        before = updates -> before, updates = w, updates + 1 ; updates += 1 -> pass ; updates ==
            before -> w is before
        `updates` counts the single updates, not the passes that had one.
    The updates are listed
        A.shape[1]), 0 -> A.shape[1]), [] ; updates += 1 -> updates = [*updates, i]
        `updates` holds the rows that caused an update: return `len(updates)`.
    The rule sign(0) = +1 for both
        tie == "update" or s[i] < 0 -> s[i] < 0
        With `tie="update"` a positive example with score 0 is a mistake as well.
    A score of 0 counts as −1
        tie == "update" or s[i] < 0 -> tie == "update" or s[i] > 0
        (tie == "update" or s[i] < 0) -> s[i] > 0
        With `tie="positive"` a score of 0 is the answer +1: wrong for a negative example only.
    The two tie rules exchanged
        tie == "update" -> tie != "update"
        `tie="update"` makes every score of 0 a mistake, `tie="positive"` only that of a negative
        example.
    The bias learns at another rate
        eta * s[i] * A[i] -> s[i] * A[i] * np.where(np.arange(len(w)) > 0, eta, 1) || s[i] * A[i] *
            np.where(np.arange(len(w)) > 0, eta, eta**2)
        The bias is a weight like the others: it changes by η·s too.
    The bias moves up only
        eta * s[i] * A[i] -> eta * A[i] * np.where(np.arange(len(w)) > 0, s[i], 1)
        The bias changes by η·s, so it falls at a negative example.
    The bias is not in the score
        A[i] @ w -> A[i, 1:] @ w[1:]
        The score is w0 + w·x: the bias is learned here, but not used.
    The updates of the last pass
        before = updates -> before = updates = 0
        `updates` counts those of all passes; here it begins again at 0 in each.
    One pass too many
        range(max_passes) -> range(max_passes + 1)
        The run ends after `max_passes` passes; here it makes one more.
    One pass too few
        range(max_passes) -> range(max_passes - 1)
        The run may make `max_passes` passes; here the last one is missing.
    The start is not 0
        np.zeros -> np.ones
        The run starts at w = 0; here it starts at ones.
    Twice the step
        eta * s[i] * A[i] -> 2 * eta * s[i] * A[i] || eta * (s[i] - (1 if g >= 0 else -1)) * A[i] ||
            eta * (s[i] - (1 if g > 0 else -1)) * A[i]
        The target minus the answer is ±2 when both are −1 or +1. The step is η·s·(1, x).
    The label is missing in the condition
        s[i] * g < 0 -> g < 0
        s[i] * g < 0 or (g == 0 and (tie == "update" or s[i] < 0)) -> g <= 0 || (g <= 0 if tie ==
            "update" else s[i] * g < 0 or (g == 0 and s[i] < 0))
        A mistake is s·g ≤ 0, not g ≤ 0: the two classes are wrong on different sides.
    Every example updates
        if s[i] * g < 0 or (g == 0 and (tie == "update" or s[i] < 0)): -> if True:
        Only a mistake changes w; here every example does.
    The 1 of the hinge loss
        s[i] * g < 0 or (g == 0 and (tie == "update" or s[i] < 0)) -> s[i] * g <= 1 || (s[i] * g <=
            1 if tie == "update" else s[i] * g < 0 or (g == 0 and s[i] < 0)) || s[i] * g < 1
        An update at s·g ≤ 1 belongs to the hinge loss. The perceptron is content with s·g > 0.
    The last example is left out
        in range(len(s)) -> in range(len(s) - 1)
        `range(n)` ends at n − 1 by itself, so `range(len(s))` goes through all rows.
    The first example is left out
        in range(len(s)) -> in range(1, len(s))
        Rows are counted from 0; here the pass begins with row 1.
    From the last row to the first
        in range(len(s)) -> in reversed(range(len(s)))
        The examples are visited in the order in which they stand.
    The average of all weights
        updates = np.zeros(A.shape[1]), 0 -> updates, total, seen = np.zeros(A.shape[1]), 0, 0, 0 ;
            g = A[i] @ w -> g, total, seen = A[i] @ w, total + w, seen + 1 ; return w, -> return
            total / max(seen, 1),
        Return the weights at the end of the run, not their average over the steps.
            """),
        forms=('(tie == "update" or s[i] < 0) -> True',),
        picture=_fit_picture,
    ),
)


# The loss ------------------------------------------------------------------------------------


def perceptron_loss(X: Array, s: Array, w: Array) -> Any:
    m = s * (w[0] + X @ w[1:])
    return np.maximum(-m, 0).mean()


def perceptron_subgradient(X: Array, s: Array, w: Array) -> Any:
    A = np.column_stack([np.ones(len(X)), X])
    m = s * (A @ w)
    mistakes = m <= 0
    return -(s * mistakes) @ A / len(s)


LOSS = exercise(
    r"""
    perceptron.loss: The perceptron loss and a subgradient [12 minutes] [The same rule as descent on
            a loss]
        The signed score of an example is m = s·(w0 + w·x). A right answer costs nothing, a wrong
            one as much as its signed score lies below zero; the loss is the mean over the examples.
        $L=\frac{1}{N}\sum\max(-m,0)$. Where $m<0$ the gradient of one term is $-s\,(1,x)$, where
            $m>0$ it is 0, and at $m=0$ every vector between the two is a subgradient.
        `m = s * (w[0] + X @ w[1:])`, then `np.maximum(-m, 0).mean()` for the loss and `mistakes = m
            <= 0` to choose the rows whose −s·(1, x) are averaged.
    Remark
        The perceptron's update is −η·N times the subgradient of a single example's term in L. So
        the algorithm is stochastic subgradient descent on this loss.
    """,
    Function(
        perceptron_loss,
        (Result("loss", points=3),),
        (
            Case("two mistakes among four examples", (*cases.FOUR, cases.W)),
            Case("another w with a bias", (*cases.FOUR, [2.0, -1.0, 1.0])),
            Case("w = 0", (*cases.FOUR, np.zeros(3))),
            Case("no mistake", (*cases.APART, [0.0, 3.0])),
        ),
        cases.weights,
        slips("""
    The hinge loss [E1-01]
        -m, -> 1 - m,
        max(0, 1 − m) is the hinge loss; the perceptron loss is max(0, −m). At w = 0 the hinge loss
        is 1 and the perceptron loss 0.
    The sign of m
        -m, -> m,
        max(m, 0) charges the right answers; the loss is max(−m, 0).
    The sum instead of the mean
        mean() -> sum()
        Losses in this course are means: divide by the number of examples.
    The mean over the mistakes
        np.maximum(-m, 0).mean() -> -m[m <= 0].mean() || -m[m < 0].mean() || -m[m <= 0].sum() /
            max(1, sum(m <= 0)) || -m[m < 0].sum() / max(1, sum(m < 0))
        Divide by N, the number of all examples, not by the number of mistakes.
    The share of mistakes
        np.maximum(-m, 0) -> (m <= 0) || (m < 0)
        This is the 0-1 loss, which counts mistakes. The perceptron loss weighs each mistake by how
        far it is on the wrong side.
    The bias is missing
        w[0] + X -> X
        The signed score is s·(w0 + w·x): w[0] has to be added.
    The bias stands last
        w[0] + X @ w[1:] -> w[-1] + X @ w[:-1]
        In this course the bias comes first: it is w[0].
    The sign of the label is missing
        s * (w[0] -> (w[0]
        max(−g, 0) forgets the label: the signed score is s·g.
    The cut at 0 is missing
        np.maximum(-m, 0) -> -m
        Without max(…, 0) a right answer pays for a wrong one: it has to cost nothing.
    Right answers are charged too
        np.maximum(-m, 0) -> np.abs(m)
        |m| is positive on both sides; only m < 0 costs something.
    The largest loss
        mean() -> max()
        The loss is the mean over the examples, not the worst of them.
    The logistic loss
        np.maximum(-m, 0) -> np.logaddexp(0, -m)
        log(1 + exp(−m)) is the logistic loss; the perceptron loss is max(−m, 0).
    The squares of the losses
        np.maximum(-m, 0) -> np.square(np.maximum(-m, 0))
        A mistake costs −m, not its square.
    Divided by the length of w
        np.maximum(-m, 0).mean() -> np.maximum(-m, 0).sum() / len(w)
        N is the number of examples, `len(X)`; `len(w)` counts weights.
            """),
    ),
    Function(
        perceptron_subgradient,
        (Result("subgradient", ("d+1",), points=3),),
        (
            Case("two mistakes among four examples", (*cases.FOUR, cases.W)),
            Case("one example exactly on the line", (*cases.KINK, cases.W)),
            Case("w = 0, every example on the kink", (*cases.APART, np.zeros(2))),
        ),
        cases.weights,
        slips("""
    The sign of the gradient
        -(s * -> (s *
        Each mistake contributes −s·(1, x); here it contributes +s·(1, x), so a step against this
        vector makes the loss grow.
    The sum instead of the mean
        @ A / len(s) -> @ A
        The loss is a mean, so its subgradient is one too: divide by N.
    The mean over the mistakes
        / len(s) -> / sum(mistakes) || / max(1, sum(mistakes))
        Divide by N, the number of all examples, not by the number of mistakes.
    The right answers contribute
        m <= 0 -> m > 0 || m >= 0
        Here the rows with m > 0 contribute; the mistakes are those with m ≤ 0.
    The subgradient of the hinge loss [E1-01]
        m <= 0 -> m < 1 || m <= 1
        Rows with 0 < m < 1 are right and have no part in the perceptron loss.
    The label is missing
        (s * mistakes) -> (1.0 * mistakes)
        Each mistake contributes −s·(1, x), not −(1, x).
    The bias component is 0
        @ A / -> @ (A * (np.arange(len(w)) > 0)) /
        The bias belongs to w: its component is the mean of −s over the mistakes.
    The bias component stands last
        return -(s * mistakes) @ A / len(s) -> return np.roll(-(s * mistakes) @ A / len(s), -1)
        In this course the ones column comes first, and so does the bias component.
    The wrong side of the kink
        m <= 0 -> (m < 0) * 1.0 - (m == 0)
        At m = 0 the contribution lies between 0 and −s·(1, x), never on the side of +s·(1, x).
    Every example contributes
        m <= 0 -> m < np.inf
        Only examples with m ≤ 0 contribute; here all of them do.
    The signed score is a factor
        (s * mistakes) -> (s * m * mistakes) || (m * mistakes)
        The gradient of −m with respect to w is −s·(1, x); the value of m is no part of it.
    The label is missing in the condition
        m = s * (A @ w) -> m = A @ w
        A mistake is an example with s·g ≤ 0, not with g ≤ 0.
    The bias is missing in the signed score
        m = s * (A @ w) -> m = s * (X @ w[1:])
        The signed score is s·(w0 + w·x): w[0] has to be added.
    The bias component without its label
        -(s * mistakes) @ A -> -(1 * mistakes) @ (A * np.where(np.arange(len(w)) > 0, s[:, None],
            1))
        The first component is the mean of −s over the mistakes, not of −1.
    The bias component with the wrong sign
        @ A / -> @ (A * np.where(np.arange(len(w)) > 0, 1, -1)) /
        Every mistake contributes −s·(1, x), with the same sign in the first component.
    One mistake only
        m <= 0 -> (m <= 0) & (np.cumsum(m <= 0) == 1)
        The contributions of all mistakes are added, not that of the first alone.
    Divided by the length of w
        len(s) -> len(w)
        N is the number of examples, `len(X)`; `len(w)` counts weights.
    Weights after a step
        return -(s -> return w + (s
        Return the subgradient itself; here w minus the subgradient came back.
            """),
        forms=("m <= 0 -> m < 0",),
        valid=cases.independent_ties,
        accepts=cases.is_subgradient,
        expected="a subgradient: an example with m = 0 counts in full, in part or not at all",
    ),
)


# Two runs by hand ----------------------------------------------------------------------------

A = np.column_stack([np.ones(4), cases.PLANE[0]])
SIGNS = cases.PLANE[1]
RIGHT = data.trace(A, SIGNS, 5)
FIRST_TIE_ONLY = [(0, 1, 2, -2), (1, 0, 2, -2), (3, -1, 1, 0)]  # then no signed score is negative
BEFORE = [(u.row, *(int(weight) for weight in u.before)) for u in runs.updates(A, SIGNS)]

TRACE = exercise(
    r"""
    perceptron.trace: Five updates by hand [10 minutes] [The rule]
        Start with w = (0, 0, 0). Compute the score of row 0: it is 0, which is a mistake. After the
            update go on with row 1, using the new w; after row 3 comes row 0 again.
        Mistake: the signed score $s\,(w_0+w_1x_1+w_2x_2)$ is $\le 0$. Update:
            $(w_0,w_1,w_2)+s\,(1,x_1,x_2)$.
        The first two entries are `(0, 1, 2, -2)` and `(1, 0, 2, -2)`.
    Remark
        Three of the five updates were ties, s·g = 0. After the fifth, every signed score is
        positive and the run stops.
    """,
    Values(
        ("trace",),
        tuple(
            Property(f"entry {k + 1}", 1.0, data.row_follows(A, SIGNS, k, ends=k == 4))
            for k in range(5)
        ),
        (None,),
        slips(
            """
    Rows counted from 1
        when rows_counted
        The rows of X are counted from 0, as NumPy does.
    Ties are passed over [EX-03]
        when ties_passed
        An example with score 0 counts as a mistake here, even when its label is +1.
    Later ties are passed over
        when later_ties
        Row 2 has the score 0 when its turn comes. That is a mistake too, as it was for row 0.
    The bias stands last
        when bias_stands
        An entry is (row, w0, w1, w2): the bias comes right after the row.
    The bias never moves
        when bias_never
        w0 changes by s at every update: the augmented example is (1, x1, x2).
    Back to the first example
        when back_first
        After an update the cycle goes on with the next example; it does not start again at row 0.
    The weights before the update
        when weights_before
        Each entry holds the weights after the update; these are the ones before it.
    The sign is missing
        when sign_missing
        An update adds s·(1, x1, x2): for a negative example it subtracts.
                """,
            rows_counted=data.like([(row + 1, *weights) for row, *weights in RIGHT], RIGHT),
            ties_passed=data.slipped_trace(A, SIGNS, tie="positive"),
            later_ties=data.like(FIRST_TIE_ONLY, RIGHT),
            bias_stands=data.like([(row, *w, w0) for row, w0, *w in RIGHT], RIGHT),
            bias_never=data.slipped_trace(
                A, SIGNS, step=lambda example, sign: sign * example * [0, 1, 1]
            ),
            back_first=data.slipped_trace(A, SIGNS, restart=True),
            weights_before=data.like(BEFORE, RIGHT),
            sign_missing=data.slipped_trace(A, SIGNS, step=lambda example, sign: example),
        ),
        picture=data.last_line(A, SIGNS),
    ),
    another="trace = [(0, 1, 2, -2), (1, 0, 2, -2), (2, 1, 5, 1), (3, 0, 4, 3), (1, -1, 4, 3)]",
)


def _tie_picture(X: Array, s: Array) -> Any:
    """The data, and the line with which the run under `tie="positive"` ends, where it ends."""
    from lectures_lib.figures.plane import boundary_scene

    if not set(np.unique(s)) <= {-1, 1} or len(X) != len(s):
        return None
    w, _ = perceptron_fit(X, s, 1.0, "positive", runs.MOST_UPDATES // len(s))
    return boundary_scene(X, (s + 1) // 2, w, title='where tie = "positive" stops', tie="positive")


ZERO_MARGIN = exercise(
    """
    perceptron.zero_margin: Data on which the rule sign(0) = +1 stops with a score of 0 [8 minutes]
            [What goes wrong]
        Under this rule a positive example with score 0 is left alone. So look for a run whose last
            update happens to leave a positive example exactly on the line.
        At w = 0 all positive examples count as right. A first negative example x⁻ gives w = −(1,
            x⁻). A positive example x⁺ with 1 + x⁻·x⁺ = 0 is then on the line and causes no update.
        Try the negative examples `[1, 0]` and `[2, 0]`, the positive one `[-1, 0]`, and one more
            positive example that is right for w = −(1, 1, 0).
    Remark
        The run stopped, yet the definition of separability asks for signed scores above 0. With
        s·g ≤ 0 as the rule for an update this cannot happen.
    """,
    Values(
        ("X_tie", "s_tie"),
        (
            Property(
                "the run stops under both tie rules",
                1.0,
                data.both_rules_stop,
                "separable data in the plane, two different examples of each class or more",
            ),
            Property(
                "sign(0) = +1 ends with signed score zero",
                2.0,
                data.stops_on_the_line,
                'a smallest signed score of exactly 0 at the end of the run with tie = "positive"',
            ),
        ),
        (Result("X_tie", ("N", "2")), Result("s_tie", ("N",), "sign")),
        slips(
            f"""
    The line passes between the classes
        when data.line_between
        Every example ends strictly on its own side. Let an update end with g(x) = 0 for a positive
        x.
    Not separable
        when data.inseparable
        No line has these classes on its two sides, so no run can stop.
    Too slow
        when data.too_slow
        The data are separable, but the run made {runs.MOST_UPDATES:,} updates without stopping.
        Move the data nearer to the origin, or the classes further apart.
    One class only
        when data.one_class
        With one class there is no line to learn. Give examples of both signs.
            """
        ),
        picture=_tie_picture,
    ),
    another="X_tie, s_tie = [[1, 0], [2, 1], [-1, 0], [-3, 2]], [-1, -1, 1, 1]",
)


# Losses of a signed score -------------------------------------------------------------------


def losses_at(m: Array) -> Any:
    zero_one = np.where(m <= 0, 1.0, 0.0)
    perceptron = np.maximum(-m, 0)
    hinge = np.maximum(1 - m, 0)
    logistic = np.logaddexp(0, -m)
    return zero_one, perceptron, hinge, logistic


def _losses_picture(given: Any, came_out: Any, expected: Any) -> Any:
    """Those of the four losses that are off, at signed scores that a curve can show."""
    from lectures_lib.figures.answers import values_beside_curves

    (m,) = given
    if np.abs(m).max() > 20:
        return None
    grid = np.linspace(min(-3.0, m.min() - 0.5), max(3.0, m.max() + 0.5), 241)
    names = ("zero_one", "perceptron", "hinge", "logistic")
    came, wanted = dict(zip(names, came_out, strict=True)), dict(zip(names, expected, strict=True))
    off = [name for name in names if not np.allclose(came[name], wanted[name])]
    curves = dict(zip(names, losses_at(grid), strict=True))
    came = {name: came[name] for name in off}
    return values_beside_curves(m, came, wanted, grid, curves, "signed score m")


LOSSES = exercise(
    r"""
    perceptron.losses: Four losses of a signed score [8 minutes]
            [The same rule as descent on a loss]
        All four losses depend on the signed score m only. The 0-1 loss counts mistakes. The other
            three are what one can minimise instead.
        0-1: 1 if $m\le 0$, else 0. Perceptron: $\max(-m,0)$. Hinge: $\max(1-m,0)$. Logistic:
            $\log(1+e^{-m})$ with the natural logarithm.
        For the last one `np.logaddexp(0, -m)` is log(e⁰ + e⁻ᵐ) without overflow; the others are
            `np.where(m <= 0, 1.0, 0.0)` and two calls of `np.maximum`.
    Remark
        Far on the wrong side perceptron, hinge and logistic loss all grow like −m: what tells them
        apart is the neighbourhood of m = 0.
    """,
    Function(
        losses_at,
        tuple(Result(name, ("M",)) for name in ("zero_one", "perceptron", "hinge", "logistic")),
        (
            Case("signed scores on both sides", ([-2.0, -0.5, 0.25, 2.0],)),
            Case("the kinks, m = 0 and m = 1", ([0.0, 1.0],)),
            Case("large signed scores", ([-1000.0, -50.0, 50.0, 1000.0],)),
        ),
        cases.margins,
        slips("""
    The sign of m
        -m, 0) -> m, 0)
        1 - m -> 1 + m
        -m, 0) -> m, 0) ; 1 - m -> 1 + m
        -m, 0) -> m, 0) ; 1 - m -> 1 + m ; 0, -m -> 0, m
        m <= 0 -> m >= 0 ; -m, 0) -> m, 0) ; 1 - m -> 1 + m ; 0, -m -> 0, m
        m <= 0 -> m > 0 ; -m, 0) -> m, 0) ; 1 - m -> 1 + m ; 0, -m -> 0, m
        None of the four losses grows with the signed score; here the sign of m is turned round.
    The hinge without its 1 [E1-01]
        1 - m -> -1 * m
        max(−m, 0) is the perceptron loss. The hinge loss is max(1 − m, 0): it also charges right
        answers that are too close to the line.
    The two names exchanged [E1-01]
        perceptron, hinge, -> hinge, perceptron,
        max(−m, 0) is the perceptron loss and max(1 − m, 0) the hinge loss.
    A signed score of 0 counts as right
        m <= 0 -> m < 0
        A tie, m = 0, counts as a mistake: the 0-1 loss is 1 for m ≤ 0.
    Not 1 for a mistake and 0 else
        m <= 0 -> m > 0
        np.where(m <= 0, 1.0, 0.0) -> np.where(m <= 0, -1.0, 1.0) || np.sign(m) || -np.sign(m) ||
            np.where(m <= 0, 1.0, -1.0)
        The 0-1 loss is 1 for a mistake and 0 for a right answer; no entry is −1.
    The sign in the logistic loss
        logaddexp(0, -m) -> logaddexp(0, m)
        np.logaddexp(0, -m) -> np.log(1 + np.exp(m))
        log(1 + exp(+m)) grows with the signed score. The loss is log(1 + exp(−m)).
    The logarithm to base 2
        np.logaddexp(0, -m) -> np.logaddexp(0, -m) / np.log(2) || np.log2(1 + np.exp(-m)) ||
            np.logaddexp2(0, -m)
        The logistic loss of this course uses the natural logarithm: log 2 at m = 0.
    exp overflows
        np.logaddexp(0, -m) -> np.log(1 + np.exp(-m))
        exp(1000) is larger than every floating-point number. `np.logaddexp(0, -m)` gives the same
        value without it.
    A tie counts as half a mistake
        np.where(m <= 0, 1.0, 0.0) -> np.heaviside(-m, 0.5)
        The 0-1 loss of this course is 1 for m ≤ 0, at 0 too.
    The 0-1 loss steps at 1
        m <= 0 -> m <= 1 || m < 1
        The step of the 0-1 loss is at m = 0. At m = 1 the hinge loss becomes 0.
    The cut at 0 is missing
        np.maximum(-m, 0) -> -m
        np.maximum(1 - m, 0) -> 1 - m
        np.maximum(-m, 0) -> -m ; np.maximum(1 - m, 0) -> 1 - m
        Without max(…, 0) a large signed score has a negative loss; it has to cost nothing.
    The smaller of the two
        maximum(-m -> minimum(-m
        maximum(1 - m -> minimum(1 - m
        maximum(-m -> minimum(-m ; maximum(1 - m -> minimum(1 - m
        max(…, 0) keeps the losses from becoming negative; here the minimum was taken.
    Right answers are charged too
        np.maximum(-m, 0) -> np.abs(m)
        |m| is positive on both sides; the perceptron loss is 0 for m ≥ 0.
    The hinge loss twice
        np.maximum(-m, 0) -> np.maximum(1 - m, 0)
        max(1 − m, 0) is the hinge loss; the perceptron loss is max(−m, 0).
    Mistakes counted, not weighed
        np.maximum(-m, 0) -> 1.0 * (m < 0)
        The perceptron loss of a mistake is −m, not 1.
    The hinge loss ends at 1
        np.maximum(1 - m, 0) -> np.where(m < 0, 1 - m, 0) || np.where(m <= 0, 1 - m, 0) ||
            np.where(m < 2, 1 - m, 0)
        max(1 − m, 0) is positive below m = 1 and 0 from there on.
    The 1 stands outside the maximum
        np.maximum(1 - m, 0) -> 1 + np.maximum(-m, 0) || np.maximum(1, -m)
        The hinge loss is max(1 − m, 0): from m = 1 on it is 0. Here it never is.
    m − 1 for 1 − m
        1 - m -> m - 1
        The hinge loss is max(1 − m, 0): it falls while the signed score grows.
    The 1 in the logarithm is missing
        np.logaddexp(0, -m) -> -m || np.log(np.exp(-m))
        log(exp(−m)) is −m. The loss is log(1 + exp(−m)).
    The signed score is cut off
        np.logaddexp(0, -m) -> np.logaddexp(0, -np.clip(m, -500, 500)) || np.logaddexp(0,
            -np.clip(m, -3, 3)) || np.logaddexp(0, -np.clip(m, -700, 700)) || np.logaddexp(0,
            -np.clip(m, -100, 100)) || np.logaddexp(0, -np.clip(m, -30, 30))
        log(1 + exp(−m)) goes on at both ends: far below 0 it grows like −m, far above 0 it goes to
        0. Do not cut m; `np.logaddexp(0, -m)` needs no cut.
            """),
        forms=("np.logaddexp(0, -m) -> np.log(1 + np.exp(-m))",),
        picture=_losses_picture,
    ),
    another="""
def losses_at(m):
    logistic = np.maximum(-m, 0) + np.log1p(np.exp(-np.abs(m)))
    return 1.0 * (m <= 0), np.where(m < 0, -m, 0), np.where(m < 1, 1 - m, 0), logistic
""",
)

LOSSES_QUIZ = exercise(
    """
    perceptron.losses_quiz: What a run and a loss say: two flaws [4 minutes] [What goes wrong]
        Which sentence concludes from something that has not happened yet? And which loss can be
            small where there are many mistakes?
        At m = 0 the 0-1 loss is 1, the perceptron loss 0, the hinge loss 1, the logistic loss log
            2.
        `losses_at(np.array([-0.1, 0.0, 0.1]))` shows them side by side; log 2 ≈ 0.69.
    """,
    Prediction(
        ("flawed", "because"),
        choices("""
    a. The run stopped, so a line separates these data.
        In a pass without an update every s·g was above 0.
    b. On the way an update raised the number of mistakes. That is no error in the program.
        An update is sure to help its own example only.
    c. From w = 0 a tenth of η would have ended at the same line.
        All weights would be a tenth, and no sign would change.
    d. On other data 5,000 updates were not enough, so no line separates those. [right]
        Perhaps none does. What would they have to be like, if one did?
    e. Where the mean perceptron loss is 0, no example is a mistake. [right]
        The loss of a mistake is −m. How small may that be?
    f. Where the mean logistic loss, divided by log 2, is 0.1, at most 10 % are mistakes.
        log₂(1 + exp(−m)) is 1 at m = 0 and grows to the left: it is never below the 0-1 loss.
            """),
        choices("""
    a. in small units, or far from the origin, separable data can take many more [right]
        The digits took 67 updates, and 10,248 with 100 added to every grey value.
    b. at w = 0 it is 0 on any data, and every example is a tie [right]
        A tie counts as a mistake, and for −1 < m ≤ 0 this loss is below the 0-1 loss.
    c. with smaller steps the line is found more exactly
        From w = 0 the weights shrink by the same factor as the steps, and the line stays.
    d. an update that raises the mistakes has the wrong sign
        It has the right one for its example. The line moves for the others too.
    e. only the hinge loss lies nowhere below the 0-1 loss
        The same holds for every loss that is at least 1 for m ≤ 0 and never negative.
            """),
        points=2.0,
    ),
    version=2,
)

EXERCISES = (FIT, LOSS, TRACE, ZERO_MARGIN, LOSSES, LOSSES_QUIZ)
