"""Which cells of a notebook one cell needs, so that it can be run without the others."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence


def needed_cells(sources: Sequence[str], wanted: int) -> list[int]:
    """Numbers of the cells that the cell `wanted` needs, in their order, itself at the end.

    Names are followed backwards: a cell is needed when it binds a name that a later needed cell
    reads. A cell that only changes an object in place is not seen.
    """
    missing = _names(sources[wanted], ast.Load)
    found = [wanted]
    for number in reversed(range(wanted)):
        bound = _names(sources[number], ast.Store)
        if bound & missing:
            missing = (missing - bound) | _names(sources[number], ast.Load)
            found.append(number)
    return found[::-1]


def _names(source: str, context: type[ast.expr_context]) -> set[str]:
    """The names that a cell reads or binds; builtins are no names of a notebook."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, context):
            found.add(node.id)
        elif context is ast.Store and isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif context is ast.Store and isinstance(node, ast.Import | ast.ImportFrom):
            found |= {(a.asname or a.name).partition(".")[0] for a in node.names}
    return found - set(dir(builtins))
