"""Scenes on their way to the browser: flat slots, what changed, and whole tables sent ahead.

A scene is cut into slots. A slot holds either plain data (the header of a panel, the style of a
mark) or one array. Only the slots that changed travel, arrays as bytes.
"""

from __future__ import annotations

import itertools
import json
import marshal
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lectures_lib.figures.scene import Array, Key, Panel, Scene, Shape
from lectures_lib.figures.words import count
from lectures_lib.widgets.controls import Control, Steps

Slots = dict[str, Any]  # slot -> plain data or array

LIMIT = 1_000_000  # bytes of a table that is sent ahead
MOST_SCENES = 20_000  # a table with more rows is not even tried
QUANTUM = 12_000  # 16-bit positions: steps in one panel unit; 0.02 pixels are lost at most
NOWHERE = -32_768  # a 16-bit NaN
PATIENCE = 10.0  # seconds of computing that a table may take when the widget opens
TRIED = 50  # scenes that say how long all of them would take


def slots_of(scene: Scene) -> Slots:
    """The scene as slots. Points that belong to a control are left out: the browser has them."""
    slots: Slots = {
        "scene": {"stacks": scene.stacks(), "columns": scene.columns},
        "sentence": scene.describe(),
        "readouts": [list(pair) for pair in scene.readouts],
        "keys": _keys(scene.legend()),
    }
    for i, panel in enumerate(scene.panels):
        shapes = panel.shapes()
        slots[f"p{i}"] = _header(panel, len(shapes))
        slots[f"p{i}.keys"] = _keys([] if scene.shared_legend else panel.legend(shapes))
        for j, shape in enumerate(shapes):
            slots |= mark_slots(f"p{i}.m{j}", shape)
    return slots


def _keys(keys: list[Key]) -> list[dict[str, Any]]:
    return [{"label": k.label, "kind": k.kind, "style": dict(k.style)} for k in keys]


def _header(panel: Panel, marks: int) -> dict[str, Any]:
    def axis(which: str) -> dict[str, Any]:
        a = getattr(panel, which)
        ticks = [[float(a.unit(at)), text] for at, text in a.marked()]
        return {"label": a.label, "lo": a.lo, "hi": a.hi, "ticks": ticks}

    return {
        "title": panel.title,
        "aspect": panel.aspect,
        "frame": panel.frame,
        "x": axis("x"),
        "y": axis("y"),
        "marks": marks,
    }


def mark_slots(name: str, shape: Shape) -> Slots:
    """A mark as slots: what it looks like, and its arrays."""
    slots: Slots = {name: {"kind": shape.kind, "style": dict(shape.style)}}
    own = shape.kind == "points" and shape.style.get("handle")  # the browser has these points
    arrays = {key: array for key, array in shape.arrays.items() if key == "note" or not own}
    return slots | {f"{name}/{key}": array for key, array in arrays.items()}


def same(a: Any, b: Any) -> bool:
    """Whether two slots hold the same."""
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and a.tobytes() == b.tobytes()
    return type(a) is type(b) and a == b


def changes(old: Slots, new: Slots) -> Slots:
    """The slots of `new` that `old` lacks or holds differently."""
    return {
        name: value for name, value in new.items() if name not in old or not same(old[name], value)
    }


def rounded(array: Array) -> Array:
    """Positions in or near the panel as 16-bit numbers; NaN is the lowest of them."""
    if array.dtype != np.float32:
        return array
    steps = np.rint(array * QUANTUM)
    if not (np.isnan(steps) | (np.abs(steps) < -NOWHERE)).all():
        return array
    return np.where(np.isnan(steps), NOWHERE, steps).astype(np.int16)


class Packer:
    """Collects arrays into one run of bytes, each aligned to 4; equal arrays share their bytes."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._known: dict[tuple[str, bytes], list[Any]] = {}

    def pack(self, value: Any) -> Any:
        """Plain data as it is; an array as {"a": [type, offset, length]}."""
        if not isinstance(value, np.ndarray):
            return value
        value = rounded(value)
        kind = {"float32": "f", "uint8": "b", "uint16": "h", "int16": "q"}[value.dtype.name]
        raw = value.tobytes()
        place = self._known.get((kind, raw))
        if place is None:
            place = [kind, len(self.data), value.size]
            self._known[kind, raw] = place
            self.data += raw + bytes(-len(raw) % 4)
        return {"a": place}


def pack(slots: Slots) -> tuple[dict[str, Any], bytes]:
    """Slots as JSON and bytes."""
    packer = Packer()
    return {name: packer.pack(value) for name, value in slots.items()}, bytes(packer.data)


# --- tables of scenes that are sent ahead --------------------------------------------------------

Draw = Callable[[Mapping[str, Any]], Slots]
"""Slots of the scene for some values of the controls, plus the slot "error" when there is one."""


@dataclass(frozen=True)
class Table:
    """All scenes of a widget: for every slot that varies its items, for every row their numbers.

    `head` is JSON, `data` holds the arrays and, at its end, the numbers (uint16). Rows run over
    the controls' positions, the last one fastest; `sizes` has one number for each position.
    """

    head: dict[str, Any]
    data: bytes

    @property
    def size(self) -> int:
        return len(json.dumps(self.head).encode("utf-8")) + len(self.data)


def build_table(controls: Mapping[str, Control], draw: Draw) -> tuple[Table | None, str]:
    """The table of all scenes, or None when there is no such thing; and the reason in words."""
    sizes = [size for control in controls.values() for size in control.sizes]
    free = [name for name, control in controls.items() if control.options is None]
    if free:
        return None, f"through Python: {' and '.join(free)} can take any value"
    total = math.prod(sizes)
    if total > MOST_SCENES:
        return None, f"through Python: {total} scenes are too many to send ahead"
    builder = _TableBuilder()
    begin = time.process_time()
    for done, values in enumerate(_all_values(controls), start=1):
        builder.add(draw(values))
        if builder.size > LIMIT:
            return None, f"through Python: {total} scenes are more than {LIMIT // 1000} kB"
        spent = time.process_time() - begin
        foreseen = spent / done * total if done == min(TRIED, total - 1) else spent
        if foreseen > PATIENCE and done < total:
            return None, f"through Python: drawing {total} scenes ahead would take too long"
    table = builder.table(sizes)
    if table.size > LIMIT:
        return None, f"through Python: {total} scenes are {table.size // 1000} kB"
    kb = max(1, round(table.size / 1000))
    return table, f"sent ahead: {count(total, 'scene')} in {kb} kB"


def table_of(rows: Sequence[Slots]) -> Table:
    """The table of these scenes, one for each position of a single control."""
    builder = _TableBuilder()
    for slots in rows:
        builder.add(slots)
    return builder.table([len(rows)])


def _all_values(controls: Mapping[str, Control]) -> Any:
    """Every combination of the controls' values."""
    lists = [[c.option(i) for i in range(c.options or 1)] for c in controls.values()]
    for row in itertools.product(*lists):
        yield dict(zip(controls, row, strict=True))


def clamp(controls: Mapping[str, Control], values: dict[str, Any]) -> dict[str, Any]:
    """The values with every step at most the last one that the others allow."""
    for name, control in controls.items():
        if isinstance(control, Steps):
            others = {key: value for key, value in values.items() if key != name}
            values = values | {name: min(values[name], control.reach(others)[0])}
    return values


class _TableBuilder:
    def __init__(self) -> None:
        self.items: dict[str, list[Any]] = {}
        self.index: dict[str, dict[Any, int]] = {}
        self.rows: list[dict[str, int]] = []
        self.size = 0

    def add(self, slots: Slots) -> None:
        row = {}
        for name, value in slots.items():
            key = _key(value)
            known = self.index.setdefault(name, {})
            if key not in known:
                known[key] = len(known)
                item = rounded(value) if isinstance(value, np.ndarray) else value
                self.items.setdefault(name, []).append(item)
                self.size += item.nbytes if isinstance(item, np.ndarray) else len(json.dumps(item))
            row[name] = known[key]
        self.rows.append(row)
        self.size += 2 * sum(len(known) > 1 for known in self.index.values())

    def table(self, sizes: list[int]) -> Table:
        """Slots that never vary are left out: the widget's first scene has them already."""
        gone = 0xFFFF  # this slot does not exist in this row
        varying = [
            name
            for name, items in self.items.items()
            if len(items) > 1 or any(name not in row for row in self.rows)
        ]
        numbers = np.array(
            [[row.get(name, gone) for name in varying] for row in self.rows], dtype=np.uint16
        ).reshape(len(self.rows), len(varying))
        packer = Packer()
        items = [[packer.pack(value) for value in self.items[name]] for name in varying]
        rows = packer.pack(numbers.ravel())
        head = {"sizes": sizes, "slots": varying, "items": items, "rows": rows}
        return Table(head, bytes(packer.data))


def _key(value: Any) -> tuple[str, bytes]:
    if isinstance(value, np.ndarray):
        array: Array = value
        return array.dtype.char, array.tobytes()
    return "plain", marshal.dumps(value, 2)  # version 2: equal values give equal bytes
