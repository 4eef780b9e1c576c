"""Checks of note 004: the printed form fails, the corrected form holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from lectures_lib.errata._entry import Check, Finding
from lectures_lib.errata._judges import (
    Array,
    newton_logistic,
    normal_cdf,
    one_answer,
    sigmoid,
    with_ones,
)

# --------------------------------------------------------------- discriminants and decisions


def _first_class(g: float, side: int) -> str:
    """The class at g, when C1 lies on the positive (1) or the negative (-1) side."""
    return "C1" if side * g > 0 else "C2"


def _tells_whether_coupled(coupled: bool) -> Finding:
    """Least squares on one-hot targets: do the weights of class 1 feel the targets of class 3?"""
    X = with_ones(np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0]))
    Y = np.eye(3)[[0, 0, 1, 1, 2, 2]]
    other = Y.copy()
    other[:, 2] = [5.0, -1.0, 0.0, 2.0, 7.0, 1.0]
    change = np.abs(np.linalg.lstsq(X, Y)[0] - np.linalg.lstsq(X, other)[0]).max(axis=0)
    return Finding(
        coupled == bool(change[0] > 1e-9),
        f"other targets for class 3 change its weights by {change[2]:.2f}, "
        f"those of class 1 by {change[0]:.2f}.",
    )


JOINT = {"x = 0": (Fraction(9, 20), Fraction(1, 20)), "x = 1": (Fraction(3, 10), Fraction(2, 10))}


def _is_the_average_error(claimed: Callable[[], Fraction]) -> Finding:
    """Error of the rule “always class 0” on a table with two points x."""
    error = sum((row[1] for row in JOINT.values()), Fraction(0))
    value = claimed()
    return Finding(value == error, f"it is {value}, the rule errs with probability {error}.")


def _error_given_second_x() -> Fraction:
    row = JOINT["x = 1"]
    return row[1] / sum(row)


def _mean_of_conditional_errors() -> Fraction:
    conditional = [(sum(row), row[1] / sum(row)) for row in JOINT.values()]
    return sum((weight * error for weight, error in conditional), Fraction(0))


# --------------------------------------------------------------------------------- Fisher


def _decides_as_bayes(threshold: Callable[[float], float]) -> Finding:
    """N(1, 1) with prior p and N(-1, 1): the error of “class 1 above the threshold”."""
    p = 0.9
    cut = threshold(p)
    best = min(_error(float(c), p) for c in np.linspace(-3, 3, 6001))
    return Finding(
        _error(cut, p) < best + 1e-5,
        f"threshold {cut:.3f} errs with {_error(cut, p):.3f}, the midpoint with "
        f"{_error(0, p):.3f}, p2 μ1 + p1 μ2 with {_error(1 - 2 * p, p):.3f}, "
        f"the best with {best:.3f}.",
    )


def _error(cut: float, p: float) -> float:
    return p * normal_cdf(cut - 1) + (1 - p) * (1 - normal_cdf(cut + 1))


PROJECTIONS = {0: (1, 2, 6), 1: (10, 14)}  # projections of the examples of two classes


def _is_the_scatter(scatter: Callable[[int], Fraction]) -> Finding:
    """Sum of squared distances to the class mean, by the formula Σy² - (Σy)²/N_k."""
    right = {
        k: sum(y * y for y in ys) - Fraction(sum(ys) ** 2, len(ys)) for k, ys in PROJECTIONS.items()
    }
    try:
        found = {k: scatter(k) for k in PROJECTIONS}
    except KeyError as missing:
        return Finding(False, f"there is no mean of class {missing}: the index is an example.")
    told = " and ".join(str(value) for value in found.values())
    return Finding(found == right, f"the scatters are {told}.")


MEANS = {k: Fraction(sum(ys), len(ys)) for k, ys in PROJECTIONS.items()}


def _mean_by_example(k: int) -> Fraction:
    """Read literally: the mean is indexed by the example i, which runs over all five."""
    first = 0 if k == 0 else len(PROJECTIONS[0])
    squares = [(y - MEANS[first + i]) ** 2 for i, y in enumerate(PROJECTIONS[k])]
    return sum(squares, Fraction(0))


def _mean_by_class(k: int) -> Fraction:
    return sum(((y - MEANS[k]) ** 2 for y in PROJECTIONS[k]), Fraction(0))


FIRST = np.array([[0.0, 0.0], [4.0, 1.0], [0.0, 1.0], [4.0, 2.0], [2.0, 1.0], [2.0, 1.0]])
SECOND = np.array([[6.0, 6.0], [7.0, 10.0]])


def _gives_fishers_direction(within: Callable[[Sequence[Array]], Array]) -> Finding:
    """The direction W⁻¹d from this W is parallel to that from the scatter S_w."""
    d = FIRST.mean(axis=0) - SECOND.mean(axis=0)
    scatter = sum(
        ((part - part.mean(axis=0)).T @ (part - part.mean(axis=0)) for part in (FIRST, SECOND)),
        np.zeros((2, 2)),
    )
    found, right = np.linalg.solve(within((FIRST, SECOND)), d), np.linalg.solve(scatter, d)
    cosine = abs(float(found @ right)) / float(np.linalg.norm(found) * np.linalg.norm(right))
    angle = math.degrees(math.acos(min(1.0, round(cosine, 12))))
    return Finding(angle < 1e-3, f"the angle to the direction from S_w is {angle:.1f} degrees.")


def _sum_of_variances(parts: Sequence[Array]) -> Array:
    return np.asarray(sum(np.cov(part.T, bias=True) for part in parts))


def _sum_of_scatters(parts: Sequence[Array]) -> Array:
    return np.asarray(sum(len(part) * np.cov(part.T, bias=True) for part in parts))


def _classifies_projections(bias: Callable[[float, float], float]) -> Finding:
    """Class 1 where w'x > -w0; projections around 9 (class 1) and 5 (class 2)."""
    rng = np.random.default_rng(0)
    first, second = 9 + rng.standard_normal(200), 5 + rng.standard_normal(200)
    w0 = bias(first.mean(), second.mean())
    accuracy = (float(np.mean(first > -w0)) + float(np.mean(second <= -w0))) / 2
    return Finding(accuracy > 0.95, f"accuracy {accuracy:.2f} with w0 = {w0:.2f}.")


def _decides_as_gaussian(threshold: Callable[[float], float]) -> Finding:
    """LDA's decisions (Gaussian densities times priors 0.9 and 0.1) on a grid of projections."""
    points, prior = np.arange(-3.05, 3.0, 0.1), 0.9
    density = np.exp(-((points - 1) ** 2) / 2) * prior, np.exp(-((points + 1) ** 2) / 2) * 0.1
    other = int(np.sum((points > threshold(prior)) != (density[0] > density[1])))
    return Finding(other == 0, f"{other} of {len(points)} projections are decided otherwise.")


def _bayes_threshold(p: float) -> float:
    return -0.5 * math.log(p / (1 - p))


# -------------------------------------------------------------------------- several classes

Limits = Callable[[int, int, int], tuple[bool, int]]  # (K, Q, N) -> S_w nonsingular, largest K'


def _foretells_the_ranks(limits: Limits) -> Finding:
    """Ranks of S_w and S_B of random classes against what the rule says."""
    word = {True: "regular", False: "singular"}
    cases = ((2, 3, 30), (2, 5, 50), (6, 3, 7), (6, 3, 30))
    for features, classes, size in cases:
        rng = np.random.default_rng(6)
        y = np.arange(size) % classes
        X = rng.standard_normal((size, features)) + 3 * rng.standard_normal((classes, features))[y]
        means = np.array([X[y == k].mean(axis=0) for k in range(classes)])
        within = int(np.linalg.matrix_rank(X - means[y]))
        between = int(np.linalg.matrix_rank(means[y] - X.mean(axis=0)))
        regular, most = limits(features, classes, size)
        if (regular, most) != (within == features, between):
            return Finding(
                False,
                f"for K = {features}, Q = {classes}, N = {size} it allows {most} directions and "
                f"calls S_w {word[regular]}; found are {between} and {word[within == features]}.",
            )
    return Finding(True, f"right in {len(cases)} cases.")


def _is_the_grand_mean(upper: Callable[[int, int], int]) -> Finding:
    """1/N Σ N_i μ_i up to the printed limit, for classes of sizes 3 and 2."""
    sizes = [len(ys) for ys in PROJECTIONS.values()]
    total, N = sum(sum(ys) for ys in PROJECTIONS.values()), sum(sizes)
    try:
        value = sum((sizes[i] * MEANS[i] for i in range(upper(N, 2))), Fraction(0)) / N
    except IndexError:
        return Finding(False, f"the sum asks for class mean {len(sizes) + 1} of {len(sizes)}.")
    return Finding(value == Fraction(total, N), f"it is {value}, the mean {Fraction(total, N)}.")


def _at_most_two_independent(family: Callable[[Sequence[Array]], Sequence[Array]]) -> Finding:
    """Q = 3 centred means e1, e2, -e1-e2: how many of the family are independent."""
    centred = [np.array([1, 0]), np.array([0, 1]), np.array([-1, -1])]
    rank = int(np.linalg.matrix_rank(np.array([member.ravel() for member in family(centred)])))
    return Finding(rank <= 2, f"{rank} of them are independent, Q - 1 = 2.")


# ------------------------------------------------------------------------ logistic regression

Reason = Callable[[Callable[[Array], Array]], bool]  # function of z -> “it is convex”


def _foretells_convexity(reason: Reason) -> Finding:
    """What the reason says about (1 - g)² and -log g, against the midpoint test on a grid."""
    z = np.linspace(-6, 6, 241)
    losses: dict[str, Callable[[Array], Array]] = {
        "(1-g)²": lambda v: (1 - sigmoid(v)) ** 2,
        "-log g": lambda v: np.logaddexp(0, -v),
    }
    told = {name: reason(loss) for name, loss in losses.items()}
    right = {name: _midpoint_convex(loss, z) for name, loss in losses.items()}
    words = {True: "convex", False: "not convex"}
    listed = ", ".join(f"{name} {words[told[name]]}" for name in losses)
    return Finding(told == right, f"it says {listed}; -log g is {words[right['-log g']]}.")


def _midpoint_convex(loss: Callable[[Array], Array], z: Array) -> bool:
    return bool(np.all(2 * loss((z[:-2] + z[2:]) / 2) <= loss(z[:-2]) + loss(z[2:]) + 1e-12))


def _has_no_negative_curvature(loss: Callable[[Array], Array]) -> bool:
    z, h = np.linspace(-8, 8, 321), 1e-3
    return bool(np.all(loss(z + h) - 2 * loss(z) + loss(z - h) > -1e-12))


EXAMPLES = np.array([-2.0, 0.0, 1.0, 3.0])


def _vanishes_at_the_truth(score: Callable[[int, float], float]) -> Finding:
    """With labels y(i) = g(2 x(i)) the squared error must be 0 at w = 2."""
    labels = sigmoid(2 * EXAMPLES)
    scores = np.array([score(i, 2.0) for i in range(len(EXAMPLES))])
    error = float(np.mean((labels - sigmoid(scores)) ** 2))
    return Finding(error < 1e-15, f"the squared error at the true weight is {error:.3f}.")


def _is_the_mean_log_loss(total: Callable[[Array, Array], float]) -> Finding:
    """-1/N log of the product of the probabilities of the labels."""
    p, y = np.array([0.9, 0.4, 0.7]), np.array([1.0, 0.0, 1.0])
    right = -math.log(0.9 * 0.6 * 0.7) / 3
    value = total(y * np.log(p), (1 - y) * np.log(1 - p))
    return Finding(
        abs(value - right) < 1e-12, f"it is {value:.4f}, -log(0.9·0.6·0.7)/3 {right:.4f}."
    )


def _newton_arrives(hessian: Callable[[Array, Array], Array]) -> Finding:
    """Eight Newton steps with the gradient of the mean loss and this Hessian."""
    rng = np.random.default_rng(7)
    X = with_ones(rng.standard_normal(100))
    y = (rng.random(100) < sigmoid(X @ np.array([0.5, 1.0]))).astype(float)
    w = np.zeros(2)
    for _ in range(8):
        p = sigmoid(X @ w)
        w = w - np.linalg.solve(hessian(X, np.diag(p * (1 - p))), X.T @ (p - y) / 100)
    slope = float(np.linalg.norm(X.T @ (sigmoid(X @ w) - y) / 100))
    return Finding(slope < 1e-9, f"after 8 steps the gradient is {slope:.6f}.")


Outliers = Mapping[str, tuple[float, float]]  # where ten outliers stand, and their label


def _leave_the_fit_alone(outliers: Outliers) -> Finding:
    """Ten outliers move the threshold by less than 0.1 and keep a quarter of the slope."""
    rng = np.random.default_rng(8)
    y = np.repeat([0.0, 1.0], 100)
    x = 3 * y - 1.5 + rng.standard_normal(200)
    b, w = newton_logistic(with_ones(x), y)
    told, holds = [], True
    for name, (place, label) in outliers.items():
        both = np.append(x, np.full(10, place)), np.append(y, np.full(10, label))
        b2, w2 = newton_logistic(with_ones(both[0]), both[1], steps=25)
        move = abs(b2 / w2 - b / w)
        holds &= bool(move < 0.1 and w2 > w / 4)
        told.append(f"{name}: the threshold moves by {move:.2f}, the slope goes to {w2 / w:.0%}")
    return Finding(holds, f"{'; '.join(told)}.")


# ---------------------------------------------------------------------------------- softmax

SEPARABLE_X = np.array([[-2, 0], [-2, 1], [-3, 0], [2, 0], [2, 1], [3, 0], [0, 4], [1, 4], [0, 5]])
SEPARABLE_Y = np.eye(3)[[0, 0, 0, 1, 1, 1, 2, 2, 2]]


def _settles(penalty: float) -> Finding:
    """Norm of the softmax weights after 200 and after 4000 gradient steps."""
    X, W = with_ones(SEPARABLE_X.astype(float)), np.zeros((3, 3))
    norms = {}
    for step in range(1, 4001):
        scores = X @ W
        p = np.exp(scores - scores.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        W -= 0.3 * (X.T @ (p - SEPARABLE_Y) / len(X) + penalty * W)
        if step in (200, 4000):
            norms[step] = float(np.linalg.norm(W))
    return Finding(
        norms[4000] < 1.01 * norms[200],
        f"the norm is {norms[200]:.2f} after 200 steps, {norms[4000]:.2f} after 4000.",
    )


CHECKS: dict[str, Check[Any]] = {
    "E4-01": Check(
        {"section 1.2": lambda: _first_class(1.5, 1), "section 2.1": lambda: _first_class(1.5, -1)},
        {"one convention": lambda: _first_class(1.5, 1)},
        one_answer,
    ),
    "E4-03": Check(True, False, _tells_whether_coupled),
    "E4-04": Check(_error_given_second_x, _mean_of_conditional_errors, _is_the_average_error),
    "E4-05": Check(lambda p: 0.0, _bayes_threshold, _decides_as_gaussian),
    "E4-06": Check(_mean_by_example, _mean_by_class, _is_the_scatter),
    "E4-07": Check(_sum_of_variances, _sum_of_scatters, _gives_fishers_direction),
    "E4-09": Check(
        lambda first, second: (first + second) / 2,
        lambda first, second: -(first + second) / 2,
        _classifies_projections,
    ),
    "E4-10": Check(lambda p: p - (1 - p), _bayes_threshold, _decides_as_bayes),
    "E4-11": Check(
        lambda K, Q, N: (K > Q, Q - 1),
        lambda K, Q, N: (N >= K + Q, min(K, Q - 1)),
        _foretells_the_ranks,
    ),
    "E4-12": Check(lambda N, Q: N, lambda N, Q: Q, _is_the_grand_mean),
    "E4-14": Check(
        lambda vectors: [np.outer(v, v) for v in vectors],
        lambda vectors: vectors,
        _at_most_two_independent,
    ),
    "E4-15": Check(lambda loss: False, _has_no_negative_curvature, _foretells_convexity),
    "E4-16": Check(
        lambda i, w: w * EXAMPLES[0], lambda i, w: w * EXAMPLES[i], _vanishes_at_the_truth
    ),
    "E4-17": Check(
        lambda a, b: float(-a.sum() / len(a) + b[-1]),
        lambda a, b: float(-(a + b).sum() / len(a)),
        _is_the_mean_log_loss,
    ),
    "E4-19": Check(lambda X, R: X.T @ R @ X, lambda X, R: X.T @ R @ X / len(X), _newton_arrives),
    "E4-23": Check(
        {"10 correct ones at 30": (30.0, 1.0), "10 wrong ones at -8": (-8.0, 1.0)},
        {"10 correct ones at 30": (30.0, 1.0)},
        _leave_the_fit_alone,
    ),
    "E4-27": Check(0.0, 0.05, _settles),
}
