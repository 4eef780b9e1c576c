"""Normal forms of the kernel, written as graphs again."""

from __future__ import annotations

from fractions import Fraction

from linecheck.expand.graph import Graph, Node
from linecheck.kernel.facts import NEG
from linecheck.kernel.normal import Normal, Ratio


class NoNodeError(Exception):
    """A value that cannot be written as a graph."""


def node_of(graph: Graph, context: Normal, value: Ratio) -> Node:
    """A quotient as a graph."""
    terms = []
    for monomial, coefficient in value.top.items():
        parts = [graph.pow(node_of_atom(graph, context, i), graph.num(e)) for i, e in monomial]
        terms.append(graph.mul([graph.num(coefficient), *parts]))
    factors = [graph.add(terms)]
    for key, exponent in value.below.items():
        below = node_of(graph, context, Ratio(dict(key)))
        factors.append(graph.pow(below, graph.num(-exponent)))
    return graph.mul(factors)


def node_of_atom(graph: Graph, context: Normal, index: int) -> Node:
    atom = context.table.atoms[index]
    if atom.kind in ("var", "pi"):
        return graph.var(str(atom.data)) if atom.kind == "var" else graph.node("pi")
    if atom.kind == "prime":
        return graph.num(atom.data)
    if atom.kind in ("opaque", "side"):
        raise NoNodeError
    inside = Ratio(dict(atom.args[0][0]), dict(atom.args[0][1]))
    node = node_of(graph, context, inside)
    if atom.kind in ("log", "root") and context.sign_of(inside) & NEG:
        node = graph.call("abs", node)
    if atom.kind == "root":
        return graph.pow(node, graph.num(Fraction(1, atom.data)))
    if atom.kind == "inv":
        return graph.pow(node, graph.minus_one)
    if atom.kind == "pos":
        return graph.indicator(graph.compare(">", node, graph.zero))
    return graph.call(atom.kind, node)
