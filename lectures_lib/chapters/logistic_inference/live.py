"""The live picture of inference: two groups that are pulled apart."""

from __future__ import annotations

from lectures_lib.chapters.logistic_inference.pictures import separation_scene
from lectures_lib.widgets import Live, choice, live, position


def separation() -> Live:
    """The gap between two groups, and a ridge: the weight, its error and its z."""
    return live(
        separation_scene,
        gap=position(0, 6, 0.1, value=3.4, label="middle of class 1, the gap").on(
            "class 1", "Points 1", "Points 2"
        ),
        ridge=choice({"none": 0.0, "0.01": 0.01, "0.1": 0.1, "1": 1.0}, label="ridge"),
    )
