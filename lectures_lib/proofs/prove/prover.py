"""Proofs that a polynomial in the generators is >= 0 or > 0, from what is known of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from lectures_lib.proofs.algebra import polynomials as poly
from lectures_lib.proofs.algebra.polynomials import Exponent, Polynomial, Work
from lectures_lib.proofs.algebra.ratios import NoNormalFormError, Ratio, SplitError
from lectures_lib.proofs.algebra.univariate import keeps_sign
from lectures_lib.proofs.language.terms import TooBigError
from lectures_lib.proofs.prove.bricks import Bricks
from lectures_lib.proofs.prove.quadratic import (
    LARGEST_FORM,
    form_matrix,
    groups,
    last_pivot,
    pivots,
)
from lectures_lib.proofs.search.evaluate import DEEP_PRECISIONS, Evaluator
from lectures_lib.proofs.search.interval import Interval


class Prover(Bricks):
    """Proves inequalities, by one way after the other."""

    def prove(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        if not polynomial:
            return not strict
        if self.by_fact(polynomial, strict):
            return True
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
            self.by_form,
            self.by_factors,
            self.by_exponentials,
            self.by_growth,
            self.by_combination,
            self.by_odds,
            self.by_squaring,
        ]
        if self.effort > 0:
            ways += [self.by_combination_of_products, self.by_discriminant]
        return any(self.attempt(way, polynomial, strict, depth) for way in ways)

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
            i, j = [*flat, last, last][:2]
            matrix[i][j] += Fraction(coefficient) / 2
            matrix[j][i] += Fraction(coefficient) / 2
        least = last_pivot(matrix)
        return least is not None and (least > 0 or not strict)

    def by_form(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        """A quadratic form in the entries of a vector: its pivots are positive.

        A pivot that is only known to be >= 0 may vanish; the form is then >= 0 by continuity, if it
        is a polynomial in the variables themselves and no hypothesis cuts the points off where no
        pivot vanishes.
        """
        if depth < 1:
            return False
        made = [self.field.generators[index] for index in self.generators_in(polynomial)]
        plain = all(one.kind == "var" and not one.relation for one in made)
        free = plain and not self.known and not self.zero and not strict
        for group in groups(self.field, self.generators_in(polynomial)):
            if not 2 <= len(group) <= LARGEST_FORM:
                continue
            matrix = form_matrix(polynomial, group)
            if matrix is None:
                continue
            found = pivots(self.field, matrix, lambda ratio: self.sign_of_ratio(ratio, depth))
            if found is None or (1 in found and not free):
                continue
            if not strict or (self.is_apart(group) and all(sign == 2 for sign in found)):
                return True
        return False

    def is_apart(self, group: list[int]) -> bool:
        """Whether a vector is known not to be 0."""
        if any(self.field.monomial_sign(((index, 1),)) == 2 for index in group):
            return True
        length: Polynomial = {((index, 2),): 1 for index in group}
        return any(known.strict and self.same(known.polynomial, length) for known in self.known)

    def sign_of_ratio(self, ratio: Ratio, depth: int) -> int | None:
        """2 (> 0) or 1 (>= 0 where it is defined) if that can be proved, else None."""
        below = [self.sign(dict(key)) for key in ratio.below]
        if any(sign is None or sign <= 0 for sign in below):
            return None
        for strict in (True, False):
            if self.proves(ratio.top, strict, depth - 1):
                return 2 if strict and 1 not in below else 1
        return None

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

    def by_combination(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        """A sum of hypotheses, squares and lemmas times positive monomials."""
        return self.combined(polynomial, strict, False)

    def by_combination_of_products(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        """The same with products of two hypotheses."""
        return self.combined(polynomial, strict, True)

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
