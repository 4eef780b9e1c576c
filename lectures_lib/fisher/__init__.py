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
    sphering,
)
from lectures_lib._core.estimator import LinearClassifier, Transformer, check_X, training_data
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
    encode_labels,
)
from lectures_lib.fisher._scatter import (
    Scatter,
    determinant_criterion,
    fisher_J,
    fisher_J_gradient,
    generalised_eigenvectors,
    labelled,
    scatter_matrices,
    square,
    trace_criterion,
)
from lectures_lib.fisher._thresholds import FORMULAS, cut, fewest_errors, threshold
from lectures_lib.selection import k_fold

__all__ = [
    "FisherDiscriminant",
    "Scatter",
    "determinant_criterion",
    "fisher_J",
    "fisher_J_gradient",
    "fisher_direction",
    "fisher_targets",
    "generalised_eigenvectors",
    "mean_direction",
    "principal_direction",
    "scatter_matrices",
    "sphering_matrix",
    "threshold",
    "trace_criterion",
]

FOLDS = 5  # of the search for a threshold


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
                  two classes also "grand mean" and "swapped", the rules of the function
                  `threshold`, and "cross-validated", a search over five folds

    scalings_ (d, n)   the directions, as columns a with a' Sigma a = 1; class 1 of two is on the
                       positive side, otherwise the entry that is largest when counted in
                       standard deviations within the classes is positive
    eigenvalues_       J of each direction, for B = sum pi_k (mu_k - mu)(mu_k - mu)' and Sigma;
                       for two classes pi_0 pi_1 (N - 2) times (m_1 - m_0)^2 / (s_0^2 + s_1^2)
    means_, priors_, covariance_, xbar_, coef_, intercept_
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

    _set_last: ClassVar[str] = "intercept_"

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the directions, and where to cut."""
        check_choice(self.threshold, "threshold", (*FORMULAS, "cross-validated"))
        X_, codes, weights = training_data(self, X, y, sample_weight)
        found = class_moments(X_, codes, len(self.classes_), weights)  # N_k, pi_k, mu_k and S_k
        N, K, pi = float(found.counts.sum()), len(found.counts), found.priors
        self._require(N, K)
        self.means_, self.priors_, self.xbar_ = found.means, pi, found.centre
        self.covariance_ = found.scatters.sum(axis=0) / (N - K)  # Sigma = S_w / (N - K)

        # Sphering, x* = T'x with T'Sigma T = I, as in the chapter on reduced rank: the width is now
        # the same in every direction, and the means alone decide which one separates best.
        sphered = pooled_sphering(self.covariance_, found)
        starred = found.centred_means @ sphered.transform
        kept = self._axes(sphered.transform.shape[1], K)
        # b maximises b'B*b / b'b with B* = sum_k pi_k mu_k* mu_k*': the leading eigenvectors of
        # B* are the right singular vectors of its root, the matrix with the rows pi_k^1/2 mu_k*.
        _, sizes, b = np.linalg.svd(np.sqrt(pi)[:, None] * starred, full_matrices=False)
        self.eigenvalues_ = sizes[:kept] ** 2  # b'B*b, the J of each direction
        # Back to the features: a = T b. For two classes b is along T'(mu_1 - mu_0), and a along
        # T T'(mu_1 - mu_0) = Sigma^-1 (mu_1 - mu_0), which is w in the chapter on Fisher.
        unit = sphered.unit[:, None]  # a sign is chosen by the entries counted in spreads
        a = oriented(unit * (sphered.transform @ b[:kept].T)) / unit
        m = found.centred_means @ a  # m_k, counted from xbar
        if K == 2 and m[1, 0] < m[0, 0]:
            a, m = -a, -m
        self.scalings_, self.centroids_ = a, m

        if K == 2:
            # g(x) = (m_1 - m_0)(z - t) for z = a'(x - xbar): with variance 1 along a, and the
            # Bayes threshold t, these are the log-odds of two Gaussians.
            self.threshold_ = self._cut(X_, codes, weights)
            gap = m[1:] - m[:1]
            self.coef_, self._at_centre = gap @ a.T, -gap[0] * self.threshold_
        else:
            # -1/2 |z - m_k|^2 + log pi_k, without -1/2 |z|^2, which all classes share.
            self.coef_, self._at_centre = m @ a.T, -(m**2).sum(axis=1) / 2
            self._at_centre += np.log(pi) if self.threshold == "bayes" else 0
        self.intercept_ = self._at_centre - self.coef_ @ self.xbar_
        return self

    def _require(self, N: float, K: int) -> None:
        """A rule that serves so many classes, and examples to estimate the covariance from."""
        if K > 2 and self.threshold not in ("bayes", "midpoint"):
            raise ValueError(
                f"threshold: found {self.threshold!r} and {K} classes, expected 'bayes' or "
                "'midpoint': one threshold separates two classes only."
            )
        if N <= K:
            raise SingularCovarianceError(
                f"X: found {N:g} examples (sum of weights) in {K} classes, expected more examples "
                "than classes: nothing is left to estimate the covariance from "
                f"({lesson('reduced_rank')})."
            )

    def _axes(self, d: int, K: int) -> int:
        """How many directions to keep, of d with any variance."""
        if d == 0:
            raise ValueError("X: every feature is constant, so no direction separates the classes.")
        limit = min(d, K - 1)
        kept = limit if self.n_components is None else self.n_components
        if check_integer(kept, "n_components", at_least=1) > limit:
            raise ValueError(
                f"n_components: found {kept}, expected at most {limit}: the smaller one of the "
                f"number of features and of classes minus 1 ({lesson('reduced_rank')})."
            )
        return kept

    def _cut(self, X: Array, codes: Codes, weights: Array | None) -> float:
        """Two classes: the threshold on the projection, by a formula or by a search."""
        means = self.centroids_[:, 0]
        if means[0] == means[1]:
            raise ValueError(
                "X: both classes have the same mean, expected different ones: no direction "
                f"separates them ({lesson('fisher')})."
            )
        if self.threshold in FORMULAS:
            return cut(means, self.priors_, 1.0, self.threshold)
        # The fewest errors on examples that the direction was not fitted to. Directions differ
        # between folds, so a position is counted from 0 at the mean of class 0 to 1 at the other.
        if np.bincount(codes).min() < 2:
            raise ValueError(
                "y: found a class with one example, expected two or more for cross-validation."
            )
        position = np.empty(len(codes))
        model = replace(self, threshold="midpoint")
        for train, test in k_fold(len(codes), FOLDS, rng=0, stratify=codes):
            model.fit(X[train], codes[train], None if weights is None else weights[train])
            m0, m1 = model.centroids_[:, 0]
            position[test] = (model.transform(X[test])[:, 0] - m0) / (m1 - m0)
        t = fewest_errors(position, codes, np.ones(len(codes)) if weights is None else weights)
        return float(means[0] + t * (means[1] - means[0]))

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
