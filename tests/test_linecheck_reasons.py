"""Why a line is true: the reason of PROVED, whose formulas are computed again in Python."""

from __future__ import annotations

import math
import re

import pytest

from linecheck import Derivation, verdict
from linecheck.judge.verdicts import Status

POINT = {"a": 0.7, "b": 1.9, "p": 0.35, "x": -1.3, "y": 2.6, "n": 3.0}
SYMBOLS = {"a b": "positive", "p": "probability", "x y": "real", "n": "nonnegative"}


def number(formula: str) -> float:
    """A formula as it stands on paper, at the point."""
    formula = re.sub(r"\|([^|]*)\|", r"abs(\1)", formula.replace("√", "sqrt"))
    powers = re.sub("[⁰¹²³⁴-⁹]", lambda m: f"**{'⁰¹²³⁴⁵⁶⁷⁸⁹'.index(m[0])}", formula)
    return float(eval(re.sub(r"(?<=[\w)]) (?=[\w(])", "*", powers), vars(math) | POINT))


@pytest.mark.parametrize(
    ("lhs", "relation", "rhs"),
    [
        ("a*b", "<=", "(a**2 + b**2)/2"),
        ("p*x**2 + (1 - p)*y**2", ">=", "(p*x + (1 - p)*y)**2"),
        ("p**3", "<=", "p**2"),
        ("b + 1/b", ">=", "2"),
        ("sqrt(a*b)", "<=", "(a + b)/2"),
        ("exp(x)/(1 + exp(x))**2", ">", "0"),
        ("exp(x)", ">=", "1 + x"),
        ("abs(x)*a", ">=", "0"),
        ("x**2 + 2*x*y + 2*y**2 + n", ">=", "0"),
    ],
)
def test_the_difference_that_is_shown_is_the_difference(lhs: str, relation: str, rhs: str) -> None:
    found = verdict(lhs, rhs, {n: d for ns, d in SYMBOLS.items() for n in ns.split()}, relation)
    told = re.match(r"(left|right) - \w+ = (.*) [≥>] 0$", found.reason.splitlines()[0])
    assert told, found
    gap = number(lhs) - number(rhs) if told[1] == "left" else number(rhs) - number(lhs)
    assert number(told[2]) == pytest.approx(gap, rel=1e-9)


@pytest.mark.parametrize(
    ("lhs", "relation", "rhs", "told"),
    [
        ("(a + b)**2", "==", "a**2 + 2*a*b + b**2", "the same after expanding"),
        ("log(a*b)", "==", "log(a) + log(b)", "log(a b) = log a + log b"),
        ("p*log(a/p)", "<=", "a - p", "log u ≤ u - 1 at u = a/p"),
        ("exp(-x)", ">=", "1 - x", "exp u ≥ 1 + u at u = -x"),
        ("exp(x) + exp(-x)", ">=", "2 + x**2", "convex in x, and flat at x = 0"),
        ("a*log(a)", ">=", "-1/e", "log u ≤ u - 1 at u = exp(-1)/a"),
        ("abs(x + y)", "<=", "abs(x) + abs(y)", "in the cases"),
        ("sqrt(a)", "<=", "a + 1/4", "their squares compare so"),
        ("Phi(x) + Phi(y)", "<", "2", "Φ grows, from 0 to 1"),
        ("sum(i, i, 1, N)", "==", "N*(N + 1)/2", "written out for N = 1, 2, 3, 4"),
    ],
)
def test_the_rule_behind_a_proof_is_named(lhs: str, relation: str, rhs: str, told: str) -> None:
    names = {n: d for ns, d in SYMBOLS.items() for n in ns.split()}
    found = verdict(lhs, rhs, {**names, "N": "size"}, relation)
    assert found.status is Status.PROVED
    assert told in found.reason
    assert len(found.reason.splitlines()) <= 2


def test_a_derivation_says_why_a_line_is_true_when_it_is_asked_and_under_the_mouse() -> None:
    d = Derivation("Means", a="real", b="real").line("(a - b)**2").line("a**2 + b**2 - 2*a*b")
    assert (d.reason(1), d.reason(2)) == ("", "the same after expanding")
    assert "The proof: the same after expanding" in d._repr_markdown_()
    with pytest.raises(ValueError, match="from 1 to 2"):
        d.reason(3)
