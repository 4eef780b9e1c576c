"""Pages that are written by Python, from the same sources as the course.

Each module here has `pages() -> dict[str, str]`: file name (relative to the root of the site,
ending .md or .rst) and text. The builder writes them into Sphinx's source folder. A link to a
chapter is a link to its notebook, as in `[chapter 04](../notebooks/04_perceptron.ipynb)`; what
stands in `site/static` is found under `_static/`.
"""

from __future__ import annotations

CONTENTS: dict[str, tuple[str, ...]] = {
    "Reference": (
        "reference/glossary",
        "reference/errata",
        "reference/concordance",
        "reference/library/index",
        "reference/scikit_learn",
        "reference/derivations",
        "reference/claims",
        "reference/promise",
    ),
    "About": ("about/this_site", "about/licences", "about/data", "about/notes"),
}
"""What the side bar lists under each caption, in this order, without endings. A page that is not
listed needs a `{toctree}` of another one, or `orphan: true` at its top."""
