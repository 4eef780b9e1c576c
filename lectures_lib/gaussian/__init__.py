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

from lectures_lib._core.centring import blocks
from lectures_lib._core.covariance import (
    SingularCovarianceError,
    SingularCovarianceWarning,
    Sphering,
    pooled_sphering,
    sphering,
    why_singular,
)
from lectures_lib._core.estimator import check_X
from lectures_lib._core.lesson import lesson
from lectures_lib._core.moments import ClassMoments
from lectures_lib._core.validation import (
    Array,
    Codes,
    check_choice,
    check_covariance,
    check_integer,
    check_matrix,
    check_number,
    check_priors,
    check_vector,
)
from lectures_lib.gaussian._conics import boundary_quadric, conic_type
from lectures_lib.gaussian._generative import GenerativeClassifier, class_estimates, square_root
from lectures_lib.gaussian.naive_bayes import GaussianNB

__all__ = [
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
    "log_gaussian",
    "parameter_count",
]

LOG_2_PI = float(np.log(2 * np.pi))


def log_gaussian(X: ArrayLike, mean: ArrayLike, covariance: ArrayLike) -> Array:
    """log N(x; mu, S) of every row: -1/2 [d log 2pi + log|S| + (x - mu)' S^-1 (x - mu)].

    >>> log_gaussian([[0, 0]], [0, 0], np.eye(2)).round(4)
    array([-1.8379])
    """
    X_ = check_matrix(X)
    d = X_.shape[1]
    mu = check_vector(mean, "mean", length=d)
    found = _regular(covariance, d)
    return _log_density(X_, mu, found.transform, found.log_det)


def _log_density(X: Array, mu: Array, T: Array, log_det: float) -> Array:
    """log N(x; mu, S), where T'S T = I: (x - mu)'S^-1 (x - mu) is |x* - mu*|^2 for x* = T'x."""
    starred = (X - mu) @ T
    density: Array = -(T.shape[1] * LOG_2_PI + log_det + (starred**2).sum(axis=1)) / 2
    return density


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
    slopes, constants = _linear_parts(mu, pi, _regular(covariance, X_.shape[1]).transform)
    return X_ @ slopes.T + constants


def _linear_parts(mu: Array, pi: Array, T: Array) -> tuple[Array, Array]:
    """a_k = S^-1 mu_k and c_k = log pi_k - 1/2 mu_k' S^-1 mu_k, with S^-1 = T T'."""
    starred = mu @ T
    return starred @ T.T, np.log(pi) - (starred**2).sum(axis=1) / 2


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


def _regular(covariance: ArrayLike, d: int) -> Sphering:
    """Sphering for a given covariance, which must be symmetric and have an inverse."""
    sigma = check_covariance(covariance)
    if len(sigma) != d:
        raise ValueError(f"covariance: found shape {sigma.shape}, expected {(d, d)}.")
    found = sphering(sigma)
    if not found.regular:
        raise SingularCovarianceError(
            "covariance: found a matrix that is singular or has a negative variance, expected "
            f"v'Sv > 0 for all v ({lesson('gaussian_classifiers')})."
        )
    return found


def _shrunk(S: Array, shrinkage: float) -> Array:
    """(1 - a) S + a (tr S / d) I: no singular direction is left when a > 0."""
    d = len(S)
    result: Array = (1 - shrinkage) * S + shrinkage * np.trace(S) / d * np.eye(d)
    return result


def _freedom(covariance: str, found: ClassMoments) -> Array:
    """N_k - 1 for each class, together N - K; N_k and N for maximum likelihood."""
    freedom: Array = found.counts - (1 if covariance == "unbiased" else 0)
    if freedom.sum() <= 0:
        raise SingularCovarianceError(
            f"X: found {found.counts.sum():g} examples (sum of weights) in {len(freedom)} classes, "
            "expected more examples than classes: nothing is left to estimate the covariance from "
            f"({lesson('gaussian_classifiers')})."
        )
    return freedom


@dataclass(eq=False, repr=False)
class LinearDiscriminantAnalysis(GenerativeClassifier):
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

    priors: ArrayLike | None = None
    covariance: str = "unbiased"
    shrinkage: float = 0.0

    _set_last: ClassVar[str] = "intercept_"

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate priors, means and the common covariance."""
        check_number(self.shrinkage, "shrinkage", at_least=0, at_most=1)
        found = class_estimates(self, X, y, sample_weight)  # N_k, pi_k, mu_k, and the scatters S_k
        self.priors_, self.means_, self.xbar_ = found.priors, found.means, found.centre
        self._log_priors = np.log(self.priors_)

        # Sigma = sum_k S_k / (N - K): scatters around means fitted to the same points come out too
        # small; N - K makes up for that on average ("mle" divides by N).
        Sigma = found.scatters.sum(axis=0) / _freedom(self.covariance, found).sum()
        self.covariance_ = _shrunk(Sigma, self.shrinkage)

        # x'Sigma^-1 x is the same in every class and cancels, so that delta_k(x) is linear in x:
        # slope_k'x + constant_k. x and mu_k are counted from xbar, which changes all delta_k(x) by
        # the same; far from 0 products would lose digits.
        star = pooled_sphering(self.covariance_, found)  # T'Sigma T = I, so Sigma^-1 = T T'
        self._transform, self._log_det = star.transform, star.log_det
        slopes, constants = _linear_parts(found.centred_means, self.priors_, star.transform)
        self._slopes, self._constants = slopes, constants
        if len(slopes) == 2:  # the log-odds of two classes are delta_1 - delta_0
            slopes, constants = slopes[1:] - slopes[:1], constants[1:] - constants[:1]
        self.coef_, self.intercept_ = slopes, constants - slopes @ self.xbar_
        return self

    def _scores(self, X: ArrayLike) -> Array:
        scores: Array = (check_X(self, X) - self.xbar_) @ self._slopes.T + self._constants
        return scores

    def predict_joint_log_proba(self, X: ArrayLike) -> Array:
        """log pi_k N(x; mu_k, Sigma) for every row and class: (N, K)."""
        # delta_k(x), counted from xbar, and what all classes share: the density around xbar.
        X_ = check_X(self, X)
        shared = _log_density(X_, self.xbar_, self._transform, self._log_det)
        return self._scores(X_) + shared[:, None]

    def _draw(self, codes: Codes, rng: np.random.Generator) -> Array:
        z = rng.standard_normal((len(codes), self.n_features_in_))
        draws: Array = self.means_[codes] + z @ square_root(self.covariance_).T
        return draws


class _OwnShapes(GenerativeClassifier):
    """Gaussian classes with covariances of their own: densities and samples."""

    means_: Array
    covariance_: Array

    def _sphere(
        self,
        found: ClassMoments,
        covariances: Array,
        shared: Array,
        advice: str,
        pulled: bool = False,
    ) -> None:
        """Keep T_k with T_k' Sigma_k T_k = I, and log|Sigma_k|.

        This is where a singular Sigma_k is met. If all classes lack the directions that `shared`
        lacks, and do not differ there, these are left out with a warning; otherwise there is no
        density. Covariances that were `pulled` towards `shared` all lack what it lacks, even where
        rounding lets one of them seem to lack fewer.
        """
        basis = np.eye(self.n_features_in_)
        stars = [sphering(Sigma) for Sigma in covariances]
        missing = [star.null.shape[1] for star in stars]
        if max(missing) > 0 and (pulled or min(missing) == max(missing)):
            basis = pooled_sphering(shared, found, stacklevel=4).transform
            if basis.shape[1] == 0:
                raise SingularCovarianceError(
                    "X: every feature is constant within the classes, expected some variance "
                    f"({lesson('gaussian_classifiers')})."
                )
            stars = [sphering(basis.T @ Sigma @ basis) for Sigma in covariances]
            missing = [star.null.shape[1] for star in stars]
        if max(missing) > 0:
            k = int(np.argmax(missing))
            cause = why_singular(sphering(covariances[k]), float(found.counts[k]) - 1)
            raise SingularCovarianceError(
                f"X: the covariance of class {self.classes_[k]} is singular: {cause}. Its Gaussian "
                f"density does not exist ({lesson('gaussian_classifiers')}). {advice}"
            )
        self._transforms = [basis @ star.transform for star in stars]
        self._log_dets = [star.log_det for star in stars]

    def _require_spread(self, found: ClassMoments, freedom: Array, advice: str) -> None:
        """Enough examples in each class for a covariance of its own."""
        k = int(freedom.argmin())
        if freedom[k] <= 0:
            raise SingularCovarianceError(
                f"y: class {self.classes_[k]} has {found.counts[k]:g} example(s), too few for a "
                f"covariance of its own ({lesson('gaussian_classifiers')}). {advice}"
            )

    def predict_joint_log_proba(self, X: ArrayLike) -> Array:
        """log pi_k N(x; mu_k, Sigma_k) for every row and class: (N, K)."""
        X_ = check_X(self, X)
        log_joint = np.empty((len(X_), len(self.classes_)))
        shapes = list(zip(self.means_, self._transforms, self._log_dets, strict=True))
        for rows in blocks(X_):
            for k, (mu, T, log_det) in enumerate(shapes):
                log_joint[rows, k] = _log_density(X_[rows], mu, T, log_det)
        return log_joint + self._log_priors

    def _draw(self, codes: Codes, rng: np.random.Generator) -> Array:
        draws: Array = rng.standard_normal((len(codes), self.n_features_in_))
        for k, covariance in enumerate(self.covariance_):
            own = codes == k
            draws[own] = self.means_[k] + draws[own] @ square_root(covariance).T
        return draws


@dataclass(eq=False, repr=False)
class QuadraticDiscriminantAnalysis(_OwnShapes):
    """Gaussian classes, each with its own covariance: the discriminants are quadratic in x.

    The parameters are those of LinearDiscriminantAnalysis; "unbiased" divides by N_k - 1, "mle"
    by N_k, as scikit-learn 1.9 does. means_ (K, d), priors_ (K,), covariance_ (K, d, d).

    >>> from lectures_lib.datasets import load_iris
    >>> data = load_iris()
    >>> model = QuadraticDiscriminantAnalysis().fit(data.X, data.y)
    >>> model.covariance_.shape, round(model.score(data.X, data.y), 3)
    ((3, 4, 4), 0.98)
    """

    priors: ArrayLike | None = None
    covariance: str = "unbiased"
    shrinkage: float = 0.0

    _set_last: ClassVar[str] = "covariance_"

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate priors, means and the covariance of each class."""
        check_number(self.shrinkage, "shrinkage", at_least=0, at_most=1)
        found = class_estimates(self, X, y, sample_weight)  # N_k, pi_k, mu_k, and the scatters S_k
        self.priors_, self.means_ = found.priors, found.means
        self._log_priors = np.log(self.priors_)

        # Sigma_k = S_k / (N_k - 1), "mle": N_k. Nothing is shared, each class pays for its mean.
        freedom = found.counts - (1 if self.covariance == "unbiased" else 0)
        self._require_spread(found, freedom, "LinearDiscriminantAnalysis shares one.")
        own = found.scatters / freedom[:, None, None]
        covariances = np.array([_shrunk(Sigma, self.shrinkage) for Sigma in own])

        # delta_k(x) = log pi_k - 1/2 log|Sigma_k| - 1/2 D_k^2(x): with T_k' Sigma_k T_k = I and
        # x* = T_k'x the square D_k^2 is |x* - mu_k*|^2, and no inverse is needed. The mean of the
        # Sigma_k only shows which directions all classes lack.
        advice = "Use fewer features, more examples of this class, shrinkage > 0, or "
        advice += "LinearDiscriminantAnalysis, which shares one covariance."
        self._sphere(found, covariances, covariances.mean(axis=0), advice)
        self.covariance_ = covariances
        return self


@dataclass(eq=False, repr=False)
class RegularizedDiscriminantAnalysis(_OwnShapes):
    """Gaussian classes with Sigma_k(alpha) = alpha Sigma_k + (1 - alpha) Sigma, from LDA to QDA.

    alpha       0: one covariance for all, LDA; 1: a covariance for each class, QDA
    shrinkage   g in (1 - g) S + g (tr S / d) I, for each S = Sigma_k(alpha): towards a round
                cloud of the same size; 0 is no shrinkage, and needs no common unit of the features
    priors and covariance are those of LinearDiscriminantAnalysis

    means_ (K, d), priors_ (K,), covariance_ (K, d, d): what the classes have after both pulls.
    Friedman (1989), with the plain mixture of Hastie, Tibshirani and Friedman (section 4.3.1).

    >>> from lectures_lib.datasets import load_iris
    >>> data = load_iris()
    >>> model = RegularizedDiscriminantAnalysis(alpha=0.5).fit(data.X, data.y)
    >>> model.covariance_.shape, round(model.score(data.X, data.y), 3)
    ((3, 4, 4), 0.98)
    """

    alpha: float = 0.5
    priors: ArrayLike | None = None
    covariance: str = "unbiased"
    shrinkage: float = 0.0

    _set_last: ClassVar[str] = "covariance_"

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate priors, means and shapes, and pull each shape towards the shared one."""
        alpha = check_number(self.alpha, "alpha", at_least=0, at_most=1)
        check_number(self.shrinkage, "shrinkage", at_least=0, at_most=1)
        found = class_estimates(self, X, y, sample_weight)  # N_k, pi_k, mu_k, and the scatters S_k
        self.priors_, self.means_ = found.priors, found.means
        self._log_priors = np.log(self.priors_)

        freedom = _freedom(self.covariance, found)
        if alpha > 0:
            self._require_spread(found, freedom, "alpha = 0 shares one.")
        Sigma = found.scatters.sum(axis=0) / freedom.sum()
        Sigma_k = found.scatters / np.where(freedom > 0, freedom, 1)[:, None, None]
        # Sigma_k(alpha): an own shape is a noisy estimate, the shared one a steady one.
        mixed = alpha * Sigma_k + (1 - alpha) * Sigma
        covariances = np.array([_shrunk(S, self.shrinkage) for S in mixed])  # the second pull

        # From here on as in QDA: delta_k(x) = log pi_k - 1/2 log|Sigma_k| - 1/2 D_k^2(x).
        advice = f"alpha = {alpha:g} takes too little of the shared one to change that. "
        advice += "A smaller alpha or shrinkage > 0 does."
        self._sphere(found, covariances, _shrunk(Sigma, self.shrinkage), advice, pulled=True)
        self.covariance_ = covariances
        return self
