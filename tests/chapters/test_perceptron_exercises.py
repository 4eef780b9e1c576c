"""The exercises of the chapter on the perceptron: answers that the tests cannot make themselves."""

from fractions import Fraction

import numpy as np
import pytest

from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.registry import find
from tests.checks.answers import SOLVED, answers_in
from tests.exercise_tests import ExerciseTests


class TestExercises(ExerciseTests):
    slug = "perceptron"
    right_answers = {
        "perceptron.zero_margin": [
            (np.float32([[0.5, 0.5], [-1, -1], [3, 3], [-2, 0]]), (-1, 1, -1, 1)),
            ([[Fraction(1, 3), 0], [1, 0], [Fraction(-3), 0], [-9, 0]], [-1, -1, 1, 1]),
        ],
    }
    wrong_data = {
        "perceptron.trace": {
            "Rows counted from 1": (
                [(1, 1, 2, -2), (2, 0, 2, -2), (3, 1, 5, 1), (4, 0, 4, 3), ...],),
            "Ties are passed over": ([(1, -1, 0, 0), (2, 0, 3, 3), (1, -1, 3, 3), ..., ...],),
            "Later ties are passed over": (
                [(0, 1, 2, -2), (1, 0, 2, -2), (3, -1, 1, 0), ..., ...],),
            "The bias stands last": ([(0, 2, -2, 1), (1, 2, -2, 0), (2, 5, 1, 1), ..., ...],),
            "The bias never moves": (
                [(0, 0, 2, -2), (1, 0, 2, -2), (2, 0, 5, 1), (3, 0, 4, 3), ...],),
            "Back to the first example": (
                [(0, 1, 2, -2), (1, 0, 2, -2), (1, -1, 2, -2), ..., ...],),
            "The weights before the update": (
                [(0, 0, 0, 0), (1, 1, 2, -2), (2, 0, 2, -2), ..., ...],),
            "The sign is missing": ([(0, 1, 2, -2), (1, 2, 2, -2), (3, 3, 3, -4), ..., ...],),
        },
        "perceptron.zero_margin": {
            "The line passes between the classes": (
                [[1, 0], [2, 1], [-2, 0], [-3, 2]], [-1, -1, 1, 1]),
            "Not separable": ([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]),
            "Too slow": ([[1000, 0], [1001, 0], [999, 0], [1002, 0]], [-1, 1, -1, 1]),
            "One class only": ([[1, 0], [2, 1], [-1, 0], [-3, 2]], [1, 1, 1, 1]),
        },
    }  # fmt: skip
    still_right = {
        ("break", "break dropped"): "after a clean pass nothing changes any more",
        (
            'if s[i] * g < 0 or (g == 0 and (tie == "update" or s[i] < 0)):',
            "Lt -> LtE",
        ): "s[i] is never 0 (the other `<` of this line is caught)",
        (
            'if s[i] * g < 0 or (g == 0 and (tie == "update" or s[i] < 0)):',
            "0 -> 1",
        ): "s[i] < 1 means s[i] = -1 (the other zeros of this line are caught)",
        ("mistakes = s * (A @ w) <= 0", "LtE -> Lt"): "another subgradient at the kink",
    }


def written_quickly(strict=False, sign=True, ones="first", listed=False):
    """A perceptron as a student may first write it: it ignores `tie`."""

    def fit(X, s, eta, tie, max_passes):
        one = np.ones((len(X), 1))
        A = np.hstack({"first": (one, X), "last": (X, one), "none": (X,)}[ones])
        w, rows = np.zeros(A.shape[1]), []
        for _ in range(max_passes):
            before = len(rows)
            for i in range(len(s)):
                m = s[i] * (A[i] @ w)
                if m < 0 or (m == 0 and not strict):
                    w = w + eta * (s[i] if sign else 1) * A[i]
                    rows.append(i)
            if len(rows) == before:
                break
        return w, rows if listed else len(rows)

    return fit


@pytest.mark.parametrize(
    ("how", "name"),
    [
        ({}, "One tie rule for both"),
        ({"strict": True}, "A strict inequality"),
        ({"sign": False}, "The sign is missing"),
        ({"ones": "none"}, "The bias is missing"),
        ({"ones": "last"}, "The bias stands last"),
        ({"listed": True}, "The updates are listed"),
    ],
)
def test_a_slip_is_named_before_the_second_tie_rule_is_written(how, name) -> None:
    outcome = evaluate(find("perceptron.fit"), (written_quickly(**how),))
    assert [slip.name for slip in outcome.slips] == [name]
    assert "Note" not in repr(outcome)


def test_the_picture_counts_ties_by_the_rule_of_the_case() -> None:
    source = SOLVED["perceptron.fit"].replace(" or s[i] < 0", "")
    told = repr(evaluate(find("perceptron.fit"), answers_in(source, find("perceptron.fit"))))
    assert "tie = 'positive'" in told
    assert "expected: 1 x₁ = 1, no mistakes." in told


def test_an_entry_after_the_end_of_the_run_is_refused() -> None:
    exercise, told = (
        find("perceptron.trace"),
        "The run ends after entry 5 of the list; entry 6",
    )
    (right,) = answers_in(SOLVED[exercise.id], exercise)
    for extra in ((9, 9, 9, 9), right[-1], ...):
        outcome = evaluate(exercise, ([*right, extra],))
        assert (outcome.status, outcome.points) == ("wrong", 4)
        assert f"{told} is not an update." in repr(outcome)
        assert not outcome.slips
    wrong = [*right[:4], (3, -1, -1, 2), (0, 0, 1, 1)]
    assert told not in repr(evaluate(exercise, (wrong,))), "the run has not come to its end"


def test_a_trace_in_quotation_marks_is_text_and_not_a_missing_entry() -> None:
    told = repr(evaluate(find("perceptron.trace"), ("[(0, 1, 2, -2)]",)))
    assert "`trace` is text" in told
    assert "missing" not in told


@pytest.mark.parametrize(
    ("X", "s", "message"),
    [
        (np.ones((51, 2)), np.ones(51), "51 examples; at most 50"),
        (np.ones((4, 2)), [1, 1, -1], "4 rows and 3 signs"),
        (np.full((4, 2), 1e7), [1, 1, -1, -1], "larger than 1,000,000"),
        (np.ones((4, 2)), [1, 1, -1, -1], "All examples of class −1 are the same"),
        (np.zeros((0, 2)), [], "belong to one class"),
    ],
)
def test_unusable_data_are_described(X, s, message) -> None:
    assert message in repr(evaluate(find("perceptron.zero_margin"), (X, s)))
