"""Answers for the tests of the exercises: from the notebooks, other right ones, and wrong data."""

import math
from itertools import pairwise

import nbformat
import numpy as np

from tests.conftest import ROOT


def answer_cells(folder: str) -> dict[str, str]:
    """Source of the answer cell of every exercise, by identity."""
    found = {}
    for path in sorted((ROOT / folder).glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        for answer, checked in pairwise(cells):
            identity = checked.metadata.get("lectures", {}).get("check")
            if identity and checked.cell_type == "code":
                found[identity] = answer.source
    return found


SOLVED, UNTOUCHED = answer_cells("solutions"), answer_cells("exercises")


def answers_in(source: str, exercise) -> tuple:
    """What `check` is called with after the answer cell has run."""
    namespace = {"np": np}
    exec(compile(source, "<answer>", "exec"), namespace)
    names = [name for part in exercise.names for name in part.split(", ")]
    return tuple(namespace[name] for name in names)


# Other right answers ------------------------------------------------------------------------


def fit_in_pure_python(X, s, eta, tie, max_passes):
    rows = [[1.0, *map(float, row)] for row in X]
    w, count = [0.0] * len(rows[0]), 0
    for _ in range(max_passes):
        clean = True
        for row, sign in zip(rows, s.tolist(), strict=True):
            g = sum(a * b for a, b in zip(w, row, strict=True))
            answer = 1 if g > 0 or (g == 0 and tie == "positive") else -1
            if answer != sign or (tie == "update" and g == 0):
                w = [a + eta * sign * b for a, b in zip(w, row, strict=True)]
                count, clean = count + 1, False
        if clean:
            return w, count
    return w, count


def fit_with_separate_bias(X, s, eta, tie, max_passes):
    w, b, count, since = np.zeros((X.shape[1], 1)), 0.0, 0, 0
    for step in range(max_passes * len(s)):
        i = step % len(s)
        m = s[i] * ((X[i] @ w).item() + b)
        if m <= 0 if tie == "update" else (m < 0 or (m == 0 and s[i] == -1)):
            w, b, count, since = w + eta * s[i] * X[i][:, None], b + eta * s[i], count + 1, 0
        else:
            since += 1
        if since == len(s):
            break
    return np.vstack([[[b]], w]).astype(np.float32), np.float64(count)


def loss_by_a_loop(X, s, w):
    total = 0.0
    for row, sign in zip(X, s, strict=True):
        margin = sign * (w[0] + sum(a * b for a, b in zip(w[1:], row, strict=True)))
        total += 0 if margin >= 0 else -margin
    return [total / len(s)]


def subgradient_half_way(X, s, w):
    A = np.hstack([np.ones((len(X), 1)), X])
    m = s * (A @ w)
    share = np.where(m < 0, 1.0, np.where(m == 0, 0.5, 0.0))
    return -(A * (s * share)[:, None]).mean(axis=0)[:, None]


def loss_clipped(X, s, w):
    return np.float32(np.mean(np.clip(-s * (X @ w[1:] + w[0]), 0, None)))


def subgradient_at_strict_mistakes(X, s, w):
    parts = []
    for x, sign in zip(X, s, strict=True):
        counts = float(sign * (w[0] + x @ w[1:]) < 0)
        parts.append(-sign * np.array([1, *x]) * counts)
    return np.mean(parts, axis=0).astype("float32").tolist()


def losses_by_masks(m):
    zero_one = m <= 0
    logistic = np.log1p(np.exp(-np.abs(m))) + np.maximum(-m, 0)
    return np.array([zero_one, np.where(m < 0, -m, 0), np.where(m < 1, 1 - m, 0), logistic])


def losses_in_lists(m):
    rows = [[], [], [], []]
    for x in m.tolist():
        rows[0].append(int(x <= 0))
        rows[1].append(max(0, -x))
        rows[2].append(max(0, 1 - x))
        rows[3].append(math.log1p(math.exp(-x)) if x > -30 else -x)
    return rows


def bound_by_a_loop(X, s, w_star):
    length = sum(float(v) ** 2 for v in w_star) ** 0.5
    margins = [
        float(sign) * (w_star[0] + sum(w_star[1:] * x)) / length
        for x, sign in zip(X, s, strict=True)
    ]
    gamma = min(margins)
    if gamma <= 0:
        return float("inf")
    return max(1 + float(x @ x) for x in X) / gamma**2


def bound_as_one_entry(X, s, w_star):
    A = np.insert(X, 0, 1, axis=1)
    unit = w_star / np.sqrt(w_star @ w_star)
    worst = np.min(np.diag(s) @ A @ unit)
    longest = np.max(np.linalg.norm(A, axis=1))
    return np.array([[longest**2 / worst**2 if worst > 1e-12 else np.inf]])


def bounds_by_a_loop(W, w_star, gamma, R, eta):
    lower, upper = [], []
    for t, w in enumerate(W, start=1):
        lower.append(int(np.dot(w_star, w) >= t * eta * gamma))
        upper.append(int(np.dot(w, w) <= t * (eta * R) ** 2))
    return lower, upper


def bounds_stacked(W, w_star, gamma, R, eta):
    t = 1 + np.arange(W.shape[0])
    return np.stack([W @ w_star - t * eta * gamma >= 0, np.sum(W * W, 1) <= t * eta**2 * R**2])


def dual_in_lists(G, s, max_passes):
    alpha = [0] * len(s)
    for _ in range(max_passes):
        clean = True
        for i in range(len(s)):
            g = sum(alpha[j] * s[j] * G[i][j] for j in range(len(s)))
            if s[i] * g <= 0:
                alpha[i] += 1
                clean = False
        if clean:
            break
    return alpha


def dual_with_scores(G, s, max_passes):
    alpha, scores, since, step = np.zeros((len(s), 1)), np.zeros(len(s)), 0, 0
    while since < len(s) and step < max_passes * len(s):
        i = step % len(s)
        if s[i] * scores[i] <= 0:
            alpha[i] += 1
            scores, since = scores + s[i] * G[:, i], 0
        else:
            since += 1
        step += 1
    return alpha


def bound_from_by_bisection(X, s, w_star, w_init, eta):
    A, unit = np.column_stack([np.ones(len(X)), X]), w_star / np.linalg.norm(w_star)
    gamma, R2 = (s * (A @ unit)).min(), (A * A).sum(axis=1).max()

    def allowed(t):
        return (unit @ w_init + t * eta * gamma) ** 2 <= w_init @ w_init + t * eta**2 * R2 + 1e-12

    low, high = 0.0, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if allowed(middle) else (low, middle)
    return low


def bound_from_by_roots(X, s, w_star, w_init, eta):
    A, unit = np.column_stack([np.ones(len(X)), X]), w_star / np.linalg.norm(w_star)
    g, r, a = eta * (s * (A @ unit)).min(), eta**2 * (A * A).sum(axis=1).max(), unit @ w_init
    return np.roots([g * g, 2 * a * g - r, a * a - w_init @ w_init]).max()


OTHER_RIGHT = {
    "perceptron.fit": [(fit_in_pure_python,), (fit_with_separate_bias,)],
    "perceptron.loss": [
        (loss_by_a_loop, subgradient_half_way),
        (loss_clipped, subgradient_at_strict_mistakes),
    ],
    "perceptron.trace": [
        (np.array([[0, 1, 2, -2], [1, 0, 2, -2], [2, 1, 5, 1], [3, 0, 4, 3], [1, -1, 4, 3]]),),
        ([[0.0, 1, 2, -2], (1, 0, 2, -2), (2, 1, 5, 1), (3, 0, 4, 3), (1, -1, 4, 3)],),
    ],
    "perceptron.zero_margin": [
        ([[1, 0], [2, 0], [-1, 0], [-2, 0]], [-1.0, -1.0, 1.0, 1.0]),
        (np.float32([[0.5, 0.5], [-1, -1], [3, 3], [-2, 0]]), (-1, 1, -1, 1)),
    ],
    "perceptron.losses": [(losses_by_masks,), (losses_in_lists,)],
    "perceptron.losses_quiz": [("db",), (["b", "d"],)],
    "perceptron_convergence.upper_bound": [
        (
            """
            norm(w + eta*s*x)**2
            = norm(w)**2 + 2*s*eta*dot(x, w) + eta**2*norm(x)**2
            = dot(w, w) + 2*s*eta*dot(w, x) + eta**2*dot(x, x)
            <= norm(w)**2 + eta**2*norm(x)**2
            <= eta**2*R**2 + norm(w)**2
            """,
        ),
        (
            "norm(w + eta*s*x)**2 = norm(w)**2 + 2*dot(w, eta*s*x) + norm(eta*s*x)**2\n"
            "<= norm(w)**2 + norm(eta*s*x)**2  # a mistake\n<= norm(w)**2 + (eta*R)**2",
        ),
    ],
    "perceptron_convergence.bound": [(bound_by_a_loop,), (bound_as_one_entry,)],
    "perceptron_convergence.claimed_trace": [(bounds_by_a_loop,), (bounds_stacked,)],
    "perceptron_convergence.dual": [(dual_in_lists,), (dual_with_scores,)],
    "perceptron_convergence.tight_data": [
        (np.vstack([10 * np.eye(10)]).tolist(), [-1, 1] * 5, [0] + [-3, 3] * 5),
        (np.eye(20) * 2, np.tile([1, -1], 10), np.array([[0, *[1, -1] * 10]]).T),
    ],
    "perceptron_convergence.nonzero_start": [(bound_from_by_bisection,), (bound_from_by_roots,)],
    "perceptron_convergence.rate_quiz": [("B",), ("(b)",)],
}  # fmt: skip


# Answers that are data: for every slip one answer that makes it.
EYE = np.eye(12)
WRONG_DATA = {
    "perceptron.trace": {
        "Rows counted from 1": ([(1, 1, 2, -2), (2, 0, 2, -2), (3, 1, 5, 1), (4, 0, 4, 3), ...],),
        "Ties are passed over": ([(1, -1, 0, 0), (2, 0, 3, 3), (1, -1, 3, 3), ..., ...],),
        "Later ties are passed over": ([(0, 1, 2, -2), (1, 0, 2, -2), (3, -1, 1, 0), ..., ...],),
        "The bias stands last": ([(0, 2, -2, 1), (1, 2, -2, 0), (2, 5, 1, 1), ..., ...],),
        "The bias never moves": ([(0, 0, 2, -2), (1, 0, 2, -2), (2, 0, 5, 1), (3, 0, 4, 3), ...],),
        "Back to the first example": ([(0, 1, 2, -2), (1, 0, 2, -2), (1, -1, 2, -2), ..., ...],),
        "The weights before the update": ([(0, 0, 0, 0), (1, 1, 2, -2), (2, 0, 2, -2), ..., ...],),
        "The sign is missing": ([(0, 1, 2, -2), (1, 2, 2, -2), (3, 3, 3, -4), ..., ...],),
    },
    "perceptron.zero_margin": {
        "The line passes between the classes": ([[1, 0], [2, 1], [-2, 0], [-3, 2]], [-1, -1, 1, 1]),
        "Not separable": ([[0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]),
        "Too slow": ([[1000, 0], [1001, 0], [999, 0], [1002, 0]], [-1, 1, -1, 1]),
        "One class only": ([[1, 0], [2, 1], [-1, 0], [-3, 2]], [1, 1, 1, 1]),
    },
    "perceptron_convergence.tight_data": {
        "w* points the other way": (3 * EYE, np.tile([-1, 1], 6), [0] + [1, -1] * 6),
        "The bias stands last": (3 * EYE, np.tile([-1, 1], 6), np.append(np.tile([-1, 1], 6), 0.5)),
        "w* does not separate": (3 * EYE, np.tile([-1, 1], 6), np.ones(13)),
        "Too few updates": ([[-1], [1]], [-1, 1], [0, 1]),
        "The examples repair each other": ([[5], [6], [8], [9]], [-1, -1, 1, 1], [-7, 1]),
    },
}  # fmt: skip
