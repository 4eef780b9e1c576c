"""Settings of Sphinx for the course's site. `build_site.py` writes what is read here."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

project = "Linear classification"
author = "the authors of the course"
copyright = "the authors of the course; text CC BY 4.0, code BSD-3-Clause"
extensions = ["myst_nb"]
language = "en"

# The notebooks are stored with their outputs; nothing is run here.
nb_execution_mode = "off"
myst_enable_extensions = [
    "amsmath",
    "attrs_block",
    "attrs_inline",
    "colon_fence",
    "deflist",
    "dollarmath",
]
myst_heading_anchors = 3

html_theme = "furo"
html_title = project
html_static_path = ["static"]
html_copy_source = False
html_show_sourcelink = False
