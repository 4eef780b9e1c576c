"""What a wrong answer does on the cases of the notebook, as data: who does the same has made the
same mistake, whatever it is and however it is written."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lectures_lib.checks.running.in_thread import Reply
from lectures_lib.checks.running.plain_data import Plain
from lectures_lib.checks.telling.outcomes import CaseOutcome

# On one case: in words, or how many numbers, how many of them not finite, their length as a vector,
# and their sum with weights of both signs.
Deed = str | tuple[float, ...]

WORDS = {str: "a text", type(None): "nothing", dict: "a dictionary"}


def deeds(replies: Sequence[Reply]) -> list[Deed]:
    """What was done on each case."""
    return [_deed(reply) for reply in replies]


def _deed(reply: Reply) -> Deed:
    if reply.status == "raised":
        return f"raises {error_in(reply.message)}"
    if reply.status != "returned":
        return reply.status
    found = _numbers(reply.value)
    if found is None:
        return f"returns {WORDS.get(type(reply.value), 'other things than numbers')}"
    finite = found[np.isfinite(found)]
    with np.errstate(all="ignore"):
        sums = (np.linalg.norm(finite), finite @ np.cos(np.arange(finite.size)))
    told = (found.size, found.size - finite.size, *sums)
    return tuple(float(f"{number:.6g}") for number in told)


def _numbers(value: Plain) -> NDArray[np.float64] | None:
    """All numbers in a value, one after the other; None if there is anything else in it."""
    if isinstance(value, tuple):
        parts = [_numbers(entry) for entry in value]
        found = [part for part in parts if part is not None]
        return np.concatenate([*found, []]) if len(found) == len(parts) else None
    if not isinstance(value, np.ndarray | bool | int | float | complex):
        return None
    try:
        array = np.ravel(value).astype(complex)
    except (OverflowError, ValueError):
        return None
    return array.real if not array.imag.any() else array.view(float)


def error_in(message: str) -> str:
    """The kind of an error at the beginning of its message; one of a student's own has no name."""
    kind = message.partition(":")[0].strip()
    known = hasattr(builtins, kind) or hasattr(np.linalg, kind)
    return kind if known else "an error"


def smallest(cases: Sequence[CaseOutcome]) -> dict[str, str]:
    """Of the cases that are not right the one with the least to read, as data."""
    failing = [case for case in cases if case.verdict in ("wrong", "error")]
    if not failing:
        return {}
    case = min(failing, key=lambda case: (not case.given, len(case.given)))
    wrong = case.verdict == "wrong"
    return {
        "name": case.name, "given": case.given, "expected": case.expected,
        "came_out": case.came_out if wrong else f"raises {error_in(case.complaint)}",
        "told": case.differs or (case.complaint if not case.given else "") if wrong else "",
    }  # fmt: skip
