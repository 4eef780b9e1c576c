"""At which sizes a step with symbolic sizes is proved, and at which it is sampled besides.

A proof covers the sizes it names. When a size also stands in the line as a number (1/N, or an index
that is counted with), a false claim could be true for all small sizes. If both sides are then
polynomials in N, once denominators are cleared, of degree at most W, agreement at more than W sizes
settles it; W is bounded by counting. Otherwise nothing better than AGREES is said.
"""

from __future__ import annotations

from dataclasses import dataclass

from lectures_lib.proofs.language.domains import Declared
from lectures_lib.proofs.language.terms import LineError, Term, names_in, split_bind

LARGEST = 24
FURTHER = (5, 7)  # sampled in any case
FAR = (5, 6, 7, 8, 10, 13, 17, 24)
VERY_FAR = (50, 101, 150)  # for sums of numbers, without vectors of that size
Sizes = dict[str, int]

_POLYNOMIAL = (
    "dot", "norm", "sum", "mean", "transpose", "trace", "outer", "diag", "hadamard", "matrix",
    "vector", "diff", "subs", "inv", "det",
)  # fmt: skip
_SHAPES = ("eye", "ones", "zeros", "unit", "delta", "row", "col")


@dataclass(frozen=True)
class Choice:
    """Sizes to prove at, larger ones to sample at, and whether PROVED may be said."""

    chosen: list[Sizes]
    larger: list[Sizes]
    provable: bool = True


def choose(
    declared: dict[str, Declared],
    asked: dict[str, tuple[int, ...]],
    sides: tuple[Term, ...],
    relation: str,
) -> Choice:
    """The sizes for a step with the given sides."""
    names = [name for name, domain in declared.items() if domain.kind == "size"]
    if not names:
        return Choice([{}], [])
    options = {name: _options(name, declared[name], asked) for name in names}
    chosen = (
        _several(names, options)
        if len(names) > 1
        else [{names[0]: size} for size in options[names[0]]]
    )
    larger: list[Sizes] = []
    provable = True
    for name in names:
        weight = _weight(name, sides)
        if name in asked:
            continue  # the sizes are the reader's choice
        sizes: tuple[int, ...] = FURTHER if len(names) == 1 else ()
        if weight:
            provable = provable and relation == "==" and weight + 3 <= LARGEST
            sizes = tuple(range(1, weight + 4)) if provable else FAR
            if not any(name in domain.shape for domain in declared.values()):
                sizes += VERY_FAR
        base = {other: options[other][0] for other in names}
        larger += [{**base, name: size} for size in sizes]
    return Choice(chosen, [sizes for sizes in larger if sizes not in chosen], provable)


def _options(name: str, domain: Declared, asked: dict[str, tuple[int, ...]]) -> tuple[int, ...]:
    options = tuple(asked.get(name, domain.sizes))
    if not options or not all(isinstance(size, int) and 1 <= size <= LARGEST for size in options):
        raise LineError(f"the sizes of {name} are whole numbers from 1 to {LARGEST}")
    return options


def _several(names: list[str], options: dict[str, tuple[int, ...]]) -> list[Sizes]:
    """All sizes equal, then each in turn one more or less: enough to tell N from d."""
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


def _weight(name: str, sides: tuple[Term, ...]) -> int:
    """A bound on the degree in the size; 0 when it only says how long vectors and sums are."""
    counted = [_count(name, side, frozenset()) for side in sides]
    explicit = sum(explicit for explicit, _ in counted)
    return sum(total for _, total in counted) if explicit else 0


def _count(name: str, term: Term, indices: frozenset[str]) -> tuple[int, int]:
    """(how often the size or an index counts as a number, that plus the number of sums)."""
    explicit = total = 0
    if term.op == "name" and (term.name == name or term.name in indices):
        return 1, 1
    if term.op == "**" and names_in(term.args[1]) & ({name} | indices):
        return LARGEST, LARGEST  # not a polynomial
    parts = list(term.args)
    if term.op == "bind" and len(parts) > 1:
        kind, index = split_bind(term)
        inner = _count(name, parts[0], indices | {index})
        if kind != "sum" and inner[0]:
            return LARGEST, LARGEST
        return inner[0], inner[1] + 1
    if term.op == "call" and term.name in _SHAPES:
        return 0, 0
    curved = term.op == "call" and term.name not in _POLYNOMIAL
    if curved and any(_count(name, part, indices)[0] for part in parts):
        return LARGEST, LARGEST
    if term.op == "call" and term.name == "mean":
        explicit = 1
    if term.op == "index":
        parts = parts[:1]
    times = 1
    if term.op == "**" and term.args[1].op == "number":
        times = max(1, min(abs(int(term.args[1].value)), LARGEST))
    for part in parts:
        one = _count(name, part, indices)
        explicit += one[0] * times
        total += one[1] * times
    sums = term.op == "@" or (term.op == "call" and term.name in ("sum", "dot", "norm", "trace"))
    return explicit, total + explicit * (term.name == "mean") + sums


def is_structural(name: str, sides: tuple[Term, ...]) -> bool:
    """Whether a size ends a sum, is an index or gives a shape; else it is only a number."""
    for side in sides:
        for term in side.walk():
            parts: tuple[Term, ...] = ()
            if term.op in ("bind", "index"):
                parts = term.args[1:]
            elif term.op == "call" and term.name in (*_SHAPES, "factorial", "binomial"):
                parts = term.args
            if any(name in names_in(part) for part in parts):
                return True
    return False
