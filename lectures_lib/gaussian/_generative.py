"""What all generative classifiers share: priors, posteriors from the joint density, sampling.

A generative classifier models how the data arise: a class k with probability pi_k, then an x with
density f_k. Bayes' rule turns pi_k f_k(x) into the probability of each class.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.covariance import oriented
from lectures_lib._core.estimator import Classifier, check_fitted, training_data
from lectures_lib._core.moments import ClassMoments, class_moments
from lectures_lib._core.validation import (
    Array,
    Codes,
    Labels,
    as_generator,
    check_choice,
    check_integer,
    check_priors,
)


def log_sum_exp(scores: Array) -> Array:
    """log of the sum over each row of exp(scores), without overflow; -inf for a row of -inf."""
    largest = scores.max(axis=1, keepdims=True)
    largest = np.where(np.isfinite(largest), largest, 0.0)
    with np.errstate(divide="ignore"):  # log 0 = -inf is meant
        total: Array = largest[:, 0] + np.log(np.exp(scores - largest).sum(axis=1))
    return total


class GenerativeClassifier(Classifier):
    """A classifier that knows pi_k f_k(x)."""

    _log_priors: Array

    def predict_joint_log_proba(self, X: ArrayLike) -> Array:
        """log pi_k f_k(x) for every row and class: (N, K)."""
        raise NotImplementedError

    def _scores(self, X: ArrayLike) -> Array:
        """log pi_k f_k(x) up to a term that all classes share."""
        return self.predict_joint_log_proba(X)

    def decision_function(self, X: ArrayLike) -> Array:
        """Discriminants delta_k(x): (N, K); for two classes their difference, the log-odds (N,)."""
        scores = self._scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict_log_proba(self, X: ArrayLike) -> Array:
        """log P(k | x) = log pi_k f_k(x) - log sum_l pi_l f_l(x), by Bayes' rule: (N, K)."""
        scores = self._scores(X)
        return scores - log_sum_exp(scores)[:, None]

    def predict_proba(self, X: ArrayLike) -> Array:
        """P(k | x): (N, K), rows sum to 1."""
        return np.exp(self.predict_log_proba(X))

    def sample(self, n: int, rng: int | np.random.Generator) -> tuple[Array, Labels]:
        """`n` examples of the fitted model: a class from the priors, then an x of that class."""
        check_fitted(self)
        check_integer(n, "n", at_least=1)
        generator = as_generator(rng)
        priors = np.exp(self._log_priors)
        codes = generator.choice(len(priors), size=n, p=priors / priors.sum())
        labels: Labels = self.classes_[codes]
        return self._draw(codes, generator), labels

    def _draw(self, codes: Codes, rng: np.random.Generator) -> Array:
        """One x for each class code."""
        raise NotImplementedError


def class_estimates(
    model: Any, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None, diagonal: bool = False
) -> ClassMoments:
    """N_k, pi_k, mu_k and S_k of checked data; pi_k is N_k / N unless the model has `priors`.

    Every Gaussian `fit` begins with them. They stand here because one pass over blocks of rows
    is what makes the estimates safe far from 0, and faster than a pass for each class.
    """
    check_choice(model.covariance, "covariance", ("unbiased", "mle"))
    X_, codes, weights = training_data(model, X, y, sample_weight)
    K = len(model.classes_)
    priors = None if model.priors is None else check_priors(model.priors, K)
    return class_moments(X_, codes, K, weights, priors, diagonal=diagonal)


def square_root(S: Array) -> Array:
    """A with A A' = S. Samples with covariance S are mean + z @ A.T.

    Cholesky's factor where S has an inverse, else from eigenvectors with a fixed sign.
    """
    spread = np.sqrt(np.maximum(np.diag(S), 0.0))
    unit = np.where(spread > 0, spread, 1.0)
    R = S / np.outer(unit, unit)
    try:
        root = np.linalg.cholesky(R)
    except np.linalg.LinAlgError:
        values, vectors = np.linalg.eigh(R)
        root = oriented(vectors) * np.sqrt(np.maximum(values, 0.0))
    A: Array = unit[:, None] * root
    return A
