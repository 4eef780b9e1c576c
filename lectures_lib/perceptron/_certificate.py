"""The convergence proof of the perceptron, checked on a run in exact arithmetic.

A run is given by the indices of the examples that caused its updates, nothing else. From the data
(every float is a whole number times a power of two) the certificate replays

    W(t) = W(t-1) + eta s_i x_i        i = updates[t-1]

(x_i with a one in front if there is a bias w0*) in whole numbers, and checks every line of the
proof at every update t against any (w0*, w*) that separates the classes, with

    gamma = min s_i w*·x_i        R² = max ||x_i||²

    a(t) = w*·W(t)                q(t) = ||W(t)||²

Nothing is rounded and no root is taken: squares are compared, so w* need not have length one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lectures_lib._core.exact import decimal
from lectures_lib._core.validation import Array, check_choice, check_matrix
from lectures_lib.perceptron._exact_replay import (
    Replay,
    SignedRows,
    as_fraction,
    as_fractions,
    as_indices,
)

Number = int | float | Fraction
Order = Sequence[NDArray[np.intp]]

PROOF = {
    "separation": "s_i w*·x_i ≥ γ > 0 for every example i",
    "decisions": "an example is used exactly when it is wrong",
    "progress": "a(t) ≥ a(t-1) + ηγ",
    "growth": "q(t) ≤ q(t-1) + η²R²",
    "lower bound": "a(t) ≥ a(0) + tηγ",
    "upper bound": "q(t) ≤ q(0) + tη²R²",
    "Cauchy-Schwarz": "a(t)² ≤ ‖w*‖² q(t)",
    "conclusion": "(a(0) + tηγ)² ≤ ‖w*‖² (q(0) + tη²R²)",
}
ZERO_START = {
    "lower bound": "a(t) ≥ tηγ",
    "upper bound": "q(t) ≤ tη²R²",
    "conclusion": "t ≤ R²‖w*‖²/γ²",
}


@dataclass(frozen=True)
class LineFailure:
    """Where a line of the proof is false, and the two sides it compares."""

    line: str
    t: int
    left: Fraction
    right: Fraction
    words: str


@dataclass
class CheckedLine:
    """One line of the proof: how often it was checked, held, and held with equality."""

    name: str
    formula: str
    checked: int = 0
    held: int = 0
    equal: int = 0
    first_failure: LineFailure | None = None

    def check(self, t: int, left: Fraction, sign: str, right: Fraction) -> None:
        """Note whether `left` `sign` `right` is true, with sign ≥ or ≤."""
        self.checked += 1
        self.equal += left == right
        if left >= right if sign == "≥" else left <= right:
            self.held += 1
        elif self.first_failure is None:
            words = f"update {t}: {decimal(left)} {sign} {decimal(right)} is false"
            self.first_failure = LineFailure(self.name, t, left, right, words)

    def fail(self, t: int, left: Fraction, right: Fraction, words: str) -> None:
        """Note a failure that is told in words of its own."""
        if self.first_failure is None:
            self.first_failure = LineFailure(self.name, t, left, right, words)


@dataclass(frozen=True)
class ExactUpdate:
    """One update in exact numbers; `margin` is s g(x) of the used example before the update."""

    t: int
    example: int
    margin: Fraction
    a: Fraction
    a_at_least: Fraction
    b: Fraction
    b_at_most: Fraction


@dataclass(frozen=True)
class Disagreement:
    """A decision of the run that exact arithmetic takes otherwise."""

    t: int  # the update that was wrong, or before which the example was passed over
    example: int
    margin: Fraction  # s g(x), exact
    used: bool  # True: used though right; False: passed over though wrong
    by_rounding: bool  # so close to 0 that float64 arithmetic cannot be expected to tell

    def __str__(self) -> str:
        what = "was used though right" if self.used else "was passed over though wrong"
        why = "rounding explains it" if self.by_rounding else "rounding does not explain it"
        return (
            f"update {self.t}: example {self.example} {what} "
            f"(exact margin {decimal(self.margin)}; {why})"
        )


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
    eta: Fraction
    a_start: Fraction
    b_start: Fraction
    n_decisions: int = 0
    n_wrong_at_end: int = 0
    lines: dict[str, CheckedLine] = field(default_factory=dict)
    steps: list[ExactUpdate] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether every decision and every inequality is right at every update."""
        return self.first_failure is None

    @property
    def first_failure(self) -> LineFailure | None:
        """The earliest line of the proof that is false, at the earliest update; None if none is."""
        failures = [line.first_failure for line in self.lines.values() if line.first_failure]
        return min(failures, key=lambda failure: failure.t, default=None)

    @property
    def bound(self) -> Fraction | None:
        """R²‖w*‖²/γ², the largest number of updates; None without γ > 0 or a zero start."""
        if self.gamma <= 0 or self.b_start != 0:
            return None
        return self.R2 * self.norm2 / self.gamma**2

    def rows(self) -> list[tuple[str, str, str]]:
        """Name, formula and finding for every line of the proof."""
        return [(line.name, line.formula, self._finding(line)) for line in self.lines.values()]

    def _finding(self, line: CheckedLine) -> str:
        if line.first_failure is not None:
            return f"FAILS, {line.first_failure.words}"
        if line.name == "separation":
            return f"holds, γ = {decimal(self.gamma)}"
        if line.name == "decisions":
            return f"holds, {self.n_decisions} decisions"
        often = f"holds, {line.held} of {line.checked} updates"
        return f"{often}, {line.equal} with equality" if line.equal else often

    def verdict(self) -> str:
        """One sentence: the first failure, or what has been proved."""
        failure = self.first_failure
        if failure is not None:
            return f"The proof breaks at “{failure.line}”: {failure.words}."
        end = (
            "the run ended with every example right"
            if self.n_wrong_at_end == 0
            else f"the run stopped with {self.n_wrong_at_end} examples still wrong"
        )
        return f"Every line of the proof holds at every update; {end}."

    def __repr__(self) -> str:
        return f"{self.heading()}. {self.verdict()}"

    def heading(self) -> str:
        """How long the run was."""
        return (
            f"Certificate: {_count(self.n_updates, 'update')} on "
            f"{_count(self.n_examples, 'example')}, in exact arithmetic"
        )


def certificate(
    X: ArrayLike,
    s: ArrayLike,
    w_star: Sequence[Number] | Array,
    updates: ArrayLike,
    *,
    eta: Number = 1,
    tie: str = "update",
    start: Sequence[Number] | Array | None = None,
    order: Sequence[ArrayLike] | None = None,
    gamma: Number | None = None,
    norm2: Number | None = None,
) -> Certificate:
    """The convergence proof, checked line by line on the run that used the examples `updates`.

    `w_star`: any (w0*, w*) that separates the classes, the bias first; with d entries there is no
    bias. `start`: W(0), of the same length. `order`: the examples visited in each pass, one array
    per pass; None means 0, 1, ..., N-1 every time. `gamma` and `norm2` replace γ and ‖w*‖² by what
    somebody claims they are: with a wrong claim the first line that becomes false is named.

    >>> X, s = [[0], [2]], [-1, 1]
    >>> certificate(X, s, [-1, 1], Perceptron().fit(X, s).updates_).holds
    True
    """
    matrix = check_matrix(X)
    tie = check_choice(tie, "tie", ("update", "positive"))
    dimensions = np.asarray(w_star, dtype=object).ndim
    if dimensions != 1:
        raise ValueError(f"w_star: found {dimensions} dimensions, expected one.")
    rows = SignedRows(matrix, s, bias=len(w_star) != matrix.shape[1])
    used = as_indices(updates, rows.N, "updates")
    star = as_fractions(list(w_star), rows.d, "w_star")
    step = as_fraction(eta, "eta")
    if step <= 0:
        raise ValueError(f"eta: found {eta!r}, expected a number above 0.")
    first = as_fractions([0] * rows.d if start is None else list(start), rows.d, "start")
    replay = Replay(rows, star, step, first, tie)
    visits = None if order is None else [as_indices(one, rows.N, "order") for one in order]

    smallest, at_smallest = rows.smallest_margin(star)
    found = Certificate(
        n_examples=rows.N,
        n_updates=len(used),
        gamma=smallest if gamma is None else as_fraction(gamma, "gamma"),
        R2=rows.largest_norm2(),
        norm2=sum((v * v for v in star), Fraction(0))
        if norm2 is None
        else as_fraction(norm2, "norm2"),
        eta=step,
        a_start=replay.a,
        b_start=replay.b,
    )
    formulas = PROOF if any(first) else PROOF | ZERO_START
    found.lines = {name: CheckedLine(name, formula) for name, formula in formulas.items()}
    if not smallest >= found.gamma > 0:
        words = f"s w*·x = {decimal(smallest)} at example {at_smallest}"
        words += f", below γ = {decimal(found.gamma)}" if smallest < found.gamma else ", not > 0"
        found.lines["separation"].fail(0, smallest, found.gamma, words)
    _check_updates(found, replay, used, visits)
    found.n_wrong_at_end = len(replay.wrong_among(np.arange(rows.N)))
    return found


def _check_updates(
    found: Certificate, replay: Replay, used: NDArray[np.intp], order: Order | None
) -> None:
    """The induction of the proof: every line at every update."""
    lines, eta, gamma, R2 = found.lines, found.eta, found.gamma, found.R2
    a0, b0, norm2 = found.a_start, found.b_start, found.norm2
    passed_over = _passed_over(used, found.n_examples, order)
    for t, (example, passed) in enumerate(zip(used.tolist(), passed_over, strict=True), start=1):
        _check_decisions(found, replay, t, example, passed)
        margin = replay.margin(example)
        a_before, b_before = replay.a, replay.b
        replay.update(example)
        a, b = replay.a, replay.b

        lines["progress"].check(t, a, "≥", a_before + eta * gamma)
        lines["growth"].check(t, b, "≤", b_before + eta**2 * R2)
        lowest, highest = a0 + t * eta * gamma, b0 + t * eta**2 * R2
        lines["lower bound"].check(t, a, "≥", lowest)
        lines["upper bound"].check(t, b, "≤", highest)
        lines["Cauchy-Schwarz"].check(t, a**2, "≤", norm2 * b)
        if found.bound is not None:
            lines["conclusion"].check(t, Fraction(t), "≤", found.bound)
        elif lowest > 0:  # only then can the lower bound be squared
            lines["conclusion"].check(t, lowest**2, "≤", norm2 * highest)
        found.steps.append(ExactUpdate(t, example, margin, a, lowest, b, highest))


def _check_decisions(
    found: Certificate, replay: Replay, t: int, example: int, passed: NDArray[np.intp]
) -> None:
    """Were the examples passed over before update `t` right, and the used one wrong?"""
    found.n_decisions += len(passed) + 1
    missed = replay.wrong_among(passed)[:1]  # the run should have used the first of them
    other = [(int(i), False) for i in missed]
    if not replay.is_wrong(example):
        other.append((example, True))
    for i, was_used in other:
        different = Disagreement(t, i, replay.margin(i), was_used, replay.rounding_explains(i))
        found.disagreements.append(different)
        found.lines["decisions"].fail(t, different.margin, Fraction(0), str(different))


def _passed_over(used: NDArray[np.intp], N: int, order: Order | None) -> Iterator[NDArray[np.intp]]:
    """For every update, the examples that were visited and left alone since the one before."""
    everyone = np.arange(N)
    number, at = 0, 0  # pass, and place in it of the next visit
    for t, example in enumerate(used.tolist(), start=1):
        passed = []
        while True:
            if order is not None and number >= len(order):
                raise ValueError(
                    f"order: update {t} uses example {example}, "
                    f"which is not visited again in the {len(order)} passes given."
                )
            visited = everyone if order is None else order[number]
            places = np.flatnonzero(visited[at:] == example)
            if len(places):
                passed.append(visited[at : at + places[0]])
                at += int(places[0]) + 1
                break
            passed.append(visited[at:])
            number, at = number + 1, 0
        yield np.concatenate(passed)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
