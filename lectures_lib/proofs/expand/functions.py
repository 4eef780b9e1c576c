"""The functions of the language, and its calculus, written out as numbers.

Everything that must hold for the line to be defined (a divisor is not 0, a logarithm has a positive
argument) is recorded as a `Need` before simplification could hide it.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from lectures_lib.proofs.expand.graph import Node, in_order, variables
from lectures_lib.proofs.expand.values import Array, Value, is_condition, same_shape, told
from lectures_lib.proofs.expand.writing import Writing
from lectures_lib.proofs.language.terms import Term


class Lowering(Writing):
    """Lowers terms to numbers."""

    def call(self, term: Term) -> Value:
        function = term.name
        if function in _OF_NUMBERS:
            handler = _OF_NUMBERS[function]
            return self.each(self.lower(term.args[0]), lambda node: handler(self, node), term)
        return _OF_ARRAYS[function](self, term)

    def exp(self, node: Node) -> Node:
        return self.graph.call("exp", node)

    def log(self, node: Node) -> Node:
        self.need("positive", node, "a logarithm of a number that is not positive")
        return self.graph.call("log", node)

    def sqrt(self, node: Node) -> Node:
        self.need("nonnegative", node, "a root of a negative number")
        return self.graph.sqrt(node)

    def sigma(self, node: Node) -> Node:
        graph = self.graph
        below = graph.add((graph.one, graph.call("exp", graph.neg(node))))
        return graph.pow(below, graph.minus_one)

    def tanh(self, node: Node) -> Node:
        graph = self.graph
        twice = self.sigma(graph.mul((graph.num(2), node)))
        return graph.add((graph.mul((graph.num(2), twice)), graph.minus_one))

    def softplus(self, node: Node) -> Node:
        graph = self.graph
        return graph.call("log", graph.add((graph.one, graph.call("exp", node))))

    def relu(self, node: Node) -> Node:
        return self.graph.most("max", (node, self.graph.zero))

    def logit(self, node: Node) -> Node:
        self.nonzero(self.graph.sub(self.graph.one, node))
        odds = self.graph.div(node, self.graph.sub(self.graph.one, node))
        self.need("positive", odds, "a logarithm of a number that is not positive")
        return self.graph.call("log", odds)

    def inverse_normal(self, node: Node) -> Node:
        self.need("positive", node, "Phi_inv outside (0, 1)")
        self.need("positive", self.graph.sub(self.graph.one, node), "Phi_inv outside (0, 1)")
        return self.graph.call("Phi_inv", node)

    def factorial(self, term: Term) -> Node:
        k = self.integer(term.args[0])
        if not 0 <= k <= 60:
            raise term.error("factorials are handled from 0 to 60")
        return self.graph.num(math.factorial(k))

    def binomial(self, term: Term) -> Node:
        n, k = (self.integer(part) for part in term.args)
        if not 0 <= n <= 200:
            raise term.error("binomial(n, k) is handled for n from 0 to 200")
        return self.graph.num(math.comb(n, k) if k >= 0 else 0)

    def delta(self, term: Term) -> Node:
        i, j = (self.integer(part) for part in term.args)
        return self.graph.one if i == j else self.graph.zero

    def indicator(self, term: Term) -> Node:
        return self.graph.indicator(self.condition(term.args[0]))

    def most(self, term: Term) -> Value:
        """max or min: of numbers, of the entries of one vector, or entry by entry."""
        values = [self.lower(part) for part in term.args]
        if len(values) == 1:
            if isinstance(values[0], Array):
                return self.graph.most(term.name, values[0].entries)
            return self.as_number(values[0], term)
        if any(isinstance(value, Array) for value in values):
            best = values[0]
            for value in values[1:]:
                best = self.entrywise(
                    best, value, lambda a, b: self.graph.most(term.name, (a, b)), term
                )
            return best
        numbers = [self.as_number(v, t) for v, t in zip(values, term.args, strict=True)]
        return self.graph.most(term.name, numbers)

    def dot_of(self, term: Term) -> Node:
        return self.dot(self.array(term.args[0], 1), self.array(term.args[1], 1), term)

    def norm(self, term: Term) -> Node:
        """Euclidean length; of a matrix the root of the sum of squares."""
        value = self.lower(term.args[0])
        if not isinstance(value, Array):
            raise term.error("norm is of a vector; write abs(x) for a number")
        return self.graph.sqrt(self.squares(value.entries))

    def hypot(self, term: Term) -> Node:
        return self.graph.sqrt(self.squares(tuple(self.scalar(part) for part in term.args)))

    def total(self, term: Term) -> Node:
        value = self.lower(term.args[0])
        if not isinstance(value, Array):
            raise term.error("sum(x) needs a vector, or an index: sum(term, i, 1, n)")
        return (
            self.graph.mul(value.entries) if term.name == "prod" else self.graph.add(value.entries)
        )

    def mean(self, term: Term) -> Node:
        vector = self.array(term.args[0], 1)
        size = self.graph.num(vector.shape[0])
        return self.graph.div(self.graph.add(vector.entries), size)

    def transpose_of(self, term: Term) -> Value:
        value = self.lower(term.args[0])
        return self.transpose(value) if isinstance(value, Array) else self.as_number(value, term)

    def inverse_of(self, term: Term) -> Value:
        value = self.lower(term.args[0])
        if isinstance(value, Node):
            self.nonzero(self.as_number(value, term))
            return self.graph.pow(value, self.graph.minus_one)
        return self.inverse(self.square(term.args[0]))

    def determinant_of(self, term: Term) -> Node:
        return self.determinant(self.square(term.args[0]))

    def trace(self, term: Term) -> Node:
        matrix = self.square(term.args[0])
        return self.graph.add(matrix.at(i, i) for i in range(matrix.shape[0]))

    def outer_of(self, term: Term) -> Array:
        return self.outer(self.array(term.args[0], 1), self.array(term.args[1], 1))

    def diag(self, term: Term) -> Array:
        value = self.lower(term.args[0])
        if not isinstance(value, Array):
            raise term.error("diag is of a vector or of a matrix")
        if len(value.shape) == 2:
            size = min(value.shape)
            return Array(tuple(value.at(i, i) for i in range(size)), (size,))
        n = value.shape[0]
        zero = self.graph.zero
        entries = (value.entries[i] if i == j else zero for i in range(n) for j in range(n))
        return Array(tuple(entries), (n, n))

    def constant(self, term: Term) -> Array:
        shape = tuple(self.integer(part) for part in term.args)
        if term.name == "eye":
            shape *= 2
        if any(not 1 <= size <= 24 for size in shape) or math.prod(shape) > 100:
            raise term.error("this size is not handled")
        if term.name == "eye":
            return self.eye(shape[0])
        fill = self.graph.one if term.name == "ones" else self.graph.zero
        return Array((fill,) * math.prod(shape), shape)

    def unit(self, term: Term) -> Array:
        size, index = (self.integer(part) for part in term.args)
        if not 1 <= index <= size <= 24:
            raise term.error(f"the index {index} is outside 1..{size}")
        entries = (self.graph.one if k == index else self.graph.zero for k in range(1, size + 1))
        return Array(tuple(entries), (size,))

    def hadamard(self, term: Term) -> Value:
        left, right = self.lower(term.args[0]), self.lower(term.args[1])
        return self.entrywise(left, right, lambda a, b: self.graph.mul((a, b)), term)

    def line_of(self, term: Term) -> Array:
        matrix = self.array(term.args[0], 2)
        index = self.integer(term.args[1])
        size = matrix.shape[1] if term.name == "col" else matrix.shape[0]
        if not 1 <= index <= size:
            raise term.args[1].error(f"the index {index} is outside 1..{size}")
        take = self.column if term.name == "col" else self.row
        return take(matrix, index - 1)

    def softmax(self, term: Term) -> Array:
        vector = self.array(term.args[0], 1)
        powers = [self.graph.call("exp", entry) for entry in vector.entries]
        over = self.graph.pow(self.graph.add(powers), self.graph.minus_one)
        return Array(tuple(self.graph.mul((power, over)) for power in powers), vector.shape)

    def logsumexp(self, term: Term) -> Node:
        vector = self.array(term.args[0], 1)
        powers = (self.graph.call("exp", entry) for entry in vector.entries)
        return self.graph.call("log", self.graph.add(powers))

    def matrix(self, term: Term) -> Value:
        if term.name == "vector" and len(term.args) > 1:
            return self.entries(Term("list", term.args, column=term.column))
        return self.lower(term.args[0])

    def diff(self, term: Term) -> Value:
        function, *by = term.args
        value = self.lower(function)
        for variable in by:
            value = self.differentiate(value, variable)
        return value

    def differentiate(self, value: Value, variable: Term) -> Value:
        """Derivative of every entry with respect to every entry."""
        if is_condition(value):
            raise variable.error("a condition has no derivative")
        if variable.op not in ("name", "index"):
            raise variable.error("a derivative is taken with respect to a symbol")
        target = self.lower(variable)
        if isinstance(target, Node):
            single = self.variable(target, variable)
            return self.each(value, lambda entry: self.slope(entry, single), variable)
        entries = [self.variable(entry, variable) for entry in target.entries]
        if isinstance(value, Array):
            if len(value.shape) != 1 or len(target.shape) != 1:
                raise variable.error("a derivative of a matrix is taken entry by entry")
            rows = [self.slope(entry, by) for entry in value.entries for by in entries]
            return Array(tuple(rows), (value.shape[0], target.shape[0]))
        assert isinstance(value, Node)
        slopes = tuple(self.slope(value, by) for by in entries)
        return Array(slopes, target.shape, target.row)

    def variable(self, node: Node, term: Term) -> Node:
        if node.op == "num" or str(node.data) in self.ranges:
            raise term.error("a symbol with separate values has no derivative")
        if node.op != "var":
            raise term.error("a derivative is taken with respect to a symbol")
        return node

    def slope(self, node: Node, variable: Node) -> Node:
        """The derivative, which keeps its function beside it when that has kinks."""
        slope = self.graph.derivative(node, variable)
        name = str(variable.data)
        for part in in_order([node]):
            if part.op == "pow" and part.args[1].op != "num" and name in variables(part.args):
                self.need("positive", part.args[0], "a power of 0 is differentiated")
        places = self.graph.kink_places(node, name)
        if not places:
            return slope
        kept = self.graph.node("diff", (node, slope, *places), name)
        self.need("exists", kept, "the derivative does not exist there")
        return kept

    def subs(self, term: Term) -> Value:
        """subs(f, x, value) or subs(f, {x: a, y: b})."""
        body = term.args[0]
        if len(term.args) == 2 and term.args[1].op == "pairs":
            pairs = term.args[1].args
        elif len(term.args) == 3:
            pairs = term.args[1:]
        else:
            raise term.error("write subs(f, x, value) or subs(f, {x: a, y: b})")
        values: dict[Node, Node] = {}
        fixed: dict[str, Value] = {}  # symbols with separate values are replaced by name
        for old, new in zip(pairs[::2], pairs[1::2], strict=True):
            if old.op == "name" and self.separate(self.lower(old)):
                fixed[old.name] = self.lower(new)
            else:
                self.replacement(old, new, values)
        outer, self.needs = self.needs, {}
        before = dict(self.names)
        self.names.update(fixed)
        result = self.lower(body)
        self.names = before
        inner, self.needs = self.needs, outer
        for need in inner.values():
            node = self.graph.substitute(need.node, values)
            exponent = self.graph.substitute(need.exponent, values) if need.exponent else None
            self.need(need.kind, node, need.told, exponent)
        return self.each(result, lambda entry: self.graph.substitute(entry, values), term)

    def separate(self, value: Value) -> bool:
        """Whether a symbol's value is a number already or one of finitely many."""
        return isinstance(value, Node) and (value.op == "num" or str(value.data) in self.ranges)

    def replacement(self, old: Term, new: Term, values: dict[Node, Node]) -> None:
        target, value = self.lower(old), self.lower(new)
        if isinstance(target, Array) != isinstance(value, Array):
            if isinstance(target, Array) and value is self.graph.zero:
                value = Array((self.graph.zero,) * len(target.entries), target.shape)
            else:
                raise new.error(f"{told(target)} cannot be replaced by {told(value)}")
        if isinstance(target, Array):
            assert isinstance(value, Array)
            if not same_shape(target, value):
                raise new.error(f"{target.told} cannot be replaced by {value.told}")
            for node, entry in zip(target.entries, value.entries, strict=True):
                values[self.variable(node, old)] = entry
        else:
            values[self.variable(target, old)] = self.as_number(value, new)

    def expectation(self, term: Term) -> Value:
        """E(f, y, {value: probability, ...})."""
        body, variable, pairs = term.args
        if variable.op != "name" or pairs.op != "pairs":
            raise term.error("write E(f, y, {0: 1 - p, 1: p})")
        name = variable.name
        probabilities = [self.scalar(part) for part in pairs.args[1::2]]
        outcomes = [self.lower(part) for part in pairs.args[::2]]
        total = self.graph.add(probabilities)
        self.need("one", total, "the probabilities do not add up to 1")
        before = self.names.get(name)
        parts: list[Value] = []
        for outcome, probability in zip(outcomes, probabilities, strict=True):
            self.names[name] = outcome
            value = self.lower(body)
            parts.append(self.times(value, probability, term))
        if before is None:
            self.names.pop(name, None)
        else:
            self.names[name] = before
        return self.gather("sum", parts, term)


_OF_NUMBERS: dict[str, Callable[[Lowering, Node], Node]] = {
    "exp": Lowering.exp,
    "log": Lowering.log,
    "sqrt": Lowering.sqrt,
    "sigma": Lowering.sigma,
    "tanh": Lowering.tanh,
    "softplus": Lowering.softplus,
    "relu": Lowering.relu,
    "logit": Lowering.logit,
    "abs": lambda self, node: self.graph.call("abs", node),
    "sign": lambda self, node: self.graph.call("sign", node),
    "Phi": lambda self, node: self.graph.call("Phi", node),
    "phi": lambda self, node: self.graph.density(node),
    "Phi_inv": Lowering.inverse_normal,
}

_OF_ARRAYS: dict[str, Callable[[Lowering, Term], Value]] = {
    "factorial": Lowering.factorial,
    "binomial": Lowering.binomial,
    "delta": Lowering.delta,
    "indicator": Lowering.indicator,
    "max": Lowering.most,
    "min": Lowering.most,
    "dot": Lowering.dot_of,
    "norm": Lowering.norm,
    "hypot": Lowering.hypot,
    "sum": Lowering.total,
    "prod": Lowering.total,
    "mean": Lowering.mean,
    "transpose": Lowering.transpose_of,
    "inv": Lowering.inverse_of,
    "det": Lowering.determinant_of,
    "trace": Lowering.trace,
    "outer": Lowering.outer_of,
    "diag": Lowering.diag,
    "eye": Lowering.constant,
    "ones": Lowering.constant,
    "zeros": Lowering.constant,
    "unit": Lowering.unit,
    "hadamard": Lowering.hadamard,
    "col": Lowering.line_of,
    "row": Lowering.line_of,
    "softmax": Lowering.softmax,
    "logsumexp": Lowering.logsumexp,
    "diff": Lowering.diff,
    "subs": Lowering.subs,
    "E": Lowering.expectation,
    "matrix": Lowering.matrix,
    "vector": Lowering.matrix,
}
