"""Linear discriminants: the geometry of g(x) = w0 + w·x, labels as vectors, decision regions.

g(x) = 0 is a hyperplane, w is orthogonal to it, and g(x) / ||w|| is the distance of x from it with
a sign: positive on the side that w points to. Only signs and order of discriminants decide:
(w0, w) and c (w0, w) with c > 0 are the same classifier. In the functions of data and weights `w`
has the bias first, w = (w0, w1, ..., wd), and `X` is (N, d) without a column of ones.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.linear import check_weights_of
from lectures_lib._core.validation import (
    Array,
    Codes,
    Labels,
    check_choice,
    check_labels,
    check_matrix,
    check_signs,
    check_vector,
    encode_labels,
)


def discriminant(X: ArrayLike, w: ArrayLike) -> Array:
    """g(x) = w0 + w·x for every row of `X`: (N,). `w` holds d + 1 numbers, the bias w0 first.

    With d numbers there is no bias, for data that have their ones column already.

    >>> discriminant([[1, 2], [3, 4]], [0.5, 1, -1])
    array([-0.5, -0.5])
    """
    matrix = check_matrix(X)
    weights = check_weights_of(matrix, w, optional=True)
    bias = weights[0] if len(weights) > matrix.shape[1] else 0.0
    g: Array = matrix @ weights[-matrix.shape[1] :] + bias
    return g


def margins(X: ArrayLike, s: ArrayLike, w: ArrayLike) -> Array:
    """s_i g(x_i) for every example, s = ±1: positive where the example is on its own side.

    >>> margins([[1, 0], [2, 0]], [-1, 1], [-1.5, 1, 0])
    array([0.5, 0.5])
    """
    g = discriminant(X, w)
    products: Array = check_signs(s, len(g)) * g
    return products


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


def hyperplane_through(points: ArrayLike, positive: ArrayLike) -> Array:
    """(w0, w) with ||w|| = 1 of the plane through d points of dimension d, g(positive) > 0.

    w is orthogonal to the differences of the points. Its sign is free until somebody says which
    side is positive: that of the point `positive`.

    >>> hyperplane_through([[0, 1], [1, 0]], positive=[1, 1]).round(4)
    array([-0.7071,  0.7071,  0.7071])
    """
    P = check_matrix(points, "points")
    d = P.shape[1]
    if len(P) != d:
        raise ValueError(f"points: found {len(P)} points of dimension {d}, expected {d} of them.")
    above = check_vector(positive, "positive", length=d)
    differences = P[1:] - P[0]
    _, sizes, directions = np.linalg.svd(differences, full_matrices=True)
    if len(sizes) and sizes[-1] <= 1e-12 * np.abs(P).max(initial=sizes[0]):
        raise ValueError(
            f"points: found {d} points that lie in more than one plane, expected points in "
            "general position (two different points, three not on a line, ...)."
        )
    w: Array = directions[-1]
    height = float(w @ (above - P[0]))
    if abs(height) <= 1e-12 * np.abs(above - P[0]).max(initial=0.0):
        raise ValueError("positive: found a point on the plane, expected one beside it.")
    w = w if height > 0 else -w
    return np.concatenate([[-(w @ P.mean(axis=0))], w])


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


def argmax_class(G: ArrayLike, ties: str = "first") -> Codes:
    """Number k of the largest discriminant in every row of `G` (N, K).

    ties: "first" or "last" of the equal ones, or "reject", which answers -1. numpy's argmax
    takes the first.

    >>> argmax_class([[0.1, 0.7, 0.2], [0.5, 0.5, 0.0]])
    array([1, 0])
    """
    scores = check_matrix(G, "G")
    check_choice(ties, "ties", ("first", "last", "reject"))
    largest = scores == scores.max(axis=1, keepdims=True)
    winner: Codes = largest.argmax(axis=1)
    if ties == "last":
        winner = scores.shape[1] - 1 - largest[:, ::-1].argmax(axis=1)
    if ties == "reject":
        winner[largest.sum(axis=1) > 1] = -1
    return winner


def decision_regions(predict: Callable[[Array], ArrayLike], x1: ArrayLike, x2: ArrayLike) -> Labels:
    """Labels on a grid of the plane: entry (i, j) is the label of the point (x1[j], x2[i]).

    `predict` is a function of points (M, 2), for example `model.predict`.

    >>> decision_regions(lambda P: P[:, 0] > 0, [-1, 1], [0, 5])
    array([[False,  True],
           [False,  True]])
    """
    across, up = check_vector(x1, "x1"), check_vector(x2, "x2")
    points = np.column_stack([np.tile(across, len(up)), np.repeat(up, len(across))])
    labels = np.asarray(predict(points))
    if labels.shape != (len(points),):
        raise ValueError(
            f"predict: found labels of shape {labels.shape}, expected {(len(points),)}."
        )
    return labels.reshape(len(up), len(across))


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
