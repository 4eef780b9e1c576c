"""The closing page: every method of the course on the same points, and in one table."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lectures_lib._core.estimator import ConvergenceWarning
from lectures_lib.chapters import chapter
from lectures_lib.figures import Axis, Curve, Panel, Points, Region, Scene, Text
from lectures_lib.figures.plane import class_regions
from lectures_lib.figures.scene import Array, Floats, Mark
from lectures_lib.figures.words import count
from lectures_lib.gaussian import (
    GaussianNB,
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from lectures_lib.learning import NearestNeighbour
from lectures_lib.least_squares import LeastSquaresClassifier
from lectures_lib.margin import SoftMarginSVM
from lectures_lib.multiclass import OneVsOneClassifier
from lectures_lib.perceptron import KernelPerceptron, Perceptron
from lectures_lib.softmax import SoftmaxRegression
from lectures_lib.widgets import Cloud, Live, live, points

AXES = (Axis("x₁", -4.0, 4.0), Axis("x₂", -4.0, 4.0))
NAMES = ("class 0", "class 1", "class 2")
SMALL = 41  # predictions in each direction: the pictures are small, and ten of them are on a page

METHODS: dict[str, Callable[[], Any]] = {
    "least squares": LeastSquaresClassifier,
    "perceptron": lambda: OneVsOneClassifier(Perceptron(max_iter=100)),
    "kernel perceptron": lambda: OneVsOneClassifier(KernelPerceptron("poly", max_iter=50)),
    "soft-margin SVM": lambda: OneVsOneClassifier(SoftMarginSVM(C=1.0)),
    "softmax regression": partial(SoftmaxRegression, C=10.0),
    "LDA": LinearDiscriminantAnalysis,
    "QDA": QuadraticDiscriminantAnalysis,
    "naive Bayes": GaussianNB,
    "nearest neighbour": NearestNeighbour,
}


def methods_scene(cloud: Cloud, handle: str = "") -> Scene:
    """The regions of every method for the same points; the first panel shows the points alone."""
    bare = Points(cloud.X, cloud.y, NAMES, size=4, handle=handle)
    panels = [_small("your points", bare)]
    told = []
    for name, make in METHODS.items():
        marks, mistakes = _regions(cloud, make)
        if mistakes is not None:
            told.append(f"{name} {mistakes}")
        panels.append(_small(name, *marks, Points(cloud.X, cloud.y, size=3)))
    mistakes_told = f"mistakes: {', '.join(told)}" if told else "too few points for any method"
    sentence = f"{count(len(cloud), 'point')}; {mistakes_told}."
    return Scene(tuple(panels), sentence, columns=5, shared_legend=True)


def _small(name: str, *marks: Mark) -> Panel:
    """A panel without numbers, so that ten of them and the hand fit on one screen."""
    border = Region(
        (np.array([[-4, -4], [4, -4], [4, 4], [-4, 4]]),), None, outline=True, fill=False
    )
    return Panel((border, *marks), *AXES, name, equal=True, frame=False)


def _regions(cloud: Cloud, make: Callable[[], Any]) -> tuple[list[Mark], int | None]:
    """The regions and borders of a method and its mistakes, or why there are none."""
    empty: list[Mark] = [Region((), k) for k in range(len(NAMES))]
    nothing = Curve(np.empty(0), np.empty(0))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = make().fit(cloud.X, cloud.y)
        classes = np.unique(cloud.y)
        regions, borders, _ = class_regions(model.predict, classes, *AXES, grid=SMALL)
    except ValueError as problem:
        return [*empty, nothing, Text([[0.0, 0.0]], (_short(cloud, problem),))], None
    by_class = dict(zip(classes.tolist(), regions, strict=True))
    marks: list[Mark] = [Region(by_class.get(k, ()), k) for k in range(len(NAMES))]
    wrong = int(np.sum(model.predict(cloud.X) != cloud.y))
    told = Text([[0.0, -3.5]], (count(wrong, "mistake"),), size=11)
    return [*marks, Curve(borders[:, 0], borders[:, 1]), told], wrong


def _short(cloud: Cloud, problem: ValueError) -> str:
    """Why a method has no answer, in words that fit a small picture."""
    if len(np.unique(cloud.y)) < 2:
        return "needs two classes"
    return "singular covariance" if "singular" in str(problem) else "too few points in a class"


def point_sets() -> dict[str, tuple[Floats, Array]]:
    """Data on which the methods differ."""
    rng = np.random.default_rng(4)
    z = rng.standard_normal((30, 2))
    heaps = 0.6 * z + np.repeat([[-1.5, -1.0], [1.5, -0.6], [0.2, 1.8]], 10, axis=0)
    three = np.repeat([0, 1, 2], 10)
    corners = 0.4 * z[:24] + np.repeat([[-1.5, -1.5], [1.5, 1.5], [-1.5, 1.5], [1.5, -1.5]], 6, 0)
    angle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    ring = np.vstack([0.5 * z[:10], 2.6 * np.column_stack([np.cos(angle), np.sin(angle)])])
    far = np.vstack(
        [0.4 * z[:20] + np.repeat([[-1.0, 0], [1.0, 0]], 10, 0), [[3.6, 3.6], [3.8, 3.0]]]
    )
    row = 0.4 * z + np.repeat([[-2.5, -0.5], [0.0, 0.0], [2.5, 0.5]], 10, axis=0)
    return {
        "three heaps": (heaps, three),
        "XOR": (corners, np.repeat([0, 0, 1, 1], 6)),
        "a ring": (ring, np.repeat([0, 1], [10, 16])),
        "two far points": (far, np.repeat([0, 1, 1], [10, 10, 2])),
        "three in a row": (row, three),
    }


def all_methods() -> Live:
    """Every method on the reader's own points."""
    sets = point_sets()
    X, y = sets["a ring"]

    def scene(cloud: Cloud) -> Scene:
        return methods_scene(cloud, "cloud")

    control = points(X, y, classes=NAMES, most=80, presets=sets, label="points")
    return live(scene, cloud=control)


class Method(NamedTuple):
    """A line of the closing table: a paragraph of `methods.txt`."""

    name: str
    when: str
    cost: str
    failure: str
    sklearn: str
    slug: str


def _shipped(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


TABLE = tuple(Method(*lines.splitlines()) for lines in _shipped("methods.txt").split("\n\n"))


def _breakable(text: str) -> str:
    """Names in code that may go on in the next line where a new word or an argument begins."""
    names = re.sub("`([^`]*)`", r"<code>\1</code>", text)
    return re.sub(r"(?<=[a-z)])(?=[A-Z.])|(?<=[(=_])", "<wbr>", names)


class MethodTable:
    """The closing table, as a table in a notebook and as text elsewhere."""

    def _repr_markdown_(self) -> str:
        """Two columns, so that a phone shows them all."""
        lines = [
            "| method, chapter, in scikit-learn | when to use it, how it fails, cost of fitting |",
            "|---|---|",
        ]
        for m in TABLE:
            where = f"[{chapter(m.slug).number:02d}]({chapter(m.slug).stem}.ipynb)"
            uses = f"{m.when}<br>*fails:* {m.failure}<br>*costs:* {m.cost}"
            lines.append(f"| {m.name}, {where}<br>{_breakable(m.sklearn)} | {uses} |")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return "\n".join(
            f"{chapter(m.slug).number:02d} {m.name}: {m.when}; {m.cost}; fails: {m.failure}; "
            f"{m.sklearn}"
            for m in TABLE
        )


def save_formula_sheet(folder: str | Path = ".") -> Path:
    """Write the formulas of all chapters to `formula_sheet.html`: two pages when printed."""
    path = Path(folder) / "formula_sheet.html"
    path.write_text(_shipped("formula_sheet.html"), encoding="utf-8")
    return path
