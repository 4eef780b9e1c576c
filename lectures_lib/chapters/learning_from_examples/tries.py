"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

COINS = question("""
    learning_from_examples.coins: A memoriser learns coin tosses [Four decisions]
        The 400 diagnoses are replaced by coin tosses, and the memoriser is fitted to them. What are
            its errors on these 400 cases, and on 169 others with tosses of their own?
    a. about 0.5 on both
        On a case that it has stored it repeats the stored toss, and that is never wrong.
    b. 0 on the 400, about 0.5 on the others [right]
        It has stored every toss it is asked about, and none of the new ones.
    c. 0 on both
        The new tosses were made after it had learned. Nothing it stored says how they fell.
    d. 0 on the 400, about 0.16 on the others
        0.16 is near its error on diagnoses. Radius and texture say something about those, and
            nothing about a coin.
    """)

WINNER = question("""
    learning_from_examples.winner: The best of a hundred [What goes wrong]
        The winner has an error of 0.05 on the 60 cases that chose it. About how large is its error
            on fresh ones?
    a. 0.05: nothing was fitted to the 60 cases
        Nothing was fitted to them, and still they chose: of 100 candidates the one that these 60
            cases flatter most wins.
    b. 0.08
        More than that is luck. The errors of 100 candidates on 60 cases scatter widely, and the
            winner stands at the lucky end.
    c. 0.12 [right]
        More than twice as much: the best of 100 is good, and lucky on these 60 cases.
    """)


def fold_errors(y: Array, fold: Array) -> Any:
    errors = []
    for j in range(max(fold) + 1):
        label = np.mean(y[fold != j]) > 0.5
        errors.append(np.mean(y[fold == j] != label))
    return errors


def _draw(rng: Rng) -> tuple[Any, ...]:
    folds = int(rng.integers(2, 5))
    fold = rng.permutation(np.arange(folds * int(rng.integers(3, 6))) % folds)
    return (rng.random(len(fold)) < rng.choice([0.3, 0.6])).astype(int), fold


FOLD_ERRORS = small(
    """
    learning_from_examples.fold_errors: One error for each fold [The same thing in code]
        What it learns comes from the cases whose fold is not j; what is judged, from fold j.
        The label is 1 if the mean of `y[fold != j]` is above 0.5. The error is the share of the
            labels in fold j that differ from it.
        `label = np.mean(y[fold != j]) > 0.5`, and below it
            `errors.append(np.mean(y[fold == j] != label))`.
    """,
    Function(
        fold_errors,
        (Result("errors", ("folds",)),),
        (
            Case("three folds of two", ([0, 0, 0, 1, 1, 0], [0, 0, 1, 1, 2, 2])),
            Case("the rest says 1, the fold says 0", ([0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2])),
            Case("a tie says 0", ([1, 0, 1, 0], [0, 0, 1, 1])),
        ),
        _draw,
        slips("""
            Learnt from the fold that is judged
                y[fold != j] -> y[fold == j]
                The label has to come from the other folds. Here the judged cases choose it.
            Learnt from all cases
                y[fold != j] -> y
                The held-out fold takes no part in the learning.
            Judged on what was learnt from
                y[fold == j] != label -> y[fold != j] != label
                Fold j is judged. Here the cases are judged that chose the label.
            The share of right answers
                y[fold == j] != label -> y[fold == j] == label
                An error counts the labels that differ.
            A tie says 1
                > 0.5 -> >= 0.5
                With as many 0 as 1 the label is 0 here.
        """),
    ),
)

TRIES = (COINS, FOLD_ERRORS, WINNER)
