"""What both judges said, kept for a while: of a derivation in which one line is changed, and which
is run again, the other lines are not judged again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import TypeVar

from linecheck.expand.request import Request
from linecheck.judge.ask import judge
from linecheck.judge.verdicts import Status, Verdict
from linecheck.second_judge.ask import second_opinion
from linecheck.second_judge.opinion import CONDITIONS, INEQUALITY, KINK, Answer, Opinion

T = TypeVar("T")
MOST = 1000  # answers of each judge
FINAL = (Status.PROVED, Status.REFUTED, Status.DOMAIN, Status.INVALID)  # not shaped by the time
OPEN = (INEQUALITY, KINK, CONDITIONS)  # nor are these
_verdicts: dict[str, Verdict] = {}
_opinions: dict[str, Opinion] = {}


def verdict_on(request: Request) -> Verdict:
    """Our verdict."""
    return _kept(_verdicts, request, judge, lambda found: found.status in FINAL)


def opinion_on(request: Request) -> Opinion:
    """What SymPy says."""
    return _kept(_opinions, request, second_opinion, _is_final)


def _is_final(said: Opinion) -> bool:
    return said.answer is not Answer.OPEN or said.why in OPEN


def _kept(
    kept: dict[str, T], request: Request, ask: Callable[[Request], T], final: Callable[[T], bool]
) -> T:
    question = json.dumps(asdict(request))
    if question not in kept:
        answer = ask(request)
        if not final(answer):
            return answer
        if len(kept) >= MOST:
            kept.pop(next(iter(kept)))  # the oldest
        kept[question] = answer
    return kept[question]
