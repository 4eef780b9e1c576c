"""What was asked, read: texts become terms, abbreviations are replaced, domains are declared."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from linecheck.expand.sizes import is_structural
from linecheck.language.domains import Declared, Span, declare
from linecheck.language.parser import RELATIONS, is_function, parse
from linecheck.language.terms import (
    LineError,
    Term,
    TooBigError,
    names_in,
    number,
    replace,
    split_bind,
)
from linecheck.language.terms import name as named

MOST_GIVEN = 40
_SAME_RELATION = {"=": "==", "≤": "<=", "≥": ">=", "≠": "!=", "<=>": "iff", "=>": "implies"}


@dataclass(frozen=True)
class Request:
    """What `verdict` was asked, as texts."""

    lhs: str
    rhs: str
    symbols: Mapping[str, str] = field(default_factory=dict)
    relation: str = "=="
    given: tuple[str, ...] = ()
    derivative: str | None = None
    where: Mapping[str, str] = field(default_factory=dict)
    sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    explain: bool = True  # whether the slip behind a refutation is looked for
    whole: bool = False  # both sides were typed together: x[0] means counting from 0 in both


@dataclass(frozen=True)
class ParsedStep:
    """The parsed texts."""

    lhs: Term
    rhs: Term
    given: tuple[Term, ...]
    relation: str
    declared: dict[str, Declared]
    sizes: Mapping[str, tuple[int, ...]]
    texts: tuple[str, str]  # of the two sides, to point at what is wrong
    explain: bool = True


class PlacedError(LineError):
    """A LineError that knows its text."""

    def __init__(self, problem: LineError, what: str, text: str) -> None:
        super().__init__(f"{what}: {problem.pointing_at(text)}", problem.column)


def read(request: Request) -> ParsedStep:
    """Parse the texts of a request; raises LineError."""
    if request.relation not in (*RELATIONS, *_SAME_RELATION, "iff", "implies"):
        raise LineError(
            f"the relation {request.relation!r} is not one of == <= < >= > != iff implies"
        )
    if len(request.given) > MOST_GIVEN or len(request.where) > MOST_GIVEN:
        raise LineError(f"at most {MOST_GIVEN} hypotheses and abbreviations are read")
    if len(request.symbols) > 60:
        raise LineError("at most 60 symbols are read")
    symbols = dict(request.symbols)
    counted = symbols.pop("index", "")
    known = names_of(symbols, request.where)
    where = _abbreviations(request.where, known)
    lhs = replace(_placed(request.lhs, "left side", known), where)
    rhs = replace(_placed(request.rhs, "right side", known), where)
    given = tuple(replace(_placed(text, "given", known), where) for text in request.given)
    if counted == "0" or (request.whole and any(map(counts_from_zero, (lhs, rhs)))):
        lhs, rhs, *others = (from_one(term) for term in (lhs, rhs, *given))
        given = tuple(others)
    if request.derivative is not None:
        by = _placed(f"[{request.derivative}]", "derivative", known)
        lhs = Term("call", (lhs, *by.args), "diff", column=lhs.column)
    relation = _SAME_RELATION.get(request.relation, request.relation)
    texts = (request.lhs, request.rhs)
    declared = declare(symbols)
    unit = _identity(declared, (lhs, rhs, *given))
    if unit is not None:
        lhs, rhs = replace(lhs, {"I": unit}), replace(rhs, {"I": unit})
    declared = _used(declared, (lhs, rhs, *given))
    return ParsedStep(lhs, rhs, given, relation, declared, request.sizes, texts, request.explain)


def names_of(symbols: Mapping[str, str], where: Mapping[str, str]) -> frozenset[str]:
    """The names that are declared, and those of abbreviations."""
    names = {name for one in (*symbols, *where) for name in re.split(r"[,\s]+", one)}
    return frozenset("lambda_" if name == "lambda" else name for name in names)


def _identity(declared: dict[str, Declared], terms: tuple[Term, ...]) -> Term | None:
    """What I stands for: the identity, where all matrices are square and of one size."""
    names = set().union(*(names_in(term) for term in terms))
    shapes = {declared[one].shape for one in names if one in declared and declared[one].shape}
    sides = {side for shape in shapes for side in shape}
    if "I" not in names or "I" in declared or len(sides) != 1 or not any(map(_square, shapes)):
        return None
    (side,) = sides
    size = named(side) if isinstance(side, str) else number(side)
    return Term("call", (size,), "eye")


def _square(shape: tuple[int | str, ...]) -> bool:
    return len(shape) == 2 and shape[0] == shape[1]


def counts_from_zero(term: Term) -> bool:
    """Whether x[0] stands in it, or x[i] for i in range(3)."""
    zero = number(0)
    for part in term.walk():
        if part.op == "index" and zero in part.args[1:]:
            return True
        if part.op == "bind" and len(part.args) > 1 and part.args[1] == zero:
            index = named(split_bind(part)[1])
            if any(one.op == "index" and index in one.args[1:] for one in part.args[0].walk()):
                return True
    return False


def from_one(term: Term) -> Term:
    """The term with every index one higher, for a reader who counts from 0."""
    args = [from_one(part) for part in term.args]
    if term.op == "index" or (term.op == "call" and term.name in ("row", "col")):
        args[1:] = [Term("+", (part, number(1)), column=part.column) for part in args[1:]]
    return dataclasses.replace(term, args=tuple(args)) if args else term


def _used(declared: dict[str, Declared], terms: tuple[Term, ...]) -> dict[str, Declared]:
    """The symbols that occur, and the sizes that they need; a size that is neither the length of
    something nor the end of a sum is any whole number."""
    names = set().union(*(names_in(term) for term in terms))
    kept = {name: domain for name, domain in declared.items() if name in names}
    shapes = {size for domain in kept.values() for size in domain.shape}
    for name, domain in kept.items():
        if domain.kind == "size" and name not in shapes and not is_structural(name, terms):
            whole = Span(Fraction(min(domain.sizes)), None, lower_open=False, integers=True)
            declared[name] = Declared("scalar", whole)
    sizes = {size for domain in kept.values() for size in domain.shape}
    return {name: domain for name, domain in declared.items() if name in kept or name in sizes}


def _placed(text: str, what: str, known: frozenset[str]) -> Term:
    try:
        term = parse(text, known)
        if "T" in known and re.search(r"\^\s*\{?\s*T\b", text):
            raise LineError("^T is a transpose, and T is declared: write **T or .T")
        return spelled(term, known)
    except LineError as problem:
        raise PlacedError(problem, what, text) from None


def spelled(term: Term, known: frozenset[str]) -> Term:
    """ab as the product of a and b, w_i as w[i], where only these letters are declared."""
    if term.op == "name":
        return _spelled_name(term, known)
    inside = known | {split_bind(term)[1]} if term.op == "bind" else known
    args = tuple(spelled(part, inside) for part in term.args)
    tight = term.op in ("**", "index") or (term.op == "call" and term.name == "transpose")
    if tight and args[0].name == "side" and term.column == term.args[0].column:
        *first, final = args[0].args  # ab**2 is a times b**2; (ab)**2 has brackets
        return Term("@", (*first, dataclasses.replace(term, args=(final, *args[1:]))), "side")
    if term.name == "called" and args[0].op == "name" and args[0].name not in known:
        what = args[0].name
        raise term.error(f"{what} is not a function, and no symbol of that name is declared")
    same = all(a is b for a, b in zip(args, term.args, strict=True))
    return term if same else dataclasses.replace(term, args=args)


def _spelled_name(term: Term, known: frozenset[str]) -> Term:
    text = term.name
    if text in known or text in ("pi", "e", "inf") or is_function(text):
        return term
    base, _, index = text.rpartition("_")
    if base in known and (index.isdigit() or index in known):
        place = number(int(index)) if index.isdigit() else named(index, term.column)
        return Term("index", (named(base, term.column), place), column=term.column)
    if len(text) > 1 and all(letter in known for letter in text):
        first, *others = (named(letter, term.column) for letter in text)
        for other in others:
            first = Term("@", (first, other), "side", column=term.column)
        return first
    first_part = text.partition("_")[0]
    if first_part in known and first_part != text:
        told = f"{text} is not declared; an entry is {first_part}[...], and a product needs a *"
        raise term.error(told)
    return term


def _abbreviations(where: Mapping[str, str], known: frozenset[str]) -> dict[str, Term]:
    """Abbreviations with those inside them already replaced."""
    terms = {name: _placed(text, f"where {name}", known) for name, text in where.items()}
    done: dict[str, Term] = {}

    def resolve(name: str, above: tuple[str, ...]) -> Term:
        if name in above:
            raise LineError(f"the abbreviation {name} is defined through itself")
        if name not in done:
            inner = names_in(terms[name]) & set(terms)
            values = {one: resolve(one, (*above, name)) for one in inner}
            done[name] = replace(terms[name], values)
            if sum(1 for _ in done[name].walk()) > 5000:
                raise TooBigError("the abbreviations are too big once they are written out")
        return done[name]

    return {name: resolve(name, ()) for name in terms}
