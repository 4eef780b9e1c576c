"""Bring the course's new versions to your notebooks; your answers are kept."""

from __future__ import annotations

import argparse

from lectures_lib.workspace.copies import update
from lectures_lib.workspace.place import find_course


def run(arguments: argparse.Namespace) -> int:
    """Update notebook by notebook, saying what happened to each."""
    count = 0
    try:
        for copied in update(find_course()):
            print(f"{copied.relative.as_posix()}: {copied.what}")
            count += 1
    except OSError as error:
        print(
            f"lectures update stopped: {error.strerror or error}. No file was left half "
            "written. Remove the cause and run it again."
        )
        return 1
    if not count:
        print("Everything is up to date.")
    return 0
