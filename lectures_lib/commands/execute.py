"""Run notebooks from top to bottom and store them in the one normal form of the course."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import nbformat

from lectures_lib.workspace.kernel import THREADS
from lectures_lib.workspace.normal_form import normalise, write


def execute(path: Path) -> None:
    """Run one notebook in its own folder and store it in normal form."""
    from nbclient import NotebookClient

    # One thread, as where the outputs are compared: the last digits depend on it.
    one_thread = {**dict.fromkeys(THREADS, "1"), **os.environ}
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=300,
        resources={"metadata": {"path": str(path.parent)}},
        coalesce_streams=True,
    ).execute(env=one_thread)
    write(normalise(notebook), path)


def configure(parser: argparse.ArgumentParser) -> None:
    """Which notebooks, and whether to run them."""
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument(
        "--normalise-only", action="store_true", help="store the normal form without running"
    )


def run(arguments: argparse.Namespace) -> int:
    """Execute each notebook; a cell that raises stops with the notebook's name."""
    for path in arguments.notebooks:
        if not path.is_file():
            print(f"lectures execute: there is no notebook {path}")
            return 2
        if arguments.normalise_only:
            write(normalise(nbformat.read(path, as_version=4)), path)
        else:
            execute(path)
        print(f"{path} stored")
    return 0
