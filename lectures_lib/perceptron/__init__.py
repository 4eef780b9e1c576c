"""The perceptron: learn from mistakes only.

With signs s = ±1 and a one in front of every example, x = (1, x1, ..., xd) and w = (w0, w1, ...),
the bias first, an example is right when its margin s w·x is positive. The perceptron visits the
examples one by one and changes the weights on a mistake only:

    s w·x <= 0   ->   w <- w + eta s x       which raises the margin of x by eta ||x||²

If a line separates the classes, the number of mistakes is at most R²/gamma² (`novikoff_bound`),
and `certificate` checks every line of that proof on a run, in exact arithmetic.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.estimator import (
    Classifier,
    ConvergenceWarning,
    LinearClassifier,
    check_X,
    check_X_y,
)
from lectures_lib._core.lesson import lesson
from lectures_lib._core.linear import check_weights_of, with_ones
from lectures_lib._core.validation import (
    Array,
    Labels,
    as_generator,
    check_choice,
    check_integer,
    check_matrix,
    check_number,
    check_signs,
)
from lectures_lib.perceptron._certificate import (
    Certificate,
    certificate,
    common_denominator,
    whole_products,
)

__all__ = ["Certificate", "KernelPerceptron", "Perceptron", "certificate", "novikoff_bound"]

BLOCK, LONGEST_BLOCK = 512, 4096  # examples whose margins are computed in one product


def novikoff_bound(X: ArrayLike, s: ArrayLike, w_star: ArrayLike) -> float:
    """Largest number of updates a perceptron can need from a zero start: R²/gamma².

    `w_star` is any (w0*, w*) that separates the classes. It is divided by its length in the
    augmented space, because gamma means nothing otherwise: gamma = min s_i w*·x_i,
    R² = max ||x_i||². With d entries there is no bias, and X is taken as it is.

    >>> round(novikoff_bound([[0], [2]], [-1, 1], [-1, 1]), 4)
    10.0
    """
    matrix = check_matrix(X)
    w = check_weights_of(matrix, w_star, "w_star", optional=True)
    rows = with_ones(matrix) if len(w) > matrix.shape[1] else matrix
    Z = rows * check_signs(s, len(matrix))[:, None]
    with np.errstate(over="ignore"):
        R2 = float((Z**2).sum(axis=1).max())
    if not np.isfinite(R2):
        raise ValueError(f"X: entries up to {np.abs(Z).max():.3g} overflow when squared.")
    w = np.ldexp(w, -np.frexp(np.abs(w).max())[1])  # exact, and no square overflows
    m = Z @ w
    # A margin that rounding may have turned round is computed once more, in whole numbers.
    rounding = len(w) * np.finfo(float).eps * (np.abs(Z) @ np.abs(w)) + np.finfo(float).tiny
    unsure = np.abs(m) <= rounding
    m[unsure] = whole_products(Z[unsure], common_denominator(w.tolist()))
    gamma = float(m.min()) / (float(np.linalg.norm(w)) or 1.0)
    if gamma <= 0:
        raise ValueError(
            f"w_star: does not separate the classes, found margin {gamma:.4g} at example "
            f"{int(m.argmin())}, expected every margin above 0."
        )
    return R2 / gamma / gamma


@dataclass(eq=False, repr=False)
class Perceptron(LinearClassifier):
    """Rosenblatt's perceptron for two classes, with g(x) = w·x + w0.

    eta0: the learning rate, which scales the weights and changes no decision.
    tie: what to do at g(x) = 0. "update" counts it as a mistake, so that every margin ends up
        positive; "positive" reads sign(0) as +1, in `fit` and in `predict`.
    max_iter: at most so many passes through the examples.
    shuffle, rng: visit the examples in a new random order in every pass.
    record: keep `path_`, the weights after every update (bias first), and with shuffle also
        `orders_`, the examples in the order of their visit in each pass.

    Differs from scikit-learn's Perceptron: stops after the first pass without a mistake, visits
    the examples in the given order unless asked to shuffle, and takes two classes only.

    Attributes: coef_ (1, d), intercept_ (1,), classes_, converged_, n_iter_ (passes, the clean
    one included), updates_ (index of the example of each update), mistakes_ (updates in each
    pass).

    >>> model = Perceptron().fit([[0, 0], [1, 0], [3, 3], [4, 3]], [0, 0, 1, 1])
    >>> model.predict([[0, 1], [4, 4]]), model.converged_, len(model.updates_)
    (array([0, 1]), True, 5)
    """

    _binary_only: ClassVar[bool] = True

    eta0: float = 1.0
    tie: str = "update"
    max_iter: int = 1000
    shuffle: bool = False
    rng: int | np.random.Generator = 0
    record: bool = False

    @np.errstate(over="ignore", invalid="ignore")
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Pass through the examples until one pass is free of mistakes."""
        eta, rng = check_number(self.eta0, "eta0", above=0), as_generator(self.rng)
        check_choice(self.tie, "tie", ("update", "positive"))
        check_integer(self.max_iter, "max_iter", at_least=1)
        X, codes = check_X_y(self, X, y)
        s = 2.0 * codes - 1
        N, d = X.shape
        w = np.zeros(d + 1)  # (w0, w1, ..., wd); X has no column of ones
        bias, weights = w[:1].reshape(()), w[1:]  # w0 and w, as views: they change w
        updates: list[int] = []  # the example of each update
        mistakes: list[int] = []  # in each pass
        path, orders = [w.copy()], []  # of the run, if asked for
        order, signs, block = np.arange(N), s, BLOCK
        visited = X if self.shuffle else np.ascontiguousarray(X)  # in the order of their visit
        for _ in range(self.max_iter):
            if self.shuffle:
                order = rng.permutation(N)
                del visited  # never two shuffled copies at a time
                visited, signs = X[order], s[order]
            if self.record:
                orders.append(order)
            n_before, i = len(updates), 0
            while i < N:
                # Nothing changes until the next mistake, so one product gives m = s g(x) for a
                # whole block: a call for each mistake and clean block, not for each example.
                rows = slice(i, i + block)
                m = visited[rows].dot(weights)
                m += bias
                m *= signs[rows]
                right = m > 0.0  # false for NaN: an overflow must never pass for success
                if self.tie == "positive":
                    right |= (m == 0) & (signs[rows] > 0)
                k = int(right.argmin())  # the first mistake, if there is one
                if right[k]:  # none in this block: go on with twice as many
                    i, block = i + block, min(2 * block, LONGEST_BLOCK)
                    continue
                # s g(x) <= 0: w <- w + eta s x, w0 <- w0 + eta s raise it by eta (||x||² + 1). From
                # w = 0 eta only scales the run: put in at the end, it rounds nothing on the way.
                i += k
                bias += signs[i]
                weights += signs[i] * visited[i]
                updates.append(int(order[i]))
                if self.record:
                    path.append(w.copy())
                i, block = i + 1, BLOCK
            mistakes.append(len(updates) - n_before)
            _refuse_overflow(X, w)
            if mistakes[-1] == 0:  # every example was right with these weights
                break
        self.coef_, self.intercept_ = eta * w[None, 1:], eta * w[:1]
        self.updates_, self.mistakes_ = np.array(updates, dtype=np.intp), np.array(mistakes)
        self.n_iter_, self.converged_ = len(mistakes), mistakes[-1] == 0
        if self.record:
            self.path_ = eta * np.array(path)
        if self.record and self.shuffle:
            self.orders_ = orders
        _warn_unless_converged(self, mistakes[-1], len(updates), "hyperplane")
        return self

    def predict(self, X: ArrayLike) -> Labels:
        """Label of every row of `X`; at g(x) = 0 as `tie` says."""
        g = self.decision_function(X)
        positive = g >= 0 if self.tie == "positive" else g > 0
        labels: Labels = self.classes_[positive.astype(np.intp)]
        return labels


@dataclass(eq=False, repr=False)
class KernelPerceptron(Classifier):
    """The perceptron in dual form: it counts mistakes per example and sees a Gram matrix only.

    With alpha_i = number of updates on example i, g(x) = sum_i alpha_i s_i k(x_i, x).

    kernel: "linear" for k(x, x') = 1 + x·x', the product of examples with a one in front, so that
        the run is the Perceptron's; "poly" for (1 + x·x')**degree.
    max_iter: at most so many passes through the examples.

    Attributes: alpha_ (N,), support_ (examples with alpha > 0), support_vectors_, dual_coef_
    (1, number of support vectors) = alpha s, classes_, converged_, n_iter_.

    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1]
    >>> model = KernelPerceptron(kernel="poly", degree=2).fit(X, y)
    >>> model.predict(X), model.converged_
    (array([0, 0, 1, 1]), True)
    """

    _binary_only: ClassVar[bool] = True

    kernel: str = "linear"
    degree: int = 2
    max_iter: int = 1000

    @np.errstate(over="ignore", invalid="ignore")
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Pass through the examples until one pass is free of mistakes."""
        check_choice(self.kernel, "kernel", ("linear", "poly"))
        check_integer(self.degree, "degree", at_least=1)
        check_integer(self.max_iter, "max_iter", at_least=1)
        X, codes = check_X_y(self, X, y)
        s = 2.0 * codes - 1
        alpha = np.zeros(len(X), dtype=np.intp)  # how often each example was added
        g = np.zeros(len(X))  # g_j = sum_i alpha_i s_i k(x_i, x_j), the scores with eta = 1
        mistakes: list[int] = []  # in each pass
        for _ in range(self.max_iter):
            j = 0
            while (wrong := ~(s[j:] * g[j:] > 0)).any():  # NaN too: an overflow is no success
                j += int(wrong.argmax())
                alpha[j] += 1
                # One more s_j k(x_j, x) in every score: s_j times a column of the Gram matrix.
                g += s[j] * self._gram(X, X[j : j + 1])[:, 0]
                j += 1
            mistakes.append(int(alpha.sum()) - sum(mistakes))
            _refuse_overflow(X, g)
            if mistakes[-1] == 0:  # every example is right with these counts
                break
        self.alpha_, self.n_iter_, self.converged_ = alpha, len(mistakes), mistakes[-1] == 0
        self.support_ = np.flatnonzero(alpha)
        self.support_vectors_ = X[self.support_]
        self.dual_coef_ = (alpha * s)[None, self.support_]
        _warn_unless_converged(self, mistakes[-1], sum(mistakes), "surface of this kernel")
        return self

    def _gram(self, A: Array, B: Array) -> Array:
        """k between every row of A and every row of B."""
        K: Array = (1 + A @ B.T) ** (1 if self.kernel == "linear" else self.degree)
        return K

    def decision_function(self, X: ArrayLike) -> Array:
        """g(x) = sum_i alpha_i s_i k(x_i, x) for every row of `X`."""
        X = check_X(self, X)
        block = max(1, 2**22 // len(self.support_))  # rows at a time, to bound the memory
        parts = [
            self._gram(X[i : i + block], self.support_vectors_) @ self.dual_coef_[0]
            for i in range(0, len(X), block)
        ]
        scores: Array = np.concatenate(parts)
        return scores


def _refuse_overflow(X: Array, sums: Array) -> None:
    """Raise unless weights or scores stayed far below the largest number."""
    if not np.abs(sums).max() < 1e150:
        raise ValueError(
            f"X: entries up to {np.abs(X).max():.3g} overflow when multiplied, expected "
            f"numbers below 1e150. Scale the features ({lesson('perceptron')})."
        )


def _warn_unless_converged(
    model: Perceptron | KernelPerceptron, in_the_last: int, in_all: int, surface: str
) -> None:
    if model.converged_:
        return
    warnings.warn(
        f"{type(model).__name__} stopped at max_iter={model.max_iter} passes, with "
        f"{in_the_last} mistakes in the last one and {in_all} in all. "
        f"Either no {surface} separates the classes, and then no number of passes "
        "helps, or the margin is so small against the length of the examples that "
        "the bound R²/gamma² is far away; then scaled features or more passes help "
        f"({lesson('perceptron_convergence')}).",
        ConvergenceWarning,
        stacklevel=4,
    )
