"""Newton's method for the mean cross-entropy, and how to need few Hessians when N is large.

A pass over the data for the Hessian costs as much as several passes for the gradient. So with many
examples the search starts from the maximum of a fifth of them, which has nearly the same maximum
and nearly the same Hessian, and goes on with gradients alone: each difference of two gradients
tells something about the Hessian of the whole, and corrects that of the fifth (L-BFGS). The
maximum of the fifth is found in the same way. One Hessian is computed at the end: it is the
information matrix, from which the standard errors come, and it makes one more Newton step free.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from lectures_lib._core.centring import EPS
from lectures_lib._core.likelihood.terms import Likelihood, Value
from lectures_lib._core.validation import Array

STRIDE = 5  # a search starts from every fifth example
SAMPLE = 4_000  # the smallest number of examples to start from, and
SAMPLE_PER_PARAMETER = 15
SAMPLE_TOL = 1e-4  # gradient at which a sample has served its purpose
MEMORY = 15  # differences of gradients that are remembered
PATIENCE = 25  # steps with an old Hessian before a new one is computed
ADDITIONS = 10.0 ** np.arange(-14, 1)  # to the diagonal of a matrix scaled to a diagonal of 1
REGULAR = 1e-12  # smallest eigenvalue of a Hessian scaled to a diagonal of 1
SAFELY = 0.25  # instead of 1 in the proof that a maximum exists: room for rounding
SETTLING_STEPS = 60
SETTLED = 1e-8  # a last step as short as this leaves the standard errors as they are


@dataclass
class Trail:
    """The points that a search passed, kept only when they are wanted."""

    wanted: bool = False
    thetas: list[Array] = field(default_factory=list)
    losses: list[float] = field(default_factory=list)

    def add(self, theta: Array, loss: float) -> None:
        """Note a point and the loss there."""
        if self.wanted:
            self.thetas.append(theta)
            self.losses.append(loss)


@dataclass
class SearchEnd:
    """Where a search for the maximum ended. `inverse` is that of the mean Hessian there."""

    theta: Array
    loss: float
    converged: bool
    n_iter: int
    inverse: Array | None = None
    bounded: bool = False  # there is a proof that the maximum exists


def maximise(
    f: Likelihood, units: Array, tol: float, max_iter: int, settled: float = SETTLED
) -> SearchEnd:
    """The maximum of the likelihood, by way of samples when there are many examples."""
    smallest = max(SAMPLE, SAMPLE_PER_PARAMETER * int(np.prod(f.shape)))
    if len(f.codes) < STRIDE * smallest:
        return newton(f, units, tol, max_iter, settled)
    sample = maximise(f.every(STRIDE), units, max(tol, SAMPLE_TOL), max_iter, np.inf)
    if not sample.bounded:
        return newton(f, units, tol, max_iter, settled)
    assert sample.inverse is not None
    inverse = sample.inverse
    found = quasi_newton(
        f, units, tol / 10, min(max_iter, PATIENCE), sample.theta, lambda g: inverse @ g
    )
    if not found.converged and max_iter > PATIENCE:
        return newton(f, units, tol, max_iter, settled, found)
    found.bounded = True  # more examples forbid more directions
    settle(f, units, found, settled)
    return found


def newton(
    f: Likelihood,
    units: Array,
    tol: float,
    max_iter: int,
    settled: float = SETTLED,
    start: SearchEnd | None = None,
    record: Trail | None = None,
) -> SearchEnd:
    """Search until every entry of gradient / units is at most `tol`, with a Hessian every step."""
    theta = np.zeros(f.shape) if start is None else start.theta
    n_iter = 0 if start is None else start.n_iter
    here = f.at(theta, hessian=True)
    record = record or Trail()
    record.add(theta, here.loss)
    while size(here, units) > tol and n_iter < max_iter:
        assert here.hessian is not None
        step = -inverse_of(here.hessian) @ here.gradient.ravel()
        before = here
        theta, here = _walk(f, theta, here, step.reshape(f.shape), hessian=True)
        n_iter += 1
        record.add(theta, here.loss)
        if _stands(before, here, units):
            break
    found = SearchEnd(theta, here.loss, size(here, units) <= tol, n_iter)
    settle(f, units, found, settled, here)
    return found


def quasi_newton(
    f: Likelihood,
    units: Array,
    tol: float,
    max_iter: int,
    theta: Array,
    inverse_times: Callable[[Array], Array],
    record: Trail | None = None,
    *,
    scaled: bool = False,
) -> SearchEnd:
    """The same with gradients only (L-BFGS); `inverse_times` applies a guess of H^-1.

    With `scaled` the guess is right up to a factor only, which the last step corrects.
    """
    here = f.at(theta)
    record = record or Trail()
    record.add(theta, here.loss)
    pairs: list[tuple[Array, Array]] = []
    n_iter = stood = 0
    if scaled:  # a short way down tells the factor before the first step
        probe = -0.01 * inverse_times(here.gradient.ravel())
        there = f.at(theta + probe.reshape(f.shape))
        pairs.append((probe, (there.gradient - here.gradient).ravel()))
    while size(here, units) > tol and n_iter < max_iter:
        step = -_corrected(here.gradient.ravel(), pairs, inverse_times, scaled=scaled)
        before, start = here, theta
        theta, here = _walk(f, theta, here, step.reshape(f.shape), hessian=False)
        moved = (theta - start).ravel()
        changed = (here.gradient - before.gradient).ravel()
        if moved @ changed > 0:
            pairs = [*pairs, (moved, changed)][-MEMORY:]
        n_iter += 1
        record.add(theta, here.loss)
        stood = stood + 1 if _stands(before, here, units) else 0
        if stood == 3:  # one step may be misled by rounding
            break
    return SearchEnd(theta, here.loss, size(here, units) <= tol, n_iter)


def size(value: Value, units: Array) -> float:
    """Largest entry of the gradient with respect to features in the given units."""
    return float(np.abs(value.gradient / units).max())


def _stands(before: Value, here: Value, units: Array) -> bool:
    """Whether rounding lets neither the loss nor the gradient become smaller."""
    return here.loss >= before.loss and size(here, units) >= size(before, units)


def inverse_of(H: Array) -> Array:
    """Inverse of a symmetric matrix, made positive definite by a small addition if it is not."""
    diagonal = np.diag(H)
    # Far out in a direction that separates, every probability is 0 or 1 and H is exactly 0.
    scale = np.sqrt(np.maximum(diagonal, max(1e-30 * diagonal.max(), 1e-200)))
    scaled = H / scale / scale[:, None]  # without units, so that the addition has a meaning
    for addition in (0.0, *ADDITIONS):
        try:
            L = np.linalg.cholesky(scaled + addition * np.eye(len(H)))
            break
        except np.linalg.LinAlgError:
            continue
    else:
        raise FloatingPointError("the Hessian of the likelihood holds numbers that are not finite")
    half = np.linalg.inv(L) / scale
    inverse: Array = half.T @ half
    return inverse


def _regular(H: Array) -> bool:
    """Whether rounding leaves no doubt that H, without units, is positive definite."""
    scale = np.sqrt(np.maximum(np.diag(H), 1e-300))
    return bool(np.linalg.eigvalsh(H / scale / scale[:, None])[0] > REGULAR)


def _walk(
    f: Likelihood, theta: Array, here: Value, step: Array, *, hessian: bool
) -> tuple[Array, Value]:
    """The point after the step and the value there; the step is halved until the loss falls."""
    slope = float(np.vdot(here.gradient, step))
    slack = 1e-14 * max(1.0, abs(here.loss))  # the loss is not known better than that
    length = 1.0
    while True:
        there = f.at(theta + length * step, hessian=hessian)
        if there.loss <= here.loss + 1e-4 * length * slope + slack or length < 1e-8:
            return theta + length * step, there
        length /= 2


def _corrected(
    g: Array,
    pairs: list[tuple[Array, Array]],
    inverse_times: Callable[[Array], Array],
    *,
    scaled: bool,
) -> Array:
    """H^-1 g for the matrix that explains the remembered pairs (two-loop recursion of L-BFGS)."""
    q = g.copy()
    shares = []
    for moved, changed in reversed(pairs):
        shares.append((moved @ q) / (moved @ changed))
        q -= shares[-1] * changed
    q = inverse_times(q)
    if scaled:
        moved, changed = pairs[-1]
        q = q * ((moved @ changed) / (changed @ inverse_times(changed)))
    for (moved, changed), share in zip(pairs, reversed(shares), strict=True):
        q = q + (share - (changed @ q) / (moved @ changed)) * moved
    return q


def settle(
    f: Likelihood, units: Array, found: SearchEnd, settled: float, here: Value | None = None
) -> None:
    """Compute the Hessian at the end and take the step that it gives, while that matters.

    It matters while the step is longer than `settled`, or no proof of a maximum was found. A
    search that has not converged stays where it is. A small gradient is not enough: near
    separation the few examples that decide weigh little in the mean, and the steps stay long.
    """
    for number in range(SETTLING_STEPS):
        if here is None or here.hessian is None:
            here = f.at(found.theta, hessian=True)
        assert here.hessian is not None
        g = here.gradient.ravel()
        found.loss = here.loss
        found.inverse = inverse_of(here.hessian)
        if not found.converged:
            return
        found.bounded = found.bounded or maximum_exists(f, here, found.inverse, units)
        step = found.inverse @ g
        short = float(g @ step) <= settled**2
        if short:
            found.theta = found.theta - step.reshape(f.shape)
            if found.bounded or number > 2:
                return
            here = None
        else:
            found.theta, here = _walk(f, found.theta, here, -step.reshape(f.shape), hessian=True)
    found.converged = short or not math.isfinite(settled)


def maximum_exists(f: Likelihood, here: Value, inverse: Array, units: Array) -> bool:
    """Whether the gradient is so small that it proves that a maximum exists.

    Suppose a direction v never lowers a margin m_i(v) = (score of the true class) - (score of
    another). Write p_i for the probability of that other class. Then -v . gradient is the sum of
    p_i m_i(v), and v'Hv <= sum p_i m_i(v)^2 <= max m(v) * (-v . gradient). With v'Hv = 1 this
    reads 1 <= max m(v) * sqrt(g' H^-1 g), and max m(v) is at most the largest length of a row of
    the data in the metric H^-1. When that product is below 1 there is no such direction, and so
    no way to infinity along which the likelihood keeps growing.
    """
    if f.ridge:
        return True
    if here.hessian is None or not _regular(here.hessian):
        return False  # the inverse is one of another matrix, and proves nothing
    g = here.gradient.ravel()
    spread = float(
        np.diag(inverse) @ np.tile(units**2, f.shape[0])
    )  # its largest eigenvalue or more
    rows = 1 if f.shape[0] == 1 else 2  # two classes meet in a margin
    longest = rows * f.longest(units) * spread
    # Each p is known up to EPS, so a gradient may hide as much: EPS times the longest row.
    size_of_g = float(np.sqrt(max(float(g @ inverse @ g), 0.0))) + 4 * EPS * float(np.sqrt(longest))
    return size_of_g**2 * longest < SAFELY
