"""What readers typed who saw the course for the first time, and what they are told."""

import numpy as np
import pytest

from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.registry import find
from tests.checks.answers import SOLVED, answers_in


def told(identity: str, *answers: object) -> str:
    return repr(evaluate(find(identity), answers))


def mended(identity: str, *edits: tuple[str, str]) -> str:
    """What is said to the solution after edits."""
    source = SOLVED[identity]
    for old, new in edits:
        assert old in source, source
        source = source.replace(old, new)
    return told(identity, *answers_in(source, find(identity)))


@pytest.mark.parametrize(
    ("identity", "answer", "words"),
    [
        ("learning_from_examples.guessing", "= q(1-p) + q*p", "1. = q(1-p) + q*p   REFUTED"),
        ("learning_from_examples.guessing", "= 1 - q + 2pq   multiply out", "put a # before it"),
        ("learning_from_examples.guessing", "<= 1 - p   because q <= 1", "put a # before it"),
        ("logistic_training.bound", "= dot(X @ v, X @ v) <= 1", "stand in one line: write a line"),
        ("logistic_training.bound", "= sum_{i=1}^N p_i*(1-p_i)*x_i", "x_i is not declared"),
        ("logistic_training.bound", "= sum(p*(1-p)*dot(X[i], v)**2, i, 1, N)", "write p[i]"),
        ("logistic_training.bound", "= sum(p[i], i, 0, N)", "entries are counted from 1"),
        ("logistic_model.new_probability", "= 1/(1 + E**b)", "the number is e"),
        ("logistic_model.new_probability", "= 1/[1 + exp(b)]", "square brackets make a vector"),
        ("logistic_model.new_probability", "= log(p)/log(b)", "At p = 1/2, b = 2 the left side is"),
        ("logistic_model.new_probability", "= p*exp(b)", "not the probability"),
        ("gaussian_classifiers.words",
         "= log(p) + x*log(a) - log(1 + a) - log(q) + x*log(b) - log(1 + b)",
         "The minus before the bracket"),
    ],
)  # fmt: skip
def test_a_derivation_is_answered_truly(identity, answer, words) -> None:
    found = told(identity, answer)
    assert words in found, found
    assert "begins with its relation" not in found


def test_all_lines_are_judged_after_one_that_cannot_be_read() -> None:
    found = told("decision_theory.twice", "=< 2*p*(1 - p)\n= 2*p - 2*p**2\n<= 2*p")
    assert found.startswith("Line 1 cannot be read: ")
    assert "2. = 2*p - 2*p**2   PROVED" in found
    assert "3. <= 2*p   PROVED" in found


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        (lambda m, n: 0.5**m, "As with a single case"),
        (lambda m, n: 0.5 / m, "A half, divided by m"),
        (lambda m, n: 1 - (1 - 0.5**n) ** m, "Only the chance of no mistake"),
    ],
)
def test_different_mistakes_have_different_names(answer, name) -> None:
    assert f"{name}:" in told("learning_from_examples.luck", answer)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda m: (m, max(-m, 0), m, m), "arrays take `np.maximum`"),
        (lambda m: (m, m, m, m @ np.ones(len(m) + 1)), "The lengths do not fit"),
    ],
)
def test_an_error_of_numpy_comes_with_advice(answer, words) -> None:
    assert words in told("perceptron.losses", answer)


def test_a_logarithm_to_another_base_is_told() -> None:
    def in_base_two(X, s, w):
        m = s * (w[0] + X @ w[1:])
        return np.exp(-np.logaddexp(0, -m)) / np.log(2)

    found = told("logistic_model.label_probability", in_base_two)
    assert "is 1.4427 times what is expected, as a logarithm to base 2 would be" in found


def test_all_letters_together_do_not_open_the_key() -> None:
    quiz = find("your_own_data.report")
    (part,) = quiz.parts
    found = told(quiz.id, "abcde")
    assert [choice.letter for choice in part.choices if choice.why in found] == ["a"]


def test_a_reason_that_is_not_judged_is_not_counted_as_wrong() -> None:
    found = told("linear_discriminants.masked", "b", "b")
    assert "The reason is judged when the outcome is right." in found
    assert "cases" not in found


@pytest.mark.parametrize(
    ("identity", "edit", "name"),
    [
        ("logistic_model.fill_and_flag", ("np.isnan(new)", "(new == np.nan)"), "Compared with NaN"),
        ("logistic_model.weight_between", None, "A bracket is missing"),
        ("logistic_model.label_probability", None, "The bias is taken from the end"),
        ("logistic_training.epoch", None, "The gradient of a sum"),
        ("logistic_training.epoch", None, "The step shrinks"),
        ("logistic_training.penalised", None, "A factor 2"),
        ("gaussian_classifiers.coefficients", None, "Inverted entry by entry"),
    ],
)
def test_mistakes_that_were_made_have_names(identity, edit, name) -> None:
    if edit is not None:
        assert f"{name}:" in mended(identity, edit)
    assert name in {slip.name for slip in find(identity).slips}


def test_the_example_that_is_called_rightly_is_named() -> None:
    found = told("learning_from_examples.fails", [0, 0.1, 1, 1.1, 2, 2.1, 3, 3.1, 4],
                 [0, 1, 0, 1, 0, 1, 0, 1, 1])  # fmt: skip
    assert "`x_fails[8]` is labelled correctly: its nearest neighbour, 3.1, has" in found


def test_two_mistakes_made_together_are_both_named() -> None:
    def no_step_and_the_other_way_round(p, q, delta):
        return np.log(p / (1 - p)) - np.log(q / (1 - q))

    found = told("logistic_model.weight_between", no_step_and_the_other_way_round)
    assert "The step is forgotten; Before and after exchanged:" in found
    assert "A larger step" not in found


def test_what_no_mistake_explains_gets_no_name() -> None:
    outcome = evaluate(find("logistic_model.weight_between"), (lambda p, q, delta: p * q + delta,))
    assert outcome.status == "wrong"
    assert not outcome.slips
