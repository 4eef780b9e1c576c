"""How Matplotlib draws each kind of shape. `DRAW` in shapes.js holds the same kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, Patch, PathPatch
from matplotlib.path import Path
from matplotlib.patheffects import Normal, withStroke

from lectures_lib.figures.palette import AREA_OPACITY, LIGHT, MARKERS
from lectures_lib.figures.scene import Array, Floats, Shape
from lectures_lib.figures.svg import scale_colour

PIXELS = 100  # layout pixels in one inch
POINT = 72 / PIXELS  # Matplotlib's points in one layout pixel
FONT = ("DejaVu Sans",)


def _colour(name: str | None) -> str:
    return "none" if name is None else LIGHT[name]


def _dash(style: dict[str, Any]) -> Any:
    pattern = style.get("dash")
    return (0, [d / style["width"] for d in pattern]) if pattern else "solid"


def _pieces(shape: Shape) -> list[Floats]:
    """The polylines of a shape, cut where NaN stands."""
    xy = np.column_stack([shape.arrays["x"], shape.arrays["y"]]).astype(float)
    breaks = np.flatnonzero(np.isnan(xy).any(axis=1))
    parts = np.split(xy, breaks)
    return [p for p in (part[~np.isnan(part).any(axis=1)] for part in parts) if len(p)]


def _points(axes: Axes, shape: Shape, order: float) -> None:
    x, y, group = (shape.arrays[name] for name in ("x", "y", "group"))
    seen = (np.abs(x - 0.5) <= 0.51) & (np.abs(y - 0.5) <= 0.51)  # whole markers at the border
    for index, look in enumerate(shape.style["groups"]):
        inside = seen & (group == index)
        if inside.any():
            handle = _marker(look, shape.style["size"], x[inside], y[inside])
            handle.set(zorder=order, clip_on=False)
            axes.add_line(handle)


def _marker(look: dict[str, Any], size: float, x: Any = (), y: Any = ()) -> Line2D:
    return Line2D(
        x,
        y,
        linestyle="none",
        marker=MARKERS[look["marker"]].matplotlib,
        markersize=2 * size * POINT,
        markerfacecolor=_colour(look["fill"]),
        markeredgecolor=_colour(look["stroke"]),
        markeredgewidth=look["width"] * POINT,
    )


def _path(axes: Axes, shape: Shape, order: float) -> None:
    style = dict(shape.style)
    lines = LineCollection(
        _pieces(shape),
        colors=_colour(style["stroke"]),
        linewidths=style["width"] * POINT,
        linestyles=[_dash(style)],
        capstyle="butt" if style["dash"] else "round",
        joinstyle="round",
        zorder=order,
    )
    axes.add_collection(lines, autolim=False)


def _area(axes: Axes, shape: Shape, order: float) -> None:
    rings = [Path(np.vstack([p, p[:1]]), closed=True) for p in _pieces(shape) if len(p) > 2]
    if rings:
        patch = PathPatch(Path.make_compound_path(*rings), zorder=order, **_area_style(shape.style))
        axes.add_patch(patch)


def _area_style(style: Any) -> dict[str, Any]:
    colour = _colour(style["fill"])
    look: dict[str, Any] = {
        "facecolor": to_rgba(colour, AREA_OPACITY) if style["fill"] else "none",
        "edgecolor": "none" if style["stroke"] is None else _colour(style["stroke"]),
        "linewidth": POINT * (1.4 if style["stroke"] else 0),
    }
    if style["hatch"]:
        look |= {"hatch": "///", "hatchcolor": colour, "hatch_linewidth": POINT}
    return look


def _arrow(axes: Axes, shape: Shape, order: float) -> None:
    for piece in _pieces(shape):
        arrow = FancyArrowPatch(
            tuple(piece[0]),
            tuple(piece[-1]),
            arrowstyle="-|>",
            mutation_scale=14 * POINT,
            shrinkA=0,
            shrinkB=0,
            **_arrow_style(shape.style),
        )
        arrow.set(zorder=order, clip_on=True)
        axes.add_patch(arrow)


def _arrow_style(style: Any) -> dict[str, Any]:
    colour = _colour(style["stroke"])
    width = style["width"] * POINT
    return {"color": colour, "linewidth": width, "linestyle": _dash(dict(style))}


def _bars(axes: Axes, shape: Shape, order: float) -> None:
    x, y, x1, y1 = (shape.arrays[name].astype(float) for name in ("x", "y", "x1", "y1"))
    corners = np.stack([np.stack(p, axis=1) for p in ((x, y), (x1, y), (x1, y1), (x, y1))], axis=1)
    bars = PolyCollection(list(corners), zorder=order, **_bar_style(shape.style))
    axes.add_collection(bars, autolim=False)


def _bar_style(style: Any) -> dict[str, Any]:
    return {
        "facecolor": to_rgba(_colour(style["fill"]), 2 * AREA_OPACITY),
        "edgecolor": _colour(style["stroke"]),
        "linewidth": style["width"] * POINT,
        "linestyle": _dash(dict(style)),
    }


def _raster(axes: Axes, shape: Shape, order: float) -> None:
    style, levels = shape.style, shape.arrays["values"]
    table = {k: to_rgba(scale_colour(style["scale"], int(k), LIGHT)) for k in np.unique(levels)}
    colours = np.array([table[k] for k in levels]).reshape(style["rows"], style["columns"], 4)
    _place_image(axes, colours, style, order)


def _image(axes: Axes, shape: Shape, order: float) -> None:
    style = shape.style
    values = shape.arrays["values"].reshape(style["rows"], style["columns"], 3)
    _place_image(axes, values, style, order)


def _place_image(axes: Axes, colours: Array, style: Any, order: float) -> None:
    (x0, x1), (y0, y1) = style["x"], style["y"]
    if x1 < x0:
        colours, x0, x1 = colours[:, ::-1], x1, x0
    if y1 < y0:
        colours, y0, y1 = colours[::-1], y1, y0
    image = axes.imshow(
        colours,
        extent=(x0, x1, y0, y1),
        origin="lower",
        aspect="auto",
        interpolation="nearest",
    )
    image.set_zorder(order)
    axes.set(xlim=(0, 1), ylim=(0, 1))


def _text(axes: Axes, shape: Shape, order: float) -> None:
    style = shape.style
    for x, y, word in zip(shape.arrays["x"], shape.arrays["y"], style["words"], strict=True):
        axes.annotate(
            word,
            (float(x), float(y)),
            xytext=tuple(POINT * s for s in style["shift"]),
            textcoords="offset points",
            ha={"start": "left", "middle": "center", "end": "right"}[style["anchor"]],
            va="center",
            size=style["size"] * POINT,
            color=_colour(style["colour"]),
            family=FONT,
            zorder=order,
            path_effects=[withStroke(linewidth=3 * POINT, foreground=LIGHT["paper"]), Normal()],
        )


DRAW: dict[str, Callable[[Axes, Shape, float], None]] = {
    "points": _points,
    "path": _path,
    "area": _area,
    "arrow": _arrow,
    "bars": _bars,
    "raster": _raster,
    "image": _image,
    "text": _text,
}
"""How each kind of shape is drawn here. `DRAW` in shapes.js holds the same kinds."""


def legend_handle(kind: str, style: Any) -> Artist:
    """A sample of a shape for the legend."""
    if kind == "points":
        return _marker(style["groups"][0], style["size"])
    if kind in ("path", "arrow"):
        line = Line2D(
            [0, 1],
            [0, 0],
            color=_colour(style["stroke"]),
            linewidth=style["width"] * POINT,
            linestyle=_dash(dict(style)),
        )
        if kind == "arrow":
            line.set(marker=">", markersize=7 * POINT, markevery=[1])
        return line
    look = _bar_style(style) if kind == "bars" else _area_style(style)
    return Patch(**look)
