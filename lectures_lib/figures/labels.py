"""Names beside what they name: where in a panel there is room for the words of a legend.

A label stands near its own mark, nearer than any other named mark, and over nothing that is drawn.
What finds no such place stays in the legend.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lectures_lib.figures.layout import FrameBox, frame_box, text_width
from lectures_lib.figures.scene import Array, Floats, Key, Panel, Scene, Shape

CELL = 4  # pixels between two places that are tried
NEAR = 26.0  # pixels between a mark and its name at most
CLEARER = 5.0  # pixels that another named mark must be farther away
SIZE = 12.0  # of the letters
NAMED = ("points", "path", "arrow")  # kinds that can carry their name beside them


@dataclass(frozen=True)
class Drawing:
    """A panel's shapes with the names among them, and what is left for its legend."""

    panel: Panel
    shapes: list[Shape]
    keys: list[Key]


def name_scene(scene: Scene, width: float) -> tuple[list[Drawing], list[Key]]:
    """Every panel with names where there is room, and the legend that the panels share."""
    drawings: list[Drawing] = []
    done: set[str] = set()  # with a shared legend a name stands once
    shown: set[str] = set()
    for panel in scene.panels:
        shapes, box = panel.shapes(), frame_box(panel, width)
        traces = [_trace(shape, box) for shape in shapes]
        entries = [
            (key, _own_trace(shape, number, trace, box))
            for shape, trace in zip(shapes, traces, strict=True)
            for number, key in enumerate(shape.keys)
        ]
        # What lies outside the frame has no entry anywhere.
        present = {key.label for key, own in entries if key.kind not in NAMED or len(own)}
        taken = np.concatenate([np.empty((0, 2)), *map(_covered, shapes, traces)])
        names = _place_names(entries, taken, box, done if scene.shared_legend else set())
        found = {name.style["words"][0] for name in names}
        keys = [k for k in panel.legend(shapes) if k.label in present and k.label not in found]
        done |= found
        shown |= present
        drawings.append(Drawing(panel, shapes + names, [] if scene.shared_legend else keys))
    return drawings, [k for k in scene.legend() if k.label in shown and k.label not in done]


def _own_trace(shape: Shape, number: int, trace: Floats, box: FrameBox) -> Floats:
    """Where the mark lies that the key with this number names."""
    if shape.kind == "points" and len(shape.style["groups"]) > 1:
        return np.asarray(trace[shape.arrays["group"][_seen(_pixels(shape, box), box)] == number])
    return trace


def _place_names(
    entries: list[tuple[Key, Floats]], taken: Floats, box: FrameBox, done: set[str]
) -> list[Shape]:
    """A text for each named mark that has room beside it."""
    owners: dict[str, list[Floats]] = {}
    colours: dict[str, str] = {}
    around: set[str] = set()  # circles around points: those points do not compete for the place
    filled: set[str] = set()
    for key, own in entries:
        if key.kind in NAMED and len(own):
            owners.setdefault(key.label, []).append(own)
            colours.setdefault(key.label, _colour(key))
            if key.kind == "points":
                look = key.style["groups"][0]
                (filled if look["fill"] else around).add(key.label)
    names: list[Shape] = []
    for label, parts in owners.items():
        if label in done:
            continue
        apart = owners.keys() - {label} - (filled if label in around else set())
        others = [part for other in sorted(apart) for part in owners[other]]
        place = _free_place(label, np.concatenate(parts), others, taken, box)
        if place is not None:
            arrays = {"x": place[:1] / box.w, "y": 1 - place[1:] / box.h}
            style = {"words": [label], "anchor": "middle", "size": SIZE, "colour": colours[label]}
            places = {axis: at.astype(np.float32) for axis, at in arrays.items()}
            names.append(Shape("text", places, {**style, "shift": [0.0, 0.0]}))
            taken = np.concatenate([taken, _rectangle(place, label)])
    return names


def _free_place(
    label: str, own: Floats, others: list[Floats], taken: Floats, box: FrameBox
) -> Floats | None:
    """The middle of the best free place for a label, in pixels of the frame, if there is one."""
    half = np.array([text_width(label, SIZE) / 2 + 2, SIZE / 2 + 2])
    middles = _free(half, taken, box)
    to_own = _gap(middles, half, own)
    near = to_own <= NEAR
    middles, to_own = middles[near], to_own[near]
    if not len(middles):
        return None
    to_others = _gap(middles, half, np.concatenate([np.empty((0, 2)), *others]))
    cost = to_own + 0.25 * np.clip(40 - to_others, 0, None)
    cost[to_others < to_own + CLEARER] = np.inf
    best = int(np.argmin(cost))
    chosen: Floats = middles[best]
    return chosen if np.isfinite(cost[best]) else None


def _free(half: Floats, taken: Floats, box: FrameBox) -> Floats:
    """Middles of rectangles inside the frame that hold none of the points `taken`."""
    columns, rows = int(box.w // CELL), int(box.h // CELL)
    wide, high = (int(2 * side // CELL) + 1 for side in half)
    if wide > columns or high > rows:
        return np.empty((0, 2))
    cells = (taken // CELL).astype(int)
    inside = ((cells >= 0) & (cells < [columns, rows])).all(axis=1)
    full = np.zeros((rows + 1, columns + 1))
    np.add.at(full, (cells[inside, 1] + 1, cells[inside, 0] + 1), 1)
    sums = full.cumsum(axis=0).cumsum(axis=1)
    held = sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide]
    row, column = np.nonzero(held == 0)
    return np.column_stack([(column + wide / 2) * CELL, (row + high / 2) * CELL])


def _gap(middles: Floats, half: Floats, points: Floats) -> Floats:
    """Distance from rectangles around `middles` to the nearest point; 0 when one is inside."""
    nearest = np.full(len(middles), np.inf)
    thin = points[:: max(1, len(points) // 150)]
    if len(thin) and len(middles):
        apart = np.abs(middles[:, None] - thin[None]) - half
        nearest = np.hypot(*np.moveaxis(np.clip(apart, 0, None), -1, 0)).min(axis=1)
    return nearest


def _trace(shape: Shape, box: FrameBox) -> Floats:
    """Points in pixels that a shape covers: its places, or a dense row along its pieces."""
    if shape.kind not in (*NAMED, "text"):
        return np.empty((0, 2))
    at = _pixels(shape, box)
    if shape.kind == "points":
        return np.asarray(at[_seen(at, box)])
    if shape.kind == "text":
        right, up = shape.style["shift"]
        side = {"start": 0.5, "middle": 0.0, "end": -0.5}[shape.style["anchor"]]
        covered = [
            _rectangle(np.array([x + right + side * text_width(w, SIZE), y - up]), w)
            for (x, y), w in zip(at, shape.style["words"], strict=True)
        ]
        return np.concatenate([np.empty((0, 2)), *covered])
    starts, ends = at[:-1], at[1:]
    whole = np.isfinite(starts).all(axis=1) & np.isfinite(ends).all(axis=1)
    rows = [
        a + np.linspace(0, 1, min(400, 2 + int(np.hypot(*(b - a)) / 5)))[:, None] * (b - a)
        for a, b in zip(starts[whole], ends[whole], strict=True)
    ]
    dense = np.concatenate([np.empty((0, 2)), *rows])
    return np.asarray(dense[_seen(dense, box)])


def _covered(shape: Shape, trace: Floats) -> Floats:
    """The trace of a shape, and for points their markers' rims."""
    if shape.kind != "points":
        return trace
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    rim = (shape.style["size"] + 2) * np.column_stack([np.cos(turn), np.sin(turn)])
    return np.concatenate([trace, (trace[:, None] + rim).reshape(-1, 2)])


def _pixels(shape: Shape, box: FrameBox) -> Floats:
    """The places of a shape in pixels of the frame."""
    u, v = shape.arrays["x"].astype(float), shape.arrays["y"].astype(float)
    return np.column_stack([u * box.w, box.h - v * box.h])


def _seen(at: Floats, box: FrameBox) -> Array:
    """Which points lie in the frame, or so close that their marker reaches into it."""
    return np.asarray(((at >= -6) & (at <= [box.w + 6, box.h + 6])).all(axis=1))


def _rectangle(middle: Floats, label: str) -> Floats:
    """Points all over the rectangle that a label covers."""
    half = text_width(label, SIZE) / 2
    across = np.linspace(-half, half, 2 + int(half / 3))
    return np.asarray(
        middle + np.stack(np.meshgrid(across, [-6.0, 0.0, 6.0]), axis=-1).reshape(-1, 2)
    )


def _colour(key: Key) -> str:
    style = key.style["groups"][0] if key.kind == "points" else key.style
    name = style.get("fill") or style["stroke"]
    return str(name)
