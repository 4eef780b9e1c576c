"""What the chapters derive: each claim, where it stands, and what the two judges said."""

from __future__ import annotations

from pathlib import Path

from builder.markdown import escaped

from lectures_lib.chapters import CHAPTERS, Chapter
from lectures_lib.commands.derivations import texts

COURSE = Path(__file__).resolve().parents[2]
UP = "../"


def pages() -> dict[str, str]:
    """The one page of this module."""
    return {"reference/claims.md": _page()}


def _page() -> str:
    found = {one: texts(one.slug, COURSE) for one in CHAPTERS[1:]}
    counted = [placed.counted() for one in found.values() for placed in one]
    lines, confirmed = (sum(column) for column in zip(*counted, strict=True))
    sections = "\n".join(_section(one) for one, placed in found.items() if placed)
    return f"""\
# What the chapters derive

{len(counted)} derivations with {lines} lines that are judged. Every line is PROVED
([what that means](promise.md)), and SymPy, which is asked as well, finds {confirmed} of them true;
the others are inequalities, conditions and functions with a kink, where it could not decide or
cannot be asked. The last column says for which sizes of its vectors and matrices a claim is
proved. Cells are counted from 0.

{sections}
"""


def _section(one: Chapter) -> str:
    link = f"[{one.number:02d}. {one.title}]({UP}notebooks/{one.stem}.ipynb)"
    rows = ["| claim | cell | lines | SymPy | sizes |", "|---|---:|---:|---:|---|"]
    for placed in texts(one.slug, COURSE):
        lines, confirmed = placed.counted()
        sizes = escaped("; ".join(placed.sizes))
        rows.append(
            f"| {escaped(placed.title)} | {placed.cell} | {lines} | {confirmed} | {sizes} |"
        )
    return f"## {link}\n\n" + "\n".join(rows) + "\n"
