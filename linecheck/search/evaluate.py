"""The value of a graph at a point: exact rationals, intervals where they do not suffice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from linecheck.expand.graph import Graph, Node, exact_root, in_order, is_root
from linecheck.search import interval as iv
from linecheck.search.interval import CannotTellError, Number

PRECISIONS = (90, 250)  # bits; the later ones are for the few points that need them
DEEP_PRECISIONS = (90, 250, 900, 3600)


class Undefined:
    """Marks a derivative that does not exist at the point."""


UNDEFINED = Undefined()
Found = Number | bool | Undefined | None  # None: cannot be told


class Evaluator:
    """Evaluates a fixed list of nodes, and everything below them, at many points."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = list(nodes)
        self.order = in_order(nodes)

    def at(self, point: Mapping[str, Number], precision: int) -> list[Found]:
        """Values of the nodes."""
        values: dict[int, Found] = {}
        for node in self.order:
            values[node.number] = _value(node, values, point, precision)
        return [values[node.number] for node in self.nodes]


def _value(
    node: Node, values: dict[int, Found], point: Mapping[str, Number], precision: int
) -> Found:
    op = node.op
    if op == "num":
        return node.data  # type: ignore[return-value]
    if op == "var":
        return point.get(str(node.data))
    if op == "pi":
        return iv.pi(precision)
    if op in ("true", "false"):
        return op == "true"
    args = [values[arg.number] for arg in node.args]
    if op == "diff":
        return _derivative(node, values, point, precision)
    if op in ("and", "or", "not", "if", "sideif"):
        return _logic(op, args)
    if any(isinstance(arg, Undefined) for arg in args):
        return UNDEFINED
    if op == "mul" and any(isinstance(arg, Fraction) and arg == 0 for arg in args):
        return Fraction(0)
    if any(arg is None for arg in args):
        return None
    try:
        return _apply(op, args, precision)  # type: ignore[arg-type]
    except (ArithmeticError, ValueError):
        return None


def _logic(op: str, args: list[Found]) -> Found:
    if op in ("if", "sideif"):
        return iv.UNIT if args[0] is None else Fraction(bool(args[0]))
    if op == "not":
        return None if args[0] is None else not args[0]
    decided = op == "or"  # one True decides `or`, one False decides `and`
    if any(arg is decided for arg in args):
        return decided
    return None if any(arg is None for arg in args) else not decided


def _apply(op: str, args: list[Number], precision: int) -> Found:
    if op in _JOINING:
        join, result = _JOINING[op], args[0]
        for arg in args[1:]:
            result = join(result, arg, precision)
        return result
    if op in _OF_ONE:
        return _OF_ONE[op](args[0], precision)
    if op == "abs":
        return iv.absolute(args[0])
    if op in ("max", "min"):
        return iv.most(args, op == "max", precision)
    if op in ("sign", "side"):
        sign = iv.compare(args[0], Fraction(0))
        return iv.SIGNS if sign is None else Fraction(sign)
    order = iv.compare(args[0], args[1])
    if order is None:
        return None
    return {"<": order < 0, "<=": order <= 0, "==": order == 0}[op]


def general_power(base: Number, exponent: Number, precision: int) -> Number:
    """base ** exponent where it is defined."""
    if isinstance(exponent, Fraction):
        if exponent.denominator == 1:
            return iv.power(base, int(exponent), precision)
        if exponent.denominator == 2:
            root = exact_root(base) if isinstance(base, Fraction) else None
            half = root if root is not None else iv.sqrt(base, precision)
            return iv.power(half, exponent.numerator, precision)
        if isinstance(base, Fraction) and base >= 0:
            root = _exact_rational_root(base, exponent.denominator)
            if root is not None:
                return iv.power(root, exponent.numerator, precision)
    if isinstance(base, Fraction) and base == 0:
        if iv.compare(exponent, Fraction(0)) == 1:
            return Fraction(0)
        raise CannotTellError("power of 0")
    return iv.exp(iv.mul(exponent, iv.log(base, precision), precision), precision)


def _exact_rational_root(value: Fraction, degree: int) -> Fraction | None:
    if degree > 12 or value.numerator.bit_length() > 200 or value.denominator.bit_length() > 200:
        return None
    parts = [round(part ** (1 / degree)) for part in (value.numerator, value.denominator)]
    root = Fraction(parts[0], parts[1] or 1)
    return root if root**degree == value else None


_JOINING = {"add": iv.add, "mul": iv.mul, "pow": general_power}
_OF_ONE = {"exp": iv.exp, "log": iv.log, "Phi": iv.normal, "Phi_inv": iv.normal_inverse}

# derivatives at kinks


def _derivative(
    node: Node, values: dict[int, Found], point: Mapping[str, Number], precision: int
) -> Found:
    """The derivative of a function with kinks: the rule away from them, both sides at one."""
    touching = [_equal(values[place.number], Fraction(0)) for place in node.args[2:]]
    if all(touched is False for touched in touching):
        return values[node.args[1].number]
    if any(touched is None for touched in touching) or not node.data:
        return None
    function, name = node.args[0], str(node.data)
    sides = [one_sided(function, name, side, point, precision) for side in (1, -1)]
    if any(side is None for side in sides):
        return None
    (right, right_slope), (left, left_slope) = (side for side in sides if side is not None)
    here = values[function.number]
    same = [_equal(right, here), _equal(left, here), _equal(right_slope, left_slope)]
    if isinstance(here, Undefined) or False in same:
        return UNDEFINED
    return None if None in same else right_slope


def _equal(a: Found, b: Found) -> bool | None:
    if not isinstance(a, Fraction | iv.Interval) or not isinstance(b, Fraction | iv.Interval):
        return None
    order = iv.compare(a, b)
    return None if order is None else order == 0


def one_sided(
    function: Node, name: str, side: int, point: Mapping[str, Number], precision: int
) -> tuple[Number, Number] | None:
    """Limit value and slope of the function from one side."""
    beside = _Beside(name, side, point, precision)
    parts: dict[Node, Node | None] = {}
    for node in in_order([function]):
        parts[node] = beside.branch(node, parts)
    branch = parts[function]
    return beside.dual(branch) if branch else None


class _Beside:
    """Right beside a point each function with a kink is one of its branches, which is smooth."""

    def __init__(self, name: str, side: int, point: Mapping[str, Number], precision: int) -> None:
        self.graph = Graph()
        self.variable = self.graph.var(name)
        self.side, self.point, self.precision = side, point, precision

    def dual(self, node: Node) -> tuple[Number, Number] | None:
        """Value and slope at the point."""
        slope = self.graph.derivative(node, self.variable)
        value, change = Evaluator([node, slope]).at(self.point, self.precision)
        numbers = Fraction | iv.Interval
        if isinstance(value, numbers) and isinstance(change, numbers):
            return value, change
        return None

    def order(self, a: Node, b: Node) -> int | None:
        """-1 or 1 as a is less or greater than b, 0 where neither value nor slope tells them
        apart, None where that is not known."""
        found = self.dual(self.graph.sub(a, b))
        if found is None:
            return None
        value, slope = (iv.compare(one, Fraction(0)) for one in found)
        if value != 0:
            return value
        return None if slope is None else self.side * slope

    def branch(self, node: Node, parts: Mapping[Node, Node | None]) -> Node | None:
        """What a node is on this side, made of what its parts are; None where that is not known."""
        op, graph = node.op, self.graph
        decided = graph.truth(op == "or")  # one True decides `or`, one False decides `and`
        if op in ("and", "or") and any(parts[arg] is decided for arg in node.args):
            return decided
        args = [one for arg in node.args if (one := parts[arg])]
        if len(args) < len(node.args):
            return None
        if not args:
            return graph.node(op, (), node.data)
        if op == "diff":
            return args[1]
        if op in ("max", "min"):
            return self.first(args, 1 if op == "max" else -1)
        if op in ("abs", "sign", "side"):
            order = self.order(args[0], graph.zero)
            if not order:
                return graph.zero if order == 0 and op == "abs" else None
            return graph.mul((graph.num(order), args[0] if op == "abs" else graph.one))
        if op in ("<", "<=", "=="):
            order = self.order(*args)
            return graph.truth(op != "==" and order < 0) if order else None
        if is_root(node) and self.order(args[0], graph.zero) == 0:
            return self.length(node, parts)
        return graph.rebuild(node, args)

    def first(self, args: list[Node], sign: int) -> Node | None:
        """The largest argument for the sign 1, the smallest for -1."""
        best = args[0]
        for arg in args[1:]:
            order = self.order(arg, best)
            if order is None:
                return None
            best = arg if order == sign else best
        return best

    def length(self, node: Node, parts: Mapping[Node, Node | None]) -> Node | None:
        """The root of a sum of squares where all of them are 0."""
        base, exponent = node.args
        graph, here = self.graph, self.point.get(str(self.variable.data))
        squares = base.args if base.op == "add" else (base,)
        if exponent.data != Fraction(1, 2) or not isinstance(here, Fraction):
            return None
        if any(one.op != "pow" or one.args[1].data != 2 for one in squares):
            return None
        inside = (one for square in squares if (one := parts[square.args[0]]))
        slopes = (graph.derivative(one, self.variable) for one in inside)
        size = graph.sqrt(graph.add(graph.pow(slope, graph.num(2)) for slope in slopes))
        beyond = graph.sub(self.variable, graph.num(here))
        return graph.mul((graph.num(self.side), size, beyond))
