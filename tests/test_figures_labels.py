"""Names beside what they name: placed near their own mark, over nothing, or left to the legend."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib.figures import Arrow, Axis, Curve, HalfPlane, Line, Panel, Points, Scene
from lectures_lib.figures.labels import name_scene
from lectures_lib.figures.layout import frame_box, text_width

X = np.linspace(0, 1, 60)


def named(*marks, shared: bool = False):
    panel = Panel(tuple(marks), Axis("x", 0, 1), Axis("y", 0, 1))
    drawings, keys = name_scene(Scene((panel,), "One.", shared_legend=shared), 410)
    names = [s for s in drawings[0].shapes if s.kind == "text"]
    return panel, names, drawings[0].keys, keys


def test_two_curves_carry_their_names_in_their_own_colours() -> None:
    _, names, keys, _ = named(
        Curve(X, 0.2 + 0 * X, "class0", "low"), Curve(X, 0.8 + 0 * X, "class1", "high")
    )
    assert keys == []
    found = {name.style["words"][0]: name for name in names}
    assert abs(found["low"].arrays["y"][0] - 0.2) < 0.1
    assert abs(found["high"].arrays["y"][0] - 0.8) < 0.1
    assert found["low"].style["colour"] == "class0"


def test_where_nothing_is_free_the_legend_keeps_the_name() -> None:
    grid = np.stack(np.meshgrid(np.linspace(0, 1, 60), np.linspace(0, 1, 60)), -1).reshape(-1, 2)
    _, names, keys, _ = named(Points(grid, size=5, labels=("crowd",), look="dot"))
    assert names == []
    assert [key.label for key in keys] == ["crowd"]


def test_an_area_is_named_in_the_legend_and_nothing_absent_is_named() -> None:
    _, names, keys, _ = named(HalfPlane([1, 0], -0.5, 1, "side"), Line([1, 0], -7, label="outside"))
    assert names == []
    assert [key.label for key in keys] == ["side"]


def test_a_shared_legend_loses_what_stands_in_a_panel() -> None:
    _, names, keys, shared = named(Line([1, 1], -1, label="boundary"), shared=True)
    assert [name.style["words"] for name in names] == [["boundary"]]
    assert keys == shared == []


@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_a_name_covers_no_point_and_stays_inside(seed: int) -> None:
    rng = np.random.default_rng(seed)
    xy, classes = rng.random((30, 2)), rng.integers(0, 2, 30)
    classes[:2] = 0, 1
    marks = (
        Points(xy, classes, ("class 0", "class 1")),
        Line([1, -1], 0, label="boundary"),
        Arrow([0.5, 0.5], [0.7, 0.3], label="direction of w"),
    )
    panel, names, keys, _ = named(*marks)
    assert len(names) + len(keys) == 4
    box = frame_box(panel, 410)
    pixels = np.column_stack([xy[:, 0] * box.w, (1 - xy[:, 1]) * box.h])
    for name in names:
        middle = np.array([name.arrays["x"][0] * box.w, (1 - name.arrays["y"][0]) * box.h])
        half = np.array([text_width(name.style["words"][0]) / 2, 6.0])
        assert ((middle - half >= 0) & (middle + half <= [box.w, box.h])).all()
        assert not (np.abs(pixels - middle) < half).all(axis=1).any()
