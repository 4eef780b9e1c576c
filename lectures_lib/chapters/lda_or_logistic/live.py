"""The live pictures: the distance of two classes and what it costs; far examples under the hand."""

from __future__ import annotations

from lectures_lib.chapters.lda_or_logistic.pictures import (
    FARTHEST,
    PLACE,
    efficiency_scene,
    far_scene,
)
from lectures_lib.figures import Scene
from lectures_lib.widgets import Live, arrow, live, threshold


def efficiency() -> Live:
    """The distance of the means, held on Efron's curve."""
    distances = threshold(0, FARTHEST, 0.1, value=2.5, panel=1, label="distance of the means").on(
        "class 0, top", "class 1, top", "Points 0"
    )
    return live(efficiency_scene, distance=distances)


def far() -> Live:
    """Four examples of class 1, carried away from their class by an arrow."""

    def scene(step: tuple[float, float]) -> Scene:
        return far_scene((PLACE[0] + step[0], PLACE[1] + step[1]))

    carried = "far examples from the mean of class 1"
    return live(scene, step=arrow((8, 6), reach=10, step=2, tail=PLACE, label=carried))
