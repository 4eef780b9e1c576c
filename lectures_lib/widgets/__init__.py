"""Live figures: `live` with the controls `slider`, `choice`, `toggle`, `steps` and `points`."""

from lectures_lib.widgets.controls import Cloud, choice, points, slider, steps, toggle
from lectures_lib.widgets.live import Live, live

__all__ = ["Cloud", "Live", "choice", "live", "points", "slider", "steps", "toggle"]
