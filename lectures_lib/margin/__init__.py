"""The maximum margin: support vector machines with a hard and with a soft margin.

A hyperplane g(x) = w0 + w·x = 0 separates the examples when s_i g(x_i) > 0 for all of them
(s = -1 or +1). Its margin is the distance from the nearest example, and the slab between
g = -1 and g = +1 is 2 / ||w|| wide. The machines solve, with the bias w0 not penalised,

    hard:  minimise 1/2 ||w||^2              subject to  s_i g(x_i) >= 1
    soft:  minimise 1/2 ||w||^2 + C sum xi_i  subject to  s_i g(x_i) >= 1 - xi_i,  xi_i >= 0

C is scikit-learn's. Lecture note 001 writes ||w||^2 without the 1/2, so its C is twice this one.
In the functions of data and weights `w` has the bias first, w = (w0, w1, ..., wd).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.centring import EPS, LARGEST, blocks, refuse_overflow
from lectures_lib._core.estimator import (
    ConvergenceWarning,
    LinearClassifier,
    check_sample_weight,
    check_X,
    check_X_y,
)
from lectures_lib._core.lesson import lesson
from lectures_lib._core.linear import check_weights_of
from lectures_lib._core.validation import (
    Array,
    as_float,
    check_matrix,
    check_number,
    check_signs,
    check_vector,
)
from lectures_lib.margin._quadratic import largest_dual, shortest_sum

# In units of the spread of the data: what counts as a gap between the classes, and as none.
SMALLEST_GAP = 1e-11
COINCIDENCE = 1e-8
# A multiplier below this share of the largest possible one is not that of a support vector.
SUPPORT_SHARE = 1e-7
# Directions in which weighted data differ by less than this share hold little but rounding.
NEGLIGIBLE = 1e-10
CORRECTIONS = 20  # of the weights, where the hulls of the classes touch


def _products(X: ArrayLike, s: ArrayLike, w: ArrayLike) -> Array:
    """s_i g(x_i) for every example."""
    X_ = check_matrix(X)
    w_ = check_weights_of(X_, w)
    products: Array = check_signs(s, len(X_)) * (X_ @ w_[1:] + w_[0])
    return products


def margin(X: ArrayLike, s: ArrayLike, w: ArrayLike) -> float:
    """min_i s_i (w·x_i + w0) / ||w||: distance of the nearest example, negative with errors.

    >>> margin([[0, 0], [3, 4]], [-1, 1], [-5, 3, 4])
    1.0
    """
    X_ = check_matrix(X)
    norm = float(np.linalg.norm(check_weights_of(X_, w)[1:]))
    if norm == 0:
        raise ValueError("w: found a zero vector, which has no hyperplane; expected w != 0.")
    return float(_products(X_, s, w).min()) / norm


def slab_width(w: ArrayLike) -> float:
    """2 / ||w||: the distance between the hyperplanes w·x + w0 = -1 and w·x + w0 = +1.

    `w` holds the bias first, which does not count.

    >>> slab_width([-5, 3, 4])
    0.4
    """
    norm = float(np.linalg.norm(check_vector(w, "w")[1:]))
    return 2 / norm if norm else float("inf")


def slacks(X: ArrayLike, s: ArrayLike, w: ArrayLike) -> Array:
    """xi_i = max(0, 1 - s_i (w·x_i + w0)): the smallest slack that example i needs.

    >>> slacks([[0], [1], [2]], [-1, 1, 1], [-1, 1])
    array([0., 1., 0.])
    """
    return np.maximum(0.0, 1.0 - _products(X, s, w))


def soft_margin_objective(X: ArrayLike, s: ArrayLike, w: ArrayLike, C: ArrayLike = 1.0) -> float:
    """1/2 ||w||^2 + sum_i C_i xi_i; `C` is one number or one per example. No price on w0.

    >>> soft_margin_objective([[0], [1], [2]], [-1, 1, 1], [-1, 1], C=2)
    2.5
    """
    xi = slacks(X, s, w)
    w_ = check_vector(w, "w")[1:]
    return float(w_ @ w_ / 2 + (_costs(C, len(xi)) * xi).sum())


def bias_from_support(X: ArrayLike, s: ArrayLike, alpha: ArrayLike, C: ArrayLike = np.inf) -> float:
    """w0 = s_i - w·x_i, averaged over the examples with 0 < alpha_i < C_i (s g = 1 there).

    >>> bias_from_support([[0], [2]], [-1, 1], [0.5, 0.5])
    -1.0
    """
    X_ = check_matrix(X)
    s_, alpha_ = check_signs(s, len(X_)), check_vector(alpha, "alpha", length=len(X_))
    w = (alpha_ * s_) @ X_
    upper = _costs(C, len(X_))
    small = SUPPORT_SHARE * min(float(alpha_.max()), float(upper.max()))
    free = (alpha_ > small) & (alpha_ < upper - small)
    if not free.any():
        raise ValueError(
            "alpha: found no multiplier strictly between 0 and C, so no example is known to lie "
            f"on the margin; expected at least one ({lesson('maximum_margin')})."
        )
    return float((s_[free] - X_[free] @ w).mean())


def kkt_residuals(
    X: ArrayLike, s: ArrayLike, w: ArrayLike, alpha: ArrayLike, C: ArrayLike = np.inf
) -> dict[str, float]:
    """By how much each optimality condition is missed; all are 0 at the solution and only there.

    stationarity     || w - sum alpha_i s_i x_i ||
    balance          | sum alpha_i s_i |
    primal           how far s_i g(x_i) falls below 1 (hard margin; the soft one has slacks)
    dual             how far alpha_i is outside 0..C
    complementarity  largest alpha_i |s_i g(x_i) - 1 + xi_i| and (C - alpha_i) xi_i

    >>> found = kkt_residuals([[0], [2]], [-1, 1], [-1, 1], [0.5, 0.5])
    >>> max(found.values())
    0.0
    """
    products, s_ = _products(X, s, w), as_float(s, "s")
    alpha_ = check_vector(alpha, "alpha", length=len(products))
    upper = _costs(C, len(products))
    hard = np.isinf(upper)
    missing = np.maximum(0.0, 1.0 - products)
    xi = np.where(hard, 0.0, missing)
    room = np.where(hard, 0.0, upper - alpha_)
    w_ = check_vector(w, "w")[1:]
    return {
        "stationarity": float(np.linalg.norm(w_ - (alpha_ * s_) @ as_float(X, "X"))),
        "balance": abs(float(alpha_ @ s_)),
        "primal": float(missing[hard].max(initial=0.0)),
        "dual": max(0.0, float(np.maximum(-alpha_, alpha_ - upper).max())),
        "complementarity": float(
            np.maximum(np.abs(alpha_ * (products - 1 + xi)), np.abs(room * xi)).max()
        ),
    }


def _costs(C: ArrayLike, length: int) -> Array:
    """C as one number per example."""
    costs = as_float(C, "C")
    if costs.shape not in {(), (length,)}:
        raise ValueError(f"C: found shape {costs.shape}, expected one number or {length}.")
    if not (costs >= 0).all():
        raise ValueError(f"C: found {costs.min():g}, expected no negative number.")
    return np.broadcast_to(costs, (length,))


class InseparableError(ValueError):
    """No hyperplane separates the classes; the proof is a point that both convex hulls share.

    weights   (N,), not negative, with sum 1 in each class
    point     the weighted mean of either class
    residual  distance between both means, relative to the spread of the data

    >>> try:
    ...     HardMarginSVM().fit([[0], [2], [1], [3]], [0, 0, 1, 1])
    ... except InseparableError as error:
    ...     print(1 <= error.point[0] <= 2)
    True
    """

    def __init__(self, weights: Array, point: Array, residual: float) -> None:
        self.weights, self.point, self.residual = weights, point, residual
        super().__init__(
            "X, y: no hyperplane separates the two classes, so the hard margin has no solution. "
            f"The point {np.array2string(point, precision=4, threshold=6)} is a weighted mean of "
            f"examples of either class (relative difference {residual:.0e}; the weights are in "
            "the error's attribute `weights`). "
            f"See {lesson('maximum_margin')}; SoftMarginSVM accepts such "
            "data."
        )


class _Machine(LinearClassifier):
    """What both machines share: scores around the centre of the data, and the report."""

    _binary_only: ClassVar[bool] = True
    _set_last: ClassVar[str] = "support_vectors_"

    alpha_: Array
    centre_: Array
    _score_at_centre: float

    def _signed(self, X: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
        """The examples, and s = -1 or +1."""
        X_, codes = check_X_y(self, X, y)
        return X_, np.where(codes == 1, 1.0, -1.0)

    def decision_function(self, X: ArrayLike) -> Array:
        """g(x) = w·(x - centre_) + g(centre_): w·x + w0 without the rounding of a large shift."""
        scores: Array = (check_X(self, X) - self.centre_) @ self.coef_[0] + self._score_at_centre
        return scores

    def _report(
        self, X: Array, s: Array, w: Array, bias: float, alpha: Array, C: Array, n_iter: int
    ) -> None:
        """Set the fitted attributes; `X` is centred and g(x) = w·x + bias there."""
        self.coef_ = w[None]
        self._score_at_centre = bias
        self.intercept_ = np.array([bias - w @ self.centre_])
        self.alpha_ = alpha
        largest = np.minimum(C, alpha.max())
        self.support_ = np.flatnonzero(alpha > SUPPORT_SHARE * largest)
        self.dual_coef_ = (alpha * s)[None, self.support_]
        self.margin_ = slab_width(np.r_[bias, w]) / 2
        self.objective_ = float(w @ w / 2)
        if np.isfinite(C).all():
            self.objective_ = soft_margin_objective(X, s, np.r_[bias, w], C)
        # sum alpha_i - 1/2 ||sum alpha_i s_i x_i||^2 is never above the objective: where both
        # meet, nothing better exists.
        sum_of_examples = (alpha * s) @ X
        dual = float(alpha.sum() - sum_of_examples @ sum_of_examples / 2)
        self.duality_gap_ = self.objective_ - dual
        self.n_iter_ = n_iter
        self.converged_ = self.duality_gap_ <= 1e-6 * self.objective_
        if not self.converged_:
            warnings.warn(
                f"{type(self).__name__}: after {n_iter} iterations the duality gap is "
                f"{self.duality_gap_:.1e}, expected at most {1e-6 * self.objective_:.1e}. "
                f"Features on a common scale help ({lesson('maximum_margin')}).",
                ConvergenceWarning,
                stacklevel=3,
            )


@dataclass(eq=False, repr=False)
class HardMarginSVM(_Machine):
    """The separating hyperplane with the largest margin; refuses data that none separates.

    coef_ (1, d), intercept_ (1,)   g(x) = w·x + w0, with min s_i g(x_i) = 1
    alpha_ (N,)                     multipliers: w = sum alpha_i s_i x_i, sum alpha_i s_i = 0
    support_, support_vectors_      examples with alpha_i > 0; they lie on the margin
    dual_coef_ (1, n)               alpha_i s_i of the support vectors
    margin_                         1 / ||w||, the distance of the nearest example
    objective_, duality_gap_        1/2 ||w||^2, and how far it can be from the optimum
    converged_, n_iter_             whether the gap is below 1e-6 of the objective; iterations

    >>> model = HardMarginSVM().fit([[0, 0], [0, 2], [4, 0], [4, 2]], [0, 0, 1, 1])
    >>> model.coef_.round(4), model.intercept_.round(4), round(model.margin_, 4)
    (array([[0.5, 0. ]]), array([-1.]), 2.0)
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find the hyperplane; InseparableError when there is none."""
        X_, s = self._signed(X, y)
        Z, self.centre_, spread = _centred(X_)
        Z /= spread  # the solver's unit; w goes back with 1/spread, alpha with 1/spread²
        # The dual sum alpha_i - 1/2 ||sum alpha_i s_i x_i||^2 has sum alpha_i s_i = 0. Write
        # alpha = lambda beta, where beta adds up to 1 in each class and v = sum beta_i s_i x_i:
        # 2 lambda - 1/2 lambda^2 ||v||^2 is largest at lambda = 2 / ||v||^2, namely 2 / ||v||^2.
        # So the shortest v is wanted. It leads from a weighted mean of one class to one of the
        # other; where it is 0 the dual grows without bound, and no line separates.
        beta, v, n_iter = shortest_sum(Z, s)
        length = float(np.linalg.norm(v))
        direction = v / length if length else v
        # The kerbs are where each class ends along v; w is as long as makes g = -1 and +1 there.
        along = Z @ direction
        low, high = float(along[s < 0].max()), float(along[s > 0].min())
        if high - low <= SMALLEST_GAP:
            raise _why_not(Z, s, beta, spread, self.centre_)
        w = 2 / (high - low) * direction
        w0 = (-low - high) / (high - low)  # g at the centre, from which Z is counted
        alpha = beta * float(w @ w) / 2  # lambda = 2 / ||v||^2, as ||w|| = 2 / ||v||
        Z *= spread
        w, alpha = _without_rounding(w / spread, Z), alpha / spread**2
        self._report(Z, s, w, w0, alpha, np.full(len(s), np.inf), n_iter)
        self.support_vectors_ = X_[self.support_]
        return self


@dataclass(eq=False, repr=False)
class SoftMarginSVM(_Machine):
    """The hyperplane that minimises 1/2 ||w||^2 + C sum_i xi_i (hinge loss, bias not penalised).

    C > 0 is scikit-learn's; the C of lecture note 001 is twice as large for the same plane.
    `sample_weight` multiplies C example by example. When several intercepts are best, the middle
    one is taken. The attributes are those of HardMarginSVM, with 0 <= alpha_i <= C; examples with
    0 < alpha_i < C lie on the margin, those with alpha_i = C inside the slab or on the wrong side.
    `margin_` is half the width of the slab.

    >>> model = SoftMarginSVM(C=1.0).fit([[0], [2], [1], [3]], [0, 0, 1, 1])
    >>> model.predict([[0], [3]]), len(model.support_)
    (array([0, 1]), 4)
    """

    C: float = 1.0

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Minimise the objective; warns when the gap stays above 1e-6 of it."""
        check_number(self.C, "C", above=0)
        X_, s = self._signed(X, y)
        C: Array = self.C * check_sample_weight(sample_weight, s)  # the price of each slack
        Z, self.centre_, spread = _centred(X_)
        # In units of the spread ||w||^2 is spread^2 times as large, and so must be the price.
        Z /= spread
        C *= spread**2
        # A slack costs C_i, so no constraint is worth more: the dual
        # sum alpha_i - 1/2 ||sum alpha_i s_i x_i||^2 is the hard one's, with alpha_i <= C_i.
        used = slice(None) if C.all() else C > 0  # no copy where every example counts
        found, w, n_iter = largest_dual(Z[used], s[used], C[used])
        alpha = np.zeros(len(s))
        alpha[used] = found
        # w = sum alpha_i s_i x_i. For this w the slacks max(0, 1 - s_i (w·x_i + w0)) bend where
        # w0 = s_i - w·x_i (x counted from the centre): the best bias is one of these, or between.
        Z *= spread
        w, alpha, C = _without_rounding(w / spread, Z), alpha / spread**2, C / spread**2
        w0 = _best_bias(s - Z @ w, s, C)
        w, w0 = _without_slacks_of_rounding(Z, s, w, w0, C)
        self._report(Z, s, w, w0, alpha, C, n_iter)
        self.support_vectors_ = X_[self.support_]
        return self


def _centred(X: Array) -> tuple[Array, Array, float]:
    """X minus its mean, the mean, and the size of their distances (1 if that is 0).

    The size is the root mean square, as a power of 2 near it: dividing by it rounds nothing.
    """
    centre: Array = X[0] + (X - X[0]).mean(axis=0)  # exact for a constant feature
    Z = X - centre
    largest = max(float(Z.max()), -float(Z.min()))
    if largest == 0:
        return Z, centre, 1.0
    if largest > LARGEST:
        refuse_overflow(X)
    shares = sum(float(((column / largest) ** 2).mean()) for column in Z.T)  # cannot overflow
    return Z, centre, float(2 ** np.round(np.log2(largest * shares**0.5)))


def _why_not(Z: Array, s: Array, beta: Array, spread: float, centre: Array) -> Exception:
    """What to raise: the point that both classes share, or that it was not found."""
    weights = _coinciding_weights(Z, s, beta)
    residual = float(np.linalg.norm((weights * s) @ Z))
    if residual > COINCIDENCE:
        return RuntimeError(
            "X, y: found neither a separating hyperplane nor a common point of both hulls "
            f"(distance {residual:.1e} of the spread). Features on a common scale help."
        )
    point = spread * (weights[s > 0] @ Z[s > 0]) + centre
    return InseparableError(weights, point, residual)


def _coinciding_weights(X: Array, s: Array, weights: Array) -> Array:
    """The weights, changed as little as possible so that the weighted means of both classes agree.

    The change of each weight is measured relative to the weight, so that none becomes negative.
    """
    d = X.shape[1]
    best = _one_in_each_class(weights, s)
    for _ in range(CORRECTIONS):
        # The rows (s x, 1 or 0, 0 or 1) times their weights shall add up to (0, 1, 1). Of all
        # changes the smallest is a mixture of these rows, found from their triangle R block by
        # block: no copy of the data is made.
        R, missing = np.zeros((0, d + 2)), np.r_[np.zeros(d), 1.0, 1.0]
        for some in blocks(X):
            rows = np.column_stack([X[some] * s[some, None], s[some] > 0, s[some] < 0])
            missing -= weights[some] @ rows
            rows *= np.sqrt(weights[some])[:, None]
            R = np.asarray(np.linalg.qr(np.vstack([R, rows]), mode="r"))
        _, sizes, axes = np.linalg.svd(R, full_matrices=False)
        sizes = np.where(sizes > NEGLIGIBLE * sizes[0], sizes, np.inf)
        mixture = axes.T @ (axes @ missing / sizes**2)
        change = s * (X @ mixture[:d]) + np.where(s > 0, mixture[d], mixture[d + 1])
        weights = np.maximum(weights + weights * change, 0.0)
        # Where a feature nearly repeats another one, rounding can make a change worse than none.
        tried = best, _one_in_each_class(weights, s)
        best = min(tried, key=lambda weights: float(np.linalg.norm(X.T @ (weights * s))))
    return best


def _one_in_each_class(weights: Array, s: Array) -> Array:
    scaled: Array = weights / np.where(s > 0, weights[s > 0].sum(), weights[s < 0].sum())
    return scaled


def _without_rounding(w: Array, X: Array) -> Array:
    """0 for weights that move no score (±1 on the margin) by a rounding error: they are one."""
    largest = np.maximum(X.max(axis=0), -X.min(axis=0))
    return np.where(np.abs(w) * largest > EPS, w, 0.0)


def _without_slacks_of_rounding(
    X: Array, s: Array, w: Array, bias: float, costs: Array
) -> tuple[Array, float]:
    """The plane, or the same one scaled up by what rounding may have taken off its products.

    A product of 1 - EPS on the margin is a slack of EPS, which costs more than w where C is 1e12.
    """
    plane = np.concatenate([[bias], w])
    missing = slacks(X, s, plane)
    small = (missing > 0) & (missing < 1e-6)
    rounding = 2 * len(w) * EPS * (np.abs(X[small]) @ np.abs(w) + abs(bias))
    short = missing[small] <= rounding
    larger = plane * (1 + float(rounding[short].max(initial=0.0)))
    best = min((plane, larger), key=lambda p: soft_margin_objective(X, s, p, costs))
    return best[1:], float(best[0])


def _best_bias(kinks: Array, s: Array, costs: Array) -> float:
    """The w0 that minimises sum_i C_i max(0, 1 - s_i (w·x_i + w0)) when w is kept.

    As a function of w0 the sum is convex and bends at the kinks s_i - w·x_i. Far to the left its
    slope is minus the cost of the positive class, and it grows by C_i at every kink: the minimum
    is where the costs passed reach that of the positive class. Half-way, if it is an interval.
    """
    order = np.argsort(kinks)
    passed = np.cumsum(costs[order])
    goal = float(costs[s > 0].sum())
    rounding = 1e-12 * float(passed[-1])
    first = min(int(np.searchsorted(passed, goal - rounding)), len(order) - 1)
    last = min(int(np.searchsorted(passed, goal + rounding)), len(order) - 1)
    return float(kinks[order[first]] + kinks[order[last]]) / 2
