"""What is known in one case: hypotheses, ends of domains, ranges of functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from lectures_lib.proofs.algebra import polynomials as poly
from lectures_lib.proofs.algebra.normal_form import Field
from lectures_lib.proofs.algebra.polynomials import Polynomial, key_of
from lectures_lib.proofs.algebra.ratios import NoNormalFormError, SplitError
from lectures_lib.proofs.language.terms import TooBigError


@dataclass(frozen=True)
class Known:
    """polynomial >= 0, or > 0 when strict."""

    polynomial: Polynomial
    strict: bool


class Facts:
    """Inequalities that are known, and the memory of what was proved from them."""

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

    def prove(self, polynomial: Polynomial, strict: bool, depth: int) -> bool:
        """Whether polynomial >= 0 (> 0) can be proved; `Prover` knows how."""
        raise NotImplementedError

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
