"""The exercises of this chapter: intervals, two groups, separation, a quiet z, a choice."""

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
from lectures_lib.logistic import LogisticRegression

# Every passenger twice -----------------------------------------------------------------------

DOUBLED = exercise(
    """
    logistic_inference.doubled: Every passenger twice: the flaw [3 minutes] [How much the data say]
        Which lines only calculate, and which says something about the world?
        The standard error is the root of a diagonal entry of the inverse information. What does the
            formula assume about the rows?
        `1 / np.sqrt(200)` is 0.71 times `1 / np.sqrt(100)`: what the program prints does shrink.
            What has anybody learnt from the copies?
    Remark
        The formula takes every row for a new, independent person. It cannot tell a copy from one,
        nor two brothers from two strangers.
    """,
    Prediction(
        ("flaw", "flaw_reason"),
        choices("""
    a. The log-likelihood of the list is twice what it was, at every w.
        Every row adds its term twice: true.
    b. Its maximum is at the same weights.
        Twice a function is largest where the function is: true.
    c. Its curvature there is twice as large, and so is the information.
        The information is a sum over the rows: true.
    d. So the standard errors that the program prints are smaller, by the factor 0.71.
        The variance is halved, and its root is multiplied by 1/√2: it does print that.
    e. So 95 of 100 such intervals still hold the true weight, although they are narrower. [right]
        The lines before are about what is printed, this one about what it promises.
            """),
        choices("""
    a. The weights change too, since both sums of the score equations double.
        If both sides of an equation double, its solution stays.
    b. The promise is for independent rows, and a copy is not independent. [right]
        Nothing new was learnt, so the honest interval is as wide as before.
    c. Twice the rows make the intervals half as wide, not 0.71 times.
        The variance is halved, and the width goes with its root.
    d. A promise of 95 % holds for large samples only, and this one is still too small.
        It has 2,618 rows. Their number is not what is wrong with them.
            """),
        points=2.0,
    ),
    version=2,
)


# An interval for an odds ratio ---------------------------------------------------------------


def odds_interval(X: Array, w: Array, a: Array, b: Array, z: float) -> Any:
    ones = np.column_stack([np.ones(len(X)), X])
    p = 1 / (1 + np.exp(-(ones @ w)))
    covariance = np.linalg.inv(ones.T @ ((p * (1 - p))[:, None] * ones))
    c = np.concatenate([[0], a - b])
    middle = c @ w
    half = z * np.sqrt(c @ covariance @ c)
    return np.exp(middle), np.exp(middle - half), np.exp(middle + half)


def _people(rng: Rng) -> tuple[Any, ...]:
    n, d = int(rng.integers(10, 16)), 3
    X = rng.normal(0.5, 1.0, (n, d))
    w = rng.normal(scale=0.6, size=d + 1)
    a, b = rng.normal(size=(2, d))
    return X, w, a, b, float(rng.choice([1.0, 1.645, 1.96]))


def _informative(X: Array, w: Array, a: Array, b: Array, z: float) -> bool:
    if not (X.ndim == 2 and len(w) == X.shape[1] + 1 and len(a) == len(b) == X.shape[1]):
        return False
    ones = np.column_stack([np.ones(len(X)), X])
    p = 1 / (1 + np.exp(-(ones @ w)))
    return bool(z > 0 and np.linalg.cond(ones.T @ ((p * (1 - p))[:, None] * ones)) < 1e6)


FOUR = np.array([[0.0], [0.0], [1.0], [1.0]])
GRID = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [1.0, 2.0], [1.0, 1.0], [0.0, 1.0]])

ODDS_INTERVAL = exercise(
    """
    logistic_inference.odds_interval: An interval for an odds ratio [9 minutes] [Intervals and
            tests]
        The logarithm of the ratio is a weighted sum of the w. What is the variance of such a sum?
        With c = (0, a − b): log ratio = cᵀw, its variance is cᵀΣc with Σ = (X̲ᵀDX̲)⁻¹. Make the
            interval there, then take exp of both ends.
        In the example of the task, with `c = [0, 1]`, `np.sqrt(c @ covariance @ c)` is 2.
    Remark
        The interval is not symmetric about the ratio: it is symmetric for the logarithm.
    """,
    Function(
        odds_interval,
        (Result("ratio", points=1), Result("low", points=2), Result("high", points=2)),
        (
            Case("one feature, w = 0", (FOUR, [0.0, 0.0], [1.0], [0.0], 2.0)),
            Case(
                "two features that go together",
                (GRID, [-0.5, 1.0, 0.25], [1.0, 2.0], [0.0, 0.0], 1.96),
            ),
            Case("the other way round", (GRID, [0.5, 1.0, -0.75], [0.0, 1.0], [1.0, 0.0], 1.645)),
        ),
        _people,
        slips("""
    The other way round
        a - b -> b - a
        The ratio is odds of a over odds of b.
    The bias stays in
        [[0], a - b] -> [[1], a - b]
        Both people have the same bias. It cancels in the difference, so c begins with 0.
    Only the variances
        c @ covariance @ c -> c @ np.diag(np.diag(covariance)) @ c
        np.sqrt(c @ covariance @ c) -> np.abs(c) @ np.sqrt(np.diag(covariance))
        Weights that are estimated together are correlated: cᵀΣc, with all entries.
    The root is missing
        np.sqrt(c @ covariance @ c) -> (c @ covariance @ c)
        The standard error is the root of the variance.
    The information instead of its inverse [E0-23]
        np.linalg.inv(ones.T @ ((p * (1 - p))[:, None] * ones)) -> ones.T @ ((p * (1 - p))[:, None]
            * ones)
        Much information means a small error: Σ is the inverse.
    exp is not taken of the two ends
        np.exp(middle - half), np.exp(middle + half) -> middle - half, middle + half ||
            np.exp(middle) - half, np.exp(middle) + half || np.exp(middle) * (1 - half),
            np.exp(middle) * (1 + half)
        The interval is made for the logarithm, ± z standard errors. Then take exp of each end.
    A mean over the examples
        (p * (1 - p))[:, None] * ones)) -> (p * (1 - p))[:, None] * ones) / len(X))
        The information of all examples is a sum: nothing is divided by N.
    The covariance of least squares
        (p * (1 - p))[:, None] * ones)) -> ones))
        Each example is weighted by p(1 − p).
            """),
        valid=_informative,
    ),
)


# Two groups ----------------------------------------------------------------------------------


def information(a: float, b: float, c: float, d: float) -> Any:
    one, zero = a * b / (a + b), c * d / (c + d)
    return np.array([[one + zero, one], [one, one]])


def _table(rng: Rng) -> tuple[Any, ...]:
    return tuple(float(v) for v in rng.integers(1, 60, 4))


TWO_GROUPS = exercise(
    """
    logistic_inference.two_groups: Two groups, and four numbers [13 minutes] [How much the data say]
        With one 0/1 feature the fitted probability is the share of ones in each group. Which rows
            of the design matrix belong to which group?
        Group 1 has the row (1, 1) and n·p(1 − p) = ab/(a + b); group 0 has the row (1, 0) and cd/(c
            + d). Add n·p(1 − p)·x̲x̲ᵀ.
        For the second part: a diagonal entry of the inverse of a 2 × 2 matrix is the *other*
            diagonal entry over the determinant, as in the example of the task.
    Remark
        1/A + 1/B with A = cd/(c + d) and B = ab/(a + b) is 1/a + 1/b + 1/c + 1/d: the variance of a
        log odds ratio from a table. A single 0 in the table makes it infinite: that is separation.
    """,
    Expression(
        information,
        (
            Case("ten of each", (10.0, 10.0, 10.0, 10.0)),
            Case("a table", (30.0, 10.0, 5.0, 15.0)),
            Case("large and small", (2.0, 40.0, 7.0, 1.0)),
        ),
        _table,
        axes=("2", "2"),
        points=3,
        slips=slips("""
    The groups exchanged
        [[one + zero, one], [one, one]] -> [[one + zero, zero], [zero, zero]]
        Group 1 has the feature 1: its part stands in all four entries.
    Only one group in the first entry
        [[one + zero, one] -> [[zero, one] || [[one, one]
        The bias is in every row: both groups carry information about it.
    The mixed entry is 0
        one + zero, one], [one, one]] -> one + zero, 0 * one], [0 * one, one]]
        The rows of group 1 have a 1 in both columns: bias and feature share them.
    Per example
        one, zero = a * b / (a + b), c * d / (c + d) -> one, zero = a * b / (a + b) ** 2, c * d / (c
            + d) ** 2
        A group of n examples carries n times the information of one: n·p(1 − p).
    Counts without p(1 − p)
        one, zero = a * b / (a + b), c * d / (c + d) -> one, zero = a + b, c + d
        The information of an example is p(1 − p), not 1.
            """),
    ),
    Proof(
        "variance",
        "inv([[A + B, B], [B, B]])[2, 2]",
        steps("""
    the inverse written out [1 point]
        (A + B)/((A + B)*B - B**2)
        without index; with A + B
        without index; with 1/(A*B)
    the determinant simplified [1 point]
        (A + B)/(A*B)
        without index; with 1/(A*B)
    the fraction split [2 points]
        1/A + 1/B
        """),
        symbols={"A B": "positive"},
        slips=slips("""
    The wrong entry above
        (A + B)/((A + B)*B -> B/((A + B)*B
        In the inverse of a 2 × 2 matrix the diagonal entries change places.
    The determinant
        - B**2) -> + B**2)
        It is the product of the diagonal minus the product of the other two entries.
    One over the entry
        (A + B)/((A + B)*B - B**2) -> 1/B
        The entry of an inverse is not the inverse of the entry.
            """),
    ),
)


# Separated, nearly, or not -------------------------------------------------------------------


def separation(x: Array, y: Array) -> Any:
    zeros, ones = x[y == 0], x[y == 1]
    gap = max(ones.min() - zeros.max(), zeros.min() - ones.max())
    if gap > 0:
        return 2
    if gap == 0:
        return 1
    return 0


def _line(rng: Rng) -> tuple[Any, ...]:
    n = int(rng.integers(5, 10))
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    kind = int(rng.integers(0, 4))
    x = rng.normal(size=n) if kind == 3 else rng.integers(-3, 3, n) + kind * 2.5 * y
    x = np.where(rng.random(n) < 0.3, np.median(x), x) if kind == 2 else x
    x = x.astype(float) * rng.choice([-1.0, 1.0])
    return (x, y) if len(np.unique(x)) > 1 else (x + np.arange(n), y)


def _touching(rng: Rng) -> tuple[Any, ...]:
    """Now and then classes that share one value only."""
    if rng.random() < 0.6:
        return _line(rng)
    n, side = int(rng.integers(3, 5)), float(rng.choice([-1.0, 1.0]))
    low = np.append(-rng.integers(1, 4, n), 0)
    high = np.append(rng.integers(0, 4, n), 0)
    order = rng.permutation(2 * n + 2)
    x, y = np.concatenate([low, high]) * side, np.repeat([0, 1], n + 1)
    return x.astype(float)[order], y[order]


def _both(x: Array, y: Array) -> bool:
    return bool(len(x) == len(y) and len(np.unique(x)) > 1 and 0 < np.sum(y) < len(y))


SEPARATION = exercise(
    """
    logistic_inference.separation: Separated, nearly, or not [8 minutes] [When there is no maximum]
        Which two examples decide whether a threshold gets everything right, if class 1 lies above?
            And if it lies below?
        Class 1 above: smallest x of class 1 minus largest x of class 0. Class 1 below: the same
            with exchanged classes. The larger of the two decides by its sign.
        `x[y == 1].min() - x[y == 0].max()` is positive, 0 or negative: which `kind` is that, if
            class 1 lies above?
    Remark
        Two features or more need a linear program, or a perceptron with much patience. With a tie
        at the threshold the likelihood has no maximum either.
    """,
    Function(
        separation,
        (Result("kind", kind="count", points=5),),
        (
            Case("class 1 above", ([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1])),
            Case("class 1 below", ([4.0, 1.0, 3.0, 2.75], [0, 1, 0, 1])),
            Case("a tie at the threshold", ([1.0, 2.0, 2.0, 4.0], [0, 0, 1, 1])),
            Case("overlap", ([1.0, 3.0, 2.0, 4.0], [0, 0, 1, 1])),
            Case("one class inside the other", ([1.0, 2.0, 3.0, 2.5], [0, 1, 0, 1])),
        ),
        _touching,
        slips("""
    Only one direction
        max(ones.min() - zeros.max(), zeros.min() - ones.max()) -> ones.min() - zeros.max() ||
            zeros.min() - ones.max()
        Class 1 can lie below the threshold as well.
    A tie counts as separated
        if gap > 0: -> if gap >= 0:
        With both labels at one value, no threshold gets all right. That is 1.
    A tie counts as overlap
        if gap == 0: -> if gap > 0:
        With one shared value at the threshold the weight still runs to infinity. That is 1.
    Not the two neighbours
        max(ones.min() - zeros.max(), zeros.min() - ones.max()) -> max(ones.max() - zeros.min(),
            zeros.max() - ones.min()) || abs(ones.mean() - zeros.mean())
        Class 1 lies above if its *smallest* value is above the *largest* of class 0: these two
        decide, not the outer ends and not the means.
            """),
        valid=_both,
    ),
)


# A quiet z -----------------------------------------------------------------------------------


def tests_of(x: Array, y: Array) -> tuple[float, float] | None:
    """|z| of the feature and its likelihood ratio; None where there is no maximum."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression().fit(x[:, None], y)
        if not model.converged_ or not model.identified_.all():
            return None
        return abs(float(model.z_values_[1])), model.null_deviance_ - model.deviance_


def _readable(x: Array, y: Array) -> bool:
    return bool(len(x) == len(y) and np.isin(y, (0, 1)).all() and 0 < y.sum() < len(y))


def _has_maximum(x: Array, y: Array) -> str:
    if not _readable(x, y):
        return "Give one label, 0 or 1, for each value of x. Both labels must occur."
    if len(x) > 30:
        return f"There are {len(x)} examples; at most 30 are allowed."
    if np.ptp(x) == 0:
        return "All values of x are equal: they say nothing about the labels."
    return "The likelihood has no maximum." if tests_of(x, y) is None else ""


def _quiet(x: Array, y: Array) -> str:
    found = tests_of(x, y) if _readable(x, y) else None
    if found is None:
        return "First the likelihood must have a maximum."
    return "" if found[0] < 1.5 else f"|z| is {found[0]:.2f}; expected less than 1.5."


def _loud(x: Array, y: Array) -> str:
    found = tests_of(x, y) if _readable(x, y) else None
    if found is None:
        return "First the likelihood must have a maximum."
    return "" if found[1] >= 10 else f"The ratio is {found[1]:.2f}; expected 10 or more."


def _judged(x: Array, y: Array) -> tuple[float, float] | None:
    return tests_of(x, y) if _readable(x, y) and len(x) <= 30 else None


def _is_separable(x: Array, y: Array) -> bool:
    return _readable(x, y) and len(x) <= 30 and bool(np.ptp(x)) and tests_of(x, y) is None


def _is_too_large(x: Array, y: Array) -> bool:
    return _readable(x, y) and len(x) > 30


def _is_ordinary(x: Array, y: Array) -> bool:
    found = _judged(x, y)
    return found is not None and found[0] >= 1.5


def _is_dull(x: Array, y: Array) -> bool:
    found = _judged(x, y)
    return found is not None and found[0] < 1.5 and found[1] < 10


def _curve(x: Array, y: Array) -> Any:
    """The data and their fit."""
    from lectures_lib.chapters.logistic_inference.pictures import fit_scene

    return fit_scene(x, y) if _readable(x, y) else None


QUIET_Z = exercise(
    """
    logistic_inference.quiet_z: Data on which z sees nothing [9 minutes] [When there is no maximum]
        In the live picture of the chapter: where is z small although the classes differ much?
        Just before separation. Take two classes that a threshold separates, and let them overlap by
            as little as possible, in one pair of neighbours.
        Start with `x = np.arange(20.0)` and ten labels of each kind; exchange two neighbouring
            labels in the middle, and move those two values closer together.
    Remark
        z compares the weight with the curvature at the top. Near separation the top is a long
        ridge, and the curvature knows only its own neighbourhood.
    """,
    Values(
        ("x_quiet", "y_quiet"),
        (
            Property("the likelihood has a maximum", 1.0, _has_maximum),
            Property("z sees nothing", 2.0, _quiet),
            Property("the likelihood ratio sees much", 2.0, _loud),
        ),
        (Result("x_quiet", ("N",)), Result("y_quiet", ("N",), "count")),
        slips("""
    The classes do not overlap
        when _is_separable
        At most they share one value, so there is no maximum. Let one pair of neighbours overlap.
    z sees the difference
        when _is_ordinary
        Its size is 1.5 or more. Let the classes overlap in fewer places, and there by less.
    The ratio is too small
        when _is_dull
        Below 10 the likelihood ratio sees too little. Take more examples on both sides of the
        overlap, or let fewer of them overlap.
    Too many examples
        when _is_too_large
        30 are enough: what counts is how the classes overlap.
            """),
        picture=_curve,
    ),
    another="""
x_quiet, y_quiet = np.append(np.arange(20.0), 9.4), np.append(np.arange(20) > 9, 0)
x_quiet[9], y_quiet[9] = 9.3, 1
""",
)


# The rule of one standard error --------------------------------------------------------------


def simplest_good(losses: Array) -> Any:
    means = losses.mean(axis=1)
    best = means.argmin()
    limit = means[best] + losses[best].std(ddof=1) / np.sqrt(losses.shape[1])
    return np.flatnonzero(means <= limit)[0], limit


def _folds(rng: Rng) -> tuple[Any, ...]:
    models, folds = int(rng.integers(4, 7)), int(rng.integers(3, 6))
    level = 0.4 + 0.05 * np.abs(np.arange(models) - rng.integers(1, models))
    return (np.round(level[:, None] + rng.normal(0, 0.08, (models, folds)), 3),)


ONE_ERROR = exercise(
    """
    logistic_inference.simplest_good: The rule of one standard error [6 minutes] [What goes wrong]
        First the best model, by its mean over the folds. How sure is that mean?
        Standard error of a mean of M numbers: their standard deviation (divided by M − 1) over √M.
            The limit is the best mean plus the standard error of the best model.
        `means <= limit` is True for every model that is good enough. `np.flatnonzero` gives their
            numbers; which of them is the simplest?
    Remark
        The folds share most of their training data, so this standard error is a rough one. The rule
        prefers the simple model where the difference may be noise.
    """,
    Function(
        simplest_good,
        (Result("chosen", kind="count", points=2), Result("limit", points=1)),
        (
            Case(
                "the second is nearly as good as the third",
                ([[0.9, 0.8, 1.0], [0.5, 0.6, 0.55], [0.4, 0.6, 0.5]],),
            ),
            Case("a clear winner", ([[0.9, 0.8, 1.0, 0.9], [0.41, 0.4, 0.39, 0.4]],)),
            Case("just at the limit", ([[0.5, 0.75, 0.5, 0.75], [0.875, 0.375, 0.375, 0.375]],)),
            Case(
                "the first is the noisy one",
                ([[0.2, 1.0, 0.6], [0.5, 0.51, 0.52], [0.6, 0.61, 0.6]],),
            ),
        ),
        _folds,
        slips("""
    The best itself
        np.flatnonzero(means <= limit)[0] -> best
        Within the limit the *first* model counts, not the best.
    Below the limit only
        means <= limit -> means < limit
        A mean that is just at the limit counts too.
    The last within the limit
        (means <= limit)[0] -> (means <= limit)[-1]
        The models are sorted from simple to rich: take the first.
    Not divided by √M
        / np.sqrt(losses.shape[1]) ->
        / np.sqrt(losses.shape[1]) -> / losses.shape[1]
        The mean of M folds is surer than one fold: divide by √M.
    Divided by M
        ddof=1 -> ddof=0
        The standard deviation of the task divides by M − 1: `ddof=1`.
    The models as folds
        means = losses.mean(axis=1) -> means = losses.mean(axis=0) ; losses[best].std(ddof=1) /
            np.sqrt(losses.shape[1]) -> losses[:, best].std(ddof=1) / np.sqrt(losses.shape[0])
        A row holds the folds of one model: the mean goes along a row.
    The error of all models
        losses[best].std(ddof=1) -> losses.std(ddof=1)
        The standard error is that of the best model's own folds.
            """),
        valid=lambda losses: losses.ndim == 2 and losses.shape[0] >= 2 and losses.shape[1] >= 2,
    ),
)

EXERCISES = (DOUBLED, ODDS_INTERVAL, TWO_GROUPS, SEPARATION, QUIET_Z, ONE_ERROR)
