"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

BIG = question("""
    softmax.big_scores: Scores of a thousand [The same thing in code]
        The scores of three classes are 1000, 999 and −1000. What is the probability of the first
            one, to two digits?
    0.725 to 0.735 [right]
        Take 1000 away from all scores: 0, −1 and −2000. Then it is 1/(1 + 1/e) = 0.73.
    0.99 to 1
        A large score by itself says nothing. The second class has one that is nearly as large.
    0.5 to 0.505
        The scores are not the shares: the exponential function comes first.
    0.26 to 0.28
        That is the probability of the second class.
    otherwise
        Adding the same number to all scores changes nothing. Which number helps here?
    """)

SURE = question("""
    softmax.sure: What long training does [What goes wrong]
        A model of the digits is trained for a long time, nearly without a penalty, on 300 pictures.
            On new pictures, how does what it says compare with what happens?
    a. it says what happens: the cross-entropy rewards that
        It does, on the examples of the training. These get the right label nearly always, so what
            does the training make of the weights?
    b. it is too modest: right more often than it says
        So it is after a few steps, when the weights are small. What do they do later?
    c. it is too sure: right less often than it says [right]
        On separable examples the loss falls as long as the weights grow, and large weights are
            large differences of scores. New pictures are not learnt by heart.
    """)


def softmax(Z: Array) -> Any:
    E = np.exp(Z - Z.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def _draw(rng: Rng) -> tuple[Any, ...]:
    return (rng.normal(size=(int(rng.integers(3, 5)), int(rng.integers(5, 7)))) * 3,)


ROWS = small(
    r"""
    softmax.rows: The softmax of each row [The same thing in code]
        Which number may be taken away from a row, so that its largest score becomes 0?
        $e^{z_k-m}/\sum_je^{z_j-m}$ with the maximum m of the row: every exponent is 0 or less.
        `Z.max(axis=1, keepdims=True)` is a column with the maximum of each row; `sum` takes the
            same two arguments.
    """,
    Function(
        softmax,
        (Result("P", ("N", "K")),),
        (
            Case("one row", (np.array([[2.0, 1.0, 0.0]]),)),
            Case("two rows", (np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 2.0]]),)),
            Case("scores of a thousand", (np.array([[1000.0, 999.0, -1000.0]]),)),
        ),
        _draw,
        slips("""
            Overflow
                Z - Z.max(axis=1, keepdims=True) -> Z
                The exponential of 1000 is infinite for a computer. Take the largest score of the
                row away first.
            Down the columns
                E.sum(axis=1, keepdims=True) -> E.sum(axis=0, keepdims=True)
                Each row belongs to one example and has the sum 1: axis=1.
            One sum for all rows
                E.sum(axis=1, keepdims=True) -> E.sum()
                Every row has a sum of its own.
            The scores themselves
                np.exp(Z - Z.max(axis=1, keepdims=True)) -> (Z - Z.max(axis=1, keepdims=True) + 1)
                The exponential function is missing.
            Nothing is divided
                E / E.sum(axis=1, keepdims=True) -> E
                Each row has the sum 1: divide by the sum of its exponentials.
        """),
    ),
)

TRIES = (BIG, ROWS, SURE)
