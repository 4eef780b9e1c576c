"""Lines as people type them who have not read the help: accepted, or mended by their message."""

from pathlib import Path

import pytest

from linecheck.derivation.lines import Line
from tests.proof_recorder import typed as derivation

DATA = Path(__file__).parent / "data" / "typed_lines.txt"


def typed():
    """(symbols, line, what its message says to type or None where it is accepted), and likewise
    (symbols, line, the two readings that its message offers)."""
    symbols, rows, doubtful = {}, [], []
    for line in DATA.read_text(encoding="utf-8").splitlines():
        if line.startswith("@"):
            pairs = (pair.split(":", 1) for pair in line[1:].split(";"))
            symbols = {name.strip(): domain.strip() for name, domain in pairs}
        elif line.startswith("->"):
            rows[-1] = (*rows[-1][:2], line[2:].strip())
        elif line.startswith("?>"):
            readings = tuple(one.strip() for one in line[2:].rsplit(" | ", 1))
            doubtful.append((*rows.pop()[:2], readings))
        elif line and not line.startswith("#"):
            rows.append((symbols, line, None))
    return rows, doubtful


ROWS, DOUBTFUL = typed()


def judged(line: str, symbols: dict[str, str]) -> tuple[Line, ...]:
    return derivation(line, symbols=symbols).lines


def told(lines: tuple[Line, ...]) -> str:
    found = [str(one.verdict.status) for one in lines if one.verdict is not None]
    return "INVALID" if not found or "INVALID" in found else found[-1]


def status(line: str, symbols: dict[str, str]) -> str:
    return told(judged(line, symbols))


def test_at_most_fifteen_of_a_hundred_lines_are_refused() -> None:
    assert len(ROWS) >= 150
    assert sum(mended is not None for *_, mended in ROWS) <= 0.15 * len(ROWS)


@pytest.mark.parametrize(("symbols", "line", "mended"), ROWS, ids=[row[1] for row in ROWS])
def test_a_line_is_shown_as_it_was_typed_and_read_or_mended(symbols, line, mended) -> None:
    found = judged(line, symbols)
    assert found[-1].text.split() == line.split()
    assert (told(found) == "INVALID") == (mended is not None)
    if mended:
        assert status(mended, symbols) in ("PROVED", "REFUTED")


@pytest.mark.parametrize(("symbols", "line", "readings"), DOUBTFUL, ids=[r[1] for r in DOUBTFUL])
def test_what_can_be_read_in_two_ways_is_refused_with_both(symbols, line, readings) -> None:
    (found,) = judged(line, symbols)
    assert found.verdict.status == "INVALID"
    first, second = readings
    assert f"can mean two things: write `{first}` or `{second}`" in found.verdict.reason
    for reading in readings:
        assert status(f"{reading} = {reading}", symbols) in ("PROVED", "DOMAIN")
    assert status(f"{first} = {second}", symbols) != "PROVED"


ONE_WAY = [row for row in ROWS[153:] if row[2] is None]


@pytest.mark.parametrize(("symbols", "line", "mended"), ONE_WAY, ids=[row[1] for row in ONE_WAY])
def test_what_everybody_reads_in_one_way_is_read_so(symbols, line, mended) -> None:
    assert status(line, symbols) == "PROVED"


@pytest.mark.parametrize(
    ("line", "right", "wrong"),
    [
        ("ab^2", "a*b**2", "(a*b)**2"),
        ("3a^2b", "3*a**2*b", "3*a**(2*b)"),
        ("||w|| ||x||", "norm(w)*norm(x)", "norm(w)"),
        ("|a||b|", "abs(a)*abs(b)", "a*b"),
        ("log p - log q", "log(p) - log(q)", "log(p - log(q))"),
        ("np.linalg.norm(w)", "sqrt(dot(w, w))", "sum(w)"),
        ("1e-12 + 2e3", "2000 + 1/10**12", "e - 12 + 2*e**3"),
        ("(ab)^2", "(a*b)**2", "a*b**2"),
        ("p^y(1-p)^(1-y)", "y*p + (1 - y)*(1 - p)", "p**(y*(1 - p)**(1 - y))"),
        ("-a^2", "-(a**2)", "(-a)**2"),
        ("x[0] + x[2]", "x[0] + x[2]", "x[1] + x[2]"),
        ("|w^T x|", "abs(dot(w, x))", "dot(w, x)"),
        ("norm(x, 1)", "abs(x[1]) + abs(x[2]) + abs(x[3])", "norm(x)"),
        ("norm(x, inf)", "max(abs(x[1]), abs(x[2]), abs(x[3]))", "max(x)"),
        ("Var(x)", "mean(x**2) - mean(x)**2", "mean(x**2)"),
        ("Cov(x, w)", "mean(x*w) - mean(x)*mean(w)", "mean(x*w)"),
        ("erf(a)", "1 - 2*Phi(-sqrt(2)*a)", "2*Phi(a) - 1"),
        ("|A|", "A[1, 1]*A[2, 2] - A[1, 2]*A[2, 1]", "trace(A)"),
        ("A'", "T(A)", "A"),
        ("S^{-1} S", "eye(2)", "2*eye(2)"),
        ("σ'(a)", "sigma(a)*(1 - sigma(a))", "sigma(a)"),
        ("sum_{i=1}^3 w_i x_i", "dot(w, x)", "sum(w)"),
    ],
)
def test_what_is_typed_has_the_meaning_it_has_on_paper(line, right, wrong) -> None:
    symbols = {
        "a b": "real", "p q": "probability", "y": "label01", "x w": "vector 3",
        "A": "matrix 2 2", "S": "spd 2",
    }  # fmt: skip
    assert status(f"{line} = {right}", symbols) == "PROVED"
    assert status(f"{line} = {wrong}", symbols) == "REFUTED"


def test_counting_from_zero_is_declared_or_seen_in_the_line() -> None:
    vector = {"x": "vector 3"}
    assert status("x[0] + x[1] + x[2] == sum(x)", vector) == "PROVED"
    assert status("x[1] + x[2] == sum(x) - x[0]", vector) == "PROVED"
    assert status("x[1] + x[2] == sum(x) - x[3]", vector) == "PROVED"
    chain = "x[1] + x[2]\n= sum(x) - x[0]"
    assert status(chain, vector) == "INVALID"  # the line before counted from 1
    assert status(chain, {**vector, "index": "0"}) == "PROVED"
