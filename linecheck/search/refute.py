"""Looking for a point where the step fails, and judging the points found."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from linecheck.expand.graph import Node
from linecheck.expand.needs import Need, met
from linecheck.expand.problem import Problem
from linecheck.language.domains import Span
from linecheck.search import interval as iv
from linecheck.search.evaluate import PRECISIONS, UNDEFINED, Evaluator, Found, Undefined
from linecheck.search.interval import Interval, Number
from linecheck.search.sample import STYLES, Point, Sampler, point_complexity

CAREFUL = 4  # points of the first look that get the second precision too


@dataclass(frozen=True)
class Failure:
    """A point where the step is false ("REFUTED") or a side is undefined ("DOMAIN")."""

    kind: str
    point: Point
    entry: int  # which pair of entries
    left: Found
    right: Found
    reason: str = ""
    near: Mapping[str, Number] | None = None  # a small box around it, when it is irrational


class Judge:
    """Judges one problem at given points."""

    def __init__(self, problem: Problem, settled: Iterable[Node] = ()) -> None:
        self.problem = problem
        self.facts = Evaluator([fact.node for fact in problem.facts])
        done = set(settled)
        needs = ((side, need) for side in (0, 1) for need in problem.needs[side])
        self.needs = [(side, need) for side, need in needs if need.node not in done]
        nodes = [need.node for _, need in self.needs]
        nodes += [need.exponent or need.node for _, need in self.needs]
        nodes += [side for pair in problem.pairs for side in pair]
        self.all = Evaluator(nodes)
        self.compared = 0

    def meets(self, point: Point) -> bool:
        """Whether all hypotheses surely hold."""
        for precision in PRECISIONS if self.problem.facts else ():
            found = zip(self.problem.facts, self.facts.at(point, precision), strict=True)
            answers = [holds(fact.kind, value) for fact, value in found]
            if all(answers) or False in answers:
                return all(answers)
        return not self.problem.facts

    def judge(self, point: Point, precisions: Sequence[int] = PRECISIONS) -> Failure | None:
        """A failure at the point, or None. Counts the points at which both sides were compared."""
        for precision in precisions:
            found = self.all.at(point, precision)
            count = len(self.needs)
            undefined, unknown = self.undefined(found[:count], found[count : 2 * count], point)
            if undefined is not None:
                return undefined
            if unknown:
                continue
            sides = found[2 * count :]
            failure, decided = self.compare(sides, point)
            known = all(side is not None for side in sides)
            if failure is not None or decided or (known and precision == precisions[-1]):
                self.compared += 1
                return failure
        return None

    def undefined(
        self, found: list[Found], exponents: list[Found], point: Point
    ) -> tuple[Failure | None, bool]:
        each = zip(self.needs, found, exponents, strict=True)
        fine = [need_holds(need.kind, value, exponent) for (_, need), value, exponent in each]
        broken = [one for one, met in zip(self.needs, fine, strict=True) if met is False]
        if not broken:
            return None, None in fine
        return undefined_on({side for side, _ in broken}, point, broken[0][1]), False

    def compare(self, values: list[Found], point: Point) -> tuple[Failure | None, bool]:
        """(failure, whether every entry was decided)."""
        decided = True
        for entry in range(len(self.problem.pairs)):
            left, right = values[2 * entry], values[2 * entry + 1]
            if isinstance(left, Undefined) or isinstance(right, Undefined):
                reason = "the derivative does not exist there"
                return Failure("DOMAIN", point, entry, left, right, reason), True
            true = relation_holds(self.problem.relation, left, right)
            if true is False:
                return Failure("REFUTED", point, entry, left, right), True
            decided = decided and true is True
        return None, decided

    def values(self, point: Point, precision: int = 250) -> list[tuple[Found, Found]]:
        """Both sides of every entry."""
        found = self.all.at(point, precision)[2 * len(self.needs) :]
        return list(zip(found[::2], found[1::2], strict=True))


def undefined_on(sides: Container[int], point: Point, need: Need) -> Failure:
    """The failure that a need of one side (0, 1), or of both, is not met at a point."""
    left, right = (UNDEFINED if side in sides else None for side in (0, 1))
    return Failure("DOMAIN", point, 0, left, right, need.told)


def holds(kind: str, value: Found) -> bool | None:
    """Whether value >= 0, > 0, == 0 or != 0."""
    if not isinstance(value, Fraction | Interval):
        return None
    low = isinstance(value, Interval) and value.not_negative
    sign = value.sign() if isinstance(value, Interval) else value
    if sign is None:
        return True if kind == ">=" and low else None
    return {">=": sign >= 0, ">": sign > 0, "==": sign == 0, "!=": sign != 0}[kind]


def need_holds(kind: str, value: Found, exponent: Found) -> bool | None:
    """Whether a partial operation is defined."""
    if isinstance(value, Undefined):
        return False
    if kind == "exists":
        return True
    if kind == "one":
        if not isinstance(value, Fraction | Interval):
            return None
        order = iv.compare(value, Fraction(1))
        # an interval around 1 cannot be told from 1; the sum is then taken as right
        return True if order is None else order == 0
    whole = isinstance(exponent, Fraction) and exponent.denominator == 1 and exponent >= 0
    return met(kind, sign_of(value), sign_of(exponent), whole)


def sign_of(value: Found) -> int | None:
    """2, 1 (not negative), 0, -2, or None."""
    if not isinstance(value, Fraction | Interval):
        return None
    if isinstance(value, Interval) and value.sign() is None:
        return 1 if value.not_negative else None
    return 2 * (iv.compare(value, Fraction(0)) or 0)


def relation_holds(relation: str, left: Found, right: Found) -> bool | None:
    """Whether the relation is true; None when the values overlap."""
    if relation in ("iff", "implies"):
        if relation == "implies" and (left is False or right is True):
            return True
        if not isinstance(left, bool) or not isinstance(right, bool):
            return None
        return left == right if relation == "iff" else right
    if not isinstance(left, Fraction | Interval) or not isinstance(right, Fraction | Interval):
        return None
    order = iv.compare(left, right)
    if order is None:
        return None
    return {
        "==": order == 0, "<=": order <= 0, "<": order < 0,
        ">=": order >= 0, ">": order > 0, "!=": order != 0,
    }[relation]  # fmt: skip


def one_sided(new: Failure, old: Failure) -> bool:
    """Whether only one side is undefined at the new point, and both are at the old one."""
    both = isinstance(old.left, Undefined) and isinstance(old.right, Undefined)
    return both and not (isinstance(new.left, Undefined) and isinstance(new.right, Undefined))


class Search:
    """Points for one problem, in rounds of growing effort."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.sampler = Sampler(problem)
        self.judge = Judge(problem)
        self.tried: set[tuple[Fraction, ...]] = set()
        self.good: list[Point] = []  # points that meet the hypotheses

    def settle(self, nodes: Iterable[Node]) -> None:
        """These needs were proved: they are not checked at points any more."""
        compared = self.judge.compared
        self.judge = Judge(self.problem, nodes)
        self.judge.compared = compared

    def new(self, point: Point) -> bool:
        key = tuple(point.values())
        if key in self.tried:
            return False
        self.tried.add(key)
        return True

    def quick(self, most: int) -> Failure | None:
        """A first look at simple points and a few others."""
        points = self.admitted(self.quick_points(), most)
        first = self.worst(islice(points, CAREFUL))
        if first is not None and first.kind == "REFUTED":
            return first
        later = self.worst(points, PRECISIONS[:1])  # may be false beside its undefined points
        return first if first is not None and (later is None or later.kind == "DOMAIN") else later

    def quick_points(self) -> Iterator[Point]:
        yield from self.sampler.simple_points(10)
        yield from map(self.sampler.point, STYLES * 13)

    def admitted(self, points: Iterable[Point], most: int, tries: int = 250) -> Iterator[Point]:
        """The first `most` new points that meet the hypotheses."""
        count = 0
        for number, point in enumerate(points):
            if number >= tries or count >= most:
                return
            if self.new(point) and self.judge.meets(point):
                count += 1
                self.good.append(point)
                yield point

    def worst(
        self, points: Iterable[Point], precisions: Sequence[int] = PRECISIONS
    ) -> Failure | None:
        """The first refutation; a point outside the domain of a side only if there is none."""
        undefined = None
        since = 0
        for point in points:
            failure = self.judge.judge(point, precisions)
            if failure is not None and failure.kind == "REFUTED":
                return self.shrunk(failure)
            if failure is not None and (undefined is None or one_sided(failure, undefined)):
                undefined = failure
            since += undefined is not None
            if since > 12:
                break
        return undefined

    def shrunk(self, failure: Failure) -> Failure:
        """A simpler point with the same kind of failure."""
        best = failure
        pools = self.sampler.pools
        for _ in range(2):
            for name, domain in self.problem.variables.items():
                candidates = list(pools[name][:6])
                value = best.point[name]
                if isinstance(domain, Span):
                    candidates += [value.limit_denominator(10), Fraction(round(value))]
                for candidate in candidates:
                    trial = {**best.point, name: candidate}
                    simpler = point_complexity(trial) < point_complexity(best.point)
                    if not (simpler and domain.holds(candidate) and self.judge.meets(trial)):
                        continue
                    found = self.judge.judge(trial)
                    if found is not None and found.kind == failure.kind:
                        best = found
        return best
