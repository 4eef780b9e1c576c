"""The picture of the chapter: probabilities in two heaps, and what every threshold costs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lectures_lib.figures import Axis, Curve, Line, Panel, Points, Scene
from lectures_lib.figures.plane import heaps
from lectures_lib.figures.scene import Array, Floats
from lectures_lib.figures.words import number

EDGES = np.linspace(0, 1, 21)
CUTS = np.linspace(0, 1, 101)
Names = tuple[str, str]


def bills(y: Array, p: Floats, cuts: Floats, costs: tuple[float, float]) -> Floats:
    """The mean cost of the rule "call it positive from this probability on", for each cut."""
    called = p[None, :] >= cuts[:, None] - 1e-9
    return np.asarray(np.where(called, costs[0] * (y == 0), costs[1] * (y == 1)).mean(axis=1))


def _heaps_panel(y: Array, p: Floats, cut: float, names: Names) -> Panel:
    counts = [np.histogram(p[y == k], EDGES)[0].astype(float) for k in (0, 1)]
    marks = heaps(EDGES, counts, cut, names, ("false alarms", "misses"))
    x = Axis("probability from the held-out fold", 0, 1)
    y_axis = Axis("rows", 0, 1.1 * float(np.max(counts)))
    return Panel(tuple(marks), x, y_axis, "two heaps", height=0.9)


def threshold_scene(
    y: npt.ArrayLike, p: npt.ArrayLike, names: Names, cut: float, miss: float
) -> Scene:
    """Both heaps with one threshold, and the bill of all thresholds; a false alarm costs 1."""
    labels, chance = np.asarray(y), np.asarray(p, dtype=float)
    curve, (here,) = (bills(labels, chance, c, (1.0, miss)) for c in (CUTS, np.array([cut])))
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
        ("cost for each row", number(here, 3)),
        ("the cheapest", number(curve[best], 3)),
    )
    sentence = (
        f"A miss has the price {number(miss)}: threshold {number(cut)} gives {false} false "
        f"alarms, {missed} misses and a cost of {number(here, 3)}; the cheapest of these "
        f"rows is {number(curve[best], 3)} at {number(CUTS[best])}."
    )
    panels = (_heaps_panel(labels, chance, cut, names), bill)
    return Scene(panels, sentence, readouts, columns=2, shared_legend=True)
