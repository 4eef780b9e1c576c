"""The exercises of this chapter: counting mistakes, judging on what was not seen, luck."""

from __future__ import annotations

from math import comb
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

# A first confusion matrix --------------------------------------------------------------------


def tabulate(y: Array, predicted: Array) -> Any:
    M = np.zeros((2, 2))
    for k in (0, 1):
        for j in (0, 1):
            M[k, j] = np.sum((y == k) & (predicted == j))
    error = (M[0, 1] + M[1, 0]) / M.sum()
    missed = M[1, 0] / M[1].sum()
    return M, error, missed


def _answers(rng: Rng) -> tuple[Any, ...]:
    """Both classes, unequal shares, answers that are better than chance."""
    n = int(rng.integers(9, 30))
    y = (rng.random(n) < rng.uniform(0.2, 0.5)).astype(int)
    y[:2] = 0, 1
    return y, np.where(rng.random(n) < 0.7, y, 1 - y)


EIGHT = (np.array([0, 0, 0, 0, 0, 1, 1, 1]), np.array([0, 0, 0, 1, 0, 1, 0, 0]))
TEN = (np.array([1, 0, 0, 1, 0, 0, 0, 1, 0, 1]), np.array([1, 1, 0, 1, 0, 1, 1, 0, 0, 1]))

TABLE = exercise(
    """
    learning_from_examples.table: What kind of mistakes? [8 minutes] [The test set, opened once]
        Every case falls into one of four cells, by what it is and by what was said about it. Count
            the cases in each cell. Both shares can be read off the table.
        M[k, j] counts the cases with y = k and predicted = j. Mistakes stand off the diagonal. The
            missed cases stand in row 1, and so do all cases that could have been missed.
        One cell is `np.sum((y == 1) & (predicted == 0))`; the row sum `M[1].sum()` is the number of
            cases of class 1.
    Remark
        A rule that always says 0 has a small error where class 1 is rare, and misses all of class
        1. One number does not say what kind of mistakes were made.
    """,
    Function(
        tabulate,
        (Result("M", ("2", "2"), points=2), Result("error", points=1), Result("missed", points=1)),
        (
            Case("three cases", ([0, 0, 1], [1, 0, 1])),
            Case("eight cases", EIGHT),
            Case("ten cases", TEN),
            Case("always 0", (EIGHT[0], np.zeros(8, dtype=int))),
        ),
        _answers,
        slips("""
    Rows and columns exchanged
        (y == k) & (predicted == j) -> (y == j) & (predicted == k)
        return M, -> return M.T,
        Rows are the truth and columns the answers: M[true, predicted].
    The right answers are counted
        (M[0, 1] + M[1, 0]) / M -> (M[0, 0] + M[1, 1]) / M
        The error is the share off the diagonal.
    Missed, of all cases
        M[1, 0] / M[1].sum() -> M[1, 0] / M.sum()
        Divide by the number of cases that could have been missed: those of class 1.
    Missed, of those called 0
        / M[1].sum() -> / max(1, M[:, 0].sum())
        This is the share of class 1 among the cases that were called 0. The task asks for the share
        called 0 among the cases of class 1.
    False alarms
        missed = M[1, 0] / M[1].sum() -> missed = M[0, 1] / M[0].sum()
        M[0, 1] counts cases of class 0 that were called 1. A missed case is a 1 called 0.
    The shares of the found ones
        missed = M[1, 0] -> missed = M[1, 1]
        M[1, 1] counts the cases of class 1 that were found.
    Shares in the table
        return M, -> return M / M.sum(),
        M holds counts; divide only for the two shares.
    One kind of mistake only
        (M[0, 1] + M[1, 0]) / M.sum() -> M[0, 1] / M.sum() || M[1, 0] / M.sum()
        Both kinds count as errors: class 0 called 1, and class 1 called 0.
    Mistakes that cancel
        (M[0, 1] + M[1, 0]) / M.sum() -> (M[1, 0] - M[0, 1]) / M.sum() || abs(M[1, 0] - M[0, 1]) /
            M.sum() || (M[0, 1] - M[1, 0]) / M.sum()
        One kind of mistake gives the difference +1, the other −1: in their mean they cancel.
    The mean of the two rates
        (M[0, 1] + M[1, 0]) / M.sum() -> (M[0, 1] / M[0].sum() + M[1, 0] / M[1].sum()) / 2
        The error counts every case once; the mean of the rates gives both classes the same weight.
    A count for a share
        M[1, 0] / M[1].sum() -> M[1, 0]
        Missed is a share: divide by the number of cases of class 1.
    Divided by another number
        M[1, 0] / M[1].sum() -> M[1, 0] / max(M[1, 1], 1) || M[1, 0] / max(M[0].sum(), 1) || M[1, 0]
            / max(M[1, 0] + M[0, 1], 1)
        The missed share divides by all cases of class 1, including those that were found.
    Shares of the rows in the table
        return M, -> return M / M.sum(axis=1, keepdims=True),
        `M` holds counts; here every row adds up to 1.
    Class 1 first
        return M, -> return M[::-1, ::-1],
        `M[true, predicted]` has class 0 in its first row and first column.
            """),
    ),
    another="""
def tabulate(y, predicted):
    M = np.bincount(2 * y + predicted, minlength=4).reshape(2, 2)
    return M, np.mean(y != predicted), np.mean(predicted[y == 1] == 0)
""",
)


# The best cut --------------------------------------------------------------------------------


def best_cut(x: Array, y: Array) -> Any:
    values = np.unique(x)
    cuts = (values[1:] + values[:-1]) / 2
    best = len(y) + 1
    for cut in cuts:
        for above in (0, 1):
            wrong = np.sum(np.where(x > cut, above, 1 - above) != y)
            if wrong < best:
                best, place, label = wrong, cut, above
    return place, label, best


def cut_is_best(arguments: tuple[Any, ...], values: tuple[Array, ...], tolerance: float) -> Any:
    """Complaints about the cut, its label and the count, unless none makes fewer mistakes."""
    (x, y), (place, label, mistakes) = arguments, values
    counted = int(np.sum(np.where(x > place, label, 1 - label) != y))
    least = best_cut(x, y)[2]
    cut = count = ""
    if counted > least:
        cut = f"Mistakes with this cut and label: {counted}. The smallest number: {least}."
    elif np.min(np.abs(x - place)) <= tolerance * max(1.0, float(np.abs(x).max())):
        cut = "A case lies exactly on the cut; put the cut between two values."
    if mistakes != least:
        count = cut or f"Cases that are wrong with this cut and this label above it: {counted}."
    return cut, cut, count


def _line(rng: Rng) -> tuple[Any, ...]:
    """Classes that overlap, in either order, with repeated values now and then."""
    n = int(rng.integers(6, 14))
    y = rng.integers(0, 2, n)
    y[:2] = 0, 1
    x = rng.normal(size=n) + (1.7 if rng.random() < 0.5 else -1.7) * y
    if rng.random() < 0.5:  # the best cut is the first or the last
        y = 1 * (x == (x.max() if rng.integers(2) else x.min()))
    return (np.round(x, 1) if rng.random() < 0.4 else x), y


SIX = (np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), np.array([0, 0, 1, 0, 1, 1]))
TURNED = (np.array([3.5, 0.5, 2.0, 7.0, 5.5]), np.array([0, 1, 1, 0, 0]))
LARGEST = (np.array([2.5, 9.0, 4.0, 1.0, 3.0]), np.array([0, 1, 0, 0, 0]))
REPEATED = (np.array([1.0, 1.0, 1.0, 2.0, 2.0, 4.0]), np.array([0, 1, 0, 1, 1, 1]))


def two_places(x: Array, y: Array) -> bool:
    """At least two different values, and both classes."""
    return len(np.unique(x)) > 1 and len(np.unique(y)) > 1


BEST_CUT = exercise(
    """
    learning_from_examples.best_cut: The cut with the fewest mistakes [12 minutes] [The check]
        Between two neighbouring values it does not matter where the cut lies. So there are only a
            few cuts to compare, and for each of them two ways to label its sides.
        For values v1 < v2 < … the places are (v1 + v2)/2, (v2 + v3)/2, … Mistakes of a cut c with
            label a above it: those with x > c and y ≠ a, and those with x ≤ c and y ≠ 1 − a.
        `np.sum(np.where(x > cut, above, 1 - above) != y)` counts the mistakes of one cut; loop over
            `cut` and over `above in (0, 1)`.
    Remark
        Comparing all of them is possible because only the order of the cases matters.
        `CutClassifier(max_cuts=1)` does this, and so does a decision tree of depth 1.
    """,
    Function(
        best_cut,
        (
            Result("cut", points=2),
            Result("above", kind="count", points=1),
            Result("mistakes", kind="count", points=2),
        ),
        (
            Case("six cases", SIX),
            Case("class 1 below", TURNED),
            Case("repeated values", REPEATED),
            Case("the largest one alone is of class 1", LARGEST),
        ),
        _line,
        slips("""
    Class 1 is always above
        in (0, 1): -> in (1,):
        Class 1 may also have the smaller values: try both labels for the upper side.
    The cut lies on a case
        (values[1:] + values[:-1]) / 2 -> values[:-1]
        This cut lies on a value of x. Put it half-way between two neighbouring values.
    Places counted with repeats
        np.unique(x) -> np.sort(x)
        Half-way between two equal values is that value itself: take the different values only.
    Neighbours in the order given
        np.unique(x) -> x
        The cases need not come in the order of x: sort the values before you take middles.
    The most mistakes
        best = len(y) + 1 -> best = -1 ; wrong < best -> wrong > best
        This is the worst cut of all.
    The right ones are counted
        return place, label, best -> return place, label, len(y) - best
        `mistakes` counts the wrong labels.
    A share
        return place, label, best -> return place, label, best / len(y)
        `mistakes` is a number of cases, not a share.
    The label below
        return place, label -> return place, 1 - label
        `above` is the label of the cases with x > cut.
    Class 0 is always above
        in (0, 1): -> in (0,):
        Class 1 may also have the larger values: try both labels for the upper side.
    The cut lies on the next case
        (values[1:] + values[:-1]) / 2 -> values[1:]
        The cut is half-way between two neighbours, not on the larger of them.
    The middle of the data
        (values[1:] + values[:-1]) / 2 -> [np.mean(x)] || [np.median(x)] || [(x[y == 0].mean() + x[y
            == 1].mean()) / 2]
        Try every cut between two neighbours. A mean, a median or the middle of two means is one
        place among many.
    Some cuts are left out
        (values[1:] + values[:-1]) / 2 -> (values[1:] + values[:-1])[:-1] / 2 || (values[1:] +
            values[:-1])[1:] / 2 || (values[1:] + values[:-1])[:1] / 2
        Every gap between two neighbours is a place for the cut, the first and the last as well.
    Not the middle
        values[1:] + values[:-1] -> values[1:] - values[:-1]
        (values[1:] + values[:-1]) / 2 -> values[1:] + values[:-1] || (values[1:] + values[:-1]) //
            2
        Half-way between a and b is (a + b)/2.
    Mistakes of one class only
        above, 1 - above) != y) -> above, 1 - above) > y) || above, 1 - above) < y)
        Both kinds of mistakes count: class 0 called 1, and class 1 called 0.
    Mistakes that cancel
        np.sum(np.where(x > cut, above, 1 - above) != y) -> abs(np.sum(np.where(x > cut, above, 1 -
            above) - y))
        The differences of the labels are +1 and −1 and cancel in the sum; count the unequal ones.
    x is sorted, y is not
        values = np.unique(x) -> values = np.unique(x); x = np.sort(x) || values = x = np.sort(x)
        Each label belongs to its x: sort both together.
    The mistakes of the last cut
        return place, label, best -> return place, label, wrong
        `mistakes` belongs to the cut that is returned; here it belongs to the last one tried.
            """),
        valid=two_places,
        accepts=cut_is_best,
        expected="a cut between two values with the fewest mistakes, and the label above it",
    ),
)


# Leave one out -------------------------------------------------------------------------------


def left_out_error(X: Array, y: Array) -> Any:
    wrong = 0
    for i in range(len(y)):
        distances = ((X - X[i]) ** 2).sum(axis=1)
        distances[i] = np.inf
        wrong += y[distances.argmin()] != y[i]
    return wrong / len(y)


def _cloud(rng: Rng) -> tuple[Any, ...]:
    n, d = int(rng.integers(6, 13)), int(rng.integers(3, 6))
    y = rng.integers(0, 3 if rng.random() < 0.3 else 2, n)
    X = rng.normal(size=(n, d)) * rng.uniform(0.5, 6, d) + 1.2 * y[:, None]
    return X, y


FIVE = (
    np.array([[0.0, 0.0], [1.0, 0.5], [0.2, 3.0], [4.0, 0.25], [4.5, 3.5]]),
    np.array([0, 0, 1, 1, 1]),
)
STAIRS = (np.array([[1.0], [2.1], [3.4], [4.9], [6.6], [8.5]]), np.array([0, 1, 0, 0, 1, 1]))
UNITS = (
    np.array([[100.0, 0.1], [300.0, 0.2], [90.0, 0.9], [310.0, 0.8], [200.0, 0.5]]),
    np.array([0, 0, 1, 1, 0]),
)

LEFT_OUT = exercise(
    """
    learning_from_examples.left_out: The memoriser, each example left out once [10 minutes] [The
            same thing in code]
        The memoriser's training error is 0 because each example is its own nearest neighbour. Take
            the example out before you look for the nearest one.
        For example i: the smallest ‖X[j] − X[i]‖ over all j ≠ i; a mistake if y[j] ≠ y[i]. The
            error is the share of mistakes among the N examples.
        Set `distances[i] = np.inf` before `distances.argmin()`.
    Remark
        This is cross-validation with N folds. It needs no random division. The memoriser fits
        nothing, so it costs no more than one prediction for each example.
    """,
    Function(
        left_out_error,
        (Result("error", points=5),),
        (
            Case("five examples in the plane", FIVE),
            Case("six on a line", STAIRS),
            Case("features in different units", UNITS),
        ),
        _cloud,
        slips("""
    Nothing is left out
        distances[i] = np.inf -> pass
        Each example is its own nearest neighbour, so this is the training error: 0.
    The farthest example
        = np.inf -> = -np.inf ; argmin() -> argmax()
        The example that is farthest away decides here; it should be the nearest.
    Only the first feature
        .sum(axis=1) -> [:, 0]
        The distance takes all features together.
    Differences with their signs
        ((X - X[i]) ** 2) -> (X - X[i])
        ((X - X[i]) ** 2).sum(axis=1) -> abs((X - X[i]).sum(axis=1))
        Differences of opposite signs cancel: square them, or take absolute values, before adding.
    The rows have moved up
        distances[i] = np.inf -> distances = np.delete(distances, i)
        Without example i the later ones move up by one: take the label from `y` without i as well.
    City blocks
        ((X - X[i]) ** 2) -> abs(X - X[i])
        The sum of absolute differences is another distance. Here the sum of squares decides.
    The share of right ones
        ] != y[i] -> ] == y[i]
        The error is the share of mistakes, 1 minus this number.
    A count
        return wrong / len(y) -> return wrong
        The error is a share: divide by the number of examples.
    Only the examples before it
        distances[i] = np.inf -> distances[i:] = np.inf
        Every other example may be the nearest, a later one too.
    One feature is left out
        ((X - X[i]) ** 2).sum(axis=1) -> ((X - X[i])[:, :-1] ** 2).sum(axis=1) || ((X - X[i])[:, 1:]
            ** 2).sum(axis=1)
        The distance takes all features.
    The largest difference
        .sum(axis=1) -> .max(axis=1)
        The distance is the sum of the squares over all features, not the largest of them.
    The second nearest
        distances.argmin() -> distances.argsort()[1]
        The example itself is out already: the nearest of the others comes first.
    Divided by another number
        / len(y) -> / (len(y) - 1) || / X.shape[1]
        Every example is judged once: divide by N.
    An example is not judged
        in range(len(y)): -> in range(len(y) - 1): || in range(1, len(y)):
        Each example is left out once, the first and the last as well.
    Only the examples after it
        distances[i] = np.inf -> distances[: i + 1] = np.inf
        All other examples may be the nearest, those before it too.
    Labels are no numbers
        y[distances.argmin()] != y[i] -> abs(y[distances.argmin()] - y[i])
        A wrong label is one mistake, however far the two numbers lie apart.
    Several neighbours vote
        y[distances.argmin()] -> np.bincount(y[distances.argsort()[:3]]).argmax() ||
            np.bincount(np.delete(y, i)).argmax() || np.bincount(y).argmax()
        The memoriser takes the label of the one nearest example.
    The neighbour in the list
        y[distances.argmin()] -> y[i - 1]
        The nearest is the one with the smallest distance, not the one that stands before it.
    A scalar product for a distance
        ((X - X[i]) ** 2).sum(axis=1) -> -(X @ X[i])
        Near means a small distance. A large scalar product may only mean that a row of X is long.
            """),
    ),
    another="""
def left_out_error(X, y):
    distances = ((X[:, None] - X) ** 2).sum(axis=2) + np.diag(np.full(len(X), np.inf))
    return np.mean(y[distances.argmin(axis=1)] != y)
""",
)


# Guessing ------------------------------------------------------------------------------------

GUESSING = exercise(
    """
    learning_from_examples.guessing: What guessing costs [10 minutes] [The risk]
        A guess can be right in two ways: it says 1 where the label is 1, or 0 where it is 0. The
            start adds both. Multiply out, and look for what p ≥ 1/2 keeps from being negative.
        Multiplied out there are four terms, and two of them contain q. Written as 1 − p + q(…),
            what stands in the bracket? It is not negative, since p ≥ 1/2. Which q makes the whole
            largest?
        The first line is `= 1 - p - q + 2*p*q`. The third is the only one that begins with `<=`;
            there 1 stands in place of q.
    Remark
        So no coin, not even one that shows 1 with the true probability p, beats always giving the
        more probable answer. A best classifier needs no dice.
    """,
    Proof(
        "guessing",
        "q*p + (1 - q)*(1 - p)",
        steps("""
    the factor 1 - q multiplied out [1 point]
        1 - p - q + 2*p*q
        without 1 - q
        with (1 - q)*(2*p - 1)
        is q*p + (1 - q)*p
    the terms with q together [2 points]
        1 - p + q*(2*p - 1)
        with q*(2*p - 1); without 1 - q
        with (1 - q)*(2*p - 1)
        is q*p + (1 - q)*p
    q is at most 1
        1 - p + (2*p - 1)
    the goal [2 points]
        p
        """),
        symbols={"p q": "real"},
        given=("p >= 1/2", "p <= 1", "q >= 0", "q <= 1"),
        asked="<=",
        slips=slips("""
    The mixed term once
        1 - p - q + 2*p*q -> 1 - p - q + p*q
        1 - p + q*(2*p - 1) -> 1 - p + q*(p - 1)
        Both products contain p·q with a plus: together 2pq, and so the bracket is 2p − 1.
    A sign while multiplying out
        1 - p - q + 2*p*q -> 1 - p + q + 2*p*q || 1 - p - q
        (1 − q)(1 − p) is 1 − p − q + pq.
    The sign of the bracket
        1 - p + q*(2*p - 1) -> 1 - p - q*(2*p - 1)
        Taking q out of −q + 2pq leaves 2p − 1 in the bracket.
    q is replaced by 0
        1 - p + (2*p - 1) -> 1 - p
        The bracket is not negative, so q = 1 makes the right side largest, not q = 0.
            """),
    ),
)


# Data on which the memoriser fails -----------------------------------------------------------


def _left_out(x: Array, y: Array) -> float:
    return float(left_out_error(x[:, None], y))


def knows_everything(x: Array, y: Array) -> str:
    """Eight to fifty different places with both classes."""
    if len(x) != len(y):
        return f"There are {len(x)} places and {len(y)} labels."
    if not 8 <= len(x) <= 50:
        return f"There are {len(x)} examples; give 8 to 50."
    if len(np.unique(x)) < len(x):
        return "Two examples lie in the same place."
    if set(y.tolist()) != {0, 1}:
        return "Both labels, 0 and 1, must occur, and no others."
    if min(np.sum(y == 0), np.sum(y == 1)) < 4:
        return "Give at least four examples of each class."
    return ""


def predicts_nothing(x: Array, y: Array) -> str:
    """Every left-out example is called wrongly, and a cut would not be."""
    complaint = knows_everything(x, y)
    if complaint:
        return complaint
    error = _left_out(x, y)
    if error == 1:
        return ""
    distance = np.abs(x[:, None] - x) + np.diag(np.full(len(x), np.inf))
    near = distance.argmin(axis=1)
    k = int(np.argmax(y == y[near]))
    return (
        f"The error with one example left out is {error:.2f}, not 1. `x_fails[{k}]` is labelled "
        f"correctly: its nearest neighbour, {x[near[k]]:g}, has the same label."
    )


def _blocks(x: Array, y: Array) -> bool:
    return not knows_everything(x, y) and _left_out(x, y) < 0.5


def _some_right(x: Array, y: Array) -> bool:
    return not knows_everything(x, y) and 0.5 <= _left_out(x, y) < 1


def _same_place(x: Array, y: Array) -> bool:
    return len(x) == len(y) and len(np.unique(x)) < len(x)


def _signs(x: Array, y: Array) -> bool:
    return set(y.tolist()) == {-1, 1}


FAILS = exercise(
    """
    learning_from_examples.fails: Data on which the memoriser knows everything and predicts nothing
            [8 minutes] [What goes wrong]
        The nearest other example has to be one of the other class, for every example. What if the
            examples come in pairs?
        Put pairs far from each other: in each pair one example of class 0 and one of class 1, close
            together. Then each one's nearest neighbour is its partner.
        A first pair: `x_fails[:2]` is `[0.0, 0.1]`. How far away must the next pair be, and what
            are the labels in a pair?
    Remark
        In such data a memoriser is worse than a coin, and leaving examples out shows it.
        Cross-validation judges a method on these data; it does not make the data simple.
    """,
    Values(
        ("x_fails", "y_fails"),
        (
            Property("8 to 50 different places, 4 or more of each class", 1.0, knows_everything),
            Property(
                "every example gets the wrong label when it is left out", 3.0, predicts_nothing
            ),
        ),
        (Result("x_fails", ("N",)), Result("y_fails", ("N",), "count")),
        slips("""
    Blocks of one class
        when _blocks
        Where neighbours have the same label the memoriser is right. Mix the classes so that each
        example's nearest neighbour is of the other class.
    Some are right
        when _some_right
        At least half of the examples have their nearest neighbour in the other class, but not all.
        Look at the ends, and at places with equal distances on both sides.
    The same place twice
        when _same_place
        Each example needs its own place: two labels in one place make even the training error
        positive.
    Labels −1 and 1
        when _signs
        The labels here are 0 and 1.
            """),
    ),
    another="x_fails, y_fails = [0, 0.1, 1, 1.1, 2, 2.1, 3, 3.1], [0, 1, 0, 1, 0, 1, 0, 1]",
)


# Luck ----------------------------------------------------------------------------------------


def luckiest(m: int, n: int) -> Any:
    expected = 0.0
    for j in range(n):
        more = sum(comb(n, i) for i in range(j + 1, n + 1)) / 2**n
        expected += more**m
    return expected / n


def _tries(rng: Rng) -> tuple[Any, ...]:
    return int(rng.integers(1, 60)), int(rng.integers(1, 40))


LUCK = exercise(
    """
    learning_from_examples.luck: How lucky is the best of m? [15 minutes] [What goes wrong]
        The number of mistakes of one guesser on n cases is binomial with probability 1/2. The best
            of m has more than j mistakes exactly when all of them have.
        A random whole number T ≥ 0 has the mean Σ P(T > j) over j = 0, 1, 2, … Let T be the
            mistakes of the best, B those of one guesser: P(T > j) = P(B > j)^m, and P(B > j) = Σ
            C(n, i)/2ⁿ over i > j.
        `more = sum(comb(n, i) for i in range(j + 1, n + 1)) / 2**n` is P(B > j) for one guesser and
            one j.
    Remark
        On 60 cases the best of 100 guessers is wrong on 34 % of them on average, though each has
        the risk 1/2. A small set of cases that chooses among many flatters the winner.
    """,
    Function(
        luckiest,
        (Result("expected", points=5),),
        (
            Case("one guesser", (1, 10)),
            Case("two guessers, one case", (2, 1)),
            Case("three guessers, two cases", (3, 2)),
            Case("100 guessers, 60 cases", (100, 60)),
        ),
        _tries,
        slips("""
    A count of mistakes
        return expected / n -> return expected
        This is the expected number of mistakes; the error is its share of n.
    At least j
        range(j + 1, n + 1) -> range(j, n + 1)
        With P(T ≥ j) the sum has to start at j = 1. P(T > j), from j = 0 on, leaves out i = j.
    The unluckiest
        more**m -> 1 - (1 - more) ** m
        This is the worst of m: it has more than j mistakes if any of them has. The best has more
        than j only if all of them have.
    One guesser only
        more**m -> more
        This does not depend on m. All m have more than j mistakes with the m-th power of the
        probability for one.
    All sequences equally many
        sum(comb(n, i) for i in range(j + 1, n + 1)) / 2**n -> (n - j) / (n + 1)
        The number of mistakes is not uniform: j mistakes can happen in C(n, j) ways.
    A product for a power
        more**m -> more * m || min(1, more * m)
        All m have more than j mistakes with the m-th power of one probability, not with m times it.
    One term too many or too few
        range(n): -> range(-1, n): || range(n - 1):
        The mean of a count is the sum of P(count ≥ j) over j = 1, …, n.
    The ends of the inner sum
        range(j + 1, n + 1) -> range(j + 2, n + 1) || range(j + 1, n)
        More than j of n means j + 1, …, n: both of these ends are included.
    Exactly, not at least
        sum(comb(n, i) for i in range(j + 1, n + 1)) -> comb(n, j + 1)
        expected += more**m -> expected += (j + 1) * (comb(n, j + 1) / 2**n) ** m
        The power m belongs to “at least j”: for the smallest to be j or more all have to be.
    m and n exchanged
        expected = 0.0 -> expected, m, n = 0.0, n, m
        more**m -> more**n
        m classifiers are tried on n cases: comb(n, i), and the power m.
    Only the chance of no mistake
        return expected / n -> return 1 - (1 - 0.5**n) ** m
        The smallest share can be 0, 1/n, …, 1. Its mean needs the probabilities of all of them.
    As with a single case
        return expected / n -> return 0.5**m
        With one case the best of m is wrong only if all are. With n cases there are more counts.
    A half, divided by m
        return expected / n -> return 0.5 / m
        This does not depend on n. On many cases every guesser is near 1/2, the best one too.
    Divided by another number
        expected / n -> expected / (n + 1) || expected / m
        A share of mistakes divides by n, the number of cases.
            """),
    ),
)


# Which bar moves? ----------------------------------------------------------------------------

BARS = exercise(
    """
    learning_from_examples.bars: A report with two flaws [5 minutes] [What goes wrong]
        Which numbers in the report were used to choose something? And what must be compared before
            one may say that nothing is left to gain?
        The chapter knows three gaps above the Bayes error, and each is a difference of risks. And
            the smallest of many shares is not the share on fresh cases.
        Take the made world with one cut and very many examples: both errors of the cut are then
            about equal. Are they near the best possible error, 0.223?
    Remark
        That two errors agree says that a number can be believed. It does not say that the number is
        good.
    """,
    Prediction(
        ("flawed", "because"),
        choices("""
    a. The memoriser is wrong on none of the 400. That alone does not tell how it does on others.
        It would be wrong on none of them with coin tosses for labels too.
    b. Of 100 sets of features the best was wrong on 5 % of the 400, in cross-validation.
        That is what was seen. The sentence promises nothing.
    c. Each of the 400 was judged by a model that was fitted without it, so the chosen set will be
            wrong on about 5 % of new cases. [right]
        No model saw its case. And yet the 400 decided which of the hundred was taken.
    d. One cut on the radius is wrong on 11 % of the 400 and on 11 % of the 169, so for the cut the
            training error could be believed.
        There is little to fit in one cut, and the two numbers agree.
    e. Since both are 11 %, nothing is left to gain from the radius, whatever is fitted. [right]
        They agree about this cut. About other functions of the radius they say nothing.
    f. If the 169 are now used to choose between two methods, the error of the winner has to be
            measured on yet other cases.
        Then they have chosen, as the 400 did in (b).
            """),
        choices("""
    a. the smallest of a hundred shares owes part of its lead to luck [right]
        Fresh cases repeat the winner's merits, and not its luck.
    b. with five folds the models saw fewer cases than they will in the end
        They did, and so the error of each set comes out a little too high, not too low.
    c. how far the best cut is from the best function shows in neither of the two [right]
        This gap is the approximation error, and more cases or a perfect search leave it alone.
    d. a training error is lower than the error on new cases, always
        On average it is, for what was fitted. In single samples it can be higher.
    e. whoever makes no mistake on the training cases must do badly on others
        The memoriser on 30 scaled features made none either, and did best of all.
            """),
        points=2.0,
    ),
    version=2,
)

EXERCISES = (TABLE, BEST_CUT, LEFT_OUT, GUESSING, FAILS, LUCK, BARS)
