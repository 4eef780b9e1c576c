"""A figure is data: a `Scene` holds panels, a panel holds marks, and nothing is drawn here.

A scene can be compared, tested and described. `show` draws it (SVG, and a PNG for places without
HTML), and the live widget does (SVG in the browser). They see a mark only through
`Mark.shape(panel)`, which turns it into one of a few plain shapes with positions in panel units:
(0, 0) is the lower left corner of the panel and (1, 1) the upper right one.

To add a mark, write a frozen dataclass in `marks.py` with a method `shape`. If one of the shapes
in `SHAPES` can draw it, that is all. If not, add the kind to `SHAPES` and one function to each
renderer (`svg.py`, `widgets/browser/shapes.js`); tests fail while one is missing. `png.py` prints
what `svg.py` has written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Held = Any
"""A field that is given anything like an array and holds a read-only array of floats."""

SHAPES = ("points", "path", "area", "arrow", "bars", "raster", "image", "text")
"""The kinds of shape that both renderers draw."""


class Record:
    """Base of the frozen dataclasses here: equal when all fields are, arrays included."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        names = [f.name for f in fields(self)]  # type: ignore[arg-type]
        return all(_same(getattr(self, name), getattr(other, name)) for name in names)

    def __hash__(self) -> int:
        values = [getattr(self, f.name) for f in fields(self)]  # type: ignore[arg-type]
        return hash((type(self).__name__, *map(_hashable, values)))


def _same(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(a == b)


def _hashable(value: object) -> object:
    if isinstance(value, np.ndarray):
        return (value.shape, (value + 0.0).tobytes())  # -0.0 equals 0.0, so it must hash alike
    if isinstance(value, tuple):
        return tuple(map(_hashable, value))
    return value


def numbers(value: npt.ArrayLike, name: str, *, ndim: int, finite: bool = True) -> Floats:
    """A read-only float copy of `value`, or a ValueError that names the argument."""
    try:
        array = np.array(value, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name}: expected numbers, found {type(value).__name__}") from None
    if array.ndim != ndim:
        raise ValueError(f"{name}: expected {ndim} dimension(s), found shape {array.shape}")
    if finite and not np.isfinite(array).all():
        raise ValueError(f"{name}: expected finite numbers, found {array[~np.isfinite(array)][0]}")
    array.setflags(write=False)
    return array


def positions(value: npt.ArrayLike, name: str) -> Floats:
    """A read-only (n, 2) float copy of `value`; no points at all is fine."""
    if np.size(value) == 0:
        value = np.empty((0, 2))
    array = numbers(value, name, ndim=2)
    if array.shape[1] != 2:
        raise ValueError(f"{name}: expected two columns (x and y), found shape {array.shape}")
    return array


@dataclass(frozen=True)
class Key:
    """One line of a legend: a sample of the shape that it names."""

    label: str
    kind: str
    style: Mapping[str, Any]


@dataclass(frozen=True)
class Shape:
    """What a renderer is given: a kind, arrays in panel units, a style, lines of the legend."""

    kind: str
    arrays: Mapping[str, Array]
    style: Mapping[str, Any]
    keys: tuple[Key, ...] = ()


class Mark(Record):
    """Base of everything that can lie in a panel.

    >>> isinstance(Points([[0, 0]]), Mark)
    True
    """

    def shape(self, panel: Panel) -> Shape:
        """This mark in the units of `panel`."""
        raise NotImplementedError


M = TypeVar("M", bound=Mark)


@dataclass(frozen=True, eq=False)
class Axis(Record):
    """The range that a panel shows in one direction, its label and its ticks.

    >>> Axis("feature 1", -1, 4).hi
    4
    """

    label: str = ""
    lo: float = 0.0
    hi: float = 1.0
    ticks: tuple[tuple[float, str], ...] | None = None  # (position, text); None: chosen
    whole: bool = False  # only whole numbers as ticks: the axis counts something

    def __post_init__(self) -> None:
        if not (np.isfinite([self.lo, self.hi]).all() and self.lo < self.hi):
            raise ValueError(f"axis: expected finite lo < hi, found lo={self.lo}, hi={self.hi}")

    @classmethod
    def around(
        cls, values: npt.ArrayLike, label: str = "", pad: float = 0.08, zero: bool = False
    ) -> Axis:
        """The axis that shows all finite `values` with a border; `zero` starts it at 0."""
        flat = np.asarray(values, dtype=float).ravel()
        flat = flat[np.isfinite(flat)]
        lo, hi = (float(flat.min()), float(flat.max())) if flat.size else (0.0, 1.0)
        if zero:
            lo, hi = min(lo, 0.0), max(hi, 0.0)
        room = pad * (hi - lo)
        if hi - lo <= 1e-9 * max(abs(lo), abs(hi)):  # a single value
            room = 0.5 * max(abs(hi), 1.0)
        return cls(label, lo if zero and lo == 0 else lo - room, hi + room)

    def unit(self, values: npt.ArrayLike) -> Floats:
        """Positions on this axis with `lo` at 0 and `hi` at 1."""
        return (np.asarray(values, dtype=float) - self.lo) / (self.hi - self.lo)

    def marked(self, most: int = 6) -> tuple[tuple[float, str], ...]:
        """The ticks (position, text): those given, or round numbers, `most` of them at most."""
        if self.ticks is not None:
            return self.ticks
        raw = (self.hi - self.lo) / most
        raw = max(raw, 1.0) if self.whole else raw
        power = 10.0 ** np.floor(np.log10(raw))
        sizes = (1, 2, 5, 10) if self.whole else (1, 2, 2.5, 5, 10)
        step = float(next(m * power for m in sizes if m * power >= raw * (1 - 1e-9)))
        first, last = np.ceil(self.lo / step - 1e-9), np.floor(self.hi / step + 1e-9)
        digits = max(0, -int(np.floor(np.log10(step) + 1e-9)) + (step / power == 2.5))
        return tuple(
            (float(k * step), _plain(k * step, digits)) for k in np.arange(first, last + 1)
        )


def _plain(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    if float(text) == 0:
        text = text.lstrip("-")
    return text.replace("-", "−")


@dataclass(frozen=True, eq=False)
class Panel(Record):
    """One picture with two axes. `equal` gives both axes the same unit of length.

    >>> panel = Panel((Points([[0, 0]]),), x=Axis("x", 0, 1), y=Axis("y", 0, 1), equal=True)
    >>> len(panel.marks)
    1
    """

    marks: tuple[Mark, ...]
    x: Axis = field(default_factory=Axis)
    y: Axis = field(default_factory=Axis)
    title: str = ""
    equal: bool = False
    height: float = 0.75  # of the frame, as a share of its width; `equal` decides it otherwise
    frame: bool = True  # False: a drawing without axes
    below: bool = False  # stands under the panel before it, in the same column

    @property
    def aspect(self) -> float:
        """Height of the frame divided by its width."""
        if self.equal:
            return (self.y.hi - self.y.lo) / (self.x.hi - self.x.lo)
        return self.height

    def place(self, xy: Floats) -> dict[str, Array]:
        """The arrays "x" and "y" of points given in the panel's coordinates."""
        return {
            "x": self.x.unit(xy[:, 0]).astype(np.float32),
            "y": self.y.unit(xy[:, 1]).astype(np.float32),
        }

    def shapes(self) -> list[Shape]:
        """All marks, ready to be drawn in this order."""
        return [mark.shape(self) for mark in self.marks]

    def legend(self, shapes: Sequence[Shape] | None = None) -> list[Key]:
        """The lines of the legend, each label once."""
        found: dict[str, Key] = {}
        for shape in self.shapes() if shapes is None else shapes:
            for key in shape.keys:
                found.setdefault(key.label, key)
        return list(found.values())


@dataclass(frozen=True, eq=False)
class Scene(Record):
    """A whole figure: panels, one sentence with the numbers that matter, and read-outs.

    >>> scene = Scene((Panel((Points([[0.5, 0.5]]),)),), "One point in the middle.")
    >>> scene.describe()
    'One point in the middle.'
    """

    panels: tuple[Panel, ...]
    sentence: str
    readouts: tuple[tuple[str, str], ...] = ()  # (name, value), shown under the picture
    columns: int = 3  # columns in one row at most
    shared_legend: bool = False  # one legend for all panels, instead of one for each

    def __post_init__(self) -> None:
        if not self.panels:
            raise ValueError("panels: expected at least one panel, found none")
        if not self.sentence.strip():
            raise ValueError("sentence: expected a sentence that describes the picture")

    def describe(self) -> str:
        """One sentence that says what the picture shows, with its numbers."""
        return self.sentence

    def stacks(self) -> list[list[int]]:
        """The panels' numbers, column by column: a panel `below` joins the column before it."""
        stacks: list[list[int]] = []
        for i, panel in enumerate(self.panels):
            if panel.below and stacks:
                stacks[-1].append(i)
            else:
                stacks.append([i])
        return stacks

    def legend(self) -> list[Key]:
        """The lines of the shared legend, each label once; none when every panel has its own."""
        if not self.shared_legend:
            return []
        return list({k.label: k for panel in self.panels for k in panel.legend()}.values())

    def marks(self, kind: type[M]) -> list[M]:
        """All marks of one kind, over all panels, in the order in which they are drawn."""
        return [mark for panel in self.panels for mark in panel.marks if isinstance(mark, kind)]
