"""What verdicts promise: witnesses fail, slips explain, hypotheses count, limits hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from linecheck import Verdict, verdict
from linecheck.judge.verdicts import Status, Witness
from tests.verdict_store import judged_once  # noqa: F401


@pytest.mark.parametrize(
    ("lhs", "rhs", "symbols", "point"),
    [
        ("x**2", "x", {"x": "real"}, {"x": "-1"}),
        ("sqrt(x**2)", "x", {"x": "real"}, {"x": "-1"}),
        ("x*y", "x", {"x": "real", "y": "real"}, {"x": "1", "y": "0"}),
        ("norm(v)", "sum(v)", {"v": "vector 2"}, {"v": "(1, 1)"}),
        ("1/(x - 3)", "1/(x - 3)", {"x": "real"}, {"x": "3"}),
        ("log(x)", "log(x)", {"x": "nonnegative"}, {"x": "0"}),
    ],
)
def test_a_witness_is_a_simple_point(
    lhs: str, rhs: str, symbols: dict[str, str], point: dict[str, str]
) -> None:
    found = verdict(lhs, rhs, symbols)
    assert found.witness is not None
    assert dict(found.witness.point) == point


SLIPS = [
    ("sign", "d/dw: (y - w*x)**2 == 2*x*(y - w*x)"),
    ("sign", "log(a/b) == log(a) + log(b)"),
    ("factor", "d/dw: w**2*x == w*x"),
    ("factor", "det(2*A) == 2*det(A)"),
    ("transposition", "d/dA: u @ A @ v == outer(v, u)"),
    ("transposition", "u @ A @ v == v @ A @ u"),
    ("lost chain rule", "d/dw: sigma(w*x) == sigma(w*x)*(1 - sigma(w*x))"),
    ("lost chain rule", "d/dw: exp(-w**2/2) == exp(-w**2/2)"),
    ("N for N_k", "sum(c, i, 1, 3)/Nk == 3*c/N"),
    ("lost log", "log(a*b) == a*b"),
    ("lost square", "norm(u)**2 == norm(u)"),
    ("lost square", "(x + y)**2 == x**2 + 2*x*y + y"),
    ("wrong index", "u[1] + u[2] == u[1] + u[1]"),
    ("missing 1/N", "mean(z) == sum(z)"),
]
SLIP_SYMBOLS = {
    "w": "real", "x": "real", "y": "real", "c": "real", "a": "positive", "b": "positive",
    "A": "matrix 2 2", "u": "vector 2", "v": "vector 2", "N": "positive", "Nk": "positive",
    "z": "vector n", "n": "size",
}  # fmt: skip


@pytest.mark.parametrize(("slip", "text"), SLIPS, ids=[text for _, text in SLIPS])
def test_the_likely_slip_is_named(slip: str, text: str) -> None:
    derivative = None
    if text.startswith("d/d"):
        derivative, text = text[3:].split(": ", 1)
    lhs, rhs = text.split(" == ")
    found = verdict(lhs, rhs, SLIP_SYMBOLS, derivative=derivative)
    assert found.status == Status.REFUTED
    assert found.slip.startswith(slip), found


def test_no_slip_is_named_when_none_explains_all_points() -> None:
    found = verdict("sigma(x)", "1/2 + x/4", {"x": "real"})
    assert found.status == Status.REFUTED
    assert found.slip == ""


@pytest.mark.parametrize(
    ("lhs", "relation", "rhs"),
    [
        ("x**2 + 1", ">=", "2*x"),
        ("2*x", "<=", "x**2 + 1"),
        ("x**2 + 2", ">", "2*x"),
        ("2*x", "<", "x**2 + 2"),
        ("x**2", "!=", "-1"),
        ("x", "==", "x"),
        ("x", "=", "x"),
    ],
)
def test_a_relation_and_its_contrary_are_told_apart(lhs: str, relation: str, rhs: str) -> None:
    contrary = {">=": "<", "<=": ">", ">": "<=", "<": ">=", "!=": "==", "==": "!=", "=": "!="}
    assert verdict(lhs, rhs, {"x": "real"}, relation).status == Status.PROVED
    assert verdict(lhs, rhs, {"x": "real"}, contrary[relation]).status == Status.REFUTED


def test_hypotheses_are_used_and_needed() -> None:
    symbols = {"a": "real", "b": "real", "v": "vector 2", "w": "vector 2"}
    assert verdict("a**2", "b**2", symbols, "<=", ["0 <= a <= b"]).status == Status.PROVED
    assert verdict("a**2", "b**2", symbols, "<=", ["a <= b"]).status == Status.REFUTED
    assert verdict("a", "b", symbols, given="a - b == 0").status == Status.PROVED
    assert verdict("v[1]", "w[1]", symbols, given=["v == w"]).status == Status.PROVED
    assert verdict("a*b", "0", symbols, given=["a == 0 or b == 0"]).status == Status.PROVED
    assert verdict("a", "0", symbols, given=["a*b == 0"]).status == Status.REFUTED


def test_hypotheses_that_nothing_meets_decide_nothing() -> None:
    found = verdict("a", "a + 1", {"a": "real"}, given=["a < 0", "a > 0"])
    assert found.status == Status.UNDECIDED
    assert "hypotheses" in found.reason


def test_an_equation_among_the_hypotheses_is_solved_exactly() -> None:
    symbols = {"f": "real", "p": "probability", "x": "real", "y": "real"}
    odds = ["exp(f) == p/(1 - p)"]
    assert verdict("f", "log(p) - log(1 - p)", symbols, given=odds).status == Status.PROVED
    assert verdict("f", "log(p) + log(1 - p)", symbols, given=odds).status == Status.REFUTED
    circle = ["x**2 + y**2 == 1"]
    assert verdict("x*y", "1/2", symbols, "<=", circle).status == Status.PROVED
    assert verdict("x*y", "49/100", symbols, "<=", circle).status == Status.REFUTED


def test_symbolic_sizes_are_named_in_the_reason() -> None:
    symbols = {"x": "vector N", "N": "size"}
    found = verdict("logsumexp(x)", "log(sum(exp(x)))", symbols)
    assert found.status == Status.PROVED
    assert str(found).startswith("PROVED for N = 1, 2, 3, 4: the sums written out: the same")
    chosen = verdict("sum(x)", "sum(x)", symbols, sizes={"N": (2,)})
    assert chosen.told == "PROVED for N = 2"
    assert "N = 3" not in chosen.reason


@pytest.mark.parametrize(
    "claim", ["(N - 1)*(N - 2)*(N - 3)*(N - 4)", "prod(N - k, k, 1, 9)", "max(N, 12) - 12"]
)
def test_a_claim_that_holds_for_small_sizes_only_is_not_believed(claim: str) -> None:
    assert verdict(claim, "0", {"N": "size"}).status == Status.REFUTED
    with_vector = verdict(f"({claim})*x[1]", "0", {"x": "vector N"})
    assert with_vector.status == Status.REFUTED


@pytest.mark.parametrize(
    ("claim", "relation", "bound"),
    [
        ("x <= 10**9", "iff", "x <= x + 1"),
        ("x*(1 + 1e-12)", "==", "x"),
        ("exp(x) + 1e-100", "==", "exp(x)"),
        ("log(a)", "<", "a/e"),
        ("a + 2/a", ">", "2*sqrt(2)"),
        ("indicator(x**2 == 2)", "==", "0"),
        ("indicator(exp(x) == 2)", "==", "0"),
        ("p*log(p)", ">=", "-0.3678794411714423"),
        ("x**4 - 4*x**2 + 4", ">", "0"),
        ("max(x, -10**6)", "==", "x"),
        ("1/(x**3 - 3*x + 1)", "==", "1/(x**3 - 3*x + 1)"),
    ],
)
def test_claims_that_fail_far_out_or_at_one_irrational_point_are_caught(
    claim: str, relation: str, bound: str
) -> None:
    symbols = {"x": "real", "a": "positive", "p": "probability"}
    assert verdict(claim, bound, symbols, relation).status in (Status.REFUTED, Status.DOMAIN)


def test_a_false_step_is_refuted_where_it_is_defined() -> None:
    symbols = {"a": "positive", "b": "positive", "x": "real"}
    found = verdict("x*log(a/b)", "x*log(a)/log(b)", symbols)
    assert str(found).startswith("REFUTED: at a = 1, b = 2, x = 1:")


def test_a_verdict_reads_well() -> None:
    found = verdict("x/x", "1", {"x": "real"})
    assert str(found).startswith("DOMAIN: at x = 0: left undefined, right 1")
    assert not found.holds
    assert str(Verdict(Status.UNDECIDED)) == "UNDECIDED"
    assert str(Witness((), "1", "2")) == "left 1, right 2"
    assert verdict("1", "2").witness is not None


def test_an_answer_is_stored_unless_time_may_have_shaped_it(
    judged_once: Path,  # noqa: F811
) -> None:
    before = set(judged_once.glob("*.json"))
    question = ("norm(w)", "norm(w + x)", {"w": "vector 2", "x": "vector 2"}, "<=")
    first = verdict(*question)
    (stored,) = set(judged_once.glob("*.json")) - before
    stored.write_text(stored.read_text("utf-8").replace('"points": ', '"points": 9'), "utf-8")
    assert verdict(*question) != first, "it was asked again"
    stored.unlink()
    assert verdict(*question) == first, "the same question gets the same answer"
    assert verdict("a", "a + 1", {"a": "real"}, given="a < a").status == Status.UNDECIDED
    assert set(judged_once.glob("*.json")) == before | {stored}
