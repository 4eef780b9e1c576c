"""What is supposed in one case of a problem, brought into the form that proofs can use."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from linecheck.algebra import polynomials as poly
from linecheck.algebra.normal_form import Field
from linecheck.algebra.polynomials import Polynomial, Work
from linecheck.algebra.ratios import Ratio
from linecheck.expand.graph import Node, value_of
from linecheck.expand.problem import Fact, Problem
from linecheck.language.domains import Finite, ScalarDomain, Span
from linecheck.prove.facts import Bounds
from linecheck.prove.prover import Prover
from linecheck.search.evaluate import Evaluator
from linecheck.search.floats import FloatEvaluator, as_float
from linecheck.search.refute import holds
from linecheck.search.sample import Point

MOST_WORK = 250_000
SHORT = 6  # terms of a factor whose sign is worth some work
MIRROR = "minus "  # starts the name of the variable that stands for -x when x <= 0


class ImpossibleError(Exception):
    """The hypotheses contradict each other: there is nothing to prove."""


class Knowledge:
    """The hypotheses of one problem, and of the case that is looked at."""

    def __init__(
        self,
        problem: Problem,
        points: Sequence[Point],
        work: int = MOST_WORK,
        deadline: float = math.inf,
    ) -> None:
        self.problem = problem
        # with minus x for each x, see `learn_signs`
        self.points = [
            {**point, **{MIRROR + name: -value for name, value in point.items()}}
            for point in points[:10]
        ]
        self.field = Field(problem.graph, Work(work, deadline))
        for name, domain in problem.variables.items():
            self.field.algebra.flags[name] = _flags(domain)
        self.prover = Prover(self.field)
        self.field.algebra.sign = self.prover.sign
        self.prover.looks = self.looks
        self.here: list[Point] = []  # points that meet what is supposed
        self.float_points: list[dict[str, float]] = []
        self.float_values: dict[tuple[int, int], float] = {}
        self.memory_of_looks: dict[object, int | None] = {}
        self.supposed: list[Fact] = []
        self.extra: list[Fact] = []  # needs that were proved

    def suppose(self, facts: Sequence[Fact]) -> None:
        """Start afresh with the hypotheses and these further facts."""
        field, prover = self.field, self.prover
        field.forget()
        field.algebra.values.clear()
        prover.facts.forget()
        prover.results.clear()
        prover.facts.bounds = {
            name: _bounds(domain) for name, domain in self.problem.variables.items()
        }
        self.memory_of_looks.clear()
        self.supposed = list(facts)
        self.here = [point for point in self.points if self.at(point, facts)]
        self.float_points = [{n: as_float(v) for n, v in point.items()} for point in self.here]
        self.float_values = {}
        everything = [*facts, *self.problem.facts, *self.extra]
        self.learn_signs(everything)
        for fact in everything:
            if fact.kind == "==":
                self.learn_equation(fact.node)
        for fact in everything:
            if fact.kind != "==":
                self.learn(fact)

    def learn_signs(self, facts: Sequence[Fact]) -> None:
        """From x > 0, x >= 0, x != 0; for x < 0 and x <= 0 the variable is turned round."""
        algebra = self.field.algebra
        algebra.known_positive.clear()
        algebra.known_nonnegative.clear()
        algebra.known_nonzero.clear()
        for fact in facts:
            node, turned = fact.node, False
            if node.op == "mul" and len(node.args) == 2 and node.args[0].op == "num":
                turned = value_of(node.args[0]) < 0
                node = node.args[1]
            if node.op != "var" or fact.kind == "==":
                continue
            name = str(node.data)
            index = algebra.variable(name)
            both = index in algebra.known_nonnegative | algebra.known_positive
            mirrored = name.startswith(MIRROR)
            if turned and (mirrored or both or algebra.generators[index].nonnegative):
                continue  # both signs: `learn` finds that it is 0, or a contradiction
            if turned and name not in algebra.values:
                self.turn_round(name)
            if name in algebra.values:
                index = algebra.indices["var", MIRROR + name]
                if fact.kind != "!=" and not turned:
                    continue  # both signs
            known = {">": algebra.known_positive, ">=": algebra.known_nonnegative}
            known.get(fact.kind, algebra.known_nonzero).add(index)

    def turn_round(self, name: str) -> None:
        """A variable that is <= 0 is written as minus one that is >= 0."""
        algebra, bounds = self.field.algebra, self.prover.facts.bounds
        mirror = MIRROR + name
        index = algebra.variable(mirror)
        algebra.values[name] = Ratio({((index, 1),): -1})
        lower, upper, lower_open, upper_open = bounds[name]
        bounds[mirror] = (
            None if upper is None else -upper,
            None if lower is None else -lower,
            upper_open,
            lower_open,
        )

    @staticmethod
    def at(point: Point, facts: Sequence[Fact]) -> bool:
        if not facts:
            return True
        found = Evaluator([fact.node for fact in facts]).at(point, 90)
        return all(holds(f.kind, value) is True for f, value in zip(facts, found, strict=True))

    def learn_equation(self, node: Node) -> None:
        """From f == 0: one variable is expressed by the others, if that is possible."""
        field = self.field
        algebra = field.algebra
        ratio = field.of(node)
        if not ratio.top:
            return
        solved = self.solve(ratio.top)
        if solved is None:
            self.prover.facts.zero.append(ratio.top)
            if ratio.top.keys() == {()}:
                raise ImpossibleError
            squared = self.without_root(ratio.top)
            if squared:
                self.prover.facts.zero.append(squared)
            return
        name, value = solved
        nodes = {one: algebra.node_of(other) for one, other in algebra.values.items()}
        zeros = [algebra.node_of_polynomial(one) for one in self.prover.facts.zero]
        algebra.values[name] = value
        algebra.known_nonzero.discard(algebra.variable(name))
        field.forget()
        for one, known in nodes.items():
            algebra.values[one] = field.of(known)
        field.forget()
        self.prover.results.clear()
        self.prover.facts.zero = [top for top in (field.of(one).top for one in zeros) if top]
        lower, upper, lower_open, upper_open = self.prover.facts.bounds.get(
            name, (None, None, True, True)
        )
        if lower is not None:
            self.learn_ratio(algebra.subtract(value, Ratio(poly.constant(lower))), lower_open)
        if upper is not None:
            self.learn_ratio(algebra.subtract(Ratio(poly.constant(upper)), value), upper_open)

    def without_root(self, top: Polynomial) -> Polynomial:
        """From a sqrt(f) + b == 0: a**2 f - b**2, which is 0 too."""
        algebra = self.field.algebra
        roots = {i for m in top for i, _ in m if algebra.generators[i].kind == "root"}
        if len(roots) != 1 or len(top) > 20:
            return {}
        high = {m: c for m, c in top.items() if any(i in roots for i, _ in m)}
        low = {m: c for m, c in top.items() if m not in high}
        return poly.add(algebra.times(high, high), algebra.times(low, low), -1)

    def is_sure(self, slope: Polynomial) -> bool:
        """Whether a factor is not 0, without much ado."""
        plain = self.field.algebra.plain_sign(slope)
        if plain is not None and abs(plain) == 2:
            return True
        if self.prover.facts.is_nonzero(slope) or self.prover.by_fact(slope, True):
            return True
        return len(slope) <= SHORT and abs(self.prover.sign(slope) or 0) == 2

    def solve(self, top: Polynomial) -> tuple[str, Ratio] | None:
        """A variable that occurs linearly, with a factor that is not 0."""
        algebra = self.field.algebra
        best: tuple[int, str, Ratio] | None = None
        for index in poly.indices_in(top):
            made = algebra.generators[index]
            name = str(made.key)
            domain = self.problem.variables.get(name.removeprefix(MIRROR))
            if made.kind != "var" or isinstance(domain, Finite):
                continue
            parts = poly.by_powers(top, index)
            slope, rest = parts.get(1, {}), parts.get(0, {})
            if not parts.keys() <= {0, 1} or name in algebra.depends({**slope, **rest}):
                continue
            if not self.is_sure(slope):
                continue
            value = algebra.multiply(Ratio(poly.scale(rest, -1)), algebra.inverse(Ratio(slope)))
            if isinstance(domain, Span) and domain.integers and not self.is_whole(value):
                continue  # k == 2*n may replace k, but not n: k/2 need not be an integer
            cost = len(slope) * 10 + len(rest) + (0 if domain == Span() else 5)
            if best is None or cost < best[0]:
                best = cost, name, value
        return None if best is None else best[1:]

    def is_whole(self, value: Ratio) -> bool:
        """Whether a value is an integer because it is made of integers."""
        domains = self.problem.variables
        for monomial, coefficient in value.top.items():
            for index, exponent in monomial:
                key = str(self.field.algebra.generators[index].key)
                domain = domains.get(key.removeprefix(MIRROR))
                whole = isinstance(domain, Span) and domain.integers
                if not whole or exponent < 0 or Fraction(exponent).denominator != 1:
                    return False
            if Fraction(coefficient).denominator != 1:
                return False
        return not value.below

    def learn(self, fact: Fact) -> None:
        """From f >= 0, f > 0 or f != 0."""
        ratio = self.field.of(fact.node)
        if fact.kind == "!=":
            if not ratio.top:
                raise ImpossibleError
            self.learn_nonzero(ratio.top)
            return
        self.learn_ratio(ratio, fact.kind == ">")

    def learn_nonzero(self, top: Polynomial) -> None:
        """A product that is not 0 has no factor that is 0."""
        algebra = self.field.algebra
        _, monomial, factors = algebra.factors(top)
        self.prover.facts.nonzero.append(top)
        self.prover.facts.nonzero += [dict(key) for key in factors]
        self.prover.facts.nonzero += [poly.generator(index) for index, _ in monomial]
        algebra.known_nonzero |= {index for index, _ in monomial}
        self.prover.results.clear()

    def learn_ratio(self, ratio: Ratio, strict: bool) -> None:
        algebra = self.field.algebra
        if not ratio.top:
            if strict:
                raise ImpossibleError
            return
        top = ratio.top
        for key, power in ratio.below.items():
            if power % 2 == 0:
                continue
            sign = self.prover.sign(dict(key))
            if sign is None:
                top = algebra.times(top, dict(key))
            elif sign < 0:
                top = poly.scale(top, -1)
        plain = algebra.plain_sign(top)
        if plain is not None and (plain == -2 or (plain <= 0 and strict)):
            raise ImpossibleError
        if plain == -1:  # <= 0 and >= 0
            self.learn_equation(algebra.node_of_polynomial(top))
            return
        if 2 <= len(top) <= 6:
            algebra.factors(top)  # so that it is found again inside products
        self.prover.learn(top, strict)
        if strict:
            self.learn_nonzero(top)
        self.learn_squares(top, strict)

    def learn_squares(self, top: Polynomial, strict: bool) -> None:
        """From a >= b >= 0 with roots in a or b: a**2 >= b**2."""
        algebra = self.field.algebra
        if len(top) > 12:
            return
        high = {m: c for m, c in top.items() if c > 0 or algebra.monomial_sign(m) is None}
        low = {m: -c for m, c in top.items() if m not in high}
        if high and low and low.keys() != {()}:
            squares = poly.add(algebra.times(high, high), algebra.times(low, low), -1)
            self.prover.learn(squares, strict)

    def looks(self, polynomial: Polynomial) -> int | None:
        """1 or -1 if the polynomial has that sign at all points at hand, 2 if both occur."""
        if not self.here or len(polynomial) > 400:
            return None
        key = poly.key_of(polynomial)
        if key not in self.memory_of_looks:
            signs = {self.float_sign(polynomial, k) for k in range(len(self.here))}
            both = {1, -1} <= signs
            self.memory_of_looks[key] = 2 if both else (sum(signs) or None)
        return self.memory_of_looks[key]

    def float_sign(self, polynomial: Polynomial, place: int) -> int:
        """Sign at a point in floating point; 0 when it is too close to tell."""
        total = size = 0.0
        try:
            for monomial, coefficient in polynomial.items():
                term = float(coefficient)
                for index, exponent in monomial:
                    term *= self.float_value(index, place) ** float(exponent)
                if isinstance(term, complex):
                    return 0
                total += term
                size += abs(term)
        except (ArithmeticError, ValueError):
            return 0
        if not abs(total) > 1e-9 * size:
            return 0
        return 1 if total > 0 else -1

    def float_value(self, index: int, place: int) -> float:
        """A generator at a point."""
        if (index, place) not in self.float_values:
            made = self.field.algebra.generators[index]
            point = self.float_points[place]
            value = math.nan
            if made.depends <= point.keys():
                (value,) = FloatEvaluator([made.node()]).at(point)
            self.float_values[index, place] = value
        return self.float_values[index, place]


def _flags(domain: ScalarDomain) -> tuple[bool, bool, str]:
    """positive, nonnegative, relation."""
    if isinstance(domain, Finite):
        return min(domain.values) > 0, min(domain.values) >= 0, domain.rule
    lower = domain.lower
    if lower is None:
        return False, False, ""
    return lower > 0 or (lower == 0 and domain.lower_open), lower >= 0, ""


def _bounds(domain: ScalarDomain) -> Bounds:
    if isinstance(domain, Finite):
        return min(domain.values), max(domain.values), False, False
    return domain.lower, domain.upper, domain.lower_open, domain.upper_open
