"""Normal forms: a node is a quotient of polynomials in atoms, at every point of the context.

Each rewriting that is not true of all numbers asks the facts first: a divisor is not 0, the inside
of a logarithm is not 0, the sign under |.| or max. Where that is open an atom stays, and `wanted`
says what would have helped. Functions are total: 1/0 is 0, and log, roots and powers that are not
whole are those of the absolute value (log 0 is some number). So a line that is defined, which
is a goal of its own, says the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

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
    times,
)
from linecheck.kernel.polynomials import Coefficient, Exponent, Key, Poly, Work, key_of, short
from linecheck.language.domains import ScalarDomain
from linecheck.language.terms import TooBigError

LARGEST_PRIME = 2000


@dataclass(frozen=True)
class Ratio:
    """top over a product of factors that are not 0 in the context."""

    top: Poly
    below: dict[Key, int] = field(default_factory=dict)

    @property
    def key(self) -> tuple[Key, tuple[tuple[Key, int], ...]]:
        """A hashable form."""
        return key_of(self.top), tuple(sorted(self.below.items()))


class SideError(Exception):
    """A derivative at a kink must be looked at from both sides; `key` names the kink."""

    def __init__(self, key: tuple[int, ...]) -> None:
        super().__init__(key)
        self.key = key


NOUGHT, UNIT = Ratio({}), Ratio(poly.ONE)
Arg = tuple[Key, tuple[tuple[Key, int], ...]]


class Normal(Facts):
    """Normal forms in one context."""

    def __init__(self, table: Table, domains: dict[str, ScalarDomain], work: Work) -> None:
        super().__init__(table, domains)
        self.work = work
        self.memory: dict[int, Ratio] = {}
        self.renewed: dict[int, Ratio] = {}
        self.values: dict[int, Ratio] = {}  # what an equation says of an atom
        self.sides: dict[tuple[int, ...], int] = {}  # at a kink, from which side it is looked at
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
        if kind in ("var", "opaque"):
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
        total = NOUGHT
        plain: Poly = {}
        for monomial, coefficient in a.items():
            changed = [(i, e) for i, e in monomial if self.renew_atom(i).key != (_key_of(i), ())]
            if not changed:
                plain[monomial] = coefficient
                continue
            kept = tuple(part for part in monomial if part not in changed)
            product = Ratio({kept: coefficient})
            for index, exponent in changed:
                product = self.multiply(product, self.power(self.renew_atom(index), exponent))
            total = self.add(total, product)
        return self.add(total, Ratio(self.reduce(plain)))

    def renew_atom(self, index: int) -> Ratio:
        if index not in self.renewed:
            self.renewed[index] = Ratio(poly.single(index))  # while it is looked at
            self.renewed[index] = self._renew_atom(index)
        return self.renewed[index]

    def _renew_atom(self, index: int) -> Ratio:
        if index in self.values:
            return self.values[index]
        kind, data, args = (a := self.table.atoms[index]).kind, a.data, a.args
        if not args:
            return Ratio(poly.single(index))
        inside = [self.ratio(arg) for arg in args]
        functions: dict[str, Callable[[Ratio], Ratio]] = {
            "exp": self.exp, "log": self.log, "abs": self.absolute, "pos": self.positive,
            "inv": self.inverse, "Phi": self.normal, "Phi_inv": self.normal_inverse,
        }  # fmt: skip
        if kind == "root":
            assert isinstance(data, int)
            return self.root(inside[0], Fraction(1, data))
        if kind in functions:
            return functions[kind](inside[0])
        return self.atom(kind, data, *inside)

    # arithmetic

    def reduce(self, a: Poly) -> Poly:
        """y**2 = y, s**2 = 1, |f|**2 = f**2, root**d = f where f >= 0, whole powers of primes."""
        atoms = self.table.atoms
        related = ("root", "abs", "prime")
        waiting: Poly = a
        result: Poly = {}
        for _ in range(60):
            again: Poly = {}
            for monomial, coefficient in waiting.items():
                factor: Poly | None = None
                plain: list[tuple[int, Exponent]] = []
                for index, exponent in monomial:
                    atom, rule = atoms[index], self.rule_of(index)
                    if rule == "label":
                        exponent = min(exponent, 1)
                    elif rule == "sign":
                        exponent %= 2
                    elif atom.kind == "prime":
                        whole = exponent // 1
                        assert isinstance(atom.data, int)
                        coefficient = short(coefficient * Fraction(atom.data) ** int(whole))
                        exponent = short(exponent - whole)
                    elif atom.kind in related and factor is None:
                        factor, exponent = self.opened(atom, int(exponent))
                    if exponent:
                        plain.append((index, exponent))
                if factor is None:
                    result = poly.add(result, {tuple(plain): coefficient})
                else:
                    product = poly.multiply({tuple(plain): coefficient}, factor, self.work)
                    again = poly.add(again, product)
            if not again:
                return result
            waiting = again
        raise TooBigError("the algebra is too long")

    def opened(self, atom: Atom, exponent: int) -> tuple[Poly | None, int]:
        """What d factors of a root, or two of |f|, are."""
        degree = 2 if atom.kind == "abs" else atom.data
        assert isinstance(degree, int)
        if exponent < degree:
            return None, exponent
        inside = dict(atom.args[0][0])
        if atom.kind == "abs":
            return poly.multiply(inside, inside, self.work), exponent - 2
        signs = self.signs(inside)
        if not signs & NEG:
            return inside, exponent - degree
        if not signs & POS:
            return poly.scale(inside, -1), exponent - degree
        self.want(inside, "sign")
        return None, exponent

    def times(self, a: Poly, b: Poly) -> Poly:
        return self.reduce(poly.multiply(a, b, self.work))

    def multiply(self, a: Ratio, b: Ratio) -> Ratio:
        if not a.top or not b.top:
            return NOUGHT
        below = dict(a.below)
        for key, exponent in b.below.items():
            below[key] = below.get(key, 0) + exponent
        return self.cancelled(self.times(a.top, b.top), below)

    def add(self, a: Ratio, b: Ratio, factor: Coefficient = 1) -> Ratio:
        """a + factor * b over a common divisor."""
        if not a.top or not b.top:
            return a if not b.top else Ratio(poly.scale(b.top, factor), b.below)
        below = dict(a.below)
        for key, exponent in b.below.items():
            below[key] = max(below.get(key, 0), exponent)
        tops = []
        for one in (a, b):
            top = one.top
            for key, exponent in below.items():
                for _ in range(exponent - one.below.get(key, 0)):
                    top = self.times(top, dict(key))
            tops.append(top)
        return self.cancelled(poly.add(tops[0], tops[1], factor), below)

    def cancelled(self, top: Poly, below: dict[Key, int]) -> Ratio:
        """Common factors divided out where that is cheap; they are not 0."""
        kept: dict[Key, int] = {}
        for key, exponent in below.items():
            factor = dict(key)
            while top and exponent and len(top) * len(factor) <= 4000:
                quotient = self.quotient(top, factor)
                if quotient is None:
                    break
                top, exponent = quotient, exponent - 1
            if exponent:
                kept[key] = exponent
        return Ratio(top, kept) if top else NOUGHT

    def quotient(self, top: Poly, factor: Poly) -> Poly | None:
        """top / factor, or None."""
        if not set(poly.atoms_in(factor)) <= set(poly.atoms_in(top)):
            return None
        strong = tuple((i, e) for i, e in poly.content(top) if self.table.atoms[i].kind in STRONG)
        plain = poly.shift(top, poly.power_of_monomial(strong, -1))
        found = poly.divided(plain, factor, self.work)
        return None if found is None else poly.shift(found, strong)

    def power(self, a: Ratio, exponent: Exponent) -> Ratio:
        if Fraction(exponent).denominator == 1:
            return self.whole_power(a, int(exponent))
        return self.root(a, Fraction(exponent))

    def whole_power(self, a: Ratio, exponent: int) -> Ratio:
        if exponent < 0:
            return self.whole_power(self.inverse(a), -exponent)
        if not a.top:
            return NOUGHT if exponent else UNIT
        if len(a.top) == 1 and not a.below:
            ((monomial, coefficient),) = a.top.items()
            if exponent * Fraction(coefficient).numerator.bit_length() > 20_000:
                raise TooBigError("the algebra is too long")
            raised = {poly.power_of_monomial(monomial, exponent): Fraction(coefficient) ** exponent}
            return Ratio(self.reduce({m: short(c) for m, c in raised.items()}))
        if exponent > 60:
            raise TooBigError("the algebra is too long")
        result, square = UNIT, a
        while exponent:
            if exponent & 1:
                result = self.multiply(result, square)
            exponent >>= 1
            square = self.multiply(square, square) if exponent else square
        return result

    def factors(self, a: Ratio) -> tuple[Coefficient, list[tuple[Poly, Exponent]]]:
        """A number and polynomials with exponents whose product is a; it is checked by division."""
        common = poly.content(a.top)
        rest = poly.shift(a.top, poly.power_of_monomial(common, -1))
        coefficient, rest = poly.primitive(rest)
        found: list[tuple[Poly, Exponent]] = [(poly.single(i), e) for i, e in common]
        for key, factor in sorted(self.parts.items(), key=lambda part: len(part[1])):
            count = 0
            while len(rest) > 1 and len(rest) * len(factor) < 3000:
                quotient = poly.divided(rest, factor, self.work) if _fits(factor, rest) else None
                if quotient is None:
                    break
                rest, count = quotient, count + 1
            if count:
                found.append((dict(key), count))
        if rest != poly.ONE:
            more, rest = poly.primitive(rest)
            coefficient = short(coefficient * Fraction(more))
            if len(rest) > 1:
                self.parts.setdefault(key_of(rest), rest)
            found += [(rest, 1)] if rest.keys() != {()} else []
        return coefficient, found + [(dict(key), -exponent) for key, exponent in a.below.items()]

    def inverse(self, a: Ratio) -> Ratio:
        """1 / a; factors that may be 0 stay in an atom."""
        if not a.top:
            return NOUGHT
        two = self.two_valued(a)
        if two is not None:
            return self.by_values(two, a, self.inverse)
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
        """The kind of an atom; empty for what is not one."""
        monomial = next(iter(part))
        plain = len(part) == 1 and len(monomial) == 1
        return self.table.atoms[monomial[0][0]].kind if plain else ""

    # labels and signs: f(y) = (1 - y) f(0) + y f(1), f(s) = (1 + s)/2 f(1) + (1 - s)/2 f(-1)

    def two_valued(self, a: Ratio) -> int | None:
        found = poly.atoms_in(a.top, *(dict(key) for key in a.below))
        return next((index for index in found if self.rule_of(index)), None)

    def by_values(self, index: int, a: Ratio, function: Callable[[Ratio], Ratio]) -> Ratio:
        if sum(self.rule_of(i) != "" for i in poly.atoms_in(a.top)) > MOST_LABELS:
            raise TooBigError("too many labels in one function")
        y = poly.single(index)
        half = Fraction(1, 2)
        weights = {0: poly.add(poly.ONE, y, -1), 1: y}
        if self.rule_of(index) == "sign":
            weights = {s: poly.scale(poly.add(poly.ONE, y, s), half) for s in (1, -1)}
        total = NOUGHT
        for value, weight in weights.items():
            there = Ratio(put(a.top, index, value))
            for key, exponent in a.below.items():
                below = Ratio(put(dict(key), index, value))
                there = self.multiply(there, self.whole_power(below, -exponent))
            total = self.add(total, self.multiply(Ratio(weight), function(there)))
        return total

    # functions of one number

    def sign_of(self, a: Ratio) -> int:
        found = self.signs(a.top)
        for key, exponent in a.below.items():
            if exponent % 2:
                found = times(found, self.signs(dict(key)))
        return found

    def absolute(self, a: Ratio) -> Ratio:
        if not self.sign_of(a) & NEG:
            return a
        if not self.sign_of(a) & POS:
            return Ratio(poly.scale(a.top, -1), a.below)
        two = self.two_valued(a)
        if two is not None:
            return self.by_values(two, a, self.absolute)
        coefficient, parts = self.factors(a)
        result = Ratio(poly.constant(abs(Fraction(coefficient))))
        for part, exponent in parts:
            one = Ratio(part)
            if exponent % 2:
                signs = self.signs(part)
                if not signs & POS:
                    one = Ratio(poly.scale(part, -1))
                elif signs & NEG:
                    self.want(part, "sign")
                    one = self.atom("abs", None, one)
            result = self.multiply(result, self.power(one, exponent))
        return result

    def positive(self, a: Ratio) -> Ratio:
        """1 where a > 0, else 0."""
        signs = self.sign_of(a)
        if signs == POS or not signs & POS:
            return UNIT if signs == POS else NOUGHT
        top = a.top
        for key, exponent in a.below.items():
            if exponent % 2:
                below = self.signs(dict(key))
                if below == NEG:
                    top = poly.scale(top, -1)
                elif below != POS:
                    top = self.times(top, dict(key))
        sure = [(i, e) for i, e in poly.content(top) if self.signs_of_atom(i) == POS]
        top = poly.shift(top, poly.power_of_monomial(tuple(sure), -1))
        two = self.two_valued(Ratio(top))
        if two is not None:
            return self.by_values(two, Ratio(top), self.positive)
        self.want(top, "three")
        lead, base = poly.primitive(top)
        return self.atom("pos", None, Ratio(base if lead > 0 else poly.scale(base, -1)))

    def sign(self, a: Ratio) -> Ratio:
        return self.add(self.positive(a), self.positive(_negative(a)), -1)

    def exp(self, a: Ratio) -> Ratio:
        """exp of a sum is the product of the exps of its terms."""
        result = UNIT
        strong: poly.Monomial = ()
        below = dict(a.below)
        for monomial, coefficient in a.top.items():
            part = Ratio({monomial: coefficient}, below)
            two = next((index for index, _ in monomial if self.rule_of(index)), None)
            kind = self.kind_of({monomial: 1}) if not below else ""
            if two is not None:
                result = self.multiply(result, self.by_values(two, part, self.exp))
                continue
            if kind == "log" and monomial[0][1] == 1:
                inside = self.ratio(self.table.atoms[monomial[0][0]].args[0])
                if not self.sign_of(inside) & ZERO:
                    raised = self.power(self.absolute(inside), coefficient)
                    result = self.multiply(result, raised)
                    continue
                self.want(inside.top, "nonzero")
            made = self.atom("exp", None, Ratio({monomial: 1}, below))
            ((one, _),) = made.top.items()
            strong = poly.times_monomials(strong, poly.power_of_monomial(one, coefficient))
        return self.multiply(result, Ratio({strong: 1}))

    def log(self, a: Ratio) -> Ratio:
        """log|a| from the factors of a, where a is not 0."""
        two = self.two_valued(a)
        if two is not None:
            return self.by_values(two, a, self.log)
        if self.sign_of(a) & ZERO:
            self.want(a.top, "nonzero")
            return self.atom("log", None, a)
        coefficient, parts = self.factors(a)
        total = NOUGHT
        for prime, count in _prime_powers(Fraction(coefficient)):
            total = self.add(total, self.log_of(poly.constant(prime)), count)
        for part, exponent in parts:
            total = self.add(total, self.log_of(part), exponent)
        return total

    def log_of(self, part: Poly) -> Ratio:
        """log|part| of a factor that is not 0."""
        kind = self.kind_of(part)
        if kind in ("exp", "prime", "root"):
            atom = self.table.atoms[max(part)[0][0]]
            if kind == "prime":
                assert isinstance(atom.data, int)
                return self.log_of(poly.constant(atom.data))
            inside = self.ratio(atom.args[0])
            if kind == "exp":
                return inside
            assert isinstance(atom.data, int)
            return self.multiply(Ratio(poly.constant(Fraction(1, atom.data))), self.log(inside))
        return self.atom("log", None, Ratio(part))

    def root(self, a: Ratio, exponent: Fraction) -> Ratio:
        """|a| ** exponent, factor by factor."""
        if not a.top:
            return NOUGHT
        two = self.two_valued(a)
        if two is not None:
            return self.by_values(two, a, lambda one: self.root(one, exponent))
        coefficient, parts = self.factors(a)
        result = UNIT
        for prime, count in _prime_powers(Fraction(coefficient)):
            one = max(self.atom("prime", prime).top)
            raised = poly.power_of_monomial(one, count * exponent)
            result = self.multiply(result, Ratio(self.reduce({raised: 1})))
        for part, power in parts:
            result = self.multiply(result, self.root_of(part, Fraction(power) * exponent))
        return result

    def root_of(self, part: Poly, exponent: Fraction) -> Ratio:
        """|part| ** exponent."""
        kind = self.kind_of(part)
        if kind in STRONG:
            return Ratio(self.reduce({poly.power_of_monomial(max(part), exponent): 1}))
        if exponent.denominator == 1:
            return self.whole_power(self.absolute(Ratio(part)), int(exponent))
        if kind == "root":
            atom = self.table.atoms[max(part)[0][0]]
            assert isinstance(atom.data, int)
            return self.root_of(dict(atom.args[0][0]), exponent / atom.data)
        degree = exponent.denominator
        whole, times = divmod(exponent.numerator, degree)
        if self.signs(part) == NEG:
            part = poly.scale(part, -1)
        made = self.atom("root", degree, Ratio(part))
        if whole >= 0 or self.signs(part) & ZERO:
            return self.whole_power(made, exponent.numerator)
        over = self.whole_power(self.absolute(Ratio(part)), whole)
        return self.multiply(self.whole_power(made, times), over)

    def normal(self, a: Ratio) -> Ratio:
        """Phi(a), with Phi(-a) = 1 - Phi(a)."""
        if not a.top:
            return Ratio(poly.constant(Fraction(1, 2)))
        if a.top[max(a.top)] < 0:
            return self.add(UNIT, self.normal(_negative(a)), -1)
        if self.kind_of(a.top) == "Phi_inv" and not a.below and a.top[max(a.top)] == 1:
            inside = self.ratio(self.table.atoms[max(a.top)[0][0]].args[0])
            if self.sign_of(inside) == POS == self.sign_of(self.add(UNIT, inside, -1)):
                return inside
        return self.atom("Phi", None, a)

    def normal_inverse(self, a: Ratio) -> Ratio:
        """Phi_inv(a), with Phi_inv(1 - a) = -Phi_inv(a) for a between 0 and 1."""
        other = self.add(UNIT, a, -1)
        for one, sign in ((a, 1), (other, -1)):
            if not one.below and self.kind_of(one.top) == "Phi" and one.top[max(one.top)] == 1:
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
        stack = [node]
        while stack:
            top = stack[-1]
            missing = [arg for arg in _before(top) if arg.number not in self.memory]
            if top.number not in self.memory and missing:
                stack.extend(missing)
                continue
            stack.pop()
            if top.number not in self.memory:
                self.memory[top.number] = self.convert(top)
        return self.memory[node.number]

    def convert(self, node: Node) -> Ratio:
        op = node.op
        args = [self.memory[arg.number] for arg in _before(node)]
        if op == "num":
            return Ratio(poly.constant(value_of(node)))
        if op == "var":
            return self.atom("var", str(node.data))
        if op == "pi":
            return self.atom("pi")
        if op in ("add", "mul"):
            total = args[0]
            for arg in args[1:]:
                total = self.add(total, arg) if op == "add" else self.multiply(total, arg)
            return total
        if op == "pow":
            return self.power_of(node, args)
        if op == "log":
            return self.log_of_node(node.args[0])
        if op in ("max", "min"):
            return self.most(args, 1 if op == "max" else -1)
        if op in ("if", "sideif"):
            return self.truth(node.args[0], self.positive if op == "if" else None)
        if op == "diff":
            return self.slope(node, args[0])
        if op == "side":
            return self.side(args[0], (node.args[0].number,), node)
        functions: dict[str, Callable[[Ratio], Ratio]] = {
            "exp": self.exp, "abs": self.absolute, "sign": self.sign,
            "Phi": self.normal, "Phi_inv": self.normal_inverse,
        }  # fmt: skip
        return functions[op](args[0])

    def power_of(self, node: Node, args: list[Ratio]) -> Ratio:
        if node.args[1].op == "num":
            return self.power(args[0], short(value_of(node.args[1])))
        base, exponent = self.sign_of(args[0]), self.sign_of(args[1])
        if base == POS:
            return self.exp(self.multiply(args[1], self.log_of_node(node.args[0])))
        if base == ZERO and exponent == POS:
            return NOUGHT
        self.want(args[0].top, "three")
        if base == ZERO:
            self.want(args[1].top, "three")
        return self.atom("opaque", node.number, *args)

    def log_of_node(self, node: Node) -> Ratio:
        """log|node|, product by product as it was typed, where no factor is 0."""
        if node.op == "exp":
            return self.of(node.args[0])
        parts = node.args if node.op == "mul" else node.args[:1] if node.op == "pow" else ()
        if not parts or any(self.sign_of(self.of(part)) & ZERO for part in parts):
            return self.log(self.of(node))
        total = NOUGHT
        for part in parts:
            total = self.add(total, self.log_of_node(part))
        if node.op == "pow":
            if node.args[1].op != "num" and self.sign_of(self.of(node.args[0])) != POS:
                return self.log(self.of(node))
            total = self.multiply(self.of(node.args[1]), total)
        return total

    def most(self, args: list[Ratio], turn: int) -> Ratio:
        """The largest (turn 1) or the smallest: (a + b + |a - b|)/2."""
        best = args[0]
        for arg in args[1:]:
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
            return self.add(UNIT, self.truth(condition.args[0], positive), -1)
        if op in ("and", "or"):
            result = UNIT
            for part in condition.args:
                one = self.truth(part, positive)
                result = self.multiply(result, one if op == "and" else self.add(UNIT, one, -1))
            return result if op == "and" else self.add(UNIT, result, -1)
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
        upper = self.add(UNIT, positive(_negative(gap)), -1)
        return upper if op == "<=" else self.add(upper, positive(gap), -1)

    # derivatives

    def side(self, a: Ratio, key: tuple[int, ...], node: Node) -> Ratio:
        """The sign of a, from the side that is looked at where a is 0."""
        signs = self.sign_of(a)
        if signs in (POS, NEG):
            return Ratio(poly.constant(1 if signs == POS else -1))
        if signs == ZERO:
            if key not in self.sides:
                raise SideError(key)
            return Ratio(poly.constant(self.sides[key]))
        self.want(a.top, "three")
        return self.atom("opaque", node.number, a)

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


def _key_of(index: int) -> Key:
    return ((((index, 1),), 1),)


def _negative(a: Ratio) -> Ratio:
    return Ratio(poly.scale(a.top, -1), a.below)


def _fits(factor: Poly, whole: Poly) -> bool:
    return len(factor) <= len(whole) and set(poly.atoms_in(factor)) <= set(poly.atoms_in(whole))


def _before(node: Node) -> tuple[Node, ...]:
    """What is converted before a node."""
    if node.op == "diff":
        return node.args[1:2]
    if node.op in ("if", "sideif", "log"):
        return ()
    if node.op == "pow" and node.args[1].op == "num":
        return node.args[:1]
    return node.args


def _comparisons(condition: Node) -> list[tuple[Node, Node]]:
    if condition.op in ("<", "<=", "=="):
        return [(condition.args[0], condition.args[1])]
    return [pair for part in condition.args for pair in _comparisons(part)]


def _prime_powers(value: Fraction) -> list[tuple[int, int]]:
    """|value| as powers of primes up to a bound; what is left above or below is one factor."""
    found: list[tuple[int, int]] = []
    for number, sign in ((abs(value.numerator), 1), (value.denominator, -1)):
        candidate = 2
        while candidate * candidate <= number and candidate <= LARGEST_PRIME:
            exponent = 0
            while number % candidate == 0:
                number, exponent = number // candidate, exponent + 1
            if exponent:
                found.append((candidate, sign * exponent))
            candidate += 1
        if number > 1:
            found.append((number, sign))
    return found
