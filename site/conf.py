"""Settings of Sphinx for the course's site. `build_site.py` writes what is read here."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

project = "Linear classification"
author = "the authors of the course"
copyright = "the authors of the course. Text CC BY 4.0, code BSD-3-Clause"
language = "en"
extensions = ["myst_nb", "builder.katex"]
exclude_patterns = ["originals"]

# The notebooks are stored with their outputs; nothing is run here.
nb_execution_mode = "off"
nb_render_markdown_format = "myst"
myst_enable_extensions = [
    "amsmath",
    "attrs_block",
    "attrs_inline",
    "colon_fence",
    "deflist",
    "dollarmath",
]
myst_heading_anchors = 3
html_math_renderer = "katex"

html_theme = "furo"
html_title = project
templates_path = ["templates"]
html_static_path = ["static"]
html_css_files = ["picture.css", "course.css"]
html_js_files = [(name, {"defer": "defer"}) for name in ("live.js", "wide.js", "disk.js")]
html_copy_source = False
html_show_sourcelink = False
html_theme_options: dict[str, object] = {
    "top_of_page_buttons": [],
    "dark_css_variables": {"color-background-primary": "#111111"},  # as the pictures' paper
}
html_use_index = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
