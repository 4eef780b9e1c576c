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
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.centring import EPS
from lectures_lib._core.estimator import (
    Array,
    ConvergenceWarning,
    LinearClassifier,
    as_float,
    check_integer,
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
from lectures_lib._core.linear import augmented, check_weights_of
from lectures_lib.discriminants import margins
from lectures_lib.margin import _active_set as active_set
from lectures_lib.margin import _interior_point as interior_point
from lectures_lib.margin._hulls import centred, coinciding_weights, in_their_span, nearest_weights

# In units of the spread of the data: what counts as a gap between the classes, and as none.
SMALLEST_GAP = 1e-11
COINCIDENCE = 1e-8
# A multiplier below this share of the largest possible one is not that of a support vector.
SUPPORT_SHARE = 1e-7


def _products(X: ArrayLike, s: ArrayLike, w: ArrayLike) -> Array:
    """`margins` for a hyperplane that has a bias."""
    X_ = check_matrix(X)
    return margins(X_, s, check_weights_of(X_, w))


def margin(X: ArrayLike, s: ArrayLike, w: ArrayLike) -> float:
    """min_i s_i (w·x_i + w0) / ||w||: distance of the nearest example, negative with errors.

    >>> margin([[0, 0], [3, 4]], [-1, 1], [-5, 3, 4])
    1.0
    """
    X_ = check_matrix(X)
    norm = float(np.linalg.norm(check_weights_of(X_, w)[1:]))
    if norm == 0:
        raise ValueError("w: found a zero vector, which has no hyperplane; expected w != 0.")
    return float(margins(X_, s, w).min()) / norm


def slab_width(w: ArrayLike) -> float:
    """2 / ||w||: the distance between the hyperplanes w·x + w0 = -1 and w·x + w0 = +1.

    `w` holds the bias first, which does not count.

    >>> slab_width([-5, 3, 4])
    0.4
    """
    norm = float(np.linalg.norm(check_vector(w, "w")[1:]))
    return 2 / norm if norm else float("inf")


def canonical(X: ArrayLike, s: ArrayLike, w: ArrayLike) -> Array:
    """(w0, w) / k with k = min_i s_i (w·x_i + w0): the same plane, with smallest product 1.

    >>> canonical([[0], [4]], [-1, 1], [-2, 1])
    array([-1. ,  0.5])
    """
    smallest = float(_products(X, s, w).min())
    if smallest <= 0:
        raise ValueError(
            f"w: found a smallest product s_i (w·x_i + w0) of {smallest:g}, expected a positive "
            "one. Only a separating hyperplane has a canonical form "
            f"({lesson('maximum_margin')})."
        )
    return check_vector(w, "w") / smallest


def slacks(X: ArrayLike, s: ArrayLike, w: ArrayLike) -> Array:
    """xi_i = max(0, 1 - s_i (w·x_i + w0)): the smallest slack that example i needs.

    >>> slacks([[0], [1], [2]], [-1, 1, 1], [-1, 1])
    array([0., 1., 0.])
    """
    return np.maximum(0.0, 1.0 - _products(X, s, w))


def hinge_loss(X: ArrayLike, s: ArrayLike, w: ArrayLike) -> float:
    """Mean of the slacks; it is never below the share of errors.

    >>> hinge_loss([[0], [4]], [-1, 1], [-0.5, 0.25])
    0.5
    """
    return float(slacks(X, s, w).mean())


def soft_margin_objective(X: ArrayLike, s: ArrayLike, w: ArrayLike, C: ArrayLike = 1.0) -> float:
    """1/2 ||w||^2 + sum_i C_i xi_i; `C` is one number or one per example. No price on w0.

    >>> soft_margin_objective([[0], [1], [2]], [-1, 1, 1], [-1, 1], C=2)
    2.5
    """
    xi = slacks(X, s, w)
    w_ = check_vector(w, "w")[1:]
    return float(w_ @ w_ / 2 + (_costs(C, len(xi)) * xi).sum())


def soft_margin_subgradient(X: ArrayLike, s: ArrayLike, w: ArrayLike, C: ArrayLike = 1.0) -> Array:
    """A subgradient of the objective, in w0 first and then in w: the examples with s g < 1 pull.

    -sum C_i s_i and w - sum C_i s_i x_i over those examples. Where s g = 1 the hinge has a kink;
    this takes the slope 0 of its flat side. Everywhere else it is the gradient.

    >>> soft_margin_subgradient([[0], [1], [3]], [-1, 1, 1], [-1, 1])
    array([-1.,  0.])
    """
    X_, w_ = augmented(X, w)
    pull = _costs(C, len(X_)) * check_signs(s, len(X_)) * (_products(X, s, w) < 1)
    slope: Array = np.concatenate([[0.0], w_[1:]]) - X_.T @ pull
    return slope


def dual_objective(X: ArrayLike, s: ArrayLike, alpha: ArrayLike) -> float:
    """sum_i alpha_i - 1/2 ||sum_i alpha_i s_i x_i||^2: never above the primal objective
    where 0 <= alpha_i (<= C) and sum_i alpha_i s_i = 0.

    >>> dual_objective([[0], [2]], [-1, 1], [0.5, 0.5])
    0.5
    """
    w = weights_from_multipliers(X, s, alpha)
    return float(as_float(alpha, "alpha").sum() - w @ w / 2)


def weights_from_multipliers(X: ArrayLike, s: ArrayLike, alpha: ArrayLike) -> Array:
    """w = sum_i alpha_i s_i x_i, (d,). There is no such formula for w0, as sum alpha_i s_i = 0.

    >>> weights_from_multipliers([[0, 0], [2, 0]], [-1, 1], [0.5, 0.5])
    array([1., 0.])
    """
    X_ = check_matrix(X)
    alpha_ = check_vector(alpha, "alpha", length=len(X_))
    w: Array = X_.T @ (alpha_ * check_signs(s, len(X_)))
    return w


def bias_from_support(X: ArrayLike, s: ArrayLike, alpha: ArrayLike, C: ArrayLike = np.inf) -> float:
    """w0 = s_i - w·x_i, averaged over the examples with 0 < alpha_i < C_i (s g = 1 there).

    >>> bias_from_support([[0], [2]], [-1, 1], [0.5, 0.5])
    -1.0
    """
    X_ = check_matrix(X)
    w = weights_from_multipliers(X_, s, alpha)
    alpha_ = as_float(alpha, "alpha")
    upper = _costs(C, len(X_))
    small = SUPPORT_SHARE * min(float(alpha_.max()), float(upper.max()))
    free = (alpha_ > small) & (alpha_ < upper - small)
    if not free.any():
        raise ValueError(
            "alpha: found no multiplier strictly between 0 and C, so no example is known to lie "
            f"on the margin; expected at least one ({lesson('maximum_margin')})."
        )
    return float((check_signs(s, len(X_))[free] - X_[free] @ w).mean())


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
    products = _products(X, s, w)
    alpha_ = check_vector(alpha, "alpha", length=len(products))
    upper = _costs(C, len(products))
    hard = np.isinf(upper)
    missing = np.maximum(0.0, 1.0 - products)
    xi = np.where(hard, 0.0, missing)
    room = np.where(hard, 0.0, upper - alpha_)
    w_ = check_vector(w, "w")[1:]
    return {
        "stationarity": float(np.linalg.norm(w_ - weights_from_multipliers(X, s, alpha_))),
        "balance": abs(float(alpha_ @ check_signs(s, len(alpha_)))),
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


def nearest_hull_points(X: ArrayLike, s: ArrayLike) -> tuple[Array, Array, Array]:
    """(weights, p, q): the nearest points p and q of the convex hulls of both classes.

    p = sum of weights_i x_i over s_i = +1, q the same over s_i = -1; the weights sum to 1 in each
    class. The plane half-way between p and q has the largest margin, ||p - q|| / 2. It is 0 when
    the hulls meet.

    >>> weights, p, q = nearest_hull_points([[0, 0], [0, 2], [4, 1]], [-1, -1, 1])
    >>> p.round(4), q.round(4)
    (array([4., 1.]), array([0., 1.]))
    """
    X_ = check_matrix(X)
    s_ = check_signs(s, len(X_))
    if np.abs(s_.sum()) == len(s_):
        raise ValueError(f"s: found only {s_[0]:+g}, expected -1 and +1.")
    difference, centre, spread = centred(X_)
    weights = nearest_weights(difference / spread, s_).alpha
    p, q = (weights[s_ == side] @ difference[s_ == side] + centre for side in (1, -1))
    return weights, p, q


class _Machine(LinearClassifier):
    """What both machines share: scores around the centre of the data, and the report."""

    _binary_only: ClassVar[bool] = True
    _set_last: ClassVar[str] = "intercept_"

    alpha_: Array
    centre_: Array
    _score_at_centre: float

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
        plane = np.concatenate([[bias], w])
        self.margin_ = slab_width(plane) / 2
        self.objective_ = float(w @ w / 2)
        if np.isfinite(C).all():
            self.objective_ = soft_margin_objective(X, s, plane, C)
        self.duality_gap_ = self.objective_ - dual_objective(X, s, alpha)
        self.kkt_residuals_ = kkt_residuals(X, s, plane, alpha, C)
        self.n_iter_ = n_iter
        self.converged_ = self.duality_gap_ <= 1e-6 * self.objective_
        if not self.converged_:
            warnings.warn(
                f"{type(self).__name__}: after {n_iter} iterations the duality gap is "
                f"{self.duality_gap_:.1e}, expected at most {1e-6 * self.objective_:.1e}. A "
                f"larger max_iter or features on a common scale help ({lesson('maximum_margin')}).",
                ConvergenceWarning,
                stacklevel=3,
            )


@dataclass(eq=False, repr=False)
class HardMarginSVM(_Machine):
    """The separating hyperplane with the largest margin; refuses data that none separates.

    It looks for the nearest points p and q of the convex hulls of both classes: w points from q
    to p, and the plane lies half-way. If the hulls meet, `fit` raises InseparableError.

    coef_ (1, d), intercept_ (1,)   g(x) = w·x + w0, with min s_i g(x_i) = 1
    alpha_ (N,)                     multipliers: w = sum alpha_i s_i x_i, sum alpha_i s_i = 0
    support_, support_vectors_      examples with alpha_i > 0; they lie on the margin
    dual_coef_ (1, n)               alpha_i s_i of the support vectors
    margin_                         1 / ||w||, the distance of the nearest example
    objective_, duality_gap_        1/2 ||w||^2, and how far it can be from the optimum
    kkt_residuals_                  see `kkt_residuals`
    converged_, n_iter_             whether the gap is below 1e-6 of the objective; iterations

    >>> model = HardMarginSVM().fit([[0, 0], [0, 2], [4, 0], [4, 2]], [0, 0, 1, 1])
    >>> model.coef_.round(4), model.intercept_.round(4), round(model.margin_, 4)
    (array([[0.5, 0. ]]), array([-1.]), 2.0)
    """

    max_iter: int = 200

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Find the hyperplane; InseparableError when there is none."""
        check_integer(self.max_iter, "max_iter", at_least=1)
        X_, codes = check_X_y(self, X, y)
        s = np.where(codes == 1, 1.0, -1.0)
        difference, self.centre_, spread = centred(X_)
        scaled = difference / spread
        found = nearest_weights(scaled, s, max_iter=self.max_iter)
        norm = float(np.linalg.norm(found.w))
        direction = found.w / norm if norm else found.w  # from q to p
        along = scaled @ direction
        low, high = float(along[s < 0].max()), float(along[s > 0].min())
        if high - low <= SMALLEST_GAP:
            raise self._why_not(scaled, spread, s, found)
        w = _without_rounding(2 / (high - low) / spread * direction, difference)
        bias = (-low - high) / (high - low)
        alpha = found.alpha * float(w @ w) / 2
        self._report(difference, s, w, bias, alpha, np.full(len(s), np.inf), found.n_iter)
        self.support_vectors_ = X_[self.support_]
        return self

    def _why_not(
        self, scaled: Array, spread: float, s: Array, found: interior_point.Solution
    ) -> Exception:
        """What to raise: the certificate, or that there was not enough time to find one."""
        weights = coinciding_weights(scaled, s, found.alpha)
        residual = float(np.linalg.norm(scaled.T @ (weights * s)))
        if residual > COINCIDENCE:
            return RuntimeError(
                f"max_iter: after {found.n_iter} iterations there is neither a separating "
                f"hyperplane nor a common point of both hulls (distance {residual:.1e} of the "
                f"spread); found {self.max_iter}, expected more."
            )
        point = spread * (weights[s > 0] @ scaled[s > 0]) + self.centre_
        return InseparableError(weights, point, residual)


@dataclass(eq=False, repr=False)
class SoftMarginSVM(_Machine):
    """The hyperplane that minimises 1/2 ||w||^2 + C sum_i xi_i (hinge loss, bias not penalised).

    C > 0 is scikit-learn's; the C of lecture note 001 is twice as large for the same plane.
    `sample_weight` multiplies C example by example, `class_weight` class by class ("balanced" for
    N / (K N_k), or a dictionary by label). When several intercepts are best, the middle
    one is taken. The attributes are those of HardMarginSVM, with 0 <= alpha_i <= C; examples with
    0 < alpha_i < C lie on the margin, those with alpha_i = C inside the slab or on the wrong side.
    `margin_` is half the width of the slab.

    >>> model = SoftMarginSVM(C=1.0).fit([[0], [2], [1], [3]], [0, 0, 1, 1])
    >>> model.predict([[0], [3]]), len(model.support_)
    (array([0, 1]), 4)
    """

    C: float = 1.0
    class_weight: Any = None
    max_iter: int = 200

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Minimise the objective; warns when the gap stays above 1e-6 of it."""
        check_number(self.C, "C", above=0)
        check_integer(self.max_iter, "max_iter", at_least=1)
        X_, codes = check_X_y(self, X, y)
        s = np.where(codes == 1, 1.0, -1.0)
        given = check_sample_weight(sample_weight, codes)
        weighted = class_weighted(self, self.class_weight, codes, given)
        costs = self.C * check_sample_weight(weighted, codes)
        difference, self.centre_, _ = centred(X_)
        used = costs > 0
        alpha = np.zeros(len(s))
        w, alpha[used], n_iter = _soft_margin(difference[used], s[used], costs[used], self.max_iter)
        w = _without_rounding(w, difference)
        bias = best_bias(s - difference @ w, s, costs)
        w, bias = _without_slacks_of_rounding(difference, s, w, bias, costs)
        self._report(difference, s, w, bias, alpha, costs, n_iter)
        self.support_vectors_ = X_[self.support_]
        return self


def _soft_margin(X: Array, s: Array, costs: Array, max_iter: int) -> tuple[Array, Array, int]:
    """(w, alpha, iterations) of the soft margin; solved for alpha / C, which is in 0..1."""
    if len(X) <= X.shape[1] and (found_at_once := active_set.solve(X, s, costs)):
        return found_at_once
    inside, basis = in_their_span(X)
    C = float(costs.max())
    A = np.sqrt(C) * s[:, None] * inside
    problem = interior_point.Programme(A, np.ones(len(s)), s[:, None], np.zeros(1), upper=costs / C)
    found = interior_point.solve(problem, 1e-10, max_iter)
    w = np.sqrt(C) * (found.w if basis is None else basis @ found.w)
    return w, C * found.alpha, found.n_iter


def _without_rounding(w: Array, X: Array) -> Array:
    """0 for weights that move no score (±1 on the margin) by a rounding error: they are one."""
    return np.where(np.abs(w) * np.abs(X).max(axis=0) > EPS, w, 0.0)


def _without_slacks_of_rounding(
    X: Array, s: Array, w: Array, bias: float, costs: Array
) -> tuple[Array, float]:
    """The plane, or the same one scaled up by what rounding may have taken off its products.

    A product of 1 - EPS on the margin is a slack of EPS, which costs more than w where C is 1e12.
    """
    plane = np.concatenate([[bias], w])
    missing = slacks(X, s, plane)
    rounding = 2 * len(w) * EPS * (np.abs(X) @ np.abs(w) + abs(bias))
    short = (missing > 0) & (missing <= rounding)
    larger = plane * (1 + float(rounding[short].max(initial=0.0)))
    best = min((plane, larger), key=lambda p: soft_margin_objective(X, s, p, costs))
    return best[1:], float(best[0])


def best_bias(kinks: Array, s: Array, costs: Array) -> float:
    """The w0 that minimises sum_i C_i max(0, 1 - s_i (w·x_i + w0)) when w is kept.

    As a function of w0 the sum is convex and bends at the kinks s_i - w·x_i. Far to the left its
    slope is minus the cost of the positive class, and it grows by C_i at every kink: the minimum
    is where the costs passed reach that of the positive class. Half-way, if it is an interval.

    >>> s = np.array([-1, -1, 1, 1])
    >>> best_bias(np.array([-1.0, -3.0, -3.0, -4.0]), s, np.ones(4))
    -3.0
    """
    order = np.argsort(kinks)
    passed = np.cumsum(costs[order])
    goal = float(costs[s > 0].sum())
    rounding = 1e-12 * float(passed[-1])
    first = min(int(np.searchsorted(passed, goal - rounding)), len(order) - 1)
    last = min(int(np.searchsorted(passed, goal + rounding)), len(order) - 1)
    return float(kinks[order[first]] + kinks[order[last]]) / 2
