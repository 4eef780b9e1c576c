"""The live picture of Gaussian classifiers: two ellipses under the hand, and their boundary."""

from __future__ import annotations

from lectures_lib.chapters.gaussian_classifiers.pictures import CONICS, REACH, conic_scene
from lectures_lib.figures import Scene
from lectures_lib.widgets import EllipseAt, Live, ellipse, live, slider, toggle


def ellipses() -> Live:
    """Two Gaussian classes whose centres and axes are dragged, with own or shared covariance."""
    means, covariances = CONICS["wide and narrow"]

    def scene(zero: EllipseAt, one: EllipseAt, prior: float, shared: bool) -> Scene:
        return conic_scene([zero.mean, one.mean], [zero.cov, one.cov], prior, shared)

    return live(
        scene,
        zero=ellipse(means[0], covariances[0], reach=REACH - 1, label="class 0"),
        one=ellipse(means[1], covariances[1], reach=REACH - 1, label="class 1"),
        prior=slider(0.05, 0.95, 0.05, value=0.5, label="prior of class 1"),
        shared=toggle(False, label="one shared covariance"),
    )
