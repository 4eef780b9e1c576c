"""Pieces of Markdown that several generated pages are made of."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from myst_parser.slugs import github_slugify

from lectures_lib.chapters import chapter
from lectures_lib.concordance import Place, treated
from linecheck.language.latex import wrapped

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
UP = "../"  # from the folder of a generated page to the root of the site


def escaped(text: str) -> str:
    """Plain text with the signs escaped that Markdown would read; `code` stays code."""
    pieces = re.split(r"(`[^`]+`)", text)
    return "".join(p if p[:1] == "`" else re.sub(r"([*_<>|$\\\[\]~])", r"\\\1", p) for p in pieces)


def phone_width(text: str) -> str:
    """The text with its formulas in pieces between which a narrow page may break the line."""
    return re.sub(r"\$([^$]+)\$", lambda found: wrapped(found[1]), text)


def filter_box(selector: str, label: str, up: str = UP) -> str:
    """A search box over the elements of the page that match `selector`; script and style.

    `up` leads from the folder of the page to the root of the site.
    """
    return (
        f'<link rel="stylesheet" href="{up}_static/filter.css">\n'
        f'<div class="filter" data-filter="{selector}" data-label="{label}"></div>\n'
        f'<script defer src="{up}_static/filter.js"></script>\n'
    )


def entry(text: str, name: str = "") -> str:
    """A block that the search box can hide; `#name` leads to it."""
    named = f":name: {name}\n" if name else ""
    return f":::{{container}} entry\n{named}\n{text}\n:::\n"


def chapter_link(slug: str, heading: str = "") -> str:
    """A link to a chapter, or to one of its sections."""
    found = chapter(slug)
    words = f"chapter {found.number:02d}, {found.title}"
    if not heading:
        return f"[{words}]({UP}notebooks/{found.stem}.ipynb)"
    anchor = github_slugify(re.sub(r"\$[^$]*\$|[*`]", "", heading))
    return f"[chapter {found.number:02d}, {heading}]({UP}notebooks/{found.stem}.ipynb#{anchor})"


@cache
def places(slug: str) -> dict[str, Place]:
    """Where a chapter treats an item of the notes or an erratum: id -> place."""
    return treated(NOTEBOOKS / f"{chapter(slug).stem}.ipynb")


def place_link(name: str, slug: str) -> str:
    """A link to the section of a chapter that treats an item or an erratum."""
    return chapter_link(slug, places(slug)[name].heading)
