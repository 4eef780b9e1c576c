"""Hypotheses that are equations: some variable is expressed by the others, exactly.

Then every sample point meets the equation, and the proof need not know of it any more.
"""

from __future__ import annotations

from dataclasses import replace as changed

from linecheck.algebra import polynomials as poly
from linecheck.algebra.normal_form import Field
from linecheck.algebra.polynomials import Polynomial
from linecheck.algebra.ratios import NoNormalFormError, Ratio, SplitError
from linecheck.expand.graph import Node
from linecheck.expand.needs import Need
from linecheck.expand.problem import Fact, Problem
from linecheck.expand.values import Array, Value
from linecheck.language.domains import Span
from linecheck.language.terms import TooBigError
from linecheck.prove.knowledge import MIRROR, ImpossibleError, Knowledge

MOST_ROUNDS = 12
MOST_BRANCHES = 8


def without_equations(problem: Problem) -> list[Problem]:
    """Problems that together say the same, with as few equations among the facts as possible."""
    waiting = [(problem, 0)]
    done: list[Problem] = []
    while waiting:
        current, rounds = waiting.pop()
        found = None
        if rounds < MOST_ROUNDS and len(done) + len(waiting) < MOST_BRANCHES:
            found = _one_round(current)
        if found is None:
            done.append(current)
        else:
            waiting += [(one, rounds + 1) for one in found]
    return done


def _one_round(problem: Problem) -> list[Problem] | None:
    """The problem after one equation has been used, or None."""
    for position, fact in enumerate(problem.facts):
        if fact.kind != "==":
            continue
        rest = [other for k, other in enumerate(problem.facts) if k != position]
        try:
            found = _Use(problem, rest).equation(fact.node)
        except (SplitError, NoNormalFormError, TooBigError, ImpossibleError):
            continue
        if found is not None:
            return found
    return None


class _Use:
    def __init__(self, problem: Problem, rest: list[Fact]) -> None:
        self.problem = problem
        self.rest = rest
        self.knowledge = Knowledge(changed(problem, facts=[f for f in rest if f.kind != "=="]), [])
        self.knowledge.suppose(())
        self.field: Field = self.knowledge.field

    def equation(self, node: Node) -> list[Problem] | None:
        top = self.field.of(node).top
        everything = poly.indices_in(top)
        below = tuple((i, e) for i, e in poly.content(top, everything) if e < 0)
        top = poly.shift(top, poly.power_monomial(below, -1))
        if not top:
            return [changed(self.problem, facts=self.rest)]
        linear = self.knowledge.solve(top)
        if linear is not None:
            name, value = linear
            if name.startswith(MIRROR):  # it stands for -x, as x <= 0 is supposed
                name, value = name.removeprefix(MIRROR), self.field.algebra.negative(value)
            return [self.replaced(name, self.node(value), [])]
        factors = self.factors(top)
        if len(factors) > 1:
            return [changed(self.problem, facts=[*self.rest, Fact("==", one)]) for one in factors]
        peeled = self.peel(top)
        if peeled is not None:
            return [changed(self.problem, facts=[*self.rest, *peeled])]
        return self.quadratic(top)

    def node(self, value: Ratio | Polynomial) -> Node:
        """A value as a graph of the problem's own variables."""
        graph = self.problem.graph
        ratio = value if isinstance(value, Ratio) else Ratio(value)
        turned = {
            graph.var(MIRROR + name): graph.neg(graph.var(name)) for name in self.problem.variables
        }
        return graph.substitute(self.field.algebra.node_of(ratio), turned)

    def factors(self, top: Polynomial) -> list[Node]:
        """One of these is 0 when the product is: what stands in every term may be 0 itself."""
        algebra = self.field.algebra
        common = poly.content(top, poly.indices_in(top))
        open_ = [i for i, _ in common if abs(algebra.monomial_sign(((i, 1),)) or 0) != 2]
        rest = poly.shift(top, poly.power_monomial(common, -1))
        nodes = [self.node(poly.generator(index)) for index in open_]
        return nodes if rest.keys() == {()} else [*nodes, self.node(rest)]

    def replaced(self, name: str, value: Node, more: list[Fact]) -> Problem:
        """The variable replaced everywhere; its domain becomes a fact about the value."""
        problem, graph = self.problem, self.problem.graph
        values = {graph.var(name): value}

        def new(node: Node) -> Node:
            return graph.substitute(node, values)

        def shown(one: Value) -> Value:
            if isinstance(one, Array):
                return Array(tuple(new(entry) for entry in one.entries), one.shape, one.row)
            return new(one)

        def need(one: Need) -> Need:
            exponent = new(one.exponent) if one.exponent else None
            return Need(one.kind, new(one.node), one.told, exponent)

        domain = problem.variables[name]
        facts = [Fact(fact.kind, new(fact.node)) for fact in [*self.rest, *more]]
        if isinstance(domain, Span):
            if domain.lower is not None:
                kind = ">" if domain.lower_open else ">="
                facts.append(Fact(kind, graph.sub(value, graph.num(domain.lower))))
            if domain.upper is not None:
                kind = ">" if domain.upper_open else ">="
                facts.append(Fact(kind, graph.sub(graph.num(domain.upper), value)))
        simplices = []
        for names in problem.simplices:
            if name not in names:
                simplices.append(names)
        return changed(
            problem,
            variables={one: d for one, d in problem.variables.items() if one != name},
            simplices=simplices,
            pairs=[(new(a), new(b)) for a, b in problem.pairs],
            needs=([need(n) for n in problem.needs[0]], [need(n) for n in problem.needs[1]]),
            facts=facts,
            shown={one: shown(v) for one, v in problem.shown.items()},
        )

    def peel(self, top: Polynomial) -> list[Fact] | None:
        """From a + b exp(u) == 0: u == log(-a/b), and the same for log, roots and Phi."""
        field, graph = self.field, self.problem.graph
        algebra = field.algebra
        for index in poly.indices_in(top):
            made = algebra.generators[index]
            if made.kind not in ("exp", "log", "root", "Phi") or made.inside is None:
                continue
            if not made.depends:
                continue
            parts = poly.by_powers(top, index)
            others = {i for monomial in top for i, _ in monomial if i != index}
            shared = any(made.depends & algebra.generators[i].depends for i in others)
            if shared and made.kind != "root":
                continue
            if parts.keys() not in ({0, 1}, {0, -1}):
                continue
            rest = parts.pop(0)
            ((power, slope),) = parts.items()
            sign = self.knowledge.prover.sign(slope)
            if sign is None or abs(sign) != 2:
                continue
            value = algebra.multiply(Ratio(poly.scale(rest, -1)), algebra.inverse(Ratio(slope)))
            if power == -1:
                value = algebra.inverse(value)
            node, inside = self.node(value), self.node(made.inside)
            if made.kind == "exp":
                return [Fact("==", graph.sub(inside, graph.call("log", node))), Fact(">", node)]
            if made.kind == "log":
                if self.knowledge.prover.sign(made.inside.top) != 2:
                    continue
                return [Fact("==", graph.sub(inside, graph.call("exp", node)))]
            if made.kind == "root":
                raised = graph.pow(node, graph.num(made.degree))
                return [Fact("==", graph.sub(inside, raised)), Fact(">=", node)]
            between = [Fact(">", node), Fact(">", graph.sub(graph.one, node))]
            return [Fact("==", graph.sub(inside, graph.call("Phi_inv", node))), *between]
        return None

    def quadratic(self, top: Polynomial) -> list[Problem] | None:
        """v = (-b +- sqrt(b**2 - 4 a c)) / (2 a)."""
        field, graph = self.field, self.problem.graph
        algebra = field.algebra
        for index in reversed(poly.indices_in(top)):
            made = algebra.generators[index]
            name = str(made.key)
            domain = self.problem.variables.get(name)
            if made.kind != "var" or not isinstance(domain, Span) or domain.integers:
                continue
            parts = poly.by_powers(top, index)
            others: Polynomial = {monomial: 1 for part in parts.values() for monomial in part}
            if not {2} <= parts.keys() <= {0, 1, 2} or name in algebra.depends(others):
                continue
            sign = self.knowledge.prover.sign(parts[2])
            if sign is None or abs(sign) != 2:
                continue
            c, b, a = (self.node(parts.get(k, {})) for k in (0, 1, 2))
            under = graph.sub(graph.pow(b, graph.num(2)), graph.mul((graph.num(4), a, c)))
            root = graph.pow(under, graph.half)
            below = graph.pow(graph.mul((graph.num(2), a)), graph.minus_one)
            found = []
            for side in (graph.one, graph.minus_one):
                value = graph.mul((graph.add((graph.neg(b), graph.mul((side, root)))), below))
                found.append(self.replaced(name, value, [Fact(">=", under)]))
            return found
        return None


def has_equations(problem: Problem) -> bool:
    """Whether some hypothesis is still an equation."""
    return any(fact.kind == "==" for fact in problem.facts)
