"""Figures as data. `show(scene)` draws one; `lectures_lib.widgets.live` brings it to life.

In a notebook, a plain Matplotlib figure also gets its sentence and the colours of the theme.
"""

from lectures_lib.figures.marks import (
    Arrow,
    Bars,
    Curve,
    HalfPlane,
    Image,
    Line,
    Points,
    Raster,
    Region,
    Segments,
    Text,
    Track,
    between,
    histogram,
)
from lectures_lib.figures.picture import Picture, show
from lectures_lib.figures.plain import tell_figures
from lectures_lib.figures.scene import Axis, Mark, Panel, Scene

__all__ = [
    "Arrow",
    "Axis",
    "Bars",
    "Curve",
    "HalfPlane",
    "Image",
    "Line",
    "Mark",
    "Panel",
    "Picture",
    "Points",
    "Raster",
    "Region",
    "Scene",
    "Segments",
    "Text",
    "Track",
    "between",
    "histogram",
    "show",
]

tell_figures()
