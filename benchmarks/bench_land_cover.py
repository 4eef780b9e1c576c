"""The survey of chapter 18: the whole scene classified after each change, and the search behind it.

A change costs what the kernel works: the fit, the map of 122,848 pixels, both halves judged.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import sklearn
from sklearn.neighbors import KNeighborsClassifier

from benchmarks._table import Measured, Row, best_of, side_by_side
from lectures_lib.chapters.land_cover.areas import OURS
from lectures_lib.chapters.land_cover.pictures import ours, survey_scene
from lectures_lib.chapters.land_cover.survey import METHODS, coded, thinned
from lectures_lib.datasets import load_olinda
from lectures_lib.learning import NearestNeighbour


def _change(method: str) -> Callable[[], Measured]:
    """One change of the live survey, with our sixteen areas."""

    def measured() -> Measured:
        cube = load_olinda().cube
        areas = ours(cube, OURS)
        return Measured(best_of(5, lambda: survey_scene(cube, areas, method)), 0.3)

    return measured


def _search() -> Measured:
    """The map by the nearest neighbour, beside scikit-learn's tree."""
    cube = load_olinda().cube
    X, y = thinned(*coded(cube, OURS))
    table = cube.reshape(-1, cube.shape[2]).astype(np.float64)
    our, peer = NearestNeighbour().fit(X, y), KNeighborsClassifier(1).fit(X, y)
    agree = float(np.mean(our.predict(table) == peer.predict(table)))
    mine, other = side_by_side(3, lambda: our.predict(table), lambda: peer.predict(table))
    note = f"{agree:.3%} of the labels agree, the others are ties"
    return Measured(mine, other, peer=f"scikit-learn {sklearn.__version__}", note=note)


ROWS = [
    *(Row(f"one change of the survey: {name}", _change(name)) for name in METHODS),
    Row("nearest neighbour of 122,848 pixels among 919 examples", _search, target=0.7),
]
