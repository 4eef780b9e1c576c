"""The pictures of the survey: the scene, what was drawn on it, the class map, and areas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from lectures_lib.chapters.land_cover.areas import CLASSES, PIXEL, Areas
from lectures_lib.chapters.land_cover.survey import (
    METHODS,
    coded,
    fitted,
    held_out,
    thinned,
    to_areas,
    to_corners,
)
from lectures_lib.figures import (
    Axis,
    Image,
    Line,
    Panel,
    Points,
    Region,
    Scene,
    Segments,
    Text,
)
from lectures_lib.figures.marks import joined
from lectures_lib.figures.plane import box, curve_through
from lectures_lib.figures.scene import Array, Floats, Mark, numbers
from lectures_lib.figures.words import count, number
from lectures_lib.landcover import class_map
from lectures_lib.widgets import Cloud, rectangles

BANDS = ("blue", "green", "red", "near infrared", "short-wave 1", "short-wave 2")
VIEWS = {
    "as the eye sees it": (2, 1, 0),
    "infrared shown as red": (3, 2, 1),
    "short-wave": (4, 3, 2),
}
MAP_COLOURS = np.array(
    [[0.33, 0.58, 0.80], [0.89, 0.65, 0.46], [0.33, 0.55, 0.33], [0.78, 0.66, 0.84]]
)
"""Lighter than the palette's first four classes, and the same in both themes, like a photo."""


LEVELS = 20  # of each colour: the eye sees no more, and the file is half as large


def composite(cube: npt.ArrayLike, bands: Sequence[int]) -> Floats:
    """Three bands as red, green and blue, each stretched from its 2nd to its 98th percentile."""
    picture = np.asarray(cube)[..., list(bands)].astype(float)
    low, high = np.quantile(picture.reshape(-1, 3), [0.02, 0.98], axis=0)
    stretched: Floats = np.clip((picture - low) / (high - low), 0, 1)
    return np.rint(stretched * (LEVELS - 1)) / (LEVELS - 1)


def _extent(shape: tuple[int, ...]) -> tuple[Axis, Axis]:
    """Kilometres east and north of the south-western corner."""
    return (
        Axis("km east", 0, shape[1] * PIXEL / 1000),
        Axis("km north", 0, shape[0] * PIXEL / 1000),
    )


def _laid(picture: Floats, x: Axis, y: Axis) -> Image:
    """A picture over the whole panel; its first row is the northern edge."""
    return Image(picture, (x.lo, x.hi), (y.hi, y.lo))


def _boxes(cloud: Cloud) -> list[Mark]:
    """The outlines of the drawn areas on a halo that parts them from the photo, class by class."""
    boxes, labels = rectangles(cloud)
    rings = [box(x0, x1, y0, y1)[[0, 1, 2, 3, 0]] for (x0, y0), (x1, y1) in boxes]
    outlines = [
        Region(tuple(rings[i] for i in np.flatnonzero(labels == c)), c, outline=True)
        for c in range(len(CLASSES))
    ]
    return [curve_through(joined(rings), "halo"), *outlines]


def scene_scene(cube: npt.ArrayLike) -> Scene:
    """The scene twice: in the colours of the eye, and with the near infrared as red."""
    x, y = _extent(np.shape(cube))
    seen = np.asarray(cube)[::2, ::2]  # every second row and column; the live scene has them all
    panels = tuple(
        Panel((_laid(composite(seen, bands), x, y),), x, y, title, equal=True)
        for title, bands in list(VIEWS.items())[:2]
    )
    rows, columns = np.shape(cube)[:2]
    sentence = (
        f"{rows} by {columns} pixels of {PIXEL} m: sea in the east, a town along the coast and in "
        "the south, wooded hills in the north-west."
    )
    return Scene(panels, sentence, columns=2)


def map_panel(codes: npt.ArrayLike, title: str = "") -> Panel:
    """A class map, given as numbers of CLASSES, in the colours of the map."""
    picture = MAP_COLOURS[np.asarray(codes)]
    x, y = _extent(picture.shape)
    return Panel((_laid(picture, x, y),), x, y, title, equal=True)


def table_panel(lines: Sequence[Sequence[str]], title: str = "") -> Panel:
    """A small table; the first column has the colour that the class has on the map."""
    height = len(CLASSES) + 1
    marks: list[Mark] = []
    for k in range(len(CLASSES)):
        base = height - k - 1.85
        marks.append(Image(MAP_COLOURS[k][None, None], (0.0, 0.5), (base + 0.7, base)))
    places = [(0.65, "start"), (3.6, "end"), (4.9, "end")]
    for i, (at, anchor) in enumerate(places):
        words = tuple(line[i] for line in lines)
        where = [[at, height - j - 0.5] for j in range(len(lines))]
        marks.append(Text(where, words, anchor, 13, shift=(0, -3)))
    x, y = Axis("", -0.1, 5.0), Axis("", 0, height)
    return Panel(tuple(marks), x, y, title, height=0.45, frame=False)


def _cells(codes: Array, M: Array | None) -> list[tuple[str, str, str]]:
    """The lines of the area table: class, hectares on the map, error of held-out areas."""
    pixels = np.bincount(codes.ravel(), minlength=len(CLASSES))
    lines = [("", "hectares", "" if M is None else "error")]
    for k, name in enumerate(CLASSES):
        judged = M is not None and M[k].sum()
        error = f"{100 * (1 - M[k, k] / M[k].sum()):.0f} %" if M is not None and judged else "–"
        hectares = f"{pixels[k] * PIXEL**2 / 10_000:,.0f}"
        lines.append((name, hectares, "" if M is None else error))
    return lines


def drawn_scene(cube: npt.ArrayLike, areas: Areas) -> Scene:
    """Areas on the scene, every second row and column of it, for an answer."""
    pixels = np.asarray(cube)
    cloud = ours(pixels, areas)
    x, y = _extent(pixels.shape)
    image = _laid(composite(pixels[::2, ::2], VIEWS["infrared shown as red"]), x, y)
    corners = Points(cloud.X, cloud.y, CLASSES, size=3.5)
    panel = Panel((image, *_boxes(cloud), corners), x, y, "your areas", equal=True)
    counts = ", ".join(f"{len(some)} of {name}" for name, some in areas.items())
    return Scene((panel,), f"Areas on the scene: {counts}.")


def samples_scene(cube: npt.ArrayLike, areas: Areas, first: int, second: int) -> Scene:
    """Pixels of the areas, sixty of each class, in two bands."""
    panel = _samples(*coded(cube, areas), first, second)
    sentence = f"Sixty pixels of each class: {BANDS[second]} over {BANDS[first]}."
    return Scene((panel,), sentence)


def _samples(X: Floats, labels: Array, first: int, second: int) -> Panel:
    few_X, few_y = thinned(X, labels, 60)
    x, y = (Axis(BANDS[b], 0, 255) for b in (first, second))
    # Hollow: sixty pixels of water are nearly one, and filled ones would hide under their edges.
    dots = Points(few_X[:, [first, second]], few_y, CLASSES, "hollow", size=3)
    return Panel((dots,), x, y, "their pixels in two bands", height=0.75)


def survey_scene(
    cube: npt.ArrayLike,
    areas: Cloud,
    method: str = "LDA",
    view: str = "infrared shown as red",
    first: int = 3,
    second: int = 4,
    handle: str = "",
    background: Floats | None = None,
) -> Scene:
    """The drawn areas on the scene, their pixels in two bands, the class map and its areas."""
    pixels = np.asarray(cube)
    east, north = _extent(pixels.shape)
    seen = composite(pixels, VIEWS[view]) if background is None else background
    corners = Points(areas.X, areas.y, size=3.5, handle=handle)
    marks = (_laid(seen, east, north), *_boxes(areas), corners)
    shown = Panel(marks, east, north, "training areas", equal=True)
    x, y = (Axis(BANDS[b], 0, 255) for b in (first, second))
    drawn = to_areas(areas, pixels.shape[:2])
    if len(drawn) < 2:
        said = "Draw areas of two classes at least."
        empty = Panel((Text([[127, 127]], (said,)),), x, y, height=0.75, below=True)
        return Scene((shown, empty), said, columns=2)
    X, labels = coded(pixels, drawn)
    scatter = replace(_samples(X, labels, first, second), below=True)
    found = class_map(fitted(METHODS[method], X, labels), pixels)
    M = held_out(pixels, drawn, METHODS[method])
    cells = _cells(found, M)
    rest = table_panel(cells, "areas on the map, errors held out")
    panels = (shown, scatter, map_panel(found, method), replace(rest, below=True))
    parts = [f"{name} {hectares} ha" for name, hectares, _ in cells[1:]]
    if M is None:
        alone = " and of ".join(name for name, some in drawn.items() if len(some) == 1)
        judged = f"for an error, draw a second area of {alone}"
    else:
        judged = f"{number(100 * (1 - np.trace(M) / M.sum()), 1)} % of held-out pixels are wrong"
    sentence = (
        f"{method}, {count(len(areas) // 2, 'area')} with {len(X):,} pixels: "
        f"{', '.join(parts)}; {judged}."
    )
    return Scene(panels, sentence, columns=2)


def ours(cube: npt.ArrayLike, areas: Areas) -> Cloud:
    """Areas as the value of a control."""
    corners, labels = to_corners(areas, np.shape(cube)[0])
    return Cloud(corners.reshape(-1, 2), np.repeat(labels, 2))


# --- errors --------------------------------------------------------------------------------------


def areas_scene(
    counted: Mapping[str, float], corrected: Mapping[str, tuple[float, float, float]]
) -> Scene:
    """How far the corrected area of each class and its interval lie from what the map counts."""
    base = np.array([[counted[name]] for name in CLASSES])
    table = numbers([corrected[name] for name in CLASSES], "corrected", ndim=2) - base
    at = np.arange(len(CLASSES), dtype=float)[::-1]
    reach = 1.15 * float(np.abs(table).max())
    lines = tuple(f"{name}, {counted[name]:,.0f} on the map" for name in CLASSES)
    marks = (
        Line([1, 0], 0.0, "guide"),
        Segments(np.c_[table[:, 1], at], np.c_[table[:, 2], at], "outline"),
        Points(np.c_[table[:, 0], at], look="dot", size=5),
        Text(np.c_[np.full(len(at), -reach), at], lines, "start", shift=(6, 12)),
    )
    across = Axis("hectares more than the map counts", -reach, reach)
    rows = Axis("", -0.6, len(CLASSES) - 0.2, ())
    panel = Panel(marks, across, rows, "corrected areas (dots) and their intervals", height=0.6)
    told = ", ".join(
        f"{name} {number(x, 0)} ({number(low, 0)} to {number(high, 0)})"
        for name, (x, low, high) in zip(CLASSES, table.tolist(), strict=True)
    )
    return Scene((panel,), f"Corrected less counted, in hectares: {told}.")


# --- one more map --------------------------------------------------------------------------------

GAP = 0.93  # grey of what is not there


def mosaic_scene(
    windows: npt.ArrayLike, places: npt.ArrayLike, is_test: npt.ArrayLike, block: int
) -> Scene:
    """A picture put together from its 3 by 3 windows, and which of them are test windows.

    The second panel shows the middle pixel of each window; lines part blocks of so many rows.
    """
    parts, at, test = np.asarray(windows), np.asarray(places), np.asarray(is_test)
    rows, columns = at.max(axis=0) + 3
    cube = np.full((rows, columns, parts.shape[3]), np.nan)
    kind = np.full((rows, columns, 3), GAP)
    for part, (i, j) in zip(parts, at, strict=True):
        cube[i : i + 3, j : j + 3] = part
    kind[at[:, 0] + 1, at[:, 1] + 1] = np.where(test, 0.2, 0.65)[:, None]
    shades = cube[:, :, [2, 1, 0]]
    low, high = np.nanquantile(shades, [0.02, 0.98], axis=(0, 1))
    photo = np.where(np.isnan(shades), GAP, np.clip((shades - low) / (high - low), 0, 1))
    x, y = Axis("column", 0, columns), Axis("row from below", 0, rows)
    across = range(block + 1, rows - block // 2, block)
    down = range(block + 1, columns - block // 2, block)
    start = [[0, rows - i] for i in across] + [[j, 0] for j in down]
    end = [[columns, rows - i] for i in across] + [[j, rows] for j in down]
    lines = Segments(np.array(start, dtype=float), np.array(end, dtype=float), "outline")
    panels = tuple(
        Panel((_laid(seen, x, y), *over), x, y, title, equal=True)
        for seen, over, title in (
            (photo, (), "put together, infrared as red"),
            (kind, (lines,), "middle pixels: training grey, test black"),
        )
    )
    sentence = f"{len(at):,} windows make a picture of {rows} by {columns} pixels: fields and soil."
    return Scene(panels, sentence, columns=2)
