"""Quotients of polynomials in generators: what a generator is, and the arithmetic with them.

Generators are the variables and what polynomials cannot express: exp(m), log|f|, roots, Phi, primes
under roots. Rules that hold wherever the line is defined are built in: y**2 = y for labels,
s**2 = 1 for signs, sqrt(f)**2 = f. A difference whose numerator has no terms left is 0 at every
point; the converse need not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from linecheck.algebra import polynomials as poly
from linecheck.algebra.polynomials import (
    Coefficient,
    Exponent,
    Key,
    Monomial,
    Polynomial,
    Work,
    key_of,
)
from linecheck.expand.graph import Graph, Node
from linecheck.language.terms import TooBigError


class SplitError(Exception):
    """The sign of a polynomial must be known: closed (>=, <=), three (>, ==, <),
    positive (>, <=), negative (<, >=)."""

    def __init__(self, polynomial: Polynomial, kind: str) -> None:
        super().__init__(kind)
        self.polynomial = polynomial
        self.kind = kind


class SideError(Exception):
    """A derivative at a kink must be looked at from both sides; `key` names the kink."""

    def __init__(self, key: tuple[int, ...]) -> None:
        super().__init__(key)
        self.key = key


class NoNormalFormError(Exception):
    """Something that the algebra cannot express."""


@dataclass
class Generator:
    """One generator. `depends` are the names of the variables in it."""

    kind: str  # var, exp, log, root, prime, pi, Phi, Phi_inv
    key: object
    node: Callable[[], Node]
    positive: bool = False
    nonnegative: bool = False
    relation: str = ""  # label, sign, prime, root
    radicand: Polynomial = field(default_factory=dict)
    degree: int = 0
    depends: frozenset[str] = frozenset()
    inside: Ratio | None = None  # the argument of exp, Phi, Phi_inv


@dataclass(frozen=True)
class Ratio:
    """numerator / product of factors; every factor is primitive."""

    top: Polynomial
    below: dict[Key, int] = field(default_factory=dict)

    @property
    def key(self) -> tuple[Key, tuple[tuple[Key, int], ...]]:
        """A hashable form."""
        return key_of(self.top), tuple(sorted(self.below.items()))


ZERO = Ratio({})

ONE = Ratio({(): 1})


def number(value: Coefficient) -> Ratio:
    """A number as a ratio."""
    return Ratio(poly.constant(value))


class Algebra:
    """Generators of one problem and the arithmetic with them."""

    def __init__(self, graph: Graph, work: Work) -> None:
        self.graph = graph
        self.work = work
        self.generators: list[Generator] = []
        self.indices: dict[tuple[str, object], int] = {}
        self.related: set[int] = set()  # generators with a relation
        self.known_factors: dict[Key, Polynomial] = {}  # met before, of low degree first
        self.values: dict[str, Ratio] = {}  # variables that an equation has eliminated
        self.flags: dict[str, tuple[bool, bool, str]] = {}  # positive, nonnegative, relation
        # asks whether a polynomial is > 0 (2), >= 0 (1), == 0 (0), <= 0 (-1), < 0 (-2), or None
        self.sign: Callable[[Polynomial], int | None] = self.plain_sign
        # what the facts of the present case say of single generators
        self.known_positive: set[int] = set()
        self.known_nonnegative: set[int] = set()
        self.known_nonzero: set[int] = set()
        self.root_signs: dict[int, bool] = {}

    def generator(self, kind: str, key: object, make: Callable[[], Generator]) -> int:
        index = self.indices.get((kind, key))
        if index is None:
            if len(self.generators) > 400:
                raise TooBigError("the line has too many different parts")
            index = self.indices[kind, key] = len(self.generators)
            made = make()
            self.generators.append(made)
            if made.relation:
                self.related.add(index)
        return index

    def variable(self, name: str) -> int:
        positive, nonnegative, relation = self.flags.get(name, (False, False, ""))
        return self.generator(
            "var",
            name,
            lambda: Generator(
                "var",
                name,
                lambda: self.graph.var(name),
                positive,
                nonnegative or positive or relation == "label",
                relation,
                depends=frozenset([name]),
            ),
        )

    def depends(self, polynomial: Polynomial) -> frozenset[str]:
        """Names of the variables in a polynomial."""
        indices = {index for monomial in polynomial for index, _ in monomial}
        return frozenset().union(*(self.generators[index].depends for index in indices))

    def ratio_depends(self, ratio: Ratio) -> frozenset[str]:
        """Names of the variables in a ratio."""
        names = self.depends(ratio.top)
        for key in ratio.below:
            names |= self.depends(dict(key))
        return names

    def is_positive_generator(self, index: int) -> bool:
        """Whether a generator is > 0 in the present case."""
        made = self.generators[index]
        if made.positive or index in self.known_positive:
            return True
        if made.kind != "root":
            return index in self.known_nonnegative and index in self.known_nonzero
        if index not in self.root_signs:
            self.root_signs[index] = False  # while it is being asked
            self.root_signs[index] = self.sign(made.radicand) == 2
        return self.root_signs[index]

    def is_nonnegative_generator(self, index: int) -> bool:
        """Whether a generator is >= 0 in the present case."""
        return (
            self.generators[index].nonnegative
            or index in self.known_nonnegative
            or index in self.known_positive
        )

    @staticmethod
    def plain(index: int) -> Ratio:
        return Ratio(poly.generator(index))

    def reduce(self, polynomial: Polynomial) -> Polynomial:
        """Apply y**2 = y, s**2 = 1, sqrt(f)**2 = f and the like."""
        if not self.related:
            return polynomial
        while True:
            changed = False
            result: Polynomial = {}
            for monomial, coefficient in polynomial.items():
                if not any(index in self.related for index, _ in monomial):
                    result = poly.add(result, {monomial: coefficient})
                    continue
                reduced = self.reduce_monomial(monomial, coefficient)
                changed = changed or len(reduced) != 1 or monomial not in reduced
                result = poly.add(result, reduced)
            if not changed:
                return result
            polynomial = result

    def reduce_monomial(self, monomial: Monomial, coefficient: Coefficient) -> Polynomial:
        plain: list[tuple[int, Exponent]] = []
        factors: list[Polynomial] = []
        for index, exponent in monomial:
            made = self.generators[index]
            if made.relation == "label" and exponent >= 1:
                exponent = 1
            elif made.relation == "sign":
                exponent %= 2
            elif made.relation == "prime":
                whole = int(exponent // 1)
                if whole:
                    assert isinstance(made.key, int)
                    coefficient *= Fraction(made.key) ** whole
                    exponent -= whole
            elif made.relation == "root" and exponent >= made.degree:
                times, exponent = divmod(int(exponent), made.degree)
                factors += [made.radicand] * times
            if exponent:
                plain.append((index, exponent))
        result: Polynomial = {tuple(plain): coefficient}
        for factor in factors:
            result = poly.multiply(result, factor, self.work)
        return result

    def times(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """Product of polynomials, reduced."""
        return self.reduce(poly.multiply(a, b, self.work))

    def power_polynomial(self, a: Polynomial, exponent: int) -> Polynomial:
        result: Polynomial = {(): 1}
        for _ in range(exponent):
            result = self.times(result, a)
        return result

    def multiply(self, a: Ratio, b: Ratio) -> Ratio:
        """a * b."""
        if not a.top or not b.top:
            return ZERO
        below = dict(a.below)
        for key, power in b.below.items():
            below[key] = below.get(key, 0) + power
        return self.cancelled(self.times(a.top, b.top), below)

    def add(self, a: Ratio, b: Ratio) -> Ratio:
        """a + b over the least common denominator."""
        if not a.top:
            return b
        if not b.top:
            return a
        if a.below == b.below:
            top = poly.add(a.top, b.top)
            return self.cancelled(top, a.below) if a.below else Ratio(top)
        below = dict(a.below)
        for key, power in b.below.items():
            below[key] = max(below.get(key, 0), power)
        top = poly.add(self.extended(a, below), self.extended(b, below))
        return self.cancelled(top, below)

    def extended(self, a: Ratio, below: dict[Key, int]) -> Polynomial:
        """Numerator of a over a larger denominator."""
        top = a.top
        for key, power in below.items():
            for _ in range(power - a.below.get(key, 0)):
                top = self.times(top, dict(key))
        return top

    def cancelled(self, top: Polynomial, below: dict[Key, int]) -> Ratio:
        """Divide common factors out where that is cheap."""
        if not top:
            return ZERO
        kept: dict[Key, int] = {}
        for key, power in below.items():
            factor = dict(key)
            while power and len(top) * len(factor) <= 4000:
                quotient = self.divided(top, factor)
                if quotient is None:
                    break
                top = quotient
                power -= 1
            if power:
                kept[key] = power
        return Ratio(top, kept)

    def divided(self, top: Polynomial, factor: Polynomial) -> Polynomial | None:
        """top / factor, or None."""
        everything = {index for monomial in top for index, _ in monomial}
        if not {index for monomial in factor for index, _ in monomial} <= everything:
            return None
        shift = poly.content(top, everything)
        plain = poly.shift(top, poly.power_monomial(shift, -1))
        quotient = poly.divide_exactly(plain, factor, self.work)
        return None if quotient is None else poly.shift(quotient, shift)

    def negative(self, a: Ratio) -> Ratio:
        """-a."""
        return Ratio(poly.scale(a.top, -1), a.below)

    def subtract(self, a: Ratio, b: Ratio) -> Ratio:
        """a - b."""
        return self.add(a, self.negative(b))

    def power(self, a: Ratio, exponent: int) -> Ratio:
        """a ** exponent."""
        if exponent < 0:
            return self.power(self.inverse(a), -exponent)
        if exponent > 60 and len(a.top) > 1:
            raise TooBigError("the algebra is too long")
        if len(a.top) == 1 and not a.below:
            ((monomial, coefficient),) = a.top.items()
            if abs(exponent) * Fraction(coefficient).numerator.bit_length() > 20_000:
                raise TooBigError("the algebra is too long")
            raised = {poly.power_monomial(monomial, exponent): Fraction(coefficient) ** exponent}
            return Ratio(self.reduce(_shortened(raised)))
        result = ONE
        square = a
        while exponent:
            if exponent & 1:
                result = self.multiply(result, square)
            exponent >>= 1
            if exponent:
                square = self.multiply(square, square)
        return result

    def inverse(self, a: Ratio) -> Ratio:
        """1 / a."""
        if not a.top:
            raise NoNormalFormError("division by 0")
        coefficient, monomial, factors = self.factors(a.top)
        for key in factors:
            index = self.two_valued(dict(key))
            if index is not None:
                return self.by_values(index, a, self.inverse)
        result = Ratio({(): short(1 / Fraction(coefficient))})
        for index, exponent in monomial:
            result = self.multiply(result, self.generator_power(index, -exponent))
        for key, power in factors.items():
            result = self.multiply(result, Ratio({(): 1}, {key: power}))
        for key, power in a.below.items():
            result = Ratio(
                self.times(result.top, self.power_polynomial(dict(key), power)), result.below
            )
        return self.cancelled(result.top, result.below)

    # labels and signs: f(y) = (1 - y) f(0) + y f(1), f(s) = (1 + s)/2 f(1) + (1 - s)/2 f(-1)

    def two_valued(self, polynomial: Polynomial) -> int | None:
        """A label or a sign in a polynomial, if there is one."""
        for monomial in polynomial:
            for index, _ in monomial:
                if self.generators[index].relation in ("label", "sign"):
                    return index
        return None

    def by_values(self, index: int, a: Ratio, function: Callable[[Ratio], Ratio]) -> Ratio:
        """function(a), from its values for both values of a label or a sign."""
        variable = poly.generator(index)
        if self.generators[index].relation == "label":
            weights = {0: poly.add({(): 1}, variable, -1), 1: variable}
        else:
            half = Fraction(1, 2)
            weights = {
                sign: poly.scale(poly.add({(): 1}, variable, sign), half) for sign in (1, -1)
            }
        total = ZERO
        for value, weight in weights.items():
            result = function(self.with_value(a, index, value))
            total = self.add(total, self.multiply(Ratio(weight), result))
        return total

    def with_value(self, a: Ratio, index: int, value: int) -> Ratio:
        """a with a generator replaced by a number."""
        result = Ratio(self.fixed(a.top, index, value))
        for key, power in a.below.items():
            factor = Ratio(self.fixed(dict(key), index, value))
            result = self.multiply(result, self.power(self.inverse(factor), power))
        return result

    @staticmethod
    def fixed(polynomial: Polynomial, index: int, value: int) -> Polynomial:
        """A polynomial with a generator replaced by a number."""
        total: Polynomial = {}
        for exponent, rest in poly.by_powers(polynomial, index).items():
            if exponent < 0 and value == 0:
                raise NoNormalFormError("division by 0")
            total = poly.add(total, rest, short(Fraction(value) ** int(exponent)))
        return total

    def generator_power(self, index: int, exponent: Exponent) -> Ratio:
        """A power of a generator; a negative power of a root goes below as its radicand."""
        made = self.generators[index]
        if made.relation == "root" and exponent < 0:
            times = -(exponent // made.degree)
            rest = exponent + times * made.degree
            result = Ratio(poly.generator(index, rest) if rest else {(): 1})
            return self.multiply(result, self.power(self.inverse(Ratio(made.radicand)), int(times)))
        return Ratio(self.reduce({((index, exponent),): 1}))

    def factors(self, top: Polynomial) -> tuple[Coefficient, Monomial, dict[Key, int]]:
        """coefficient * monomial * primitive factors; sign and scale of a factor are fixed."""
        free = {
            index
            for monomial in top
            for index, _ in monomial
            if self.generators[index].relation != "label"
        }
        monomial = poly.content(top, free)
        rest = poly.shift(top, poly.power_monomial(monomial, -1))
        _, coefficient = poly.leading(rest)
        coefficient = short(Fraction(coefficient))
        rest = _shortened(poly.scale(rest, 1 / Fraction(coefficient)))
        found: dict[Key, int] = {}
        if rest == {(): 1}:
            return coefficient, monomial, found
        for key, factor in self.known_factors.items():
            if len(factor) > len(rest) or not _fits(factor, rest):
                continue
            while len(rest) > 1 and len(rest) * len(factor) < 3000:
                quotient = self.divided(rest, factor)
                if quotient is None:
                    break
                found[key] = found.get(key, 0) + 1
                rest = quotient
        if len(rest) > 1:
            root = poly.square_root(rest, self.work) if len(rest) <= 60 else None
            times = 1
            if root is not None and self.related.isdisjoint(poly.indices_in(rest)):
                rest, times = root, 2
            _, scale = poly.leading(rest)
            rest = _shortened(poly.scale(rest, 1 / Fraction(scale)))
            coefficient = short(Fraction(coefficient) * Fraction(scale) ** times)
            key = key_of(rest)
            self.remember(key, rest)
            found[key] = found.get(key, 0) + times
        else:
            ((more, scale),) = rest.items()
            coefficient = short(Fraction(coefficient) * scale)
            monomial = poly.times_monomials(monomial, more)
        return coefficient, monomial, found

    def signed_parts(self, a: Ratio) -> tuple[int, list[tuple[Polynomial, Exponent]]]:
        """Sign of the coefficient, and the factors whose signs decide the sign of a."""
        coefficient, monomial, factors = self.factors(a.top)
        parts: list[tuple[Polynomial, Exponent]] = []
        for index, power in monomial:
            parts.append((poly.generator(index), power))
        parts += [(dict(key), power) for key, power in factors.items()]
        parts += [(dict(key), -power) for key, power in a.below.items()]
        return (1 if coefficient > 0 else -1), parts

    def remember(self, key: Key, factor: Polynomial) -> None:
        """Keep a factor, so that it is found again inside products."""
        if key not in self.known_factors:
            self.known_factors[key] = factor
            ordered = sorted(self.known_factors.items(), key=lambda pair: _degree(pair[1]))
            self.known_factors = dict(ordered)

    def plain_sign(self, polynomial: Polynomial) -> int | None:
        """The sign that the coefficients alone show: 2 (> 0), 1 (>= 0), 0, -1, -2 or None."""
        if not polynomial:
            return 0
        directions = {coefficient > 0 for coefficient in polynomial.values()}
        if len(directions) == 2:
            return None
        strict = False
        for monomial in polynomial:
            sign = self.monomial_sign(monomial)
            if sign is None:
                return None
            strict = strict or sign == 2
        size = 2 if strict else 1
        return size if directions == {True} else -size

    def monomial_sign(self, monomial: Monomial) -> int | None:
        """2 if the monomial is > 0, 1 if >= 0, None if that cannot be seen."""
        sign = 2
        for index, exponent in monomial:
            if self.is_positive_generator(index):
                continue
            even = not isinstance(exponent, Fraction) and exponent % 2 == 0
            if even and (exponent < 0 or index in self.known_nonzero):
                continue
            nonnegative = self.is_nonnegative_generator(index)
            if not (nonnegative or even or isinstance(exponent, Fraction)):
                return None
            if not (exponent < 0 and nonnegative):
                sign = 1
        return sign

    def node_of(self, a: Ratio) -> Node:
        """A graph with the same value."""
        graph = self.graph
        top = self.node_of_polynomial(a.top)
        for key, power in a.below.items():
            below = self.node_of_polynomial(dict(key))
            top = graph.mul((top, graph.pow(below, graph.num(-power))))
        return top

    def node_of_polynomial(self, a: Polynomial) -> Node:
        graph = self.graph
        terms = []
        for monomial, coefficient in sorted(a.items()):
            parts = [graph.num(Fraction(coefficient))]
            for index, exponent in monomial:
                node = self.generators[index].node()
                parts.append(graph.pow(node, graph.num(Fraction(exponent))))
            terms.append(graph.mul(parts))
        return graph.add(terms)


def _fits(factor: Polynomial, whole: Polynomial) -> bool:
    """Whether all generators of a factor occur in the whole."""
    return set(poly.indices_in(factor)) <= set(poly.indices_in(whole))


def _degree(a: Polynomial) -> float:
    return max(poly.size_of(monomial) for monomial in a)


def short(value: Fraction) -> Coefficient:
    return int(value) if value.denominator == 1 else value


def plain_exponent(value: Exponent) -> Exponent:
    return short(Fraction(value))


def _shortened(a: Mapping[Monomial, Coefficient]) -> Polynomial:
    return {monomial: short(Fraction(coefficient)) for monomial, coefficient in a.items()}
