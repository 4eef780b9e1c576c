"""Codes for classes: words of 0s and 1s that stay apart when some bits are wrong.

Row k of a code is the word of class k, column m the m-th binary problem. Words at a distance of
at least d (Hamming: the number of differing bits) correct floor((d - 1) / 2) wrong bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.validation import Codes, as_generator, check_integer

Bits = NDArray[np.int8]


def check_code(code: ArrayLike, n_classes: int | None = None) -> Bits:
    """A code as an array of 0s and 1s: distinct words, no column with the same bit throughout."""
    words = np.asarray(code)
    if words.ndim != 2 or 0 in words.shape:
        raise ValueError(f"code: found shape {words.shape}, expected (classes, bits).")
    if not np.isin(words, (0, 1)).all():
        raise ValueError("code: expected 0s and 1s only.")
    if n_classes is not None and len(words) != n_classes:
        raise ValueError(f"code: found {len(words)} words, expected {n_classes}, one per class.")
    if len(np.unique(words, axis=0)) < len(words):
        raise ValueError("code: found two classes with the same word, expected distinct words.")
    if (words == words[0]).all(axis=0).any():
        raise ValueError("code: found a column with one bit only, which is no binary problem.")
    return words.astype(np.int8)


def exhaustive_code(n_classes: int) -> Bits:
    """All 2^(K-1) - 1 ways to cut K classes in two: word distance 2^(K-2) for every pair.

    The first word is all ones, as a cut and its complement are the same problem.

    >>> exhaustive_code(3)
    array([[1, 1, 1],
           [0, 0, 1],
           [0, 1, 0]], dtype=int8)
    """
    K = check_integer(n_classes, "n_classes", at_least=2)
    if K > 15:
        raise ValueError(
            f"n_classes: found {K}, expected at most 15: the code has {2 ** (K - 1) - 1} bits."
        )
    cuts = np.arange(2 ** (K - 1) - 1)  # the last number would be the column of all ones
    others = (cuts >> np.arange(K - 2, -1, -1)[:, None]) & 1
    return np.vstack([np.ones_like(cuts), others]).astype(np.int8)


def one_vs_rest_code(n_classes: int) -> Bits:
    """The identity: bit k says class k. Words differ in 2 bits, so no wrong bit is corrected.

    >>> one_vs_rest_code(3)
    array([[1, 0, 0],
           [0, 1, 0],
           [0, 0, 1]], dtype=int8)
    """
    return np.eye(check_integer(n_classes, "n_classes", at_least=2), dtype=np.int8)


def largest_possible_distance(n_classes: int, n_bits: int) -> int:
    """A bound on the minimum distance of K words with M bits (Plotkin).

    A column with a ones makes a (K - a) of the K (K - 1) / 2 pairs of words differ, at most
    floor(K^2 / 4). So the mean distance is at most M floor(K^2 / 4) / (K (K - 1) / 2).

    >>> largest_possible_distance(4, 7)
    4
    """
    return n_bits * (n_classes**2 // 4) // (n_classes * (n_classes - 1) // 2)


def random_code(
    n_classes: int,
    n_bits: int,
    rng: int | np.random.Generator,
    min_distance: int | None = None,
    tries: int = 200,
) -> Bits:
    """A random code whose words differ in at least `min_distance` bits, or an error.

    Without `min_distance`, the draw with the largest minimum distance out of `tries`. Columns
    are cuts of the classes into two parts, different from each other as long as there are enough.

    >>> random_code(4, 7, rng=0).shape
    (4, 7)
    """
    K = check_integer(n_classes, "n_classes", at_least=2)
    M = check_integer(n_bits, "n_bits", at_least=1)
    generator = as_generator(rng)
    bound = largest_possible_distance(K, M)
    wanted = (
        bound if min_distance is None else check_integer(min_distance, "min_distance", at_least=1)
    )
    if wanted > bound:
        raise ValueError(
            f"min_distance: found {wanted}, but {K} words of {M} bits cannot all differ in more "
            f"than {bound} bits."
        )
    best, best_distance = None, 0
    for _ in range(check_integer(tries, "tries", at_least=1)):
        code = _random_columns(K, M, generator)
        distance = minimum_distance(code)
        if distance > best_distance:
            best, best_distance = code, distance
        if best_distance >= max(wanted, 1):
            break
    if best is None or (min_distance is not None and best_distance < wanted):
        raise ValueError(
            f"random code: found a distance of {best_distance} at most in {tries} draws of {K} "
            f"words with {M} bits, expected {max(wanted, 1)}. Use more bits or more tries."
        )
    return best


def _random_columns(K: int, M: int, rng: np.random.Generator) -> Bits:
    """M random cuts of K classes, without repetition as long as there are enough of them."""
    if K <= 12:
        cuts = exhaustive_code(K)
        rounds = -(-M // cuts.shape[1])
        picked = np.concatenate([rng.permutation(cuts.shape[1]) for _ in range(rounds)])[:M]
        return cuts[:, picked] ^ rng.integers(0, 2, M, dtype=np.int8)
    # Among so many cuts a repetition is rare; only columns of one bit must not occur.
    code = rng.integers(0, 2, (K, M), dtype=np.int8)
    for m in np.flatnonzero((code == code[0]).all(axis=0)):
        code[rng.integers(K), m] ^= 1
    return code


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

    >>> minimum_distance(one_vs_rest_code(5))
    2
    """
    distances = hamming_distances(code, code)
    if len(distances) < 2:
        raise ValueError("code: found one word, expected at least two.")
    return int(distances[np.triu_indices(len(distances), 1)].min())


def correctable_errors(code: ArrayLike) -> int:
    """floor((d - 1) / 2) for the minimum distance d: so many wrong bits never change the class.

    >>> correctable_errors(exhaustive_code(4))
    1
    """
    return (minimum_distance(code) - 1) // 2


def decode(words: ArrayLike, code: ArrayLike) -> Codes:
    """The class whose word is nearest (Hamming) to each given word; the first of equally near.

    >>> decode([[1, 1, 0]], [[0, 0, 0], [1, 1, 1]])
    array([1])
    """
    nearest: Any = hamming_distances(words, code).argmin(axis=1)
    return np.asarray(nearest, dtype=np.intp)
