"""`check` keeps its meaning in a notebook, and its page is escaped and in words."""

import re
from html.parser import HTMLParser

import pytest
from IPython.core.interactiveshell import InteractiveShell

from lectures_lib import checks
from lectures_lib.checks.exercise import Section
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.registry import all_exercises, find
from lectures_lib.checks.running.in_child import can_fork
from lectures_lib.checks.student import session
from tests.chapters import test_perceptron_exercises as perceptron
from tests.checks.answers import SOLVED, answers_in

WRONG_DATA = perceptron.TestExercises.wrong_data


class Shell(InteractiveShell):
    """A session that can be asked to end, as that of a kernel."""

    ended = False

    def ask_exit(self) -> None:
        self.ended = True


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> InteractiveShell:
    """A notebook's session, without a kernel."""
    found = Shell()
    monkeypatch.setattr("IPython.get_ipython", lambda: found)
    monkeypatch.setattr(session, "_did_not_run", {})
    session.keep_names({"check": checks.check, "hint": checks.hint})
    session.watch_cells()
    found.run_cell("from lectures_lib.checks import check, hint")
    return found


@pytest.mark.parametrize("cell", ["check = 3", "def check(*a): return 'Right'", "del check"])
def test_a_cell_that_redefines_check_is_told_and_undone(shell, capsys, cell) -> None:
    shell.run_cell(cell)
    assert "This cell gave the name `check` another meaning" in capsys.readouterr().out
    assert shell.user_ns["check"] is checks.check
    shell.run_cell("x = 1")
    assert capsys.readouterr().out == ""


def test_a_function_that_redefines_check_while_it_is_checked_changes_nothing(shell, capsys) -> None:
    shell.run_cell(
        "def losses_at(m):\n"
        "    global check\n"
        "    check = lambda *a: 'Right'\n"
        "    return m, m, m, m\n"
        "outcome = check('perceptron.losses', losses_at)"
    )
    assert shell.user_ns["outcome"].status == "wrong"
    told = capsys.readouterr().out
    assert can_fork() or "`check` another meaning" in told  # in a child, nothing has changed here
    assert shell.user_ns["check"] is checks.check


def test_other_names_of_the_student_are_left_alone(shell, capsys) -> None:
    shell.run_cell("hints = 3; checked = 4")
    assert shell.user_ns["hints"] == 3
    assert capsys.readouterr().out == ""


def test_exit_in_a_notebook_does_not_end_the_kernel(shell) -> None:
    shell.run_cell(
        "from IPython.core.autocall import ExitAutocall\n"
        "leave = ExitAutocall(get_ipython())\n"
        "def losses_at(m):\n    leave()\n"
        "outcome = check('perceptron.losses', losses_at)"
    )
    assert "It calls exit(), which ends Python" in repr(shell.user_ns["outcome"])
    assert not shell.ended
    shell.run_cell("leave()")
    assert shell.ended


def test_the_lines_of_a_cell_are_shown_with_their_numbers(shell) -> None:
    shell.run_cell("def losses_at(m):\n    k = 0\n    return 1 / k\n")
    shell.run_cell("outcome = check('perceptron.losses', losses_at)")
    text = repr(shell.user_ns["outcome"])
    assert text.startswith("Error: Four losses of a signed score, 0 of 4 points.")
    assert "ZeroDivisionError: division by zero" in text
    assert "line 3, in losses_at: return 1 / k" in text
    assert "watchdog" not in text


GOOD = "import numpy as np\n" + SOLVED["perceptron.losses"]


@pytest.mark.parametrize(
    ("cell", "error"),
    [
        ("def losses_at(m):\n    return (m", "SyntaxError in line 2: "),
        ("nothing\ndef losses_at(m):\n    return m", "NameError: name 'nothing' is not defined"),
        ("losses_at = None + 1", "TypeError: unsupported operand"),
    ],
)
def test_an_answer_whose_cell_did_not_run_is_not_judged_by_the_one_before(
    shell, cell, error
) -> None:
    ask = "outcome = check('perceptron.losses', losses_at)"
    for source in (GOOD, ask, cell, ask):
        shell.run_cell(source)
    told = repr(shell.user_ns["outcome"])
    assert shell.user_ns["outcome"].status == "error"
    assert f"The cell that defines `losses_at` ended with {error}" in told
    assert "mend that cell, run it, then this one." in told
    for source in (GOOD, ask):
        shell.run_cell(source)
    assert shell.user_ns["outcome"].status == "right"


def test_a_cell_that_fails_after_its_function_has_a_new_answer(shell) -> None:
    for source in (GOOD, f"{GOOD}\nnothing", "outcome = check('perceptron.losses', losses_at)"):
        shell.run_cell(source)
    assert shell.user_ns["outcome"].status == "right"


class Outline(HTMLParser):
    """Tags that are open, texts, links; fails on a tag that is closed in the wrong place."""

    def __init__(self) -> None:
        super().__init__()
        self.open, self.texts, self.links, self.tags, self.told = [], [], [], [], []

    def handle_starttag(self, tag, attrs) -> None:
        if tag != "img":  # it is never closed
            self.open.append(tag)
        self.told += [value for name, value in attrs if name == "alt"]
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name == "href"]
        assert not [value for name, value in attrs if name.startswith("on")]

    def handle_endtag(self, tag) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data) -> None:
        self.texts.append(data)


def page(displayed) -> Outline:
    outline = Outline()
    outline.feed(displayed._repr_mimebundle_()["text/html"])
    assert not outline.open
    return outline


def outcomes():
    """Right answers to one exercise of each kind, and wrong ones of many."""
    kinds = {tuple(map(type, exercise.parts)): exercise for exercise in all_exercises()}
    for exercise in kinds.values():
        yield evaluate(exercise, answers_in(SOLVED[exercise.id], exercise))
    for identity, wrong in WRONG_DATA.items():
        for answers in wrong.values():
            yield evaluate(find(identity), answers)
    losses = find("perceptron.losses")
    for answer in (lambda m: m, lambda m: 1 / 0, lambda m: print("<b>hi</b>"), ...):
        yield evaluate(losses, (answer,))


@pytest.mark.slow
def test_the_page_says_in_words_what_the_text_says_and_that_is_the_same_every_time() -> None:
    for outcome, again in zip(outcomes(), outcomes(), strict=True):
        text, found = repr(outcome), page(outcome)
        assert text == repr(again)
        assert not re.search(r"0x[0-9a-f]{6}|/tmp|ipykernel", text)
        read = re.sub(r"\s+", " ", " ".join([*found.texts, *found.told]))
        for line in text.splitlines():
            if line.startswith("hint("):
                line = "Hint the idea the formula a line of code"  # buttons
            line = line.removeprefix("  Picture: ")  # it is there itself
            for word in re.findall(r"\w{4,}", line):
                assert word in read, (word, line)
        assert not {"h1", "h2", "h3", "script", "iframe"} & set(found.tags)


def test_text_of_the_student_is_escaped() -> None:
    outcome = evaluate(find("perceptron.losses"), (lambda m: "<script>alert(1)</script>",))
    assert "script" not in page(outcome).tags
    assert "&lt;script&gt;" in outcome._repr_mimebundle_()["text/html"]


def test_a_slip_links_to_its_section() -> None:
    outcome = evaluate(find("perceptron.losses"), (lambda m: (m, m, m, m),))
    assert page(outcome).links == []
    (data,) = [WRONG_DATA["perceptron.zero_margin"]["Not separable"]]
    links = page(evaluate(find("perceptron.zero_margin"), data)).links
    assert links == ["../notebooks/04_perceptron.ipynb#What-goes-wrong"]
    assert Section("perceptron", "What goes wrong").words == "chapter 04, “What goes wrong”"


def test_each_hint_is_a_button_inside_the_one_before() -> None:
    exercise = find("perceptron.losses")
    wrong = page(evaluate(exercise, (lambda m: m,)))
    assert wrong.tags.count("details") == wrong.tags.count("summary") == 3
    shown = " ".join(wrong.texts).replace("  ", " ")
    places = [shown.index(hint.partition("`")[0]) for hint in exercise.hints]
    assert places == sorted(places)
    assert "details" not in page(evaluate(exercise, answers_in(GOOD, exercise))).tags
