"""Explain a word of the subject; English, Spanish, Italian and Portuguese words are found.

lectures glossary margin
lectures glossary umbral       Spanish for threshold
lectures glossary              all words
"""

from __future__ import annotations

import argparse
import sys

from lectures_lib.glossary import glossary


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `lectures glossary`."""
    parser.add_argument("word", nargs="*", help="a term in any of the four languages")


def run(arguments: argparse.Namespace) -> int:
    """Print the entries; 2 when there is none."""
    try:
        print(glossary(" ".join(arguments.word)))
    except ValueError as problem:
        print(f"lectures glossary: {problem}", file=sys.stderr)
        return 2
    return 0
