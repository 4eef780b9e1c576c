"""Hands on the picture: threshold, position, line, direction, turn, arrow, ellipse.

Each lies in one panel of the scene, is dragged there, and has its numbers as sliders below the
picture, the accessible twin. The scene function gets a plain value and draws whatever it likes;
the browser puts the handles where the numbers say, so no mark has to know about them.

The panel keeps its axes, because the hand moves inside it. Scenes are sent ahead for the grid of
the sliders when they fit; between grid points the browser slides the drawing and snaps at the end.
Through Python every number between the ends will do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from lectures_lib.figures.scene import Floats, numbers
from lectures_lib.widgets.controls import Control, Slider, slider

Pair = tuple[float, float]


@dataclass(frozen=True)
class DirectionAt:
    """The axis through `centre` along the unit vector w at `angle` degrees."""

    angle: float
    centre: Pair = (0.0, 0.0)

    @property
    def w(self) -> Floats:
        return _turned(self.angle)


@dataclass(frozen=True)
class LineAt:
    """The line w·x + w0 = 0 with a unit normal w at `angle` degrees, `shift` beyond `centre`."""

    angle: float
    shift: float = 0.0
    centre: Pair = (0.0, 0.0)

    @property
    def w(self) -> Floats:
        return _turned(self.angle)

    @property
    def w0(self) -> float:
        return -float(self.w @ np.array(self.centre)) - self.shift


@dataclass(frozen=True)
class TurnAt:
    """A view of space that was turned to the right by `turn` and upwards by `tilt` degrees."""

    turn: float
    tilt: float = 0.0

    @property
    def directions(self) -> Floats:
        """(3, 2): what points to the right and what points upwards; X @ directions is the view.

        Unturned, the first coordinate points to the right and the third upwards.
        """
        (c, s), (level, lift) = _turned(self.turn), _turned(self.tilt)
        return np.array([[c, -lift * s], [-s, -lift * c], [0.0, level]])


@dataclass(frozen=True)
class EllipseAt:
    """A Gaussian's ellipse: its mean, its standard deviations along its axes, the first's angle."""

    mean: Pair
    sd: Pair
    angle: float

    @property
    def cov(self) -> Floats:
        """The covariance matrix R diag(sd²) Rᵀ."""
        first = _turned(self.angle)
        axes = np.column_stack([first, [-first[1], first[0]]])
        cov: Floats = (axes * np.square(self.sd)) @ axes.T
        return cov


def _turned(angle: float) -> Floats:
    """The unit vector at `angle` degrees; exact at the multiples of 90."""
    if angle % 90 == 0:
        return np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][int(angle // 90) % 4])
    return np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])


@dataclass(frozen=True)
class Hand(Control):
    """Some numbers, each with a slider, and handles on one panel."""

    kind: str  # the name of the geometry in hands.js
    value: Callable[..., Any]  # of the numbers, in the order of the sliders
    parts: tuple[Slider, ...]
    panel: int = 0
    first: tuple[float, ...] = ()  # where the sliders' grids do not hold it
    fixed: dict[str, Any] = field(default_factory=dict)  # what else the browser needs

    def numbers(self, value: Any) -> tuple[float, ...]:
        """The numbers of a value, in the order of the sliders."""
        if is_dataclass(value):
            parts = [getattr(value, f.name) for f in fields(value) if f.name != "centre"]
            return tuple(np.hstack(parts).tolist())
        return tuple(float(v) for v in np.ravel(value))

    @property
    def start(self) -> Any:
        return self.checked(self.first or [part.start for part in self.parts])

    @property
    def options(self) -> int | None:
        return math.prod(self.sizes)

    @property
    def sizes(self) -> list[int]:
        return [part.options for part in self.parts]

    def option(self, index: int) -> Any:
        at = np.unravel_index(index, self.sizes)
        return self.value(*(part.option(int(i)) for part, i in zip(self.parts, at, strict=True)))

    def checked(self, value: Any) -> Any:
        try:
            some = self.numbers(value)
        except (TypeError, ValueError):
            some = ()
        if len(some) != len(self.parts):
            expected = ", ".join(part.label for part in self.parts)
            raise ValueError(f"expected {len(self.parts)} number(s) ({expected}), found {value!r}")
        pairs = zip(self.parts, some, strict=True)
        return self.value(*(part.between(v) for part, v in pairs))

    def to_wire(self, value: Any) -> list[float]:
        return [float(v) for v in self.numbers(value)]

    def spec(self) -> dict[str, Any]:
        parts = [{"label": part.label, **part.spec()} for part in self.parts]
        known = {"kind": "hand", "hand": self.kind, "panel": self.panel, "parts": parts}
        return {**known, "held": True, **self.fixed}


# --- one number ----------------------------------------------------------------------------------


def threshold(
    lo: float,
    hi: float,
    step: float,
    *,
    value: float,
    axis: str = "x",
    panel: int = 0,
    label: str = "threshold",
    across: bool = True,
) -> Hand:
    """A line across the panel, at a place on `axis` ("x" or "y"); the value is a number.

    >>> live(scene, cut=threshold(-3, 3, 0.1, value=0))  # scene(cut: float)
    """
    if axis not in ("x", "y"):
        raise ValueError(f"axis: expected 'x' or 'y', found {axis!r}")
    parts = (slider(lo, hi, step, value=value, label=label),)
    return Hand(label, "threshold", float, parts, panel, fixed={"axis": axis, "across": across})


def position(lo: float, hi: float, step: float, *, label: str = "position", **others: Any) -> Hand:
    """A place on an axis of the panel, held at the axis itself: else as `threshold`."""
    return threshold(lo, hi, step, label=label, across=False, **others)


# --- lines and directions ------------------------------------------------------------------------


def line(
    angle: float = 90.0,
    shift: float = 0.0,
    *,
    reach: float,
    centre: Sequence[float] = (0.0, 0.0),
    turn: float = 5.0,
    arrow: bool | tuple[float, float, float] = False,
    label: str = "line",
) -> Hand:
    """A line that is turned at its ends and shifted anywhere else; the value is a `LineAt`.

    `angle` is the direction of its normal w in degrees, `shift` its signed distance from `centre`
    along w, at most `reach`. `turn` is the distance of the angles on the grid. With `arrow`, the
    head of the arrow w that `boundary_scene` draws turns the line too; (x, y, length) is an arrow
    of another length that stands where the line is nearest to (x, y).

    >>> live(scene, cut=line(120, reach=3))  # scene(cut: LineAt): cut.w, cut.w0
    """
    middle = _pair(centre, "centre")
    parts = (
        _angle(turn, angle, f"direction of the {label}"),
        _slider_to(reach, reach / 10, shift, f"shift of the {label}"),
    )
    fixed = {"centre": list(middle), "arrow": arrow}
    return Hand(label, "line", partial(LineAt, centre=middle), parts, fixed=fixed)


def direction(
    angle: float = 0.0,
    *,
    centre: Sequence[float] = (0.0, 0.0),
    turn: float = 5.0,
    label: str = "direction",
) -> Hand:
    """An axis through `centre` that is turned; the value is a `DirectionAt` with the vector w."""
    middle, parts = _pair(centre, "centre"), (_angle(turn, angle, label),)
    value = partial(DirectionAt, centre=middle)
    return Hand(label, "direction", value, parts, fixed={"centre": list(middle)})


def turn(
    angle: float = 0.0,
    tilt: float = 0.0,
    *,
    step: float = 5.0,
    most: float = 90.0,
    label: str = "view",
) -> Hand:
    """A view of space, turned by a drag anywhere in the panel; the value is a `TurnAt`.

    The panel shows `X @ value.directions`. `step` is the distance of the grid of both angles in
    degrees, and the tilt goes from −most to most.

    >>> live(scene, view=turn(30, -20))  # scene(view: TurnAt)
    """
    tilts = _slider_to(most, step, tilt, f"{label}, tilted upwards")
    parts = (
        _angle(step, angle, f"{label}, turned to the right"),
        replace(tilts, unit="°", texts=tuple(f"{text}°" for text in tilts.texts)),
    )
    return Hand(label, "turn", TurnAt, parts)


# --- arrows and ellipses -------------------------------------------------------------------------


def arrow(
    tip: Sequence[float],
    *,
    reach: float,
    step: float | None = None,
    tail: Sequence[float] = (0.0, 0.0),
    label: str = "arrow",
) -> Hand:
    """An arrow whose head is dragged; the value is the vector (x, y) from `tail` to the head.

    Both components go from −reach to reach.

    >>> live(scene, w=arrow((1, 0.5), reach=2))  # scene(w: tuple[float, float])
    """
    parts = tuple(
        _slider_to(reach, step or reach / 20, v, f"{label}, {which} component")
        for which, v in zip(("first", "second"), _pair(tip, "tip"), strict=True)
    )
    fixed = {"tail": list(_pair(tail, "tail"))}
    return Hand(label, "arrow", lambda x, y: (float(x), float(y)), parts, fixed=fixed)


def ellipse(
    mean: Sequence[float],
    cov: Sequence[Sequence[float]] | Floats,
    *,
    reach: float,
    label: str = "ellipse",
) -> Hand:
    """The ellipse of a Gaussian, one standard deviation large: centre and axes are dragged.

    Its centre stays within `reach` of the origin in both directions. The value is an `EllipseAt`
    with mean, sd, angle and cov. Its scenes are too many to be sent ahead.

    >>> live(scene, blue=ellipse((-1, 0), np.eye(2), reach=4))  # scene(blue: EllipseAt)
    """
    spread, axes = np.linalg.eigh(numbers(cov, "cov", ndim=2))
    if spread.shape != (2,) or spread[0] <= 0:
        raise ValueError(f"cov: expected a positive definite 2 x 2 matrix, found {cov!r:.80}")
    angle = math.degrees(math.atan2(axes[1, 1], axes[0, 1])) % 180
    first = (*_pair(mean, "mean"), *np.sqrt(spread[::-1]).tolist(), angle)
    step = reach / 40
    parts = (
        _slider_to(reach, step, first[0], f"{label}, first coordinate of the centre"),
        _slider_to(reach, step, first[1], f"{label}, second coordinate of the centre"),
        *(
            slider(step, reach, step, value=sd, label=f"{label}, {which} standard deviation")
            for which, sd in zip(("first", "second"), first[2:4], strict=True)
        ),
        _angle(3, angle, f"{label}, direction of its first axis"),  # 360°: each axis has one end
    )
    return Hand(label, "ellipse", _ellipse_at, parts, first=first)


def _ellipse_at(x: float, y: float, a: float, b: float, angle: float) -> EllipseAt:
    return EllipseAt((x, y), (a, b), angle)


def _angle(turn: float, value: float, label: str) -> Slider:
    if not (turn > 0 and (360 / turn).is_integer()):
        raise ValueError(f"turn: expected a step that divides 360 degrees, found {turn}")
    around = slider(0, 360 - turn, turn, value=value % 360, label=label, unit="°")
    return replace(around, period=360.0)


def _slider_to(reach: float, step: float, value: float, label: str) -> Slider:
    """A slider from −reach to reach that has 0 on its grid."""
    if not (math.isfinite(reach) and reach > 0):
        raise ValueError(f"reach: expected a number above 0, found {reach}")
    ends = step * math.floor(reach / step + 1e-9)
    return slider(-ends, ends, step, value=value, label=label)


def _pair(value: Sequence[float], name: str) -> Pair:
    x, y = numbers(value, name, ndim=1) if len(value) == 2 else (math.nan, math.nan)
    if math.isnan(x):
        raise ValueError(f"{name}: expected two numbers, found {value!r}")
    return float(x), float(y)
