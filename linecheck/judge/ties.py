"""Ties that intervals cannot see: a == b exactly, although a < b is claimed, or a divisor is 0.

At rational points exact algebra decides. Ties at irrational places (log a = a/e at a = e) are met
by supposing that a slope, a kink or a condition is exactly 0 and solving for a variable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as changed
from fractions import Fraction

from linecheck.algebra.ratios import NoNormalFormError, SideError, SplitError
from linecheck.expand.graph import Node, variables
from linecheck.expand.needs import Need, met
from linecheck.expand.problem import Fact, Problem
from linecheck.language.domains import Span
from linecheck.language.terms import TooBigError
from linecheck.prove.knowledge import ImpossibleError, Knowledge
from linecheck.prove.solve import has_equations, without_equations
from linecheck.search.evaluate import Found
from linecheck.search.hard import HardSearch
from linecheck.search.refute import Failure, Search
from linecheck.search.roots import undefined_at
from linecheck.search.sample import Point

WORK = 20_000
POINTS = 6
_FAILURES = (SplitError, SideError, NoNormalFormError, TooBigError, ImpossibleError)


def tie_at_points(
    problem: Problem, points: Sequence[Point], open_needs: Sequence[Need]
) -> Failure | None:
    """A failure that exact algebra shows at one of the points."""
    for point in points:
        exact = _Exact(problem, point)
        for need in open_needs:
            sign = exact.sign(need.node)
            exponent = exact.sign(need.exponent) if need.exponent else None
            if exponent == 0 and exact.is_whole(need.exponent):
                continue  # 0**0 is 1
            if sign == 0 and met(need.kind, 0, 2 * exponent if exponent else exponent) is False:
                return undefined_at(problem, need, point)
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
        except _FAILURES:
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
        self.graph = problem.graph
        self.claim = problem.relation
        self.domains = problem.variables
        self.values = {self.graph.var(name): self.graph.num(v) for name, v in point.items()}
        bare = changed(problem, facts=[], variables={})
        self.knowledge = Knowledge(bare, [], WORK)
        self.knowledge.suppose(())

    def sign(self, node: Node) -> int | None:
        """-1, 0, 1, or None."""
        try:
            ratio = self.knowledge.field.of(self.graph.substitute(node, self.values))
            return self.knowledge.field.signs.strict_sign(ratio)
        except _FAILURES:
            return None

    def is_whole(self, node: Node | None) -> bool:
        """Whether a number is an integer by the kind of its variables, and not by chance."""
        domains = [self.domains[name] for name in variables([node] if node else [])]
        return all(isinstance(one, Span) and one.integers for one in domains)

    def number(self, node: Node) -> Found:
        """The value, if it is rational."""
        try:
            top = self.knowledge.field.of(self.graph.substitute(node, self.values))
        except _FAILURES:
            return None
        if top.below or top.top.keys() - {()}:
            return None
        return Fraction(top.top.get((), 0))

    def truth(self, condition: Node) -> bool | None:
        """Whether a condition holds."""
        try:
            return self.knowledge.field.truth(self.graph.substitute(condition, self.values))
        except _FAILURES:
            return None

    def relation(self, left: Node, right: Node) -> bool | None:
        """Whether the claim is true at the point."""
        sign = self.sign(self.graph.sub(right, left))
        if sign is None:
            return None
        return {
            "==": sign == 0, "!=": sign != 0, "<": sign > 0, "<=": sign >= 0,
            ">": sign < 0, ">=": sign <= 0,
        }[self.claim]  # fmt: skip
