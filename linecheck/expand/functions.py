"""The functions of the language, written out as numbers.

Everything that must hold for the line to be defined (a divisor is not 0, a logarithm has a positive
argument) is recorded as a `Need` before simplification could hide it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce

from linecheck.expand.calculus import diff, expectation, subs
from linecheck.expand.graph import Graph, Node
from linecheck.expand.values import Array, Value
from linecheck.expand.writing import Function, Writer
from linecheck.language.terms import Term, TooBigError


def log(w: Writer, node: Node) -> Node:
    w.linear.need("positive", node, "a logarithm of a number that is not positive")
    return w.graph.call("log", node)


def sqrt(w: Writer, node: Node) -> Node:
    w.linear.need("nonnegative", node, "a root of a negative number")
    return w.graph.sqrt(node)


def sigma(w: Writer, node: Node) -> Node:
    graph = w.graph
    below = graph.add((graph.one, graph.call("exp", graph.neg(node))))
    return graph.pow(below, graph.minus_one)


def tanh(w: Writer, node: Node) -> Node:
    graph = w.graph
    twice = sigma(w, graph.mul((graph.num(2), node)))
    return graph.add((graph.mul((graph.num(2), twice)), graph.minus_one))


def softplus(w: Writer, node: Node) -> Node:
    graph = w.graph
    return graph.call("log", graph.add((graph.one, graph.call("exp", node))))


def logit(w: Writer, node: Node) -> Node:
    w.linear.nonzero(w.graph.sub(w.graph.one, node))
    odds = w.graph.div(node, w.graph.sub(w.graph.one, node))
    w.linear.need("positive", odds, "a logarithm of a number that is not positive")
    return w.graph.call("log", odds)


def inverse_normal(w: Writer, node: Node) -> Node:
    w.linear.need("positive", node, "Phi_inv outside (0, 1)")
    w.linear.need("positive", w.graph.sub(w.graph.one, node), "Phi_inv outside (0, 1)")
    return w.graph.call("Phi_inv", node)


def factorial(w: Writer, term: Term) -> Node:
    k = w.integer(term.args[0])
    if not 0 <= k <= 60:
        problem = term.error("a factorial is of a number that is not negative")
        raise problem if k < 0 else TooBigError("factorials are handled up to 60")
    return w.graph.num(math.factorial(k))


def binomial(w: Writer, term: Term) -> Node:
    n, k = (w.integer(part) for part in term.args)
    if not 0 <= n <= 200:
        problem = term.error("binomial(n, k) needs n >= 0")
        raise problem if n < 0 else TooBigError("binomial(n, k) is handled up to n = 200")
    return w.graph.num(math.comb(n, k) if k >= 0 else 0)


def delta(w: Writer, term: Term) -> Node:
    i, j = (w.integer(part) for part in term.args)
    return w.graph.one if i == j else w.graph.zero


def indicator(w: Writer, term: Term) -> Node:
    return w.graph.indicator(w.condition(term.args[0]))


def most(w: Writer, term: Term) -> Value:
    """max or min: of numbers, of the entries of one vector, or entry by entry."""
    values = [w.lower(part) for part in term.args]
    if len(values) == 1:
        if isinstance(values[0], Array):
            return w.graph.most(term.name, values[0].entries)
        return w.linear.as_number(values[0], term)
    if any(isinstance(value, Array) for value in values):

        def larger(a: Node, b: Node) -> Node:
            return w.graph.most(term.name, (a, b))

        return reduce(lambda best, one: w.linear.entrywise(best, one, larger, term), values)
    numbers = [w.linear.as_number(v, t) for v, t in zip(values, term.args, strict=True)]
    return w.graph.most(term.name, numbers)


def absolute(w: Writer, term: Term) -> Value:
    """abs(x), entry by entry; |A| is a determinant."""
    value = w.lower(term.args[0])
    if isinstance(value, Array) and term.value:
        if len(value.shape) == 2:
            return w.linear.determinant(w.square(term.args[0]))
        raise term.error(f"|x| of {value.told} can mean two things: write norm(x) or abs(x)")
    return w.linear.each(value, lambda node: w.graph.call("abs", node), term)


def dot_of(w: Writer, term: Term) -> Value:
    """The scalar product of two vectors; with a matrix the product, as np.dot has it."""
    left, right = w.lower(term.args[0]), w.lower(term.args[1])
    matrices = [v for v in (left, right) if isinstance(v, Array) and len(v.shape) == 2]
    if matrices and isinstance(left, Array) and isinstance(right, Array):
        return w.linear.product(left, right, term)
    return w.linear.dot(w.array(term.args[0], 1), w.array(term.args[1], 1), term)


def norm(w: Writer, term: Term) -> Node:
    """Euclidean length; of a matrix the root of the sum of squares."""
    value = w.lower(term.args[0])
    if not isinstance(value, Array):
        raise term.error("norm takes a vector; write abs(x) for a number")
    return w.graph.sqrt(w.linear.squares(value.entries))


def hypot(w: Writer, term: Term) -> Node:
    return w.graph.sqrt(w.linear.squares(tuple(w.scalar(part) for part in term.args)))


def total(w: Writer, term: Term) -> Node:
    value = w.lower(term.args[0])
    if not isinstance(value, Array):
        raise term.error("sum(x) needs a vector, or an index: sum(term, i, 1, n)")
    return w.graph.mul(value.entries) if term.name == "prod" else w.graph.add(value.entries)


def mean(w: Writer, term: Term) -> Node:
    vector = w.array(term.args[0], 1)
    size = w.graph.num(vector.shape[0])
    return w.graph.div(w.graph.add(vector.entries), size)


def transpose_of(w: Writer, term: Term) -> Value:
    value = w.lower(term.args[0])
    if isinstance(value, Array):
        return w.linear.transpose(value)
    if term.value:  # typed as f', which may have meant a derivative
        raise term.error("' is the transpose of a vector or a matrix; a derivative is diff(f, x)")
    return w.linear.as_number(value, term)


def inverse_of(w: Writer, term: Term) -> Value:
    value = w.lower(term.args[0])
    if isinstance(value, Node):
        w.linear.nonzero(w.linear.as_number(value, term))
        return w.graph.pow(value, w.graph.minus_one)
    return w.linear.inverse(w.square(term.args[0]))


def length(w: Writer, term: Term) -> Node:
    value = w.lower(term.args[0])
    if not isinstance(value, Array):
        raise term.error("a number has no length")
    return w.graph.num(value.shape[0])


def trace(w: Writer, term: Term) -> Node:
    matrix = w.square(term.args[0])
    return w.graph.add(matrix.at(i, i) for i in range(matrix.shape[0]))


def diag(w: Writer, term: Term) -> Array:
    value = w.lower(term.args[0])
    if not isinstance(value, Array):
        raise term.error("diag takes a vector or a matrix")
    if len(value.shape) == 2:
        size = min(value.shape)
        return Array(tuple(value.at(i, i) for i in range(size)), (size,))
    n = value.shape[0]
    zero = w.graph.zero
    entries = (value.entries[i] if i == j else zero for i in range(n) for j in range(n))
    return Array(tuple(entries), (n, n))


def constant(w: Writer, term: Term) -> Array:
    shape = tuple(w.integer(part) for part in term.args)
    if term.name == "eye":
        shape *= 2
    if any(not 1 <= size <= 24 for size in shape) or math.prod(shape) > 600:
        raise TooBigError("sizes are handled up to 24, with 600 entries")
    if term.name == "eye":
        return w.linear.eye(shape[0])
    fill = w.graph.one if term.name == "ones" else w.graph.zero
    return Array((fill,) * math.prod(shape), shape)


def unit(w: Writer, term: Term) -> Array:
    size, index = (w.integer(part) for part in term.args)
    if not 1 <= index <= size <= 24:
        raise term.error(f"the index {index} is outside 1..{size}")
    entries = (w.graph.one if k == index else w.graph.zero for k in range(1, size + 1))
    return Array(tuple(entries), (size,))


def hadamard(w: Writer, term: Term) -> Value:
    left, right = w.lower(term.args[0]), w.lower(term.args[1])
    return w.linear.entrywise(left, right, lambda a, b: w.graph.mul((a, b)), term)


def line_of(w: Writer, term: Term) -> Array:
    matrix = w.array(term.args[0], 2)
    index = w.integer(term.args[1])
    size = matrix.shape[1] if term.name == "col" else matrix.shape[0]
    if not 1 <= index <= size:
        raise term.args[1].error(f"the index {index} is outside 1..{size}")
    take = w.linear.column if term.name == "col" else w.linear.row
    return take(matrix, index - 1)


def softmax(w: Writer, term: Term) -> Array:
    vector = w.array(term.args[0], 1)
    powers = [w.graph.call("exp", entry) for entry in vector.entries]
    over = w.graph.pow(w.graph.add(powers), w.graph.minus_one)
    return Array(tuple(w.graph.mul((power, over)) for power in powers), vector.shape)


def logsumexp(w: Writer, term: Term) -> Node:
    vector = w.array(term.args[0], 1)
    powers = (w.graph.call("exp", entry) for entry in vector.entries)
    return w.graph.call("log", w.graph.add(powers))


def matrix(w: Writer, term: Term) -> Value:
    if term.name == "vector" and len(term.args) > 1:
        return w.entries(Term("list", term.args, column=term.column))
    return w.array(term.args[0], 1) if term.name == "vector" else w.lower(term.args[0])


_OF_NUMBERS: dict[str, Callable[[Writer, Node], Node]] = {
    **{one.__name__: one for one in (log, sqrt, sigma, tanh, softplus, logit)},
    "exp": lambda w, node: w.graph.call("exp", node),
    "sign": lambda w, node: w.graph.call("sign", node),
    "relu": lambda w, node: w.graph.most("max", (node, w.graph.zero)),
    "Phi": lambda w, node: w.graph.call("Phi", node),
    "phi": lambda w, node: w.graph.density(node),
    "Phi_inv": inverse_normal,
}


def _on_entries(handler: Callable[[Writer, Node], Node]) -> Function:
    """A function of numbers, as one of a number or of every entry of an array."""
    return lambda w, term: w.linear.each(w.lower(term.args[0]), lambda node: handler(w, node), term)


_NAMED_ALIKE: tuple[Function, ...] = (
    factorial, binomial, delta, indicator, norm, hypot, mean, trace, diag, unit, hadamard, softmax,
    logsumexp, diff, subs, matrix,
)  # fmt: skip
FUNCTIONS: dict[str, Function] = {
    **{name: _on_entries(handler) for name, handler in _OF_NUMBERS.items()},
    **{one.__name__: one for one in _NAMED_ALIKE},
    **dict.fromkeys(("max", "min"), most),
    **dict.fromkeys(("sum", "prod"), total),
    **dict.fromkeys(("eye", "ones", "zeros"), constant),
    **dict.fromkeys(("row", "col"), line_of),
    "abs": absolute,
    "dot": dot_of,
    "len": length,
    "transpose": transpose_of,
    "inv": inverse_of,
    "det": lambda w, term: w.linear.determinant(w.square(term.args[0])),
    "outer": lambda w, term: w.linear.outer(*(w.array(part, 1) for part in term.args)),
    "E": expectation,
    "vector": matrix,
}


def writer(
    graph: Graph, symbols: Mapping[str, Value], ranges: Mapping[str, tuple[Fraction, ...]]
) -> Writer:
    """A writer that knows all functions."""
    return Writer(graph, symbols, ranges, FUNCTIONS)
