"""The controls of a live figure: slider, choice, toggle, steps, points.

A control knows its values and its label; it never draws anything. Values travel to the browser
and back as numbers: a slider's value, the position of a choice, a truth value, a step.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from lectures_lib.figures.palette import CLASS_COUNT
from lectures_lib.figures.scene import Array, Floats, Held, Record, positions
from lectures_lib.figures.words import number

Edit = Sequence[Any]
"""["move", i, x, y], ["insert", i, x, y, class], ["remove", i] or ["set", [[x, y, class], ...]]."""


@dataclass(frozen=True)
class Control:
    """Base of the controls. `options` is the number of its values, None when it has no list."""

    label: str
    marks: tuple[str, ...] = field(default=(), kw_only=True)  # held on the picture, too

    def on(self, *marks: str) -> Self:
        """The control, held on these marks of the picture as well: see `held.py`."""
        return replace(self, marks=marks)

    @property
    def start(self) -> Any:
        """The value at the beginning."""
        raise NotImplementedError

    @property
    def options(self) -> int | None:
        return None

    @property
    def sizes(self) -> list[int]:
        """The numbers of values of its parts; their product is `options`."""
        return [self.options or 1]

    def option(self, index: int) -> Any:
        """The value at a position of the list."""
        raise NotImplementedError

    def checked(self, value: Any) -> Any:
        """The value as this control holds it, or a ValueError."""
        raise NotImplementedError

    def to_wire(self, value: Any) -> Any:
        return value

    def from_wire(self, raw: Any) -> Any:
        return self.checked(raw)

    def edited(self, value: Any, edits: Sequence[Edit]) -> Any:
        """The value after some edits; only points can be edited."""
        raise ValueError(f"{self.label}: expected a value, found {len(edits)} edits of points")

    def spec(self) -> dict[str, Any]:
        """What the browser needs to know."""
        raise NotImplementedError


@dataclass(frozen=True)
class Listed(Control):
    """One of some values, in order; `first` is the place of the one at the beginning."""

    values: tuple[Any, ...]
    first: int

    @property
    def start(self) -> Any:
        return self.values[self.first]

    @property
    def options(self) -> int:
        return len(self.values)

    def option(self, index: int) -> Any:
        return self.values[index]


@dataclass(frozen=True)
class Slider(Listed):
    texts: tuple[str, ...]
    unit: str = ""
    period: float = 0.0  # of an angle: the last value is followed by the first

    def checked(self, value: Any) -> float:
        found = self.between(value)
        nearest: float = min(self.values, key=lambda v: abs(v - found))
        return nearest

    def between(self, value: Any) -> float:
        """The value itself, brought back between the ends."""
        if not isinstance(value, int | float | np.number) or not math.isfinite(value):
            raise ValueError(f"expected a number, found {value!r}")
        if self.period:
            return float(value) % self.period
        lo, hi = self.values[0], self.values[-1]
        return lo if value < lo else hi if value > hi else value  # type: ignore[return-value]

    def spec(self) -> dict[str, Any]:
        return {
            "kind": "slider",
            "values": list(self.values),
            "texts": list(self.texts),
            "unit": self.unit,
            "period": self.period,
        }


def slider(
    lo: float,
    hi: float,
    step: float = 1,
    *,
    value: float | None = None,
    label: str = "",
    unit: str = "",
    log: bool = False,
) -> Slider:
    """A number from lo to hi in steps; with `log`, lo · step, lo · step², ... up to hi.

    >>> list(slider(0, 1, 0.25, label="height").values)
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    if not (math.isfinite(lo) and math.isfinite(hi) and lo < hi):
        raise ValueError(f"slider: expected finite lo < hi, found {lo} and {hi}")
    if log and not (lo > 0 and step > 1):
        raise ValueError(f"slider: expected lo > 0 and step > 1 with log, found {lo} and {step}")
    if not log and not step > 0:
        raise ValueError(f"slider: expected a step above 0, found {step}")
    if log:
        count = math.floor(math.log(hi / lo) / math.log(step) + 1e-9) + 1
        grid = [float(f"{lo * step**i:.12g}") for i in range(count)]
        texts = [f"{float(f'{v:.3g}'):g}{unit}" for v in grid]  # 1000, not 1e+03
    else:
        count = math.floor((hi - lo) / step + 1e-9) + 1
        grid = [float(f"{lo + i * step:.12g}") for i in range(count)]
        digits = max(_decimals(lo), _decimals(step))
        texts = [number(v, digits) + unit for v in grid]
        if all(isinstance(v, int) for v in (lo, step)):
            grid = [int(v) for v in grid]
    wanted = grid[0] if value is None else value
    first = min(range(len(grid)), key=lambda i: abs(grid[i] - wanted))
    return Slider(label, tuple(grid), first, tuple(texts), unit)


def _decimals(value: float) -> int:
    text = f"{value:.12g}"
    if "e" in text:
        return max(0, -int(text.split("e")[1]))
    return len(text.partition(".")[2])


@dataclass(frozen=True)
class ChoiceControl(Listed):
    names: tuple[str, ...]

    def checked(self, value: Any) -> Any:
        if value not in self.values:
            raise ValueError(f"expected one of {list(self.values)}, found {value!r}")
        return value

    def to_wire(self, value: Any) -> int:
        return self.values.index(value)

    def from_wire(self, raw: Any) -> Any:
        if not isinstance(raw, int) or not 0 <= raw < len(self.values):
            raise ValueError(f"expected a position below {len(self.values)}, found {raw!r}")
        return self.values[raw]

    def spec(self) -> dict[str, Any]:
        return {"kind": "choice", "names": list(self.names)}


def choice(
    options: Sequence[str] | Mapping[str, Any], *, value: Any = None, label: str = ""
) -> ChoiceControl:
    """One of several options: a list of names, or a mapping from names to values.

    >>> choice(["red", "green"], label="colour").values
    ('red', 'green')
    """
    names = tuple(str(name) for name in options)
    values = tuple(options.values()) if isinstance(options, Mapping) else tuple(options)
    if len(names) < 2:
        raise ValueError(f"choice: expected at least two options, found {len(names)}")
    made = ChoiceControl(label, values, 0, names)
    return made if value is None else replace(made, first=values.index(made.checked(value)))


@dataclass(frozen=True)
class Toggle(Listed):
    def checked(self, value: Any) -> bool:
        if not isinstance(value, bool | np.bool_):
            raise ValueError(f"expected True or False, found {value!r}")
        return bool(value)

    def spec(self) -> dict[str, Any]:
        return {"kind": "toggle"}


def toggle(value: bool = False, *, label: str = "") -> Toggle:
    """A switch that is on or off.

    >>> toggle(True, label="margin").label
    'margin'
    """
    return Toggle(label, (False, True), int(value))


Plan = int | tuple[int, Sequence[int]]


@dataclass(frozen=True)
class Steps(Control):
    """Positions 0 to `last`, with buttons; `plan` may depend on the other controls."""

    plan: Plan | Callable[..., Plan]
    jump: str
    first: int
    texts: tuple[str, ...] = ()  # what each step is called; without them "2 of 9"

    @property
    def start(self) -> int:
        return self.first

    @property
    def options(self) -> int | None:
        return None if callable(self.plan) else self.reach({})[0] + 1

    def option(self, index: int) -> int:
        return index

    def checked(self, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
            raise ValueError(f"expected a step, 0 or more, found {value!r}")
        return int(value)

    def reach(self, values: Mapping[str, Any]) -> tuple[int, tuple[int, ...]]:
        """Last step, and the steps where something happens, for the other controls' values."""
        found = self.plan(**values) if callable(self.plan) else self.plan
        last, stops = found if isinstance(found, tuple) else (found, ())
        return max(0, int(last)), tuple(int(k) for k in stops)

    def spec(self) -> dict[str, Any]:
        return {"kind": "steps", "jump": self.jump, "texts": list(self.texts)}


def steps(
    plan: Plan | Callable[..., Plan],
    *,
    label: str = "step",
    jump: str = "",
    value: int = 0,
    texts: Sequence[str] = (),
) -> Steps:
    """Steps 0 to the last one, with buttons to go on, back, play and start again.

    `plan` is the last step, or a pair: the last step, and the steps at which something happens, or
    a function of the other controls' values (by keyword) that returns one of these. `jump` labels a
    button that goes to the next of those; `texts` are the names of the steps.

    >>> steps(10, label="update").label
    'update'
    """
    return Steps(label, plan, jump, value, tuple(texts))


# --- points ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Cloud(Record):
    """The value of a points control: positions X (n, 2) and class indices y (n,).

    >>> Cloud(np.zeros((2, 2)), np.array([0, 1])).y
    array([0, 1])
    """

    X: Held
    y: Held

    def __post_init__(self) -> None:
        X = positions(self.X, "X")
        y = np.array(self.y, dtype=int).reshape(-1)
        if y.shape != (len(X),) or y.min(initial=0) < 0 or y.max(initial=0) >= CLASS_COUNT:
            raise ValueError(
                f"y: expected {len(X)} classes 0 to {CLASS_COUNT - 1}, found {y!r:.60}"
            )
        y.setflags(write=False)
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "y", y)

    def __len__(self) -> int:
        return len(self.X)

    def __repr__(self) -> str:
        return f"Cloud({len(self)} points)"


@dataclass(frozen=True)
class PointsControl(Control):
    cloud: Cloud
    classes: tuple[str, ...]
    editable: bool  # points can be added and removed
    fewest: int
    most: int
    presets: Mapping[str, Cloud]
    boxes: bool = False  # each two points are opposite corners of a rectangle

    @property
    def start(self) -> Cloud:
        return self.cloud

    def checked(self, value: Any) -> Cloud:
        cloud = value if isinstance(value, Cloud) else Cloud(*value)
        if not self.fewest <= len(cloud) <= self.most:
            raise ValueError(f"expected {self.fewest} to {self.most} points, found {len(cloud)}")
        if cloud.y.max(initial=0) >= len(self.classes):
            raise ValueError(f"expected classes below {len(self.classes)}, found {cloud.y.max()}")
        if self.boxes and (len(cloud) % 2 or (cloud.y[::2] != cloud.y[1::2]).any()):
            raise ValueError(f"expected two corners of one class for each area, found {cloud.y}")
        return cloud

    def to_wire(self, value: Cloud) -> list[list[float]]:
        return [[float(x), float(y), int(c)] for (x, y), c in zip(value.X, value.y, strict=True)]

    def edited(self, cloud: Cloud, edits: Sequence[Edit]) -> Cloud:
        """The cloud after some edits, in order."""
        X, y = cloud.X, cloud.y
        for edit in edits:
            X, y = _edit(X, y, edit)
        return self.checked(Cloud(X, y))

    def spec(self) -> dict[str, Any]:
        return {
            "kind": "points",
            "classes": list(self.classes),
            "editable": self.editable,
            "boxes": self.boxes,
            "fewest": self.fewest,
            "most": self.most,
            "points": self.to_wire(self.cloud),
            "presets": {name: self.to_wire(cloud) for name, cloud in self.presets.items()},
        }


def _edit(X: Floats, y: Array, edit: Edit) -> tuple[Floats, Array]:
    what, *rest = edit
    if what == "set":
        rows = np.array(rest[0], dtype=float).reshape(-1, 3)
        return rows[:, :2], rows[:, 2].astype(int)
    i = rest[0]
    if not isinstance(i, int) or not 0 <= i < len(X) + (what == "insert"):
        raise ValueError(f"{what}: there is no point {i!r} among {len(X)}")
    if what == "move":
        X = X.copy()
        X[i] = rest[1:3]
        return X, y
    if what == "insert":
        return np.insert(X, i, rest[1:3], axis=0), np.insert(y, i, int(rest[3]))
    if what == "remove":
        return np.delete(X, i, axis=0), np.delete(y, i)
    raise ValueError(f"expected move, insert, remove or set, found {what!r}")


def points(
    X: npt.ArrayLike,
    y: npt.ArrayLike | None = None,
    *,
    label: str = "points",
    classes: Sequence[str] = ("class 0", "class 1"),
    editable: bool = True,
    fewest: int = 0,
    most: int = 300,
    presets: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]] | None = None,
) -> PointsControl:
    """Points that the reader drags; where they are `editable`, adds and removes too.

    A `figures.Points` mark whose `handle` is the control's name shows them; its panel keeps its
    axes, because the points are dragged inside it. The scene function gets a `Cloud` with the
    arrays X and y. `presets` are other data (X, y) that the reader can start from, by name.

    >>> points([[0, 0], [1, 1]], [0, 1], fewest=1).fewest
    1
    """
    where = positions(X, "X")
    cloud = Cloud(where, np.zeros(len(where), dtype=int) if y is None else y)
    others = {name: Cloud(*data) for name, data in (presets or {}).items()}
    if not editable:
        fewest = most = len(cloud)
    made = PointsControl(label, cloud, tuple(classes), editable, fewest, most, others)
    for some in (cloud, *others.values()):
        made.checked(some)
    return made


def areas(
    corners: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    label: str = "areas",
    classes: Sequence[str] = ("class 0", "class 1"),
    most: int = 60,
    presets: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]] | None = None,
) -> PointsControl:
    """Rectangles that the reader draws by dragging, moves by their corners, and removes.

    `corners` is (n, 2, 2): two opposite corners (x, y) of each rectangle, `y` its class. The scene
    function gets a `Cloud` with two points per rectangle, in order; `rectangles` takes it apart.
    A `figures.Points` mark with the control's name as `handle` shows the corners.
    """
    data = {"": (corners, y), **(presets or {})}
    flat = {
        name: (np.reshape(np.asarray(some, dtype=float), (-1, 2)), np.repeat(np.asarray(of), 2))
        for name, (some, of) in data.items()
    }
    X, labels = flat.pop("")
    made = points(X, labels, label=label, classes=classes, most=2 * most, presets=flat)
    boxed = replace(made, boxes=True)
    for cloud in (boxed.cloud, *boxed.presets.values()):
        boxed.checked(cloud)
    return boxed


def rectangles(cloud: Cloud) -> tuple[Floats, Array]:
    """The rectangles of an `areas` control: low and high corners (n, 2, 2), and their classes."""
    pairs = cloud.X.reshape(-1, 2, 2)
    return np.stack([pairs.min(axis=1), pairs.max(axis=1)], axis=1), cloud.y[::2]
