"""Questions inside a chapter in a real JupyterLab: answered by a click, in their own cell."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.lab import OUTPUT, Lab, set_theme, violations
from tests.browser.test_plain_figures import IMPORTS

CELLS = [
    f"{IMPORTS}\nfrom lectures_lib.checks import check",
    'guess = ...\ncheck("perceptron.shifted", guess)',
    'guess = ...\ncheck("perceptron.one_update", guess)',
    'guess = ...\ncheck("start_here.wrong_side", guess)',
    "print(guess)",
]
SOURCE = "window.jupyterapp.shell.currentWidget.content.widgets[{}].model.sharedModel.source"


@pytest.fixture(scope="module")
def page(lab: Lab, browser: Browser) -> Iterator[Page]:
    folder = lab.folder / "student"  # a folder of the course: what is tried is remembered in it
    (folder / ".lectures").mkdir(parents=True)
    shutil.move(lab.write("asked", CELLS), folder / "asked.ipynb")
    opened = lab.open(browser, "student/asked")
    yield opened
    opened.context.close()


def cell(page: Page, number: int) -> Locator:
    return page.locator(".jp-CodeCell").nth(number)


def test_nothing_is_asked_twice_and_axe_finds_nothing(page: Page) -> None:
    for number in (1, 2, 3):
        expect(cell(page, number).locator(".lm-choices")).to_be_visible()
    expect(page.locator(".lm-still").first).to_be_hidden()
    assert violations(page, OUTPUT, every=True) == []
    set_theme(page, "dark")
    assert violations(page, OUTPUT, every=True) == []
    set_theme(page, "light")


def test_a_choice_is_clicked_and_stays_in_its_cell(page: Page, lab: Lab) -> None:
    here = cell(page, 1)
    here.get_by_text("67 again: a shift").first.click()
    here.get_by_role("button", name="Check this choice").click()
    expect(here).to_contain_text("Wrong")
    expect(here).to_contain_text("beside coordinates near 100")
    here.get_by_text("more than a hundred times").first.click()
    here.get_by_role("button", name="Check this choice").click()
    expect(here).to_contain_text("10,248")
    assert page.evaluate(SOURCE.format(1)).startswith('guess = "c"\ncheck(')
    stored = lab.folder / "student" / "progress" / "perceptron.shifted.json"
    assert '"attempts": 2' in Path(stored).read_text("utf-8")


def test_a_number_is_filled_in(page: Page) -> None:
    here = cell(page, 2)
    here.get_by_label("number").fill("4")
    here.get_by_role("button", name="Check this answer").click()
    expect(here).to_contain_text("the point is subtracted")
    assert page.evaluate(SOURCE.format(2)).startswith("guess = 4\n")


def test_a_place_is_clicked_in_the_picture(page: Page) -> None:
    here = cell(page, 3)
    image = here.locator(".lm-place img")
    image.scroll_into_view_if_needed()
    image.click(position={"x": 40, "y": 40})
    here.get_by_role("button", name="Check this answer").click()
    expect(here).to_contain_text("Look for circles on the side of the arrow")
    expect(here.locator(".lm-mark")).to_be_visible()
    box, mark = image.bounding_box(), here.locator(".lm-mark").bounding_box()
    assert box
    assert mark
    middle = (mark["x"] + mark["width"] / 2 - box["x"], mark["y"] + mark["height"] / 2 - box["y"])
    assert middle == pytest.approx((40, 40), abs=3)
    for name, value in (("x", "-0.2"), ("y", "-0.35")):
        here.get_by_label(name, exact=True).fill(value)
    here.get_by_role("button", name="Check this answer").click()
    expect(here).to_contain_text("A circle of class 0 on the side of class 1")
    assert page.evaluate(SOURCE.format(3)).startswith("guess = (-0.2, -0.35)\n")
