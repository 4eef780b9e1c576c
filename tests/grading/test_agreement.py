"""The official verdict is the one that `check` gives in the notebook, for every exercise."""

from __future__ import annotations

import json

import pytest

from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.kinds.function import Function
from lectures_lib.checks.registry import find
from lectures_lib.checks.telling.outcomes import as_text
from lectures_lib.grading.intake.assembly import Canonical, canonical
from lectures_lib.grading.intake.reading import read_bytes
from lectures_lib.grading.judging.judge import Judge, Result, cleaned
from lectures_lib.grading.walls.client import Workers
from lectures_lib.grading.walls.sandbox import best_rung
from tests.checks.answers import SOLVED, UNTOUCHED, answers_in
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(best_rung()[0] != "namespaces", reason="no namespaces here")
WANTED = [canonical(path) for path in sorted((ROOT / "exercises").glob("*.ipynb"))]
WANTED = [wanted for wanted in WANTED if wanted.places]


@pytest.fixture(scope="module")
def judge():
    workers = Workers("namespaces", ["numpy", "sympy"])
    yield Judge(workers, b"secret", 10.0)
    workers.close()


def answered(stem: str, answers: dict[str, str]) -> bytes:
    notebook = json.loads((ROOT / "exercises" / f"{stem}.ipynb").read_text(encoding="utf-8"))
    for answer, checked in zip(notebook["cells"], notebook["cells"][1:], strict=False):
        identity = checked["metadata"].get("lectures", {}).get("check")
        if identity:
            answer["source"] = answers[identity]
    return json.dumps(notebook).encode()


def slipped(identity: str) -> str:
    """The solution with the first slip whose edit fits it; else the solution."""
    source = SOLVED[identity]
    for part in find(identity).parts:
        for slip in part.slips if isinstance(part, Function) else ():
            for way in slip.ways:
                edits = (way,) if isinstance(way, str) else way
                if isinstance(edits, tuple) and all(
                    source.count(edit.partition(" ->")[0].strip()) == 1 for edit in edits
                ):
                    for edit in edits:
                        old, _, new = edit.partition(" ->")
                        source = source.replace(old.strip(), new.strip())
                    return source
    return source


def told(text: str) -> list[str]:
    """Without lines of code, which a test that runs a text cannot show."""
    return [line.partition(": ")[0] if line.startswith("    line") else line
            for line in text.splitlines()]  # fmt: skip


def graded(judge: Judge, wanted: Canonical, answers: dict[str, str]) -> Result:
    result = judge.grade(read_bytes(answered(wanted.stem, answers)), wanted)
    assert [found.id for found in result.exercises] == [place.exercise for place in wanted.places]
    assert not result.notes
    return result


@pytest.mark.slow
@pytest.mark.parametrize("wanted", WANTED, ids=lambda wanted: wanted.stem)
def test_solutions_are_right_and_slips_are_told_as_in_the_notebook(judge, wanted) -> None:
    for official in graded(judge, wanted, SOLVED).exercises:
        assert (official.status, official.points) == ("right", official.out_of), official.text
    answers = {place.exercise: slipped(place.exercise) for place in wanted.places}
    for official in graded(judge, wanted, answers).exercises:
        local = evaluate(find(official.id), answers_in(answers[official.id], find(official.id)))
        assert official.points == local.points, official.text
        assert told(official.text) == told(cleaned(as_text(local)))
        assert [name for name, _ in official.slips] == [slip.name for slip in local.slips]


def test_what_is_untouched_earns_nothing(judge) -> None:
    for wanted in WANTED:
        for official in graded(judge, wanted, UNTOUCHED).exercises:
            assert (official.status, official.points) == ("not_attempted", 0.0)


def test_a_derivation_object_is_graded_by_its_lines(judge) -> None:
    identity = "perceptron_convergence.upper_bound"
    (wanted,) = (one for one in WANTED if identity in {place.exercise for place in one.places})
    (part,) = find(identity).parts
    symbols = {"w x": "vector 2", "s": "sign", "eta R": "positive", "beta": "nonnegative"}
    made = f"upper_bound = Derivation('bound', symbols={symbols}, given={list(part.given)})"
    typed = (
        f"upper_bound.line({line!r})" for line in (part.start, *part.chain(part.lines).split("\n"))
    )
    source = "\n".join(["from linecheck import Derivation", made, *typed])
    (found, *_) = graded(judge, wanted, {**UNTOUCHED, identity: source}).exercises
    assert (found.id, found.points) == (identity, part.points), found.text
