"""Sums of known inequalities: hypotheses, squares and lemmas, times monomials that are >= 0."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from lectures_lib.proofs.algebra import polynomials as poly
from lectures_lib.proofs.algebra.polynomials import Coefficient, Monomial, Polynomial, key_of
from lectures_lib.proofs.algebra.ratios import Ratio
from lectures_lib.proofs.prove.combine import combination
from lectures_lib.proofs.prove.facts import Facts, Known

MOST_BRICKS = 260


class Bricks(Facts):
    """Looks for a polynomial as a sum of known ones."""

    def combined(self, polynomial: Polynomial, strict: bool, products: bool) -> bool:
        given = self.facts_about(polynomial)
        lemmas = self.lemmas(polynomial, given)
        facts = given + lemmas
        if products:
            pairs = self.products(given, lemmas) + self.weighted_squares(polynomial, facts)
            if not pairs:
                return False
            facts += pairs
        equations = [one for zero in self.zero for one in self.multiples(polynomial, zero)]
        bricks = self.bricks(polynomial, facts, equations)
        if not bricks:
            return False
        found = combination(polynomial, [b.polynomial for b in bricks] + equations, len(equations))
        if found is None:
            return False
        if not strict:
            return True
        return any(
            factor > 0 and brick.strict for factor, brick in zip(found, bricks, strict=False)
        )

    def products(self, given: list[Known], lemmas: list[Known]) -> list[Known]:
        """Products of two hypotheses, and of a hypothesis such as 1 - p > 0 and a lemma."""
        short = [known for known in given if len(known.polynomial) <= 12][:14]
        pairs = [*combinations(short, 2), *((one, one) for one in short)]
        weights = [known for known in given if 2 <= len(known.polynomial) <= 4][:3]
        pairs += [(weight, lemma) for weight in weights for lemma in lemmas[:14]]
        return [
            Known(self.field.times(a.polynomial, b.polynomial), a.strict and b.strict)
            for a, b in pairs
        ]

    def weighted_squares(self, polynomial: Polynomial, facts: list[Known]) -> list[Known]:
        """f (a - b)**2 for hypotheses f and variables a, b whose squares occur."""
        field = self.field
        squared = [
            index
            for index in self.generators_in(polynomial)
            if any((index, 2) in monomial for monomial in polynomial)
        ][:4]
        weights = [known for known in facts if 2 <= len(known.polynomial) <= 4][:4]
        found = []
        for i, j in combinations(squared, 2):
            for sign in (-1, 1):
                root = poly.add(poly.generator(i), poly.generator(j), sign)
                square = field.times(root, root)
                found += [Known(field.times(known.polynomial, square), False) for known in weights]
        return found

    def multiples(self, polynomial: Polynomial, zero: Polynomial) -> list[Polynomial]:
        """A polynomial that is 0, times the monomials that bring it near the target."""
        monomials = {
            poly.times_monomials(target, poly.power_monomial(one, -1))
            for target in polynomial
            for one in zero
        }
        plain = [m for m in monomials if all(e > 0 for _, e in m)]
        return [self.field.reduce(poly.shift(zero, m)) for m in sorted(plain)[:40]]

    def bricks(
        self, polynomial: Polynomial, facts: list[Known], equations: list[Polynomial]
    ) -> list[Known]:
        """Polynomials known to be >= 0 that share monomials with the target."""
        found: dict[object, Known] = {}

        def put(candidate: Polynomial, strict: bool) -> None:
            reduced = self.field.reduce(candidate)
            if reduced and len(found) < MOST_BRICKS:
                found.setdefault(key_of(reduced), Known(reduced, strict))

        reach = set(polynomial).union(*equations)
        for known in facts:
            for multiplier in self.multipliers(polynomial, known.polynomial):
                sign = self.field.monomial_sign(multiplier)
                candidate = poly.shift(known.polynomial, multiplier)
                put(candidate, known.strict and sign == 2)
                reach |= set(candidate)
        for monomial in sorted(reach):
            sign = self.field.monomial_sign(monomial)
            if sign is not None:
                put({monomial: 1}, sign == 2)
        for square in self.squares(reach):
            put(square, False)
        return list(found.values())

    def multipliers(self, target: Polynomial, known: Polynomial) -> list[Monomial]:
        """Monomials >= 0 that bring some term of a known inequality onto a term of the target."""
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
                        e > 0 or index in below or self.field.is_positive_generator(index)
                        for index, e in quotient
                    )
                    if allowed and self.field.monomial_sign(quotient) is not None:
                        found.add(quotient)
        ranked = sorted(found, key=lambda m: (poly.size_of(m), m))
        return ranked[:12]

    def squares(self, monomials: set[Monomial]) -> list[Polynomial]:
        """(a - b)**2 and (a + b)**2 for products a b among the monomials."""
        halves: list[Monomial] = []
        for monomial in sorted(monomials):
            half = poly.power_monomial(monomial, Fraction(1, 2))
            whole = all(
                not isinstance(e, Fraction) or self.field.is_nonnegative_generator(index)
                for index, e in half
            )
            if whole and self.field.monomial_sign(monomial) is not None:
                halves.append(half)
        found = []
        for a, b in combinations(halves[:24], 2):
            product = poly.times_monomials(a, b)
            if product in monomials:
                ends = poly.add({poly.times_monomials(a, a): 1}, {poly.times_monomials(b, b): 1})
                for sign in (2, -2):
                    found.append(poly.add(ends, {product: sign}))
        return found

    def lemmas(self, polynomial: Polynomial, facts: list[Known]) -> list[Known]:
        """exp(u) >= 1 + u, log f <= f - 1, and that exp and log grow, for what occurs."""
        field = self.field
        found: list[Known] = []
        indices = {
            index
            for one in (polynomial, *(known.polynomial for known in facts))
            for monomial in one
            for index, _ in monomial
        }
        logs = sorted(i for i in indices if field.generators[i].kind == "log")
        for power, inside in self.powers_of_e(polynomial):
            # exp(u) - 1 - u >= 0
            apart = self.busy <= 2 and abs(self.sign(inside) or 0) == 2
            found.append(Known(poly.add({power: 1, (): -1}, inside, -1), apart))
        for known in self.known:
            grown = self.exponentiated(known.polynomial)
            if grown is not None:
                found.append(Known(grown, known.strict))
        numbers = self.numbers_under(logs)[:2]
        insides: list[tuple[int, Polynomial]] = []
        for index in [i for i in logs if i not in {n for n, _ in numbers}][:6]:
            size = self.size(index)
            if size is not None:
                insides.append((index, size))
        for index, inside in insides:
            log = poly.generator(index)
            beyond = self.sign(poly.add(inside, {(): -1}))
            if beyond is not None and abs(beyond) <= 2 and beyond != 0:
                # log f has the sign of f - 1
                found.append(Known(poly.scale(log, 1 if beyond > 0 else -1), abs(beyond) == 2))
            apart = beyond is not None and abs(beyond) == 2
            found.append(Known(poly.add(poly.add(inside, log, -1), {(): -1}), apart))
            # f log f - f + 1 >= 0
            product = field.times(inside, log)
            found.append(Known(poly.add(poly.add(product, inside, -1), {(): 1}), apart))
            for number, c in numbers:
                # f log(c f) - f + 1/c >= 0 for a number c, and for 1/c
                for sign in (1, -1):
                    scaled = poly.add(product, field.times(inside, poly.generator(number)), sign)
                    end = poly.constant(Fraction(c) ** -sign)
                    found.append(Known(poly.add(poly.add(scaled, inside, -1), end), False))
        for (i, f), (j, g) in combinations(insides, 2):
            apart = abs(self.sign(poly.add(f, g, -1)) or 0) == 2
            for a, b, first, second in ((i, j, f, g), (j, i, g, f)):
                # f log f - f log g - f + g >= 0
                quotient = poly.add(poly.generator(a), poly.generator(b), -1)
                lemma = poly.add(field.times(first, quotient), first, -1)
                found.append(Known(poly.add(lemma, second), apart))
                for number, c in numbers:
                    # the same for c f and g
                    scaled = poly.scale(first, c)
                    grown = poly.add(quotient, poly.generator(number))
                    lemma = poly.add(field.times(scaled, grown), scaled, -1)
                    found.append(Known(poly.add(lemma, second), False))
                ahead = self.sign(poly.add(first, second, -1))
                if ahead is not None and ahead >= 1:
                    found.append(Known(quotient, ahead == 2))
        return found

    def numbers_under(self, logs: list[int]) -> list[tuple[int, Coefficient]]:
        """(generator, c) for the logarithms of numbers c."""
        found = []
        for index in logs:
            inside = self.field.generators[index].inside
            if inside is not None and inside.top.keys() == {()}:
                found.append((index, inside.top[()]))
        return found

    def size(self, index: int) -> Polynomial | None:
        """|f| for the generator log|f|, when the sign of f is known."""
        inside = self.field.generators[index].inside
        assert inside is not None
        sign = self.sign(inside.top)
        if sign is None or abs(sign) != 2:
            return None
        return inside.top if sign > 0 else poly.scale(inside.top, -1)

    def powers_of_e(self, polynomial: Polynomial) -> list[tuple[Monomial, Polynomial]]:
        """(exp(u), u) for the products of exponentials in a polynomial, and their quotients."""
        field = self.field
        parts: dict[Monomial, None] = {}
        for monomial in polynomial:
            part = tuple((i, e) for i, e in monomial if field.generators[i].kind == "exp")
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
                    one = field.generators[index].inside
                    assert one is not None
                    inside = field.add(inside, Ratio(poly.scale(one.top, exponent), one.below))
                if not inside.below:
                    found.append((turned, inside.top))
        return found

    def exponentiated(self, polynomial: Polynomial) -> Polynomial | None:
        """From u >= 0: exp(u) - 1 >= 0, when exp(u) is made of generators that occur."""
        field = self.field
        monomial: Monomial = ()
        for one, coefficient in polynomial.items():
            index = field.indices.get(("exp", (one, ())))
            if index is None:
                return None
            power = Fraction(coefficient)
            exponent = int(power) if power.denominator == 1 else power
            monomial = poly.times_monomials(monomial, ((index, exponent),))
        return poly.add({monomial: 1}, {(): -1})
