"""Typed terms as SymPy expressions and explicit matrices, for given sizes.

Symbols carry what their domain says (real, positive, integer). Entries of vectors and matrices are
symbols of their own: x_1, X_1_2. SymPy evaluates as it builds: x/x becomes 1, whatever x is.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import sympy

from linecheck.language.domains import SCALARS, Declared, Finite, ScalarDomain
from linecheck.language.terms import Term, split_bind

LONGEST_SUM = 60
Expr = Any  # SymPy has no types of its own


@dataclass(frozen=True)
class Block:
    """A vector (a column), the transpose of one, or a matrix."""

    kind: str  # vector, row, matrix
    entries: Expr  # a sympy.Matrix


Value = Any  # a SymPy expression, a SymPy condition, or a Block


def assumptions(domain: ScalarDomain) -> dict[str, bool]:
    """What SymPy is told about a number of a domain."""
    if isinstance(domain, Finite):
        whole = all(value.denominator == 1 for value in domain.values)
        told = {"integer": True} if whole else {"real": True}
        if min(domain.values) >= 0:
            told["positive" if min(domain.values) > 0 else "nonnegative"] = True
        return told
    told = {"integer": True} if domain.integers else {"real": True}
    if domain.lower is not None and domain.lower >= 0:
        told["positive" if domain.lower > 0 or domain.lower_open else "nonnegative"] = True
    if domain.upper is not None and domain.upper <= 0:
        told["negative" if domain.upper < 0 or domain.upper_open else "nonpositive"] = True
    if domain.no_zero:
        told["nonzero"] = True
    return told


class Translator:
    """Translates terms for one choice of sizes and of the symbols whose value is fixed."""

    def __init__(
        self,
        declared: Mapping[str, Declared],
        sizes: Mapping[str, int],
        fixed: Mapping[str, Expr] | None = None,
    ) -> None:
        self.names: dict[str, Value] = {}
        self.domains: dict[Expr, ScalarDomain] = {}  # of every symbol made
        self.conditions: list[Expr] = []  # that a domain puts on several symbols
        # what entries are in terms of the others; they are independent while derivatives are taken
        self.definitions: dict[Expr, Expr] = {}
        # p = t/(1 + t), S = L L^T: so that SymPy sees that 1 - p > 0 and det(S) > 0
        self.charts: dict[Expr, Expr] = {}
        self.fixed = fixed or {}
        self.ranges: dict[str, tuple[Expr, ...]] = {}
        for name, domain in declared.items():
            self.names[name] = self.declare(name, domain, sizes)
            if domain.kind == "scalar" and isinstance(domain.entry, Finite):
                self.ranges[name] = tuple(sympy.Rational(value) for value in domain.entry.values)

    def symbol(self, name: str, domain: ScalarDomain) -> Expr:
        if name in self.fixed:
            return self.fixed[name]
        made = sympy.Symbol(name, **assumptions(domain))
        self.domains[made] = domain
        if domain == SCALARS["probability"]:
            odds = sympy.Symbol(f"odds_{name}", positive=True)
            self.charts[made] = odds / (1 + odds)
        return made

    def declare(self, name: str, domain: Declared, sizes: Mapping[str, int]) -> Value:
        if domain.kind == "size":
            return sympy.Integer(sizes[name])
        if domain.kind == "scalar":
            return self.symbol(name, domain.entry)
        shape = [sizes[size] if isinstance(size, str) else size for size in domain.shape]
        if domain.kind == "vector":
            kind = SCALARS["probability"] if domain.structure == "simplex" else domain.entry
            entries = [self.symbol(f"{name}_{i + 1}", kind) for i in range(shape[0])]
            if domain.structure == "simplex":
                self.defined(entries[-1], 1 - sum(entries[:-1], sympy.Integer(0)))
                self.conditions.append(self.definitions[entries[-1]] > 0)
            return Block("vector", sympy.Matrix(entries))
        return self.matrix(name, domain, shape)

    def defined(self, symbol: Expr, value: Expr) -> None:
        self.definitions[symbol] = value
        self.domains.pop(symbol, None)
        self.charts.pop(symbol, None)

    def matrix(self, name: str, domain: Declared, shape: list[int]) -> Block:
        def entry(i: int, j: int) -> Expr:
            if domain.structure == "diagonal" and i != j:
                return sympy.Integer(0)
            return self.symbol(f"{name}_{i + 1}_{j + 1}", domain.entry)

        entries = sympy.Matrix(*shape, entry)
        if domain.structure in ("symmetric", "spd", "psd"):
            for i, j in itertools.combinations(range(shape[0]), 2):
                self.defined(entries[j, i], entries[i, j])
        if domain.structure in ("spd", "psd"):
            sign = {"positive" if domain.structure == "spd" else "nonnegative": True}

            def lower(i: int, j: int) -> Expr:
                told = sign if i == j else {"real": True}
                return sympy.Symbol(f"L_{name}_{i + 1}_{j + 1}", **told) if i >= j else 0

            factor = sympy.Matrix(*shape, lower)
            product = factor * factor.T
            self.charts |= {
                entries[i, j]: product[i, j] for i in range(shape[0]) for j in range(i, shape[0])
            }
        return Block("matrix", entries)

    def finished(self, value: Value) -> Value:
        """With the entries that others define replaced."""
        if not self.definitions:
            return value
        return self.each(value, lambda one: sympy.sympify(one).subs(self.definitions))

    # the language

    def term(self, term: Term) -> Value:
        """What a term stands for."""
        op, args = term.op, term.args
        if op == "number":
            return sympy.Rational(term.value.numerator, term.value.denominator)
        if op == "name":
            return self.name(term)
        if op == "neg":
            return self.each(self.term(args[0]), lambda one: -one)
        if op == "bind":
            return self.bind(term)
        if op == "list":
            return self.listed([self.term(part) for part in args])
        if op == "index":
            return self.entry(self.term(args[0]), [self.integer(part) for part in args[1:]])
        if op == "compare":
            return self.compared(term)
        if op in ("and", "or", "not"):
            parts = [self.condition(part) for part in args]
            return {"and": sympy.And, "or": sympy.Or, "not": sympy.Not}[op](*parts)
        if op == "call":
            return self.call(term)
        if op in ("+", "-", "*", "/", "**", "@"):
            return self.binary(op, self.term(args[0]), self.term(args[1]), term)
        raise term.error("this can only stand inside E(...) or subs(...)")

    def name(self, term: Term) -> Value:
        if term.name in self.names:
            return self.names[term.name]
        if term.name in ("pi", "e"):
            return sympy.pi if term.name == "pi" else sympy.E
        raise term.error(f"{term.name} is not declared")

    def number(self, term: Term) -> Expr:
        value = self.term(term)
        if isinstance(value, Block):
            if value.entries.shape != (1, 1) or value.kind != "matrix":
                raise term.error("a number is expected here")
            return value.entries[0]
        return value

    def integer(self, term: Term) -> int:
        value = self.number(term)
        if not value.is_Integer:
            raise term.error("a whole number is expected here")
        return int(value)

    def block(self, term: Term) -> Expr:
        value = self.term(term)
        if not isinstance(value, Block):
            raise term.error("a vector or a matrix is expected here")
        return value.entries

    def condition(self, term: Term) -> Expr:
        if term.op == "list":
            return sympy.And(*(self.condition(part) for part in term.args))
        return self.term(term)

    def each(self, value: Value, function: Callable[[Expr], Expr]) -> Value:
        if isinstance(value, Block):
            return Block(value.kind, value.entries.applyfunc(function))
        return function(value)

    def listed(self, values: list[Value]) -> Block:
        if all(isinstance(value, Block) for value in values):
            rows = [list(value.entries) for value in values]
            return Block("matrix", sympy.Matrix(rows))
        return Block("vector", sympy.Matrix(values))

    def entry(self, base: Block, indices: list[int]) -> Value:
        if base.kind != "matrix":
            return base.entries[indices[0] - 1]
        if len(indices) == 1:
            return Block("vector", base.entries[indices[0] - 1, :].T)
        return base.entries[indices[0] - 1, indices[1] - 1]

    def binary(self, op: str, left: Value, right: Value, term: Term) -> Value:
        both = isinstance(left, Block) and isinstance(right, Block)
        op = "*" if op == "@" and not both else op  # `2 w` is typed without an operator
        if op == "@" or (op == "*" and both):
            return self.product(left, right, term, op == "*")
        if op == "/":
            return self.each(left, lambda one: one / self.unwrapped(right))
        if op == "**":
            if isinstance(left, Block) and left.kind == "matrix":
                return Block("matrix", left.entries ** int(right))
            return self.each(left, lambda one: one**right)
        if op == "*":
            array, other = (left, right) if isinstance(left, Block) else (right, left)
            return self.each(array, lambda one: one * other)
        right = self.each(right, lambda one: -one) if op == "-" else right
        return self.entrywise(left, right, operator.add)

    @staticmethod
    def unwrapped(value: Value) -> Expr:
        return value.entries[0] if isinstance(value, Block) else value

    def entrywise(self, left: Value, right: Value, join: Callable[[Expr, Expr], Expr]) -> Value:
        if isinstance(left, Block) and isinstance(right, Block):
            pairs = zip(left.entries, right.entries, strict=True)
            return Block(
                left.kind, sympy.Matrix(*left.entries.shape, [join(a, b) for a, b in pairs])
            )
        if isinstance(left, Block):
            return self.each(left, lambda one: join(one, right))
        return self.each(right, lambda one: join(left, one))

    def product(self, left: Value, right: Value, term: Term, entries: bool) -> Value:
        """The matrix product; of two vectors the dot product, or entry by entry for `*`."""
        if not isinstance(left, Block) or not isinstance(right, Block):
            raise term.error("@ needs a vector or a matrix on both sides")
        a, b = left.entries, right.entries
        if left.kind == right.kind == "vector":
            return self.entrywise(left, right, operator.mul) if entries else (a.T * b)[0]
        if (left.kind, right.kind) == ("vector", "row"):
            return Block("matrix", a * b)
        if left.kind == "vector":
            return Block("vector", (a.T * b).T) if b.rows == a.rows else Block("matrix", a * b)
        result = a * b
        if left.kind == "row":
            return result[0] if right.kind == "vector" else Block("row", result)
        if right.kind == "vector":
            return Block("vector", result)
        return Block("matrix", result)

    def compared(self, term: Term) -> Expr:
        kinds = {"==": sympy.Eq, "!=": sympy.Ne, "<": sympy.Lt, "<=": sympy.Le, ">": sympy.Gt,
                 ">=": sympy.Ge}  # fmt: skip
        values = [self.term(part) for part in term.args]
        found = []
        for left, relation, right in zip(values, term.name.split(), values[1:], strict=False):
            sides = self.entrywise(left, right, kinds[relation])
            pieces = list(sides.entries) if isinstance(sides, Block) else [sides]
            found.append(sympy.Or(*pieces) if relation == "!=" else sympy.And(*pieces))
        return sympy.And(*found)

    def bind(self, term: Term) -> Value:
        kind, index = split_bind(term)
        body, *ends = term.args
        if ends:
            first, last = self.integer(ends[0]), self.integer(ends[1])
            steps = [sympy.Integer(k) for k in range(first, last + 1)]
        else:
            steps = list(self.ranges.get(index, ()))
        if len(steps) > LONGEST_SUM:
            raise term.error("this sum is too long for SymPy here")
        before, self.names = self.names, dict(self.names)
        values = []
        for step in steps:
            self.names[index] = step
            if len(ends) < 3 or self.condition(ends[2]) == sympy.true:
                values.append(self.term(body))
        self.names = before
        return self.gathered(kind, values)

    def gathered(self, kind: str, values: list[Value]) -> Value:
        if kind in ("max", "min"):
            return (sympy.Max if kind == "max" else sympy.Min)(*values)
        if kind == "prod":
            return sympy.Mul(*values)
        if not values:
            return sympy.Integer(0)
        return reduce(lambda a, b: self.entrywise(a, b, operator.add), values)

    # functions

    def call(self, term: Term) -> Value:
        if term.name in OF_NUMBERS:
            return self.each(self.term(term.args[0]), OF_NUMBERS[term.name])
        return OF_BLOCKS[term.name](self, term)

    def indicator(self, term: Term) -> Expr:
        return sympy.Piecewise((1, self.condition(term.args[0])), (0, True))

    def of_numbers(self, term: Term) -> Expr:
        """What SymPy has under the same name."""
        return getattr(sympy, term.name)(*map(self.number, term.args))

    def written_out(self, term: Term) -> Value:
        values = [self.term(part) for part in term.args]
        return values[0] if len(values) == 1 else self.listed(values)

    def largest(self, term: Term) -> Value:
        most = sympy.Max if term.name == "max" else sympy.Min
        values = [self.term(part) for part in term.args]
        if len(values) == 1 and isinstance(values[0], Block):
            return most(*values[0].entries)
        return reduce(lambda best, one: self.entrywise(best, one, most), values)

    def constant(self, term: Term) -> Block:
        sizes = [self.integer(part) for part in term.args]
        if term.name == "eye":
            return Block("matrix", sympy.eye(sizes[0]))
        if term.name == "unit":
            return Block("vector", sympy.eye(sizes[0])[:, sizes[1] - 1])
        filled = getattr(sympy, term.name)(*(*sizes, 1)[:2])
        return Block("matrix" if len(sizes) == 2 else "vector", filled)

    def transposed(self, term: Term) -> Value:
        value = self.term(term.args[0])
        if not isinstance(value, Block):
            return value
        turned = {"vector": "row", "row": "vector", "matrix": "matrix"}
        return Block(turned[value.kind], value.entries.T)

    def derivative(self, term: Term) -> Value:
        return reduce(self.differentiated, map(self.term, term.args))

    def differentiated(self, value: Value, target: Value) -> Value:
        """By a number, by the entries of a vector or matrix; of a vector: the Jacobian."""
        if not isinstance(target, Block):
            return self.each(value, lambda one: sympy.diff(one, target))
        if isinstance(value, Block):
            rows = [[sympy.diff(one, by) for by in target.entries] for one in value.entries]
            return Block("matrix", sympy.Matrix(rows))
        return self.each(target, lambda by: sympy.diff(value, by))

    def replaced(self, term: Term) -> Value:
        """The symbols replaced; one whose value is fixed already, by its name."""
        pairs = term.args[1].args if len(term.args) == 2 else term.args[1:]
        values: dict[Expr, Expr] = {}
        renamed: dict[str, Value] = {}
        for old, new in zip(pairs[::2], pairs[1::2], strict=True):
            target, value = self.term(old), self.term(new)
            if isinstance(target, Block):
                filled = (
                    value.entries if isinstance(value, Block) else [value] * len(target.entries)
                )
                values.update(zip(target.entries, filled, strict=True))
            elif target.is_number:
                renamed[old.name] = value
            else:
                values[target] = self.unwrapped(value)
        before, self.names = self.names, {**self.names, **renamed}
        inside = self.term(term.args[0])
        self.names = before
        return self.each(inside, lambda one: one.subs(values, simultaneous=True))

    def expected(self, term: Term) -> Value:
        body, variable, pairs = term.args
        before = self.names
        values = []
        for outcome, chance in zip(pairs.args[::2], pairs.args[1::2], strict=True):
            probability = self.number(chance)
            self.names = {**before, variable.name: self.term(outcome)}
            values.append(self.binary("*", probability, self.term(body), term))
            self.names = before
        return self.gathered("sum", values)


def _sigma(z: Expr) -> Expr:
    return 1 / (1 + sympy.exp(-z))


OF_NUMBERS: dict[str, Callable[[Expr], Expr]] = {
    "exp": sympy.exp,
    "log": sympy.log,
    "sqrt": sympy.sqrt,
    "sigma": _sigma,
    "tanh": sympy.tanh,
    "abs": sympy.Abs,
    "sign": sympy.sign,
    "Phi": lambda z: (1 + sympy.erf(z / sympy.sqrt(2))) / 2,
    "phi": lambda z: sympy.exp(-(z**2) / 2) / sympy.sqrt(2 * sympy.pi),
    "Phi_inv": lambda p: sympy.sqrt(2) * sympy.erfinv(2 * p - 1),
    "logit": lambda p: sympy.log(p / (1 - p)),
    "softplus": lambda z: sympy.log(1 + sympy.exp(z)),
    "relu": lambda z: sympy.Max(z, 0),
}


def _diagonal(t: Translator, term: Term) -> Block:
    value = t.term(term.args[0])
    if value.kind == "matrix":
        return Block("vector", value.entries.diagonal().T)
    return Block("matrix", sympy.diag(*value.entries))


def _inverse(t: Translator, term: Term) -> Value:
    value = t.term(term.args[0])
    if not isinstance(value, Block):
        return 1 / value
    matrix = value.entries
    if (factor := matrix.det()) == 0:
        raise term.error("this matrix has no inverse")
    return Block("matrix", matrix.adjugate() / factor)  # `inv` would first simplify, and slowly


def _line(t: Translator, term: Term) -> Block:
    matrix, index = t.block(term.args[0]), t.integer(term.args[1]) - 1
    return Block("vector", matrix[:, index] if term.name == "col" else matrix[index, :].T)


def _softmax(t: Translator, term: Term) -> Block:
    powers = t.block(term.args[0]).applyfunc(sympy.exp)
    return Block("vector", powers / sum(powers))


def _outer(t: Translator, term: Term) -> Block:
    return Block("matrix", t.block(term.args[0]) * t.block(term.args[1]).T)


OF_BLOCKS: dict[str, Callable[[Translator, Term], Value]] = {
    "diff": Translator.derivative,
    "subs": Translator.replaced,
    "E": Translator.expected,
    "indicator": Translator.indicator,
    "transpose": Translator.transposed,
    **dict.fromkeys(("max", "min"), Translator.largest),
    **dict.fromkeys(("eye", "ones", "zeros", "unit"), Translator.constant),
    **dict.fromkeys(("matrix", "vector"), Translator.written_out),
    **dict.fromkeys(("factorial", "binomial"), Translator.of_numbers),
    "delta": lambda t, term: sympy.KroneckerDelta(*map(t.number, term.args)),
    "hypot": lambda t, term: sympy.sqrt(sum(t.number(part) ** 2 for part in term.args)),
    "dot": lambda t, term: (t.block(term.args[0]).T * t.block(term.args[1]))[0],
    "norm": lambda t, term: sympy.sqrt(sum(one**2 for one in t.block(term.args[0]))),
    "sum": lambda t, term: sum(t.block(term.args[0]), sympy.Integer(0)),
    "len": lambda t, term: sympy.Integer(len(t.block(term.args[0]))),
    "prod": lambda t, term: sympy.Mul(*t.block(term.args[0])),
    "mean": lambda t, term: sum(t.block(term.args[0])) / len(t.block(term.args[0])),
    "trace": lambda t, term: t.block(term.args[0]).trace(),
    "det": lambda t, term: t.block(term.args[0]).det(method="berkowitz"),
    "logsumexp": lambda t, term: sympy.log(sum(sympy.exp(one) for one in t.block(term.args[0]))),
    "diag": _diagonal,
    "inv": _inverse,
    **dict.fromkeys(("row", "col"), _line),
    "softmax": _softmax,
    "outer": _outer,
    "hadamard": lambda t, term: t.entrywise(
        t.term(term.args[0]), t.term(term.args[1]), operator.mul
    ),
}


def plain(value: Value) -> Expr:
    """A value as SymPy's own object: a 1 by 1 matrix stays one."""
    return value.entries if isinstance(value, Block) else value
