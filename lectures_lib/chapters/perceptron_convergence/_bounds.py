"""Chapter 05, the theorem: its upper bound, the bound, a claimed trace, a start, a question."""

from __future__ import annotations

from functools import partial

import numpy as np

from lectures_lib.chapters.perceptron_convergence import _claims as bounds
from lectures_lib.chapters.perceptron_convergence._claims import from_parts, larger_root
from lectures_lib.checks.exercise import Exercise, Section, Slip
from lectures_lib.checks.functions import Case, Function
from lectures_lib.checks.proof import Proof, Step
from lectures_lib.checks.quiz import Choice, Quiz
from lectures_lib.checks.results import Result

MARGIN = Section("perceptron_convergence", "What a margin is")
GROWTH = Section("perceptron_convergence", "Second inequality: the weights grow slowly")
TOGETHER = Section("perceptron_convergence", "Both together")
SILENT = Section("perceptron_convergence", "What the theorem does not say")
WRONG_WAYS = Section("perceptron_convergence", "What goes wrong")

LINE = (np.array([[-1.0], [1.0]]), np.array([-1, 1]))
THREE = (np.array([[-3.0], [1.0], [4.0]]), np.array([-1, 1, 1]))
PLANE = (
    np.array([[2.0, 1.0], [3.0, -1.0], [-1.0, 2.0], [-2.0, -2.0]]),
    np.array([1, 1, -1, -1]),
)

BOUND = Exercise(
    id="perceptron_convergence.bound",
    title="The bound R²/γ²",
    minutes=8,
    section=MARGIN,
    hints=(
        "The bound compares the longest example with γ, the margin of the data. Both are measured "
        "in the augmented space, and γ is a distance: it must not change when w* is multiplied "
        "by 5.",
        "R² = max ‖(1, x)‖² and γ = min s·(w*·(1, x))/‖w*‖, where ‖w*‖ includes the bias.",
        "`gamma = (s * (A @ w_star)).min() / np.linalg.norm(w_star)` with `A` the augmented "
        "examples; if it is not positive, return `np.inf`.",
    ),
    remark="Every separating w* gives a true bound; the one with the largest γ gives the "
    "best. Chapter 06 finds it.",
    parts=(
        Function(
            "novikoff_bound",
            ("X", "s", "w_star"),
            (Result("bound", infinite=True),),
            (
                Case("w* of length 1", (*LINE, np.array([0.0, 1.0]))),
                Case("w* of another length", (*THREE, np.array([1.0, 2.0]))),
                Case("examples in the plane", (*PLANE, np.array([-0.25, 2.0, 0.5]))),
                Case("w* on the wrong side of an example", (*THREE, np.array([-2.0, 1.0]))),
                Case("an example whose margin is 0", (*THREE, np.array([-1.0, 1.0]))),
            ),
            bounds.novikoff,
            (
                Slip(
                    "γ is not normalised",
                    "Divide the smallest margin by ‖w*‖. Without that, a longer w* seems to give "
                    "a smaller bound, and the run breaks it: caution C-02 in chapter 05.",
                    partial(bounds.novikoff, length_from=None),
                    section=WRONG_WAYS,
                ),
                Slip(
                    "The norm without the bias",
                    "‖w*‖ is the length of the whole augmented vector, w0 included.",
                    partial(bounds.novikoff, length_from=1),
                ),
                Slip(
                    "R without the ones column",
                    "R² is the largest ‖(1, x)‖², which is 1 + ‖x‖².",
                    partial(bounds.novikoff, ones_in_radius=False),
                ),
                Slip(
                    "The square root of the bound",
                    "This is R/γ; the bound is its square.",
                    lambda X, s, w: np.sqrt(bounds.novikoff(X, s, w)),
                ),
                Slip(
                    "γ is not squared",
                    "The bound is R²/γ², not R²/γ.",
                    partial(bounds.novikoff, power=1.0),
                ),
                Slip(
                    "The largest margin",
                    "γ is the smallest margin of an example, because the proof uses it for every "
                    "update.",
                    partial(bounds.novikoff, worst=np.max),
                ),
                Slip(
                    "The sign of γ is lost in the square",
                    "If w* does not separate, γ is 0 or negative and there is no bound: return "
                    "infinity before squaring.",
                    partial(bounds.novikoff, separating_only=False),
                ),
            ),
        ),
    ),
)

# A true run on (2, 2), (2, −2), −(−2, 2), −(−2, −2): all of length 3, all with margin 2 to AXIS.
TRUE_RUN = np.array([[1.0, 2.0, 2.0], [0.0, 4.0, 0.0]])
AXIS = np.array([0.0, 1.0, 0.0])
CLAIM = np.array(
    [[1.0, 2.0, 2.0], [2.0, 4.0, 0.0], [1.0, 5.0, 2.0], [2.0, 8.0, 5.0], [3.0, 9.0, 3.0]]
)

CLAIMED_TRACE = Exercise(
    id="perceptron_convergence.claimed_trace",
    title="Check a claimed run against the two inequalities",
    minutes=10,
    section=TOGETHER,
    hints=(
        "Row 0 of W holds the weights after the first update, so it belongs to t = 1.",
        "Lower: w*·w(t) ≥ t·η·γ. Upper: ‖w(t)‖² ≤ t·η²·R². Equality is allowed in both.",
        "`t = np.arange(1, len(W) + 1)`, then `W @ w_star >= t * eta * gamma` and the same with "
        "`(W**2).sum(axis=1)`.",
    ),
    remark="A claimed run that breaks one of the two cannot come from the perceptron on such "
    "data. One that keeps both may still be invented.",
    parts=(
        Function(
            "bounds_hold",
            ("W", "w_star", "gamma", "R", "eta"),
            (Result("lower", ("T",), "flag"), Result("upper", ("T",), "flag")),
            (
                Case("a true run, with equality", (TRUE_RUN, AXIS, 2.0, 3.0, 1.0)),
                Case("an invented run", (CLAIM, AXIS, 2.0, 3.0, 1.0)),
                Case("learning rate 0.5", (0.5 * CLAIM, AXIS, 2.0, 3.0, 0.5)),
                Case("another direction", (CLAIM, np.array([0.6, 0.8, 0.0]), 1.5, 3.5, 1.0)),
            ),
            bounds.bounds_hold,
            (
                Slip(
                    "t starts at 0",
                    "W[0] holds the weights after one update: it belongs to t = 1.",
                    partial(bounds.bounds_hold, first=0),
                ),
                Slip(
                    "Equality is refused",
                    "Both inequalities allow equality, and the true run reaches it.",
                    partial(bounds.bounds_hold, strict=True),
                    erratum="E0-10",
                ),
                Slip(
                    "The norm is not squared",
                    "t·η²·R² bounds the squared length of w(t).",
                    partial(bounds.bounds_hold, norm_power=1.0),
                ),
                Slip(
                    "η is not squared",
                    "The upper bound on the squared length is t·η²·R².",
                    partial(bounds.bounds_hold, eta_power=1.0),
                ),
                Slip(
                    "R is not squared",
                    "The upper bound on the squared length is t·η²·R²; R is the length itself.",
                    partial(bounds.bounds_hold, R_power=1.0),
                ),
                Slip(
                    "The two answers exchanged",
                    "Return `lower` first, then `upper`.",
                    lambda *arguments: bounds.bounds_hold(*arguments)[::-1],
                ),
            ),
        ),
    ),
)

EXPANDED = "norm(w)**2 + 2*eta*s*dot(w, x) + eta**2*s**2*norm(x)**2"
SUM_IN_BRACKETS = r"\([^()]*[+-][^()]*\)"

UPPER_BOUND = Exercise(
    id="perceptron_convergence.upper_bound",
    title="The upper bound, line by line",
    minutes=10,
    section=GROWTH,
    hints=(
        "Expand the square of the norm first. Then look at the three terms one by one: which "
        "hypothesis says something about which of them?",
        "‖w + ηsx‖² = ‖w‖² + 2ηs w·x + η²s²‖x‖². Here s² = 1, an update happens only if s w·x ≤ 0, "
        "and ‖x‖ ≤ R.",
        "The first line is `= norm(w)**2 + 2*eta*s*dot(w, x) + eta**2*s**2*norm(x)**2`; the last "
        "is `<= norm(w)**2 + eta**2*R**2`.",
    ),
    remark="From zero, t updates give ‖w(t)‖² ≤ tη²R². Each line stands for all vectors of the "
    "sizes tried, not for an example.",
    parts=(
        Proof(
            "upper_bound",
            "norm(w + eta*s*x)**2",
            (
                Step("the square is expanded", EXPANDED, without=SUM_IN_BRACKETS),
                Step("the mixed term is dropped", "norm(w)**2 + eta**2*norm(x)**2"),
                Step("R takes the place of the norm of x", "norm(w)**2 + eta**2*R**2"),
            ),
            symbols={"w x": "vector d", "s": "sign", "eta R": "positive"},
            given=("s*dot(w, x) <= 0", "norm(x)**2 <= R**2"),
            sizes={"d": (1, 2)},
            slips=(
                Slip(
                    "The factor 2",
                    "The square of a sum has the mixed term twice: 2*eta*s*dot(w, x).",
                    lambda: "norm(w)**2 + eta*s*dot(w, x) + eta**2*norm(x)**2",
                ),
                Slip(
                    "η is not squared",
                    "‖ηsx‖² is η²‖x‖²: the factor leaves the norm squared.",
                    lambda: "norm(w)**2 + 2*eta*s*dot(w, x) + eta*norm(x)**2",
                ),
                Slip(
                    "The mixed term is missing",
                    "‖a + b‖² is not ‖a‖² + ‖b‖²: the term 2 a·b is dropped later, and by an "
                    "inequality.",
                    lambda: "norm(w)**2 + eta**2*norm(x)**2",
                ),
                Slip(
                    "The label is lost",
                    "The update adds ηsx, so the mixed term is 2*eta*s*dot(w, x).",
                    lambda: "norm(w)**2 + 2*eta*dot(w, x) + eta**2*norm(x)**2",
                ),
                Slip(
                    "The sign of the mixed term",
                    "The update adds ηsx, so the mixed term enters with +.",
                    lambda: "norm(w)**2 - 2*eta*s*dot(w, x) + eta**2*norm(x)**2",
                ),
                Slip(
                    "R is not squared",
                    "‖x‖ ≤ R gives ‖x‖² ≤ R².",
                    lambda: "norm(w)**2 + eta**2*R",
                ),
            ),
        ),
    ),
)

UP, STEEP, SLANTED = np.array([0.0, 1.0]), np.array([1.0, 2.0]), np.array([-0.25, 2.0, 0.5])

NONZERO_START = Exercise(
    id="perceptron_convergence.nonzero_start",
    title="The bound for a start that is not zero",
    minutes=12,
    section=TOGETHER,
    hints=(
        "Both inductions start at t = 0. Only their first values change: w*·w(0) and ‖w(0)‖² "
        "instead of 0.",
        "With w* of length 1, a = w*·w(0) and b = ‖w(0)‖²: (a + tηγ)² ≤ b + tη²R². The bound is "
        "the larger root of this quadratic equation in t.",
        "With `h = eta**2 * R2 - 2 * a * eta * gamma` the larger root is "
        "`(h + np.sqrt(h**2 + 4 * (eta * gamma)**2 * (b - a**2))) / (2 * (eta * gamma)**2)`.",
    ),
    remark="From zero, η cancels. From anywhere else it does not: a long w(0) in a wrong direction "
    "costs the more updates, the smaller η is.",
    parts=(
        Function(
            "bound_from",
            ("X", "s", "w_star", "w_init", "eta"),
            (Result("bound"),),
            (
                Case("start at zero", (*LINE, np.array([0.0, 1.0]), np.zeros(2), 1.0)),
                Case("a start across w*", (*LINE, np.array([0.0, 1.0]), np.array([3.0, 0.0]), 1.0)),
                Case(
                    "a start against w*",
                    (*THREE, np.array([1.0, 2.0]), np.array([-2.0, -4.0]), 1.0),
                ),
                Case("a small learning rate", (*PLANE, SLANTED, np.array([1.0, -2.0, 3.0]), 0.25)),
                Case("a start along w*", (*LINE, np.array([0.0, 2.0]), np.array([0.0, 5.0]), 1.0)),
            ),
            bounds.bound_from,
            (
                Slip(
                    "The start is ignored",
                    "This is R²/γ², the bound for w(0) = 0. The start changes the first value of "
                    "both inductions.",
                    lambda X, s, w, w_init, eta: bounds.novikoff(X, s, w),
                    section=SILENT,
                ),
                Slip(
                    "The worst direction",
                    "This bounds every start of length n; use a = w*ᵀw(0) of this start: "
                    "(a + tηγ)² ≤ b + tη²R².",
                    bounds.bound_from_any_direction,
                    section=SILENT,
                ),
                Slip(
                    "η has cancelled",
                    "η cancels only for w(0) = 0. Here it stays in tηγ and in tη²R².",
                    lambda X, s, w, w_init, eta: bounds.bound_from(X, s, w, w_init, 1.0),
                ),
                Slip(
                    "The head start is missing",
                    "The lower bound starts at a = w*·w(0), not at 0.",
                    from_parts(lambda a, b, *rest: larger_root(0.0, b, *rest)),
                ),
                Slip(
                    "The first length is missing",
                    "The upper bound starts at ‖w(0)‖², not at 0.",
                    from_parts(lambda a, b, *rest: larger_root(a, 0.0, *rest)),
                ),
                Slip(
                    "The length is not squared",
                    "The upper bound starts at ‖w(0)‖², the squared length.",
                    from_parts(lambda a, b, *rest: larger_root(a, b**0.5, *rest)),
                ),
                Slip(
                    "The smaller root",
                    "The inequality holds between the two roots, so the bound is the larger one.",
                    from_parts(bounds.smaller_root),
                ),
                Slip(
                    "The mixed term is missing",
                    "(a + tηγ)² has the term 2atηγ.",
                    from_parts(
                        lambda a, b, margin, squared, eta: larger_root(
                            0.0, b - a**2, margin, squared, eta
                        )
                    ),
                ),
                Slip(
                    "w* is not normalised",
                    "The proof uses ‖w*‖ = 1: divide w* by its length before computing γ and a.",
                    bounds.bound_from_unnormalised,
                    section=WRONG_WAYS,
                ),
                Slip(
                    "Only γ is normalised",
                    "a = w*ᵀw(0) needs ‖w*‖ = 1 as well: divide it by the length of w*, like γ.",
                    bounds.bound_from_long_start,
                    section=WRONG_WAYS,
                ),
            ),
        ),
    ),
)

RATE_QUIZ = Exercise(
    id="perceptron_convergence.rate_quiz",
    title="What the cosine bound says",
    minutes=2,
    section=SILENT,
    hints=(
        "A cosine is never larger than 1. What happens to the right-hand side while t grows?",
        "cos ∠(w*, w(t)) ≥ √t·γ/R is a lower bound that grows with t until it reaches 1.",
        "Set `np.sqrt(t) * gamma / R == 1` and solve for t.",
    ),
    parts=(
        Quiz(
            "meaning",
            (
                Choice(
                    "a",
                    "The direction of w(t) approaches w* at the rate 1/√t.",
                    False,
                    "The right-hand side grows like √t, it does not shrink like 1/√t, and w* is "
                    "any separating vector: the run cannot approach all of them. The errata of "
                    "the lecture notes have it too: E0-13.",
                ),
                Choice(
                    "b",
                    "The number of updates cannot exceed R²/γ².",
                    True,
                    "A cosine is at most 1, so √t·γ/R ≤ 1: the bound of the theorem once more.",
                ),
                Choice(
                    "c",
                    "When the run stops, w(t) is parallel to w*.",
                    False,
                    "The run stops at the first separating vector it meets; its angle to the "
                    "chosen w* can be almost a right one.",
                ),
                Choice(
                    "d",
                    "The number of passes over the data is at most R²/γ².",
                    False,
                    "The inequality counts updates; the last, clean pass has none. So there are "
                    "at most R²/γ² + 1 passes.",
                ),
            ),
            points=1.0,
        ),
    ),
)
