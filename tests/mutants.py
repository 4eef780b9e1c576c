"""Wrong versions of a right program, each with one small change of the kinds that people make."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.LtE: (ast.Lt, ast.GtE),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.Eq: (ast.NotEq,),
}
OPERATIONS: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.Div: (ast.Mult,),
}
NAMES = {
    "min": "max",
    "max": "min",
    "mean": "sum",
    "sum": "mean",
    "maximum": "minimum",
    "ones": "zeros",  # the bias is lost
}


def mutants(source: str, labels: str = "s") -> Iterator[tuple[str, str, str]]:
    """(line, what was changed in it, changed source), one small change each.

    Default values of parameters and lengths, `len(s)`, are left alone: they are not the answer.
    """
    tree = ast.parse(source)
    lines = source.splitlines()
    spared = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.arguments) or _is_length(node)
        for inner in ast.walk(node)
    }
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in spared:
            continue
        for what, change in _changes(node, labels):
            copy = deepcopy(tree)
            change(list(ast.walk(copy))[number])
            text = ast.unparse(ast.fix_missing_locations(copy))
            yield lines[getattr(node, "lineno", 1) - 1].strip(), what, text


def derivation_mutants(text: str) -> Iterator[tuple[str, str, str]]:
    """The same for a derivation: one small change in one of its lines, reasons left out."""
    lines = [line.partition("#")[0].strip() for line in text.strip().splitlines()]
    lines = [line for line in lines if line]
    for place, line in enumerate(lines):
        relation, _, expression = line.partition(" ")
        changed = [(what, f"{relation} {new}") for _, what, new in mutants(expression, labels="")]
        if relation == "<=":
            changed.append(("<= -> =", f"= {expression}"))
        for what, new in changed:
            yield line, what, "\n".join([*lines[:place], new, *lines[place + 1 :]])


def _is_length(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "len"


def _is_range(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "range"


def _shift_end(call: ast.Call, by: int) -> None:
    place = 0 if len(call.args) == 1 else 1
    call.args[place] = ast.BinOp(call.args[place], ast.Add(), ast.Constant(by))


def _become(node: ast.AST, other: ast.AST) -> None:
    """Turn a node into one of its parts, where it stands."""
    node.__class__ = other.__class__
    node.__dict__.clear()
    node.__dict__.update(other.__dict__)


def _changes(node: ast.AST, labels: str) -> Iterator[tuple[str, Callable[..., None]]]:
    if isinstance(node, ast.Compare):
        for other in COMPARISONS.get(type(node.ops[0]), ()):
            what = f"{type(node.ops[0]).__name__} -> {other.__name__}"
            yield what, lambda target, other=other: target.ops.__setitem__(0, other())
    elif _is_range(node):
        yield "the range ends one too early", lambda target: _shift_end(target, -1)
        yield "the range ends one too late", lambda target: _shift_end(target, +1)
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
            yield "the left operand alone", lambda target: _become(target, target.left)
            yield "the right operand alone", lambda target: _become(target, target.right)
        for operation in OPERATIONS.get(type(node.op), ()):
            what = f"{type(node.op).__name__} -> {operation.__name__}"
            yield what, lambda target, other=operation: setattr(target, "op", other())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "minus dropped", lambda target: setattr(target, "op", ast.UAdd())
    elif isinstance(node, ast.BoolOp):
        other_op = ast.And if isinstance(node.op, ast.Or) else ast.Or
        yield "and / or", lambda target: setattr(target, "op", other_op())
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        for value in (node.value + 1, node.value - 1) if node.value else (1,):
            what = f"{node.value} -> {value}"
            yield what, lambda target, value=value: setattr(target, "value", value)
    elif isinstance(node, ast.Attribute) and node.attr in NAMES:
        yield (
            f"{node.attr} -> {NAMES[node.attr]}",
            lambda target: setattr(target, "attr", NAMES[node.attr]),
        )
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "np.linalg.norm":
        yield (
            "no normalisation",
            lambda target: (
                setattr(target, "func", ast.Name("float", ast.Load())),
                setattr(target, "args", [ast.Constant(1.0)]),
            ),
        )
    elif isinstance(node, ast.Break):
        yield "break dropped", lambda target: setattr(target, "__class__", ast.Pass)
    elif isinstance(node, ast.Name) and node.id == labels and isinstance(node.ctx, ast.Load):
        yield "labels 0 and 1", lambda target: setattr(target, "id", "s01")
