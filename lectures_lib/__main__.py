"""The command `lectures`: `lectures NAME --help` explains each of its sub-commands."""

from __future__ import annotations

import argparse
import ast
import importlib
import io
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from lectures_lib import __version__
from lectures_lib.workspace.place import NotFound

COMMANDS = (
    "lab",
    "doctor",
    "where",
    "derivations",
    "errata",
    "glossary",
    "work",
    "update",
    "reset",
    "progress",
    "build-exercises",
    "build-pages",
    "export-nbgrader",
    "grade",
    "execute",
    "new-chapter",
)


def _help_line(name: str) -> str:
    """First line of a command module's docstring, read without importing the module."""
    spec = find_spec(_module_name(name))
    if spec is None or spec.origin is None:
        return "not installed"
    docstring = ast.get_docstring(ast.parse(Path(spec.origin).read_text(encoding="utf-8")))
    return (docstring or "").splitlines()[0]


def _module_name(command: str) -> str:
    return "lectures_lib.commands." + command.replace("-", "_")


def _top_level_help() -> str:
    lines = [f"  {name:16} {_help_line(name)}" for name in COMMANDS]
    return "\n".join(["usage: lectures COMMAND [options]", "", "commands:", *lines])


def main(arguments: list[str] | None = None) -> int:
    """Run one sub-command and return its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if not words or words[0] in ("-h", "--help"):
        print(_top_level_help())
        return 0
    if words[0] in ("-V", "--version"):
        print(f"lectures {__version__}")
        return 0
    name = words[0]
    if name not in COMMANDS:
        print(f"lectures: no command {name!r}; the commands are {', '.join(COMMANDS)}")
        return 2
    module = importlib.import_module(_module_name(name))
    parser = argparse.ArgumentParser(
        prog=f"lectures {name}",
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if hasattr(module, "configure"):
        module.configure(parser)
    known, handed_on = parser.parse_known_args(words[1:])
    if getattr(module, "HANDS_ON", False):
        known.handed_on = handed_on
    elif handed_on:
        parser.error(f"unrecognized arguments: {' '.join(handed_on)}")
    try:
        code: int = module.run(known)
    except NotFound as error:
        print(f"lectures {name}: {error}")
        return 1
    return code


def entry_point() -> int:
    """`main` for a terminal: UTF-8 into pipes too, and a reader that stops early is no error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    try:
        code = main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing left to flush
        return 0
    return code


if __name__ == "__main__":
    raise SystemExit(entry_point())
