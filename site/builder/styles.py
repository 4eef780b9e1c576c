"""The colours of the course's pictures, for the theme that the reader has chosen on the page."""

from __future__ import annotations

from lectures_lib.figures.palette import DARK, LIGHT
from lectures_lib.widgets.widget import STYLE

BY_CHOICE = """
body[data-theme="{theme}"] .lm {{ {variables} }}
body[data-theme="{theme}"] .lm-figure img {{ color-scheme: {theme}; }}
"""


def stylesheet() -> str:
    """The widget's own style, and its colours where the page's switch overrules the system."""
    chosen = [
        BY_CHOICE.format(
            theme=theme,
            variables=" ".join(f"--lm-{name}: {value};" for name, value in colours.items()),
        )
        for theme, colours in (("light", LIGHT), ("dark", DARK))
    ]
    return STYLE + "".join(chosen) + on_paper()


def on_paper() -> str:
    """Print is light, whatever the screen shows."""
    variables = " ".join(f"--lm-{name}: {value};" for name, value in LIGHT.items())
    images = "body[data-theme] .lm-figure img { color-scheme: light; }"
    return f"@media print {{ body[data-theme] .lm {{ {variables} }} {images} }}\n"
