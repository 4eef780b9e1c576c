"""Whatever an answer does, it gets its own message in time, and the notebook goes on."""

import _thread
import builtins
import faulthandler
import io
import itertools
import os
import re
import signal
import sys
import threading
import time
import warnings
from contextlib import redirect_stdout

import numpy as np
import pytest

from lectures_lib.checks import check
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.registry import find
from lectures_lib.checks.running import in_child
from lectures_lib.checks.running.in_child import call_all, can_fork
from lectures_lib.checks.running.in_thread import Reply, call_in_thread

EXERCISE = find("perceptron.losses")
LONG = 100.0  # seconds: what ends by itself never reaches this, on however busy a machine
SHORT = 0.4  # for what would never end


class AlwaysEqual(np.ndarray):
    def __eq__(self, other):
        return np.True_

    def __array_ufunc__(self, *args, **kwargs):
        return np.True_

    def __sub__(self, other):
        return 0.0


class LyingFloat(float):
    def __eq__(self, other):
        return True

    def __lt__(self, other):
        return True

    def __hash__(self):
        return 0


class LyingArray:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("gotcha")


def losses(m):
    return np.where(m <= 0, 1.0, 0.0), np.maximum(-m, 0), np.maximum(1 - m, 0), np.logaddexp(0, -m)


def loops(m):
    while True:
        m = m + 0


def swallows(m):
    while True:
        try:
            while True:
                pass
        except:  # noqa: E722
            pass


def swallows_twice(m):
    while True:
        try:
            try:
                while True:
                    m = m + 0
            except BaseException:
                m = m + 1
        except BaseException:
            m = m - 1


def mutates(m):
    m *= -1
    return losses(-m)


def prints_much(m):
    for _ in range(10):
        print("x" * 1_000_000)
    return m, m, m, m


def recurses(m):
    return recurses(m)


TYPING, ENDING = "It waits for somebody to type", "which ends Python"
NO_FUNCTION = "; expected the function itself"
BAD = {
    "an error": (lambda m: np.zeros(3) @ m, "error", "ValueError: matmul"),
    "None": (lambda m: None, "wrong", "returned None: is a `return` missing?"),
    "NaN": (lambda m: (m * np.nan, m, m, m), "wrong", "`zero_one` contains NaN"),
    "infinity": (lambda m: (m, m, m / 0 * m, m), "wrong", "`hinge` contains infinity"),
    "a shape": (lambda m: (m[:1], m, m, m), "wrong", "`zero_one` has shape (1,); expected"),
    "two": (lambda m: (m, m), "wrong", "4 things: zero_one, perceptron, hinge, logistic"),
    "five": (lambda m: (m, m, m, m, m), "wrong", "it returned 5"),
    "a number": (lambda m: m[0], "wrong", "it returned one float"),
    "complex": (lambda m: (m * 1j, m, m, m), "wrong", "`zero_one` is complex"),
    "objects": (lambda m: (np.array([object()] * 3), m, m, m), "wrong", "an array of objects"),
    "ragged": (lambda m: ([[1, 2], [3]], m, m, m), "wrong", "rows of different lengths"),
    "text": (lambda m: ("one", m, m, m), "wrong", "`zero_one` is text"),
    "a dictionary": (lambda m: ({"a": 1}, m, m, m), "wrong", "`zero_one` is a dictionary"),
    "a generator": (lambda m: ((x for x in m), m, m, m), "wrong", "list(...) makes its values"),
    "a function": (lambda m: (np.sum, m, m, m), "wrong", "a call needs parentheses"),
    "dots": (lambda m: (..., m, m, m), "wrong", "`zero_one` is still `...`"),
    "mutates": (mutates, "wrong", "It changed its argument `m` in place"),
    "prints much": (prints_much, "wrong", "(10,000,010 characters in all)"),
    "input": (lambda m: input("the loss, please: "), "error", TYPING),
    "stdin, a line": (lambda m: sys.stdin.readline(), "error", TYPING),
    "stdin, all": (lambda m: list(sys.stdin), "error", TYPING),
    "exit": (lambda m: exit(), "error", f"It calls sys.exit() or exit(), {ENDING}"),
    "sys.exit": (lambda m: sys.exit(3), "error", ENDING),
    "os._exit": (lambda m: os._exit(3), "error", f"It calls os._exit(), {ENDING}"),
    "os.abort": (lambda m: os.abort(), "error", f"It calls os.abort(), {ENDING}"),
    "recursion": (recurses, "error", "The function calls itself without end"),
    "always equal": (
        lambda m: (np.zeros(len(m)).view(AlwaysEqual),) * 4, "wrong",
        "`hinge` and `logistic` are not as expected. `zero_one[0]` is 0, not 1; 2 of 4 entries are",
    ),
    "floats that lie": (lambda m: [[LyingFloat(7)] * len(m)] * 4, "wrong", "not as expected"),
    "an array that is none": (lambda m: (LyingArray(), m, m, m), "error", "gotcha"),
    "huge": (
        lambda m: (np.broadcast_to(0.0, (10**7, 10**5)), m, m, m), "wrong",
        "too large to be looked at",
    ),
    "another argument": (lambda m, eta: m, "error", "the parameters (m, eta); expected (m)"),
    "no function": (3.5, "wrong", f"of type float{NO_FUNCTION}"),
    "nothing": (None, "wrong", f"of type NoneType{NO_FUNCTION}"),
    "a class": (AlwaysEqual, "wrong", f"of type AlwaysEqual{NO_FUNCTION}"),
    "a loop": (loops, "error", f"was stopped after {SHORT} seconds"),
    "a loop that swallows": (swallows, "error", f"was stopped after {SHORT} seconds"),
}  # fmt: skip

THREAD = pytest.mark.slow if can_fork() else ()
CALLERS = [pytest.param(call_in_thread, id="thread", marks=THREAD)]
if can_fork():
    CALLERS.append(pytest.param(call_all, id="child"))


@pytest.mark.parametrize("caller", CALLERS)
@pytest.mark.parametrize("name", BAD)
def test_a_bad_answer_gets_its_own_message(name: str, caller) -> None:
    answer, status, message = BAD[name]
    before = (sys.stdout, sys.stderr, sys.stdin, builtins.input, os._exit, os.abort)
    screen = io.StringIO()
    with redirect_stdout(screen):
        seconds = SHORT if answer in (loops, swallows) else LONG
        outcome = evaluate(EXERCISE, (answer,), seconds=seconds, caller=caller)
    assert outcome.status == status
    assert outcome.points == 0
    assert message in repr(outcome)
    assert len(repr(outcome)) < 3000
    assert screen.getvalue() == "", "nothing a function prints reaches the notebook"
    assert before == (sys.stdout, sys.stderr, sys.stdin, builtins.input, os._exit, os.abort)


@pytest.mark.slow
def test_a_thread_inside_compiled_code_is_left_alone() -> None:
    held = threading.Lock()
    with held:  # the thread ends when it is released
        outcome = evaluate(EXERCISE, (lambda m: held.acquire(),), SHORT, call_in_thread)
    assert "still inside a single call into compiled code" in repr(outcome)


def grows(m):
    return [np.zeros(2**25) for _ in itertools.count()]


def crashes(m):
    faulthandler.disable()  # pytest's own would show a traceback
    signal.raise_signal(signal.SIGSEGV)


def descends(m):
    sys.setrecursionlimit(10**7)

    def down(n):
        return down(n + 1) + 1

    return down(0)


def exits_in_a_thread(m):
    threading.Thread(target=os._exit, args=(3,)).start()
    time.sleep(LONG)


def sets_an_alarm(m):
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    time.sleep(LONG)


def is_slow(m):
    time.sleep(0.2)
    return losses(m)


STOPPED = "did not come to an end and was stopped after"


@pytest.mark.slow
@pytest.mark.skipif(not can_fork(), reason="no child here: the thread cannot stop these")
@pytest.mark.parametrize(
    ("answer", "seconds", "message"),
    [
        pytest.param(lambda m: sum(range(10**11)), SHORT, STOPPED, id="adds for long"),
        pytest.param(lambda m: 3**10**9, SHORT, STOPPED, id="a number beyond all size"),
        pytest.param(
            lambda m: re.match(r"(a+)+$", "a" * 60 + "b"), SHORT, STOPPED, id="backtracks"
        ),
        pytest.param(swallows_twice, SHORT, STOPPED, id="swallows twice"),
        pytest.param(lambda m: os.system("sleep 100"), SHORT, STOPPED, id="starts a program"),
        pytest.param(grows, LONG, "more memory", id="grows for ever"),
        pytest.param(lambda m: np.ones((10**5, 10**5)), LONG, "more memory", id="asks for memory"),
        pytest.param(crashes, LONG, "Python itself came down", id="crashes"),
        pytest.param(descends, SHORT, f"{STOPPED}|Python itself came down", id="descends"),
        pytest.param(exits_in_a_thread, LONG, ENDING, id="exits in a thread"),
        pytest.param(sets_an_alarm, LONG, "by an alarm that it has set itself", id="an alarm"),
        pytest.param(is_slow, 1.5, "It is slow: the calls before this one came back", id="slow"),
    ],
)
def test_nothing_freezes_or_ends_the_notebook(answer, seconds: float, message: str) -> None:
    outcome = evaluate(EXERCISE, (answer,), seconds)
    told = repr(outcome)
    assert (outcome.status, outcome.points) == ("error", 0)
    assert re.search(message, told)
    if message == STOPPED:
        assert re.search(r"line \d+, in [\w<>]+: ", told), "the line it was at"


@pytest.mark.slow
@pytest.mark.skipif(not can_fork(), reason="only the child writes down where it was")
def test_the_line_is_shown_from_a_file_whose_path_is_not_ascii(tmp_path) -> None:
    file = tmp_path / "clasificación" / "λ é.py"
    file.parent.mkdir()
    file.write_text("def tardía(m):\n    return sum(range(10**11))\n", encoding="utf-8")
    names = {}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), names)
    told = repr(evaluate(EXERCISE, (names["tardía"],), SHORT))
    assert "line 2, in tardía: return sum(range(10**11))" in told


@pytest.mark.skipif(not can_fork(), reason="deleted builtins cannot be put back in a thread")
def test_deleted_builtins_and_long_numbers_hurt_nobody() -> None:
    def deletes(m):
        del builtins.len
        return 10**10_000

    told = repr(evaluate(EXERCISE, (deletes,)))
    assert "it returned a whole number with about 10,000 digits" in told
    assert len("abc") == 3


@pytest.mark.skipif(not can_fork(), reason="a thread needs a cooperating function")
def test_an_interrupt_ends_the_child(monkeypatch) -> None:
    def interrupted(*_):
        raise KeyboardInterrupt

    def fork():
        started.append(real_fork())
        return started[-1]

    started, real_fork = [], os.fork
    monkeypatch.setattr(os, "fork", fork)
    monkeypatch.setattr(in_child.select, "select", interrupted)
    with pytest.raises(KeyboardInterrupt):
        call_all(loops, [(np.zeros(2),)], LONG)
    for pid in started:  # other tests of this process may have children that stay
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)
    assert started


def test_without_a_fork_the_thread_is_used(monkeypatch) -> None:
    monkeypatch.setenv("LECTURES_CHECKS", "thread")
    assert not can_fork()
    (reply,) = call_all(lambda x: threading.current_thread().name, [(1.0,)])
    assert reply.value == "student"


def students() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "student"}


def is_interrupted(m):
    _thread.interrupt_main()
    loops(m)


@pytest.mark.parametrize("function", [swallows_twice, is_interrupted])
def test_what_is_stopped_leaves_no_thread_behind(function, monkeypatch) -> None:
    before, handler = students(), signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        if function is is_interrupted:
            with pytest.raises(KeyboardInterrupt):
                call_in_thread(function, [(np.zeros(2),)], LONG)
        else:
            (reply,) = call_in_thread(function, [(np.zeros(2),)], SHORT)
            assert reply.status == "stopped"
    finally:
        signal.signal(signal.SIGINT, handler)
    for thread in students() - before:
        thread.join(LONG)
    assert not students() - before


def test_a_function_that_cannot_be_stopped_is_named() -> None:
    (part,) = EXERCISE.parts
    replies = [Reply("stubborn", None, "5")] + 20 * [Reply("not called")]
    (first, *_) = part.judge((loops,), lambda _, calls: replies[: len(calls)]).cases
    assert "cannot be stopped, because it catches every exception" in first.complaint


def test_after_a_time_out_the_other_cases_are_not_run() -> None:
    verdicts = [case.verdict for case in evaluate(EXERCISE, (loops,), SHORT).cases]
    assert verdicts == ["error", "not run", "not run"]


def test_only_the_students_own_lines_of_a_traceback_are_shown() -> None:
    def outer(m):
        return inner(m)

    def inner(m):
        return np.linalg.inv(m)

    (reply,) = call_all(outer, [(np.zeros((2, 2)),)])
    assert reply.message == "LinAlgError: Singular matrix"
    assert [line.partition(": ")[2] for line in reply.lines] == [
        "return inner(m)",
        "return np.linalg.inv(m)",
    ]


def test_a_long_traceback_is_cut_in_the_middle() -> None:
    (reply,) = call_all(recurses, [(1.0,)])
    assert len(reply.lines) == 5
    assert "more lines" in reply.lines[2]


def test_arguments_are_copies() -> None:
    X = np.ones(3)

    def changes(x):
        x[:] = 7
        return x

    (reply,) = call_all(changes, [(X,)])
    assert reply.changed == (0,)
    assert np.array_equal(X, np.ones(3))


def test_warnings_of_numpy_are_told_and_do_not_escape() -> None:
    def naive(m):
        return *losses(m)[:3], np.where(m < -30, -m, np.log(1 + np.exp(-m)))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome = evaluate(EXERCISE, (naive,))
    assert outcome.status == "right"
    assert "Note: Python warned: overflow encountered in exp." in repr(outcome)


def test_what_another_thread_prints_is_not_swallowed(capsys) -> None:
    called, printed = threading.Event(), threading.Event()

    def student(x):
        called.set()
        assert printed.wait(LONG)
        print("from the student")

    def notebook():
        assert called.wait(LONG)
        print("from the notebook")
        printed.set()

    other = threading.Thread(target=notebook)
    other.start()
    (reply,) = call_in_thread(student, [(1.0,)], LONG)
    other.join()
    assert reply.printed == "from the student\n"
    assert capsys.readouterr().out == "from the notebook\n"


@pytest.mark.parametrize(
    ("words", "error", "named"),
    [
        (("perceptron.fitt", print), ValueError, "perceptron.fit'"),
        (("zzz",), ValueError, r"nearest are .*zero_margin"),
        ((losses,), TypeError, "identity.*function"),
        (("perceptron.fit",), TypeError, "0 answers for perceptron.fit, expected 1"),
        (("perceptron.loss", print), TypeError, "expected 2"),
    ],
)
def test_a_wrong_call_of_check_says_what_is_wrong(words, error, named) -> None:
    with pytest.raises(error, match=named):
        check(*words)
