"""Codes for classes: words of 0s and 1s that stay apart when some bits are wrong.

Row k of a code is the word of class k, column m the m-th binary problem. Words at a distance of
at least d (Hamming: the number of differing bits) correct floor((d - 1) / 2) wrong bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Bits = NDArray[np.int8]

DRAWS = 200


def hamming_distances(words: ArrayLike, code: ArrayLike) -> NDArray[np.intp]:
    """(N, K) table: in how many bits each of N words differs from each of the K code words.

    >>> hamming_distances([[1, 1, 0]], [[0, 0, 0], [1, 1, 1]])
    array([[2, 1]])
    """
    a, b = np.asarray(words), np.asarray(code)
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[1]:
        raise ValueError(
            f"words and code: found shapes {a.shape} and {b.shape}, expected as many bits."
        )
    for name, bits in (("words", a), ("code", b)):
        strange = bits[~np.isin(bits, (0, 1))]
        if len(strange):
            raise ValueError(f"{name}: found {strange[0]}, expected the bits 0 and 1 only.")
    ones_a, ones_b = a.astype(np.intp), b.astype(np.intp)
    return np.asarray(ones_a @ (1 - ones_b).T + (1 - ones_a) @ ones_b.T)


def minimum_distance(code: ArrayLike) -> int:
    """The smallest Hamming distance between two words of the code.

    >>> minimum_distance([[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    2
    """
    distances = hamming_distances(code, code)
    if len(distances) < 2:
        raise ValueError("code: found one word, expected at least two.")
    return int(distances[np.triu_indices(len(distances), 1)].min())


def random_code(K: int, M: int, rng: np.random.Generator) -> Bits:
    """K words of M bits: of many draws the first one whose words are farthest apart."""
    draws = [_random_columns(K, M, rng) for _ in range(DRAWS)]
    best = max(draws, key=minimum_distance)
    if minimum_distance(best) == 0:
        raise ValueError(
            f"code_size: found {M} bits for {K} classes, and in {DRAWS} draws never {K} different "
            "words; expected more bits for each class."
        )
    return best


def _random_columns(K: int, M: int, rng: np.random.Generator) -> Bits:
    """M random cuts of K classes in two, without repetition as long as there are enough of them."""
    if K <= 12:
        numbers = np.arange(2 ** (K - 1) - 1)  # a cut and its complement are the same problem
        others = (numbers >> np.arange(K - 2, -1, -1)[:, None]) & 1
        cuts = np.vstack([np.ones_like(numbers), others]).astype(np.int8)
        rounds = -(-M // cuts.shape[1])
        picked = np.concatenate([rng.permutation(cuts.shape[1]) for _ in range(rounds)])[:M]
        return cuts[:, picked] ^ rng.integers(0, 2, M, dtype=np.int8)
    # Among so many cuts a repetition is rare; only columns of one bit must not occur.
    code = rng.integers(0, 2, (K, M), dtype=np.int8)
    for m in np.flatnonzero((code == code[0]).all(axis=0)):
        code[rng.integers(K), m] ^= 1
    return code
