"""What the reader answers and writes inside this chapter, without points."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

GAPS = question("""
    your_own_data.gaps: An empty cell [Types, and what is missing]
        38 of 100 passengers survived. What will it be among the 263 whose age is not known?
    a. about 38 as well: an empty cell says nothing
        Look at the output below: a gap is seldom an accident. Here most of those without an age
            travelled in third class.
    b. clearly fewer [right]
        28 of 100. Four of five travelled in third class, where fewer survived and fewer were
            asked.
    c. clearly more
        It would be so if survivors had hidden their age. The output below says fewer.
    """)

PRICE = question("""
    your_own_data.price: From which probability on? [A threshold with a price]
        A bed that stays empty costs 1, a bed that is missing costs 4. From which probability of
            survival on is it cheaper to make the bed?
    0.2 [right]
        No bed costs 4p, a bed costs 1 − p. They are equal at p = 1/5.
    0.25
        Close: 1 to 4 are the odds. As a probability it is 1/(1 + 4).
    0.5
        That is right when both mistakes cost the same.
    0.75 to 0.8
        The other way round: it is the missing bed that is dear, so make beds early.
    otherwise
        Without a bed the expected cost is 4p, with one 1 − p. Where are they equal?
    """)


def filled(train: Array, new: Array) -> Any:
    median = np.nanmedian(train, axis=0)
    return np.where(np.isnan(new), median, new)


def _tables(rng: Rng) -> tuple[Any, ...]:
    d = int(rng.integers(3, 5))
    train, new = rng.normal(size=(int(rng.integers(5, 9)), d)), rng.normal(size=(4, d)) + 1
    for table in (train, new):
        table[rng.random(table.shape) < 0.25] = np.nan
    train[0] = rng.normal(size=d)
    new[0, 0] = np.nan
    return train, new


_ = np.nan

FILLED = small(
    """
    your_own_data.filled: Fill the gaps of new rows [Split first]
        Which rows may say what a usual value is: those of `new`, or those of `train`?
        The median of each column of `train`, over the cells that are not NaN.
        `np.nanmedian(train, axis=0)` has one number for each column; `np.where(np.isnan(new), …,
            new)` puts it in.
    """,
    Function(
        filled,
        (Result("filled", ("n", "d")),),
        (
            Case("one gap", ([[1.0], [2.0], [9.0]], [[_], [5.0]])),
            Case("a gap in both", ([[1.0, 4.0], [_, 6.0], [3.0, 9.0]], [[_, 7.0], [8.0, _]])),
            Case("nothing to fill", ([[1.0, 2.0]], [[3.0, 4.0]])),
        ),
        _tables,
        slips("""
            The new rows say it themselves
                np.nanmedian(train, axis=0) -> np.nanmedian(new, axis=0)
                The median has to come from `train`. In use there may be one new row only.
            All rows together
                np.nanmedian(train, axis=0) -> np.nanmedian(np.vstack([train, new]), axis=0)
                With the new rows among those that say it, the held-out fold is no longer held out.
            The mean
                np.nanmedian(train, axis=0) -> np.nanmean(train, axis=0)
                Asked for is the median: one value of a million does not move it.
            One number for all columns
                np.nanmedian(train, axis=0) -> np.nanmedian(train)
                Each column has a median of its own: `axis=0`.
            A gap becomes 0
                np.where(np.isnan(new), median, new) -> np.nan_to_num(new)
                A child of 0 years is no usual passenger. Put the median there.
        """),
        valid=lambda train, new: bool(
            len(train) and train.shape[1] == new.shape[1] and (~np.isnan(train)).any(axis=0).all()
        ),
    ),
)

TRIES = (GAPS, FILLED, PRICE)
