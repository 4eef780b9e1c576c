"""From typed terms to numbers: sizes and indices are filled in, vectors become their entries.

Everything that must hold for the line to be defined (a divisor is not 0, a logarithm has a positive
argument) is recorded as a `Need` before simplification could hide it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from lectures_lib.proofs._scalars import (
    Graph,
    Node,
    TooBigError,
    in_order,
    value_of,
    variables,
)
from lectures_lib.proofs._terms import Term, split_bind

LONGEST_SUM = 200
LARGEST_MATRIX = 5
LARGEST_INTEGER = 10_000
MOST_STEPS = 60_000  # terms that are looked at while one side is written out


@dataclass(frozen=True)
class Need:
    """What one partial operation asks for: `kind` of `node`; `exponent` for powers."""

    kind: str  # nonzero, positive, nonnegative, power, one (a sum of probabilities)
    node: Node
    told: str
    exponent: Node | None = None


@dataclass(frozen=True)
class Array:
    """Entries of a vector (shape (n,)) or, by rows, of a matrix (shape (m, n))."""

    entries: tuple[Node, ...]
    shape: tuple[int, ...]
    row: bool = False  # the transpose of a vector

    def at(self, i: int, j: int) -> Node:
        """Entry in row i and column j, from 0."""
        return self.entries[i * self.shape[1] + j]

    @property
    def told(self) -> str:
        """In words."""
        if len(self.shape) == 1:
            return f"a {'row' if self.row else 'vector'} of {self.shape[0]}"
        return f"a {self.shape[0]} by {self.shape[1]} matrix"


Value = Node | Array
_CONDITIONS = ("<", "<=", "==", "and", "or", "not", "true", "false")


class NeedsValueError(Exception):
    """A symbol with finitely many values stands where a number is needed (index, exponent)."""

    def __init__(self, names: set[str]) -> None:
        super().__init__(str(names))
        self.names = names


def is_condition(value: Value) -> bool:
    """Whether the value is true or false instead of a number."""
    return isinstance(value, Node) and value.op in _CONDITIONS


def told(value: Value) -> str:
    """A value in words."""
    if isinstance(value, Array):
        return value.told
    return "a condition" if is_condition(value) else "a number"


class Lowering:
    """Lowers terms for one choice of sizes and of the symbols that have finitely many values."""

    def __init__(
        self, graph: Graph, symbols: Mapping[str, Value], ranges: Mapping[str, tuple[Fraction, ...]]
    ) -> None:
        self.graph = graph
        self.names: dict[str, Value] = dict(symbols)
        self.ranges = ranges  # values of symbols that a sum may run over
        self.needs: dict[tuple[str, int, int], Need] = {}
        self.steps = 0

    # helpers

    def need(self, kind: str, node: Node, reason: str, exponent: Node | None = None) -> None:
        """Record a condition unless it plainly holds."""
        if node.op == "num":
            value = value_of(node)
            fine = {
                "nonzero": value != 0,
                "positive": value > 0,
                "nonnegative": value >= 0,
                "power": value > 0,
                "one": value == 1,
            }[kind]
            if fine:
                return
        if node.op == "exp" and kind != "one":
            return
        if kind == "positive" and node.op == "pow" and node.args[1].op == "num":
            power = value_of(node.args[1])
            if power.denominator == 1 and power % 2 == 0:
                self.nonzero(node.args[0], reason)
                return
        key = (kind, node.number, exponent.number if exponent else -1)
        self.needs.setdefault(key, Need(kind, node, reason, exponent))

    def scalar(self, term: Term) -> Node:
        """The number that a term stands for."""
        return self.as_number(self.lower(term), term)

    def as_number(self, value: Value, term: Term) -> Node:
        if isinstance(value, Array):
            if value.shape in ((1, 1),):
                return value.entries[0]
            raise term.error(f"a number is expected here, found {value.told}")
        if is_condition(value):
            raise term.error("a number is expected here, found a condition; use indicator(...)")
        return value

    def condition(self, term: Term) -> Node:
        """The condition that a term stands for."""
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

    # dispatch

    def lower(self, term: Term) -> Value:
        """The value of a term: a number, an array or a condition."""
        op = term.op
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooBigError("the sums are too long once they are written out")
        if op == "number":
            return self.graph.num(term.value)
        if op == "name":
            return self.name(term)
        if op == "neg":
            return self.each(self.lower(term.args[0]), self.graph.neg, term)
        if op in ("+", "-"):
            return self.plus(term)
        if op == "*":
            return self.times(self.lower(term.args[0]), self.lower(term.args[1]), term)
        if op == "@":
            return self.product(self.lower(term.args[0]), self.lower(term.args[1]), term)
        if op == "/":
            return self.divide(term)
        if op == "**":
            return self.power(term)
        if op == "compare":
            return self.compare(term)
        if op in ("and", "or", "not"):
            parts = [self.condition(part) for part in term.args]
            if op == "not":
                return self.graph.negate(parts[0])
            return self.graph.both(parts) if op == "and" else self.graph.either(parts)
        if op == "list":
            return self.entries(term)
        if op == "index":
            return self.index(term)
        if op == "bind":
            return self.bind(term)
        if op == "call":
            return self.call(term)
        raise term.error("this can only stand inside E(...) or subs(...)")

    def name(self, term: Term) -> Value:
        found = self.names.get(term.name)
        if found is not None:
            return found
        if term.name == "pi":
            return self.graph.node("pi")
        if term.name == "e":
            return self.graph.call("exp", self.graph.one)
        raise term.error(f"{term.name} is not declared")

    def each(self, value: Value, function: Callable[[Node], Node], term: Term) -> Value:
        """A function of a number, applied to every entry."""
        if isinstance(value, Array):
            return Array(tuple(function(entry) for entry in value.entries), value.shape, value.row)
        return function(self.as_number(value, term))

    # arithmetic

    def plus(self, term: Term) -> Value:
        left, right = self.lower(term.args[0]), self.lower(term.args[1])
        combine = self.graph.add if term.op == "+" else lambda pair: self.graph.sub(*pair)
        return self.entrywise(left, right, lambda a, b: combine((a, b)), term)

    def entrywise(
        self, left: Value, right: Value, combine: Callable[[Node, Node], Node], term: Term
    ) -> Value:
        left, right = self.unwrap(left, right), self.unwrap(right, left)
        if isinstance(left, Array) and isinstance(right, Array):
            if same_shape(left, right):
                pairs = zip(left.entries, right.entries, strict=True)
                return Array(tuple(combine(a, b) for a, b in pairs), left.shape, left.row)
            raise term.error(f"{left.told} and {right.told} do not go together here")
        if isinstance(left, Array) or isinstance(right, Array):
            array = left if isinstance(left, Array) else right
            other = right if isinstance(left, Array) else left
            assert isinstance(array, Array)
            assert isinstance(other, Node)
            if len(array.shape) == 2 and other is not self.graph.zero:
                raise term.error(
                    f"{array.told} and a number cannot be added; write c*eye(n) or c*ones(m, n)"
                )
            number = self.as_number(other, term)
            if isinstance(left, Array):
                return Array(
                    tuple(combine(a, number) for a in array.entries), array.shape, array.row
                )
            return Array(tuple(combine(number, a) for a in array.entries), array.shape, array.row)
        return combine(self.as_number(left, term.args[0]), self.as_number(right, term.args[-1]))

    @staticmethod
    def unwrap(value: Value, beside: Value) -> Value:
        """A 1 by 1 matrix beside a number is a number."""
        if isinstance(value, Array) and value.shape == (1, 1) and isinstance(beside, Node):
            return value.entries[0]
        return value

    def times(self, left: Value, right: Value, term: Term) -> Value:
        if isinstance(left, Array) and isinstance(right, Array):
            if len(left.shape) == 1 and len(right.shape) == 1 and left.row == right.row:
                raise term.error("a product of two vectors: write dot(x, y), outer or hadamard")
            return self.product(left, right, term)
        if isinstance(right, Array):
            left, right = right, left
        if isinstance(left, Array):
            number = self.as_number(right, term)
            return self.each(left, lambda entry: self.graph.mul((number, entry)), term)
        factors = (self.as_number(left, term.args[0]), self.as_number(right, term.args[-1]))
        return self.graph.mul(factors)

    def product(self, left: Value, right: Value, term: Term) -> Value:
        """The matrix product; two plain vectors give their dot product."""
        if not isinstance(left, Array) or not isinstance(right, Array):
            raise term.error("@ needs a vector or a matrix on both sides; write * for numbers")
        if len(left.shape) == len(right.shape) == 1:
            if not left.row and right.row:
                return self.outer(left, right)
            return self.dot(left, right, term)
        rows, inner = left.shape if len(left.shape) == 2 else (1, left.shape[0])
        if len(left.shape) == 1 and not left.row and right.shape[0] == 1 != left.shape[0]:
            rows, inner = left.shape[0], 1  # a column times a 1 by n matrix
        inner_right, columns = right.shape if len(right.shape) == 2 else (right.shape[0], 1)
        if len(right.shape) == 1 and right.row:
            inner_right, columns = 1, right.shape[0]
        if inner != inner_right:
            raise term.error(f"{left.told} times {right.told}: the inner sizes differ")
        entries = [
            self.graph.add(
                self.graph.mul((left.entries[i * inner + k], right.entries[k * columns + j]))
                for k in range(inner)
            )
            for i in range(rows)
            for j in range(columns)
        ]
        if len(left.shape) == 1 and rows == 1:
            return Array(tuple(entries), (columns,), row=left.row)
        if len(right.shape) == 1 and columns == 1:
            return Array(tuple(entries), (rows,))
        return Array(tuple(entries), (rows, columns))

    def dot(self, left: Array, right: Array, term: Term) -> Node:
        if left.shape != right.shape:
            raise term.error(f"{left.told} and {right.told} have no dot product")
        pairs = zip(left.entries, right.entries, strict=True)
        return self.graph.add(self.graph.mul(pair) for pair in pairs)

    def outer(self, left: Array, right: Array) -> Array:
        entries = tuple(self.graph.mul((a, b)) for a in left.entries for b in right.entries)
        return Array(entries, (left.shape[0], right.shape[0]))

    def divide(self, term: Term) -> Value:
        left, right = self.lower(term.args[0]), self.lower(term.args[1])
        if isinstance(right, Array) and right.shape != (1, 1):
            what = "write inv(A) @ b" if len(right.shape) == 2 else "write it entry by entry"
            raise term.args[1].error(f"{right.told} cannot be divided by; {what}")
        divisor = self.as_number(right, term.args[1])
        self.nonzero(divisor)
        inverse = self.graph.pow(divisor, self.graph.minus_one)
        return self.each(left, lambda entry: self.graph.mul((entry, inverse)), term)

    def nonzero(self, node: Node, reason: str = "a divisor is 0") -> None:
        """A product is not 0 when no factor is."""
        if node.op == "mul":
            for part in node.args:
                self.nonzero(part, reason)
        elif node.op == "pow" and node.args[1].op == "num":
            self.nonzero(node.args[0], reason)
        else:
            self.need("nonzero", node, reason)

    def power(self, term: Term) -> Value:
        base, exponent = self.lower(term.args[0]), self.lower(term.args[1])
        if isinstance(base, Array) and base.shape != (1, 1):
            return self.matrix_power(base, term)
        return self.number_power(
            self.as_number(base, term.args[0]), self.as_number(exponent, term.args[1])
        )

    def number_power(self, base: Node, exponent: Node) -> Node:
        finite = {name for name in variables([exponent]) if name in self.ranges}
        if finite:
            raise NeedsValueError(finite)
        if exponent.op != "num":
            self.need("power", base, "a power with this base is undefined", exponent)
            return self.graph.pow(base, exponent)
        value = value_of(exponent)
        if value.denominator == 1:
            if abs(value) > LARGEST_INTEGER:
                raise TooBigError(f"exponents are handled up to {LARGEST_INTEGER}")
            if value < 0:
                self.nonzero(base)
        elif value > 0:
            self.need("nonnegative", base, "a root of a negative number")
        else:
            self.need("positive", base, "a root in a divisor, of a number that is not positive")
        if value == Fraction(1, 2):
            return self.graph.sqrt(base)
        return self.graph.pow(base, exponent)

    def matrix_power(self, base: Array, term: Term) -> Value:
        if len(base.shape) == 1:
            raise term.error("a power of a vector: write norm(x)**2 or hadamard(x, x)")
        square = self.square(term.args[0])
        power = self.integer(term.args[1])
        if not -4 <= power <= 8:
            raise term.error("powers of matrices are handled from -4 to 8")
        if power < 0:
            square = self.inverse(square)
        result: Value = self.eye(square.shape[0])
        for _ in range(abs(power)):
            result = self.product(result, square, term)
        return result

    def eye(self, size: int) -> Array:
        graph = self.graph
        entries = (graph.one if i == j else graph.zero for i in range(size) for j in range(size))
        return Array(tuple(entries), (size, size))

    def minor(self, matrix: Array, rows: tuple[int, ...], columns: tuple[int, ...]) -> Node:
        """Determinant of the chosen rows and columns, along the first row."""
        memory: dict[tuple[tuple[int, ...], tuple[int, ...]], Node] = {}

        def expand(rows: tuple[int, ...], columns: tuple[int, ...]) -> Node:
            if not rows:
                return self.graph.one
            key = (rows, columns)
            if key not in memory:
                terms = []
                for k, column in enumerate(columns):
                    rest = columns[:k] + columns[k + 1 :]
                    sign = self.graph.one if k % 2 == 0 else self.graph.minus_one
                    entry = matrix.at(rows[0], column)
                    if entry is not self.graph.zero:
                        terms.append(self.graph.mul((sign, entry, expand(rows[1:], rest))))
                memory[key] = self.graph.add(terms)
            return memory[key]

        return expand(rows, columns)

    def determinant(self, matrix: Array) -> Node:
        everything = tuple(range(matrix.shape[0]))
        return self.minor(matrix, everything, everything)

    def inverse(self, matrix: Array) -> Array:
        """Adjugate over determinant."""
        size = matrix.shape[0]
        determinant = self.determinant(matrix)
        self.nonzero(determinant, "a singular matrix is inverted")
        over = self.graph.pow(determinant, self.graph.minus_one)
        everything = tuple(range(size))
        entries = []
        for i in range(size):
            for j in range(size):
                rows = everything[:j] + everything[j + 1 :]
                columns = everything[:i] + everything[i + 1 :]
                sign = self.graph.one if (i + j) % 2 == 0 else self.graph.minus_one
                entries.append(self.graph.mul((sign, self.minor(matrix, rows, columns), over)))
        return Array(tuple(entries), (size, size))

    # conditions

    def compare(self, term: Term) -> Node:
        values = [self.lower(part) for part in term.args]
        found = []
        for k, relation in enumerate(term.name.split()):
            found.append(self.relation(relation, values[k], values[k + 1], term))
        return self.graph.both(found)

    def relation(self, relation: str, left: Value, right: Value, term: Term) -> Node:
        """One comparison; of arrays entry by entry (`!=`: in some entry)."""
        left, right = self.unwrap(left, right), self.unwrap(right, left)
        if isinstance(left, Node) and isinstance(right, Node):
            a, b = self.as_number(left, term), self.as_number(right, term)
            self.finite_compared(a, b)
            return self.graph.compare(relation, a, b)
        if isinstance(left, Array) and isinstance(right, Array):
            if not same_shape(left, right):
                raise term.error(f"{left.told} and {right.told} cannot be compared")
            pairs = list(zip(left.entries, right.entries, strict=True))
        else:
            array = left if isinstance(left, Array) else right
            other = right if isinstance(left, Array) else left
            assert isinstance(array, Array)
            number = self.as_number(other, term)
            if number.op != "num":
                raise term.error(f"{array.told} and a number cannot be compared")
            if isinstance(left, Array):
                pairs = [(entry, number) for entry in array.entries]
            else:
                pairs = [(number, entry) for entry in array.entries]
        if relation == "!=":
            apart = self.squares(tuple(self.graph.sub(a, b) for a, b in pairs))
            return self.graph.compare("<", self.graph.zero, apart)
        return self.graph.both(self.graph.compare(relation, a, b) for a, b in pairs)

    def finite_compared(self, left: Node, right: Node) -> None:
        """Comparisons between symbols with finitely many values are decided value by value."""
        names = set(variables([left, right]))
        if names and all(name in self.ranges for name in names):
            raise NeedsValueError(names)

    # vectors and matrices

    def entries(self, term: Term) -> Array:
        values = [self.lower(part) for part in term.args]
        if all(isinstance(value, Node) for value in values):
            numbers = [self.as_number(v, t) for v, t in zip(values, term.args, strict=True)]
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
                raise term.args[1 + k].error(f"the index {index} is outside 1..{size}")
        if len(indices) > len(base.shape):
            raise term.error(f"{base.told} has one index")
        if len(base.shape) == 1:
            return base.entries[indices[0] - 1]
        if len(indices) == 1:
            return self.row(base, indices[0] - 1)
        return base.at(indices[0] - 1, indices[1] - 1)

    @staticmethod
    def row(matrix: Array, i: int) -> Array:
        width = matrix.shape[1]
        return Array(matrix.entries[i * width : (i + 1) * width], (width,))

    @staticmethod
    def column(matrix: Array, j: int) -> Array:
        return Array(matrix.entries[j :: matrix.shape[1]], (matrix.shape[0],))

    @staticmethod
    def transpose(value: Array) -> Array:
        if len(value.shape) == 1:
            return Array(value.entries, value.shape, not value.row)
        m, n = value.shape
        return Array(tuple(value.entries[i * n + j] for j in range(n) for i in range(m)), (n, m))

    # sums

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
        before = self.names.get(index)
        for step in steps:
            self.names[index] = self.graph.num(step)
            if len(ends) == 3:
                condition = self.condition(ends[2])
                if condition.op not in ("true", "false"):
                    raise ends[2].error("the condition of a sum may only use its index and sizes")
                if condition.op == "false":
                    continue
            values.append(self.lower(body))
        if before is None:
            self.names.pop(index, None)
        else:
            self.names[index] = before
        return self.gather(kind, values, term)

    def gather(self, kind: str, values: list[Value], term: Term) -> Value:
        if any(isinstance(value, Array) for value in values):
            if kind != "sum":
                raise term.error(f"{kind} of vectors or matrices is not in the language")
            total = values[0]
            for value in values[1:]:
                total = self.entrywise(total, value, lambda a, b: self.graph.add((a, b)), term)
            return total
        numbers = [self.as_number(value, term) for value in values]
        if kind == "sum":
            return self.graph.add(numbers)
        if kind == "prod":
            return self.graph.mul(numbers)
        if not numbers:
            raise term.error(f"{kind} over nothing")
        return self.graph.most(kind, numbers)

    # functions

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

    def squares(self, entries: tuple[Node, ...]) -> Node:
        two = self.graph.num(2)
        return self.graph.add(self.graph.pow(entry, two) for entry in entries)

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

    # calculus

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
            if part.op == "pow" and name in variables(part.args):
                self.smooth_power(*part.args)
        places = self.graph.kink_places(node, name)
        return self.graph.node("diff", (node, slope, *places), name) if places else slope

    def smooth_power(self, base: Node, exponent: Node) -> None:
        """A root has no derivative where its argument is 0."""
        if exponent.op == "num":
            value = value_of(exponent)
            if value.denominator == 1 or value > 1:
                return
        self.need("positive", base, "a root is differentiated where it is 0")

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


def same_shape(left: Array, right: Array) -> bool:
    """Equal shapes; a vector and a matrix with one column are the same thing."""
    if left.shape == right.shape:
        return len(left.shape) == 2 or left.row == right.row or left.shape == (1,)
    column = {(left.shape[0], 1), (right.shape[0], 1)}
    return {left.shape, right.shape} <= column | {left.shape[:1], right.shape[:1]} and (
        left.shape[0] == right.shape[0] and not left.row and not right.row
    )


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
