"""What a check says of numbers that no slip explains: what they have to do with the right ones."""

import numpy as np
import pytest

from lectures_lib.checks.judging.relations import Pair, other_order, relation

CASES = [np.array([0.5, -2.0, 3.25]), np.array([1.5, -4.0]), np.array([-0.75, 2.0, 2.5, 7.0])]


def pairs(change, cases=CASES):
    return [
        Pair(np.asarray(change(wanted), dtype=float), wanted, {"rows of `X`": len(wanted)})
        for wanted in cases
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda w: -w, "has the opposite sign"),
        (np.abs, "has lost its sign"),
        (lambda w: w**2, "is the square of what is expected"),
        (lambda w: 1 - w, "is 1 minus what is expected"),
        (np.floor, "rounded down"),
        (lambda w: w[::-1], "in reverse order"),
        (lambda w: w[1:], "without its first entry"),
        (np.cumsum, "running sums"),
        (lambda w: 3 * w, "is 3 times what is expected"),
        (lambda w: w + 2, "is 2 more than expected"),
        (lambda w: len(w) * w, "is what is expected times the number of rows of `X`"),
        (lambda w: w / len(w), "divided by the number of rows of `X`"),
        (lambda w: np.append(0, w), "one entry too many in front"),
    ],
)
def test_a_relation_that_holds_in_every_case_is_told(change, said) -> None:
    assert said in relation("w", pairs(change))


def test_nothing_is_told_of_right_numbers_or_of_numbers_that_fit_nothing() -> None:
    assert relation("w", pairs(lambda w: w)) == ""
    assert relation("w", pairs(lambda w: np.cos(7 * w))) == ""


def test_one_case_that_does_not_fit_is_enough_to_say_nothing() -> None:
    almost = [*pairs(lambda w: -w, CASES[:2]), *pairs(lambda w: w + 1, CASES[2:])]
    assert relation("w", almost) == ""


def test_two_cases_are_too_few_to_say_anything() -> None:
    assert relation("w", pairs(lambda w: -w, CASES[:2])) == ""


def test_infinity_where_it_is_right_hides_no_factor() -> None:
    cases = [*CASES, np.array([np.inf])]
    assert "is 4 times" in relation("bound", pairs(lambda w: 4 * w, cases))


def test_results_in_another_order_are_recognised() -> None:
    cases = [[Pair(2 * w, w, {}), Pair(w, 2 * w, {})] for w in CASES]
    assert other_order(("a", "b"), cases) == (
        "The results are right, but come as b, a; expected a, b."
    )
    assert other_order(("a", "b"), [[Pair(w, w, {}), Pair(w, 2 * w, {})] for w in CASES]) == ""
