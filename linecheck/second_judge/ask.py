"""The second judge as the reader meets it: an opinion on a step, and SymPy's own expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from linecheck.expand.request import Request, read
from linecheck.language.terms import LineError
from linecheck.process import NoAnswerError, Process
from linecheck.second_judge.opinion import TOO_LONG, Answer, Opinion

SECONDS = 2.0  # of the processor's time, so that an opinion does not depend on what else is running
LIMIT = 20.0  # the same, should the child not end itself
PROCESS = Process("linecheck.second_judge.serve")


class Sides(NamedTuple):
    """Both sides of a line as SymPy expressions; where a chain starts they are the same."""

    left: Any
    right: Any


def second_opinion(request: Request, seconds: float = SECONDS) -> Opinion:
    """What SymPy says about a step."""
    try:
        found = PROCESS.ask({**asdict(request), "seconds": seconds}, LIMIT)
    except NoAnswerError:
        return Opinion(Answer.OPEN, TOO_LONG)
    if found is None:
        return Opinion(Answer.OPEN, "it could not be started")
    return Opinion(Answer(found["answer"]), found["why"])


def sides(request: Request, sizes: Mapping[str, int] | None = None) -> Sides:
    """Both sides of a step as SymPy expressions, for one choice of sizes.

    Where an index must be a number, labels, signs and indices have their first values.
    """
    from linecheck.second_judge.confirm import sizes_at_hand, values_of
    from linecheck.second_judge.translate import Translator, plain

    step = read(request)
    chosen = {**sizes_at_hand(step), **(sizes or {})}
    translator = Translator(step.declared, chosen)
    try:
        left, right = translator.term(step.lhs), translator.term(step.rhs)
    except LineError:
        translator = Translator(step.declared, chosen, next(values_of(translator, step)))
        left, right = translator.term(step.lhs), translator.term(step.rhs)
    return Sides(*(plain(translator.finished(side)) for side in (left, right)))
