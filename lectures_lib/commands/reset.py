"""Start a chapter afresh: `lectures reset perceptron`; what you had is moved to backups/."""

from __future__ import annotations

import argparse

from lectures_lib.workspace.copies import reset
from lectures_lib.workspace.place import find_course


def configure(parser: argparse.ArgumentParser) -> None:
    """Which chapter."""
    parser.add_argument("chapter", help="a chapter's name: perceptron, or 04_perceptron")


def run(arguments: argparse.Namespace) -> int:
    """Reset the chapter's notebooks and progress, saying where the old ones are."""
    try:
        done = reset(find_course(), arguments.chapter)
    except ValueError as error:
        print(f"lectures reset: {error}")
        return 1
    except OSError as error:
        print(f"lectures reset stopped: {error.strerror or error}. No file was left half written.")
        return 1
    for copied in done:
        print(f"{copied.relative.as_posix()}: {copied.what}")
    if not done:
        print("This chapter has no notebooks yet.")
    return 0
