"""SymPy beside the engine: what it confirms, what it never does, and what the reader gets of it."""

from __future__ import annotations

import pytest
import sympy

from lectures_lib.chapters import CHAPTERS
from lectures_lib.proofs import Derivation, Status, to_sympy, verdict
from lectures_lib.proofs.judge.ask import to_request
from lectures_lib.proofs.language.terms import LineError
from lectures_lib.proofs.second_judge.ask import TOO_LONG, second_opinion
from lectures_lib.proofs.second_judge.opinion import Answer, Opinion
from tests.proof_oracle import is_refuted
from tests.proof_recorder import Step
from tests.test_proof_chapters import SLUGS, mutants, recorded

QUICK = ("perceptron", "logistic_model", "metrics", "land_cover")  # the others are slow tests
BY_CHAPTER = [
    slug if slug in QUICK else pytest.param(slug, marks=pytest.mark.slow) for slug in SLUGS
]
# what an open line may say; an equation that SymPy cannot show would be none of these
REASONS = ("inequality: our proof only", "kink: our proof only", "conditions: our proof only")


def opinion_on(step: Step) -> Opinion:
    return second_opinion(to_request(step.lhs, step.rhs, **step.arguments()))


def equation(lhs: str, rhs: str, **symbols: str) -> Opinion:
    return second_opinion(to_request(lhs, rhs, symbols))


@pytest.mark.parametrize("slug", BY_CHAPTER)
def test_sympy_contradicts_no_line_and_confirms_the_equations(
    slug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, recorder in recorded(slug, monkeypatch):
        for step in recorder.steps:
            found = opinion_on(step)
            told = f"{name}: {step.lhs} {step.relation} {step.rhs}: {found}"
            assert found.answer is not Answer.CONTRADICTED, told
            if found.answer is Answer.OPEN:
                assert found.why in REASONS, told


@pytest.mark.slow
@pytest.mark.parametrize("slug", BY_CHAPTER)
def test_sympy_confirms_no_false_mutant(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, recorder in recorded(slug, monkeypatch):
        for step in recorder.steps:
            for mutant in mutants(step):
                if is_refuted(mutant):
                    found = opinion_on(mutant)
                    assert found.answer is not Answer.CONFIRMED, (
                        f"{name}: {mutant.lhs} {mutant.rhs}"
                    )


def test_there_is_a_chapter_in_the_tests_above() -> None:
    assert {"logistic_model", "logistic_training", "softmax"} <= {c.slug for c in CHAPTERS}


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
        ("p**y*(1 - p)**(1 - y)", "1 - p - y + 2*p*y"),
        ("E(y*z, y, {0: 1 - p, 1: p})", "p*z"),
        ("sum(x[i]**2, i, 1, 2)", "dot(x, x)"),
        ("diff(t[1]*t[2], t[1])", "1 - t[1]"),
        ("subs(sigma(y*z), y, 1)", "sigma(z)"),
    ],
)
def test_true_equations_of_many_kinds_are_confirmed(lhs: str, rhs: str) -> None:
    symbols = {"z": "real", "x": "vector 2", "S": "spd 2", "p": "probability", "y": "label01",
               "t": "simplex 2"}  # fmt: skip
    found = second_opinion(to_request(lhs, rhs, symbols))
    assert found.answer is Answer.CONFIRMED, found
    assert second_opinion(to_request(lhs, f"{rhs} + ({rhs})/7", symbols)).answer is not (
        Answer.CONFIRMED
    )


def test_a_hypothesis_that_is_an_equation_is_used() -> None:
    request = to_request("a**2 - b**2", "a - b", {"a": "real", "b": "real"}, given="a + b == 1")
    assert second_opinion(request).answer is Answer.CONFIRMED


def test_sympy_cancels_what_may_be_zero_and_the_verdict_stands() -> None:
    # x/x is 1 as soon as SymPy builds it: the first judge alone knows where a line is defined
    assert equation("x/x", "1", x="real").answer is Answer.CONFIRMED
    assert verdict("x/x", "1", {"x": "real"}).status is Status.DOMAIN


def test_equals_is_not_asked_because_it_errs() -> None:
    p, q = sympy.symbols("p q", positive=True)
    gap = sympy.log(p * q) - sympy.log(p) - sympy.log(q)
    assert sympy.expand_log(gap) == 0
    assert equation("log(p*q)", "log(p) + log(q)", p="positive", q="positive").answer is (
        Answer.CONFIRMED
    )


def test_a_contradiction_names_a_point() -> None:
    found = equation("(a + b)**2", "a**2 + b**2", a="real", b="real")
    assert found.answer is Answer.CONTRADICTED
    assert "a = " in found.why


def test_too_much_work_is_stopped_and_the_next_line_works() -> None:
    request = to_request("det(A)*det(inv(A))", "1", {"A": "matrix 4 4"})
    assert second_opinion(request, seconds=0.01).why == TOO_LONG
    assert equation("z + z", "2*z", z="real").answer is Answer.CONFIRMED


def test_what_cannot_be_read_is_open() -> None:
    assert equation("x +", "1", x="real").answer is Answer.OPEN
    assert equation("__import__('os')", "1").answer is Answer.OPEN


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
    shown = derivation._repr_markdown_()
    assert "properties of log and sigma · ✓ PROVED · ✓ SymPy" in shown
    assert "✓ PROVED · inequality: our proof only" in shown
    assert str(derivation).splitlines()[3].endswith("PROVED  ✓ SymPy")


def test_a_confirmation_earns_nothing_by_itself() -> None:
    d = Derivation.from_text("x\n= x/x*x", x="real", goal="x/x*x")
    assert d.verdicts[1] is not None
    assert d.verdicts[1].status is Status.DOMAIN
    assert d.opinions[1] == Opinion(Answer.CONFIRMED)
    assert not d.report().goal_reached


def test_the_reader_goes_on_with_the_expressions_of_a_line(derivation: Derivation) -> None:
    left, right = derivation.sympy(3)
    w, x, y = (derivation.sympy(name) for name in "wxy")
    assert sympy.simplify(left - right) == 0
    assert sympy.diff(derivation.sympy(2).right, w) == left
    assert right.subs({w: 0, x: 2, y: 1}) == 1
    assert derivation.sympy(1).left == derivation.sympy(1).right
    with pytest.raises(ValueError, match="line is a number from 1 to 4, found 7"):
        derivation.sympy(7)


def test_one_line_becomes_a_sympy_expression() -> None:
    z = sympy.Symbol("z", real=True)
    assert to_sympy("log(1 + exp(z))", {"z": "real"}) == sympy.log(1 + sympy.exp(z))
    assert to_sympy("a", {}, where={"a": "1/3 + 1"}) == sympy.Rational(4, 3)
    gram = to_sympy("T(X) @ X", {"X": "matrix N 2"}, sizes={"N": 1})
    assert gram == sympy.Matrix(2, 2, lambda i, j: sympy.prod(gram_symbol(k) for k in (i, j)))
    with pytest.raises(LineError):
        to_sympy("z +", {"z": "real"})


def gram_symbol(column: int) -> sympy.Symbol:
    return sympy.Symbol(f"X_1_{column + 1}", real=True)
