"""The windows of StatLog: what they share, where they lie, and what near ones are worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from lectures_lib.figures.scene import Array, Floats


def parts(windows: Floats, i: int, j: int) -> Floats:
    """What each 3 by 3 window shares with the one i rows below it and j columns to its right."""
    return windows[:, max(i, 0) : 3 + min(i, 0), max(j, 0) : 3 + min(j, 0)]


def places(windows: Floats) -> tuple[Array, Array, int]:
    """Which windows hang together with the first, their rows and columns, and contradictions.

    Two windows that are one pixel apart have six pixels in common, with all their bands. So each
    finds its neighbours, and a chain of neighbours leads from the first window to the others.
    """
    beside: list[list[tuple[int, int, int]]] = [[] for _ in windows]
    for i, j in ((1, 0), (0, 1)):
        at = {part.tobytes(): n for n, part in enumerate(parts(windows, -i, -j))}
        for n, part in enumerate(parts(windows, i, j)):
            m = at.get(part.tobytes())
            if m is not None:
                beside[n].append((m, i, j))
                beside[m].append((n, -i, -j))
    place, todo, contradictions = {0: (0, 0)}, [0], 0
    for n in todo:  # grows while it is read
        for m, i, j in beside[n]:
            spot = (place[n][0] + i, place[n][1] + j)
            if m not in place:
                place[m] = spot
                todo.append(m)
            contradictions += place[m] != spot
    known = np.array(sorted(place))
    found = np.array([place[n] for n in known])
    return known, found - found.min(axis=0), contradictions


def without_neighbours(
    gap: int, X: Floats, y: Array, at: Array, is_test: Array, rng: np.random.Generator
) -> tuple[float, float]:
    """Errors of the nearest neighbour where no window within `gap` pixels of it has trained.

    The second is that of a fair comparison: as many windows are taken away, but by lot.
    """
    A, B = X[is_test], X[~is_test]
    distance = (A**2).sum(axis=1)[:, None] + (B**2).sum(axis=1) - 2 * A @ B.T  # whole, so exact
    far: Any = np.abs(at[is_test][:, None] - at[~is_test]).max(axis=2) > gap
    wrong = []
    for kept in (far, rng.permuted(far, axis=1)):
        nearest = np.where(kept, distance, np.inf).argmin(axis=1)
        wrong.append(float(np.mean(y[~is_test][nearest] != y[is_test])))
    return wrong[0], wrong[1]
