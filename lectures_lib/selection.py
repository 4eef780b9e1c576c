"""Judging a model on data that it has not seen: splits, cross-validation, standardising.

Whatever is learned from data is learned from the training part alone: the weights, but also the
mean and width that `Standardizer` subtracts and divides by. `Standardized(model)` does both in
one fit, so that cross-validation repeats both in every fold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.centring import columns_of
from lectures_lib._core.estimator import (
    Classifier,
    Transformer,
    check_X,
    check_X_y,
    forget,
    remember_columns,
)
from lectures_lib._core.meta import clone, fitted_copy
from lectures_lib._core.validation import (
    Array,
    Codes,
    Labels,
    as_generator,
    check_integer,
    check_labels,
    check_matrix,
    check_number,
    check_weights,
    encode_labels,
)

__all__ = [
    "Standardized",
    "Standardizer",
    "cross_val_score",
    "k_fold",
    "train_test_split",
]

Folds = list[tuple[Codes, Codes]]


def _strata(stratify: ArrayLike, n: int) -> Codes:
    """Class codes in the order of first appearance; every class has at least two examples."""
    labels = check_labels(stratify, "stratify")
    if len(labels) != n:
        raise ValueError(f"stratify: found {len(labels)} labels, expected {n}.")
    classes, codes = encode_labels(labels)
    sizes = np.bincount(codes)
    if sizes.min() < 2:
        raise ValueError(
            f"stratify: found one example only of class {classes[sizes.argmin()]!r}, "
            "expected at least two, one on each side."
        )
    first = np.full(len(classes), n)
    np.minimum.at(first, codes, np.arange(n))
    return np.argsort(np.argsort(first))[codes]


def train_test_split(
    *arrays: ArrayLike,
    test_size: float = 0.25,
    rng: int | np.random.Generator,
    stratify: ArrayLike | None = None,
) -> list[NDArray[Any]]:
    """Each array cut at random into a training and a test part: X_train, X_test, y_train, y_test.

    `test_size` is a share (0.25) or a number of examples (50). With `stratify=y` the test part
    has every class in its share, up to one example. For a validation part, split twice.

    >>> X_train, X_test = train_test_split(np.arange(8), test_size=0.25, rng=0)
    >>> len(X_train), len(X_test)
    (6, 2)
    """
    if not arrays:
        raise ValueError("arrays: found none, expected at least one array to split.")
    parts = [np.asarray(a) for a in arrays]
    lengths = [len(a) if a.ndim else 0 for a in parts]
    if len(set(lengths)) > 1 or lengths[0] < 2:
        raise ValueError(f"arrays: found lengths {lengths}, expected equal ones of at least 2.")
    n = lengths[0]
    n_test = _test_count(test_size, n)
    generator = as_generator(rng)
    order = generator.permutation(n)
    if stratify is not None:
        order = _stratified_order(_strata(stratify, n)[order], order, n_test)
    test, train = order[:n_test], order[n_test:]
    return [part[rows] for part in parts for rows in (train, test)]


def _test_count(test_size: float, n: int) -> int:
    """`test_size` as a number of examples, with at least one left on each side."""
    if isinstance(test_size, (int, np.integer)):
        count = check_integer(test_size, "test_size", at_least=1)
    else:
        share = check_number(test_size, "test_size", above=0)
        count = max(1, int(np.ceil(share * n - 1e-9)))
    if count >= n:
        raise ValueError(f"test_size: found {test_size}, expected fewer than all {n} examples.")
    return count


def _stratified_order(codes: Codes, order: Codes, n_test: int) -> Codes:
    """The examples reordered so that the first `n_test` have the classes in their shares."""
    sizes = np.bincount(codes)
    exact = sizes * n_test / len(codes)
    quota = np.floor(exact).astype(np.intp)
    leftover = n_test - quota.sum()
    quota[np.argsort(quota - exact, kind="stable")[:leftover]] += 1  # largest remainders first
    place_in_class = np.empty(len(codes), dtype=np.intp)
    for k in range(len(sizes)):
        place_in_class[codes == k] = np.arange(sizes[k])
    in_test = place_in_class < quota[codes]
    return np.concatenate([order[in_test], order[~in_test]])


def k_fold(
    n: int,
    n_splits: int = 5,
    *,
    rng: int | np.random.Generator | None = None,
    stratify: ArrayLike | None = None,
) -> Folds:
    """`n_splits` pairs (training rows, test rows); every example is in exactly one test part.

    Fold sizes differ by at most one. With `stratify=y` also the number of examples of each class
    per fold differs by at most one. `rng` shuffles; None keeps the order of the examples, which
    is only right if that order means nothing. `n_splits=n` is leave-one-out.

    >>> [test.tolist() for train, test in k_fold(5, 2)]
    [[0, 1, 2], [3, 4]]
    """
    n = check_integer(n, "n", at_least=2)
    n_splits = check_integer(n_splits, "n_splits", at_least=2)
    if n_splits > n:
        raise ValueError(f"n_splits: found {n_splits}, expected at most {n}, the examples.")
    codes = np.zeros(n, dtype=np.intp) if stratify is None else _strata(stratify, n)
    order = np.arange(n) if rng is None else as_generator(rng).permutation(n)
    # Deal the sorted labels out like cards: this says how many of each class every fold gets.
    dealt = np.sort(codes)
    fold = np.empty(n, dtype=np.intp)
    for k in range(int(codes.max()) + 1):
        shares = [np.count_nonzero(dealt[i::n_splits] == k) for i in range(n_splits)]
        members = order[codes[order] == k]
        fold[members] = np.repeat(np.arange(n_splits), shares)
    return [(np.flatnonzero(fold != i), np.flatnonzero(fold == i)) for i in range(n_splits)]


def _folds(cv: int | Iterable[tuple[ArrayLike, ArrayLike]], y: Labels) -> Folds:
    """The given pairs, or stratified folds in the order of the examples for a number."""
    if isinstance(cv, (int, np.integer)):
        return k_fold(len(y), cv, stratify=y)
    pairs = [(np.asarray(train), np.asarray(test)) for train, test in cv]
    if not pairs:
        raise ValueError("cv: found no folds, expected a number or pairs (train, test) of rows.")
    return pairs


def cross_val_score(
    estimator: Any,
    X: ArrayLike,
    y: ArrayLike,
    *,
    cv: int | Iterable[tuple[ArrayLike, ArrayLike]] = 5,
) -> Array:
    """The score of each test part, by a fresh copy of the estimator, fitted on the rest.

    `cv` is a number of stratified folds, or pairs of rows from `k_fold`.

    >>> from lectures_lib.learning import NearestNeighbour
    >>> X, y = [[0], [1], [2], [7], [8], [9]], [0, 0, 0, 1, 1, 1]
    >>> cross_val_score(NearestNeighbour(), X, y, cv=3)
    array([1., 1., 1.])
    """
    rows, labels = np.asarray(X), check_labels(y)
    return np.array(
        [
            clone(estimator).fit(rows[train], labels[train]).score(rows[test], labels[test])
            for train, test in _folds(cv, labels)
        ]
    )


@dataclass(eq=False, repr=False)
class Standardizer(Transformer):
    """Subtracts the mean and divides by the standard deviation of each feature.

    z = (x - mean_) / scale_, with both taken from the data of `fit`, divisor N as in
    scikit-learn's StandardScaler. A feature that is constant there is only centred: scale 1.

    >>> Standardizer().fit_transform([[1, 5], [3, 5]])
    array([[-1.,  0.],
           [ 1.,  0.]])
    """

    def fit(
        self, X: ArrayLike, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Learn mean and width of each feature; `y` is ignored."""
        X_ = check_matrix(X)
        share = None
        if sample_weight is not None:
            weights = check_weights(sample_weight, len(X_))
            share = weights / weights.sum()
        forget(self)
        remember_columns(self, X, X_.shape[1])
        self.mean_, spread = columns_of(X_, share)
        self.scale_: Array = np.where(spread > 0, spread, 1.0)
        return self

    def transform(self, X: ArrayLike) -> Array:
        """(x - mean_) / scale_, feature by feature."""
        X_ = check_X(self, X)
        Z: Array = (X_ - self.mean_) / self.scale_
        return Z

    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> Labels:
        """The names of the features, which stay what they are."""
        return np.array(self._names_in(input_features), dtype=object)


@dataclass(eq=False, repr=False)
class Standardized(Classifier):
    """A classifier that sees standardised features: `Standardizer` and model in one fit.

    `estimator` is never changed; `estimator_` is its fitted copy. The weights of `estimator_`
    belong to the standardised features.

    >>> from lectures_lib.logistic import LogisticRegression
    >>> X, y = [[0], [100], [200], [300]], [0, 1, 0, 1]
    >>> Standardized(LogisticRegression()).fit(X, y).predict([[0], [300]])
    array([0, 1])
    """

    _set_last: ClassVar[str] = "estimator_"

    estimator: Any

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn mean and width of the features, then fit a copy of the model to the result."""
        X_, codes = check_X_y(self, X, y)
        self.standardizer_ = Standardizer().fit(X_, sample_weight=sample_weight)
        Z = self.standardizer_.transform(X_)
        self.estimator_: Any = fitted_copy(self.estimator, Z, self.classes_[codes], sample_weight)
        return self

    def predict(self, X: ArrayLike) -> Labels:
        """The model's labels for the standardised rows of `X`."""
        X_ = check_X(self, X)
        labels: Labels = self.estimator_.predict(self.standardizer_.transform(X_))
        return labels

    @property
    def decision_function(self) -> Callable[[ArrayLike], Array]:
        """The model's scores for the standardised rows, if it has any."""
        return _only_if(self.estimator, "decision_function", self._scores)

    @property
    def predict_proba(self) -> Callable[[ArrayLike], Array]:
        """The model's probabilities for the standardised rows, if it has any."""
        return _only_if(self.estimator, "predict_proba", self._probabilities)

    def _scores(self, X: ArrayLike) -> Array:
        X_ = check_X(self, X)
        scores: Array = self.estimator_.decision_function(self.standardizer_.transform(X_))
        return scores

    def _probabilities(self, X: ArrayLike) -> Array:
        X_ = check_X(self, X)
        probabilities: Array = self.estimator_.predict_proba(self.standardizer_.transform(X_))
        return probabilities

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags = self.estimator.__sklearn_tags__().classifier_tags
        return tags


def _only_if(
    model: Any, method: str, function: Callable[[ArrayLike], Array]
) -> Callable[[ArrayLike], Array]:
    """`function`; AttributeError (so hasattr says no) if the inner model lacks the method."""
    if not hasattr(model, method):
        raise AttributeError(f"{type(model).__name__} has no {method}.")
    return function
