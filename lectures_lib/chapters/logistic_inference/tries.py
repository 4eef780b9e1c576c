"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

APART = question("""
    logistic_inference.apart: A copy that moves away [When there is no maximum]
        Fifteen values of class 0, and the same fifteen, moved to the right, of class 1. What does
            z, the weight over its standard error, do as the copy moves away?
    a. it grows without end
        The weight does. But z is the weight over its error, and the error follows from the
            curvature at the maximum.
    b. it grows towards a limit
        It would, if weight and error grew alike. Which of the two is faster when few examples are
            left between the groups?
    c. it grows, and then it falls [right]
        Near the end few examples have p between 0 and 1, so there is little information: the error
            grows faster than the weight.
    """)

BEST = question(r"""
    logistic_inference.best_of_twenty: The best of twenty [What goes wrong]
        Twenty features of pure noise. Each by itself has an interval that excludes 0 in 5 % of the
            samples. In what share of the samples does the interval of the best of them exclude 0?
    0.57 to 0.66 [right]
        None of twenty has $0.95^{20}=0.36$ of the samples; in the other 64 % at least one does, and
            the best is one of those.
    0.03 to 0.07
        That is the share for a feature that was fixed before. This one was picked for its |z|.
    0.33 to 0.4
        That is about the share of samples in which none of the twenty does.
    1
        Twenty times 5 % is the mean number of such features. Several can meet in one sample, and
            others have none.
    otherwise
        In what share of the samples do all twenty intervals hold 0?
    """)


def draw_intervals(X: Array, w: Array) -> Any:
    ones = np.column_stack([np.ones(len(X)), X])
    p = 1 / (1 + np.exp(-(ones @ w)))
    errors = np.sqrt(np.diag(np.linalg.inv(ones.T @ ((p * (1 - p))[:, None] * ones))))
    low, high, height = w - 1.96 * errors, w + 1.96 * errors, np.arange(len(w))
    return np.dstack([np.column_stack([low, high]), np.column_stack([height, height])])


def _draw(rng: Rng) -> tuple[Any, ...]:
    n, d = int(rng.integers(8, 14)), int(rng.integers(3, 5))
    return rng.normal(0.4, 1, (n, d)), rng.normal(size=d + 1)


def _possible(X: Array, w: Array) -> bool:
    ones = np.column_stack([np.ones(len(X)), X])
    p = 1 / (1 + np.exp(-(ones @ w)))
    return bool(np.linalg.cond(ones.T @ ((p * (1 - p))[:, None] * ones)) < 1e6)


ERRORS = small(
    r"""
    logistic_inference.standard_errors: An interval for each weight [The same thing in code]
        The covariance of the estimates is the inverse of the information, with the fitted weights
            put in. Where do the variances stand in it?
        The roots of the diagonal of $(X^TDX)^{-1}$, where X has the column of ones and D holds
            $p(1-p)$.
        `ones.T @ ((p * (1 - p))[:, None] * ones)` is the information; `np.linalg.inv` and `np.diag`
            do the rest, but for the root. Then `ax.plot([low, high], [j, j])` for each weight.
    """,
    Function(
        draw_intervals,
        (Result("lines", ("d+1", "2", "2")),),
        (
            Case("three examples, w = 0", (np.array([[-1.0], [0.0], [1.0]]), np.zeros(2))),
            Case("with weights", (np.array([[0.0], [1.0], [3.0]]), np.array([1.0, -0.5]))),
        ),
        _draw,
        slips("""
            The variances
                np.sqrt(np.diag(np.linalg.inv(ones.T @ ((p * (1 - p))[:, None] * ones)))) ->
                    np.diag(np.linalg.inv(ones.T @ ((p * (1 - p))[:, None] * ones)))
                The diagonal holds variances: take the root.
            The inverse of each entry alone
                np.sqrt(np.diag(np.linalg.inv(ones.T @ ((p * (1 - p))[:, None] * ones)))) -> 1 /
                    np.sqrt(np.diag(ones.T @ ((p * (1 - p))[:, None] * ones)))
                Invert the whole matrix first: the weights are estimated together.
            D is missing
                (p * (1 - p))[:, None] * ones -> ones
                An example counts with the weight p(1 - p).
            One error on either side
                w - 1.96 * errors, w + 1.96 * errors -> w - errors, w + errors
                From 1.96 errors below the weight to 1.96 above: 95 % of a Gaussian.
            A mean for the sum [E4-19]
                ones.T @ ((p -> ones.T / len(X) @ ((p
                The information is a sum over the examples: more examples, smaller errors.
        """),
        valid=_possible,
    ),
)

TRIES = (APART, ERRORS, BEST)
