"""The live picture of the maximum margin: points that are dragged, and what holds the street."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lectures_lib.chapters.maximum_margin.pictures import street_scene, units_scene
from lectures_lib.datasets import DataSet, load_iris, make_gaussian_classes
from lectures_lib.figures import Axis, Curve, Line, Panel, Points, Scene
from lectures_lib.margin import HardMarginSVM
from lectures_lib.widgets import Cloud, Live, live, points, slider

AXES = (Axis("x₁", -3.5, 3.5), Axis("x₂", -3.5, 3.5))
PETALS = ("petal length, cm", "petal width, cm")
HARDEST = 1e4  # the slider's last constant: as good as a hard margin here


def overlap() -> DataSet:
    """Two classes that no line separates."""
    return make_gaussian_classes([[-1, -0.7], [1, 0.7]], np.eye(2) * 0.7, None, 22, rng=1)


def street() -> Live:
    """Points to drag, and C: the street, its kerbs, the multipliers, the two halves."""
    sample = make_gaussian_classes([[-1.4, -0.9], [1.4, 0.9]], np.eye(2) * 0.35, None, 22, rng=2)
    mixed = overlap()

    hard = HardMarginSVM().fit(sample.X, sample.y)
    ghost = Line(hard.coef_[0], float(hard.intercept_[0]), "guide", "where it began")

    def scene(examples: Cloud, C: float) -> Scene:
        return street_scene(examples.X, examples.y, C, AXES, "examples", (ghost,))

    presets = {"a wide gap": (sample.X, sample.y), "overlap": (mixed.X, mixed.y)}
    start = points(sample.X, sample.y, label="examples", most=60, presets=presets)
    penalty = slider(0.01, HARDEST, 10**0.5, value=HARDEST, label="C", log=True)
    return live(scene, examples=start, C=penalty.on("kerbs g = ±1", "Line 2", "Region 0, 0"))


def units() -> Live:
    """The petals of two irises, with the unit of their width under the hand."""
    iris = load_iris().only("setosa", "versicolor")
    petals = iris.X[:, [2, 3]]
    factors = slider(0.01, 100, 10**0.25, value=1, label="width is multiplied by", log=True)
    logs = np.log10(factors.values)
    fits = [HardMarginSVM().fit(petals * [1, f], iris.y).coef_[0] * [1, f] for f in factors.values]
    steep = np.degrees([np.arctan2(w[0], w[1]) for w in fits])  # of the line, against the length
    powers = ((-2, "0.01"), (-1, "0.1"), (0, "1"), (1, "10"), (2, "100"))

    def scene(factor: float) -> Scene:
        name = f"width in units of {10 / factor:.3g} mm"
        street = units_scene(petals, iris.y, ((factor, name),), iris.class_names, PETALS)
        at = [[np.log10(factor), np.interp(np.log10(factor), logs, steep)]]
        marks = Curve(logs, steep), Points(at, look="dot", size=6, labels=("this unit",))
        x, y = Axis("width is multiplied by", -2.1, 2.1, powers), Axis("degrees", 0, 95)
        angles = Panel(marks, x, y, "how steeply the line falls", height=0.62)
        return replace(street, panels=(*street.panels, angles), columns=2)

    return live(scene, factor=factors.on("boundary", "kerbs", "Line 2", "this unit"))
