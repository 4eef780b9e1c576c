"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

NEW_SPEAKERS = question("""
    gaussian_classifiers.new_speakers: QDA and seven new speakers [The question]
        LDA is wrong on 0.32 of the training set, QDA on 0.01. Now both hear seven people who were
            not in it. On what share is QDA wrong?
    a. about 0.02
        That is the share for the eight speakers it was fitted to. 48 examples of a word fix 65
            numbers there: much of what they say is about these people.
    b. about 0.2
        Worse than that. 725 numbers were learnt from 528 examples, and all of these come from eight
            people.
    c. about 0.5 [right]
        0.53, and LDA 0.56. What QDA knew better was mostly about the eight speakers.
    """)

SHUFFLED = question("""
    gaussian_classifiers.speakers_shuffled: Eight other speakers to learn from [What goes wrong]
        The fifteen speakers are dealt out anew, fifty times: eight to learn from, seven for the
            test. In how many of the fifty splits does QDA make fewer mistakes than LDA?
    10 to 14 [right]
        In 12. The official split is one of the lucky ones.
    40 to 50
        So it is when the utterances are shuffled, and the same voices stand in both parts. Here the
            voices of the test are new.
    20 to 30
        A draw looks like that. But who estimates 725 numbers from eight voices pays for it.
    0 to 4
        Too few: the official split itself is one that QDA won.
    otherwise
        Between never and always: 0.03 on one split says little about the other splits.
    """)


def fit(X: Array, y: Array) -> Any:
    N, K = len(y), y.max() + 1
    priors = np.bincount(y) / N
    means = np.array([X[y == k].mean(axis=0) for k in range(K)])
    away = X - means[y]
    return priors, means, away.T @ away / (N - K)


def _draw(rng: Rng) -> tuple[Any, ...]:
    K, d = int(rng.integers(3, 5)), int(rng.integers(2, 4))
    y = rng.permutation(np.r_[np.arange(K), np.arange(K), rng.integers(0, K, 5)])
    return rng.normal(size=(len(y), d)) + rng.normal(0, 3, (K, d))[y], y


def _possible(X: Array, y: Array) -> bool:
    return len(X) == len(y) > y.max() + 1 and bool((np.bincount(y) > 0).all())


ESTIMATES = small(
    r"""
    gaussian_classifiers.estimates: Shares, means, one shape [The same thing in code]
        `np.bincount(y)` counts each class. The rows of class k are `X[y == k]`.
        $\hat\Sigma=\frac1{N-K}\sum_i(x_i-\hat\mu_{y_i})(x_i-\hat\mu_{y_i})^T$: each row minus the
            mean of its own class. `means[y]` holds that mean for each row.
        `away = X - means[y]`, and the shape is `away.T @ away / (N - K)`.
    """,
    Function(
        fit,
        (Result("priors", ("K",)), Result("means", ("K", "d")), Result("S", ("d", "d"))),
        (
            Case("one feature, two classes", ([[0.0], [2.0], [5.0]], [0, 0, 1])),
            Case(
                "two features, unequal classes",
                ([[0.0, 0.0], [2.0, 0.0], [1.0, 3.0], [5.0, 1.0], [7.0, 2.0]], [0, 0, 0, 1, 1]),
            ),
        ),
        _draw,
        slips("""
            Divided by N
                (N - K) -> N
                That is the maximum of the likelihood. K means were fitted to the same rows: N - K.
            One mean too few
                (N - K) -> (N - 1)
                Each class had its own mean: K were fitted, so divide by N - K.
            Not divided
                / (N - K) ->
                A scatter is a sum. Divided by N - K it is a covariance.
            One mean for all
                X - means[y] -> X - X.mean(axis=0)
                Each row minus the mean of its own class: the distances between classes do not
                belong to the shape.
            The means of all examples
                X[y == k].mean(axis=0) -> X.mean(axis=0)
                The mean of class k is taken over its own rows.
            The sums divided by N
                X[y == k].mean(axis=0) -> X[y == k].sum(axis=0) / N
                A mean is divided by the number of its own rows, N_k.
            Counts for shares
                np.bincount(y) / N -> np.bincount(y)
                A prior is a share: N_k / N.
            All classes alike
                np.bincount(y) / N -> np.full(K, 1 / K)
                The prior of a class is its share of the examples.
        """),
        valid=_possible,
    ),
)

TRIES = (NEW_SPEAKERS, ESTIMATES, SHUFFLED)
