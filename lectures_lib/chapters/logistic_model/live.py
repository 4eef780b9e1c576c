"""The live pictures of the logistic model."""

from __future__ import annotations

import numpy as np

from lectures_lib.chapters.logistic_model.pictures import SCALES, age_scene
from lectures_lib.datasets import load_titanic
from lectures_lib.figures import Scene
from lectures_lib.widgets import Live, choice, live, slider


def one_feature() -> Live:
    """Women of the third class: bias and weight of age, on three scales."""
    titanic = load_titanic()
    female, age, passenger_class = titanic.X.T
    group = (female == 1) & (passenger_class == 3) & ~np.isnan(age)
    ages, y = age[group], titanic.y[group]

    def scene(w0: float, w: float, scale: str) -> Scene:
        return age_scene(ages, y, w0, w, scale)

    return live(
        scene,
        w0=slider(-3, 3, 0.25, value=2, label="w0, log-odds at birth"),
        w=slider(-1.5, 1.5, 0.125, value=-1, label="w, log-odds for each ten years"),
        scale=choice(list(SCALES), label="scale"),
    )
