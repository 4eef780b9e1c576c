"""The live survey: areas that the reader draws, any two bands, any method of the course."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lectures_lib.chapters.land_cover.areas import CLASSES, OURS, Areas
from lectures_lib.chapters.land_cover.pictures import BANDS, VIEWS, composite, ours, survey_scene
from lectures_lib.chapters.land_cover.survey import METHODS
from lectures_lib.figures import Scene
from lectures_lib.widgets import Cloud, Live, choice, live
from lectures_lib.widgets import areas as drawn_areas


def survey(cube: npt.ArrayLike, areas: Areas = OURS) -> Live:
    """Draw areas on the scene; their pixels, the class map and its areas follow each change."""

    def scene(areas: Cloud, method: str, view: str, first: int, second: int) -> Scene:
        seen = backgrounds[view]
        return survey_scene(cube, areas, method, view, first, second, "areas", seen)

    backgrounds = {view: composite(cube, bands) for view, bands in VIEWS.items()}
    start = ours(cube, areas)
    bands = {name: k for k, name in enumerate(BANDS)}
    nothing: tuple[npt.ArrayLike, npt.ArrayLike] = (np.empty((0, 2, 2)), np.empty(0, dtype=int))
    return live(
        scene,
        areas=drawn_areas(
            start.X.reshape(-1, 2, 2),
            start.y[::2],
            label="training areas",
            classes=CLASSES,
            presets={"nothing yet": nothing},
        ),
        method=choice(list(METHODS), label="method"),
        view=choice(list(VIEWS), value="infrared shown as red", label="colours"),
        first=choice(bands, value=3, label="band to the right"),
        second=choice(bands, value=4, label="band upwards"),
    )
