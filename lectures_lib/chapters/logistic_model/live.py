"""The live pictures of the logistic model."""

from __future__ import annotations

import numpy as np

from lectures_lib.chapters.logistic_model.pictures import SCALES, age_scene
from lectures_lib.datasets import load_titanic
from lectures_lib.figures import Scene
from lectures_lib.widgets import Live, choice, live, slider, threshold


def one_feature() -> Live:
    """Women of the third class: the model of one feature, on three scales."""
    titanic = load_titanic()
    female, age, passenger_class = titanic.X.T
    group = (female == 1) & (passenger_class == 3) & ~np.isnan(age)
    ages, y = age[group], titanic.y[group]

    def scene(half: float, w: float, scale: str) -> Scene:
        return age_scene(ages, y, -w * half / 10, w, scale)

    return live(
        scene,
        half=threshold(0, 80, 2.5, value=40, label="age with probability 50 %").on("Points 3"),
        w=slider(-1.5, 1.5, 0.25, value=-1, label="w, change of the log-odds in ten years").on(
            "model", "at age 30"
        ),
        scale=choice(list(SCALES), label="scale"),
    )
