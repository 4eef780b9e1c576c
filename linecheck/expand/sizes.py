"""At which sizes a step with symbolic sizes is proved, and when that is a proof for every size.

Three arguments carry a proof at small sizes over to all of them; each is a function below, with the
reason why it is true. Where none applies, the verdict names the sizes, and far larger ones are
sampled besides.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from linecheck.language.domains import REAL, Declared
from linecheck.language.terms import LineError, Term, names_in, number, split_bind

LARGEST = 24
FAR = (5, 6, 7, 8, 10, 13, 17, 24)
OF_MATRICES = (5, 7)
FARTHEST = 60  # a number that an index is compared with
VERY_FAR = (50, 101, 150)  # for sums of numbers, without vectors of that size
MOST_TOGETHER = 9  # combinations of several sizes
Sizes = dict[str, int]
Steps = tuple[Term, ...]

_SHAPES = ("eye", "ones", "zeros", "unit", "delta", "row", "col")
_LINEAR = ("transpose", "diag", "matrix", "vector")  # entries are moved, none is added


@dataclass(frozen=True)
class SizeChoice:
    """Sizes to prove at, larger ones to sample at, and whether the proof is one for every size."""

    chosen: list[Sizes]
    larger: list[Sizes]
    every: bool = True  # no larger size can differ
    telling: bool = True  # an equation that fails at a larger size fails at one of those sampled


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
        return SizeChoice([{}], [])
    options = {name: _options(name, declared[name], asked) for name in names}
    chosen = _several(names, options)
    enough = [_Size(name, declared).enough(options[name], sides, relation, given) for name in names]
    grid = [dict(zip(names, one, strict=True)) for one in itertools.product(*enough)]
    if grid and (len(names) == 1 or len(grid) <= MOST_TOGETHER):
        return SizeChoice([*chosen, *(one for one in grid if one not in chosen)], [])
    larger: list[Sizes] = []
    thresholds, telling = _thresholds(sides)
    for name in names:
        if name in asked or declared[name].bounded:
            continue  # the sizes are the reader's choice
        shapes = [domain.shape for domain in declared.values() if name in domain.shape]
        sizes: tuple[int, ...] = OF_MATRICES if any(len(shape) > 1 for shape in shapes) else FAR
        sizes += thresholds if shapes else (*thresholds, *VERY_FAR)
        base = {other: options[other][0] for other in names}
        larger += [{**base, name: size} for size in sizes]
    return SizeChoice(chosen, [sizes for sizes in larger if sizes not in chosen], False, telling)


def _thresholds(sides: Steps) -> tuple[tuple[int, ...], bool]:
    """Sizes right above the numbers that an index may be compared with, and whether all are known:
    `i > 30` first counts at N = 31, and `i > 10**2` hides where."""
    compared = [
        part
        for side in sides
        for term in side.walk()
        if term.op == "compare" or (term.op == "call" and term.name in ("delta", "unit"))
        for part in term.args
    ]
    numbers = sorted({int(part.value) for part in compared if part.op == "number"})
    plain = all(
        part.op == "name" or (part.op == "number" and part.value <= FARTHEST) for part in compared
    )
    return tuple(c + more for c in numbers if 4 <= c <= FARTHEST for more in (1, 2)), plain


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


class _Size:
    """One size, and the arguments that a few values of it are enough."""

    def __init__(self, name: str, declared: dict[str, Declared]) -> None:
        self.name = name
        self.declared = declared
        self.arrays = {one for one, domain in declared.items() if name in domain.shape}

    def involved(self, term: Term, indices: frozenset[str] = frozenset()) -> bool:
        return bool(names_in(term) & (self.arrays | {self.name} | indices))

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
        last = self.by_tuples(sides) if relation == "==" else self.by_terms(sides, relation)
        sizes = list(range(1, last + 1))
        return sizes if set(sizes) <= set(options) else []

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
            return "vector" if args == (Term("name", name=self.name),) else None
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

    def by_tuples(self, sides: Steps) -> int:
        """The most indices that one term of an equation counts with, plus those of its entries.

        Why the sizes 1 to k are enough: written out, right - left is the sum over sets S of at most
        k indices of terms g(S) that depend on the entries at S alone, and on the order in S, not on
        N. If it is 0 for N = 1, ..., k, then g(S) = 0 for no index, then for one, and so on up to k
        (inclusion and exclusion); so every sum of such terms is 0.
        """
        counts = [self.count(side, frozenset()) for side in sides]
        free = 0 if any(self.is_number(side) for side in sides) else 2
        return LARGEST + 1 if None in counts else max(1, *(count or 0 for count in counts)) + free

    def by_terms(self, sides: Steps, relation: str) -> int:
        """1 for an inequality between sums of what stands at one index each.

        Why N = 1 is enough: the step is the sum over i of what it says for the entries at i.
        """
        fits = all(self.declared[one].shape == (self.name,) for one in self.arrays)
        single = fits and all(self.is_sum(side) for side in sides)
        return 1 if single and relation in ("<=", "<", ">=", ">") else LARGEST + 1

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
        summed = op == "bind" or (op == "call" and term.name in ("dot", "sum"))
        return summed and self.count(term, frozenset()) == 1

    def is_number(self, term: Term) -> bool:
        """Whether a side is surely one number."""
        op, args = term.op, term.args
        if op == "name":
            return term.name in self.declared and self.declared[term.name].kind == "scalar"
        if op in ("+", "-", "neg", "*", "/", "**", "bind"):
            return all(self.is_number(part) for part in args[: 1 if op == "bind" else None])
        if op == "index" and args[0].op == "name":
            return len(self.declared[args[0].name].shape) == len(args) - 1
        return op == "number" or (op == "call" and term.name in ("dot", "norm", "sum", "trace"))

    def count(self, term: Term, indices: frozenset[str]) -> int | None:
        """How many sums over the size are multiplied in a term; None when it is more than sums and
        products of them, or when the size or an index counts as a number."""
        op, args = term.op, term.args
        if not self.involved(term, indices):
            return 0
        if op == "name":
            return 0 if term.name in self.arrays else None
        if op == "call" and term.name in _SHAPES:
            bare = indices | self.arrays | {self.name}
            fine = all(_is_bare(part, bare) or not self.involved(part, indices) for part in args)
            literal = any(part.op == "number" for part in args)
            return 0 if fine and not literal else None
        if op == "index":
            return 0 if self.uniform(term, indices) else None
        if op == "bind":
            return self.of_bind(term, indices)
        if op == "compare" and all(_is_bare(part, indices) for part in args):
            return 0
        if op == "**" and args[0].op == "call" and args[0].name == "norm" and args[1] == number(2):
            return self.count(Term("call", args[0].args * 2, "dot"), indices)
        counts = [self.count(part, indices) for part in args]
        known = [count for count in counts if count is not None]
        if len(known) < len(counts):
            return None
        if op in ("+", "-", "neg", "list") or (op == "call" and term.name in (*_LINEAR, "diff")):
            return max(known)
        if op == "call" and term.name in ("outer", "hadamard"):
            return sum(known)
        if op in ("*", "@") or (op == "call" and term.name in ("dot", "sum", "trace")):
            return sum(known) + (op != "*" or not any(self.is_number(part) for part in args))
        if op == "/" and not self.involved(args[1], indices):
            return known[0]
        if op == "**" and args[1].op == "number" and args[1].value in range(1, 9):
            times = int(args[1].value)
            return known[0] * times + (0 if self.is_number(args[0]) else times - 1)
        return 0 if not any(known) and _at_single_indices(term) else None

    def uniform(self, term: Term, indices: frozenset[str]) -> bool:
        """Whether an entry is named by bound indices alone, as far as this size goes."""
        base, *inside = term.args
        if base.op != "name" or base.name not in self.declared:
            return False
        shape = self.declared[base.name].shape
        return all(
            _is_bare(part, indices) if size == self.name else not self.involved(part, indices)
            for part, size in zip(inside, shape, strict=False)
        )

    def of_bind(self, term: Term, indices: frozenset[str]) -> int | None:
        """A sum from 1 to the size has one index more; a sum over another range adds none."""
        kind, index = split_bind(term)
        body, *ends = term.args
        over = ends[:2] == [number(1), Term("name", name=self.name)]
        if kind != "sum" or (not over and any(self.involved(end, indices) for end in ends)):
            return None
        inner = indices | {index} if over else indices - {index}
        if len(ends) == 3 and self.count(ends[2], inner) != 0:
            return None
        count = self.count(body, inner)
        return None if count is None else count + over


def _is_bare(term: Term, names: frozenset[str] | set[str]) -> bool:
    return term.op == "name" and term.name in names


def _at_single_indices(term: Term) -> bool:
    """Whether a function works on what stands at single indices, and not along a vector."""
    along = ("len", "norm", "mean", "prod", "det", "inv", "softmax", "logsumexp", "subs", "E")
    if term.op == "call":
        return term.name not in along and (term.name not in ("max", "min") or len(term.args) > 1)
    return term.op != "pairs"


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
