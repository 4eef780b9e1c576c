"""The most that a fit holds at a time beside the data, in copies of them."""

from __future__ import annotations

import tracemalloc
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks._table import Measured, Row
from lectures_lib.fisher import FisherDiscriminant
from lectures_lib.gaussian import (
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
    RegularizedDiscriminantAnalysis,
)
from lectures_lib.least_squares import LeastSquaresClassifier
from lectures_lib.logistic import LogisticRegression
from lectures_lib.margin import HardMarginSVM, SoftMarginSVM
from lectures_lib.perceptron import KernelPerceptron, Perceptron
from lectures_lib.softmax import SoftmaxRegression

COPIES = 2.0
MANY = (
    LinearDiscriminantAnalysis(),
    QuadraticDiscriminantAnalysis(),
    RegularizedDiscriminantAnalysis(),
    GaussianNB(),
    FisherDiscriminant(),
    LeastSquaresClassifier(),
    SoftmaxRegression(),
)
TWO = (LogisticRegression(), SoftMarginSVM())
SEPARABLE = (Perceptron(), Perceptron(shuffle=True), KernelPerceptron(), HardMarginSVM())

Data = tuple[NDArray[np.float64], NDArray[np.intp]]


def _overlapping(N: int, d: int, K: int) -> Data:
    """Standard normal features, and classes whose log-odds are linear in them."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((N, d))
    scores = X @ rng.standard_normal((d, K)) + rng.gumbel(size=(N, K))
    return X, scores.argmax(axis=1)


def _separable(N: int, d: int) -> Data:
    """Two classes with a gap of 1 between them."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((N, d))
    X[:, 0] += np.sign(X[:, 0]) / 2
    return X, (X[:, 0] > 0).astype(np.intp)


def _peak(model: Any, X: NDArray[np.float64], y: NDArray[np.intp]) -> float:
    """Copies of X; the first fit imports what NumPy loads late."""
    for size in (1000, len(X)):
        tracemalloc.start()
        model.fit(X[:size], y[:size])
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak / X.nbytes


def _copies(N: int, d: int) -> Iterator[Measured]:
    families = ((MANY, _overlapping(N, d, 5)), (TWO, _overlapping(N, d, 2)))
    for models, (X, y) in (*families, (SEPARABLE, _separable(N, d))):
        for model in models:
            for order, array in (("C", X), ("Fortran", np.asfortranarray(X))):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # a part of the rows may be separable
                    peak = _peak(model, array, y)
                yield Measured(peak, COPIES, unit="X", note=f"{model!r}, {order} order")


ROWS = [
    Row("memory beside the data, 20,000 x 10", partial(_copies, 20_000, 10)),
    Row("memory beside the data, 50,000 x 30", partial(_copies, 50_000, 30)),
]
