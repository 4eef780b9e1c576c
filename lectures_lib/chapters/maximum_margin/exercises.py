"""The exercises of this chapter: audits, biases, the dual by hand, descent, and wide streets."""

from __future__ import annotations

import warnings
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
from lectures_lib.margin import HardMarginSVM, InseparableError, margin
from lectures_lib.perceptron import Perceptron

# An audit -------------------------------------------------------------------------------------


def audit(X: Array, s: Array, w: Array, alpha: Array) -> Any:
    products = s * (w[0] + X @ w[1:])
    gap = 0.5 * w[1:] @ w[1:] - (alpha.sum() - 0.5 * np.sum(((alpha * s) @ X) ** 2))
    balance = alpha @ s
    return products.min(), balance, gap


def _proposal(rng: Rng) -> tuple[Any, ...]:
    n, d = int(rng.integers(4, 8)), int(rng.integers(3, 6))
    s = np.where(np.arange(n) % 2 == 0, 1, -1)
    return rng.normal(size=(n, d)), s, rng.normal(size=d + 1), rng.uniform(0, 2, n)


THREE_POINTS = (np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]), np.array([-1, 1, 1]))

AUDIT = exercise(
    """
    maximum_margin.audit: An audit of a proposed solution [10 minutes] [The check]
        Three numbers say whether the proposal is allowed and whether it is the best: one for the
            constraints, one for the equation of the multipliers, one for the two values.
        Smallest s·g(x); Σ α s; and ½‖w‖² − (Σ α − ½‖Σ α s x‖²), where w leaves out the bias.
        `v = (alpha * s) @ X` is Σ α s x, and the dual value is `alpha.sum() - 0.5 * v @ v`.
    Remark
        Smallest product 1, balance 0, gap 0: then nobody has to trust the solver.
    """,
    Function(
        audit,
        (
            Result("smallest", points=1),
            Result("balance", points=1),
            Result("gap", points=3, absolute=1e-9),
        ),
        (
            Case("the solution of the chapter", (*THREE_POINTS, [-1.0, 1.0, 1.0], [1.0, 0.5, 0.5])),
            Case("a narrower street", (*THREE_POINTS, [-2.0, 2.0, 1.5], [1.0, 0.5, 0.5])),
            Case("multipliers out of balance", (*THREE_POINTS, [-1.0, 1.0, 1.0], [0.5, 0.5, 0.5])),
            Case("too near, multiplier 0", (*THREE_POINTS, [-1.0, 0.5, 1.0], [0.5, 0.0, 0.5])),
        ),
        _proposal,
        slips("""
    The signs are missing in the product
        s * (w[0] -> (w[0]
        The constraint is s·g ≥ 1: for a negative example g has to be −1 or less.
    The bias is missing
        (w[0] + X -> (X
        g(x) = w0 + w·x.
    The bias is in the length
        w[1:] @ w[1:] -> w @ w
        ‖w‖² leaves out w0: the bias is not penalised.
    The ½ is missing
        0.5 * w[1:] @ -> w[1:] @
        The objective is ½‖w‖². Without the ½ the gap is not 0 at the optimum.
    The ½ is missing in the dual
        - 0.5 * np.sum -> - np.sum
        The dual value is Σ α − ½‖Σ α s x‖².
    The signs are missing in the dual
        (alpha * s) @ X -> alpha @ X
        The vector is Σ αᵢ sᵢ xᵢ, with the sign of each example.
    The proposed w in the dual
        np.sum(((alpha * s) @ X) ** 2) -> w[1:] @ w[1:]
        The dual knows the multipliers only: ½‖Σ α s x‖², whatever w was proposed.
    The dual is added up
        alpha.sum() - 0.5 -> alpha.sum() + 0.5
        The dual value is Σ α minus ½‖Σ α s x‖².
    A distance instead of the product
        products.min() -> products.min() / np.linalg.norm(w[1:])
        The constraint is s·g ≥ 1, not divided by ‖w‖.
    The gap has the other sign
        balance, gap -> balance, -gap
        Gap = primal value − dual value: never negative for allowed weights and multipliers.
    The multipliers alone
        alpha @ s -> alpha.sum()
        The balance is Σ α s; Σ α is the first term of the dual.
            """),
    ),
)


# The bias -------------------------------------------------------------------------------------


def bias_of(X: Array, s: Array, alpha: Array, C: float) -> Any:
    w = (alpha * s) @ X
    free = (alpha > 1e-9 * C) & (alpha < (1 - 1e-9) * C)
    return np.mean(s[free] - X[free] @ w)


def _multipliers(rng: Rng) -> tuple[Any, ...]:
    n, d, C = int(rng.integers(5, 9)), int(rng.integers(3, 5)), float(rng.choice([0.5, 2.0, 10.0]))
    alpha = C * rng.choice([0.0, 1.0, 0.3, 0.6], n)
    alpha[rng.integers(n)] = 0.4 * C
    return rng.normal(size=(n, d)), rng.choice([-1, 1], n), alpha, C


BIAS = exercise(
    """
    maximum_margin.bias: The bias from the support vectors [9 minutes] [What holds the street]
        A point with the multiplier C may lie anywhere on the wrong side of its kerb. Which points
            lie exactly on a kerb?
        0 < α < C: there s(w·x + w0) = 1, so w0 = s − w·x. Average over all of them.
        `free = (alpha > 0) & (alpha < C)`; leave room for rounding at both ends.
    Remark
        In exact arithmetic one free support vector is enough; the mean evens out rounding.
    """,
    Function(
        bias_of,
        (Result("w0", points=4),),
        (
            Case("the three points", (*THREE_POINTS, [1.0, 0.5, 0.5], 10.0)),
            Case("one of them is at the limit", (*THREE_POINTS, [0.8, 0.4, 0.4], 0.8)),
            Case(
                "one point is no support vector",
                ([[1.0], [3.0], [6.0]], [-1, 1, 1], [0.5, 0.5, 0.0], 4.0),
            ),
            Case(
                "multipliers with rounding: the last three are at 0, at C and at C",
                (
                    [[0.1], [0.3], [0.6], [0.25], [0.15]],
                    [-1, 1, 1, 1, -1],
                    [25.0, 25.0, 1e-8, 50.0 - 1e-8, 50.0],
                    50.0,
                ),
            ),
        ),
        _multipliers,
        slips("""
    Rounding is taken for a multiplier
        (alpha > 1e-9 * C) & (alpha < (1 - 1e-9) * C) -> (alpha > 0) & (alpha < C)
        What a solver leaves at 0 or at C may be off by rounding: compare with 10⁻⁹ C and (1 − 10⁻⁹)
        C.
    All examples
        (alpha > 1e-9 * C) & (alpha < (1 - 1e-9) * C) -> alpha >= 0
        Only a point with 0 < α < C is sure to lie on a kerb. Others lie beyond it, or have slack.
    Points at the limit are used
        & (alpha < (1 - 1e-9) * C) ->
        At a multiplier of C the point may have slack: s·g = 1 − ξ, and ξ is unknown.
    Points without a multiplier are used
        (alpha > 1e-9 * C) & ->
        A point with α = 0 may lie far beyond its kerb. Free support vectors have 0 < α < C.
    w from the free ones only
        w = (alpha * s) @ X -> w = (alpha * (alpha < (1 - 1e-9) * C) * s) @ X
        All multipliers enter w, those at the limit C too; only the mean is over the free ones.
    One of them
        np.mean(s[free] - X[free] @ w) -> (s[free] - X[free] @ w)[0]
        Average over all free support vectors; this is the w0 of the first.
    The sum instead of the mean
        np.mean( -> np.sum(
        Each free support vector gives a w0: average them, do not add.
    The signs are missing in w
        (alpha * s) @ X -> alpha @ X
        w = Σ αᵢ sᵢ xᵢ.
    The other sign
        s[free] - X[free] @ w -> X[free] @ w - s[free]
        s(w·x + w0) = 1 gives w0 = s − w·x.
    1 instead of s
        s[free] - -> 1 -
        On the kerb of class 1 g is 1, on the other one −1: g = s.
    As for the perceptron [E1-08]
        np.mean(s[free] - X[free] @ w) -> alpha @ s
        Σ α s is 0 at the optimum; the bias comes from the kerbs.
            """),
        valid=lambda X, s, alpha, C: bool(
            C > 0.1
            and np.all((alpha >= 0) & (alpha <= C))
            and np.any((alpha > 0.05 * C) & (alpha < 0.95 * C))
            and set(np.unique(s)) <= {-1, 1}
        ),
    ),
)


# The dual, with SymPy -------------------------------------------------------------------------


def dual(a: float, b: float) -> Any:
    v = -(a + b) * 1 + a * 4 + b * 6
    return 2 * (a + b) - v**2 / 2


DUAL = exercise(
    """
    maximum_margin.dual: A dual by hand, with SymPy [9 minutes] [Three points by hand]
        Write w = Σ α s x first. The multiplier of the negative point follows from Σ α s = 0.
        The multiplier of the point 1 is a + b. So w has the three terms −(a + b)·1, a·4 and b·6,
            and the dual is the sum of all three multipliers minus ½ w².
        `w = -(a + b) * 1 + 4 * a + 6 * b`; how many multipliers does the sum have?
    Remark
        Its maximum under a, b ≥ 0 is 2/9, at a = 2/9 and b = 0: the point 6 is no support vector,
        and w = 2/3.
    """,
    Expression(
        dual,
        (
            Case("a = 1, b = 0", (1.0, 0.0)),
            Case("a = 0, b = 1", (0.0, 1.0)),
            Case("a = 2, b = 1", (2.0, 1.0)),
        ),
        lambda rng: tuple(rng.uniform(-2, 3, 2)),
        points=4,
        slips=slips("""
    The ½ is missing
        v**2 / 2 -> v**2
        The dual is Σ α − ½‖w‖².
    The third multiplier is missing
        2 * (a + b) - -> (a + b) -
        Σ α has three terms; that of the negative point is a + b.
    The signs are missing
        -(a + b) * 1 -> (a + b) * 1
        The negative point enters w with the sign −1.
    The negative point is left out
        -(a + b) * 1 + a * 4 -> a * 4
        w = Σ α s x has three terms.
    The squares one by one
        v**2 / 2 -> ((a + b) ** 2 + 16 * a**2 + 36 * b**2) / 2
        First add the three vectors, then square the sum.
    Plus instead of minus
        2 * (a + b) - v -> 2 * (a + b) + v
        ½‖w‖² is subtracted: with a plus the dual has no maximum.
            """),
    ),
)


# The dual of any two points --------------------------------------------------------------------

BETWEEN = exercise(
    """
    maximum_margin.between: The widest street between two points [8 minutes] [Three points by hand]
        Add the two a's, and take a out of the square: a parabola in a that opens downwards.
        With D = q − p, complete the square: the parabola 2a − D²a²/2 is its highest value minus
            half a square. That square is 0 where a is best, at a = 2/D².
        The square is `(a*(q - p) - 2/(q - p))**2`. What stands before it?
    Remark
        At the best a the dual value equals ½ w², so w = 2/(q − p), and the street 2/w is as wide as
        the two points are apart. It could not be wider.
    """,
    Proof(
        "ceiling",
        "a + a - (a*q - a*p)**2/2",
        steps("""
    the terms collected [1 point]
        2*a - a**2*(q - p)**2/2
        without a*q - a*p
    the square completed [1 point]
        2/(q - p)**2 - (a*(q - p) - 2/(q - p))**2/2
        with (a*(q - p) - 2/(q - p))**2
        with (a - 2/(q - p)**2)**2
        with (a*(q - p)**2 - 2)**2
    the goal [2 points]
        2/(q - p)**2
        """),
        symbols={"a p q": "real"},
        given=("q > p",),
        asked="<=",
        slips=slips("""
    The multiplier is not squared
        a**2*(q - p)**2 -> a*(q - p)**2
        a is taken out of a square: (a q − a p)² = a²(q − p)².
    The sum of the places
        a**2*(q - p)**2 -> a**2*(q + p)**2
        The negative point enters w with a minus: w = a(q − p).
    One multiplier only
        2*a - a**2 -> a - a**2
        Both points have the multiplier a: together 2a.
    The ½ is lost
        (q - p)**2/2 -> (q - p)**2
        The dual subtracts half of the square.
    Another square
        - 2/(q - p))**2 -> - 1/(q - p))**2 || + 2/(q - p))**2
        Multiply the square out again: its mixed term has to give 2a.
            """),
    ),
)


# Descent --------------------------------------------------------------------------------------


def descend(X: Array, s: Array, C: float, eta: float, steps: int) -> Any:
    w, best = np.zeros(X.shape[1] + 1), np.inf
    for t in range(1, steps + 1):
        products = s * (w[0] + X @ w[1:])
        J = 0.5 * w[1:] @ w[1:] + C * np.maximum(0, 1 - products).sum()
        best = min(best, J)
        late = s * (products < 1)
        slope = np.array([-C * late.sum(), *(w[1:] - C * late @ X)])
        w = w - eta / t * slope
    return w, best


def _descent(rng: Rng) -> tuple[Any, ...]:
    n, d = int(rng.integers(4, 8)), int(rng.integers(3, 5))
    s = np.where(np.arange(n) % 2 == 0, 1, -1)
    X = rng.normal(size=(n, d)) + 0.5 * s[:, None]
    return (
        X,
        s,
        float(rng.choice([0.3, 1.0, 4.0])),
        float(rng.choice([0.05, 0.2])),
        int(rng.integers(3, 9)),
    )


DESCENT = exercise(
    """
    maximum_margin.descend: The soft margin by subgradient steps [13 minutes] [When no line
            separates: pay for it]
        Two parts, two slopes: ½‖w‖² pulls w to 0, and every point with s·g < 1 pulls with C s x.
        Where s·g < 1: slope in w is w − C Σ s x over these points, slope in w0 is −C Σ s. Step
            number t has the size η/t.
        `late = s * (s * g < 1)`, then `w[1:] - C * late @ X` and `-C * late.sum()`.
    Remark
        Compare `best` with SoftMarginSVM(C=C).fit(X, s).objective_: a thousand steps come near it,
        and slowly. The chapter's solver, which moves two multipliers at a time, ends at it.
    """,
    Function(
        descend,
        (Result("w", ("d+1",), points=4), Result("best", points=2)),
        (
            Case("one step", ([[1.0], [3.0]], [-1, 1], 1.0, 0.5, 1)),
            Case("two steps", ([[1.0], [3.0]], [-1, 1], 1.0, 0.5, 2)),
            Case(
                "both points exactly on their kerbs after one step",
                ([[-1.0], [1.0]], [-1, 1], 1.0, 0.5, 2),
            ),
            Case("in the plane, C = 2", ([[0.0, 1], [2, 0], [1, 3]], [-1, 1, 1], 2.0, 0.1, 6)),
        ),
        _descent,
        slips("""
    The bias is penalised
        [-C * late.sum(), -> [w[0] - C * late.sum(),
        w[1:] @ w[1:] + C -> w @ w + C
        [-C * late.sum(), -> [w[0] - C * late.sum(), ; w[1:] @ w[1:] + C -> w @ w + C
        w0 is not in ½‖w‖²: its slope is −C Σ s alone.
    Every example pulls
        s * (products < 1) -> s * 1.0
        Only points with s·g < 1 have a slack; that of the others is 0, and so is its slope.
    The kerb pulls too
        products < 1 -> products <= 1
        A point with s·g = 1 exactly has the slope 0 here.
    The bias stands still
        -C * late.sum(), -> 0.0 * C,
        w0 is not penalised, but it moves: its slope is −C Σ s.
    Only mistakes pull
        products < 1 -> products <= 0 || products < 0
        products < 1 -> products <= 0 ; 1 - products) -> (1 - products) * (products <= 0))
        The slack begins inside the street, wherever s·g < 1, and not only at mistakes.
    The signs are missing
        late = s * (products < 1) -> late = 1.0 * (products < 1)
        The slope of the slack of a point is −s x, with its sign.
    Uphill
        w - eta / t -> w + eta / t
        A step goes against the slope: w − η/t · slope.
    The step does not shrink
        eta / t -> eta
        Step number t has the size η/t; with η alone w may jump about for ever.
    The pull to 0 is missing
        *(w[1:] - C * late @ X) -> *(-C * late @ X)
        ½‖w‖² has the slope w.
    C is not used
        C * late @ X -> late @ X
        -C * late.sum() -> -late.sum() ; C * late @ X -> late @ X
        C * np.maximum -> np.maximum
        The slack costs C per unit.
    The mean instead of the sum
        1 - products).sum() -> 1 - products).mean()
        late.sum() -> late.mean() ; C * late @ X -> C * late @ X / len(s)
        1 - products).sum() -> 1 - products).mean() ; late.sum() -> late.mean() ; C * late @ X -> C
            * late @ X / len(s)
        The objective has the sum of the slacks, not their mean.
    The last objective
        best = min(best, J) -> best = J
        `best` is the smallest value met, not the last one.
            """),
        valid=lambda X, s, C, eta, steps: bool(
            C > 0.1
            and eta > 0.01
            and 1 <= steps <= 9
            and set(np.unique(s)) <= {-1, 1}
            and np.abs(X).max() < 10
        ),
    ),
)


# Predict and build ----------------------------------------------------------------------------

DOUBLED = exercise(
    """
    maximum_margin.doubled: What copies and support vectors say: two flaws [6 minutes] [What goes
            wrong]
        For each sentence ask what is made small, which constraints are there, and on which
            examples something is counted.
        With every example twice the slacks cost C·(ξ₁ + ξ₁ + ξ₂ + ξ₂ + …). And from which set are
            the examples that are left out?
        Take a common factor out of C·(ξ₁ + ξ₁ + …). Which problem is left?
    Remark
        So a C that was chosen on 100 examples means something else on 1,000. Some books divide C by
        N for this reason.
    """,
    Prediction(
        ("flawed", "because"),
        choices("""
    a. On data that overlap, the sum of the slacks is at least the number of training mistakes.
        A mistake has a slack of 1 or more.
    b. An example beyond its kerb has slack 0 and multiplier 0; without it the street is the same.
        Its constraint holds with room to spare.
    c. A copy of an example says nothing new. So with every example twice, and the same C, data that
            overlap keep their street. [right]
        It says nothing new about which lines separate. Here none does, and something is paid.
    d. With every example twice, separable data keep the street of the hard margin.
        The constraints are the same ones.
    e. A hard margin with 20 support vectors among 200 examples makes at most 20 mistakes if each
            example is left out once.
        Only a support vector can be wrong when it is left out.
    f. So of the next 200 examples at most 20 will be wrong. [right]
        The sentence before speaks of examples that were in the training set.
            """),
        choices("""
    a. with twice as many support vectors w is twice as long
        w = Σ α s x: the two copies may share the multiplier of one.
    b. each slack is paid for twice, as if C were doubled [right]
        ½‖w‖² + 2C Σξ: slack costs more now, and the street is narrower, or as wide as before.
    c. a point on a kerb is always wrong when it is left out
        It may be wrong. Of the 20 pictures in the chapter none was.
    d. the 20 bound what happens with these 200; the next 200 can have more mistakes [right]
        The share of mistakes with one left out estimates theirs, and a new draw can be worse.
    e. on the right side of the line no slack is paid
        Inside the street it is: at s·g = 0.4 the slack is 0.6.
            """),
        points=3.0,
    ),
    version=2,
)


def _trouble(X: Array, s: Array) -> str:
    """What keeps the data from being a case at all."""
    if len(X) != len(s) or not 4 <= len(X) <= 12:
        return f"found {len(X)} points and {len(s)} signs; expected equally many, 4 to 12."
    if set(np.unique(s)) != {-1, 1}:
        return "both signs, −1 and +1, are needed."
    return ""


def _widest(X: Array, s: Array) -> float | None:
    """Half the width of the widest street, or None where there is none."""
    try:
        model = HardMarginSVM().fit(X, s)
    except InseparableError:
        return None
    return margin(X, s, np.r_[model.intercept_, model.coef_[0]])


def _share(X: Array, s: Array) -> float | None:
    """The perceptron's margin as a share of the widest; None where one of them does not exist."""
    widest = _widest(X, s)
    if widest is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = Perceptron(max_iter=5_000).fit(X, s)
    w = np.r_[model.intercept_, model.coef_[0]]
    return margin(X, s, w) / widest if model.converged_ and w[1:].any() else None


def _separable(X: Array, s: Array) -> str:
    return _trouble(X, s) or ("" if _widest(X, s) is not None else "no line separates them.")


def _poor_perceptron(X: Array, s: Array) -> str:
    if _trouble(X, s):
        return _trouble(X, s)
    share = _share(X, s)
    if share is None:
        return "the perceptron found no line in 5,000 passes."
    return "" if share < 0.2 else f"its nearest point has {share:.0%} of the widest distance."


def _narrow_picture(X: Array, s: Array) -> Any:
    """The data, the perceptron's line, and the widest street's beside it."""
    from lectures_lib.figures.answers import two_lines

    if _trouble(X, s) or _share(X, s) is None:
        return None
    perceptron, widest = Perceptron(max_iter=5_000).fit(X, s), HardMarginSVM().fit(X, s)
    first, second = (np.r_[model.intercept_, model.coef_[0]] for model in (perceptron, widest))
    return two_lines(X, s, first, second, names=("the perceptron", "the widest street"))


NARROW = exercise(
    """
    maximum_margin.narrow: A perceptron that only just makes it [9 minutes] [The widest street]
        The perceptron stops at the first line without a mistake. Let it stop early.
        One or two updates are enough if the line then passes close to a point that is only just
            right. From w = 0 the first update makes w = s·(1, x) of the first example.
        With one positive example (2, 0) first, the line is 1 + 2 x1 = 0. Where is a negative
            example only just right? And where do the others leave room for a wide street?
    Remark
        Both lines separate. The perceptron was asked for a line without mistakes, and found one.
    """,
    Values(
        ("X_narrow", "s_narrow"),
        (
            Property("a line separates the classes", 1.0, _separable, "separable data"),
            Property(
                "the perceptron is poor",
                3.0,
                _poor_perceptron,
                "a distance below a fifth of the widest possible",
            ),
        ),
        (Result("X_narrow", ("N", "2")), Result("s_narrow", ("N",), "sign")),
        slips(
            """
    No line separates
        when no_line
        For these data neither the perceptron nor the hard margin has a solution.
    The perceptron does too well
        when perceptron_does
        Its line keeps a good distance. Move one point close to the final line.
    One class only
        when class_only
        Both signs are needed, −1 and +1.
    Too few or too many
        when too_few
        Give 4 to 12 points.
                """,
            no_line=lambda X, s: not _trouble(X, s) and _widest(X, s) is None,
            perceptron_does=lambda X, s: not _trouble(X, s) and (_share(X, s) or 0) >= 0.2,
            class_only=lambda X, s: len(np.unique(s)) == 1,
            too_few=lambda X, s: len(X) == len(s) and not 4 <= len(X) <= 12,
        ),
        picture=_narrow_picture,
    ),
    another="X_narrow, s_narrow = [[2, 0], [-0.6, 0], [3, 0], [-5, 0]], [1, -1, 1, -1]",
)

EXERCISES = (AUDIT, BIAS, DUAL, BETWEEN, DESCENT, DOUBLED, NARROW)
