"""What was asked, read: texts become terms, abbreviations are replaced, domains are declared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from lectures_lib.proofs.expand.sizes import is_structural
from lectures_lib.proofs.language.domains import Declared, Span, declare
from lectures_lib.proofs.language.parser import RELATIONS, parse
from lectures_lib.proofs.language.terms import LineError, Term, TooBigError, names_in, replace

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
    where = _abbreviations(request.where)
    lhs = replace(_placed(request.lhs, "left side"), where)
    rhs = replace(_placed(request.rhs, "right side"), where)
    if request.derivative is not None:
        by = _placed(f"[{request.derivative}]", "derivative")
        lhs = Term("call", (lhs, *by.args), "diff", column=lhs.column)
    given = tuple(replace(_placed(text, "given"), where) for text in request.given)
    relation = _SAME_RELATION.get(request.relation, request.relation)
    texts = (request.lhs, request.rhs)
    declared = _used(declare(request.symbols), (lhs, rhs, *given))
    return ParsedStep(lhs, rhs, given, relation, declared, request.sizes, texts, request.explain)


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


def _placed(text: str, what: str) -> Term:
    try:
        return parse(text)
    except LineError as problem:
        raise PlacedError(problem, what, text if isinstance(text, str) else "") from None


def _abbreviations(where: Mapping[str, str]) -> dict[str, Term]:
    """Abbreviations with those inside them already replaced."""
    terms = {name: _placed(text, f"where {name}") for name, text in where.items()}
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
