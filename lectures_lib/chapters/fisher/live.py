"""The live pictures of Fisher's discriminant: a direction that turns, a cut that moves."""

from __future__ import annotations

from lectures_lib.chapters.fisher.pictures import (
    LINE,
    TURN,
    sheared_clouds,
    thresholds_scene,
    turning_scene,
)
from lectures_lib.figures import Scene
from lectures_lib.widgets import DirectionAt, Live, direction, live, slider, threshold


def turn() -> Live:
    """The direction w is turned in the cloud or on the curve of J; all angles are sent ahead."""
    centre = sheared_clouds().X.mean(axis=0)
    hand = direction(20, centre=centre, turn=TURN, label="angle of w").on("Curve 1")

    def scene(w: DirectionAt) -> Scene:
        return turning_scene(w.angle)

    return live(scene, w=hand)


def cuts() -> Live:
    """The cut is dragged; the prior is chosen; all is sent ahead."""
    return live(
        thresholds_scene,
        cut=threshold(LINE.lo, LINE.hi, 0.1, value=0, label="cut"),
        prior=slider(0.1, 0.9, 0.1, value=0.9, label="prior of class 1").on(
            "class 0, top", "class 1, top"
        ),
    )
