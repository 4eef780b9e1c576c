"""Each notebook in a real JupyterLab, in one visit: as stored, run, every control moved."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

from tests.browser.lab import Lab, set_theme, settle, until, violations
from tests.conftest import ROOT

SHOWN = "04_perceptron"  # the one that is looked at whenever the browser is
NAMES = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
PHONE, DESKTOP = 430, (700, 900, 1100, 1400)
EVERYWHERE = (PHONE, *DESKTOP)
SOME = (PHONE, DESKTOP[0])  # of the one that is shown: the narrowest cut first
# Nothing is cut, as stored and in both themes, on a phone and, but for these, at every width.
ON_A_PHONE = {
    *("01_learning_from_examples", "02_decision_theory", "03_linear_discriminants"),
    *("06_maximum_margin", "07_many_classes", "08_logistic_model", "09_likelihood"),
}
UNSEEN = {"19_your_own_data"}  # at no width yet; both lists shall shrink
AREAS = ".jp-Cell-outputArea, .jp-MarkdownOutput"
LIVE = ".lm:not([hidden])"
# JupyterLab itself complains about these; they do not come from the course.
NOT_OURS = ("favicon", "Failed to load resource", "jupyter-collaboration", "ResizeObserver")
ERRORS = """[...window.jupyterapp.shell.currentWidget.content.widgets]
  .filter(cell => cell.model.type === 'code')
  .flatMap(cell => cell.model.sharedModel.getOutputs())
  .filter(output => output.output_type === 'error')
  .map(output => output.ename + ': ' + output.evalue)"""
ALL_ATTACHED = """() => document.querySelectorAll('.jp-Notebook .jp-Cell').length
  === window.jupyterapp.shell.currentWidget.content.widgets.length"""
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


def rest(page: Page) -> None:
    """Until every cell is on the page and nothing moves."""
    page.wait_for_function(ALL_ATTACHED)
    settle(page.locator(".jp-Notebook"))


def as_on_a_phone(page: Page, width: int) -> Callable[[], None]:
    """Make the window that of a phone; what is returned gives it back."""
    devtools = page.context.new_cdp_session(page)
    size = {"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": True}
    devtools.send("Emulation.setDeviceMetricsOverride", size)
    devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def give_back() -> None:
        devtools.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
        devtools.send("Emulation.clearDeviceMetricsOverride")
        devtools.detach()

    return give_back


def toggle_side_bar(page: Page) -> None:
    area = "window.jupyterapp.shell.leftCollapsed"
    before = page.evaluate(area)
    page.evaluate("window.jupyterapp.commands.execute('application:toggle-left-area')")
    page.wait_for_function(f"before => {area} !== before", arg=before)


def look(page: Page, width: int) -> list[str]:
    """What is cut, too small or inaccessible at a width; on a desktop also with the side bar."""
    give_back = as_on_a_phone(page, width) if width == PHONE else lambda: None
    if width != PHONE:
        page.set_viewport_size({"width": width, "height": 1000})
    page.wait_for_function("width => window.innerWidth === width", arg=width)
    rest(page)
    assert page.locator(".jp-OutputArea-output").count() > 3, "no outputs to look at"
    wrong = [*page.evaluate(TROUBLE), *violations(page, AREAS, every=True)]
    if width != PHONE:
        toggle_side_bar(page)
        rest(page)
        wrong += [f"side bar open: {line}" for line in page.evaluate(TROUBLE)]
        toggle_side_bar(page)
    give_back()
    return [f"{width} px: {line}" for line in wrong]


def press_until_it_changes(control: Locator, keys: tuple[str, ...], value: str) -> None:
    """Press one key after the other (a slider may stand at its right end) until one does it."""
    before = control.evaluate(value)
    control.focus()

    def changed() -> bool:
        for key in keys:
            control.press(key)
            if control.evaluate(value) != before:
                return True
        return False

    assert until(changed, bool)


def move_every_control(page: Page) -> int:
    """Move each control of each live figure by keyboard; how many were moved."""
    moved = 0
    for widget in page.locator(LIVE).all():
        for fold in widget.locator("details:not([open]) > summary").all():
            fold.press("Enter")
        for slider in widget.locator("input[type=range]").all():
            press_until_it_changes(slider, ("ArrowRight", "ArrowLeft"), "input => input.value")
            moved += 1
        for box in widget.locator("input[type=checkbox]").all():
            press_until_it_changes(box, ("Space",), "input => input.checked")
            moved += 1
        for menu in widget.locator("select").all():
            if menu.input_value():  # a menu of data to start from goes back to its title
                press_until_it_changes(menu, ("ArrowDown", "ArrowUp"), "menu => menu.value")
            else:
                menu.press("ArrowDown")
            moved += 1
        # not "button:enabled": the n-th of these is another one when a press has disabled one
        for button in widget.locator("button").all():
            if button.is_enabled() and button.is_visible():
                button.press("Enter")
                moved += 1
        settle(widget)
        assert not widget.locator(".lm-error:visible").count(), widget.inner_text()
    return moved


def widths_of(name: str) -> tuple[int, ...]:
    """The widths at which nothing of a notebook is cut."""
    return () if name in UNSEEN else (PHONE,) if name in ON_A_PHONE else EVERYWHERE


EVERY = [pytest.param(n, widths_of(n), marks=pytest.mark.deep, id=n) for n in NAMES]


@pytest.mark.parametrize(
    ("name", "widths"), [pytest.param(SHOWN, SOME, id=f"{SHOWN}-some"), *EVERY]
)
def test_a_notebook_is_whole_runs_and_its_figures_move(
    lab: Lab, browser: Browser, name: str, widths: tuple[int, ...]
) -> None:
    """As stored at its widths, then run; at the end in the dark, which has the same sizes."""
    shutil.copy(ROOT / "notebooks" / f"{name}.ipynb", lab.folder)
    page = lab.open(browser, name, run=False)
    wrong: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and not any(word in message.text for word in NOT_OURS):
            wrong.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    try:
        wrong += [line for width in widths for line in look(page, width)]
        lab.run_all(page)
        assert page.evaluate(ERRORS) == []
        rest(page)
        pictures = page.locator(".static-fallback").all()
        assert pictures, "no live figure"
        for picture in pictures:
            picture.evaluate("picture => picture.closest('.jp-Cell').scrollIntoView()")
            expect(picture).to_be_hidden()  # the live one has taken its place
        assert move_every_control(page) >= 1
        wrong += violations(page)
        set_theme(page, "dark")
        inside = violations(page, AREAS, every=True) if widths else violations(page)
        wrong += [f"dark: {line}" for line in inside]
        assert wrong == []
    finally:
        page.context.close()


PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def test_what_is_cut_or_small_is_found(lab: Lab, browser: Browser) -> None:
    """The test above can fail, also at what stands far below the window."""
    cells = [
        "from IPython.display import HTML, display\nprint('\\n' * 100)",
        "display(HTML('<div style=\"width: 3000px\">a long line</div>'))",
        f"""display(HTML('<div class="lm-figure"><img alt="a picture" width="400" '
                     'style="width: 100px" src="{PIXEL}"></div>'))""",
        """display(HTML('<p style="color: #ddd; background: #fff">pale</p>'))""",
    ]
    page = lab.open(browser, "cut", cells)
    for width in (PHONE, DESKTOP[0]):
        found = look(page, width)
        for fault in ("px cut: a long line", "scaled to 0.25: a picture", "color-contrast"):
            assert any(fault in line for line in found), (width, fault, found)
    page.context.close()
