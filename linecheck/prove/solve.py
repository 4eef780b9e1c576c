"""Hypotheses that are equations: some variable is expressed by the others, exactly.

Then every sample point meets the equation, and the proof need not know of it any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace as changed

from linecheck.expand.graph import Node
from linecheck.expand.needs import Need
from linecheck.expand.problem import Fact, Problem, domain_facts
from linecheck.expand.values import Array, Value
from linecheck.kernel import polynomials as poly
from linecheck.kernel.facts import NEG, POS, ZERO, Table
from linecheck.kernel.normal import Ratio
from linecheck.kernel.polynomials import Poly, Work
from linecheck.kernel.rules import Context
from linecheck.language.domains import Finite, Span
from linecheck.language.terms import TooBigError
from linecheck.prove.guess import Guess, number
from linecheck.prove.nodes import NoNodeError, node_of

MOST_ROUNDS = 12
MOST_BRANCHES = 8
MOST_WORK = 60_000


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
        except (NoNodeError, TooBigError):
            continue
        if found is not None:
            return found
    return None


def linear(context: Context, zero: Poly) -> Iterator[tuple[int, Poly, Poly]]:
    """Variables that stand there once, with their factor and the rest."""
    table = context.table
    for index in poly.atoms_in(zero):
        parts = poly.by_powers(zero, index)
        others = poly.atoms_in(*parts.values())
        once = not any(str(table.atoms[index].data) in table.depends[other] for other in others)
        if table.atoms[index].kind == "var" and parts.keys() <= {0, 1} and once:
            yield index, parts[1], parts.get(0, {})


class _Use:
    """One equation, under the other hypotheses."""

    def __init__(self, problem: Problem, rest: list[Fact]) -> None:
        self.problem, self.rest, self.graph = problem, rest, problem.graph
        self.context = Context(Table(Guess(), problem.graph), problem.variables, Work(MOST_WORK))
        self.context.begin(changed(problem, facts=[f for f in rest if f.kind != "=="]))
        for fact in list(self.context.known.values()):
            if not fact.signs & ZERO:
                self.context.inverse(Ratio(fact.poly))  # none of its factors is 0

    def equation(self, node: Node) -> list[Problem] | None:
        top = self.context.of(node).top
        if not top:
            return [changed(self.problem, facts=self.rest)]
        linear = self.linear(top)
        if linear is not None:
            return [self.replaced(linear[0], self.node(linear[1]), [])]
        _, parts = self.context.factors(Ratio(top))
        if not parts:
            return None  # a number that is not 0: nothing meets the hypotheses
        if len(parts) > 1 or parts[0][1] != 1:
            open_ = [self.node(Ratio(one)) for one, _ in parts if not self.is_sure(one)]
            facts = [[*self.rest, Fact("==", one)] for one in open_]
            return [changed(self.problem, facts=one) for one in facts] or None
        peeled = self.peel(top)
        if peeled is not None:
            return [changed(self.problem, facts=[*self.rest, *peeled])]
        return self.quadratic(top)

    def is_sure(self, a: Poly) -> bool:
        """Whether a polynomial is not 0, without much ado."""
        context = self.context
        if not any(context.table.depends[index] for index in poly.atoms_in(a)):
            number(context, a)
        return not context.signs(a) & ZERO

    def over(self, rest: Poly, slope: Poly) -> Ratio:
        """-rest/slope."""
        inverse = self.context.inverse(Ratio(slope))
        return self.context.multiply(Ratio(poly.scale(rest, -1)), inverse)

    def linear(self, top: Poly) -> tuple[str, Ratio] | None:
        """A variable that occurs linearly, with a factor that is not 0, and its value."""
        best: tuple[int, str, Ratio] | None = None
        for index, slope, rest in linear(self.context, top):
            name = str(self.context.table.atoms[index].data)
            domain = self.problem.variables.get(name)
            if isinstance(domain, Finite) or not self.is_sure(slope):
                continue
            value = self.over(rest, slope)
            if isinstance(domain, Span) and domain.integers and not self.is_whole(value):
                continue  # k == 2*n may replace k, but not n: k/2 need not be an integer
            cost = len(slope) * 10 + len(rest) + (0 if domain == Span() else 5)
            if best is None or cost < best[0]:
                best = cost, name, value
        return None if best is None else best[1:]

    def occurs(self, name: str, *polys: Poly) -> bool:
        return any(name in self.context.table.depends[i] for i in poly.atoms_in(*polys))

    def is_whole(self, value: Ratio) -> bool:
        """Whether a value is an integer because it is made of integers."""
        atoms = self.context.table.atoms
        for index in poly.atoms_in(value.top):
            domain = self.problem.variables.get(str(atoms[index].data))
            if not isinstance(domain, Span) or not domain.integers:
                return False
        return not value.below and all(isinstance(c, int) for c in value.top.values())

    def node(self, value: Ratio) -> Node:
        return node_of(self.graph, self.context, value)

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

        said = domain_facts(graph, name, problem.variables[name])
        facts = [Fact(fact.kind, new(fact.node)) for fact in [*self.rest, *more, *said]]
        return changed(
            problem,
            variables={one: d for one, d in problem.variables.items() if one != name},
            simplices=[names for names in problem.simplices if name not in names],
            pairs=[(new(a), new(b)) for a, b in problem.pairs],
            needs=([need(n) for n in problem.needs[0]], [need(n) for n in problem.needs[1]]),
            facts=facts,
            shown={one: shown(v) for one, v in problem.shown.items()},
        )

    def peel(self, top: Poly) -> list[Fact] | None:
        """From a + b exp(u)**k == 0: u == log(-a/b)/k; and the same for log, roots and Phi."""
        context, graph = self.context, self.graph
        for index in poly.atoms_in(top):
            kind, names = context.table.atoms[index].kind, context.table.depends[index]
            parts = poly.by_powers(top, index)
            if kind not in ("exp", "log", "root", "Phi") or not names or len(parts) != 2:
                continue
            shared = any(self.occurs(name, *parts.values()) for name in names)
            rest, power = parts.pop(0, {}), max(parts)
            if not rest or (shared and kind != "root") or (kind != "exp" and power != 1):
                continue
            if not self.is_sure(parts[power]):
                continue
            value = self.node(self.over(rest, parts[power]))
            inside = context.ratio(context.table.atoms[index].args[0])
            u, signs = self.node(inside), context.sign_of(inside)
            if kind == "exp":
                log = graph.div(graph.call("log", value), graph.num(power))
                return [Fact("==", graph.sub(u, log)), Fact(">", value)]
            if kind == "log" and signs == POS:
                return [Fact("==", graph.sub(u, graph.call("exp", value)))]
            if kind == "root" and not signs & NEG:
                degree = graph.num(context.table.atoms[index].data)
                return [Fact("==", graph.sub(u, graph.pow(value, degree))), Fact(">=", value)]
            if kind == "Phi":
                between = [Fact(">", value), Fact(">", graph.sub(graph.one, value))]
                return [Fact("==", graph.sub(u, graph.call("Phi_inv", value))), *between]
        return None

    def quadratic(self, top: Poly) -> list[Problem] | None:
        """v = (-b +- sqrt(b**2 - 4 a c)) / (2 a)."""
        graph, table = self.graph, self.context.table
        for index in reversed(poly.atoms_in(top)):
            name = str(table.atoms[index].data)
            domain = self.problem.variables.get(name)
            if table.atoms[index].kind != "var" or not isinstance(domain, Span) or domain.integers:
                continue
            parts = poly.by_powers(top, index)
            if not {2} <= parts.keys() <= {0, 1, 2} or self.occurs(name, *parts.values()):
                continue
            if not self.is_sure(parts[2]):
                continue
            c, b, a = (self.node(Ratio(parts.get(k, {}))) for k in (0, 1, 2))
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
