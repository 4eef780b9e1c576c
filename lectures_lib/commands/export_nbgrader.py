"""Write a course for nbgrader into a folder: `lectures export-nbgrader FOLDER`."""

from __future__ import annotations

import argparse
from pathlib import Path

from lectures_lib.grading.handing_out.nbgrader_export import export
from lectures_lib.grading.handing_out.solutions import AuthoringError
from lectures_lib.workspace.place import find_repository


def configure(parser: argparse.ArgumentParser) -> None:
    """Where to."""
    parser.add_argument("folder", type=Path, help="a new folder, or that of an earlier export")


def run(arguments: argparse.Namespace) -> int:
    """Write the course and say what is in it."""
    try:
        names = export(find_repository(), arguments.folder)
    except (AuthoringError, OSError) as error:
        print(f"lectures export-nbgrader: {error}")
        return 1
    print(f"{arguments.folder}: {len(names)} assignments ({', '.join(names)})")
    print("README.md there says how to go on.")
    return 0
