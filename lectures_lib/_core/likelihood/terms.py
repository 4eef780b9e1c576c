"""The mean cross-entropy of the softmax model, its gradient and its Hessian, block by block.

The scores of an example x are theta (1, x), one row of theta for each class. Adding the same row
to every class changes no probability, so the first class may keep the score 0; then theta has
K - 1 rows. Two classes with one row are logistic regression.

With P[i, k] = p(class k | x_i) and Y its observed version (one-hot),

    gradient   G_k = sum_i share_i (P[i, k] - Y[i, k]) (1, x_i)
    Hessian    H_jk = -M_jk for j != k,   H_jj = sum of M_jk over k != j,
               M_jk = sum_i share_i P[i, j] P[i, k] (1, x_i)(1, x_i)'

so one weighted Gram matrix for each pair of classes is all that the Hessian needs. The shares of
the examples add up to 1. A block of examples stays in the processor's cache while all of this is
computed from it; no array of the size of X is ever made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lectures_lib._core.validation import Array, Codes

BLOCK_NUMBERS = 240_000  # numbers in a block: about 2 MB
FEW_PAIRS = 30
PAIR_NUMBERS = 60_000  # weights of pairs that are held at a time: half a megabyte


@dataclass
class Rows:
    """Examples in blocks, less `centre`; None leaves that out, without a copy.

    `back` = (mean, basis) says that X already holds coordinates, (x - mean)'basis of features x.
    """

    X: Array
    centre: Array | None = None  # (r,)
    back: tuple[Array, Array] | None = None  # (d,), (d, r)

    @property
    def width(self) -> int:
        """Number r of coordinates."""
        return int(self.X.shape[1])

    def blocks(self, extra: int) -> Iterator[tuple[slice, Array]]:
        """Slices of the examples with their coordinates; `extra` numbers more go with each row."""
        N, d = self.X.shape
        step = min(N, max(64, BLOCK_NUMBERS // (d + extra)))
        buffer = None if self.centre is None else np.empty((step, d))
        for start in range(0, N, step):
            Z = self.X[start : start + step]
            part = slice(start, start + len(Z))
            if buffer is not None and self.centre is not None:
                Z = np.subtract(Z, self.centre, out=buffer[: len(Z)])
            yield part, Z

    def every(self, stride: int) -> Rows:
        """Every `stride`-th example, in the same coordinates."""
        return replace(self, X=self.X[::stride])

    def to_features(self, theta: Array) -> Array:
        """Rows (w0, w) for the features as given, from rows for the coordinates."""
        mean, w = self.centre, theta[:, 1:]
        if self.back is not None:
            mean, w = self.back[0], w @ self.back[1].T
        w0 = theta[:, :1] if mean is None else theta[:, :1] - (w @ mean)[:, None]
        return np.hstack([w0, w])


class Value(NamedTuple):
    """Mean loss at a point, its gradient (m, r + 1), its Hessian (of theta in a row) if asked."""

    loss: float
    gradient: Array
    hessian: Array | None


@dataclass
class Likelihood:
    """Mean cross-entropy as a function of theta, plus ridge tr(w' A w) / 2 for w = theta[:, 1:]."""

    rows: Rows
    codes: Codes
    K: int
    share: Array  # (N,), adds up to 1
    class_metric: Array  # A (m, m): m is the number of rows of theta
    ridge: float = 0.0  # strength of the penalty
    alive: NDArray[np.bool_] | None = None  # (K, N): only these classes are possible

    @property
    def shape(self) -> tuple[int, int]:
        """Shape of theta: K or K - 1 rows, bias first."""
        return len(self.class_metric), self.rows.width + 1

    def every(self, stride: int) -> Likelihood:
        """The same for every `stride`-th example."""
        share = self.share[::stride]
        return replace(
            self,
            rows=self.rows.every(stride),
            codes=self.codes[::stride],
            share=share / share.sum(),
            alive=None if self.alive is None else self.alive[:, ::stride],
        )

    def blocks(self) -> Iterator[tuple[slice, Array]]:
        """Slices of the examples with their coordinates."""
        return self.rows.blocks(extra=3 * self.K)

    def longest(self, units: Array) -> float:
        """Largest squared length of (1, z) / units over the examples."""
        weight = units[1:] ** -2.0
        longest = max(float(np.max((Z * Z) @ weight)) for _, Z in self.blocks())
        return longest + float(units[0]) ** -2

    def penalty(self, theta: Array) -> float:
        """ridge tr(w'Aw) / 2, the part of the value that does not come from the examples."""
        w = theta[:, 1:]
        return self.ridge * float(np.vdot(self.class_metric @ w, w)) / 2 if self.ridge else 0.0

    def ridges(self) -> Array:
        """Strength of the penalty for each coordinate, bias first: the bias pays nothing."""
        return np.concatenate([[0.0], np.full(self.rows.width, self.ridge)])

    def scores(self, theta: Array, part: slice, Z: Array) -> Array:
        """Scores (K, B) of a block; minus infinity where a class is impossible."""
        S = np.zeros((self.K, len(Z)))
        free = S[self.K - len(theta) :]
        np.matmul(theta[:, 1:], Z.T, out=free)
        free += theta[:, :1]
        if self.alive is not None:
            S[~self.alive[:, part]] = -np.inf
        return S

    def at(self, theta: Array, *, hessian: bool = False) -> Value:
        """Value, gradient and, if asked, Hessian at theta."""
        m, width = self.shape
        loss, gradient = 0.0, np.zeros((m, width))
        pairs = np.zeros((self.K, self.K, width, width)) if hessian else None
        many = ManyPairs(self.K, width) if hessian and many_pairs(self.K, width) else None
        for part, Z in self.blocks():
            S = self.scores(theta, part, Z)
            share = self.share[part]
            own = self.codes[part], np.arange(len(Z))
            top = S.max(axis=0)
            loss += float(share @ (top - S[own]))
            S -= top
            P = np.exp(S, out=S)  # in place, as new tables take longer than their entries
            total = P.sum(axis=0)
            loss += float(share @ np.log(total))
            P /= total
            if many is not None:
                many.add(P, share, Z)
            elif pairs is not None:
                add_pairs(pairs, _products(P, share), Z)
            P *= share
            P[own] -= share
            R = P[self.K - m :]  # share (p - y)
            gradient[:, 1:] += R @ Z
            gradient[:, 0] += R.sum(axis=1)
        if many is not None and pairs is not None:
            many.into(pairs)
        if self.ridge:
            loss += self.penalty(theta)
            gradient[:, 1:] += self.ridge * (self.class_metric @ theta[:, 1:])
        hessian_matrix = None if pairs is None else laplacian(pairs, m)
        if hessian_matrix is not None and self.ridge:
            hessian_matrix += np.kron(self.class_metric, np.diag(self.ridges()))
        return Value(loss, gradient, hessian_matrix)


def many_pairs(K: int, width: int) -> bool:
    """Whether there are more pairs of classes than coordinates, so that a Hessian costs much."""
    return max(width, FEW_PAIRS) < K * (K - 1) // 2


def _products(P: Array, share: Array) -> Callable[[int, int], Array]:
    return lambda j, k: share * P[j] * P[k]


def add_pairs(pairs: Array, weight: Callable[[int, int], Array], Z: Array) -> None:
    """Add the block's sum of weight_jk (1, z)(1, z)' to pairs[j, k] for every pair j < k."""
    weighted = np.empty(Z.shape)
    for j, k in combinations(range(len(pairs)), 2):
        root = np.sqrt(weight(j, k))
        np.multiply(Z, root[:, None], out=weighted)
        bias, pair = root @ weighted, pairs[j, k]
        pair[0, 0] += root @ root
        pair[0, 1:] += bias
        pair[1:, 0] += bias
        pair[1:, 1:] += weighted.T @ weighted  # one matrix twice: BLAS computes one triangle only


class ManyPairs:
    """The same sums for many pairs and few coordinates: one product of weights with all z_a z_b."""

    def __init__(self, K: int, width: int) -> None:
        self.first, self.second = np.triu_indices(K, 1)
        self.a, self.b = np.triu_indices(width)
        self.sums = np.zeros((len(self.first), len(self.a)))

    def add(self, P: Array, share: Array, Z: Array) -> None:
        """Add the block's sum of share p_j p_k (1, z)(1, z)' for every pair."""
        step = max(16, PAIR_NUMBERS // len(self.first))
        for start in range(0, len(Z), step):
            part = slice(start, start + step)
            p = P[:, part].copy()
            ones = np.ones((Z.shape[1] + 1, p.shape[1]))
            ones[1:] = Z[part].T
            products = ones[self.a]
            products *= ones[self.b]
            weights = p[self.first]
            p *= share[part]
            weights *= p[self.second]
            self.sums += weights @ products.T

    def into(self, pairs: Array) -> None:
        """Write the sums to pairs[j, k]."""
        for a, b in ((self.a, self.b), (self.b, self.a)):
            pairs[self.first[:, None], self.second[:, None], a, b] = self.sums


def laplacian(pairs: Array, free: int) -> Array:
    """The matrix with blocks H_jk = -pairs[j, k] and H_jj = sum over k, for the last classes."""
    K, _, width, _ = pairs.shape
    pairs = pairs + pairs.transpose(1, 0, 2, 3)
    blocks = -pairs
    for j in range(K):
        blocks[j, j] = pairs[j].sum(axis=0)
    blocks = blocks[K - free :, K - free :]
    return blocks.transpose(0, 2, 1, 3).reshape(free * width, free * width)
