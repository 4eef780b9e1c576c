"""A second reading of the proof language, by other means: Python's syntax tree walked with mpmath
numbers of 60 digits, derivatives by finite differences. It shares no code with the checker."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import mpmath
import numpy as np

mpmath.mp.dps = 60
Value = Any  # an mpf, a truth value, or an object array of mpf
STEP = mpmath.mpf(10) ** -18


class UndefinedError(ArithmeticError):
    """The line has no value at the point."""


class Row(np.ndarray):  # type: ignore[type-arg]
    """A transposed vector."""


@cache
def tree(text: str) -> ast.expr:
    return ast.parse(text.strip(), mode="eval").body


def log(x: Value) -> Value:
    if x <= 0:
        raise UndefinedError
    return mpmath.log(x)


def sqrt(x: Value) -> Value:
    if x < 0:
        raise UndefinedError
    return mpmath.sqrt(x)


def power(base: Value, exponent: Value) -> Value:
    if exponent == int(exponent):
        if base == 0 and exponent < 0:
            raise UndefinedError
        return base ** int(exponent)
    if base < 0 or (base == 0 and exponent < 0):
        raise UndefinedError
    return base**exponent


def det(a: Value) -> Value:
    n = a.shape[0]
    if n == 0:
        return mpmath.mpf(1)
    rest = np.delete(a, 0, axis=0)
    minors = (np.delete(rest, j, axis=1) for j in range(n))
    return sum((-1) ** j * a[0, j] * det(minor) for j, minor in enumerate(minors))


def inverse(a: Value) -> Value:
    if not isinstance(a, np.ndarray):
        if a == 0:
            raise UndefinedError
        return 1 / a
    if abs(det(a)) < mpmath.mpf(10) ** -50:
        raise UndefinedError
    columns = mpmath.inverse(mpmath.matrix(a.tolist()))
    n = a.shape[0]
    return np.array([[columns[i, j] for j in range(n)] for i in range(n)], dtype=object)


def phi_inverse(p: Value) -> Value:
    if not 0 < p < 1:
        raise UndefinedError
    return mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1)


def each(function: Callable[[Value], Value]) -> Callable[[Value], Value]:
    def apply(x: Value) -> Value:
        if isinstance(x, np.ndarray):
            return np.array([function(v) for v in x.ravel()], dtype=object).reshape(x.shape)
        return function(x)

    return apply


def sigmoid(z: Value) -> Value:
    return 1 / (1 + mpmath.exp(-z))


SIMPLE: dict[str, Callable[[Value], Value]] = {
    "exp": each(mpmath.exp),
    "log": each(log),
    "ln": each(log),
    "sqrt": each(sqrt),
    "sigma": each(sigmoid),
    "sigmoid": each(sigmoid),
    "relu": each(lambda z: max(z, 0)),
    "tanh": each(mpmath.tanh),
    "softplus": each(lambda z: mpmath.log(1 + mpmath.exp(z))),
    "logit": each(lambda p: log(p) - log(1 - p)),
    "abs": each(abs),
    "sign": each(mpmath.sign),
    "Phi": each(mpmath.ncdf),
    "phi": each(mpmath.npdf),
    "Phi_inv": each(phi_inverse),
    "factorial": mpmath.factorial,
    "norm": lambda x: mpmath.sqrt(sum(v**2 for v in x.ravel())),
    "mean": lambda x: sum(x) / len(x),
    "transpose": lambda x: x.T,
    "T": lambda x: x.T if x.ndim == 2 else (x.view(Row) if not isinstance(x, Row) else x),
    "inv": inverse,
    "det": det,
    "trace": lambda a: sum(a[i, i] for i in range(a.shape[0])),
    "diag": lambda x: np.diag(x),
    "softmax": lambda z: SIMPLE["exp"](z) / sum(SIMPLE["exp"](z)),
    "logsumexp": lambda z: mpmath.log(sum(SIMPLE["exp"](z))),
    "eye": lambda n: np.array(np.eye(int(n)).tolist(), dtype=object) * mpmath.mpf(1),
}
DOUBLE: dict[str, Callable[[Value, Value], Value]] = {
    "binomial": mpmath.binomial,
    "unit": lambda n, i: SIMPLE["eye"](n)[int(i) - 1],
    "delta": lambda i, j: mpmath.mpf(i == j),
    "dot": lambda x, y: sum(a * b for a, b in zip(x, y, strict=True)),
    "outer": lambda x, y: np.array([[a * b for b in y] for a in x], dtype=object),
    "hadamard": lambda x, y: x * y,
    "row": lambda a, i: a[int(i) - 1, :],
    "col": lambda a, j: a[:, int(j) - 1],
}


class Reference:
    """Evaluates lines for given values of the symbols."""

    def __init__(self, names: dict[str, Value], where: Mapping[str, str] | None = None) -> None:
        self.names = names
        self.where = where or {}

    def line(self, text: str) -> Value:
        return self.value(tree(text), self.names)

    def value(self, node: ast.expr, names: dict[str, Value]) -> Value:
        match node:
            case ast.Constant(value=number):
                return mpmath.mpf(ast.unparse(node) if isinstance(number, float) else number)
            case ast.Name(id=name):
                if name in names:
                    return names[name]
                if name in self.where:
                    return self.value(tree(self.where[name]), names)
                return {"pi": mpmath.pi + 0, "e": mpmath.e + 0}[name]
            case ast.UnaryOp(op=ast.USub(), operand=inside):
                return -self.value(inside, names)
            case ast.UnaryOp(op=ast.Not(), operand=inside):
                return not self.value(inside, names)
            case ast.BinOp(left=left, op=op, right=right):
                return self.binary(op, self.value(left, names), self.value(right, names))
            case ast.Compare(left=left, ops=ops, comparators=rest):
                values = [self.value(part, names) for part in (left, *rest)]
                pairs = zip(ops, values, values[1:], strict=False)
                return all(self.compare(op, a, b) for op, a, b in pairs)
            case ast.BoolOp(op=op, values=parts):
                answers = [self.value(part, names) for part in parts]
                return all(answers) if isinstance(op, ast.And) else any(answers)
            case ast.List(elts=parts):
                return np.array([self.value(part, names) for part in parts], dtype=object)
            case ast.Attribute(value=inside, attr="T"):
                return SIMPLE["T"](self.value(inside, names))
            case ast.Subscript(value=base, slice=index):
                array = self.value(base, names)
                parts = index.elts if isinstance(index, ast.Tuple) else [index]
                places = tuple(int(self.value(part, names)) - 1 for part in parts)
                if any(not 0 <= k < n for k, n in zip(places, array.shape, strict=False)):
                    raise IndexError
                return array[places]
            case ast.Call(func=ast.Name(id=function), args=arguments):
                return self.call(function, arguments, names)
        raise NotImplementedError(ast.dump(node))

    def binary(self, op: ast.operator, a: Value, b: Value) -> Value:
        if isinstance(op, ast.Add):
            return a + b
        if isinstance(op, ast.Sub):
            return a - b
        if isinstance(op, ast.Mult):
            if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
                return self.product(a, b)
            return a * b
        if isinstance(op, ast.MatMult):
            return self.product(a, b)
        if isinstance(op, ast.Div):
            if b == 0:
                raise UndefinedError
            return a / b
        if isinstance(a, np.ndarray):
            result = a if b > 0 else inverse(a)
            for _ in range(abs(int(b)) - 1):
                result = result @ (a if b > 0 else inverse(a))
            return result
        return power(a, b)

    @staticmethod
    def product(a: Value, b: Value) -> Value:
        if a.ndim == 1 and isinstance(b, Row) and not isinstance(a, Row):
            return DOUBLE["outer"](a, np.asarray(b))
        return np.asarray(a) @ np.asarray(b)

    @staticmethod
    def compare(op: ast.cmpop, a: Value, b: Value) -> bool:
        if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
            same = bool(np.all(np.asarray(a == b)))
            return same if isinstance(op, ast.Eq) else not same
        table = {ast.Eq: a == b, ast.NotEq: a != b, ast.Lt: a < b, ast.LtE: a <= b,
                 ast.Gt: a > b, ast.GtE: a >= b}  # fmt: skip
        return bool(table[type(op)])

    def call(self, function: str, arguments: list[ast.expr], names: dict[str, Value]) -> Value:
        if function in ("sum", "prod", "max", "min"):
            return self.gathered(function, arguments, names)
        if function in ("indicator", "I"):
            return mpmath.mpf(bool(self.value(arguments[0], names)))
        if function == "E":
            return self.expectation(arguments, names)
        if function == "subs":
            return self.substituted(arguments, names)
        if function == "diff":
            return self.derivative(arguments[0], arguments[1:], names)
        values = [self.value(part, names) for part in arguments]
        if function in ("ones", "zeros"):
            shape = tuple(int(v) for v in values)
            return np.full(shape, mpmath.mpf(function == "ones"), dtype=object)
        return SIMPLE[function](*values) if function in SIMPLE else DOUBLE[function](*values)

    def gathered(self, function: str, arguments: list[ast.expr], names: dict[str, Value]) -> Value:
        if len(arguments) == 1 and isinstance(arguments[0], ast.GeneratorExp):
            loop = arguments[0].generators[0]
            assert isinstance(loop.iter, ast.Call)
            assert isinstance(loop.target, ast.Name)
            ends = [int(self.value(part, names)) for part in loop.iter.args]
            body = arguments[0].elt
            name = loop.target.id
            values = [self.value(body, {**names, name: mpmath.mpf(k)}) for k in range(*ends)]
        elif (
            len(arguments) >= 4
            and isinstance(arguments[1], ast.Name)
            and (arguments[1].id not in names or function in ("sum", "prod"))
        ):
            body, name = arguments[0], arguments[1].id
            first, last = (int(self.value(part, names)) for part in arguments[2:4])
            values = []
            for k in range(first, last + 1):
                inner = {**names, name: mpmath.mpf(k)}
                if len(arguments) == 5 and not self.value(arguments[4], inner):
                    continue
                values.append(self.value(body, inner))
        else:
            values = [self.value(part, names) for part in arguments]
            if len(values) == 1:
                values = list(np.ravel(values[0]))
        if function in ("max", "min"):
            return max(values) if function == "max" else min(values)
        total = mpmath.mpf(0 if function == "sum" else 1)
        for value in values:
            total = total + value if function == "sum" else total * value
        return total

    def expectation(self, arguments: list[ast.expr], names: dict[str, Value]) -> Value:
        body, variable, pairs = arguments
        assert isinstance(variable, ast.Name)
        assert isinstance(pairs, ast.Dict)
        total = chances = mpmath.mpf(0)
        for key, chance in zip(pairs.keys, pairs.values, strict=True):
            assert key is not None
            probability = self.value(chance, names)
            outcome = self.value(key, names)
            total += probability * self.value(body, {**names, variable.id: outcome})
            chances += probability
        if abs(chances - 1) > mpmath.mpf(10) ** -40:
            raise UndefinedError
        return total

    def substituted(self, arguments: list[ast.expr], names: dict[str, Value]) -> Value:
        if len(arguments) == 2:
            assert isinstance(arguments[1], ast.Dict)
            pairs = list(zip(arguments[1].keys, arguments[1].values, strict=True))
        else:
            pairs = [(arguments[1], arguments[2])]
        new = {
            old.id: self.value(value, names) for old, value in pairs if isinstance(old, ast.Name)
        }
        return self.value(arguments[0], {**names, **new})

    def derivative(self, body: ast.expr, by: list[ast.expr], names: dict[str, Value]) -> Value:
        *inner, last = by

        def at(values: dict[str, Value]) -> Value:
            return self.derivative(body, inner, values) if inner else self.value(body, values)

        if isinstance(last, ast.Subscript):
            assert isinstance(last.value, ast.Name)
            k = int(self.value(last.slice, names)) - 1
            return self.central(at, names, last.value.id, (k,))
        assert isinstance(last, ast.Name)
        target = names[last.id]
        if not isinstance(target, np.ndarray):
            return self.central(at, names, last.id, None)
        slopes = [self.central(at, names, last.id, k) for k in np.ndindex(target.shape)]
        if isinstance(slopes[0], np.ndarray):
            return np.array([list(slope) for slope in slopes], dtype=object).T
        return np.array(slopes, dtype=object).reshape(target.shape)

    @staticmethod
    def central(
        at: Callable[[dict[str, Value]], Value],
        names: dict[str, Value],
        name: str,
        place: tuple[int, ...] | None,
    ) -> Value:
        """Central difference; the error is of the order of STEP squared."""

        def moved(h: Value) -> dict[str, Value]:
            if place is None:
                return {**names, name: names[name] + h}
            array = names[name].copy()
            array[place] = array[place] + h
            return {**names, name: array}

        return (at(moved(STEP)) - at(moved(-STEP))) / (2 * STEP)
