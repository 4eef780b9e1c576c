"""The rules: each checks its side conditions in its context and makes a fact there.

A proof is a list of calls of rules for each goal, with cases. `theorem` replays it on a fresh
context; nothing else says that a line is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial, reduce
from typing import Any

from linecheck.expand.graph import Node, in_order, value_of, variables
from linecheck.expand.needs import SAYS, Need
from linecheck.expand.problem import Problem, domain_facts
from linecheck.kernel import polynomials as poly
from linecheck.kernel.facts import (
    ANY,
    NEG,
    NONZERO,
    POS,
    WEAK,
    ZERO,
    Table,
    plus,
    power,
    require,
    sign_of,
    times,
)
from linecheck.kernel.normal import FUNCTIONS, UNIT, Normal, Ratio
from linecheck.kernel.numbers import Given, enclosed
from linecheck.kernel.polynomials import Coefficient, Poly, Work
from linecheck.language.domains import Span

Step = tuple[Any, ...]
Script = list[Step]
Parts = Sequence[tuple[Coefficient, Sequence[tuple[Poly, int]]]]

KINDS = {">=": WEAK, ">": POS, "==": ZERO, "!=": NONZERO, "<=": NEG | ZERO, "<": NEG}
CASES = {"three": (POS, ZERO, NEG), "closed": (WEAK, NEG | ZERO), "open": (POS, NEG | ZERO),
         "zero": (ZERO, NONZERO)}  # fmt: skip


class Context(Normal):
    """What is known at the points of one case; the methods without underscore make facts."""

    def begin(self, problem: Problem) -> None:
        """The domains and the hypotheses."""
        require(self.table.graph is problem.graph, "nodes are known by their number in one graph")
        for name in self.domains:
            self.bounds(name)
        for _ in range(2):  # what the second says may simplify the first
            for fact in problem.facts:
                self.learn_ratio(self.of(fact.node), KINDS[fact.kind], "hypothesis")
            self.forget()

    def bounds(self, name: str) -> None:
        self.atom("var", name)  # names that are declared first stand first
        for fact in domain_facts(self.table.graph, name, self.domains[name]):
            self.learn_ratio(self.of(fact.node), KINDS[fact.kind], "domain")
        self.forget()

    def case(self) -> Context:
        """A context with the same facts, which are copied: nothing comes back from it."""
        inner = Context(self.table, self.domains, self.work)
        inner.known, inner.values = dict(self.known), dict(self.values)
        inner.parts, inner.closed = dict(self.parts), self.closed
        return inner

    def learn_ratio(self, a: Ratio, signs: int, rule: str) -> None:
        """A fact about a quotient as one about a polynomial."""
        self.learn(self.without_divisor(a), signs, rule)
        if signs == ZERO or not signs & ZERO:  # whatever sign the divisor has
            self.learn(a.top, ZERO if signs == ZERO else NONZERO, rule)

    def checked(self, a: Poly) -> Poly:
        """A polynomial from outside, in normal form."""
        return self.reduce(self.table.polynomial(a))

    def fraction(self, top: Poly, below: Poly) -> Ratio:
        """top / below."""
        return self.multiply(Ratio(self.checked(top)), self.inverse(Ratio(self.checked(below))))

    # the rules

    def rule_sum(self, target: Poly, parts: Parts, zeros: Sequence[tuple[Poly, Poly]]) -> None:
        """target = sum of numbers times products with known signs, plus multiples of what is 0."""
        rest, signs = self.checked(target), ZERO
        for coefficient, factors in parts:
            require(isinstance(coefficient, int | Fraction), "a factor is rational")
            product, one = poly.constant(coefficient), POS
            for factor, exponent in factors:
                require(isinstance(exponent, int) and exponent > 0, "a product has whole powers")
                factor = self.checked(factor)
                one = times(one, power(self.signs(factor), exponent))
                product = self.times(product, self.product([(factor, exponent)]))
            signs = plus(signs, times(one, sign_of(coefficient)))
            rest = poly.add(rest, product, -1)
        for factor, zero in zeros:
            zero = self.checked(zero)
            require(self.signs(zero) == ZERO, "a multiple of something that is 0")
            rest = poly.add(rest, self.times(self.checked(factor), zero), -1)
        require(not self.reduce(rest), "the sum is the target")
        self.learn(self.checked(target), signs, "sum")

    def rule_logarithm(self, top: Poly, below: Poly) -> None:
        """log f <= f - 1 for f = top/below > 0, and < for f != 1."""
        f = self.fraction(top, below)
        require(self.sign_of(f) == POS, "a logarithm is of something positive")
        beyond, log = self.add(f, UNIT, -1), self.log(f)
        equal = self.sign_of(beyond) & self.sign_of(log) & ZERO
        self.learn_ratio(self.add(beyond, log, -1), WEAK if equal else POS, "logarithm")

    def rule_monotone(self, kind: str, a: tuple[Poly, Poly], b: tuple[Poly, Poly]) -> None:
        """log f - log g has the sign of f - g, for f, g > 0; so have exponentials, and Phi < 1."""
        f, g = self.fraction(*a), self.fraction(*b)
        positive = self.sign_of(f) == POS == self.sign_of(g)
        require(kind == "Phi" or (kind == "log" and positive), "a function that grows")
        high, low = (FUNCTIONS[kind](self, u) for u in (f, g))
        first, second = self.add(f, g, -1), self.add(high, low, -1)
        self.learn_ratio(first, self.sign_of(second), "monotone")
        self.learn_ratio(second, self.sign_of(first), "monotone")
        for value in (high, low) if kind == "Phi" else ():
            self.learn_ratio(self.rest(value), POS, "a probability")

    def rule_discriminant(self, a: Poly, b: Poly, c: Poly, x: Poly) -> None:
        """a x**2 + b x + c >= 0 where a >= 0, c >= 0 and 4 a c >= b**2; > where 4 a c > b**2."""
        a, b, c, x = (self.checked(one) for one in (a, b, c, x))
        gap = poly.add(poly.scale(self.times(a, c), 4), self.times(b, b), -1)
        require(not (self.signs(a) | self.signs(c) | self.signs(gap)) & NEG, "all are >= 0")
        value = poly.add(self.times(poly.add(self.times(a, x), b), x), c)
        self.learn(value, POS if self.signs(gap) == POS else WEAK, "discriminant")

    def rule_convex(self, number: int, index: int, at: Poly, script: Script) -> None:
        """f >= its value at x = x0, where it is flat, as its second slope is nowhere negative."""
        graph, at, name = self.table.graph, self.checked(at), str(self.table.atoms[index].data)
        domain = self.domains.get(name) if self.table.atoms[index].kind == "var" else None
        require(isinstance(domain, Span) and not domain.no_zero, "x is from an interval")
        assert domain is not None
        f, x = list(graph.known.values())[number], graph.var(name)
        first = graph.derivative(f, x)
        second = graph.derivative(first, x)

        def bends_up(context: Context) -> bool:
            return context.is_smooth(f, name) and not context.sign_of(context.of(second)) & NEG

        along, there = self.along(name), self.along(name)
        require(proves(along, bends_up, script), "convex")
        there.values[index] = Ratio(at)
        for fact in domain_facts(graph, name, domain):
            signs = there.sign_of(there.of(fact.node))
            require(not signs & ~KINDS[fact.kind], "x0 is in the domain")
        require(not there.of(first).top, "it is flat at x0")
        smallest = there.sign_of(there.of(f))
        require(not smallest & NEG, "its smallest value is not negative")
        self.learn_ratio(self.of(f), POS if smallest == POS else WEAK, "convex")

    def along(self, name: str) -> Context:
        """Where one variable takes every value of its domain, and the others stay."""
        line = Context(self.table, self.domains, self.work)
        line.bounds(name)
        for fact in self.known.values():
            if name not in self.names(Ratio(fact.poly)) and self.is_settled(Ratio(fact.poly)):
                line.learn(fact.poly, fact.signs, fact.rule)
        return line

    def is_smooth(self, f: Node, name: str) -> bool:
        """Whether the rules of derivatives hold wherever this context does."""
        for part in in_order([f]):
            if name not in variables([part]):
                continue
            if part.op in ("log", "pow"):
                power = value_of(part.args[1]) if part.args[-1].op == "num" else None
                natural = power is not None and power.denominator == 1 and power >= 0
                allowed = ANY if natural else NONZERO if part.op == "log" else POS
                if self.sign_of(self.of(part.args[0])) & ~allowed:
                    return False
            elif part.op not in ("var", "add", "mul", "exp", "Phi"):
                return False
        return True

    def rule_number(self, a: Poly, given: Given) -> None:
        """The sign of a number without variables, from intervals."""
        a = self.checked(a)
        low, high = enclosed(self.table, a, given)
        self.learn(a, POS if low > 0 else NEG if high < 0 else ANY, "number")

    def rule_solve(self, index: int, zero: Poly) -> None:
        """x = -b/a from a x + b = 0 with a != 0; x stands neither in a nor in b."""
        atom, zero = self.table.atoms[index], self.checked(zero)
        require(self.signs(zero) == ZERO, "an equation that is known")
        parts = poly.by_powers(zero, index)
        require(atom.kind == "var" and parts.keys() <= {0, 1} and 1 in parts, "linear in x")
        slope, rest = parts[1], parts.get(0, {})
        for other in poly.atoms_in(slope, rest):
            require(str(atom.data) not in self.table.depends[other], "x stands there once")
        require(not self.signs(slope) & ZERO, "the slope is not 0")
        value = self.multiply(Ratio(poly.scale(rest, -1)), self.inverse(Ratio(slope)))
        self.values[index] = value
        self.forget()
        self.values = {one: self.ratio(old.key) for one, old in self.values.items()}
        self.rule_again()

    def rule_again(self) -> None:
        """The facts once more, written with what is known by now."""
        self.forget()
        for fact in list(self.known.values()):
            self.learn_ratio(self.renew(fact.poly), fact.signs, fact.rule)
        for fact in list(self.known.values()):
            self.signs(fact.poly)  # where none is left, the assumptions contradict each other
        self.forget()

    def assume(self, a: Poly, signs: int) -> Context:
        """Only for a case."""
        self.learn(self.checked(a), signs, "case")
        self.rule_again()  # |x| may be x by now
        return self


# ---------------------------------------------------------------------------- goals


Goal = Callable[[Context], bool]


def sign_goal(a: Poly, signs: int) -> Goal:
    return lambda context: not context.sign_of(context.renew(a)) & ~signs


def is_met(need: Need, context: Context) -> bool:
    if need.kind == "exists":
        return context.is_settled(context.of(need.node))
    if need.kind == "one":
        return not context.add(context.of(need.node), UNIT, -1).top
    if need.kind == "power":
        exponent = context.sign_of(context.of(need.exponent)) if need.exponent else ANY
        return has_signs(context, need.node, WEAK if exponent == POS else POS)
    return has_signs(context, need.node, said_by(need))


def has_signs(context: Context, node: Node, allowed: int) -> bool:
    """Whether the factors show the signs of a product; or the whole, multiplied out."""
    factors = [context.sign_of(context.of(arg)) for arg in node.args if node.op == "mul"]
    if factors and not reduce(times, factors) & ~allowed:
        return True
    return not context.sign_of(context.of(node)) & ~allowed


def is_true(left: Node, right: Node, relation: str, context: Context) -> bool:
    if relation not in ("iff", "implies"):
        gap = context.add(context.of(left), context.of(right), -1)
        return not context.sign_of(gap) & ~KINDS[relation]
    first, second = (context.truth(one, context.positive) for one in (left, right))
    if relation == "iff":
        return not context.add(first, second, -1).top
    return not context.multiply(first, context.rest(second)).top


def goals(problem: Problem) -> list[tuple[Goal, Need | None]]:
    """What must be shown of a problem: that it is defined, then each pair."""
    needs = {
        (n.kind, n.node.number, n.exponent and n.exponent.number): n
        for side in problem.needs
        for n in side
    }
    found: list[tuple[Goal, Need | None]] = [(partial(is_met, n), n) for n in needs.values()]
    return found + [(partial(is_true, *pair, problem.relation), None) for pair in problem.pairs]


def proves(context: Context, goal: Goal, script: Script) -> bool:
    """Whether the calls show the goal in the context; cases come last."""
    for name, *args in script:
        if context.closed:
            return True
        if name == "cases":
            target, kind, scripts = args
            require(len(scripts) == len(CASES[kind]), "a script for each case")
            return all(
                proves(context.case().assume(target, signs), goal, inner)
                for signs, inner in zip(CASES[kind], scripts, strict=True)
            )
        if name == "lemma":
            target, signs, inner, *_ = args  # and why, for the reader
            target = context.checked(target)
            if not proves(context.case(), sign_goal(target, signs), inner):
                return False
            context.learn(target, signs, "cases")
            continue
        getattr(context, f"rule_{name}")(*args)
    return goal(context) or context.closed


def said_by(need: Need) -> int:
    """What a need that is met says of the sign of its number."""
    return KINDS[SAYS[need.kind]] if need.kind in SAYS else ANY


def settle(context: Context, need: Need) -> None:
    """A need that was shown is a fact; of a product its factors are."""
    for node in need.node.args if need.node.op == "mul" else (need.node,):
        value = context.of(node)
        signs = said_by(need) if node is need.node else context.sign_of(value)
        context.learn_ratio(value, signs, "defined")
    context.forget()


def theorem(problem: Problem, scripts: Sequence[Script], table: Table, work: Work) -> bool:
    """Whether the scripts, replayed on a fresh context, show every goal of the problem."""
    context = Context(table, problem.variables, work)
    context.begin(problem)
    for (goal, need), script in zip(goals(problem), scripts, strict=True):
        if context.closed:
            return True
        if not proves(context, goal, script):
            return False
        if need is not None:
            settle(context, need)
    return True
