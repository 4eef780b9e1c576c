"""From typed terms to numbers: sizes and indices are filled in, sums are written out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce

from linecheck.expand.graph import Graph, Node, value_of, variables
from linecheck.expand.linear import Linear
from linecheck.expand.values import Array, NeedsValueError, Value, is_condition, same_shape, told
from linecheck.language.parser import is_function
from linecheck.language.terms import Term, TooBigError, split_bind

LONGEST_SUM = 200
LARGEST_MATRIX = 5
LARGEST_INTEGER = 10_000
Function = Callable[["Writer", Term], Value]
MOST_STEPS = 60_000  # terms that are looked at while one side is written out


_MEANT = {
    "I": "; the identity is eye(n)",
    "E": "; the number is e, and an expectation is E(f, y, {0: 1 - p, 1: p})",
}


class Writer:
    """Writes out terms for one choice of sizes and of the symbols with finitely many values."""

    def __init__(
        self,
        graph: Graph,
        symbols: Mapping[str, Value],
        ranges: Mapping[str, tuple[Fraction, ...]],
        functions: Mapping[str, Function],
    ) -> None:
        self.graph = graph
        self.linear = Linear(graph)
        self.functions = functions
        self.names: dict[str, Value] = dict(symbols)
        self.ranges = ranges  # values of symbols that a sum may run over
        self.steps = 0

    def scalar(self, term: Term) -> Node:
        """The number that a term stands for."""
        return self.linear.as_number(self.lower(term), term)

    def condition(self, term: Term) -> Node:
        """The condition that a term stands for."""
        if term.op == "list":  # "0 < p, p < 1"
            return self.graph.both(self.condition(part) for part in term.args)
        value = self.lower(term)
        if not is_condition(value):
            raise term.error(f"a condition such as a > b is expected here, found {told(value)}")
        assert isinstance(value, Node)
        return value

    def integer(self, term: Term) -> int:
        """The whole number that a term stands for."""
        node = self.scalar(term)
        if node.op != "num":
            finite = {name for name in variables([node]) if name in self.ranges}
            if finite and all(name in self.ranges for name in variables([node])):
                raise NeedsValueError(finite)
            raise term.error(
                "a whole number is expected here (a symbol needs 'int 1..n' or 'size')"
            )
        value = value_of(node)
        if value.denominator != 1 or abs(value) > LARGEST_INTEGER:
            raise term.error(f"a whole number is expected here, found {value}")
        return int(value)

    def array(self, term: Term, dimensions: int) -> Array:
        value = self.lower(term)
        if not isinstance(value, Array) or len(value.shape) != dimensions:
            expected = "a vector" if dimensions == 1 else "a matrix"
            raise term.error(f"{expected} is expected here, found {told(value)}")
        return value

    def square(self, term: Term) -> Array:
        value = self.array(term, 2)
        if value.shape[0] != value.shape[1]:
            raise term.error(f"a square matrix is expected here, found {value.told}")
        if value.shape[0] > LARGEST_MATRIX:
            raise TooBigError(f"matrices are handled up to {LARGEST_MATRIX} by {LARGEST_MATRIX}")
        return value

    def lower(self, term: Term) -> Value:
        """The value of a term: a number, an array or a condition."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooBigError("the sums are too long once they are written out")
        if term.op not in _LOWERED:
            raise term.error("this can only stand inside E(...) or subs(...)")
        return _LOWERED[term.op](self, term)

    def name(self, term: Term) -> Value:
        found = self.names.get(term.name)
        if found is not None:
            return found
        if term.name == "pi":
            return self.graph.node("pi")
        if term.name == "e":
            return self.graph.call("exp", self.graph.one)
        brackets = f"; as a function it needs brackets: {term.name}(...)"
        meant = _MEANT.get(term.name, brackets if is_function(term.name) else "")
        raise term.error(f"{term.name} is not declared{meant}")

    def plus(self, term: Term) -> Value:
        left, right = self.lower(term.args[0]), self.lower(term.args[1])
        combine = self.sum_of if term.op == "+" else self.graph.sub
        return self.linear.entrywise(left, right, combine, term)

    def divide(self, term: Term) -> Value:
        left, right = self.lower(term.args[0]), self.lower(term.args[1])
        if isinstance(right, Array) and right.shape != (1, 1):
            what = "write inv(A) @ b" if len(right.shape) == 2 else "write it entry by entry"
            raise term.args[1].error(f"{right.told} cannot be divided by; {what}")
        divisor = self.linear.as_number(right, term.args[1])
        self.linear.nonzero(divisor)
        inverse = self.graph.pow(divisor, self.graph.minus_one)
        return self.linear.each(left, lambda entry: self.graph.mul((entry, inverse)), term)

    def power(self, term: Term) -> Value:
        base, exponent = self.lower(term.args[0]), self.lower(term.args[1])
        if isinstance(base, Array) and base.shape != (1, 1):
            return self.matrix_power(base, term)
        return self.number_power(
            self.linear.as_number(base, term.args[0]), self.linear.as_number(exponent, term.args[1])
        )

    def number_power(self, base: Node, exponent: Node) -> Node:
        finite = {name for name in variables([exponent]) if name in self.ranges}
        if finite:
            return self.power_by_values(base, exponent, finite)
        if exponent.op != "num":
            self.linear.need("power", base, "a power with this base is undefined", exponent)
            return self.graph.pow(base, exponent)
        value = value_of(exponent)
        if value.denominator == 1:
            if abs(value) > LARGEST_INTEGER:
                raise TooBigError(f"exponents are handled up to {LARGEST_INTEGER}")
            if value < 0:
                self.linear.nonzero(base)
        elif value > 0:
            self.linear.need("nonnegative", base, "a root of a negative number")
        else:
            self.linear.need(
                "positive", base, "a root in a divisor, of a number that is not positive"
            )
        if value == Fraction(1, 2):
            return self.graph.sqrt(base)
        return self.graph.pow(base, exponent)

    def power_by_values(self, base: Node, exponent: Node, finite: set[str]) -> Node:
        """p**y is (1 - y) p**0 + y p**1 for a label y; other finite symbols need their values."""
        names = variables([exponent])
        if len(names) != 1 or self.ranges[names[0]] != (Fraction(0), Fraction(1)):
            raise NeedsValueError(finite)
        label = self.graph.var(names[0])
        powers = [self.graph.substitute(exponent, {label: self.graph.num(v)}) for v in (0, 1)]
        if any(power.op != "num" or value_of(power) not in (0, 1) for power in powers):
            raise NeedsValueError(finite)
        at_zero, at_one = (self.graph.pow(base, power) for power in powers)
        other = self.graph.sub(self.graph.one, label)
        return self.graph.add((self.graph.mul((other, at_zero)), self.graph.mul((label, at_one))))

    def matrix_power(self, base: Array, term: Term) -> Value:
        if len(base.shape) == 1:
            exponent = self.scalar(term.args[1])
            return self.linear.each(base, lambda one: self.number_power(one, exponent), term)
        square = self.square(term.args[0])
        power = self.integer(term.args[1])
        if not -4 <= power <= 8:
            raise term.error("powers of matrices are handled from -4 to 8")
        if power < 0:
            square = self.linear.inverse(square)
        result: Value = self.linear.eye(square.shape[0])
        for _ in range(abs(power)):
            result = self.linear.product(result, square, term)
        return result

    def joined(self, term: Term) -> Node:
        parts = [self.condition(part) for part in term.args]
        if term.op == "not":
            return self.graph.negate(parts[0])
        return self.graph.both(parts) if term.op == "and" else self.graph.either(parts)

    def compare(self, term: Term) -> Node:
        values = [self.lower(part) for part in term.args]
        links = zip(term.name.split(), values, values[1:], strict=False)
        return self.graph.both([self.relation(*link, term) for link in links])

    def relation(self, relation: str, left: Value, right: Value, term: Term) -> Node:
        """One comparison; of arrays entry by entry (`!=`: in some entry)."""
        left, right = self.linear.unwrap(left, right), self.linear.unwrap(right, left)
        if isinstance(left, Node) and isinstance(right, Node):
            a, b = self.linear.as_number(left, term), self.linear.as_number(right, term)
            self.finite_compared(a, b)
            return self.graph.compare(relation, a, b)
        if isinstance(left, Array) and isinstance(right, Array):
            if not same_shape(left, right):
                raise term.error(f"{left.told} and {right.told} cannot be compared")
            pairs = list(zip(left.entries, right.entries, strict=True))
        else:
            array, other = (left, right) if isinstance(left, Array) else (right, left)
            assert isinstance(array, Array)
            number = self.linear.as_number(other, term)
            if number.op != "num":
                raise term.error(f"{array.told} and a number cannot be compared")
            pairs = [(one, number) if array is left else (number, one) for one in array.entries]
        if relation == "!=":
            apart = self.linear.squares(tuple(self.graph.sub(a, b) for a, b in pairs))
            return self.graph.compare("<", self.graph.zero, apart)
        return self.graph.both(self.graph.compare(relation, a, b) for a, b in pairs)

    def finite_compared(self, left: Node, right: Node) -> None:
        """Comparisons between symbols with finitely many values are decided value by value."""
        names = set(variables([left, right]))
        if names and all(name in self.ranges for name in names):
            raise NeedsValueError(names)

    def entries(self, term: Term) -> Array:
        values = [self.lower(part) for part in term.args]
        if all(isinstance(value, Node) for value in values):
            numbers = [self.linear.as_number(v, t) for v, t in zip(values, term.args, strict=True)]
            return Array(tuple(numbers), (len(numbers),))
        rows: list[Node] = []
        width = -1
        for value, part in zip(values, term.args, strict=True):
            if not isinstance(value, Array) or len(value.shape) != 1:
                raise part.error("the rows of a matrix are written [[a, b], [c, d]]")
            if width not in (-1, value.shape[0]):
                raise part.error(f"the rows of a matrix have {width} and {value.shape[0]} entries")
            width = value.shape[0]
            rows += value.entries
        return Array(tuple(rows), (len(values), width))

    def index(self, term: Term) -> Value:
        base = self.lower(term.args[0])
        if not isinstance(base, Array):
            raise term.error(f"{told(base)} has no entries")
        indices = [self.integer(part) for part in term.args[1:]]
        for k, (index, size) in enumerate(zip(indices, base.shape, strict=False)):
            if not 1 <= index <= size:
                raise term.args[1 + k].error(
                    f"the index {index} is outside 1..{size}; entries are counted from 1, as in "
                    "sum(x[i], i, 1, N), or throughout the line from 0 to N - 1"
                )
        if len(indices) > len(base.shape):
            raise term.error(f"{base.told} has one index")
        if len(base.shape) == 1:
            return base.entries[indices[0] - 1]
        if len(indices) == 1:
            return self.linear.row(base, indices[0] - 1)
        return base.at(indices[0] - 1, indices[1] - 1)

    def bind(self, term: Term) -> Value:
        kind, index = split_bind(term)
        body, *ends = term.args
        steps: list[Fraction]
        if not ends:
            if index not in self.ranges:
                raise term.error(f"{index} needs a range: write {kind}(term, {index}, first, last)")
            steps = list(self.ranges[index])
        else:
            first, last = self.integer(ends[0]), self.integer(ends[1])
            steps = [Fraction(k) for k in range(first, last + 1)]
        if len(steps) > LONGEST_SUM:
            raise TooBigError(f"sums are written out up to {LONGEST_SUM} terms")
        values: list[Value] = []
        before, self.names = self.names, dict(self.names)
        for step in steps:
            self.names[index] = self.graph.num(step)
            if len(ends) == 3:
                condition = self.condition(ends[2])
                if condition.op not in ("true", "false"):
                    raise ends[2].error("the condition of a sum may only use its index and sizes")
                if condition.op == "false":
                    continue
            values.append(self.lower(body))
        self.names = before
        return self.gather(kind, values, term)

    def sum_of(self, left: Node, right: Node) -> Node:
        return self.graph.add((left, right))

    def gather(self, kind: str, values: list[Value], term: Term) -> Value:
        if any(isinstance(value, Array) for value in values):
            if kind != "sum":
                raise term.error(f"{kind} of vectors or matrices is not in the language")
            return reduce(lambda a, b: self.linear.entrywise(a, b, self.sum_of, term), values)
        numbers = [self.linear.as_number(value, term) for value in values]
        if kind == "sum":
            return self.graph.add(numbers)
        if kind == "prod":
            return self.graph.mul(numbers)
        if not numbers:
            raise term.error(f"{kind} over nothing")
        return self.graph.most(kind, numbers)


_LOWERED: dict[str, Function] = {
    "number": lambda w, term: w.graph.num(term.value),
    "name": Writer.name,
    "neg": lambda w, term: w.linear.each(w.lower(term.args[0]), w.graph.neg, term),
    "+": Writer.plus,
    "-": Writer.plus,
    "*": lambda w, term: w.linear.times(w.lower(term.args[0]), w.lower(term.args[1]), term),
    "@": lambda w, term: w.linear.product(w.lower(term.args[0]), w.lower(term.args[1]), term),
    "/": Writer.divide,
    "**": Writer.power,
    "compare": Writer.compare,
    **dict.fromkeys(("and", "or", "not"), Writer.joined),
    "list": Writer.entries,
    "index": Writer.index,
    "bind": Writer.bind,
    "call": lambda w, term: w.functions[term.name](w, term),
}
