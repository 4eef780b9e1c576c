"""`solution`: after right, or after the third hint and an attempt; never in a class without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lectures_lib.checks as checks
from lectures_lib.checks import check, hint, solution
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.kinds.derivation import Proof
from lectures_lib.checks.kinds.values import Values
from lectures_lib.checks.registry import all_exercises, find
from lectures_lib.checks.student import progress
from lectures_lib.checks.telling import solutions
from lectures_lib.checks.telling.solutions import chain
from tests.checks.answers import SOLVED, answers_in

LOSSES = "perceptron.losses"


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".lectures").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(checks, "_warned", set())
    monkeypatch.setattr(progress, "_opened_here", {})
    return tmp_path


def stored(work: Path) -> dict:
    return json.loads(progress.path_of(work, LOSSES).read_text("utf-8"))


def test_it_comes_after_a_right_answer_and_says_beforehand_what_is_remembered(work: Path) -> None:
    assert "after a right answer" in repr(solution(LOSSES))
    check(LOSSES, *answers_in(SOLVED[LOSSES], find(LOSSES)))
    assert stored(work)["solution"] is False
    first = repr(solution(LOSSES))
    assert "remembered in your progress" in first
    assert "def losses_at" not in first
    assert stored(work)["solution"] is False
    assert "def losses_at" in repr(solution(LOSSES))
    assert stored(work)["solution"] is True


def test_it_comes_after_the_third_hint_and_an_attempt(work: Path) -> None:
    for _ in range(3):
        hint(LOSSES)
    assert "one attempt" in repr(solution(LOSSES))
    check(LOSSES, lambda m: (0, 0, 0, 0))
    solution(LOSSES)
    assert "def losses_at" in repr(solution(LOSSES))


def test_it_stands_beside_the_own_answer(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def losses_at(m: float) -> tuple[float, ...]:
        return (float(m <= 0), max(0, -m), max(0, 1 - m), abs(m))

    shell = type("Shell", (), {"user_ns": {"losses_at": losses_at}})()
    monkeypatch.setattr(checks.session, "notebook", lambda: shell)
    for _ in range(3):
        hint(LOSSES)
    monkeypatch.setattr(checks, "with_options", lambda outcome, *_: outcome)
    check(LOSSES, losses_at)
    solution(LOSSES)
    shown = solution(LOSSES)
    assert "abs(m)" in repr(shown)
    assert "yours calls `abs`" in repr(shown)
    assert "losses_at, yours" in shown._repr_mimebundle_()["text/html"]


@pytest.mark.parametrize("folder", [".", ".."])
def test_a_class_switches_it_off_with_one_line(work: Path, monkeypatch, folder: str) -> None:
    (work / "exercises").mkdir()
    monkeypatch.chdir(work / "exercises")
    check(LOSSES, *answers_in(SOLVED[LOSSES], find(LOSSES)))
    Path(folder, "lectures.toml").write_text("solutions = false\n")
    for _ in range(2):
        assert repr(solution(LOSSES)) == "Solutions are not shown in this class."


def test_there_is_none_where_nbgrader_runs_and_outside_the_readers_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(progress, "_started_in", None)
    assert "your own copy" in repr(solution(LOSSES))
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert "not shown in this class" in repr(solution(LOSSES))


def test_every_exercise_has_one(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for exercise in all_exercises():
        monkeypatch.setattr(solutions, "chain", lambda proof: proof.start)
        assert len(repr(solutions.solved(exercise, {}))) > 100, exercise.id


ANOTHER = [exercise for exercise in all_exercises() if exercise.another]


@pytest.mark.parametrize("exercise", ANOTHER, ids=lambda one: one.id)
def test_what_is_shown_beside_the_reference_is_right_and_a_construction_is_drawn(exercise) -> None:
    outcome = evaluate(exercise, answers_in(exercise.another, exercise))
    assert outcome.status == "right", outcome
    shown = solutions.solved(exercise, {})
    drawn = any(isinstance(part, Values) and part.picture for part in exercise.parts)
    assert (shown.picture is not None) == drawn
    assert exercise.another.strip().splitlines()[0] in repr(shown)


CHAINS = [e for e in all_exercises() if [type(part) for part in e.parts] == [Proof]]


@pytest.mark.parametrize("exercise", CHAINS[:3], ids=lambda one: one.id)
def test_the_chain_of_a_derivation_is_right(exercise) -> None:
    outcome = evaluate(exercise, (chain(exercise.parts[0]).partition("\n")[2],))
    assert outcome.status == "right", outcome
