"""Is there a direction in which the likelihood grows for ever? If so, find one.

A direction v (one row of weights for each class, the first 0) separates the data when no margin
m = (score of the true class) - (score of another class) is negative for any example, and some are
positive. Then the likelihood grows along v without end and has no maximum. With all margins
positive the separation is complete, with some of them 0 it is quasi-complete.

Newton's method tells: it walks off along such a direction, and the probability p of the wrong
class goes to 0 wherever the margin is positive. Where p stays away from 0 while the gradient
vanishes, the margin of every separating direction must be 0, because -v . gradient is the sum of
p m. So: keep these margins at 0 by restricting v to a subspace, leave these pairs out, and start
again. Each round lowers the dimension. In the end all margins that are left are positive, which
proves separation, or a proof of the contrary is found (`maximum_exists`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lectures_lib._core.likelihood.newton import SAFELY, inverse_of
from lectures_lib._core.likelihood.terms import Likelihood, add_pairs, laplacian
from lectures_lib._core.validation import Array

STEPS = 60  # Newton steps in one round
VANISHED = 1e-11  # a gradient as small as this counts as 0
STAYS = 1e-3  # a probability above this has not gone to 0
CERTAIN = 1e-10  # of the size of the terms: a margin that is not below this may be 0
SAME = 1e-7  # relative size below which a margin counts as 0 for a whole subspace


def margins(f: Likelihood, theta: Array) -> Iterator[tuple[slice, Array]]:
    """Blocks (K, B) of score of the true class minus score of class k; infinite for itself."""
    for part, Z in f.blocks():
        S = f.scores(theta, part, Z)
        rows = np.arange(len(Z))
        M = S[f.codes[part], rows] - S
        M[f.codes[part], rows] = np.inf
        yield part, M


def smallest_margin(f: Likelihood, theta: Array) -> float:
    """The smallest margin of all examples; above 0 the classes are completely separated."""
    return min(float(M.min()) for _, M in margins(f, theta))


def separating_direction(f: Likelihood, units: Array) -> Array | None:
    """A direction along which the likelihood grows for ever, scaled to a largest margin of 1.

    None when there is none. No penalty, K - 1 rows of theta.
    """
    scale = np.tile(units, f.shape[0])
    Q = np.eye(len(scale)) / scale[:, None]  # basis of the directions that are left
    alive = np.ones((f.K, len(f.codes)), dtype=np.bool_)
    while Q.size:
        _drop_zero_margins(f, alive, Q, units)
        left = replace(f, alive=alive)
        found = _round(left, Q, units)
        if found is None:
            return None
        theta, separated = found
        if separated:
            return _proof(f, theta)
        fixed = _pairs_that_stay(left, theta)
        smaller = Q @ _null_space(Q.T @ _gram(f, fixed) @ Q)
        if smaller.shape[1] == Q.shape[1]:
            return None
        Q = smaller
        alive &= ~fixed
    return None


def _proof(f: Likelihood, theta: Array) -> Array | None:
    """The direction, once every margin has been looked at again; None if one of them is negative.

    Margins that should be 0 are known up to the rounding of the scores they are differences of.
    """
    v = normalised(f, theta)
    reach = np.concatenate(list(_reaches(f, v)))
    lowest = np.concatenate([M.min(axis=0) for _, M in margins(f, v)])
    return v if (lowest >= -CERTAIN * np.maximum(reach, 1.0)).all() else None


def _reaches(f: Likelihood, v: Array) -> Iterator[Array]:
    """Block by block, the size of the terms of an example's scores."""
    size = np.abs(v)
    for _, Z in f.blocks():
        yield (size[:, 1:] @ np.abs(Z).T + size[:, :1]).max(axis=0)


def _round(f: Likelihood, Q: Array, units: Array) -> tuple[Array, bool] | None:
    """Newton's method within the span of Q; None when it proves that nothing separates there."""
    theta = np.zeros(f.shape)
    largest = f.longest(units) * (1 if f.shape[0] == 1 else 2)
    for _ in range(STEPS):
        here = f.at(theta, hessian=True)
        assert here.hessian is not None
        g = Q.T @ here.gradient.ravel()
        inverse = inverse_of(Q.T @ here.hessian @ Q)
        step = -inverse @ g
        if -(g @ step) * largest * float(np.trace(inverse)) < SAFELY:
            return None
        if smallest_margin(f, theta) > 0:
            return theta, True
        if np.abs(g).max() <= VANISHED:
            break
        length = 1.0
        move = (Q @ step).reshape(f.shape)
        while f.at(theta + length * move).loss > here.loss and length > 1e-8:
            length /= 2
        theta = theta + length * move
    return theta, False


def _drop_zero_margins(f: Likelihood, alive: NDArray[np.bool_], Q: Array, units: Array) -> None:
    """Strike out the pairs (class, example) whose margin is 0 for every direction in Q."""
    m, width = f.shape
    parts = np.zeros((f.K, width, Q.shape[1]))
    parts[f.K - m :] = Q.reshape(m, width, -1)
    for part, Z in f.blocks():
        lengths = np.sqrt(units[0] ** -2.0 + (Z * Z) @ units[1:] ** -2.0)
        for j in np.unique(f.codes[part]):
            chosen = np.flatnonzero(f.codes[part] == j)
            for k in range(f.K):
                M = Z[chosen] @ (parts[j] - parts[k])[1:] + (parts[j] - parts[k])[0]
                zero = np.linalg.norm(M, axis=1) <= SAME * lengths[chosen]
                alive[k, part.start + chosen[zero]] = k == j


def _pairs_that_stay(f: Likelihood, theta: Array) -> NDArray[np.bool_]:
    """Pairs (class, example) whose probability has not gone to 0, the true class left out."""
    stay = np.zeros((f.K, len(f.codes)), dtype=np.bool_)
    for part, M in margins(f, theta):
        with np.errstate(over="ignore"):
            stay[:, part] = 1 / (1 + np.exp(M)) > STAYS
    return stay


def _as_weights(met: NDArray[np.bool_]) -> Callable[[int, int], Array]:
    return lambda j, k: met[j, k].astype(np.float64)


def _gram(f: Likelihood, fixed: NDArray[np.bool_]) -> Array:
    """Sum of aa' over the fixed pairs (k, i), where a . v is their margin."""
    width = f.shape[1]
    pairs = np.zeros((f.K, f.K, width, width))
    for part, Z in f.blocks():
        own = f.codes[part] == np.arange(f.K)[:, None]
        met = own[:, None] & fixed[:, part]  # [j, k]: of class j, and the pair with k is fixed
        met |= met.transpose(1, 0, 2)
        add_pairs(pairs, _as_weights(met), Z)
    return laplacian(pairs, f.shape[0])


def _null_space(gram: Array) -> Array:
    """Orthonormal basis of the directions in which a Gram matrix is 0 up to rounding."""
    sizes, directions = np.linalg.eigh(gram)
    return np.asarray(directions[:, sizes <= 1e-12 * max(sizes[-1], 1e-300)])


def normalised(f: Likelihood, theta: Array) -> Array:
    """The direction with a largest margin of 1."""
    largest = max(float(np.max(M, where=np.isfinite(M), initial=0.0)) for _, M in margins(f, theta))
    return theta / largest
