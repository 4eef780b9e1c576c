"""Derivatives, substitution and expectation, written out as numbers."""

from __future__ import annotations

from functools import reduce

from linecheck.expand.graph import Node, in_order, kinks, variables
from linecheck.expand.values import Array, Value, is_condition, same_shape, told
from linecheck.expand.writing import Writer
from linecheck.language.terms import Term


def diff(w: Writer, term: Term) -> Value:
    function, *by = term.args
    return reduce(lambda value, variable: differentiate(w, value, variable), by, w.lower(function))


def differentiate(w: Writer, value: Value, variable: Term) -> Value:
    """Derivative of every entry with respect to every entry."""
    if is_condition(value):
        raise variable.error("a condition has no derivative")
    if variable.op not in ("name", "index"):
        raise variable.error("a derivative is taken with respect to a symbol")
    target = w.lower(variable)
    if isinstance(target, Node):
        single = as_variable(w, target, variable)
        return w.linear.each(value, lambda entry: slope(w, entry, single), variable)
    entries = [as_variable(w, entry, variable) for entry in target.entries]
    if isinstance(value, Array):
        if len(value.shape) != 1 or len(target.shape) != 1:
            raise variable.error("a derivative of a matrix is taken entry by entry")
        rows = [slope(w, entry, by) for entry in value.entries for by in entries]
        return Array(tuple(rows), (value.shape[0], target.shape[0]))
    assert isinstance(value, Node)
    slopes = tuple(slope(w, value, by) for by in entries)
    return Array(slopes, target.shape, target.row)


def as_variable(w: Writer, node: Node, term: Term) -> Node:
    if node.op == "num" or str(node.data) in w.ranges:
        raise term.error("a symbol with separate values has no derivative")
    if node.op != "var":
        raise term.error("a derivative is taken with respect to a symbol")
    return node


def slope(w: Writer, node: Node, variable: Node) -> Node:
    """The derivative, which keeps its function beside it when that has kinks."""
    slope = w.graph.derivative(node, variable)
    name = str(variable.data)
    for part in in_order([node]):
        if part.op == "pow" and part.args[1].op != "num" and name in variables(part.args):
            w.linear.need("positive", part.args[0], "a power of 0 is differentiated")
    places = w.graph.kink_places(part for part in kinks([node]) if name in variables([part]))
    if not places:
        return slope
    kept = w.graph.node("diff", (node, slope, *places), name)
    w.linear.need("exists", kept, "the derivative does not exist there")
    return kept


def subs(w: Writer, term: Term) -> Value:
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
        if old.op == "name" and separate(w, w.lower(old)):
            fixed[old.name] = w.lower(new)
        else:
            replacement(w, old, new, values)
    outer, w.linear.needs = w.linear.needs, {}
    before, w.names = w.names, {**w.names, **fixed}
    result = w.lower(body)
    w.names = before
    inner, w.linear.needs = w.linear.needs, outer
    for need in inner.values():
        node = w.graph.substitute(need.node, values)
        exponent = w.graph.substitute(need.exponent, values) if need.exponent else None
        w.linear.need(need.kind, node, need.told, exponent)
    return w.linear.each(result, lambda entry: w.graph.substitute(entry, values), term)


def separate(w: Writer, value: Value) -> bool:
    """Whether a symbol's value is a number already or one of finitely many."""
    return isinstance(value, Node) and (value.op == "num" or str(value.data) in w.ranges)


def replacement(w: Writer, old: Term, new: Term, values: dict[Node, Node]) -> None:
    target, value = w.lower(old), w.lower(new)
    if isinstance(target, Array) and value is w.graph.zero:
        value = Array((w.graph.zero,) * len(target.entries), target.shape)
    if isinstance(target, Array) or isinstance(value, Array):
        if not (isinstance(target, Array) and isinstance(value, Array)) or not same_shape(
            target, value
        ):
            raise new.error(f"{told(target)} cannot be replaced by {told(value)}")
        for node, entry in zip(target.entries, value.entries, strict=True):
            values[as_variable(w, node, old)] = entry
    else:
        values[as_variable(w, target, old)] = w.linear.as_number(value, new)


def expectation(w: Writer, term: Term) -> Value:
    """E(f, y, {value: probability, ...})."""
    body, variable, pairs = term.args
    if variable.op != "name" or pairs.op != "pairs":
        raise term.error("write E(f, y, {0: 1 - p, 1: p})")
    name = variable.name
    probabilities = [w.scalar(part) for part in pairs.args[1::2]]
    outcomes = [w.lower(part) for part in pairs.args[::2]]
    total = w.graph.add(probabilities)
    w.linear.need("one", total, "the probabilities do not add up to 1")
    before, w.names = w.names, dict(w.names)
    parts: list[Value] = []
    for outcome, probability in zip(outcomes, probabilities, strict=True):
        w.names[name] = outcome
        value = w.lower(body)
        parts.append(w.linear.times(value, probability, term))
    w.names = before
    return w.gather("sum", parts, term)
