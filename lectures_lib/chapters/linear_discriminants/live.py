"""The live pictures of linear discriminants: a distance, a block that pulls, three centres."""

from __future__ import annotations

import numpy as np

from lectures_lib.chapters.linear_discriminants.pictures import (
    centres_scene,
    geometry_scene,
    pull_scene,
)
from lectures_lib.datasets import DataSet, make_gaussian_classes
from lectures_lib.figures import Axis, Scene
from lectures_lib.figures.scene import Floats
from lectures_lib.widgets import Cloud, LineAt, Live, line, live, points, slider


def signed_distances() -> Live:
    """A line that turns and moves, and a point that the hand carries across it."""

    def scene(p: Cloud, cut: LineAt, length: float) -> Scene:
        return geometry_scene(length * np.array(cut.w), length * cut.w0, p.X[0], handle="p")

    return live(
        scene,
        p=points([[2.0, 2.5]], classes=("x",), editable=False, label="the point"),
        cut=line(25, 0.9, reach=3, arrow=(0, 0, 1), label="line"),
        length=slider(0.5, 4, 0.5, value=2, label="‖w‖"),
    )


def pull_data() -> tuple[DataSet, Floats]:
    """Two overlapping classes, and a block of points of class 1 around 0, to be moved away."""
    spread = np.diag([0.45, 1.0])
    base = make_gaussian_classes([[-1.2, 0], [1.2, 0]], spread, None, 60, rng=4)
    block: Floats = 0.3 * np.random.default_rng(3).standard_normal((12, 2))
    return base, block


def far_and_correct() -> Live:
    """A block of correct points that the hand carries away, and the boundary that follows it."""
    base, block = pull_data()

    def scene(block_centre: Cloud) -> Scene:
        return pull_scene(base.X, base.y, block, block_centre.X[0], "block_centre")

    names = ("the block",)
    hand = points([[7.0, -7.0]], classes=names, editable=False, label="the block of class 1")
    return live(scene, block_centre=hand)


def three_centres() -> Live:
    """Three classes whose centres are dragged: least squares beside LDA."""
    spread = 0.45 * np.random.default_rng(5).standard_normal((3, 20, 2))
    spread -= spread.mean(axis=1, keepdims=True)
    axes = (Axis("x₁", -5.0, 5.0), Axis("x₂", -5.0, 5.0))
    labels = np.repeat([0, 1, 2], 20)

    def scene(centres: Cloud) -> Scene:
        X = (centres.X[:, None] + spread).reshape(-1, 2)
        return centres_scene(X, labels, axes, centres.X)

    start, names = [[-2.6, -2.0], [0.0, 0.0], [2.6, 2.0]], ("a centre",)
    hands = points(start, classes=names, editable=False, label="class centres")
    return live(scene, centres=hands)
