"""The perceptron: learn from mistakes only.

With signs s = ±1 and a one in front of every example, x = (1, x1, ..., xd) and w = (w0, w1, ...),
the bias first in every function below, an example is right when its margin s w·x is positive. The
perceptron visits the examples one by one and changes the weights on a mistake only:

    s w·x <= 0   ->   w <- w + eta s x       which raises the margin of x by eta ||x||²

If a line separates the classes, the number of mistakes is at most R²/gamma² (`novikoff_bound`),
and `certificate` checks every line of that proof on a run, in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.estimator import (
    Array,
    Codes,
    LinearClassifier,
    as_float,
    check_choice,
    check_fitted,
    check_integer,
    check_labels,
    check_matrix,
    check_number,
    check_sample_weight,
    check_signs,
    check_vector,
    check_X,
    check_X_y,
    class_weighted,
)
from lectures_lib._core.lesson import lesson
from lectures_lib._core.linear import check_weights_of, with_ones
from lectures_lib.discriminants import margins
from lectures_lib.perceptron._certificate import Certificate, Number, certificate
from lectures_lib.perceptron._run import MistakeDriven, Run

__all__ = [
    "Certificate",
    "KernelPerceptron",
    "Perceptron",
    "certificate",
    "margins",
    "novikoff_bound",
    "perceptron_loss",
    "perceptron_subgradient",
]


def perceptron_loss(X: ArrayLike, s: ArrayLike, w: ArrayLike) -> float:
    """Mean of max(-m_i, 0) over the margins m_i: wrong examples pay for their distance.

    >>> perceptron_loss([[0], [2]], [-1, 1], [1, 0])
    0.5
    """
    return float(np.maximum(-margins(X, s, w), 0).mean())


def perceptron_subgradient(
    X: ArrayLike, s: ArrayLike, w: ArrayLike, *, at_kink: float = 1.0
) -> Array:
    """A subgradient of `perceptron_loss`, the bias first if there is one.

    Example i contributes -s_i x_i where its margin is negative and 0 where it is positive. At
    margin 0 the loss has a kink and every share of -s_i x_i between 0 and 1 is a subgradient:
    `at_kink` is that share. One example, share 1 and step eta: the perceptron's update.

    >>> perceptron_subgradient([[1], [2]], [-1, 1], [1, 0])
    array([0.5, 0.5])
    """
    share = check_number(at_kink, "at_kink", at_least=0, at_most=1)
    m = margins(X, s, w)
    pulls = np.where(m < 0, 1.0, np.where(m == 0, share, 0.0))
    gradient: Array = -(pulls @ _signed_rows(X, s, w, "w")[0]) / len(m)
    return gradient


def novikoff_bound(
    X: ArrayLike,
    s: ArrayLike,
    w_star: ArrayLike,
    *,
    start: ArrayLike | None = None,
    eta: float = 1.0,
) -> float:
    """Largest number of updates a perceptron can need: R²/gamma² from a zero start.

    `w_star` is any (w0*, w*) that separates the classes. It is divided by its length in the
    augmented space first, because gamma means nothing otherwise: gamma = min s_i w*·x_i,
    R² = max ||x_i||². With d entries there is no bias, and X is taken as it is.

    From w(0) = `start` (bias first) with a = w*·w(0) and b = ||w(0)||², t updates give
    a + t eta gamma <= ||w(t)|| <= sqrt(b + t eta² R²). The bound is the t where both sides meet.

    >>> round(novikoff_bound([[0], [2]], [-1, 1], [-1, 1]), 4)
    10.0
    """
    Z, w = _signed_rows(X, s, w_star, "w_star")
    with np.errstate(over="ignore"):
        R2 = float((Z**2).sum(axis=1).max())
    if not np.isfinite(R2):
        raise ValueError(f"X: entries up to {np.abs(Z).max():.3g} overflow when squared.")
    w = np.ldexp(w, -np.frexp(np.abs(w).max())[1])  # exact, and no square overflows
    length = np.linalg.norm(w) or 1.0
    m = _sure_margins(Z, w) / length
    w, gamma = w / length, float(m.min())
    if gamma <= 0:
        raise ValueError(
            f"w_star: does not separate the classes, found margin {gamma:.4g} at example "
            f"{int(m.argmin())}, expected every margin above 0."
        )
    if start is None:
        return R2 / gamma / gamma
    eta = check_number(eta, "eta", above=0)
    first = check_vector(start, "start", length=len(w))
    a, b = float(w @ first), float(first @ first)
    middle = eta * R2 - 2 * a * gamma
    root = np.sqrt(middle**2 + 4 * gamma**2 * max(b - a**2, 0.0))
    return float((middle + root) / (2 * eta * gamma**2))


@dataclass(eq=False, repr=False)
class Perceptron(MistakeDriven, LinearClassifier):
    """Rosenblatt's perceptron for two classes, with g(x) = w·x + w0.

    eta0: the learning rate. The run is made in units of eta0, so that from a zero start it only
        scales the weights, and rounding cannot depend on it.
    tie: what to do at g(x) = 0. "update" counts it as a mistake, so that every margin ends up
        positive; "positive" reads sign(0) as +1, in `fit` and in `predict`.
    max_iter: at most so many passes through the examples.
    shuffle, rng: visit the examples in a new random order in every pass.
    revisit: between two passes through all examples, go through those that were mistakes before
        until they are right (at most 100 times). The bound does not ask in which order mistakes
        are met, and the work then follows the mistakes, not the examples.
    class_weight: a factor for the steps of each class, "balanced" or a dictionary by label.
    w_start: weights to start from, the bias first; zero if None.
    record: keep `path_`, the weights after every update (bias first), and with shuffle or revisit
        `orders_`, the examples visited in each pass.

    Differs from scikit-learn's Perceptron: stops after the first pass without a mistake, visits
    the examples in the given order unless asked to shuffle, and takes two classes only.

    Attributes: coef_ (1, d), intercept_ (1,), classes_, converged_, n_iter_ (passes, the clean
    one included), updates_ (index of the example of each update), mistakes_ (updates in each
    pass).

    >>> model = Perceptron().fit([[0, 0], [1, 0], [3, 3], [4, 3]], [0, 0, 1, 1])
    >>> model.predict([[0, 1], [4, 4]]), model.converged_, len(model.updates_)
    (array([0, 1]), True, 5)
    """

    eta0: float = 1.0
    tie: str = "update"
    max_iter: int = 1000
    fit_intercept: bool = True
    shuffle: bool = False
    revisit: bool = False
    rng: int | np.random.Generator = 0
    class_weight: Any = None
    w_start: ArrayLike | None = None
    record: bool = False

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Pass through the examples until one pass is free of mistakes.

        A weight multiplies the step that an example causes; weight 0 leaves the example out.
        """
        eta = check_number(self.eta0, "eta0", above=0)
        X, codes = check_X_y(self, X, y)
        s = _signs(codes)
        steps = None if sample_weight is None else check_sample_weight(sample_weight, codes)
        steps = class_weighted(self, self.class_weight, codes, steps)
        self._weighted = steps is not None
        w = np.zeros(X.shape[1] + 1)  # the bias first, in units of eta
        if self.w_start is not None:
            start = check_vector(self.w_start, "w_start", length=len(w) - (not self.fit_intercept))
            w[-len(start) :] = start / eta

        run = self._start(len(X))
        path = [w.copy()] if self.record else None
        with np.errstate(over="ignore", invalid="ignore"):
            self._learn(run, np.ascontiguousarray(X), s, w, path, steps)
        w *= eta
        self.coef_, self.intercept_ = w[None, 1:], w[:1]
        if path is not None:
            self.path_ = np.array(path) * eta
        self._end(run, "hyperplane")
        return self

    def _learn(
        self,
        run: Run,
        X: Array,
        s: Array,
        w: Array,
        path: list[Array] | None,
        steps: Array | None,
    ) -> None:
        """Change `w` in place until a pass has no mistake.

        The next mistake is looked for in whole blocks of examples, so that the work follows the
        mistakes. Blocks are about as long as the way from one mistake to the next.
        """
        strict, learn_bias, updates = self.tie == "update", self.fit_intercept, run.updates
        bias, weights = w[:1].reshape(()), w[1:]  # views: they change w
        rows, signs, last_order, block = X, s, None, 64
        for order in run.passes():
            if order is not last_order:
                rows, signs = (X, s) if order is None else (X[order], s[order])
                last_order = order
            N, at = len(rows), 0
            while at < N:
                end = at + block
                margins = rows[at:end].dot(weights)
                margins += bias
                margins *= signs[at:end]
                right = margins > 0.0 if strict else self._right(margins, signs[at:end])
                if steps is not None:
                    visited = slice(at, end) if order is None else order[at:end]
                    right |= steps[visited] == 0
                k = int(right.argmin())  # the first mistake, if there is one
                if right[k]:
                    at = end
                    block = min(2 * block, 2048)
                    continue
                at += k
                example = at if order is None else int(order[at])
                step = signs[at] if steps is None else signs[at] * steps[example]
                weights += step * rows[at]
                if learn_bias:
                    w[0] += step
                updates.append(example)
                if path is not None:
                    path.append(w.copy())
                at += 1
                block = (block + k) // 2 + 32
            if not np.abs(w).max() < 1e150:
                raise ValueError(
                    f"X: entries up to {np.abs(X).max():.3g} overflow when multiplied, expected "
                    f"numbers below 1e150. Scale the features ({lesson('perceptron')})."
                )

    def certificate(
        self, X: ArrayLike, y: ArrayLike, w_star: Sequence[Number] | Array
    ) -> Certificate:
        """The convergence proof checked on this run: `certificate` with the model's own rules.

        `w_star` separates the classes; bias first, if the model has one.
        """
        check_fitted(self)
        if self._weighted:
            raise ValueError(
                "sample_weight: the proof is about steps of one length, expected a fit without "
                "weights of examples or classes."
            )
        reordered = self.shuffle or self.revisit
        if reordered and not self.record:
            raise ValueError("record: found False, expected True: the orders of visit are needed.")
        X = check_X(self, X)
        if len(w_star) != X.shape[1] + self.fit_intercept:
            raise ValueError(
                f"w_star: found {len(w_star)} entries, expected {X.shape[1] + self.fit_intercept}: "
                "the bias first if the model has one, then one for each feature."
            )
        labels = check_labels(y)
        if not np.isin(labels, self.classes_).all():
            raise ValueError(f"y: expected the labels of the fit, {self.classes_.tolist()}.")
        return certificate(
            X,
            np.where(labels == self.classes_[1], 1.0, -1.0),
            w_star,
            self.updates_,
            eta=self.eta0,
            tie=self.tie,
            start=None if self.w_start is None else as_float(self.w_start, "w_start"),
            order=self.orders_ if reordered else None,
        )


@dataclass(eq=False, repr=False)
class KernelPerceptron(MistakeDriven):
    """The perceptron in dual form: it counts mistakes per example and sees a Gram matrix only.

    With alpha_i = number of updates on example i, g(x) = eta sum_i alpha_i s_i k(x_i, x).

    kernel: "linear" for k(x, x') = x·x' + coef0, "poly" for (x·x' + coef0)**degree, or a function
        of two matrices that returns the matrix of k between their rows. With coef0 = 1 the linear
        kernel is the product of examples with a one in front, and the run is the Perceptron's.
    eta0, tie, max_iter, shuffle, revisit, rng, record: as in `Perceptron`.

    Attributes: alpha_ (N,), support_ (examples with alpha > 0), support_vectors_, dual_coef_
    (1, number of support vectors) = eta alpha s, classes_, converged_, n_iter_, updates_,
    mistakes_; for the linear kernel also coef_ (1, d) and intercept_ (1,).

    >>> X, y = [[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1]
    >>> model = KernelPerceptron(kernel="poly", degree=2).fit(X, y)
    >>> model.predict(X), model.converged_
    (array([0, 0, 1, 1]), True)
    """

    kernel: str | Callable[[Array, Array], ArrayLike] = "linear"
    degree: int = 2
    coef0: float = 1.0
    eta0: float = 1.0
    tie: str = "update"
    max_iter: int = 1000
    shuffle: bool = False
    revisit: bool = False
    rng: int | np.random.Generator = 0
    record: bool = False

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Pass through the examples until one pass is free of mistakes."""
        eta = check_number(self.eta0, "eta0", above=0)
        self._check_kernel()
        X, codes = check_X_y(self, X, y)
        s = _signs(codes)
        run = self._start(len(X))
        with np.errstate(over="ignore", invalid="ignore"):
            self._learn(run, X, s)
        self.alpha_ = np.bincount(run.updates, minlength=len(X))
        self.support_ = np.flatnonzero(self.alpha_)
        self.support_vectors_ = X[self.support_]
        self.dual_coef_ = (eta * self.alpha_ * s)[None, self.support_]
        if self.kernel == "linear":
            self.coef_ = self.dual_coef_ @ self.support_vectors_
            self.intercept_ = self.coef0 * self.dual_coef_.sum(axis=1)
        self._end(run, "surface of this kernel")
        return self

    def _learn(self, run: Run, X: Array, s: Array) -> None:
        """Count mistakes until a pass has none; the scores are sums of Gram columns."""
        columns: dict[int, Array] = {}  # k(x_i, ·) of the examples used so far
        scores = np.zeros(len(X))  # sum_j alpha_j s_j k(x_j, x) of every example x
        for order in run.passes():
            visits = np.arange(len(X)) if order is None else order
            while len(visits):
                right = self._right(s[visits] * scores[visits], s[visits])
                k = int(right.argmin())  # the first mistake, if there is one
                if right[k]:
                    break
                i = int(visits[k])
                column = columns.get(i)
                if column is None:
                    column = self._gram(X, X[i : i + 1])[:, 0]
                    if len(columns) * len(X) < 2**24:  # at most 128 MB
                        columns[i] = column
                scores += s[i] * column
                run.updates.append(i)
                visits = visits[k + 1 :]
            if not np.isfinite(scores).all():
                raise ValueError(
                    "X: the kernel overflows on these entries, expected finite k(x, x'). "
                    f"Scale the features ({lesson('perceptron')})."
                )

    def _check_kernel(self) -> None:
        if not callable(self.kernel):
            check_choice(self.kernel, "kernel", ("linear", "poly"))
        check_integer(self.degree, "degree", at_least=1)
        check_number(self.coef0, "coef0", at_least=0)

    def _gram(self, A: Array, B: Array) -> Array:
        """k between every row of A and every row of B."""
        if callable(self.kernel):
            K = as_float(self.kernel(A, B), "kernel(A, B)")
            if K.shape != (len(A), len(B)):
                raise ValueError(
                    f"kernel: found values of shape {K.shape}, expected {(len(A), len(B))}."
                )
            return K
        power = 1 if self.kernel == "linear" else self.degree
        products: Array = A @ B.T
        return (products + self.coef0) ** power

    def decision_function(self, X: ArrayLike) -> Array:
        """g(x) = eta sum_i alpha_i s_i k(x_i, x) for every row of `X`."""
        X = check_X(self, X)
        block = max(1, 2**22 // len(self.support_))  # rows at a time, to bound the memory
        parts = [
            self._gram(X[i : i + block], self.support_vectors_) @ self.dual_coef_[0]
            for i in range(0, len(X), block)
        ]
        scores: Array = np.concatenate(parts)
        return scores


def _sure_margins(Z: Array, w: Array) -> Array:
    """Z @ w with the right sign in every row: what rounding could turn round is summed exactly."""
    m: Array = Z @ w
    error = len(w) * np.finfo(float).eps * (np.abs(Z) @ np.abs(w)) + np.finfo(float).tiny
    for i in np.flatnonzero(np.abs(m) <= error):
        products = (
            Fraction(z) * Fraction(v) for z, v in zip(Z[i].tolist(), w.tolist(), strict=True)
        )
        m[i] = float(sum(products))
    return m


def _signs(codes: Codes) -> Array:
    """s = 2y - 1 as floats."""
    return np.array([-1.0, 1.0])[codes]


def _signed_rows(X: ArrayLike, s: ArrayLike, w: ArrayLike, name: str) -> tuple[Array, Array]:
    """The rows s_i x_i, with the ones column in front of X if `w` has a bias, and `w`, checked."""
    matrix = check_matrix(X)
    weights = check_weights_of(matrix, w, name, optional=True)
    rows = with_ones(matrix) if len(weights) > matrix.shape[1] else matrix
    return rows * check_signs(s, len(matrix))[:, None], weights
