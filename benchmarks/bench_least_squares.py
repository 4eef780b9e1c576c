"""The least squares classifier against numpy's lstsq."""

from __future__ import annotations

import tracemalloc

import numpy as np

from benchmarks._table import Measured, Row, side_by_side
from lectures_lib._core.validation import Array, Codes
from lectures_lib.least_squares import LeastSquaresClassifier


def gaussian_classes(N: int, d: int, K: int) -> tuple[Array, Codes]:
    """N points of K Gaussian classes with random means and unit covariance."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, K, size=N)
    return rng.normal(size=(N, d)) + rng.normal(size=(K, d))[y], y


def against_lstsq() -> Measured:
    """Fit of 100,000 x 50, five classes; lstsq gets its matrices ready made."""
    N, d, K = 100_000, 50, 5
    X, y = gaussian_classes(N, d, K)
    A, Y = np.c_[np.ones(N), X], np.eye(K)[y]
    model = LeastSquaresClassifier()
    ours, other = side_by_side(
        5, lambda: model.fit(X, y), lambda: np.linalg.lstsq(A, Y, rcond=None)
    )
    B = np.linalg.lstsq(A, Y, rcond=None)[0]
    difference = np.abs(np.c_[model.intercept_, model.coef_] - B.T).max()
    if difference > 1e-8:
        raise AssertionError(f"the coefficients differ by {difference:.1e}")
    note = f"largest difference of coefficients {difference:.0e}; Gaussian classes, seed 0"
    return Measured(ours, other, peer=f"numpy {np.__version__} lstsq", note=note)


def memory() -> Measured:
    """The most that a fit needs at a time beside the data, in copies of them."""
    X, y = gaussian_classes(100_000, 50, 5)
    tracemalloc.start()
    LeastSquaresClassifier().fit(X, y)
    peak = tracemalloc.get_traced_memory()[1] / X.nbytes
    tracemalloc.stop()
    return Measured(peak, 2.0, unit="X", note="tracemalloc")


ROWS = [
    Row("least squares classifier 100,000 x 50, 5 classes", against_lstsq, 1.5),
    Row("least squares classifier, memory beside the data", memory),
]
