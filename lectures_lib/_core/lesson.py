"""Where the course explains what a message is about: chapters by the number they have today."""

from __future__ import annotations


def lesson(slug: str) -> str:
    """The word chapter, and the number that the table of the course gives it."""
    from lectures_lib.chapters import chapter  # only a message needs the table

    return f"chapter {chapter(slug).number:02d}"
