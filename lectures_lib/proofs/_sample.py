"""Where to look: simple points first, then ties, corners, far away and very near."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

from lectures_lib.proofs._domains import Finite, ScalarDomain, Span
from lectures_lib.proofs._problem import Problem

Point = dict[str, Fraction]

_SIMPLE = [
    Fraction(text)
    for text in "0 1 -1 2 -2 1/2 -1/2 3 -3 1/3 -1/3 3/2 -3/2 4 -4 5 -5 2/3 -2/3 7 -7 10 -10".split()
]
_PARTS = [  # of a bounded interval, 0 and 1 are its ends
    Fraction(text) for text in "1/2 1/3 2/3 1/4 3/4 1/5 4/5 2/5 3/5 1/10 9/10 3/8".split()
]
STYLES = (
    "simple tie medium wide simple near far medium tie wide corner medium simple extreme near far"
).split()


def simple_values(domain: ScalarDomain) -> list[Fraction]:
    """Members of a domain, simplest first."""
    if isinstance(domain, Finite):
        return sorted(domain.values, key=lambda value: (abs(value), value < 0))
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
    return sorted(kept, key=complexity)


def complexity(value: Fraction) -> int:
    """How long a number is to read; 0 and 1 are simplest."""
    size = value.numerator.bit_length() + 2 * (value.denominator.bit_length() - 1)
    return 2 * size + (value < 0)


def point_complexity(point: Point) -> int:
    """How long a point is to read."""
    return sum(complexity(value) for value in point.values())


class Sampler:
    """Makes points of a problem's domain; reproducible."""

    def __init__(self, problem: Problem, seed: int = 1) -> None:
        self.domains = problem.variables
        self.simplices = problem.simplices
        self.rng = random.Random(seed)
        self.pools = {name: simple_values(domain) for name, domain in self.domains.items()}
        self.in_simplex = {name for names in self.simplices for name in names}

    def simple_points(self, most: int) -> Iterator[Point]:
        """All variables take simple values; the simplest points first."""
        names = [name for name in self.domains if name not in self.in_simplex]
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
            yield self.with_simplices(point, "simple")

    def point(self, style: str) -> Point:
        """A random point; `style` says of which kind."""
        names = [name for name in self.domains if name not in self.in_simplex]
        if style == "tie":
            point = self.tied(names)
        elif style == "near":
            point = self.nearly_tied(names)
        else:
            scale = self.rng.choice((None, self.rng.randint(-12, 12)))
            point = {
                name: self.value(self.domains[name], style, scale if style == "far" else None)
                for name in names
            }
        return self.with_simplices(point, style)

    def tied(self, names: list[str]) -> Point:
        """Few different values among the variables."""
        base = [self.value(Span(), "simple", None) for _ in range(2)]
        return {name: self.fitted(name, self.rng.choice(base)) for name in names}

    def nearly_tied(self, names: list[str]) -> Point:
        base = self.value(Span(), "medium", None) or Fraction(1)
        point = {}
        for name in names:
            shift = Fraction(self.rng.randint(-3, 3)) * Fraction(10) ** -self.rng.choice((3, 6, 13))
            point[name] = self.fitted(name, base * (1 + shift))
        return point

    def fitted(self, name: str, value: Fraction) -> Fraction:
        """The value itself when the domain has it, something of the domain otherwise."""
        domain = self.domains[name]
        if isinstance(domain, Span):
            for candidate in (value, abs(value), 1 / value if value else value):
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
            if domain.integers:
                value = Fraction(round(value))
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

    def with_simplices(self, point: Point, style: str) -> Point:
        """Fill in the variables that are positive and add up to less than 1."""
        for names in self.simplices:
            weights = [abs(self.size(style, None)) or Fraction(1) for _ in range(len(names) + 1)]
            total = sum(weights)
            for name, weight in zip(names, weights, strict=False):
                point[name] = weight / total
        return {name: point[name] for name in self.domains}
