"""The boundary between two Gaussian classes with covariances of their own: a conic."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.lesson import lesson
from lectures_lib._core.validation import Array, as_float, check_number, check_vector

ZERO = 1e-9  # what is smaller, relative to its like, counts as 0
ROUNDING = 1e-13


def boundary_quadric(
    means: ArrayLike, covariances: ArrayLike, priors: ArrayLike = (0.5, 0.5)
) -> tuple[Array, Array, float]:
    """(A, b, c) with delta_0(x) - delta_1(x) = x'Ax + b'x + c for two Gaussian classes.

    A = (S_1^-1 - S_0^-1) / 2,  b = S_0^-1 mu_0 - S_1^-1 mu_1,
    c = log pi_0 / pi_1 + (log|S_1| - log|S_0| + mu_1' S_1^-1 mu_1 - mu_0' S_0^-1 mu_0) / 2

    >>> A, b, c = boundary_quadric([[0, 0], [2, 0]], [np.eye(2), np.eye(2)])
    >>> A.tolist(), b.tolist(), c
    ([[0.0, 0.0], [0.0, 0.0]], [-2.0, 0.0], 2.0)
    """
    mu = as_float(means, "means")
    if mu.ndim != 2 or len(mu) != 2:
        raise ValueError(f"means: found shape {mu.shape}, expected (2, d).")
    d = mu.shape[1]
    sigma = as_float(covariances, "covariances")
    if sigma.shape != (2, d, d):
        raise ValueError(f"covariances: found shape {sigma.shape}, expected {(2, d, d)}.")
    pi = check_vector(priors, "priors", length=2)
    if pi.min() <= 0:
        raise ValueError(f"priors: found {pi.min():g}, expected positive numbers.")
    signs, log_dets = np.linalg.slogdet(sigma)
    if signs.min() <= 0:
        raise ValueError(
            "covariances: found a determinant that is not positive "
            f"({lesson('gaussian_classifiers')})."
        )
    inverse = np.linalg.inv(sigma)
    pulled = np.einsum("kij,kj->ki", inverse, mu)
    squares = (mu * pulled).sum(axis=1)
    constant = (log_dets[1] - log_dets[0] + squares[1] - squares[0]) / 2
    A: Array = (inverse[1] - inverse[0]) / 2
    if np.abs(A).max() <= ROUNDING * np.abs(inverse).max():
        A[:] = 0.0  # equal covariances, up to rounding: the boundary is a hyperplane
    return A, pulled[0] - pulled[1], float(np.log(pi[0] / pi[1]) + constant)


def conic_type(A: ArrayLike, b: ArrayLike, c: float) -> str:
    """The kind of curve x'Ax + b'x + c = 0 in the plane.

    The sign of det A, the product of the eigenvalues, decides: positive for an "ellipse" (or
    "point" or "empty"), negative for a "hyperbola" (or "two crossing lines"), zero for a
    "parabola" (or "two parallel lines", "line", "empty"). A = 0 leaves a "line", as in LDA, and
    b = 0 as well "empty" or "plane". Within the axes of A the curve is
    sum_i l_i u_i^2 + beta_i u_i + c; completing the squares leaves the constant `rest`.

    >>> conic_type([[1, 0], [0, 2]], [0, 0], -1), conic_type([[1, 0], [0, -1]], [0, 0], -1)
    ('ellipse', 'hyperbola')
    """
    A_ = as_float(A, "A")
    if A_.shape != (2, 2):
        raise ValueError(f"A: found shape {A_.shape}, expected (2, 2): a conic lies in the plane.")
    b_ = check_vector(b, "b", length=2)
    c = check_number(c, "c")
    values, axes = np.linalg.eigh((A_ + A_.T) / 2)
    beta = axes.T @ b_
    largest = float(np.abs(values).max())
    if largest == 0 or 0 < largest * abs(c) <= ZERO**2 * float(b_ @ b_):
        return "line" if b_.any() else "plane" if c == 0 else "empty"
    curved = np.abs(values) > ZERO * largest
    squares = beta[curved] ** 2 / (4 * values[curved])
    rest = c - float(squares.sum())
    if abs(rest) <= ZERO * (abs(c) + float(np.abs(squares).sum())):
        rest = 0.0
    if curved.all():
        if values[0] * values[1] < 0:
            return "hyperbola" if rest else "two crossing lines"
        return "point" if rest == 0 else "empty" if rest * values[0] > 0 else "ellipse"
    if abs(float(beta[~curved][0])) > ZERO * float(np.abs(b_).max()):
        return "parabola"
    if rest == 0:
        return "line"
    return "two parallel lines" if rest * float(values[curved][0]) < 0 else "empty"
