"""What a solved notebook says about its exercises, written from `exercises.py`.

Heading, points, minutes, the choices of a question, the call of `check` and all metadata are
written here and nowhere else. An author writes the task below its two generated lines, the answer,
and notes for readers of the solution. An exercise that the notebook lacks gets its three cells,
with a first answer taken from the reference.
"""

from __future__ import annotations

import ast
import re
from copy import deepcopy
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from lectures_lib.chapters import Chapter, chapter
from lectures_lib.checks.exercise import Exercise, Part
from lectures_lib.checks.kinds.function import Function
from lectures_lib.checks.kinds.questions import Prediction, Quiz
from lectures_lib.checks.registry import exercises_of
from lectures_lib.checks.telling.outcomes import Choice, number
from lectures_lib.checks.writing.edits import source_of
from lectures_lib.workspace.normal_form import normalise

SETUP = "import numpy as np\n\nfrom lectures_lib.checks import check, hint, solution"
HOW = (
    "Each exercise has three cells: the task, a cell for your answer, and a check. Write where it "
    "says `# YOUR CODE HERE`, run your cell, then the check. The check says what was given, what "
    "came out and what was expected; run it as often as you like. In a cell of your own, "
    '`hint("{first}")` opens a hint for the first exercise; each further call opens one more: the '
    "idea, the formula, a line of code. After a restart of the kernel, "
    "which forgets all values, run the first code cell again."
)


class AuthoringError(ValueError):
    """A solved notebook breaks a rule; the message names the cell and the rule."""


def filled(solved: Any, slug: str) -> Any:
    """The solved notebook with everything generated in its place; the argument is not changed."""
    found = chapter(slug)
    exercises = exercises_of(found.slug)
    notebook = deepcopy(solved)
    head, groups = _grouped(notebook.cells, found, exercises)
    cells = _head(head, found, exercises)
    for place, exercise in enumerate(exercises, 1):
        cells += _three_cells(groups[stem(exercise.id)], exercise, place)
    notebook.cells = cells
    return normalise(notebook)


def empty() -> Any:
    """A notebook to begin with."""
    return normalise(new_notebook())


def stem(identity: str) -> str:
    """What the ids of an exercise's cells begin with."""
    return re.sub(r"[._]", "-", identity)


def _grouped(
    cells: list[Any], found: Chapter, exercises: tuple[Exercise, ...]
) -> tuple[list[Any], dict[str, list[Any]]]:
    """The cells before the first exercise, and those of each exercise with what follows them."""
    groups: dict[str, list[Any]] = {stem(exercise.id): [] for exercise in exercises}
    head: list[Any] = []
    current = head
    for cell in cells:
        name, dash, role = cell.get("id", "").rpartition("-")
        if dash and role in ("task", "answer", "check"):
            if name not in groups:
                raise AuthoringError(
                    f"cell {cell.id}: chapters/{found.slug}/exercises.py has no such exercise; "
                    f"its cells begin with {', '.join(groups)}"
                )
            current = groups[name]
        current.append(cell)
    return head, groups


def _head(cells: list[Any], found: Chapter, exercises: tuple[Exercise, ...]) -> list[Any]:
    begin = stem(found.slug)
    title = _take(cells, f"{begin}-title") or new_markdown_cell()
    setup = _take(cells, f"{begin}-setup") or new_code_cell(SETUP)
    points = number(sum(exercise.points for exercise in exercises))
    minutes = sum(exercise.minutes for exercise in exercises)
    belong = f"belong to [chapter {found.number:02d}](../notebooks/{found.stem}.ipynb)."
    generated = [f"# Exercises {found.number:02d}: {found.title}", f"They {belong}"]
    if exercises:
        count = _counted(len(exercises), "exercise")
        generated[1] = f"{count}, {points} points, about {minutes} minutes. They {belong}"
        generated.append(HOW.format(first=exercises[0].id))
    old = ("# ", "They belong to", HOW[:33])
    paragraphs = [
        paragraph
        for paragraph in title.source.split("\n\n")
        if not paragraph.startswith(old) and belong not in paragraph
    ]
    title.source = "\n\n".join([*generated, *paragraphs]).rstrip()
    _mark(title, f"{begin}-title")
    _mark(setup, f"{begin}-setup")
    return [title, setup, *cells]


def _three_cells(cells: list[Any], exercise: Exercise, place: int) -> list[Any]:
    """Task, answer and check of one exercise, then what an author put behind them."""
    begin = stem(exercise.id)
    task = _take(cells, f"{begin}-task") or new_markdown_cell("Write the task here.")
    answer = _take(cells, f"{begin}-answer") or new_code_cell(first_answer(exercise))
    check = _take(cells, f"{begin}-check") or new_code_cell()
    task.source = _task(task.source, exercise, place)
    check.source = f'check("{exercise.id}", {", ".join(exercise.names)})'
    _mark(task, f"{begin}-task")
    _mark(answer, f"{begin}-answer", locked=False, solution=True)
    _mark(check, f"{begin}-check", grade=True, points=_whole(exercise.points))
    check.metadata["lectures"] = {
        "check": exercise.id,
        "version": exercise.version,
        "hints": len(exercise.hints),
    }
    return [task, answer, check, *cells]


def _task(source: str, exercise: Exercise, place: int) -> str:
    """The task under its generated lines; the choices of a question stand at its end."""
    paragraphs = source.split("\n\n")
    if paragraphs[0].startswith("## "):
        paragraphs = paragraphs[2:]
    body = "\n\n".join(paragraphs)
    choices = [line for part in exercise.parts for line in _choices(part)]
    if choices:
        lines = [
            line for line in body.split("\n") if not re.match(r"(- \([a-z]\) |\*\*.*\*\*$)", line)
        ]
        body = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n\n" + "\n".join(choices)
    return "\n\n".join(
        [
            f"## Exercise {place}. {exercise.title}",
            f"*`{exercise.id}`: {_counted(exercise.points, 'point')}, "
            f"about {_counted(exercise.minutes, 'minute')}.*",
            body,
        ]
    )


def _choices(part: Part) -> list[str]:
    if isinstance(part, Quiz):
        return _listed(part.choices)
    if isinstance(part, Prediction):
        what, why = part.names
        return [
            f"**What happens: `{what}`**", "", *_listed(part.outcomes), "",
            f"**Why: `{why}`**", "", *_listed(part.reasons),
        ]  # fmt: skip
    return []


def _listed(choices: tuple[Choice, ...]) -> list[str]:
    return [f"- ({choice.letter}) {choice.text}" for choice in choices]


def first_answer(exercise: Exercise) -> str:
    """An answer to begin with: the reference of a function, `...` for everything else."""
    return "\n\n\n".join(_first_answer(part) for part in exercise.parts)


def _first_answer(part: Part) -> str:
    if not isinstance(part, Function):
        names, dots = ", ".join(part.names), ", ".join("..." for _ in part.names)
        quizzes = (part,) if isinstance(part, Quiz) else getattr(part, "questions", ())
        letters = ", ".join(f'"{quiz.letters}"' for quiz in quizzes)
        right = f"{names} = {letters}" if letters else "# Write the solution here."
        return f"{names} = {dots}\n### BEGIN SOLUTION\n{right}\n### END SOLUTION"
    tree = ast.parse(source_of(part.reference)).body[0]
    assert isinstance(tree, ast.FunctionDef)
    results = ", ".join(result.name for result in part.results)
    dots = ", ".join("..." for _ in part.results)
    body = "\n".join(f"    {line}" for node in tree.body for line in ast.unparse(node).split("\n"))
    return (
        f"def {part.name}({', '.join(part.parameters)}):\n"
        f'    """What it returns, in a few words."""\n'
        f"    {results} = {dots}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION\n"
        f"    return {results}"
    )


def _take(cells: list[Any], name: str) -> Any:
    """The cell with this id, taken out of the list."""
    for place, cell in enumerate(cells):
        if cell.get("id") == name:
            return cells.pop(place)
    return None


def _mark(cell: Any, name: str, **nbgrader: Any) -> None:
    """Give a cell its id and nbgrader's metadata, schema 3."""
    cell["id"] = name
    plain = {
        "grade": False, "grade_id": name, "locked": True,
        "schema_version": 3, "solution": False, "task": False,
    }  # fmt: skip
    kept = {key: value for key, value in cell.metadata.items() if key == "tags"}
    cell["metadata"] = nbformat.from_dict(
        {**kept, "nbgrader": dict(sorted({**plain, **nbgrader}.items()))}
    )


def _whole(points: float) -> float | int:
    return int(points) if float(points).is_integer() else points


def _counted(count: float, word: str) -> str:
    return f"{number(count)} {word}" if count == 1 else f"{number(count)} {word}s"
