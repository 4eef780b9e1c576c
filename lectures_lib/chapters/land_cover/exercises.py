"""The exercises of this chapter: neighbours, folds by area, areas from calls, costs, a report."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from lectures_lib.chapters.land_cover.areas import CLASSES, OURS
from lectures_lib.checks.author import (
    Array,
    Case,
    Function,
    Prediction,
    Proof,
    Property,
    Result,
    Rng,
    Values,
    choices,
    exercise,
    slips,
    steps,
)
from lectures_lib.datasets import load_olinda
from lectures_lib.gaussian import (  # those that no line calls stand in slips, as other forms
    GaussianNB,  # noqa: F401
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,  # noqa: F401
)
from lectures_lib.landcover import training_table
from lectures_lib.selection import Standardized  # noqa: F401
from lectures_lib.softmax import SoftmaxRegression  # noqa: F401

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
    rows, columns = int(rng.integers(3, 6)), int(rng.integers(6, 9))
    return rng.integers(0, K, (rows, columns)), K


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


MAJORITY = exercise(
    """
    land_cover.majority: What the neighbours say [10 minutes] [A picture is a table]
        Each pixel looks at the window of up to nine pixels round it, itself included. At the edge
            the window is smaller.
        Count the classes in the window of the *old* map. Keep the pixel's class if no other has
            more. Otherwise take the first of the most frequent ones.
        `codes[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2]` is the window; `np.bincount(…,
            minlength=K)` counts.
    Remark
        A map without specks looks better. Only held-out areas say whether it is: roads and beaches
        are one pixel wide.
    """,
    Function(
        majority,
        (Result("smooth", ("r", "c"), "count", points=5),),
        (
            Case("a speck", (SPECK, 3)),
            Case("a tie keeps its own class", ([[0, 1], [1, 0]], 2)),
            Case("a tie of others: the first", ([[2, 1, 1], [2, 0, 2], [1, 1, 2]], 3)),
            Case("one row", ([[0, 1, 1, 0, 1, 0]], 2)),
        ),
        _map,
        slips("""
    The window wraps round
        codes[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2] -> codes.take(range(i - 1, i + 2), 0,
            mode='wrap').take(range(j - 1, j + 2), 1, mode='wrap')
        An index of −1 is the last row. At the edge the window is smaller.
    A border is added
        codes[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2] -> np.pad(codes, 1, mode='edge')[i : i +
            3, j : j + 3] || np.pad(codes, 1)[i : i + 3, j : j + 3]
        At the edge only the part of the window counts that lies inside the map.
    The map is changed while it is read
        smooth = codes.copy() -> smooth = codes = codes.copy()
        Count in the old map, write into a new one.
    A tie goes to the first class
        votes[codes[i, j]] < votes.max() -> True
        If no other class has more, the pixel keeps its own.
    Without the pixel itself
        votes = np.bincount(window.reshape(-1), minlength=K) -> votes =
            np.bincount(window.reshape(-1), minlength=K) - (np.arange(K) == codes[i, j])
        The pixel is part of its window.
    The window is too small
        max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2 -> max(i - 1, 0) : i + 1, max(j - 1, 0) : j + 1
        A slice excludes its end: up to i + 1 needs i + 2.
            """),
        picture=_two_maps,
        valid=lambda codes, K: bool(codes.size > 0 and codes.min() >= 0 and codes.max() < K),
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


FOLDS = exercise(
    """
    land_cover.folds: Folds of whole areas [8 minutes] [What goes wrong]
        All pixels of an area go to one fold. Which areas does a class have?
        Take the areas of one class in the order of their numbers and deal them out: 0, 1, …, folds
            − 1, 0, 1, …
        `np.unique(area[y == label])` are the areas of a class, sorted.
    Remark
        Dealing within each class puts every class into every fold, as far as it has areas.
    """,
    Function(
        fold_of_pixels,
        (Result("fold", ("N",), "count", points=4),),
        (
            Case("one class", ([4, 4, 7, 9, 9, 9], np.zeros(6, int), 2)),
            Case("two classes", ([1, 2, 3, 4, 1, 4], [0, 1, 1, 0, 0, 0], 2)),
            Case("three folds", ([8, 5, 2, 11, 5, 3], [1, 1, 1, 1, 1, 0], 3)),
        ),
        _pixels,
        slips("""
    Pixels are dealt out
        fold[area == one] = n % folds -> fold[area == one] = np.arange(np.sum(area == one)) % folds
            || fold = np.arange(len(area)) % folds
        Neighbours must stay in one fold: deal areas, not pixels.
    Over all classes
        np.unique(area[y == label]) -> np.unique(area)
        Deal within each class. Otherwise a class can miss a fold.
    By the number of the area
        n % folds -> one % folds
        The numbers are names. Deal the areas of a class out one by one.
    The first fold is 1
        n % folds -> n % folds + 1
        Folds are counted from 0.
    Blocks instead of turns
        n % folds -> n * folds // len(np.unique(area[y == label])) || n // folds
        Deal in turns: 0, 1, 0, 1, not the first half and then the second.
    In the order of the pixels
        np.unique(area[y == label]) -> dict.fromkeys(area[y == label].tolist())
        The areas of a class go in the order of their numbers.
            """),
        valid=lambda area, y, folds: (
            len(area) == len(y)
            and folds >= 2
            and all(len(np.unique(y[area == a])) == 1 for a in np.unique(area))
        ),
    ),
)


# Areas from calls --------------------------------------------------------------------------------

SHARE = exercise(
    """
    land_cover.share: The true share from the called one [6 minutes] [From a map to hectares]
        Multiply out the numerator. Which terms cancel?
        p·r + (1 − p)·f − f leaves p·r − p·f.
        Every product has its `*`, and the numerator its brackets: `= (… - …)/(r - f)`.
    Remark
        The correction for two classes. It breaks where r = f: a method that calls both classes
        alike says nothing about p. And r and f are rates of the whole scene, shores included.
    """,
    Proof(
        "share",
        "(p*r + (1 - p)*f - f)/(r - f)",
        steps("""
    the numerator multiplied out [2 points]
        (p*r - p*f)/(r - f)
        with p*r and p*f; without 1 - p
        with p*(r - f)/(r - f)
    the goal [2 points]
        p
        """),
        symbols={"p r f": "real"},
        given=("r > f", "f >= 0", "r <= 1", "p >= 0", "p <= 1"),
        slips=slips("""
    The sign of f
        (p*r - p*f) -> (p*r + p*f)
        (1 − p)·f is f − p·f. The f cancels, and −p·f stays.
    f stays
        (p*r - p*f)/ -> (p*r - p*f - f)/
        The f that is subtracted and the f of (1 − p)·f cancel.
    −p·f is lost
        (p*r - p*f)/ -> (p*r)/
        (1 − p)·f − f is −p·f: this stays beside p·r.
    One p is lost
        (p*r - p*f)/ -> (p*r - f)/
        Both terms hold p: p·r − p·f.
            """),
    ),
)


# Smaller pixels ----------------------------------------------------------------------------------

SMALLER = exercise(
    """
    land_cover.smaller: Four times the pixels [4 minutes] [What goes wrong]
        What is new in the new pixels?
        Each pixel stands there four times. Look at one test pixel under each of the two splits:
            where are its three copies?
        `np.repeat(X, 4, axis=0)`: draw half of these rows. How far is a row that was left out from
            the nearest one that was drawn?
    Remark
        Whoever splits copies, or near copies, measures memory. Turned pictures of one patient are
        copies too. (With at most 250 pixels of a class, as in the chapter, next to nothing happens:
        few of the copies are drawn, and a method that keeps little remembers little.)
    """,
    Prediction(
        ("errors", "because"),
        choices("""
    a. both errors fall to a quarter
        Nothing was measured anew.
    b. random pixels: close to 0; whole areas: as before [right]
        Copies are on both sides of a random split, never of a split by areas.
    c. random pixels: as before; whole areas: close to 0
        A whole area has no copy of itself on the other side.
    d. both stay exactly as they are
        A random split now parts a pixel from its own copies.
            """),
        choices("""
    a. four times the data halve the error
        Copies are not new data.
    b. smaller pixels are purer
        They were copied, not measured with a better instrument.
    c. a test pixel finds its own copy among those that trained [right]
        Three copies, each in training with probability one half: 7 of 8 find one.
    d. the nearest neighbour has no parameters
        True, and no reason.
            """),
        points=3.0,
    ),
)


# A cost matrix -----------------------------------------------------------------------------------


def cheapest(X: Array, y: Array, X_new: Array, C: Array) -> Any:
    model = LinearDiscriminantAnalysis().fit(X, y)
    P = model.predict_proba(X_new)
    return (P @ C).argmin(axis=1)


_kind_of: dict[bytes, int] = {}  # the true class of every new pixel that was drawn


def _region(rng: Rng) -> tuple[Any, ...]:
    """Areas of K classes to train on, and a region with two of them, one dear to miss."""
    K, d = int(rng.integers(3, 6)), int(rng.integers(3, 6))
    mixing = np.diag(rng.uniform(5, 12, d)) + 0.8 * rng.normal(size=(d, d))
    means = 2 / np.sqrt(d) * rng.normal(size=(K, d))

    def area(k: int, n: int) -> Any:
        place = means[k] + 0.15 * rng.normal(size=d)  # every area has a light of its own
        return 60 + (place + rng.normal(size=(n, d))) @ mixing

    sizes = rng.integers(24, 36, (K, 5))
    X = np.vstack([area(k, n) for k in range(K) for n in sizes[k]])
    y = np.repeat(np.arange(K), sizes.sum(axis=1))
    dear, other = rng.permutation(K)[:2]
    few, many = int(rng.integers(50, 70)), int(rng.integers(180, 240))
    X_new = np.vstack([area(dear, few), area(other, many)])
    _kind_of.update({row.tobytes(): int(dear if n < few else other) for n, row in enumerate(X_new)})
    C = 1 - np.eye(K)
    C[dear] *= rng.uniform(5, 8)
    mixed = rng.permutation(len(y))
    return X[mixed], y[mixed], X_new[rng.permutation(len(X_new))], C


def _whole(X: Array, y: Array, X_new: Array, C: Array) -> bool:
    """A region is judged as a whole: half of one is too few to tell luck from skill."""
    known = sum(row.tobytes() in _kind_of for row in X_new)
    return known == len(X_new) >= 230 and np.bincount(y, minlength=len(C)).min() >= 100


def _costs_little(arguments: tuple[Any, ...], values: tuple[Array, ...], tolerance: float) -> str:
    """Within reach of a plain model that weighs the costs; any method may be used."""
    X, y, X_new, C = arguments
    (said,) = values
    outside = sorted(set(said.tolist()) - set(range(len(C))))
    if outside:
        return f"Found class {outside[0]}; expected 0 to {len(C) - 1}."
    truth = np.array([_kind_of[row.tobytes()] for row in X_new])
    cost, plain = C[truth, said].mean(), C[truth, cheapest(X, y, X_new, C)].mean()
    limit = 1.4 * plain + 0.1
    return (
        "" if cost <= limit else f"The cost per pixel is {cost:.2f}; expected at most {limit:.2f}."
    )


COSTS = exercise(
    """
    land_cover.costs: What must not be missed [12 minutes] [What goes wrong]
        Two choices: a method with good probabilities, and the rule from them to labels.
        If a pixel has the probabilities p_k, calling it j costs Σ_k p_k C_kj on average. Which j is
            best?
        `P = model.predict_proba(X_new)` has a row for each pixel, and C the truth in its rows.
            Which product of the two has one expected cost for each pixel and each label?
    Remark
        Which method is best for your scene is a choice too: make it by cross-validation over areas.
    """,
    Function(
        cheapest,
        (Result("said", ("M",), "count", points=4),),
        (
            Case("a region with a dear class", _region(np.random.default_rng(36))),
            Case("another region", _region(np.random.default_rng(26))),
        ),
        _region,
        slips("""
    The most probable class
        (P @ C).argmin(axis=1) -> P.argmax(axis=1)
        The most probable class is the cheapest only if all mistakes cost the same.
    The costs transposed
        P @ C -> P @ C.T
        C has the truth in its rows and the label in its columns.
    The dearest label
        argmin -> argmax
        The best label is the one with the smallest expected cost.
    The region scaled by itself
        predict_proba(X_new) -> predict_proba((X_new - X_new.mean(axis=0)) / X_new.std(axis=0) *
            X.std(axis=0) + X.mean(axis=0))
        A region of two classes has another mean than the areas that trained. Standardise it with
        the mean and deviation of X.
    One label for the region
        (P @ C).argmin(axis=1) -> np.full(len(P), (P.mean(axis=0) @ C).argmin())
        Decide for every pixel by its own probabilities.
    Labels of the training pixels
        predict_proba(X_new) -> predict_proba(X)
        The task asks for labels of the rows of X_new.
            """),
        forms=(
            "LinearDiscriminantAnalysis() -> QuadraticDiscriminantAnalysis()",
            "LinearDiscriminantAnalysis() -> GaussianNB()",
            "LinearDiscriminantAnalysis() -> Standardized(SoftmaxRegression(C=1.0))",
        ),
        valid=_whole,
        accepts=_costs_little,
        expected="labels that cost little more than those of a plain model that weighs the costs",
        library=True,
    ),
    version=2,
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
            return f"Found class {k}; expected 0 to {len(CLASSES) - 1}."
        if not (0 <= top < bottom <= rows and 0 <= left < right <= columns):
            return f"Rows {top} to {bottom}, columns {left} to {right}: this is not in the scene."
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
    few = [name for name in CLASSES if len(set(found.get(name, []))) < 2]
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


DRAW = exercise(
    """
    land_cover.draw: Areas of your own [12 minutes] [Choose training areas]
        Draw them on the live scene of the chapter, in the infrared colours; `survey.to_areas` gives
            rows and columns.
        Sea in the south-east, woods in the north-west, town along the coast, and bright bare places
            inside the wood and on the beach. Small and pure areas are better than large ones.
        `areas = [[0, 260, 320, 290, 345], [1, 180, 275, 200, 290]]` has one area of sea and one of
            town. Six more; the bare ones may be a few pixels.
    Remark
        Two people draw two maps. How far they differ is one more error that is in no formula.
    """,
    Values(
        ("areas",),
        (
            Property("two areas of each class", 1.0, _two_each, "at least two per class"),
            Property("none of ours", 1.0, _not_ours, "areas of your own"),
            Property("90 % of our pixels agree", 2.0, _agrees, "LDA on yours finds ours"),
        ),
        (Result("areas", ("n", "5"), "count"),),
        slips(
            """
    Classes counted from 1
        when from_one
        Water is class 0 and bare ground class 3.
    The ends are not behind the beginnings
        when sizes
        No row_end is larger than its row. The last two numbers are ends, not height and width.
    Class 1 looks like vegetation
        when exchanged
        Class 1 is built-up, class 2 vegetation.
    Ours again
        when ours
        At least one of these is an area of the chapter. Draw another.
                """,
            from_one=lambda areas: bool(areas[:, 0].min() == 1 and areas[:, 0].max() == 4),
            sizes=lambda areas: bool((areas[:, 3] <= areas[:, 1]).all()),
            exchanged=lambda areas: _has_exchange(areas, "built-up", "vegetation"),
            ours=lambda areas: isinstance(_drawn(areas), dict) and bool(_not_ours(areas)),
        ),
        picture=_drawn_picture,
    ),
    another="""
areas = [[0, 260, 320, 290, 345], [0, 315, 230, 335, 250], [1, 180, 275, 200, 290],
         [1, 310, 140, 335, 160], [2, 60, 15, 72, 30], [2, 20, 65, 30, 72],
         [3, 106, 246, 114, 249], [3, 68, 204, 72, 209]]
""",
)

# A report ---------------------------------------------------------------------------------------

ARGUMENT = exercise(
    """
    land_cover.argument: A report on a lake district [8 minutes] [What goes wrong]
        Two of the six sentences do not follow. For each number ask: of what is it a share, and what
            was drawn independently of what?
        Pixels of one area are alike. And a share of what is called is not a share of what is there.
        Let half the scene be called town, and a tenth be water: how much of the water is called
            town if one in fifty places called town is water?
    Remark
        One in fifty of half the scene is a tenth of the water: the two accuracies can be far apart.
    """,
    Prediction(
        ("flawed", "because"),
        choices("""
    a. We drew ten areas of each of four classes; five trained and five judged, each as a whole.
        No pixel of an area that judged has trained.
    b. Of the 20,000 pixels that judged 2 % are wrong; with √(0.02·0.98/20,000) the standard error
            is 0.1 %. [right]
        Twenty areas judged. If one of them is wrong altogether, a thousand pixels are.
    c. Then we drew 50 places by lot in each of the four classes of the map, and went there.
        Places drawn by lot lie on shores too.
    d. Of the 50 places called water, 49 are water: its user's accuracy is about 0.98.
        The share of what is called water that is water.
    e. One of the 50 places called town is water; so 2 % of the water is called town. [right]
        2 % of what is called town is water.
    f. The share of water is estimated by a sum over the four classes of the map: the share of the
            class on the map, times the share of its places that are water.
        Olofsson's estimate. It is right on average, however many places each class gets.
            """),
        choices("""
    a. pixels of one area err together, so what counts is the number of areas [right]
        The root of p(1 − p)/n holds for n independent answers.
    b. fifty places are too few for any statement
        They are few for rare mistakes, and Wilson's interval says how few.
    c. it is a share of what was called, not of all that belongs to the class [right]
        Multiply it by all that is called town, and divide by all water.
    d. areas that are held out as a whole make the error too large
        They make it as large as it is at a place where nobody trained, or smaller.
            """),
        points=4.0,
    ),
)

EXERCISES = (MAJORITY, DRAW, SHARE, FOLDS, SMALLER, COSTS, ARGUMENT)
