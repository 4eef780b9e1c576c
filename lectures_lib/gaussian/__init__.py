"""Gaussian classifiers: linear and quadratic discriminant analysis, naive Bayes.

Class k has prior probability pi_k and density N(mu_k, Sigma_k). Comparing log pi_k f_k(x), and
dropping what all classes share, gives one discriminant per class:

    own Sigma_k (QDA):     delta_k(x) = log pi_k - 1/2 log|Sigma_k|
                                        - 1/2 (x - mu_k)' Sigma_k^-1 (x - mu_k)
    common Sigma (LDA):    delta_k(x) = log pi_k - 1/2 mu_k' Sigma^-1 mu_k + x' Sigma^-1 mu_k
    diagonal (naive Bayes): the features are independent within each class

Two conventions for a covariance: "unbiased" divides the scatter by N - K (pooled) or N_k - 1 (one
class), "mle", maximum likelihood, by N or N_k. The course uses the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.covariance import (
    SingularCovarianceError,
    SingularCovarianceWarning,
    Sphering,
    pooled_sphering,
    shrunk,
    sphering,
    square_root,
    why_singular,
)
from lectures_lib._core.estimator import check_X
from lectures_lib._core.generative import GenerativeClassifier, check_priors, training_data
from lectures_lib._core.lesson import lesson
from lectures_lib._core.moments import ClassMoments, class_moments, row_blocks
from lectures_lib._core.validation import (
    Array,
    Codes,
    as_float,
    check_choice,
    check_integer,
    check_matrix,
    check_number,
    check_vector,
)
from lectures_lib.gaussian._conics import boundary_quadric, conic_type
from lectures_lib.gaussian._naive_bayes import CategoricalNB, GaussianNB
from lectures_lib.gaussian._regularized import RegularizedDiscriminantAnalysis

__all__ = [
    "CategoricalNB",
    "GaussianNB",
    "LinearDiscriminantAnalysis",
    "QuadraticDiscriminantAnalysis",
    "RegularizedDiscriminantAnalysis",
    "SingularCovarianceError",
    "SingularCovarianceWarning",
    "boundary_quadric",
    "conic_type",
    "efron_efficiency",
    "linear_discriminants",
    "linear_log_ratio",
    "log_gaussian",
    "parameter_count",
    "quadratic_discriminants",
]

LOG_2_PI = float(np.log(2 * np.pi))


def log_gaussian(X: ArrayLike, mean: ArrayLike, covariance: ArrayLike) -> Array:
    """log N(x; mu, S) of every row: -1/2 [d log 2pi + log|S| + (x - mu)' S^-1 (x - mu)].

    >>> log_gaussian([[0, 0]], [0, 0], np.eye(2)).round(4)
    array([-1.8379])
    """
    X_ = check_matrix(X)
    d = X_.shape[1]
    found = _regular(covariance, d, "covariance")
    starred = (X_ - check_vector(mean, "mean", length=d)) @ found.transform
    log_density: Array = -(d * LOG_2_PI + found.log_det + (starred**2).sum(axis=1)) / 2
    return log_density


def linear_discriminants(
    X: ArrayLike, means: ArrayLike, covariance: ArrayLike, priors: ArrayLike
) -> Array:
    """delta_k(x) = log pi_k - 1/2 mu_k' S^-1 mu_k + x' S^-1 mu_k for each x and class: (N, K).

    >>> linear_discriminants([[0], [3]], [[0], [2]], [[1]], [0.5, 0.5]).round(3)
    array([[-0.693, -2.693],
           [-0.693,  3.307]])
    """
    X_ = check_matrix(X)
    mu = check_matrix(means, "means", columns=X_.shape[1])
    pi = check_priors(priors, len(mu))
    transform = _regular(covariance, X_.shape[1], "covariance").transform
    mu_star = mu @ transform
    delta: Array = np.log(pi) - (mu_star**2).sum(axis=1) / 2 + (X_ @ transform) @ mu_star.T
    return delta


def quadratic_discriminants(
    X: ArrayLike, means: ArrayLike, covariances: ArrayLike, priors: ArrayLike
) -> Array:
    """delta_k(x) = log pi_k + log N(x; mu_k, Sigma_k) + d/2 log 2pi for every row and class.

    >>> quadratic_discriminants([[0], [3]], [[0], [2]], [[[1]], [[4]]], [0.5, 0.5]).round(3)
    array([[-0.693, -1.886],
           [-5.193, -1.511]])
    """
    X_ = check_matrix(X)
    d = X_.shape[1]
    mu = check_matrix(means, "means", columns=d)
    pi = check_priors(priors, len(mu))
    sigma = as_float(covariances, "covariances")
    if sigma.shape != (len(mu), d, d):
        raise ValueError(f"covariances: found shape {sigma.shape}, expected {(len(mu), d, d)}.")
    densities = [log_gaussian(X_, mu[k], sigma[k]) for k in range(len(mu))]
    delta: Array = np.column_stack(densities) + np.log(pi) + d * LOG_2_PI / 2
    return delta


def linear_log_ratio(
    mean_k: ArrayLike,
    mean_l: ArrayLike,
    covariance: ArrayLike,
    prior_k: float = 0.5,
    prior_l: float = 0.5,
) -> tuple[float, Array]:
    """(alpha_0, alpha) with log P(k|x) / P(l|x) = alpha_0 + alpha'x.

    alpha = S^-1 (mu_k - mu_l), alpha_0 = log pi_k / pi_l - 1/2 (mu_k + mu_l)' alpha.

    >>> linear_log_ratio([2, 0], [0, 0], np.eye(2))
    (-2.0, array([2., 0.]))
    """
    a = check_vector(mean_k, "mean_k")
    b = check_vector(mean_l, "mean_l", length=len(a))
    check_number(prior_k, "prior_k", above=0)
    check_number(prior_l, "prior_l", above=0)
    transform = _regular(covariance, len(a), "covariance").transform
    alpha = transform @ (transform.T @ (a - b))
    return float(np.log(prior_k / prior_l) - (a + b) @ alpha / 2), alpha


def parameter_count(K: int, d: int, covariance: str = "shared") -> int:
    """Free parameters of a Gaussian model: K d means, K - 1 priors, and the (co)variances.

    covariance: "shared" (LDA), "own" (QDA), "diagonal" (naive Bayes), "shared diagonal".

    >>> [parameter_count(3, 4, kind) for kind in ("shared", "own", "diagonal")]
    [24, 44, 26]
    """
    check_integer(K, "K", at_least=1)
    check_integer(d, "d", at_least=1)
    kinds = {
        "shared": d * (d + 1) // 2,
        "own": K * d * (d + 1) // 2,
        "diagonal": K * d,
        "shared diagonal": d,
    }
    return K * d + K - 1 + kinds[check_choice(covariance, "covariance", kinds)]


def efron_efficiency(distance: float) -> float:
    """What one example is worth to logistic regression, compared with LDA, on Gaussian classes.

    (4 + D^2) E[p (1 - p)] for two equally likely classes at Mahalanobis distance D: the variance
    of LDA's boundary over that of the logistic one, for many examples. p is the posterior of
    class 1. The integral is a sum over a fine grid, which is exact up to rounding here.

    >>> round(efron_efficiency(0), 3), round(efron_efficiency(3), 3)
    (1.0, 0.641)
    """
    D = check_number(distance, "distance", at_least=0)
    x = np.linspace(-12, 12, 4001)
    weights = np.exp(-(x**2) / 2)
    z = D * (D / 2 + x)  # the log-odds of an example of class 1
    spread = weights @ (0.25 / np.cosh(np.clip(z / 2, -350, 350)) ** 2) / weights.sum()
    return float((4 + D**2) * spread)


def _regular(covariance: ArrayLike, d: int, name: str) -> Sphering:
    """Sphering for a given covariance, which must be symmetric and have an inverse."""
    sigma = as_float(covariance, name)
    if sigma.shape != (d, d):
        raise ValueError(f"{name}: found shape {sigma.shape}, expected {(d, d)}.")
    if np.abs(sigma - sigma.T).max() > 1e-9 * np.abs(sigma).max():
        raise ValueError(f"{name}: found an asymmetric matrix, expected S = S'.")
    found = sphering(sigma)
    if not found.regular:
        raise SingularCovarianceError(
            f"{name}: found a matrix that is singular or has a negative variance, expected "
            f"v'Sv > 0 for all v ({lesson('gaussian_classifiers')})."
        )
    return found


@dataclass(eq=False, repr=False)
class _GaussianDiscriminant(GenerativeClassifier):
    """The parameters of LDA and QDA, and the estimates that both need."""

    priors: ArrayLike | None = None
    covariance: str = "unbiased"
    shrinkage: float = 0.0

    def _estimate(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None
    ) -> ClassMoments:
        """The moments of each class; sets the priors and the means."""
        check_choice(self.covariance, "covariance", ("unbiased", "mle"))
        check_number(self.shrinkage, "shrinkage", at_least=0, at_most=1)
        X_, codes, weights = training_data(self, X, y, sample_weight)
        K = len(self.classes_)
        priors = None if self.priors is None else check_priors(self.priors, K)
        moments = class_moments(X_, codes, K, weights, priors)
        self.priors_, self.means_, self.xbar_ = moments.priors, moments.means, moments.centre
        self._log_priors = np.log(self.priors_)
        return moments


@dataclass(eq=False, repr=False)
class LinearDiscriminantAnalysis(_GaussianDiscriminant):
    """Gaussian classes with a common covariance: the discriminants are linear in x.

    priors      probabilities in the order of classes_; None for the shares in the data
    covariance  "unbiased": scatter / (N - K); "mle": scatter / N, as scikit-learn 1.9 does
    shrinkage   a in (1 - a) Sigma + a (tr Sigma / d) I; 0 is no shrinkage

    means_ (K, d), priors_ (K,), covariance_ (d, d), xbar_ (d,) the mean of all classes.
    coef_ (K, d), intercept_ (K,): g_k(x) = delta_k(x) minus what all classes share, so that
    softmax(g) is the posterior; for two classes one row, and g(x) is the log-odds of classes_[1].
    `sample_weight` counts an example several times.

    >>> from lectures_lib.datasets import load_iris
    >>> data = load_iris()
    >>> model = LinearDiscriminantAnalysis().fit(data.X, data.y)
    >>> model.predict(data.X[:2]), round(model.score(data.X, data.y), 3)
    (array([0, 0]), 0.98)
    """

    _set_last: ClassVar[str] = "intercept_"

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate priors, means and the common covariance."""
        moments = self._estimate(X, y, sample_weight)
        N, K = float(moments.counts.sum()), len(self.classes_)
        freedom = N - K if self.covariance == "unbiased" else N
        if freedom <= 0:
            raise SingularCovarianceError(
                f"X: found {N:g} examples (sum of weights) in {K} classes, expected more examples "
                "than classes: nothing is left to estimate the covariance from "
                f"({lesson('gaussian_classifiers')})."
            )
        self.covariance_ = shrunk(moments.scatters.sum(axis=0) / freedom, self.shrinkage)
        found = pooled_sphering(self.covariance_, moments)
        self._transform, self._log_det = found.transform, found.log_det
        # In sphered coordinates Sigma is I: delta_k = x*.mu_k* - 1/2 |mu_k*|^2 + log pi_k.
        starred = moments.centred_means @ self._transform
        self._directions = starred @ self._transform.T  # Sigma^-1 mu_k
        self._constants = self._log_priors - (starred**2).sum(axis=1) / 2
        self.coef_, constants = self._directions, self._constants
        if K == 2:
            self.coef_ = self.coef_[1:] - self.coef_[:1]
            constants = constants[1:] - constants[:1]
        self.intercept_ = constants - self.coef_ @ self.xbar_
        return self

    def _scores(self, X: ArrayLike) -> Array:
        scores: Array = (check_X(self, X) - self.xbar_) @ self._directions.T + self._constants
        return scores

    def predict_joint_log_proba(self, X: ArrayLike) -> Array:
        """log pi_k N(x; mu_k, Sigma) for every row and class: (N, K)."""
        scores = self._scores(X)
        starred = (check_X(self, X) - self.xbar_) @ self._transform
        shared = (starred**2).sum(axis=1) + starred.shape[1] * LOG_2_PI + self._log_det
        log_joint: Array = scores - shared[:, None] / 2
        return log_joint

    def _draw(self, codes: Codes, rng: np.random.Generator) -> Array:
        z = rng.standard_normal((len(codes), self.n_features_in_))
        draws: Array = self.means_[codes] + z @ square_root(self.covariance_).T
        return draws


@dataclass(eq=False, repr=False)
class QuadraticDiscriminantAnalysis(_GaussianDiscriminant):
    """Gaussian classes, each with its own covariance: the discriminants are quadratic in x.

    The parameters are those of LinearDiscriminantAnalysis; "unbiased" divides by N_k - 1, "mle"
    by N_k, as scikit-learn 1.9 does. means_ (K, d), priors_ (K,), covariance_ (K, d, d).

    >>> from lectures_lib.datasets import load_iris
    >>> data = load_iris()
    >>> model = QuadraticDiscriminantAnalysis().fit(data.X, data.y)
    >>> model.covariance_.shape, round(model.score(data.X, data.y), 3)
    ((3, 4, 4), 0.98)
    """

    _set_last: ClassVar[str] = "covariance_"

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate priors, means and the covariance of each class."""
        moments = self._estimate(X, y, sample_weight)
        lost = 1 if self.covariance == "unbiased" else 0
        freedom = moments.counts - lost
        if freedom.min() <= 0:
            k = int(freedom.argmin())
            raise SingularCovarianceError(
                f"y: class {self.classes_[k]} has {moments.counts[k]:g} example(s), too few for a "
                "covariance of its own "
                f"({lesson('gaussian_classifiers')}). LinearDiscriminantAnalysis shares one."
            )
        covariances = np.array(
            [
                shrunk(scatter / n, self.shrinkage)
                for scatter, n in zip(moments.scatters, freedom, strict=True)
            ]
        )
        basis = np.eye(self.n_features_in_)
        spherings = [sphering(covariance) for covariance in covariances]
        missing = [found.null.shape[1] for found in spherings]
        if min(missing) == max(missing) > 0:
            # Perhaps all classes lack the same directions, and do not differ there.
            basis = pooled_sphering(covariances.mean(axis=0), moments).transform
            if basis.shape[1] == 0:
                raise SingularCovarianceError(
                    "X: every feature is constant within the classes, expected some variance "
                    f"({lesson('gaussian_classifiers')})."
                )
            spherings = [sphering(basis.T @ covariance @ basis) for covariance in covariances]
            missing = [found.null.shape[1] for found in spherings]
        if max(missing) > 0:
            k = int(np.argmax(missing))
            raise SingularCovarianceError(self._why(k, covariances[k], float(moments.counts[k])))
        self._transforms = [basis @ found.transform for found in spherings]
        self._log_dets = np.array([found.log_det for found in spherings])
        self.covariance_ = covariances
        return self

    def _why(self, k: int, covariance: Array, count: float) -> str:
        return (
            f"X: the covariance of class {self.classes_[k]} is singular: "
            f"{why_singular(sphering(covariance), count - 1)}. Its Gaussian density does "
            "not exist "
            f"({lesson('gaussian_classifiers')}). Use fewer features, more examples of this class, "
            "shrinkage > 0, or LinearDiscriminantAnalysis, which shares one covariance."
        )

    def predict_joint_log_proba(self, X: ArrayLike) -> Array:
        """log pi_k N(x; mu_k, Sigma_k) for every row and class: (N, K)."""
        X_ = check_X(self, X)
        log_joint = np.empty((len(X_), len(self.classes_)))
        for rows in row_blocks(X_):
            for k, transform in enumerate(self._transforms):
                starred = (X_[rows] - self.means_[k]) @ transform
                log_joint[rows, k] = -(starred**2).sum(axis=1) / 2
        r = self._transforms[0].shape[1]
        log_joint += self._log_priors - (self._log_dets + r * LOG_2_PI) / 2
        return log_joint

    def _draw(self, codes: Codes, rng: np.random.Generator) -> Array:
        draws: Array = rng.standard_normal((len(codes), self.n_features_in_))
        for k, covariance in enumerate(self.covariance_):
            own = codes == k
            draws[own] = self.means_[k] + draws[own] @ square_root(covariance).T
        return draws
