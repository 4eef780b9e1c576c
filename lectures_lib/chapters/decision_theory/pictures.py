"""Figures of chapter decision_theory: crossings, areas, costs and risks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lectures_lib.datasets import AVOCADO_MEANS, AVOCADO_PRIORS, AVOCADO_SD
from lectures_lib.decision import (
    boundaries_two_gaussians,
    cost_threshold,
    normal_cdf,
    normal_pdf,
    risk_of_threshold,
)
from lectures_lib.figures.marks import (
    Curve,
    Line,
    Points,
    Region,
    Segments,
    Text,
    between,
    histogram,
)
from lectures_lib.figures.plane import box
from lectures_lib.figures.scene import Axis, Floats, Mark, Panel, Scene, numbers
from lectures_lib.figures.words import count, number

AVOCADOS = ("ordinary", "organic")
PRICES = (0.2, 2.4)  # the price axis of all pictures of avocados


def _upright(place: float, role: str = "boundary", label: str = "") -> Line:
    return Line([1, 0], -place, role, label)


# --- where to cut real data --------------------------------------------------------------------


def total_costs(x: npt.ArrayLike, y: npt.ArrayLike, ratio: float) -> tuple[Floats, Floats]:
    """All cuts between values of x and what they cost: false alarms + ratio · missed cases."""
    values, labels = numbers(x, "x", ndim=1), np.asarray(y)
    distinct = np.unique(values)
    cuts = np.r_[distinct[0] - 0.5, (distinct[1:] + distinct[:-1]) / 2, distinct[-1] + 0.5]
    sick, well = np.sort(values[labels == 1]), np.sort(values[labels == 0])
    missed = np.searchsorted(sick, cuts, side="right")
    alarms = len(well) - np.searchsorted(well, cuts, side="right")
    return cuts, np.asarray(alarms + ratio * missed, dtype=float)


def opening_scene(x: npt.ArrayLike, y: npt.ArrayLike, name: str) -> Scene:
    """Two overlapping classes, and the cost of every cut at prices 1 : 1 and 10 : 1."""
    values, labels = numbers(x, "x", ndim=1), np.asarray(y)
    edges = np.arange(np.floor(values.min()), np.ceil(values.max()) + 1)
    axis = Axis(name, float(edges[0]), float(edges[-1]))
    tops = [np.histogram(values[labels == k], edges)[0].max() for k in (0, 1)]
    upper: list[Mark] = [
        histogram(values[labels == 0], edges, 0, "benign"),
        histogram(values[labels == 1], edges, 1, "malignant"),
    ]
    lower: list[Mark] = []
    parts = []
    for ratio, role in ((1, "boundary"), (10, "old")):
        cuts, costs = total_costs(values, labels, ratio)
        best = int(costs.argmin())
        lower.append(Curve(cuts, costs, role, f"a missed tumour costs {ratio}"))
        lower.append(Points([[cuts[best], costs[best]]], look="dot", size=6))
        upper.append(_upright(float(cuts[best]), role))
        missed = int(np.sum((values <= cuts[best]) & (labels == 1)))
        parts.append(f"at {ratio} : 1 the best cut is {number(cuts[best], 3)}, {missed} missed")
    panels = (
        Panel(tuple(upper), axis, Axis("cases", 0, 1.1 * max(tops)), height=0.45),
        Panel(tuple(lower), axis, Axis("total cost", 0, 700), height=0.45, below=True),
    )
    sentence = f"{count(len(values), 'case')} by {name}: " + "; ".join(parts) + "."
    return Scene(panels, sentence)


# --- Bayes' rule -------------------------------------------------------------------------------


def densities_scene() -> Scene:
    """The prices of ordinary and organic avocados: two densities that overlap."""
    x = np.linspace(*PRICES, 221)
    curves = [normal_pdf((x - m) / AVOCADO_SD) / AVOCADO_SD for m in AVOCADO_MEANS]
    shared = np.minimum(*curves)
    marks = (
        between(x, 0, shared, None, "both"),
        Curve(x, curves[0], "class0", AVOCADOS[0]),
        Curve(x, curves[1], "class1", AVOCADOS[1]),
        _upright(1.4, "guide"),
    )
    panel = Panel(marks, Axis("price", *PRICES), Axis("density p(x | c)", 0, 1.8), height=0.5)
    sentence = (
        f"Densities of the price of {AVOCADOS[0]} avocados round {AVOCADO_MEANS[0]} and of "
        f"{AVOCADOS[1]} ones round {AVOCADO_MEANS[1]}, both of width {AVOCADO_SD}; they overlap."
    )
    return Scene((panel,), sentence)


def square_scene(prior: float, ordinary: float, organic: float) -> Scene:
    """Bayes' rule as areas: widths are priors, heights likelihoods, areas joint probabilities.

    A border and two tops are under the hand.
    """
    border = 1 - prior
    joint = np.array([border * ordinary, prior * organic])
    shares = joint / joint.sum()
    marks: list[Mark] = []
    # Words begin at the left edge of the square and end at the right one: none is cut off.
    left = (0.0, border, border, ordinary, 0.0, "start", 6.0)
    right = (border, 1.0, prior, organic, 1.0, "end", -6.0)
    for k, (a, b, p, q, at, anchor, aside) in enumerate((left, right)):
        marks.append(Region((box(a, b, 0, 1),), None, outline=True, fill=False))
        marks.append(Region((box(a, b, 0, q),), k, outline=True))
        for height, up, words in (
            (q / 2, 0.0, f"area {number(joint[k])}"),
            (q, 12.0, f"likelihood {number(q)}" if p > 0.45 else number(q)),
            (1.04, 0.0, f"{AVOCADOS[k]}, prior {number(p)}"),
        ):
            marks.append(Text([[at, height]], (words,), anchor, shift=(aside, up)))
    knobs = ((border, 0.5), (0.7 * border, ordinary), (border + 0.3 * prior, organic))
    marks += [Points([knob], look="dot", size=6) for knob in knobs]
    share = float(shares[0])
    marks += [  # the filled part alone, as a column
        Region((box(1.08, 1.16, 0, share),), 0, outline=True),
        Region((box(1.08, 1.16, share, 1),), 1, outline=True, hatch=True),
        Text([1.16, 1.04], ("posterior",), "end"),
    ]
    panel = Panel(tuple(marks), Axis("", -0.02, 1.18), Axis("", -0.02, 1.12), "", False, 0.7, False)
    told = ", ".join(f"{number(s, 3)} is {n}" for s, n in zip(shares, AVOCADOS, strict=True))
    sentence = (
        "A unit square cut into one column per class, as wide as its prior, filled as high as "
        f"price 1.4 is likely in it. Of the filled area {number(joint.sum())}, the share {told}."
    )
    posteriors = [(f"posterior of {n}", number(s)) for s, n in zip(shares, AVOCADOS, strict=True)]
    larger = "none: both are equal" if shares[0] == shares[1] else AVOCADOS[int(shares.argmax())]
    readouts = (("evidence", number(joint.sum())), *posteriors, ("larger area", larger))
    return Scene((panel,), sentence, readouts)


def all_classifiers_scene(risks: npt.ArrayLike, least: float) -> Scene:
    """The risks of all classifiers on a finite table, as a histogram."""
    values = numbers(risks, "risks", ndim=1)
    edges = np.linspace(0, 1, 41)
    counts, _ = np.histogram(values, edges)
    boxes = [box(a, b, 0, c) for a, b, c in zip(edges, edges[1:], counts, strict=False) if c]
    marks = (
        Region(tuple(boxes), None, outline=True),
        _upright(least, "weights", "Bayes rule"),
    )
    panel = Panel(
        marks,
        Axis("probability of error", 0, 1),
        Axis("classifiers", 0, 1.3 * float(counts.max())),
        height=0.45,
    )
    sentence = (
        f"The risks of all {len(values)} classifiers on the table run from "
        f"{number(values.min(), 3)} to {number(values.max(), 3)}; the Bayes rule has "
        f"{number(least, 3)}."
    )
    return Scene((panel,), sentence)


# --- the cut and its risk ----------------------------------------------------------------------


def cut_scene(
    cut: float,
    prior: float = AVOCADO_PRIORS[1],
    means: tuple[float, float] = AVOCADO_MEANS,
    sd: float = AVOCADO_SD,
    costs: tuple[float, float] = (1.0, 1.0),
    rule: str = "",
    others: Sequence[float] = (),
) -> Scene:
    """p(x | c) P(c) with a cut and both error areas; the risk of every cut beneath.

    `prior` is P(1), `costs` are (C01, C10); above the cut the answer is class 1. `others` are
    cuts that are marked on the risk.
    """
    C = [[0.0, costs[0]], [costs[1], 0.0]]
    priors = (1 - prior, prior)
    x = np.linspace(*PRICES, 221)
    joint = [p * normal_pdf((x - m) / sd) / sd for p, m in zip(priors, means, strict=True)]
    cuts = np.r_[cut, x[::2]]
    above_0 = priors[0] * normal_cdf(-(cuts - means[0]) / sd)
    below_1 = priors[1] * normal_cdf((cuts - means[1]) / sd)
    risk, *risks = (costs[0] * above_0 + costs[1] * below_1).tolist()
    best = boundaries_two_gaussians(means, sd, priors, C)
    place = float(np.clip(best[0], *PRICES))
    least = risk_of_threshold(place, means, sd, priors, C)
    right, left = np.r_[cut, x[x > cut]], np.r_[x[x < cut], cut]
    rest = [
        Points([[c, np.interp(c, x[::2], risks)]], look="dot", size=3.5, labels=("another rule",))
        for c in others
    ]
    axis = Axis("price", *PRICES)
    upper = Panel(
        (
            between(right, 0, np.interp(right, x, joint[0]), 0, hatch=True),
            between(left, 0, np.interp(left, x, joint[1]), 1, hatch=True),
            *(_bell(priors[k], means[k], sd, k) for k in (0, 1)),
            _upright(cut),
        ),
        axis,
        Axis("p(x | c) P(c)", 0, 1.6),
        rule,
        height=0.42,
    )
    lower = Panel(
        (
            Curve(x[::2], risks, "boundary"),
            _upright(place, "guide"),
            Points([[place, least]], look="ring", size=7, labels=("least risk",)),
            Points([[cut, risk]], look="dot", size=6, labels=("this cut",)),
            *rest,
        ),
        axis,
        Axis("risk", 0, 0.8 * max(1.0, *costs)),
        height=0.3,
        below=True,
    )
    readouts = (
        (f"{AVOCADOS[0]} called {AVOCADOS[1]}", number(above_0[0], 3)),
        (f"{AVOCADOS[1]} called {AVOCADOS[0]}", number(below_1[0], 3)),
        ("risk", number(risk, 3)),
        ("least risk", f"{number(least, 3)} at {number(best[0], 2)}"),
    )
    sentence = (
        f"Cut at {number(cut, 2)}, P(organic) = {number(prior)}, costs {costs[0]:g} and "
        f"{costs[1]:g}: risk {number(risk, 3)}; the least is {number(least, 3)} at "
        f"{number(best[0], 2)}."
    )
    return Scene((upper, lower), sentence, readouts)


def _bell(prior: float, mean: float, sd: float, k: int) -> Curve:
    """A density times its prior. Half of its places lie left of its left flank: there stands the
    knob that moves it, on the right flank the one that widens it."""
    flank = max(mean - sd, PRICES[0])
    x = np.r_[
        np.linspace(PRICES[0], flank, 110, endpoint=False), np.linspace(flank, PRICES[1], 111)
    ]
    return Curve(x, prior * normal_pdf((x - mean) / sd) / sd, f"class{k}", AVOCADOS[k])


RULES = ("smallest risk", "most probable class (MAP)", "most probable price (ML)", "prior alone")


def rule_scene(
    rule: str, prior: float, mean_0: float, mean_1: float, sd: float, c01: float, c10: float
) -> Scene:
    """The cut that one of four rules makes, on the picture of the cut and its risk."""
    means, priors = (mean_0, mean_1), (1 - prior, prior)
    C = [[0.0, c01], [c10, 0.0]]
    cuts = (
        boundaries_two_gaussians(means, sd, priors, C)[0],
        boundaries_two_gaussians(means, sd, priors)[0],
        (mean_0 + mean_1) / 2,
        PRICES[0] if prior > 0.5 else PRICES[1],  # always the same answer
    )
    inside = np.clip(cuts, *PRICES).tolist()
    cut = inside.pop(RULES.index(rule))
    return cut_scene(cut, prior, means, sd, (c01, c10), rule, inside)


# --- a third answer ----------------------------------------------------------------------------


def reject_scene(c01: float, c10: float, reject: float) -> Scene:
    """Expected costs of three actions over the posterior of class 1; the lowest one wins."""
    p = np.linspace(0, 1, 201)
    say_0, say_1 = c10 * p, c01 * (1 - p)
    lowest = np.minimum(np.minimum(say_0, say_1), reject)
    low, high = reject / c10, 1 - reject / c01
    top = max(c01, c10, 3.0)  # the axis stands still while a price below 3 is moved
    cut = cost_threshold([[0.0, c01], [c10, 0.0]])
    words, places = ["say 0", "say 1"], [cut / 2, (1 + cut) / 2]
    pays = (box(low, high, 0, 1.05 * top),) if low < high else ()
    if pays:
        words, places = ["say 0", "third", "say 1"], [low / 2, (low + high) / 2, (1 + high) / 2]
        pays_from = f"from p = {number(low)} to {number(high)}"
        zone = f"the third answer pays from {number(low, 3)} to {number(high, 3)}"
    else:
        pays_from = f"nowhere: two lines cross below it, at {number(float(cut * c10))}"
        zone = f"the third answer never pays; the threshold is {number(cut, 3)}"
    marks = (
        Region(pays, None, "the third answer"),
        Curve(p, say_0, "class0", "say 0: C₁₀ p"),
        Curve(p, say_1, "class1", "say 1: C₀₁ (1 − p)"),
        Curve([0.0, 1.0], [reject, reject], "old", "third answer: r"),
        Curve(p, lowest, "weights", "the cheapest"),
        Text([[at, 1.0 * top] for at in places], tuple(words)),
    )
    axes = Axis("p = P(1 | x)", -0.03, 1.03), Axis("expected cost", 0, 1.08 * top)
    sentence = (
        f"Expected costs of three answers over the posterior p, with C01 = {c01:g}, C10 = {c10:g} "
        f"and {reject:g} for the third answer: {zone}."
    )
    readouts = (("the third answer is cheapest", pays_from),)
    return Scene((Panel(marks, *axes, height=0.6),), sentence, readouts)


# --- prevalence --------------------------------------------------------------------------------


def prevalence_scene(
    means: Sequence[float], sds: Sequence[float], sample: float, screened: float, ratio: float
) -> Scene:
    """Expected cost per 1,000 people over the cut, in the sample and among those screened."""
    C = [[0.0, 1.0], [ratio, 0.0]]
    x = np.linspace(8, 22, 281)
    marks: list[Mark] = []
    best = {}
    for share, role, name in (
        (sample, "boundary", f"prior {number(sample)} (the sample)"),
        (screened, "old", f"prior {number(screened)} (the screened)"),
    ):
        costs = 1000 * np.array(
            [risk_of_threshold(float(c), means, sds, (1 - share, share), C) for c in x]
        )
        edge = float(boundaries_two_gaussians(means, sds, (1 - share, share), C)[-1])
        best[share] = (edge, 1000 * risk_of_threshold(edge, means, sds, (1 - share, share), C))
        marks.append(Curve(x, costs, role, name))
        marks.append(Points([best[share]], look="ring", size=7))
    wrong = best[sample][0]
    paid = 1000 * risk_of_threshold(wrong, means, sds, (1 - screened, screened), C)
    marks += [
        Points(
            [[wrong, paid]], look="dot", size=6, labels=("the sample's cut, used on the screened",)
        ),
        Segments([[wrong, best[sample][1]]], [[wrong, paid]]),
    ]
    panel = Panel(
        tuple(marks),
        Axis("cut on the mean radius", 8, 22),
        Axis("expected cost per 1,000", 0, 1100),
        height=0.55,
    )
    sentence = (
        f"With prior {number(sample)} the cheapest cut is {number(wrong, 1)}. Used where the prior "
        f"is {number(screened)} it costs {number(paid, 0)} per 1,000; the cheapest cut there, "
        f"{number(best[screened][0], 1)}, costs {number(best[screened][1], 0)}."
    )
    return Scene((panel,), sentence)
