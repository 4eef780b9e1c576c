"""The ways in which search looks for a proof that a polynomial is >= 0 (> 0).

Each takes the attempt, the polynomial, whether > is wanted and how deep it may go, and calls rules;
whether it was of use is seen from what is known afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

from linecheck.kernel import polynomials as poly
from linecheck.kernel.facts import ANY, NEG, POS, STRONG, WEAK, ZERO, Atom, RuleError
from linecheck.kernel.normal import UNIT, Ratio
from linecheck.kernel.polynomials import Poly
from linecheck.kernel.rules import Context, Script, Step
from linecheck.prove.nodes import NoNodeError, node_of
from linecheck.prove.roots import common_factor, derivative, divided, trimmed

if TYPE_CHECKING:
    from linecheck.prove.propose import Attempt

End = Fraction | None
Way = Callable[["Attempt", Poly, bool, int], None]
LARGEST_DEGREE = 24
MOST_PIECES = 24


def pair(context: Context, a: Ratio) -> tuple[Poly, Poly]:
    return a.top, context.product((dict(key), exponent) for key, exponent in a.below.items())


def by_combination(attempt: Attempt, a: Poly, strict: bool, depth: int) -> None:
    attempt.combined(a, strict)


def by_products(attempt: Attempt, a: Poly, strict: bool, depth: int) -> None:
    if depth > 0:
        attempt.combined(a, strict, products=True)


def by_lemmas(attempt: Attempt, a: Poly, strict: bool, depth: int) -> None:
    """exp(u) >= 1 + u and log f <= f - 1 for what occurs, then sums again."""
    context = attempt.context
    atoms = context.table.atoms
    before = len(attempt.script)
    occurring = poly.atoms_in(a)
    if depth < 1:
        return
    powers: list[Ratio] = []
    for monomial in a:
        u = Ratio({})
        for index, exponent in monomial:
            if atoms[index].kind == "exp":
                inside = context.ratio(atoms[index].args[0])
                u = context.add(u, inside, exponent)
        if u.top and len(powers) < 5:
            powers.append(u)
    for k, one in enumerate(list(powers)):
        powers += [context.add(one, other, -1) for other in powers[:k]][:6]
    for u in powers:
        if not u.top:
            continue
        attempt.prove(u.top, POS | NEG, 0)
        for one in (u, Ratio(poly.scale(u.top, -1), u.below)):
            attempt.call("logarithm", *pair(context, context.exp(one)))
    logs = [i for i in occurring if atoms[i].kind == "log"]
    insides = [context.ratio(atoms[i].args[0]) for i in logs]
    numbers = [one for one in insides if one.top.keys() == {()} and not one.below][:2]
    others = []
    for one in [one for one in insides if context.names(one)][:6]:
        turned = one
        if context.sign_of(one) != POS and not attempt.prove(one.top, POS, 0):
            turned = Ratio(poly.scale(one.top, -1), one.below)
        if context.sign_of(turned) == POS or attempt.prove(turned.top, POS, 0):
            others.append(turned)
    scales: list[Poly] = [poly.ONE]
    for one in numbers:
        value = Fraction(one.top[()])
        scales += [poly.constant(value), poly.constant(1 / value)]
    if len(others) == 1:
        scales += numbers_in(context, a)
    for one in others:
        for other in [UNIT, *others]:
            if other is one:
                continue
            for scale in scales:
                for first, second in ((one, other), (other, one)):
                    quotient = context.multiply(first, context.inverse(second))
                    scaled = context.multiply(quotient, Ratio(scale))
                    if strict:
                        gap = context.add(scaled, UNIT, -1)
                        attempt.prove(gap.top, POS | NEG, 0)
                    attempt.call("logarithm", *pair(context, scaled))
            gap = context.add(one, other, -1)
            if gap.top:
                signs = context.sign_of(gap)
                if len(others) <= 3 and signs & NEG and signs & POS:
                    if not attempt.prove(gap.top, WEAK, 0):
                        attempt.prove(gap.top, NEG | ZERO, 0)
                    signs = context.sign_of(gap)
                if not (signs & NEG and signs & POS):
                    attempt.call("monotone", "log", pair(context, one), pair(context, other))
    for index in occurring:
        if atoms[index].kind == "Phi":
            inside = context.ratio(atoms[index].args[0])
            if not inside.below:
                attempt.call("monotone", "Phi", (inside.top, poly.ONE), ({}, poly.ONE))
    if len(attempt.script) > before:
        attempt.combined(a, strict)
        if context.signs(a) & ~(POS if strict else WEAK):
            attempt.combined(a, strict, products=True)


def numbers_in(context: Context, a: Poly) -> list[Poly]:
    """Numbers that stand before the variables of a polynomial, and 1 over them."""
    found: list[Poly] = []
    for monomial, coefficient in a.items():
        fixed = tuple(one for one in monomial if not context.table.depends[one[0]])
        if all(context.table.atoms[index].kind in STRONG for index, _ in fixed):
            size = abs(Fraction(coefficient))
            found += [{fixed: size}, {poly.power_of_monomial(fixed, -1): 1 / size}]
    return found[:12]


def by_exponentials(attempt: Attempt, a: Poly, strict: bool, depth: int) -> None:
    """sum c_i log f_i + u >= 0 says that the product of f_i**c_i and exp(u) is >= 1."""
    context = attempt.context
    atoms = context.table.atoms
    logs = {i for i in poly.atoms_in(a) if atoms[i].kind == "log"}
    if not logs or depth < -1:
        return
    denominator = 1
    for monomial, coefficient in a.items():
        if any(i in logs for i, _ in monomial):
            if len(monomial) > 1 or monomial[0][1] != 1:
                return
            inside = context.ratio(atoms[monomial[0][0]].args[0]).top
            if context.signs(inside) & ZERO:
                attempt.prove(inside, POS, 0)
            denominator = max(denominator, Fraction(coefficient).denominator)
    if denominator > 12 or any(
        abs(Fraction(c) * denominator) > 8 for m, c in a.items() if m and m[0][0] in logs
    ):
        return
    raised = context.exp(Ratio(poly.scale(a, denominator)))
    gap = context.add(raised, UNIT, -1)
    if poly.key_of(gap.top) == poly.key_of(a):
        return
    wanted = POS if strict else WEAK
    if attempt.prove(gap.top, wanted, depth - 1):
        attempt.call("monotone", "log", pair(context, raised), (poly.ONE, poly.ONE))


def by_growth(attempt: Attempt, a: Poly, strict: bool, depth: int) -> None:
    """a exp(u) - b exp(v) >= 0 says that log a + u >= log b + v."""
    context = attempt.context
    atoms = context.table.atoms
    if len(a) != 2:
        return
    if not any(atoms[i].kind in ("exp", "root") for i in poly.atoms_in(a)):
        return
    sides: dict[bool, Poly] = {c > 0: {m: abs(Fraction(c))} for m, c in a.items()}
    if len(sides) != 2 or any(context.signs(one) != POS for one in sides.values()):
        return
    first, second = context.log(Ratio(sides[True])), context.log(Ratio(sides[False]))
    gap = context.add(first, second, -1)
    if attempt.prove(gap.top, POS if strict else WEAK, depth - 1):
        attempt.call("monotone", "log", (sides[True], poly.ONE), (sides[False], poly.ONE))


def by_order(attempt: Attempt, a: Poly, strict: bool, depth: int) -> None:
    """exp u - exp v has the sign of u - v; so has exp u - 1 that of u."""
    context = attempt.context
    atoms = context.table.atoms
    found = [i for i in poly.atoms_in(a) if atoms[i].kind == "exp" and context.table.depends[i]]
    sides = [(poly.ONE, Ratio({}))]
    sides += [(poly.single(i), context.ratio(atoms[i].args[0])) for i in found[:6]]
    before = len(attempt.script)
    for (first, u), (second, v) in combinations(sides, 2):
        signs = context.sign_of(context.add(u, v, -1))
        if not (signs & NEG and signs & POS) and context.signs(poly.add(first, second, -1)) == ANY:
            attempt.call("monotone", "log", (first, poly.ONE), (second, poly.ONE))
    if len(attempt.script) > before:
        by_one_atom(attempt, a, strict, depth)
        attempt.combined(a, strict)


def by_normal(attempt: Attempt, a: Poly, strict: bool, depth: int) -> None:
    """Phi grows."""
    context = attempt.context
    atoms = context.table.atoms
    found = [i for i in poly.atoms_in(a) if atoms[i].kind == "Phi"]
    if not 1 <= len(found) <= 2:
        return
    insides = [context.ratio(atoms[i].args[0]) for i in found]
    if any(one.below for one in insides):
        return
    first, second = insides[0].top, insides[1].top if len(insides) > 1 else {}
    gap = poly.add(first, second, -1)
    for wanted in (POS, NEG, WEAK, NEG | ZERO):
        if attempt.prove(gap, wanted, depth - 1):
            break
    attempt.call("monotone", "Phi", (first, poly.ONE), (second, poly.ONE))
    attempt.combined(a, strict)


def by_discriminant(attempt: Attempt, a: Poly, strict: bool, depth: int) -> None:
    """a x**2 + b x + c, completed to a square."""
    context = attempt.context
    atoms = context.table.atoms
    if depth < -6 or len(a) > 80:
        return
    for index in poly.atoms_in(a):
        atom = atoms[index]
        if atom.kind not in ("var", "exp", "log") or context.rule_of(index):
            continue
        parts = poly.by_powers(a, index)
        step = max(parts) / Fraction(2)
        if step <= 0 or not {step, 2 * step} <= parts.keys() <= {0, step, 2 * step}:
            continue
        if step.denominator != 1 and atom.kind not in STRONG:
            continue
        p, q, r = parts[poly.short(2 * step)], parts[poly.short(step)], parts.get(0, {})
        gap = poly.add(poly.scale(context.times(p, r), 4), context.times(q, q), -1)
        x = poly.single(index, poly.short(step))
        wanted = POS if strict else WEAK
        if (
            attempt.prove(p, WEAK, depth - 1)
            and attempt.prove(r, wanted, depth - 1)
            and attempt.prove(gap, wanted, depth - 1)
        ):
            attempt.call("discriminant", p, q, r, x)
            return


def by_squaring(attempt: Attempt, a: Poly, strict: bool, depth: int) -> None:
    """a >= b follows from a >= 0 and a**2 >= b**2; a has the roots."""
    context = attempt.context
    atoms = context.table.atoms
    roots = {
        i
        for monomial in a
        for i, e in monomial
        if atoms[i].kind in ("root", "abs") or (atoms[i].kind in STRONG and not isinstance(e, int))
    }
    if not roots or depth < -1:
        return
    for index in roots:
        if atoms[index].kind == "root":
            attempt.prove(context.ratio(atoms[index].args[0]).top, WEAK, 0)
    for only_roots in (True, False):
        high: Poly = {}
        low: Poly = {}
        for monomial, coefficient in a.items():
            rooted = any(i in roots for i, _ in monomial)
            signs = context.signs_of_monomial(monomial)
            if coefficient > 0 and (rooted if only_roots else rooted or not signs & NEG):
                high[monomial] = coefficient
            else:
                low[monomial] = -coefficient
        if not high or not low or len(high) ** 2 > 400:
            continue
        gap = poly.add(context.times(high, high), context.times(low, low), -1)
        wanted = POS if strict else WEAK
        if attempt.prove(high, WEAK, depth - 1) and attempt.prove(gap, wanted, depth - 1):
            both = poly.add(high, low)
            sides: Step = ("sum", both, [(2, [(high, 1)]), (-1, [(a, 1)])], [])
            against = [sides, ("sum", gap, [(1, [(a, 1), (both, 1)])], [])]
            attempt.unless(a, wanted, against, "squares")
            return


def by_one_atom(attempt: Attempt, a: Poly, strict: bool, depth: int) -> None:
    """A polynomial in one atom: no coefficient is negative on pieces of the line."""
    found = poly.atoms_in(a)
    if len(found) != 1:
        return
    index = found[0]
    parts = poly.by_powers(a, index)
    unit = max(Fraction(power).denominator for power in parts)
    powers = {int(power * unit): Fraction(rest[()]) for power, rest in parts.items()}
    if min(powers) < 0 or max(powers) > LARGEST_DEGREE:
        return
    coefficients = [powers.get(k, Fraction(0)) for k in range(max(powers) + 1)]
    x = poly.single(index, poly.short(Fraction(1, unit)))
    repeated = common_factor(coefficients, derivative(coefficients))
    if len(repeated) > 1:  # squares are taken out
        half = repeated
        rest, left = divided(coefficients, product(half, half))
        if trimmed(left):
            return
        outer = POS if strict else WEAK
        if attempt.prove(made(rest, x), outer, depth) and (
            not strict or attempt.prove(made(half, x), POS | NEG, depth)
        ):
            factor, more = made(rest, x), made(half, x)
            attempt.call("sum", a, [(1, [(factor, 1), (more, 2)])], [])
        return
    script = pieces(coefficients, x, *bounds(attempt, x), [MOST_PIECES])
    if script is not None:
        attempt.lemma(a, POS if strict else WEAK, script)


def product(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    total = [Fraction(0)] * (len(a) + len(b) - 1)
    for i, one in enumerate(a):
        for j, other in enumerate(b):
            total[i + j] += one * other
    return total


def made(coefficients: list[Fraction], x: Poly) -> Poly:
    """The polynomial with these coefficients."""
    ((monomial, _),) = x.items()
    return {
        poly.power_of_monomial(monomial, k): poly.short(c) for k, c in enumerate(coefficients) if c
    }


def bounds(attempt: Attempt, x: Poly) -> tuple[End, End]:
    """The ends of an interval in which an atom lies, from the facts."""
    context = attempt.context
    signs = context.signs(x)
    lower: End = None if signs & NEG else Fraction(0)
    upper: End = None if signs & POS else Fraction(0)
    monomial = next(iter(x))
    for fact in context.known.values():
        if fact.poly.keys() != {monomial, ()} or fact.signs not in (POS, WEAK, NEG, NEG | ZERO):
            continue
        end = -Fraction(fact.poly[()]) / Fraction(fact.poly[monomial])
        if (fact.signs in (POS, WEAK)) == (fact.poly[monomial] > 0):
            lower = end if lower is None else max(lower, end)
        else:
            upper = end if upper is None else min(upper, end)
    return lower, upper


def pieces(p: list[Fraction], x: Poly, lower: End, upper: End, left: list[int]) -> Script | None:
    """A script that splits until the coefficients about the ends are not negative."""
    left[0] -= 1
    if left[0] < 0:
        return None
    if lower is not None and upper is not None:
        middle = (lower + upper) / 2
        if upper - lower < Fraction(1, 4096):
            return None
        degree = len(p) - 1
        coefficients = bernstein(p, lower, upper)
        first = poly.add(x, poly.constant(lower), -1)
        second = poly.add(poly.constant(upper), x, -1)
        parts = [
            (c, [one for one in ((first, k), (second, degree - k)) if one[1]])
            for k, c in enumerate(coefficients)
            if c
        ]
    else:
        end = lower if lower is not None else upper
        if end is None:
            return split(p, x, lower, upper, Fraction(0), left)
        turn = 1 if lower is not None else -1
        first = poly.scale(poly.add(x, poly.constant(end), -1), turn)
        shifted = taylor(p, end)
        middle = end * 2 if end * turn > 0 else Fraction(turn)
        parts = [(c * turn**k, [(first, k)] if k else []) for k, c in enumerate(shifted) if c]
    if all(c > 0 for c, _ in parts):
        return [("sum", made(p, x), parts, [])]
    return split(p, x, lower, upper, middle, left)


def split(
    p: list[Fraction], x: Poly, lower: End, upper: End, middle: Fraction, left: list[int]
) -> Script | None:
    above = pieces(p, x, middle, upper, left)
    below = pieces(p, x, lower, middle, left) if above is not None else None
    if above is None or below is None:
        return None
    return [("cases", poly.add(x, poly.constant(middle), -1), "closed", [above, below])]


def taylor(p: list[Fraction], at: Fraction) -> list[Fraction]:
    """Coefficients about another point."""
    p = list(p)
    for i in range(len(p) - 1):
        for k in range(len(p) - 2, i - 1, -1):
            p[k] += at * p[k + 1]
    return p


def bernstein(p: list[Fraction], lower: Fraction, upper: Fraction) -> list[Fraction]:
    """c_k with p = sum of c_k (x - lower)**k (upper - x)**(n - k)."""
    n = len(p) - 1
    width = upper - lower
    q = [c * width**k for k, c in enumerate(taylor(p, lower))]  # in t on [0, 1]
    total = [Fraction(0)] * (n + 1)
    for k, c in enumerate(q):  # t**k = t**k (t + 1 - t)**(n - k)
        binomial = 1  # of n - k over j
        for j in range(n - k + 1):
            total[k + j] += c * binomial
            binomial = binomial * (n - k - j) // (j + 1)
    return [c / width**n for c in total]


def by_margin(attempt: Attempt, a: Poly, strict: bool, depth: int) -> None:
    """a > 0 because a - c >= 0 for a number c > 0."""
    if not strict or depth < 1:
        return
    for power in (0, 2, 6, 12):
        margin = Fraction(1, 2**power)
        less = poly.add(a, poly.constant(-margin))
        if less and attempt.prove(less, WEAK, depth - 1):
            attempt.call("sum", a, [(1, [(less, 1)]), (margin, [])], [])
            return


def by_convexity(attempt: Attempt, a: Poly, strict: bool, depth: int) -> None:
    """a >= 0 because it is convex in a variable, and not negative where it is flat."""
    context, table = attempt.context, attempt.context.table
    if depth < 1 or len(a) > 16:
        return
    names = sorted(context.names(Ratio(a)) & context.domains.keys())[:3]
    moving = [table.indices[Atom("var", name)] for name in names]
    e = max(context.exp(UNIT).top)[0][0]
    with suppress(RuleError, NoNodeError):
        f = node_of(table.graph, context, Ratio(a))
        for index, name in zip(moving, names, strict=True):
            others = [poly.single(other) for other in moving if other != index]
            first = table.graph.derivative(f, table.graph.var(name))
            second = table.graph.derivative(first, table.graph.var(name))
            for at in ({}, poly.ONE, poly.single(e, -1), *others):
                along = context.along(name)
                there = context.along(name)
                there.values[index] = Ratio(at)
                if not there.of(first).top:
                    inner = type(attempt)(attempt.proposer, along, attempt.proposer.samples)
                    inner.prove(along.of(second).top, WEAK)
                    if attempt.call("convex", f.number, index, at, inner.script):
                        return


QUICK: tuple[Way, ...] = (
    by_one_atom,
    by_squaring,
    by_combination,
    by_margin,
    by_exponentials,
    by_growth,
    by_normal,
    by_discriminant,
    by_order,
)
THOROUGH: tuple[Way, ...] = (by_products, by_lemmas, by_convexity)
