"""What the theme leaves out for readers who do not see the page, or who have no mouse."""

from __future__ import annotations

import re
from pathlib import Path

MISSING = {
    # captions of the side bar are headings without a level
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    # two complementary landmarks without names
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="The site">',
    '<aside class="toc-drawer': '<aside aria-label="Contents of this page" class="toc-drawer',
}
WIDE = re.compile(r'<(pre|div class="(formula display|output text_html|table-wrapper)[^"]*")>')
NAMES = {"formula display": "Formula", "output text_html": "Output", "table-wrapper": "Table"}


def mend(folder: Path) -> None:
    """Add it to every page below a folder."""
    for path in folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for found, whole in MISSING.items():
            text = text.replace(found, whole)
        path.write_text(WIDE.sub(_reached, text), encoding="utf-8")


def _reached(found: re.Match[str]) -> str:
    """A part that is scrolled sideways where the page is narrow: the Tab key stops there.

    It does so before any script has run; `wide.js` lets it pass where all of the part is seen.
    """
    name = NAMES.get(found[2], "Code")
    return f'<{found[1]} tabindex="0" role="group" aria-label="{name}">'
