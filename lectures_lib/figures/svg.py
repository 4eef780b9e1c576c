"""A scene as SVG that follows the theme: what `show` puts into a page.

Every column of panels is an image of its own, so that a page sets them side by side or, where it
is narrow, under each other. The colours are variables with a light and a dark value; the page says
which by CSS `color-scheme` on the image, and without a page's word the reader's system decides.

The geometry is that of `widgets/browser/shapes.js`, function by function; a test draws every mark
with both in a browser and compares what they drew.
"""

from __future__ import annotations

import base64
import io
import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from html import escape
from typing import Any

import numpy as np
import PIL.Image

from lectures_lib.figures.labels import Drawing
from lectures_lib.figures.layout import FrameBox, frame_box, legend_rows
from lectures_lib.figures.marks import LEVELS
from lectures_lib.figures.palette import AREA_OPACITY, DARK, LIGHT, MARKERS, mix
from lectures_lib.figures.scene import Array, Key, Panel, Shape

FONT = "system-ui,sans-serif"
Style = Mapping[str, Any]


def stack_svg(drawings: list[Drawing], width: int) -> tuple[str, float]:
    """Panels under each other, each with its legend, as one SVG document, and its height."""
    parts, top = [], 0.0
    for drawing in drawings:
        box = frame_box(drawing.panel, width)
        legend, height = legend_svg(drawing.keys, width)
        parts.append(_shifted(panel_svg(drawing.panel, drawing.shapes, box), 0, top))
        parts.append(_shifted(legend, 0, top + box.height))
        top += box.height + height
    return document("".join(parts), width, top), top


def document(content: str, width: float, height: float) -> str:
    """A whole SVG file: the colours that `content` uses, paper, and the content."""
    hatches = sorted(set(re.findall(r"url\(#hatch-([\w]+)\)", content)))
    defs = "".join(_hatch(name) for name in hatches)
    style = colours(content + defs + "var(--lm-paper)")
    size = {"width": _place(width), "height": _place(height)}
    paper = _tag("rect", size | {"fill": "var(--lm-paper)"})
    view = {"xmlns": "http://www.w3.org/2000/svg", **size, "font-family": FONT}
    return _tag("svg", view, f"<style>{style}</style>{defs}{paper}{content}")


def colours(content: str) -> str:
    """CSS that gives each colour variable in `content` its light and its dark value."""
    used = sorted(set(re.findall(r"var\(--lm-([\w-]+)\)", content)))
    light = "".join(f"--lm-{name}:{colour_value(name, LIGHT)};" for name in used)
    dark = "".join(f"--lm-{name}:{colour_value(name, DARK)};" for name in used)
    return f":root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"


def data_uri(svg: str) -> str:
    """The document as the address of an image."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode("utf-8")).decode("ascii")


# --- colours and numbers -------------------------------------------------------------------------


def colour_value(name: str, colours: dict[str, str]) -> str:
    """A colour of the palette, or of one level of a raster's scale ("grey-12")."""
    scale, _, level = name.partition("-")
    return scale_colour(scale, int(level), colours) if level else colours[name]


def scale_colour(scale: str, level: int, colours: dict[str, str]) -> str:
    """The colour of one level of a raster's scale, in one theme."""
    paper = colours["paper"]
    if scale == "classes":
        return mix(colours[f"class{level}"], 2 * AREA_OPACITY, paper)
    share = level / LEVELS
    if scale == "grey":
        return mix(colours["ink"], share, paper)
    side = "class1" if share >= 0.5 else "class0"
    return mix(colours[side], abs(2 * share - 1), paper)


def _colour(name: str | None) -> str:
    return f"var(--lm-{name})" if name else "none"


def _place(value: float) -> str:
    """A number of pixels to two decimals, rounded as JavaScript's Math.round does."""
    rounded = math.floor(float(value) * 100 + 0.5) / 100
    return f"{rounded:.2f}".rstrip("0").rstrip(".").replace("-0", "0", rounded == 0)


def _tag(name: str, attributes: Mapping[str, object], content: str = "") -> str:
    listed = "".join(f' {key}="{escape(str(value))}"' for key, value in attributes.items())
    return f"<{name}{listed}>{content}</{name}>" if content else f"<{name}{listed}/>"


def _stroke(style: Style) -> dict[str, object]:
    look: dict[str, object] = {
        "stroke": _colour(style["stroke"]),
        "stroke-width": style.get("width", 1.4),
    }
    if style.get("dash"):
        look["stroke-dasharray"] = " ".join(str(d) for d in style["dash"])
    return look


def _shifted(content: str, x: float, y: float) -> str:
    return (
        _tag("g", {"transform": f"translate({_place(x)} {_place(y)})"}, content) if content else ""
    )


def _outline(arrays: Mapping[str, Array], box: FrameBox, close: str = "") -> str:
    """The path through x and y; NaN starts a new piece, `close` ends each where it began."""
    path, pen = [], "M"
    for x, y in zip(arrays["x"].tolist(), arrays["y"].tolist(), strict=True):
        if math.isnan(x) or math.isnan(y):
            if pen == "L":
                path.append(close)
            pen = "M"
        else:
            path.append(f"{pen}{_place(box.X(x))} {_place(box.Y(y))}")
            pen = "L"
    return "".join(path) + (close if pen == "L" else "")


def marker_steps(name: str, size: float) -> str:
    """A marker's outline as relative steps from its middle, for half a width of `size` pixels."""

    def scaled(found: re.Match[str]) -> str:
        command, numbers = found[1], found[2].split()
        flags = (2, 3, 4) if command == "a" else ()  # of an arc: not a length
        return command + " ".join(
            n if i in flags else _place(float(n) * size) for i, n in enumerate(numbers)
        )

    return re.sub(r"([mla])([^mlaz]*)", scaled, MARKERS[name].outline)


# --- shapes: one function for each kind, as in shapes.js -----------------------------------------


def _points(shape: Shape, box: FrameBox) -> str:
    x, y, group = (shape.arrays[name] for name in ("x", "y", "group"))
    seen = (np.abs(x - 0.5) <= 0.51) & (np.abs(y - 0.5) <= 0.51)
    drawn = []
    for k, look in enumerate(shape.style["groups"]):
        steps = marker_steps(look["marker"], shape.style["size"])
        path = "".join(
            f"M{_place(box.X(u))} {_place(box.Y(v))}{steps}"
            for u, v in zip(
                x[seen & (group == k)].tolist(), y[seen & (group == k)].tolist(), strict=True
            )
        )
        if path:
            edge = {"stroke": _colour(look["stroke"]), "stroke-width": look["width"]}
            drawn.append(_tag("path", {"d": path, "fill": _colour(look["fill"]), **edge}))
    return "".join(drawn)


def _path(shape: Shape, box: FrameBox) -> str:
    look = {"fill": "none", "stroke-linejoin": "round", **_stroke(shape.style)}
    return _tag("path", {"d": _outline(shape.arrays, box), **look})


def _area(shape: Shape, box: FrameBox) -> str:
    style, d = shape.style, _outline(shape.arrays, box, "Z")
    fill = {"fill": _colour(style["fill"]), "fill-opacity": AREA_OPACITY, "fill-rule": "evenodd"}
    drawn = _tag("path", {"d": d, **fill, **(_stroke(style) if style["stroke"] else {})})
    if style["hatch"]:
        drawn += _tag(
            "path", {"d": d, "fill": f"url(#hatch-{style['fill']})", "fill-rule": "evenodd"}
        )
    return drawn


def _hatch(colour: str) -> str:
    size = {"id": f"hatch-{colour}", "width": 10, "height": 10, "patternUnits": "userSpaceOnUse"}
    line = {"d": "M-2 2L2 -2M0 10L10 0M8 12L12 8", "stroke": _colour(colour)}
    return _tag("pattern", size, _tag("path", line))


def _arrow(shape: Shape, box: FrameBox) -> str:
    x, y = shape.arrays["x"].tolist(), shape.arrays["y"].tolist()
    drawn = []
    for i in range(0, len(x) - 1, 3):
        x0, y0, x1, y1 = box.X(x[i]), box.Y(y[i]), box.X(x[i + 1]), box.Y(y[i + 1])
        length = math.hypot(x1 - x0, y1 - y0)
        if length < 0.5:
            continue
        head = min(11, 0.6 * length)
        u, v = (x1 - x0) / length, (y1 - y0) / length
        bx, by, half = x1 - head * u, y1 - head * v, 0.42 * head
        tip = ((x1, y1), (bx - half * v, by + half * u), (bx + half * v, by - half * u))
        shaft = f"M{_place(x0)} {_place(y0)}L{_place(bx)} {_place(by)}"
        drawn.append(_tag("path", {"d": shaft, "fill": "none", **_stroke(shape.style)}))
        corners = " ".join(f"{_place(a)},{_place(b)}" for a, b in tip)
        drawn.append(_tag("polygon", {"points": corners, "fill": _colour(shape.style["stroke"])}))
    return "".join(drawn)


def _bars(shape: Shape, box: FrameBox) -> str:
    path = ""
    for x, y, x1, y1 in zip(
        *(shape.arrays[k].tolist() for k in ("x", "y", "x1", "y1")), strict=True
    ):
        left, right = _place(box.X(x)), _place(box.X(x1))
        low, high = _place(box.Y(y)), _place(box.Y(y1))
        path += f"M{left} {low}V{high}H{right}V{low}Z"
    look = {"fill": _colour(shape.style["fill"]), "fill-opacity": 2 * AREA_OPACITY}
    return _tag("path", {"d": path, **look, **_stroke(shape.style)})


def _raster(shape: Shape, box: FrameBox) -> str:
    """One path per level, cells of a row joined, so that the colours follow the theme."""
    style = shape.style
    rows, columns = style["rows"], style["columns"]
    values = shape.arrays["values"].reshape(rows, columns)
    across, down = (
        [_place(to(low + (high - low) * i / n)) for i in range(n + 1)]
        for (low, high), n, to in ((style["x"], columns, box.X), (style["y"], rows, box.Y))
    )
    paths: dict[int, str] = {}
    for r in range(rows):
        starts = np.flatnonzero(np.diff(values[r].astype(int), prepend=-1)).tolist()
        for c, end in zip(starts, [*starts[1:], columns], strict=True):
            cell = f"M{across[c]} {down[r]}H{across[end]}V{down[r + 1]}H{across[c]}Z"
            paths[int(values[r, c])] = paths.get(int(values[r, c]), "") + cell
    scale = style["scale"]
    return "".join(
        _tag("path", {"d": d, "fill": _colour(f"{scale}-{k}"), "shape-rendering": "crispEdges"})
        for k, d in paths.items()
    )


def _image(shape: Shape, box: FrameBox) -> str:
    style = shape.style
    (x0, x1), (y0, y1) = (map(box.X, style["x"]), map(box.Y, style["y"]))
    flip = (
        f"translate({_place(x0)} {_place(y0)}) scale({1 if x1 > x0 else -1} {1 if y1 > y0 else -1})"
    )
    look = {"preserveAspectRatio": "none", "style": "image-rendering:pixelated"}
    size = {"width": _place(abs(x1 - x0)), "height": _place(abs(y1 - y0)), "transform": flip}
    return _tag("image", {"href": image_source(shape), **size, **look})


def image_source(shape: Shape) -> str:
    """An image as its address: a photograph a little blurred, what has few colours as it is."""
    size = (shape.style["columns"], shape.style["rows"])
    return _stored(size, np.ascontiguousarray(shape.arrays["values"]).tobytes())


@lru_cache(maxsize=8)  # the states of a recording show the same photographs
def _stored(size: tuple[int, int], pixels: bytes) -> str:
    image, target = PIL.Image.frombytes("RGB", size, pixels), io.BytesIO()
    image.save(target, "webp", lossless=image.getcolors() is not None, quality=80, method=6)
    return "data:image/webp;base64," + base64.b64encode(target.getvalue()).decode("ascii")


def _text(shape: Shape, box: FrameBox) -> str:
    style = shape.style
    right, up = style["shift"]
    places = zip(
        shape.arrays["x"].tolist(), shape.arrays["y"].tolist(), style["words"], strict=True
    )
    return "".join(
        words(
            word, box.X(x) + right, box.Y(y) - up, style["size"], style["colour"], style["anchor"]
        )
        for x, y, word in places
    )


DRAW: dict[str, Callable[[Shape, FrameBox], str]] = {
    "points": _points,
    "path": _path,
    "area": _area,
    "arrow": _arrow,
    "bars": _bars,
    "raster": _raster,
    "image": _image,
    "text": _text,
}
"""How each kind of shape is drawn. `DRAW` in shapes.js holds the same kinds."""

UNCUT = {"points", "text"}  # kinds that may reach over the frame


def words(
    text: str, x: float, y: float, size: float, colour: str, anchor: str, turn: str = ""
) -> str:
    """One line of text around its middle height, with a halo of paper."""
    at = {"x": _place(x), "y": _place(y)} | ({"transform": turn} if turn else {})
    font = {"font-size": size, "text-anchor": anchor, "dominant-baseline": "central"}
    halo = {"stroke": _colour("paper"), "stroke-width": 3, "paint-order": "stroke"}
    look = {"fill": _colour(colour), "stroke-linejoin": "round", **halo}
    return _tag("text", at | font | look, escape(text)) if text else ""


# --- panels and legends --------------------------------------------------------------------------


def panel_svg(panel: Panel, shapes: list[Shape], box: FrameBox) -> str:
    """Frame, ticks, labels and marks of one panel."""
    parts = [_axes(panel, box)] if panel.frame else []
    if panel.title:
        parts.append(words(panel.title, box.left + box.w / 2, 16, 13, "ink", "middle"))
    for shape in shapes:
        parts.append(mark_svg(shape, box))
    return "".join(parts)


def mark_svg(shape: Shape, box: FrameBox) -> str:
    """One mark in the frame of its panel."""
    area = {"x": box.left, "y": box.top, "width": _place(box.w), "height": _place(box.h)}
    cut = "visible" if shape.kind in UNCUT else "hidden"
    return _tag("svg", {**area, "overflow": cut}, DRAW[shape.kind](shape, box))


def _axes(panel: Panel, box: FrameBox) -> str:
    frame = {"x": box.left, "y": box.top, "width": _place(box.w), "height": _place(box.h)}
    parts = [_tag("rect", {**frame, "fill": "none", "stroke": _colour("muted")})]
    bottom = box.top + box.h

    def few(ticks: tuple[tuple[float, str], ...]) -> tuple[tuple[float, str], ...]:
        return ticks[::2] if box.w < 200 and len(ticks) > 4 else ticks

    for at, text in few(panel.x.marked()):
        x = box.left + box.X(float(panel.x.unit(at)))
        parts.append(
            _tag("path", {"d": f"M{_place(x)} {_place(bottom)}v4", "stroke": _colour("muted")})
        )
        parts.append(words(text, x, bottom + 13, 11, "muted", "middle"))
    for at, text in few(panel.y.marked()):
        y = box.top + box.Y(float(panel.y.unit(at)))
        parts.append(_tag("path", {"d": f"M{box.left} {_place(y)}h-4", "stroke": _colour("muted")}))
        parts.append(words(text, box.left - 7, y, 11, "muted", "end"))
    parts.append(words(panel.x.label, box.left + box.w / 2, bottom + 32, 12, "ink", "middle"))
    turn = f"translate(10 {_place(box.top + box.h / 2)}) rotate(-90)"
    parts.append(words(panel.y.label, 0, 0, 12, "ink", "middle", turn))
    return "".join(parts)


def legend_svg(keys: list[Key], width: float) -> tuple[str, float]:
    """Samples with their labels, in centred rows, and the height they take."""
    box = FrameBox(0, 0, 28, 18, 28, 18)
    parts, top = [], 2.0
    for row in legend_rows(keys, width):
        x = (width - sum(room for _, room in row)) / 2
        for key, room in row:
            sample = Shape(key.kind, SAMPLES.get(key.kind, PIECE), key.style)
            parts.append(_shifted(DRAW[key.kind](sample, box), x, top))
            parts.append(words(key.label, x + 34, top + 9, 13, "ink", "start"))
            x += room
        top += 20
    return "".join(parts), (top + 4 if keys else 0.0)


PIECE = {"x": np.array([0.02, 0.98]), "y": np.array([0.5, 0.5])}
SAMPLES: dict[str, dict[str, Array]] = {
    "points": {"x": np.array([0.5]), "y": np.array([0.5]), "group": np.array([0])},
    "area": {"x": np.array([0.0, 1, 1, 0]), "y": np.array([0.2, 0.2, 0.8, 0.8])},
    "bars": {
        "x": np.array([0.1]),
        "x1": np.array([0.9]),
        "y": np.array([0.85]),
        "y1": np.array([0.15]),
    },
}
