"""Recorded walks: what a page without Python shows of a picture whose scenes are too many to send.

Ten to thirty states, drawn by the function that serves the live picture. One control after the
other goes through some of its values while the others stand at their start; points give way to the
other data that the reader could choose, and one is carried and stays there. The page plays and
scrubs them.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from lectures_lib.figures.scene import Scene
from lectures_lib.figures.svg import image_source
from lectures_lib.widgets.controls import Cloud, Control, PointsControl, Steps
from lectures_lib.widgets.frames import Slots, Table, mark_slots, pack, slots_of, table_of
from lectures_lib.widgets.hands import Hand
from lectures_lib.widgets.widget import Live

MOST = 30  # states of a walk
LARGEST = 65_000  # bytes of a walk, compressed: states that would make it larger are left out
FEW = 5  # values that one control goes through, fewer where there are many controls

State = tuple[str, dict[str, Any]]  # what is said of it, and the values of the controls


def recorded(widget: Live) -> dict[str, Any]:
    """The state of a widget that plays the walk of another one."""
    texts: list[str] = []
    drawn: list[Slots] = []
    for said, values in walk(widget):
        slots = _slots(widget.scene_of(values))
        if not drawn or _weight(*_packed([*drawn, slots])) <= LARGEST:
            texts.append(said)
            drawn.append(slots)
    for k, slots in enumerate(drawn):
        slots["c.walk"] = {"last": len(drawn) - 1, "next": k + 1}
    table, first, data = _packed(drawn)
    walked = {"kind": "steps", "label": "recorded", "jump": "", "texts": texts}
    state: dict[str, Any] = widget.get_state()
    return state | {
        "walk": 0,
        "_controls": [["walk", walked]],
        "_first": first,
        "_first_data": data,
        "_ahead": table.head,
        "_ahead_data": table.data,
    }


def _packed(rows: list[Slots]) -> tuple[Table, dict[str, Any], bytes]:
    """The table of some states, and what it leaves out: nothing comes twice."""
    table = table_of(rows)
    rest = {slot: value for slot, value in rows[0].items() if slot not in table.head["slots"]}
    return table, *pack(rest)


def _weight(table: Table, first: dict[str, Any], data: bytes) -> int:
    return len(zlib.compress(json.dumps([table.head, first]).encode() + table.data + data))


def walk(widget: Live) -> list[State]:
    """The states that can be drawn, the start first, each picture once."""
    few = next((k for k in range(FEW, 1, -1) if len(_asked(widget, k)) <= MOST), 1)
    different: dict[Scene, State] = {}
    for state in _some(_asked(widget, few), MOST):
        with suppress(ValueError):
            different.setdefault(widget.scene_of(state[1]), state)
    return list(different.values())


def _asked(widget: Live, few: int) -> list[State]:
    controls = widget.controls
    start = {name: control.start for name, control in controls.items()}
    asked: list[State] = [("as it begins", start)]
    # What goes step by step is the main action, as below the picture.
    for name, control in sorted(controls.items(), key=lambda c: not isinstance(c[1], Steps)):
        for said, value in _values(control, controls, few):
            asked.append((f"{control.label or name}{said}", start | {name: value}))
        if isinstance(control, PointsControl) and not control.boxes:
            start = asked[-1][1]  # where the point has been carried the other controls matter most
    return asked


def _values(
    control: Control, controls: Mapping[str, Control], few: int
) -> Iterator[tuple[str, Any]]:
    """Some values of one control, each with the words that follow its label."""
    if isinstance(control, PointsControl):
        yield from _carried(control, 2 * few)
    elif isinstance(control, Steps):
        last, stops = control.reach({n: c.start for n, c in controls.items() if c is not control})
        for step in _some(list(stops) or list(range(last + 1)), 2 * few):
            yield f": {step} of {last}", step
    elif isinstance(control, Hand):
        for i, part in enumerate(control.parts):
            for k in _some(range(len(part.values)), few):
                some = [*control.numbers(control.start)]
                some[i] = part.values[k]
                yield f", {part.label.removeprefix(f'{control.label}, ')}", control.value(*some)
    else:
        for k in _some(range(control.options or 0), few + 2):
            names = control.spec().get("names") or control.spec().get("texts") or ("off", "on")
            yield f": {names[k]}", control.option(k)


def _carried(control: PointsControl, steps: int) -> Iterator[tuple[str, Cloud]]:
    """The other data, or one point on its way to the other side of the origin."""
    for name, cloud in control.presets.items():
        if len(cloud):
            yield f": {name}", cloud
    if control.boxes:
        return
    start = control.cloud
    far = int(np.argmax(np.square(start.X).sum(axis=1)))
    for share in np.linspace(0, 1, steps + 1)[1:]:
        X = start.X.copy()
        X[far] *= 1 - 2 * share
        yield ", one is carried", control.checked(Cloud(X, start.y))


def _some(values: Any, most: int) -> list[Any]:
    """At most so many of them, the first and the last among them."""
    at = np.linspace(0, len(values) - 1, min(most, len(values))).round().astype(int)
    return [values[i] for i in at]


def _slots(scene: Scene) -> Slots:
    """A scene whose points belong to no control, and whose photographs are compressed."""
    slots = slots_of(scene) | {"error": None}
    for i, panel in enumerate(scene.panels):
        for j, shape in enumerate(panel.shapes()):
            if shape.style.get("handle"):
                shape = replace(shape, style={**shape.style, "handle": ""})
            if shape.kind == "image":
                del slots[f"p{i}.m{j}/values"]
                style = {**shape.style, "href": image_source(shape)}
                shape = replace(shape, arrays={}, style=style)
            slots |= mark_slots(f"p{i}.m{j}", shape)
    return slots
