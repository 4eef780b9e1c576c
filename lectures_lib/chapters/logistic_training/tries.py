"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

OVERSHOOT = question(r"""
    logistic_training.overshoot: Two steps on a parabola [Downhill in steps]
        The loss is $Lv^2/2$, so its slope at $v$ is $Lv$. Descent starts at $v=-1$ with the
            rate $\eta=1.5/L$. Where is it after two steps?
    -0.25 [right]
        Each step leaves $v-1.5\,v=-0.5\,v$: from −1 to 0.5, and on to −0.25.
    0.5
        That is the place after one step. Take the slope there, and step once more.
    2
        The second step has the slope of its own place, 0.5, and not that of the start.
    0
        A step of $1/L$ would arrive at once. This one is longer.
    -6.25
        The step goes *against* the slope: $v-\eta\,Lv$.
    otherwise
        A step leads from $v$ to $v-\eta\,Lv$, with $\eta L=1.5$.
    """)

RACE = question("""
    logistic_training.race: Who leads? [What goes wrong]
        58 standardised weights, and the cost counted in gradients over all messages. Which method
            has the lowest loss after the cost of 1 pass, and which after the cost of 100?
    a. Newton both times
        A Hessian of 58 weights costs about 29 gradients: after one pass Newton has not moved yet.
    b. minibatches of 32 both times
        They are quick at first. But their steps must shrink, for the noise to die out.
    c. minibatches of 32, then L-BFGS [right]
        144 rough steps beat one exact step. Later, what was learnt about the curvature counts.
    d. descent, then momentum
        Descent makes one step in a pass. A method can do more with the same number of products.
    """)


def gradient(X: Array, y: Array, w: Array) -> Any:
    ones = np.column_stack([np.ones(len(X)), X])
    return ones.T @ (1 / (1 + np.exp(-(ones @ w))) - y) / len(X)


def _draw(rng: Rng) -> tuple[Any, ...]:
    n, d = int(rng.integers(6, 10)), int(rng.integers(3, 5))
    return rng.normal(0.4, 1, (n, d)), rng.integers(0, 2, n), rng.normal(size=d + 1)


GRADIENT = small(
    r"""
    logistic_training.gradient: The gradient of the mean loss [The gradient]
        Every example pulls by what the model missed. Which matrix puts the pulls together?
        $\underline X^T(p-y)/N$, with $p$ the sigmoid of the scores $\underline X\,w$.
        `ones = np.column_stack([np.ones(len(X)), X])` has the column of ones; the misses are
            `sigmoid(ones @ w) - y`.
    """,
    Function(
        gradient,
        (Result("slope", ("d+1",)),),
        (
            Case("two examples, w = 0", (np.array([[1.0], [3.0]]), np.array([0, 1]), np.zeros(2))),
            Case(
                "a bias",
                (np.array([[1.0], [-1.0], [2.0]]), np.array([0, 1, 1]), np.array([1.0, 0.5])),
            ),
        ),
        _draw,
        slips("""
            Uphill [E0-19]
                - y) -> - y) * -1
                y − p points up the likelihood. The loss falls the other way: p − y.
            The sum
                / len(X) ->
                The loss is a mean over the examples, and so is its gradient.
            Scores for probabilities
                1 / (1 + np.exp(-(ones @ w))) -> ones @ w
                That is the gradient of least squares, halved: put the scores into the sigmoid.
            The bias last
                [np.ones(len(X)), X] -> [X, np.ones(len(X))]
                w holds the bias first, so the column of ones comes first too.
            One factor for all [E2-06]
                ones.T @ (1 / (1 + np.exp(-(ones @ w))) - y) -> ones[0] * np.sum(1 / (1 +
                    np.exp(-(ones @ w))) - y)
                Every miss is multiplied by the features of its own example.
        """),
    ),
)

TRIES = (GRADIENT, OVERSHOOT, RACE)
