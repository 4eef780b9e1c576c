"""The exercises of this chapter: a word as a number, no mistake, coins, prices, a report."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import (
    Array,
    Case,
    Function,
    Prediction,
    Proof,
    Property,
    Quiz,
    Result,
    Rng,
    Values,
    choices,
    exercise,
    slips,
    steps,
)

# A word as a number ------------------------------------------------------------------------------


def encoded(word: Array, y: Array, fold: Array) -> Any:
    code = np.zeros(len(y))
    for k in np.unique(fold):
        others = fold != k
        usual = y[others].mean()
        for i in np.flatnonzero(fold == k):
            same = others & (word == word[i])
            code[i] = y[same].mean() if same.any() else usual
    return code


def _towns(rng: Rng) -> tuple[Any, ...]:
    n, folds = int(rng.integers(12, 20)), int(rng.integers(3, 5))
    word, y = rng.integers(3, 8, n), rng.integers(0, 2, n)
    word[0] = 11  # a word that stands once
    return word, y, rng.permutation(np.arange(n) % folds)


ENCODED = exercise(
    """
    your_own_data.encoded: A column of three hundred towns [12 minutes] [A leak]
        A town is replaced by the share of positives among its rows. From which rows may the share
            for row i come, if row i is held out?
        Row i of fold k gets the mean of `y` over the rows of *other* folds with the same word. If
            there is none, the mean of `y` over all rows of the other folds.
        `same = (fold != fold[i]) & (word == word[i])` picks the rows. When is `same.any()` False?
    Remark
        With its own row among them, the number of a town that occurs once is a copy of the label:
        error 0 in the folds, and nothing learnt. So scikit-learn's `TargetEncoder` uses folds too.
    """,
    Function(
        encoded,
        (Result("code", ("N",), points=6),),
        (
            Case("one word", ([5, 5, 5, 5], [1, 0, 1, 1], [0, 0, 1, 1])),
            Case("a word that stands once", ([5, 5, 5, 9, 5], [1, 0, 1, 1, 0], [0, 0, 1, 1, 2])),
            Case("a word in one fold only", ([7, 7, 2, 2, 2], [1, 1, 0, 0, 1], [0, 0, 1, 1, 0])),
        ),
        _towns,
        slips("""
    The row says its own label
        others & (word == word[i]) -> word == word[i]
        Row i and its fold are among those that say the share: that is the leak. Take `fold != k`.
    Only the row itself is left out
        others & (word == word[i]) -> (np.arange(len(y)) != i) & (word == word[i])
        The whole fold is held out, not the row alone: the rest of the fold must not count either.
    All rows say what is usual
        y[others].mean() -> y.mean()
        Where no row of the other folds has the word, the mean is that of the other folds alone.
    A new word gets a fixed number
        else usual -> else 0.0 || else 0.5
        A word that the other folds do not have gets the mean over all their rows.
    The sum
        y[same].mean() -> y[same].sum()
        A share is a mean: how many are positive, over how many there are.
    Its own fold instead of the others
        others = fold != k -> others = fold == k
        The share comes from the other folds: `fold != k`.
            """),
        valid=lambda word, y, fold: (
            len(word) == len(y) == len(fold)
            and len(np.unique(fold)) >= 2
            and set(np.unique(y)) <= {0, 1}
        ),
    ),
)


# No mistake --------------------------------------------------------------------------------------

NO_MISTAKE = exercise(
    """
    your_own_data.no_mistake: No mistake in n rows [8 minutes] [The check]
        What does the logarithm make of a power? And which line touches log(1 − u) at u = 0?
        log(aⁿ) = n·log a, and log(1 − u) ≤ −u. Here u = 3/n.
        `= n*log(1 - 3/n)` is the first line. The second begins with `<=` and has no logarithm.
    Remark
        e⁻³ is 0.0498: if the true error were 3/n or more, a clean sheet would come in fewer than 5
        of 100 tests. "No mistake in 30 rows" says: below 10 %, and no more than that.
    """,
    Proof(
        "chance",
        "log((1 - 3/n)**n)",
        steps("""
    the exponent in front of the logarithm [1 point]
        n*log(1 - 3/n)
    the logarithm lies below its tangent [2 points]
        n*(-3/n)
        is n*(-3/n); later
        is -3; later
    the goal [2 points]
        -3
        """),
        symbols={"n": "real"},
        given=("n > 3",),
        asked="<=",
        slips=slips("""
    The n is lost
        n*log(1 - 3/n) -> log(1 - 3/n)
        The exponent becomes a factor: log(aⁿ) = n·log a.
    The exponent inside the logarithm
        n*log(1 - 3/n) -> log(n*(1 - 3/n))
        n stands in front of the logarithm, not inside it.
    The logarithm of a difference
        log(1 - 3/n) -> (log(1) - log(3/n))
        log(a − b) is not log a − log b, which is log(a/b). Keep 1 − 3/n inside.
    u without its n
        n*(-3/n) -> n*(-3)
        Here u is 3/n: the bound is n·(−3/n), and n cancels.
            """),
    ),
)


# Chosen columns ----------------------------------------------------------------------------------

CHOSEN = exercise(
    """
    your_own_data.chosen: A thousand coins [4 minutes] [A leak]
        Nothing here knows anything about the label. Which error does a model deserve?
        Of 1,000 columns some agree with 100 labels by luck. On which rows did that luck show?
        Draw `rng.integers(0, 2, (100, 1000))` and ask how well the best column fits: in the rows
            that chose it, and in new ones.
    Remark
        The way out: choose inside each fold, on the rows that train. Then the error is near one
        half, as it should be.
    """,
    Prediction(
        ("error", "because"),
        choices("""
    a. about one half: coins are coins
        In use it will be. The question is what the folds show.
    b. far below one half [right]
        The twenty columns were chosen because they fit these hundred labels, those of every
        held-out fold included.
    c. above one half: twenty columns are too many for 90 rows
        Too many columns would give one half. Look at how these were chosen.
            """),
        choices("""
    a. with twenty columns the model can learn anything by heart
        By heart it learns the rows that train. The error is counted on the held-out ones.
    b. cross-validation is biased when there are few rows
        Not so as to show skill where there is none.
    c. the held-out rows took part in choosing the columns [right]
        So they are not held out: the folds came too late.
    d. among a thousand coins some are not fair
        All are. The best of a thousand fair ones looks unfair.
            """),
        points=3.0,
    ),
)


# Fewer mistakes, a larger bill -------------------------------------------------------------------

TRUTH = np.repeat([0, 1], [6, 4])


def _mistakes(p: Array) -> int:
    return int(np.sum((p >= 0.5) != TRUTH))


def _bill(p: Array, cut: float = 0.2) -> float:
    return float(np.where(p >= cut, TRUTH == 0, 4 * (TRUTH == 1)).sum())


def _outside(*both: Array) -> str:
    for name, p in zip("ab", both, strict=True):
        if p.min() < 0 or p.max() > 1:
            return f"`{name}` has {p.min():g} to {p.max():g}; a probability lies between 0 and 1."
    return ""


def _fewer(a: Array, b: Array) -> str:
    if _mistakes(a) < _mistakes(b):
        return _outside(a, b)
    return f"Mistakes at ½: `a` {_mistakes(a)}, `b` {_mistakes(b)}."


def _cheaper(a: Array, b: Array) -> str:
    if _bill(b) < _bill(a):
        return _outside(a, b)
    return f"At 0.2 the bill of `a` is {_bill(a):g}, that of `b` {_bill(b):g}."


CHEAPER = exercise(
    """
    your_own_data.cheaper: Fewer mistakes, a larger bill [10 minutes] [A threshold with a price]
        Mistakes are counted at ½, the bill at 0.2. Which probabilities change sides in between?
        What lies between 0.2 and 0.5 is called by the bill and not by the count: a positive there
            is a mistake that costs nothing.
        `np.sum((p >= 0.5) != y)` counts; `np.where(p >= 0.2, y == 0, 4*(y == 1)).sum()` is the
            bill. Put one positive of `a` at 0.1: what does it cost, and how many mistakes is it?
    Remark
        An error at ½ says little about a decision that is taken elsewhere. Compare models at the
        threshold that will be used.
    """,
    Values(
        ("a", "b"),
        (
            Property("`a` makes fewer mistakes at ½", 2, _fewer),
            Property("`b` is cheaper at 0.2", 2, _cheaper),
        ),
        (Result("a", ("10",)), Result("b", ("10",))),
        slips(
            """
    Scores instead of probabilities
        when scores
        Scores have no threshold of 1/5. Give numbers between 0 and 1.
    The names exchanged
        when exchanged
        It is the other way round: `a` should have fewer mistakes, `b` the smaller bill.
    Equally many mistakes
        when equal
        Both make equally many mistakes at ½. Put one more positive of `b` between 0.2 and 0.5.
    Cheaper at the wrong threshold
        when elsewhere
        With ½ as threshold `b` would be cheaper. The bill is counted at 0.2, where calls are cheap.
            """,
            scores=lambda a, b: bool(_outside(a, b)),
            exchanged=lambda a, b: not _fewer(b, a) and not _cheaper(b, a),
            equal=lambda a, b: _mistakes(a) == _mistakes(b) and not _cheaper(a, b),
            elsewhere=lambda a, b: (
                not _fewer(a, b) and bool(_cheaper(a, b)) and _bill(b, 0.5) < _bill(a, 0.5)
            ),
        ),
    ),
    another="""
a = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9]  # one mistake, and it costs 4
b = [0.1, 0.1, 0.1, 0.1, 0.3, 0.3, 0.3, 0.3, 0.9, 0.9]  # two mistakes, two false alarms
""",
)


# A report ----------------------------------------------------------------------------------------

REPORT = exercise(
    """
    your_own_data.report: Somebody else's page [6 minutes] [What goes wrong]
        Two of the five sentences claim what was not shown. For each, ask on which rows it rests,
            and who chose what.
        Look for a number that was picked as the best of many on the rows that judge, and for a
            share that a constant answer has too.
        `metrics.wilson_interval(0, 30)` and `1 / (1 + 10)` check two of them.
    Remark
        The other three are what a good page looks like: what was learnt where, the price and the
        threshold, and how little thirty rows can say.
    """,
    Quiz(
        "flawed",
        choices("""
    a. Missing incomes were filled with the median of the training rows; a column says where.
        Learnt where it may be learnt, and reported.
    b. Of 40 sets of columns we report the one with the lowest error on the test rows, 0.11. [right]
        The best of forty on these rows is the luckiest. Rows that have chosen cannot judge.
    c. A miss costs ten false alarms, so we call at 1/11 or above, after comparing promised and
            observed shares in held-out folds.
        The threshold follows from the price, and the probabilities were checked.
    d. 3 % of the payments are fraud. The model is right for 97 %, so it finds nearly all. [right]
        97 % is what "never fraud" reaches, and that finds none.
    e. In the new branch no mistake was seen in 30 rows: the error lies between 0 and 0.11.
        Wilson's interval for 0 of 30, and no claim beyond it.
            """),
        points=3.0,
    ),
)

EXERCISES = (ENCODED, NO_MISTAKE, CHOSEN, CHEAPER, REPORT)
