"""Partial operations, integers and jumps: lines on which the checker once said something wrong."""

from __future__ import annotations

import pytest

from linecheck import verdict
from linecheck.judge.verdicts import Status

MAY_BE_0 = {
    "x": "nonnegative",
    "a b": "positive",
    "c": "real",
    "d": "nonpositive",
    "p": "interval 1/2 1",
    "q": "closed probability",
}


@pytest.mark.parametrize(
    ("lhs", "relation", "rhs"),
    [
        ("x**a", "==", "x**a"),
        ("x**a*x**b", "==", "x**(a + b)"),
        ("0**a", "==", "0"),
        ("q**a", "<=", "1"),
        ("x**a", ">=", "0"),
        ("(1 - p)**a*log(p)", "<=", "0"),
        ("(x*q)**a", "==", "x**a*q**a"),
        ("a**c*a**-c", "==", "1"),
        ("c**2/(1 + c**2)", "<", "1"),
    ],
)
def test_zero_to_a_positive_power_is_zero(lhs: str, relation: str, rhs: str) -> None:
    assert verdict(lhs, rhs, MAY_BE_0, relation).told == "PROVED"


@pytest.mark.parametrize(
    ("lhs", "relation", "rhs"),
    [
        ("x**c", "==", "x**c"),
        ("x**d", ">=", "0"),
        ("x**-2", ">=", "0"),
        ("c**a", "==", "c**a"),
        ("(-a)**b", "==", "(-a)**b"),
        ("x**(a - b)", "==", "x**a/x**b"),
        ("x**a/x**a", "==", "1"),
    ],
)
def test_zero_to_another_power_and_a_power_of_less_are_undefined(
    lhs: str, relation: str, rhs: str
) -> None:
    assert verdict(lhs, rhs, MAY_BE_0, relation).status is Status.DOMAIN


@pytest.mark.parametrize(
    ("lhs", "relation", "rhs"), [("x**a", ">", "0"), ("x**a", "==", "exp(a*log(x + 1))")]
)
def test_what_is_false_at_zero_is_caught(lhs: str, relation: str, rhs: str) -> None:
    assert verdict(lhs, rhs, MAY_BE_0, relation).status is Status.REFUTED


def test_a_divisor_that_is_0_outside_the_domain_alone_is_no_trap() -> None:
    divisor = "(x**3 + exp(x) - 1)"
    found = verdict(f"{divisor}/{divisor}", "1", {"x": "nonzero"})
    assert found.status not in (Status.REFUTED, Status.DOMAIN), found


def test_a_label_to_a_power_that_is_supposed_to_be_positive_is_the_label() -> None:
    found = verdict("l**x", "l", {"l": "label01", "x": "real"}, given=["x > 0"])
    assert found.status is Status.PROVED


def test_a_hypothesis_about_a_power_does_not_hide_zero() -> None:
    found = verdict("x", "0", MAY_BE_0, ">", given="x**a <= 1")
    assert found.status is Status.REFUTED
    assert found.witness is not None
    assert dict(found.witness.point)["x"] == "0"


@pytest.mark.parametrize(
    ("lhs", "given"),
    [("n*(n + 1)", "k == 2*n"), ("n*(n - 1)", "n == 2*k"), ("k*(k + 2)", "k == 2*n"),
     ("n*(n + 1)", "2*n + 3*k == 1")],
)  # fmt: skip
def test_integers_stay_integers_when_a_hypothesis_replaces_them(lhs: str, given: str) -> None:
    found = verdict(lhs, "0", {"n k": "integer"}, ">=", given=given)
    assert found.status not in (Status.REFUTED, Status.DOMAIN), found
    assert not verdict(lhs, "1", {"n k": "integer"}, ">=", given=given).holds


@pytest.mark.parametrize(
    "line", ["indicator(x**3 == x + 1)", "indicator(exp(x) == 3*x)", "1 - sign(x**3 - x - 1)**2"]
)
def test_an_equation_that_may_fail_at_one_irrational_point_is_undecided(line: str) -> None:
    assert not verdict(line, "0", {"x": "real"}).holds


@pytest.mark.parametrize(
    ("lhs", "rhs"),
    [
        ("(eye(N) - ones(N, N)/N) @ ones(N)", "zeros(N)"),
        ("sum(k*factorial(k), k, 1, N)", "factorial(N + 1) - 1"),
        ("sum(binomial(N, k), k, 0, N)", "2**N"),
    ],
)
def test_larger_sizes_than_are_handled_do_not_make_a_line_invalid(lhs: str, rhs: str) -> None:
    found = verdict(lhs, rhs, {"N": "size"})
    assert (found.status, found.holds) == (Status.PROVED, True)
