"""The likely slip behind a refuted equation: the known one that would make it true.

Each candidate changes one thing on the right side. It is named only when left side and changed
right side agree at all sample points of all cases.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from linecheck.expand.problem import cases
from linecheck.expand.request import ParsedStep
from linecheck.expand.values import NeedsValueError
from linecheck.language.domains import Declared
from linecheck.language.terms import LineError, Term, TooBigError, number, split_bind, text_of
from linecheck.language.terms import name as named
from linecheck.prove.solve import without_equations
from linecheck.search.evaluate import PRECISIONS, Undefined
from linecheck.search.refute import Search
from linecheck.search.sample import Point

MOST_CANDIDATES = 90
SECONDS = 0.5  # of the processor: long sums leave no time to try all candidates
FEWEST_POINTS = 6
POINTS = 9
MOST_CASES = 16

Candidate = tuple[str, Term]


LARGEST_FACTOR = 100  # numerator and denominator of a factor that is worth naming


def likely_slip(step: ParsedStep, witness: Point, dimensions: int) -> str:
    """The slip in words, or an empty text; the witness is among the points it must explain."""
    if step.relation != "==":
        return ""
    deadline = time.process_time() + SECONDS
    factor = constant_factor(step, witness)
    if factor is not None:
        return told_factor(factor)
    for told, rhs in islice(candidates(step, dimensions), MOST_CANDIDATES):
        if time.process_time() > deadline:
            break
        if rhs != step.rhs and agrees(dataclasses.replace(step, rhs=rhs), witness):
            return told
    return ""


def searches(step: ParsedStep) -> Iterator[Search]:
    """Searches for the first cases of a step."""
    problems = (one for case in cases(step) if case for one in without_equations(case))
    return map(Search, islice(problems, MOST_CASES))


def mixed_points(search: Search) -> Iterator[Point]:
    """Points at which different factors have different values."""
    yield from map(search.sampler.point, ("medium", "simple", "wide") * 12)
    yield from search.quick_points()  # when hypotheses leave few of the others


def agrees(step: ParsedStep, witness: Point) -> bool:
    """Whether both sides agree at the witness and at all sample points of all cases."""
    compared = 0
    try:
        for search in searches(step):
            if witness.keys() == search.problem.variables.keys():
                failure = search.judge.judge(witness) if search.judge.meets(witness) else None
                if failure is not None:
                    return False
            points = search.admitted(mixed_points(search), POINTS)
            if search.worst(points, PRECISIONS[:1]) is not None:
                return False
            compared += search.judge.compared
    except (LineError, TooBigError, NeedsValueError):
        return False
    return compared >= FEWEST_POINTS


def constant_factor(step: ParsedStep, witness: Point) -> Fraction | None:
    """c with left == c * right at all points, if there is one."""
    factor: Fraction | None = None
    seen = 0
    try:
        for search in searches(step):
            for point in search.admitted(mixed_points(search), POINTS):
                for left, right in search.judge.values(point):
                    if isinstance(left, Undefined) or isinstance(right, Undefined):
                        return None
                    if not isinstance(left, Fraction) or not isinstance(right, Fraction):
                        continue
                    if right == 0 == left:
                        continue
                    if right == 0 or factor not in (None, left / right):
                        return None
                    seen += 1
                    factor = left / right
    except (LineError, TooBigError, NeedsValueError):
        return None
    if factor is None or factor in (0, 1) or seen < FEWEST_POINTS:
        return None
    if max(abs(factor.numerator), factor.denominator) > LARGEST_FACTOR:
        return None
    candidate = Term("*", (number(factor), step.rhs))
    return factor if agrees(dataclasses.replace(step, rhs=candidate), witness) else None


def told_factor(factor: Fraction) -> str:
    """A constant factor in words."""
    if factor == -1:
        return "sign: the right side has the wrong sign"
    sign = ", and its sign is wrong" if factor < 0 else ""
    if abs(factor).numerator == 1 and factor.denominator != 1:
        return f"factor: the right side is {factor.denominator} times too large{sign}"
    return f"factor: a factor {abs(factor)} is missing on the right side{sign}"


def candidates(step: ParsedStep, dimensions: int) -> Iterator[Candidate]:
    """Right sides with one thing changed, the likeliest slips first."""
    rhs = step.rhs
    yield "sign: the right side has the wrong sign", Term("neg", (rhs,))
    yield "factor: a factor 2 is missing on the right side", Term("*", (number(2), rhs))
    half = Term("*", (number(Fraction(1, 2)), rhs))
    yield "factor: the right side is 2 times too large", half
    if dimensions == 2:
        yield "transposition: the right side is transposed", Term("call", (rhs,), "transpose")
    yield from by_symbol(step)
    yield from by_chain_rule(step)
    yield "lost log: a logarithm is missing", Term("call", (rhs,), "log")
    yield "extra log: a logarithm too many", Term("call", (rhs,), "exp")
    yield "lost square: a square is missing", Term("**", (rhs, number(2)))
    yield "extra square: a square too many", Term("call", (rhs,), "sqrt")
    yield from inside(rhs, step)


def by_symbol(step: ParsedStep) -> Iterator[Candidate]:
    """A factor that is one of the symbols."""
    differentiated = step.lhs.op == "call" and step.lhs.name == "diff"
    by = {text_of(part) for part in step.lhs.args[1:]} if differentiated else set()
    for name, domain in step.declared.items():
        factor = Term("name", name=name)
        for one, shown in [(factor, name), *entries(factor, name, domain)]:
            if domain.kind == "size":
                yield f"missing 1/N: a factor 1/{name} is missing", Term("/", (step.rhs, one))
                yield f"extra 1/N: a factor 1/{name} too many", Term("*", (one, step.rhs))
            elif domain.kind == "scalar" or shown != name:
                lost = "lost chain rule" if differentiated and name not in by else "factor"
                yield f"{lost}: a factor {shown} is missing", Term("*", (step.rhs, one))
                yield f"factor: a factor {shown} too many", Term("/", (step.rhs, one))


def entries(factor: Term, name: str, domain: Declared) -> list[tuple[Term, str]]:
    """The entries of a short vector, as factors."""
    if domain.kind != "vector" or not isinstance(domain.shape[0], int) or domain.shape[0] > 3:
        return []
    return [
        (Term("index", (factor, number(k))), f"{name}[{k}]") for k in range(1, domain.shape[0] + 1)
    ]


def by_chain_rule(step: ParsedStep) -> Iterator[Candidate]:
    """The derivative of something inside the differentiated function, as a factor."""
    if step.lhs.op != "call" or step.lhs.name != "diff":
        return
    by = step.lhs.args[1]
    seen: set[Term] = set()
    for part in step.lhs.args[0].walk():
        inner: Term | None = None
        if (part.op == "call" and len(part.args) == 1) or part.op == "**":
            inner = part.args[0]
        if inner is None or inner in seen or inner.op in ("name", "number"):
            continue
        seen.add(inner)
        slope = Term("call", (inner, by), "diff")
        told = f"lost chain rule: the derivative of {text_of(inner)} is missing"
        yield told, Term("*", (step.rhs, slope))


def inside(rhs: Term, step: ParsedStep) -> Iterator[Candidate]:
    """One place inside the right side changed."""
    for path, part in places(rhs):
        for told, changed in changes(part, step):
            yield told, put(rhs, path, changed)


def places(term: Term) -> Iterator[tuple[tuple[int, ...], Term]]:
    """All parts of a term with the way to them, outermost first."""
    waiting: list[tuple[tuple[int, ...], Term]] = [((), term)]
    for here, part in waiting:
        yield here, part
        waiting += [((*here, k), arg) for k, arg in enumerate(part.args)]


def put(term: Term, path: tuple[int, ...], new: Term) -> Term:
    """The term with the part at a place replaced."""
    if not path:
        return new
    args = list(term.args)
    args[path[0]] = put(args[path[0]], path[1:], new)
    return dataclasses.replace(term, args=tuple(args))


_TAKEN_OFF = {  # what stands around too much, by its name
    "neg": "sign: the sign of {}",
    "transpose": "transposition: {} should not be transposed",
    "inv": "inverse: {} should not be inverted",
    "log": "extra log: {} should stand without its logarithm",
    "**": "extra power: {} should stand without its power",
}


def changes(part: Term, step: ParsedStep) -> Iterator[Candidate]:
    """What may have gone wrong at one place."""
    op, args, two = part.op, part.args, number(2)
    kind = part.name if op == "call" else op
    if op in ("+", "-"):
        first, second = args
        shown, missing = text_of(second), "factor: a factor 2 is missing at "
        yield f"sign: the sign of {shown}", dataclasses.replace(part, op="-" if op == "+" else "+")
        yield missing + shown, Term(op, (first, Term("*", (two, second))))
        yield missing + text_of(first), Term(op, (Term("*", (two, first)), second))
        yield f"factor: {shown} is 2 times too large", Term(op, (first, Term("/", (second, two))))
    if kind in _TAKEN_OFF and (op != "**" or args[1].op == "number"):
        yield _TAKEN_OFF[kind].format(text_of(args[0])), args[0]
    if op == "name":
        yield from other_names(part, step)
        domain = step.declared.get(part.name)
        if domain is not None and domain.kind == "matrix":
            transposed = Term("call", (part,), "transpose")
            yield f"transposition: {part.name} should be transposed", transposed
            yield f"lost inverse: {part.name} should be inverted", Term("call", (part,), "inv")
        if domain is not None and domain.kind == "scalar":
            yield f"lost square: {part.name} should be squared", Term("**", (part, two))
            yield f"sign: {part.name} instead of -{part.name}", Term("neg", (part,))
    if kind == "norm":
        yield f"lost square: {text_of(part)} should be squared", Term("**", (part, two))
    if kind in ("sigma", "exp"):
        yield f"sign: the sign inside {kind}", Term("call", (Term("neg", args),), kind)
    if op == "index":
        yield from other_indices(part, step)


def other_names(part: Term, step: ParsedStep) -> Iterator[Candidate]:
    """Another symbol of the same kind whose name begins with the same letter: N for N_k."""
    own = step.declared.get(part.name)
    if own is None:
        return
    for name, domain in step.declared.items():
        same_kind = domain.kind == own.kind and domain.shape == own.shape
        if name != part.name and same_kind and name[0].lower() == part.name[0].lower():
            yield f"N for N_k: {part.name} instead of {name}", dataclasses.replace(part, name=name)


def other_indices(part: Term, step: ParsedStep) -> Iterator[Candidate]:
    """Neighbouring numbers, and other indices of the line."""
    for k, index in enumerate(part.args[1:], start=1):
        options: list[Term] = []
        if index.op == "number":
            options = [number(index.value + 1), number(index.value - 1)]
        elif index.op == "name":
            bound = {split_bind(one)[1] for one in step.rhs.walk() if one.op == "bind"}
            declared = {name for name, domain in step.declared.items() if domain.kind == "scalar"}
            options = [named(name) for name in sorted((bound | declared) - {index.name})]
        for option in options:
            args = (*part.args[:k], option, *part.args[k + 1 :])
            told = f"wrong index: {text_of(part)} instead of "
            changed = dataclasses.replace(part, args=args)
            yield told + text_of(changed), changed
