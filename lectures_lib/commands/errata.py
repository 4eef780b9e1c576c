"""Print or export the mistakes found in the lecture notes, and check them.

lectures errata                                  all of them, as text
lectures errata --chapter perceptron             those that one chapter shows
lectures errata --note 003 --format markdown -o mistakes.md
lectures errata --format json --check            with the result of every check
lectures errata --schema                         the JSON schema of the JSON format
"""

from __future__ import annotations

import argparse
import io
import sys
from importlib.resources import files
from pathlib import Path

from lectures_lib.errata import NOTES, ErrataTable, Result, check_erratum, errata


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `lectures errata`."""
    parser.add_argument("--chapter", help="slug of a chapter: only what it shows")
    parser.add_argument("--note", help="000 to 004, or across: only this note")
    parser.add_argument("--format", choices=("text", "markdown", "json"), default="text")
    parser.add_argument("--check", action="store_true", help="run the checks and add their results")
    parser.add_argument("--schema", action="store_true", help="print the JSON schema and stop")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to a file")


def run(arguments: argparse.Namespace) -> int:
    """Print or write the table; 1 when a check fails, 2 when an argument is wrong."""
    try:
        table = errata(arguments.chapter, arguments.note)
    except ValueError as problem:
        print(f"lectures errata: {problem}", file=sys.stderr)
        return 2
    shown = [entry.id for entry in table if not entry.text_only]
    results = {name: check_erratum(name) for name in shown} if arguments.check else None
    schema = files("lectures_lib.errata").joinpath("schema.json").read_text(encoding="utf-8")
    text = schema if arguments.schema else _written(table, arguments.format, results)
    if arguments.output is None:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # also where a pipe has another default
        print(text, end="" if text.endswith("\n") else "\n")
    else:
        try:
            arguments.output.write_text(text.rstrip("\n") + "\n", encoding="utf-8")
        except OSError as problem:
            print(f"lectures errata: {arguments.output}: {problem.strerror}", file=sys.stderr)
            return 2
    return 0 if results is None else _summary(results)


def _written(table: ErrataTable, style: str, results: dict[str, Result] | None) -> str:
    check = None if results is None else results.__getitem__
    if style == "json":
        return table.json(check)
    if style == "markdown":
        return table.markdown(check)
    return "\n".join(["The notes:", *(f"  {note}" for note in NOTES), "", table.text(check)])


def _summary(results: dict[str, Result]) -> int:
    failed = [name for name, result in results.items() if not result.passed]
    told = f"{len(results) - len(failed)} of {len(results)} checks passed"
    print(f"{told}; failed: {', '.join(failed)}" if failed else f"{told}.", file=sys.stderr)
    return 1 if failed else 0
