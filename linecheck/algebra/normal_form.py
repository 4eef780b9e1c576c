"""From graphs to quotients of polynomials in generators: the algebra behind PROVED.

Where a rule depends on the sign of something (|x|, max, sqrt(x**2)), the sign is proved or
`SplitError` asks for two or three cases.
"""

from __future__ import annotations

from linecheck.algebra.functions import Functions
from linecheck.algebra.polynomials import Work
from linecheck.algebra.ratios import (
    ONE,
    ZERO,
    Algebra,
    Generator,
    NoNormalFormError,
    Ratio,
    SideError,
    number,
    short,
)
from linecheck.algebra.signs import Signs
from linecheck.expand.graph import Graph, Node, in_order, is_root, value_of


class Field:
    """Normal forms of the nodes of one graph, under the signs that are supposed."""

    def __init__(self, graph: Graph, work: Work) -> None:
        self.algebra = Algebra(graph, work)
        self.signs = Signs(self.algebra)
        self.functions = Functions(self.algebra, self.signs)
        self.memory: dict[int, Ratio] = {}
        self.sides: dict[tuple[int, ...], int] = {}  # at a kink, which side is looked at

    def forget(self) -> None:
        """Drop what depends on the signs supposed so far."""
        self.memory.clear()
        self.algebra.root_signs.clear()

    def of(self, node: Node) -> Ratio:
        """The normal form of a node."""
        stack = [node]
        while stack:
            top = stack[-1]
            if top.number in self.memory:
                stack.pop()
                continue
            missing = [arg for arg in self.arguments(top) if arg.number not in self.memory]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            self.memory[top.number] = self.convert(top)
        return self.memory[node.number]

    @staticmethod
    def arguments(node: Node) -> tuple[Node, ...]:
        """What must be converted before a node."""
        if node.op == "diff":
            return node.args[1:2]
        if node.op in ("if", "sideif"):
            return tuple(_compared(node.args[0]))
        if node.op == "log":
            return ()
        if node.op == "pow" and node.args[1].op == "num":
            return node.args[:1]
        return node.args

    def convert(self, node: Node) -> Ratio:
        algebra = self.algebra
        op = node.op
        if op == "num":
            return number(short(value_of(node)))
        if op == "var":
            name = str(node.data)
            return (
                algebra.values[name]
                if name in algebra.values
                else algebra.plain(algebra.variable(name))
            )
        if op == "pi":
            return algebra.plain(
                algebra.generator("pi", 0, lambda: Generator("pi", 0, lambda: node, True, True))
            )
        if op == "diff":
            self.check_jumps(node.args[0])
            if not node.data and any(
                self.signs.strict_sign(self.of(place)) == 0 for place in node.args[2:]
            ):
                raise NoNormalFormError("a derivative at a kink")
            return self.memory[node.args[1].number]
        if op == "if":
            return ONE if self.truth(node.args[0]) else ZERO
        if op == "sideif":
            return ONE if self.side_truth(node.args[0]) else ZERO
        args = [self.memory[arg.number] for arg in self.arguments(node)]
        if op == "add":
            total = args[0]
            for arg in args[1:]:
                total = algebra.add(total, arg)
            return total
        if op == "mul":
            product = args[0]
            for arg in args[1:]:
                product = algebra.multiply(product, arg)
            return product
        if op == "pow":
            return self.convert_power(node, args)
        if op == "exp":
            return self.functions.exp(args[0])
        if op == "log":
            return self.log_of_node(node.args[0])
        if op == "abs":
            return self.signs.absolute(args[0])
        if op == "sign":
            return number(self.signs.strict_sign(args[0]))
        if op == "side":
            return number(self.side(args[0], (node.args[0].number,)))
        if op in ("max", "min"):
            return self.signs.most(args, op == "max")
        if op == "Phi":
            return self.functions.normal(args[0])
        if op == "Phi_inv":
            return self.functions.normal_inverse(args[0])
        raise NoNormalFormError(op)

    def convert_power(self, node: Node, args: list[Ratio]) -> Ratio:
        algebra = self.algebra
        exponent = node.args[1]
        if exponent.op == "num":
            value = value_of(exponent)
            if value.denominator == 1:
                return algebra.power(args[0], int(value))
            return self.functions.root(args[0], value)
        if not self.signs.is_positive(args[0]):
            if self.signs.strict_sign(args[0]) != 0 or self.signs.strict_sign(args[1]) != 1:
                raise NoNormalFormError("power of a number that is not positive")
            return ZERO
        return self.functions.exp(algebra.multiply(args[1], self.log_of_node(node.args[0])))

    def log_of_node(self, node: Node) -> Ratio:
        """log|node|, product by product as it was typed."""
        algebra = self.algebra
        if node.op == "mul":
            total = ZERO
            for arg in node.args:
                total = algebra.add(total, self.log_of_node(arg))
            return total
        if node.op == "pow":
            return algebra.multiply(self.of(node.args[1]), self.log_of_node(node.args[0]))
        if node.op == "exp":
            return self.of(node.args[0])
        return self.functions.log(self.of(node))

    def truth(self, condition: Node) -> bool:
        """Whether a condition holds, under the signs supposed."""
        algebra = self.algebra
        op = condition.op
        if op in ("true", "false"):
            return op == "true"
        if op == "not":
            return not self.truth(condition.args[0])
        if op == "and":
            return all(self.truth(arg) for arg in condition.args)
        if op == "or":
            return any(self.truth(arg) for arg in condition.args)
        difference = algebra.subtract(self.of(condition.args[1]), self.of(condition.args[0]))
        if op == "==":
            return self.signs.strict_sign(difference) == 0
        return (
            self.signs.is_positive(difference)
            if op == "<"
            else not self.signs.is_positive(algebra.negative(difference))
        )

    def side(self, a: Ratio, key: tuple[int, ...]) -> int:
        """The sign of a, from the side that is looked at where a is 0."""
        sign = self.signs.strict_sign(a)
        if sign == 0:
            if key not in self.sides:
                raise SideError(key)
            return self.sides[key]
        return sign

    def side_truth(self, condition: Node) -> bool:
        """A comparison made by the derivative of max or min, from the side looked at."""
        algebra = self.algebra
        if condition.op == "and":
            return all(self.side_truth(arg) for arg in condition.args)
        if condition.op in ("true", "false"):
            return condition.op == "true"
        low, high = condition.args
        turned = low.number > high.number  # a < b and b < a look at the same kink
        key = tuple(sorted((low.number, high.number)))
        difference = algebra.subtract(self.of(high), self.of(low))
        if turned:
            return self.side(algebra.negative(difference), key) < 0
        return self.side(difference, key) > 0

    def check_jumps(self, function: Node) -> None:
        """What jumps, and a root, may only be differentiated away from 0."""
        for node in in_order([function]):
            if node.op in ("sign", "side") or is_root(node):
                differences = [self.of(node.args[0])]
            elif node.op in ("if", "sideif"):
                compared = _compared(node.args[0])
                differences = [
                    self.algebra.subtract(self.of(a), self.of(b))
                    for a, b in zip(compared[::2], compared[1::2], strict=True)
                ]
            else:
                continue
            if any(self.signs.strict_sign(difference) == 0 for difference in differences):
                raise NoNormalFormError("a jump is differentiated")


def _compared(condition: Node) -> list[Node]:
    """The numbers that a condition compares."""
    if condition.op in ("<", "<=", "=="):
        return list(condition.args)
    return [node for part in condition.args for node in _compared(part)]
