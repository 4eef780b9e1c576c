"""Proofs of one problem: its needs and its relation, case by case."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from lectures_lib.proofs import _polynomials as poly
from lectures_lib.proofs._combine import combination
from lectures_lib.proofs._domains import Finite, ScalarDomain, Span
from lectures_lib.proofs._evaluate import Evaluator
from lectures_lib.proofs._floats import FloatEvaluator, as_float
from lectures_lib.proofs._inequality import Prover
from lectures_lib.proofs._lower import Need
from lectures_lib.proofs._normal_form import (
    Field,
    Generator,
    NoNormalFormError,
    Ratio,
    SideError,
    SplitError,
)
from lectures_lib.proofs._node_signs import sign_of_node
from lectures_lib.proofs._polynomials import Polynomial, Work
from lectures_lib.proofs._problem import Fact, Problem
from lectures_lib.proofs._refute import holds
from lectures_lib.proofs._sample import Point
from lectures_lib.proofs._scalars import Node, TooBigError, in_order, kinks, value_of, variables

MOST_WORK = 250_000
MOST_SPLITS = 7  # nested
MOST_BRANCHES = 80  # altogether
MIRROR = "minus "  # starts the name of the variable that stands for -x when x <= 0


class ImpossibleError(Exception):
    """The hypotheses contradict each other: there is nothing to prove."""


class Proof:
    """Everything that is known about one problem, and what can be proved from it."""

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
        self.branches = 0
        for name, domain in problem.variables.items():
            self.field.flags[name] = _flags(domain)
        self.prover = Prover(self.field)
        self.field.sign = self.prover.sign
        self.prover.looks = self.looks
        self.here: list[Point] = []  # points that meet what is supposed
        self.float_points: list[dict[str, float]] = []
        self.float_values: dict[tuple[int, int], float] = {}
        self.memory_of_looks: dict[object, int | None] = {}
        self.supposed: list[Fact] = []
        self.extra: list[Fact] = []  # needs that were proved

    # what is supposed

    def suppose(self, facts: Sequence[Fact]) -> None:
        """Start afresh with the hypotheses and these further facts."""
        field, prover = self.field, self.prover
        field.forget()
        field.values.clear()
        prover.known.clear()
        prover.nonzero.clear()
        prover.zero.clear()
        prover.results.clear()
        prover.bounds = {name: _bounds(domain) for name, domain in self.problem.variables.items()}
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
        field, bounds = self.field, self.prover.bounds
        field.known_positive.clear()
        field.known_nonnegative.clear()
        field.known_nonzero.clear()
        for fact in facts:
            node, turned = fact.node, False
            if node.op == "mul" and len(node.args) == 2 and node.args[0].op == "num":
                turned = value_of(node.args[0]) < 0
                node = node.args[1]
            if node.op != "var" or fact.kind == "==":
                continue
            name = str(node.data)
            if name in field.values:
                continue
            if fact.kind == "!=":
                field.known_nonzero.add(field.variable(name))
                continue
            index = field.variable(name)
            if turned and (
                name.startswith(MIRROR)
                or index in field.known_nonnegative | field.known_positive
                or field.generators[index].nonnegative
            ):
                continue  # both signs: `learn` finds that it is 0, or a contradiction
            if turned:
                mirror = MIRROR + name
                index = field.variable(mirror)
                field.values[name] = Ratio({((index, 1),): -1})
                lower, upper, lower_open, upper_open = bounds[name]
                bounds[mirror] = (
                    None if upper is None else -upper,
                    None if lower is None else -lower,
                    upper_open,
                    lower_open,
                )
                name = mirror
            known = field.known_positive if fact.kind == ">" else field.known_nonnegative
            known.add(field.variable(name))

    @staticmethod
    def at(point: Point, facts: Sequence[Fact]) -> bool:
        if not facts:
            return True
        found = Evaluator([fact.node for fact in facts]).at(point, 90)
        return all(holds(f.kind, value) is True for f, value in zip(facts, found, strict=True))

    def learn_equation(self, node: Node) -> None:
        """From f == 0: one variable is expressed by the others, if that is possible."""
        field = self.field
        ratio = field.of(node)
        if not ratio.top:
            return
        solved = self.solve(ratio.top)
        if solved is None:
            self.prover.zero.append(ratio.top)
            if ratio.top.keys() == {()}:
                raise ImpossibleError
            squared = self.without_root(ratio.top)
            if squared:
                self.prover.zero.append(squared)
            return
        name, value = solved
        nodes = {one: field.node_of(other) for one, other in field.values.items()}
        zeros = [field.node_of_polynomial(one) for one in self.prover.zero]
        field.values[name] = value
        field.known_nonzero.discard(field.variable(name))
        field.forget()
        for one, known in nodes.items():
            field.values[one] = field.of(known)
        field.forget()
        self.prover.results.clear()
        self.prover.zero = [top for top in (field.of(one).top for one in zeros) if top]
        lower, upper, lower_open, upper_open = self.prover.bounds.get(
            name, (None, None, True, True)
        )
        if lower is not None:
            self.learn_ratio(field.subtract(value, Ratio(poly.constant(lower))), lower_open)
        if upper is not None:
            self.learn_ratio(field.subtract(Ratio(poly.constant(upper)), value), upper_open)

    def without_root(self, top: Polynomial) -> Polynomial:
        """From a sqrt(f) + b == 0: a**2 f - b**2, which is 0 too."""
        field = self.field
        roots = {i for m in top for i, _ in m if field.generators[i].kind == "root"}
        if len(roots) != 1 or len(top) > 20:
            return {}
        high = {m: c for m, c in top.items() if any(i in roots for i, _ in m)}
        low = {m: c for m, c in top.items() if m not in high}
        return poly.add(field.times(high, high), field.times(low, low), -1)

    def solve(self, top: Polynomial) -> tuple[str, Ratio] | None:
        """A variable that occurs linearly, with a factor that is not 0."""
        field = self.field
        best: tuple[int, str, Ratio] | None = None
        for index in self.prover.generators_in(top):
            made = field.generators[index]
            name = str(made.key)
            domain = self.problem.variables.get(name)
            if made.kind != "var" or isinstance(domain, Finite):
                continue
            slope: Polynomial = {}
            rest: Polynomial = {}
            fits = True
            for monomial, coefficient in top.items():
                exponent = dict(monomial).get(index, 0)
                others = tuple((i, e) for i, e in monomial if i != index)
                inside = any(name in field.generators[i].depends for i, _ in others)
                if exponent not in (0, 1) or inside:
                    fits = False
                    break
                (slope if exponent else rest)[others] = coefficient
            if not fits:
                continue
            sign = self.prover.sign(slope)
            if sign is None or abs(sign) != 2:
                continue
            value = field.multiply(Ratio(poly.scale(rest, -1)), field.inverse(Ratio(slope)))
            cost = len(slope) * 10 + len(rest) + (0 if domain == Span() else 5)
            if best is None or cost < best[0]:
                best = cost, name, value
        return None if best is None else best[1:]

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
        _, monomial, factors = self.field.factors(top)
        self.prover.nonzero.append(top)
        self.prover.nonzero += [dict(key) for key in factors]
        self.prover.nonzero += [poly.generator(index) for index, _ in monomial]
        self.field.known_nonzero |= {index for index, _ in monomial}
        self.prover.results.clear()

    def learn_ratio(self, ratio: Ratio, strict: bool) -> None:
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
                top = self.field.times(top, dict(key))
            elif sign < 0:
                top = poly.scale(top, -1)
        plain = self.field.plain_sign(top)
        if plain is not None and (plain == -2 or (plain <= 0 and strict)):
            raise ImpossibleError
        if plain == -1:  # <= 0 and >= 0
            self.learn_equation(self.field.node_of_polynomial(top))
            return
        if 2 <= len(top) <= 6:
            self.field.factors(top)  # so that it is found again inside products
        self.prover.learn(top, strict)
        if strict:
            self.learn_nonzero(top)
        self.learn_squares(top, strict)

    def learn_squares(self, top: Polynomial, strict: bool) -> None:
        """From a >= b >= 0 with roots in a or b: a**2 >= b**2."""
        field = self.field
        if len(top) > 12:
            return
        high = {m: c for m, c in top.items() if c > 0 or field.monomial_sign(m) is None}
        low = {m: -c for m, c in top.items() if m not in high}
        if high and low and low.keys() != {()}:
            squares = poly.add(field.times(high, high), field.times(low, low), -1)
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
            made = self.field.generators[index]
            point = self.float_points[place]
            value = math.nan
            if made.depends <= point.keys():
                (value,) = FloatEvaluator([made.node()]).at(point)
            self.float_values[index, place] = value
        return self.float_values[index, place]

    # cases

    def by_cases(self, task: Callable[[], bool], facts: tuple[Fact, ...] = ()) -> bool:
        """Whether the task succeeds, splitting into cases where a sign is open."""
        self.branches += 1
        if self.branches > MOST_BRANCHES or self.field.work.left <= 0:
            return False
        try:
            self.suppose(facts)
            done = task()
        except ImpossibleError:
            return True
        except SplitError as split:
            if len(facts) >= MOST_SPLITS:
                return False
            node = self.field.node_of_polynomial(split.polynomial)
            minus = self.problem.graph.neg(node)
            return all(
                self.by_cases(task, (*facts, *case)) for case in _cases(split.kind, node, minus)
            )
        except SideError as side:
            before = dict(self.field.sides)
            try:
                for choice in (1, -1):
                    self.field.sides = {**before, side.number: choice}
                    if len(self.field.sides) > 4 or not self.by_cases(task, facts):
                        return False
            finally:
                self.field.sides = before
            return True
        except (NoNormalFormError, TooBigError, RecursionError):
            return False
        return done or (bool(facts) and self.contradictory())

    def contradictory(self) -> bool:
        """Whether the facts of a case cannot hold together."""
        prover = self.prover
        try:
            for known in prover.known:
                sign = self.field.plain_sign(known.polynomial)
                if sign is not None and (sign == -2 or (sign <= 0 and known.strict)):
                    return True
            for zero in prover.zero:
                if self.field.plain_sign(zero) in (2, -2):
                    return True
                if any(prover.same(zero, one) for one in prover.nonzero):
                    return True
                if prover.proves(zero, True) or prover.proves(poly.scale(zero, -1), True):
                    return True
            target: Polynomial = {(): -1}
            names = {n for k in prover.known for n in self.field.depends(k.polynomial)}
            facts = [*prover.known, *prover.domain_facts(names)]
            if not prover.known:
                return False
            bricks = [known.polynomial for known in facts]
            if combination(target, [*bricks, {(): 1}]) is not None:
                return True
            strict = [known.polynomial for known in facts if known.strict]
            if any(combination(poly.scale(one, -1), bricks) is not None for one in strict):
                return True
            return any(
                prover.proves(poly.scale(known.polynomial, -1), not known.strict)
                for known in prover.known[:8]
            )
        except (SplitError, NoNormalFormError, TooBigError):
            return False

    # what is to be proved

    def need(self, need: Need) -> bool:
        """Whether a partial operation is defined at every point."""
        plain = sign_of_node(need.node, self.problem.variables)
        if plain is not None and (
            abs(plain) == 2
            if need.kind == "nonzero"
            else plain == 2
            if need.kind in ("positive", "power")
            else plain >= 0 and need.kind == "nonnegative"
        ):
            return True
        if not any(self.with_effort(effort, lambda: self.defined(need)) for effort in (0, 1)):
            return False
        kind = {"nonzero": "!=", "positive": ">", "power": ">", "nonnegative": ">="}.get(need.kind)
        if kind is not None:
            self.extra.append(Fact(kind, need.node))
        return True

    def with_effort(self, effort: int, task: Callable[[], bool]) -> bool:
        """The task by cases; the second time with everything there is."""
        self.prover.effort = effort
        self.branches = 0
        if self.by_cases(task):
            return True
        return effort > 0 and self.by_zero_cases(task)

    def defined(self, need: Need) -> bool:
        ratio = self.field.of(need.node)
        if need.kind == "one":
            return not self.field.subtract(ratio, Ratio({(): 1})).top
        if need.kind == "nonzero":
            return self.is_nonzero(ratio)
        sign = self.sign_of(ratio)
        if sign is None:
            return False
        return sign >= 0 if need.kind == "nonnegative" else sign == 2

    def is_nonzero(self, ratio: Ratio) -> bool:
        if not ratio.top:
            return False
        prover = self.prover
        if any(prover.same(ratio.top, one) for one in prover.nonzero):
            return True
        whole = prover.sign(ratio.top)
        if whole is not None and abs(whole) == 2:
            return True
        _, parts = self.field.signed_parts(ratio)
        for part, power in parts:
            if power < 0 or any(prover.same(part, one) for one in prover.nonzero):
                continue
            sign = prover.sign(part)
            if sign is None or abs(sign) != 2:
                return False
        return len(parts) > 1 or parts[0][1] != 1

    def sign_of(self, ratio: Ratio) -> int | None:
        """2, 1, 0, -1, -2 or None."""
        if not ratio.top:
            return 0
        sign = 1
        for key, power in ratio.below.items():
            if power % 2 == 0:
                continue
            below = self.prover.sign(dict(key))
            if below is None or below == 0:
                return self.sign_of_parts(ratio)
            sign = sign if below > 0 else -sign
        top = self.prover.sign(ratio.top)
        return self.sign_of_parts(ratio) if top is None else sign * top

    def sign_of_parts(self, ratio: Ratio) -> int | None:
        sign, parts = self.field.signed_parts(ratio)
        size = 2
        for part, power in parts:
            known = self.prover.sign(part)
            even = not isinstance(power, Fraction) and power % 2 == 0
            if known is None:
                if not even:
                    return None
                known = 2 if self.prover.is_nonzero(part) else 1
            if known == 0:
                return 0
            if power > 0:
                size = min(size, abs(known))
            if known < 0 and not even:
                sign = -sign
        return sign * size

    def relation(self, entry: int) -> bool:
        """Whether the relation holds for one pair of entries."""
        left, right = self.problem.pairs[entry]
        relation = self.problem.relation
        if relation in (">=", ">"):
            left, right, relation = right, left, {">=": "<=", ">": "<"}[relation]
        if relation in ("<=", "<"):
            sides = [(a, b) for a in self.largest(left) for b in self.least(right)]
            if len(sides) > 1:
                return all(self.ordered(a, b, relation) for a, b in sides)
        return self.ordered(left, right, relation)

    def largest(self, node: Node) -> list[Node]:
        """max(a, b) <= c says a <= c and b <= c."""
        if node.op == "max":
            return [one for arg in node.args for one in self.largest(arg)]
        if node.op == "abs":
            return [node.args[0], self.problem.graph.neg(node.args[0])]
        return [node]

    def least(self, node: Node) -> list[Node]:
        """a <= min(b, c) says a <= b and a <= c."""
        if node.op == "min":
            return [one for arg in node.args for one in self.least(arg)]
        return [node]

    def ordered(self, left: Node, right: Node, relation: str) -> bool:
        """One relation, by algebra and cases, then by calculus."""

        def task() -> bool:
            return self.related(left, right, relation)

        if self.with_effort(0, task):
            return True
        calculus = Calculus(self) if relation in ("<=", "<") else None
        if calculus is not None and calculus.proves(left, right, relation == "<"):
            return True
        if self.with_effort(1, task):
            return True
        return calculus is not None and calculus.proves(left, right, relation == "<")

    def by_zero_cases(self, task: Callable[[], bool]) -> bool:
        """From x1**2 + x2**2 > 0: either x1 is not 0, or x1 is 0 and x2 is not."""
        for fact in self.problem.facts:
            names = variables([fact.node])
            if fact.kind != ">" or not 2 <= len(names) <= 4 or fact.node.op != "add":
                continue
            nodes = [self.problem.graph.var(name) for name in names]
            cases: list[tuple[Fact, ...]] = []
            zero: tuple[Fact, ...] = ()
            for node in reversed(nodes):
                minus = self.problem.graph.neg(node)
                cases += [(*zero, Fact(">", node)), (*zero, Fact(">", minus))]
                zero = (*zero, Fact("==", node))
            cases.append(zero)
            return all(self.by_cases(task, case) for case in cases)
        return False

    def related(self, left: Node, right: Node, relation: str) -> bool:
        field = self.field
        if relation == "implies":
            return not field.truth(left) or field.truth(right)
        if relation == "iff":
            return field.truth(left) == field.truth(right)
        if relation in ("<=", "<"):
            plain = sign_of_node(self.problem.graph.sub(right, left), self.problem.variables)
            if plain is not None and (plain == 2 or (plain >= 0 and relation == "<=")):
                return True
        difference = field.subtract(field.of(right), field.of(left))
        if relation == "==":
            return self.is_zero(difference)
        if relation == "!=":
            return self.is_nonzero(difference)
        if relation in (">", ">="):
            difference = field.negative(difference)
        return self.at_least_zero(difference, relation in ("<", ">"))

    def at_least_zero(self, ratio: Ratio, strict: bool) -> bool:
        """Whether ratio >= 0 (> 0)."""
        if not ratio.top:
            return not strict
        top = ratio.top
        for key, power in ratio.below.items():
            if power % 2 == 0:
                continue
            below = self.prover.sign(dict(key))
            if below is None:
                top = self.field.times(top, dict(key))
            elif below < 0:
                top = poly.scale(top, -1)
        if self.prover.proves(top, strict):
            return True
        sign = self.sign_of_parts(ratio)
        return sign is not None and (sign == 2 if strict else sign >= 0)

    def is_zero(self, ratio: Ratio) -> bool:
        """Whether a difference is 0 everywhere."""
        if not ratio.top:
            return True
        if any(self.prover.same(ratio.top, one) for one in self.prover.zero):
            return True
        if self.equal_logs(ratio.top):
            return True
        if self.prover.zero:
            equations = [
                one for zero in self.prover.zero for one in self.prover.multiples(ratio.top, zero)
            ]
            if combination(ratio.top, equations, len(equations)) is not None:
                return True
        return self.prover.proves(ratio.top, False) and self.prover.proves(
            poly.scale(ratio.top, -1), False
        )

    def equal_logs(self, top: Polynomial) -> bool:
        """Whether sums of logarithms cancel once their arguments are multiplied out."""
        field = self.field
        groups: dict[poly.Monomial, dict[int, Fraction]] = {}
        for monomial, coefficient in top.items():
            logs = [
                (index, exponent)
                for index, exponent in monomial
                if field.generators[index].kind == "log"
            ]
            if len(logs) != 1 or logs[0][1] != 1:
                return False
            rest = tuple(part for part in monomial if part != logs[0])
            group = groups.setdefault(rest, {})
            group[logs[0][0]] = group.get(logs[0][0], Fraction(0)) + Fraction(coefficient)
        return all(self.product_is_one(group) for group in groups.values())

    def product_is_one(self, logs: dict[int, Fraction]) -> bool:
        """Whether the product of |f|**c is 1."""
        field = self.field
        scale = 1
        for power in logs.values():
            scale = scale * power.denominator
        if scale > 60:
            return False
        sides = [Ratio({(): 1}), Ratio({(): 1})]
        for index, power in logs.items():
            inside = field.generators[index].inside
            assert inside is not None
            whole = int(power * scale)
            if abs(whole) > 12:
                return False
            side = 0 if whole > 0 else 1
            sides[side] = field.multiply(sides[side], field.power(inside, abs(whole)))
        return not field.subtract(sides[0], sides[1]).top or not field.add(sides[0], sides[1]).top


class Calculus:
    """f >= 0 because f(v0) >= 0 and f falls before v0 and grows after it."""

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self.graph = proof.problem.graph

    def proves(self, left: Node, right: Node, strict: bool) -> bool:
        """Whether left <= right (<), looking at one variable at a time."""
        gap = self.graph.sub(right, left)
        if kinks(gap) or len(in_order([gap])) > 120:
            return False
        for name in variables([gap])[:3]:
            domain = self.narrowed(name)
            if domain is None:
                continue
            if self.along(gap, name, domain, strict):
                return True
        return False

    def narrowed(self, name: str) -> Span | None:
        """The interval of a variable, if the hypotheses say nothing else about it."""
        domain = self.proof.problem.variables.get(name)
        if not isinstance(domain, Span) or domain.no_zero:
            return None
        for fact in self.proof.problem.facts:
            if name not in variables([fact.node]):
                continue
            bound = self.bound(fact, name)
            if bound is None:
                return None
            slope, end = bound
            is_open = fact.kind == ">"
            if slope > 0 and (domain.lower is None or end >= domain.lower):
                is_open = is_open or (end == domain.lower and domain.lower_open)
                domain = replace(domain, lower=end, lower_open=is_open)
            if slope < 0 and (domain.upper is None or end <= domain.upper):
                is_open = is_open or (end == domain.upper and domain.upper_open)
                domain = replace(domain, upper=end, upper_open=is_open)
        return domain

    def bound(self, fact: Fact, name: str) -> tuple[Fraction, Fraction] | None:
        """(a, -b/a) of a hypothesis a v + b >= 0 (> 0) with numbers a and b."""
        if fact.kind not in (">", ">="):
            return None
        zero, one, two = (
            self.graph.substitute(fact.node, {self.graph.var(name): self.graph.num(value)})
            for value in (0, 1, 2)
        )
        if not zero.op == one.op == two.op == "num":
            return None
        slope = value_of(one) - value_of(zero)
        if value_of(two) - value_of(one) != slope or not slope or not _linear(fact.node):
            return None
        return slope, -value_of(zero) / slope

    def along(self, gap: Node, name: str, domain: Span, strict: bool) -> bool:
        graph, proof = self.graph, self.proof
        variable = graph.var(name)
        slope = graph.derivative(gap, variable)
        if len(in_order([slope])) > 200 or not self.smooth(gap):
            return False
        bend = graph.derivative(slope, variable)
        convex = self.holds(bend, False)
        for place in self.candidates(slope, name):
            there = {variable: place}
            if not self.inside(place, domain):
                continue
            if not self.holds(graph.substitute(gap, there), strict):
                continue
            if convex and self.vanishes(graph.substitute(slope, there)):
                return True
            away = graph.mul((graph.sub(variable, place), slope))
            if not convex and self.holds(away, False):
                return True
        if domain.lower is None or not (domain.lower_open is False or self.smooth_at(gap)):
            return False
        start = graph.substitute(gap, {variable: graph.num(domain.lower)})
        weak = strict and not domain.lower_open
        return (
            self.holds(slope, strict and domain.lower_open)
            and self.holds(start, weak)
            and proof.branches < MOST_BRANCHES
        )

    def smooth(self, gap: Node) -> bool:
        """Roots of something that may be 0 have no slope there; they are left alone."""
        return not any(
            node.op == "pow"
            and (node.args[1].op != "num" or value_of(node.args[1]).denominator != 1)
            for node in in_order([gap])
        )

    def smooth_at(self, gap: Node) -> bool:
        """Whether the function goes on beyond an open end: nothing in it can fail there."""
        return not any(
            node.op in ("log", "Phi_inv") or (node.op == "pow" and not _whole(node.args[1]))
            for node in in_order([gap])
        )

    def candidates(self, slope: Node, name: str) -> list[Node]:
        """Where the slope may be 0."""
        graph = self.graph
        others = [one for one in variables([slope]) if one != name]
        found = [graph.zero, graph.one, graph.half, *(graph.var(one) for one in others[:2])]
        solved = self.solved(slope, name)
        return ([solved] if solved is not None else []) + found

    def solved(self, slope: Node, name: str) -> Node | None:
        """v from f'(v) == 0, when v or exp, log of it occurs linearly."""
        proof, field = self.proof, self.proof.field
        found: list[Node] = []

        def solve() -> bool:
            top = field.of(slope).top
            everything = proof.prover.generators_in(top)
            top = poly.shift(top, poly.power_monomial(poly.content(top, everything), -1))
            for index in proof.prover.generators_in(top):
                made = field.generators[index]
                if name not in made.depends or made.kind not in ("var", "exp", "log"):
                    continue
                parts: dict[bool, Polynomial] = {True: {}, False: {}}
                for monomial, coefficient in top.items():
                    exponent = dict(monomial).get(index, 0)
                    rest = tuple((i, e) for i, e in monomial if i != index)
                    if exponent not in (0, 1) or name in field.depends({rest: 1}):
                        break
                    parts[exponent == 1][rest] = coefficient
                else:
                    if abs(proof.prover.sign(parts[True]) or 0) != 2:
                        continue
                    below = field.inverse(Ratio(parts[True]))
                    value = field.multiply(Ratio(poly.scale(parts[False], -1)), below)
                    node = self.unwrapped(made, field.node_of(value), name)
                    if node is not None:
                        found.append(node)
                        return True
            return False

        proof.by_cases(solve)
        return found[0] if found else None

    def unwrapped(self, made: Generator, value: Node, name: str) -> Node | None:
        if made.kind == "var":
            return value
        inside = made.inside
        if inside is None or inside.below or len(inside.top) != 1:
            return None
        ((monomial, coefficient),) = inside.top.items()
        index = self.proof.field.indices.get(("var", name))
        if monomial != ((index, 1),):
            return None
        undone = self.graph.call("log" if made.kind == "exp" else "exp", value)
        return self.graph.div(undone, self.graph.num(Fraction(coefficient)))

    def inside(self, place: Node, domain: Span) -> bool:
        """Whether the place lies in the domain."""
        graph = self.graph
        bounds = []
        if domain.lower is not None:
            bounds.append((graph.sub(place, graph.num(domain.lower)), domain.lower_open))
        if domain.upper is not None:
            bounds.append((graph.sub(graph.num(domain.upper), place), domain.upper_open))
        if any(not self.holds(node, strict) for node, strict in bounds):
            return False
        return all(self.holds(node.args[0], True) for node in in_order([place]) if node.op == "log")

    def holds(self, node: Node, strict: bool) -> bool:
        proof = self.proof
        return proof.by_cases(lambda: proof.at_least_zero(proof.field.of(node), strict))

    def vanishes(self, node: Node) -> bool:
        proof = self.proof
        return proof.by_cases(lambda: proof.is_zero(proof.field.of(node)))


def _linear(node: Node) -> bool:
    """Sums and products only, so that two differences show whether it is linear in a variable."""
    parts = in_order([node])
    return (
        all(part.op in ("num", "var", "add", "mul") for part in parts)
        and sum(part.op == "var" for part in parts) == 1
        and not any(sum(arg.op != "num" for arg in p.args) > 1 for p in parts if p.op == "mul")
    )


def _whole(exponent: Node) -> bool:
    return exponent.op == "num" and value_of(exponent).denominator == 1 and value_of(exponent) > 0


def _cases(kind: str, node: Node, minus: Node) -> list[tuple[Fact, ...]]:
    if kind == "closed":
        return [(Fact(">=", node),), (Fact(">=", minus),)]
    if kind == "three":
        return [(Fact(">", node),), (Fact(">", minus),), (Fact("==", node),)]
    if kind == "positive":
        return [(Fact(">", node),), (Fact(">=", minus),)]
    return [(Fact(">", minus),), (Fact(">=", node),)]


def _flags(domain: ScalarDomain) -> tuple[bool, bool, str]:
    """positive, nonnegative, relation."""
    if isinstance(domain, Finite):
        values = tuple(domain.values)
        relation = {(0, 1): "label", (-1, 1): "sign"}.get(values, "")  # type: ignore[call-overload]
        return min(values) > 0, min(values) >= 0, relation
    lower = domain.lower
    if lower is None:
        return False, False, ""
    return lower > 0 or (lower == 0 and domain.lower_open), lower >= 0, ""


def _bounds(domain: ScalarDomain) -> tuple[Fraction | None, Fraction | None, bool, bool]:
    if isinstance(domain, Finite):
        return min(domain.values), max(domain.values), False, False
    return domain.lower, domain.upper, domain.lower_open, domain.upper_open
