"""The figure of progress and the first live picture, as data."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib.chapters.start_here.live import first_widget
from lectures_lib.chapters.start_here.pictures import progress, progress_scene
from lectures_lib.figures import Bars, Text, show
from lectures_lib.widgets import LineAt

CHAPTERS = [("04 perceptron", 12.5, 26.0), ("05 perceptron_convergence", 0.0, 28.0)]


def test_the_bars_are_as_long_as_the_points() -> None:
    scene = progress_scene(CHAPTERS)
    bars = scene.marks(Bars)
    assert [bar.right[0] for bar in bars if bar.label == "can be earned"] == [26, 28]
    assert [bar.right[0] for bar in bars if bar.label == "earned"] == [12.5]
    assert bars[0].height[0] > bars[1].height[0], "the first chapter is on top"
    points, names = scene.marks(Text)
    assert points.words == ("12.5 of 26", "0 of 28")
    assert names.words == ("perceptron", "perceptron_convergence")
    assert [text for _, text in scene.panels[0].y.marked()] == ["04", "05"]


def test_the_sentence_has_every_number() -> None:
    assert progress_scene(CHAPTERS).describe() == (
        "Progress: 12.5 of 54 points; 04 perceptron 12.5 of 26; 05 perceptron_convergence 0 of 28."
    )
    assert progress_scene([]).describe() == "Progress: there are no exercises yet."


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 40)), max_size=16))
def test_everything_lies_inside_the_panel(rows) -> None:
    scene = progress_scene([(f"{k}", share * p, float(p)) for k, (share, p) in enumerate(rows)])
    (panel,) = scene.panels
    for shape in panel.shapes():
        for array in shape.arrays.values():
            assert np.all((array >= -1e-6) & (array <= 1 + 1e-6))


def test_progress_of_nobody_is_zero_everywhere(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    scene = progress()
    assert scene.describe().startswith("Progress: 0 of ")
    assert "04 The perceptron 0 of 26" in scene.describe()
    told = dict(scene.readouts)
    assert told["in all"].startswith("0 of ")
    assert told["next"] == "exercise 1 of chapter 01"
    data, _ = show(scene)._repr_mimebundle_()
    assert "image/png" in data


@pytest.mark.slow
def test_the_first_widget_answers_without_python_everywhere() -> None:
    widget = first_widget()
    assert widget.mode == "ahead"
    mistakes = []
    for angle in range(0, 360, 10):
        for shift in np.linspace(-1, 1, 9):
            widget.cut = LineAt(angle, shift, widget.cut.centre)
            mistakes.append(int(widget.scene.readouts[0][1].split()[0]))
    assert min(mistakes) <= 1  # the line that the reader looks for exists
    assert max(mistakes) >= 30
