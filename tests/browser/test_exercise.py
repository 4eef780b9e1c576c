"""One exercise in a real JupyterLab: wrong, with a hint, right; by the keyboard alone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from lectures_lib.workspace.copies import make
from tests.browser.lab import KERNEL_IS_THERE, Lab, set_theme, settle, violations
from tests.conftest import ROOT

STEM = "04_perceptron"
WRONG = """def losses_at(m):
    zero_one = np.where(m <= 0, 1.0, 0.0)
    perceptron = np.maximum(-m, 0)
    return zero_one, perceptron, np.maximum(-m, 0), np.logaddexp(0, -m)"""
RIGHT = WRONG.replace("perceptron, np.maximum(-m, 0)", "perceptron, np.maximum(1 - m, 0)")
NOTEBOOK = "window.jupyterapp.shell.currentWidget.content"
# Python has said who it is, and the page has had the time to note it down.
CHANGED = """async () => {
  const { context } = window.jupyterapp.shell.currentWidget;
  const { language_info } = await context.sessionContext.session.kernel.info;
  if (!language_info.version) throw new Error("Python does not say its version");
  for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame);
  return context.model.dirty;
}"""


@dataclass(frozen=True)
class Opened:
    """The student's exercise notebook on its page."""

    page: Page
    work: Path
    changed: bool  # whether JupyterLab would ask to save it as soon as it was open

    @property
    def outputs(self) -> Locator:
        return self.page.locator(".jp-OutputArea-output")

    def progress(self) -> dict[str, object]:
        path = self.work / "progress" / "perceptron.losses.json"
        return dict(json.loads(path.read_text(encoding="utf-8")))

    def cell(self, name: str) -> int:
        """The number of the cell with this id."""
        find = f"name => {NOTEBOOK}.widgets.findIndex(c => c.model.sharedModel.id === name)"
        return int(self.page.evaluate(find, name))

    def active(self) -> int:
        return int(self.page.evaluate(f"{NOTEBOOK}.activeCellIndex"))

    def source(self, number: int) -> str:
        return str(self.page.evaluate(f"{NOTEBOOK}.widgets[{number}].model.sharedModel.source"))

    def focus(self) -> None:
        """Give the notebook the keyboard, as a click on its tab does."""
        self.page.evaluate("document.activeElement.blur()")
        self.page.evaluate(
            "window.jupyterapp.shell.activateById(window.jupyterapp.shell.currentWidget.id)"
        )
        self.page.evaluate("window.jupyterapp.commands.execute('notebook:enter-command-mode')")
        self.page.wait_for_function(f"() => {NOTEBOOK}.node.contains(document.activeElement)")

    def go_to(self, name: str) -> int:
        """Move to the cell with this id, with the arrow keys; its number."""
        goal = self.cell(name)
        while (here := self.active()) != goal:
            self.page.keyboard.press("ArrowDown" if here < goal else "ArrowUp")
            assert self.active() != here
        return goal

    def retype(self, text: str) -> None:
        """Replace the text of the active cell, typing."""
        page, editor = self.page, "Boolean(document.activeElement.closest('.cm-content'))"
        page.keyboard.press("Enter")
        page.wait_for_function(f"() => {editor}")
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(text)
        page.wait_for_function(
            f"text => {NOTEBOOK}.activeCell.model.sharedModel.source === text", arg=text
        )
        page.keyboard.press("Escape")
        page.wait_for_function(f"() => !{editor}")

    def run(self) -> str:
        """Run the active cell with the keyboard and read what stands below it."""
        number = self.active()
        count = f"{NOTEBOOK}.widgets[{number}].model.executionCount"
        before = self.page.evaluate(count)
        self.page.keyboard.press("Shift+Enter")
        self.page.wait_for_function(f"before => {count} && {count} !== before", arg=before)
        cell = self.page.locator(".jp-Notebook .jp-Cell").nth(number)
        settle(cell)
        return " ".join(cell.locator(".jp-OutputArea-output").all_text_contents())

    def answer(self, text: str) -> str:
        """Type an answer, run it and its check, and read the check."""
        self.focus()
        self.go_to("perceptron-losses-answer")
        self.retype(text)
        self.run()
        assert self.active() == self.cell("perceptron-losses-check")
        return self.run()


@pytest.fixture(scope="module")
def opened(lab: Lab, browser: Browser) -> Iterator[Opened]:
    """A student's folder as `lectures work` makes it; its exercise notebook, opened and run."""
    course = lab.folder / "course"
    for folder in ("exercises", "notebooks"):
        (course / folder).mkdir(parents=True)
        shutil.copy(ROOT / folder / f"{STEM}.ipynb", course / folder)
    make(course)
    page = lab.open(browser, f"course/work/exercises/{STEM}", run=False)
    changed = page.evaluate(CHANGED)
    lab.run_all(page)
    yield Opened(page, course / "work", changed)
    page.context.close()


def test_opening_a_notebook_does_not_mark_it_as_changed(opened: Opened) -> None:
    assert not opened.changed


def test_an_untouched_notebook_says_not_attempted_everywhere(opened: Opened) -> None:
    expect(opened.outputs).to_have_count(7)  # the options of the question are one
    found = [text for text in opened.outputs.all_text_contents() if "Check this" not in text]
    assert [text[:15] for text in found] == ["○ Not attempted"] * 6
    assert not (opened.work / "progress").exists()
    assert violations(opened.page) == []


def test_wrong_then_a_hint_then_right_by_the_keyboard_alone(opened: Opened) -> None:
    said = opened.answer(WRONG)
    assert "✗ Wrong Four losses of a signed score, 3 of 4 points." in said
    for part in ("given", "came out", "expected", "The hinge without its 1", "errata", "E1-01"):
        assert part in said
    assert opened.progress()["status"] == "wrong"

    opened.go_to("perceptron-losses-check")
    opened.page.keyboard.press("b")
    opened.retype('hint("perceptron.losses")')
    assert opened.run().startswith("Hint 1 of 3, the idea: All four losses depend on")
    assert opened.progress()["hints"] == 1

    assert "✓ Right Four losses of a signed score, 4 of 4 points." in opened.answer(RIGHT)
    found = opened.progress()
    assert (found["status"], found["best"], found["attempts"], found["hints"]) == ("right", 4, 2, 1)


def choose(opened: Opened, *given: str, keyboard: bool) -> None:
    """Tick these letters of each question, and no others, and check the choice."""
    options = opened.page.locator(".lm-choices")
    for question, letters in zip(options.locator("fieldset").all(), given, strict=True):
        for box in question.locator("input").all():
            if box.is_checked() != (box.get_attribute("value") in letters):
                box.press("Space") if keyboard else box.click()
    button = options.get_by_role("button", name="Check this choice")
    button.press("Enter") if keyboard else button.click()


def test_a_choice_is_written_into_the_answer_cell_and_judged(opened: Opened) -> None:
    opened.focus()
    number = opened.go_to("perceptron-losses-quiz-answer")
    opened.retype("# my answer\nflawed, because = ..., ...")
    opened.run()
    opened.run()
    verdict = opened.page.locator(".jp-Notebook .jp-Cell").nth(number + 1)
    expect(verdict).to_contain_text("Not attempted")

    choose(opened, "ad", "ab", keyboard=False)
    expect(verdict).to_contain_text("✗ Wrong")
    expect(verdict).to_contain_text("a, The run stopped")
    expect(verdict).not_to_contain_text("separates those: right")
    assert opened.source(number) == '# my answer\nflawed, because = "ad", "ab"'

    choose(opened, "de", "ab", keyboard=True)
    expect(verdict).to_contain_text("✓ Right")
    expect(verdict).to_contain_text("So far")
    assert opened.source(number) == '# my answer\nflawed, because = "de", "ab"'

    opened.focus()
    opened.go_to("perceptron-losses-quiz-answer")
    opened.run()
    assert "✓ Right What a run and a loss say: two flaws, 2 of 2 points." in opened.run()
    expect(opened.page.locator(".lm-choices")).to_have_count(0)


def test_hints_open_one_after_the_other_under_the_check(opened: Opened) -> None:
    opened.answer(WRONG)
    told = opened.outputs.filter(has_text="Four losses of a signed score, 3 of 4")
    first, second = told.locator("summary").nth(0), told.locator("summary").nth(1)
    expect(second).to_be_hidden()
    first.press("Enter")
    expect(told.get_by_text("All four losses depend on the signed score m only.")).to_be_visible()
    expect(second).to_be_visible()


def test_every_kind_of_message_is_accessible_in_both_themes(opened: Opened) -> None:
    cell = f"""{WRONG}
display(check("perceptron.losses", losses_at), check("perceptron.losses", lambda m: 1 / 0))
display(check("perceptron.losses", ...), hint("perceptron.losses"))
{RIGHT}
check("perceptron.losses", losses_at)"""
    opened.focus()
    opened.go_to("perceptron-losses-check")
    opened.page.keyboard.press("b")
    opened.retype(cell)
    said = opened.run()
    for kind in ("✗ Wrong", "! Error", "○ Not attempted", "Hint", "✓ Right"):
        assert kind in said
    for theme in ("dark", "light"):
        set_theme(opened.page, theme)
        assert violations(opened.page) == []


def test_the_link_of_a_slip_opens_the_lesson(opened: Opened) -> None:
    opened.answer(WRONG)
    opened.page.get_by_role("link", name="chapter 04").first.press("Enter")
    lesson = opened.page.locator(".jp-Notebook").filter(has_text="What you will be able to do")
    expect(lesson).to_be_visible()
    opened.page.wait_for_function(KERNEL_IS_THERE)
    assert not opened.page.evaluate(CHANGED)
