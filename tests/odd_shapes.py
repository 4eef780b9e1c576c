"""Data of the shapes that nobody tries, as they are given and as plain numbers near 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

FINEST = 2.0**-10  # all plain numbers are multiples of it, so that shifts and units are exact
FAR = 2.0**27  # about 1e8
UNITS = (2.0**-20, 1.0, 1.0, 2.0**20)  # about 1e-6 and 1e6
KINDS = (
    *("tall", "wide", "one feature", "many classes", "tiny class", "one in 10,000", "odd labels"),
    *("equal rows", "equal columns", "constant column", "collinear columns"),
    *("offset 1e8", "scale 1e-6", "scale 1e6", "separable", "nearly separable"),
    *("float32", "Fortran order", "DataFrame", "backwards in memory"),
)


@dataclass(frozen=True)
class Odd:
    """One data set: `X` is `plain * unit + offset` in one of several forms."""

    X: Any
    y: np.ndarray
    plain: np.ndarray
    codes: np.ndarray  # 0..K-1 in the order of the sorted labels
    unit: float
    kinds: frozenset[str]
    seed: int

    @property
    def signs(self) -> np.ndarray:
        return 2.0 * self.codes - 1

    @property
    def inside(self) -> np.ndarray:
        """Coordinates in which nothing is redundant: the span of the standardised features."""
        Z = standardised(self.plain)
        _, sizes, axes = np.linalg.svd(Z, full_matrices=False)
        return Z @ axes[sizes > 1e-9 * sizes[0]].T


def standardised(plain: np.ndarray) -> np.ndarray:
    spread = plain.std(axis=0)
    return (plain - plain.mean(axis=0)) / np.where(spread > 0, spread, 1)


def draw(seed: int, classes: tuple[int, ...] = (2, 3, 7, 20), *, largest: int = 600) -> Odd:
    """A data set of a random shape; the same for the same seed."""
    rng = np.random.default_rng(seed)
    d = int(rng.choice([1, 2, 5, 12, 80]))
    rare = 2 in classes and d < 12 and rng.random() < 0.1
    K = 2 if rare else int(rng.choice(classes))
    N = 10_001 if rare else int(rng.choice([20, 40] if d == 80 else [40, 150, largest])) + 4 * K
    codes = _codes(rng, N, K, rare=rare)
    plain = rng.standard_normal((len(codes), d)) + rng.standard_normal((K, d))[codes]
    apart = rng.choice(["not", "apart", "nearly"])
    if apart != "not":
        plain[:, 0] += 10 * codes
    if apart == "nearly":
        i, j = np.flatnonzero(codes == 0)[0], np.flatnonzero(codes == 1)[0]
        codes[[i, j]] = codes[[j, i]]
    plain, codes = _redundant(rng, np.round(plain / FINEST) * FINEST, codes)
    unit = float(rng.choice(UNITS))
    offset = FAR if unit == 1 and rng.random() < 0.5 else 0.0
    form, X = _form(rng, plain * unit + offset, exact_in_32_bits=offset == 0)
    labels, odd = _labels(rng, K)
    kinds = _kinds_of(plain, codes, K) | {form} | ({"odd labels"} if odd else set())
    kinds |= {name for name, u in (("scale 1e-6", 2.0**-20), ("scale 1e6", 2.0**20)) if unit == u}
    kinds |= {"offset 1e8"} if offset else set()
    return Odd(X, labels[codes], plain, codes, unit, frozenset(kinds & set(KINDS)), seed)


def _codes(rng: np.random.Generator, N: int, K: int, *, rare: bool) -> np.ndarray:
    """Every class at least once; often a few of them hardly more."""
    if rare:
        return np.r_[np.zeros(N - 1, dtype=int), 1]
    least = int(rng.integers(1, 5))
    few = np.repeat(np.arange(K), least)
    shares = rng.dirichlet(np.ones(K)) if rng.random() < 0.5 else np.full(K, 1 / K)
    return rng.permutation(np.r_[few, rng.choice(K, N - len(few), p=shares)])


def _redundant(
    rng: np.random.Generator, plain: np.ndarray, codes: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    d, what = plain.shape[1], rng.choice(["none", "rows", "columns"])
    if what == "rows":
        again = np.arange(len(plain) // 2)
        return np.r_[plain, plain[again]], np.r_[codes, codes[again]]
    if what == "columns" and d > 2:
        plain[:, -1] = (
            plain[:, 0],
            2 * plain[:, 0] - plain[:, 1],
            np.full(len(plain), 3.0),
        )[rng.integers(3)]
    return plain, codes


def _form(rng: np.random.Generator, given: np.ndarray, *, exact_in_32_bits: bool) -> Any:
    forms = {
        "plain": np.asarray,
        "Fortran order": np.asfortranarray,
        "DataFrame": lambda A: pd.DataFrame(A, columns=[f"c{j}" for j in range(A.shape[1])]),
        "backwards in memory": lambda A: np.ascontiguousarray(A[::-1])[::-1],
    }
    if exact_in_32_bits:
        forms["float32"] = lambda A: A.astype(np.float32)
    name = str(rng.choice(list(forms)))
    return name, forms[name](given)


def _labels(rng: np.random.Generator, K: int) -> tuple[np.ndarray, bool]:
    """Sorted labels, and whether they are other than 0..K-1."""
    kinds = [
        np.arange(K),
        np.array([f"class {k:02d}" for k in range(K)]),
        np.array([f"class {k:02d}" for k in range(K)], dtype=object),
        np.arange(K) * 7 - 3,
        np.arange(K) + 2.0**40,
        np.arange(K, dtype=np.uint64) + np.uint64(2**63),
    ]
    which = int(rng.integers(len(kinds) + 1))
    if which == len(kinds):
        return (np.array([False, True]), True) if K == 2 else (kinds[0], False)
    return kinds[which], which > 0


def _kinds_of(plain: np.ndarray, codes: np.ndarray, K: int) -> set[str]:
    """What can be seen in the data themselves."""
    N, d = plain.shape
    counts = np.bincount(codes)
    first = [plain[codes == k, 0] for k in range(2)]
    gap = K == 2 and first[0].max() < first[1].min()
    # One pair of labels has changed sides: without one example of each class there is a gap.
    inner = [np.sort(values) for values in first]
    almost = K == 2 and not gap and min(counts) > 1 and inner[0][-2] < inner[1][1]
    equal_columns = any((plain[:, j] == plain[:, 0]).all() for j in range(1, d))
    return {
        name
        for name, true in {
            "tall": 10 * d <= N,
            "wide": d > N,
            "one feature": d == 1,
            "many classes": K >= 7,
            "tiny class": counts.min() < 4,
            "one in 10,000": counts.min() * 10_000 <= N,
            "equal rows": len(np.unique(plain, axis=0)) < N,
            "equal columns": equal_columns,
            "constant column": (plain == plain[0]).all(axis=0).any(),
            "collinear columns": d > 2 and (plain[:, -1] == 2 * plain[:, 0] - plain[:, 1]).all(),
            "separable": gap,
            "nearly separable": almost,
        }.items()
        if true
    }
