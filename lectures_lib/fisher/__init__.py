"""Fisher's discriminant: directions along which the classes lie far apart for their width.

The scatter of the data splits into two parts, S_T = S_w + S_B: within the classes and between
their means. Fisher's criterion for a direction w is J(w) = w'S_B w / w'S_w w. For two classes it
is largest for w = S_w^-1 (mu_1 - mu_0); for K classes the best directions are the leading
solutions of S_B w = J S_w w, of which at most K - 1 have J > 0.

Scatters are sums and covariances are means: S_w / (N - K) is the covariance within the classes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.covariance import (
    SingularCovarianceError,
    oriented,
    pooled_sphering,
    shrunk,
    sphering,
)
from lectures_lib._core.estimator import LinearClassifier, Transformer, check_X
from lectures_lib._core.generative import check_priors, training_data
from lectures_lib._core.lesson import lesson
from lectures_lib._core.moments import ClassMoments, class_moments
from lectures_lib._core.validation import (
    Array,
    Codes,
    as_float,
    check_choice,
    check_integer,
    check_labels,
    check_matrix,
    check_number,
    encode_labels,
)
from lectures_lib.fisher._scatter import (
    Scatter,
    determinant_criterion,
    fisher_J,
    fisher_J_gradient,
    generalised_eigenvectors,
    generic_ranks,
    labelled,
    scatter_matrices,
    square,
    trace_criterion,
)
from lectures_lib.fisher._thresholds import THRESHOLDS, cut, fewest_errors, threshold
from lectures_lib.selection import k_fold

__all__ = [
    "FisherDiscriminant",
    "Scatter",
    "determinant_criterion",
    "fisher_J",
    "fisher_J_gradient",
    "fisher_direction",
    "fisher_subspace",
    "fisher_targets",
    "generalised_eigenvectors",
    "generic_ranks",
    "mean_direction",
    "principal_direction",
    "scatter_matrices",
    "sphere",
    "sphering_matrix",
    "threshold",
    "trace_criterion",
]


def _two_classes(X: ArrayLike, y: ArrayLike) -> tuple[Array, ClassMoments]:
    X_, codes, K = labelled(X, y)
    if K != 2:
        raise ValueError(
            f"y: found {K} classes, expected 2 ({lesson('reduced_rank')} is about more)."
        )
    return X_, class_moments(X_, codes, K)


def mean_direction(X: ArrayLike, y: ArrayLike) -> Array:
    """Unit vector along mu_1 - mu_0: largest distance of the projected means, widths ignored.

    >>> mean_direction([[0, 0], [0, 2], [4, 0], [4, 2]], [0, 0, 1, 1])
    array([1., 0.])
    """
    _, moments = _two_classes(X, y)
    return _unit(moments.centred_means[1] - moments.centred_means[0])


def principal_direction(X: ArrayLike) -> Array:
    """Unit vector of the largest variance of all data (PCA), which knows nothing of classes.

    Its largest entry is positive.

    >>> principal_direction([[0, 0], [0, 2], [4, 0], [4, 2]])
    array([1., 0.])
    """
    X_ = check_matrix(X)
    centred = X_ - (X_[0] + (X_ - X_[0]).mean(axis=0))
    if not centred.any():
        raise ValueError(f"X: all examples are equal, expected some variance ({lesson('fisher')}).")
    return oriented(np.linalg.eigh(centred.T @ centred)[1][:, -1:])[:, 0]


def fisher_direction(X: ArrayLike, y: ArrayLike) -> Array:
    """Unit vector along S_w^-1 (mu_1 - mu_0), the maximum of Fisher's criterion; class 1 lies
    on its positive side.

    >>> X, y = [[0, 0], [2, 1], [1, 3], [4, 0], [6, 1], [5, 3]], [0, 0, 0, 1, 1, 1]
    >>> fisher_direction(X, y).round(3)
    array([ 0.978, -0.21 ])
    """
    _, moments = _two_classes(X, y)
    transform = pooled_sphering(moments.scatters.sum(axis=0), moments).transform
    return _unit(transform @ (transform.T @ (moments.centred_means[1] - moments.centred_means[0])))


def _unit(w: Array) -> Array:
    norm = float(np.linalg.norm(w))
    if norm == 0:
        raise ValueError(
            f"X: both classes have the same mean, expected different ones ({lesson('fisher')})"
        )
    unit: Array = w / norm
    return unit


def fisher_subspace(X: ArrayLike, y: ArrayLike, n_components: int) -> Array:
    """(d, n) the leading solutions of S_B w = J S_w w.

    >>> X, y = [[0, 0], [2, 1], [1, 3], [4, 0], [6, 1], [5, 3]], [0, 0, 0, 1, 1, 1]
    >>> fisher_subspace(X, y, 1).shape
    (2, 1)
    """
    scatter = scatter_matrices(X, y)
    limit = min(len(scatter.within), len(scatter.counts) - 1)
    if check_integer(n_components, "n_components", at_least=1) > limit:
        raise ValueError(
            f"n_components: found {n_components}, expected at most {limit}: the smaller one of "
            f"the number of features and of classes minus 1 ({lesson('reduced_rank')})."
        )
    return generalised_eigenvectors(scatter.between, scatter.within)[1][:, :n_components]


def sphering_matrix(covariance: ArrayLike) -> Array:
    """T = U D^-1/2 of Sigma = U D U': the covariance of x* = T'x is I (data in rows: X @ T).

    >>> T = sphering_matrix([[4, 0], [0, 9]])
    >>> (T.T @ [[4, 0], [0, 9]] @ T).round(6)
    array([[1., 0.],
           [0., 1.]])
    """
    sigma = as_float(covariance, "covariance")
    square(sigma, "covariance", len(sigma))
    if not sphering(sigma).regular:
        raise SingularCovarianceError(
            "covariance: found a singular matrix, expected v'Sv > 0 for all v "
            f"({lesson('reduced_rank')})."
        )
    values, vectors = np.linalg.eigh(sigma)
    transform: Array = oriented(vectors) / np.sqrt(values)
    return transform


def sphere(X: ArrayLike, y: ArrayLike) -> Array:
    """The data with the covariance within the classes turned into I, around the grand mean.

    >>> X, y = [[0, 0], [2, 1], [1, 3], [4, 0], [6, 1], [5, 3]], [0, 0, 0, 1, 1, 1]
    >>> (scatter_matrices(sphere(X, y), y).within / (6 - 2)).round(6) + 0
    array([[1., 0.],
           [0., 1.]])
    """
    X_, codes, K = labelled(X, y)
    moments = class_moments(X_, codes, K)
    if len(X_) <= K:
        raise SingularCovarianceError(
            f"X: found {len(X_)} examples in {K} classes, expected more examples than classes."
        )
    within = moments.scatters.sum(axis=0) / (len(X_) - K)
    transform = pooled_sphering(within, moments).transform
    starred: Array = (X_ - moments.centre) @ transform
    return starred


def fisher_targets(y: ArrayLike) -> Array:
    """N / N_1 for class 1 and -N / N_0 for class 0: least squares on these finds Fisher's w.

    The intercept is then w0 = -w'mu, with the mean mu of all examples.

    >>> fisher_targets([0, 0, 0, 1])
    array([-1.33333333, -1.33333333, -1.33333333,  4.        ])
    """
    classes, codes = encode_labels(check_labels(y))
    if len(classes) != 2:
        raise ValueError(f"y: found {len(classes)} classes, expected 2.")
    N, positive = len(codes), int(codes.sum())
    return np.where(codes == 1, N / positive, -N / (N - positive))


@dataclass(eq=False, repr=False)
class FisherDiscriminant(Transformer, LinearClassifier):
    """Projection on the best directions, then the nearest class mean there.

    n_components  number of directions, at most min(d, K - 1); None for all. With all of them the
                  classifier is LDA, with fewer reduced-rank LDA
    threshold     "bayes": nearest mean, plus the log of the priors; "midpoint": nearest mean. For
                  two classes also "cross-validated" and the other rules of the function
                  `threshold`
    priors        probabilities in the order of classes_; None for the shares in the data
    covariance    "unbiased": scatter / (N - K); "mle": scatter / N
    shrinkage     a in (1 - a) Sigma + a (tr Sigma / d) I
    folds, rng    for "cross-validated"

    scalings_ (d, n)   the directions, as columns w with w' Sigma w = 1; class 1 of two is on the
                       positive side, otherwise the largest entry is positive
    eigenvalues_       J of each direction, for B = sum pi_k (mu_k - mu)(mu_k - mu)' and Sigma
    means_, priors_, covariance_, xbar_, coef_, intercept_, explained_variance_ratio_
    centroids_ (K, n)  the class means in the new coordinates
    threshold_         two classes: the value of the projection where the decision changes

    >>> from lectures_lib.datasets import load_iris
    >>> data = load_iris()
    >>> model = FisherDiscriminant(n_components=1).fit(data.X, data.y)
    >>> model.transform(data.X).shape, round(model.score(data.X, data.y), 3)
    ((150, 1), 0.987)
    """

    n_components: int | None = None
    threshold: str = "bayes"
    priors: ArrayLike | None = None
    covariance: str = "unbiased"
    shrinkage: float = 0.0
    folds: int = 5
    rng: int | np.random.Generator = 0

    _set_last: ClassVar[str] = "intercept_"

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the directions, and where to cut."""
        check_choice(self.covariance, "covariance", ("unbiased", "mle"))
        check_number(self.shrinkage, "shrinkage", at_least=0, at_most=1)
        check_choice(self.threshold, "threshold", (*THRESHOLDS, "cross-validated"))
        X_, codes, weights = training_data(self, X, y, sample_weight)
        K = len(self.classes_)
        if K > 2 and self.threshold not in ("bayes", "midpoint"):
            raise ValueError(
                f"threshold: found {self.threshold!r} and {K} classes, expected 'bayes' or "
                "'midpoint': one threshold separates two classes only."
            )
        priors = None if self.priors is None else check_priors(self.priors, K)
        moments = class_moments(X_, codes, K, weights, priors)
        self.means_, self.priors_, self.xbar_ = moments.means, moments.priors, moments.centre
        self._set_directions(moments)
        if K == 2:
            self._set_threshold(X_, codes, weights)
            return self
        self.coef_ = self.centroids_ @ self.scalings_.T
        self._at_centre = -(self.centroids_**2).sum(axis=1) / 2
        if self.threshold == "bayes":
            self._at_centre += np.log(self.priors_)
        self.intercept_ = self._at_centre - self.coef_ @ self.xbar_
        return self

    def _set_directions(self, moments: ClassMoments) -> None:
        """The principal axes of the sphered class means, weighted by the priors."""
        N, K = float(moments.counts.sum()), len(moments.counts)
        freedom = N - K if self.covariance == "unbiased" else N
        if freedom <= 0:
            raise SingularCovarianceError(
                f"X: found {N:g} examples (sum of weights) in {K} classes, expected more examples "
                "than classes: nothing is left to estimate the covariance from "
                f"({lesson('reduced_rank')})."
            )
        self.covariance_ = shrunk(moments.scatters.sum(axis=0) / freedom, self.shrinkage)
        found = pooled_sphering(self.covariance_, moments)
        starred = moments.centred_means @ found.transform
        if starred.shape[1] == 0:
            raise ValueError("X: every feature is constant, so no direction separates the classes.")
        limit = min(starred.shape[1], K - 1)
        kept = limit if self.n_components is None else self.n_components
        if check_integer(kept, "n_components", at_least=1) > limit:
            raise ValueError(
                f"n_components: found {kept}, expected at most {limit}: the smaller one of the "
                f"number of features and of classes minus 1 ({lesson('reduced_rank')})."
            )
        _, sizes, axes = np.linalg.svd(
            np.sqrt(moments.priors)[:, None] * starred, full_matrices=False
        )
        eigenvalues = sizes[:limit] ** 2
        self.eigenvalues_ = eigenvalues[:kept]
        self.explained_variance_ratio_ = self.eigenvalues_ / max(eigenvalues.sum(), 1e-300)
        scalings = oriented(found.unit[:, None] * (found.transform @ axes[:kept].T))
        self.scalings_ = scalings / found.unit[:, None]
        self.centroids_ = moments.centred_means @ self.scalings_
        if K == 2 and self.centroids_[1, 0] < self.centroids_[0, 0]:
            self.scalings_, self.centroids_ = -self.scalings_, -self.centroids_

    def _set_threshold(self, X: Array, codes: Codes, weights: Array | None) -> None:
        """Two classes: g(x) = (m1 - m0)(z - t); with the Bayes threshold these are log-odds."""
        means = self.centroids_[:, 0]
        if means[0] == means[1]:
            raise ValueError(
                "X: both classes have the same mean, expected different ones: no direction "
                f"separates them ({lesson('fisher')})."
            )
        if self.threshold == "cross-validated":
            self.threshold_ = self._cross_validated(X, codes, weights)
        elif self.threshold == "fewest errors":
            z = (X - self.xbar_) @ self.scalings_[:, 0]
            self.threshold_ = fewest_errors(z, codes, self._shares(codes, weights))
        else:
            self.threshold_ = cut(means, self.priors_, 1.0, self.threshold)
        gap = means[1] - means[0]
        self.coef_ = gap * self.scalings_.T
        self._at_centre = np.array([-gap * self.threshold_])
        self.intercept_ = self._at_centre - self.coef_ @ self.xbar_

    def _cross_validated(self, X: Array, codes: Codes, weights: Array | None) -> float:
        """The threshold with the fewest errors on examples that the direction was not fitted to.

        Directions differ between folds, so thresholds are counted from 0 at the mean of class 0
        to 1 at the mean of class 1.
        """
        if np.bincount(codes).min() < 2:
            raise ValueError(
                "y: found a class with one example, expected two or more for cross-validation."
            )
        position = np.empty(len(codes))
        model = replace(self, threshold="midpoint")
        for train, test in k_fold(len(codes), self.folds, rng=self.rng, stratify=codes):
            model.fit(X[train], codes[train], None if weights is None else weights[train])
            m0, m1 = model.centroids_[:, 0]
            position[test] = (model.transform(X[test])[:, 0] - m0) / (m1 - m0)
        t = fewest_errors(position, codes, self._shares(codes, weights))
        m0, m1 = self.centroids_[:, 0]
        return float(m0 + t * (m1 - m0))

    def _shares(self, codes: Codes, weights: Array | None) -> Array:
        """A weight per example; those of class k sum to its prior."""
        w = np.ones(len(codes)) if weights is None else weights
        shares: Array = w * (self.priors_ / np.bincount(codes, w))[codes]
        return shares

    def _columns_out(self) -> int:
        return int(self.scalings_.shape[1])

    def transform(self, X: ArrayLike) -> Array:
        """The discriminant coordinates (x - xbar_)'scalings_ of every row: (N, n_components)."""
        coordinates: Array = (check_X(self, X) - self.xbar_) @ self.scalings_
        return coordinates

    def decision_function(self, X: ArrayLike) -> Array:
        """Scores: (N,) for two classes, positive for classes_[1]; otherwise (N, K)."""
        scores: Array = (check_X(self, X) - self.xbar_) @ self.coef_.T + self._at_centre
        return scores[:, 0] if scores.shape[1] == 1 else scores
