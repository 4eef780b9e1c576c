"""Ties that intervals cannot see: a == b exactly, although a < b is claimed, or a divisor is 0.

At rational points exact algebra decides. Ties at irrational places (log a = a/e at a = e) are met
by supposing that a slope, a kink or a condition is exactly 0 and solving for a variable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace as changed
from fractions import Fraction

from linecheck.expand.graph import Node, variables
from linecheck.expand.needs import Need, met
from linecheck.expand.problem import Fact, Problem
from linecheck.kernel.facts import ANY, NEG, POS, ZERO, RuleError, Table
from linecheck.kernel.normal import Ratio
from linecheck.kernel.polynomials import Work
from linecheck.kernel.rules import Context
from linecheck.language.domains import Span
from linecheck.language.terms import TooBigError
from linecheck.prove.guess import Guess, number
from linecheck.prove.solve import has_equations, without_equations
from linecheck.search.evaluate import Found
from linecheck.search.hard import HardSearch
from linecheck.search.refute import Failure, Search
from linecheck.search.roots import undefined_at
from linecheck.search.sample import Point

WORK = 20_000
POINTS = 6
ROUNDS = 4  # a sign may make a number simpler, which shows another sign


def tie_at_points(
    problem: Problem, points: Sequence[Point], open_needs: Sequence[Need]
) -> Failure | None:
    """A failure that exact algebra shows at one of the points."""
    for point in points:
        exact = _Exact(problem, point)
        for need in open_needs:
            if exact.met(need) is False:
                return undefined_at(problem, need, point)
        if not all(exact.met(need) for side in problem.needs for need in side):
            continue
        for entry, (left, right) in enumerate(problem.pairs[:6]):
            if problem.relation in ("iff", "implies"):
                first, second = exact.truth(left), exact.truth(right)
                if first is None or second is None:
                    continue
                if first != second and (problem.relation == "iff" or first):
                    return Failure("REFUTED", point, entry, first, second)
            elif exact.relation(left, right) is False:
                near = Search(problem).judge.values(point)[entry]
                exactly = [exact.number(side) for side in (left, right)]
                shown = [b if a is None else a for a, b in zip(exactly, near, strict=True)]
                return Failure("REFUTED", point, entry, shown[0], shown[1])
    return None


def tie_on_surfaces(problem: Problem, hard: HardSearch) -> tuple[Problem, Failure] | None:
    """A failure at a point where one of the numbers is exactly 0."""
    for node in hard.surfaces():
        supposed = changed(problem, facts=[*problem.facts, Fact("==", node)])
        try:
            solved = without_equations(supposed)
        except TooBigError:
            continue
        for one in solved:
            if has_equations(one):
                continue
            search = Search(one)
            failure = search.quick(POINTS) or tie_at_points(one, search.good[:3], ())
            if failure is not None:
                return one, failure
    return None


class _Exact:
    """Exact answers about numbers once the variables have rational values."""

    def __init__(self, problem: Problem, point: Point) -> None:
        self.graph, self.problem = problem.graph, problem
        self.values = {self.graph.var(name): self.graph.num(v) for name, v in point.items()}
        self.context = Context(Table(Guess(), problem.graph), {}, Work(WORK))

    def value(self, ratio: Callable[[], Ratio]) -> Ratio | None:
        """A number in normal form, once the signs that it depends on are known."""
        context = self.context
        try:
            found = ratio()
            for _ in range(ROUNDS):
                wanted = [*context.wanted.values(), found.top]
                before = len(context.known)
                for one in wanted:
                    number(context, one)
                if len(context.known) == before:
                    break
                context.forget()
                found = ratio()
        except (RuleError, TooBigError):
            return None
        return found if context.is_settled(found) else None

    def of(self, node: Node) -> Ratio | None:
        at = self.graph.substitute(node, self.values)
        return self.value(lambda: self.context.of(at))

    def sign(self, node: Node) -> int | None:
        """-1, 0, 1, or None."""
        found = self.of(node)
        signs = ANY if found is None else self.context.sign_of(found)
        return {NEG: -1, ZERO: 0, POS: 1}.get(signs)

    def met(self, need: Need) -> bool | None:
        """Whether a need is met; None when that is not known."""
        if need.kind == "exists":
            return None if self.number(need.node) is None else True
        if need.kind == "one":
            return self.sign(self.graph.sub(need.node, self.graph.one)) == 0 or None
        sign = self.sign(need.node)
        exponent = self.sign(need.exponent) if need.exponent else None
        whole = exponent in (0, 1) and self.is_whole(need.exponent)  # then 0**0 is 1
        if need.kind == "power" and sign == -1 and not whole:
            return None
        signs = [None if one is None else 2 * one for one in (sign, exponent)]
        return met(need.kind, signs[0], signs[1], whole)

    def is_whole(self, node: Node | None) -> bool:
        """Whether a number is an integer by the kind of its variables, and not by chance."""
        names = variables([node] if node else [])
        domains = [self.problem.variables[name] for name in names]
        return all(isinstance(one, Span) and one.integers for one in domains)

    def number(self, node: Node) -> Found:
        """The value, if it is rational."""
        return self.rational(self.of(node))

    def rational(self, found: Ratio | None) -> Fraction | None:
        if found is None or found.below or found.top.keys() - {()}:
            return None
        return Fraction(found.top.get((), 0))

    def truth(self, condition: Node) -> bool | None:
        """Whether a condition holds."""
        at = self.graph.substitute(condition, self.values)
        context = self.context
        found = self.rational(self.value(lambda: context.truth(at, context.positive)))
        return None if found is None else found == 1

    def relation(self, left: Node, right: Node) -> bool | None:
        """Whether the claim is true at the point."""
        sign = self.sign(self.graph.sub(right, left))
        if sign is None:
            return None
        return {
            "==": sign == 0, "!=": sign != 0, "<": sign > 0, "<=": sign >= 0,
            ">": sign < 0, ">=": sign <= 0,
        }[self.problem.relation]  # fmt: skip
