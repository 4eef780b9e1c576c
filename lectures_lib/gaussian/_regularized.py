"""Regularised discriminant analysis: every covariance between its own and the shared one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.covariance import (
    SingularCovarianceError,
    pooled_sphering,
    shrunk,
    sphering,
    square_root,
)
from lectures_lib._core.estimator import check_X
from lectures_lib._core.generative import GenerativeClassifier, check_priors, training_data
from lectures_lib._core.lesson import lesson
from lectures_lib._core.moments import class_moments, row_blocks
from lectures_lib._core.validation import Array, Codes, check_choice, check_number


@dataclass(eq=False, repr=False)
class RegularizedDiscriminantAnalysis(GenerativeClassifier):
    """Gaussian classes with Sigma_k(alpha) = alpha Sigma_k + (1 - alpha) Sigma, from LDA to QDA.

    alpha       0: one covariance for all, LDA; 1: a covariance for each class, QDA
    priors      probabilities in the order of classes_; None for the shares in the data
    covariance  "unbiased": Sigma is scatter / (N - K), Sigma_k is scatter / (N_k - 1);
                "mle": divided by N and N_k
    shrinkage   a in (1 - a) S + a (tr S / d) I, for each S = Sigma_k(alpha): towards a round
                cloud of the same size; 0 is no shrinkage, and needs no common unit of the features

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
        check_choice(self.covariance, "covariance", ("unbiased", "mle"))
        X_, codes, weights = training_data(self, X, y, sample_weight)
        K = len(self.classes_)
        given = None if self.priors is None else check_priors(self.priors, K)
        moments = class_moments(X_, codes, K, weights, given)
        self.priors_, self.means_ = moments.priors, moments.means
        self._log_priors = np.log(self.priors_)

        freedom = moments.counts - (1 if self.covariance == "unbiased" else 0)
        self._require(moments.counts, freedom)
        own = moments.scatters / np.where(freedom > 0, freedom, 1.0)[:, None, None]
        shared = moments.scatters.sum(axis=0) / freedom.sum()
        mixed = alpha * own + (1 - alpha) * shared  # Sigma_k(alpha)
        covariances = np.array([shrunk(S, self.shrinkage) for S in mixed])

        # A direction in which Sigma_k(alpha) has no variance has none in Sigma either, unless
        # alpha is 1: what is missing there is left out for all classes, or refused.
        found = pooled_sphering(shrunk(shared, self.shrinkage), moments)
        basis = np.eye(self.n_features_in_) if found.regular else found.transform
        # In sphered coordinates x* = T_k'x the covariance is I: D_k^2(x) is |x* - mu_k*|^2.
        spherings = [sphering(basis.T @ S @ basis) for S in covariances]
        for k, star in enumerate(spherings):
            if not star.regular:
                raise SingularCovarianceError(self._flat(k))
        self._transforms = [basis @ star.transform for star in spherings]
        self._log_dets = np.array([star.log_det for star in spherings])
        self.covariance_ = covariances
        return self

    def _require(self, counts: Array, freedom: Array) -> None:
        """Examples to estimate a shape from: of all classes together, and of each if it counts."""
        why = lesson("gaussian_classifiers")
        if freedom.sum() <= 0:
            raise SingularCovarianceError(
                f"X: found {counts.sum():g} examples in {len(counts)} classes, expected more "
                f"examples than classes ({why})."
            )
        k = int(freedom.argmin())
        if self.alpha > 0 and freedom[k] <= 0:
            raise SingularCovarianceError(
                f"y: class {self.classes_[k]} has {counts[k]:g} example(s), too few for a "
                f"covariance of its own ({why}). alpha = 0 shares one."
            )

    def _flat(self, k: int) -> str:
        return (
            f"X: the covariance of class {self.classes_[k]} is singular, and alpha = "
            f"{self.alpha:g} takes too little of the shared one to change that "
            f"({lesson('gaussian_classifiers')}). A smaller alpha or shrinkage > 0 does."
        )

    def predict_joint_log_proba(self, X: ArrayLike) -> Array:
        """log pi_k N(x; mu_k, Sigma_k(alpha)) for every row and class: (N, K)."""
        X_ = check_X(self, X)
        log_joint = np.empty((len(X_), len(self.classes_)))
        for rows in row_blocks(X_):
            for k, transform in enumerate(self._transforms):
                starred = (X_[rows] - self.means_[k]) @ transform
                log_joint[rows, k] = -(starred**2).sum(axis=1) / 2
        r = self._transforms[0].shape[1]
        log_joint += self._log_priors - (self._log_dets + r * np.log(2 * np.pi)) / 2
        return log_joint

    def _draw(self, codes: Codes, rng: np.random.Generator) -> Array:
        draws: Array = rng.standard_normal((len(codes), self.n_features_in_))
        for k, covariance in enumerate(self.covariance_):
            own = codes == k
            draws[own] = self.means_[k] + draws[own] @ square_root(covariance).T
        return draws
