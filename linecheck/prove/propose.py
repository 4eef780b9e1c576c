"""Search proposes: which rules of the kernel show the goals of a problem."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from linecheck.expand.graph import Node, in_order
from linecheck.expand.needs import Need
from linecheck.expand.problem import Problem
from linecheck.kernel import polynomials as poly
from linecheck.kernel.facts import (
    ANY,
    NEG,
    NONZERO,
    POS,
    STRONG,
    WEAK,
    ZERO,
    RuleError,
    Table,
    flipped,
    put,
)
from linecheck.kernel.normal import UNIT, Ratio
from linecheck.kernel.polynomials import Monomial, Poly, Work, key_of
from linecheck.kernel.rules import (
    CASES,
    KINDS,
    Context,
    Goal,
    Script,
    goals,
    proves,
    said_by,
    settle,
    sign_goal,
    theorem,
)
from linecheck.language.terms import TooBigError
from linecheck.prove import moves
from linecheck.prove.combine import combination
from linecheck.prove.guess import Guess, enclosures
from linecheck.prove.reasons import reason
from linecheck.prove.roots import square_root
from linecheck.prove.samples import Samples
from linecheck.prove.solve import linear
from linecheck.search.floats import as_float
from linecheck.search.sample import Point

TRUTHS = ("<", "<=", "==", "and", "or", "not", "true", "false")
MOST_DEPTH = 7
MOST_BRANCHES = 60
MOST_BRICKS = 260
NO_FACTOR: list[Monomial] = [()]


class Proposer:
    """Finds the scripts of a problem, goal by goal."""

    def __init__(
        self, problem: Problem, points: Sequence[Point], work: int, deadline: float
    ) -> None:
        self.problem = problem
        self.work = Work(work, deadline)
        self.table = Table(Guess(), problem.graph)
        self.context = Context(self.table, problem.variables, self.work)
        floats = [{name: as_float(value) for name, value in one.items()} for one in points[:10]]
        self.samples = Samples(self.context, problem.graph, floats)
        self.branches = self.effort = 0
        self.met: list[Need] = []
        self.sums: dict[Context, list[Poly]] = {}

    def bases(self, context: Context) -> list[Poly]:
        """Sums that stand in the line: their squares may be what a side is made of."""
        if context not in self.sums:
            nodes = [side for pair in self.problem.pairs for side in pair if side.op not in TRUTHS]
            found = []
            for part in in_order(nodes)[:400]:
                if part.op == "add":
                    value = context.of(part)
                    if not value.below and 2 <= len(value.top) <= 8:
                        found.append(value.top)
            self.sums[context] = found[:40]
        return self.sums[context]

    def scripts(self) -> list[Script] | None:
        """A script for each goal, or None."""
        self.context.begin(self.problem)
        first = Attempt(self, self.context, self.samples)
        first.use_parts()
        if self.problem.facts:
            first.use_equations()
            first.use_roots()
        found: list[Script] = []
        asked = goals(self.problem)
        begin = len(asked) - len(self.problem.pairs)
        both = [need for side in self.problem.needs for need in side]
        for number, (goal, need) in enumerate(asked):
            self.branches = 0
            attempt = first if number == 0 else Attempt(self, self.context, self.samples)
            pair = None if need else self.problem.pairs[number - begin]
            aim = Aim(goal, need, pair, self.problem.relation)
            self.effort = 0
            script = attempt.show(aim, 0)
            if script is None:
                self.effort, self.branches = 1, 0
                script = attempt.show(aim, 0)
            if script is None and need is None:
                return None
            if script is not None and need is not None:
                self.met += [one for one in both if alike(one, need)]
                settle(self.context, need)
            found += [script] if script is not None else []
            if pair is None and number == begin - 1 and len(found) <= number:
                return None
        return found


@dataclass(frozen=True)
class Aim:
    """A goal, and what it says."""

    goal: Goal
    need: Need | None
    pair: tuple[Node, Node] | None
    relation: str

    def holds(self, context: Context) -> bool:
        return self.goal(context)

    def signs(self, context: Context) -> list[tuple[Poly, int]]:
        """Polynomials whose signs would settle the goal."""
        if self.need is not None:
            node = context.of(self.need.node)
            signs = POS if self.need.kind == "power" else said_by(self.need)
            found = [(node.top, _through(context, node, signs))]
            if self.need.kind == "one":
                found = [(context.add(node, UNIT, -1).top, ZERO)]
            if self.need.exponent:
                found.append((context.of(self.need.exponent).top, POS))
            return found
        if self.pair is None or self.relation in ("iff", "implies"):
            return []
        gap = context.add(context.of(self.pair[0]), context.of(self.pair[1]), -1)
        return [(gap.top, _through(context, gap, KINDS[self.relation]))]


def _through(context: Context, a: Ratio, signs: int) -> int:
    """The signs of the numerator that give a quotient its signs."""
    for key, exponent in a.below.items():
        if exponent % 2 and context.signs(dict(key)) == NEG:
            signs = flipped(signs)
    return signs


class Attempt:
    """One context on the way to one goal; what is done is written down."""

    def __init__(self, proposer: Proposer, context: Context, samples: Samples) -> None:
        self.proposer, self.context, self.samples = proposer, context, samples
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

    def lemma(self, target: Poly, signs: int, script: Script, why: str = "") -> bool:
        """A fact from cases of its own."""
        try:
            if not proves(self.context.case(), sign_goal(target, signs), script):
                return False
        except RuleError:
            return False
        self.context.learn(target, signs, "cases")
        self.context.forget()
        self.script.append(("lemma", target, signs, script, why))
        return True

    def unless(self, target: Poly, signs: int, script: Script, why: str) -> bool:
        """A fact, as its contrary leads to a contradiction."""
        script = [*script, ("again",)]  # which sees that a sign is left to none
        against = [[], script if signs == POS else [], script]
        return self.lemma(target, signs, [("cases", target, "three", against)], why)

    def use_equations(self) -> None:
        """Variables that equations express by the others."""
        context = self.context
        for _ in range(8):
            done = set(context.values)
            zero = [f.poly for f in context.known.values() if f.signs == ZERO]
            zero = [one for one in zero if done.isdisjoint(poly.atoms_in(one))]
            if not any(self.solved(one) for one in zero):
                return

    def use_parts(self) -> None:
        """What stands squared, under |.|, or is a root of the inside of a function."""
        context = self.context
        sides = [one for pair in self.proposer.problem.pairs for one in pair]
        for node in in_order(
            [*sides, *(need.node for n in self.proposer.problem.needs for need in n)]
        ):
            squared = node.op == "pow" and node.args[1].op == "num"
            if not (squared or node.op in ("abs", "log")) or node.args[0].op != "add":
                continue
            inside = context.of(node.args[0])
            root = None if len(inside.top) > 30 else square_root(inside.top)
            for part in (inside.top, root):
                if (
                    part
                    and 1 < len(part) <= 12
                    and key_of(poly.primitive(part)[1]) not in context.parts
                ):
                    self.lemma(part, ANY, [])

    def use_linear_factors(self, a: Poly) -> None:
        """x - y and x + y, if the polynomial is 0 where they are."""
        context = self.context
        atoms = [i for i in poly.atoms_in(a) if context.table.atoms[i].kind == "var"]
        if not 3 <= len(a) <= 12 or len(atoms) > 4:
            return
        for i, j, sign in [(i, j, s) for i, j in combinations(atoms, 2) for s in (1, -1)]:
            part = poly.add(poly.single(i), poly.single(j), -sign)
            there: Poly = {}
            for exponent, rest in poly.by_powers(a, i).items():
                power = poly.single(j, exponent) if exponent else poly.ONE
                there = poly.add(there, context.times(rest, power), sign ** int(exponent))
            if not there and key_of(poly.primitive(part)[1]) not in context.parts:
                self.lemma(part, ANY, [])

    def use_roots(self) -> None:
        """From a >= b >= 0 with roots in it: a**2 >= b**2; and the same of equations."""
        context = self.context
        atoms = context.table.atoms
        for fact in list(context.known.values()):
            if fact.signs in (NONZERO, ANY) or not 2 <= len(fact.poly) <= 12:
                continue
            a = fact.poly if fact.signs in (POS, WEAK, ZERO) else poly.scale(fact.poly, -1)
            roots = {i for i in poly.atoms_in(a) if atoms[i].kind == "root"}
            if fact.signs == ZERO and len(roots) == 1:
                high = {m: c for m, c in a.items() if any(i in roots for i, _ in m)}
            else:
                high = {m: c for m, c in a.items() if c > 0 or context.signs_of_monomial(m) & NEG}
            low = {m: -c for m, c in a.items() if m not in high}
            if (not roots and fact.rule != "hypothesis") or not low or not high:
                continue
            both = poly.add(high, low)
            target = poly.add(context.times(high, high), context.times(low, low), -1)
            if fact.signs == ZERO:
                if roots:
                    self.call("sum", target, [], [(both, a)])
            elif low.keys() != {()} or roots:
                self.call("sum", target, [(1, [(a, 1), (both, 1)])], [])

    def solved(self, zero: Poly) -> bool:
        context = self.context
        costs = {
            index: 10 * len(slope) + len(rest)
            for index, slope, rest in linear(context, zero)
            if not context.rule_of(index)
            and (not context.signs(slope) & ZERO or self.prove(slope, NONZERO))
        }
        return bool(costs) and self.call("solve", min(costs, key=lambda one: costs[one]), zero)

    # goals

    def show(self, goal: Aim, depth: int) -> Script | None:
        """The script that shows the goal here, with cases where they are needed."""
        context = self.context
        self.proposer.branches += 1
        if self.proposer.branches > MOST_BRANCHES or depth > MOST_DEPTH:
            return None
        context.forget()
        for _ in range(6):
            if goal.holds(context) or context.closed:
                return self.script
            wanted = dict(context.wanted)
            before = len(self.script)
            self.tried.clear()
            for (_, what), a in wanted.items():
                self.prove_wanted(a, what)
            targets = goal.signs(context)
            for a, signs in targets:
                if not any(self.is_split(one) for one, _ in targets):
                    self.prove(a, signs)
                elif depth == 0:
                    self.by_squares_of_sides(a, signs)
            if len(self.script) == before:
                break
            if not self.call("again"):
                break
            self.use_equations()
        if goal.holds(context) or context.closed or self.contradiction():
            return self.script
        found = self.by_cases(goal, wanted, depth)
        if found is None and any(self.is_split(a) for a, _ in targets):
            for a, signs in targets:
                self.prove(a, signs)
            return self.script if goal.holds(context) else None
        return found

    def by_squares_of_sides(self, a: Poly, signs: int) -> None:
        """A root against absolute values needs no cases: both sides are >= 0."""
        if not signs & POS:
            a, signs = poly.scale(a, -1), flipped(signs)
        kinds = {self.context.table.atoms[index].kind for index in poly.atoms_in(a)}
        if signs & NEG or "root" not in kinds:
            return
        moves.by_squaring(self, a, signs == POS, 1)

    def is_split(self, a: Poly) -> bool:
        """Whether |.| or a condition stands in it, of which cases make something simpler."""
        kinds = {self.context.table.atoms[index].kind for index in poly.atoms_in(a)}
        return bool(kinds & {"abs", "pos"})

    def prove_wanted(self, a: Poly, what: str) -> None:
        if self.is_split(a):
            return
        if what == "nonzero":
            self.prove(a, NONZERO)
        else:
            for signs in (WEAK, NEG | ZERO) if what == "sign" else (POS, NEG, WEAK, NEG | ZERO):
                if not self.context.signs(a) & ~signs or self.prove(a, signs, 0):
                    break

    def by_cases(self, goal: Aim, wanted: Any, depth: int) -> Script | None:
        context = self.context
        atoms = context.table.atoms

        def cost(entry: Any) -> tuple[int, int]:
            plain = [atoms[i].kind == "var" for i in poly.atoms_in(entry[1])]
            return plain.count(False), len(entry[1])

        for (_, what), a in sorted(wanted.items(), key=cost):
            signs = context.signs(a)
            kind = "closed" if what == "sign" else "three" if what == "three" else "zero"
            if signs in (POS, NEG, ZERO) or (what == "sign" and signs in (WEAK, NEG | ZERO)):
                continue
            if what == "three" and signs == WEAK:
                kind = "open"
            scripts = []
            for assumed in CASES[kind]:
                case = context.case().assume(a, assumed)
                inner = Attempt(self.proposer, case, self.samples.those(a, assumed))
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
        work = self.proposer.work
        if work.left < 0 or time.process_time() > work.deadline:
            raise TooBigError("the search is too long")
        if key in self.tried or self.busy > 6 or self.samples.seen(a) & ~signs:
            return False
        self.tried[key] = False
        self.busy += 1
        try:
            self.search(a, signs, depth)
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
            self.call("number", a, enclosures(context, a))
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
        self.use_linear_factors(a)
        coefficient, parts = context.factors(Ratio(a))
        if len(parts) > 1 or parts[0][1] != 1:
            for part, exponent in parts:
                if exponent % 2 == 0 and signs & ZERO:
                    continue
                if context.signs(part) in (ANY, WEAK, NEG | ZERO, NONZERO):
                    strict = (POS, NEG, WEAK, NEG | ZERO) if signs == POS else (NONZERO,)
                    for want in (WEAK, NEG | ZERO) if signs & ZERO else strict:
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
        two = context.two_valued(Ratio(a))
        if two is not None and len(poly.atoms_in(a)) > 1:
            values = (0, 1) if context.rule_of(two) == "label" else (-1, 1)
            if all(self.prove(put(a, two, value), signs, depth) for value in values):
                context.seen.clear()
                return
        if signs == NONZERO:
            for one in (POS, NEG):
                if self.prove(a, one, depth):
                    return
            if self.proposer.problem.facts and len(a) == 1:
                self.lemma(a, NONZERO, [("cases", a, "zero", [[], []])])
        elif signs == ZERO:
            self.vanishes(a)
        else:
            for way in moves.QUICK if self.proposer.effort == 0 else moves.QUICK + moves.THOROUGH:
                way(self, a, signs == POS, depth)
                if done():
                    return

    def vanishes(self, a: Poly) -> None:
        """A multiple of what is 0; or >= 0 and <= 0."""
        zeros = self.zeros(a)
        if zeros:
            factors = combination(a, [zero[0] for zero in zeros], len(zeros), self.context.work)
            if factors is not None:
                used = [
                    (poly.scale(z[1], c), z[2]) for c, z in zip(factors, zeros, strict=True) if c
                ]
                self.call("sum", a, [], used)
                return
        if len(a) <= 12 and self.proposer.problem.facts and self.prove(a, WEAK):
            self.prove(a, NEG | ZERO)

    def zeros(self, target: Poly) -> list[tuple[Poly, Poly, Poly]]:
        """Multiples of what is 0, with the factor and what is 0."""
        found = []
        for fact in list(self.context.known.values()):
            if fact.signs == ZERO:
                found += self.multiples(target, fact.poly)
        return found

    def facts(self, a: Poly) -> list[tuple[Poly, bool]]:
        """Known polynomials >= 0 (True: > 0)."""
        found = []
        for fact in self.context.known.values():
            if fact.signs in (POS, WEAK):
                found.append((fact.poly, fact.signs == POS))
            elif fact.signs in (NEG, NEG | ZERO):
                found.append((poly.scale(fact.poly, -1), fact.signs == NEG))
        return found

    def combined(self, target: Poly, strict: bool, products: bool = False) -> None:
        """A sum of facts; then of facts times monomials, squares, and multiples of what is 0."""
        for rich in (False, True):
            self.one_combination(target, products, rich)
            if not self.context.signs(target) & ~(POS if strict else WEAK):
                return

    def one_combination(self, target: Poly, products: bool, rich: bool) -> bool:
        context = self.context
        facts = self.facts(target)
        zeros = self.zeros(target)
        bricks: dict[Any, tuple[Poly, bool, list[tuple[Poly, int]]]] = {}

        def brick(value: Poly, sure: bool, parts: list[tuple[Poly, int]]) -> None:
            value = context.reduce(value)
            if value and len(bricks) < MOST_BRICKS:
                bricks.setdefault(key_of(value), (value, sure, parts))

        reach = set(target)
        for value, _, _ in zeros:
            reach |= set(value)
        for known, sure in facts:
            for multiplier in self.multipliers(target, known) if rich else NO_FACTOR:
                signs = context.signs_of_monomial(multiplier)
                turn = -1 if signs & NEG else 1
                candidate = poly.scale(poly.shift(known, multiplier), turn)
                parts = [(known, 1)] + ([({multiplier: turn}, 1)] if multiplier else [])
                brick(candidate, sure and not signs & ZERO, parts)
                reach |= set(candidate)
        for monomial in sorted(reach):
            one = context.signs_of_monomial(monomial)
            if not one & NEG or not one & POS:
                turn = -1 if one & NEG else 1
                brick({monomial: turn}, not one & ZERO, [({monomial: turn}, 1)])
        bases = self.proposer.bases(context)
        pairs = [context.times(*two) for two in combinations(bases[:12], 2)]
        for square in [*bases, *pairs, *self.squares(reach)] if rich else []:
            value = context.times(square, square)
            if value.keys() <= reach:
                brick(value, False, [(square, 2)])
        if products and rich:
            short = [one for one in facts if len(one[0]) <= 12][:14]
            for (p, first), (q, second) in combinations([*short, *short], 2):
                brick(context.times(p, q), first and second, [(p, 1), (q, 1)])
        chosen = list(bricks.values())
        if not chosen:
            return False
        factors = combination(
            target, [one[0] for one in chosen] + [z[0] for z in zeros], len(zeros), context.work
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
                    if self.is_plain(quotient):
                        signs = context.signs_of_monomial(quotient)
                        if not signs & NEG or not signs & POS:
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


def alike(a: Need, b: Need) -> bool:
    """Whether two needs ask the same."""
    return (a.kind, a.node, a.exponent) == (b.kind, b.node, b.exponent)


@dataclass(frozen=True)
class Proposal:
    """What came of a search: whether the kernel replayed a proof, the needs that are met, and why
    the line is true."""

    replayed: bool
    met: list[Need]
    reason: str = ""


def proposal(problem: Problem, points: Sequence[Point], work: int, deadline: float) -> Proposal:
    """A search for a proof, and its replay on a fresh context."""
    proposer = Proposer(problem, points, work, deadline)
    try:
        scripts = proposer.scripts()
        shown = scripts is not None and theorem(
            problem, scripts, proposer.table, Work(work, deadline)
        )
    except (RuleError, TooBigError):
        shown = False
    told = reason(problem, scripts, proposer.table) if shown and scripts is not None else ""
    return Proposal(shown, proposer.met, told)
