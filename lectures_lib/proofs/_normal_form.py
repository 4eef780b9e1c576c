"""Numbers as quotients of polynomials in generators: the algebra behind PROVED.

Generators are the variables and what polynomials cannot express: exp(m), log|f|, roots, Phi, primes
under roots. Rules that hold wherever the line is defined are built in: exp(a + b) = exp(a) exp(b),
log|a b| = log|a| + log|b|, y**2 = y for labels, s**2 = 1 for signs, sqrt(f)**2 = f. A difference
whose numerator has no terms left is 0 at every point; the converse need not hold.

Where a rule depends on the sign of something (|x|, max, sqrt(x**2)), the sign is proved or
`SplitError` asks for two or three cases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from lectures_lib.proofs import _polynomials as poly
from lectures_lib.proofs._polynomials import (
    Coefficient,
    Exponent,
    Key,
    Monomial,
    Polynomial,
    Work,
    key_of,
)
from lectures_lib.proofs._scalars import Graph, Node, TooBigError, in_order, value_of

LARGEST_PRIME = 2000


class SplitError(Exception):
    """The sign of a polynomial must be known: closed (>=, <=), three (>, ==, <),
    positive (>, <=), negative (<, >=)."""

    def __init__(self, polynomial: Polynomial, kind: str) -> None:
        super().__init__(kind)
        self.polynomial = polynomial
        self.kind = kind


class SideError(Exception):
    """A derivative at a kink must be looked at from both sides; `number` is that of the node."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


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


class Field:
    """Generators of one problem and the arithmetic with them."""

    def __init__(self, graph: Graph, work: Work) -> None:
        self.graph = graph
        self.work = work
        self.generators: list[Generator] = []
        self.indices: dict[tuple[str, object], int] = {}
        self.related: set[int] = set()  # generators with a relation
        self.known_factors: dict[Key, Polynomial] = {}
        self.memory: dict[int, Ratio] = {}
        self.values: dict[str, Ratio] = {}  # variables that an equation has eliminated
        self.flags: dict[str, tuple[bool, bool, str]] = {}  # positive, nonnegative, relation
        # asks whether a polynomial is > 0 (2), >= 0 (1), == 0 (0), <= 0 (-1), < 0 (-2), or None
        self.sign: Callable[[Polynomial], int | None] = self.plain_sign
        # what the facts of the present case say of single generators
        self.known_positive: set[int] = set()
        self.known_nonnegative: set[int] = set()
        self.known_nonzero: set[int] = set()
        self.root_signs: dict[int, bool] = {}
        self.sides: dict[int, int] = {}  # at a kink, which side is looked at: number of node -> +-1

    # generators

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

    # arithmetic

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
        result = Ratio({(): _short(1 / Fraction(coefficient))})
        for index, exponent in monomial:
            result = self.multiply(result, self.generator_power(index, -exponent))
        for key, power in factors.items():
            result = self.multiply(result, Ratio({(): 1}, {key: power}))
        for key, power in a.below.items():
            result = Ratio(
                self.times(result.top, self.power_polynomial(dict(key), power)), result.below
            )
        return self.cancelled(result.top, result.below)

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
        coefficient = _short(Fraction(coefficient))
        rest = _shortened(poly.scale(rest, 1 / Fraction(coefficient)))
        found: dict[Key, int] = {}
        if rest == {(): 1}:
            return coefficient, monomial, found
        for key, factor in sorted(self.known_factors.items(), key=lambda pair: _degree(pair[1])):
            while len(rest) > 1 and len(rest) >= len(factor) and len(rest) * len(factor) < 3000:
                quotient = self.divided(rest, factor)
                if quotient is None:
                    break
                found[key] = found.get(key, 0) + 1
                rest = quotient
        if len(rest) > 1:
            root = poly.square_root(rest, self.work) if len(rest) <= 60 else None
            times = 1
            if root is not None and not self.related & _indices(rest):
                rest, times = root, 2
            _, scale = poly.leading(rest)
            rest = _shortened(poly.scale(rest, 1 / Fraction(scale)))
            coefficient = _short(Fraction(coefficient) * Fraction(scale) ** times)
            key = key_of(rest)
            self.known_factors.setdefault(key, rest)
            found[key] = found.get(key, 0) + times
        else:
            ((more, scale),) = rest.items()
            coefficient = _short(Fraction(coefficient) * scale)
            monomial = poly.times_monomials(monomial, more)
        return coefficient, monomial, found

    # from graphs

    def forget(self) -> None:
        """Drop what depends on the signs supposed so far."""
        self.memory.clear()
        self.root_signs.clear()

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

    def of(self, node: Node) -> Ratio:
        """The normal form of a node."""
        stack = [node]
        while stack:
            top = stack[-1]
            if top.number in self.memory:
                stack.pop()
                continue
            missing = [arg for arg in self.arguments(top) if arg.number not in self.memory]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            self.memory[top.number] = self.convert(top)
        return self.memory[node.number]

    @staticmethod
    def arguments(node: Node) -> tuple[Node, ...]:
        """What must be converted before a node."""
        if node.op == "diff":
            return node.args[1:2]
        if node.op in ("if", "sideif"):
            return tuple(_compared(node.args[0]))
        if node.op == "log":
            return ()
        if node.op == "pow" and node.args[1].op == "num":
            return node.args[:1]
        return node.args

    def convert(self, node: Node) -> Ratio:
        op = node.op
        if op == "num":
            return number(_short(value_of(node)))
        if op == "var":
            name = str(node.data)
            return self.values[name] if name in self.values else self.plain(self.variable(name))
        if op == "pi":
            return self.plain(
                self.generator("pi", 0, lambda: Generator("pi", 0, lambda: node, True, True))
            )
        if op == "diff":
            self.check_jumps(node.args[0])
            if not node.data and any(
                self.strict_sign(self.of(place)) == 0 for place in node.args[2:]
            ):
                raise NoNormalFormError("a derivative at a kink")
            return self.memory[node.args[1].number]
        if op == "if":
            return ONE if self.truth(node.args[0]) else ZERO
        if op == "sideif":
            return ONE if self.side_truth(node.args[0]) else ZERO
        args = [self.memory[arg.number] for arg in self.arguments(node)]
        if op == "add":
            total = args[0]
            for arg in args[1:]:
                total = self.add(total, arg)
            return total
        if op == "mul":
            product = args[0]
            for arg in args[1:]:
                product = self.multiply(product, arg)
            return product
        if op == "pow":
            return self.convert_power(node, args)
        if op == "exp":
            return self.exp(args[0])
        if op == "log":
            return self.log_of_node(node.args[0])
        if op == "abs":
            return self.absolute(args[0])
        if op == "sign":
            return number(self.strict_sign(args[0]))
        if op == "side":
            return number(self.side(args[0], node))
        if op in ("max", "min"):
            return self.most(args, op == "max")
        if op == "Phi":
            return self.normal(args[0])
        if op == "Phi_inv":
            return self.normal_inverse(args[0])
        raise NoNormalFormError(op)

    @staticmethod
    def plain(index: int) -> Ratio:
        return Ratio(poly.generator(index))

    def convert_power(self, node: Node, args: list[Ratio]) -> Ratio:
        exponent = node.args[1]
        if exponent.op == "num":
            value = value_of(exponent)
            if value.denominator == 1:
                return self.power(args[0], int(value))
            return self.root(args[0], value)
        return self.exp(self.multiply(args[1], self.log_of_node(node.args[0])))

    # exponentials

    def exp(self, a: Ratio) -> Ratio:
        """exp of a sum is the product of the exps of its terms."""
        below = tuple(sorted(a.below.items()))
        result = ONE
        monomials: Polynomial = {(): 1}
        for monomial, coefficient in a.top.items():
            if not below:
                made = self.exp_of_log(monomial, coefficient)
                if made is not None:
                    result = self.multiply(result, made)
                    continue
            index = self.exponential(monomial, below)
            monomials = poly.shift(monomials, ((index, _short(Fraction(coefficient))),))
        return self.multiply(result, Ratio(self.reduce(monomials)))

    def exp_of_log(self, monomial: Monomial, coefficient: Coefficient) -> Ratio | None:
        """exp(c log|f|) is |f|**c."""
        if len(monomial) != 1 or monomial[0][1] != 1:
            return None
        made = self.generators[monomial[0][0]]
        if made.kind != "log":
            return None
        assert made.inside is not None
        inside = self.absolute(made.inside)
        exponent = Fraction(coefficient)
        if exponent.denominator == 1:
            return self.power(inside, int(exponent))
        return self.root(inside, exponent)

    def exponential(self, monomial: Monomial, below: tuple[tuple[Key, int], ...]) -> int:
        inside = Ratio({monomial: 1}, dict(below))
        return self.generator(
            "exp",
            (monomial, below),
            lambda: Generator(
                "exp",
                (monomial, below),
                lambda: self.graph.call("exp", self.node_of(inside)),
                True,
                True,
                depends=self.ratio_depends(inside),
                inside=inside,
            ),
        )

    # logarithms: generators stand for log|f|, so that products need no signs

    def log_of_node(self, node: Node) -> Ratio:
        """log|node|, product by product as it was typed."""
        if node.op == "mul":
            total = ZERO
            for arg in node.args:
                total = self.add(total, self.log_of_node(arg))
            return total
        if node.op == "pow":
            return self.multiply(self.of(node.args[1]), self.log_of_node(node.args[0]))
        if node.op == "exp":
            return self.of(node.args[0])
        return self.log(self.of(node))

    def log(self, a: Ratio) -> Ratio:
        """log|a| from the factors of a."""
        if not a.top:
            raise NoNormalFormError("logarithm of 0")
        coefficient, monomial, factors = self.factors(a.top)
        total = self.log_of_number(abs(Fraction(coefficient)))
        for index, exponent in monomial:
            total = self.add(total, self.multiply(number(exponent), self.log_of_generator(index)))
        for key, power in factors.items():
            total = self.add(total, Ratio({((self.log_of_factor(dict(key)), 1),): power}))
        for key, power in a.below.items():
            total = self.add(total, Ratio({((self.log_of_factor(dict(key)), 1),): -power}))
        return total

    def log_of_number(self, value: Fraction) -> Ratio:
        total = ZERO
        for part, sign in ((value.numerator, 1), (value.denominator, -1)):
            for prime, power in _prime_powers(part):
                index = self.log_of_factor({(): prime})
                total = self.add(total, Ratio({((index, 1),): sign * power}))
        return total

    def log_of_generator(self, index: int) -> Ratio:
        made = self.generators[index]
        if made.kind == "exp":
            assert made.inside is not None
            return made.inside
        if made.kind == "prime":
            assert isinstance(made.key, int)
            return self.log_of_number(Fraction(made.key))
        if made.kind == "root":
            part = self.log(Ratio(made.radicand))
            return self.multiply(number(Fraction(1, made.degree)), part)
        if made.relation == "sign":
            return ZERO
        return self.plain(self.log_of_factor(poly.generator(index)))

    def log_of_factor(self, factor: Polynomial) -> int:
        key = key_of(factor)
        inside = Ratio(factor)
        return self.generator(
            "log",
            key,
            lambda: Generator(
                "log",
                key,
                lambda: self.graph.call("log", self.graph.call("abs", self.node_of(inside))),
                positive=len(factor) == 1 and () in factor,  # log 2, log 3, ...
                nonnegative=len(factor) == 1 and () in factor,
                depends=self.depends(factor),
                inside=inside,
            ),
        )

    # roots

    def root(self, a: Ratio, exponent: Fraction) -> Ratio:
        """a ** exponent for a >= 0, factor by factor."""
        if not a.top:
            return ZERO
        coefficient, monomial, factors = self.factors(a.top)
        parts: list[tuple[Polynomial, Exponent]] = []
        for index, power in monomial:
            parts.append((poly.generator(index), power))
        parts += [(dict(key), power) for key, power in factors.items()]
        parts += [(dict(key), -power) for key, power in a.below.items()]
        result = self.root_of_number(abs(Fraction(coefficient)), exponent)
        total_sign = 1 if coefficient > 0 else -1
        unsure: list[tuple[Polynomial, Exponent]] = []
        strict = True  # every other factor is surely not 0
        for part, power in parts:
            sign = self.sign(part)
            if sign == 0:
                return ZERO
            if sign is not None:
                strict = strict and (abs(sign) == 2 or power < 0)
                if sign < 0 and power % 2 != 0:
                    total_sign = -total_sign
                positive = part if sign > 0 else poly.scale(part, -1)
                result = self.multiply(result, self.root_of_part(positive, power * exponent))
            elif power % 2 == 0:
                raised = power * exponent
                if Fraction(raised).denominator != 1 or raised % 2 != 0:
                    raise SplitError(part, "closed")
                result = self.multiply(result, self.power(Ratio(part), int(raised)))
            else:
                unsure.append((part, power))
        if not unsure and total_sign < 0:
            return ZERO  # a <= 0 and a >= 0
        if len(unsure) > 1 or (unsure and not strict):
            raise SplitError(unsure[0][0], "closed")
        for part, power in unsure:  # the whole is >= 0, so this factor has the remaining sign
            positive = part if total_sign > 0 else poly.scale(part, -1)
            result = self.multiply(result, self.root_of_part(positive, power * exponent))
        return result

    def root_of_part(self, part: Polynomial, exponent: Exponent) -> Ratio:
        """part ** exponent for a part that is >= 0."""
        exponent = Fraction(exponent)
        if exponent.denominator == 1:
            return self.power(Ratio(part), int(exponent))
        if len(part) == 1:
            ((monomial, coefficient),) = part.items()
            if coefficient > 0 and all(
                self.generators[index].relation in ("", "prime", "root") for index, _ in monomial
            ):
                result = self.root_of_number(Fraction(coefficient), exponent)
                for index, power in monomial:
                    made = self.generators[index]
                    raised = power * exponent
                    if made.relation == "root":
                        inner = self.root_of_part(made.radicand, raised / made.degree)
                        result = self.multiply(result, inner)
                    else:
                        one = Ratio(self.reduce({((index, _plain(raised)),): 1}))
                        result = self.multiply(result, one)
                return result
        degree = exponent.denominator
        key = (key_of(part), degree)
        radicand = dict(part)
        index = self.generator(
            "root",
            key,
            lambda: Generator(
                "root",
                key,
                lambda: self.graph.pow(
                    self.node_of(Ratio(radicand)), self.graph.num(Fraction(1, degree))
                ),
                nonnegative=True,
                relation="root",
                radicand=radicand,
                degree=degree,
                depends=self.depends(radicand),
                inside=Ratio(radicand),
            ),
        )
        return self.generator_power_reduced(index, exponent.numerator)

    def generator_power_reduced(self, index: int, exponent: int) -> Ratio:
        if exponent < 0:
            return self.generator_power(index, exponent)
        return Ratio(self.reduce({((index, exponent),): 1}))

    def root_of_number(self, value: Fraction, exponent: Fraction) -> Ratio:
        result = ONE
        for part, sign in ((value.numerator, 1), (value.denominator, -1)):
            for prime, power in _prime_powers(part):
                index = self.prime(prime)
                raised = _plain(sign * power * exponent)
                one = Ratio(self.reduce({((index, raised),): 1}))
                result = self.multiply(result, one)
        return result

    def prime(self, prime: int) -> int:
        return self.generator(
            "prime",
            prime,
            lambda: Generator("prime", prime, lambda: self.graph.num(prime), True, True, "prime"),
        )

    # signs

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

    def signed_parts(self, a: Ratio) -> tuple[int, list[tuple[Polynomial, Exponent]]]:
        """Sign of the coefficient, and the factors whose signs decide the sign of a."""
        coefficient, monomial, factors = self.factors(a.top)
        parts: list[tuple[Polynomial, Exponent]] = []
        for index, power in monomial:
            parts.append((poly.generator(index), power))
        parts += [(dict(key), power) for key, power in factors.items()]
        parts += [(dict(key), -power) for key, power in a.below.items()]
        return (1 if coefficient > 0 else -1), parts

    def absolute(self, a: Ratio) -> Ratio:
        """|a|."""
        if not a.top:
            return ZERO
        sign, parts = self.signed_parts(a)
        for part, power in parts:
            if isinstance(power, Fraction) or power % 2 == 0:
                continue
            known = self.sign(part)
            if known is None:
                raise SplitError(part, "closed")
            if known == 0:
                return ZERO
            if known < 0:
                sign = -sign
        return a if sign > 0 else self.negative(a)

    def closed_sign(self, a: Ratio) -> int:
        """1 if a >= 0, -1 if a <= 0."""
        if not a.top:
            return 1
        whole = self.sign(a.top) if not a.below else None
        if whole is not None:
            return 1 if whole >= 0 else -1
        sign, parts = self.signed_parts(a)
        for part, power in parts:
            if isinstance(power, Fraction) or power % 2 == 0:
                continue
            known = self.sign(part)
            if known is None:
                raise SplitError(part, "closed")
            if known < 0:
                sign = -sign
        return sign

    def strict_sign(self, a: Ratio) -> int:
        """-1, 0 or 1."""
        if not a.top:
            return 0
        sign, parts = self.signed_parts(a)
        for part, power in parts:
            known = self.sign(part)
            if known == 0:
                return 0
            if known is None or abs(known) == 1:
                if power > 0:
                    raise SplitError(part, "three")
                known = known or self.nonzero_sign(part, power)
            if known < 0 and not isinstance(power, Fraction) and power % 2 != 0:
                sign = -sign
        return sign

    @staticmethod
    def nonzero_sign(part: Polynomial, power: Exponent) -> int:
        if not isinstance(power, Fraction) and power % 2 == 0:
            return 1
        raise SplitError(part, "positive")

    def most(self, args: list[Ratio], largest: bool) -> Ratio:
        best = args[0]
        for arg in args[1:]:
            ahead = self.closed_sign(self.subtract(arg, best))
            if (ahead > 0) == largest:
                best = arg
        return best

    def truth(self, condition: Node) -> bool:
        """Whether a condition holds, under the signs supposed."""
        op = condition.op
        if op in ("true", "false"):
            return op == "true"
        if op == "not":
            return not self.truth(condition.args[0])
        if op == "and":
            return all(self.truth(arg) for arg in condition.args)
        if op == "or":
            return any(self.truth(arg) for arg in condition.args)
        difference = self.subtract(self.of(condition.args[1]), self.of(condition.args[0]))
        if op == "==":
            return self.strict_sign(difference) == 0
        return (
            self.is_positive(difference)
            if op == "<"
            else not self.is_positive(self.negative(difference))
        )

    def is_positive(self, a: Ratio) -> bool:
        """Whether a > 0; asks for cases when that is open."""
        if not a.top:
            return False
        whole = self.sign(a.top) if not a.below else None
        if whole is not None and whole != 1:
            return whole == 2
        if whole is None and not a.below:
            raise SplitError(a.top, "positive")
        sign, parts = self.signed_parts(a)
        weak: list[tuple[Polynomial, str]] = []  # known to be >= 0 or <= 0 only
        open_parts: list[tuple[Polynomial, bool]] = []
        for part, power in parts:
            known = self.sign(part)
            if known == 0:
                return False
            odd = not isinstance(power, Fraction) and power % 2 != 0
            if known is None:
                if odd or power > 0:
                    open_parts.append((part, odd))
                continue
            if known < 0 and odd:
                sign = -sign
            if abs(known) == 1 and power > 0:
                weak.append((part, "positive" if known > 0 else "negative"))
        if len(open_parts) == 1 and open_parts[0][1] and not weak:
            raise SplitError(open_parts[0][0], "positive" if sign > 0 else "negative")
        if open_parts:
            raise SplitError(open_parts[0][0], "three")
        if weak and sign > 0:
            raise SplitError(*weak[0])
        return sign > 0

    # derivatives at kinks: both sides must give the same

    def side(self, a: Ratio, node: Node) -> int:
        """The sign of a, from the side that is looked at where a is 0."""
        sign = self.strict_sign(a)
        if sign == 0:
            if node.number not in self.sides:
                raise SideError(node.number)
            return self.sides[node.number]
        return sign

    def side_truth(self, condition: Node) -> bool:
        """A comparison made by the derivative of max or min, from the side looked at."""
        if condition.op == "and":
            return all(self.side_truth(arg) for arg in condition.args)
        if condition.op in ("true", "false"):
            return condition.op == "true"
        return (
            self.side(
                self.subtract(self.of(condition.args[1]), self.of(condition.args[0])), condition
            )
            > 0
        )

    def check_jumps(self, function: Node) -> None:
        """What jumps may only be differentiated where it does not."""
        for node in in_order([function]):
            if node.op in ("sign", "side"):
                differences = [self.of(node.args[0])]
            elif node.op in ("if", "sideif"):
                compared = _compared(node.args[0])
                differences = [
                    self.subtract(self.of(a), self.of(b))
                    for a, b in zip(compared[::2], compared[1::2], strict=True)
                ]
            else:
                continue
            if any(self.strict_sign(difference) == 0 for difference in differences):
                raise NoNormalFormError("a jump is differentiated")

    # the normal distribution

    def normal(self, a: Ratio) -> Ratio:
        """Phi(a), with Phi(-a) = 1 - Phi(a)."""
        if not a.top:
            return number(Fraction(1, 2))
        inverse = self.single(a, "Phi_inv")
        if inverse is not None:
            sign, made = inverse
            assert made.inside is not None
            return made.inside if sign > 0 else self.subtract(ONE, made.inside)
        if poly.leading(a.top)[1] < 0:
            return self.subtract(ONE, self.normal(self.negative(a)))
        return self.plain(self.opaque("Phi", a))

    def normal_inverse(self, a: Ratio) -> Ratio:
        """Phi_inv(a), with Phi_inv(1 - a) = -Phi_inv(a)."""
        other = self.subtract(ONE, a)
        if a.key == other.key:
            return ZERO
        for one, sign in ((a, 1), (other, -1)):
            made = self.single(one, "Phi")
            if made is not None and made[0] > 0:
                inside = made[1].inside
                assert inside is not None
                return inside if sign > 0 else self.negative(inside)
        if str(other.key) < str(a.key):
            return self.negative(self.plain(self.opaque("Phi_inv", other)))
        return self.plain(self.opaque("Phi_inv", a))

    def single(self, a: Ratio, kind: str) -> tuple[int, Generator] | None:
        """(sign, generator) when a is plus or minus one generator of a kind."""
        if len(a.top) != 1 or a.below:
            return None
        ((monomial, coefficient),) = a.top.items()
        if len(monomial) != 1 or monomial[0][1] != 1 or abs(coefficient) != 1:
            return None
        made = self.generators[monomial[0][0]]
        return (int(coefficient), made) if made.kind == kind else None

    def opaque(self, kind: str, a: Ratio) -> int:
        return self.generator(
            kind,
            a.key,
            lambda: Generator(
                kind,
                a.key,
                lambda: self.graph.call(kind, self.node_of(a)),
                kind == "Phi",
                kind == "Phi",
                depends=self.ratio_depends(a),
                inside=a,
            ),
        )

    # back to graphs

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


def _indices(a: Polynomial) -> set[int]:
    return {index for monomial in a for index, _ in monomial}


def _degree(a: Polynomial) -> Exponent:
    return max(sum(abs(exponent) for _, exponent in monomial) for monomial in a)


def _compared(condition: Node) -> list[Node]:
    """The numbers that a condition compares."""
    if condition.op in ("<", "<=", "=="):
        return list(condition.args)
    return [node for part in condition.args for node in _compared(part)]


def _short(value: Fraction) -> Coefficient:
    return int(value) if value.denominator == 1 else value


def _plain(value: Exponent) -> Exponent:
    return _short(Fraction(value))


def _shortened(a: Polynomial) -> Polynomial:
    return {monomial: _short(Fraction(coefficient)) for monomial, coefficient in a.items()}


def _prime_powers(value: int) -> list[tuple[int, int]]:
    """Prime factors up to a bound; what is left counts as one factor."""
    found: list[tuple[int, int]] = []
    candidate = 2
    while candidate * candidate <= value and candidate <= LARGEST_PRIME:
        power = 0
        while value % candidate == 0:
            value //= candidate
            power += 1
        if power:
            found.append((candidate, power))
        candidate += 1
    if value > 1:
        found.append((value, 1))
    return found
