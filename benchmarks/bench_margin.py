"""Soft-margin support vector machine against libsvm and liblinear."""

from __future__ import annotations

import warnings

import numpy as np
import sklearn
from sklearn.svm import SVC, LinearSVC

from benchmarks._table import Measured, Row, best_of, side_by_side
from lectures_lib.datasets import load_spambase
from lectures_lib.margin import SoftMarginSVM, soft_margin_objective

AGREEMENT = 1e-6
FIRST_TOLERANCE = 1e-2


def _data(N: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Standard normal features; the label is the side of a random plane, blurred by noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((N, d))
    score = X @ rng.standard_normal(d) / np.sqrt(d) + 0.3
    return X, (score + 0.5 * rng.standard_normal(N) > 0).astype(int)


def _messages() -> tuple[np.ndarray, np.ndarray]:
    """The e-mails of Spambase, each feature in standard deviations."""
    data = load_spambase()
    return (data.X - data.X.mean(axis=0)) / data.X.std(axis=0), data.y


def _libsvm(X: np.ndarray, y: np.ndarray, C: float) -> Measured:
    """libsvm with the largest tolerance whose objective is within AGREEMENT of the optimum."""
    s = 2.0 * y - 1.0
    ours = SoftMarginSVM(C=C).fit(X, y)

    def excess(w: np.ndarray, w0: float) -> float:
        objective = soft_margin_objective(X, s, np.r_[w0, w], C)
        if objective < ours.objective_ * (1 - 1e-9):
            raise AssertionError("the peer found a better objective")
        return objective / ours.objective_ - 1

    tol = FIRST_TOLERANCE
    while True:
        theirs = SVC(kernel="linear", C=C, tol=tol, cache_size=1000).fit(X, y)
        distance = excess(theirs.coef_[0], theirs.intercept_[0])
        if distance <= AGREEMENT:
            break
        tol /= 10
        if tol < 1e-9:
            raise AssertionError(f"libsvm did not come within {AGREEMENT:g} of our objective")
    fast, slow = side_by_side(
        5,
        lambda: SoftMarginSVM(C=C).fit(X, y),
        lambda: SVC(kernel="linear", C=C, tol=tol, cache_size=1000).fit(X, y),
    )
    # liblinear penalises the bias; a large intercept_scaling makes that small.
    linear = LinearSVC(C=C, loss="hinge", intercept_scaling=10, tol=1e-4, max_iter=2000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seconds = best_of(1, lambda: linear.fit(X, y))
    return Measured(
        fast,
        slow,
        peer="libsvm",
        note=f"objective: libsvm {distance:.1e} above ours (tol={tol:g}), our relative gap "
        f"{abs(ours.duality_gap_ / ours.objective_):.0e}; liblinear {seconds:.2f} s and "
        f"{excess(linear.coef_[0], linear.intercept_[0]):.0e} above; normal X, noisy plane, "
        f"seed 0; scikit-learn {sklearn.__version__}",
    )


ROWS = [
    Row("soft-margin SVM, 20,000 x 10, C = 1", lambda: _libsvm(*_data(20_000, 10), 1.0), target=10),
    Row(
        "soft-margin SVM, 20,000 x 50, C = 0.1", lambda: _libsvm(*_data(20_000, 50), 0.1), target=4
    ),
    Row("soft-margin SVM, Spambase, C = 1", lambda: _libsvm(*_messages(), 1.0), target=3),
]
