"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

SIXTY = question("""
    many_classes.sixty: Ten questions or sixty [What goes wrong]
        Least-squares machines on the digits. One-vs-rest asks ten questions and is wrong on 0.109
            of the test pictures. A random code asks sixty, and its words differ in 20 bits or more.
            How does it do?
    a. much better: it survives nine wrong bits
        It would, if few machines erred on each picture. They err together, and on hard questions.
    b. about as well, or a little worse [right]
        0.127 in the mean of ten draws. For these machines the sixty answers hold nothing that the
            ten did not.
    c. much worse: a random question is no question
        The ten draws are wrong on 0.114 to 0.143, near the 0.109 of one-vs-rest.
    """)

LOUDER = question("""
    many_classes.louder: One machine shouts [What goes wrong]
        The scores of the machine for the 8 are multiplied by 100. What changes?
    a. nothing: no machine gives another answer
        No machine does, yes-or-no. But argmax compares its score with those of the others.
    b. what is called an 8 may change, and nothing else can
        What was an 8 and has a negative score there goes to another digit: that changes too, and
            it is the same change seen from the other side.
    c. the answers yes and no stay, and the largest score may be another one [right]
        Each sign is as before. The comparison of the ten scores is not.
    """)


def pair_problem(X: Array, y: Array, i: int, j: int) -> Any:
    both = (y == i) | (y == j)
    return X[both], (y[both] == j).astype(int)


def _draw(rng: Rng) -> tuple[Any, ...]:
    K, d = int(rng.integers(3, 5)), int(rng.integers(3, 5))
    y = rng.permutation(np.arange(K * int(rng.integers(2, 4))) % K)
    i, j = sorted(int(k) for k in rng.choice(K, 2, replace=False))
    return rng.normal(size=(len(y), d)), y, i, j


PAIR = small(
    """
    many_classes.pair_problem: The examples of one pair [The same thing in code]
        Keep the rows of two classes; the rest takes no part.
        A row stays if its label is i or j. Its new label is 1 if it was j, and 0 if it was i.
        `both = (y == i) | (y == j)`, then `X[both]` and `y[both] == j`.
    """,
    Function(
        pair_problem,
        (Result("X_pair", ("n", "d")), Result("labels", ("n",))),
        (
            Case(
                "0 against 2",
                ([[0.0, 1.0], [1.0, 1.0], [2.0, 0.0], [3.0, 5.0]], [0, 1, 2, 0], 0, 2),
            ),
            Case(
                "1 against 2",
                ([[0.0, 1.0], [1.0, 1.0], [2.0, 0.0], [3.0, 5.0]], [0, 1, 2, 2], 1, 2),
            ),
        ),
        _draw,
        slips("""
            The labels the other way round
                (y[both] == j) -> (y[both] == i)
                Label 1 stands for j, the second of the two.
            All rows stay
                X[both], (y[both] == j).astype(int) -> X, (y == j).astype(int)
                That is "j or the rest". The machine of a pair sees two classes only.
            The labels as they were
                (y[both] == j).astype(int) -> y[both]
                A binary machine wants 0 and 1: 1 where the label was j.
        """),
        valid=lambda X, y, i, j: i != j and i in y and j in y,
    ),
)

TRIES = (PAIR, SIXTY, LOUDER)
