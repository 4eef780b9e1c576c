"""The pictures of Gaussian classifiers: clouds, conics, samples, curves, splits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from contourpy import contour_generator

from lectures_lib.figures import Axis, Curve, Line, Panel, Points, Region, Scene, Segments, Text
from lectures_lib.figures.marks import Track, between, joined
from lectures_lib.figures.plane import (
    CLASS_NAMES,
    TINTS,
    banded_curves,
    class_regions,
    curve_through,
    ellipse,
    square_axes,
)
from lectures_lib.figures.scene import Array, Floats, Mark, numbers, positions
from lectures_lib.figures.words import number
from lectures_lib.gaussian import boundary_quadric, conic_type, log_gaussian

REACH = 5.0  # the plane of the ellipses reaches from -REACH to REACH
PLANE = (Axis("x₁", -REACH, REACH), Axis("x₂", -REACH, REACH))
MOST = 256  # examples of each class in the largest sample
CELL = 0.2  # of the grid on which errors are summed up
DRAWS, SHOWN = 100, 12  # samples whose errors are averaged, and whose boundaries are drawn
SAMPLED = (  # two classes whose best boundary is bent
    [[-1.3, 0.0], [1.3, 0.0]],
    [[[1.2, 0.0], [0.0, 2.4]], [[1.2, 0.3], [0.3, 0.8]]],
)
NOWHERE = "none, one class wins everywhere"
Quadric = tuple[Floats, Floats, float]
NEAR = [[-1.5, 0.0], [1.5, 0.5]]
CONICS = {
    "one covariance for both": (NEAR, [[[1.2, 0.5], [0.5, 0.8]], [[1.2, 0.5], [0.5, 0.8]]]),
    "wide and narrow": (
        [[-1.5, -0.5], [1.2, 0.8]],
        [[[4.0, 0.0], [0.0, 3.0]], [[0.6, 0.2], [0.2, 0.5]]],
    ),
    "crosswise": (NEAR, [[[0.4, 0.0], [0.0, 2.5]], [[2.5, 0.0], [0.0, 0.4]]]),
    "equal along x₁ only": (NEAR, [[[1.0, 0.0], [0.0, 2.5]], [[1.0, 0.0], [0.0, 0.5]]]),
}


def _ring(mean: npt.ArrayLike, covariance: npt.ArrayLike, size: float, role: str) -> Curve:
    return curve_through(ellipse(mean, covariance, size), role)


def conic_panel(
    means: npt.ArrayLike,
    covariances: npt.ArrayLike,
    priors: Sequence[float] = (0.5, 0.5),
    title: str = "",
) -> tuple[Panel, str]:
    """Two Gaussian classes, their regions and the curve between them; also the curve's name."""
    mu = numbers(means, "means", ndim=2)
    sigma = numbers(covariances, "covariances", ndim=3)
    quadric = boundary_quadric(mu, sigma, priors)
    regions, border, _ = class_regions(
        lambda x: (_difference(quadric, x) < 0).astype(int), [0, 1], *PLANE
    )
    marks = (
        *(Region(rings, k) for k, rings in enumerate(regions) if rings),
        curve_through(border),
        *(_ring(mu[k], sigma[k], size, f"class{k}") for k in (0, 1) for size in (1.0, 2.0)),
        Points(mu, np.array([0, 1]), size=5),
        Text(mu, CLASS_NAMES, shift=(0, -18)),
    )
    kind = conic_type(*quadric).replace("empty", NOWHERE)
    heading = f"{title}: {kind}" if title else kind
    return Panel(marks, *PLANE, heading, equal=True), kind


def conics_scene(pairs: Mapping[str, tuple[Any, Any]] = CONICS) -> Scene:
    """Pairs of means and covariances, and the kinds of boundary that they make."""
    made = [conic_panel(*pair, title=title) for title, pair in pairs.items()]
    told = "; ".join(f"{title}: {kind}" for title, (_, kind) in zip(pairs, made, strict=True))
    sentence = f"Two Gaussian classes with equal priors, drawn at one and two deviations. {told}."
    return Scene(tuple(panel for panel, _ in made), sentence, columns=2)


def conic_scene(
    means: Sequence[Sequence[float]],
    covariances: npt.ArrayLike,
    prior: float = 0.5,
    shared: bool = False,
) -> Scene:
    """One pair of classes; with `shared`, both get the covariance pooled with the priors."""
    held = sigma = numbers(covariances, "covariances", ndim=3)
    if shared:
        sigma = np.array([(1 - prior) * held[0] + prior * held[1]] * 2)
    panel, kind = conic_panel(means, sigma, (1 - prior, prior))
    if shared:  # the ellipses that the hand holds are no longer those of the model
        own = [_ring(means[k], held[k], 1.0, "wire") for k in (0, 1)]
    else:
        own = [Curve([], [], "wire")] * 2
    panel = replace(panel, marks=(*own, *panel.marks))
    determinant = number(np.linalg.det(boundary_quadric(means, sigma)[0]), 3)
    which = "one shared covariance" if shared else "a covariance for each class"
    sentence = f"Two Gaussian classes with {which}; the boundary is of the kind: {kind}."
    return Scene((panel,), sentence, (("boundary", kind), ("det A", determinant)))


def clouds_scene(X: npt.ArrayLike, y: npt.ArrayLike, names: Sequence[str]) -> Scene:
    """The same classes twice: ellipses (two deviations) of one shared shape, and of their own."""
    points, codes = positions(X, "X"), np.asarray(y)
    means = [points[codes == k].mean(axis=0) for k in range(len(names))]
    own = [np.cov(points[codes == k].T) for k in range(len(names))]
    weights = np.bincount(codes) - 1
    shared = np.average(own, axis=0, weights=weights)
    shapes = {"one shape for all": [shared] * len(own), "own shapes": own}
    rings = {
        title: [_ring(means[k], S, 2.0, f"class{k}") for k, S in enumerate(some)]
        for title, some in shapes.items()
    }
    around = [np.column_stack([ring.x, ring.y]) for some in rings.values() for ring in some]
    axes = square_axes(points, *around, pad=0.03)
    dots = Points(points, codes, tuple(names), size=4)
    panels = tuple(Panel((dots, *some), *axes, title, equal=True) for title, some in rings.items())
    widths = [np.sqrt(np.linalg.eigvalsh(S)[::-1]) for S in own]
    told = ", ".join(
        f"{name} {a:.2f} by {b:.2f}" for name, (a, b) in zip(names, widths, strict=True)
    )
    a, b = np.sqrt(np.linalg.eigvalsh(shared)[::-1])
    sentence = f"Standard deviations along the axes: shared {a:.2f} by {b:.2f}; own: {told}."
    return Scene(panels, sentence, columns=2, shared_legend=True)


@cache
def _bundle(n: int, name: str) -> tuple[list[Quadric], float]:
    """The boundaries of LDA or QDA from many samples of n examples of each class; their error."""
    z = np.random.default_rng(0).standard_normal((DRAWS, 2, MOST, 2))[:, :, :n]
    means, covariances = map(np.array, SAMPLED)
    parts = [means[k] + z[:, k] @ np.linalg.cholesky(covariances[k]).T for k in (0, 1)]
    found = [_estimated(sample, shared=name == "LDA") for sample in np.stack(parts, axis=1)]
    return found, float(np.mean([_error_of(quadric) for quadric in found]))


def samples_scene(n: int) -> Scene:
    """LDA and QDA fitted to many samples of n examples of each class, beside the best boundary;
    below them their errors over n."""
    means, covariances = map(np.array, SAMPLED)
    best = boundary_quadric(means, covariances)
    least = _error_of(best)
    sizes = 2 ** np.arange(2, int(np.log2(MOST)) + 1)
    ticks = tuple((float(np.log2(m)), str(m)) for m in sizes)
    over: list[Mark] = [Line([0, 1], -least, "guide", "at best")]
    panels, told = [], []
    for role, name in (("path1", "LDA"), ("path2", "QDA")):
        found, error = _bundle(n, name)
        marks = (
            *(curve_through(_border(quadric), "wire") for quadric in found[:SHOWN]),
            curve_through(_border(best)),
            *(_ring(means[k], covariances[k], 1.0, f"class{k}") for k in (0, 1)),
            Text(means, CLASS_NAMES),
        )
        panels.append(Panel(marks, *PLANE, name, equal=True))
        told.append(f"{name} {error:.3f}")
        way = np.column_stack([np.log2(sizes), [_bundle(int(m), name)[1] for m in sizes]])
        over += [
            curve_through(way, role, name),
            Points([[np.log2(n), error]], look="focus", size=7),
        ]
        over.append(Track(way, "n"))
    across = Axis("examples of each class", 1.8, 8.2, ticks)
    panels.append(
        Panel(tuple(over), across, Axis("mean error", 0.09, 0.24), height=0.4, below=True)
    )
    sentence = (
        f"{n} examples of each class, {DRAWS} samples, {SHOWN} of them drawn; mean error "
        f"{', '.join(told)}, at best {least:.3f}."
    )
    readouts = tuple(("error of " + name, error) for name, error in (one.split() for one in told))
    return Scene(tuple(panels), sentence, (*readouts, ("at best", f"{least:.3f}")), columns=2)


def _estimated(sample: Floats, shared: bool) -> Quadric:
    """The boundary that the estimates of one sample give, with own covariances or a shared one."""
    covariances = np.array([np.cov(own.T) for own in sample])
    if shared:
        covariances[:] = covariances.mean(axis=0)
    return boundary_quadric(sample.mean(axis=1), covariances)


def _difference(quadric: Quadric, x: Floats) -> Floats:
    A, b, c = quadric
    return np.asarray(((x @ A) * x).sum(axis=1) + x @ b + c)


def _border(quadric: Quadric) -> Floats:
    """The curve on which the two discriminants are equal, with NaN between its pieces."""
    u = np.linspace(-REACH, REACH, 41)
    grid = np.stack(np.meshgrid(u, u), axis=-1).reshape(-1, 2)
    heights = _difference(quadric, grid).reshape(41, 41)
    lines = contour_generator(u, u, heights).lines(0.0)
    return joined([np.asarray(line) for line in lines])


@cache
def _true_masses() -> tuple[Floats, Floats]:
    """A grid of points and, for both classes, how much of each lies in its cell."""
    u = np.arange(-10, 10.01, CELL)
    grid = np.stack(np.meshgrid(u, u), axis=-1).reshape(-1, 2)
    means, covariances = SAMPLED
    pairs = zip(means, covariances, strict=True)
    masses = np.array([np.exp(log_gaussian(grid, m, S)) * CELL**2 for m, S in pairs])
    return grid, masses


def _error_of(quadric: Quadric) -> float:
    """The share of wrong answers among new examples of both classes, equally frequent."""
    grid, masses = _true_masses()
    says_0 = _difference(quadric, grid) > 0
    return float(masses[1][says_0].sum() + masses[0][~says_0].sum()) / 2


def learning_scene(sizes: npt.ArrayLike, errors: Mapping[str, npt.ArrayLike]) -> Scene:
    """The mean error of each method over the sample size, with a band of one deviation."""
    at = numbers(sizes, "sizes", ndim=1)
    means = {name: np.asarray(found).mean(axis=0) for name, found in errors.items()}
    curves = banded_curves(at, errors, deviation=True)
    top = 1.1 * max(float(mean.max()) for mean in means.values())
    x = Axis("examples of each class", 0, 1.05 * float(at.max()))
    panel = Panel(curves, x, Axis("error", 0, top), height=0.6)
    ends = ", ".join(f"{name} {mean[0]:.2f} and {mean[-1]:.2f}" for name, mean in means.items())
    sentence = f"Error with {at[0]:g} and with {at[-1]:g} examples of each class: {ends}."
    return Scene((panel,), sentence)


def splits_scene(splits: Mapping[str, npt.ArrayLike], methods: Sequence[str]) -> Scene:
    """The error of each method on each of many splits, one column of dots for each pair."""
    marks: list[Mark] = []
    ticks: list[tuple[float, str]] = []
    told: list[str] = []
    rng = np.random.default_rng(0)  # sideways jitter only: dots of equal height stay visible
    for i, (how, found) in enumerate(splits.items()):
        errors = numbers(found, "splits", ndim=2)
        middle = i * (len(methods) + 0.4) + (len(methods) - 1) / 2
        marks.append(Text([[middle, 0.75]], (how,)))
        for k, method in enumerate(methods):
            at = i * len(methods) + k + 0.4 * i
            xy = np.column_stack([at + rng.uniform(-0.2, 0.2, len(errors)), errors[:, k]])
            marks.append(Points(xy, np.full(len(xy), TINTS[k]), size=2.8))  # no edges: they overlap
            mean = float(errors[:, k].mean())
            marks.append(Curve([at - 0.35, at + 0.35], [mean, mean], "boundary"))
            ticks.append((at, method))
            told.append(f"{method} {mean:.2f} ({how})")
    x = Axis("", -0.7, ticks[-1][0] + 0.7, tuple(ticks))
    panel = Panel(tuple(marks), x, Axis("test error", 0, 0.8), height=0.6)
    return Scene((panel,), f"Mean test error over the splits: {', '.join(told)}.")


@dataclass(frozen=True)
class Pulls:
    """Clouds of some words in the plane, how pulls change them, and errors over many splits."""

    X: Floats  # the examples of the words, two features
    y: Array  # their codes: 0, 1, 2, ...
    names: tuple[str, ...]
    alphas: Floats
    gammas: Floats
    shapes: Floats  # (gammas, alphas, words, 2, 2)
    errors: Floats  # (splits, gammas, alphas)


def pulls_scene(way: Pulls, alpha: float, gamma: float) -> Scene:
    """The clouds as they are pulled, beside the mean error over alpha with the place on it."""
    i = int(np.abs(way.gammas - gamma).argmin())
    j = int(np.abs(way.alphas - alpha).argmin())
    clouds = _pulled_clouds(way, way.shapes[i, j])
    means, spreads = way.errors.mean(axis=0), way.errors.std(axis=0)
    low = int(means[i].argmin())
    marks = (
        between(way.alphas, means[i] - spreads[i], means[i] + spreads[i], TINTS[0]),
        Curve(way.alphas, means[0], "wire"),
        Curve(way.alphas, means[i], "path1"),
        Text([[0, means[0, 0]], [1, means[0, -1]]], ("LDA", "QDA"), shift=(0, 20)),
        Points([[way.alphas[low], means[i, low]]], look="ring", size=8, labels=("smallest",)),
        Points([[way.alphas[j], means[i, j]]], look="focus", size=8),
        Track(np.column_stack([way.alphas, means[i]]), "alpha"),
    )
    ends = ((0.0, "0, one shape"), (0.5, "½"), (1.0, "1, own shapes"))
    curve = Panel(marks, Axis("α", -0.2, 1.2, ends), Axis("error", 0.3, 0.65), "new speakers")
    ahead = int(np.sum(way.errors[:, i, j] < way.errors[:, 0, 0]))
    wins = f"{ahead} of {len(way.errors)}"
    sentence = (
        f"α = {way.alphas[j]:.1f}, γ = {way.gammas[i]:.2f}: mean error {means[i, j]:.3f}, "
        f"spread {spreads[i, j]:.3f}, ahead of LDA in {wins} splits; for this γ it is smallest "
        f"at α = {way.alphas[low]:.1f}, {means[i, low]:.3f}."
    )
    smallest = ("smallest for this γ", f"{means[i, low]:.3f}")
    readouts = (("mean error", f"{means[i, j]:.3f}"), smallest, ("ahead of LDA", wins))
    return Scene((clouds, curve), sentence, readouts, columns=2)


def _pulled_clouds(way: Pulls, shapes: Floats) -> Panel:
    """The examples with two ellipses for each word: thin its own shape, bold the given one."""
    marks: list[Mark] = [Points(way.X, way.y, way.names, size=4)]
    reach = []
    for k, shape in enumerate(shapes):
        own = way.X[way.y == k]
        mean = own.mean(axis=0)
        marks += [_ring(mean, np.cov(own.T), 2.0, "wire"), _ring(mean, shape, 2.0, f"class{k}")]
        reach += [ellipse(mean, S, 2.0) for S in way.shapes[:, :, k].reshape(-1, 2, 2)]
    axes = square_axes(way.X, *reach, pad=0.03)
    return Panel(tuple(marks), *axes, "two of ten features", equal=True)


def one_cut_scene(low: npt.ArrayLike, high: npt.ArrayLike) -> Scene:
    """Two classes on a line, their means, and the cut of LDA with equal priors between them."""
    groups = [numbers(low, "low", ndim=1), numbers(high, "high", ndim=1)]
    means = [float(group.mean()) for group in groups]
    cut = sum(means) / 2
    marks: list[Mark] = [Segments([[cut, -0.5]], [[cut, 1.5]], "boundary", "cut of LDA")]
    for k, group in enumerate(groups):
        row = np.full(len(group), float(k))
        labels = np.full(len(group), k)
        marks.append(Points(np.column_stack([group, row]), labels, CLASS_NAMES[: k + 1], size=6))
        marks.append(Segments([[means[k], k - 0.25]], [[means[k], k + 0.25]], f"class{k}"))
    missed = int(np.sum(groups[0] > cut) + np.sum(groups[1] <= cut))
    x = Axis.around(np.concatenate(groups), "x")
    panel = Panel(tuple(marks), x, Axis("", -0.6, 1.6, ()), height=0.3)
    return Scene((panel,), f"LDA cuts at {cut:.3g} and misses {missed} of {sum(map(len, groups))}.")
