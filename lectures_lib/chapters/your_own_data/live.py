"""The live picture of the chapter: a threshold under the hand, on the reader's own rows."""

from __future__ import annotations

from functools import partial

import numpy.typing as npt

from lectures_lib.chapters.your_own_data.pictures import Names, threshold_scene
from lectures_lib.widgets import Live, choice, live
from lectures_lib.widgets import threshold as on_axis


def threshold(y: npt.ArrayLike, p: npt.ArrayLike, miss: float, names: Names) -> Live:
    """The threshold is dragged on the heaps; the bill follows, for several costs of a miss."""
    prices = {f"{price:g}": float(price) for price in sorted({1.0, 2.0, 4.0, 10.0, float(miss)})}
    return live(
        partial(threshold_scene, y, p, names),
        cut=on_axis(0, 1, 0.05, value=0.5, panel=0, label="threshold").on(
            "this threshold", "Line 2"
        ),
        miss=choice(prices, value=float(miss), label="cost of a miss, in false alarms").on(
            "1 / (1 + cost of a miss)"
        ),
    )
