"""The live pictures of metrics: a threshold under the hand, and the line of equal cost."""

from __future__ import annotations

import numpy.typing as npt

from lectures_lib.chapters.metrics.pictures import HIGH, LOW, STEP, cost_scene, threshold_scene
from lectures_lib.figures import Scene
from lectures_lib.widgets import Live, choice, live
from lectures_lib.widgets import threshold as on_axis

SHARES = {"39 %": 0.39, "20 %": 0.2, "5 %": 0.05, "1 %": 0.01}


def threshold(y: npt.ArrayLike, s: npt.ArrayLike) -> Live:
    """The threshold is dragged on the two heaps; all counts and both points follow."""

    def scene(cut: float, prevalence: float) -> Scene:
        return threshold_scene(y, s, cut, prevalence)

    return live(
        scene,
        cut=on_axis(LOW, HIGH, STEP, value=0.0, panel=0, label="threshold"),
        prevalence=choice(SHARES, label="share of spam"),
    )


def costs(y: npt.ArrayLike, s: npt.ArrayLike) -> Live:
    """The threshold is dragged on the cost curve; the line of equal cost moves in the ROC plane."""

    def scene(cut: float, price: float, prevalence: float) -> Scene:
        return cost_scene(y, s, cut, price, prevalence)

    prices = {str(p): float(p) for p in (1, 5, 20, 100)}
    return live(
        scene,
        cut=on_axis(LOW, HIGH, 2 * STEP, value=-1.0, panel=0, label="threshold"),
        price=choice(prices, value=5.0, label="cost of a good message that is lost"),
        prevalence=choice({"39 %": 0.39, "5 %": 0.05}, label="share of spam"),
    )
