"""The picture of the chapter: probabilities in two heaps, and what every threshold costs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lectures_lib.figures import Axis, Bars, Curve, Line, Panel, Points, Region, Scene
from lectures_lib.figures.scene import Array, Floats, Mark
from lectures_lib.figures.words import number

EDGES = np.linspace(0, 1, 21)
CUTS = np.linspace(0, 1, 101)
Names = tuple[str, str]


def bills(y: Array, p: Floats, cuts: Floats, costs: tuple[float, float]) -> Floats:
    """The mean cost of the rule "call it positive from this probability on", for each cut."""
    called = p[None, :] >= cuts[:, None] - 1e-9
    paid: Floats = np.where(called, costs[0] * (y == 0), costs[1] * (y == 1)).mean(axis=1)
    return paid


def _hatched(heights: Floats, index: int, label: str) -> Region:
    """The bars of the mistakes as one area, which keeps its number of corners."""
    corners = np.column_stack([np.repeat(EDGES, 2), np.r_[0.0, np.repeat(heights, 2), 0.0]])
    return Region((corners,), index, label, hatch=True)


def _heaps(y: Array, p: Floats, cut: float, names: Names) -> Panel:
    heaps = [np.histogram(p[y == k], EDGES)[0].astype(float) for k in (0, 1)]
    called = EDGES[:-1] >= cut - 1e-9
    marks: list[Mark] = [
        Bars(EDGES[:-1], EDGES[1:], heap, k, names[k]) for k, heap in enumerate(heaps)
    ]
    marks += [
        _hatched(heaps[0] * called, 0, "false alarms"),
        _hatched(heaps[1] * ~called, 1, "misses"),
        Line([1, 0], -cut),
    ]
    top = 1.1 * max(heap.max() for heap in heaps)
    x = Axis("probability from the held-out fold", 0, 1)
    return Panel(tuple(marks), x, Axis("rows", 0, float(top)), "two heaps", height=0.9)


def threshold_scene(
    y: npt.ArrayLike,
    p: npt.ArrayLike,
    cut: float,
    miss: float = 4.0,
    names: Names = ("the others", "positive"),
) -> Scene:
    """Both heaps with one threshold, and the bill of all thresholds; a false alarm costs 1."""
    labels, chance = np.asarray(y), np.asarray(p, dtype=float)
    costs = (1.0, miss)
    curve, (here,) = (bills(labels, chance, c, costs) for c in (CUTS, np.array([cut])))
    theory, best = 1 / (1 + miss), int(curve.argmin())
    false = int(np.sum((chance >= cut - 1e-9) & (labels == 0)))
    missed = int(np.sum((chance < cut - 1e-9) & (labels == 1)))
    top = 2.6 * float(np.mean(labels == 0))  # calling everybody costs the same at every price
    bill = Panel(
        (
            Curve(CUTS, np.where(curve > top, np.nan, curve), "boundary"),
            Line([1, 0], -theory, "guide", "1 / (1 + cost of a miss)"),
            Line([1, 0], -cut, "weights"),
            Points([[CUTS[best], curve[best]]], look="ring", size=8, labels=("cheapest here",)),
            Points([[cut, min(here, top)]], look="dot", size=6, labels=("this threshold",)),
        ),
        Axis("threshold", 0, 1),
        Axis("cost for each row", 0, top),
        "the bill",
        height=0.9,
    )
    readouts = (
        ("false alarms", str(false)),
        ("misses", str(missed)),
        ("cost for each row", number(float(here), 3)),
    )
    sentence = (
        f"A miss costs {number(miss)} false alarms: threshold {number(cut, 2)} gives {false} false "
        f"alarms, {missed} misses and a cost of {number(float(here), 3)}; the cheapest of these "
        f"rows is {number(float(curve[best]), 3)} at {number(float(CUTS[best]), 2)}."
    )
    panels = (_heaps(labels, chance, cut, names), bill)
    return Scene(panels, sentence, readouts, columns=2, shared_legend=True)
