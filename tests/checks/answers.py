"""The answers that stand in the notebooks, solved and untouched, and others to some exercises."""

import json
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np

from lectures_lib.checks.exercise import Exercise
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.kinds.expression import Expression
from lectures_lib.checks.kinds.function import Function
from lectures_lib.checks.registry import find
from lectures_lib.checks.running.in_thread import call_in_thread
from lectures_lib.checks.telling.outcomes import Outcome
from tests.conftest import ROOT

CODE = Function | Expression


def answer_cells(folder: str) -> dict[str, str]:
    """Source of the answer cell of every exercise, by identity."""
    found = {}
    for path in sorted((ROOT / folder).glob("*.ipynb")):
        for answer, checked in pairwise(json.loads(path.read_text("utf-8"))["cells"]):
            identity = checked["metadata"].get("lectures", {}).get("check")
            if identity and checked["cell_type"] == "code":
                found[identity] = "".join(answer["source"])
    return found


SOLVED, UNTOUCHED = answer_cells("solutions"), answer_cells("exercises")
OTHERS = json.loads((ROOT / "tests" / "data" / "answers.json").read_text("utf-8"))


def answers_in(source: str, exercise) -> tuple:
    """What `check` is called with after the answer cell has run."""
    namespace = {"np": np}
    exec(compile(source, "<answer>", "exec"), namespace)
    return tuple(namespace[name] for name in exercise.names)


@cache
def without_slips(identity: str) -> Exercise:
    """The same, for who asks only whether an answer is right: the search for slips takes long."""
    exercise = find(identity)
    parts = (replace(p, slips=()) if isinstance(p, CODE) else p for p in exercise.parts)
    return replace(exercise, parts=tuple(parts))


def judged(exercise: Exercise, answers: tuple) -> Outcome:
    """The outcome where an answer comes to an end: a process for each costs more than the calls."""
    return evaluate(exercise, answers, 60, call_in_thread)
