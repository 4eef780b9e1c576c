"""The exercises on convergence and the dual form: answers that the tests cannot make themselves."""

import numpy as np

from lectures_lib.chapters.perceptron_convergence.exercises import novikoff_bound
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.registry import find
from lectures_lib.perceptron import Perceptron
from tests.exercise_tests import ExerciseTests

EYE = np.eye(12)
TURN = np.linalg.qr(np.random.default_rng(1).normal(size=(12, 12)))[0]  # a rotation


class TestExercises(ExerciseTests):
    slug = "perceptron_convergence"
    right_answers = {
        "perceptron_convergence.tight_data": [
            (np.eye(20) * 2, np.tile([1, -1], 10), np.array([[0, *[1, -1] * 10]]).T),
            (3 * TURN, np.tile([-1, 1], 6), [0, *(np.tile([-1, 1], 6) @ TURN)]),
        ],
    }  # fmt: skip
    wrong_data = {
        "perceptron_convergence.tight_data": {
            "w* points the other way": (3 * EYE, np.tile([-1, 1], 6), [0] + [1, -1] * 6),
            "The bias stands last": (
                3 * EYE, np.tile([-1, 1], 6), np.append(np.tile([-1, 1], 6), 0.5)),
            "w* does not separate": (3 * EYE, np.tile([-1, 1], 6), np.ones(13)),
            "Too few updates": ([[-1], [1]], [-1, 1], [0, 1]),
            "Too slow": ([[1000], [1001]], [-1, 1], [-1000.5, 1]),
            "The examples repair each other": ([[5], [6], [8], [9]], [-1, -1, 1, 1], [-7, 1]),
        },
    }  # fmt: skip
    EXPANDED = "= norm(w)**2 + 2*eta*s*dot(w, x) + eta**2*s**2*norm(x)**2"
    still_right = {
        (EXPANDED, "the left operand alone"): "s**2 is 1",
        ("break", "break dropped"): "after a clean pass nothing changes any more",
        ("bound = R2 / gamma**2 if gamma > 0 else np.inf", "Gt -> GtE"): "R2 / 0 is infinity too",
        ("before = alpha.sum()", "sum -> mean"): "the mean grows exactly when the sum does",
        ("if alpha.sum() == before:", "sum -> mean"): "equal only if nothing changed",
    }


def test_data_with_too_many_numbers_are_refused() -> None:
    answers = np.ones((50, 51)), np.tile([-1, 1], 25), np.ones(52)
    outcome = evaluate(find("perceptron_convergence.tight_data"), answers)
    assert "X has 2,550 entries; at most 2,500 are allowed." in repr(outcome)


def test_the_last_clean_pass_is_not_counted_by_the_bound() -> None:
    X, s, w_star = np.array([[100.0], [-100.0]]), np.array([1, -1]), np.array([0.0, 1.0])
    model = Perceptron().fit(X, s)
    bound = novikoff_bound(X, s, w_star)
    assert len(model.updates_) <= bound < model.n_iter_ <= bound + 1
    told = repr(evaluate(find("perceptron_convergence.rate_quiz"), ("b", "c")))
    assert "at most R²/γ² + 1 passes" in told


def test_a_reversed_w_is_told_from_one_with_its_bias_last() -> None:
    exercise, s = find("perceptron_convergence.tight_data"), np.tile([-1, 1], 6)
    for w, name in {
        (0, *-s): "w* points the other way",
        (*s, 0): "The bias stands last",
        (*s, 0.5): "The bias stands last",
    }.items():
        outcome = evaluate(exercise, (3 * np.eye(12), s, w))
        assert [slip.name for slip in outcome.slips] == [name]
