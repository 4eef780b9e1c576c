"""Who imports whom: read from the source files, without running them.

`python -m tests.import_graph` draws it for CONTRIBUTING; `test_layers` holds the rules.
"""

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
    "workspace": {TABLE},
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


# --- the picture in CONTRIBUTING ------------------------------------------------------------------

PICTURE = ROOT / "docs" / "imports.svg"
PLACES = {  # column and row of each room, and its words; an arrow may only lead to the left
    "mathematics": (0, 0.45, "one topic, one module"),
    "datasets": (1, 0, "shipped and made"),
    "figures": (1, 0.9, "a picture is data"),
    "widgets": (2, 0.9, "the same, alive"),
    "chapters": (4, 0.45, "one folder each"),
    "table": (0, 1.6, "read by everybody"),
    "workspace": (1, 1.7, "the student's copies"),
    "checks": (3, 2, "answers are judged"),
    "grading": (4, 2, "others' notebooks"),
    "linecheck": (0, 2.8, "derivations, checked"),
    "errata": (1, 3.3, "the ledger"),
    "concordance": (2, 3.3, "what the notes hold"),
    "glossary": (2, 4.1, "in four languages"),
    "commands": (5, 2.6, "what one types"),
}
BOX, STEP, MARGIN = (148, 46), (190, 84), 14
STYLE = """
text { font: 13px sans-serif; fill: #1f2328; text-anchor: middle }
.small { font-size: 11px; fill: #59636e }
rect { fill: #f6f8fa; stroke: #59636e }
path { fill: none; stroke: #59636e; stroke-width: 1.4 }
marker path { fill: #59636e }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc } .small { fill: #9198a1 } rect { fill: #151b23; stroke: #9198a1 }
  path { stroke: #9198a1 } marker path { fill: #9198a1 }
}"""


def drawn_edges() -> dict[str, set[str]]:
    """The imports between rooms without those to the table and those that follow from others."""
    edges = {room: used - {TABLE} for room, used in between_rooms().items()}
    return {
        room: {u for u in used if not any(_reaches(edges, other, u) for other in used - {u})}
        for room, used in edges.items()
    }


def _reaches(edges: dict[str, set[str]], start: str, goal: str) -> bool:
    return goal in edges[start] or any(_reaches(edges, used, goal) for used in edges[start])


def drawing() -> str:
    """The picture as SVG: the same text for the same imports."""
    corners = [_corner(room) for room in PLACES]
    width = max(x for x, _ in corners) + BOX[0] + MARGIN
    height = max(y for _, y in corners) + BOX[1] + MARGIN
    arrows = [_arrow(room, used) for room, all_ in drawn_edges().items() for used in sorted(all_)]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
        f' width="{width}" height="{height}">',
        "<title>Who imports whom: an arrow leads to what is imported</title>",
        f"<style>{STYLE}\n</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7"'
        ' markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>',
        *arrows,
        *(_box(room) for room in PLACES),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _corner(room: str) -> tuple[int, int]:
    column, row, _ = PLACES[room]
    return MARGIN + round(column * STEP[0]), MARGIN + round(row * STEP[1])


def _box(room: str) -> str:
    x, y = _corner(room)
    name, words = "the table" if room == TABLE else room, PLACES[room][2]
    middle = x + BOX[0] // 2
    return (
        f'<rect x="{x}" y="{y}" width="{BOX[0]}" height="{BOX[1]}" rx="6"/>'
        f'<text x="{middle}" y="{y + 20}">{name}</text>'
        f'<text x="{middle}" y="{y + 36}" class="small">{words}</text>'
    )


def _arrow(room: str, used: str) -> str:
    """From the left side of a room to the right side of what it imports."""
    (x, y), (u, v) = _corner(room), _corner(used)
    start, end = y + BOX[1] // 2, v + BOX[1] // 2
    bend = (x - u - BOX[0]) // 2
    path = f"M{x} {start}C{x - bend} {start} {u + BOX[0] + bend} {end} {u + BOX[0] + 2} {end}"
    return f'<path d="{path}" marker-end="url(#head)"/>'


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(drawing(), encoding="utf-8", newline="\n")
    print(f"{PICTURE.relative_to(ROOT)} written")
