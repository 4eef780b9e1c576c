"""Make your own copies of the notebooks; those you have stay as they are.

In a copy of the repository they go to work/, elsewhere to linear-classification/ here.
"""

from __future__ import annotations

import argparse

from lectures_lib.workspace.copies import NEW, make, newer
from lectures_lib.workspace.place import find_course, work_of


def run(arguments: argparse.Namespace) -> int:
    """Copy what is missing and say where it is."""
    try:
        course = find_course()
        made = make(course)
        changed = newer(course)
    except OSError as error:
        print(f"lectures work: {error}")
        return 1
    print(f"{work_of(course)}: {sum(copied.what == NEW for copied in made)} new notebooks")
    for copied in made:
        if copied.what != NEW:
            print(f"{copied.relative.as_posix()}: {copied.what}")
    if changed:
        names = ", ".join(path.stem for path in changed)
        print(f"The course has a newer version of {names}: `lectures update` brings it.")
    return 0
