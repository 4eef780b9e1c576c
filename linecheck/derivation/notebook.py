"""The derivations that stand in a notebook: calls of `derive` with the text written out."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from linecheck.derivation.text import read

_SHAPE = re.compile(r"(?:vector|matrix|simplex|symmetric|spd|psd|diagonal|invertible) .+")
_SIZES = re.compile(r"PROVED for (.+?)(?:  |$)", re.M)


class Placed(NamedTuple):
    """The text of a derivation, and the cell in which it stands."""

    text: str
    cell: int  # counted from 0
    id: str
    metadata: Mapping[str, Any]
    output: str  # as stored, the plain text

    @property
    def title(self) -> str:
        """What it claims."""
        return read(self.text).title

    @property
    def sizes(self) -> tuple[str, ...]:
        """For which sizes it is proved: named ones, declared ones ("vector 2"), every one; or
        none, when there are numbers only."""
        shapes = [m for kind in read(self.text).symbols.values() for m in _SHAPE.findall(kind)]
        fixed = [shape for shape in shapes if re.search(r" \d", shape)]
        named = _SIZES.findall(self.output)
        found = dict.fromkeys([*named, *fixed])
        return tuple(found) or ("every size",) * bool(shapes)

    @property
    def is_open(self) -> bool:
        """Whether its source is seen, so that the reader may change it."""
        return not self.metadata.get("jupyter", {}).get("source_hidden")

    def counted(self) -> tuple[int, int]:
        """How many lines are judged, and how many of them SymPy confirmed."""
        judged = re.findall(r"  (?:PROVED|AGREES|UNDECIDED|REFUTED|DOMAIN|INVALID)\b", self.output)
        return len(judged), self.output.count("✓ SymPy")


def derivations_in(notebook: Path) -> Iterator[Placed]:
    """The derivations of a notebook in their order."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    for number, cell in enumerate(cells):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and "derive(" in source:
            output = "\n".join(map(_plain, cell.get("outputs", [])))
            for text in _texts(source):
                yield Placed(text, number, cell.get("id", ""), cell["metadata"], output)


def is_derivation(source: str) -> bool:
    """Whether a cell does nothing but show one derivation, which it may give a name."""
    if "derive(" not in source:
        return False
    first, *others = ast.parse(source).body
    if not isinstance(first, ast.Expr | ast.Assign) or [*_derivation(first.value)] == []:
        return False
    named = isinstance(first, ast.Assign) and [ast.unparse(one) for one in first.targets]
    return [ast.unparse(one) for one in others] == (named or [])


def _texts(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        yield from _derivation(node)


def _derivation(node: ast.AST) -> Iterator[str]:
    """The text, if this is `derive("…")`."""
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "derive":
        for argument in node.args[:1]:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield argument.value


def _plain(output: Mapping[str, Any]) -> str:
    return "".join(output.get("data", {}).get("text/plain", ""))
