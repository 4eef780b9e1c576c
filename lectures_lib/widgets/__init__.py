"""Live figures: `live` with the controls `slider`, `choice`, `toggle`, `steps` and `points`.

A page exported with `PAGE_SCRIPT` beside it is alive without a kernel and without the network:

    jupyter nbconvert --to html --HTMLExporter.widget_renderer_url=page.js notebook.ipynb
"""

from pathlib import Path

from lectures_lib.widgets.controls import Cloud, choice, points, slider, steps, toggle
from lectures_lib.widgets.widget import Live, live

PAGE_SCRIPT = Path(__file__).parent / "page.js"

__all__ = ["PAGE_SCRIPT", "Cloud", "Live", "choice", "live", "points", "slider", "steps", "toggle"]
