"""The kinds of answers that the first chapters do not use."""

import numpy as np
import pytest
import sympy as sp

from lectures_lib.checks.author import Case, Choice, Exercise, Expression, Prediction, Slip
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.judging.smaller_cases import candidates, smallest
from lectures_lib.checks.running import named_calls
from lectures_lib.checks.writing.edits import EditError, edited, edited_texts

w, x, y, z = sp.symbols("w x y z")


def exercise(part) -> Exercise:
    return Exercise("perceptron.try", "A try", 3, "The rule", (part,), ("a", "b", "c"))


# Expressions --------------------------------------------------------------------------------


def gradient(w, x, y):
    p = 1 / (1 + np.exp(-w * x))
    return (p - y) * x


def _anywhere(rng):
    return float(rng.normal()), float(rng.normal() * 3), float(rng.integers(0, 2))


GRADIENT = exercise(
    Expression(
        gradient,
        (Case("in the middle", (0.5, 2.0, 1.0)), Case("far out", (10.0, 6.0, 0.0))),
        _anywhere,
        points=3,
        slips=(Slip("The sign", "The gradient of the loss is (p − y)x.", (("p - y -> y - p",),)),),
    )
)
P = 1 / (1 + sp.exp(-w * x))
LOSS = -y * sp.log(P) - (1 - y) * sp.log(1 - P)


@pytest.mark.parametrize(
    "answer", [(P - y) * x, x * P - x * y, sp.diff(LOSS, w), sp.simplify(sp.diff(LOSS, w))]
)
def test_an_expression_is_judged_by_its_values(answer) -> None:
    outcome = evaluate(GRADIENT, (answer,))
    assert outcome.status == "right", repr(outcome)
    assert outcome.points == 3


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((y - P) * x, "The sign: The gradient of the loss is (p − y)x."),
        (P - y, "`gradient` is not as expected"),
        ((P - y) * sp.Symbol("q"), "It has the symbol `q`; expected only `w`, `x`, `y`"),
        ("x", "a text; build the expression from SymPy's symbols"),
        (sp.Eq(w, x), "an equation; give its right-hand side"),
        (sp.Matrix([x, y]), "`gradient` has shape (2,); expected one number"),
        (sp.log(-w), "is NaN"),
        (7, "`gradient` is not as expected"),
        (print, "expected an expression of SymPy"),
    ],
)
def test_a_wrong_expression_is_told_why(answer, message) -> None:
    outcome = evaluate(GRADIENT, (answer,), seconds=10)
    assert outcome.status == "wrong"
    assert outcome.points == 0
    assert message in repr(outcome)


def test_an_untouched_expression_is_not_attempted() -> None:
    assert evaluate(GRADIENT, (...,)).status == "not attempted"


def hessian(w, x):
    p = 1 / (1 + np.exp(-w * x))
    return p * (1 - p) * np.array([[1.0, x], [x, x**2]])


def test_a_matrix_may_be_given_as_a_matrix_or_as_lists() -> None:
    found = exercise(
        Expression(
            hessian, (Case("one point", (0.5, 2.0)),), lambda r: tuple(r.normal(size=2)), ("2", "2")
        )
    )
    right = P * (1 - P) * sp.Matrix([[1, x], [x, x**2]])
    for answer in (right, right.tolist(), sp.ImmutableMatrix(right), sp.Array(right)):
        assert evaluate(found, (answer,)).status == "right"
    assert evaluate(found, (right * 2,)).status == "wrong"


def curvature(w, x, y):
    p, q = 1 / (1 + np.exp(-w * x)), 1 / (1 + np.exp(w * x))
    return [[p * q * x**2, p * q * w * x + p - y], [p * q * w * x + p - y, p * q * w**2]]


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        (sp.hessian(LOSS, (w, x)), curvature),
        (LOSS.rewrite(sp.tanh), lambda w, x, y: np.log1p(np.exp(-w * x)) + (1 - y) * w * x),
        (sp.log(1 - P), lambda w, x, y: -w * x - np.log1p(np.exp(-w * x))),
        (sp.sqrt(-w), lambda w, x, y: np.nan),
        (sp.Derivative(w**3, w), lambda w, x, y: 3 * w**2),
        (x * sp.log(w - 0.5), lambda w, x, y: x * np.log(w - 0.5)),
        (sp.Symbol("w", real=True) - w + x, lambda w, x, y: x),
        (sp.Function("f")(x), lambda w, x, y: np.nan),
    ],
)
@pytest.mark.parametrize("values", [(0.75, 2.0, 1.0), (300.0, 1.0, 0.0)])
def test_an_expression_has_its_value_far_out_and_none_where_it_is_undefined(
    answer, value, values
) -> None:
    found = named_calls.value_at(answer, ("w", "x", "y"), *values)
    np.testing.assert_allclose(found, value(*values), rtol=1e-12, atol=1e-300)


# Predictions --------------------------------------------------------------------------------

PREDICTION = exercise(
    Prediction(
        ("updates", "because"),
        (Choice("a", "more", False, "It takes fewer."), Choice("b", "fewer", True, "Yes, fewer.")),
        (
            Choice("a", "R shrinks", True, "The centred data are shorter."),
            Choice("b", "γ grows", False, "γ went down here."),
        ),
    )
)


@pytest.mark.parametrize(
    ("answers", "points", "message"),
    [
        (("b", "a"), 2, "b, fewer: right. Yes, fewer."),
        (("b", "b"), 1, "γ went down here."),
        (("a", "a"), 0, "It takes fewer."),
        (("b", ...), 1, "Right so far"),
        ((..., ...), 0, "Not attempted"),
    ],
)
def test_a_reason_counts_with_its_outcome(answers, points, message) -> None:
    outcome = evaluate(PREDICTION, answers)
    assert outcome.points == points
    assert message in repr(outcome)
    assert (outcome.status == "right") == (points == 2)


# Edits and shrinking ------------------------------------------------------------------------


def test_an_edit_fits_exactly_once() -> None:
    assert edited_texts("a + b", ["a -> c", "+ b ->"]) == ["c "]
    for edit, message in (("q -> r", "occurs 0 times"), ("x", "is written"), ("a -> b", "2 times")):
        with pytest.raises(EditError, match=message):
            edited_texts("a + a", [edit])
    (turned,) = edited(gradient, ("p - y -> y - p",))
    assert turned(0.0, 2.0, 1.0) == 1.0


def test_an_edit_made_everywhere_is_one_version_at_each_place() -> None:
    assert edited_texts("a + a", ["everywhere a -> b"]) == ["b + a", "a + b"]
    assert edited_texts("a*x + a", ["x -> y", "everywhere a -> b"]) == ["b*y + a", "a*y + b"]
    with pytest.raises(EditError, match="occurs 0 times"):
        edited_texts("a", ["everywhere q -> r"])


def test_a_failing_case_is_made_small() -> None:
    rng = np.random.default_rng(2)
    X, s, w0 = rng.normal(size=(7, 3)), rng.choice([-1, 1], 7), rng.normal(size=4)
    start = (X, s, w0)

    def fails(cases):
        return [bool((case[0] < 0).any()) for case in cases]  # one negative entry is enough

    small = smallest(start, fails, lambda case: case[0].size > 0)
    assert small[0].shape == (1, 1)
    assert small[0].item() in (-1.0, -2.0)
    assert len(small[1]) == 1
    assert all(np.size(case[0]) <= X.size for case in candidates(start))
