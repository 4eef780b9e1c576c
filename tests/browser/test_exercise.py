"""One exercise in a real JupyterLab: wrong, with a hint, right; by the keyboard alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from lectures_lib.workspace.copies import make
from tests.browser.lab import Lab, set_theme, violations
from tests.conftest import ROOT

STEM = "04_perceptron"
WRONG = """def losses_at(m):
    zero_one = np.where(m <= 0, 1.0, 0.0)
    perceptron = np.maximum(-m, 0)
    return zero_one, perceptron, np.maximum(-m, 0), np.logaddexp(0, -m)"""
RIGHT = WRONG.replace("perceptron, np.maximum(-m, 0)", "perceptron, np.maximum(1 - m, 0)")
HOSTILE = "def losses_at(m):\n    exit()"


@pytest.fixture(scope="module")
def work(lab: Lab) -> Path:
    """A student's folder on the server, made as `lectures work` makes it."""
    course = lab.folder / "course"
    for folder in ("exercises", "notebooks"):
        (course / folder).mkdir(parents=True)
        shutil.copy(ROOT / folder / f"{STEM}.ipynb", course / folder)
    make(course)
    return course / "work"


@pytest.fixture(scope="module")
def page(lab: Lab, browser: Browser, work: Path) -> Page:
    """The exercise notebook, run once, with the focus where JupyterLab puts it."""
    opened = lab.open(browser, f"course/work/exercises/{STEM}")
    focus_notebook(opened)
    return opened


NOTEBOOK = "window.jupyterapp.shell.currentWidget.content"


def focus_notebook(page: Page) -> None:
    """Give the notebook the keyboard, as a click on its tab does; a change of theme takes it."""
    page.evaluate("window.jupyterapp.shell.activateById(window.jupyterapp.shell.currentWidget.id)")
    page.wait_for_function(f"() => {NOTEBOOK}.node.contains(document.activeElement)")


def leave_outputs(page: Page) -> None:
    """Give the keyboard back from a button in an output to the cells."""
    page.evaluate("document.activeElement.blur()")
    page.evaluate("window.jupyterapp.commands.execute('notebook:enter-command-mode')")


def go_to(page: Page, name: str) -> None:
    """Move to the cell with this id, with the arrow keys."""
    page.keyboard.press("Escape")
    goal = page.evaluate(
        f"name => {NOTEBOOK}.widgets.findIndex(c => c.model.sharedModel.id === name)", name
    )
    for _ in range(80):
        here = page.evaluate(f"{NOTEBOOK}.activeCellIndex")
        if here == goal:
            return
        page.keyboard.press("ArrowDown" if here < goal else "ArrowUp")
    raise AssertionError(f"no cell {name} was reached")


def active(page: Page) -> str:
    return str(
        page.evaluate(
            "window.jupyterapp.shell.currentWidget.content.activeCell.model.sharedModel.id"
        )
    )


def retype(page: Page, text: str) -> None:
    """Replace the text of the active cell, typing."""
    page.keyboard.press("Enter")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)
    page.keyboard.press("Escape")


def run_and_read(page: Page) -> str:
    """Run the active cell with the keyboard and read what stands below it."""
    number = page.evaluate(f"{NOTEBOOK}.activeCellIndex")
    count = f"{NOTEBOOK}.widgets[{number}].model.executionCount"
    before = page.evaluate(count)
    page.keyboard.press("Shift+Enter")
    page.wait_for_function(f"before => {count} && {count} !== before", arg=before)
    output = page.locator(".jp-Notebook .jp-Cell").nth(number).locator(".jp-OutputArea-output")
    return output.first.text_content() or "" if output.count() else ""


def answer(page: Page, text: str) -> str:
    """Type an answer, run it and its check, and read the check."""
    go_to(page, "perceptron-losses-answer")
    retype(page, text)
    run_and_read(page)
    assert active(page) == "perceptron-losses-check"
    return run_and_read(page)


def progress(work: Path) -> dict[str, object]:
    path = work / "progress" / "perceptron.losses.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


def test_an_untouched_notebook_says_not_attempted_everywhere(page: Page, work: Path) -> None:
    outputs = page.locator(".jp-OutputArea-output")
    expect(outputs).to_have_count(7)  # the options of the question are one
    found = [text for text in outputs.all_text_contents() if "Check this choice" not in text]
    assert [text[:15] for text in found] == ["○ Not attempted"] * 6
    assert not (work / "progress").exists()
    assert violations(page) == []


def test_wrong_then_a_hint_then_right_by_the_keyboard_alone(page: Page, work: Path) -> None:
    said = answer(page, WRONG)
    assert "✗ Wrong Four losses of a margin, 3 of 4 points." in said  # one loss of four is wrong
    assert "given" in said
    assert "came out" in said
    assert "expected" in said
    assert "The hinge without its 1: max(−m, 0) is the perceptron loss." in said
    assert "The errata of the lecture notes have it too: E1-01." in said
    assert progress(work)["status"] == "wrong"

    page.keyboard.press("Escape")
    go_to(page, "perceptron-losses-check")
    page.keyboard.press("b")
    retype(page, 'hint("perceptron.losses")')
    assert run_and_read(page).startswith("Hint 1 of 3, the idea: All four losses depend on")
    assert progress(work)["hints"] == 1
    assert violations(page) == []

    assert "✓ Right Four losses of a margin, 4 of 4 points." in answer(page, RIGHT)
    found = progress(work)
    assert (found["status"], found["best"], found["attempts"], found["hints"]) == ("right", 4, 2, 1)
    assert violations(page) == []


def test_a_quiz_is_answered_by_the_keyboard(page: Page) -> None:
    go_to(page, "perceptron-losses-quiz-answer")
    retype(page, 'above = "ad"')
    run_and_read(page)
    run_and_read(page)
    told = page.locator(".jp-OutputArea-output").filter(has_text="At m = −0.1 the perceptron loss")
    expect(told).to_have_count(1)
    go_to(page, "perceptron-losses-quiz-answer")
    retype(page, 'above = "bd"')
    run_and_read(page)
    assert "✓ Right Which losses lie above the 0-1 loss? 2 of 2 points." in run_and_read(page)


def test_an_answer_that_quits_does_not_end_the_kernel(page: Page) -> None:
    assert "It calls exit(), which ends Python. Leave a function with" in answer(page, HOSTILE)
    assert "✓ Right Four losses of a margin, 4 of 4 points." in answer(page, RIGHT)


def test_a_name_that_the_checks_need_is_put_back(page: Page) -> None:
    go_to(page, "perceptron-losses-answer")
    retype(page, f"{RIGHT}\n\ncheck = 3")
    assert "This cell gave the name `check` another meaning." in run_and_read(page)
    assert "✓ Right Four losses of a margin, 4 of 4 points." in run_and_read(page)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_kind_of_message_is_accessible_in_both_themes(page: Page, theme: str) -> None:
    set_theme(page, theme)
    focus_notebook(page)
    answer(page, WRONG)
    go_to(page, "perceptron-fit-answer")
    retype(page, "def perceptron_fit(X, s, eta, tie, max_passes):\n    return X @ s")
    run_and_read(page)
    assert "! Error The perceptron, with both tie rules and a cap on the passes, 0" in run_and_read(
        page
    )
    texts = " ".join(page.locator(".jp-OutputArea-output").all_text_contents())
    for kind in ("Right", "Wrong", "Error", "Not attempted", "Hint 1 of 3"):
        assert kind in texts
    assert violations(page) == []


def source(page: Page, name: str) -> str:
    """The text of the cell with this id."""
    return str(
        page.evaluate(
            f"name => {NOTEBOOK}.widgets.find(c => c.model.sharedModel.id === name)"
            ".model.sharedModel.source",
            name,
        )
    )


def choose(page: Page, *letters: str, keyboard: bool) -> None:
    """Tick these options, and no others, and check the choice."""
    options = page.locator(".lm-choices")
    options.scroll_into_view_if_needed()
    for box in options.locator("input").all():
        if box.is_checked() != (box.get_attribute("value") in letters):
            if keyboard:
                box.focus()
                page.keyboard.press("Space")
            else:
                box.click()
    button = options.get_by_role("button", name="Check this choice")
    if keyboard:
        button.focus()
        page.keyboard.press("Enter")
    else:
        button.click()


@pytest.mark.parametrize("keyboard", [False, True], ids=["by hand", "by keyboard"])
def test_a_choice_is_written_into_the_answer_cell_and_judged(
    page: Page, work: Path, keyboard: bool
) -> None:
    focus_notebook(page)
    go_to(page, "perceptron-losses-quiz-answer")
    retype(page, "# my answer\nabove = ...")
    run_and_read(page)
    run_and_read(page)
    verdict = page.locator(".jp-OutputArea-output").filter(has_text="Which losses lie above")
    expect(verdict).to_contain_text("Not attempted")

    choose(page, "a", "b", keyboard=keyboard)
    expect(verdict).to_contain_text("✗ Wrong")
    expect(verdict).to_contain_text("b, the hinge loss: right.")
    assert source(page, "perceptron-losses-quiz-answer") == '# my answer\nabove = "ab"'

    choose(page, "b", "d", keyboard=keyboard)
    expect(verdict).to_contain_text("✓ Right")
    expect(verdict).to_contain_text("So far")
    assert source(page, "perceptron-losses-quiz-answer") == '# my answer\nabove = "bd"'
    assert violations(page) == []

    leave_outputs(page)
    go_to(page, "perceptron-losses-quiz-answer")
    run_and_read(page)
    assert "✓ Right Which losses lie above the 0-1 loss? 2 of 2 points." in run_and_read(page)
    expect(page.locator(".lm-choices")).to_have_count(0)


def test_hints_open_one_after_the_other_under_the_check(page: Page) -> None:
    answer(page, WRONG)
    told = page.locator(".jp-OutputArea-output").filter(has_text="Four losses of a margin, 3 of 4")
    first, second = told.locator("summary").nth(0), told.locator("summary").nth(1)
    expect(second).to_be_hidden()
    first.focus()
    page.keyboard.press("Enter")
    expect(told.get_by_text("All four losses depend on the margin m only.")).to_be_visible()
    expect(second).to_be_visible()
    assert violations(page) == []
    leave_outputs(page)


def test_the_link_of_a_slip_opens_the_lesson(page: Page) -> None:
    answer(page, WRONG)
    link = page.get_by_role("link", name="chapter 04").first
    link.focus()
    page.keyboard.press("Enter")
    expect(
        page.locator(".jp-Notebook").filter(has_text="What you will be able to do")
    ).to_be_visible()
