"""Linear discriminants: the geometry of g(x) = w0 + w·x, and labels as vectors.

g(x) = 0 is a hyperplane, w is orthogonal to it, and g(x) / ||w|| is the distance of x from it with
a sign: positive on the side that w points to. Only signs and order of discriminants decide:
(w0, w) and c (w0, w) with c > 0 are the same classifier. In the functions of data and weights `w`
has the bias first, w = (w0, w1, ..., wd), and `X` is (N, d) without a column of ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.linear import check_weights_of
from lectures_lib._core.validation import (
    Array,
    Labels,
    check_labels,
    check_matrix,
    encode_labels,
)


def signed_distance(X: ArrayLike, w: ArrayLike) -> Array:
    """Distance g(x) / ||w|| of every row of `X` from the plane, positive where g is: (N,).

    Of the origin it is w0 / ||w||. Seen from the origin along w, the plane lies at -w0 / ||w||.

    >>> signed_distance([[3, 4], [0, 0]], [-5, 3, 4])
    array([ 4., -1.])
    """
    X, unit = _unit_plane(X, w)
    r: Array = X @ unit[1:] + unit[0]
    return r


def foot(X: ArrayLike, w: ArrayLike) -> Array:
    """Point of the plane nearest to every row of `X`, x - g(x) w / ||w||²: (N, d).

    >>> foot([[3, 4]], [-1, 0, 1])
    array([[3., 1.]])
    """
    X, unit = _unit_plane(X, w)
    feet: Array = X - (X @ unit[1:] + unit[0])[:, None] * unit[1:]
    return feet


def one_hot(y: ArrayLike, classes: ArrayLike | None = None) -> Array:
    """Indicator matrix (N, K): entry (i, k) is 1 where y_i is class k, else 0.

    The columns are the sorted labels of `y`, or `classes` in the given order.

    >>> one_hot(["b", "a", "b"])
    array([[0., 1.],
           [1., 0.],
           [0., 1.]])
    """
    labels = check_labels(y)
    known = encode_labels(labels)[0] if classes is None else _distinct(classes)
    indicators: Array = (labels[:, None] == known).astype(np.float64)
    missing = indicators.sum(axis=1) == 0
    if missing.any():
        raise ValueError(
            f"y: found the label {labels[missing][0]!r}, expected one of {known.tolist()}."
        )
    return indicators


def from_one_hot(Y: ArrayLike, classes: ArrayLike | None = None) -> Labels:
    """Labels of the rows of an indicator matrix; column numbers without `classes`.

    >>> from_one_hot([[0, 1, 0], [1, 0, 0]], classes=["a", "b", "c"])
    array(['b', 'a'], dtype='<U1')
    """
    indicators = check_matrix(Y, "Y")
    good = ((indicators == 0) | (indicators == 1)).all(axis=1) & (indicators.sum(axis=1) == 1)
    if not good.all():
        row = int(np.argmin(good))
        raise ValueError(f"Y: found {indicators[row].tolist()} in row {row}, expected a single 1.")
    K = indicators.shape[1]
    known = np.arange(K) if classes is None else _distinct(classes)
    if len(known) != K:
        raise ValueError(f"classes: found {len(known)}, expected {K} as in Y.")
    labels: Labels = known[indicators.argmax(axis=1)]
    return labels


def _unit_plane(X: ArrayLike, w: ArrayLike) -> tuple[Array, Array]:
    """The data, and the weights of the same plane with ||w|| = 1; the bias does not count."""
    matrix = check_matrix(X)
    plane = check_weights_of(matrix, w)
    largest = float(np.abs(plane[1:]).max())
    if largest == 0:
        raise ValueError("w: found the zero vector, expected a direction.")
    plane = plane / largest  # first, so that no square overflows
    return matrix, plane / np.linalg.norm(plane[1:])


def _distinct(classes: ArrayLike) -> Labels:
    known = check_labels(classes, "classes")
    if len(np.unique(known)) != len(known):
        raise ValueError(f"classes: found {known.tolist()}, expected no label twice.")
    return known
