"""Judges answers that are data: a trace by hand, and a set that ends with a tie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import numpy as np

from lectures_lib.chapters.perceptron.runs import (
    MOST_UPDATES,
    Array,
    Step,
    is_mistake,
    possible_runs,
    separable_in_the_plane,
    toward,
    unusable,
    updates,
)
from lectures_lib.checks.judging.readings import Result, Unreadable, show
from lectures_lib.checks.running.plain_data import Plain

Row = tuple[int, ...]  # (row of X, w0, w1, w2)


def trace(A: Array, s: Array, rows: int, **how: Any) -> list[Row]:
    """The first updates of a run: which row of A, and the weights after it."""
    found = islice(updates(A, s, **how), rows)
    return [(update.row, *(int(weight) for weight in update.after)) for update in found]


def next_update(A: Array, s: Array, before: Array, last_row: int) -> tuple[int, Array] | None:
    """The first mistake in the cycle after `last_row`, and the weights after its update."""
    for shift in range(1, len(s) + 1):
        row = (last_row + shift) % len(s)
        if is_mistake(s[row] * (A[row] @ before), s[row], "update"):
            return row, before + toward(A[row], s[row])
    return None


def last_line(A: Array, s: Array) -> Callable[[Plain], Any]:
    """Draws the data, and the line after the last entry that was given."""

    def picture(answer: Plain) -> Any:
        from lectures_lib.figures.plane import boundary_scene

        assert isinstance(answer, tuple | np.ndarray)
        rows = [read_row(answer, place) for place in range(len(answer))]
        *_, last = (row for row in rows if not isinstance(row, str))
        return boundary_scene(A[:, 1:], (s + 1) // 2, last[1:], title="after the last entry")

    return picture


def read_row(value: Plain, place: int) -> Array | str:
    """Entry `place` of a trace as four whole numbers, or what is wrong with it."""
    if isinstance(value, str):
        return "`trace` is text: write the list without quotation marks."
    if not isinstance(value, tuple | np.ndarray) or len(value) <= place:
        return f"Entry {place + 1} is missing."
    if value[place] is Ellipsis:
        return f"Entry {place + 1} is still `...`."
    try:
        return Result(f"entry {place + 1}", ("4",), "count").read(value[place], (4,)).value
    except Unreadable as error:
        return str(error)


State = tuple[int, Array]  # the row of X that was used last, and the weights after it


def entry_after(A: Array, s: Array, answer: Plain, place: int, state: State) -> tuple[str, State]:
    """What is wrong with an entry as the update that follows a state, and the state after it.

    Where an entry is missing, the right update takes its place.
    """
    last, before = state
    row, found = read_row(answer, place), next_update(A, s, before, last)
    if isinstance(row, str):
        return row, found or state
    since = f"from w = {show(before)} on" + (f", after row {last} of X" if place else "")
    told = ""
    if place and not 0 <= last < len(s):
        told = f"Entry {place} names row {last} of X, which has {len(s)} rows."
    elif found is None:
        told = f"Entry {place + 1}: {since}, no example is a mistake any more."
    elif row[0] != found[0]:
        told = f"Entry {place + 1}: {since}, the next mistake is row {found[0]}; found {row[0]}."
    elif not np.array_equal(row[1:], found[1]):
        told = (
            f"Entry {place + 1}: the update with row {found[0]} of X leads "
            f"from w = {show(before)} to {show(found[1])}; found {show(row[1:])}."
        )
    return told, (int(row[0]), row[1:].astype(float))


def row_follows(A: Array, s: Array, place: int, ends: bool = False) -> Callable[[Plain], str]:
    """Whether entry `place` is the update that follows the student's own entry before it.

    So a mistake costs its own entry and not the ones that are computed from it. Where the run
    `ends` there, no entry may follow.
    """

    def follows(answer: Plain) -> str:
        told, state = "", (-1, np.zeros(A.shape[1]))
        for k in range(place + 1):
            told, state = entry_after(A, s, answer, k, state)
        last, weights = state
        more = isinstance(answer, tuple | np.ndarray) and len(answer) > place + 1
        if told or not (ends and more) or next_update(A, s, weights, last) is not None:
            return told
        return (
            f"The run ends after entry {place + 1} of the list; entry {place + 2} is not an update."
        )

    return follows


def slipped_trace(A: Array, s: Array, step: Step = toward, **how: Any) -> Callable[[Plain], bool]:
    """Recognises a trace made with a slip."""
    return like(trace(A, s, 5, step=step, **how), trace(A, s, 5))


def like(rows: Sequence[Row], right: Sequence[Row]) -> Callable[[Plain], bool]:
    """Recognises a trace whose filled rows, two at least, are `rows` and are not all right."""

    def recognise(answer: Plain) -> bool:
        filled = [
            row for row in (read_row(answer, k) for k in range(5)) if not isinstance(row, str)
        ]
        return len(filled) >= 2 and starts(filled, rows) and not starts(filled, right)

    return recognise


def starts(filled: list[Array], rows: Sequence[Row]) -> bool:
    """Whether `rows` begins with the filled rows."""
    pairs = zip(filled, rows, strict=False)
    return len(filled) <= len(rows) and all(np.array_equal(row, wanted) for row, wanted in pairs)


def too_small(X: Array, s: Array) -> str:
    """A complaint unless there are at least two different examples of each class in the plane."""
    problem = unusable(X, s)
    if problem:
        return problem
    for sign, name in ((-1, "−1"), (1, "+1")):
        if len(np.unique(X[s == sign], axis=0)) < 2:
            return f"All examples of class {name} are the same; expected two different ones."
    return ""


def both_rules_stop(X: Array, s: Array) -> str:
    """A complaint unless the run ends by itself under both tie rules: the data are separable."""
    problem = too_small(X, s)
    if problem:
        return problem
    for tie in ("update", "positive"):
        if not any(run.stopped for run in possible_runs(X, s, tie)):
            return f"With tie = {tie!r} the run has not stopped after {MOST_UPDATES:,} updates."
    return ""


def stops_on_the_line(X: Array, s: Array) -> str:
    """A complaint unless sign(0) = +1 ends with an example whose score is 0."""
    problem = both_rules_stop(X, s)
    if problem:
        return problem
    found = possible_runs(X, s, "positive")
    if any(run.stopped and run.smallest_margin == 0 for run in found):
        return ""
    return 'With tie = "positive" the run ends with every signed score positive.'


def line_between(X: Array, s: Array) -> bool:
    """Recognises data that are fine, but on which the run ends with a positive signed score."""
    return not both_rules_stop(X, s) and bool(stops_on_the_line(X, s))


def inseparable(X: Array, s: Array) -> bool:
    """Recognises data that no line separates."""
    return not too_small(X, s) and not separable_in_the_plane(X, s)


def too_slow(X: Array, s: Array) -> bool:
    """Recognises separable data on which the run does not stop in time."""
    return not too_small(X, s) and bool(both_rules_stop(X, s)) and separable_in_the_plane(X, s)


def one_class(X: Array, s: Array) -> bool:
    """Recognises data of a single class: w stays 0, and every score is 0."""
    return len(np.unique(s)) == 1
