"""The live pictures of softmax regression: the simplex, a digit's bars, three centres."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lectures_lib.chapters.softmax.pictures import scores_scene, simplex_scene, sure_scene
from lectures_lib.figures import Axis, Scene
from lectures_lib.figures.scene import numbers
from lectures_lib.softmax import SoftmaxRegression
from lectures_lib.widgets import Cloud, Live, arrow, choice, live, points, slider

START = (1.5, 0.5)
AXES = (Axis("x₁", -5.0, 5.0), Axis("x₂", -5.0, 5.0))
CENTRES = ((-2.0, -1.5), (2.0, -1.5), (0.0, 2.0))


def simplex() -> Live:
    """A place in the plane of scores, dragged; a temperature; the place in the triangle."""
    return live(
        simplex_scene,
        place=arrow(START, reach=3, step=0.5, label="scores").on("Points 1"),
        temperature=slider(0.25, 4, 2, value=1, label="temperature", log=True).on("Curve 3"),
    )


def digit(images: npt.ArrayLike, scores: npt.ArrayLike, names: list[str]) -> Live:
    """One picture's scores and probabilities; add a constant to all scores, or heat them."""
    pictures = np.asarray(images, dtype=float)
    table = numbers(scores, "scores", ndim=2)
    largest = np.argsort(-table[0])  # the first bar of a control has the knob

    def scene(which: int, shift: float, temperature: float) -> Scene:
        return scores_scene(pictures[which], table[which], temperature, shift)

    return live(
        scene,
        which=choice({name: i for i, name in enumerate(names)}, label="picture"),
        shift=slider(-10, 10, 2, value=0, label="added to all scores").on(
            *(f"Bars {k}, 0" for k in largest)
        ),
        temperature=slider(0.25, 8, 2, value=1, label="temperature", log=True).on(
            *(f"Bars {10 + k}, 0" for k in largest)
        ),
    )


def three_centres() -> Live:
    """Three class centres to drag, fitted anew at every move, and a temperature afterwards."""
    spread = 0.8 * np.random.default_rng(5).standard_normal((3, 20, 2))
    spread -= spread.mean(axis=1, keepdims=True)
    labels = np.repeat([0, 1, 2], 20)

    def scene(centres: Cloud, temperature: float) -> Scene:
        X = (centres.X[:, None] + spread).reshape(-1, 2)
        model = SoftmaxRegression(C=10.0).fit(X, labels)
        return sure_scene(X, labels, model, AXES, temperature=temperature, centres=centres.X)

    names = ("class 0", "class 1", "class 2")
    start = points(
        CENTRES, [0, 1, 2], classes=names, editable=False, fewest=3, most=3, label="class centres"
    )
    return live(
        scene,
        centres=start,
        temperature=slider(0.25, 4, 2, value=1, label="temperature", log=True).on("Curve 0"),
    )
