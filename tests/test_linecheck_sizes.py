"""What a proof at small sizes says about all of them, and what it does not."""

from __future__ import annotations

import pytest

from linecheck import Derivation, Verdict, verdict
from linecheck.judge.verdicts import Status
from tests.proof_recorder import seen

SYMBOLS = {"x y": "vector N", "t": "label01 vector N", "p": "positive vector N",
           "X": "matrix N d", "w v": "vector d",
           "S": "spd 2", "N d": "size"}  # fmt: skip


def ask(lhs: str, relation: str, rhs: str, **more: str) -> Verdict:
    return verdict(lhs, rhs, {**SYMBOLS, **more}, relation)


EVERY_SIZE = [
    # inner products of m vectors: size m is enough
    ("dot(x, y)**2", "<=", "dot(x, x)*dot(y, y)"),
    ("norm(w + v)", "<=", "norm(w) + norm(v)"),
    ("norm(w - v)**2", "==", "norm(w)**2 - 2*dot(w, v) + norm(v)**2"),
    ("diff(norm(w - v)**2, w)", "==", "2*(w - v)"),
    # sums of products: as many sizes as indices meet in one term
    ("sum(x[i]**2, i, 1, N)", "==", "dot(x, x)"),
    ("sum(x)**2", "==", "dot(x, x) + 2*sum(sum(x[i]*x[j], j, 1, N, j > i), i, 1, N)"),
    ("sum(x)**2", "==", "sum(sum(x[i]*x[j], j, 1, N), i, 1, N)"),
    ("dot(X @ w, X @ w)", "==", "dot(w, T(X) @ X @ w)"),
    ("diff(sum(log(1 + exp(x[i])), i, 1, N), x)", "==", "sigma(x)"),
    # the size and the indices as numbers: one size more for each degree
    ("sum(1, i, 1, N)", "==", "N"),
    ("sum(i, i, 1, N)", "==", "N*(N + 1)/2"),
    ("sum(x[i] - mean(x), i, 1, N)", "==", "0"),
    ("sum((x[i] - mean(x))**2, i, 1, N)", "==", "dot(x, x) - N*mean(x)**2"),
    ("sum(x[i] for i in range(N))", "==", "sum(x)"),
    # sums of what holds at one index
    ("sum(x[i]**2, i, 1, N)", ">=", "sum(2*x[i] - 1, i, 1, N)"),
    ("sum(p[i]*log(p[i]), i, 1, N)", ">=", "sum(p[i] - 1, i, 1, N)"),
]
SOME_SIZES = [  # true for every size, and proved for the sizes named
    ("sum(x)**2", "<=", "N*dot(x, x)"),
    ("norm(x)", "<=", "sum(abs(x[i]), i, 1, N)"),
    ("sum(p)**2", ">=", "dot(p, p)"),
    ("logsumexp(x)", ">=", "max(x)"),
    ("log(prod(p[i], i, 1, N))", "==", "sum(log(p[i]), i, 1, N)"),
    ("sum(softmax(x)[i], i, 1, N)", "==", "1"),
    ("sum(x[i], i, 1, N, i != 2)*1", "==", "sum(x[i]*(1 - indicator(i == 2)), i, 1, N)"),
]
ONES = "dot(ones(N), ones(N))"  # N, in disguise
FALSE_FAR_OUT = [  # true for N = 1 to 4
    ("sum(x)**2", "<=", "8*dot(x, x)"),
    ("sum(x)**2", "<=", "2**3*dot(x, x)"),
    ("norm(x)", ">=", "sum(abs(x[i]), i, 1, N)/3"),
    ("logsumexp(x)", "<=", "max(x) + log(9)"),
    ("sum(x[i], i, 1, N, i > 7)", "==", "0"),
    ("sum(x[i], i, 1, N, i > 30)", "==", "0"),
    ("sum(delta(i, 9), i, 1, N)", "==", "0"),
    ("sum(indicator(i == 12)*x[i], i, 1, N)", "==", "0"),
    ("sum(x[i]*x[i], i, 1, N, i <= 5)", "==", "dot(x, x)"),
    ("sum(i*(i - 1)*(i - 2)*(i - 3)*(i - 4), i, 1, N)", "==", "0"),
    ("sum((i - 1)*(i - 2)*(i - 3)*(i - 4)*x[i]**2, i, 1, N)", "==", "0"),
    (f"({ONES} - 1)*({ONES} - 2)*({ONES} - 3)*({ONES} - 4)", "==", "0"),
    ("(sum(ones(N, N)) - 1)*(sum(ones(N, N)) - 4)*(N - 3)*(N - 4)", "==", "0"),
    ("sum(outer(t, t))", "<=", "5*sum(t)"),
    ("sum(sum(t[i], i, 1, N) - 5, j, 1, 1)", "<=", "0"),
    (
        "(1 - sum(1 - t))*(2 - sum(1 - t))*(3 - sum(1 - t))*(4 - sum(1 - t))/24",
        "==",
        "indicator(t == 1)",
    ),
    ("delta(N, 29)", "==", "0"),
    ("min(sum(t[i], i, 1, N), 25)", "==", "sum(t[i], i, 1, N)"),
    ("sum(x[i], i, 1, min(N, 30))", "==", "sum(x)"),
]


@pytest.mark.parametrize(("lhs", "relation", "rhs"), EVERY_SIZE)
def test_a_proof_for_every_size_names_none(lhs: str, relation: str, rhs: str) -> None:
    found = ask(lhs, relation, rhs)
    assert (found.told, found.holds) == ("PROVED", True)


@pytest.mark.parametrize(("lhs", "relation", "rhs"), SOME_SIZES)
def test_a_proof_for_some_sizes_says_which(lhs: str, relation: str, rhs: str) -> None:
    found = ask(lhs, relation, rhs)
    assert found.told == "PROVED for N = 1, 2, 3, 4"
    assert found.holds == (relation == "==")


@pytest.mark.slow
@pytest.mark.parametrize(("lhs", "relation", "rhs"), FALSE_FAR_OUT)
def test_what_fails_at_a_larger_size_is_refuted_there(lhs: str, relation: str, rhs: str) -> None:
    found = ask(lhs, relation, rhs)
    assert found.status is Status.REFUTED, found
    assert found.witness is not None
    assert int(dict(found.witness.point)["N"]) > 4


def test_a_number_that_is_hidden_from_the_samples_is_not_believed() -> None:
    for condition in ("i > 10**2", "i > 61", "2*i > 130"):
        found = ask(f"sum(x[i], i, 1, N, {condition})", "==", "0")
        assert not found.holds, found


COMPARED = [  # with a number that no size tried comes near, openly or in disguise
    "max(N - 1000, 0)*x[1]", "x[1]*indicator(N >= 770)", "sum(x) - sum(x[i], i, 1, min(N, 900))",
    "min(sum(t), 900) - sum(t)", "indicator(sum(t) > 990)", "0**((sum(t) - 90)**2)",
    "relu(dot(ones(N), ones(N)) - 90)", "binomial(N - 1, 90)*x[1]", "prod(N - k, k, 1, 190)*x[1]",
    "sum(delta(i, 870)*x[i], i, 1, N)", "max(sum(x[i] - x[i] + 1, i, 1, N) - 700, 0)",
]  # fmt: skip


@pytest.mark.parametrize("side", COMPARED)
def test_a_size_that_is_compared_with_a_far_number_is_not_believed(side: str) -> None:
    found = ask(side, "==", "0")
    assert (found.told, found.holds) == ("PROVED for N = 1, 2, 3, 4", False)


def test_what_needs_a_small_dimension_is_not_believed() -> None:
    """The elementary symmetric function e6 of the eigenvalues, by Newton: 0 up to size 5."""
    powers = [f"trace({'@'.join('M' * k)})" for k in range(1, 7)]
    functions = ["1"]
    for k in range(1, 7):
        terms = (
            f"({functions[k - j]})*{'-' * (j % 2 == 0)}{powers[j - 1]}" for j in range(1, k + 1)
        )
        functions.append(f"({' + '.join(terms)})/{k}")
    symbols = {"M": "matrix n n"}
    assert verdict(functions[4], "0", symbols).status is Status.REFUTED
    assert not verdict(functions[6], "0", symbols).holds
    of_gram = functions[6].replace("M", "(T(X)@X)")  # no proof at all, and 0 wherever it is looked
    assert not verdict(of_gram, "0", {"X": "matrix k n"}).holds


def test_a_hypothesis_that_small_sizes_cannot_meet_is_no_proof() -> None:
    for given in ("sum(t) == 40 or a == 0", "a*(sum(t) - 30) == 0"):
        assert not verdict("a", "0", {**SYMBOLS, "a": "real"}, given=[given]).holds


@pytest.mark.parametrize("given", ["N >= 2", "a == mean(y)", "sum(p) == 1"])
def test_a_hypothesis_that_every_size_can_meet_leaves_an_equation_its_belief(given: str) -> None:
    found = verdict("sum(2*x)", "2*sum(x)", {**SYMBOLS, "a": "real"}, given=[given])
    assert found.holds


def test_sizes_that_begin_later_are_sampled_far_as_well() -> None:
    found = ask("sum(x)**2", "<=", "12*dot(x, x)", N="size 2..")
    assert found.status is Status.REFUTED
    assert ask("dot(x, y)**2", "<=", "dot(x, x)*dot(y, y)", N="size 2..").told == "PROVED"


def test_sizes_with_an_end_are_all_that_is_claimed() -> None:
    found = ask("sum(x)**2", "<=", "4*dot(x, x)", N="size 2..4")
    assert (found.told, found.holds) == ("PROVED for N = 2, 3, 4", True)
    asked = verdict("sum(x)**2", "3*dot(x, x)", SYMBOLS, "<=", sizes={"N": (2, 3)})
    assert (asked.told, asked.holds) == ("PROVED for N = 2, 3", True)


def test_table_and_text_name_the_sizes() -> None:
    d = Derivation("Lengths", symbols=SYMBOLS)
    d.claim("sum(x)**2", "N*dot(x, x)", relation="<=").claim("logsumexp(x)", "log(sum(exp(x)))")
    shown = seen(d)
    assert "? PROVED for N = 1, 2, 3, 4: " in shown
    assert "✓ PROVED for N = 1, 2, 3, 4 · " in shown
    assert "PROVED for N = 1, 2, 3, 4" in str(d)
    assert not d.holds
