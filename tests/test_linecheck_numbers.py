"""The numbers behind the verdicts: enclosures, derivatives, kinks, signs on an interval."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linecheck import verdict
from linecheck.judge.verdicts import Status
from tests.reference_evaluator import Reference

XY = {"x y": "real"}
few = settings(max_examples=20)
FUNCTIONS = ("exp({})", "Phi({})", "sigma({})", "log(1 + {}**2)", "sqrt({}**2 + 1/9)**-3",
             "Phi_inv(1/(2 + {}**2))", "abs({})**(1/3)", "tanh({})")  # fmt: skip


def lies_at(text: str, exact: mpmath.mpf, digits: int) -> None:
    """The verdicts place a number between its neighbours with so many digits."""
    floor = Fraction(int(mpmath.floor(exact * 10**digits)), 10**digits)
    low, high = floor - Fraction(1, 10**digits), floor + Fraction(2, 10**digits)
    for relation, end in ((">", low), ("<", high)):
        assert verdict(text, str(end), XY, relation).status is Status.PROVED
    for relation, end in (("<=", low), (">=", high)):
        assert verdict(text, str(end), XY, relation).status is Status.REFUTED


@few
@given(
    st.fractions(min_value=-30, max_value=30, max_denominator=1000),
    st.sampled_from(FUNCTIONS),
    st.integers(3, 40),
)
def test_a_number_is_known_to_many_digits(x: Fraction, function: str, digits: int) -> None:
    text = function.format(f"({x})")
    with mpmath.workdps(120):
        lies_at(text, Reference({}).line(text), digits)


def random_function(rng: random.Random, depth: int) -> str:
    """A smooth function of x and y."""
    if depth == 0:
        return rng.choice(["x", "y", str(rng.randint(1, 3))])
    a, b = (random_function(rng, depth - 1) for _ in range(2))
    square = f"(1 + ({a})**2)"
    return rng.choice(
        [f"({a} + {b})", f"({a})*({b})", f"exp(({a})/3)", f"log({square})", f"sqrt({square})",
         f"({b})/{square}", f"{square}**(({b})/4)", f"Phi({a})"]
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_a_derivative_has_the_value_of_its_finite_differences(seed: int) -> None:
    rng = random.Random(seed)
    slope = f"diff({random_function(rng, 3)}, x)"
    x, y = Fraction(rng.randint(-9, 9), 7), Fraction(rng.randint(-9, 9), 8)
    text = f"subs({slope}, {{x: {x}, y: {y}}})"
    lies_at(text, Reference({}).line(text), 20)


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


def polynomial(coefficients: list[int], x: str) -> str:
    return " + ".join(f"({c})*{x}**{k}" for k, c in enumerate(coefficients))


@few
@given(st.lists(st.integers(-4, 4), min_size=2, max_size=6), st.integers(-3, 2), st.integers(1, 4))
def test_the_sign_of_a_polynomial_on_an_interval_agrees_with_many_points(
    coefficients: list[int], low: int, length: int
) -> None:
    domain = {"x": f"interval {low} {low + length}"}
    p = np.polynomial.Polynomial(coefficients)
    least = min(p(np.linspace(low, low + length, 4001)))
    found = verdict(polynomial(coefficients, "x"), "0", domain, ">=").status
    assert found is not (Status.REFUTED if least > 1e-3 else Status.PROVED if least < 0 else None)
    shifted = polynomial([coefficients[0] + 1 - int(np.floor(least)), *coefficients[1:]], "x")
    assert verdict(shifted, "0", domain, ">").status is Status.PROVED


def test_a_double_root_keeps_the_sign_and_a_single_one_does_not() -> None:
    double = "(x - 1)**2*(x + 2)"
    assert verdict(double, "0", {"x": "nonnegative"}, ">=").status is Status.PROVED
    assert verdict(double, "0", {"x": "nonnegative"}, ">").status is Status.REFUTED
    assert verdict(double, "0", {"x": "interval -3 5"}, ">=").status is Status.REFUTED
    between = "x*(4 - x)*(x - 2)**2*(x**2 - x + 1)"  # single roots at the ends do not count
    assert verdict(between, "0", {"x": "interval 0 4"}, ">=").status is Status.PROVED


@few
@given(*[st.lists(st.integers(-3, 3), min_size=1, max_size=3)] * 2)
def test_a_product_divides_back_into_its_factors(a: list[int], b: list[int]) -> None:
    factor, other = polynomial(a, "x"), f"({polynomial(b, 'y')} + x*y)"
    product = str.join(" + ", [f"({c})*x**{k}*{other}" for k, c in enumerate(a)])
    positive = f"(1 + ({factor})**2)"
    for lhs, rhs in (
        (product, f"({factor})*{other}"),
        (f"({product})**2", f"(({factor})*{other})**2"),
        (f"({product})*{positive}/{positive}", product),
    ):
        assert verdict(lhs, rhs, XY).status is Status.PROVED
