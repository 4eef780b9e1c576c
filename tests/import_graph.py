"""Who imports whom: read from the source files, without running them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.conftest import ROOT

PACKAGES = (ROOT / "lectures_lib", ROOT / "linecheck")
TABLE = "table"  # chapters/__init__.py: light, so that everybody may read it
ALLOWED: dict[str, set[str]] = {
    TABLE: set(),
    "mathematics": {TABLE},
    "datasets": {"mathematics"},
    "figures": {"mathematics", "datasets"},
    "widgets": {"mathematics", "datasets", "figures"},
    "linecheck": set(),
    "errata": {"mathematics", "datasets", "linecheck", TABLE},
    "workspace": {"glossary", TABLE},  # every kernel of a student has it
    "checks": {"mathematics", "datasets", "figures", "widgets", "linecheck", "workspace", TABLE},
    "chapters": {
        *("mathematics", "datasets", "figures", "widgets"),
        *("linecheck", "errata", "checks", TABLE),
    },
    "concordance": {"errata", TABLE},
    "glossary": {"errata", TABLE},
    "grading": {"linecheck", "checks", "workspace", TABLE},
}
ALLOWED["commands"] = {*ALLOWED}
LAZILY = {"mathematics", "errata"}  # of these only a message needs the table


@cache
def modules() -> dict[str, Path]:
    """Every module of the library and of linecheck by its dotted name."""
    return {_name_of(path): path for folder in PACKAGES for path in sorted(folder.rglob("*.py"))}


def _name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports(path: Path) -> dict[str, bool]:
    """Every module that a file imports, and whether that happens at once, not when called.

    What is imported for the type checker only is no import.
    """
    found: dict[str, bool] = {}
    for node, at_once in _statements(ast.parse(path.read_text(encoding="utf-8")), True):
        for name in _names(node):
            found[name] = at_once or found.get(name, False)
    return found


def _statements(node: ast.AST, at_once: bool) -> Iterator[tuple[ast.AST, bool]]:
    if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
        return
    yield node, at_once
    later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
            yield from _statements(child, at_once and not later)


def _names(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module:
        for alias in node.names:
            inside = f"{node.module}.{alias.name}"
            yield inside if inside in modules() else node.module


def own_imports(name: str, *, lazy: bool = True) -> set[str]:
    """The modules of the library that one of its modules imports."""
    found = imports(modules()[name]).items()
    return {used for used, at_once in found if used in modules() and (at_once or lazy)}


def room_of(name: str) -> str:
    """The room in which a module of the library stands."""
    package, *parts = name.split(".")
    if package == "linecheck":
        return package
    if not parts or parts[0] in ("__main__", "proofs"):  # the last is an alias of linecheck
        return "commands"
    if parts[0] == "chapters":
        return "chapters" if parts[1:] else TABLE
    return parts[0] if parts[0] in ALLOWED else "mathematics"


def owner_of(name: str) -> str:
    """The topic or the chapter (its slug) to which a module belongs."""
    parts = name.split(".")[1:]
    return ".".join(parts[1:2] if parts[:1] == ["chapters"] else parts[:1])


def between_rooms(*, lazy: bool = True) -> dict[str, set[str]]:
    """For each room the other rooms that it imports from."""
    edges: dict[str, set[str]] = {room: set() for room in ALLOWED}
    for name in modules():
        edges[room_of(name)] |= {room_of(used) for used in own_imports(name, lazy=lazy)}
    return {room: used - {room} for room, used in edges.items()}


def cycles(edges: dict[str, set[str]]) -> list[list[str]]:
    """Sets of names that import each other, each as one way round."""
    found: list[list[str]] = []
    state: dict[str, str] = defaultdict(str)
    way: list[str] = []

    def visit(name: str) -> None:
        state[name] = "open"
        way.append(name)
        for used in sorted(edges.get(name, ())):
            if state[used] == "open":
                found.append([*way[way.index(used) :], used])
            elif not state[used]:
                visit(used)
        way.pop()
        state[name] = "done"

    for name in sorted(edges):
        if not state[name]:
            visit(name)
    return found
