"""A picture as PNG, for places that take no SVG: print, LaTeX, GitHub.

What `svg.py` has written is read again and drawn by Matplotlib, in the light colours. It knows the
few elements and the few commands of paths that stand there, and nothing about scenes.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import numpy as np
import PIL.Image
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.patheffects import Normal, withStroke
from matplotlib.transforms import Bbox, TransformedBbox

from lectures_lib.figures.palette import LIGHT
from lectures_lib.figures.svg import colour_value

SHARPNESS = 1.5  # stored pixels for one pixel of the picture
PIXELS = 100  # pixels of the picture in an inch
POINT = 72 / PIXELS  # Matplotlib's points in one of them
FONT = "DejaVu Sans"
SIDES = {"start": "left", "middle": "center", "end": "right"}
HALO = withStroke(linewidth=3 * POINT, foreground=LIGHT["paper"])
HALF_TURN = np.exp(1j * np.linspace(np.pi, 0, 13)[1:])


def png(images: Sequence[tuple[str, float, float]], width: int, height: int) -> bytes:
    """SVG documents, each with the place of its upper left corner, on one sheet of paper."""
    size = (width / PIXELS, height / PIXELS)
    figure = Figure(figsize=size, dpi=PIXELS * SHARPNESS, facecolor=LIGHT["paper"])
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.set_axis_off()
    for svg, x, y in images:
        _Pen(axes, x, y).draw(fromstring(svg))
    target = io.BytesIO()
    figure.savefig(target, format="png", metadata={"Software": None})
    if not axes.images:  # a drawing has few colours; a photograph keeps all of its own
        full = PIL.Image.open(target).convert("RGB")
        target = io.BytesIO()
        full.quantize(256, dither=PIL.Image.Dither.NONE).save(target, "png", optimize=True)
    return target.getvalue()


@dataclass(frozen=True)
class _Pen:
    """Draws elements; (x, y) is the origin of their coordinates, `frame` where they are cut."""

    axes: Axes
    x: float
    y: float
    frame: TransformedBbox | None = None

    def draw(self, element: Element) -> None:
        kind, look = element.tag.rpartition("}")[2], element.attrib
        if kind in ("svg", "g"):
            pen = self.inside(look)
            for child in element:
                pen.draw(child)
        elif kind == "rect":
            x, y, width, height = (float(look.get(k, 0)) for k in ("x", "y", "width", "height"))
            self.outline(f"M{x} {y}h{width}v{height}h{-width}Z", look)
        elif kind == "polygon":
            self.outline(f"M{'L'.join(look['points'].split())}Z", look)
        elif kind == "path" and look["d"]:
            self.outline(look["d"], look)
        elif kind == "text":
            self.text(look, element.text or "")
        elif kind == "image":
            self.image(look)

    def inside(self, look: Mapping[str, str]) -> _Pen:
        """The pen for what an element holds: moved, and cut at its border where it asks for it."""
        right, down = _moved(look)
        x, y = self.x + right + float(look.get("x", 0)), self.y + down + float(look.get("y", 0))
        frame = self.frame
        if look.get("overflow") == "hidden":
            box = Bbox.from_bounds(x, y, float(look["width"]), float(look["height"]))
            frame = TransformedBbox(box, self.axes.transData)
        return replace(self, x=x, y=y, frame=frame)

    def add(self, artist: Artist) -> None:
        artist.set_zorder(len(self.axes.get_children()))
        if self.frame is not None:
            artist.set_clip_box(self.frame)

    def outline(self, d: str, look: Mapping[str, str]) -> None:
        width, fill = float(look.get("stroke-width", 1)), look.get("fill", "none")
        patch = PathPatch(_path(d, complex(self.x, self.y)), joinstyle="round", linewidth=0)
        if fill.startswith("url"):
            colour = _colour(f"var(--lm-{fill[11:-1]})")
            patch.set(hatch="///", hatchcolor=colour, hatch_linewidth=POINT, facecolor="none")
        else:
            opacity = float(look.get("fill-opacity", 1))
            patch.set(facecolor=_colour(fill, opacity), edgecolor=_colour(look.get("stroke")))
            patch.set_linewidth(POINT * width)
        dashes = [float(length) / width for length in look.get("stroke-dasharray", "").split()]
        patch.set(linestyle=(0, dashes) if dashes else "solid")
        patch.set(capstyle="butt" if dashes else "round")
        patch.set_antialiased(look.get("shape-rendering") != "crispEdges")
        self.add(self.axes.add_patch(patch))

    def text(self, look: Mapping[str, str], words: str) -> None:
        right, down = _moved(look)
        x, y = self.x + float(look["x"]) + right, self.y + float(look["y"]) + down
        size = float(look["font-size"])
        middle = 0.36 * size  # from the line of writing to half the height of its letters
        turned = "rotate" in look.get("transform", "")
        x, y = (x + middle, y) if turned else (x, y + middle)
        text = self.axes.text(x, y, words, va="baseline", rotation_mode="anchor", family=FONT)
        text.set(horizontalalignment=SIDES[look["text-anchor"]])
        text.set(rotation=90 if turned else 0, size=size * POINT, color=_colour(look["fill"]))
        text.set_path_effects([HALO, Normal()])
        self.add(text)

    def image(self, look: Mapping[str, str]) -> None:
        source = io.BytesIO(base64.b64decode(look["href"].partition(",")[2]))
        pixels = np.asarray(PIL.Image.open(source).convert("RGB"))
        (right, down), (across, up) = re.findall(r"\(([-\d.]+) ([-\d.]+)\)", look["transform"])
        x, y = self.x + float(right), self.y + float(down)
        x1, y1 = x + int(across) * float(look["width"]), y + int(up) * float(look["height"])
        image = self.axes.imshow(
            pixels[:: int(up), :: int(across)],
            extent=(min(x, x1), max(x, x1), max(y, y1), min(y, y1)),
            aspect="auto",
            interpolation="nearest",
        )
        self.add(image)


def _colour(value: str | None, opacity: float = 1.0) -> Any:
    found = re.fullmatch(r"var\(--lm-([\w-]+)\)", value or "")
    return to_rgba(colour_value(found[1], LIGHT), opacity) if found else "none"


def _moved(look: Mapping[str, str]) -> tuple[float, float]:
    found = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", look.get("transform", ""))
    return (float(found[1]), float(found[2])) if found else (0.0, 0.0)


def _path(d: str, origin: complex) -> Path:
    """The vertices of a path. Places are complex numbers; an arc is half a circle."""
    at, places, codes = origin, [], []
    for command, text in re.findall(r"([a-zA-Z])([^a-zA-Z]*)", d):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", text)]
        if command in "zZ":
            places.append(at)
            codes.append(Path.CLOSEPOLY)
            continue
        step = complex(*numbers[-2:]) if len(numbers) > 1 else complex(*numbers)
        if command == "a":
            arc = at + step / 2 * (1 + HALF_TURN)
            places += arc.tolist()
            codes += [Path.LINETO] * len(arc)
            at += step
            continue
        if command in "vV":
            step *= 1j
        if command == "H":
            at = complex(origin.real + step.real, at.imag)
        elif command == "V":
            at = complex(at.real, origin.imag + step.imag)
        elif command in "ML":
            at = origin + step
        else:
            at += step
        places.append(at)
        codes.append(Path.MOVETO if command in "mM" else Path.LINETO)
    return Path([(place.real, place.imag) for place in places], codes)
