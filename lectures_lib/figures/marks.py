"""The marks that a panel can hold. Each says in `shape` how it looks in panel units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lectures_lib.figures.palette import CLASS_COUNT, CLASS_MARKERS, DASHES, line_style
from lectures_lib.figures.scene import (
    Array,
    Floats,
    Held,
    Key,
    Mark,
    Panel,
    Shape,
    numbers,
    positions,
)

UNIT_SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
LEVELS = 32  # steps of the grey and diverging scales of a raster


def _set(mark: Mark, **values: object) -> None:
    """Write checked values into a frozen dataclass, from its __post_init__ only."""
    for name, value in values.items():
        object.__setattr__(mark, name, value)


def _class_indices(value: npt.ArrayLike, name: str) -> Array:
    array = np.array(value)
    if array.size == 0:
        array = array.astype(int)
    if array.dtype.kind not in "iub" or array.min(initial=0) < 0 or array.max(initial=0) > 9:
        raise ValueError(f"{name}: expected integers 0 to {CLASS_COUNT - 1}, found {array!r:.80}")
    array = array.astype(np.uint8)
    array.setflags(write=False)
    return array


def _stroke(role: str) -> dict[str, Any]:
    style = line_style(role)
    return {"stroke": style.colour, "width": style.width, "dash": list(style.dash)}


def _keys(label: str, kind: str, style: dict[str, Any]) -> tuple[Key, ...]:
    return (Key(label, kind, style),) if label else ()


def joined(pieces: list[Floats]) -> Floats:
    """Several polylines or rings as one array, with a row of NaN between them."""
    gap = np.full((1, 2), np.nan)
    parts = [part for piece in pieces for part in (gap, piece)][1:]
    return np.concatenate(parts) if parts else np.empty((0, 2))


# --- points ------------------------------------------------------------------------------------

LOOKS = ("class", "hollow", "ring", "focus", "dot")


@dataclass(frozen=True, eq=False)
class Points(Mark):
    """Points, each with the colour and the marker of its class.

    `look` is "class" (filled), "hollow" (outline only), "ring" (a circle around something, for
    mistakes and support vectors), "focus" (a thick circle: the current example) or "dot".
    `handle` names the widget control that moves these points. `notes` are numbers that the widget
    shows beside a point that is pointed at, after the word `note`.

    >>> Points([[0, 0], [1, 1]], classes=[0, 1], look="hollow").look
    'hollow'
    """

    xy: Held
    classes: Held = None
    labels: tuple[str, ...] = ()  # legend: one per class, or one for a look without classes
    look: str = "class"
    size: float = 5.0  # half the marker's width in pixels
    handle: str = ""
    notes: Held = None
    note: str = ""

    def __post_init__(self) -> None:
        _set(self, xy=positions(self.xy, "xy"))
        if self.look not in LOOKS:
            raise ValueError(f"look: found {self.look!r}, expected one of {', '.join(LOOKS)}")
        if self.classes is not None:
            _set(self, classes=_class_indices(self.classes, "classes"))
            found = np.shape(self.classes)
            if found != (len(self.xy),):
                raise ValueError(f"classes: expected {len(self.xy)} of them, found shape {found}")
        if self.notes is not None:
            _set(self, notes=numbers(self.notes, "notes", ndim=1))
            if len(self.notes) != len(self.xy):
                raise ValueError(f"notes: expected {len(self.xy)} of them, found {len(self.notes)}")

    def _group(self, index: int) -> dict[str, Any]:
        marker, colour = CLASS_MARKERS[index], f"class{index}"
        edge = 0.8 if self.size >= 3 else 0  # the edges of many small marks would hide the marks
        if self.look == "class":
            return {"marker": marker, "fill": colour, "stroke": "paper", "width": edge}
        if self.look == "hollow":
            return {"marker": marker, "fill": None, "stroke": colour, "width": 1.8}
        if self.look == "dot":
            return {"marker": "circle", "fill": "ink", "stroke": "paper", "width": edge}
        role = line_style("mistake" if self.look == "ring" else "example")
        return {"marker": "circle", "fill": None, "stroke": role.colour, "width": role.width}

    def shape(self, panel: Panel) -> Shape:
        arrays = panel.place(self.xy)
        in_class = self.look in ("class", "hollow") and self.classes is not None
        arrays["group"] = self.classes if in_class else np.zeros(len(self.xy), np.uint8)
        count = 1 + int(arrays["group"].max(initial=0))
        count = max(count, len(self.labels) if in_class else 1)
        groups = [self._group(k) for k in range(count)]
        style = {"size": self.size, "groups": groups, "handle": self.handle}
        if self.notes is not None:
            style["note"] = self.note
            arrays["note"] = self.notes.astype(np.float32)
        if self.look == "ring":
            style["still"] = True  # a ring comes and goes with what it is around; it never slides
        keys = tuple(
            Key(label, "points", {"size": min(self.size, 6.0), "groups": [group]})
            for label, group in zip(self.labels, groups, strict=False)
            if label
        )
        return Shape("points", arrays, style, keys)


# --- lines, curves, arrows ---------------------------------------------------------------------


HALF = 0.75  # panel units: more than half a diagonal of the panel


def line_across(a: float, b: float, c: float) -> tuple[Floats, Floats]:
    """Two ends of a u + b v + c = 0 beyond the unit square, and the half square where it is >= 0.

    The renderers cut both at the frame. Uncut, they keep their number of corners and change
    smoothly with a, b and c, so that a drawing can be slid from one line to another.
    """
    size = float(np.hypot(a, b))
    if size == 0:
        return np.empty((0, 2)), UNIT_SQUARE if c >= 0 else np.empty((0, 2))
    normal = np.array([a, b]) / size
    along = HALF * np.array([normal[1], -normal[0]])
    middle = np.array([0.5, 0.5])
    foot = middle + np.clip(-(normal @ middle + c / size), -HALF, HALF) * normal
    ends = np.array([foot - along, foot + along])
    far = middle + HALF * normal
    return ends, np.array([*ends, far + along, far - along])


def _panel_plane(w: Floats, w0: float, panel: Panel) -> tuple[float, float, float]:
    """Coefficients (a, b, c) of w·x + w0 when x is given in panel units."""
    x, y = panel.x, panel.y
    return (
        float(w[0] * (x.hi - x.lo)),
        float(w[1] * (y.hi - y.lo)),
        float(w[0] * x.lo + w[1] * y.lo + w0),
    )


def _unit_arrays(uv: Floats) -> dict[str, Array]:
    return {"x": uv[:, 0].astype(np.float32), "y": uv[:, 1].astype(np.float32)}


def _check_plane(mark: Line | HalfPlane) -> None:
    w = numbers(mark.w, "w", ndim=1)
    if w.shape != (2,):
        raise ValueError(f"w: expected two numbers, found shape {w.shape}")
    if not np.isfinite(mark.w0):
        raise ValueError(f"w0: expected a finite number, found {mark.w0}")
    _set(mark, w=w, w0=float(mark.w0))


@dataclass(frozen=True, eq=False)
class Line(Mark):
    """The line w·x + w0 = 0 across the panel; no line at all when w = 0.

    >>> Line([0.6, 0.8], -1.0, label="boundary").w0
    -1.0
    """

    w: Held
    w0: float
    role: str = "boundary"
    label: str = ""

    def __post_init__(self) -> None:
        _check_plane(self)

    def shape(self, panel: Panel) -> Shape:
        ends, _ = line_across(*_panel_plane(self.w, self.w0, panel))
        style = _stroke(self.role) | {"rigid": True}
        return Shape("path", _unit_arrays(ends), style, _keys(self.label, "path", style))


@dataclass(frozen=True, eq=False)
class HalfPlane(Mark):
    """The side w·x + w0 >= 0 of the panel, in the tint of a class.

    >>> HalfPlane([1, 0], -2.0).index
    1
    """

    w: Held
    w0: float
    index: int = 1
    label: str = ""

    def __post_init__(self) -> None:
        _check_plane(self)

    def shape(self, panel: Panel) -> Shape:
        _, polygon = line_across(*_panel_plane(self.w, self.w0, panel))
        style = {"fill": f"class{self.index}", "hatch": False, "stroke": None, "rigid": True}
        return Shape("area", _unit_arrays(polygon), style, _keys(self.label, "area", style))


@dataclass(frozen=True, eq=False)
class Curve(Mark):
    """A polyline through (x, y); NaN breaks it.

    >>> Curve([0, 1, 2], [0, 1, 4], label="a parabola").role
    'boundary'
    """

    x: Held
    y: Held
    role: str = "boundary"
    label: str = ""

    def __post_init__(self) -> None:
        x = numbers(self.x, "x", ndim=1, finite=False)
        y = numbers(self.y, "y", ndim=1, finite=False)
        if x.shape != y.shape:
            raise ValueError(f"x, y: expected equal lengths, found {len(x)} and {len(y)}")
        _set(self, x=x, y=y)

    def shape(self, panel: Panel) -> Shape:
        style = _stroke(self.role)
        arrays = panel.place(np.column_stack([self.x, self.y]))
        return Shape("path", arrays, style, _keys(self.label, "path", style))


@dataclass(frozen=True, eq=False)
class Pieces(Mark):
    """Base of what goes from each row of `start` to the same row of `end`."""

    start: Held
    end: Held
    role: str = "guide"
    label: str = ""

    kind = "path"

    def __post_init__(self) -> None:
        start = positions(np.atleast_2d(self.start), "start")
        end = positions(np.atleast_2d(self.end), "end")
        if start.shape != end.shape:
            found = f"{len(start)} and {len(end)}"
            raise ValueError(f"start, end: expected equal lengths, found {found}")
        _set(self, start=start, end=end)

    def shape(self, panel: Panel) -> Shape:
        style = _stroke(self.role)
        pairs = [np.array([a, b]) for a, b in zip(self.start, self.end, strict=True)]
        keys = _keys(self.label, self.kind, style)
        return Shape(self.kind, panel.place(joined(pairs)), style, keys)


class Segments(Pieces):
    """Straight pieces from each row of `start` to the same row of `end`.

    >>> Segments([[0, 0]], [[1, 1]]).role
    'guide'
    """


@dataclass(frozen=True, eq=False)
class Arrow(Pieces):
    """An arrow from each row of `start` to the same row of `end`.

    >>> Arrow([[0, 0]], [[1, 1]], label="w").role
    'weights'
    """

    role: str = "weights"

    kind = "arrow"


@dataclass(frozen=True, eq=False)
class Track(Mark):
    """A curve along which the hand moves the widget control `handle`; it draws nothing itself.

    Its i-th place stands for the position `values[i]` of the control: the number of a step, or a
    place in the list of a slider. They rise; without them the places stand for 0, 1, 2, ...
    """

    xy: Held
    handle: str
    values: Held = None

    def __post_init__(self) -> None:
        _set(self, xy=positions(self.xy, "xy"))
        values = np.arange(len(self.xy)) if self.values is None else np.asarray(self.values)
        if values.shape != (len(self.xy),) or values.dtype.kind not in "iu":
            raise ValueError(f"values: expected {len(self.xy)} integers, found {values!r:.80}")
        if (
            values.min(initial=0) < 0
            or values.max(initial=0) > 65_535
            or (np.diff(values) < 0).any()
        ):
            raise ValueError(f"values: expected rising numbers 0 to 65535, found {values!r:.80}")
        _set(self, values=values)

    def shape(self, panel: Panel) -> Shape:
        arrays = panel.place(self.xy) | {"at": self.values.astype(np.uint16)}
        style: dict[str, Any] = {"stroke": None, "width": 0.0, "dash": [], "handle": self.handle}
        return Shape("path", arrays, style)


# --- areas and bars ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Region(Mark):
    """Polygons (a sequence of (n, 2) arrays) in the tint of a class.

    `index` None gives grey; `hatch` adds diagonal lines; `outline` draws the border, `fill`
    False leaves the inside empty.

    >>> Region(([[0, 0], [1, 0], [0, 1]],), index=None).fill
    True
    """

    polygons: tuple[Held, ...]
    index: int | None = 1
    label: str = ""
    hatch: bool = False
    outline: bool = False
    fill: bool = True

    def __post_init__(self) -> None:
        _set(self, polygons=tuple(positions(p, "polygons") for p in self.polygons))

    def shape(self, panel: Panel) -> Shape:
        colour = "muted" if self.index is None else f"class{self.index}"
        style = {
            "fill": colour if self.fill else None,
            "hatch": self.hatch,
            "stroke": colour if self.outline else None,
        }
        arrays = panel.place(joined(list(self.polygons)))
        return Shape("area", arrays, style, _keys(self.label, "area", style))


def between(
    x: npt.ArrayLike,
    low: npt.ArrayLike,
    high: npt.ArrayLike,
    index: int | None = 1,
    label: str = "",
    hatch: bool = False,
) -> Region:
    """The region between two curves over the same x.

    >>> between([0, 1], [0, 0], [1, 2]).polygons[0].shape
    (4, 2)
    """
    xs = numbers(x, "x", ndim=1)
    below = numbers(np.broadcast_to(low, xs.shape), "low", ndim=1)
    above = numbers(np.broadcast_to(high, xs.shape), "high", ndim=1)
    there, back = np.column_stack([xs, above]), np.column_stack([xs, below])[::-1]
    return Region((np.concatenate([there, back]),), index, label, hatch)


@dataclass(frozen=True, eq=False)
class Bars(Mark):
    """Upright bars: the i-th goes from `base` to `height[i]` between left[i] and right[i].

    >>> Bars([0, 1], [1, 2], [3, 5]).base
    0.0
    """

    left: Held
    right: Held
    height: Held
    index: int = 0
    label: str = ""
    base: float = 0.0

    def __post_init__(self) -> None:
        left = numbers(self.left, "left", ndim=1)
        right = numbers(self.right, "right", ndim=1)
        height = numbers(self.height, "height", ndim=1)
        if not len(left) == len(right) == len(height):
            found = f"{len(left)}, {len(right)} and {len(height)}"
            raise ValueError(f"left, right, height: expected equal lengths, found {found}")
        _set(self, left=left, right=right, height=height)

    def shape(self, panel: Panel) -> Shape:
        low = panel.place(np.column_stack([self.left, np.full_like(self.left, self.base)]))
        high = panel.place(np.column_stack([self.right, self.height]))
        arrays = {"x": low["x"], "y": low["y"], "x1": high["x"], "y1": high["y"]}
        colour = f"class{self.index}"
        dash = DASHES[self.index % len(DASHES)]
        style = {"fill": colour, "stroke": colour, "width": 1.4, "dash": list(dash)}
        return Shape("bars", arrays, style, _keys(self.label, "bars", style))


def histogram(
    values: npt.ArrayLike,
    edges: npt.ArrayLike,
    index: int = 0,
    label: str = "",
    density: bool = False,
) -> Bars:
    """Bars that count `values` (all of them finite) between consecutive `edges`.

    >>> histogram([0.1, 0.2, 0.9], [0, 0.5, 1]).height
    array([2., 1.])
    """
    bins = numbers(edges, "edges", ndim=1)
    counts, _ = np.histogram(numbers(values, "values", ndim=1), bins, density=density)
    return Bars(bins[:-1], bins[1:], counts.astype(float), index, label)


# --- rasters and text --------------------------------------------------------------------------

SCALES = ("classes", "grey", "diverging")


@dataclass(frozen=True, eq=False)
class Raster(Mark):
    """A grid of cells; row 0 lies at y[0], so an image is given y=(rows, 0).

    `scale` is "classes" (integers: the tint of each class), "grey" (0..1: from paper to ink) or
    "diverging" (-1..1: class 0's colour, paper, class 1's colour). Values outside are clipped.

    >>> Raster(np.eye(2), x=(0, 2), y=(2, 0), scale="grey").scale
    'grey'
    """

    values: Held
    x: tuple[float, float]
    y: tuple[float, float]
    scale: str = "classes"
    label: str = ""

    def __post_init__(self) -> None:
        if self.scale not in SCALES:
            raise ValueError(f"scale: found {self.scale!r}, expected one of {', '.join(SCALES)}")
        _set(self, values=numbers(self.values, "values", ndim=2))
        if self.scale == "classes":
            _class_indices(self.values.astype(int), "values")

    def shape(self, panel: Panel) -> Shape:
        if self.scale == "classes":
            level = self.values
        elif self.scale == "grey":
            level = np.rint(np.clip(self.values, 0, 1) * LEVELS)
        else:
            level = np.rint((np.clip(self.values, -1, 1) + 1) / 2 * LEVELS)
        style = _raster_style(self.values, self.x, self.y, panel) | {"scale": self.scale}
        arrays = {"values": level.astype(np.uint8).ravel()}
        return Shape("raster", arrays, style)


@dataclass(frozen=True, eq=False)
class Image(Mark):
    """A photograph: (rows, columns, 3) red, green, blue in 0..1; row 0 lies at y[0].

    >>> Image(np.zeros((2, 3, 3)), x=(0, 3), y=(2, 0)).values.shape
    (2, 3, 3)
    """

    values: Held
    x: tuple[float, float]
    y: tuple[float, float]

    def __post_init__(self) -> None:
        values = numbers(self.values, "values", ndim=3)
        if values.shape[2] != 3:
            raise ValueError(f"values: expected (rows, columns, 3), found shape {values.shape}")
        _set(self, values=values)

    def shape(self, panel: Panel) -> Shape:
        level = np.rint(np.clip(self.values, 0, 1) * 255).astype(np.uint8)
        style = _raster_style(self.values, self.x, self.y, panel)
        return Shape("image", {"values": level.ravel()}, style)


def _raster_style(
    values: Floats, x: tuple[float, float], y: tuple[float, float], panel: Panel
) -> dict[str, Any]:
    return {
        "rows": values.shape[0],
        "columns": values.shape[1],
        "x": [float(u) for u in panel.x.unit(x)],
        "y": [float(v) for v in panel.y.unit(y)],
    }


@dataclass(frozen=True, eq=False)
class Text(Mark):
    """Words at positions, moved by `shift` pixels (right, up).

    >>> Text([[0, 0]], ("origin",)).words
    ('origin',)
    """

    xy: Held
    words: tuple[str, ...]
    anchor: str = "middle"  # start, middle, end
    size: float = 12.0
    colour: str = "ink"
    shift: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        words = (self.words,) if isinstance(self.words, str) else tuple(self.words)
        _set(self, xy=positions(np.atleast_2d(self.xy), "xy"), words=words)
        if len(words) != len(self.xy):
            raise ValueError(f"words: expected {len(self.xy)} of them, found {len(words)}")
        if self.anchor not in ("start", "middle", "end"):
            raise ValueError(f"anchor: found {self.anchor!r}, expected start, middle or end")

    def shape(self, panel: Panel) -> Shape:
        style = {
            "words": list(self.words),
            "anchor": self.anchor,
            "size": self.size,
            "colour": self.colour,
            "shift": list(self.shift),
        }
        return Shape("text", panel.place(self.xy), style)
