"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

SEPALS = question("""
    fisher.sepals: The weight of the sepals [The question]
        All four measurements are larger in virginica on average. On the best ruler a high reading
            says virginica. What weight does the length of the sepals get?
    a. a positive one, since virginica has the longer sepals
        That is how the difference of the means reasons, feature by feature: 10 mistakes. Long
            sepals go with long petals inside each species, too.
    b. about 0: they separate badly, so they are left out
        Alone they do. Next to the petals they still tell something that the petals do not.
    c. a negative one [right]
        Long sepals say that the flower is big, and a big flower's petals are to be discounted.
    """)

MARK = question("""
    fisher.where_the_mark_goes: The mark between two unequal classes [Where to put the mark]
        Class 0 lies around -1, class 1 around 1, both with variance 1; class 1 is nine times as
            frequent. The midpoint, 0, errs on 16 %. The grand mean is 0.8. On how much does a mark
            there err?
    a. on less, about 7 %
        Then the mark would have to give room to the class that is frequent. Which class has room at
            0.8?
    b. on 16 %, as before
        The two kinds of mistakes do not change by the same amount: one class is nine times as
            frequent.
    c. on more, about 38 % [right]
        Everything below 0.8 is called class 0, and that is 42 % of the frequent class.
    """)


def fisher(X: Array, y: Array) -> Any:
    means = [X[y == k].mean(axis=0) for k in (0, 1)]
    S_w = sum((X[y == k] - means[k]).T @ (X[y == k] - means[k]) for k in (0, 1))
    return np.linalg.solve(S_w, means[1] - means[0])


def _draw(rng: Rng) -> tuple[Any, ...]:
    d, ones = int(rng.integers(2, 4)), int(rng.integers(3, 6))
    y = rng.permutation(np.repeat([0, 1], [ones + 4, ones]))
    X = rng.normal(size=(len(y), d)) @ rng.normal(size=(d, d))
    return X + rng.normal(0, 2, (2, d))[y], y


def _possible(X: Array, y: Array) -> bool:
    return (
        len(X) == len(y)
        and set(np.unique(y)) == {0, 1}
        and bool(np.linalg.cond(np.cov((X - [X[y == k].mean(0) for k in y]).T)) < 1e5)
    )


DIRECTION = small(
    r"""
    fisher.direction: Fisher's direction [The same thing in code]
        The difference of the two class means, and a matrix that holds the widths of both classes.
        $S_w=\sum_k\sum_{y_i=k}(x_i-\mu_k)(x_i-\mu_k)^T$: for each class the centred rows A give
            A^T A. Then $S_w^{-1}(\mu_1-\mu_0)$.
        With `A = X[y == 1] - X[y == 1].mean(axis=0)` the scatter of class 1 is `A.T @ A`.
    """,
    Function(
        fisher,
        (Result("w", ("d",)),),
        (
            Case(
                "two and three examples",
                ([[0.0, 0.0], [2.0, 1.0], [4.0, 1.0], [5.0, 3.0], [6.0, 1.0]], [0, 0, 1, 1, 1]),
            ),
            Case(
                "class 1 lies to the left",
                ([[3.0, 0.0], [4.0, 2.0], [6.0, 1.0], [0.0, 1.0], [1.0, -1.0]], [0, 0, 0, 1, 1]),
            ),
        ),
        _draw,
        slips("""
            The mean difference
                return np.linalg.solve(S_w, means[1] - means[0]) -> return means[1] - means[0]
                That is the first criterion, which forgets the widths: multiply it by S_w⁻¹.
            S_w instead of its inverse
                np.linalg.solve(S_w, means[1] - means[0]) -> S_w @ (means[1] - means[0])
                Directions in which the classes are wide count less: S_w⁻¹, not S_w.
            From class 1 to class 0
                means[1] - means[0] -> means[0] - means[1]
                High readings should say class 1: μ₁ - μ₀.
            Covariances for scatters
                (X[y == k] - means[k]).T @ (X[y == k] - means[k]) -> np.cov(X[y == k].T)
                A scatter is a sum; nothing is divided by the number of examples. With unequal
                counts that changes the direction.
            One mean for both
                (X[y == k] - means[k]).T @ (X[y == k] - means[k]) -> (X[y == k] -
                    X.mean(axis=0)).T @ (X[y == k] - X.mean(axis=0))
                Each class is centred at its own mean.
            Divided by N - 2
                np.linalg.solve(S_w, -> np.linalg.solve(S_w / (len(y) - 2),
                That is the same direction, N - 2 times as long: a scatter is not divided.
            One class only
                for k in (0, 1)) -> for k in (1,))
                Both classes should be narrow: add both scatters.
            The variances only
                np.linalg.solve(S_w, means[1] - means[0]) -> (means[1] - means[0]) / np.diag(S_w)
                How the features vary together counts too: the whole matrix S_w.
        """),
        valid=_possible,
    ),
)

TRIES = (SEPALS, MARK, DIRECTION)
