"""Proofs of single statements about one problem, case by case."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from linecheck.algebra import polynomials as poly
from linecheck.algebra.polynomials import Polynomial
from linecheck.algebra.ratios import NoNormalFormError, Ratio, SideError, SplitError
from linecheck.expand.graph import Node
from linecheck.expand.needs import Need, met
from linecheck.expand.problem import Fact
from linecheck.language.terms import TooBigError
from linecheck.prove.bricks import multiples
from linecheck.prove.combine import combination
from linecheck.prove.knowledge import ImpossibleError, Knowledge

SHORT_ENOUGH = 12  # terms of a difference that is tried as >= 0 and <= 0
MOST_SIDES = 16  # combinations of sides of kinks
MOST_SPLITS = 7  # nested
MOST_BRANCHES = 80  # altogether


class ProofByCases:
    """Splits into cases and proves needs, equations, inequalities and conditions."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.problem, self.field = knowledge.problem, knowledge.field
        self.prover = knowledge.prover
        self.branches = 0

    def by_cases(self, task: Callable[[], bool], facts: tuple[Fact, ...] = ()) -> bool:
        """Whether the task succeeds, splitting into cases where a sign is open."""
        algebra = self.field.algebra
        self.branches += 1
        if self.branches > MOST_BRANCHES or algebra.work.left <= 0:
            return False
        try:
            self.knowledge.suppose(facts)
            done = task()
        except ImpossibleError:
            return True
        except SplitError as split:
            if len(facts) >= MOST_SPLITS:
                return False
            node = algebra.node_of_polynomial(split.polynomial)
            minus = self.problem.graph.neg(node)
            return all(
                self.by_cases(task, (*facts, *case)) for case in _cases(split.kind, node, minus)
            )
        except SideError as side:
            before = dict(self.field.sides)
            try:
                for choice in (1, -1):
                    self.field.sides = {**before, side.key: choice}
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
        algebra = self.field.algebra
        prover = self.prover
        try:
            for known in prover.facts.known:
                sign = algebra.plain_sign(known.polynomial)
                if sign is not None and (sign == -2 or (sign <= 0 and known.strict)):
                    return True
            for zero in prover.facts.zero:
                if algebra.plain_sign(zero) in (2, -2):
                    return True
                if prover.facts.said_nonzero(zero):
                    return True
                if prover.proves(zero, True) or prover.proves(poly.scale(zero, -1), True):
                    return True
            target: Polynomial = {(): -1}
            names = {n for k in prover.facts.known for n in algebra.depends(k.polynomial)}
            facts = [*prover.facts.known, *prover.facts.domain_facts(names)]
            if not prover.facts.known:
                return False
            bricks = [known.polynomial for known in facts]
            if combination(target, [*bricks, {(): 1}]) is not None:
                return True
            strict = [known.polynomial for known in facts if known.strict]
            if any(combination(poly.scale(one, -1), bricks) is not None for one in strict):
                return True
            return any(
                prover.proves(poly.scale(known.polynomial, -1), not known.strict)
                for known in prover.facts.known[:8]
            )
        except (SplitError, NoNormalFormError, TooBigError):
            return False

    def defined(self, need: Need) -> bool:
        if need.kind == "exists":
            return self.derivative_exists(need.node)
        ratio = self.field.of(need.node)
        if need.kind == "one":
            return not self.field.algebra.subtract(ratio, Ratio({(): 1})).top
        if need.kind == "nonzero":
            return self.is_nonzero(ratio)
        sign = self.sign_of(ratio)
        exponent = None
        if need.exponent is not None and sign in (0, 1):
            exponent = self.sign_of(self.field.of(need.exponent))
        return met(need.kind, sign, exponent) is True

    def derivative_exists(self, node: Node) -> bool:
        """Whether a derivative is the same from both sides of every kink."""
        field = self.field
        before = field.sides
        waiting = [dict(before)]
        values: list[Ratio] = []
        try:
            while waiting and len(waiting) + len(values) <= MOST_SIDES:
                field.sides = waiting.pop()
                field.forget()
                try:
                    values.append(field.of(node))
                except SideError as side:
                    waiting += [{**field.sides, side.key: one} for one in (1, -1)]
        finally:
            field.sides = before
            field.forget()
        return not waiting and all(
            self.is_zero(field.algebra.subtract(value, values[0])) for value in values[1:]
        )

    def is_nonzero(self, ratio: Ratio) -> bool:
        if not ratio.top:
            return False
        prover = self.prover
        if prover.facts.said_nonzero(ratio.top):
            return True
        whole = prover.sign(ratio.top)
        if whole is not None and abs(whole) == 2:
            return True
        _, parts = self.field.algebra.signed_parts(ratio)
        for part, power in parts:
            if power < 0 or prover.facts.said_nonzero(part):
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
        sign, parts = self.field.algebra.signed_parts(ratio)
        size = 2
        for part, power in parts:
            known = self.prover.sign(part)
            even = not isinstance(power, Fraction) and power % 2 == 0
            if known is None:
                if not even:
                    return None
                known = 2 if self.prover.facts.is_nonzero(part) else 1
            if known == 0:
                return 0
            if power > 0:
                size = min(size, abs(known))
            if known < 0 and not even:
                sign = -sign
        return sign * size

    def related(self, left: Node, right: Node, relation: str) -> bool:
        field = self.field
        algebra = field.algebra
        if relation == "implies":
            return not field.truth(left) or field.truth(right)
        if relation == "iff":
            return field.truth(left) == field.truth(right)
        difference = algebra.subtract(field.of(right), field.of(left))
        if relation == "==":
            return self.is_zero(difference)
        if relation == "!=":
            return self.is_nonzero(difference)
        if relation in (">", ">="):
            difference = algebra.negative(difference)
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
                top = self.field.algebra.times(top, dict(key))
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
        if self.prover.facts.is_zero(ratio.top):
            return True
        if self.prover.facts.zero:
            equations = [
                one
                for zero in self.prover.facts.zero
                for one in multiples(self.prover, ratio.top, zero)
            ]
            if combination(ratio.top, equations, len(equations)) is not None:
                return True
        if not self.prover.facts.known or len(ratio.top) > SHORT_ENOUGH:
            return False
        other = poly.scale(ratio.top, -1)
        return self.prover.proves(ratio.top, False) and self.prover.proves(other, False)


def _cases(kind: str, node: Node, minus: Node) -> list[tuple[Fact, ...]]:
    if kind == "closed":
        return [(Fact(">=", node),), (Fact(">=", minus),)]
    if kind == "three":
        return [(Fact(">", node),), (Fact(">", minus),), (Fact("==", node),)]
    if kind == "positive":
        return [(Fact(">", node),), (Fact(">=", minus),)]
    return [(Fact(">", minus),), (Fact(">=", node),)]
