"""Judge the lines of a derivation that stands in a file.

The file is a text such as

    A square
    a b: real

    (a + b)**2
    = a**2 + 2*a*b + b**2   # expand

The first line is the title; then come declarations, an empty line, and the lines. A line is
compared with the line before it. The README of the package says more.

Ends with 0 when every line holds, with 1 when one does not, with 2 when the file cannot be read.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from linecheck.derivation.lines import Line
from linecheck.derivation.text import Text, TextError, read


def main(arguments: Sequence[str] | None = None) -> int:
    """Read, judge, print; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m linecheck",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", help="a text in UTF-8; - reads what is piped in")
    name = parser.parse_args(arguments).file
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
        parts = read(text)
    except UnicodeDecodeError:
        return _refused(f"{name} is not a text in UTF-8")
    except OSError as problem:
        return _refused(f"{name}: {problem.strerror}")
    except TextError as problem:
        return _refused(f"{name}, {problem}")
    derivation = parts.judged()
    print("\n".join(_told(parts, derivation.lines)))
    return 0 if derivation.holds else 1


def _refused(problem: str) -> int:
    print(problem, file=sys.stderr)
    return 2


def _told(parts: Text, reports: Sequence[Line]) -> Iterator[str]:
    """Title, then number in the file, line and verdict; what speaks against a line below it."""
    yield parts.title
    lines = [line for line in parts.lines if not line.settles]
    width = min(max(len(line.text) for line in lines), 60) if lines else 0
    wrong = judged = 0
    for line, found in zip(lines, reports, strict=True):
        status, _, reason = str(found.verdict or "").partition(": ")
        yield f"{line.number:4}  {line.text:{width}}  {status}".rstrip()
        if found.verdict is not None:
            judged += 1
            if not found.verdict.holds:
                wrong += 1
                yield from (f"      {row}" for row in reason.splitlines())
    right = judged - wrong
    yield f"{judged} judged, {right} hold{'s' * (right == 1)}"


if __name__ == "__main__":
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    sys.exit(main())
