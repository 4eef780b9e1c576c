"""What answers are judged by agrees with code that shares nothing with it."""

import warnings

import numpy as np
import pytest

from lectures_lib import perceptron as library
from lectures_lib.chapters.perceptron import cases, runs
from lectures_lib.chapters.perceptron import exercises as perceptron
from lectures_lib.chapters.perceptron_convergence import exercises as convergence
from lectures_lib.checks.judging.evaluate import evaluate
from lectures_lib.checks.registry import find
from lectures_lib.margin import HardMarginSVM, InseparableError
from tests.checks.answers import SOLVED, answers_in
from tests.mutants import derivation_mutants, mutants


def test_each_mutant_of_a_derivation_changes_one_line() -> None:
    text = "= a + 2*b   # why\n\n<= c"
    found = {(what, changed) for _, what, changed in derivation_mutants(text)}
    assert ("Add -> Sub", "= a - 2 * b\n<= c") in found
    assert ("2 -> 3", "= a + 3 * b\n<= c") in found
    assert ("<= -> =", "= a + 2*b\n= c") in found
    lines = [changed.splitlines() for _, changed in found]
    assert all((a == "= a + 2*b") != (b == "<= c") for a, b in lines)


def float_run(X, s, tie):
    """An independent run for small whole numbers: updates, weights, stopped by itself."""
    A, w, count = np.column_stack([np.ones(len(X)), X]), np.zeros(X.shape[1] + 1), 0
    for _ in range(400):
        wrong = [i for i in range(len(s)) if _is_wrong(s[i] * (A[i] @ w), s[i], tie)]
        if not wrong:
            return count, w, True
        for i in range(len(s)):
            if _is_wrong(s[i] * (A[i] @ w), s[i], tie):
                w, count = w + s[i] * A[i], count + 1
    return count, w, False


def _is_wrong(margin, sign, tie):
    return margin < 0 or (margin == 0 and (tie == "update" or sign == -1))


def has_zero_margin(X, s) -> bool:
    X, s = np.asarray(X, dtype=float), np.asarray(s)
    enough = all(len({tuple(x) for x in X[s == sign]}) >= 2 for sign in (-1, 1))
    if not enough or not set(s) <= {-1, 1} or not float_run(X, s, "update")[2]:
        return False
    _, w, stopped = float_run(X, s, "positive")
    return stopped and min(s * (w[0] + X @ w[1:])) == 0


def is_tight(X, s, w) -> bool:
    X, s, w = np.asarray(X, dtype=float), np.asarray(s), np.asarray(w, dtype=float)
    A = np.column_stack([np.ones(len(X)), X])
    if not set(s) <= {-1, 1} or len(set(s)) < 2 or min(s * (A @ w)) <= 0:
        return False
    gamma, R = min(s * (A @ w)) / np.linalg.norm(w), max(np.linalg.norm(A, axis=1))
    count, _, stopped = float_run(X, s, "update")
    return stopped and count >= 10 and count >= R**2 / gamma**2 / 2


@pytest.mark.parametrize(
    ("identity", "oracle"),
    [("perceptron.zero_margin", has_zero_margin), ("perceptron_convergence.tight_data", is_tight)],
)
def test_changed_data_are_judged_as_an_independent_run_judges_them(identity, oracle) -> None:
    exercise, verdicts = find(identity), []
    for _, _, source in mutants(SOLVED[identity]):
        try:
            answers = answers_in(source, exercise)
            expected = oracle(*answers)
        except (ValueError, TypeError, IndexError):
            continue
        verdicts.append(expected)
        assert (evaluate(exercise, answers).status == "right") == expected, source
    assert True in verdicts
    assert False in verdicts


# The references, against something that does not share their code ----------------------------


def test_the_primal_and_the_dual_reference_make_the_same_run() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        X, s = rng.integers(-4, 5, (6, 2)).astype(float), rng.choice([-1, 1], 6)
        A = runs.augmented(X)
        alpha = convergence.perceptron_dual(A @ A.T, s, 30)
        w, count = perceptron.perceptron_fit(X, s, 0.5, "update", 30)
        assert np.array_equal(0.5 * (np.array(alpha) * s) @ A, w)
        assert sum(alpha) == count


def test_no_run_from_anywhere_makes_more_updates_than_the_bound() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        w_star = rng.normal(size=3)
        X = rng.uniform(-2, 2, (8, 2))
        s = np.where(runs.augmented(X) @ w_star > 0, 1, -1)
        w, eta, count = rng.normal(size=3) * 3, rng.uniform(0.1, 2), 0
        bound = convergence.bound_from(X, s, w_star, w, eta)
        assert convergence.bound_from(X, s, w_star, 0 * w, eta) == pytest.approx(
            convergence.novikoff_bound(X, s, w_star)
        )
        for _ in range(int(bound) + 2):
            margins = s * (runs.augmented(X) @ w)
            if margins.min() > 0:
                break
            i = int(margins.argmin())
            w, count = w + eta * s[i] * runs.augmented(X)[i], count + 1
        assert count <= bound + 1e-9


def test_the_exact_run_agrees_with_the_float_run_on_whole_numbers() -> None:
    rng = np.random.default_rng(5)
    for _ in range(25):
        X, s = rng.integers(-6, 7, (5, 2)).astype(float), rng.permutation([-1, 1, 1, -1, 1])
        for tie in ("update", "positive"):
            count, w, stopped = float_run(X, s, tie)
            exact, *others = runs.possible_runs(X, s, tie)
            assert all(run.stopped == exact.stopped for run in others)
            if stopped and exact.updates >= runs.MOST_UPDATES:
                continue
            assert exact.stopped == stopped
            if stopped:
                margin = min(s * (w[0] + X @ w[1:]))
                assert exact.updates == count
                assert np.sign(exact.smallest_margin) == np.sign(margin)


def test_lines_between_classes_are_found_exactly_when_the_hulls_do_not_meet() -> None:
    rng, seen = np.random.default_rng(8), set()
    for _ in range(150):
        X, s = rng.integers(-3, 4, (6, 2)).astype(float), np.tile([-1, 1], 3)
        try:
            HardMarginSVM().fit(X, s)
            expected = True
        except InseparableError:
            expected = False
        assert runs.separable_in_the_plane(X, s) == expected
        seen.add(expected)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("shift", "expected"), [(2.0**-40, True), (0.0, False), (-(2.0**-40), False)]
)
def test_separability_is_decided_where_rounding_would_hide_it(shift, expected) -> None:
    X = np.array([[0.0, 0.0], [1000.0, 1000.0], [500.0, 500.0 + shift], [0.0, 1000.0]])
    assert runs.separable_in_the_plane(X, np.array([-1, -1, 1, 1])) == expected


def test_the_references_agree_with_the_library() -> None:
    rng = np.random.default_rng(6)
    for _ in range(20):
        w_star, X = rng.integers(-3, 4, 3) + 0.5, rng.integers(-5, 6, (7, 2)).astype(float)
        s = np.where(runs.augmented(X) @ w_star > 0, 1, -1)
        w = rng.integers(-2, 3, 3).astype(float)
        if len(set(s)) < 2 or min(s * (runs.augmented(X) @ w_star)) == 0:
            continue
        for tie in ("update", "positive"):
            model = library.Perceptron(tie=tie, eta0=0.5, max_iter=40)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model.fit(X, s)
            weights, count = perceptron.perceptron_fit(X, s, 0.5, tie, 40)
            assert np.allclose(np.append(model.intercept_, model.coef_), weights)
            assert count == len(model.updates_)
        m = s * (runs.augmented(X) @ w)
        assert perceptron.perceptron_loss(X, s, w) == pytest.approx(np.maximum(-m, 0).mean())
        slope = -(s[:, None] * runs.augmented(X))[m < 0].sum(axis=0) / len(X)  # 0 at the kink
        assert cases.is_subgradient((X, s, w), (slope,), 1e-7) == ""
        assert convergence.novikoff_bound(X, s, w_star) == pytest.approx(
            library.novikoff_bound(X, s, w_star)
        )
        # From a start w the bound is the t at which both inequalities of the proof meet.
        t, unit = convergence.bound_from(X, s, w_star, w, 0.3), w_star / np.linalg.norm(w_star)
        left = unit @ w + t * 0.3 * (s * (runs.augmented(X) @ unit)).min()
        right = w @ w + t * 0.3**2 * (runs.augmented(X) ** 2).sum(axis=1).max()
        assert left == pytest.approx(np.sqrt(right))
