"""Whatever an answer does, it gets its own message in time, and the notebook goes on."""

import builtins
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

from lectures_lib.checks import check, child, watchdog
from lectures_lib.checks.child import call_all, can_fork
from lectures_lib.checks.evaluate import evaluate
from lectures_lib.checks.registry import find
from lectures_lib.checks.watchdog import Reply, call_in_thread

EXERCISE = find("perceptron.losses")
SECONDS = 1.0  # long enough for the traceback of a deep recursion on a loaded machine


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


def raises(m):
    w = np.zeros(3)
    return w @ m


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


def calls_c_for_long(m):
    time.sleep(SECONDS + 2.5)


def returns_none(m):
    m + 1


def mutates(m):
    m *= -1
    return np.where(m >= 0, 1.0, 0.0), np.maximum(m, 0), np.maximum(1 + m, 0), np.logaddexp(0, m)


def prints_much(m):
    for _ in range(10):
        print("x" * 1_000_000)
    return m, m, m, m


def reads_input(m):
    return input("the loss, please: ")


def reads_stdin(m):
    return sys.stdin.readline()


def iterates_stdin(m):
    return list(sys.stdin)


def quits(m):
    exit()


def sys_exits(m):
    sys.exit(3)


def os_exits(m):
    os._exit(3)


def aborts(m):
    os.abort()


def recurses(m):
    return recurses(m)


def lies(m):
    return tuple(np.zeros(len(m)).view(AlwaysEqual) for _ in range(4))


def lies_in_floats(m):
    return [[LyingFloat(7)] * len(m)] * 4


def wants_another_argument(m, eta):
    return m


def complex_values(m):
    return m * 1j, m, m, m


def objects(m):
    return np.array([object()] * len(m)), m, m, m


def claims_to_be_an_array(m):
    class Liar:
        def __array__(self, dtype=None, copy=None):
            raise RuntimeError("gotcha")

    return Liar(), m, m, m


def huge(m):
    return np.broadcast_to(0.0, (10**7, 10**5)), m, m, m


BAD = [
    (raises, "error", "ValueError: matmul"),
    (loops, "error", "did not come to an end and was stopped after 1 seconds"),
    (swallows, "error", "did not come to an end and was stopped after 1 seconds"),
    (returns_none, "wrong", "returned None: is a `return` missing?"),
    (lambda m: (m * np.nan, m, m, m), "wrong", "`zero_one` contains NaN (not a number)"),
    (lambda m: (m, m, m / 0 * m, m), "wrong", "`hinge` contains infinity"),
    (lambda m: (m[:1], m, m, m), "wrong", "`zero_one` has shape (1,); expected"),
    (lambda m: (m, m), "wrong", "must return 4 things: zero_one, perceptron, hinge, logistic"),
    (lambda m: (m, m, m, m, m), "wrong", "it returned 5"),
    (lambda m: m[0], "wrong", "it returned one float"),
    (complex_values, "wrong", "`zero_one` is complex"),
    (objects, "wrong", "an array of objects (object), not of numbers"),
    (lambda m: ([[1, 2], [3]], m, m, m), "wrong", "rows of different lengths"),
    (lambda m: ("one", m, m, m), "wrong", "`zero_one` is text"),
    (lambda m: ({"a": 1}, m, m, m), "wrong", "`zero_one` is a dictionary"),
    (lambda m: ((x for x in m), m, m, m), "wrong", "list(...) makes its values"),
    (lambda m: (np.sum, m, m, m), "wrong", "a call needs parentheses"),
    (lambda m: (..., m, m, m), "wrong", "`zero_one` is still `...`"),
    (mutates, "wrong", "It changed its argument `m` in place: work on a copy."),
    (prints_much, "wrong", "(10,000,010 characters in all)"),
    (reads_input, "error", "It waits for somebody to type"),
    (reads_stdin, "error", "It waits for somebody to type"),
    (iterates_stdin, "error", "It waits for somebody to type"),
    (quits, "error", "It calls sys.exit() or exit(), which ends Python"),
    (sys_exits, "error", "which ends Python"),
    (os_exits, "error", "It calls os._exit(), which ends Python"),
    (aborts, "error", "It calls os.abort(), which ends Python"),
    (recurses, "error", "The function calls itself without end"),
    (lies, "wrong", "`perceptron` and `hinge` and `logistic` are not as expected"),
    (lies_in_floats, "wrong", "not as expected"),
    (claims_to_be_an_array, "error", "gotcha"),
    (huge, "wrong", "too large to be looked at"),
    (wants_another_argument, "error", "It takes the parameters (m, eta); expected (m)"),
    (3.5, "wrong", "of type float; expected the function itself"),
    (None, "wrong", "of type NoneType; expected the function itself"),
    (AlwaysEqual, "wrong", "of type AlwaysEqual; expected the function itself"),
]


CALLERS = [pytest.param(call_in_thread, id="thread")]
if can_fork():
    CALLERS.append(pytest.param(call_all, id="child"))


@pytest.mark.slow
@pytest.mark.parametrize("caller", CALLERS)
@pytest.mark.parametrize(
    ("answer", "status", "message"),
    BAD,
    ids=[f"{getattr(answer, '__name__', answer)}-{k}" for k, (answer, _, _) in enumerate(BAD)],
)
def test_a_bad_answer_gets_its_own_message_in_time(answer, status, message, caller) -> None:
    before = (sys.stdout, sys.stderr, sys.stdin, builtins.input, os._exit, os.abort)
    screen, start = io.StringIO(), time.monotonic()
    with redirect_stdout(screen):
        outcome = evaluate(EXERCISE, (answer,), seconds=SECONDS, caller=caller)
    assert time.monotonic() - start < SECONDS + 1.0 + 2.0  # limit, grace, and a slow machine
    assert outcome.status == status
    assert outcome.points == 0
    assert message in repr(outcome)
    assert len(repr(outcome)) < 3000
    assert screen.getvalue() == "", "nothing a function prints reaches the notebook"
    assert before == (sys.stdout, sys.stderr, sys.stdin, builtins.input, os._exit, os.abort)
    assert "right" in repr(evaluate(find("perceptron.losses_quiz"), ("bd",))).lower()


@pytest.mark.slow
def test_a_thread_inside_compiled_code_is_left_alone() -> None:
    outcome = evaluate(EXERCISE, (calls_c_for_long,), seconds=SECONDS, caller=call_in_thread)
    assert "still inside a single call into compiled code" in repr(outcome)


def counts_for_ever(m):
    return list(itertools.count())


def a_number_beyond_all_size(m):
    return 3**10**8


def adds_for_long(m):
    return sum(range(10**11))


def backtracks(m):
    return re.match(r"(a+)+$", "a" * 40 + "b")


def descends_too_far(m):
    sys.setrecursionlimit(10**7)

    def down(n):
        return down(n + 1) + 1

    return down(0)


def exits_in_a_thread(m):
    threading.Thread(target=os._exit, args=(3,)).start()
    time.sleep(5)


def sets_an_alarm(m):
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    time.sleep(5)


def asks_for_memory(m):
    return np.ones((10**5, 10**5))


def starts_a_program(m):
    os.system("sleep 20")


def is_slow(m):
    time.sleep(0.5)
    return np.where(m <= 0, 1.0, 0.0), np.maximum(-m, 0), np.maximum(1 - m, 0), np.logaddexp(0, -m)


NOT_BACK = "did not come to an end and was stopped after 1.5 seconds"


@pytest.mark.slow
@pytest.mark.skipif(not can_fork(), reason="no child here: the thread cannot stop these")
@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (adds_for_long, NOT_BACK),
        (a_number_beyond_all_size, NOT_BACK),
        (backtracks, NOT_BACK),
        (swallows_twice, NOT_BACK),
        (starts_a_program, NOT_BACK),
        (counts_for_ever, ("It asks for more memory than there is", NOT_BACK)),
        (asks_for_memory, "It asks for more memory than there is"),
        (descends_too_far, ("Python itself came down with it", NOT_BACK)),
        (exits_in_a_thread, "which ends Python"),
        (sets_an_alarm, "ended by an alarm that it has set itself"),
        (is_slow, "It is slow: the calls before this one came back"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_nothing_freezes_or_ends_the_notebook(answer, message) -> None:
    start = time.monotonic()
    outcome = evaluate(EXERCISE, (answer,), seconds=1.5)
    assert time.monotonic() - start < 1.5 + 1.0 + 1.0  # the last second for a loaded machine
    assert outcome.status == "error"
    assert outcome.points == 0
    told = repr(outcome)
    assert any(text in told for text in ([message] if isinstance(message, str) else message)), told
    if message == NOT_BACK:
        assert re.search(r"line \d+, in \w+: ", told), "the line it was at"


@pytest.mark.slow
@pytest.mark.skipif(not can_fork(), reason="only the child writes down where it was")
def test_the_line_is_shown_from_a_file_whose_path_is_not_ascii(tmp_path) -> None:
    file = tmp_path / "clasificación" / "λ é.py"
    file.parent.mkdir()
    file.write_text("def tardía(m):\n    return sum(range(10**11))\n", encoding="utf-8")
    names = {}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), names)
    told = repr(evaluate(EXERCISE, (names["tardía"],), seconds=1.5))
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
        pid = real_fork()
        if pid:
            started.append(pid)
        return pid

    started, real_fork = [], os.fork
    monkeypatch.setattr(os, "fork", fork)
    monkeypatch.setattr(child.select, "select", interrupted)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        call_all(loops, [(np.zeros(2),)], seconds=30)
    assert time.monotonic() - start < 5
    assert started
    for pid in started:  # other tests of this process may have children that stay
        with pytest.raises(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def test_without_a_fork_the_thread_is_used(monkeypatch) -> None:
    monkeypatch.setenv("LECTURES_CHECKS", "thread")
    assert not can_fork()
    (reply,) = call_all(lambda x: threading.current_thread().name, [(1.0,)])
    assert reply.value == "student"


def students() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "student"}


@pytest.mark.parametrize("function", [loops, swallows, swallows_twice])
def test_an_infinite_loop_leaves_no_thread_behind(function) -> None:
    before = students()
    (reply,) = call_in_thread(function, [(np.zeros(2),)], seconds=0.1)
    assert reply.status == "stopped"
    for thread in students() - before:
        thread.join(1)
    assert not students() - before


def test_a_function_that_cannot_be_stopped_is_named() -> None:
    (part,) = EXERCISE.parts
    replies = [Reply("stubborn", None, "5")] + 20 * [Reply("not called")]
    (first, *_) = part.judge((loops,), lambda _, calls: replies[: len(calls)]).cases
    assert "cannot be stopped, because it catches every exception" in first.complaint


def test_after_a_time_out_the_other_cases_are_not_run() -> None:
    verdicts = [case.verdict for case in evaluate(EXERCISE, (loops,), seconds=0.2).cases]
    assert verdicts == ["error", "not run", "not run"]


def test_an_interrupt_of_the_notebook_stops_the_function(monkeypatch) -> None:
    def interrupt(event, seconds):
        raise KeyboardInterrupt

    real = watchdog._wait
    calls = []

    def wait(event, seconds):
        calls.append(seconds)
        return interrupt(event, seconds) if len(calls) == 1 else real(event, seconds)

    monkeypatch.setattr(watchdog, "_wait", wait)
    with pytest.raises(KeyboardInterrupt):
        call_in_thread(loops, [(np.zeros(2),)], seconds=30)
    assert calls[0] == 30
    assert 2 <= len(calls) <= 21


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
        rest = np.where(m <= 0, 1.0, 0.0), np.maximum(-m, 0), np.maximum(1 - m, 0)
        return *rest, np.where(m < -30, -m, np.log(1 + np.exp(-m)))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome = evaluate(EXERCISE, (naive,))
    assert outcome.status == "right"
    assert "Note: Python warned: overflow encountered in exp." in repr(outcome)


def test_what_another_thread_prints_is_not_swallowed(capsys) -> None:
    def waits(x):
        time.sleep(0.2)
        print("from the student")

    other = threading.Timer(0.05, lambda: print("from the notebook"))
    other.start()
    (reply,) = call_in_thread(waits, [(1.0,)])
    other.join()
    assert reply.printed == "from the student\n"
    assert capsys.readouterr().out == "from the notebook\n"


def test_a_wrong_call_of_check_says_what_is_wrong() -> None:
    with pytest.raises(ValueError, match=r"Did you mean 'perceptron.fit'"):
        check("perceptron.fitt", print)
    with pytest.raises(ValueError, match=r"There are: .*perceptron\.fit"):
        check("zzz")
    with pytest.raises(TypeError, match=r"identity of an exercise.*found function"):
        check(raises)
    with pytest.raises(TypeError, match=r"check got 0 answers for perceptron.fit, expected 1"):
        check("perceptron.fit")
    with pytest.raises(TypeError, match=r"expected 2: check."):
        check("perceptron.loss", print)


def test_a_line_after_a_wrong_one_is_not_told_another_relation() -> None:
    lines = [
        "= log(p) + x*log(a) - log(1 + a) - log(q) - x*log(b) - log(1 + b)",
        "= log(p*(1 + b)/(q*(1 + a))) + x*log(a/b)",
    ]
    told = str(check("gaussian_classifiers.words", "\n".join(lines)))
    assert "Line 1 does not hold" in told
    assert "`<=` holds" not in told
