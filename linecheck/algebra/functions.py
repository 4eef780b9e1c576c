"""exp, log, roots and the normal distribution of quotients.

exp(a + b) = exp(a) exp(b) and log|a b| = log|a| + log|b| are built in. Generators for logarithms
stand for log|f|, so that products need no signs.
"""

from __future__ import annotations

from fractions import Fraction

from linecheck.algebra import polynomials as poly
from linecheck.algebra.polynomials import (
    Coefficient,
    Exponent,
    Key,
    Monomial,
    Polynomial,
    key_of,
)
from linecheck.algebra.ratios import (
    ONE,
    ZERO,
    Algebra,
    Generator,
    NoNormalFormError,
    Ratio,
    SplitError,
    number,
    plain_exponent,
    short,
)
from linecheck.algebra.signs import Signs

LARGEST_PRIME = 2000


class Functions:
    """The functions of one number."""

    def __init__(self, algebra: Algebra, signs: Signs) -> None:
        self.algebra = algebra
        self.signs = signs

    def exp(self, a: Ratio) -> Ratio:
        """exp of a sum is the product of the exps of its terms."""
        algebra = self.algebra
        below = tuple(sorted(a.below.items()))
        result = ONE
        monomials: Polynomial = {(): 1}
        for monomial, coefficient in a.top.items():
            two_valued = algebra.two_valued({monomial: 1})
            if two_valued is not None:
                part = Ratio({monomial: coefficient}, a.below)
                result = algebra.multiply(result, algebra.by_values(two_valued, part, self.exp))
                continue
            if not below:
                made = self.exp_of_log(monomial, coefficient)
                if made is not None:
                    result = algebra.multiply(result, made)
                    continue
            index = self.exponential(monomial, below)
            monomials = poly.shift(monomials, ((index, short(Fraction(coefficient))),))
        return algebra.multiply(result, Ratio(algebra.reduce(monomials)))

    def exp_of_log(self, monomial: Monomial, coefficient: Coefficient) -> Ratio | None:
        """exp(c log|f|) is |f|**c."""
        algebra = self.algebra
        if len(monomial) != 1 or monomial[0][1] != 1:
            return None
        made = algebra.generators[monomial[0][0]]
        if made.kind != "log":
            return None
        assert made.inside is not None
        inside = self.signs.absolute(made.inside)
        exponent = Fraction(coefficient)
        if exponent.denominator == 1:
            return algebra.power(inside, int(exponent))
        return self.root(inside, exponent)

    def exponential(self, monomial: Monomial, below: tuple[tuple[Key, int], ...]) -> int:
        algebra = self.algebra
        inside = Ratio({monomial: 1}, dict(below))
        return algebra.generator(
            "exp",
            (monomial, below),
            lambda: Generator(
                "exp",
                (monomial, below),
                lambda: algebra.graph.call("exp", algebra.node_of(inside)),
                True,
                True,
                depends=algebra.ratio_depends(inside),
                inside=inside,
            ),
        )

    def log(self, a: Ratio) -> Ratio:
        """log|a| from the factors of a."""
        algebra = self.algebra
        if not a.top:
            raise NoNormalFormError("logarithm of 0")
        coefficient, monomial, factors = algebra.factors(a.top)
        total = self.log_of_number(abs(Fraction(coefficient)))
        for index, exponent in monomial:
            total = algebra.add(
                total, algebra.multiply(number(exponent), self.log_of_generator(index))
            )
        for key, power in factors.items():
            two_valued = algebra.two_valued(dict(key))
            if two_valued is None:
                part = Ratio({((self.log_of_factor(dict(key)), 1),): power})
            else:
                part = algebra.by_values(two_valued, Ratio(dict(key)), self.log)
                part = algebra.multiply(number(power), part)
            total = algebra.add(total, part)
        for key, power in a.below.items():
            total = algebra.add(total, Ratio({((self.log_of_factor(dict(key)), 1),): -power}))
        return total

    def log_of_number(self, value: Fraction) -> Ratio:
        total = ZERO
        for part, sign in ((value.numerator, 1), (value.denominator, -1)):
            for prime, power in _prime_powers(part):
                index = self.log_of_factor({(): prime})
                total = self.algebra.add(total, Ratio({((index, 1),): sign * power}))
        return total

    def log_of_generator(self, index: int) -> Ratio:
        algebra = self.algebra
        made = algebra.generators[index]
        if made.kind == "exp":
            assert made.inside is not None
            return made.inside
        if made.kind == "prime":
            assert isinstance(made.key, int)
            return self.log_of_number(Fraction(made.key))
        if made.kind == "root":
            part = self.log(Ratio(made.radicand))
            return algebra.multiply(number(Fraction(1, made.degree)), part)
        if made.relation == "sign":
            return ZERO
        return algebra.plain(self.log_of_factor(poly.generator(index)))

    def log_of_factor(self, factor: Polynomial) -> int:
        algebra = self.algebra
        key = key_of(factor)
        inside = Ratio(factor)
        return algebra.generator(
            "log",
            key,
            lambda: Generator(
                "log",
                key,
                lambda: algebra.graph.call(
                    "log", algebra.graph.call("abs", algebra.node_of(inside))
                ),
                positive=len(factor) == 1 and () in factor,  # log 2, log 3, ...
                nonnegative=len(factor) == 1 and () in factor,
                depends=algebra.depends(factor),
                inside=inside,
            ),
        )

    def root(self, a: Ratio, exponent: Fraction) -> Ratio:
        """a ** exponent for a >= 0, factor by factor."""
        algebra = self.algebra
        if not a.top:
            return ZERO
        coefficient, monomial, factors = algebra.factors(a.top)
        parts: list[tuple[Polynomial, Exponent]] = []
        for index, power in monomial:
            parts.append((poly.generator(index), power))
        parts += [(dict(key), power) for key, power in factors.items()]
        parts += [(dict(key), -power) for key, power in a.below.items()]
        result = self.root_of_number(abs(Fraction(coefficient)), exponent)
        total_sign = 1 if coefficient > 0 else -1
        unsure: list[tuple[Polynomial, Exponent]] = []
        strict = True  # every other factor is surely not 0
        for part, power in parts:
            sign = algebra.sign(part)
            if sign == 0:
                return ZERO
            if sign is not None:
                strict = strict and (abs(sign) == 2 or power < 0)
                if sign < 0 and power % 2 != 0:
                    total_sign = -total_sign
                positive = part if sign > 0 else poly.scale(part, -1)
                result = algebra.multiply(result, self.root_of_part(positive, power * exponent))
            elif power % 2 == 0:
                raised = power * exponent
                if Fraction(raised).denominator != 1 or raised % 2 != 0:
                    raise SplitError(part, "closed")
                result = algebra.multiply(result, algebra.power(Ratio(part), int(raised)))
            else:
                two_valued = algebra.two_valued(part)
                if two_valued is not None:
                    return algebra.by_values(two_valued, a, lambda one: self.root(one, exponent))
                unsure.append((part, power))
        if not unsure and total_sign < 0:
            return ZERO  # a <= 0 and a >= 0
        if len(unsure) > 1 or (unsure and not strict):
            raise SplitError(unsure[0][0], "closed")
        for part, power in unsure:  # the whole is >= 0, so this factor has the remaining sign
            positive = part if total_sign > 0 else poly.scale(part, -1)
            result = algebra.multiply(result, self.root_of_part(positive, power * exponent))
        return result

    def root_of_part(self, part: Polynomial, exponent: Exponent) -> Ratio:
        """part ** exponent for a part that is >= 0."""
        algebra = self.algebra
        exponent = Fraction(exponent)
        if exponent.denominator == 1:
            return algebra.power(Ratio(part), int(exponent))
        if len(part) == 1:
            ((monomial, coefficient),) = part.items()
            if coefficient > 0 and all(
                algebra.generators[index].relation in ("", "prime", "root") for index, _ in monomial
            ):
                result = self.root_of_number(Fraction(coefficient), exponent)
                for index, power in monomial:
                    made = algebra.generators[index]
                    raised = power * exponent
                    if made.relation == "root":
                        inner = self.root_of_part(made.radicand, raised / made.degree)
                        result = algebra.multiply(result, inner)
                    else:
                        one = Ratio(algebra.reduce({((index, plain_exponent(raised)),): 1}))
                        result = algebra.multiply(result, one)
                return result
        degree = exponent.denominator
        key = (key_of(part), degree)
        radicand = dict(part)
        index = algebra.generator(
            "root",
            key,
            lambda: Generator(
                "root",
                key,
                lambda: algebra.graph.pow(
                    algebra.node_of(Ratio(radicand)),
                    algebra.graph.num(Fraction(1, degree)),
                ),
                nonnegative=True,
                relation="root",
                radicand=radicand,
                degree=degree,
                depends=algebra.depends(radicand),
                inside=Ratio(radicand),
            ),
        )
        return self.generator_power_reduced(index, exponent.numerator)

    def generator_power_reduced(self, index: int, exponent: int) -> Ratio:
        algebra = self.algebra
        if exponent < 0:
            return algebra.generator_power(index, exponent)
        return Ratio(algebra.reduce({((index, exponent),): 1}))

    def root_of_number(self, value: Fraction, exponent: Fraction) -> Ratio:
        algebra = self.algebra
        result = ONE
        for part, sign in ((value.numerator, 1), (value.denominator, -1)):
            for prime, power in _prime_powers(part):
                index = self.prime(prime)
                raised = plain_exponent(sign * power * exponent)
                one = Ratio(algebra.reduce({((index, raised),): 1}))
                result = algebra.multiply(result, one)
        return result

    def prime(self, prime: int) -> int:
        algebra = self.algebra
        return algebra.generator(
            "prime",
            prime,
            lambda: Generator(
                "prime", prime, lambda: algebra.graph.num(prime), True, True, "prime"
            ),
        )

    def normal(self, a: Ratio) -> Ratio:
        """Phi(a), with Phi(-a) = 1 - Phi(a)."""
        algebra = self.algebra
        if not a.top:
            return number(Fraction(1, 2))
        inverse = self.single(a, "Phi_inv")
        if inverse is not None:
            sign, made = inverse
            assert made.inside is not None
            return made.inside if sign > 0 else algebra.subtract(ONE, made.inside)
        if poly.leading(a.top)[1] < 0:
            return algebra.subtract(ONE, self.normal(algebra.negative(a)))
        return algebra.plain(self.opaque("Phi", a))

    def normal_inverse(self, a: Ratio) -> Ratio:
        """Phi_inv(a), with Phi_inv(1 - a) = -Phi_inv(a)."""
        algebra = self.algebra
        other = algebra.subtract(ONE, a)
        if a.key == other.key:
            return ZERO
        for one, sign in ((a, 1), (other, -1)):
            made = self.single(one, "Phi")
            if made is not None and made[0] > 0:
                inside = made[1].inside
                assert inside is not None
                return inside if sign > 0 else algebra.negative(inside)
        if str(other.key) < str(a.key):
            return algebra.negative(algebra.plain(self.opaque("Phi_inv", other)))
        return algebra.plain(self.opaque("Phi_inv", a))

    def single(self, a: Ratio, kind: str) -> tuple[int, Generator] | None:
        """(sign, generator) when a is plus or minus one generator of a kind."""
        if len(a.top) != 1 or a.below:
            return None
        ((monomial, coefficient),) = a.top.items()
        if len(monomial) != 1 or monomial[0][1] != 1 or abs(coefficient) != 1:
            return None
        made = self.algebra.generators[monomial[0][0]]
        return (int(coefficient), made) if made.kind == kind else None

    def opaque(self, kind: str, a: Ratio) -> int:
        algebra = self.algebra
        return algebra.generator(
            kind,
            a.key,
            lambda: Generator(
                kind,
                a.key,
                lambda: algebra.graph.call(kind, algebra.node_of(a)),
                kind == "Phi",
                kind == "Phi",
                depends=algebra.ratio_depends(a),
                inside=a,
            ),
        )


def _prime_powers(value: int) -> list[tuple[int, int]]:
    """Prime factors up to a bound; what is left counts as one factor."""
    found: list[tuple[int, int]] = []
    candidate = 2
    while candidate * candidate <= value and candidate <= LARGEST_PRIME:
        power = 0
        while value % candidate == 0:
            value //= candidate
            power += 1
        if power:
            found.append((candidate, power))
        candidate += 1
    if value > 1:
        found.append((value, 1))
    return found
