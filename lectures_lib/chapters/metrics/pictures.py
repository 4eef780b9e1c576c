"""The pictures of metrics: two heaps of scores, the planes above them, and what mistakes cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from lectures_lib.figures import (
    Axis,
    Curve,
    Line,
    Panel,
    Points,
    Raster,
    Region,
    Scene,
    Segments,
    Text,
    between,
)
from lectures_lib.figures.plane import binary_labels, heaps
from lectures_lib.figures.scene import Array, Floats, Mark, numbers
from lectures_lib.figures.words import count, number
from lectures_lib.metrics import (
    calibration_bins,
    expected_cost,
    iso_cost_slope,
    roc_convex_hull,
    wilson_interval,
)

KINDS = ("good mail", "spam")
LOW, HIGH = -4.0, 8.0  # scores beyond them are drawn at the edge
STEP = 0.25  # width of a bar, and the grid of the thresholds
FPR, RECALL = Axis("false positive rate", 0, 1), Axis("recall (true positive rate)", 0, 1)


# --- one threshold -------------------------------------------------------------------------------


def rates_at(y: Array, s: Floats, cuts: npt.ArrayLike) -> tuple[Floats, Floats]:
    """False positive rate and recall of the rule "s at least cut", for each cut."""
    at = np.atleast_1d(np.asarray(cuts, dtype=float))
    rates = [1 - np.searchsorted(np.sort(s[y == k]), at) / np.sum(y == k) for k in (0, 1)]
    return rates[0], rates[1]


def _precision(fpr: Floats, recall: Floats, prevalence: float) -> Floats:
    """Share of spam among what is called spam; 1 where nothing is."""
    caught, lost = prevalence * recall, (1 - prevalence) * fpr
    called = caught + lost
    return np.divide(caught, called, out=np.ones_like(called), where=called > 0)


def _heaps_panel(y: Array, s: Floats, cut: float, prevalence: float, title: str) -> Panel:
    """Both histograms as messages per 1,000, with the mistakes of the cut hatched."""
    edges = np.arange(LOW, HIGH + STEP / 2, STEP)
    inside = np.clip(s, LOW, HIGH - STEP / 2)
    heights = [
        1000 * share * np.histogram(inside[y == k], edges)[0] / np.sum(y == k)
        for k, share in enumerate((1 - prevalence, prevalence))
    ]
    wrong = "lost: good mail called spam", "missed: spam called good"
    axes = Axis("score (log-odds of spam)", LOW, HIGH), Axis("messages of 1,000", 0, 100)
    tall = int(heights[0].argmax())  # it leaves the frame, which shows the others
    says = Text([edges[tall + 1], 95], (f"↑ {heights[0][tall]:.0f}",), "start", 11, "muted", (3, 0))
    return Panel((*heaps(edges, heights, cut, KINDS, wrong), says), *axes, title, height=0.8)


def opening_scene(y: npt.ArrayLike, s: npt.ArrayLike, cut: float = 0.0) -> Scene:
    """The scores of good mail and of spam as two heaps, with one cut."""
    labels, score = binary_labels(y), numbers(s, "s", ndim=1)
    panel = replace(_heaps_panel(labels, score, cut, float(labels.mean()), ""), height=0.55)
    lost, missed = (int(np.sum(((score >= cut) != (k == 1)) & (labels == k))) for k in (0, 1))
    sentence = (
        f"Scores of {len(score)} messages; at threshold {number(cut, 1)} {lost} good ones are "
        f"called spam and {missed} spam messages called good."
    )
    return Scene((panel,), sentence)


def threshold_scene(y: npt.ArrayLike, s: npt.ArrayLike, cut: float, prevalence: float) -> Scene:
    """Two heaps under one threshold, and its point on the ROC and the precision-recall curve."""
    labels, score = binary_labels(y), numbers(s, "s", ndim=1)
    here = rates_at(labels, score, cut)
    (fpr,), (recall,), (precision,) = *here, _precision(*here, prevalence)
    x, z = rates_at(labels, score, _grid(score))
    panels = (
        _heaps_panel(labels, score, cut, prevalence, "the threshold"),
        _plane("ROC", FPR, RECALL, (x, z), (fpr, recall), ([0, 1], "by chance")),
        _plane(
            "precision and recall",
            Axis("recall", 0, 1),
            Axis("precision", 0, 1),
            (z, _precision(x, z, prevalence)),
            (recall, precision),
            ([prevalence] * 2, "by chance"),
        ),
    )
    caught, lost = 1000 * prevalence * recall, 1000 * (1 - prevalence) * fpr
    missed, kept = 1000 * prevalence - caught, 1000 * (1 - prevalence) - lost
    readouts = (
        ("TP of 1,000, spam caught", number(caught, 1)),
        ("FN of 1,000, spam missed", number(missed, 1)),
        ("FP of 1,000, good mail lost", number(lost, 1)),
        ("TN of 1,000, good mail kept", number(kept, 1)),
        ("accuracy", number((caught + kept) / 1000, 3)),
        ("recall", number(recall, 3)),
        ("false positive rate", number(fpr, 3)),
        ("precision", number(precision, 3)),
    )
    sentence = (
        f"Threshold {number(cut)}, {100 * prevalence:.0f} % spam: recall {number(recall, 3)}, "
        f"false positive rate {number(fpr, 3)}, precision {number(precision, 3)}."
    )
    return Scene(panels, sentence, readouts, shared_legend=True)


def _plane(
    title: str,
    x: Axis,
    y: Axis,
    curve: tuple[Floats, Floats],
    here: tuple[float, float],
    chance: tuple[Sequence[float], str],
) -> Panel:
    """A curve over all thresholds with the place of one of them, and what chance would do."""
    marks = (
        Curve([0, 1], chance[0], "guide", chance[1]),
        Curve(*curve),
        Segments([[here[0], 0], [0, here[1]]], [here, here]),
        Points([here], look="dot", size=7, labels=("this threshold",)),
    )
    return Panel(marks, x, y, title, equal=True)


def _grid(s: Floats) -> Floats:
    """About 120 thresholds that follow the scores, from never to always."""
    return np.concatenate([[np.inf], np.quantile(s, np.linspace(1, 0, 120)), [-np.inf]])


# --- the ROC plane -------------------------------------------------------------------------------


def roc_scene(
    curves: Mapping[str, tuple[Floats, Floats]],
    points: Mapping[str, tuple[float, float]] | None = None,
    *,
    area: bool = False,
    reach: float = 1.0,
) -> Scene:
    """ROC curves by name, classifiers as named points, and the diagonal of chance.

    `area` shades what lies under the first curve; `reach` below 1 shows the left edge only.
    """
    marks: list[Mark] = []
    if area:
        name, (fpr, tpr) = next(iter(curves.items()))
        marks.append(between(fpr, 0, tpr, None, f"area under {name}"))
    marks.append(Curve([0, 1], [0, 1], "guide", "by chance"))
    for k, (name, (fpr, tpr)) in enumerate(curves.items(), start=1):
        marks.append(Curve(fpr, tpr, f"path{k}", name))
    named = dict(points or {})
    if named:
        where = np.array(list(named.values()))
        marks.append(Points(where, look="dot", size=6))
        left = where[:, 0] < 0.6 * reach
        for side, anchor, shift in ((left, "start", (10, 6)), (~left, "end", (-8, -16))):
            words = tuple(name for name, there in zip(named, side, strict=True) if there)
            if words:
                marks.append(Text(where[side], words, anchor, shift=shift))
    panel = Panel(tuple(marks), Axis("false positive rate", 0, reach), RECALL, height=0.85)
    at = 0.1 * reach
    parts = [
        f"{name} reaches recall {number(float(np.interp(at, *curve)), 3)}"
        for name, curve in curves.items()
    ]
    parts += [f"{name} lies at ({number(a, 3)}, {number(b, 3)})" for name, (a, b) in named.items()]
    return Scene((panel,), f"ROC plane; at false positive rate {number(at)}: {'; '.join(parts)}.")


def band_scene(x: Floats, curves: Sequence[Floats], drawn: Floats) -> Scene:
    """A ROC curve with the band that holds 95 of 100 resampled curves at each false positive rate.

    `curves` is (resamples, len(x)); `drawn` is the curve of the sample itself.
    """
    low, high = np.quantile(curves, [0.025, 0.975], axis=0)
    marks = (
        between(x, low, high, None, "95 % of the resampled curves"),
        Curve(x, drawn, "boundary", "this sample"),
    )
    panel = Panel(marks, Axis("false positive rate", 0, x[-1]), Axis("recall", 0, 1), height=0.6)
    at = int(np.searchsorted(x, x[-1] / 5))
    sentence = (
        f"At false positive rate {number(x[at], 3)} the recall is {number(drawn[at])} here, and "
        f"{number(low[at])} to {number(high[at])} in 95 of 100 resamples."
    )
    return Scene((panel,), sentence)


# --- costs ---------------------------------------------------------------------------------------


def cost_scene(
    y: npt.ArrayLike, s: npt.ArrayLike, cut: float, price: float, prevalence: float
) -> Scene:
    """The cost of every threshold, and in the ROC plane the line of equal cost through this one.

    A missed spam costs 1, a lost good message `price`. Costs are divided by that of deleting
    nothing, so the axis stands still.
    """
    labels, score = binary_labels(y), numbers(s, "s", ndim=1)
    C = np.array([[0.0, price], [1.0, 0.0]])
    cuts = np.arange(LOW, HIGH + 0.01, 0.1)
    x, z = rates_at(labels, score, cuts)
    costs = expected_cost(x, z, C, prevalence) / prevalence
    best = int(costs.argmin())
    (here_x,), (here_z,) = rates_at(labels, score, cut)
    cost = float(expected_cost(here_x, here_z, C, prevalence) / prevalence)
    slope = iso_cost_slope(C, prevalence)
    left = Panel(
        (
            Curve([LOW, HIGH], [1, 1], "guide"),
            Text([2, 1], ("delete nothing",), "start", 11, "muted", (0, 8)),
            Curve(cuts, np.where(costs > 2.5, np.nan, costs), "boundary"),
            Line([1, 0], -cut, "weights"),
            Points([[cuts[best], costs[best]]], look="ring", size=8, labels=("cheapest",)),
            Points([[cut, min(cost, 2.0)]], look="dot", size=6, labels=("this threshold",)),
        ),
        Axis("threshold on the score", LOW, HIGH),
        Axis("cost (delete nothing = 1)", 0, 2),
        "what it costs",
        height=0.9,
    )
    grid_x, grid_z = rates_at(labels, score, np.r_[np.inf, cuts[::-1], -np.inf])
    right = Panel(
        (
            Curve(grid_x, grid_z, "boundary"),
            Line([-slope, 1], -(z[best] - slope * x[best]), "old", "cheapest line"),
            Line([-slope, 1], -(here_z - slope * here_x), "weights", "this cost"),
            Points([[x[best], z[best]]], look="ring", size=8),
            Points([[here_x, here_z]], look="dot", size=6),
            Curve(*roc_convex_hull(grid_x, grid_z), "guide", "hull"),
        ),
        Axis("false positive rate", 0, 0.5),
        Axis("recall", 0, 1),
        "lines of equal cost",
        height=0.9,
    )
    cheapest = f"{number(costs[best], 3)} at {number(cuts[best], 1)}"
    readouts = (
        ("this threshold", f"cost {number(cost, 3)}"),
        ("cheapest", cheapest),
        ("slope of the lines", number(slope)),
    )
    sentence = (
        f"A lost message costs {number(price)}, {100 * prevalence:.0f} % spam: threshold "
        f"{number(cut, 1)} costs {number(cost, 3)} of doing nothing, the cheapest {cheapest}; "
        f"slope {number(slope)}."
    )
    return Scene((left, right), sentence, readouts, columns=2, shared_legend=True)


# --- calibration, many classes -------------------------------------------------------------------


def calibration_scene(y: npt.ArrayLike, probabilities: Mapping[str, npt.ArrayLike]) -> Scene:
    """How often it was spam over what was said, with 95 % intervals, one panel for each model."""
    labels = np.asarray(y)
    panels, told = [], []
    for name, p in probabilities.items():
        share, said, size = calibration_bins(labels, p, n_bins=10)
        ends = [wilson_interval(round(a * n), int(n)) for a, n in zip(share, size, strict=True)]
        low, high = np.array(ends).T
        marks = (
            Curve([0, 1], [0, 1], "guide", "means what it says"),
            Segments(np.c_[said, low], np.c_[said, high], "outline", "95 % interval"),
            Points(np.c_[said, share], look="dot", size=5, labels=("share of spam",)),
        )
        off = int(np.sum((said < low) | (said > high)))
        told.append(f"{name}: {off} of {len(said)} intervals miss the diagonal")
        axis = Axis("probability that was said", 0, 1)
        panels.append(Panel(marks, axis, Axis("share of spam", 0, 1), name, equal=True))
    return Scene(tuple(panels), "; ".join(told) + ".", shared_legend=True)


def confusion_scene(M: npt.ArrayLike, names: Sequence[str], title: str = "") -> Scene:
    """A confusion matrix as a table: true classes in rows, darker fields for larger shares."""
    table = numbers(M, "M", ndim=2)
    K = len(table)
    if table.shape != (K, K) or len(names) != K:
        raise ValueError(f"M: found shape {table.shape}, expected {(len(names),) * 2} as names.")
    share = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    wrong = np.where(np.eye(K, dtype=bool), -1.0, table)
    worst = divmod(int(wrong.argmax()), K)
    rows, columns = np.indices((K, K)).reshape(2, -1)
    at = np.column_stack([columns + 0.5, K - rows - 0.5])
    words = tuple(number(v, 0) for v in table.ravel())
    corner = np.array([worst[1], K - 1 - worst[0]])
    box = corner + np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    numbered = max(map(len, names)) * K >= 40  # long names stand once, with a number
    called = tuple(map(str, range(K))) if numbered else tuple(names)
    true = tuple(f"{k} {name}" for k, name in enumerate(names)) if numbered else tuple(names)
    longest = max(map(len, (*true, "truth")))
    room = 7.5 * longest / (330 - 7.5 * longest)  # for the names of the rows, in tables
    marks: list[Mark] = [
        Raster(0.4 * share, (0, K), (K, 0), "grey"),
        Text(at, words, shift=(0, -4)),
        Region((box,), 6, "most frequent mistake", outline=True, fill=False),
        Text([[-0.15, K - k - 0.5] for k in range(K)], true, "end", shift=(0, -4)),
        Text([[k + 0.5, -0.5] for k in range(K)], called),
        Text([[-0.15, K + 0.12 * K], [-0.15, -0.5]], ("truth", "called"), "end", 11),
    ]
    panel = Panel(
        tuple(marks),
        Axis("", -room * K - 0.3, K + 0.1),
        Axis("", -0.8, K + 0.2 * K),
        title,
        height=0.6,
        frame=False,
    )
    mistakes = int(table.sum() - np.trace(table))
    sentence = (
        f"Confusion matrix of {number(table.sum(), 0)} examples, {count(mistakes, 'mistake')}; the "
        f"most frequent, {number(wrong.max(), 0)}: {names[worst[0]]} called {names[worst[1]]}."
    )
    return Scene((panel,), sentence)
