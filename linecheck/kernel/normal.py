"""Normal forms: a node is a quotient of polynomials in atoms, at every point of the context.

Each rewriting that is not true of all numbers asks the facts first: a divisor is not 0, the inside
of a logarithm is not 0, the sign under |.| or max. Where that is open an atom stays, and `wanted`
says what would have helped. Functions are total: 1/0 is 0, and log, roots and powers that are not
whole are those of the absolute value (log 0 is some number). So a line that is defined, which
is a goal of its own, says the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce, wraps
from typing import Concatenate, ParamSpec

from linecheck.expand.graph import Node, in_order, is_root, value_of
from linecheck.kernel import polynomials as poly
from linecheck.kernel.facts import (
    MOST_LABELS,
    NEG,
    NONZERO,
    POS,
    STRONG,
    ZERO,
    Atom,
    Facts,
    Table,
    flipped,
    put,
    require,
    times,
)
from linecheck.kernel.polynomials import Coefficient, Exponent, Key, Poly, Work, key_of, short
from linecheck.language.domains import ScalarDomain
from linecheck.language.terms import TooBigError

P = ParamSpec("P")


@dataclass(frozen=True)
class Ratio:
    """top over a product of factors that are not 0 in the context."""

    top: Poly
    below: dict[Key, int] = field(default_factory=dict)

    @property
    def key(self) -> tuple[Key, tuple[tuple[Key, int], ...]]:
        """A hashable form."""
        return key_of(self.top), tuple(sorted(self.below.items()))


NOUGHT, UNIT = Ratio({}), Ratio(poly.ONE)
Arg = tuple[Key, tuple[tuple[Key, int], ...]]


def by_values(function: Callable[Concatenate[Normal, Ratio, P], Ratio]) -> Callable[..., Ratio]:
    """f(y) = (1 - y) f(0) + y f(1) of a label y, f(s) = (1 + s)/2 f(1) + (1 - s)/2 f(-1)."""

    @wraps(function)
    def at_values(self: Normal, a: Ratio, *more: P.args, **named: P.kwargs) -> Ratio:
        index = self.two_valued(a)
        if index is None:
            return function(self, a, *more, **named)
        if sum(self.rule_of(i) != "" for i in poly.atoms_in(a.top)) > MOST_LABELS:
            raise TooBigError("too many labels in one function")
        total = NOUGHT
        values = (0, 1) if self.rule_of(index) == "label" else (-1, 1)
        for value, other in (values, values[::-1]):
            gap = poly.add(poly.single(index), poly.constant(other), -1)
            weight = poly.scale(gap, Fraction(1, value - other))
            there = Ratio(put(a.top, index, value))
            for key, exponent in a.below.items():
                below = Ratio(put(dict(key), index, value))
                there = self.multiply(there, self.whole_power(below, -exponent))
            found = at_values(self, there, *more, **named)
            total = self.add(total, self.multiply(Ratio(weight), found))
        return total

    return at_values


class Normal(Facts):
    """Normal forms in one context."""

    def __init__(self, table: Table, domains: dict[str, ScalarDomain], work: Work) -> None:
        super().__init__(table, domains)
        self.work = work
        self.memory: dict[int, Ratio] = {}
        self.renewed: dict[int, Ratio] = {}
        self.values: dict[int, Ratio] = {}  # what an equation says of an atom
        self.wanted: dict[tuple[Key, str], Poly] = {}

    def forget(self) -> None:
        """Drop the normal forms: they may be simpler by now."""
        self.memory.clear()
        self.renewed.clear()
        self.wanted.clear()

    def want(self, a: Poly, what: str) -> None:
        self.wanted.setdefault((key_of(a), what), a)

    # atoms

    def atom(self, kind: str, data: object = None, *args: Ratio) -> Ratio:
        """The atom, or what an equation says of it."""
        names = frozenset[str]().union(*(self.names(one) for one in args))
        if kind in ("var", "opaque", "side"):
            names |= {str(data)}
        index = self.table.index(Atom(kind, data, tuple(one.key for one in args)), names)
        return self.values.get(index) or Ratio(poly.single(index))

    def names(self, a: Ratio) -> frozenset[str]:
        """The variables in a quotient."""
        found = poly.atoms_in(a.top, *(dict(key) for key in a.below))
        return frozenset[str]().union(*(self.table.depends[index] for index in found))

    def ratio(self, arg: Arg) -> Ratio:
        """The argument of an atom in this context."""
        top, below = arg
        result = self.renew(dict(top))
        for key, exponent in below:
            result = self.multiply(result, self.whole_power(self.renew(dict(key)), -exponent))
        return result

    def renew(self, a: Poly) -> Ratio:
        """The polynomial as it is written with what is known by now."""
        sums: dict[tuple[tuple[Key, int], ...], Poly] = {}  # by what is below
        for monomial, coefficient in a.items():
            changed = [(i, e) for i, e in monomial if self.renew_atom(i) != Ratio(poly.single(i))]
            kept = tuple(part for part in monomial if part not in changed)
            product = Ratio({kept: coefficient})
            for index, exponent in changed:
                product = self.multiply(product, self.power(self.renew_atom(index), exponent))
            below = product.key[1]
            sums[below] = poly.add(sums.get(below, {}), product.top)
        parts = (self.cancelled(self.reduce(top), dict(below)) for below, top in sums.items())
        return reduce(self.add, parts, NOUGHT)

    def renew_atom(self, index: int) -> Ratio:
        if index not in self.renewed:
            self.renewed[index] = Ratio(poly.single(index))  # while it is looked at
            self.renewed[index] = self.values.get(index) or self.made_again(self.table.atoms[index])
        return self.renewed[index]

    def made_again(self, atom: Atom) -> Ratio:
        inside = [self.ratio(arg) for arg in atom.args]
        if atom.kind == "root":
            return self.root(inside[0], Fraction(1, atom.data))
        if atom.kind in FUNCTIONS:
            return FUNCTIONS[atom.kind](self, inside[0])
        return self.atom(atom.kind, atom.data, *inside)

    # arithmetic

    def reduce(self, a: Poly) -> Poly:
        """y**2 = y, s**2 = 1, |f|**2 = f**2, root**d = f where f >= 0, whole powers of primes."""
        terms: list[tuple[poly.Monomial, Coefficient]] = []
        for monomial, coefficient in a.items():
            plain: list[tuple[int, Exponent]] = []
            factors: list[Poly] = []
            for index, exponent in monomial:
                if exponent == 1 and self.table.atoms[index].kind != "prime":
                    plain.append((index, 1))
                    continue
                left, factor, count = self.opened(index, exponent)
                plain += [(index, short(left))] if left else []
                factors += [factor] * int(count)
            terms += reduce(self.times, factors, {tuple(plain): coefficient}).items()
        return poly.collected(terms)

    def opened(self, index: int, exponent: Exponent) -> tuple[Exponent, Poly, Exponent]:
        """The exponent that is left of an atom's, what its powers are, and how many."""
        atom, rule = self.table.atoms[index], self.rule_of(index)
        if rule:
            return min(exponent, 1) if rule == "label" else exponent % 2, {}, 0
        if atom.kind == "prime":
            value = Fraction(atom.data) ** int(exponent // 1)
            return exponent % 1, poly.constant(value), int(value != 1)
        degree = {"abs": 2, "root": atom.data}.get(atom.kind)
        if degree is None or exponent < degree:
            return exponent, {}, 0
        inside = dict(atom.args[0][0])
        if atom.kind == "abs":
            inside = poly.multiply(inside, inside, self.work)
        elif self.signs(inside) & NEG:
            return exponent, {}, 0
        return exponent % degree, inside, exponent // degree

    def times(self, a: Poly, b: Poly) -> Poly:
        return self.reduce(poly.multiply(a, b, self.work))

    def multiply(self, a: Ratio, b: Ratio) -> Ratio:
        if not a.top or not b.top:
            return NOUGHT
        below = dict(a.below)
        for key, exponent in b.below.items():
            below[key] = below.get(key, 0) + exponent
        return self.cancelled(self.times(a.top, b.top), below)

    def product(self, parts: Iterable[tuple[Poly, int]]) -> Poly:
        """A product of powers."""
        return reduce(self.times, (a for a, count in parts for _ in range(count)), poly.ONE)

    def add(self, a: Ratio, b: Ratio, factor: Coefficient = 1) -> Ratio:
        """a + factor * b over a common divisor."""
        if not a.top or not b.top:
            return a if not b.top else Ratio(poly.scale(b.top, factor), b.below)
        below = dict(a.below)
        for key, exponent in b.below.items():
            below[key] = max(below.get(key, 0), exponent)
        tops = []
        for one in (a, b):
            missing = ((dict(key), below[key] - one.below.get(key, 0)) for key in below)
            tops.append(self.times(one.top, self.product(missing)))
        return self.cancelled(poly.add(tops[0], tops[1], factor), below)

    def rest(self, a: Ratio) -> Ratio:
        """1 - a."""
        return self.add(UNIT, a, -1)

    def cancelled(self, top: Poly, below: dict[Key, int]) -> Ratio:
        """Common factors, which are not 0, divided out as search proposes."""
        less, kept = self.table.guess.cancelled(top, below, self.work)
        if kept == below and less == top:  # which is so most often
            return Ratio(top, below) if top else NOUGHT
        less = self.table.polynomial(less)
        gone = self.product((dict(key), below[key] - kept.get(key, 0)) for key in below)
        sound = all(0 < kept[key] <= below[key] for key in kept)
        require(sound and self.times(less, gone) == top, "the quotient is the same")
        return Ratio(less, kept) if less else NOUGHT

    def power(self, a: Ratio, exponent: Exponent) -> Ratio:
        if Fraction(exponent).denominator == 1:
            return self.whole_power(a, int(exponent))
        return self.root(a, Fraction(exponent))

    def whole_power(self, a: Ratio, exponent: int) -> Ratio:
        if exponent < 0:
            return self.whole_power(self.inverse(a), -exponent)
        sizes = [Fraction(c).numerator.bit_length() for c in a.top.values()]
        if exponent > 60 and (len(sizes) > 1 or exponent * sum(sizes) > 20_000):
            raise TooBigError("the algebra is too long")
        result, square = UNIT, a
        while exponent:
            if exponent & 1:
                result = self.multiply(result, square)
            exponent >>= 1
            square = self.multiply(square, square) if exponent else square
        return result

    def factors(self, a: Ratio) -> tuple[Coefficient, list[tuple[Poly, Exponent]]]:
        """A number and polynomials with exponents whose product is a."""
        common = poly.content(a.top)
        rest = poly.shift(a.top, poly.power_of_monomial(common, -1))
        coefficient, rest = poly.primitive(rest)
        guessed = self.table.guess.factors(rest, self.parts.values(), self.work)
        product, atoms = poly.ONE, list(common)
        found: list[tuple[Poly, Exponent]] = []
        for part, count in guessed:
            require(isinstance(count, int) and count > 0, "a factor stands there at least once")
            part = part if part == rest else self.table.polynomial(part)
            product = self.times(product, self.product([(part, count)]))
            if len(part) > 1:
                self.parts.setdefault(key_of(part), part)
                found.append((part, count))
            else:
                atoms += poly.power_of_monomial(max(part), count)
        missing = 1 / Fraction(product.get(max(rest), 1))
        require(poly.scale(product, missing) == rest, "the factors of a polynomial")
        below = [(dict(key), -exponent) for key, exponent in a.below.items()]
        singles = [(poly.single(index), exponent) for index, exponent in atoms]
        return short(coefficient * missing), [*singles, *found, *below]

    def with_primes(self, a: Ratio) -> list[tuple[Poly, Exponent]]:
        """Factors whose product is a or -a; numbers among them have few factors themselves."""
        coefficient, found = self.factors(a)
        value = abs(Fraction(coefficient))
        for part, sign in ((value.numerator, 1), (value.denominator, -1)):
            powers = self.table.guess.primes(part)
            sure = all(isinstance(n, int) and n > 0 for power in powers for n in power)
            require(sure and math.prod(n**k for n, k in powers) == part, "the factors of a number")
            found += [(poly.constant(n), sign * k) for n, k in powers]
        return found

    @by_values
    def inverse(self, a: Ratio) -> Ratio:
        """1 / a; factors that may be 0 stay in an atom."""
        if not a.top:
            return NOUGHT
        sure = not self.signs(a.top) & ZERO
        coefficient, parts = self.factors(a)
        result = Ratio(poly.constant(1 / Fraction(coefficient)))
        for part, exponent in parts:
            kind = self.kind_of(part)
            if kind in STRONG:
                raised = poly.power_of_monomial(max(part), -exponent)
                one = Ratio(self.reduce({raised: 1}))
            elif exponent < 0:
                one = self.whole_power(Ratio(part), -int(exponent))
            elif sure or not self.signs(part) & ZERO:
                self.learn(part, NONZERO, "a factor of what is not 0")
                one = Ratio(poly.ONE, {key_of(part): int(exponent)})
            else:
                self.want(part, "nonzero")
                one = self.whole_power(self.atom("inv", None, Ratio(part)), int(exponent))
            result = self.multiply(result, one)
        return result

    def kind_of(self, part: Poly) -> str:
        """The kind of an atom; empty for what is not one, as a power or a multiple of it."""
        index = next((monomial[0][0] for monomial in part if monomial), None)
        if index is None or part != poly.single(index):
            return ""
        return self.table.atoms[index].kind

    def two_valued(self, a: Ratio) -> int | None:
        """A label or a sign in it."""
        found = poly.atoms_in(a.top, *(dict(key) for key in a.below))
        return next((index for index in found if self.rule_of(index)), None)

    # functions of one number

    def sign_of(self, a: Ratio) -> int:
        found = self.signs(a.top)
        for key, exponent in a.below.items():
            if exponent % 2:
                found = times(found, self.signs(dict(key)))
        return found

    def without_divisor(self, a: Ratio) -> Poly:
        """A polynomial that has the sign of a quotient."""
        top = a.top
        for key, exponent in a.below.items():
            signs = self.signs(dict(key)) if exponent % 2 else POS
            if signs in (POS, NEG):
                top = top if signs == POS else poly.scale(top, -1)
            else:
                top = self.times(top, dict(key))
        return top

    @by_values
    def absolute(self, a: Ratio) -> Ratio:
        if not self.sign_of(a) & NEG:
            return a
        if not self.sign_of(a) & POS:
            return _negative(a)
        return self.root(a, Fraction(1))

    @by_values
    def positive(self, a: Ratio) -> Ratio:
        """1 where a > 0, else 0."""
        signs = self.sign_of(a)
        if signs == POS or not signs & POS:
            return UNIT if signs == POS else NOUGHT
        top = self.without_divisor(a)
        sure = [(i, e) for i, e in poly.content(top) if self.signs_of_atom(i) == POS]
        top = poly.shift(top, poly.power_of_monomial(tuple(sure), -1))
        self.want(top, "three")
        lead, base = poly.primitive(top)
        return self.atom("pos", None, Ratio(base if lead > 0 else poly.scale(base, -1)))

    def sign(self, a: Ratio) -> Ratio:
        return self.add(self.positive(a), self.positive(_negative(a)), -1)

    def exp(self, a: Ratio) -> Ratio:
        """exp of a sum is the product of the exps of its terms."""
        terms = [Ratio({monomial: c}, a.below) for monomial, c in a.top.items()]
        return reduce(self.multiply, map(self.exp_of, terms), UNIT)

    @by_values
    def exp_of(self, a: Ratio) -> Ratio:
        """exp of one term."""
        if len(a.top) != 1:
            return self.exp(a)
        ((monomial, coefficient),) = a.top.items()
        if not a.below and self.kind_of({monomial: 1}) == "log":
            inside = self.ratio(self.table.atoms[monomial[0][0]].args[0])
            if not self.sign_of(inside) & ZERO:
                return self.power(self.absolute(inside), coefficient)
            self.want(inside.top, "nonzero")
        made = self.atom("exp", None, Ratio({monomial: 1}, a.below))
        return Ratio({poly.power_of_monomial(max(made.top), coefficient): 1})

    @by_values
    def log(self, a: Ratio) -> Ratio:
        """log|a| from the factors of a, where a is not 0."""
        if self.sign_of(a) & ZERO:
            self.want(a.top, "nonzero")
            return self.atom("log", None, a)
        total = NOUGHT
        for part, exponent in self.with_primes(a):
            total = self.add(total, self.log_of(part), exponent)
        return total

    def log_of(self, part: Poly) -> Ratio:
        """log|part| of a factor that is not 0."""
        kind = self.kind_of(part)
        if kind not in ("exp", "prime", "root"):
            return self.atom("log", None, Ratio(part))
        atom = self.table.atoms[max(part)[0][0]]
        if kind == "prime":
            return self.log_of(poly.constant(atom.data))
        inside = self.ratio(atom.args[0])
        if kind == "exp":
            return inside
        return self.multiply(Ratio(poly.constant(Fraction(1, atom.data))), self.log(inside))

    @by_values
    def root(self, a: Ratio, exponent: Fraction) -> Ratio:
        """|a| ** exponent, factor by factor."""
        if not a.top:
            return NOUGHT
        result = UNIT
        for part, power in self.with_primes(a):
            result = self.multiply(result, self.root_of(part, power * exponent))
        return result

    def root_of(self, part: Poly, exponent: Fraction) -> Ratio:
        """|part| ** exponent."""
        degree = exponent.denominator
        if part.keys() == {()} and degree > 1:
            part = self.atom("prime", part[()]).top
        kind = self.kind_of(part)
        if kind in STRONG:
            return Ratio(self.reduce({poly.power_of_monomial(max(part), exponent): 1}))
        if degree == 1:
            size = self.size_of(part) if exponent % 2 else Ratio(part)
            return self.whole_power(size, int(exponent))
        if kind == "root":
            atom = self.table.atoms[max(part)[0][0]]
            return self.root_of(dict(atom.args[0][0]), exponent / atom.data)
        if self.signs(part) == NEG:
            part = poly.scale(part, -1)
        whole, left = divmod(exponent.numerator, degree)
        made = self.atom("root", degree, Ratio(part))
        if whole >= 0 or self.signs(part) & ZERO:
            return self.whole_power(made, exponent.numerator)
        return self.multiply(self.whole_power(made, left), self.root_of(part, Fraction(whole)))

    def size_of(self, part: Poly) -> Ratio:
        """|part| of what has no factors."""
        if not self.signs(part) & POS:
            return Ratio(poly.scale(part, -1))
        if not self.signs(part) & NEG:
            return Ratio(part)
        self.want(part, "sign")
        return self.atom("abs", None, Ratio(part))

    def normal(self, a: Ratio) -> Ratio:
        """Phi(a), with Phi(-a) = 1 - Phi(a)."""
        if not a.top:
            return Ratio(poly.constant(Fraction(1, 2)))
        if a.top[max(a.top)] < 0:
            return self.rest(self.normal(_negative(a)))
        if self.kind_of(a.top) == "Phi_inv" and not a.below:
            inside = self.ratio(self.table.atoms[max(a.top)[0][0]].args[0])
            if self.sign_of(inside) == POS == self.sign_of(self.rest(inside)):
                return inside
        return self.atom("Phi", None, a)

    def normal_inverse(self, a: Ratio) -> Ratio:
        """Phi_inv(a), with Phi_inv(1 - a) = -Phi_inv(a) for a between 0 and 1."""
        other = self.rest(a)
        for one, sign in ((a, 1), (other, -1)):
            if not one.below and self.kind_of(one.top) == "Phi":
                inside = self.ratio(self.table.atoms[max(one.top)[0][0]].args[0])
                return inside if sign > 0 else _negative(inside)
        if self.sign_of(a) == POS == self.sign_of(other):
            if a.key == other.key:
                return NOUGHT
            if a.key > other.key:
                return _negative(self.atom("Phi_inv", None, other))
        return self.atom("Phi_inv", None, a)

    # nodes

    def of(self, node: Node) -> Ratio:
        """The normal form of a node."""
        if node.number not in self.memory:
            self.memory[node.number] = self.convert(node)
        return self.memory[node.number]

    def convert(self, node: Node) -> Ratio:
        op = node.op
        if op == "num":
            return Ratio(poly.constant(value_of(node)))
        if op == "var":
            return self.atom("var", str(node.data))
        if op == "pi":
            return self.atom("pi")
        if op in ("add", "mul"):
            args = [self.of(arg) for arg in node.args[::-1]]  # the atoms of the last come first
            return reduce(self.add if op == "add" else self.multiply, args[::-1])
        if op == "pow":
            return self.power_of(node)
        if op == "log":
            return self.log_of_node(node.args[0])
        if op in ("max", "min"):
            return self.most(node.args, 1 if op == "max" else -1)
        if op in ("if", "sideif"):
            return self.truth(node.args[0], self.positive if op == "if" else None)
        if op == "diff":
            return self.slope(node, self.of(node.args[1]))
        if op == "side":
            return self.side(self.of(node.args[0]), (node.args[0].number,), node)
        return FUNCTIONS[op](self, self.of(node.args[0]))

    def power_of(self, node: Node) -> Ratio:
        base, exponent = node.args
        if exponent.op == "num":
            return self.power(self.of(base), short(value_of(exponent)))
        b, a = self.of(exponent), self.of(base)
        signs, over = self.sign_of(a), self.sign_of(b)
        if signs == POS:
            return self.exp(self.multiply(b, self.log(a)))
        if signs == ZERO and over == POS:
            return NOUGHT
        self.want(a.top, "three")
        if signs == ZERO:
            self.want(b.top, "three")
        return self.atom("opaque", node.number, a, b)

    def log_of_node(self, node: Node) -> Ratio:
        """log|node|, product by product as it was typed, where no factor is 0."""
        parts = node.args if node.op == "mul" else ()
        if not parts or any(self.sign_of(self.of(part)) & ZERO for part in parts):
            return self.log(self.of(node))
        return reduce(self.add, map(self.log_of_node, parts))

    def most(self, nodes: tuple[Node, ...], turn: int) -> Ratio:
        """The largest (turn 1) or the smallest: (a + b + |a - b|)/2."""
        *args, best = (self.of(node) for node in nodes[::-1])
        for arg in args[::-1]:
            gap = self.add(arg, best, -1)
            signs = self.sign_of(gap) if turn > 0 else flipped(self.sign_of(gap))
            if not signs & NEG:
                best = arg
            elif signs & POS:
                both = self.add(self.add(best, arg), self.absolute(gap), turn)
                best = self.multiply(Ratio(poly.constant(Fraction(1, 2))), both)
        return best

    def truth(self, condition: Node, positive: Callable[[Ratio], Ratio] | None) -> Ratio:
        """1 where a condition holds, 0 elsewhere; without `positive` as a derivative has it."""
        op = condition.op
        if op in ("true", "false"):
            return UNIT if op == "true" else NOUGHT
        if op == "not":
            return self.rest(self.truth(condition.args[0], positive))
        if op in ("and", "or"):
            parts = [self.truth(part, positive) for part in condition.args]
            if op == "and":
                return reduce(self.multiply, parts)
            return self.rest(reduce(self.multiply, map(self.rest, parts)))
        low, high = condition.args
        gap = self.add(self.of(high), self.of(low), -1)
        if positive is None:  # a < b and b <= a look at one kink
            key = tuple(sorted((low.number, high.number)))
            turn = 1 if key[0] == low.number else -1
            side = self.side(gap if turn > 0 else _negative(gap), key, condition)
            half = Fraction(1, 2)
            return self.add(Ratio(poly.constant(half)), side, half * turn)
        if op == "<":
            return positive(gap)
        upper = self.rest(positive(_negative(gap)))
        return upper if op == "<=" else self.add(upper, positive(gap), -1)

    # derivatives

    def side(self, a: Ratio, key: tuple[int, ...], node: Node) -> Ratio:
        """The sign of a; where a is 0, a sign of which nothing is known: from both sides."""
        signs = self.sign_of(a)
        if signs in (POS, NEG):
            return Ratio(poly.constant(1 if signs == POS else -1))
        if signs == ZERO:
            return self.atom("side", key)
        self.want(a.top, "three")
        return self.atom("opaque", node.number, a)

    def is_settled(self, a: Ratio) -> bool:
        """Whether no derivative is left open in a number, or depends on the side."""
        found = poly.atoms_in(a.top, *(dict(key) for key in a.below))
        return all(self.table.atoms[i].kind not in ("opaque", "side") for i in found)

    def slope(self, node: Node, value: Ratio) -> Ratio:
        """A derivative where it exists: nothing that jumps, and no root, is 0 there; and once its
        variable is replaced by a value, no kink lies there."""
        places = list(node.args[2:]) if not node.data else []
        for part in in_order([node.args[0]]):
            if part.op in ("sign", "side") or is_root(part):
                places.append(part.args[0])
        compared = [
            (low, high)
            for part in in_order([node.args[0]])
            if part.op in ("if", "sideif")
            for low, high in _comparisons(part.args[0])
        ]
        gaps = [self.of(place) for place in places]
        gaps += [self.add(self.of(a), self.of(b), -1) for a, b in compared]
        for gap in gaps:
            if self.sign_of(gap) & ZERO:
                self.want(gap.top, "three")
                return self.atom("opaque", node.number)
        return value


def _negative(a: Ratio) -> Ratio:
    return Ratio(poly.scale(a.top, -1), a.below)


def _comparisons(condition: Node) -> list[tuple[Node, Node]]:
    if condition.op in ("<", "<=", "=="):
        return [(condition.args[0], condition.args[1])]
    return [pair for part in condition.args for pair in _comparisons(part)]


FUNCTIONS: dict[str, Callable[[Normal, Ratio], Ratio]] = {
    "exp": Normal.exp,
    "log": Normal.log,
    "abs": Normal.absolute,
    "sign": Normal.sign,
    "pos": Normal.positive,
    "inv": Normal.inverse,
    "Phi": Normal.normal,
    "Phi_inv": Normal.normal_inverse,
}
