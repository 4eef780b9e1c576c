"""Derivations: chains of lines, typed text, tables."""

from __future__ import annotations

import re

import pytest

from linecheck import Derivation
from linecheck.judge.verdicts import Status
from linecheck.process import Message, Process
from tests.proof_recorder import seen, typed

START = "y*log(sigma(w*x)) + (1 - y)*log(1 - sigma(w*x))"
MIDDLE = "y*w*x - log(1 + exp(w*x))"
GOAL = "(y - sigma(w*x))*x"
SYMBOLS = {"w": "real", "x": "real", "y": "label01"}


def gradient() -> Derivation:
    d = Derivation("Gradient", symbols=SYMBOLS)
    d.line(START).line(MIDDLE, because="properties of log and sigma")
    return d.differentiate("w", GOAL, because="chain rule")


def statuses(d: Derivation) -> list[str]:
    return ["" if v is None else str(v.status) for v in d.verdicts]


def test_every_line_of_a_right_derivation_is_proved() -> None:
    d = gradient()
    assert statuses(d) == ["", "PROVED", "PROVED"]
    assert d.holds


def test_after_a_wrong_line_the_next_is_compared_with_it() -> None:
    d = Derivation("Slip", symbols=SYMBOLS)
    d.line(START).line("y*w*x + log(1 + exp(w*x))")
    d.differentiate("w", "(y + sigma(w*x))*x")  # right for the wrong line
    d.line("y*x + sigma(w*x)*x")
    assert statuses(d) == ["", "REFUTED", "PROVED", "PROVED"]
    assert not d.holds


def test_a_line_that_cannot_be_read_is_skipped() -> None:
    d = Derivation("Unreadable", symbols=SYMBOLS)
    d.line("w*x").line("w*x −").line("x*w")
    assert statuses(d) == ["", "INVALID", "PROVED"]


def test_inequalities_make_chains_and_claims_stand_for_themselves() -> None:
    d = Derivation("Perceptron", w="vector 2", x="vector 2", s="sign", R="positive")
    d.given("s*dot(w, x) <= 0", "norm(x) <= R")
    d.line("norm(w + s*x)**2")
    d.line("norm(w)**2 + 2*s*dot(w, x) + norm(x)**2", because="s**2 = 1")
    d.line("<= norm(w)**2 + norm(x)**2", because="an error")
    d.line("norm(w)**2 + R**2", relation="<=")
    d.line("s**2 == 1")
    d.claim("abs(s)", "1", given=["s > 0"])
    d.claim("norm(x) <= R", "norm(x)**2 <= R**2", relation="iff")
    d.claim("R > 1", "R**2 > 1", relation="implies")
    d.line("0 < R <= 2*R")
    assert statuses(d) == [""] + ["PROVED"] * 8
    assert d.holds


def test_substitution_and_expectation() -> None:
    d = Derivation("Bernoulli", p="probability", q="probability", y="label01")
    d.line("y*log(q) + (1 - y)*log(1 - q)")
    d.expect("y", {"0": "1 - p", "1": "p"}, "p*log(q) + (1 - p)*log(1 - q)")
    d.substitute({"q": "1/2"}, "-log(2)")
    assert statuses(d) == ["", "PROVED", "PROVED"]


def test_abbreviations_stand_for_their_terms() -> None:
    d = Derivation("Short", w="vector 2", x="vector 2").let(z="dot(w, x)")
    d.line("sigma(z)").differentiate("w", "sigma(z)*(1 - sigma(z))*x")
    assert statuses(d) == ["", "PROVED"]


TYPED = """
    let z := w*x
    y*log(sigma(z)) + (1 - y)*log(1 - sigma(z))
    = y*w*x - log(1 + exp(w*x))            # properties of log and sigma
    d/dw: y*x - x*exp(w*x)/(1 + exp(w*x))  # chain rule
    = (y - sigma(w*x))*x

    sigma(0) = 1/2
    w*x
    w := 2*x: 2*x**2
    given: x > 0
    0 < x**2
"""


def test_a_typed_derivation_is_read_line_by_line() -> None:
    d = typed(TYPED, "Typed", symbols=SYMBOLS)
    assert statuses(d) == ["", "PROVED", "PROVED", "PROVED", "PROVED", "", "PROVED", "PROVED"]
    assert d.lines[1].because == "properties of log and sigma"


@pytest.mark.parametrize(
    "text",
    ["", "\n\n", "=", "d/dw:", "d/dw: w", "x := 2:", ":::", "let", "given:", "= = =", "w +", "# a",
     "\x00", "d/dw/dx: w", "let 1 := 2", "<=", "x" * 5000, "(" * 300, "w\n" * 200],
)  # fmt: skip
def test_whatever_is_typed_nothing_is_raised(text: str) -> None:
    d = typed(text, symbols=SYMBOLS)
    assert repr(d) == repr(d)


def test_a_second_derivative_may_be_typed() -> None:
    d = typed("w**3*x\nd2/dw2: 6*w*x", symbols=SYMBOLS)
    assert statuses(d) == ["", "PROVED"]
    mixed = typed("w**3*x\nd2/dw dx: 3*w**2", symbols=SYMBOLS)
    assert statuses(mixed) == ["", "PROVED"]


def test_the_plain_table_shows_lines_reasons_and_verdicts() -> None:
    title, names, *lines = str(gradient()).splitlines()
    assert (title, len(lines)) == ("Gradient", 3)
    assert names.strip() == "for w, x: real; y: label01"
    assert "properties of log and sigma" in lines[1]
    assert ["PROVED" in line for line in lines] == [False, True, True]


def test_the_markdown_says_for_which_sizes_a_line_was_proved() -> None:
    d = Derivation("Sizes", symbols={"x": "vector N", "N": "size"}, sizes={"N": (1, 2, 3, 5)})
    d.line("logsumexp(x)")
    d.line("log(sum(exp(x)))")
    assert "✓ PROVED for N = 1, 2, 3, 5 · ✓ SymPy (N = 2)" in seen(d)


def test_the_markdown_list_has_one_item_per_line_with_its_reason_under_it() -> None:
    d = gradient()
    d.line("x*(y - sigma(w*x)) + abs(x)")
    table = seen(d)
    rows = table.splitlines()[4:]
    assert [row[:4] for row in rows if not row.startswith(" ")] == [f"{k}. $" for k in (1, 2, 3, 4)]
    assert "   properties of log and sigma · ✓ PROVED · ✓ SymPy" in rows
    assert r"$= y\,w\,x$ ${} - \log\left(1 + e^{w\,x}\right)$" in table
    assert "✗ REFUTED" in table


def test_every_kind_of_line_is_shown_as_it_was_typed() -> None:
    lines = ["3w·x²", "= 3 w x^2", "d2/dx2: 6w", "w := 2: 12", "2w > w iff w > 0", "|w|² = w²"]
    d = typed("\n".join(lines), symbols={"w x": "real"})
    assert [line.text for line in d.lines] == lines
    assert d.holds


def test_a_slip_is_told_without_a_sign_that_nobody_typed() -> None:
    d = typed("(w + x)²\n= w² + wx + x²", symbols=SYMBOLS)
    assert "a factor 2 is missing at w·x" in repr(d)


def test_the_line_after_one_that_cannot_be_read_is_not_called_wrong() -> None:
    d = typed("w*x\n<= w*x + ♥\n= w*x + 1\n= w*x + 2", symbols=SYMBOLS)
    assert statuses(d) == ["", "INVALID", "UNDECIDED", "REFUTED"]
    assert "could not be read" in str(d.verdicts[2])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("= 2pq   multiply out", "put a # before it: `= 2pq  # multiply out`"),
        ("<= 1 - p + (2p - 1)   because q <= 1", "`<= 1 - p + (2p - 1)  # because q <= 1`"),
        ("= p = q", "write a line for each relation"),
        ("=< p", "`=<` is written `<=`"),
        ("=> p", "write `>=`"),
        ("1. = p", "leave out the number 1.: write `= p`"),
        ("2) <= p", "leave out the number 2): write `<= p`"),
        ("= E**p", "the number is e"),
        ("= 1/[p*q]", "round ones group"),
        ("= 2[p - q]", "a factor stands in round brackets"),
        ("= exp -p", "exp(...)"),
        ("= u_1p", "an entry is u[...]"),
        ("= sum(u[i], i, 0, N)", "entries are counted from 1"),
        ("= sum(u[i]*(u - 1), i, 1, N)", "u is the whole vector: write u[i]"),
        ("= 2♥", "'♥'"),
    ],
)
def test_a_line_that_cannot_be_read_hears_what_to_type(line: str, told: str) -> None:
    d = typed(f"p*q\n{line}", symbols={"p q": "probability", "u": "vector N"})
    (found,) = [one for one in d.verdicts if one]
    assert (found.status, d.lines[1].text) == (Status.INVALID, line)
    assert told in found.reason


def test_a_word_says_under_the_mouse_what_it_means() -> None:
    d = Derivation("Sizes", symbols={"x": "vector N", "a": "positive"}, sizes={"N": (1, 2)})
    d.line("logsumexp(x)").line("log(sum(exp(x)))").line("logsumexp(x) + 1").line("(")
    titles = re.findall(r'<abbr title="([^"]*)">([^<]*)</abbr>', d._repr_markdown_())
    told = {word: meaning for meaning, word in titles}
    assert "of other sizes nothing is said" in told["✓ PROVED for N = 1, 2"]
    assert "at N = 2; it was asked at no other sizes" in told["✓ SymPy (N = 2)"]
    assert told["✗ REFUTED"] == "false at the point that is named"
    assert "cannot be read" in told["✗ INVALID"]


def test_what_the_names_are_stands_under_the_title() -> None:
    d = Derivation(
        "t", symbols={"x": "real", "n_1": "positive"}, where={"z": "2*x"}, given=["z > 0"]
    )
    d.line("z")
    assert str(d).splitlines()[1].strip() == "for x: real; n_1: positive; z = 2*x; given z > 0"
    shown = "for $x$: real; $n_{1}$: positive; $z$ $= 2\\,x$; given $z$ $> 0$"
    assert d._repr_markdown_().splitlines()[2] == shown


def test_a_line_is_asked_of_each_judge_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    ask = Process.ask

    def counted(process: Process, question: Message, seconds: float) -> Message | None:
        asked.append(question["rhs"])
        return ask(process, question, seconds)

    monkeypatch.setattr(Process, "ask", counted)
    for last in ("3 - 2", "3 - 1"):
        Derivation("", v="real").line("5*v").line("4*v + v").line(f"5*v + {last}").text()
    assert sorted(set(asked)) == sorted(["5*v", "4*v + v", "5*v + 3 - 2", "5*v + 3 - 1"])
    assert len(asked) == 1 + 2 + 2 + 2  # the start is put to the first judge only
