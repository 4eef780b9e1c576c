"""The exercises of this chapter: audits, biases, the dual by hand, descent, and wide streets."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from lectures_lib.checks.author import (
    Array,
    Case,
    Choice,
    Exercise,
    Expression,
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
from lectures_lib.margin import HardMarginSVM, InseparableError, margin
from lectures_lib.perceptron import Perceptron

STREET, HOLDS, PAY = (
    "The widest street",
    "What holds the street",
    "When no line separates: pay for it",
)
THREE, CHECK, WRONG_WAYS = "Three points by hand", "The check", "What goes wrong"


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

AUDIT = Exercise(
    id="maximum_margin.audit",
    title="An audit of a proposed solution",
    minutes=10,
    section=CHECK,
    hints=(
        "Three numbers say whether the proposal is allowed and whether it is the best: one for the "
        "constraints, one for the equation of the multipliers, one for the two values.",
        "Smallest s·g(x); Σ α s; and ½‖w‖² − (Σ α − ½‖Σ α s x‖²), where w leaves out the bias.",
        "`v = (alpha * s) @ X` is Σ α s x, and the dual value is `alpha.sum() - 0.5 * v @ v`.",
    ),
    remark="Smallest product 1, balance 0, gap 0: then nobody has to trust the solver.",
    parts=(
        Function(
            audit,
            (
                Result("smallest", points=1),
                Result("balance", points=1),
                Result("gap", points=3, absolute=1e-9),
            ),
            (
                Case(
                    "the solution of the chapter",
                    (*THREE_POINTS, np.array([-1.0, 1.0, 1.0]), np.array([1.0, 0.5, 0.5])),
                ),
                Case(
                    "a narrower street",
                    (*THREE_POINTS, np.array([-2.0, 2.0, 1.5]), np.array([1.0, 0.5, 0.5])),
                ),
                Case(
                    "multipliers out of balance",
                    (*THREE_POINTS, np.array([-1.0, 1.0, 1.0]), np.array([0.5, 0.5, 0.5])),
                ),
            ),
            _proposal,
            (
                Slip(
                    "The signs are missing in the product",
                    "The constraint is s·g ≥ 1: for a negative example g has to be −1 or less.",
                    "s * (w[0] -> (w[0]",
                ),
                Slip("The bias is missing", "g(x) = w0 + w·x.", "(w[0] + X -> (X"),
                Slip(
                    "The bias is in the length",
                    "‖w‖² leaves out w0: the bias is not penalised.",
                    "w[1:] @ w[1:] -> w @ w",
                ),
                Slip(
                    "The ½ is missing",
                    "The objective is ½‖w‖². Without the ½ the gap is not 0 at the optimum.",
                    "0.5 * w[1:] @ -> w[1:] @",
                ),
                Slip(
                    "The ½ is missing in the dual",
                    "The dual value is Σ α − ½‖Σ α s x‖².",
                    "- 0.5 * np.sum -> - np.sum",
                ),
                Slip(
                    "The signs are missing in the dual",
                    "The vector is Σ αᵢ sᵢ xᵢ, with the sign of each example.",
                    "(alpha * s) @ X -> alpha @ X",
                ),
                Slip(
                    "The proposed w in the dual",
                    "The dual knows the multipliers only: ½‖Σ α s x‖², whatever w was proposed.",
                    "np.sum(((alpha * s) @ X) ** 2) -> w[1:] @ w[1:]",
                ),
                Slip(
                    "The dual is added up",
                    "The dual value is Σ α minus ½‖Σ α s x‖².",
                    "alpha.sum() - 0.5 -> alpha.sum() + 0.5",
                ),
                Slip(
                    "A distance instead of the product",
                    "The constraint is s·g ≥ 1, not divided by ‖w‖.",
                    "products.min() -> products.min() / np.linalg.norm(w[1:])",
                ),
                Slip(
                    "The gap has the other sign",
                    "Gap = primal value − dual value; for allowed multipliers it is never "
                    "negative.",
                    "balance, gap -> balance, -gap",
                ),
                Slip(
                    "The multipliers alone",
                    "The balance is Σ α s; Σ α is the first term of the dual.",
                    "alpha @ s -> alpha.sum()",
                ),
            ),
        ),
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


BIAS = Exercise(
    id="maximum_margin.bias",
    title="The bias from the support vectors",
    minutes=9,
    section=HOLDS,
    hints=(
        "A multiplier of C belongs to a point with slack: it lies somewhere inside the street, and "
        "nobody knows how deep. Which points lie exactly on a kerb?",
        "0 < α < C: there s(w·x + w0) = 1, so w0 = s − w·x. Average over all of them.",
        "`free = (alpha > 0) & (alpha < C)`; keep clear of rounding at both ends.",
    ),
    remark="In exact arithmetic one free support vector is enough; the mean evens out rounding.",
    parts=(
        Function(
            bias_of,
            (Result("w0", points=4),),
            (
                Case("the three points", (*THREE_POINTS, np.array([1.0, 0.5, 0.5]), 10.0)),
                Case(
                    "one of them is at the limit",
                    (*THREE_POINTS, np.array([0.8, 0.4, 0.4]), 0.8),
                ),
                Case(
                    "one point is no support vector",
                    (
                        np.array([[1.0], [3.0], [6.0]]),
                        np.array([-1, 1, 1]),
                        np.array([0.5, 0.5, 0.0]),
                        4.0,
                    ),
                ),
                Case(
                    "multipliers with rounding: the last three are at 0, at C and at C",
                    (
                        np.array([[1.0], [3.0], [6.0], [2.5], [1.5]]),
                        np.array([-1, 1, 1, 1, -1]),
                        np.array([0.25, 0.25, 1e-12, 0.5 - 1e-12, 0.5]),
                        0.5,
                    ),
                ),
            ),
            _multipliers,
            (
                Slip(
                    "Rounding is taken for a multiplier",
                    "What a solver leaves at 0 or at C may be off by rounding: compare with "
                    "10⁻⁹ C and (1 − 10⁻⁹) C.",
                    "(alpha > 1e-9 * C) & (alpha < (1 - 1e-9) * C) -> (alpha > 0) & (alpha < C)",
                ),
                Slip(
                    "All examples",
                    "A point without a multiplier lies beyond its kerb: s·g is more than 1 there.",
                    "(alpha > 1e-9 * C) & (alpha < (1 - 1e-9) * C) -> alpha >= 0",
                ),
                Slip(
                    "Points at the limit are used",
                    "A multiplier of C belongs to a point with slack: s·g = 1 − ξ, and ξ is "
                    "unknown.",
                    " & (alpha < (1 - 1e-9) * C) -> ",
                ),
                Slip(
                    "Points without a multiplier are used",
                    "α = 0 belongs to a point beyond its kerb. Free support vectors have 0 < α < "
                    "C.",
                    "(alpha > 1e-9 * C) & -> ",
                ),
                Slip(
                    "w from the free ones only",
                    "All multipliers enter w, those at the limit C too; only the mean is over the "
                    "free ones.",
                    "w = (alpha * s) @ X -> w = (alpha * (alpha < (1 - 1e-9) * C) * s) @ X",
                ),
                Slip(
                    "One of them",
                    "The mean over all free support vectors is asked for.",
                    "np.mean(s[free] - X[free] @ w) -> (s[free] - X[free] @ w)[0]",
                ),
                Slip(
                    "The sum instead of the mean",
                    "Each free support vector gives the same w0: average, do not add.",
                    "np.mean( -> np.sum(",
                ),
                Slip(
                    "The signs are missing in w",
                    "w = Σ αᵢ sᵢ xᵢ.",
                    "(alpha * s) @ X -> alpha @ X",
                ),
                Slip(
                    "The other sign",
                    "s(w·x + w0) = 1 gives w0 = s − w·x.",
                    "s[free] - X[free] @ w -> X[free] @ w - s[free]",
                ),
                Slip(
                    "1 instead of s",
                    "On the kerb of class 1 g is 1, on the other one −1: g = s.",
                    "s[free] - -> 1 -",
                ),
                Slip(
                    "As for the perceptron",
                    "Σ α s is 0 at the optimum; the bias comes from the kerbs.",
                    "np.mean(s[free] - X[free] @ w) -> alpha @ s",
                    erratum="E1-08",
                ),
            ),
            valid=lambda X, s, alpha, C: bool(
                C > 0.1
                and np.all((alpha >= 0) & (alpha <= C))
                and np.any((alpha > 0.05 * C) & (alpha < 0.95 * C))
                and set(np.unique(s)) <= {-1, 1}
            ),
        ),
    ),
)


# The dual, with SymPy -------------------------------------------------------------------------


def dual(a: float, b: float) -> Any:
    v = -(a + b) * 1 + a * 4 + b * 6
    return 2 * (a + b) - v**2 / 2


DUAL = Exercise(
    id="maximum_margin.dual",
    title="A dual by hand, with SymPy",
    minutes=9,
    section=THREE,
    hints=(
        "Write w = Σ α s x first. The multiplier of the negative point follows from Σ α s = 0.",
        "The multiplier of the point 1 is a + b. So w has the three terms −(a + b)·1, a·4 and b·6, "
        "and the dual is the sum of all three multipliers minus ½ w².",
        "`w = -(a + b) * 1 + 4 * a + 6 * b`; how many multipliers does the sum have?",
    ),
    remark="Its maximum under a, b ≥ 0 is 2/9, at a = 2/9 and b = 0: the point 6 is no support "
    "vector, and w = 2/3.",
    parts=(
        Expression(
            dual,
            (
                Case("a = 1, b = 0", (1.0, 0.0)),
                Case("a = 0, b = 1", (0.0, 1.0)),
                Case("a = 2, b = 1", (2.0, 1.0)),
            ),
            lambda rng: tuple(rng.uniform(-2, 3, 2)),
            points=4,
            slips=(
                Slip(
                    "The ½ is missing",
                    "The dual is Σ α − ½‖w‖².",
                    "v**2 / 2 -> v**2",
                ),
                Slip(
                    "The third multiplier is missing",
                    "Σ α has three terms; that of the negative point is a + b.",
                    "2 * (a + b) - -> (a + b) -",
                ),
                Slip(
                    "The signs are missing",
                    "The negative point enters w with the sign −1.",
                    "-(a + b) * 1 -> (a + b) * 1",
                ),
                Slip(
                    "The negative point is left out",
                    "w = Σ α s x has three terms.",
                    "-(a + b) * 1 + a * 4 -> a * 4",
                ),
                Slip(
                    "The squares one by one",
                    "First add the three vectors, then square the sum.",
                    "v**2 / 2 -> ((a + b) ** 2 + 16 * a**2 + 36 * b**2) / 2",
                ),
                Slip(
                    "Plus instead of minus",
                    "½‖w‖² is subtracted: the dual is to be made large.",
                    "2 * (a + b) - v -> 2 * (a + b) + v",
                ),
            ),
        ),
    ),
)


# The dual of any two points --------------------------------------------------------------------

BETWEEN = Exercise(
    id="maximum_margin.between",
    title="The widest street between two points",
    minutes=8,
    section=THREE,
    hints=(
        "First make one term of the two a's, and one square of the bracket. What is left is a "
        "parabola in a that opens downwards.",
        "Complete the square: a parabola 2a − D²a²/2 is its highest value minus half a square. "
        "That square is 0 where a is best, at a = 2/D².",
        "The square is `(a*(q - p) - 2/(q - p))**2`. What stands before it?",
    ),
    remark="At the best a the dual value equals ½ w², so w = 2/(q − p), and the street 2/w is as "
    "wide as the two points are apart. It could not be wider.",
    parts=(
        Proof(
            "ceiling",
            "a + a - (a*q - a*p)**2/2",
            (
                Step("collected", "2*a - a**2*(q - p)**2/2", without=r"a \+ a|a\*[pq]"),
                Step(
                    "the square completed",
                    "2/(q - p)**2 - (a*(q - p) - 2/(q - p))**2/2",
                    without=r"^2\*a",
                ),
                Step("the goal", "2/(q - p)**2"),
            ),
            symbols={"a p q": "real"},
            given=("q > p",),
            slips=(
                Slip(
                    "The multiplier is not squared",
                    "a is taken out of a square: (a q − a p)² = a²(q − p)².",
                    "a**2*(q - p)**2 -> a*(q - p)**2",
                ),
                Slip(
                    "The sum of the places",
                    "The negative point enters w with a minus: w = a(q − p).",
                    "a**2*(q - p)**2 -> a**2*(q + p)**2",
                ),
                Slip(
                    "One multiplier only",
                    "Both points have the multiplier a: together 2a.",
                    "2*a - a**2 -> a - a**2",
                ),
                Slip(
                    "The ½ is lost",
                    "The dual subtracts half of the square.",
                    "(q - p)**2/2 -> (q - p)**2",
                ),
                Slip(
                    "Another square",
                    "Multiply the square out again: its mixed term has to give 2a.",
                    "- 2/(q - p))**2 -> - 1/(q - p))**2",
                    also=("- 2/(q - p))**2 -> + 2/(q - p))**2",),
                ),
            ),
        ),
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


DESCENT = Exercise(
    id="maximum_margin.descend",
    title="The soft margin by subgradient steps",
    minutes=13,
    section=PAY,
    hints=(
        "Two parts, two slopes: ½‖w‖² pulls w to 0, every point inside the street pulls with C s "
        "x.",
        "Where s·g < 1: slope in w is w − C Σ s x over these points, slope in w0 is −C Σ s. "
        "Step number t has the size η/t.",
        "`late = s * (s * g < 1)`, then `w[1:] - C * late @ X` and `-C * late.sum()`.",
    ),
    remark="Compare `best` with SoftMarginSVM(C=C).fit(X, s).objective_: a thousand steps come "
    "near it, and slowly. The pairwise solver of the chapter ends exactly.",
    parts=(
        Function(
            descend,
            (Result("w", ("d+1",), points=4), Result("best", points=2)),
            (
                Case("one step", (np.array([[1.0], [3.0]]), np.array([-1, 1]), 1.0, 0.5, 1)),
                Case("two steps", (np.array([[1.0], [3.0]]), np.array([-1, 1]), 1.0, 0.5, 2)),
                Case(
                    "both points exactly on their kerbs after one step",
                    (np.array([[-1.0], [1.0]]), np.array([-1, 1]), 1.0, 0.5, 2),
                ),
                Case(
                    "in the plane, C = 2",
                    (np.array([[0.0, 1], [2, 0], [1, 3]]), np.array([-1, 1, 1]), 2.0, 0.1, 6),
                ),
            ),
            _descent,
            (
                Slip(
                    "The bias is penalised",
                    "w0 is not in ½‖w‖²: its slope is −C Σ s alone.",
                    "[-C * late.sum(), -> [w[0] - C * late.sum(),",
                    also=("w[1:] @ w[1:] + C -> w @ w + C",),
                ),
                Slip(
                    "Every example pulls",
                    "Only points with s·g < 1 have a slack; the others have slope 0.",
                    "s * (products < 1) -> s * 1.0",
                ),
                Slip(
                    "The kerb pulls too",
                    "A point with s·g = 1 exactly has the slope 0 here.",
                    "products < 1 -> products <= 1",
                ),
                Slip(
                    "The bias stands still",
                    "w0 is not penalised, but it moves: its slope is −C Σ s.",
                    "-C * late.sum(), -> 0.0 * C,",
                ),
                Slip(
                    "Only mistakes pull",
                    "The slack begins inside the street: s·g < 1, not s·g < 0.",
                    "products < 1 -> products <= 0",
                    also=("products < 1 -> products < 0",),
                ),
                Slip(
                    "The signs are missing",
                    "The slope of the slack of a point is −s x, with its sign.",
                    "late = s * (products < 1) -> late = 1.0 * (products < 1)",
                ),
                Slip(
                    "Uphill",
                    "A step goes against the slope: w − η/t · slope.",
                    "w - eta / t -> w + eta / t",
                ),
                Slip(
                    "The step does not shrink",
                    "Step number t has the size η/t; with η alone w jumps about for ever.",
                    "eta / t -> eta",
                ),
                Slip(
                    "The pull to 0 is missing",
                    "½‖w‖² has the slope w.",
                    "*(w[1:] - C * late @ X) -> *(-C * late @ X)",
                ),
                Slip(
                    "C is not used",
                    "The slack costs C per unit.",
                    "C * late @ X -> late @ X",
                    also=(
                        ("-C * late.sum() -> -late.sum()", "C * late @ X -> late @ X"),
                        "C * np.maximum -> np.maximum",
                    ),
                ),
                Slip(
                    "The mean instead of the sum",
                    "The objective has the sum of the slacks, not their mean.",
                    "1 - products).sum() -> 1 - products).mean()",
                    also=(
                        ("late.sum() -> late.mean()", "C * late @ X -> C * late @ X / len(s)"),
                        (
                            "1 - products).sum() -> 1 - products).mean()",
                            "late.sum() -> late.mean()",
                            "C * late @ X -> C * late @ X / len(s)",
                        ),
                    ),
                ),
                Slip(
                    "The last objective",
                    "`best` is the smallest value met, not the last one.",
                    "best = min(best, J) -> best = J",
                ),
            ),
            valid=lambda X, s, C, eta, steps: bool(
                C > 0.1
                and eta > 0.01
                and 1 <= steps <= 9
                and set(np.unique(s)) <= {-1, 1}
                and np.abs(X).max() < 10
            ),
        ),
    ),
)


# Predict and build ----------------------------------------------------------------------------

DOUBLED = Exercise(
    id="maximum_margin.doubled",
    title="Every example twice",
    minutes=5,
    section=WRONG_WAYS,
    hints=(
        "Write down the objective with every example twice, and compare.",
        "Hard margin: which constraints are new? Soft margin: how often does each slack count now?",
        "Write out C·(ξ₁ + ξ₁ + ξ₂ + ξ₂ + …) and take out a number. Which problem is that?",
    ),
    remark="So a C that was chosen on 100 examples means something else on 1,000. Some books "
    "divide C by N for this reason.",
    parts=(
        Prediction(
            ("twice", "because"),
            (
                Choice(
                    "a",
                    "both machines stay as they are",
                    False,
                    "Count how often each slack is paid for now.",
                ),
                Choice(
                    "b",
                    "the hard margin stays, the soft margin changes",
                    True,
                    "The constraints are the same, the sum of the slacks is doubled.",
                ),
                Choice(
                    "c",
                    "both machines change",
                    False,
                    "A constraint that is written twice says nothing new.",
                ),
                Choice(
                    "d",
                    "the hard margin changes, the soft margin stays",
                    False,
                    "It is the other way round: look at the constraints and at the sum.",
                ),
            ),
            (
                Choice(
                    "a", "the street is twice as wide", False, "The points are where they were."
                ),
                Choice(
                    "b",
                    "the number of support vectors doubles, so w does",
                    False,
                    "w = Σ α s x: the multipliers of the two copies share what one had.",
                ),
                Choice(
                    "c",
                    "the slacks count twice, as if C were doubled",
                    True,
                    "2C Σξ; on separable data with a large C nothing happens either.",
                ),
                Choice(
                    "d",
                    "the classes are no longer separable",
                    False,
                    "Copies do not change which lines separate.",
                ),
            ),
            points=3.0,
        ),
    ),
)


def _trouble(X: Array, s: Array) -> str:
    """What keeps the data from being a case at all."""
    if len(X) != len(s) or not 4 <= len(X) <= 12:
        return f"found {len(X)} points and {len(s)} signs; expected as many, 4 to 12."
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


NARROW = Exercise(
    id="maximum_margin.narrow",
    title="A perceptron that only just makes it",
    minutes=9,
    section=STREET,
    hints=(
        "The perceptron stops at the first line without a mistake. Let it stop early.",
        "One or two updates are enough if the line then passes close to a point that is right by a "
        "hair. From w = 0 the first update makes w = s·(1, x) of the first example.",
        "With one positive example (2, 0) first, the line is 1 + 2 x1 = 0. Where is a negative "
        "example right by a hair? And where do the others leave room for a wide street?",
    ),
    remark="Both separate. The perceptron answers the question it was asked: a line without "
    "mistakes.",
    parts=(
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
            (
                Slip(
                    "No line separates",
                    "Neither machine has a solution for these data.",
                    recognise=lambda X, s: not _trouble(X, s) and _widest(X, s) is None,
                ),
                Slip(
                    "The perceptron does too well",
                    "Its line keeps a good distance. Move one point close to the final line.",
                    recognise=lambda X, s: not _trouble(X, s) and (_share(X, s) or 0) >= 0.2,
                ),
                Slip(
                    "One class only",
                    "Both signs are needed, −1 and +1.",
                    recognise=lambda X, s: len(np.unique(s)) == 1,
                ),
                Slip(
                    "Too few or too many",
                    "Between 4 and 12 points, please.",
                    recognise=lambda X, s: len(X) == len(s) and not 4 <= len(X) <= 12,
                ),
            ),
            picture=_narrow_picture,
        ),
    ),
)

EXERCISES = (AUDIT, BIAS, DUAL, BETWEEN, DESCENT, DOUBLED, NARROW)
