"""`show(scene)`: a scene as a picture for every page, with its sentence as text and as alt text."""

from __future__ import annotations

import base64
import html
from functools import cached_property
from typing import Any

from lectures_lib.figures.labels import name_scene
from lectures_lib.figures.layout import PANEL_WIDTHS
from lectures_lib.figures.png import png
from lectures_lib.figures.scene import Scene
from lectures_lib.figures.svg import data_uri, document, legend_svg, stack_svg, words

Images = list[tuple[str, int, int]]  # SVG documents with two numbers: their sizes, or their places


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
    def png(self) -> bytes:
        """The picture as PNG, in the light colours."""
        return png(*sheet(self.scene, self.images))

    def __repr__(self) -> str:
        return self.scene.describe()

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        image = base64.b64encode(self.png).decode("ascii")
        _, width, height = sheet(self.scene, self.images)
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


def scene_images(scene: Scene) -> Images:
    """One SVG for each column of panels, and one for a legend that they share."""
    stacks = scene.stacks()
    width = PANEL_WIDTHS[min(scene.columns, len(stacks), 4)]
    drawings, shared = name_scene(scene, width)
    made: Images = []
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


def sheet(scene: Scene, images: Images) -> tuple[Images, int, int]:
    """The images of a scene on one sheet, each with its place, and the size of the sheet."""
    stacks = len(scene.stacks())
    columns = min(scene.columns, stacks)
    width = columns * images[0][1]
    placed: Images = []
    top = 0
    for i in range(0, stacks, columns):
        row = images[i : min(i + columns, stacks)]
        placed += [(svg, k * wide, top) for k, (svg, wide, _) in enumerate(row)]
        top += max(height for _, _, height in row)
    for svg, wide, height in [*images[stacks:], *_readout_image(scene, width)]:
        placed.append((svg, (width - wide) // 2, top))
        top += height
    return placed, width, top


def _readout_image(scene: Scene, width: int) -> Images:
    """The read-outs, as many in a line as fit."""
    lines: list[str] = []
    for item in (f"{name}: {value}" for name, value in scene.readouts):
        joined = f"{lines[-1]}     {item}" if lines else item
        if lines and 7 * len(joined) < width:
            lines[-1] = joined
        else:
            lines.append(item)
    rows = [words(t, width / 2, 13 + 18 * i, 12, "ink", "middle") for i, t in enumerate(lines)]
    height = 18 * len(lines) + 8
    return [(document("".join(rows), width, height), width, height)] if lines else []
