"""One experiment whose best function is known: the three avoidable sources of error, measured.

x is uniform on [0, 1], and class 1 has the probability `wave_posterior(x)`, which crosses 1/2
five times. Classifiers are signs of polynomials of degree k, that is, at most k cuts.

    best           R(f*)   the best of all functions
    in_class       R(f_k)  the best with k cuts, found with the true probabilities
    on_sample      R(f^)   the fewest mistakes on a sample, found exactly
    returned       R(f~)   what a search returns that is stopped after some steps
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from lectures_lib._core.validation import Array, Codes, as_float, as_generator, check_integer
from lectures_lib.learning._cuts import apply_cuts, fewest_mistakes

WAVE_HEIGHT = 0.45
CELLS = 3000  # of the grid on which the best function with k cuts is searched
FINE = 30001  # points of the integral of 2 P(1 | x) - 1


def wave_posterior(x: ArrayLike) -> Array:
    """P(1 | x) = 1/2 + 0.45 sin(6 pi x^1.5) for 0 <= x <= 1; above 1/2 three times."""
    place = as_float(x, "x")
    if place.size and not (place.min() >= 0 and place.max() <= 1):
        raise ValueError(f"x: found {place.min():g} to {place.max():g}, expected 0 to 1.")
    return np.asarray(0.5 + WAVE_HEIGHT * np.sin(6 * np.pi * place**1.5))


def draw_wave(n: int, rng: int | np.random.Generator) -> tuple[Array, Codes]:
    """`n` examples (x, y): x uniform on [0, 1], y = 1 with probability `wave_posterior(x)`."""
    generator = as_generator(rng)
    x = generator.random(check_integer(n, "n", at_least=1))
    return x, (generator.random(len(x)) < wave_posterior(x)).astype(np.intp)


@lru_cache(maxsize=1)
def _surplus() -> tuple[Array, Array]:
    """Points x and the integral of P(1 | t) - P(0 | t) from 0 to x, by the trapezoidal rule."""
    x = np.linspace(0, 1, FINE)
    g = 2 * wave_posterior(x) - 1
    return x, np.concatenate([[0.0], np.cumsum((g[1:] + g[:-1]) / 2 * np.diff(x))])


def risk_of_cuts(cuts: ArrayLike, first: int) -> float:
    """P(f(x) != y) of the classifier with these cuts, to six digits.

    Saying 1 on an interval instead of 0 lowers the risk by the surplus of class 1 there.
    """
    places = np.sort(as_float(cuts, "cuts"))
    x, surplus = _surplus()
    ends = np.interp(np.concatenate([[0.0], places, [1.0]]), x, surplus)
    says_1 = (first + np.arange(len(places) + 1)) % 2 == 1
    return float((1 + surplus[-1]) / 2 - np.diff(ends)[says_1].sum())


@lru_cache(maxsize=64)
def best_cuts(degree: int) -> tuple[Array, int]:
    """The cuts and the first label of the best function with at most `degree` cuts.

    Five cuts and more are enough for the best of all functions; its cuts are where the
    posterior crosses 1/2. With fewer, they are found on a grid of width 1/3000.
    """
    if check_integer(degree, "degree", at_least=0) >= 5:
        return (np.arange(1, 6) / 6) ** (2 / 3), 1
    edges = np.linspace(0, 1, CELLS + 1)
    surplus = np.diff(np.interp(edges, *_surplus()))
    labels = fewest_mistakes(np.column_stack([surplus, -surplus]), degree)
    cuts = edges[1:-1][labels[1:] != labels[:-1]]
    cuts.setflags(write=False)
    return cuts, int(labels[0])


@dataclass(frozen=True)
class ErrorSources:
    """Risks of the four functions over many samples, and the functions of the first sample."""

    best: float
    in_class: float
    on_sample: Array  # (repeats,)
    returned: Array  # (repeats,)
    training_error: Array  # (repeats,) of the function that was returned
    functions: tuple[tuple[Array, int], ...]  # (cuts, first label) of the four, first sample

    @property
    def gaps(self) -> tuple[float, float, float]:
        """Approximation, estimation and optimisation error, means over the samples."""
        estimation = float(self.on_sample.mean() - self.in_class)
        optimisation = float((self.returned - self.on_sample).mean())
        return self.in_class - self.best, estimation, optimisation


def error_sources(
    n: int, degree: int, iterations: int, *, repeats: int = 200, rng: int = 0
) -> ErrorSources:
    """The four risks for samples of `n` examples, `degree` cuts and a search of `iterations`.

    The search starts with cuts at random places. In each step it moves one cut or two to random
    gaps between the examples and keeps the move unless there are more mistakes on the sample.
    """
    check_integer(iterations, "iterations", at_least=0)
    x, y, exact = _samples(n, degree, repeats, rng)
    edges = np.concatenate([np.zeros((repeats, 1)), (x[:, 1:] + x[:, :-1]) / 2], axis=1)
    edges = np.concatenate([edges, np.ones((repeats, 1))], axis=1)  # where a cut may lie
    places, first = _search(y, degree, iterations, rng)
    found = np.take_along_axis(edges, places, axis=1)
    returned = [(found[r], int(first[r])) for r in range(repeats)]
    on_sample = []
    for r in range(repeats):
        change = np.flatnonzero(exact[r, 1:] != exact[r, :-1])
        on_sample.append((edges[r, change + 1], int(exact[r, 0])))
    wrong = [np.mean(apply_cuts(*returned[r], x[r]) != y[r]) for r in range(repeats)]
    perfect, in_class = best_cuts(5), best_cuts(degree)
    return ErrorSources(
        best=risk_of_cuts(*perfect),
        in_class=risk_of_cuts(*in_class),
        on_sample=np.array([risk_of_cuts(*f) for f in on_sample]),
        returned=np.array([risk_of_cuts(*f) for f in returned]),
        training_error=np.array(wrong),
        functions=(perfect, in_class, on_sample[0], returned[0]),
    )


@lru_cache(maxsize=128)
def _samples(n: int, degree: int, repeats: int, rng: int) -> tuple[Array, Codes, Codes]:
    """Samples in ascending order of x, their labels, and the labels with the fewest mistakes."""
    generator = np.random.default_rng([rng, n])
    pairs = [draw_wave(n, generator) for _ in range(repeats)]
    x, y = np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])
    order = np.argsort(x, axis=1)
    x, y = np.take_along_axis(x, order, 1), np.take_along_axis(y, order, 1)
    return x, y, fewest_mistakes(np.stack([y, 1 - y], axis=-1), degree)


def _search(y: Codes, degree: int, iterations: int, rng: int) -> tuple[Codes, Codes]:
    """Gaps in which the cuts lie after the search, one row per sample, and the first labels.

    With s = 2y - 1 and its sums D, the labels that start with 0 and change at the gaps c agree
    with n/2 + S/2 examples, S = -2 D[c1] + 2 D[c2] - ... ± D[n]; starting with 1 reverses S.
    """
    repeats, n = y.shape
    generator = np.random.default_rng([rng, n, degree])
    sums = np.concatenate([np.zeros((repeats, 1)), np.cumsum(2 * y - 1, axis=1)], axis=1)
    signs = np.where(np.arange(degree) % 2 == 0, -2.0, 2.0)
    last = sums[:, n] * (1 if degree % 2 else -1)

    def agreement(places: Codes) -> Array:
        return np.asarray(np.take_along_axis(sums, places, axis=1) @ signs + last)

    places = np.sort(generator.integers(0, n + 1, (repeats, degree)), axis=1)
    score = agreement(places)
    for _ in range(iterations if degree else 0):
        moved = places.copy()
        some = generator.integers(degree, size=2)  # one cut or two: pairs get past local optima
        moved[:, some] = generator.integers(0, n + 1, (repeats, 2))
        moved.sort(axis=1)
        new = agreement(moved)
        better = np.abs(new) >= np.abs(score)
        places[better], score[better] = moved[better], new[better]
    return places, (score < 0).astype(np.intp)
