"""The live pictures of the likelihood."""

from __future__ import annotations

from lectures_lib.chapters.likelihood.pictures import bars_scene, largest_product, minima_scene
from lectures_lib.figures import Scene
from lectures_lib.widgets import Live, choice, live, position, slider, threshold

X12 = (-3.5, -2.75, -2, -1.5, -0.75, -0.25, 0.5, 1, 1.75, 2.25, 3, 3.5)
SAMPLES = {
    "overlapping": (X12, (0, 0, 0, 1, 0, 0, 1, 0, 1, 1, 1, 1)),
    "one label far out is wrong": (X12, (1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1)),
    "separable": (X12, (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1)),
}


def likelihood_bars() -> Live:
    """Bars under the sigmoid, their product and its logarithm: move the curve."""

    best = {name: largest_product(*sample) for name, sample in SAMPLES.items()}

    def scene(half: float, w: float, sample: str) -> Scene:
        return bars_scene(*SAMPLES[sample], -w * half, w, best=best[sample])

    return live(
        scene,
        half=threshold(-4, 4, 0.5, value=1.5, label="x with probability 50 %"),
        w=slider(-1, 5, 0.5, value=0.5, label="weight w").on("Curve 0"),
        sample=choice(list(SAMPLES), label="labels"),
    )


def two_minima() -> Live:
    """Where descent on the squared error and on the cross-entropy ends, from every start."""
    return live(
        minima_scene,
        start=position(-2.5, 3.5, 0.125, value=-1.5, label="start w").on("start", "Points 2"),
    )
