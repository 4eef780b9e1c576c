"""Faults of one place: an operator, a constant, a comparison, two arguments, a statement."""

from __future__ import annotations

import ast
import functools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PACKAGES = ("lectures_lib", "linecheck")
OPERATORS = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
             ast.FloorDiv: ("//", "/"), ast.Pow: ("**", "*"), ast.MatMult: ("@", "*"),
             ast.And: ("and", "or"), ast.Or: ("or", "and"), ast.Lt: ("<", "<="),
             ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Eq: ("==", "!="),
             ast.NotEq: ("!=", "=="), ast.In: ("in", "not in"), ast.Is: ("is", "is not"),
             ast.IsNot: ("is not", "is"), ast.NotIn: ("not in", "in")}  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """A change of one place of a file."""

    file: str  # below the root of the repository
    function: int  # the first line of the function around it; 0 in the body of the module
    start: int
    end: int
    new: str
    kind: str

    def applied(self, text: str) -> str:
        """The text of the file with the fault in it."""
        return text[: self.start] + self.new + text[self.end :]

    def told(self, text: str) -> str:
        """The line before and after, short."""
        line = text.count("\n", 0, self.start) + 1
        was = " ".join(text[self.start : self.end].split())
        return f"{self.file}:{line}  {self.kind}: {was[:60]} -> {self.new[:60]}"


@functools.cache
def faults_of(file: str, text: str) -> tuple[Fault, ...]:
    """Every fault of a module that still parses."""
    return tuple(_faults(file, text))


def _faults(file: str, text: str) -> Iterator[Fault]:
    starts = [0]
    for row in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(row.encode()))
    raw = text.encode()

    def at(line: int, column: int) -> int:
        """The place in the text, from a place in its bytes."""
        return len(raw[: starts[line - 1] + column].decode())

    def span(node: ast.AST) -> tuple[int, int]:
        return (at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset))  # type: ignore[attr-defined]

    def between(left: ast.AST, right: ast.AST, kind: type) -> tuple[int, int, str] | None:
        """Where an operator stands between its operands."""
        old, new = OPERATORS.get(kind, ("", ""))
        start, end = span(left)[1], span(right)[0]
        place = text.find(old, start, end) if old else -1
        return None if place < 0 else (place, place + len(old), new)

    def changes(node: ast.AST) -> Iterator[tuple[int, int, str, str]]:
        if isinstance(node, ast.BinOp):
            if found := between(node.left, node.right, type(node.op)):
                yield *found, "operator"
        elif isinstance(node, ast.BoolOp):
            if found := between(node.values[0], node.values[1], type(node.op)):
                yield *found, "operator"
        elif isinstance(node, ast.Compare):
            if found := between(node.left, node.comparators[0], type(node.ops[0])):
                yield *found, "comparison"
        elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
            new = str(not node.value if isinstance(node.value, bool) else node.value + 1)
            yield *span(node), new, "constant"
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
            yield span(node)[0], span(node.operand)[0], "", "operator"
        elif isinstance(node, ast.Call) and len(node.args) > 1:
            first, second = (text[slice(*span(arg))] for arg in node.args[:2])
            if first != second and not isinstance(node.args[1], ast.Starred):
                middle = text[span(node.args[0])[1] : span(node.args[1])[0]]
                ends = span(node.args[0])[0], span(node.args[1])[1]
                yield *ends, second + middle + first, "order of arguments"
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.Raise) or (
            isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
        ):
            yield *span(node), "pass", "deleted statement"

    def walk(node: ast.AST, function: int) -> Iterator[Fault]:
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            lines = [one.lineno for one in getattr(node, "decorator_list", [])]
            function = min([node.lineno, *lines])
        if function:  # a name of the module that is missing says so at once
            for start, end, new, kind in changes(node):
                fault = Fault(file, function, start, end, new, kind)
                if parses(fault.applied(text)):
                    yield fault
        skipped = {"annotation", "returns", "decorator_list"}
        for name, value in ast.iter_fields(node):
            if name not in skipped:
                for child in value if isinstance(value, list) else [value]:
                    if isinstance(child, ast.AST):
                        yield from walk(child, function)

    yield from walk(ast.parse(text), 0)


def parses(text: str) -> bool:
    """Whether it is Python."""
    try:
        compile(text, "a fault", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def drawn(root: Path, count: int, seed: int) -> list[Fault]:
    """Faults drawn over all modules, a longer module more often; one in a function at the most."""
    rng = random.Random(seed)
    texts = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for package in PACKAGES
        for path in sorted((root / package).rglob("*.py"))
    }
    names, sizes = list(texts), [text.count("\n") for text in texts.values()]
    found: dict[tuple[str, int], Fault] = {}
    while len(found) < count:
        file = rng.choices(names, sizes)[0]
        function = rng.choice(sorted({f.function for f in faults_of(file, texts[file])}) or [0])
        ones = [f for f in faults_of(file, texts[file]) if f.function == function]
        if ones:
            found.setdefault((file, function), rng.choice(ones))
    return list(found.values())
