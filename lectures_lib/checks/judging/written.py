"""Write means write: what is right by calling the library's function earns nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lectures_lib.chapters import CHAPTERS, chapter
from lectures_lib.checks.exercise import Exercise, Runner
from lectures_lib.checks.kinds.function import Function
from lectures_lib.checks.running.in_thread import Reply
from lectures_lib.checks.running.named_calls import Ask
from lectures_lib.checks.telling.outcomes import CaseOutcome, PartOutcome

REFUSED = "Refused: "
HELPERS = ("sigmoid", "log_sigmoid", "softmax", "log_softmax", "predict_probability")


def without_library(answer: object, slug: str, part: Function) -> Ask:
    """The answer, to be called without the models of the chapter's topics and its counterpart.

    What an earlier chapter has treated of them stays, as far as it is a helper.
    """
    here = chapter(slug)
    before = {topic for c in CHAPTERS if c.number < here.number for topic in c.topics}
    spared = HELPERS if before & set(here.topics) else ()
    return Ask("without", answer, ((*here.topics, *part.elsewhere), spared))


def written(
    exercise: Exercise, part: Any, answer: object, outcome: PartOutcome, run: Runner
) -> PartOutcome:
    """The outcome of a part, without the points that the library earns."""
    right = outcome.points or all(case.verdict == "right" for case in outcome.cases)
    if not right or not isinstance(part, Function) or part.library or isinstance(answer, Ask):
        return outcome
    replies = run(without_library(answer, exercise.slug, part), part.calls)
    still = part.right_on((*part.cases, *part.random_cases), replies)
    kept = part.worth(still)
    if all(still) or (outcome.points and kept >= outcome.points):
        return outcome
    by = _refused(replies)
    told = f"Right, by calling `{by}`: now write it." if by else ALONE
    case = CaseOutcome("without the library", "wrong", complaint=told)
    borrowed = outcome.points - kept
    shown = (*outcome.cases, case)
    by, word = by or "the library", "Right so far"
    return replace(outcome, cases=shown, earned=kept, word=word, by=by, borrowed=borrowed)


ALONE = "Right, but only when it can call the library: now write it."


def _refused(replies: Sequence[Reply]) -> str:
    said = (reply.message.partition(REFUSED)[2] for reply in replies)
    return next(filter(None, said), "")
