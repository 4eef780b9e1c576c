"""What is known in one case: hypotheses, ends of domains, ranges of functions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from linecheck.algebra import polynomials as poly
from linecheck.algebra.polynomials import Polynomial
from linecheck.algebra.ratios import Algebra

Bounds = tuple[Fraction | None, Fraction | None, bool, bool]  # lower, upper, is each end open


@dataclass(frozen=True)
class Known:
    """polynomial >= 0, or > 0 when strict."""

    polynomial: Polynomial
    strict: bool


class Facts:
    """What is known of polynomials in the present case; nothing is proved here."""

    def __init__(self, algebra: Algebra) -> None:
        self.algebra = algebra
        self.known: list[Known] = []
        self.nonzero: list[Polynomial] = []
        self.zero: list[Polynomial] = []
        self.bounds: dict[str, Bounds] = {}

    def forget(self) -> None:
        """Drop everything."""
        self.known.clear()
        self.nonzero.clear()
        self.zero.clear()
        self.bounds.clear()

    def is_zero(self, polynomial: Polynomial) -> bool:
        """Whether a hypothesis says that a polynomial is 0."""
        return any(poly.parallel(polynomial, one) for one in self.zero)

    def said_nonzero(self, polynomial: Polynomial) -> bool:
        """Whether a hypothesis says that a polynomial is not 0."""
        return any(poly.parallel(polynomial, one) for one in self.nonzero)

    def is_nonzero(self, polynomial: Polynomial) -> bool:
        """Whether the hypotheses say that a polynomial, or each of its factors, is not 0."""
        algebra = self.algebra
        if not self.nonzero:
            return False
        if self.said_nonzero(polynomial):
            return True
        _, monomial, factors = algebra.factors(polynomial)
        parts = [poly.generator(index) for index, _ in monomial] + [dict(key) for key in factors]
        if len(parts) == 1 and poly.parallel(parts[0], polynomial):
            return False
        return all(
            self.said_nonzero(part) or abs(algebra.plain_sign(part) or 0) == 2 for part in parts
        )

    def about(self, polynomial: Polynomial) -> list[Known]:
        """What is known: hypotheses, ends of domains, ranges of functions."""
        return [*self.known, *self.domain_facts(self.names(polynomial))]

    def names(self, polynomial: Polynomial) -> set[str]:
        algebra = self.algebra
        names = set(algebra.depends(polynomial))
        for known in self.known:
            names |= algebra.depends(known.polynomial)
        return names

    def domain_facts(self, names: Iterable[str]) -> list[Known]:
        algebra = self.algebra
        found = []
        for name in sorted(names):
            if name not in self.bounds or name in algebra.values:
                continue
            lower, upper, lower_open, upper_open = self.bounds[name]
            index = algebra.variable(name)
            variable = poly.generator(index)
            if lower is not None and lower != 0:
                found.append(Known(poly.add(variable, poly.constant(-lower)), lower_open))
            elif lower is not None:
                found.append(Known(variable, lower_open))
            if upper is not None:
                found.append(Known(poly.add(poly.constant(upper), variable, -1), upper_open))
        return found

    def range_of(self, index: int) -> Bounds:
        """An interval in which a generator lies."""
        algebra = self.algebra
        made = algebra.generators[index]
        if made.kind == "var" and str(made.key) in self.bounds:
            return self.bounds[str(made.key)]
        if made.kind == "Phi":
            return Fraction(0), Fraction(1), True, True
        if algebra.is_positive_generator(index):
            return Fraction(0), None, True, True
        if algebra.is_nonnegative_generator(index):
            return Fraction(0), None, False, True
        return None, None, True, True

    def narrowed(self, index: int) -> Bounds:
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
