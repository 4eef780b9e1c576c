"""The exercises of this chapter: the theorem, its bound, and the dual form."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib._core.lesson import lesson
from lectures_lib.chapters.perceptron_convergence import _claims, cases
from lectures_lib.checks.author import (
    Array,
    Case,
    Function,
    Prediction,
    Proof,
    Property,
    Result,
    Values,
    choices,
    exercise,
    slips,
    steps,
)

# The bound -----------------------------------------------------------------------------------
MEASURED = slips("""
    The norm without the bias
        norm(w_star) -> norm(w_star[1:])
        ‖w*‖ is the length of the whole augmented vector, w0 included.
    R without the ones column
        norm(A, -> norm(X,
        R² is the largest ‖(1, x)‖², which is 1 + ‖x‖².
    Not the longest example
        axis=1).max() -> axis=1).mean() || axis=1).min()
        np.linalg.norm(A, axis=1).max() -> np.sqrt((A**2).sum(axis=1).mean())
        R² is the largest squared length, because the proof uses it for every update.
    Not the smallest signed score
        m.min() / -> m.max() / || m.mean() / || m.sum() / || m[0] /
        γ is the smallest s·g(x) of all, because the proof uses it for every update.
    """)


def novikoff_bound(X: Array, s: Array, w_star: Array) -> Any:
    A = np.column_stack([np.ones(len(X)), X])
    m = s * (A @ w_star)
    if m.min() <= 0:
        return np.inf
    gamma = m.min() / np.linalg.norm(w_star)
    R = np.linalg.norm(A, axis=1).max()
    return R**2 / gamma**2


BOUND = exercise(
    rf"""
    perceptron_convergence.bound: The bound R²/γ² [8 minutes] [What a margin is]
        The bound compares the longest example with γ, the margin of the data. Both are measured in
            the augmented space, and γ is a distance: it must not change when w* is multiplied by 5.
        $R^2=\max\|(1,x)\|^2$ and $\gamma=\min s\,w^{{*T}}(1,x)$, divided by $\|w^*\|$, which
            includes the bias.
        `gamma = (s * (A @ w_star)).min() / np.linalg.norm(w_star)` with `A` the augmented examples;
            if it is not positive, return `np.inf`.
    Remark
        Every separating w* gives a true bound, and the one with the largest γ the best. How to find
        it is the subject of {lesson("maximum_margin")}.
    """,
    Function(
        novikoff_bound,
        (Result("bound", infinite=True, points=5),),
        (
            Case("w* of length 1", (*cases.LINE, [0.0, 1.0])),
            Case("w* of another length", (*cases.THREE, [1.0, 2.0])),
            Case("examples in the plane", (*cases.PLANE, cases.SLANTED)),
            Case("w* on the wrong side of an example", (*cases.THREE, [-2.0, 1.0])),
            Case("an example on the line", (*cases.THREE, [-1.0, 1.0])),
        ),
        cases.maybe_separated,
        MEASURED
        + slips("""
    γ is not normalised [What goes wrong]
        m.min() / np.linalg.norm(w_star) -> m.min()
        Divide the smallest s·g by ‖w*‖: otherwise a longer w* seems to give a smaller bound.
    R and γ without the ones column
        norm(A, -> norm(X, ; norm(w_star) -> norm(w_star[1:])
        Both belong to the augmented space: R² is the largest 1 + ‖x‖², and ‖w*‖ counts w0.
    R of one class only
        norm(A, -> norm(A[s > 0], || norm(A[s < 0],
        R is the largest length among all examples, those of both classes.
    The square root of the bound
        R**2 / gamma**2 -> R / gamma
        This is R/γ; the bound is its square.
    γ is not squared
        gamma**2 -> gamma
        The bound is R²/γ², not R²/γ.
    The sign of γ is lost in the square
        m.min() <= 0: -> False: || m.min() == 0:
        If w* does not separate, there is no bound: return infinity before squaring.
    R is not squared
        R**2 / -> R /
        The bound is R²/γ², not R/γ².
    R from all examples together
        np.linalg.norm(A, axis=1).max() -> np.linalg.norm(A) || np.linalg.norm(A, 2)
        R is the length of the longest single example.
    R is the length of no row
        np.linalg.norm(A, axis=1).max() -> np.abs(A).max() || np.linalg.norm(A, axis=0).max()
        R is the largest length ‖(1, x)‖ of a row, not an entry or the length of a column.
    Another norm
        np.linalg.norm(A, axis=1) -> np.abs(A).sum(axis=1)
        norm(w_star) -> norm(w_star, 1)
        Lengths are Euclidean: the root of the sum of squares.
    The label is missing
        m = s * (A @ w_star) -> m = A @ w_star || m = abs(A @ w_star)
        The signed score is s·g(x): without s nothing says on which side an example should lie.
    The bias is missing in the score
        A @ w_star -> X @ w_star[1:]
        The score is w0 + w·x; here w0 is left out.
    The bias stands last
        np.ones(len(X)), X -> X, np.ones(len(X))
        In this course the bias comes first: `w_star[0]` belongs to the column of ones.
    Infinity in the wrong place
        m.min() <= 0: -> m.max() > 0:
        The bound is infinite exactly when some s·g(x) is not positive.
    No bound, but a number
        return np.inf -> return 0.0 || return -np.inf || return -1.0 || return np.nan
        Without a separating w* there is no bound: that is `np.inf`.
    Upside down
        R**2 / gamma**2 -> gamma**2 / R**2 || R**2 * gamma**2
        The bound is R²/γ²: a small margin makes it large.
    Divided by the squared length
        norm(w_star) -> norm(w_star) ** 2
        γ is the smallest s·g divided by ‖w*‖, not by ‖w*‖².
    Divided by the wrong length
        np.linalg.norm(w_star) -> len(X)
        m.min() / np.linalg.norm(w_star) -> (m / np.linalg.norm(A, axis=1)).min() || (m /
            np.linalg.norm(A, axis=1)).min() / np.linalg.norm(w_star)
        γ divides by the length of w*. The examples keep theirs, which R measures.
    R and γ of one example
        m = s * -> A = A / np.linalg.norm(A, axis=1)[:, None]; m = s *
        R is the largest length and γ the smallest s·g, perhaps of two different examples.
            """),
    ),
)


# A claimed run -------------------------------------------------------------------------------
def bounds_hold(W: Array, w_star: Array, gamma: float, R: float, eta: float) -> Any:
    t = np.arange(1, len(W) + 1)
    lower = W @ w_star >= t * eta * gamma
    upper = (W**2).sum(axis=1) <= t * eta**2 * R**2
    return lower, upper


CLAIMED_TRACE = exercise(
    r"""
    perceptron_convergence.claimed_trace: Check a claimed run against the two inequalities [10
            minutes] [Both together]
        Row 0 of W holds the weights after the first update, so it belongs to t = 1.
        Lower: $w^{*T}w^{(t)}\ge t\,\eta\,\gamma$. Upper: $\|w^{(t)}\|^2\le t\,\eta^2R^2$. Equality
            is allowed in both.
        `t = np.arange(1, len(W) + 1)`, then `W @ w_star >= t * eta * gamma` and the same with
            `(W**2).sum(axis=1)`.
    Remark
        A claimed run that breaks one of the two cannot come from the perceptron on such data. One
        that keeps both may still be invented.
    """,
    Function(
        bounds_hold,
        (Result("lower", ("T",), "flag", points=2), Result("upper", ("T",), "flag", points=2)),
        (
            Case("a true run, with equality", (cases.TRUE_RUN, cases.AXIS, 2.0, 3.0, 1.0)),
            Case("an invented run", (cases.CLAIM, cases.AXIS, 2.0, 3.0, 1.0)),
            Case("learning rate 0.5", (0.5 * cases.CLAIM, cases.AXIS, 2.0, 3.0, 0.5)),
            Case("another direction", (cases.CLAIM, [0.6, 0.8, 0.0], 1.5, 3.5, 1.0)),
        ),
        cases.claim,
        slips("""
    t starts elsewhere
        np.arange(1, len(W) + 1) -> np.arange(len(W)) || np.arange(2, len(W) + 2)
        W[0] holds the weights after the first update: it belongs to t = 1.
    Equality is refused [E0-10]
        >= t -> > t ; <= t -> < t
        >= t -> > t
        <= t -> < t
        Both inequalities allow equality, and the run of the first case reaches it.
    The bound itself is squared
        t * eta**2 * R**2 -> (t * eta * R) ** 2
        t·η²·R² has t to the first power: each update adds at most η²R² to the squared length.
    The norm is not squared
        (W**2).sum(axis=1) -> np.linalg.norm(W, axis=1)
        t·η²·R² bounds the squared length of w(t).
    A square is missing above
        eta**2 -> eta
        R**2 -> R
        The upper bound on the squared length is t·η²·R², with both squares.
    η is missing below
        t * eta * gamma -> t * gamma
        Each update moves w(t) by η·γ or more along w*: the lower bound is t·η·γ.
    The sign of the progress is lost
        W @ w_star >= -> abs(W @ w_star) >=
        w*·w(t) itself has to grow; without its sign a run in the wrong direction would pass.
    The two answers exchanged
        return lower, upper -> return upper, lower
        Return `lower` first, then `upper`.
    t is missing
        t * eta * gamma -> eta * gamma ; t * eta**2 -> eta**2
        t * eta * gamma -> eta * gamma
        t * eta**2 -> eta**2
        Both bounds grow with t, the number of updates so far.
    One t for all rows
        np.arange(1, len(W) + 1) -> len(W) || len(W) - np.arange(len(W))
        Each row has its own t: row k belongs to t = k + 1.
    The power of t below
        t * eta * gamma -> t**2 * eta * gamma || np.sqrt(t) * eta * gamma
        The lower bound is t·η·γ: t to the first power.
    η is missing above
        eta**2 * R**2 -> R**2
        t * eta * gamma -> t * gamma ; eta**2 * R**2 -> R**2
        Each update adds at most η²R² to the squared length.
    A square too many below
        t * eta * gamma -> t * eta**2 * gamma
        eta * gamma -> eta * gamma**2
        t * eta * gamma -> (t * eta * gamma) ** 2
        The lower bound t·η·γ has no squares.
    The bias is left out
        (W**2) -> (W[:, 1:] ** 2)
        W @ w_star -> W[:, 1:] @ w_star[1:]
        (W**2) -> (W[:, 1:] ** 2) ; W @ w_star -> W[:, 1:] @ w_star[1:]
        The length of w(t) and the product with w* take all entries, the bias too.
    All rows in one length
        sum(axis=1) -> sum()
        Each row of W has its own length: sum over axis 1.
    Another norm
        (W**2).sum(axis=1) -> (W**2).max(axis=1) || np.abs(W).sum(axis=1) ** 2 ||
            np.abs(W).sum(axis=1)
        The squared length is the sum of the squares of all entries.
    The cosine
        W @ w_star >= -> W @ w_star / np.linalg.norm(W, axis=1) >=
        The lower bound is on the scalar product w*·w(t), which is not divided by a length.
    W holds weights, not steps
        W @ w_star >= -> np.cumsum(W @ w_star) >=
        (W**2).sum(axis=1) -> np.cumsum((W**2).sum(axis=1))
        W @ w_star >= -> np.cumsum(W @ w_star) >= ; (W**2).sum(axis=1) ->
            np.cumsum((W**2).sum(axis=1))
        W @ w_star >= -> np.diff(W @ w_star, prepend=0) >=
        lower = W -> V = np.cumsum(W, axis=0); lower = V ; (W**2) -> (V**2)
        Row t of W is w(t) itself: nothing has to be added up, and no differences are needed.
    R and γ exchanged
        eta * gamma -> eta * R ; * R**2 -> * gamma**2
        γ bounds the progress from below, R the length from above.
    One answer for all updates
        return lower, upper -> return lower & lower.all(), upper & upper.all() || return
            np.logical_and.accumulate(lower), np.logical_and.accumulate(upper) || return lower &
            lower[0], upper & upper[0]
        Each update is judged by itself: return an entry for every row of W.
            """),
    ),
)


# The proof -----------------------------------------------------------------------------------
UPPER_BOUND = exercise(
    r"""
    perceptron_convergence.upper_bound: The upper bound for updates that come too early [10 minutes]
            [Second inequality: the weights grow slowly]
        Expand the square of the norm first. Then look at the three terms one by one: which
            hypothesis says something about which of them?
        $\|w+\eta sx\|^2=\|w\|^2$ $+\,2\eta s\,w^Tx$ $+\,\eta^2s^2\|x\|^2$. Here $s^2=1$, an update
            happens only if $s\,w^Tx\le\beta$, and $\|x\|\le R$.
        The first line is `= norm(w)**2 + 2*eta*s*dot(w, x) + eta**2*s**2*norm(x)**2`; the mixed
            term is at most `2*eta*beta`.
    Remark
        From zero, t updates give ‖w(t)‖² ≤ t(2ηβ + η²R²): the growth is still linear in t, so the
        run still ends. With β = 0 it is the chapter's inequality.
    """,
    Proof(
        "upper_bound",
        "norm(w + eta*s*x)**2",
        steps("""
    the square expanded [1 point]
        norm(w)**2 + 2*eta*s*dot(w, x) + eta**2*s**2*norm(x)**2
        with eta*s*dot(w, x); without w + eta*s*x
    a hypothesis in the place of its term [1 point]
        norm(w)**2 + 2*eta*beta + eta**2*norm(x)**2
        bound; with eta*beta and eta**2*norm(x)**2
        bound; with eta*beta and eta**2*dot(x, x)
        bound; with eta*beta and (eta*norm(x))**2
        bound; with s*dot(w, x) and eta**2*R**2
        bound; later; with eta*beta
    R bounds the norm of x [2 points]
        norm(w)**2 + 2*eta*beta + eta**2*R**2
        is dot(w, w) + 2*eta*beta + eta**2*R**2
        """),
        symbols={"w x": "vector d", "s": "sign", "eta R": "positive", "beta": "nonnegative"},
        given=("s*dot(w, x) <= beta", "norm(x)**2 <= R**2"),
        sizes={"d": (1, 2)},
        asked="<=",
        slips=slips("""
    The factor 2
        2*eta -> eta
        The square of a sum has the mixed term twice: 2*eta*s*dot(w, x).
    η is not squared
        eta**2 -> eta
        ‖ηsx‖² is η²‖x‖²: the factor leaves the norm squared.
    The mixed term is missing
        2*eta*s*dot(w, x) + ->
        2*eta*beta + ->
        ‖a + b‖² is not ‖a‖² + ‖b‖²: the mixed term 2 a·b is there, and here it is at most 2ηβ.
    The label is lost
        2*eta*s*dot -> 2*eta*dot
        The update adds ηsx, so the mixed term is 2*eta*s*dot(w, x).
    The sign of the mixed term
        + 2*eta -> - 2*eta
        The update adds ηsx, so the mixed term enters with +.
    R is not squared
        R**2 -> R
        ‖x‖ ≤ R gives ‖x‖² ≤ R².
    A norm is not squared
        norm(x)**2 -> norm(x)
        norm(w)**2 -> norm(w)
        Scalar products of a vector with itself are squared norms: norm(w)**2, norm(x)**2.
    η is missing in the mixed term
        2*eta -> 2
        The update adds ηsx, so the mixed term has the factor η: 2*eta*s*dot(w, x).
    β enters once, as it is
        2*eta*beta -> 2*eta*beta**2 || 2*eta*s*beta
        2*eta times s*dot(w, x) <= beta gives 2*eta*beta.
    A power too many
        dot(w, x) -> dot(w, x)**2
        s**2*norm(x)**2 -> s**2*norm(x)**4
        The mixed term holds w·x once, and the last term is the square of a length.
    Two lengths mixed up
        s**2*norm(x) -> s**2*norm(w)
        norm(w)**2 + 2*eta*beta + eta**2*R -> R**2 + 2*eta*beta + eta**2*R
        R bounds the length of x; the weights keep their own, norm(w).
            """),
    ),
    version=2,
)


# The dual form -------------------------------------------------------------------------------
def perceptron_dual(G: Array, s: Array, max_passes: int) -> Any:
    alpha = np.zeros(len(s))
    for _ in range(max_passes):
        before = alpha.copy()
        for i in range(len(s)):
            if s[i] * ((alpha * s) @ G[:, i]) <= 0:
                alpha[i] += 1
        if (alpha == before).all():
            break
    return alpha


DUAL = exercise(
    r"""
    perceptron_convergence.dual: The dual form [14 minutes] [The dual form]
        Do not store w. Store how often each example has caused an update, and compute the score of
            an example from these counts.
        $w=\sum_j\alpha_js_j\,(1,x_j)$, so the score of example $i$ is $\sum_j\alpha_js_jG_{ji}$ and
            the update is $\alpha_i\leftarrow\alpha_i+1$ when $s_i$ times this score is
            $\le 0$.
        `if s[i] * ((alpha * s) @ G[:, i]) <= 0:` and below it `alpha[i] += 1`; stop after a pass
            without an update.
    Remark
        The examples entered through G alone. Any kernel matrix can stand in its place: with (1 +
        x·z)² the same loop solves XOR.
    """,
    Function(
        perceptron_dual,
        (Result("alpha", ("N",), "count", points=5),),
        (
            Case("four examples in the plane", (cases.FOUR, cases.PLANE[1] * [1, -1, -1, 1], 100)),
            Case("classes far from the origin", (cases.FAR, -cases.PLANE[1], 200)),
            Case("XOR with the quadratic kernel", (cases.SQUARE**2, [-1, 1, 1, -1], 100)),
            Case("XOR without it, after 5 passes", (cases.SQUARE, [-1, 1, 1, -1], 5)),
        ),
        cases.gram_of_some,
        slips("""
    α never leaves 0
        <= 0 -> < 0
        At the start every score is 0, and that is a mistake: the condition is s_i·g ≤ 0.
    The signs of the others are missing
        (alpha * s) @ -> alpha @
        w is Σ α_j·s_j·x_j: each term carries the sign of its own example.
    The own sign is missing
        s[i] * ((alpha -> ((alpha
        A mistake is s_i·g ≤ 0; here g alone is compared with 0.
    Only a part of the sum
        (alpha * s) @ -> (alpha * s * (np.arange(len(s)) != i)) @
        (alpha * s) @ G[:, i] -> (alpha * s)[:i] @ G[:i, i] || (alpha * s)[: i + 1] @ G[: i + 1, i]
            || (alpha * s)[1:] @ G[1:, i] || (alpha * s)[:-1] @ G[:-1, i] || alpha[i] * s[i] * G[i,
            i]
        The score of example i sums over all j, the example itself included.
    α is set instead of counted
        alpha[i] += 1 -> alpha[i] = 1
        An example can cause several updates: add 1 each time.
    A whole pass at once
        (alpha * s) -> (before * s)
        The scores come from the beginning of the pass. Each update counts at once.
    One pass only
        range(max_passes) -> range(1)
        These are the counts of one pass. Go on until a pass has no mistake, `max_passes` at most.
    The cap is not used
        range(max_passes) -> range(1000) || range(100)
        The run ends after `max_passes` passes, clean or not, whatever that number is.
    It stops one mistake too early
        (alpha == before).all() -> (alpha - before).sum() <= 1
        A pass with one mistake is not clean: the run ends after a pass with none.
    α carries the sign
        return alpha -> return alpha * s
        alpha[i] += 1 -> alpha[i] += s[i]
        α_i counts updates and is never negative; the sign s_i is applied when w is put together.
    α is missing in the score
        (alpha * s) @ -> s @
        Each term of the score counts as often as its example caused an update: α_j·s_j·G[j, i].
    The start is not 0
        np.zeros(len(s)) -> np.ones(len(s))
        The run starts at α = 0; here it starts at ones.
    One pass too many
        range(max_passes) -> range(max_passes + 1)
        The run ends after `max_passes` passes; here it makes one more.
    One pass too few
        range(max_passes) -> range(max_passes - 1)
        The run may make `max_passes` passes; here the last one is missing.
    The cap counts updates
        if (alpha == before).all(): -> if (alpha == before).all() or alpha.sum() >= max_passes:
        for i in range -> for i in [] if alpha.sum() >= max_passes else range
        `max_passes` limits the passes over the data, not the updates.
    Back to the first example
        alpha[i] += 1 -> alpha[i] += 1; break
        After an update the pass goes on with the next example; it does not start again.
    A score of 0 counts as an answer
        if s[i] * ((alpha * s) @ G[:, i]) <= 0: -> if ((alpha * s) @ G[:, i] >= 0) != (s[i] > 0): ||
            if ((alpha * s) @ G[:, i] > 0) != (s[i] > 0):
        Here a score of 0 is a mistake for both classes: s_i·g ≤ 0.
    Every example is counted
        if s[i] * ((alpha * s) @ G[:, i]) <= 0: -> if True:
        Only a mistake raises its α; here every example does in every pass.
    The 1 of the hinge loss
        <= 0 -> <= 1 || < 1
        The perceptron is content with s·g above 0; it does not ask for 1.
    The sign of the score
        @ G[:, i] -> @ -G[:, i]
        alpha[i] += 1 -> alpha[i] -= 1
        The score is +Σ α_j·s_j·G[j, i]; with a minus every update makes its own mistake worse.
    No label anywhere
        s[i] * ((alpha * s) @ G[:, i]) -> alpha @ G[:, i]
        Labels enter twice: s_j in the sum, s_i in s·g.
    All counts rise together
        alpha[i] += 1 -> alpha += 1
        A mistake raises the count of its own example only.
    The 1 is in G already
        @ G[:, i] -> @ (G[:, i] + 1)
        G holds the products of the augmented examples: nothing has to be added for the bias.
    Yes or no instead of how often
        return alpha -> return 1.0 * (alpha > 0)
        α_i is the number of updates that example i has caused, not whether it caused one.
    The scores are returned
        return alpha -> return G @ (alpha * s)
        Return the counts α themselves.
    The last example is left out
        i in range(len(s)) -> i in range(len(s) - 1)
        `range(n)` ends at n − 1 by itself: `range(len(s))` goes through all rows.
    The first example is left out
        i in range(len(s)) -> i in range(1, len(s))
        Rows are counted from 0; here the pass begins with row 1.
    From the last row to the first
        i in range(len(s)) -> i in reversed(range(len(s)))
        The examples are visited in the order in which they stand.
            """),
        valid=lambda G, s, max_passes: np.linalg.eigvalsh(G).min() > -1e-9,
    ),
)


# A start that is not zero --------------------------------------------------------------------
def bound_from(X: Array, s: Array, w_star: Array, w_init: Array, eta: float) -> Any:
    A = np.column_stack([np.ones(len(X)), X])
    length = np.linalg.norm(w_star)
    m = s * (A @ w_star)
    gamma = m.min() / length
    R = np.linalg.norm(A, axis=1).max()
    a = w_star @ w_init / length
    b = w_init @ w_init
    h = eta**2 * R**2 - 2 * a * eta * gamma
    root = np.sqrt(max(h**2 + 4 * (eta * gamma) ** 2 * (b - a**2), 0.0))
    return (h + root) / (2 * (eta * gamma) ** 2)


NONZERO_START = exercise(
    r"""
    perceptron_convergence.nonzero_start: The bound for a start that is not zero [12 minutes] [Both
            together]
        Both inductions start at t = 0. Only their first values change: w*·w(0) and ‖w(0)‖² instead
            of 0.
        With $w^*$ of length 1, $a=w^{*T}w^{(0)}$ and $b=\|w^{(0)}\|^2$: $(a+t\eta\gamma)^2\le
            b+t\eta^2R^2$. The bound is the larger root of this quadratic equation in $t$.
        With `h = eta**2 * R2 - 2 * a * eta * gamma` the larger root is `(h + np.sqrt(h**2 + 4 *
            (eta * gamma)**2 * (b - a**2))) / (2 * (eta * gamma)**2)`.
    Remark
        From zero, η cancels. From anywhere else it does not: a long w(0) in a wrong direction costs
        more updates the smaller η is.
    """,
    Function(
        bound_from,
        (Result("bound", absolute=1e-6, points=5),),
        (
            Case("start at zero", (*cases.LINE, [0.0, 1.0], np.zeros(2), 1.0)),
            Case("a start across w*", (*cases.LINE, [0.0, 1.0], [3.0, 0.0], 1.0)),
            Case("a start against w*", (*cases.THREE, [1.0, 2.0], [-2.0, -4.0], 1.0)),
            Case("a small learning rate", (*cases.PLANE, cases.SLANTED, [1.0, -2.0, 3.0], 0.25)),
            Case("a start along w*", (*cases.LINE, [0.0, 2.0], [0.0, 5.0], 1.0)),
        ),
        cases.start,
        MEASURED
        + slips("""
    The start is ignored [What the theorem does not say]
        w_star @ w_init / length -> 0 ; w_init @ w_init -> 0
        This is R²/γ², the bound for w(0) = 0. The start changes the first value of both inductions.
    The worst direction [What the theorem does not say]
        w_star @ w_init / length -> -np.linalg.norm(w_init)
        This holds for every start of the length ‖w(0)‖. The direction counts too, by a = w*ᵀw(0).
    η has cancelled
        length = -> eta, length = 1.0,
        η cancels only for w(0) = 0. Here it stays in tηγ and in tη²R².
    The head start is missing
        w_star @ w_init / length -> 0
        The lower bound starts at a = w*·w(0), not at 0.
    Another first length
        w_init @ w_init -> 0
        w_init @ w_init -> np.linalg.norm(w_init)
        The upper bound starts at ‖w(0)‖², the squared length.
    The smaller root
        h + root -> h - root
        The inequality holds between the two roots, so the bound is the larger one.
    The mixed term is not complete
        - 2 * a * eta * gamma ->
        - 2 * a * eta * gamma -> - a * eta * gamma
        - 2 * a * eta * gamma -> - 2 * a * gamma
        (a + tηγ)² has the term 2atηγ: a factor 2, and η.
    w* is not normalised [What goes wrong]
        np.linalg.norm(w_star) -> 1.0
        The proof uses ‖w*‖ = 1: divide w* by its length before computing γ and a.
    Only γ is normalised [What goes wrong]
        w_star @ w_init / length -> w_star @ w_init
        a = w*ᵀw(0) needs ‖w*‖ = 1 as well: divide it by the length of w*, like γ.
    The sign of the head start
        - 2 * a * eta -> + 2 * a * eta
        a = w_star @ w_init / length -> a = abs(w_star @ w_init) / length
        (a + tηγ)² has +2atηγ: a start along w* makes the bound smaller, one against it larger.
    η is not squared
        eta**2 * R**2 -> eta * R**2
        The upper bound is b + tη²R².
    η divides the start
        a = w_star @ w_init / length -> w_init, eta = w_init * eta, 1.0; a = w_star @ w_init /
            length
        Divided by η², the inequality has w(0)/η in place of w(0): divide, do not multiply.
    γ is not normalised
        m.min() / length -> m.min()
        γ is the smallest s·g under w*/‖w*‖: divide it by the length, like a.
    R is not squared
        R**2 -> R
        The upper bound is b + tη²R², with the squared length of the longest example.
    γ is not squared
        4 * (eta * gamma) ** 2 -> 4 * eta**2 * gamma ; (2 * (eta * gamma) ** 2) -> (2 * eta**2 *
            gamma)
        (a + tηγ)² has the term t²η²γ².
    The label is missing
        s * (A @ w_star) -> A @ w_star
        The signed score of an example is s·g(x).
    The bias is missing
        A @ w_star -> X @ w_star[1:]
        a = w_star @ w_init / length -> a = w_star[1:] @ w_init[1:] / length
        b = w_init @ w_init -> b = w_init[1:] @ w_init[1:]
        a = w_star @ w_init / length -> a = w_star[1:] @ w_init[1:] / length ; b = w_init @ w_init
            -> b = w_init[1:] @ w_init[1:]
        w* and w(0) are augmented vectors: their first entries count in every product.
    The square of a is missing
        (b - a**2) -> b
        (a + tηγ)² also has the term a².
    The formula for the roots
        4 * (eta * gamma) -> (eta * gamma)
        4 * (eta * gamma) ** 2 * -> 4 *
        (h + root) -> (-h + root)
        The roots of pt² + qt + r are (−q ± √(q² − 4pr))/(2p).
    Division, then product
        / (2 * (eta * gamma) ** 2) -> / 2 * (eta * gamma) ** 2
        In Python `x / 2 * p` is (x/2)·p: put brackets round `2 * p`.
    A length where a vector is meant
        a = w_star -> w_init = w_init / max(np.linalg.norm(w_init), 1e-300); a = w_star
        a = w_star @ w_init / length -> a = w_star @ w_init / length / max(np.linalg.norm(w_init),
            1e-300)
        w(0) keeps its length: a = w*·w(0) and b = ‖w(0)‖² are taken from it as it is.
    A distance for a length
        b = w_init @ w_init -> b = (w_init - w_star) @ (w_init - w_star)
        b is the squared length of w(0), not of w(0) − w*.
            """),
        valid=_claims.separates_and_starts,
    ),
)


# Data that reach the bound, and a question ---------------------------------------------------
TIGHT_DATA = exercise(
    """
    perceptron_convergence.tight_data: Data that make the bound nearly tight [14 minutes] [Both
            together]
        The proof loses nothing when every update is made with w·x close to 0 and every example has
            the same length and the same s·g under w*. Which directions have scalar product 0?
        Take d examples c·e_1, …, c·e_d along the axes, with alternating signs. Each is new to w, so
            each causes an update. Which w* gives all of them the same s·g, and how does the
            bound depend on c?
        `np.eye(d)` has the unit vectors as its rows. Print the number of updates and the bound for
            `c * np.eye(4)` first, with c = 1 and c = 5; then choose d.
    Remark
        So the bound cannot be improved in general: for orthogonal examples the perceptron learns
        one example at a time.
    """,
    Values(
        ("X_tight", "s_tight", "w_tight"),
        (
            Property("w_tight separates the data", 1.0, _claims.separates),
            Property("the run makes ten updates or more", 1.0, _claims.many_updates),
            Property("the updates reach half the bound", 2.0, _claims.nearly_tight),
        ),
        (
            Result("X_tight", ("N", "d")),
            Result("s_tight", ("N",), "sign"),
            Result("w_tight", ("d+1",)),
        ),
        slips("""
    w* points the other way
        when _claims.turned_round
        `-w_tight` separates: change all its signs.
    The bias stands last
        when _claims.bias_last
        `w_tight` separates once its last entry is moved to the front: the bias comes first.
    w* does not separate
        when _claims.not_separating
        Without a separating w* there is no bound: s·(w0 + w·x) must be above 0 in every row.
    Too few updates
        when _claims.too_few_updates
        With few updates it is easy to come near the bound. Add examples that need their own
        updates.
    Too slow
        when _claims.too_slow
        The run goes on for more than a thousand updates, and the bound is larger still. Move the
        examples nearer to the origin, or the classes further apart.
    The examples repair each other
        when _claims.far_from_tight
        There are enough updates, but the bound is much larger: the examples are far from orthogonal
        or differ in length, or `w_tight` has a smaller γ than it could have.
            """),
        picture=_claims.between_bounds,
    ),
    another="X_tight, s_tight, w_tight = 3 * np.eye(12), [-1, 1] * 6, [0] + [-1, 1] * 6",
)

RATE_QUIZ = exercise(
    r"""
    perceptron_convergence.rate_quiz: What the theorem says: two flaws [4 minutes] [What the theorem
            does not say]
        Which numbers of the data are in the bound, and over which examples are they taken?
        $\cos\angle(w^*,w^{(t)})\ge\sqrt{t}\,\gamma/R$ bounds the cosine from below. Can a number
            fall while a bound below it rises?
        Put a new example close to the line; then work out `(s * (A @ w_star)).min()` once more.
    """,
    Prediction(
        ("flawed", "because"),
        choices("""
    a. From w = 0 there are at most R²/γ² updates, in whatever order the examples come.
        This is the theorem.
    b. That counts updates. The passes can be one more.
        Every pass but the last makes an update: at most R²/γ² + 1 passes.
    c. N is not in the bound: ten times as many examples of the same kind leave it as it is. [right]
        The letter N is not in it. From which examples are γ and R taken?
    d. √t·γ/R grows with every update, so with every update the weights come nearer to w*. [right]
        The errata of the lecture notes have it too: E0-13.
    e. From w = 0, ten times the learning rate makes all weights ten times as long, nothing else.
        No sign of a score changes.
            """),
        choices("""
    a. γ is the smallest signed score of all examples, R their largest length [right]
        One new example near the line, or far out, is enough.
    b. a number can fall towards a lower bound that rises [right]
        And the run stops at some separating line, perhaps nearly at a right angle to w*.
    c. in another order, other examples count
        In another order other updates are made. The bound is the same.
    d. with longer steps fewer are needed
        Everything else is longer too, and η cancels.
            """),
    ),
    version=2,
)

EXERCISES = (UPPER_BOUND, BOUND, CLAIMED_TRACE, DUAL, TIGHT_DATA, NONZERO_START, RATE_QUIZ)
