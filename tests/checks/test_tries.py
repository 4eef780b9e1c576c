"""Questions and small pieces of code inside a chapter: without points, before the output."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

from lectures_lib.chapters import CHAPTERS, chapter
from lectures_lib.checks import check
from lectures_lib.checks.author import question, small
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.kinds.function import Function
from lectures_lib.checks.kinds.questions import Number, Quiz
from lectures_lib.checks.registry import all_exercises, find, tries_of
from lectures_lib.checks.student import progress
from lectures_lib.checks.student.overview import overview, table
from lectures_lib.checks.telling.outcomes import outcome_page
from lectures_lib.checks.writing.edits import wrong_versions
from lectures_lib.checks.writing.text_blocks import BlockError
from lectures_lib.figures import Points, Scene
from lectures_lib.figures.plane import square_axes
from lectures_lib.figures.scene import Panel
from lectures_lib.logistic import sigmoid
from lectures_lib.widgets.choices import Place
from tests.chapters import defined
from tests.checks.answers import judged
from tests.conftest import ROOT

TRIES = [one for chapter in CHAPTERS for one in tries_of(chapter.slug)]
QUESTIONS = [one for one in TRIES if one.question]
NUMBER = question("""
    perceptron.half: Half of it [The rule]
        What is half of 1?
    0.5 [right]
        One divided by two.
    0.6 to 0.9
        Too much.
    otherwise
        Divide by 2.
    """)


def square() -> Scene:
    corners = np.array([[0.0, 0.0], [2.0, 4.0]])
    x, y = square_axes(corners)
    return Scene((Panel((Points(corners),), x, y),), "Two corners.")


PLACE = question(
    """
    perceptron.corner: A corner [The rule]
        Where is the upper corner?
    (2, 4) within 0.5 [right]
        There.
    (0, 0) within 0.5
        That is the lower one.
    otherwise
        Look at the two points.
    """,
    square,
)


def said(exercise, answer) -> tuple[str, str]:
    outcome = evaluate(exercise, (answer,))
    (case,) = outcome.cases
    return outcome.status, case.options[0].why if case.options else case.complaint


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        (0.5, "right", "One divided"),
        (np.float64(1) / 2, "right", "One divided"),
        (np.array([0.5]), "right", "One divided"),
        (0.1 + 0.2 + 0.2, "right", "One divided"),
        (0.75, "wrong", "Too much"),
        (0.6, "wrong", "Too much"),
        (2, "wrong", "Divide"),
        (float("nan"), "wrong", "Expected a number"),
        ("0.5", "wrong", "Expected a number"),
        (True, "wrong", "Expected a number"),
        (None, "wrong", "Expected a number"),
        ((1, 2), "wrong", "Expected a number"),
        (..., "not attempted", ""),
    ],
)
def test_every_number_is_answered(answer, status: str, words: str) -> None:
    found = said(NUMBER, answer)
    assert found[0] == status
    assert words in found[1]


@pytest.mark.parametrize(
    ("answer", "status", "words"),
    [
        ((2, 4), "right", "There"),
        ([2.3, 4.2], "right", "There"),
        ((0.1, 0), "wrong", "the lower one"),
        ((9, 9), "wrong", "Look"),
        (2, "wrong", "Expected two numbers"),
        ((..., ...), "not attempted", ""),
    ],
)
def test_every_place_is_answered(answer, status: str, words: str) -> None:
    found = said(PLACE, answer)
    assert found[0] == status
    assert words in found[1]


def test_a_place_is_drawn_and_clicked_where_its_axes_lie() -> None:
    place = Place.in_scene(square())
    left, _, width, _ = place.frame
    assert 0 < left < left + width <= place.width
    assert "Two corners." in place.html
    assert place.x[0] < 0 < 2 < place.x[1]
    page = outcome_page(evaluate(PLACE, (...,)))
    assert "Two corners." in page
    assert "Where is the upper corner?" in page


def test_a_question_stands_with_its_choices_and_gives_no_answer_away() -> None:
    outcome = evaluate(find("perceptron.shifted"), (...,))
    for shown in (repr(outcome), outcome_page(outcome)):
        assert "67 updates" in shown
        assert "more than a hundred times as many" in shown
        assert "10,248" not in shown
        assert "points" not in shown
    assert 'guess = "a"' in repr(outcome)


def test_a_right_answer_says_why_and_asks_nothing_more() -> None:
    outcome = evaluate(find("perceptron.shifted"), ("c",))
    assert outcome.status == "right"
    assert "10,248" in repr(outcome)
    assert "hint(" not in repr(outcome)


def test_what_was_tried_is_counted_and_earns_nothing(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / ".lectures").mkdir()
    monkeypatch.chdir(tmp_path)
    here = next(c for c in overview(tmp_path) if c.chapter.slug == "perceptron")
    total, points = len(here.tries), here.points
    check("perceptron.one_update", ...)
    assert f"tried 0 of {total}" in table(overview(tmp_path))
    check("perceptron.one_update", 4)
    check("perceptron.updated", lambda w, x, s, eta: w)
    stored = json.loads(progress.path_of(tmp_path, "perceptron.one_update").read_text("utf-8"))
    assert (stored["attempts"], stored["best"], stored["status"]) == (1, 0, "wrong")
    here = next(c for c in overview(tmp_path) if c.chapter.slug == "perceptron")
    assert (here.tried, here.best, here.points) == (2, 0, points)
    assert f"tried 2 of {total} inside the chapter" in table([here])


@pytest.mark.parametrize("exercise", TRIES, ids=lambda one: one.id)
def test_a_try_has_no_points_and_a_name_of_its_own(exercise) -> None:
    assert exercise.points == 0
    assert exercise.id not in {one.id for one in all_exercises()}
    assert [one.id for one in TRIES].count(exercise.id) == 1
    assert find(exercise.id) is exercise
    assert evaluate(exercise, (...,)).status == "not attempted"


@pytest.mark.parametrize("exercise", TRIES, ids=lambda one: one.id)
def test_a_try_stands_in_its_chapter_under_a_heading_that_is_there(exercise) -> None:
    path = ROOT / "notebooks" / f"{chapter(exercise.slug).stem}.ipynb"
    cells = json.loads(path.read_text("utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    assert sum(f'check("{exercise.id}", ' in source for source in sources) == 1
    assert any(f"## {exercise.section}\n" in source for source in sources), exercise.section


@pytest.mark.parametrize("exercise", QUESTIONS, ids=lambda one: one.id)
def test_every_foreseen_answer_of_a_question_can_be_given(exercise) -> None:
    (part,) = exercise.parts
    if isinstance(part, Quiz):
        for choice in part.choices:
            status = evaluate(exercise, (choice.letter,)).status
            assert (status == "right") == (choice.letter == part.letters)
        assert len(part.choices) > 1
    else:
        assert isinstance(part, Number)
        for one in part.foreseen[:-1]:
            answer = one.middle[0] if part.length == 1 else one.middle
            outcome = evaluate(exercise, (answer,))
            assert outcome.cases[0].options[0].why == one.why, f"{answer} is hidden by another"
            assert (outcome.status == "right") == one.right


@pytest.mark.parametrize(
    "exercise", [one for one in TRIES if not one.question], ids=lambda one: one.id
)
def test_a_small_piece_of_code_is_right_by_its_reference_and_wrong_by_its_slips(exercise) -> None:
    (part,) = exercise.parts
    assert isinstance(part, Function)
    answered = evaluate(exercise, (part.reference,))
    assert answered.status == "right"
    assert not answered.parts[0].notes, "the author's own answer is remarked upon"
    for slip in part.slips:
        for way in slip.ways:
            for version in wrong_versions(part.reference, way):
                outcome = judged(exercise, (version,))
                assert [found.name for found in outcome.slips] == [slip.name], outcome
    assert len(exercise.hints) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("perceptron.a: Title\n    Asked.\n1 [right]\n    Why.", "heading of the chapter"),
        ("perceptron.a: Title [The rule]\n1 [right]\n    Why.", "below it the question"),
        ("perceptron.a: T [The rule]\n    Asked.\n1 [right]\n    Why.", "and `otherwise`"),
        ("perceptron.a: T [R]\n    Asked.\n1\n    Why.\notherwise\n    No.", r"marked \[right\]"),
        ("perceptron.a: T [R]\n    Asked.\n1 [right]\notherwise\n    No.", "words below it"),
        ("perceptron.a: T [R]\n    A?\n(1, 2) within 1 [right]\n    W.", "expected a number"),
        ("perceptron.a: T [R]\n    A?\na. one\n    Why.", "no choice is marked"),
    ],
)
def test_a_question_that_cannot_be_read_says_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(BlockError, match=message):
        question(text)


def test_a_small_piece_needs_its_three_hints() -> None:
    function = find("perceptron.updated").parts[0]
    with pytest.raises(BlockError, match="three hints"):
        small("perceptron.a: T [The rule]\n    One hint.", function)


DRAWINGS = [one for one in TRIES if one.names[0].startswith("draw_")]


@pytest.mark.parametrize("exercise", DRAWINGS, ids=lambda one: one.id)
def test_the_drawing_that_stands_folded_in_the_notebook_is_right(exercise) -> None:
    (name,), stem = exercise.names, exercise.id.partition(".")[2]
    drawing = defined(exercise.slug, stem, plt=plt, sigmoid=sigmoid)[name]
    assert evaluate(exercise, (drawing,)).status == "right"
    empty = evaluate(exercise, (lambda *_: plt.figure().add_subplot(),))
    assert empty.status == "wrong"
    assert len(DRAWINGS) >= 5
