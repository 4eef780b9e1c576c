"""The live pictures of Gaussian classifiers: ellipses, growing samples, shapes that are pulled."""

from __future__ import annotations

from functools import partial

from lectures_lib.chapters.gaussian_classifiers.pictures import (
    CONICS,
    MOST,
    REACH,
    Pulls,
    conic_scene,
    pulls_scene,
    samples_scene,
)
from lectures_lib.figures import Scene
from lectures_lib.widgets import EllipseAt, Live, ellipse, live, slider, toggle


def ellipses() -> Live:
    """Two Gaussian classes whose centres and axes are dragged, with own or shared covariance."""
    means, covariances = CONICS["wide and narrow"]

    def scene(shared: bool, prior: float, zero: EllipseAt, one: EllipseAt) -> Scene:
        return conic_scene([zero.mean, one.mean], [zero.cov, one.cov], prior, shared)

    return live(
        scene,
        shared=toggle(False, label="one shared covariance"),
        prior=slider(0.05, 0.95, 0.05, value=0.5, label="prior of class 1").on("Curve 2"),
        zero=ellipse(means[0], covariances[0], reach=REACH - 1, label="class 0"),
        one=ellipse(means[1], covariances[1], reach=REACH - 1, label="class 1"),
    )


def samples() -> Live:
    """Twelve boundaries of LDA and of QDA over the size of the sample; all sizes are sent ahead."""
    sizes = slider(4, MOST, 2, label="examples of each class", log=True)

    def scene(n: float) -> Scene:
        return samples_scene(round(n))

    return live(scene, n=sizes)


def pulls(way: Pulls) -> Live:
    """Clouds between one shape, own shapes and round ones; the mark is held on its curve."""
    return live(
        partial(pulls_scene, way),
        alpha=slider(0, 1, float(way.alphas[1]), value=1, label="α, own shape"),
        gamma=slider(0, float(way.gammas[-1]), float(way.gammas[1]), label="γ, round").on(
            "Curve 1", "Curve 3", "Curve 5"
        ),
    )
