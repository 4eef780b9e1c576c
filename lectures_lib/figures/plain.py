"""A plain Matplotlib figure in a notebook: in the colours of the theme, and told in a sentence.

The reader's cell stays `plt.plot(…); plt.show()`. Left alone, it puts out a PNG that has no name
for who cannot see it and is white in a dark page, and nbval compares nothing. With these methods
the output also holds an SVG that follows the theme, with the sentence as its alternative text.
"""

from __future__ import annotations

import base64
import io
import re
import sys
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

from lectures_lib.figures.marks import LEVELS
from lectures_lib.figures.picture import image_tag, in_page
from lectures_lib.figures.plain_words import sentence
from lectures_lib.figures.svg import colours, data_uri

LONGEST = 400_000  # characters of an SVG; with more marks than that, a PNG stands in its place


def tell_figures() -> None:
    """In a notebook, show every Matplotlib figure with its sentence.

    As methods of the class, since Matplotlib throws all registered formatters away when a cell
    draws for the first time.
    """
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if getattr(shell, "kernel", None) is not None:
        setattr(Figure, "_repr_html_", as_html)  # noqa: B010
        setattr(Figure, "_repr_pretty_", _as_plain)  # noqa: B010


def _as_plain(figure: Figure, printer: Any, cycle: bool) -> None:
    printer.text(sentence(figure))


def as_html(figure: Figure) -> str:
    """The figure as an image whose colours follow the theme, with its sentence."""
    svg = _drawn(figure, "svg").decode("utf-8")
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert size is not None
    if len(svg) <= LONGEST:
        address = data_uri(in_theme(svg))
    else:
        address = "data:image/png;base64," + base64.b64encode(_drawn(figure, "png")).decode("ascii")
    width, height = (round(float(points)) for points in size.groups())  # about that of our panels
    return in_page(image_tag(sentence(figure), address, width, height))


def _drawn(figure: Figure, kind: str) -> bytes:
    """The bytes of the figure, the same each time."""
    target = io.BytesIO()
    with rc_context({"svg.hashsalt": "course"}):
        metadata = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(target, format=kind, bbox_inches="tight", metadata=metadata)
    return target.getvalue()


def in_theme(svg: str) -> str:
    """White becomes paper, black becomes ink, and greys lie between; other colours stay."""

    def variable(found: re.Match[str]) -> str:
        darkness = round((255 - int(found[1], 16)) / 255 * LEVELS)
        return f"var(--lm-{ {0: 'paper', LEVELS: 'ink'}.get(darkness, f'grey-{darkness}') })"

    content = re.sub(r"#([0-9a-f]{2})\1\1\b", variable, svg[svg.index("<svg") :])
    content = re.sub(r"<metadata>.*?</metadata>", "", content, flags=re.DOTALL)
    style = colours(f"{content}var(--lm-ink)")
    return content.replace("<defs>", f"<style>{style}svg{{fill:var(--lm-ink)}}</style><defs>", 1)
