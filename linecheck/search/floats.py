"""Fast approximate values of a graph, for search only: what is found is then judged exactly."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from statistics import NormalDist

from linecheck.expand.graph import Node, in_order, value_of

_NORMAL = NormalDist()


class FloatEvaluator:
    """Evaluates nodes in floating point; nan where that fails."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        order = in_order(nodes)
        place = {node.number: k for k, node in enumerate(order)}
        self.steps = [
            (node.op, [place[arg.number] for arg in node.args], _constant(node)) for node in order
        ]
        self.wanted = [place[node.number] for node in nodes]
        self.size = len(order)

    def at(self, point: dict[str, float]) -> list[float]:
        """Values of the nodes."""
        values: list[float] = []
        for op, args, constant in self.steps:
            if op == "num":
                values.append(constant)  # type: ignore[arg-type]
            elif op == "var":
                values.append(point[constant])  # type: ignore[index]
            else:
                try:
                    values.append(_OPERATIONS[op]([values[k] for k in args]))
                except (ArithmeticError, ValueError):
                    values.append(math.nan)
        return [values[k] for k in self.wanted]


def as_float(value: int | Fraction) -> float:
    """The nearest float, infinite when there is none."""
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _constant(node: Node) -> float | str | None:
    if node.op == "num":
        return as_float(value_of(node))
    return str(node.data) if node.op == "var" else None


def _power(args: list[float]) -> float:
    base, exponent = args
    if base < 0 and exponent != int(exponent):
        return math.nan
    return float(base**exponent)


def _sign(x: float) -> float:
    return math.nan if math.isnan(x) else float((x > 0) - (x < 0))


_OPERATIONS: dict[str, Callable[[list[float]], float]] = {
    "pi": lambda args: math.pi,
    "add": sum,
    "mul": math.prod,
    "pow": _power,
    "exp": lambda args: math.exp(args[0]) if args[0] > -745 else 0.0,
    "log": lambda args: math.log(args[0]),
    "abs": lambda args: abs(args[0]),
    **dict.fromkeys(("sign", "side"), lambda args: _sign(args[0])),
    "max": max,
    "min": min,
    "Phi": lambda args: 0.5 * math.erfc(-args[0] / math.sqrt(2)),
    "Phi_inv": lambda args: _NORMAL.inv_cdf(args[0]),
    "diff": lambda args: args[1],
    **dict.fromkeys(("if", "sideif"), lambda args: args[0]),
    "true": lambda args: 1.0,
    "false": lambda args: 0.0,
    "<": lambda args: float(args[0] < args[1]),
    "<=": lambda args: float(args[0] <= args[1]),
    "==": lambda args: float(args[0] == args[1]),
    "and": min,
    "or": max,
    "not": lambda args: 1.0 - args[0],
}
