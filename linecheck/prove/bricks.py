"""Sums of known inequalities: hypotheses, squares and lemmas, times monomials that are >= 0."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from linecheck.algebra import polynomials as poly
from linecheck.algebra.polynomials import Coefficient, Monomial, Polynomial, key_of
from linecheck.algebra.ratios import Ratio
from linecheck.prove.combine import combination
from linecheck.prove.facts import Known
from linecheck.prove.prover import Prover

MOST_BRICKS = 260


def combined(prover: Prover, polynomial: Polynomial, strict: bool, products: bool) -> bool:
    given = prover.facts.about(polynomial)
    found = lemmas(prover, polynomial, given)
    facts = given + found
    if products:
        pairs = pairwise_products(prover, given, found)
        if not pairs:
            return False
        facts += pairs
    equations = [one for zero in prover.facts.zero for one in multiples(prover, polynomial, zero)]
    parts = bricks(prover, polynomial, facts, equations)
    if not parts:
        return False
    factors = combination(
        polynomial, [part.polynomial for part in parts] + equations, len(equations)
    )
    if factors is None:
        return False
    if not strict:
        return True
    return any(factor > 0 and part.strict for factor, part in zip(factors, parts, strict=False))


def pairwise_products(prover: Prover, given: list[Known], lemmas: list[Known]) -> list[Known]:
    """Products of two hypotheses, and of a hypothesis such as 1 - p > 0 and a lemma."""
    short = [known for known in given if len(known.polynomial) <= 12][:14]
    pairs = [*combinations(short, 2), *((one, one) for one in short)]
    weights = [known for known in given if 2 <= len(known.polynomial) <= 4][:3]
    pairs += [(weight, lemma) for weight in weights for lemma in lemmas[:14]]
    return [
        Known(prover.algebra.times(a.polynomial, b.polynomial), a.strict and b.strict)
        for a, b in pairs
    ]


def multiples(prover: Prover, polynomial: Polynomial, zero: Polynomial) -> list[Polynomial]:
    """A polynomial that is 0, times the monomials that bring it near the target."""
    monomials = {
        poly.times_monomials(target, poly.power_monomial(one, -1))
        for target in polynomial
        for one in zero
    }
    plain = [m for m in monomials if all(e > 0 for _, e in m)]
    return [prover.algebra.reduce(poly.shift(zero, m)) for m in sorted(plain)[:40]]


def bricks(
    prover: Prover, polynomial: Polynomial, facts: list[Known], equations: list[Polynomial]
) -> list[Known]:
    """Polynomials known to be >= 0 that share monomials with the target."""
    algebra = prover.algebra
    found: dict[object, Known] = {}

    def put(candidate: Polynomial, strict: bool) -> None:
        reduced = algebra.reduce(candidate)
        if reduced and len(found) < MOST_BRICKS:
            found.setdefault(key_of(reduced), Known(reduced, strict))

    reach = set(polynomial).union(*equations)
    for known in facts:
        for multiplier in multipliers(prover, polynomial, known.polynomial):
            sign = algebra.monomial_sign(multiplier)
            candidate = poly.shift(known.polynomial, multiplier)
            put(candidate, known.strict and sign == 2)
            reach |= set(candidate)
    for monomial in sorted(reach):
        sign = algebra.monomial_sign(monomial)
        if sign is not None:
            put({monomial: 1}, sign == 2)
    for square in squares(prover, reach):
        put(square, False)
    return list(found.values())


def multipliers(prover: Prover, target: Polynomial, known: Polynomial) -> list[Monomial]:
    """Monomials >= 0 that bring some term of a known inequality onto a term of the target."""
    algebra = prover.algebra
    found: set[Monomial] = {()}
    below = {index for monomial in target for index, e in monomial if e < 0}
    if len(target) * len(known) <= 1500:
        inverses = [poly.power_monomial(one, -1) for one in known]
        for goal in target:
            for one in inverses:
                quotient = poly.times_monomials(goal, one)
                if quotient in found:
                    continue
                # a generator that may be 0 is never divided by, unless the target does it
                allowed = all(
                    e > 0 or index in below or algebra.is_positive_generator(index)
                    for index, e in quotient
                )
                if allowed and algebra.monomial_sign(quotient) is not None:
                    found.add(quotient)
    ranked = sorted(found, key=lambda m: (poly.size_of(m), m))
    return ranked[:12]


def squares(prover: Prover, monomials: set[Monomial]) -> list[Polynomial]:
    """(a - b)**2 and (a + b)**2 for products a b among the monomials."""
    algebra = prover.algebra
    halves: list[Monomial] = []
    for monomial in sorted(monomials):
        half = poly.power_monomial(monomial, Fraction(1, 2))
        whole = all(
            not isinstance(e, Fraction) or algebra.is_nonnegative_generator(index)
            for index, e in half
        )
        if whole and algebra.monomial_sign(monomial) is not None:
            halves.append(half)
    found = []
    for a, b in combinations(halves[:24], 2):
        product = poly.times_monomials(a, b)
        if product in monomials:
            ends = poly.add({poly.times_monomials(a, a): 1}, {poly.times_monomials(b, b): 1})
            for sign in (2, -2):
                found.append(poly.add(ends, {product: sign}))
    return found


def lemmas(prover: Prover, polynomial: Polynomial, facts: list[Known]) -> list[Known]:
    """exp(u) >= 1 + u, log f <= f - 1, and that exp and log grow, for what occurs."""
    algebra = prover.algebra
    found: list[Known] = []
    indices = {
        index
        for one in (polynomial, *(known.polynomial for known in facts))
        for monomial in one
        for index, _ in monomial
    }
    logs = sorted(i for i in indices if algebra.generators[i].kind == "log")
    for power, inside in powers_of_e(prover, polynomial):
        # exp(u) - 1 - u >= 0
        apart = prover.busy <= 2 and abs(prover.sign(inside) or 0) == 2
        found.append(Known(poly.add({power: 1, (): -1}, inside, -1), apart))
    for known in prover.facts.known:
        grown = exponentiated(prover, known.polynomial)
        if grown is not None:
            found.append(Known(grown, known.strict))
    numbers = numbers_under(prover, logs)[:2]
    insides: list[tuple[int, Polynomial]] = []
    for index in [i for i in logs if i not in {n for n, _ in numbers}][:6]:
        positive = size(prover, index)
        if positive is not None:
            insides.append((index, positive))
    for index, inside in insides:
        log = poly.generator(index)
        beyond = prover.sign(poly.add(inside, {(): -1}))
        if beyond is not None and abs(beyond) <= 2 and beyond != 0:
            # log f has the sign of f - 1
            found.append(Known(poly.scale(log, 1 if beyond > 0 else -1), abs(beyond) == 2))
        apart = beyond is not None and abs(beyond) == 2
        found.append(Known(poly.add(poly.add(inside, log, -1), {(): -1}), apart))
        # f log f - f + 1 >= 0
        product = algebra.times(inside, log)
        found.append(Known(poly.add(poly.add(product, inside, -1), {(): 1}), apart))
        for number, c in numbers:
            # f log(c f) - f + 1/c >= 0 for a number c, and for 1/c
            for sign in (1, -1):
                scaled = poly.add(product, algebra.times(inside, poly.generator(number)), sign)
                end = poly.constant(Fraction(c) ** -sign)
                found.append(Known(poly.add(poly.add(scaled, inside, -1), end), False))
    for (i, f), (j, g) in combinations(insides, 2):
        apart = abs(prover.sign(poly.add(f, g, -1)) or 0) == 2
        for a, b, first, second in ((i, j, f, g), (j, i, g, f)):
            # f log f - f log g - f + g >= 0
            quotient = poly.add(poly.generator(a), poly.generator(b), -1)
            lemma = poly.add(algebra.times(first, quotient), first, -1)
            found.append(Known(poly.add(lemma, second), apart))
            for number, c in numbers:
                # the same for c f and g
                scaled = poly.scale(first, c)
                grown = poly.add(quotient, poly.generator(number))
                lemma = poly.add(algebra.times(scaled, grown), scaled, -1)
                found.append(Known(poly.add(lemma, second), False))
            ahead = prover.sign(poly.add(first, second, -1))
            if ahead is not None and ahead >= 1:
                found.append(Known(quotient, ahead == 2))
    return found


def numbers_under(prover: Prover, logs: list[int]) -> list[tuple[int, Coefficient]]:
    """(generator, c) for the logarithms of numbers c."""
    found = []
    for index in logs:
        inside = prover.algebra.generators[index].inside
        if inside is not None and inside.top.keys() == {()}:
            found.append((index, inside.top[()]))
    return found


def size(prover: Prover, index: int) -> Polynomial | None:
    """|f| for the generator log|f|, when the sign of f is known."""
    inside = prover.algebra.generators[index].inside
    assert inside is not None
    sign = prover.sign(inside.top)
    if sign is None or abs(sign) != 2:
        return None
    return inside.top if sign > 0 else poly.scale(inside.top, -1)


def powers_of_e(prover: Prover, polynomial: Polynomial) -> list[tuple[Monomial, Polynomial]]:
    """(exp(u), u) for the products of exponentials in a polynomial, and their quotients."""
    algebra = prover.algebra
    parts: dict[Monomial, None] = {}
    for monomial in polynomial:
        part = tuple((i, e) for i, e in monomial if algebra.generators[i].kind == "exp")
        parts[part] = None
    powers = [part for part in parts if part][:5]
    quotients = [
        poly.times_monomials(a, poly.power_monomial(b, -1)) for a, b in combinations(powers, 2)
    ]
    found = []
    for power in dict.fromkeys([*powers, *quotients]):
        for turned in (power, poly.power_monomial(power, -1)):
            inside = Ratio({})
            for index, exponent in turned:
                one = algebra.generators[index].inside
                assert one is not None
                inside = algebra.add(inside, Ratio(poly.scale(one.top, exponent), one.below))
            if not inside.below:
                found.append((turned, inside.top))
    return found


def exponentiated(prover: Prover, polynomial: Polynomial) -> Polynomial | None:
    """From u >= 0: exp(u) - 1 >= 0, when exp(u) is made of generators that occur."""
    algebra = prover.algebra
    monomial: Monomial = ()
    for one, coefficient in polynomial.items():
        index = algebra.indices.get(("exp", (one, ())))
        if index is None:
            return None
        power = Fraction(coefficient)
        exponent = int(power) if power.denominator == 1 else power
        monomial = poly.times_monomials(monomial, ((index, exponent),))
    return poly.add({monomial: 1}, {(): -1})
