"""The exercises on convergence and the dual form: answers that the tests cannot make themselves."""

import numpy as np

from lectures_lib.chapters.perceptron_convergence.exercises import novikoff_bound
from lectures_lib.checks.evaluate import evaluate
from lectures_lib.checks.registry import find
from lectures_lib.perceptron import Perceptron
from tests.exercise_tests import ExerciseTests

EYE = np.eye(12)
TURN = np.linalg.qr(np.random.default_rng(1).normal(size=(12, 12)))[0]  # a rotation


def bound_by_a_loop(X, s, w_star):
    length = sum(float(v) ** 2 for v in w_star) ** 0.5
    margins = [
        float(sign) * (w_star[0] + sum(w_star[1:] * x)) / length
        for x, sign in zip(X, s, strict=True)
    ]
    gamma = min(margins)
    if gamma <= 0:
        return float("inf")
    return max(1 + float(x @ x) for x in X) / gamma**2


def bound_as_one_entry(X, s, w_star):
    A = np.insert(X, 0, 1, axis=1)
    unit = w_star / np.sqrt(w_star @ w_star)
    worst = np.min(np.diag(s) @ A @ unit)
    longest = np.max(np.linalg.norm(A, axis=1))
    return np.array([[longest**2 / worst**2 if worst > 1e-12 else np.inf]])


def bounds_by_a_loop(W, w_star, gamma, R, eta):
    lower, upper = [], []
    for t, w in enumerate(W, start=1):
        lower.append(int(np.dot(w_star, w) >= t * eta * gamma))
        upper.append(int(np.dot(w, w) <= t * (eta * R) ** 2))
    return lower, upper


def bounds_stacked(W, w_star, gamma, R, eta):
    t = 1 + np.arange(W.shape[0])
    return np.stack([W @ w_star - t * eta * gamma >= 0, np.sum(W * W, 1) <= t * eta**2 * R**2])


def dual_in_lists(G, s, max_passes):
    alpha = [0] * len(s)
    for _ in range(max_passes):
        clean = True
        for i in range(len(s)):
            g = sum(alpha[j] * s[j] * G[i][j] for j in range(len(s)))
            if s[i] * g <= 0:
                alpha[i] += 1
                clean = False
        if clean:
            break
    return alpha


def dual_with_scores(G, s, max_passes):
    alpha, scores, since, step = np.zeros((len(s), 1)), np.zeros(len(s)), 0, 0
    while since < len(s) and step < max_passes * len(s):
        i = step % len(s)
        if s[i] * scores[i] <= 0:
            alpha[i] += 1
            scores, since = scores + s[i] * G[:, i], 0
        else:
            since += 1
        step += 1
    return alpha


def bound_from_by_bisection(X, s, w_star, w_init, eta):
    A, unit = np.column_stack([np.ones(len(X)), X]), w_star / np.linalg.norm(w_star)
    gamma, R2 = (s * (A @ unit)).min(), (A * A).sum(axis=1).max()

    def allowed(t):
        return (unit @ w_init + t * eta * gamma) ** 2 <= w_init @ w_init + t * eta**2 * R2 + 1e-12

    low, high = 0.0, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if allowed(middle) else (low, middle)
    return low


def bound_from_by_roots(X, s, w_star, w_init, eta):
    A, unit = np.column_stack([np.ones(len(X)), X]), w_star / np.linalg.norm(w_star)
    g, r, a = eta * (s * (A @ unit)).min(), eta**2 * (A * A).sum(axis=1).max(), unit @ w_init
    return np.roots([g * g, 2 * a * g - r, a * a - w_init @ w_init]).max()


class TestExercises(ExerciseTests):
    slug = "perceptron_convergence"
    right_answers = {
        "perceptron_convergence.upper_bound": [
            (
                """
                norm(w + eta*s*x)**2
                = norm(w)**2 + 2*s*eta*dot(x, w) + eta**2*norm(x)**2
                = dot(w, w) + 2*s*eta*dot(w, x) + eta**2*dot(x, x)
                <= norm(w)**2 + 2*beta*eta + eta**2*norm(x)**2
                <= eta**2*R**2 + norm(w)**2 + 2*eta*beta
                """,
            ),
            (
                "norm(w + eta*s*x)**2 = norm(w)**2 + 2*dot(w, eta*s*x) + norm(eta*s*x)**2\n"
                "# the mixed term next\n<= norm(w)**2 + 2*eta*beta + norm(eta*s*x)**2\n"
                "<= norm(w)**2 + 2*eta*beta + (eta*R)**2",
            ),
        ],
        "perceptron_convergence.bound": [(bound_by_a_loop,), (bound_as_one_entry,)],
        "perceptron_convergence.claimed_trace": [(bounds_by_a_loop,), (bounds_stacked,)],
        "perceptron_convergence.dual": [(dual_in_lists,), (dual_with_scores,)],
        "perceptron_convergence.tight_data": [
            (np.vstack([10 * np.eye(10)]).tolist(), [-1, 1] * 5, [0] + [-3, 3] * 5),
            (np.eye(20) * 2, np.tile([1, -1], 10), np.array([[0, *[1, -1] * 10]]).T),
            (3 * TURN, np.tile([-1, 1], 6), [0, *(np.tile([-1, 1], 6) @ TURN)]),
        ],
        "perceptron_convergence.nonzero_start": [
            (bound_from_by_bisection,), (bound_from_by_roots,)],
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
    still_right = {
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
    told = repr(evaluate(find("perceptron_convergence.rate_quiz"), ("d",)))
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
