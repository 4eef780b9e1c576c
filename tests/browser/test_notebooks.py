"""Each notebook in a real JupyterLab: run from top to bottom, every control moved, both themes."""

from __future__ import annotations

import shutil

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

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
            assert menu.input_value() != before
            moved += 1
        for button in widget.locator("button:enabled").all():
            if button.is_enabled():
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
        show_every_cell(page)
        assert violations(page) == []
        assert wrong == []
    finally:
        page.context.close()


# --- widths and themes ---------------------------------------------------------------------------

# Notebooks and widths (430, 700, 900, 1100, 1400) that were measured and hold; the list shall grow.
CLEAN = [("05_perceptron_convergence", 430)]
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


@pytest.mark.parametrize(("name", "width"), CLEAN)
def test_nothing_is_cut_at_any_width_in_either_theme(
    lab: Lab, browser: Browser, name: str, width: int
) -> None:
    """As stored, with the side bar closed and open (a phone has room for the closed one only)."""
    shutil.copy(ROOT / "notebooks" / f"{name}.ipynb", lab.folder)
    phone = {"is_mobile": True, "has_touch": True} if width == 430 else {}
    page = lab.open(browser, name, run=False, width=width, **phone)
    wrong: list[str] = []
    try:
        for bar in ("closed",) if phone else ("closed", "open"):
            if bar == "open":
                page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
            for theme in ("light", "dark"):
                set_theme(page, theme)
                show_every_cell(page)
                found = [*page.evaluate(TROUBLE), *violations(page)]
                wrong += [f"{bar} bar, {theme}: {line}" for line in found]
        assert wrong == []
    finally:
        page.context.close()
