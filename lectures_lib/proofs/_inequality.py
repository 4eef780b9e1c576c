"""Proofs that a polynomial in the generators is >= 0 or > 0, from what is known of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from lectures_lib.proofs import _polynomials as poly
from lectures_lib.proofs._combine import combination
from lectures_lib.proofs._evaluate import DEEP_PRECISIONS, Evaluator
from lectures_lib.proofs._interval import Interval
from lectures_lib.proofs._normal_form import (
    Field,
    NoNormalFormError,
    Ratio,
    SplitError,
)
from lectures_lib.proofs._polynomials import Exponent, Monomial, Polynomial, Work, key_of
from lectures_lib.proofs._scalars import TooBigError
from lectures_lib.proofs._univariate import keeps_sign

DEEPEST = 3
MOST_BRICKS = 260


@dataclass(frozen=True)
class Known:
    """polynomial >= 0, or > 0 when strict."""

    polynomial: Polynomial
    strict: bool


class Prover:
    """Knows some inequalities and proves others from them."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.known: list[Known] = []
        self.nonzero: list[Polynomial] = []
        self.zero: list[Polynomial] = []
        self.bounds: dict[str, tuple[Fraction | None, Fraction | None, bool, bool]] = {}
        self.results: dict[tuple[object, bool, int], bool] = {}
        self.looks: Callable[[Polynomial], int | None] = lambda polynomial: None
        self.busy = 0
        self.effort = 0  # 0: only the quick ways, 1: all of them

    # knowledge

    def learn(self, polynomial: Polynomial, strict: bool) -> None:
        """Add polynomial >= 0 (> 0)."""
        if polynomial:
            self.known.append(Known(polynomial, strict))
            self.results.clear()

    def sign(self, polynomial: Polynomial) -> int | None:
        """2 (> 0), 1 (>= 0), 0 (== 0), -1, -2 as far as it can be proved; else None."""
        plain = self.field.plain_sign(polynomial)
        if plain is not None and abs(plain) != 1:
            return plain
        if any(self.same(polynomial, one) for one in self.zero):
            return 0
        looks = self.looks(polynomial)
        for direction in (1, -1):
            if looks is not None and looks != direction:
                continue
            turned = polynomial if direction > 0 else poly.scale(polynomial, -1)
            if self.proves(turned, True):
                return 2 * direction
            if (plain == direction) or self.proves(turned, False):
                if self.is_nonzero(polynomial):
                    return 2 * direction
                other = poly.scale(turned, -1)
                return 0 if looks is None and self.proves(other, False) else direction
        return plain

    def is_nonzero(self, polynomial: Polynomial) -> bool:
        """Whether the hypotheses say that a polynomial, or each of its factors, is not 0."""
        if not self.nonzero:
            return False
        if any(self.same(polynomial, one) for one in self.nonzero):
            return True
        _, monomial, factors = self.field.factors(polynomial)
        parts = [poly.generator(index) for index, _ in monomial] + [dict(key) for key in factors]
        if len(parts) == 1 and self.same(parts[0], polynomial):
            return False
        return all(
            any(self.same(part, one) for one in self.nonzero)
            or abs(self.field.plain_sign(part) or 0) == 2
            for part in parts
        )

    def same(self, a: Polynomial, b: Polynomial) -> bool:
        """Whether a is a constant times b."""
        if a.keys() != b.keys():
            return False
        monomial = next(iter(a))
        ratio = Fraction(a[monomial]) / Fraction(b[monomial])
        return all(a[m] == ratio * b[m] for m in a)

    def proves(self, polynomial: Polynomial, strict: bool, depth: int = 1) -> bool:
        """Whether polynomial >= 0 (> 0) can be proved; remembered."""
        key = (key_of(polynomial), strict, self.effort)
        if key not in self.results:
            self.results[key] = False  # while it is being proved it may not be used
            if self.busy > 4:
                return False
            self.busy += 1
            try:
                self.results[key] = self.prove(polynomial, strict, depth)
            except (TooBigError, SplitError, NoNormalFormError):
                self.results[key] = False
            finally:
                self.busy -= 1
        return self.results[key]

    # the ways to prove

    def prove(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        if not polynomial:
            return not strict
        polynomial = self.stripped(polynomial, strict)
        plain = self.field.plain_sign(polynomial)
        if plain is not None and (plain == 2 or (plain >= 0 and not strict)):
            return True
        if plain is not None and plain <= 0:
            return False
        number = self.as_number(polynomial)
        if number is not None:
            return number > 0 or (number == 0 and not strict)
        if self.by_fact(polynomial, strict):
            return True
        ways = [
            self.by_one_generator,
            self.by_quadratic_form,
            self.by_factors,
            self.by_exponentials,
            self.by_growth,
            self.by_combination,
            self.by_odds,
            self.by_squaring,
        ]
        if self.effort > 0:
            ways += [self.by_combination_of_products, self.by_discriminant]
        for way in ways:
            if self.attempt(way, polynomial, strict, depth):
                return True
        return False

    def attempt(
        self,
        way: Callable[[Polynomial, bool, int], bool],
        polynomial: Polynomial,
        strict: bool,
        depth: int,
    ) -> bool:
        """One way, with its own allowance of work."""
        outer = self.field.work
        allowance = min(outer.left, 40_000)
        self.field.work = Work(allowance, outer.deadline)
        try:
            return way(polynomial, strict, depth)
        except (TooBigError, SplitError, NoNormalFormError):
            return False
        finally:
            outer.left -= allowance - max(self.field.work.left, 0)
            self.field.work = outer

    def stripped(self, polynomial: Polynomial, strict: bool) -> Polynomial:
        """Without a common monomial factor that is known to be positive (or >= 0)."""
        everything = {index for monomial in polynomial for index, _ in monomial}
        for index, exponent in poly.content(polynomial, everything):
            sign = self.field.monomial_sign(((index, exponent),))
            if sign == 2 or (sign == 1 and not strict):
                polynomial = poly.shift(polynomial, ((index, -exponent),))
        return polynomial

    def as_number(self, polynomial: Polynomial) -> int | None:
        """The sign of a polynomial without variables, from intervals."""
        if self.field.depends(polynomial):
            return None
        evaluator = Evaluator([self.field.node_of_polynomial(polynomial)])
        for precision in DEEP_PRECISIONS:
            (found,) = evaluator.at({}, precision)
            if isinstance(found, Fraction):
                return (found > 0) - (found < 0)
            if isinstance(found, Interval) and found.sign() is not None:
                return found.sign()
        return None

    def by_fact(self, polynomial: Polynomial, strict: bool) -> bool:
        for known in self.facts_about(polynomial):
            if polynomial.keys() == known.polynomial.keys() and self.same(
                polynomial, known.polynomial
            ):
                monomial = next(iter(polynomial))
                ratio = Fraction(polynomial[monomial]) / Fraction(known.polynomial[monomial])
                if ratio > 0 and (known.strict or not strict):
                    return True
        return False

    def facts_about(self, polynomial: Polynomial) -> list[Known]:
        """What is known: hypotheses, ends of domains, ranges of functions."""
        return [*self.known, *self.domain_facts(self.names(polynomial))]

    def names(self, polynomial: Polynomial) -> set[str]:
        names = set(self.field.depends(polynomial))
        for known in self.known:
            names |= self.field.depends(known.polynomial)
        return names

    def domain_facts(self, names: Iterable[str]) -> list[Known]:
        found = []
        for name in sorted(names):
            if name not in self.bounds or name in self.field.values:
                continue
            lower, upper, lower_open, upper_open = self.bounds[name]
            index = self.field.variable(name)
            variable = poly.generator(index)
            if lower is not None and lower != 0:
                found.append(Known(poly.add(variable, poly.constant(-lower)), lower_open))
            elif lower is not None:
                found.append(Known(variable, lower_open))
            if upper is not None:
                found.append(Known(poly.add(poly.constant(upper), variable, -1), upper_open))
        return found

    def generators_in(self, polynomial: Polynomial) -> list[int]:
        return sorted({index for monomial in polynomial for index, _ in monomial})

    def range_of(self, index: int) -> tuple[Fraction | None, Fraction | None, bool, bool]:
        """An interval in which a generator lies."""
        made = self.field.generators[index]
        if made.kind == "var" and str(made.key) in self.bounds:
            return self.bounds[str(made.key)]
        if made.kind == "Phi":
            return Fraction(0), Fraction(1), True, True
        if self.field.is_positive_generator(index):
            return Fraction(0), None, True, True
        if self.field.is_nonnegative_generator(index):
            return Fraction(0), None, False, True
        return None, None, True, True

    def narrowed(self, index: int) -> tuple[Fraction | None, Fraction | None, bool, bool]:
        """As `range_of`, with the hypotheses that bound the generator by a number."""
        lower, upper, lower_open, upper_open = self.range_of(index)
        one = ((index, 1),)
        for known in self.known:
            if set(known.polynomial) - {(), one} or one not in known.polynomial:
                continue
            slope = Fraction(known.polynomial[one])
            end = -Fraction(known.polynomial.get((), 0)) / slope
            if slope > 0 and (lower is None or end > lower or (end == lower and known.strict)):
                lower, lower_open = end, known.strict
            if slope < 0 and (upper is None or end < upper or (end == upper and known.strict)):
                upper, upper_open = end, known.strict
        return lower, upper, lower_open, upper_open

    def by_one_generator(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        """A polynomial in one generator: its roots are counted."""
        indices = self.generators_in(polynomial)
        if len(indices) != 1:
            return False
        index = indices[0]
        powers = [dict(monomial).get(index, 0) for monomial in polynomial]
        unit = 1
        for power in powers:
            unit = max(unit, Fraction(power).denominator)
        least = min(Fraction(power) * unit for power in powers)
        lower, upper, lower_open, upper_open = self.narrowed(index)
        if unit > 1 or least < 0:
            if lower is None or lower < 0:
                if least < 0 and least % 2 != 0:
                    least -= 1
                if unit > 1:
                    return False
            if unit > 1 and (lower != 0 or upper is not None):
                return False  # the ends would have to be raised to a fraction
        least = min(least, Fraction(0))
        coefficients = [Fraction(0)] * 1
        for monomial, coefficient in polynomial.items():
            degree = int(Fraction(dict(monomial).get(index, 0)) * unit - least)
            if degree > 24:
                return False
            coefficients += [Fraction(0)] * (degree + 1 - len(coefficients))
            coefficients[degree] = Fraction(coefficient)
        sign = keeps_sign(coefficients, lower, upper, lower_open, upper_open)
        return sign is not None and (sign == 2 or (sign >= 0 and not strict))

    def by_quadratic_form(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        """A polynomial of degree 2: its matrix has no negative pivots."""
        indices = self.generators_in(polynomial)
        last = len(indices)  # the constant comes last: its pivot is the smallest value
        place = {index: k for k, index in enumerate(indices)}
        size = last + 1
        if size > 20:
            return False
        matrix = [[Fraction(0)] * size for _ in range(size)]
        for monomial, coefficient in polynomial.items():
            flat: list[int] = []
            for index, exponent in monomial:
                if exponent not in (1, 2):
                    return False
                flat += [place[index]] * int(exponent)
            if len(flat) > 2:
                return False
            i, j = (flat + [last, last])[:2]
            matrix[i][j] += Fraction(coefficient) / 2
            matrix[j][i] += Fraction(coefficient) / 2
        least = _last_pivot(matrix)
        return least is not None and (least > 0 or not strict)

    def by_factors(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        """A product is positive when an even number of its factors is negative."""
        coefficient, monomial, factors = self.field.factors(polynomial)
        parts: list[tuple[Polynomial, Exponent]] = [
            (poly.generator(index), exponent) for index, exponent in monomial
        ]
        parts += [(dict(key), power) for key, power in factors.items()]
        if len(parts) == 1 and parts[0][1] == 1 and len(factors) == 1:
            return False
        sign = 1 if coefficient > 0 else -1
        sure = True
        for part, power in parts:
            even = not isinstance(power, Fraction) and power % 2 == 0
            if even and not strict:
                continue
            known = self.sign(part)
            if known is None:
                return False
            if known < 0 and not even:
                sign = -sign
            sure = sure and (abs(known) == 2 or power < 0)
            if known == 0:
                return not strict
        return sign > 0 and (sure or not strict)

    # sums of known things

    def by_combination(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        """A sum of hypotheses, squares and lemmas times positive monomials."""
        return self.combined(polynomial, strict, False)

    def by_combination_of_products(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        """The same with products of two hypotheses."""
        return self.combined(polynomial, strict, True)

    def combined(self, polynomial: Polynomial, strict: bool, products: bool) -> bool:
        facts = self.facts_about(polynomial)
        facts += self.lemmas(polynomial, facts)
        if products:
            useful = [known for known in facts if len(known.polynomial) <= 12][:14]
            pairs = [
                Known(self.field.times(a.polynomial, b.polynomial), a.strict and b.strict)
                for a, b in [*combinations(useful, 2), *((one, one) for one in useful)]
            ]
            pairs += self.weighted_squares(polynomial, facts)
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
        ranked = sorted(found, key=lambda m: (sum(abs(e) for _, e in m), m))
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
        numbers = [
            (index, inside[()])
            for index, inside in ((i, field.generators[i].inside) for i in logs)
            if inside is not None and inside.top.keys() == {()}
            for inside in (inside.top,)
        ][:2]
        insides: list[tuple[int, Polynomial]] = []
        for index in [i for i in logs if i not in {n for n, _ in numbers}][:6]:
            inside = self.size(index)
            if inside is not None:
                insides.append((index, inside))
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
            for number, size in numbers:
                # f log(c f) - f + 1/c >= 0 for a number c, and for 1/c
                for sign in (1, -1):
                    scaled = poly.add(product, field.times(inside, poly.generator(number)), sign)
                    end = poly.constant(Fraction(size) ** -sign)
                    found.append(Known(poly.add(poly.add(scaled, inside, -1), end), False))
        for (i, f), (j, g) in combinations(insides, 2):
            apart = abs(self.sign(poly.add(f, g, -1)) or 0) == 2
            for a, b, first, second in ((i, j, f, g), (j, i, g, f)):
                # f log f - f log g - f + g >= 0
                quotient = poly.add(poly.generator(a), poly.generator(b), -1)
                lemma = poly.add(field.times(first, quotient), first, -1)
                found.append(Known(poly.add(lemma, second), apart))
                for number, size in numbers:
                    # the same for c f and g
                    scaled = poly.scale(first, size)
                    grown = poly.add(quotient, poly.generator(number))
                    lemma = poly.add(field.times(scaled, grown), scaled, -1)
                    found.append(Known(poly.add(lemma, second), False))
                sign = self.sign(poly.add(first, second, -1))
                if sign is not None and sign >= 1:
                    found.append(Known(quotient, sign == 2))
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

    # changes of variables

    def by_odds(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        """p in (0, 1) is t/(1 + t) with t > 0: all coefficients may then be positive."""
        field = self.field
        changed = polynomial
        found = False
        for index in self.generators_in(polynomial):
            made = field.generators[index]
            lower, upper, lower_open, upper_open = self.range_of(index)
            if lower != 0 or upper != 1 or made.kind not in ("var", "Phi"):
                continue
            if not upper_open and (strict or self.known):
                continue  # p = 1 has no odds; it is reached by continuity only
            degrees = [dict(monomial).get(index, 0) for monomial in changed]
            if any(isinstance(d, Fraction) or d < 0 for d in degrees):
                return False
            if any(
                str(made.key) in field.generators[other].depends
                for other in self.generators_in(changed)
                if other != index
            ):
                return False
            degree = int(max(degrees))
            name = f"odds of {index}"
            field.flags[name] = (lower_open, True, "")
            odds = field.variable(name)
            total: Polynomial = {}
            for monomial, coefficient in changed.items():
                power = int(dict(monomial).get(index, 0))
                rest = tuple((i, e) for i, e in monomial if i != index)
                binomial = field.power_polynomial({(): 1, ((odds, 1),): 1}, degree - power)
                term = poly.shift(binomial, ((odds, power),) if power else ())
                total = poly.add(total, poly.shift(term, rest), coefficient)
            changed, found = total, True
        if not found:
            return False
        sign = field.plain_sign(changed)
        if sign is not None:
            return sign == 2 or (sign >= 0 and not strict)
        if depth <= 0:
            return False
        for _ in range(3):  # Polya: a positive polynomial gets positive coefficients
            factor: Polynomial = {(): 1}
            for index in self.generators_in(changed):
                if field.is_positive_generator(index):
                    factor = poly.add(factor, poly.generator(index))
            grown = field.times(changed, factor)
            sign = field.plain_sign(grown)
            if sign is not None:
                return sign == 2 or (sign >= 0 and not strict)
            if len(grown) > 300:
                break
        return self.proves(changed, strict, depth - 1)

    def by_squaring(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        """a >= b follows from a >= 0 and a**2 >= b**2; a has the roots."""
        field = self.field
        if depth < -1:
            return False
        rooted = any(
            field.generators[index].kind == "root" or isinstance(exponent, Fraction)
            for monomial in polynomial
            for index, exponent in monomial
        )
        if not rooted:
            return False
        for only_roots in (True, False):
            high: Polynomial = {}
            low: Polynomial = {}
            for monomial, coefficient in polynomial.items():
                has_root = any(
                    field.generators[i].kind == "root" or isinstance(e, Fraction)
                    for i, e in monomial
                )
                if coefficient > 0 and (
                    has_root
                    if only_roots
                    else has_root or field.monomial_sign(monomial) is not None
                ):
                    high[monomial] = coefficient
                else:
                    low[monomial] = -coefficient
            if not high or not low or len(high) * len(high) > 400:
                continue
            difference = poly.add(field.times(high, high), field.times(low, low), -1)
            if self.looks(difference) == -1:
                continue
            if self.proves(difference, strict, depth - 1) and self.proves(high, False, depth - 1):
                return True
        return False

    def by_exponentials(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        """sum c_i log f_i + u >= 0 says that the product of f_i**c_i and exp(u) is >= 1."""
        field = self.field
        logs = {i for i in self.generators_in(polynomial) if field.generators[i].kind == "log"}
        if not logs:
            return False
        denominator = 1
        for coefficient in polynomial.values():
            denominator = max(denominator, Fraction(coefficient).denominator)
        if denominator > 12:
            return False
        up, down = Ratio({(): 1}), Ratio({(): 1})
        rest: Polynomial = {}
        for monomial, coefficient in polynomial.items():
            power = Fraction(coefficient) * denominator
            if len(monomial) == 1 and monomial[0][0] in logs and monomial[0][1] == 1:
                if power.denominator != 1 or abs(power) > (4, 8)[self.effort]:
                    return False
                inside = self.size(monomial[0][0])
                if inside is None:
                    return False
                raised = field.power(Ratio(inside), abs(int(power)))
                if power > 0:
                    up = field.multiply(up, raised)
                else:
                    down = field.multiply(down, raised)
            elif any(index in logs for index, _ in monomial):
                return False
            else:
                rest[monomial] = power
        up = field.multiply(up, field.exp(Ratio(rest)))
        difference = field.subtract(up, down)
        if any(self.sign(dict(key)) != 2 for key in difference.below):
            return False
        return self.proves(difference.top, strict, depth - 1)

    def by_growth(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        """a exp(u) - b exp(v) >= 0 says that log a + u >= log b + v."""
        field = self.field
        if len(polynomial) != 2:
            return False
        sides: dict[bool, Ratio] = {}
        for monomial, coefficient in polynomial.items():
            if any(field.generators[index].kind != "exp" for index, _ in monomial):
                return False
            exponent = field.log_of_number(abs(Fraction(coefficient)))
            for index, power in monomial:
                inside = field.generators[index].inside
                assert inside is not None
                exponent = field.add(exponent, Ratio(poly.scale(inside.top, power), inside.below))
            sides[coefficient > 0] = exponent
        if len(sides) != 2:
            return False
        difference = field.subtract(sides[True], sides[False])
        if any(self.sign(dict(key)) != 2 for key in difference.below):
            return False
        return self.proves(difference.top, strict, depth - 1)

    def by_discriminant(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        """a x**2 + b x + c >= 0 for all x when a >= 0, c >= 0 and 4 a c >= b**2."""
        field = self.field
        if depth < -1 or len(polynomial) > 80:
            return False
        for index in self.generators_in(polynomial):
            made = field.generators[index]
            if made.relation or made.kind not in ("var", "exp"):
                continue
            parts: dict[int, Polynomial] = {0: {}, 1: {}, 2: {}}
            fits = True
            for monomial, coefficient in polynomial.items():
                exponent = dict(monomial).get(index, 0)
                if exponent not in (0, 1, 2):
                    fits = False
                    break
                rest = tuple((i, e) for i, e in monomial if i != index)
                parts[int(exponent)][rest] = coefficient
            if not fits or not parts[2] or not parts[1]:
                continue
            product = poly.scale(field.times(parts[2], parts[0]), 4)
            difference = poly.add(product, field.times(parts[1], parts[1]), -1)
            looks = self.looks(difference)
            if looks == -1:
                continue
            if (
                self.proves(difference, strict, depth - 1)
                and self.proves(parts[2], False, depth - 1)
                and self.proves(parts[0], strict, depth - 1)
            ):
                return True
        return False


def _last_pivot(matrix: list[list[Fraction]]) -> Fraction | None:
    """The last pivot of a positive semidefinite matrix (completing squares), else None."""
    size = len(matrix)
    rows = [list(row) for row in matrix]
    for k in range(size):
        pivot = rows[k][k]
        if pivot < 0 or (pivot == 0 and any(rows[k][j] != 0 for j in range(k, size))):
            return None
        for i in range(k + 1, size):
            factor = rows[i][k] / pivot if pivot else Fraction(0)
            for j in range(k, size):
                rows[i][j] -= factor * rows[k][j]
    return rows[-1][-1]
