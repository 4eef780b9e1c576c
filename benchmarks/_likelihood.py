"""What the benchmarks of logistic and softmax regression share: data, peers, memory."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression as Peer

from benchmarks._table import Measured, side_by_side

Array = NDArray[np.float64]
Codes = NDArray[np.intp]

SMALL = 1e-8  # largest entry of the mean gradient at which our fit counts


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


def against(ours: Any, peer: Peer, X: Array, y: Codes, *, apart: float, often: int = 1) -> Measured:
    """The two fits in turns; probabilities may be that far apart. `often`: fits in one measure."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours.fit(X, y)
        gap = float(np.abs(ours.predict_proba(X) - peer.fit(X, y).predict_proba(X)).max())
        if gap > apart:
            raise AssertionError(f"probabilities differ by {gap:.1e}")
        mine, other = side_by_side(5, *(partial(_fits, m, X, y, often) for m in (ours, peer)))
    return Measured(
        mine / often,
        other / often,
        peer=f"scikit-learn {peer.solver}",
        note=f"probabilities apart {gap:.0e}; scikit-learn {sklearn.__version__}, tol {peer.tol:g}",
    )


def _fits(model: Any, X: Array, y: Codes, often: int) -> None:
    for _ in range(often):
        model.fit(X, y)


def large(ours: Any, solver: str, tol: float, K: int) -> Iterator[Measured]:
    """100,000 examples with 50 features, independent, and correlated if the peer gets there."""
    for correlated in (False, True)[: 1 if solver == "lbfgs" else 2]:
        X, y = draw(100_000, 50, K, correlated=correlated)
        peer = Peer(C=np.inf, solver=solver, tol=tol, max_iter=1000)
        yield against(ours, peer, X, y, apart=1e-4)
        reached = steepness(ours, X, y)
        if reached > SMALL:
            raise AssertionError(f"our mean gradient is {reached:.1e}, above {SMALL:g}")


def small(ours: Any, K: int) -> Iterator[Measured]:
    """500 examples with two features, the size of the notebooks' pictures."""
    X, y = draw(500, 2, K, correlated=True)
    for solver in ("newton-cholesky", "lbfgs"):
        yield against(ours, Peer(C=np.inf, solver=solver), X, y, apart=0.05, often=20)
