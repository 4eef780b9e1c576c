"""Live figures: `live` and its controls.

Below the picture: `slider`, `choice`, `toggle`, `steps`. With the hand on the picture: `points`,
`areas`, `threshold`, `position`, `line`, `direction`, `turn`, `arrow`, `ellipse`.

A page exported with `PAGE_SCRIPT` beside it is alive without a kernel and without the network:

    jupyter nbconvert --to html --HTMLExporter.widget_renderer_url=page.js notebook.ipynb
"""

from pathlib import Path

from lectures_lib.widgets.controls import (
    Cloud,
    areas,
    choice,
    points,
    rectangles,
    slider,
    steps,
    toggle,
)
from lectures_lib.widgets.hands import (
    DirectionAt,
    EllipseAt,
    LineAt,
    TurnAt,
    arrow,
    direction,
    ellipse,
    line,
    position,
    threshold,
    turn,
)
from lectures_lib.widgets.widget import Live, live

PAGE_SCRIPT = Path(__file__).parent / "page.js"

__all__ = [
    "PAGE_SCRIPT",
    "Cloud",
    "DirectionAt",
    "EllipseAt",
    "LineAt",
    "Live",
    "TurnAt",
    "areas",
    "arrow",
    "choice",
    "direction",
    "ellipse",
    "line",
    "live",
    "points",
    "position",
    "rectangles",
    "slider",
    "steps",
    "threshold",
    "toggle",
    "turn",
]
