"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

UNCHANGED = question("""
    reduced_rank.without_a_change: Axes that LDA can do without [The check]
        36 features, six classes. How many of Fisher's axes must be kept so that no decision of LDA
            changes, whatever the data are?
    5 [right]
        Six means span at most five dimensions; what lies across is the same for all six.
    6
        Count differences of means, not means: one point spans no direction.
    36
        Most of the space holds no difference between the means at all.
    2
        Two are enough for a picture. Means can differ in directions that it does not show.
    otherwise
        How many dimensions do K points span at most?
    """)

CHOSEN = question("""
    reduced_rank.axes_chosen: Utterances or voices left out [What goes wrong]
        The training voices do best with six axes, new voices with two. Which number will
            cross-validation choose, on the training voices alone?
    a. six, whatever is left out: it sees no other voices
        A voice that is left out is a new voice for those that remain.
    b. six if utterances are left out, two if a voice is left out [right]
        An utterance that is left out comes from a voice that is still there, five times per word.
    c. two, whatever is left out: cross-validation prevents overfitting
        It estimates the error on what was left out. Other utterances of known voices are nothing
            new.
    """)


def nearest_mean(X: Array, y: Array, X_new: Array, axes: Array) -> Any:
    means = np.array([X[y == k].mean(axis=0) for k in range(y.max() + 1)])
    far = ((X_new @ axes)[:, None] - means @ axes) ** 2
    return far.sum(axis=2).argmin(axis=1)


def _draw(rng: Rng) -> tuple[Any, ...]:
    K, d, n = int(rng.integers(3, 5)), int(rng.integers(3, 5)), int(rng.integers(4, 8))
    y = rng.permutation(np.r_[np.arange(K), np.arange(K), rng.integers(0, K, 3)])
    X = rng.normal(size=(len(y), d)) + rng.normal(0, 2, (K, d))[y]
    return X, y, rng.normal(0, 2, (n, d)), rng.normal(size=(d, 2)) * [1.0, 3.0]


def _possible(X: Array, y: Array, X_new: Array, axes: Array) -> bool:
    return (
        len(X) == len(y)
        and bool((np.bincount(y) > 0).all())
        and X.shape[1] == X_new.shape[1] == len(axes)
    )


NEAREST = small(
    r"""
    reduced_rank.nearest_mean: The nearest mean [The same thing in code]
        Project the new rows and the class means alike, then compare squared distances.
        With means of shape (K, d), the projected ones are `means @ axes`. The squared distance of
            row i to mean k is the sum over the axes of the squared difference.
        `((X_new @ axes)[:, None] - means @ axes) ** 2` has the shape (n, K, number of axes).
    """,
    Function(
        nearest_mean,
        (Result("labels", ("n",), kind="count"),),
        (
            Case(
                "two classes, one axis",
                (
                    [[0.0, 0.0], [2.0, 0.0], [8.0, 1.0]],
                    [0, 0, 1],
                    [[4.0, 9.0], [6.0, -9.0]],
                    [[1.0], [0.0]],
                ),
            ),
            Case(
                "three classes, the second axis counts double",
                (
                    [[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]],
                    [0, 1, 2],
                    [[3.0, 2.0], [1.0, 1.0], [5.0, -1.0]],
                    [[1.0, 0.0], [0.0, 2.0]],
                ),
            ),
        ),
        _draw,
        slips("""
            The means are not projected
                means @ axes -> (means @ np.eye(means.shape[1])[:, : axes.shape[1]])
                Examples and means go into the new coordinates alike.
            Nothing is projected
                far = ((X_new @ axes)[:, None] - means @ axes) ** 2 -> far = (X_new[:, None] -
                    means) ** 2
                Distances are asked for in the coordinates `X @ axes`.
            The farthest mean
                argmin(axis=1) -> argmax(axis=1)
                The nearest mean has the smallest distance.
            The first axis only
                far.sum(axis=2) -> far[:, :, 0]
                A squared distance adds up all axes.
            Differences are not squared
                means @ axes) ** 2 -> means @ axes)
                Positive and negative differences cancel: square them first.
        """),
        valid=_possible,
    ),
)

TRIES = (NEAREST, UNCHANGED, CHOSEN)
