"""Signs that can be read off a graph without any algebra: a sum of squares is >= 0."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from linecheck.expand.graph import Graph, Node, in_order, value_of, variables
from linecheck.language.domains import Finite, ScalarDomain, Span


def sign_of_node(graph: Graph, node: Node, domains: Mapping[str, ScalarDomain]) -> int | None:
    """2 (> 0), 1 (>= 0), 0, -1 (<= 0), -2 (< 0) on the whole domain, or None.

    Holds wherever the node is defined.
    """
    signs: dict[int, int | None] = {}
    for part in in_order([node]):
        sign = _sign(part, [signs[arg.number] for arg in part.args], domains)
        if part.op == "add" and (sign is None or abs(sign) == 1):
            sign = _by_bounds(part, domains) or _by_values(graph, part, domains) or sign
        signs[part.number] = sign
    return signs[node.number]


def _by_bounds(node: Node, domains: Mapping[str, ScalarDomain]) -> int | None:
    """The sign of a sum of numbers and multiples of bounded variables, such as 1 - p."""
    low = high = Fraction(0)
    low_open = high_open = False
    for part in node.args:
        factor, inner = Fraction(1), part
        if part.op == "num":
            low, high = low + value_of(part), high + value_of(part)
            continue
        if part.op == "mul" and len(part.args) == 2 and part.args[0].op == "num":
            factor, inner = value_of(part.args[0]), part.args[1]
        domain = domains.get(str(inner.data)) if inner.op == "var" else None
        if not isinstance(domain, Span) or domain.lower is None or domain.upper is None:
            return None
        ends = [
            (factor * domain.lower, domain.lower_open),
            (factor * domain.upper, domain.upper_open),
        ]
        (least, least_open), (most, most_open) = ends if factor > 0 else ends[::-1]
        low, high = low + least, high + most
        low_open, high_open = low_open or least_open, high_open or most_open
    if low >= 0:
        return 2 if low > 0 or low_open else 1
    return (-2 if high < 0 or high_open else -1) if high <= 0 else None


def _by_values(graph: Graph, node: Node, domains: Mapping[str, ScalarDomain]) -> int | None:
    """The sign of a sum such as (1 - y) + y p, from the values of a label or a sign in it."""
    for name in variables([node]):
        domain = domains.get(name)
        if isinstance(domain, Finite) and domain.rule:
            variable = graph.var(name)
            signs = [
                sign_of_node(graph, graph.substitute(node, {variable: graph.num(v)}), domains)
                for v in domain.values
            ]
            known = [sign for sign in signs if sign is not None]
            if len(known) < len(signs):
                return None
            # the weaker of the two, if they agree in direction
            low, high = min(known), max(known)
            if low >= 0:
                return low if low or not high else 1
            return (high if high or not low else -1) if high <= 0 else None
    return None


def _sign(node: Node, args: list[int | None], domains: Mapping[str, ScalarDomain]) -> int | None:
    op = node.op
    if op == "num":
        value = value_of(node)
        return 2 * ((value > 0) - (value < 0))
    if op == "var":
        return _sign_of_domain(domains.get(str(node.data)))
    if op in ("exp", "pi", "Phi"):
        return 2
    if op == "abs":
        return 2 if args[0] in (2, -2) else 1
    if op in ("if", "sideif"):
        return 1
    if op == "add":
        return _sum(args)
    if op == "mul":
        return _product(args)
    if op == "pow":
        return _power(node, args[0])
    if op in ("max", "min"):
        return _most(args, op == "max")
    return args[0] if op == "sign" else None  # a derivative need not exist everywhere


def _sign_of_domain(domain: ScalarDomain | None) -> int | None:
    if domain is None:
        return None
    if isinstance(domain, Finite):
        lower, upper = min(domain.values), max(domain.values)
        if lower >= 0:
            return 2 if lower > 0 else 1
        return (-2 if upper < 0 else -1) if upper <= 0 else None
    if domain.lower is not None and domain.lower >= 0:
        return 2 if domain.lower > 0 or domain.lower_open or domain.no_zero else 1
    if domain.upper is not None and domain.upper <= 0:
        return -2 if domain.upper < 0 or domain.upper_open or domain.no_zero else -1
    return None


def _sum(args: list[int | None]) -> int | None:
    known = [arg for arg in args if arg is not None]
    if len(known) < len(args):
        return None
    if all(arg >= 0 for arg in known):
        return max(known)
    return min(known) if all(arg <= 0 for arg in known) else None


def _product(args: list[int | None]) -> int | None:
    sign, size = 1, 2
    for arg in args:
        if arg is None:
            return None
        if arg == 0:
            return 0
        size = min(size, abs(arg))
        sign = sign if arg > 0 else -sign
    return sign * size


def _power(node: Node, base: int | None) -> int | None:
    exponent = node.args[1]
    if exponent.op != "num":
        return base if base in (1, 2) else None
    value = value_of(exponent)
    if value.denominator != 1:
        return 2 if base == 2 or value < 0 else 1
    if value % 2 == 0:
        return 2 if value < 0 or base in (2, -2) else 1
    if base is None or value > 0:
        return base
    return 2 if base > 0 else -2 if base < 0 else None


def _most(args: list[int | None], largest: bool) -> int | None:
    """The largest of some numbers is at least the one that is known to be largest."""
    turn = 1 if largest else -1
    known = [turn * arg for arg in args if arg is not None]
    if not known:
        return None
    best = max(known)
    if len(known) == len(args) or best > 0:
        return turn * best
    return turn if best == 0 else None
