"""The live pictures of metrics: a threshold under the hand, and the line of equal cost."""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from lectures_lib.chapters.metrics.pictures import HIGH, LOW, STEP, cost_scene, threshold_scene
from lectures_lib.widgets import Live, choice, live
from lectures_lib.widgets import threshold as on_axis


def _shares(y: npt.ArrayLike, *others: float) -> dict[str, float]:
    """The share of spam in the data, with which the cells compute, and others to choose."""
    return {f"{100 * share:.0f} %": share for share in (float(np.asarray(y).mean()), *others)}


def threshold(y: npt.ArrayLike, s: npt.ArrayLike) -> Live:
    """The threshold is dragged on the two heaps; all counts and both points follow."""
    return live(
        partial(threshold_scene, y, s),
        cut=on_axis(LOW, HIGH, STEP, value=0.0, panel=0, label="threshold").on(
            "this threshold", "Points 1"
        ),
        prevalence=choice(_shares(y, 0.2, 0.05, 0.01), label="share of spam"),
    )


def costs(y: npt.ArrayLike, s: npt.ArrayLike) -> Live:
    """The threshold is dragged on the cost curve; the line of equal cost moves in the ROC plane."""
    prices = {str(p): float(p) for p in (1, 5, 20, 100)}
    return live(
        partial(cost_scene, y, s),
        cut=on_axis(LOW, HIGH, 2 * STEP, value=-1.0, panel=0, label="threshold").on(
            "this threshold", "Points 3"
        ),
        price=choice(prices, value=5.0, label="cost of a good message that is lost").on(
            "this cost"
        ),
        prevalence=choice(_shares(y, 0.05), label="share of spam"),
    )
