"""What SymPy says about a step: confirmed, contradicted, or open.

Known errors of SymPy 1.14 that shape this module: `x/x` is 1 and `0*f` is 0 as soon as they are
built, so domains are the engine's business; `equals` answers False for identities that hold, and is
not asked; derivatives of symbolic matrices and traces come out as 0 or unevaluated, so matrices are
explicit; a derivative at a kink is whatever `sign` and `Heaviside` say at 0, so it stays open.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

import sympy

from linecheck.expand.request import ParsedStep
from linecheck.expand.sizes import choose
from linecheck.language.domains import POSITIVE, REAL, Declared, Finite, ScalarDomain, Span
from linecheck.language.terms import LineError, Term
from linecheck.second_judge.opinion import CONDITIONS, INEQUALITY, KINK, Answer, Opinion
from linecheck.second_judge.translate import Block, Expr, Translator

MOST_CASES = 64
POINTS = 3
DIGITS = 40
KINKS = (sympy.Abs, sympy.sign, sympy.Max, sympy.Min, sympy.Piecewise, sympy.Heaviside,
         sympy.DiracDelta, sympy.KroneckerDelta)  # fmt: skip


def opinion(step: ParsedStep) -> Opinion:
    """SymPy's opinion at one choice of sizes, with labels and signs as symbols if that is enough,
    else for each of their values."""
    if step.relation in ("iff", "implies"):
        return Opinion(Answer.OPEN, CONDITIONS)
    declared, sizes = _with_signs(step), sizes_at_hand(step)
    general = Translator(declared, sizes)
    told = ", ".join(f"{name} = {size}" for name, size in sizes.items())
    try:
        if step.relation == "==" and all(
            vanishes(general, gap.subs(_used_up(_given(general, step))))
            for gap in _gaps(general, step)
        ):
            return Opinion(Answer.CONFIRMED, told)
    except LineError:
        pass  # an index or a sum needs the values
    each = (Translator(declared, sizes, fixed) for fixed in values_of(general, step))
    return _together((_judged(one, step) for one in each), told)


def _together(opinions: Iterable[Opinion], told: str = "") -> Opinion:
    """The first contradiction, else the last doubt, else a confirmation."""
    worst = Opinion(Answer.CONFIRMED, told)
    for found in opinions:
        if found.answer is Answer.CONTRADICTED:
            return found
        worst = found if found.answer is Answer.OPEN else worst
    return worst


def sizes_at_hand(step: ParsedStep) -> dict[str, int]:
    """Small sizes, and different ones if there are several, so that N is not taken for d."""
    chosen = choose(step.declared, dict(step.sizes), (step.lhs, step.rhs), step.relation).chosen

    def cost(sizes: dict[str, int]) -> tuple[bool, bool, int]:
        values = list(sizes.values())
        return min(values, default=2) < 2, len(set(values)) < len(values), sum(values)

    return min(chosen, key=cost)


def values_of(translator: Translator, step: ParsedStep) -> Iterator[dict[str, Expr]]:
    """Every choice of the values of labels, signs and short ranges that occur."""
    names = {part.name for one in (step.lhs, step.rhs, *step.given) for part in one.walk()}
    occurring: set[Expr] = set()
    for name, value in translator.names.items():
        if name in names:
            one = value.entries if isinstance(value, Block) else value
            occurring |= one.free_symbols
    spans = {
        symbol.name: domain.values
        for symbol, domain in translator.domains.items()
        if isinstance(domain, Finite) and symbol in occurring
    }
    if math.prod(len(values) for values in spans.values()) > MOST_CASES:
        raise LineError("too many cases")
    for values in itertools.product(*spans.values()):
        rational = (sympy.Rational(value.numerator, value.denominator) for value in values)
        yield dict(zip(spans, rational, strict=True))


def _with_signs(step: ParsedStep) -> dict[str, Declared]:
    """From hypotheses such as `a > 0`: domains that SymPy understands as assumptions."""
    declared = dict(step.declared)
    for term in step.given:
        if term.op != "compare" or len(term.args) != 2 or term.args[0].op != "name":
            continue
        name, end = term.args[0].name, term.args[1]
        old = declared.get(name)
        if old is None or old.entry != REAL or old.kind != "scalar" or end != Term("number"):
            continue
        new = {">": POSITIVE, ">=": Span(Fraction(0), lower_open=False), "!=": Span(no_zero=True)}
        if term.name in new:
            declared[name] = replace(old, entry=new[term.name])
    return declared


def _given(translator: Translator, step: ParsedStep) -> Expr:
    conditions = (translator.condition(term) for term in step.given)
    given = sympy.And(*conditions, *translator.conditions)
    return given.subs(translator.definitions) if translator.definitions else given


def _gaps(translator: Translator, step: ParsedStep) -> list[Expr]:
    """right - left, entry by entry."""
    left, right = translator.term(step.lhs), translator.term(step.rhs)
    gap = translator.finished(translator.entrywise(right, left, lambda a, b: a - b))
    return list(gap.entries) if isinstance(gap, Block) else [gap]


def _judged(translator: Translator, step: ParsedStep) -> Opinion:
    given = _given(translator, step)
    solved = _used_up(given)
    gaps = (gap.subs(solved) for gap in _gaps(translator, step))
    return _together(_of_gap(translator, gap, step.relation, given, solved) for gap in gaps)


def _of_gap(
    t: Translator, gap: Expr, relation: str, given: Expr, solved: dict[Expr, Expr]
) -> Opinion:
    gap = -gap if relation in (">", ">=") else gap
    if relation == "==" and vanishes(t, gap):
        return Opinion(Answer.CONFIRMED)
    for point in _points(t, gap, given, solved):
        value = _value(gap, point)
        if value is None or relation == "!=" or not _clearly_off(value, point):
            continue
        if value < 0 or relation == "==":
            told = ", ".join(f"{symbol} = {number}" for symbol, number in point.items())
            by = f"the sides differ by {float(value):.4g}"
            return Opinion(Answer.CONTRADICTED, f"{by} at {told}" if told else by)
    if relation == "==":
        return Opinion(Answer.OPEN, KINK if gap.has(*KINKS) else "")
    form = sympy.factor(gap)
    strict = {"<": form.is_positive, ">": form.is_positive, "!=": form.is_nonzero}
    sure = strict.get(relation, form.is_nonnegative)
    return Opinion(Answer.CONFIRMED) if sure else Opinion(Answer.OPEN, INEQUALITY)


def vanishes(translator: Translator, gap: Expr) -> bool:
    """Whether SymPy brings a difference to 0: the quick ways first."""
    gap = sympy.expand(gap)
    if gap == 0 or _normal(translator, gap) == 0:
        return True
    curved = gap.has(sympy.log) or any(part.is_Pow and not part.exp.is_Integer for part in gap.args)
    charts = {one: value for one, value in translator.charts.items() if gap.has(one)}
    return bool(curved and charts and _normal(translator, gap.subs(charts)) == 0)


def _normal(t: Translator, gap: Expr) -> Expr:
    """Logarithms and roots of products taken apart, exponentials of sums too, one fraction."""

    def taken_apart(one: Expr) -> Expr:
        inside = sympy.factor(sympy.together(sympy.expand(one.args[0])))
        if one.func == sympy.log:
            return sympy.expand_log(sympy.log(inside))
        return sympy.expand_power_base(inside ** one.args[1])

    gap = gap.replace(
        lambda one: one.func == sympy.log or (one.is_Pow and one.args[1].is_Integer is False),
        taken_apart,
    )
    fraction = sympy.together(sympy.expand(gap))
    if sympy.expand(sympy.fraction(fraction)[0]) == 0:  # cheaper than `cancel`, and mostly enough
        return sympy.S.Zero
    # `cancel` takes long, and what differs at a point is not brought to 0.
    (point,) = _points(t, gap, sympy.true, {}, 1)
    return gap if _clearly_off(_value(gap, point), point) else sympy.cancel(fraction)


def _clearly_off(value: Expr | None, point: dict[Expr, Expr]) -> bool:
    """Whether it is not 0, the rounding of its digits aside."""
    error = sympy.Float(10) ** -15 * (1 + sum(abs(one) for one in point.values()))
    return value is not None and bool(abs(value) > error)


def _used_up(given: Expr) -> dict[Expr, Expr]:
    """From hypotheses that are equations: symbols expressed by the others, where that is linear."""
    values: dict[Expr, Expr] = {}
    for condition in sympy.And.make_args(given):
        if not isinstance(condition, sympy.Eq):
            continue
        gap = (condition.lhs - condition.rhs).subs(values)
        slopes = {one: sympy.expand(sympy.diff(gap, one)) for one in gap.free_symbols}
        for symbol in sorted(slopes, key=lambda one: (not slopes[one].is_number, str(one))):
            slope = slopes[symbol]
            if slope != 0 and not slope.has(symbol):
                value = sympy.cancel(sympy.expand(symbol - gap / slope))
                values = {one: old.subs(symbol, value) for one, old in values.items()}
                values[symbol] = value
                break
    return values


def _points(
    t: Translator, gap: Expr, given: Expr, solved: dict[Expr, Expr], wanted: int = POINTS
) -> Iterator[dict[Expr, Expr]]:
    """A few points of the domain that meet the hypotheses."""
    rng = random.Random(1)
    everything = gap.free_symbols | given.free_symbols
    for value in solved.values():
        everything |= value.free_symbols
    symbols = sorted(everything, key=str)
    met = 0
    for _ in range(12 * wanted):
        point = {s: _number(t.domains[s], rng) for s in symbols if s in t.domains}
        for symbol, value in solved.items():
            point[symbol] = value.subs({s: v for s, v in point.items() if s not in solved})
        inside = all(_inside(t.domains.get(s), v) for s, v in point.items())
        if inside and (given == sympy.true or given.subs(point) == sympy.true):
            met += 1
            yield point
        if met >= wanted:
            return


def _inside(domain: ScalarDomain | None, value: Expr) -> bool:
    if domain is None or not value.is_Rational:
        return domain is None
    return domain.holds(Fraction(int(value.p), int(value.q)))


def _number(domain: ScalarDomain, rng: random.Random) -> Expr:
    if isinstance(domain, Finite):
        value = rng.choice(domain.values)
    elif domain.integers:
        value = (domain.lower or Fraction(0)) + rng.randint(0 if domain.lower else -4, 5)
    elif domain.lower is not None and domain.upper is not None:
        value = domain.lower + (domain.upper - domain.lower) * Fraction(rng.randint(1, 30), 31)
    else:
        size = Fraction(rng.randint(1, 40), rng.randint(3, 17))
        if domain.lower is not None:
            value = domain.lower + size
        elif domain.upper is not None:
            value = domain.upper - size
        else:
            value = size * rng.choice((1, -1))
    return sympy.Rational(value.numerator, value.denominator)


def _value(expression: Expr, point: dict[Expr, Expr]) -> Expr | None:
    """The number at a point, or None where there is none."""
    found = sympy.N(expression, DIGITS, subs=point)
    return found if found.is_Float or found.is_Rational else None
