"""The live pictures of the logistic model."""

from __future__ import annotations

from lectures_lib.chapters.logistic_model.pictures import SCALES, radius_scene
from lectures_lib.datasets import load_breast_cancer
from lectures_lib.figures import Scene
from lectures_lib.widgets import Live, choice, live, slider, threshold


def one_feature() -> Live:
    """Biopsies by the radius of their nuclei: the model of one feature, on three scales."""
    data = load_breast_cancer()
    radius, y = data.X[:, 0], data.y

    def scene(half: float, w: float, scale: str) -> Scene:
        return radius_scene(radius, y, half, w, scale)

    return live(
        scene,
        half=threshold(12, 18, 0.25, value=13, label="radius with probability 50 %").on("Points 0"),
        w=slider(0, 2, 0.25, value=0.25, label="w, change of the log-odds for one unit").on(
            "model"
        ),
        scale=choice(list(SCALES), label="scale"),
    )
