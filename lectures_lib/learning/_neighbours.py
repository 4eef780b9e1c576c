"""The memoriser: it keeps the training examples and repeats the label of the nearest one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.estimator import Classifier, check_X, check_X_y
from lectures_lib._core.validation import Array, Codes

BLOCK = 2**22  # products in one table; with small tables the threads of BLAS wait for each other
EPS = np.finfo(np.float32).eps


@dataclass(eq=False, repr=False)
class NearestNeighbour(Classifier):
    """The label of the nearest training example; of equally near classes the first counts.

    scikit-learn: KNeighborsClassifier(n_neighbors=1). Without two equal rows of different classes
    its training error is 0, whatever the labels mean.

    >>> NearestNeighbour().fit([[0], [10]], ["near", "far"]).predict([[4], [6]])
    array(['near', 'far'], dtype='<U4')
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Remember the examples."""
        self.examples_, self._codes = check_X_y(self, X, y)
        return self

    def decision_function(self, X: ArrayLike) -> Array:
        """Minus the distance to the nearest example of each class; for two their difference."""
        rows = check_X(self, X)
        groups = [self.examples_[self._codes == k] for k in range(len(self.classes_))]
        near = _least_distances(rows, groups)
        return near[:, 0] - near[:, 1] if len(groups) == 2 else -near


def _least_distances(rows: Array, groups: list[Array]) -> Array:
    """Distance of each row to the nearest example of each group.

    Products in single precision find the few examples that may be the nearest. Their distances
    are differences first, squares second: no digits are lost far away from 0.
    """
    everything = np.concatenate(groups)
    centre = everything.mean(axis=0)
    squares = np.full((len(groups), len(rows)), np.inf)
    step = max(1, BLOCK // max(len(group) for group in groups))
    with np.errstate(all="ignore"):  # where it overflows every example stays possible
        scale = np.sqrt(np.square(everything - centre).sum(axis=1).max())
        sides = [_side((group - centre) / scale) for group in groups]
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            x = np.ones((some.shape[1] + 1, len(some)), dtype=np.float32)
            x[:-1] = ((some - centre) / scale).T
            for group, side, least in zip(groups, sides, squares, strict=True):
                i, j = _possible(side, x)
                differences = some[j] - group[i]
                found = np.einsum("ij,ij->i", differences, differences)
                np.minimum.at(least, start + j, found)
    nearest: Array = np.sqrt(squares.T)
    return nearest


def _side(examples: Array) -> NDArray[np.float32]:
    """Rows (-2 e, |e|^2): times a column (x, 1) they give |e - x|^2 - |x|^2."""
    lengths = np.square(examples).sum(axis=1)
    return np.column_stack([-2 * examples, lengths]).astype(np.float32)


def _possible(side: NDArray[np.float32], x: NDArray[np.float32]) -> tuple[Codes, Codes]:
    """Example and column of x, for each pair that rounding lets be the nearest one.

    No |e| exceeds 1, so an entry of the product is wrong by at most (d + 2) EPS (|x|^2 + 2).
    """
    product = side @ x
    wrong = (len(x) + 1) * EPS * (np.einsum("ij,ij->j", x, x) + 1)
    limit = product.min(axis=0) + 2 * wrong
    known = np.isfinite(limit).all()  # else every comparison that fails leaves its pair possible
    within = product <= limit if known else ~(product > limit)
    i, j = np.divmod(np.flatnonzero(within), within.shape[1])
    return i, j
