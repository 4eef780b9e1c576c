"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

UPDATE = question(r"""
    perceptron.one_update: One update by hand [The rule]
        The weights are $w = (1, 2)$ and $w_0 = 0$, the step is $\eta = 1$, and the next example is
            the point $(0, 2)$ of class 0, so $s = -1$. What is the new $w_2$?
    0 [right]
        The score is 4, the label −1: a mistake. $w$ becomes $(1, 2) - (0, 2) = (1, 0)$.
    4
        The label is −1, so the point is subtracted: $w + \eta\,s\,x = (1, 2) - (0, 2)$.
    2
        The score is $1\cdot 0 + 2\cdot 2 = 4$, the label −1: $s\,g = -4$ is a mistake, and $w$
            changes.
    1
        The step is the whole point, $\eta\,s\,x = -(0, 2)$, and not the label alone.
    otherwise
        Add $\eta\,s\,x = -(0, 2)$ to $w = (1, 2)$, and take the second entry.
    """)

SHIFTED = question("""
    perceptron.shifted: 100 added to every grey value [What goes wrong]
        With grey values from 0 to 16 the run over the 357 pictures makes 67 updates. Now 100 is
            added to every grey value. How many updates will it make?
    a. 67 again: a shift changes nothing in the problem
        The problem is the same, and so is the set of separating lines. The numbers are not: beside
            coordinates near 100 the constant 1 of the bias is tiny, and each update moves it by 1.
    b. about twice as many
        Much more. Every update now moves all weights by about 100 and the bias by 1: the line can
            hardly move sideways, and it has to be turned back again and again.
    c. more than a hundred times as many [right]
        10,248. An update moves every weight by about 100 and the bias by 1, so the run has to undo
            most of what it does.
    """)


def updated(w: Array, x: Array, s: float, eta: float) -> Any:
    if s * (w @ x) <= 0:
        w = w + eta * s * x
    return w


def _draw(rng: Rng) -> tuple[Any, ...]:
    d = int(rng.integers(3, 6))
    w, x = rng.normal(size=d), np.concatenate([[1.0], rng.normal(size=d - 1)])
    if rng.random() < 0.3:
        w = np.zeros(d)
    return w, x, float(rng.choice([-1, 1])), float(rng.choice([0.5, 1.0, 2.0]))


UPDATED = small(
    r"""
    perceptron.updated: What one example does to the weights [The rule]
        Only a mistake or a tie changes the weights. When is an example that?
        $s\,\underline w^T\underline x\le 0$: then add $\eta\,s\,\underline x$.
        `if s * (w @ x) <= 0:` and below it `w = w + eta * s * x`; `return w` stands behind both.
    """,
    Function(
        updated,
        (Result("w", ("d+1",)),),
        (
            Case("a mistake", (np.array([0.0, 1, 2]), np.array([1.0, 0, 2]), -1.0, 1.0)),
            Case("a right answer", (np.array([0.0, 1, 2]), np.array([1.0, 0, 2]), 1.0, 1.0)),
            Case("a tie", (np.zeros(3), np.array([1.0, 2, 3]), 1.0, 0.5)),
        ),
        _draw,
        slips("""
            A tie is left alone
                <= 0 -> < 0
                At a score of 0 the weights change too: from w = 0 the run would never start.
            Right answers change the weights
                if s * (w @ x) <= 0: -> if True:
                An example with s·g > 0 is right, and nothing is learnt from it.
            The label is missing in the condition
                s * (w @ x) <= 0 -> w @ x <= 0
                A mistake is s·g ≤ 0: for s = −1 it is a score that is not negative.
            The label is missing in the update
                eta * s * x -> eta * x
                A point of class 0 is subtracted: add η·s·x.
            The step size is missing
                eta * s * x -> s * x
                The step is η·s·x.
        """),
    ),
)

TRIES = (UPDATE, UPDATED, SHIFTED)
