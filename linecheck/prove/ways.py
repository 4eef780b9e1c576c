"""The ways to prove that a polynomial in the generators is >= 0 (> 0).

Each way takes the prover, the polynomial, whether > is claimed, and how deep it may go. It says
True only with a proof; why that is one stands in the paragraph above its steps.
"""

from __future__ import annotations

from fractions import Fraction

from linecheck.algebra import polynomials as poly
from linecheck.algebra.polynomials import Exponent, Polynomial
from linecheck.algebra.ratios import Ratio
from linecheck.algebra.univariate import LARGEST_DEGREE, keeps_sign
from linecheck.prove.bricks import combined, size
from linecheck.prove.prover import Prover, Way
from linecheck.prove.quadratic import (
    LARGEST_FORM,
    form_matrix,
    groups,
    pivots,
)


def by_one_generator(prover: Prover, polynomial: Polynomial, strict: bool, depth: int) -> bool:
    """A polynomial in one generator: its roots are counted.

    Sound because Sturm's chain counts the different real roots in an interval exactly: without a
    root of odd order inside, the sign at one point is the sign everywhere. A generator g with
    fractional exponents is replaced by t = g**(1/unit), which runs over [0, inf) when g does;
    negative exponents are cleared by an even power of g, which is > 0 where the line is defined.
    """
    indices = poly.indices_in(polynomial)
    if len(indices) != 1:
        return False
    index = indices[0]
    parts = poly.by_powers(polynomial, index)
    unit = max(Fraction(power).denominator for power in parts)
    least = min(Fraction(power) * unit for power in parts)
    lower, upper, lower_open, upper_open = prover.facts.narrowed(index)
    if unit > 1 or least < 0:
        if lower is None or lower < 0:
            if least < 0 and least % 2 != 0:
                least -= 1
            if unit > 1:
                return False
        if unit > 1 and (lower != 0 or upper is not None):
            return False  # the ends would have to be raised to a fraction
    least = min(least, Fraction(0))
    degrees = {int(Fraction(power) * unit - least): part[()] for power, part in parts.items()}
    if max(degrees) > LARGEST_DEGREE:
        return False
    coefficients = [Fraction(degrees.get(k, 0)) for k in range(max(degrees) + 1)]
    sign = keeps_sign(coefficients, lower, upper, lower_open, upper_open)
    return sign is not None and (sign == 2 or (sign >= 0 and not strict))


def by_form(prover: Prover, polynomial: Polynomial, strict: bool, depth: int) -> bool:
    """A quadratic form in the entries of a vector: its pivots are positive.

    Sound because completing squares writes the form as a sum of pivots times squares of linear
    forms; dividing by a pivot is allowed where the pivot is > 0.

    A pivot that is only known to be >= 0 may vanish; the form is then >= 0 by continuity, if it
    is a polynomial in the variables themselves and no hypothesis cuts the points off where no
    pivot vanishes.
    """
    if depth < 1:
        return False
    made = [prover.algebra.generators[index] for index in poly.indices_in(polynomial)]
    plain = all(one.kind == "var" and not one.relation for one in made)
    free = plain and not prover.facts.known and not prover.facts.zero and not strict
    for group in groups(prover.algebra, poly.indices_in(polynomial)):
        if not 2 <= len(group) <= LARGEST_FORM:
            continue
        matrix = form_matrix(polynomial, group)
        if matrix is None:
            continue
        found = pivots(prover.algebra, matrix, lambda ratio: sign_of_ratio(prover, ratio, depth))
        if found is None or (1 in found and not free):
            continue
        if not strict or (is_apart(prover, group) and all(sign == 2 for sign in found)):
            return True
    return False


def is_apart(prover: Prover, group: list[int]) -> bool:
    """Whether a vector is known not to be 0."""
    if any(prover.algebra.monomial_sign(((index, 1),)) == 2 for index in group):
        return True
    length: Polynomial = {((index, 2),): 1 for index in group}
    return any(
        known.strict and poly.parallel(known.polynomial, length) for known in prover.facts.known
    )


def sign_of_ratio(prover: Prover, ratio: Ratio, depth: int) -> int | None:
    """2 (> 0) or 1 (>= 0 where it is defined) if that can be proved, else None."""
    below = [prover.sign(dict(key)) for key in ratio.below]
    if any(sign is None or sign <= 0 for sign in below):
        return None
    for strict in (True, False):
        if prover.proves(ratio.top, strict, depth - 1):
            return 2 if strict and 1 not in below else 1
    return None


def by_factors(prover: Prover, polynomial: Polynomial, strict: bool, depth: int) -> bool:
    """A product is positive when an even number of its factors is negative.

    Sound because the factors multiply to the polynomial exactly, each sign is proved by itself, and
    an even power of something is >= 0 without a proof (> 0 only if it is known not to be 0).
    """
    coefficient, monomial, factors = prover.algebra.factors(polynomial)
    parts: list[tuple[Polynomial, Exponent]] = [
        (poly.generator(index), exponent) for index, exponent in monomial
    ]
    parts += [(dict(key), power) for key, power in factors.items()]
    if len(parts) == 1 and parts[0][1] == 1 and len(factors) == 1:
        return False
    sign = 1 if coefficient > 0 else -1
    sure = True
    for part, power in parts:
        even = not isinstance(power, Fraction) and power % 2 == 0
        if even and not strict:
            continue
        known = prover.sign(part)
        if known is None:
            return False
        if known < 0 and not even:
            sign = -sign
        sure = sure and (abs(known) == 2 or power < 0)
        if known == 0:
            return not strict
    return sign > 0 and (sure or not strict)


def by_combination(prover: Prover, polynomial: Polynomial, strict: bool, depth: int) -> bool:
    """A sum of hypotheses, squares and lemmas times positive monomials.

    Sound because every brick is >= 0 in the present case, the factors found are >= 0, and the sum
    is compared with the polynomial in fractions; it is > 0 if a brick that is > 0 takes part.
    """
    return combined(prover, polynomial, strict, False)


def by_combination_of_products(
    prover: Prover, polynomial: Polynomial, strict: bool, depth: int
) -> bool:
    """The same with products of two hypotheses.

    Sound because a product of two numbers >= 0 is >= 0 (> 0 if both are), so products are bricks.
    """
    return combined(prover, polynomial, strict, True)


def by_odds(prover: Prover, polynomial: Polynomial, strict: bool, depth: int) -> bool:
    """p in (0, 1) is t/(1 + t) with t > 0: all coefficients may then be positive.

    Sound because p -> t is one to one from (0, 1) onto (0, inf), and the factor (1 + t)**degree
    that clears the denominators is > 0. Polya's factor 1 + sum of the t is > 0 as well. p = 0 is
    t = 0; p = 1 is a limit, taken only for >= and without hypotheses, where continuity is enough.
    """
    algebra = prover.algebra
    changed = polynomial
    found = False
    for index in poly.indices_in(polynomial):
        made = algebra.generators[index]
        lower, upper, lower_open, upper_open = prover.facts.range_of(index)
        if lower != 0 or upper != 1 or made.kind not in ("var", "Phi"):
            continue
        if not upper_open and (strict or prover.facts.known):
            continue  # p = 1 has no odds; it is reached by continuity only
        parts = poly.by_powers(changed, index)
        if any(isinstance(power, Fraction) or power < 0 for power in parts):
            return False
        if any(
            str(made.key) in algebra.generators[other].depends
            for other in poly.indices_in(changed)
            if other != index
        ):
            return False
        degree = int(max(parts))
        name = f"odds of {index}"
        algebra.flags[name] = (lower_open, True, "")
        odds = algebra.variable(name)
        changed = {}
        for power, rest in parts.items():
            binomial = algebra.power_polynomial({(): 1, ((odds, 1),): 1}, degree - int(power))
            term = poly.shift(binomial, ((odds, power),) if power else ())
            changed = poly.add(changed, poly.multiply(term, rest, algebra.work))
        found = True
    if not found:
        return False
    sign = algebra.plain_sign(changed)
    if sign is not None:
        return sign == 2 or (sign >= 0 and not strict)
    if depth <= 0:
        return False
    for _ in range(3):  # Polya: a positive polynomial gets positive coefficients
        factor: Polynomial = {(): 1}
        for index in poly.indices_in(changed):
            if algebra.is_positive_generator(index):
                factor = poly.add(factor, poly.generator(index))
        grown = algebra.times(changed, factor)
        sign = algebra.plain_sign(grown)
        if sign is not None:
            return sign == 2 or (sign >= 0 and not strict)
        if len(grown) > 300:
            break
    return prover.proves(changed, strict, depth - 1)


def by_squaring(prover: Prover, polynomial: Polynomial, strict: bool, depth: int) -> bool:
    """a >= b follows from a >= 0 and a**2 >= b**2; a has the roots.

    Sound because a < b with a >= 0 would make b positive and a**2 < b**2; likewise for >.
    """
    algebra = prover.algebra
    if depth < -1:
        return False
    rooted = any(
        algebra.generators[index].kind == "root" or isinstance(exponent, Fraction)
        for monomial in polynomial
        for index, exponent in monomial
    )
    if not rooted:
        return False
    for only_roots in (True, False):
        high: Polynomial = {}
        low: Polynomial = {}
        for monomial, coefficient in polynomial.items():
            has_root = any(
                algebra.generators[i].kind == "root" or isinstance(e, Fraction) for i, e in monomial
            )
            if coefficient > 0 and (
                has_root if only_roots else has_root or algebra.monomial_sign(monomial) is not None
            ):
                high[monomial] = coefficient
            else:
                low[monomial] = -coefficient
        if not high or not low or len(high) * len(high) > 400:
            continue
        difference = poly.add(algebra.times(high, high), algebra.times(low, low), -1)
        if prover.looks(difference) == -1:
            continue
        if prover.proves(difference, strict, depth - 1) and prover.proves(high, False, depth - 1):
            return True
    return False


def by_exponentials(prover: Prover, polynomial: Polynomial, strict: bool, depth: int) -> bool:
    """sum c_i log f_i + u >= 0 says that the product of f_i**c_i and exp(u) is >= 1.

    Sound because exp grows strictly, so both sides of x >= y may be exponentiated; each f_i is
    known to be > 0, and a denominator is cleared only when its sign is proved to be +.
    """
    algebra = prover.algebra
    logs = {i for i in poly.indices_in(polynomial) if algebra.generators[i].kind == "log"}
    if not logs:
        return False
    denominator = 1
    for coefficient in polynomial.values():
        denominator = max(denominator, Fraction(coefficient).denominator)
    if denominator > 12:
        return False
    up, down = Ratio({(): 1}), Ratio({(): 1})
    rest: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        power = Fraction(coefficient) * denominator
        if len(monomial) == 1 and monomial[0][0] in logs and monomial[0][1] == 1:
            if power.denominator != 1 or abs(power) > (4, 8)[prover.effort]:
                return False
            inside = size(prover, monomial[0][0])
            if inside is None:
                return False
            raised = algebra.power(Ratio(inside), abs(int(power)))
            if power > 0:
                up = algebra.multiply(up, raised)
            else:
                down = algebra.multiply(down, raised)
        elif any(index in logs for index, _ in monomial):
            return False
        else:
            rest[monomial] = power
    up = algebra.multiply(up, prover.functions.exp(Ratio(rest)))
    difference = algebra.subtract(up, down)
    if any(prover.sign(dict(key)) != 2 for key in difference.below):
        return False
    return prover.proves(difference.top, strict, depth - 1)


def by_growth(prover: Prover, polynomial: Polynomial, strict: bool, depth: int) -> bool:
    """a exp(u) - b exp(v) >= 0 says that log a + u >= log b + v.

    Sound because log grows strictly, a and b are positive numbers, and exp(u), exp(v) are > 0.
    """
    algebra = prover.algebra
    if len(polynomial) != 2:
        return False
    sides: dict[bool, Ratio] = {}
    for monomial, coefficient in polynomial.items():
        if any(algebra.generators[index].kind != "exp" for index, _ in monomial):
            return False
        exponent = prover.functions.log_of_number(abs(Fraction(coefficient)))
        for index, power in monomial:
            inside = algebra.generators[index].inside
            assert inside is not None
            exponent = algebra.add(exponent, Ratio(poly.scale(inside.top, power), inside.below))
        sides[coefficient > 0] = exponent
    if len(sides) != 2:
        return False
    difference = algebra.subtract(sides[True], sides[False])
    if any(prover.sign(dict(key)) != 2 for key in difference.below):
        return False
    return prover.proves(difference.top, strict, depth - 1)


def by_discriminant(prover: Prover, polynomial: Polynomial, strict: bool, depth: int) -> bool:
    """a x**2 + b x + c >= 0 for all x when a >= 0, c >= 0 and 4 a c >= b**2.

    Sound for any real x: if a > 0, 4 a (a x**2 + b x + c) = (2 a x + b)**2 + (4 a c - b**2); if
    a == 0, then b**2 <= 0, so that b == 0 and c is left. With > throughout the result is > 0.
    """
    algebra = prover.algebra
    if depth < -1 or len(polynomial) > 80:
        return False
    for index in poly.indices_in(polynomial):
        made = algebra.generators[index]
        if made.relation or made.kind not in ("var", "exp"):
            continue
        parts = poly.by_powers(polynomial, index)
        if not {1, 2} <= parts.keys() <= {0, 1, 2}:
            continue
        a, b, c = parts[2], parts[1], parts.get(0, {})
        difference = poly.add(poly.scale(algebra.times(a, c), 4), algebra.times(b, b), -1)
        if (
            prover.looks(difference) != -1
            and prover.proves(difference, strict, depth - 1)
            and prover.proves(a, False, depth - 1)
            and prover.proves(c, strict, depth - 1)
        ):
            return True
    return False


QUICK: tuple[Way, ...] = (
    by_one_generator,
    by_form,
    by_factors,
    by_exponentials,
    by_growth,
    by_combination,
    by_odds,
    by_squaring,
)
THOROUGH: tuple[Way, ...] = (by_combination_of_products, by_discriminant)
