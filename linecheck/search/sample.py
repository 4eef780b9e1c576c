"""Where to look: simple points first, then ties, corners, far away and very near."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from linecheck.expand.graph import variables
from linecheck.expand.problem import Problem
from linecheck.language.domains import Finite, ScalarDomain, Span

Point = dict[str, Fraction]

_SIMPLE_TEXT = "0 1 -1 2 -2 1/2 -1/2 3 -3 1/3 -1/3 3/2 -3/2 4 -4 5 -5 2/3 -2/3 7 -7 10 -10"
_SIMPLE = [*map(Fraction, _SIMPLE_TEXT.split())]
_PART_TEXT = "1/2 1/3 2/3 1/4 3/4 1/5 4/5 2/5 3/5 1/10 9/10 3/8"
_PARTS = [*map(Fraction, _PART_TEXT.split())]  # of an interval with the ends 0 and 1
_STYLE_TEXT = (
    "simple groups medium wide tie near far medium scaled wide corner groups simple extreme far"
)
STYLES = tuple(_STYLE_TEXT.split())


@cache
def simple_values(domain: ScalarDomain) -> tuple[Fraction, ...]:
    """Members of a domain, simplest first."""
    if isinstance(domain, Finite):
        return tuple(sorted(domain.values, key=lambda value: (abs(value), value < 0)))
    if domain.lower is not None and domain.upper is not None:
        width = domain.upper - domain.lower
        if domain.integers:
            candidates = [domain.lower + k for k in range(int(width) + 1)][:20]
        else:
            candidates = [domain.lower, domain.upper, Fraction(0), Fraction(1)]
            candidates += [domain.lower + part * width for part in _PARTS]
    elif domain.lower is not None:
        candidates = [domain.lower + abs(value) for value in _SIMPLE] + _SIMPLE
    elif domain.upper is not None:
        candidates = [domain.upper - abs(value) for value in _SIMPLE] + _SIMPLE
    else:
        candidates = _SIMPLE
    kept = [value for value in dict.fromkeys(candidates) if domain.holds(value)]
    return tuple(sorted(kept, key=complexity))


def complexity(value: Fraction) -> int:
    """How long a number is to read; 0 and 1 are simplest."""
    size = value.numerator.bit_length() + 2 * (value.denominator.bit_length() - 1)
    return 2 * size + (value < 0)


def point_complexity(point: Point) -> int:
    """How long a point is to read."""
    return sum(complexity(value) for value in point.values())


class Sampler:
    """Makes points of a problem's domain; reproducible.

    Variables that the step does not use keep their simplest value.
    """

    def __init__(self, problem: Problem, seed: int = 1) -> None:
        self.domains = problem.variables
        self.rng = random.Random(seed)
        self.pools = {name: simple_values(domain) for name, domain in self.domains.items()}
        used = set(variables(problem.nodes()))
        self.simplices = problem.simplices
        in_simplex = {name for names in self.simplices for name in names}
        self.names = [name for name in self.domains if name in used and name not in in_simplex]
        self.groups: dict[str, list[str]] = {}  # entries of one vector or matrix
        for name in self.names:
            self.groups.setdefault(name.partition("[")[0].partition("~")[0], []).append(name)
        self.constants: list[Fraction] = []

    def simple_points(self, most: int) -> Iterator[Point]:
        """All variables take simple values; the simplest points first."""
        names = self.names
        yield self.completed({name: self.pools[name][0] for name in names}, "simple")
        yield self.completed({name: self.fitted(name, Fraction(1)) for name in names}, "simple")
        width = {0: 1, 1: 12, 2: 5, 3: 4}.get(len(names), 2)
        pools = [self.pools[name][:width] for name in names]
        if len(names) <= 3:
            points: list[Point] = [{}]
            for name, pool in zip(names, pools, strict=True):
                points = [{**point, name: value} for point in points for value in pool]
            points.sort(key=point_complexity)
        else:
            points = [
                {name: self.rng.choice(self.pools[name][:4]) for name in names} for _ in range(most)
            ]
        for point in points[:most]:
            yield self.completed(point, "simple")

    def point(self, style: str) -> Point:
        """A random point; `style` says of which kind."""
        own = {
            "tie": self.tied, "near": self.nearly_tied, "scaled": self.scaled,
            "groups": self.grouped, "constant": self.around_constants,
        }  # fmt: skip
        if style in own:
            return self.completed(own[style](), style)
        scale = self.rng.choice((None, self.rng.randint(-12, 12)))
        scale = scale if style == "far" else None
        point = {name: self.value(self.domains[name], style, scale) for name in self.names}
        return self.completed(point, style)

    def tied(self) -> Point:
        """Few different values among the variables."""
        base = [self.value(Span(), "simple", None) for _ in range(2)]
        return {name: self.fitted(name, self.rng.choice(base)) for name in self.names}

    def nearly_tied(self) -> Point:
        base = self.value(Span(), "medium", None) or Fraction(1)
        point = {}
        for name in self.names:
            shift = Fraction(self.rng.randint(-3, 3)) * Fraction(10) ** -self.rng.choice((3, 6, 13))
            point[name] = self.fitted(name, base * (1 + shift))
        return point

    def scaled(self) -> Point:
        """A simple point, all of it very small or very large."""
        factor = Fraction(10) ** self.rng.choice((-30, -13, -7, -4, 4, 7, 13, 30))
        return {
            name: self.fitted(name, self.rng.choice(self.pools[name][:6]) * factor)
            for name in self.names
        }

    def grouped(self) -> Point:
        """Vectors that are 0, equal or parallel to each other."""
        rng = self.rng
        base = [self.value(Span(), "simple", None) for _ in range(40)]
        point: Point = {}
        for names in self.groups.values():
            kind = rng.choice(("zero", "base", "parallel", "opposite", "own"))
            other = rng.choice(_SIMPLE[1:9])
            factor = {"zero": Fraction(0), "base": Fraction(1), "opposite": Fraction(-1)}.get(
                kind, other
            )
            for k, name in enumerate(names):
                value = rng.choice(_SIMPLE[:9]) if kind == "own" else base[k % 40] * factor
                point[name] = self.fitted(name, value)
        return point

    def around_constants(self) -> Point:
        """Variables at, or right beside, the numbers that stand in the line."""
        rng = self.rng
        point: Point = {}
        for name in self.names:
            if self.constants and rng.random() < 0.7:
                constant = rng.choice(self.constants) * rng.choice((1, 1, -1))
                shift = rng.choice((0, 0, 1, -1, Fraction(1, 10**6), Fraction(-1, 10**6)))
                factor = rng.choice((Fraction(1), Fraction(1), Fraction(2), Fraction(1, 2)))
                point[name] = self.fitted(name, constant * factor + shift)
            else:
                point[name] = self.value(self.domains[name], "simple", None)
        return point

    def fitted(self, name: str, value: Fraction) -> Fraction:
        """The value itself when the domain has it, something of the domain otherwise."""
        domain = self.domains[name]
        turned = [abs(value), 1 / value if value else value]
        for candidate in [value, *turned] if isinstance(domain, Span) else [value]:
            if domain.holds(candidate):
                return candidate
        return self.value(domain, "simple", None)

    def value(self, domain: ScalarDomain, style: str, scale: int | None) -> Fraction:
        """One random member of a domain."""
        rng = self.rng
        if isinstance(domain, Finite):
            return rng.choice(domain.values)
        for _ in range(20):
            value = self.candidate(domain, style, scale)
            value = Fraction(round(value)) if domain.integers else value
            if domain.holds(value):
                return value
        return rng.choice(simple_values(domain))

    def candidate(self, domain: Span, style: str, scale: int | None) -> Fraction:
        if domain.lower is not None and domain.upper is not None:
            return domain.lower + (domain.upper - domain.lower) * self.part(style)
        size = self.size(style, scale)
        if domain.lower is not None:
            return domain.lower + abs(size)
        if domain.upper is not None:
            return domain.upper - abs(size)
        return size

    def part(self, style: str) -> Fraction:
        """Where in a bounded interval."""
        rng = self.rng
        if style in ("simple", "corner"):
            choices = [*_PARTS[:5], Fraction(0), Fraction(1)]
            return rng.choice(choices if style == "simple" else choices[-2:] + _PARTS[:1])
        if style == "medium":
            bottom = rng.randint(2, 40)
            return Fraction(rng.randint(1, bottom - 1), bottom)
        small = Fraction(1, 10 ** rng.randint(1, {"wide": 4, "far": 15}.get(style, 40)))
        return small if rng.random() < 0.5 else 1 - small

    def size(self, style: str, scale: int | None) -> Fraction:
        """A number of any sign and of the size that the style asks for."""
        rng = self.rng
        sign = rng.choice((1, -1))
        if style == "simple":
            return rng.choice(_SIMPLE[:9])
        if style == "corner":
            return rng.choice((Fraction(0), Fraction(1), Fraction(-1)))
        if style == "medium":
            return Fraction(rng.randint(-40, 40), rng.randint(1, 12))
        reach = {"wide": 3, "far": 14}.get(style, 30)
        power = scale if scale is not None else rng.randint(-reach, reach)
        return sign * rng.randint(1, 9) * Fraction(10) ** power

    def completed(self, point: Point, style: str) -> Point:
        """With the variables of simplices, and those that the step does not use."""
        for names in self.simplices:
            weights = [abs(self.size(style, None)) or Fraction(1) for _ in range(len(names) + 1)]
            total = sum(weights)
            for name, weight in zip(names, weights, strict=False):
                point[name] = weight / total
        return {name: point.get(name, self.pools[name][0]) for name in self.domains}
