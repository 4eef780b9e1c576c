"""A line on which the judge itself fails: undecided, with a note that names the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lectures_lib.grading.intake.assembly import canonical
from lectures_lib.grading.intake.reading import read_bytes
from lectures_lib.grading.judging.judge import Judge
from lectures_lib.grading.walls.client import Workers
from lectures_lib.grading.walls.sandbox import best_rung
from linecheck.judge import engine, failures
from linecheck.process import Process
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(best_rung()[0] != "namespaces", reason="no namespaces here")
EXERCISES = ROOT / "exercises" / "02_decision_theory.ipynb"
LINES = "= 2*p*(1 - p) + 0*log(13)\\n= 2*p - 2*p**2\\n<= 2*p"


@pytest.fixture
def judge_may_fail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    right = engine.read

    def failing(request):
        if "13" in request.lhs + request.rhs:
            raise KeyError("a defect")
        return right(request)

    monkeypatch.setattr(engine, "read", failing)
    monkeypatch.setattr(Process, "ask", lambda *_: None)
    monkeypatch.setattr(failures, "_folder", [lambda: tmp_path])
    return tmp_path


def test_a_failure_of_the_judge_is_undecided_with_a_note(judge_may_fail) -> None:
    submitted = json.loads(EXERCISES.read_text(encoding="utf-8"))
    (cell,) = [one for one in submitted["cells"] if one["id"] == "decision-theory-twice-answer"]
    cell["source"] = f'twice = "{LINES}"'
    workers = Workers("namespaces", ["numpy"])
    try:
        content = json.dumps(submitted).encode()
        result = Judge(workers, b"secret").grade(read_bytes(content), canonical(EXERCISES))
    finally:
        workers.close()
    (found,) = [one for one in result.exercises if one.id == "decision_theory.twice"]
    assert found.status == "undecided", found
    kept = [str(path) for path in judge_may_fail.iterdir()]
    told = [one for one in found.flags if "the judge itself failed" in one]
    assert len(told) == 2  # the line, and the next one, which is compared with it
    assert all(any(path in one for path in kept) for one in told)
    assert "does not hold" not in found.text
