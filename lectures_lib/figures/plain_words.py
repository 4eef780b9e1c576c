"""What a Matplotlib figure shows, in a sentence: its titles, its axes, and each thing drawn.

With the numbers that tell one drawing from another, so that a notebook whose figure changes its
meaning is found by comparing text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np

from lectures_lib.figures.words import count, subscript

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 12  # values that are told one by one


def sentence(figure: Figure) -> str:
    """What the figure shows: titles, axes, and each thing drawn with the numbers that tell it."""
    figure.draw_without_rendering()  # ticks and their labels exist only then
    title = figure.get_suptitle()
    told = [f"{_words(title)}."] if title else []
    told += [_axes(axes) for axes in figure.axes if axes.get_visible()]
    return " ".join(told) or "An empty figure."


def _axes(axes: Axes) -> str:
    titles = (axes.get_title(loc=place) for place in ("left", "center", "right"))
    said = [_words(title) for title in titles if title]
    if axes.get_label() == "<colorbar>":
        label = _words(axes.get_ylabel() or axes.get_xlabel())
        return f"Colours: {label}." if label else "A scale of colours."
    if axes.axison:
        said += [_axis(axes, name) for name in ("x", "y")]
    drawn = list(_drawn_things(axes))
    return f"{'; '.join([*said, *drawn]) or 'An empty picture'}."


def _axis(axes: Axes, name: str) -> str:
    """The label of an axis and its ends, or the words that stand at its ticks."""
    axis = getattr(axes, f"{name}axis")
    label = _words(axis.get_label_text()) or f"{name} axis"
    low, high = sorted(axis.get_view_interval())
    texts = [label.get_text() for label in axis.get_majorticklabels()]  # none on a shared axis
    ticks = zip_longest(axis.get_majorticklocs(), texts, fillvalue="")
    inside = [(at, text) for at, text in ticks if low <= at <= high]
    words = [text for _, text in inside if text]
    if words and not re.search(r"\d", "".join(words)) and len(words) <= MOST:
        return f"{label}: {', '.join(words)}"
    ends = [number(at) for at, _ in inside]
    return f"{label} from {ends[0]} to {ends[-1]}" if len(ends) > 1 else label


def _drawn_things(axes: Axes) -> Iterator[str]:
    from matplotlib.container import BarContainer

    bars = [found for found in axes.containers if isinstance(found, BarContainer)]
    in_bars = {id(patch) for found in bars for patch in found.patches}
    for found in bars:
        yield _named(_bars(found), found)
    for collection in axes.collections:
        yield _named(_collection(collection), collection)
    lines = [_named(_line(line), line) for line in axes.lines]
    short = [told for told in lines if told.startswith("a line from ")]
    if len(short) > MOST:
        yield count(len(short), "line")
        lines = [told for told in lines if told not in short]
    yield from lines
    for image in axes.images:
        values: Any = np.ma.asarray(image.get_array())
        yield _named(f"an image of {_grid(values)}", image)
    for patch in axes.patches:
        if id(patch) not in in_bars:
            yield _named(_kind(patch), patch)
    texts = [_words(t.get_text()) for t in axes.texts if t.get_text()]
    if texts:
        more = f" and {len(texts) - MOST} more" if len(texts) > MOST else ""
        yield f"the words {', '.join(texts[:MOST])}{more}"
    arrows = sum(getattr(text, "arrow_patch", None) is not None for text in axes.texts)
    if arrows:
        yield count(arrows, "arrow")


def _named(told: str, artist: Any) -> str:
    """With the label that the legend shows."""
    label = str(artist.get_label() or "")
    return told if not label or label.startswith("_") else f"{_words(label)}: {told}"


def _bars(bars: Any) -> str:
    lying = bars.orientation == "horizontal"
    sizes = [p.get_width() if lying else p.get_height() for p in bars.patches]
    return f"{count(len(sizes), 'bar')}, {_values(sizes)}"


def _collection(drawn: Any) -> str:
    from matplotlib import collections, contour

    if isinstance(drawn, contour.ContourSet):
        kind = "areas between the levels" if drawn.filled else "contours at"
        return f"{kind} {', '.join(number(level) for level in drawn.levels)}"
    if isinstance(drawn, collections.PathCollection):
        return _points(np.ma.filled(drawn.get_offsets(), np.nan), drawn.get_array())
    if isinstance(drawn, collections.QuadMesh):
        return f"a grid of {_grid(np.ma.asarray(drawn.get_array()))}"
    if isinstance(drawn, collections.LineCollection):
        return count(len(drawn.get_segments()), "segment")
    if isinstance(drawn, collections.PolyCollection):
        return "an area"
    return _kind(drawn)


def _points(places: Any, values: Any) -> str:
    places = places[np.isfinite(places).all(axis=1)]
    told = count(len(places), "point")
    if not len(places):
        return told
    sizes = np.abs(places).max(axis=0)
    pairs = zip(places.mean(axis=0), sizes, strict=True)
    middle = ", ".join(number(mean, size) for mean, size in pairs)
    told += f" {'at' if len(places) == 1 else 'around'} ({middle})"
    if values is None or not len(values):
        return told
    kinds, counts = np.unique(np.asarray(values), return_counts=True)
    if len(kinds) > MOST:
        return f"{told}, coloured by values from {number(kinds[0])} to {number(kinds[-1])}"
    shares = (f"{n} of value {number(kind)}" for kind, n in zip(kinds, counts, strict=True))
    return f"{told}, {', '.join(shares)}"


def _line(line: Any) -> str:
    if type(line).__name__ == "AxLine":
        (x, y), slope = line.get_xy1(), line.get_slope()
        if slope is None:
            (u, v) = line.get_xy2()
            slope = (v - y) / (u - x) if u != x else np.inf
        return f"a line through ({number(x)}, {number(y)}) with slope {number(slope)}"
    x, y = (np.asarray(values, dtype=float) for values in line.get_data(orig=False))
    if line.get_transform() == line.axes.get_yaxis_transform(which="grid"):
        return f"a level line at {number(y[0])}"
    if line.get_transform() == line.axes.get_xaxis_transform(which="grid"):
        return f"an upright line at {number(x[0])}"
    if line.get_linestyle() in ("None", " ", ""):
        return _points(np.column_stack([x, y]), None)
    seen = np.isfinite(x) & np.isfinite(y)
    if not seen.any():
        return "nothing"
    x, y = x[seen], y[seen]
    wide, tall = np.abs(x).max(), np.abs(y).max()

    def place(k: int) -> str:
        return f"({number(x[k], wide)}, {number(y[k], tall)})"

    if len(x) <= 2:
        return f"a line from {place(0)} to {place(-1)}"
    low, high = number(y.min(), tall), number(y.max(), tall)
    return f"a curve from {place(0)} to {place(-1)}, lowest {low}, highest {high}"


def _grid(values: Any) -> str:
    rows, columns = values.shape[:2]
    if values.ndim > 2:
        return f"{rows} by {columns} in colours"
    seen = np.ma.compressed(values)
    ends = f"{number(seen.min())} to {number(seen.max())}" if seen.size else "nothing to see"
    return f"{rows} by {columns}, {ends}"


def _values(values: Sequence[float]) -> str:
    if len(values) <= MOST:
        return ", ".join(number(value) for value in values)
    return f"the lowest {number(min(values))}, the highest {number(max(values))}"


def _kind(artist: object) -> str:
    """The kind of a thing that is not told further: "a circle", "a fancy arrow patch"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(artist).__name__).lower()
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def _words(text: str) -> str:
    """A text on one line, without the signs of formulas."""
    flat = " ".join(re.sub(r"[$\\]", "", text).split()).rstrip(".")
    return re.sub(r"_\{?(\d+)\}?", lambda found: subscript(int(found[1])), flat)


def number(value: Any, beside: float = 0.0) -> str:
    """Three digits of it, with a real minus sign; 0 where it is rounding beside another number."""
    value = float(value)
    if abs(value) <= 1e-9 * beside:
        return "0"
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return text.replace("-", "−") if float(text.replace(",", "")) else "0"
