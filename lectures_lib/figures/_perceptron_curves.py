"""Curves of the perceptron topic: posteriors, losses, the trace of a run, the two bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from lectures_lib.figures.marks import Curve, Points, Segments, Text
from lectures_lib.figures.scene import Axis, Floats, Mark, Panel, Scene, numbers
from lectures_lib.figures.words import count, number

LOSSES: Mapping[str, Callable[[Floats], Floats]] = {
    "0-1": lambda m: (m <= 0).astype(float),
    "perceptron": lambda m: np.maximum(-m, 0),
    "hinge": lambda m: np.maximum(1 - m, 0),
    "logistic": lambda m: np.logaddexp(0, -m),
}
"""Losses as functions of the margin m = s g(x); m = 0 counts as a mistake."""


def posterior_scene(x: npt.ArrayLike | None = None, p: npt.ArrayLike | None = None) -> Scene:
    """Posteriors p and 1 - p of two classes over x, and the points where the decision changes.

    Without arguments, the log-odds 2x - 1: one decision point at x = 0.5.
    """
    xs = np.linspace(-3, 4, 141) if x is None else numbers(x, "x", ndim=1)
    p1 = 1 / (1 + np.exp(1 - 2 * xs)) if p is None else numbers(p, "p", ndim=1)
    if p1.shape != xs.shape or p1.min(initial=0) < 0 or p1.max(initial=0) > 1:
        raise ValueError("p: expected one probability in 0..1 for each x")
    gap = p1 - 0.5
    cut = np.flatnonzero((gap[:-1] < 0) != (gap[1:] < 0))
    points = xs[cut] + gap[cut] / (gap[cut] - gap[cut + 1]) * (xs[cut + 1] - xs[cut])
    half = np.full_like(points, 0.5)
    marks: tuple[Mark, ...] = (
        Curve(xs, 1 - p1, "class0", "P(class 0 | x)"),
        Curve(xs, p1, "class1", "P(class 1 | x)"),
        Segments(np.c_[points, 0 * half], np.c_[points, half], "guide"),
        Points(np.c_[points, half], look="dot", size=5, labels=("decision changes here",)),
    )
    panel = Panel(marks, Axis.around(xs, "x", 0), Axis("posterior probability", -0.02, 1.02))
    where = ", ".join(number(v) for v in points) or "no point"
    sentence = (
        f"Posterior probabilities of two classes over x; they cross at x = {where}, and only "
        "that point is needed for the decision."
        if len(points) == 1
        else f"Posterior probabilities of two classes over x; the decision changes at {where}."
    )
    return Scene((panel,), sentence)


def loss_scene(
    margins: npt.ArrayLike | None = None,
    *,
    names: Sequence[str] = tuple(LOSSES),
    at: float | None = None,
) -> Scene:
    """Losses over the margin m = s g(x): 0-1, perceptron, hinge, logistic. `at` marks one m."""
    m = np.linspace(-2.5, 2.5, 201) if margins is None else numbers(margins, "margins", ndim=1)
    unknown = [name for name in names if name not in LOSSES]
    if unknown:
        raise ValueError(f"names: found {unknown[0]!r}, expected some of {', '.join(LOSSES)}")
    marks: list[Mark] = []
    where = 0.0 if at is None else float(at)
    values = [float(LOSSES[name](np.array([where]))[0]) for name in names]
    for name in names:
        role = {"0-1": "boundary"}.get(name, f"class{list(LOSSES).index(name) - 1}")
        if name == "0-1":  # two pieces: the step is a jump, not a slope
            low, high = m[m <= 0], m[m > 0]
            xs = np.concatenate([low, [0.0, np.nan, 0.0], high])
            ys = np.concatenate([np.ones(len(low) + 1), [np.nan], np.zeros(len(high) + 1)])
            marks.append(Curve(xs, ys, role, "0-1 loss"))
        else:
            marks.append(Curve(m, LOSSES[name](m), role, f"{name} loss"))
    if at is not None:
        marks.append(Segments([[where, -0.1]], [[where, 3.5]], "guide"))
        marks.append(Points(np.c_[np.full(len(values), where), values], look="dot"))
    panel = Panel(tuple(marks), Axis.around(m, "margin m = s g(x)", 0), Axis("loss", -0.1, 3.5))
    listed = ", ".join(f"{n} {number(v)}" for n, v in zip(names, values, strict=True))
    sentence = f"Losses as functions of the margin; at margin {number(where)}: {listed}."
    readouts = (
        () if at is None else tuple((n, number(v)) for n, v in zip(names, values, strict=True))
    )
    return Scene((panel,), sentence, readouts)


def trace_scene(errors: npt.ArrayLike, losses: npt.ArrayLike, at: int | None = None) -> Scene:
    """Mistakes (left) and mean loss (right) after 0, 1, 2, ... updates; `at` marks one state."""
    wrong, loss = numbers(errors, "errors", ndim=1), numbers(losses, "losses", ndim=1)
    if wrong.shape != loss.shape or not len(wrong):
        raise ValueError(
            f"errors, losses: expected equal lengths of at least 1, found {len(wrong)}, {len(loss)}"
        )
    t = np.arange(len(wrong))
    panels = trace_panels(wrong, loss, at)
    sentence = (
        f"A run of {count(len(t) - 1, 'update')}: mistakes go from {wrong[0]:.0f} to "
        f"{wrong[-1]:.0f} (at most {wrong.max():.0f}), the mean perceptron loss ends at "
        f"{number(loss[-1])}."
    )
    return Scene(panels, sentence)


def trace_panels(
    wrong: Floats, loss: Floats, at: int | None = None, x: npt.ArrayLike | None = None
) -> tuple[Panel, Panel]:
    """The two panels of `trace_scene`; `x` holds the numbers of updates when some are left out."""
    t = np.arange(len(wrong)) if x is None else np.asarray(x)
    across = Axis("updates", 0.0, float(max(t[-1], 1)), whole=True)
    panels = []
    for values, role, label in ((wrong, "class1", "mistakes"), (loss, "class0", "mean loss")):
        marks: list[Mark] = [Curve(t, values, role)]
        if t[-1] <= 60:
            marks.append(Points(np.column_stack([t, values]), look="dot", size=3))
        if at is not None:
            marks.append(Points([[at, values[at]]], look="focus", size=8, labels=("now",)))
        top = 1.1 * (float(values.max()) or 1.0)
        up = Axis(label, -0.03 * top, top, whole=label == "mistakes")
        panels.append(Panel(tuple(marks), across, up))
    return panels[0], panels[1]


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
            Curve(grid, np.sqrt(grid) * eta * R, "class0", "upper bound √t η R"),
            Curve(t, norm, "boundary", "‖wₜ‖"),
            Curve(t, projection, "weights", "w*·wₜ"),
            Curve(grid, grid * eta * gamma, "class1", "lower bound t η γ"),
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
        Curve(grid, np.sqrt(grid) * gamma / R, "class1", "bound √t γ / R"),
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
