"""The derivations of the course, one module per chapter, named by the chapter's slug.

    from lectures_lib.proofs.chapters import derivations
    derivations("perceptron")                 # all of a chapter
    from lectures_lib.proofs.chapters.perceptron import update_margin
    update_margin()                           # one of them, with a verdict on every line

A module holds one function per step; `DERIVATIONS` lists them in the order of the chapter.
`AGREES` names the lines that are checked at exact sample points but not proved, each with the
reason: function name and number of the line -> reason.
"""

from __future__ import annotations

from importlib import import_module

from lectures_lib.chapters import chapter
from lectures_lib.proofs.derivation import Derivation


def derivations(slug: str) -> tuple[Derivation, ...]:
    """All derivations of one chapter; the first and the capstone derive nothing and have none."""
    found = chapter(slug)
    if found.number == 0:
        return ()
    module = import_module(f"{__name__}.{found.slug}")
    return tuple(make() for make in module.DERIVATIONS)
