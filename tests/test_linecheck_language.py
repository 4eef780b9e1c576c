"""The language of the lines: what it means, what it refuses, and where it points."""

from __future__ import annotations

import pytest

from linecheck import Derivation, verdict
from linecheck.judge.verdicts import Status
from linecheck.language.forms import compared_form
from linecheck.language.parser import parse
from linecheck.language.terms import text_of

VALUES = [  # a line and its value, worked out by hand
    ("0.1 + 0.2", "3/10"),
    ("1e-3", "1/1000"),
    ("2**-2", "1/4"),
    ("-2**2", "-4"),
    ("2**3**2", "512"),
    ("7/2/7", "1/2"),
    ("sum(k**2, k, 1, 4)", "30"),
    ("sum(k, (k, 2, 4))", "9"),
    ("sum(k for k in range(1, 4))", "6"),
    ("sum(k, k, 3, 2)", "0"),
    ("sum(k, k, 1, 5, k != 3)", "12"),
    ("prod(k, k, 1, 5)", "120"),
    ("max(3, 1, 2) + min(3, 1, 2)", "4"),
    ("factorial(5)/binomial(5, 2)", "12"),
    ("delta(2, 2) + delta(1, 2)", "1"),
    ("abs(-3)*sign(-2)", "-3"),
    ("indicator(1 < 2 < 3) + I(2 < 1)", "1"),
    ("indicator(1 < 2 and not 3 < 2)", "1"),
    ("sqrt(9/4)", "3/2"),
    ("0**0", "1"),
    ("sigma(0) + Phi(0)", "1"),
    ("exp(0) + log(1)", "1"),
    ("dot([1, 2, 3], [4, 5, 6])", "32"),
    ("[1, 2] @ [3, 4]", "11"),
    ("T([1, 2]) @ [3, 4]", "11"),
    ("norm([3, 4])", "5"),
    ("sum([1, 2, 3]) + mean([1, 2, 3])", "8"),
    ("det([[1, 2], [3, 4]])", "-2"),
    ("trace([[1, 2], [3, 4]])", "5"),
    ("inv([[1, 2], [3, 4]])", "[[-2, 1], [3/2, -1/2]]"),
    ("[[1, 2], [3, 4]] @ [1, 1]", "[3, 7]"),
    ("[1, 1] @ [[1, 2], [3, 4]]", "[4, 6]"),
    ("[[1, 2], [3, 4]]*[[0, 1], [1, 0]]", "[[2, 1], [4, 3]]"),
    ("[[1, 2], [3, 4]].T", "[[1, 3], [2, 4]]"),
    ("[[1, 2], [3, 4]]**2", "[[7, 10], [15, 22]]"),
    ("[[1, 2], [3, 4]][2, 1]", "3"),
    ("[[1, 2], [3, 4]][2]", "[3, 4]"),
    ("col([[1, 2], [3, 4]], 2)", "[2, 4]"),
    ("outer([1, 2], [3, 4])", "[[3, 4], [6, 8]]"),
    ("[1, 2] @ T([3, 4])", "[[3, 4], [6, 8]]"),
    ("diag([1, 2])", "[[1, 0], [0, 2]]"),
    ("diag([[1, 2], [3, 4]])", "[1, 4]"),
    ("eye(2) + ones(2, 2) - zeros(2, 2)", "[[2, 1], [1, 2]]"),
    ("unit(3, 2)", "[0, 1, 0]"),
    ("hadamard([1, 2], [3, 4])", "[3, 8]"),
    ("1 - [1, 2]", "[0, -1]"),
    ("E(y**2, y, {0: 1/4, 3: 3/4})", "27/4"),
    ("subs(a**2 + b, {a: 3, b: a})", "9 + a"),
    ("subs(diff(a**3, a), a, 2)", "12"),
    ("diff(a**3, a, a)", "6*a"),
    ("e**0 + pi - pi", "1"),
    ("max([1, 5, 2]) - min([1, 5, 2])", "4"),
    ("softmax([0, 0])", "[1/2, 1/2]"),
]

REFUSED = [  # a line, the place that is pointed at, a word of the message
    ("__import__('os')", 0, "not"),
    ("x.real", 0, "transpose"),
    ("x ′ 1", 2, "PRIME"),
    ("|x", 0, "no partner"),
    ("x/2 y", 4, "two things"),
    ("x*(1 + 2", 2, "never closed"),
    ("x + 1)", 5, "closes nothing"),
    ("x + 'a'", 4, "texts"),
    ("(y := 3)", 1, "names"),
    ("[k for k in range(9)]", 0, "comprehensions"),
    ("foo(x, 1)", 0, "not a function"),
    ("log x**2", 0, "`log(x)**2` or `log(x**2)`"),
    ("sum_i x", None, "sum(term, i, first, last)"),
    ("x[1:2]", 2, "slices"),
    ("x if x else 1", 0, "indicator"),
    ("x // 2", 5, "//"),
    ("exp(x, x)", 0, "takes 1"),
    ("1j + x", 0, "complex"),
    ("аlpha", 0, "CYRILLIC"),
    ("", 0, "empty"),
]

NOT_LOWERED = [  # reads well, but means nothing for these symbols
    ("q + 1", "not declared"),
    ("foo(x)", "not a function"),
    ("uu", "side by side"),
    ("|v|", "norm(x) or abs(x)"),
    ("x'", "derivative"),
    ("x + I", "eye(n)"),
    ("v + A", "do not go together"),
    ("A + 1", "eye(n)"),
    ("A @ u", "inner sizes"),
    ("dot(v, u)", "no dot product"),
    ("inv(B)", "square"),
    ("det(v)", "matrix is expected"),
    ("v[3]", "outside 1..2"),
    ("v[0] + v[2]", "outside 1..2"),
    ("v[x]", "whole number"),
    ("sum(v[i], i, 1, 3)", "outside 1..2"),
    ("x/v", "cannot be divided by"),
    ("exp(x) + (x > 1)", "indicator"),
    ("diff(x, 2*x)", "symbol"),
    ("diff(x*y, y)", "no derivative"),
    ("norm(x)", "abs"),
    ("x[1]", "no entries"),
    ("E(x, x, 1)", "write E"),
]
SYMBOLS = {
    "x": "real", "a": "real", "b": "real", "y": "label01", "v": "vector 2", "u": "vector 3",
    "A": "matrix 2 2", "B": "matrix 2 3",
}  # fmt: skip


@pytest.mark.parametrize("line", [line for line, _ in VALUES])
def test_a_term_written_out_again_is_the_same_term(line: str) -> None:
    term = parse(line)
    assert parse(text_of(term)) == term


@pytest.mark.parametrize(("line", "value"), VALUES)
def test_a_line_has_the_value_worked_out_by_hand(line: str, value: str) -> None:
    assert verdict(line, value, SYMBOLS).status == Status.PROVED
    assert not verdict(line, f"1 + 2*({value})", SYMBOLS).holds


@pytest.mark.parametrize(("line", "column", "word"), REFUSED)
def test_a_refused_line_points_at_the_place(line: str, column: int | None, word: str) -> None:
    found = verdict(line, "x", SYMBOLS)
    assert found.status == Status.INVALID
    assert "left side" in found.reason
    assert word.lower() in found.reason.lower()
    if column is not None:
        *_, shown, caret = found.reason.splitlines()
        assert shown[caret.index("^") :] == line[column:]


@pytest.mark.parametrize(("line", "word"), NOT_LOWERED)
def test_a_line_without_meaning_is_invalid_and_says_why(line: str, word: str) -> None:
    found = verdict(line, "x", SYMBOLS)
    assert found.status == Status.INVALID
    assert word in found.reason


@pytest.mark.parametrize(
    ("left", "right"),
    [("v", "x"), ("A", "v"), ("A", "B"), ("v", "u"), ("x > 1", "x"), ("T(v)", "v")],
)
def test_sides_of_different_shape_are_not_compared(left: str, right: str) -> None:
    assert verdict(left, right, SYMBOLS).status == Status.INVALID


def test_zero_stands_for_a_zero_vector_and_a_zero_matrix() -> None:
    assert verdict("v - v", "0", SYMBOLS).status == Status.PROVED
    assert verdict("0", "A - A", SYMBOLS).status == Status.PROVED
    assert verdict("v", "0", SYMBOLS).status == Status.REFUTED


@pytest.mark.parametrize(
    ("domain", "relation", "true", "false"),
    [
        ("3-vector", "==", "sum(s) - s[1] - s[2] - s[3]", "s[1]"),
        ("real vector 3", "==", "sum(s) - s[1] - s[2] - s[3]", "s[1]"),
        ("vector of size 3", "==", "sum(s) - s[1] - s[2] - s[3]", "s[1]"),
        ("2x3 matrix", "==", "sum(s[2]) - s[2, 1] - s[2, 2] - s[2, 3]", "s[1, 3]"),
        ("matrix(2, 3)", "==", "sum(s[2]) - s[2, 1] - s[2, 2] - s[2, 3]", "s[1, 3]"),
        ("matrix 2", "==", "trace(s) - s[1, 1] - s[2, 2]", "s[1, 1]"),
        ("spd 2", ">", "det(s)", "s[1, 2]"),
        ("symmetric positive definite 2", ">", "trace(s)", "s[1, 2]"),
        ("symmetric 2x2", "==", "s[1, 2] - s[2, 1]", "s[1, 2]"),
        ("diagonal 3", "==", "s[1, 2]", "s[1, 1]"),
        ("invertible 2", "!=", "det(s)", "s[1, 1]"),
        ("simplex 3", "==", "sum(s) - 1", "s[1]"),
        ("probability vector 3", "==", "sum(s) - 1", "s[1]"),
        ("positive vector 2", ">", "s[2]", "s[2] - 1"),
        ("vector 2 of probability", ">", "1 - s[2]", "1 - sum(s)"),
        ("label01[4]", "==", "s[4]**2 - s[4]", "s[4]"),
        ("label01", "==", "s*(s - 1)", "s"),
        ("sign", "==", "s**2 - 1", "s - 1"),
        ("int -1..2", "==", "(s + 1)*s*(s - 1)*(s - 2)", "(s + 1)*s*(s - 1)"),
        ("{1, 5, 2}", "==", "(s - 1)*(s - 5)*(s - 2)", "(s - 1)*(s - 5)"),
        ("probability", ">", "s*(1 - s)", "s - 1/100"),
        ("closed probability", ">=", "s*(1 - s)", "s - 1/100"),
        ("interval -1 1", ">=", "1 - s**2", "s"),
        ("open interval -1 1", ">", "1 - s**2", "s"),
        ("nonzero", ">", "s**2", "s"),
        ("natural", ">=", "s - 1", "s - 2"),
    ],
)
def test_a_domain_holds_what_it_says_and_no_less(
    domain: str, relation: str, true: str, false: str
) -> None:
    assert verdict(true, "0", {"s": domain}, relation).status == Status.PROVED
    assert verdict(false, "0", {"s": domain}, relation).status == Status.REFUTED


@pytest.mark.parametrize(
    "text",
    ["", "vector", "spd 2 3", "complex", "vector 2 3 4", "matrix 9 9", "int 5..1", "vector 0"],
)
def test_unknown_domains_are_refused(text: str) -> None:
    found = verdict("x", "x", {"x": text})
    assert found.status == Status.INVALID
    assert found.reason


def test_abbreviations_may_use_each_other_but_not_themselves() -> None:
    where = {"z": "w*x", "h": "sigma(z)"}
    symbols = {"w": "real", "x": "real"}
    assert verdict("diff(h, w)", "x*h*(1 - h)", symbols, where=where).status == Status.PROVED
    circle = verdict("z", "z", symbols, where={"z": "h + 1", "h": "z"})
    assert circle.status == Status.INVALID
    assert "itself" in circle.reason


def test_an_index_that_would_catch_a_name_is_renamed() -> None:
    # the i in the abbreviation is not the i of the sum
    symbols = {"i": "int 1..2", "v": "vector 2"}
    found = verdict("sum(g*v[i], i, 1, 2)", "g*(v[1] + v[2])", symbols, where={"g": "v[i]"})
    assert found.status == Status.PROVED


def test_the_arguments_of_verdict_are_checked() -> None:
    assert verdict(1, "x").status == Status.INVALID  # type: ignore[arg-type]
    assert verdict("x", "x", {"x": 3}).status == Status.INVALID  # type: ignore[dict-item]
    assert verdict("x", "x", ["x"]).status == Status.INVALID  # type: ignore[arg-type]
    assert verdict("x", "x", {"x": "real"}, given=[1]).status == Status.INVALID  # type: ignore[list-item]
    assert verdict("x", "x", {"x": "real"}, relation="~").status == Status.INVALID


@pytest.mark.parametrize(
    ("line", "formula"),
    [
        ("mu1 + x_hat", r"$\mu_{1}$ ${} + \hat{x}$"),
        ("sum(x[i]**2, i, 1, N)", r"$\sum_{i=1}^{N} x_{i}^{2}$"),
        ("inv(S) @ d", r"$S^{-1}\,d$"),
        ("dot(w, x)/norm(w)", r"$\frac{w^{\top} x}{\lVert w \rVert}$"),
        ("diff(f, w)", r"$\frac{\partial}{\partial w} f$"),
        ("-(a - b)**2", r"$-\left(a - b\right)^{2}$"),
        ("1e-12*x", r"$10^{-12}\,x$"),
        ("0.25*x + 1e-3", r"$0.25\,x$ ${} + 0.001$"),
        ("a < b <= c", r"$a$ $< b$ $\le c$"),
        ("indicator(x > 0)", r"$\mathbf{1}\left[x > 0\right]$"),
        ("x −", r"$\text{x −}$"),
        ("max(0, -m)", r"$\max\left(0, -m\right)$"),
        ("norm(x - y) - (a + b)/2", r"$\lVert x - y \rVert$ ${} - \frac{a + b}{2}$"),
    ],
)
def test_a_line_is_set_as_typed_and_may_break_before_a_sign_outside_all_brackets(
    line: str, formula: str
) -> None:
    assert f"1. {formula}" in Derivation("").line(line)._repr_markdown_().splitlines()[0]


def test_a_long_formula_also_breaks_inside_its_outermost_brackets() -> None:
    line = "m <= max(t*max(-a, 0) + (1 - t)*max(-b, 0), t*max(-a, 0) + (1 - t)*max(-b, 0))"
    shown = Derivation("").line(line)._repr_markdown_()
    assert r"\bigl(" in shown
    assert r"$ ${} + \left(1 - t\right)" in shown


AS_TYPED = {"x y": "vector N", "w": "vector d", "X": "matrix N d", "t": "real", "lambda": "> 0",
            "q": "0 < q < 1", "r": ">= 0", "u": "-1 <= u < 2", "c": "!= 0"}  # fmt: skip


@pytest.mark.parametrize(
    ("lhs", "relation", "rhs"),
    [
        ("2t + 3(t + 1)", "==", "5t + 3"),
        ("np.exp(2t)", "==", "exp(t)**2"),
        ("math.pi*t + 1e-3t", "==", "t*np.pi + t/1000"),
        ("np.log(lambda)", "<=", "lambda - 1"),
        ("sum((y - X@w)**2)", "==", "norm(y - X@w)**2"),
        ("sum(x*y)", "==", "dot(x, y)"),
        ("x*(1 - x)", "==", "x - x**2"),
        ("log2(8) + log10(100)", "==", "5"),
        ("len(x)*mean(x)", "==", "sum(x)"),
        ("q*(1 - q)", "<=", "1/4"),
        ("sqrt(r)**2", "==", "r"),
        ("u**2", "<=", "4"),
        ("c/c", "==", "1"),
    ],
)
def test_lines_as_people_type_them_are_understood(lhs: str, relation: str, rhs: str) -> None:
    found = verdict(lhs, rhs, AS_TYPED, relation)
    assert (found.status, found.holds) == (Status.PROVED, True), found


def test_a_number_is_read_as_a_number() -> None:
    assert verdict("1e-12", "1/10**12").status is Status.PROVED
    assert verdict("2e3", "2000").status is Status.PROVED
    assert verdict("0x10", "16").status is Status.INVALID
    assert verdict("len(x)", "3", {"x": "vector N"}).status is Status.REFUTED


# ---------------------------------------------------------------- compared as written

DOMAINS = {"A B": "matrix N", "v w": "vector N", "c p y": "real", "X": "matrix N d",
           "M": "matrix 1 1", "u": "vector d"}  # fmt: skip
SAME_AS_WRITTEN = """
x | 1*x | x + 0 | 2*x/2 | -(-x) | exp(log(x)) | max(x, x) | x + log(1) | sum(x, i, 1, 1)
x | det([[x]]) | trace([[x]]) | x**1 + 0*z | log(exp(x)) | x/1 | sum(x, i, 2, 2)
sigma(z) | 1/(e**(-z) + 1) | (1 + exp(-z))**-1
log(sigma(z)) | -log(1 + exp(-z)) | -softplus(-z) | log(1/(1 + exp(-z)))
a - b | -(b - a) | a + -b
(a - b)**2*c | c*(b - a)**2 | c*(-a + b)*(b - a)
a/b/c | a/(b*c) | 1/c*a/b
sum(x[i], i, 1, N) | sum(x[k], k, 1, N)
max(a, max(b, c)) | max(c, b, a)
a > b | b < a
0.5*x | x/2 | sqrt(1/4)*x
v @ w | dot(w, v) | T(v) @ w
c*A @ B | A @ B*c | A @ (c*B)
trace(M) | M[1, 1] | det(M)
T(T(X)) @ u | X @ u
T(X) @ (v - w) | -T(X) @ (w - v)
A @ (B @ v) | A @ B @ v
sum(v[i]*X[i], i, 1, N) | sum(X[k]*v[k], k, 1, N)
c*dot(X[i], u)/2 | dot(u, X[i])*c*0.5
"""
NOT_AS_WRITTEN = """
(a + b)*c | a*c + b*c
x + y - y | x
x/x | 1
sigma(-z) | 1 - sigma(z)
exp(z)/(1 + exp(z)) | sigma(z)
log(a*b) | log(a) + log(b)
exp(a)*exp(b) | exp(a + b)
2*(a + b) | 2*a + 2*b
x + x | 2*x
sqrt(x)**2 | x
(2*x)**2 | 4*x**2
a - b | b - a
A @ B | B @ A
A*B | B*A
T(X) @ v | X @ u
"""


@pytest.mark.parametrize("row", SAME_AS_WRITTEN.strip().splitlines())
def test_lines_that_are_the_same_as_written(row: str) -> None:
    assert len({compared_form(line, DOMAINS) for line in row.split("|")}) == 1


@pytest.mark.parametrize("row", NOT_AS_WRITTEN.strip().splitlines())
def test_an_identity_makes_another_line(row: str) -> None:
    first, second = row.split("|")
    assert compared_form(first, DOMAINS) != compared_form(second, DOMAINS)
