"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

RATE = question("""
    perceptron_convergence.larger_steps: Ten times the learning rate [Both together]
        The run starts at w = 0. How does the largest possible number of updates change when η is
            ten times as large?
    a. it is ten times smaller
        Each step is ten times longer. So is everything else: the mistakes are the same ones.
    b. it stays [right]
        η stands on both sides of the inequality and cancels. From w = 0 all weights are multiples
            of η, and the signs of the scores do not feel it.
    c. it is a hundred times larger
        The norm may grow by η²R² with each update, and the projection by ηγ: squared, both have
            the factor η².
    """)

BROKEN = question("""
    perceptron_convergence.not_normalised: A margin ten times too large [What goes wrong]
        w* is multiplied by 10, and it is claimed that its norm is 1. In which line of the proof
            does the claim do harm?
    a. every example keeps the margin
        It does: the scores are ten times as large, and γ with them.
    b. each update adds at least ηγ to the projection
        True with the long vector too: projection and γ have both grown by the factor 10.
    c. the projection is at most the norm of the weights [right]
        That needs a unit vector: on a vector of length 10 the projection may be ten times the norm.
    d. each update adds at most η²R² to the squared norm
        That line does not speak of w* at all.
    """)


def draw_replay(A: Array, s: Array, updates: Array, w_star: Array) -> Any:
    w = np.zeros(A.shape[1])
    projections, squares = [], []
    for i in updates:
        w = w + s[i] * A[i]
        projections.append(w_star @ w)
        squares.append(w @ w)
    t = np.arange(1, len(updates) + 1)
    return np.column_stack([t, projections]), np.column_stack([t, squares])


def _draw(rng: Rng) -> tuple[Any, ...]:
    N, d = int(rng.integers(3, 6)), int(rng.integers(3, 5))
    w_star = rng.normal(size=d)
    updates = rng.integers(0, N, int(rng.integers(2, 6)))
    return rng.normal(size=(N, d)), rng.choice([-1.0, 1.0], N), updates, w_star


REPLAY = small(
    r"""
    perceptron_convergence.replay: The two numbers of the proof [The same thing in code]
        After each update two numbers are noted: how far the weights reach along w*, and their
            squared length.
        The update is $\underline w\leftarrow\underline w+s_i\,\underline x_i$, with row i of A for
            $\underline x_i$. Then $\underline w^{*T}\underline w$ and $\underline w^T\underline w$.
        `w = w + s[i] * A[i]`, then `projections.append(w_star @ w)` and `squares.append(w @ w)`; in
            the end `ax.plot(t, projections)` and `ax.plot(t, squares)`.
    """,
    Function(
        draw_replay,
        (Result("projections", ("updates", "2")), Result("squares", ("updates", "2"))),
        (
            Case(
                "two updates",
                ([[1.0, 2.0], [1.0, -1.0]], [1.0, -1.0], [0, 1], [0.0, 1.0]),
            ),
            Case(
                "the same example twice",
                ([[1.0, 2.0], [1.0, -1.0]], [1.0, -1.0], [0, 0], [0.6, 0.8]),
            ),
        ),
        _draw,
        slips("""
            Noted before the update
                projections.append(w_star @ w) -> projections.append(w_star @ (w - s[i] * A[i]))
                squares.append(w @ w) -> squares.append((w - s[i] * A[i]) @ (w - s[i] * A[i]))
                Both numbers belong to the weights after the update.
            The norm, not its square
                squares.append(w @ w) -> squares.append(np.sqrt(w @ w))
                The proof follows the squared norm, w·w.
            The label is missing
                s[i] * A[i] -> A[i]
                An example of class −1 is subtracted: add s times the example.
            Counted from 0
                np.arange(1, len(updates) + 1) -> np.arange(len(updates))
                The numbers after the first update stand over t = 1.
            Each update starts from zero
                w = w + s[i] * A[i] -> w = s[i] * A[i]
                The update is added to the weights that are there.
        """),
        valid=lambda A, s, updates, w_star: len(updates) > 0 and bool((updates < len(A)).all()),
    ),
)

TRIES = (RATE, REPLAY, BROKEN)
