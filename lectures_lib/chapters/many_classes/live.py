"""The live pictures of many classes: centres that are dragged, bits that flip, scores that grow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from lectures_lib.chapters.many_classes.pictures import NAMES, code_scene, scale_scene, votes_scene
from lectures_lib.datasets import DataSet
from lectures_lib.figures import Axis, Scene
from lectures_lib.figures.words import count
from lectures_lib.widgets import Cloud, Live, live, points, slider, toggle

AXES = (Axis("x₁", -5.0, 5.0), Axis("x₂", -5.0, 5.0))
CENTRES = ((0.0, 2.4), (-2.1, -1.2), (2.1, -1.2))


def claims() -> Live:
    """Three class centres to drag; the undecided places of both schemes are hatched."""
    spread = 0.6 * np.random.default_rng(2).standard_normal((3, 20, 2))
    spread -= spread.mean(axis=1, keepdims=True)
    labels = np.repeat([0, 1, 2], 20)

    def scene(centres: Cloud) -> Scene:
        X = (centres.X[:, None] + spread).reshape(-1, 2)
        return votes_scene(X, labels, axes=AXES, centres=centres.X)

    hands = points(CENTRES, [0, 1, 2], classes=NAMES, editable=False, label="class centres")
    return live(scene, centres=hands)


def flipped_bits(code: npt.ArrayLike) -> Live:
    """The word of class 0 with switches that flip its bits; the pictures are sent ahead."""
    words = np.asarray(code, dtype=int)

    def scene(**flips: bool) -> Scene:
        bits = np.array(list(flips.values()), dtype=int)
        shown = code_scene(words, words[0] ^ bits)
        right = shown.readouts[0][1] == "class 0"
        outcome = "class 0 is still read" if right else "class 0 is lost"
        return replace(shown, readouts=((f"{count(bits.sum(), 'flip')}", outcome), *shown.readouts))

    switches = {
        f"bit_{i}": toggle(i == 3, label=f"flip bit {i}").on(f"Region {i + 1}, 0")
        for i in range(1, words.shape[1] + 1)
    }
    return live(scene, **switches)


def units(data: DataSet) -> Live:
    """One factor on the scores of class 0: its own line stays, the largest score does not."""

    def scene(factor: float) -> Scene:
        return scale_scene(data.X, data.y, factor)

    label = "scores of class 0 are multiplied by"
    factors = slider(0.1, 10, 10**0.25, value=1, label=label, log=True)
    return live(scene, factor=factors.on("Curve 0"))
