"""The live widget in a real JupyterLab: every control by mouse and by keyboard, themes, leaks."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from lectures_lib.figures import Axis, Line, Panel, Points, Scene
from lectures_lib.figures.palette import DARK, LIGHT, rgb
from lectures_lib.widgets import PAGE_SCRIPT, Cloud
from tests.browser.lab import Hand, Lab, run_code, set_theme, settle, told, until, value
from tests.test_figures_scene import SAMPLES

ROOT = Path(__file__).parents[2]
AXES = Axis("x", -2, 2), Axis("y", -2, 2)


def line_scene(angle: float, rule: str, dashed: bool, step: int) -> Scene:
    line = Line([np.cos(angle), np.sin(angle)], step / 10, "old" if dashed else "boundary")
    sentence = (
        f"A line at {angle:.1f}, rule {rule}, {'dashed' if dashed else 'whole'}, step {step}."
    )
    return Scene((Panel((line,), *AXES, equal=True),), sentence, (("step", str(step)),))


def cloud_scene(cloud: Cloud, tilt: float) -> Scene:
    if len(cloud) == 1:
        raise ValueError("one point is not enough")
    shift = float(cloud.X[0].sum()) if len(cloud) else 0.0
    marks = (Points(cloud.X, cloud.y, ("a", "b"), handle="cloud"), Line([1, tilt], -shift))
    sentence = f"{len(cloud)} points, {int(cloud.y.sum())} of class b, sum {shift:.2f}."
    return Scene((Panel(marks, *AXES, equal=True),), sentence)


SETUP = f"""
import sys, time
sys.path.insert(0, {str(ROOT)!r})
from tests.browser.test_live_widget import *
from lectures_lib.widgets import *
calls = []
def slow_scene(angle):
    calls.append(angle)
    time.sleep(0.1)
    return line_scene(angle, "slow", False, 0)
def gallery(k):
    return Scene((Panel((list(SAMPLES.values())[k],)),), f"Sample {{k}}.")
"""
AHEAD = """
ahead = live(line_scene, angle=slider(0, 3, 0.1, value=1, label="angle"),
             rule=choice(["first", "second"], label="rule"),
             dashed=toggle(label="dashed"), step=steps(5))
ahead
"""
PYTHON = """
moved = live(cloud_scene, cloud=points([[0, 0], [1, 1], [-1, 0.5]], [0, 1, 0], classes=("a", "b")),
             tilt=slider(-1, 1, 0.1, value=0, label="tilt"))
moved
"""
SLOW = """
frames = __import__("lectures_lib.widgets.frames").widgets.frames
frames.PATIENCE, kept = 0, frames.PATIENCE
slow = live(slow_scene, angle=slider(0, 3, 0.1, label="slow angle"))
frames.PATIENCE = kept
slow
"""
GALLERY = "marks = live(gallery, k=slider(0, len(SAMPLES) - 1, label='number'))\nmarks"
CELLS = [SETUP, AHEAD, PYTHON, SLOW, GALLERY, "display(ahead)"]


@pytest.fixture(scope="module")
def page(lab: Lab, browser: Browser) -> Iterator[Page]:
    page = lab.open(browser, "live", CELLS, height=3600, reduced_motion="reduce")
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    expect(page.locator(".lm:visible")).to_have_count(5)
    yield page
    assert not problems
    page.context.close()


def widget(page: Page, number: int) -> Locator:
    return page.locator(".lm").nth(number)


def assert_shows(page: Page, view: Locator, scene: Scene) -> None:
    """The sentence, the picture's name and the drawn line belong to `scene`."""
    told(view, scene.describe())
    settle(view)
    expect(view.locator("[role=img]")).to_have_attribute("aria-label", scene.describe())
    (expected,) = (m.shape(scene.panels[0]) for m in scene.marks(Line))
    drawn = view.locator('.lm-panel [data-mark="path"]')
    w, h = float(drawn.get_attribute("width") or 0), float(drawn.get_attribute("height") or 0)
    path = drawn.locator("path").get_attribute("d") or ""
    found = np.array(re.findall(r"-?[\d.]+", path), dtype=float).reshape(-1, 2)
    x, y = expected.arrays["x"] * w, h - expected.arrays["y"] * h
    np.testing.assert_allclose(found, np.column_stack([x, y]), atol=0.03)
    dash = drawn.locator("path").get_attribute("stroke-dasharray")
    assert dash == " ".join(str(d) for d in expected.style["dash"])


# --- drawing -------------------------------------------------------------------------------------


@pytest.mark.deep
def test_the_browser_draws_every_mark(page: Page) -> None:
    view = widget(page, 3)
    view.get_by_label("number").focus()
    page.keyboard.press("Home")
    for k, (name, mark) in enumerate(SAMPLES.items()):
        told(view, f"Sample {k}.")
        kind = mark.shape(Panel(())).kind
        drawn = view.locator(f'.lm-panel [data-mark="{kind}"]')
        box = drawn.evaluate(
            """svg => {
                 const boxes = [...svg.querySelectorAll("path, polygon, text, image")]
                   .filter(part => !part.closest("pattern")).map(part => part.getBBox());
                 return [boxes.length, Math.max(...boxes.map(b => b.width)),
                         Math.max(...boxes.map(b => b.height))];
               }"""
        )
        assert box[0] >= 1, name
        assert min(box[1:]) > 4, (name, box)
        page.keyboard.press("ArrowRight")


# --- controls by keyboard and by mouse -----------------------------------------------------------


def test_every_control_answers_to_the_keyboard(page: Page) -> None:
    view = widget(page, 0)
    view.get_by_role("slider", name="step").focus()
    page.keyboard.press("Home")
    selected = page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex")
    page.keyboard.press("Tab")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    assert_shows(page, view, line_scene(0.2, "first", False, 0))
    expect(view.get_by_label("angle")).to_have_attribute("aria-valuetext", "0.2")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    assert_shows(page, view, line_scene(0.2, "second", False, 0))
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert_shows(page, view, line_scene(0.2, "second", True, 0))
    view.get_by_role("slider", name="step").focus()
    page.keyboard.press("End")
    assert_shows(page, view, line_scene(0.2, "second", True, 5))
    page.keyboard.press("Shift+Tab")  # Reset
    page.keyboard.press("Shift+Tab")  # Back: Next is switched off at the end
    page.keyboard.press("Enter")
    assert_shows(page, view, line_scene(0.2, "second", True, 4))
    expected = {"angle": 0.2, "rule": "second", "dashed": True, "step": 4}
    assert value(page, "ahead.values") == expected
    after = page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex")
    assert after == selected  # no key reached the notebook


def test_every_control_answers_to_the_mouse(page: Page) -> None:
    view = widget(page, 0)
    slider = view.get_by_label("angle")
    box = slider.bounding_box()
    assert box is not None
    slider.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    view.get_by_role("combobox", name="rule").select_option("first")
    view.get_by_role("checkbox", name="dashed").uncheck()
    view.get_by_role("button", name="reset step").click()
    assert_shows(page, view, line_scene(1.5, "first", False, 0))
    view.get_by_role("button", name="next step").click()
    assert_shows(page, view, line_scene(1.5, "first", False, 1))
    view.get_by_role("button", name="back one step").click()
    assert_shows(page, view, line_scene(1.5, "first", False, 0))


def test_a_value_set_in_python_moves_both_views_of_a_widget(page: Page) -> None:
    run_code(page, "ahead.angle, ahead.step, ahead.dashed = 2.5, 1, False")
    for view in (widget(page, 0), widget(page, 4)):
        told(view, "A line at 2.5")
        expect(view.get_by_label("angle")).to_have_attribute("aria-valuetext", "2.5")
    widget(page, 4).get_by_label("angle").focus()
    page.keyboard.press("ArrowLeft")
    told(widget(page, 0), "A line at 2.4")


# --- points --------------------------------------------------------------------------------------


@pytest.fixture
def cloud(page: Page) -> Locator:
    view = widget(page, 1)
    view.get_by_role("button", name="Start again").click()
    view.get_by_label("a click").select_option("adds a point of a")
    told(view, "3 points, 1 of class b, sum 0.00.")
    settle(view)
    return view


def expect_cloud(page: Page, view: Locator, rows: list[list[float]], tilt: float = 0) -> None:
    expect(view.locator(".lm-handle")).to_have_count(len(rows))
    settle(view)
    points, classes = value(page, "[moved.cloud.X.tolist(), moved.cloud.y.tolist()]")
    np.testing.assert_allclose(points, [row[:2] for row in rows], atol=0.02)
    assert classes == [row[2] for row in rows]
    assert value(page, "moved.tilt") == tilt
    assert_shows(page, view, cloud_scene(Cloud(points, classes), tilt))


def test_points_are_moved_added_and_removed_with_the_keyboard(page: Page, cloud: Locator) -> None:
    rows = [[0.0, 0.0, 0], [1.0, 1.0, 1], [-1.0, 0.5, 0]]
    cloud.locator(".lm-handle").nth(0).focus()
    for key in ("ArrowRight", "ArrowUp", "ArrowUp", "Shift+ArrowLeft", "Shift+ArrowDown"):
        page.keyboard.press(key)
    rows[0] = [0.08 - 0.02, 0.16 - 0.02, 0]
    expect_cloud(page, cloud, rows)
    page.keyboard.press("PageDown")
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label == "point 2 of 3, b, at 1, 1"
    page.keyboard.press("Delete")
    expect_cloud(page, cloud, [rows[0], rows[2]])
    page.keyboard.press("Control+z")
    expect_cloud(page, cloud, rows)
    cloud.get_by_label("a click").focus()
    page.keyboard.press("ArrowDown")  # adds a point of b
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect_cloud(page, cloud, [*rows, [0, 0, 1]])
    page.keyboard.press("ArrowDown")  # the new point has the focus
    expect_cloud(page, cloud, [*rows, [0, -0.08, 1]])


def test_a_focused_point_keeps_the_focus_when_the_window_changes(
    page: Page, cloud: Locator
) -> None:
    cloud.locator(".lm-handle").nth(1).focus()
    width = cloud.locator("[role=img]").get_attribute("width")
    page.set_viewport_size({"width": 420, "height": 3600})
    expect(cloud.locator("[role=img]")).not_to_have_attribute("width", width or "")
    page.set_viewport_size({"width": 1100, "height": 3600})
    expect(cloud.locator("[role=img]")).to_have_attribute("width", width or "")
    page.keyboard.press("ArrowRight")
    expect_cloud(page, cloud, [[0, 0, 0], [1.08, 1, 1], [-1, 0.5, 0]])


def test_points_are_dragged_added_and_removed_with_the_mouse(page: Page, cloud: Locator) -> None:
    frame = cloud.locator('.lm-panel [data-mark="path"]')
    size = float(frame.get_attribute("width") or 0)
    start = cloud.locator(".lm-handle").nth(0).bounding_box()
    assert start is not None
    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    mouse = Hand(page)
    mouse.down((x, y))
    mouse.move((x + size / 8, y), steps=4)
    mouse.move((x + size / 4, y - size / 8), steps=4)
    mouse.up()
    rows = [[1.0, 0.5, 0], [1.0, 1.0, 1], [-1.0, 0.5, 0]]
    expect_cloud(page, cloud, rows)
    page.mouse.click(x, y + size / 4)
    rows.append([0.0, -1.0, 0])
    expect_cloud(page, cloud, rows)
    cloud.get_by_label("a click").select_option("removes a point")
    page.mouse.click(x, y + size / 4)
    expect_cloud(page, cloud, rows[:3])
    cloud.get_by_role("button", name="Undo").click()
    expect_cloud(page, cloud, rows)
    for _ in range(2):
        cloud.get_by_role("button", name="Undo").click()
    expect_cloud(page, cloud, [[0.0, 0.0, 0], *rows[1:3]])  # a whole drag is undone at once


def test_an_exception_is_shown_and_the_last_picture_stays(page: Page, cloud: Locator) -> None:
    for _ in range(2):
        cloud.get_by_role("button", name="Remove the point").click()
    expect(cloud.get_by_role("alert")).to_have_text("one point is not enough")
    told(cloud, "2 points")
    cloud.get_by_role("button", name="Undo").click()
    expect(cloud.locator(".lm-error")).to_be_empty()


def test_slider_and_points_of_one_widget_work_together(page: Page, cloud: Locator) -> None:
    cloud.get_by_label("tilt").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    cloud.locator(".lm-handle").nth(0).focus()
    page.keyboard.press("ArrowRight")
    expect_cloud(page, cloud, [[0.08, 0.0, 0], [1.0, 1.0, 1], [-1.0, 0.5, 0]], tilt=0.3)


# --- through Python: the latest move wins --------------------------------------------------------


# A slider is moved through these positions before anything else can happen on the page.
MOVES = """(slider, positions) => positions.forEach(at => {
  slider.value = at;
  slider.dispatchEvent(new Event("input"));
})"""


def test_quick_moves_do_not_queue_up(page: Page) -> None:
    view = widget(page, 2)
    run_code(page, "calls.clear()")
    view.get_by_label("slow angle").evaluate(MOVES, list(range(26)))
    told(view, "A line at 2.5")
    settle(view)
    assert value(page, "calls") == [0, 2.5]
    assert value(page, "slow.angle") == 2.5


# --- accessibility and themes --------------------------------------------------------------------


def test_the_sentence_is_announced_once_the_hand_rests(page: Page) -> None:
    view = widget(page, 0)
    status = view.locator(".lm-hidden[role=status]")
    view.evaluate(
        """(view, positions) => {
          const status = view.querySelector(".lm-hidden[role=status]");
          window.spoken = [];
          new MutationObserver(() => window.spoken.push(status.textContent))
            .observe(status, { childList: true });
          const label = [...view.querySelectorAll("label")].find(l => l.textContent === "angle");
          MOVES(label.control, positions);
        }""".replace("MOVES", f"({MOVES})"),
        [0, 1, 2, 3, 4, 5],
    )
    expect(status).to_contain_text("A line at 0.5")
    assert page.evaluate("window.spoken.length") == 1


def test_both_themes_are_followed_while_the_widget_lives(page: Page) -> None:
    line = widget(page, 0).locator('.lm-panel [data-mark="path"] path')
    text = widget(page, 0).locator(".lm-sentence")
    shown = []
    for theme, colours in (("dark", DARK), ("light", LIGHT)):
        set_theme(page, theme)
        ink = ", ".join(str(round(255 * c)) for c in rgb(colours["ink"]))
        expect(line).to_have_css("stroke", f"rgb({ink})")
        expect(text).to_have_css("color", f"rgb({ink})")
        shown.append(widget(page, 3).screenshot())
    assert shown[0] != shown[1]


def test_the_focus_can_be_seen(page: Page) -> None:
    view = widget(page, 1)
    view.get_by_label("a click").focus()
    page.keyboard.press("Shift+Tab")
    halo = view.locator(".lm-handle:focus .lm-halo")
    expect(halo).to_have_css("stroke-width", "3px")
    page.keyboard.press("Tab")
    style = page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
    assert style == "3px"


# --- leaks, saved notebooks, pages without a kernel ----------------------------------------------


@pytest.fixture
def saved(lab: Lab, page: Page) -> Path:
    page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")
    return lab.folder / "live.ipynb"


def test_a_saved_notebook_holds_neither_widget_state_nor_addresses(saved: Path) -> None:
    notebook = nbformat.read(saved, as_version=4)
    assert "widgets" not in notebook.metadata
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert shown
    for output in shown:
        assert " at 0x" not in str(output["data"].get("text/plain", ""))
    pictures = [o["data"]["text/html"] for o in shown if "text/html" in o["data"]]
    assert len(pictures) == 5
    assert all(re.search(r'static-fallback" .*alt="[^"]{5,}"', html) for html in pictures)


def test_a_saved_notebook_that_is_opened_again_is_alive(
    lab: Lab, browser: Browser, saved: Path
) -> None:
    page = lab.open(browser, saved.stem, run=False, height=3600)
    expect(page.locator(".lm:visible")).to_have_count(5)
    expect(page.locator(".static-fallback:visible")).to_have_count(0)
    for number, name in enumerate(["ahead", "moved"]):
        told(widget(page, number), value(page, f"{name}.scene.describe()"))
    page.context.close()


@pytest.mark.deep
def test_a_page_without_a_kernel_is_alive_where_scenes_were_sent_ahead(
    browser: Browser, tmp_path: Path
) -> None:
    cells = [nbformat.v4.new_code_cell(source) for source in (SETUP, AHEAD, PYTHON)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "page.ipynb")
    shutil.copy(PAGE_SCRIPT, tmp_path)
    command = "nbconvert --to html --execute --HTMLExporter.widget_renderer_url=page.js page.ipynb"
    subprocess.run(
        [sys.executable, "-m", "jupyter", *command.split()],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    page = browser.new_context(viewport={"width": 1000, "height": 1600}).new_page()
    asked: list[str] = []
    page.route(
        re.compile("^https?:"), lambda route: (asked.append(route.request.url), route.abort())
    )
    page.goto((tmp_path / "page.html").as_uri())
    view = page.locator(".lm:visible")
    expect(view).to_have_count(1)
    view.get_by_label("angle").focus()
    page.keyboard.press("End")
    assert_shows(page, view, line_scene(3.0, "first", False, 0))
    pictures = page.locator(".static-fallback")
    expect(pictures.nth(0)).to_be_hidden()  # alive
    expect(pictures.nth(1)).to_be_visible()  # asleep: its moves need Python
    asleep = page.get_by_text("In JupyterLab this picture is alive and answers to: points; tilt.")
    expect(asleep).to_be_visible()
    assert not [url for url in asked if "widget" in url]
    page.context.close()


def test_running_a_cell_again_leaks_nothing(page: Page) -> None:
    counting = "len(__import__('ipywidgets').widgets.widget._instances)"
    devtools = page.context.new_cdp_session(page)

    def living_roots() -> int:
        """Roots of widgets in the browser's memory, in the page or not, after a collection."""
        devtools.send("HeapProfiler.collectGarbage")
        prototype = devtools.send("Runtime.evaluate", {"expression": "HTMLDivElement.prototype"})
        found = devtools.send(
            "Runtime.queryObjects", {"prototypeObjectId": prototype["result"]["objectId"]}
        )
        counted = devtools.send(
            "Runtime.callFunctionOn",
            {
                "objectId": found["objects"]["objectId"],
                "functionDeclaration": "function () {"
                " return this.filter(d => d.classList?.contains('lm')).length; }",
                "returnByValue": True,
            },
        )
        devtools.send("Runtime.releaseObject", {"objectId": found["objects"]["objectId"]})
        return int(counted["result"]["value"])

    def run_again(times: int) -> None:
        for _ in range(times):
            before = page.evaluate(
                "window.jupyterapp.shell.currentWidget.content.widgets[1].model.executionCount"
            )
            page.evaluate(
                """async () => {
                     window.jupyterapp.shell.currentWidget.content.activeCellIndex = 1;
                     await window.jupyterapp.commands.execute("notebook:run-cell");
                   }"""
            )
            page.wait_for_function(
                "before => window.jupyterapp.shell.currentWidget.content.widgets[1]"
                ".model.executionCount > before",
                arg=before,
            )
            expect(page.locator(".jp-Cell").nth(1).locator(".lm:visible")).to_have_count(1)

    run_again(2)
    in_kernel, in_browser = value(page, counting), living_roots()
    run_again(4)
    assert value(page, counting) == in_kernel
    most = in_browser + 1  # the last one may wait for its promise to be dropped
    assert until(living_roots, lambda found: found <= most) <= most
