"""How the site is made, and which of its pictures are alive."""

from __future__ import annotations

TEXT = """\
# About this site

Every chapter here is a Jupyter notebook of the course. Its outputs are the stored ones, which the
tests of the course compute anew and compare; nothing runs while you read, and nothing is sent
anywhere.

Under many pictures stands a second one that answers to the mouse, to touch and to the keyboard.
Its scenes were computed when the site was built. Where a picture has too many scenes for that, a
sentence says what it does in JupyterLab, with the notebook at hand.
"""


def pages() -> dict[str, str]:
    """The one page of this module."""
    return {"about/this_site.md": TEXT}
