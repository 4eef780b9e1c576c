"""Show how far you are: a line for each chapter, and what comes next."""

from __future__ import annotations

import argparse
import shutil

from lectures_lib.checks.student.overview import glance, overview, table
from lectures_lib.workspace.place import find_course, find_work, work_of


def configure(parser: argparse.ArgumentParser) -> None:
    """One screen, or every exercise."""
    parser.add_argument("--all", action="store_true", help="a line for each exercise")


def run(arguments: argparse.Namespace) -> int:
    """Print what the student's folder remembers, from inside it or from the course."""
    work = find_work() or work_of(find_course())
    width = shutil.get_terminal_size().columns
    print(table(overview(work)) if arguments.all else glance(work, width))
    return 0
