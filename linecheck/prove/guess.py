"""What the kernel asks for and then checks: quotients, factors, primes, enclosures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from fractions import Fraction

from mpmath.libmp import to_rational

from linecheck.kernel import polynomials as poly
from linecheck.kernel.facts import RuleError
from linecheck.kernel.numbers import ONE, Given
from linecheck.kernel.polynomials import MOST_TERMS, Exponent, Key, Monomial, Poly, Work
from linecheck.kernel.rules import Context
from linecheck.prove.nodes import NoNodeError, node_of_atom
from linecheck.search import interval as iv
from linecheck.search.evaluate import Evaluator

LARGEST_PRIME = 2000
BITS = 380  # 110 digits, and some more
SLACK = ONE // 10**60  # by which an enclosure is wider; less for what stands inside


class Guess:
    """Found by division; the kernel multiplies."""

    def cancelled(
        self, top: Poly, below: Mapping[Key, int], work: Work
    ) -> tuple[Poly, dict[Key, int]]:
        """The quotient of a polynomial and powers, in lower terms."""
        kept = {}
        for key, exponent in below.items():
            factor = dict(key)
            while top and exponent and len(top) * len(factor) <= 4000:
                quotient = self.quotient(top, factor, work)
                if quotient is None:
                    break
                top, exponent = quotient, exponent - 1
            if exponent:
                kept[key] = exponent
        return top, kept

    def quotient(self, top: Poly, factor: Poly, work: Work) -> Poly | None:
        """top / factor, if it is a polynomial."""
        if not set(poly.atoms_in(factor)) <= set(poly.atoms_in(top)):
            return None
        low = poly.content(top) if len(factor) > 1 else ()
        found = _tried(poly.shift(top, poly.power_of_monomial(low, -1)), factor, work)
        return None if found is None else poly.shift(found, low)

    def factors(self, a: Poly, parts: Iterable[Poly], work: Work) -> list[tuple[Poly, int]]:
        """Polynomials with exponents, whose product is a number times a."""
        found: list[tuple[Poly, int]] = []
        for factor in sorted(parts, key=len):
            count = 0
            while len(a) > 1 and len(a) * len(factor) < 3000 and _fits(factor, a):
                quotient = _tried(a, factor, work)
                if quotient is None:
                    break
                a, count = quotient, count + 1
            if count:
                found.append((factor, count))
        return found if a.keys() == {()} else [*found, (poly.primitive(a)[1], 1)]

    def primes(self, value: int) -> list[tuple[int, int]]:
        """Primes up to a bound, with their powers; what is left is one factor."""
        found = []
        candidate = 2
        while candidate * candidate <= value and candidate <= LARGEST_PRIME:
            exponent = 0
            while value % candidate == 0:
                value, exponent = value // candidate, exponent + 1
            if exponent:
                found.append((candidate, exponent))
            candidate += 1
        return [*found, (value, 1)] if value > 1 else found


def number(context: Context, a: Poly) -> None:
    """The sign of a number, if it is found."""
    with suppress(RuleError):
        context.rule_number(a, enclosures(context, a))


def enclosures(context: Context, a: Poly) -> Given:
    """Two integers, as the kernel counts, for each root, logarithm and quantile in a number."""
    table, waiting = context.table, [(context.reduce(a), SLACK)]
    slacks: dict[tuple[int, Exponent], int] = {}
    while waiting:
        one, slack = waiting.pop()
        for index, exponent in {power for monomial in one for power in monomial}:
            atom = table.atoms[index]
            waiting += [(dict(top), slack // 10**8) for top, _ in atom.args]
            if atom.kind not in ("exp", "Phi"):
                power = index, 1 if atom.kind in ("log", "Phi_inv") else exponent
                slacks[power] = min(slack, slacks.get(power, slack))
    found = {}
    for (index, exponent), slack in slacks.items():
        with suppress(NoNodeError):
            node = node_of_atom(table.graph, context, index)
            (value,) = Evaluator([table.graph.pow(node, table.graph.num(exponent))]).at({}, BITS)
            if isinstance(value, Fraction | iv.Interval):
                ends = iv.enclose(value, BITS)
                low, high = (Fraction(*map(int, to_rational(e))) for e in (ends.low, ends.high))
                found[index, exponent] = int(low * ONE) - slack, int(high * ONE) + slack
    return found


def _fits(factor: Poly, whole: Poly) -> bool:
    return len(factor) <= len(whole) and set(poly.atoms_in(factor)) <= set(poly.atoms_in(whole))


def _tried(a: Poly, b: Poly, work: Work) -> Poly | None:
    """a / b; where it is one the kernel multiplies, and that is counted."""
    left = work.left
    found = divided(a, b, work)
    if found is not None:
        work.left = left
    return found


def divided(a: Poly, b: Poly, work: Work) -> Poly | None:
    """a / b when it is a polynomial, else None."""
    indices = poly.atoms_in(a, b)

    def dense(monomial: Monomial) -> tuple[Exponent, ...]:
        exponents = dict(monomial)
        return tuple(exponents.get(atom, 0) for atom in indices)

    rest = {dense(m): c for m, c in a.items()}
    divisor = {dense(m): c for m, c in b.items()}
    lead = max(divisor)
    over = 1 / Fraction(divisor[lead])
    quotient: Poly = {}
    while rest:
        work.spend(len(divisor) + 1)
        top = max(rest)
        step = tuple(x - y for x, y in zip(top, lead, strict=True))
        if any(e < 0 for e in step) or len(quotient) > MOST_TERMS:
            return None
        factor = poly.short(rest[top] * over)
        quotient[tuple((indices[k], e) for k, e in enumerate(step) if e)] = factor
        for other, coefficient in divisor.items():
            target = tuple(x + y for x, y in zip(step, other, strict=True))
            value = rest.get(target, 0) - factor * coefficient
            if value:
                rest[target] = poly.short(value)
            else:
                rest.pop(target, None)
    return quotient
