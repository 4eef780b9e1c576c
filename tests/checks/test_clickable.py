"""Options that are clicked: the answer's variable, the verdict and the progress follow."""

import json
from types import SimpleNamespace

import pytest

from lectures_lib.checks import check
from lectures_lib.checks.registry import all_exercises, exercises_of, find
from lectures_lib.checks.student import progress, session
from lectures_lib.checks.student.overview import next_steps
from lectures_lib.checks.telling.clickable import Clickable, questions_of
from lectures_lib.widgets.choices import Choices
from tests.checks.answers import SOLVED, answers_in

QUIZ = "your_own_data.report"


class Screen:
    """What a notebook shows: outputs in their order, and what replaced them later."""

    def __init__(self) -> None:
        self.shown, self.later = [], []

    def display(self, thing, **options):
        self.shown.append(thing)
        return SimpleNamespace(update=lambda data, **_: self.later.append(data))


@pytest.fixture
def shell(monkeypatch, tmp_path):
    """The session of a notebook in a student's folder, and its screen."""
    (tmp_path / ".lectures").mkdir()
    monkeypatch.chdir(tmp_path)
    screen = Screen()
    found = SimpleNamespace(user_ns={}, kernel=object(), screen=screen, folder=tmp_path)
    monkeypatch.setattr(session, "_shell", lambda: found)
    monkeypatch.setattr("IPython.display.display", screen.display)
    return found


def stored(shell, identity: str) -> dict:
    path = progress.path_of(shell.folder, identity)
    return json.loads(path.read_text(encoding="utf-8"))


def shown(shell, identity: str, *answers):
    """The options and the verdict that a check shows."""
    outcome = check(identity, *answers)
    assert isinstance(outcome, Clickable)
    outcome._ipython_display_()
    options, verdict = shell.screen.shown
    assert isinstance(options, Choices)
    assert verdict["text/plain"] == repr(outcome)
    return options


def click(options, **letters) -> None:
    options._handle_custom_msg({"kind": "choice", "given": letters}, [])


def test_a_click_is_judged_like_the_cell_with_the_same_letters(shell) -> None:
    options = shown(shell, QUIZ, ...)
    for letters in ("a", "b", "ab", "bd"):
        click(options, flawed=letters)
        assert shell.user_ns["flawed"] == letters
        said = shell.screen.later[-1]["text/plain"].splitlines()[0]
        assert said == repr(check(QUIZ, letters)).splitlines()[0]
    assert stored(shell, QUIZ)["status"] == "right"
    assert stored(shell, QUIZ)["attempts"] == 8


def test_both_questions_of_a_prediction_are_chosen(shell) -> None:
    options = shown(shell, "linear_discriminants.masked", ..., ...)
    assert [question["name"] for question in options._questions] == ["flawed", "because"]
    click(options, flawed="cd", because="ac", other="c")
    assert shell.user_ns == {"flawed": "cd", "because": "ac"}
    assert shell.screen.later[-1]["text/plain"].startswith("Right: ")


def test_a_cell_that_did_not_run_is_forgotten_once_something_is_clicked(shell, monkeypatch) -> None:
    monkeypatch.setattr(session, "_did_not_run", {"flawed": "NameError: name 'bd' is not defined"})
    options = shown(shell, QUIZ, "a")
    assert "ended with NameError" in shell.screen.shown[1]["text/plain"]
    click(options, flawed="bd")
    assert shell.screen.later[-1]["text/plain"].startswith("Right: ")


def test_what_was_chosen_stays_chosen_and_several_can_be(shell) -> None:
    (question,) = shown(shell, QUIZ, "ad")._questions
    assert question["chosen"] == "ad"
    assert question["several"]
    assert [option["letter"] for option in question["options"]] == list("abcde")


@pytest.mark.parametrize("alone", ["right", "no kernel", "nbgrader"])
def test_there_is_nothing_to_click(shell, monkeypatch, alone: str) -> None:
    if alone == "no kernel":
        shell.kernel = None
    if alone == "nbgrader":
        monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert not isinstance(check(QUIZ, "bd" if alone == "right" else "a"), Clickable)


def test_every_question_of_the_course_can_be_answered_by_clicks() -> None:
    asked = [exercise for exercise in all_exercises() if questions_of(exercise)]
    assert len(asked) > 5
    for exercise in asked:
        names = [question.name for question in questions_of(exercise)]
        assert set(names) <= set(exercise.names)
        assert len(names) == len(set(names))


def test_after_a_right_answer_the_next_open_exercise_is_named(shell) -> None:
    exercises = exercises_of("your_own_data")
    assert find(QUIZ) == exercises[-1]
    told = repr(check(QUIZ, "bd"))
    assert f"So far 3 of 21 points in chapter 19. Next: exercise 1, {exercises[0].title}" in told
    for exercise in exercises[:-1]:
        check(exercise.id, *answers_in(SOLVED[exercise.id], exercise))
    assert next_steps(shell.folder, exercises[2]) == (
        "All exercises of chapter 19 are right: 21 of 21 points."
    )
    assert "So far" not in repr(check(QUIZ, "a"))
