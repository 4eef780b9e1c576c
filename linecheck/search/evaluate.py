"""The value of a graph at a point: exact rationals, intervals where they do not suffice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache

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
    """Limit value and slope of the function from one side, by dual numbers on the graph."""
    duals: dict[int, tuple[Number, Number] | bool | None] = {}
    for node in in_order([function]):
        if node.op == "var":
            value = point.get(str(node.data))
            slope = Fraction(1 if node.data == name else 0)
            duals[node.number] = None if value is None else (value, slope)
            continue
        args = [duals[arg.number] for arg in node.args]
        try:
            if is_root(node) and _at_zero(args[0]):
                duals[node.number] = _length(node, duals, side, precision)
            else:
                duals[node.number] = _dual(node, args, side, precision)
        except (ArithmeticError, ValueError):
            duals[node.number] = None
    found = duals[function.number]
    return found if isinstance(found, tuple) else None


def _at_zero(dual: tuple[Number, Number] | bool | None) -> bool:
    return isinstance(dual, tuple) and isinstance(dual[0], Fraction) and dual[0] == 0


def _length(
    node: Node, duals: Mapping[int, tuple[Number, Number] | bool | None], side: int, precision: int
) -> tuple[Number, Number] | None:
    """Value and slope of the root of a sum of squares where all of them are 0."""
    base, exponent = node.args
    squares = base.args if base.op == "add" else (base,)
    total: Number = Fraction(0)
    for square in squares:
        if exponent.data != Fraction(1, 2) or square.op != "pow" or square.args[1].data != 2:
            return None
        dual = duals[square.args[0].number]
        if not isinstance(dual, tuple):
            return None
        total = iv.add(total, iv.power(dual[1], 2, precision), precision)
    root = exact_root(total) if isinstance(total, Fraction) else None
    slope = iv.sqrt(total, precision) if root is None else root
    return Fraction(0), iv.mul(Fraction(side), slope, precision)


def _dual(
    node: Node, args: list[tuple[Number, Number] | bool | None], side: int, precision: int
) -> tuple[Number, Number] | bool | None:
    op = node.op
    if op == "num":
        return node.data, Fraction(0)  # type: ignore[return-value]
    if op == "pi":
        return iv.pi(precision), Fraction(0)
    if op in ("true", "false"):
        return op == "true"
    if op in ("and", "or", "not", "if", "sideif"):
        found = _logic(op, [arg if isinstance(arg, bool) else None for arg in args])
        if op in ("if", "sideif"):
            return (found, Fraction(0)) if isinstance(found, Fraction) else None
        return found if isinstance(found, bool) else None
    pairs = [arg for arg in args if isinstance(arg, tuple)]
    if len(pairs) != len(args):
        return None
    if op == "diff":
        return pairs[1]
    if op in ("<", "<=", "=="):
        order = _order_beside(pairs[0], pairs[1], side, precision)
        return None if order is None else {"<": order < 0, "<=": order < 0, "==": False}[op]
    return _dual_function(node, pairs, side, precision)


def _order_beside(
    a: tuple[Number, Number], b: tuple[Number, Number], side: int, precision: int
) -> int | None:
    """-1 or 1 as a is less or greater than b right beside the point."""
    order = iv.compare(a[0], b[0])
    if order == 0:
        order = side * (iv.compare(a[1], b[1]) or 0)
    return order or None


def _dual_function(
    node: Node, pairs: list[tuple[Number, Number]], side: int, precision: int
) -> tuple[Number, Number] | None:
    op = node.op
    zero = (Fraction(0), Fraction(0))
    if op in ("abs", "sign", "side"):
        order = _order_beside(pairs[0], zero, side, precision)
        if order is None:
            same = pairs[0] == zero
            return zero if same and op == "abs" else None
        factor = Fraction(order)
        if op != "abs":
            return factor, Fraction(0)
        return iv.mul(factor, pairs[0][0], precision), iv.mul(factor, pairs[0][1], precision)
    if op in ("max", "min"):
        best = pairs[0]
        for pair in pairs[1:]:
            order = _order_beside(pair, best, side, precision)
            if order is None and pair != best:
                return None
            if order == (1 if op == "max" else -1):
                best = pair
        return best
    here = {str(k): value for k, (value, _) in enumerate(pairs)}
    slope: Number = Fraction(0)
    for (_, change), rule in zip(pairs, _rules(op, len(pairs)), strict=True):
        (by,) = rule.at(here, precision) if change != 0 else (Fraction(0),)
        if not isinstance(by, Fraction | iv.Interval):
            return None
        slope = iv.add(slope, iv.mul(by, change, precision), precision)
    value = _apply(op, list(here.values()), precision)
    return (value, slope) if isinstance(value, Fraction | iv.Interval) else None


@cache
def _rules(op: str, count: int) -> list[Evaluator]:
    """How a smooth function changes with each of its arguments."""
    graph = Graph()
    args = tuple(graph.var(str(k)) for k in range(count))
    function = graph.node(op, args)
    return [Evaluator([graph.derivative(function, arg)]) for arg in args]
