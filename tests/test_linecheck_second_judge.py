"""SymPy beside the engine: what it confirms, what it never does, and what the reader gets of it."""

from __future__ import annotations

import pytest
import sympy

from linecheck import Derivation
from linecheck.judge.verdicts import Status
from linecheck.second_judge.opinion import Answer, Opinion
from tests.proof_recorder import Step, opinion_on, seen, typed

SYMBOLS = {"z": "real", "x": "vector 2", "S": "spd 2", "p q": "probability", "y": "label01",
           "t": "simplex 2"}  # fmt: skip


def equation(lhs: str, rhs: str, **symbols: str) -> Opinion:
    return opinion_on(Step(lhs, rhs, symbols or SYMBOLS))


@pytest.mark.parametrize(
    ("lhs", "rhs"),
    [
        ("log(sigma(z))", "-log(1 + exp(-z))"),
        ("diff(log(1 + exp(z)), z)", "sigma(z)"),
        ("norm(2*x)", "2*norm(x)"),
        ("softmax(x)[1]", "1/(1 + exp(x[2] - x[1]))"),
        ("diff(dot(x, S @ x), x)", "2*S @ x"),
        ("inv(S) @ (S @ x)", "x"),
        ("log(det(S)) + log(p*(1 - p))", "log(det(S)*p) + log(1 - p)"),
        ("log(p*q)", "log(p) + log(q)"),  # where SymPy's own `equals` says False
        ("p**y*(1 - p)**(1 - y)", "1 - p - y + 2*p*y"),
        ("E(y*z, y, {0: 1 - p, 1: p})", "p*z"),
        ("sum(x[i]**2, i, 1, 2)", "dot(x, x)"),
        ("diff(t[1]*t[2], t[1])", "1 - t[1]"),
        ("subs(sigma(y*z), y, 1)", "sigma(z)"),
    ],
)
def test_true_equations_of_many_kinds_are_confirmed(lhs: str, rhs: str) -> None:
    assert equation(lhs, rhs).answer is Answer.CONFIRMED
    assert equation(lhs, f"{rhs} + ({rhs})/7").answer is not Answer.CONFIRMED


def test_a_hypothesis_that_is_an_equation_is_used() -> None:
    step = Step("a**2 - b**2", "a - b", {"a b": "real"}, given=("a + b == 1",))
    assert opinion_on(step).answer is Answer.CONFIRMED


def test_a_contradiction_names_a_point() -> None:
    found = equation("(a + b)**2", "a**2 + b**2", a="real", b="real")
    assert found.answer is Answer.CONTRADICTED
    assert "a = " in found.why


@pytest.mark.slow
def test_too_much_work_is_stopped_and_the_next_line_works() -> None:
    found = equation("det(A)*det(inv(A))", "1", A="matrix 5 5")
    assert (found.answer, "too long" in found.why) == (Answer.OPEN, True)
    assert equation("z + z", "2*z").answer is Answer.CONFIRMED


# ------------------------------------------------------------------ what the reader gets


@pytest.fixture(scope="module")
def derivation() -> Derivation:
    d = Derivation("Gradient", w="real", x="real", y="label01")
    d.line("y*log(sigma(w*x)) + (1 - y)*log(1 - sigma(w*x))")
    d.line("y*w*x - log(1 + exp(w*x))", because="properties of log and sigma")
    d.differentiate("w", "(y - sigma(w*x))*x", because="chain rule")
    d.line("<= abs(x)")
    return d


def test_the_table_and_the_text_show_the_second_judge(derivation: Derivation) -> None:
    shown = seen(derivation)
    assert "properties of log and sigma · ✓ PROVED · ✓ SymPy" in shown
    assert "✓ PROVED · SymPy could not decide (an inequality)" in shown
    assert str(derivation).splitlines()[4].endswith("PROVED  ✓ SymPy")


def test_where_both_refute_a_line_one_counter_example_is_shown() -> None:
    d = Derivation("", a="real", b="real").line("(a + b)**2").line("a**2 + b**2")
    assert seen(d).endswith(" · ✗ SymPy")
    assert (
        d._repr_markdown_().count(" = ") == seen(d).count(" = ") + 2
    )  # the other: under the mouse


def test_two_conditions_are_not_put_to_sympy_and_this_is_said() -> None:
    assert str(opinion_on(Step("2*a > 2*b", "a > b", {"a b": "real"}, "iff"))) == (
        "SymPy was not asked (conditions)"
    )


def test_a_notebook_may_let_sympy_speak_first(monkeypatch: pytest.MonkeyPatch) -> None:
    d = Derivation("", a="real").line("2*a").line("a + a")
    assert seen(d).endswith("✓ PROVED · ✓ SymPy")
    monkeypatch.setattr(Derivation, "sympy_first", True)
    assert seen(d).endswith("✓ SymPy · ✓ PROVED")
    assert str(d).endswith("✓ SymPy  PROVED")


def test_sympy_cancels_what_may_be_zero_and_its_word_decides_nothing() -> None:
    # x/x is 1 as soon as SymPy builds it: the first judge alone knows where a line is defined
    d = typed("x\n= x/x*x", x="real")
    assert d.verdicts[1] is not None
    assert d.verdicts[1].status is Status.DOMAIN
    assert d.opinions[1] == Opinion(Answer.CONFIRMED)
    assert not d.holds


def test_the_reader_goes_on_with_the_expressions_of_a_line(derivation: Derivation) -> None:
    left, right = derivation.sympy(3)
    w, x, y = (derivation.sympy(name) for name in "wxy")
    assert sympy.simplify(left - right) == 0
    assert sympy.diff(derivation.sympy(2).right, w) == left
    assert right.subs({w: 0, x: 2, y: 1}) == 1
    assert derivation.sympy(1).left == derivation.sympy(1).right
    with pytest.raises(ValueError, match="1 to 4, found 7"):
        derivation.sympy(7)
    with pytest.raises(ValueError, match="line 1 could not be read"):
        Derivation("").invalid("= =", "two relations").sympy(1)


def test_one_line_becomes_a_sympy_expression() -> None:
    z = sympy.Symbol("z", real=True)
    derivation = Derivation("", z="real", X="matrix N 2", where={"a": "1/3 + 1"})
    assert derivation.sympy("log(1 + exp(z))") == sympy.log(1 + sympy.exp(z))
    assert derivation.sympy("a") == sympy.Rational(4, 3)
    a, b = (sympy.Symbol(f"X_1_{column}", real=True) for column in (1, 2))
    gram = derivation.sympy("T(X) @ X", sizes={"N": 1})
    assert gram == sympy.Matrix([[a * a, a * b], [a * b, b * b]])
    with pytest.raises(ValueError, match="z"):
        derivation.sympy("z +")
