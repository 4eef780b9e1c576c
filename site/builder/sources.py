"""Everything that Sphinx reads, written into one folder."""

from __future__ import annotations

import shutil
from pathlib import Path

from builder.collected import collected_pages, contents

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "site"


def write_sources(folder: Path) -> None:
    """Notebooks, exercises, generated pages and the start page, laid out as in the repository."""
    for part in ("notebooks", "exercises"):
        (folder / part).mkdir(parents=True)
        for path in sorted((ROOT / part).glob("*.ipynb")):
            shutil.copy(path, folder / part)
    for name, text in collected_pages().items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    start = (SITE / "index.md").read_text(encoding="utf-8")
    (folder / "index.md").write_text(start + toctrees(), encoding="utf-8")


def toctrees() -> str:
    """The contents of the site: one hidden table for each caption."""
    tables = []
    for caption, names in contents().items():
        lines = ["```{toctree}", ":hidden:", f":caption: {caption}", "", *names, "```"]
        tables.append("\n".join(lines))
    return "\n\n" + "\n\n".join(tables) + "\n"
