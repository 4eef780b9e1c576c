"""What is only true of this chapter: LDA or logistic regression?"""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

from lectures_lib.chapters.lda_or_logistic import live, pictures
from lectures_lib.datasets import load_breast_cancer, load_iris
from lectures_lib.figures.marks import Curve, Line, Points, Region
from lectures_lib.gaussian import efron_efficiency
from tests.chapters import defined
from tests.exercise_tests import ExerciseTests


@pytest.mark.parametrize("distance", [0.0, 0.7, 2.5, 4.0])
def test_the_efficiency_of_the_notebook_is_the_integral_that_efron_prints(distance: float) -> None:
    """(1 + D²/4) exp(-D²/8) / sqrt(2π) times the integral of exp(-x²/2) / cosh(Dx/2)."""
    efficiency = defined("lda_or_logistic", "efficiency")["efficiency"]
    integral, _ = quad(lambda x: np.exp(-(x**2) / 2) / np.cosh(distance * x / 2), -30, 30)
    printed = (1 + distance**2 / 4) * np.exp(-(distance**2) / 8) * integral / np.sqrt(2 * np.pi)
    assert efficiency(distance) == pytest.approx(printed, rel=1e-8)


def test_the_weights_of_the_notebook_give_the_posterior_of_scikit_learn() -> None:
    iris = load_iris()
    theirs = LinearDiscriminantAnalysis(solver="lsqr", store_covariance=True).fit(iris.X, iris.y)
    W = defined("lda_or_logistic", "softmax_weights")["softmax_weights"](
        theirs.priors_, theirs.means_, theirs.covariance_
    )
    z = np.exp(W[:, 0] + iris.X @ W[:, 1:].T)
    posterior = z / z.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(posterior, theirs.predict_proba(iris.X), atol=1e-9)
    assert not W[-1].any()


@pytest.mark.parametrize("place", [(1.5, 0.0), (9.5, 6.0), (-8.0, 1.0)])
def test_the_drawn_lines_are_those_of_scikit_learn(place: tuple[float, float]) -> None:
    scene = pictures.far_scene(place)
    points = scene.marks(Points)[0]
    theirs = [
        LinearDiscriminantAnalysis().fit(points.xy, points.classes),
        LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-9).fit(
            points.xy, points.classes
        ),
    ]
    counts = np.bincount(points.classes)
    shares = np.log(counts[1] / counts[0])
    freedom = (counts.sum() - 2) / counts.sum()  # scikit-learn's LDA divides the scatter by N
    lda, logistic = ([model.intercept_[0], *model.coef_[0]] for model in theirs)
    lda = [(lda[0] - shares) * freedom + shares, lda[1] * freedom, lda[2] * freedom]
    drawn = [line for line in scene.marks(Line) if line.role != "old"]
    for line, other in zip(drawn, (lda, logistic), strict=True):
        ours = np.array([line.w0, *line.w])
        np.testing.assert_allclose(ours, other, atol=1e-4)


def test_the_error_on_clean_data_is_the_area_beyond_the_line() -> None:
    w0, w = 0.4, np.array([1.2, -0.7])
    x = np.random.default_rng(0).standard_normal((400_000, 2))
    first, second = (sign * (w0 + (x + np.array([sign * 1.5, 0])) @ w) < 0 for sign in (-1, 1))
    wrong = first.mean(), second.mean()
    assert pictures.clean_error(w0, w) == pytest.approx(np.mean(wrong), abs=2e-3)
    assert pictures.clean_error(0.0, np.array([2.0, 0])) == pytest.approx(norm.cdf(-1.5))


def test_far_examples_on_their_own_side_turn_one_line_only() -> None:
    def turned(place):
        lines = [one for one in pictures.far_scene(place).marks(Line) if one.role != "old"]
        return [float(np.degrees(np.arctan2(line.w[1], line.w[0]))) for line in lines]

    before, after = turned((1.5, 0.0)), turned((9.5, 6.0))
    assert abs(after[0] - before[0]) > 20
    assert abs(after[1] - before[1]) < 1
    wrong_side = turned((-8.0, 4.0))
    assert min(abs(a - b) for a, b in zip(wrong_side, before, strict=True)) > 5


@pytest.mark.slow
def test_the_live_pictures_are_alive_without_a_kernel_and_follow_the_hand() -> None:
    efficiency, far = live.efficiency(), live.far()
    for widget in (efficiency, far):
        assert widget.mode == "ahead", widget.why
    efficiency.distance = 5.0
    assert "needs 628% more" in efficiency.scene.describe()
    efficiency.distance = 0.0
    assert "needs 0% more" in efficiency.scene.describe()
    assert far.scene == pictures.far_scene((9.5, 6.0))
    far.step = (0, 0)
    assert "LDA 0.068, logistic regression 0.074" in far.scene.describe()
    far.step = (-4, 2)
    assert "LDA 0.095, logistic regression 0.112" in far.scene.describe()


def test_the_grey_area_is_the_density_times_four_p_one_minus_p() -> None:
    scene = pictures.efficiency_scene(2.5)
    (grey,) = scene.marks(Region)
    (polygon,) = grey.polygons
    half = len(polygon) // 2
    area = np.trapezoid(polygon[:half, 1], polygon[:half, 0])
    assert area == pytest.approx(4 * efron_efficiency(2.5) / (4 + 2.5**2), rel=1e-3)


def test_a_learning_curve_is_the_mean_of_its_runs_with_a_band() -> None:
    runs = np.array([[[0.2, 0.1], [0.4, 0.1]], [[0.3, 0.2], [0.3, 0.0]]])
    scene = pictures.learning_scene((20, 40), {"": runs})
    lda, logistic = scene.marks(Curve)
    np.testing.assert_allclose(lda.y, [0.3, 0.1])
    np.testing.assert_allclose(logistic.y, [0.3, 0.1])
    band = scene.marks(Region)[0].polygons[0]
    np.testing.assert_allclose(band[:2, 1] - lda.y, [0.1, 0.0], atol=1e-12)


# --- exercises: right answers written in other ways ----------------------------------------------


def shares_row_by_row(W, old, new):
    rows = []
    for row, before, after in zip(W, old, new, strict=True):
        factor = after / before / (new[-1] / old[-1])
        rows.append([row[0] + np.log(factor), *row[1:]])
    return rows


def shares_by_recentring(W, old, new):
    moved = np.column_stack([W[:, 0] + np.log(new) - np.log(old), W[:, 1:]])
    moved[:, 0] -= moved[-1, 0]
    return moved


def extra_by_densities(means, covariance, X):
    P = np.linalg.inv(covariance)
    far = [np.einsum("ij,jk,ik->i", X - m, P, X - m) for m in means]
    p = 1 / (1 + np.exp((far[1] - far[0]) / 2))
    gap = means[0] - means[1]
    squared = gap @ P @ gap
    return squared**0.5, 1 / ((4 + squared) * np.mean(p - p**2)) - 1


def extra_by_a_loop(means, covariance, X):
    L = np.linalg.cholesky(covariance)
    gap = np.linalg.solve(L, means[1] - means[0])
    total = 0.0
    for x in X:
        t = np.linalg.solve(L, x - (means[0] + means[1]) / 2) @ gap
        total += 1 / (2 + np.exp(t) + np.exp(-t))
    return np.linalg.norm(gap), len(X) / total / (4 + sum(gap**2)) - 1


def guesses_by_loops(X, P):
    N, K = P.shape
    priors = [sum(P[:, k]) / N for k in range(K)]
    means = [sum(P[i, k] * X[i] for i in range(N)) / sum(P[:, k]) for k in range(K)]
    S = sum(
        P[i, k] * np.outer(X[i] - means[k], X[i] - means[k]) for i in range(N) for k in range(K)
    )
    return priors, means, S / N


def guesses_by_moments(X, P):
    total = P.sum(axis=0)
    means = np.array([np.average(X, axis=0, weights=P[:, k]) for k in range(P.shape[1])])
    return total / len(X), means, (X.T @ X - (means.T * total) @ means) / len(X)


HEIGHT = np.array([-3.0, -1.5, 0.0, 1.5, 3.0])
LEFT = np.c_[[-1.2, -0.8, -1.2, -0.8, -1.2], HEIGHT]
TAIL = [[18, 12], [19, 12], [18, 13]]
TAILED = np.concatenate([LEFT, -LEFT, TAIL])
LABELS = np.repeat([0, 1], [5, 8])
TURN = np.array([[0.6, 0.8], [-0.8, 0.6]])


def fair_gaps(runs: int, sizes: tuple[int, ...], seed: int) -> np.ndarray:
    """Error of logistic regression minus that of LDA on the same biopsies, each with the penalty
    that scikit-learn's cross-validation chooses among the labelled ones."""
    shares, strengths = (0, 0.1, 0.3, 0.5, 0.7, 0.9), (0.01, 0.1, 1, 10, 100)
    cancer = load_breast_cancer()
    X = cancer.X[:, [0, 1, 4, 5, 8]]
    X = X / X.std(axis=0)
    gaps = np.empty((runs, len(sizes)))
    for i, j in np.ndindex(gaps.shape):
        rng, known = np.random.default_rng([seed, i, j]), np.arange(0)
        while np.bincount(cancer.y[known], minlength=2).min() < 5:  # every fold needs both classes
            order = rng.permutation(len(X))
            new, known = order[:200], order[200 : 200 + sizes[j]]
        errors = []
        for model, grid in (
            (LinearDiscriminantAnalysis(solver="lsqr"), {"shrinkage": shares}),
            (LogisticRegression(), {"C": strengths}),
        ):
            chosen = GridSearchCV(model, grid, scoring="neg_log_loss", cv=5)
            chosen.fit(X[known], cancer.y[known])
            errors.append(1 - chosen.best_estimator_.score(X[new], cancer.y[new]))
        gaps[i, j] = errors[1] - errors[0]
    return gaps


@pytest.mark.slow
def test_a_fair_duel_does_not_end_with_lda_ahead() -> None:
    gaps = fair_gaps(12, (20, 320), seed=1)
    assert abs(gaps[:, 0].mean()) < 3 * gaps[:, 0].std(ddof=1) / np.sqrt(12)
    assert gaps[:, 1].mean() < 0


@pytest.mark.deep
def test_the_fair_duel_in_full() -> None:
    gaps = fair_gaps(120, (20, 80, 320), seed=2)
    mean, error = gaps.mean(axis=0), gaps.std(axis=0, ddof=1) / np.sqrt(len(gaps))
    assert abs(mean[0]) < 0.01
    assert (mean[1:] + 2 * error[1:] < 0).all()


class TestExercises(ExerciseTests):
    slug = "lda_or_logistic"
    right_answers = {
        "lda_or_logistic.new_shares": [(shares_row_by_row,), (shares_by_recentring,)],
        "lda_or_logistic.extra": [(extra_by_densities,), (extra_by_a_loop,)],
        "lda_or_logistic.guesses": [(guesses_by_loops,), (guesses_by_moments,)],
        "lda_or_logistic.separated": [
            (TAILED, LABELS),
            ((TAILED @ TURN + 5).tolist(), LABELS),
        ],
    }
    wrong_data = {
        "lda_or_logistic.separated": {
            "LDA makes fewer than three mistakes": (
                TAILED[:10],
                LABELS[[0, 0, 0, 0, 0, 5, 5, 5, 5, 5]],
            ),
            "No line separates": (TAILED * [0, 1] + TAILED[::-1] * [0.1, 0], LABELS),
            "All on lines": (TAILED * [1, 0], LABELS),
            "Not two classes of 10 to 40 points": (TAILED[:4], LABELS[:4]),
        }
    }
