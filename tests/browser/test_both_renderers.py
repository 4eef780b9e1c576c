"""One set of numbers: what the live figure draws in the browser is what the static SVG holds."""

from __future__ import annotations

import io
import itertools
import json
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import numpy as np
import PIL.Image
import pytest
from playwright.sync_api import Browser, Page

from lectures_lib.figures import Axis, Panel, Points, Scene, show
from lectures_lib.figures import svg as static
from lectures_lib.figures.layout import frame_box
from lectures_lib.figures.palette import DARK, LIGHT, MARKERS, rgb
from lectures_lib.widgets.frames import slots_of
from lectures_lib.widgets.widget import SCRIPT
from tests.test_figures_scene import SAMPLES, scene_with

DRAW_HERE = """([kind, arrays, style, box]) => {
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  const to = { X: u => u * box.w, Y: v => box.h - v * box.h };
  DRAW[kind](group, arrays, style, { ...box, ...to });
  const said = e => ({ tag: e.tagName, text: e.children.length ? "" : e.textContent,
    ...Object.fromEntries([...e.attributes].map(a => [a.name, a.value])) });
  return [...group.querySelectorAll("*")].map(said);
}"""
# What the two say differently on purpose: ids, how a colour of a scale is mixed, stored pixels.
OWN_WAYS = ("id", "style", "href")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page that holds the functions of the live figure."""
    script = SCRIPT.replace("export default", "const widget =")
    opened = browser.new_page()
    opened.set_content("<p>both renderers</p>")
    opened.add_script_tag(content=script + "\nObject.assign(window, { DRAW, frameBox, View });")
    outlines = {name: marker.outline for name, marker in MARKERS.items()}
    opened.evaluate("outlines => { View.markers = outlines; }", outlines)
    yield opened
    opened.close()


def plain(value: Any) -> Any:
    """Arrays as lists that JSON can carry; NaN becomes null, which is not a number either."""
    if isinstance(value, np.ndarray):
        return [None if v != v else v for v in value.tolist()]
    return value


def told(element: dict[str, str], kind: str) -> dict[str, Any]:
    """An element as both should tell it: numbers as numbers, ids left out."""
    kept: dict[str, Any] = {}
    for name, value in element.items():
        if name in OWN_WAYS or value == "" or (kind == "raster" and name == "fill"):
            continue
        plain_value = re.sub(r"url\(#[\w-]+\)", "url", value)
        kept[name] = [
            round(float(part), 2) if re.fullmatch(r"-?[\d.]+", part) else part
            for part in re.findall(r"-?\d*\.?\d+|[^\d\s,.-]+", plain_value)
        ]
    return kept


def static_elements(markup: str) -> list[dict[str, str]]:
    root = ElementTree.fromstring(f"<g>{markup}</g>")
    return [
        {"tag": e.tag, "text": (e.text or "") if not len(e) else "", **e.attrib}
        for e in root.iter()
        if e is not root
    ]


@pytest.mark.parametrize("name", SAMPLES)
def test_every_mark_is_drawn_at_the_same_place(page: Page, name: str) -> None:
    panel = Panel((SAMPLES[name],), Axis("x", -1, 2), Axis("y", -0.5, 1.5))
    shape = panel.shapes()[0]
    box = frame_box(panel, 410)
    arrays = {key: plain(array) for key, array in shape.arrays.items()}
    size = {"w": box.w, "h": box.h}
    style = json.loads(json.dumps(dict(shape.style)))
    as_numbers = (
        "a => Object.fromEntries(Object.entries(a).map(([k, v]) => [k, v.map(n => n ?? NaN)]))"
    )
    drawn = page.evaluate(
        f"([k, a, s, b]) => ({DRAW_HERE})([k, ({as_numbers})(a), s, b])",
        [shape.kind, arrays, style, size],
    )
    live = [e for e in drawn if e["tag"] != "pattern" and e.get("d") != HATCH]
    fixed = static_elements(static.DRAW[shape.kind](shape, box))
    assert [told(e, shape.kind) for e in live] == [told(e, shape.kind) for e in fixed]
    assert fixed, "nothing was drawn"


HATCH = "M-2 2L2 -2M0 10L10 0M8 12L12 8"  # a definition, which the static file keeps elsewhere


def test_the_frames_agree(page: Page) -> None:
    """With and without a title, a label and a frame, at every width that a panel can have."""
    texts = itertools.product(["", "a title"], ["", "x₁"], [True, False])
    panels = [
        Panel((Points([[0, 0]]),), Axis(x, 0, 3), Axis("y", 0, 2), title, frame=frame, height=0.6)
        for title, x, frame in texts
    ]
    cases = list(itertools.product(panels, [230, 310, 410, 460]))
    live = page.evaluate(
        "cases => cases.map(([header, width]) => frameBox(header, width))"
        ".map(({ left, top, w, h, height }) => [left, top, w, h, height])",
        [[slots_of(Scene((panel,), "A picture."))["p0"], width] for panel, width in cases],
    )
    static = [frame_box(panel, width) for panel, width in cases]
    assert live == [pytest.approx([b.left, b.top, b.w, b.h, b.height]) for b in static]


def colour_of(page: Page, body: str, scheme: str) -> tuple[int, ...]:
    """The paper of a picture in a page: the colour in its upper left corner."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.set_content(f"<body {body}>{show(scene_with()).html()}</body>")
    image = page.locator("img").screenshot()
    found = PIL.Image.open(io.BytesIO(image)).convert("RGB").getpixel((2, 2))
    assert isinstance(found, tuple)
    return found


@pytest.mark.parametrize(
    ("body", "scheme", "theme"),
    [
        ('data-jp-theme-light="true"', "dark", LIGHT),  # JupyterLab's theme decides
        ('data-jp-theme-light="false"', "light", DARK),
        ('class="vscode-dark"', "light", DARK),
        ('class="vscode-light"', "dark", LIGHT),
        ("", "dark", DARK),  # no theme is known: the reader's system decides
        ("", "light", LIGHT),
    ],
)
def test_a_picture_follows_the_theme_of_its_page(
    browser: Browser, body: str, scheme: str, theme: dict[str, str]
) -> None:
    page = browser.new_page()
    expected = tuple(round(255 * part) for part in rgb(theme["paper"]))
    assert colour_of(page, body, scheme) == expected
    page.close()
