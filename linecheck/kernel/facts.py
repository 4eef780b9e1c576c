"""Atoms, and facts about polynomials in them: which signs a polynomial may have.

A fact holds at every point of its context: the domains, the hypotheses, and the assumptions of the
case. Only `Facts.learn` makes one, and only the rules call it (`rules.py`, `normal.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, reduce
from itertools import product
from operator import or_
from typing import Any

from linecheck.expand.graph import Graph
from linecheck.kernel import polynomials as poly
from linecheck.kernel.polynomials import Coefficient, Key, Monomial, Poly, key_of
from linecheck.language.domains import Finite, ScalarDomain
from linecheck.language.terms import TooBigError

# sets of signs
NEVER, NEG, ZERO, POS, ANY = 0, 1, 2, 4, 7
WEAK, NONZERO = ZERO | POS, NEG | POS
STRONG = ("exp", "prime", "pi")  # atoms that are positive: they have any rational exponent
TWO_VALUED = {"pos": "label", "side": "sign"}
UNDIVIDED = ("root", "abs", "pos", "inv")  # their arguments have no divisor
MOST_ATOMS = 400
MOST_LABELS = 6  # whose values are put in one after the other


_OF = {-1: NEG, 0: ZERO, 1: POS}


def _all(a: int, b: int, of_pair: Callable[[int, int], int]) -> int:
    """Whatever signs two numbers may make, if they have those."""
    pairs = product(_OF, repeat=2)
    return reduce(or_, (of_pair(x, y) for x, y in pairs if a & _OF[x] and b & _OF[y]), NEVER)


@cache
def times(a: int, b: int) -> int:
    """The signs of a product."""
    return _all(a, b, lambda x, y: _OF[x * y])


@cache
def plus(a: int, b: int) -> int:
    """The signs of a sum."""
    return _all(a, b, lambda x, y: ANY if x * y < 0 else _OF[x or y])


def sign_of(number: Coefficient) -> int:
    return _OF[(number > 0) - (number < 0)]


def flipped(signs: int) -> int:
    """The signs of minus that number."""
    return times(signs, NEG)


def power(a: int, exponent: poly.Exponent) -> int:
    """The signs of a power; a negative exponent is one of something that is not 0."""
    if Fraction(exponent).denominator != 1:
        return a & WEAK
    return a if exponent % 2 else times(a, a) & WEAK


@dataclass(frozen=True)
class Atom:
    """What polynomials cannot express: `args` are the numerators and divisors that it is made of.

    var (data: its name), pi, prime (data), exp, log (of the absolute value), root (data: degree; of
    the absolute value), abs, pos (1 where its argument is > 0, else 0), inv (0 of 0), Phi, Phi_inv,
    and opaque ones (data: a node). Outside its domain each is some number, the same at one point.
    """

    kind: str
    data: Any = None
    args: tuple[tuple[Key, tuple[tuple[Key, int], ...]], ...] = ()


class RuleError(Exception):
    """A rule was called where its conditions are not met."""


def require(met: bool, told: str) -> None:
    if not met:
        raise RuleError(told)


class Table:
    """The atoms of one problem, each of them once; nothing is known of them here."""

    def __init__(self, guess: Any, graph: Graph) -> None:
        self.guess = guess  # finds factors; none is believed before it has been multiplied
        self.graph = graph
        self.atoms: list[Atom] = []
        self.indices: dict[Atom, int] = {}
        self.depends: list[frozenset[str]] = []  # names of variables

    def index(self, atom: Atom, names: frozenset[str]) -> int:
        found = self.indices.get(atom)
        if found is None:
            whole = isinstance(atom.data, int) and atom.data > 1
            if (atom.kind in ("prime", "root") and not whole) or (
                atom.kind in UNDIVIDED and atom.args[0][1]
            ):
                raise ValueError("there is no such atom")
            if len(self.atoms) >= MOST_ATOMS:
                raise TooBigError("the line has too many different parts")
            found = self.indices[atom] = len(self.atoms)
            self.atoms.append(atom)
            self.depends.append(names)
        return found

    def polynomial(self, a: Poly) -> Poly:
        """A polynomial from outside, if it is one."""
        terms = []
        for monomial, coefficient in a.items():
            require(isinstance(coefficient, int | Fraction), "a coefficient is rational")
            one: Monomial = ()
            for index, exponent in monomial:
                require(0 <= index < len(self.atoms) and exponent != 0, "there is such an atom")
                strong = self.atoms[index].kind in STRONG
                whole = isinstance(exponent, int) and exponent > 0
                require(strong or whole, "an exponent is a positive whole number")
                require(isinstance(exponent, int | Fraction), "an exponent is rational")
                one = poly.times_monomials(one, ((index, exponent),))
            terms.append((one, coefficient))
        return poly.collected(terms)


_SEAL = object()


@dataclass(frozen=True, slots=True)
class Fact:
    """The signs that a polynomial may have in a context, and the rule that says so."""

    poly: Poly
    signs: int
    rule: str
    seal: object = field(repr=False, default=None)

    def __post_init__(self) -> None:
        if self.seal is not _SEAL:
            raise TypeError("facts are made by the rules of the kernel")


class Facts:
    """What is known in one context. Nothing is ever shared with a context above it."""

    def __init__(self, table: Table, domains: dict[str, ScalarDomain]) -> None:
        self.table, self.domains = table, domains
        self.known: dict[Key, Fact] = {}  # by the polynomial with last coefficient 1
        self.seen: dict[Key, int] = {}
        self.parts: dict[Key, Poly] = {}  # of several terms, to be looked for in products
        self.closed = False  # the assumptions contradict each other

    def learn(self, a: Poly, signs: int, rule: str) -> None:
        """A fact, with what was known before; the caller answers for it."""
        if a.keys() <= {()}:
            self.closed = self.closed or not signs & sign_of(a.get((), 0))
            return
        lead, base = poly.primitive(a)
        signs, key = times(signs, sign_of(lead)), key_of(base)
        before = self.known.get(key)
        both = signs & (before.signs if before else ANY)
        if len(base) > 1:
            self.parts.setdefault(key, base)
            self._divided(base, both)
        if both == (before.signs if before else ANY):
            return
        self.known[key] = Fact(base, both, rule, _SEAL)
        self.closed = self.closed or not both
        self.seen.clear()
        if len(base) == 1 and (not both & ZERO or both == ZERO):
            self._inside(next(iter(base)), both)

    def _divided(self, a: Poly, signs: int) -> None:
        """What is left of a product whose other factors are not 0."""
        atoms = self.table.atoms
        common = tuple(one for one in poly.content(a) if atoms[one[0]].kind not in STRONG)
        outer = self.signs_of_monomial(common)
        if common and not outer & ZERO:
            rest = poly.shift(a, poly.power_of_monomial(common, -1))
            self.learn(rest, times(signs, outer), "divided by what is not 0")

    def _inside(self, monomial: Monomial, signs: int) -> None:
        """A product that is not 0 has no factor that is 0; what a root is of is 0 when it is."""
        same = ZERO if signs == ZERO else NONZERO
        if same == NONZERO or len(monomial) == 1:
            for index, exponent in monomial:
                if exponent != 1 or len(monomial) > 1:
                    self.learn(poly.single(index), same, "a factor of what is not 0")
        atom = self.table.atoms[monomial[0][0]] if len(monomial) == 1 else None
        if atom and atom.kind in ("root", "abs", "inv"):
            self.learn(dict(atom.args[0][0]), same, "inside")

    def signs(self, a: Poly) -> int:
        """The signs that a polynomial may have, as far as facts and its terms show."""
        if not a:
            return ZERO
        key = key_of(a)
        if key not in self.seen:
            self.seen[key] = ANY  # while it is looked for
            self.seen[key] = self._signs(a)
            self.closed = self.closed or not self.seen[key]
        return self.seen[key]

    def _signs(self, a: Poly) -> int:
        found = NEVER
        for number, (monomial, coefficient) in enumerate(a.items()):
            one = times(self.signs_of_monomial(monomial), sign_of(coefficient))
            found = one if number == 0 else plus(found, one)
        lead, base = poly.primitive(a)
        fact = self.known.get(key_of(base))
        if fact is not None:
            found &= times(fact.signs, sign_of(lead))
        if len(a) > 1 and found & (found - 1):
            common = poly.content(a)
            if common:
                rest = poly.shift(a, poly.power_of_monomial(common, -1))
                found &= times(self.signs_of_monomial(common), self.signs(rest))
        two = [i for i in poly.atoms_in(a) if self.rule_of(i)]
        if 1 <= len(two) <= MOST_LABELS and found & (found - 1):
            values = (0, 1) if self.rule_of(two[0]) == "label" else (-1, 1)
            found &= self.signs(put(a, two[0], values[0])) | self.signs(put(a, two[0], values[1]))
        return found

    def rule_of(self, index: int) -> str:
        """label for y**2 == y, sign for s**2 == 1."""
        atom = self.table.atoms[index]
        if atom.kind in TWO_VALUED:
            return TWO_VALUED[atom.kind]
        domain = self.domains.get(str(atom.data)) if atom.kind == "var" else None
        return domain.rule if isinstance(domain, Finite) else ""

    def signs_of_monomial(self, monomial: Monomial) -> int:
        found = POS
        for atom, exponent in monomial:
            found = times(found, power(self.signs_of_atom(atom), exponent))
        return found

    def signs_of_atom(self, index: int) -> int:
        fact = self.known.get(((((index, 1),), 1),))
        return self._by_kind(index) & (fact.signs if fact else ANY)

    def _by_kind(self, index: int) -> int:
        atom = self.table.atoms[index]
        if atom.kind in (*STRONG, "Phi"):
            return POS
        if atom.kind == "pos":
            return WEAK
        if atom.kind in ("root", "abs", "inv"):
            inside = self.signs(dict(atom.args[0][0]))
            return inside if atom.kind == "inv" else times(inside, inside) & WEAK
        if atom.kind == "log" and len(atom.args[0][0]) == 1 and not atom.args[0][0][0][0]:
            return POS if atom.args[0][0][0][1] > 1 and not atom.args[0][1] else ANY
        return ANY


def put(a: Poly, index: int, value: int) -> Poly:
    """A polynomial with an atom replaced by a number."""
    total: Poly = {}
    for exponent, rest in poly.by_powers(a, index).items():
        total = poly.add(total, rest, value ** int(exponent))
    return total
