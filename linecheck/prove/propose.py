"""Search proposes: which rules of the kernel show the goals of a problem."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from linecheck.expand.graph import Node
from linecheck.expand.needs import Need
from linecheck.expand.problem import Problem
from linecheck.kernel import polynomials as poly
from linecheck.kernel.facts import ANY, NEG, NONZERO, POS, STRONG, WEAK, ZERO, Table, flipped
from linecheck.kernel.normal import UNIT, Ratio, SideError
from linecheck.kernel.polynomials import Monomial, Poly, Work, key_of
from linecheck.kernel.rules import (
    CASES,
    KINDS,
    Context,
    Goal,
    RuleError,
    Script,
    goals,
    settle,
    theorem,
)
from linecheck.language.terms import TooBigError
from linecheck.prove.combine import combination

MOST_DEPTH = 7
MOST_BRANCHES = 60
MOST_BRICKS = 260


class Proposer:
    """Finds the scripts of a problem, goal by goal."""

    def __init__(self, problem: Problem, work: int, deadline: float) -> None:
        self.problem = problem
        self.work = Work(work, deadline)
        self.table = Table()
        self.context = Context(self.table, problem.variables, self.work)
        self.branches = 0

    def scripts(self) -> list[Script] | None:
        """A script for each goal, or None."""
        self.context.begin(self.problem)
        first = Attempt(self, self.context)
        first.use_equations()
        found: list[Script] = []
        asked = goals(self.problem)
        begin = len(asked) - len(self.problem.pairs)
        for number, (goal, need) in enumerate(asked):
            self.branches = 0
            attempt = first if number == 0 else Attempt(self, self.context)
            pair = None if need else self.problem.pairs[number - begin]
            script = attempt.show(Aim(goal, need, pair, self.problem.relation), 0)
            if script is None:
                return None
            found.append(script)
            if need is not None:
                settle(self.context, need)
        return found


@dataclass(frozen=True)
class Aim:
    """A goal, and what it says."""

    goal: Goal
    need: Need | None
    pair: tuple[Node, Node] | None
    relation: str

    def holds(self, context: Context) -> bool:
        return self.goal.holds(context)

    def signs(self, context: Context) -> list[tuple[Poly, int]]:
        """Polynomials whose signs would settle the goal."""
        try:
            if self.need is not None:
                node = context.of(self.need.node)
                found = [(node.top, _through(context, node, NEEDED.get(self.need.kind, ANY)))]
                if self.need.kind == "one":
                    found = [(context.add(node, UNIT, -1).top, ZERO)]
                if self.need.exponent:
                    found.append((context.of(self.need.exponent).top, POS))
                return found
            if self.pair is None or self.relation in ("iff", "implies"):
                return []
            gap = context.add(context.of(self.pair[0]), context.of(self.pair[1]), -1)
            return [(gap.top, _through(context, gap, KINDS[self.relation]))]
        except SideError:
            return []


NEEDED = {"nonzero": NONZERO, "positive": POS, "nonnegative": WEAK, "power": POS}


def _through(context: Context, a: Ratio, signs: int) -> int:
    """The signs of the numerator that give a quotient its signs."""
    for key, exponent in a.below.items():
        if exponent % 2 and context.signs(dict(key)) == NEG:
            signs = flipped(signs)
    return signs


class Attempt:
    """One context on the way to one goal; what is done is written down."""

    def __init__(self, proposer: Proposer, context: Context) -> None:
        self.proposer, self.context = proposer, context
        self.script: Script = []
        self.tried: dict[tuple[Any, int], bool] = {}
        self.busy = 0

    def call(self, name: str, *args: Any) -> bool:
        """One rule, if it applies."""
        try:
            getattr(self.context, f"rule_{name}")(*args)
        except RuleError:
            return False
        self.script.append((name, *args))
        return True

    def use_equations(self) -> None:
        """Variables that equations express by the others."""
        context = self.context
        for _ in range(8):
            zero = [f.poly for f in context.known.values() if f.signs == ZERO]
            if not any(self.solved(one) for one in zero):
                return

    def solved(self, zero: Poly) -> bool:
        context = self.context
        table = context.table
        best = None
        for index in poly.atoms_in(zero):
            atom = table.atoms[index]
            if atom.kind != "var" or index in context.values or context.rule_of(index):
                continue
            parts = poly.by_powers(zero, index)
            if not parts.keys() <= {0, 1}:
                continue
            others = poly.atoms_in(*parts.values())
            if any(str(atom.data) in table.depends[other] for other in others):
                continue
            if context.signs(parts[1]) & ZERO and not self.prove(parts[1], NONZERO):
                continue
            cost = 10 * len(parts[1]) + len(parts.get(0, {}))
            if best is None or cost < best[0]:
                best = cost, index
        return best is not None and self.call("solve", best[1], zero)

    # goals

    def show(self, goal: Aim, depth: int) -> Script | None:
        """The script that shows the goal here, with cases where they are needed."""
        context = self.context
        self.proposer.branches += 1
        if self.proposer.branches > MOST_BRANCHES or depth > MOST_DEPTH:
            return None
        context.forget()
        for _ in range(6):
            if context.closed or goal.holds(context):
                return self.script
            wanted = dict(context.wanted)
            before = len(self.script)
            for (_, what), a in wanted.items():
                self.prove_wanted(a, what)
            for a, signs in goal.signs(context):
                self.prove(a, signs)
            if len(self.script) == before:
                break
            if not self.call("again"):
                break
            self.use_equations()
        if context.closed or self.contradiction():
            return self.script
        return self.by_cases(goal, wanted, depth)

    def prove_wanted(self, a: Poly, what: str) -> None:
        if what == "nonzero":
            self.prove(a, NONZERO)
        else:
            for signs in (WEAK, NEG | ZERO) if what == "sign" else (POS, NEG, WEAK, NEG | ZERO):
                if not self.context.signs(a) & ~signs or self.prove(a, signs):
                    break

    def by_cases(self, goal: Aim, wanted: Any, depth: int) -> Script | None:
        context = self.context
        for (_, what), a in wanted.items():
            signs = context.signs(a)
            kind = "closed" if what == "sign" else "three" if what == "three" else "zero"
            if signs in (POS, NEG, ZERO) or (what == "sign" and signs in (WEAK, NEG | ZERO)):
                continue
            if what == "three" and signs == WEAK:
                kind = "open"
            scripts = []
            for assumed in CASES[kind]:
                case = context.case()
                case.assume(a, assumed)
                inner = Attempt(self.proposer, case)
                inner.use_equations()
                script = inner.show(goal, depth + 1)
                if script is None:
                    return None
                scripts.append(script)
            return [*self.script, ("cases", a, kind, scripts)]
        return None

    def contradiction(self) -> bool:
        """Whether the facts here contradict each other."""
        context = self.context
        facts = list(context.known.values())
        if len(facts) <= len(self.proposer.context.known) and not self.proposer.problem.facts:
            return False
        for fact in facts[-6:]:
            if fact.signs in (ZERO, POS, WEAK, NEG, NEG | ZERO):
                opposite = {ZERO: NONZERO, POS: NEG | ZERO, WEAK: NEG, NEG: WEAK}
                if self.prove(fact.poly, opposite.get(fact.signs, POS)):
                    return context.closed
        return context.closed

    # signs

    def prove(self, a: Poly, signs: int, depth: int = 1) -> bool:
        """Whether a polynomial can be shown to have one of these signs."""
        context = self.context
        a = context.reduce(a)
        if not context.signs(a) & ~signs:
            return True
        key = (key_of(a), signs)
        if key in self.tried or self.busy > 4:
            return False
        self.tried[key] = False
        self.busy += 1
        try:
            self.search(a, signs, depth)
        except (TooBigError, SideError):
            pass
        finally:
            self.busy -= 1
        return not context.signs(a) & ~signs

    def search(self, a: Poly, signs: int, depth: int) -> None:
        context = self.context
        if not signs & POS:
            a, signs = poly.scale(a, -1), flipped(signs)

        def done() -> bool:
            return not context.signs(a) & ~signs

        if not any(context.table.depends[index] for index in poly.atoms_in(a)):
            self.call("number", a)
            return
        common = poly.content(a)
        if common:
            rest = poly.shift(a, poly.power_of_monomial(common, -1))
            outer = context.signs_of_monomial(common)
            if outer == NEG:
                self.prove(rest, flipped(signs), depth)
            elif not outer & NEG:
                self.prove(rest, signs, depth)
            if done():
                return
        coefficient, parts = context.factors(Ratio(a))
        if len(parts) > 1 or parts[0][1] != 1:
            for part, exponent in parts:
                if exponent % 2 == 0 and signs & ZERO:
                    continue
                if context.signs(part) in (ANY, WEAK, NEG | ZERO, NONZERO):
                    for want in (
                        (POS, NEG, WEAK, NEG | ZERO) if signs & ZERO or signs == POS else (NONZERO,)
                    ):
                        if self.prove(part, want, depth):
                            break
            product = (
                coefficient,
                [(part, int(e)) for part, e in parts if context.kind_of(part) not in STRONG],
            )
            strong = [(part, e) for part, e in parts if context.kind_of(part) in STRONG]
            if strong:
                monomial: Monomial = ()
                for part, e in strong:
                    monomial = poly.times_monomials(monomial, poly.power_of_monomial(max(part), e))
                product = (coefficient, [*product[1], ({monomial: 1}, 1)])
            self.call("sum", a, [product], [])
            if done():
                return
        if signs == NONZERO:
            for one in (POS, NEG):
                if self.prove(a, one, depth):
                    return
            return
        if signs in (POS, WEAK):
            self.combined(a, signs == POS)
        if signs == ZERO and self.prove(a, WEAK):
            self.prove(a, NEG | ZERO)

    def facts(self, a: Poly) -> list[tuple[Poly, bool]]:
        """Known polynomials >= 0 (True: > 0)."""
        found = []
        for fact in self.context.known.values():
            if fact.signs in (POS, WEAK):
                found.append((fact.poly, fact.signs == POS))
            elif fact.signs in (NEG, NEG | ZERO):
                found.append((poly.scale(fact.poly, -1), fact.signs == NEG))
        return found

    def combined(self, target: Poly, strict: bool) -> bool:
        """A sum of facts times monomials, squares, and multiples of what is 0."""
        context = self.context
        facts = self.facts(target)
        zeros = []
        for fact in context.known.values():
            if fact.signs == ZERO:
                zeros += self.multiples(target, fact.poly)
        bricks: dict[Any, tuple[Poly, bool, list[tuple[Poly, int]]]] = {}

        def put(value: Poly, sure: bool, parts: list[tuple[Poly, int]]) -> None:
            value = context.reduce(value)
            if value and len(bricks) < MOST_BRICKS:
                bricks.setdefault(key_of(value), (value, sure, parts))

        reach = set(target)
        for value, _, _ in zeros:
            reach |= set(value)
        for known, sure in facts:
            for multiplier in self.multipliers(target, known):
                candidate = poly.shift(known, multiplier)
                positive = context.signs_of_monomial(multiplier) == POS
                parts = [(known, 1)] + ([({multiplier: 1}, 1)] if multiplier else [])
                put(candidate, sure and positive, parts)
                reach |= set(candidate)
        for monomial in sorted(reach):
            one = context.signs_of_monomial(monomial)
            if not one & NEG:
                put({monomial: 1}, one == POS, [({monomial: 1}, 1)])
        for square in self.squares(reach):
            put(context.times(square, square), False, [(square, 2)])
        chosen = list(bricks.values())
        if not chosen:
            return False
        factors = combination(
            target, [one[0] for one in chosen] + [z[0] for z in zeros], len(zeros)
        )
        if factors is None:
            return False
        used = [(c, one[2]) for c, one in zip(factors, chosen, strict=False) if c]
        cofactors = [
            (poly.scale(z[1], c), z[2])
            for c, z in zip(factors[len(chosen) :], zeros, strict=True)
            if c
        ]
        return self.call("sum", target, used, cofactors)

    def multiples(self, target: Poly, zero: Poly) -> list[tuple[Poly, Poly, Poly]]:
        monomials = {
            poly.times_monomials(goal, poly.power_of_monomial(one, -1))
            for goal in target
            for one in zero
        }
        plain = [m for m in monomials if self.is_plain(m)]
        context = self.context
        return [(context.reduce(poly.shift(zero, m)), {m: 1}, zero) for m in sorted(plain)[:40]]

    def is_plain(self, monomial: Monomial) -> bool:
        atoms = self.context.table.atoms
        return all(e > 0 or atoms[index].kind in STRONG for index, e in monomial)

    def multipliers(self, target: Poly, known: Poly) -> list[Monomial]:
        context = self.context
        found: set[Monomial] = {()}
        if len(target) * len(known) <= 1500:
            inverses = [poly.power_of_monomial(one, -1) for one in known]
            for goal in target:
                for one in inverses:
                    quotient = poly.times_monomials(goal, one)
                    if self.is_plain(quotient) and not context.signs_of_monomial(quotient) & NEG:
                        found.add(quotient)
        ranked = sorted(found, key=lambda m: (sum(abs(float(e)) for _, e in m), m))
        return ranked[:12]

    def squares(self, monomials: set[Monomial]) -> list[Poly]:
        atoms = self.context.table.atoms
        halves = []
        for monomial in sorted(monomials):
            half = poly.power_of_monomial(monomial, Fraction(1, 2))
            if all(isinstance(e, int) or atoms[i].kind in STRONG for i, e in half):
                halves.append(half)
        found = []
        for a, b in combinations(halves[:24], 2):
            if poly.times_monomials(a, b) in monomials:
                found += [poly.add({a: 1}, {b: 1}, sign) for sign in (1, -1)]
        return found


def replayed(problem: Problem, work: int, deadline: float) -> bool:
    """Whether a proof was found, and the kernel replayed it."""
    try:
        proposer = Proposer(problem, work, deadline)
        scripts = proposer.scripts()
        if scripts is None:
            return False
        return theorem(problem, scripts, proposer.table, Work(work, deadline))
    except (RuleError, SideError, TooBigError):
        return False
