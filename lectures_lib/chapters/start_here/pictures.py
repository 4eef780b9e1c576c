"""Figures of the first notebook: a boundary, and the reader's progress."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lectures_lib.datasets import make_gaussian_classes
from lectures_lib.figures.marks import Bars, Points, Text
from lectures_lib.figures.plane import boundary_scene
from lectures_lib.figures.scene import Axis, Mark, Panel, Scene

SAMPLE = make_gaussian_classes([[-1, -0.6], [1.1, 0.9]], 0.5 * np.eye(2), None, 40, rng=3)
HALF = 0.38  # half the thickness of a bar, in rows


def first_scene(circled: bool = True) -> Scene:
    """The first sample and a line with two mistakes, circled unless they are asked for."""
    scene = boundary_scene(SAMPLE.X, SAMPLE.y, w=[1.0, 0.4], w0=0.5)
    if circled:
        return scene
    (panel,) = scene.panels
    plain = tuple(m for m in panel.marks if not (isinstance(m, Points) and m.look == "ring"))
    return Scene((replace(panel, marks=plain),), "40 points in two classes, and a line.")


def progress() -> Scene:
    """The reader's own, from the folder around the current one; outside it, nothing is earned."""
    from lectures_lib.checks.student.overview import glance, overview
    from lectures_lib.checks.student.progress import folder

    found = overview(folder())
    short = (re.split(r"[:,]| and ", c.chapter.title)[0] for c in found)
    titles = [f"{c.chapter.number:02d} {title}" for c, title in zip(found, short, strict=True)]
    scene = progress_scene([(t, c.best, c.points) for t, c in zip(titles, found, strict=True)])
    best, points = sum(c.best for c in found), sum(c.points for c in found)
    word, _, place = glance(folder(), width=200).splitlines()[-1].partition(": ")
    going = ((word, place.partition(",")[0]),) if word == "next" else ()
    return replace(scene, readouts=(("in all", f"{best:g} of {points:g} points"), *going))


def progress_scene(chapters: Sequence[tuple[str, float, float]]) -> Scene:
    """Points earned out of the points that can be earned: (chapter, earned, possible) for each.

    A chapter is its number and its title, as in "04 The perceptron".
    """
    rows = [float(row) for row in range(len(chapters), 0, -1)]  # the first chapter on top
    places = list(zip(rows, chapters, strict=True))
    told = tuple(f"{earned:g} of {possible:g}" for _, earned, possible in chapters)
    marks: list[Mark] = [_bar(row, p, 5, "can be earned") for row, (_, _, p) in places]
    marks += [_bar(row, e, 9, "earned") for row, (_, e, _) in places if e > 0]
    if chapters:
        ends = [(possible, row) for row, (_, _, possible) in places]
        marks.append(Text(ends, told, "start", shift=(6.0, -4.0)))
        starts = [(0.0, row) for row in rows]
        inside = tuple(name.partition(" ")[2] for name, _, _ in chapters)
        marks.append(Text(starts, inside, "start", shift=(6.0, -4.0)))
    ticks = tuple((row, name.partition(" ")[0]) for row, (name, _, _) in places)
    most = max([possible for _, _, possible in chapters], default=1.0)
    panel = Panel(
        tuple(marks),
        Axis("points", 0.0, 1.25 * most, whole=True),
        Axis("chapter", 0.4, len(chapters) + 0.6, ticks),
        height=0.1 + 0.09 * len(chapters),
    )
    return Scene((panel,), _sentence(chapters, told))


def _bar(row: float, points: float, index: int, label: str) -> Bars:
    return Bars([0.0], [points], [row + HALF], index, label, base=row - HALF)


def _sentence(chapters: Sequence[tuple[str, float, float]], told: Sequence[str]) -> str:
    if not chapters:
        return "Progress: there are no exercises yet."
    earned = sum(points for _, points, _ in chapters)
    possible = sum(points for _, _, points in chapters)
    listed = "; ".join(f"{name} {t}" for (name, _, _), t in zip(chapters, told, strict=True))
    return f"Progress: {earned:g} of {possible:g} points; {listed}."
