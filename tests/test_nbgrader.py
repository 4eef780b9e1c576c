"""nbgrader itself gives the points that `check` gives: solved, half solved, untouched."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.registry import exercises_of
from lectures_lib.commands import export_nbgrader as command
from lectures_lib.grading.handing_out.build_exercises import AuthoringError, is_answer
from lectures_lib.grading.handing_out.nbgrader_export import (
    export,
    source_notebook,
    with_hidden_tests,
)
from tests.checks.answers import SOLVED, UNTOUCHED, answers_in
from tests.conftest import ROOT

STEM = "04_perceptron"
EXERCISES = exercises_of("perceptron")
HALF = {  # none right, some in part
    "perceptron.fit": SOLVED["perceptron.fit"].replace("s[i] * g < 0 or", "").replace(
        "tie == \"update\" or", ""
    ),
    "perceptron.loss": SOLVED["perceptron.loss"].replace("s * (A @ w) <= 0", "s * (A @ w) > 0"),
    "perceptron.trace": "trace = [(0, 1, 2, -2), (1, 0, 2, -2), (2, 1, 5, 1), ..., ...]",
    "perceptron.zero_margin": "X_tie, s_tie = [[1, 0], [2, 1], [-2, 0], [-3, 2]], [-1, -1, 1, 1]",
    "perceptron.losses": "import os\ndef losses_at(m):\n    print('a' * 10**6)\n    os._exit(1)",
    "perceptron.losses_quiz": "flawed, because = 'a', 'c'\ncheck = 'my own name for something'",
}  # fmt: skip
HOSTILE = dict.fromkeys(
    SOLVED,
    "import lectures_lib.checks as judge\n"
    "from lectures_lib.checks.telling.outcomes import Outcome\n"
    "Outcome.points = property(lambda self: 99)\n"
    "judge.check = check = lambda *answers: 99\n",
)
for _name, _untouched in UNTOUCHED.items():
    HOSTILE[_name] += _untouched
STUDENTS = {"hostile": HOSTILE, "solved": SOLVED, "half": HALF}  # the first: untouched, too


@pytest.mark.slow
def test_the_export_is_complete_and_repeatable(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    arguments = type("Arguments", (), {"folder": tmp_path / "course"})
    assert command.run(arguments) == 0
    names = sorted(path.stem for path in (ROOT / "solutions").glob("*.ipynb"))
    assert f"{len(names)} assignments ({', '.join(names)})" in capsys.readouterr().out
    first = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    export(ROOT, tmp_path / "course")
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == first
    notebook = nbformat.read(tmp_path / "course" / "source" / STEM / f"{STEM}.ipynb", as_version=4)
    hidden = [cell for cell in notebook.cells if "BEGIN HIDDEN TESTS" in cell.source]
    assert len(hidden) == len(EXERCISES)
    assert not [cell for cell in notebook.cells if cell.get("outputs")]


def test_a_check_cell_with_more_than_the_check_is_refused() -> None:
    with pytest.raises(AuthoringError, match="one call of check"):
        with_hidden_tests("x = 1\ncheck('a', x)")


# What is asked of nbgrader is asked in a process of its own: its import reshapes `distutils`, and
# fails where another test has used that before.
CLEARED = """
import json, sys, nbformat
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.preprocessors import ClearHiddenTests, ClearSolutions
for source, *built in json.loads(sys.argv[1]):
    for path in built:
        MetadataValidator().validate_nb(nbformat.read(path, as_version=4))
    clear = ClearSolutions(code_stub={"python": "# YOUR CODE HERE"})
    notebook, _ = clear.preprocess(nbformat.read(source, as_version=4), {})
    notebook, _ = ClearHiddenTests().preprocess(notebook, {})
    print(json.dumps([cell.source for cell in notebook.cells]))
"""
GRADES = """
import json, sys
from nbgrader.api import Gradebook
folder, stem, *students = sys.argv[1:]
with Gradebook(f"sqlite:///{folder}/gradebook.db") as gradebook:
    for student in students:
        grades = gradebook.find_submission_notebook(stem, stem, student).grades
        print(json.dumps({grade.name: grade.score for grade in grades}))
"""


def lines_from(script: str, *words: str | Path) -> list[Any]:
    """What a script prints in a process of its own, a line of JSON each."""
    command = [sys.executable, "-c", script, *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_nbgrader_knows_our_cells_and_makes_the_same_stubs(tmp_path: Path) -> None:
    asked = []
    for path in sorted((ROOT / "solutions").glob("*.ipynb")):
        source, built = tmp_path / path.name, ROOT / "exercises" / path.name
        nbformat.write(source_notebook(nbformat.read(path, as_version=4)), source)
        asked.append([str(source), str(path), str(built)])
    cleared = lines_from(CLEARED, json.dumps(asked))
    for (_, _, built), found in zip(asked, cleared, strict=True):
        assert found == [cell.source for cell in nbformat.read(built, as_version=4).cells]
    assert len(asked) > 15


def nbgrader(folder: Path, *words: str) -> str:
    environment = os.environ | {
        "JUPYTER_CONFIG_DIR": str(folder / ".config"),
        "JUPYTER_DATA_DIR": str(folder / ".data"),
        "IPYTHONDIR": str(folder / ".ipython"),
    }
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *words],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=1800,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout + done.stderr


@pytest.fixture
def released(tmp_path: Path, monkeypatch) -> Path:
    """The folder of a course whose students have an assignment."""
    scripts = Path(sys.executable).parent  # nbgrader calls alembic by its name
    monkeypatch.setenv("PATH", f"{scripts}{os.pathsep}{os.environ['PATH']}")
    folder = tmp_path / "course"
    export(ROOT, folder)
    shutil.rmtree(folder / "source" / "05_perceptron_convergence")
    nbgrader(folder, "generate_assignment", STEM)
    return folder


@pytest.mark.deep
def test_nbgrader_validate_counts_what_is_missing(released: Path) -> None:
    said = nbgrader(released, "validate", f"release/{STEM}/{STEM}.ipynb")
    assert "VALIDATION FAILED ON 6 CELL" in said


@pytest.mark.slow
def test_nbgrader_gives_the_points_that_check_gives(released: Path) -> None:
    release = released / "release" / STEM / f"{STEM}.ipynb"
    assert "SOLUTION" not in release.read_text(encoding="utf-8")
    assert "HIDDEN" not in release.read_text(encoding="utf-8")

    for student, answers in STUDENTS.items():
        notebook = nbformat.read(release, as_version=4)
        for answer, checked in zip(notebook.cells, notebook.cells[1:], strict=False):
            if is_answer(answer):
                answer.source = answers[checked.metadata.lectures.check]
        submitted = released / "submitted" / student / STEM / f"{STEM}.ipynb"
        submitted.parent.mkdir(parents=True)
        nbformat.write(notebook, submitted)

    nbgrader(released, "autograde", STEM)
    found = grades(released)
    for student in ("solved", "half"):  # the hostile one not in this process
        expected = {e.id: points(e, STUDENTS[student][e.id]) for e in EXERCISES}
        assert found[student] == expected, student
    assert sum(found["solved"].values()) == 26
    assert 0 < sum(found["half"].values()) < 26
    assert sum(found["hostile"].values()) == 0, "a patched check is undone"
    half = nbformat.read(released / "autograded" / "half" / STEM / f"{STEM}.ipynb", as_version=4)
    for cell in half.cells:
        if "check" in cell.metadata.get("lectures", {}):
            (output,) = cell.outputs
            assert "points." in output.data["text/html"], "the verdict is the feedback"
            assert float(output.data["text/plain"]) >= 0
    nbgrader(released, "generate_feedback", STEM, "--student", "half")
    page = released / "feedback" / "half" / STEM / f"{STEM}.html"
    assert "points." in page.read_text(encoding="utf-8")


def points(exercise, source: str) -> float:
    """What `check` gives, in this process."""
    return evaluate(exercise, answers_in(source, exercise)).points


def grades(folder: Path) -> dict[str, dict[str, float]]:
    """Points by student and exercise, from nbgrader's data base."""
    found = lines_from(GRADES, folder, STEM, *STUDENTS)
    return {
        student: {exercise_id(name): score for name, score in grades.items()}
        for student, grades in zip(STUDENTS, found, strict=True)
    }


def exercise_id(grade: str) -> str:
    """ "topic.two_words" from nbgrader's name of the check cell, "topic-two-words-check"."""
    return grade.removesuffix("-check").replace("-", ".", 1).replace("-", "_")
