"""Lines that attack: each gets a verdict, none is evaluated, and the next line still works."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import psutil
import pytest

from linecheck import verdict
from linecheck.judge.verdicts import Status
from linecheck.process import Process

HOSTILE = {
    "import": "__import__('os').system('touch stolen')",
    "import without a call on it": '__import__("os")',
    "dunder": "().__class__.__bases__[0].__subclasses__()",
    "attribute": "x.real",
    "method": "x.conjugate()",
    "lambda": "(lambda: 1)()",
    "eval": "eval('1 + 1')",
    "open": "open('x')",
    "format": "'{0.__class__}'.format(x)",
    "format string": "f'{x}'",
    "walrus": "(x := 10**9)",
    "comprehension": "sum([1 for a in range(10**9)])",
    "nested comprehension": "sum(1 for a in range(10**9) for b in range(10**9))",
    "tower": "9**9**9",
    "tower of names": "x**x**x**x**x",
    "tower of exponentials": "exp(exp(exp(exp(exp(x)))))",
    "a hundred thousand characters": "x" * 100_000,
    "a long sum": "x" + " + x" * 1_300,
    "ten thousand brackets": "(" * 10_000 + "x" + ")" * 10_000,
    "ten thousand minus signs": "-" * 10_000 + "x",
    "two thousand minus signs": "-" * 2_000 + "x",
    "deep lists": "[" * 90 + "x" + "]" * 90,
    "deep powers": "x" + "**x" * 900,
    "deep calls": "exp(" * 80 + "x" + ")" * 80,
    "homoglyph minus": "x − 1",
    "homoglyph letter": "ехр(x)",
    "full width": "ｅｘｐ(x)",
    "null byte": "x\0",
    "lone surrogate": "x\ud800",
    "a giant number": "1" * 3_900,
    "a giant exponent": "1e999999999",
    "a giant power": "(10**300)**300",
    "a huge sum": "sum(i, i, 1, 10**9)",
    "nested sums": "sum(sum(sum(sum(i*j*k*l, i, 1, 200), j, 1, 200), k, 1, 200), l, 1, 200)",
    "a big product": "prod(1 + exp(k*x), k, 1, 60)",
    "a big power": "(1 + x + x**2)**5000",
    "a big determinant": "det(ones(9, 9))",
    "unbound index": "v[i]",
    "unbound name": "nothing + 1",
    "index out of range": "v[10**6]",
    "negative index": "v[-1]",
    "empty": "   ",
    "only a comment": "# x",
    "two statements": "x; x",
    "an assignment": "x = 1",
    "a factorial": "factorial(10**9)",
    "a binomial": "binomial(10**9, 10**8)",
    "a million": "sum(x, i, 1, 1000000)",
    "a string": "'x'",
    "bytes": "b'x'",
    "a number with an i": "3j",
    "true": "True",
    "ellipsis": "...",
    "yield": "(yield)",
    "await": "await x",
    "star": "max(*v)",
    "keyword": "max(x, key=x)",
    "set": "{x}",
    "slice": "v[:]",
    "condition": "x if x > 0 else 0",
    "self reference": "sum(i, i, 1, i)",
    "brackets that cross": "(x]",
}
SYMBOLS = {"x": "real", "v": "vector 3"}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_line_is_never_believed(name: str) -> None:
    found = verdict(HOSTILE[name], "0", SYMBOLS)
    assert not found.holds
    assert len(str(found)) < 2_000


@pytest.mark.parametrize("name", list(HOSTILE)[:12])
def test_a_hostile_hypothesis_domain_or_abbreviation_is_refused(name: str) -> None:
    line = HOSTILE[name]
    assert verdict("x", "x", SYMBOLS, given=[line]).status == Status.INVALID
    assert verdict("x", "x", {"x": line}).status == Status.INVALID
    assert verdict("x", "z", SYMBOLS, where={"z": line}).status == Status.INVALID
    assert verdict("x", "1", SYMBOLS, derivative=line).status == Status.INVALID


def test_nothing_is_evaluated(tmp_path: Path) -> None:
    mark = tmp_path / "stolen"
    line = f"__import__('pathlib').Path('{mark}').touch()"
    assert verdict(line, "0").status == Status.INVALID
    assert verdict("print(1)", "0").status == Status.INVALID
    assert not mark.exists()


# ----------------------------------------------------------------- the process that answers


@pytest.fixture
def worker() -> psutil.Process:
    """The process that answers, which has answered once."""
    assert verdict("x", "x", SYMBOLS).status == Status.PROVED
    mine = psutil.Process().children()
    (process,) = [one for one in mine if any(".judge." in word for word in one.cmdline())]
    return process


def halted(process: psutil.Process) -> None:
    process.suspend()
    while process.status() != psutil.STATUS_STOPPED:
        time.sleep(0.01)


def answers() -> bool:
    return verdict("x + x", "2*x", SYMBOLS).status == Status.PROVED


def test_work_that_takes_too_long_is_stopped_and_the_next_line_works(
    worker: psutil.Process,
) -> None:
    product = "prod(1 + exp(k*x) + x**k + exp(-x*k**2), k, 1, 120)"
    found = verdict(product, f"{product}*(1 + exp(-x**2 - 10**4))", SYMBOLS, seconds=0.1)
    assert found.status in (Status.UNDECIDED, Status.REFUTED), "what could be said until then"
    assert not worker.is_running()
    assert answers()


def test_a_worker_that_dies_is_reaped_at_once_and_replaced(worker: psutil.Process) -> None:
    """As a zombie it would keep a kernel that shuts down waiting."""
    worker.kill()
    limit = time.monotonic() + 60
    while psutil.pid_exists(worker.pid) and time.monotonic() < limit:
        time.sleep(0.01)
    assert not psutil.pid_exists(worker.pid)
    assert answers()


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no process can be halted here")
def test_time_in_which_others_have_the_processor_is_not_counted(worker: psutil.Process) -> None:
    halted(worker)
    threading.Timer(3.0, worker.resume).start()
    assert verdict("x + x", "2*x", SYMBOLS, seconds=2.0).status == Status.PROVED


@pytest.mark.skipif(os.name == "nt", reason="no process can be halted here")
def test_a_process_that_never_answers_is_given_up(worker: psutil.Process) -> None:
    halted(worker)
    assert verdict("x + x", "2*x", SYMBOLS, seconds=0.1).status == Status.UNDECIDED
    assert answers()


def test_without_a_process_the_same_is_said_here(monkeypatch: pytest.MonkeyPatch) -> None:
    questions = (("x + x", "2*x"), ("x**2", "x"), ("x/x", "1"), (HOSTILE["nested sums"], "0"))
    said = [verdict(*question, SYMBOLS) for question in questions]
    monkeypatch.setattr(Process, "ask", lambda process, question, seconds: None)
    assert [verdict(*question, SYMBOLS) for question in questions] == said
    statuses = ["PROVED", "REFUTED", "DOMAIN", "UNDECIDED"]
    assert [str(one.status) for one in said] == statuses
