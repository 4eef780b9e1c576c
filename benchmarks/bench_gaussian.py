"""Gaussian classifiers against scikit-learn, and how LDA grows with the number of examples."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import sklearn
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis as TheirLDA
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as TheirQDA
from sklearn.naive_bayes import GaussianNB as TheirNB

from benchmarks._table import Measured, Row, best_of, side_by_side
from lectures_lib.datasets import load_spambase
from lectures_lib.gaussian import (
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)

AGREEMENT = 1e-8
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)


def _data(N: int, d: int = 50, K: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """K Gaussian classes in random order."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, K, N)
    return rng.standard_normal((N, d)) + rng.standard_normal((K, d))[y], y


LARGE = partial(_data, 100_000)


def _spambase() -> tuple[np.ndarray, np.ndarray]:
    spam = load_spambase()
    return spam.X, spam.y


def _against(ours: Any, peers: dict[str, Any], data: Callable[[], Any]) -> Measured:
    """Our fit beside the fastest of the peers; all must give the same log posteriors."""
    X, y = data()
    found = ours.fit(X, y).predict_log_proba(X[:1000])
    times = {}
    for name, peer in peers.items():
        difference = np.abs(peer.fit(X, y).predict_log_proba(X[:1000]) - found).max()
        if difference > AGREEMENT * max(1.0, np.abs(found).max()):
            raise AssertionError(f"{name}: log posteriors differ by {difference:.1e}")
        times[name] = best_of(2, partial(peer.fit, X, y))
    name = min(times, key=lambda name: times[name])
    fast, slow = side_by_side(5, lambda: ours.fit(X, y), lambda: peers[name].fit(X, y))
    others = ", ".join(f"{other} {seconds:.3f} s" for other, seconds in times.items())
    return Measured(
        fast,
        slow,
        peer=f"sklearn {name}",
        note=f"log posteriors differ by {difference:.0e}; {others}; "
        f"scikit-learn {sklearn.__version__}",
    )


def _lda(data: Callable[[], Any]) -> Measured:
    peers = {solver: TheirLDA(solver=solver) for solver in ("svd", "lsqr", "eigen")}
    return _against(LinearDiscriminantAnalysis(covariance="mle"), peers, data)


def _qda(solver: str) -> Measured:
    return _against(
        QuadraticDiscriminantAnalysis(covariance="mle"), {solver: TheirQDA(solver=solver)}, LARGE
    )


def _naive_bayes() -> Measured:
    return _against(GaussianNB(covariance="mle"), {"GaussianNB": TheirNB(var_smoothing=0)}, LARGE)


def _gram() -> Measured:
    """LDA's fit beside the product X'X alone."""
    X, y = _data(100_000)
    model = LinearDiscriminantAnalysis()
    fit, gram = side_by_side(5, lambda: model.fit(X, y), lambda: X.T @ X)
    return Measured(fit, 4 * gram, note="the limit is four times one X'X")


def _slope() -> Iterator[Measured]:
    """Slope of log time over log N, and memory beside X at the largest N.

    Processor time, because a busy machine interrupts the long runs and not the short ones.
    """
    seconds = []
    for N in SIZES:
        X, y = _data(N)
        times = []
        for _ in range(5):
            start = time.process_time()
            LinearDiscriminantAnalysis().fit(X, y)
            times.append(time.process_time() - start)
        seconds.append(min(times))
    slope = float(np.polyfit(np.log(SIZES), np.log(seconds), 1)[0])
    shown = ", ".join(f"{N:,}: {t:.4f} s" for N, t in zip(SIZES, seconds, strict=True))
    yield Measured(slope, 1.1, unit="", peer="slope", note=shown)
    tracemalloc.start()
    LinearDiscriminantAnalysis().fit(X, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    yield Measured(
        peak / X.nbytes, 1.5, unit="", peer="x size of X", note=f"fit, {len(X):,} x {X.shape[1]}"
    )


ROWS = [
    Row("LDA fit, 100,000 x 50, 5 classes", partial(_lda, LARGE), target=2.5),
    Row("LDA fit beside X'X, the same", _gram, target=1),
    Row("QDA fit, the same, default solver", partial(_qda, "svd"), target=2),
    Row("QDA fit, the same, fastest solver", partial(_qda, "eigen"), target=2.0),
    Row("Gaussian naive Bayes fit, the same", _naive_bayes, target=1.5),
    Row("LDA fit, Spambase, 4,601 x 57", partial(_lda, _spambase), target=1.5),
    Row("LDA fit, growth of time and memory to 1,000,000 x 50", _slope, target=1),
]
