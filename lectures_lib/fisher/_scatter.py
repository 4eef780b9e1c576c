"""Scatter matrices of labelled data, and Fisher's criteria for directions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.covariance import SingularCovarianceError, oriented, sphering
from lectures_lib._core.lesson import lesson
from lectures_lib._core.moments import class_moments
from lectures_lib._core.validation import (
    Array,
    Codes,
    as_float,
    check_labels,
    check_matrix,
    check_vector,
    encode_labels,
)


@dataclass(frozen=True)
class Scatter:
    """The scatter matrices of labelled data, and the means they are taken around.

    >>> found = scatter_matrices([[0, 0], [0, 2], [4, 0], [4, 2]], [0, 0, 1, 1])
    >>> np.allclose(found.total, found.within + found.between)
    True
    """

    within: Array  # S_w = sum_k sum_{i in k} (x_i - mu_k)(x_i - mu_k)'
    between: Array  # S_B = sum_k N_k (mu_k - mu)(mu_k - mu)'
    total: Array  # S_T = sum_i (x_i - mu)(x_i - mu)'
    counts: Array  # (K,)
    means: Array  # (K, d)
    mean: Array  # (d,) mu = sum_k N_k mu_k / N


def scatter_matrices(X: ArrayLike, y: ArrayLike) -> Scatter:
    """S_w, S_B and S_T, each from its definition, with counts and means of the classes.

    >>> scatter_matrices([[0, 0], [0, 2], [4, 0], [4, 2]], [0, 0, 1, 1]).between
    array([[16.,  0.],
           [ 0.,  0.]])
    """
    X_, codes, K = labelled(X, y)
    moments = class_moments(X_, codes, K)
    gaps = moments.centred_means
    centred = X_ - moments.centre
    return Scatter(
        within=moments.scatters.sum(axis=0),
        between=(moments.counts[:, None] * gaps).T @ gaps,
        total=centred.T @ centred,
        counts=moments.counts,
        means=moments.means,
        mean=moments.centre,
    )


def labelled(X: ArrayLike, y: ArrayLike) -> tuple[Array, Codes, int]:
    """Checked data, class codes and the number of classes."""
    X_, labels = check_matrix(X), check_labels(y)
    if len(labels) != len(X_):
        raise ValueError(f"y: found {len(labels)} labels, expected {len(X_)} as in X.")
    classes, codes = encode_labels(labels)
    return X_, codes, len(classes)


def fisher_J(w: ArrayLike, S_B: ArrayLike, S_w: ArrayLike) -> float:
    """J(w) = w'S_B w / w'S_w w: squared distance of the projected means over their scatter.

    >>> fisher_J([1, 0], [[4, 0], [0, 1]], np.eye(2))
    4.0
    """
    w_, B, W = _direction(w, S_B, S_w)
    return float(w_ @ B @ w_ / (w_ @ W @ w_))


def fisher_J_gradient(w: ArrayLike, S_B: ArrayLike, S_w: ArrayLike) -> Array:
    """Gradient of J: [2 S_B w (w'S_w w) - 2 S_w w (w'S_B w)] / (w'S_w w)^2.

    >>> fisher_J_gradient([1, 0], [[4, 0], [0, 1]], np.eye(2))
    array([0., 0.])
    """
    w_, B, W = _direction(w, S_B, S_w)
    between, within = w_ @ B @ w_, w_ @ W @ w_
    gradient: Array = 2 * (B @ w_ * within - W @ w_ * between) / within**2
    return gradient


def _direction(w: ArrayLike, S_B: ArrayLike, S_w: ArrayLike) -> tuple[Array, Array, Array]:
    w_ = check_vector(w, "w")
    B, W = square(S_B, "S_B", len(w_)), square(S_w, "S_w", len(w_))
    if w_ @ W @ w_ <= 0:
        raise ValueError(
            "w: found a direction with w'S_w w = 0, expected some scatter within the classes; "
            f"without it J is not defined ({lesson('fisher')})."
        )
    return w_, B, W


def square(S: ArrayLike, name: str, d: int) -> Array:
    matrix = as_float(S, name)
    if matrix.shape != (d, d):
        raise ValueError(f"{name}: found shape {matrix.shape}, expected {(d, d)}.")
    return matrix


def trace_criterion(W: ArrayLike, S_B: ArrayLike, S_w: ArrayLike) -> float:
    """tr[(W'S_w W)^-1 (W'S_B W)] for the directions in the columns of W.

    >>> trace_criterion([[1], [0]], [[4, 0], [0, 1]], np.eye(2))
    4.0
    """
    between, within = _projected(W, S_B, S_w)
    return float(np.trace(np.linalg.solve(within, between)))


def determinant_criterion(W: ArrayLike, S_B: ArrayLike, S_w: ArrayLike) -> float:
    """det(W'S_B W) / det(W'S_w W); 0 for more directions than S_B has rank.

    >>> determinant_criterion([[1], [0]], [[4, 0], [0, 1]], np.eye(2))
    4.0
    """
    between, within = _projected(W, S_B, S_w)
    return float(np.linalg.det(np.linalg.solve(within, between)))


def _projected(W: ArrayLike, S_B: ArrayLike, S_w: ArrayLike) -> tuple[Array, Array]:
    """(W'S_B W, W'S_w W): the scatters of the projected data."""
    directions = check_matrix(W, "W")
    B, S = square(S_B, "S_B", len(directions)), square(S_w, "S_w", len(directions))
    within = directions.T @ S @ directions
    if not sphering(within).regular:
        raise ValueError(
            "W: found directions without scatter within the classes or linearly dependent ones, "
            f"expected independent ones ({lesson('reduced_rank')})."
        )
    return directions.T @ B @ directions, within


def generalised_eigenvectors(S_B: ArrayLike, S_w: ArrayLike) -> tuple[Array, Array]:
    """(values, vectors) with S_B v = J S_w v, largest J first; columns with v'S_w v = 1.

    With Cholesky's S_w = L L' and b = L'v this is the symmetric problem L^-1 S_B L^-T b = J b.
    The largest entry of each vector is positive, counted in units of the features' scatter.

    >>> values, vectors = generalised_eigenvectors([[4, 0], [0, 1]], np.eye(2))
    >>> values
    array([4., 1.])
    """
    W = as_float(S_w, "S_w")
    if W.ndim != 2 or W.shape[0] != W.shape[1]:
        raise ValueError(f"S_w: found shape {W.shape}, expected a square matrix.")
    B = square(S_B, "S_B", len(W))
    if not sphering(W).regular:
        raise SingularCovarianceError(
            "S_w: found a singular matrix, expected one with an inverse. It needs at least d + K "
            "examples for d features and K classes, and no feature that repeats others "
            f"({lesson('reduced_rank')})"
        )
    unit = np.sqrt(np.diag(W))
    L = np.linalg.cholesky(W / np.outer(unit, unit))
    half = np.linalg.solve(L, B / np.outer(unit, unit))  # L^-1 S_B
    symmetric = np.linalg.solve(L, half.T)  # L^-1 S_B L^-T
    values, vectors = np.linalg.eigh((symmetric + symmetric.T) / 2)
    back = oriented(np.linalg.solve(L.T, vectors[:, ::-1]))
    directions: Array = back / unit[:, None]
    return values[::-1], directions
