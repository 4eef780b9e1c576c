"""At which sizes a step with symbolic sizes is proved, and when that is a proof for every size.

Three arguments carry a proof at small sizes over to all of them; each is a function below, with the
reason why it is true. Where none applies, the verdict names the sizes, and far larger ones are
sampled besides. Then an equation is believed only if nothing in it compares a size with a number.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection
from dataclasses import dataclass, field

from linecheck.expand.growth import ALONE, Growth, Weight, counted_from_one, greatest
from linecheck.language.domains import REAL, Declared
from linecheck.language.terms import LineError, Term, names_in, number, split_bind

LARGEST = 24
FAR = (5, 6, 7, 8, 10, 13, 17, 24)
OF_MATRICES = (5, 7)
FARTHEST = 150  # a number that a size or an index is compared with
VERY_FAR = (50, 101, 150)  # for sums of numbers, without vectors of that size
MOST_TOGETHER = 9  # combinations of several sizes
Sizes = dict[str, int]
Steps = tuple[Term, ...]

_SHAPES = ("eye", "ones", "zeros", "unit", "delta", "row", "col")
_COMPARING = ("delta", "unit", "max", "min", "abs", "sign", "relu", "indicator")
MOST_FURTHER = 7  # sizes up to which a proof for every size goes, beyond those that are asked for
REACH = 12  # as many sizes are tried at least where there are no matrices


@dataclass(frozen=True)
class SizeChoice:
    """Sizes to prove at, and what a proof there says of the others."""

    chosen: list[Sizes]
    larger: list[Sizes] = field(default_factory=list)  # to sample at
    further: list[Sizes] = field(default_factory=list)  # proofs here too are one for every size
    every: bool = False  # the proofs at the chosen sizes are one for every size
    asked: frozenset[str] = frozenset()  # sizes that the reader chose
    degree: int | None = None  # an equation that fails at some size fails up to this one

    @property
    def open_ended(self) -> bool:
        """Whether something is said of sizes at which there is no proof."""
        return bool(self.larger or self.further)

    def telling(self, tried: Collection[tuple[tuple[str, int], ...]]) -> bool:
        """Whether an equation that fails at some size fails at random points of the sizes tried."""
        free = {name for sizes in (*self.larger, *self.further) for name in sizes} - self.asked
        joint = (min(size for name, size in sizes if name in free) for sizes in tried)
        largest = max(joint, default=0)
        return self.degree is not None and self.degree <= min(largest, len(tried), REACH)


def choose(
    declared: dict[str, Declared],
    asked: dict[str, tuple[int, ...]],
    sides: Steps,
    relation: str,
    given: Steps = (),
) -> SizeChoice:
    """The sizes for a step with the given sides."""
    names = [name for name, domain in declared.items() if domain.kind == "size"]
    if not names:
        return SizeChoice([{}], every=True)
    options = {name: _options(name, declared[name], asked) for name in names}
    chosen = _several(names, options)
    ways = {name: _Size(name, declared) for name in names}
    thresholds = _thresholds(sides)
    for name in names:
        sides, given = (
            tuple(counted_from_one(one, name) for one in part) for part in (sides, given)
        )
    enough = [ways[name].enough(options[name], sides, relation, given) for name in names]
    inside = all({*sizes} <= {*options[name]} for name, sizes in zip(names, enough, strict=True))
    grid = [dict(zip(names, one, strict=True)) for one in itertools.product(*enough)]
    if grid and inside and (len(names) == 1 or len(grid) <= MOST_TOGETHER):
        return SizeChoice([*chosen, *(one for one in grid if one not in chosen)], every=True)
    free = [name for name in names if name not in asked and not declared[name].bounded]
    needed = [ways[name].needed(sides, given) for name in free]
    known = [one for one in needed if one is not None]
    settles = relation == "==" and len(known) == len(needed) > 0
    degree = max(known) if settles else None
    if len(free) == len(names) == 1 and grid and options[names[0]][0] == 1:
        further = [one for one in grid if one not in chosen]
        return SizeChoice(chosen, further=further, degree=degree)
    larger: list[Sizes] = []
    base = {name: options[name][0] for name in names}
    for name in free:
        shapes = [domain.shape for domain in declared.values() if name in domain.shape]
        matrices = any(len(shape) > 1 for shape in shapes)
        sizes: tuple[int, ...] = OF_MATRICES if matrices else FAR
        sizes += tuple(size for size in thresholds if size <= LARGEST or not matrices)
        sizes += () if shapes else VERY_FAR
        larger += [{**base, name: size} for size in sizes]
    if len(free) > 1:
        larger += [{**base, **dict.fromkeys(free, size)} for size in (4, 5)]
    larger = [one for one in larger if one not in chosen]
    return SizeChoice(chosen, larger, asked=frozenset(names).difference(free), degree=degree)


def _thresholds(sides: Steps) -> tuple[int, ...]:
    """Sizes at and right above the numbers that a size or an index may be compared with: `i > 30`
    first counts at N = 31."""
    parts = (term for side in sides for term in side.walk())
    compared = [
        part
        for term in parts
        if term.op in ("compare", "bind") or (term.op == "call" and term.name in _COMPARING)
        for part in term.args[term.op == "bind" :]  # of a sum its ends and its condition
    ]
    numbers = {int(one.value) for part in compared for one in part.walk() if one.op == "number"}
    return tuple(c + more for c in sorted(numbers) if 4 <= c <= FARTHEST for more in (0, 1, 2))


def _options(name: str, domain: Declared, asked: dict[str, tuple[int, ...]]) -> tuple[int, ...]:
    options = tuple(asked.get(name, domain.sizes))
    if not options or not all(isinstance(size, int) and 1 <= size <= LARGEST for size in options):
        raise LineError(f"the sizes of {name} are whole numbers from 1 to {LARGEST}")
    return options


def _several(names: list[str], options: dict[str, tuple[int, ...]]) -> list[Sizes]:
    """Of one size all options; of several all equal, then each in turn one more or less."""
    if len(names) == 1:
        return [{names[0]: size} for size in options[names[0]]]
    picked: list[Sizes] = []
    for base in (0, 1, 2):
        values = {name: options[name][min(base, len(options[name]) - 1)] for name in names}
        picked.append(values)
        for name in names if base else ():
            for shift in (-1, 1):
                index = min(max(base + shift, 0), len(options[name]) - 1)
                picked.append({**values, name: options[name][index]})
    small = [sizes for sizes in picked if max(sizes.values()) <= 3]
    distinct = {tuple(sizes.items()): sizes for sizes in small or picked}
    return list(distinct.values())[:6]


class _Size(Growth):
    """One size, and the arguments that a few values of it are enough."""

    def enough(
        self, options: tuple[int, ...], sides: Steps, relation: str, given: Steps
    ) -> list[int]:
        """Sizes such that proofs there are a proof for every size; none when no argument says."""
        if any(self.declared[one].structure for one in self.arrays):
            return []
        if not any(self.involved(one) for one in (*sides, *given)):
            return [options[0]]
        vectors = self.by_inner_products(sides, relation, given)
        if vectors is not None:
            return [size for size in options if size >= vectors][:1]
        if any(self.involved(one) for one in given):
            return []
        last = self.by_degree(sides) if relation == "==" else self.by_terms(sides, relation)
        return list(range(1, last + 1)) if last <= MOST_FURTHER else []

    def needed(self, sides: Steps, given: Steps = ()) -> int | None:
        """The number of sizes that settle an equation, see `by_degree`; of one with functions that
        are no sums of products it is a measure only. None where something compares a size, an
        index or a sum with a number."""
        weights = [*map(self.of, sides), *map(self.supposed, given)]
        known = [one for one in weights if one is not None]
        if len(known) < len(weights):
            return None
        entries = max(self.sides(side) for side in sides if side != number(0) or side is sides[0])
        weight = greatest(known)
        empty = not weight.below and all(self.vanishes(side) for side in sides)
        return max(1, weight.total + (entries or (0 if empty else 1)))

    def supposed(self, given: Term) -> Weight | None:
        """The weight of a hypothesis that can be met at one size as well as at another."""
        if not self.involved(given):
            return ALONE
        parts = given.args if given.op == "compare" else (given,)
        weights = [self.of(part) for part in parts]
        if all(w == ALONE or self.takes_any_value(p) for w, p in zip(weights, parts, strict=True)):
            return greatest([weight for weight in weights if weight is not None])
        return self.near(parts, frozenset()) if given.op == "compare" else None

    def by_inner_products(self, sides: Steps, relation: str, given: Steps) -> int | None:
        """The number m of vectors, when the step depends on them through inner products only.

        Why one size m or larger is enough: m vectors of R**d span a space of dimension m at most,
        which a rotation puts into R**m without changing an inner product; and R**d with d < m lies
        inside R**m. Equality of two vectors says that the inner product of their difference with
        itself is 0; an inequality entry by entry is no matter of inner products.
        """
        domains = [self.declared[one] for one in self.arrays]
        if any(domain.kind != "vector" or domain.entry != REAL for domain in domains):
            return None
        kinds = [self.kind(one) for one in (*sides, *given)]
        if None in kinds or ("vector" in kinds and relation != "=="):
            return None
        return len(self.arrays & set().union(*(names_in(one) for one in (*sides, *given))))

    def kind(self, term: Term) -> str | None:
        """ "number" or "vector" for what is made of inner products and linear combinations."""
        op, args = term.op, term.args
        if not self.involved(term):
            return "number"
        if op == "name":
            return "vector" if term.name in self.arrays else None
        if op == "call" and term.name == "zeros":
            return "vector" if args == (self.size,) else None
        if op == "@" and args[0].op == "call" and args[0].name == "transpose":
            return self.kind(Term("call", (args[0].args[0], args[1]), "dot"))
        kinds = [self.kind(part) for part in args]
        alike = len(set(kinds)) == 1
        if None in kinds or op in ("index", "bind", "list", "pairs"):
            return None
        if op in ("neg", "+", "-"):
            return kinds[0] if alike else None
        if op in ("*", "/") and kinds != ["vector", "vector"] and (op, kinds[1]) != ("/", "vector"):
            return "vector" if "vector" in kinds else "number"
        if op == "@" or (op == "call" and term.name == "dot"):
            return "number" if kinds == ["vector", "vector"] else None
        if op == "call" and term.name == "norm":
            return "number"
        if op == "call" and term.name == "diff":
            return "vector" if kinds == ["number", "vector"] and args[1].op == "name" else None
        if op == "compare" and "vector" in kinds:
            equal = set(term.name.split()) <= {"==", "!="}
            return "number" if equal and (alike or number(0) in args) else None
        return None if "vector" in kinds else "number"

    def by_degree(self, sides: Steps) -> int:
        """The most sums that are multiplied in a term of an equation, with the degree of the size.

        Why the sizes 1 to n are enough: right - left, times a power of the size, is a sum over at
        most k indices of what depends on the entries there, on the order of the indices, and as a
        polynomial of degree p on the indices and the size. Take what depends on the entries at m
        places in common, and on no fewer (inclusion and exclusion): it is a polynomial of degree
        p + k - m in the places and the size. One that is 0 for all places up to the size n is 0
        if n >= p + k, for m > 0; for m = 0 one size more is needed, unless it is 0 without entries.
        An entry of a vector or a matrix fixes one or two places more.
        """
        exact = all(weight is not None and weight.exact for weight in map(self.of, sides))
        needed = self.needed(sides) if exact else None
        return MOST_FURTHER + 1 if needed is None else needed

    def by_terms(self, sides: Steps, relation: str) -> int:
        """1 for an inequality between sums of what stands at one index each.

        Why N = 1 is enough: the step is the sum over i of what it says for the entries at i.
        """
        fits = all(self.declared[one].shape == (self.size.name,) for one in self.arrays)
        single = fits and all(self.is_sum(side) for side in sides)
        return 1 if single and relation in ("<=", "<", ">=", ">") else MOST_FURTHER + 1

    def is_sum(self, term: Term) -> bool:
        """Whether a side is a sum over the size of something that stands at one index; or 0."""
        op, args = term.op, term.args
        if op == "number":
            return term.value == 0
        if op in ("+", "-", "neg"):
            return all(self.is_sum(part) for part in args)
        if op in ("*", "/"):
            known, rest = args if op == "*" else (args[1], args[0])
            return not self.involved(known) and self.is_sum(rest)
        if op == "bind":
            kind, index = split_bind(term)
            if kind != "sum" or len(args) != 3:
                return False
            if self.runs_over(term):
                return self.of(args[0], frozenset([index])) == ALONE
            return not any(self.involved(end) for end in args[1:]) and self.is_sum(args[0])
        alone = all(self.of(part) == ALONE for part in args)
        along = all(self.shape(part) == (self.size.name,) for part in args)
        return op == "call" and term.name in ("dot", "sum") and alone and along


def is_structural(name: str, sides: Steps) -> bool:
    """Whether a size ends a sum, is an index or gives a shape; else it is only a number."""
    for side in sides:
        for term in side.walk():
            parts: Steps = ()
            if term.op in ("bind", "index"):
                parts = term.args[1:]
            elif term.op == "call" and term.name in (*_SHAPES, "factorial", "binomial"):
                parts = term.args
            if any(name in names_in(part) for part in parts):
                return True
    return False
