"""The exercises of this chapter: spectra, neighbours, folds by area, areas from calls, costs."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from lectures_lib.chapters.land_cover.areas import CLASSES, OURS
from lectures_lib.checks.author import (
    Array,
    Case,
    Choice,
    Exercise,
    Function,
    Prediction,
    Proof,
    Property,
    Result,
    Rng,
    Slip,
    Step,
    Values,
)
from lectures_lib.datasets import load_olinda, load_statlog_landsat
from lectures_lib.gaussian import LinearDiscriminantAnalysis
from lectures_lib.landcover import training_table

TABLE, CHOOSE = "A picture is a table", "Choose training areas"
HECTARES, WRONG_WAYS, CHECKED = "From a map to hectares", "What goes wrong", "The check"


# Spectra -----------------------------------------------------------------------------------------


def spectra(cube: Array, codes: Array, K: int) -> Any:
    table = cube.reshape(-1, cube.shape[2])
    flat = codes.reshape(-1)
    means = np.zeros((K, cube.shape[2]))
    for k in range(K):
        if (flat == k).any():
            means[k] = table[flat == k].mean(axis=0)
    return means


def _small_map(rng: Rng, K: int) -> tuple[Any, Any]:
    rows, columns = int(rng.integers(3, 6)), int(rng.integers(6, 9))
    return rng.integers(0, K, (rows, columns)), (rows, columns)


def _cube_and_codes(rng: Rng) -> tuple[Any, ...]:
    K = int(rng.integers(3, 6))
    codes, shape = _small_map(rng, K)
    codes[codes == K - 2] = 0
    return rng.normal(50, 20, (*shape, int(rng.integers(2, 5)))), codes, K


TINY = np.arange(12.0).reshape(2, 3, 2) ** 1.5

SPECTRA = Exercise(
    id="land_cover.spectra",
    title="The mean spectrum of each class",
    minutes=8,
    section=TABLE,
    hints=(
        "Cube and map have the same rows and columns. What must be done to both, so that line i of "
        "one belongs to entry i of the other?",
        "Reshape the cube to (pixels, bands) and the map to (pixels,); then average the lines of a "
        "class over the pixels, not over the bands.",
        "`codes.reshape(-1) == k` picks lines of `cube.reshape(-1, cube.shape[2])`. Along which "
        "axis do you average them, and what if there are none?",
    ),
    remark="With masks of the map itself, `cube[codes == k].mean(axis=0)`, NumPy does the same.",
    parts=(
        Function(
            spectra,
            (Result("means", ("K", "d"), points=4),),
            (
                Case(
                    "one pixel of each",
                    (np.array([[[1.0, 2.0], [3.0, 4.0]]]), np.array([[1, 0]]), 2),
                ),
                Case("two rows", (TINY, np.array([[0, 1, 1], [0, 0, 1]]), 2)),
                Case("a class without pixels", (TINY, np.array([[0, 2, 2], [0, 0, 2]]), 3)),
            ),
            _cube_and_codes,
            (
                Slip(
                    "The bands were mixed up",
                    "Reshape to (pixels, bands): the last axis has to stay the last.",
                    "cube.reshape(-1, cube.shape[2]) -> cube.reshape(cube.shape[2], -1).T",
                ),
                Slip(
                    "The map by columns",
                    "The cube is laid out row by row; the map has to be as well.",
                    "codes.reshape(-1) -> codes.T.reshape(-1)",
                ),
                Slip(
                    "One mean over all bands",
                    "A spectrum has one number for each band: average over the pixels, axis 0.",
                    "table[flat == k].mean(axis=0) -> table[flat == k].mean()",
                ),
                Slip(
                    "The sum instead of the mean",
                    "Divide by the number of pixels of the class.",
                    "table[flat == k].mean(axis=0) -> table[flat == k].sum(axis=0)",
                ),
                Slip(
                    "Divided by all pixels",
                    "Divide by the pixels of the class, not by all of them.",
                    "table[flat == k].mean(axis=0) -> table[flat == k].sum(axis=0) / len(flat)",
                ),
            ),
            valid=lambda cube, codes, K: (
                cube.ndim == 3
                and cube.shape[:2] == codes.shape
                and codes.size > 0
                and codes.min() >= 0
                and codes.max() < K
            ),
        ),
    ),
)


# Neighbours --------------------------------------------------------------------------------------


def majority(codes: Array, K: int) -> Any:
    rows, columns = codes.shape
    smooth = codes.copy()
    for i in range(rows):
        for j in range(columns):
            window = codes[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2]
            votes = np.bincount(window.reshape(-1), minlength=K)
            if votes[codes[i, j]] < votes.max():
                smooth[i, j] = votes.argmax()
    return smooth


def _map(rng: Rng) -> tuple[Any, ...]:
    K = int(rng.integers(3, 5))
    return _small_map(rng, K)[0], K


SPECK = np.array([[0, 0, 0, 1], [0, 2, 0, 1], [0, 0, 1, 1]])


def _two_maps(
    arguments: tuple[Any, ...], came_out: tuple[Any, ...], expected: tuple[Any, ...]
) -> Any:
    """The old map, the answer, and what was expected."""
    from lectures_lib.figures import Axis, Panel, Raster, Scene, Text

    panels = []
    maps = {"given": arguments[0], "yours": came_out[0], "expected": expected[0]}
    for name, codes in maps.items():
        rows, columns = codes.shape
        at = [[j + 0.5, rows - i - 0.5] for i in range(rows) for j in range(columns)]
        words = Text(at, tuple(str(int(code)) for code in codes.ravel()), shift=(0, -4))
        raster = Raster(np.clip(codes, 0, 9).astype(int), (0, columns), (rows, 0))
        x, y = Axis("", 0, columns), Axis("", 0, rows)
        panels.append(Panel((raster, words), x, y, name, equal=True, frame=False))
    wrong = int(np.sum(maps["yours"] != maps["expected"]))
    return Scene(tuple(panels), f"{wrong} of {maps['expected'].size} pixels differ.")


MAJORITY = Exercise(
    id="land_cover.majority",
    title="What the neighbours say",
    minutes=10,
    section=TABLE,
    hints=(
        "Each pixel looks at the window of up to nine pixels round it, itself included. At the "
        "edge the window is smaller.",
        "Count the classes in the window of the *old* map. Keep the own class if no other has "
        "more; else take the first of the most frequent ones.",
        "`codes[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2]` is the window; "
        "`np.bincount(…, minlength=K)` counts.",
    ),
    remark="A map without specks looks better. Whether it is better, held-out areas say: roads and "
    "beaches are one pixel wide.",
    parts=(
        Function(
            majority,
            (Result("smooth", ("r", "c"), "count", points=5),),
            (
                Case("a speck", (SPECK, 3)),
                Case("a tie keeps its own class", (np.array([[0, 1], [1, 0]]), 2)),
                Case(
                    "a tie of others: the first", (np.array([[2, 1, 1], [2, 0, 2], [1, 1, 2]]), 3)
                ),
                Case("one row", (np.array([[0, 1, 1, 0, 1, 0]]), 2)),
            ),
            _map,
            (
                Slip(
                    "The window wraps round",
                    "An index of −1 is the last row. At the edge the window is smaller.",
                    "codes[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2] -> "
                    "codes.take(range(i - 1, i + 2), 0, mode='wrap')"
                    ".take(range(j - 1, j + 2), 1, mode='wrap')",
                ),
                Slip(
                    "A border is added",
                    "At the edge only the part of the window counts that lies inside the map.",
                    "codes[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2] -> "
                    "np.pad(codes, 1, mode='edge')[i : i + 3, j : j + 3]",
                    also=(
                        "codes[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2] -> "
                        "np.pad(codes, 1)[i : i + 3, j : j + 3]",
                    ),
                ),
                Slip(
                    "The map is changed while it is read",
                    "Count in the old map, write into a new one.",
                    "smooth = codes.copy() -> smooth = codes = codes.copy()",
                ),
                Slip(
                    "A tie goes to the first class",
                    "If no other class has more, the pixel keeps its own.",
                    "votes[codes[i, j]] < votes.max() -> True",
                ),
                Slip(
                    "Without the pixel itself",
                    "The pixel is part of its window.",
                    "votes = np.bincount(window.reshape(-1), minlength=K) -> "
                    "votes = np.bincount(window.reshape(-1), minlength=K) "
                    "- (np.arange(K) == codes[i, j])",
                ),
                Slip(
                    "The window is too small",
                    "A slice excludes its end: up to i + 1 needs i + 2.",
                    "max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2 -> "
                    "max(i - 1, 0) : i + 1, max(j - 1, 0) : j + 1",
                ),
            ),
            picture=_two_maps,
            valid=lambda codes, K: bool(codes.size > 0 and codes.min() >= 0 and codes.max() < K),
        ),
    ),
)


# Folds -------------------------------------------------------------------------------------------


def fold_of_pixels(area: Array, y: Array, folds: int) -> Any:
    fold = np.zeros(len(area), dtype=int)
    for label in np.unique(y):
        for n, one in enumerate(np.unique(area[y == label])):
            fold[area == one] = n % folds
    return fold


def _pixels(rng: Rng) -> tuple[Any, ...]:
    number = int(rng.integers(5, 9))
    label = rng.permutation(np.r_[0, 1, 2, rng.integers(0, 3, number - 3)])
    name = rng.permutation(np.arange(3, 40))[:number]
    which = rng.permutation(np.r_[np.arange(number), rng.integers(0, number, 9)])
    return name[which], label[which], int(rng.integers(2, 4))


FOLDS = Exercise(
    id="land_cover.folds",
    title="Folds of whole areas",
    minutes=8,
    section=WRONG_WAYS,
    hints=(
        "All pixels of an area go to one fold. Which areas does a class have?",
        "Take the areas of one class in the order of their numbers and deal them out: 0, 1, …, "
        "folds − 1, 0, 1, …",
        "`np.unique(area[y == label])` are the areas of a class, sorted.",
    ),
    remark="Dealing within each class puts every class into every fold, as far as it has areas.",
    parts=(
        Function(
            fold_of_pixels,
            (Result("fold", ("N",), "count", points=4),),
            (
                Case("one class", (np.array([4, 4, 7, 9, 9, 9]), np.zeros(6, int), 2)),
                Case(
                    "two classes", (np.array([1, 2, 3, 4, 1, 4]), np.array([0, 1, 1, 0, 0, 0]), 2)
                ),
                Case(
                    "three folds",
                    (np.array([8, 5, 2, 11, 5, 3]), np.array([1, 1, 1, 1, 1, 0]), 3),
                ),
            ),
            _pixels,
            (
                Slip(
                    "Pixels are dealt out",
                    "Neighbours must not be parted: deal areas, not pixels.",
                    "fold[area == one] = n % folds -> "
                    "fold[area == one] = np.arange(np.sum(area == one)) % folds",
                    also=("fold[area == one] = n % folds -> fold = np.arange(len(area)) % folds",),
                ),
                Slip(
                    "Over all classes",
                    "Deal within each class; else a class can miss a fold.",
                    "np.unique(area[y == label]) -> np.unique(area)",
                ),
                Slip(
                    "By the number of the area",
                    "The numbers are names. Deal the areas of a class out one by one.",
                    "n % folds -> one % folds",
                ),
                Slip(
                    "The first fold is 1",
                    "Folds are counted from 0.",
                    "n % folds -> n % folds + 1",
                ),
                Slip(
                    "Blocks instead of turns",
                    "Deal in turns: 0, 1, 0, 1, not the first half and then the second.",
                    "n % folds -> n * folds // len(np.unique(area[y == label]))",
                    also=("n % folds -> n // folds",),
                ),
                Slip(
                    "In the order of the pixels",
                    "The areas of a class go in the order of their numbers.",
                    "np.unique(area[y == label]) -> dict.fromkeys(area[y == label].tolist())",
                ),
            ),
            valid=lambda area, y, folds: (
                len(area) == len(y)
                and folds >= 2
                and all(len(np.unique(y[area == a])) == 1 for a in np.unique(area))
            ),
        ),
    ),
)


# Areas from calls --------------------------------------------------------------------------------

SHARE = Exercise(
    id="land_cover.share",
    title="The true share from the called one",
    minutes=6,
    section=HECTARES,
    hints=(
        "Multiply out above. Which terms go?",
        "p·r + (1 − p)·f − f leaves p·r − p·f.",
        "Every product has its `*`, and the numerator its brackets: `= (… - …)/(r - f)`.",
    ),
    remark="The correction for two classes. It breaks where r = f: a method that calls both "
    "classes alike says nothing about p.",
    parts=(
        Proof(
            "share",
            "(p*r + (1 - p)*f - f)/(r - f)",
            (
                Step("multiplied out", "(p*r - p*f)/(r - f)", points=2, without=r"1 - p"),
                Step("the goal", "p"),
            ),
            symbols={"p r f": "real"},
            given=("r > f", "f >= 0", "r <= 1", "p >= 0", "p <= 1"),
            slips=(
                Slip(
                    "The sign of f",
                    "(1 − p)·f is f − p·f; the f goes, −p·f stays.",
                    "(p*r - p*f) -> (p*r + p*f)",
                ),
                Slip(
                    "f stays",
                    "The f that is taken off and the f of (1 − p)·f cancel.",
                    "(p*r - p*f)/ -> (p*r - p*f - f)/",
                ),
                Slip(
                    "Only the calls of the class",
                    "Taking f off leaves p·r only if no other class is called so.",
                    "(p*r - p*f)/ -> (p*r)/",
                ),
                Slip(
                    "One p is lost",
                    "Both terms hold p: p·r − p·f.",
                    "(p*r - p*f)/ -> (p*r - f)/",
                ),
            ),
        ),
    ),
)


# Smaller pixels ----------------------------------------------------------------------------------

SMALLER = Exercise(
    id="land_cover.smaller",
    title="Four times the pixels",
    minutes=4,
    section=WRONG_WAYS,
    hints=(
        "What is new in the new pixels?",
        "Each pixel stands there four times. The same areas are drawn. Which of the two splits can "
        "put copies of a pixel on both sides?",
        "`np.repeat(X, 4, axis=0)`: draw half of these rows. How far is a row that was left out "
        "from the nearest one that was drawn?",
    ),
    remark="Whoever splits copies, or near copies, measures memory. Turned pictures of one patient "
    "are copies too.",
    parts=(
        Prediction(
            ("errors", "because"),
            (
                Choice("a", "both errors fall to a quarter", False, "Nothing was measured anew."),
                Choice(
                    "b",
                    "random pixels: close to 0; whole areas: about as before",
                    True,
                    "Copies are on both sides of a random split, never of a split by areas.",
                ),
                Choice(
                    "c",
                    "random pixels: as before; whole areas: close to 0",
                    False,
                    "A whole area has no copy of itself on the other side.",
                ),
                Choice(
                    "d",
                    "both stay exactly as they are",
                    False,
                    "A random split now parts a pixel from its own copies.",
                ),
            ),
            (
                Choice(
                    "a",
                    "four times the data halve the error",
                    False,
                    "Copies are no new data.",
                ),
                Choice(
                    "b",
                    "smaller pixels are purer",
                    False,
                    "They were copied, not measured with a better instrument.",
                ),
                Choice(
                    "c",
                    "a test pixel finds its own copy among those that trained",
                    True,
                    "Three copies, each in training with probability one half.",
                ),
                Choice(
                    "d",
                    "the nearest neighbour has no parameters",
                    False,
                    "True, and no reason.",
                ),
            ),
            points=3.0,
        ),
    ),
)


# A cost matrix -----------------------------------------------------------------------------------

WET = 1.0 - np.eye(6)
WET[5, :5] = 6.0  # very damp grey soil that is called anything drier


@cache
def _test_part() -> Array:
    land = load_statlog_landsat()
    return np.asarray(land.y[land.test])


@cache
def _lda_cost() -> float:
    """Cost per pixel of the most probable class by LDA."""
    land = load_statlog_landsat()
    model = LinearDiscriminantAnalysis().fit(land.X[land.train], land.y[land.train])
    return float(WET[_test_part(), model.predict(land.X[land.test])].mean())


def _labels_trouble(said: Array) -> str:
    truth = _test_part()
    if said.shape != truth.shape:
        return f"found {said.shape[0]} labels, expected {len(truth)}, one for each test pixel."
    outside = sorted(set(said.tolist()) - set(range(6)))
    return f"found the label {outside[0]}, expected 0 to 5." if outside else ""


def _cost(said: Array) -> float:
    return float(WET[_test_part(), said].mean())


def _at_most(limit: float) -> Any:
    def holds(said: Array) -> str:
        trouble = _labels_trouble(said)
        if trouble or _cost(said) <= limit:
            return trouble
        return f"the cost per pixel is {_cost(said):.3f}."

    return holds


def _better_than_lda(said: Array) -> str:
    trouble = _labels_trouble(said)
    if trouble or _cost(said) < _lda_cost():
        return trouble
    return f"the cost per pixel is {_cost(said):.3f}; the most probable class by LDA costs less."


def _recall_of_wet(said: Array) -> float:
    wet = _test_part() == 5
    return float(np.mean(said[wet] == 5))


COSTS = Exercise(
    id="land_cover.costs",
    title="A wet field must not be missed",
    minutes=12,
    section=CHECKED,
    hints=(
        "Two choices: a method that gives good probabilities, and the rule that turns them into "
        "labels.",
        "Train on `land.train` alone. The label is the one with the smallest expected cost, "
        "`P @ C` row by row, not the largest probability.",
        "`C = 1 - np.eye(6)`, then change one row of it. And which of the chapter's three methods "
        "gained most when its probabilities were weighed with costs?",
    ),
    remark="What the test part says about your choice is honest only if the choice was made "
    "without it: by cross-validation within the training part.",
    parts=(
        Values(
            ("said",),
            (
                Property("better than the most probable by LDA", 1.0, _better_than_lda),
                Property("cost per pixel at most 0.27", 2.0, _at_most(0.27), "0.27 or less"),
                Property("cost per pixel at most 0.23", 1.0, _at_most(0.23), "0.23 or less"),
            ),
            (Result("said", ("N",), "count"),),
            (
                Slip(
                    "The costs transposed",
                    "Almost nothing is called very damp. C has the truth in its rows: P @ C.",
                    recognise=lambda said: (
                        not _labels_trouble(said) and _recall_of_wet(said) < 0.6 and _cost(said) < 1
                    ),
                ),
                Slip(
                    "The dearest label",
                    "To call every field wet would cost half as much. The smallest expected cost "
                    "is wanted, and a right answer costs nothing.",
                    recognise=lambda said: not _labels_trouble(said) and _cost(said) > 1.53,
                ),
                Slip(
                    "Everything is wet",
                    "Never missing a wet field is easy if all fields are called wet. The other "
                    "mistakes cost as well.",
                    recognise=lambda said: not _labels_trouble(said) and bool((said == 5).all()),
                ),
                Slip(
                    "All pixels instead of the test part",
                    "Labels are wanted for the 2,000 test pixels, in their order.",
                    recognise=lambda said: said.shape == (6435,),
                ),
                Slip(
                    "Other numbers for the classes",
                    "Classes are 0 to 5 here; 7 is the code of the file for very damp soil.",
                    recognise=lambda said: bool((said > 5).any()),
                ),
            ),
        ),
    ),
)


# Draw --------------------------------------------------------------------------------------------


@cache
def _scene() -> Any:
    return load_olinda().cube


@cache
def _reference() -> tuple[Any, Any]:
    """Pixels of our areas, every third, and their classes."""
    X, y, _ = training_table(_scene(), OURS)
    return X[::3], y[::3]


def _drawn(areas: Array) -> dict[str, list[Any]] | str:
    """The areas by class, or what is wrong with them."""
    rows, columns = _scene().shape[:2]
    found: dict[str, list[Any]] = {}
    for k, top, left, bottom, right in areas.astype(int):
        if not 0 <= k < len(CLASSES):
            return f"found class {k}, expected 0 to {len(CLASSES) - 1}."
        if not (0 <= top < bottom <= rows and 0 <= left < right <= columns):
            return f"rows {top} to {bottom}, columns {left} to {right} are no area of the scene."
        found.setdefault(CLASSES[k], []).append((int(top), int(left), int(bottom), int(right)))
    try:
        training_table(_scene(), found)
    except ValueError as problem:
        return str(problem)
    return found


def _two_each(areas: Array) -> str:
    found = _drawn(areas)
    if isinstance(found, str):
        return found
    few = [name for name in CLASSES if len(found.get(name, [])) < 2]
    return f"{few[0]} has fewer than two areas." if few else ""


def _not_ours(areas: Array) -> str:
    found = _drawn(areas)
    if isinstance(found, str):
        return found
    own = {tuple(r) for some in OURS.values() for r in some}
    copied = [r for some in found.values() for r in some if r in own]
    return f"{copied[0]} is one of ours." if copied else ""


def _right_share(areas: Array) -> float:
    found = _drawn(areas)
    assert not isinstance(found, str)
    X, y, _ = training_table(_scene(), found)
    if len(np.unique(y)) < 2:
        return 0.0
    reference, truth = _reference()
    model = LinearDiscriminantAnalysis(shrinkage=0.1).fit(X, y)
    return float(np.mean(model.predict(reference) == truth))


def _agrees(areas: Array) -> str:
    trouble = _two_each(areas) or _not_ours(areas)
    if trouble:
        return trouble
    share = _right_share(areas)
    return "" if share >= 0.9 else f"{share:.0%} of our pixels get the class that we gave them."


def _has_exchange(areas: Array, one: str, other: str) -> bool:
    """Whether areas of one class look like our other class."""
    found = _drawn(areas)
    if isinstance(found, str) or one not in found:
        return False
    X, y = _reference()
    mean = np.mean(
        [training_table(_scene(), {one: [r]}).X.mean(axis=0) for r in found[one]], axis=0
    )
    centres = {name: X[y == name].mean(axis=0) for name in CLASSES}
    return min(CLASSES, key=lambda name: np.linalg.norm(mean - centres[name])) == other


def _drawn_picture(areas: Array) -> Any:
    """The areas on the scene."""
    from lectures_lib.chapters.land_cover.pictures import drawn_scene
    from lectures_lib.landcover import Rectangle

    found = _drawn(areas)
    if isinstance(found, str):
        return None
    return drawn_scene(_scene(), {k: [Rectangle(*r) for r in some] for k, some in found.items()})


DRAW = Exercise(
    id="land_cover.draw",
    title="Areas of your own",
    minutes=12,
    section=CHOOSE,
    hints=(
        "Draw them on the live scene of the chapter, in the infrared colours; `survey.to_areas` "
        "gives rows and columns.",
        "Sea in the south-east, woods in the north-west, town along the coast, and bright bare "
        "places inside the wood and on the beach. Small and pure is better than large.",
        "`areas = [[0, 260, 320, 290, 345], [1, 180, 275, 200, 290]]` has one area of sea and one "
        "of town. Six more; the bare ones may be a few pixels.",
    ),
    remark="Two people draw two maps. How far they differ is one more error that no formula holds.",
    parts=(
        Values(
            ("areas",),
            (
                Property("two areas of each class", 1.0, _two_each, "at least two per class"),
                Property("none of ours", 1.0, _not_ours, "areas of your own"),
                Property("90 % of our pixels agree", 2.0, _agrees, "LDA on yours finds ours"),
            ),
            (Result("areas", ("n", "5"), "count"),),
            (
                Slip(
                    "Classes counted from 1",
                    "Water is class 0 and bare ground class 3.",
                    recognise=lambda areas: bool(areas[:, 0].min() == 1 and areas[:, 0].max() == 4),
                ),
                Slip(
                    "Width and height instead of ends",
                    "The last two are the ends of the rows and columns, not their numbers.",
                    recognise=lambda areas: bool((areas[:, 3] <= areas[:, 1]).all()),
                ),
                Slip(
                    "Wood and town exchanged",
                    "Class 1 is built-up, class 2 vegetation.",
                    recognise=lambda areas: _has_exchange(areas, "built-up", "vegetation"),
                ),
                Slip(
                    "Ours again",
                    "These are the chapter's areas. Draw others.",
                    recognise=lambda areas: (
                        isinstance(_drawn(areas), dict) and bool(_not_ours(areas))
                    ),
                ),
            ),
            picture=_drawn_picture,
        ),
    ),
)

EXERCISES = (SPECTRA, MAJORITY, DRAW, SHARE, FOLDS, SMALLER, COSTS)
