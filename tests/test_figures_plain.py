"""What a plain Matplotlib figure is told as, and that every kind of plot is told."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from matplotlib.axes import Axes
from nbclient import NotebookClient

from lectures_lib.figures.palette import DARK, LIGHT
from lectures_lib.figures.plain import as_html, in_theme
from lectures_lib.figures.plain_words import number, sentence

X = np.array([[2.0, 3], [1, 1], [3, 1], [0, 2], [4, 2], [2, 0]])
T = np.linspace(0, 1, 5)


def told(draw: Callable[[Axes], object], **options: object) -> str:
    figure, axes = plt.subplots(**options)
    try:
        draw(axes)
        return sentence(figure)
    finally:
        plt.close(figure)


@pytest.mark.parametrize(
    ("draw", "words"),
    [
        (lambda a: a.plot([0, 2], [1, 5], label="line"), "line: a line from (0, 1) to (2, 5)"),
        (
            lambda a: a.plot([0, 1, 3], [1, 5, -2]),
            "a curve from (0, 1) to (3, −2), lowest −2, highest 5",
        ),
        (lambda a: a.plot([0, 1], np.arange(26).reshape(2, 13)), "13 lines"),
        (lambda a: a.plot([1, 3], [1, 2], "k."), "2 points around (2, 1.5)"),
        (lambda a: a.scatter(*X.T, label="all"), "all: 6 points around (2, 1.5)"),
        (lambda a: a.scatter([1], [2]), "1 point at (1, 2)"),
        (
            lambda a: a.scatter(*X.T, c=[0, 0, 1, 1, 1, 1]),
            "6 points around (2, 1.5), 2 of value 0, 4 of value 1",
        ),
        (lambda a: a.axline((0, 3), slope=-1), "a line through (0, 3) with slope −1"),
        (lambda a: a.axline((0, 3), (2, 4)), "a line through (0, 3) with slope 0.5"),
        (lambda a: a.axhline(0.25), "a level line at 0.25"),
        (lambda a: a.axvline(7), "an upright line at 7"),
        (lambda a: a.bar(["a", "b"], [3, 1.5], label="n"), "x axis: a, b; y axis from 0 to 3; n"),
        (lambda a: a.bar(["a", "b"], [3, 1.5], label="n"), "n: 2 bars, 3, 1.5"),
        (lambda a: a.barh([0, 1], [3, 1.5]), "2 bars, 3, 1.5"),
        (lambda a: a.hist(np.arange(100), bins=20), "20 bars, the lowest 5, the highest 5"),
        (lambda a: a.imshow(np.arange(6).reshape(2, 3)), "an image of 2 by 3, 0 to 5"),
        (lambda a: a.contour(np.outer(T, T), levels=[0.5]), "contours at 0.5"),
        (
            lambda a: a.contourf(np.outer(T, T), levels=[0, 0.5, 1]),
            "areas between the levels 0, 0.5, 1",
        ),
        (lambda a: a.pcolormesh(np.outer(T, T)), "a grid of 5 by 5, 0 to 1"),
        (lambda a: a.fill_between(T, T), "an area"),
        (lambda a: a.annotate("here", (0, 0), (1, 1), arrowprops={}), "the words here; 1 arrow"),
        (lambda a: a.add_patch(plt.Circle((0, 0))), "a circle"),
        (lambda a: a.set(xlabel="$x_{10}$", ylabel="loss"), "x₁₀ from 0 to 1; loss from 0 to 1"),
        (lambda a: a.plot([0, np.nan, 1], [0, 1, 2]), "a line from (0, 0) to (1, 2)"),
        (lambda a: a.set_title("Nothing yet"), "Nothing yet; x axis"),
    ],
)
def test_what_is_drawn_is_told_with_its_numbers(draw: Callable[[Axes], object], words: str) -> None:
    assert words in told(draw)


@pytest.mark.parametrize(
    "draw",
    [
        lambda a: a.errorbar(T, T, yerr=0.1),
        lambda a: a.boxplot([T, T]),
        lambda a: a.violinplot([T, 2 * T]),
        lambda a: a.pie([1, 2]),
        lambda a: a.step(T, T),
        lambda a: a.stairs([1, 2]),
        lambda a: a.quiver(T, T, T, T),
        lambda a: a.streamplot(T, T, np.ones((5, 5)), np.ones((5, 5))),
        lambda a: a.hexbin(X[:, 0], X[:, 1], gridsize=3),
        lambda a: a.spy(np.eye(3)),
        lambda a: a.eventplot([1, 2]),
        lambda a: a.tripcolor(X[:, 0], X[:, 1], np.arange(6.0)),
        lambda a: a.table([["a"]]),
        lambda a: a.loglog([1, 10, 100], [1, 2, 3]),
        lambda a: a.plot([datetime.date(2026, 1, k) for k in (1, 2, 3)], [1, 2, 3]),
        lambda a: a.scatter([], []),
        lambda a: a.plot([], []),
        lambda a: a.plot([np.nan], [np.nan]),
        lambda a: a.hlines([1, 2], 0, 1),
        lambda a: a.axis("off"),
        lambda a: a.imshow(np.zeros((2, 2, 3))),
        lambda a: a.imshow(np.full((2, 2), np.nan)),
    ],
)
def test_every_kind_of_plot_has_a_sentence(draw: Callable[[Axes], object]) -> None:
    assert re.fullmatch(r"[^\n]+\.", told(draw))


def test_other_axes_have_a_sentence_too() -> None:
    for projection in ("polar", "3d"):
        words = told(
            lambda a: a.plot(T, T, *([T] if a.name == "3d" else [])),
            subplot_kw={"projection": projection},
        )
        assert words.endswith(".")
    assert sentence(plt.figure()) == "An empty figure."
    plt.close("all")


def test_two_panels_and_a_scale_of_colours_are_told_one_after_the_other() -> None:
    figure, (left, right) = plt.subplots(1, 2)
    left.plot([0, 1], [0, 1])
    figure.colorbar(right.imshow(np.eye(2)), label="grey")
    figure.suptitle("Both.")
    words = sentence(figure)
    plt.close(figure)
    assert words.startswith("Both. x axis from 0 to 1")
    assert words.endswith("an image of 2 by 2, 0 to 1. Colours: grey.")


def test_a_number_that_is_rounding_is_told_as_0() -> None:
    assert "from (0, 0) to (3.14, 0)" in told(
        lambda a: a.plot(np.linspace(0, np.pi, 9), np.sin(np.linspace(0, np.pi, 9)))
    )
    assert [number(v) for v in (-0.0, 12345.6, -0.12345, 1e-7)] == [
        "0",
        "12,346",
        "−0.123",
        "1e−07",
    ]


def test_black_white_and_greys_follow_the_theme_and_colours_stay() -> None:
    path = '<path style="fill: #ffffff; stroke: #000000"/><b a="#808080 #1f77b4"/>'
    svg = f"<svg><defs></defs>{path}</svg>"
    found = in_theme(svg)
    assert 'fill: var(--lm-paper); stroke: var(--lm-ink)"' in found
    assert "var(--lm-grey-16) #1f77b4" in found
    for theme in (LIGHT, DARK):
        assert f"--lm-paper:{theme['paper']};" in found


def test_too_many_marks_become_a_png() -> None:
    figure, axes = plt.subplots()
    axes.scatter(*np.random.default_rng(0).normal(size=(2, 9000)))
    page = as_html(figure)
    plt.close(figure)
    assert "data:image/png" in page
    assert 'alt="x axis' in page


@pytest.mark.slow
def test_a_cell_of_a_notebook_shows_sentence_page_and_png() -> None:
    """Also in the first cell that draws, where Matplotlib throws registered formatters away."""
    cells = [
        "import matplotlib.pyplot as plt\nimport lectures_lib.figures",
        "plt.plot([0, 1], [2, 3])\nplt.show()",
        "figure = plt.figure()\nplt.plot([0, 1], [2, 5])\n0",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    for cell, end in zip(notebook.cells[1:], ("(1, 3)", "(1, 5)"), strict=True):
        data = cell.outputs[-1].data
        assert data["text/plain"].endswith(f"a line from (0, 2) to {end}.")
        assert data["text/plain"] in data["text/html"]
        assert "image/png" in data


def test_axes_that_share_their_ticks_are_told() -> None:
    figure, both = plt.subplots(1, 2, sharey=True)
    for axes in both:
        axes.plot([0, 1], [2, 3])
    try:
        assert sentence(figure).count("a line from (0, 2) to (1, 3)") == 2
    finally:
        plt.close(figure)
