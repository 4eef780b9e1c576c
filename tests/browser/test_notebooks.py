"""Each notebook in a real JupyterLab: run from top to bottom, every control moved, both themes."""

from __future__ import annotations

import shutil

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from lectures_lib.workspace.copies import make
from tests.browser.lab import Lab, set_theme, violations
from tests.conftest import ROOT

NAMES = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
LIVE = ".lm:not([hidden])"
# JupyterLab itself complains about these; they do not come from the course.
NOT_OURS = ("favicon", "Failed to load resource", "jupyter-collaboration", "ResizeObserver")


def open_notebook(lab: Lab, browser: Browser, name: str) -> tuple[Page, list[str]]:
    """The notebook, run, and the list that collects what goes wrong on its page."""
    shutil.copy(ROOT / "notebooks" / f"{name}.ipynb", lab.folder)
    page = lab.open(browser, name, run=False)
    wrong: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(word in message.text for word in NOT_OURS):
            wrong.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    lab.run_all(page)
    return page, wrong


def errors_in_outputs(page: Page) -> list[str]:
    """The text of every error that a cell shows."""
    errors = """
        [...window.jupyterapp.shell.currentWidget.content.widgets]
            .filter(cell => cell.model.type === 'code')
            .flatMap(cell => cell.model.sharedModel.getOutputs())
            .filter(output => output.output_type === 'error')
            .map(output => output.ename + ': ' + output.evalue)
    """
    return list(page.evaluate(errors))


def show_every_cell(page: Page) -> None:
    """Scroll through the notebook, so that every output is drawn."""
    page.evaluate(
        """async () => {
            const cells = window.jupyterapp.shell.currentWidget.content;
            for (let i = 0; i < cells.widgets.length; i++) {
                await cells.scrollToItem(i);
                await new Promise(done => setTimeout(done, 30));
            }
        }"""
    )


def move_every_control(page: Page) -> int:
    """Move each control of each live figure by keyboard; how many were moved."""
    moved = 0
    for widget in page.locator(LIVE).all():
        widget.scroll_into_view_if_needed()
        for slider in widget.locator("input[type=range]").all():
            before = slider.input_value()
            slider.focus()
            slider.press("ArrowRight")
            if slider.input_value() == before:  # it stood at its right end
                slider.press("ArrowLeft")
            assert slider.input_value() != before
            moved += 1
        for box in widget.locator("input[type=checkbox]").all():
            before = box.is_checked()
            box.focus()
            box.press("Space")
            assert box.is_checked() != before
            moved += 1
        for menu in widget.locator("select").all():
            before = menu.input_value()
            menu.focus()
            menu.press("ArrowDown")
            # a menu of data to start from goes back to its title
            assert menu.input_value() != before or before == ""
            moved += 1
        # not "button:enabled": the n-th of these is another one when a press has disabled one
        for button in widget.locator("button").all():
            if button.is_enabled() and button.is_visible():
                button.focus()
                button.press("Enter")
                moved += 1
        page.wait_for_timeout(300)
        assert not widget.locator(".lm-error:visible").count(), widget.inner_text()
    return moved


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_and_its_figures_move(lab: Lab, browser: Browser, name: str) -> None:
    page, wrong = open_notebook(lab, browser, name)
    try:
        assert errors_in_outputs(page) == []
        show_every_cell(page)
        assert page.locator(LIVE).count() >= 1, "no live figure came alive"
        assert move_every_control(page) >= 1
        assert violations(page) == []
        set_theme(page, "dark")
        assert violations(page) == []
        assert wrong == []
    finally:
        page.context.close()


# --- widths and themes ---------------------------------------------------------------------------

AREAS = ".jp-Cell-outputArea, .jp-MarkdownOutput"
PHONE, DESKTOP = (430,), (700, 900, 1100, 1400)
# What was measured and found to hold, in both themes; the list shall grow.
CLEAN = [
    ("00_start_here", PHONE),
    ("00_start_here", DESKTOP),
    ("04_perceptron", PHONE),
    ("04_perceptron", DESKTOP),
    ("05_perceptron_convergence", PHONE),
    ("05_perceptron_convergence", DESKTOP),
    ("01_learning_from_examples", PHONE),
    ("02_decision_theory", PHONE),
    ("03_linear_discriminants", PHONE),
    ("06_maximum_margin", PHONE),
    ("07_many_classes", PHONE),
    ("08_logistic_model", PHONE),
    ("09_likelihood", PHONE),
    ("11_logistic_inference", PHONE),
    ("12_softmax", PHONE),
    ("13_gaussian_classifiers", PHONE),
    ("13_gaussian_classifiers", DESKTOP),
    ("14_fisher", PHONE),
    ("14_fisher", DESKTOP),
    ("15_reduced_rank", PHONE),
    ("15_reduced_rank", DESKTOP),
    ("16_lda_or_logistic", PHONE),
    ("16_lda_or_logistic", DESKTOP),
    ("17_metrics", PHONE),
    ("17_metrics", DESKTOP),
    ("18_land_cover", PHONE),
    ("18_land_cover", DESKTOP),
]
# Text and pictures of the course that reach beyond their cell, or are drawn too small to be read.
TROUBLE = """() => {
  const found = [];
  for (const area of document.querySelectorAll('.jp-OutputArea-output, .jp-MarkdownOutput')) {
    if (!area.clientWidth) continue;
    const beyond = area.scrollWidth - area.clientWidth;
    if (beyond > 2) found.push(`${beyond} px cut: ${area.textContent.trim().slice(0, 60)}`);
    for (const image of area.querySelectorAll('.lm-figure img')) {
      const shown = image.getBoundingClientRect().width;
      const scale = shown / Number(image.getAttribute('width'));
      const told = image.alt.slice(0, 60);
      if (shown && scale < 0.7) found.push(`scaled to ${scale.toFixed(2)}: ${told}`);
    }
  }
  return found;
}"""


@pytest.mark.parametrize(("name", "widths"), CLEAN)
def test_nothing_is_cut_at_any_width_in_either_theme(
    lab: Lab, browser: Browser, name: str, widths: tuple[int, ...]
) -> None:
    """As stored; on a desktop also with the side bar open.

    The dark theme has the same sizes and other colours: axe looks at it once.
    """
    shutil.copy(ROOT / "notebooks" / f"{name}.ipynb", lab.folder)
    touch = {"is_mobile": True, "has_touch": True} if widths == PHONE else {}
    page = lab.open(browser, name, run=False, width=widths[0], **touch)
    wrong: list[str] = []

    def look(state: str) -> None:
        show_every_cell(page)
        assert page.locator(".jp-OutputArea-output").count() > 3, "no outputs to look at"
        wrong.extend(f"{state}: {line}" for line in page.evaluate(TROUBLE))

    def judge(state: str) -> None:
        wrong.extend(f"{state}: {line}" for line in violations(page, AREAS, every=True))

    try:
        for width in widths:
            page.set_viewport_size({"width": width, "height": 1000})
            look(f"{width} px")
            judge(f"{width} px")
            if not touch:
                toggle_side_bar(page)
                look(f"{width} px, side bar open")
                toggle_side_bar(page)
        set_theme(page, "dark")
        judge("dark")
        assert wrong == []
    finally:
        page.context.close()


def test_opening_a_notebook_does_not_mark_it_as_changed(lab: Lab, browser: Browser) -> None:
    """As it is handed out, on this machine; JupyterLab would ask whether to save it."""
    course = lab.folder / "opened"
    for folder in ("exercises", "notebooks"):
        (course / folder).mkdir(parents=True)
        shutil.copy(ROOT / folder / "04_perceptron.ipynb", course / folder)
    make(course)
    for folder in ("exercises", "notebooks"):
        page = lab.open(browser, f"opened/work/{folder}/04_perceptron", run=False)
        show_every_cell(page)
        model = "window.jupyterapp.shell.currentWidget.context.model"
        assert page.evaluate(f"{model}.sharedModel.metadata.language_info.version")
        assert not page.evaluate(f"{model}.dirty"), folder
        page.context.close()


def toggle_side_bar(page: Page) -> None:
    page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
    page.wait_for_timeout(200)


PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def test_what_is_cut_or_small_is_found(lab: Lab, browser: Browser) -> None:
    """The test above can fail: a line too long for the page, and a picture drawn too small."""
    cells = [
        "from IPython.display import HTML, display",
        "display(HTML('<div style=\"width: 3000px\">a long line</div>'))",
        f"""display(HTML('<div class="lm-figure"><img alt="a picture" width="400" '
                     'style="width: 100px" src="{PIXEL}"></div>'))""",
    ]
    page = lab.open(browser, "cut", cells)
    try:
        page.wait_for_selector(".lm-figure img", state="attached")
        found = page.evaluate(TROUBLE)
        assert any("px cut: a long line" in line for line in found)
        assert any("scaled to 0.25: a picture" in line for line in found)
    finally:
        page.context.close()
