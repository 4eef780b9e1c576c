"""The derivations that stand in a notebook: calls of `derive` with the text written out."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Placed(NamedTuple):
    """The text of a derivation, and the cell in which it stands."""

    text: str
    cell: int  # counted from 0
    id: str
    metadata: Mapping[str, Any]


def derivations_in(notebook: Path) -> Iterator[Placed]:
    """The derivations of a notebook in their order."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    for number, cell in enumerate(cells):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and "derive(" in source:
            for text in _texts(source):
                yield Placed(text, number, cell.get("id", ""), cell["metadata"])


def is_derivation(source: str) -> bool:
    """Whether a cell does nothing but show one derivation."""
    stripped = source.strip()
    return stripped.startswith("derive(") and [*_texts(stripped)] != [] and _statements(source) == 1


def _texts(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "derive":
            for argument in node.args[:1]:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value


def _statements(source: str) -> int:
    return len(ast.parse(source).body)
