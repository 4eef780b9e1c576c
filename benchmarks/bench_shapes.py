"""The fits on data shapes that tall dense data do not cover, each beside its peer in CPU time.

    python -m benchmarks.bench_shapes [FOLDER]

prints a table of its own: the library as it is, the peer, and with FOLDER (which holds another
version of `lectures_lib`) that version too, all measured in this one run, each in its own process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks._table import Measured, Row

Array = NDArray[np.float64]
Labels = NDArray[Any]
Data = tuple[Array, Labels]
Work = Callable[[Array, Labels], object]

ENOUGH = 1.0  # seconds of repetitions for the shortest time


def classes(N: int, d: int, K: int, *, apart: float = 1.0, order: str = "C") -> Data:
    """K Gaussian classes in random order."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, K, N)
    X = rng.standard_normal((N, d)) + apart * rng.standard_normal((K, d))[y]
    return (np.asfortranarray(X) if order == "F" else X), y


def half_plane(N: int, d: int, gap: float) -> Data:
    """Two classes on either side of a plane through 0, with a gap between them."""
    rng = np.random.default_rng(0)
    w = rng.standard_normal(d)
    w /= np.linalg.norm(w)
    X = rng.standard_normal((N, d))
    y = (X @ w > 0).astype(int)
    return X + gap * np.outer(2 * y - 1, w), y


def nearly_half_plane(N: int, d: int) -> Data:
    """The same with one pair of examples in a thousand on the other side."""
    X, y = half_plane(N, d, 0.5)
    y = y.copy()
    y[:: max(1, N // 1000)] ^= 1
    return X, y


def three_nearly_apart() -> Data:
    """Three classes, with one label in a thousand exchanged for another."""
    X, y = classes(100_000, 50, 3, apart=0.8)
    y = y.copy()
    y[::1000] = (y[::1000] + 1) % 3
    return X, y


def _fit(make: Callable[[], Any]) -> Work:
    def work(X: Array, y: Labels) -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return make().fit(X, y)

    return work


def _ours(module: str, name: str, **parameters: Any) -> Work:
    def make() -> Any:
        topic = __import__(f"lectures_lib.{module}", fromlist=[name])
        return getattr(topic, name)(**parameters)

    return _fit(make)


def _theirs(module: str, name: str, **parameters: Any) -> Work:
    def make() -> Any:
        topic = __import__(f"sklearn.{module}", fromlist=[name])
        return getattr(topic, name)(**parameters)

    return _fit(make)


def _lbfgs_and_verdict(**parameters: Any) -> Work:
    """scikit-learn's fit and, as that says nothing of it, whether a plane separates two classes."""

    def work(X: Array, y: Labels) -> object:
        from scipy.optimize import linprog

        LBFGS(**parameters)(X, y)
        A = np.where(y == 1, -1.0, 1.0)[:, None] * np.c_[np.ones(len(X)), X]
        return linprog(np.zeros(A.shape[1]), A, -np.ones(len(X)), bounds=(None, None))

    return work


def _perceptron_passes(shuffled: bool) -> Work:
    """scikit-learn's Perceptron until it makes no mistake, with the passes known beforehand."""
    passes: list[int] = []

    def work(X: Array, y: Labels) -> object:
        from sklearn.linear_model import Perceptron

        def run(n: int) -> Any:
            model = Perceptron(max_iter=n, tol=None, shuffle=shuffled, random_state=0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return model.fit(X, y)

        if not passes:
            passes.append(next(n for n in range(1, 5000) if run(n).score(X, y) == 1))
        return run(passes[0])

    return work


GAUSSIAN = partial(classes, 2_000_000, 10, 5, order="F")
OURS_LDA = _ours("gaussian", "LinearDiscriminantAnalysis", covariance="mle")
THEIR_LDA = _theirs("discriminant_analysis", "LinearDiscriminantAnalysis", solver="lsqr")
LBFGS = partial(_theirs, "linear_model", "LogisticRegression", max_iter=1000)
OUR_SOFTMAX, OUR_LOGISTIC = (
    _ours("softmax", "SoftmaxRegression"),
    _ours("logistic", "LogisticRegression"),
)
TIGHT = 1e-8

# name: (data, ours, peer, its name, target)
CASES: dict[str, tuple[Callable[[], Data], Work, Work, str, float]] = {
    "LDA 2e6 x 10, Fortran order": (GAUSSIAN, OURS_LDA, THEIR_LDA, "lsqr", 1.0),
    "QDA 2e6 x 10, Fortran order": (
        GAUSSIAN,
        _ours("gaussian", "QuadraticDiscriminantAnalysis", covariance="mle"),
        _theirs("discriminant_analysis", "QuadraticDiscriminantAnalysis"),
        "QDA",
        1.0,
    ),
    "GaussianNB 2e6 x 10, Fortran order": (
        GAUSSIAN,
        _ours("gaussian", "GaussianNB", covariance="mle"),
        _theirs("naive_bayes", "GaussianNB"),
        "GaussianNB",
        1.0,
    ),
    "Fisher 2e6 x 10, Fortran order": (
        GAUSSIAN,
        _ours("fisher", "FisherDiscriminant"),
        _theirs("discriminant_analysis", "LinearDiscriminantAnalysis", solver="eigen"),
        "LDA eigen",
        1.0,
    ),
    "least squares 500 x 4000": (
        partial(classes, 500, 4000, 2, apart=0.1),
        _ours("least_squares", "LeastSquaresClassifier"),
        _theirs("linear_model", "LinearRegression"),
        "LinearRegression",
        1.0,
    ),
    "soft SVM 1000 x 2000": (
        partial(classes, 1000, 2000, 2, apart=0.1),
        _ours("margin", "SoftMarginSVM"),
        _theirs("svm", "SVC", kernel="linear", tol=1e-6),
        "SVC, tol 1e-6",
        1.0,
    ),
    "logistic, separable, 1e5 x 20": (
        partial(half_plane, 100_000, 20, 0.1),
        OUR_LOGISTIC,
        LBFGS(C=np.inf, tol=1e-6),
        "lbfgs, tol 1e-6",
        1.0,
    ),
    "logistic, separable, 1e5 x 20, with the verdict": (
        partial(half_plane, 100_000, 20, 0.1),
        OUR_LOGISTIC,
        _lbfgs_and_verdict(C=np.inf, tol=1e-6),
        "lbfgs, then linprog",
        1.0,
    ),
    "logistic, nearly separable, 1e5 x 50": (
        partial(nearly_half_plane, 100_000, 50),
        OUR_LOGISTIC,
        LBFGS(C=np.inf, tol=TIGHT),
        "lbfgs, tol 1e-8",
        1.0,
    ),
    "softmax K = 3, separable, 1e5 x 20": (
        lambda: classes(100_000, 20, 3, apart=6.0),
        OUR_SOFTMAX,
        LBFGS(C=np.inf, tol=1e-6),
        "lbfgs, tol 1e-6",
        1.0,
    ),
    "softmax K = 3, nearly separable, 1e5 x 50": (
        three_nearly_apart,
        OUR_SOFTMAX,
        LBFGS(C=np.inf, tol=TIGHT),
        "lbfgs, tol 1e-8",
        1.0,
    ),
    "Standardizer 1e6 x 5": (
        partial(classes, 1_000_000, 5, 2),
        _ours("selection", "Standardizer"),
        _theirs("preprocessing", "StandardScaler"),
        "StandardScaler",
        1.0,
    ),
    "perceptron 5000 x 2, margin 1e-3, given order": (
        partial(half_plane, 5000, 2, 1e-3),
        _ours("perceptron", "Perceptron", max_iter=5000),
        _perceptron_passes(shuffled=False),
        "Perceptron",
        1.5,
    ),
    "perceptron 5000 x 2, margin 1e-3, shuffled": (
        partial(half_plane, 5000, 2, 1e-3),
        _ours("perceptron", "Perceptron", max_iter=5000, shuffle=True),
        _perceptron_passes(shuffled=True),
        "Perceptron",
        1.0,
    ),
}
MEMORY = {"least squares 500 x 4000": 3.0, "Standardizer 1e6 x 5": 1.5}
SIZES = {"LDA 2e6 x 10, Fortran order": (250_000, 500_000, 1_000_000, 2_000_000)}


def cpu(work: Work, X: Array, y: Labels) -> float:
    """Shortest CPU time of some repetitions; the first one pays for imports and caches."""
    work(X, y)
    best, spent = float("inf"), 0.0
    while spent < ENOUGH:
        start = time.process_time()
        work(X, y)
        seconds = time.process_time() - start
        best, spent = min(best, seconds), spent + max(seconds, 1e-3)
    return best


def figures_of(case: str, side: str) -> dict[str, float]:
    """What one side of one case takes: seconds, extra memory beside X, slope where it is asked."""
    data, ours, peer, _, _ = CASES[case]
    work = ours if side == "ours" else peer
    X, y = data()
    found = {"seconds": cpu(work, X, y)}
    if side == "ours":
        tracemalloc.start()
        work(X, y)
        found["memory"] = tracemalloc.get_traced_memory()[1] / X.nbytes
        tracemalloc.stop()
        if case in SIZES:
            times = [cpu(work, np.asfortranarray(X[:N]), y[:N]) for N in SIZES[case]]
            found["slope"] = float(np.polyfit(np.log(SIZES[case]), np.log(times), 1)[0])
    return found


def in_a_process(case: str, side: str, folder: str = "") -> dict[str, float]:
    """`figures_of` in a fresh process on one thread, with `lectures_lib` from another folder."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    code = (
        f"import sys; sys.path.insert(0, {str(Path.cwd())!r}); "
        "from benchmarks.bench_shapes import *; "  # ours, also beside another library
        f"sys.path.insert(0, {(folder or str(Path.cwd()))!r}); "
        f"print(json.dumps(figures_of({case!r}, {side!r})))"
    )
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True)
    if ran.returncode:
        raise RuntimeError(ran.stderr.strip().splitlines()[-1])
    answer: dict[str, float] = json.loads(ran.stdout.splitlines()[-1])
    return answer


def measured(case: str) -> Iterator[Measured]:
    """The lines of one case in the table of all benchmarks."""
    ours, theirs = in_a_process(case, "ours"), in_a_process(case, "peer")
    yield Measured(ours["seconds"], theirs["seconds"], peer=CASES[case][3], note="CPU, one thread")
    if case in MEMORY:
        limit = MEMORY[case] * CASES[case][4]
        yield Measured(ours["memory"], limit, unit="X", note="extra memory beside X")
    if "slope" in ours:
        yield Measured(ours["slope"], 1.05, unit="", note=f"slope in N, {SIZES[case]}")


# name: (data of one size, the sizes, ours, peer, the largest slope that the mathematics allows)
GROWTH: dict[str, tuple[Callable[[int], Data], tuple[int, ...], Work, Work, float]] = {
    "LDA 50,000 x d, growth in d": (
        lambda d: classes(50_000, d, 5),
        (25, 50, 100, 200),
        OURS_LDA,
        THEIR_LDA,
        2.0,
    ),
    "logistic 50,000 x d, growth in d": (
        lambda d: classes(50_000, d, 2, apart=0.3 / d**0.5),
        (25, 50, 100, 200),
        OUR_LOGISTIC,
        LBFGS(C=np.inf, tol=TIGHT),
        2.0,
    ),
}


def growth(case: str) -> Measured:
    """The slope of log time over log size, with that of the peer in the note."""
    data, sizes, ours, peer, limit = GROWTH[case]
    slopes = []
    for work in (ours, peer):
        times = [cpu(work, *data(size)) for size in sizes]
        slopes.append(float(np.polyfit(np.log(sizes), np.log(times), 1)[0]))
    note = f"sizes {sizes}; slope of the peer {slopes[1]:.2f}"
    return Measured(slopes[0], limit, unit="", peer="slope", note=note)


ROWS = [Row(case, partial(measured, case), found[4]) for case, found in CASES.items()]
ROWS += [Row(case, partial(growth, case)) for case in GROWTH]


def main(arguments: list[str]) -> None:
    """The table with another version beside this one."""
    folder = arguments[0] if arguments else ""
    wanted = [case for case in CASES if all(word in case for word in arguments[1:])]
    print(f"{'case':50} {'before':>9} {'now':>9} {'peer':>9}  peer/before peer/now  goal")
    for case in wanted:
        before = in_a_process(case, "ours", folder) if folder else {}
        now, peer = in_a_process(case, "ours"), in_a_process(case, "peer")
        rest = {k: (round(before.get(k, np.nan), 2), round(v, 2)) for k, v in now.items()}
        rest.pop("seconds")
        first = before.get("seconds", np.nan)
        print(
            f"{case:50} {first:9.4f} {now['seconds']:9.4f} {peer['seconds']:9.4f}  "
            f"{peer['seconds'] / first:11.3f} {peer['seconds'] / now['seconds']:8.3f} "
            f"{CASES[case][4]:5.1f}  {CASES[case][3]}; {rest}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
