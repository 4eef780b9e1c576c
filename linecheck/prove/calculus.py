"""Inequalities by calculus: f >= 0 because f(v0) >= 0, and f falls before v0 and grows after it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from linecheck.algebra import polynomials as poly
from linecheck.algebra.ratios import Generator, Ratio
from linecheck.expand.graph import Node, in_order, kinks, value_of, variables
from linecheck.expand.problem import Fact
from linecheck.language.domains import Span
from linecheck.prove.proof import MOST_BRANCHES, ProofByCases


class Calculus:
    """f >= 0 because f(v0) >= 0 and f falls before v0 and grows after it.

    Sound because the domain of v is an interval on which f is differentiable (no kinks, no roots),
    so the mean value theorem holds on it: (v - v0) f'(v) >= 0 everywhere, or f'' >= 0 everywhere
    and f'(v0) == 0, make f(v0) the smallest value. At a lower end that belongs to the domain,
    or beyond which f goes on, f' >= 0 and f(end) >= 0 do the same. Other variables are fixed.
    """

    def __init__(self, proof: ProofByCases) -> None:
        self.proof = proof
        self.graph = proof.problem.graph

    def proves(self, left: Node, right: Node, strict: bool) -> bool:
        """Whether left <= right (<), looking at one variable at a time."""
        gap = self.graph.sub(right, left)
        parts = in_order([gap])
        curved = any(
            part.op in ("exp", "log", "Phi", "Phi_inv")
            or (part.op == "pow" and not _whole(part.args[1]))
            for part in parts
        )
        if kinks(gap) or len(parts) > 120 or not (curved or len(variables([gap])) <= 2):
            return False
        for name in variables([gap])[:3]:
            domain = self.narrowed(name)
            if domain is None:
                continue
            if self.along(gap, name, domain, strict):
                return True
        return False

    def narrowed(self, name: str) -> Span | None:
        """The interval of a variable, if the hypotheses say nothing else about it."""
        domain = self.proof.problem.variables.get(name)
        if not isinstance(domain, Span) or domain.no_zero:
            return None
        for fact in self.proof.problem.facts:
            if name not in variables([fact.node]):
                continue
            bound = self.bound(fact, name)
            if bound is None:
                return None
            slope, end = bound
            is_open = fact.kind == ">"
            if slope > 0 and (domain.lower is None or end >= domain.lower):
                is_open = is_open or (end == domain.lower and domain.lower_open)
                domain = replace(domain, lower=end, lower_open=is_open)
            if slope < 0 and (domain.upper is None or end <= domain.upper):
                is_open = is_open or (end == domain.upper and domain.upper_open)
                domain = replace(domain, upper=end, upper_open=is_open)
        return domain

    def bound(self, fact: Fact, name: str) -> tuple[Fraction, Fraction] | None:
        """(a, -b/a) of a hypothesis a v + b >= 0 (> 0) with numbers a and b."""
        if fact.kind not in (">", ">="):
            return None
        zero, one, two = (
            self.graph.substitute(fact.node, {self.graph.var(name): self.graph.num(value)})
            for value in (0, 1, 2)
        )
        if not zero.op == one.op == two.op == "num":
            return None
        slope = value_of(one) - value_of(zero)
        if value_of(two) - value_of(one) != slope or not slope or not _linear(fact.node):
            return None
        return slope, -value_of(zero) / slope

    def along(self, gap: Node, name: str, domain: Span, strict: bool) -> bool:
        graph, proof = self.graph, self.proof
        variable = graph.var(name)
        slope = graph.derivative(gap, variable)
        if len(in_order([slope])) > 200 or not self.smooth(gap):
            return False
        bend = graph.derivative(slope, variable)
        convex = self.holds(bend, False)
        for place in self.candidates(slope, name):
            there = {variable: place}
            if not self.inside(place, domain):
                continue
            if not self.holds(graph.substitute(gap, there), strict):
                continue
            if convex and self.vanishes(graph.substitute(slope, there)):
                return True
            away = graph.mul((graph.sub(variable, place), slope))
            if not convex and self.holds(away, False):
                return True
        if domain.lower is None or not (domain.lower_open is False or self.smooth_at(gap)):
            return False
        start = graph.substitute(gap, {variable: graph.num(domain.lower)})
        weak = strict and not domain.lower_open
        return (
            self.holds(slope, strict and domain.lower_open)
            and self.holds(start, weak)
            and proof.branches < MOST_BRANCHES
        )

    def smooth(self, gap: Node) -> bool:
        """Roots of something that may be 0 have no slope there; they are left alone."""
        return not any(
            node.op == "pow"
            and (node.args[1].op != "num" or value_of(node.args[1]).denominator != 1)
            for node in in_order([gap])
        )

    def smooth_at(self, gap: Node) -> bool:
        """Whether the function goes on beyond an open end: nothing in it can fail there."""
        return not any(
            node.op in ("log", "Phi_inv") or (node.op == "pow" and not _whole(node.args[1]))
            for node in in_order([gap])
        )

    def candidates(self, slope: Node, name: str) -> list[Node]:
        """Where the slope may be 0."""
        graph = self.graph
        others = [one for one in variables([slope]) if one != name]
        found = [graph.zero, graph.one, graph.half, *(graph.var(one) for one in others[:2])]
        solved = self.solved(slope, name)
        return ([solved] if solved is not None else []) + found

    def solved(self, slope: Node, name: str) -> Node | None:
        """v from f'(v) == 0, when v or exp, log of it occurs linearly."""
        proof, field = self.proof, self.proof.field
        found: list[Node] = []

        def solve() -> bool:
            top = field.of(slope).top
            everything = poly.indices_in(top)
            top = poly.shift(top, poly.power_monomial(poly.content(top, everything), -1))
            for index in poly.indices_in(top):
                made = field.algebra.generators[index]
                if name not in made.depends or made.kind not in ("var", "exp", "log"):
                    continue
                parts = poly.by_powers(top, index)
                factor, rest = parts.get(1, {}), parts.get(0, {})
                if not parts.keys() <= {0, 1} or name in field.algebra.depends({**factor, **rest}):
                    continue
                if abs(proof.prover.sign(factor) or 0) != 2:
                    continue
                below = field.algebra.inverse(Ratio(factor))
                value = field.algebra.multiply(Ratio(poly.scale(rest, -1)), below)
                node = self.unwrapped(made, field.algebra.node_of(value), name)
                if node is not None:
                    found.append(node)
                    return True
            return False

        proof.by_cases(solve)
        return found[0] if found else None

    def unwrapped(self, made: Generator, value: Node, name: str) -> Node | None:
        if made.kind == "var":
            return value
        inside = made.inside
        if inside is None or inside.below or len(inside.top) != 1:
            return None
        ((monomial, coefficient),) = inside.top.items()
        index = self.proof.field.algebra.indices.get(("var", name))
        if monomial != ((index, 1),):
            return None
        undone = self.graph.call("log" if made.kind == "exp" else "exp", value)
        return self.graph.div(undone, self.graph.num(Fraction(coefficient)))

    def inside(self, place: Node, domain: Span) -> bool:
        """Whether the place lies in the domain."""
        graph = self.graph
        bounds = []
        if domain.lower is not None:
            bounds.append((graph.sub(place, graph.num(domain.lower)), domain.lower_open))
        if domain.upper is not None:
            bounds.append((graph.sub(graph.num(domain.upper), place), domain.upper_open))
        if any(not self.holds(node, strict) for node, strict in bounds):
            return False
        return all(self.holds(node.args[0], True) for node in in_order([place]) if node.op == "log")

    def holds(self, node: Node, strict: bool) -> bool:
        proof = self.proof
        return proof.by_cases(lambda: proof.at_least_zero(proof.field.of(node), strict))

    def vanishes(self, node: Node) -> bool:
        proof = self.proof
        return proof.by_cases(lambda: proof.is_zero(proof.field.of(node)))


def _linear(node: Node) -> bool:
    """Sums and products only, so that two differences show whether it is linear in a variable."""
    parts = in_order([node])
    return (
        all(part.op in ("num", "var", "add", "mul") for part in parts)
        and sum(part.op == "var" for part in parts) == 1
        and not any(sum(arg.op != "num" for arg in p.args) > 1 for p in parts if p.op == "mul")
    )


def _whole(exponent: Node) -> bool:
    return exponent.op == "num" and value_of(exponent).denominator == 1 and value_of(exponent) > 0
