"""Fresh cases: nobody knows them, nobody is shown them, and they find what was learnt by heart."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from lectures_lib.checks.registry import find
from lectures_lib.grading.intake.assembly import canonical
from lectures_lib.grading.intake.reading import read_bytes
from lectures_lib.grading.judging import judge as judging
from lectures_lib.grading.judging.judge import Judge
from lectures_lib.grading.walls.client import Workers
from lectures_lib.grading.walls.sandbox import best_rung
from tests.conftest import ROOT
from tests.grading.hostile import SOLUTION, TARGET, body, with_target

pytestmark = pytest.mark.skipif(best_rung()[0] != "namespaces", reason="no namespaces here")
WANTED = canonical(ROOT / "exercises" / "04_perceptron.ipynb")
CANARY = 31337.015625  # in every hidden case; exact in binary


@pytest.fixture(scope="module")
def workers():
    made = Workers("namespaces", ["numpy", "sklearn.linear_model"])  # loading takes its time
    yield made
    made.close()


def graded(workers: Workers, source: str, secret: bytes = b"secret"):
    result = Judge(workers, secret).grade(read_bytes(with_target(source)), WANTED)
    return next(e for e in result.exercises if e.id == TARGET), result


def by_heart() -> str:
    """An answer that has stored what is right in all cases of the notebook, and knows no other."""
    (part,) = find(TARGET).parts
    stored = [np.asarray(case.arguments[0]).tolist() for case in (*part.cases, *part.random_cases)]
    return body(
        f"known = {stored!r}\nif np.asarray(m).tolist() not in known: return (0.0, 0.0, 0.0, 0.0)"
    )


def test_the_solution_holds_whatever_the_secret(workers) -> None:
    for secret in (b"a", b"b", b"c"):
        found, result = graded(workers, SOLUTION, secret)
        assert (found.status, found.points) == ("right", 4.0)
        assert result.points == 26.0


def test_an_answer_learnt_by_heart_earns_nothing_and_is_flagged(workers) -> None:
    found, result = graded(workers, by_heart())
    assert (found.status, found.points) == ("wrong", 0.0)
    assert result.points == 22.0
    assert any("only the known cases" in flag for flag in found.flags)
    assert "cases that nobody has seen" in found.text


def test_an_answer_that_differs_from_call_to_call_is_flagged(workers) -> None:
    source = SOLUTION.replace(
        "    return",
        "    np.random.seed()\n    hinge = hinge + 1e-13 * np.random.rand()\n    return",
    )
    found, _ = graded(workers, source)
    assert any(flag.startswith("flaky") for flag in found.flags)


def test_an_answer_that_calls_the_library_earns_nothing_and_could(workers) -> None:
    fitted = "Perceptron().fit([[0.0], [1.0]], [-1, 1])"
    called = body(f"from lectures_lib.perceptron import Perceptron\n{fitted}")
    found, result = graded(workers, called)
    assert (found.status, found.points, found.borrowed) == ("wrong", 0.0, 4.0)
    assert found.by_library == "lectures_lib.perceptron.Perceptron"
    assert f"Right, by calling `{found.by_library}`: now write it." in found.text
    assert result.points == 22.0
    named = "import lectures_lib.perceptron\nfrom sklearn import linear_model\n" + SOLUTION
    assert graded(workers, named)[0].points == 4.0


def test_the_library_called_in_unseen_cases_alone_earns_nothing(workers) -> None:
    (part,) = find(TARGET).parts
    stored = [np.asarray(case.arguments[0]).tolist() for case in (*part.cases, *part.random_cases)]
    found, _ = graded(workers, body(
        f"if np.asarray(m).tolist() not in {stored!r}:\n"
        "    from lectures_lib.perceptron import Perceptron\n"
        "    Perceptron().fit([[0.0], [1.0]], [-1, 1])"
    ))  # fmt: skip
    assert (found.status, found.points) == ("wrong", 0.0)


def test_another_secret_and_another_version_draw_other_cases() -> None:
    exercise = find(TARGET)
    judge = Judge(None, b"one")  # type: ignore[arg-type]
    seeds = {
        judge._seed(exercise),
        Judge(None, b"two")._seed(exercise),  # type: ignore[arg-type]
        judge._seed(dataclasses.replace(exercise, version=2)),
    }
    assert len(seeds) == 3
    (part,) = exercise.parts
    drawn = [str(judging._fresh_cases(part, seed)) for seed in seeds]
    assert len({*drawn, str(part.random_cases)}) == 4


LEAKS = {
    "prints": body("print(m)\nprint(repr(list(np.ravel(m))))"),
    "raises": body("if np.any(np.ravel(m) == 31337.015625): raise ValueError(f'{m}')"),
    "returns it wrongly": body("if np.any(np.ravel(m) == 31337.015625): return m, m, m, m"),
    "writes it to a file and prints that": body(
        "import os\ntry:\n    print(open('seen').read())\nexcept OSError: pass\n"
        "open('seen', 'a').write(repr(list(np.ravel(m))))"
    ),
    "warns": body("import warnings\nwarnings.warn(repr(list(np.ravel(m))))"),
    "is named after it": body("globals()['x'] = m"),
}


@pytest.mark.parametrize("way", LEAKS)
def test_no_hidden_value_reaches_anything_a_student_gets(workers, monkeypatch, way: str) -> None:
    """Every hidden case holds a canary; the verdicts and flags of hostile answers never do."""
    real = judging._fresh_cases
    marked = []

    def with_canary(function, seed):
        cases = []
        for case in real(function, seed):
            changed = tuple(
                np.where(np.arange(v.size).reshape(v.shape) == 0, CANARY, v)
                if isinstance(v, np.ndarray) and v.dtype.kind == "f" else v
                for v in case.arguments
            )  # fmt: skip
            cases.append(dataclasses.replace(case, arguments=changed))
        marked.extend(cases)
        return tuple(cases)

    monkeypatch.setattr(judging, "_fresh_cases", with_canary)
    found, result = graded(workers, LEAKS[way])
    assert any(str(CANARY) in str(case.arguments) for case in marked), "the canary was asked"
    for digits in ("31337", "31,337", "3.1337", "15625"):
        assert digits not in str(result)
    if way in ("raises", "returns it wrongly"):
        assert found.points == 0.0, "it was called with the canary"


def test_the_canary_would_be_seen(workers) -> None:
    """The scan finds a value that is shown: one of the notebook's own cases."""
    found, _ = graded(workers, body("raise ValueError('31337')"))
    assert "31337" in found.text
