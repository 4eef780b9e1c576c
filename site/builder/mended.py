"""What the theme leaves out for readers who do not see the page."""

from __future__ import annotations

from pathlib import Path

MISSING = {
    # captions of the side bar are headings without a level
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    # two complementary landmarks without names
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="The site">',
    '<aside class="toc-drawer': '<aside aria-label="Contents of this page" class="toc-drawer',
}


def mend(folder: Path) -> None:
    """Add it to every page below a folder."""
    for path in folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for found, whole in MISSING.items():
            text = text.replace(found, whole)
        path.write_text(text, encoding="utf-8")
