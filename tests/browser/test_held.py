"""Whatever a newcomer would take hold of in a live picture can be held: by mouse and by finger."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from lectures_lib.figures.layout import frame_box
from lectures_lib.figures.scene import Panel
from lectures_lib.widgets import Live
from tests.browser.direct import live_cells, live_picture, open_page, show_live
from tests.browser.lab import Hand, Place, settle
from tests.conftest import ROOT

TABLE = ROOT / "tests" / "data" / "held.txt"
LINE = re.compile(r"    (.+): (\d), (\S+) (\S+)(?: -> (\S+) (\S+))?; (\w+)")
BY_DEFAULT = ("00_start_here-1", "02_decision_theory-2", "07_many_classes-2", "12_softmax-1")


@dataclass(frozen=True)
class Grip:
    """A place in a panel that is pressed, where the hand goes from there, and what changes."""

    what: str
    panel: int
    start: Place
    end: Place
    control: str


@cache
def table() -> dict[str, list[Grip]]:
    """The grips of each picture."""
    found: dict[str, list[Grip]] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            grips = found.setdefault(line, [])
            continue
        read = LINE.fullmatch(line)
        assert read, f"held.txt: expected 'what: panel, x y -> x y; control', found {line!r}"
        what, panel, x, y, to_x, to_y, control = read.groups()
        start = float(x), float(y)
        end = (float(to_x), float(to_y)) if to_x else start
        grips.append(Grip(what, int(panel), start, end, control))
    return found


def test_the_table_has_every_live_picture() -> None:
    assert list(table()) == list(live_cells())


CASES = [
    pytest.param(name, finger, marks=() if name in BY_DEFAULT and not finger else pytest.mark.deep)
    for name in table()
    for finger in (False, True)
]


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    size: Any = {"width": 1016, "height": 1300}
    page = browser.new_page(viewport=size, has_touch=True, reduced_motion="reduce")
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    open_page(page)
    yield page
    page.close()
    assert problems == []


def window_place(view: Locator, panels: tuple[Panel, ...], index: int, at: Place) -> Place:
    """Where a place of a panel is in the window."""
    box = view.locator(".lm-panel").nth(index).bounding_box()
    assert box is not None
    panel = panels[index]
    frame = frame_box(panel, box["width"])
    x, y = (float(axis.unit(value)) for axis, value in zip((panel.x, panel.y), at, strict=True))
    return box["x"] + frame.left + frame.X(x), box["y"] + frame.top + frame.Y(y)


def values(page: Page, widget: Live) -> dict[str, str]:
    """What the controls say, in the page or, for points, in Python."""
    seen = page.evaluate("window.liveValues")
    return {
        name: str(seen[name] if name in seen else control.to_wire(getattr(widget, name)))
        for name, control in widget._by_name.items()
    }


@pytest.mark.parametrize(("name", "finger"), CASES)
def test_a_hand_holds_it(page: Page, name: str, finger: bool) -> None:
    widget = live_picture(name)
    devtools = page.context.new_cdp_session(page) if finger else None
    lost = []
    for grip in table()[name]:
        for control, start in widget._by_name.items():
            setattr(widget, control, start.start)
        view = show_live(page, widget)
        hand = Hand(page, devtools)
        settle(view)
        before = values(page, widget)
        panels = widget.scene.panels
        hand.down(window_place(view, panels, grip.panel, grip.start))
        if grip.end != grip.start:
            hand.move(window_place(view, panels, grip.panel, grip.end))
            settle(view)
        hand.up()
        settle(view)
        after = values(page, widget)
        changed = [control for control in before if after[control] != before[control]]
        if changed != [grip.control]:
            lost.append(f"{grip.what}: changed {changed or 'nothing'}, not {grip.control}")
    assert lost == []


def test_a_knob_points_where_its_mark_goes(page: Page) -> None:
    view = show_live(page, live_picture("09_likelihood-2"))
    ways = view.locator('[aria-label="weight w, on the picture"] .lm-ways')
    expect(ways).to_have_attribute("transform", "rotate(90)")  # the curve goes up and down
