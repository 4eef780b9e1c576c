"""The pages that modules of `site/pages` write, and the order in which the site lists them."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib import import_module

import pages

from lectures_lib.chapters import CHAPTERS

DOCS = ("places", "grading")  # documents of the repository that are pages as they stand


def collected_pages() -> dict[str, str]:
    """File name, relative to Sphinx's source folder, and text of every generated page."""
    found: dict[str, str] = {}
    for module in sorted(entry.name for entry in pkgutil.iter_modules(pages.__path__)):
        made: Mapping[str, str] = import_module(f"pages.{module}").pages()
        for name, text in made.items():
            if name in found:
                raise ValueError(f"pages/{module}.py: {name} is written by another module too")
            found[name] = text
    return found


def contents() -> dict[str, list[str]]:
    """Caption and pages of each part of the site, without endings."""
    own = {
        "Chapters": [f"notebooks/{chapter.stem}" for chapter in CHAPTERS],
        "Exercises": ["exercises/index"],
    }
    listed = {caption: list(names) for caption, names in pages.CONTENTS.items()}
    listed["About"] = [*(f"about/{name}" for name in DOCS), *listed["About"]]
    return own | listed
