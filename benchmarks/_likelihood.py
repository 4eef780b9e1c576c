"""What the benchmarks of logistic and softmax regression share: data, peers, growth with N."""

from __future__ import annotations

import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression as Peer

from benchmarks._table import Measured, best_of, side_by_side

Array = NDArray[np.float64]
Codes = NDArray[np.intp]

SMALL = 1e-8  # largest entry of the mean gradient at which a fit counts
TOLERANCES = (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
SIZES = (10_000, 31_623, 100_000, 316_228, 1_000_000)


def draw(N: int, d: int, K: int, *, correlated: bool) -> tuple[Array, Codes]:
    """Features, independent or correlated, and classes whose log-odds are linear in them."""
    rng = np.random.default_rng(0)
    A = rng.standard_normal((d, d)) / np.sqrt(d) if correlated else np.eye(d)
    X = rng.standard_normal((N, d)) @ A.T + rng.standard_normal(d)
    scores = X @ (rng.standard_normal((d, K)) * 1.5 / np.sqrt(d))
    return X, (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)


def steepness(model: Any, X: Array, y: Codes) -> float:
    """Largest entry of the mean gradient, from the probabilities that the model gives."""
    errors = model.predict_proba(X)
    errors[np.arange(len(y)), y] -= 1
    return float(np.abs([*errors.mean(axis=0), *(errors.T @ X / len(y)).ravel()]).max())


def fastest_peer(X: Array, y: Codes) -> Peer:
    """scikit-learn's fastest solver, each with the largest tol that reaches the small gradient."""
    best, fastest = np.inf, None
    for solver in ("newton-cholesky", "lbfgs", "newton-cg"):
        for tol in TOLERANCES:
            model = Peer(C=np.inf, solver=solver, tol=tol, max_iter=1000)
            seconds = best_of(1, partial(model.fit, X, y))
            if seconds > 3 * best:
                break  # too slow, whether it is there or not
            if steepness(model, X, y) < SMALL:
                seconds = min(seconds, best_of(2, partial(model.fit, X, y)))
                if seconds < best:
                    best, fastest = seconds, model
                break
    if fastest is None:
        raise AssertionError(f"no solver of scikit-learn reached a mean gradient of {SMALL:g}")
    return fastest


def against_scikit_learn(ours: Any, d: int, K: int) -> Iterator[Measured]:
    """100,000 examples with independent and with correlated features."""
    for correlated in (False, True):
        yield _side_by_side(ours, *draw(100_000, d, K, correlated=correlated), correlated)


def _side_by_side(ours: Any, X: Array, y: Codes, correlated: bool) -> Measured:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = fastest_peer(X, y)
    ours.fit(X, y)
    reached = steepness(ours, X, y)
    apart = float(np.abs(ours.predict_proba(X) - peer.predict_proba(X)).max())
    if reached > SMALL or apart > 1e-5:
        raise AssertionError(f"mean gradient {reached:.1e}, probabilities differ by {apart:.1e}")
    mine, other = side_by_side(5, partial(ours.fit, X, y), partial(peer.fit, X, y))
    kind = "correlated" if correlated else "independent"
    return Measured(
        mine,
        other,
        peer=f"scikit-learn {peer.solver}",
        note=f"{kind} features; mean gradient {reached:.0e} and {steepness(peer, X, y):.0e}, "
        f"probabilities apart {apart:.0e}; scikit-learn {sklearn.__version__}, tol {peer.tol:g}; "
        "default_rng(0)",
    )


def growth(fit: Callable[[Array, Codes], object], d: int, K: int) -> Iterator[Measured]:
    """Slopes of time and of extra memory against N in logarithms, limit 1.1."""
    X, y = draw(SIZES[-1], d, K, correlated=True)
    works = [partial(fit, X[:N], y[:N]) for N in SIZES]
    seconds = [best_of(3, work) for work in works]
    told = ", ".join(f"{N:,}: {t:.3f} s" for N, t in zip(SIZES, seconds, strict=True))
    yield Measured(_slope(seconds), 1.1, unit="", note=f"slope of time; {told}")
    megabytes = [extra_memory(work) / 1e6 for work in works]
    told = ", ".join(f"{N:,}: {b:.1f} MB" for N, b in zip(SIZES, megabytes, strict=True))
    yield Measured(_slope(megabytes), 1.1, unit="", note=f"slope of extra memory; {told}")


def share_of_memory(fit: Callable[[Array, Codes], object], d: int, K: int) -> Iterator[Measured]:
    """Extra memory at a million examples as a multiple of the size of X, limit 1.5."""
    X, y = draw(SIZES[-1], d, K, correlated=True)
    for shift in (0.0, 1e8):
        X += shift
        multiple = extra_memory(partial(fit, X, y)) / X.nbytes
        yield Measured(multiple, 1.5, unit="X", note=f"tracemalloc; features shifted by {shift:g}")


def extra_memory(work: Callable[[], object]) -> int:
    """Largest number of bytes that the work held at one time."""
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def _slope(values: list[float]) -> float:
    return float(np.polyfit(np.log(SIZES), np.log(values), 1)[0])
