"""Show which exercises are done, chapter by chapter."""

from __future__ import annotations

import argparse
from pathlib import Path

from lectures_lib.checks.student.overview import overview, table
from lectures_lib.workspace.place import NotFound, find_course, find_work, work_of


def configure(parser: argparse.ArgumentParser) -> None:
    """No options."""


def run(arguments: argparse.Namespace) -> int:
    """Print the table of the student's folder, from inside it or from the course."""
    work = find_work()
    try:
        work = work or work_of(find_course())
    except NotFound as error:
        print(f"lectures progress: {error}")
        return 1
    print(table(overview(Path(work))))
    return 0
