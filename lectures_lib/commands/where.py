"""Say in which notebook and section something of the lecture notes is treated.

lectures where 004 31      equation (31) of note 004
lectures where 000 Alg. 1  an algorithm with a number
lectures where A043        an item of the concordance
lectures where E0-07       an erratum
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lectures_lib.concordance import NotFoundInNotes, find_notebooks, where
from lectures_lib.workspace.place import PACKAGED


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `lectures where`."""
    parser.add_argument(
        "what", nargs="+", help="a note and an equation (004 31), an item (A043), an erratum"
    )
    parser.add_argument("--notebooks", type=Path, metavar="FOLDER", help="folder of the notebooks")


def run(arguments: argparse.Namespace) -> int:
    """Print the place; 2 when the notes hold no such thing."""
    folder = arguments.notebooks
    if folder is not None and not folder.is_dir():
        print(f"lectures where: {folder} is not a folder", file=sys.stderr)
        return 2
    if folder is None and find_notebooks() is None and PACKAGED.is_dir():
        folder = PACKAGED / "notebooks"
    try:
        print(where(arguments.what, folder))
    except NotFoundInNotes as problem:
        print(f"lectures where: {problem}", file=sys.stderr)
        return 2
    return 0
