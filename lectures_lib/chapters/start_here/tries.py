"""What the reader answers and writes on the first page, without points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from lectures_lib.checks.author import Array, Case, Function, Result, Rng, question, slips, small

if TYPE_CHECKING:
    from lectures_lib.figures import Scene


def _first_sample() -> Scene:
    from lectures_lib.chapters.start_here.pictures import first_scene

    return first_scene(circled=False)


WRONG_SIDE = question(
    """
    start_here.wrong_side: Which points are on the wrong side? [A first picture]
        The arrow points to the side where the line says class 1, the triangles. Two of the 40
            points lie on the wrong side. Click on one of them.
    (-0.2, -0.35) within 0.2 [right]
        A circle of class 0 on the side of class 1. The other one lies above it.
    (-0.17, 0.15) within 0.2 [right]
        A circle of class 0 on the side of class 1. The other one lies below it.
    otherwise
        Look for circles on the side of the arrow, or triangles on the other side. Both lie just
            right of the line, in the middle of the picture.
    """,
    _first_sample,
)

LOGARITHMS = question("""
    start_here.logarithms: Which of the two holds? [How a chapter works]
        Let a and b be positive numbers. Which of these is true for all of them:
            $\\log(ab)=\\log a+\\log b$, or $\\log(a+b)=\\log a+\\log b$?
    a. the first only [right]
        A logarithm turns a product into a sum.
    b. the second only
        With a = b = 1 its left side is log 2 and its right side 0.
    c. both
        The second fails at a = b = 1: log 2 is not 0.
    """)


def share_wrong(said: Array, true: Array) -> Any:
    wrong = 0
    for a, b in zip(said, true, strict=True):
        wrong += a != b
    return wrong / len(true)


def _labels(rng: Rng) -> tuple[Any, ...]:
    n = int(rng.integers(3, 9))
    return rng.integers(0, 2, n), rng.integers(0, 2, n)


SHARE_WRONG = small(
    """
    start_here.share_wrong: The share of wrong labels [How a chapter works]
        Compare the two labels of each example: how many of the pairs differ?
        The share is the number of pairs that differ, divided by the number of examples.
        `said != true` is an array of True and False; `np.mean` of it counts each True as 1.
    """,
    Function(
        share_wrong,
        (Result("share"),),
        (
            Case("one of four is wrong", (np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0]))),
            Case("all are right", (np.array([1, 0, 1]), np.array([1, 0, 1]))),
            Case("all are wrong", (np.array([1, 0]), np.array([0, 1]))),
        ),
        _labels,
        slips("""
            The share of right labels
                a != b -> a == b
                That is the share of the pairs that agree. Wrong is where they differ.
            The number, not the share
                wrong / len(true) -> wrong
                That counts the wrong labels. A share is divided by the number of examples.
            One kind of mistake only
                a != b -> a > b
                a != b -> a < b
                A label is wrong when it says 1 for 0, and when it says 0 for 1.
        """),
    ),
)

TRIES = (WRONG_SIDE, LOGARITHMS, SHARE_WRONG)
