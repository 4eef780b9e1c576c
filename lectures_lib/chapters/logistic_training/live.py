"""The live pictures of training."""

from __future__ import annotations

from lectures_lib.chapters.logistic_training.pictures import parabola_scene, ravine_scene
from lectures_lib.figures import Scene
from lectures_lib.widgets import Cloud, Live, choice, live, points, position, slider, toggle


def ravine() -> Live:
    """Three paths from a start that is dragged, with one switch that turns the ravine to a bowl."""

    def scene(start: Cloud, standardised: bool, factor: float, size: int, halving: bool) -> Scene:
        w0, w1 = start.X[0]
        return ravine_scene(standardised, (w0, w1), factor, size, halving, handle="start")

    return live(
        scene,
        start=points(
            [[-1.0, -1.0]], classes=("start",), editable=False, fewest=1, most=1, label="start"
        ),
        standardised=toggle(False, label="standardise"),
        factor=slider(0.25, 8, 2**0.5, value=1, label="step of descent, times 1/L", log=True).on(
            "gradient descent, end"
        ),
        size=choice({str(n): n for n in (8, 32, 128, 466)}, label="minibatch"),
        halving=toggle(True, label="halve Newton's steps that climb"),
    )


def parabola() -> Live:
    """The loss along one weight with the parabola of Newton's step, from every start."""
    return live(
        parabola_scene,
        start=position(-4, 6, 0.125, value=3, label="start w₁").on("here"),
    )
