"""Live figures in a real JupyterLab and Chromium: from the hand's move to the changed picture.

A move is a key press or a step of a drag; its time is the browser's time stamp of the event. The
picture has changed when the frame that shows it begins. All numbers are from one session, the
peers' cells stand in the same notebook server and are measured in the same way. The server sends
small messages at once (`lectures_lib.widgets.connection`), to the peers' advantage too.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page

from benchmarks._table import Measured, Row
from tests.browser.lab import chromium, lab_server

MOVES = 30
PAUSE = 120  # milliseconds between moves that are measured one by one
BURST = 30  # milliseconds between moves of a held key

DATA = """
import numpy as np
from lectures_lib.datasets import make_separable
data = make_separable(200, 2, 0.15, rng=1)
"""
AHEAD = """
from lectures_lib.figures.plane import boundary_scene, square_axes
from lectures_lib.widgets import live, slider
axes = square_axes(data.X)
def turned(angle):
    w = np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))])
    return boundary_scene(data.X, data.y, w, 0.1, axes=axes)
widget = live(turned, angle=slider(0, 350, 5, label="angle"))
assert widget.mode == "ahead", widget.why
widget
"""
PYTHON = """
from lectures_lib.chapters.perceptron.live import perceptron_playground
from lectures_lib.widgets import Cloud
X = data.X.copy()
side = 2 * data.y[0] - 1
X[0] += side * data.w_star + 4 * data.w_star[::-1] * [1, -1]  # visited first, far from the others
widget = perceptron_playground()
widget.points = Cloud(X, data.y)
assert widget.mode == "python"
widget.step = 10_000
widget
"""
LINE_AHEAD = """
from lectures_lib.figures.plane import boundary_scene, square_axes
from lectures_lib.widgets import frames, line, live
X, y = data.X[:60], data.y[:60]  # what fits into the table that is sent ahead
axes = square_axes(X)
def cut_by(cut):
    return boundary_scene(X, y, cut.w, cut.w0, axes=axes)
widget = live(cut_by, cut=line(120, reach=2))
assert widget.mode == "ahead", widget.why
widget
"""
LINE_PYTHON = LINE_AHEAD.replace("[:60]", "").replace("widget =", "frames.PATIENCE = 0\nwidget =")
LINE_PYTHON = LINE_PYTHON.replace('"ahead"', '"python"')
INTERACT = """
%matplotlib inline
import matplotlib.pyplot as plt
from ipywidgets import interact, IntSlider
def turned(angle):
    w = np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))])
    for label in (0, 1):
        plt.scatter(*data.X[data.y == label].T)
    t = np.array([-5, 5])
    plt.plot(-0.1 * w[0] - t * w[1], -0.1 * w[1] + t * w[0])
    plt.xlim(-4, 4); plt.ylim(-4, 4)
    plt.show()
interact(turned, angle=IntSlider(0, 0, 350, 5));
"""
IPYMPL = """
%matplotlib widget
import matplotlib.pyplot as plt
from ipywidgets import IntSlider, VBox
fig, ax = plt.subplots()
for label in (0, 1):
    ax.scatter(*data.X[data.y == label].T)
ax.set(xlim=(-4, 4), ylim=(-4, 4))
line, = ax.plot([], [])
t = np.array([-5, 5])
def turned(change):
    w = np.array([np.cos(np.deg2rad(change.new)), np.sin(np.deg2rad(change.new))])
    line.set_data(-0.1 * w[0] - t * w[1], -0.1 * w[1] + t * w[0])
    fig.canvas.draw_idle()
angle = IntSlider(0, 0, 350, 5)
angle.observe(turned, "value")
VBox([angle, fig.canvas])
"""

# Records the time of every move and of every frame that shows a changed picture.
WATCH = """
([type, watched]) => {
  const log = (window.moves = { events: [], pictures: [] });
  let waiting = false; // for the next frame
  const shown = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      log.pictures.push(performance.now());
    });
  };
  document.addEventListener(type, (event) => log.events.push(event.timeStamp), true);
  if (watched === "canvas") {
    const draw = CanvasRenderingContext2D.prototype.drawImage;
    CanvasRenderingContext2D.prototype.drawImage = function (...all) {
      shown();
      return draw.apply(this, all);
    };
  } else if (watched === "img") {
    document.addEventListener("load", (event) => event.target.matches?.("img") && shown(), true);
  } else {
    const part = document.querySelector(watched);
    new MutationObserver(shown).observe(part, { childList: true, subtree: true });
  }
}
"""


@dataclass(frozen=True)
class Session:
    """What was measured on one page."""

    delays: list[float]  # milliseconds, for moves one by one
    drawn: int  # pictures in a burst of MOVES
    rest: float  # milliseconds from the last move of a burst to the last picture
    bytes_per_move: float

    @property
    def median(self) -> float:
        return float(np.median(self.delays))

    @property
    def p95(self) -> float:
        return float(np.percentile(self.delays, 95))


class Traffic:
    """Bytes over the web socket of a page, both ways."""

    def __init__(self) -> None:
        self.size = 0

    def watch(self, page: Page) -> None:
        page.on("websocket", self._listen)

    def _listen(self, socket: Any) -> None:
        socket.on("framesent", self._count)
        socket.on("framereceived", self._count)

    def _count(self, payload: str | bytes) -> None:
        self.size += len(payload)


def _clear(page: Page) -> None:
    page.evaluate("moves.events.length = moves.pictures.length = 0")


def _one_by_one(page: Page, move: Any) -> list[float]:
    delays = []
    for i in range(MOVES + 3):
        _clear(page)
        move(i)
        page.wait_for_function("moves.pictures.length > 0")
        page.wait_for_timeout(PAUSE)
        delays.append(float(page.evaluate("moves.pictures[0] - moves.events.at(-1)")))
    return delays[3:]  # the first ones warm up


def _burst(page: Page, move: Any) -> tuple[int, float]:
    _clear(page)
    for i in range(MOVES):
        move(i)
        page.wait_for_timeout(BURST)
    page.wait_for_timeout(1500)
    drawn, rest = page.evaluate(
        "[moves.pictures.length, moves.pictures.at(-1) - moves.events.at(-1)]"
    )
    return int(drawn), float(rest)


def _keys(page: Page) -> Any:
    """A move of our slider by one step, with the keyboard."""
    page.locator(".lm input[type=range]").first.focus()
    page.keyboard.press("Home")
    page.wait_for_timeout(500)
    return lambda i: page.keyboard.press("ArrowRight")


def _slide(page: Page) -> Any:
    """A move of an ipywidgets slider by one step, with the mouse: JupyterLab takes its keys."""
    handle = page.locator(".noUi-handle").first.bounding_box()
    track = page.locator(".noUi-base").first.bounding_box()
    assert handle is not None
    assert track is not None
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    return lambda i: page.mouse.move(x + track["width"] * (i + 1) / 70, y)


def _drag(page: Page) -> Any:
    """A move of the mouse that holds the first example, away from the others."""
    box = page.locator(".lm-handle").first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 8)
    page.wait_for_timeout(500)
    return lambda i: page.mouse.move(x, y + 9 + (i % 20))


def _drag_line(page: Page) -> Any:
    """A move of the mouse that holds the line between its knobs, a pixel and a half each."""
    box = page.locator(".lm-knob").first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 20)
    page.wait_for_timeout(500)
    return lambda i: page.mouse.move(x, y - 20 + 1.5 * (i % 30 + 1))


def _measure(browser: Browser, lab: Any, name: str, cell: str, watched: str) -> Session:
    traffic = Traffic()
    page = lab.open(browser, name, [DATA, cell], prepare=traffic.watch, height=1400)
    page.wait_for_selector(".lm:not([hidden]), .widget-slider, .jupyter-widgets input")
    page.wait_for_timeout(1500)
    hands = {"drag": _drag, "interact": _slide, "ipympl": _slide}
    start = _drag_line if name.startswith("line") else hands.get(name, _keys)
    page.evaluate(WATCH, ["keydown" if start is _keys else "pointermove", watched])
    move = start(page)
    delays = _one_by_one(page, move)
    if start is _keys:
        move = start(page)
    before = traffic.size
    drawn, rest = _burst(page, move)
    session = Session(delays, drawn, rest, (traffic.size - before) / MOVES)
    page.context.close()
    return session


@cache
def sessions() -> dict[str, Session]:
    """All measurements, one page after the other."""
    cells = {
        "ahead": (AHEAD, ".lm-sentence"),
        "python": (PYTHON, ".lm-sentence"),
        "drag": (PYTHON, ".lm-sentence"),
        "line ahead": (LINE_AHEAD, ".lm-panel"),
        "line python": (LINE_PYTHON, ".lm-panel"),
        "interact": (INTERACT, "img"),
        "ipympl": (IPYMPL, "canvas"),
    }
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        lab_server(Path(folder)) as lab,
        chromium() as browser,
    ):
        return {
            name: _measure(browser, lab, name, cell, watched)
            for name, (cell, watched) in cells.items()
        }


def _limit(name: str, attribute: str, limit: float, unit: str = "ms") -> Measured:
    session = sessions()[name]
    note = f"{session.drawn} of {MOVES} drawn in a burst"
    return Measured(getattr(session, attribute), limit, unit, note=note)


def _missed(name: str = "ahead") -> Measured:
    drawn = sessions()[name].drawn
    return Measured(max(0, MOVES - drawn), 0.5, "moves", note=f"{drawn} of {MOVES} drawn")


def _against(ours: str, peer: str) -> Measured:
    mine, other = sessions()[ours], sessions()[peer]
    package = {"interact": "ipywidgets", "ipympl": "ipympl"}[peer]
    note = (
        f"same 200 points, {MOVES} moves each; in a burst {mine.drawn} against {other.drawn} "
        f"pictures and {mine.bytes_per_move:.0f} against {other.bytes_per_move:.0f} bytes per move"
    )
    return Measured(mine.median, other.median, "ms", f"{peer}, {package} {version(package)}", note)


ROWS: list[Row] = [
    Row("slider, scenes sent ahead, median", lambda: _limit("ahead", "median", 10)),
    Row("slider, scenes sent ahead, 95 %", lambda: _limit("ahead", "p95", 16)),
    Row("slider, scenes sent ahead, moves not drawn", _missed),
    Row("slider through Python, 200 points, median", lambda: _limit("python", "median", 40)),
    Row("slider through Python, 200 points, 95 %", lambda: _limit("python", "p95", 60)),
    Row("drag through Python, 200 points, median", lambda: _limit("drag", "median", 40)),
    Row("drag through Python, 200 points, 95 %", lambda: _limit("drag", "p95", 60)),
    Row("line dragged, sent ahead, 60 points, median", lambda: _limit("line ahead", "median", 10)),
    Row("line dragged, sent ahead, 60 points, 95 %", lambda: _limit("line ahead", "p95", 16)),
    Row("line dragged, sent ahead, 60 points, moves not drawn", lambda: _missed("line ahead")),
    Row(
        "line dragged through Python, 200 points, median",
        lambda: _limit("line python", "median", 40),
    ),
    Row("line dragged through Python, 200 points, 95 %", lambda: _limit("line python", "p95", 60)),
    Row("line dragged through Python, 200 points, moves not drawn", lambda: _missed("line python")),
    Row("drag: last picture after the hand stops", lambda: _limit("drag", "rest", 100)),
    Row(
        "bytes per move through Python, slider",
        lambda: _limit("python", "bytes_per_move", 5000, "B"),
    ),
    Row(
        "bytes per move through Python, drag",
        lambda: _limit("drag", "bytes_per_move", 5000, "B"),
    ),
    Row("scenes sent ahead against interact, inline", lambda: _against("ahead", "interact")),
    Row("scenes sent ahead against ipympl", lambda: _against("ahead", "ipympl")),
    Row("through Python against interact, inline", lambda: _against("python", "interact")),
    Row("through Python against ipympl", lambda: _against("python", "ipympl")),
]
