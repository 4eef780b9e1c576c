"""Marks that are held where they are drawn: which mark, and where on it.

`slider(0, 1, 0.1).on("organic, top")` lets the hand hold the top of the curve that the legend calls
"organic"; the slider goes to the value whose drawing comes nearest to the hand. A mark without a
name in the legend is called by its kind and number, "Curve 0", "Bars 1", counted over all panels.
After a comma stands the place: top, foot, flank, start, end, or the number of a bar, of a piece of
an area, of a point. Without one the mark is held anywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lectures_lib.figures.scene import Mark, Scene

PLACES = ("x", "y", "x1", "y1")  # the arrays that say where a mark lies
SPOTS = ("top", "foot", "flank", "start", "end")


def held_marks(scene: Scene, names: Sequence[str]) -> list[list[Any]]:
    """Panel, number of the mark and place for each name, as the browser needs them."""
    known = _marks(scene)
    found = []
    for text in names:
        name, _, spot = (part.strip() for part in text.partition(","))
        if name not in known:
            raise ValueError(f"on: expected one of {', '.join(known)}, found {name!r}")
        if spot and not spot.isdigit() and spot not in SPOTS:
            raise ValueError(f"on: expected a number or {', '.join(SPOTS)}, found {spot!r}")
        found.append([*known[name], int(spot) if spot.isdigit() else spot or None])
    return found


def _marks(scene: Scene) -> dict[str, tuple[int, int]]:
    """Where each mark stands, by all its names; the first of two with one name is meant."""
    found: dict[str, tuple[int, int]] = {}
    counts: dict[str, int] = {}
    for i, panel in enumerate(scene.panels):
        for j, mark in enumerate(panel.marks):
            kind = type(mark).__name__
            number = counts.setdefault(kind, 0)
            counts[kind] += 1
            for name in (*_labels(mark), f"{kind} {number}"):
                found.setdefault(name, (i, j))
    return found


def _labels(mark: Mark) -> list[str]:
    """What the legend calls a mark."""
    return [name for name in (getattr(mark, "label", ""), *getattr(mark, "labels", ())) if name]
