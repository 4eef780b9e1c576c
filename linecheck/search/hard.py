"""A harder look, when there is neither a failure nor a proof.

Points at and beside every kink, every boundary of a hypothesis and every zero of a divisor; points
near the constants of the line; the places where an inequality is tightest, found by descent and
confirmed exactly; roots of divisors, certified by a change of sign.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise

from linecheck.expand.graph import Node, in_order, kinks, value_of, variables
from linecheck.expand.needs import Need
from linecheck.expand.problem import Problem
from linecheck.language.domains import Finite, ScalarDomain, Span
from linecheck.search.evaluate import DEEP_PRECISIONS, Evaluator
from linecheck.search.floats import FloatEvaluator, as_float
from linecheck.search.refute import Failure, Search
from linecheck.search.roots import root_of_need
from linecheck.search.sample import Point

STYLES = (
    "constant", "far", "groups", "extreme", "scaled", "constant", "medium", "tie", "corner", "far",
    "wide", "near", "constant", "extreme", "scaled", "groups", "medium",
)  # fmt: skip
MOST_POINTS = 70
EQUAL = 1e-15  # so close, in floating point, come sides that are equal at some point
MOST_EVALUATIONS = 120_000  # nodes, in floating point
_LADDER = [0.0, *(s * 10.0**k * m for k in range(-9, 13, 1) for m in (1, 3) for s in (1, -1))]
_OFFSETS = tuple(Fraction(t) for t in ("0", "1e-9", "-1e-9", "1", "-1"))


class HardSearch:
    """The harder search for one problem."""

    def __init__(self, search: Search, open_needs: list[Need]) -> None:
        self.search = search
        self.problem: Problem = search.problem
        self.sampler = search.sampler
        self.open_needs = open_needs
        domains = self.problem.variables
        self.names = [n for n in self.sampler.names if not isinstance(domains[n], Finite)]
        self.budget = MOST_EVALUATIONS
        self.sampler.constants = self.constants()
        self.suspicious = False  # whether it seems that sides are equal that must not be

    def constants(self) -> list[Fraction]:
        """Numbers in the line that might be thresholds."""
        found = {
            value_of(node)
            for node in in_order(self.problem.nodes())
            if node.op == "num" and abs(value_of(node)) not in (0, 1, 2)
        }
        return sorted(abs(value) for value in found)[:20]

    def failure(self) -> Failure | None:
        """A failure, if one is found."""
        return (
            self.search.worst(self.points())
            or self.search.worst(self.tightest(), DEEP_PRECISIONS)
            or root_of_need(self.problem, self.open_needs, self.search, self.sampler)
            or self.search.worst(self.search.good[-3:], DEEP_PRECISIONS)
        )

    def surfaces(self) -> list[Node]:
        """Numbers that may be 0 where the step fails: kinks, conditions, slopes of strict gaps."""
        found = self.critical()
        graph = self.problem.graph
        if self.problem.relation in ("<", ">"):
            for left, right in self.problem.pairs[:2]:
                gap = graph.sub(right, left)
                if kinks([gap]) or len(in_order([gap])) > 120:
                    continue
                found += [graph.derivative(gap, graph.var(name)) for name in self.names[:3]]
        return [node for node in found if len(in_order([node])) <= 200][:10]

    # more points

    def points(self) -> Iterator[Point]:
        """Boundary points, then random ones."""
        yield from self.search.admitted(self.boundaries(), 80, 400)
        random_points = map(self.sampler.point, STYLES * 8)
        yield from self.search.admitted(random_points, MOST_POINTS, 200)

    def critical(self) -> list[Node]:
        """Numbers whose sign matters: at kinks, in conditions, hypotheses and needs."""
        nodes = self.problem.nodes()
        conditions = [part for part in in_order(nodes) if part.op in ("<", "<=", "==")]
        found = self.problem.graph.kink_places([*kinks(nodes), *conditions])
        found += [need.node for need in self.open_needs]
        found += [fact.node for fact in self.problem.facts]
        return list(dict.fromkeys(found))[:14]

    def boundaries(self) -> Iterator[Point]:
        """Points where a critical number is 0, or almost, and points between two such places."""
        bases = self.search.good[:3] or [self.sampler.point("simple")]
        bases = [*bases, self.sampler.point("medium")]
        critical = self.critical()
        inside = {node: set(variables([node])) for node in critical}
        for base in bases[:4]:
            for name in self.names[:6]:
                near = [node for node in critical if name in inside[node]]
                ordered = sorted({root for node in near for root in self.roots(node, name, base)})
                for place in ordered:
                    for offset in _OFFSETS:
                        yield from self.moved(base, name, place + offset)
                for low, high in pairwise(ordered):
                    yield from self.moved(base, name, (low + high) / 2)

    def moved(self, base: Point, name: str, value: Fraction) -> Iterator[Point]:
        domain = self.problem.variables[name]
        if domain.holds(value):
            yield {**base, name: value}

    def roots(self, node: Node, name: str, base: Point) -> list[Fraction]:
        """Values of one variable at which a number is 0: exact if possible, else close."""
        evaluator = Evaluator([node])
        values = [evaluator.at({**base, name: Fraction(x)}, 90)[0] for x in (0, 1, 2, -1)]
        exact = [value for value in values if isinstance(value, Fraction)]
        if len(exact) == 4:
            y0, y1, y2, y3 = exact
            slope = y1 - y0
            if y2 - y1 == slope == y0 - y3:
                return [-y0 / slope] if slope else []
        return self.close_roots(node, name, base)

    def close_roots(self, node: Node, name: str, base: Point) -> list[Fraction]:
        evaluator = FloatEvaluator([node])
        point = {one: as_float(value) for one, value in base.items()}
        self.budget -= evaluator.size * len(_LADDER)
        if self.budget < 0:
            return []

        def at(x: float) -> float:
            return evaluator.at({**point, name: x})[0]

        ladder = sorted(_LADDER)
        found = []
        for a, b in pairwise(ladder):
            fa, fb = at(a), at(b)
            if math.isnan(fa) or math.isnan(fb) or fa * fb >= 0 or math.isinf(fa + fb):
                continue
            for _ in range(60):
                middle = (a + b) / 2
                if at(middle) * fa > 0:
                    a = middle
                else:
                    b = middle
            root = Fraction(a)
            short = root.limit_denominator(1000)
            found.append(short if abs(short - root) <= abs(root) / 10**9 else root)
            if len(found) == 3:
                break
        return found

    # where an inequality is tightest

    def tightest(self) -> Iterator[Point]:
        """Points at which left and right are closest, for inequalities; near-misses of needs."""
        targets: list[Node] = []
        graph = self.problem.graph
        if self.problem.relation in ("<=", "<", ">=", ">"):
            for left, right in self.problem.pairs[:6]:
                if self.problem.relation in (">=", ">"):
                    left, right = right, left
                size = graph.add((graph.call("abs", left), graph.call("abs", right)))
                floor = graph.num(Fraction(1, 10**300))
                gap = graph.sub(right, left)
                targets += [graph.div(gap, graph.add((size, floor))), gap]
        for need in self.open_needs[:3]:
            if need.kind == "nonzero":
                targets.append(graph.pow(need.node, graph.num(2)))
            elif need.kind not in ("one", "exists"):
                targets.append(need.node)
        for target in targets:
            for best in self.descend(target):
                for point in self.rational(best):
                    if self.search.new(point) and self.search.judge.meets(point):
                        self.search.good.append(point)
                        yield point

    def descend(self, target: Node) -> list[dict[str, float]]:
        """Low points of a function, by pattern search from several sample points."""
        if not self.names:
            return []
        facts = [fact.node for fact in self.problem.facts]
        evaluator = FloatEvaluator([target, *facts])
        kinds = [fact.kind for fact in self.problem.facts]
        domains = {name: self.problem.variables[name] for name in self.names}

        def at(point: dict[str, float]) -> float:
            self.budget -= evaluator.size
            value, *rest = evaluator.at(point)
            for kind, fact in zip(kinds, rest, strict=True):
                if not (fact > 0 if kind == ">" else fact >= 0 if kind == ">=" else fact != 0):
                    return math.inf
            return math.inf if math.isnan(value) else value

        starts = []
        for point in self.search.good:
            start = {name: as_float(value) for name, value in point.items()}
            if all(math.isfinite(value) for value in start.values()):
                starts.append((at(start), start))
        starts.sort(key=lambda pair: pair[0])
        found = []
        share = max(self.budget // 8, 4 * evaluator.size)
        for value, start in starts[:5]:
            if self.budget <= 0:
                break
            limit = self.budget - share
            best = self.pattern(at, start, value, domains, limit)
            # Far out and beside 0 much comes close; at 0 exact points have been tried.
            plain = all(one == 0 or 1e-6 < abs(one) < 1e9 for one in best.values())
            strict = self.problem.relation in ("<", ">")
            self.suspicious |= strict and plain and abs(at(best)) < EQUAL
            found.append(best)
        return found

    def pattern(
        self,
        at: Callable[[dict[str, float]], float],
        start: dict[str, float],
        value: float,
        domains: dict[str, ScalarDomain],
        limit: int,
    ) -> dict[str, float]:
        """Steps along each variable, and along all of them, that grow and shrink."""
        point, best = dict(start), value
        step = 0.5
        while step > 1e-9 and self.budget > limit:
            improved = False
            moves: list[list[str]] = [[name] for name in self.names[:10]]
            if len(self.names) > 1:
                moves.append(self.names)
            for names in moves:
                for sign in (1, -1):
                    trial = dict(point)
                    for name in names:
                        scale = abs(point[name]) or 0.1
                        trial[name] = _clamped(point[name] + sign * step * scale, domains[name])
                    found = at(trial)
                    if found < best:
                        point, best, improved = trial, found, True
                        break
            step = min(step * 2, 4.0) if improved else step / 3
        return point

    def rational(self, point: dict[str, float]) -> Iterator[Point]:
        """Exact points near a point in floating point."""
        if not all(math.isfinite(value) for value in point.values()):
            return
        for digits in (12, 1000, 10**6, None):
            exact: Point = {}
            for name, value in point.items():
                fraction = Fraction(value)
                if digits is not None and abs(fraction) < 10**9 and abs(fraction) * digits > 1:
                    fraction = fraction.limit_denominator(digits)
                domain = self.problem.variables[name]
                if isinstance(domain, Span) and domain.integers:
                    fraction = Fraction(round(fraction))
                exact[name] = fraction
            if all(domain.holds(exact[one]) for one, domain in self.problem.variables.items()):
                yield exact


def _clamped(value: float, domain: ScalarDomain) -> float:
    """Inside the domain, by staying a little away from open ends."""
    if isinstance(domain, Span):
        if domain.lower is not None:
            lower = float(domain.lower)
            value = max(value, lower + 1e-300 if domain.lower_open else lower)
        if domain.upper is not None:
            upper = float(domain.upper)
            value = min(value, math.nextafter(upper, -math.inf) if domain.upper_open else upper)
    return value
