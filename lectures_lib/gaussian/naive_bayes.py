"""Naive Bayes: within a class the features are independent, P(x | k) = prod_j P(x_j | k)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.centring import blocks
from lectures_lib._core.covariance import (
    SingularCovarianceError,
    SingularCovarianceWarning,
    columns,
)
from lectures_lib._core.estimator import check_X
from lectures_lib._core.lesson import lesson
from lectures_lib._core.validation import Array, Codes, check_number
from lectures_lib.gaussian._generative import GenerativeClassifier, class_estimates


@dataclass(eq=False, repr=False)
class GaussianNB(GenerativeClassifier):
    """Naive Bayes with one Gaussian per class and feature.

    priors         probabilities in the order of classes_; None for the shares in the data
    covariance     "unbiased": squares / (N_k - 1); "mle": squares / N_k, as scikit-learn does
    shared         one variance per feature for all classes (divisor N - K or N); the classifier is
                   then LDA with a diagonal covariance
    var_smoothing  this share of the largest variance of a feature is added to all variances. 0,
                   unlike scikit-learn's 1e-9, keeps features of very different scale apart

    theta_ (K, d) means, var_ (K, d) variances, class_prior_ (K,), class_count_ (K,), epsilon_ the
    number added to the variances.

    >>> X, y = [[1], [2], [6], [7]], [0, 0, 1, 1]
    >>> model = GaussianNB().fit(X, y)
    >>> model.theta_.ravel(), model.var_.ravel()
    (array([1.5, 6.5]), array([0.5, 0.5]))
    """

    priors: ArrayLike | None = None
    covariance: str = "unbiased"
    shared: bool = False
    var_smoothing: float = 0.0

    _set_last: ClassVar[str] = "class_prior_"

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate priors, means and variances."""
        check_number(self.var_smoothing, "var_smoothing", at_least=0)
        found = class_estimates(self, X, y, sample_weight, diagonal=True)
        N_k, squares = found.counts, np.maximum(found.scatters, 0.0)  # of x_j - mu_kj, never < 0
        self.class_count_, self.theta_ = N_k, found.means

        # Independent features have no covariances: a class needs one variance per feature, the
        # mean square around its mean. The fitted mean makes the squares smaller; N_k - 1 for N_k
        # makes up for that, and N - K if all classes share.
        freedom = N_k[:, None] - (1 if self.covariance == "unbiased" else 0)
        if self.shared:
            squares = np.broadcast_to(squares.sum(axis=0), squares.shape)
            freedom = np.full_like(freedom, freedom.sum())
        # N_k = 1 leaves no spread: 0, refused below if the feature varies and nothing is smoothed.
        variances = np.zeros_like(squares)
        np.divide(squares, freedom, out=variances, where=freedom > 0)
        self.epsilon_ = self.var_smoothing * float(found.spread.max()) ** 2
        self.var_ = variances + self.epsilon_

        self._log_priors = np.log(found.priors)
        self._kept = self._usable(found.spread)
        self.class_prior_ = found.priors
        return self

    def _usable(self, spread: Array) -> NDArray[np.bool_]:
        """Which features to use: a constant one says nothing, and is left out with a warning. A
        feature that is constant in one class only has no density there, which is an error."""
        constant = spread == 0
        bad = np.argwhere((self.var_ == 0) & ~constant)
        if len(bad):
            k, j = bad[0]
            raise SingularCovarianceError(
                f"X: column {j} has no spread in class {self.classes_[k]} "
                f"({self.class_count_[k]:g} example(s)), so there is no Gaussian density "
                f"({lesson('gaussian_classifiers')}). Leave the column out, share the variances "
                "(shared=True), or add a little to all of them (var_smoothing=1e-9)."
            )
        if constant.any() and self.epsilon_ == 0:
            message = f"X: {columns(np.flatnonzero(constant))} constant and left out "
            message += f"({lesson('gaussian_classifiers')})."
            warnings.warn(SingularCovarianceWarning(message), stacklevel=3)
        kept: NDArray[np.bool_] = self.var_.min(axis=0) > 0
        return kept

    def predict_joint_log_proba(self, X: ArrayLike) -> Array:
        """log pi_k + sum_j log N(x_j; theta_kj, var_kj) for every row and class: (N, K)."""
        X_ = check_X(self, X)
        kept = self._kept
        spread = np.sqrt(self.var_[:, kept])
        constant = self._log_priors - np.log(np.sqrt(2 * np.pi) * spread).sum(axis=1)
        log_joint = np.empty((len(X_), len(self.classes_)))
        for rows in blocks(X_):
            block = X_[rows][:, kept]
            for k, mean in enumerate(self.theta_[:, kept]):
                starred = (block - mean) / spread[k]
                log_joint[rows, k] = constant[k] - np.einsum("ij,ij->i", starred, starred) / 2
        return log_joint

    def _draw(self, codes: Codes, rng: np.random.Generator) -> Array:
        z = rng.standard_normal((len(codes), self.n_features_in_))
        draws: Array = self.theta_[codes] + z * np.sqrt(self.var_[codes])
        return draws
