"""Naive Bayes: within a class the features are independent, P(x | k) = prod_j P(x_j | k)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.covariance import (
    SingularCovarianceError,
    SingularCovarianceWarning,
    columns,
)
from lectures_lib._core.estimator import check_X
from lectures_lib._core.generative import GenerativeClassifier, check_priors, training_data
from lectures_lib._core.lesson import lesson
from lectures_lib._core.moments import class_moments, members, row_blocks
from lectures_lib._core.validation import Array, Codes, check_choice, check_number


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
        check_choice(self.covariance, "covariance", ("unbiased", "mle"))
        check_number(self.var_smoothing, "var_smoothing", at_least=0)
        X_, codes, weights = training_data(self, X, y, sample_weight)
        K = len(self.classes_)
        priors = None if self.priors is None else check_priors(self.priors, K)
        moments = class_moments(X_, codes, K, weights, priors, diagonal=True)
        self.class_count_, self.theta_ = moments.counts, moments.means
        self.epsilon_ = self.var_smoothing * float(moments.spread.max()) ** 2
        self.var_ = self._variances(moments.scatters) + self.epsilon_
        self._log_priors = np.log(moments.priors)
        self._kept = self._usable(moments.spread)
        self.class_prior_ = moments.priors
        return self

    def _variances(self, squares: Array) -> Array:
        """Sums of squares divided by what is left after estimating the means."""
        lost = 1 if self.covariance == "unbiased" else 0
        if self.shared:
            freedom = self.class_count_.sum() - lost * len(self.class_count_)
            pooled = np.maximum(squares.sum(axis=0), 0.0) / freedom if freedom > 0 else 0.0
            return np.broadcast_to(pooled, squares.shape).copy()
        freedom = self.class_count_[:, None] - lost
        # One example has no spread: 0, which is refused below unless it is smoothed.
        variances = np.zeros_like(squares)
        np.divide(np.maximum(squares, 0.0), freedom, out=variances, where=freedom > 0)
        return variances

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
            warnings.warn(
                f"X: {columns(np.flatnonzero(constant))} constant and left out "
                f"({lesson('gaussian_classifiers')}).",
                SingularCovarianceWarning,
                stacklevel=3,
            )
        kept: NDArray[np.bool_] = self.var_.min(axis=0) > 0
        return kept

    def predict_joint_log_proba(self, X: ArrayLike) -> Array:
        """log pi_k + sum_j log N(x_j; theta_kj, var_kj) for every row and class: (N, K)."""
        X_ = check_X(self, X)
        kept = self._kept
        spread = np.sqrt(self.var_[:, kept])
        constant = self._log_priors - np.log(np.sqrt(2 * np.pi) * spread).sum(axis=1)
        log_joint = np.empty((len(X_), len(self.classes_)))
        for rows in row_blocks(X_):
            block = X_[rows][:, kept]
            for k, mean in enumerate(self.theta_[:, kept]):
                starred = (block - mean) / spread[k]
                log_joint[rows, k] = constant[k] - np.einsum("ij,ij->i", starred, starred) / 2
        return log_joint

    def _draw(self, codes: Codes, rng: np.random.Generator) -> Array:
        z = rng.standard_normal((len(codes), self.n_features_in_))
        draws: Array = self.theta_[codes] + z * np.sqrt(self.var_[codes])
        return draws


@dataclass(eq=False, repr=False)
class CategoricalNB(GenerativeClassifier):
    """Naive Bayes for features that are categories 0, 1, 2, ...: tables of relative frequencies.

    P(x_j = v | k) = (count of v in class k + alpha) / (N_k + alpha n_j), where n_j is the number
    of categories of feature j. alpha = 1 is Laplace's rule, alpha = 0 maximum likelihood.

    fit_prior       False for equal priors
    class_prior     given priors
    min_categories  a feature has at least so many categories (one number, or one per feature)

    category_count_, feature_log_prob_   one (K, n_j) table per feature
    n_categories_ (d,), class_count_ (K,), class_log_prior_ (K,)

    >>> X, y = [[0], [0], [1], [2]], ["no", "no", "yes", "yes"]
    >>> model = CategoricalNB(alpha=1).fit(X, y)
    >>> model.predict([[0], [2]]), model.predict_proba([[1]]).round(3)
    (array(['no', 'yes'], dtype='<U3'), array([[0.333, 0.667]]))
    """

    alpha: float = 1.0
    fit_prior: bool = True
    class_prior: ArrayLike | None = None
    min_categories: int | ArrayLike | None = None

    _set_last: ClassVar[str] = "class_log_prior_"

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Count the categories of each feature in each class."""
        check_number(self.alpha, "alpha", at_least=0)
        X_, codes, weights = training_data(self, X, y, sample_weight)
        K, d = len(self.classes_), X_.shape[1]
        values = _categories(X_)
        w = np.ones(len(codes)) if weights is None else weights
        self.class_count_ = np.bincount(codes, w, minlength=K)
        self.n_categories_ = np.maximum(values.max(axis=0) + 1, self._smallest(d))
        self.category_count_, self.feature_log_prob_ = [], []
        for j, n in enumerate(self.n_categories_):
            counts = np.bincount(codes * n + values[:, j], w, minlength=K * n).reshape(K, n)
            total = self.class_count_[:, None] + self.alpha * n
            self.category_count_.append(counts)
            with np.errstate(divide="ignore"):  # alpha = 0: a category never seen has log 0
                self.feature_log_prob_.append(np.log(counts + self.alpha) - np.log(total))
        prior = self.class_count_ / self.class_count_.sum() if self.fit_prior else np.full(K, 1 / K)
        if self.class_prior is not None:
            prior = check_priors(self.class_prior, K, "class_prior")
        self._log_priors = self.class_log_prior_ = np.log(prior)
        return self

    def _smallest(self, d: int) -> Any:
        if self.min_categories is None:
            return np.ones(d, dtype=np.intp)
        smallest = np.asarray(self.min_categories)
        if smallest.shape not in {(), (d,)} or smallest.dtype.kind not in "iu":
            raise ValueError(
                f"min_categories: found {self.min_categories!r}, expected an integer or {d} of "
                "them."
            )
        return smallest

    def predict_joint_log_proba(self, X: ArrayLike) -> Array:
        """log pi_k + sum_j log P(x_j | k) for every row and class: (N, K)."""
        values = _categories(check_X(self, X))
        unknown = np.argwhere(values >= self.n_categories_)
        if len(unknown):
            i, j = unknown[0]
            raise ValueError(
                f"X: found category {values[i, j]} in column {j}, expected 0 to "
                f"{self.n_categories_[j] - 1} as in the training data. min_categories makes room "
                "for categories that were not seen."
            )
        log_joint = np.tile(self.class_log_prior_, (len(values), 1))
        for j, table in enumerate(self.feature_log_prob_):
            log_joint += table[:, values[:, j]].T
        return log_joint

    def _scores(self, X: ArrayLike) -> Array:
        scores = self.predict_joint_log_proba(X)
        impossible = np.flatnonzero(~np.isfinite(scores).any(axis=1))
        if len(impossible):
            raise ValueError(
                f"X: row {impossible[0]} has probability 0 in every class, because a category was "
                "never seen together with it. alpha > 0 gives such categories a little "
                f"({lesson('gaussian_classifiers')})"
            )
        return scores

    def _draw(self, codes: Codes, rng: np.random.Generator) -> Array:
        draws = np.empty((len(codes), self.n_features_in_))
        for k, own in enumerate(members(codes, len(self.classes_))):
            for j, table in enumerate(self.feature_log_prob_):
                p = np.exp(table[k])
                draws[own, j] = rng.choice(len(p), size=len(own), p=p / p.sum())
        return draws

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags


def _categories(X: Array) -> Codes:
    """X as integers; a category is a whole number from 0 on."""
    bad = np.argwhere((X < 0) | (np.floor(X) != X))
    if len(bad):
        i, j = bad[0]
        raise ValueError(
            f"Negative values in data passed to CategoricalNB or fractions: X has {X[i, j]:g} at "
            f"row {i}, column {j}, expected categories 0, 1, 2, ..."
        )
    return X.astype(np.intp)
