"""The pictures of Gaussian classifiers: conics, learning curves, ways to split, drawn digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from lectures_lib.figures import Axis, Curve, Panel, Points, Region, Scene, Text
from lectures_lib.figures.marks import Raster, between
from lectures_lib.figures.plane import CLASS_NAMES, class_regions
from lectures_lib.figures.scene import Array, Floats, Mark, numbers
from lectures_lib.gaussian import boundary_quadric, conic_type

REACH = 5.0  # the plane of the ellipses reaches from -REACH to REACH
PLANE = (Axis("x₁", -REACH, REACH), Axis("x₂", -REACH, REACH))
TINTS = (2, 6)  # the tints of the curves "path1" and "path2"
TURNS = np.linspace(0, 2 * np.pi, 73)
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


def ellipse_of(mean: npt.ArrayLike, covariance: npt.ArrayLike, size: float = 1.0) -> Floats:
    """The points at Mahalanobis distance `size` from the mean, once around."""
    values, axes = np.linalg.eigh(numbers(covariance, "covariance", ndim=2))
    circle = np.column_stack([np.cos(TURNS), np.sin(TURNS)])
    around: Floats = np.asarray(mean) + size * (circle * np.sqrt(values)) @ axes.T
    return around


def conic_panel(
    means: npt.ArrayLike,
    covariances: npt.ArrayLike,
    priors: Sequence[float] = (0.5, 0.5),
    title: str = "",
) -> tuple[Panel, str]:
    """Two Gaussian classes, their regions and the curve between them; also the curve's name."""
    mu = numbers(means, "means", ndim=2)
    sigma = numbers(covariances, "covariances", ndim=3)
    A, b, c = boundary_quadric(mu, sigma, priors)

    def predict(x: Array) -> Array:
        said: Array = (((x @ A) * x).sum(axis=1) + x @ b + c < 0).astype(int)
        return said

    regions, border, _ = class_regions(predict, [0, 1], *PLANE)
    marks: list[Mark] = [Region(rings, k) for k, rings in enumerate(regions) if rings]
    marks.append(Curve(border[:, 0], border[:, 1]))
    for k in (0, 1):
        for size in (1.0, 2.0):
            ring = ellipse_of(mu[k], sigma[k], size)
            marks.append(Curve(ring[:, 0], ring[:, 1], f"class{k}"))
    marks.append(Points(mu, np.array([0, 1]), CLASS_NAMES, size=5))
    kind = conic_type(A, b, c)
    heading = f"{title}: {kind}" if title else kind
    return Panel(tuple(marks), *PLANE, heading, equal=True), kind


def conics_scene() -> Scene:
    """Four pairs of covariances, and the four kinds of boundary that they make."""
    made = [conic_panel(*pair, title=title) for title, pair in CONICS.items()]
    told = "; ".join(f"{title}: {kind}" for title, (_, kind) in zip(CONICS, made, strict=True))
    sentence = f"Two Gaussian classes with equal priors, drawn at one and two deviations. {told}."
    return Scene(tuple(panel for panel, _ in made), sentence, columns=2, shared_legend=True)


def conic_scene(
    means: npt.ArrayLike, covariances: npt.ArrayLike, prior: float = 0.5, shared: bool = False
) -> Scene:
    """One pair of classes; with `shared`, both get the covariance pooled with the priors."""
    sigma = numbers(covariances, "covariances", ndim=3)
    if shared:
        pooled = (1 - prior) * sigma[0] + prior * sigma[1]
        sigma = np.array([pooled, pooled])
    panel, kind = conic_panel(means, sigma, (1 - prior, prior))
    A, _, _ = boundary_quadric(means, sigma)
    determinant = f"{np.linalg.det(A):.3f}"
    which = "one shared covariance" if shared else "a covariance for each class"
    sentence = f"Two Gaussian classes with {which}; the boundary is of the kind: {kind}."
    return Scene((panel,), sentence, (("boundary", kind), ("det A", determinant)))


def learning_scene(sizes: npt.ArrayLike, errors: Mapping[str, npt.ArrayLike]) -> Scene:
    """The mean error of each method over the sample size, with a band of one deviation."""
    at = numbers(sizes, "sizes", ndim=1)
    bands: list[Mark] = []
    curves: list[Mark] = []
    means: dict[str, Floats] = {}
    for k, (name, found) in enumerate(errors.items()):
        runs = numbers(found, "errors", ndim=2)
        means[name], spread = runs.mean(axis=0), runs.std(axis=0)
        bands.append(between(at, means[name] - spread, means[name] + spread, TINTS[k]))
        curves.append(Curve(at, means[name], f"path{k + 1}", name))
    top = 1.1 * max(float(mean.max()) for mean in means.values())
    x = Axis("examples of each class", 0, 1.05 * float(at.max()))
    panel = Panel((*bands, *curves), x, Axis("error", 0, top), height=0.6)
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
            marks.append(Points(xy, np.full(len(xy), k), size=4))
            mean = float(errors[:, k].mean())
            marks.append(Curve([at - 0.35, at + 0.35], [mean, mean], "boundary"))
            ticks.append((at, method))
            told.append(f"{method} {mean:.2f} ({how})")
    x = Axis("", -0.7, ticks[-1][0] + 0.7, tuple(ticks))
    panel = Panel(tuple(marks), x, Axis("test error", 0, 0.8), height=0.6)
    return Scene((panel,), f"Mean test error over the splits: {', '.join(told)}.")


def gallery_scene(rows: Mapping[str, npt.ArrayLike], side: int = 8) -> Scene:
    """Rows of small square pictures, one row of the gallery for each name."""
    panels = []
    for name, given in rows.items():
        images = numbers(given, "rows", ndim=2)
        tiles = [np.pad(np.clip(row, 0, 16).reshape(side, side), 1) for row in images]
        strip = np.concatenate(tiles, axis=1) / 16
        height, width = strip.shape
        picture = Raster(strip, (0.0, float(width)), (float(height), 0.0), "grey")
        axes = Axis("", 0, width), Axis("", 0, height)
        panels.append(Panel((picture,), *axes, name, frame=False, height=height / width))
    drawn = ", ".join(f"{len(np.asarray(given))} {name}" for name, given in rows.items())
    return Scene(tuple(panels), f"Small pictures of digits in rows: {drawn}.", columns=1)
