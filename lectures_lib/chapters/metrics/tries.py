"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

RARE = question("""
    metrics.rare_spam: The same filter where spam is rare [One threshold moves everything]
        At threshold 1 the filter catches 73 % of the spam and loses 2.7 % of the good mail; 95 of
            100 messages that it deletes are spam. In another mailbox only 1 message in 100 is spam,
            and spam and good mail look as they do here. Which share of what it deletes is spam
            there?
    0.20 to 0.23 [right]
        Of 10,000 messages 100 are spam, and 73 of these are caught. 2.7 % of 9,900 good ones are
            267: 73 of 340.
    0.94 to 0.96
        That is the share where 40 % are spam. The good mail that is lost grows with the good mail.
    0.70 to 0.75
        That is the recall: how much of the spam is caught. Asked is how much of what is deleted is
            spam.
    0.96 to 0.98
        Near the accuracy. Count what is deleted: some spam, and some of very much good mail.
    0.01
        That is the share before anything is filtered. What is deleted holds more spam than that.
    2 to 100
        That looks like per cent. Asked is a share, between 0 and 1.
    otherwise
        Take 10,000 messages. How many spam messages are deleted, and how many good ones?
    """)

PROMISED = question("""
    metrics.promised: The cheapest threshold, on other mail [What goes wrong]
        The large filter, and a lost message costs 100. On one half of the validation mail the
            cheapest threshold costs 0.75 of deleting nothing, in the mean. What does this threshold
            cost on the other half?
    a. about 0.75: both halves are drawn alike
        The halves are. The threshold is not: it was made to fit one of them.
    b. a little more, about 0.8
        At this price a single lost message weighs as much as 100 spam messages that get through.
    c. more than deleting nothing [right]
        1.28 in the mean: it sits just above the last good message of the half that chose it.
    """)


def draw_roc(y: Array, s: Array) -> Any:
    thresholds = np.append(np.inf, np.unique(s)[::-1])
    fpr = np.array([np.mean(s[y == 0] >= t) for t in thresholds])
    tpr = np.array([np.mean(s[y == 1] >= t) for t in thresholds])
    return np.column_stack([fpr, tpr])  # the points of its line


def _draw(rng: Rng) -> tuple[Any, ...]:
    n = int(rng.integers(9, 16))
    y = rng.permutation(np.r_[0, 0, 0, 1, 1, rng.integers(0, 2, n - 5)])
    return y, np.round(rng.normal(size=n) + y, 1)


ROC = small(
    """
    metrics.roc: The curve of both rates [The ROC curve]
        A message is called spam if its score is at least the threshold. Each rate divides by the
            size of its own true class.
        At threshold t: the share of the negatives with s >= t, and the share of the positives. The
            mean of True and False is a share.
        `fpr = [np.mean(s[y == 0] >= t) for t in thresholds]`, then `ax.plot(fpr, tpr)` with the
            recalls in `tpr`.
    """,
    Function(
        draw_roc,
        (Result("curve", ("thresholds", "2")),),
        (
            Case("five messages", ([0, 1, 0, 1, 1], [0.1, 0.2, 0.6, 0.7, 0.9])),
            Case("equal scores", ([0, 1, 0, 0, 1, 1], [0.5, 0.5, 0.2, 0.8, 0.8, 0.9])),
        ),
        _draw,
        slips("""
            Above instead of at least
                s[y == 0] >= t -> s[y == 0] > t ; s[y == 1] >= t -> s[y == 1] > t
                A score equal to the threshold is called positive.
            Divided by all messages
                np.mean(s[y == 0] >= t) -> np.sum(s[y == 0] >= t) / len(s) ; np.mean(s[y == 1] >= t)
                    -> np.sum(s[y == 1] >= t) / len(s)
                Each rate divides by the size of its own true class.
            The rates exchanged
                [fpr, tpr] -> [tpr, fpr]
                The false positive rate, a share of the negatives, goes to the right, the recall up.
            Without the start
                np.append(np.inf, np.unique(s)[::-1]) -> np.unique(s)[::-1]
                At an infinite threshold nothing is called: the curve starts at (0, 0).
            From the lowest threshold up
                np.append(np.inf, np.unique(s)[::-1]) -> np.append(np.unique(s), np.inf)
                From the largest threshold down: the curve runs from (0, 0) to (1, 1).
            Precision instead of recall
                np.mean(s[y == 1] >= t) -> np.mean(np.append(y[s >= t], 0))
                Recall divides by all positives, not by what is called.
            Counts instead of rates
                np.mean(s[y == 0] >= t) -> np.sum(s[y == 0] >= t) ; np.mean(s[y == 1] >= t) ->
                    np.sum(s[y == 1] >= t)
                Divide each count by the size of its class.
        """),
    ),
)

TRIES = (RARE, ROC, PROMISED)
