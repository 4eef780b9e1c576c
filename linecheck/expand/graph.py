"""Numbers as a graph: every entry of a line, written with numbers, variables and few functions.

Nodes are shared (equal nodes are one object), so a big determinant stays small. Building folds
constants only; what a line typed by a student needs in order to be defined is recorded elsewhere
(`values.Need`) before anything here could hide it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from linecheck.language.terms import TooBigError

MOST_NODES = 60_000
MOST_BITS = 6_000  # of a folded power
ZERO, ONE = Fraction(0), Fraction(1)


class Node:
    """One number in the graph.

    op      data
    num     its value                        var     its name
    add mul                                  pow     args: base, exponent
    exp log abs sign Phi Phi_inv  one arg    max min
    if      the indicator of a condition     diff    data: variable ("" once it is replaced);
            args: function, derivative, numbers that are 0 at its kinks
    side sideif   sign and indicator as they come from a derivative: at a kink they mean one side
    conditions: < <= == (two numbers), and or not
    """

    __slots__ = ("args", "data", "number", "op")

    def __init__(self, op: str, args: tuple[Node, ...], data: object, number: int) -> None:
        self.op = op
        self.args = args
        self.data = data
        self.number = number  # order of creation: arguments come before what uses them

    def __repr__(self) -> str:
        return f"{self.op}{'' if self.data is None else ':' + str(self.data)}{list(self.args)}"


class Graph:
    """Makes nodes and keeps each of them once."""

    def __init__(self) -> None:
        self.known: dict[tuple[object, ...], Node] = {}
        self.zero = self.num(ZERO)
        self.one = self.num(ONE)
        self.minus_one = self.num(-ONE)
        self.half = self.num(Fraction(1, 2))
        self.derivatives: dict[tuple[int, str], Node] = {}

    def node(self, op: str, args: tuple[Node, ...] = (), data: object = None) -> Node:
        key = (op, data, *(arg.number for arg in args))
        found = self.known.get(key)
        if found is None:
            if len(self.known) >= MOST_NODES:
                raise TooBigError("the line is too big once its sums and products are written out")
            found = self.known[key] = Node(op, args, data, len(self.known))
        return found

    def num(self, value: Fraction | int) -> Node:
        return self.node("num", (), Fraction(value))

    def var(self, name: str) -> Node:
        return self.node("var", (), name)

    # arithmetic

    def add(self, parts: Iterable[Node]) -> Node:
        numbers, rest = _flat("add", parts)
        constant = sum(numbers, ZERO)
        if constant:
            rest.append(self.num(constant))
        if len(rest) <= 1:
            return rest[0] if rest else self.zero
        return self.node("add", tuple(rest))

    def mul(self, parts: Iterable[Node]) -> Node:
        numbers, rest = _flat("mul", parts)
        constant = math.prod(numbers, start=ONE)
        if constant == 0:
            return self.zero
        if len(set(rest)) < len(rest):
            rest = self.with_squares(rest)
        if constant != 1 or not rest:
            rest.insert(0, self.num(constant))
        return rest[0] if len(rest) == 1 else self.node("mul", tuple(rest))

    def with_squares(self, factors: list[Node]) -> list[Node]:
        """Equal factors as powers, so that x*x is seen to be a square."""
        counts: dict[Node, int] = {}
        for factor in factors:
            counts[factor] = counts.get(factor, 0) + 1
        return [
            factor if count == 1 else self.pow(factor, self.num(count))
            for factor, count in counts.items()
        ]

    def neg(self, node: Node) -> Node:
        return self.mul((self.minus_one, node))

    def sub(self, left: Node, right: Node) -> Node:
        return self.add((left, self.neg(right)))

    def div(self, left: Node, right: Node) -> Node:
        return self.mul((left, self.pow(right, self.minus_one)))

    def pow(self, base: Node, exponent: Node) -> Node:
        if exponent.op == "num":
            power = value_of(exponent)
            if power == 1:
                return base
            if power == 0:
                return self.one
            if power.denominator == 1:
                if base.op == "num":
                    folded = _folded_power(value_of(base), int(power))
                    if folded is not None:
                        return self.num(folded)
                if base.op == "abs" and power % 2 == 0:
                    return self.pow(base.args[0], exponent)
                if base.op == "pow" and base.args[1].op == "num":
                    # also for roots: sqrt(f)**2 is f wherever sqrt(f) is defined
                    return self.pow(base.args[0], self.num(value_of(base.args[1]) * power))
            elif power.denominator == 2 and base.op == "pow" and base.args[1].op == "num":
                inner = value_of(base.args[1])
                if inner.denominator == 1 and inner % 2 == 0:  # sqrt(f**2) is |f|
                    size = self.call("abs", base.args[0])
                    return self.pow(size, self.num(inner * power))
        if base is self.one:
            return self.one
        return self.node("pow", (base, exponent))

    def sqrt(self, node: Node) -> Node:
        if node.op == "num":
            root = exact_root(value_of(node))
            if root is not None:
                return self.num(root)
        return self.pow(node, self.half)

    def call(self, function: str, node: Node) -> Node:
        """exp, log, abs, sign, Phi, Phi_inv of one number."""
        if node.op == "num":
            folded = _folded_call(function, value_of(node))
            if folded is not None:
                return self.num(folded)
        return self.node(function, (node,))

    def most(self, function: str, parts: Sequence[Node]) -> Node:
        """max or min."""
        distinct = tuple(dict.fromkeys(parts))
        if all(part.op == "num" for part in distinct):
            choose = max if function == "max" else min
            return self.num(choose(value_of(part) for part in distinct))
        return distinct[0] if len(distinct) == 1 else self.node(function, distinct)

    # conditions

    def compare(self, relation: str, left: Node, right: Node) -> Node:
        if relation in (">", ">="):
            return self.compare("<" if relation == ">" else "<=", right, left)
        if relation == "!=":
            return self.negate(self.compare("==", left, right))
        if left is right:
            return self.truth(relation != "<")
        if left.op == right.op == "num":
            a, b = value_of(left), value_of(right)
            return self.truth({"<": a < b, "<=": a <= b, "==": a == b}[relation])
        return self.node(relation, (left, right))

    def truth(self, value: bool) -> Node:
        return self.node("true" if value else "false")

    def negate(self, condition: Node) -> Node:
        if condition.op in ("true", "false"):
            return self.truth(condition.op == "false")
        if condition.op in ("<", "<="):
            return self.node("<=" if condition.op == "<" else "<", condition.args[::-1])
        if condition.op == "not":
            return condition.args[0]
        return self.node("not", (condition,))

    def both(self, conditions: Iterable[Node]) -> Node:
        return self.joined("and", conditions, True)

    def either(self, conditions: Iterable[Node]) -> Node:
        return self.joined("or", conditions, False)

    def joined(self, op: str, conditions: Iterable[Node], neutral: bool) -> Node:
        """Conditions joined by `and` (true is neutral) or by `or` (false is)."""
        rest = [part for part in conditions if part is not self.truth(neutral)]
        if self.truth(not neutral) in rest:
            return self.truth(not neutral)
        if len(rest) <= 1:
            return rest[0] if rest else self.truth(neutral)
        return self.node(op, tuple(rest))

    def indicator(self, condition: Node, op: str = "if") -> Node:
        if condition.op in ("true", "false"):
            return self.one if condition.op == "true" else self.zero
        return self.node(op, (condition,))

    # whole graphs

    def rebuild(self, node: Node, args: Sequence[Node]) -> Node:
        """The node with other arguments, folded again."""
        op = node.op
        if op in _REBUILT:
            return _REBUILT[op](self, args)
        if op in ("max", "min"):
            return self.most(op, args)
        if op in ("<", "<=", "=="):
            return self.compare(op, args[0], args[1])
        if op in ("sideif", "diff"):
            return self.node(op, tuple(args), node.data)
        return self.call(op, args[0])

    def substitute(self, node: Node, values: dict[Node, Node]) -> Node:
        """The node with some nodes replaced, all at once."""
        done: dict[Node, Node] = dict(values)
        for part in in_order([node]):
            if part in done:
                continue
            if not part.args:
                done[part] = part
                continue
            args = tuple(done[arg] for arg in part.args)
            if args == part.args:
                done[part] = part
            elif part.op == "diff" and self.var(str(part.data)) in values:
                done[part] = self.node("diff", args, "")  # no longer a variable: no two sides
            else:
                done[part] = self.rebuild(part, args)
        return done[node]

    def derivative(self, node: Node, variable: Node) -> Node:
        """The partial derivative, by the rules; where a kink lies it is one of the two sides."""
        name = str(variable.data)
        for part in in_order([node]):
            key = (part.number, name)
            if key not in self.derivatives:
                inner = [self.derivatives[arg.number, name] for arg in part.args]
                self.derivatives[key] = self._rule(part, inner, variable)
        return self.derivatives[node.number, name]

    def _rule(self, node: Node, inner: list[Node], variable: Node) -> Node:
        op, args = node.op, node.args
        if node is variable:
            return self.one
        if all(part is self.zero for part in inner):
            return self.zero
        if op == "add":
            return self.add(inner)
        if op == "mul":
            changes = [(k, one) for k, one in enumerate(inner) if one is not self.zero]
            return self.add([self.mul((*args[:k], one, *args[k + 1 :])) for k, one in changes])
        if op == "pow":
            base, exponent = args
            by_base = by_exponent = self.zero
            if inner[0] is not self.zero:
                lower = self.pow(base, self.sub(exponent, self.one))
                by_base = self.mul((exponent, lower, inner[0]))
            if inner[1] is not self.zero:
                by_exponent = self.mul((node, self.call("log", base), inner[1]))
            return self.add((by_base, by_exponent))
        if op == "exp":
            return self.mul((node, inner[0]))
        if op == "log":
            return self.div(inner[0], args[0])
        if op == "abs":
            return self.mul((self.call("side", args[0]), inner[0]))
        if op == "Phi":
            return self.mul((self.density(args[0]), inner[0]))
        if op == "Phi_inv":
            return self.div(inner[0], self.density(node))
        if op in ("max", "min"):
            return self._rule_of_most(node, inner)
        if op == "diff":
            second = self.derivative(args[1], variable)
            return self.node("diff", (args[1], second, *args[2:]), variable.data)
        return self.zero  # sign, indicators and conditions are flat away from their jumps

    def _rule_of_most(self, node: Node, inner: list[Node]) -> Node:
        """The first argument that is largest (smallest) decides; at a tie the sides may differ."""
        terms = []
        for k, (arg, change) in enumerate(zip(node.args, inner, strict=True)):
            if change is self.zero:
                continue
            conditions = []
            for other_k, other in enumerate(node.args):
                if other_k != k:
                    low, high = (other, arg) if node.op == "max" else (arg, other)
                    conditions.append(self.compare("<" if other_k < k else "<=", low, high))
            chosen = self.indicator(self.both(conditions), "sideif")
            terms.append(self.mul((chosen, change)))
        return self.add(terms)

    def kink_places(self, parts: Iterable[Node]) -> list[Node]:
        """Numbers that are 0 where kinks and conditions lie."""
        found: dict[Node, None] = {}
        for part in parts:
            if part.op in ("abs", "sign", "side", "pow"):
                found[part.args[0]] = None
            elif part.op in ("max", "min"):
                for one, other in itertools.combinations(part.args, 2):
                    found[self.sub(one, other)] = None
            else:
                for condition in in_order([part]):
                    if condition.op in ("<", "<=", "=="):
                        found[self.sub(*condition.args)] = None
        return list(found)

    def density(self, node: Node) -> Node:
        """Normal density exp(-z**2/2) / sqrt(2 pi)."""
        square = self.mul((self.num(Fraction(-1, 2)), self.pow(node, self.num(2))))
        two_pi = self.mul((self.num(2), self.node("pi")))
        return self.div(self.call("exp", square), self.sqrt(two_pi))


_REBUILT: dict[str, Callable[[Graph, Sequence[Node]], Node]] = {
    "add": Graph.add,
    "mul": Graph.mul,
    "and": Graph.both,
    "or": Graph.either,
    "pow": lambda graph, args: graph.pow(args[0], args[1]),
    "not": lambda graph, args: graph.negate(args[0]),
    "if": lambda graph, args: graph.indicator(args[0]),
}


def value_of(node: Node) -> Fraction:
    """The number of a `num` node."""
    assert isinstance(node.data, Fraction)
    return node.data


def in_order(nodes: Iterable[Node]) -> list[Node]:
    """All nodes below the given ones, arguments before what uses them."""
    seen: dict[int, Node] = {}
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if node.number not in seen:
            seen[node.number] = node
            waiting.extend(node.args)
    return [seen[number] for number in sorted(seen)]


def variables(nodes: Iterable[Node]) -> list[str]:
    """Names of the variables below the nodes, in order of creation."""
    return [str(node.data) for node in in_order(nodes) if node.op == "var"]


def _flat(op: str, parts: Iterable[Node]) -> tuple[list[Fraction], list[Node]]:
    """The numbers among the terms (factors), and the others; inner sums (products) are opened."""
    inner = [one for part in parts for one in (part.args if part.op == op else (part,))]
    numbers = [value_of(one) for one in inner if one.op == "num"]
    return numbers, [one for one in inner if one.op != "num"]


def kinks(nodes: Iterable[Node]) -> list[Node]:
    """The nodes below at which a derivative may not exist: abs, max, sign, indicators, roots."""
    kinked = ("abs", "max", "min", "sign", "if", "side", "sideif")
    return [part for part in in_order(nodes) if part.op in kinked or is_root(part)]


def is_root(node: Node) -> bool:
    """A power between 0 and 1: it has no slope where its base is 0."""
    return (
        node.op == "pow"
        and node.args[1].op == "num"
        and 0 < value_of(node.args[1]) < 1
        and node.args[0].op != "num"
    )


def exact_root(value: Fraction) -> Fraction | None:
    """The rational square root of a number, if it has one."""
    if value < 0:
        return None
    root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
    return root if root * root == value else None


def _folded_power(base: Fraction, power: int) -> Fraction | None:
    if base == 0 and power < 0:
        return None
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    return base**power if bits * abs(power) <= MOST_BITS else None


_FOLDED = {
    ("exp", ZERO): ONE,
    ("log", ONE): ZERO,
    ("Phi", ZERO): Fraction(1, 2),
    ("Phi_inv", Fraction(1, 2)): ZERO,
}


def _folded_call(function: str, value: Fraction) -> Fraction | None:
    if function == "abs":
        return abs(value)
    if function in ("sign", "side"):
        return Fraction((value > 0) - (value < 0))
    return _FOLDED.get((function, value))
