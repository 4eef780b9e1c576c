"""`show(scene)`: a scene as a picture for every page, with its sentence as text and as alt text."""

from __future__ import annotations

import base64
import html
import io
import math
from functools import cached_property
from typing import Any

import PIL.Image
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from lectures_lib.figures._shapes import DRAW, FONT, PIXELS, POINT, legend_handle
from lectures_lib.figures.labels import Drawing, name_scene
from lectures_lib.figures.layout import PANEL_WIDTHS, frame_box
from lectures_lib.figures.marks import Image
from lectures_lib.figures.palette import LIGHT
from lectures_lib.figures.scene import Key, Scene
from lectures_lib.figures.svg import data_uri, document, legend_svg, stack_svg

SHARPNESS = 1.5  # stored pixels for one layout pixel


class Picture:
    """A drawn scene, for every kind of page.

    text/html: SVG images that follow the theme, the first with the sentence as its alternative
    text, and the read-outs as text. image/png: for places that take no HTML (print, LaTeX).
    text/plain: the sentence.

    >>> scene = Scene((Panel((Points([[0.5, 0.5]]),)),), "One point in the middle.")
    >>> show(scene)
    One point in the middle.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.images = scene_images(scene)

    @cached_property
    def _drawn(self) -> tuple[bytes, int, int]:
        return render_png(self.scene)

    @property
    def png(self) -> bytes:
        """The picture as PNG, in the light colours."""
        return self._drawn[0]

    def __repr__(self) -> str:
        return self.scene.describe()

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        image = base64.b64encode(self.png).decode("ascii")
        _, width, height = self._drawn
        data = {"text/html": self.html(), "image/png": image, "text/plain": repr(self)}
        return data, {"image/png": {"width": width, "height": height}}

    def html(self, css_class: str = "", attributes: str = "") -> str:
        """The picture as HTML that carries its own data."""
        told = [self.scene.describe(), *["the same figure, continued"] * (len(self.images) - 1)]
        images = "".join(
            image_tag(text, data_uri(svg), width, height)
            for text, (svg, width, height) in zip(told, self.images, strict=True)
        )
        values = " &nbsp; ".join(
            f"{html.escape(name)}: {html.escape(value)}" for name, value in self.scene.readouts
        )
        below = f"<p>{values}</p>" if values else ""
        return in_page(f"{images}{below}", css_class, attributes)


def image_tag(told: str, address: str, width: int, height: int) -> str:
    """An image with its alternative text. An empty one would be read as "Image" in JupyterLab."""
    alternative = html.escape(told)
    return f'<img alt="{alternative}" width="{width}" height="{height}" src="{address}">'


def in_page(content: str, css_class: str = "", attributes: str = "") -> str:
    """Images, and what stands below them, as a figure that follows the theme of its page."""
    classes = f"lm-figure {css_class}".strip()
    open_tag = f'<div class="{classes}" {attributes}>'.replace(" >", ">")
    return f"<style>{PICTURE_STYLE}</style>{open_tag}{content}</div>"


PICTURE_STYLE = (
    ".lm-figure{display:flex;flex-wrap:wrap;gap:4px 8px;align-items:flex-start}"
    ".lm-figure img{color-scheme:light dark;max-width:100%;height:auto}"
    '[data-jp-theme-light="true"] .lm-figure img,.vscode-light .lm-figure img{color-scheme:light}'
    '[data-jp-theme-light="false"] .lm-figure img,.vscode-dark .lm-figure img,'
    ".vscode-high-contrast .lm-figure img{color-scheme:dark}"
    ".lm-figure p{flex-basis:100%;margin:0 0 4px;font-variant-numeric:tabular-nums}"
)


def scene_images(scene: Scene) -> list[tuple[str, int, int]]:
    """One SVG for each column of panels, and one for a legend that they share."""
    stacks = scene.stacks()
    width = PANEL_WIDTHS[min(scene.columns, len(stacks), 4)]
    drawings, shared = name_scene(scene, width)
    made = []
    for stack in stacks:
        svg, height = stack_svg([drawings[i] for i in stack], width)
        made.append((svg, width, round(height)))
    if shared:
        wide = PANEL_WIDTHS[1]
        content, high = legend_svg(shared, wide)
        made.append((document(content, wide, high), wide, round(high)))
    return made


def show(scene: Scene) -> Picture:
    """The scene as a picture that a notebook displays.

    >>> show(Scene((Panel((Points([[0.5, 0.5]]),)),), "One point in the middle."))
    One point in the middle.
    """
    if not isinstance(scene, Scene):
        raise TypeError(f"show: expected a Scene, found {type(scene).__name__}")
    return Picture(scene)


def render_png(scene: Scene) -> tuple[bytes, int, int]:
    """PNG bytes of the scene, and its width and height in layout pixels."""
    figure, width, height = draw(scene)
    target = io.BytesIO()
    FigureCanvasAgg(figure)
    figure.savefig(target, format="png", metadata={"Software": None})
    if not scene.marks(Image):  # a drawing has few colours; a photograph keeps all of its own
        full = PIL.Image.open(target).convert("RGB")
        target = io.BytesIO()
        full.quantize(256, dither=PIL.Image.Dither.NONE).save(target, "png", optimize=True)
    return target.getvalue(), width, height


# --- layout ------------------------------------------------------------------------------------


class _Box:
    """Where the parts of one panel lie, in layout pixels from its upper left corner."""

    def __init__(self, drawing: Drawing, width: int) -> None:
        self.drawing = drawing
        frame = frame_box(drawing.panel, width)
        self.left, self.top = frame.left, frame.top
        self.frame_width, self.frame_height = frame.w, frame.h
        self.below = frame.height - frame.top - frame.h
        self.keys = drawing.keys
        self.columns, self.legend = _legend_size(self.keys, self.frame_width)
        self.height = frame.height + self.legend


def _legend_size(keys: list[Key], width: float) -> tuple[int, int]:
    """Columns of a legend that fits into `width` pixels, and its height."""
    longest = max((len(key.label) for key in keys), default=0)
    columns = max(1, min(len(keys), int(width // (7 * longest + 52))))
    return columns, 18 * math.ceil(len(keys) / columns) + 6 if keys else 0


def draw(scene: Scene) -> tuple[Figure, int, int]:
    """The Matplotlib figure of a scene, its width and its height in layout pixels."""
    stacks = scene.stacks()
    columns = min(scene.columns, len(stacks))
    panel_width = PANEL_WIDTHS[min(columns, 4)]
    drawings, keys = name_scene(scene, panel_width)
    boxes = [_Box(drawing, panel_width) for drawing in drawings]
    rows = [stacks[i : i + columns] for i in range(0, len(stacks), columns)]
    row_heights = [max(sum(boxes[i].height for i in stack) for stack in row) for row in rows]
    width = panel_width * columns
    key_columns, key_height = _legend_size(keys, width - 40)
    lines = _readout_lines(scene, width)
    lines_height = 18 * len(lines) + 8 if lines else 0
    height = round(sum(row_heights) + key_height + lines_height)

    figure = Figure(
        figsize=(width / PIXELS, height / PIXELS),
        dpi=PIXELS * SHARPNESS,
        facecolor=LIGHT["paper"],
    )
    top = 0.0
    for row, row_height in zip(rows, row_heights, strict=True):
        for column, stack in enumerate(row):
            y = top
            for i in stack:
                box, x = boxes[i], column * panel_width + boxes[i].left
                lower = y + box.top + box.frame_height
                place = (x, height - lower, box.frame_width, box.frame_height)
                axes = figure.add_axes(_shares(place, width, height))
                _draw_panel(axes, box)
                y += box.height
        top += row_height
    if keys:
        _draw_legend(figure, keys, key_columns, (0.5, (lines_height + key_height) / height))
    for i, line in enumerate(lines):
        y = (8 + 18 * (len(lines) - 1 - i)) / height
        figure.text(0.5, y, line, ha="center", size=12 * POINT, color=LIGHT["ink"], family=FONT)
    return figure, width, height


def _shares(
    box: tuple[float, float, float, float], width: int, height: int
) -> tuple[float, float, float, float]:
    """Left, bottom, width and height in pixels as shares of the figure."""
    x, y, w, h = box
    return x / width, y / height, w / width, h / height


def _readout_lines(scene: Scene, width: int) -> list[str]:
    """The read-outs, as many in a line as fit."""
    lines: list[str] = []
    for item in (f"{name}: {value}" for name, value in scene.readouts):
        joined = f"{lines[-1]}     {item}" if lines else item
        if lines and 7 * len(joined) < width:
            lines[-1] = joined
        else:
            lines.append(item)
    return lines


def _draw_panel(axes: Axes, box: _Box) -> None:
    panel = box.drawing.panel
    axes.set(xlim=(0, 1), ylim=(0, 1), facecolor="none")
    text: dict[str, Any] = {"size": 12 * POINT, "color": LIGHT["ink"], "family": FONT}
    if panel.title:
        axes.set_title(panel.title, pad=8 * POINT, **{**text, "size": 13 * POINT})
    if panel.frame:
        for spine in axes.spines.values():
            spine.set(color=LIGHT["muted"], linewidth=POINT)
        for axis, scale in ((axes.xaxis, panel.x), (axes.yaxis, panel.y)):
            marked = scale.marked(6 if box.frame_width > 280 else 4)
            axis.set_ticks([float(scale.unit(at)) for at, _ in marked])
            axis.set_ticklabels([word for _, word in marked])
            axis.set_label_text(scale.label, **text)
        axes.tick_params(
            labelsize=11 * POINT,
            labelcolor=LIGHT["muted"],
            color=LIGHT["muted"],
            labelfontfamily=FONT[0],
            width=POINT,
            length=4 * POINT,
        )
    else:
        axes.set_axis_off()
    for order, shape in enumerate(box.drawing.shapes):
        DRAW[shape.kind](axes, shape, order + 2.5)
    if box.keys:
        _draw_legend(axes, box.keys, box.columns, (0.5, -box.below / box.frame_height))


def _draw_legend(
    owner: Axes | Figure, keys: list[Key], columns: int, top: tuple[float, float]
) -> None:
    """A legend whose upper edge has its middle at `top`; lines run row by row."""
    rows = math.ceil(len(keys) / columns)
    by_column = [
        keys[row * columns + c]
        for c in range(columns)
        for row in range(rows)
        if row * columns + c < len(keys)
    ]
    owner.legend(
        handles=[legend_handle(key.kind, key.style) for key in by_column],
        labels=[key.label for key in by_column],
        loc="upper center",
        bbox_to_anchor=top,
        ncols=columns,
        frameon=False,
        prop={"size": 12 * POINT, "family": FONT[0]},
        labelcolor=LIGHT["ink"],
        borderaxespad=0,
        borderpad=0,
        handlelength=2.4,
        columnspacing=1.4,
        labelspacing=0.35,
    )
