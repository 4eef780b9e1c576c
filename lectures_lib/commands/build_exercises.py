"""Write exercises/ from solutions/: the same notebooks with the solutions taken out."""

from __future__ import annotations

import argparse

from lectures_lib.grading.build_exercises import AuthoringError, build_text, pairs
from lectures_lib.workspace.files import write_whole
from lectures_lib.workspace.place import NotFound, find_course


def configure(parser: argparse.ArgumentParser) -> None:
    """Whether to write or only to compare."""
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail if exercises/ is not up to date"
    )


def run(arguments: argparse.Namespace) -> int:
    """Build every exercise notebook, or compare with what is there."""
    try:
        course = find_course()
        built = [(exercise, build_text(solved)) for solved, exercise in pairs(course)]
    except (NotFound, AuthoringError) as error:
        print(f"lectures build-exercises: {error}")
        return 1
    old = [path for path, text in built if not path.is_file() or path.read_bytes() != text.encode()]
    names = {path for path, _ in built}
    left_over = [path for path in (course / "exercises").glob("*.ipynb") if path not in names]
    for path in left_over:
        print(f"{path.name} has no solution: delete it or write solutions/{path.name}")
    if arguments.check:
        for path in old:
            print(f"{path.name} is not what `lectures build-exercises` makes of its solution")
        return int(bool(old or left_over))
    for path, text in built:
        if path in old:
            write_whole(path, text)
    print(f"{len(built)} exercise notebooks, {len(old)} of them written")
    return int(bool(left_over))
