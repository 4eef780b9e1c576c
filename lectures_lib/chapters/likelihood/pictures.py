"""The pictures of the likelihood: bars under the sigmoid, descent on two losses, divergences."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lectures_lib.decision import kl_divergence, normal_pdf
from lectures_lib.figures import (
    Axis,
    Bars,
    Curve,
    Line,
    Mark,
    Panel,
    Points,
    Scene,
    Text,
    between,
)
from lectures_lib.figures.plane import curve_through
from lectures_lib.figures.scene import Floats, numbers
from lectures_lib.figures.words import number, power_of_ten
from lectures_lib.logistic import LogisticRegression, log_likelihood, log_sigmoid, sigmoid

TWELVE = Axis("x", -4, 4)
SIX_X = np.array([-10.0, 1.0, 1.0, 1.0, 1.0, 1.0])
SIX_Y = np.array([1, 1, 1, 1, 1, 0])


def tiny(log_value: float) -> str:
    """e^log_value with two digits, also where it is too small for a floating-point number."""
    decimal = log_value / np.log(10)
    exponent = int(np.floor(decimal))
    if exponent >= -4:
        return number(float(np.exp(log_value)), 4)
    return f"{10 ** (decimal - exponent):.1f} · {power_of_ten(exponent)}"


def _log_probability(z: Floats, y: npt.ArrayLike) -> Floats:
    """log of the probability that a score z gives to the label y."""
    return np.asarray(log_sigmoid((2 * np.asarray(y) - 1) * z))


# --- bars under the sigmoid -----------------------------------------------------------------------


def largest_product(x: npt.ArrayLike, y: npt.ArrayLike) -> str:
    """The product at the maximum of the likelihood, or what separable labels have instead."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = LogisticRegression().fit(np.reshape(x, (-1, 1)), y)
    found = log_likelihood(np.reshape(x, (-1, 1)), y, np.r_[model.intercept_, model.coef_[0]])
    return tiny(found) if model.converged_ else "1, and none reaches it"


def bars_scene(
    x: npt.ArrayLike, y: npt.ArrayLike, w0: float, w: float, axis: Axis = TWELVE, best: str = ""
) -> Scene:
    """Each example's likelihood as a bar: up to the curve for label 1, down to it for label 0.
    Below it the losses, minus the logarithms of the bars. `best` says how large a product can be.
    """
    xs, labels = numbers(x, "x", ndim=1), np.asarray(y)
    grid = np.linspace(axis.lo, axis.hi, 81)
    p = np.asarray(sigmoid(w0 + w * xs))
    logs = _log_probability(w0 + w * xs, labels)
    half = 0.012 * (axis.hi - axis.lo)
    marks: list[Mark] = []
    losses: list[Mark] = []
    for label, base in ((0, 1.0), (1, 0.0)):
        there = labels == label
        left, right = xs[there] - half, xs[there] + half
        marks.append(Bars(left, right, p[there], label, f"probability of label {label}", base))
        losses.append(Bars(left, right, np.minimum(-logs[there], 6), label))
        marks.append(Points(np.c_[xs[there], labels[there]], labels[there]))
    marks.append(Curve(grid, sigmoid(w0 + w * grid), "boundary"))
    marks.append(Line([w, 0], w0, "guide", "50 %"))
    total, n = float(logs.sum()), len(xs)
    divergence = float(np.mean(kl_divergence(np.eye(2)[labels], np.c_[1 - p, p])))
    quarters = tuple((k / 4, f"{k / 4:g}") for k in range(5))
    chance, loss = Axis("probability", -0.1, 1.2, quarters), Axis("loss", 0, 6.2)
    top = Panel(tuple(marks), axis, chance, "likelihood", height=0.42)
    title = "loss = −log of the bar"
    below = Panel(tuple(losses), axis, loss, title, height=0.26, below=True)
    sentence = (
        f"{n} examples, w0 = {number(w0)}, w = {number(w)}: the likelihood, the product of all "
        f"bars, is {tiny(total)}; {int(((p > 0.5) == (labels == 1)).sum())} decisions are right."
    )
    readouts = (
        ("product", tiny(total)),
        *([("the largest", best)] if best else []),
        ("log-likelihood", number(total)),
        ("cross-entropy (mean loss)", number(-total / n, 3)),
        ("mean KL(labels ‖ model)", number(divergence, 3)),
    )
    return Scene((top, below), sentence, readouts, shared_legend=True)


# --- losses ---------------------------------------------------------------------------------------


def downhill(values: Floats, start: int) -> int:
    """The place where steps to a lower neighbour end."""
    at = start
    while at > 0 and values[at - 1] < values[at]:
        at -= 1
    while at < len(values) - 1 and values[at + 1] < values[at]:
        at += 1
    return at


def minima_scene(start: float) -> Scene:
    """Squared error and cross-entropy of six examples over w, and where descent from w ends."""
    grid = np.linspace(-3, 4, 701)
    z = grid[:, None] * SIX_X
    squared = np.mean((SIX_Y - np.asarray(sigmoid(z))) ** 2, axis=1)
    cross = -np.mean(_log_probability(z, SIX_Y), axis=1)
    first = int(np.abs(grid - start).argmin())
    panels, ends = [], []
    for title, values, low, top in (
        ("squared error", squared, 0.15, 0.6),
        ("cross-entropy", cross, 0.0, 4.5),
    ):
        last = downhill(values, first)
        way = np.linspace(grid[first], grid[last], 60)
        ends.append(number(float(grid[last])))
        marks = (
            Curve(grid[::5], values[::5]),
            curve_through(np.c_[way, np.interp(way, grid, values)], "path1", "descent"),
            Points([[grid[first], values[first]]], look="focus", size=8, labels=("start",)),
            Points([[grid[last], values[last]]], look="dot", labels=("where descent ends",)),
            Text([grid[last], values[last]], (f"w = {ends[-1]}",), shift=(0, -16)),
        )
        panels.append(Panel(marks, Axis("w", -3, 4), Axis(title, low, top), title))
    sentence = (
        f"From w = {number(start)}, small steps downhill end at w = {ends[0]} on the squared error "
        f"and at w = {ends[1]} on the cross-entropy."
    )
    return Scene(tuple(panels), sentence, shared_legend=True)


def models_scene(
    x: npt.ArrayLike, y: npt.ArrayLike, models: Sequence[tuple[str, float, float]]
) -> Scene:
    """Labelled points and, for each (name, w0, w), the curve, decisions and likelihood."""
    x, y = np.asarray(x, dtype=float), np.asarray(y)
    axis = Axis("x", -2, 21)
    panels, told = [], []
    for name, w0, w in models:
        one = bars_scene(x, y, w0, w, axis).panels[0]
        z = w0 + w * x
        wrong = np.flatnonzero((z > 0) != (y == 1))
        ring = Points(np.c_[x[wrong], y[wrong]], look="ring", size=9, labels=("mistake",))
        total = float(_log_probability(z, y).sum())
        panels.append(Panel((*one.marks, ring), axis, one.y, name, height=0.7))
        told.append(
            f"{name}: {len(x) - len(wrong)} of {len(x)} right, log-likelihood {number(total)}"
        )
    return Scene(tuple(panels), f"{'; '.join(told)}.", shared_legend=True)


# --- divergences ----------------------------------------------------------------------------------


def divergence_scene() -> Scene:
    """The densities of N(0, 1) and N(1.5, 1.5²), and what KL and JS add up over x."""
    x = np.linspace(-5, 7, 241)
    p, q = normal_pdf(x), normal_pdf((x - 1.5) / 1.5) / 1.5
    m = (p + q) / 2
    kl_pq, kl_qp = p * np.log(p / q), q * np.log(q / p)
    js = (p * np.log(p / m) + q * np.log(q / m)) / 2
    sums = [float(values.sum() * (x[1] - x[0])) for values in (kl_pq, kl_qp, js)]
    across, height = Axis("x", -5, 7), Axis("", -0.02, 0.45)
    both = Curve(x, p, "boundary", "p"), Curve(x, q, "old", "q")
    panels = [Panel(both, across, height, "densities")]
    for title, values in (("p log(p/q)", kl_pq), ("q log(q/p)", kl_qp), ("JS", js)):
        marks = between(x, 0, values, None), Curve(x, values), Line([0, 1], 0, "guide")
        panels.append(Panel(marks, across, Axis("", -0.2, 0.75), title))
    sentence = (
        "Two densities p and q, and the functions whose areas are the divergences: "
        f"KL(p‖q) = {number(sums[0])}, KL(q‖p) = {number(sums[1])}, both with negative parts, and "
        f"JS = {number(sums[2])}, which has none and is at most log 2 = 0.69."
    )
    return Scene(tuple(panels), sentence, columns=2)
