"""The live picture of chapter learning_from_examples: the three gaps under the reader's hand."""

from __future__ import annotations

import itertools

from lectures_lib import learning
from lectures_lib.chapters.learning_from_examples.pictures import sources_scene
from lectures_lib.figures import Scene
from lectures_lib.widgets import Live, live, slider


def error_sources() -> Live:
    """Sample size, degree and length of the search; each moves mostly its own bar."""
    controls = {
        "n": slider(20, 1280, 4, value=80, label="examples", log=True).on("Region 5, 1"),
        "degree": slider(1, 9, 2, value=3, label="degree of the polynomial").on("Region 5, 0"),
        "iterations": slider(1, 1024, 4, value=64, label="steps of the search", log=True).on(
            "Region 5, 2"
        ),
    }
    # The experiments are run before the widget opens, which waits for drawing only.
    for n, degree, steps in itertools.product(*(c.values for c in controls.values())):
        learning.error_sources(int(n), int(degree), int(steps))

    start = learning.error_sources(*(int(c.start) for c in controls.values()))

    def scene(n: float, degree: float, iterations: float) -> Scene:
        return sources_scene(int(n), int(degree), int(iterations), start)

    return live(scene, **controls)
