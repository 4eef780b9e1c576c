"""What authors write as text: read as they mean it, or refused with file, line and reason."""

import inspect

import pytest

from lectures_lib.checks.writing.text_blocks import BlockError, choices, exercise, slips


def high(x):
    return x > 1


def low(x):
    return x < 0


def test_ways_messages_and_marks_are_read() -> None:
    squared, both = slips(
        """
        The margin is not squared [E1-02] [What a margin is]
            gamma**2 -> gamma
            a -> b ; c ->
            d -> e || f(1) ||
            by low
            The bound holds for the square
                of the margin: R²/γ².

        Too far [E0-07]
            when high
            if far: -> if far:\\n    pass
            It lies at 1 or below.
        """,
        high=lambda x: x == 1,
    )
    assert squared.name == "The margin is not squared"
    assert squared.message == "The bound holds for the square of the margin: R²/γ²."
    assert squared.ways == (
        *(("gamma**2 -> gamma",), ("a -> b", "c ->"), ("d -> e",), ("d -> f(1)",), ("d ->",)),
        low,
    )
    assert (squared.erratum, squared.section) == ("E1-02", "What a margin is")
    assert squared.recognise is None
    assert (both.recognise(1), both.recognise(2)) == (True, False), "what is given comes first"
    assert (both.erratum, both.section) == ("E0-07", "")
    assert both.ways == (("if far: -> if far:\n    pass",),)


def test_choices_and_exercises_are_read() -> None:
    found = choices("""
        a. those of LDA
            It turns its one
            covariance.
        b. none: they all stay [right]
            They do.
    """)
    assert [(c.letter, c.text, c.right, c.why) for c in found] == [
        ("a", "those of LDA", False, "It turns its one covariance."),
        ("b", "none: they all stay", True, "They do."),
    ]
    made = exercise("""
        perceptron.try: A try: the first [1 minutes] [The rule]
            an idea
            a formula
            a line
                of code
        Remark
            Well done.
    """)
    assert (made.id, made.title, made.minutes) == ("perceptron.try", "A try: the first", 1)
    assert (made.section, made.remark, made.version) == ("The rule", "Well done.", 1)
    assert made.hints == ("an idea", "a formula", "a line of code")


SLIP = "A name\n    a -> b\n    A message."


@pytest.mark.parametrize(
    ("read", "text", "line", "expected"),
    [
        (slips, "A name\n    A message.", 1, "expected its ways"),
        (slips, "A name\n    a -> b", 1, "below them a message"),
        (slips, f"{SLIP}\n    c -> d", 1, "ways come first"),
        (slips, f"{SLIP}\n  Another\n    a -> b\n    Its message.", 4, "indented by 2"),
        (slips, f"{SLIP}\nB\n    by nobody\n    It.", 4, "has a function 'nobody'"),
        (slips, "A name [E0-01] [E0-02]\n    a -> b\n    It.", 1, "one erratum and one section"),
        (slips, "    A name\n        a -> b\n        It.\nThird", 4, "indented by 0; expected 4"),
        (choices, "a. one [right]\n    It is.\nc. two\n    Not.", 3, "expected `b. `"),
        (choices, "a. one [wrong]\n    It is.", 1, r"expected \[right\]"),
        (choices, "a. one [right]\n", 1, "expected an explanation"),
        (exercise, "perceptron.try: A try\n    a\n    b\n    c", 1, "expected `identity: title"),
        (exercise, "A try [3 minutes] [The rule]\n    a\n    b\n    c", 1, "expected `identity:"),
        (exercise, "", 1, "expected `identity:"),
        (exercise, "a.b: A try [3 minutes] [C]\n    a\n    b", 1, "hints below it, found 2"),
        (exercise, "a.b: A [3 minutes] [C]\n    a\n    b\n    c\nNote\n    d", 5, "`Remark`"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_names_its_line(read, text, line, expected) -> None:
    with pytest.raises(BlockError, match=expected) as caught:
        read(text)
    assert f"line {line}, " in str(caught.value)


def test_the_line_is_that_of_the_file() -> None:
    here = inspect.currentframe().f_lineno
    with pytest.raises(BlockError, match=f"test_text_blocks.py, line {here + 6}, 'Second'"):
        slips("""
            First
                a -> b
                A message.
            Second
                No way at all.
        """)


@pytest.mark.parametrize(
    ("read", "text", "functions", "expected"),
    [
        (slips, SLIP, {"high": high}, r"no line names the functions \['high'\]"),
        (choices, "a. one\n    It is not.", {}, "no choice is marked"),
    ],
)
def test_what_is_left_over_or_missing_is_an_error(read, text, functions, expected) -> None:
    with pytest.raises(BlockError, match=expected):
        read(text, **functions)
