"""A failure of the judge itself: told as such, kept in a file, never counted against anybody."""

from __future__ import annotations

import os
import random
import signal
import threading
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import psutil
import pytest

from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.registry import find
from linecheck import Derivation, Verdict, verdict
from linecheck.expand.request import Request
from linecheck.judge import engine, failures
from linecheck.judge.engine import decide
from linecheck.judge.verdicts import Status
from linecheck.language import parser
from linecheck.language.forms import compared_form
from linecheck.language.latex import latex
from linecheck.language.terms import LineError
from linecheck.process import Process
from tests.proof_recorder import seen

SYMBOLS = {"x": "real", "Σ": "spd 2"}


@pytest.fixture
def judge_may_fail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The judge fails on a line that holds 13; the folder in which such lines are kept."""
    right = engine.read

    def failing(request: Request) -> engine.ParsedStep:
        if "13" in request.lhs + request.rhs:
            raise KeyError("a defect")
        return right(request)

    monkeypatch.setattr(engine, "read", failing)
    monkeypatch.setattr(Process, "ask", lambda *_: None)
    monkeypatch.setattr(failures, "_folder", [lambda: tmp_path / "progress"])
    return tmp_path / "progress"


def test_a_failure_is_told_and_kept_in_a_file_with_all_that_is_needed(judge_may_fail) -> None:
    found = verdict("x + 13", "13 + x", SYMBOLS, given=["x > 0"])
    assert (found.status, found.holds) == (Status.INTERNAL, False)
    assert "the judge itself failed on this line; it does not count against you" in found.reason
    (path,) = judge_may_fail.iterdir()
    assert str(path) in found.reason
    kept = path.read_text(encoding="utf-8")
    for part in ("x + 13", "13 + x", "x > 0", "spd 2", "lectures-lib ", "Python 3", "KeyError"):
        assert part in kept
    verdict("x + 13", "13 + x", SYMBOLS, given=["x > 0"])
    assert list(judge_may_fail.iterdir()) == [path]  # the same line once


def test_what_cannot_be_written_is_told_all_the_same(judge_may_fail, monkeypatch) -> None:
    blocked = judge_may_fail.with_name("file")
    blocked.write_text("")
    for folder in (lambda: blocked / "progress", lambda: 1 / 0):
        monkeypatch.setattr(failures, "_folder", [folder])
        found = verdict("x", "13", SYMBOLS)
        assert (found.status, found.reason) == (Status.INTERNAL, failures.FAILED)


def test_beyond_the_limits_is_said_of_limits_only(judge_may_fail, monkeypatch) -> None:
    for problem in (RecursionError, MemoryError, OverflowError):
        monkeypatch.setattr(
            engine, "read", lambda _, problem=problem: (_ for _ in ()).throw(problem)
        )
        assert verdict("x", "x", SYMBOLS) == Verdict(
            Status.UNDECIDED, "the line is beyond the limits"
        )


def test_a_derivation_goes_on_behind_such_a_line(judge_may_fail) -> None:
    d = Derivation("", symbols=SYMBOLS).line("x").line("x + 13 - 13").line("x + 0*x")
    told = [str(found.status) for found in d.verdicts if found]
    assert told == ["INTERNAL", "INTERNAL"]  # the next line is compared with it
    assert "? INTERNAL: the judge itself failed" in seen(d)
    assert not d.holds


def test_an_exercise_is_not_decided_and_nothing_is_called_wrong(judge_may_fail) -> None:
    lines = "= 2*p*(1 - p) + 0*log(13)\n= 2*p - 2*p**2\n<= 2*p"
    outcome = evaluate(find("decision_theory.twice"), (lines,))
    told = repr(outcome)
    assert outcome.status == "not decided", told
    assert "it does not count against you" in told
    assert "does not hold" not in told


@pytest.mark.skipif(os.name == "nt", reason="no process is ended by a signal there")
@pytest.mark.parametrize(
    ("ended_by", "status"), [("SIGSEGV", Status.INTERNAL), ("SIGKILL", Status.UNDECIDED)]
)
def test_a_process_that_comes_down_is_a_failure_unless_the_system_ended_it(
    ended_by, status, monkeypatch, tmp_path
) -> None:
    monkeypatch.setattr("linecheck.judge.ask.kept", lambda request, trace: trace)
    assert verdict("x", "x", SYMBOLS).status == Status.PROVED
    mine = psutil.Process().children()
    (worker,) = [one for one in mine if any("linecheck.judge" in word for word in one.cmdline())]
    threading.Timer(0.3, lambda: os.kill(worker.pid, getattr(signal, ended_by))).start()
    product = "prod(1 + exp(k*x) + x**k + exp(-x*k**2), k, 1, 120)"
    found = verdict(product, f"{product}*(1 + exp(-x**2 - 10**4))", SYMBOLS, seconds=20)
    assert found.status == status
    assert verdict("x", "x", SYMBOLS).status == Status.PROVED


# ------------------------------------------------- no line that can be thought of is one of these

DECLARED = {
    "x b": "real", "a": "positive", "p": "probability", "y": "label01", "s": "sign",
    "v w": "vector 2", "u": "vector N", "A": "matrix 2 2", "S": "spd 2", "k": "int 1..3",
    "q": "simplex 3",
}  # fmt: skip
ATOMS = [
    *"xbapysvwuASkq012", "N", "-1", "e", "pi", "0.5", "i", "[1, x]", "[[1, 0], [0, b]]",
    "undeclared", "{0: 1 - p, 1: p}", "x > 0", "inf", "I", "E", "T",
]  # fmt: skip
NAMED = sorted({*parser._FUNCTIONS, *(name for name, _ in parser._DEFINED)})
FORMS = (
    "-{}", "-({})", "({} + {})", "{} - {}", "{}*{}", "({})/({})", "({})**{}", "{} @ {}", "({})[{}]",
    "({})[{}, {}]", "({}).T", "sum({}, i, 1, {})", "prod({}, i, {}, {})", "max({}, i, 1, 3)",
    "sum({}, i, 1, N, i != 2)", "subs({}, {}, {})", "subs({}, {{{}: {}}})", "E({}, y, {})",
    "diff({}, {})", "diff({}, {}, {})", "{} < {}", "{} == {} and {} >= 0", "not {}", "|{}|",
    "{} {}", "2{}", "{}²", "{}^{}", "log {}", "√{}", "{}'", "d/dx {}", "sum_{{i=1}}^N {}", "½{}",
    "<{}, {}>",
)  # fmt: skip


def any_line(rng: random.Random, depth: int = 3) -> str:
    """A line that is well-formed, or nearly so."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(ATOMS)
    form = rng.choice(FORMS)
    if rng.random() < 0.3:
        name = rng.choice(NAMED)
        fewest, most = parser._FUNCTIONS.get(name, (1, 1))
        form = f"{name}({', '.join(['{}'] * min(rng.randint(fewest, most), 3))})"
    count = form.replace("{{", "").replace("}}", "").count("{}")
    text = form.format(*(any_line(rng, depth - 1) for _ in range(count)))
    at = rng.randrange(len(text) + 1)
    return text if rng.random() < 0.95 else text[:at] + rng.choice("()[]|+-*=<,'_ ") + text[at:]


def failing_lines(seed: int, count: int) -> list[str]:
    """The lines, of so many, on which the judge or the reader fails."""
    rng, found = random.Random(seed), []
    for _ in range(count):
        left, right = any_line(rng), any_line(rng, 2)
        derivative = rng.choice([None, None, None, "x", "v", "x,b", "u[1]", "-x", "N"])
        relation = rng.choice(["==", "==", "<=", "!=", "iff"])
        asked = Request(left, rng.choice([left, right]), DECLARED, relation, (), derivative)
        try:
            latex(left)
            with suppress(LineError):
                compared_form(left)
            said = decide(asked)
        except Exception as problem:
            found.append(f"{left}: {problem!r}")
            continue
        if said.status is Status.INTERNAL:
            found.append(f"{asdict(asked)}: {said.reason}")
    return found


def test_no_random_line_makes_the_judge_fail() -> None:
    assert not failing_lines(1, 400)


@pytest.mark.deep
def test_no_random_line_of_many_makes_the_judge_fail() -> None:
    assert not failing_lines(2, 8_000)


def test_an_entry_of_what_is_not_declared_is_no_failure() -> None:
    """A minus in front of it once was a KeyError."""
    found = verdict("-z[1] - z[2]", "sum(u)", {"u": "vector N"})
    assert found.status == Status.INVALID
    assert "z is not declared" in found.reason
    shown = Derivation("", symbols=DECLARED).line("subs(-(b)**x, -x)")
    assert [found.status for found in shown.verdicts if found] == [Status.INVALID]
    assert "$" in seen(shown)
