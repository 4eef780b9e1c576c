"""The convergence proof of the perceptron, checked on a run in exact arithmetic.

A run is given by the indices of the examples that caused its updates, nothing else. From the data
(every float is a fraction) the certificate replays, in units of eta,

    W(t) = W(t-1) + s_i x_i            i = updates[t-1],  W(0) = 0

(x_i with a one in front if there is a bias w0*) in whole numbers, and checks every line of the
proof at every update t against any (w0*, w*) that separates the classes, with

    gamma = min s_i w*·x_i        R² = max ||x_i||²

    a(t) = w*·W(t)                q(t) = ||W(t)||²

Nothing is rounded and no root is taken: squares are compared, so w* need not have length one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.exact import decimal
from lectures_lib._core.validation import Array, check_matrix, check_signs

Number = int | float | Fraction
Whole = tuple[NDArray[Any], int]  # whole numbers of Python, and the D by which they are divided

PROOF = {
    "separation": "s_i w*·x_i ≥ γ > 0 for every example i",
    "decisions": "an example is used exactly when it is wrong",
    "progress": "a(t) ≥ a(t-1) + ηγ",
    "growth": "q(t) ≤ q(t-1) + η²R²",
    "lower bound": "a(t) ≥ tηγ",
    "upper bound": "q(t) ≤ tη²R²",
    "Cauchy-Schwarz": "a(t)² ≤ ‖w*‖² q(t)",
    "conclusion": "t ≤ R²‖w*‖²/γ²",
}
ROUNDING = 2.0**-53  # relative error of one operation of a float


@dataclass
class Line:
    """One line of the proof: how often it was checked, and held with equality; its failure."""

    checked: int = 0
    equal: int = 0
    failed_at: int | None = None  # the first update at which it is false
    failure: str = ""

    def check(self, t: int, left: Fraction, sign: str, right: Fraction) -> None:
        """Note whether `left` `sign` `right` is true, with sign ≥ or ≤."""
        self.checked += 1
        self.equal += left == right
        if not (left >= right if sign == "≥" else left <= right):
            self.fail(t, f"update {t}: {decimal(left)} {sign} {decimal(right)} is false")

    def fail(self, t: int, words: str) -> None:
        """Keep the first failure."""
        if self.failed_at is None:
            self.failed_at, self.failure = t, words


@dataclass
class Certificate:
    """What the proof says about one run; `holds` and `verdict()` sum it up.

    >>> X, s = [[0], [2]], [-1, 1]
    >>> found = certificate(X, s, [-1, 1], Perceptron().fit(X, s).updates_)
    >>> found.holds, found.n_updates
    (True, 3)
    """

    n_examples: int
    n_updates: int
    gamma: Fraction
    R2: Fraction
    norm2: Fraction  # ||w*||²
    n_decisions: int = 0
    n_wrong_at_end: int = 0
    lines: dict[str, Line] = field(default_factory=lambda: {name: Line() for name in PROOF})

    @property
    def bound(self) -> Fraction | None:
        """R²‖w*‖²/γ², the largest number of updates; None without γ > 0."""
        return self.R2 * self.norm2 / self.gamma**2 if self.gamma > 0 else None

    @property
    def broken(self) -> str | None:
        """The line of the proof that is false at the earliest update; None if none is."""
        failures = [(line.failed_at, name) for name, line in self.lines.items() if line.failure]
        return min(failures, key=lambda failure: failure[0] or 0)[1] if failures else None

    @property
    def holds(self) -> bool:
        """Whether every decision and every inequality is right at every update."""
        return self.broken is None

    def check_update(
        self, t: int, before: tuple[Fraction, Fraction], a: Fraction, q: Fraction
    ) -> None:
        """The inequalities after update t, for a = w*·w and q = ‖w‖² and what they were before."""
        lines, (a_before, q_before) = self.lines, before
        lines["progress"].check(t, a, "≥", a_before + self.gamma)
        lines["growth"].check(t, q, "≤", q_before + self.R2)
        lines["lower bound"].check(t, a, "≥", t * self.gamma)
        lines["upper bound"].check(t, q, "≤", t * self.R2)
        lines["Cauchy-Schwarz"].check(t, a**2, "≤", self.norm2 * q)
        if self.bound is not None:
            lines["conclusion"].check(t, Fraction(t), "≤", self.bound)

    def rows(self) -> list[tuple[str, str, str]]:
        """Name, formula and finding for every line of the proof."""
        return [(name, formula, self._finding(name)) for name, formula in PROOF.items()]

    def _finding(self, name: str) -> str:
        line = self.lines[name]
        if line.failure:
            return f"FAILS, {line.failure}"
        if name == "separation":
            return f"holds, γ = {decimal(self.gamma)}"
        if name == "decisions":
            return f"holds, {self.n_decisions} decisions"
        often = f"holds, {line.checked} of {line.checked} updates"
        return f"{often}, {line.equal} with equality" if line.equal else often

    def verdict(self) -> str:
        """One sentence: the first failure, or what has been proved."""
        if self.broken is not None:
            return f"The proof breaks at “{self.broken}”: {self.lines[self.broken].failure}."
        end = "the run ended with every example right"
        if self.n_wrong_at_end:
            end = f"the run stopped with {self.n_wrong_at_end} examples still wrong"
        return f"Every line of the proof holds at every update; {end}."

    def __repr__(self) -> str:
        return f"{self.heading()}. {self.verdict()}"

    def heading(self) -> str:
        """How long the run was."""
        updates = "update" if self.n_updates == 1 else "updates"
        examples = "example" if self.n_examples == 1 else "examples"
        return (
            f"Certificate: {self.n_updates} {updates} on {self.n_examples} {examples}, "
            "in exact arithmetic"
        )


def certificate(
    X: ArrayLike,
    s: ArrayLike,
    w_star: Sequence[Number] | Array,
    updates: ArrayLike,
    *,
    norm2: Number | None = None,
) -> Certificate:
    """The convergence proof, checked line by line on the run that used the examples `updates`.

    The run visits the examples in their order and counts a margin of 0 as a mistake. `w_star`:
    any (w0*, w*) that separates the classes, the bias first; with d entries there is no bias.
    `norm2` replaces ‖w*‖² by what somebody claims it is: with a wrong claim the first line that
    becomes false is named.

    >>> X, s = [[0], [2]], [-1, 1]
    >>> certificate(X, s, [-1, 1], Perceptron().fit(X, s).updates_).holds
    True
    """
    rows = _signed_rows(X, s, w_star)
    N = len(rows)
    used = _indices(updates, N)
    Z, D = common_denominator(rows.ravel().tolist())
    Z = Z.reshape(rows.shape)
    star, D_star = common_denominator(w_star, "w_star")

    margins = Z @ star
    found = Certificate(
        n_examples=N,
        n_updates=len(used),
        gamma=Fraction(margins.min(), D * D_star),
        R2=Fraction((Z**2).sum(axis=1).max(), D**2),
        norm2=Fraction(int(star @ star), D_star**2) if norm2 is None else _fraction(norm2, "norm2"),
    )
    if found.gamma <= 0:
        words = f"s w*·x = {decimal(found.gamma)} at example {margins.argmin()}, not > 0"
        found.lines["separation"].fail(0, words)
    W = np.array([0] * rows.shape[1], dtype=object)  # the weights, times D
    a = q = Fraction(0)
    at, drift = 0, np.zeros(rows.shape[1])  # place of the next visit; rounding of a float run
    for t, i in enumerate(used, start=1):
        passed = np.arange(at, i if at <= i else N + i) % N
        at = i + 1
        found.n_decisions += len(passed) + 1
        should = [(k, "was passed over though wrong") for k in passed[Z[passed] @ W <= 0][:1]]
        should += [(i, "was used though right")] if Z[i] @ W > 0 else []
        for k, what in should:
            margin = Fraction(int(Z[k] @ W), D**2)
            explained = abs(_float(margin)) <= 2 * np.abs(rows[k]) @ _doubt(W, D, drift)
            why = "rounding explains it" if explained else "rounding does not explain it"
            words = f"update {t}: example {k} {what} (s w·x = {decimal(margin)}; {why})"
            found.lines["decisions"].fail(t, words)
        W = W + Z[i]
        drift += ROUNDING * np.abs([_float(Fraction(v, D)) for v in W])
        before, (a, q) = (a, q), (Fraction(int(star @ W), D * D_star), Fraction(int(W @ W), D**2))
        found.check_update(t, before, a, q)
    found.n_wrong_at_end = int((Z @ W <= 0).sum())
    return found


def _signed_rows(X: ArrayLike, s: ArrayLike, w_star: Sequence[Number] | Array) -> Array:
    """s x for every example, with a one in front of x if `w_star` has a bias."""
    matrix = check_matrix(X)
    signs = check_signs(s, len(matrix))[:, None]
    dimensions = np.asarray(w_star, dtype=object).ndim
    if dimensions != 1:
        raise ValueError(f"w_star: found {dimensions} dimensions, expected one.")
    bias = len(w_star) != matrix.shape[1]
    rows: Array = signs * (np.column_stack([np.ones(len(matrix)), matrix]) if bias else matrix)
    if len(w_star) != rows.shape[1]:
        raise ValueError(
            f"w_star: found {len(w_star)} entries (the bias counted), expected {rows.shape[1]}."
        )
    return rows


def _doubt(W: NDArray[Any], D: int, drift: Array) -> Array:
    """By how much a float run may miss each weight, the sum of its products included."""
    now = np.abs([_float(Fraction(v, D)) for v in W])
    return np.asarray(drift + (len(W) + 2) * ROUNDING * now)


def common_denominator(values: Iterable[Any], name: str = "X") -> Whole:
    """Exact numbers as whole numbers over one D; a float is a fraction with a power of two."""
    exact = [_fraction(value, name) for value in values]
    D = math.lcm(*(value.denominator for value in exact))
    return np.array([v.numerator * (D // v.denominator) for v in exact], dtype=object), D


def whole_products(rows: Array, weights: Whole) -> list[float]:
    """row·weights for every row, rounded once: whole numbers are multiplied and added."""
    w, D_w = weights
    found = []
    for row in rows:
        z, D = common_denominator(row.tolist())
        found.append(float(Fraction(int(z @ w), D * D_w)))
    return found


def _fraction(value: object, name: str) -> Fraction:
    """The exact value of an integer, a float or a fraction."""
    if isinstance(value, Rational) and not isinstance(value, bool):
        return Fraction(int(value)) if isinstance(value, Integral) else Fraction(value)
    if not isinstance(value, Real) or isinstance(value, bool) or not math.isfinite(value):
        raise ValueError(f"{name}: found {value!r}, expected a finite number.")
    return Fraction(float(value))


def _float(value: Fraction) -> float:
    """The nearest float, infinity where there is none."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _indices(updates: ArrayLike, N: int) -> list[int]:
    """`updates` as indices of examples."""
    array = np.asarray(updates)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ValueError(
            f"updates: found dtype {array.dtype} and shape {array.shape}, expected whole numbers."
        )
    if array.size and (array.min() < 0 or array.max() >= N):
        outside = array[(array < 0) | (array >= N)][0]
        raise ValueError(f"updates: found example {outside}, expected 0 to {N - 1}.")
    indices: list[int] = array.tolist()
    return indices
