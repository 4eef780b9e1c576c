"""How a side grows with a size: how many sums over it are multiplied, and in which degree it stands
there as a number."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace as changed
from fractions import Fraction
from typing import NamedTuple

from linecheck.language.domains import SCALARS, Declared, Finite
from linecheck.language.shapes import JUMPING, SMOOTH, Shape, Shapes
from linecheck.language.terms import Term, name, names_in, number, replace, split_bind

_LINEAR = ("transpose", "diag", "matrix", "vector")  # entries are moved, none is added
_ENDLESS = [SCALARS[kind] for kind in ("real", "positive", "nonnegative")]
_OF_PRODUCTS = ("dot", "transpose", "sum", "mean", "norm")
_ALONG = ("norm", "prod", "det", "inv", "softmax", "logsumexp")
NEAR = 12  # a number that an index may be compared with


class Weight(NamedTuple):
    """What the terms of a side have at most."""

    sums: int = 0  # indices that one term runs over
    power: int = 0  # degree in the size, and in these indices, as numbers
    below: int = 0  # degree of the size in a divisor
    exact: bool = True  # made of sums and products of what stands at single indices

    @property
    def total(self) -> int:
        """All degrees together."""
        return self.sums + self.power + self.below

    def roughly(self, more: int = 0) -> Weight:
        """The same for a smooth function of it, which is no sum of products."""
        return self._replace(sums=self.sums + more, exact=False)


ALONE = Weight()  # what stands at single indices


def greatest(weights: Iterable[Weight]) -> Weight:
    """Of a sum of terms."""
    sums, power, below, exact = zip(*weights, strict=True)
    return Weight(max(sums), max(power), max(below), all(exact))


def multiplied(weights: Iterable[Weight], more: int = 0) -> Weight:
    """Of a product, with `more` indices to sum over."""
    sums, power, below, exact = zip(*weights, strict=True)
    return Weight(sum(sums) + more, sum(power), sum(below), all(exact))


def counted_from_one(term: Term, size: str) -> Term:
    """Sums over 0 to N - 1, as Python counts, written as sums over 1 to N; (i - 1) + 1 as i."""
    args = tuple(counted_from_one(part, size) for part in term.args)
    if term.op == "bind" and len(args) > 2 and _with_offset(args[2]) == (size, args[1].value - 1):
        index = split_bind(term)[1]
        shift = {index: Term("+", (name(index), number(args[1].value - 1)))}
        args = (
            replace(args[0], shift),
            number(1),
            name(size),
            *(replace(a, shift) for a in args[3:]),
        )
        args = tuple(counted_from_one(part, size) for part in args) if args != term.args else args
    same = changed(term, args=args) if args else term
    plain = _with_offset(same)
    return name(plain[0]) if plain and not plain[1] else same


def _with_offset(term: Term) -> tuple[str, Fraction] | None:
    """("N", -1) for N - 1."""
    if term.op == "name":
        return term.name, Fraction(0)
    if term.op not in ("+", "-") or term.args[1].op != "number":
        return None
    inner = _with_offset(term.args[0])
    more = term.args[1].value
    return (inner[0], inner[1] + (more if term.op == "+" else -more)) if inner else None


class Growth(Shapes):
    """The weights of terms as far as one size goes."""

    def __init__(self, size: str, declared: dict[str, Declared]) -> None:
        self.size = name(size)
        super().__init__(declared)
        self.arrays = {one for one, domain in declared.items() if size in domain.shape}

    def involved(self, term: Term, indices: frozenset[str] = frozenset()) -> bool:
        """Whether the size, an index that runs over it, or an array that has it stands there."""
        return bool(names_in(term) & (self.arrays | {self.size.name} | indices))

    def of(self, term: Term, indices: frozenset[str] = frozenset()) -> Weight | None:
        """The weight of a term; None where something compares with the size, or may do so."""
        op, args = term.op, term.args
        if not self.involved(term, indices):
            return ALONE
        if op == "name":
            as_number = term.name in indices or term == self.size
            return Weight(power=1) if as_number else ALONE
        if op == "index":
            return self.of_index(term, indices)
        if op == "bind":
            return self.of_bind(term, indices)
        if op == "compare" or (op == "call" and term.name == "delta"):
            return self.of_comparison(args, indices, op == "compare")
        if op == "call" and term.name in ("eye", "ones", "zeros", "unit", "row", "col", "len"):
            return self.of_shape(term, indices)
        if op == "call" and term.name in ("factorial", "binomial"):
            return self.near(args, indices)
        found = [self.of(part, indices) for part in args]
        known = [one for one in found if one is not None]
        if len(known) < len(found):
            return None
        if op in ("and", "or", "not", "+", "-", "neg", "list", "pairs"):
            return greatest(known)
        if op == "/":
            return self.of_quotient(args[1], known, indices)
        if op == "**":
            return self.of_power(term, known, indices)
        if op in ("*", "@"):
            return multiplied(known, self.contracted(term))
        return self.of_call(term, known)

    def contracted(self, term: Term) -> int:
        """1 if a product sums over the size: over the last side of its first factor."""
        left, right = map(self.shape, term.args)
        if () in (left, right) or (term.op == "*" and self.shape(term) == left == right):
            return 0
        return int(left is None or left[-1] in (self.size.name, None))

    def sides(self, term: Term) -> int:
        """How many sides of an array are as long as the size, or may be."""
        shape = self.shape(term)
        return 2 if shape is None else sum(one in (self.size.name, None) for one in shape)

    def of_call(self, term: Term, known: list[Weight]) -> Weight | None:
        called, first = term.name, term.args[0]
        if called in (*_LINEAR, "diff"):
            return greatest(known)
        if called in ("outer", "hadamard"):
            return multiplied(known)
        if called in ("sum", "mean"):
            more = multiplied(known, self.sides(first))
            return more._replace(below=more.below + 1) if called == "mean" else more
        if called in ("dot", "trace"):
            return multiplied(known, self.contracted(term) if called == "dot" else 1)
        if called in ("E", "subs"):
            return multiplied(known).roughly()
        numbers = self.shape(first)
        determinant = called == "abs" and bool(term.value) and (numbers is None or len(numbers) > 1)
        along = called in _ALONG or (called in ("max", "min") and len(term.args) == 1)
        if along or determinant:
            return None if any(one.power for one in known) else multiplied(known).roughly(1)
        if called == "indicator":
            return known[0]
        if called in SMOOTH:
            return ALONE if {*known} == {ALONE} else multiplied(known).roughly()
        return self.of_jump(term.args, known) if called in JUMPING else None

    def of_jump(self, args: tuple[Term, ...], known: list[Weight]) -> Weight | None:
        """Of what is compared: entries at single indices, or numbers of any value."""
        if all(one == ALONE for one in known):
            return ALONE
        product = multiplied(known)
        free = not product.power and all(self.takes_any_value(part) for part in args)
        return product.roughly() if free else None

    def takes_any_value(self, term: Term) -> bool:
        """Whether the values of a term are the same at every size: it is made of numbers, and of
        products such as dot(w, x) and sums of products of endless entries."""
        op, args = term.op, term.args
        if not self.involved(term):
            return True
        if op in ("+", "-", "*", "neg", "compare"):
            return all(self.takes_any_value(part) for part in args)
        names = (self.declared[one] for one in names_in(term) & self.arrays)
        endless = all(one.entry in _ENDLESS and not one.structure for one in names)
        return endless and self.is_product(term)

    def is_product(self, term: Term) -> bool:
        """Whether a term is made of entries by sums over all of them and products."""
        op, args = term.op, term.args
        if op in ("name", "index"):
            return bool(names_in(term) & self.arrays)
        if op == "bind":
            return self.runs_over(term) and len(args) == 3 and self.is_product(args[0])
        if op in ("@", "*") or (op == "call" and term.name in _OF_PRODUCTS):
            return any(map(self.is_product, args)) and all(
                self.is_product(part) or not self.involved(part) for part in args
            )
        return False

    def of_quotient(
        self, divisor: Term, known: list[Weight], indices: frozenset[str]
    ) -> Weight | None:
        top, below = known
        if not self.involved(divisor, indices):
            return top
        plain = all(part.op in ("*", "**", "name", "number") for part in divisor.walk())
        if plain and below.total == below.power and not names_in(divisor) & indices:
            return top._replace(below=top.below + below.power)
        return ALONE if top == below == ALONE else multiplied(known).roughly()

    def of_power(self, term: Term, known: list[Weight], indices: frozenset[str]) -> Weight | None:
        base, exponent = term.args
        if base.op == "number" and base.value:
            return self.near((exponent,), indices)
        if base.op == "call" and base.name == "norm" and exponent == number(2):
            return self.of(Term("call", (Term("call", base.args * 2, "hadamard"),), "sum"))
        shape = self.shape(base)
        entrywise = shape is not None and len(shape) < 2
        if exponent.op == "number" and exponent.value in range(1, 9):
            times = int(exponent.value)
            return multiplied(known[:1] * times, 0 if entrywise else times - 1)
        if not entrywise:
            return known[0].roughly(1)  # an inverse
        if known[0] == known[1] == ALONE:
            return ALONE
        if exponent.op not in ("number", "neg"):
            return None
        size = max(math.ceil(abs(part.value)) for part in exponent.walk())
        return multiplied(known[:1] * size).roughly() if size else ALONE

    def of_comparison(
        self, args: tuple[Term, ...], indices: frozenset[str], numbers: bool
    ) -> Weight | None:
        """Of indices with each other or with a place, or of what stands at single indices."""
        bare = [part for part in args if part.op == "name" and part.name in indices]
        if len(bare) == len(args):
            return ALONE
        indexed = any(names_in(part) & indices for part in args)
        if indexed and (near := self.near(args, indices)):
            return near
        found = [self.of(part, indices) for part in args]
        known = [one for one in found if one is not None]
        fine = numbers and len(known) == len(found) and all(self.shape(one) == () for one in args)
        return self.of_jump(args, known) if fine else None

    def place(self, term: Term, indices: frozenset[str] = frozenset()) -> int | None:
        """How far a place is from the first, the last or an index: of 3, N - 1, i + 1, or a symbol
        for a small number."""
        named = _with_offset(term)
        values = [term.value] if term.op == "number" else []
        if named and named[0] in indices | {self.size.name}:
            values = [abs(named[1])]
        domain = self.declared.get(term.name) if term.op == "name" else None
        if domain and domain.kind == "scalar" and isinstance(domain.entry, Finite):
            values = [*domain.entry.values]
        return math.ceil(max(values)) if values and max(values) <= NEAR else None

    def near(self, terms: tuple[Term, ...], indices: frozenset[str]) -> Weight | None:
        """The weight of what is told from small sizes by such places, if all are."""
        places = [self.place(term, indices) for term in terms]
        known = [place for place in places if place is not None]
        return Weight(power=sum(known) + 1, exact=False) if len(known) == len(places) else None

    def of_shape(self, term: Term, indices: frozenset[str]) -> Weight | None:
        """Ones, a unit matrix, row i: their sizes and places are named, not calculated."""
        called, args = term.name, term.args
        if called == "len":
            shape = self.shape(args[0])
            return Weight(power=1) if shape == (self.size.name,) else None
        if called in ("row", "col"):
            shape = self.shape(args[0])
            if args[0].op != "name" or shape is None or len(shape) != 2:
                return None
            return self.of_places(args[1:], shape[called == "col" :], indices)
        sizes = args[:1] if called == "unit" else args
        if any(part != self.size and self.involved(part, indices) for part in sizes):
            return None
        return (
            self.of_places(args[1:], self.shape(term) or (), indices) if called == "unit" else ALONE
        )

    def of_index(self, term: Term, indices: frozenset[str]) -> Weight | None:
        """An entry that is named by bound indices, or by a place, as far as this size goes."""
        base, *inside = term.args
        weight, shape = self.of(base, indices), self.shape(base)
        if weight is None or shape is None:
            return None
        places = self.of_places(tuple(inside), shape, indices)
        return None if places is None else multiplied([weight, places])

    def of_places(
        self, places: tuple[Term, ...], shape: Shape, indices: frozenset[str]
    ) -> Weight | None:
        weight = ALONE
        for part, size in zip(places, shape, strict=False):
            if size != self.size.name:
                if self.involved(part, indices):
                    return None
            elif part.op != "name" or part.name not in indices:
                near = self.near((part,), indices)
                if near is None:
                    return None
                weight = multiplied([weight, near])
        return weight

    def of_bind(self, term: Term, indices: frozenset[str]) -> Weight | None:
        """A sum from 1 to the size has one index more; a sum over another range adds none."""
        kind, index = split_bind(term)
        body, *ends = term.args
        over = self.runs_over(term)
        other = any(self.involved(end, indices) for end in ends[:2])  # over i + 1 to N, perhaps
        range_ = self.near((*ends[:2],), indices) if other and not over else ALONE
        if range_ is None:
            return None
        inner = indices | {index} if over or other else indices - {index}
        weight = self.of(body, inner)
        cut = self.of(ends[2], inner) if len(ends) == 3 else ALONE
        if weight is None or cut is None or cut.sums:
            return None
        if kind != "sum":
            return Weight(1, exact=False) if over and weight == cut == ALONE else None
        return multiplied([weight, cut, range_], int(over or other))

    def runs_over(self, term: Term) -> bool:
        """Whether a sum runs from 1 to the size."""
        return term.args[1:3] == (number(1), self.size)

    def vanishes(self, term: Term) -> bool:
        """Whether a number is 0 when there are no entries at all."""
        op, args = term.op, term.args
        if op == "number":
            return term.value == 0
        if op in ("+", "-", "neg"):
            return all(self.vanishes(part) for part in args)
        if op == "*":
            return any(self.vanishes(part) for part in args)
        if op in ("/", "**"):
            return self.vanishes(args[0]) and not self.involved(args[1])
        if op == "bind":
            return self.runs_over(term) or self.vanishes(args[0])
        summed = op == "call" and term.name in ("dot", "sum", "trace")
        return term == self.size or (
            summed and self.sides(args[0]) > 0 and None not in (self.shape(args[0]) or (None,))
        )
