"""Arithmetic with numbers, vectors and matrices, and what it needs in order to be defined."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from linecheck.expand.graph import Graph, Node, value_of
from linecheck.expand.needs import Need, met
from linecheck.expand.values import Array, Value, is_condition, same_shape
from linecheck.language.terms import Term


class Linear:
    """Products, inverses and determinants, entry by entry."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.needs: dict[tuple[str, int, int], Need] = {}

    def need(self, kind: str, node: Node, reason: str, exponent: Node | None = None) -> None:
        """Record a condition unless it plainly holds."""
        if node.op == "num":
            value = value_of(node)
            sign = 2 * ((value > 0) - (value < 0))
            if value == 1 if kind == "one" else met(kind, sign):
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

    def nonzero(self, node: Node, reason: str = "a divisor is 0") -> None:
        """A product is not 0 when no factor is."""
        if node.op == "mul":
            for part in node.args:
                self.nonzero(part, reason)
        elif node.op == "pow" and node.args[1].op == "num":
            self.nonzero(node.args[0], reason)
        else:
            self.need("nonzero", node, reason)

    def as_number(self, value: Value, term: Term) -> Node:
        if isinstance(value, Array):
            if value.shape == (1, 1):
                return value.entries[0]
            raise term.error(f"a number is expected here, found {value.told}")
        if is_condition(value):
            raise term.error("a number is expected here, found a condition; use indicator(...)")
        return value

    def each(self, value: Value, function: Callable[[Node], Node], term: Term) -> Value:
        """A function of a number, applied to every entry."""
        if isinstance(value, Array):
            return Array(tuple(function(entry) for entry in value.entries), value.shape, value.row)
        return function(self.as_number(value, term))

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
            array, other = (left, right) if isinstance(left, Array) else (right, left)
            assert isinstance(array, Array)
            assert isinstance(other, Node)
            if len(array.shape) == 2 and other is not self.graph.zero:
                raise term.error(
                    f"{array.told} and a number cannot be added; write c*eye(n) or c*ones(m, n)"
                )
            number = self.as_number(other, term)
            if array is left:
                return self.each(array, lambda entry: combine(entry, number), term)
            return self.each(array, lambda entry: combine(number, entry), term)
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
                return self.entrywise(left, right, lambda a, b: self.graph.mul((a, b)), term)
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
            return self.times(left, right, term)
        if len(left.shape) == len(right.shape) == 1:
            if term.name == "side" and left.row == right.row:
                raise term.error("two vectors side by side: write w*x or dot(w, x)")
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

    def squares(self, entries: tuple[Node, ...]) -> Node:
        two = self.graph.num(2)
        return self.graph.add(self.graph.pow(entry, two) for entry in entries)

    def eye(self, size: int) -> Array:
        graph = self.graph
        entries = (graph.one if i == j else graph.zero for i in range(size) for j in range(size))
        return Array(tuple(entries), (size, size))

    def minor(self, matrix: Array, rows: tuple[int, ...], columns: tuple[int, ...]) -> Node:
        """Determinant of the chosen rows and columns, along the first row."""

        @cache
        def expand(rows: tuple[int, ...], columns: tuple[int, ...]) -> Node:
            if not rows:
                return self.graph.one
            terms = []
            for k, column in enumerate(columns):
                rest = columns[:k] + columns[k + 1 :]
                sign = self.graph.one if k % 2 == 0 else self.graph.minus_one
                entry = matrix.at(rows[0], column)
                if entry is not self.graph.zero:
                    terms.append(self.graph.mul((sign, entry, expand(rows[1:], rest))))
            return self.graph.add(terms)

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
