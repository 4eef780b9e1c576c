"""Derivations written as one text: what is read, what is refused with its line, the command."""

from __future__ import annotations

import doctest
import io
import re
import subprocess
import sys
from pathlib import Path

import pytest

import linecheck
from linecheck import derive
from linecheck.__main__ import main
from linecheck.derivation.text import TextError, read
from linecheck.judge.verdicts import Status

README = (Path(linecheck.__file__).parent / "README.md").read_text(encoding="utf-8")
GRADIENT = """
The gradient of the log-likelihood      # of all examples
X: matrix N d    w: vector d    y: label01 vector N
sizes: N = 1, 2; d = 2

sum(y[i]*dot(X[i], w) - log(1 + exp(dot(X[i], w))), i, 1, N)   # the log-likelihood
d/dw: sum((y[i] - sigma(dot(X[i], w)))*X[i], i, 1, N)          # chain rule
= T(X) @ (y - sigma(X @ w))                                    # rows with weights: a product
"""


def statuses(text: str) -> list[str]:
    """The verdicts on the lines after a line of declarations; nothing for a line that starts."""
    return [str(found.status) if found else "" for found in derive(text).verdicts]


def test_the_parts_of_a_text_are_told_apart() -> None:
    parts = read(GRADIENT)
    assert parts.title == "The gradient of the log-likelihood"
    assert parts.symbols == {"X": "matrix N d", "w": "vector d", "y": "label01 vector N"}
    assert parts.sizes == {"N": (1, 2), "d": (2,)}
    assert [line.number for line in parts.lines] == [6, 7, 8]
    assert [line.because for line in parts.lines][1:] == [
        "chain rule", "rows with weights: a product",
    ]  # fmt: skip
    assert statuses(GRADIENT) == ["", "PROVED", "PROVED"]


def test_declarations_stand_on_one_line_or_on_several() -> None:
    apart = read("t\na, b: real\n# a remark\nc: {1, 2, 5}; d: open interval 0 1\n\na")
    assert apart.symbols == {
        "a": "real", "b": "real", "c": "{1, 2, 5}", "d": "open interval 0 1",
    }  # fmt: skip
    assert read("t\na b: real  c: {1, 2, 5}\td: (0, 1)\n\na").symbols.keys() == apart.symbols.keys()


def test_what_holds_for_all_lines_stands_before_them() -> None:
    assert statuses("t\nx: real\nlet z = 2*x\ngiven: x > 0\n\n0 < z") == ["PROVED"]
    assert statuses("t\nx: real\nlet z = 2*x\n\n0 < z") == ["REFUTED"]
    assert statuses("t\nx: vector 3\nindex: 0\n\nx[1] + x[2]\n= sum(x) - x[0]") == ["", "PROVED"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("x*y\nx := 2, y := x: 2*x", ["", "PROVED"]),  # both at once
        ("x*y\nx := 2, y := x: 4", ["", "REFUTED"]),
        ("x*y\nat x = 2, y = x: 2*x", ["", "PROVED"]),
        ("x*y\nat y=x*2 : 2*x**2\n>= 0", ["", "PROVED", "PROVED"]),
        ("x*y\nat x = 2: 2", ["", "REFUTED"]),
        ("x*y\nat x == 2: 2*y", ["", "INVALID"]),
        ("t**2\nE over t {0: 1 - p, 1: p}: p", ["", "PROVED"]),
        ("t**2\nE over t {0: 1 - p, 1: p}: p**2", ["", "REFUTED"]),
        ("E(t, t, {max(0, 1): 1})\n= 1", ["", "PROVED"]),
        ("2*x > 2*y iff x > y", ["PROVED"]),
        ("x**2 > y**2 iff x > y", ["REFUTED"]),
        ("x > 1 implies x > 0", ["PROVED"]),
        ("x > 0 implies x > 1", ["REFUTED"]),
        ("x*y > 0 if x > 0 and y > 0", ["PROVED"]),
        ("x*y > 0 if x > 0", ["REFUTED"]),
        ("x*y\n>= 0 if x > 0 and y > 0\n>= -1", ["", "PROVED", "PROVED"]),
        ("x*y > 0 iff x > 0 if y > 0", ["PROVED"]),
        ("x if x > 0 else 0", ["INVALID"]),
        ("x\n= x + 0\n\ny\n= 2*y - y", ["", "PROVED", "", "PROVED"]),
        ("given: x > 0\nx > -1", ["PROVED"]),
    ],
)
def test_each_kind_of_line_is_judged(lines: str, expected: list[str]) -> None:
    assert statuses(f"t\nx y: real  p: probability  t: label01\n\n{lines}") == expected


def test_a_witness_gives_no_second_value_to_what_the_line_puts_in() -> None:
    assert "at y = 1: left" in str(derive("t\nx y: real\n\nx*y\nat x = 2: 3*y"))
    assert "at x = 1, y = 1: left" in str(derive("t\nx y: real\n\nx*y\nat x = 2*x: x*y"))


def test_a_hypothesis_of_one_line_is_shown_with_it_and_holds_there_only() -> None:
    d = derive("t\nx: real\n\nx\n>= 0 if x > 0\n>= 0*x")
    assert str(d).splitlines()[3].startswith("  2  >= 0   if x > 0")
    assert statuses("t\nx: real\n\nx\n>= 0 if x > 0\n\nx\n>= 0") == ["", "PROVED", "", "REFUTED"]


@pytest.mark.parametrize(
    ("text", "number", "part"),
    [
        ("", 1, "found an empty text"),
        ("\n# a remark\n", 1, "found an empty text"),
        ("x: real\n\nx", 1, "expected a title"),
        ("t\n= x", 2, "found '= x'"),
        ("t\nx: real\nx**2", 3, "found 'x**2'"),
        ("t\nd/dw: x\n\nx", 2, "found 'd/dw: x'"),
        ("t\nx: reel\n\nx", 2, "reel"),
        ("t\n\n", 2, "found the end"),
        ("t\nx: real", 2, "found the end"),
        ("t\nx: real y: real\n\nx", 2, "two spaces or a semicolon"),
        ("t\nx: real\ny x: real\n\nx", 3, "x is declared twice"),
        ("t\nlet z = 1\nlet z = 2\n\nz", 3, "z is declared twice"),
        ("t\nx:\n\nx", 2, "empty"),
        ("t\nsizes: N\n\n1", 2, "found 'N'"),
        ("t\nsizes: N = 0\n\n1", 2, "found 'N = 0'"),
        ("t\nindex: 2\n\n1", 2, "found '2'"),
        ("t\n\n" + "1\n" * 61, 63, "at most 60"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(text: str, number: int, part: str) -> None:
    with pytest.raises(TextError, match=re.escape(part)) as refused:
        read(text)
    assert refused.value.number == number
    assert str(refused.value).startswith(f"line {number}: ")


def test_a_title_may_hold_a_colon() -> None:
    assert read("Softmax: the gradient\n\n1").title == "Softmax: the gradient"


def test_only_a_text_is_read() -> None:
    with pytest.raises(TypeError, match="found list"):
        read(["t"])  # type: ignore[arg-type]


# The command ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "code"), [("1 + 1\n= 2", 0), ("1 + 1\n= 3", 1), ("1 + 1\n= (", 1), ("1\n= x", 1)]
)
def test_the_command_ends_with_what_it_found(lines: str, code: int, tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_text(f"t\n\n{lines}\n", encoding="utf-8")
    assert main([str(path)]) == code


def test_the_command_numbers_lines_as_the_file_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "t\nx: real\n\nlet z = x²   # short\n# nothing\nz·z\n= x^4\n= x**3\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert main(["-"]) == 1
    rows = capsys.readouterr().out.splitlines()
    assert rows[:4] == ["t", "   6  z·z", "   7  = x^4   PROVED", "   8  = x**3  REFUTED"]
    assert rows[4].startswith("      at x = ")
    assert rows[5:] == ["2 judged, 1 holds"]


@pytest.mark.parametrize(
    ("content", "part"),
    [(None, "No such file"), (b"t\n\xff", "UTF-8"), (b"t\nx: reel\n\nx", ", line 2: ")],
)
def test_a_file_that_cannot_be_read_is_refused_in_one_line(
    content: bytes | None, part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "lines.txt"
    if content is not None:
        path.write_bytes(content)
    assert main([str(path)]) == 2
    told = capsys.readouterr().err
    assert part in told
    assert told.startswith(str(path))
    assert len(told.splitlines()) == 1


# The page for people who never saw the course --------------------------------------------------


def test_the_first_verdict_of_the_readme_is_what_the_command_prints(tmp_path: Path) -> None:
    file, printed = re.findall(r"```(?:text)?\n(.*?)```", README, re.S)[:2]
    (tmp_path / "square.txt").write_text(file, encoding="utf-8")
    made = subprocess.run(
        [sys.executable, "-m", "linecheck", "square.txt"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
    )
    assert (made.returncode, made.stdout, made.stderr) == (1, printed, "")


def test_the_examples_of_the_readme_print_what_they_say() -> None:
    test = doctest.DocTestParser().get_doctest(README, {}, "README", None, None)
    told: list[str] = []
    assert doctest.DocTestRunner().run(test, out=told.append).attempted >= 3
    assert "".join(told) == ""


def test_the_readme_names_every_verdict_and_shows_lines_that_are_read() -> None:
    assert set(Status) <= set(re.findall(r"^\| ([A-Z]+) \|", README, re.M))
    declared = re.search(r"`(x w: vector d; .*?)`", README)
    assert declared is not None
    read(f"t\n{declared[1]}\n\n1")
    shown = re.findall(r"^\| `([^`]+)`[^|]*\|", README, re.M)
    start = "t\nx: real  w y: positive  a b: real  p: probability\n\n"
    for line in shown:
        before = {"d/dw:": "w**2\n", "at": "5*x + 5*y\n", "E": "y\n", "=": "x + x\n"}
        line = f"{before.get(line.split()[0], '')}{line}"
        assert statuses(f"{start}{line}")[-1] == "PROVED", line
