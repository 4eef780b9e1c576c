"""Divisors that vanish between sample points: certified by a change of sign."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from linecheck.expand.graph import Node, in_order
from linecheck.expand.needs import Need
from linecheck.expand.problem import Problem
from linecheck.language.domains import Span
from linecheck.search import interval as iv
from linecheck.search.evaluate import Evaluator
from linecheck.search.interval import Interval, Number
from linecheck.search.refute import Failure, Search, holds, undefined_on
from linecheck.search.sample import Point, Sampler

MOST_PAIRS = 6
Box = dict[str, Number]


def root_of_need(
    problem: Problem, open_needs: list[Need], search: Search, sampler: Sampler
) -> Failure | None:
    """A point at which a divisor is 0."""
    extra = [sampler.point(style) for style in ("medium", "wide", "simple") * 6]
    points = [*search.good[:30], *extra]
    for need in open_needs:
        if need.kind != "nonzero" or _jumps(need.node):
            continue
        box = _sign_change(problem, need.node, points, search)
        if box is not None:
            middle = {name: iv.middle(value) for name, value in box.items()}
            return replace(undefined_at(problem, need, middle), near=box)
    return None


def undefined_at(problem: Problem, need: Need, point: Point) -> Failure:
    """The failure that a need is not met at a point."""
    sides = {side for side in (0, 1) if need.node in [one.node for one in problem.needs[side]]}
    return undefined_on(sides, point, need)


def _jumps(node: Node) -> bool:
    return any(part.op in ("sign", "if", "side", "sideif") for part in in_order([node]))


def _sign_change(problem: Problem, node: Node, points: list[Point], search: Search) -> Box | None:
    evaluator = Evaluator([node])
    signs: dict[int, list[Point]] = {1: [], -1: []}
    for point in points:
        (value,) = evaluator.at(point, 120)
        if isinstance(value, Fraction | Interval):
            sign = iv.compare(value, Fraction(0))
            if sign:
                signs[sign].append(point)
    for above in signs[1][:MOST_PAIRS]:
        for below in signs[-1][:MOST_PAIRS]:
            found = _bisect(problem, evaluator, above, below, search)
            if found is not None:
                return found
    return None


def _bisect(
    problem: Problem, evaluator: Evaluator, above: Point, below: Point, search: Search
) -> Box | None:
    """Where the number is 0 between two points: a very small box around the place.

    In the box the number is continuous (it can be evaluated with the whole box as argument) and the
    hypotheses hold, so the zero is a point of the domain.
    """
    for name in above:
        domain = problem.variables[name]
        connected = isinstance(domain, Span) and not (domain.integers or domain.no_zero)
        if above[name] != below[name] and not connected:
            return None
    low, high = Fraction(0), Fraction(1)  # 0: above, 1: below
    for _ in range(70):
        middle = (low + high) / 2
        (value,) = evaluator.at(_between(above, below, middle), 200)
        if not isinstance(value, Fraction | Interval):
            return None
        sign = iv.compare(value, Fraction(0))
        if sign == 0:
            exact = _between(above, below, middle)
            return {**exact} if search.judge.meets(exact) else None
        if sign is None:
            return None
        low, high = (middle, high) if sign > 0 else (low, middle)
    ends = _between(above, below, low), _between(above, below, high)
    box: Box = {}
    for name in above:
        a, b = sorted((ends[0][name], ends[1][name]))
        box[name] = a if a == b else Interval(iv.enclose(a, 200).low, iv.enclose(b, 200).high)
    (whole,) = evaluator.at(box, 200)
    if not isinstance(whole, Fraction | Interval):
        return None
    facts = Evaluator([fact.node for fact in problem.facts]).at(box, 200)
    found = zip(problem.facts, facts, strict=True)
    return box if all(holds(fact.kind, value) for fact, value in found) else None


def _between(a: Point, b: Point, part: Fraction) -> Point:
    return {name: a[name] + (b[name] - a[name]) * part for name in a}
