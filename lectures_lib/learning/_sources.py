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
from lectures_lib.learning._cuts import fewest_mistakes

WAVE_HEIGHT = 0.45
CELLS = 3000  # of the grid on which the best function with k cuts is searched
FINE = 30001  # points of the integral of 2 P(1 | x) - 1


def wave_posterior(x: ArrayLike) -> Array:
    """P(1 | x) = 1/2 + 0.45 sin(6 pi x^1.5) for 0 <= x <= 1; above 1/2 three times.

    >>> wave_posterior([0, 0.25, 1]).round(3)
    array([0.5  , 0.818, 0.5  ])
    """
    place = as_float(x, "x")
    if place.size and not (place.min() >= 0 and place.max() <= 1):
        raise ValueError(f"x: found {place.min():g} to {place.max():g}, expected 0 to 1.")
    return np.asarray(0.5 + WAVE_HEIGHT * np.sin(6 * np.pi * place**1.5))


def draw_wave(n: int, rng: int | np.random.Generator) -> tuple[Array, Codes]:
    """`n` examples (x, y): x uniform on [0, 1], y = 1 with probability `wave_posterior(x)`.

    >>> x, y = draw_wave(5, rng=0)
    >>> x.shape, set(y.tolist()) <= {0, 1}
    ((5,), True)
    """
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

    >>> round(risk_of_cuts([], 0), 3)
    0.534
    """
    return float(_risks(as_float(cuts, "cuts")[None], np.array([first]))[0])


def _risks(cuts: Array, first: Codes) -> Array:
    """The risks of many classifiers, one per row of cuts in [0, 1]; a cut at 1 does nothing.

    Saying 1 on an interval instead of 0 lowers the risk by the surplus of class 1 there.
    """
    ends = np.pad(np.sort(cuts, axis=1), [(0, 0), (1, 1)], constant_values=[(0, 0), (0, 1)])
    x, surplus = _surplus()
    gained = np.diff(np.interp(ends, x, surplus), axis=1)
    says_1 = (first[:, None] + np.arange(gained.shape[1])) % 2 == 1
    return np.asarray((1 + surplus[-1]) / 2 - (gained * says_1).sum(axis=1))


@lru_cache(maxsize=64)
def best_cuts(degree: int) -> tuple[Array, int]:
    """The cuts and the first label of the best function with at most `degree` cuts.

    Five cuts and more are enough for the best of all functions; its cuts are where the
    posterior crosses 1/2. With fewer, they are found on a grid of width 1/3000.

    >>> cuts, first = best_cuts(1)
    >>> first, risk_of_cuts(cuts, first) > risk_of_cuts(*best_cuts(5))
    (1, True)
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
    """Risks of the four functions over many samples, and the functions of the first sample.

    >>> found = error_sources(30, 3, 10, repeats=5)
    >>> bool(found.best < found.in_class < found.returned.mean())
    True
    """

    best: float
    in_class: float
    on_sample: Array  # (repeats,)
    returned: Array  # (repeats,)
    training_error: Array  # (repeats,) of the function with the fewest mistakes
    sample: tuple[Array, Codes]  # x and y of the first sample, x ascending
    functions: tuple[tuple[Array, int], ...]  # (cuts, first label) of the four, first sample

    @property
    def gaps(self) -> tuple[float, float, float]:
        """Approximation, estimation and optimisation error, means over the samples."""
        estimation = float(self.on_sample.mean() - self.in_class)
        optimisation = float((self.returned - self.on_sample).mean())
        return self.in_class - self.best, estimation, optimisation


STOPS = tuple(4**i for i in range(6))  # a search that runs to the last of them shows all


@lru_cache(maxsize=512)
def error_sources(
    n: int, degree: int, iterations: int, *, repeats: int = 100, rng: int = 0
) -> ErrorSources:
    """The four risks for samples of `n` examples, `degree` cuts and a search of `iterations`.

    The search starts with cuts at random places. In each step it moves one cut or two to random
    gaps between the examples and keeps the move unless there are more mistakes on the sample.

    >>> found = error_sources(30, 3, 10, repeats=5)
    >>> round(found.best, 3), bool((found.on_sample >= found.in_class).all())
    (0.223, True)
    """
    check_integer(n, "n", at_least=1)
    check_integer(repeats, "repeats", at_least=1)
    steps = check_integer(iterations, "iterations", at_least=0)
    x, y = _samples(n, repeats, rng)
    gaps = (x[:, 1:] + x[:, :-1]) / 2
    edges = np.pad(gaps, [(0, 0), (1, 1)], constant_values=[(0, 0), (0, 1)])
    exact, exact_first, least = _fewest(n, degree, repeats, rng)
    stops = STOPS if steps in STOPS else (steps,)
    places, first = _search(n, degree, repeats, rng, stops)[stops.index(steps)]
    on_sample = np.take_along_axis(edges, exact, axis=1)
    returned = np.take_along_axis(edges, places, axis=1)
    perfect, in_class = best_cuts(5), best_cuts(degree)
    return ErrorSources(
        best=risk_of_cuts(*perfect),
        in_class=risk_of_cuts(*in_class),
        on_sample=_risks(on_sample, exact_first),
        returned=_risks(returned, first),
        training_error=least,
        sample=(x[0], y[0]),
        functions=(
            perfect,
            in_class,
            (on_sample[0], int(exact_first[0])),
            (returned[0], int(first[0])),
        ),
    )


@lru_cache(maxsize=32)
def _samples(n: int, repeats: int, rng: int) -> tuple[Array, Codes]:
    """Samples in ascending order of x, and their labels; one row per sample."""
    generator = np.random.default_rng([rng, n])
    pairs = [draw_wave(n, generator) for _ in range(repeats)]
    x, y = np.array([p[0] for p in pairs]), np.array([p[1] for p in pairs])
    order = np.argsort(x, axis=1)
    return np.take_along_axis(x, order, 1), np.take_along_axis(y, order, 1)


@lru_cache(maxsize=128)
def _fewest(n: int, degree: int, repeats: int, rng: int) -> tuple[Codes, Codes, Array]:
    """Gaps of the cuts with the fewest mistakes, first labels and training errors.

    Gap i lies before example i; a cut that is not needed goes to gap n, where it does nothing.
    """
    _, y = _samples(n, repeats, rng)
    labels = fewest_mistakes(np.stack([y, 1 - y], axis=-1), degree)
    change = labels[:, 1:] != labels[:, :-1]
    after = np.where(change, np.arange(1, n), n)
    after = np.pad(after, [(0, 0), (0, degree)], constant_values=n)
    return np.sort(after, axis=1)[:, :degree], labels[:, 0], np.mean(labels != y, axis=1)


@lru_cache(maxsize=128)
def _search(
    n: int, degree: int, repeats: int, rng: int, stops: tuple[int, ...]
) -> list[tuple[Codes, Codes]]:
    """Gaps in which the cuts lie after each number of steps in `stops`, and the first labels.

    With s = 2y - 1 and its sums D, the labels that start with 0 and change at the gaps c agree
    with n/2 + S/2 examples, S = -2 D[c1] + 2 D[c2] - ... ± D[n]; starting with 1 reverses S.
    """
    _, y = _samples(n, repeats, rng)
    generator = np.random.default_rng([rng, n, degree])
    sums = np.pad(np.cumsum(2 * y - 1, axis=1), [(0, 0), (1, 0)])
    signs = np.where(np.arange(degree) % 2 == 0, -2, 2)
    last = sums[:, n] * (1 if degree % 2 else -1)
    rows = np.arange(repeats)[:, None]

    def agreement(places: Codes) -> Codes:
        return np.asarray(sums[rows, places] @ signs + last)

    places = np.sort(generator.integers(0, n + 1, (repeats, degree)), axis=1)
    score = agreement(places)
    found = {0: (places.copy(), (score < 0).astype(np.intp))}
    for step in range(1, max(stops) + 1):
        if degree:
            moved = places.copy()
            some = generator.integers(degree, size=2)  # a pair gets past local optima
            moved[:, some] = generator.integers(0, n + 1, (repeats, 2))
            moved.sort(axis=1)
            new = agreement(moved)
            better = np.abs(new) >= np.abs(score)
            places[better], score[better] = moved[better], new[better]
        if step in stops:
            found[step] = (places.copy(), (score < 0).astype(np.intp))
    return [found[stop] for stop in stops]
