"""Figures of chapter learning_from_examples: problems, classifiers, error sources, splits."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lectures_lib.datasets import load_digits
from lectures_lib.decision import normal_pdf
from lectures_lib.figures.images import digits_scene
from lectures_lib.figures.marks import Curve, Line, Points, Region, Segments, Text, between
from lectures_lib.figures.plane import CLASS_NAMES, box, class_regions, labelled_points
from lectures_lib.figures.scene import Array, Axis, Floats, Mark, Panel, Scene, numbers
from lectures_lib.figures.words import count, number
from lectures_lib.learning import (
    CutClassifier,
    ErrorSources,
    apply_cuts,
    error_sources,
    wave_posterior,
)

# --- what a classification problem is ----------------------------------------------------------


def problems_scene() -> Scene:
    """Four classification problems: messages, digits, moles (a schematic), topics of articles."""
    messages = np.array([[5.0, 0.6], [0.5, 4.2], [4.4, 4.0]])
    words = ("“Cheap pills, only today”", "a colleague’s note", "your doctor, on your pills")
    spam = Panel(
        (
            Points(messages[:2], [1, 0], size=8),
            Points(messages[2:], look="ring", size=10),
            Text(messages, ("spam", "personal", "?"), shift=(0, 17)),
            Text(messages, words, shift=(0, -25), colour="muted", size=11),
        ),
        Axis("words about medicines", -1.5, 7.5, ticks=()),
        Axis("words about you", -1.2, 6, ticks=()),
        "A message: spam or personal?",
    )
    digits = load_digits()
    shown = digits_scene(digits.images[10:18], digits.y[10:18].tolist(), columns=4).panels[0]
    images = Panel(shown.marks, shown.x, shown.y, "A picture: which digit?", True, frame=False)
    return Scene(
        (spam, images, _moles_panel(), _topics_panel()),
        "Four classification problems: three messages between spam and personal, one of them in "
        "doubt; eight handwritten digits; a smooth and a ragged mole; four articles, each with "
        "exactly one of four topics.",
        columns=2,
    )


def _moles_panel() -> Panel:
    """Outlines only: a smooth mole and a ragged one."""
    turn = np.linspace(0, 2 * np.pi, 121)[:-1]
    smooth = 1 + 0.04 * np.cos(2 * turn)
    ragged = 1.25 + 0.22 * np.cos(3 * turn + 1) + 0.16 * np.sin(7 * turn) + 0.1 * np.cos(11 * turn)
    rings = [
        middle + radius[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])
        for middle, radius in (([-1.8, 0.0], smooth), ([1.8, 0.0], ragged))
    ]
    marks: tuple[Mark, ...] = (
        Region((rings[0],), 0, outline=True),
        Region((rings[1],), 1, outline=True, hatch=True),
        Text([[-1.8, -2.1], [1.8, -2.1]], ("benign", "melanoma")),
    )
    x, y = Axis("", -3.6, 3.6), Axis("", -2.5, 1.9)
    return Panel(marks, x, y, "A mole: benign or not? (a schematic)", True, frame=False)


def _topics_panel() -> Panel:
    """Four articles as rows, four topics as columns, one filled cell in each row."""
    topics = ("sport", "politics", "science", "varieties")
    cells = [box(i, i + 1, 3 - i, 4 - i) for i in range(4)]
    empty = [box(j, j + 1, 3 - i, 4 - i) for i in range(4) for j in range(4) if i != j]
    marks = (
        Region(tuple(empty), None, outline=True, fill=False),
        Region(tuple(cells), None, outline=True),
        Text([[i + 0.5, 3.4 - i] for i in range(4)], ("1",) * 4),
        Text([(b[0] + b[2]) / 2 - [0, 0.1] for b in empty], ("0",) * 12, colour="muted"),
        Text([[j + 0.5, 4.2] for j in range(4)], topics, size=11),
        Text([[-0.15, 3.4 - i] for i in range(4)], tuple("abcd"), anchor="end"),
    )
    x, y = Axis("", -1, 5), Axis("", -0.2, 4.7)
    return Panel(marks, x, y, "An article: which topic?", False, 0.6, False)


def classifiers_scene(
    X: npt.ArrayLike, y: npt.ArrayLike, models: Mapping[str, Any], features: tuple[str, str]
) -> Scene:
    """The same examples once per fitted classifier, on the regions that it gives to the classes."""
    points, labels = labelled_points(X, y)
    x = Axis.around(points[:, 0], features[0], pad=0.04)
    x2 = Axis.around(points[:, 1], features[1], pad=0.04)
    panels, parts = [], []
    for name, model in models.items():
        if isinstance(model, CutClassifier):
            regions, borders = _stripes(model, x, x2)
        else:
            regions, borders, _ = class_regions(model.predict, [0, 1], x, x2)
        marks = (
            *(Region(rings, k) for k, rings in enumerate(regions) if rings),
            Points(points, labels, ("benign", "malignant"), size=3.5),
            Curve(borders[:, 0], borders[:, 1]),
        )
        panels.append(Panel(marks, x, x2, name, height=1.0))
        wrong = int(np.sum(model.predict(points) != labels))
        parts.append(f"{name}: {count(wrong, 'mistake')}")
    sentence = f"{len(points)} training examples and the regions of {len(panels)} classifiers. "
    return Scene(tuple(panels), sentence + "; ".join(parts) + ".", shared_legend=True)


def _stripes(model: CutClassifier, x: Axis, y: Axis) -> tuple[list[tuple[Floats, ...]], Floats]:
    """The regions of cuts on the first feature; a grid would miss the thin ones."""
    edges = np.r_[x.lo, model.cuts_, x.hi]
    boxes = [box(a, b, y.lo, y.hi) for a, b in itertools.pairwise(edges.tolist())]
    labels = apply_cuts(model.cuts_, model.first_, (edges[1:] + edges[:-1]) / 2)
    lines = [[[c, y.lo], [c, y.hi], [np.nan, np.nan]] for c in model.cuts_]
    regions = [tuple(b for b, k in zip(boxes, labels, strict=True) if k == c) for c in (0, 1)]
    return regions, np.array(lines).reshape(-1, 2)


# --- where errors come from --------------------------------------------------------------------

ROWS = ("best of all", "best with {cuts}", "fewest mistakes on the sample", "what the search found")
GAPS = ("best", "approx.", "estim.", "optim.", "found")


def sources_scene(n: int, degree: int, iterations: int, start: ErrorSources | None = None) -> Scene:
    """The diagram of the error sources to scale: four functions of one sample, measured bars.

    The risks of `start` are drawn as dotted lines: where the bars stood.
    """
    result = error_sources(n, degree, iterations)
    approximation, estimation, optimisation = result.gaps
    found = float(result.returned.mean())
    sentence = (
        f"{n} examples, degree {degree}, {count(iterations, 'step')} of search: "
        f"best error {number(result.best, 3)} + approximation {number(approximation, 3)} "
        f"+ estimation {number(estimation, 3)} + optimisation {number(optimisation, 3)} "
        f"= {number(found, 3)}, means over {len(result.returned)} samples."
    )
    panels = (_wave_panel(result), _strips_panel(result, degree), _bars_panel(result, start))
    return Scene(panels, sentence, columns=2)


def _wave_panel(result: ErrorSources) -> Panel:
    """The probability of class 1 with its crossings of 1/2, and the first sample."""
    x = np.linspace(0, 1, 241)
    places, labels = result.sample
    marks = (
        Line([0, 1], -0.5, "guide"),
        Curve(x, wave_posterior(x), label="probability of class 1"),
        Points(np.c_[places, np.where(labels == 1, 1.1, -0.1)], labels, CLASS_NAMES, size=3.5),
    )
    y = Axis("", -0.2, 1.2, ((0, "0"), (0.5, "0.5"), (1, "1")))
    return Panel(marks, Axis("", 0, 1), y, height=0.4)


def _strips_panel(result: ErrorSources, degree: int) -> Panel:
    """What the four functions say along the line; hatched where they miss the best one."""
    said: dict[tuple[int, bool], list[Floats]] = {}
    for row, (places, first) in enumerate(result.functions):
        low, high = 3.1 - row, 3.58 - row
        edges = np.unique(np.concatenate([[0.0], places, result.functions[0][0], [1.0]]))
        middles = (edges[1:] + edges[:-1]) / 2
        labels = apply_cuts(places, first, middles)
        right = apply_cuts(*result.functions[0], middles)
        for left, end, label, truth in zip(edges, edges[1:], labels, right, strict=False):
            strip = box(float(left), float(end), low, high)
            said.setdefault((int(label), bool(label != truth)), []).append(strip)
    marks: list[Mark] = [
        Region(tuple(boxes), label, hatch=missed) for (label, missed), boxes in sorted(said.items())
    ]
    words = tuple(row.format(cuts=count(degree, "cut")) for row in ROWS)
    marks.append(Text([[0.005, 3.68 - row] for row in range(4)], words, anchor="start", size=11))
    x, y = Axis("x", 0, 1), Axis("", 0, 4, ticks=())
    return Panel(
        tuple(marks), x, y, "hatched: not what the best function says", False, 0.5, below=True
    )


def _levels(result: ErrorSources) -> Floats:
    """The risks from nothing over the best one to the one found, one gap after the other."""
    return np.cumsum([0.0, result.best, *result.gaps])


def _bars_panel(result: ErrorSources, start: ErrorSources | None) -> Panel:
    """From the best risk to the one found, one measured bar for each gap."""
    levels = _levels(result)
    low, high = np.r_[levels[:-1], 0.0], np.r_[levels[1:], levels[-1]]
    at = np.arange(5.0)
    boxes = [box(i - 0.36, i + 0.36, a, b) for i, a, b in zip(at, low, high, strict=True)]
    sizes = tuple(number(gap, 3) for gap in high - low)
    # Away from the knobs: a gap's number is under its bar, that of the whole inside it.
    heights = np.r_[high[0], np.minimum(low, high)[1:4] - 0.03, 0.02]
    middle = np.quantile(result.returned, [0.25, 0.75])
    marks: list[Mark] = [
        Region((boxes[0], boxes[4]), None, outline=True),
        Region(tuple(boxes[1:4]), None, outline=True, hatch=True),
        Segments(np.c_[at + 0.36, high][:4], np.c_[at + 0.64, high][:4]),
        Segments([[4.0, middle[0]]], [[4.0, middle[1]]], "mistake"),
        Text(np.c_[at, heights], sizes, shift=(0, 7)),
    ]
    if start is not None:
        stood = _levels(start)[2:]
        ends = np.c_[at[1:4] - 0.36, stood], np.c_[at[1:4] + 0.36, stood]
        marks.append(Segments(*ends, "guide", "where it began"))
    names = tuple((float(i), name) for i, name in enumerate(GAPS))
    x, y = Axis("", -0.6, 4.6, names), Axis("probability of a wrong label", 0, 0.56)
    return Panel(tuple(marks), x, y, "", False, 0.95)


# --- two ways to build a classifier ------------------------------------------------------------


def two_ways_scene(x: npt.ArrayLike, y: npt.ArrayLike, cut: float, name: str) -> Scene:
    """Class densities that meet at a point (generative) beside the cut alone (discriminative)."""
    values, labels = numbers(x, "x", ndim=1), np.asarray(y)
    axis = Axis.around(values, name)
    u = np.linspace(axis.lo, axis.hi, 301)
    curves = []
    for k in (0, 1):
        members = values[labels == k]
        z, share = (u - members.mean()) / members.std(), len(members) / len(values)
        curves.append(share * normal_pdf(z) / members.std())
    lead = curves[1] > curves[0]
    change = np.flatnonzero(lead[1:] != lead[:-1])
    crossing = float(u[change[u[change] > values[labels == 0].mean()][0]])
    top = Axis("density × share", 0, 1.12 * max(c.max() for c in curves))
    left = Panel(
        (
            between(u, 0, curves[0], 0),
            between(u, 0, curves[1], 1),
            Curve(u, curves[0], "class0", "benign"),
            Curve(u, curves[1], "class1", "malignant"),
            Line([1, 0], -crossing, "guide"),
        ),
        axis,
        top,
        "generative: how each class looks",
    )
    spread = np.random.default_rng(0).uniform(-0.3, 0.3, len(values))
    right = Panel(
        (
            Points(np.column_stack([values, labels + spread]), labels, size=3),
            Line([1, 0], -cut, label="cut"),
        ),
        axis,
        Axis("", -0.8, 1.8, ((0, "benign"), (1, "malig."))),
        "discriminative: where they part",
    )
    sentence = (
        f"{len(values)} values of the {name}. Left, one density per class, weighted by its share; "
        f"they cross at {number(crossing, 1)}. Right, the cut with the fewest mistakes, "
        f"{number(cut, 1)}, and nothing about the classes."
    )
    return Scene((left, right), sentence, columns=2)


# --- splits ------------------------------------------------------------------------------------


def folds_scene(n_splits: int = 5) -> Scene:
    """Cross-validation: each fifth is held out once; the test set stays closed."""
    places = np.array([[j, n_splits - row] for row in range(n_splits) for j in range(n_splits)])
    on_diagonal, middle = np.eye(n_splits, dtype=bool).ravel(), np.array([0.5, -0.55])
    held, fitted = places[on_diagonal], places[~on_diagonal]

    def folds(some: Array) -> tuple[Floats, ...]:
        return tuple(box(j + 0.04, j + 0.96, row - 0.82, row - 0.1) for j, row in some)

    closed = box(n_splits + 0.4, n_splits + 2.4, 0.18, n_splits - 0.1)
    rounds = tuple(f"round {row + 1}" for row in range(n_splits))
    marks = (
        Region(folds(fitted), None, outline=True, fill=False),
        Region(folds(held), None, outline=True),
        Region((closed,), None, outline=True, hatch=True),
        Text(held + middle, ("judged",) * len(held), size=10.5),
        Text(fitted + middle, ("fit",) * len(fitted), colour="muted"),
        Text([[n_splits + 1.4, n_splits + 0.12]], ("test set: closed",)),
        Text([[n_splits / 2, n_splits + 0.12]], ("training set, in folds",)),
        Text(np.c_[np.full(n_splits, -0.1), held[:, 1] - 0.55], rounds, anchor="end"),
    )
    axes = Axis("", -1.1, n_splits + 2.5), Axis("", 0, n_splits + 0.5)
    panel = Panel(marks, *axes, height=0.5, frame=False)
    words = f"Cross-validation with {n_splits} folds: in each round one fold is held out and judged"
    return Scene((panel,), words + ", the others are used to fit; the test set is not touched.")


def degree_scene(degrees: Sequence[int], training: npt.ArrayLike, held_out: npt.ArrayLike) -> Scene:
    """Training error and held-out error (rows: folds) over the degree of the polynomial."""
    seen, folds = numbers(training, "training", ndim=1), numbers(held_out, "held_out", ndim=2)
    mean, error = folds.mean(axis=0), folds.std(axis=0, ddof=1) / np.sqrt(len(folds))
    x = np.arange(len(degrees), dtype=float)
    marks = (
        between(x, mean - error, mean + error, None, "± 1 standard error"),
        Curve(x, mean, "boundary", "held-out folds"),
        Points(np.column_stack([x, mean]), look="dot"),
        Curve(x, seen, "old", "training error"),
    )
    ticks = tuple((float(i), str(k)) for i, k in enumerate(degrees))
    panel = Panel(
        marks,
        Axis("degree of the polynomial", -0.3, len(degrees) - 0.7, ticks),
        Axis("share of wrong labels", 0, 1.15 * float((mean + error).max())),
    )
    sentence = (
        f"From degree {degrees[0]} to {degrees[-1]} the training error goes from "
        f"{number(seen[0], 3)} to {number(seen[-1], 3)}, the held-out error from "
        f"{number(mean[0], 3)} to {number(mean[-1], 3)}; it is least at degree "
        f"{degrees[int(mean.argmin())]}."
    )
    return Scene((panel,), sentence)


def spread_scene(
    errors: Mapping[str, npt.ArrayLike], seen: Mapping[str, float], label: str
) -> Scene:
    """One dot per split and classifier, in rows; a thick circle marks the training error."""
    names, rows = list(errors), np.arange(len(errors))[::-1].astype(float)
    jitter = np.random.default_rng(1)
    dots, means, parts = [], [], []
    for name, row in zip(names, rows, strict=True):
        values = numbers(errors[name], name, ndim=1)
        dots.append(np.column_stack([values, row + jitter.uniform(-0.22, 0.22, len(values))]))
        means.append(float(values.mean()))
        low, high = number(values.min(), 3), number(values.max(), 3)
        parts.append(f"{name} {number(values.mean(), 3)} on average, {low} to {high}")
    training = np.c_[[seen[name] for name in names], rows]
    marks = (
        Points(np.concatenate(dots), look="dot", size=3.5, labels=("error on unseen cases",)),
        Segments(np.c_[means, rows - 0.34], np.c_[means, rows + 0.34], "boundary", "mean"),
        Points(training, look="focus", size=6, labels=("training error",)),
        Text([[0.001, r + 0.36] for r in rows], tuple(names), anchor="start"),
    )
    top = max(float(d[:, 0].max()) for d in dots)
    panel = Panel(
        marks,
        Axis(label, -0.01, 1.06 * top),
        Axis("", -0.6, len(names) - 0.3, ticks=()),
        height=0.18 * len(names) + 0.1,
    )
    return Scene((panel,), f"{label} over {len(dots[0])} splits: " + "; ".join(parts) + ".")


def promises_scene(claimed: npt.ArrayLike, fresh: npt.ArrayLike) -> Scene:
    """For each split the error of the winner on the set that chose it, and on fresh cases."""
    told, true = numbers(claimed, "claimed", ndim=1), numbers(fresh, "fresh", ndim=1)
    order = np.argsort(true)
    told, true = told[order], true[order]
    rows = np.arange(len(told), dtype=float)
    marks = (
        Segments(np.column_stack([told, rows]), np.column_stack([true, rows])),
        Points(np.column_stack([told, rows]), look="ring", size=4),
        Points(np.column_stack([true, rows]), look="dot", size=4),
        # The names stand over the first row, where the two lie farthest to the left and right.
        Text([[told[-1], rows[-1] + 1.2]], ("where it was chosen",), anchor="start"),
        Text([[true[-1], rows[-1] + 1.2]], ("on fresh cases",), anchor="end"),
    )
    axis = Axis("share of wrong labels", -0.005, 1.08 * float(max(told.max(), true.max())))
    panel = Panel(marks, axis, Axis("", -1, len(told) + 2, ticks=()), "one row for each split")
    sentence = (
        f"{len(told)} splits: the winner's error is {number(told.mean(), 3)} on average on the "
        f"cases that chose it and {number(true.mean(), 3)} on fresh ones; in "
        f"{int(np.sum(true > told))} of them the fresh error is larger."
    )
    return Scene((panel,), sentence)
