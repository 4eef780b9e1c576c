"""Fisher's discriminant: scatters, criteria, thresholds, and reduced-rank LDA."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.linalg import eigh
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as TheirLDA

from lectures_lib.datasets import load_digits, load_iris, load_vowel
from lectures_lib.fisher import (
    FisherDiscriminant,
    determinant_criterion,
    fisher_direction,
    fisher_J,
    fisher_J_gradient,
    fisher_targets,
    generalised_eigenvectors,
    mean_direction,
    principal_direction,
    scatter_matrices,
    sphering_matrix,
    threshold,
    trace_criterion,
)
from lectures_lib.gaussian import (
    LinearDiscriminantAnalysis,
    SingularCovarianceError,
    SingularCovarianceWarning,
    linear_discriminants,
)
from lectures_lib.selection import k_fold

Array = NDArray[Any]
seeds = st.integers(0, 10_000)
few = settings(deadline=None, max_examples=15)


def clouds(seed: int, K: int = 2, d: int = 3, each: int = 25) -> tuple[Array, Array]:
    """Correlated clouds of different sizes, in random order."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(K), [each + 9 * k for k in range(K)])
    mixing = np.eye(d) + np.tril(0.6 * rng.normal(size=(d, d)), -1)
    X = rng.normal(size=(len(y), d)) @ mixing + rng.normal(size=(K, d))[y] * 2
    order = rng.permutation(len(y))
    return X[order], y[order]


def same_direction(a: Array, b: Array) -> bool:
    return bool(abs(a @ b) / np.linalg.norm(a) / np.linalg.norm(b) > 1 - 1e-10)


# Scatter


@few
@given(seeds, st.integers(2, 5), st.integers(1, 5))
def test_the_scatters_of_random_data_add_up_and_are_projected(seed: int, K: int, d: int) -> None:
    X, y = clouds(seed, K, d)
    scatter = scatter_matrices(X, y)
    assert scatter.total == pytest.approx(scatter.within + scatter.between, rel=1e-10, abs=1e-9)
    assert scatter.total == pytest.approx(np.cov(X.T, bias=True).reshape(d, d) * len(y))
    assert scatter.mean == pytest.approx(X.mean(axis=0))
    assert scatter.counts.tolist() == np.bincount(y).tolist()
    W = np.random.default_rng(seed).normal(size=(d, 2))
    projected = scatter_matrices(X @ W, y)
    assert projected.within == pytest.approx(W.T @ scatter.within @ W)
    assert projected.between == pytest.approx(W.T @ scatter.between @ W, abs=1e-9)


# Two classes


@few
@given(seeds, st.integers(2, 5))
def test_no_direction_beats_fishers(seed: int, d: int) -> None:
    X, y = clouds(seed, 2, d)
    scatter = scatter_matrices(X, y)
    w = fisher_direction(X, y)
    best = fisher_J(w, scatter.between, scatter.within)
    for other in np.random.default_rng(seed).normal(size=(50, d)):
        assert fisher_J(other, scatter.between, scatter.within) <= best * (1 + 1e-9)
    gap = scatter.means[1] - scatter.means[0]
    n0, n1 = scatter.counts
    assert best == pytest.approx(
        n0 * n1 / (n0 + n1) * gap @ np.linalg.inv(scatter.within) @ gap, rel=1e-8
    )
    assert same_direction(w, np.linalg.inv(scatter.within) @ gap)
    assert w @ gap > 0
    assert np.linalg.norm(w) == pytest.approx(1.0)
    assert np.abs(fisher_J_gradient(w, scatter.between, scatter.within)).max() < 1e-9 * max(best, 1)
    assert same_direction(w, generalised_eigenvectors(scatter.between, scatter.within)[1][:, 0])


@few
@given(seeds)
def test_j_is_the_squared_distance_of_the_means_over_the_scatter_of_the_projection(
    seed: int,
) -> None:
    X, y = clouds(seed)
    scatter = scatter_matrices(X, y)
    w = np.random.default_rng(seed).normal(size=3)
    z = X @ w
    m = [z[y == k].mean() for k in (0, 1)]
    s = [((z[y == k] - m[k]) ** 2).sum() for k in (0, 1)]
    d = scatter.means[1] - scatter.means[0]
    J = fisher_J(w, np.outer(d, d), scatter.within)
    assert pytest.approx((m[0] - m[1]) ** 2 / (s[0] + s[1])) == J
    assert fisher_J(-7 * w, np.outer(d, d), scatter.within) == pytest.approx(J)


@few
@given(seeds)
def test_the_gradient_of_j_is_its_slope(seed: int) -> None:
    X, y = clouds(seed)
    scatter = scatter_matrices(X, y)
    S_B, S_w = scatter.between, scatter.within
    w = np.random.default_rng(seed).normal(size=3)
    w /= np.linalg.norm(w)
    step = 1e-5
    slope = [
        (fisher_J(w + step * e, S_B, S_w) - fisher_J(w - step * e, S_B, S_w)) / (2 * step)
        for e in np.eye(3)
    ]
    gradient = fisher_J_gradient(w, S_B, S_w)
    assert gradient == pytest.approx(slope, rel=1e-5, abs=1e-5 * (1 + np.abs(gradient).max()))


def test_the_mean_direction_maximises_the_distance_of_the_means() -> None:
    X, y = clouds(1)
    d = X[y == 1].mean(0) - X[y == 0].mean(0)
    assert mean_direction(X, y) @ d == pytest.approx(np.linalg.norm(d))
    assert np.linalg.norm(mean_direction(X, y)) == pytest.approx(1)


def test_the_principal_direction_has_the_largest_variance() -> None:
    X = np.random.default_rng(0).normal(size=(300, 2)) * [6.0, 0.5]
    w = principal_direction(X + 1e6)
    angles = np.linspace(0, np.pi, 721)
    assert np.var(X @ w) >= np.var(X @ [np.cos(angles), np.sin(angles)], axis=0).max() * (1 - 1e-9)
    assert w[0] > 0.9


@pytest.mark.parametrize("sizes", [(4, 4), (3, 7), (9, 2)])
def test_least_squares_on_the_special_targets_finds_fishers_direction(
    sizes: tuple[int, int],
) -> None:
    n0, n1 = sizes
    N = n0 + n1
    X = np.random.default_rng(n0).integers(-5, 6, (N, 2)).astype(float)
    X[n0:, 0] += 2
    y = [0] * n0 + [1] * n1
    assert fisher_targets(y) == pytest.approx([-N / n0] * n0 + [N / n1] * n1)
    w0, *w = np.linalg.lstsq(np.column_stack([np.ones(N), X]), fisher_targets(y))[0]
    assert same_direction(np.array(w), fisher_direction(X, y))
    assert w0 == pytest.approx(-float(w @ X.mean(axis=0)), abs=1e-12)


# Thresholds


def test_the_four_thresholds_have_the_errors_of_the_table() -> None:
    # p1 = 0.9 at +1, p0 = 0.1 at -1, standard deviation 1: exact errors of each rule.
    p, normal = np.array([0.1, 0.9]), NormalDist()
    z, y = np.array([-2.0, 0.0, 0.0, 2.0]), np.array([0, 0, 1, 1])  # means -1, +1; scatter 4
    z_unit = np.concatenate([[-1 - 0.5**0.5, -1 + 0.5**0.5], [1 - 0.5**0.5, 1 + 0.5**0.5]])

    def error(t: float) -> float:
        return p[0] * (1 - normal.cdf(t + 1)) + p[1] * normal.cdf(t - 1)

    cuts = {m: threshold(z, y, m, p) for m in ("midpoint", "grand mean", "swapped")}
    cuts["bayes"] = threshold(z_unit, y, "bayes", p)  # scatter 2 over N - 2 = 2: variance 1
    assert {m: round(error(t), 3) for m, t in cuts.items()} == {
        "grand mean": 0.382,
        "midpoint": 0.159,
        "swapped": 0.074,
        "bayes": 0.070,
    }
    best = min(np.linspace(-4, 4, 8001), key=error)
    assert cuts["bayes"] == pytest.approx(best, abs=2e-3)


@few
@given(seeds)
def test_the_cut_with_the_fewest_errors_is_found_by_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    z, y = rng.integers(-4, 5, 14).astype(float), np.arange(14) % 2
    z[y == 1] += 1
    if z[y == 0].mean() == z[y == 1].mean():
        return
    sign = np.sign(z[y == 1].mean() - z[y == 0].mean())

    def errors(t: float) -> int:
        return int((((sign * (z - t)) > 0) != (y == 1)).sum())

    assert errors(threshold(z, y, "fewest errors")) == min(
        errors(t) for t in np.arange(-6, 8, 0.25) + 0.125
    )


def test_thresholds_shift_and_scale_with_the_projection() -> None:
    X, y = clouds(3)
    z = X @ fisher_direction(X, y)
    for method in ("midpoint", "bayes", "grand mean", "swapped", "fewest errors"):
        t = threshold(z, y, method)
        assert threshold(3 * z + 5, y, method) == pytest.approx(3 * t + 5)
        assert threshold(-z, y, method) == pytest.approx(-t)


# Many classes


@few
@given(seeds, st.integers(2, 5))
def test_generalised_eigenvectors_solve_the_problem(seed: int, K: int) -> None:
    X, y = clouds(seed, K, 4)
    scatter = scatter_matrices(X, y)
    values, V = generalised_eigenvectors(scatter.between, scatter.within)
    expected = eigh(scatter.between, scatter.within)[0][::-1]
    assert values == pytest.approx(expected, rel=1e-8, abs=1e-8)
    assert scatter.between @ V == pytest.approx(scatter.within @ V * values, abs=1e-6)
    assert V.T @ scatter.within @ V == pytest.approx(np.eye(4), abs=1e-8)
    assert np.abs(values[K - 1 :]).max(initial=0.0) < 1e-8
    units = V * np.sqrt(np.diag(scatter.within))[:, None]
    assert (units[np.abs(units).argmax(axis=0), range(4)] > 0).all()


@few
@given(seeds)
def test_the_leading_directions_beat_random_subspaces_for_both_criteria(seed: int) -> None:
    X, y = clouds(seed, 4, 4)
    scatter = scatter_matrices(X, y)
    arguments = (scatter.between, scatter.within)
    W = generalised_eigenvectors(*arguments)[1][:, :2]
    best_trace, best_det = trace_criterion(W, *arguments), determinant_criterion(W, *arguments)
    values = generalised_eigenvectors(*arguments)[0]
    assert best_trace == pytest.approx(values[:2].sum())
    assert best_det == pytest.approx(values[:2].prod())
    rng = np.random.default_rng(seed)
    for other in rng.normal(size=(30, 4, 2)):
        assert trace_criterion(other, *arguments) <= best_trace * (1 + 1e-9)
        assert determinant_criterion(other, *arguments) <= best_det * (1 + 1e-9)
    M = rng.normal(size=(2, 2))  # another basis of the same plane
    assert trace_criterion(W @ M, *arguments) == pytest.approx(best_trace, rel=1e-6)
    assert determinant_criterion(W @ M, *arguments) == pytest.approx(best_det, rel=1e-6)


def test_the_determinant_criterion_is_zero_beyond_the_rank() -> None:
    X, y = clouds(0, 3, 4)
    scatter = scatter_matrices(X, y)
    W = np.eye(4)[:, :3]
    assert determinant_criterion(W, scatter.between, scatter.within) == pytest.approx(0, abs=1e-12)
    assert trace_criterion(W, scatter.between, scatter.within) > 0


def test_sphered_data_have_covariance_one_within_the_classes_only() -> None:
    X, y = clouds(4, 3)
    T = sphering_matrix(scatter_matrices(X, y).within / (len(y) - 3))
    scatter = scatter_matrices(X @ T, y)
    assert scatter.within / (len(y) - 3) == pytest.approx(np.eye(3), abs=1e-10)
    assert np.abs(scatter.total / (len(y) - 1) - np.eye(3)).max() > 0.1
    S = scatter_matrices(X, y).within / (len(y) - 3)
    assert pytest.approx(np.eye(3), abs=1e-10) == T.T @ S @ T
    values, vectors = np.linalg.eigh(S)
    assert np.abs(T) == pytest.approx(np.abs(vectors / np.sqrt(values)))


@few
@given(seeds, st.integers(3, 5))
def test_lda_is_the_nearest_sphered_mean_with_priors_in_all_directions(seed: int, K: int) -> None:
    X, y = clouds(seed, K, 4)
    lda = LinearDiscriminantAnalysis().fit(X, y)
    T = sphering_matrix(lda.covariance_)
    gaps = (X @ T)[:, None] - lda.means_ @ T
    delta = -(gaps**2).sum(axis=2) / 2 + np.log(lda.priors_)
    assert (delta.argmax(axis=1) == lda.predict(X)).all()
    # Only the part inside the space of the means matters.
    means = (lda.means_ - lda.xbar_) @ T
    basis = np.linalg.svd(means, full_matrices=False)[2][: K - 1]
    inside = ((gaps @ basis.T) ** 2).sum(axis=2)
    assert ((-inside / 2 + np.log(lda.priors_)).argmax(axis=1) == lda.predict(X)).all()
    model = FisherDiscriminant().fit(X, y)
    assert model.transform(X).shape == (len(X), min(4, K - 1))
    difference = model.decision_function(X) - lda.decision_function(X)
    assert difference == pytest.approx(difference[:, :1] * np.ones(K), abs=1e-8)


@few
@given(seeds, st.integers(3, 5))
def test_principal_axes_of_sphered_means_are_fishers_directions(seed: int, K: int) -> None:
    X, y = clouds(seed, K, 4)
    scatter = scatter_matrices(X, y)
    N = len(y)
    values, V = generalised_eigenvectors(scatter.between / N, scatter.within / (N - K))
    model = FisherDiscriminant().fit(X, y)
    n = min(4, K - 1)
    assert model.eigenvalues_ == pytest.approx(values[:n], rel=1e-7)
    assert model.scalings_ == pytest.approx(V[:, :n], rel=1e-5, abs=1e-6)
    Z = model.transform(X)
    within = scatter_matrices(Z, y).within / (N - K)
    assert within == pytest.approx(np.eye(n), abs=1e-8)


@few
@given(seeds)
def test_reduced_rank_lda_is_lda_with_means_moved_into_the_subspace(seed: int) -> None:
    X, y = clouds(seed, 5, 4)
    model = FisherDiscriminant(n_components=2).fit(X, y)
    lda = LinearDiscriminantAnalysis().fit(X, y)
    # Keep of each mean only its two discriminant coordinates.
    inverse = np.linalg.pinv(model.scalings_.T @ lda.covariance_ @ model.scalings_)
    lift = lda.covariance_ @ model.scalings_ @ inverse
    means = lda.xbar_ + model.centroids_ @ lift.T
    delta = linear_discriminants(X, means, lda.covariance_, lda.priors_)
    assert (delta.argmax(axis=1) == model.predict(X)).all()


def test_reduced_rank_lda_agrees_with_scikit_learns_projection() -> None:
    for data in (load_iris(), load_vowel()):
        X, y = data.X, data.y
        theirs = TheirLDA(solver="svd", tol=1e-12).fit(X, y)
        K = len(theirs.classes_)
        ours = FisherDiscriminant().fit(X, y)
        signs = np.sign((ours.scalings_ * theirs.scalings_).sum(axis=0))
        factor = (len(y) - K) / len(y)  # theirs divides the scatter by N
        assert ours.transform(X) == pytest.approx(
            theirs.transform(X) * signs * factor**0.5, abs=1e-8
        )
        assert ours.eigenvalues_ / ours.eigenvalues_.sum() == pytest.approx(
            theirs.explained_variance_ratio_, abs=1e-10
        )
        priors = np.log(theirs.priors_)
        assert ours.decision_function(X) - priors == pytest.approx(
            (theirs.decision_function(X) - priors) * factor, abs=1e-8
        )


def test_two_dimensions_are_best_for_the_vowels() -> None:
    # The Elements of Statistical Learning, section 4.3.3: the lowest test error is at dimension 2.
    data = load_vowel()
    errors = []
    for n in range(1, 11):
        model = FisherDiscriminant(n_components=n).fit(data.X[data.train], data.y[data.train])
        errors.append(1 - model.score(data.X[data.test], data.y[data.test]))
    assert int(np.argmin(errors)) == 1
    assert errors[9] == pytest.approx(0.56, abs=0.01)


# The classifier for two classes


def test_with_the_bayes_threshold_two_classes_are_lda() -> None:
    X, y = clouds(5)
    ours, lda = FisherDiscriminant().fit(X, y), LinearDiscriminantAnalysis().fit(X, y)
    assert ours.decision_function(X) == pytest.approx(lda.decision_function(X), abs=1e-9)
    assert ours.coef_ == pytest.approx(lda.coef_)
    assert ours.intercept_ == pytest.approx(lda.intercept_)


@pytest.mark.parametrize("method", ["midpoint", "bayes", "grand mean", "swapped"])
def test_the_classifier_cuts_where_the_function_says(method: str) -> None:
    X, y = clouds(6)
    model = FisherDiscriminant(threshold=method).fit(X, y)
    z = model.transform(X)[:, 0]
    assert model.threshold_ == pytest.approx(threshold(z, y, method), abs=1e-9)
    assert (model.predict(X) == (z > model.threshold_)).all()
    assert z[y == 1].mean() > z[y == 0].mean()
    assert same_direction(model.scalings_[:, 0], fisher_direction(X, y))
    assert X @ model.coef_[0] + model.intercept_[0] == pytest.approx(model.decision_function(X))


def test_the_cross_validated_threshold_is_the_best_cut_of_the_left_out_positions() -> None:
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], [30, 20])
    x = rng.normal(size=50) + 2 * y + 40
    model = FisherDiscriminant(threshold="cross-validated").fit(x[:, None], y)
    position = np.empty(50)
    for train, test in k_fold(50, 5, rng=0, stratify=y):
        m0, m1 = (x[train][y[train] == k].mean() for k in (0, 1))
        position[test] = (x[test] - m0) / (m1 - m0)

    again = FisherDiscriminant(threshold="cross-validated").fit(x[:, None], y)
    assert again.threshold_ == model.threshold_

    def errors(t: float) -> int:
        return int(((position > t) != (y == 1)).sum())

    m0, m1 = x[y == 0].mean(), x[y == 1].mean()
    at = float(-model.intercept_[0] / model.coef_[0, 0])  # where the decision changes, in x
    best = min(errors(t) for t in np.linspace(-1, 2, 3001))
    assert errors((at - m0) / (m1 - m0)) == best
    z = model.transform(np.array([[at]]))[0, 0]
    assert z == pytest.approx(model.threshold_, abs=1e-9)


# Hard cases


def test_scatters_and_their_eigenvalues_do_not_feel_shift_and_scale() -> None:
    X, y = clouds(8, 3)
    X = np.round(X * 2**10) / 2**10  # so that the shift loses nothing
    plain = scatter_matrices(X, y)
    for shift, scales in ((1e8, np.ones(3)), (0.0, np.array([1e-6, 1.0, 1e6]))):
        moved = scatter_matrices((X + shift) * scales, y)
        assert moved.within == pytest.approx(plain.within * np.outer(scales, scales), rel=1e-6)
        values, expected = (
            generalised_eigenvectors(s.between, s.within)[0] for s in (moved, plain)
        )
        assert values == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_repeated_and_constant_columns_are_left_out_with_a_warning() -> None:
    X, y = clouds(9, 3)
    wide = np.column_stack([X, X[:, 0], np.full(len(y), 0.1)])
    with pytest.warns(SingularCovarianceWarning, match=r"column 4 of X.*columns 0, 3"):
        model = FisherDiscriminant().fit(wide, y)
    assert model.predict(wide).tolist() == FisherDiscriminant().fit(X, y).predict(X).tolist()
    pixels = load_digits()
    with pytest.warns(SingularCovarianceWarning, match="columns 0, 32, 39 of X"):
        model = FisherDiscriminant(n_components=2).fit(pixels.X, pixels.y)
    assert model.transform(pixels.X).shape == (1797, 2)


def test_what_has_no_answer_is_refused_with_the_cause() -> None:
    wide, y = np.random.default_rng(0).normal(size=(10, 20)), np.arange(10) % 2
    scatter = scatter_matrices(wide, y)
    for call, message in (
        (lambda: FisherDiscriminant().fit(wide, y), "8 degrees .*20 features"),
        (lambda: fisher_direction(wide, y), "8 degrees .*20 features"),
        (lambda: generalised_eigenvectors(scatter.between, scatter.within), "S_w: found"),
        (lambda: FisherDiscriminant().fit(np.eye(3), [0, 1, 2]), "3 examples .*3 classes"),
    ):
        with pytest.raises(SingularCovarianceError, match=message):
            call()
    with pytest.raises(ValueError, match="same mean"):
        FisherDiscriminant().fit([[0.0], [1.0], [0.0], [1.0]], [0, 0, 1, 1])


def fisher(**parameters: Any) -> Any:
    return lambda X, y: FisherDiscriminant(**parameters).fit(X, y)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (fisher(n_components=3), "n_components: found 3.* 2"),
        (fisher(n_components=0), "n_components: found 0"),
        (fisher(threshold="half"), "threshold: found 'half'"),
        (fisher(threshold="swapped"), "threshold: .*3 classes"),
        (
            lambda X, y: fisher(threshold="cross-validated")(X, np.arange(102) == 0),
            "one example",
        ),
        (lambda X, y: fisher_direction(X, y), "y: found 3 classes, expected 2"),
        (lambda X, y: fisher_direction(X, y[:-1]), "y: found 101 labels, expected 102"),
        (lambda X, y: fisher_direction([[0], [1], [0], [1]], [0, 0, 1, 1]), "same mean"),
        (lambda X, y: principal_direction(np.ones((3, 2))), "X: .*equal"),
        (lambda X, y: fisher_J([0, 0], np.eye(2), np.eye(2)), "w: found"),
        (lambda X, y: fisher_J([1, 0], np.eye(3), np.eye(2)), r"S_B: found .*\(3, 3\)"),
        (lambda X, y: trace_criterion(np.ones((3, 2)), np.eye(3), np.eye(3)), "W: found"),
        (lambda X, y: generalised_eigenvectors(np.eye(2), np.ones(2)), "S_w: found"),
        (lambda X, y: sphering_matrix(np.ones((2, 2))), "covariance: found .*singular"),
        (lambda X, y: fisher_targets(y), "y: found 3 classes"),
        (lambda X, y: threshold([1, 2], [0, 1], "best"), "method: found 'best'"),
        (lambda X, y: threshold([1, 2], [0, 1], "bayes"), "z: found 2"),
        (lambda X, y: threshold([1, 1], [0, 1]), "same mean"),
        (lambda X, y: threshold([1, 2, 3], [0, 1]), "y: found 2 labels, expected 3"),
        (lambda X, y: threshold([1, 2, 3], [0, 1, 2]), "y: found 3 classes"),
    ],
)
def test_messages_name_the_argument(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(*clouds(0, 3))
