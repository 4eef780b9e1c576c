"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

MOVES = question("""
    maximum_margin.which_move: Which point may move? [The check]
        The street stands. Which of these moves leaves it as it is?
    a. any support vector, along its kerb
        Its product s·g stays 1, and it still stands on the kerb. But w is a sum over the support
            vectors, and one of its terms changes.
    b. any point that is no support vector, as long as it stays beyond its kerb [right]
        Its multiplier is 0 and stays 0: nothing in the conditions changes.
    c. any point that is no support vector, wherever it goes
        Inside the street or on the wrong side its constraint no longer holds.
    d. no point at all
        180 of the 200 pictures have the multiplier 0. They do not hold the street.
    """)

BETTER = question("""
    maximum_margin.how_many_better: The widest street, on new pictures [What goes wrong]
        200 perceptrons and the widest street make no mistake on the training pictures. How many of
            the perceptrons make fewer mistakes than the street on the 157 others?
    a. none
        The widest street is a good rule, and no theorem makes it the best on one test set.
    b. about one in twenty
        More. Among 200 separators many are lucky with these 157 pictures.
    c. about half [right]
        96 of 200: the street makes 11 mistakes, the perceptrons 3 to 17.
    """)


def soft_objective(X: Array, s: Array, w: Array, w0: float, C: float) -> Any:
    slack = np.maximum(0, 1 - s * (X @ w + w0))
    return w @ w / 2 + C * slack.sum()


def _draw(rng: Rng) -> tuple[Any, ...]:
    N, d = int(rng.integers(3, 7)), int(rng.integers(3, 5))
    X, s = rng.normal(size=(N, d)), rng.choice([-1.0, 1.0], N)
    return X, s, rng.normal(size=d), float(rng.normal()), float(rng.choice([0.3, 2.0, 7.0]))


OBJECTIVE = small(
    r"""
    maximum_margin.soft_objective: What is made small [When no line separates: pay for it]
        Two terms: half the squared length of w, and C times the sum of the cheapest slacks.
        $\xi_i=\max(0,\,1-s_i\,g(x_i))$. For all examples at once the maximum is `np.maximum`.
        `slack = np.maximum(0, 1 - s * (X @ w + w0))`.
    """,
    Function(
        soft_objective,
        (Result("objective"),),
        (
            Case(
                "one point on its kerb, one inside the street",
                ([[2.0, 0.0], [0.5, 0.0]], [1.0, 1.0], [1.0, 0.0], -1.0, 2.0),
            ),
            Case(
                "one far beyond its kerb, one on the wrong side",
                ([[5.0, 0.0], [3.0, 0.0]], [1.0, -1.0], [1.0, 0.0], -1.0, 1.0),
            ),
        ),
        _draw,
        slips("""
            Slack where none is needed
                np.maximum(0, 1 - s * (X @ w + w0)) -> 1 - s * (X @ w + w0)
                A point beyond its kerb needs no slack; here it gets a negative one.
            The hinge of the perceptron
                1 - s * (X @ w + w0) -> -s * (X @ w + w0)
                The kerb is at s·g = 1, not at 0.
            The bias is missing
                X @ w + w0 -> X @ w
                g(x) = w·x + w₀.
            Without the half
                w @ w / 2 -> w @ w
                This course writes ½‖w‖². Without the half the same C means half as much.
            A mean for a sum
                slack.sum() -> slack.mean()
                C is the price of each unit of slack: the slacks are added.
            The length, not its square
                w @ w / 2 -> np.sqrt(w @ w) / 2
                The penalty is half the square of the length.
            The bias is penalised
                w @ w / 2 -> (w @ w + w0**2) / 2
                Shifting the street costs nothing: w₀ is not in the penalty.
        """),
    ),
)

TRIES = (OBJECTIVE, MOVES, BETTER)
