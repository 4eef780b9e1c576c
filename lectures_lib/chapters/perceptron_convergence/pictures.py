"""Figures of the convergence theorem: a run between its two bounds, and the angle to w*."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lectures_lib.figures.marks import Curve, Points, Segments, Text
from lectures_lib.figures.plane import boundary_scene, regions_scene
from lectures_lib.figures.scene import Axis, Floats, Mark, Panel, Scene, numbers
from lectures_lib.figures.words import count, number

__all__ = ["boundary_scene", "bounds_scene", "cosine_scene", "regions_scene"]


def _projections(path: npt.ArrayLike, w_star: npt.ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Number of updates t, w*·w_t with |w*| = 1, and |w_t|, for every state of the path."""
    states, star = numbers(path, "path", ndim=2), numbers(w_star, "w_star", ndim=1)
    if star.shape != states.shape[1:] or not star.any():
        raise ValueError(
            f"w_star: expected {states.shape[1]} numbers, not all 0, found shape {star.shape}"
        )
    return (
        np.arange(len(states), dtype=float),
        states @ (star / np.linalg.norm(star)),
        np.linalg.norm(states, axis=1),
    )


def _check_bound(gamma: float, R: float, eta: float) -> None:
    for name, value in (("gamma", gamma), ("R", R), ("eta", eta)):
        if not (np.isfinite(value) and value > 0):
            raise ValueError(f"{name}: expected a positive number, found {value}")


def bounds_scene(
    path: npt.ArrayLike,
    w_star: npt.ArrayLike,
    gamma: float,
    R: float,
    *,
    eta: float = 1.0,
) -> Scene:
    """w*·w_t and |w_t| between the bounds t eta gamma and sqrt(t) eta R, which cross at R²/gamma².

    `path` starts at zero; `w_star` is normalised here, so `gamma` must be the margin of the
    normalised separator. Left: the run. Right: up to the crossing.
    """
    _check_bound(gamma, R, eta)
    t, projection, norm = _projections(path, w_star)
    last, limit = len(t) - 1, (R / gamma) ** 2
    panels = []
    for title, end in (
        ("The run", max(last, 1) * 1.05),
        ("Until the bounds cross", max(limit * 1.12, last * 1.05)),
    ):
        grid = np.linspace(0, 1, 121) ** 2 * end
        marks: list[Mark] = [
            Curve(grid, np.sqrt(grid) * eta * R, "path1", "upper bound √t η R"),
            Curve(t, norm, "boundary", "‖wₜ‖"),
            Curve(t, projection, "weights", "w*·wₜ"),
            Curve(grid, grid * eta * gamma, "path2", "lower bound t η γ"),
        ]
        top = max(float(np.sqrt(end) * eta * R), float(end * eta * gamma))
        if end >= limit:
            height = limit * eta * gamma
            marks.append(Segments([[limit, 0]], [[limit, height]], "guide"))
            marks.append(Points([[limit, height]], look="dot", labels=("crossing at R²/γ²",)))
        x, y = Axis("updates t", 0, end, whole=True), Axis("", 0, top * 1.05)
        panels.append(Panel(tuple(marks), x, y, title))
    sentence = (
        f"{count(last, 'update')} against a bound of R²/γ² = {number(limit, 1)} "
        f"(R = {number(R)}, γ = {number(gamma, 3)}): at the end w*·w is "
        f"{number(projection[-1])}, at least {number(last * eta * gamma)}, and ‖w‖ is "
        f"{number(norm[-1])}, at most {number(float(np.sqrt(last)) * eta * R)}."
    )
    sentence = sentence[0].upper() + sentence[1:]
    readouts = (("updates", str(last)), ("bound R²/γ²", number(limit, 1)))
    return Scene(tuple(panels), sentence, readouts, shared_legend=True)


def cosine_scene(path: npt.ArrayLike, w_star: npt.ArrayLike, gamma: float, R: float) -> Scene:
    """The cosine between w* and w_t over the updates, above its bound sqrt(t) gamma / R."""
    _check_bound(gamma, R, 1.0)
    t, projection, norm = _projections(path, w_star)
    t, cosine = t[1:], projection[1:] / norm[1:]  # at t = 0 there is no angle
    if not len(t):
        raise ValueError("path: expected at least one update, found none")
    grid = np.linspace(0, 1, 121) ** 2 * float(t[-1]) * 1.05
    marks: tuple[Mark, ...] = (
        Curve(t, cosine, "weights", "cosine of w* and wₜ"),
        Points(np.c_[t, cosine][: 60 if len(t) <= 60 else 0], look="dot", size=3),
        Curve(grid, np.sqrt(grid) * gamma / R, "path2", "bound √t γ / R"),
        Curve([0, grid[-1]], [1, 1], "guide"),
        Text([grid[-1], 1], ("1",), anchor="end", shift=(-2, 8), colour="muted"),
    )
    low = min(0.0, float(cosine.min()) * 1.1)
    panel = Panel(
        marks, Axis("updates t", 0, float(grid[-1]), whole=True), Axis("cosine", low, 1.1)
    )
    sentence = (
        f"Cosine of the angle between w* and w after 1 to {len(t)} updates: it ends at "
        f"{number(cosine[-1], 3)}, the bound √t γ/R at {number(np.sqrt(t[-1]) * gamma / R, 3)}."
    )
    return Scene((panel,), sentence)
