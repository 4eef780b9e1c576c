"""The exercises of this chapter: J from projections, an argument, thresholds, least squares."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

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
from lectures_lib.fisher import fisher_direction, fisher_J, mean_direction, scatter_matrices

if TYPE_CHECKING:
    from lectures_lib.figures import Scene


# The criterion ----------------------------------------------------------------------------------


def apart(z: Array, y: Array) -> Any:
    one, zero = z[y == 1], z[y == 0]
    gap = one.mean() - zero.mean()
    scatter = ((one - one.mean()) ** 2).sum() + ((zero - zero.mean()) ** 2).sum()
    return gap**2 / scatter


def _readings(rng: Rng) -> tuple[Any, ...]:
    n = int(rng.integers(5, 10))
    y = rng.permutation(np.repeat([0, 1], [n - 2 - n // 4, 2 + n // 4]))
    return rng.normal(size=n) + 1.3 * y, y


def _spread_in_classes(z: Array, y: Array) -> bool:
    if set(np.unique(y)) != {0, 1} or len(z) != len(y):
        return False
    return max(float(np.ptp(z[y == k])) for k in (0, 1)) > 0.05


APART_J = exercise(
    """
    fisher.apart: How good is a ruler? [4 minutes] [How far apart?]
        Only the readings count here; no matrix is needed.
        The squared difference of the two means, divided by the sum of both scatters.
        `((one - one.mean()) ** 2).sum()` is the scatter of class 1, if `one = z[y == 1]`.
    Remark
        A ruler in inches has the same J as one in centimetres: both parts are squares.
    """,
    Function(
        apart,
        (Result("J", points=3),),
        (
            Case("two and two", ([0.0, 2.0, 5.0, 7.0], [0, 0, 1, 1])),
            Case("unequal counts", ([1.0, 4.0, 2.0, 6.0, 9.0], [0, 1, 0, 1, 1])),
            Case("class 1 lies below", ([8.0, 6.0, 1.0, 2.0], [0, 0, 1, 1])),
        ),
        _readings,
        slips("""
    Variances instead of scatters
        ((one - one.mean()) ** 2).sum() -> ((one - one.mean()) ** 2).mean() ; ((zero - zero.mean())
            ** 2).sum() -> ((zero - zero.mean()) ** 2).mean()
        ((one - one.mean()) ** 2).sum() -> one.var(ddof=1) ; ((zero - zero.mean()) ** 2).sum() ->
            zero.var(ddof=1)
        gap**2 / scatter -> gap**2 / (scatter / (len(z) - 2))
        s² is a sum here, not a mean: nothing is divided by the number of examples.
    The distance is not squared
        gap**2 -> abs(gap) || gap
        The scatter is in squared units, so the distance must be as well.
    One width for all
        (one - one.mean()) -> (one - z.mean()) ; (zero - zero.mean()) -> (zero - z.mean())
        The scatter is taken around the mean of each class, not around the grand mean.
    One class only
        + ((zero - zero.mean()) ** 2).sum() ->
        Both classes should be narrow: add both scatters.
    Upside down
        gap**2 / scatter -> scatter / gap**2
        The squared distance of the means stands above the line, the scatter below it.
    The root of the scatter
        gap**2 / scatter -> gap**2 / np.sqrt(scatter)
        A squared distance is divided by a squared width.
    The root of J
        gap**2 / scatter -> abs(gap) / np.sqrt(scatter) || gap / np.sqrt(scatter)
        Distance over width is the root of J. J is its square.
    A bracket is missing
        return gap**2 / scatter -> return gap**2 / ((one - one.mean()) ** 2).sum() + ((zero -
            zero.mean()) ** 2).sum()
        The sum of both scatters stands below the line, in one bracket.
            """),
        valid=_spread_in_classes,
    ),
    another="""
def apart(z, y):
    one, zero = z[y == 1], z[y == 0]
    scatter = len(one) * one.var() + len(zero) * zero.var()
    return (one.mean() - zero.mean()) ** 2 / scatter
""",
)


ARGUMENT = exercise(
    """
    fisher.argument: Thirty features or ten [6 minutes] [The best direction]
        Which numbers are properties of the two populations, and which were computed from the
            examples that made the ruler?
        With more features than examples J* has no bound, and Φ(−Δ/2) is then 0.
        Compare the promise with what happens: 20 biopsies to learn from, ten features and thirty,
            `normal_cdf(-delta2**0.5 / 2)` beside the error on the others.
    Remark
        Each further feature adds to the estimated distance, if only by chance. So it is too large,
        the more so the nearer d comes to N − 2.
    """,
    Prediction(
        ("line", "because"),
        choices("""
    a. 1
        A ruler of ten features is one of thirty with twenty weights that are 0.
    b. 2
        J* is Δ²/(N − 2) with the same N, and Φ(−Δ/2) falls where Δ grows.
    c. 3
        That is Bayes' rule for two Gaussians with one shape and equal priors.
    d. 4 [right]
        Line 3 is about the true means and the true shape. Line 4 puts estimates in their place.
            """),
        choices("""
    a. biopsies are not Gaussian
        Suppose they were, with one shape: line 4 would still not follow.
    b. Δ is measured on the examples that the ruler was made from, and comes out too large [right]
        It grows with every feature, useful or not.
    c. a larger J* can belong to a larger error, even if nothing is estimated
        For the populations themselves it cannot: line 3.
    d. thirty features have larger units than ten
        Neither J* nor Δ depends on units.
            """),
        points=3.0,
    ),
)


# The mean difference misled ---------------------------------------------------------------------


def _bad_groups(zero: Array, one: Array) -> str:
    for name, group in (("zero", zero), ("one", one)):
        if not 3 <= len(group) <= 10:
            return f"`{name}` holds {len(group)} points; expected 3 to 10."
    X, y = _together(zero, one)
    scatter = scatter_matrices(X, y)
    if np.linalg.cond(scatter.within) > 1e8:
        return "The points of each class lie on a line, in one direction: S_w has no inverse."
    if np.linalg.norm(scatter.means[1] - scatter.means[0]) < 1e-9:
        return "Both classes have the same mean."
    return ""


def _together(zero: Array, one: Array) -> tuple[Array, Array]:
    return np.concatenate([zero, one]), np.repeat([0, 1], [len(zero), len(one)])


def _share_of_J(zero: Array, one: Array) -> float:
    X, y = _together(zero, one)
    scatter = scatter_matrices(X, y)
    gap = scatter.means[1] - scatter.means[0]
    both = [
        fisher_J(w, np.outer(gap, gap), scatter.within)
        for w in (mean_direction(X, y), fisher_direction(X, y))
    ]
    return both[0] / both[1]


def _at_most(share: float) -> Callable[..., str]:
    def holds(zero: Array, one: Array) -> str:
        trouble = _bad_groups(zero, one)
        if trouble or _share_of_J(zero, one) <= share:
            return trouble
        return f"The mean difference reaches {_share_of_J(zero, one):.0%} of the largest J."

    return holds


def _round(zero: Array, one: Array) -> bool:
    return not _bad_groups(zero, one) and _share_of_J(zero, one) > 0.999


def _along(zero: Array, one: Array) -> bool:
    return not _bad_groups(zero, one) and 0.5 < _share_of_J(zero, one) <= 0.999


def _two_rulers(zero: Array, one: Array) -> Scene:
    from lectures_lib.chapters.fisher.pictures import directions_scene

    X, y = _together(zero, one)
    rulers = {"mean difference": mean_direction(X, y), "Fisher's direction": fisher_direction(X, y)}
    return directions_scene(X, y, rulers)


MISLED = exercise(
    """
    fisher.misled: Mislead the mean difference [8 minutes] [How far apart?]
        The two directions agree when the clouds are round, or long along or across the line between
            the means. What is left?
        Both clouds long in one direction, with a step between them neither along it nor across.
        Three points on a slanted line, not quite straight, for class 0; the same points shifted to
            the right for class 1. The longer the line, the smaller the share.
    Remark
        The more alike two features are within the classes, the more their difference can say.
    """,
    Values(
        ("zero", "one"),
        (
            Property("half of the largest J at most", 2.0, _at_most(0.5), "J at most 50 %"),
            Property("a tenth at most", 2.0, _at_most(0.1), "J at most 10 %"),
        ),
        (Result("zero", ("n", "2")), Result("one", ("m", "2"))),
        slips(
            """
    The means agree
        when means_agree
        Without a difference of the means J is 0 in every direction.
    No width in some direction
        when no_width
        Each class lies on a line, and both lines have one direction. Move a point off its line.
    Both directions agree
        when _round
        S_w⁻¹ does not turn the difference: S_w is round, or its long axis lies along or across the
        difference.
    Not long enough
        when _along
        The slant is there. Make the clouds longer or thinner, or turn them towards 45° from the
        step between them.
                """,
            means_agree=lambda a, b: "same mean" in _bad_groups(a, b),
            no_width=lambda a, b: "no inverse" in _bad_groups(a, b),
        ),
        picture=_two_rulers,
    ),
    another="""
zero = np.array([[-10, -10], [0, 0], [10, 10], [0.5, -0.5], [-0.5, 0.5]])
one = zero + [4, 0]
""",
)


# Thresholds ---------------------------------------------------------------------------------------


def marks(m: Array, s: Array, p: Array) -> Any:
    a = 1 / (2 * s[0] ** 2) - 1 / (2 * s[1] ** 2)
    b = m[1] / s[1] ** 2 - m[0] / s[0] ** 2
    c = m[0] ** 2 / (2 * s[0] ** 2) - m[1] ** 2 / (2 * s[1] ** 2)
    c = c + np.log(p[1] / s[1]) - np.log(p[0] / s[0])
    root = np.sqrt(b**2 - 4 * a * c)
    return np.sort([(-b - root) / (2 * a), (-b + root) / (2 * a)])


def _crossing(m: Array, s: Array, p: Array) -> bool:
    if min(s.min(), p.min()) < 0.05 or abs(s[1] - s[0]) < 0.05 or abs(p.sum() - 1) > 1e-9:
        return False
    a = 1 / (2 * s[0] ** 2) - 1 / (2 * s[1] ** 2)
    b = m[1] / s[1] ** 2 - m[0] / s[0] ** 2
    c = m[0] ** 2 / (2 * s[0] ** 2) - m[1] ** 2 / (2 * s[1] ** 2)
    c = c + np.log(p[1] * s[0] / (p[0] * s[1]))
    return bool(b**2 - 4 * a * c > 0.05)


def _widths(rng: Rng) -> tuple[Any, ...]:
    while True:
        share = rng.uniform(0.25, 0.75)
        drawn = rng.normal(size=2) * 2, rng.uniform(0.5, 3.0, size=2), np.array([1 - share, share])
        if _crossing(*drawn):
            return drawn


def _crossings(
    arguments: tuple[Any, ...], came_out: tuple[Any, ...], expected: tuple[Any, ...]
) -> Scene:
    from lectures_lib.chapters.fisher.pictures import marks_scene

    m, s, p = arguments
    return marks_scene(m, s, p, came_out[0], expected[0])


MARKS = exercise(
    """
    fisher.marks: Two widths, two marks [9 minutes] [Where to put the mark]
        At a mark both classes are equally probable. Subtract log(prior × density) of the two.
        log p₁ − log s₁ − (z − m₁)²/(2s₁²) = log p₀ − log s₀ − (z − m₀)²/(2s₀²). Collect the powers
            of z: az² + bz + c = 0.
        a = 1/(2s₀²) − 1/(2s₁²) and b = m₁/s₁² − m₀/s₀². `np.roots([a, b, c])` solves the rest.
    Remark
        Beyond the second mark the wider class wins again, on the far side of the narrow one.
    """,
    Function(
        marks,
        (Result("z", ("2",), points=4),),
        (
            Case("the same mean", ([0.0, 0.0], [1.0, 2.0], [0.5, 0.5])),
            Case("the tumours", ([-1.4, 2.4], [0.8, 1.25], [0.627, 0.373])),
            Case("class 1 is the narrow one", ([0.0, 3.0], [2.0, 0.5], [0.4, 0.6])),
        ),
        _widths,
        slips("""
    The heights are missing
        np.log(p[1] / s[1]) - np.log(p[0] / s[0]) -> np.log(p[1]) - np.log(p[0])
        A wide density is lower: its factor 1/s gives −log s.
    The priors are missing
        np.log(p[1] / s[1]) - np.log(p[0] / s[0]) -> np.log(s[0]) - np.log(s[1])
        Each density is weighted by its prior.
    The priors are exchanged
        np.log(p[1] / s[1]) - np.log(p[0] / s[0]) -> np.log(p[0] / s[1]) - np.log(p[1] / s[0])
        A more frequent class gains: + log p₁ − log p₀.
    The widths are not squared
        a = 1 / (2 * s[0] ** 2) - 1 / (2 * s[1] ** 2) -> a = 1 / (2 * s[0]) - 1 / (2 * s[1]) ; b =
            m[1] / s[1] ** 2 - m[0] / s[0] ** 2 -> b = m[1] / s[1] - m[0] / s[0] ; c = m[0] ** 2 /
            (2 * s[0] ** 2) - m[1] ** 2 / (2 * s[1] ** 2) -> c = m[0] ** 2 / (2 * s[0]) - m[1] ** 2
            / (2 * s[1])
        `s` holds standard deviations. The exponent divides by 2s².
    Not sorted
        return np.sort([(-b - root) / (2 * a), (-b + root) / (2 * a)]) -> return np.roots([a, b, c])
            || return np.sort([(-b - root) / (2 * a), (-b + root) / (2 * a)])[::-1]
        The smaller mark first: `np.sort`.
    The half is forgotten
        a = 1 / (2 * s[0] ** 2) - 1 / (2 * s[1] ** 2) -> a = 1 / s[0] ** 2 - 1 / s[1] ** 2 ; b =
            m[1] / s[1] ** 2 - m[0] / s[0] ** 2 -> b = 2 * m[1] / s[1] ** 2 - 2 * m[0] / s[0] ** 2 ;
            c = m[0] ** 2 / (2 * s[0] ** 2) - m[1] ** 2 / (2 * s[1] ** 2) -> c = m[0] ** 2 / s[0] **
            2 - m[1] ** 2 / s[1] ** 2
        The exponent has ½ in front: (z − m)²/(2s²).
            """),
        # roots as NumPy orders them, until the answer is finished
        forms=(
            "return np.sort([(-b - root) / (2 * a), (-b + root) / (2 * a)]) -> "
            "return np.roots([a, b, c])",
            "return np.sort([(-b - root) / (2 * a), (-b + root) / (2 * a)]) -> "
            "return np.sort(np.roots([a, b, c]).real)",
        ),
        valid=_crossing,
        picture=_crossings,
        elsewhere=("decision",),
    ),
    another="""
def marks(m, s, p):
    zero, one = ([1, -2 * m[k], m[k] ** 2] / (2 * s[k] ** 2) for k in (0, 1))
    return np.sort(np.roots(zero - one + [0, 0, np.log(p[1] / s[1]) - np.log(p[0] / s[0])]))
""",
)

WRONG_SIDE = exercise(
    """
    fisher.grand_mean: The grand mean walks the wrong way [5 minutes] [Where to put the mark]
        How far is the grand mean from the midpoint? Collect the terms in a and the terms in b.
        a has the factor p − ½, and b has (1 − p) − ½ = −(p − ½).
        `= (p - 1/2)*a + (1/2 - p)*b` is the line before the last.
    Remark
        For p > ½ the mark moves towards a, to the frequent class, whose region shrinks.
    """,
    Proof(
        "grand_mean_proof",
        "p*a + (1 - p)*b - (a + b)/2",
        steps("""
    the terms in a and in b collected [2 points]
        (p - 1/2)*a + (1/2 - p)*b
        with a*(p - 1/2); without a + b and a - b
        with p*(a - b); without a + b
        with p*a and p*b; without a + b and 1 - p
        with a and b; without a + b and a - b
    the goal [2 points]
        (p - 1/2)*(a - b)
        is (2*p - 1)*(a - b)/2
        """),
        {"p": "probability", "a b": "real"},
        slips=slips("""
    The sign of b
        (1/2 - p)*b -> (p - 1/2)*b
        (a - b) -> (a + b)
        b has the factor (1 − p) − ½ = ½ − p, and the goal holds a − b.
    The other way round
        (p - 1/2)*(a - b) -> (1/2 - p)*(a - b)
        For p > ½ the grand mean lies nearer to a: the factor is p − ½.
    The midpoint is forgotten
        (p - 1/2)*a + (1/2 - p)*b -> p*a + (1 - p)*b
        −(a + b)/2 takes half an a and half a b away.
    The midpoint is taken off twice
        (p - 1/2)* -> (p - 1)*
        Half an a is taken away, not a whole one.
            """),
    ),
)


# Least squares ------------------------------------------------------------------------------------


def by_least_squares(X: Array, y: Array) -> Any:
    N, N1 = len(y), (y == 1).sum()
    targets = np.where(y == 1, N / N1, -N / (N - N1))
    ones = np.column_stack([np.ones(N), X])
    solution = np.linalg.lstsq(ones, targets, rcond=None)[0]
    return solution[0], solution[1:]


def _classes(rng: Rng) -> tuple[Any, ...]:
    n, d = int(rng.integers(9, 14)), int(rng.integers(3, 5))
    y = (np.arange(n) < n // 3).astype(int)
    return rng.normal(size=(n, d)) + 0.8 * y[:, None] + rng.normal(size=d), y


FOUR = np.array([[1.0], [2.0], [4.0], [9.0]])

TARGETS = exercise(
    """
    fisher.targets: Fisher by least squares [7 minutes] [Least squares once more]
        First the targets, one for each example. Then a least-squares fit with a column of ones.
        Class 1: N/N₁, class 0: −N/N₀, where N₁ + N₀ = N. They add up to 0.
        `np.linalg.lstsq(np.column_stack([np.ones(N), X]), targets, rcond=None)[0]` holds w₀ first,
            then w.
    Remark
        A program for regression finds Fisher's direction too. Its threshold is the grand mean.
    """,
    Function(
        by_least_squares,
        (Result("w0", points=2), Result("w", ("d",), points=2)),
        (
            Case("equal counts", (FOUR, [0, 0, 1, 1])),
            Case("one against three", (FOUR, [0, 1, 0, 0])),
            Case(
                "two features",
                ([[0.0, 1.0], [2.0, 0.0], [3.0, 3.0], [5.0, 2.0], [1.0, 4.0]], [0, 1, 0, 1, 1]),
            ),
        ),
        _classes,
        slips("""
    The labels as targets
        N / N1, -N / (N - N1) -> 1.0, -1.0 || 1.0, 0.0
        That gives the direction, with another length and intercept. Use N/N₁ and −N/N₀.
    The counts are exchanged
        N / N1, -N / (N - N1) -> N / (N - N1), -N / N1
        The smaller class has the larger target: N/N₁ for class 1.
    The sign of class 0
        N / N1, -N / (N - N1) -> N / N1, N / (N - N1)
        Class 0 has a negative target: −N/N₀.
    Shares as targets
        N / N1, -N / (N - N1) -> N1 / N, -(N - N1) / N
        The target is N/N₁, not N₁/N.
    The ones come last
        return solution[0], solution[1:] -> return solution[-1], solution[:-1]
        The column of ones belongs to w0. Take the intercept from where it stands.
    No intercept
        ones = np.column_stack([np.ones(N), X]) -> ones = np.column_stack([np.zeros(N), X])
        Without a column of ones the line must pass through the origin.
            """),
        valid=lambda X, y: bool(
            len(X) == len(y)
            and set(np.unique(y)) == {0, 1}
            and len(X) > X.shape[1] + 2
            and np.linalg.cond(np.column_stack([np.ones(len(X)), X])) < 1e4
        ),
    ),
)


# Copies ------------------------------------------------------------------------------------------

COPIES = exercise(
    """
    fisher.copies: Every example of class 1 ten times [6 minutes] [What goes wrong]
        Go through the formula: which of its parts are sums over examples, and which are means?
        The means stay. The scatter S₁ is a sum over the examples of class 1, S₀ is not touched.
        S_w becomes 10·S₁ + S₀. When is this a multiple of S₁ + S₀?
    Remark
        If both classes have the same shape, S₁ and S₀ are multiples of each other, and even
        Fisher's direction stays.
    """,
    Prediction(
        ("turned", "because"),
        choices("""
    a. neither of the two
        Which parts of the two formulas are sums over the examples?
    b. the mean difference only
        A mean of copies is the mean of the originals.
    c. Fisher's direction only [right]
        S_w becomes 10·S₁ + S₀.
    d. both
        The means do not notice copies.
            """),
        choices("""
    a. the priors have changed
        They have, but no prior stands in either formula.
    b. a scatter is a sum, so class 1 now decides what width means [right]
        With the sum of two covariances almost nothing would change.
    c. copies carry no information, so nothing can change
        They carry none. The formula counts them all the same.
    d. the grand mean moves towards class 1
        It does, and changes the threshold of one rule, not the direction.
            """),
        points=3.0,
    ),
)

EXERCISES = (APART_J, MISLED, ARGUMENT, MARKS, WRONG_SIDE, TARGETS, COPIES)
