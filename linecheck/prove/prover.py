"""The sign of a polynomial in the generators, as far as its terms and single facts show it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from linecheck.algebra import polynomials as poly
from linecheck.algebra.normal_form import Field
from linecheck.algebra.polynomials import Polynomial, key_of
from linecheck.algebra.ratios import NoNormalFormError, SplitError
from linecheck.language.terms import TooBigError
from linecheck.prove.facts import Facts, Known
from linecheck.search.evaluate import DEEP_PRECISIONS, Evaluator
from linecheck.search.interval import Interval


class Prover:
    """Signs of polynomials, from the facts; answers are remembered."""

    def __init__(self, field: Field) -> None:
        self.algebra = field.algebra
        self.functions = field.functions
        self.facts = Facts(field.algebra)
        self.results: dict[tuple[object, bool], bool] = {}
        self.looks: Callable[[Polynomial], int | None] = lambda polynomial: None
        self.busy = 0

    def learn(self, polynomial: Polynomial, strict: bool) -> None:
        """Add polynomial >= 0 (> 0)."""
        if polynomial:
            self.facts.known.append(Known(polynomial, strict))
            self.results.clear()

    def sign(self, polynomial: Polynomial) -> int | None:
        """2 (> 0), 1 (>= 0), 0 (== 0), -1, -2 as far as it can be proved; else None."""
        plain = self.algebra.plain_sign(polynomial)
        if plain is not None and abs(plain) != 1:
            return plain
        if self.facts.is_zero(polynomial):
            return 0
        looks = self.looks(polynomial)
        for direction in (1, -1):
            if looks is not None and looks != direction:
                continue
            turned = polynomial if direction > 0 else poly.scale(polynomial, -1)
            if self.proves(turned, True):
                return 2 * direction
            if (plain == direction) or self.proves(turned, False):
                if self.facts.is_nonzero(polynomial):
                    return 2 * direction
                other = poly.scale(turned, -1)
                return 0 if looks is None and self.proves(other, False) else direction
        return plain

    def proves(self, polynomial: Polynomial, strict: bool) -> bool:
        """Whether polynomial >= 0 (> 0) can be proved; remembered."""
        key = (key_of(polynomial), strict)
        if key not in self.results:
            self.results[key] = False  # while it is being proved it may not be used
            if self.busy > 4:
                return False
            self.busy += 1
            try:
                self.results[key] = self.prove(polynomial, strict)
            except (TooBigError, SplitError, NoNormalFormError):
                self.results[key] = False
            finally:
                self.busy -= 1
        return self.results[key]

    def prove(self, polynomial: Polynomial, strict: bool) -> bool:
        if not polynomial:
            return not strict
        if self.by_fact(polynomial, strict):
            return True
        polynomial = self.stripped(polynomial, strict)
        plain = self.algebra.plain_sign(polynomial)
        if plain is not None and (plain == 2 or (plain >= 0 and not strict)):
            return True
        if plain is not None and plain <= 0:
            return False
        number = self.as_number(polynomial)
        if number is not None:
            return number > 0 or (number == 0 and not strict)
        return self.by_fact(polynomial, strict)

    def stripped(self, polynomial: Polynomial, strict: bool) -> Polynomial:
        """Without a common monomial factor that is known to be positive (or >= 0)."""
        everything = poly.indices_in(polynomial)
        for index, exponent in poly.content(polynomial, everything):
            sign = self.algebra.monomial_sign(((index, exponent),))
            if sign == 2 or (sign == 1 and not strict):
                polynomial = poly.shift(polynomial, ((index, -exponent),))
        return polynomial

    def as_number(self, polynomial: Polynomial) -> int | None:
        """The sign of a polynomial without variables, from intervals."""
        algebra = self.algebra
        if algebra.depends(polynomial):
            return None
        evaluator = Evaluator([algebra.node_of_polynomial(polynomial)])
        for precision in DEEP_PRECISIONS:
            (found,) = evaluator.at({}, precision)
            if isinstance(found, Fraction):
                return (found > 0) - (found < 0)
            if isinstance(found, Interval) and found.sign() is not None:
                return found.sign()
        return None

    def by_fact(self, polynomial: Polynomial, strict: bool) -> bool:
        for known in self.facts.about(polynomial):
            if polynomial.keys() == known.polynomial.keys() and poly.parallel(
                polynomial, known.polynomial
            ):
                monomial = next(iter(polynomial))
                ratio = Fraction(polynomial[monomial]) / Fraction(known.polynomial[monomial])
                if ratio > 0 and (known.strict or not strict):
                    return True
        return False
