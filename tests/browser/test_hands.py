"""The hand on the picture in a real JupyterLab: handles by mouse, by touch and by keyboard."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from lectures_lib.figures import Arrow, Axis, Curve, Line, Panel, Points, Scene, Track
from lectures_lib.widgets import Cloud, DirectionAt, EllipseAt, LineAt, TurnAt, rectangles
from tests.browser.lab import Lab, run_code, set_theme, violations

ROOT = Path(__file__).parents[2]
AXES = Axis("x", -2, 2), Axis("y", -2, 2)
CLOSE = [[0.1 * k, 0.05 * (k % 3)] for k in range(-6, 7)]  # 10 pixels from one to the next


def scene(sentence: str, *marks: Any) -> Scene:
    return Scene((Panel(marks, *AXES, equal=True),), sentence)


def line_scene(cut: LineAt) -> Scene:
    return scene(f"A line at {cut.angle:.1f}, {cut.shift:.2f}.", Line(cut.w, cut.w0))


def number_scene(**values: float) -> Scene:
    ((name, value),) = values.items()
    return scene(f"{name} {value:.2f}.", Line([1, 0], -value))


def direction_scene(along: DirectionAt) -> Scene:
    return scene(f"Along {along.angle:.1f}.", Line([-along.w[1], along.w[0]], 0))


def space_scene(view: TurnAt) -> Scene:
    tip = np.array([1.0, 0.0, 0.0]) @ view.directions
    return scene(f"Turned {view.turn:.0f}, tilted {view.tilt:.0f}.", Arrow([0, 0], tip))


def arrow_scene(tip: tuple[float, float]) -> Scene:
    return scene(f"Tip {tip[0]:.2f}, {tip[1]:.2f}.", Line([1, 0], -tip[0]))


def ellipse_scene(blob: EllipseAt) -> Scene:
    (x, y), (a, b) = blob.mean, blob.sd
    told = f"Mean {x:.2f}, {y:.2f}, sd {a:.2f}, {b:.2f}, angle {blob.angle:.0f}."
    return scene(told, Line([1, 0], -x))


def close_scene(cloud: Cloud) -> Scene:
    return scene(f"Sum {cloud.X.sum():.3f}.", Points(cloud.X, cloud.y, handle="cloud"))


def noted_scene(some: Cloud) -> Scene:
    mark = Points(some.X, some.y, handle="some", notes=some.X.sum(axis=1), note="x + y")
    return scene(f"{len(some)} points.", mark)


def land_scene(land: Cloud) -> Scene:
    boxes, labels = rectangles(land)
    size = (boxes[:, 1] - boxes[:, 0]).prod(axis=1).sum()
    told = f"{len(boxes)} areas, {labels.sum()} of class 1, size {size:.1f}."
    return scene(told, Points(land.X, land.y, handle="land"))


def run_scene(step: int) -> Scene:
    """A line that turns by a quarter in each step, and a curve of ten places to be scrubbed."""
    at = np.arange(10.0)
    line = Line([np.cos(step * np.pi / 2), np.sin(step * np.pi / 2)], -0.5)
    curve = (Curve(at, at % 3), Track(np.c_[at, at % 3], "step"))
    right = Panel(curve, Axis("t", 0, 9), Axis("v", -1, 3))
    words = "A long sentence that takes more than a line. " * (step % 2)
    return Scene((Panel((line,), *AXES, equal=True), right), f"{words}Step {step}.", columns=2)


SETUP = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from tests.browser.test_hands import *
from lectures_lib.widgets import *
from lectures_lib.widgets import frames
def through_python(function, **controls):
    frames.PATIENCE, kept = 0, frames.PATIENCE
    made = live(function, **controls)
    frames.PATIENCE = kept
    return made
"""
CELLS = {
    "cut": "cut = live(line_scene, cut=line(90, reach=2))\ncut",
    "free": "free = through_python(line_scene, cut=line(90, reach=2))\nfree",
    "x": "x = live(number_scene, x=threshold(-2, 2, 0.1, value=0.5))\nx",
    "y": "y = through_python(number_scene, y=position(-2, 2, 0.1, value=-1, axis='y'))\ny",
    "along": "along = live(direction_scene, along=direction(0))\nalong",
    "space": "space = live(space_scene, view=turn(0, 0, step=10, most=60))\nspace",
    "tip": "tip = live(arrow_scene, tip=arrow((1, 0.5), reach=2))\ntip",
    "blob": "blob = live(ellipse_scene, blob=ellipse((0, 0), [[1, 0], [0, 0.25]], reach=2))\nblob",
    "close": "close = live(close_scene, cloud=points(CLOSE, editable=False))\nclose",
    "noted": "noted = live(noted_scene, some=points([[0, 0], [1, 0.5]]))\nnoted",
    "land": "land = live(land_scene, land=areas([[[-1, -1], [0, 0]]], [1], most=3))\nland",
    "run": "run = live(run_scene, step=steps((9, [2, 4, 9]), most=9, jump='Next event'))\nrun",
}
NAMES = list(CELLS)


@pytest.fixture(scope="module")
def page(lab: Lab, browser: Browser) -> Iterator[Page]:
    cells = [SETUP, *CELLS.values()]
    page = lab.open(browser, "hands", cells, height=7800, has_touch=True, reduced_motion="reduce")
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    expect(page.locator(".lm:visible")).to_have_count(len(CELLS))
    yield page
    assert not problems
    page.context.close()


def widget(page: Page, name: str) -> Locator:
    return page.locator(".lm").nth(NAMES.index(name))


def set_value(page: Page, name: str, trait: str, value: Any) -> None:
    run_code(page, f"{name}.{trait} = {value!r}")
    page.wait_for_timeout(150)


def value(page: Page, expression: str) -> Any:
    return json.loads(run_code(page, f"import json; print(json.dumps({expression}))"))


def told(view: Locator, text: str) -> None:
    expect(view.locator(".lm-sentence")).to_contain_text(text)


def pixels(view: Locator, x: float, y: float, panel: int = 0) -> tuple[float, float]:
    """Where a place of the plane from -2 to 2 stands in the window."""
    box = view.locator(".lm-panel").nth(panel).locator("svg > rect").first.bounding_box()
    assert box is not None
    return box["x"] + (x + 2) / 4 * box["width"], box["y"] + (2 - y) / 4 * box["height"]


Drag = Callable[[tuple[float, float], tuple[float, float]], None]


@pytest.fixture(params=["mouse", "touch"])
def drag(request: pytest.FixtureRequest, page: Page) -> Drag:
    """A drag from one place in the window to another."""

    def steps(a: tuple[float, float], b: tuple[float, float]) -> Iterator[tuple[float, float]]:
        for k in range(1, 9):
            yield a[0] + (b[0] - a[0]) * k / 8, a[1] + (b[1] - a[1]) * k / 8

    def by_mouse(a: tuple[float, float], b: tuple[float, float]) -> None:
        page.mouse.move(*a)
        page.mouse.down()
        for at in steps(a, b):
            page.mouse.move(*at)
        page.mouse.up()

    def by_touch(a: tuple[float, float], b: tuple[float, float]) -> None:
        devtools = page.context.new_cdp_session(page)

        def send(kind: str, *points: tuple[float, float]) -> None:
            touches = [{"x": x, "y": y} for x, y in points]
            devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

        send("touchStart", a)
        for at in steps(a, b):
            send("touchMove", at)
        send("touchEnd")
        devtools.detach()

    return by_mouse if request.param == "mouse" else by_touch


def hold(page: Page, view: Locator, label: str) -> None:
    """Give a handle of the picture the focus."""
    view.locator(f'.lm-handle[aria-label^="{label}"]').first.focus()


# --- dragged -------------------------------------------------------------------------------------


def test_a_line_is_shifted_anywhere_and_turned_at_its_ends(page: Page, drag: Drag) -> None:
    set_value(page, "cut", "cut", (90, 0))
    view = widget(page, "cut")
    drag(pixels(view, 0.7, 0), pixels(view, 0.9, 0.83))
    told(view, "A line at 90.0, 0.80.")  # snapped to its grid
    assert value(page, "[cut.cut.angle, round(cut.cut.shift, 9)]") == [90, 0.8]
    drag(pixels(view, 1.75, 0.8), pixels(view, 1.5, 0.8 + 1.5))  # by 45 degrees around (0, 0.8)
    told(view, "A line at 135.0, 0.60.")


def test_a_line_through_python_takes_any_number(page: Page, drag: Drag) -> None:
    set_value(page, "free", "cut", (90, 0))
    view = widget(page, "free")
    drag(pixels(view, -0.7, 0), pixels(view, -0.7, -0.53))
    page.wait_for_timeout(300)
    angle, shift = value(page, "[free.cut.angle, free.cut.shift]")
    assert angle == 90
    assert shift == pytest.approx(-0.53, abs=0.02)


def test_thresholds_and_positions_are_dragged_along_their_axis(page: Page, drag: Drag) -> None:
    set_value(page, "x", "x", 0.5)
    view = widget(page, "x")
    drag(pixels(view, 0.5, -1), pixels(view, 1.22, 0.7))
    told(view, "x 1.20.")
    assert value(page, "x.x") == 1.2
    set_value(page, "y", "y", -1)
    view = widget(page, "y")
    drag(pixels(view, -2, -1), pixels(view, -1.5, 0.4))
    page.wait_for_timeout(300)
    assert value(page, "y.y") == pytest.approx(0.4, abs=0.02)


def test_a_direction_is_turned(page: Page, drag: Drag) -> None:
    set_value(page, "along", "along", 0)
    view = widget(page, "along")
    drag(pixels(view, 1.2, 0), pixels(view, 1.0, 0.59))
    told(view, "Along 30.0.")


def test_a_direction_that_is_turned_beyond_a_right_angle_does_not_flip(
    page: Page, drag: Drag
) -> None:
    set_value(page, "along", "along", 0)
    view = widget(page, "along")
    drag(pixels(view, 1.2, 0), pixels(view, -1.2, 0.6))  # the head goes over the top
    told(view, "Along 155.0.")


def test_a_view_of_space_is_turned_anywhere_in_its_panel(page: Page, drag: Drag) -> None:
    set_value(page, "space", "view", (0, 0))
    view = widget(page, "space")
    drag(pixels(view, -1.2, 0.3), pixels(view, -0.1, 0.97))  # 4 across the panel: half a turn
    told(view, "Turned 50, tilted 30.")
    drag(pixels(view, 0, 0), pixels(view, 0, 1.5))
    told(view, "Turned 50, tilted 60.")


def test_the_head_of_an_arrow_is_dragged(page: Page, drag: Drag) -> None:
    set_value(page, "tip", "tip", (1, 0.5))
    view = widget(page, "tip")
    told(view, "Tip 1.00, 0.50.")  # the picture has followed
    drag(pixels(view, 1, 0.5), pixels(view, -0.52, -1.19))
    told(view, "Tip -0.50, -1.20.")
    assert value(page, "tip.tip") == pytest.approx([-0.5, -1.2])


def test_an_ellipse_is_moved_by_its_centre_and_stretched_by_its_axes(
    page: Page, drag: Drag
) -> None:
    set_value(page, "blob", "blob", (0, 0, 1, 0.5, 0))
    view = widget(page, "blob")
    drag(pixels(view, 0, 0), pixels(view, 0.5, -0.5))
    page.wait_for_timeout(300)
    assert value(page, "blob.blob.mean") == pytest.approx([0.5, -0.5], abs=0.02)
    drag(pixels(view, 1.5, -0.5), pixels(view, 0.5, 0.9))  # the first axis, up and longer
    page.wait_for_timeout(300)
    assert value(page, "blob.blob.sd") == pytest.approx([1.4, 0.5], abs=0.03)
    assert value(page, "blob.blob.angle") == pytest.approx(90, abs=1)
    drag(pixels(view, 0, -0.5), pixels(view, -0.4, -0.5))  # the second, which now points left
    page.wait_for_timeout(300)
    assert value(page, "blob.blob.sd") == pytest.approx([1.4, 0.9], abs=0.03)


def test_an_axis_of_an_ellipse_stays_under_the_hand(page: Page, drag: Drag) -> None:
    view = widget(page, "blob")
    for label, start, end in [
        ("ellipse, first axis", (1, 0), (1, -0.3)),  # below 0 degrees, not to 163
        ("ellipse, second axis", (0, 0.5), (0.2, -0.6)),  # through the centre
    ]:
        set_value(page, "blob", "blob", (0, 0, 1, 0.5, 0))
        drag(pixels(view, *start), pixels(view, *end))
        page.wait_for_timeout(300)
        knob = view.locator(f'.lm-handle[aria-label^="{label}"] .lm-knob').bounding_box()
        assert knob is not None
        found = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
        assert found == pytest.approx(pixels(view, *end), abs=2)


def test_areas_are_drawn_by_a_drag_moved_by_a_corner_and_taken_back(page: Page, drag: Drag) -> None:
    view = widget(page, "land")
    view.scroll_into_view_if_needed()
    view.locator("select").first.select_option("0")
    view.get_by_role("button", name="Start again").click()
    told(view, "1 areas, 1 of class 1, size 1.0.")
    drag(pixels(view, 0.5, 0.5), pixels(view, 1.5, 1.5))
    told(view, "2 areas, 1 of class 1, size 2.0.")
    drag(pixels(view, 1.5, 1.5), pixels(view, 1.5, 1.0))
    told(view, "2 areas, 1 of class 1, size 1.5.")
    view.get_by_role("button", name="Undo").click()
    told(view, "size 2.0.")
    view.get_by_role("button", name="Undo").click()  # one step takes back the whole drawing
    told(view, "1 areas, 1 of class 1, size 1.0.")
    drag(pixels(view, 0.5, 0.5), pixels(view, 1.5, 1.5))
    told(view, "2 areas, 1 of class 1, size 2.0.")
    page.keyboard.press("Control+z")  # what was drawn has the focus
    told(view, "1 areas, 1 of class 1, size 1.0.")
    view.locator("select").first.select_option("none")
    drag(pixels(view, 0.5, 0.5), pixels(view, 1.5, 1.5))
    told(view, "1 areas, 1 of class 1, size 1.0.")
    view.locator("select").first.select_option("1")
    for k in range(3):  # there is room for two more
        drag(pixels(view, -1.8 + k, 1.2), pixels(view, -1.4 + k, 1.6))
    told(view, "3 areas, 3 of class 1")
    view.get_by_role("button", name="Start again").click()
    told(view, "1 areas, 1 of class 1, size 1.0.")


def test_areas_by_the_keyboard(page: Page) -> None:
    view = widget(page, "land")
    view.get_by_role("button", name="Start again").click()
    view.locator("select").first.select_option("0")
    view.get_by_role("button", name="Add an area").focus()
    page.keyboard.press("Enter")
    told(view, "2 areas, 1 of class 1, size 1.1.")
    for _ in range(5):  # the new corner has the focus
        page.keyboard.press("ArrowRight")
    told(view, "2 areas, 1 of class 1, size 1.2.")
    page.keyboard.press("Delete")
    told(view, "1 areas, 1 of class 1, size 1.0.")
    page.keyboard.press("Control+z")
    told(view, "2 areas, 1 of class 1, size 1.2.")
    view.get_by_role("button", name="Start again").click()


def test_a_curve_is_scrubbed(page: Page, drag: Drag) -> None:
    set_value(page, "run", "step", 0)
    view = widget(page, "run")
    box = view.locator(".lm-panel").nth(1).locator("svg > rect").first.bounding_box()
    assert box is not None

    def place(t: float, v: float) -> tuple[float, float]:
        return box["x"] + t / 9 * box["width"], box["y"] + (3 - v) / 4 * box["height"]

    drag(place(0, 0), place(6.3, 2.5))
    told(view, "Step 6.")
    assert value(page, "run.step") == 6


def test_the_nearest_handle_is_taken_not_the_topmost(page: Page, drag: Drag) -> None:
    view = widget(page, "close")
    run_code(page, "close.cloud = Cloud(CLOSE, [0] * len(CLOSE))")
    page.wait_for_timeout(200)
    for i, (x, y) in enumerate(CLOSE):
        drag(pixels(view, x, y), pixels(view, x, y + 1))
        page.wait_for_timeout(60)
        found = value(page, "close.cloud.X.tolist()")
        moved = [k for k, row in enumerate(found) if abs(row[1] - CLOSE[k][1]) > 0.5]
        assert moved == [i]
        page.wait_for_timeout(60)
        run_code(page, "close.cloud = Cloud(CLOSE, [0] * len(CLOSE))")
        page.wait_for_timeout(120)


def test_a_point_says_what_the_scene_knows_of_it_on_hover_and_focus(page: Page) -> None:
    view = widget(page, "noted")
    page.mouse.move(*pixels(view, 1, 0.5))
    expect(view.locator(".lm-handle text")).to_have_text("x + y = 1.5")
    page.mouse.move(*pixels(view, -1.5, -1.5))
    expect(view.locator(".lm-handle text")).to_have_count(0)
    hold(page, view, "point 1 of 2")
    expect(view.locator(".lm-handle text")).to_have_text("x + y = 0")
    page.keyboard.press("ArrowUp")
    expect(view.locator(".lm-handle text")).to_have_text("x + y = 0.08")
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label == "point 1 of 2, class 0, at 0, 0.08, x + y = 0.08"


def test_a_drag_that_takes_hold_of_nothing_shows_what_can_be_held(page: Page) -> None:
    view = widget(page, "noted")
    page.mouse.move(*pixels(view, -1.5, -1))
    page.mouse.down()
    page.mouse.move(*pixels(view, -1, -1.2), steps=4)
    expect(view.locator(".lm-panel.lm-show")).to_have_count(1)
    page.mouse.up()
    told(view, "2 points.")  # it was no click
    page.mouse.click(*pixels(view, -1.5, -1))
    told(view, "3 points.")
    page.keyboard.press("Control+z")  # the new point has the focus
    told(view, "2 points.")


def test_after_a_tap_a_drag_moves_its_point_and_shows_nothing_else(page: Page, drag: Drag) -> None:
    view = widget(page, "noted")
    view.get_by_role("button", name="Start again").click()
    told(view, "2 points.")
    view.scroll_into_view_if_needed()
    page.touchscreen.tap(*pixels(view, -1, 1))
    told(view, "3 points.")
    drag(pixels(view, -1, 1), pixels(view, -1, -0.5))
    expect(view.locator(".lm-panel.lm-show")).to_have_count(0, timeout=100)
    assert value(page, "noted.some.X.tolist()")[2] == pytest.approx([-1, -0.5], abs=0.05)
    view.get_by_role("button", name="Start again").click()


def test_between_two_scenes_that_were_sent_ahead_the_line_follows_the_hand(page: Page) -> None:
    set_value(page, "cut", "cut", (90, 0))
    view = widget(page, "cut")
    page.mouse.move(*pixels(view, 0.5, 0))
    page.mouse.down()
    page.mouse.move(*pixels(view, 0.5, 0.1), steps=2)
    page.mouse.move(*pixels(view, 0.5, 0.27), steps=2)
    told(view, "A line at 90.0, 0.20.")  # the facts belong to the nearest scene
    drawn = view.locator('[data-mark="path"]')
    height = float(drawn.get_attribute("height") or 0)
    path = drawn.locator("path").get_attribute("d") or ""
    found = [float(n) for n in re.findall(r"-?[\d.]+", path)]
    assert 2 - 4 * found[1] / height == pytest.approx(0.27, abs=0.02)
    page.mouse.up()
    told(view, "A line at 90.0, 0.20.")


# --- by keyboard ---------------------------------------------------------------------------------


def test_every_handle_answers_to_the_keyboard(page: Page) -> None:
    press = page.keyboard.press
    set_value(page, "cut", "cut", (90, 0))
    view = widget(page, "cut")
    hold(page, view, "shift of the line")
    press("ArrowRight")
    press("ArrowUp")
    told(view, "A line at 90.0, 0.40.")
    hold(page, view, "direction of the line")
    press("ArrowLeft")
    told(view, "A line at 85.0, 0.40.")
    press("End")
    press("ArrowRight")  # an angle goes round
    told(view, "A line at 0.0, 0.40.")
    label = page.evaluate("document.activeElement.getAttribute('aria-valuetext')")
    assert label == "0°"

    set_value(page, "free", "cut", (90, 0))
    hold(page, widget(page, "free"), "shift of the line")
    press("Shift+ArrowRight")  # a fifth of a step, because Python is asked anyway
    told(widget(page, "free"), "A line at 90.0, 0.04.")

    set_value(page, "x", "x", 0.5)
    hold(page, widget(page, "x"), "threshold")
    press("ArrowLeft")
    press("PageUp")
    told(widget(page, "x"), "x 0.90.")

    set_value(page, "y", "y", -1)
    hold(page, widget(page, "y"), "position")
    press("ArrowUp")
    told(widget(page, "y"), "y -0.90.")

    set_value(page, "along", "along", 0)
    hold(page, widget(page, "along"), "direction")
    press("ArrowUp")
    told(widget(page, "along"), "Along 5.0.")

    set_value(page, "space", "view", (350, 0))
    hold(page, widget(page, "space"), "view, view")
    press("ArrowRight")  # the turn goes round, the tilt ends
    press("ArrowUp")
    told(widget(page, "space"), "Turned 0, tilted 10.")

    set_value(page, "tip", "tip", (1, 0.5))
    hold(page, widget(page, "tip"), "arrow, head")
    press("ArrowLeft")
    press("ArrowUp")
    told(widget(page, "tip"), "Tip 0.90, 0.60.")

    set_value(page, "blob", "blob", (0, 0, 1, 0.5, 0))
    hold(page, widget(page, "blob"), "ellipse, centre")
    press("ArrowRight")
    hold(page, widget(page, "blob"), "ellipse, second axis")
    press("ArrowUp")
    told(widget(page, "blob"), "Mean 0.05, 0.00, sd 1.00, 0.55, angle 0.")
    hold(page, widget(page, "blob"), "ellipse, first axis")
    press("ArrowRight")
    told(widget(page, "blob"), "angle 3.")

    set_value(page, "run", "step", 0)
    hold(page, widget(page, "run"), "step, on the curve")
    selected = page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex")
    press("ArrowRight")
    told(widget(page, "run"), "Step 1.")
    press("ArrowDown")
    told(widget(page, "run"), "Step 0.")
    press("End")
    told(widget(page, "run"), "Step 9.")
    after = page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCellIndex")
    assert after == selected  # no key reached the notebook


def test_the_sliders_are_twins_of_the_handles(page: Page) -> None:
    set_value(page, "cut", "cut", (90, 0))
    view = widget(page, "cut")
    twin = view.locator("input[type=range]").nth(1)
    twin.focus()
    page.keyboard.press("ArrowRight")
    told(view, "A line at 90.0, 0.20.")
    handle = view.locator('.lm-handle[aria-label="shift of the line"]')
    expect(handle).to_have_attribute("aria-valuenow", "0.2")
    expect(twin).to_have_attribute("aria-valuetext", "0.2")
    set_value(page, "cut", "cut", (45, -1))
    told(view, "A line at 45.0, -1.00.")
    expect(handle).to_have_attribute("aria-valuenow", "-1")


# --- motion --------------------------------------------------------------------------------------


def test_play_goes_from_event_to_event_and_the_page_stands_still(page: Page) -> None:
    set_value(page, "run", "step", 0)
    view = widget(page, "run")
    heights = "view => { window.seen = []; new MutationObserver(() => window.seen.push("
    heights += "[view.querySelector('.lm-sentence').textContent, view.offsetHeight]))"
    heights += ".observe(view, { subtree: true, childList: true }); }"
    view.get_by_label("speed of play").select_option("fast")
    view.get_by_role("button", name="next step").click()  # the longest sentence has been there
    view.evaluate(heights)
    view.get_by_role("button", name="Play").click()
    told(view, "Step 9.")
    view.get_by_role("button", name="Play").wait_for()  # it stops by itself
    seen = page.evaluate("window.seen")
    shown = list(dict.fromkeys(text.split()[-1] for text, _ in seen))
    assert [step for step in shown if step != "1."] == ["2.", "4.", "9."]
    assert len({height for _, height in seen}) == 1


PATHS = """view => { window.drawn = []; new MutationObserver(() => window.drawn.push([
  performance.now(), view.querySelector('[data-mark="path"] path').getAttribute('d')]))
  .observe(view.querySelector('.lm-panel'), { subtree: true, childList: true }); }"""


@pytest.mark.parametrize("wish", ["no-preference", "reduce"])
def test_a_step_is_seen_moving_unless_the_reader_wants_no_motion(page: Page, wish: Any) -> None:
    set_value(page, "run", "step", 0)
    view = widget(page, "run")
    page.emulate_media(reduced_motion=wish)
    try:
        view.evaluate(PATHS)
        view.get_by_role("button", name="next step").click()
        told(view, "Step 1.")
        page.wait_for_timeout(600)
        drawn = page.evaluate("window.drawn")
    finally:
        page.emulate_media(reduced_motion="reduce")
    paths = [np.array(re.findall(r"-?[\d.]+", d), float).reshape(2, 2) for _, d in drawn]
    if wish == "reduce":
        assert len({str(path) for path in paths}) == 1
        return
    assert len(paths) > 4
    assert 200 < drawn[-1][0] - drawn[0][0] < 500
    lengths = [np.linalg.norm(path[1] - path[0]) for path in paths]
    assert np.ptp(lengths) < 0.02 * lengths[0]  # it turns, it does not shrink on its way
    slopes = [np.arctan2(*(path[1] - path[0])[::-1]) for path in paths]
    assert abs(np.ptp(np.unwrap(slopes)) - np.pi / 2) < 0.05


# --- for everybody -------------------------------------------------------------------------------


def test_axe_finds_nothing_in_both_themes(page: Page) -> None:
    for theme in ("dark", "light"):
        set_theme(page, theme)
        assert violations(page) == []


def test_on_a_phone_the_picture_stands_before_the_controls(lab: Lab, browser: Browser) -> None:
    cells = [SETUP, CELLS["run"]]
    page = lab.open(browser, "phone", cells, width=430, height=1400, has_touch=True)
    view = page.locator(".lm")
    expect(view).to_be_visible()
    tops = [
        view.locator(where).first.evaluate("part => part.getBoundingClientRect().top")
        for where in (".lm-panel", ".lm-controls", ".lm-stack:last-child .lm-panel")
    ]
    assert tops == sorted(tops)  # the first picture, the controls, the other pictures
    assert violations(page) == []
    page.context.close()
