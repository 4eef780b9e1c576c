"""exercises/ is what the solutions give, byte for byte, and nothing of a solution is in it."""

import base64
from copy import deepcopy

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from lectures_lib.checks.registry import exercises_of, find
from lectures_lib.checks.telling.clickable import questions_of
from lectures_lib.commands import build_exercises as command
from lectures_lib.grading.handing_out.build_exercises import (
    STUB,
    build,
    is_answer,
    leaks,
    pairs,
    solutions,
    stubbed,
    texts_of,
    tokens,
)
from lectures_lib.grading.handing_out.solutions import AuthoringError, empty, filled
from lectures_lib.workspace.normal_form import normalise
from tests.conftest import ROOT

PAIRS = pairs(ROOT)
GENERATED = ("-title", "-setup", "-task", "-answer", "-check")
every_pair = pytest.mark.parametrize("pair", PAIRS, ids=[pair[0].stem for pair in PAIRS])
SECRET = "total = sum(alpha[j] * s[j] * G[j, i] for j in range(len(s)))"


def solved_notebook(*more):
    answer = new_code_cell(
        f"def f(x):\n    ### BEGIN SOLUTION\n    {SECRET}\n    ### END SOLUTION\n    return y"
    )
    answer.metadata["nbgrader"] = {"grade_id": "f", "solution": True, "grade": False}
    return normalise(new_notebook(cells=[new_markdown_cell("# Title"), answer, *more]))


@every_pair
def test_both_notebooks_are_what_the_command_writes(pair) -> None:
    for path, text in zip(pair, texts_of(pair[0]), strict=True):
        assert path.read_bytes() == text.encode(), "run `lectures build-exercises`"


@every_pair
def test_what_is_generated_comes_back_when_it_was_changed(pair) -> None:
    solved = nbformat.read(pair[0], as_version=4)
    slug = pair[0].stem.partition("_")[2]
    changed = deepcopy(solved)
    for cell in changed.cells:
        lines = cell.source.split("\n")
        if cell.id.endswith("-task"):
            cell.source = "\n".join(["## Exercise 99. Another", "", "*no points*", *lines[3:]])
        if cell.id.endswith("-check"):
            cell.source = "check()"
        if cell.id.endswith(GENERATED):
            cell.metadata = {}
    assert filled(changed, slug) == solved


@every_pair
def test_a_missing_exercise_gets_its_cells_and_a_first_answer(pair) -> None:
    slug = pair[0].stem.partition("_")[2]
    made = filled(empty(), slug)
    stored = nbformat.read(pair[0], as_version=4).cells
    assert [c.id for c in made.cells] == [c.id for c in stored if c.id.endswith(GENERATED)]
    assert build(made)
    by_id = {cell.id: cell.source for cell in made.cells}
    if slug == "perceptron":
        assert (
            "    loss = ...\n    ### BEGIN SOLUTION\n    m = s * (w[0]"
            in by_id["perceptron-loss-answer"]
        )
        assert "return perceptron_loss" not in by_id["perceptron-loss-answer"]


def test_a_cell_of_an_unknown_exercise_is_refused() -> None:
    cell = new_code_cell("x", id="perceptron-nothing-answer")
    with pytest.raises(AuthoringError, match="has no such exercise"):
        filled(new_notebook(cells=[cell]), "perceptron")


def test_every_exercise_notebook_has_a_solution() -> None:
    assert {e.name for e in (ROOT / "exercises").glob("*.ipynb")} == {s.name for s, _ in PAIRS}


def test_building_leaves_the_solution_alone() -> None:
    solved = nbformat.read(PAIRS[0][0], as_version=4)
    before = deepcopy(solved)
    once = build(solved)
    assert solved == before
    assert build(once) == once


@every_pair
def test_an_exercise_is_task_stub_and_locked_check_without_a_line_of_the_solution(pair) -> None:
    solved, exercise = (nbformat.read(path, as_version=4) for path in pair)
    text = pair[1].read_text(encoding="utf-8")
    assert "SOLUTION" not in text
    lines = [line for secret in solutions(solved) for line in secret.splitlines()]
    assert not [line for line in lines if len(tokens(line)) >= 8 and line.strip() in text]
    code = [cell for cell in exercise.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in code)
    checks = [n for n, c in enumerate(exercise.cells) if "check" in c.metadata.get("lectures", {})]
    assert len(checks) == len(exercises_of(pair[0].stem[3:]))
    for number in checks:
        task, answer, check = exercise.cells[number - 2 : number + 1]
        stem = check.id.removesuffix("-check")
        assert (task.id, answer.id) == (f"{stem}-task", f"{stem}-answer")
        assert task.cell_type == "markdown"
        assert is_answer(answer)
        assert STUB in answer.source
        assert check.source.startswith(f'check("{check.metadata.lectures.check}", ')
        assert check.metadata.nbgrader.grade
        assert check.metadata.nbgrader.locked


HIDING_PLACES = {
    "source": lambda nb: nb.cells[0].update(source=f"# Title\n\n{SECRET}"),
    "another spelling": lambda nb: nb.cells[0].update(source="\n".join(tokens(SECRET))),
    "metadata": lambda nb: nb.cells[0].metadata.update(lectures={"note": [SECRET]}),
    "a metadata name": lambda nb: nb.cells[0].metadata.update(lectures={SECRET: 1}),
    "lines of metadata": lambda nb: nb.cells[0].metadata.update(
        lectures={"note": SECRET.split(" ")}
    ),
    "an attachment": lambda nb: nb.cells[0].update(
        attachments={"a.txt": {"text/plain": base64.b64encode(SECRET.encode()).decode()}}
    ),
    "an attachment's name": lambda nb: nb.cells[0].update(attachments={SECRET: {"text/plain": ""}}),
    "tags": lambda nb: nb.cells[0].metadata.update(tags=[SECRET]),
}


@pytest.mark.parametrize("place", HIDING_PLACES)
def test_a_leak_is_found_wherever_it_hides(place: str) -> None:
    notebook = solved_notebook()
    build(notebook)
    HIDING_PLACES[place](notebook)
    with pytest.raises(AuthoringError, match="part of a solution survives"):
        build(notebook)


def test_outputs_never_leak_because_they_are_dropped() -> None:
    cell = new_code_cell("print(1)", outputs=[nbformat.v4.new_output("stream", text=SECRET)])
    assert build(solved_notebook(cell)).cells[-1].outputs == []
    kept = solved_notebook()
    kept.cells.append(cell)
    assert leaks(solved_notebook(), kept)


def test_cells_for_readers_of_the_solution_are_left_out() -> None:
    note = new_markdown_cell("Why it works.", metadata={"lectures": {"solution_only": True}})
    assert len(build(solved_notebook(note)).cells) == 2


@pytest.mark.parametrize(
    ("source", "answer", "message"),
    [
        ("### BEGIN SOLUTION\nx = 1", True, "no END SOLUTION"),
        ("x = 1\n### END SOLUTION", True, "END SOLUTION without BEGIN"),
        ("### BEGIN SOLUTION\n### BEGIN SOLUTION\n### END SOLUTION", True, "a second BEGIN"),
        ("### BEGIN SOLUTION\nx = 1\n### END SOLUTION", False, "no solution cell of nbgrader"),
        ("x = 1", True, "no BEGIN SOLUTION"),
    ],
)
def test_a_mistake_in_the_markers_is_named(source: str, answer: bool, message: str) -> None:
    with pytest.raises(AuthoringError, match=message):
        stubbed(source, "cell 3", answer)


def test_the_command_compares_without_writing(tmp_path, monkeypatch, capsys) -> None:
    for folder in ("notebooks", "solutions", "exercises"):
        (tmp_path / folder).mkdir()
    (tmp_path / "notebooks" / "00_start_here.ipynb").touch()  # by this it is known as the course
    solved = PAIRS[0][0]
    (tmp_path / "solutions" / solved.name).write_bytes(solved.read_bytes())
    (tmp_path / "exercises" / "99_nothing.ipynb").write_text("{}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    arguments = type("Arguments", (), {"check": True})
    assert command.run(arguments) == 1
    assert not (tmp_path / "exercises" / solved.name).exists()
    arguments.check = False
    assert command.run(arguments) == 1
    assert "99_nothing.ipynb has no solution" in capsys.readouterr().out
    (tmp_path / "exercises" / "99_nothing.ipynb").unlink()
    arguments.check = True
    assert command.run(arguments) == 0
    assert (tmp_path / "exercises" / solved.name).read_bytes() == PAIRS[0][1].read_bytes()


@pytest.mark.slow
@every_pair
def test_an_untouched_exercise_runs_from_top_to_bottom(pair, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    scope, told = {"__name__": "__main__"}, []
    for cell in nbformat.read(pair[1], as_version=4).cells:
        if "check" in cell.metadata.get("lectures", {}):
            told.append(repr(eval(cell.source, scope)))
        elif cell.cell_type == "code":
            exec(cell.source, scope)
    assert told
    assert all(text.startswith("Not attempted: ") for text in told)


IN_JUPYTER = [
    pytest.param(pair, marks=pytest.mark.deep if number else pytest.mark.slow, id=pair[0].stem)
    for number, pair in enumerate(PAIRS)
]


@pytest.mark.parametrize("pair", IN_JUPYTER)
def test_an_untouched_notebook_shows_that_nothing_is_attempted(pair, tmp_path) -> None:
    from nbclient import NotebookClient

    notebook = nbformat.read(pair[1], as_version=4)
    resources = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, kernel_name="python3", timeout=120, resources=resources).execute()
    for cell in notebook.cells:
        if "check" in cell.metadata.get("lectures", {}):
            *options, output = cell.outputs
            assert len(options) == bool(questions_of(find(cell.metadata.lectures.check)))
            assert output.data["text/plain"].startswith("Not attempted: ")
            assert "Not attempted" in output.data["text/html"]
        elif cell.cell_type == "code":
            assert cell.outputs == []
