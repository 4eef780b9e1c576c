"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

STEP = question("""
    logistic_model.one_weight: One weight, two passengers [What goes wrong]
        The weight of female is 2.50. What does it do to a probability of 0.5, and to one of 0.02?
    a. it adds 0.42 to both
        Then a weight would be a step in probability, and 0.6 would become 1.02.
    b. it multiplies both by 12
        The odds are multiplied by 12. Twelve times 0.5 is no probability.
    c. 0.5 becomes 0.92, and 0.02 becomes 0.20 [right]
        The odds are multiplied by 12: from 1 to 12, and from 1/49 to about 1/4.
    d. 0.5 becomes 0.92, and 0.02 stays where it is, nearly
        The sigmoid is flat there, but the step is long: 2.50 leads out of the flat part.
    """)

FILLING = question("""
    logistic_model.filling: Four ways with a missing age [What goes wrong]
        Ten years more multiply the odds by 0.713 in the fit above, which drops the 263 passengers
            of unknown age. Which other way hides most of the effect of age?
    a. the median for each missing age
        The median lies in the middle of the ages, so these passengers pull the slope little.
    b. the median, and a flag that is 1 where it was filled in
        The flag takes what is special about these passengers; the slope is left to the others.
    c. 0 for each missing age [right]
        They stand at the end of the axis, among the infants, and mostly died.
    d. none: what is missing cannot change a weight
        Every filled row is a row of the data like the others.
    """)


def draw_probability(X: Array, w: Array) -> Any:
    z = w[0] + X @ w[1:]
    return np.column_stack([z, 1 / (1 + np.exp(-z))])  # the points that it scatters


def _draw(rng: Rng) -> tuple[Any, ...]:
    N, d = int(rng.integers(2, 6)), int(rng.integers(3, 5))
    return rng.normal(size=(N, d)), rng.normal(size=d + 1)


MODEL = small(
    r"""
    logistic_model.probability: A point for every row [The same thing in code]
        First the score of every row, then the sigmoid of each score.
        $z=w_0+\sum_j w_jx_j$, and $p=1/(1+e^{-z})$. The bias is the first entry of w.
        `z = w[0] + X @ w[1:]`, and `ax.scatter(z, p)` with the probabilities in `p`.
    """,
    Function(
        draw_probability,
        (Result("points", ("N", "2")),),
        (
            Case(
                "score 0, and score log 3",
                ([[1.0, 0.0], [0.0, 0.0]], [1.0986122886681098, -1.0986122886681098, 5.0]),
            ),
            Case("no feature counts", ([[2.0, 3.0]], [-1.0, 0.0, 0.0])),
        ),
        _draw,
        slips("""
            The bias last
                w[0] + X @ w[1:] -> w[-1] + X @ w[:-1]
                In this course the bias is the first entry of w.
            The bias is missing
                w[0] + X @ w[1:] -> X @ w[1:]
                z = w₀ + w·x.
            The axes exchanged
                [z, 1 / (1 + np.exp(-z))] -> [1 / (1 + np.exp(-z)), z]
                The score goes to the right, the probability up.
            The probability of the other class
                np.exp(-z) -> np.exp(z)
                1/(1 + e^z) is σ(−z), the probability of label 0.
            The odds
                1 / (1 + np.exp(-z)) -> np.exp(z)
                e^z is p/(1 − p). Solve it for p.
            The score
                1 / (1 + np.exp(-z)) -> z
                This is the log-odds. The sigmoid of it is the probability.
            The label
                1 / (1 + np.exp(-z)) -> (z > 0) * 1.0
                The perceptron keeps the sign only. Here the number is wanted.
        """),
    ),
)

TRIES = (MODEL, STEP, FILLING)
