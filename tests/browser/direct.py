"""Live pictures of the course in Chromium without JupyterLab: Python answers in this process.

open_page(page)
view = show_live(page, widget)   # a locator of the picture, awake
"""

from __future__ import annotations

import base64
import json
from functools import cache
from itertools import count
from typing import Any

import nbformat
from builder.live import is_live, result
from playwright.sync_api import Locator, Page

from lectures_lib.widgets import Live
from tests.conftest import ROOT

NUMBERS = count()
PAGE = "<!doctype html><title>live</title><body data-jp-theme-light='true' style='margin:8px'>"
# The part of a widget's model that the widget uses; Python is behind `ask`, one answer a question.
MODEL = """async ([name, state, buffers, esm, css]) => {
  const bytes = (text) => new DataView(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer);
  const values = (window.liveValues = { ...state });
  for (const key of Object.keys(buffers)) values[key] = bytes(buffers[key]);
  const listeners = new Map();
  const model = {
    get: key => values[key],
    set: (key, value) => (values[key] = value),
    save_changes: () => {},
    off: () => {},
    on: (event, follow) => listeners.set(event, follow),
    send: async (message) => {
      window.unanswered.add(message);
      const answers = await window.ask(name, JSON.stringify(message));
      for (const [content, data] of answers) listeners.get("msg:custom")(content, data.map(bytes));
      window.unanswered.delete(message);
    },
  };
  window.unanswered = new Set();
  const url = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
  const { default: widget } = await import(url);
  const style = document.createElement("style");
  style.textContent = css;
  const el = document.createElement("div");
  el.id = name;
  document.body.replaceChildren(style, el);
  widget.render({ model, el });
}"""


@cache
def live_cells() -> dict[str, tuple[list[str], int]]:
    """The live cells of all notebooks: sources of the notebook's code, number of the cell."""
    found = {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == "code"]
        wanted = [number for number, cell in enumerate(cells) if is_live(cell)]
        for k, number in enumerate(wanted, start=1):
            found[f"{path.stem}-{k}"] = ([str(c.source) for c in cells], number)
    return found


@cache
def live_picture(name: str) -> Live:
    """The widget of a live cell, made from the cells that it needs."""
    return result(*live_cells()[name])


def open_page(page: Page) -> None:
    """An empty page whose pictures are answered by this process."""
    page.goto("about:blank")
    page.set_content(PAGE)
    page.expose_function("ask", _ask)


_shown: dict[str, Live] = {}


def _ask(name: str, message: str) -> list[Any]:
    widget = _shown[name]
    said: list[Any] = []
    widget.send = lambda content, buffers=None: said.append(  # type: ignore[method-assign]
        [content, [base64.b64encode(b).decode("ascii") for b in buffers or []]]
    )
    widget._answer(None, json.loads(message), None)
    return said


def show_live(page: Page, widget: Live) -> Locator:
    """The picture alone on the page, awake."""
    name = f"live-{next(NUMBERS)}"
    _shown[name] = widget
    state = widget.get_state()
    arrays = {k: v for k, v in state.items() if isinstance(v, bytes | memoryview)}
    buffers = {k: base64.b64encode(bytes(v)).decode("ascii") for k, v in arrays.items()}
    plain = {
        k: v
        for k, v in state.items()
        if k not in arrays and k not in ("_esm", "_css", "layout") and not k.startswith("tab")
    }
    page.evaluate(MODEL, [name, plain, buffers, widget._esm, widget._css])
    view = page.locator(f"#{name} > .lm")
    view.wait_for(state="visible")
    return view
