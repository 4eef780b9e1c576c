"""The hand on the picture in a real JupyterLab: handles by mouse, by touch and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from lectures_lib.figures import Arrow, Axis, Curve, Line, Panel, Points, Scene, Track
from lectures_lib.widgets import Cloud, DirectionAt, EllipseAt, LineAt, TurnAt, rectangles
from tests.browser.lab import (
    Hand,
    Lab,
    Place,
    run_code,
    set_theme,
    settle,
    told,
    value,
    violations,
)

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
    "run": "run = live(run_scene, step=steps((9, [2, 4, 9]), jump='Next event'))\nrun",
}
NAMES = list(CELLS)
SIZE = ViewportSize(width=1100, height=7800)
PHONE = ViewportSize(width=390, height=14000)


@pytest.fixture(scope="module")
def page(lab: Lab, browser: Browser) -> Iterator[Page]:
    cells = [SETUP, *CELLS.values()]
    page = lab.open(
        browser, "hands", cells, height=SIZE["height"], has_touch=True, reduced_motion="reduce"
    )
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    expect(page.locator(".lm:visible")).to_have_count(len(CELLS))
    yield page
    assert not problems
    page.context.close()


def widget(page: Page, name: str) -> Locator:
    return page.locator(".lm").nth(NAMES.index(name))


def put(page: Page, place: str, code: Any) -> Locator:
    """Set a value in the kernel, as `name.trait`; the widget, once it shows that and rests."""
    name = place.split(".")[0]
    view = widget(page, name)
    settle(view)  # a move on its way would come after the value
    told(view, run_code(page, f"{place} = {code}; print({name}.scene.describe())"))
    settle(view)
    return view


def pixels(view: Locator, x: float, y: float, panel: int = 0) -> Place:
    """Where a place of the plane from -2 to 2 stands in the window."""
    box = view.locator(".lm-panel").nth(panel).locator("svg > rect").first.bounding_box()
    assert box is not None
    return box["x"] + (x + 2) / 4 * box["width"], box["y"] + (2 - y) / 4 * box["height"]


@pytest.fixture(scope="module")
def mouse(page: Page) -> Hand:
    return Hand(page)


@pytest.fixture(scope="module")
def finger(page: Page) -> Hand:
    return Hand(page, page.context.new_cdp_session(page))


def drag(hand: Hand, view: Locator, start: Place, end: Place) -> None:
    """From one place of the plane to another."""
    settle(view)
    hand.down(pixels(view, *start))
    hand.move(pixels(view, *end))
    hand.up()
    settle(view)


def hold(view: Locator, label: str) -> None:
    """Give a handle of the picture the focus."""
    view.locator(f'.lm-handle[aria-label^="{label}"]').first.focus()


# --- dragged -------------------------------------------------------------------------------------


def test_a_line_is_shifted_anywhere_and_turned_at_its_ends(
    page: Page, mouse: Hand, finger: Hand
) -> None:
    view = put(page, "cut.cut", (90, 0))
    drag(mouse, view, (0.7, 0), (0.9, 0.83))
    told(view, "A line at 90.0, 0.80.")  # snapped to its grid
    assert value(page, "[cut.cut.angle, round(cut.cut.shift, 9)]") == [90, 0.8]
    drag(finger, view, (1.75, 0.8), (1.5, 0.8 + 1.5))  # by 45 degrees around (0, 0.8)
    told(view, "A line at 135.0, 0.60.")


def test_a_line_through_python_takes_any_number(page: Page, finger: Hand) -> None:
    view = put(page, "free.cut", (90, 0))
    drag(finger, view, (-0.7, 0), (-0.7, -0.53))
    assert value(page, "[free.cut.angle, free.cut.shift]") == [90, pytest.approx(-0.53, abs=0.02)]


def test_thresholds_and_positions_are_dragged_along_their_axis(
    page: Page, mouse: Hand, finger: Hand
) -> None:
    view = put(page, "x.x", 0.5)
    drag(finger, view, (0.5, -1), (1.22, 0.7))
    told(view, "x 1.20.")
    assert value(page, "x.x") == 1.2
    view = put(page, "y.y", -1)
    drag(mouse, view, (-2, -1), (-1.5, 0.4))
    assert value(page, "y.y") == pytest.approx(0.4, abs=0.02)


@pytest.mark.parametrize(("end", "angle"), [((1.0, 0.59), 30), ((-1.2, 0.6), 155)])
def test_a_direction_is_turned_and_does_not_flip_beyond_a_right_angle(
    page: Page, mouse: Hand, end: Place, angle: int
) -> None:
    view = put(page, "along.along", 0)
    drag(mouse, view, (1.2, 0), end)
    told(view, f"Along {angle}.0.")


def test_a_view_of_space_is_turned_anywhere_in_its_panel(
    page: Page, mouse: Hand, finger: Hand
) -> None:
    view = put(page, "space.view", (0, 0))
    drag(finger, view, (-1.2, 0.3), (-0.1, 0.97))  # 4 across the panel: half a turn
    told(view, "Turned 50, tilted 30.")
    drag(mouse, view, (0, 0), (0, 1.5))
    told(view, "Turned 50, tilted 60.")


def test_the_head_of_an_arrow_is_dragged(page: Page, mouse: Hand) -> None:
    view = put(page, "tip.tip", (1, 0.5))
    drag(mouse, view, (1, 0.5), (-0.52, -1.19))
    told(view, "Tip -0.50, -1.20.")
    assert value(page, "tip.tip") == pytest.approx([-0.5, -1.2])


def test_an_ellipse_is_moved_by_its_centre_and_stretched_by_its_axes(
    page: Page, mouse: Hand, finger: Hand
) -> None:
    view = put(page, "blob.blob", (0, 0, 1, 0.5, 0))
    drag(mouse, view, (0, 0), (0.5, -0.5))
    assert value(page, "blob.blob.mean") == pytest.approx([0.5, -0.5], abs=0.02)
    drag(finger, view, (1.5, -0.5), (0.5, 0.9))  # the first axis, up and longer
    assert value(page, "blob.blob.sd") == pytest.approx([1.4, 0.5], abs=0.03)
    assert value(page, "blob.blob.angle") == pytest.approx(90, abs=1)
    drag(mouse, view, (0, -0.5), (-0.4, -0.5))  # the second, which now points left
    assert value(page, "blob.blob.sd") == pytest.approx([1.4, 0.9], abs=0.03)


@pytest.mark.parametrize(
    ("label", "start", "end"),
    [
        ("first axis", (1, 0), (1, -0.3)),  # below 0 degrees, not to 163
        ("second axis", (0, 0.5), (0.2, -0.6)),  # through the centre
    ],
)
def test_an_axis_of_an_ellipse_stays_under_the_hand(
    page: Page, mouse: Hand, label: str, start: Place, end: Place
) -> None:
    view = put(page, "blob.blob", (0, 0, 1, 0.5, 0))
    drag(mouse, view, start, end)
    handle = view.locator(f'.lm-handle[aria-label^="ellipse, {label}"] .lm-knob')
    knob = handle.bounding_box()
    assert knob is not None
    found = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    assert found == pytest.approx(pixels(view, *end), abs=2)


@pytest.fixture
def land(page: Page) -> Locator:
    view = widget(page, "land")
    view.get_by_role("button", name="Start again").click()
    view.locator("select").first.select_option("0")
    told(view, "1 areas, 1 of class 1, size 1.0.")
    return view


def test_areas_are_drawn_by_a_drag_moved_by_a_corner_and_taken_back(
    land: Locator, mouse: Hand, finger: Hand
) -> None:
    drag(finger, land, (0.5, 0.5), (1.5, 1.5))
    told(land, "2 areas, 1 of class 1, size 2.0.")
    drag(mouse, land, (1.5, 1.5), (1.5, 1.0))
    told(land, "2 areas, 1 of class 1, size 1.5.")
    land.get_by_role("button", name="Undo").click()
    told(land, "size 2.0.")
    land.get_by_role("button", name="Undo").click()  # one step takes back the whole drawing
    told(land, "1 areas, 1 of class 1, size 1.0.")
    drag(mouse, land, (0.5, 0.5), (1.5, 1.5))
    told(land, "2 areas, 1 of class 1, size 2.0.")
    land.page.keyboard.press("Control+z")  # what was drawn has the focus
    told(land, "1 areas, 1 of class 1, size 1.0.")
    land.locator("select").first.select_option("none")
    drag(mouse, land, (0.5, 0.5), (1.5, 1.5))
    told(land, "1 areas, 1 of class 1, size 1.0.")
    land.locator("select").first.select_option("1")
    for k in range(3):  # there is room for two more
        drag(mouse, land, (-1.8 + k, 1.2), (-1.4 + k, 1.6))
    told(land, "3 areas, 3 of class 1")


def test_areas_by_the_keyboard(land: Locator) -> None:
    land.get_by_role("button", name="Add an area").focus()
    land.page.keyboard.press("Enter")
    told(land, "2 areas, 1 of class 1, size 1.1.")
    for _ in range(5):  # the new corner has the focus
        land.page.keyboard.press("ArrowRight")
    told(land, "2 areas, 1 of class 1, size 1.2.")
    land.page.keyboard.press("Delete")
    told(land, "1 areas, 1 of class 1, size 1.0.")
    land.page.keyboard.press("Control+z")
    told(land, "2 areas, 1 of class 1, size 1.2.")


def test_a_curve_is_scrubbed(page: Page, finger: Hand) -> None:
    view = put(page, "run.step", 0)
    box = view.locator(".lm-panel").nth(1).locator("svg > rect").first.bounding_box()
    assert box is not None

    def place(t: float, v: float) -> Place:
        return box["x"] + t / 9 * box["width"], box["y"] + (3 - v) / 4 * box["height"]

    finger.down(place(0, 0))
    finger.move(place(6.3, 2.5))
    finger.up()
    told(view, "Step 6.")
    settle(view)
    assert value(page, "run.step") == 6


@pytest.mark.parametrize("i", [5, *(pytest.param(i, marks=pytest.mark.deep) for i in (0, 12))])
def test_the_nearest_handle_is_taken_not_the_topmost(page: Page, mouse: Hand, i: int) -> None:
    view = put(page, "close.cloud", "Cloud(CLOSE, [0] * len(CLOSE))")
    x, y = CLOSE[i]
    drag(mouse, view, (x, y), (x, y + 1))
    found = value(page, "close.cloud.X.tolist()")
    assert [k for k, row in enumerate(found) if abs(row[1] - CLOSE[k][1]) > 0.5] == [i]


# --- hovered, missed and tapped ------------------------------------------------------------------


@pytest.fixture
def noted(page: Page) -> Locator:
    view = put(page, "noted.some", "Cloud([[0, 0], [1, 0.5]], [0, 0])")
    expect(view.locator(".lm-show")).to_have_count(0)
    view.evaluate("""view => {
      const look = () => (window.shown ||= Boolean(view.querySelector(".lm-panel.lm-show")));
      window.shown = false;
      new MutationObserver(look).observe(view, { subtree: true, attributeFilter: ["class"] });
    }""")
    return view


def test_a_point_says_what_the_scene_knows_of_it_on_hover_and_focus(
    page: Page, noted: Locator
) -> None:
    page.mouse.move(*pixels(noted, 1, 0.5))
    expect(noted.locator(".lm-handle text")).to_have_text("x + y = 1.5")
    page.mouse.move(*pixels(noted, -1.5, -1.5))
    expect(noted.locator(".lm-handle text")).to_have_count(0)
    hold(noted, "point 1 of 2")
    expect(noted.locator(".lm-handle text")).to_have_text("x + y = 0")
    page.keyboard.press("ArrowUp")
    expect(noted.locator(".lm-handle text")).to_have_text("x + y = 0.08")
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert label == "point 1 of 2, class 0, at 0, 0.08, x + y = 0.08"


def test_a_drag_that_takes_hold_of_nothing_shows_what_can_be_held(
    page: Page, noted: Locator, mouse: Hand
) -> None:
    drag(mouse, noted, (-1.5, -1), (-1, -1.2))
    assert page.evaluate("window.shown")
    told(noted, "2 points.")  # it was no click
    page.mouse.click(*pixels(noted, -1.5, -1))
    told(noted, "3 points.")
    page.keyboard.press("Control+z")  # the new point has the focus
    told(noted, "2 points.")


def test_after_a_tap_a_drag_moves_its_point_and_shows_nothing_else(
    page: Page, noted: Locator, finger: Hand
) -> None:
    page.touchscreen.tap(*pixels(noted, -1, 1))
    told(noted, "3 points.")
    drag(finger, noted, (-1, 1), (-1, -0.5))
    assert value(page, "noted.some.X.tolist()")[2] == pytest.approx([-1, -0.5], abs=0.05)
    assert not page.evaluate("window.shown")


def test_between_two_scenes_that_were_sent_ahead_the_line_follows_the_hand(
    page: Page, mouse: Hand
) -> None:
    view = put(page, "cut.cut", (90, 0))
    mouse.down(pixels(view, 0.5, 0))
    mouse.move(pixels(view, 0.5, 0.27))
    told(view, "A line at 90.0, 0.20.")  # the facts belong to the nearest scene
    settle(view)
    drawn = view.locator('[data-mark="path"]')
    height = float(drawn.get_attribute("height") or 0)
    path = drawn.locator("path").get_attribute("d") or ""
    found = [float(n) for n in re.findall(r"-?[\d.]+", path)]
    assert 2 - 4 * found[1] / height == pytest.approx(0.27, abs=0.02)
    mouse.up()
    told(view, "A line at 90.0, 0.20.")


# --- by keyboard ---------------------------------------------------------------------------------

BLOB = (0, 0, 1, 0.5, 0)
KEYS = [  # one of each kind
    ("cut.cut", (90, 0), "shift of the line", "ArrowRight ArrowUp", "A line at 90.0, 0.40."),
    # a fifth of a step, because Python is asked anyway
    ("free.cut", (90, 0), "shift of the line", "Shift+ArrowRight", "A line at 90.0, 0.04."),
    ("x.x", 0.5, "threshold", "ArrowLeft PageUp", "x 0.90."),
    ("y.y", -1, "position", "ArrowUp", "y -0.90."),
    ("along.along", 0, "direction", "ArrowUp", "Along 5.0."),
    # the turn goes round, the tilt ends
    ("space.view", (350, 60), "view, view", "ArrowRight ArrowUp", "Turned 0, tilted 60."),
    ("tip.tip", (1, 0.5), "arrow, head", "ArrowLeft ArrowUp", "Tip 0.90, 0.60."),
    ("blob.blob", BLOB, "ellipse, first axis", "ArrowRight", "sd 1.00, 0.50, angle 3."),
    ("run.step", 2, "step, on the curve", "ArrowDown", "Step 1."),
]
MORE_KEYS = [
    ("cut.cut", (90, 0.4), "direction of the line", "ArrowLeft", "A line at 85.0, 0.40."),
    ("cut.cut", (90, 0.4), "direction of the line", "End ArrowRight", "A line at 0.0, 0.40."),
    ("space.view", (0, 0), "view, view", "ArrowUp", "Turned 0, tilted 10."),
    ("blob.blob", BLOB, "ellipse, centre", "ArrowRight", "Mean 0.05, 0.00, sd 1.00, 0.50"),
    ("blob.blob", BLOB, "ellipse, second axis", "ArrowUp", "sd 1.00, 0.55, angle 0."),
    ("run.step", 0, "step, on the curve", "ArrowRight", "Step 1."),
    ("run.step", 0, "step, on the curve", "End", "Step 9."),
]
KEYS += [pytest.param(*more, marks=pytest.mark.deep) for more in MORE_KEYS]


@pytest.mark.parametrize(("place", "start", "label", "keys", "sentence"), KEYS)
def test_every_handle_answers_to_the_keyboard(
    page: Page, place: str, start: Any, label: str, keys: str, sentence: str
) -> None:
    selected = "window.jupyterapp.shell.currentWidget.content.activeCellIndex"
    view = put(page, place, start)
    hold(view, label)
    before = page.evaluate(selected)
    for key in keys.split():
        page.keyboard.press(key)
    told(view, sentence)
    assert page.evaluate(selected) == before  # no key reached the notebook


def test_the_sliders_are_twins_of_the_handles(page: Page) -> None:
    view = put(page, "cut.cut", (90, 0))
    view.locator("summary").press("Enter")  # they repeat what the picture says: folded
    twin = view.locator("input[type=range]").nth(1)
    twin.focus()
    page.keyboard.press("ArrowRight")
    told(view, "A line at 90.0, 0.20.")
    handle = view.locator('.lm-handle[aria-label="shift of the line"]')
    expect(handle).to_have_attribute("aria-valuenow", "0.2")
    expect(twin).to_have_attribute("aria-valuetext", "0.2")
    put(page, "cut.cut", (45, -1))
    expect(view.locator("summary")).to_have_text("direction of the line 45° · shift of the line −1")
    expect(handle).to_have_attribute("aria-valuenow", "-1")
    direction = view.locator('.lm-handle[aria-label="direction of the line"]')
    expect(direction).to_have_attribute("aria-valuetext", "45°")


# --- motion --------------------------------------------------------------------------------------


def test_play_goes_from_event_to_event_and_the_page_stands_still(page: Page) -> None:
    view = put(page, "run.step", 1)  # the longest sentence has been there
    page.emulate_media(reduced_motion="no-preference")
    view.evaluate("""view => {
      const look = () => [view.querySelector(".lm-sentence").textContent, view.offsetHeight];
      window.seen = [];
      new MutationObserver(() => window.seen.push(look()))
        .observe(view, { subtree: true, childList: true });
    }""")
    view.get_by_role("button", name="Play").click()
    told(view, "Step 9.")
    view.get_by_role("button", name="Play").wait_for()  # it stops by itself
    page.emulate_media(reduced_motion="reduce")
    seen = page.evaluate("window.seen")
    shown = list(dict.fromkeys(text.split()[-1] for text, _ in seen))
    assert [step for step in shown if step != "1."] == ["2.", "4.", "9."]
    assert len({height for _, height in seen}) == 1


def test_who_wants_no_motion_gets_the_end_at_once_and_steps_by_buttons(page: Page) -> None:
    view = put(page, "run.step", 0)
    view.get_by_role("button", name="Play").click()
    told(view, "Step 9.")
    view.get_by_role("button", name="back one step").click()
    told(view, "Step 8.")


FRAME = 16  # milliseconds


@contextmanager
def counted_time(page: Page) -> Iterator[None]:
    """Each picture that the page draws comes a frame after the one before, however long it took."""
    page.evaluate(
        """frame => {
          const [real, now] = [window.requestAnimationFrame, performance.now()];
          let [drawn, last] = [0, 0];
          performance.now = () => now + frame * drawn;
          window.requestAnimationFrame = follow => real.call(window, at => {
            if (at !== last) drawn += 1;
            last = at;
            follow(performance.now());
          });
          window.realTime = () => {
            delete performance.now;
            window.requestAnimationFrame = real;
          };
        }""",
        FRAME,
    )
    yield
    page.evaluate("window.realTime()")


@pytest.mark.parametrize("wish", ["no-preference", "reduce"])
def test_a_step_is_seen_moving_unless_the_reader_wants_no_motion(page: Page, wish: Any) -> None:
    view = put(page, "run.step", 0)
    page.emulate_media(reduced_motion=wish)
    with counted_time(page):
        view.evaluate("""view => {
          const path = () => view.querySelector('[data-mark="path"] path').getAttribute("d");
          window.drawn = [];
          new MutationObserver(() => window.drawn.push([performance.now(), path()]))
            .observe(view.querySelector(".lm-panel"), { subtree: true, childList: true });
        }""")
        view.get_by_role("button", name="next step").click()
        told(view, "Step 1.")
        settle(view)
        drawn = page.evaluate("window.drawn")
    page.emulate_media(reduced_motion="reduce")
    paths = [np.array(re.findall(r"-?[\d.]+", d), float).reshape(2, 2) for _, d in drawn]
    if wish == "reduce":
        assert len({str(path) for path in paths}) == 1
        return
    assert 300 - 3 * FRAME <= drawn[-1][0] - drawn[0][0] <= 300 + FRAME
    assert len(paths) > 12
    lengths = [np.linalg.norm(path[1] - path[0]) for path in paths]
    assert np.ptp(lengths) < 0.02 * lengths[0]  # it turns, it does not shrink on its way
    slopes = [np.arctan2(*(path[1] - path[0])[::-1]) for path in paths]
    assert abs(np.ptp(np.unwrap(slopes)) - np.pi / 2) < 0.05


# --- for everybody -------------------------------------------------------------------------------


def test_axe_finds_nothing_in_the_dark(page: Page) -> None:
    """In the light it looks at the same pictures on a phone, below."""
    set_theme(page, "dark")
    assert violations(page) == []
    set_theme(page, "light")


@pytest.fixture
def phone(page: Page) -> Iterator[Page]:
    """The same page, as narrow as a phone."""
    page.set_viewport_size(PHONE)
    for name in NAMES:
        settle(widget(page, name))
    yield page
    page.set_viewport_size(SIZE)


def test_a_phone_and_a_finger_are_enough(phone: Page) -> None:
    parts = phone.locator(".lm").locator(".lm-panel, button, select, input")
    right = parts.evaluate_all("all => all.map(part => part.getBoundingClientRect().right)")
    assert max(right) <= PHONE["width"]
    view = widget(phone, "run")
    panels, steps, others = (view.locator(f".lm-{part}") for part in ("panel", "main", "below"))
    tops = [
        part.evaluate("part => part.getBoundingClientRect().top")
        for part in (panels.first, steps, panels.last, others)
    ]
    assert tops == sorted(tops)  # the first picture, its steps, the other pictures, other controls
    view = put(phone, "noted.some", "Cloud([[0, 0], [1, 0.5]], [0, 0])")
    phone.touchscreen.tap(*pixels(view, -1, 1))
    told(view, "3 points.")
    targets = view.locator("button, select, input, .lm-handle circle:first-child").evaluate_all(
        "parts => parts.map(p => p.getBoundingClientRect()).map(b => Math.min(b.width, b.height))"
    )
    assert min(targets) >= 18
    assert violations(phone) == []
