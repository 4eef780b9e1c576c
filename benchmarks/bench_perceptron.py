"""The perceptron: time to zero mistakes, time of a certificate, time of an import."""

from __future__ import annotations

import subprocess
import sys
import warnings
from functools import cache

import numpy as np
import sklearn
from sklearn.linear_model import Perceptron as Peer

from benchmarks._table import Measured, Row, best_of, side_by_side
from lectures_lib._core.validation import Array
from lectures_lib.perceptron import Perceptron, certificate

DRAWS = 5


def gaussian_points(seed: int, N: int, d: int, margin: float) -> tuple[Array, Array, Array]:
    """N standard Gaussian points at least `margin` from a random plane through 0, and its w."""
    rng = np.random.default_rng(seed)
    w = rng.normal(size=d)
    w /= np.linalg.norm(w)
    X = rng.normal(size=(N * 2, d))
    X = X[np.abs(X @ w) >= margin][:N]
    return X, (X @ w > 0).astype(int), w


@cache
def fewest_passes(seed: int, N: int, d: int, margin: float) -> tuple[int, bool]:
    """The smallest max_iter with which scikit-learn makes no mistake, and whether it shuffles."""
    X, y, _ = gaussian_points(seed, N, d, margin)
    for passes in range(1, 500):
        for shuffle in (False, True):
            model = Peer(max_iter=passes, tol=None, shuffle=shuffle, random_state=0)
            if model.fit(X, y).score(X, y) == 1:
                return passes, shuffle
    raise RuntimeError("scikit-learn's Perceptron did not get to zero mistakes in 500 passes")


def to_zero_mistakes() -> Measured:
    """Total time over several draws of the data."""
    N, d, margin = 100_000, 20, 0.05
    ours = theirs = 0.0
    told = []
    for seed in range(DRAWS):
        X, y, _ = gaussian_points(seed, N, d, margin)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn's, when it is cut short
            passes, shuffle = fewest_passes(seed, N, d, margin)
            peer = Peer(max_iter=passes, tol=None, shuffle=shuffle, random_state=0)
            model = Perceptron()
            mine, other = side_by_side(5, lambda: model.fit(X, y), lambda: peer.fit(X, y))  # noqa: B023
        if not (model.converged_ and model.score(X, y) == 1 and peer.score(X, y) == 1):
            raise AssertionError("a model still makes mistakes")
        ours, theirs = ours + mine, theirs + other
        told.append(f"{other / mine:.1f}")
    return Measured(
        ours,
        theirs,
        peer=f"scikit-learn {sklearn.__version__}",
        note=f"both at zero mistakes; seeds 0 to {DRAWS - 1}, one by one {', '.join(told)}",
    )


def exact_certificate() -> Measured:
    """Time of the certificate of one run."""
    X, y, w = gaussian_points(0, 10_000, 5, 0.01)
    model = Perceptron().fit(X, y)
    found = certificate(X, 2 * y - 1, np.r_[0.0, w], model.updates_)
    if not found.holds:
        raise AssertionError(found.verdict())
    time = best_of(3, lambda: certificate(X, 2 * y - 1, np.r_[0.0, w], model.updates_))
    note = f"{found.n_updates} updates, {found.n_decisions} decisions, all right; seed 0"
    return Measured(time, 2.0, note=note)


def import_time() -> Measured:
    """Time of a fresh interpreter that imports the module, against one that imports numpy."""

    def start(module: str) -> None:
        subprocess.run([sys.executable, "-c", f"import {module}"], check=True)

    ours, numpy = side_by_side(15, lambda: start("lectures_lib.perceptron"), lambda: start("numpy"))
    return Measured(ours, numpy, peer=f"numpy {np.__version__}", note="fresh interpreters")


ROWS = [
    Row("perceptron to zero mistakes, 100,000 x 20, |margin| >= 0.05", to_zero_mistakes, 1.0),
    Row("certificate of a run, 10,000 x 5, about 1,000 updates", exact_certificate, 1.0),
    Row("import lectures_lib.perceptron against import numpy", import_time, 1 / 1.2),
]
