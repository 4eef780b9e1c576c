"""What the numbers that came back have to do with those that were expected, in words.

A sentence is told where it holds in every case that can be compared, and says only what can be
seen: "twice what is expected", "the square root", "the first entry is missing". It guesses at no
reason, so it cannot name a wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lectures_lib.checks.judging.readings import close

Numbers: TypeAlias = NDArray[Any]
Change: TypeAlias = Callable[[Numbers], Numbers]
ENOUGH = 3  # cases, and numbers in them, that a sentence has to fit


@dataclass(frozen=True)
class Pair:
    """What came back as one result of one case, what was expected, and the lengths in the case."""

    got: Numbers
    wanted: Numbers
    lengths: Mapping[str, int]  # "rows of `X`" -> 7


def _without(place: slice) -> Change:
    return lambda wanted: wanted[place] if wanted.ndim else wanted[None][:0]


def _whole(change: Callable[[Numbers], Any]) -> Change:
    return lambda wanted: np.asarray(change(wanted)) if wanted.ndim else wanted[None][:0]


# What may have been returned instead of `wanted`; the first that fits everywhere is told.
CHANGES: tuple[tuple[str, Change], ...] = (
    ("has the opposite sign", np.negative),
    ("has lost its sign", np.abs),
    ("is the square of what is expected", np.square),
    ("is the square root of what is expected", np.sqrt),
    ("is 1 divided by what is expected", np.reciprocal),
    ("is 1 minus what is expected", lambda wanted: 1 - wanted),
    ("is the logarithm of what is expected", np.log),
    ("is exp of what is expected", np.exp),
    ("is what is expected, rounded down", np.floor),
    ("is what is expected, rounded up", np.ceil),
    ("is what is expected, rounded", np.rint),
    ("is what is expected with its fraction cut off", np.trunc),
    ("has the expected entries in reverse order", _whole(lambda wanted: wanted[::-1])),
    ("has the expected entries, each one place later", _whole(lambda wanted: np.roll(wanted, 1))),
    ("has the expected entries, each one place earlier", _whole(lambda w: np.roll(w, -1))),
    ("has the expected entries, sorted", _whole(lambda wanted: np.sort(wanted, axis=0))),
    ("is what is expected, transposed", np.transpose),
    ("holds the running sums of what is expected", _whole(lambda w: np.cumsum(w, axis=0))),
    ("is what is expected without its first entry", _without(slice(1, None))),
    ("is what is expected without its last entry", _without(slice(None, -1))),
    ("is the sum of the expected entries", _whole(np.sum)),
    ("is the mean of the expected entries", _whole(np.mean)),
    ("is the largest of the expected entries", _whole(np.max)),
    ("is the smallest of the expected entries", _whole(np.min)),
    ("is the first of the expected entries alone", _whole(lambda wanted: wanted[0])),
    ("is the last of the expected entries alone", _whole(lambda wanted: wanted[-1])),
    ("is the length of the expected vector", _whole(lambda wanted: np.sqrt(np.sum(wanted**2)))),
)
# And the other way round: what could still be done with `got`.
REST: tuple[tuple[str, Change], ...] = (
    ("holds the entries whose mean is expected", _whole(np.mean)),
    ("holds the entries whose sum is expected", _whole(np.sum)),
    ("holds the entries whose largest is expected", _whole(np.max)),
    ("holds the entries whose smallest is expected", _whole(np.min)),
    ("has one entry too many in front", _without(slice(1, None))),
    ("has one entry too many at the end", _without(slice(None, -1))),
)


def relation(name: str, pairs: Sequence[Pair]) -> str:
    """One sentence on one result, or nothing."""
    if len(pairs) < ENOUGH or sum(pair.got.size for pair in pairs) <= ENOUGH:
        return ""
    with np.errstate(all="ignore"):
        if all(_same(pair.got, pair.wanted) for pair in pairs):
            return ""
        said = next(_sentences(pairs), "")
    return f"In every case `{name}` {said}." if said else ""


def other_order(names: Sequence[str], cases: Sequence[Sequence[Pair]]) -> str:
    """A sentence where the results are right and only their order is not."""
    if len(cases) < ENOUGH or len(names) > 4:
        return ""
    for order in permutations(range(len(names))):
        if order == tuple(range(len(names))):
            continue
        if all(
            _same(case[place].got, case[k].wanted)
            for case in cases
            for place, k in enumerate(order)
        ):
            came = ", ".join(names[k] for k in order)
            return f"The results are right, but come as {came}; expected {', '.join(names)}."
    return ""


def _sentences(pairs: Sequence[Pair]) -> Iterator[str]:
    for said, change in CHANGES:
        if _fits(change, [(pair.wanted, pair.got) for pair in pairs]):
            yield said
    yield from _factor(pairs)
    for said, change in REST:
        if _fits(change, [(pair.got, pair.wanted) for pair in pairs]):
            yield said


def _fits(change: Change, pairs: Sequence[tuple[Numbers, Numbers]]) -> bool:
    """Whether the change leads from the one to the other in all pairs, and changes most."""
    changed = 0
    for start, end in pairs:
        made = np.asarray(change(start))
        if not _same(made, end):
            return False
        changed += not _same(start, end)
    return changed >= ENOUGH


def _factor(pairs: Sequence[Pair]) -> Iterator[str]:
    """One factor or one difference for all, or a factor that is a length in each case."""
    if any(pair.got.shape != pair.wanted.shape for pair in pairs):
        return
    got = np.concatenate([pair.got.ravel() for pair in pairs])
    wanted = np.concatenate([pair.wanted.ravel() for pair in pairs])
    alike = np.isinf(wanted) & (got == wanted)
    got, wanted = got[~alike], wanted[~alike]
    if not (wanted.size and np.isfinite(got).all() and np.isfinite(wanted).all()):
        return
    at = np.argmax(np.abs(wanted))
    factor, difference = got[at] / wanted[at], got[at] - wanted[at]
    enough = sum(np.any(np.abs(pair.wanted) > 1e-9) for pair in pairs) >= ENOUGH
    if enough and factor and _same(factor * wanted, got):
        base = next((b for b in (2, 10) if np.isclose(factor, 1 / np.log(b))), 0)
        known = f", as a logarithm to base {base} would be" if base else ""
        yield f"is {factor:.6g} times what is expected{known}"
    if _same(wanted + difference, got):
        more = "more" if difference > 0 else "less"
        yield f"is {abs(difference):.6g} {more} than expected"
    for length in pairs[0].lengths if enough else ():
        sizes = [pair.lengths.get(length, 0) for pair in pairs]
        if len(set(sizes)) > 1 and all(sizes):
            if all(_same(n * p.wanted, p.got) for n, p in zip(sizes, pairs, strict=True)):
                yield f"is what is expected times the number of {length}"
            if all(_same(p.wanted / n, p.got) for n, p in zip(sizes, pairs, strict=True)):
                yield f"is what is expected divided by the number of {length}"


def _same(a: Numbers, b: Numbers) -> bool:
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return a.shape == b.shape and close(a, b, 1e-6)
