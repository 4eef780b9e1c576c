"""The numbers behind the verdicts: intervals, derivatives, roots, sums of known inequalities."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import libmp

from lectures_lib.proofs import Status, verdict
from lectures_lib.proofs.algebra.polynomials import Work, divide_exactly, multiply, square_root
from lectures_lib.proofs.algebra.univariate import derivative, keeps_sign, value
from lectures_lib.proofs.expand.graph import Graph, Node
from lectures_lib.proofs.prove.combine import combination, nonnegative_least_squares
from lectures_lib.proofs.search import interval as iv
from lectures_lib.proofs.search.evaluate import Evaluator, one_sided

rationals = st.fractions(min_value=-50, max_value=50, max_denominator=1000)
positives = st.fractions(min_value=Fraction(1, 1000), max_value=50, max_denominator=1000)
few = settings(max_examples=60, deadline=None)


def surrounds(found: iv.Number, exact: mpmath.mpf) -> bool:
    """Whether the interval contains a number that is known to many more digits."""
    box = iv.enclose(found, 4000)
    low, high = mpmath.mp.make_mpf(box.low), mpmath.mp.make_mpf(box.high)
    return bool(low <= exact <= high)


@few
@given(rationals, st.sampled_from([40, 90, 250]))
def test_intervals_contain_exp_and_phi(x: Fraction, bits: int) -> None:
    with mpmath.mp.workprec(1200):
        exact = mpmath.mpf(x.numerator) / x.denominator
        assert surrounds(iv.exp(x, bits), mpmath.exp(exact))
        assert surrounds(iv.normal(x, bits), mpmath.erfc(-exact / mpmath.sqrt(2)) / 2)


@few
@given(positives, st.sampled_from([40, 90, 250]))
def test_intervals_contain_log_root_and_power(x: Fraction, bits: int) -> None:
    with mpmath.mp.workprec(1200):
        exact = mpmath.mpf(x.numerator) / x.denominator
        assert surrounds(iv.log(x, bits), mpmath.log(exact))
        assert surrounds(iv.sqrt(x, bits), mpmath.sqrt(exact))
        assert surrounds(iv.power(iv.sqrt(x, bits), -3, bits), mpmath.sqrt(exact) ** -3)


@few
@given(st.fractions(Fraction(1, 10**6), 1 - Fraction(1, 10**6), max_denominator=10**7))
def test_the_inverse_normal_interval_contains_the_quantile(p: Fraction) -> None:
    box = iv.enclose(iv.normal_inverse(p, 90), 200)
    with mpmath.mp.workprec(400):
        low, high = (mpmath.ncdf(mpmath.mp.make_mpf(end)) for end in (box.low, box.high))
        exact = mpmath.mpf(p.numerator) / p.denominator
        assert low <= exact <= high


@few
@given(rationals, rationals, rationals)
def test_sums_and_products_of_intervals_contain_every_combination(
    x: Fraction, y: Fraction, z: Fraction
) -> None:
    def box(a: Fraction, b: Fraction) -> iv.Interval:
        low, high = sorted((a, b))
        return iv.Interval(iv.enclose(low, 60).low, iv.enclose(high, 60).high)

    a, b = box(x, y), box(y, z)
    for left in (x, y, (x + y) / 2):
        for right in (y, z, (y + z) / 2):
            for found, exact in (
                (iv.add(a, b, 50), left + right),
                (iv.mul(a, b, 50), left * right),
            ):
                assert iv.compare(found, exact) is None


def test_an_interval_narrows_with_the_precision() -> None:
    widths = []
    for bits in (50, 100, 200):
        box = iv.enclose(iv.exp(Fraction(7, 3), bits), bits)
        widths.append(mpmath.mp.make_mpf(libmp.mpf_sub(box.high, box.low)))
    assert widths[0] > widths[1] > widths[2]


# derivatives: the rules against finite differences and against dual numbers


def random_function(graph: Graph, rng: random.Random, depth: int) -> Node:
    """A smooth function of x and y."""
    if depth == 0:
        return rng.choice([graph.var("x"), graph.var("y"), graph.num(rng.randint(1, 3))])
    a, b = (random_function(graph, rng, depth - 1) for _ in range(2))
    square = graph.add((graph.one, graph.pow(a, graph.num(2))))
    return rng.choice(
        [
            graph.add((a, b)),
            graph.mul((a, b)),
            graph.call("exp", graph.div(a, graph.num(3))),
            graph.call("log", square),
            graph.sqrt(square),
            graph.div(b, square),
            graph.pow(square, graph.div(b, graph.num(4))),
            graph.call("Phi", a),
        ]
    )


def as_mpf(found: object) -> mpmath.mpf:
    if isinstance(found, Fraction):
        return mpmath.mpf(found.numerator) / found.denominator
    assert isinstance(found, iv.Interval)
    return mpmath.mp.make_mpf(found.low)


@pytest.mark.parametrize("seed", range(25))
def test_rules_finite_differences_and_dual_numbers_give_the_same_derivative(seed: int) -> None:
    rng = random.Random(seed)
    graph = Graph()
    function = random_function(graph, rng, 3)
    slope = graph.derivative(function, graph.var("x"))
    x, y = Fraction(rng.randint(-9, 9), 7), Fraction(rng.randint(-9, 9), 8)
    (by_rules,) = Evaluator([slope]).at({"x": x, "y": y}, 300)
    step = Fraction(1, 10**20)
    with mpmath.mp.workprec(600):
        ends = [
            as_mpf(Evaluator([function]).at({"x": x + h, "y": y}, 600)[0]) for h in (step, -step)
        ]
        numerical = (ends[0] - ends[1]) / (2 * as_mpf(step))
        assert abs(as_mpf(by_rules) - numerical) <= mpmath.mpf(10) ** -30 * (1 + abs(numerical))
        for side in (1, -1):
            dual = one_sided(function, "x", side, {"x": x, "y": y}, 300)
            assert dual is not None
            assert abs(as_mpf(dual[1]) - as_mpf(by_rules)) < mpmath.mpf(10) ** -40


@pytest.mark.parametrize(
    ("function", "slope", "status"),
    [
        ("abs(x)", "sign(x)", Status.DOMAIN),
        ("max(x, 0)", "indicator(x > 0)", Status.DOMAIN),
        ("x*abs(x)", "2*abs(x)", Status.PROVED),
        ("max(x, 0)**2", "2*max(x, 0)", Status.PROVED),
        ("max(x, 1) + min(x, 1)", "1", Status.PROVED),
        ("abs(x)**3", "3*x*abs(x)", Status.PROVED),
        ("indicator(x > 0)", "0", Status.DOMAIN),
        ("sign(x)", "0", Status.DOMAIN),
        ("sqrt(x**2)", "sign(x)", Status.DOMAIN),
        ("sign(indicator(x >= 2))", "0", Status.UNDECIDED),
        ("x*sqrt(x**2)", "2*abs(x)", Status.PROVED),
    ],
)
def test_at_a_kink_both_sides_decide_whether_there_is_a_derivative(
    function: str, slope: str, status: Status
) -> None:
    assert verdict(function, slope, {"x": "real"}, derivative="x").status == status


# polynomials in one variable


@few
@given(st.lists(st.integers(-4, 4), min_size=2, max_size=6), st.integers(-3, 2), st.integers(1, 4))
def test_the_sign_of_a_polynomial_on_an_interval_agrees_with_many_points(
    coefficients: list[int], lower: int, length: int
) -> None:
    p = [Fraction(c) for c in coefficients]
    a, b = Fraction(lower), Fraction(lower + length)
    sign = keeps_sign(p, a, b)
    values = [value(p, a + (b - a) * Fraction(k, 400)) for k in range(1, 400)]
    if sign is None:
        # between two sign changes there may be no grid point, but there is a root inside
        roots = np.roots([float(c) for c in reversed(coefficients)]) if any(coefficients) else []
        assert any(abs(r.imag) < 1e-6 and float(a) - 1e-6 < r.real < float(b) + 1e-6 for r in roots)
    elif sign > 0:
        assert min(values) > 0 if sign == 2 else min(values) >= 0
    elif sign < 0:
        assert max(values) < 0 if sign == -2 else max(values) <= 0
    else:
        assert not any(coefficients)


def test_a_double_root_keeps_the_sign_and_a_single_one_does_not() -> None:
    double = [Fraction(c) for c in (2, -3, 0, 1)]  # (x - 1)**2 (x + 2)
    assert keeps_sign(double, Fraction(0), None) == 1
    assert keeps_sign(double, Fraction(-3), None) is None
    assert derivative(double) == [-3, 0, 3]


# polynomials in several generators

Poly = dict[tuple[tuple[int, int], ...], int]
monomials = st.lists(st.integers(0, 2), min_size=3, max_size=3).map(
    lambda e: tuple((i, k) for i, k in enumerate(e) if k)
)
polynomials = st.dictionaries(monomials, st.integers(-3, 3).filter(bool), min_size=1, max_size=4)


@few
@given(polynomials, polynomials)
def test_a_product_divides_back_into_its_factors(a: Poly, b: Poly) -> None:
    product = multiply(a, b, Work(10**6))
    assert divide_exactly(product, b, Work(10**6)) == a
    square = square_root(multiply(a, a, Work(10**6)), Work(10**6))
    assert square in (a, {m: -c for m, c in a.items()})


def test_a_combination_adds_up_exactly_or_is_refused() -> None:
    x, y = ((0, 1),), ((1, 1),)
    xx, yy, xy = ((0, 2),), ((1, 2),), ((0, 1), (1, 1))
    square = {xx: 1, xy: -2, yy: 1}
    target = {xx: 3, xy: -6, yy: 4}
    found = combination(target, [square, {yy: 1}, {x: 1}, {y: 1}])
    assert found == [3, 1, 0, 0]
    assert combination({xx: 1, xy: -2, yy: Fraction(999, 1000)}, [square, {yy: 1}]) is None
    assert combination({x: -2}, [{x: 1}]) is None
    assert combination({x: -2}, [{x: 1}], free=1) == [-2]


def test_nonnegative_least_squares_meets_its_conditions() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        matrix, right = rng.normal(size=(8, 5)), rng.normal(size=8)
        x = nonnegative_least_squares(matrix, right)
        gradient = matrix.T @ (right - matrix @ x)
        assert x.min() >= 0
        assert gradient.max() < 1e-8
        assert abs(gradient @ x) < 1e-8
