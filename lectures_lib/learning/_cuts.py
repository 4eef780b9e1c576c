"""Classifiers on a line: at most k cuts, and another label after each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.estimator import Classifier, check_sample_weight, check_X, check_X_y
from lectures_lib._core.validation import Array, Codes, Labels, as_float, check_integer


def apply_cuts(cuts: ArrayLike, first: int, x: ArrayLike) -> Codes:
    """The label, 0 or 1, at each x: `first` left of all cuts, the other one after each cut.

    >>> apply_cuts([0.3, 0.7], first=1, x=[0.1, 0.5, 0.9])
    array([1, 0, 1])
    """
    passed = np.searchsorted(np.sort(np.asarray(cuts, dtype=np.float64)), as_float(x, "x"))
    return np.asarray((first + passed) % 2, dtype=np.intp)


def fewest_mistakes(costs: ArrayLike, max_cuts: int) -> Codes:
    """The cheapest labels of M cells in a row that change at most `max_cuts` times.

    `costs` (..., M, 2) holds what it costs to say 0 and to say 1 in each cell. Every pattern of
    labels is compared, by dynamic programming: the cheapest labels up to a cell that end with a
    given label after j changes need only the cheapest ones up to the cell before it. Of equally
    cheap patterns one with few changes is returned.

    >>> fewest_mistakes([[0, 1], [1, 0], [0, 1], [0, 1]], max_cuts=1)
    array([0, 0, 0, 0])
    """
    table = as_float(costs, "costs")
    if table.ndim < 2 or table.shape[-1] != 2 or table.shape[-2] < 1:
        raise ValueError(f"costs: found shape {table.shape}, expected (..., M, 2) with M >= 1.")
    k = check_integer(max_cuts, "max_cuts", at_least=0)
    *batch, M, _ = table.shape
    cells = np.moveaxis(table.reshape(-1, M, 2), 1, 0)  # (M, R, 2)
    R = cells.shape[1]
    # total[r, j, c]: least cost so far with at most j changes, when the last label is c
    total = np.repeat(cells[0][:, None, :], k + 1, axis=1)
    changed = np.zeros((M, R, k + 1, 2), dtype=bool)
    for i in range(1, M):
        other = total[:, :-1, ::-1]
        changed[i, :, 1:] = other < total[:, 1:]
        total[:, 1:] = np.minimum(other, total[:, 1:])
        total += cells[i][:, None, :]
    rows, j = np.arange(R), np.full(R, k)
    label = total[:, k].argmin(axis=1)
    labels = np.empty((R, M), dtype=np.intp)
    for i in range(M - 1, -1, -1):
        labels[:, i] = label
        change = changed[i, rows, j, label]
        j, label = j - change, np.where(change, 1 - label, label)
    return labels.reshape(*batch, M)


@dataclass(eq=False, repr=False)
class CutClassifier(Classifier):
    """At most `max_cuts` cuts on one feature, with the fewest mistakes on the training examples.

    These are the signs of the polynomials of degree `max_cuts`. A cut lies half-way between two
    neighbouring values of the feature. `max_cuts=1` is known as a decision stump.

    Attributes: cuts_ (ascending), first_ (0 or 1, the code of the class left of all cuts).

    >>> model = CutClassifier(max_cuts=1).fit([[1], [2], [5], [6]], ["low", "low", "high", "high"])
    >>> model.cuts_, model.predict([[3], [4]])
    (array([3.5]), array(['low', 'high'], dtype='<U4'))
    """

    max_cuts: int = 1
    feature: int = 0
    _binary_only: ClassVar[bool] = True

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Compare all places of the cuts."""
        most = check_integer(self.max_cuts, "max_cuts", at_least=0)
        X_, codes = check_X_y(self, X, y)
        weights = check_sample_weight(sample_weight, codes)
        values, cell = np.unique(self._column(X_)[weights > 0], return_inverse=True)
        kept, weights = codes[weights > 0], weights[weights > 0]
        # Saying 0 costs the weight of class 1 in the cell, saying 1 that of class 0.
        costs = [np.bincount(cell, weights * (kept == c), len(values)) for c in (1, 0)]
        labels = fewest_mistakes(np.column_stack(costs), most)
        change = np.flatnonzero(labels[1:] != labels[:-1])
        self.cuts_: Array = values[change] + (values[change + 1] - values[change]) / 2
        self.first_ = int(labels[0])
        return self

    def _column(self, X: Array) -> Array:
        j = check_integer(self.feature, "feature", at_least=0)
        if j >= X.shape[1]:
            raise ValueError(f"feature: found {j}, expected a column below {X.shape[1]}.")
        return X[:, j]

    def predict(self, X: ArrayLike) -> Labels:
        """The class of the interval in which the feature lies."""
        column = self._column(check_X(self, X))
        labels: Labels = self.classes_[apply_cuts(self.cuts_, self.first_, column)]
        return labels

    def decision_function(self, X: ArrayLike) -> Array:
        """Distance to the nearest cut, positive where it says classes_[1]; ±1 without cuts."""
        column = self._column(check_X(self, X))
        says_1 = apply_cuts(self.cuts_, self.first_, column) == 1
        sign = np.where(says_1, 1.0, -1.0)
        if not len(self.cuts_):
            return sign
        distances: Array = sign * np.abs(column[:, None] - self.cuts_).min(axis=1)
        return distances
